// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// Names in one line and their values right below them, each pair with the same right edge, in several such blocks of
// which only the first names the step, as programs that simulate molecules print their energies. Names may have blanks
// inside and only one between them: the values say where a name ends.
class ValueBlocks
{
public:
    std::optional<Record> take(std::string_view line); // with the blanks before it

private:
    std::string m_above;
    std::vector<StepMark> m_steps; // of the block that named one
    std::set<std::string> m_told; // since then: what comes again is an average over all steps
    int m_lines = 0; // since then
};

} // namespace trainyard::metrics
