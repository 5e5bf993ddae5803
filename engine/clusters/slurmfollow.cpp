// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfacts.h"
#include "engine/backend/clock.h"
#include "engine/backend/tryfile.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"

#include <QFileInfo>

#include <algorithm>
#include <csignal>
#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// How long files may be on their way through the file system of the cluster.
constexpr qint64 fileMs = 15'000;
// How long it may take until it is known that the cluster has asked a task to end, whose end was seen first.
constexpr qint64 askedMs = 3000;

constexpr qint64 srunSaidBytes = 64 << 10;

bool isLostOrKilled(const contract::ExitRecord &record)
{
    return record.kind == contract::ExitKind::Lost || record.shellStatus() == 128 + SIGKILL;
}

// Ended by a signal that clusters end jobs with, or by its lead before it had begun.
bool isKilled(const contract::ExitRecord &record)
{
    return isLostOrKilled(record) || record.shellStatus() == 128 + SIGTERM || slurm::isStoppedBefore(record);
}

// The messages of srun and the node's daemon about its step.
contract::SrunWords wordsOfStep(const QString &folder)
{
    const QByteArray said = tryFileEnd(folder + u'/' + QLatin1StringView(contract::file::runtime), srunSaidBytes);
    return contract::srunWords({said.constData(), std::size_t(said.size())});
}

qint64 limitSecondsOf(const ActiveJob &job) { return job.state.policy.timeLimitMs / 1000; }

// While it waited in the queue, it used none of its time.
qint64 pausedMsOf(const ActiveJob &job)
{
    const std::optional<qint64> launched
        = job.state.attempts.empty() ? std::nullopt : job.state.attempts.back().launched;
    if (!launched) {
        return 0;
    }
    const qint64 now = nowMs(), since = std::max(job.state.pausedAt.value_or(now), *launched);
    return pausedMsIn(job.state.pauses, *launched, now) + std::max<qint64>(0, now - since);
}

} // namespace

// The changes in the files since. The records take precedence over anything that the cluster reports.
void SlurmBackend::look()
{
    std::vector<QUuid> tries;
    for (const auto &[tryUuid, entry] : m_tries) {
        if (!entry.allocation.isEmpty()) {
            tries.push_back(tryUuid);
        }
    }
    std::map<QString, QList<LogGrowth>> grown;
    lookAtFolders();
    for (const QUuid &tryUuid : tries) {
        LiveTask *entry = live(tryUuid);
        Submission *submission = entry ? submissionOf(*entry) : nullptr;
        if (submission) {
            lookAt(*entry, tryUuid, *submission);
            if (entry->isPlaced) { // before, there is nothing: many may wait
                noteGrowth(*entry, grown);
            }
        }
    }
    for (const auto &[uuid, logs] : grown) {
        Q_EMIT logsGrew(uuid, logs);
    }
    lookForSought();
    lookAtLed();
    sendHeld();
    splitLarge();
    const qint64 now = steadyMs();
    for (const auto &[folder, submission] : m_allocations) {
        if (submission->retryAt > 0 && now >= submission->retryAt && !submission->isAsking) {
            submit(*submission);
        }
        const bool isReachable = !m_site || m_site->isOnline();
        if (isReachable) {
            followStop(*submission, now);
        }
        if (submission->forceAt > 0 && now >= submission->forceAt && isReachable) {
            submission->forceAt = now + std::min(fileMs, m_options.forceMs);
            // For a job that has not received the request to end, the grace period has not begun.
            submission->isForced = submission->isForced || submission->isStopHeard;
            cancelAtCluster(*submission, submission->stopped, submission->isForced);
        }
    }
    const bool isNothingLeft = m_allocations.empty() && m_led.empty()
        && std::none_of(m_tries.begin(), m_tries.end(), [](const auto &each) { return each.second.soughtSince > 0; });
    if (isNothingLeft) {
        m_timer.stop();
    }
}

// Whether the task has written something not long ago, as is seen from when the cluster no longer has it.
bool SlurmBackend::isWriting(LiveTask &entry) const
{
    qint64 bytes = 0;
    for (const char *name : {contract::file::output, contract::file::figures}) {
        bytes += QFileInfo(entry.folder + u'/' + QLatin1StringView(name)).size();
    }
    if (const qint64 before = std::exchange(entry.seenBytes, bytes); before >= 0 && before != bytes) {
        entry.writtenAt = steadyMs();
    }
    return entry.writtenAt > 0 && steadyMs() - entry.writtenAt < m_options.goneMs;
}

// The state that the cluster has called it by for so long, when that is an end. Empty: it does not know it any more.
std::optional<QString> SlurmBackend::finalState(const Submission &submission, int position, qint64 forMs) const
{
    const QString id = submission.allocation.idOf(position);
    if (id.isEmpty() || !m_queue.hasAnswered() || !m_queue.problem().code.isEmpty()) {
        return std::nullopt;
    }
    const SlurmQueue::Known known = m_queue.known(id);
    // An absence counts from one answer to another one: in between this computer may have slept. While the accounts are
    // silent, they may know how it ended; what is to end anyway does not wait for that.
    const qint64 absent = absentMs(id);
    const bool isUnknown = absent >= m_options.goneMs && !m_queue.wereAccountsSilent(m_options.goneMs);
    const bool wereAsked = known.accountsAt >= known.since && m_queue.accountsProblem().code.isEmpty();
    const bool isOver = known.state.isEmpty()
        ? (wereAsked && isUnknown) || absent >= m_options.unaccountedMs
            || (absent >= fileMs && isStopped(submission, position))
        : slurm::phaseOf(known.state) == slurm::Phase::Over && steadyMs() - known.since >= forMs;
    return isOver ? std::optional(known.state) : std::nullopt;
}

// For how long the queue has not had it, by its answers. 0: it has it, or has not answered since it was submitted.
qint64 SlurmBackend::absentMs(const QString &id) const
{
    const SlurmQueue::Known known = m_queue.known(id);
    return known.state.isEmpty() && known.since > 0 ? std::max<qint64>(0, m_queue.answeredAt() - known.since) : 0;
}

void SlurmBackend::lookAt(LiveTask &entry, const QUuid &tryUuid, Submission &submission)
{
    if (entry.isEndKnown) {
        return;
    }
    const std::string folder = entry.folder.toStdString();
    if (!entry.isPlaced && submission.allocation.places(entry.position)) {
        entry.isPlaced = true;
        Q_EMIT described(entry.job, entry.task);
        m_queue.refresh();
    }
    if (entry.isPlaced) {
        followLead(entry, submission);
    }
    if (!entry.isPlaced
        && slurm::phaseOf(m_queue.known(submission.allocation.idOf(entry.position)).state) == slurm::Phase::Pending) {
        return;
    }
    if (entry.isPlaced && !entry.gpus) {
        if (const std::optional<contract::StartedRecord> started = contract::readStartedRecord(folder)) {
            entry.gpus = gpusOf(started);
            if (!std::exchange(entry.isStarted, true)) {
                noteResults(entry, tryUuid);
                post(*entry.job,
                    core::event::TryStarted{entry.task, tryUuid,
                        {QString::fromStdString(started->process.bootId), started->process.pid,
                            started->process.startTime},
                        started->at});
            }
            if (!entry.gpus->isEmpty()) {
                Q_EMIT described(entry.job, entry.task);
            }
        }
    }
    // A queue may answer well and lack what runs, as that of a site that keeps answers for a while.
    const SlurmQueue::Known known = m_queue.known(submission.allocation.idOf(entry.position));
    const bool isMissed = known.state.isEmpty() && known.since > 0;
    const bool isThere = isMissed && isWriting(entry) && !isStopped(submission, entry.position);
    std::optional<contract::ExitRecord> record = contract::readExitRecord(folder);
    std::optional<QString> state = record || isThere ? std::nullopt : finalState(submission, entry.position, askedMs);
    const bool isForgotten = !state && !record && !isThere && isForgottenElement(entry, submission);
    state = isForgotten ? u"CANCELLED"_s : state;
    if (state) {
        submission.allocation.refresh(entry.position);
        record = contract::readExitRecord(folder);
    }
    if (record) {
        noteUnread(entry, 0);
        ended(entry, tryUuid, submission, *record);
    } else if (state && !isSeenThere(entry, submission)) {
        m_site->lookSoon();
    } else if (const int error = state && !isStopped(submission, entry.position)
                   ? contract::unreadError(folder + '/' + contract::file::exit)
                   : 0;
               error != 0) {
        noteUnread(entry, error); // there is one, as on a file server that is away: it is looked at again
        return;
    } else if (state && (isStopped(submission, entry.position) || !isAway(*entry.job))) {
        const bool neverBegan = isStopped(submission, entry.position) && !entry.isPlaced;
        if (neverBegan || isForgotten || finalState(submission, entry.position, fileMs)
            || submission.allocation.end(entry.position)) {
            endedWithoutRecord(entry, tryUuid, submission, *state);
        }
    }
}

// It has ended, and an answer that is newer calls it waiting. A second run would find nothing to start: it is taken out
// of the queue, and the core submits what is tried again.
bool SlurmBackend::isQueuedAgain(const LiveTask &entry, Submission &submission)
{
    const QString id = submission.allocation.idOf(entry.position);
    const bool isNew = m_queue.problem().code.isEmpty() && m_queue.answeredAt() > entry.recordSeenAt + askedMs;
    if (!isNew || slurm::phaseOf(m_queue.known(id).state) != slurm::Phase::Pending) {
        return submission.again.contains(id);
    }
    if (submission.again.insert(id).second) {
        // By --state, others of an array that wait may go with it (cancelIds()).
        const QStringList options = id.contains(u'_') ? QStringList() : QStringList{u"--state=PENDING"_s};
        tellOurs({options, {id}, markOf(submission)}, [](const SlurmCommands::Answer &) {});
    }
    return true;
}

// The reason is known where it was stopped, but not in its record. True: that is its end, or is not known yet.
bool SlurmBackend::endedByCluster(
    LiveTask &entry, const QUuid &tryUuid, Submission &submission, const contract::ExitRecord &record)
{
    const bool isOurs = isStopped(submission, entry.position)
        || std::holds_alternative<core::Stopping>(entry.job->state.task(entry.task).state);
    if (isOurs || submission.allocation.isFollowed(entry.position)) {
        return false;
    }
    if (isWithItsNode(entry, tryUuid, submission, record)) {
        return true;
    }
    const std::optional<contract::LeadEnd> stopping = submission.allocation.stopping(entry.position);
    if (record.isGood() && !(stopping && stopping->why == "limit" && stopping->at <= record.ended)) {
        return false; // and where it has saved its state at the limit, it has ended by that nevertheless
    }
    entry.recordSeenAt = entry.recordSeenAt == 0 ? steadyMs() : entry.recordSeenAt;
    if (isKilled(record) && (!stopping || stopping->at > record.ended)) { // it has ended before the lead ended others
        const std::optional<QString> state = stateOfPart(entry, submission);
        if (!state) {
            m_queue.refresh();
            return true;
        }
        if (slurm::isCancelled(*state)) {
            stopJobOnce(entry, *state);
            return false;
        }
    }
    // Its lead asks the cluster whether that was to make room, before it says anything.
    const bool wasAsked = record.asked > 0 && !submission.allocation.end(entry.position);
    if (!stopping && (wasAsked || isKilled(record))
        && steadyMs() - entry.recordSeenAt < (wasAsked ? fileMs : askedMs)) {
        submission.allocation.refresh(entry.position);
        m_queue.refresh();
        return true;
    }
    if (stopping && stopping->why == "preempted" && (record.asked > 0 || stopping->at <= record.ended + askedMs)) {
        end(entry, tryUuid, *slurm::resultByCluster(u"PREEMPTED"_s, m_target.id()), &record);
        return true;
    }
    if (!stopping || stopping->at > record.ended + askedMs) {
        return false;
    }
    if (stopping->why == "time") {
        const core::TryResult late
            = *slurm::resultByCluster(u"TIMEOUT"_s, m_target.id(), limitSecondsOf(*entry.job), pausedMsOf(*entry.job));
        end(entry, tryUuid,
            slurm::resultByNotice(
                late, slurm::timeOption(m_target.options), slurm::noticeSecondsOf(inputOf(submission))),
            &record);
        return true;
    }
    if (stopping->why == "limit") {
        end(entry, tryUuid, slurm::resultByLimit(limitSecondsOf(*entry.job)), &record);
        return true;
    }
    if (stopping->why != "signal") {
        // The lead has ended the others by the rules of the job. The deciding task may be seen in the same query: this
        // end counts once the core has reached it, by the same rules.
        return stopping->why != "fault" && stopping->why != "done" && isKilled(record)
            && steadyMs() - entry.recordSeenAt < fileMs;
    }
    if (isQueuedAgain(entry, submission)) {
        end(entry, tryUuid, slurm::resultOfRequeued(m_target.id()), &record);
        return true;
    }
    // The state that tells a cancelled job from a preempted one comes with its end.
    const bool isArray = submission.allocation.plan().isArray;
    const std::optional<QString> state = finalState(submission, entry.position, isArray ? askedMs : 0);
    if (!state) {
        m_queue.refresh();
        return true;
    }
    if (const std::optional<core::TryResult> result
        = slurm::resultByCluster(*state, m_target.id(), limitSecondsOf(*entry.job), pausedMsOf(*entry.job))) {
        end(entry, tryUuid, *result, &record);
        return true;
    }
    // A second run finds nothing to start, and says so.
    const std::optional<contract::LeadEnd> left = submission.allocation.end(entry.position);
    if (left && left->why == "fault" && !slurm::isCancelled(*state)) {
        end(entry, tryUuid, slurm::resultOfRequeued(m_target.id()), &record);
        return true;
    }
    if (isAlone(entry, submission)) {
        end(entry, tryUuid, slurm::resultOfCancelled(*state, m_target.id()), &record);
        return true;
    }
    stopJobOnce(entry, *state);
    return false;
}

void SlurmBackend::ended(
    LiveTask &entry, const QUuid &tryUuid, Submission &submission, const contract::ExitRecord &record)
{
    // Slurm kills what exceeds its memory, and says so to its step only: its state is FAILED.
    const std::optional<core::TryResult> memory
        = isLostOrKilled(record) ? slurm::resultByMemory(wordsOfStep(entry.folder)) : std::nullopt;
    if ((!memory && endedByCluster(entry, tryUuid, submission, record))
        || isAwaited(entry, tryUuid, submission, record)) {
        return;
    }
    if (memory) {
        endUnheard(entry, submission);
        end(entry, tryUuid, *memory, &record);
        return;
    }
    entry.isEndKnown = true;
    endUnheard(entry, submission);
    core::event::TryEnded event = endByRecord(entry.task, tryUuid, record);
    if (const auto asked = record.isGood() ? submission.allocation.stopping(entry.position) : std::nullopt;
        asked && asked->why == "time" && asked->at <= record.ended) {
        event.result = slurm::resultAfterNotice(m_target.id());
    }
    ExitJudge::About about = ExitJudge::aboutEnd(*entry.job, entry.task, record, m_target.id(), entry.folder);
    about.memory.usedMiB = event.usage.peakMemoryMiB.value_or(0);
    about.worksInCopy = !record.isGood() && m_site && m_code->isWorkCopied(*entry.job, entry.folder);
    m_judge.judge(event, record, about);
}

void SlurmBackend::endedWithoutRecord(
    LiveTask &entry, const QUuid &tryUuid, Submission &submission, const QString &state)
{
    if (submission.again.contains(submission.allocation.idOf(entry.position))) {
        end(entry, tryUuid, slurm::resultOfRequeued(m_target.id()), nullptr); // it was cancelled from here
        return;
    }
    if (slurm::isCancelled(state) && !isStopped(submission, entry.position)) {
        if (isAlone(entry, submission)) {
            end(entry, tryUuid, slurm::resultOfCancelled(state, m_target.id()), nullptr);
            return;
        }
        stopJobOnce(entry, state);
    }
    slurm::EndFacts facts{
        state, m_target.id(), {}, submission.allocation.lastWords(entry.position), entry.isStarted, false};
    if (const std::optional<contract::LeadEnd> left = submission.allocation.end(entry.position);
        left && !left->detail.empty()) {
        facts.detail = QString::fromStdString(left->detail);
        facts.isLed = true;
    }
    facts.words = wordsOfStep(entry.folder);
    if (!facts.words.isOverMemory) { // or of the batch script, which may have gone with it
        facts.words = contract::srunWords(submission.allocation.lastWords(entry.position).toStdString());
    }
    facts.limitSeconds = limitSecondsOf(*entry.job);
    facts.pausedMs = pausedMsOf(*entry.job);
    end(entry, tryUuid, slurm::resultWithoutRecord(facts), nullptr);
}

void SlurmBackend::end(
    LiveTask &entry, const QUuid &tryUuid, const core::TryResult &result, const contract::ExitRecord *record)
{
    if (entry.isEndKnown) {
        return;
    }
    entry.isEndKnown = true;
    core::event::TryEnded event{entry.task, tryUuid, result, record ? record->began : 0,
        record ? record->ended : nowMs(), entry.isStarted || record != nullptr};
    if (record && record->shellStatus() >= 0) {
        event.result.rawExit = record->shellStatus();
    }
    post(*entry.job, event);
}

} // namespace trainyard
