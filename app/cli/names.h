// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace trainyard::cli
{

// Refuses names of parameters and secrets on the command line that the job neither defines nor uses: with a misspelt
// name it would run with other values than intended. Reports them and returns exitUnusable, otherwise exitOk. A text
// that is not a job is accepted here and refused by the check.
int refuseUnknownNames(
    const QString &command, const QByteArray &yaml, const QStringList &parameters, const QStringList &secrets);

// Refuses values of other types than the job has for the parameters: a task would find out later, perhaps after hours
// in the queue. Reports the first and returns exitUnusable, else exitOk.
int refuseOtherTypes(const QByteArray &yaml, const QMap<QString, QString> &parameters);

} // namespace trainyard::cli
