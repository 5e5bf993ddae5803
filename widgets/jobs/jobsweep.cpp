// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsweep.h"

#include "engine/api/compare/comparefacts.h"
#include "engine/api/compare/comparemetrics.h"
#include "engine/api/jobfacts.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QHash>
#include <QMap>

#include <algorithm>
#include <utility>

namespace trainyard
{

State stateTogether(const StateCounts &counts)
{
    for (const State state :
        {State::Running, State::Stopping, State::Waiting, State::Failed, State::Stopped, State::Succeeded}) {
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
    m_varying.reset();
    count(job, 1);
}

void JobSweep::replace(qsizetype place, const JobSummary &job)
{
    count(m_members.at(place), -1);
    if (m_members.at(place).parameters != job.parameters) {
        m_varying.reset();
    }
    m_members[place] = job;
    count(job, 1);
}

void JobSweep::removeAt(qsizetype place)
{
    count(m_members.at(place), -1);
    m_members.removeAt(place);
    m_varying.reset();
}

void JobSweep::count(const JobSummary &job, int by)
{
    m_best.reset();
    m_counts.at(std::size_t(job.state)) += by;
    m_stoppedUnstarted += isStoppedUnstarted(job) ? by : 0;
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

const QStringList &JobSweep::varying() const
{
    if (!m_varying) {
        m_varying = findVarying();
    }
    return *m_varying;
}

QStringList JobSweep::findVarying() const
{
    QMap<QString, QSet<QString>> values;
    QHash<QString, qsizetype> owners; // how many have it: that some have none is a difference too
    for (const JobSummary &job : m_members) {
        for (auto it = job.parameters.begin(); it != job.parameters.end(); ++it) {
            values[it.key()].insert(compareText(it.value()));
            ++owners[it.key()];
        }
    }
    QList<std::pair<qsizetype, QString>> found; // the names are in the order of the alphabet
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        const qsizetype kinds = it->size() + (owners.value(it.key()) < m_members.size() ? 1 : 0);
        if (kinds > 1) {
            found.append({kinds, it.key()});
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    QStringList names;
    for (const auto &[kinds, name] : std::as_const(found)) {
        names.append(name);
    }
    return names;
}

QString JobSweep::titleOf(const JobSummary &job) const
{
    if (!isNumberedOf(job.name, m_name)) {
        return job.name;
    }
    constexpr qsizetype most = 3;
    QStringList words;
    for (const QString &name : varying()) {
        if (const QJsonValue value = job.parameters.value(name); !value.isUndefined() && words.size() < most) {
            words.append(name + u' ' + factValue(compareText(value)));
        }
    }
    return words.isEmpty() ? job.name : words.join(QLatin1String(", "));
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
