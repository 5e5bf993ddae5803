// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/heartbeat.h"

#include <utility>

namespace trainyard
{
namespace
{

// The silence after which a heartbeat is requested, as a part of the patience.
constexpr int whileAwaited = 5; // a fifth
constexpr int otherwise = 3; // three times

} // namespace

Heartbeat::Heartbeat(Calls calls, QObject *parent) : QObject(parent), m_calls(std::move(calls))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Heartbeat::look);
}

void Heartbeat::begin(std::chrono::milliseconds patience)
{
    m_patience = patience;
    m_runs = true;
    m_asked = false;
    m_sinceHeard.start();
    m_timer.start(quiet());
}

void Heartbeat::end()
{
    m_runs = false;
    m_timer.stop();
}

void Heartbeat::heard()
{
    m_sinceHeard.start();
    if (m_runs && std::exchange(m_asked, false)) {
        m_timer.start(quiet());
    }
}

void Heartbeat::awaited()
{
    if (m_runs && !m_asked && m_timer.remainingTimeAsDuration() > quiet()) {
        m_timer.start(quiet());
    }
}

std::chrono::milliseconds Heartbeat::quiet() const
{
    return m_calls.isAwaited() ? m_patience / whileAwaited : m_patience * otherwise;
}

void Heartbeat::look()
{
    if (m_asked) {
        // When this timer fires late, this process was held up, and an answer may lie unread.
        if (m_sinceAsked.hasExpired((m_patience + m_patience / 2).count())) {
            m_sinceAsked.start();
            m_timer.start(m_patience);
            return;
        }
        const std::function<void()> missing = m_calls.missing;
        missing(); // this may be gone
        return;
    }
    const std::chrono::milliseconds silent(m_sinceHeard.elapsed());
    if (silent < quiet()) {
        m_timer.start(quiet() - silent);
        return;
    }
    m_asked = true;
    m_sinceAsked.start();
    m_timer.start(m_patience);
    m_calls.ask();
}

} // namespace trainyard
