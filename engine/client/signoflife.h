// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace trainyard
{

// Whether the other end of a connection still lives. After a silence it is asked for a sign of life, soon when somebody
// waits for an answer and rarely otherwise; whatever it says is one. So an answer may take as long as it takes, and one
// who does not come back is found all the same.
class SignOfLife : public QObject
{
    Q_OBJECT
public:
    struct Calls {
        std::function<void()> ask; // for a sign of life
        std::function<void()> missing; // none came: told once, until something is heard again. May delete this
        std::function<bool()> isAwaited; // somebody waits for an answer
    };
    explicit SignOfLife(Calls calls, QObject *parent = nullptr);

    // From now on; `patience` is how long a sign may take that was asked for.
    void begin(std::chrono::milliseconds patience);
    void end();
    void heard();
    void awaited(); // somebody waits for an answer from now on

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
