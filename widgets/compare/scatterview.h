// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compareruns.h"
#include "widgets/compare/valuescale.h"

#include <QWidget>

namespace trainyard
{

// The ranking metric of each run by one of its parameters: a point for each run, hollow while the run goes on. Drawn
// runs have their colours. A click chooses a run.
// Large because points, the words beside them and the axes share their room.
class ScatterView : public QWidget
{
    Q_OBJECT
public:
    explicit ScatterView(CompareRuns *runs, QWidget *parent = nullptr);

    void setParameter(const QString &name); // empty, or one that does not differ: the one with the most values
    QString parameter() const { return m_fact < 0 ? QString() : m_names.at(m_fact); }
    const QStringList &parameters() const { return m_names; } // that differ, seeds among them
    void setCurrent(qsizetype run); // is marked, or the best one of its row while runs are folded
    qsizetype marked() const;
    std::optional<QPointF> pointOf(qsizetype run) const; // in pixels
    QRectF labelOf(qsizetype run) const; // in pixels, when it is marked; over as few other points as possible
    // How many of the shown runs have no point, because they have no result or one that is not a finite number.
    qsizetype withoutPoint() const;
    qsizetype withoutPointYet() const; // those of them that have not ended and may get one
    // Which of the shown runs have a result and no point, because they lack the parameter of the axis.
    QList<qsizetype> withoutParameter() const;
    // The values that the axis of the parameter names at this width: all texts where there is room, elided where they
    // are long, and else as many as can be read, that of the best run among them.
    QStringList axisTexts() const;
    // What the axes say about values far from all others, which are not drawn to scale.
    QStringList beyondTexts() const;
    bool hasPicture() const { return m_fact >= 0; }
    void paintOn(QPainter *painter, const QRect &area, const QPalette &ink) const; // without what only a user marks

    QSize sizeHint() const override { return {400, 220}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void updated(); // other points than before
    void chosen(qsizetype run);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    struct AxisLabel {
        double place = 0;
        QString text;
        qreal room = 0; // for the text
    };
    QList<AxisLabel> axisLabels(const QRectF &plot) const;
    QList<AxisLabel> numberLabels(const QRectF &plot) const;
    bool lacksPoint(qsizetype run) const;
    void update(); // what it shows
    qsizetype runAt(const QPointF &at) const; // -1: none is near
    static QString beyondText(const ValueScale &scale, const QStringList &values, bool isHigh);
    void paintBeyond(QPainter *painter, const QRectF &plot, const QRect &area, const QPalette &ink) const;
    void paintRun(QPainter *painter, qsizetype run, const QPointF &at, const QPalette &ink) const;
    void paintMarks(QPainter *painter) const;
    QRectF plotArea(const QRect &area) const;
    std::optional<QPointF> placeOf(qsizetype run, const QRectF &plot) const;
    QString labelText(qsizetype run) const;
    QRectF labelPlace(qsizetype run, qreal width, const QRect &area) const;

    CompareRuns *m_runs;
    QStringList m_names;
    QList<QStringList> m_values; // of each name
    QStringList m_results; // of each run; empty: none
    qsizetype m_fact = -1;
    QString m_wanted;
    ValueScale m_across, m_up;
    qsizetype m_current = -1, m_hovered = -1;
};

} // namespace trainyard
