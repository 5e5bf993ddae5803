// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/metricsoffiles.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/metricsprint.h"
#include "app/cli/session.h"
#include "engine/client/pathbytes.h"
#include "engine/foreign/metricdatabase.h"
#include "engine/metricfiles/filereader.h"
#include "engine/metricfiles/runs.h"
#include "widgets/text/texts.h"

#include <QFile>
#include <QFileInfo>

#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

using metricfiles::FileReader;
using metricfiles::FoundRun;
using metricfiles::Note;
using metricfiles::Report;

// The files of a run are one set of series. Values that a restart of the program made void are known only when
// everything was read.
class RunPoints : public metricfiles::Sink
{
public:
    explicit RunPoints(const QStringList &names) : m_patterns(names) { }

    void beginFile()
    {
        m_ofFile.clear();
        m_fileBegin = m_points.size();
        ++m_files;
    }
    void addSeries(std::uint32_t /*series*/, std::string_view name, metricfiles::SeriesKind /*kind*/) override
    {
        const auto [place, isNew] = m_places.try_emplace(std::string(name), m_names.size());
        if (isNew) {
            m_names.emplace_back(name);
            m_isWanted.push_back(isWantedName(m_patterns, m_names.back()));
        }
        m_ofFile.push_back(place->second);
    }
    void addPoint(const metricfiles::Point &point) override
    {
        const std::size_t series = m_ofFile[point.series];
        if (m_isWanted[series]) {
            m_points.push_back({point, series, m_files - 1});
        }
    }
    void voidFrom(double step) override { m_voids.push_back({m_points.size(), step}); }
    void setFact(std::string_view name, std::string_view value) override { m_facts[std::string(name)] = value; }
    void startOver() override
    {
        m_ofFile.clear();
        m_points.resize(m_fileBegin);
        while (!m_voids.empty() && m_voids.back().before > m_fileBegin) {
            m_voids.pop_back();
        }
    }

    // Calls take(name, point, file) for each point that is valid.
    template <typename Take> void forEach(Take take) const
    {
        std::vector<bool> isVoid(m_points.size());
        double least = std::numeric_limits<double>::infinity();
        std::size_t voids = m_voids.size();
        for (std::size_t i = m_points.size(); i-- > 0;) {
            while (voids > 0 && m_voids[voids - 1].before > i) {
                least = std::min(least, m_voids[--voids].step);
            }
            isVoid[i] = m_points[i].point.x >= least;
        }
        for (std::size_t i = 0; i < m_points.size() && !outputHasEnded(); ++i) {
            if (!isVoid[i]) {
                take(m_names[m_points[i].series], m_points[i].point, m_points[i].file);
            }
        }
    }
    const std::map<std::string, std::string> &facts() const { return m_facts; }

private:
    struct Kept {
        metricfiles::Point point;
        std::size_t series = 0, file = 0;
    };
    struct Void {
        std::size_t before = 0; // all points before this one
        double step = 0;
    };
    QStringList m_patterns;
    std::unordered_map<std::string, std::size_t> m_places;
    std::vector<std::string> m_names;
    std::vector<bool> m_isWanted;
    std::vector<std::size_t> m_ofFile; // by the number of the series in the file
    std::size_t m_fileBegin = 0, m_files = 0;
    std::vector<Kept> m_points;
    std::vector<Void> m_voids;
    std::map<std::string, std::string> m_facts;
};

void sayNote(const Note &note, const QString &file)
{
    errorLine(errorText(Error{QString::fromLatin1(note.code.data(), static_cast<qsizetype>(note.code.size())),
        {{u"file"_s, file}, {u"offset"_s, static_cast<qint64>(note.offset)},
            {u"text"_s, QString::fromStdString(note.text)}}}));
}

constexpr std::uint64_t mostNotes = 10; // of a file

// Returns whether the file could be opened.
bool readFile(const metricfiles::RunFile &file, bool followsLink, RunPoints &points)
{
    const QString shown = QFile::decodeName(file.path.c_str());
    Note problem;
    const std::unique_ptr<FileReader> reader = FileReader::open(file.path, {file.format, followsLink}, problem);
    if (!reader) {
        sayNote(problem, shown);
        return false;
    }
    points.beginFile();
    std::uint64_t said = 0, leftOut = 0;
    for (;;) {
        const Report report = reader->read(points);
        for (const Note &note : report.notes) {
            if (said < mostNotes) {
                sayNote(note, shown);
                ++said;
            } else {
                ++leftOut;
            }
        }
        leftOut += report.notesLeftOut;
        if (report.state != metricfiles::State::More || outputHasEnded()) {
            break;
        }
    }
    if (leftOut > 0) {
        errorLine(tr("%1 has more such places: %2.").arg(shown).arg(leftOut));
    }
    return true;
}

class RunPrinter
{
public:
    RunPrinter(const MetricsOfFiles &wanted, bool hasRuns)
        : m_json(wanted.json), m_csv(wanted.csv), m_hasRuns(hasRuns), m_quotes(wanted.json), m_table(hasRuns)
    {
        if (m_csv) {
            outFile("name,step,axis,epoch,value,time,file" + QByteArray(hasRuns ? ",run\n" : "\n"));
        }
    }
    void print(const FoundRun &run, const RunPoints &points)
    {
        QByteArray lines;
        points.forEach([&](const std::string &name, const metricfiles::Point &point, std::size_t file) {
            if (!m_json && !m_csv) {
                m_table.add(QFile::decodeName(run.name.c_str()), name, point.axis, point.value);
                return;
            }
            lines += line(name, point, run.files[file].path, run.name);
            if (lines.size() > (1 << 20)) {
                outFile(lines);
                lines.clear();
            }
        });
        if (m_json && !points.facts().empty()) {
            lines += factsLine(points.facts(), run);
        }
        outFile(lines);
    }
    const SummaryTable &table() const { return m_table; }

private:
    QByteArray line(
        const std::string &name, const metricfiles::Point &point, const std::string &file, const std::string &run)
    {
        const QByteArray none = m_json ? QByteArrayLiteral("null") : QByteArray();
        const QByteArray time = point.time ? QByteArray::number(static_cast<qlonglong>(*point.time)) : none;
        const QByteArray value = numberText(point.value, point.isSingle);
        if (m_csv) {
            return m_quotes(name) + ',' + numberText(point.x) + ',' + axisText(point.axis) + ','
                + numberText(point.epoch, none) + ',' + value + ',' + time + ',' + m_quotes(file)
                + (m_hasRuns ? ',' + m_quotes(run) : QByteArray()) + '\n';
        }
        return R"({"name": )" + m_quotes(name) + R"(, "step": )" + numberText(point.x) + R"(, "axis": ")"
            + axisText(point.axis) + R"(", "epoch": )" + numberText(point.epoch, none) + R"(, "value": )" + value
            + R"(, "time": )" + time + R"(, "file": )" + m_quotes(file) + runPart(run) + "}\n";
    }
    QByteArray factsLine(const std::map<std::string, std::string> &facts, const FoundRun &run)
    {
        QByteArray text = R"({"facts": {)";
        for (const auto &[name, value] : facts) {
            text += (text.endsWith('{') ? "" : ", ") + m_quotes(name) + ": " + m_quotes(value);
        }
        return text + R"(}, "file": )" + m_quotes(run.files.front().path) + runPart(run.name) + "}\n";
    }
    QByteArray runPart(const std::string &run) { return m_hasRuns ? R"(, "run": )" + m_quotes(run) : QByteArray(); }

    bool m_json, m_csv, m_hasRuns;
    Quotes m_quotes;
    SummaryTable m_table;
};

// Its runs, as if each were a folder. Returns what is wrong.
Result<void> printDatabase(const QString &path, const QStringList &names, RunPrinter &printer)
{
    const auto database = MetricDatabase::open(path);
    if (!database) {
        return tl::unexpected(database.error());
    }
    const Result<QList<MetricDatabase::Run>> runs = (*database)->runs();
    if (!runs) {
        return tl::unexpected(runs.error());
    }
    const std::string file = pathBytes(path);
    for (const MetricDatabase::Run &run : *runs) {
        RunPoints points(names);
        points.beginFile();
        if (const Result<void> read = (*database)->read(run, points); !read) {
            return read;
        }
        if (outputHasEnded()) {
            break;
        }
        printer.print({run.name.toStdString(), {{file}}}, points);
    }
    return {};
}

int sayIfEmpty(const MetricsOfFiles &wanted, const RunPrinter &printer)
{
    if (wanted.json || wanted.csv) {
        return exitOk;
    }
    if (printer.table().isEmpty()) {
        outLine(wanted.names.isEmpty() ? tr("%1 has no metrics.").arg(wanted.path)
                                       : tr("%1 has no metrics of that name.").arg(wanted.path));
    } else {
        printer.table().print();
    }
    return exitOk;
}

} // namespace

int printMetricsOfFiles(const MetricsOfFiles &wanted)
{
    const bool isFolder = QFileInfo(wanted.path).isDir();
    if (!isFolder && MetricDatabase::isDatabase(wanted.path)) {
        RunPrinter printer(wanted, true);
        const Result<void> printed = printDatabase(wanted.path, wanted.names, printer);
        return printed ? sayIfEmpty(wanted, printer) : report(printed.error());
    }
    const std::string path = pathBytes(wanted.path);
    metricfiles::FoundRuns found;
    if (isFolder) {
        found = metricfiles::findRuns(path);
        for (const Note &note : found.notes) {
            sayNote(note, wanted.path);
        }
        if (found.runs.empty() && found.databases.empty()) {
            if (!wanted.json && !wanted.csv) {
                outLine(tr("%1 has no files of metrics.").arg(wanted.path));
            }
            return exitOk;
        }
    } else {
        found.runs.push_back({path, {{path}}});
    }
    // A single file must open before anything is printed.
    RunPoints first(wanted.names);
    if (!isFolder && !readFile(found.runs.front().files.front(), true, first)) {
        return exitUnusable;
    }
    RunPrinter printer(wanted, isFolder);
    if (!isFolder) {
        printer.print(found.runs.front(), first);
    }
    for (const FoundRun &run : found.runs) {
        if (!isFolder || outputHasEnded()) {
            break;
        }
        RunPoints points(wanted.names);
        FoundRun read{run.name, {}};
        for (const metricfiles::RunFile &file : run.files) {
            if (readFile(file, false, points)) {
                read.files.push_back(file);
            }
        }
        if (!read.files.empty()) {
            printer.print(read, points);
        }
    }
    for (const std::string &database : found.databases) {
        const QString shown = QFile::decodeName(database.c_str());
        if (const Result<void> printed = printDatabase(shown, wanted.names, printer); !printed) {
            errorLine(errorText(printed.error()));
        }
    }
    return sayIfEmpty(wanted, printer);
}

} // namespace trainyard::cli
