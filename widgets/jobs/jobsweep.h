// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QSet>

#include <array>
#include <set>
#include <tuple>

namespace trainyard
{

// How many jobs there are in each state.
using StateCounts = std::array<int, std::size_t(State::Unknown) + 1>;
// The common state of such jobs: running while one of them is, else waiting while one of them is; at the end succeeded
// only if all of them have, else failed if one of them has.
State stateTogether(const StateCounts &counts);
QString stateCountsText(const StateCounts &counts); // "Running: 2, Failed: 1"; for a tip

// The jobs of a group, such as those of a sweep, and what they are together: one row in lists of jobs. A change of one
// costs no look at the others. Values only.
class JobSweep
{
public:
    // The best result, of the metric by which the jobs can be compared best.
    struct Best {
        QString metric;
        double value = 0;
        qint64 id = 0; // the number of the job that has it
    };

    explicit JobSweep(const QString &name) : m_name(name) { }
    const QString &name() const { return m_name; }
    const QList<JobSummary> &members() const { return m_members; } // by number
    qsizetype size() const { return m_members.size(); }
    qsizetype placeOf(qint64 id) const; // where the job of that number is, or belongs
    void insert(const JobSummary &job);
    void replace(qsizetype place, const JobSummary &job); // of the same number
    void removeAt(qsizetype place);

    qint64 number() const; // of the first job; 0: there is none
    int count(State state) const { return m_counts.at(std::size_t(state)); }
    const StateCounts &counts() const { return m_counts; }
    int stoppedUnstarted() const { return m_stoppedUnstarted; } // of those that are stopping
    int ended() const { return count(State::Succeeded) + count(State::Failed) + count(State::Stopped); }
    State state() const { return stateTogether(m_counts); }
    const JobSummary *firstWaiting() const; // in the order of the queue; null: none waits
    double share() const; // of all their work, 0 to 1
    static double shareOf(const JobSummary &job); // of the work of one
    std::optional<Best> best() const; // looks at all of them when one has changed
    // The parameters in which they differ, those with the most values first. Looks at all of them when one has come,
    // has gone, or has other parameters.
    const QStringList &varying() const;
    // The text that distinguishes a job from the others below their common name: "lr 0.3, batch 64". It is the name of
    // a job that has its own, or that differs in no parameter.
    QString titleOf(const JobSummary &job) const;

private:
    using Turn = std::tuple<int, double, qint64>; // in the queue: smaller goes first
    static Turn turnOf(const JobSummary &job) { return {-job.priority, job.order, job.id}; }
    void count(const JobSummary &job, int by);
    std::optional<Best> findBest() const;
    QStringList findVarying() const;

    QString m_name;
    QList<JobSummary> m_members;
    StateCounts m_counts{};
    int m_stoppedUnstarted = 0;
    std::set<Turn> m_waiting;
    double m_done = 0; // the sum of the members' shares
    // Lists paint these all the time; nothing: to be found.
    mutable std::optional<std::optional<Best>> m_best;
    mutable std::optional<QStringList> m_varying;
};

// Sweeps of which a list may lack jobs: it has the newest ones and, of older ones, only those that are not over.
struct CutSweeps {
    QSet<QString> names;
    qint64 before = 0; // what is lacking has smaller numbers
};
// `newest`: so many of the newest jobs are in the list.
CutSweeps cutSweeps(QList<JobSummary> jobs, qsizetype newest);

} // namespace trainyard
