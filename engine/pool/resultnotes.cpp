// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/resultnotes.h"

#include "engine/api/valuejson.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr QLatin1StringView openPrefix{"open-"};

void writeJson(const QString &path, const QJsonDocument &json)
{
    const QString folder = path.first(path.lastIndexOf(u'/'));
    QDir().mkpath(folder);
    // Files whose notes cannot be written are brought again after a restart.
    static_cast<void>(
        contract::writeAtomically(pathBytes(path), json.toJson(QJsonDocument::Compact).toStdString(), false));
}

QJsonDocument readJson(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()) : QJsonDocument();
}

QString nameOf(const ResultTask &task) { return openPrefix + task.tryUuid.toString(QUuid::WithoutBraces); }

} // namespace

QJsonObject toJson(const ResultTask &task)
{
    return {{u"try"_s, task.tryUuid.toString(QUuid::WithoutBraces)}, {u"job"_s, task.job}, {u"number"_s, task.number},
        {u"role"_s, task.role}, {u"index"_s, task.index}, {u"order"_s, task.order}, {u"host"_s, task.host},
        {u"folder"_s, task.folder}, {u"to"_s, task.to}, {u"globs"_s, QJsonArray::fromStringList(task.globs)},
        {u"during"_s, task.during}, {u"maxFileMiB"_s, task.maxFileMiB}, {u"maxMiB"_s, task.maxMiB},
        {u"hasEnded"_s, task.hasEnded}, {u"awaySince"_s, task.awaySince}, {u"removal"_s, task.removal}};
}

std::optional<ResultTask> resultTaskFromJson(const QJsonObject &json)
{
    ResultTask task;
    task.tryUuid = QUuid::fromString(json.value("try"_L1).toString());
    task.job = json.value("job"_L1).toString();
    task.number = json.value("number"_L1).toInteger();
    task.role = json.value("role"_L1).toString();
    task.index = json.value("index"_L1).toInt();
    task.order = json.value("order"_L1).toInteger();
    task.host = json.value("host"_L1).toString();
    task.folder = json.value("folder"_L1).toString();
    task.to = json.value("to"_L1).toString();
    const QJsonArray globs = json.value("globs"_L1).toArray();
    for (const QJsonValue &glob : globs) {
        task.globs.append(glob.toString());
    }
    task.during = json.value("during"_L1).toBool();
    task.maxFileMiB = json.value("maxFileMiB"_L1).toInteger();
    task.maxMiB = json.value("maxMiB"_L1).toInteger();
    task.hasEnded = json.value("hasEnded"_L1).toBool();
    task.awaySince = json.value("awaySince"_L1).toInteger();
    task.removal = json.value("removal"_L1).toString();
    const bool isWhole = !task.tryUuid.isNull() && !QUuid::fromString(task.job).isNull() && task.folder.startsWith(u'/')
        && task.to.startsWith(u'/');
    return isWhole ? std::optional(task) : std::nullopt;
}

QList<ResultTask> ResultNotes::unfinished() const
{
    QList<ResultTask> tasks;
    const QStringList jobs = QDir(m_folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QString &job : jobs) {
        const QStringList names = QDir(ofJob(job)).entryList({QString(openPrefix + u'*')}, QDir::Files);
        for (const QString &name : names) {
            const std::optional<ResultTask> task = resultTaskFromJson(readJson(ofJob(job) + u'/' + name).object());
            if (task && task->job == job) {
                tasks.append(*task);
            }
        }
    }
    return tasks;
}

void ResultNotes::write(const ResultTask &task) const
{
    writeJson(ofJob(task.job) + u'/' + nameOf(task), QJsonDocument(toJson(task)));
}

void ResultNotes::remove(const ResultTask &task) const { QFile::remove(ofJob(task.job) + u'/' + nameOf(task)); }

QList<BroughtFiles> ResultNotes::told(const QString &job) const
{
    QList<BroughtFiles> tasks;
    valuejson::fromValue(readJson(ofJob(job) + u"/told"_s).array(), tasks);
    return tasks;
}

void ResultNotes::writeTold(const QString &job, const QList<BroughtFiles> &tasks) const
{
    writeJson(ofJob(job) + u"/told"_s, QJsonDocument(valuejson::toValue(tasks).toArray()));
}

void ResultNotes::removeJob(const QString &job) const
{
    if (!QUuid::fromString(job).isNull()) {
        QDir(ofJob(job)).removeRecursively();
    }
}

} // namespace trainyard
