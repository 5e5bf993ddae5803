// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

namespace trainyard::launch
{

// Reads the report of the wrapper of a task with prerequisites in runtime.log, in the folder that TRAINYARD_TASK_FOLDER
// names.
enum class StepPhase { Before, User, After };
struct StepFailure {
    StepPhase phase = StepPhase::Before;
    QString name; // of the prerequisite or plugin; empty for the user's commands
    int status = 0; // as the shell reports it
    bool strict = false; // of a strict job: it counts like a failure of the user's commands
    QString cause; // what a plugin said why: "git-login", "storage-missing"; else empty
    QString about; // ... and of what
};
// The failure that ended the task, from the end of runtime.log; nothing when no step failed.
std::optional<StepFailure> stepFailure(QByteArrayView runtimeLog);

// The output of a step before the commands, and how the step ended.
struct PrintedStep {
    enum class End { None, Good, Ignored, Failed };
    End end = End::None; // none: it did not end, or the log ends before
    QList<QByteArrayView> lines; // of the log
};
// Counted from the beginning of runtime.log. A line that redraws itself appears there in its last state.
QList<PrintedStep> printedSteps(QByteArrayView runtimeLog);

// The service of a plugin while the task runs: "[INFO] SERVICE name address", of which the last line for each name
// counts. A service that ended or could not start has no address; `state` then says so (ended, failed, missing).
struct ServiceReport {
    QString name, address, state;
};
QList<ServiceReport> serviceReports(QByteArrayView runtimeLog);

// "[INFO] HELD OPEN status until": the commands have failed and the task is kept for inspection.
struct HoldReport {
    int status = 0;
    qint64 until = 0; // UTC milliseconds, by the clock of its host
};
std::optional<HoldReport> holdReport(QByteArrayView runtimeLog);

} // namespace trainyard::launch
