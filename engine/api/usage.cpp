// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/usage.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <tuple>

namespace trainyard
{
namespace
{

QString keyOf(const UsageSpan &span, UsageBy by)
{
    switch (by) {
    case UsageBy::User:
        return span.user;
    case UsageBy::Group:
        return span.group;
    case UsageBy::Name:
        return span.name;
    case UsageBy::Host:
        break;
    }
    return span.host;
}

// The time in which any of the spans was there.
qint64 msCovered(const QList<UsageSpan> &spans, const QList<qsizetype> &places, qint64 from, qint64 to)
{
    qint64 sum = 0;
    qint64 until = from;
    for (const qsizetype place : places) { // by their begin
        const UsageSpan &span = spans.at(place);
        const qint64 begin = std::max(until, span.from);
        const qint64 end = std::min(to, span.to.value_or(to));
        sum += std::max<qint64>(0, end - begin);
        until = std::max(until, end);
    }
    return sum;
}

} // namespace

qint64 msWithin(const UsageSpan &span, qint64 from, qint64 to)
{
    return std::max<qint64>(0, std::min(to, span.to.value_or(to)) - std::max(from, span.from));
}

QList<UsageTotal> usageTotals(const QList<UsageSpan> &spans, UsageBy by, qint64 from, qint64 to)
{
    QHash<QString, UsageTotal> totals;
    QHash<QString, QSet<qint64>> jobs;
    for (const UsageSpan &span : spans) {
        const qint64 ms = msWithin(span, from, to);
        if (ms == 0) {
            continue;
        }
        const QString key = keyOf(span, by);
        UsageTotal &total = totals[key];
        total.key = key;
        total.taskMs += ms;
        total.gpuMs += ms * std::max<qint64>(span.gpus.size(), span.gpuCount);
        jobs[key].insert(span.job);
    }
    QList<UsageTotal> all;
    for (auto it = totals.begin(); it != totals.end(); ++it) {
        it->jobs = int(jobs.value(it.key()).size());
        all.append(*it);
    }
    std::sort(all.begin(), all.end(), [](const UsageTotal &a, const UsageTotal &b) {
        return std::tie(b.gpuMs, b.taskMs, a.key) < std::tie(a.gpuMs, a.taskMs, b.key);
    });
    return all;
}

QList<UsageLane> usageLanes(const QList<UsageSpan> &spans, qint64 from, qint64 to)
{
    QList<qsizetype> order;
    QSet<QString> withGpus;
    for (qsizetype i = 0; i < spans.size(); ++i) {
        if (msWithin(spans.at(i), from, to) > 0) {
            order.append(i);
            if (!spans.at(i).gpus.isEmpty()) {
                withGpus.insert(spans.at(i).host);
            }
        }
    }
    std::stable_sort(
        order.begin(), order.end(), [&spans](qsizetype a, qsizetype b) { return spans.at(a).from < spans.at(b).from; });
    QMap<std::pair<QString, int>, UsageLane> gpus;
    QMap<QString, QList<UsageLane>> slotsOf;
    QMap<QString, QList<qint64>> freeFrom; // of the slots
    for (const qsizetype place : std::as_const(order)) {
        const UsageSpan &span = spans.at(place);
        for (const int gpu : span.gpus) {
            UsageLane &lane = gpus[{span.host, gpu}];
            lane.host = span.host;
            lane.gpu = gpu;
            lane.spans.append(place);
        }
        if (!span.gpus.isEmpty() || withGpus.contains(span.host)) {
            continue;
        }
        QList<qint64> &free = freeFrom[span.host];
        const auto first = std::find_if(free.begin(), free.end(), [&](qint64 at) { return at <= span.from; });
        const auto slot = int(first - free.begin());
        QList<UsageLane> &lanes = slotsOf[span.host];
        if (slot == lanes.size()) {
            UsageLane lane;
            lane.host = span.host;
            lane.slot = slot;
            lanes.append(lane);
            free.append(0);
        }
        lanes[slot].spans.append(place);
        free[slot] = span.to.value_or(to);
    }
    QList<UsageLane> all = gpus.values();
    for (const QList<UsageLane> &lanes : std::as_const(slotsOf)) {
        all += lanes;
    }
    std::stable_sort(all.begin(), all.end(), [](const UsageLane &a, const UsageLane &b) { return a.host < b.host; });
    for (UsageLane &lane : all) {
        lane.busyMs = msCovered(spans, lane.spans, from, to);
    }
    return all;
}

} // namespace trainyard
