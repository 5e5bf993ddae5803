// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

// What users, groups and hosts used over days: the tries of tasks as spans of time, and sums of these. The functions
// are pure; times are UTC milliseconds.
namespace trainyard
{

// One try of a task, on its host.
struct UsageSpan {
    qint64 job = 0; // its number
    QString uuid, name, user, group;
    QString role;
    int index = 0;
    QString host; // id
    QList<int> gpus;
    qint64 from = 0;
    std::optional<qint64> to; // nothing: it runs
    QString state; // as stateWord() has it
    int gpuCount = 0; // GPUs of a cluster, which does not say which ones
    friend bool operator==(const UsageSpan &, const UsageSpan &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, UsageSpan> &m)
{
    members(io, "job", m.job, "uuid", m.uuid, "name", m.name, "user", m.user, "group", m.group, "role", m.role, "index",
        m.index, "host", m.host, "gpus", m.gpus, "from", m.from, "to", m.to, "state", m.state);
    io.when(m.gpuCount > 0, QStringLiteral("gpuCount"), m.gpuCount);
}

struct UsageTimes {
    qint64 from = 0, to = 0; // 0: until now
};
template <typename Io> void fields(Io &io, Of<Io, UsageTimes> &m) { members(io, "from", m.from, "to", m.to); }

struct UsageReply {
    QList<UsageSpan> spans; // by their begin
    bool isCut = false; // there were more: those that began first are left out
};
template <typename Io> void fields(Io &io, Of<Io, UsageReply> &m) { members(io, "spans", m.spans, "isCut", m.isCut); }

namespace api
{
using GetUsage = Call<"usage", UsageTimes, UsageReply>; // of all jobs, active or not, that are not removed
}

// The part of a span that lies within these times; 0 if there is none.
qint64 msWithin(const UsageSpan &span, qint64 from, qint64 to);

enum class UsageBy { User, Group, Name, Host };
struct UsageTotal {
    QString key; // empty: jobs without a group or without a user
    int jobs = 0;
    qint64 taskMs = 0, gpuMs = 0; // of GPUs, each counts
};
// The most first.
QList<UsageTotal> usageTotals(const QList<UsageSpan> &spans, UsageBy by, qint64 from, qint64 to);

// One GPU of a host over time. A host of which no task had a GPU has as many slots as tasks ran there at once.
struct UsageLane {
    QString host;
    int gpu = -1; // -1: a slot
    int slot = 0;
    QList<qsizetype> spans; // their positions in the list, by time
    qint64 busyMs = 0; // within the stretch of time; where tasks share the GPU, it counts once
};
QList<UsageLane> usageLanes(const QList<UsageSpan> &spans, qint64 from, qint64 to); // by host, then GPU or slot

} // namespace trainyard
