// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/wholefile.h"

#include <QSaveFile>

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trainyard
{

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

} // namespace trainyard
