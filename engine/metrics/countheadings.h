// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// Lines that are nothing but words and a count, such as "epochs: 0" and "printing epoch: 1": by themselves they may be
// settings, but a line that begins at the first epoch, or goes on with the next one, says where the output is.
class CountHeadings
{
public:
    std::optional<Record> take(std::string_view line);

private:
    std::string m_name; // of the last one
    double m_at = 0;
};

} // namespace trainyard::metrics
