// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubebook.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <dirent.h>

#include <cerrno>
#include <cstring>

namespace trainyard
{

using namespace Qt::StringLiterals;

QString kubeSetName(const QUuid &firstTry)
{
    return u"ty-"_s + firstTry.toString(QUuid::Id128).left(16); // it is a part of names that have 63 characters at most
}

QString KubeBook::fileOf(const QString &name) const { return m_folder + u'/' + name + u".json"_s; }

// A folder that cannot be listed looks as if it were empty.
static int listError(const QString &folder)
{
    DIR *listed = ::opendir(pathBytes(folder).c_str());
    const int error = listed ? 0 : errno;
    if (listed) {
        ::closedir(listed);
    }
    return error == ENOENT || error == ENOTDIR ? 0 : error;
}

KubeBook::Notes KubeBook::read() const
{
    Notes notes;
    notes.error = listError(m_folder);
    const QStringList files = QDir(m_folder).entryList({u"ty-*.json"_s}, QDir::Files);
    for (const QString &name : files) {
        QFile file(m_folder + u'/' + name);
        if (const int error = contract::unreadError(pathBytes(file.fileName()))) {
            notes.unread.append(name);
            notes.error = error;
            continue;
        }
        const QJsonObject object
            = file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
        KubeEntry entry{
            object.value("name"_L1).toString(), object.value("job"_L1).toString(), object.value("taken"_L1).toBool()};
        const QJsonArray tasks = object.value("tasks"_L1).toArray();
        for (const QJsonValue &each : tasks) {
            const QJsonObject task = each.toObject();
            entry.tasks.append({QUuid(task.value("try"_L1).toString()), task.value("job"_L1).toString(),
                task.value("number"_L1).toInt()});
        }
        const QJsonArray place = object.value("place"_L1).toArray();
        for (const QJsonValue &each : place) {
            entry.place.append(each.toString());
        }
        if (fileOf(entry.name) == file.fileName() && !entry.tasks.isEmpty()) {
            notes.entries.insert(entry.name, entry);
        }
    }
    return notes;
}

Result<void> KubeBook::write(const KubeEntry &entry) const
{
    QJsonArray tasks;
    for (const KubeEntry::Task &task : entry.tasks) {
        tasks.append(QJsonObject{
            {u"try"_s, task.tryUuid.toString(QUuid::WithoutBraces)}, {u"job"_s, task.job}, {u"number"_s, task.number}});
    }
    const QJsonObject object{{u"name"_s, entry.name}, {u"job"_s, entry.job}, {u"taken"_s, entry.isTaken},
        {u"tasks"_s, tasks}, {u"place"_s, QJsonArray::fromStringList(entry.place)}};
    int error = contract::makeFolders(pathBytes(m_folder));
    error = error != 0 ? error
                       : contract::writeAtomically(pathBytes(fileOf(entry.name)),
                           QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString(), true);
    return error == 0 ? Result<void>()
                      : fail(u"kubernetes.book"_s,
                          {{u"folder"_s, m_folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

void KubeBook::remove(const QString &name) const { QFile::remove(fileOf(name)); }

} // namespace trainyard
