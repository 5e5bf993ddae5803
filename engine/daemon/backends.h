// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/absenttarget.h"

#include <map>

namespace trainyard
{

// The back ends of an engine, by the names of their targets: each job has its own. Their signals are forwarded here, so
// that one connection receives all of them.
class Backends : public QObject
{
    Q_OBJECT
public:
    explicit Backends(const RunFolders &folders);
    // To be called before there are jobs of the target, and when another back end replaces one that has no jobs. It
    // outlives this. Jobs of a target that was not there are to be resumed with it.
    void add(const QString &target, Backend &backend);
    bool has(const QString &target) const { return m_rows.contains(target); }

    struct Choice {
        QString target; // for JobMeta
        QString host; // of it; empty: any
    };
    // The target that a submission asks for: a target by its name, which has a colon ("slurm:lab") unless it is the
    // pool, or a host of the pool, or none. target.unknown {target, known: [target]}.
    Result<Choice> choose(const QString &wanted) const;

    // The back end of a job's target, registered or not.
    Backend &of(const QString &target) const;
    Backend &of(const ActiveJob &job) const { return of(job.state.meta.target); }

    // All of them:
    bool areReady() const;
    bool wantsPlacing() const;
    void wantPlacing();
    std::vector<JobEvent> place();
    void perform(const std::vector<JobEffect> &effects);
    void settingsChanged();

Q_SIGNALS: // as Backend's
    void happened(trainyard::ActiveJob *job, const trainyard::core::Event &event);
    void described(trainyard::ActiveJob *job, std::optional<trainyard::core::TaskRef> task);
    void placingWanted();
    void logsGrew(const QString &job, const QList<trainyard::LogGrowth> &logs);
    void infoChanged();

private:
    std::map<QString, Backend *> m_rows;
    mutable AbsentTarget m_absent;
};

} // namespace trainyard
