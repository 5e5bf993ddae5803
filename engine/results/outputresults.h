// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <QJsonObject>

#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard
{

// What came out of one output so far: of each metric the newest value and the extreme ones. Values that are not finite
// change none of them.
class OutputResults
{
public:
    struct Value {
        std::string name;
        double last = 0, least = 0, most = 0;
        std::optional<double> step, leastAt, mostAt; // where the output names a step, or else an epoch
        bool isBroken = false; // the newest value is not finite
    };

    void add(const metrics::Point &point);
    void forget(const std::string &name); // what was added of it is void
    const std::vector<Value> &values() const { return m_values; } // in the order in which they appeared

    // {name: {last, least, most, step, leastAt, mostAt, broken}}: members that are unknown, or false, are left out. A
    // metric that never had a finite value has `broken` only.
    QJsonObject toJson() const;

    static constexpr std::size_t mostNames = 32; // more are not kept: every row of a list has them

private:
    std::vector<Value> m_values;
    std::vector<bool> m_hasValue;
    std::unordered_map<std::string, std::size_t> m_places;
};

// Of several tasks: a metric is that of the first one that has it.
QJsonObject mergedResults(const QList<QJsonObject> &ofTasks);

} // namespace trainyard
