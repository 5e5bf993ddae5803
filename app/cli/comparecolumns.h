// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/compareprint.h"

#include <functional>

// The columns of a comparison of runs: for people, and for programs.
namespace trainyard::cli
{

struct CompareColumn {
    // What is always in a table for people, and what goes below it where there is no room, the last first.
    enum Rank { AlwaysThere, OfParameter, OfResult, OfTime, OfOther };

    QString title;
    std::function<QString(const QList<qsizetype> &fold)> text;
    // The same for a program: whole values, and of folded runs the mean alone.
    std::function<QString(const QList<qsizetype> &fold)> whole = text;
    int rank = AlwaysThere;
    bool isName = false;
};

// The columns refer to `compared`. `none` stands where a run has no value.
QList<CompareColumn> columnsForPrograms(const Compared &compared, const QString &none);
// What people look for comes first: the name, the parameters and the results. Commands, which are long, and whether a
// secret is there, which says nothing, are left to --all.
QList<CompareColumn> columnsForPeople(const Compared &compared, const QString &none);

// Whether more or less of a metric is better: of the first as the user says it, of others as their names do.
Better betterOf(const Compared &compared, const QString &metric);
bool isCommand(const CompareFact &fact); // of a task role or a deployment

} // namespace trainyard::cli
