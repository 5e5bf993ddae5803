// SPDX-License-Identifier: GPL-3.0-or-later
// Which ended jobs are to be removed, and when.
#include "engine/api/valuejson.h"
#include "engine/store/storecolumns.h"
#include "engine/store/storeprivate.h"

namespace trainyard
{

using namespace columns;

namespace
{

PlannedRemoval removalFrom(const QVariant &data) { return valuejson::valueFrom<PlannedRemoval>(jsonObject(data)); }

} // namespace

void Store::saveRemoval(qint64 job, const std::optional<PlannedRemoval> &removal)
{
    if (removal) {
        d->write(
            "INSERT OR REPLACE INTO removal(job, data) VALUES(?, ?)", job, jsonText(valuejson::objectOf(*removal)));
    } else {
        d->write("DELETE FROM removal WHERE job=?", job);
    }
}

std::vector<core::EndedJob> Store::ended() const
{
    std::vector<core::EndedJob> jobs;
    Private::Rows rows = d->read("SELECT id, uuid, COALESCE(completed, submitted), COALESCE(starred, 0),"
                                 " CAST(removal.data AS BLOB) FROM job LEFT JOIN label ON label.job = job.id"
                                 " LEFT JOIN removal ON removal.job = job.id"
                                 " WHERE state IN ('SUCCEEDED', 'FAILED', 'STOPPED') ORDER BY id");
    while (rows.next()) {
        core::EndedJob job;
        job.id = rows.value(0).toLongLong();
        job.uuid = rows.value(1).toString();
        job.ended = rows.value(2).toLongLong();
        job.isStarred = rows.value(3).toBool();
        if (!rows.value(4).isNull()) {
            job.removal = removalFrom(rows.value(4));
        }
        jobs.push_back(std::move(job));
    }
    return jobs;
}

std::optional<PlannedRemoval> Store::removal(qint64 job) const
{
    Private::Rows rows = d->read("SELECT CAST(data AS BLOB) FROM removal WHERE job=?", job);
    return rows.next() ? std::optional(removalFrom(rows.value(0))) : std::nullopt;
}

QList<PlannedRemoval> Store::removals() const
{
    QList<PlannedRemoval> all;
    Private::Rows rows = d->read("SELECT CAST(data AS BLOB) FROM removal ORDER BY job");
    while (rows.next()) {
        all.append(removalFrom(rows.value(0)));
    }
    return all;
}

void Store::Private::addRemovals(QList<JobSummary> &jobs) const
{
    addTo(jobs, "SELECT job, CAST(data AS BLOB) FROM removal WHERE job BETWEEN ? AND ? ORDER BY job DESC",
        [](JobSummary &job, const QVariant &data) { job.removal = removalFrom(data); });
}

} // namespace trainyard
