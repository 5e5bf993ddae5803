// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/foreign/metricdatabase.h"

#include "engine/metricfiles/json.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QUrl>

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qsizetype headSize = 100;
constexpr int lockPatienceMs = 2000;
constexpr qint64 mostCopied = qint64(1) << 30; // bytes
constexpr std::size_t mostSeries = 100000;

QByteArray headOf(const QString &path)
{
    // To open a pipe would wait for its other end.
    QFile file(path);
    return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) ? file.read(headSize) : QByteArray();
}

// With a write-ahead log, which readers share by files beside the database.
bool hasLog(const QByteArray &head)
{
    constexpr qsizetype formatAt = 18;
    constexpr char writeAhead = 2;
    return head.size() == headSize && head.at(formatAt) == writeAhead;
}

// Numbers the series for a sink.
class Named
{
public:
    explicit Named(metricfiles::Sink &sink) : m_sink(sink) { }
    std::optional<std::uint32_t> operator()(const std::string &name)
    {
        const auto [place, isNew] = m_numbers.try_emplace(name, std::uint32_t(m_numbers.size()));
        if (isNew && m_numbers.size() > mostSeries) {
            m_numbers.erase(place);
            return std::nullopt;
        }
        if (isNew) {
            m_sink.addSeries(place->second, name, metricfiles::SeriesKind::Metric);
        }
        return place->second;
    }

private:
    metricfiles::Sink &m_sink;
    std::unordered_map<std::string, std::uint32_t> m_numbers;
};

void setFact(metricfiles::Sink &sink, const QString &name, const QString &value)
{
    if (!value.isEmpty()) {
        sink.setFact(name.toStdString(), value.toStdString());
    }
}

// What MLflow stores of a value that is not finite: a flag, or the greatest double.
double mlflowValue(double value, bool isNan)
{
    if (isNan) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return std::abs(value) == std::numeric_limits<double>::max()
        ? std::copysign(std::numeric_limits<double>::infinity(), value)
        : value;
}

// A metric that was stored without a step has zero in all rows: they are counted then.
void give(std::vector<metricfiles::Point> &points, metricfiles::Sink &sink)
{
    bool hasSteps = points.size() == 1;
    for (const metricfiles::Point &point : points) {
        hasSteps = hasSteps || point.x != 0;
    }
    double row = 0;
    for (metricfiles::Point &point : points) {
        ++row;
        if (!hasSteps) {
            point.axis = metrics::Axis::Row;
            point.x = row;
        }
        sink.addPoint(point);
    }
    points.clear();
}

} // namespace

bool MetricDatabase::hasName(const QString &path)
{
    const QFileInfo info(path);
    const QString name = info.fileName();
    return name == "mlflow.db"_L1 || name == "mlruns.db"_L1
        || (name.endsWith(".db"_L1) && info.path().section(u'/', -1) == "trackio"_L1);
}

bool MetricDatabase::isDatabase(const QString &path)
{
    return headOf(path).startsWith(QByteArrayView("SQLite format 3\0", 16));
}

MetricDatabase::MetricDatabase(const QString &path) : m_path(path)
{
    static std::atomic<int> count = 0;
    m_connection = u"metrics-%1"_s.arg(++count);
}

MetricDatabase::~MetricDatabase()
{
    if (m_database) {
        m_database->close();
        m_database.reset();
        QSqlDatabase::removeDatabase(m_connection);
    }
}

Error MetricDatabase::errorOf(const QString &reason) const
{
    if (reason.contains("locked"_L1)) {
        return {u"metricdatabase.locked"_s, {{u"file"_s, m_path}}};
    }
    return {u"metricdatabase.unreadable"_s, {{u"file"_s, m_path}, {u"reason"_s, reason}}};
}

Result<std::unique_ptr<MetricDatabase>> MetricDatabase::open(const QString &path)
{
    std::unique_ptr<MetricDatabase> database(new MetricDatabase(path));
    if (const Result<void> connected = database->connect(); !connected) {
        return tl::unexpected(connected.error());
    }
    QSqlQuery query(*database->m_database);
    const auto names = [&query](const QString &text) {
        QStringList list;
        query.exec(text);
        while (query.next()) {
            list.append(query.value(0).toString());
        }
        return list;
    };
    const QStringList tables = names(u"SELECT name FROM sqlite_master WHERE type = 'table'"_s);
    if (const QSqlError error = query.lastError(); error.isValid()) {
        return tl::unexpected(database->errorOf(error.databaseText()));
    }
    if (tables.contains("runs"_L1) && tables.contains("metrics"_L1)) {
        database->m_kind = Kind::Mlflow;
    } else if (names(u"SELECT name FROM pragma_table_info('metrics')"_s).contains("metrics"_L1)) {
        database->m_kind = Kind::Trackio;
    } else {
        return tl::unexpected(Error{u"metricdatabase.unknown"_s, {{u"file"_s, path}}});
    }
    query.finish();
    return database;
}

Result<void> MetricDatabase::connect()
{
    QString path = m_path;
    QString how = u"mode=ro"_s;
    const QByteArray head = headOf(m_path);
    if (!head.startsWith("SQLite format 3")) {
        return tl::unexpected(Error{u"metricdatabase.unknown"_s, {{u"file"_s, m_path}}});
    }
    if (hasLog(head)) {
        const QString log = m_path + "-wal"_L1;
        if (!QFileInfo::exists(log) || QFileInfo(log).size() == 0) {
            how = u"immutable=1"_s; // no program has it open; SQLite would make its files otherwise
        } else if (!QFileInfo::exists(m_path + "-shm"_L1)) {
            // Its program was killed. What is in the log can only be read by writing.
            m_copy = std::make_unique<QTemporaryDir>();
            path = m_copy->filePath(u"copy.db"_s);
            if (QFileInfo(m_path).size() + QFileInfo(log).size() > mostCopied || !QFile::copy(m_path, path)
                || !QFile::copy(log, path + "-wal"_L1)) {
                return tl::unexpected(errorOf(u"the copy that its log needs cannot be made"_s));
            }
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
            QFile::setPermissions(path + "-wal"_L1, QFile::ReadOwner | QFile::WriteOwner);
            how = u"mode=rw"_s;
        }
    }
    m_database = std::make_unique<QSqlDatabase>(QSqlDatabase::addDatabase(u"QSQLITE"_s, m_connection));
    QUrl address = QUrl::fromLocalFile(path);
    address.setQuery(how);
    m_database->setDatabaseName(address.toString(QUrl::FullyEncoded));
    m_database->setConnectOptions(u"QSQLITE_OPEN_URI;QSQLITE_BUSY_TIMEOUT=%1"_s.arg(lockPatienceMs)
        + (m_copy ? QString() : u";QSQLITE_OPEN_READONLY"_s));
    if (!m_database->open()) {
        return tl::unexpected(errorOf(m_database->lastError().databaseText()));
    }
    return {};
}

Result<QList<MetricDatabase::Run>> MetricDatabase::runs() const
{
    QSqlQuery query(*m_database);
    query.setForwardOnly(true);
    const QString text = m_kind == Kind::Mlflow
        ? u"SELECT run_uuid, name FROM runs WHERE lifecycle_stage IS NOT 'deleted' ORDER BY start_time, run_uuid"_s
        : u"SELECT run_name, run_name FROM metrics GROUP BY run_name ORDER BY MIN(id)"_s;
    if (!query.exec(text)) {
        return tl::unexpected(errorOf(query.lastError().databaseText()));
    }
    QList<Run> runs;
    while (query.next()) {
        const Run run{query.value(0).toString(), query.value(1).toString()};
        runs.append({run.id, run.name.isEmpty() ? run.id : run.name});
    }
    return runs;
}

Result<void> MetricDatabase::read(const Run &run, metricfiles::Sink &sink) const
{
    setFact(sink, u"name"_s, run.name);
    return m_kind == Kind::Mlflow ? readMlflow(run, sink) : readTrackio(run, sink);
}

Result<void> MetricDatabase::readMlflow(const Run &run, metricfiles::Sink &sink) const
{
    QSqlQuery query(*m_database);
    query.setForwardOnly(true);
    const auto ask = [&](const QString &text) {
        query.prepare(text);
        query.addBindValue(run.id);
        return query.exec();
    };
    if (!ask(u"SELECT status FROM runs WHERE run_uuid = ?"_s)) {
        return tl::unexpected(errorOf(query.lastError().databaseText()));
    }
    if (query.next()) {
        setFact(sink, u"state"_s, query.value(0).toString());
    }
    if (ask(u"SELECT key, value FROM params WHERE run_uuid = ?"_s)) {
        while (query.next()) {
            setFact(sink, "config/"_L1 + query.value(0).toString(), query.value(1).toString());
        }
    }
    if (!ask(u"SELECT key, value, timestamp, step, is_nan FROM metrics WHERE run_uuid = ? "
             "ORDER BY key, timestamp, step"_s)) {
        return tl::unexpected(errorOf(query.lastError().databaseText()));
    }
    Named named(sink);
    std::vector<metricfiles::Point> points; // of one metric
    QString key;
    std::optional<std::uint32_t> number;
    while (query.next()) {
        if (const QString next = query.value(0).toString(); next != key || !number) {
            give(points, sink);
            key = next;
            number = named(key.toStdString());
        }
        if (!number) {
            continue;
        }
        metricfiles::Point point;
        point.series = *number;
        point.x = query.value(3).toDouble();
        point.time = query.value(2).toLongLong();
        point.value = mlflowValue(query.value(1).toDouble(), query.value(4).toBool());
        points.push_back(point);
    }
    give(points, sink);
    if (const QSqlError error = query.lastError(); error.isValid()) {
        return tl::unexpected(errorOf(error.databaseText()));
    }
    return {};
}

Result<void> MetricDatabase::readTrackio(const Run &run, metricfiles::Sink &sink) const
{
    QSqlQuery query(*m_database);
    query.setForwardOnly(true);
    query.prepare(u"SELECT config FROM configs WHERE run_name = ?"_s);
    query.addBindValue(run.id);
    if (query.exec() && query.next()) {
        const QJsonObject config = QJsonDocument::fromJson(query.value(0).toByteArray()).object();
        for (auto it = config.begin(); it != config.end(); ++it) {
            if (!it.key().startsWith(u'_')) {
                setFact(sink, "config/"_L1 + it.key(), it.value().toVariant().toString());
            }
        }
    }
    query.prepare(u"SELECT step, timestamp, metrics FROM metrics WHERE run_name = ? ORDER BY id"_s);
    query.addBindValue(run.id);
    if (!query.exec()) {
        return tl::unexpected(errorOf(query.lastError().databaseText()));
    }
    Named named(sink);
    while (query.next()) {
        const std::string text = query.value(2).toByteArray().toStdString();
        const QDateTime time = QDateTime::fromString(query.value(1).toString(), Qt::ISODateWithMs);
        metricfiles::JsonScanner scanner(text);
        if (scanner.next() != metricfiles::JsonScanner::Token::ObjectBegin) {
            continue;
        }
        metricfiles::forEachNumber(scanner, [&](std::string_view name, double value) {
            if (const std::optional<std::uint32_t> number = named(std::string(name))) {
                metricfiles::Point point;
                point.series = *number;
                point.x = query.value(0).toDouble();
                point.value = value;
                if (time.isValid()) {
                    point.time = time.toMSecsSinceEpoch();
                }
                sink.addPoint(point);
            }
        });
    }
    if (const QSqlError error = query.lastError(); error.isValid()) {
        return tl::unexpected(errorOf(error.databaseText()));
    }
    return {};
}

} // namespace trainyard
