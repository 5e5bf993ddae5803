// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/wholefile.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trainyard
{

namespace
{

void keepOwner(const QSaveFile &file)
{
    struct stat before = {}, now = {};
    if (::stat(QFile::encodeName(file.fileName()).constData(), &before) != 0 || ::fstat(file.handle(), &now) != 0
        || (before.st_uid == now.st_uid && before.st_gid == now.st_gid)) {
        return;
    }
    if (::fchown(file.handle(), before.st_uid, before.st_gid) != 0
        && ::fchown(file.handle(), static_cast<uid_t>(-1), before.st_gid) != 0) {
        return; // another user's file in a folder of one's own
    }
    ::fchmod(file.handle(), now.st_mode & 07777); // a new owner takes some bits away
}

constexpr const char *accessLists[] = {"system.posix_acl_access", "system.nfs4_acl"};

std::optional<QByteArray> attributeOf(const QByteArray &path, const char *name)
{
    const ssize_t size = ::getxattr(path.constData(), name, nullptr, 0);
    if (size < 0) {
        return std::nullopt;
    }
    QByteArray value(size, Qt::Uninitialized);
    return ::getxattr(path.constData(), name, value.data(), size_t(size)) == size ? std::optional(value) : std::nullopt;
}

QByteArrayList attributesOf(const QByteArray &path)
{
    const ssize_t size = ::listxattr(path.constData(), nullptr, 0);
    QByteArray names(std::max<ssize_t>(size, 0), Qt::Uninitialized);
    if (size <= 0 || ::listxattr(path.constData(), names.data(), size_t(size)) != size) {
        return {};
    }
    QByteArrayList all = names.split('\0');
    all.removeAll(QByteArray());
    return all;
}

void keepAttributes(const QSaveFile &file)
{
    const QByteArray path = QFile::encodeName(file.fileName());
    struct stat before = {};
    if (::stat(path.constData(), &before) != 0) {
        return; // a new file: its folder says who may use it
    }
    for (const char *list : accessLists) {
        if (const std::optional<QByteArray> value = attributeOf(path, list)) {
            ::fsetxattr(file.handle(), list, value->constData(), size_t(value->size()), 0);
        } else {
            ::fremovexattr(file.handle(), list); // the folder gives one to new files
        }
    }
    const QByteArrayList names = attributesOf(path);
    for (const QByteArray &name : names) {
        if (const std::optional<QByteArray> value
            = name.startsWith("user.") ? attributeOf(path, name.constData()) : std::nullopt) {
            ::fsetxattr(file.handle(), name.constData(), value->constData(), size_t(value->size()), 0);
        }
    }
}

// Waits until the bytes are on the disk. Some file systems find out only now that there is no room. Those that cannot
// sync return EINVAL and need no sync.
std::optional<QString> synced(int handle)
{
    if (::fsync(handle) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS) {
        return std::nullopt;
    }
    return QString::fromLocal8Bit(std::strerror(errno));
}

} // namespace

bool isWriteProtected(const QString &path)
{
    constexpr QFileDevice::Permissions writable
        = QFileDevice::WriteOwner | QFileDevice::WriteGroup | QFileDevice::WriteOther;
    const QFileInfo info(path);
    return info.exists() && !(info.permissions() & writable);
}

std::optional<QString> commitWhole(QSaveFile &file)
{
    const auto giveUp = [&file](const QString &why) {
        file.cancelWriting();
        file.commit(); // releases the new file
        return std::optional(why);
    };
    if (file.error() != QFileDevice::NoError || !file.flush()) {
        return giveUp(file.errorString());
    }
    keepOwner(file);
    keepAttributes(file);
    if (const std::optional<QString> why = synced(file.handle())) {
        return giveUp(*why);
    }
    return file.commit() ? std::nullopt : std::optional(file.errorString());
}

bool writeAll(QFileDevice &file, const QByteArray &bytes)
{
    // When the bytes do not fit, write() first returns a smaller number, and the reason only when it is called again.
    qint64 at = 0;
    for (qint64 n = 1; at < bytes.size() && n > 0; at += qMax<qint64>(0, n)) {
        n = file.write(bytes.constData() + at, bytes.size() - at);
    }
    return at == bytes.size();
}

std::optional<QString> writeWhole(QSaveFile &file, const QByteArray &bytes)
{
    if (!writeAll(file, bytes)) {
        return file.errorString(); // ending it without a commit leaves the file as it was
    }
    return commitWhole(file);
}

std::optional<QString> writeOver(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite | QIODevice::ExistingOnly | QIODevice::Unbuffered)) {
        return file.errorString();
    }
    const QByteArray before = file.readAll();
    if (file.error() != QFileDevice::NoError) {
        return file.errorString();
    }
    if (bytes.size() > before.size()) {
        const int error = ::posix_fallocate(file.handle(), before.size(), bytes.size() - before.size());
        if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO) {
            file.resize(before.size());
            return QString::fromLocal8Bit(std::strerror(error));
        }
    }
    const auto put = [&file](const QByteArray &all) -> std::optional<QString> {
        const bool isWritten = file.seek(0) && writeAll(file, all) && file.resize(all.size());
        return isWritten ? synced(file.handle()) : std::optional(file.errorString());
    };
    const std::optional<QString> why = put(bytes);
    if (why) {
        put(before);
    }
    return why;
}

Result<void> writeFile(const QString &path, const QByteArray &bytes)
{
    QSaveFile file(path);
    if (const std::optional<QString> why
        = file.open(QIODevice::WriteOnly) ? writeWhole(file, bytes) : file.errorString()) {
        if (const QString folder = QFileInfo(path).absolutePath(); !QFileInfo::exists(folder)) {
            return fail(
                QStringLiteral("file.no-folder"), {{QStringLiteral("file"), path}, {QStringLiteral("folder"), folder}});
        }
        return fail(
            QStringLiteral("file.unwritable"), {{QStringLiteral("file"), path}, {QStringLiteral("reason"), *why}});
    }
    return {};
}

} // namespace trainyard
