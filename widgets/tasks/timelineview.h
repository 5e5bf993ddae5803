// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/timelinepaint.h"
#include "widgets/tasks/timelinepicture.h"

#include <QAbstractScrollArea>

namespace trainyard
{

// The timeline of a run: a ruler, the attempts of the job, and a row for each task with its tries. Only rows in sight
// are drawn. The wheel zooms (with Ctrl where it has rows to scroll), dragging moves, a double click shows everything;
// by key it is +, -, 0 and the arrows. Large because what is drawn, pointed at and moved by keys is one scale of time.
class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit TimelineView(QWidget *parent = nullptr);
    void setStory(const RunStory &story, qint64 now);
    void tick(qint64 now); // what is not over grows
    void setCurrent(int attempt, const QString &role, int index, int number); // what is shown elsewhere
    bool isEmpty() const { return m_timeline.isEmpty(); }
    QList<TimelineLegend::Look> looks() const; // of its bars, each once
    const Timeline &timeline() const { return m_timeline; }
    const TimeScale &scale() const { return m_scale; }
    QRect rectOf(qsizetype row, qsizetype bar) const; // in the viewport

Q_SIGNALS:
    void tryChosen(int attempt, const QString &role, int index, int number); // by hand
    void attemptChosen(int attempt); // by hand
    void barsChanged();
    void rowsInSightChanged(const QStringList &folders); // of the tries whose bars can be seen

protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void rebuild(qint64 now);
    void fit(); // the scale and the scroll bar to the room
    void setScale(const TimeScale &scale);
    void zoom(double factor, double x);
    void tellRowsInSight();
    int firstRow() const;
    int rowTop(qsizetype row) const
    {
        return TimelinePicture::rowsTop + int(row - firstRow()) * TimelinePicture::rowHeight;
    }
    qsizetype rowAt(int y) const;
    void chooseAt(const QPoint &at);
    void chooseRow(qsizetype row, qsizetype bar);
    QString tipAt(const QPoint &at) const;
    RunStory m_story;
    Timeline m_timeline;
    TimeScale m_scale;
    TimelinePicture::Current m_current;
    int m_labels = 0; // width of the column with the names
    bool m_isWhole = true; // everything is shown, also what comes
    bool m_isDragging = false;
    std::optional<QPoint> m_pressed;
    double m_dragged = 0; // pixels
};

} // namespace trainyard
