// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/pump.h"

#include "engine/contract/systemtimes.h"
#include "engine/contract/writeout.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace trainyard::agent
{

using contract::Stream;
namespace file = contract::file;
namespace indexflag = contract::indexflag;

namespace
{
constexpr std::uint64_t greatestDefaultLimit = 20ull << 30;
constexpr std::uint64_t decideAfter = 16ull << 20; // asking for the free space costs nothing for the many small logs
constexpr std::uint64_t smallestDefaultLimit = 64ull << 20;

std::int64_t clockNs(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return contract::nsOf(now);
}

std::size_t indexOf(Stream stream) { return stream == Stream::Err ? 1 : 0; }

int writeSome(int fd, std::string &pending)
{
    std::size_t written = 0;
    int error = 0;
    while (written < pending.size() && error == 0) {
        const ssize_t n = ::write(fd, pending.data() + written, pending.size() - written);
        if (n >= 0) {
            written += static_cast<std::size_t>(n);
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    pending.erase(0, written);
    return error;
}
} // namespace

std::int64_t monotonicMs() { return clockNs(CLOCK_MONOTONIC) / 1000000; }

std::int64_t sinceBootMs() { return clockNs(CLOCK_BOOTTIME) / 1000000; }

std::int64_t utcMs() { return clockNs(CLOCK_REALTIME) / 1000000; }

Pump::Pump(const contract::Secrets &secrets, std::int64_t limit)
    : m_secrets(secrets), m_maskers{contract::Masker(secrets), contract::Masker(secrets)},
      m_limit(limit > 0 ? static_cast<std::uint64_t>(limit) : 0),
      m_utcOffsetNs(clockNs(CLOCK_REALTIME) - clockNs(CLOCK_BOOTTIME))
{
}

Pump::~Pump()
{
    for (const int fd : {m_log, m_index, m_tail}) {
        if (fd >= 0) {
            ::close(fd);
        }
    }
}

int Pump::open()
{
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
    m_log = ::open(file::output, flags, 0600);
    if (m_log < 0) {
        return errno;
    }
    m_index = ::open(file::index, flags, 0600);
    return m_index < 0 ? errno : 0;
}

std::int64_t Pump::nowNs(std::uint8_t *flags)
{
    // Times never jump: that the clock is set while the task runs is only marked.
    const std::int64_t time = m_utcOffsetNs + clockNs(CLOCK_BOOTTIME);
    const std::int64_t step = (clockNs(CLOCK_REALTIME) - time) / contract::nsOfSecond;
    if (step != m_clockStep) {
        m_clockStep = step;
        *flags |= indexflag::clockStepped;
    }
    return time;
}

void Pump::take(Stream stream, std::string_view bytes)
{
    if (m_secrets.isEmpty()) {
        emitBytes(stream, bytes);
        return;
    }
    m_shown.clear();
    m_maskers[indexOf(stream)].push(bytes, m_shown);
    emitBytes(stream, m_shown);
}

void Pump::finishStream(Stream stream)
{
    m_shown.clear();
    m_maskers[indexOf(stream)].finish(m_shown);
    emitBytes(stream, m_shown);
}

void Pump::decideLimit()
{
    struct statvfs info;
    std::uint64_t tenth = greatestDefaultLimit;
    if (::fstatvfs(m_log, &info) == 0) {
        tenth = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize / 10 + m_offset;
    }
    m_limit = std::max(smallestDefaultLimit, std::min(greatestDefaultLimit, tenth));
}

void Pump::emitBytes(Stream stream, std::string_view bytes)
{
    if (bytes.empty()) {
        return;
    }
    if (m_hasGivenUp) {
        m_lost += bytes.size();
        return;
    }
    if (m_limit == 0 && m_offset >= decideAfter) {
        decideLimit();
    }
    const std::uint64_t room = m_limit == 0 ? bytes.size() : m_limit > m_offset ? m_limit - m_offset : 0;
    const std::string_view kept
        = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(room, bytes.size())));
    const std::string_view behind = bytes.substr(kept.size());
    if (!kept.empty()) {
        addRecord(stream, kept, false);
        m_offset += kept.size();
        if (m_logPending.empty() && m_blocked == 0) {
            // The usual case writes from the caller's buffer.
            std::string_view rest = kept;
            while (!rest.empty() && m_blocked == 0) {
                const ssize_t n = ::write(m_log, rest.data(), rest.size());
                if (n >= 0) {
                    rest.remove_prefix(static_cast<std::size_t>(n));
                } else if (errno != EINTR) {
                    m_blocked = errno;
                }
            }
            m_logPending = rest;
            contract::beginWriteOut(m_log, m_offset - kept.size(), m_offset - rest.size());
        } else {
            m_logPending += kept;
        }
    }
    if (!behind.empty()) {
        addRecord(stream, behind, true);
        writeTail(behind);
        m_offset += behind.size();
    }
}

void Pump::addRecord(Stream stream, std::string_view bytes, bool cut)
{
    std::uint8_t flags = cut ? indexflag::cut : 0;
    const std::int64_t now = nowNs(&flags);
    const bool merges = m_record.length > 0 && m_record.stream == stream && now - m_recordBegan < mergeMs * 1000000
        && m_record.length + bytes.size() <= mergeBytes && flags == (m_record.flags & indexflag::cut);
    if (!merges) {
        closeRecord();
        if (m_lineStart[indexOf(stream)]) {
            flags |= indexflag::beginsLine;
        }
        m_record = {m_offset, now, 0, stream, flags};
        m_recordBegan = now;
    }
    m_record.length += static_cast<std::uint32_t>(bytes.size());
    m_record.flags = static_cast<std::uint8_t>(
        (m_record.flags & ~indexflag::endsLine) | (bytes.back() == '\n' ? indexflag::endsLine : 0));
    m_lineStart[indexOf(stream)] = bytes.back() == '\n';
    if (m_flushDue < 0) {
        m_flushDue = monotonicMs() + mergeMs;
    }
}

void Pump::closeRecord()
{
    if (m_record.length > 0) {
        const auto bytes = contract::encodeIndexRecord(m_record);
        m_indexPending.append(bytes.data(), bytes.size());
        m_record.length = 0;
    }
    if (m_indexPending.size() >= 4096) {
        writePending();
    }
}

void Pump::flushIndex()
{
    closeRecord();
    m_flushDue = -1;
    if (m_tail >= 0) {
        const auto header = contract::encodeTailHeader(m_ring);
        static_cast<void>(!::pwrite(m_tail, header.data(), header.size(), 0));
    }
    writePending();
}

void Pump::writePending()
{
    // The log is written first, so that the index never refers to missing bytes.
    m_blocked = m_logPending.empty() ? 0 : writeSome(m_log, m_logPending);
    if (m_blocked == 0 && !m_indexPending.empty()) {
        m_blocked = writeSome(m_index, m_indexPending);
    }
}

void Pump::retry() { writePending(); }

void Pump::giveUp()
{
    m_lost += m_logPending.size();
    m_offset -= m_logPending.size();
    m_logPending.clear();
    m_indexPending.clear();
    m_record.length = 0;
    m_flushDue = -1;
    m_blocked = 0;
    m_hasGivenUp = true;
}

void Pump::writeTail(std::string_view bytes)
{
    if (m_tail < 0) {
        m_tail = ::open(file::tail, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
        m_ring.begin = m_offset;
        // The room is taken at once; a disk without it keeps a smaller ring.
        while (m_tail >= 0 && m_ring.ringSize > (1u << 20)
            && ::posix_fallocate(m_tail, 0, static_cast<off_t>(contract::tailHeaderSize + m_ring.ringSize)) != 0) {
            m_ring.ringSize /= 2;
        }
    }
    if (m_tail < 0) {
        return;
    }
    while (!bytes.empty()) {
        const std::uint64_t at = m_ring.total % m_ring.ringSize;
        const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), m_ring.ringSize - at));
        static_cast<void>(!::pwrite(m_tail, bytes.data(), size, static_cast<off_t>(contract::tailHeaderSize + at)));
        m_ring.total += size;
        bytes.remove_prefix(size);
    }
}

void Pump::sync()
{
    for (const int fd : {m_log, m_index, m_tail}) {
        if (fd >= 0) {
            ::fdatasync(fd);
        }
    }
}

} // namespace trainyard::agent
