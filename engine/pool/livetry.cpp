// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/livetry.h"

#include "engine/api/reasons.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

Error LiveTry::trouble() const
{
    if (diskFull) {
        const bool isOver = std::holds_alternative<core::Stopping>(job->state.task(task).state);
        return {isOver ? u"stop.disk-full"_s : u"task.disk-full"_s, {{u"host"_s, host}, {u"folder"_s, folder}}};
    }
    if (kept && refused.isEmpty() && std::holds_alternative<core::Running>(job->state.task(task).state)) {
        return errorOf(reason::TaskKept{job->state.roleName(task), task.index, kept->status, kept->until});
    }
    if (!refused.isEmpty()) {
        return {refused, {{u"host"_s, host}, {u"argument"_s, folder}}};
    }
    if (copyLacksRoom) {
        return {u"task.copy-waits"_s, {{u"host"_s, host}}};
    }
    return withoutCheckpoints.code.isEmpty() ? otherEnvironment : withoutCheckpoints;
}

} // namespace trainyard
