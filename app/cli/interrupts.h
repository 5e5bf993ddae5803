// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace trainyard::cli
{

// While one lives, Ctrl+C (and TERM and HUP) do not end the program, and are kept for the next Interrupts. A command
// that has begun what it cannot take back has one before it can answer them. There may be several.
class KeptInterrupts
{
public:
    KeptInterrupts();
    ~KeptInterrupts();
    KeptInterrupts(const KeptInterrupts &) = delete;
    KeptInterrupts &operator=(const KeptInterrupts &) = delete;

    static bool arePending(); // pressed, and no Interrupts has reported it yet
    static std::unique_ptr<QSocketNotifier> notifier(); // of the first that is pending; does not take it
};

// Turns Ctrl+C (and TERM and HUP) into an event, also one that was kept before: while an object lives, they do not end
// the program. Only one at a time.
class Interrupts : public QObject
{
    Q_OBJECT
public:
    explicit Interrupts(QObject *parent = nullptr);
    int count() const { return m_count; }

Q_SIGNALS:
    void pressed(int count);

private:
    KeptInterrupts m_kept;
    std::unique_ptr<QSocketNotifier> m_notifier;
    int m_count = 0;
};

} // namespace trainyard::cli
