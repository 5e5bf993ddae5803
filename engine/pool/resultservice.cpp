// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/resultservice.h"

#include "engine/backend/clock.h"

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 longestRestMs = 60000;
constexpr int saveToldAfterMs = 1000;
constexpr int tellMovedAfterMs = 1000;

} // namespace

ResultService::ResultService(const AgentFolders &folders, const Settings &settings, const HostPool &hosts)
    : m_folders(folders), m_settings(settings), m_hosts(hosts), m_notes(folders.local().state() + u"/results"_s)
{
    connect(&m_timer, &QTimer::timeout, this, &ResultService::look);
    m_saveTimer.setSingleShot(true);
    m_saveTimer.setInterval(saveToldAfterMs);
    connect(&m_saveTimer, &QTimer::timeout, this, &ResultService::writeTold);
    m_movedTimer.setSingleShot(true);
    m_movedTimer.setInterval(tellMovedAfterMs);
    connect(&m_movedTimer, &QTimer::timeout, this, [this] {
        const QSet<QString> jobs = std::exchange(m_moved, {});
        for (const QString &job : jobs) {
            Q_EMIT moved(job);
        }
    });
    const QList<ResultTask> unfinished = m_notes.unfinished();
    for (const ResultTask &task : unfinished) {
        m_entries[task.tryUuid].task = task;
        tell(task, [&task](BroughtFiles &told) { told.isPending = told.isPending || task.hasEnded; });
        if (!task.removal.isEmpty()) {
            m_removed.insert(task.job);
        }
    }
    if (!m_entries.empty()) {
        m_timer.start(int(m_settings.integer(u"results.everySeconds"_s) * 1000));
    }
}

ResultService::~ResultService()
{
    for (auto &[host, round] : m_rounds) {
        if (round->bringer) {
            round->bringer->disconnect(this);
            round->bringer->cancel(FileBringer::Part::Keep);
        }
        if (round->brought > 0) { // after what that thread is writing there
            m_disk.run(this, [to = round->task.to, book = round->look.book] {
                bringing::writeBook(to, book);
                return [] {};
            });
        }
    }
    writeTold();
}

void ResultService::settle(const std::function<bool(const QUuid &tryUuid)> &isLive)
{
    std::vector<QUuid> over;
    for (const auto &[uuid, entry] : m_entries) {
        if (!entry.task.hasEnded && !isLive(uuid)) {
            over.push_back(uuid);
        }
    }
    for (const QUuid &uuid : over) {
        end(uuid);
    }
}

void ResultService::begin(const ResultTask &task)
{
    if (m_entries.contains(task.tryUuid)) {
        return;
    }
    m_entries[task.tryUuid].task = task;
    m_notes.write(task);
    tell(task, [](BroughtFiles &told) { told.isPending = false; });
    if (!m_timer.isActive()) {
        m_timer.start(int(m_settings.integer(u"results.everySeconds"_s) * 1000));
    }
}

void ResultService::end(const QUuid &tryUuid)
{
    const auto it = m_entries.find(tryUuid);
    if (it == m_entries.end() || it->second.task.hasEnded) {
        return;
    }
    it->second.task.hasEnded = true;
    it->second.restsUntil = 0;
    m_notes.write(it->second.task); // before it is known to have ended: nothing is asked twice then
    tell(it->second.task, [](BroughtFiles &told) { told.isPending = true; });
    runNext(it->second.task.host);
}

void ResultService::hostChanged(const PoolHost &at)
{
    if (at.agent->isOnline()) {
        runNext(at.id);
    }
}

void ResultService::look()
{
    std::set<QString> hosts;
    std::vector<QUuid> lost;
    for (auto &[uuid, entry] : m_entries) {
        entry.isDue = entry.isDue || (entry.task.during && !entry.task.hasEnded);
        hosts.insert(entry.task.host);
        if (entry.task.hasEnded && !m_hosts.find(entry.task.host)) {
            lost.push_back(uuid);
        }
    }
    for (const QUuid &uuid : lost) {
        const ResultTask task = m_entries.at(uuid).task;
        tell(task, [&task](BroughtFiles &told) {
            told.isPending = false;
            told.problems = {{u"results.host-removed"_s, {{u"host"_s, task.host}}}};
        });
        close(uuid);
    }
    for (const QString &host : hosts) {
        runNext(host);
    }
    if (m_entries.empty()) {
        m_timer.stop();
    }
}

void ResultService::close(const QUuid &tryUuid)
{
    const auto it = m_entries.find(tryUuid);
    const ResultTask task = it->second.task;
    m_notes.remove(task);
    m_entries.erase(it);
    if (!task.removal.isEmpty()) {
        const bool isHeld = std::any_of(m_entries.begin(), m_entries.end(), [&task](const auto &each) {
            return each.second.task.job == task.job && each.second.task.host == task.host && !each.second.wasTried;
        });
        if (!isHeld) {
            Q_EMIT removable(task.host, task.removal);
        }
    }
    const bool isLastOfJob = std::none_of(
        m_entries.begin(), m_entries.end(), [&task](const auto &each) { return each.second.task.job == task.job; });
    if (isLastOfJob && m_removed.remove(task.job)) {
        m_told.remove(task.job);
        m_unsaved.remove(task.job);
        m_disk.run(this, [job = task.job, notes = m_notes] {
            notes.removeJob(job);
            return [] {};
        });
    }
}

// A user who removed the job waits for one real attempt, not for a disk that stays full.
void ResultService::releaseRemovals(const QString &job, const QString &host)
{
    std::vector<QUuid> tried;
    for (const auto &[uuid, entry] : m_entries) {
        if (entry.task.job == job && entry.task.host == host && !entry.task.removal.isEmpty()) {
            if (!entry.wasTried) {
                return;
            }
            tried.push_back(uuid);
        }
    }
    for (const QUuid &uuid : tried) {
        close(uuid);
    }
}

bool ResultService::isBusy() const
{
    return !m_rounds.empty() || std::any_of(m_entries.begin(), m_entries.end(), [this](const auto &each) {
        const Entry &entry = each.second;
        const PoolHost *at = m_hosts.find(entry.task.host);
        return entry.task.hasEnded && !entry.wasTried && entry.restsUntil <= steadyMs() && at && at->agent
            && at->agent->isOnline();
    });
}

bool ResultService::awaits(const QString &job, const QString &host) const
{
    return std::any_of(m_entries.begin(), m_entries.end(),
        [&](const auto &each) { return each.second.task.job == job && each.second.task.host == host; });
}

int ResultService::pendingOn(const QString &host) const
{
    return int(std::count_if(m_entries.begin(), m_entries.end(),
        [&host](const auto &each) { return each.second.task.host == host && each.second.task.hasEnded; }));
}

bool ResultService::holdsRemoval(const QString &job, const QString &host, const QString &belowState)
{
    bool holds = false;
    for (auto &[uuid, entry] : m_entries) {
        if (entry.task.job == job && entry.task.host == host && entry.task.hasEnded && !entry.wasTried) {
            entry.task.removal = belowState;
            m_notes.write(entry.task);
            holds = true;
        }
    }
    return holds;
}

void ResultService::forget(const QString &job)
{
    // Files for the folder of the run have no destination any more, and failed ones are not tried again.
    const QString run = m_folders.local().ofJob(job) + u'/';
    m_removed.insert(job);
    std::vector<QUuid> over;
    bool isAny = false;
    for (const auto &[uuid, entry] : m_entries) {
        if (entry.task.job == job) {
            isAny = true;
            if (entry.task.to.startsWith(run) || entry.wasTried || !entry.task.hasEnded) {
                over.push_back(uuid);
            }
        }
    }
    for (const QUuid &uuid : over) {
        const QString host = m_entries.at(uuid).task.host;
        if (Round *round = roundOf(host, uuid)) {
            if (round->bringer) {
                round->bringer->disconnect(this);
                round->bringer->cancel(FileBringer::Part::Drop);
                round->bringer.release()->deleteLater();
            }
            m_rounds.erase(host);
        }
        close(uuid);
        runNext(host);
    }
    if (!isAny) {
        m_removed.remove(job);
        m_told.remove(job);
        m_unsaved.remove(job);
        m_disk.run(this, [job, notes = m_notes] {
            notes.removeJob(job);
            return [] {};
        });
    }
}

QList<BroughtFiles> ResultService::of(const QString &job) const
{
    const auto it = m_told.constFind(job);
    return withArriving(job, it == m_told.cend() ? toldBefore(job) : *it);
}

api::PendingFiles ResultService::pendingOf(const QString &job) const
{
    const auto it = m_told.constFind(job); // has every job of which something is pending
    return it == m_told.cend() ? api::PendingFiles{job} : api::pendingFilesOf(job, withArriving(job, *it));
}

QList<BroughtFiles> ResultService::withArriving(const QString &job, QList<BroughtFiles> all) const
{
    for (const auto &[host, round] : m_rounds) {
        if (round->task.job != job || !round->bringer) {
            continue;
        }
        const ResultTask &task = round->task;
        const auto of = std::find_if(all.begin(), all.end(),
            [&task](const BroughtFiles &each) { return each.role == task.role && each.index == task.index; });
        if (of != all.end()) {
            of->arrived = round->bringer->bytesDone();
            of->expected = round->bringer->bytesWanted();
        }
    }
    return inOrderOfTasks(all);
}

// Pending files have an entry: an engine that crashed may not have recorded their arrival.
QList<BroughtFiles> ResultService::toldBefore(const QString &job) const
{
    QList<BroughtFiles> all = m_notes.told(job);
    for (BroughtFiles &each : all) {
        each.isPending = false;
    }
    return all;
}

void ResultService::tell(const ResultTask &task, const std::function<void(BroughtFiles &)> &change)
{
    if (!m_told.contains(task.job)) {
        m_told.insert(task.job, toldBefore(task.job));
    }
    QList<BroughtFiles> &all = m_told[task.job];
    auto it = std::find_if(all.begin(), all.end(),
        [&task](const BroughtFiles &each) { return each.role == task.role && each.index == task.index; });
    if (it == all.end()) {
        BroughtFiles told;
        told.role = task.role;
        told.index = task.index;
        it = all.insert(all.end(), told);
    }
    const BroughtFiles before = *it;
    it->to = task.to;
    change(*it);
    if (*it != before || before.to.isEmpty()) {
        m_unsaved.insert(task.job);
        if (!m_saveTimer.isActive()) {
            m_saveTimer.start();
        }
        noteMoved(task.job);
    }
    if (before.isPending && !it->isPending
        && std::none_of(all.cbegin(), all.cend(), [](const BroughtFiles &each) { return each.isPending; })) {
        Q_EMIT settled(task.job);
    }
}

void ResultService::noteMoved(const QString &job)
{
    m_moved.insert(job);
    if (!m_movedTimer.isActive()) {
        m_movedTimer.start();
    }
}

// Now and then: it is the list of all tasks, and a job may have thousands that begin and end together.
void ResultService::writeTold()
{
    const QSet<QString> jobs = std::exchange(m_unsaved, {});
    for (const QString &job : jobs) {
        m_disk.run(this, [job, all = m_told.value(job), notes = m_notes] {
            notes.writeTold(job, all);
            return [] {};
        });
    }
}

qint64 ResultService::restMs() const
{
    return std::min(longestRestMs, 2000 * m_settings.integer(u"results.everySeconds"_s));
}

} // namespace trainyard
