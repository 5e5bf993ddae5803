// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/logfollower.h"

#include <QPointer>

namespace trainyard
{
namespace
{

constexpr int busyMs = 50;
constexpr int quietMs = 250;
constexpr qint64 chunk = 256 << 10;
constexpr int chunksPerTurn = 8; // then the event loop has its turn: a log of gigabytes must not freeze a window

} // namespace

LogFollower::LogFollower(const QString &folder, QObject *parent) : QObject(parent), m_reader(folder), m_interval(busyMs)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
}

void LogFollower::start(qint64 offset)
{
    m_offset = offset;
    m_finished = false;
    m_interval = busyMs;
    m_timer.start(0);
}

void LogFollower::stop() { m_timer.stop(); }

void LogFollower::look()
{
    // Asked before reading: once the record is there, everything is.
    const bool complete = m_reader.isComplete();
    const QPointer<LogFollower> self(this);
    bool grew = false;
    for (int i = 0; i < chunksPerTurn; ++i) {
        const QByteArray bytes = m_reader.read(m_offset, chunk);
        if (const qint64 kept = bytes.isEmpty() ? m_reader.keptFrom(m_offset) : m_offset; kept > m_offset) {
            const qint64 from = std::exchange(m_offset, kept);
            m_timer.start(0);
            Q_EMIT skipped(from, kept);
            if (!self || !m_timer.isActive()) {
                return;
            }
            continue;
        }
        if (bytes.isEmpty()) {
            if (complete) {
                m_timer.stop(); // started for what came before
                m_finished = true;
                Q_EMIT finished();
                return;
            }
            m_interval = grew ? busyMs : std::min(quietMs, m_interval + m_interval / 2);
            m_timer.start(m_interval);
            return;
        }
        grew = true;
        const qint64 at = m_offset;
        m_offset += bytes.size();
        m_timer.start(0); // a slot may stop us: then the timer is not active below
        Q_EMIT grown(at, bytes);
        if (!self || !m_timer.isActive()) {
            return;
        }
    }
    m_interval = busyMs;
    m_timer.start(0);
}

} // namespace trainyard
