// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/stopdeadlines.h"

#include "engine/backend/clock.h"
#include "engine/pool/tryanswers.h"

#include <QTimer>

#include <chrono>
#include <vector>

namespace trainyard
{

using namespace Qt::StringLiterals;

StopDeadlines::StopDeadlines(const Settings &settings, HostPool &hosts, LiveTries &tries, TryReports &reports)
    : m_settings(settings), m_hosts(hosts), m_live(tries), m_reports(reports)
{
}

void StopDeadlines::begin(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end()) {
        return;
    }
    LiveTry &entry = it->second;
    if (entry.givenUpAt > 0) {
        giveUpIfWished(tryUuid);
        return;
    }
    if (!entry.mayBeThere) { // the host was not asked to launch it, so there is no answer to wait for
        m_reports.fail(tryUuid, {}, pool::codeLost, false);
        return;
    }
    const auto patience = std::chrono::minutes(m_settings.integer(u"stop.forceMinutes"_s));
    const qint64 until = nowMs() + std::chrono::milliseconds(patience).count();
    entry.givenUpAt = until;
    Q_EMIT described(entry.job, std::nullopt);
    QTimer::singleShot(patience, this, [this, tryUuid, until] { giveUpUnlessHeard(tryUuid, until); });
    giveUpIfWished(tryUuid);
}

// The wish may be older than the knowledge that the host is away. Never within the call that brings this.
void StopDeadlines::giveUpIfWished(const QUuid &tryUuid)
{
    const LiveTry &entry = m_live.at(tryUuid);
    const PoolHost *at = m_hosts.find(entry.host);
    if (entry.job->isGivenUp && !(at && at->isLocal())) {
        QTimer::singleShot(0, this, [this, tryUuid, until = entry.givenUpAt] { giveUpUnlessHeard(tryUuid, until); });
    }
}

// It is not "started": its end reports the stop, not a start.
void StopDeadlines::giveUp(const QUuid &tryUuid, const QString &host)
{
    Q_EMIT givesUp(tryUuid);
    m_reports.fail(tryUuid, {u"stop.host-unreachable"_s, {{u"host"_s, host}}}, pool::codeLost, false);
}

bool StopDeadlines::giveUp(ActiveJob &job)
{
    job.isGivenUp = true;
    std::vector<std::pair<QUuid, QString>> away;
    for (const auto &[tryUuid, entry] : m_live) {
        const PoolHost *at = m_hosts.find(entry.host);
        const bool isStopping
            = entry.job == &job && std::holds_alternative<core::Stopping>(job.state.task(entry.task).state);
        if (isStopping && entry.givenUpAt > 0 && (!at || (!at->agent->isOnline() && !at->isLocal()))) {
            away.emplace_back(tryUuid, entry.host);
        }
    }
    for (const auto &[tryUuid, host] : away) {
        giveUp(tryUuid, host);
    }
    return !away.empty();
}

void StopDeadlines::giveUpUnlessHeard(const QUuid &tryUuid, qint64 until)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.givenUpAt != until) {
        return; // the host has answered meanwhile
    }
    LiveTry &entry = it->second;
    const PoolHost *at = m_hosts.find(entry.host);
    const bool isUnreadable = pool::isUnseen(entry.refused.toStdString());
    if (!std::holds_alternative<core::Stopping>(entry.job->state.task(entry.task).state)) {
        entry.givenUpAt = 0;
    } else if (!at || !at->agent->isOnline() || isUnreadable) {
        entry.givenUpAt = 0;
        giveUp(tryUuid, entry.host);
    } else { // it is back just now, and was asked again
        QTimer::singleShot(pool::askAgainAfter, this, [this, tryUuid, until] { giveUpUnlessHeard(tryUuid, until); });
    }
}

} // namespace trainyard
