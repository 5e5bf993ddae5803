// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codeplaces.h"

#include "engine/launch/container.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qsizetype probedFiles = 8;

qint64 changedOf(const QString &path, quint64 *inode)
{
    struct stat info {
    };
    if (::stat(QFile::encodeName(path).constData(), &info) != 0) {
        return -1;
    }
    *inode = info.st_ino;
    return qint64(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
}

} // namespace

bool mayBeCopied(const QString &folder, const QStringList &own)
{
    const QString place = QFileInfo(folder).canonicalFilePath();
    const auto isIn = [](const QString &inner, const QString &outer) {
        return inner == outer || inner.startsWith(outer + QLatin1Char('/'));
    };
    const QString home = QFileInfo(QDir::homePath()).canonicalFilePath();
    const bool isOwn = std::any_of(own.cbegin(), own.cend(), [&](const QString &each) {
        const QString real = QFileInfo(each).canonicalFilePath();
        return !real.isEmpty() && (isIn(place, real) || isIn(real, place));
    });
    return !place.isEmpty() && !isOwn && !launch::isSystemFolder(place) && !isIn(home, place)
        && place != QFileInfo(QDir::tempPath()).canonicalFilePath() && place != QLatin1StringView("/tmp")
        && place != QLatin1StringView("/var/tmp");
}

QStringList probedPaths(const CodeFiles &code)
{
    QList<CodeFile> files = code.files;
    files.removeIf([](const CodeFile &file) { return file.isLink; });
    const qsizetype count = std::min(probedFiles, files.size());
    std::partial_sort(files.begin(), files.begin() + count, files.end(),
        [](const CodeFile &a, const CodeFile &b) { return a.changedNs > b.changedNs; });
    QStringList paths{code.folder};
    for (qsizetype i = 0; i < count; ++i) {
        paths.append(code.folder + QLatin1Char('/') + QFile::decodeName(files.at(i).path));
    }
    return paths;
}

contract::Look lookAt(const QStringList &paths)
{
    contract::Look look;
    for (const QString &path : paths) {
        look.paths.push_back(QFile::encodeName(path).toStdString());
    }
    return look;
}

bool isSameThere(const QStringList &paths, const contract::Message &said)
{
    const auto *seen = std::get_if<contract::Seen>(&said);
    bool isSame = seen && seen->inodes.size() == std::size_t(paths.size())
        && seen->changedNs.size() == std::size_t(paths.size());
    for (qsizetype i = 0; isSame && i < paths.size(); ++i) {
        quint64 inode = 0;
        const qint64 changed = changedOf(paths.at(i), &inode);
        isSame = changed == seen->changedNs[std::size_t(i)] && qint64(inode) == seen->inodes[std::size_t(i)];
    }
    return isSame;
}

} // namespace trainyard
