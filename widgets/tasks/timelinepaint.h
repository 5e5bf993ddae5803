// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/statepainter.h"
#include "widgets/tasks/timeline.h"

#include <QWidget>

#include <utility>

namespace trainyard
{

// A bar of the timeline. Its pattern alone shows its kind: dashes mean waiting, lines mean preparing, and each end has
// its own hatch.
void paintTimelineBar(
    QPainter *painter, const QRectF &rect, TimelineBar::Kind kind, StateShape shape, const QPalette &palette);

// The legend of the patterns. In a single line without room for all, those that occur in the picture come first; with
// several lines, there are only those.
class TimelineLegend : public QWidget
{
    Q_OBJECT
public:
    using Look = std::pair<TimelineBar::Kind, StateShape>;
    enum class Form { Line, Wrapped };
    explicit TimelineLegend(Form form = Form::Line, QWidget *parent = nullptr);
    void setOccurring(const QList<Look> &looks); // of the bars in the picture
    QStringList shown(int width) const; // in their order from the left
    bool tellsAllThatOccur(int width) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool occurs(qsizetype place) const;
    QList<qsizetype> fitting(int width) const; // places in the list of all
    QList<QPoint> wrapped(int width) const; // where those that occur are
    QList<qsizetype> occurring() const;
    void paintEntry(QPainter *painter, qsizetype place, int x, int y) const;
    int lineHeight() const { return fontMetrics().height() + 2; }
    Form m_form;
    QList<Look> m_occurring;
};

} // namespace trainyard
