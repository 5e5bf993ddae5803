// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"
#include "model/sweep/worserule.h"

#include <QJsonObject>

#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard
{

// The results of one output so far: of each metric the newest value and the extreme ones. Values that are not finite
// change none of them.
class OutputResults
{
public:
    struct Value {
        std::string name;
        double last = 0, least = 0, most = 0;
        std::optional<double> step, leastAt, mostAt; // where the output names a step, or else an epoch
        QLatin1StringView axis; // what all three count: "step", "epoch", "episode", "update" or "round"
        bool isBroken = false; // the newest value is not finite
        std::size_t count = 0; // of values, the broken ones too
    };

    // From now on also the value of this metric at the first step that is `step` or beyond it, and the best one up to
    // there: before the first add().
    void noteAt(const WorseRule &rule);

    void add(const metrics::Point &point);
    void append(const OutputResults &later); // as if all that was added there had been added here, of the same rule
    void hideAt() { m_isPastStep = false; } // as if the step of noteAt() were not reached
    void forget(const std::string &name); // what was added of it is void
    const std::vector<Value> &values() const { return m_values; } // in the order in which they appeared
    const Value *find(const std::string &name) const; // valid until the next call
    std::size_t countOf(const std::string &name) const; // of its values

    // {name: {last, least, most, step, leastAt, mostAt, axis, broken, at: {step, value, best}}}: members that are
    // unknown, or false, are left out. A metric that never had a finite value has `broken` only. `at` is of noteAt(),
    // as soon as the step is reached.
    QJsonObject toJson() const;

    static constexpr std::size_t mostNames = 32; // more are not kept: every row of a list has them

private:
    std::optional<std::size_t> placeOf(const std::string &name); // nothing when there are too many
    void noteValue(double value, std::optional<double> step);
    void appendAt(const OutputResults &later);
    // The first values may name an epoch only, until the output shows what counts steps: the two cannot share an axis.
    static void setAxis(Value &value, QLatin1StringView axis);

    std::vector<Value> m_values;
    std::vector<bool> m_hasValue;
    std::unordered_map<std::string, std::size_t> m_places;
    std::optional<WorseRule> m_rule;
    std::string m_ruleMetric;
    ValueAtStep m_atStep;
    bool m_isPastStep = false;
};

// Whether the steps of this metric in the files are much fewer than the printed ones, and end earlier.
bool saysFileLess(const OutputResults &ofFiles, const OutputResults &printed, const std::string &name);

// The results of one task: what is in its files counts before what it prints under the same name, unless that says much
// less. One value without a step, such as a summary at the end, is not a curve and counts only where fewer than two
// values are printed.
QJsonObject resultsOfTask(const OutputResults &ofFiles, const OutputResults &printed);

// The results of several tasks: a metric is that of the first task that has it.
QJsonObject mergedResults(const QList<QJsonObject> &ofTasks);

// What the results of a job have of noteAt(); nothing when the step is not reached, or they are of another rule.
// Those of a job that ended may say that it was not: at {step, reached: false}.
std::optional<ValueAtStep> valueAtStep(const QJsonObject &results, const WorseRule &rule);

} // namespace trainyard
