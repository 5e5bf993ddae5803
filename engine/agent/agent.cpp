// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/agent.h"

#include "engine/agent/cgroup.h"
#include "engine/agent/client.h"
#include "engine/agent/hostaddresses.h"
#include "engine/agent/locks.h"
#include "engine/agent/network.h"
#include "engine/agent/pump.h"
#include "engine/agent/removal.h"
#include "engine/agent/statefolder.h"
#include "engine/contract/hierarchy.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace trainyard::agent
{
namespace
{

std::int64_t freeBytes(const std::string &folder, std::int64_t *all = nullptr)
{
    struct statvfs space;
    if (::statvfs(folder.c_str(), &space) != 0) {
        return -1;
    }
    const auto unit = static_cast<std::int64_t>(space.f_frsize);
    if (all) {
        *all = static_cast<std::int64_t>(space.f_blocks) * unit;
    }
    return static_cast<std::int64_t>(space.f_bavail) * unit;
}

// The further groups of the user, besides the group of new files.
std::vector<int> furtherGroups()
{
    std::vector<gid_t> all(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
    all.resize(static_cast<std::size_t>(std::max(0, ::getgroups(static_cast<int>(all.size()), all.data()))));
    std::vector<int> groups;
    for (const gid_t group : all) {
        const int number = static_cast<int>(group);
        if (group != ::getgid() && number >= 0) {
            groups.push_back(number);
        }
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
}

} // namespace

Agent::Agent(int in, int out, std::string nonce, std::string version, std::string build)
    : m_nonce(std::move(nonce)), m_version(std::move(version)), m_build(std::move(build)), m_account(currentAccount()),
      m_connection(m_loop, in, out, [this](contract::Envelope &&envelope) { receive(std::move(envelope)); }),
      m_login(m_loop), m_tries(m_loop, m_connection, m_account), m_launches(m_login, m_writer, m_tries, m_account),
      m_follower(m_loop, m_connection), m_streams(m_loop, m_connection), m_peers(m_loop, m_connection),
      m_side(m_loop, m_connection), m_writer(m_side, m_account, m_tries.ownFolders()), m_gpus(m_loop), m_docker(m_loop)
{
    m_follower.setBeforeRest([this](const std::string &dir) { m_tries.endFigures(dir); });
    m_follower.setIsBusy(
        [this](const std::string &dir) { return m_tries.isCapturing(dir) || m_tries.metrics().isBusy(dir); });
    m_tries.metrics().setDone([this](const std::string &dir) {
        m_tries.metricsDone(dir);
        m_follower.ended(dir);
    });
    m_tries.setEnded([this](const std::string &dir) { m_follower.ended(dir); });
    m_tries.captures().setGpus([this] { return m_gpus.gpus(); });
    m_tries.captures().setDone([this](const std::string &dir) { m_follower.ended(dir); });
    m_loop.setIdle([this] { return pump(); });
    // SIGUSR1 wakes keepers. It is blocked here, so that it waits for a keeper that does not listen yet.
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGCHLD);
    ::sigaddset(&signals, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGCHLD, SIG_DFL); // ignored, as the starting program may have left it, no status is ever reported
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    m_signals = ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    m_loop.watch(m_signals, EPOLLIN, [this](std::uint32_t) { reapChildren(); });
}

Agent::~Agent()
{
    m_gpus.setStreaming(false, 0);
    if (m_signals >= 0) {
        m_loop.forget(m_signals);
        ::close(m_signals);
    }
}

int Agent::run()
{
    prepareTaskCgroups();
    m_connection.sendBanner(m_nonce);
    m_loop.run();
    return 0;
}

void Agent::reapChildren()
{
    signalfd_siginfo info; // there is one at most, for any number of children
    static_cast<void>(!::read(m_signals, &info, sizeof info));
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        m_tries.reaped(pid, status);
    }
}

// Where the wire has room for little, the first to come gets all of it.
bool Agent::pump()
{
    m_streamsFirst = !m_streamsFirst;
    const bool before = m_streamsFirst && m_streams.pump();
    const bool logs = m_follower.pump();
    const bool after = !m_streamsFirst && m_streams.pump();
    return before || logs || after;
}

void Agent::receive(contract::Envelope &&envelope)
{
    const std::int64_t id = envelope.id;
    if (auto *request = std::get_if<contract::HelloRequest>(&envelope.message)) {
        hello(id, *request);
    } else if (std::holds_alternative<contract::InventoryRequest>(envelope.message)) {
        inventory(id);
    } else if (auto *share = std::get_if<contract::Share>(&envelope.message)) {
        m_tries.share(std::move(*share));
    } else if (auto *launch = std::get_if<contract::Launch>(&envelope.message)) {
        if (!m_tries.ownFolders().isAway(launch->dir)) { // which the launch then tells
            makeTopOfJobs(launch->dir);
        }
        m_launches.launch(id, std::move(*launch));
        if (m_isStep && m_sampleTimer == 0) {
            measureStep();
        }
    } else if (auto *stop = std::get_if<contract::Stop>(&envelope.message)) {
        m_launches.stop(id, *stop);
    } else if (const auto *pause = std::get_if<contract::Pause>(&envelope.message)) {
        m_tries.pause(id, *pause);
    } else if (auto *observe = std::get_if<contract::Observe>(&envelope.message)) {
        m_launches.observe(id, *observe);
    } else if (auto *follow = std::get_if<contract::Follow>(&envelope.message)) {
        m_follower.follow(id, *follow);
    } else if (auto *credit = std::get_if<contract::Credit>(&envelope.message)) {
        m_follower.credit(*credit);
        m_streams.credit(*credit);
    } else if (const auto *dial = std::get_if<contract::Dial>(&envelope.message)) {
        m_streams.dial(id, *dial);
    } else if (auto *flow = std::get_if<contract::Flow>(&envelope.message)) {
        m_streams.take(id, std::move(*flow));
    } else if (auto *wanted = std::get_if<contract::Ports>(&envelope.message)) {
        ports(id, *wanted);
    } else if (const auto *awaited = std::get_if<contract::Await>(&envelope.message)) {
        m_peers.await(id, *awaited);
    } else if (const auto *others = std::get_if<contract::Reach>(&envelope.message)) {
        m_peers.reach(id, *others);
    } else if (auto *samples = std::get_if<contract::SampleRequest>(&envelope.message)) {
        setSampling(id, *samples);
    } else if (auto *piece = std::get_if<contract::Put>(&envelope.message)) {
        if (piece->path.starts_with('/')) {
            m_writer.put(id, std::move(*piece), std::move(envelope.payload));
        } else {
            m_connection.fail(id, "put.malformed", piece->path, EINVAL);
        }
    } else if (const auto *code = std::get_if<contract::Code>(&envelope.message)) {
        if (m_tries.ownFolders().isAway(stateFolder(m_account) + "/code")) {
            m_connection.fail(id, "observe.away", code->dir, ENOENT);
            return;
        }
        makeTopOfJobs(code->dir);
        m_side.take(id, *code, stateFolder(m_account));
    } else if (const auto *data = std::get_if<contract::Data>(&envelope.message)) {
        if (const std::optional<contract::DataReply> reply = m_data.take(stateFolder(m_account), *data)) {
            m_connection.send(id, *reply);
        } else {
            m_side.data(id, *data, stateFolder(m_account));
        }
    } else if (const auto *wantedPaths = std::get_if<contract::Look>(&envelope.message)) {
        m_side.look(id, *wantedPaths);
    } else if (const auto *wantedFiles = std::get_if<contract::ListFiles>(&envelope.message)) {
        m_side.list(id, *wantedFiles);
    } else if (const auto *wantedPiece = std::get_if<contract::ReadPiece>(&envelope.message)) {
        m_side.piece(id, *wantedPiece);
    } else if (auto *stored = std::get_if<contract::StorePiece>(&envelope.message)) {
        if (stored->step == "place") { // behind the answers to the others
            m_side.place(id, *stored);
        } else {
            m_writer.store(id, std::move(*stored));
        }
    } else if (const auto *through = std::get_if<contract::LookThrough>(&envelope.message)) {
        lookThrough(id, *through);
    } else if (std::holds_alternative<contract::FindEnvironments>(envelope.message)) {
        m_login.whenKnown(true, m_account, [this, id] {
            m_side.findEnvironments(id, {m_account.home, m_login.variables(), {}});
        });
    } else if (const auto *forgotten = std::get_if<contract::Remove>(&envelope.message)) {
        if (m_tries.runsBelow(forgotten->dir)) { // it would not find the record of its stop, and would run on unseen
            m_connection.fail(id, "remove.failed", forgotten->dir, EBUSY);
        } else {
            m_writer.remove(id, *forgotten);
        }
    } else if (const auto *own = std::get_if<contract::OwnFolder>(&envelope.message)) {
        takeOwnFolder(id, *own);
    } else if (std::holds_alternative<contract::Bye>(envelope.message)) {
        m_loop.quit();
    } else {
        forCluster(envelope);
    }
}

void Agent::hello(std::int64_t id, const contract::HelloRequest &request)
{
    if (request.contract != contract::taskFolderContract) {
        m_connection.fail(id, "agent.contract", std::to_string(contract::taskFolderContract));
        return;
    }
    m_login.setLimit(std::clamp<std::int64_t>(request.loginMs, 100, 600000));
    m_login.whenKnown(request.loginEnvironment, m_account, [this, id] {
        m_tries.setClientEnvironment(m_login.variables());
        replyHello(id);
    });
}

void Agent::replyHello(std::int64_t id)
{
    contract::HelloReply reply;
    reply.version = m_version;
    reply.build = m_build;
    reply.pid = ::getpid();
    reply.bootId = contract::currentBootId();
    reply.host = hostName();
    reply.user = m_account.user;
    reply.home = m_account.home;
    reply.shell = m_account.shell;
    reply.machineId = machineId();
    reply.stateFolder = stateFolder(m_account);
    const std::string existing = existingFolder(reply.stateFolder);
    reply.diskFreeBytes = std::max<std::int64_t>(0, freeBytes(existing));
    reply.stateOnNetwork = isOnNetwork(existing.c_str());
    reply.environmentFrom = m_login.from();
    reply.environmentError = m_login.error();
    reply.uid = static_cast<int>(::getuid());
    reply.gid = static_cast<int>(::getgid());
    reply.groups = furtherGroups();
    const PortRange range = ephemeralPorts();
    reply.ephemeralFirst = range.first;
    reply.ephemeralLast = range.last;
    for (const std::string &entry : filterEnvironment(m_login.variables(), {})) {
        const std::size_t equals = entry.find('=');
        reply.environment.push_back({entry.substr(0, equals), entry.substr(equals + 1)});
    }
    m_connection.send(id, std::move(reply));
}

void Agent::inventory(std::int64_t id)
{
    // Both ask programs that may hang, and do so at the same time.
    const auto open = std::make_shared<int>(2);
    const auto answered = [this, id, open] {
        if (--*open > 0) {
            return;
        }
        contract::Inventory inventory;
        fillHost(inventory);
        m_gpus.lookAtLocks();
        inventory.gpus = m_gpus.gpus();
        inventory.gpuError = m_gpus.error();
        inventory.runtimes = installedRuntimes(m_tries.clientEnvironment());
        inventory.silentRuntimes = m_docker.silent();
        inventory.addresses = hostAddresses();
        inventory.hasSlurm = !findProgram("sbatch", m_tries.clientEnvironment()).empty()
            && !findProgram("scontrol", m_tries.clientEnvironment()).empty();
        m_connection.send(id, std::move(inventory));
    };
    m_gpus.inventory(answered);
    m_docker.look(m_tries.clientEnvironment(), answered);
}

void Agent::setSampling(std::int64_t id, const contract::SampleRequest &request)
{
    if (m_sampleTimer != 0) {
        m_loop.cancel(m_sampleTimer);
        m_sampleTimer = 0;
    }
    m_sampleMs = request.intervalMs <= 0 ? 0 : std::max<std::int64_t>(100, request.intervalMs);
    m_gpus.setStreaming(m_sampleMs > 0, m_sampleMs);
    if (id != 0) {
        m_connection.send(id, contract::Done{});
    }
    if (m_sampleMs > 0) {
        sample();
    }
}

void Agent::sample()
{
    m_sampleTimer = m_loop.after(m_sampleMs, [this] { sample(); });
    m_tries.takeFigures(m_gpus.gpus());
    if (m_connection.isClogged()) {
        return;
    }
    contract::Sample sample;
    sample.at = utcMs();
    sample.cpuPercent = m_cpu.percent();
    readMemory(sample.memoryMiB, sample.memoryUsedMiB);
    static const std::string folder = existingFolder(stateFolder(m_account));
    sample.diskFreeBytes = freeBytes(folder, &sample.diskBytes);
    m_gpus.lookAtLocks();
    sample.gpus = m_gpus.gpus();
    sample.gpuError = m_gpus.error();
    sample.silentRuntimes = m_docker.silent();
    sample.tries = m_tries.samples();
    // A frame takes as many tries as fit into its header beside the GPUs.
    constexpr std::size_t room = contract::maxHeader / 2;
    constexpr std::size_t other = 100; // of a try, beside its texts
    const std::vector<contract::TrySample> tries = std::exchange(sample.tries, {});
    std::size_t size = 0;
    for (const contract::TrySample &one : tries) {
        const std::size_t more = one.dir.size() + one.pulling.size() + other;
        if (!sample.tries.empty() && size + more > room) {
            m_connection.send(0, sample);
            sample.tries.clear();
            size = 0;
        }
        sample.tries.push_back(one);
        size += more;
    }
    m_connection.send(0, sample);
}

void Agent::ports(std::int64_t id, const contract::Ports &request)
{
    contract::PortsReply reply;
    for (const int port : request.check) {
        if (!isPortFree(port)) {
            reply.busy.push_back(port);
        }
    }
    std::vector<int> exclude = request.exclude;
    exclude.insert(exclude.end(), request.check.begin(), request.check.end());
    reply.drawn = drawPorts(std::min(request.draw, 4096), request.first, request.last, exclude);
    m_connection.send(id, std::move(reply));
}

// Earlier removals have ended by then, unless the disk does not answer.
void Agent::lookThrough(std::int64_t id, const contract::LookThrough &request)
{
    constexpr std::int64_t longestWaitMs = 60'000;
    if (request.leaves) {
        m_tries.ownFolders().forget(stateFolder(m_account) + "/remote/" + request.engine);
    }
    const auto hasBegun = std::make_shared<bool>(false);
    const auto look = [this, id, request, hasBegun] {
        if (!std::exchange(*hasBegun, true)) {
            m_side.lookThrough(id, request, stateFolder(m_account));
        }
    };
    m_writer.whenWritten(stateFolder(m_account) + "/remote", look);
    if (!*hasBegun) {
        m_loop.after(longestWaitMs, look);
    }
}

void Agent::takeOwnFolder(std::int64_t id, const contract::OwnFolder &request)
{
    const std::size_t slash = request.dir.rfind('/');
    const bool isPlain = request.dir.starts_with('/') && isPlainPath(request.dir);
    if (!isPlain || !std::string_view(request.dir).substr(0, slash).ends_with("/remote")) {
        m_connection.fail(id, "put.malformed", request.dir, EINVAL);
        return;
    }
    m_tries.ownFolders().add(request.dir);
    if (request.isMade && m_tries.ownFolders().isAway(request.dir)) {
        m_connection.fail(id, "observe.away", request.dir, ENOENT);
    } else if (const int error = contract::makeFolders(request.dir); error != 0) {
        if (!request.isMade) {
            m_tries.ownFolders().forget(request.dir); // what was never made is not away: the launch says what is wrong
        }
        m_connection.fail(id, "launch.folder-unwritable", request.dir, error);
    } else {
        contract::markTopOfHierarchy(request.dir);
        m_connection.send(id, contract::Done{});
    }
}

void Agent::makeTopOfJobs(const std::string &path)
{
    if (m_jobsFolder.empty() || !path.starts_with(m_jobsFolder + '/')) {
        if (std::string made = spreadJobs(stateFolder(m_account), path); !made.empty()) {
            m_jobsFolder = std::move(made);
        }
    }
}

} // namespace trainyard::agent
