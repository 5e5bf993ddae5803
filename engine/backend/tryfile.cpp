// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/tryfile.h"

#include "engine/contract/plainfile.h"

#include <QFile>

#include <unistd.h>

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

} // namespace trainyard
