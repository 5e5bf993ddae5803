// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/tryfile.h"

#include "engine/contract/plainfile.h"

#include <QFile>

#include <unistd.h>

#include <algorithm>

namespace trainyard
{

bool openTryFile(QFile &file)
{
    struct stat info {
    };
    const int fd = contract::openPlainFile(QFile::encodeName(file.fileName()).constData(), info);
    if (fd >= 0 && file.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        return true;
    }
    if (fd >= 0) {
        ::close(fd);
    }
    return false;
}

QByteArray tryFileBegin(const QString &path, qint64 most)
{
    QFile file(path);
    return openTryFile(file) ? file.read(most) : QByteArray();
}

QByteArray tryFileEnd(const QString &path, qint64 most)
{
    QFile file(path);
    const bool isThere = openTryFile(file) && file.seek(std::max<qint64>(0, file.size() - most));
    return isThere ? file.read(most) : QByteArray();
}

qint64 tryFileLines(const QString &path, qint64 place)
{
    QFile file(path);
    qint64 lines = 0;
    for (qint64 left = openTryFile(file) ? place : 0; left > 0;) {
        const QByteArray part = file.read(std::min<qint64>(left, 1 << 20));
        if (part.isEmpty()) {
            break;
        }
        lines += std::count(part.cbegin(), part.cend(), '\n');
        left -= part.size();
    }
    return lines;
}

} // namespace trainyard
