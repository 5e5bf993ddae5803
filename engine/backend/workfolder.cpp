// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/workfolder.h"

#include "model/protocol/jobdocument.h"

#include <QDir>
#include <QFileInfo>

namespace trainyard
{

QString workFolderOf(const StoredDocument &document, const QString &home, bool isHere)
{
    QString work = document.work;
    if (work.isEmpty() && isHere && !document.file.isEmpty()) {
        work = QFileInfo(document.file).path();
    }
    return work.startsWith(QLatin1StringView("~/")) ? home + work.mid(1) : work;
}

QString namedWorkFolder(const QString &named, const QString &file)
{
    if (named.isEmpty() || named.startsWith(u'/') || named.startsWith(QLatin1StringView("~/"))) {
        return named;
    }
    return file.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(file).path() + u'/' + named);
}

QString workBesideText(const StoredDocument &document)
{
    if (document.work.isEmpty()) {
        return {};
    }
    // A long text is read only where it may name a folder: pages ask for this again and again.
    const ParseOutcome outcome
        = document.yaml.contains("work") ? parseJob(document.yaml, CheckMode::Friendly) : ParseOutcome();
    const QString ofText = outcome.spec ? outcome.spec->trainyard.work : QString();
    return document.work == namedWorkFolder(ofText, document.file) ? QString() : document.work;
}

} // namespace trainyard
