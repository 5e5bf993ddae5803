// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvesview.h"

#include "engine/api/values.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/plot/besidepoint.h"
#include "widgets/plot/cursorcard.h"
#include "widgets/plot/curvechooser.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvepanel.h"
#include "widgets/plot/curvesaving.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/momentcard.h"
#include "widgets/plot/momentsteps.h"
#include "widgets/plot/plotgrid.h"
#include "widgets/plot/trainingclock.h"
#include "widgets/text/texts.h"

#include <QClipboard>
#include <QCursor>
#include <QHBoxLayout>
#include <QScrollArea>

#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

CurveControls::Offer offerOf(const CurveStore &store, const CurveChooser &chooser)
{
    return {.hasMetrics = store.hasMetrics(),
        .hasEpochs = store.hasEpochs(),
        .hasTimes = store.hasTimes(),
        .tasks = int(store.tasks().size()),
        .chosenTasks = int(chooser.tasks().size())};
}

// Whether they have changed.
bool giveNames(const CurveStore &store, CurveChooser &chooser)
{
    const QStringList names = store.names();
    const auto own
        = std::count_if(names.begin(), names.end(), [&store](const QString &name) { return !store.isFigure(name); });
    QStringList values = names;
    values.removeIf([&store](const QString &name) { return !store.hasOnePoint(name); });
    return chooser.setNames(names, own, values);
}

// The messages about broken files of metrics.
QStringList remarksOf(const CurveStore &store)
{
    QStringList sentences;
    for (const Error &remark : store.remarks()) {
        sentences.append(errorText(remark));
    }
    return sentences;
}

// Values of files that do not count concern every viewer of the curves.
QStringList noticesOf(const CurveStore &store)
{
    constexpr std::array codes{"metricfile.shared-file"_L1, "metricfile.tasks-file"_L1, "metricfile.later-file"_L1,
        "metricfile.gone"_L1, "metricfile.less-than-output"_L1};
    QStringList sentences;
    for (const Error &remark : store.remarks()) {
        if (std::find(codes.begin(), codes.end(), remark.code) != codes.end()) {
            sentences.append(errorText(remark));
        }
    }
    return sentences;
}

} // namespace

CurvesView::CurvesView(QWidget *parent)
    : QWidget(parent), m_store(new CurveStore(this)), m_clock(new TrainingClock(m_store)),
      m_controls(new CurveControls(CurveControls::Form::Wide, this)), m_chooser(new CurveChooser), m_bar(new InfoBar),
      m_notice(new ElidedLabel), m_empty(new EmptyState), m_body(new QWidget), m_grid(new PlotGrid),
      m_card(new MomentCard(this, m_grid->area())), m_values(new CursorCard(this, m_grid->area())),
      m_steps(new MomentSteps(m_card)), m_saving(new CurveSaving(this, m_bar))
{
    connect(m_controls, &CurveControls::lookChanged, this, &CurvesView::applyLook);
    connect(m_controls, &CurveControls::foldChanged, this, &CurvesView::updatePlots);
    auto *bodyLayout = new QHBoxLayout(m_body);
    bodyLayout->setContentsMargins(0, 0, 0, 0);
    bodyLayout->setSpacing(0);
    bodyLayout->addWidget(m_chooser, 1); // a fifth, between its least and its greatest width
    bodyLayout->addWidget(m_grid->area(), 4);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_bar);
    m_notice->setObjectName(QStringLiteral("curvesNotice"));
    m_notice->setFont(fonts::small());
    m_notice->setElideMode(Qt::ElideRight);
    m_notice->setColour(Colour::Waiting);
    m_notice->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
    m_notice->hide();
    layout->addWidget(m_notice);
    layout->addWidget(m_empty);
    layout->addWidget(m_body);
    m_empty->setIcon(QStringLiteral("chart"));
    m_controls->hide(); // until it is taken to where it belongs
    m_body->hide();
    m_bar->hide();
    m_bar->setClosable(true);
    connect(new CardClosing(m_values), &CardClosing::closed, this, [this](bool byKey) {
        m_isDismissed = byKey;
        if (m_under && m_under->plot()->hasKeyCursor()) {
            setCursor(m_under, std::nullopt);
        }
        updateHeads();
    });
    connect(m_chooser, &CurveChooser::changed, this, &CurvesView::updatePlots);
    connect(m_chooser, &CurveChooser::pinnedChanged, this, [this](const QStringList &names) {
        setPinned(names);
        Q_EMIT pinnedChanged(names);
    });
    connect(m_empty, &EmptyState::actionTriggered, this, &CurvesView::patternsRequested);
    connect(m_store, &CurveStore::reset, m_saving, &CurveSaving::releaseSeries);
    connect(m_store, &CurveStore::reset, this, &CurvesView::resetTasks);
    connect(m_store, &CurveStore::grew, this, &CurvesView::refresh);
    resetTasks();
}

void CurvesView::setTasks(const QList<TaskInfo> &tasks, const QList<TaskInfo> &tries)
{
    const bool isOver = !tasks.isEmpty()
        && std::all_of(tasks.cbegin(), tasks.cend(), [](const TaskInfo &task) { return isFinal(task.state); });
    const bool isOther = std::exchange(m_isOver, isOver) != isOver;
    m_store->setTasks(tasks, tries);
    if (isOther) {
        updateEmptyState();
    }
}

void CurvesView::resetTasks()
{
    QStringList names;
    for (const CurveStore::Task &task : m_store->tasks()) {
        names.append(task.name);
    }
    m_chooser->setTasks(names);
    m_card->hide();
    m_values->hide();
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setLines({}); // the series that it shows are gone
    }
    giveNames(*m_store, *m_chooser);
    updateEmptyState();
    updatePlots();
}

void CurvesView::updateEmptyState()
{
    const bool isEmpty = m_store->names().isEmpty();
    m_body->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    if (isEmpty) {
        const bool hasStarted = std::any_of(m_store->tasks().cbegin(), m_store->tasks().cend(),
            [](const CurveStore::Task &task) { return !task.folder.isEmpty(); });
        const bool isRead = hasStarted && !m_store->isReading();
        m_empty->setText(!hasStarted ? tr("The curves appear here when the job starts.")
                : !isRead            ? tr("The output is being read.")
                : m_isOver           ? tr("No metrics were found in the output of this run, or in its files.")
                                     : tr("The output has no metrics so far."));
        m_empty->setAction(isRead && m_offersPatterns ? tr("Own metrics…") : QString());
        const QStringList said = remarksOf(*m_store);
        m_empty->setDetail(!said.isEmpty() ? said.constFirst()
                : !isRead                  ? QString()
                : m_offersPatterns
                ? tr("Losses, accuracies and other measures that the program prints or writes to files become curves "
                     "by themselves. What it prints in another form is found by a pattern that you write.")
                : tr("Losses, accuracies and other measures that the program prints or writes to files become curves "
                     "by themselves."));
    }
}

// A panel for each chosen metric, in the order of the list. Those that stay keep their widgets.
void CurvesView::updatePlots()
{
    const QList<int> tasks = m_chooser->tasks();
    for (const int task : tasks) {
        m_store->want(task);
    }
    const QStringList wanted = m_chooser->names();
    for (qsizetype i = m_panels.size() - 1; i >= 0; --i) {
        if (!wanted.contains(m_panels.at(i)->name())) {
            if (m_panels.at(i) == m_under) {
                setCursor(m_under, std::nullopt); // it no longer reports a pointer
            }
            m_panels.at(i)->hide();
            m_panels.at(i)->deleteLater();
            m_panels.removeAt(i);
        }
    }
    QList<QWidget *> widgets;
    for (int i = 0; i < wanted.size(); ++i) {
        const QString &name = wanted.at(i);
        const auto known = std::find_if(
            m_panels.begin() + i, m_panels.end(), [&name](const CurvePanel *panel) { return panel->name() == name; });
        if (known == m_panels.end()) {
            m_panels.insert(i, makePanel(name));
        } else {
            m_panels.move(known - m_panels.begin(), i);
        }
        widgets.append(m_panels.at(i));
    }
    m_grid->setPlots(widgets);
    m_controls->setOffer(offerOf(*m_store, *m_chooser));
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->setLines(linesOf(panel->name(), m_look.along), m_controls->isFolded(), m_look.along);
        panel->plot()->setMarks(marksOf(panel->name()));
    }
    refresh();
}

CurvePanel *CurvesView::makePanel(const QString &name)
{
    auto *panel = new CurvePanel(name);
    CurvePlot *plot = panel->plot();
    plot->setLook(m_look);
    plot->setClock([this, panel] { return clockOf(*panel); });
    connect(plot, &CurvePlot::rangeChosen, this, &CurvesView::setRange);
    connect(
        plot, &CurvePlot::cursorMoved, this, [this, panel](std::optional<double> place) { setCursor(panel, place); });
    connect(plot, &CurvePlot::momentChosen, this,
        [this, panel](const CurveLine &line, const series::Point &point) { chooseMoment(*panel, line, point); });
    connect(
        plot, &CurvePlot::timesChosen, this, [this, panel](qint64 from, qint64 to) { chooseTimes(*panel, from, to); });
    connect(plot, &CurvePlot::menuRequested, this, [this, plot](const QPoint &at) { showMenu(plot, at); });
    connect(plot, &CurvePlot::chosenDropped, this, [this] {
        m_isDismissed = false;
        dropTimes();
        Q_EMIT timesDropped();
    });
    m_steps->watch(plot);
    plot->setChosen(m_times, m_chosen);
    plot->setMoment(m_moment);
    plot->setPreferred(m_currentTask);
    return panel;
}

void CurvesView::setCurrentTask(const QString &name)
{
    m_currentTask = name;
    for (CurvePlot *plot : plots()) {
        plot->setPreferred(name);
    }
}

void CurvesView::refresh()
{
    updateEmptyState();
    m_chooser->setRemarks(remarksOf(*m_store));
    QStringList notices = noticesOf(*m_store);
    if (m_store->isReading()) { // of a long one, what is there may be one point
        notices.prepend(tr("The output is still being read: the curves are not complete yet."));
    }
    m_notice->setText(notices.join(QLatin1Char(' '))); // what has no room stands in its tip
    m_notice->setVisible(!notices.isEmpty() && !m_body->isHidden());
    if (giveNames(*m_store, *m_chooser)) {
        updatePlots();
        return;
    }
    m_controls->setOffer(offerOf(*m_store, *m_chooser));
    const CurveLook before = m_look;
    m_look.start = m_store->firstTime();
    m_look.along = m_controls->along();
    if (before.along != m_look.along) {
        m_range.reset();
        m_chosen.reset();
    }
    if (before != m_look) {
        for (CurvePanel *panel : std::as_const(m_panels)) {
            panel->plot()->setLook(m_look);
            panel->setLines(linesOf(panel->name(), m_look.along), m_controls->isFolded(), m_look.along);
            panel->plot()->setRange(m_range);
        }
    }
    std::optional<CurvePlot::Range> whole;
    for (CurvePanel *panel : std::as_const(m_panels)) {
        // Places along steps and epochs are made again when they are asked for, and the mean of several lines as well.
        if (m_controls->isFolded() || linesOf(panel->name(), m_look.along).size() != panel->plot()->lineCount()) {
            panel->setLines(linesOf(panel->name(), m_look.along), m_controls->isFolded(), m_look.along);
        }
        if (const auto one = panel->plot()->extent()) {
            whole = whole ? CurvePlot::Range{std::min(whole->first, one->first), std::max(whole->second, one->second)}
                          : *one;
        }
    }
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setMarks(marksOf(panel->name())); // an epoch may stand at another step now
        panel->plot()->setWhole(whole.value_or(CurvePlot::Range{0, 1}));
        panel->plot()->refresh();
    }
    updateTitles();
    if (!m_hadRoom && !m_panels.isEmpty() && isVisible()) {
        m_hadRoom = true;
        Q_EMIT wantsRoom();
    }
}

void CurvesView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_store->setWatching(true);
    refresh();
}

void CurvesView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_store->setWatching(false);
    m_values->hide();
}

} // namespace trainyard
