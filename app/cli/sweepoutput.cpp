// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweepoutput.h"

#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/results/outputresults.h"
#include "model/protocol/findings.h"
#include "model/sweep/worserule.h"
#include "widgets/text/columns.h"
#include "widgets/text/demandtexts.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QJsonObject demandJson(const JobDemand &demand)
{
    return {{u"gpus"_s, demand.gpus}, {u"cpus"_s, demand.cpus}, {u"memoryMiB"_s, demand.memoryMiB}};
}

QJsonObject parametersJson(const Sweep &sweep, qsizetype index)
{
    QJsonObject json;
    for (qsizetype i = 0; i < sweep.parameters.size(); ++i) {
        json.insert(sweep.parameters.at(i), sweep.points.at(index).at(i).toJson());
    }
    return json;
}

QJsonObject headJson(const Sweep &sweep)
{
    QJsonObject json{{u"group"_s, sweep.group}};
    if (sweep.plan.kind == SweepKind::Random) {
        json.insert(u"seed"_s, QString::number(sweep.plan.seed)); // which may be too large for a number of JSON
    }
    return json;
}

// Parameters that have other values than the range gives, which would be fractions.
QList<const SweepAxis *> roundedAxes(const Sweep &sweep)
{
    QList<const SweepAxis *> axes;
    for (const SweepAxis &axis : sweep.plan.axes) {
        if (axis.isRounded && sweep.plan.kind != SweepKind::Random) {
            axes.append(&axis);
        }
    }
    return axes;
}

void printAsJson(const Sweep &sweep)
{
    QJsonArray jobs;
    for (qsizetype i = 0; i < sweep.points.size(); ++i) {
        jobs.append(QJsonObject{{u"name"_s, sweep.nameOf(i)}, {u"parameters"_s, parametersJson(sweep, i)}});
    }
    QJsonObject json = headJson(sweep);
    json.insert(u"jobs"_s, jobs);
    QJsonArray rounded;
    for (const SweepAxis *axis : roundedAxes(sweep)) {
        rounded.append(axis->name);
    }
    json.insert(u"rounded"_s, rounded);
    json.insert(u"limit"_s, sweep.limit > 0 ? QJsonValue(sweep.limit) : QJsonValue());
    json.insert(u"stopWorse"_s, sweep.stopWorse.isEmpty() ? QJsonValue() : QJsonValue(sweep.stopWorse));
    json.insert(u"demand"_s,
        QJsonObject{
            {u"job"_s, demandJson(sweep.demand)}, {u"atOnce"_s, demandJson(sweep.demand.times(sweep.atOnce()))}});
    outJson(QJsonDocument(json));
}

constexpr qsizetype mostRanges = 6;

// "#71, #73 to #79": other jobs may be between them.
QString numbersText(const QList<qint64> &sorted)
{
    QStringList ranges;
    qsizetype told = 0;
    for (qsizetype i = 0; i < sorted.size() && ranges.size() < mostRanges;) {
        qsizetype last = i;
        while (last + 1 < sorted.size() && sorted.at(last + 1) == sorted.at(last) + 1) {
            ++last;
        }
        ranges.append(last == i ? u"#%1"_s.arg(sorted.at(i)) : tr("#%1 to #%2").arg(sorted.at(i)).arg(sorted.at(last)));
        i = told = last + 1;
    }
    const QString text = ranges.join(u", "_s);
    return told == sorted.size() ? text : tr("%1 and %2 more").arg(text).arg(sorted.size() - told);
}

// Jobs that the rule would have stopped by the values of all, had they run long enough, however they ended by
// themselves.
qsizetype endedTooEarly(const WorseRule &rule, const QList<JobSummary> &jobs, const QSet<QString> &wanted)
{
    QList<std::optional<ValueAtStep>> values;
    for (const JobSummary &job : jobs) {
        values.append(valueAtStep(job.results, rule));
    }
    qsizetype count = 0;
    for (qsizetype i = 0; i < jobs.size(); ++i) {
        const bool hasEnded = jobs.at(i).state == State::Succeeded || jobs.at(i).state == State::Failed;
        if (!hasEnded || !values.at(i) || wanted.contains(jobs.at(i).uuid)) {
            continue;
        }
        QList<ValueAtStep> others;
        for (qsizetype other = 0; other < jobs.size(); ++other) {
            if (other != i && values.at(other)) {
                others.append(*values.at(other));
            }
        }
        count += worseThanMedian(rule, *values.at(i), others) ? 1 : 0;
    }
    return count;
}

} // namespace

QString groupText(const QString &group, QList<qint64> numbers, qsizetype inGroup, qsizetype known)
{
    std::sort(numbers.begin(), numbers.end());
    const QString jobs = numbersText(numbers), count = QString::number(numbers.size());
    if (inGroup <= numbers.size()) {
        return numbers.size() == 1 ? tr("The group %1 has 1 job, %2.").arg(group, jobs)
                                   : tr("The group %1 has %2 jobs, %3.").arg(group, count, jobs);
    }
    const QString all = QString::number(inGroup);
    if (known > 0) {
        return tr("Of the %1 jobs of the group %2, %3 belong to this sweep: %4.").arg(all, group, count, jobs);
    }
    return numbers.size() == 1
        ? tr("1 job was added to the group %1, which has %2: %3.").arg(group, all, jobs)
        : tr("%1 jobs were added to the group %2, which has %3: %4.").arg(count, group, all, jobs);
}

void printSweep(const Sweep &sweep, bool json)
{
    if (json) {
        printAsJson(sweep);
        return;
    }
    QList<QStringList> rows{QStringList{tr("JOB")} + sweep.parameters};
    for (qsizetype i = 0; i < sweep.points.size(); ++i) {
        QStringList row{sweep.nameOf(i)};
        for (const Value &value : sweep.points.at(i)) {
            row.append(value.toText());
        }
        rows.append(row);
    }
    QStringList lines = alignedRows(rows);
    lines.first() = paint(Colour::Bold, lines.first());
    for (const QString &line : std::as_const(lines)) {
        outLine(line);
    }
    outLine({});
    for (const SweepAxis *axis : roundedAxes(sweep)) {
        const Value *known = sweep.job.parameters.find(axis->name);
        outLine(tr("The values of %1 are rounded to whole numbers, because it is %2 in the job. A range from %3.0 has "
                   "fractions.")
                    .arg(axis->name, known ? known->toText() : QString(), axis->values.constFirst().toText()));
    }
    const qint64 count = sweep.points.size();
    outLine(count == 1
            ? tr("1 job, which asks for %1.").arg(demandText(sweep.demand))
            : tr("%1 jobs, each of which asks for %2.").arg(QString::number(count), demandText(sweep.demand)));
    if (const qint64 most = sweep.atOnce(); most > 1) {
        outLine(tr("At most %1 of them run at the same time, with %2.")
                    .arg(QString::number(most), demandText(sweep.demand.times(most))));
    } else if (count > 1) {
        outLine(tr("They run one after the other."));
    }
    if (const QString text = ruleText(sweep); !text.isEmpty()) {
        outLine(text);
    }
    if (sweep.plan.kind == SweepKind::Random) {
        outLine(tr("The values are drawn with the seed %1.").arg(sweep.plan.seed));
    }
}

QString ruleText(const Sweep &sweep)
{
    const Result<WorseRule> rule = worseRule(sweep.stopWorse);
    if (!rule) {
        return {};
    }
    return (rule->isLessBetter ? tr("A job is stopped when its best %1 up to step %2 is greater than the median of the "
                                    "other jobs at that step.")
                               : tr("A job is stopped when its best %1 up to step %2 is less than the median of the "
                                    "other jobs at that step."))
        .arg(rule->metric, Value(rule->step).toText());
}

QString unknownMetricText(const Sweep &sweep, const QStringList &known)
{
    const Result<WorseRule> rule = worseRule(sweep.stopWorse);
    if (!rule || known.isEmpty() || known.contains(rule->metric)) {
        return {};
    }
    const QString unknown = tr("No earlier run of %1 has a metric named %2.").arg(sweep.job.name, rule->metric);
    const QString meant = nearest(rule->metric, known);
    if (meant.isEmpty()) {
        return unknown + u' ' + tr("They have: %1.").arg(known.join(u", "_s));
    }
    // The better direction follows from the name, and may be the opposite for the intended name.
    const Result<WorseRule> other = worseRule(meant + u'@' + Value(rule->step).toText());
    const QString direction = !other ? QString()
        : other->isLessBetter        ? u' ' + tr("Of %1, less is better.").arg(meant)
                                     : u' ' + tr("Of %1, more is better.").arg(meant);
    return unknown + didYouMean(rule->metric, known) + direction;
}

void printSubmitted(const Sweep &sweep, const QList<SubmitReply> &replies)
{
    QJsonArray jobs;
    for (qsizetype i = 0; i < replies.size(); ++i) {
        jobs.append(QJsonObject{{u"id"_s, replies.at(i).id}, {u"uuid"_s, replies.at(i).uuid},
            {u"name"_s, sweep.nameOf(i)}, {u"parameters"_s, parametersJson(sweep, i)}});
    }
    QJsonObject json = headJson(sweep);
    json.insert(u"jobs"_s, jobs);
    outJson(QJsonDocument(json));
}

QString unjudgedText(const Sweep &sweep, const QList<JobSummary> &jobs, const QSet<QString> &wanted)
{
    const Result<WorseRule> rule = worseRule(sweep.stopWorse);
    if (!rule) {
        return {};
    }
    int succeeded = 0, without = 0, unreached = 0;
    qint64 example = 0; // a job of these, to look at
    for (const JobSummary &job : jobs) {
        if (job.state != State::Succeeded) {
            continue; // it ended too early for it, or by it
        }
        const QJsonObject one = job.results.value(rule->metric).toObject();
        const bool lacksMetric = one.isEmpty() && !job.resultsPending;
        ++succeeded;
        without += lacksMetric ? 1 : 0;
        const bool isUnreached = lacksMetric || !one.value("at"_L1).toObject().value("reached"_L1).toBool(true);
        unreached += isUnreached ? 1 : 0;
        example = isUnreached && example == 0 ? job.id : example;
    }
    const bool hasOne = std::any_of(jobs.cbegin(), jobs.cend(), // also one that failed, or was stopped by the rule
        [&rule](const JobSummary &job) { return !job.results.value(rule->metric).toObject().isEmpty(); });
    if (succeeded > 0 && without == succeeded && !hasOne) {
        return tr("No job has a metric named %1, so the rule that stops the worse jobs was never applied. "
                  "'trainyardctl metrics %2' prints the names that one of them has.")
            .arg(rule->metric, QString::number(example));
    }
    QStringList sentences;
    if (const qsizetype early = endedTooEarly(*rule, jobs, wanted); early > 0) {
        sentences.append((early == 1
                ? tr("%1 of %2 jobs is worse than the median of the others at step %3 and was not stopped: it had "
                     "ended before the rule could be applied.")
                : tr("%1 of %2 jobs are worse than the median of the others at step %3 and were not stopped: they "
                     "had ended before the rule could be applied."))
                             .arg(QString::number(early), QString::number(jobs.size()), Value(rule->step).toText()));
    }
    if (unreached > 0) {
        sentences.append((unreached == 1
                ? tr("The rule that stops the worse jobs was not applied to %1 of %2 jobs: its %3 has no value at step "
                     "%4 or beyond. 'trainyardctl metrics %5' prints the steps.")
                : tr("The rule that stops the worse jobs was not applied to %1 of %2 jobs: their %3 has no value at "
                     "step %4 or beyond. 'trainyardctl metrics %5' prints the steps of one of them."))
                             .arg(QString::number(unreached), QString::number(jobs.size()), rule->metric,
                                 Value(rule->step).toText(), QString::number(example)));
    }
    return sentences.join(u' ');
}

} // namespace trainyard::cli
