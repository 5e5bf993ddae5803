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

// The files of a try that have to be brought; nothing: its job has no such rule, or it works in a folder that is on
// this computer. `work`: that folder, as its host names it.
std::optional<ResultTask> resultTaskOf(
    const AgentFolders &folders, const LiveTry &entry, const QUuid &tryUuid, const PoolHost &at, const QString &work);

// Where a try is, for its results: `localFolder` is its folder on this computer, `host` an id of the pool, by whose
// agent the files in `work` come.
struct ResultPlace {
    core::TaskRef task;
    QUuid tryUuid;
    QString localFolder, host, work;
};
// The same of a job that has such a rule, wherever it works.
ResultTask resultTaskAt(const AgentFolders &folders, const ActiveJob &job, const ResultPlace &place);

// Whether the results of a task are given up, because its host has seen nothing of this engine for at least a day, and
// this often since the engine started: a file system that is not mounted may come back, but a folder that was removed
// does not. `awaySince` as in ResultTask.
bool isGoneForGood(qint64 awaySince, int answers, qint64 nowMs);
Error folderGone(const ResultTask &task);

// The messages for the user after the files of a task were checked.
struct ResultLook {
    AgentFileList found;
    BringPlan plan;
    BringBook book; // as it is then
    QList<BringProblem> ofFiles; // that could not be brought
    Error why; // the rest could not be; no code: it could
};
QList<BringProblem> resultProblems(const ResultTask &task, const ResultLook &look);

} // namespace trainyard
