// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/lead_p.h"
#include "engine/agent/leadcommands.h"
#include "engine/agent/leadretries.h"
#include "engine/agent/leadstep.h"
#include "engine/agent/pump.h"
#include "engine/agent/slurmnodes.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/pathkinds.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

namespace trainyard::agent
{
namespace
{

using contract::LeadPlaces;
using contract::LeadPlan;
using contract::LeadTask;

constexpr std::size_t mostPlanBytes = std::size_t(64) << 20;

} // namespace

std::string Lead::clusterId() const { return m_plan.isArray ? leadVariable("SLURM_ARRAY_JOB_ID") : ownClusterId(); }

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
        const std::string element = leadVariable("SLURM_ARRAY_TASK_ID");
        m_element = element.empty() ? -1 : std::atoi(element.c_str());
        return m_element >= 0 && std::size_t(m_element) < m_plan.tasks.size();
    }
    return true;
}

// Also by the places, which is all that a lead of an older version leaves.
bool Lead::isAnothers() const
{
    const std::optional<std::string> text = contract::readWhole(path(contract::leadfile::placed), mostPlanBytes);
    const std::optional<LeadPlaces> places = text ? LeadPlaces::parse(*text) : std::nullopt;
    return places && places->clusterId != clusterId();
}

// A node for each task that fits on it.
std::vector<std::string> Lead::nodesOf(int component)
{
    const std::string of = m_plan.components > 1 ? "_HET_GROUP_" + std::to_string(component) : "";
    const std::string said = saidBy({"scontrol", "show", "hostnames", leadVariable("SLURM_JOB_NODELIST" + of)});
    std::vector<std::string> names;
    for (std::size_t at = 0; at < said.size();) {
        const std::size_t end = std::min(said.find('\n', at), said.size());
        if (end > at) {
            names.push_back(said.substr(at, end - at));
        }
        at = end + 1;
    }
    return nodesOfTasks(names, leadVariable("SLURM_TASKS_PER_NODE" + of));
}

bool Lead::place()
{
    m_places.clusterId = clusterId();
    m_places.jobId = leadVariable("SLURM_JOB_ID");
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

bool Lead::isStopNoted() const
{
    return contract::isAnythingAt(m_folder + '/' + contract::leadfile::stop)
        || contract::isAnythingAt(path(contract::leadfile::stop));
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
        // The lead that renames it has it, when two leads begin at the same moment. It may hold secrets, so it is
        // removed also when another one is missing.
        const std::string mine = file + ".of-" + leadVariable("SLURM_JOB_ID");
        std::optional<std::string> bytes;
        if (::rename(file.c_str(), mine.c_str()) == 0) {
            bytes = contract::readWhole(mine, contract::maxHeader + contract::maxPayload + 8);
            ::unlink(mine.c_str());
        }
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
        if (m_plan.retries && (m_plan.isArray || m_plan.tasks.size() == 1)) {
            m_retries = std::make_unique<LeadRetries>(*m_plan.retries, m_plan.tasks[i], *launch);
        }
        makeStep(i, m_plan.tasks[i], std::move(*launch));
    }
    return areAllThere;
}

void Lead::makeStep(std::size_t position, contract::LeadTask task, contract::Launch launch)
{
    std::unique_ptr<LeadStep> &step = m_steps[position];
    if (step) {
        m_formerSteps.push_back(std::move(step)); // it may be what calls
    }
    step = std::make_unique<LeadStep>(m_loop, std::move(task), std::move(launch), m_plan.loginMs,
        LeadStep::Told{[this] { stepBegan(); }, [this, position] { stepEnded(position); }});
}

// As on any host, the time limit of the job begins with its first task: what the nodes have taken before is not
// counted.
void Lead::stepBegan()
{
    if (m_plan.limitMs > 0 && !m_limitLeftMs) {
        m_limitLeftMs = m_plan.limitMs;
        countLimit();
    }
}

void Lead::countLimit()
{
    if (m_limitLeftMs && m_limitTimer == 0 && !m_isHalted && !m_why) {
        m_limitSince = monotonicMs();
        m_limitTimer = m_loop.after(*m_limitLeftMs, [this] { stopAll("limit"); });
    }
}

// Nor is a pause counted. The signals that halt the steps do not come to this process.
void Lead::halt(bool on)
{
    if (std::exchange(m_isHalted, on) == on) {
        return;
    }
    if (on && m_limitTimer != 0) {
        m_loop.cancel(std::exchange(m_limitTimer, 0));
        m_limitLeftMs = std::max<std::int64_t>(0, *m_limitLeftMs - (monotonicMs() - m_limitSince));
    }
    countLimit();
}

} // namespace trainyard::agent
