// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/lead.h"

#include "engine/agent/environment.h"
#include "engine/agent/lead_p.h"
#include "engine/agent/leadclaim.h"
#include "engine/agent/leadcommands.h"
#include "engine/agent/leadrules.h"
#include "engine/agent/leadstep.h"
#include "engine/agent/pump.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/slurmtime.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace trainyard::agent
{
namespace
{

using contract::LeadEnd;
using contract::LeadPlaces;
using contract::LeadPlan;
using contract::LeadTask;

// How long it may take until the cluster has told that it ends a task, whose end was seen first.
constexpr std::int64_t toldMs = 3000;
constexpr std::int64_t stopLookMs = 3000; // between two looks whether a stop is noted
constexpr int stopNow = SIGUSR2; // by which the engine asks for an end without a grace period
constexpr int haltSignal = SIGURG; // that its tasks are paused; SIGCONT: they continue. A former lead ignores both
constexpr int endSignals[] = {SIGTERM, SIGINT, stopNow};

// Whether the cluster has asked this job to end before it could listen. The notice of the end of its time is not such
// a request: what it means is seen when the tasks have begun.
bool isAskedToEnd()
{
    sigset_t waiting;
    return ::sigpending(&waiting) == 0
        && std::any_of(std::begin(endSignals), std::end(endSignals),
            [&waiting](int signal) { return ::sigismember(&waiting, signal) == 1; });
}

} // namespace

void Lead::start(std::size_t position)
{
    LeadStep &step = *m_steps.at(position);
    if (!m_why && isStopNoted()) {
        m_isAsked = true;
        stopAll("signal");
    }
    if (step.isOver()) {
        return; // it was to end in the pause before it
    }
    const LeadTask &task = m_plan.tasks[position];
    const std::vector<std::string> options = step.task().stepOptions;
    // A step says what it takes, since one that does not would take all of the allocation and make others wait; and
    // no step ends another one: the rules of the job decide that.
    std::vector<std::string> arguments{"srun", "--nodes=1", "--ntasks=1", "--nodelist=" + m_places.tasks[position].node,
        "--job-name=" + task.role + '-' + std::to_string(task.index), "--exact", "--kill-on-bad-exit=0", "--wait=0",
        "--export=ALL", "--unbuffered", "--mpi=none"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    if (m_plan.components > 1) {
        arguments.push_back("--het-group=" + std::to_string(task.component));
    }
    arguments.push_back(m_program);
    arguments.push_back("--step");
    const bool hasGpus = std::any_of(
        options.begin(), options.end(), [](const std::string &each) { return each.starts_with("--gpus="); });
    step.start(arguments, environmentForStep(hasGpus));
}

void Lead::stepEnded(std::size_t position)
{
    // Where the cluster may have ended it, a word of that is perhaps on its way: it goes before every retry, and before
    // the rules of the job, which would call an end by the cluster one of the task.
    const contract::ExitRecord &exit = m_steps.at(position)->exit();
    if (!m_why && !exit.isGood() && exit.asked > m_noRoomAt) {
        lookForRoom();
    }
    const int status = exit.shellStatus();
    const bool isKilled = status == 128 + SIGTERM || status == 128 + SIGKILL;
    if (m_why || (!m_retries && !isKilled)) {
        taskEnded(position);
        return;
    }
    m_waiting[position] = m_loop.after(isKilled ? toldMs : 0, [this, position] {
        m_waiting.erase(position);
        if (!m_retries || !tryAgain(position)) {
            taskEnded(position);
        }
    });
}

// A retry here has only the rest of the time; with less than half of it left, another submission is better.
bool Lead::tryAgain(std::size_t position)
{
    const std::optional<std::int64_t> pauseMs = m_retries->pauseAfter(m_steps.at(position)->exit());
    if (!pauseMs) {
        return false;
    }
    const contract::LeftOfTime::Known time = timeNow();
    if (isAskedToEnd() || isStopNoted() || (time.left && time.limit && *time.left * 2 < *time.limit)) {
        return false;
    }
    const contract::LeadAgain again{int(m_retries->count()), utcMs()};
    if (contract::writeAtomically(path(contract::leadfile::again), again.toText(), true) != 0) {
        return false;
    }
    makeStep(position, m_retries->task(), m_retries->launch());
    m_loop.after(*pauseMs, [this, position] { start(position); });
    return true;
}

void Lead::taskEnded(std::size_t position)
{
    const LeadTask &task = m_plan.tasks[position];
    const contract::ExitRecord &exit = m_steps.at(position)->exit();
    const bool isGood = exit.isGood();
    m_anyFailed = m_anyFailed || !isGood;
    if (!m_plan.isArray && !m_why) {
        if (const char *why = m_rules.taskEnded(task.role, isGood)) {
            stopAll(why);
        }
    }
    m_ended.insert(position);
    if (m_ended.size() == m_steps.size()) {
        m_loop.quit();
    }
}

void Lead::stopAll(const char *why, std::int64_t graceMs)
{
    if (m_why) {
        return;
    }
    m_loop.cancel(m_timeTimer);
    m_loop.cancel(m_limitTimer);
    m_loop.cancel(std::exchange(m_stopTimer, 0));
    m_why = why;
    // Before any task ends by it, because readers of its record want to know.
    contract::writeAtomically(path(contract::leadfile::stopping), LeadEnd{why, {}, utcMs()}.toText(), true);
    askSteps(graceMs);
    for (const auto &[position, timer] : std::exchange(m_waiting, {})) {
        m_loop.cancel(timer);
        taskEnded(position);
    }
}

// The signals of the engine come by way of the controller, which may not answer; the folder is shared.
void Lead::lookForStop()
{
    m_stopTimer = 0;
    if (isStopNoted() && !m_why) {
        m_isAsked = true;
        stopAll("signal");
    } else if (!m_why) {
        m_stopTimer = m_loop.after(stopLookMs, [this] { lookForStop(); });
    }
}

// All steps are asked at the same time, so one answer is for all of them: a query of each of hundreds would keep this
// process, and the cluster, from what is urgent then.
void Lead::lookForRoom()
{
    const std::int64_t now = utcMs();
    if (isToMakeRoom()) {
        noteRoom();
    } else {
        m_noRoomAt = now;
    }
}

// The cluster asks the steps, and not this process. The others have heard it as well, and may need all of the time that
// they are given, so no rule of the job ends them, and the grace period of the job does not apply.
void Lead::noteRoom()
{
    m_loop.cancel(std::exchange(m_timeTimer, 0));
    m_loop.cancel(std::exchange(m_limitTimer, 0));
    m_makesRoom = true;
    m_why = "preempted";
    contract::writeAtomically(path(contract::leadfile::stopping), LeadEnd{m_why, {}, utcMs()}.toText(), true);
    for (const auto &[position, timer] : std::exchange(m_waiting, {})) {
        m_loop.cancel(timer);
        taskEnded(position);
    }
}

// Also those that have been asked before, and have their grace period.
void Lead::killAll()
{
    if (!m_why) {
        m_isAsked = true;
        stopAll("signal", 0);
    } else {
        askSteps(0);
    }
}

void Lead::askSteps(std::int64_t graceMs)
{
    contract::Stop stop;
    stop.signal = m_plan.stopSignal;
    stop.graceMs = graceMs;
    stop.onlyMain = m_plan.stopsOnlyMain;
    for (const auto &[position, step] : m_steps) {
        step->stop(stop);
    }
}

// The notice of the end of the time. It comes early, or at once where the time is short: only Slurm knows what is left.
void Lead::lookAtTime(bool isNotice)
{
    m_timeTimer = 0;
    if (m_why) {
        return;
    }
    const contract::LeftOfTime::Known time = timeNow();
    const contract::EndOfTime end = contract::endOfTime(time.left, time.limit, m_plan.stopGraceMs, isNotice);
    if (end.what == contract::EndOfTime::What::Wait) {
        m_timeTimer = m_loop.after(end.ms, [this] { lookAtTime(false); });
    } else {
        stopAll(end.what == contract::EndOfTime::What::Time ? "time" : "signal", end.ms);
    }
}

void Lead::signalled()
{
    signalfd_siginfo info;
    while (::read(m_signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            for (pid_t pid = 0; (pid = ::waitpid(-1, nullptr, WNOHANG)) > 0;) { }
        } else if (info.ssi_signo == SIGUSR1) {
            lookAtTime(true);
        } else if (info.ssi_signo == stopNow) {
            killAll();
        } else if (info.ssi_signo == haltSignal || info.ssi_signo == SIGCONT) {
            halt(info.ssi_signo == haltSignal);
        } else {
            m_isAsked = true;
            m_makesRoom ? askSteps(m_plan.stopGraceMs) : stopAll("signal");
        }
    }
}

// The result by the rules of the job, which Slurm shows, mails, and passes to jobs that depend on this one. Tasks that
// they end, and failures that they allow, do not count as failures.
bool Lead::isFailed() const
{
    const std::string_view why = m_why ? m_why : "";
    if (why == "limit" || (why == "signal" && m_isAsked)) {
        return true; // also where the tasks have saved their state and ended well
    }
    const bool isByRules
        = !m_plan.roles.empty() && why != "time" && why != "limit" && why != "signal" && why != "preempted";
    return isByRules ? m_rules.areFailed() : m_anyFailed;
}

int Lead::finish(const char *why, const std::string &detail)
{
    if (!detail.empty()) {
        std::fprintf(stderr, "trainyard: %s\n", detail.c_str());
    }
    contract::writeAtomically(path(contract::leadfile::end), LeadEnd{why, detail, utcMs()}.toText(), true);
    return !detail.empty() ? 2 : isFailed() ? 1 : 0;
}

int Lead::run()
{
    // Those that ask it to end wait from now on.
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1, stopNow, haltSignal, SIGCONT, SIGCHLD}) {
        ::sigaddset(&signals, signal);
    }
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    if (!readPlan()) {
        std::fprintf(stderr, "trainyard: %s has no plan of an allocation\n", m_folder.c_str());
        return 2;
    }
    // The cluster was asked twice, as an answer was lost, and has taken both: what the other one writes stays as it is.
    const Claim claim = claimOf(path(contract::leadfile::claimed), clusterId());
    if (claim == Claim::Anothers || (claim == Claim::Own && isAnothers())) {
        std::fprintf(stderr, "trainyard: another job of the cluster has started these tasks\n");
        return 2;
    }
    if (claim == Claim::Unknown) { // an end that is written here would be believed of tasks that run
        std::fprintf(stderr, "trainyard: whether another job of the cluster has started these tasks cannot be read\n");
        return 2;
    }
    if (claim == Claim::Unwritable) {
        return finish("fault", "the folder of the allocation cannot be written");
    }
    if (!place()) {
        readLaunches(); // what they hold does not stay
        return finish("fault", "the allocation has no node for each task, or its nodes cannot be listed");
    }
    if (!readLaunches()) {
        return finish("fault", "what the tasks are started with is not there; the job may have been started before");
    }
    if (isAskedToEnd() || isStopNoted()) {
        return finish("signal", "the job was asked to end before its tasks were started");
    }
    m_signals = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    m_loop.watch(m_signals, EPOLLIN, [this](std::uint32_t) { signalled(); });
    m_rules = LeadRules(m_plan);
    for (const auto &[position, step] : m_steps) {
        start(position);
    }
    lookForStop();
    m_loop.run();
    m_loop.forget(m_signals);
    ::close(m_signals);
    return finish(m_why ? m_why : "done");
}

int lead(const std::string &folder, const std::string &program) { return Lead(folder, program).run(); }

} // namespace trainyard::agent
