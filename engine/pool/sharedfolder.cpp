// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/sharedfolder.h"

#include "engine/contract/systemtimes.h"

#include <QFile>

#include <sys/stat.h>

namespace trainyard
{

contract::Look sharedfolder::lookFor(const QStringList &paths)
{
    contract::Look look;
    for (const QString &path : paths) {
        look.paths.push_back(QFile::encodeName(path).toStdString());
    }
    return look;
}

bool sharedfolder::isSameHere(const QStringList &paths, const contract::Message &seen)
{
    const auto *there = std::get_if<contract::Seen>(&seen);
    if (!there || there->inodes.size() != std::size_t(paths.size())
        || there->changedNs.size() != std::size_t(paths.size())) {
        return false;
    }
    for (qsizetype i = 0; i < paths.size(); ++i) {
        struct stat info {
        };
        if (::stat(QFile::encodeName(paths.at(i)).constData(), &info) != 0
            || qint64(info.st_ino) != there->inodes[std::size_t(i)]
            || contract::changedNsOf(info) != there->changedNs[std::size_t(i)]) {
            return false;
        }
    }
    return !paths.isEmpty();
}

} // namespace trainyard
