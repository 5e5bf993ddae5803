// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// "Time = 0.5", and some lines below it "GAMG:  Solving for p, Initial residual = 0.1, ...": what is solved for is part
// of the names, and how long the solver took counts no steps.
class SolvedFields
{
public:
    std::optional<Record> take(std::string_view text);

private:
    std::string m_time; // "0.5" of "Time = 0.5"
};

} // namespace trainyard::metrics
