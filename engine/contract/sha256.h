// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::contract
{

// SHA-256 (FIPS 180-4), for hosts on which nothing has to be installed.
class Sha256
{
public:
    void add(std::string_view bytes);
    std::string hex() const; // 64 digits

private:
    void mix(const unsigned char *block);

    std::array<std::uint32_t, 8> m_state{
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> m_block{};
    std::uint64_t m_length = 0;
};

} // namespace trainyard::contract
