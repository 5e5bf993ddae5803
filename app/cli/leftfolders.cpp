// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/leftfolders.h"

#include "app/cli/console.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/identity.h"
#include "engine/contract/taskfolder.h"

#include <QDir>
#include <QDirIterator>
#include <QSet>
#include <QUuid>

namespace trainyard::cli
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype mostFolders = 200;

QString runsFolder(const QString &stateFolder) { return stateFolder + u"/runs"_s; }

QStringList runningIn(const QString &jobFolder)
{
    QStringList running;
    QDirIterator tries(jobFolder, {u"started"_s}, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (tries.hasNext()) {
        const QString folder = QFileInfo(tries.next()).path();
        // The folder must be that of a task itself (attempt, task, try) and not one that the task made.
        if (folder.mid(jobFolder.size()).count(u'/') != 3) {
            continue;
        }
        const auto started = contract::readStartedRecord(pathBytes(folder));
        if (started && contract::isAlive(started->process)) {
            running.append(tr("%1: kill %2").arg(folder).arg(started->process.pid));
        }
    }
    return running;
}

} // namespace

LeftFolders leftFolders(Session &session, const QString &stateFolder)
{
    // Their names begin with the time.
    const QStringList names
        = QDir(runsFolder(stateFolder))
              .entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name | QDir::Reversed);
    QSet<QString> known;
    const QList<JobSummary> jobs = session.client().jobs();
    for (const JobSummary &job : jobs) {
        known.insert(job.uuid);
    }
    LeftFolders left;
    for (const QString &name : names.first(qMin(names.size(), mostFolders))) {
        const bool isJob = QUuid::fromString(name).toString(QUuid::WithoutBraces) == name; // not one being removed
        if (known.contains(name) || !isJob) {
            continue;
        }
        const Result<JobDetail> job = session.call<api::GetJob>({name});
        if (!job && job.error().code == "job.unknown"_L1) {
            const QString folder = runsFolder(stateFolder) + u'/' + name;
            left.folders.append(folder);
            left.running += runningIn(folder);
        }
    }
    return left;
}

QStringList leftFolderLines(const LeftFolders &left, const QString &stateFolder)
{
    if (left.folders.isEmpty()) {
        return {};
    }
    QStringList lines{
        tr("Folders in %2 belong to no job that the engine knows (%1): its store was replaced, or has lost its last "
           "minutes. The logs are in them; remove those that you do not need.")
            .arg(left.folders.size())
            .arg(runsFolder(stateFolder))};
    for (const QString &folder : left.folders.first(qMin<qsizetype>(left.folders.size(), 5))) {
        lines.append(u"  "_s + folder);
    }
    if (!left.running.isEmpty()) {
        lines.append(tr("Tasks in them still run, and keep their GPUs. To end them:"));
        for (const QString &one : left.running) {
            lines.append(u"  "_s + one);
        }
    }
    return lines;
}

} // namespace trainyard::cli
