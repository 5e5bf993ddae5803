// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringView>

namespace trainyard
{

// Appends a value as compact JSON. Unpaired surrogates become U+FFFD, and numbers that JSON does not have become null.
void appendJson(QByteArray &out, QStringView text);
void appendJson(QByteArray &out, qint64 number);
void appendJson(QByteArray &out, double number);
void appendJson(QByteArray &out, const QJsonObject &object);

} // namespace trainyard
