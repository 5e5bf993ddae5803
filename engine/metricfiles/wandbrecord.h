// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/output.h"
#include "engine/metricfiles/row.h"

#include <cstdint>
#include <string_view>

namespace trainyard::metricfiles
{

// The Record messages of W&B: history, figures of the machine, and what is known about the run.
class WandbRecords
{
public:
    // False when it is not such a message; what was read so far was given.
    bool read(std::string_view record, std::uint64_t offset, Output &output);

private:
    bool history(std::string_view message, std::uint64_t offset, Output &output);
    bool stats(std::string_view message, std::uint64_t offset, Output &output);
    bool config(std::string_view message, Output &output);
    bool run(std::string_view message, Output &output);

    Row m_row;
    std::uint64_t m_rows = 0;
};

} // namespace trainyard::metricfiles
