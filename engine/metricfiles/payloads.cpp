// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/payloads.h"

#include "engine/metricfiles/protobuf.h"

namespace trainyard::metricfiles
{

namespace
{

constexpr std::size_t greatestKept = 4096, mostLeft = 1U << 20, mostRead = 16U << 20;
constexpr std::size_t longestKey = 10;
constexpr std::uint32_t summaryField = 5, valueField = 1;

void appendVarint(std::string &to, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        to += static_cast<char>(value | 0x80);
    }
    to += static_cast<char>(value);
}

class PayloadSkipper
{
public:
    explicit PayloadSkipper(Source &source) : m_source(source), m_readBefore(source.bytesRead()) { }

    // Appends the fields between the offsets. The fields numbered `goesInto` are messages that may be large themselves.
    bool copy(std::uint64_t at, std::uint64_t end, int depth, std::string &to)
    {
        const std::uint32_t goesInto = depth == 0 ? summaryField : depth == 1 ? valueField : 0;
        while (at < end) {
            std::uint64_t key = 0, next = 0;
            std::uint64_t begin = at;
            if (!varint(at, end, key)) {
                return false;
            }
            switch (static_cast<Fields::Wire>(key & 7)) {
            case Fields::Wire::Varint: {
                std::uint64_t value = 0;
                if (!varint(at, end, value)) {
                    return false;
                }
                next = at;
                break;
            }
            case Fields::Wire::Fixed64:
                next = at + 8;
                break;
            case Fields::Wire::Fixed32:
                next = at + 4;
                break;
            case Fields::Wire::Bytes: {
                std::uint64_t length = 0;
                if (!varint(at, end, length) || length > end - at) {
                    return false;
                }
                next = at + length;
                if (length > greatestKept) {
                    if (key >> 3 == goesInto) {
                        std::string inside;
                        if (!copy(at, next, depth + 1, inside)) {
                            return false;
                        }
                        appendVarint(to, key);
                        appendVarint(to, inside.size());
                        to += inside;
                    }
                    begin = next; // nothing to copy
                }
                break;
            }
            default:
                return false;
            }
            if (next > end) {
                return false;
            }
            const std::string_view field = m_source.view(begin, static_cast<std::size_t>(next - begin));
            m_left += field.size();
            if (field.size() != next - begin || m_left > mostLeft || m_source.bytesRead() - m_readBefore > mostRead) {
                return false;
            }
            to += field;
            at = next;
        }
        return true;
    }

private:
    bool varint(std::uint64_t &at, std::uint64_t end, std::uint64_t &value)
    {
        std::string_view bytes
            = m_source.view(at, static_cast<std::size_t>(std::min<std::uint64_t>(longestKey, end - at)));
        const std::size_t before = bytes.size();
        if (!Fields::varint(bytes, value)) {
            return false;
        }
        at += before - bytes.size();
        return true;
    }

    Source &m_source;
    std::uint64_t m_readBefore;
    std::size_t m_left = 0;
};

} // namespace

std::optional<std::string> eventWithoutPayloads(Source &source, std::uint64_t begin, std::uint64_t end)
{
    std::string event;
    if (!PayloadSkipper(source).copy(begin, end, 0, event)) {
        return {};
    }
    return event;
}

} // namespace trainyard::metricfiles
