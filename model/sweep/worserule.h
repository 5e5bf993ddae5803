// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QList>

#include <optional>

namespace trainyard
{

// The rule by which jobs of a group that do worse than the others are stopped: "-loss@100" where less is better,
// "+acc@100" where more is.
struct WorseRule {
    QString metric; // as the output names it
    double step = 0; // at which values are compared
    bool isLessBetter = false;

    QString toText() const;
    friend bool operator==(const WorseRule &, const WorseRule &) = default;
};

// Reads a rule; without a sign, the name of the metric decides (betterByName()). Code: stop-worse.bad-rule {text}.
Result<WorseRule> worseRule(const QString &text);

// The values that a job has reported for the metric of a rule. Only finite numbers count.
struct ValueAtStep {
    std::optional<double> value; // at the first step that is the rule's or beyond it; nothing: it is not a number
    std::optional<double> best; // up to there
    friend bool operator==(const ValueAtStep &, const ValueAtStep &) = default;
};

// The number of other jobs that must have reached the step before a job is judged.
inline constexpr qsizetype fewestOthers = 5;

// Why a job is stopped.
struct WorseVerdict {
    std::optional<double> best; // of the job; nothing: no value was a number
    double median = 0; // of the others
    qsizetype others = 0;
    friend bool operator==(const WorseVerdict &, const WorseVerdict &) = default;
};

// As the median pruner of Optuna: a job is worse when its best value up to the step is worse than the median of the
// values that the others had at the step. Returns nothing if it is not worse, or if too few others have reached the
// step.
std::optional<WorseVerdict> worseThanMedian(
    const WorseRule &rule, const ValueAtStep &own, const QList<ValueAtStep> &others);

} // namespace trainyard
