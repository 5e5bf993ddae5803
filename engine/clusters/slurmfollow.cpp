// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "model/template/pluginsteps.h"

#include <QFileInfo>
#include <QJsonArray>

#include <csignal>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// How long files may be on their way through the file system of the cluster, and how long a job may be unknown to it
// before it is lost.
constexpr qint64 fileMs = 15'000;
constexpr qint64 goneMs = 300'000;
// How long it may take until it is known that the cluster has asked a task to end, whose end was seen first.
constexpr qint64 askedMs = 3000;

// Ended by a signal that clusters end jobs with.
bool isKilled(const contract::ExitRecord &record)
{
    const int status = record.shellStatus();
    return record.kind == contract::ExitKind::Lost || status == 128 + SIGTERM || status == 128 + SIGKILL;
}

} // namespace

// What has changed in the files since. The records count before anything that the cluster says.
void SlurmBackend::look()
{
    std::vector<QUuid> tries;
    for (const auto &[tryUuid, entry] : m_tries) {
        if (!entry.allocation.isEmpty()) {
            tries.push_back(tryUuid);
        }
    }
    std::map<QString, QList<LogGrowth>> grown;
    for (const QUuid &tryUuid : tries) {
        LiveTask *entry = live(tryUuid);
        Submission *submission = entry ? submissionOf(*entry) : nullptr;
        if (submission) {
            noteGrowth(*entry, grown);
            lookAt(*entry, tryUuid, *submission);
        }
    }
    for (const auto &[uuid, logs] : grown) {
        Q_EMIT logsGrew(uuid, logs);
    }
    const qint64 now = nowMs();
    for (const auto &[folder, submission] : m_allocations) {
        if (submission->retryAt > 0 && now >= submission->retryAt && !submission->isAsking) {
            submit(*submission);
        }
        if (submission->forceAt > 0 && now >= submission->forceAt) {
            submission->forceAt = now + fileMs;
            submission->isForced = true;
            cancel(*submission, submission->allocation.id(), true);
        }
    }
}

void SlurmBackend::noteGrowth(LiveTask &entry, std::map<QString, QList<LogGrowth>> &grown)
{
    const qint64 bytes = QFileInfo(entry.folder + u'/' + QLatin1StringView(contract::file::output)).size();
    if (bytes != entry.logBytes) {
        entry.logBytes = bytes;
        const core::JobState &job = entry.job->state;
        grown[entry.job->uuid()].append({job.roleName(entry.task), entry.task.index, job.attempt(), bytes});
    }
}

bool SlurmBackend::isOver(const Submission &submission, int position, QString *state) const
{
    const QString id = submission.allocation.idOf(position);
    if (id.isEmpty() || !m_queue.hasAnswered() || !m_queue.problem().code.isEmpty()) {
        return false;
    }
    const SlurmQueue::Known known = m_queue.known(id);
    *state = known.state;
    const qint64 since = known.since == 0 ? 0 : nowMs() - known.since;
    if (known.state.isEmpty()) {
        return since >= goneMs || (since >= fileMs && submission.isStopped);
    }
    return slurm::phaseOf(known.state) == slurm::Phase::Over && since >= fileMs;
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
    if (!entry.isStarted && entry.isPlaced) {
        if (const std::optional<contract::StartedRecord> started = contract::readStartedRecord(folder)) {
            entry.isStarted = true;
            post(*entry.job,
                core::event::TryStarted{entry.task, tryUuid,
                    {QString::fromStdString(started->process.bootId), started->process.pid, started->process.startTime},
                    started->at});
        }
    }
    if (const std::optional<contract::ExitRecord> record = contract::readExitRecord(folder)) {
        ended(entry, tryUuid, submission, *record);
        return;
    }
    QString state;
    const bool isLeft = submission.allocation.end(entry.position).has_value(); // nothing of it runs
    if (isOver(submission, entry.position, &state)
        || (isLeft
            && slurm::phaseOf(m_queue.known(submission.allocation.idOf(entry.position)).state) == slurm::Phase::Over)) {
        endedWithoutRecord(entry, tryUuid, submission, state);
    }
}

void SlurmBackend::stopJobOnce(LiveTask &entry, const QString &state)
{
    if (!entry.job->state.stopRequested) {
        post(*entry.job,
            core::event::StopRequested{{u"slurm.cancelled"_s, {{u"target"_s, m_target.id()}, {u"state"_s, state}}}});
    }
}

// Whoever has stopped it knows why; its record does not.
void SlurmBackend::ended(
    LiveTask &entry, const QUuid &tryUuid, Submission &submission, const contract::ExitRecord &record)
{
    const std::optional<contract::LeadEnd> stopping = submission.allocation.stopping(entry.position);
    const bool isOurs = submission.isStopped || submission.stopped.contains(entry.position)
        || std::holds_alternative<core::Stopping>(entry.job->state.task(entry.task).state);
    const bool isGood = record.kind == contract::ExitKind::Exited && record.value == 0;
    if (!stopping && !isOurs && isKilled(record) && nowMs() - record.ended < askedMs) {
        m_queue.refresh();
        return;
    }
    if (stopping && stopping->at <= record.ended + askedMs && !isOurs && !isGood) {
        const QString id = submission.allocation.idOf(entry.position);
        const QString state = m_queue.known(id).state;
        if (stopping->why == "time") {
            end(entry, tryUuid, *slurm::resultByCluster(u"TIMEOUT"_s, m_target.id()), &record);
            return;
        }
        if (stopping->why == "signal") {
            // The state that tells a cancelled job from a preempted one comes with its end.
            const bool isKnown = slurm::phaseOf(state) == slurm::Phase::Over || state.isEmpty();
            if (!isKnown) {
                m_queue.refresh();
                return;
            }
            if (const std::optional<core::TryResult> result = slurm::resultByCluster(state, m_target.id())) {
                end(entry, tryUuid, *result, &record);
                return;
            }
            stopJobOnce(entry, state);
        }
    }
    entry.isEndKnown = true;
    core::event::TryEnded event{
        entry.task, tryUuid, {}, record.began, record.ended, record.kind != contract::ExitKind::StartFailed};
    if (record.maxRssKiB > 0) {
        event.usage.peakMemoryMiB = (record.maxRssKiB + 1023) / 1024;
        event.usage.cpuMs = record.userMs + record.systemMs;
    }
    if (!record.left.empty()) {
        event.usage.left.insert(u"processes"_s,
            QJsonArray::fromStringList(QString::fromStdString(record.left).split(u", "_s, Qt::SkipEmptyParts)));
    }
    ExitJudge::About about;
    about.host = m_target.id();
    about.log = entry.folder;
    about.upstreamOrder = entry.job->spec && isStrict(*entry.job->spec);
    about.memory.usedMiB = event.usage.peakMemoryMiB.value_or(0);
    m_judge.judge(event, record, about);
}

void SlurmBackend::endedWithoutRecord(
    LiveTask &entry, const QUuid &tryUuid, Submission &submission, const QString &state)
{
    const bool isOurs = submission.isStopped || submission.stopped.contains(entry.position);
    if (slurm::isCancelled(state) && !isOurs) {
        stopJobOnce(entry, state);
    }
    slurm::EndFacts facts{state, m_target.id(), {}, submission.allocation.lastWords(entry.position), entry.isStarted};
    if (const std::optional<contract::LeadEnd> left = submission.allocation.end(entry.position);
        left && !left->detail.empty()) {
        facts.detail = QString::fromStdString(left->detail);
    }
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
    if (record) {
        event.result.rawExit = record->shellStatus();
    }
    post(*entry.job, event);
}

} // namespace trainyard
