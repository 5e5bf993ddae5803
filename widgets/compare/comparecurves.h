// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/outputtries.h"
#include "widgets/compare/compareruns.h"
#include "widgets/plot/curveband.h"
#include "widgets/plot/curveexport.h"
#include "widgets/plot/curveplot.h"

#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <utility>

class QAction;
class QMenu;
class QToolButton;

namespace trainyard
{

class CompareOutputs;
class ComparePanel;
class CurveControls;
class CurveSaving;
class CursorCard;
class EmptyState;
class PlotGrid;

// The curves of the drawn runs, one over the other: a plot for each chosen metric. All plots of one axis show the same
// range and the same moment, and the values there are in a card, which a click keeps open. Runs that are folded are
// drawn as their mean with a band. It reads outputs only while it is in sight. Large because the card, the range and
// the keys are shared by all plots.
class CompareCurves : public QWidget
{
    Q_OBJECT
public:
    explicit CompareCurves(CompareRuns *runs, QWidget *parent = nullptr);

    QWidget *controls() const; // for the head of the pane
    // The tries of each task of a run, in their order, after outputsWanted(); may be set again.
    void setTries(const QString &uuid, const QList<QList<OutputTry>> &tasks);
    void setOutputs(const QString &uuid, const QStringList &logFolders); // of tasks that were tried once
    QList<QAction *> exportActions() const; // that save the curves and each plot
    QList<CurvePlot *> plots() const;
    void setMetrics(const QStringList &metrics); // that have a plot
    // The row of a run in the table beside the plots: the legends of saved pictures have its order.
    void setRows(std::function<int(qsizetype run)> rowOf) { m_rowOf = std::move(rowOf); }

Q_SIGNALS:
    void outputsWanted(const QString &uuid);
    void said(const QString &sentence);
    void saved(const QString &file);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    using Range = std::optional<CurvePlot::Range>;
    void makeControls();
    void offerControls();
    void fillMetricMenu();
    void chooseMetrics();
    void explainEmpty(); // why there is no plot
    void updatePanels();
    ComparePanel *makePanel(const QString &metric);
    QList<CurveGroup> groups(std::optional<CurveAlong> axis) const; // what is drawn, along that axis only
    void drawLines();
    void releaseSeries(); // of the series that are drawn
    void refresh();
    void applyLook();
    void setRange(CurveAlong along, const Range &range);
    void setCursor(ComparePanel *under, std::optional<double> place);
    void hold(ComparePanel *under, double place, double value);
    void showCard(ComparePanel *under, double place, const QPoint &at); // in the plot
    void showMenu(ComparePanel *panel, const QPoint &at);
    QList<CurveLine> linesOf(const ComparePanel &panel);

    CompareRuns *m_runs;
    CompareOutputs *m_outputs;
    CurveControls *m_controls;
    QToolButton *m_add;
    EmptyState *m_empty;
    PlotGrid *m_grid;
    CursorCard *m_card;
    CurveSaving *m_saving;
    QAction *m_saveValues;
    QList<ComparePanel *> m_panels;
    QStringList m_metrics;
    bool m_areMetricsChosen = false;
    std::map<QString, std::vector<std::unique_ptr<CurveBand>>> m_bands; // of metrics, as drawn
    QHash<QString, qsizetype> m_runOfLabel;
    std::function<int(qsizetype run)> m_rowOf;
    CurveLook m_look;
    std::map<CurveAlong, Range> m_ranges;
    bool m_isHeld = false; // the card, where the user clicked
    bool m_isDismissed = false; // until the mouse leaves the plot, or a chosen range is given up
};

} // namespace trainyard
