// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/health.h"

#include "engine/api/valuefields.h"
#include "engine/api/valuejson.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

const QStringList &healthKinds()
{
    static const QStringList kinds{
        u"not-finite"_s, u"jump"_s, u"plateau"_s, u"silent"_s, u"gpu-idle"_s, u"data-bound"_s, u"memory"_s};
    return kinds;
}

QString healthKind(const QString &code)
{
    const QString word = code.section(u'.', 1);
    return word == "gpu-never"_L1 ? u"gpu-idle"_s : word;
}

QJsonArray healthJson(const QList<HealthMark> &marks)
{
    QJsonArray array;
    for (const HealthMark &mark : marks) {
        array.append(valuejson::objectOf(mark));
    }
    return array;
}

QList<HealthMark> healthFrom(const QJsonArray &json)
{
    QList<HealthMark> marks;
    for (const QJsonValue &item : json) {
        HealthMark mark;
        if (valuejson::readObject(item.toObject(), mark) && !mark.code.isEmpty()) {
            marks.append(mark);
        }
    }
    return marks;
}

const HealthMark *brokenLoss(const QList<HealthMark> &marks, const TaskInfo &task)
{
    constexpr qint64 clocksMs = 5000; // by which those of hosts may differ
    const qint64 began = task.tryLaunched.value_or(task.launched.value_or(0)) - clocksMs;
    const auto found = std::find_if(marks.cbegin(), marks.cend(), [&](const HealthMark &mark) {
        return mark.code == "health.not-finite"_L1 && mark.metric.contains("loss"_L1, Qt::CaseInsensitive)
            && mark.role == task.role && mark.index == task.index && mark.at >= began;
    });
    return found != marks.cend() ? &*found : nullptr;
}

} // namespace trainyard
