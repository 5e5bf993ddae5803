// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/kubebackend.h"

#include <algorithm>
#include <cstring>

// What was handed over in former runs of the engine, as their notes have it. While one of these cannot be read, a try
// that no other one has may be in it, and may run.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 bookEveryMs = 1000;

} // namespace

void KubeBackend::readBook()
{
    const KubeBook::Notes notes = m_book.read();
    m_bookAt = steadyMs();
    m_unread = notes.error;
    for (const KubeEntry &entry : notes.entries) {
        if (m_sets.contains(entry.name)) {
            continue; // it is known better than it was written down
        }
        SetState &set = m_sets[entry.name];
        set.entry = entry;
        set.isApplied = entry.isTaken;
        m_place = m_place.value_or(QStringList()).isEmpty() ? entry.place : *m_place;
        set.isNoted = set.isInDoubt = true;
        set.lostAt = entry.isTaken ? 0 : steadyMs(); // the former run of the engine may have ended before the answer
    }
}

void KubeBackend::seek(LiveTask &entry)
{
    entry.isSought = true;
    m_timer.start();
    Q_EMIT described(entry.job, std::nullopt);
}

Error KubeBackend::whyUnread(const ActiveJob &job) const
{
    const bool isSought = std::any_of(m_tries.begin(), m_tries.end(), [&job](const auto &each) {
        return each.second.job == &job && each.second.isSought && !each.second.isEndKnown;
    });
    return isSought ? Error{u"kubernetes.book-unread"_s,
               {{u"target"_s, m_target.id()}, {u"folder"_s, m_book.folder()},
                   {u"message"_s, QString::fromLocal8Bit(std::strerror(m_unread))}}}
                    : Error();
}

// Those that are found are taken up, also before the core has asked for them: a set without a try is deleted. When all
// notes are read, the others are in none of them.
void KubeBackend::lookForSought()
{
    if (m_unread == 0 || steadyMs() < m_bookAt + bookEveryMs) {
        return;
    }
    readBook();
    std::vector<JobEffect> again;
    for (auto &[tryUuid, entry] : m_tries) {
        const bool isFound = entry.isResumed && attach(entry, tryUuid);
        if (!entry.isSought || entry.isEndKnown || (!isFound && m_unread != 0)) {
            continue;
        }
        entry.isSought = false;
        Q_EMIT described(entry.job, std::nullopt);
        if (core::tryUuid(entry.job->state, entry.task) != tryUuid) {
            continue;
        }
        const core::TaskState &state = entry.job->state.task(entry.task).state;
        if (std::holds_alternative<core::Stopping>(state)) {
            again.push_back({entry.job, core::effect::StopTry{entry.task, tryUuid}});
        } else if (std::holds_alternative<core::Running>(state)) {
            again.push_back({entry.job, core::effect::ObserveTry{entry.task, tryUuid}});
        } else if (std::holds_alternative<core::Launching>(state)) {
            again.push_back({entry.job, core::effect::LaunchTry{entry.task, tryUuid}});
        }
    }
    perform(again);
}

bool KubeBackend::giveUpSought(ActiveJob &job)
{
    bool isAny = false;
    for (auto &[tryUuid, entry] : m_tries) {
        if (entry.job != &job || !entry.isSought || entry.isEndKnown
            || !std::holds_alternative<core::Stopping>(job.state.task(entry.task).state)) {
            continue;
        }
        entry.isEndKnown = isAny = true;
        post(job,
            core::event::TryEnded{entry.task, tryUuid,
                {kube::codeLost, {}, u"stop.given-up"_s,
                    {{u"target"_s, m_target.id()}, {u"look"_s, u"kubectl get jobsets"_s}}},
                0, nowMs(), false});
    }
    return isAny;
}

} // namespace trainyard
