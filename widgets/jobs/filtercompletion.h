// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// The words that occur in the jobs of a list, for completion.
struct FilterWords {
    QStringList tags, hosts, groups, users, parameters, results; // sorted, each once
    QStringList causes = {}; // of failures
};
FilterWords filterWords(const QList<JobSummary> &jobs);

// The replacements for the text from `from` to the caret.
struct FilterCompletion {
    qsizetype from = 0;
    QStringList words;
};
// The beginning of the condition that the place `at` is in.
qsizetype filterTermAt(const QString &text, qsizetype at);
FilterCompletion filterCompletion(const QString &text, qsizetype caret, const FilterWords &known);

// `text` with the condition in it, or without when it is there: "is:starred". Conditions are found as they are spelled.
bool hasCondition(const QString &text, const QString &condition);
QString withCondition(const QString &text, const QString &condition, bool on);

} // namespace trainyard
