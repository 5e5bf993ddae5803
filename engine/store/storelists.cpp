// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what clients show: jobs, attempts and tasks.
#include "engine/api/health.h"
#include "engine/core/report.h"
#include "engine/store/storecolumns.h"
#include "engine/store/storefilter.h"
#include "engine/store/storeprivate.h"

#include <QJsonDocument>
#include <QSet>

#include <algorithm>
#include <map>

using namespace Qt::StringLiterals;

namespace trainyard
{

using namespace columns;

namespace
{

constexpr int rowsAtOnce = 500; // that are read by their numbers

QString whereOf(const JobsQuery &query, const FilterSql &sql)
{
    QStringList conditions;
    if (query.before > 0) {
        conditions.append(u"id < ?"_s);
    }
    if (!query.group.isEmpty()) {
        conditions.append(u"grouped = ?"_s);
    }
    conditions += sql.conditions;
    return conditions.isEmpty() ? QString() : QString(" WHERE "_L1 % conditions.join(" AND "_L1));
}

void bind(QSqlQuery &statement, const JobsQuery &query, const FilterSql &sql)
{
    if (query.before > 0) {
        statement.addBindValue(query.before);
    }
    if (!query.group.isEmpty()) {
        statement.addBindValue(query.group);
    }
    for (const QVariant &value : sql.values) {
        statement.addBindValue(value);
    }
}

QString limitOf(int limit) { return limit > 0 ? QString::number(limit) : u"-1"_s; }

} // namespace

QList<JobSummary> Store::jobs(const JobsQuery &query) const
{
    const FilterSql sql = filterSql(query.filter, query.now, query.silenced.isEmpty());
    QList<JobSummary> result;
    if (sql.isExact && !sql.hasValues) {
        QSqlQuery statement(d->database);
        statement.setForwardOnly(true);
        if (statement.prepare("SELECT "_L1 % summaryColumns % summaryTables % whereOf(query, sql)
                % " ORDER BY id DESC LIMIT "_L1 % limitOf(query.limit))) {
            bind(statement, query, sql);
            statement.exec();
        }
        Private::Rows rows(*d, statement);
        while (rows.next()) {
            result.append(summaryFrom(rows.row()));
        }
        d->addResults(result);
        d->addHealth(result);
        d->addRemovals(result);
        return result;
    }
    const QList<qint64> ids = candidates(query);
    const qsizetype most = query.limit > 0 ? query.limit : ids.size();
    for (qsizetype from = 0; from < ids.size() && result.size() < most; from += rowsAtOnce) {
        QStringList numbers;
        for (const qint64 id : ids.sliced(from, std::min<qsizetype>(rowsAtOnce, ids.size() - from))) {
            numbers.append(QString::number(id));
        }
        QSqlQuery statement(d->database);
        statement.setForwardOnly(true);
        statement.exec("SELECT "_L1 % summaryColumns % summaryTables % " WHERE id IN ("_L1 % numbers.join(u',')
            % ") ORDER BY id DESC"_L1);
        Private::Rows rows(*d, statement);
        QList<JobSummary> some;
        while (rows.next()) {
            some.append(summaryFrom(rows.row()));
        }
        d->addResults(some);
        d->addHealth(some);
        d->addRemovals(some);
        for (JobSummary &job : some) {
            job.health.removeIf(
                [&query](const HealthMark &mark) { return query.silenced.contains(healthKind(mark.code)); });
            if (result.size() < most && (sql.isExact || query.filter.matches(job, query.now))) {
                result.append(job);
            }
        }
    }
    return result;
}

// The rows that may match, found with few columns: reading a row with all its columns takes many times as long.
QList<qint64> Store::candidates(const JobsQuery &query) const
{
    const FilterSql sql = filterSql(query.filter, query.now, query.silenced.isEmpty());
    QSqlQuery statement(d->database);
    statement.setForwardOnly(true);
    if (statement.prepare((sql.hasValues ? QString("SELECT id, CAST(parameters AS BLOB), CAST(result.data AS BLOB)"_L1
                               % summaryTables % " LEFT JOIN result ON result.job = job.id"_L1)
                                         : QString("SELECT id"_L1 % summaryTables))
            % whereOf(query, sql) % " ORDER BY id DESC"_L1)) {
        bind(statement, query, sql);
        statement.exec();
    }
    Private::Rows rows(*d, statement);
    QList<qint64> ids;
    while ((!sql.isExact || query.limit <= 0 || ids.size() < query.limit) && rows.next()) {
        if (!sql.hasValues || query.filter.matchesValues(rows.value(1).toByteArray(), rows.value(2).toByteArray())) {
            ids.append(rows.value(0).toLongLong());
        }
    }
    return ids;
}

void Store::Private::addTo(QList<JobSummary> &jobs, const char *sql,
    const std::function<void(JobSummary &job, const QVariant &data)> &add) const
{
    if (jobs.isEmpty()) {
        return;
    }
    Rows rows = read(sql, jobs.constLast().id, jobs.constFirst().id);
    auto job = jobs.begin();
    while (rows.next()) {
        const qint64 id = rows.value(0).toLongLong();
        job = std::lower_bound(job, jobs.end(), id, [](const JobSummary &each, qint64 at) { return each.id > at; });
        if (job != jobs.end() && job->id == id) {
            add(*job, rows.value(1));
        }
    }
}

void Store::Private::addResults(QList<JobSummary> &jobs) const
{
    addTo(jobs, "SELECT job, CAST(data AS BLOB) FROM result WHERE job BETWEEN ? AND ? ORDER BY job DESC",
        [](JobSummary &job, const QVariant &data) { job.results = jsonObject(data); });
}

void Store::Private::addHealth(QList<JobSummary> &jobs) const
{
    addTo(jobs, "SELECT job, CAST(data AS BLOB) FROM health WHERE job BETWEEN ? AND ? ORDER BY job DESC",
        [](JobSummary &job, const QVariant &data) {
            job.health = healthFrom(QJsonDocument::fromJson(data.toByteArray()).array());
        });
}

QStringList Store::withHealth(int most) const
{
    QStringList uuids;
    Private::Rows rows
        = d->read("SELECT uuid FROM health JOIN job ON job.id = health.job ORDER BY job.id DESC LIMIT ?", most);
    while (rows.next()) {
        uuids.append(rows.value(0).toString());
    }
    return uuids;
}

QList<JobSummary> Store::withoutResults(int most) const
{
    QSqlQuery statement(d->database);
    if (statement.prepare("SELECT "_L1 % summaryColumns % summaryTables
            % " WHERE completed IS NOT NULL AND id NOT IN (SELECT job FROM result) ORDER BY id DESC LIMIT ?"_L1)) {
        statement.addBindValue(most);
        statement.exec();
    }
    Private::Rows rows(*d, statement);
    QList<JobSummary> result;
    while (rows.next()) {
        result.append(summaryFrom(rows.row()));
    }
    return result;
}

std::optional<JobSummary> Store::job(qint64 id) const
{
    QSqlQuery statement(d->database);
    if (statement.prepare("SELECT "_L1 % summaryColumns % summaryTables % " WHERE id=?"_L1)) {
        statement.addBindValue(id);
        statement.exec();
    }
    QList<JobSummary> found;
    {
        Private::Rows rows(*d, statement);
        if (rows.next()) {
            found.append(summaryFrom(rows.row()));
        }
    }
    d->addResults(found);
    d->addHealth(found);
    d->addRemovals(found);
    return found.isEmpty() ? std::nullopt : std::optional(found.constFirst());
}

std::optional<qint64> Store::findJob(const QString &text) const
{
    const auto first
        = [](Private::Rows rows) { return rows.next() ? std::optional(rows.value(0).toLongLong()) : std::nullopt; };
    if (const QLatin1StringView prefix("name:"); text.startsWith(prefix)) {
        return first(d->read("SELECT id FROM job WHERE name=? ORDER BY id DESC LIMIT 1", text.mid(prefix.size())));
    }
    bool isNumber = false;
    const qint64 number = (text.startsWith(u'#') ? text.mid(1) : text).toLongLong(&isNumber);
    if (isNumber) {
        if (const auto id = first(d->read("SELECT id FROM job WHERE id=?", number))) {
            return id;
        }
    }
    if (const auto id = first(d->read("SELECT id FROM job WHERE name=? ORDER BY id DESC LIMIT 1", text))) {
        return id;
    }
    if (text.size() >= 8 && !text.contains(u'%')) {
        // `{` follows all of a UUID's characters.
        const QString lower = text.toLower();
        return first(d->read(
            "SELECT id FROM job WHERE uuid >= ? AND uuid < ? ORDER BY id DESC LIMIT 1", lower, QString(lower % u'{')));
    }
    return std::nullopt;
}

std::optional<qint64> Store::idOf(const QString &uuid) const
{
    Private::Rows rows = d->read("SELECT id FROM job WHERE uuid=?", uuid);
    return rows.next() ? std::optional(rows.value(0).toLongLong()) : std::nullopt;
}

std::optional<qint64> Store::idOfKey(const QString &key) const
{
    Private::Rows rows = d->read("SELECT job FROM submission WHERE key=?", key);
    return rows.next() ? std::optional(rows.value(0).toLongLong()) : std::nullopt;
}

QString Store::freeRunName(const QString &name) const
{
    // "`" follows "_": the range holds the name itself and all that begin with "name_".
    Private::Rows rows = d->read("SELECT run_name FROM job WHERE run_name = ? OR (run_name >= ? AND run_name < ?)",
        name, QString(name % u'_'), QString(name % u'`'));
    QSet<QString> taken;
    while (rows.next()) {
        taken.insert(rows.value(0).toString());
    }
    QString result = name;
    for (qint64 number = 2; taken.contains(result); ++number) {
        result = name % u'_' % QString::number(number);
    }
    return result;
}

int Store::Private::newestAttempt(qint64 job) const
{
    Rows newest = read("SELECT max(attempt) FROM task WHERE job=?", job);
    return newest.next() ? newest.value(0).toInt() : 0;
}

QList<AttemptInfo> Store::attempts(qint64 job) const
{
    QList<AttemptInfo> result;
    Private::Rows rows = d->read("SELECT data FROM attempt WHERE job=? ORDER BY idx", job);
    while (rows.next()) {
        result.append(AttemptInfo::fromJson(jsonObject(rows.value(0)).value("info"_L1).toObject()));
    }
    return result;
}

// The tasks of rows with the role, the index and the task.
template <typename Rows> static QList<TaskInfo> taskInfosOf(Rows &rows, int attempt)
{
    QList<TaskInfo> result;
    while (rows.next()) {
        result.append(
            core::taskInfoOf(taskOf(rows.value(2)), rows.value(0).toString(), rows.value(1).toInt(), attempt));
    }
    return result;
}

QList<TaskInfo> Store::tasks(qint64 job, int attempt, int from, int limit, int *total) const
{
    attempt = attempt < 0 ? d->newestAttempt(job) : attempt;
    if (total) {
        Private::Rows count = d->read("SELECT count(*) FROM task WHERE job=? AND attempt=?", job, attempt);
        *total = count.next() ? count.value(0).toInt() : 0;
    }
    Private::Rows rows
        = d->read("SELECT role_name, idx, CAST(data AS BLOB) FROM task WHERE job=? AND attempt=? ORDER BY role, idx"
                  " LIMIT ? OFFSET ?",
            job, attempt, limit > 0 ? limit : -1, from);
    return taskInfosOf(rows, attempt);
}

QList<TaskInfo> Store::earlierTries(qint64 job, int attempt, int from, int limit) const
{
    attempt = attempt < 0 ? d->newestAttempt(job) : attempt;
    Private::Rows rows = d->read("SELECT role_name, idx, CAST(data AS BLOB) FROM earlier_try WHERE job=? AND attempt=?"
                                 " ORDER BY role, idx, try LIMIT ? OFFSET ?",
        job, attempt, limit > 0 ? limit : -1, from);
    return taskInfosOf(rows, attempt);
}

TaskOutline Store::outline(qint64 job, int attempt, int most) const
{
    attempt = attempt < 0 ? d->newestAttempt(job) : attempt;
    struct Group {
        int role = 0;
        QString state;
    };
    TaskOutline result;
    std::vector<Group> groups;
    Private::Rows counts = d->read("SELECT role, role_name, state, count(*) FROM task WHERE job=? AND attempt=?"
                                   " GROUP BY role, state ORDER BY role",
        job, attempt);
    while (counts.next()) {
        const QString name = counts.value(1).toString();
        if (groups.empty() || groups.back().role != counts.value(0).toInt()) {
            result.roles.append({name, {}});
        }
        groups.push_back({counts.value(0).toInt(), counts.value(2).toString()});
        countState(result.roles.last().counts, stateFromWord(groups.back().state), counts.value(3).toInt());
    }
    std::map<std::pair<int, int>, TaskInfo> tasks; // by role and index
    for (const Group &group : groups) {
        Private::Rows rows
            = d->read("SELECT role_name, idx, CAST(data AS BLOB) FROM task WHERE job=? AND attempt=? AND role=?"
                      " AND state=? ORDER BY idx LIMIT ?",
                job, attempt, group.role, group.state, most);
        while (rows.next()) {
            const int index = rows.value(1).toInt();
            tasks.emplace(std::pair(group.role, index),
                core::taskInfoOf(taskOf(rows.value(2)), rows.value(0).toString(), index, attempt));
        }
    }
    for (auto &[place, task] : tasks) {
        result.tasks.append(std::move(task));
    }
    return result;
}

} // namespace trainyard
