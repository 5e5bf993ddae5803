// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/groupreasons.h"

#include "engine/api/reasons.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 patienceMs = 1000;

bool isCopying(const QString &code) { return code.endsWith(".copying"_L1) || code == "data.reading"_L1; }

// Equal for jobs with the same reason; empty: it is not told. How far a copy is changes all the time.
QString sharedReason(const JobSummary &job)
{
    if (isFinal(job.state) || job.paused) {
        return {};
    }
    QJsonObject args = job.reasonArgs;
    if (const auto hosts = reason::as<reason::WaitHosts>(job.reason, args)) {
        return hosts->what == "away"_L1 ? QString(job.reason + u' ' + hosts->away.join(u' ')) : QString();
    }
    if (!isCopying(job.reason) && job.reason != reason::WaitHost::code && job.reason != "job.host-out-of-reach"_L1
        && job.reason != "job.host-connecting"_L1) {
        return {};
    }
    for (const QLatin1StringView changing : {"bytes"_L1, "ofBytes"_L1, "since"_L1}) {
        args.remove(changing);
    }
    return job.reason + u' ' + QString::fromUtf8(QJsonDocument(args).toJson(QJsonDocument::Compact));
}

} // namespace

QList<GroupReasons::Told> GroupReasons::toTell(const QList<JobSummary> &jobs, qint64 nowMs)
{
    QHash<QString, Told> now;
    QStringList order;
    for (const JobSummary &job : jobs) {
        const QString shared = sharedReason(job);
        if (shared.isEmpty()) {
            continue;
        }
        if (const auto known = now.find(shared); known != now.end()) {
            ++known->others;
        } else {
            now.insert(shared, {job, 0});
            order.append(shared);
        }
    }
    // A host that was back may be lost again. Every job of a sweep may copy the same folder, which is reported once.
    const auto isOver = [&now](const QString &shared) { return !now.contains(shared); };
    m_told.removeIf([&](const QString &shared) { return isOver(shared) && !isCopying(shared.section(u' ', 0, 0)); });
    m_since.removeIf([&](const QHash<QString, qint64>::iterator &each) {
        return isOver(each.key()) && !m_told.contains(each.key());
    });
    QList<Told> told;
    for (const QString &shared : std::as_const(order)) {
        if (!m_since.contains(shared)) {
            m_since.insert(shared, nowMs);
        }
        if (!m_told.contains(shared) && nowMs - m_since.value(shared) >= patienceMs) {
            m_told.insert(shared);
            told.append(now.value(shared));
        }
    }
    return told;
}

} // namespace trainyard::cli
