// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"
#include "model/protocol/scriptfiles.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlops.h"

#include <QJsonObject>
#include <QJsonValue>

namespace trainyard
{

// The facts about a failed task that suggest what to change.
struct FailedPart {
    QString cause; // a name of the failure causes, or "time-limit.own" for the limit of the job itself
    QString role;
    QJsonObject args; // of the failure: `port`, `total`
};

// One change of a job after which it may go well.
struct JobChange {
    // memory.raise, shm.raise, time.raise, gpu-memory.raise, gpu.fewer, gpu.ask, batch.halve, workers.halve,
    // port.other, rate.tenth, script.other
    QString code;
    YamlPath path; // of the value that changes
    QJsonValue from, to; // null: it is not in the document
    QString name; // of the parameter or option; empty for a field of the job language
    edit::Op op;
};

// The changes that may help, the most promising first; none where no change of the document can. Each can be made:
// an edit that the guard of planEdit() refuses is left out. Pure but for what `place` asks of the folder in which the
// commands start here, which is asked only about a file that was missing; the document is that of the spec.
QList<JobChange> changesAfter(
    const FailedPart &failed, const JobSpec &spec, const YamlDocument &document, const ScriptPlace &place = {});

// The text with one change made; empty if the guard refuses it.
QByteArray changedText(const YamlDocument &document, const JobChange &change);

} // namespace trainyard
