// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/retry.h"
#include "model/runtime/exitrules.h"

#include <QByteArrayView>

namespace trainyard::core
{

// The facts about the end of a try before it is classified.
struct RawExit {
    enum class Kind { Exited, Signaled, Oom, StartFailed, Lost };
    // The part of the task that ended; set from the wrapper's report (engine/launch/stepreport.h) or by the engine.
    enum class Phase { User, Before, After, Barrier, PortCheck, Preparation, Image };
    Kind kind = Kind::Exited;
    int value = 0; // exit status, also for Oom; signal number, or errno for StartFailed
    Phase phase = Phase::User;
    QString step; // name of the prerequisite or plugin that failed
    bool strict = false; // a step of a strict job: what it returned is judged like what the user's commands return
    bool upstreamOrder = false; // of a strict job: the first rule that matches decides, wherever its line is
    QString cause, about; // why the step failed, when its plugin said so ("git-login")
    QString reason; // as the exit record has it: a code, then a blank and its argument ("launch.cwd-missing /data")
    bool eccErrors = false; // a GPU of the task reports double-bit memory errors, which may be older
    bool eccRose = false; // ... and they came during the run
    bool gpuLost = false; // the device vanished
    QByteArray gpuErrors = {}; // what the driver said of the GPUs meanwhile, in lines; a part of the log
    bool imageMissing = false;
};

// The status of the process, as a shell reports it: 128 + signal. Nothing when it never ran.
std::optional<int> rawExitOf(const RawExit &exit);

struct Classified {
    int code = 0;
    QString rule; // phrase of the rule that matched ("ContainerCudaOOMKilled"), or empty
    QByteArray
        matched; // the log line that made it, cut to 2 KiB; shown, never stored with secrets (masked by the keeper)
    QString reason; // code of a sentence, or empty: "exit.step" {step, status}, "launch.cwd-missing", ...
    QJsonObject reasonArgs;
    bool saysOwnWords = false; // the user's own about a code that their rule gave: nothing explains the end better
};

// Gives the completion code of a raw exit and the end of its log, of which at most the last 10 MiB are read.
Classified classifyExit(const ExitRules &rules, const RawExit &exit, QByteArrayView userLog);

} // namespace trainyard::core
