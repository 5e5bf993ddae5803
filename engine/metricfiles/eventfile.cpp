// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/eventfile.h"

#include "engine/metricfiles/checksum.h"
#include "engine/metricfiles/payloads.h"
#include "engine/metricfiles/protobuf.h"

namespace trainyard::metricfiles
{

namespace
{

constexpr std::size_t headSize = 12, footSize = 4, frameSize = headSize + footSize;
constexpr std::uint64_t largeRecord = 16U << 10; // read without its payloads
constexpr std::uint64_t mostChecked = 1U << 20;

bool isHead(std::string_view head) { return maskedCrc(crc32c(head.substr(0, 8))) == littleEndian(head.substr(8, 4)); }

bool isChecked(Source &source, std::uint64_t begin, std::uint64_t length)
{
    std::uint32_t crc = 0;
    constexpr std::uint64_t piece = 64U << 10;
    for (std::uint64_t done = 0; done < length;) {
        const std::string_view bytes
            = source.view(begin + done, static_cast<std::size_t>(std::min(piece, length - done)));
        if (bytes.empty()) {
            return false;
        }
        crc = crc32c(bytes, crc);
        done += bytes.size();
    }
    const std::string_view foot = source.view(begin + length, footSize);
    return foot.size() == footSize && maskedCrc(crc) == littleEndian(foot);
}

} // namespace

bool beginsAsEventFile(std::string_view bytes)
{
    return bytes.size() >= headSize && isHead(bytes.substr(0, headSize))
        && bytes.substr(0, 64).find("brain.Event:") != std::string_view::npos;
}

// False when its checksum is wrong. Records without scalars are not read for the sake of it.
bool EventFile::takeLarge(Source &source, Output &output, std::uint64_t begin, std::uint64_t length)
{
    const std::optional<std::string> event = eventWithoutPayloads(source, begin, begin + length);
    if (!event) {
        if (length < mostChecked && !isChecked(source, begin, length)) {
            return false;
        }
        output.note(note::badRecord, begin - headSize);
        return true;
    }
    if (!EventReader::saysAnything(*event)) {
        return true;
    }
    if (length < mostChecked && !isChecked(source, begin, length)) {
        return false;
    }
    if (!m_events.read(*event, begin - headSize, output)) {
        output.note(note::badRecord, begin - headSize);
    }
    return true;
}

State EventFile::decode(Source &source, Output &output, std::size_t budget)
{
    const std::uint64_t readBefore = source.bytesRead();
    do {
        const std::uint64_t at = source.position();
        const std::string_view head = source.view(at, headSize);
        if (head.size() < headSize) {
            if (head.empty()) {
                return State::UpToDate;
            }
            output.note(note::cut, at);
            return State::Waiting;
        }
        if (!isHead(head)) {
            output.note(note::badLength, at); // where the next record begins is not known
            return State::Damaged;
        }
        const std::uint64_t length = littleEndian(head.substr(0, 8));
        const std::uint64_t rest = source.size() - at;
        if (rest < frameSize || length > rest - frameSize) {
            output.note(note::cut, at);
            return State::Waiting;
        }
        bool isRight = false;
        if (length > largeRecord) {
            isRight = takeLarge(source, output, at + headSize, length);
        } else {
            const auto size = static_cast<std::size_t>(length);
            const std::string_view record = source.view(at, frameSize + size);
            if (record.size() < frameSize + size) { // it shrank just now
                return State::Waiting;
            }
            const std::string_view event = record.substr(headSize, size);
            isRight = maskedCrc(crc32c(event)) == littleEndian(record.substr(headSize + size));
            if (isRight && !m_events.read(event, at, output)) {
                output.note(note::badRecord, at);
            }
        }
        if (!isRight) {
            output.note(note::badChecksum, at);
            if (length == rest - frameSize) {
                return State::Damaged; // the last one may still be on its way to the disk
            }
        }
        source.moveTo(at + frameSize + length);
    } while (source.bytesRead() - readBefore < budget);
    return State::More;
}

} // namespace trainyard::metricfiles
