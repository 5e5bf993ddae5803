// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/bringplan.h"
#include "engine/pool/agentfiles.h"
#include "engine/pool/livetry.h"
#include "engine/pool/poolhost.h"
#include "engine/pool/resultnotes.h"

namespace trainyard
{

constexpr qsizetype mostResultFiles = 10000; // of a task

// What is to be brought of a try; nothing: its job has no such rule, or it works in a folder that is here anyway.
// `work`: that folder, as its host names it.
std::optional<ResultTask> resultTaskOf(
    const AgentFolders &folders, const LiveTry &entry, const QUuid &tryUuid, const PoolHost &at, const QString &work);

// Whether what a task has left is given up, as its host has seen nothing of this engine for a day at least, and so
// often since the engine began: what is not mounted may come back, and what somebody has removed never does.
// `awaySince` as in ResultTask.
bool isGoneForGood(qint64 awaySince, int answers, qint64 nowMs);
Error folderGone(const ResultTask &task);

// What the user should know after the files of a task were checked.
struct ResultLook {
    AgentFileList found;
    BringPlan plan;
    BringBook book; // as it is then
    QList<BringProblem> ofFiles; // that could not be brought
    Error why; // the rest could not be; no code: it could
};
QList<BringProblem> resultProblems(const ResultTask &task, const ResultLook &look);

} // namespace trainyard
