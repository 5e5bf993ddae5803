// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/note.h"

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::metricfiles
{

// A regular file that others write while it is read. It is read by pread in blocks, small ones after a jump, so that
// skipped parts cost nothing. Nothing here blocks or writes.
class Source
{
public:
    static constexpr std::size_t mostAtOnce = 64U << 20;

    // Follows a link at the end of the path only if asked to. `problem` is set when nothing is returned.
    static std::optional<Source> open(const std::string &path, bool followsLink, Note &problem);
    // Takes ownership of the descriptor. Nothing if it is not a regular file.
    static std::optional<Source> fromDescriptor(int descriptor, Note &problem);

    Source(Source &&other) noexcept;
    Source &operator=(Source &&other) noexcept;
    Source(const Source &) = delete;
    Source &operator=(const Source &) = delete;
    ~Source();

    enum class Change {
        None,
        Changed, // grown, as a rule
        Replaced // the part that was read no longer exists
    };
    // Looks at the file again. Until the next call, its size does not change.
    Change refresh();
    // Up to `wanted` bytes; fewer at the end. Valid until the next call.
    std::string_view view(std::uint64_t begin, std::size_t wanted)
    {
        wanted = begin < m_size ? static_cast<std::size_t>(std::min<std::uint64_t>(wanted, m_size - begin)) : 0;
        if (begin >= m_begin && begin - m_begin <= m_filled && m_filled - (begin - m_begin) >= wanted) {
            return {m_buffer.data() + (begin - m_begin), wanted};
        }
        return load(begin, wanted);
    }
    void forgetBuffer();

    std::uint64_t size() const { return m_size; }
    // Behind what was consumed; the readers move it.
    std::uint64_t position() const { return m_position; }
    void moveTo(std::uint64_t position) { m_position = position; }
    // Remembers some of what was consumed, by which refresh() sees whether it is still there.
    void remember();
    void rewind();

    // The program that wrote it has ended: what is after the last line feed does not continue.
    void setOver() { m_isOver = true; }
    bool isOver() const { return m_isOver; }

    std::uint64_t bytesRead() const { return m_bytesRead; }
    const std::string &link() const { return m_link; } // where the path led, if it was a link

private:
    explicit Source(int descriptor) : m_descriptor(descriptor) { }
    bool look();
    bool reopen();
    std::string_view load(std::uint64_t begin, std::size_t wanted);
    std::string bytesAt(std::uint64_t begin, std::size_t size) const;

    int m_descriptor = -1;
    std::string m_path, m_link;
    bool m_followsLink = true, m_isOver = false;
    std::uint64_t m_size = 0, m_position = 0, m_bytesRead = 0;
    struct Stamp {
        dev_t device = 0;
        ino_t inode = 0;
        std::int64_t seconds = 0, nanoseconds = 0;
        friend bool operator==(const Stamp &, const Stamp &) = default;
    };
    Stamp m_stamp;
    std::string m_head, m_tail; // of what was consumed
    std::uint64_t m_tailEnd = 0;

    std::string m_buffer;
    std::uint64_t m_begin = 0;
    std::size_t m_filled = 0, m_block = 4096;
};

} // namespace trainyard::metricfiles
