// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace trainyard::cli
{

// Names of parameters and secrets on the command line that the job neither defines nor uses: with a typing error it
// would run with other values than were meant. Says so and returns exitUnusable, else exitOk; a text that is no job is
// left to whoever checks it.
int refuseUnknownNames(
    const QString &command, const QByteArray &yaml, const QStringList &parameters, const QStringList &secrets);

} // namespace trainyard::cli
