// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/sweep/better.h"

// The results of several runs beside each other. Pure.
namespace trainyard
{

// A metric of one run.
struct CompareValue {
    std::optional<double> last, step; // the newest value, NaN when it is not a number, and where the newest number was
    std::optional<double> best, bestAt;
    bool isBroken = false; // the newest value is not a number
    // The value by which the run is ranked. A run whose newest value is NaN has none, whatever it reached before.
    std::optional<double> ranked() const { return isBroken ? std::nullopt : best; }
    friend bool operator==(const CompareValue &, const CompareValue &) = default;
};
// The metric may have another case in the results: one program writes "loss", the other one "Loss" (namesinanycase.h).
CompareValue compareValue(const JobSummary &job, const QString &metric, Better better);

// Whether anything is known of the metric, even if only that it is not a number.
bool hasValue(const JobSummary &job, const QString &metric);

// Whether each job has a single value of the metric, such as a result that is printed at the end, and not a curve.
bool hasOneValue(const QList<JobSummary> &jobs, const QString &metric);

// The metrics of which jobs have a value, with the number of these jobs. Names that differ only in case are one, by the
// most frequent spelling, unless a job has several of them.
struct MetricCount {
    QString name;
    int jobs = 0;
};
QList<MetricCount> metricCounts(const QList<JobSummary> &jobs);

// All of these names, the most telling first. Metrics that are frequent enough to compare most of the jobs come first:
// more than half as many jobs have them as have the most frequent one. Among these, and among the rest, the order is:
// measures of data that the model has not seen, then other measures, then losses; within a kind, the metric that more
// jobs have.
QStringList compareMetrics(const QList<JobSummary> &jobs);

// Whether every job that has the metric also has a parameter of that name and value: programs log their own parameters,
// such as a rate that no schedule changes.
bool repeatsParameter(const QList<JobSummary> &jobs, const QString &metric);

// Whether a run ranks behind those that succeeded or still run, whatever it has reached: it failed or was stopped.
bool ranksBehind(const JobSummary &job);
// The same for several runs in one row: it holds for all of those that have a value of the metric.
bool ranksBehind(const QList<JobSummary> &jobs, const QString &metric);

// The positions of the values, the best first. Those of runs that rank behind follow the others. Positions without a
// value come last, in their order.
QList<qsizetype> compareRanking(
    const QList<std::optional<double>> &values, Better better, const QList<bool> &behind = {});

// The positions of the best value, of which there may be several, in their order. The list is empty when no run has a
// value. A run that ranks behind is the best only if no other run has a value.
QList<qsizetype> compareBest(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind = {});

// The positions of compareBest() that deserve a mark: none if two or more runs have a value and all of these are equal.
QList<qsizetype> markedBest(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind = {});

// Whether all of them are known, finite and equal.
bool areAllSame(const QList<std::optional<double>> &values);

// The first run ranked behind the best one that has a better value; -1: there is none.
qsizetype betterBehind(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind);

} // namespace trainyard
