// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/kubebackend.h"
#include "engine/launch/launchplan.h"
#include "model/base/utf8.h"
#include "model/export/jobset.h"

#include <algorithm>

// How a Kubernetes cluster is asked to take a JobSet, once however often it is said.
namespace trainyard
{

using namespace Qt::StringLiterals;

QStringList KubeBackend::arguments(const QStringList &of) const
{
    return m_target.options + m_place.value_or(QStringList()) + of;
}

void KubeBackend::launch(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    std::vector<core::TaskRef> fresh;
    for (const core::TaskRef task : tasks) {
        const QUuid tryUuid = core::tryUuid(job.state, task);
        LiveTask &entry = enter(job, task);
        if (attach(entry, tryUuid)) {
            advance(m_sets.at(entry.set));
        } else if (isUnseen(entry)) { // it may have been handed over
            seek(entry);
        } else {
            fresh.push_back(task);
        }
    }
    if (job.state.policy.gang && !fresh.empty()) {
        makeSet(job, fresh);
        return;
    }
    for (const core::TaskRef task : fresh) {
        makeSet(job, {task}); // what becomes of one is nothing to the others
    }
}

void KubeBackend::makeSet(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    std::vector<core::TaskRef> sorted = tasks;
    std::sort(sorted.begin(), sorted.end());
    SetState fresh;
    fresh.job = &job;
    fresh.entry.name = kubeSetName(core::tryUuid(job.state, sorted.front()));
    fresh.entry.job = job.uuid();
    for (const core::TaskRef task : sorted) {
        fresh.entry.tasks.append({core::tryUuid(job.state, task), {}, 0});
    }
    const QString name = fresh.entry.name;
    SetState &set = m_sets[name] = std::move(fresh);
    for (const core::TaskRef task : sorted) {
        attach(enter(job, task), core::tryUuid(job.state, task));
    }
    QList<KubeEntry::Task> named;
    const Result<QByteArray> manifest = manifestOf(set, false, &named);
    if (!manifest) {
        refuse(set, manifest.error());
        return;
    }
    set.entry.tasks = named;
    m_timer.start();
    advance(set);
}

Result<QByteArray> KubeBackend::manifestOf(const SetState &set, bool withSecrets, QList<KubeEntry::Task> *tasks) const
{
    const ActiveJob &job = *set.job;
    if (!job.spec) {
        return tl::unexpected<Error>(job.specError);
    }
    JobSetRequest request;
    request.name = set.entry.name;
    request.labels = {{u"app.kubernetes.io/managed-by"_s, u"trainyard"_s}, {QString(kube::engineLabel), m_engine},
        {QString(kube::jobLabel), job.uuid()}};
    request.queue = m_target.queue;
    request.jobId = job.uuid();
    request.attempt = job.state.attempt();
    request.withSecrets = withSecrets;
    for (const KubeEntry::Task &each : set.entry.tasks) {
        const auto it = m_tries.find(each.tryUuid);
        if (it == m_tries.end()) {
            return fail(u"kubernetes.gone"_s, {{u"target"_s, m_target.id()}});
        }
        const QString role = job.state.roleName(it->second.task);
        const auto found = std::find_if(job.spec->taskRoles.cbegin(), job.spec->taskRoles.cend(),
            [&role](const TaskRole &one) { return one.name == role; });
        if (found == job.spec->taskRoles.cend()) {
            return fail(u"job.role-missing"_s, {{u"role"_s, role}});
        }
        request.tasks.append({found - job.spec->taskRoles.cbegin(), it->second.task.index});
    }
    const Result<JobSetManifest> manifest = jobSetManifest(*job.spec, request);
    if (!manifest) {
        return tl::unexpected<Error>(manifest.error());
    }
    for (qsizetype i = 0; tasks && i < manifest->parts.size(); ++i) {
        tasks->append({set.entry.tasks.at(i).tryUuid, manifest->parts.at(i).job, int(manifest->parts.at(i).number)});
    }
    return manifest->text;
}

void KubeBackend::advance(SetState &set)
{
    if (set.isUnwanted) {
        removeAtCluster(set);
    } else if (!set.isApplied && !set.isAsking && !set.isRefused && set.retryAt == 0) {
        apply(set);
    }
    m_timer.start();
}

// The set that an answer of kubectl is about, which no question is open for any more. Null: it is over.
KubeBackend::SetState *KubeBackend::answered(const QString &name)
{
    const auto it = m_sets.find(name);
    if (it == m_sets.end()) {
        return nullptr;
    }
    it->second.isAsking = false;
    return &it->second;
}

// The context and namespace that kubectl uses if the options of the target do not name them: they may change at any
// time, and another cluster or namespace would report that it has none of these jobs.
void KubeBackend::findPlace(const QString &name)
{
    m_sets.at(name).isAsking = true;
    m_commands.run(m_target.options + kube::placeArguments(), {}, [this, name](const kube::Answer &answer) {
        const bool isHeard = answer.kind == kube::Answer::Kind::Done;
        if (!m_place && isHeard) {
            m_place = answer.isGood() ? kube::placeOf(m_target.options, answer.out) : QStringList();
        }
        SetState *set = answered(name);
        if (!set) {
            return;
        }
        if (set->isUnwanted) {
            removeAtCluster(*set);
        } else if (isHeard) {
            apply(*set);
        } else {
            later(*set,
                {answer.kind == kube::Answer::Kind::Missing ? kube::codeOf(kube::Meaning::Missing)
                                                            : u"wait.kubernetes-silent"_s,
                    {{u"target"_s, m_target.id()}, {u"detail"_s, kube::detailOf(answer.errors)}}});
        }
    });
}

void KubeBackend::apply(SetState &set)
{
    const QString name = set.entry.name;
    set.retryAt = 0;
    if (!m_target.problem.code.isEmpty()) { // since it was accepted
        Error problem = m_target.problem;
        problem.args.insert(u"target"_s, m_target.id());
        refuse(set, problem);
        return;
    }
    const Result<QByteArray> manifest = manifestOf(set, true, nullptr);
    if (!manifest) {
        refuse(set, manifest.error());
        return;
    }
    if (!m_place) {
        findPlace(name);
        return;
    }
    if (!set.isNoted || set.entry.place != *m_place) {
        set.entry.place = *m_place;
        const Result<void> written = m_book.write(set.entry);
        if (!written && !set.isNoted) {
            later(set, written.error()); // a disk that is full now
            return;
        } // otherwise another run of the engine uses kubectl's choice at that time
        set.isNoted = true;
    }
    set.isAsking = true;
    m_commands.run(arguments({u"apply"_s, u"-f"_s, u"-"_s}), *manifest,
        [this, name](const kube::Answer &answer) { applied(name, answer); });
}

// It may repeat what it does not understand, with the values of secrets: they are hidden before it is cut.
QString KubeBackend::detailOfRefusal(const SetState &set, const QByteArray &errors)
{
    if (!set.job || !set.job->spec) {
        return {};
    }
    const contract::Secrets secrets(utf8Of(launch::secretValues(*set.job->spec)));
    return kube::detailOf(QByteArray::fromStdString(contract::masked(secrets, errors.toStdString())));
}

void KubeBackend::applied(const QString &name, const kube::Answer &answer)
{
    SetState *found = answered(name);
    if (!found) {
        return;
    }
    SetState &set = *found;
    const kube::Meaning meaning = kube::meaningOf(answer);
    // An earlier one whose answer was lost stays in the book, because the cluster may have it nevertheless.
    const bool isBeforeCall = kube::isBeforeCall(answer);
    if (isBeforeCall && !set.isApplied && !set.isInDoubt) {
        m_book.remove(name);
        set.isNoted = false;
        if (std::none_of(m_sets.cbegin(), m_sets.cend(), [](const auto &each) { return each.second.isNoted; })) {
            m_place.reset(); // no job is anywhere: kubectl may have turned to a cluster that answers
        }
    } else {
        set.isInDoubt = true;
        set.lostAt = meaning == kube::Meaning::Silent && !isBeforeCall ? steadyMs() : set.lostAt;
    }
    if (meaning == kube::Meaning::Good) {
        taken(set);
        set.knownAt = steadyMs();
        if (set.job) {
            Q_EMIT described(set.job, std::nullopt);
        }
        askSoon();
    }
    if (set.isUnwanted) {
        removeAtCluster(set);
        return;
    }
    if (meaning == kube::Meaning::Good) {
        return;
    }
    const QJsonObject args{{u"target"_s, m_target.id()}, {u"detail"_s, detailOfRefusal(set, answer.errors)}};
    if (kube::isFinal(meaning) && !kube::isOfAnyServer(answer)) {
        refuse(set, {kube::codeOf(meaning), args});
    } else {
        later(set,
            {meaning == kube::Meaning::Silent         ? u"wait.kubernetes-silent"_s
                    : meaning == kube::Meaning::Quota ? u"wait.kubernetes-quota"_s
                                                      : kube::codeOf(meaning),
                args});
    }
}

// With growing pauses: a cluster that does not take it is not asked more and more.
void KubeBackend::later(SetState &set, const Error &why)
{
    constexpr qint64 firstPauseMs = 2000, mostPauseMs = 300'000;
    set.retryAt = steadyMs() + std::min(mostPauseMs, firstPauseMs << std::min(set.refusals++, 8));
    set.trouble = why;
    if (set.job) {
        Q_EMIT described(set.job, std::nullopt);
    }
}

void KubeBackend::taken(SetState &set)
{
    set.isApplied = true;
    set.trouble = {};
    set.refusals = 0;
    set.retryAt = 0;
    set.entry.isTaken = true;
    (void)m_book.write(set.entry); // without it, it is applied again
}

// It is refused, or cannot be made again. If an earlier answer was lost, the cluster may have it nevertheless.
void KubeBackend::refuse(SetState &set, const Error &why)
{
    if (set.lostAt == 0 || set.isApplied || set.isUnwanted) {
        refuseNow(set, why);
        return;
    }
    set.isAsking = true;
    askByName(set.entry.name, [this, why](SetState &asked, std::optional<bool> isThere) {
        asked.isAsking = false;
        if (asked.isUnwanted) {
            removeAtCluster(asked);
        } else if (!isThere) {
            later(asked, {u"wait.kubernetes-silent"_s, why.args});
        } else if (*isThere) {
            taken(asked);
            askSoon();
        } else {
            refuseNow(asked, why);
        }
    });
}

void KubeBackend::refuseNow(SetState &set, const Error &why)
{
    set.isRefused = true;
    const QList<KubeEntry::Task> tasks = set.entry.tasks;
    for (const KubeEntry::Task &each : tasks) {
        if (LiveTask *entry = live(each.tryUuid)) {
            end(*entry, each.tryUuid, {kube::codeRefused, {}, why.code, why.args});
        }
    }
}

} // namespace trainyard
