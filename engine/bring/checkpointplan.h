// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/bringplan.h"

namespace trainyard
{

// A link that stays below its folder.
struct BringLink {
    QString path, target; // the target as seen from where the link is
    friend bool operator==(const BringLink &, const BringLink &) = default;
};

// Plans which checkpoints of a task have to go to the host where it is tried again (docs/execution.md). Values only.
struct CheckpointPlan {
    QList<BringFile> files; // the small ones first
    QList<BringLink> links;
    qint64 bytes = 0; // of the files
};

// A file that is there already stays as it is if it is the same or has changed since. `there` and `links` come from
// another computer: what leads out of the folder, or is Trainyard's own, is left out whatever it is.
CheckpointPlan checkpointPlan(
    const QList<BringFile> &there, const QList<BringLink> &links, const QList<BringFile> &here);

} // namespace trainyard
