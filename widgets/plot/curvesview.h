// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/plot/curveexport.h"
#include "widgets/plot/curveplot.h"

#include <memory>

class QAbstractButton;
class QCheckBox;
class QLabel;
class QSlider;

namespace trainyard
{

class CurveChooser;
class CurveSaving;
class CurveStore;
class ElidedLabel;
class EmptyState;
class InfoBar;
class MomentCard;
class PlotGrid;
struct CurveBand;
class SegmentedControl;
class ShrinkingRow;

// The curves of a run: the tasks and metrics to choose from, and a plot for each chosen metric. All plots show the same
// range and the same moment. It reads the output only while it is in sight.
class CurvesView : public QWidget
{
    Q_OBJECT
public:
    explicit CurvesView(QWidget *parent = nullptr);
    void setTasks(const QList<TaskInfo> &tasks); // all of the attempt shown
    void setHealth(const QList<HealthMark> &marks); // of the job: those of curves are shown on them
    QWidget *controls() const; // axis, smoothing; for the row of tabs
    CurveStore *store() const { return m_store; }
    QList<CurvePlot *> plots() const;
    void setMoment(std::optional<qint64> time); // marks it in all plots (ms UTC)
    void setMomentLines(const QStringList &lines); // of the log, at the moment that was chosen
    void setPinned(const QStringList &names); // metrics that come first and are shown in every run that has them

Q_SIGNALS:
    void momentChosen(const QString &task, qint64 time, double value); // "worker/0", ms UTC
    void timesChosen(qint64 from, qint64 to); // ms UTC, with Shift
    void wantsRoom(); // it is shown for the first time and has something to show
    void pinnedChanged(const QStringList &names); // by hand

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    // A plot with what it shows above it.
    struct Panel {
        QString name;
        QWidget *widget = nullptr;
        QLabel *title = nullptr;
        ElidedLabel *values = nullptr;
        CurvePlot *plot = nullptr;
        std::shared_ptr<CurveBand> band; // that the plot has; of all tasks in one
    };
    void makeControls();
    void resetTasks();
    void updateEmptyState();
    QStringList remarks() const;
    Panel makePanel(const QString &name);
    void updatePlots();
    void refresh();
    void updateTitles();
    void chooseMoment(const CurveLine &line, const series::Point &point, const QPoint &near);
    void setRange(const std::optional<CurvePlot::Range> &range);
    void setCursor(std::optional<double> place);
    void applyLook();
    void showAxes();
    CurveAlong chosenAxis() const;
    QList<CurveMark> marksOf(const QString &name) const;
    QList<CurveLine> linesOf(const QString &name, CurveAlong along) const;
    void setLines(const Panel &panel);
    bool isFolded() const; // several tasks are one line with a band
    QString valueText(const CurveLine &line, const series::Point &point) const;
    int taskOf(const CurveLine &line) const;
    QList<CurveGroup> groups() const;
    void showMenu(CurvePlot *plot, const QPoint &at);

    CurveStore *m_store;
    ShrinkingRow *m_controls;
    SegmentedControl *m_along;
    QSlider *m_smooth;
    QCheckBox *m_log;
    QCheckBox *m_fold;
    CurveChooser *m_chooser;
    InfoBar *m_bar;
    EmptyState *m_empty;
    QWidget *m_body;
    PlotGrid *m_grid;
    MomentCard *m_card;
    CurveSaving *m_saving;
    std::optional<qint64> m_moment;
    QList<HealthMark> m_health;
    QList<Panel> m_panels; // in the order of the names
    CurveLook m_look;
    std::optional<CurvePlot::Range> m_range;
    std::optional<double> m_cursor;
    bool m_hadRoom = false;
};

} // namespace trainyard
