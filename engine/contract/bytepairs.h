// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace trainyard::contract
{

// Which two bytes a secret may begin with: a look at them leaves out nearly every place of a text.
class BytePairs
{
public:
    void add(char first, char second) { m_bits[indexOf(first, second) / 64] |= bitOf(first, second); }
    void addAll(char first)
    {
        for (int second = 0; second < 256; ++second) {
            add(first, static_cast<char>(second));
        }
    }
    bool has(char first, char second) const
    {
        return (m_bits[indexOf(first, second) / 64] & bitOf(first, second)) != 0;
    }

private:
    std::array<std::uint64_t, 1024> m_bits{};

    static std::size_t indexOf(char first, char second)
    {
        return static_cast<std::size_t>(static_cast<unsigned char>(first)) * 256 + static_cast<unsigned char>(second);
    }
    static std::uint64_t bitOf(char first, char second) { return std::uint64_t(1) << (indexOf(first, second) % 64); }
};

} // namespace trainyard::contract
