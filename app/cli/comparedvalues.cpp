// SPDX-License-Identifier: GPL-3.0-or-later
// The metric by which the runs of a comparison are ranked.
#include "app/cli/compareprint.h"
#include "engine/api/compare/comparefolds.h"
#include "engine/api/namesinanycase.h"

#include <cmath>

namespace trainyard::cli
{

std::optional<double> Compared::valueAtStep(qsizetype run, const QString &metric) const
{
    const QMap<QString, double> &values = atStep.at(run);
    const auto value = values.constFind(nameInAnyCase(values.keys(), metric));
    return value == values.cend() ? std::nullopt : std::optional(*value);
}

std::optional<double> Compared::value(qsizetype run) const
{
    if (metrics.isEmpty()) {
        return std::nullopt;
    }
    return step ? valueAtStep(run, metrics.constFirst())
                : compareValue(runs.at(run).job, metrics.constFirst(), better).ranked();
}

std::optional<double> Compared::mean(const QList<qsizetype> &fold) const
{
    QList<std::optional<double>> values;
    for (const qsizetype run : fold) {
        values.append(value(run));
        // The others say nothing about one that has ended in NaN, or has it at the step.
        const bool isBroken = step
            ? values.constLast() && std::isnan(*values.constLast())
            : !metrics.isEmpty() && compareValue(runs.at(run).job, metrics.constFirst(), better).isBroken;
        if (isBroken) {
            return std::nullopt;
        }
    }
    const CompareSpread spread = spreadOf(values);
    return spread.n > 0 ? std::optional(spread.mean) : std::nullopt;
}

QList<std::optional<double>> Compared::means() const
{
    QList<std::optional<double>> values;
    for (const QList<qsizetype> &fold : folds) {
        values.append(mean(fold));
    }
    return values;
}

QList<JobSummary> Compared::jobsOf(const QList<qsizetype> &fold) const
{
    QList<JobSummary> jobs;
    for (const qsizetype run : fold) {
        jobs.append(runs.at(run).job);
    }
    return jobs;
}

QList<bool> Compared::behind() const
{
    QList<bool> all;
    for (const QList<qsizetype> &fold : folds) {
        all.append(ranksBehind(jobsOf(fold), metrics.value(0)));
    }
    return all;
}

QList<qsizetype> Compared::best() const { return compareBest(means(), better, behind()); }

QList<qsizetype> Compared::marked() const { return markedBest(means(), better, behind()); }

QList<qsizetype> Compared::order() const { return compareRanking(means(), better, behind()); }

} // namespace trainyard::cli
