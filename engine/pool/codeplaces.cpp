// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codeplaces.h"

#include "engine/launch/container.h"
#include "engine/pool/sharedfolder.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace trainyard
{

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

bool hasOtherFiles(const QString &document)
{
    QDirIterator it(QFileInfo(document).path(), QDir::AllEntries | QDir::NoDotAndDotDot);
    while (it.hasNext()) {
        if (it.next() != document) {
            return true;
        }
    }
    return false;
}

QStringList probedPaths(const CodeFiles &code)
{
    QList<CodeFile> files = code.files;
    files.removeIf([](const CodeFile &file) { return file.isLink; });
    const qsizetype count = std::min(sharedfolder::probedFiles, files.size());
    std::partial_sort(files.begin(), files.begin() + count, files.end(),
        [](const CodeFile &a, const CodeFile &b) { return a.changedNs > b.changedNs; });
    QStringList paths{code.folder};
    for (qsizetype i = 0; i < count; ++i) {
        paths.append(code.folder + QLatin1Char('/') + QFile::decodeName(files.at(i).path));
    }
    return paths;
}

} // namespace trainyard
