// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/lead.h"

#include "engine/agent/environment.h"
#include "engine/agent/leadrules.h"
#include "engine/agent/leadstep.h"
#include "engine/agent/pump.h"
#include "engine/agent/slurmnodes.h"
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
#include <cstdlib>
#include <iterator>
#include <map>
#include <string_view>

namespace trainyard::agent
{
namespace
{

using contract::LeadEnd;
using contract::LeadPlaces;
using contract::LeadPlan;
using contract::LeadTask;

constexpr std::size_t mostPlanBytes = std::size_t(64) << 20;
constexpr int commandMs = 30'000;
constexpr int stopNow = SIGUSR2; // by which the engine asks for an end without a grace period
constexpr int endSignals[] = {SIGTERM, SIGINT, stopNow};

std::string variable(const std::string &name)
{
    const char *value = std::getenv(name.c_str());
    return value ? value : "";
}

// What a command says, or empty when it fails or takes too long.
std::string saidBy(const std::vector<std::string> &arguments)
{
    const std::int64_t until = monotonicMs() + commandMs;
    ClientOptions options;
    options.mayGoOn = [until] { return monotonicMs() < until; };
    const ClientResult result = runClient(arguments, ownEnvironment(), options);
    return result.status == 0 ? result.said : std::string();
}

// Whether the cluster has asked this job to end while nobody could listen. The notice of the end of its time is no such
// word: what it means is seen when the tasks have begun.
bool isAskedToEnd()
{
    sigset_t waiting;
    return ::sigpending(&waiting) == 0
        && std::any_of(std::begin(endSignals), std::end(endSignals),
            [&waiting](int signal) { return ::sigismember(&waiting, signal) == 1; });
}

// As the cluster knows what it leads. A plan of its own in an element of an array: the others are of other jobs.
std::string clusterIdOf(const LeadPlan &plan)
{
    const std::string array = variable("SLURM_ARRAY_JOB_ID");
    if (plan.isArray || array.empty()) {
        return plan.isArray ? array : variable("SLURM_JOB_ID");
    }
    return array + '_' + variable("SLURM_ARRAY_TASK_ID");
}

class Lead
{
public:
    Lead(std::string folder, std::string program) : m_folder(std::move(folder)), m_program(std::move(program)) { }
    int run();

private:
    bool readPlan();
    std::vector<std::string> nodesOf(int component);
    bool place();
    bool readLaunches();
    void start();
    void stepEnded(std::size_t position);
    void stopAll(const char *why) { stopAll(why, m_plan.stopGraceMs); }
    void stopAll(const char *why, std::int64_t graceMs);
    void killAll();
    void askSteps(std::int64_t graceMs);
    void lookAtTime(bool isNotice);
    void signalled();
    int finish(const char *why, const std::string &detail = {});
    std::string path(const char *name) const { return m_folder + '/' + contract::ofElement(name, m_element); }
    bool isMine(std::size_t position) const { return m_element < 0 || position == std::size_t(m_element); }

    std::string m_folder, m_program;
    LeadPlan m_plan;
    int m_element = -1; // of an array
    LeadPlaces m_places;
    Loop m_loop;
    std::map<std::size_t, std::unique_ptr<LeadStep>> m_steps; // by the task's place in the plan
    LeadRules m_rules;
    const char *m_why = nullptr; // all of them are being ended
    Loop::Timer m_timeTimer = 0; // looks again how much time is left
    int m_signals = -1;
    bool m_anyFailed = false;
};

bool Lead::readPlan()
{
    const std::optional<std::string> text
        = contract::readWhole(m_folder + '/' + contract::leadfile::plan, mostPlanBytes);
    std::optional<LeadPlan> plan = text ? LeadPlan::parse(*text) : std::nullopt;
    if (!plan) {
        return false;
    }
    m_plan = std::move(*plan);
    if (m_plan.isArray) {
        const std::string element = variable("SLURM_ARRAY_TASK_ID");
        m_element = element.empty() ? -1 : std::atoi(element.c_str());
        return m_element >= 0 && std::size_t(m_element) < m_plan.tasks.size();
    }
    return true;
}

// A node for each task that fits on it.
std::vector<std::string> Lead::nodesOf(int component)
{
    const std::string of = m_plan.components > 1 ? "_HET_GROUP_" + std::to_string(component) : "";
    const std::string said = saidBy({"scontrol", "show", "hostnames", variable("SLURM_JOB_NODELIST" + of)});
    std::vector<std::string> names;
    for (std::size_t at = 0; at < said.size();) {
        const std::size_t end = std::min(said.find('\n', at), said.size());
        if (end > at) {
            names.push_back(said.substr(at, end - at));
        }
        at = end + 1;
    }
    return nodesOfTasks(names, variable("SLURM_TASKS_PER_NODE" + of));
}

bool Lead::place()
{
    m_places.clusterId = clusterIdOf(m_plan);
    m_places.jobId = variable("SLURM_JOB_ID");
    m_places.tasks.resize(m_plan.tasks.size());
    std::map<std::string, std::string> addresses;
    for (int component = 0; component < m_plan.components; ++component) {
        const std::vector<std::string> nodes = nodesOf(component);
        std::size_t next = 0;
        for (std::size_t i = 0; i < m_plan.tasks.size(); ++i) {
            if (m_plan.tasks[i].component != component || !isMine(i)) {
                continue;
            }
            if (next >= nodes.size()) {
                return false;
            }
            const std::string &node = nodes[next++];
            std::string &address = addresses[node];
            if (address.empty()) {
                address = firstAddress(saidBy({"getent", "ahostsv4", node}));
            }
            if (address.empty()) {
                address = nodeAddress(saidBy({"scontrol", "--oneliner", "show", "node", node}));
            }
            m_places.tasks[i] = {node, address.empty() ? node : address};
        }
    }
    return contract::writeAtomically(path(contract::leadfile::placed), m_places.toText(), true) == 0;
}

bool Lead::readLaunches()
{
    std::map<std::string, std::string> addresses;
    for (std::size_t i = 0; i < m_plan.tasks.size(); ++i) {
        addresses[m_plan.tasks[i].address] = m_places.tasks[i].address;
    }
    bool areAllThere = true;
    for (std::size_t i = 0; i < m_plan.tasks.size(); ++i) {
        if (!isMine(i)) {
            continue;
        }
        const std::string file = m_folder + '/' + contract::leadfile::launch + std::to_string(i);
        std::optional<std::string> bytes = contract::readWhole(file, contract::maxHeader + contract::maxPayload + 8);
        ::unlink(file.c_str()); // it may hold secrets, also when another one is missing
        contract::FrameReader reader;
        reader.feed(bytes ? std::string_view(*bytes) : std::string_view());
        const std::optional<contract::Frame> frame = reader.next();
        std::optional<contract::Envelope> envelope = frame ? contract::decode(*frame, false) : std::nullopt;
        auto *launch = envelope ? std::get_if<contract::Launch>(&envelope->message) : nullptr;
        if (!launch) {
            areAllThere = false;
            continue;
        }
        contract::replaceAddresses(launch->script, addresses);
        contract::replaceAddresses(launch->maskedScript, addresses);
        for (contract::Variable &each : launch->env) {
            contract::replaceAddresses(each.value, addresses);
        }
        m_steps.emplace(i, std::make_unique<LeadStep>(m_loop, m_plan.tasks[i], std::move(*launch)));
    }
    return areAllThere;
}

void Lead::start()
{
    for (const auto &[position, step] : m_steps) {
        const LeadTask &task = m_plan.tasks[position];
        // A step says what it takes, since one that does not would take all of the allocation and make others wait; and
        // no step ends another one: the rules of the job decide that.
        std::vector<std::string> arguments{"srun", "--nodes=1", "--ntasks=1",
            "--nodelist=" + m_places.tasks[position].node, "--job-name=" + task.role + '-' + std::to_string(task.index),
            "--exact", "--kill-on-bad-exit=0", "--wait=0", "--export=ALL", "--unbuffered", "--mpi=none"};
        arguments.insert(arguments.end(), task.stepOptions.begin(), task.stepOptions.end());
        if (m_plan.components > 1) {
            arguments.push_back("--het-group=" + std::to_string(task.component));
        }
        arguments.push_back(m_program);
        arguments.push_back("--step");
        step->start(arguments, ownEnvironment(), [this, position = position] { stepEnded(position); });
    }
}

void Lead::stepEnded(std::size_t position)
{
    const LeadTask &task = m_plan.tasks[position];
    const contract::ExitRecord &exit = m_steps.at(position)->exit();
    const bool isGood = exit.kind == contract::ExitKind::Exited && exit.value == 0;
    m_anyFailed = m_anyFailed || !isGood;
    if (!m_plan.isArray && !m_why) {
        if (const char *why = m_rules.taskEnded(task.role, isGood)) {
            stopAll(why);
        }
    }
    if (std::all_of(m_steps.begin(), m_steps.end(), [](const auto &each) { return each.second->isOver(); })) {
        m_loop.quit();
    }
}

void Lead::stopAll(const char *why, std::int64_t graceMs)
{
    if (m_why) {
        return;
    }
    m_loop.cancel(m_timeTimer);
    m_why = why;
    // Before any task ends by it: whoever reads its record wants to know.
    contract::writeAtomically(path(contract::leadfile::stopping), LeadEnd{why, {}, utcMs()}.toText(), true);
    askSteps(graceMs);
}

// Also those that have been asked before, and have their grace period.
void Lead::killAll()
{
    if (!m_why) {
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
    // A line for each component of a heterogeneous job, which have the same time.
    const std::string said
        = saidBy({"squeue", "--noheader", "--states=all", "--format=%L %l", "--jobs=" + variable("SLURM_JOB_ID")});
    const std::string line = said.substr(0, said.find('\n'));
    const std::size_t blank = line.find(' ');
    const std::string_view left = std::string_view(line).substr(0, blank);
    std::string_view limit = blank == std::string::npos ? "" : std::string_view(line).substr(blank + 1);
    limit = limit.substr(0, limit.find_last_not_of(' ') + 1);
    constexpr std::int64_t forEver = std::int64_t(1) << 40;
    const contract::EndOfTime end
        = contract::endOfTime(left == "UNLIMITED" ? std::optional(forEver) : contract::slurmSeconds(left),
            contract::slurmSeconds(limit), m_plan.stopGraceMs, isNotice);
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
        } else {
            stopAll("signal");
        }
    }
}

int Lead::finish(const char *why, const std::string &detail)
{
    if (!detail.empty()) {
        std::fprintf(stderr, "trainyard: %s\n", detail.c_str());
    }
    contract::writeAtomically(path(contract::leadfile::end), LeadEnd{why, detail, utcMs()}.toText(), true);
    return !detail.empty() ? 2 : m_anyFailed ? 1 : 0;
}

int Lead::run()
{
    // Those that ask it to end wait from now on.
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1, stopNow, SIGCHLD}) {
        ::sigaddset(&signals, signal);
    }
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    if (!readPlan()) {
        std::fprintf(stderr, "trainyard: %s has no plan of an allocation\n", m_folder.c_str());
        return 2;
    }
    if (!place()) {
        readLaunches(); // what they hold does not stay
        return finish("fault", "the allocation has no node for each task, or its nodes cannot be listed");
    }
    if (!readLaunches()) {
        return finish("fault", "what the tasks are started with is not there; the job may have been started before");
    }
    if (isAskedToEnd()) {
        return finish("signal", "the job was asked to end before its tasks were started");
    }
    m_signals = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    m_loop.watch(m_signals, EPOLLIN, [this](std::uint32_t) { signalled(); });
    m_rules = LeadRules(m_plan);
    start();
    m_loop.run();
    m_loop.forget(m_signals);
    ::close(m_signals);
    return finish(m_why ? m_why : "done");
}

} // namespace

int lead(const std::string &folder, const std::string &program) { return Lead(folder, program).run(); }

} // namespace trainyard::agent
