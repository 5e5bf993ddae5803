// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QStackedLayout;

namespace trainyard
{

class EmptyState;
class TimelineLegend;
class TimelineView;
struct RunStory;

// The timeline of a run with its legend, or why there is none yet. The legend belongs into the row of the tabs; where
// that has no room for all that occurs, it is below the picture instead.
class TimelinePage : public QWidget
{
    Q_OBJECT
public:
    TimelinePage();
    TimelineView *view() const { return m_view; }
    TimelineLegend *legend() const { return m_legend; } // for the row of the tabs
    void setStory(const RunStory &story, qint64 now);
    void placeLegend(); // after that in the row was shown or hidden

Q_SIGNALS:
    void storyWanted(); // again, as it could not be read

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; // of the legend: it has another width

private:
    QStackedLayout *m_pages;
    EmptyState *m_empty;
    TimelineView *m_view;
    TimelineLegend *m_legend;
    TimelineLegend *m_wrappedLegend; // below the picture
};

} // namespace trainyard
