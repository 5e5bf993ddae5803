// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/wholefile.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <sys/stat.h>
#include <unistd.h>

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
    // Some file systems find out only now that there is no room. Those that cannot sync return EINVAL and need no sync.
    if (::fsync(file.handle()) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) {
        return giveUp(QString::fromLocal8Bit(std::strerror(errno)));
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
        return file.errorString(); // whoever ends it without a commit leaves the file as it was
    }
    return commitWhole(file);
}

Result<void> writeFile(const QString &path, const QByteArray &bytes)
{
    QSaveFile file(path);
    if (const std::optional<QString> why
        = file.open(QIODevice::WriteOnly) ? writeWhole(file, bytes) : file.errorString()) {
        return fail(
            QStringLiteral("file.unwritable"), {{QStringLiteral("file"), path}, {QStringLiteral("reason"), *why}});
    }
    return {};
}

} // namespace trainyard
