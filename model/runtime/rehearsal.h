// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/protocol/jobspec.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlpath.h"

#include <QJsonArray>
#include <QJsonValue>
#include <QMap>

#include <optional>

namespace trainyard
{

// How a job is tried out before it is handed to where it runs for long (docs/rehearsals.md).
struct RehearsalWishes {
    qint64 seconds = 600; // after which it ends at the latest
    std::optional<qint64> mostGpus = {}; // of each task
    QMap<QString, QString> parameters = {}; // other values, as a submission has them
};

// One difference between a rehearsal and its job.
struct RehearsalChange {
    // rehearsal.name, .instances, .min-failed, .min-succeeded, .completed, .job-retries, .task-retries, .time, .gpus,
    // .parameter
    QString code;
    YamlPath path; // of the value that changes
    QJsonValue from, to; // null: it is not in the document
    friend bool operator==(const RehearsalChange &, const RehearsalChange &) = default;
};

struct Rehearsal {
    QByteArray text;
    QList<RehearsalChange> changes; // of the name first, then of the roles in their order, then of the job
};

// "train-rehearsal"
QString rehearsalName(const QString &name);

// The text of a job that tries out this one: one task of each role, once, for a short time, and otherwise unchanged.
// Pure; the document is that of the spec. Codes: those of planEdit() (model/yaml/yamledit.h).
Result<Rehearsal> rehearsalOf(const JobSpec &spec, const YamlDocument &document, const RehearsalWishes &wishes);

// The text of a job with other values of its parameters, which are given as a submission has them. Codes: as above.
Result<QByteArray> textWithParameters(
    const JobSpec &spec, const YamlDocument &document, const QMap<QString, QString> &parameters);

// The most GPUs of each task with which a rehearsal fits, by the edits that the engine offers when it refuses one.
// Nothing when it offers none, or other edits besides: a rehearsal lowers only GPUs.
std::optional<qint64> gpusThatFit(const QJsonArray &edits);

} // namespace trainyard
