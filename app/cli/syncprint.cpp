// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/syncprint.h"

#include "app/cli/console.h"
#include "engine/code/codeparts.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QFile>
#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype partsShown = 10;

QString filesText(qint64 count) { return count == 1 ? tr("one file") : tr("%1 files").arg(count); }

QString ruleText(LeftOut::By by)
{
    switch (by) {
    case LeftOut::By::Git:
        return tr("it belongs to git itself");
    case LeftOut::By::GitIgnore:
        return tr("git ignores it (.gitignore)");
    case LeftOut::By::OwnIgnore:
        return tr(".trainyardignore names it");
    case LeftOut::By::Programs:
        return tr("programs make it for their own use");
    case LeftOut::By::Empty:
        return tr("it has no files");
    case LeftOut::By::Special:
        return tr("it is neither a file nor a link");
    case LeftOut::By::Document:
        return tr("it contains values of secrets");
    }
    return {};
}

QString sizeText(const LeftOut &left)
{
    const QString size = formatBytes(left.bytes);
    return left.isCut ? tr("more than %1").arg(size) : size;
}

QString pathText(const QByteArray &path, qsizetype files)
{
    const QString name = QFile::decodeName(path);
    return path.endsWith('/') && files > 0 ? tr("%1 (%2)").arg(name, filesText(files)) : name;
}

} // namespace

void printFolder(const CodeFiles &code)
{
    outLine(tr("%1 in %2 of %3").arg(formatBytes(code.bytes), filesText(code.files.size()), code.folder));
    QList<QStringList> rows;
    for (const CodePart &part : biggestPartsOf(code, partsShown)) {
        rows.append({u"  "_s + formatBytes(part.bytes), pathText(part.path, part.files)});
    }
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outLine(line);
    }
}

void printLeftOut(const QList<LeftOut> &left)
{
    if (left.isEmpty()) {
        outLine(tr("Nothing of the folder stays here."));
        return;
    }
    outLine(tr("These stay here:"));
    QList<QStringList> rows;
    for (const LeftOut &each : left.first(std::min(partsShown, left.size()))) {
        rows.append({u"  "_s + sizeText(each), pathText(each.path, each.files), ruleText(each.by)});
    }
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outLine(line);
    }
    if (left.size() > partsShown) {
        outLine(u"  "_s + tr("... and %1 more; --json has them all").arg(left.size() - partsShown));
    }
}

void printSynced(const QString &host, const api::FolderSynced &synced, bool isDry)
{
    if (synced.isShared) {
        outLine(tr("%1 has the same folder by a shared file system: nothing is copied, and tasks work in the folder "
                   "itself.")
                    .arg(host));
    } else if (isDry && synced.missingFiles == 0) {
        outLine(tr("%1 has all of it.").arg(host));
    } else if (isDry) {
        outLine(tr("%1 lacks %2 in %3, which would be copied.")
                    .arg(host, formatBytes(synced.missingBytes), filesText(synced.missingFiles)));
    } else if (synced.sentBytes == 0) {
        outLine(tr("%1 already had all of it.").arg(host));
    } else {
        outLine(tr("%1 has it now; %2 were sent.").arg(host, formatBytes(synced.sentBytes)));
    }
}

QJsonObject syncJson(const CodeFiles &code, const QList<LeftOut> &left)
{
    QJsonArray biggest;
    for (const CodePart &part : biggestPartsOf(code, partsShown)) {
        biggest.append(QJsonObject{
            {u"path"_s, QFile::decodeName(part.path)}, {u"bytes"_s, part.bytes}, {u"files"_s, qint64(part.files)}});
    }
    QJsonArray stays;
    for (const LeftOut &each : left) {
        stays.append(QJsonObject{{u"path"_s, QFile::decodeName(each.path)}, {u"bytes"_s, each.bytes},
            {u"files"_s, qint64(each.files)}, {u"isWhole"_s, !each.isCut}, {u"by"_s, leftOutWord(each.by)}});
    }
    return {{u"folder"_s, code.folder}, {u"bytes"_s, code.bytes}, {u"files"_s, qint64(code.files.size())},
        {u"git"_s, code.isOfGit}, {u"biggest"_s, biggest}, {u"leftOut"_s, stays}};
}

QJsonObject withHostJson(QJsonObject json, const QString &host, const api::FolderSynced &synced, bool isDry)
{
    json.insert(u"host"_s, host);
    json.insert(u"shared"_s, synced.isShared);
    if (isDry) {
        json.insert(u"missing"_s, QJsonObject{{u"bytes"_s, synced.missingBytes}, {u"files"_s, synced.missingFiles}});
    } else {
        json.insert(u"sentBytes"_s, synced.sentBytes);
    }
    return json;
}

} // namespace trainyard::cli
