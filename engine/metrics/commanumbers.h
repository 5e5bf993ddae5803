// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// Numbers with commas: "12,345.6" has groups of thousands, "0,345" a decimal comma. "12,345" by itself may be either,
// so that the metrics of the lines before and of its own line decide. What stays undecided is left as it is written;
// Number::isUnclear says so to those who read it.
class CommaNumbers
{
public:
    // The line with its numbers in the writing with points and without groups; nothing where it is so already.
    std::optional<std::string> withPoints(std::string_view line);

private:
    struct Run;
    void learn(std::string_view line, bool hasCommas);
    bool isDecimal(const Run &run) const;
    std::optional<std::string> rewritten(std::string_view line, const Run &run) const;

    bool m_usesPoints = false; // a metric before was written with a point
    bool m_usesCommas = false; // or with a decimal comma
    bool m_hasPointsHere = false, m_hasCommasHere = false; // the same, of the line that is read
};

} // namespace trainyard::metrics
