// SPDX-License-Identifier: GPL-3.0-or-later
// How many tasks of `true` start and end a second, each with its own log: a bare loop of posix_spawn in two processes,
// GNU parallel, this agent over its wire, and, when a command for it is given, the whole engine. The rounds are
// interleaved, so that a slow moment of the machine meets all of them; every round has fresh folders; medians count.
#include "engine/contract/messages.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace contract = trainyard::contract;

namespace
{

struct Options {
    int tasks = 1000;
    int rounds = 5;
    int inFlight = 4; // of the agent: what the engine keeps going on a machine of two cores
    std::string folder = "/var/tmp";
    std::string agent;
    std::string ctl; // trainyardctl; the whole engine is measured through it
};

[[noreturn]] void die(const std::string &sentence)
{
    std::fprintf(stderr, "bench_starts: %s\n", sentence.c_str());
    std::exit(1);
}

int runCommand(const std::string &command)
{
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// ---- the bare loop ----

void bareHalf(const std::string &folder, int from, int to)
{
    for (int i = from; i < to; ++i) {
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        const std::string log = folder + '/' + std::to_string(i) + ".log";
        ::posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
        const char *argv[] = {"bash", "-c", "true", nullptr};
        pid_t pid = 0;
        if (::posix_spawnp(&pid, "bash", &actions, nullptr, const_cast<char **>(argv), environ) != 0) {
            ::_exit(1);
        }
        ::posix_spawn_file_actions_destroy(&actions);
        int status = 0;
        ::waitpid(pid, &status, 0);
        if (status != 0) {
            ::_exit(1);
        }
    }
    ::_exit(0);
}

bool runBare(const Options &options, const std::string &folder)
{
    const int half = options.tasks / 2;
    pid_t workers[2];
    for (int i = 0; i < 2; ++i) {
        workers[i] = ::fork();
        if (workers[i] == 0) {
            bareHalf(folder, i * half, i == 0 ? half : options.tasks);
        }
    }
    bool good = true;
    for (const pid_t worker : workers) {
        int status = 0;
        ::waitpid(worker, &status, 0);
        good = good && status == 0;
    }
    return good;
}

// ---- GNU parallel ----

bool runParallel(const Options &options, const std::string &folder)
{
    return runCommand("seq " + std::to_string(options.tasks) + " | parallel --will-cite -j2 --results '" + folder
               + "' bash -c true '#' {} > /dev/null 2>&1")
        == 0;
}

// ---- the agent ----

class AgentLink
{
public:
    explicit AgentLink(const std::string &path)
    {
        int down[2], up[2];
        if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) {
            die("no pipes");
        }
        m_pid = ::fork();
        if (m_pid == 0) {
            ::dup2(down[0], 0);
            ::dup2(up[1], 1);
            ::execl(path.c_str(), path.c_str(), "--serve", "bench", nullptr);
            ::_exit(127);
        }
        ::close(down[0]);
        ::close(up[1]);
        m_to = down[1];
        m_from = up[0];
    }
    ~AgentLink()
    {
        ::close(m_to);
        ::close(m_from);
        ::waitpid(m_pid, nullptr, 0);
    }
    AgentLink(const AgentLink &) = delete;
    AgentLink &operator=(const AgentLink &) = delete;

    void send(std::int64_t id, contract::Message message)
    {
        const std::string bytes = contract::encode({id, std::move(message), {}}).value();
        std::size_t at = 0;
        while (at < bytes.size()) {
            const ssize_t n = ::write(m_to, bytes.data() + at, bytes.size() - at);
            if (n < 0) {
                die("the agent is gone");
            }
            at += static_cast<std::size_t>(n);
        }
    }
    contract::Envelope receive()
    {
        for (;;) {
            if (const std::optional<contract::Frame> frame = m_reader.next()) {
                std::string problem;
                std::optional<contract::Envelope> envelope = contract::decode(*frame, true, &problem);
                if (!envelope) {
                    die("the agent said " + problem);
                }
                return std::move(*envelope);
            }
            char buffer[65536];
            const ssize_t n = ::read(m_from, buffer, sizeof buffer);
            if (n <= 0) {
                die("the agent is gone");
            }
            m_reader.feed(std::string_view(buffer, static_cast<std::size_t>(n)));
        }
    }

private:
    contract::FrameReader m_reader{"bench"};
    pid_t m_pid = -1;
    int m_to = -1, m_from = -1;
};

bool runAgent(const Options &options, const std::string &folder)
{
    AgentLink link(options.agent);
    contract::HelloRequest hello;
    hello.loginEnvironment = false; // the tasks then inherit what those of the bare loop do
    link.send(0, hello);
    link.receive();
    int sent = 0, ended = 0, running = 0;
    bool good = true;
    while (ended < options.tasks) {
        while (sent < options.tasks && running < options.inFlight) {
            contract::Launch launch;
            launch.dir = folder + "/main-" + std::to_string(sent) + "/0";
            launch.plan.job = "bench";
            launch.plan.role = "main";
            launch.plan.index = sent;
            launch.plan.tryUuid = "00000000-0000-7000-8000-" + std::to_string(100000000000 + sent);
            launch.script = "set -o errexit -o nounset -o pipefail\ntrue\n";
            link.send(++sent, std::move(launch));
            ++running;
        }
        const contract::Envelope envelope = link.receive();
        if (const auto *exited = std::get_if<contract::Exited>(&envelope.message)) {
            good = good && exited->exit.kind == contract::ExitKind::Exited && exited->exit.value == 0;
            ++ended;
            --running;
        } else if (const auto *launched = std::get_if<contract::Launched>(&envelope.message)) {
            if (launched->state != "launched") {
                die("a task did not start: " + (launched->exit ? launched->exit->reason : launched->state));
            }
        } else if (std::holds_alternative<contract::Failure>(envelope.message)) {
            die(std::get<contract::Failure>(envelope.message).code);
        }
    }
    return good;
}

// ---- the whole engine ----

// A command of trainyardctl with all of its folders below `folder`.
bool ctl(const Options &options, const std::string &folder, const std::string &arguments)
{
    const std::string runtime = folder + "/run";
    return runCommand("env HOME='" + folder + "' XDG_CONFIG_HOME='" + folder + "/config' XDG_STATE_HOME='" + folder
               + "/state' XDG_RUNTIME_DIR='" + runtime + "' '" + options.ctl + "' " + arguments + " > /dev/null 2>&1")
        == 0;
}

// The daemon runs already when somebody presses Run: its start is not counted, and neither is its end.
bool prepareTrainyard(const Options &options, const std::string &folder)
{
    const std::string file = folder + "/starts.yaml";
    std::FILE *yaml = std::fopen(file.c_str(), "w");
    if (!yaml) {
        return false;
    }
    std::fprintf(yaml,
        "protocolVersion: 2\nname: starts\ntype: job\nprerequisites:\n  - {name: none, type: dockerimage, uri: none}\n"
        "taskRoles:\n  t:\n    instances: %d\n    dockerImage: none\n"
        "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: ['true']\n"
        "extras: {gangAllocation: false}\n",
        options.tasks);
    std::fclose(yaml);
    return ::mkdir((folder + "/run").c_str(), 0700) == 0 && ctl(options, folder, "hosts list");
}

bool runTrainyard(const Options &options, const std::string &folder)
{
    return ctl(options, folder, "run '" + folder + "/starts.yaml' --wait");
}

bool finishTrainyard(const Options &options, const std::string &folder) { return ctl(options, folder, "engine stop"); }

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv)
{
    Options options;
    const std::string self = argv[0];
    const std::size_t slash = self.rfind('/');
    const std::string programs = slash == std::string::npos ? std::string(".") : self.substr(0, slash);
    options.agent = programs + "/trainyard-agent";
    options.ctl = programs + "/trainyardctl";
    std::string only;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--help" || i + 1 >= argc) {
            std::printf("Usage: bench_starts [--tasks N] [--rounds N] [--in-flight N] [--folder DIR] [--agent FILE]\n"
                        "                    [--only bare,parallel,agent,trainyard] [--ctl FILE]\n"
                        "Exit status 1 when the engine falls below 0.35 of the bare loop or 1.5 times GNU parallel.\n");
            return word == "--help" ? 0 : 2;
        }
        const std::string value = argv[++i];
        if (word == "--tasks") {
            options.tasks = std::max(2, std::atoi(value.c_str()));
        } else if (word == "--rounds") {
            options.rounds = std::max(1, std::atoi(value.c_str()));
        } else if (word == "--in-flight") {
            options.inFlight = std::max(1, std::atoi(value.c_str()));
        } else if (word == "--folder") {
            options.folder = value;
        } else if (word == "--agent") {
            options.agent = value;
        } else if (word == "--ctl") {
            options.ctl = value;
        } else if (word == "--only") {
            only = ',' + value + ',';
        } else {
            die("what is " + word + "?");
        }
    }

    struct Contestant {
        const char *name;
        std::function<bool(const Options &, const std::string &)> run;
        std::vector<double> perSecond;
        std::function<bool(const Options &, const std::string &)> prepare = nullptr, finish = nullptr;
    };
    std::vector<Contestant> contestants;
    const auto wanted = [&only](const char *name) {
        return only.empty() || only.find(std::string(",") + name + ',') != std::string::npos;
    };
    if (wanted("bare")) {
        contestants.push_back({"bare", runBare, {}});
    }
    if (wanted("parallel") && runCommand("command -v parallel > /dev/null 2>&1") == 0) {
        contestants.push_back({"parallel", runParallel, {}});
    }
    if (wanted("agent")) {
        contestants.push_back({"agent", runAgent, {}});
    }
    if (wanted("trainyard")) {
        contestants.push_back({"trainyard", runTrainyard, {}, prepareTrainyard, finishTrainyard});
    }

    std::string base = options.folder + "/bench-starts-XXXXXX";
    if (!::mkdtemp(base.data())) {
        die("cannot make a folder in " + options.folder);
    }
    for (int round = 0; round < options.rounds; ++round) {
        for (Contestant &contestant : contestants) {
            const std::string folder = base + '/' + contestant.name + '-' + std::to_string(round);
            if (::mkdir(folder.c_str(), 0700) != 0) {
                die("cannot make " + folder);
            }
            if (contestant.prepare && !contestant.prepare(options, folder)) {
                die(std::string(contestant.name) + " could not be prepared");
            }
            const auto begin = std::chrono::steady_clock::now();
            if (!contestant.run(options, folder)) {
                die(std::string(contestant.name) + " failed");
            }
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            contestant.perSecond.push_back(options.tasks / took.count());
            std::printf("round %d %-10s %8.1f tasks/s\n", round + 1, contestant.name, contestant.perSecond.back());
            std::fflush(stdout);
            if (contestant.finish && !contestant.finish(options, folder)) {
                die(std::string(contestant.name) + " could not be ended");
            }
        }
    }
    const double bare = contestants.empty() ? 0 : median(contestants.front().perSecond);
    std::printf("\nmedian of %d rounds, %d tasks each\n", options.rounds, options.tasks);
    std::map<std::string, double> medians;
    for (const Contestant &contestant : contestants) {
        const double value = median(contestant.perSecond);
        medians[contestant.name] = value;
        std::printf("%-10s %8.1f tasks/s", contestant.name, value);
        if (std::strcmp(contestants.front().name, "bare") == 0 && bare > 0) {
            std::printf("  %.2f of bare", value / bare);
        }
        std::printf("\n");
    }
    // Only now: removing thousands of folders slows the disk for a while.
    runCommand("rm -rf '" + base + "'");
    const bool slow = medians.count("trainyard")
        && ((medians.count("bare") && medians["trainyard"] < 0.35 * medians["bare"])
            || (medians.count("parallel") && medians["trainyard"] < 1.5 * medians["parallel"]));
    return slow ? 1 : 0;
}
