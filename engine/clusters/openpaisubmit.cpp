// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/openpaibackend.h"
#include "engine/clusters/openpaidocument.h"
#include "engine/launch/launchplan.h"
#include "model/base/utf8.h"

#include <QFile>

#include <algorithm>
#include <cstring>

// How a job is handed to an OpenPAI cluster, exactly once, and how it is asked for and stopped there.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 mostPauseBetweenTriesMs = 300'000; // between tries of what does not go
constexpr qint64 absentMs = 300'000; // the cluster has said for so long that it does not have the job
constexpr qint64 absentStoppedMs = 15'000; // what comes later is stopped then (OpenPaiLate)

// Nothing is known of what it was asked for. A proxy says that it is busy also when the server behind it has the call.
bool isUnheardCall(const OpenPaiClient::Answer &answer)
{
    const openpai::Failure &failure = answer.failure;
    return failure.verdict == openpai::Verdict::Silent
        || (failure.verdict == openpai::Verdict::Busy && !failure.isOfCluster);
}

} // namespace

qint64 OpenPaiBackend::pollMs() const { return m_settings.integer(u"clusters.pollSeconds"_s) * 1000; }

OpenPaiBackend::Run *OpenPaiBackend::find(ActiveJob *job, const QString &name)
{
    const auto it = m_runs.find(job);
    return it != m_runs.end() && it->second->name == name ? it->second.get() : nullptr;
}

bool OpenPaiBackend::isWanted(const QString &name) const
{
    return std::any_of(m_runs.cbegin(), m_runs.cend(),
        [&name](const auto &each) { return each.second->name == name && !each.second->isEnded; });
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
                           // An event of the same tick may have ended it.
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
            advance(run);
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
        advance(*it->second);
    }
}

bool OpenPaiBackend::isUnheardStop(const Run &run) const
{
    const bool isAny = std::any_of(run.tasks.cbegin(), run.tasks.cend(), [&run](const auto &each) {
        return std::holds_alternative<core::Stopping>(run.job->state.task(each.first).state);
    });
    return run.isStopWanted && isAny && !run.trouble.code.isEmpty() && !run.isEnded && !run.isOver;
}

bool OpenPaiBackend::giveUp(ActiveJob &job)
{
    const auto it = m_runs.find(&job);
    if (it == m_runs.end() || !isUnheardStop(*it->second)) {
        return false;
    }
    Run &run = *it->second;
    run.isEnded = true;
    if (run.isSent) { // it is stopped when the cluster answers again: the one that was asked, if its note has no other
        m_late.watch(run.name, run.place.isEmpty() ? placeNow() : run.place);
    }
    for (const auto &[task, live] : run.tasks) {
        post(job,
            core::event::TryEnded{task, live.tryUuid,
                {openpai::codeLost, {}, u"stop.given-up"_s,
                    {{u"target"_s, m_target.id()},
                        {u"look"_s, u"trainyardctl targets jobs %1 %2"_s.arg(m_target.id(), run.name)}}},
                0, nowMs(), false});
    }
    return true;
}

// Whatever is to be done about it next.
void OpenPaiBackend::advance(Run &run)
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
        run.trouble = *whyNotAsked();
        Q_EMIT described(run.job, std::nullopt); // it goes on once it has been handed over
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
    run.place = placeNow();
    if (const Result<void> noted = note(run, false); !noted) {
        later(run, noted.error(), 0);
        return;
    }
    run.isSent = run.isAsking = true;
    m_late.drop(run.name);
    m_client.submit(
        *document, [this, of = run.job, name = run.name, place = run.place](const OpenPaiClient::Answer &answer) {
            Run *known = find(of, name);
            if (known && !known->isEnded) {
                sent(*known, answer);
            } else if (answer.isGood() || answer.failure.verdict == openpai::Verdict::Conflict
                || (isUnheardCall(answer) && !answer.failure.isBeforeCall)) {
                m_late.watch(name, place); // it is no longer needed
            }
        });
}

// A server may repeat the document that it does not take, and the document has the values of secrets.
void OpenPaiBackend::hideSecrets(Error &error, const Run &run, const QByteArray &body)
{
    if (error.code.isEmpty() || !run.job->spec) {
        return;
    }
    const contract::Secrets secrets(utf8Of(launch::secretValues(*run.job->spec)));
    if (const QString message = openpai::messageOf(body, secrets); !message.isEmpty()) {
        error.args.insert(u"detail"_s, message);
    }
}

void OpenPaiBackend::sent(Run &run, const OpenPaiClient::Answer &answer)
{
    run.isAsking = false;
    openpai::Failure failure = answer.failure;
    hideSecrets(failure.error, run, answer.body);
    switch (failure.verdict) {
    case openpai::Verdict::Good:
    case openpai::Verdict::Conflict: // no other job has this name
        taken(run);
        advance(run);
        return;
    case openpai::Verdict::Missing:
    case openpai::Verdict::Refused:
        if (failure.isOfCluster) {
            endAll(run, {openpai::codeRefused, {}, failure.error.code, failure.error.args});
        } else { // what the cluster knows of it is not known
            run.mayComeLate = true;
            later(run, failure.error, answer.retryAfterMs);
        }
        return;
    case openpai::Verdict::Silent:
    case openpai::Verdict::Busy:
    case openpai::Verdict::Login:
        run.mayComeLate = run.mayComeLate || (isUnheardCall(answer) && !failure.isBeforeCall);
        // It is sent when it is certain that the cluster does not have it, and so it is still.
        if (!run.mayComeLate && (failure.isBeforeCall || failure.verdict == openpai::Verdict::Login)) {
            run.isSent = false;
            QFile::remove(noteOf(*run.job, run.attempt));
            if (run.isStopWanted) {
                advance(run);
                return;
            }
        }
        later(run, failure.error, answer.retryAfterMs);
        return;
    }
}

void OpenPaiBackend::taken(Run &run)
{
    if (!run.isTaken) {
        run.isTaken = true;
        m_late.drop(run.name);
        note(run, true); // when that fails, the cluster is asked by the name after a restart
    }
    run.failures = 0;
    run.absence.reset();
    m_trouble = {};
    if (!run.trouble.code.isEmpty()) {
        run.trouble = {};
        Q_EMIT described(run.job, std::nullopt);
    }
}

// With growing pauses: a cluster that does not answer is not asked more.
void OpenPaiBackend::later(Run &run, const Error &why, qint64 atLeastMs)
{
    const qint64 pause
        = std::min(mostPauseBetweenTriesMs, std::min<qint64>(5000, pollMs()) << std::min(run.failures++, 8));
    run.askAt = steadyMs() + std::max(aroundMs(pause), atLeastMs);
    run.trouble = m_trouble = asRemoved(why);
    if (!run.isTaken && why.code == "openpai.silent"_L1) {
        run.trouble.code = u"wait.openpai-silent"_s; // the user is informed that nothing starts twice
    }
    Q_EMIT described(run.job, std::nullopt);
    planNext();
}

void OpenPaiBackend::ask(Run &run)
{
    run.isAsking = true;
    m_client.job(run.name, [this, of = run.job, name = run.name, at = placeNow()](const OpenPaiClient::Answer &answer) {
        if (Run *known = find(of, name); known && !known->isEnded) {
            known->isAsking = false;
            if (at == placeNow()) {
                asked(*known, answer);
            } else {
                advance(*known); // what the former place says counts there only
            }
        }
    });
}

void OpenPaiBackend::asked(Run &run, const OpenPaiClient::Answer &answer)
{
    if (answer.isGood()) {
        if (const std::optional<openpai::JobThere> there = openpai::jobOf(answer.object())) {
            if (run.place != placeNow()) { // the same cluster has another address now, or a former version sent it
                run.place = placeNow();
                run.unread = 0;
                (void)note(run, true);
            }
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

// It says that it does not have the job. Another cluster may have it, as long as it is not known where it was sent to.
void OpenPaiBackend::absent(Run &run)
{
    if (run.unread != 0) {
        readNote(run);
    }
    if (run.unread != 0) {
        later(run,
            {u"openpai.note-unread"_s,
                {{u"target"_s, m_target.id()}, {u"file"_s, noteOf(*run.job, run.attempt)},
                    {u"message"_s, QString::fromLocal8Bit(std::strerror(run.unread))}}},
            0);
        m_trouble = {}; // it is that of the job
        return;
    }
    if (isElsewhere(run)) {
        const qsizetype at = run.place.lastIndexOf(u'@'); // an address has none
        later(run,
            {u"openpai.elsewhere"_s,
                {{u"target"_s, m_target.id()}, {u"address"_s, run.place.mid(at + 1)}, {u"user"_s, run.place.left(at)}}},
            0);
        m_trouble = {}; // it is that of the job
        return;
    }
    if (!run.isTaken && !run.isStopWanted) {
        send(run);
        return;
    }
    if (run.isStopWanted && !run.trouble.code.isEmpty()) {
        run.trouble = m_trouble = {}; // it has answered
        Q_EMIT described(run.job, std::nullopt);
    }
    // A request may still arrive although there was no answer. A silent cluster has not denied having the job.
    const qint64 now = steadyMs(), pause = std::min(pollMs(), absentStoppedMs);
    if (run.absence.say(now, pause) >= (run.isStopWanted ? absentStoppedMs : absentMs)) {
        endAll(run,
            run.isTaken ? core::TryResult{openpai::codeLost, {}, u"openpai.gone"_s, {{u"target"_s, m_target.id()}}}
                        : core::TryResult{openpai::codeLost, {}, {}, {}}); // its result is fixed
        return;
    }
    run.askAt = now + aroundMs(pause);
    planNext();
}

void OpenPaiBackend::stop(Run &run)
{
    run.isAsking = true;
    m_client.stopJob(
        run.name, [this, of = run.job, name = run.name, at = placeNow()](const OpenPaiClient::Answer &answer) {
            Run *known = find(of, name);
            if (!known || known->isEnded) {
                return;
            }
            known->isAsking = false;
            const bool isMissing = answer.failure.verdict == openpai::Verdict::Missing;
            if (at != placeNow()) {
                advance(*known);
            } else if (isMissing && (known->unread != 0 || isElsewhere(*known))) {
                absent(*known);
            } else if (answer.isGood() || isMissing) {
                known->isStopAsked = true;
                known->quiet = 0;
                advance(*known);
            } else {
                later(*known, answer.failure.error, answer.retryAfterMs);
            }
        });
}

} // namespace trainyard
