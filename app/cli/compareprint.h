// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"
#include "engine/api/compare/comparemetrics.h"

#include <QMap>

namespace trainyard::cli
{

// Runs beside each other, ready to be printed.
struct Compared {
    QList<CompareRun> runs;
    CompareTable table;
    QStringList metrics; // the first ranks the runs
    Better better = Better::Lower; // of the first
    std::optional<double> step; // at which the metrics are wanted, instead of their newest and best values
    QList<QMap<QString, double>> atStep; // of each run, with a step
    bool all = false; // all metrics, and also what is the same in all runs
    QList<QList<qsizetype>> folds; // runs that are one row; each alone when nothing is folded
    bool isFolded = false; // those that differ only in a seed are one row

    std::optional<double> valueAtStep(qsizetype run, const QString &metric) const; // with a step
    // By which a run is ranked: the value at the step, or the best one, which a run that has ended in NaN does not
    // have.
    std::optional<double> value(qsizetype run) const;
    std::optional<double> mean(const QList<qsizetype> &fold) const;
    QList<std::optional<double>> means() const; // of all folds
    QList<bool> behind() const; // of all folds, as ranksBehind() has it
    QList<JobSummary> jobsOf(const QList<qsizetype> &fold) const;
    QList<qsizetype> best() const; // places in `folds`
    QList<qsizetype> marked() const; // of these, those that have a star
    QList<qsizetype> order() const; // places in `folds`, the best first; several runs by their mean
};

void printTable(const Compared &compared);
void printCsv(const Compared &compared);
void printJson(const Compared &compared);

} // namespace trainyard::cli
