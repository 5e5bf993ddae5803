// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/portservice.h"

#include "engine/api/reasons.h"
#include "engine/backend/clock.h"

#include <algorithm>
#include <map>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int portRounds = 3;
constexpr std::size_t portsAtOnce = 5000; // of five digits and a comma each; a header takes 64 KiB
constexpr int codePortBusy = 253;
constexpr int codeImpossible = -200;

core::PortRange rangeOf(const Settings &settings)
{
    core::PortRange range;
    range.first = int(settings.integer(u"ports.first"_s));
    range.last = int(settings.integer(u"ports.last"_s)); // an empty range says so when a port is wanted
    return range;
}

} // namespace

PortService::PortService(const Settings &settings, core::Scheduler &scheduler, const ActiveJobs &jobs, HostPool &hosts,
    const LiveTries &tries, GpuWatch &gpus, HostFigures &figures, PeerService &peers)
    : m_settings(settings), m_scheduler(scheduler), m_jobs(jobs), m_hosts(hosts), m_live(tries), m_gpus(gpus),
      m_figures(figures), m_peers(peers), m_book(rangeOf(settings))
{
    connect(&m_peers, &PeerService::settled, this, &PortService::drawAll);
}

void PortService::restore(const QString &host, const QUuid &tryUuid, const core::PortTable &ports)
{
    m_book.restore(host, tryUuid, ports);
}

void PortService::release(const QUuid &tryUuid)
{
    m_book.release(tryUuid);
    m_newest.erase(tryUuid);
}

void PortService::readSettings() { m_book.setRange(rangeOf(m_settings)); }

void PortService::post(ActiveJob &job, decltype(core::Event::what) what)
{
    Q_EMIT happened(&job, core::Event{nowMs(), std::move(what)});
}

void PortService::draw(const std::vector<Wanted> &wanted)
{
    std::map<PoolHost *, std::vector<Draw>> byHost;
    std::map<ActiveJob *, bool> awaited;
    for (const auto &[job, effect] : wanted) {
        if (effect.attempt != job->state.attempt()) {
            continue;
        }
        const auto [known, isNew] = awaited.try_emplace(job, false);
        known->second = isNew ? m_peers.isAwaited(*job) : known->second;
        if (known->second) {
            continue;
        }
        for (const core::TaskRef task : effect.tasks) {
            const QUuid uuid = core::tryUuid(job->state, task);
            const auto it = m_live.find(uuid);
            PoolHost *at = it == m_live.end() ? nullptr : m_hosts.find(it->second.host);
            if (at && at->agent->isOnline()) {
                m_newest[uuid] = ++m_drawNumber;
                byHost[at].push_back({job->state.uuid, effect.attempt, task, uuid, {}, m_drawNumber});
            }
        }
    }
    // One question per host and tick, however many tasks begin in it.
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

void PortService::drawAll(const QUuid &job)
{
    ActiveJob *of = m_jobs.find(job);
    core::effect::DrawPorts draw{of ? of->state.attempt() : 0, {}};
    for (std::size_t i = 0; of && i < of->state.tasks.size(); ++i) {
        const core::TaskRef task = of->state.refAt(i);
        const auto *placed = std::get_if<core::Placed>(&of->state.task(task).state);
        if (placed && !placed->portsDrawn) {
            draw.tasks.push_back(task);
        }
    }
    if (!draw.tasks.empty()) {
        this->draw({{of, draw}});
    }
}

bool PortService::isCurrent(const Draw &draw) const
{
    const auto it = m_newest.find(draw.tryUuid);
    return it != m_newest.end() && it->second == draw.number && m_live.contains(draw.tryUuid);
}

QList<int> PortService::gpusOf(const Draw &draw) const
{
    const ActiveJob *job = m_jobs.find(draw.job);
    const core::Allocation *place
        = job && job->state.contains(draw.task) ? core::placeOf(job->state.task(draw.task).state) : nullptr;
    return place ? place->gpus : QList<int>();
}

// Right before the start: another program may have begun to use a GPU since the last look at it.
void PortService::lookAtGpus(PoolHost &at, std::vector<Draw> draws)
{
    at.agent->request(
        contract::InventoryRequest{}, [this, id = at.id, draws = std::move(draws)](const contract::Message &answer) {
            const auto *inventory = std::get_if<contract::Inventory>(&answer);
            PoolHost *again = m_hosts.find(id);
            if (const auto *failure = std::get_if<contract::Failure>(&answer); failure || !again) {
                drawAgain(draws, failure ? *failure : contract::Failure{"host.gone", {}, 0});
                return;
            }
            const contract::Inventory now = inventory ? *inventory : contract::Inventory();
            const GpuWatch::Taken notFree = m_gpus.takenNow(*again, now);
            std::vector<Draw> good;
            std::map<ActiveJob *, core::event::PlacementReturned> taken;
            QSet<int> hit;
            for (const Draw &draw : draws) {
                const QList<int> gpus = gpusOf(draw);
                if (m_live.contains(draw.tryUuid)) {
                    m_gpus.noteBefore(draw.tryUuid, now, gpus);
                }
                const QSet<int> common = QSet<int>(gpus.cbegin(), gpus.cend()) & notFree.all();
                ActiveJob *job = m_jobs.find(draw.job);
                if (!isCurrent(draw)) {
                    continue;
                }
                if (common.isEmpty() || !job) {
                    m_gpus.noteStarting(*again, gpus);
                    good.push_back(draw);
                    continue;
                }
                hit |= common;
                core::event::PlacementReturned &back = taken[job];
                back.attempt = draw.attempt;
                back.tasks.push_back(draw.task);
            }
            if (!hit.isEmpty()) {
                m_figures.setTaken(*again, {notFree.foreign & hit, notFree.held & hit, notFree.lost & hit});
            }
            for (auto &[job, back] : taken) {
                post(*job, std::move(back));
            }
            drawOn(*again, std::move(good), 0, {});
        });
}

void PortService::drawOn(PoolHost &at, std::vector<Draw> draws, int round, const QSet<int> &busy)
{
    std::vector<int> numbers;
    std::vector<Draw> drawn;
    std::map<ActiveJob *, core::event::PlacementReturned> returned;
    for (Draw &draw : draws) {
        ActiveJob *job = m_jobs.find(draw.job);
        if (!job || !isCurrent(draw)) {
            continue; // stopped or given back meanwhile
        }
        const core::Needs &needs = job->state.policy.roles[std::size_t(draw.task.role)].needs;
        Result<core::PortTable> table = m_book.draw(at.id, draw.tryUuid, needs.ports, busy, needs.firstPorts);
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
        post(*job, std::move(back));
    }
    if (drawn.empty()) {
        return;
    }
    if (numbers.empty()) {
        portsDrawn(drawn);
        return;
    }
    askPorts(
        at, std::move(numbers), {},
        [this, drawn, round, busy](PoolHost &of, const QSet<int> &hit) {
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
        },
        [this, drawn](const contract::Failure &why) { drawAgain(drawn, why); });
}

// The agent could not say it, or was cut off: then they are drawn again when the host is back.
void PortService::drawAgain(const std::vector<Draw> &draws, const contract::Failure &why)
{
    for (const Draw &draw : draws) {
        if (isCurrent(draw)) {
            Q_EMIT refused(draw.tryUuid, why);
        }
    }
}

// Which of them are in use on the host, in questions that fit into a frame.
void PortService::askPorts(PoolHost &at, std::vector<int> numbers, QSet<int> busy,
    std::function<void(PoolHost &, const QSet<int> &)> then, std::function<void(const contract::Failure &)> failed)
{
    contract::Ports question;
    const auto first = numbers.end() - std::ptrdiff_t(std::min(numbers.size(), portsAtOnce));
    question.check.assign(first, numbers.end());
    numbers.erase(first, numbers.end());
    at.agent->request(question,
        [this, id = at.id, numbers = std::move(numbers), busy = std::move(busy), then = std::move(then),
            failed = std::move(failed)](const contract::Message &answer) mutable {
            const auto *reply = std::get_if<contract::PortsReply>(&answer);
            PoolHost *again = m_hosts.find(id);
            if (!reply || !again) {
                const auto *failure = std::get_if<contract::Failure>(&answer);
                failed(failure ? *failure : contract::Failure{"host.gone", {}, 0});
                return;
            }
            busy += QSet<int>(reply->busy.cbegin(), reply->busy.cend());
            if (numbers.empty()) {
                then(*again, busy);
            } else {
                askPorts(*again, std::move(numbers), std::move(busy), std::move(then), std::move(failed));
            }
        });
}

// A fixed port that another task has, with which this one need not start together: as other resources it is waited for.
// The scheduler knows those that jobs fix, and learns here of one that was drawn.
bool PortService::isHeldByAnother(const Draw &draw, const Error &why)
{
    const std::optional<reason::FixedPortHeld> taken = reason::as<reason::FixedPortHeld>(why);
    if (!taken) {
        return false;
    }
    const QUuid holder = QUuid::fromString(taken->holder);
    const ActiveJob *job = m_jobs.find(draw.job);
    const auto it = m_live.find(holder);
    const bool isAnother
        = job && it != m_live.end() && holder != draw.tryUuid && (it->second.job != job || !job->state.policy.gang);
    return isAnother && m_scheduler.holdPort(holder, taken->port);
}

void PortService::portsDrawn(const std::vector<Draw> &draws)
{
    std::map<ActiveJob *, core::event::PortsDrawn> byJob;
    for (const Draw &draw : draws) {
        if (ActiveJob *job = isCurrent(draw) ? m_jobs.find(draw.job) : nullptr) {
            Q_EMIT answered(draw.tryUuid);
            byJob[job].tasks.push_back({draw.task, draw.tryUuid, draw.ports});
        }
    }
    for (auto &[job, event] : byJob) {
        post(*job, std::move(event));
    }
}

void PortService::portsFailed(const Draw &draw, const Error &why)
{
    if (ActiveJob *job = isCurrent(draw) ? m_jobs.find(draw.job) : nullptr) {
        core::TryResult result;
        result.code = codePortBusy;
        result.reason = why.code;
        result.reasonArgs = why.args;
        // Ports that the job itself fixes: another attempt finds two tasks of it on one host again.
        if (const auto taken = reason::as<reason::FixedPortHeld>(why)) {
            const auto holder = m_live.find(QUuid::fromString(taken->holder));
            if (holder != m_live.end() && holder->second.job == job) {
                result.code = codeImpossible;
                result.reason = reason::FixedPortTwice::code;
            }
        } else if (why.code == reason::FixedPortRange::code) {
            result.code = codeImpossible;
        }
        post(*job, core::event::PlacementFailed{draw.attempt, {draw.task}, result});
    }
}

} // namespace trainyard
