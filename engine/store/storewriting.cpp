// SPDX-License-Identifier: GPL-3.0-or-later
// What is written of jobs, events and hosts.
#include "engine/core/report.h"
#include "engine/store/statejson.h"
#include "engine/store/storecolumns.h"
#include "engine/store/storeprivate.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

using namespace columns;

qint64 Store::addJob(core::JobState &state, const StoredDocument &document)
{
    const JobSummary summary = core::summaryOf(state);
    const std::optional<qint64> id = d->write("INSERT INTO job(uuid, name, run_name, user, state, sub, submitted, "
                                              "priority, virtual_cluster, file, gpus, tasks,"
                                              " roles) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        summary.uuid, summary.name, state.meta.runName, summary.user, stateWord(summary.state), summary.subState,
        summary.submitted, state.priority, summary.virtualCluster, summary.file.isNull() ? u""_s : summary.file,
        summary.totalGpu, summary.totalTasks, summary.totalRoles);
    if (!id) {
        return 0;
    }
    state.meta.id = *id;
    d->write("INSERT INTO document(job, yaml, data) VALUES(?, ?, ?)", *id,
        document.yaml.isNull() ? QByteArray("") : document.yaml, dataOf(document));
    d->write("INSERT INTO machine(job, policy, data) VALUES(?, ?, ?)", *id, jsonText(state.policy.toJson()),
        jsonText(machineToJson(state)));
    saveJob(state);
    for (std::size_t i = 0; i < state.attempts.size(); ++i) {
        saveAttempt(state, int(i));
    }
    if (!state.attempts.empty()) {
        saveTasks(state);
    }
    return *id;
}

void Store::saveDocument(const core::JobState &state, const StoredDocument &document)
{
    d->write("UPDATE document SET yaml=?, data=? WHERE job=?", document.yaml.isNull() ? QByteArray("") : document.yaml,
        dataOf(document), state.meta.id);
    d->write("UPDATE machine SET policy=? WHERE job=?", jsonText(state.policy.toJson()), state.meta.id);
    d->write("UPDATE job SET virtual_cluster=? WHERE id=?", state.meta.virtualCluster, state.meta.id);
}

void Store::saveJob(const core::JobState &state)
{
    const JobSummary summary = core::summaryOf(state);
    d->write("UPDATE job SET state=?, sub=?, code=?, launched=?, completed=?, priority=?, stop=?, retries=?,"
             " accountable=?, reason=?, reason_args=?, extra=? WHERE id=?",
        stateWord(summary.state), summary.subState, orNull(summary.exitCode), orNull(summary.launched),
        orNull(summary.completed), state.priority, summary.stopRequested, summary.retries, summary.userRetries,
        summary.reason.isNull() ? u""_s : summary.reason, jsonText(summary.reasonArgs), extraOf(summary),
        state.meta.id);
    d->write("UPDATE machine SET data=? WHERE job=?", jsonText(machineToJson(state)), state.meta.id);
}

void Store::saveReason(qint64 job, const QString &code, const QJsonObject &args)
{
    d->write("UPDATE job SET reason=?, reason_args=? WHERE id=?", code.isNull() ? u""_s : code, jsonText(args), job);
}

void Store::saveAttempt(const core::JobState &state, int attempt)
{
    const AttemptInfo info = core::attemptInfoOf(state, attempt);
    const core::AttemptRecord &record = state.attempts.at(std::size_t(attempt));
    d->write("INSERT OR REPLACE INTO attempt(job, idx, state, code, data) VALUES(?, ?, ?, ?, ?)", state.meta.id,
        attempt, stateWord(info.state), orNull(info.exitCode),
        jsonText({{u"record"_s, attemptToJson(record)}, {u"info"_s, info.toJson()}}));
}

void Store::Private::writeTask(const core::JobState &state, core::TaskRef ref)
{
    const core::Task &task = state.task(ref);
    const core::Place *place = core::placeOf(task.state);
    QStringList gpus;
    if (place) {
        for (int gpu : place->gpus) {
            gpus.append(QString::number(gpu));
        }
    }
    const auto *ended = std::get_if<core::Ended>(&task.state);
    write("INSERT OR REPLACE INTO task(job, attempt, role, idx, role_name, try, state, code, host, gpus, began, ended,"
          " data) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))",
        state.meta.id, state.attempt(), ref.role, ref.index, state.roleName(ref), task.tryIndex,
        stateWord(core::taskPublicState(task.state)), orNull(core::taskCode(task.state)), place ? place->host : u""_s,
        gpus.isEmpty() ? u""_s : gpus.join(u','), orNull(task.firstLaunched),
        ended ? QVariant(ended->ended) : QVariant(), taskText(task));
}

void Store::saveTask(const core::JobState &state, core::TaskRef task) { d->writeTask(state, task); }

void Store::saveTry(const core::JobState &state, core::TaskRef task, const core::Task &over)
{
    const core::Place *place = core::placeOf(over.state);
    d->write("INSERT OR REPLACE INTO earlier_try(job, attempt, role, idx, try, role_name, host, data)"
             " VALUES(?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))",
        state.meta.id, state.attempt(), task.role, task.index, over.tryIndex, state.roleName(task),
        place && !place->host.isEmpty() ? place->host : u""_s, taskText(over));
}

void Store::saveTasks(const core::JobState &state)
{
    for (std::size_t i = 0; i < state.tasks.size(); ++i) {
        d->writeTask(state, state.refAt(i));
    }
}

void Store::removeJob(qint64 job)
{
    d->write("DELETE FROM task WHERE job=?", job);
    d->write("DELETE FROM earlier_try WHERE job=?", job);
    d->write("DELETE FROM attempt WHERE job=?", job);
    d->write("DELETE FROM machine WHERE job=?", job);
    d->write("DELETE FROM document WHERE job=?", job);
    d->write("DELETE FROM event WHERE job=?", job);
    d->write("DELETE FROM job WHERE id=?", job);
}

Serial Store::appendEvent(qint64 job, qint64 at, const QString &kind, const QJsonObject &data)
{
    const std::optional<qint64> serial
        = d->write("INSERT INTO event(job, at, kind, data) VALUES(?, ?, ?, ?)", job, at, kind, jsonText(data));
    d->lastSerial = serial.value_or(d->lastSerial);
    return lastSerial();
}

qint64 Store::reserveNumbers(qint64 count)
{
    qint64 first = 0;
    if (Private::Rows row = d->read("SELECT value FROM meta WHERE key='numbers'"); row.next()) {
        first = row.value(0).toLongLong();
    }
    d->write("INSERT OR REPLACE INTO meta VALUES('numbers', ?)", QString::number(first + count));
    return first;
}

void Store::trimEvents(qint64 keep)
{
    const qint64 last = d->lastSerial - keep;
    if (last > 0) {
        d->write("DELETE FROM event WHERE serial <= ?", last);
        d->write("INSERT OR REPLACE INTO meta VALUES('trimmed', ?)", QString::number(last));
    }
}

void Store::saveHost(const StoredHost &host)
{
    d->write("INSERT OR REPLACE INTO host(id, data) VALUES(?, ?)", host.id, jsonText(host.data));
}

void Store::removeHost(const QString &id) { d->write("DELETE FROM host WHERE id=?", id); }

} // namespace trainyard
