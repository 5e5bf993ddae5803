// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compareruns.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard
{

// The contents of a column of a comparison.
enum class ComparePart { Check, Line, Star, Run, Fact, Best, Last, Step, State, Time };
struct CompareColumn {
    ComparePart part;
    QString title;
    qsizetype fact = -1; // of CompareTable::different
    QString metric = {};
};

// Metrics that only say again what the parameter of the same name is, in every run.
QStringList repeatedMetrics(const CompareRuns &runs);
// `leftOut`: metrics without a column of their own.
QList<CompareColumn> compareColumns(const CompareRuns &runs, const QStringList &leftOut);

bool isDataColumn(ComparePart part); // not one of those that are there for people
// The columns for other programs: the data of the shown ones, and all differences, also those that are too long for a
// column.
QList<CompareColumn> dataColumns(const CompareRuns &runs, const QList<CompareColumn> &shown);

} // namespace trainyard
