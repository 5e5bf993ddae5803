// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBasicTimer>
#include <QObject>

class QAbstractScrollArea;
class QMouseEvent;

namespace trainyard
{

class LogScroll;
class LogSelection;

// Selecting in a log with the mouse. Beyond the upper or the lower edge the log is scrolled meanwhile.
class LogMouse : public QObject
{
    Q_OBJECT
public:
    LogMouse(QAbstractScrollArea *view, const LogScroll *scroll, LogSelection *selection);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; // of the viewport
    void timerEvent(QTimerEvent *event) override;

private:
    void press(const QMouseEvent *event);
    void move(const QMouseEvent *event);
    void release();
    QAbstractScrollArea *m_view;
    const LogScroll *m_scroll;
    LogSelection *m_selection;
    bool m_selecting = false;
    QBasicTimer m_beyond; // runs while the pointer is there
};

} // namespace trainyard
