// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/source.h"

#include <cstdint>
#include <optional>
#include <string>

namespace trainyard::metricfiles
{

// A TensorBoard event in a file, without its large parts: images, sounds, histograms, graphs. Their lengths precede
// them, so they are not read. Nothing if it is not such a message, or if too much is left.
std::optional<std::string> eventWithoutPayloads(Source &source, std::uint64_t begin, std::uint64_t end);

} // namespace trainyard::metricfiles
