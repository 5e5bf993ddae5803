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
    // The value by which the run is ranked: a run that has ended in NaN has none, whatever it reached before.
    std::optional<double> ranked() const { return isBroken ? std::nullopt : best; }
    friend bool operator==(const CompareValue &, const CompareValue &) = default;
};
// The metric may have another case in the results: one program writes "loss", the other one "Loss" (namesinanycase.h).
CompareValue compareValue(const JobSummary &job, const QString &metric, Better better);

// Whether anything is known of it, also that it is not a number.
bool hasValue(const JobSummary &job, const QString &metric);

// Whether all that the jobs have of it is one value each, such as what a program says at its end, and not a curve.
bool hasOneValue(const QList<JobSummary> &jobs, const QString &metric);

// The metrics of which jobs have a value, and how many do. Names that differ only in case are one, by the most frequent
// spelling, unless a job has several of them.
struct MetricCount {
    QString name;
    int jobs = 0;
};
QList<MetricCount> metricCounts(const QList<JobSummary> &jobs);

// All of these names, what most tells first. Those come first by which most of the jobs can be compared: more
// than half as many have them as have the most frequent one. Among these, and among the rest, what tells most about a
// model comes first: measures of the data that it has not seen, then others, then losses; of two of a kind the one that
// more jobs have.
QStringList compareMetrics(const QList<JobSummary> &jobs);

// Whether a metric is in every job that has it the value of the parameter with its name: programs log their own
// parameters, such as a rate that no schedule changes.
bool repeatsParameter(const QList<JobSummary> &jobs, const QString &metric);

// Whether a run ranks behind those that succeeded or still run, whatever it has reached: it failed or was stopped.
bool ranksBehind(const JobSummary &job);
// The same of several runs that are one row: of all of those that have a value of the metric.
bool ranksBehind(const QList<JobSummary> &jobs, const QString &metric);

// The positions of the values, the best first; those that come behind (all others do not) after those that do not.
// Those without a value come last, in their order.
QList<qsizetype> compareRanking(
    const QList<std::optional<double>> &values, Better better, const QList<bool> &behind = {});

// The positions of the best value, of which there may be several, in their order. None where nothing has a value.
// One that comes behind is the best only where no other one has a value.
QList<qsizetype> compareBest(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind = {});

// Those of compareBest() that are worth a mark: none where all that have a value, two or more, have the same one.
QList<qsizetype> markedBest(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind = {});

// Whether each of them is known and a number, and all are the same one.
bool areAllSame(const QList<std::optional<double>> &values);

// The first of those behind the best one that has a better value; -1: none has.
qsizetype betterBehind(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind);

} // namespace trainyard
