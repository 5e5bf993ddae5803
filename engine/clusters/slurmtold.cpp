// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "engine/clusters/slurmlimits.h"
#include "engine/clusters/slurmnodes.h"
#include "engine/clusters/slurmquota.h"

#include <algorithm>
#include <utility>

// The texts for users about jobs on a Slurm cluster, and the locations of their files.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype mostNamedNodes = 8;

} // namespace

// For how long the accounts have been needed that do not answer: something of it has left the queue, and has no end
// yet. Below zero: they are not.
qint64 SlurmBackend::accountsMissedMs(const ActiveJob &job) const
{
    if (m_queue.accountsProblem().code.isEmpty()) {
        return -1;
    }
    qint64 longest = -1;
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        if (entry.isEndKnown) {
            continue;
        }
        const auto it = m_allocations.find(entry.allocation);
        const QString id = it == m_allocations.end() ? QString() : it->second->allocation.idOf(entry.position);
        if (!id.isEmpty() && m_queue.known(id).state.isEmpty()) {
            longest = std::max(longest, absentMs(id));
        }
    }
    return longest;
}

// At first they may only be slow. After that, the known part is reported, and that there is no need to wait for the
// rest.
Error SlurmBackend::missedAccounts(qint64 forMs) const
{
    Error why = m_site ? m_site->inItsWords(m_queue.accountsProblem()) : m_queue.accountsProblem();
    if (forMs < m_options.goneMs
        || (why.code != "slurm.silent"_L1 && !why.code.startsWith("slurm.unconfigured"_L1)
            && !why.code.startsWith("slurm.not-runnable"_L1))) {
        return {};
    }
    why.code = u"job.slurm-unaccounted"_s;
    why.args.insert(u"target"_s, m_target.id());
    return why;
}

Error SlurmBackend::waitReason(const ActiveJob &job) const
{
    if (const Error held = heldReason(job); !held.code.isEmpty()) {
        return held;
    }
    if (const Error unread = whyUnread(job); !unread.code.isEmpty()) {
        return unread;
    }
    if (isHeld(job)) { // until the helper is copied
        return {u"wait.slurm-submitting"_s, {{u"target"_s, m_target.id()}}};
    }
    Error preparing; // it has its nodes, and no task runs yet
    Error left; // the queue, and how it ended is not known yet
    for (const QString &folder : m_allocationsOf.of(&job)) {
        const std::unique_ptr<Submission> &submission = m_allocations.at(folder);
        if (!submission->trouble.code.isEmpty()) {
            Error why = submission->trouble;
            if (const qint64 leftMs = submission->retryAt - steadyMs(); submission->retryAt > 0 && leftMs > 0) {
                if (std::exchange(submission->toldRetryAt, submission->retryAt) != submission->retryAt) {
                    submission->toldRetryUtc = nowMs() + leftMs;
                }
                why.args.insert(u"next"_s, submission->toldRetryUtc);
            }
            return withNumbers(why, *submission, {});
        }
        if (m_site && !m_site->isOnline()) {
            return m_site->absence();
        }
        if (submission->allocation.id().isEmpty()) {
            return {u"wait.slurm-submitting"_s, {{u"target"_s, m_target.id()}}};
        }
        const Error taken{
            u"wait.slurm-taken"_s, {{u"target"_s, m_target.id()}, {u"number"_s, submission->allocation.id()}}};
        if (!m_queue.hasAnswered()) {
            return taken;
        }
        if (const Error silence = problem(); !silence.code.isEmpty()) {
            return silence.code == "slurm.login-away"_L1
                ? silence
                : Error{u"wait.slurm-silent"_s, {{u"target"_s, m_target.id()}}};
        }
        const contract::LeadPlan &plan = submission->allocation.plan();
        for (int position = 0; position < (plan.isArray ? int(plan.tasks.size()) : 1); ++position) {
            const QString id = submission->allocation.idOf(position);
            const SlurmQueue::Known known = m_queue.known(id);
            if (known.state.isEmpty() && !m_queue.accountsProblem().code.isEmpty()) {
                const Error missed = missedAccounts(absentMs(id));
                return !missed.code.isEmpty() ? missed : Error{u"wait.slurm-silent"_s, {{u"target"_s, m_target.id()}}};
            }
            if (slurm::hasLeft(known.state, known.wasThere)) {
                const auto entry = m_tries.find(submission->allocation.tryAt(position));
                if (left.code.isEmpty() && entry != m_tries.end() && !entry->second.isEndKnown) {
                    left = {u"wait.slurm-left"_s, {{u"target"_s, m_target.id()}, {u"number"_s, id}}};
                }
                continue;
            }
            if (slurm::phaseOf(known.state) == slurm::Phase::Pending || known.state.isEmpty()) {
                const Error said = slurm::waitReason({id, known.state, {}, known.reason, known.start}, m_target.id());
                Error why = slurm::waitReasonOfLimit(slurm::waitReasonOfTime(said, inputOf(*submission), m_partitions),
                    job.state.policy.timeLimitMs, plan.stopGraceMs);
                if (why.code == "wait.slurm-new"_L1) {
                    return taken;
                }
                if (plan.components > 1) {
                    why = slurm::waitReasonOfComponents(
                        why, inputOf(*submission).layout, slurm::partitionsOf(m_partitions, m_target.options));
                }
                why.args.insert(u"number"_s, id);
                if (const std::optional<slurm::LinePlace> place = m_queue.placeOf(id)) {
                    why.args.insert(u"partition"_s, place->partition);
                    why.args.insert(u"position"_s, place->position);
                    why.args.insert(u"length"_s, place->length);
                }
                return withNumbers(why, *submission, id);
            }
            if (slurm::isSuspended(known.state)) {
                return {u"job.slurm-suspended"_s, {{u"target"_s, m_target.id()}, {u"number"_s, id}}};
            }
            if (known.state == "RUNNING"_L1 && preparing.code.isEmpty()) {
                preparing = preparationOf(*submission, position, known.start);
            }
        }
    }
    return preparing.code.isEmpty() ? left : preparing;
}

// Its components get nodes of their own, and Slurm takes such a job also when there are not enough of them; the same
// with a time that no partition has.
void SlurmBackend::learnNodes(const Submission &submission)
{
    const bool isOfUse = submission.allocation.plan().components > 1 || submission.job->state.policy.timeLimitMs > 0
        || !slurm::timeOption(m_target.options).isEmpty();
    const std::optional<qint64> since = m_nodesAskedAt > 0 ? std::optional(steadyMs() - m_nodesAskedAt) : std::nullopt;
    if (!isOfUse || m_isLearningNodes || !slurm::mayAskPartitions(!m_partitions.isEmpty(), since)) {
        return;
    }
    m_isLearningNodes = true;
    m_nodesAskedAt = steadyMs();
    m_commands.run(u"sinfo"_s, slurm::partitionArguments(),
        [this, folder = submission.allocation.folder()](const SlurmCommands::Answer &answer) {
            m_isLearningNodes = false;
            if (answer.isGood()) {
                m_partitions = slurm::partitionsIn(answer.out);
            }
            if (const auto it = m_allocations.find(folder); it != m_allocations.end()) {
                Q_EMIT described(it->second->job, std::nullopt);
            }
        });
}

// The limit that its reason names, or the words with which it was refused.
Error SlurmBackend::withNumbers(Error why, const Submission &submission, const QString &id) const
{
    const QString words = why.args.value(id.isEmpty() ? u"detail"_s : u"reason"_s).toString();
    if (!slurm::limitNamedBy(words)) {
        return why;
    }
    slurm::LimitedJob job = slurm::untakenJob(inputOf(submission), userAt(m_site));
    job.id = id;
    return slurm::waitReasonOfNumbers(std::move(why), m_queue.limits().numbersOf(job, words));
}

// Between the start that the cluster tells and that of the first task are its Prolog and the login environment.
Error SlurmBackend::preparationOf(Submission &submission, int position, qint64 start) const
{
    Error why{
        u"wait.slurm-preparing"_s, {{u"target"_s, m_target.id()}, {u"number"_s, submission.allocation.idOf(position)}}};
    if (start > 0) {
        why.args.insert(u"began"_s, start * 1000);
    }
    if (const contract::LeadPlaces *places = submission.allocation.places(position)) {
        QStringList nodes; // of an array, the other elements have none here
        for (const contract::LeadPlaces::Place &each : places->tasks) {
            nodes.append(QString::fromStdString(each.node));
        }
        nodes.removeAll(QString());
        nodes.removeDuplicates();
        if (nodes.size() == 1) {
            why.args.insert(u"node"_s, nodes.constFirst());
        } else if (nodes.size() <= mostNamedNodes) {
            why.args.insert(u"nodes"_s, nodes.join(u", "_s));
        }
    }
    return why;
}

bool SlurmBackend::isCopyWaiting(const ActiveJob &job) const
{
    const std::set<QUuid> &tries = m_triesOf.of(&job);
    return m_site
        && std::any_of(tries.begin(), tries.end(), [this](const QUuid &each) { return m_site->lacksRoom(each); });
}

void SlurmBackend::describe(const ActiveJob &job, JobSummary &summary) const
{
    Error unheard = summary.state == State::Stopping ? unheardStop(job) : Error();
    const bool isSought = summary.state == State::Stopping && unheard.code.isEmpty()
        && std::ranges::any_of(
            m_triesOf.of(&job), [this](const QUuid &each) { return m_tries.at(each).soughtSince > 0; });
    unheard = isSought ? whyUnread(job) : unheard;
    if (!unheard.code.isEmpty()) { // whatever it was stopped for
        summary.reason = unheard.code;
        summary.reasonArgs = unheard.args;
        return;
    }
    if (summary.paused && summary.reason == reason::JobPaused::code) {
        summary.reason = u"job.slurm-paused"_s;
        summary.reasonArgs.insert(u"target"_s, m_target.id());
    }
    if (isFinal(summary.state) || !summary.reason.isEmpty()) {
        return;
    }
    Error why;
    if (summary.state == State::Waiting) {
        why = waitReason(job);
    } else if (const Error unread = whyUnread(job); !unread.code.isEmpty()) {
        why = unread;
    } else if (const Error held = heldReason(job); !held.code.isEmpty()) {
        why = held;
    } else if (const Error silence = problem(); !silence.code.isEmpty()) {
        why = silence.code == "slurm.login-away"_L1
            ? Error{u"job.slurm-login-away"_s, {{u"target"_s, m_target.id()}, {u"host"_s, m_site->host()}}}
            : Error{u"job.slurm-silent"_s, {{u"target"_s, m_target.id()}}};
    } else if (isCopyWaiting(job)) {
        why = {u"task.copy-waits"_s, {{u"host"_s, m_site->host()}}};
    } else if (const qint64 missed = accountsMissedMs(job); missed >= 0) {
        why = missedAccounts(missed);
        if (why.code.isEmpty()) {
            why = {u"job.slurm-silent"_s, {{u"target"_s, m_target.id()}}};
        }
    }
    if (why.code.isEmpty()) {
        why = holdUp(job);
    }
    summary.reason = why.code;
    summary.reasonArgs = why.args;
}

void SlurmBackend::describe(const ActiveJob &job, core::TaskRef, TaskInfo &info) const
{
    const int attempt = info.keptFrom.value_or(info.attempt);
    const auto it = m_tries.find(core::tryUuid(job.state.uuid, attempt, info.role, info.index, info.tries));
    if (it == m_tries.end()) {
        info.logFolder = log(job.uuid(), attempt, info.role, info.index, info.tries).folder;
        describeStored(info);
        return;
    }
    const auto submission = m_allocations.find(it->second.allocation);
    if (submission == m_allocations.end()) {
        if (const Error held = heldReason(job); !held.code.isEmpty()) {
            info.reason = held.code;
            info.reasonArgs = held.args;
        }
        return;
    }
    if (const Error why = holdUp(it->second); !why.code.isEmpty() && info.reason.isEmpty()) {
        info.reason = why.code;
        info.reasonArgs = why.args;
    }
    if (const contract::LeadPlaces *places = submission->second->allocation.places(it->second.position)) {
        setPlace(info, {places->tasks[std::size_t(it->second.position)], it->second.gpus.value_or(QList<int>())});
    }
}

QList<int> SlurmBackend::gpusOf(const std::optional<contract::StartedRecord> &started)
{
    return started ? QList<int>(started->gpus.begin(), started->gpus.end()) : QList<int>();
}

// Read once: nothing of it changes any more.
void SlurmBackend::describeStored(TaskInfo &info) const
{
    if (info.host != m_target.id()) {
        return; // it never had a place
    }
    const PlaceThere *place = m_places.object(info.logFolder);
    if (!place) {
        const auto started = contract::readStartedRecord(info.logFolder.toStdString());
        auto *read = new PlaceThere{
            SlurmAllocation::placeOfTry(info.logFolder).value_or(contract::LeadPlaces::Place()), gpusOf(started)};
        m_places.insert(info.logFolder, read);
        place = read;
    }
    setPlace(info, *place);
}

void SlurmBackend::setPlace(TaskInfo &info, const PlaceThere &place) const
{
    if (!place.node.node.empty()) {
        info.host = m_target.id() + u'/' + QString::fromStdString(place.node.node);
        info.address = QString::fromStdString(place.node.address);
    }
    if (!place.gpus.isEmpty()) {
        info.gpus = place.gpus;
    }
}

QStringList SlurmBackend::clusterJobs(const QString &job) const
{
    return SlurmAllocation::submittedIn(foldersOfJob(job).ofJob(job));
}

LogSource SlurmBackend::log(const QString &job, int attempt, const QString &role, int index, int taskTry) const
{
    return {foldersOfJob(job).ofTry(job, attempt, role, index, taskTry)};
}

Result<TaskFolder> SlurmBackend::filesOf(
    const QString &, const QString &logFolder, const StoredDocument &document) const
{
    const QString job = RunFolders(m_options.stateFolder).jobOf(logFolder);
    SlurmLaunches launches(m_target, foldersThere(job), m_settings);
    TaskFolder files{u"local"_s, {}, logFolder, {}};
    if (m_site) {
        launches.setElsewhere(m_site->home(), document.copiesWork ? m_code->place(job, document) : QString());
        files.host = m_site->host();
        files.target = m_site->target();
        files.folder = there(job, logFolder);
    }
    files.work = launches.workOf(document);
    files.isHere = !m_site && !files.work.isEmpty();
    if (files.work.isEmpty()) {
        files.work = files.folder + u"/work"_s;
    }
    return files;
}

} // namespace trainyard
