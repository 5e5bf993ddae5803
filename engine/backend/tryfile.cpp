// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/tryfile.h"

#include <QFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trainyard
{

bool openTryFile(QFile &file)
{
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const int fd = ::open(QFile::encodeName(file.fileName()).constData(), flags);
    struct stat info {
    };
    const bool isPlain = fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (isPlain && file.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        return true;
    }
    if (fd >= 0) {
        ::close(fd);
    }
    return false;
}

} // namespace trainyard
