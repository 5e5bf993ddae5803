// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the file, and handles transactions and errors.
#include "engine/store/schema.h"
#include "engine/store/storeprivate.h"
#include "engine/store/storereserve.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

constexpr qint64 checkedAtOnce = 16 << 20;
constexpr int sqliteFull = 13; // SQLITE_FULL, SQLITE_IOERR_WRITE
constexpr int sqliteWriteFailed = 778;
constexpr quint64 leastRoom = 256 << 10; // for the index that readers of a write-ahead log share, and to spare

// The mark beside a large store in which damage was found after it had been opened.
QString suspectMark(const QString &path) { return path % u".suspect"_s; }

void markSuspect(const QString &path)
{
    QFile mark(suspectMark(path));
    if (!mark.open(QIODevice::WriteOnly)) {
        qWarning("%s cannot be written; the damage is found again.", qPrintable(mark.fileName()));
    }
}

std::optional<Error> quickCheck(QSqlDatabase &database)
{
    QSqlQuery query(database);
    if (query.exec(u"PRAGMA quick_check(1)"_s) && query.next() && query.value(0).toString() == "ok"_L1) {
        return std::nullopt;
    }
    if (query.lastError().isValid()) {
        return storeFailure(query.lastError());
    }
    return Error{u"store.damaged"_s, QJsonObject{{u"detail"_s, query.value(0).toString().simplified()}}};
}

// The question was too long, as a filter may be; the file has no part in it.
bool isAskedTooMuch(const QSqlError &error)
{
    const QString text = error.databaseText();
    return error.nativeErrorCode() == "1"_L1 // SQLITE_ERROR
        && (text.contains("pattern too complex"_L1) || text.contains("Expression tree is too large"_L1)
            || text.contains("parser stack overflow"_L1) || text.contains("too many SQL variables"_L1));
}

bool hasRoom(const QString &path)
{
    struct statvfs info;
    const QByteArray folder = QFile::encodeName(QFileInfo(path).path());
    return ::statvfs(folder.constData(), &info) != 0 || quint64(info.f_bavail) * info.f_frsize >= leastRoom;
}

std::atomic<int> connections = 0;

} // namespace

QString StoredDocument::workHere() const { return work.isEmpty() ? QFileInfo(file).path() : work; }

void Store::Private::begin()
{
    if (!inTransaction && !writeError) {
        inTransaction = execute("BEGIN IMMEDIATE");
    }
}

bool Store::Private::execute(const char *sql)
{
    const Prepared &wanted = query(sql);
    QSqlQuery &statement = *wanted.query;
    const bool done = wanted.isGood && statement.exec();
    if (!done) {
        noteError(statement.lastError());
    }
    statement.finish();
    return done;
}

void Store::Private::noteError(const QSqlError &error)
{
    if (!writeError) {
        writeErrorCode = error.nativeErrorCode().toInt();
        const bool isFull = path != ":memory:"_L1 && (writeErrorCode == sqliteFull || !hasRoom(path));
        writeError = Error{isFull ? u"store.full"_s : u"store.write"_s,
            QJsonObject{{u"path"_s, path}, {u"detail"_s, error.databaseText()}, {u"folder"_s, QFileInfo(path).path()},
                {u"neededMiB"_s, storePlentyBytes >> 20}}};
    }
}

void Store::Private::check(const QSqlQuery &query) const
{
    if (readError || !query.lastError().isValid() || isAskedTooMuch(query.lastError())) {
        return;
    }
    Error failure = storeFailure(query.lastError());
    failure.args.insert(u"path"_s, path);
    if (failure.code != "store.damaged"_L1) {
        passingError = passingError ? passingError : failure;
        return;
    }
    readError = std::move(failure);
    if (!isChecked) {
        markSuspect(path);
    }
    if (tellDamage) {
        tellDamage(*readError);
    }
}

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
    const bool inMemory = path == ":memory:"_L1;
    const bool isFull = !inMemory && !hasRoom(path);
    if (!database.isValid()) {
        return withPath({u"store.no-driver"_s, {}}); // Debian has it in a package of its own
    }
    if (!database.open()) {
        return withPath({u"store.open"_s, QJsonObject{{u"detail"_s, database.lastError().text()}}});
    }
    QSqlQuery query(database);
    if (isFull) {
        // Readers of a write-ahead log share a file that has to be made; one that is alone does without.
        query.exec(u"PRAGMA locking_mode=EXCLUSIVE"_s);
        query.finish();
    }
    // The first look at the file's contents. That of a large one takes its time and is the owner's to have made, unless
    // one has found something already.
    const QString suspect = suspectMark(path);
    isChecked = isFull || QFileInfo(path).size() <= checkedAtOnce || QFile::exists(suspect);
    if (isChecked) {
        if (const std::optional<Error> damaged = quickCheck(database)) {
            return withPath(*damaged);
        }
        QFile::remove(suspect); // another file, or a repaired one
    }
    // A file that is not ours, or too new, stays as it is.
    if (const Result<int> schema = schemaOf(database); !schema) {
        return withPath(schema.error());
    }
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
    {
        Rows meta = read("SELECT value FROM meta WHERE key='epoch'");
        epoch = meta.next() ? meta.value(0).toString() : QString();
    }
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
        // SQLite would take it for a new one, and the jobs whose folders lie beside it would be lost.
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
        // A file that cannot be read or made because the disk is full looks damaged, and moving it away would lose it.
        const bool isFull = path != ":memory:"_L1 && !hasRoom(path) && opened.error().code != "store.newer"_L1;
        return isFull ? fail(u"store.no-room"_s, QJsonObject{{u"path"_s, path}}) : tl::unexpected(opened.error());
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
        if (damaged && damaged->code != "store.damaged"_L1) {
            damaged.reset(); // it cannot be read now: it is looked at next time
        }
    }
    QSqlDatabase::removeDatabase(name);
    if (damaged) {
        damaged->args.insert(u"path"_s, path);
        markSuspect(path);
    }
    return damaged;
}

std::optional<Error> Store::readError() const
{
    return d->readError ? d->readError : std::exchange(d->passingError, std::nullopt);
}

void Store::whenDamaged(std::function<void(const Error &)> tell) { d->tellDamage = std::move(tell); }

bool Store::inTransaction() const { return d->inTransaction; }

Result<void> Store::commit(bool durable)
{
    if (d->writeError) {
        const Error error = *d->writeError;
        d->mayBeWritten = false;
        rollback();
        return tl::unexpected(error);
    }
    if (d->inTransaction) {
        if (!d->execute("COMMIT")) {
            const Error error = *d->writeError;
            // The mark of the commit is the last that is written: whatever failed later comes too late.
            d->mayBeWritten = d->writeErrorCode != sqliteFull && d->writeErrorCode != sqliteWriteFailed;
            rollback();
            return tl::unexpected(error);
        }
        d->inTransaction = false;
    }
    d->mayBeWritten = false;
    if (durable && d->path != ":memory:"_L1) {
        // SQLite's own setting cannot change inside a transaction, and whether a tick is durable is known only at its
        // end. The write-ahead log is one file, and needs no more room to be synced. SQLite has no locks on it.
        const int log = ::open(QFile::encodeName(d->path + u"-wal"_s).constData(), O_RDONLY | O_CLOEXEC);
        const bool synced = log < 0 ? errno == ENOENT : ::fdatasync(log) == 0;
        const int error = errno;
        if (log >= 0) {
            ::close(log);
        }
        if (!synced) {
            d->mayBeWritten = true;
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
    }
    d->writeError.reset();
}

bool Store::mayBeWritten() const { return d->mayBeWritten; }

void Store::writeAnything()
{
    d->write("INSERT OR REPLACE INTO meta VALUES('rewritten', ?)", QUuid::createUuid().toString(QUuid::WithoutBraces));
}

} // namespace trainyard
