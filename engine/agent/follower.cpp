// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/follower.h"

#include "engine/agent/enginefolder.h"
#include "engine/agent/pump.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/file.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>
#include <vector>

namespace trainyard::agent
{

namespace file = contract::file;

namespace
{

std::uint64_t sizeOf(int fd)
{
    struct stat info {
    };
    return ::fstat(fd, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

std::uint64_t sizeOfFileAt(const std::string &path)
{
    struct stat info {
    };
    return ::stat(path.c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

// Whether another file has its name by now, or it has less than was sent of it: its writer has taken bytes back.
bool isRewritten(int fd, const std::string &path, std::uint64_t sent)
{
    struct stat here {
    }, there{};
    if (::fstat(fd, &here) != 0) {
        return true; // a file server that has forgotten it
    }
    const bool isOther
        = ::stat(path.c_str(), &there) == 0 && (here.st_ino != there.st_ino || here.st_dev != there.st_dev);
    return isOther || static_cast<std::uint64_t>(here.st_size) < sent;
}

} // namespace

void Follower::Stream::lookForAll()
{
    for (Followed &followed : files) {
        followed.isAbsent = false;
    }
}

bool Follower::Followed::isSeries() const { return name == file::figures || name == file::metrics; }

Follower::Follower(Loop &loop, Connection &connection)
    : m_loop(loop), m_connection(connection), m_inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      m_buffer(std::make_unique_for_overwrite<char[]>(contract::largestChunk))
{
    if (m_inotify >= 0) {
        loop.watch(m_inotify, EPOLLIN, [this](std::uint32_t) { readEvents(); });
    }
}

Follower::~Follower()
{
    while (!m_streams.empty()) {
        remove(m_streams.begin()->first);
    }
    if (m_inotify >= 0) {
        m_loop.forget(m_inotify);
        ::close(m_inotify);
    }
}

void Follower::follow(std::int64_t id, const contract::Follow &request)
{
    remove(id);
    if (request.cancel) {
        return;
    }
    struct stat info;
    if (::stat(request.dir.c_str(), &info) != 0) {
        const int error = errno;
        const bool isAway = error == ENOENT && isEngineFolderAway(request.dir);
        m_connection.fail(id, isAway ? "follow.away" : "follow.unknown", request.dir, error);
        return;
    }
    Stream stream;
    stream.dir = request.dir;
    stream.files[0] = {file::output, request.output, -1};
    stream.files[1] = {file::index, request.index, -1};
    stream.files[2] = {file::runtime, request.runtime, -1};
    stream.files[3] = {file::tail, request.tail, -1};
    stream.files[4] = {file::figures, request.figures, -1, request.figuresGeneration};
    stream.files[5] = {file::environment, request.environment, -1};
    stream.files[6] = {file::metrics, request.metrics, -1, request.metricsGeneration};
    stream.files[7] = {file::metricBook, request.metricBook, -1};
    stream.isShared = request.isShared;
    if (m_inotify >= 0 && !request.isShared) {
        stream.watch = ::inotify_add_watch(m_inotify, request.dir.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO);
    }
    const bool polled = stream.watch < 0;
    m_streams.emplace(id, std::move(stream));
    if (polled) {
        pollAll();
    }
}

void Follower::pollAll()
{
    bool any = false, isFast = false;
    const std::int64_t now = monotonicMs();
    for (auto &[id, stream] : m_streams) {
        if (stream.watch >= 0) {
            continue;
        }
        any = true;
        isFast = isFast || !stream.isShared;
        if (!stream.isShared) {
            stream.dirty = true;
        } else if (now >= stream.lookAt) {
            stream.lookAt = now + sharedPollMs;
            contract::refreshFolder(stream.dir);
            stream.dirty = true;
        }
    }
    if (any && m_pollTimer == 0) {
        m_pollTimer = m_loop.after(isFast ? pollMs : sharedPollMs, [this] {
            m_pollTimer = 0;
            pollAll();
        });
    }
}

void Follower::closeAll(Stream &stream)
{
    for (Followed &followed : stream.files) {
        if (followed.fd >= 0) {
            ::close(std::exchange(followed.fd, -1));
        }
    }
}

void Follower::remove(std::int64_t id)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end()) {
        return;
    }
    closeAll(it->second);
    const int watch = it->second.watch;
    m_streams.erase(it);
    // Two follows of one folder share a watch.
    const bool shared = std::any_of(
        m_streams.begin(), m_streams.end(), [watch](const auto &entry) { return entry.second.watch == watch; });
    if (watch >= 0 && !shared) {
        ::inotify_rm_watch(m_inotify, watch);
    }
}

void Follower::credit(const contract::Credit &credit)
{
    const auto it = m_streams.find(credit.follow);
    if (it != m_streams.end() && credit.bytes > 0) {
        it->second.credit = std::min<std::int64_t>(it->second.credit + credit.bytes, 1ll << 40);
    }
}

void Follower::ended(const std::string &dir)
{
    for (auto &[id, stream] : m_streams) {
        if (stream.dir == dir) {
            stream.dirty = true;
        }
    }
}

void Follower::readEvents()
{
    alignas(inotify_event) char buffer[16384];
    ssize_t n = 0;
    while ((n = ::read(m_inotify, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0; at < n;) {
            const auto *event = reinterpret_cast<const inotify_event *>(buffer + at);
            for (auto &[id, stream] : m_streams) {
                if (stream.watch == event->wd || (event->mask & IN_Q_OVERFLOW)) {
                    stream.dirty = true;
                    if (event->mask & ~IN_MODIFY) {
                        stream.lookForAll();
                    }
                }
            }
            at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        }
    }
}

bool Follower::pump()
{
    bool more = false;
    std::vector<std::int64_t> ids;
    for (const auto &[id, stream] : m_streams) {
        if (stream.dirty && stream.credit > 0) {
            ids.push_back(id);
        }
    }
    // In turn: one long piece may take all the room that there is.
    std::rotate(ids.begin(), std::upper_bound(ids.begin(), ids.end(), m_lastPumped), ids.end());
    for (const std::int64_t id : ids) {
        if (!m_connection.hasRoom()) {
            return false; // the connection wakes the loop when it has written
        }
        const auto it = m_streams.find(id);
        if (it != m_streams.end()) {
            m_lastPumped = id;
            more = sendSome(id, it->second) || more;
        }
    }
    return more;
}

// Sends only whole records, and none about bytes that were not sent yet.
std::size_t Follower::indexUpTo(std::size_t size, std::uint64_t sentOutput) const
{
    std::size_t taken = 0;
    while (taken + contract::indexRecordSize <= size) {
        const contract::IndexRecord record = contract::decodeIndexRecord(m_buffer.get() + taken);
        const bool cut = (record.flags & contract::indexflag::cut) != 0;
        if (!cut && record.offset + record.length > sentOutput) {
            break;
        }
        taken += contract::indexRecordSize;
    }
    return taken;
}

bool Follower::giveUp(std::int64_t id, const Stream &stream, const Followed &followed, int error)
{
    m_connection.fail(id, "follow.read", stream.dir + '/' + followed.name, error);
    remove(id);
    return false;
}

bool Follower::isBookAbsent(const Stream &stream)
{
    return std::any_of(stream.files.begin(), stream.files.end(),
        [](const Followed &each) { return each.isAbsent && each.name == file::metricBook; });
}

bool Follower::isComplete(Stream &stream) const
{
    if (!contract::readExitRecord(stream.dir)) {
        return false;
    }
    if (stream.isShared) {
        stream.endSeen = stream.endSeen == 0 ? monotonicMs() : stream.endSeen;
        return monotonicMs() - stream.endSeen >= settleMs;
    }
    return !(m_isBusy && m_isBusy(stream.dir));
}

bool Follower::open(const Stream &stream, Followed &followed)
{
    // The task can have put a pipe there, for which the agent would wait.
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    followed.fd = ::open((stream.dir + '/' + followed.name).c_str(), flags);
    if (followed.fd < 0 || !followed.isSeries()) {
        return followed.fd >= 0;
    }
    const std::uint64_t generation = series::generationOf(followed.fd), size = sizeOf(followed.fd);
    const bool isBegun = followed.offset > 0 || followed.replaces > 0;
    if (generation != 0 && isBegun && (followed.generation != generation || size < followed.offset)) {
        followed.offset = 0;
        followed.replaces = size;
    }
    followed.generation = generation;
    return true;
}

bool Follower::sendSome(std::int64_t id, Stream &stream)
{
    // Whether the try has ended is checked before the files are read, so that what is read is then complete. As long
    // as more is known to be there, the answer is not needed, except where time has to pass after it.
    const bool hadMore = std::exchange(stream.hasMore, false) && !stream.isShared;
    if (!stream.complete && !hadMore) {
        stream.complete = isComplete(stream);
        if (stream.complete && m_beforeRest) {
            m_beforeRest(stream.dir);
        }
        if (stream.complete) {
            stream.lookForAll();
        }
        if (stream.complete && stream.isShared) {
            closeAll(stream); // a file server is asked how long a file is when it is opened
        }
    }
    const std::string book = stream.dir + '/' + file::metricBook;
    const auto room = static_cast<std::int64_t>(m_connection.chunkRoom());
    // Once more at the end what came first: that may be the book, which goes on when the metrics were looked at.
    for (std::size_t turn = 0; turn <= stream.files.size(); ++turn) {
        Followed &followed = stream.files[stream.next];
        stream.next = (stream.next + 1) % stream.files.size();
        if (followed.name == file::tail && !stream.complete) {
            continue; // a ring: only whole while no process writes it
        }
        if (followed.isSeries() && followed.fd >= 0
            && isRewritten(followed.fd, stream.dir + '/' + followed.name, followed.offset)) {
            ::close(std::exchange(followed.fd, -1));
        }
        // The book says that nothing more comes: not before the last metrics are there.
        const bool isMetrics = followed.name == file::metrics;
        const std::uint64_t bookSize = isMetrics && !isBookAbsent(stream) ? sizeOfFileAt(book) : 0;
        if (followed.isAbsent && bookSize <= stream.bookUpTo) {
            continue; // nothing of that name has come since
        }
        if (followed.fd < 0 && !open(stream, followed)) {
            if (errno != ENOENT) {
                return giveUp(id, stream, followed, errno);
            }
            followed.isAbsent = stream.watch >= 0;
            stream.bookUpTo = isMetrics ? bookSize : stream.bookUpTo;
            continue;
        }
        std::size_t size = static_cast<std::size_t>(std::min<std::int64_t>(stream.credit, room));
        if (followed.name == file::index) {
            size = std::max(size - size % contract::indexRecordSize, contract::indexRecordSize);
        } else if (followed.name == file::metricBook) {
            size = std::min<std::uint64_t>(size, stream.bookUpTo - std::min(stream.bookUpTo, followed.offset));
        }
        const ssize_t n = ::pread(followed.fd, m_buffer.get(), size, static_cast<off_t>(followed.offset));
        if (n < 0) {
            return giveUp(id, stream, followed, errno); // without its rest it would look whole
        }
        std::size_t taken = n > 0 ? static_cast<std::size_t>(n) : 0;
        if (isMetrics && taken < size) {
            stream.bookUpTo = bookSize;
        }
        if (followed.name == file::index) {
            taken = indexUpTo(taken, stream.files[0].offset);
        }
        if (taken > 0) {
            contract::Chunk chunk;
            chunk.file = followed.name;
            chunk.offset = followed.offset;
            chunk.replaces = followed.replaces;
            followed.offset += taken;
            followed.replaces = followed.offset < followed.replaces ? followed.replaces : 0;
            stream.credit -= static_cast<std::int64_t>(taken);
            stream.hasMore = static_cast<std::size_t>(n) == size;
            m_connection.sendChunk(id, chunk, {m_buffer.get(), taken});
            return stream.credit > 0;
        }
    }
    if (hadMore && !stream.complete) {
        return true; // once more, and then it is asked whether the try has ended
    }
    stream.dirty = false;
    if (stream.complete) {
        contract::Chunk last;
        last.end = true;
        m_connection.send(id, std::move(last));
        remove(id);
    }
    return false;
}

} // namespace trainyard::agent
