// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <chrono>

class QWidget;

namespace trainyard
{

// Whether the pointer rests. What moves a part of a page by itself waits for that, so that no click that is on its way
// meets something else: nothing is done with the pointer in the window for a moment, and it is not on that part.
class StillPointer : public QObject
{
    Q_OBJECT
public:
    explicit StillPointer(QWidget *part, std::chrono::milliseconds moment = std::chrono::milliseconds(1000));
    bool isStill() const;
    void wait(); // rested() follows, at once where the pointer rests

Q_SIGNALS:
    void rested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    const QWidget *m_part;
    std::chrono::milliseconds m_moment;
    QElapsedTimer m_moved;
    QTimer m_next;
};

} // namespace trainyard
