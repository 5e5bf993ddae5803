// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/openpaibackend.h"
#include "engine/clusters/openpaidocument.h"
#include "engine/contract/taskfolder.h"
#include "engine/launch/launchplan.h"

#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <cstring>

// How a job is handed to an OpenPAI cluster, exactly once, and how it is followed and stopped there.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 mostPauseMs = 300'000; // between tries of what does not go
constexpr qint64 mostPollMs = 60'000;
constexpr qint64 wordsMs = 60'000; // between questions for the events of a job that waits
constexpr qint64 absentMs = 300'000; // the cluster has said for so long that it does not have the job
constexpr qint64 absentStoppedMs = 15'000;
constexpr qint64 lastLogsMs = 20'000; // for the rest of the output
constexpr qint64 bytesPerLookMs = 256; // of logs that can be had as a whole only: so many cost a millisecond of pause

std::string localBytes(const QString &path) { return QFile::encodeName(path).toStdString(); }

// Around this time, so that the engines of a group do not ask all at once.
qint64 about(qint64 ms) { return ms * (80 + QRandomGenerator::global()->bounded(41)) / 100; }

// The earlier of two times, of which 0 is none.
qint64 earlier(qint64 a, qint64 b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

} // namespace

qint64 OpenPaiBackend::pollMs() const { return m_settings.integer(u"clusters.pollSeconds"_s) * 1000; }

// ---- notes, which outlive the engine ----

QString OpenPaiBackend::noteOf(const ActiveJob &job, int attempt) const
{
    return m_folders.ofJob(job.uuid()) + u"/openpai-%1"_s.arg(attempt);
}

Result<void> OpenPaiBackend::note(const Run &run, bool isTaken) const
{
    const QString file = noteOf(*run.job, run.attempt), folder = QFileInfo(file).path();
    int error = contract::makeFolders(localBytes(folder));
    error = error != 0 ? error
                       : contract::writeAtomically(
                           localBytes(file), run.name.toStdString() + (isTaken ? "\ntaken\n" : "\nsent\n"), true);
    return error == 0 ? Result<void>()
                      : fail(u"openpai.folder"_s,
                          {{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

OpenPaiBackend::Run &OpenPaiBackend::runOf(ActiveJob &job)
{
    std::unique_ptr<Run> &run = m_runs[&job];
    if (run && run->attempt == job.state.attempt()) {
        return *run;
    }
    run = std::make_unique<Run>();
    run->job = &job;
    run->attempt = job.state.attempt();
    run->name = openpai::nameThere(job.state.meta.runName, job.state.uuid, run->attempt);
    const std::optional<std::string> noted = contract::readWhole(localBytes(noteOf(job, run->attempt)));
    const QStringList lines = noted ? QString::fromStdString(*noted).split(u'\n') : QStringList();
    if (lines.size() > 2) {
        run->name = lines.at(0);
        run->isSent = true;
        run->isTaken = lines.at(1) == "taken"_L1;
    }
    return *run;
}

OpenPaiBackend::Run *OpenPaiBackend::find(ActiveJob *job, const QString &name)
{
    const auto it = m_runs.find(job);
    return it != m_runs.end() && it->second->name == name ? it->second.get() : nullptr;
}

void OpenPaiBackend::post(ActiveJob &job, decltype(core::Event::what) what)
{
    Q_EMIT happened(&job, core::Event{nowMs(), std::move(what)});
}

// ---- after the commit ----

void OpenPaiBackend::perform(const std::vector<JobEffect> &effects)
{
    std::vector<ActiveJob *> touched;
    const auto touch = [&](ActiveJob &job, core::TaskRef task, const QUuid &tryUuid) -> Run & {
        Run &run = runOf(job);
        run.tasks[task].tryUuid = tryUuid;
        if (std::find(touched.cbegin(), touched.cend(), &job) == touched.cend()) {
            touched.push_back(&job);
        }
        return run;
    };
    for (const JobEffect &each : effects) {
        ActiveJob &job = *each.job;
        std::visit(Overloaded{
                       [&](const core::effect::DrawPorts &wanted) { draw(job, wanted); },
                       [&](const core::effect::LaunchTry &launch) { touch(job, launch.task, launch.tryUuid); },
                       [&](const core::effect::ObserveTry &seen) {
                           touch(job, seen.task, seen.tryUuid).tasks[seen.task].isStarted = true;
                       },
                       [&](const core::effect::StopTry &stopping) {
                           // What was told in the same tick may have ended it.
                           if (std::holds_alternative<core::Stopping>(job.state.task(stopping.task).state)) {
                               touch(job, stopping.task, stopping.tryUuid).isStopWanted = true;
                           }
                       },
                       [](const auto &) {},
                   },
            each.effect);
    }
    for (ActiveJob *job : touched) {
        Run &run = *m_runs.at(job);
        const bool wasStarted
            = std::any_of(run.tasks.cbegin(), run.tasks.cend(), [](const auto &each) { return each.second.isStarted; });
        if (wasStarted && !run.isSent) { // its note has gone with its folder
            endAll(run, {openpai::codeLost, {}, u"openpai.gone"_s, {{u"target"_s, m_target.id()}}});
        } else {
            pursue(run);
        }
    }
}

// The cluster draws the ports.
void OpenPaiBackend::draw(ActiveJob &job, const core::effect::DrawPorts &wanted)
{
    core::event::PortsDrawn drawn;
    for (const core::TaskRef task : wanted.tasks) {
        drawn.tasks.push_back({task, core::tryUuid(job.state, task), {}});
    }
    post(job, drawn);
}

void OpenPaiBackend::stopUnwritten(ActiveJob &job)
{
    const auto it = m_runs.find(&job);
    if (it != m_runs.end()) {
        it->second->isStopWanted = true;
        pursue(*it->second);
    }
}

// Whatever is to be done about it next.
void OpenPaiBackend::pursue(Run &run)
{
    if (run.isAsking || run.isEnded || run.isOver) {
        return;
    }
    run.askAt = 0;
    if (!run.isSent && run.isStopWanted) {
        endAll(run, {openpai::codeLost, {}, {}, {}}); // its result is fixed
        return;
    }
    if (!m_client.hasToken()) {
        run.trouble = {u"openpai.no-token"_s, {{u"target"_s, m_target.id()}}};
        Q_EMIT described(run.job, std::nullopt); // it goes on when somebody has handed it over
        return;
    }
    if (!run.isSent) {
        send(run);
    } else if (run.isTaken && run.isStopWanted && !run.isStopAsked) {
        stop(run);
    } else {
        ask(run);
    }
}

void OpenPaiBackend::send(Run &run)
{
    const ActiveJob &job = *run.job;
    if (!job.spec) {
        endAll(run, {openpai::codeNotStarted, {}, job.specError.code, job.specError.args});
        return;
    }
    const openpai::DocumentInput input{
        job.document.yaml, run.name, m_target.virtualCluster, &*job.spec, job.document.parameters.keys()};
    const Result<QByteArray> document = openpai::documentFor(input);
    if (!document) {
        endAll(run, {openpai::codeRefused, {}, document.error().code, document.error().args});
        return;
    }
    if (const Result<void> noted = note(run, false); !noted) {
        later(run, noted.error(), 0);
        return;
    }
    run.isSent = run.isAsking = true;
    m_client.submit(*document, [this, of = run.job, name = run.name](const OpenPaiClient::Answer &answer) {
        if (Run *known = find(of, name)) {
            sent(*known, answer);
        } else if (answer.isGood()) {
            m_client.stopJob(name, [](const OpenPaiClient::Answer &) {}); // nobody wants it any more
        }
    });
}

void OpenPaiBackend::sent(Run &run, const OpenPaiClient::Answer &answer)
{
    run.isAsking = false;
    const openpai::Failure &failure = answer.failure;
    switch (failure.verdict) {
    case openpai::Verdict::Good:
    case openpai::Verdict::Conflict: // no other job has this name
        taken(run);
        pursue(run);
        return;
    case openpai::Verdict::Missing:
    case openpai::Verdict::Refused:
        endAll(run, {openpai::codeRefused, {}, failure.error.code, failure.error.args});
        return;
    case openpai::Verdict::Silent:
    case openpai::Verdict::Busy:
    case openpai::Verdict::Login:
        later(run, failure.error, answer.retryAfterMs);
        return;
    }
}

void OpenPaiBackend::taken(Run &run)
{
    if (!run.isTaken) {
        run.isTaken = true;
        note(run, true); // when that fails, the cluster is asked by the name after a restart
    }
    run.failures = 0;
    run.absentSince = 0;
    m_trouble = {};
    if (!run.trouble.code.isEmpty()) {
        run.trouble = {};
        Q_EMIT described(run.job, std::nullopt);
    }
}

// With growing pauses: a cluster that does not answer is not asked more.
void OpenPaiBackend::later(Run &run, const Error &why, qint64 atLeastMs)
{
    const qint64 pause = std::min(mostPauseMs, std::min<qint64>(5000, pollMs()) << std::min(run.failures++, 8));
    run.askAt = nowMs() + std::max(about(pause), atLeastMs);
    run.trouble = m_trouble = why;
    Q_EMIT described(run.job, std::nullopt);
    planNext();
}

void OpenPaiBackend::ask(Run &run)
{
    run.isAsking = true;
    m_client.job(run.name, [this, of = run.job, name = run.name](const OpenPaiClient::Answer &answer) {
        if (Run *known = find(of, name)) {
            known->isAsking = false;
            asked(*known, answer);
        }
    });
}

void OpenPaiBackend::asked(Run &run, const OpenPaiClient::Answer &answer)
{
    if (answer.isGood()) {
        if (const std::optional<openpai::JobThere> there = openpai::jobOf(answer.object())) {
            taken(run);
            learn(run, *there);
        } else {
            later(run,
                {u"openpai.silent"_s, {{u"target"_s, m_target.id()}, {u"detail"_s, u"HTTP %1"_s.arg(answer.status)}}},
                0);
        }
    } else if (answer.failure.verdict == openpai::Verdict::Missing) {
        absent(run);
    } else {
        later(run, answer.failure.error, answer.retryAfterMs);
    }
}

// It says that it does not have the job.
void OpenPaiBackend::absent(Run &run)
{
    if (!run.isTaken) {
        if (run.isStopWanted) {
            endAll(run, {openpai::codeLost, {}, {}, {}}); // its result is fixed
        } else {
            send(run);
        }
        return;
    }
    const qint64 now = nowMs();
    run.absentSince = run.absentSince == 0 ? now : run.absentSince;
    if (now - run.absentSince >= (run.isStopWanted ? absentStoppedMs : absentMs)) {
        endAll(run, {openpai::codeLost, {}, u"openpai.gone"_s, {{u"target"_s, m_target.id()}}});
        return;
    }
    run.askAt = now + about(std::min(pollMs(), absentStoppedMs));
    planNext();
}

void OpenPaiBackend::stop(Run &run)
{
    run.isAsking = true;
    m_client.stopJob(run.name, [this, of = run.job, name = run.name](const OpenPaiClient::Answer &answer) {
        Run *known = find(of, name);
        if (!known) {
            return;
        }
        known->isAsking = false;
        if (answer.isGood() || answer.failure.verdict == openpai::Verdict::Missing) {
            known->isStopAsked = true;
            known->quiet = 0;
            pursue(*known);
        } else {
            later(*known, answer.failure.error, answer.retryAfterMs);
        }
    });
}

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
    if (there.isFinal()) {
        finish(run);
        return;
    }
    if (run.isStopWanted && !run.isStopAsked) {
        stop(run);
        return;
    }
    if (there.state == "WAITING"_L1) {
        askForWords(run);
    }
    if (run.logsAt == 0 || nowMs() >= run.logsAt) {
        copyLogs(run);
    }
    // While nothing changes it is asked less often.
    const qint64 pause = std::min(std::max(mostPollMs, pollMs()), pollMs() * (2 + std::min(run.quiet, 20)) / 2);
    run.askAt = nowMs() + about(pause);
    planNext();
}

void OpenPaiBackend::askForWords(Run &run)
{
    if (nowMs() - run.wordsAt < wordsMs) {
        return;
    }
    run.wordsAt = nowMs();
    m_client.events(run.name, [this, of = run.job, name = run.name](const OpenPaiClient::Answer &answer) {
        Run *known = find(of, name);
        if (known && answer.isGood() && known->words != openpai::waitWords(answer.object())) {
            known->words = openpai::waitWords(answer.object());
            Q_EMIT described(of, std::nullopt);
        }
    });
}

void OpenPaiBackend::copyLogs(Run &run)
{
    run.logsAt = nowMs() + pollMs();
    // Without the job's secrets nobody could mask them, and they would reach the disk.
    if (!run.job->spec) {
        return;
    }
    const QStringList secrets = launch::secretValues(*run.job->spec);
    std::vector<core::TaskRef> begun;
    for (const auto &[task, live] : run.tasks) {
        const openpai::TaskThere *its = run.known.task(run.job->state.roleName(task), task.index);
        if (its && its->hasBegun() && !live.isLogWhole) {
            begun.push_back(task);
        }
    }
    for (const core::TaskRef task : begun) {
        Live &live = run.tasks.at(task);
        const core::JobState &job = run.job->state;
        if (!live.log) {
            const QString folder = m_folders.ofTry(
                run.job->uuid(), run.attempt, job.roleName(task), task.index, job.task(task).tryIndex);
            live.log = std::make_unique<OpenPaiLog>(m_client, folder, secrets);
        }
        if (live.log->isBusy()) {
            continue;
        }
        const QString role = job.roleName(task);
        const openpai::TaskThere &its = *run.known.task(role, task.index);
        live.log->look({run.name, run.known.attempt, role, task.index, its.attempt}, run.isOver,
            [this, of = run.job, name = run.name, task, isLast = run.isOver] {
                Run *known = find(of, name);
                if (known && known->tasks.contains(task)) {
                    known->tasks.at(task).isLogWhole = isLast;
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
    if (!live.log->knowsPlaces()) {
        run.logsAt = std::max(run.logsAt, nowMs() + live.log->bytes() / bytesPerLookMs);
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
    if (!run.isOver) {
        run.isOver = true;
        run.askAt = 0;
        run.endAt = nowMs() + lastLogsMs;
    }
    const auto isMissing = [&run](const auto &each) {
        const openpai::TaskThere *its = run.known.task(run.job->state.roleName(each.first), each.first.index);
        return !each.second.isLogWhole && its && its->hasBegun();
    };
    const bool isAnyMissing = run.job->spec && std::any_of(run.tasks.cbegin(), run.tasks.cend(), isMissing);
    if (!isAnyMissing || nowMs() >= run.endAt) {
        tellEnds(run);
        return;
    }
    copyLogs(run);
    planNext();
}

void OpenPaiBackend::tellEnds(Run &run)
{
    run.isEnded = true;
    ActiveJob &job = *run.job;
    const openpai::Ends ends = openpai::endsOf(run.known, job.state, m_target.id());
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

// Those who follow the output see that nothing more comes.
void OpenPaiBackend::noteExit(const Run &run, const core::event::TryEnded &ended) const
{
    const Live &live = run.tasks.at(ended.task);
    if (!live.log) {
        return;
    }
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
        localBytes(folder + u'/' + QLatin1StringView(contract::file::exit)), record.format(), false);
}

void OpenPaiBackend::endAll(Run &run, const core::TryResult &result)
{
    run.isEnded = true;
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
        next = earlier(next, run->isAsking ? 0 : run->askAt);
        next = earlier(next, run->isOver ? run->endAt : 0);
        const bool isCopied = m_client.hasToken()
            && std::any_of(
                run->tasks.cbegin(), run->tasks.cend(), [](const auto &each) { return each.second.log != nullptr; });
        next = earlier(next, isCopied && !run->isOver ? run->logsAt : 0);
    }
    if (next > 0) {
        m_timer.start(int(std::clamp<qint64>(next - nowMs(), 1, mostPauseMs)));
    }
}

void OpenPaiBackend::look()
{
    const qint64 now = nowMs();
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
            pursue(*run);
        }
        if (run->logsAt > 0 && now >= run->logsAt && run->isTaken && m_client.hasToken()) {
            copyLogs(*run);
        }
    }
    planNext();
}

} // namespace trainyard
