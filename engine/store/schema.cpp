// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/schema.h"

#include <QList>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

// One list of statements per number; a released one is never changed.
const QList<QStringList> &migrations()
{
    static const QList<QStringList> all{
        // 1: the first
        {
            u"CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"_s,
            u"CREATE TABLE job(id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
            " run_name TEXT NOT NULL, user TEXT NOT NULL, state TEXT NOT NULL, sub TEXT NOT NULL, code INTEGER,"
            " submitted INTEGER NOT NULL, launched INTEGER, completed INTEGER, priority INTEGER NOT NULL DEFAULT 0,"
            " stop INTEGER NOT NULL DEFAULT 0, retries INTEGER NOT NULL DEFAULT 0,"
            " accountable INTEGER NOT NULL DEFAULT 0, virtual_cluster TEXT NOT NULL, file TEXT NOT NULL DEFAULT '',"
            " tags TEXT NOT NULL DEFAULT '[]', gpus INTEGER NOT NULL, tasks INTEGER NOT NULL, roles INTEGER NOT NULL,"
            " reason TEXT NOT NULL DEFAULT '', reason_args TEXT NOT NULL DEFAULT '{}',"
            " extra TEXT NOT NULL DEFAULT '{}')"_s,
            u"CREATE INDEX job_state ON job(state, id)"_s,
            u"CREATE INDEX job_completed ON job(completed)"_s,
            u"CREATE INDEX job_name ON job(name)"_s,
            u"CREATE INDEX job_run_name ON job(run_name)"_s,
            u"CREATE TABLE document(job INTEGER PRIMARY KEY, yaml BLOB NOT NULL, data TEXT NOT NULL)"_s,
            u"CREATE TABLE machine(job INTEGER PRIMARY KEY, policy TEXT NOT NULL, data TEXT NOT NULL)"_s,
            u"CREATE TABLE attempt(job INTEGER NOT NULL, idx INTEGER NOT NULL, state TEXT NOT NULL, code INTEGER,"
            " data TEXT NOT NULL, PRIMARY KEY(job, idx)) WITHOUT ROWID"_s,
            u"CREATE TABLE task(job INTEGER NOT NULL, attempt INTEGER NOT NULL, role INTEGER NOT NULL,"
            " idx INTEGER NOT NULL, role_name TEXT NOT NULL, try INTEGER NOT NULL, state TEXT NOT NULL, code INTEGER,"
            " host TEXT NOT NULL, gpus TEXT NOT NULL, began INTEGER, ended INTEGER, data TEXT NOT NULL,"
            " PRIMARY KEY(job, attempt, role, idx)) WITHOUT ROWID"_s,
            u"CREATE TABLE event(serial INTEGER PRIMARY KEY AUTOINCREMENT, job INTEGER NOT NULL, at INTEGER NOT NULL,"
            " kind TEXT NOT NULL, data TEXT NOT NULL)"_s,
            u"CREATE INDEX event_job ON event(job, serial)"_s,
        },
        // 2: figures over time, hosts and groups of jobs
        {
            u"CREATE TABLE metric(series TEXT NOT NULL, start INTEGER NOT NULL, data BLOB NOT NULL,"
            " PRIMARY KEY(series, start)) WITHOUT ROWID"_s,
            u"CREATE TABLE host(id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID"_s,
            u"CREATE TABLE job_group(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, data TEXT NOT NULL)"_s,
        },
        // 3: tries of a task before its last one of an attempt
        {
            u"CREATE TABLE earlier_try(job INTEGER NOT NULL, attempt INTEGER NOT NULL, role INTEGER NOT NULL,"
            " idx INTEGER NOT NULL, try INTEGER NOT NULL, role_name TEXT NOT NULL, host TEXT NOT NULL,"
            " data TEXT NOT NULL, PRIMARY KEY(job, attempt, role, idx, try)) WITHOUT ROWID"_s,
        },
        // 4: what a submission was called, so that it can be repeated
        {
            u"CREATE TABLE submission(key TEXT PRIMARY KEY, job INTEGER NOT NULL UNIQUE) WITHOUT ROWID"_s,
        },
        // 5: jobs of clusters
        {
            u"ALTER TABLE job ADD COLUMN target TEXT NOT NULL DEFAULT 'pool'"_s,
        },
        // 6: what people say of jobs, what jobs differ in, and what came out of them
        {
            u"CREATE TABLE label(job INTEGER PRIMARY KEY, tags TEXT NOT NULL DEFAULT '[]',"
            " note TEXT NOT NULL DEFAULT '', starred INTEGER NOT NULL DEFAULT 0,"
            " archived INTEGER NOT NULL DEFAULT 0)"_s,
            u"CREATE TABLE result(job INTEGER PRIMARY KEY, data TEXT NOT NULL)"_s,
            u"ALTER TABLE job ADD COLUMN grouped TEXT NOT NULL DEFAULT ''"_s,
            u"ALTER TABLE job ADD COLUMN parameters TEXT NOT NULL DEFAULT '{}'"_s,
            u"CREATE INDEX job_grouped ON job(grouped) WHERE grouped <> ''"_s,
        },
        // 7: what is wrong with jobs; those with which all is well have no row
        {
            u"CREATE TABLE health(job INTEGER PRIMARY KEY, data TEXT NOT NULL)"_s,
        },
        // 8: ended jobs whose removal is announced
        {
            u"CREATE TABLE removal(job INTEGER PRIMARY KEY, data TEXT NOT NULL)"_s,
        },
        // 9: texts of attempts before a job was tried again with another one; NULL: not known. Those of older jobs that
        // were tried again are not known any more: nothing says whether their text was changed
        {
            u"CREATE TABLE earlier_text(job INTEGER NOT NULL, attempt INTEGER NOT NULL, yaml BLOB, parameters TEXT,"
            " PRIMARY KEY(job, attempt)) WITHOUT ROWID"_s,
            u"INSERT INTO earlier_text(job, attempt) SELECT job, MAX(idx) - 1 FROM attempt GROUP BY job"
            " HAVING MAX(idx) > 0"_s,
        },
        // 10: what jobs run, for lists; older jobs have none
        {
            u"ALTER TABLE job ADD COLUMN command TEXT NOT NULL DEFAULT ''"_s,
        },
    };
    return all;
}

tl::unexpected<Error> damaged(const QString &detail)
{
    return fail(u"store.damaged"_s, QJsonObject{{u"detail"_s, detail}});
}

} // namespace

Error storeFailure(const QSqlError &error)
{
    // Numbers of SQLite, above which stands a detail.
    constexpr int busy = 5, locked = 6, noMemory = 7, interrupted = 9, cannotOpen = 14, protocol = 15, ofPrimary = 0xff;
    constexpr int ioNoMemory = 3082;
    const int extended = error.nativeErrorCode().toInt(), code = extended & ofPrimary;
    const bool isBusy = code == busy || code == locked || code == protocol;
    const bool hasNoMemory = code == noMemory || extended == ioNoMemory;
    const bool isOurs = hasNoMemory || code == interrupted || code == cannotOpen;
    const QString said = error.databaseText(); // nothing, when there is no memory for it either
    return {isBusy   ? u"store.busy"_s
            : isOurs ? u"store.unreadable"_s
                     : u"store.damaged"_s,
        QJsonObject{{u"detail"_s, said.isEmpty() && hasNoMemory ? u"out of memory"_s : said}}};
}

Result<int> schemaOf(QSqlDatabase &database)
{
    QSqlQuery query(database);
    if (!query.exec(u"SELECT name FROM sqlite_master WHERE type='table'"_s)) {
        return tl::unexpected(storeFailure(query.lastError()));
    }
    bool isEmpty = true;
    bool hasMeta = false;
    while (query.next()) {
        isEmpty = false;
        hasMeta = hasMeta || query.value(0).toString() == "meta"_L1;
    }
    if (isEmpty) {
        return 0;
    }
    if (!hasMeta || !query.exec(u"SELECT value FROM meta WHERE key='schema'"_s) || !query.next()) {
        return damaged(u"no store of Trainyard"_s);
    }
    const int schema = query.value(0).toInt();
    if (schema > storeSchema) {
        return fail(u"store.newer"_s, QJsonObject{{u"schema"_s, schema}, {u"known"_s, storeSchema}});
    }
    if (schema < 1) {
        return damaged(u"no schema number"_s);
    }
    return schema;
}

Result<void> migrateStore(QSqlDatabase &database)
{
    const Result<int> schema = schemaOf(database);
    if (!schema) {
        return tl::unexpected(schema.error());
    }
    if (*schema == storeSchema) {
        return {};
    }
    QSqlQuery query(database);
    const auto run = [&](const QString &sql) { return query.exec(sql); };
    if (!run(u"BEGIN IMMEDIATE"_s)) {
        return tl::unexpected(storeFailure(query.lastError()));
    }
    bool ok = true;
    for (int number = *schema; ok && number < storeSchema; ++number) {
        for (const QString &statement : migrations().at(number)) {
            ok = ok && run(statement);
        }
    }
    if (ok && *schema == 0) {
        ok = run(u"INSERT INTO meta VALUES('epoch', '%1')"_s.arg(QUuid::createUuid().toString(QUuid::WithoutBraces)));
    }
    ok = ok && run(u"INSERT OR REPLACE INTO meta VALUES('schema', '%1')"_s.arg(storeSchema)) && run(u"COMMIT"_s);
    if (!ok) {
        const Error why = storeFailure(query.lastError());
        run(u"ROLLBACK"_s);
        return tl::unexpected(why);
    }
    return {};
}

} // namespace trainyard
