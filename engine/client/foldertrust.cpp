// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/foldertrust.h"

#include <QDir>
#include <QFile>
#include <QStringList>

#include <sys/stat.h>

#include <cerrno>

namespace trainyard
{
namespace
{

constexpr int mostLinks = 40; // as the kernel has it

struct WalkedFolder {
    QString path; // without a slash at the end; the root is empty
    bool isShared = false; // everybody can write to it, or to one above
};

} // namespace

FolderTrust::Found FolderTrust::look(const QString &folder) const
{
    QStringList rest = QDir::cleanPath(folder).split(QLatin1Char('/'), Qt::SkipEmptyParts);
    QList<WalkedFolder> walked{WalkedFolder{}};
    Found found;
    for (int links = 0; !rest.isEmpty();) {
        const QString name = rest.takeFirst();
        if (name == QLatin1StringView("..")) { // of a link
            if (walked.size() > 1) {
                walked.removeLast();
            }
            continue;
        }
        if (name == QLatin1StringView(".")) {
            continue;
        }
        const bool isShared = walked.constLast().isShared;
        const QString path = walked.constLast().path + QLatin1Char('/') + name;
        const QByteArray native = QFile::encodeName(path);
        found.at = path;
        found.isShared = isShared;
        const auto refuse = [&found](const char *reason) {
            found.reason = QLatin1StringView(reason);
            return found;
        };
        struct stat info {
        };
        if (::lstat(native.constData(), &info) != 0) {
            found.error = errno;
            return found;
        }
        if (S_ISLNK(info.st_mode)) {
            if (isShared || rest.isEmpty()) {
                return refuse("link");
            }
            const QString target = QFile::symLinkTarget(path); // made absolute
            if (++links > mostLinks || target.isEmpty()) {
                found.error = ELOOP;
                return found;
            }
            rest = target.split(QLatin1Char('/'), Qt::SkipEmptyParts) + rest;
            walked = {WalkedFolder{}};
            continue;
        }
        if (!S_ISDIR(info.st_mode)) {
            if (rest.isEmpty()) {
                return refuse("not-a-folder");
            }
            found.error = ENOTDIR;
            return found;
        }
        const bool isOurs = info.st_uid == m_user;
        const bool isOpen = (info.st_mode & S_IWOTH) != 0;
        if ((isShared || rest.isEmpty()) && !isOurs && (rest.isEmpty() || info.st_uid != 0)) {
            return refuse("owner");
        }
        if (isShared && isOurs && !rest.isEmpty() && (info.st_mode & 077) != 0) {
            const bool isOwn = name.startsWith(QLatin1StringView("trainyard-")); // else what others may do is meant so
            const bool isSwappable = isOpen && (info.st_mode & S_ISVTX) == 0;
            if (isOwn ? ::chmod(native.constData(), 0700) != 0 : isSwappable) {
                return refuse("mode");
            }
        }
        found.mode = info.st_mode;
        walked.append({path, isShared || isOpen});
    }
    found.at = walked.constLast().path;
    found.isShared = walked.constLast().isShared;
    return found;
}

} // namespace trainyard
