// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"

#include <QStringList>

// The announced removal of ended jobs by age and size (docs/execution.md). Times are UTC milliseconds.
namespace trainyard
{

// The planned removal of one ended job, for as long as the announcement stands.
struct PlannedRemoval {
    qint64 announced = 0;
    qint64 due = 0; // not before
    QString setting; // jobs.keepDays or jobs.keepGiB
    qint64 bytes = 0; // of its folder on this computer, when it was announced
    friend bool operator==(const PlannedRemoval &, const PlannedRemoval &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, PlannedRemoval> &m)
{
    members(io, "announced", m.announced, "due", m.due, "setting", m.setting, "bytes", m.bytes);
}

// What the removal of several jobs means together.
struct RemovalOutlook {
    int jobs = 0;
    qint64 bytes = 0;
    qint64 from = 0, until = 0; // when the first and the last of them is due
    QStringList settings; // sorted, each once
    friend bool operator==(const RemovalOutlook &, const RemovalOutlook &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, RemovalOutlook> &m)
{
    members(io, "jobs", m.jobs, "bytes", m.bytes, "from", m.from, "until", m.until, "settings", m.settings);
}

RemovalOutlook outlookOf(const QList<PlannedRemoval> &removals);

} // namespace trainyard
