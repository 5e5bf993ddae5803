// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "engine/api/usage.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 weekMs = 7 * 86'400'000LL;

struct UsageValues {
    QStringList words;
    std::optional<qint64> since;
    std::optional<QString> by;
    bool json = false;
};

UsageBy usageByOf(const QString &word)
{
    return word == "group"_L1 ? UsageBy::Group
        : word == "name"_L1   ? UsageBy::Name
        : word == "host"_L1   ? UsageBy::Host
                              : UsageBy::User;
}

QString hoursOf(qint64 ms) { return QString::number(double(ms) / 3'600'000, 'f', 1); }

void printTotals(const QList<UsageTotal> &totals, const QList<UsageLane> &lanes, qint64 from, qint64 to)
{
    QList<QStringList> rows{{QString(), tr("JOBS"), tr("TASK HOURS"), tr("GPU HOURS")}};
    for (const UsageTotal &total : totals) {
        rows.append({total.key.isEmpty() ? u"-"_s : total.key, QString::number(total.jobs), hoursOf(total.taskMs),
            hoursOf(total.gpuMs)});
    }
    for (const QString &line : alignedRows(rows)) {
        outLine(line);
    }
    QList<QStringList> gpus;
    for (const UsageLane &lane : lanes) {
        if (lane.gpu >= 0) {
            gpus.append({lane.host, tr("GPU %1").arg(lane.gpu),
                tr("%1 % in use").arg(qRound(100.0 * double(lane.busyMs) / double(std::max<qint64>(1, to - from))))});
        }
    }
    if (!gpus.isEmpty()) {
        outLine({});
        for (const QString &line : alignedRows(gpus)) {
            outLine(line);
        }
    }
}

QJsonObject usageJson(const QList<UsageTotal> &totals, const QList<UsageLane> &lanes, qint64 from, qint64 to,
    const QString &by, bool isWhole)
{
    constexpr double secondMs = 1000;
    QJsonArray all, gpus;
    for (const UsageTotal &total : totals) {
        all.append(QJsonObject{{by, total.key}, {u"jobs"_s, total.jobs},
            {u"taskSeconds"_s, double(total.taskMs) / secondMs}, {u"gpuSeconds"_s, double(total.gpuMs) / secondMs}});
    }
    for (const UsageLane &lane : lanes) {
        if (lane.gpu >= 0) {
            gpus.append(QJsonObject{
                {u"host"_s, lane.host}, {u"gpu"_s, lane.gpu}, {u"busySeconds"_s, double(lane.busyMs) / secondMs}});
        }
    }
    return {{u"from"_s, from}, {u"to"_s, to}, {u"totals"_s, all}, {u"gpus"_s, gpus}, {u"whole"_s, isWhole}};
}

int runUsage(const UsageValues &values)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const qint64 from = values.since.value_or(now - weekMs);
    const QString by = values.by.value_or(u"user"_s);
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<UsageReply> usage = session.call<api::GetUsage>({from, now}, tr("Reading the jobs ..."));
    if (!usage) {
        return report(usage.error());
    }
    const QList<UsageTotal> totals = usageTotals(usage->spans, usageByOf(by), from, now);
    const QList<UsageLane> lanes = usageLanes(usage->spans, from, now);
    if (values.json) {
        outJson(QJsonDocument(usageJson(totals, lanes, from, now, by, !usage->isCut)));
    } else if (totals.isEmpty()) {
        errorLine(tr("No task ran since %1.").arg(formatTime(from, now)));
    } else {
        printTotals(totals, lanes, from, now);
    }
    if (usage->isCut) {
        errorLine(
            tr("There are more tasks than can be counted at once: the oldest are left out. Give a later --since."));
    }
    return exitOk;
}

const CommandLine<UsageValues> &usageLine()
{
    static const CommandLine<UsageValues> line
        = CommandLine<UsageValues>(u"usage"_s, tr("Show who used the GPUs, and for how long"))
              .runs(runUsage)
              .text(tr("Shows how many hours tasks ran and GPUs were given to them, and for each GPU how much of the "
                       "time it was in use. Jobs that were removed do not count."))
              .option(u"--since TIME"_s, &UsageValues::since,
                  tr("count from this time on: a span before now (2d, 12h) or a local time. Without it, the last "
                     "seven days"),
                  timeBefore())
              .option(u"--by KEY"_s, &UsageValues::by, tr("sum up by user, group, name or host (default: user)"),
                  oneOf({u"user"_s, u"group"_s, u"name"_s, u"host"_s}))
              .values({u"user"_s, u"group"_s, u"name"_s, u"host"_s})
              .option(u"--json"_s, &UsageValues::json,
                  tr("print a JSON object, with times in seconds; whole is false if the oldest tasks are left out"))
              .examples({u"trainyardctl usage --since 30d"_s, u"trainyardctl usage --by group --json"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")}, {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command usageCommand() { return usageLine().command(); }

} // namespace trainyard::cli
