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
constexpr std::size_t maxChunk = 64 * 1024; // of log bytes
constexpr std::int64_t followCredit = 1024 * 1024;
constexpr std::size_t streamPiece = 32 * 1024; // of a TCP connection that is carried
// What a side of such a connection lets the other one send: less where there are many, since all of it may have to be
// kept.
constexpr std::int64_t streamCredit = 1024 * 1024;
constexpr std::int64_t smallStreamCredit = 128 * 1024;
constexpr std::size_t fewStreams = 32;

struct Frame {
    std::string header; // JSON
    std::string payload;
    friend bool operator==(const Frame &, const Frame &) = default;
};

// u32 header length, u32 payload length (little-endian), header, payload. Nothing when a limit is passed.
std::optional<std::string> encodeFrame(std::string_view header, std::string_view payload = {});

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
    // Why it is broken: "wire.noise" (no banner in sight) or "wire.length". Nothing more is read from then on.
    const std::string &error() const { return m_error; }
    // What came before the banner (its last 4 KiB), for the message when a host does not answer as it should.
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
