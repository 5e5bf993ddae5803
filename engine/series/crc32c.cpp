// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/crc32c.h"

#include <array>
#include <cstring>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

namespace trainyard::series
{

namespace
{

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables crcTables = [] {
    CrcTables tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0);
        }
        tables[0][i] = crc;
    }
    for (std::size_t t = 1; t < 8; ++t) {
        for (std::size_t i = 0; i < 256; ++i) {
            tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
        }
    }
    return tables;
}();

std::uint32_t crcByTables(std::uint32_t crc, const char *at, std::size_t size)
{
    for (; size >= 8; at += 8, size -= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        word ^= crc;
        crc = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            crc ^= crcTables[7 - i][(word >> (8 * i)) & 0xff];
        }
    }
    for (; size > 0; ++at, --size) {
        crc = (crc >> 8) ^ crcTables[0][(crc ^ static_cast<std::uint8_t>(*at)) & 0xff];
    }
    return crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) std::uint32_t crcByInstruction(std::uint32_t crc, const char *at, std::size_t size)
{
    std::uint64_t wide = crc;
    for (; size >= 8; at += 8, size -= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = static_cast<std::uint32_t>(wide);
    for (; size > 0; ++at, --size) {
        crc = _mm_crc32_u8(crc, static_cast<std::uint8_t>(*at));
    }
    return crc;
}
#endif

} // namespace

std::uint32_t crc32c(std::string_view bytes)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("sse4.2")) {
        return ~crcByInstruction(~0U, bytes.data(), bytes.size());
    }
#endif
    return ~crcByTables(~0U, bytes.data(), bytes.size());
}

} // namespace trainyard::series
