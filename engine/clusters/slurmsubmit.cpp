// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "engine/clusters/slurmnodes.h"
#include "engine/clusters/slurmrefusal.h"

#include <algorithm>
#include <utility>

// Submits an allocation to a Slurm cluster, exactly once.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1StringView nameHead{"ty-"}; // of the names of jobs at the cluster

} // namespace

QString SlurmBackend::nameAtCluster(const core::JobState &job) { return nameHead + job.meta.runName; }

QString SlurmBackend::nameAtCluster(const Submission &submission)
{
    const ActiveJob &job = *submission.job;
    return submission.allocation.array() ? nameHead + job.listed.group : nameAtCluster(job.state);
}

slurm::JobMark SlurmBackend::markOf(const ActiveJob &job, const SlurmAllocation &allocation)
{
    slurm::JobMark mark{{nameAtCluster(job.state)}, allocation.comments()};
    if (mark.comments.size() > 1) { // it is, or was, in an array
        mark.names.append(nameHead + job.listed.group);
    }
    return mark;
}

void SlurmBackend::advance(Submission &submission)
{
    if (!submission.allocation.id().isEmpty()) {
        m_queue.follow(submission.allocation.id(), markOf(submission));
        learnNodes(submission);
    } else if (!submission.isAsking && !submission.isRefused && submission.retryAt == 0) {
        submit(submission);
    }
}

void SlurmBackend::submit(Submission &submission)
{
    const QString folder = submission.allocation.folder();
    submission.retryAt = 0;
    if (!submission.allocation.wasSent()) {
        if (isAllStopped(submission)) {
            endStopped(submission);
            return;
        }
        if (!isWritten(submission)) {
            return;
        }
        const QString arrayKey = arrayKeyOf(submission);
        const bool isForArray = !arrayKey.isEmpty(); // which is paused as a whole
        if (!isForArray && isPaused(submission)) {
            return;
        }
        if (!submission.parcel.empty()) {
            deliver(submission);
            return;
        }
        if (isForArray) {
            m_hold.add(arrayKey, folder, steadyMs()); // look() goes on with it
            return;
        }
        submission.isAsking = true;
        send(folder);
        return;
    }
    // The answer was lost, with an engine or on the way: the cluster may have it.
    if (const QString id = submission.allocation.idOfLead(); !id.isEmpty()) {
        accepted(submission, id);
        return;
    }
    if (const auto &array = submission.allocation.array()) { // all of it are looked for by one question
        m_hold.add(array->name, folder, steadyMs());
        return;
    }
    if (isPaused(submission)) {
        return;
    }
    submission.isAsking = true;
    m_queue.find(nameAtCluster(submission), submission.allocation.comment(), submission.allocation.sentAt(),
        [this, folder, mark = markOf(submission)](const std::optional<QString> &id) {
            const auto it = m_allocations.find(folder);
            if (it == m_allocations.end()) { // it was given up meanwhile
                if (id && !id->isEmpty()) {
                    endUnwanted({{}, {*id}, mark});
                }
                return;
            }
            Submission &asked = *it->second;
            asked.isAsking = false;
            if (!id) {
                submitLater(asked, {u"wait.slurm-silent"_s, {{u"target"_s, m_target.id()}}});
            } else if (!id->isEmpty()) {
                accepted(asked, *id);
            } else if (isAllStopped(asked)) {
                endStopped(asked);
            } else {
                asked.isAsking = true;
                send(folder);
            }
        });
}

// The files for its lead. If they cannot be written now, for example on a full disk, the cluster is not asked yet.
bool SlurmBackend::isWritten(Submission &submission)
{
    if (submission.launches.empty()) {
        return true;
    }
    const Result<void> written = submission.allocation.write(submission.script, submission.launches);
    if (written) {
        submission.launches.clear();
        submission.script.clear();
        submission.refusals = 0;
        if (!std::exchange(submission.trouble, {}).code.isEmpty()) {
            Q_EMIT described(submission.job, std::nullopt);
        }
        return true;
    }
    submission.allocation.removeLaunches();
    if (SlurmAllocation::mayWriteLater(written.error())) {
        QJsonObject args = written.error().args;
        args.insert(u"target"_s, m_target.id());
        waitWith(submission, {u"wait.slurm-folder"_s, args});
    } else {
        refuseForGood(submission, written.error(), slurm::codeNotStarted);
    }
    return false;
}

// The cluster has refused the ones before. One that is to be stopped has to know whether it is there.
bool SlurmBackend::isPaused(Submission &submission)
{
    if (!submission.stopped.empty() || m_pause.mayTry(steadyMs())) {
        return false;
    }
    submission.retryAt = m_pause.until();
    submission.trouble = m_refusal;
    Q_EMIT described(submission.job, std::nullopt);
    return true;
}

void SlurmBackend::send(const QString &folder)
{
    Submission &submission = *m_allocations.at(folder);
    const SlurmAllocation &allocation = submission.allocation;
    if (const Result<void> noted = allocation.noteSent(); !noted) {
        submission.isAsking = false;
        submitLater(submission, noted.error());
        return;
    }
    QStringList arguments
        = slurm::submitArguments(inputOf(submission), nameAtCluster(submission), allocation.comment());
    arguments.append(there(submission.job->uuid(), allocation.scriptFile()));
    m_commands.run(u"sbatch"_s, arguments,
        [this, folder, mark = markOf(submission)](const SlurmCommands::Answer &answer) { sent(folder, mark, answer); });
}

void SlurmBackend::sent(const QString &folder, const slurm::JobMark &mark, const SlurmCommands::Answer &answer)
{
    const auto it = m_allocations.find(folder);
    const QString id = answer.isGood() ? slurm::submittedId(answer.out) : QString();
    if (it == m_allocations.end()) {
        if (!id.isEmpty()) {
            endUnwanted({{}, {id}, mark});
        }
        return;
    }
    Submission &submission = *it->second;
    submission.isAsking = false;
    if (!id.isEmpty()) {
        accepted(submission, id);
        return;
    }
    // Each submission begins when it is certain that the cluster does not have it. So it is after one that did not come
    // as far as that.
    if (isCertainlyNotSent(answer)) {
        submission.allocation.forgetSent();
        if (isAllStopped(submission)) {
            endStopped(submission);
            return;
        }
    }
    const QString why = slurm::refusal(answer.errors);
    const QJsonObject args = refusalArgs(why);
    if (answer.kind == SlurmCommands::Answer::Kind::Missing) {
        const Error missing{u"slurm.no-commands"_s, args};
        submitLater(submission, m_site ? m_site->inItsWords(missing) : missing);
        return;
    }
    const bool isLate = answer.kind == SlurmCommands::Answer::Kind::TimedOut;
    const slurm::Refusal refusal = slurm::refusalOf(isLate ? -1 : answer.status, why);
    if (splitRefused(submission, refusal, {slurm::waitAfter(refusal, answer.errors, m_site != nullptr), args})) {
        return; // the submission is gone
    }
    if (!slurm::isFinal(refusal, submission.refusals + 1, isAnyTaken())) {
        submitLater(submission, {slurm::waitAfter(refusal, answer.errors, m_site != nullptr), args});
        return;
    }
    refused({folder}, args);
}

// The refusal of a job that is too large for the nodes says how large these are, and one by a limit what that is.
void SlurmBackend::refused(const QStringList &folders, const QJsonObject &args)
{
    const auto refuseAll = [this, folders](const QJsonObject &why, const QJsonObject &most) {
        for (const QString &folder : folders) {
            const auto it = m_allocations.find(folder);
            if (it == m_allocations.end()) { // it was given up meanwhile
                continue;
            }
            it->second->isAsking = false;
            refuseForGood(
                *it->second, slurm::refusalBySize(why, inputOf(*it->second).layout, most), slurm::codeRefused);
        }
    };
    const QString detail = args.value("detail"_L1).toString();
    const bool isOfLimit = slurm::limitNamedBy(detail).has_value() && !folders.isEmpty();
    if (!slurm::isOfNodes(detail) && !isOfLimit) {
        refuseAll(args, {});
        return;
    }
    for (const QString &folder : folders) {
        m_allocations.at(folder)->isAsking = true;
    }
    if (isOfLimit) {
        const slurm::LimitedJob job
            = slurm::untakenJob(inputOf(*m_allocations.at(folders.constFirst())), userAt(m_site));
        m_queue.limits().find(job, detail, [refuseAll, args](const QJsonObject &numbers) {
            QJsonObject all = args;
            if (!numbers.isEmpty()) {
                all.insert(u"numbers"_s, numbers);
            }
            refuseAll(all, {});
        });
        return;
    }
    m_commands.run(
        u"sinfo"_s, slurm::partitionArguments(), [this, refuseAll, args](const SlurmCommands::Answer &answer) {
            const QJsonArray all = answer.isGood() ? slurm::partitionsIn(answer.out) : QJsonArray();
            refuseAll(args, slurm::largestOf(slurm::partitionsOf(all, m_target.options)));
        });
}

bool SlurmBackend::isCertainlyNotSent(const SlurmCommands::Answer &answer)
{
    using Kind = SlurmCommands::Answer::Kind;
    return answer.kind == Kind::Missing || answer.isUnasked
        || (answer.kind == Kind::Done && answer.status > 0 && slurm::isBeforeSubmission(answer.errors + answer.out));
}

QJsonObject SlurmBackend::refusalArgs(const QString &detail) const
{
    return {{u"target"_s, m_target.id()}, {u"detail"_s, detail}, {u"program"_s, u"sbatch"_s}};
}

void SlurmBackend::refuseForGood(Submission &submission, const Error &why, int code)
{
    submission.isRefused = true;
    std::vector<core::TaskRef> tasks;
    for (const QUuid &tryUuid : m_triesOf.of(submission.job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        if (entry.allocation == submission.allocation.folder()) {
            tasks.push_back(entry.task);
        }
    }
    refuse(*submission.job, tasks, why, code);
}

void SlurmBackend::accepted(Submission &submission, const QString &id)
{
    submission.allocation.setId(id);
    submission.allocation.keepId();
    taken(submission, id);
}

void SlurmBackend::taken(Submission &submission, const QString &id)
{
    submission.trouble = {};
    submission.refusals = 0;
    submission.retryAt = 0;
    m_pause.taken();
    m_arraySizes.taken(submission.allocation.plan().isArray ? submission.allocation.plan().tasks.size() : 1);
    m_queue.follow(id, markOf(submission));
    learnNodes(submission);
    Q_EMIT described(submission.job, std::nullopt);
    if (!submission.stopped.empty()) {
        cancel(submission);
    }
    submitNext();
}

// With growing pauses: a cluster that refuses again and again is not asked more.
void SlurmBackend::submitLater(Submission &submission, const Error &why)
{
    m_pause.refused(steadyMs());
    m_refusal = why;
    waitWith(submission, why);
}

bool SlurmBackend::handOverNow(ActiveJob &job)
{
    bool isAny = false;
    for (const QString &folder : m_allocationsOf.of(&job)) {
        Submission &submission = *m_allocations.at(folder);
        if (submission.retryAt > 0 && !submission.isAsking && !submission.isRefused) {
            submission.retryAt = steadyMs(); // at the next look
            isAny = true;
        }
    }
    if (isAny) {
        m_pause.tryNow();
    }
    return isAny;
}

void SlurmBackend::waitWith(Submission &submission, const Error &why)
{
    submission.retryAt = steadyMs() + SlurmPause::msAfter(++submission.refusals);
    submission.trouble = why;
    Q_EMIT described(submission.job, std::nullopt);
}

bool SlurmBackend::isAnyTaken() const
{
    return std::any_of(m_allocations.begin(), m_allocations.end(),
        [](const auto &each) { return !each.second->allocation.id().isEmpty(); });
}

// It takes jobs again: the one that waits the shortest time does not wait for its time. When it is taken, too, the next
// one follows.
void SlurmBackend::submitNext()
{
    Submission *next = nullptr;
    for (const auto &[folder, submission] : m_allocations) {
        const bool waits = submission->retryAt > 0 && !submission->isAsking && !submission->isRefused;
        const auto rank = [this](const Submission &each) { return std::pair(isLarge(each), each.retryAt); };
        if (waits && (!next || rank(*submission) < rank(*next))) {
            next = submission.get();
        }
    }
    if (next) {
        next->retryAt = steadyMs(); // at the next look
    }
}

} // namespace trainyard
