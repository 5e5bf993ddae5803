// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsweep.h"

#include "engine/api/compare/comparemetrics.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace trainyard
{

State stateTogether(const StateCounts &counts)
{
    for (const State state :
        {State::Running, State::Stopping, State::Waiting, State::Succeeded, State::Failed, State::Stopped}) {
        if (counts.at(std::size_t(state)) > 0) {
            return state;
        }
    }
    return State::Unknown;
}

QString stateCountsText(const StateCounts &counts)
{
    QStringList words;
    for (const State state : {State::Running, State::Stopping, State::Waiting, State::Succeeded, State::Failed,
             State::Stopped, State::Unknown}) {
        if (const int count = counts.at(std::size_t(state)); count > 0) {
            words.append(
                QCoreApplication::translate("JobSweep", "%1: %2").arg(stateText(state), QString::number(count)));
        }
    }
    return words.join(QLatin1String(", "));
}

qsizetype JobSweep::placeOf(qint64 id) const
{
    const auto at = std::lower_bound(
        m_members.cbegin(), m_members.cend(), id, [](const JobSummary &job, qint64 wanted) { return job.id < wanted; });
    return at - m_members.cbegin();
}

void JobSweep::insert(const JobSummary &job)
{
    m_members.insert(placeOf(job.id), job);
    count(job, 1);
}

void JobSweep::replace(qsizetype place, const JobSummary &job)
{
    count(m_members.at(place), -1);
    m_members[place] = job;
    count(job, 1);
}

void JobSweep::removeAt(qsizetype place)
{
    count(m_members.at(place), -1);
    m_members.removeAt(place);
}

void JobSweep::count(const JobSummary &job, int by)
{
    m_best.reset();
    m_counts.at(std::size_t(job.state)) += by;
    m_done += by * shareOf(job);
    if (job.state != State::Waiting) {
        return;
    }
    if (by > 0) {
        m_waiting.insert(turnOf(job));
    } else {
        m_waiting.erase(turnOf(job));
    }
}

double JobSweep::shareOf(const JobSummary &job) { return isFinal(job.state) ? 1 : job.progress.value_or(0); }

qint64 JobSweep::number() const { return m_members.isEmpty() ? 0 : m_members.constFirst().id; }

const JobSummary *JobSweep::firstWaiting() const
{
    return m_waiting.empty() ? nullptr : &m_members.at(placeOf(std::get<qint64>(*m_waiting.begin())));
}

double JobSweep::share() const
{
    return m_members.isEmpty() ? 0 : std::clamp(m_done / double(m_members.size()), 0.0, 1.0);
}

std::optional<JobSweep::Best> JobSweep::best() const
{
    if (!m_best) {
        m_best = findBest();
    }
    return *m_best;
}

std::optional<JobSweep::Best> JobSweep::findBest() const
{
    const QStringList metrics = compareMetrics(m_members);
    if (metrics.isEmpty()) {
        return std::nullopt;
    }
    const QString &metric = metrics.constFirst();
    const Better better = betterByName(metric);
    QList<std::optional<double>> values;
    QList<bool> behind;
    for (const JobSummary &job : m_members) {
        values.append(compareValue(job, metric, better).ranked());
        behind.append(ranksBehind(job));
    }
    const QList<qsizetype> places = compareBest(values, better, behind);
    if (places.isEmpty()) {
        return std::nullopt;
    }
    return Best{metric, *values.at(places.constFirst()), m_members.at(places.constFirst()).id};
}

CutSweeps cutSweeps(QList<JobSummary> jobs, qsizetype newest)
{
    if (jobs.size() < newest || newest < 1) {
        return {};
    }
    std::sort(jobs.begin(), jobs.end(), [](const JobSummary &a, const JobSummary &b) { return a.id > b.id; });
    // The one that is cut off, and those that go on: some of their jobs may have ended long ago.
    CutSweeps cut{{jobs.at(newest - 1).group}, jobs.at(newest - 1).id};
    for (const JobSummary &job : std::as_const(jobs)) {
        if (!isFinal(job.state)) {
            cut.names.insert(job.group);
        }
    }
    cut.names.remove(QString());
    return cut;
}

} // namespace trainyard
