// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/kubebackend.h"
#include "engine/launch/launchplan.h"

#include <QFile>
#include <QSet>

#include <algorithm>

// Follows the pods by the answers of the cluster. A missing answer changes nothing.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 mostPodPauseMs = 60'000;
constexpr qint64 stopPauseMs = 2000;
// How long a pod may be missing before it counts as lost: when its set is over, other pods of it are reported first;
// while its set continues, the cluster has to confirm it.
constexpr qint64 afterSetMs = 15'000, withinSetMs = 120'000;

} // namespace

void KubeBackend::tick()
{
    const qint64 now = steadyMs();
    bool isSomethingThere = false;
    lookForSought();
    for (auto &[name, set] : m_sets) {
        if (set.tries <= 0 && !set.isUnwanted) {
            unwant(set); // of a former run of the engine, and no longer wanted
        }
        if (set.retryAt > 0 && now >= set.retryAt && !set.isAsking) {
            set.retryAt = 0;
            advance(set);
        }
        isSomethingThere = isSomethingThere || set.isApplied || set.isUnwanted || !set.trouble.code.isEmpty();
    }
    if (isSomethingThere && !m_isAsking && now >= m_askAt) {
        ask();
    }
    readLogs();
    if (m_tries.empty() && m_sets.empty() && m_unread == 0) {
        m_timer.stop();
    }
}

// One question for all that this engine has there.
void KubeBackend::ask()
{
    m_isAsking = true;
    m_commands.run(arguments({u"get"_s, u"jobsets.jobset.x-k8s.io,pods"_s,
                       QString(u"--selector="_s + kube::engineLabel + u'=' + m_engine), u"--output=json"_s}),
        {}, [this, askedAt = steadyMs()](const kube::Answer &answer) { heard(answer, askedAt); });
    m_askAt = steadyMs() + mostPodPauseMs; // askSoon() meanwhile asks again
}

void KubeBackend::heard(const kube::Answer &answer, qint64 askedAt)
{
    m_isAsking = false;
    const qint64 poll = m_settings.integer(u"clusters.pollSeconds"_s) * 1000;
    const bool isWantedAgain = m_askAt == 0;
    const kube::Meaning meaning = kube::meaningOf(answer);
    const std::optional<QMap<QString, kube::Set>> sets
        = meaning == kube::Meaning::Good ? kube::setsOf(answer.out) : std::nullopt;
    Error problem;
    if (!sets) {
        problem = {meaning == kube::Meaning::Good ? u"kubernetes.silent"_s : kube::codeOf(meaning),
            {{u"target"_s, m_target.id()}, {u"detail"_s, kube::detailOf(answer.errors)}}};
    }
    const bool isChanged = problem.code != m_problem.code || (sets && *sets != m_seen);
    m_problem = problem;
    m_pauseMs = isChanged || m_pauseMs == 0 ? poll : std::min(std::max(poll, mostPodPauseMs), m_pauseMs * 3 / 2);
    if (sets) {
        m_seen = *sets;
        m_hasAnswered = true;
        std::vector<QString> names;
        for (const auto &each : m_sets) {
            names.push_back(each.first);
        }
        for (const QString &name : names) {
            if (const auto it = m_sets.find(name); it != m_sets.end()) {
                lookAt(it->second, askedAt);
            }
        }
    }
    qint64 pause = m_pauseMs;
    for (const auto &[name, set] : m_sets) {
        pause = set.isUnwanted && (set.tries > 0 || !set.isDeleted) ? std::min(pause, stopPauseMs) : pause;
    }
    m_askAt = isWantedAgain || m_askAt == 0 ? 0 : steadyMs() + pause;
    if (isChanged) {
        std::set<ActiveJob *> jobs;
        for (const auto &[name, set] : m_sets) {
            if (set.job) {
                jobs.insert(set.job);
            }
        }
        for (ActiveJob *job : jobs) {
            Q_EMIT described(job, std::nullopt);
        }
        Q_EMIT infoChanged();
    }
}

void KubeBackend::lookAt(SetState &set, qint64 askedAt)
{
    const QString name = set.entry.name;
    const auto found = m_seen.constFind(name);
    const kube::Set *seen = found == m_seen.cend() ? nullptr : &*found;
    const bool isSure = askedAt > set.knownAt && !set.isAsking;
    if (seen && !seen->isDeleting && (!set.isApplied || (set.isDeleted && isSure))) {
        set.lostAt = 0; // the call whose answer was lost has come to the cluster
    }
    if (seen && !seen->isDeleting && !set.isApplied) {
        taken(set);
    }
    if (set.isDeleted && seen && !seen->isDeleting && isSure) { // it came late
        set.isDeleted = false;
        removeAtCluster(set);
    }
    if (!seen && isSure && set.isApplied && !set.isUnwanted) {
        missing(set);
        return;
    }
    const bool isGone = set.isUnwanted && set.isDeleted && isSure;
    const QList<KubeEntry::Task> tasks = set.entry.tasks;
    for (const KubeEntry::Task &each : tasks) {
        LiveTask *entry = live(each.tryUuid);
        if (!entry || entry->isEndKnown || entry->end) {
            continue;
        }
        const kube::Pod *pod = seen ? seen->pod(each.job, each.number) : nullptr;
        if (pod || !isGone) {
            lookAtTask(*entry, each.tryUuid, set, seen);
        } else {
            const kube::Set none;
            end(*entry, each.tryUuid, kube::resultOfGone(none, entry->isStarted, m_target.id()));
        }
    }
    if (isGone && !seen) {
        dropIfOver(name);
    }
}

void KubeBackend::lookAtTask(LiveTask &entry, const QUuid &tryUuid, SetState &set, const kube::Set *seen)
{
    const KubeEntry::Task &task = set.entry.tasks.at(entry.position);
    if (const kube::Pod *pod = seen ? seen->pod(task.job, task.number) : nullptr) {
        entry.absence.reset();
        if (entry.pod != pod->name || entry.node != pod->node || entry.address != pod->address) {
            entry.pod = pod->name;
            entry.node = pod->node;
            entry.address = pod->address;
            Q_EMIT described(entry.job, entry.task);
        }
        if (kube::hasBegun(*pod) && !entry.isStarted) {
            entry.isStarted = true;
            post(*entry.job, core::event::TryStarted{entry.task, tryUuid, {pod->uid, 0, 0}, pod->started});
        }
        if (std::optional<kube::PodEnd> end = kube::endOf(*pod, m_target.id())) {
            entry.end = std::move(end);
            entry.readAt = 0;
            entry.vainReads = 0;
        }
        return;
    }
    const std::optional<contract::ExitRecord> record = contract::readExitRecord(entry.folder.toStdString());
    if (record && record->kind != contract::ExitKind::Lost) { // seen by a former run of the engine
        entry.end = kube::PodEnd{*record, std::nullopt};
        return;
    }
    const bool hadPod = entry.isStarted || !entry.pod.isEmpty();
    if (!seen || set.isUnwanted || (!hadPod && !seen->isFailed && !seen->isCompleted)) {
        return; // it waits for its pod, or is asked to end
    }
    const qint64 goneMs = entry.absence.say(steadyMs(), m_pauseMs);
    const bool isOver = seen->isFailed || seen->isCompleted;
    const qint64 patience = seen->isSuspended ? 0 : isOver ? afterSetMs : withinSetMs;
    const bool isAnotherFirst = std::any_of(m_tries.begin(), m_tries.end(), [&entry](const auto &each) {
        return each.second.set == entry.set && each.second.end && !each.second.isEndKnown;
    });
    if (goneMs < patience || isAnotherFirst) {
        return;
    }
    const bool isSuspended = seen->isSuspended;
    end(entry, tryUuid, kube::resultOfGone(*seen, entry.isStarted, m_target.id()));
    if (isSuspended) { // it would start again there, and the engine tries again by itself
        unwant(set);
    }
}

void KubeBackend::askByName(
    const QString &name, const std::function<void(SetState &set, std::optional<bool> isThere)> &then)
{
    m_commands.run(
        arguments({u"get"_s, u"jobset.jobset.x-k8s.io/"_s + name, u"--ignore-not-found"_s, u"--output=name"_s}), {},
        [this, name, then](const kube::Answer &answer) {
            const kube::Meaning meaning = kube::meaningOf(answer);
            const bool isSaid = meaning == kube::Meaning::Good || meaning == kube::Meaning::NotFound;
            if (const auto it = m_sets.find(name); it != m_sets.end()) {
                then(it->second,
                    isSaid ? std::optional(meaning == kube::Meaning::Good && !answer.out.trimmed().isEmpty())
                           : std::nullopt);
            }
        });
}

// The list lacks it. That is believed when the cluster says so of its name, too.
void KubeBackend::missing(SetState &set)
{
    if (set.isDoubted) {
        return;
    }
    set.isDoubted = true;
    askByName(set.entry.name, [this](SetState &asked, std::optional<bool> isThere) {
        asked.isDoubted = false;
        if (isThere == false && !asked.isUnwanted) {
            deletedThere(asked);
        }
    });
}

// It was deleted by another user, so the job is stopped instead of a task failing. For separate tasks, only that one is
// stopped if others continue.
void KubeBackend::deletedThere(SetState &set)
{
    ActiveJob *job = set.job;
    const QString name = set.entry.name;
    const bool isAlone = job && std::any_of(m_tries.begin(), m_tries.end(), [&](const auto &each) {
        return each.second.job == job && each.second.set != name && !each.second.isEndKnown;
    });
    const Error why{isAlone ? u"kubernetes.deleted-task"_s : u"kubernetes.deleted"_s, {{u"target"_s, m_target.id()}}};
    bool isOpen = false;
    const QList<KubeEntry::Task> tasks = set.entry.tasks;
    for (const KubeEntry::Task &each : tasks) {
        const LiveTask *entry = live(each.tryUuid);
        isOpen = isOpen || (entry && !entry->isEndKnown && !entry->end);
    }
    if (job && isOpen && !isAlone && !job->state.stopRequested) {
        post(*job, core::event::StopRequested{why});
    }
    for (const KubeEntry::Task &each : tasks) {
        if (LiveTask *entry = live(each.tryUuid); entry && !entry->end) {
            end(*entry, each.tryUuid, {kube::codeStopped, {}, why.code, why.args});
        }
    }
    if (const auto it = m_sets.find(name); it != m_sets.end()) {
        unwant(it->second); // what was made beside it may still be there
    }
}

// Why nothing of the job is visible. Problems that a user can fix are reported as they are; otherwise the cluster
// counts as silent.
Error KubeBackend::unseenReason(bool isRunning) const
{
    static const QSet<QString> said{u"kubernetes.forbidden"_s, u"kubernetes.no-context"_s, u"kubernetes.no-kubectl"_s,
        u"kubernetes.no-namespace"_s, u"kubernetes.unauthorized"_s, u"kubernetes.unconfigured"_s};
    if (m_problem.code == "kubernetes.no-jobset"_L1) {
        return isRunning ? Error{u"job.kubernetes-no-jobset"_s, m_problem.args} : m_problem;
    }
    if (said.contains(m_problem.code)) {
        return m_problem;
    }
    return {isRunning ? u"job.kubernetes-silent"_s : u"wait.kubernetes-silent"_s, m_problem.args};
}

Error KubeBackend::reasonNow(const SetState &set) const
{
    if (!set.trouble.code.isEmpty()) {
        return set.trouble;
    }
    if (!m_problem.code.isEmpty()) {
        return unseenReason(false);
    }
    const auto seen = m_seen.constFind(set.entry.name);
    if (!set.isApplied || seen == m_seen.cend()) {
        return {u"wait.kubernetes-new"_s, {{u"target"_s, m_target.id()}}};
    }
    for (const KubeEntry::Task &task : set.entry.tasks) {
        const Error why = kube::waitReason(*seen, seen->pod(task.job, task.number), m_target.id());
        if (!why.code.isEmpty()) {
            return why;
        }
    }
    return {};
}

} // namespace trainyard
