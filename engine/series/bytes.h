// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace trainyard::series
{

static_assert(std::endian::native == std::endian::little, "the file is little-endian, and so are all our hosts");

inline std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value)
{
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}
inline std::size_t varintSize(std::uint64_t value)
{
    return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
}

inline void putVarint(std::string &out, std::uint64_t value)
{
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    out += static_cast<char>(value);
}

template <class T> void putRaw(std::string &out, T value)
{
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

// Takes values from the front of bytes that were not checked. After the first that is not there it gives zeros, and
// failed() says so.
class Bytes
{
public:
    explicit Bytes(std::string_view all) : m_rest(all) { }

    bool failed() const { return m_failed; }
    bool atEnd() const { return m_rest.empty(); }
    std::size_t left() const { return m_rest.size(); }
    void fail()
    {
        m_failed = true;
        m_rest = {};
    }

    std::uint64_t varint()
    {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 10 && i < m_rest.size(); ++i) {
            const auto byte = static_cast<std::uint8_t>(m_rest[i]);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
            if (byte < 0x80) {
                m_rest.remove_prefix(i + 1);
                return value;
            }
        }
        fail();
        return 0;
    }

    template <class T> T raw()
    {
        T value{};
        if (m_rest.size() < sizeof(T)) {
            fail();
            return value;
        }
        std::memcpy(&value, m_rest.data(), sizeof(T));
        m_rest.remove_prefix(sizeof(T));
        return value;
    }

    std::string_view take(std::uint64_t count)
    {
        if (count > m_rest.size()) {
            fail();
            return {};
        }
        const std::string_view taken = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return taken;
    }

private:
    std::string_view m_rest;
    bool m_failed = false;
};

} // namespace trainyard::series
