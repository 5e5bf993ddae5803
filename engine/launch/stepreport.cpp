// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/stepreport.h"

#include <QByteArray>

namespace trainyard::launch
{

std::optional<StepFailure> stepFailure(QByteArrayView runtimeLog)
{
    static constexpr QByteArrayView mark = "] [trainyard] [ERROR] STEP FAILED ";
    const qsizetype at = runtimeLog.lastIndexOf(mark);
    if (at < 0) {
        return std::nullopt;
    }
    const qsizetype begin = at + mark.size();
    const qsizetype end = runtimeLog.indexOf('\n', begin);
    if (end < 0) {
        return std::nullopt; // not whole
    }
    const QByteArray line = runtimeLog.sliced(begin, end - begin).toByteArray();
    const qsizetype first = line.indexOf(' ');
    const qsizetype second = line.indexOf(' ', first + 1);
    if (first < 0 || second < 0) {
        return std::nullopt;
    }
    bool isNumber = false;
    StepFailure failure;
    failure.phase = line.startsWith("after ") ? StepPhase::After : StepPhase::Before;
    failure.status = line.mid(first + 1, second - first - 1).toInt(&isNumber);
    failure.name = QString::fromUtf8(line.mid(second + 1));
    return isNumber ? std::optional(failure) : std::nullopt;
}

} // namespace trainyard::launch
