// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>

// Finds parameters and results by names that may be written in another case.
namespace trainyard
{

// The name itself if it is in the list, otherwise the only one that differs from it in case. A null text: there is
// none, or there are several.
QString nameInAnyCase(const QStringList &names, const QString &name);

// The member with this name, by the same rule; undefined where there is none.
QJsonValue memberInAnyCase(const QJsonObject &object, const QString &name);

} // namespace trainyard
