// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <QStringList>

namespace trainyard::cli
{

// Run folders of which the engine knows no job: its store was replaced or has lost its last minutes. Only the newest
// folders are looked at, since older ones were known once.
struct LeftFolders {
    QStringList folders; // newest first
    QStringList running; // "<task's folder>: kill <pid>" of tasks in them that still run
};
LeftFolders leftFolders(Session &session, const QString &stateFolder);

// What to do about them, in sentences; nothing when there are none.
QStringList leftFolderLines(const LeftFolders &left, const QString &stateFolder);

} // namespace trainyard::cli
