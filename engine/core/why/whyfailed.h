// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"
#include "model/runtime/failurecauses.h"

#include <QByteArrayView>
#include <QList>

#include <optional>

namespace trainyard::core
{

// What of an output went to standard error.
struct WrittenErrors {
    qint64 lastLine = 0; // number of the last such line in the whole output, from 1; 0: there is none
    bool isOnlyOne = false;
};

// The most that a run used of the memory, and what there was; 0: not known.
struct UsedMemory {
    qint64 usedMiB = 0, limitMiB = 0, hostMiB = 0;
};

// What the steps before the commands of a run have printed, by numbers of its lines: those of steps whose failure is
// ignored, in their order, and the last one of a step that the run went on after.
struct StepLines {
    QList<qint64> ignored;
    qint64 last = 0; // 0: there is none
};

// What is known of a run that failed.
struct FailedRun {
    std::optional<int> status; // as a shell reports it: 128 + signal; nothing: not known
    QByteArrayView output; // its end
    qint64 firstLine = 1; // number of the first line of `output` in the whole
    bool outOfMemory = false; // the kernel said that it ended the run for that
    std::optional<WrittenErrors> errors = {}; // nothing: which of its outputs a line went to is not known
    UsedMemory memory = {};
    StepLines steps = {};
};

// The bytes of an output, from its end, that are looked at.
inline constexpr qsizetype whySearchedBytes = 10 * 1024 * 1024;

// Why a run failed: the first of its errors that nothing else explains (docs/execution.md, "Why a task failed"). It
// says "likely" where the output does not prove it, and never guesses a cause that it does not show.
FailureFacts whyFailed(const FailureCauses &causes, const FailedRun &run);

} // namespace trainyard::core
