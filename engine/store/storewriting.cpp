// SPDX-License-Identifier: GPL-3.0-or-later
// Writes jobs, attempts and tasks.
#include "engine/api/health.h"
#include "engine/core/report.h"
#include "engine/store/statejson.h"
#include "engine/store/storecolumns.h"
#include "engine/store/storeprivate.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace trainyard
{

using namespace columns;

qint64 Store::addJob(core::JobState &state, const StoredDocument &document, const ListedFacts &listed)
{
    const JobSummary summary = core::summaryOf(state);
    const std::optional<qint64> id
        = d->write("INSERT INTO job(uuid, name, run_name, user, state, sub, submitted, "
                   "priority, virtual_cluster, file, gpus, tasks,"
                   " roles, target, grouped, parameters, command) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                   " ?, ?, ?, ?)",
            summary.uuid, summary.name, state.meta.runName, summary.user, stateWord(summary.state), summary.subState,
            summary.submitted, state.priority, summary.virtualCluster, summary.file.isNull() ? u""_s : summary.file,
            summary.totalGpu, summary.totalTasks, summary.totalRoles, summary.target,
            listed.group.isNull() ? u""_s : listed.group, jsonText(listed.parameters),
            listed.command.isNull() ? u""_s : listed.command);
    if (!id) {
        return 0;
    }
    state.meta.id = *id;
    if (!document.key.isEmpty()) {
        d->write("INSERT INTO submission(key, job) VALUES(?, ?)", document.key, *id);
    }
    d->write("INSERT INTO document(job, yaml, data) VALUES(?, ?, ?)", *id,
        document.yaml.isNull() ? QByteArray("") : document.yaml, dataOf(document));
    d->write("INSERT INTO machine(job, policy, data) VALUES(?, ?, ?)", *id, jsonText(state.policy.toJson()),
        jsonText(machineToJson(state)));
    if (listed.labels != JobLabels()) {
        saveLabels(*id, listed.labels);
    }
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

void Store::saveEarlierText(qint64 job, const EarlierText &text)
{
    d->write("INSERT OR REPLACE INTO earlier_text(job, attempt, yaml, parameters) VALUES(?, ?, ?, ?)", job,
        text.attempt, text.yaml.isNull() ? QByteArray("") : text.yaml, jsonText(text.parameters));
}

void Store::saveFacts(qint64 job, const StoredDocument &document)
{
    d->write("UPDATE document SET data=? WHERE job=?", dataOf(document), job);
}

void Store::saveLabels(qint64 job, const JobLabels &labels)
{
    if (labels == JobLabels()) {
        d->write("DELETE FROM label WHERE job=?", job);
        return;
    }
    d->write("INSERT OR REPLACE INTO label(job, tags, note, starred, archived) VALUES(?, ?, ?, ?, ?)", job,
        tagsText(labels.tags), labels.note.isNull() ? u""_s : labels.note, labels.isStarred, labels.isArchived);
}

void Store::saveTextFacts(qint64 job, const ListedFacts &listed)
{
    d->write("UPDATE job SET parameters=?, command=? WHERE id=?", jsonText(listed.parameters),
        listed.command.isNull() ? u""_s : listed.command, job);
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

void Store::saveAttempt(const core::JobState &state, int attempt)
{
    const AttemptInfo info = core::attemptInfoOf(state, attempt);
    const core::AttemptRecord &record = state.attempts.at(std::size_t(attempt));
    d->write("INSERT OR REPLACE INTO attempt(job, idx, state, code, data) VALUES(?, ?, ?, ?, ?)", state.meta.id,
        attempt, stateWord(info.state), orNull(info.exitCode),
        jsonText({{u"record"_s, attemptToJson(record)}, {u"info"_s, info.toJson()}}));
}

void Store::restoreJob(const StoredJob &before)
{
    const qint64 job = before.state.meta.id;
    const int newest = before.state.attempt();
    d->write("DELETE FROM task WHERE job=? AND attempt>?", job, newest);
    d->write("DELETE FROM earlier_try WHERE job=? AND attempt>?", job, newest);
    d->write("DELETE FROM attempt WHERE job=? AND idx>?", job, newest);
    d->write("DELETE FROM earlier_text WHERE job=? AND attempt>=?", job, newest);
    saveDocument(before.state, before.document);
    saveTextFacts(job, before.listed);
    saveJob(before.state);
    saveAttempt(before.state, newest);
    saveTasks(before.state);
}

void Store::Private::writeTask(const core::JobState &state, core::TaskRef ref)
{
    const core::Task &task = state.task(ref);
    const core::Allocation *place = core::placeOf(task.state);
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
    const core::Allocation *place = core::placeOf(over.state);
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

void Store::saveResults(qint64 job, const QJsonObject &results)
{
    d->write("INSERT OR REPLACE INTO result(job, data) VALUES(?, ?)", job, columns::jsonText(results));
}

void Store::saveHealth(qint64 job, const QList<HealthMark> &marks)
{
    if (marks.isEmpty()) {
        d->write("DELETE FROM health WHERE job=?", job);
    } else {
        const QByteArray text = QJsonDocument(healthJson(marks)).toJson(QJsonDocument::Compact);
        d->write("INSERT OR REPLACE INTO health(job, data) VALUES(?, ?)", job, QString::fromUtf8(text));
    }
}

void Store::dropReadings(qint64 job)
{
    d->write("DELETE FROM health WHERE job=?", job);
    d->write("DELETE FROM result WHERE job=?", job);
}

void Store::removeJob(qint64 job)
{
    dropReadings(job);
    d->write("DELETE FROM removal WHERE job=?", job);
    d->write("DELETE FROM label WHERE job=?", job);
    d->write("DELETE FROM task WHERE job=?", job);
    d->write("DELETE FROM earlier_try WHERE job=?", job);
    d->write("DELETE FROM attempt WHERE job=?", job);
    d->write("DELETE FROM machine WHERE job=?", job);
    d->write("DELETE FROM document WHERE job=?", job);
    d->write("DELETE FROM earlier_text WHERE job=?", job);
    d->write("DELETE FROM submission WHERE job=?", job);
    d->write("DELETE FROM job WHERE id=?", job);
}

} // namespace trainyard
