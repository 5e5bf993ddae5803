// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compareruns.h"
#include "widgets/compare/valuescale.h"

#include <QPixmap>
#include <QWidget>

namespace trainyard
{

// Parallel coordinates: an axis for each parameter that differs, but for seeds, and for the ranking metric, a line for
// each run.
// Dragging along an axis brushes it: only runs within all brushes are let through, here and in the table. A click on an
// axis, or a double click anywhere, takes brushes away. A click on a line chooses its run. Large because what is drawn
// is also what is hit, brushed and read out: each of these asks where axes, lines and words are.
class ParallelView : public QWidget
{
    Q_OBJECT
public:
    explicit ParallelView(CompareRuns *runs, QWidget *parent = nullptr);

    void setBestOnly(int count); // lets only so many of the best through; 0: all
    void setCurrent(qsizetype run);
    void clearBrushes();
    qsizetype axisCount() const { return m_axes.size(); }
    QString axisName(qsizetype axis) const { return m_axes.at(axis).name; }
    const QStringList &seeds() const { return m_seeds; } // those that differ and have no axis
    void brush(qsizetype axis, double from, double to); // positions, 0 to 1; as by the mouse
    QRect axisRect(qsizetype axis) const;
    bool hasPicture() const { return m_axes.size() >= 2; }
    void paintOn(QPainter *painter, const QPalette &ink) const; // as large as the view, without what only a user marks
    QRectF labelRect(qsizetype axis, double position) const; // the room for the label beside the axis there

    QSize sizeHint() const override { return {500, 320}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

Q_SIGNALS:
    void updated(); // other axes or places than before
    void chosen(qsizetype run);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Axis {
        QString name;
        ValueScale scale;
        QList<std::optional<double>> positions; // of the runs
        std::optional<std::pair<double, double>> brush;
    };
    void rebuild();
    void applyBrushes();
    void forgetPicture();
    qreal xOf(qsizetype axis) const;
    qreal yOf(double position) const;
    double positionAt(qreal y) const;
    qsizetype axisAt(qreal x) const; // -1: none is near
    qsizetype runAt(const QPointF &at) const;
    QPolygonF lineOf(qsizetype run) const;
    void paintLines(QPainter *painter, const QPalette &ink) const;
    void paintAxes(QPainter *painter, const QPalette &ink) const;

    CompareRuns *m_runs;
    QList<Axis> m_axes;
    QStringList m_seeds;
    int m_bestOnly = 0;
    qsizetype m_current = -1;
    qsizetype m_pressedAxis = -1;
    QPointF m_pressed;
    QPixmap m_lines; // drawn once, whatever the pointer does
};

} // namespace trainyard
