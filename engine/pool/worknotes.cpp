// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/worknotes.h"

#include "engine/backend/tryfile.h"
#include "engine/client/capturedenvironment.h"
#include "engine/client/pathbytes.h"
#include "engine/client/settings.h"
#include "engine/contract/taskfolder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

QJsonObject notesIn(const QString &path)
{
    constexpr qint64 longestNotes = 1 << 20;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.read(longestNotes)).object() : QJsonObject();
}

} // namespace

QString WorkNotes::fileOf(const QString &job) const { return m_folders.ofJob(job) + u"/work-folders.json"_s; }

void WorkNotes::write(const QString &job, const QString &host, const QString &work, const QString &there) const
{
    if (read(job, host, work) == there) {
        return;
    }
    QJsonObject notes = notesIn(fileOf(job));
    notes.insert(host, QJsonObject{{u"of"_s, work}, {u"folder"_s, there}});
    contract::makeFolders(pathBytes(m_folders.ofJob(job)));
    // On a full disk the host is asked for the copy, as it was before there were notes.
    static_cast<void>(writeAtomically(fileOf(job), QJsonDocument(notes).toJson(QJsonDocument::Compact)));
}

std::optional<QString> WorkNotes::read(const QString &job, const QString &host, const QString &work) const
{
    const QJsonObject note = notesIn(fileOf(job)).value(host).toObject();
    const QString folder = note.value("folder"_L1).toString();
    return note.value("of"_L1).toString() == work && !folder.isEmpty() ? std::optional(folder) : std::nullopt;
}

std::optional<QString> WorkNotes::foundIn(const QString &logFolder, const QString &work)
{
    constexpr qint64 longestRecord = 8 << 20;
    QFile file(CapturedEnvironment::fileOf(logFolder));
    if (work.isEmpty() || !openTryFile(file)) {
        return std::nullopt;
    }
    const std::optional<CapturedEnvironment> found = CapturedEnvironment::fromJson(file.read(longestRecord));
    return found && isShared(found->workFolder, work) ? std::optional(found->workFolder) : std::nullopt;
}

bool WorkNotes::isShared(const QString &there, const QString &work)
{
    return !there.isEmpty() && !work.isEmpty()
        && (QDir::cleanPath(there) == QDir::cleanPath(work) || there == QFileInfo(work).canonicalFilePath());
}

} // namespace trainyard
