// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglayout.h"

#include <QObject>

class QKeyEvent;
class QWheelEvent;

namespace trainyard
{

// Which part of a log is in sight: moves the scroll bars of its view, and follows the end until the user scrolls up.
class LogScroll : public QObject
{
    Q_OBJECT
public:
    LogScroll(QAbstractScrollArea *view, LogLayout *layout);

    bool isFollowing() const { return m_following; }
    void setFollowing(bool on);
    void setWrapped(bool on); // what is at the top stays there
    qint64 newLines() const; // since it was last followed
    void noteSeen(); // none is new
    qint64 topLine() const;
    qint64 lastLine() const; // of those that are wholly in sight
    QList<LogLayout::Row> rows() const; // in sight
    QRect lineRect(qint64 line) const; // of its rows in sight, in the viewport; empty: it is not there
    LogPosition positionAt(const QPoint &point) const;
    void showLine(qint64 line); // following ends
    void keepInSight(qint64 line); // scrolls no farther than that needs; following ends
    void showAcross(int begin, int end); // these pixels of a line, with a little of what is before
    void noteWidth(int width); // of a line that was seen: so far it can be scrolled sideways

    void restart(); // the log is another one
    void update(); // after a change of the log, the size or the look of the view
    void forgetWidths(); // after a change of the font
    void scrolled(int dy); // a scroll bar was moved
    bool handleKey(const QKeyEvent *event); // true: it was one to scroll with
    bool handleWheel(QWheelEvent *event); // true: it is done; otherwise the scroll bars do it

Q_SIGNALS:
    void followingChanged(bool on);
    void changed();

private:
    LogLayout::Top top() const;
    bool isAtEnd() const;
    void setTop(LogLayout::Top top);
    void scrollRows(int rows); // of a wrapped log
    QAbstractScrollArea *m_view;
    LogLayout *m_layout;
    bool m_following = true;
    bool m_adjusting = false;
    int m_topRow = 0; // of the line at the top, when wrapped
    qint64 m_seenLines = 0; // how many there were when following ended
    int m_widest = 0; // of the lines that were seen
    int m_wheel = 0; // not yet a row
};

} // namespace trainyard
