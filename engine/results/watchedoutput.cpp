// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/watchedoutput.h"

#include "engine/client/pathbytes.h"
#include "engine/client/taskfigures.h"
#include "engine/contract/taskfolder.h"
#include "engine/results/healthmarks.h"

#include <QDateTime>

#include <utility>

namespace trainyard
{
namespace
{

// One output is read for so long, and then the others have their turn. A small piece is read in less.
constexpr qint64 pieceBytes = 32 << 10;
constexpr qint64 turnMs = 10;
constexpr qint64 healthEveryMs = 4000;
// After the end of a task, for what is in its files of metrics: where there are none yet, and where there are.
constexpr qint64 filePatienceMs = 1500, longFilePatienceMs = 10000;

// Whether the task has ended so long ago.
bool hasEndedFor(const QString &folder, qint64 ms)
{
    const auto exit = contract::readExitRecord(pathBytes(folder));
    const qint64 ago = exit ? QDateTime::currentMSecsSinceEpoch() - exit->ended : ms;
    return ago >= ms || ago < 0;
}

// Hands the figures of one series to the detectors. `add`: what they are.
class FigureSink : public series::Reader::Sink
{
public:
    using Add = void (health::TryHealth::*)(std::string_view name, std::int64_t at, double value);
    FigureSink(health::TryHealth &health, std::string_view name, Add add) : m_health(health), m_name(name), m_add(add)
    {
    }
    void take(std::span<const double>, std::span<const std::int64_t> times, std::span<const double> values) override
    {
        for (std::size_t i = 0; i < times.size(); ++i) {
            (m_health.*m_add)(m_name, times[i], values[i]);
        }
    }
    void takeVoid(double) override { }

private:
    health::TryHealth &m_health;
    std::string_view m_name;
    Add m_add;
};

} // namespace

WatchedOutput::WatchedOutput(const QString &folder, const OutputRules &rules)
    : m_folder(folder), m_log(folder, rules.patterns), m_files(folder), m_figures(pathBytes(figuresFile(folder))),
      m_health(rules.limits)
{
    if (rules.worse) {
        m_results.noteAt(*rules.worse);
        m_ofEarlier.noteAt(*rules.worse);
        m_ofFiles.noteAt(*rules.worse);
    }
    if (!rules.earlier.isEmpty()) {
        m_earlier.emplace(rules.earlier, rules.patterns);
    }
}

WatchedOutput::Piece WatchedOutput::readPiece(bool isFollowed)
{
    bool more = readLog();
    bool hasSaid = false;
    for (const LogMetrics::TimedPoint &point : m_log.takePoints()) {
        if (m_earlier) {
            m_earlier->note(point.point);
        }
        m_track.add(point.point, point.time);
        m_hasNews = hasSaid = true;
    }
    if (!more && m_log.isOver()) {
        m_track.finish();
    }
    for (const metrics::StepTrack::Placed &placed : m_track.take()) {
        m_results.add(placed.point);
        if (saysFileLess(m_ofFiles, m_results, placed.point.name)) {
            m_inFiles.erase(placed.point.name);
        }
        if (!m_inFiles.contains(placed.point.name)) { // its steps would go back and forth
            m_health.addPoint(placed.point, placed.time);
        }
    }
    more = (m_earlier && readEarlier()) || more;
    const metrics::Progress progress = m_log.runProgress();
    if (progress != m_known) {
        m_known = progress;
        m_progress.add(m_log.time(), progress);
        m_hasNews = m_hasAdvanced = hasSaid = true;
    }
    const bool isClose = isFollowed && !m_log.isOver();
    if (!more && (!isClose || !m_sinceFiles.isValid() || m_sinceFiles.hasExpired(lookEveryMs - 1))) {
        m_sinceFiles.start();
        readFiles();
    }
    const bool isOver = !more && m_log.isOver()
        && (m_files.isOver() || hasEndedFor(m_folder, m_files.hasFiles() ? longFilePatienceMs : filePatienceMs));
    if (!more && (isOver || !m_sinceHealth.isValid() || m_sinceHealth.hasExpired(healthEveryMs))) {
        m_sinceHealth.start();
        examine(isOver);
    }
    m_hasNews = m_hasNews || more == m_isCaughtUp;
    m_isCaughtUp = !more;
    return {more, hasSaid, isClose, isOver};
}

OutputReading WatchedOutput::takeReading(const Piece &piece)
{
    m_hasNews = m_hasAdvanced = false;
    const bool isBehind = piece.hasMore && m_log.time() > 0;
    return {resultsOfTask(m_ofFiles, printedResults()), m_progress, healthMarks(m_findings), !piece.hasMore,
        piece.isOver, isBehind ? std::optional(m_log.time()) : std::nullopt};
}

const ProgressRate &WatchedOutput::takeProgress()
{
    m_hasAdvanced = false;
    return m_progress;
}

bool WatchedOutput::readLog()
{
    QElapsedTimer turn;
    turn.start();
    do {
        m_hasMore = m_log.readMore(pieceBytes);
    } while (m_hasMore && turn.elapsed() < turnMs);
    return m_hasMore;
}

// What the tries before it add, as soon as it is known where it goes on. True: there is more of that.
bool WatchedOutput::readEarlier()
{
    if (!m_earlier->isKnown() && !m_log.isOver()) {
        return false;
    }
    QElapsedTimer turn;
    turn.start();
    bool more = true;
    while (more && turn.elapsed() < turnMs) {
        more = m_earlier->readMore(pieceBytes, m_ofEarlier);
    }
    m_hasMore = m_hasMore || more;
    if (!more) {
        m_earlier.reset();
        m_ofEarlier.append(m_results);
        m_results = std::exchange(m_ofEarlier, {});
        m_hasNews = true;
    }
    return more;
}

// With what waits for its step, at the one that is known now.
OutputResults WatchedOutput::printedResults() const
{
    OutputResults results = m_results;
    for (const metrics::StepTrack::Placed &placed : m_track.waiting()) {
        results.add(placed.point);
    }
    if (m_earlier) {
        results.hideAt(); // the best one up to the step may be of an earlier try
    }
    return results;
}

// What is wrong with it now, by what it has printed and what it uses of its host.
void WatchedOutput::examine(bool isOver)
{
    if (m_figures.poll().isReset) {
        m_places.clear();
        m_health.forgetFigures();
    }
    const std::vector<series::Info> &infos = m_figures.infos();
    m_places.resize(infos.size());
    const auto examine = [&](series::Part part, FigureSink::Add add) {
        for (std::size_t id = 0; id < infos.size(); ++id) {
            if (infos[id].part == part) {
                FigureSink sink(m_health, infos[id].name, add);
                m_figures.load(std::uint32_t(id), sink, m_places[id]);
            }
        }
    };
    examine(series::Part::Max, &health::TryHealth::addThinnedFigure); // what is older than a day
    examine(series::Part::Value, &health::TryHealth::addFigure);
    m_figures.pause();
    const LogMetrics::Rhythm rhythm = m_log.rhythm();
    m_health.setRhythm({m_log.time(), rhythm.longestGapMs, rhythm.gaps, rhythm.tellings});
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    std::vector<health::Finding> findings = m_health.findings(now, isOver, m_progress.endExpected(now));
    if (findings != m_findings) {
        m_findings = std::move(findings);
        m_hasNews = true;
    }
}

// One value without a step is not a curve, and the printed one is watched on, as it is where the file says less.
bool WatchedOutput::isCurveOfFile(const std::string &name, bool counts) const
{
    return (counts || m_ofFiles.countOf(name) > 1) && !saysFileLess(m_ofFiles, m_results, name);
}

// What is in the files of a task counts before what it prints under the same name.
void WatchedOutput::readFiles()
{
    for (const FileMetrics::Grown &grown : m_files.takeNew()) {
        metrics::Point point;
        point.name = grown.name.toStdString();
        if (grown.isNew) {
            m_ofFiles.forget(point.name);
        }
        if (grown.isNew && grown.points.empty()) {
            m_inFiles.erase(point.name); // what is printed is watched on
        }
        const bool counts = grown.axis == series::Axis::Step || grown.axis == series::Axis::Epoch;
        for (const series::Point &one : grown.points) {
            point.step = counts ? std::optional(one.x) : std::nullopt;
            point.axis = grown.axis == series::Axis::Epoch ? metrics::Axis::Epoch : metrics::Axis::Step;
            point.value = one.value;
            m_ofFiles.add(point);
            if (isCurveOfFile(point.name, counts)) {
                m_inFiles.insert(point.name);
            }
            if (m_inFiles.contains(point.name) || m_results.countOf(point.name) < 2) {
                m_health.addPoint(point, one.time);
            }
        }
        m_hasNews = true;
    }
}

} // namespace trainyard
