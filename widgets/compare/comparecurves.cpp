// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparecurves.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/compare/compareoutputs.h"
#include "widgets/compare/comparepanel.h"
#include "widgets/plot/besidepoint.h"
#include "widgets/plot/cursorcard.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvesaving.h"
#include "widgets/plot/plotgrid.h"
#include "widgets/plot/zoomentries.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/resulttexts.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>

#include <algorithm>

namespace trainyard
{

CompareCurves::CompareCurves(CompareRuns *runs, QWidget *parent)
    : QWidget(parent), m_runs(runs), m_outputs(new CompareOutputs(runs, this)),
      m_controls(new CurveControls(CurveControls::Form::Narrow)), m_empty(new EmptyState),
      m_saving(new CurveSaving(this))
{
    m_saveValues = new QAction(tr("Save the values as CSV…"), this);
    connect(m_saveValues, &QAction::triggered, this,
        [this] { m_saving->saveValues([this] { return groups(std::nullopt); }, CurveOwner::Run); });
    makeControls();
    m_grid = new PlotGrid;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_grid->area(), 1);
    m_empty->setIcon(QStringLiteral("chart"));
    m_empty->hide();
    m_card = new CursorCard(this);
    connect(new CardClosing(m_card), &CardClosing::closed, this, [this](bool byKey) {
        m_isHeld = false;
        m_isDismissed = byKey;
        for (const ComparePanel *panel : std::as_const(m_panels)) {
            panel->plot()->setCursor(std::nullopt);
        }
    });
    connect(runs, &CompareRuns::reset, this, [this] {
        chooseMetrics();
        m_outputs->readDrawn();
        drawLines();
    });
    connect(runs, &CompareRuns::valuesChanged, this, &CompareCurves::chooseMetrics);
    connect(runs, &CompareRuns::drawnChanged, this, [this] {
        m_outputs->readDrawn();
        drawLines();
    });
    connect(m_outputs, &CompareOutputs::wanted, this, &CompareCurves::outputsWanted);
    connect(m_outputs, &CompareOutputs::leaving, this, &CompareCurves::releaseSeries);
    connect(m_outputs, &CompareOutputs::leaving, m_saving, &CurveSaving::releaseSeries);
    connect(m_saving, &CurveSaving::saved, this, &CompareCurves::saved);
    connect(m_saving, &CurveSaving::failed, this, &CompareCurves::said);
    connect(m_outputs, &CompareOutputs::reset, this, &CompareCurves::drawLines);
    connect(m_outputs, &CompareOutputs::grew, this, &CompareCurves::refresh);
    chooseMetrics();
}

void CompareCurves::explainEmpty()
{
    m_empty->setVisible(m_metrics.isEmpty());
    m_grid->area()->setVisible(!m_metrics.isEmpty());
    const QStringList files = m_outputs->sharedFiles();
    if (files.isEmpty()) {
        m_empty->setText(m_outputs->isReading()
                ? tr("The output of the runs is being read.")
                : tr("The curves of the runs appear here when their output has metrics."));
        m_empty->setDetail({});
        return;
    }
    const QFileInfo first(files.constFirst());
    m_empty->setText(files.size() == 1
            ? tr("The runs write one file, %1, so the values in it are those of no single run.").arg(first.filePath())
            : tr("The runs write the same files, such as %1, so the values in them are those of no single run.")
                  .arg(first.filePath()));
    m_empty->setDetail(tr("Let each run write a file of its own, for example %1.")
                           .arg(first.dir().dirName() + QStringLiteral("/$TRAINYARD_JOB_ID/") + first.fileName()));
}

void CompareCurves::updatePanels()
{
    for (qsizetype i = m_panels.size() - 1; i >= 0; --i) {
        if (!m_metrics.contains(m_panels.at(i)->metricName())) {
            m_panels.at(i)->hide();
            m_panels.at(i)->deleteLater();
            m_panels.removeAt(i);
        }
    }
    QList<QWidget *> widgets;
    for (int i = 0; i < m_metrics.size(); ++i) {
        const auto known = std::find_if(m_panels.begin(), m_panels.end(),
            [&](const ComparePanel *panel) { return panel->metricName() == m_metrics.at(i); });
        if (known == m_panels.end()) {
            m_panels.insert(i, makePanel(m_metrics.at(i)));
        } else if (known - m_panels.begin() != i) {
            m_panels.move(known - m_panels.begin(), i);
        }
        widgets.append(m_panels.at(i));
    }
    m_grid->setPlots(widgets);
    explainEmpty();
    drawLines();
}

ComparePanel *CompareCurves::makePanel(const QString &metric)
{
    auto *panel = new ComparePanel(metric);
    CurvePlot *plot = panel->plot();
    plot->setTellsHint(false);
    plot->setLegendPlaces([this](const QString &label) { return m_rowOf ? m_rowOf(m_runOfLabel.value(label, 0)) : 0; });
    panel->setLook(m_look, m_outputs->isFigure(metric));
    connect(plot, &CurvePlot::rangeChosen, this,
        [this, panel](const std::optional<CurvePlot::Range> &range) { setRange(panel->along(), range); });
    connect(
        plot, &CurvePlot::cursorMoved, this, [this, panel](std::optional<double> place) { setCursor(panel, place); });
    connect(plot, &CurvePlot::momentChosen, this, [this, panel](const CurveLine &line, const series::Point &point) {
        hold(panel, placeOf(line, point, panel->look()), point.value);
    });
    const auto choose = [this, panel](const std::optional<CurvePlot::Range> &range) {
        for (const ComparePanel *each : std::as_const(m_panels)) {
            if (each->along() == panel->along()) {
                each->plot()->setChosen(std::nullopt, range);
            }
        }
    };
    connect(plot, &CurvePlot::timesChosen, this, [this, plot, choose] {
        m_card->hide();
        m_isHeld = false;
        m_isDismissed = true; // the next Esc gives the range up
        choose(plot->chosenRange());
    });
    connect(plot, &CurvePlot::chosenDropped, this, [this, choose] {
        m_isDismissed = false;
        choose(std::nullopt);
    });
    connect(plot, &CurvePlot::menuRequested, this, [this, panel](const QPoint &at) { showMenu(panel, at); });
    auto *picture = new QAction(tr("Save the plot of %1 as a picture…").arg(plainCaption(metric)), panel);
    connect(picture, &QAction::triggered, plot, [this, plot] { m_saving->savePicture(plot); });
    panel->addAction(picture);
    return panel;
}

QList<QAction *> CompareCurves::exportActions() const
{
    QList<QAction *> all;
    for (const ComparePanel *panel : m_panels) {
        all += panel->actions();
    }
    return all.isEmpty() ? all : QList{m_saveValues} + all;
}

void CompareCurves::showMenu(ComparePanel *panel, const QPoint &at)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addZoomEntries(menu, panel->plot(), at);
    menu->addSeparator();
    menu->addAction(tr("Copy the values as a table"), panel, [this, panel] {
        QApplication::clipboard()->setText(
            curvesAsTable(groups(panel->along()), panel->look(), m_ranges[panel->along()], CurveOwner::Run));
    });
    menu->addAction(m_saveValues);
    menu->addAction(
        tr("Save this plot as a picture…"), panel, [this, plot = panel->plot()] { m_saving->savePicture(plot); });
    menu->popup(at);
}

QList<CurvePlot *> CompareCurves::plots() const
{
    QList<CurvePlot *> all;
    for (const ComparePanel *panel : m_panels) {
        all.append(panel->plot());
    }
    return all;
}

QList<CurveGroup> CompareCurves::groups(std::optional<CurveAlong> axis) const
{
    QList<CurveGroup> all;
    for (const ComparePanel *panel : m_panels) {
        if (axis && panel->along() != *axis) {
            continue;
        }
        // A program that reads them needs the original steps.
        const CurveAlong along = panel->along() == CurveAlong::Epoch ? CurveAlong::Step : panel->along();
        CurveGroup group{panel->metricName(), {}};
        for (const qsizetype run : m_runs->drawn()) {
            if (const series::Series *series = m_outputs->series(run, panel->metricName(), along)) {
                group.lines.append({m_runs->label(run), m_runs->look(run), series,
                    !m_outputs->isFigure(panel->metricName()), m_outputs->startOf(run), nullptr, nullptr, QString(),
                    m_outputs->tryBegins(run, panel->metricName())});
            }
        }
        all.append(group);
    }
    return all;
}

void CompareCurves::setOutputs(const QString &uuid, const QStringList &logFolders)
{
    QList<QList<OutputTry>> tasks;
    for (const QString &folder : logFolders) {
        tasks.append({OutputTry{folder}});
    }
    setTries(uuid, tasks);
}

void CompareCurves::setTries(const QString &uuid, const QList<QList<OutputTry>> &tasks)
{
    if (m_outputs->setTries(uuid, tasks)) {
        drawLines();
    } else {
        refresh();
    }
}

QList<CurveLine> CompareCurves::linesOf(const ComparePanel &panel)
{
    QList<CurveLine> lines;
    const QString &metric = panel.metricName();
    auto &bands = m_bands[metric];
    bands.clear();
    for (const QList<qsizetype> &row : m_runs->rows()) {
        std::vector<BandMember> members;
        qsizetype first = -1;
        for (const qsizetype run : row) {
            const series::Series *series
                = m_runs->look(run) < 0 ? nullptr : m_outputs->series(run, metric, panel.along());
            if (series && !series->isEmpty()) {
                members.push_back({series, m_outputs->startOf(run)});
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
        const QString detail = detailOfRun(*m_runs, first);
        const QString title = detail.isEmpty() ? label : QString(label + QStringLiteral(": ") + detail);
        if (members.size() == 1) {
            lines.append({label, m_runs->look(first), members.front().series, true, members.front().start, nullptr,
                nullptr, title, m_outputs->tryBegins(first, metric)});
            continue;
        }
        bands.push_back(std::make_unique<CurveBand>(bandOf(members, panel.along() == CurveAlong::Time)));
        const CurveBand &band = *bands.back();
        lines.append({label, m_runs->look(first), &band.mean, true, 0, &band.low, &band.high, title});
    }
    return lines;
}

void CompareCurves::releaseSeries()
{
    m_card->hide();
    m_isHeld = false;
    for (ComparePanel *panel : std::as_const(m_panels)) {
        panel->setLines({});
    }
}

void CompareCurves::drawLines()
{
    releaseSeries(); // before the bands go
    for (ComparePanel *panel : std::as_const(m_panels)) {
        panel->setLook(m_look, m_outputs->isFigure(panel->metricName()));
        panel->setLines(linesOf(*panel));
    }
    refresh();
}

void CompareCurves::refresh()
{
    explainEmpty();
    offerControls();
    if (m_controls->along() != m_look.along) { // it is not offered any more
        applyLook();
        return;
    }
    std::map<CurveAlong, CurvePlot::Range> wholes;
    for (ComparePanel *panel : std::as_const(m_panels)) {
        panel->setReading(m_outputs->isReading());
        panel->setLook(m_look, m_outputs->isFigure(panel->metricName())); // it is known by its first value
        // Lines that begin only now; the mean of several has to be taken again.
        if (m_runs->isFolded() || linesOf(*panel).size() != panel->plot()->lineCount()) {
            panel->setLines({});
            panel->setLines(linesOf(*panel));
        }
        if (const auto one = panel->plot()->extent()) {
            const auto whole = wholes.try_emplace(panel->along(), *one).first;
            whole->second = {std::min(whole->second.first, one->first), std::max(whole->second.second, one->second)};
        }
    }
    for (const ComparePanel *panel : std::as_const(m_panels)) {
        const auto whole = wholes.find(panel->along());
        panel->plot()->setWhole(whole == wholes.end() ? CurvePlot::Range{0, 1} : whole->second);
        panel->plot()->refresh();
    }
}

void CompareCurves::applyLook()
{
    m_look.along = m_controls->along();
    m_look.smoothing = m_controls->smoothing();
    m_look.isLog = m_controls->isLog();
    drawLines();
    for (ComparePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setRange(m_ranges[panel->along()]); // the plot has another axis now
    }
}

void CompareCurves::setRange(CurveAlong along, const Range &range)
{
    m_ranges[along] = range;
    for (const ComparePanel *panel : std::as_const(m_panels)) {
        if (panel->along() == along) {
            panel->plot()->setRange(range);
        }
    }
}

void CompareCurves::setCursor(ComparePanel *under, std::optional<double> place)
{
    if (m_isHeld && !under->plot()->hasKeyCursor()) {
        return;
    }
    for (const ComparePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setCursor(panel->along() == under->along() ? place : std::nullopt);
    }
    if (!place || m_isDismissed) {
        m_isDismissed = m_isDismissed && place;
        m_card->hide();
        return;
    }
    showCard(under, *place, under->plot()->cursorPixel());
}

void CompareCurves::hold(ComparePanel *under, double place, double value)
{
    m_isHeld = m_isDismissed = false;
    setCursor(under, place);
    showCard(under, place, under->plot()->pixelOf(place, value));
    m_isHeld = m_card->isVisible();
}

void CompareCurves::showCard(ComparePanel *under, double place, const QPoint &at)
{
    const CurveLook &look = under->look();
    QList<CursorCard::Row> rows;
    for (const auto &[line, point] : under->plot()->pointsAt(place)) {
        const double last = placeOf(line, line.series->at(line.series->size() - 1), look);
        rows.append({line.look, line.label, detailOfRun(*m_runs, m_runOfLabel.value(line.label, 0)),
            metricNumber(point.value), placeOf(line, point, look), last});
    }
    if (rows.isEmpty()) {
        m_card->hide();
        return;
    }
    m_card->setRows(look.along, place, under->metricName(), rows);
    m_card->showBeside(*under->plot(), at);
}

void CompareCurves::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_outputs->setWatching(true);
}

void CompareCurves::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_outputs->setWatching(false);
    m_card->hide();
    m_isHeld = false;
}

} // namespace trainyard
