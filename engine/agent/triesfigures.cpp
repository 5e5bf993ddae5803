// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/pump.h"
#include "engine/agent/tries.h"
#include "engine/agent/tries_p.h"

#include <limits>
#include <optional>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t youngestMs = 1000; // a file for each of a thousand short tasks would be of no use
constexpr std::int64_t againMs = 10000; // an earlier agent may be about to end, a disk may get room
constexpr std::int64_t restPerWork = 50; // at most a fiftieth of one processor

std::vector<int> gpusOf(const std::string &dir)
{
    const std::optional<std::string> text = contract::readWhole(dir + '/' + contract::file::plan);
    const std::optional<contract::Plan> plan = text ? contract::parsePlan(*text) : std::nullopt;
    return plan ? plan->gpus : std::vector<int>();
}

} // namespace

void Tries::takeFigures(const std::vector<contract::Gpu> &gpus)
{
    const std::int64_t began = monotonicMs();
    if (began < m_figuresNext || m_tries.empty()) {
        return;
    }
    const TryFigures::Host host{utcMs(), hostTraffic(), gpus};
    for (const auto &[dir, entry] : m_tries) {
        if (!entry->running || !entry->started || began < entry->figuresFrom
            || host.at - entry->started->at < youngestMs) {
            continue;
        }
        if (!entry->figures) {
            entry->figures = std::make_unique<TryFigures>(dir, static_cast<pid_t>(entry->started->keeperPid),
                static_cast<pid_t>(entry->started->process.pid), m_isStep ? std::nullopt : std::optional(gpusOf(dir)));
        }
        if (!entry->diskFull) { // the last bytes are for what the task says
            entry->figures->sample(host);
        }
        if (!entry->figures->isAlive()) {
            entry->figures.reset();
            entry->figuresFrom = began + againMs;
        }
    }
    m_figuresNext = monotonicMs() + (monotonicMs() - began) * restPerWork;
    rewriteFigures(host.at);
}

// One at a time: it takes some memory.
void Tries::rewriteFigures(std::int64_t now)
{
    Try *due = nullptr;
    for (const auto &[dir, entry] : m_tries) {
        if (entry->figures && entry->figures->isRewriting()) {
            return;
        }
        if (!due && entry->figures && !entry->diskFull && entry->figures->isRewritingDue(now)) {
            due = entry.get();
        }
    }
    if (due) {
        due->figures->startRewriting(now);
    }
}

void Tries::figuresReaped(pid_t pid, int status)
{
    for (const auto &[dir, entry] : m_tries) {
        if (entry->figures) {
            entry->figures->reaped(pid, status);
        }
    }
}

void Tries::endFigures(const std::string &dir)
{
    if (const auto it = m_tries.find(dir); it != m_tries.end()) {
        it->second->figures.reset();
        it->second->figuresFrom = std::numeric_limits<std::int64_t>::max();
    }
}

} // namespace trainyard::agent
