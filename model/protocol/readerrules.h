// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/fieldwalk.h"
#include "model/protocol/jobspec.h"
#include "model/protocol/reader.h"

// The rules of the reader's tables that are not in the same file as their table. Internal to the reader.
namespace trainyard::readerrules
{

// A name of a job, deployment or prerequisite.
template <typename Owner> void checkName(JobReader &reader, TakenField &taken, Owner &)
{
    if (taken.text) {
        reader.fields().checkName(*taken.text, taken.place, taken.name);
    }
}

void readRoles(JobReader &reader, TakenField &taken, JobSpec &job);
void readDeployments(JobReader &reader, TakenField &taken, JobSpec &job);
void readPrerequisites(JobReader &reader, TakenField &taken, JobSpec &job);
void readPlugins(JobReader &reader, TakenField &taken, JobSpec &job);
void readStorages(JobReader &reader, TakenField &taken, JobSpec &job);
void readHivedRoles(JobReader &reader, TakenField &taken, JobSpec &job);
void checkOtherExtras(JobReader &reader, TakenField &taken, JobSpec &job);
void readGpuMemory(JobReader &reader, TakenField &taken, JobSpec &job);
void readHosts(JobReader &reader, TakenField &taken, JobSpec &job);
void readAfter(JobReader &reader, TakenField &taken, JobSpec &job);
void readVariables(JobReader &reader, TakenField &taken, JobSpec &job);
void checkMetricPatterns(JobReader &reader, TakenField &taken, JobSpec &job);
void readStopSignal(JobReader &reader, TakenField &taken, JobSpec &job);
void checkSilence(JobReader &reader, TakenField &taken, JobSpec &job);
void readResults(JobReader &reader, TakenField &taken, JobSpec &job);
void readData(JobReader &reader, TakenField &taken, JobSpec &job);
void readStopOnly(JobReader &reader, TakenField &taken, JobSpec &job);

// The callbacks of a prerequisite, or of the plugin with this name in the messages.
QList<Callback> readCallbacks(JobReader &reader, const Place &place, const QString &name);
FailurePolicy readFailurePolicy(JobReader &reader, const Place &place);

// For tests: contradictions between the tables of the reader and the reference, as sentences. A release has none. Only
// the file of a table sees its rows, so each says its own, and tableProblems() says all.
QStringList tableProblems();
QStringList roleProblems();
QStringList prerequisiteProblems();
QStringList deploymentProblems();
QStringList pluginProblems();
QStringList extrasProblems();
QStringList queueProblems();
QStringList hostProblems();
QStringList resultsProblems();
QStringList dataProblems();

} // namespace trainyard::readerrules
