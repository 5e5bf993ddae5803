// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The agent wire: a banner line, then frames in both directions. Standard library only.
namespace trainyard::contract
{

constexpr std::size_t maxHeader = 64 * 1024;
constexpr std::size_t maxPayload = 1024 * 1024;
constexpr std::size_t maxNoise = 1024 * 1024; // before the banner: a login shell that says more than this is broken
constexpr std::size_t maxChunk = 64 * 1024; // of log bytes, behind others that wait
constexpr std::size_t largestChunk = 192 * 1024; // when none wait
constexpr std::int64_t followCredit = 1024 * 1024;
constexpr std::size_t streamPiece = 32 * 1024; // of a TCP connection that is carried
// The most that one side of such a connection lets the other one send. It is less where there are many connections,
// because all of it may have to be kept.
constexpr std::int64_t streamCredit = 1024 * 1024;
constexpr std::int64_t smallStreamCredit = 128 * 1024;
constexpr std::size_t fewStreams = 32;

struct Frame {
    std::string header; // JSON
    std::string payload;
    friend bool operator==(const Frame &, const Frame &) = default;
};

// u32 header length, u32 payload length (little-endian), header, payload. Returns nothing if a limit is exceeded.
std::optional<std::string> encodeFrame(std::string_view header, std::string_view payload = {});
// The same without the payload, which the caller writes behind it: so many bytes.
std::optional<std::string> encodeFrameHead(std::string_view header, std::size_t payload);

// "TRAINYARD-AGENT 1 <nonce>\n"
std::string bannerLine(std::string_view nonce);

// Takes bytes as they come and gives frames. With a nonce, everything up to the banner line that contains it is skipped
// as noise.
class FrameReader
{
public:
    enum class State { Banner, Frames, Broken };

    FrameReader() : m_state(State::Frames) { }
    explicit FrameReader(std::string_view nonce);

    State state() const { return m_state; }
    // Why it is broken: "wire.noise" (there is no banner) or "wire.length". Nothing more is read after that.
    const std::string &error() const { return m_error; }
    // The output before the banner (its last 4 KiB), for the message about a host that does not answer as it should.
    const std::string &noise() const { return m_noise; }
    void feed(std::string_view bytes);
    std::optional<Frame> next();

private:
    State m_state;
    std::string m_banner;
    std::string m_error;
    std::string m_noise;
    std::string m_buffer;
    std::size_t m_read = 0; // consumed part of m_buffer
    std::size_t m_skipped = 0;
    bool m_lineStart = true;

    void seekBanner();
    void breakOff(const char *code);
};

} // namespace trainyard::contract
