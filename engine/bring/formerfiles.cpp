// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/formerfiles.h"

#include <QFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace trainyard
{

using namespace Qt::StringLiterals;

int bringing::moveToFreeName(const QByteArray &from, const QByteArray &to)
{
    if (::renameat2(AT_FDCWD, from.constData(), AT_FDCWD, to.constData(), RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return errno;
    }
    struct stat info; // a file system that cannot do it at once
    if (::lstat(to.constData(), &info) == 0) {
        return EEXIST;
    }
    return ::rename(from.constData(), to.constData()) == 0 ? 0 : errno;
}

bool bringing::isContinuedBy(const QByteArray &former, const QByteArray &newer)
{
    constexpr qint64 blockBytes = 1 << 20;
    QFile before, after;
    const auto open = [](QFile &file, const QByteArray &path) {
        const int fd = ::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        return fd >= 0 && file.open(fd, QIODevice::ReadOnly | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle);
    };
    if (!open(before, former) || !open(after, newer) || before.size() > after.size()) {
        return false;
    }
    for (;;) {
        const QByteArray block = before.read(blockBytes);
        if (block.isEmpty()) {
            return before.atEnd();
        }
        if (after.read(block.size()) != block) {
            return false;
        }
    }
}

bringing::Kept bringing::keepFormer(const QString &folder, const QString &path, const KnownFile &former)
{
    constexpr int most = 10000;
    const auto pathOf = [&folder](const QString &name) { return QFile::encodeName(folder + u'/' + name); };
    const QByteArray from = pathOf(former.name);
    const QString host = folderName(former.host);
    Kept kept{EEXIST, markedName(path, host)};
    for (int number = 2; kept.error == EEXIST && number < most; ++number) {
        const QByteArray to = pathOf(kept.name);
        if (former.kept.contains(kept.name) && isContinuedBy(to, from)) {
            kept.error = ::rename(from.constData(), to.constData()) == 0 ? 0 : errno;
            break;
        }
        kept.error = moveToFreeName(from, to);
        // As one mark, so that a name that has to be shortened keeps that of the host.
        kept.name = kept.error == EEXIST ? markedName(path, host + u'~' + QString::number(number)) : kept.name;
    }
    return kept;
}

} // namespace trainyard
