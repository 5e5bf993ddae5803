// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remotelogs.h"

#include "app/cli/console.h"
#include "engine/api/tasklabel.h"
#include "engine/client/logreader.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"
#include "widgets/text/formats.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include <algorithm>
#include <numeric>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int lookMs = 50;
constexpr int onlinePatienceMs = 30000; // without a byte, from hosts that can be reached
constexpr int awayPatienceMs = 10000; // and from those that cannot
constexpr int herePatienceMs = 2000; // of this computer nothing travels
constexpr qsizetype namedLogs = 5;
constexpr int codeTaskLost = -101; // docs/execution.md

qint64 bytesOf(const MissingLog &log) { return LogReader(log.folder).size(); }

bool isAway(const QString &id, const QList<HostInfo> &hosts)
{
    return std::none_of(hosts.cbegin(), hosts.cend(),
        [&](const HostInfo &host) { return host.id == id && host.state == HostState::Online; });
}

bool isElsewhere(const QString &host) { return !host.isEmpty() && host != "local"_L1; }

// As far as is known, it never began, so no log can be incomplete. That of a lost one may be where it was.
bool isWithoutLog(const TaskInfo &task)
{
    return !(task.launched && task.tryLaunched) && task.exitCode != codeTaskLost
        && LogReader(task.logFolder).size() == 0;
}

// A keeper had begun to write it.
bool wasStarted(const QString &folder) { return contract::readStartedRecord(pathBytes(folder)).has_value(); }

QString missingLogText(const MissingLog &log, const QList<HostInfo> &hosts)
{
    if (log.isGone) {
        return isElsewhere(log.host)
            ? tr("The log of %1 is not on this computer: %2 is not there.").arg(log.task, log.folder)
            : tr("The log of %1 no longer exists. It was in %2.").arg(log.task, log.folder);
    }
    const QString here = formatBytes(bytesOf(log));
    if (log.unwritten > 0) {
        return isElsewhere(log.host)
            ? tr("The log of %1 lacks the last %2: the disk of %3 was full.")
                  .arg(log.task, formatBytes(log.unwritten), log.host)
            : tr("The log of %1 lacks the last %2: the disk was full.").arg(log.task, formatBytes(log.unwritten));
    }
    if (log.removed > 0) {
        return tr("The log of %1 is incomplete: %2 are here, and %3 were removed from %4 after the task had ended.")
            .arg(log.task, here, formatBytes(log.removed), log.folder);
    }
    if (!isElsewhere(log.host)) {
        return tr("The log of %1 is incomplete: %2 are here, and nothing more is written to it.").arg(log.task, here);
    }
    const bool isKnown
        = std::any_of(hosts.cbegin(), hosts.cend(), [&](const HostInfo &host) { return host.id == log.host; });
    if (!isKnown) {
        return tr("The log of %1 is incomplete: %2 are here, and the rest stayed on %3, which was removed.")
            .arg(log.task, here, log.host);
    }
    if (isAway(log.host, hosts)) {
        return tr("The log of %1 is incomplete: %2 are here, and the rest is on %3, which cannot be reached now.")
            .arg(log.task, here, log.host);
    }
    return tr("The log of %1 is incomplete: %2 are here, and the rest has not been fetched from %3 yet.")
        .arg(log.task, here, log.host);
}

} // namespace

std::optional<MissingLog> damageOf(const QString &task, const QString &host, const QString &folder)
{
    const auto record = contract::readExitRecord(pathBytes(folder));
    MissingLog log{task, host, folder};
    log.unwritten = record ? qint64(record->lost) : 0;
    log.removed = record ? std::max<qint64>(0, qint64(record->bytes) - bytesOf(log)) : 0;
    return log.unwritten > 0 || log.removed > 0 ? std::optional(log) : std::nullopt;
}

std::optional<MissingLog> goneLog(const QString &task, const QString &host, const QString &folder)
{
    if (folder.isEmpty() || QFileInfo(folder).isDir()) {
        return std::nullopt;
    }
    MissingLog log{task, host, folder};
    log.isGone = true;
    return log;
}

bool isOutputGone(const JobDetail &detail)
{
    // A task that was stopped while it waited, or never started, has no folder, and none is missing.
    const bool hasRun = std::any_of(detail.attempts.cbegin(), detail.attempts.cend(),
        [](const AttemptInfo &attempt) { return attempt.launched.has_value(); });
    return isFinal(detail.summary.state) && hasRun && !detail.runFolder.isEmpty()
        && !QFileInfo(detail.runFolder).isDir();
}

QList<MissingLog> missingLogs(const QList<TaskInfo> &tasks)
{
    QList<MissingLog> missing;
    for (const TaskInfo &task : tasks) {
        if (!isFinal(task.state) || task.logFolder.isEmpty()) {
            continue;
        }
        const QString name = taskLabel(task);
        if (const std::optional<MissingLog> gone = goneLog(name, task.host, task.logFolder)) {
            if (!isWithoutLog(task)) { // a try that never started elsewhere has no folder here
                missing.append(*gone);
            }
        } else if (LogReader(task.logFolder).isComplete()) {
            if (const std::optional<MissingLog> damaged = damageOf(name, task.host, task.logFolder)) {
                missing.append(*damaged);
            }
        } else if (wasStarted(task.logFolder) || (isElsewhere(task.host) && !isWithoutLog(task))) {
            missing.append({name, task.host, task.logFolder});
        }
    }
    return missing;
}

QStringList missingLogLines(const QList<MissingLog> &missing, const QList<HostInfo> &hosts)
{
    QStringList lines;
    for (const MissingLog &log : missing.first(std::min(namedLogs, missing.size()))) {
        lines.append(missingLogText(log, hosts));
    }
    if (const qsizetype more = missing.size() - namedLogs; more > 0) {
        lines.append(more == 1 ? tr("The log of 1 more task is incomplete.")
                               : tr("The logs of %1 more tasks are incomplete.").arg(more));
    }
    return lines;
}

Result<QList<MissingLog>> missingLogsOf(Session &session, const JobSummary &job)
{
    if (std::none_of(job.hosts.cbegin(), job.hosts.cend(), isElsewhere)) {
        return QList<MissingLog>();
    }
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid);
    if (!tasks) {
        return tl::unexpected(tasks.error());
    }
    return missingLogs(*tasks);
}

void waitForLogs(Session &session, const JobSummary &job)
{
    Result<QList<MissingLog>> found = missingLogsOf(session, job);
    if (!found || found->isEmpty()) {
        return;
    }
    QList<MissingLog> missing = *found;
    const auto isHere = [](const MissingLog &log) { return LogReader(log.folder).isComplete(); };
    missing.removeIf([&](const MissingLog &log) { return log.isGone || isHere(log); }); // what is damaged does not come
    if (!missing.isEmpty()) {
        const Progress progress(tr("Fetching the rest of the log ..."));
        Interrupts interrupts;
        QEventLoop loop;
        QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
        QTimer timer;
        qint64 last = -1;
        QElapsedTimer still;
        still.start();
        QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
            missing.removeIf(isHere);
            const qint64 bytes = std::accumulate(missing.cbegin(), missing.cend(), qint64(missing.size()),
                [](qint64 sum, const MissingLog &log) { return sum + bytesOf(log); });
            const QList<HostInfo> hosts = session.client().hosts();
            const bool allAway = std::all_of(
                missing.cbegin(), missing.cend(), [&](const MissingLog &log) { return isAway(log.host, hosts); });
            if (std::exchange(last, bytes) != bytes) {
                still.start();
            }
            if (missing.isEmpty() || still.hasExpired(allAway ? awayPatienceMs : onlinePatienceMs)) {
                loop.quit();
            }
        });
        timer.start(lookMs);
        loop.exec();
    }
    QList<MissingLog> damaged;
    for (const MissingLog &log : std::as_const(*found)) {
        if (const std::optional<MissingLog> damage
            = isHere(log) ? damageOf(log.task, log.host, log.folder) : std::nullopt) {
            damaged.append(*damage);
        }
    }
    const QStringList lines = missingLogLines(missing + damaged, session.client().hosts());
    for (const QString &line : lines) {
        errorLine(line);
    }
}

bool sayMissingLogs(Session &session, const QList<TaskInfo> &tasks)
{
    const QStringList lines = missingLogLines(missingLogs(tasks), session.client().hosts());
    for (const QString &line : lines) {
        errorLine(line);
    }
    return !lines.isEmpty();
}

int logPatienceMs(const QString &host, const QList<HostInfo> &hosts)
{
    if (!isElsewhere(host)) {
        return herePatienceMs;
    }
    return isAway(host, hosts) ? awayPatienceMs : onlinePatienceMs;
}

} // namespace trainyard::cli
