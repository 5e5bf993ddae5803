// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace trainyard::metricfiles
{

inline std::uint64_t littleEndian(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return value;
}

// The fields of a protobuf message, one after the other. What its numbers mean is up to the caller.
class Fields
{
public:
    enum class Wire { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

    explicit Fields(std::string_view message) : m_rest(message) { }

    // False at the end, and when what follows is not a field; isBroken() says which.
    bool next()
    {
        std::uint64_t key = 0;
        if (m_rest.empty()) {
            return false;
        }
        m_broken = true;
        if (!varint(m_rest, key) || key >> 3 == 0 || key >> 3 > 0x1FFFFFFF) {
            return false;
        }
        number = static_cast<std::uint32_t>(key >> 3);
        wire = static_cast<Wire>(key & 7);
        std::size_t size = 0;
        switch (wire) {
        case Wire::Varint:
            m_broken = !varint(m_rest, integer);
            return !m_broken;
        case Wire::Fixed64:
            size = 8;
            break;
        case Wire::Fixed32:
            size = 4;
            break;
        case Wire::Bytes: {
            std::uint64_t length = 0;
            if (!varint(m_rest, length) || length > m_rest.size()) {
                return false;
            }
            size = static_cast<std::size_t>(length);
            break;
        }
        default: // groups are in none of the formats
            return false;
        }
        if (size > m_rest.size()) {
            return false;
        }
        bytes = m_rest.substr(0, size);
        if (wire != Wire::Bytes) {
            integer = littleEndian(bytes);
        }
        m_rest.remove_prefix(size);
        m_broken = false;
        return true;
    }
    bool isBroken() const { return m_broken; }

    bool is(std::uint32_t field, Wire as) const { return number == field && wire == as; }
    double asDouble() const { return std::bit_cast<double>(integer); }
    float asFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(integer)); }
    std::int64_t asSigned() const { return static_cast<std::int64_t>(integer); }

    static bool varint(std::string_view &from, std::uint64_t &value)
    {
        value = 0;
        for (std::size_t i = 0; i < from.size() && i < 10; ++i) {
            const auto byte = static_cast<unsigned char>(from[i]);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
            if (byte < 0x80) {
                from.remove_prefix(i + 1);
                return true;
            }
        }
        return false;
    }

    // The number of the field that was read last.
    std::uint32_t number = 0;
    Wire wire = Wire::Varint;
    std::uint64_t integer = 0; // also of the fixed ones
    std::string_view bytes;

private:
    std::string_view m_rest;
    bool m_broken = false;
};

} // namespace trainyard::metricfiles
