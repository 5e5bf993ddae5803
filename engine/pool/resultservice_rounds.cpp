// SPDX-License-Identifier: GPL-3.0-or-later
// One round of bringing files of a task: what its host has, what is wanted of it, and what came of that.
#include "engine/backend/clock.h"
#include "engine/pool/resultrules.h"
#include "engine/pool/resultservice.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int mostHostFailures = 10; // one after the other, of a task that has ended
constexpr qint64 saveBookEveryMs = 10000;
constexpr qsizetype mostProblems = 8;
constexpr int bitsOfMiB = 20;

bool isOfFolderHere(const Error &why)
{
    return why.code == "results.no-room"_L1 || why.code == "results.folder-unwritable"_L1;
}

} // namespace

void ResultService::runNext(const QString &host)
{
    const PoolHost *at = m_hosts.find(host);
    if (!at || !at->agent || !at->agent->isOnline() || m_rounds.contains(host)) {
        return;
    }
    const qint64 now = steadyMs();
    const auto isFree = [this](const QString &to) {
        return std::none_of(
            m_rounds.begin(), m_rounds.end(), [&to](const auto &round) { return round.second->task.to == to; });
    };
    // Ended tasks wait for nothing else; the others take turns.
    const auto isBefore = [](const Entry &a, const Entry &b) {
        return a.task.hasEnded != b.task.hasEnded ? a.task.hasEnded : a.lastMs < b.lastMs;
    };
    auto next = m_entries.end();
    for (auto it = m_entries.begin(); it != m_entries.end(); ++it) {
        const Entry &entry = it->second;
        const bool mayBe = entry.task.host == host && (entry.isDue || entry.task.hasEnded) && entry.restsUntil <= now
            && isFree(entry.task.to);
        if (mayBe && (next == m_entries.end() || isBefore(entry, next->second))) {
            next = it;
        }
    }
    if (next == m_entries.end()) {
        return;
    }
    next->second.isDue = false;
    next->second.lastMs = now;
    auto round = std::make_unique<Round>();
    round->task = next->second.task;
    const QUuid tryUuid = round->task.tryUuid;
    const QString folder = round->task.folder;
    const QStringList globs = round->task.globs;
    m_rounds[host] = std::move(round);
    agentfiles::listMade(at->agent.get(), folder, globs, mostResultFiles, this,
        [this, host, tryUuid](const Result<AgentFileList> &found) { listed(host, tryUuid, found); });
}

ResultService::Round *ResultService::roundOf(const QString &host, const QUuid &tryUuid)
{
    const auto it = m_rounds.find(host);
    return it != m_rounds.end() && it->second->task.tryUuid == tryUuid ? it->second.get() : nullptr;
}

void ResultService::listed(const QString &host, const QUuid &tryUuid, const Result<AgentFileList> &found)
{
    Round *round = roundOf(host, tryUuid);
    if (!round) {
        return;
    }
    if (!found && found.error().code != "results.no-folder"_L1) {
        endRound(host, found.error());
        return;
    }
    if (!found && round->task.hasEnded) { // before it ends it may not have begun to work there
        round->look.ofFiles.append({found.error().code, found.error().args});
    }
    round->look.found = found ? *found : AgentFileList();
    m_disk.run(this, [this, host, tryUuid, to = round->task.to, files = round->look.found.files] {
        BringBook book = bringing::readBook(to);
        bringing::addFound(to, files, book);
        return [this, host, tryUuid, book] {
            if (Round *again = roundOf(host, tryUuid)) {
                again->look.book = book;
                bring(host, tryUuid);
            }
        };
    });
}

void ResultService::bring(const QString &host, const QUuid &tryUuid)
{
    Round &round = *roundOf(host, tryUuid);
    const PoolHost *at = m_hosts.find(host);
    if (!at) {
        endRound(host, {u"host.gone"_s, {}});
        return;
    }
    const ResultTask &task = round.task;
    const qint64 fileBytes = task.maxFileMiB << bitsOfMiB;
    round.look.plan = planOf(round.look.found.files, task.globs, round.look.book, task.order,
        {fileBytes, task.maxMiB << bitsOfMiB, mostResultFiles});
    round.isPlanned = true;
    if (round.look.plan.files.isEmpty()) {
        endRound(host, {});
        return;
    }
    m_disk.run(this, [folder = QFileInfo(task.to).path()] {
        bringing::hideFromGit(folder);
        return [] {};
    });
    const QPointer<AgentConnection> agent(at->agent.get());
    auto read = [this, agent, folder = task.folder](
                    const QString &path, qint64 offset, qint64 bytes, const FileBringer::Answer &answer) {
        agentfiles::read(agent, folder, path, offset, bytes, this, answer);
    };
    round.bringer = std::make_unique<FileBringer>(m_disk,
        FileBringer::Wanted{read, task.to, round.look.plan.files, round.look.book, task.order, fileBytes,
            round.look.plan.spareBytes, u"engine"_s, host});
    FileBringer *bringer = round.bringer.get();
    connect(bringer, &FileBringer::brought, this, [this, host, tryUuid](const QString &path, const KnownFile &known) {
        noteBrought(host, tryUuid, path, known);
    });
    connect(bringer, &FileBringer::progressed, this, [this, job = task.job] { noteMoved(job); });
    connect(bringer, &FileBringer::failed, this, [this, host, tryUuid](const Error &why) {
        Round *of = roundOf(host, tryUuid);
        if (of && of->look.ofFiles.size() < mostProblems) {
            of->look.ofFiles.append({why.code, why.args});
        }
    });
    connect(bringer, &FileBringer::ended, this, [this, host, tryUuid](const Error &why) {
        if (roundOf(host, tryUuid)) {
            endRound(host, why);
        }
    });
    bringer->start();
}

void ResultService::noteBrought(const QString &host, const QUuid &tryUuid, const QString &path, const KnownFile &known)
{
    Round *round = roundOf(host, tryUuid);
    if (!round) {
        return;
    }
    round->look.book.insert(path, known);
    ++round->brought;
    if (steadyMs() - round->savedMs < saveBookEveryMs) {
        return;
    }
    round->savedMs = steadyMs();
    m_disk.run(this, [to = round->task.to, book = round->look.book] {
        bringing::writeBook(to, book);
        return [] {};
    });
}

void ResultService::endRound(const QString &host, const Error &ended)
{
    const auto it = m_rounds.find(host);
    const std::unique_ptr<Round> round = std::move(it->second);
    m_rounds.erase(it);
    // The files of a folder that cannot be read now are not in the list, and are brought later.
    AgentFileList &found = round->look.found;
    const bool lacksFolder = ended.code.isEmpty() && found.isUnreadableNow;
    Error why = lacksFolder
        ? Error{u"results.host-failed"_s, {{u"path"_s, found.unreadable}, {u"reason"_s, found.unreadableWhy}}}
        : ended;
    if (lacksFolder) {
        found.unreadable.clear(); // it is reported once
    }
    if (round->bringer) {
        round->bringer->disconnect(this);
        round->bringer.release()->deleteLater(); // it is the caller of this
        noteMoved(round->task.job); // nothing of it is on its way now
    }
    const ResultTask task = round->task;
    const auto entry = m_entries.find(task.tryUuid);
    const bool isOfHost = why.code == "results.host-failed"_L1;
    const bool isAway = agentfiles::isAway(why); // its results may be there
    bool isGivenUp = false;
    if (entry != m_entries.end()) {
        int &failures = entry->second.hostFailures;
        failures = isOfHost && !isAway && task.hasEnded ? failures + 1 : 0;
        isGivenUp = failures >= mostHostFailures;
        if (why.code != "host.gone"_L1 && isGoneForGood(entry->second, isAway && task.hasEnded)) {
            isGivenUp = true;
            why = folderGone(task);
        }
    }
    const bool isRest = isOfFolderHere(why) || (isOfHost && !isGivenUp);
    const bool isLater = why.code == "host.gone"_L1 || isRest;
    const bool isLast = task.hasEnded && !isLater;
    if (round->brought > 0) {
        m_disk.run(this, [to = task.to, book = round->look.book] {
            bringing::writeBook(to, book);
            return [] {};
        });
    }
    round->look.why = why;
    const QList<BringProblem> problems = resultProblems(task, round->look);
    tell(task, [&](BroughtFiles &told) {
        told.problems = problems;
        told.isPending = entry != m_entries.end() && entry->second.task.hasEnded && !isLast;
        told.at = round->brought > 0 ? nowMs() : told.at;
        if (round->isPlanned) {
            told.files = int(round->look.book.size());
            told.bytes = 0;
            for (const KnownFile &known : round->look.book) {
                told.bytes += known.bytes;
            }
        }
    });
    if (entry != m_entries.end()) {
        if (isRest && task.hasEnded == entry->second.task.hasEnded) { // that it has ended is tried at once
            entry->second.restsUntil = steadyMs() + restMs();
        }
        entry->second.wasTried
            = entry->second.wasTried || (task.hasEnded && (!isLater || isOfFolderHere(why) || isAway));
        if (isLast) {
            close(task.tryUuid);
        } else {
            releaseRemovals(task.job, host);
        }
    }
    runNext(host);
}

// This is recorded because an engine may not run for long: each one would start the wait over, and ask for the login of
// that host.
bool ResultService::isGoneForGood(Entry &entry, bool isAway) const
{
    entry.awayAnswers = isAway ? entry.awayAnswers + 1 : 0;
    const qint64 now = nowMs(), before = entry.task.awaySince;
    const qint64 since = !isAway ? 0 : before > 0 && before <= now ? before : now;
    if (std::exchange(entry.task.awaySince, since) != since) {
        m_notes.write(entry.task);
    }
    return trainyard::isGoneForGood(since, entry.awayAnswers, now);
}

} // namespace trainyard
