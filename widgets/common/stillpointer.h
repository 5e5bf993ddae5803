// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <chrono>

class QWidget;

namespace trainyard
{

// Whether the pointer rests: it has not been used in the window for a moment, and is not on the given part. Code that
// moves a part of a page automatically waits for that, so that a click does not hit something else.
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
