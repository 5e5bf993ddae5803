// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparecurves.h"

#include "widgets/common/clocktext.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/shrinkingrow.h"
#include "widgets/common/style.h"
#include "widgets/compare/cursorcard.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/plotgrid.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/resulttexts.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{
constexpr qsizetype plotsFirst = 2;
constexpr int smoothingSteps = 100, smoothingWidth = 72;
constexpr int axisEpoch = 1;
constexpr QSizeF columnOfPaper(88, 55); // mm
} // namespace

CompareCurves::CompareCurves(CompareRuns *runs, QWidget *parent)
    : QWidget(parent), m_runs(runs), m_store(new CurveStore(this)), m_controls(new ShrinkingRow),
      m_empty(new EmptyState)
{
    makeControls();
    m_grid = new PlotGrid;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_empty);
    layout->addWidget(m_grid->area(), 1);
    m_empty->setIcon(QStringLiteral("chart"));
    m_empty->hide();
    connect(runs, &CompareRuns::reset, this, [this] {
        chooseMetrics();
        wantDrawn();
        drawLines();
    });
    connect(runs, &CompareRuns::valuesChanged, this, &CompareCurves::chooseMetrics);
    connect(runs, &CompareRuns::drawnChanged, this, [this] {
        wantDrawn();
        drawLines();
    });
    connect(m_store, &CurveStore::reset, this, &CompareCurves::drawLines);
    connect(m_store, &CurveStore::grew, this, &CompareCurves::refresh);
    chooseMetrics();
}

void CompareCurves::makeControls()
{
    m_smooth = new QSlider(Qt::Horizontal);
    m_smooth->setRange(0, smoothingSteps);
    m_smooth->setFixedWidth(smoothingWidth);
    m_smooth->setAccessibleName(tr("Smoothing"));
    m_smooth->setToolTip(plainTip(tr("Smooth the curves; the values themselves stay behind them")));
    m_log = new QCheckBox(tr("Log"));
    m_log->setToolTip(plainTip(tr("A logarithmic axis of values")));
    m_along = new SegmentedControl({tr("Step"), tr("Epoch"), tr("Time")});
    m_along->setAccessibleName(tr("Axis of the curves"));
    m_add = new QToolButton;
    m_add->setIcon(icon(QStringLiteral("plus")));
    m_add->setAutoRaise(true);
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setToolTip(plainTip(tr("Choose the metrics that have a plot")));
    m_add->setAccessibleName(tr("Metrics with a plot"));
    auto *menu = new QMenu(m_add);
    m_add->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &CompareCurves::fillMetricMenu);
    m_controls->add(m_log, 1);
    m_controls->add(m_smooth, 0);
    m_controls->add(m_along, 2);
    m_controls->add(m_add, 2);
    m_along->setChoiceVisible(axisEpoch, false); // until a run tells of epochs
    connect(m_along, &SegmentedControl::currentChanged, this, &CompareCurves::applyLook);
    connect(m_smooth, &QSlider::valueChanged, this, &CompareCurves::applyLook);
    connect(m_log, &QCheckBox::toggled, this, &CompareCurves::applyLook);
}

QWidget *CompareCurves::controls() const { return m_controls; }

void CompareCurves::fillMetricMenu()
{
    constexpr qsizetype most = 60;
    QMenu *menu = m_add->menu();
    menu->clear();
    QStringList names = m_runs->metrics();
    for (const QString &name : m_store->names()) {
        if (!names.contains(name)) {
            names.append(name);
        }
    }
    for (const QString &name : names.first(std::min(most, names.size()))) {
        QAction *action = menu->addAction(plainCaption(name), this, [this, name] {
            QStringList metrics = m_metrics;
            if (!metrics.removeOne(name)) {
                metrics.append(name);
            }
            setMetrics(metrics);
        });
        action->setCheckable(true);
        action->setChecked(m_metrics.contains(name));
    }
    menu->setDisabled(names.isEmpty());
}

void CompareCurves::setMetrics(const QStringList &metrics)
{
    m_areMetricsChosen = true;
    m_metrics = metrics;
    updatePanels();
}

// The ranking metric, then the next one that tells most.
void CompareCurves::chooseMetrics()
{
    if (!m_areMetricsChosen) {
        QStringList wanted = m_runs->metrics();
        wanted.removeOne(m_runs->metric());
        if (!m_runs->metric().isEmpty()) {
            wanted.prepend(m_runs->metric());
        }
        wanted = wanted.first(std::min(plotsFirst, wanted.size()));
        if (wanted != m_metrics) {
            m_metrics = wanted;
            updatePanels();
        }
    }
    m_empty->setVisible(m_metrics.isEmpty());
    m_empty->setText(tr("The curves of the runs appear here when their output has metrics."));
}

void CompareCurves::updatePanels()
{
    for (qsizetype i = m_panels.size() - 1; i >= 0; --i) {
        if (!m_metrics.contains(m_panels.at(i).metric)) {
            m_panels.at(i).widget->hide();
            m_panels.at(i).widget->deleteLater();
            m_panels.removeAt(i);
        }
    }
    QList<QWidget *> widgets;
    for (int i = 0; i < m_metrics.size(); ++i) {
        const auto known = std::find_if(
            m_panels.begin(), m_panels.end(), [&](const Panel &panel) { return panel.metric == m_metrics.at(i); });
        if (known == m_panels.end()) {
            m_panels.insert(i, makePanel(m_metrics.at(i)));
        } else if (known - m_panels.begin() != i) {
            m_panels.move(known - m_panels.begin(), i);
        }
        widgets.append(m_panels.at(i).widget);
    }
    m_grid->setPlots(widgets);
    m_empty->setVisible(m_metrics.isEmpty());
    drawLines();
}

CompareCurves::Panel CompareCurves::makePanel(const QString &metric)
{
    Panel panel;
    panel.metric = metric;
    panel.widget = new QWidget;
    auto *layout = new QVBoxLayout(panel.widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    QLabel *title = plainLabel(metric);
    title->setFont(fonts::semibold());
    layout->addWidget(title);
    panel.plot = new CurvePlot(metric);
    panel.plot->setLook(m_look);
    layout->addWidget(panel.plot, 1);
    panel.card = new CursorCard(panel.plot);
    connect(panel.plot, &CurvePlot::rangeChosen, this, &CompareCurves::setRange);
    connect(panel.plot, &CurvePlot::cursorMoved, this,
        [this, plot = panel.plot](std::optional<double> place) { setCursor(plot, place); });
    connect(panel.plot, &CurvePlot::menuRequested, this,
        [this, plot = panel.plot](const QPoint &at) { showMenu(plot, at); });
    return panel;
}

void CompareCurves::showMenu(CurvePlot *plot, const QPoint &at)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show everything"), this, [this] { setRange(std::nullopt); })->setEnabled(m_range.has_value());
    menu->addSeparator();
    menu->addAction(tr("Copy the values as a table"), this,
        [this] { QApplication::clipboard()->setText(curvesAsTable(groups(), m_look, m_range)); });
    menu->addAction(tr("Save this plot as a picture…"), plot, [this, plot] {
        const QString file = QFileDialog::getSaveFileName(this, tr("Save the plot"),
            QString(plot->title()).replace(u'/', u'_') + QStringLiteral(".pdf"),
            tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
        if (!file.isEmpty() && !plot->save(file, columnOfPaper)) {
            Q_EMIT said(tr("%1 could not be written.").arg(file));
        }
    });
    menu->popup(at);
}

QList<CurvePlot *> CompareCurves::plots() const
{
    QList<CurvePlot *> all;
    for (const Panel &panel : m_panels) {
        all.append(panel.plot);
    }
    return all;
}

QList<CurveGroup> CompareCurves::groups() const
{
    QList<CurveGroup> all;
    // A program that reads them wants the steps that were told.
    const CurveAlong along = m_look.along == CurveAlong::Epoch ? CurveAlong::Step : m_look.along;
    for (const Panel &panel : m_panels) {
        CurveGroup group{panel.metric, {}};
        for (const qsizetype run : m_runs->drawn()) {
            if (const series::Series *series = seriesOf(run, panel.metric, along)) {
                group.lines.append({m_runs->label(run), m_runs->look(run), series, true, startOf(run)});
            }
        }
        all.append(group);
    }
    return all;
}

void CompareCurves::wantDrawn()
{
    if (!isVisible()) {
        return;
    }
    for (const qsizetype run : m_runs->drawn()) {
        const QString uuid = m_runs->runs().at(run).job.uuid;
        if (!m_outputs.contains(uuid)) {
            m_outputs.insert(uuid, {});
            Q_EMIT outputsWanted(uuid);
        }
        for (const int task : m_tasks.value(uuid)) {
            m_store->want(task);
        }
    }
}

void CompareCurves::setOutputs(const QString &uuid, const QStringList &logFolders)
{
    if (m_outputs.value(uuid) != logFolders) {
        m_outputs.insert(uuid, logFolders);
        updateStore();
    }
}

// Those that are known stay where they are, so that what was read of them is kept.
void CompareCurves::updateStore()
{
    QList<CurveStore::Task> tasks = m_store->tasks();
    for (auto it = m_outputs.cbegin(); it != m_outputs.cend(); ++it) {
        QList<int> &places = m_tasks[it.key()];
        for (qsizetype i = 0; i < it->size(); ++i) {
            if (i < places.size()) {
                tasks[places.at(i)].folder = it->at(i);
            } else {
                places.append(int(tasks.size()));
                tasks.append({it.key() + QLatin1Char('/') + QString::number(i), it->at(i), false, it.key()});
            }
        }
    }
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setLines({}); // series may go
    }
    m_store->setTasks(tasks);
    wantDrawn();
    drawLines();
}

const series::Series *CompareCurves::seriesOf(qsizetype run, const QString &metric, CurveAlong along) const
{
    const QString &uuid = m_runs->runs().at(run).job.uuid;
    for (const int task : m_tasks.value(uuid)) {
        if (const series::Series *series = m_store->series(task, metric, along)) {
            return series;
        }
    }
    return nullptr;
}

qint64 CompareCurves::startOf(qsizetype run) const
{
    const JobSummary &job = m_runs->runs().at(run).job;
    return job.launched.value_or(job.submitted);
}

QList<CurveLine> CompareCurves::linesOf(const QString &metric)
{
    QList<CurveLine> lines;
    auto &bands = m_bands[metric];
    bands.clear();
    for (const QList<qsizetype> &row : m_runs->rows()) {
        std::vector<BandMember> members;
        qsizetype first = -1;
        for (const qsizetype run : row) {
            const series::Series *series = m_runs->look(run) < 0 ? nullptr : seriesOf(run, metric, m_look.along);
            if (series && !series->isEmpty()) {
                members.push_back({series, startOf(run)});
                first = first < 0 ? run : first;
            }
        }
        if (members.empty()) {
            continue;
        }
        const QString label = members.size() == 1
            ? m_runs->label(first)
            : tr("%1 and %n more", nullptr, int(members.size()) - 1).arg(m_runs->label(first));
        m_runOfLabel.insert(label, first);
        if (members.size() == 1) {
            lines.append({label, m_runs->look(first), members.front().series, true, members.front().start});
            continue;
        }
        bands.push_back(std::make_unique<CurveBand>(bandOf(members, m_look.along == CurveAlong::Time)));
        const CurveBand &band = *bands.back();
        lines.append({label, m_runs->look(first), &band.mean, true, 0, &band.low, &band.high});
    }
    return lines;
}

void CompareCurves::drawLines()
{
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setLines({}); // before the bands that it has go
        panel.plot->setLines(linesOf(panel.metric));
    }
    refresh();
}

void CompareCurves::refresh()
{
    m_along->setChoiceVisible(axisEpoch, m_store->hasEpochs() || m_along->currentIndex() == axisEpoch);
    std::optional<CurvePlot::Range> whole;
    for (const Panel &panel : std::as_const(m_panels)) {
        // Lines that begin only now; the mean of several has to be taken again.
        if (m_runs->isFolded() || linesOf(panel.metric).size() != panel.plot->lineCount()) {
            panel.plot->setLines({});
            panel.plot->setLines(linesOf(panel.metric));
        }
        if (const auto one = panel.plot->extent()) {
            whole = whole ? CurvePlot::Range{std::min(whole->first, one->first), std::max(whole->second, one->second)}
                          : *one;
        }
    }
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setWhole(whole.value_or(CurvePlot::Range{0, 1}));
        panel.plot->refresh();
    }
}

void CompareCurves::applyLook()
{
    constexpr CurveAlong axes[] = {CurveAlong::Step, CurveAlong::Epoch, CurveAlong::Time};
    const CurveAlong along = axes[m_along->currentIndex()];
    if (along != m_look.along) {
        m_range.reset();
    }
    m_look.along = along;
    m_look.smoothing = smoothingAt(double(m_smooth->value()) / smoothingSteps);
    m_look.isLog = m_log->isChecked();
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setLook(m_look);
    }
    drawLines();
}

void CompareCurves::setRange(const std::optional<CurvePlot::Range> &range)
{
    m_range = range;
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setRange(range);
    }
}

QString CompareCurves::detailOf(qsizetype run) const
{
    const qsizetype place = m_runs->mainParameter();
    if (place < 0) {
        return {};
    }
    const CompareFact &fact = m_runs->table().different.at(place);
    return fact.name + QLatin1Char(' ') + factValue(fact.values.at(run));
}

void CompareCurves::setCursor(const CurvePlot *under, std::optional<double> place)
{
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setCursor(place);
        if (panel.plot != under || !place) {
            panel.card->hide();
            continue;
        }
        QList<CursorCard::Row> rows;
        for (const auto &[line, point] : panel.plot->pointsAt(*place)) {
            const double last = placeOf(line, line.series->at(line.series->size() - 1), m_look);
            const bool isOver = *place > last; // it has not come so far
            rows.append({line.look, line.label, detailOf(m_runOfLabel.value(line.label, 0)),
                isOver ? QStringLiteral("–") : metricNumber(point.value)});
        }
        if (rows.isEmpty()) {
            panel.card->hide();
            continue;
        }
        const QString heading = m_look.along == CurveAlong::Step
            ? tr("Step %1").arg(QString::number(std::round(*place), 'f', 0))
            : m_look.along == CurveAlong::Epoch ? tr("After %1 epochs").arg(QString::number(*place, 'f', 2))
                                                : clockText(qint64(*place * 1000));
        panel.card->show(heading, panel.metric, rows, panel.plot->mapFromGlobal(QCursor::pos()).x());
    }
}

void CompareCurves::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_store->setWatching(true);
    wantDrawn();
}

void CompareCurves::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_store->setWatching(false);
}

} // namespace trainyard
