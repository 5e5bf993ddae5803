// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/logmirrors.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/writeout.h"
#include "engine/series/file.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// Only these files are copied, since the name comes from another computer.
constexpr std::array mirrored{contract::file::output, contract::file::index, contract::file::runtime,
    contract::file::tail, contract::file::figures, contract::file::environment, contract::file::metrics,
    contract::file::metricBook};

quint64 sizeOf(const QString &folder, const char *name)
{
    return quint64(qMax<qint64>(0, QFileInfo(folder + u'/' + QLatin1StringView(name)).size()));
}

// 0: there is no copy of it yet.
quint64 generationOf(const QString &folder, const char *name)
{
    QFile file(folder + u'/' + QLatin1StringView(name));
    return file.open(QIODevice::ReadOnly) ? series::generationOf(file.handle()) : 0;
}

// 0, or what went wrong (errno).
int writeAt(const QString &path, quint64 offset, const std::string &bytes)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return errno;
    }
    // An agent goes on where the copy ends. One that does not could make a file here that seems to be of any size.
    struct stat info {
    };
    const bool isNext = ::fstat(fd, &info) == 0 && offset <= quint64(info.st_size);
    int error = isNext ? 0 : EINVAL;
    std::size_t written = 0;
    while (error == 0 && written < bytes.size()) {
        const ssize_t n = ::pwrite(fd, bytes.data() + written, bytes.size() - written, off_t(offset + written));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            error = n < 0 ? errno : EIO;
            break;
        }
        written += std::size_t(n);
    }
    contract::beginWriteOut(fd, offset, offset + written);
    ::close(fd);
    return error;
}

// Where a file is collected that takes the place of another one.
QString besideOf(const QString &path) { return path + ".next"_L1; }

int writeChunk(const QString &path, const contract::Chunk &chunk)
{
    if (chunk.replaces == 0) {
        return writeAt(path, chunk.offset, chunk.bytes);
    }
    const QString beside = besideOf(path);
    if (chunk.offset == 0) {
        QFile::remove(beside); // of an earlier time
    }
    const int error = writeAt(beside, chunk.offset, chunk.bytes);
    if (error != 0 || chunk.offset + chunk.bytes.size() < chunk.replaces) {
        return error;
    }
    const series::Error failed = series::replaceFile(pathBytes(beside), pathBytes(path));
    return failed.fault == series::Fault::None ? 0 : failed.number != 0 ? failed.number : EIO;
}

} // namespace

LogMirrors::LogMirrors(AgentConnection *connection, const QString &bookFolder, QObject *parent)
    : QObject(parent), m_connection(connection), m_book(bookFolder)
{
    m_lateTimer.setSingleShot(true);
    connect(&m_lateTimer, &QTimer::timeout, this, &LogMirrors::writeLateNotes);
    QDir().mkpath(m_book);
    const QStringList names = QDir(m_book).entryList(QDir::Files);
    for (const QString &name : names) {
        const QUuid uuid = QUuid::fromString(name);
        QFile file(m_book + u'/' + name);
        if (uuid.isNull() || !file.open(QIODevice::ReadOnly)) {
            continue;
        }
        const QJsonObject entry = QJsonDocument::fromJson(file.readAll()).object();
        const QString remote = entry.value(u"remote").toString();
        const QString local = entry.value(u"local").toString();
        if (remote.isEmpty() || !QFileInfo(local).isDir()) {
            file.remove(); // its job was removed meanwhile
            continue;
        }
        m_mirrors.insert(uuid, {remote, local});
    }
}

void LogMirrors::add(const QUuid &tryUuid, const QString &remoteFolder, const QString &localFolder)
{
    if (m_mirrors.contains(tryUuid)) {
        resume(tryUuid);
        return;
    }
    if (QFileInfo::exists(localFolder + u'/' + QLatin1StringView(contract::file::exit))) {
        return; // complete already
    }
    QDir().mkpath(localFolder);
    const QJsonObject entry{{u"remote"_s, remoteFolder}, {u"local"_s, localFolder}};
    writeNote(tryUuid.toString(QUuid::WithoutBraces), QJsonDocument(entry).toJson(QJsonDocument::Compact));
    m_mirrors.insert(tryUuid, {remoteFolder, localFolder});
    resume(tryUuid);
}

bool LogMirrors::isCopying() const
{
    return m_connection->isOnline() && std::any_of(m_mirrors.cbegin(), m_mirrors.cend(), [this](const Mirror &each) {
        return !each.rests && !each.waits && each.moved.isValid() && !each.moved.hasExpired(m_pauses.quiet.count());
    });
}

void LogMirrors::resumeAll()
{
    const QList<QUuid> all = m_mirrors.keys();
    for (const QUuid &uuid : all) {
        m_mirrors[uuid].pause = {}; // another agent may fare better
        m_mirrors[uuid].rests = false;
        resume(uuid);
    }
    QStringList notes = QDir(m_book).entryList({u"removal-*"_s}, QDir::Files);
    notes += m_lateNotes.keys();
    for (const QString &name : std::as_const(notes)) {
        if (name.startsWith("removal-"_L1)) {
            sendRemoval(name);
        }
    }
}

void LogMirrors::removeRemote(const QString &belowState)
{
    const QString name = u"removal-"_s
        + QString::fromLatin1(QCryptographicHash::hash(belowState.toUtf8(), QCryptographicHash::Sha1).toHex());
    writeNote(name, belowState.toUtf8());
    sendRemoval(name);
}

void LogMirrors::writeNote(const QString &name, const QByteArray &text)
{
    const bool isRemoval = name.startsWith("removal-"_L1); // no client asks for one again
    if (contract::writeAtomically(pathBytes(m_book + u'/' + name), text.toStdString(), isRemoval) == 0) {
        return;
    }
    m_lateNotes.insert(name, text);
    if (!m_lateTimer.isActive()) {
        m_latePause = longer(m_latePause);
        m_lateTimer.start(m_latePause);
    }
}

void LogMirrors::writeLateNotes()
{
    const QHash<QString, QByteArray> notes = std::exchange(m_lateNotes, {});
    for (auto it = notes.cbegin(); it != notes.cend(); ++it) {
        writeNote(it.key(), it.value());
    }
    m_latePause = m_lateNotes.isEmpty() ? std::chrono::milliseconds(0) : m_latePause;
}

void LogMirrors::dropNote(const QString &name)
{
    m_lateNotes.remove(name);
    QFile::remove(m_book + u'/' + name);
}

void LogMirrors::sendRemoval(const QString &name)
{
    QFile file(m_book + u'/' + name);
    const bool isLate = m_lateNotes.contains(name);
    if (!m_connection->isOnline() || m_removals.value(name).isAsked || (!isLate && !file.open(QIODevice::ReadOnly))) {
        return;
    }
    std::string folder = (isLate ? m_lateNotes.value(name) : file.readAll()).toStdString();
    if (folder.empty()) { // lost in a power cut: it would name all that is there
        dropNote(name);
        return;
    }
    m_removals[name].isAsked = true;
    if (!folder.starts_with('/')) { // an older engine wrote the whole path down
        folder = m_connection->hello().stateFolder + '/' + folder;
    }
    m_connection->request(contract::Remove{folder}, [this, name](const contract::Message &answer) {
        const auto *failure = std::get_if<contract::Failure>(&answer);
        Removal &removal = m_removals[name];
        if (failure && failure->code == "host.gone") {
            removal.isAsked = false; // resumeAll() asks again
        } else if (failure && failure->systemError != EPERM) {
            removal.pause = longer(removal.pause);
            QTimer::singleShot(removal.pause, this, [this, name] {
                m_removals[name].isAsked = false;
                sendRemoval(name);
            });
        } else {
            m_removals.remove(name);
            dropNote(name); // done, or no folder of ours
        }
    });
}

void LogMirrors::resume(const QUuid &tryUuid)
{
    const auto it = m_mirrors.find(tryUuid);
    if (it == m_mirrors.end() || it->follow != 0 || it->rests || it->waits) {
        return;
    }
    contract::Follow follow;
    follow.isShared = m_isShared;
    follow.dir = it->remote.toStdString();
    follow.output = sizeOf(it->local, contract::file::output);
    follow.index = sizeOf(it->local, contract::file::index);
    follow.runtime = sizeOf(it->local, contract::file::runtime);
    follow.figures = sizeOf(it->local, contract::file::figures);
    follow.figuresGeneration = generationOf(it->local, contract::file::figures);
    follow.environment = sizeOf(it->local, contract::file::environment);
    follow.metrics = sizeOf(it->local, contract::file::metrics);
    follow.metricsGeneration = generationOf(it->local, contract::file::metrics);
    follow.metricBook = sizeOf(it->local, contract::file::metricBook);
    it->moved.start();
    // The index ends with half a record, which is copied again as a whole.
    follow.index -= follow.index % contract::indexRecordSize;
    it->follow = m_connection->follow(follow,
        {[this, tryUuid](const contract::Chunk &chunk) { write(tryUuid, chunk); },
            [this, tryUuid](const contract::Failure &why) {
                const auto mirror = m_mirrors.find(tryUuid);
                if (mirror == m_mirrors.end()) {
                    return;
                }
                mirror->follow = 0;
                const bool isNotThere = why.code == "follow.unknown" && why.systemError == ENOENT;
                if (isNotThere || (why.code == "follow.away" && isAwayForLong(*mirror))) {
                    done(tryUuid); // nothing of it is left there
                } else if (why.code != "host.gone") {
                    restAndResume(tryUuid);
                }
            }});
}

void LogMirrors::write(const QUuid &tryUuid, const contract::Chunk &chunk)
{
    const auto it = m_mirrors.find(tryUuid);
    if (it == m_mirrors.end()) {
        return;
    }
    if (!chunk.bytes.empty()) {
        const auto name = std::find(mirrored.begin(), mirrored.end(), std::string_view(chunk.file));
        int error = name == mirrored.end() ? EINVAL : hasRoom(*it, qint64(chunk.bytes.size())) ? 0 : ENOSPC;
        error = error != 0 ? error : writeChunk(it->local + u'/' + QLatin1StringView(*name), chunk);
        if (error != 0) {
            // The disk is full or the folder is gone: the copy goes on later from where it stopped.
            m_connection->cancelFollow(it->follow);
            it->follow = 0;
            waitForRoom(tryUuid);
        }
        setLacksRoom(tryUuid, error == ENOSPC || error == EDQUOT);
        if (error != 0) {
            return;
        }
    }
    if (!chunk.bytes.empty()) {
        it->pause = {};
        it->moved.start();
        it->away.reset();
        Q_EMIT moved(tryUuid);
    }
    if (!chunk.bytes.empty() && chunk.file == contract::file::output) {
        Q_EMIT grew(tryUuid, chunk.offset + chunk.bytes.size());
    } else if (!chunk.bytes.empty() && chunk.file == contract::file::runtime) {
        Q_EMIT grew(tryUuid, sizeOf(it->local, contract::file::output)); // may tell more than its output
    }
    if (chunk.end) {
        it->follow = 0;
        finish(tryUuid);
    }
}

void LogMirrors::finish(const QUuid &tryUuid)
{
    // The values to hide in the rest of its metrics are not known here, so metrics that are read now are not copied.
    const contract::Observe observe{m_mirrors.value(tryUuid).remote.toStdString(), {}, true};
    m_connection->request(observe, [this, tryUuid](const contract::Message &answer) {
        const auto it = m_mirrors.constFind(tryUuid);
        const auto *observed = std::get_if<contract::Observed>(&answer);
        if (it == m_mirrors.cend()) {
            return;
        }
        if (!observed) {
            const auto *failure = std::get_if<contract::Failure>(&answer);
            if (!failure || failure->code != "host.gone") {
                restAndResume(tryUuid); // else resumeAll() follows it again, from its end
            }
            return;
        }
        const std::string folder = pathBytes(it->local);
        int error = 0;
        if (observed->started) {
            error
                = contract::writeAtomically(folder + '/' + contract::file::started, observed->started->format(), false);
        }
        if (observed->exit && error == 0) {
            error = contract::writeAtomically(folder + '/' + contract::file::exit, observed->exit->format(), false);
        }
        const bool isKnown = observed->exit || observed->state == "absent";
        if (!isKnown || (error != 0 && QFileInfo(it->local).isDir())) {
            restAndResume(tryUuid); // without it the log would never be whole
        } else {
            done(tryUuid);
        }
    });
}

std::chrono::milliseconds LogMirrors::longer(std::chrono::milliseconds pause) const
{
    return pause.count() == 0 ? m_pauses.first : std::min(2 * pause, m_pauses.last);
}

bool LogMirrors::isAwayForLong(Mirror &mirror) const
{
    const qint64 pauseMs = std::max(mirror.pause, m_pauses.first).count();
    return mirror.away.say(QDeadlineTimer::current().deadline(), pauseMs) >= m_pauses.away.count();
}

// The agent has answered that it could not go on, which may pass: a file server that was away for a moment.
void LogMirrors::restAndResume(const QUuid &tryUuid)
{
    Mirror &mirror = m_mirrors[tryUuid];
    mirror.pause = longer(mirror.pause);
    mirror.rests = true;
    QTimer::singleShot(mirror.pause, this, [this, tryUuid] {
        if (const auto it = m_mirrors.find(tryUuid); it != m_mirrors.end()) {
            it->rests = false;
            resume(tryUuid);
        }
    });
}

bool LogMirrors::hasRoom(const Mirror &mirror, qint64 bytes) const
{
    return leavesCopyReserve(mirror.local, bytes, m_reserve, mirror.lacksRoom);
}

void LogMirrors::setLacksRoom(const QUuid &tryUuid, bool lacks)
{
    const auto it = m_mirrors.find(tryUuid);
    if (it != m_mirrors.end() && std::exchange(it->lacksRoom, lacks) != lacks) {
        Q_EMIT roomChanged(tryUuid);
    }
}

// Nothing is asked of the host meanwhile: all of it stays there.
void LogMirrors::waitForRoom(const QUuid &tryUuid)
{
    Mirror &mirror = m_mirrors[tryUuid];
    if (std::exchange(mirror.waits, true)) {
        return;
    }
    QTimer::singleShot(m_pauses.full, this, [this, tryUuid] {
        const auto it = m_mirrors.find(tryUuid);
        if (it == m_mirrors.end()) {
            return;
        }
        it->waits = false;
        if (!QFileInfo(it->local).isDir()) {
            done(tryUuid);
        } else if (!hasRoom(*it, 0)) {
            waitForRoom(tryUuid);
        } else {
            resume(tryUuid);
        }
    });
}

void LogMirrors::done(const QUuid &tryUuid)
{
    setLacksRoom(tryUuid, false);
    for (const char *name : {contract::file::figures, contract::file::metrics}) {
        QFile::remove(besideOf(m_mirrors.value(tryUuid).local + u'/' + QLatin1StringView(name))); // no more of it comes
    }
    m_mirrors.remove(tryUuid);
    dropNote(tryUuid.toString(QUuid::WithoutBraces));
    Q_EMIT completed(tryUuid);
}

} // namespace trainyard
