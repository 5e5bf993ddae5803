// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/logreader.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard
{
namespace
{

constexpr qint64 recordSize = static_cast<qint64>(contract::indexRecordSize);
constexpr quint64 restPiece = 1u << 30; // the length of a record has 32 bits

int openFile(const QString &folder, const char *name)
{
    if (folder.isEmpty()) {
        return -1;
    }
    const QByteArray path = QFile::encodeName(folder) + '/' + name;
    return ::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

enum class NextTry { None, Waits, Begun };

// Whether the task of this try begins again: by another try, or in the next attempt of the job (RunFolders::ofTry()).
NextTry nextTryOf(const QString &folder)
{
    const QFileInfo own(folder), task(own.path()), attempt(task.path());
    bool isTry = false, isAttempt = false;
    const int number = own.fileName().toInt(&isTry), ofAttempt = attempt.fileName().toInt(&isAttempt);
    if (!isTry || !isAttempt) {
        return NextTry::None;
    }
    const QString again = own.path() + u'/' + QString::number(number + 1);
    const QString anew
        = attempt.path() + u'/' + QString::number(ofAttempt + 1) + u'/' + task.fileName() + QStringLiteral("/0");
    NextTry next = NextTry::None;
    for (const QString &each : {again, anew}) {
        for (const char *record : {contract::file::started, contract::file::exit}) {
            if (QFileInfo::exists(each + u'/' + QLatin1StringView(record))) {
                return NextTry::Begun;
            }
        }
        next = QFileInfo::exists(each) ? NextTry::Waits : next;
    }
    return next;
}

qint64 sizeOf(int fd)
{
    struct stat info {
    };
    return fd >= 0 && ::fstat(fd, &info) == 0 ? static_cast<qint64>(info.st_size) : 0;
}

QByteArray readAt(int fd, qint64 offset, qint64 length)
{
    if (fd < 0 || offset < 0 || length <= 0) {
        return {};
    }
    // Never more than there is: a caller may ask for "everything" of a small file.
    length = std::min(length, sizeOf(fd) - offset);
    if (length <= 0) {
        return {};
    }
    QByteArray bytes(length, Qt::Uninitialized);
    qint64 done = 0;
    while (done < length) {
        const ssize_t n = ::pread(fd, bytes.data() + done, static_cast<std::size_t>(length - done), offset + done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            break; // shrunk or unreadable: what was there counts
        }
        done += n;
    }
    bytes.truncate(done);
    return bytes;
}

} // namespace

LogReader::LogReader(const QString &folder) : m_folder(folder) { }

LogReader::~LogReader() { close(); }

void LogReader::close()
{
    if (m_log >= 0) {
        ::close(std::exchange(m_log, -1));
    }
    if (m_index >= 0) {
        ::close(std::exchange(m_index, -1));
    }
    if (m_tail >= 0) {
        ::close(std::exchange(m_tail, -1));
    }
    if (m_runtime >= 0) {
        ::close(std::exchange(m_runtime, -1));
    }
}

bool LogReader::openFiles()
{
    if (m_log < 0) {
        m_log = openFile(m_folder, contract::file::output);
    }
    if (m_index < 0) {
        m_index = openFile(m_folder, contract::file::index);
    }
    return m_log >= 0;
}

std::optional<LogReader::Tail> LogReader::tail()
{
    if (m_tail < 0) {
        m_tail = openFile(m_folder, contract::file::tail);
    }
    const QByteArray bytes = readAt(m_tail, 0, contract::tailHeaderSize);
    const auto header = contract::decodeTailHeader({bytes.constData(), std::size_t(bytes.size())});
    if (!header || header->ringSize == 0) {
        return std::nullopt;
    }
    Tail ring;
    ring.ringSize = qint64(header->ringSize);
    ring.begin = qint64(header->begin);
    ring.end = ring.begin + qint64(header->total);
    ring.kept = std::max(ring.begin, ring.end - ring.ringSize);
    return ring;
}

qint64 LogReader::size()
{
    openFiles();
    const std::optional<Tail> ring = tail();
    return ring ? std::max(ring->end, sizeOf(m_log)) : sizeOf(m_log);
}

qint64 LogReader::keptFrom(qint64 offset)
{
    const Gap gone = gap();
    return gone.contains(offset) ? gone.to : offset;
}

LogReader::Gap LogReader::gap()
{
    const std::optional<Tail> ring = tail();
    return ring ? Gap{ring->begin, ring->kept} : Gap{};
}

QByteArray LogReader::read(qint64 offset, qint64 length)
{
    QByteArray bytes = readPiece(offset, length);
    while (!bytes.isEmpty() && bytes.size() < length) {
        const QByteArray more = readPiece(offset + bytes.size(), length - bytes.size());
        if (more.isEmpty()) {
            break;
        }
        bytes += more;
    }
    return bytes;
}

QByteArray LogReader::readPiece(qint64 offset, qint64 length)
{
    openFiles();
    const std::optional<Tail> ring = tail();
    if (!ring || offset < ring->begin) {
        return readAt(m_log, offset, ring ? std::min(length, ring->begin - offset) : length);
    }
    if (offset < ring->kept || offset >= ring->end || length <= 0) {
        return {};
    }
    const qint64 at = (offset - ring->begin) % ring->ringSize;
    const qint64 wanted = std::min({length, ring->end - offset, ring->ringSize - at});
    const QByteArray bytes = readAt(m_tail, qint64(contract::tailHeaderSize) + at, wanted);
    // The ring is written meanwhile, so its header must still be valid afterwards.
    const std::optional<Tail> after = tail();
    return after && after->kept <= offset ? bytes : QByteArray();
}

qint64 LogReader::recordCount()
{
    openFiles();
    const qint64 written = sizeOf(m_index) / recordSize; // a record half written does not count yet
    const std::optional<Rest> left = rest();
    return left ? left->firstRecord + qint64((left->length + restPiece - 1) / restPiece) : written;
}

std::optional<LogReader::Rest> LogReader::rest()
{
    const qint64 written = sizeOf(m_index) / recordSize;
    const QByteArray bytes = readAt(m_index, (written - 1) * recordSize, recordSize);
    if (bytes.size() < recordSize) {
        return std::nullopt; // without an index there are no times at all
    }
    const contract::IndexRecord last = contract::decodeIndexRecord(bytes.constData());
    const quint64 end = last.offset + last.length;
    const quint64 all = quint64(size());
    if (all <= end || !isComplete()) {
        return std::nullopt;
    }
    return Rest{written, end, all - end, last.timeNs};
}

std::optional<LogReader::Record> LogReader::record(qint64 index)
{
    const QList<Record> one = records(index, 1);
    return one.isEmpty() ? std::nullopt : std::optional(one.constFirst());
}

QList<LogReader::Record> LogReader::records(qint64 first, qint64 count)
{
    openFiles();
    const QByteArray bytes
        = first < 0 || count <= 0 ? QByteArray() : readAt(m_index, first * recordSize, count * recordSize);
    QList<Record> list;
    list.reserve(bytes.size() / recordSize);
    for (qsizetype at = 0; at + recordSize <= bytes.size(); at += recordSize) {
        const contract::IndexRecord record = contract::decodeIndexRecord(bytes.constData() + at);
        list.append({record.offset, record.timeNs, record.length,
            record.stream == contract::Stream::Err ? Stream::Err : Stream::Out, record.flags});
    }
    const std::optional<Rest> left = list.size() < count && first >= 0 ? rest() : std::nullopt;
    for (qint64 at = first + list.size(); left && at >= left->firstRecord && list.size() < count; ++at) {
        const quint64 begin = quint64(at - left->firstRecord) * restPiece;
        if (begin >= left->length) {
            break;
        }
        list.append(
            {left->begin + begin, left->timeNs, quint32(std::min(restPiece, left->length - begin)), Stream::Out, 0});
    }
    return list;
}

qint64 LogReader::recordIndexAt(quint64 offset)
{
    qint64 low = 0;
    qint64 high = recordCount();
    while (low < high) { // the first record that ends behind the byte
        const qint64 middle = low + (high - low) / 2;
        const std::optional<Record> at = record(middle);
        if (!at) {
            return -1;
        }
        if (at->offset + at->length <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const std::optional<Record> found = record(low);
    return found && found->offset <= offset && offset < found->offset + found->length ? low : -1;
}

// The lead of an allocation writes that it has lost a task when the cluster no longer reaches its node. The task may go
// on there, and its helper replaces that record with the true end. What it prints belongs to the job until the task
// begins again; where it does not, or waits for long, a silence is the end.
bool LogReader::isComplete()
{
    constexpr qint64 quietMs = 30'000, quietBeforeNextMs = 600'000;
    const auto record = m_folder.isEmpty() ? std::nullopt : contract::readExitRecord(pathBytes(m_folder));
    if (!record || record->kind != contract::ExitKind::Lost || !record->reason.starts_with("cluster.step-lost")) {
        return record.has_value();
    }
    const QFileInfo output(m_folder + u'/' + QLatin1StringView(contract::file::output));
    const qint64 written = output.exists() ? output.lastModified().toMSecsSinceEpoch() : 0;
    const NextTry next = nextTryOf(m_folder);
    return next == NextTry::Begun
        || QDateTime::currentMSecsSinceEpoch() - std::max<qint64>(written, record->ended)
        >= (next == NextTry::Waits ? quietBeforeNextMs : quietMs);
}

qint64 LogReader::runtimeSize()
{
    if (m_runtime < 0) {
        m_runtime = openFile(m_folder, contract::file::runtime);
    }
    return sizeOf(m_runtime);
}

QByteArray LogReader::readRuntime(qint64 offset, qint64 length)
{
    return runtimeSize() > offset ? readAt(m_runtime, offset, length) : QByteArray();
}

} // namespace trainyard
