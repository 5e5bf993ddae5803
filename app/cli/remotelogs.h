// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace trainyard::cli
{

// The log of an ended task of which not everything is here: the rest was not fetched from another host, or the record
// of its end is missing, so that no more of it is written. Or there is less than the record says that was written, or
// all of it is gone.
struct MissingLog {
    QString task; // worker/0
    QString host; // empty: not known, or of no use
    QString folder;
    qint64 unwritten = 0; // bytes that a full disk did not take
    qint64 removed = 0; // bytes that were in the log when the task ended
    bool isGone = false; // also its folder
};

// The part that a log with a record of its end lacks: it never arrives.
std::optional<MissingLog> damageOf(const QString &task, const QString &host, const QString &folder);

// The folder of a try that ran, if it no longer exists.
std::optional<MissingLog> goneLog(const QString &task, const QString &host, const QString &folder);
// Whether the folder of an ended job that ran is not there any more, and its output with it.
bool isOutputGone(const JobDetail &detail);

QList<MissingLog> missingLogs(const QList<TaskInfo> &tasks);
// A sentence for each of the first logs, and one for all others.
QStringList missingLogLines(const QList<MissingLog> &missing, const QList<HostInfo> &hosts);
// The missing logs of the newest attempt of a finished job. Asks the engine only if the job ran on another host.
Result<QList<MissingLog>> missingLogsOf(Session &session, const JobSummary &job);
// Waits until the logs of an ended job are here, as long as they arrive. Those that are missing when no more bytes
// arrive are named on stderr.
void waitForLogs(Session &session, const JobSummary &job);
// On stderr, a sentence for each incomplete log. False when there is none.
bool sayMissingLogs(Session &session, const QList<TaskInfo> &tasks);
// After this time without a byte, the missing part of the log of an ended try counts as lost. Milliseconds.
int logPatienceMs(const QString &host, const QList<HostInfo> &hosts);

} // namespace trainyard::cli
