// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace trainyard::series
{

std::uint32_t crc32c(std::string_view bytes); // Castagnoli, as in event files

} // namespace trainyard::series
