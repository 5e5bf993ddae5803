// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/pendingremovals.h"

#include <utility>

namespace trainyard
{

PendingRemovals::PendingRemovals(std::chrono::milliseconds grace, QObject *parent) : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(grace);
    connect(&m_timer, &QTimer::timeout, this, &PendingRemovals::flush);
}

void PendingRemovals::add(const QStringList &uuids)
{
    for (const QString &uuid : uuids) {
        if (!m_waiting.contains(uuid) && !m_sent.contains(uuid)) {
            m_waiting.append(uuid);
        }
    }
    if (!m_waiting.isEmpty()) {
        m_timer.start();
    }
    Q_EMIT changed();
}

void PendingRemovals::undo()
{
    m_timer.stop();
    m_waiting.clear();
    Q_EMIT changed();
}

void PendingRemovals::undoOf(const QString &uuid)
{
    if (m_waiting.removeAll(uuid) > 0) {
        Q_EMIT changed();
    }
}

void PendingRemovals::flush()
{
    m_timer.stop();
    const QStringList now = std::exchange(m_waiting, {});
    if (now.isEmpty()) {
        return;
    }
    m_sent += QSet<QString>(now.cbegin(), now.cend());
    Q_EMIT changed();
    Q_EMIT due(now);
}

void PendingRemovals::settled(const QString &uuid)
{
    if (m_sent.remove(uuid) || m_waiting.removeAll(uuid) > 0) {
        Q_EMIT changed();
    }
}

QSet<QString> PendingRemovals::hidden() const { return m_sent + QSet<QString>(m_waiting.cbegin(), m_waiting.cend()); }

} // namespace trainyard
