// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/output.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metricfiles
{

// A name under which programs store what they count, such as step and epoch.
struct CounterName {
    int rank = 0; // the less, the more it is what the others count by
    Axis axis = Axis::Step;
};
std::optional<CounterName> counterName(std::string_view name);
// The name of the column with the time, if its value can be one.
bool isTimeName(std::string_view name);

// The values that were stored together: which of them is the step, which one is the time, and which ones are metrics.
class Row
{
public:
    static constexpr std::size_t mostValues = 20000;

    void clear() { m_size = 0; }
    void add(std::string_view name, double value);
    bool isEmpty() const { return m_size == 0; }
    // Where no value counts, `number` does, by rows.
    void give(std::uint64_t number, std::uint64_t offset, Output &output);

private:
    struct Value {
        std::string name; // its memory is used again and again
        double value = 0;
    };
    std::vector<Value> m_values;
    std::size_t m_size = 0;
};

} // namespace trainyard::metricfiles
