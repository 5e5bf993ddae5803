// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

#include <functional>
#include <memory>
#include <unordered_map>

namespace trainyard
{

// The connection, its statements, the transaction and its errors. Only the files of the store use it.
struct Store::Private {
    // A statement that is being read. Its end releases the statement and reports whether all rows were read.
    class Rows
    {
    public:
        Rows(const Private &store, QSqlQuery &statement) : m_store(store), m_statement(statement) { }
        ~Rows()
        {
            m_store.check(m_statement);
            m_statement.finish();
        }
        Rows(const Rows &) = delete;
        Rows &operator=(const Rows &) = delete;

        bool next() { return m_statement.next(); }
        QVariant value(int column) const { return m_statement.value(column); }
        const QSqlQuery &row() const { return m_statement; }

    private:
        const Private &m_store;
        QSqlQuery &m_statement;
    };

    QString path;
    bool isChecked = false;
    QString connection;
    QSqlDatabase database;
    QString epoch;
    bool inTransaction = false;
    std::optional<Error> writeError;
    int writeErrorCode = 0; // of SQLite, extended
    bool mayBeWritten = false;
    mutable std::optional<Error> readError; // the first that reports damage
    mutable std::optional<Error> passingError; // the first of the others that was not reported
    std::function<void(const Error &)> tellDamage;
    // Prepared once; the key is the literal's address.
    struct Prepared {
        std::unique_ptr<QSqlQuery> query;
        bool isGood = false; // else its error is why not
    };
    mutable std::unordered_map<const char *, Prepared> prepared;

    Result<void> open();

    // A statement that could not be prepared for lack of memory is prepared again.
    Prepared &query(const char *sql) const
    {
        Prepared &slot = prepared[sql];
        if (!slot.query) {
            slot.query = std::make_unique<QSqlQuery>(database);
            slot.query->setForwardOnly(true);
        }
        slot.isGood = slot.isGood || slot.query->prepare(QString::fromLatin1(sql));
        return slot;
    }

    void begin();
    bool execute(const char *sql);
    void noteError(const QSqlError &error);
    void check(const QSqlQuery &query) const; // of one that was read: whether it could be read to its end

    // Writes inside the transaction; nothing more is tried after a failure.
    template <typename... Values> std::optional<qint64> write(const char *sql, const Values &...values)
    {
        begin();
        if (writeError) {
            return std::nullopt;
        }
        const Prepared &wanted = query(sql);
        QSqlQuery &statement = *wanted.query;
        int i = 0;
        (statement.bindValue(i++, QVariant(values)), ...);
        const bool done = wanted.isGood && statement.exec();
        if (!done) {
            noteError(statement.lastError());
        }
        const QVariant id = done ? statement.lastInsertId() : QVariant();
        statement.finish();
        return done ? std::optional(id.toLongLong()) : std::nullopt;
    }

    template <typename... Values> Rows read(const char *sql, const Values &...values) const
    {
        const Prepared &wanted = query(sql);
        QSqlQuery &statement = *wanted.query;
        if (wanted.isGood) {
            int i = 0;
            (statement.bindValue(i++, QVariant(values)), ...);
            statement.exec();
        }
        return Rows(*this, statement);
    }

    // The rows of these jobs in a table, newest first, each passed on with its job. The columns of `sql` are the job
    // and the data, of the jobs between two numbers, downwards.
    void addTo(QList<JobSummary> &jobs, const char *sql,
        const std::function<void(JobSummary &job, const QVariant &data)> &add) const;
    void addResults(QList<JobSummary> &jobs) const; // to rows of the lists, newest first
    void addHealth(QList<JobSummary> &jobs) const; // the same
    void addRemovals(QList<JobSummary> &jobs) const; // the same
    int newestAttempt(qint64 job) const; // 0 when there is none
    void writeTask(const core::JobState &state, core::TaskRef ref);
};

} // namespace trainyard
