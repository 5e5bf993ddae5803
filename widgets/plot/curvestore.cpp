// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvestore.h"

#include "engine/api/tasklabel.h"

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

void CurveStore::setTasks(const QList<TaskInfo> &tasks, const QList<TaskInfo> &tries)
{
    // There may be ten thousand tasks, and few are tried again.
    QHash<QString, QList<OutputTry>> all
        = tries.isEmpty() ? QHash<QString, QList<OutputTry>>() : outputTries(tries + tasks);
    QList<Task> wanted;
    for (const TaskInfo &task : tasks) {
        const int attempt = task.keptFrom.value_or(task.attempt);
        Task one{taskLabel(task), task.logFolder, false, {}, {}, attempt, newestBegunTry(task), attempt};
        if (QList<OutputTry> ofTask = all.take(one.name); !ofTask.isEmpty()) {
            const OutputTry newest = ofTask.takeLast();
            one.folder = newest.folder;
            one.attempt = newest.attempt;
            one.number = newest.number;
            one.earlier = ofTask.mid(std::max<qsizetype>(0, ofTask.size() - mostEarlierTries));
        }
        wanted.append(one);
    }
    setTasks(wanted);
}

void CurveStore::setTasks(const QList<Task> &tasks)
{
    const auto isSame = [](const Task &before, const Task &now) {
        return before.name == now.name && before.folder == now.folder && before.earlier == now.earlier;
    };
    if (std::equal(m_tasks.cbegin(), m_tasks.cend(), tasks.cbegin(), tasks.cend(), isSame)) {
        for (qsizetype i = 0; i < tasks.size(); ++i) {
            m_tasks[i].shownAttempt = tasks.at(i).shownAttempt;
        }
        return;
    }
    // A task that starts gets its folder, one that is tried again another one, and the others are as they were.
    const auto isGrown = [](const Task &before, const Task &now) {
        const auto isBefore = [&before](const OutputTry &one) { return one.folder == before.folder; };
        return before.name == now.name
            && (before.folder.isEmpty() || before.folder == now.folder
                || std::any_of(now.earlier.cbegin(), now.earlier.cend(), isBefore));
    };
    const bool onlyMore
        = tasks.size() >= m_tasks.size() && std::equal(m_tasks.cbegin(), m_tasks.cend(), tasks.cbegin(), isGrown);
    const QList<Task> before = onlyMore ? m_tasks : QList<Task>();
    if (!onlyMore) {
        forget();
    }
    m_tasks = tasks;
    m_told.resize(static_cast<std::size_t>(tasks.size()));
    for (int i = 0; i < tasks.size(); ++i) {
        const bool isKnown = i < before.size();
        m_tasks[i].isWanted = isKnown ? before.at(i).isWanted : tasks.at(i).isWanted;
        if (m_tasks.at(i).isWanted && !(isKnown && isSame(before.at(i), tasks.at(i)))) {
            read(i, isKnown && !before.at(i).folder.isEmpty());
        }
    }
    Q_EMIT reset();
}

void CurveStore::forget()
{
    m_feed->clear();
    m_isReading = false; // what is cleared does not say that it has caught up
    m_told.clear();
    m_toldAgain.clear();
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
    m_told.resize(static_cast<std::size_t>(m_tasks.size()));
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

void CurveStore::read(int task, bool isAgain)
{
    const Task &wanted = m_tasks.at(task);
    if (wanted.folder.isEmpty()) {
        return;
    }
    MetricsFeed::Tries tries{{}, wanted.folder, isAgain};
    for (const OutputTry &one : wanted.earlier) {
        tries.earlier.append(one.folder);
    }
    m_isReading = true;
    m_feed->add(task, tries, m_patterns);
}

void CurveStore::setWatching(bool on) { m_feed->setWatching(on); }

CurveStore::Edges CurveStore::edges(int task, const QString &name) const
{
    const Curves &curves = m_told[static_cast<std::size_t>(task)].curves;
    const auto found = isFigure(name) ? curves.find(name) : curves.end();
    return found == curves.end() ? Edges() : Edges{found->second->low.get(), found->second->high.get()};
}

// The metric of the task that shows its steps best: the longest. A task that prints nothing follows the others of its
// run. Its own epochs only follow tasks that print epochs too, because the steps of another role may count something
// else.
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
    look(m_told[static_cast<std::size_t>(task)].curves);
    for (std::size_t other = 0; other < m_told.size() && !best; ++other) {
        if (areOfOneRun(std::size_t(task), other) && (!ofEpochs || m_told[other].epochs.best())) {
            look(m_told[other].curves);
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
    if (printedBySteps) {
        printedBySteps->clear();
    }
}

bool CurveStore::hasEpochs() const
{
    return std::any_of(m_told.cbegin(), m_told.cend(), [](const Told &told) { return told.epochs.best(); });
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

// A task that prints no epochs follows the others of its run.
const series::Series *CurveStore::epochsOf(int task) const
{
    const EpochTrack *best = m_told[static_cast<std::size_t>(task)].epochs.best();
    for (std::size_t other = 0; other < m_told.size() && !best; ++other) {
        best = areOfOneRun(std::size_t(task), other) ? m_told[other].epochs.best() : nullptr;
    }
    return best ? &best->places() : nullptr;
}

// What is printed beside a file with a curve of that name.
const series::Series *CurveStore::printedBeside(int task, Curve &curve, CurveAlong along) const
{
    if (along == CurveAlong::Epoch) {
        const series::Series *epochs = epochsOf(task);
        return epochs ? &placed(curve.printedByEpochs, curve.series, *epochs) : nullptr;
    }
    if (along != CurveAlong::Step) {
        return &curve.series;
    }
    const series::Series &byColumn = printedAtSteps(m_told[std::size_t(task)].curves, curve);
    const series::Series *steps = curve.isByEpochs && &byColumn == &curve.series ? stepsOf(task, true) : nullptr;
    if (!steps) {
        return &byColumn;
    }
    const series::Series &byTime = placed(curve.printedBySteps, curve.series, *steps, FigureSteps::Behind::AtTheLast,
        curve.stepsBefore, curve.epochsBefore);
    return byTime.isEmpty() ? &byColumn : &byTime; // the steps of a file may have come later than all that is printed
}

const series::Series *CurveStore::series(int task, const QString &name, CurveAlong along) const
{
    if (task < 0 || std::size_t(task) >= m_told.size()) {
        return nullptr;
    }
    const auto &curves = m_told[std::size_t(task)].curves;
    const auto found = curves.find(name);
    if (found == curves.cend()) {
        const auto both = std::find_if(curves.cbegin(), curves.cend(), [&](const auto &each) {
            // The values are compared only where the name is the one that is asked for.
            return each.first.size() < name.size() && name.startsWith(each.first)
                && tr("%1 (output)").arg(each.first) == name && hasBoth(curves, *each.second);
        });
        if (both == curves.cend()) {
            return nullptr;
        }
        return printedBeside(task, *both->second, along);
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
    // Beside metrics that count steps, values printed once per epoch are at the step of that time.
    const series::Series *steps = stepsOf(task, !isFigure(name));
    if (!steps) {
        return isFigure(name) ? nullptr : &shown(curve);
    }
    // The output tells its steps in their order; the figures come another way.
    const series::Series &bySteps = placed(curve.bySteps, shown(curve), *steps,
        isFigure(name) ? FigureSteps::Behind::Waits : FigureSteps::Behind::AtTheLast,
        isByRows ? FigureSteps::StepsBefore() : curve.stepsBefore,
        isByRows ? FigureSteps::EpochsBefore() : curve.epochsBefore);
    // The steps of a file have the times at which it was read: all that is printed may have come before.
    return bySteps.isEmpty() && !isFigure(name) && !isByRows ? &curve.series : &bySteps;
}

const series::Series &CurveStore::placed(std::unique_ptr<FigureSteps> &by, const series::Series &series,
    const series::Series &places, FigureSteps::Behind behind, const FigureSteps::StepsBefore &before,
    const FigureSteps::EpochsBefore &ends)
{
    if (!by) {
        by = std::make_unique<FigureSteps>();
    }
    return by->update(series, places, behind, before, ends);
}

} // namespace trainyard
