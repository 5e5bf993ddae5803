// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace trainyard::cli
{

// Refuses names of parameters and secrets on the command line that the job neither defines nor uses: with a misspelt
// name it would run with other values than intended. Reports them and returns exitUnusable, else exitOk. A text that is
// not a job is accepted here and refused by the check.
int refuseUnknownNames(
    const QString &command, const QByteArray &yaml, const QStringList &parameters, const QStringList &secrets);

} // namespace trainyard::cli
