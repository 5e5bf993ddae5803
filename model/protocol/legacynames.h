// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

// Changes names of version 1 that version 2 does not accept, and the variables that contain them.
namespace trainyard::legacy
{

QString jobName(const QString &old); // [a-zA-Z0-9_-]{1,255}
// A new name for each, in order and all different: lower-case letters and digits if that keeps them distinct, otherwise
// with '_'.
QStringList roleNames(const QStringList &old);
QString portLabel(const QString &old); // [a-zA-Z_][a-zA-Z0-9_]*

// The commands with the names of variables that hold a role's name, or a label, changed.
QString renameRoleVariables(const QString &commands, const QString &from, const QString &to);
QString renameLabelVariables(const QString &commands, const QString &from, const QString &to);

} // namespace trainyard::legacy
