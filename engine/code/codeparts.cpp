// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codeparts.h"

#include <QHash>

#include <algorithm>

namespace trainyard
{
namespace
{

bool isGreater(const CodePart &a, const CodePart &b)
{
    if (a.bytes != b.bytes) {
        return a.bytes > b.bytes;
    }
    return a.files != b.files ? a.files > b.files : a.path < b.path;
}

// What stands right below a folder ("": the top).
QList<CodePart> partsBelow(const CodeFiles &files, const QByteArray &folder)
{
    QList<CodePart> parts;
    QHash<QByteArray, qsizetype> known;
    for (const CodeFile &file : files.files) {
        if (!file.path.startsWith(folder)) {
            continue;
        }
        const qsizetype slash = file.path.indexOf('/', folder.size());
        const QByteArray path = slash < 0 ? file.path : file.path.first(slash + 1);
        const auto at = known.constFind(path);
        CodePart &part = at != known.cend() ? parts[*at] : parts.emplace_back();
        if (at == known.cend()) {
            known.insert(path, parts.size() - 1);
            part.path = path;
        }
        part.bytes += file.bytes;
        ++part.files;
    }
    return parts;
}

} // namespace

QList<CodePart> biggestPartsOf(const CodeFiles &files, qsizetype count)
{
    QList<CodePart> parts = partsBelow(files, {});
    QList<CodePart> closed; // folders that would be too many parts
    while (!parts.isEmpty()) {
        const auto greatest = std::min_element(parts.begin(), parts.end(), [](const CodePart &a, const CodePart &b) {
            const bool isFolder = a.path.endsWith('/');
            return isFolder != b.path.endsWith('/') ? isFolder : isGreater(a, b);
        });
        if (!greatest->path.endsWith('/')) {
            break;
        }
        const CodePart folder = *greatest;
        const QList<CodePart> inside = partsBelow(files, folder.path);
        parts.erase(greatest);
        if (parts.size() + closed.size() + inside.size() <= count) {
            parts += inside;
        } else {
            closed.append(folder);
        }
    }
    parts += closed;
    std::sort(parts.begin(), parts.end(), isGreater);
    parts.resize(std::min(count, parts.size()));
    return parts;
}

} // namespace trainyard
