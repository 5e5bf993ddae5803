// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskoutline.h"
#include "engine/api/values.h"
#include "engine/core/jobstate.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QJsonObject>

#include <functional>
#include <memory>
#include <vector>

namespace trainyard
{

// A point in the event stream: numbers of different stores never compare.
struct Serial {
    QString epoch;
    qint64 number = 0;
    friend bool operator==(const Serial &, const Serial &) = default;
};

struct StoredEvent {
    qint64 serial = 0;
    qint64 job = 0; // 0: of no job
    qint64 at = 0;
    QString kind;
    QJsonObject data;
};

// What a job was submitted with, beyond the core's state.
struct StoredDocument {
    QByteArray yaml; // secrets masked
    QMap<QString, QString> parameters;
    QString target, work, runIn;
    QString file;
    friend bool operator==(const StoredDocument &, const StoredDocument &) = default;
};

// A job that was not finished when the store was closed (or its writer killed).
struct StoredJob {
    core::JobState state; // counters filled; event::Reconcile goes on with it
    StoredDocument document;
};

struct JobsQuery {
    QList<State> states; // empty: all
    QString text; // part of name or "#number"; empty: all
    qint64 before = 0; // ids less than this; 0: from the newest
    int limit = 200;
};

struct StoredHost {
    QString id;
    QJsonObject data; // what the daemon knows of it
};

// The jobs on disk: SQLite in WAL mode, one connection, one thread. Writes go into the current transaction, which the
// first of them begins; commit() ends it, once per turn of the event loop and before any effect is carried out. A crash
// loses whole turns, newest first, and never one that was committed durably.
// Once a write failed (disk full) the transaction is rolled back and commit() says so; the caller stops effects.
class Store
{
public:
    // Path of the file, or ":memory:". Errors: "store.newer" {path, schema, known}, "store.damaged" {path, detail},
    // "store.open" {path, detail}, "store.no-room" {path}: a new one has no room on the disk, or one that is there none
    // even to be read.
    static Result<std::unique_ptr<Store>> open(const QString &path);
    ~Store();
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;

    QString epoch() const;

    // False for a large file, whose pages have not all been looked at. checkAside() does that, on any thread, and
    // leaves a mark by which the next open() refuses the file at once. Error "store.damaged" {path, detail}.
    bool isChecked() const;
    static std::optional<Error> checkAside(const QString &path);

    // Of the first query that could not be read to its end: "store.damaged" {path, detail}.
    std::optional<Error> readError() const;
    // Called once, from inside of what reads; of a file that was not checked whole the next open() looks at it all.
    void whenDamaged(std::function<void(const Error &)> tell);

    // ---- transaction ----
    bool inTransaction() const;
    // Durable: on the disk when it returns (submission, stop, final record). Error "store.write" {detail}.
    Result<void> commit(bool durable = false);
    void rollback();

    // ---- jobs ----
    // Gives the job its number (state.meta.id is set) and writes job, document, attempts and tasks.
    qint64 addJob(core::JobState &state, const StoredDocument &document);
    // Of a job that is run again with edits: its text and what follows from it.
    void saveDocument(const core::JobState &state, const StoredDocument &document);
    void saveJob(const core::JobState &state); // row of the lists and the machine's own record
    void saveReason(qint64 job, const QString &code, const QJsonObject &args); // why it waits
    void saveAttempt(const core::JobState &state, int attempt);
    void saveTask(const core::JobState &state, core::TaskRef task);
    // A try of a task that is tried again in the same attempt, as the task would be were it its last.
    void saveTry(const core::JobState &state, core::TaskRef task, const core::Task &over);
    void saveTasks(const core::JobState &state); // all of the newest attempt
    void removeJob(qint64 job); // a finished one, with all it has

    std::vector<StoredJob> unfinished() const;
    std::optional<StoredJob> load(qint64 job) const; // also a finished one
    QStringList hostsOf(qint64 job) const; // where tasks of it were, in any attempt
    std::optional<StoredDocument> document(qint64 job) const;
    QList<JobSummary> jobs(const JobsQuery &query) const; // newest first
    std::optional<JobSummary> job(qint64 id) const;
    std::optional<qint64> findJob(
        const QString &text) const; // number, "#n", UUID prefix of 8 or more, or name (newest)
    std::optional<qint64> idOf(const QString &uuid) const; // exactly this one
    QString freeRunName(const QString &name) const; // name, name_2, ...
    QList<AttemptInfo> attempts(qint64 job) const; // oldest first
    // In role order; attempt -1: the newest. total: of that attempt.
    QList<TaskInfo> tasks(qint64 job, int attempt = -1, int from = 0, int limit = 1000, int *total = nullptr) const;

    // The tries of an attempt (-1: the newest) that were not a task's last, in the order of roles, tasks and tries.
    QList<TaskInfo> earlierTries(qint64 job, int attempt = -1, int from = 0, int limit = 1000) const;

    // Of each role and state the first `most`, and how many there are.
    TaskOutline outline(qint64 job, int attempt, int most) const;

    // ---- events ----
    Serial appendEvent(qint64 job, qint64 at, const QString &kind, const QJsonObject &data);
    Serial lastSerial() const;
    // A range of numbers that nobody gets again, also not after a restart: the first of them.
    qint64 reserveNumbers(qint64 count);
    // Nothing when `since` is of another epoch or older than what is kept: the reader needs a snapshot.
    std::optional<QList<StoredEvent>> eventsSince(const Serial &since, int limit = 10000) const;
    void trimEvents(qint64 keep);

    // ---- hosts ----
    void saveHost(const StoredHost &host);
    void removeHost(const QString &id);
    QList<StoredHost> hosts() const;

private:
    Store();
    std::vector<StoredJob> loadWhere(const QString &condition) const;
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard
