// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweepoutput.h"

#include "app/cli/console.h"
#include "model/sweep/worserule.h"
#include "widgets/text/columns.h"
#include "widgets/text/demandtexts.h"

#include <QJsonArray>

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

void printAsJson(const Sweep &sweep)
{
    QJsonArray jobs;
    for (qsizetype i = 0; i < sweep.points.size(); ++i) {
        jobs.append(QJsonObject{{u"name"_s, sweep.nameOf(i)}, {u"parameters"_s, parametersJson(sweep, i)}});
    }
    QJsonObject json = headJson(sweep);
    json.insert(u"jobs"_s, jobs);
    json.insert(u"limit"_s, sweep.limit > 0 ? QJsonValue(sweep.limit) : QJsonValue());
    json.insert(u"stopWorse"_s, sweep.stopWorse.isEmpty() ? QJsonValue() : QJsonValue(sweep.stopWorse));
    json.insert(u"demand"_s,
        QJsonObject{
            {u"job"_s, demandJson(sweep.demand)}, {u"atOnce"_s, demandJson(sweep.demand.times(sweep.atOnce()))}});
    outJson(QJsonDocument(json));
}

} // namespace

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
    if (const Result<WorseRule> rule = worseRule(sweep.stopWorse)) {
        outLine((rule->isLessBetter
                ? tr("A job is stopped when its best %1 up to step %2 is greater than the median of the "
                     "other jobs at that step.")
                : tr("A job is stopped when its best %1 up to step %2 is less than the median of the "
                     "other jobs at that step."))
                    .arg(rule->metric, Value(rule->step).toText()));
    }
    if (sweep.plan.kind == SweepKind::Random) {
        outLine(tr("The values are drawn with the seed %1.").arg(sweep.plan.seed));
    }
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

QString unjudgedText(const Sweep &sweep, const QList<JobSummary> &jobs)
{
    const Result<WorseRule> rule = worseRule(sweep.stopWorse);
    if (!rule) {
        return {};
    }
    int succeeded = 0, without = 0, unreached = 0;
    for (const JobSummary &job : jobs) {
        if (job.state != State::Succeeded) {
            continue; // it ended too early for it, or by it
        }
        const QJsonObject one = job.results.value(rule->metric).toObject();
        ++succeeded;
        without += one.isEmpty() ? 1 : 0;
        unreached += one.value("at"_L1).toObject().value("reached"_L1).toBool(true) ? 0 : 1;
    }
    if (succeeded > 0 && without == succeeded) {
        return tr("No job has a metric named %1, so the rule that stops the worse jobs was never applied. "
                  "'trainyardctl metrics JOB' prints the names.")
            .arg(rule->metric);
    }
    return unreached == 0
        ? QString()
        : tr("The rule that stops the worse jobs was not applied to %1 of %2 jobs: their %3 has no "
             "value at step %4 or beyond. 'trainyardctl metrics JOB' prints the steps.")
              .arg(QString::number(unreached), QString::number(jobs.size()), rule->metric, Value(rule->step).toText());
}

} // namespace trainyard::cli
