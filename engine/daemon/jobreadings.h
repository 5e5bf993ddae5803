// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/core/jobstate.h"
#include "engine/results/outputwatch.h"

#include <map>
#include <unordered_map>

namespace trainyard
{

// The contents of the outputs of jobs, as far as they were read. JobResults writes it, the views read it.
class JobReadings
{
public:
    static constexpr std::size_t mostTasksRead = 16; // of a job

    struct Task {
        quint64 key = 0; // of the watch
        QString folder; // of the try
        QString role;
        OutputReading reading;
    };
    struct Job {
        qint64 id = 0;
        quint64 version = 0; // of the state whose tasks are watched
        std::map<core::TaskRef, Task> tasks;
        QJsonObject results;
        QString group; // of the job
        std::optional<WorseRule> rule; // by which jobs of the group are stopped
        QStringList silenced; // kinds of health marks that the job does not want
        qint64 waitsUntil = 0; // it has ended, and its outputs are waited for until then (steady ms); 0: it is active
        bool isOver() const; // nothing more comes
        bool isCaughtUp() const; // all that was there was read
        bool hasSucceeded = false;
        bool isOfFormer = false; // nothing of the newest attempt has begun: the results are those of the one before
        void mergeResults();
        std::optional<ValueAtStep> valueOfRule() const; // of its newest tries, once they have reached the step
        // Notes that a job succeeded without coming to the step of its rule; its results say so.
        void noteUnreached();
        QList<HealthMark> health() const; // of all its tasks, the newest is the last
    };

    void fill(const QString &uuid, JobSummary &summary) const;
    void fillProgress(const core::JobState &state, JobSummary &summary) const; // of a job that runs
    QList<HealthMark> healthOf(const QString &uuid) const; // without what is silenced
    bool isCaughtUp(const QString &uuid) const; // all was read that its outputs had
    void silence(QList<HealthMark> &marks) const; // takes out what the settings silence
    void fill(const QString &uuid, core::TaskRef task, const QList<PauseSpan> &pauses, TaskInfo &info) const;

    std::unordered_map<QString, Job> jobs;
    QStringList silenced; // kinds of health marks, by the settings
};

} // namespace trainyard
