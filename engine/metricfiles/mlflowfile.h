// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/decoder.h"
#include "engine/metricfiles/lines.h"

#include <string>
#include <string_view>

namespace trainyard::metricfiles
{

// A metric of MLflow's file store, mlruns/EXPERIMENT/RUN/metrics/NAME: lines of a time, a value and a step.
class MlflowFile : public Decoder
{
public:
    explicit MlflowFile(std::string_view path);
    State decode(Source &source, Output &output, std::size_t budget) override;

private:
    Lines m_lines{false};
    std::string m_name;
    std::uint64_t m_rows = 0;
};

bool isMlflowLine(std::string_view line);

} // namespace trainyard::metricfiles
