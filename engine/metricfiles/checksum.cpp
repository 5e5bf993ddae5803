// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/checksum.h"

#include <array>
#include <cstddef>

namespace trainyard::metricfiles
{

namespace
{

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables tablesOf(std::uint32_t polynomial)
{
    Tables tables = {};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1) ? (crc >> 1) ^ polynomial : crc >> 1;
        }
        tables[0][i] = crc;
    }
    for (std::size_t t = 1; t < 8; ++t) {
        for (std::size_t i = 0; i < 256; ++i) {
            tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xFF];
        }
    }
    return tables;
}

constexpr Tables castagnoli = tablesOf(0x82F63B78), ieee = tablesOf(0xEDB88320);

constexpr std::uint32_t byteAt(const char *p) { return static_cast<unsigned char>(*p); }

constexpr std::uint32_t littleWord(const char *p)
{
    return byteAt(p) | byteAt(p + 1) << 8 | byteAt(p + 2) << 16 | byteAt(p + 3) << 24;
}

// Eight bytes a step.
constexpr std::uint32_t checksum(const Tables &t, std::string_view bytes, std::uint32_t before)
{
    std::uint32_t crc = ~before;
    const char *p = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; p += 8, left -= 8) {
        const std::uint32_t low = crc ^ littleWord(p), high = littleWord(p + 4);
        crc = t[7][low & 0xFF] ^ t[6][low >> 8 & 0xFF] ^ t[5][low >> 16 & 0xFF] ^ t[4][low >> 24] ^ t[3][high & 0xFF]
            ^ t[2][high >> 8 & 0xFF] ^ t[1][high >> 16 & 0xFF] ^ t[0][high >> 24];
    }
    for (; left > 0; ++p, --left) {
        crc = crc >> 8 ^ t[0][(crc ^ byteAt(p)) & 0xFF];
    }
    return ~crc;
}

static_assert(checksum(castagnoli, "123456789", 0) == 0xE3069283);
static_assert(checksum(ieee, "123456789", 0) == 0xCBF43926);

} // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) { return checksum(castagnoli, bytes, before); }

std::uint32_t maskedCrc(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xA282EAD8U; }

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) { return checksum(ieee, bytes, before); }

} // namespace trainyard::metricfiles
