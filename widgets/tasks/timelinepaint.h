// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/statepainter.h"
#include "widgets/tasks/timeline.h"

#include <QWidget>

#include <utility>

namespace trainyard
{

// A bar of the timeline. Its pattern alone tells what it is: dashes wait, lines prepare, and each end has its own
// hatch.
void paintTimelineBar(
    QPainter *painter, const QRectF &rect, TimelineBar::Kind kind, StateShape shape, const QPalette &palette);

// What the patterns mean. Where there is no room for all, those that occur in the picture come before the others.
class TimelineLegend : public QWidget
{
    Q_OBJECT
public:
    using Look = std::pair<TimelineBar::Kind, StateShape>;
    explicit TimelineLegend(QWidget *parent = nullptr);
    void setOccurring(const QList<Look> &looks); // of the bars in the picture
    QStringList shown(int width) const; // in the order in which they stand, from the left
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<qsizetype> fitting(int width) const; // places in the list of all
    QList<Look> m_occurring;
};

} // namespace trainyard
