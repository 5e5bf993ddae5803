// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace trainyard::contract
{
namespace
{

constexpr std::array<std::uint32_t, 64> roundConstants{0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
    0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc,
    0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1,
    0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814,
    0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

} // namespace

void Sha256::mix(const unsigned char *block)
{
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) {
        const unsigned char *four = block + 4 * i;
        w[i] = std::uint32_t(four[0]) << 24 | std::uint32_t(four[1]) << 16 | std::uint32_t(four[2]) << 8 | four[3];
    }
    for (std::size_t i = 16; i < w.size(); ++i) {
        const std::uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7]
            + (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g))
            + roundConstants[i] + w[i];
        const std::uint32_t two
            = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    const std::array<std::uint32_t, 8> more{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < more.size(); ++i) {
        m_state[i] += more[i];
    }
}

void Sha256::add(std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::size_t filled = m_length % m_block.size();
        const auto *from = reinterpret_cast<const unsigned char *>(bytes.data());
        std::size_t taken = m_block.size();
        if (filled == 0 && bytes.size() >= taken) {
            mix(from);
        } else {
            taken = std::min(bytes.size(), m_block.size() - filled);
            std::memcpy(m_block.data() + filled, from, taken);
            if (filled + taken == m_block.size()) {
                mix(m_block.data());
            }
        }
        m_length += taken;
        bytes.remove_prefix(taken);
    }
}

std::string Sha256::hex() const
{
    Sha256 whole = *this;
    const std::uint64_t bits = m_length * 8;
    whole.add(std::string_view("\x80", 1));
    constexpr std::size_t lengthAt = 56;
    while (whole.m_length % m_block.size() != lengthAt) {
        whole.add(std::string_view("\0", 1));
    }
    std::string length(sizeof bits, '\0');
    for (std::size_t i = 0; i < length.size(); ++i) {
        length[i] = static_cast<char>(bits >> (8 * (length.size() - 1 - i)) & 0xff);
    }
    whole.add(length);
    std::string text;
    for (const std::uint32_t word : whole.m_state) {
        for (int shift = 28; shift >= 0; shift -= 4) {
            text += "0123456789abcdef"[word >> shift & 0xf];
        }
    }
    return text;
}

} // namespace trainyard::contract
