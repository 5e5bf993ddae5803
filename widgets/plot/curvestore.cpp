// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvestore.h"

#include "engine/api/tasklabel.h"
#include "engine/api/values.h"
#include "engine/metrics/steptrack.h"
#include "widgets/plot/figurenames.h"

#include <QTimer>

#include <algorithm>

namespace trainyard
{

CurveStore::CurveStore(QObject *parent) : QObject(parent), m_feed(new MetricsFeed(this)), m_timer(new QTimer(this))
{
    constexpr int tellEveryMs = 100;
    m_timer->setSingleShot(true);
    m_timer->setInterval(tellEveryMs);
    connect(m_timer, &QTimer::timeout, this, &CurveStore::grew);
    connect(m_feed, &MetricsFeed::found, this, &CurveStore::take);
    connect(m_feed, &MetricsFeed::caughtUp, this, [this] {
        if (m_isReading) {
            m_isReading = false;
            Q_EMIT grew();
        }
    });
}

void CurveStore::setTasks(const QList<TaskInfo> &tasks)
{
    QList<Task> wanted;
    for (const TaskInfo &task : tasks) {
        wanted.append({taskLabel(task), task.logFolder});
    }
    setTasks(wanted);
}

void CurveStore::setTasks(const QList<Task> &tasks)
{
    QList<Task> wanted = tasks;
    const bool isSame = std::equal(tasks.cbegin(), tasks.cend(), m_tasks.cbegin(), m_tasks.cend(),
        [](const Task &now, const Task &before) { return now.name == before.name && now.folder == before.folder; });
    if (isSame) {
        return;
    }
    // A task that starts gets its folder, and the others are as they were.
    const auto isGrown = [](const Task &before, const Task &now) {
        return before.name == now.name && (before.folder.isEmpty() || before.folder == now.folder);
    };
    const bool onlyMore
        = wanted.size() >= m_tasks.size() && std::equal(m_tasks.cbegin(), m_tasks.cend(), wanted.cbegin(), isGrown);
    const QList<Task> before = onlyMore ? m_tasks : QList<Task>();
    for (int i = 0; i < before.size(); ++i) {
        wanted[i].isWanted = before.at(i).isWanted;
    }
    if (!onlyMore) {
        forget();
    }
    m_tasks = wanted;
    m_curves.resize(static_cast<std::size_t>(wanted.size()));
    m_epochs.resize(m_curves.size());
    for (int i = 0; i < wanted.size(); ++i) {
        if (wanted.at(i).isWanted && (i >= before.size() || before.at(i).folder.isEmpty())) {
            read(i);
        }
    }
    Q_EMIT reset();
}

void CurveStore::forget()
{
    m_feed->clear();
    m_curves.clear();
    m_epochs.clear();
    m_order.clear();
    m_figures.clear();
    m_sources.clear();
    m_remarks.clear();
    m_firstTime = 0;
}

void CurveStore::setPatterns(const MetricPatterns &patterns)
{
    if (patterns == m_patterns) {
        return;
    }
    m_patterns = patterns;
    forget();
    m_curves.resize(static_cast<std::size_t>(m_tasks.size()));
    m_epochs.resize(m_curves.size());
    for (int i = 0; i < m_tasks.size(); ++i) {
        if (m_tasks.at(i).isWanted) {
            read(i);
        }
    }
    Q_EMIT reset();
}

void CurveStore::want(int task)
{
    if (!m_tasks.at(task).isWanted) {
        m_tasks[task].isWanted = true;
        read(task);
    }
}

void CurveStore::read(int task)
{
    if (!m_tasks.at(task).folder.isEmpty()) {
        m_isReading = true;
        m_feed->add(task, m_tasks.at(task).folder, m_patterns);
    }
}

void CurveStore::setWatching(bool on) { m_feed->setWatching(on); }

void CurveStore::take(const MetricsFeed::Batch &batch)
{
    auto &curves = m_curves[static_cast<std::size_t>(batch.task)];
    bool isOther = false; // what a name stands for
    for (const LogMetrics::TimedPoint &timed : batch.points) {
        const QString name = QString::fromStdString(timed.point.name);
        Curve &known = curve(curves, name);
        known.isByEpochs = known.isByEpochs && timed.point.axis == metrics::Axis::Epoch;
        const bool wasOfFile = isOfFile(known);
        const double x = known.x.next(timed.point);
        known.series.append({x, timed.time, timed.point.value});
        noteStep(m_epochs[static_cast<std::size_t>(batch.task)], known, timed.point, x);
        if (wasOfFile != isOfFile(known)) {
            known.forgetPlaces();
            noteSource(name, known);
            isOther = true;
        }
        m_epochs[static_cast<std::size_t>(batch.task)].ofOutput.add(timed.point, timed.time);
        m_firstTime = m_firstTime == 0 ? timed.time : std::min(m_firstTime, timed.time);
    }
    for (const GrownFigure &figure : batch.figures) {
        isOther = takeFigure(batch.task, figure) || isOther;
    }
    if (isOther) {
        Q_EMIT reset();
    }
    for (const FileMetrics::Grown &grown : batch.files) {
        takeFile(batch.task, grown);
    }
    if (batch.remarks) {
        m_remarks[batch.task] = *batch.remarks;
    }
    if (!m_timer->isActive()) {
        m_timer->start();
    }
}

// As the steps of the task will be those of its longest metric.
void CurveStore::noteStep(Epochs &epochs, Curve &curve, const metrics::Point &point, double x)
{
    if (point.axis == metrics::Axis::Epoch && epochs.leader) {
        curve.stepsBefore[x] = epochs.step;
    }
    if (!metrics::tellsStep(point)) {
        return;
    }
    curve.tellsSteps = true;
    const std::size_t longest = epochs.leader ? epochs.leader->series.size() : 0;
    if (!epochs.leader || curve.series.size() > longest + longest / 2) {
        epochs.leader = &curve;
    }
    if (epochs.leader == &curve) {
        epochs.step = x;
    }
}

CurveStore::Curve &CurveStore::curve(Curves &curves, const QString &name)
{
    std::unique_ptr<Curve> &known = curves[name];
    if (!known) {
        known = std::make_unique<Curve>();
        m_order.insert(name, m_order.value(name, int(m_order.size())));
    }
    return *known;
}

// Whether it has edges for the first time.
bool CurveStore::takeFigure(int task, const GrownFigure &figure)
{
    const QString title = figureTitle(figure.name);
    Curve &known = curve(m_curves[static_cast<std::size_t>(task)], title);
    m_figures.insert(title, figureRank(figure.name));
    const bool hadEdges = known.low != nullptr;
    const auto begin = [](series::Series &series) { series = series::Series(series::StepBack::Mixed); };
    if (figure.isNew) { // in its place: plots hold on to it
        begin(known.series);
        known.forgetPlaces();
    }
    for (auto *edge : {&known.low, &known.high}) {
        if (!*edge && !figure.buckets.empty()) {
            *edge = std::make_unique<series::Series>();
        }
        if (*edge && figure.isNew) {
            begin(**edge);
        }
    }
    const auto at = [](const series::Bucket &bucket, double value) {
        return series::Point{double(bucket.time), bucket.time, value};
    };
    for (const series::Bucket &bucket : figure.buckets) {
        known.series.append(at(bucket, bucket.mean));
        known.low->append(at(bucket, bucket.min));
        known.high->append(at(bucket, bucket.max));
    }
    for (const series::Point &point : figure.points) {
        known.series.append(point);
    }
    if (!known.series.isEmpty() && (!figure.buckets.empty() || !figure.points.empty())) {
        const qint64 first = known.series.at(0).time;
        m_firstTime = m_firstTime == 0 ? first : std::min(m_firstTime, first);
    }
    return !hadEdges && known.low;
}

CurveStore::Edges CurveStore::edges(int task, const QString &name) const
{
    const Curves &curves = m_curves[static_cast<std::size_t>(task)];
    const auto found = isFigure(name) ? curves.find(name) : curves.end();
    return found == curves.end() ? Edges() : Edges{found->second->low.get(), found->second->high.get()};
}

void CurveStore::takeFile(int task, const FileMetrics::Grown &grown)
{
    Curve &known = curve(m_curves[static_cast<std::size_t>(task)], grown.name);
    const bool wasOfFile = isOfFile(known), wasShown = !shown(known).isEmpty();
    known.fileAxis = grown.axis;
    known.source = grown.source;
    if (!known.ofFile) {
        known.ofFile = std::make_unique<series::Series>();
    } else if (grown.isNew) { // in its place: plots hold on to it
        *known.ofFile = series::Series();
        known.forgetPlaces();
    }
    EpochTrack *epochs = grown.name.section(u'/', -1).compare(QLatin1String("epoch"), Qt::CaseInsensitive) == 0
        ? &m_epochs[static_cast<std::size_t>(task)].ofFiles
        : nullptr;
    if (epochs && grown.isNew) {
        epochs->clear();
    }
    Epochs &ofTask = m_epochs[static_cast<std::size_t>(task)];
    if (grown.axis == series::Axis::Epoch && !ofTask.rows) {
        ofTask.rows = &known;
    }
    if (ofTask.rows == &known && grown.isNew) {
        ofTask.ofRows.clear();
    }
    for (const series::Point &point : grown.points) {
        known.ofFile->append(point);
        if (ofTask.rows == &known && grown.axis == series::Axis::Epoch) {
            ofTask.ofRows.add(point.x, std::nullopt, point.time);
        }
        if (epochs) { // Lightning and others write the number of the epoch beside every step
            epochs->add(point.value, point.x, point.time);
        }
        m_firstTime = m_firstTime == 0 ? point.time : std::min<qint64>(m_firstTime, point.time);
    }
    if (isOfFile(known) || wasOfFile) {
        noteSource(grown.name, known);
    }
    if (isOfFile(known) != wasOfFile) {
        known.forgetPlaces();
        if (wasShown || !known.series.isEmpty()) {
            Q_EMIT reset(); // the name stands for another curve now
        }
    }
}

// The metric of the task that tells its steps best: the longest. A task that prints nothing goes by the others of its
// run. What it tells of its own epochs goes only by those that tell epochs too: the steps of another role may count
// something else altogether.
const series::Series *CurveStore::stepsOf(int task, bool ofEpochs) const
{
    const series::Series *best = nullptr;
    const auto look = [&](const Curves &curves) {
        for (const auto &[name, curve] : curves) {
            // Half as long again, so that two that grow side by side do not take turns.
            const series::Series &series = shown(*curve);
            if (!isFigure(name) && !isByEpochs(*curve) && (!best || series.size() > best->size() + best->size() / 2)) {
                best = &series;
            }
        }
    };
    look(m_curves[static_cast<std::size_t>(task)]);
    for (std::size_t other = 0; other < m_curves.size() && !best; ++other) {
        if (areOfOneRun(std::size_t(task), other) && (!ofEpochs || m_epochs[other].best())) {
            look(m_curves[other]);
        }
    }
    return best;
}

void CurveStore::Curve::forgetPlaces()
{
    if (bySteps) {
        bySteps->clear();
    }
    if (byEpochs) {
        byEpochs->clear();
    }
}

bool CurveStore::hasEpochs() const
{
    return std::any_of(m_epochs.cbegin(), m_epochs.cend(), [](const Epochs &epochs) { return epochs.best(); });
}

const EpochTrack *CurveStore::Epochs::best() const
{
    for (const EpochTrack *track : {&ofOutput, &ofFiles, &ofRows}) {
        if (track->hasWhole()) {
            return track;
        }
    }
    return nullptr;
}

// A task that tells no epochs goes by the others of its run.
const series::Series *CurveStore::epochsOf(int task) const
{
    const EpochTrack *best = m_epochs[static_cast<std::size_t>(task)].best();
    for (std::size_t other = 0; other < m_epochs.size() && !best; ++other) {
        best = areOfOneRun(std::size_t(task), other) ? m_epochs[other].best() : nullptr;
    }
    return best ? &best->places() : nullptr;
}

const series::Series *CurveStore::series(int task, const QString &name, CurveAlong along) const
{
    if (task < 0 || std::size_t(task) >= m_curves.size()) {
        return nullptr;
    }
    const auto &curves = m_curves[std::size_t(task)];
    const auto found = curves.find(name);
    if (found == curves.cend()) {
        const auto both = std::find_if(curves.cbegin(), curves.cend(), [&](const auto &each) {
            return hasBoth(curves, *each.second) && tr("%1 (output)").arg(each.first) == name;
        });
        if (both == curves.cend()) {
            return nullptr;
        }
        const series::Series &printed = both->second->series; // beside a file with a curve of that name
        const series::Series *epochs = epochsOf(task);
        return along == CurveAlong::Step ? &printedAtSteps(curves, *both->second)
            : along != CurveAlong::Epoch ? &printed
            : epochs                     ? &placed(both->second->printedByEpochs, printed, *epochs)
                                         : nullptr;
    }
    Curve &curve = *found->second;
    const bool isByRows = isOfFile(curve) && isByEpochs(curve);
    if (along == CurveAlong::Epoch) {
        const series::Series *epochs = epochsOf(task);
        return !epochs ? nullptr : isByRows ? &countedEpochs(curve) : &placed(curve.byEpochs, shown(curve), *epochs);
    }
    if (along == CurveAlong::Time || (!isFigure(name) && !isByEpochs(curve))) {
        return &shown(curve);
    }
    // Beside metrics that count steps, what is told once an epoch stands where the steps were then.
    const series::Series *steps = stepsOf(task, !isFigure(name));
    if (!steps) {
        return isFigure(name) ? nullptr : &shown(curve);
    }
    // The output tells its steps in their order; the figures come another way.
    const series::Series &bySteps = placed(curve.bySteps, shown(curve), *steps,
        isFigure(name) ? FigureSteps::Behind::Waits : FigureSteps::Behind::AtTheLast,
        isByRows ? FigureSteps::StepsBefore() : curve.stepsBefore);
    // The steps of a file have the times at which it was read: all that is printed may have come before.
    return bySteps.isEmpty() && !isFigure(name) && !isByRows ? &curve.series : &bySteps;
}

const series::Series &CurveStore::placed(std::unique_ptr<FigureSteps> &by, const series::Series &series,
    const series::Series &places, FigureSteps::Behind behind, const FigureSteps::StepsBefore &before)
{
    if (!by) {
        by = std::make_unique<FigureSteps>();
    }
    return by->update(series, places, behind, before);
}

} // namespace trainyard
