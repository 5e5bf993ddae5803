// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"

#include <QPointer>

#include <algorithm>

// What a Slurm cluster is asked for: to take an allocation, exactly once, and to end it.
namespace trainyard
{

using namespace Qt::StringLiterals;

// ---- submission: exactly once ----

void SlurmBackend::pursue(Submission &submission)
{
    if (!submission.allocation.id().isEmpty()) {
        m_queue.follow(submission.allocation.id());
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
            m_hold.add(arrayKey, folder, nowMs()); // look() goes on with it
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
        m_hold.add(array->name, folder, nowMs());
        return;
    }
    if (isPaused(submission)) {
        return;
    }
    submission.isAsking = true;
    m_queue.find(nameAtCluster(submission), submission.allocation.comment(), submission.allocation.sentAt(),
        [this, folder](const std::optional<QString> &id) {
            const auto it = m_allocations.find(folder);
            if (it == m_allocations.end()) {
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

// The cluster has refused the ones before. One that is to be stopped has to know whether it is there.
bool SlurmBackend::isPaused(Submission &submission)
{
    if (!submission.stopped.empty() || m_pause.mayTry(nowMs())) {
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
    m_commands.run(
        u"sbatch"_s, arguments, [this, folder](const SlurmCommands::Answer &answer) { sent(folder, answer); });
}

void SlurmBackend::sent(const QString &folder, const SlurmCommands::Answer &answer)
{
    const auto it = m_allocations.find(folder);
    const QString id = answer.isGood() ? slurm::submittedId(answer.out) : QString();
    if (it == m_allocations.end()) {
        if (!id.isEmpty()) {
            endUnwanted({id});
        }
        return;
    }
    Submission &submission = *it->second;
    submission.isAsking = false;
    if (!id.isEmpty()) {
        accepted(submission, id);
        return;
    }
    const QString why = slurm::refusal(answer.errors);
    const QJsonObject args = refusalArgs(why);
    if (answer.kind == SlurmCommands::Answer::Kind::Missing) {
        const Error missing{u"slurm.no-commands"_s, args};
        submitLater(submission, m_site ? m_site->inItsWords(missing) : missing);
        return;
    }
    // One that was killed, or that says nothing of a job, does not say either that there is none.
    const bool isLost = answer.kind == SlurmCommands::Answer::Kind::TimedOut || answer.status <= 0;
    const slurm::Refusal refusal = isLost ? slurm::Refusal::Silent : slurm::refusalKind(why);
    if (!slurm::isFinal(refusal, submission.refusals + 1, isAnyTaken())) {
        const bool isSilent = refusal == slurm::Refusal::Silent;
        submitLater(submission, {isSilent ? u"wait.slurm-silent"_s : u"wait.slurm-submit-limit"_s, args});
        return;
    }
    refuseForGood(submission, {u"slurm.refused"_s, args});
}

QJsonObject SlurmBackend::refusalArgs(const QString &detail) const
{
    return {{u"target"_s, m_target.id()}, {u"detail"_s, detail}, {u"program"_s, u"sbatch"_s}};
}

void SlurmBackend::refuseForGood(Submission &submission, const Error &why)
{
    submission.isRefused = true;
    std::vector<core::TaskRef> tasks;
    for (const auto &[tryUuid, entry] : m_tries) {
        if (entry.allocation == submission.allocation.folder()) {
            tasks.push_back(entry.task);
        }
    }
    refuse(*submission.job, tasks, why, slurm::codeRefused);
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
    m_arraySizes.taken(1);
    m_queue.follow(id);
    Q_EMIT described(submission.job, std::nullopt);
    if (!submission.stopped.empty()) {
        cancel(submission);
    }
    submitNext();
}

// With growing pauses: a cluster that refuses again and again is not asked more.
void SlurmBackend::submitLater(Submission &submission, const Error &why)
{
    const qint64 now = nowMs();
    m_pause.refused(now);
    m_refusal = why;
    submission.retryAt = now + SlurmPause::msAfter(++submission.refusals);
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
        if (waits && (!next || submission->retryAt < next->retryAt)) {
            next = submission.get();
        }
    }
    if (next) {
        next->retryAt = nowMs(); // at the next look
    }
}

// ---- the end that is asked for ----

void SlurmBackend::stop(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, std::set<QString> &folders)
{
    LiveTask &entry = m_tries[tryUuid];
    entry.job = &job;
    entry.task = task;
    if (attach(entry, tryUuid)) {
        submissionOf(entry)->stopped.insert(entry.position);
        folders.insert(entry.allocation);
    } else if (entry.isResumed && isAway(job)) {
        seek(entry);
    } else {
        end(entry, tryUuid, {slurm::codeLost, {}, {}, {}}, nullptr); // its result is fixed
    }
}

bool SlurmBackend::isStopped(const Submission &submission, int position) const
{
    return submission.allocation.plan().isArray ? submission.stopped.contains(position) : !submission.stopped.empty();
}

// Nothing of it is to run.
bool SlurmBackend::isAllStopped(const Submission &submission)
{
    const SlurmAllocation &allocation = submission.allocation;
    if (submission.stopped.empty() || !allocation.plan().isArray) {
        return !submission.stopped.empty();
    }
    for (int position = 0; position < int(allocation.plan().tasks.size()); ++position) {
        const LiveTask *entry = live(allocation.tryAt(position));
        if (entry && !entry->isEndKnown && !submission.stopped.contains(position)) {
            return false;
        }
    }
    return true;
}

// The cluster does not have it.
void SlurmBackend::endStopped(Submission &submission)
{
    const SlurmAllocation &allocation = submission.allocation;
    for (int position = 0; position < int(allocation.plan().tasks.size()); ++position) {
        const QUuid tryUuid = allocation.tryAt(position);
        if (LiveTask *entry = live(tryUuid); entry && isStopped(submission, position)) {
            end(*entry, tryUuid, {slurm::codeLost, {}, {}, {}}, nullptr); // its result is fixed
        }
    }
}

// Those that are to end and that the cluster has not been asked to end.
void SlurmBackend::cancel(Submission &submission)
{
    if (submission.isAsking) {
        return; // it is asked as soon as it is known whether there is something to end
    }
    if (submission.allocation.id().isEmpty()) {
        submit(submission);
        return;
    }
    m_queue.follow(submission.allocation.id());
    const bool isForced = submission.job->killNow;
    std::set<int> fresh;
    for (const int position : submission.stopped) {
        if (!submission.asked.contains(position) || (isForced && !submission.isForced)) {
            fresh.insert(position);
        }
    }
    if (fresh.empty()) {
        return;
    }
    submission.asked = submission.stopped;
    submission.isForced = submission.isForced || isForced;
    submission.forceAt = nowMs() + submission.allocation.plan().stopGraceMs + 30'000;
    cancelAtCluster(submission, fresh, isForced);
}

void SlurmBackend::cancelAtCluster(Submission &submission, const std::set<int> &positions, bool isForced)
{
    const bool isElement = !submission.allocation.plan().isArray && submission.allocation.id().contains(u'_');
    if (submission.allocation.array() || isElement) {
        cancelSoon(submission, isForced);
        return;
    }
    Cancelling what;
    what.folders = {submission.allocation.folder()};
    what.isPaused = submission.job->state.pausedMs > 0;
    what.isForced = isForced;
    const auto isPending = [this](const QString &id) {
        const QString state = m_queue.known(id).state;
        return !state.isEmpty() && slurm::phaseOf(state) == slurm::Phase::Pending;
    };
    if (isAllStopped(submission)) {
        what.ids = QStringList{submission.allocation.id()}; // one question, of however many elements
        what.mayRun = !isPending(what.ids.constFirst());
        cancelIds(what);
        return;
    }
    Cancelling waiting = what;
    waiting.mayRun = what.mayWait = false;
    for (const int position : positions) {
        const QString id = submission.allocation.idOf(position);
        (isPending(id) ? waiting : what).ids.append(id);
    }
    cancelIds(waiting);
    cancelIds(what);
}

// What waits is taken out of the queue. What runs is led: its lead ends the tasks with their grace period. To ask for
// those that wait by --state takes all of an array that wait out of the queue, also when one element is named: so it is
// only said of what ends as a whole.
void SlurmBackend::cancelIds(const Cancelling &what)
{
    if (what.ids.isEmpty()) {
        return;
    }
    const auto done = [this](const SlurmCommands::Answer &) { m_queue.refresh(); };
    if (!what.mayRun) {
        m_commands.run(u"scancel"_s, what.ids, done);
        return;
    }
    if (what.isPaused) { // what is halted must wake to end
        m_commands.run(u"scancel"_s, QStringList{u"--signal=CONT"_s} + what.ids, [](const SlurmCommands::Answer &) {});
    }
    if (what.isForced) {
        killAtCluster(what);
        return;
    }
    const auto endRunning = [this, ids = what.ids, done](const SlurmCommands::Answer &) {
        m_commands.run(u"scancel"_s, QStringList{u"--batch"_s, u"--signal=TERM"_s} + ids, done);
    };
    if (what.mayWait) { // either of them has no effect where the other one has
        m_commands.run(u"scancel"_s, QStringList{u"--state=PENDING"_s} + what.ids, endRunning);
    } else {
        endRunning({});
    }
}

// By arguments of scancel, what nobody here follows any more. It would run on unseen, so it is asked again while the
// cluster does not hear it; but not for so long that the number may be another job's by then.
void SlurmBackend::endUnwanted(const QStringList &arguments, int refusals)
{
    constexpr int mostRefusals = 20; // about an hour
    m_commands.run(u"scancel"_s, arguments,
        [self = QPointer(this), arguments, refusals](const SlurmCommands::Answer &answer) {
            using Kind = SlurmCommands::Answer::Kind;
            const bool isUnheard = answer.kind == Kind::TimedOut || answer.kind == Kind::Away || answer.status < 0
                || (answer.status > 0
                    && slurm::refusalKind(QString::fromUtf8(answer.errors)) == slurm::Refusal::Silent);
            if (self && isUnheard && answer.kind != Kind::Missing && refusals < mostRefusals) {
                QTimer::singleShot(int(SlurmPause::msAfter(refusals + 1)), self,
                    [self, arguments, refusals] { self->endUnwanted(arguments, refusals + 1); });
            }
        });
}

// scancel gives tasks the site's KillWait, usually half a minute, also when it is told to kill. So the lead is asked to
// end them at once. What is left then, or has no lead, is the cluster's.
void SlurmBackend::killAtCluster(const Cancelling &what)
{
    constexpr int leadMs = 10'000;
    if (what.mayWait) {
        m_commands.run(
            u"scancel"_s, QStringList{u"--state=PENDING"_s} + what.ids, [](const SlurmCommands::Answer &) {});
    }
    m_commands.run(u"scancel"_s, QStringList{u"--batch"_s, u"--signal=USR2"_s} + what.ids,
        [this, what](const SlurmCommands::Answer &) {
            m_queue.refresh();
            QTimer::singleShot(leadMs, this, [this, what] {
                if (!membersOf(what.folders).empty()) {
                    m_commands.run(
                        u"scancel"_s, what.ids, [this](const SlurmCommands::Answer &) { m_queue.refresh(); });
                }
            });
        });
}

void SlurmBackend::stopUnwritten(ActiveJob &job)
{
    for (const auto &[tryUuid, entry] : m_tries) {
        if (Submission *submission = entry.job == &job ? submissionOf(entry) : nullptr) {
            submission->stopped.insert(entry.position);
        }
    }
    for (const auto &[folder, submission] : m_allocations) {
        if (submission->job == &job && !submission->allocation.id().isEmpty()) {
            cancel(*submission);
        }
    }
}

} // namespace trainyard
