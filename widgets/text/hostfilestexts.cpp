// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/hostfilestexts.h"

#include "widgets/text/formats.h"

#include <QCoreApplication>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

struct HostFilesTexts {
    Q_DECLARE_TR_FUNCTIONS(HostFilesTexts)
};

QString foldersOf(int count, qint64 bytes)
{
    return count == 1 ? HostFilesTexts::tr("1 folder, %1").arg(formatBytes(bytes))
                      : HostFilesTexts::tr("%1 folders, %2").arg(QString::number(count), formatBytes(bytes));
}

// `shared` of the bytes are of copies that other engines have used.
QString copiesOf(qint64 bytes, qint64 shared)
{
    return shared > 0
        ? HostFilesTexts::tr("%1, kept for the next job; %2 of it is used by other engines too, and stays")
              .arg(formatBytes(bytes), formatBytes(shared))
        : HostFilesTexts::tr("%1, kept for the next job").arg(formatBytes(bytes));
}

QString stayingCopies(const QString &what, qint64 shared)
{
    return shared > 0 ? HostFilesTexts::tr("%1 (other engines use %2 of it too)").arg(what, formatBytes(shared)) : what;
}

} // namespace

QList<QStringList> hostFilesRows(const api::HostFiles &files)
{
    QList<QStringList> rows;
    const auto row = [&rows](bool isThere, const QString &name, const QString &what) {
        if (isThere) {
            rows.append({name, what});
        }
    };
    row(files.programs > 0, HostFilesTexts::tr("Helper"),
        files.programs == 1
            ? HostFilesTexts::tr("%1, in %2").arg(formatBytes(files.programBytes), files.programFolder)
            : HostFilesTexts::tr("%1 versions, %2, in %3")
                  .arg(QString::number(files.programs), formatBytes(files.programBytes), files.programFolder));
    row(files.processes > 0, HostFilesTexts::tr("Processes"),
        HostFilesTexts::tr("%1 of the helper, %2 of memory")
            .arg(QString::number(files.processes), formatBytes(files.processBytes)));
    row(files.jobs > 0, HostFilesTexts::tr("Jobs"),
        HostFilesTexts::tr("%1, in %2").arg(foldersOf(files.jobs, files.jobBytes), files.jobsFolder));
    row(files.leftJobs > 0, HostFilesTexts::tr("Removed jobs"),
        HostFilesTexts::tr("%1: their jobs are no longer in the list").arg(foldersOf(files.leftJobs, files.leftBytes)));
    row(files.codeBytes > 0, HostFilesTexts::tr("Copied code"), copiesOf(files.codeBytes, files.sharedCodeBytes));
    row(files.dataBytes > 0, HostFilesTexts::tr("Copied data"), copiesOf(files.dataBytes, files.sharedDataBytes));
    row(files.otherJobs > 0, HostFilesTexts::tr("Other engines"), foldersOf(files.otherJobs, files.otherBytes));
    row(files.clusterBytes > 0, HostFilesTexts::tr("Slurm clusters"),
        HostFilesTexts::tr("%1 of runs, data and helpers, in %2; they stay when the host is cleaned")
            .arg(formatBytes(files.clusterBytes), files.clusterFolder));
    row(!files.isWhole, HostFilesTexts::tr("And more"),
        HostFilesTexts::tr("There are too many files to count them all."));
    return rows;
}

QString cleanedText(const api::HostFiles &before, const api::HostFiles &after)
{
    QStringList parts;
    const auto part = [&parts](bool isLess, const QString &text) {
        if (isLess) {
            parts.append(text);
        }
    };
    const int jobs = before.jobs - after.jobs, left = before.leftJobs - after.leftJobs;
    part(jobs > 0, HostFilesTexts::tr("jobs: %1").arg(foldersOf(jobs, before.jobBytes - after.jobBytes)));
    part(left > 0, HostFilesTexts::tr("removed jobs: %1").arg(foldersOf(left, before.leftBytes - after.leftBytes)));
    const qint64 code = before.codeBytes - after.codeBytes, data = before.dataBytes - after.dataBytes;
    const qint64 programs = before.programBytes - after.programBytes;
    part(code > 0, HostFilesTexts::tr("copied code: %1").arg(formatBytes(code)));
    part(data > 0, HostFilesTexts::tr("copied data: %1").arg(formatBytes(data)));
    part(programs > 0, HostFilesTexts::tr("helper: %1").arg(formatBytes(programs)));
    return parts.join(u"; "_s);
}

QString stayingText(const api::HostFiles &files)
{
    QStringList parts;
    if (const int jobs = files.jobs + files.leftJobs; jobs > 0) {
        parts.append(HostFilesTexts::tr("jobs: %1").arg(foldersOf(jobs, files.jobBytes + files.leftBytes)));
    }
    if (files.codeBytes > 0) {
        parts.append(stayingCopies(
            HostFilesTexts::tr("copied code: %1").arg(formatBytes(files.codeBytes)), files.sharedCodeBytes));
    }
    if (files.dataBytes > 0) {
        parts.append(stayingCopies(
            HostFilesTexts::tr("copied data: %1").arg(formatBytes(files.dataBytes)), files.sharedDataBytes));
    }
    if (files.programs > 0) {
        parts.append(HostFilesTexts::tr("helper: %1").arg(formatBytes(files.programBytes)));
    }
    if (files.clusterBytes > 0) {
        parts.append(HostFilesTexts::tr("runs, data and helpers of Slurm clusters: %1, in %2")
                         .arg(formatBytes(files.clusterBytes), files.clusterFolder));
    }
    return parts.join(u"; "_s);
}

QString helperStaysText(const api::HostFiles &after)
{
    if (after.programs == 0) {
        return {};
    }
    if (after.jobs + after.leftJobs > 0) {
        return HostFilesTexts::tr("The helper stays because folders of jobs are still there.");
    }
    if (after.otherJobs > 0) {
        return HostFilesTexts::tr("The helper stays because other engines have folders of jobs there.");
    }
    if (after.sharedCodeBytes + after.sharedDataBytes > 0) {
        return HostFilesTexts::tr("The helper stays because other engines use the copies there.");
    }
    const int others = after.processes - 1; // without the helper that answers
    return others > 1
        ? HostFilesTexts::tr("The helper stays because %1 other processes run it: of another engine, or of "
                             "tasks that have just ended. Remove all again in a minute.")
              .arg(others)
        : others == 1
        ? HostFilesTexts::tr("The helper stays because another process runs it: of another engine, or of a "
                             "task that has just ended. Remove all again in a minute.")
        : HostFilesTexts::tr("The helper stays because it is just being copied there, or could not be "
                             "removed. Remove all again in an hour.");
}

} // namespace trainyard
