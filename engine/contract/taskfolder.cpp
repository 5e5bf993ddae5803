// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <utility>

namespace trainyard::contract
{
namespace
{

constexpr char lackMark = 'F'; // as the first character of what is reserved; blank otherwise

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
    for (const int gpu : gpus) {
        writer.addNumber("gpu", gpu);
    }
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
        } else if (key == "gpu") {
            int number = -1;
            readNumber(value, number);
            if (number >= 0) {
                record.gpus.push_back(number);
            }
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
    if (asked > 0) {
        writer.addNumber("asked", asked);
    }
    if (isOwn) {
        writer.addNumber("own", 1);
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
        } else if (key == "asked") {
            readNumber(word, record.asked);
        } else if (key == "own") {
            record.isOwn = word == "1";
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

void markLackOfRoom(const std::string &reserve, bool lacksRoom)
{
    const int fd = ::open(reserve.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info;
    if (fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1) {
        const char mark = lacksRoom ? lackMark : ' ';
        (void)!::pwrite(fd, &mark, 1, 0); // a hint, which is as good as nothing where it cannot be given
    }
    if (fd >= 0) {
        ::close(fd);
    }
}

bool lacksRoom(const std::string &folder)
{
    const std::string path = folder + '/' + file::reserve;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char first = 0;
    const bool isRead = fd >= 0 && ::read(fd, &first, 1) == 1;
    if (fd >= 0) {
        ::close(fd);
    }
    return isRead && first == lackMark;
}

} // namespace trainyard::contract
