// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/bringdisk.h"

#include "engine/bring/formerfiles.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfiles.h"
#include "engine/contract/taskfolder.h"
#include "model/base/threads.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonDocument>
#include <QSet>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr QLatin1StringView bookName{"/.trainyard-files.json"};
constexpr qint64 largePart = 1 << 20; // smaller ones are soon brought again
constexpr unsigned int folderMode
    = 0777; // as of any folder that the user makes: the kernel takes away bits of its umask

tl::unexpected<Error> folderFailure(const QString &folder, int error)
{
    if (error == ENOSPC || error == EDQUOT) {
        return fail(u"results.no-room"_s, {{u"folder"_s, folder}});
    }
    return fail(u"results.folder-unwritable"_s, {{u"folder"_s, folder}, {u"reason"_s, qt_error_string(error)}});
}

tl::unexpected<Error> diskFailure(const QString &folder, const QString &path, int error)
{
    if (error == ENOSPC || error == EDQUOT) {
        return fail(u"results.no-room"_s, {{u"folder"_s, folder}});
    }
    if (error == EROFS || error == EIO || error == ESTALE) { // no other file fares better
        return folderFailure(folder, error);
    }
    return fail(u"results.not-writable"_s, {{u"path"_s, path}, {u"reason"_s, qt_error_string(error)}});
}

QString parentOf(const QString &folder, const BringFile &file)
{
    const qsizetype slash = file.path.lastIndexOf(u'/');
    return slash < 0 ? folder : QString(folder + u'/' + file.path.first(slash));
}

QString hashOf(const QString &text)
{
    constexpr qsizetype digits = 12;
    return QString::fromLatin1(
        QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256).toHex().first(digits));
}

QString partName(const BringPlace &place, const BringFile &file)
{
    return u".trainyard-"_s + hashOf(file.path) + u'-' + place.writer + u'-' + QString::number(file.bytes, 16) + u'-'
        + QString::number(quint64(file.changedNs), 16) + u'-' + hashOf(place.boot) + u".part"_s;
}

QByteArray partPath(const BringPlace &place, const BringFile &file)
{
    return QFile::encodeName(parentOf(place.folder, file) + u'/' + partName(place, file));
}

// Whether what is between the folder and the file are folders, as far as they are there: what comes must not follow a
// link to elsewhere. 0, or errno.
int errorBelow(const QString &folder, const BringFile &file)
{
    for (qsizetype slash = file.path.indexOf(u'/'); slash >= 0; slash = file.path.indexOf(u'/', slash + 1)) {
        struct stat info;
        if (::lstat(QFile::encodeName(folder + u'/' + file.path.first(slash)).constData(), &info) != 0) {
            return errno == ENOENT ? 0 : errno;
        }
        if (!S_ISDIR(info.st_mode)) {
            return S_ISLNK(info.st_mode) ? ELOOP : ENOTDIR;
        }
    }
    return 0;
}

// Whether a process that wrote it has been gone for a day at least: on a shared disk the number may be that of a
// process on another computer.
bool isForsaken(const QString &path, const QString &writer)
{
    constexpr qint64 secondsOfDay = 86400;
    const int process = writer.startsWith(u'p') ? writer.mid(1).section(u'x', 0, 0).toInt() : 0;
    return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH
        && QFileInfo(path).lastModified().secsTo(QDateTime::currentDateTime()) > secondsOfDay;
}

bool isAsBrought(const struct stat &info, const KnownFile &known)
{
    return S_ISREG(info.st_mode) && info.st_size == known.bytesHere
        && contract::changedNsOf(info) == known.changedHereNs;
}

} // namespace

QString BringPlace::bootOfThisComputer() { return QString::fromStdString(contract::currentBootId()); }

Result<qint64> bringing::beginPart(const BringPlace &place, const BringFile &file)
{
    const QString &folder = place.folder;
    const QByteArray whole = QFile::encodeName(folder);
    if (const int error = contract::makeFolders(whole.toStdString(), folderMode); error != 0) {
        return folderFailure(folder, error);
    }
    if (::access(whole.constData(), W_OK | X_OK) != 0) {
        return folderFailure(folder, errno);
    }
    const QString parent = parentOf(folder, file);
    if (const int error = errorBelow(folder, file); error != 0) {
        return diskFailure(folder, parent, error);
    }
    if (const int error = contract::makeFolders(QFile::encodeName(parent).toStdString(), folderMode); error != 0) {
        return diskFailure(folder, parent, error);
    }
    const QByteArray path = partPath(place, file);
    // For those for whom new files of this process are: the kernel takes away the bits of its umask.
    const mode_t mode = file.isExecutable ? 0777 : 0666;
    const int fd = ::open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode);
    struct stat info;
    if (fd < 0 || ::fstat(fd, &info) != 0) {
        const int error = errno;
        if (fd >= 0) {
            ::close(fd);
        }
        return diskFailure(folder, QFile::decodeName(path), error);
    }
    qint64 there = info.st_size;
    if (there > file.bytes) {
        there = ::ftruncate(fd, 0) == 0 ? 0 : there;
    }
    ::close(fd);
    return there;
}

Result<void> bringing::addToPart(const BringPlace &place, const BringFile &file, qint64 offset, const QByteArray &bytes)
{
    const QByteArray path = partPath(place, file);
    const int fd = ::open(path.constData(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int error = fd < 0 ? errno : 0;
    for (qsizetype done = 0; error == 0 && done < bytes.size();) {
        const ssize_t n
            = ::pwrite(fd, bytes.constData() + done, std::size_t(bytes.size() - done), off_t(offset + done));
        if (n < 0 && errno != EINTR) {
            error = errno;
        }
        done += std::max<ssize_t>(n, 0);
    }
    if (fd >= 0 && ::close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno; // a file server tells it here
    }
    return error == 0 ? Result<void>() : diskFailure(place.folder, place.folder + u'/' + file.path, error);
}

void bringing::dropPart(const BringPlace &place, const BringFile &file) { ::unlink(partPath(place, file).constData()); }

void bringing::tidyParts(const BringPlace &place, const QList<BringFile> &files)
{
    QHash<QString, QSet<QString>> wanted; // names of parts, by folder
    QSet<QString> elsewhere;
    for (const BringFile &file : files) {
        const QString parent = parentOf(place.folder, file);
        if (!wanted.contains(parent) && (elsewhere.contains(parent) || errorBelow(place.folder, file) != 0)) {
            elsewhere.insert(parent);
            continue;
        }
        wanted[parent].insert(partName(place, file));
    }
    for (auto it = wanted.cbegin(); it != wanted.cend(); ++it) {
        const QStringList names = QDir(it.key()).entryList(
            {u".trainyard-*.part"_s}, QDir::Files | QDir::Hidden | QDir::NoSymLinks, QDir::Unsorted);
        for (const QString &name : names) {
            const QString writer = name.section(u'-', 2, 2);
            const QString path = it.key() + u'/' + name;
            if (writer == place.writer ? !it->contains(name) : isForsaken(path, writer)) {
                QFile::remove(path);
            }
        }
    }
}

Result<bringing::Placed> bringing::placePart(
    const BringPlace &place, const BringFile &file, qint64 order, const std::optional<KnownFile> &former)
{
    const QString &folder = place.folder;
    const QByteArray part = partPath(place, file);
    const auto failed = [&](int error) { return diskFailure(folder, folder + u'/' + file.path, error); };
    if (const int error = errorBelow(folder, file); error != 0) {
        return failed(error);
    }
    const int fd = ::open(part.constData(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info;
    if (fd < 0) {
        return failed(errno);
    }
    const auto times = contract::timesOfChange(file.changedNs);
    const bool isSafe = file.bytes < largePart || ::fdatasync(fd) == 0;
    const bool isGood = isSafe && ::futimens(fd, times.data()) == 0 && ::fstat(fd, &info) == 0;
    const int error = errno;
    ::close(fd);
    if (!isGood) {
        return failed(error);
    }
    if (info.st_size != file.bytes) {
        ::unlink(part.constData());
        return fail(u"results.changes"_s, {{u"path"_s, file.path}}); // another program wrote to it
    }
    Placed placed{{file.bytes, file.changedNs, order, former ? former->name : file.path, info.st_size,
        contract::changedNsOf(info), place.host, former ? former->kept : QStringList()}};
    const auto pathOf = [&folder](const QString &name) { return QFile::encodeName(folder + u'/' + name); };
    struct stat there;
    const QByteArray path = pathOf(placed.known.name);
    if (::lstat(path.constData(), &there) == 0) {
        if (former && isAsBrought(there, *former)) {
            const bool isOfOther = !former->host.isEmpty() && !place.host.isEmpty() && former->host != place.host;
            if (isOfOther && !isContinuedBy(path, part)) { // what only that host had would be lost
                const Kept kept = keepFormer(folder, file.path, *former);
                if (kept.error != 0) {
                    return failed(kept.error);
                }
                placed.known.kept.removeAll(kept.name);
                placed.known.kept.append(kept.name);
            }
            return ::rename(part.constData(), path.constData()) == 0 ? Result<Placed>(placed) : failed(errno);
        }
        if (isAsBrought(there, placed.known)) { // brought before, by another way
            ::unlink(part.constData());
            return placed;
        }
    }
    int moved = moveToFreeName(part, path);
    constexpr int most = 10000;
    for (int number = 2; moved == EEXIST && number < most; ++number) {
        placed.isBeside = true;
        placed.known.name = numberedName(file.path, number);
        const QByteArray beside = pathOf(placed.known.name);
        struct stat other;
        if (::lstat(beside.constData(), &other) == 0 && isAsBrought(other, placed.known)) {
            ::unlink(part.constData());
            return placed;
        }
        moved = moveToFreeName(part, beside);
    }
    return moved == 0 ? Result<Placed>(placed) : failed(moved);
}

QString bringing::bookFile(const QString &folder) { return folder + bookName; }

BringBook bringing::readBook(const QString &folder)
{
    constexpr std::size_t longest = 64 << 20;
    const std::optional<std::string> text
        = contract::readWhole(QFile::encodeName(bookFile(folder)).toStdString(), longest);
    BringBook book
        = text ? bookFromJson(QJsonDocument::fromJson(QByteArray::fromStdString(*text)).object()) : BringBook();
    for (KnownFile &known : book) { // what the user has removed since is not told of
        known.kept.removeIf([&folder](const QString &name) {
            struct stat here;
            return ::lstat(QFile::encodeName(folder + u'/' + name).constData(), &here) != 0;
        });
    }
    return book;
}

// One that cannot be written costs another look at its files.
void bringing::writeBook(const QString &folder, const BringBook &book)
{
    static_cast<void>(contract::writeAtomically(QFile::encodeName(bookFile(folder)).toStdString(),
        QJsonDocument(toJson(book)).toJson(QJsonDocument::Compact).toStdString(), false));
}

void bringing::addFound(const QString &folder, const QList<BringFile> &files, BringBook &book)
{
    for (const BringFile &file : files) {
        struct stat here;
        const bool isKnown = book.contains(file.path) || !contract::isPlainFilePath(file.path.toStdString());
        if (isKnown || ::lstat(QFile::encodeName(folder + u'/' + file.path).constData(), &here) != 0) {
            continue;
        }
        const KnownFile known{file.bytes, file.changedNs, 0, file.path, file.bytes, file.changedNs};
        if (isAsBrought(here, known)) {
            book.insert(file.path, known);
        }
    }
}

void bringing::dropMissing(const QString &folder, BringBook &book)
{
    book.removeIf([&folder](const BringBook::iterator &each) {
        struct stat here;
        return ::lstat(QFile::encodeName(folder + u'/' + each->name).constData(), &here) != 0;
    });
}

void bringing::hideFromGit(const QString &folder)
{
    if (contract::makeFolders(QFile::encodeName(folder).toStdString(), folderMode) != 0) {
        return; // which is told of its files
    }
    const QByteArray path = QFile::encodeName(folder + u"/.gitignore"_s);
    const int fd = ::open(path.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0) {
        static_cast<void>(!::write(fd, "*\n", 2));
        ::close(fd);
    }
}

BringDisk::BringDisk() { m_thread.setMaxThreadCount(1); }

BringDisk::~BringDisk() { m_thread.waitForDone(); }

void BringDisk::run(QObject *context, std::function<std::function<void()>()> work)
{
    threads::runOnPool(
        [this, guard = QPointer<QObject>(context), work = std::move(work)] {
            std::function<void()> result = work();
            threads::callLater(this, [guard, result = std::move(result)] { // the guard is read on this thread only
                if (guard) {
                    result();
                }
            });
        },
        &m_thread);
}

} // namespace trainyard
