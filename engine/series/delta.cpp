// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/delta.h"

#include "engine/series/bytes.h"

#include <utility>

namespace trainyard::series
{

std::string deltaFrom(const Reader &reader, const Cursor &cursor, std::size_t most)
{
    const Cursor end = reader.cursor();
    const std::uint64_t from = cursor.generation == end.generation ? cursor.offset : 0;
    const std::string bytes = reader.bytes(from, most);
    if (bytes.empty()) {
        return {};
    }
    std::string delta;
    putRaw(delta, end.generation);
    putRaw(delta, from);
    putRaw(delta, end.offset);
    return delta + bytes;
}

Replica::Replica(std::string path) : m_path(std::move(path)) { }

Error Replica::open()
{
    if (const Error error = m_file.openToWrite(m_path); error.fault != Fault::None) {
        return error;
    }
    Reader reader(m_path);
    const Reader::Change change = reader.poll();
    m_have = {};
    m_isCollecting = false;
    if (change.error.fault == Fault::None && reader.cursor().offset > 0) {
        m_have = reader.cursor(); // what is behind it came when this host went down
    } else if (change.error.fault == Fault::System) {
        return change.error;
    }
    return m_file.truncate(m_have.offset);
}

Error Replica::begin(std::uint64_t generation)
{
    if (m_have.offset == 0) {
        m_have = {generation, 0};
        return {};
    }
    const Error error = m_nextFile.openToWrite(m_path + ".next", true);
    m_isCollecting = error.fault == Fault::None;
    m_next = {generation, 0};
    return error;
}

Error Replica::finish()
{
    if (const Error error = replaceFile(m_path + ".next", m_path); error.fault != Fault::None) {
        return error;
    }
    m_file = std::move(m_nextFile);
    m_nextFile.close();
    m_have = m_next;
    m_isCollecting = false;
    return {};
}

Error Replica::apply(std::string_view delta)
{
    Bytes in(delta);
    const auto generation = in.raw<std::uint64_t>(), offset = in.raw<std::uint64_t>(), end = in.raw<std::uint64_t>();
    if (in.failed() || generation == 0) {
        return {Fault::Gap, 0};
    }
    if (generation != cursor().generation) {
        if (offset != 0) {
            return {Fault::Gap, 0};
        }
        if (const Error error = begin(generation); error.fault != Fault::None) {
            return error;
        }
    }
    Cursor &have = m_isCollecting ? m_next : m_have;
    if (offset > have.offset) {
        return {Fault::Gap, 0};
    }
    std::string_view bytes = in.take(in.left());
    bytes.remove_prefix(std::min<std::uint64_t>(bytes.size(), have.offset - offset));
    const Error error = (m_isCollecting ? m_nextFile : m_file).write(have.offset, bytes);
    if (error.fault != Fault::None) {
        return error;
    }
    have.offset += bytes.size();
    return m_isCollecting && have.offset >= end ? finish() : Error();
}

} // namespace trainyard::series
