// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <optional>

namespace trainyard::launch
{

// What the wrapper of a task with prerequisites says in runtime.log (in the folder named by TRAINYARD_TASK_FOLDER).
enum class StepPhase { Before, User, After };
struct StepFailure {
    StepPhase phase = StepPhase::Before;
    QString name; // of the prerequisite or plugin; empty for the user's commands
    int status = 0; // as the shell reports it
};
// The end of runtime.log to the failure that ended the task; nothing when no step failed.
std::optional<StepFailure> stepFailure(QByteArrayView runtimeLog);

} // namespace trainyard::launch
