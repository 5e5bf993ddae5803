// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace trainyard::contract
{

// A sum by which both ends of the wire see whether a file arrived unchanged. It protects against chance and not against
// malice, and is as fast as a disk. It does not depend on the pieces in which the bytes come.
class ByteSum
{
public:
    void add(std::string_view bytes)
    {
        m_length += bytes.size();
        while (!bytes.empty() && m_filled > 0) {
            take(bytes.front());
            bytes.remove_prefix(1);
        }
        while (bytes.size() >= sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data(), sizeof word);
            mix(word);
            bytes.remove_prefix(sizeof word);
        }
        for (const char byte : bytes) {
            take(byte);
        }
    }
    std::uint64_t value() const
    {
        ByteSum whole = *this;
        whole.mix(whole.m_word);
        whole.mix(whole.m_length);
        return whole.m_sum == 0 ? 1 : whole.m_sum; // 0: not known
    }
    std::uint64_t length() const { return m_length; }

private:
    void take(char byte)
    {
        reinterpret_cast<char *>(&m_word)[m_filled] = byte;
        if (++m_filled == sizeof m_word) {
            mix(m_word);
            m_word = 0;
            m_filled = 0;
        }
    }
    void mix(std::uint64_t word)
    {
        constexpr std::uint64_t prime = 0x9e3779b97f4a7c15;
        m_sum = (m_sum ^ word) * prime;
        m_sum ^= m_sum >> 29;
    }

    std::uint64_t m_sum = 0xcbf29ce484222325, m_word = 0, m_length = 0;
    unsigned m_filled = 0;
};

} // namespace trainyard::contract
