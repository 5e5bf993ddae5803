// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compareruns.h"
#include "widgets/plot/curveband.h"
#include "widgets/plot/curveexport.h"
#include "widgets/plot/curveplot.h"

#include <QWidget>

#include <map>
#include <memory>

class QCheckBox;
class QSlider;
class QToolButton;

namespace trainyard
{

class CurveStore;
class CursorCard;
class EmptyState;
class PlotGrid;
class SegmentedControl;
class ShrinkingRow;

// The curves of the drawn runs, one over the other: a plot for each chosen metric. All plots show the same range and
// the same moment, and the values there stand in a card. Runs that are folded are drawn as their mean with a band. It
// reads outputs only while it is in sight.
class CompareCurves : public QWidget
{
    Q_OBJECT
public:
    explicit CompareCurves(CompareRuns *runs, QWidget *parent = nullptr);

    QWidget *controls() const; // for the head of the pane
    // Where the outputs of the tasks of a run are, when asked for by outputsWanted(); may be told again.
    void setOutputs(const QString &uuid, const QStringList &logFolders);
    QList<CurvePlot *> plots() const;
    QList<CurveGroup> groups() const; // what is drawn
    void setMetrics(const QStringList &metrics); // that have a plot

Q_SIGNALS:
    void outputsWanted(const QString &uuid);
    void said(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    struct Panel {
        QString metric;
        QWidget *widget = nullptr;
        CurvePlot *plot = nullptr;
        CursorCard *card = nullptr;
    };
    void makeControls();
    void fillMetricMenu();
    void chooseMetrics();
    void updatePanels();
    Panel makePanel(const QString &metric);
    void wantDrawn();
    void updateStore();
    void drawLines();
    void refresh();
    void applyLook();
    void setRange(const std::optional<CurvePlot::Range> &range);
    void setCursor(const CurvePlot *under, std::optional<double> place);
    void showMenu(CurvePlot *plot, const QPoint &at);
    QList<CurveLine> linesOf(const QString &metric);
    const series::Series *seriesOf(qsizetype run, const QString &metric, CurveAlong along) const;
    qint64 startOf(qsizetype run) const;
    QString detailOf(qsizetype run) const; // what tells it best from the others

    CompareRuns *m_runs;
    CurveStore *m_store;
    ShrinkingRow *m_controls;
    SegmentedControl *m_along;
    QSlider *m_smooth;
    QCheckBox *m_log;
    QToolButton *m_add;
    EmptyState *m_empty;
    PlotGrid *m_grid;
    QList<Panel> m_panels;
    QStringList m_metrics;
    bool m_areMetricsChosen = false;
    QHash<QString, QStringList> m_outputs; // of runs; empty: asked for
    QHash<QString, QList<int>> m_tasks; // of runs, in the store
    std::map<QString, std::vector<std::unique_ptr<CurveBand>>> m_bands; // of metrics, as drawn
    QHash<QString, qsizetype> m_runOfLabel;
    CurveLook m_look;
    std::optional<CurvePlot::Range> m_range;
};

} // namespace trainyard
