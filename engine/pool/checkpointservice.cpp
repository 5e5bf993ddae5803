// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/checkpointservice.h"

#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"

#include <QDir>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int lookAtMovesMs = 1000, writePlacesAfterMs = 100;
constexpr qint64 tellMoveEveryMs = 500, tellWaitEveryMs = 20'000, busyRestMs = 5000, waitMinuteMs = 60'000;
constexpr int mostBusyAnswers = 5; // of a host that is busy, one after the other
constexpr int mibBits = 20, gibBits = 30;
constexpr QLatin1StringView ownHost{"local"};

} // namespace

CheckpointService::CheckpointService(const AgentFolders &folders, const Settings &settings, const HostPool &hosts)
    : m_folders(folders), m_settings(settings), m_hosts(hosts)
{
    m_timer.setInterval(lookAtMovesMs);
    connect(&m_timer, &QTimer::timeout, this, &CheckpointService::run);
    m_writeTimer.setSingleShot(true);
    m_writeTimer.setInterval(writePlacesAfterMs);
    connect(&m_writeTimer, &QTimer::timeout, this, &CheckpointService::writePlaces);
}

CheckpointService::~CheckpointService()
{
    for (Move &move : m_moves) {
        drop(move, CheckpointCopy::Part::Keep);
    }
    writePlaces();
}

// ---- where they are ----

CheckpointPlaces &CheckpointService::placesOf(const QString &job) const
{
    const auto known = m_places.find(job);
    return known != m_places.end() ? *known : *m_places.insert(job, readCheckpointPlaces(m_folders.local().ofJob(job)));
}

// Nothing is noted of a task that has run on this computer only.
CheckpointPlace CheckpointService::placeOf(const ActiveJob &job, const QString &task) const
{
    const CheckpointPlaces &known = placesOf(job.uuid());
    const auto place = known.constFind(task);
    return place != known.cend() ? *place : CheckpointPlace{ownHost, m_folders.local().checkpoint(job.uuid())};
}

QString CheckpointService::folderOn(
    const ActiveJob &job, core::TaskRef task, const PoolHost &at, const QUuid &tryUuid) const
{
    const auto waiter = m_waiters.find(tryUuid);
    if (waiter != m_waiters.end() && !waiter->second.folder.isEmpty()) {
        return waiter->second.folder;
    }
    const CheckpointPlace place = placeOf(job, taskLabel(job.state.roleName(task), task.index));
    return place.host == at.id ? place.folder : m_folders.on(at, m_folders.local().checkpoint(job.uuid()));
}

void CheckpointService::launched(const ActiveJob &job, core::TaskRef task, const PoolHost &at, const QUuid &tryUuid)
{
    const QString label = taskLabel(job.state.roleName(task), task.index);
    const CheckpointPlace place{at.id, folderOn(job, task, at, tryUuid)};
    if (placeOf(job, label) != place) {
        placesOf(job.uuid()).insert(label, place);
        m_unwritten.insert(job.uuid());
        m_writeTimer.start();
    }
}

void CheckpointService::writePlaces()
{
    const QSet<QString> jobs = std::exchange(m_unwritten, {});
    for (const QString &job : jobs) {
        writeCheckpointPlaces(m_folders.local().ofJob(job), m_places.value(job));
    }
}

// ---- tries that wait ----

bool CheckpointService::isAwaited(const ActiveJob &job, core::TaskRef task, const PoolHost &at, const QUuid &tryUuid)
{
    if (const auto known = m_waiters.find(tryUuid); known != m_waiters.end()) {
        return !known->second.isSettled;
    }
    const bool isFirst = job.state.attempt() == 0 && job.state.task(task).tryIndex == 0;
    if (isFirst || m_settings.integer(u"checkpoints.maxGiB"_s) == 0) {
        return false;
    }
    const CheckpointPlace from = placeOf(job, taskLabel(job.state.roleName(task), task.index));
    if (from.host == at.id
        || (from.host == ownHost
            && QDir(from.folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))) {
        return false;
    }
    m_waiters[tryUuid].job = job.state.uuid;
    const auto same = std::find_if(m_moves.begin(), m_moves.end(),
        [&](const Move &move) { return move.job == job.state.uuid && move.from == from && move.to == at.id; });
    if (same != m_moves.end()) {
        (same->copy ? same->late : same->tries).insert(tryUuid);
        return true;
    }
    Move &move = m_moves.emplace_back();
    move.job = job.state.uuid;
    move.from = from;
    move.to = at.id;
    move.tries.insert(tryUuid);
    runSoon(); // all tasks of a gang come at once
    return true;
}

std::optional<Error> CheckpointService::problemOf(const QUuid &tryUuid) const
{
    const auto waiter = m_waiters.find(tryUuid);
    return waiter == m_waiters.end() ? std::nullopt : waiter->second.problem;
}

Error CheckpointService::leftBehind(const QUuid &tryUuid) const
{
    const auto waiter = m_waiters.find(tryUuid);
    return waiter == m_waiters.end() ? Error() : waiter->second.left;
}

void CheckpointService::end(const QUuid &tryUuid)
{
    if (m_waiters.erase(tryUuid) == 0) {
        return;
    }
    for (auto move = m_moves.begin(); move != m_moves.end(); ++move) {
        if (!move->tries.remove(tryUuid) && !move->late.remove(tryUuid)) {
            continue;
        }
        if (move->tries.isEmpty() && move->late.isEmpty()) {
            drop(*move, CheckpointCopy::Part::Drop);
            m_moves.erase(move);
            runSoon();
        }
        return;
    }
}

void CheckpointService::forget(const ActiveJob &job)
{
    for (auto move = m_moves.begin(); move != m_moves.end();) {
        if (move->job == job.state.uuid) {
            drop(*move, CheckpointCopy::Part::Drop);
            move = m_moves.erase(move);
        } else {
            ++move;
        }
    }
    std::erase_if(m_waiters, [&job](const auto &each) { return each.second.job == job.state.uuid; });
    if (m_unwritten.contains(job.uuid())) {
        writePlaces();
    }
    m_places.remove(job.uuid());
}

void CheckpointService::hostChanged(const PoolHost &at)
{
    if (!at.agent->isOnline()) {
        for (auto move = m_moves.begin(); move != m_moves.end();) {
            if (move->from.host == at.id || move->to == at.id) {
                drop(*move, CheckpointCopy::Part::Keep);
            }
            if (move->to != at.id) {
                ++move;
                continue;
            }
            const QSet<QUuid> tries = move->tries + move->late; // they ask again when they are launched again
            for (const QUuid &tryUuid : tries) {
                m_waiters.erase(tryUuid);
            }
            move = m_moves.erase(move);
        }
    }
    if (!m_moves.empty()) {
        runSoon();
    }
}

// ---- what is said of them ----

Error CheckpointService::reasonOf(const Move &move) const
{
    const PoolHost *from = m_hosts.find(move.from.host);
    // Files that are not seen now may be found by a later query, and are then copied.
    const bool isUnseen = move.isUnseen && !(move.copy && move.copy->bytesWanted() > 0);
    if (from && (!from->agent->isOnline() || isUnseen)) {
        const qint64 waitMs = m_settings.integer(u"checkpoints.waitMinutes"_s) * waitMinuteMs;
        const qint64 waited = move.awaySinceMs > 0 ? steadyMs() - move.awaySinceMs : 0;
        return {u"checkpoints.waiting"_s,
            {{u"from"_s, move.from.host}, {u"host"_s, move.to},
                {u"minutes"_s, std::max<qint64>(1, (waitMs - waited + waitMinuteMs - 1) / waitMinuteMs)}}};
    }
    return {u"checkpoints.copying"_s,
        {{u"from"_s, move.from.host}, {u"host"_s, move.to}, {u"bytes"_s, move.copy ? move.copy->bytesDone() : 0},
            {u"ofBytes"_s, move.copy ? move.copy->bytesWanted() : 0}}};
}

Error CheckpointService::reasonOf(const QUuid &tryUuid) const
{
    const auto waiter = m_waiters.find(tryUuid);
    if (waiter == m_waiters.end() || waiter->second.isSettled) {
        return {};
    }
    const auto move = std::find_if(m_moves.begin(), m_moves.end(),
        [&tryUuid](const Move &each) { return each.tries.contains(tryUuid) || each.late.contains(tryUuid); });
    return move == m_moves.end() ? Error() : reasonOf(*move);
}

Error CheckpointService::reasonOf(const ActiveJob &job) const
{
    const auto move
        = std::find_if(m_moves.begin(), m_moves.end(), [&job](const Move &each) { return each.job == job.state.uuid; });
    return move == m_moves.end() ? Error() : reasonOf(*move);
}

// ---- bringing them ----

void CheckpointService::runSoon()
{
    if (!std::exchange(m_runsSoon, true)) {
        QMetaObject::invokeMethod(this, &CheckpointService::run, Qt::QueuedConnection);
    }
}

void CheckpointService::run()
{
    m_runsSoon = false;
    if (m_moves.empty()) {
        m_timer.stop();
        return;
    }
    if (!m_timer.isActive()) {
        m_timer.start();
    }
    for (auto each = m_moves.begin(); each != m_moves.end(); ++each) {
        Move &move = *each;
        const PoolHost *to = m_hosts.find(move.to);
        if (move.copy || !to || !to->agent->isOnline()) {
            continue;
        }
        const PoolHost *from = m_hosts.find(move.from.host);
        const bool isUnseen = move.isUnseen && move.restsUntilMs > steadyMs(); // until it is asked again
        if (!from || !from->agent->isOnline() || isUnseen) {
            if (settleAway(each)) {
                runSoon(); // the receiver may have changed the list
                return;
            }
            continue;
        }
        move.awaySinceMs = move.isUnseen ? move.awaySinceMs : 0;
        const bool isBusy = std::any_of(
            m_moves.begin(), m_moves.end(), [&move](const Move &other) { return other.copy && other.to == move.to; });
        if (!isBusy && move.restsUntilMs <= steadyMs()) {
            begin(move);
        }
    }
}

bool CheckpointService::settleAway(const Moves::iterator &move)
{
    const QJsonObject facts{{u"host"_s, move->from.host}, {u"folder"_s, move->from.folder}};
    Waiter without;
    if (!m_hosts.find(move->from.host)) {
        without.left = {u"checkpoints.left-removed"_s, facts};
        settle(move, without);
        return true;
    }
    const qint64 now = steadyMs();
    const bool isNew = move->awaySinceMs == 0;
    move->awaySinceMs = isNew ? now : move->awaySinceMs;
    if (now - move->awaySinceMs >= m_settings.integer(u"checkpoints.waitMinutes"_s) * waitMinuteMs) {
        without.left = {u"checkpoints.left"_s, facts};
        settle(move, without);
        return true;
    }
    if (isNew || now - move->toldMs >= tellWaitEveryMs) {
        move->toldMs = now;
        Q_EMIT described(move->job, move->tries);
    }
    return false;
}

void CheckpointService::begin(Move &move)
{
    const PoolHost &from = *m_hosts.find(move.from.host);
    const PoolHost &to = *m_hosts.find(move.to);
    const QString folder = m_folders.on(to, m_folders.local().checkpoint(move.job.toString(QUuid::WithoutBraces)));
    move.copy = std::make_unique<CheckpointCopy>(CheckpointCopy::Place{from.agent.get(), move.from.folder},
        CheckpointCopy::Place{to.agent.get(), folder}, m_settings.integer(u"checkpoints.maxGiB"_s) << gibBits,
        to.diskFreeMiB < 0 ? -1 : to.diskFreeMiB << mibBits);
    CheckpointCopy *copy = move.copy.get();
    connect(copy, &CheckpointCopy::done, this, [this, copy](const QString &where) {
        if (const auto of = find(copy); of != m_moves.end()) {
            Waiter with;
            with.folder = where;
            settle(of, with);
        }
    });
    connect(copy, &CheckpointCopy::missed, this, [this, copy] {
        if (const auto of = find(copy); of != m_moves.end()) {
            Waiter without;
            without.left
                = {u"checkpoints.left-missing"_s, {{u"host"_s, of->from.host}, {u"folder"_s, of->from.folder}}};
            settle(of, without);
        }
    });
    connect(copy, &CheckpointCopy::failed, this, [this, copy](const Error &why) { ended(copy, why); });
    connect(copy, &CheckpointCopy::progressed, this, [this, copy] {
        const auto of = find(copy);
        if (of != m_moves.end() && steadyMs() - of->toldMs >= tellMoveEveryMs) {
            of->toldMs = steadyMs();
            Q_EMIT described(of->job, of->tries);
        }
    });
    Q_EMIT described(move.job, move.tries);
    copy->start();
}

CheckpointService::Moves::iterator CheckpointService::find(const CheckpointCopy *copy)
{
    return std::find_if(m_moves.begin(), m_moves.end(), [copy](const Move &move) { return move.copy.get() == copy; });
}

void CheckpointService::ended(const CheckpointCopy *copy, const Error &why)
{
    const auto move = find(copy);
    if (move == m_moves.end()) {
        return;
    }
    const bool isCut = why.code == "host.gone"_L1, isBusy = why.code == "results.host-failed"_L1;
    move->isUnseen = copy->isUnseen();
    move->failures = isBusy && !move->isUnseen ? move->failures + 1 : 0;
    if (isCut || (isBusy && move->failures < mostBusyAnswers)) {
        drop(*move, CheckpointCopy::Part::Keep);
        move->tries += std::exchange(move->late, {});
        move->restsUntilMs = steadyMs() + (isBusy ? busyRestMs : lookAtMovesMs);
        return; // the timer goes on with it
    }
    Waiter failed;
    failed.problem = why;
    failed.problem->code = isBusy ? u"checkpoints.host-failed"_s : why.code;
    failed.problem->args.insert(u"from"_s, move->from.host);
    failed.problem->args.insert(u"host"_s, move->to);
    settle(move, failed);
}

void CheckpointService::settle(const Moves::iterator &move, const Waiter &as)
{
    drop(*move, CheckpointCopy::Part::Keep);
    const QUuid job = move->job;
    const QSet<QUuid> tries = std::exchange(move->tries, std::exchange(move->late, {}));
    if (move->tries.isEmpty()) {
        m_moves.erase(move);
    }
    runSoon();
    for (const QUuid &tryUuid : tries) {
        Waiter &waiter = m_waiters[tryUuid];
        waiter = as;
        waiter.job = job;
        waiter.isSettled = true;
    }
    Q_EMIT ready(job, tries);
}

void CheckpointService::drop(Move &move, CheckpointCopy::Part part)
{
    if (move.copy) {
        move.copy->disconnect();
        move.copy->cancel(part);
        move.copy.release()->deleteLater(); // it may be the caller of this
    }
}

} // namespace trainyard
