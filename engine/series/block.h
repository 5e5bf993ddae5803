// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The frame of a file of series: a header, and blocks, each with a checksum (docs/series-format.md).
namespace trainyard::series
{

constexpr std::uint32_t fileVersion = 1;
constexpr std::size_t fileHeaderSize = 24;
constexpr std::size_t blockHeaderSize = 12;
constexpr std::size_t mostPayload = 1 << 20; // bytes of a block, so that a delta is bounded, too

constexpr std::size_t smallPayload = 4096; // below it, several blocks are smaller as one

enum class HeaderState : std::uint8_t { Good, Short, NotSeries, Newer };

// `generation` changes whenever the file is rewritten.
std::string encodeFileHeader(std::uint64_t generation);
HeaderState decodeFileHeader(std::string_view bytes, std::uint64_t &generation);

// Blocks of other kinds are skipped: a later version may add some.
enum class BlockKind : std::uint8_t { Names = 1, Points = 2, Void = 3, Origin = 4 };

void putBlock(BlockKind kind, std::string_view payload, std::string &out);

struct Block {
    BlockKind kind = BlockKind::Names;
    std::size_t offset = 0; // of the payload
    std::string_view payload;
};

// Goes from one good block to the next. What is damaged between two good ones is passed over; what is damaged or
// incomplete behind the last one may still be being written, so the scanner stays before it.
class BlockScanner
{
public:
    // No block that begins after `at` is before `searched`; this was found out earlier.
    explicit BlockScanner(std::string_view bytes, std::size_t at = 0, std::size_t searched = 0)
        : m_bytes(bytes), m_end(at), m_searched(searched)
    {
    }

    std::optional<Block> next();
    std::size_t end() const { return m_end; } // of the last good block
    std::size_t damaged() const { return m_damaged; } // bytes between good blocks

private:
    std::optional<Block> blockAt(std::size_t at) const;

    std::string_view m_bytes;
    std::size_t m_end;
    std::size_t m_searched;
    std::size_t m_damaged = 0;
};

} // namespace trainyard::series
