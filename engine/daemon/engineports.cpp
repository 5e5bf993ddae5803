// SPDX-License-Identifier: GPL-3.0-or-later
// Ports of tries: drawn here, bind-tested by the agents, all of them before the first task starts.
#include "engine/daemon/engineprivate.h"

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int portRounds = 3;
constexpr int codePortBusy = 253;

} // namespace

void Engine::Private::drawPorts(const std::vector<std::pair<ActiveJob *, core::Effect>> &effects)
{
    std::map<EngineHost *, std::vector<Draw>> byHost;
    for (const auto &[job, effect] : effects) {
        const auto *draw = std::get_if<core::effect::DrawPorts>(&effect);
        if (!draw || draw->attempt != job->state.attempt()) {
            continue;
        }
        for (const core::TaskRef task : draw->tasks) {
            const QUuid uuid = core::tryUuid(job->state, task);
            const auto it = m_live.find(uuid);
            EngineHost *at = it == m_live.end() ? nullptr : host(it->second.host);
            if (at && at->agent->isOnline()) {
                byHost[at].push_back({job->state.uuid.toString(QUuid::WithoutBraces), draw->attempt, task, uuid, {}});
            }
        }
    }
    // One question per host and turn, however many tasks begin in it.
    for (auto &[at, draws] : byHost) {
        drawOn(*at, std::move(draws), 0, {});
    }
}

void Engine::Private::drawOn(EngineHost &at, std::vector<Draw> draws, int round, const QSet<int> &busy)
{
    contract::Ports question;
    std::vector<Draw> drawn;
    for (Draw &draw : draws) {
        const ActiveJob *job = find(draw.job);
        if (!job || !m_live.contains(draw.tryUuid)) {
            continue; // stopped meanwhile
        }
        const QList<Port> &wanted = job->state.policy.roles[std::size_t(draw.task.role)].needs.ports;
        Result<core::PortTable> table = m_ports->draw(at.id, draw.tryUuid, wanted, busy);
        if (!table) {
            portsFailed(draw, table.error());
            continue;
        }
        draw.ports = *table;
        for (const auto &[label, numbers] : draw.ports) {
            question.check.insert(question.check.end(), numbers.cbegin(), numbers.cend());
        }
        drawn.push_back(std::move(draw));
    }
    if (drawn.empty()) {
        return;
    }
    if (question.check.empty()) {
        portsDrawn(drawn);
        return;
    }
    const QString id = at.id;
    at.agent->request(question, [this, id, drawn = std::move(drawn), round, busy](const contract::Message &answer) {
        const auto *reply = std::get_if<contract::PortsReply>(&answer);
        EngineHost *again = host(id);
        if (!reply || !again) {
            return; // cut: drawn anew when the host is back
        }
        if (reply->busy.empty()) {
            portsDrawn(drawn);
            return;
        }
        QSet<int> taken = busy;
        for (const int port : reply->busy) {
            taken.insert(port);
        }
        std::vector<Draw> good, bad;
        for (const Draw &draw : drawn) {
            const bool hit = std::any_of(draw.ports.cbegin(), draw.ports.cend(), [&](const auto &entry) {
                return std::any_of(
                    entry.second.cbegin(), entry.second.cend(), [&](int port) { return taken.contains(port); });
            });
            (hit ? bad : good).push_back(draw);
        }
        portsDrawn(good);
        if (round + 1 < portRounds) {
            drawOn(*again, std::move(bad), round + 1, taken);
            return;
        }
        for (const Draw &draw : bad) {
            portsFailed(draw, {u"ports.busy"_s, {{u"host"_s, id}}});
        }
    });
}

void Engine::Private::portsDrawn(const std::vector<Draw> &draws)
{
    std::map<ActiveJob *, core::event::PortsDrawn> byJob;
    for (const Draw &draw : draws) {
        if (ActiveJob *job = find(draw.job)) {
            byJob[job].tasks.push_back({draw.task, draw.tryUuid, draw.ports});
        }
    }
    for (auto &[job, event] : byJob) {
        post(*job, {nowMs(), std::move(event)});
    }
}

void Engine::Private::portsFailed(const Draw &draw, const Error &why)
{
    if (ActiveJob *job = find(draw.job)) {
        core::TryResult result;
        result.code = codePortBusy;
        result.reason = why.code;
        result.reasonArgs = why.args;
        post(*job, {nowMs(), core::event::PlacementFailed{draw.attempt, {draw.task}, result}});
    }
}

} // namespace trainyard
