// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/sharedfolder.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/systemtimes.h"

#include <QFile>

#include <sys/stat.h>

#include <algorithm>

namespace trainyard::sharedfolder
{

contract::Look lookFor(const QStringList &paths)
{
    contract::Look look;
    for (const QString &path : paths) {
        look.paths.push_back(pathBytes(path));
    }
    return look;
}

std::optional<Probe::Status> Probe::statusOf(const QString &path)
{
    struct stat info {
    };
    if (::stat(QFile::encodeName(path).constData(), &info) != 0) {
        return std::nullopt;
    }
    return Status{info.st_ino, contract::changedNsOf(info)};
}

Probe::Probe(const QStringList &paths)
{
    for (const QString &path : paths) {
        if (const std::optional<Status> status = statusOf(path)) {
            m_paths.append(path);
            m_before.push_back(*status);
        }
    }
}

bool Probe::isSameHere(const contract::Message &seen) const
{
    const auto *there = std::get_if<contract::Seen>(&seen);
    if (!there || there->inodes.size() != m_before.size() || there->changedNs.size() != m_before.size()) {
        return false;
    }
    std::size_t same = 0;
    for (std::size_t i = 0; i < m_before.size(); ++i) {
        const Status &before = m_before[i];
        const std::optional<Status> after = statusOf(m_paths.at(qsizetype(i)));
        if (!after) {
            continue; // removed meanwhile, here or there: it says nothing
        }
        const auto inode = ino_t(there->inodes[i]);
        const std::int64_t changedNs = there->changedNs[i];
        if ((inode != before.inode && inode != after->inode) || changedNs < before.changedNs
            || changedNs > after->changedNs) {
            return false;
        }
        ++same;
    }
    // A folder alone may be as old as the computer of which the other one is a copy.
    return same > 0 && same >= std::min<std::size_t>(m_before.size(), 2);
}

} // namespace trainyard::sharedfolder
