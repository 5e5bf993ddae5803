// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/outputwatch.h"

#include "engine/client/filemetrics.h"
#include "engine/client/logmetrics.h"
#include "engine/client/taskfigures.h"
#include "engine/contract/taskfolder.h"
#include "engine/metrics/steptrack.h"
#include "engine/results/earliertries.h"
#include "engine/results/healthmarks.h"
#include "engine/results/outputresults.h"
#include "engine/series/reader.h"
#include "model/base/threads.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trainyard
{
namespace
{

// One output is read for so long, and then the others have their turn. A small piece is read in less.
constexpr qint64 pieceBytes = 32 << 10;
constexpr qint64 turnMs = 10;
constexpr int restShare = 4, restShareAtEnd = 1;
constexpr qint64 tellEveryMs = 2000;
constexpr int lookEveryMs = 1000;
constexpr int lookAtEndMs = 50;
// How often an output is read that a client shows, while it says something, and while it does not.
constexpr int lookCloselyMs = 250, lookAtQuietMs = 500;
constexpr int mostFollowed = 16; // of more, none is looked at more often
constexpr qint64 healthEveryMs = 4000;
// It must not be in the way of training. Yet the weakest of all, 19, would get a hundredth of a processor that is busy
// all the time, and results would come minutes after the end.
constexpr int niceness = 10;
// After the end of a task, for what is in its files of metrics: where there are none yet, and where there are.
constexpr qint64 filePatienceMs = 1500, longFilePatienceMs = 10000;

// Whether the task has ended so long ago.
bool hasEndedFor(const QString &folder, qint64 ms)
{
    const auto exit = contract::readExitRecord(QFile::encodeName(folder).toStdString());
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

// Lives on the thread of the watch. One step reads a piece of one output.
class OutputWatch::Worker : public QObject
{
public:
    using Tell = std::function<void(quint64, OutputReading)>;
    using TellProgress = std::function<void(quint64, ProgressRate)>;
    Worker(Tell tell, TellProgress tellProgress)
        : m_tell(std::move(tell)), m_tellProgress(std::move(tellProgress)), m_timer(new QTimer(this))
    {
        m_clock.start();
        m_timer->setSingleShot(true);
        connect(m_timer, &QTimer::timeout, this, &Worker::step);
    }
    ~Worker() override { threads::give(); }

    void watch(quint64 key, const QString &folder, const OutputRules &rules)
    {
        m_outputs.try_emplace(key, std::make_unique<Output>(folder, rules));
        goOn(0);
    }
    void follow(quint64 key, bool on)
    {
        if (const auto found = m_outputs.find(key); found != m_outputs.end() && found->second->isFollowed != on) {
            found->second->isFollowed = on;
            m_followed += on ? 1 : -1;
            if (on) {
                found->second->due = 0;
                goOn(0);
            }
        }
    }
    void hurry(quint64 key)
    {
        if (const auto found = m_outputs.find(key); found != m_outputs.end()) {
            found->second->due = 0;
            found->second->restMs = lookAtEndMs;
            found->second->isAwaited = true;
            found->second->sinceTold.invalidate();
            goOn(0);
        }
    }
    void forget(quint64 key)
    {
        if (const auto found = m_outputs.find(key); found != m_outputs.end()) {
            m_followed -= found->second->isFollowed ? 1 : 0;
            m_outputs.erase(found);
        }
    }

private:
    struct Output {
        Output(const QString &where, const OutputRules &rules)
            : folder(where), log(where, rules.patterns), files(where),
              figures(QFile::encodeName(figuresFile(where)).toStdString()), health(rules.limits)
        {
            if (rules.worse) {
                results.noteAt(*rules.worse);
                ofEarlier.noteAt(*rules.worse);
                ofFiles.noteAt(*rules.worse);
            }
            if (!rules.earlier.isEmpty()) {
                earlier.emplace(rules.earlier, rules.patterns);
            }
        }
        QString folder;
        LogMetrics log;
        FileMetrics files;
        series::Reader figures;
        std::vector<series::Reader::Place> places; // in the figures, by their ids
        health::TryHealth health;
        std::vector<health::Finding> findings;
        QElapsedTimer sinceHealth;
        metrics::StepTrack track; // of what it prints
        std::optional<EarlierTries> earlier; // until they are in the results
        OutputResults ofEarlier; // until then
        OutputResults results, ofFiles;
        std::set<std::string> inFiles; // names of metrics
        metrics::Progress known;
        ProgressRate progress;
        QElapsedTimer sinceTold;
        bool hasNews = true, isCaughtUp = false;
        bool hasMore = false; // of its log, at once
        bool isFollowed = false;
        bool hasAdvanced = false; // since it was told how far it is
        QElapsedTimer sinceFiles;
        bool isAwaited = false; // its try has ended, and clients may wait for what it says
        qint64 due = 0; // by the clock of the worker: when it is looked at again
        int restMs = lookEveryMs; // then
    };

    void goOn(int ms)
    {
        if (!m_timer->isActive() || m_timer->remainingTime() > ms) {
            m_timer->start(ms);
        }
    }

    void step()
    {
        if (!m_isWeak) { // of this thread alone, which Linux allows
            m_isWeak = true;
            ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), niceness);
        }
        if (m_outputs.empty()) {
            return;
        }
        const qint64 now = m_clock.elapsed();
        const bool isResting = now < m_restUntil;
        auto next = m_outputs.end();
        for (auto it = m_outputs.begin(); it != m_outputs.end(); ++it) {
            const bool mayGoOn = !isResting || isShortAndAwaited(*it->second);
            if (mayGoOn && (next == m_outputs.end() || it->second->due < next->second->due)) {
                next = it;
            }
        }
        const qint64 due = next == m_outputs.end() ? m_restUntil : next->second->due;
        if (due > now) {
            goOn(int((isResting ? std::min(due, m_restUntil) : due) - now));
            return;
        }
        const int share = next->second->isAwaited ? restShareAtEnd : restShare;
        read(next->first, *next->second);
        const qint64 end = m_clock.elapsed();
        m_restUntil = std::max(m_restUntil, end) + (end - now) * share;
        goOn(0);
    }

    // A client waits for it, and it is read in no time: not only after a rest from others.
    static bool isShortAndAwaited(const Output &output) { return output.isAwaited && !output.hasMore; }

    static bool readLog(Output &output)
    {
        QElapsedTimer turn;
        turn.start();
        do {
            output.hasMore = output.log.readMore(pieceBytes);
        } while (output.hasMore && turn.elapsed() < turnMs);
        return output.hasMore;
    }

    // What the tries before it add, as soon as it is known where it goes on. True: there is more of that.
    static bool readEarlier(Output &output)
    {
        if (!output.earlier->isKnown() && !output.log.isOver()) {
            return false;
        }
        QElapsedTimer turn;
        turn.start();
        bool more = true;
        while (more && turn.elapsed() < turnMs) {
            more = output.earlier->readMore(pieceBytes, output.ofEarlier);
        }
        output.hasMore = output.hasMore || more;
        if (!more) {
            output.earlier.reset();
            output.ofEarlier.append(output.results);
            output.results = std::exchange(output.ofEarlier, {});
            output.hasNews = true;
        }
        return more;
    }

    void read(quint64 key, Output &output)
    {
        bool more = readLog(output);
        bool hasSaid = false;
        for (const LogMetrics::TimedPoint &point : output.log.takePoints()) {
            if (output.earlier) {
                output.earlier->note(point.point);
            }
            output.track.add(point.point, point.time);
            output.hasNews = hasSaid = true;
        }
        if (!more && output.log.isOver()) {
            output.track.finish();
        }
        for (const metrics::StepTrack::Placed &placed : output.track.take()) {
            output.results.add(placed.point);
            if (saysFileLess(output.ofFiles, output.results, placed.point.name)) {
                output.inFiles.erase(placed.point.name);
            }
            if (!output.inFiles.contains(placed.point.name)) { // its steps would go back and forth
                output.health.addPoint(placed.point, placed.time);
            }
        }
        more = (output.earlier && readEarlier(output)) || more;
        const metrics::Progress progress = output.log.runProgress();
        if (progress != output.known) {
            output.known = progress;
            output.progress.add(output.log.time(), progress);
            output.hasNews = output.hasAdvanced = hasSaid = true;
        }
        const bool isClose
            = output.isFollowed && m_followed <= mostFollowed && !output.isAwaited && !output.log.isOver();
        if (!more && (!isClose || !output.sinceFiles.isValid() || output.sinceFiles.hasExpired(lookEveryMs - 1))) {
            output.sinceFiles.start();
            readFiles(output);
        }
        const bool isOver = !more && output.log.isOver()
            && (output.files.isOver()
                || hasEndedFor(output.folder, output.files.hasFiles() ? longFilePatienceMs : filePatienceMs));
        if (!more && (isOver || !output.sinceHealth.isValid() || output.sinceHealth.hasExpired(healthEveryMs))) {
            output.sinceHealth.start();
            examine(output, isOver);
        }
        output.hasNews = output.hasNews || more == output.isCaughtUp;
        output.isCaughtUp = !more;
        if (isOver || (output.hasNews && (!output.sinceTold.isValid() || output.sinceTold.elapsed() >= tellEveryMs))) {
            output.hasNews = output.hasAdvanced = false;
            output.sinceTold.start();
            m_tell(key,
                {resultsOfTask(output.ofFiles, printedResults(output)), output.progress, healthMarks(output.findings),
                    !more, isOver});
        } else if (isClose && output.hasAdvanced) {
            output.hasAdvanced = false;
            m_tellProgress(key, output.progress);
        }
        const qint64 now = m_clock.elapsed();
        if (more) {
            output.due = now; // behind the others
            return;
        }
        output.log.pause();
        // All at once, so that the processor rests in between; what is over soon is looked at sooner.
        if (isClose) {
            output.restMs = hasSaid ? lookCloselyMs : lookAtQuietMs;
        }
        output.due = (now / output.restMs + 1) * output.restMs;
        output.restMs = std::min(output.restMs * 2, lookEveryMs);
        if (isOver) {
            forget(key);
        }
    }

    // With what waits for its step, at the one that is known now.
    static OutputResults printedResults(const Output &output)
    {
        OutputResults results = output.results;
        for (const metrics::StepTrack::Placed &placed : output.track.waiting()) {
            results.add(placed.point);
        }
        if (output.earlier) {
            results.hideAt(); // the best one up to the step may be of an earlier try
        }
        return results;
    }

    // What is wrong with it now, by what it has printed and what it uses of its host.
    static void examine(Output &output, bool isOver)
    {
        if (output.figures.poll().isReset) {
            output.places.clear();
            output.health.forgetFigures();
        }
        const std::vector<series::Info> &infos = output.figures.infos();
        output.places.resize(infos.size());
        const auto examine = [&](series::Part part, FigureSink::Add add) {
            for (std::size_t id = 0; id < infos.size(); ++id) {
                if (infos[id].part == part) {
                    FigureSink sink(output.health, infos[id].name, add);
                    output.figures.load(std::uint32_t(id), sink, output.places[id]);
                }
            }
        };
        examine(series::Part::Max, &health::TryHealth::addThinnedFigure); // what is older than a day
        examine(series::Part::Value, &health::TryHealth::addFigure);
        output.figures.pause();
        const LogMetrics::Rhythm rhythm = output.log.rhythm();
        output.health.setRhythm({output.log.time(), rhythm.longestGapMs, rhythm.gaps, rhythm.tellings});
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        std::vector<health::Finding> findings = output.health.findings(now, isOver, output.progress.endExpected(now));
        if (findings != output.findings) {
            output.findings = std::move(findings);
            output.hasNews = true;
        }
    }

    // One value without a step is no curve, and the printed one is watched on, as it is where the file says less.
    static bool isCurveOfFile(const Output &output, const std::string &name, bool counts)
    {
        return (counts || output.ofFiles.countOf(name) > 1) && !saysFileLess(output.ofFiles, output.results, name);
    }

    // What is in the files of a task counts before what it prints under the same name.
    static void readFiles(Output &output)
    {
        for (const FileMetrics::Grown &grown : output.files.takeNew()) {
            metrics::Point point;
            point.name = grown.name.toStdString();
            if (grown.isNew) {
                output.ofFiles.forget(point.name);
            }
            if (grown.isNew && grown.points.empty()) {
                output.inFiles.erase(point.name); // what is printed is watched on
            }
            const bool counts = grown.axis == series::Axis::Step || grown.axis == series::Axis::Epoch;
            for (const series::Point &one : grown.points) {
                point.step = counts ? std::optional(one.x) : std::nullopt;
                point.axis = grown.axis == series::Axis::Epoch ? metrics::Axis::Epoch : metrics::Axis::Step;
                point.value = one.value;
                output.ofFiles.add(point);
                if (isCurveOfFile(output, point.name, counts)) {
                    output.inFiles.insert(point.name);
                }
                if (output.inFiles.contains(point.name) || output.results.countOf(point.name) < 2) {
                    output.health.addPoint(point, one.time);
                }
            }
            output.hasNews = true;
        }
    }

    Tell m_tell;
    TellProgress m_tellProgress;
    QTimer *m_timer;
    std::map<quint64, std::unique_ptr<Output>> m_outputs;
    QElapsedTimer m_clock;
    int m_followed = 0;
    qint64 m_restUntil = 0; // by m_clock
    bool m_isWeak = false;
};

OutputWatch::OutputWatch()
    : m_worker(new Worker(
        [this](quint64 key, OutputReading reading) {
            threads::callLater(this, [this, key, reading = std::move(reading)] { Q_EMIT told(key, reading); });
        },
        [this](quint64 key, ProgressRate progress) {
            threads::callLater(this, [this, key, progress = std::move(progress)] { Q_EMIT advanced(key, progress); });
        }))
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("results"));
    m_thread.start();
}

OutputWatch::~OutputWatch()
{
    m_thread.quit();
    m_thread.wait();
    threads::take();
}

void OutputWatch::watch(quint64 key, const QString &folder, const OutputRules &rules)
{
    threads::callLater(m_worker, [worker = m_worker, key, folder, rules] { worker->watch(key, folder, rules); });
}

void OutputWatch::follow(quint64 key, bool on)
{
    threads::callLater(m_worker, [worker = m_worker, key, on] { worker->follow(key, on); });
}

void OutputWatch::hurry(quint64 key)
{
    threads::callLater(m_worker, [worker = m_worker, key] { worker->hurry(key); });
}

void OutputWatch::forget(quint64 key)
{
    threads::callLater(m_worker, [worker = m_worker, key] { worker->forget(key); });
}

} // namespace trainyard
