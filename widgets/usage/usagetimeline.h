// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/usage/usagerows.h"

#include <QHash>
#include <QWidget>

namespace trainyard
{

// All GPUs over days, one below the other: the task that had each, and the gaps in which it was free. A host
// without GPUs has as many rows as tasks ran on it at once; many of them are folded until a click on the fold, or the
// space bar, shows them. Ctrl and the wheel zooms, dragging pans, a double click shows everything, a click opens the
// job. Large because it draws, and takes the mouse and the keys.
class UsageTimeline : public QWidget
{
    Q_OBJECT
public:
    explicit UsageTimeline(QWidget *parent = nullptr);
    void setUsage(const QList<UsageSpan> &spans, qint64 from, qint64 to); // all that there is to see
    void setBy(UsageBy by); // what the colours distinguish
    void setHostLabels(const QHash<QString, QString> &labels);
    const QList<UsageLane> &lanes() const { return m_lanes; }
    const QList<UsageRow> &rows() const { return m_rows; }
    std::pair<qint64, qint64> shown() const { return {m_from, m_to}; } // UTC ms
    int colourOf(const QString &key) const; // 0 to 7
    QString keyOf(const UsageSpan &span) const;
    QString tipAt(const QPoint &at) const; // empty: nothing is there
    QString labelOf(qsizetype lane) const; // empty: it is one more of the host of the lane above

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

Q_SIGNALS:
    void jobRequested(const QString &uuid);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    int bodyWidth() const;
    double xOf(qint64 time) const;
    qint64 timeAt(double x) const;
    const UsageRow *rowAt(const QPoint &at) const;
    const UsageSpan *spanAt(const QPoint &at) const;
    void setUnfolded(const QSet<QString> &hosts);
    void toggleFolds();
    void zoom(double factor, qint64 around);
    void show(qint64 from, qint64 to);
    void paintAxis(QPainter &painter) const;
    void paintLane(QPainter &painter, qsizetype lane, const QRect &row) const;
    void paintFold(QPainter &painter, const UsageRow &fold, const QRect &row) const;

    QList<UsageSpan> m_spans;
    QList<UsageLane> m_lanes;
    QList<UsageRow> m_rows;
    QSet<QString> m_unfolded; // hosts
    QHash<QString, qsizetype> m_placeOfKey; // by how much each has: asked for with each bar that is drawn
    QHash<QString, QString> m_hostLabels;
    UsageBy m_by = UsageBy::Name;
    qint64 m_first = 0, m_last = 0; // all that there is
    qint64 m_from = 0, m_to = 0; // in sight
    std::optional<QPoint> m_pressed;
    qint64 m_pressedFrom = 0;
    bool m_dragged = false;
};

} // namespace trainyard
