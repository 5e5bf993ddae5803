// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QStringList>

// Reference data that is not part of the project: real job files with recorded verdicts. Tests use it where it is there
// and pass without it. TRAINYARD_SHARED names the folder; else "shared" beside the checkout.
namespace shareddata
{
QString folder(); // empty when it is not there
QStringList files(const QString &pattern); // "corpus/v2/*.yaml", absolute and sorted
QByteArray read(const QString &path);
QJsonObject readJson(const QString &path);
} // namespace shareddata
