// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/clusters/copyreserve.h"
#include "engine/clusters/openpaibackend.h"
#include "engine/contract/taskfolder.h"
#include "engine/launch/launchplan.h"

#include <QRandomGenerator>

#include <algorithm>
#include <utility>

// Handles the answers of an OpenPAI cluster about a job: the states of its tasks, their output, and their ends.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 mostPollMs = 60'000;
constexpr qint64 mostRestMs = 300'000; // of the timer
constexpr qint64 wordsMs = 60'000; // between questions for the events of a job that waits
constexpr qint64 lastLogsMs = 20'000; // for the rest of the output ...
constexpr qint64 lastLogsEachMs = 1000; // ... which is asked for again after this
constexpr int quietAfterStop = 3; // answers
constexpr int mostFormer = 10; // attempts there that are reported, the newest
constexpr qint64 bytesPerLookMs = 256; // of logs only available as a whole, for a millisecond of pause

// The earlier of two times, of which 0 is none.
qint64 earlierOf(qint64 a, qint64 b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

} // namespace

// So that the engines of a group do not ask all at once.
qint64 OpenPaiBackend::aroundMs(qint64 ms) { return ms * (80 + QRandomGenerator::global()->bounded(41)) / 100; }

// ---- what is known of it ----

void OpenPaiBackend::learn(Run &run, const openpai::JobThere &there)
{
    const bool isNew = there != run.known;
    run.quiet = isNew ? 0 : run.quiet + 1;
    run.known = there;
    for (auto &[task, live] : run.tasks) {
        const openpai::TaskThere *its = there.task(run.job->state.roleName(task), task.index);
        if (!live.isStarted && its && its->hasBegun()) {
            live.isStarted = true;
            post(*run.job, core::event::TryStarted{task, live.tryUuid, {}, its->launched});
        }
        if (isNew) {
            Q_EMIT described(run.job, task);
        }
    }
    if (isNew) {
        Q_EMIT described(run.job, std::nullopt);
    }
    askForFormer(run);
    if (there.isFinal()) {
        finish(run);
        return;
    }
    // It has said that it has heard the stop, and says again and again that it runs the job as before.
    const bool isForgotten = !there.isStopRequested && there.state != "STOPPING"_L1 && run.quiet >= quietAfterStop;
    if (run.isStopWanted && (!run.isStopAsked || isForgotten)) {
        stop(run);
        return;
    }
    if (there.state == "WAITING"_L1) {
        askForWords(run);
    }
    if (run.logsAt == 0 || steadyMs() >= run.logsAt) {
        copyLogs(run);
    }
    // While nothing changes it is asked less often.
    const qint64 pause = std::min(std::max(mostPollMs, pollMs()), pollMs() * (2 + std::min(run.quiet, 20)) / 2);
    run.askAt = steadyMs() + aroundMs(pause);
    planNext();
}

void OpenPaiBackend::askForWords(Run &run)
{
    if (run.wordsAt > 0 && steadyMs() - run.wordsAt < wordsMs) {
        return;
    }
    run.wordsAt = steadyMs();
    m_client.events(run.name, [this, of = run.job, name = run.name](const OpenPaiClient::Answer &answer) {
        Run *known = find(of, name);
        if (known && answer.isGood() && known->words != openpai::waitWords(answer.object())) {
            known->words = openpai::waitWords(answer.object());
            Q_EMIT described(of, std::nullopt);
        }
    });
}

QStringList OpenPaiBackend::Run::formerEnds() const
{
    QStringList ends;
    for (const auto &each : former) {
        if (!each.second.isEmpty()) {
            ends.append(each.second);
        }
    }
    return ends;
}

// Each once: they change no more.
void OpenPaiBackend::askForFormer(Run &run)
{
    for (int attempt = std::max(0, run.known.attempt - mostFormer); attempt < run.known.attempt; ++attempt) {
        if (!run.former.emplace(attempt, QString()).second) {
            continue;
        }
        ++run.formerAsked;
        m_client.jobAttempt(
            run.name, attempt, [this, of = run.job, name = run.name, attempt](const OpenPaiClient::Answer &answer) {
                Run *known = find(of, name);
                if (!known) {
                    return;
                }
                --known->formerAsked;
                if (const auto there = answer.isGood() ? openpai::jobOf(answer.object()) : std::nullopt) {
                    known->former[attempt] = openpai::endWords(*there);
                    for (const auto &[task, live] : known->tasks) {
                        Q_EMIT described(of, task);
                    }
                }
                if (known->isOver) {
                    finish(*known);
                }
            });
    }
}

// The rest stays with the cluster.
bool OpenPaiBackend::isLogFull(const Live &live) const
{
    const qint64 limit = m_settings.integer(u"log.maxBytes"_s);
    return live.log && limit > 0 && live.log->bytes() >= limit;
}

void OpenPaiBackend::copyLogs(Run &run)
{
    run.logsAt = steadyMs() + (run.isOver ? std::min(pollMs(), lastLogsEachMs) : pollMs());
    // Without the job's secrets they could not be masked, and would reach the disk.
    if (!run.job->spec) {
        return;
    }
    const QStringList secrets = launch::secretValues(*run.job->spec);
    std::vector<core::TaskRef> begun;
    for (const auto &[task, live] : run.tasks) {
        const openpai::TaskThere *its = run.known.task(run.job->state.roleName(task), task.index);
        if (its && its->hasBegun() && !live.isLogWhole && !isLogFull(live)) {
            begun.push_back(task);
        }
    }
    for (const core::TaskRef task : begun) {
        Live &live = run.tasks.at(task);
        const core::JobState &job = run.job->state;
        if (!live.log) {
            const QString folder = m_folders.ofTry(
                run.job->uuid(), run.attempt, job.roleName(task), task.index, job.task(task).tryIndex);
            live.log = std::make_unique<OpenPaiLog>(m_client, folder, secrets, copyReserveBy(m_settings));
        }
        if (live.log->isBusy()) {
            continue;
        }
        const QString role = job.roleName(task);
        const int taskAttempt = run.known.task(role, task.index)->attempt;
        live.log->look({run.name, run.known.attempt, role, task.index, taskAttempt},
            [this, of = run.job, name = run.name, task, isLast = run.isOver] {
                Run *known = find(of, name);
                if (known && known->tasks.contains(task)) {
                    Live &its = known->tasks.at(task);
                    its.isLogWhole = isLast && its.log->wasHad();
                    copied(*known, task);
                }
            });
    }
}

void OpenPaiBackend::copied(Run &run, core::TaskRef task)
{
    Live &live = run.tasks.at(task);
    if (live.log->bytes() != live.logBytes) {
        live.logBytes = live.log->bytes();
        const core::JobState &job = run.job->state;
        Q_EMIT logsGrew(run.job->uuid(), {{job.roleName(task), task.index, run.attempt, live.logBytes}});
    }
    if (std::exchange(live.lacksRoom, live.log->lacksRoom()) != live.lacksRoom) {
        Q_EMIT described(run.job, std::nullopt);
    }
    if (!live.log->knowsPlaces()) {
        run.logsAt = std::max(run.logsAt, steadyMs() + live.log->bytes() / bytesPerLookMs);
    }
    if (run.isOver) {
        finish(run);
    }
}

// It is over there. Its tasks end when the rest of their output is here, or does not come.
void OpenPaiBackend::finish(Run &run)
{
    if (run.isEnded) {
        return;
    }
    const bool isFirst = !run.isOver;
    if (isFirst) {
        run.isOver = true;
        run.askAt = 0;
        run.endAt = steadyMs() + lastLogsMs;
    }
    const auto isMissing = [this, &run](const auto &each) {
        const openpai::TaskThere *its = run.known.task(run.job->state.roleName(each.first), each.first.index);
        return !each.second.isLogWhole && !isLogFull(each.second) && its && its->hasBegun();
    };
    const bool isAnyMissing
        = run.formerAsked > 0 || (run.job->spec && std::any_of(run.tasks.cbegin(), run.tasks.cend(), isMissing));
    if (!isAnyMissing || steadyMs() >= run.endAt) {
        tellEnds(run);
        return;
    }
    if (isFirst || steadyMs() >= run.logsAt) {
        copyLogs(run);
    }
    planNext();
}

void OpenPaiBackend::tellEnds(Run &run)
{
    run.isEnded = true;
    ActiveJob &job = *run.job;
    const openpai::Ends ends = openpai::endsOf(run.known, job.state, m_target.id(), run.formerEnds());
    if (ends.isStopped && !run.isStopWanted && !job.state.stopRequested) {
        post(job, core::event::StopRequested{{u"openpai.stopped"_s, {{u"target"_s, m_target.id()}}}});
    }
    if (ends.overruled && !run.isStopWanted) {
        post(job, core::event::PlacementFailed{run.attempt, {}, *ends.overruled});
    }
    for (const core::event::TryEnded &ended : ends.tries) {
        if (run.tasks.contains(ended.task)) {
            noteExit(run, ended);
            post(job, ended);
        }
    }
}

// Clients that follow the output see that nothing more arrives.
void OpenPaiBackend::noteExit(const Run &run, const core::event::TryEnded &ended) const
{
    const Live &live = run.tasks.at(ended.task);
    if (!live.log) {
        return;
    }
    live.log->end();
    contract::ExitRecord record;
    record.kind = contract::ExitKind::Exited;
    const int code = ended.result.code;
    record.value = ended.result.rawExit.value_or(code == 0 ? 0 : code > 0 && code < 256 ? code : 1);
    record.began = ended.began;
    record.ended = ended.ended;
    record.bytes = std::uint64_t(live.log->bytes());
    const core::JobState &job = run.job->state;
    const QString folder = m_folders.ofTry(
        run.job->uuid(), run.attempt, job.roleName(ended.task), ended.task.index, job.task(ended.task).tryIndex);
    contract::writeAtomically(
        pathBytes(folder + u'/' + QLatin1StringView(contract::file::exit)), record.format(), false);
}

void OpenPaiBackend::endAll(Run &run, const core::TryResult &result)
{
    run.isEnded = true;
    if (run.mayComeLate && !run.isTaken) {
        m_late.watch(run.name, run.place);
    }
    for (const auto &[task, live] : run.tasks) {
        post(*run.job, core::event::TryEnded{task, live.tryUuid, result, 0, nowMs(), live.isStarted});
    }
}

// ---- time ----

void OpenPaiBackend::planNext()
{
    qint64 next = 0;
    for (const auto &[job, run] : m_runs) {
        if (run->isEnded) {
            continue;
        }
        next = earlierOf(next, run->isAsking ? 0 : run->askAt);
        next = earlierOf(next, run->isOver ? std::min(run->endAt, run->logsAt) : 0);
        const bool isCopied = m_client.hasToken()
            && std::any_of(
                run->tasks.cbegin(), run->tasks.cend(), [](const auto &each) { return each.second.log != nullptr; });
        next = earlierOf(next, isCopied && !run->isOver ? run->logsAt : 0);
    }
    if (next > 0) {
        m_timer.start(int(std::clamp<qint64>(next - steadyMs(), 1, mostRestMs)));
    }
}

void OpenPaiBackend::look()
{
    const qint64 now = steadyMs();
    std::vector<std::pair<ActiveJob *, QString>> all; // what is done may end some of them
    for (const auto &[job, run] : m_runs) {
        all.emplace_back(job, run->name);
    }
    for (const auto &[job, name] : all) {
        Run *run = find(job, name);
        if (!run || run->isEnded) {
            continue;
        }
        if (run->isOver) {
            finish(*run);
            continue;
        }
        if (run->askAt > 0 && now >= run->askAt) {
            advance(*run);
        }
        if (run->logsAt > 0 && now >= run->logsAt && run->isTaken && m_client.hasToken()) {
            copyLogs(*run);
        }
    }
    planNext();
}

} // namespace trainyard
