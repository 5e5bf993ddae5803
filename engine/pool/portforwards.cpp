// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/portforwards.h"

#include "engine/api/tasklabel.h"

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

PortForwards::PortForwards(
    HostPool &hosts, const ActiveJobs &jobs, const LiveTries &tries, std::function<QString(const Error &)> words)
    : m_hosts(hosts), m_jobs(jobs), m_live(tries), m_words(std::move(words))
{
}

std::optional<PortForwards::RunningTry> PortForwards::running(const ActiveJob &job, core::TaskRef task) const
{
    const auto *state = std::get_if<core::Running>(&job.state.task(task).state);
    const QUuid tryUuid = core::tryUuid(job.state, task);
    if (!state) {
        return std::nullopt;
    }
    const auto it = m_live.find(tryUuid);
    if (it != m_live.end()) {
        PoolHost *host = m_hosts.find(it->second.host);
        return host ? std::optional(RunningTry{tryUuid, host, &state->place, host->id}) : std::nullopt;
    }
    const std::optional<OnNode> node = m_nodes ? m_nodes(job, task) : std::nullopt;
    PoolHost *through = node && !node->address.isEmpty() ? m_hosts.find(node->through) : nullptr;
    return through ? std::optional(RunningTry{tryUuid, through, &state->place, node->name, node->address})
                   : std::nullopt;
}

const PortForward *PortForwards::find(const QUuid &tryUuid, int port) const
{
    const auto it = std::find_if(m_entries.begin(), m_entries.end(),
        [&](const Entry &entry) { return entry.tryUuid == tryUuid && entry.forward->port() == port; });
    return it == m_entries.end() ? nullptr : it->forward.get();
}

void PortForwards::addPorts(
    const ActiveJob &job, core::TaskRef task, bool withUnasked, QList<api::TaskPort> &ports) const
{
    const std::optional<RunningTry> found = running(job, task);
    if (!found) {
        return;
    }
    api::TaskPort port;
    port.role = job.state.roleName(task);
    port.index = task.index;
    port.host = found->name;
    port.isHere = found->isHere();
    const qsizetype before = ports.size();
    const auto add = [&](const QString &label, int number) {
        const PortForward *forward = find(found->tryUuid, number);
        port.label = label;
        port.port = number;
        port.localPort = forward ? forward->localPort() : 0;
        port.connections = forward ? forward->connections() : 0;
        ports.append(port);
    };
    // Each task has ports for ssh and http as well, which are rarely used: they are listed on demand.
    const TaskRole *role = job.spec ? job.spec->role(port.role) : nullptr;
    for (const auto &[label, numbers] : found->place->ports) {
        const bool isAsked = withUnasked || !role
            || std::any_of(role->resources.ports.cbegin(), role->resources.ports.cend(),
                [&name = label](const auto &asked) { return asked.label == name; });
        if (!isAsked) {
            continue;
        }
        for (const int number : numbers) {
            add(label, number);
        }
    }
    for (const Entry &entry : m_entries) {
        const bool isListed = std::any_of(ports.cbegin() + before, ports.cend(),
            [&](const api::TaskPort &one) { return one.port == entry.forward->port(); });
        if (entry.tryUuid == found->tryUuid && !isListed) {
            add({}, entry.forward->port());
        }
    }
}

QList<api::TaskPort> PortForwards::list(const api::PortsOf &which) const
{
    QList<api::TaskPort> ports;
    const ActiveJob *job = m_jobs.find(which.id);
    if (!job) {
        return ports;
    }
    if (!which.role.isEmpty()) {
        if (const std::optional<core::TaskRef> task = job->state.find(which.role, which.index)) {
            addPorts(*job, *task, which.withUnasked, ports);
        }
        return ports;
    }
    for (std::size_t i = 0; i < job->state.tasks.size() && ports.size() < mostListed; ++i) {
        addPorts(*job, job->state.refAt(i), which.withUnasked, ports);
    }
    return ports;
}

int PortForwards::connections() const
{
    int all = 0;
    for (const Entry &entry : m_entries) {
        all += entry.forward->connections();
    }
    return all;
}

void PortForwards::resumeAll()
{
    for (const Entry &entry : m_entries) {
        entry.forward->resume();
    }
}

std::unique_ptr<PortForward> PortForwards::make(const RunningTry &to, int port)
{
    auto forward = std::make_unique<PortForward>(
        ForwardedConnection::Way{to.host->streams.get(), port, to.address, to.name, m_words});
    forward->setMayAccept([this] { return connections() < mostConnections; });
    connect(forward.get(), &PortForward::connectionOver, this, &PortForwards::resumeAll);
    return forward;
}

Result<api::TaskPort> PortForwards::forward(const api::PortToForward &wanted)
{
    if (wanted.port < 1 || wanted.port > 65535 || wanted.local < 0 || wanted.local > 65535) {
        return fail(
            u"forward.bad-port"_s, {{u"port"_s, wanted.port < 1 || wanted.port > 65535 ? wanted.port : wanted.local}});
    }
    const ActiveJob *job = m_jobs.find(wanted.id);
    const std::optional<core::TaskRef> task = job ? job->state.find(wanted.role, wanted.index) : std::nullopt;
    const std::optional<RunningTry> found = task ? running(*job, *task) : std::nullopt;
    if (!found && task && std::holds_alternative<core::Running>(job->state.task(*task).state)
        && !m_live.contains(core::tryUuid(job->state, *task))) {
        return fail(u"forward.no-way"_s, {{u"task"_s, taskLabel(wanted.role, wanted.index)}});
    }
    if (!found) {
        return fail(u"forward.not-running"_s, {{u"task"_s, taskLabel(wanted.role, wanted.index)}});
    }
    const auto isThis
        = [&](const Entry &entry) { return entry.tryUuid == found->tryUuid && entry.forward->port() == wanted.port; };
    const auto it = std::find_if(m_entries.begin(), m_entries.end(), isThis);
    const bool isThere = it != m_entries.end() && (wanted.local == 0 || wanted.local == it->forward->localPort());
    if (!found->isHere() && !isThere) {
        if (it == m_entries.end() && m_entries.size() >= mostForwards) {
            return fail(u"forward.too-many"_s, {{u"most"_s, int(mostForwards)}});
        }
        std::unique_ptr<PortForward> forward = make(*found, wanted.port);
        const Result<int> listening = wanted.local > 0 ? forward->listenAt(wanted.local) : forward->listenNear();
        if (!listening) {
            return tl::unexpected<Error>(listening.error());
        }
        if (it != m_entries.end()) {
            it->forward = std::move(forward); // at another port from now on
            resumeAll(); // its connections are gone, and others may wait for that
        } else {
            m_entries.push_back({found->tryUuid, wanted.id, wanted.role, wanted.index, std::move(forward)});
        }
    }
    const QList<api::TaskPort> ports = list({wanted.id, wanted.role, wanted.index});
    const auto port
        = std::find_if(ports.cbegin(), ports.cend(), [&](const api::TaskPort &one) { return one.port == wanted.port; });
    if (port != ports.cend()) {
        return *port;
    }
    api::TaskPort here;
    here.role = wanted.role;
    here.index = wanted.index;
    here.host = found->name;
    here.isHere = true;
    here.port = wanted.port;
    return here;
}

bool PortForwards::stop(const api::ForwardToStop &which)
{
    const bool any = m_jobs.find(which.id) && std::erase_if(m_entries, [&](const Entry &entry) {
        const bool isOfTask = entry.job == which.id
            && (which.role.isEmpty() || (entry.role == which.role && entry.index == which.index));
        return isOfTask && (which.port == 0 || which.port == entry.forward->port());
    }) > 0;
    if (any) {
        resumeAll(); // what waited for the connections that are gone
    }
    return any;
}

void PortForwards::end(const QUuid &tryUuid)
{
    if (std::erase_if(m_entries, [&](const Entry &entry) { return entry.tryUuid == tryUuid; }) > 0) {
        resumeAll();
    }
}

} // namespace trainyard
