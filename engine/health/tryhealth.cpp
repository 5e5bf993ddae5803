// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/tryhealth.h"

#include "engine/health/losses.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trainyard::health
{
namespace
{

constexpr std::size_t mostMetrics = 64; // of a task; the first ones are those that count
constexpr std::size_t mostTimes = 8;
constexpr std::size_t mostSteps = 512;
constexpr std::size_t trains = 3; // points since then
constexpr std::int64_t cpuWindowMs = 600'000;
constexpr double atLimit = 0.85; // of the cores
constexpr double percentOfCore = 100;
constexpr std::int64_t sameMs = 600'000; // a prediction that has moved less is still the same one

std::optional<int> gpuOf(std::string_view name)
{
    constexpr std::string_view head = "gpu/", tail = "/use";
    if (!name.starts_with(head) || !name.ends_with(tail) || name.size() <= head.size() + tail.size()) {
        return std::nullopt;
    }
    int index = 0;
    const char *end = name.data() + name.size() - tail.size();
    return std::from_chars(name.data() + head.size(), end, index).ptr == end ? std::optional(index) : std::nullopt;
}

} // namespace

void TryHealth::addPoint(const metrics::Point &point, std::int64_t at)
{
    m_pointTimes.push_back(at);
    if (m_pointTimes.size() > mostTimes) {
        m_pointTimes.pop_front();
    }
    const Sample sample = sampleOf(point, at);
    if (sample.step && !sample.isBatch && std::isfinite(*sample.step)) {
        if (!m_steps.empty() && m_steps.back().value > *sample.step) {
            m_steps.clear();
        }
        if (m_steps.empty() || m_steps.back().value < *sample.step) {
            m_steps.push_back({at, *sample.step});
        }
        if (m_steps.size() > mostSteps) {
            m_steps.pop_front();
        }
    }
    auto metric = m_metrics.find(point.name);
    if (metric == m_metrics.end()) {
        if (m_metrics.size() >= mostMetrics) {
            return;
        }
        metric = m_metrics.emplace(point.name, isLoss(point.name)).first;
        m_names.push_back(point.name);
    }
    metric->second.countsEpochs = sample.isEpoch;
    metric->second.notFinite.add(sample);
    if (metric->second.isLoss) {
        metric->second.jump.add(sample);
        metric->second.plateau.add(sample);
    }
}

void TryHealth::addFigure(std::string_view name, std::int64_t at, double value)
{
    if (!std::isfinite(value)) {
        return;
    }
    if (name == "cpu") {
        m_alive = std::max(m_alive, at);
        m_cpu.push_back({at, value});
        while (at - m_cpu.front().at > cpuWindowMs) {
            m_cpu.pop_front();
        }
    } else if (name == "memory") {
        m_memory.add(at, value);
    } else if (const std::optional<int> gpu = gpuOf(name)) {
        m_gpus[*gpu].add(at, value);
    }
}

void TryHealth::addThinnedFigure(std::string_view name, std::int64_t at, double greatest)
{
    if (const std::optional<int> gpu = gpuOf(name); gpu && std::isfinite(greatest)) {
        m_gpus[*gpu].addOld(at, greatest);
    }
}

void TryHealth::forgetFigures()
{
    m_cpu.clear();
    m_gpus.clear();
    m_memory = {};
}

bool TryHealth::trainsSince(std::int64_t at) const
{
    return std::size_t(std::count_if(m_pointTimes.begin(), m_pointTimes.end(), [at](std::int64_t time) {
        return time > at;
    })) >= trains;
}

void TryHealth::addMetrics(std::vector<Finding> &all, bool isOver) const
{
    for (const std::string &name : m_names) {
        const Metric &metric = m_metrics.at(name);
        std::optional<Finding> found = metric.notFinite.finding(name, isOver); // where a curve ends says enough
        found = found ? found : metric.jump.finding(name);
        found = found ? found : metric.plateau.finding(name);
        if (!found) {
            continue;
        }
        if (found->step && metric.countsEpochs) {
            found->args.emplace_back("counts", "epoch");
        }
        all.push_back(std::move(*found));
    }
}

void TryHealth::addIdleGpus(std::vector<Finding> &all) const
{
    if (m_limits.gpuIdleMs <= 0) {
        return;
    }
    for (const bool wasUsed : {false, true}) {
        Finding found;
        std::string gpus;
        for (const auto &[index, gpu] : m_gpus) {
            const std::optional<std::int64_t> since = gpu.idleSince();
            if (!since || gpu.wasUsed() != wasUsed || gpu.lookedAt() - *since < m_limits.gpuIdleMs
                || !trainsSince(std::max(*since, gpu.lookedAt() - m_limits.gpuIdleMs))) {
                continue;
            }
            gpus += (gpus.empty() ? "" : ", ") + std::to_string(index);
            found.at = std::max(found.at, *since);
        }
        if (!gpus.empty()) {
            found.code = wasUsed ? "health.gpu-idle" : "health.gpu-never";
            found.args.emplace_back("gpus", gpus);
            all.push_back(std::move(found));
        }
    }
}

void TryHealth::addDataBound(std::vector<Finding> &all) const
{
    if (m_limits.cores <= 0 || m_cpu.empty()) {
        return;
    }
    double cpu = 0;
    for (const Timed &each : m_cpu) {
        cpu += each.value / double(m_cpu.size());
    }
    if (cpu < atLimit * m_limits.cores * percentOfCore) {
        return;
    }
    std::string gpus;
    double busy = 0;
    std::int64_t since = 0;
    int count = 0;
    for (const auto &[index, gpu] : m_gpus) {
        const std::optional<double> mean = gpu.sawTooth();
        if (mean && trainsSince(gpu.windowFrom())) {
            gpus += (gpus.empty() ? "" : ", ") + std::to_string(index);
            busy += *mean;
            since = std::max(since, gpu.windowFrom());
            ++count;
        }
    }
    if (count > 0) {
        Finding found;
        found.code = "health.data-bound";
        found.at = since;
        // In steps, so that it is not another one each second.
        constexpr double steps = 10;
        found.args = {{"gpus", gpus}, {"busy", std::round(busy / count / steps) * steps}, {"cores", m_limits.cores}};
        all.push_back(std::move(found));
    }
}

std::optional<double> TryHealth::stepAt(std::int64_t time) const
{
    if (m_steps.size() < mostTimes || m_steps.back().at <= m_steps.front().at) {
        return std::nullopt;
    }
    const Timed &first = m_steps.front(), &last = m_steps.back();
    const double perMs = (last.value - first.value) / double(last.at - first.at);
    return last.value + perMs * double(time - last.at);
}

void TryHealth::addMemory(std::vector<Finding> &all, std::optional<std::int64_t> endExpected)
{
    const std::optional<MemoryGrowth::Creep> creep = m_memory.creep(m_limits.memoryMiB);
    if (!creep || (endExpected && *endExpected < creep->fullAt)) {
        m_memorySaid.reset();
        return;
    }
    if (m_memorySaid) {
        const auto said = std::get<std::int64_t>(m_memorySaid->args.front().second);
        if (std::abs(said - creep->fullAt) < sameMs) {
            all.push_back(*m_memorySaid);
            return;
        }
    }
    Finding found;
    found.code = "health.memory";
    found.at = m_memorySaid ? m_memorySaid->at : creep->since;
    found.args = {{"fullAt", creep->fullAt}, {"nowMiB", std::int64_t(creep->nowMiB)},
        {"perHourMiB", std::int64_t(creep->perHourMiB)}, {"limitMiB", std::int64_t(m_limits.memoryMiB)}};
    if (const std::optional<double> step = stepAt(creep->fullAt)) {
        found.args.emplace_back("fullStep", std::round(*step));
    }
    m_memorySaid = found;
    all.push_back(std::move(found));
}

std::vector<Finding> TryHealth::findings(std::int64_t now, bool isOver, std::optional<std::int64_t> endExpected)
{
    std::vector<Finding> all;
    addMetrics(all, isOver);
    addIdleGpus(all);
    addDataBound(all);
    addMemory(all, endExpected);
    if (!isOver) {
        if (std::optional<Finding> found = silence(m_rhythm, now, m_alive, m_limits.silentMs)) {
            all.push_back(std::move(*found));
        }
    }
    return all;
}

} // namespace trainyard::health
