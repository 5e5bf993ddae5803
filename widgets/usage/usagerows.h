// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/usage.h"

#include <QSet>

namespace trainyard
{

// What the timeline of GPUs draws in one row: a lane, or the fold of a host.
struct UsageRow {
    qsizetype lane = -1; // its position; -1: the fold
    QString host = {}; // of the fold
    int lanes = 0; // that the host has
    int hidden = 0; // of these; 0: it is unfolded
    friend bool operator==(const UsageRow &, const UsageRow &) = default;
};

// A host without GPUs on which hundreds of tasks ran at once shows the first lanes, and below them a fold for the rest,
// in which there is less and less to see. `unfolded` are hosts that show all.
QList<UsageRow> usageRows(const QList<UsageLane> &lanes, const QSet<QString> &unfolded);

} // namespace trainyard
