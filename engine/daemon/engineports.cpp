// SPDX-License-Identifier: GPL-3.0-or-later
// Ports of tries: drawn here, bind-tested by the agents, all of them before the first task starts.
#include "engine/daemon/engineprivate.h"

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int portRounds = 3;
constexpr std::size_t portsAtOnce = 5000; // of five digits and a comma each; a header takes 64 KiB
constexpr int codePortBusy = 253;
constexpr int codeImpossible = -200;

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
                it->second.drawNumber = ++m_drawNumber;
                byHost[at].push_back({job->state.uuid.toString(QUuid::WithoutBraces), draw->attempt, task, uuid, {},
                    it->second.drawNumber});
            }
        }
    }
    // One question per host and turn, however many tasks begin in it.
    for (auto &[at, draws] : byHost) {
        const bool anyGpu
            = std::any_of(draws.cbegin(), draws.cend(), [this](const Draw &draw) { return !gpusOf(draw).isEmpty(); });
        if (anyGpu && m_settings.flag(u"gpu.foreignIsBusy"_s)) {
            lookAtGpus(*at, std::move(draws));
        } else {
            drawOn(*at, std::move(draws), 0, {});
        }
    }
}

bool Engine::Private::isCurrent(const Draw &draw) const
{
    const auto it = m_live.find(draw.tryUuid);
    return it != m_live.end() && it->second.drawNumber == draw.number;
}

QList<int> Engine::Private::gpusOf(const Draw &draw) const
{
    const ActiveJob *job = find(draw.job);
    const core::Place *place
        = job && job->state.contains(draw.task) ? core::placeOf(job->state.task(draw.task).state) : nullptr;
    return place ? place->gpus : QList<int>();
}

// Right before the start: somebody may have begun to use a GPU since the last look at it.
void Engine::Private::lookAtGpus(EngineHost &at, std::vector<Draw> draws)
{
    at.agent->request(
        contract::InventoryRequest{}, [this, id = at.id, draws = std::move(draws)](const contract::Message &answer) {
            const auto *now = std::get_if<contract::Inventory>(&answer);
            EngineHost *again = host(id);
            if (!again || std::holds_alternative<contract::Failure>(answer)) {
                return; // cut: drawn anew when the host is back
            }
            QSet<int> foreign, held, lost;
            for (const contract::Gpu &gpu : now ? now->gpus : std::vector<contract::Gpu>()) {
                const bool isLocked = !gpu.lockedBy.empty() && !isOwnLock(*again, gpu);
                if (gpu.missing) {
                    lost.insert(gpu.index);
                } else if (gpu.foreign) {
                    foreign.insert(gpu.index);
                } else if (isLocked) {
                    held.insert(gpu.index);
                }
            }
            const QSet<int> notFree = foreign | held | lost;
            std::vector<Draw> good;
            std::map<ActiveJob *, core::event::PlacementReturned> taken;
            QSet<int> hit;
            for (const Draw &draw : draws) {
                const QList<int> gpus = gpusOf(draw);
                const auto entry = m_live.find(draw.tryUuid);
                for (const contract::Gpu &gpu : now ? now->gpus : std::vector<contract::Gpu>()) {
                    if (entry != m_live.end() && gpus.contains(gpu.index)) {
                        entry->second.gpuBaseMiB.insert(gpu.index, gpu.memoryUsedMiB);
                    }
                }
                const QSet<int> common = QSet<int>(gpus.cbegin(), gpus.cend()) & notFree;
                ActiveJob *job = find(draw.job);
                if (!isCurrent(draw)) {
                    continue;
                }
                if (common.isEmpty() || !job) {
                    good.push_back(draw);
                    continue;
                }
                hit |= common;
                core::event::PlacementReturned &back = taken[job];
                back.attempt = draw.attempt;
                back.tasks.push_back(draw.task);
            }
            if (!hit.isEmpty()) {
                // The scheduler must not give them away again at once.
                for (core::GpuSlot &slot : again->capacity.gpus) {
                    slot.foreign = slot.foreign || (hit & foreign).contains(slot.index);
                    slot.held = slot.held || (hit & held).contains(slot.index);
                    slot.lost = slot.lost || (hit & lost).contains(slot.index);
                }
                m_scheduler.setHost(again->capacity);
            }
            for (auto &[job, back] : taken) {
                post(*job, {nowMs(), std::move(back)});
            }
            drawOn(*again, std::move(good), 0, {});
        });
}

void Engine::Private::drawOn(EngineHost &at, std::vector<Draw> draws, int round, const QSet<int> &busy)
{
    std::vector<int> numbers;
    std::vector<Draw> drawn;
    std::map<ActiveJob *, core::event::PlacementReturned> returned;
    for (Draw &draw : draws) {
        ActiveJob *job = find(draw.job);
        if (!job || !isCurrent(draw)) {
            continue; // stopped or given back meanwhile
        }
        const core::Needs &needs = job->state.policy.roles[std::size_t(draw.task.role)].needs;
        Result<core::PortTable> table = m_ports->draw(at.id, draw.tryUuid, needs.ports, busy, needs.firstPorts);
        if (!table) {
            if (isHeldByAnother(draw, table.error())) {
                core::event::PlacementReturned &back = returned[job];
                back.attempt = draw.attempt;
                back.tasks.push_back(draw.task);
            } else {
                portsFailed(draw, table.error());
            }
            continue;
        }
        draw.ports = *table;
        for (const auto &[label, ports] : draw.ports) {
            numbers.insert(numbers.end(), ports.cbegin(), ports.cend());
        }
        drawn.push_back(std::move(draw));
    }
    for (auto &[job, back] : returned) {
        post(*job, {nowMs(), std::move(back)});
    }
    if (drawn.empty()) {
        return;
    }
    if (numbers.empty()) {
        portsDrawn(drawn);
        return;
    }
    askPorts(at, std::move(numbers), {},
        [this, drawn = std::move(drawn), round, busy](EngineHost &of, const QSet<int> &hit) {
            if (hit.isEmpty()) {
                portsDrawn(drawn);
                return;
            }
            const QSet<int> taken = busy | hit;
            std::vector<Draw> good, bad;
            for (const Draw &draw : drawn) {
                const bool isHit = std::any_of(draw.ports.cbegin(), draw.ports.cend(), [&](const auto &entry) {
                    return std::any_of(
                        entry.second.cbegin(), entry.second.cend(), [&](int port) { return taken.contains(port); });
                });
                (isHit ? bad : good).push_back(draw);
            }
            portsDrawn(good);
            if (round + 1 < portRounds) {
                drawOn(of, std::move(bad), round + 1, taken);
                return;
            }
            for (const Draw &draw : bad) {
                portsFailed(draw, {u"ports.busy"_s, {{u"host"_s, of.id}}});
            }
        });
}

// Which of them are in use on the host, in questions that fit into a frame. Nobody is told when it is cut: they are
// drawn anew when the host is back.
void Engine::Private::askPorts(
    EngineHost &at, std::vector<int> numbers, QSet<int> busy, std::function<void(EngineHost &, const QSet<int> &)> then)
{
    contract::Ports question;
    const auto first = numbers.end() - std::ptrdiff_t(std::min(numbers.size(), portsAtOnce));
    question.check.assign(first, numbers.end());
    numbers.erase(first, numbers.end());
    at.agent->request(question,
        [this, id = at.id, numbers = std::move(numbers), busy = std::move(busy), then = std::move(then)](
            const contract::Message &answer) mutable {
            const auto *reply = std::get_if<contract::PortsReply>(&answer);
            EngineHost *again = host(id);
            if (!reply || !again) {
                return;
            }
            busy += QSet<int>(reply->busy.cbegin(), reply->busy.cend());
            if (numbers.empty()) {
                then(*again, busy);
            } else {
                askPorts(*again, std::move(numbers), std::move(busy), std::move(then));
            }
        });
}

// A fixed port that another task has, with which this one need not start together: as other resources it is waited for.
// The scheduler knows those that jobs fix, and learns here of one that was drawn.
bool Engine::Private::isHeldByAnother(const Draw &draw, const Error &why)
{
    const QUuid holder = QUuid::fromString(why.args.value("holder"_L1).toString());
    const ActiveJob *job = find(draw.job);
    const auto it = m_live.find(holder);
    const bool isAnother
        = job && it != m_live.end() && holder != draw.tryUuid && (it->second.job != job || !job->state.policy.gang);
    return isAnother && why.code == "ports.fixed-held"_L1
        && m_scheduler.holdPort(holder, why.args.value("port"_L1).toInt());
}

void Engine::Private::portsDrawn(const std::vector<Draw> &draws)
{
    std::map<ActiveJob *, core::event::PortsDrawn> byJob;
    for (const Draw &draw : draws) {
        if (ActiveJob *job = isCurrent(draw) ? find(draw.job) : nullptr) {
            byJob[job].tasks.push_back({draw.task, draw.tryUuid, draw.ports});
        }
    }
    for (auto &[job, event] : byJob) {
        post(*job, {nowMs(), std::move(event)});
    }
}

void Engine::Private::portsFailed(const Draw &draw, const Error &why)
{
    if (ActiveJob *job = isCurrent(draw) ? find(draw.job) : nullptr) {
        core::TryResult result;
        result.code = codePortBusy;
        result.reason = why.code;
        result.reasonArgs = why.args;
        // Ports that the job itself fixes: another attempt finds two tasks of it on one host again.
        const auto holder = m_live.find(QUuid::fromString(why.args.value("holder"_L1).toString()));
        const bool ownFault = holder != m_live.end() && holder->second.job == job;
        if (ownFault || why.code == "ports.fixed-range"_L1) {
            result.code = codeImpossible;
            result.reason = ownFault ? u"ports.fixed-twice"_s : why.code;
        }
        post(*job, {nowMs(), core::event::PlacementFailed{draw.attempt, {draw.task}, result}});
    }
}

} // namespace trainyard
