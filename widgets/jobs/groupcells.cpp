// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/groupcells.h"

#include "widgets/common/statepainter.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/whybrief.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

struct GroupTexts {
    Q_DECLARE_TR_FUNCTIONS(GroupCells)
};

QString fromTo(const QString &first, const QString &last)
{
    return first == last ? first : QString(first + u" \u2013 "_s + last);
}

// From the least number to the greatest; jobs without one say nothing.
QString numbersText(const QList<const JobSummary *> &jobs, const QString &key, qint64 now)
{
    const JobSummary *least = nullptr, *most = nullptr;
    double low = 0, high = 0;
    for (const JobSummary *job : jobs) {
        const std::optional<double> number = jobSortKey(*job, key, now).number;
        if (number && (!least || *number < low)) {
            least = job;
            low = *number;
        }
        if (number && (!most || *number > high)) {
            most = job;
            high = *number;
        }
    }
    return least ? fromTo(jobCellText(*least, key, now), jobCellText(*most, key, now)) : QString();
}

QString commonText(const QList<const JobSummary *> &jobs, const QString &key, qint64 now)
{
    const QString text = jobCellText(*jobs.constFirst(), key, now);
    const bool isCommon = std::all_of(
        jobs.cbegin() + 1, jobs.cend(), [&](const JobSummary *job) { return jobCellText(*job, key, now) == text; });
    return isCommon ? text : QString();
}

// The values of a parameter or a result: numbers, texts, or both.
QString valuesText(const QList<const JobSummary *> &jobs, const QString &key, qint64 now)
{
    QSet<QString> texts;
    bool areNumbers = true;
    for (const JobSummary *job : jobs) {
        if (const JobSortKey value = jobSortKey(*job, key, now); !value.isEmpty()) {
            areNumbers = areNumbers && value.number;
            texts.insert(jobCellText(*job, key, now));
        }
    }
    return texts.size() == 1 ? *texts.cbegin()
        : areNumbers         ? numbersText(jobs, key, now)
                             : GroupTexts::tr("%n value(s)", nullptr, int(texts.size()));
}

bool isOver(const JobSummary *job) { return isFinal(job->state); }

// How far it is, or, while all of its jobs wait, for what.
QString whyText(const QList<const JobSummary *> &jobs, const StateCounts &counts)
{
    QStringList parts;
    const auto ended = std::count_if(jobs.cbegin(), jobs.cend(), isOver);
    if (ended > 0 && ended < jobs.size()) {
        parts.append(GroupTexts::tr("%1 of %2 over").arg(ended).arg(jobs.size()));
    }
    const int succeeded = counts.at(std::size_t(State::Succeeded)), stopped = counts.at(std::size_t(State::Stopped));
    const int failed = counts.at(std::size_t(State::Failed));
    const bool isMixed = ended == jobs.size() && std::max({succeeded, failed, stopped}) < ended;
    if (isMixed && succeeded > 0) {
        parts.append(GroupTexts::tr("%n succeeded", nullptr, succeeded));
    }
    if (failed > 0) {
        parts.append(GroupTexts::tr("%n failed", nullptr, failed));
    }
    if (isMixed && stopped > 0) {
        parts.append(GroupTexts::tr("%n stopped", nullptr, stopped));
    }
    if (parts.isEmpty() && counts.at(std::size_t(State::Waiting)) == jobs.size()) {
        const auto *first = *std::min_element(
            jobs.cbegin(), jobs.cend(), [](const JobSummary *a, const JobSummary *b) { return a->id < b->id; });
        return whyBrief(*first);
    }
    return parts.join(", "_L1);
}

QString endText(const QList<const JobSummary *> &jobs, qint64 now)
{
    return std::all_of(jobs.cbegin(), jobs.cend(), isOver)
        ? jobCellText(**std::max_element(jobs.cbegin(), jobs.cend(),
                          [](const JobSummary *a, const JobSummary *b) { return a->completed < b->completed; }),
            u"completed"_s, now)
        : QString();
}

QString beginText(const QList<const JobSummary *> &jobs, qint64 now)
{
    const auto *first = *std::min_element(jobs.cbegin(), jobs.cend(),
        [](const JobSummary *a, const JobSummary *b) { return a->submitted < b->submitted; });
    return jobCellText(*first, u"submitted"_s, now);
}

QString progressText(const QList<const JobSummary *> &jobs)
{
    double done = 0;
    for (const JobSummary *job : jobs) {
        done += JobSweep::shareOf(*job);
    }
    return std::all_of(jobs.cbegin(), jobs.cend(), isOver) ? QString() : percentWords(done / double(jobs.size()));
}

} // namespace

StateCounts stateCounts(const QList<const JobSummary *> &jobs)
{
    StateCounts counts{};
    for (const JobSummary *job : jobs) {
        ++counts.at(std::size_t(job->state));
    }
    return counts;
}

QString groupCellText(const QString &name, const QList<const JobSummary *> &jobs, const QString &key, qint64 now)
{
    if (key == "state"_L1) {
        return stateLabel(shapeOf(stateTogether(stateCounts(jobs))));
    }
    if (key == "name"_L1) {
        return GroupTexts::tr("%1 (%2)").arg(name).arg(jobs.size());
    }
    if (key == "why"_L1) {
        return whyText(jobs, stateCounts(jobs));
    }
    if (key == "submitted"_L1) {
        return beginText(jobs, now);
    }
    if (key == "completed"_L1) {
        return endText(jobs, now);
    }
    if (key == "progress"_L1) {
        return progressText(jobs);
    }
    if (key == "star"_L1) {
        const bool areStarred
            = std::all_of(jobs.cbegin(), jobs.cend(), [](const JobSummary *job) { return job->labels.isStarred; });
        JobSummary sign;
        sign.labels.isStarred = areStarred;
        return jobCellText(sign, key, now);
    }
    return key.contains(u':') ? valuesText(jobs, key, now)
        : isNumberColumn(key) ? numbersText(jobs, key, now)
                              : commonText(jobs, key, now);
}

} // namespace trainyard
