// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace trainyard::metrics
{

struct BarCount {
    double at = 0;
    std::optional<double> total;
    bool isBytes = false;
    std::size_t end = 0;
};

// "12/28", "1.2k/60.0k", "440M/440M", "12/Unknown"
std::optional<BarCount> countAt(std::string_view text, std::size_t begin);

} // namespace trainyard::metrics
