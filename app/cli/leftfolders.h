// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <QStringList>

namespace trainyard::cli
{

// Run folders without a job in the engine, whose store was replaced or has lost its last minutes. Only the newest
// folders are checked, since older ones were known once.
struct LeftFolders {
    QStringList folders; // newest first
    QStringList running; // "<task's folder>: kill <pid>" of tasks in them that still run
};
LeftFolders leftFolders(Session &session, const QString &stateFolder);

// Sentences that say what to do about them; none when there are no such folders.
QStringList leftFolderLines(const LeftFolders &left, const QString &stateFolder);

} // namespace trainyard::cli
