// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

namespace trainyard::contract
{
namespace
{

class RecordWriter
{
public:
    void add(const char *key, std::string_view value)
    {
        m_text += key;
        m_text += ' ';
        for (const char c : value) {
            m_text += c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
        }
        m_text += '\n';
    }
    template <typename T> void addNumber(const char *key, T value)
    {
        char buffer[24];
        const auto done = std::to_chars(buffer, buffer + sizeof buffer, value);
        add(key, std::string_view(buffer, static_cast<std::size_t>(done.ptr - buffer)));
    }
    std::string finish()
    {
        m_text += "end\n";
        return std::move(m_text);
    }

private:
    std::string m_text;
};

// Calls visit(key, value) for each line; false when the record is not whole.
template <typename Visit> bool readLines(std::string_view text, Visit visit)
{
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        if (newline == std::string_view::npos) {
            return false;
        }
        const std::string_view line = text.substr(0, newline);
        text.remove_prefix(newline + 1);
        if (line == "end") {
            return true;
        }
        const std::size_t blank = line.find(' ');
        if (blank != std::string_view::npos) {
            visit(line.substr(0, blank), line.substr(blank + 1));
        }
    }
    return false;
}

template <typename T> void readNumber(std::string_view text, T &value)
{
    std::from_chars(text.data(), text.data() + text.size(), value);
}

bool readIdentity(std::string_view key, std::string_view value, std::string &host, ProcessIdentity &process)
{
    if (key == "host") {
        host = value;
    } else if (key == "bootId") {
        process.bootId = value;
    } else if (key == "pid") {
        readNumber(value, process.pid);
    } else if (key == "startTime") {
        readNumber(value, process.startTime);
    } else {
        return false;
    }
    return true;
}

void writeIdentity(RecordWriter &writer, const std::string &host, const ProcessIdentity &process)
{
    writer.add("host", host);
    writer.add("bootId", process.bootId);
    writer.addNumber("pid", process.pid);
    writer.addNumber("startTime", process.startTime);
}

template <typename T> void putLittle(char *to, T value)
{
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        to[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
}

template <typename T> T getLittle(const char *from)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
    }
    return static_cast<T>(value);
}

constexpr std::pair<ExitKind, const char *> kindWords[]
    = {{ExitKind::Exited, "exited"}, {ExitKind::Signaled, "signaled"}, {ExitKind::Oom, "oom"},
        {ExitKind::StartFailed, "start-failed"}, {ExitKind::Lost, "lost"}};

template <typename Record> std::optional<Record> readRecord(const std::string &folder, const char *name)
{
    const std::optional<std::string> text = readWhole(folder + '/' + name, 1 << 16);
    return text ? Record::parse(*text) : std::nullopt;
}

} // namespace

std::string KeeperRecord::format() const
{
    RecordWriter writer;
    writeIdentity(writer, host, process);
    writer.add("try", tryUuid);
    writer.addNumber("at", at);
    return writer.finish();
}

std::optional<KeeperRecord> KeeperRecord::parse(std::string_view text)
{
    KeeperRecord record;
    const bool whole = readLines(text, [&](std::string_view key, std::string_view value) {
        if (readIdentity(key, value, record.host, record.process)) {
        } else if (key == "try") {
            record.tryUuid = value;
        } else if (key == "at") {
            readNumber(value, record.at);
        }
    });
    return whole ? std::optional(record) : std::nullopt;
}

std::string StartedRecord::format() const
{
    RecordWriter writer;
    writeIdentity(writer, host, process);
    writer.addNumber("keeperPid", keeperPid);
    writer.add("try", tryUuid);
    if (!cgroup.empty()) {
        writer.add("cgroup", cgroup);
    }
    writer.addNumber("at", at);
    return writer.finish();
}

std::optional<StartedRecord> StartedRecord::parse(std::string_view text)
{
    StartedRecord record;
    const bool whole = readLines(text, [&](std::string_view key, std::string_view value) {
        if (readIdentity(key, value, record.host, record.process)) {
        } else if (key == "keeperPid") {
            readNumber(value, record.keeperPid);
        } else if (key == "try") {
            record.tryUuid = value;
        } else if (key == "cgroup") {
            record.cgroup = value;
        } else if (key == "at") {
            readNumber(value, record.at);
        }
    });
    return whole ? std::optional(record) : std::nullopt;
}

std::string StopRecord::format() const
{
    RecordWriter writer;
    writer.addNumber("signal", signal);
    writer.addNumber("graceMs", graceMs);
    writer.add("only", onlyMain ? "main" : "all");
    writer.addNumber("at", at);
    return writer.finish();
}

std::optional<StopRecord> StopRecord::parse(std::string_view text)
{
    StopRecord record;
    const bool whole = readLines(text, [&](std::string_view key, std::string_view value) {
        if (key == "signal") {
            readNumber(value, record.signal);
        } else if (key == "graceMs") {
            readNumber(value, record.graceMs);
        } else if (key == "only") {
            record.onlyMain = value == "main";
        } else if (key == "at") {
            readNumber(value, record.at);
        }
    });
    return whole ? std::optional(record) : std::nullopt;
}

const char *exitKindWord(ExitKind kind)
{
    for (const auto &[known, word] : kindWords) {
        if (known == kind) {
            return word;
        }
    }
    return "lost";
}

std::optional<ExitKind> exitKindFromWord(std::string_view word)
{
    for (const auto &[kind, known] : kindWords) {
        if (word == known) {
            return kind;
        }
    }
    return std::nullopt;
}

std::string ExitRecord::format() const
{
    RecordWriter writer;
    writer.add("kind", exitKindWord(kind));
    writer.addNumber("value", value);
    if (status >= 0) {
        writer.addNumber("status", status);
    }
    writer.addNumber("began", began);
    writer.addNumber("ended", ended);
    writer.addNumber("maxRssKiB", maxRssKiB);
    writer.addNumber("userMs", userMs);
    writer.addNumber("systemMs", systemMs);
    writer.addNumber("bytes", bytes);
    writer.addNumber("masked", masked);
    if (lost > 0) {
        writer.addNumber("lost", lost);
    }
    if (!reason.empty()) {
        writer.add("reason", reason);
    }
    if (!left.empty()) {
        writer.add("left", left);
    }
    return writer.finish();
}

std::optional<ExitRecord> ExitRecord::parse(std::string_view text)
{
    ExitRecord record;
    bool known = false;
    const bool whole = readLines(text, [&](std::string_view key, std::string_view word) {
        if (key == "kind") {
            // A word from a later contract is not a success: it stays "lost".
            record.kind = exitKindFromWord(word).value_or(ExitKind::Lost);
            known = true;
        } else if (key == "value") {
            readNumber(word, record.value);
        } else if (key == "began") {
            readNumber(word, record.began);
        } else if (key == "ended") {
            readNumber(word, record.ended);
        } else if (key == "maxRssKiB") {
            readNumber(word, record.maxRssKiB);
        } else if (key == "userMs") {
            readNumber(word, record.userMs);
        } else if (key == "systemMs") {
            readNumber(word, record.systemMs);
        } else if (key == "bytes") {
            readNumber(word, record.bytes);
        } else if (key == "status") {
            readNumber(word, record.status);
        } else if (key == "masked") {
            readNumber(word, record.masked);
        } else if (key == "lost") {
            readNumber(word, record.lost);
        } else if (key == "reason") {
            record.reason = word;
        } else if (key == "left") {
            record.left = word;
        }
    });
    return whole && known ? std::optional(record) : std::nullopt;
}

int ExitRecord::shellStatus() const
{
    switch (kind) {
    case ExitKind::Exited:
        return value;
    case ExitKind::Signaled:
        return 128 + value;
    case ExitKind::Oom:
        return status >= 0 ? status : 128 + value;
    case ExitKind::StartFailed:
    case ExitKind::Lost:
        break;
    }
    return -1;
}

std::array<char, indexRecordSize> encodeIndexRecord(const IndexRecord &record)
{
    std::array<char, indexRecordSize> bytes{};
    putLittle(bytes.data(), record.offset);
    putLittle(bytes.data() + 8, record.timeNs);
    putLittle(bytes.data() + 16, record.length);
    bytes[20] = static_cast<char>(record.stream);
    bytes[21] = static_cast<char>(record.flags);
    return bytes;
}

IndexRecord decodeIndexRecord(const char *bytes)
{
    IndexRecord record;
    record.offset = getLittle<std::uint64_t>(bytes);
    record.timeNs = getLittle<std::int64_t>(bytes + 8);
    record.length = getLittle<std::uint32_t>(bytes + 16);
    record.stream = bytes[20] == 2 ? Stream::Err : Stream::Out;
    record.flags = static_cast<std::uint8_t>(bytes[21]);
    return record;
}

std::array<char, tailHeaderSize> encodeTailHeader(const TailHeader &header)
{
    std::array<char, tailHeaderSize> bytes{};
    std::memcpy(bytes.data(), "TYTAIL1\n", 8);
    putLittle(bytes.data() + 8, header.ringSize);
    putLittle(bytes.data() + 16, header.begin);
    putLittle(bytes.data() + 24, header.total);
    return bytes;
}

std::optional<TailHeader> decodeTailHeader(std::string_view bytes)
{
    if (bytes.size() < tailHeaderSize || bytes.substr(0, 8) != "TYTAIL1\n") {
        return std::nullopt;
    }
    TailHeader header;
    header.ringSize = getLittle<std::uint64_t>(bytes.data() + 8);
    header.begin = getLittle<std::uint64_t>(bytes.data() + 16);
    header.total = getLittle<std::uint64_t>(bytes.data() + 24);
    return header.ringSize > 0 ? std::optional(header) : std::nullopt;
}

int writeWhole(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int reserveRecord(const std::string &reserve)
{
    const int fd = ::open(reserve.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) {
        return errno;
    }
    const std::string blanks(reservedBytes, ' '); // written: not every file system keeps what is only asked for
    int error = writeWhole(fd, blanks);
    if (::close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(reserve.c_str());
    }
    return error;
}

int writeOver(const std::string &reserve, const std::string &path, std::string_view bytes, bool sync)
{
    if (bytes.size() > reservedBytes) {
        return ENOSPC;
    }
    const int fd = ::open(reserve.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return errno;
    }
    struct stat info;
    int error = ::fstat(fd, &info) != 0 ? errno : S_ISREG(info.st_mode) && info.st_nlink == 1 ? 0 : EINVAL;
    if (error == 0) {
        error = writeWhole(fd, bytes);
    }
    if (error == 0 && ::ftruncate(fd, static_cast<off_t>(bytes.size())) != 0) {
        error = errno;
    }
    if (error == 0 && sync && ::fdatasync(fd) != 0) {
        error = errno;
    }
    if (::close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno;
    }
    if (error == 0 && reserve != path && ::rename(reserve.c_str(), path.c_str()) != 0) {
        error = errno;
    }
    return error;
}

int writeAtomically(const std::string &path, std::string_view bytes, bool sync)
{
    // Never two writers of one record at a time (the lock), except for `stop`: the process id keeps those apart.
    const std::string temporary = path + ".tmp" + std::to_string(::getpid());
    const auto create = [&temporary] {
        return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    };
    int fd = create();
    if (fd < 0 && errno == EEXIST) { // of a process with the same number that was killed, or a pipe of the task
        ::unlink(temporary.c_str());
        fd = create();
    }
    if (fd < 0) {
        return errno;
    }
    int error = writeWhole(fd, bytes);
    if (error == 0 && sync && ::fdatasync(fd) != 0) {
        error = errno;
    }
    if (::close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno;
    }
    if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(temporary.c_str());
    }
    return error;
}

bool isOwnProgram(const std::string &path)
{
    struct stat info = {};
    return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid()
        && (info.st_mode & S_IXUSR) != 0 && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void refreshFolder(const std::string &path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        ::close(fd);
    }
}

std::optional<std::string> readWhole(const std::string &path, std::size_t limit)
{
    // A task can put a pipe where one of its records is: a reader that waited for it would serve no other task.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return std::nullopt;
    }
    std::string text;
    char buffer[4096];
    bool good = true;
    while (good) {
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n > 0) {
            text.append(buffer, static_cast<std::size_t>(n));
            good = text.size() <= limit;
        } else if (n == 0) {
            break;
        } else if (errno != EINTR) {
            good = false;
        }
    }
    ::close(fd);
    return good ? std::optional(std::move(text)) : std::nullopt;
}

int readError(const std::string &path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return errno;
    }
    char byte = 0;
    ssize_t n = ::read(fd, &byte, 1);
    while (n < 0 && errno == EINTR) {
        n = ::read(fd, &byte, 1);
    }
    const int error = n < 0 ? errno : 0;
    ::close(fd);
    return error;
}

int makeFolders(const std::string &path, unsigned int mode)
{
    if (::mkdir(path.c_str(), mode) == 0) {
        return 0;
    }
    if (errno == EEXIST) {
        struct stat info;
        return ::stat(path.c_str(), &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    }
    const std::size_t slash = path.find_last_of('/');
    if (errno != ENOENT || slash == std::string::npos || slash == 0) {
        return errno;
    }
    const int error = makeFolders(path.substr(0, slash), mode);
    return error != 0 || ::mkdir(path.c_str(), mode) == 0 || errno == EEXIST ? error : errno;
}

std::optional<KeeperRecord> readKeeperRecord(const std::string &folder)
{
    return readRecord<KeeperRecord>(folder, file::keeper);
}

std::optional<StartedRecord> readStartedRecord(const std::string &folder)
{
    return readRecord<StartedRecord>(folder, file::started);
}

std::optional<StopRecord> readStopRecord(const std::string &folder)
{
    return readRecord<StopRecord>(folder, file::stop);
}

std::optional<ExitRecord> readExitRecord(const std::string &folder)
{
    return readRecord<ExitRecord>(folder, file::exit);
}

} // namespace trainyard::contract
