// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "engine/clusters/slurmrefusal.h"

#include <QPointer>

#include <algorithm>

// The requests to a Slurm cluster to end and to suspend jobs.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// The cluster may not have received the request of scancel. A job that it no longer has counts as cancelled.
bool isUnheard(const SlurmCommands::Answer &answer)
{
    return answer.kind != SlurmCommands::Answer::Kind::Done || answer.status < 0
        || (answer.status > 0 && slurm::refusalKind(QString::fromUtf8(answer.errors)) == slurm::Refusal::Silent);
}

SlurmCommands::Answer unanswered() // as of a command that has not come to the cluster
{
    SlurmCommands::Answer answer;
    answer.kind = SlurmCommands::Answer::Kind::TimedOut;
    return answer;
}

} // namespace

void SlurmBackend::stop(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, std::set<QString> &folders)
{
    LiveTask &entry = enter(job, task, tryUuid);
    if (attach(entry, tryUuid)) {
        submissionOf(entry)->stopped.insert(entry.position);
        folders.insert(entry.allocation);
    } else if (isUnseen(entry)) {
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

// Whether it is there, or has ended there, cannot be learnt now.
bool SlurmBackend::isInDoubt(const Submission &submission) const
{
    return submission.allocation.id().isEmpty() ? submission.allocation.wasSent() : !problem().code.isEmpty();
}

Error SlurmBackend::unheardStop(const ActiveJob &job) const
{
    for (const QString &folder : m_allocationsOf.of(&job)) {
        const Submission &submission = *m_allocations.at(folder);
        if (submission.stopped.empty() || !isInDoubt(submission)) {
            continue;
        }
        const bool isKnown = !submission.allocation.id().isEmpty();
        const QString &trouble = submission.trouble.code;
        if (!isKnown && (trouble.isEmpty() || trouble == "wait.slurm-submit-limit"_L1)) {
            continue; // it is being asked for the first time
        }
        QJsonObject args{{u"target"_s, m_target.id()}};
        if (const QJsonValue detail = submission.trouble.args.value("detail"_L1); !isKnown && detail.isString()) {
            args.insert(u"detail"_s, detail);
        }
        const bool isNoted = !m_site || m_site->isOnline(); // where its lead sees it
        return {!isKnown ? u"stop.target-unsure"_s : isNoted ? u"stop.slurm-silent"_s : u"stop.target-silent"_s, args};
    }
    return {};
}

// Its launches are removed with its allocation: a lead that begins later finds nothing to start.
bool SlurmBackend::giveUp(ActiveJob &job)
{
    bool isAny = false;
    const std::set<QUuid> own = m_triesOf.of(&job);
    for (const QUuid &tryUuid : own) {
        LiveTask &entry = m_tries.at(tryUuid);
        const Submission *submission = submissionOf(entry);
        const bool isStopping = core::tryUuid(job.state, entry.task) == tryUuid
            && std::holds_alternative<core::Stopping>(job.state.task(entry.task).state);
        const bool isDoubted = submission ? isInDoubt(*submission) || submission->unread != 0 : entry.soughtSince > 0;
        if (entry.isEndKnown || !isStopping || !isDoubted) {
            continue;
        }
        const QString id = submission ? submission->allocation.idOf(entry.position) : QString();
        const QString look = !submission ? u"squeue --me"_s
            : id.isEmpty()               ? u"squeue --me --name="_s + nameAtCluster(*submission)
                                         : u"squeue --jobs="_s + id;
        entry.isEndKnown = isAny = true;
        post(job,
            core::event::TryEnded{entry.task, tryUuid,
                {slurm::codeLost, {}, u"stop.given-up"_s, {{u"target"_s, m_target.id()}, {u"look"_s, look}}}, 0,
                nowMs(), false});
    }
    return isAny;
}

// The jobs that have to end and for which the cluster has not received the request.
void SlurmBackend::cancel(Submission &submission)
{
    noteStop(submission);
    if (submission.isAsking) {
        return; // it is asked as soon as it is known whether there is something to end
    }
    if (submission.allocation.id().isEmpty()) {
        submit(submission);
        return;
    }
    m_queue.follow(submission.allocation.id(), markOf(submission));
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
    submission.isStopHeard = false;
    submission.repeats = 0;
    submission.repeatAt = 0;
    for (const int position : fresh) { // a halt that has not been heard yet would keep it from ending
        if (const auto it = m_halts.find(submission.allocation.idOf(position)); it != m_halts.end()) {
            it->second.isOn = false;
        }
    }
    submission.forceAt = steadyMs() + submission.allocation.plan().stopGraceMs + m_options.forceMs;
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
    what.mark = markOf(submission);
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

// The number may be another job's by now: no request to end or suspend it is sent before the cluster has reported its
// owner. Jobs that are gone or not ours get no request.
void SlurmBackend::tellOurs(const Told &what, const Heard &then)
{
    m_queue.pick(what.ids, what.mark, [self = QPointer(this), what, then](const std::optional<QStringList> &ours) {
        if (!self) {
            return;
        }
        if (ours && !ours->isEmpty()) {
            self->m_commands.run(u"scancel"_s, what.options + *ours, then);
        } else {
            then(ours ? SlurmCommands::Answer() : unanswered());
        }
    });
}

void SlurmBackend::cancelIds(const Cancelling &what)
{
    if (what.ids.isEmpty()) {
        return;
    }
    m_queue.pick(what.ids, what.mark, [self = QPointer(this), what](const std::optional<QStringList> &ours) {
        if (!self) {
            return;
        }
        if (ours && !ours->isEmpty()) {
            Cancelling found = what;
            found.ids = *ours;
            self->cancelFound(found);
        } else {
            self->stopHeard(what, ours ? SlurmCommands::Answer() : unanswered());
            self->m_queue.refresh();
        }
    });
}

// Waiting jobs are removed from the queue. Running jobs have a lead, which ends the tasks with their grace period. The
// option --state removes all waiting elements of an array from the queue, even if one element is named, so it is only
// used for jobs that end as a whole.
void SlurmBackend::cancelFound(const Cancelling &what)
{
    const auto done = [this, what](const SlurmCommands::Answer &answer) {
        stopHeard(what, answer);
        m_queue.refresh();
    };
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

// Jobs that are no longer followed here. They would continue unnoticed, so the request is repeated until the cluster
// receives it.
void SlurmBackend::endUnwanted(const Told &what, const std::function<void()> &heard, int refusals)
{
    constexpr int mostRefusals = 20; // about an hour
    tellOurs(what, [self = QPointer(this), what, heard, refusals](const SlurmCommands::Answer &answer) {
        if (!self) {
            return;
        }
        if (!isUnheard(answer)) {
            if (heard) {
                heard();
            }
        } else if (refusals < mostRefusals) {
            QTimer::singleShot(int(SlurmPause::msAfter(refusals + 1)), self,
                [self, what, heard, refusals] { self->endUnwanted(what, heard, refusals + 1); });
        }
    });
}

void SlurmBackend::stopHeard(const Cancelling &what, const SlurmCommands::Answer &answer)
{
    const Members members = isUnheard(answer) ? Members() : membersOf(what.folders);
    for (Submission *each : members) {
        if (!each->isStopHeard && !each->isForced) {
            each->isStopHeard = true;
            each->forceAt = steadyMs() + each->allocation.plan().stopGraceMs + m_options.forceMs;
        }
    }
}

// scancel gives tasks the site's KillWait, usually half a minute, even with a signal to kill. So the lead is asked to
// end them at once. The cluster ends the remaining jobs and those without a lead.
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
                    tellOurs({{}, what.ids, what.mark}, [this](const SlurmCommands::Answer &) { m_queue.refresh(); });
                }
            });
        });
}

// ---- what is halted, and goes on ----

// One after the other: what was asked for last has to be heard last.
void SlurmBackend::halt(const QString &id, const Halt &wanted)
{
    Halt &kept = m_halts[id];
    const bool isTelling = kept.isTelling;
    kept = wanted;
    kept.isTelling = isTelling;
    if (!isTelling) {
        tellHalt(id, 0);
    }
}

// What does not hear that it goes on would stand still to the end of its time. The signals do not come to the lead,
// which would count the pause as time of the job: it has one of its own.
void SlurmBackend::tellHalt(const QString &id, int refusals)
{
    Halt &wanted = m_halts.at(id);
    wanted.isTelling = true;
    const bool isOn = wanted.isOn;
    tellOurs({{isOn ? u"--signal=STOP"_s : u"--signal=CONT"_s}, {id}, wanted.mark},
        [self = QPointer(this), id, isOn, refusals](const SlurmCommands::Answer &answer) {
            if (!self) {
                return;
            }
            const Halt &told = self->m_halts.at(id);
            if (!told.hasLimit || isUnheard(answer)) {
                self->haltTold(id, isOn, refusals, answer);
                return;
            }
            self->tellOurs({{u"--batch"_s, isOn ? u"--signal=URG"_s : u"--signal=CONT"_s}, {id}, told.mark},
                [self, id, isOn, refusals](const SlurmCommands::Answer &ofLead) {
                    if (self) {
                        self->haltTold(id, isOn, refusals, ofLead);
                    }
                });
        });
}

void SlurmBackend::haltTold(const QString &id, bool isOn, int refusals, const SlurmCommands::Answer &answer)
{
    if (!isUnheard(answer)) {
        if (m_halts.at(id).isOn == isOn) {
            m_halts.erase(id);
        } else {
            tellHalt(id, 0);
        }
        return;
    }
    QTimer::singleShot(int(SlurmPause::msAfter(refusals + 1)), this, [this, id, refusals] {
        const bool isThere = std::any_of(m_tries.begin(), m_tries.end(), [&](const auto &each) {
            const auto it = m_allocations.find(each.second.allocation);
            return it != m_allocations.end() && it->second->allocation.idOf(each.second.position) == id;
        });
        if (isThere) {
            tellHalt(id, refusals + 1);
        } else {
            m_halts.erase(id);
        }
    });
}

void SlurmBackend::stopUnwritten(ActiveJob &job)
{
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        if (Submission *submission = submissionOf(entry)) {
            submission->stopped.insert(entry.position);
        }
    }
    for (const QString &folder : m_allocationsOf.of(&job)) {
        if (Submission &submission = *m_allocations.at(folder); !submission.allocation.id().isEmpty()) {
            cancel(submission);
        }
    }
}

} // namespace trainyard
