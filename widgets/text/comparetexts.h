// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"
#include "engine/api/compare/comparefolds.h"
#include "engine/api/jobfilter.h"

namespace trainyard
{

// The name of a fact: "lr", "taskRoles.worker.instances", "Hosts".
QString factTitle(const CompareFact &fact);
// The heading of a narrow column: the last part of a path, with the one before it if it is not sufficient alone:
// "instances", "pytorch.name", "commands.0".
QString factHeading(const CompareFact &fact);

// The same for several columns side by side: with as many parts of their paths as are needed to distinguish them.
QStringList factHeadings(const QList<CompareFact> &facts);

// The value of a run as one line, cut where it is long; a dash for one that has none, and '' for an
// empty one.
QString factValue(const QString &value);

// "0.0823 ± 0.0045": the mean with as many digits as the deviation allows, the deviation with two; without it,
// "0.08233". "NaN" when one value is none.
QString spreadText(const CompareSpread &spread, bool withDeviation);
// The same for a program, beside the mean: the deviation with all of its digits, or nothing for a single value, and the
// number of values.
QStringList spreadCells(const CompareSpread &spread);

// "model resnet20, epochs 90, seed 7": parameters that are the same in all runs, at most `most` of them; `rest` gets
// how many more there are. Where a run was read from files, no setting of the text is the same in all: it has none.
QString sameWords(
    const QList<CompareFact> &same, const QList<CompareRun> &runs, qsizetype most, qsizetype *rest = nullptr);

// "commit (1f0c2a9e, none), uncommitted changes, packages (torch)": differences in the surroundings of the runs that no
// column shows; empty: none are known. A folder or variable that is different in every run is not a difference.
QString otherDifferences(const QList<CompareFact> &different, const QList<CompareRun> &runs);

// "#32, which failed, reached 0.95.", and why that is not the best: of a run, or several as one row, that comes
// behind the best one (compareBest()) although its value is better. `jobs`: at least one.
QString betterBehindText(const QString &label, const QList<JobSummary> &jobs, double value);

// "acc is the newest value of a run; max:acc is its best one.": of the first result that a filter compares by its
// newest value, where that is not the best one of some run, beside which people read it. Empty: there is none.
QString newestValueRemark(const JobFilter &filter, const QList<JobSummary> &jobs);

// "lr=0.1", "model=small": the parameters of a job, by their names.
QStringList parameterWords(const QJsonObject &parameters);

} // namespace trainyard
