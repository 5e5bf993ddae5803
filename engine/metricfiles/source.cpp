// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace trainyard::metricfiles
{

namespace
{

constexpr std::size_t leastBlock = 4096, greatestBlock = 256U << 10;
constexpr std::size_t rememberedHead = 512, rememberedTail = 64;

Note unreadableBecause(int error) { return {note::unreadable, 0, std::strerror(error)}; }

// Looks before it opens: to open a FIFO or a device can have an effect.
int openRegular(const std::string &path, bool followsLink, Note &problem)
{
    struct stat about = {};
    const int looked = followsLink ? ::stat(path.c_str(), &about) : ::lstat(path.c_str(), &about);
    if (looked != 0) {
        problem = unreadableBecause(errno);
        return -1;
    }
    if (!S_ISREG(about.st_mode)) {
        problem = {note::notRegular, 0, {}};
        return -1;
    }
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW);
    const int descriptor = ::open(path.c_str(), flags);
    if (descriptor < 0) {
        problem = unreadableBecause(errno);
        return -1;
    }
    if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        ::close(descriptor);
        problem = {note::notRegular, 0, {}};
        return -1;
    }
    return descriptor;
}

std::string targetOfLink(const std::string &path)
{
    struct stat about = {};
    if (::lstat(path.c_str(), &about) != 0 || !S_ISLNK(about.st_mode)) {
        return {};
    }
    char *resolved = ::realpath(path.c_str(), nullptr);
    std::string result = resolved ? resolved : "";
    std::free(resolved);
    return result;
}

} // namespace

std::optional<Source> Source::open(const std::string &path, bool followsLink, Note &problem)
{
    const int descriptor = openRegular(path, followsLink, problem);
    if (descriptor < 0) {
        return {};
    }
    Source source(descriptor);
    source.m_path = path;
    source.m_followsLink = followsLink;
    source.m_link = targetOfLink(path);
    source.look();
    return source;
}

std::optional<Source> Source::fromDescriptor(int descriptor, Note &problem)
{
    Source source(descriptor);
    struct stat about = {};
    if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        problem = {note::notRegular, 0, {}};
        return {};
    }
    source.look();
    return source;
}

Source::Source(Source &&other) noexcept : m_descriptor(-1) { *this = std::move(other); }

Source &Source::operator=(Source &&other) noexcept
{
    if (this != &other) {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
        }
        m_descriptor = std::exchange(other.m_descriptor, -1);
        m_path = std::move(other.m_path);
        m_link = std::move(other.m_link);
        m_followsLink = other.m_followsLink;
        m_isOver = other.m_isOver;
        m_size = other.m_size;
        m_position = other.m_position;
        m_bytesRead = other.m_bytesRead;
        m_stamp = other.m_stamp;
        m_head = std::move(other.m_head);
        m_tail = std::move(other.m_tail);
        m_tailEnd = other.m_tailEnd;
        m_buffer = std::move(other.m_buffer);
        m_begin = other.m_begin;
        m_filled = std::exchange(other.m_filled, 0);
        m_block = other.m_block;
    }
    return *this;
}

Source::~Source()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

// Whether something is different from what was seen last.
bool Source::look()
{
    struct stat about = {};
    if (::fstat(m_descriptor, &about) != 0) {
        return false;
    }
    const Stamp stamp{about.st_dev, about.st_ino, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(about.st_size, 0));
    const bool changed = stamp != m_stamp || size != m_size;
    m_stamp = stamp;
    m_size = size;
    return changed;
}

// A program that writes a new file and renames it leaves the old one to the processes that have it open.
bool Source::reopen()
{
    struct stat about = {};
    if (m_path.empty() || ::stat(m_path.c_str(), &about) != 0
        || (about.st_dev == m_stamp.device && about.st_ino == m_stamp.inode)) {
        return false;
    }
    Note problem;
    const int descriptor = openRegular(m_path, m_followsLink, problem);
    if (descriptor < 0) {
        return false;
    }
    ::close(std::exchange(m_descriptor, descriptor));
    return true;
}

Source::Change Source::refresh()
{
    const bool isOther = reopen();
    if (!look() && !isOther) {
        return Change::None;
    }
    forgetBuffer();
    if (isOther || m_size < m_position || bytesAt(0, m_head.size()) != m_head
        || bytesAt(m_tailEnd - m_tail.size(), m_tail.size()) != m_tail) {
        return Change::Replaced;
    }
    return Change::Changed;
}

void Source::remember()
{
    if (m_head.size() < rememberedHead && m_position > m_head.size()) {
        m_head = bytesAt(0, static_cast<std::size_t>(std::min<std::uint64_t>(m_position, rememberedHead)));
    }
    if (m_tailEnd != m_position) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(m_position, rememberedTail));
        m_tail = bytesAt(m_position - size, size);
        m_tailEnd = m_position - size + m_tail.size();
    }
}

void Source::rewind()
{
    m_position = m_tailEnd = 0;
    m_head.clear();
    m_tail.clear();
    forgetBuffer();
}

void Source::forgetBuffer()
{
    m_filled = 0;
    if (m_buffer.size() > greatestBlock) {
        std::string().swap(m_buffer);
    }
}

std::string Source::bytesAt(std::uint64_t begin, std::size_t size) const
{
    std::string bytes(size, '\0');
    std::size_t filled = 0;
    while (filled < size) {
        const ssize_t got
            = ::pread(m_descriptor, bytes.data() + filled, size - filled, static_cast<off_t>(begin + filled));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

std::string_view Source::load(std::uint64_t begin, std::size_t wanted)
{
    if (wanted == 0 || wanted > mostAtOnce || begin > static_cast<std::uint64_t>(LLONG_MAX) - wanted) {
        return {};
    }
    const bool goesOn = begin >= m_begin && begin - m_begin <= m_filled && m_filled > 0;
    m_block = goesOn ? std::min(m_block * 2, greatestBlock) : leastBlock;
    const std::size_t size = std::max(wanted, m_block);
    if (m_buffer.size() < size) {
        m_buffer.resize(size);
    }
    m_begin = begin;
    m_filled = 0;
    while (m_filled < wanted) {
        const ssize_t got
            = ::pread(m_descriptor, m_buffer.data() + m_filled, size - m_filled, static_cast<off_t>(begin + m_filled));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break; // it shrank, or it cannot be read: what is missing counts as not written yet
        }
        m_filled += static_cast<std::size_t>(got);
        m_bytesRead += static_cast<std::uint64_t>(got);
    }
    // What was appended since the file was looked at is for the next time.
    m_filled = static_cast<std::size_t>(std::min<std::uint64_t>(m_filled, m_size > begin ? m_size - begin : 0));
    return {m_buffer.data(), std::min(wanted, m_filled)};
}

} // namespace trainyard::metricfiles
