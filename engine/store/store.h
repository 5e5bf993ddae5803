// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"
#include "engine/api/taskoutline.h"
#include "engine/api/usage.h"
#include "engine/api/values.h"
#include "engine/core/duejobs.h"
#include "engine/core/jobstate.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QJsonObject>

#include <functional>
#include <memory>
#include <vector>

namespace trainyard
{

// The submission of a job, in addition to the core's state.
struct StoredDocument {
    QByteArray yaml; // secrets masked
    QMap<QString, QString> parameters;
    QString target, work, runIn;
    QString file;
    QString key = {}; // of the submission, or empty: no two jobs have the same
    int groupLimit = 0; // these two as in SubmitRequest
    QString stopWorse = {};
    QJsonObject assistant = {}; // as in JobSummary
    QByteArray original = {}; // these two as in SubmitRequest; secrets masked
    QString rehearsal = {};
    QString promoted = {}; // of a rehearsal: the UUID of what was submitted of its original last
    QString documentName = {}; // as in SubmitRequest
    bool copiesWork = false; // other hosts than this computer get a copy of its work folder
    QString textFile = {}; // as in JobDetail
    // The folder on this computer that copies are made of: the work folder, or else that of the file.
    QString workHere() const;
    friend bool operator==(const StoredDocument &, const StoredDocument &) = default;
};

// Data that lists show about a job, in addition to the core's.
struct ListedFacts {
    JobLabels labels;
    QString group; // as in JobSummary
    QJsonObject parameters; // as in JobSummary
    QString command = {}; // as in JobSummary
    friend bool operator==(const ListedFacts &, const ListedFacts &) = default;
};

// A job that was not finished when the store was closed (or its writer killed).
struct StoredJob {
    core::JobState state; // counters filled; event::Reconcile continues it
    StoredDocument document;
    ListedFacts listed = {};
};

struct JobsQuery {
    JobFilter filter = {};
    QString group = {}; // exactly this one; empty: any
    qint64 before = 0; // ids less than this; 0: from the newest
    int limit = 200;
    qint64 now = 0; // for how long jobs have run that have not ended
    QStringList silenced = {}; // kinds of health marks for which no job is unhealthy
};

// The jobs on disk, in SQLite in WAL mode with one connection on one thread. Writes go into the current transaction,
// which the first write begins. commit() ends it, once in each tick and before any effect is carried out. A crash loses
// whole ticks, newest first, and never one that was committed durably. When a write fails (disk full) the transaction
// is rolled back and commit() reports it; the caller then carries out no effects. Large because it has the statements
// that write and read each record: there is no SQL elsewhere.
class Store
{
public:
    // Path of the file, or ":memory:". Errors: "store.newer" {path, schema, known}, "store.damaged" {path, detail},
    // "store.busy" {path, detail}: another program holds it, "store.unreadable" {path, detail}: there is no memory or
    // no file descriptor for it, "store.no-driver" {path}: Qt has no driver for SQLite, "store.open" {path, detail},
    // "store.no-room" {path}: there is no room on the disk for a new file, or not even to read an existing one.
    static Result<std::unique_ptr<Store>> open(const QString &path);
    ~Store();
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;

    QString epoch() const;

    // False for a large file, of which not all pages have been checked. checkAside() does that, on any thread, and
    // leaves a mark by which the next open() refuses the file at once. Error "store.damaged" {path, detail}.
    bool isChecked() const;
    static std::optional<Error> checkAside(const QString &path);

    // The error of the first query that could not be read to its end: "store.damaged" {path, detail}. A temporary one,
    // "store.busy" or "store.unreadable", is reported once.
    std::optional<Error> readError() const;
    // Called once, from within a read. The next open() checks all of a file that was not checked as a whole.
    void whenDamaged(std::function<void(const Error &)> tell);

    // ---- transaction ----
    bool inTransaction() const;
    // With `durable` the data is on the disk when it returns (submission, stop, final record). Error "store.write"
    // {path, detail}, or "store.full" {path, detail, folder, neededMiB}: the disk of the folder is full.
    Result<void> commit(bool durable = false);
    void rollback();
    // Whether the file may have the commit that failed last nevertheless, so that it is there after the next open().
    // Later commits replace it.
    bool mayBeWritten() const;
    void writeAnything(); // so that a commit has something to write

    // ---- jobs ----
    // Gives the job its number (state.meta.id is set) and writes job, document, attempts and tasks.
    qint64 addJob(core::JobState &state, const StoredDocument &document, const ListedFacts &listed = {});
    // Saves the text of a job that is run again with edits, and what follows from it.
    void saveDocument(const core::JobState &state, const StoredDocument &document);
    // The text that the job ran with up to this attempt, before it is tried again with another one.
    void saveEarlierText(qint64 job, const EarlierText &text);
    void saveFacts(qint64 job, const StoredDocument &document); // all of a document but its text
    void saveLabels(qint64 job, const JobLabels &labels);
    void saveTextFacts(qint64 job, const ListedFacts &listed); // those of its text: parameters and command
    void saveJob(const core::JobState &state); // row of the lists and the machine's own record
    void saveAttempt(const core::JobState &state, int attempt);
    // Restores a job as it was loaded: attempts that were opened since are removed with their tasks.
    void restoreJob(const StoredJob &before);
    void saveTask(const core::JobState &state, core::TaskRef task);
    // A try of a task that is tried again in the same attempt, as the task would be were it its last.
    void saveTry(const core::JobState &state, core::TaskRef task, const core::Task &over);
    void saveTasks(const core::JobState &state); // all of the newest attempt
    void saveResults(qint64 job, const QJsonObject &results); // as in JobSummary
    void saveHealth(qint64 job, const QList<HealthMark> &marks);
    void dropReadings(qint64 job); // both, of a job that runs again: as if they were never saved
    void saveRemoval(qint64 job, const std::optional<PlannedRemoval> &removal); // nothing: none is announced
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
    std::optional<qint64> idOfKey(const QString &key) const; // that was submitted with it
    QList<JobSummary> withoutResults(int most) const; // finished ones for which saveResults() was never called
    std::vector<core::EndedJob> ended() const; // all that have ended, their sizes not filled in
    std::optional<PlannedRemoval> removal(qint64 job) const;
    QList<PlannedRemoval> removals() const; // all that are announced
    QStringList withHealth(int most) const; // UUIDs of jobs with marks, the newest first
    QString freeRunName(const QString &name) const; // name, name_2, ...
    QList<AttemptInfo> attempts(qint64 job) const; // oldest first
    // Likewise. They go over the connection in one message: those beyond so many bytes count as not known.
    static constexpr qint64 mostEarlierTextBytes = qint64(4) << 20;
    QList<EarlierText> earlierTexts(qint64 job) const;
    // Tasks in role order; attempt -1 is the newest. `total` is the number of tasks of that attempt.
    QList<TaskInfo> tasks(qint64 job, int attempt = -1, int from = 0, int limit = 1000, int *total = nullptr) const;

    // The tries of an attempt (-1: the newest) that were not a task's last, in the order of roles, tasks and tries.
    QList<TaskInfo> earlierTries(qint64 job, int attempt = -1, int from = 0, int limit = 1000) const;

    // The first `most` tasks of each role and state, and how many there are.
    TaskOutline outline(qint64 job, int attempt, int most) const;

    // The tries that ran at some time in between, of all jobs; of more than `most`, those that began last.
    UsageReply usage(qint64 from, qint64 to, int most) const;

private:
    Store();
    std::vector<StoredJob> loadWhere(const QString &condition) const;
    QList<qint64> candidates(const JobsQuery &query) const;
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard
