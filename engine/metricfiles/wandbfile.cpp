// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/wandbfile.h"

#include "engine/metricfiles/checksum.h"
#include "engine/metricfiles/protobuf.h"

namespace trainyard::metricfiles
{

namespace
{

constexpr std::uint64_t blockSize = 32768;
constexpr std::size_t chunkHead = 7;
constexpr std::string_view wandbMagic(":W&B\xE1\xBE\x00", 7);
constexpr std::size_t mostRecord = 16U << 20;
enum class ChunkType : unsigned char { Full = 1, First = 2, Middle = 3, Last = 4 };

std::uint64_t nextBlock(std::uint64_t at) { return at - at % blockSize + blockSize; }

} // namespace

bool beginsAsWandbFile(std::string_view bytes) { return bytes.starts_with(wandbMagic); }

void WandbFile::take(std::string_view record, std::uint64_t offset, Output &output)
{
    if (!m_records.read(record, offset, output)) {
        output.note(note::badRecord, offset);
    }
}

WandbFile::Chunk WandbFile::takeChunk(Source &source, Output &output)
{
    const std::uint64_t left = nextBlock(m_at) - m_at;
    if (left < chunkHead) {
        m_at += left; // zeros
        return Chunk::Taken;
    }
    const std::string_view head = source.view(m_at, chunkHead);
    if (head.size() < chunkHead) {
        return head.empty() && !m_isInside ? Chunk::Wait : Chunk::Cut;
    }
    const auto type = static_cast<ChunkType>(head[6]);
    const std::size_t length = littleEndian(head.substr(4, 2));
    if (type < ChunkType::Full || type > ChunkType::Last || length > left - chunkHead) {
        return Chunk::Bad;
    }
    const std::string_view chunk = source.view(m_at, chunkHead + length);
    if (chunk.size() < chunkHead + length) {
        return Chunk::Cut;
    }
    if (crc32(chunk.substr(6)) != littleEndian(chunk.substr(0, 4))) {
        return Chunk::Bad;
    }
    const std::string_view data = chunk.substr(chunkHead);
    if (type == ChunkType::Full || type == ChunkType::First) {
        source.moveTo(m_at);
        m_isInside = type == ChunkType::First;
        m_isTooLong = false;
        m_record.clear();
    }
    m_at += chunk.size();
    if (type == ChunkType::Full) {
        take(data, source.position(), output);
        source.moveTo(m_at);
        return Chunk::Taken;
    }
    if (!m_isInside) {
        source.moveTo(m_at); // the rest of a record whose beginning is lost
        return Chunk::Taken;
    }
    m_isTooLong = m_isTooLong || m_record.size() + data.size() > mostRecord;
    if (!m_isTooLong) {
        m_record += data;
    }
    if (type == ChunkType::Last) {
        if (m_isTooLong) {
            output.note(note::longRecord, source.position());
        } else {
            take(m_record, source.position(), output);
        }
        m_isInside = false;
        std::string().swap(m_record);
        source.moveTo(m_at);
    }
    return Chunk::Taken;
}

State WandbFile::decode(Source &source, Output &output, std::size_t budget)
{
    if (source.position() == 0) {
        const std::string_view head = source.view(0, wandbMagic.size());
        if (head != wandbMagic) {
            if (head.size() < wandbMagic.size() && wandbMagic.starts_with(head)) {
                if (!head.empty()) {
                    output.note(note::cut, 0);
                }
                return head.empty() ? State::UpToDate : State::Waiting;
            }
            output.note(note::badHeader, 0);
            return State::Damaged;
        }
        m_at = wandbMagic.size();
        source.moveTo(m_at);
    }
    const std::uint64_t readBefore = source.bytesRead();
    do {
        switch (takeChunk(source, output)) {
        case Chunk::Taken:
            break;
        case Chunk::Wait:
            return State::UpToDate;
        case Chunk::Cut:
            output.note(note::cut, m_at);
            return State::Waiting;
        case Chunk::Bad:
            output.note(note::badChecksum, m_at);
            if (nextBlock(m_at) >= source.size()) {
                return State::Damaged; // the last block may still be on its way to the disk
            }
            m_isInside = false;
            m_record.clear();
            m_at = nextBlock(m_at);
            source.moveTo(m_at);
            break;
        }
    } while (source.bytesRead() - readBefore < budget);
    return State::More;
}

} // namespace trainyard::metricfiles
