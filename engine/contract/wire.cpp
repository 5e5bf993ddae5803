// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/wire.h"

#include <algorithm>

namespace trainyard::contract
{
namespace
{
constexpr std::size_t keptNoise = 4096;
constexpr std::size_t keptCapacity = 256 << 10; // of a buffer in which nothing is left

void putLength(std::string &to, std::size_t value)
{
    for (int i = 0; i < 4; ++i) {
        to += static_cast<char>(value >> (8 * i));
    }
}

void putHead(std::string &to, std::string_view header, std::size_t payload)
{
    putLength(to, header.size());
    putLength(to, payload);
    to += header;
}

std::size_t getLength(const char *from)
{
    std::size_t value = 0;
    for (int i = 0; i < 4; ++i) {
        value |= static_cast<std::size_t>(static_cast<unsigned char>(from[i])) << (8 * i);
    }
    return value;
}
} // namespace

std::optional<std::string> encodeFrame(std::string_view header, std::string_view payload)
{
    if (header.size() > maxHeader || payload.size() > maxPayload) {
        return std::nullopt;
    }
    std::string frame;
    frame.reserve(8 + header.size() + payload.size());
    putHead(frame, header, payload.size());
    frame += payload;
    return frame;
}

std::optional<std::string> encodeFrameHead(std::string_view header, std::size_t payload)
{
    if (header.size() > maxHeader || payload > maxPayload) {
        return std::nullopt;
    }
    std::string head;
    putHead(head, header, payload);
    return head;
}

std::string bannerLine(std::string_view nonce)
{
    std::string line = "TRAINYARD-AGENT 1 ";
    line += nonce;
    line += '\n';
    return line;
}

FrameReader::FrameReader(std::string_view nonce) : m_state(State::Banner), m_banner(bannerLine(nonce)) { }

void FrameReader::breakOff(const char *code)
{
    m_state = State::Broken;
    m_error = code;
    m_buffer.clear();
    m_read = 0;
}

void FrameReader::feed(std::string_view bytes)
{
    if (m_state == State::Broken) {
        return;
    }
    // Moving the rest to the front now and then keeps both the memory and the copying bounded.
    if (m_read > 0 && (m_read == m_buffer.size() || m_read >= maxPayload)) {
        m_buffer.erase(0, m_read);
        m_read = 0;
        if (m_buffer.empty() && m_buffer.capacity() > keptCapacity) {
            m_buffer.shrink_to_fit(); // processes that an agent forks count as having had it
        }
    }
    m_buffer += bytes;
    if (m_state == State::Banner) {
        seekBanner();
    }
}

void FrameReader::seekBanner()
{
    const std::string_view banner = m_banner;
    for (;;) {
        const std::string_view rest = std::string_view(m_buffer).substr(m_read);
        const std::size_t newline = rest.find('\n');
        const std::string_view line = rest.substr(0, newline == std::string_view::npos ? rest.size() : newline + 1);
        const bool whole = newline != std::string_view::npos;
        if (m_lineStart && !whole && line == banner.substr(0, line.size())) {
            return; // may become the banner
        }
        if (m_lineStart && line == banner) {
            m_read += line.size();
            m_state = State::Frames;
            return;
        }
        if (line.empty()) {
            return;
        }
        m_noise += line;
        if (m_noise.size() > 2 * keptNoise) {
            m_noise.erase(0, m_noise.size() - keptNoise);
        }
        m_skipped += line.size();
        m_read += line.size();
        m_lineStart = whole;
        if (m_skipped > maxNoise) {
            breakOff("wire.noise");
            return;
        }
    }
}

std::optional<Frame> FrameReader::next()
{
    if (m_state != State::Frames) {
        return std::nullopt;
    }
    const std::string_view rest = std::string_view(m_buffer).substr(m_read);
    if (rest.size() < 8) {
        return std::nullopt;
    }
    const std::size_t header = getLength(rest.data());
    const std::size_t payload = getLength(rest.data() + 4);
    if (header > maxHeader || payload > maxPayload) {
        breakOff("wire.length");
        return std::nullopt;
    }
    if (rest.size() < 8 + header + payload) {
        return std::nullopt;
    }
    Frame frame{std::string(rest.substr(8, header)), std::string(rest.substr(8 + header, payload))};
    m_read += 8 + header + payload;
    return frame;
}

} // namespace trainyard::contract
