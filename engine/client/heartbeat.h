// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace trainyard
{

// Watches whether the other end of a connection still lives. After a silence it is asked for a heartbeat: soon while an
// answer is awaited, and rarely otherwise. Anything that it sends counts as one. So an answer may take any time, and a
// peer that is gone is noticed nevertheless.
class Heartbeat : public QObject
{
    Q_OBJECT
public:
    struct Calls {
        std::function<void()> ask; // for a heartbeat
        std::function<void()> missing; // none came: called once, until something arrives again. May delete this
        std::function<bool()> isAwaited; // an answer is awaited
    };
    explicit Heartbeat(Calls calls, QObject *parent = nullptr);

    // Watches from now on; `patience` is how long a heartbeat may take.
    void begin(std::chrono::milliseconds patience);
    void end();
    void heard();
    void awaited(); // an answer is awaited from now on

private:
    void look();
    std::chrono::milliseconds quiet() const;

    Calls m_calls;
    QTimer m_timer;
    QElapsedTimer m_sinceHeard, m_sinceAsked;
    std::chrono::milliseconds m_patience{0};
    bool m_runs = false;
    bool m_asked = false;
};

} // namespace trainyard
