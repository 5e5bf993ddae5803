// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/compareprint.h"

#include <functional>

// The columns of a comparison of runs: for people, and for programs.
namespace trainyard::cli
{

struct CompareColumn {
    // The columns that a table for users always has, and those that move below it if there is no room, the last first.
    enum Rank { AlwaysThere, OfParameter, OfResult, OfTime, OfOther };

    QString title;
    std::function<QString(const QList<qsizetype> &fold)> text;
    // The same for a program: whole values, and of folded runs the mean alone: the deviation has its own column.
    std::function<QString(const QList<qsizetype> &fold)> whole = text;
    int rank = AlwaysThere;
    bool isName = false;
};

// The columns refer to `compared`. `none` is shown if a run has no value.
QList<CompareColumn> columnsForPrograms(const Compared &compared, const QString &none);
// The most useful columns come first: the name, the parameters and the results. Commands, which are long, and the
// presence of secrets, which is not informative, are only shown with --all.
QList<CompareColumn> columnsForPeople(const Compared &compared, const QString &none);

// Whether more or less of a metric is better: of the first as the user says it, of others as their names do.
Better betterOf(const Compared &compared, const QString &metric);
bool isCommand(const CompareFact &fact); // of a task role or a deployment

} // namespace trainyard::cli
