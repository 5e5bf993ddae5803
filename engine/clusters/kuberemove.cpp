// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/kubebackend.h"
#include "model/base/shellquote.h"
#include "model/export/jobset.h"

// How what a Kubernetes cluster was asked to take is deleted there: the JobSet, and what its manifest has made beside
// it.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// A call whose answer was lost may still come to the cluster: an API server gives up what it has begun after a minute,
// and so does a proxy before it.
constexpr qint64 lateCallMs = 120'000;
constexpr qint64 kindMissingMs = 10'000; // the cluster has said for so long that it has no JobSets

} // namespace

void KubeBackend::stop(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid)
{
    if (core::tryUuid(job.state, task) != tryUuid) {
        return;
    }
    LiveTask &entry = enter(job, task);
    if (!attach(entry, tryUuid)) {
        if (isUnseen(entry)) {
            seek(entry);
            return;
        }
        end(entry, tryUuid, {kube::codeLost, {}, {}, {}}); // its result is fixed
        return;
    }
    SetState &set = m_sets.at(entry.set);
    set.isForced = set.isForced || job.killNow;
    unwant(set);
}

void KubeBackend::stopUnwritten(ActiveJob &job)
{
    for (auto &[name, set] : m_sets) {
        if (set.job == &job) {
            unwant(set);
        }
    }
}

void KubeBackend::unwant(SetState &set)
{
    set.isUnwanted = true;
    set.retryAt = 0;
    removeAtCluster(set);
    m_timer.start();
}

// All that the manifest has made. Also when it is not known whether it was taken: what is not there is not missed.
void KubeBackend::removeAtCluster(SetState &set)
{
    if (!set.isNoted && !set.isAsking) {
        endUnsent(set);
        return;
    }
    const QString name = set.entry.name;
    const bool isMore = set.isForced && !set.isForceAsked;
    if (set.isAsking || (set.isDeleted && !isMore)) {
        if (set.isKindMissing) {
            dropIfOver(name); // no answer tells what is left of it
        }
        return; // it is asked as soon as it is known whether there is something to delete
    }
    set.isAsking = true;
    set.retryAt = 0;
    const bool isForced = set.isForced;
    remove(QStringList{u"jobset.jobset.x-k8s.io/"_s + name} + besides(name),
        [this, name, isForced](const kube::Answer &answer) {
            const bool isKindMissing = kube::meaningOf(answer) == kube::Meaning::NoJobSet;
            if (const auto it = m_sets.find(name); it != m_sets.end() && !isKindMissing) {
                it->second.kindMissingSince = 0;
                if (answer.out.contains(QByteArray("jobset.jobset.x-k8s.io \"" + name.toUtf8() + "\" deleted"))) {
                    it->second.lostAt = 0; // the call whose answer was lost had come to the cluster
                }
            }
            if (isKindMissing) {
                removeBeside(name, isForced);
            } else if (!isForced || !answer.isGood()) {
                removed(name, isForced, answer);
            } else {
                // Pods have their grace period from the manifest, whatever the JobSet is deleted with.
                remove({u"pods"_s, u"--selector=jobset.sigs.k8s.io/jobset-name="_s + name, u"--grace-period=1"_s},
                    [this, name](const kube::Answer &ofPods) { removed(name, true, ofPods); });
            }
        });
}

QStringList KubeBackend::besides(const QString &name)
{
    return {u"configmap/"_s + jobSetScriptName(name), u"secret/"_s + jobSetSecretName(name)};
}

void KubeBackend::remove(const QStringList &objects, const KubeCommands::Then &then)
{
    m_commands.run(
        arguments(QStringList{u"delete"_s} + objects + QStringList{u"--ignore-not-found"_s, u"--wait=false"_s}), {},
        then);
}

// The cluster has no JobSets at all, and kubectl deletes nothing when it does not know one of the kinds. Such an answer
// may also be that of a server that has just been started: it is believed when it stays so, and no pod is there.
void KubeBackend::removeBeside(const QString &name, bool isForced)
{
    remove(besides(name), [this, name, isForced](const kube::Answer &answer) {
        if (!answer.isGood()) {
            removed(name, isForced, answer);
            return;
        }
        m_commands.run(arguments({u"get"_s, u"pods"_s, u"--selector=jobset.sigs.k8s.io/jobset-name="_s + name,
                           u"--output=name"_s}),
            {}, [this, name, isForced](const kube::Answer &pods) {
                const auto it = m_sets.find(name);
                if (it == m_sets.end()) {
                    return;
                }
                SetState &set = it->second;
                const qint64 now = steadyMs();
                set.kindMissingSince = set.kindMissingSince == 0 ? now : set.kindMissingSince;
                const bool isSure
                    = now - set.kindMissingSince >= kindMissingMs || (set.isRefused && !set.isApplied); // never taken
                if (pods.isGood() && (!isSure || !pods.out.trimmed().isEmpty())) {
                    set.isAsking = false;
                    later(set,
                        {kube::codeOf(kube::Meaning::NoJobSet),
                            {{u"target"_s, m_target.id()}, {u"detail"_s, QString()}}});
                    return;
                }
                if (pods.isGood()) {
                    set.isKindMissing = true;
                    set.lostAt = 0; // a call that comes late makes none either
                }
                removed(name, isForced, pods);
            });
    });
}

void KubeBackend::removed(const QString &name, bool isForced, const kube::Answer &answer)
{
    SetState *found = answered(name);
    if (!found) {
        return;
    }
    SetState &set = *found;
    const kube::Meaning meaning = kube::meaningOf(answer);
    const bool isGone = meaning == kube::Meaning::Good || meaning == kube::Meaning::NotFound
        || meaning == kube::Meaning::NoNamespace
        || (set.isRefused && !set.isApplied && kube::isFinal(meaning)); // it was never taken
    if (!isGone) {
        later(
            set, {kube::codeOf(meaning), {{u"target"_s, m_target.id()}, {u"detail"_s, kube::detailOf(answer.errors)}}});
        return;
    }
    set.isDeleted = true;
    set.isForceAsked = isForced;
    set.trouble = {};
    set.knownAt = steadyMs();
    askSoon();
    if (set.isForced && !isForced) {
        removeAtCluster(set);
        return;
    }
    if (set.isKindMissing) {
        endGone(set);
    }
    dropIfOver(name);
}

// Nothing of it is at the cluster any more.
void KubeBackend::endGone(const SetState &set)
{
    const kube::Set none;
    const QList<KubeEntry::Task> tasks = set.entry.tasks;
    for (const KubeEntry::Task &each : tasks) {
        if (LiveTask *entry = live(each.tryUuid); entry && !entry->end) {
            end(*entry, each.tryUuid, kube::resultOfGone(none, entry->isStarted, m_target.id()));
        }
    }
}

// The cluster has certainly not got it.
void KubeBackend::endUnsent(SetState &set)
{
    set.isDeleted = true;
    const QString name = set.entry.name;
    const QList<KubeEntry::Task> tasks = set.entry.tasks;
    for (const KubeEntry::Task &each : tasks) {
        if (LiveTask *entry = live(each.tryUuid)) {
            end(*entry, each.tryUuid, {kube::codeLost, {}, {}, {}}); // its result is fixed
        }
    }
    dropIfOver(name);
}

// It is to end, and the cluster does not answer.
bool KubeBackend::isUnheard(const SetState &set) const
{
    const bool isAnswer = set.trouble.code.isEmpty() || set.trouble.code == "wait.kubernetes-quota"_L1;
    return set.isUnwanted && (!isAnswer || !m_problem.code.isEmpty());
}

Error KubeBackend::unheardStop(const ActiveJob &job) const
{
    for (const auto &[name, set] : m_sets) {
        if (set.job == &job && isUnheard(set)) {
            QJsonObject args{{u"target"_s, m_target.id()}};
            const Error &why = set.trouble.code.isEmpty() ? m_problem : set.trouble;
            args.insert(u"detail"_s, why.args.value("detail"_L1));
            return {set.isApplied ? u"stop.target-silent"_s : u"stop.target-unsure"_s, args};
        }
    }
    return {};
}

bool KubeBackend::giveUp(ActiveJob &job)
{
    bool isAny = giveUpSought(job);
    for (const auto &[name, set] : m_sets) {
        if (set.job != &job || !isUnheard(set)) {
            continue;
        }
        QByteArray look = "kubectl"; // for a shell
        const QStringList words = arguments({u"get"_s, u"jobset"_s, name});
        for (const QString &word : words) {
            look += ' ' + shellQuote(word.toUtf8());
        }
        for (const KubeEntry::Task &each : set.entry.tasks) {
            LiveTask *entry = live(each.tryUuid);
            if (!entry || entry->isEndKnown
                || !std::holds_alternative<core::Stopping>(job.state.task(entry->task).state)) {
                continue;
            }
            entry->isEndKnown = isAny = true;
            post(job,
                core::event::TryEnded{entry->task, each.tryUuid,
                    {kube::codeLost, {}, u"stop.given-up"_s,
                        {{u"target"_s, m_target.id()}, {u"look"_s, QString::fromUtf8(look)}}},
                    0, nowMs(), false});
        }
    }
    return isAny;
}

// Nothing of it is wanted, and nothing of it is there, nor can it come.
void KubeBackend::dropIfOver(const QString &name)
{
    const auto it = m_sets.find(name);
    if (it == m_sets.end() || !it->second.isDeleted || it->second.tries > 0 || it->second.isAsking
        || (it->second.lostAt > 0 && steadyMs() < it->second.lostAt + lateCallMs)) {
        return;
    }
    m_book.remove(name);
    m_sets.erase(it);
    m_seen.remove(name);
    if (m_sets.empty()) {
        m_place.reset();
    }
    tellIfIdle();
}

} // namespace trainyard
