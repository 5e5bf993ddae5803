// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/resulttexts.h"

#include "engine/api/jobfacts.h"
#include "widgets/text/formats.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

class Words
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Results)
public:
    static QString lag(const QString &age) { return tr("%1 behind: the output is still being read").arg(age); }
    static QString lagAt(const QString &age, const QString &step)
    {
        return tr("%1 behind: the output is still being read, up to step %2 so far").arg(age, step);
    }
    static QString unfinished(const JobSummary &job)
    {
        return isUnderway(job)            ? tr("Not final: the job has not ended.")
            : job.resultsPending          ? tr("Not final: the output is still being read.")
            : job.state == State::Stopped ? tr("Not final: the job was stopped.")
                                          : QString();
    }
    static QString percent(int percent) { return tr("%1 %").arg(percent); }
    static QString left(const QString &duration) { return tr("about %1 left").arg(duration); }
    static QString both(const QString &percent, const QString &left) { return tr("%1, %2").arg(percent, left); }
    static QString at(const QString &value, const QString &axis, const QString &step)
    {
        return axis == "step"_L1   ? tr("%1 at step %2").arg(value, step)
            : axis == "epoch"_L1   ? tr("%1 at epoch %2").arg(value, step)
            : axis == "episode"_L1 ? tr("%1 at episode %2").arg(value, step)
            : axis == "update"_L1  ? tr("%1 at update %2").arg(value, step)
            : axis == "round"_L1   ? tr("%1 at round %2").arg(value, step)
                                   : tr("%1 at %2").arg(value, step); // read when the axis was not kept
    }
    static QString least(const QString &value) { return tr("least %1").arg(value); }
    static QString greatest(const QString &value) { return tr("greatest %1").arg(value); }
    static QString unreached(const QString &metric, const QString &step, const QString &last)
    {
        return last.isEmpty()
            ? tr("%1 has no value at step %2 or beyond, so the rule that stops the worse jobs was not applied.")
                  .arg(metric, step)
            : tr("%1 has no value at step %2 or beyond (its last one is at %3), so the rule that stops the worse jobs "
                 "was not applied.")
                  .arg(metric, step, last);
    }
    static QString ofTask(const QString &text, const QString &task) { return tr("%1 (%2)").arg(text, task); }
    static QString broken() { return tr("now not a number"); }
};

// In steps that do not suggest an exact value.
qint64 roughly(qint64 ms)
{
    constexpr qint64 minute = 60'000, tenMinutes = 10 * minute, hour = 60 * minute;
    const auto steps = [ms](qint64 step) { return (ms + step / 2) / step * step; };
    return ms < minute    ? std::max<qint64>(1000, steps(ms < 10'000 ? 1000 : 5000))
        : ms < tenMinutes ? steps(15'000)
        : ms < hour       ? steps(minute)
                          : steps(5 * minute);
}

} // namespace

QString percentWords(double progress)
{
    return Words::percent(progress >= 1 ? 100 : std::clamp(int(std::floor(progress * 100)), 0, 99));
}

QString progressWords(std::optional<double> progress, std::optional<qint64> endExpected, qint64 now)
{
    const QString percent = progress ? percentWords(*progress) : QString();
    const QString left
        = endExpected ? Words::left(formatRoughDuration(roughly(std::max<qint64>(0, *endExpected - now)))) : QString();
    return percent.isEmpty() ? left : left.isEmpty() ? percent : Words::both(percent, left);
}

QString metricNumber(double value) { return std::isnan(value) ? u"NaN"_s : QString::number(value, 'g', 5); }

QList<ResultLine> resultLines(const QJsonObject &results)
{
    QList<ResultLine> lines;
    for (auto it = results.begin(); it != results.end(); ++it) {
        const QJsonObject one = it->toObject();
        const auto valueAt = [&one](const QString &value, const QString &step) -> QString {
            const QString number = metricNumber(one.value(value).toDouble());
            return one.contains(step) ? Words::at(
                       number, one.value("axis"_L1).toString(), QString::number(one.value(step).toDouble(), 'g', 10))
                                      : number;
        };
        QStringList parts;
        if (one.contains("last"_L1)) {
            parts.append(valueAt(u"last"_s, u"step"_s));
            const double last = one.value("last"_L1).toDouble();
            if (one.value("least"_L1).toDouble() < last) {
                parts.append(Words::least(valueAt(u"least"_s, u"leastAt"_s)));
            }
            if (one.value("most"_L1).toDouble() > last) {
                parts.append(Words::greatest(valueAt(u"most"_s, u"mostAt"_s)));
            }
        }
        if (one.value("broken"_L1).toBool()) {
            parts.append(Words::broken());
        }
        const QString text = parts.join(", "_L1), task = one.value("task"_L1).toString();
        if (!text.isEmpty()) { // a metric may be there only for its rule
            lines.append({it.key(), task.isEmpty() ? text : Words::ofTask(text, task)});
        }
    }
    return lines;
}

QString lagText(const JobSummary &job, qint64 now)
{
    constexpr qint64 worthSayingMs = 30'000; // reading goes in steps
    const qint64 lag = job.resultsUpTo ? now - *job.resultsUpTo : 0;
    if (isFinal(job.state) || lag < worthSayingMs) {
        return {};
    }
    double step = -1;
    for (const QJsonValue each : job.results) {
        step = std::max(step, each.toObject().value("step"_L1).toDouble(-1));
    }
    const QString age = formatRoughDuration(lag);
    return step < 0 ? Words::lag(age) : Words::lagAt(age, QString::number(step, 'g', 10));
}

QString unfinishedText(const JobSummary &job) { return Words::unfinished(job); }

QString unreachedRuleText(const QJsonObject &results)
{
    const auto step = [](const QJsonValue &value) {
        return value.isDouble() ? QString::number(value.toDouble(), 'g', 10) : QString();
    };
    for (auto it = results.begin(); it != results.end(); ++it) {
        const QJsonObject one = it->toObject(), at = one.value("at"_L1).toObject();
        if (!at.value("reached"_L1).toBool(true)) {
            return Words::unreached(it.key(), step(at.value("step"_L1)), step(one.value("step"_L1)));
        }
    }
    return {};
}

} // namespace trainyard
