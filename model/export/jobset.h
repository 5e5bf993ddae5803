// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/export/jobexport.h"

namespace trainyard
{

// Tasks of a job as objects of Kubernetes, for a caller that follows them there, counts their ends and handles retries
// itself: no object starts twice, and rules of the job that JobSet cannot express are left out.
struct JobSetRequest {
    struct Task {
        qsizetype role = 0; // its place in the job
        qint64 index = 0;
    };
    QString name; // of the JobSet; lower-case letters, digits and '-'
    QList<std::pair<QString, QString>> labels; // of every object, pods too
    QString queue; // of Kueue; empty: none
    QString jobId; // as its tasks read it
    int attempt = 0;
    bool withSecrets = true; // their values, in an object of the kind Secret; otherwise only their names
    QList<Task> tasks; // in the order of roles and indexes
};

struct JobSetManifest {
    struct Part {
        QString job; // the replicated job that a task is in ...
        qint64 number = 0; // ... and which one of it
    };
    QByteArray text; // YAML documents; holds values of secrets where the job has any
    QList<Part> parts; // of the tasks, in their order
    QList<ExportNote> notes;
};

// Codes: those of exportJob().
Result<JobSetManifest> jobSetManifest(const JobSpec &job, const JobSetRequest &request);

// The names of what a manifest makes beside the JobSet.
QString jobSetScriptName(const QString &name);
QString jobSetSecretName(const QString &name);

} // namespace trainyard
