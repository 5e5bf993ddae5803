// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what an engine needs to go on with a job.
#include "engine/store/statejson.h"
#include "engine/store/storecolumns.h"
#include "engine/store/storeprivate.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace trainyard
{

using namespace columns;

std::vector<StoredJob> Store::unfinished() const
{
    return loadWhere(u"state IN ('WAITING', 'RUNNING', 'STOPPING', 'UNKNOWN')"_s);
}

std::optional<StoredJob> Store::load(qint64 job) const
{
    std::vector<StoredJob> jobs = loadWhere(u"id = %1"_s.arg(job));
    return jobs.empty() ? std::nullopt : std::optional(std::move(jobs.front()));
}

QStringList Store::hostsOf(qint64 job) const
{
    QStringList hosts;
    Private::Rows rows = d->read("SELECT host FROM task WHERE job=? AND host <> '' UNION SELECT host FROM earlier_try"
                                 " WHERE job=? AND host <> ''",
        job, job);
    while (rows.next()) {
        hosts.append(rows.value(0).toString());
    }
    return hosts;
}

std::vector<StoredJob> Store::loadWhere(const QString &condition) const
{
    std::vector<StoredJob> jobs;
    QSqlQuery statement(d->database);
    statement.setForwardOnly(true);
    statement.exec(
        u"SELECT id, uuid, name, run_name, user, submitted, priority, virtual_cluster, file, target, "
        u"policy, machine.data, grouped, CAST(parameters AS BLOB), CAST(label.tags AS BLOB), note, starred,"
        " archived, command FROM job JOIN machine ON machine.job = job.id LEFT JOIN label ON label.job = job.id"
        " WHERE "_s
        + condition + u" ORDER BY id"_s);
    Private::Rows rows(*d, statement);
    while (rows.next()) {
        core::JobMeta meta;
        meta.id = rows.value(0).toLongLong();
        meta.name = rows.value(2).toString();
        meta.runName = rows.value(3).toString();
        meta.user = rows.value(4).toString();
        meta.virtualCluster = rows.value(7).toString();
        meta.file = rows.value(8).toString();
        meta.target = rows.value(9).toString();
        StoredJob job{core::newJob(QUuid::fromString(rows.value(1).toString()), meta,
                          core::JobPolicy::fromJson(jsonObject(rows.value(10))), rows.value(5).toLongLong(),
                          rows.value(6).toInt()),
            {}, listedFrom(rows.row(), 12)};
        machineFromJson(jsonObject(rows.value(11)), job.state);

        Private::Rows attempts = d->read("SELECT data FROM attempt WHERE job=? ORDER BY idx", meta.id);
        while (attempts.next()) {
            job.state.attempts.push_back(attemptFromJson(jsonObject(attempts.value(0)).value("record"_L1).toObject()));
        }
        Private::Rows tasks
            = d->read("SELECT role, idx, data FROM task WHERE job=? AND attempt=?", meta.id, job.state.attempt());
        while (tasks.next()) {
            const core::TaskRef ref{tasks.value(0).toInt(), tasks.value(1).toInt()};
            if (job.state.contains(ref)) {
                job.state.task(ref) = taskFromJson(jsonObject(tasks.value(2)));
            }
        }
        core::recount(job.state);
        job.document = document(meta.id).value_or(StoredDocument{});
        job.state.meta.assistant = job.document.assistant;
        jobs.push_back(std::move(job));
    }
    return jobs;
}

std::optional<StoredDocument> Store::document(qint64 job) const
{
    Private::Rows row = d->read("SELECT yaml, data FROM document WHERE job=?", job);
    return row.next() ? std::optional(documentFrom(row.value(0).toByteArray(), row.value(1))) : std::nullopt;
}

QList<EarlierText> Store::earlierTexts(qint64 job) const
{
    QList<EarlierText> texts;
    Private::Rows rows
        = d->read("SELECT attempt, yaml, parameters FROM earlier_text WHERE job=? ORDER BY attempt DESC", job);
    qint64 bytes = 0;
    while (rows.next()) {
        const QVariant yaml = rows.value(1);
        bytes += yaml.toByteArray().size() + rows.value(2).toByteArray().size();
        const bool isKnown = !yaml.isNull() && bytes <= mostEarlierTextBytes;
        texts.prepend({rows.value(0).toInt(), isKnown, isKnown ? yaml.toByteArray() : QByteArray(),
            isKnown ? jsonObject(rows.value(2)) : QJsonObject()});
    }
    return texts;
}

} // namespace trainyard
