// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/plot/curveexport.h"
#include "widgets/plot/curveplot.h"

#include <QPointer>

namespace trainyard
{

class CurveChooser;
class CurveControls;
class CursorCard;
class CurvePanel;
class CurveSaving;
class CurveStore;
class ElidedLabel;
class EmptyState;
class InfoBar;
class MomentCard;
class MomentSteps;
class PlotGrid;
class TrainingClock;

// The curves of a run: the tasks and metrics to choose from, and a plot for each chosen metric. All plots show the same
// range and the same moment. It reads the output only while it is in sight.
// Large because the moment, the range and the keys of one plot are those of all.
class CurvesView : public QWidget
{
    Q_OBJECT
public:
    explicit CurvesView(QWidget *parent = nullptr);
    // All of the attempt shown, and the tries whose curves they go on with, in any order.
    void setTasks(const QList<TaskInfo> &tasks, const QList<TaskInfo> &tries = {});
    void setHealth(const QList<HealthMark> &marks); // of the job: those of curves are shown on them
    CurveControls *controls() const { return m_controls; } // axis, smoothing; for the row of tabs
    CurveSaving *saving() const { return m_saving; }
    CurveStore *store() const { return m_store; }
    QList<CurvePlot *> plots() const;
    void setMoment(std::optional<qint64> time); // marks it in all plots (ms UTC)
    void dropTimes(); // the stretch of time that was chosen is given up: no plot marks it any longer
    void setMomentLines(const QStringList &lines); // of the log, at the moment that was chosen
    void offerPatterns() { m_offersPatterns = true; } // a receiver answers patternsRequested()
    void setCurrentTask(const QString &name); // "worker/0": a click where lines lie on each other means its line
    void setPinned(const QStringList &names); // metrics that come first and are shown in every run that has them

Q_SIGNALS:
    // "worker/0", ms UTC; in which try of the attempt shown, from 0. None: it was in another attempt.
    void momentChosen(const QString &task, qint64 time, double value, std::optional<int> tryNumber);
    // ms UTC, with Shift; of a task, and in which of its tries they end, as above.
    void timesChosen(qint64 from, qint64 to, const QString &task, std::optional<int> tryNumber);
    void timesDropped(); // by hand
    void wantsRoom(); // it is shown for the first time and has something to show
    void pinnedChanged(const QStringList &names); // by hand
    void patternsRequested(); // to name metrics that are not recognized in the output

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void resetTasks();
    void updateEmptyState();
    CurvePanel *makePanel(const QString &name);
    void updatePlots();
    void refresh();
    void updateTitles();
    void updateHeads();
    void chooseMoment(const CurvePanel &panel, const CurveLine &line, const series::Point &drawn);
    void setChosen();
    void chooseTimes(const CurvePanel &panel, qint64 from, qint64 to);
    std::optional<TryBegin> tryOf(int task, const QString &name, qint64 time) const; // none: there is but one
    std::optional<int> shownNumber(int task, const std::optional<TryBegin> &of) const; // in the attempt shown
    std::optional<double> valueBeside(
        int task, const QString &chosen, const series::Point &point, const QString &name) const;
    void setRange(const std::optional<CurvePlot::Range> &range);
    void setCursor(CurvePanel *under, std::optional<double> place);
    void applyLook();
    QList<CurveMark> marksOf(const QString &name) const;
    std::optional<double> stepOf(const HealthMark &mark) const;
    QList<CurveLine> linesOf(const QString &name, CurveAlong along) const;
    int taskOf(const CurveLine &line) const;
    stepclock::Series clockOf(const CurvePanel &panel) const;
    QList<CurveGroup> groups() const;
    void showMenu(CurvePlot *plot, const QPoint &at);

    CurveStore *m_store;
    TrainingClock *m_clock;
    CurveControls *m_controls;
    CurveChooser *m_chooser;
    InfoBar *m_bar;
    ElidedLabel *m_notice; // about values in files that do not count
    EmptyState *m_empty;
    QWidget *m_body;
    PlotGrid *m_grid;
    MomentCard *m_card;
    CursorCard *m_values; // at the cursor
    MomentSteps *m_steps;
    CurveSaving *m_saving;
    std::optional<qint64> m_moment;
    std::optional<CurvePlot::Times> m_times;
    std::optional<CurvePlot::Range> m_chosen; // where that is along, while the axis is the one that it was chosen on
    QList<HealthMark> m_health;
    QString m_currentTask;
    QList<CurvePanel *> m_panels; // in the order of the names
    CurveLook m_look;
    std::optional<CurvePlot::Range> m_range;
    QPointer<CurvePanel> m_under; // the pointer; its card has its values
    std::optional<double> m_cursor; // along, where a value is
    // The card of the cursor, until the pointer comes back, or until the chosen time for which it went is given up.
    bool m_isDismissed = false;
    bool m_hadRoom = false;
    bool m_isOver = false; // all tasks have ended
    bool m_offersPatterns = false;
};

} // namespace trainyard
