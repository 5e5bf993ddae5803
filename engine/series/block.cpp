// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/block.h"

#include "engine/series/bytes.h"
#include "engine/series/crc32c.h"

#include <algorithm>

namespace trainyard::series
{

namespace
{

constexpr std::string_view fileMagic = "TYSERIES";
constexpr std::string_view blockMark = "\xd7\x5b";

std::uint16_t headCheck(std::string_view head) { return static_cast<std::uint16_t>(crc32c(head)); }

} // namespace

std::string encodeFileHeader(std::uint64_t generation)
{
    std::string bytes(fileMagic);
    putRaw(bytes, fileVersion);
    putRaw(bytes, generation);
    putRaw(bytes, crc32c(bytes));
    return bytes;
}

HeaderState decodeFileHeader(std::string_view bytes, std::uint64_t &generation)
{
    const std::size_t known = std::min(bytes.size(), fileMagic.size());
    if (bytes.substr(0, known) != fileMagic.substr(0, known)) {
        return HeaderState::NotSeries;
    }
    if (bytes.size() < fileHeaderSize) {
        return HeaderState::Short;
    }
    Bytes in(bytes.substr(fileMagic.size()));
    const auto version = in.raw<std::uint32_t>();
    generation = in.raw<std::uint64_t>();
    const bool isWhole = in.raw<std::uint32_t>() == crc32c(bytes.substr(0, fileHeaderSize - 4));
    if (!isWhole || generation == 0) { // a cursor without a generation knows nothing
        return HeaderState::NotSeries;
    }
    return version == fileVersion ? HeaderState::Good : HeaderState::Newer;
}

void putBlock(BlockKind kind, std::string_view payload, std::string &out)
{
    std::string head(blockMark);
    head += static_cast<char>(kind);
    for (int byte = 0; byte < 3; ++byte) {
        head += static_cast<char>(payload.size() >> (8 * byte));
    }
    putRaw(head, headCheck(head));
    out += head;
    putRaw(out, crc32c(payload));
    out += payload;
}

std::optional<Block> BlockScanner::blockAt(std::size_t at) const
{
    if (m_bytes.size() < blockHeaderSize || at > m_bytes.size() - blockHeaderSize) {
        return std::nullopt;
    }
    const std::string_view head = m_bytes.substr(at, blockHeaderSize);
    Bytes in(head.substr(2));
    const auto kind = in.raw<std::uint8_t>();
    std::size_t length = 0;
    for (int byte = 0; byte < 3; ++byte) {
        length |= static_cast<std::size_t>(in.raw<std::uint8_t>()) << (8 * byte);
    }
    if (!head.starts_with(blockMark) || length > mostPayload || length > m_bytes.size() - at - blockHeaderSize
        || in.raw<std::uint16_t>() != headCheck(head.substr(0, 6))) {
        return std::nullopt;
    }
    const std::string_view payload = m_bytes.substr(at + blockHeaderSize, length);
    if (in.raw<std::uint32_t>() != crc32c(payload)) {
        return std::nullopt;
    }
    return Block{static_cast<BlockKind>(kind), at + blockHeaderSize, payload};
}

std::optional<Block> BlockScanner::next()
{
    std::size_t at = std::max(m_end, m_searched);
    for (; at < m_bytes.size(); at = m_bytes.find(blockMark, at + 1)) {
        if (const std::optional<Block> block = blockAt(at)) {
            m_damaged += at - m_end;
            m_end = block->offset + block->payload.size();
            return block;
        }
    }
    return std::nullopt;
}

} // namespace trainyard::series
