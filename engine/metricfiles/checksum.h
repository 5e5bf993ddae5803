// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace trainyard::metricfiles
{

// CRC-32C (Castagnoli). `before` is the checksum of the preceding bytes.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);
// The checksum as TensorFlow stores it.
std::uint32_t maskedCrc(std::uint32_t crc);
// CRC-32 as in zlib and PNG.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

} // namespace trainyard::metricfiles
