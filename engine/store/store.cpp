// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"

#include "engine/core/report.h"
#include "engine/store/schema.h"
#include "engine/store/statejson.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <unordered_map>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

QString jsonText(const QJsonObject &object)
{
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

// A column that the query casts to BLOB comes as the bytes that it is, which saves two conversions.
QJsonObject jsonObject(const QVariant &text)
{
    return QJsonDocument::fromJson(
        text.typeId() == QMetaType::QByteArray ? text.toByteArray() : text.toString().toUtf8())
        .object();
}

core::Task taskOf(const QVariant &data)
{
    const std::optional<core::Task> ended = endedTaskFromText(data.toByteArray());
    return ended ? *ended : taskFromJson(jsonObject(data));
}

template <typename T> QVariant orNull(const std::optional<T> &value) { return value ? QVariant(*value) : QVariant(); }

std::optional<qint64> optionalTime(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toLongLong());
}

std::optional<int> optionalInt(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toInt());
}

QString dataOf(const StoredDocument &document)
{
    QJsonObject parameters;
    for (auto it = document.parameters.begin(); it != document.parameters.end(); ++it) {
        parameters.insert(it.key(), it.value());
    }
    return jsonText({{u"parameters"_s, parameters}, {u"target"_s, document.target}, {u"work"_s, document.work},
        {u"runIn"_s, document.runIn}, {u"file"_s, document.file}});
}

// What the lists show and nobody searches for.
QJsonObject extraOf(const JobSummary &summary)
{
    QJsonObject extra{{u"counts"_s,
                          QJsonArray{summary.counts.waiting, summary.counts.running, summary.counts.succeeded,
                              summary.counts.failed, summary.counts.stopped}},
        {u"hosts"_s, QJsonArray::fromStringList(summary.hosts)}};
    if (summary.order != double(summary.submitted)) {
        extra.insert(u"order"_s, summary.order);
    }
    if (summary.retryDelaySec) {
        extra.insert(u"retryDelaySec"_s, *summary.retryDelaySec);
    }
    if (summary.began) {
        extra.insert(u"began"_s, *summary.began);
    }
    if (summary.paused) {
        extra.insert(u"paused"_s, true);
    }
    if (!summary.priorityClass.isEmpty()) {
        extra.insert(u"priorityClass"_s, summary.priorityClass);
    }
    return extra;
}

void readExtra(const QJsonObject &extra, JobSummary &summary)
{
    const QJsonArray counts = extra.value("counts"_L1).toArray();
    summary.counts = {
        counts.at(0).toInt(), counts.at(1).toInt(), counts.at(2).toInt(), counts.at(3).toInt(), counts.at(4).toInt()};
    const QJsonArray hosts = extra.value("hosts"_L1).toArray();
    for (const QJsonValue &host : hosts) {
        summary.hosts.append(host.toString());
    }
    summary.paused = extra.value("paused"_L1).toBool();
    summary.priorityClass = extra.value("priorityClass"_L1).toString();
    summary.order = extra.value("order"_L1).toDouble(double(summary.submitted));
    if (extra.contains("began"_L1)) {
        summary.began = extra.value("began"_L1).toInteger();
    }
    if (extra.contains("retryDelaySec"_L1)) {
        summary.retryDelaySec = extra.value("retryDelaySec"_L1).toInteger();
    }
}

QString likePattern(QString text)
{
    text.replace(u'\\', "\\\\"_L1).replace(u'%', "\\%"_L1).replace(u'_', "\\_"_L1);
    return u'%' % text % u'%';
}

const QString summaryColumns
    = u"id, uuid, name, user, state, sub, code, submitted, launched, completed, stop, retries, accountable,"
      " virtual_cluster, file, gpus, tasks, roles, reason, CAST(reason_args AS BLOB), priority, CAST(extra AS BLOB)"_s;

JobSummary summaryFrom(const QSqlQuery &row)
{
    JobSummary summary;
    int i = 0;
    summary.id = row.value(i++).toLongLong();
    summary.uuid = row.value(i++).toString();
    summary.name = row.value(i++).toString();
    summary.user = row.value(i++).toString();
    summary.state = stateFromWord(row.value(i++).toString());
    summary.subState = row.value(i++).toString();
    summary.exitCode = optionalInt(row.value(i++));
    summary.submitted = row.value(i++).toLongLong();
    summary.launched = optionalTime(row.value(i++));
    summary.completed = optionalTime(row.value(i++));
    summary.stopRequested = row.value(i++).toBool();
    summary.retries = row.value(i++).toInt();
    summary.userRetries = row.value(i++).toInt();
    summary.platformRetries = summary.retries - summary.userRetries;
    summary.virtualCluster = row.value(i++).toString();
    summary.file = row.value(i++).toString();
    summary.totalGpu = row.value(i++).toInt();
    summary.totalTasks = row.value(i++).toInt();
    summary.totalRoles = row.value(i++).toInt();
    summary.reason = row.value(i++).toString();
    summary.reasonArgs = jsonObject(row.value(i++));
    summary.priority = row.value(i++).toInt();
    readExtra(jsonObject(row.value(i++)), summary);
    return summary;
}

constexpr qint64 checkedAtOnce = 16 << 20;

// Beside a large store in which a check aside has found damage.
QString suspectMark(const QString &path) { return path % u".suspect"_s; }

std::optional<Error> quickCheck(QSqlDatabase &database)
{
    QSqlQuery query(database);
    if (query.exec(u"PRAGMA quick_check(1)"_s) && query.next() && query.value(0).toString() == "ok"_L1) {
        return std::nullopt;
    }
    const QString detail
        = query.lastError().isValid() ? query.lastError().databaseText() : query.value(0).toString().simplified();
    return Error{u"store.damaged"_s, QJsonObject{{u"detail"_s, detail}}};
}

std::atomic<int> connections = 0;

} // namespace

struct Store::Private {
    QString path;
    bool isChecked = false;
    QString connection;
    QSqlDatabase database;
    QString epoch;
    qint64 lastSerial = 0;
    bool inTransaction = false;
    std::optional<Error> writeError;
    mutable std::optional<Error> readError; // the first
    // Prepared once; the key is the literal's address.
    mutable std::unordered_map<const char *, std::unique_ptr<QSqlQuery>> prepared;

    QSqlQuery &query(const char *sql) const
    {
        std::unique_ptr<QSqlQuery> &slot = prepared[sql];
        if (!slot) {
            slot = std::make_unique<QSqlQuery>(database);
            slot->setForwardOnly(true);
            slot->prepare(QString::fromLatin1(sql));
        }
        return *slot;
    }

    void begin()
    {
        if (!inTransaction && !writeError) {
            inTransaction = execute("BEGIN IMMEDIATE");
        }
    }

    bool execute(const char *sql)
    {
        QSqlQuery &statement = query(sql);
        const bool done = statement.exec();
        if (!done) {
            noteError(statement.lastError());
        }
        statement.finish();
        return done;
    }

    void noteError(const QSqlError &error)
    {
        if (!writeError) {
            writeError = Error{u"store.write"_s, QJsonObject{{u"path"_s, path}, {u"detail"_s, error.databaseText()}}};
        }
    }

    // Before a query is given back: whether it has told all that there is.
    void check(const QSqlQuery &query) const
    {
        if (!readError && query.lastError().isValid()) {
            readError = Error{
                u"store.damaged"_s, QJsonObject{{u"path"_s, path}, {u"detail"_s, query.lastError().databaseText()}}};
        }
    }

    // Writes inside the transaction; nothing more is tried after a failure.
    template <typename... Values> std::optional<qint64> write(const char *sql, const Values &...values)
    {
        begin();
        if (writeError) {
            return std::nullopt;
        }
        QSqlQuery &statement = query(sql);
        int i = 0;
        (statement.bindValue(i++, QVariant(values)), ...);
        const bool done = statement.exec();
        if (!done) {
            noteError(statement.lastError());
        }
        const QVariant id = done ? statement.lastInsertId() : QVariant();
        statement.finish();
        return done ? std::optional(id.toLongLong()) : std::nullopt;
    }

    template <typename... Values> QSqlQuery &read(const char *sql, const Values &...values) const
    {
        QSqlQuery &statement = query(sql);
        int i = 0;
        (statement.bindValue(i++, QVariant(values)), ...);
        statement.exec();
        check(statement);
        return statement;
    }

    void readLastSerial()
    {
        QSqlQuery &serial = read("SELECT seq FROM sqlite_sequence WHERE name='event'");
        lastSerial = serial.next() ? serial.value(0).toLongLong() : 0;
        serial.finish();
    }

    void writeTask(const core::JobState &state, core::TaskRef ref);
    Result<void> open();
};

Result<void> Store::Private::open()
{
    connection = u"trainyard-store-%1"_s.arg(++connections);
    database = QSqlDatabase::addDatabase(u"QSQLITE"_s, connection);
    database.setDatabaseName(path);
    database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=5000"_s);
    const auto withPath = [&](Error error) {
        error.args.insert(u"path"_s, path);
        return tl::unexpected(std::move(error));
    };
    if (!database.open()) {
        return withPath({u"store.open"_s, QJsonObject{{u"detail"_s, database.lastError().text()}}});
    }
    QSqlQuery query(database);
    // The first look at the file's contents. That of a large one takes its time and is the owner's to have made, unless
    // one has found something already.
    const QString suspect = suspectMark(path);
    isChecked = QFileInfo(path).size() <= checkedAtOnce || QFile::exists(suspect);
    if (isChecked) {
        if (const std::optional<Error> damaged = quickCheck(database)) {
            return withPath(*damaged);
        }
        QFile::remove(suspect); // another file, or a mended one
    }
    // A file that is not ours, or too new, stays as it is.
    if (const Result<int> schema = schemaOf(database); !schema) {
        return withPath(schema.error());
    }
    const bool inMemory = path == ":memory:"_L1;
    if (!query.exec(u"PRAGMA journal_mode=WAL"_s) || !query.next()
        || (!inMemory && query.value(0).toString() != "wal"_L1)) {
        return withPath({u"store.open"_s, QJsonObject{{u"detail"_s, u"no write-ahead log"_s}}});
    }
    query.finish();
    query.exec(u"PRAGMA synchronous=NORMAL"_s);
    query.exec(u"PRAGMA wal_autocheckpoint=4000"_s);
    if (const Result<void> migrated = migrateStore(database); !migrated) {
        return withPath(migrated.error());
    }
    QSqlQuery &meta = read("SELECT value FROM meta WHERE key='epoch'");
    epoch = meta.next() ? meta.value(0).toString() : QString();
    meta.finish();
    readLastSerial();
    return {};
}

Store::Store() : d(std::make_unique<Private>()) { }

Store::~Store()
{
    rollback();
    const QString connection = d->connection;
    d->prepared.clear();
    d->database = QSqlDatabase();
    d.reset();
    QSqlDatabase::removeDatabase(connection);
}

Result<std::unique_ptr<Store>> Store::open(const QString &path)
{
    std::unique_ptr<Store> store(new Store);
    store->d->path = path;
    const QFileInfo info(path);
    if (path != ":memory:"_L1 && info.exists() && info.size() == 0
        && !QDir(info.path() + u"/runs"_s).isEmpty(QDir::Dirs | QDir::NoDotAndDotDot)) {
        // SQLite would take it for a new one, and nobody would know of the jobs whose folders lie beside it.
        return fail(u"store.damaged"_s, QJsonObject{{u"path"_s, path}, {u"detail"_s, u"the file is empty"_s}});
    }
    if (path != ":memory:"_L1 && !info.exists()) {
        // Made by hand first: SQLite would use the umask.
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly, QFileDevice::ReadOwner | QFileDevice::WriteOwner)) {
            return fail(u"store.open"_s, QJsonObject{{u"path"_s, path}, {u"detail"_s, file.errorString()}});
        }
    }
    if (const Result<void> opened = store->d->open(); !opened) {
        return tl::unexpected(opened.error());
    }
    return store;
}

QString Store::epoch() const { return d->epoch; }

bool Store::isChecked() const { return d->isChecked; }

std::optional<Error> Store::checkAside(const QString &path)
{
    const QString name = u"trainyard-check-%1"_s.arg(++connections);
    std::optional<Error> damaged;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, name);
        database.setDatabaseName(path);
        database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=5000;QSQLITE_OPEN_READONLY"_s);
        if (database.open()) {
            damaged = quickCheck(database);
        }
    }
    QSqlDatabase::removeDatabase(name);
    if (damaged) {
        damaged->args.insert(u"path"_s, path);
        QFile mark(suspectMark(path));
        if (!mark.open(QIODevice::WriteOnly)) {
            qWarning("%s cannot be written; the damage is found again.", qPrintable(mark.fileName()));
        }
    }
    return damaged;
}

std::optional<Error> Store::readError() const { return d->readError; }

bool Store::inTransaction() const { return d->inTransaction; }

Result<void> Store::commit(bool durable)
{
    if (d->writeError) {
        const Error error = *d->writeError;
        rollback();
        return tl::unexpected(error);
    }
    if (d->inTransaction) {
        if (!d->execute("COMMIT")) {
            const Error error = *d->writeError;
            rollback();
            return tl::unexpected(error);
        }
        d->inTransaction = false;
    }
    if (durable && d->path != ":memory:"_L1) {
        // SQLite's own setting cannot change inside a transaction, and whether a turn is durable is known at its end
        // only. The write-ahead log is one file, and needs no more room to be synced. SQLite has no locks on it.
        const int log = ::open(QFile::encodeName(d->path + u"-wal"_s).constData(), O_RDONLY | O_CLOEXEC);
        const bool synced = log < 0 ? errno == ENOENT : ::fdatasync(log) == 0;
        const int error = errno;
        if (log >= 0) {
            ::close(log);
        }
        if (!synced) {
            return fail(u"store.write"_s,
                QJsonObject{{u"path"_s, d->path}, {u"detail"_s, QString::fromLocal8Bit(std::strerror(error))}});
        }
    }
    return {};
}

void Store::rollback()
{
    if (d->inTransaction) {
        QSqlQuery(d->database).exec(u"ROLLBACK"_s);
        d->inTransaction = false;
        d->readLastSerial();
    }
    d->writeError.reset();
}

// ---- jobs ----

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
        summary.reason.isNull() ? u""_s : summary.reason, jsonText(summary.reasonArgs), jsonText(extraOf(summary)),
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
    QSqlQuery &rows = d->read("SELECT host FROM task WHERE job=? AND host <> '' UNION SELECT host FROM earlier_try"
                              " WHERE job=? AND host <> ''",
        job, job);
    while (rows.next()) {
        hosts.append(rows.value(0).toString());
    }
    rows.finish();
    return hosts;
}

std::vector<StoredJob> Store::loadWhere(const QString &condition) const
{
    std::vector<StoredJob> jobs;
    QSqlQuery rows(d->database);
    rows.setForwardOnly(true);
    rows.exec(u"SELECT id, uuid, name, run_name, user, submitted, priority, virtual_cluster, file, policy, machine.data"
              " FROM job JOIN machine ON machine.job = job.id WHERE "_s
        + condition + u" ORDER BY id"_s);
    while (rows.next()) {
        core::JobMeta meta;
        meta.id = rows.value(0).toLongLong();
        meta.name = rows.value(2).toString();
        meta.runName = rows.value(3).toString();
        meta.user = rows.value(4).toString();
        meta.virtualCluster = rows.value(7).toString();
        meta.file = rows.value(8).toString();
        StoredJob job{core::newJob(QUuid::fromString(rows.value(1).toString()), meta,
                          core::JobPolicy::fromJson(jsonObject(rows.value(9))), rows.value(5).toLongLong(),
                          rows.value(6).toInt()),
            {}};
        machineFromJson(jsonObject(rows.value(10)), job.state);

        QSqlQuery &attempts = d->read("SELECT data FROM attempt WHERE job=? ORDER BY idx", meta.id);
        while (attempts.next()) {
            job.state.attempts.push_back(attemptFromJson(jsonObject(attempts.value(0)).value("record"_L1).toObject()));
        }
        d->check(attempts);
        attempts.finish();
        QSqlQuery &tasks
            = d->read("SELECT role, idx, data FROM task WHERE job=? AND attempt=?", meta.id, job.state.attempt());
        while (tasks.next()) {
            const core::TaskRef ref{tasks.value(0).toInt(), tasks.value(1).toInt()};
            if (job.state.contains(ref)) {
                job.state.task(ref) = taskFromJson(jsonObject(tasks.value(2)));
            }
        }
        d->check(tasks);
        tasks.finish();
        core::recount(job.state);
        job.document = document(meta.id).value_or(StoredDocument{});
        jobs.push_back(std::move(job));
    }
    d->check(rows);
    return jobs;
}

std::optional<StoredDocument> Store::document(qint64 job) const
{
    QSqlQuery &row = d->read("SELECT yaml, data FROM document WHERE job=?", job);
    std::optional<StoredDocument> result;
    if (row.next()) {
        const QJsonObject data = jsonObject(row.value(1));
        StoredDocument document;
        document.yaml = row.value(0).toByteArray();
        const QJsonObject parameters = data.value("parameters"_L1).toObject();
        for (auto it = parameters.begin(); it != parameters.end(); ++it) {
            document.parameters.insert(it.key(), it.value().toString());
        }
        document.target = data.value("target"_L1).toString();
        document.work = data.value("work"_L1).toString();
        document.runIn = data.value("runIn"_L1).toString();
        document.file = data.value("file"_L1).toString();
        result = document;
    }
    d->check(row);
    row.finish();
    return result;
}

QList<JobSummary> Store::jobs(const JobsQuery &query) const
{
    QStringList conditions;
    QVariantList values;
    if (query.before > 0) {
        conditions.append(u"id < ?"_s);
        values.append(query.before);
    }
    if (!query.states.isEmpty()) {
        QStringList marks;
        for (State state : query.states) {
            marks.append(u"?"_s);
            values.append(stateWord(state));
        }
        conditions.append("state IN ("_L1 % marks.join(u',') % u')');
    }
    if (!query.text.isEmpty()) {
        bool isNumber = false;
        const qint64 number = (query.text.startsWith(u'#') ? query.text.mid(1) : query.text).toLongLong(&isNumber);
        conditions.append(isNumber ? u"(name LIKE ? ESCAPE '\\' OR id = ?)"_s : u"name LIKE ? ESCAPE '\\'"_s);
        values.append(likePattern(query.text));
        if (isNumber) {
            values.append(number);
        }
    }
    QSqlQuery rows(d->database);
    rows.setForwardOnly(true);
    rows.prepare("SELECT "_L1 % summaryColumns % " FROM job"_L1
        % (conditions.isEmpty() ? QString() : QString(" WHERE "_L1 % conditions.join(" AND "_L1)))
        % " ORDER BY id DESC LIMIT "_L1 % QString::number(query.limit > 0 ? query.limit : -1));
    for (const QVariant &value : std::as_const(values)) {
        rows.addBindValue(value);
    }
    QList<JobSummary> result;
    rows.exec();
    while (rows.next()) {
        result.append(summaryFrom(rows));
    }
    d->check(rows);
    return result;
}

std::optional<JobSummary> Store::job(qint64 id) const
{
    QSqlQuery row(d->database);
    row.prepare("SELECT "_L1 % summaryColumns % " FROM job WHERE id=?"_L1);
    row.addBindValue(id);
    row.exec();
    return row.next() ? std::optional(summaryFrom(row)) : std::nullopt;
}

std::optional<qint64> Store::findJob(const QString &text) const
{
    const auto first = [](QSqlQuery &row) {
        const std::optional<qint64> id = row.next() ? std::optional(row.value(0).toLongLong()) : std::nullopt;
        row.finish();
        return id;
    };
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

QString Store::freeRunName(const QString &name) const
{
    // "`" follows "_": the range holds the name itself and all that begin with "name_".
    QSqlQuery &rows = d->read("SELECT run_name FROM job WHERE run_name = ? OR (run_name >= ? AND run_name < ?)", name,
        QString(name % u'_'), QString(name % u'`'));
    QSet<QString> taken;
    while (rows.next()) {
        taken.insert(rows.value(0).toString());
    }
    rows.finish();
    QString result = name;
    for (qint64 number = 2; taken.contains(result); ++number) {
        result = name % u'_' % QString::number(number);
    }
    return result;
}

QList<AttemptInfo> Store::attempts(qint64 job) const
{
    QList<AttemptInfo> result;
    QSqlQuery &rows = d->read("SELECT data FROM attempt WHERE job=? ORDER BY idx", job);
    while (rows.next()) {
        result.append(AttemptInfo::fromJson(jsonObject(rows.value(0)).value("info"_L1).toObject()));
    }
    rows.finish();
    return result;
}

QList<TaskInfo> Store::tasks(qint64 job, int attempt, int from, int limit, int *total) const
{
    if (attempt < 0) {
        QSqlQuery &newest = d->read("SELECT max(attempt) FROM task WHERE job=?", job);
        attempt = newest.next() ? newest.value(0).toInt() : 0;
        newest.finish();
    }
    if (total) {
        QSqlQuery &count = d->read("SELECT count(*) FROM task WHERE job=? AND attempt=?", job, attempt);
        *total = count.next() ? count.value(0).toInt() : 0;
        count.finish();
    }
    QList<TaskInfo> result;
    QSqlQuery &rows
        = d->read("SELECT role_name, idx, CAST(data AS BLOB) FROM task WHERE job=? AND attempt=? ORDER BY role, idx"
                  " LIMIT ? OFFSET ?",
            job, attempt, limit > 0 ? limit : -1, from);
    while (rows.next()) {
        result.append(
            core::taskInfoOf(taskOf(rows.value(2)), rows.value(0).toString(), rows.value(1).toInt(), attempt));
    }
    rows.finish();
    return result;
}

QList<TaskInfo> Store::earlierTries(qint64 job, int attempt, int from, int limit) const
{
    if (attempt < 0) {
        QSqlQuery &newest = d->read("SELECT max(attempt) FROM task WHERE job=?", job);
        attempt = newest.next() ? newest.value(0).toInt() : 0;
        newest.finish();
    }
    QList<TaskInfo> result;
    QSqlQuery &rows = d->read("SELECT role_name, idx, CAST(data AS BLOB) FROM earlier_try WHERE job=? AND attempt=?"
                              " ORDER BY role, idx, try LIMIT ? OFFSET ?",
        job, attempt, limit > 0 ? limit : -1, from);
    while (rows.next()) {
        result.append(
            core::taskInfoOf(taskOf(rows.value(2)), rows.value(0).toString(), rows.value(1).toInt(), attempt));
    }
    d->check(rows);
    rows.finish();
    return result;
}

TaskOutline Store::outline(qint64 job, int attempt, int most) const
{
    if (attempt < 0) {
        QSqlQuery &newest = d->read("SELECT max(attempt) FROM task WHERE job=?", job);
        attempt = newest.next() ? newest.value(0).toInt() : 0;
        newest.finish();
    }
    struct Group {
        int role = 0;
        QString state;
    };
    TaskOutline result;
    std::vector<Group> groups;
    QSqlQuery &counts = d->read("SELECT role, role_name, state, count(*) FROM task WHERE job=? AND attempt=?"
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
    d->check(counts);
    counts.finish();
    std::map<std::pair<int, int>, TaskInfo> tasks; // by role and index
    for (const Group &group : groups) {
        QSqlQuery &rows
            = d->read("SELECT role_name, idx, CAST(data AS BLOB) FROM task WHERE job=? AND attempt=? AND role=?"
                      " AND state=? ORDER BY idx LIMIT ?",
                job, attempt, group.role, group.state, most);
        while (rows.next()) {
            const int index = rows.value(1).toInt();
            tasks.emplace(std::pair(group.role, index),
                core::taskInfoOf(taskOf(rows.value(2)), rows.value(0).toString(), index, attempt));
        }
        rows.finish();
    }
    for (auto &[place, task] : tasks) {
        result.tasks.append(std::move(task));
    }
    return result;
}

// ---- events ----

Serial Store::appendEvent(qint64 job, qint64 at, const QString &kind, const QJsonObject &data)
{
    const std::optional<qint64> serial
        = d->write("INSERT INTO event(job, at, kind, data) VALUES(?, ?, ?, ?)", job, at, kind, jsonText(data));
    d->lastSerial = serial.value_or(d->lastSerial);
    return lastSerial();
}

qint64 Store::reserveNumbers(qint64 count)
{
    QSqlQuery &row = d->read("SELECT value FROM meta WHERE key='numbers'");
    const qint64 first = row.next() ? row.value(0).toLongLong() : 0;
    row.finish();
    d->write("INSERT OR REPLACE INTO meta VALUES('numbers', ?)", QString::number(first + count));
    return first;
}

Serial Store::lastSerial() const { return {d->epoch, d->lastSerial}; }

std::optional<QList<StoredEvent>> Store::eventsSince(const Serial &since, int limit) const
{
    if (since.epoch != d->epoch || since.number > d->lastSerial) {
        return std::nullopt;
    }
    QSqlQuery &oldest = d->read("SELECT value FROM meta WHERE key='trimmed'");
    const qint64 trimmed = oldest.next() ? oldest.value(0).toLongLong() : 0;
    oldest.finish();
    if (since.number < trimmed) {
        return std::nullopt;
    }
    QList<StoredEvent> events;
    QSqlQuery &rows = d->read(
        "SELECT serial, job, at, kind, data FROM event WHERE serial > ? ORDER BY serial LIMIT ?", since.number, limit);
    while (rows.next()) {
        events.append({rows.value(0).toLongLong(), rows.value(1).toLongLong(), rows.value(2).toLongLong(),
            rows.value(3).toString(), jsonObject(rows.value(4))});
    }
    rows.finish();
    return events;
}

void Store::trimEvents(qint64 keep)
{
    const qint64 last = d->lastSerial - keep;
    if (last > 0) {
        d->write("DELETE FROM event WHERE serial <= ?", last);
        d->write("INSERT OR REPLACE INTO meta VALUES('trimmed', ?)", QString::number(last));
    }
}

// ---- hosts ----

void Store::saveHost(const StoredHost &host)
{
    d->write("INSERT OR REPLACE INTO host(id, data) VALUES(?, ?)", host.id, jsonText(host.data));
}

void Store::removeHost(const QString &id) { d->write("DELETE FROM host WHERE id=?", id); }

QList<StoredHost> Store::hosts() const
{
    QList<StoredHost> result;
    QSqlQuery &rows = d->read("SELECT id, data FROM host ORDER BY id");
    while (rows.next()) {
        result.append({rows.value(0).toString(), jsonObject(rows.value(1))});
    }
    rows.finish();
    return result;
}

} // namespace trainyard
