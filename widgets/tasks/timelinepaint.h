// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/statepainter.h"
#include "widgets/tasks/timeline.h"

#include <QWidget>

namespace trainyard
{

// A bar of the timeline. Its pattern alone tells what it is: dashes wait, lines prepare, and each end has its own
// hatch.
void paintTimelineBar(
    QPainter *painter, const QRectF &rect, TimelineBar::Kind kind, StateShape shape, const QPalette &palette);

// What the patterns mean.
class TimelineLegend : public QWidget
{
    Q_OBJECT
public:
    explicit TimelineLegend(QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace trainyard
