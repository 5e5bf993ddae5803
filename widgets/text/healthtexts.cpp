// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/healthtexts.h"

#include "engine/api/tasklabel.h"
#include "widgets/text/formats.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

struct HealthWords {
    Q_DECLARE_TR_FUNCTIONS(trainyard::Health)
};

QString stepText(double step) { return QString::number(step, 'f', step == double(qint64(step)) ? 0 : 2); }

// The numbers of a mark as people read them.
QJsonObject wordsOf(const HealthMark &mark, qint64 now)
{
    QJsonObject args = mark.args;
    for (const auto &name : {"before"_L1, "best"_L1, "value"_L1}) {
        if (args.value(name).isDouble()) {
            args.insert(name, metricNumber(args.value(name).toDouble()));
        }
    }
    for (const auto &name : {"nowMiB"_L1, "perHourMiB"_L1, "limitMiB"_L1}) {
        if (args.contains(name)) {
            args.insert(name, formatMiB(args.value(name).toInteger()));
        }
    }
    if (args.contains("longestMs"_L1)) {
        args.insert("longest"_L1, formatDuration(args.value("longestMs"_L1).toInteger()));
    }
    if (args.contains("fullAt"_L1)) {
        args.insert("when"_L1, formatTime(args.value("fullAt"_L1).toInteger(), now));
    }
    if (args.contains("fullStep"_L1)) {
        args.insert("fullStep"_L1, stepText(args.value("fullStep"_L1).toDouble()));
    }
    args.insert("metric"_L1, mark.metric);
    args.insert("since"_L1, formatTime(mark.at, now));
    if (mark.step) {
        args.insert("step"_L1, stepText(*mark.step));
    }
    return args;
}

} // namespace

bool countsEpochs(const HealthMark &mark) { return mark.step && mark.args.value("counts"_L1) == "epoch"_L1; }

QString healthText(const HealthMark &mark, qint64 now)
{
    const QJsonObject args = wordsOf(mark, now);
    // The same with more of what is known.
    QString code = mark.code;
    if (countsEpochs(mark) && hasSentence(code + "-at-epoch"_L1)) {
        return sentence(code + "-at-epoch"_L1, args);
    }
    for (const auto &[member, suffix] :
        {std::pair("step"_L1, "-at-step"_L1), std::pair("fullStep"_L1, "-at-step"_L1)}) {
        if (args.contains(member) && hasSentence(code + suffix)) {
            code += suffix;
            break;
        }
    }
    return sentence(code, args);
}

QString healthLine(const HealthMark &mark, int tasks, qint64 now)
{
    const QString text = healthText(mark, now);
    return tasks > 1 && !mark.role.isEmpty() ? QString(taskLabel(mark.role, mark.index) + u": "_s + text) : text;
}

QString healthWords(const QString &code)
{
    return code == "health.not-finite"_L1 ? HealthWords::tr("not a number")
        : code == "health.jump"_L1        ? HealthWords::tr("loss jumped")
        : code == "health.plateau"_L1     ? HealthWords::tr("no improvement")
        : code == "health.silent"_L1      ? HealthWords::tr("silent")
        : code == "health.gpu-idle"_L1    ? HealthWords::tr("GPU idle")
        : code == "health.gpu-never"_L1   ? HealthWords::tr("GPU not used")
        : code == "health.data-bound"_L1  ? HealthWords::tr("waits for data")
        : code == "health.memory"_L1      ? HealthWords::tr("memory runs out")
                                          : code.section(u'.', 1);
}

QString healthBrief(const HealthMark &mark)
{
    if (mark.code != "health.not-finite"_L1 || mark.metric.isEmpty()) {
        return healthWords(mark.code);
    }
    const QString value = mark.args.value("value"_L1).toString(u"NaN"_s);
    return countsEpochs(mark) ? HealthWords::tr("%1 is %2 since epoch %3").arg(mark.metric, value, stepText(*mark.step))
        : mark.step           ? HealthWords::tr("%1 is %2 since step %3").arg(mark.metric, value, stepText(*mark.step))
                              : HealthWords::tr("%1 is %2").arg(mark.metric, value);
}

QString brokenBrief(const JobSummary &job)
{
    const auto mark = std::find_if(job.health.cbegin(), job.health.cend(),
        [](const HealthMark &each) { return each.code == "health.not-finite"_L1; });
    return mark == job.health.cend() ? QString() : healthBrief(*mark);
}

} // namespace trainyard
