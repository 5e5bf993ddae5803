// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/clusters/copyreserve.h"
#include "engine/clusters/kubebackend.h"
#include "engine/launch/launchplan.h"

#include <algorithm>

// The output of pods, which is copied in parts, and their ends, which are reported when it is here.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int mostReaders = 3, mostVainReads = 5;
constexpr qint64 readPauseMs = 1000, mostReadPauseMs = 10'000, vainPauseMs = 2000;
constexpr qint64 roomPauseMs = 12'000; // a minute in all, for what has ended
constexpr qint64 logPartBytes = 8 << 20;
// A part begins so long before the newest line, in case the clock of the node was set back since, unless that
// is too much. When nothing comes for almost as long, or the task has ended before its newest line by that clock, the
// last line there is looked at.
constexpr qint64 overlapNs = 20'000'000'000, mostOverlapBytes = 1 << 20, leastOverlapBytes = 1 << 17;
constexpr qint64 tailAfterMs = 15'000, tailAgainMs = 60'000;

} // namespace

void KubeBackend::readLogs()
{
    const qint64 now = steadyMs();
    std::vector<std::pair<qint64, QUuid>> due;
    for (const auto &[tryUuid, entry] : m_tries) {
        const bool isOpen = !entry.isEndKnown && !entry.isReading && (entry.end || entry.isStarted);
        if (isOpen && now >= entry.readAt) {
            due.emplace_back(entry.readAt, tryUuid);
        }
    }
    std::sort(due.begin(), due.end());
    const qint64 limit = m_settings.integer(u"log.maxBytes"_s);
    for (const auto &[at, tryUuid] : due) {
        LiveTask *entry = live(tryUuid);
        if (!entry) {
            continue;
        }
        // Without the job's secrets they could not be masked: then there is nothing to read.
        const bool hasAll = entry->pod.isEmpty() || !entry->isStarted || !entry->job->spec
            || entry->vainReads >= mostVainReads || (entry->log && limit > 0 && entry->log->bytes() >= limit);
        if (!hasAll && m_readers < mostReaders) {
            readLog(*entry, tryUuid);
        } else if (hasAll && entry->end) {
            ended(*entry, tryUuid);
        }
    }
}

void KubeBackend::readLog(LiveTask &entry, const QUuid &tryUuid)
{
    if (!entry.log) {
        entry.log = std::make_unique<KubeLog>(
            entry.folder, launch::secretValues(*entry.job->spec), copyReserveBy(m_settings));
    }
    QStringList asked{u"logs"_s, entry.pod, u"--container=task"_s, u"--timestamps"_s,
        u"--limit-bytes="_s + QString::number(logPartBytes)};
    if (entry.tail > 0) {
        asked.append(u"--tail="_s + QString::number(entry.tail));
    } else if (const qint64 last = entry.log->lastNs(); last > 0) {
        asked.append(
            u"--since-time="_s + kube::sinceTime(entry.isOverlapping ? std::max<qint64>(1, last - overlapNs) : last));
    }
    entry.isReading = true;
    ++m_readers;
    const bool isLast = entry.end.has_value();
    m_commands.run(arguments(asked), {}, [this, tryUuid, isLast](const kube::Answer &answer) {
        --m_readers;
        LiveTask *read = live(tryUuid);
        if (!read) {
            return;
        }
        read->isReading = false;
        if (!answer.isGood()) {
            const bool isNotThere = kube::meaningOf(answer) == kube::Meaning::NotFound;
            read->vainReads = !read->end ? 0 : isNotThere ? mostVainReads : read->vainReads + 1;
            read->readAt = steadyMs() + vainPauseMs;
        } else if (read->tail > 0) {
            tailWasRead(*read, answer.out, isLast);
        } else {
            wasRead(*read, tryUuid, answer.out, isLast);
        }
    });
}

bool KubeBackend::lacksRoom(const ActiveJob &job) const
{
    return std::any_of(m_tries.begin(), m_tries.end(), [&job](const auto &each) {
        return each.second.job == &job && !each.second.isEndKnown && each.second.log && each.second.log->lacksRoom();
    });
}

// False: there is no room for them now.
bool KubeBackend::takeLines(LiveTask &entry, const QList<kube::LogLine> &lines, bool isAll)
{
    const qint64 before = entry.log->bytes();
    const bool lackedRoom = entry.log->lacksRoom(), isTaken = entry.log->append(lines, isAll);
    if (entry.log->lacksRoom() != lackedRoom) {
        Q_EMIT described(entry.job, std::nullopt);
    }
    if (!isTaken) {
        entry.vainReads += entry.end ? 1 : 0;
        entry.readAt = steadyMs() + (entry.log->lacksRoom() ? roomPauseMs : vainPauseMs);
        return false;
    }
    if (entry.log->bytes() != before) {
        entry.freshAt = steadyMs();
        const core::JobState &job = entry.job->state;
        Q_EMIT logsGrew(
            entry.job->uuid(), {{job.roleName(entry.task), entry.task.index, job.attempt(), entry.log->bytes()}});
    }
    return true;
}

// `isLast`: the program had ended before it was asked for.
void KubeBackend::wasRead(LiveTask &entry, const QUuid &tryUuid, const QByteArray &said, bool isLast)
{
    const qint64 now = steadyMs();
    entry.freshAt = entry.freshAt == 0 ? now : entry.freshAt;
    const bool isFull = said.size() >= logPartBytes;
    const qint64 lastNs = entry.log->lastNs();
    const QList<kube::LogLine> lines = kube::newLines(kube::logLines(said, isLast && !isFull), lastNs);
    if (!takeLines(entry, lines, isLast && !isFull)) {
        return;
    }
    const bool wasOverlapping = std::exchange(
        entry.isOverlapping, said.size() <= (entry.isOverlapping ? mostOverlapBytes : leastOverlapBytes));
    if (isFull && entry.log->lastNs() > 0) {
        if (entry.log->lastNs() == lastNs && !wasOverlapping && !takeLines(entry, lines, true)) {
            return;
        }
        if (entry.log->lastNs() == lastNs && !wasOverlapping) {
            entry.log->skipSecond(); // more was said in it than an answer holds
        }
        entry.readAt = now;
        return;
    }
    const bool isQuiet = entry.log->lastNs() == lastNs;
    entry.readPauseMs
        = isQuiet ? std::min(mostReadPauseMs, std::max(readPauseMs, entry.readPauseMs * 3 / 2)) : readPauseMs;
    entry.readAt = entry.end ? 0 : now + entry.readPauseMs;
    // The clock of the node is its own: it says nothing about now, but its times can be compared.
    const bool endedBefore = isLast && !entry.isTailSeen && entry.end->record.ended > 0
        && entry.end->record.ended + 1000 < entry.log->lastNs() / 1'000'000;
    const bool isQuietForLong = !isLast && lastNs > 0 && now - entry.freshAt >= tailAfterMs && now >= entry.tailAt;
    if (endedBefore || isQuietForLong) {
        entry.tail = 1;
        entry.tailAt = now + tailAgainMs;
    } else if (isLast) {
        ended(entry, tryUuid);
    }
}

// A last line that is older than the newest one shows that the clock was set back; what came since is looked for then.
void KubeBackend::tailWasRead(LiveTask &entry, const QByteArray &said, bool isLast)
{
    const kube::Tail tail = kube::tailOf(said, {entry.tail, logPartBytes, isLast, entry.isTailNarrowed},
        entry.log->lastNs(), [&entry](const QList<kube::LogLine> &lines) { return entry.log->hasTaken(lines); });
    const bool wasOne = entry.tail == 1;
    entry.readAt = wasOne && !isLast && tail.again == 0 ? steadyMs() + entry.readPauseMs : 0;
    entry.isTailNarrowed = tail.again > 0 && tail.again < entry.tail;
    if (tail.again > 0) {
        entry.tail = tail.again;
        return;
    }
    if (!takeLines(entry, tail.fresh, tail.isAll)) {
        return;
    }
    entry.tail = 0;
    entry.isTailSeen = tail.isAll;
    if (isLast && !tail.isAll && tail.fresh.isEmpty()) { // it prints nothing, and may do so forever
        ++entry.vainReads;
        entry.readAt = steadyMs() + vainPauseMs;
    }
}

void KubeBackend::ended(LiveTask &entry, const QUuid &tryUuid)
{
    if (entry.isEndKnown || !entry.end) {
        return;
    }
    entry.isEndKnown = true;
    const contract::ExitRecord &record = entry.end->record;
    const std::string folder = pathBytes(entry.folder);
    // For the next run of the engine, which may not find the pod any more.
    if (contract::makeFolders(folder) == 0 && record.kind != contract::ExitKind::Lost) {
        (void)contract::writeAtomically(folder + '/' + contract::file::exit, record.format(), false);
    }
    if (entry.end->byCluster) {
        core::event::TryEnded event{entry.task, tryUuid, *entry.end->byCluster, record.began,
            record.ended > 0 ? record.ended : nowMs(), entry.isStarted};
        if (record.kind != contract::ExitKind::Lost) {
            event.result.rawExit = record.shellStatus();
        }
        post(*entry.job, event);
        return;
    }
    m_judge.judge(endByRecord(entry.task, tryUuid, record), record,
        ExitJudge::aboutEnd(*entry.job, entry.task, record, m_target.id(), entry.folder));
}

} // namespace trainyard
