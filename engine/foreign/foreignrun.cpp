// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/foreign/foreignrun.h"

#include "engine/client/filemetrics.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"
#include "engine/foreign/metricdatabase.h"
#include "engine/metricfiles/filereader.h"
#include "engine/metricfiles/format.h"
#include "engine/metricfiles/ownexport.h"
#include "engine/series/writer.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qsizetype mostNotes = 20;
constexpr int mostResults = 32; // as of a job of ours

ForeignNote noteOf(const metricfiles::Note &note, const QString &file)
{
    return {QString::fromLatin1(note.code.data(), qsizetype(note.code.size())),
        {{u"file"_s, file}, {u"offset"_s, qint64(note.offset)}, {u"text"_s, QString::fromStdString(note.text)}}};
}

// Puts what is read into a file of series, as an agent does for a task.
class IntoFolder : public metricfiles::Sink
{
public:
    IntoFolder(series::Writer &writer, qint64 time) : m_writer(writer), m_time(time) { }

    void beginFile() { m_known.clear(); }
    void addSeries(std::uint32_t series, std::string_view name, metricfiles::SeriesKind kind) override
    {
        if (m_known.size() <= series) {
            m_known.resize(series + 1);
        }
        m_known[series] = {std::string(name), kind, {}};
    }
    void addPoint(const metricfiles::Point &point) override
    {
        if (point.series >= m_known.size()) {
            return;
        }
        Known &known = m_known[point.series];
        if (!known.id) {
            series::Info info;
            info.name = contract::metricSeries(0, known.name);
            info.axis = axisOf(point.axis);
            if (info.axis == series::Axis::Time) {
                info.stepBack = series::StepBack::Mixed;
            }
            info.mayThin = known.kind == metricfiles::SeriesKind::Machine;
            known.id = m_writer.define(info);
            if (!known.id) {
                return;
            }
            m_all.insert(*known.id);
        }
        constexpr double milliseconds = 1000;
        const double x = point.axis == metrics::Axis::Time ? point.x * milliseconds : point.x;
        const qint64 time = point.time.value_or(m_time);
        if (point.time) {
            began = std::min(began, time);
            ended = std::max(ended, time);
        }
        m_writer.append(*known.id, {x, time, point.value});
    }
    void voidFrom(double step) override
    {
        for (const std::uint32_t id : m_all) {
            m_writer.voidFrom(id, step);
        }
    }
    void setFact(std::string_view name, std::string_view value) override { facts[std::string(name)] = value; }
    void startOver() override
    {
        m_known.clear();
        voidFrom(std::numeric_limits<double>::lowest());
    }

    std::map<std::string, std::string> facts;
    qint64 began = std::numeric_limits<qint64>::max(), ended = 0; // of the points that have a time

private:
    static series::Axis axisOf(metrics::Axis axis)
    {
        switch (axis) {
        case metrics::Axis::Epoch:
            return series::Axis::Epoch;
        case metrics::Axis::Time:
            return series::Axis::Time;
        case metrics::Axis::None:
        case metrics::Axis::Row:
            return series::Axis::Other;
        default:
            return series::Axis::Step;
        }
    }

    struct Known {
        std::string name;
        metricfiles::SeriesKind kind = metricfiles::SeriesKind::Metric;
        std::optional<std::uint32_t> id;
    };
    series::Writer &m_writer;
    qint64 m_time;
    std::vector<Known> m_known;
    std::set<std::uint32_t> m_all;
};

Result<void> readFiles(const FoundForeign &found, IntoFolder &sink, series::Writer &writer, std::string &book,
    QList<ForeignNote> &notes, const std::function<bool()> &isCancelled)
{
    int opened = 0;
    metricfiles::Note problem;
    for (const metricfiles::RunFile &file : found.files.files) {
        const QString shown = QFile::decodeName(file.path.c_str());
        const auto reader = metricfiles::FileReader::open(file.path, {file.format, true}, problem);
        if (!reader) {
            notes.append(noteOf(problem, shown));
            continue;
        }
        ++opened;
        book += contract::fileLine({0, "file", file.path});
        sink.beginFile();
        for (bool isMore = true; isMore && !isCancelled();) {
            const metricfiles::Report report = reader->read(sink);
            isMore = report.state == metricfiles::State::More;
            for (const metricfiles::Note &note : report.notes) {
                if (notes.size() < mostNotes) {
                    notes.append(noteOf(note, shown));
                }
            }
            writer.flush();
        }
    }
    if (opened == 0 && !notes.isEmpty()) {
        return fail(notes.constLast().code, notes.constLast().args);
    }
    return {};
}

Result<void> readDatabase(const FoundForeign &found, IntoFolder &sink)
{
    const auto database = MetricDatabase::open(found.database);
    if (!database) {
        return tl::unexpected(database.error());
    }
    return (*database)->read({found.id, found.name}, sink);
}

QJsonValue parameterOf(const std::string &text)
{
    const QByteArray bytes = QByteArray::fromStdString(text);
    // W&B keeps them as JSON, MLflow as they were printed.
    const QJsonValue value = QJsonDocument::fromJson('[' + bytes + ']').array().at(0);
    return value.isDouble() || value.isBool() || value.isString() ? value : QJsonValue(QString::fromUtf8(bytes));
}

State foreignStateOf(const std::map<std::string, std::string> &facts)
{
    const auto fact = [&facts](const char *name) {
        const auto found = facts.find(name);
        return found == facts.end() ? std::string() : found->second;
    };
    const std::string code = fact("exit-code"), state = fact("state");
    if (!code.empty()) {
        return code == "0" ? State::Succeeded : State::Failed;
    }
    return state == "FINISHED" ? State::Succeeded
        : state == "FAILED"    ? State::Failed
        : state == "KILLED"    ? State::Stopped
                               : State::Unknown;
}

// The last, least and greatest values, as of a job of ours.
QJsonObject resultsIn(const QString &folder)
{
    QJsonObject results;
    FileMetrics metrics(folder);
    for (const FileMetrics::Grown &grown : metrics.takeNew()) {
        series::Series series;
        for (const series::Point &point : grown.points) {
            series.append(point);
        }
        const std::optional<series::Point> last = series.last(), least = series.smallest(), most = series.largest();
        if (results.size() >= mostResults || grown.axis == series::Axis::Time || !last || !least || !most) {
            continue;
        }
        const bool isBroken = !std::isfinite(last->value);
        QJsonObject one{{u"least"_s, least->value}, {u"most"_s, most->value}};
        if (isBroken) {
            one.insert(u"broken"_s, true);
        } else {
            one.insert(u"last"_s, last->value);
        }
        if (grown.axis != series::Axis::Other) {
            one.insert(u"step"_s, last->x);
            one.insert(u"leastAt"_s, least->x);
            one.insert(u"mostAt"_s, most->x);
        }
        results.insert(grown.name, one);
    }
    return results;
}

// A table that Trainyard saved repeats values of its own runs, mostly of several in one file.
bool isSavedTable(const QString &path, metricfiles::Format format)
{
    QFile file(path);
    const bool maybe = format == metricfiles::Format::Table || format == metricfiles::Format::JsonLines;
    return maybe && file.open(QIODevice::ReadOnly)
        && metricfiles::isOwnExport(file.read(qint64(metricfiles::recognizedHead)).toStdString());
}

QString nameOf(const FoundForeign &found)
{
    return found.name == "."_L1 || found.name.isEmpty() ? QFileInfo(found.path).fileName() : found.name;
}

} // namespace

Result<FoundForeigns> findForeign(const QString &path)
{
    FoundForeigns all;
    QStringList databases;
    const QFileInfo info(path);
    if (info.isDir()) {
        metricfiles::FoundRuns found = metricfiles::findRuns(pathBytes(path));
        for (const metricfiles::Note &note : found.notes) {
            all.notes.append(noteOf(note, path));
        }
        for (metricfiles::FoundRun &run : found.runs) {
            const QString name = QFile::decodeName(run.name.c_str());
            all.runs.append({path, name, std::move(run), {}, {}});
        }
        for (const std::string &database : found.databases) {
            databases.append(QFile::decodeName(database.c_str()));
        }
    } else if (MetricDatabase::isDatabase(path)) {
        databases.append(path);
    } else {
        metricfiles::Note problem;
        const std::string file = pathBytes(path);
        const auto reader = metricfiles::FileReader::open(file, {}, problem);
        if (!reader) {
            const ForeignNote note = noteOf(problem, path);
            return fail(note.code, note.args);
        }
        if (isSavedTable(path, reader->format())) {
            return fail(u"metricfile.own-export"_s, {{u"file"_s, path}});
        }
        all.runs.append({path, info.fileName(), {file, {{file, reader->format()}}}, {}, {}});
    }
    for (const QString &file : std::as_const(databases)) {
        const auto database = MetricDatabase::open(file);
        const auto runs = database ? (*database)->runs() : tl::unexpected(database.error());
        if (!runs && !info.isDir()) {
            return tl::unexpected(runs.error());
        }
        if (!runs) {
            all.notes.append({runs.error().code, runs.error().args});
            continue;
        }
        for (const MetricDatabase::Run &run : *runs) {
            all.runs.append({path, run.name, {}, file, run.id});
        }
    }
    return all;
}

bool isUnnamedMetric(const QString &path)
{
    constexpr qint64 longestLine = 4096;
    const QString whole = QFileInfo(path).absoluteFilePath();
    const std::string name = pathBytes(whole);
    QFile file(whole);
    if (!metricfiles::canBeMetrics(name) || !QFileInfo(whole).isFile() || !file.open(QIODevice::ReadOnly)) {
        return false;
    }
    return metricfiles::recognize(name, file.read(longestLine).toStdString()) == metricfiles::Format::MlflowMetric;
}

QString foreignUuid(const FoundForeign &found)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const QString &part : {QFileInfo(found.path).absoluteFilePath(), QString::fromStdString(found.files.name),
             found.database, found.id}) {
        hash.addData(part.toUtf8());
        hash.addData(QByteArrayView("\0", 1));
    }
    constexpr qsizetype digits = 32;
    return foreignPrefix + QString::fromLatin1(hash.result().toHex().left(digits));
}

QByteArray stampOf(const FoundForeign &found)
{
    QByteArray stamp;
    const auto add = [&stamp](const QString &file) {
        const QFileInfo info(file);
        stamp += QByteArray::number(info.size()) + ' ' + QByteArray::number(info.lastModified().toMSecsSinceEpoch())
            + ' ';
    };
    for (const metricfiles::RunFile &file : found.files.files) {
        add(QFile::decodeName(file.path.c_str()));
    }
    if (!found.database.isEmpty()) {
        add(found.database);
        add(found.database + "-wal"_L1);
    }
    return stamp;
}

Result<ForeignRun> importForeign(
    const FoundForeign &found, const QString &cache, const std::function<bool()> &isCancelled)
{
    ForeignRun run;
    run.summary.uuid = foreignUuid(found);
    const QString folder = cache + u'/' + run.summary.uuid;
    if (const int error = contract::makeFolders(pathBytes(folder)); error != 0) {
        return fail(u"folder.cannot-make"_s, {{u"folder"_s, folder}, {u"message"_s, qt_error_string(error)}});
    }
    const std::string path = pathBytes(folder + u'/') + contract::file::metrics;
    const std::string fresh = path + ".new";
    QFile::remove(QFile::decodeName(fresh.c_str()));
    series::Error error;
    std::unique_ptr<series::Writer> writer = series::Writer::open(fresh, error);
    if (!writer) {
        return fail(u"folder.cannot-make"_s,
            {{u"folder"_s, folder}, {u"message"_s, qt_error_string(error.number != 0 ? error.number : EBUSY)}});
    }
    const QString source = found.database.isEmpty() && !found.files.files.empty()
        ? QFile::decodeName(found.files.files.front().path.c_str())
        : found.database;
    const qint64 changed = QFileInfo(source).lastModified().toMSecsSinceEpoch();
    IntoFolder sink(*writer, changed);
    std::string book = contract::runLine(nameOf(found).toStdString());
    const Result<void> read = found.database.isEmpty() ? readFiles(found, sink, *writer, book, run.notes, isCancelled)
                                                       : readDatabase(found, sink);
    writer.reset(); // which writes the rest
    if (!read) {
        return tl::unexpected(read.error());
    }
    for (const auto &[name, value] : sink.facts) {
        book += contract::factLine(name, value);
    }
    book += contract::overLine();
    contract::writeAtomically(pathBytes(folder + u'/') + contract::file::metricBook, book, false);
    series::replaceFile(fresh, path);

    JobSummary &summary = run.summary;
    const auto named = sink.facts.find("name");
    summary.name
        = named != sink.facts.end() && !named->second.empty() ? QString::fromStdString(named->second) : nameOf(found);
    summary.state = foreignStateOf(sink.facts);
    summary.file = source;
    summary.launched = sink.ended > 0 ? sink.began : changed;
    summary.submitted = *summary.launched;
    summary.completed = sink.ended > 0 ? sink.ended : changed;
    summary.totalTasks = summary.totalRoles = 1;
    constexpr std::string_view config = "config/", tag = "tag/";
    for (const auto &[name, value] : sink.facts) {
        if (name.starts_with(config)) {
            summary.parameters.insert(QString::fromStdString(name.substr(config.size())), parameterOf(value));
        } else if (name.starts_with(tag)) {
            summary.labels.tags.append(QString::fromStdString(name.substr(tag.size())));
        }
    }
    summary.results = resultsIn(folder);
    run.task.role = u"run"_s;
    run.task.state = summary.state;
    run.task.launched = summary.launched;
    run.task.completed = summary.completed;
    run.task.logFolder = folder;
    run.facts = std::move(sink.facts);
    return run;
}

} // namespace trainyard
