// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>

// What people call by a name that may be written in another case: parameters and results.
namespace trainyard
{

// The name as one of these; else the only one that differs from it in case. A null text: there is none, or several do.
QString nameInAnyCase(const QStringList &names, const QString &name);

// The member with this name, by the same rule; undefined where there is none.
QJsonValue memberInAnyCase(const QJsonObject &object, const QString &name);

} // namespace trainyard
