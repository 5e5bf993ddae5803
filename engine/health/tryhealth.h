// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/health/gpuuse.h"
#include "engine/health/lossjump.h"
#include "engine/health/memorygrowth.h"
#include "engine/health/notfinite.h"
#include "engine/health/plateau.h"
#include "engine/health/silence.h"

#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>

namespace trainyard::health
{

// The limits of a task and the patience of its user. 0: not known, or not specified.
struct Limits {
    double cores = 0; // that it asked for
    double memoryMiB = 0; // so is this
    std::int64_t silentMs = 0, gpuIdleMs = 0;
};

// All health marks of one try of a task: it gets what the try prints and uses, in the order of time.
class TryHealth
{
public:
    explicit TryHealth(const Limits &limits) : m_limits(limits) { }

    void addPoint(const metrics::Point &point, std::int64_t at);
    void setRhythm(const Rhythm &rhythm) { m_rhythm = rhythm; }
    void addFigure(std::string_view name, std::int64_t at, double value); // "cpu", "memory", "gpu/0/use"
    // Adds what was thinned of such a figure, before the rest of it: the greatest value of some seconds.
    void addThinnedFigure(std::string_view name, std::int64_t at, double greatest);

    void forgetFigures(); // they come again

    // As it is now. `endExpected` is when the task will end, as far as that is known; a task that has ended is silent
    // for a good reason.
    std::vector<Finding> findings(std::int64_t now, bool isOver, std::optional<std::int64_t> endExpected);

private:
    struct Metric {
        explicit Metric(bool isLossLike) : isLoss(isLossLike), notFinite(isLossLike) { }
        bool isLoss;
        bool countsEpochs = false;
        NotFinite notFinite;
        LossJump jump;
        Plateau plateau;
    };
    void addMetrics(std::vector<Finding> &all, bool isOver) const;
    void addIdleGpus(std::vector<Finding> &all) const;
    void addDataBound(std::vector<Finding> &all) const;
    void addMemory(std::vector<Finding> &all, std::optional<std::int64_t> endExpected);
    bool trainsSince(std::int64_t at) const;
    std::optional<double> stepAt(std::int64_t time) const; // if it continues as it did recently

    Limits m_limits;
    std::unordered_map<std::string, Metric> m_metrics;
    std::vector<std::string> m_names; // in the order in which they appeared
    Rhythm m_rhythm;
    std::int64_t m_alive = 0;
    std::map<int, GpuUse> m_gpus;
    struct Timed {
        std::int64_t at = 0;
        double value = 0;
    };
    std::deque<Timed> m_cpu; // of the last minutes
    std::deque<Timed> m_steps; // of the metric that counts furthest
    std::deque<std::int64_t> m_pointTimes; // of the newest points
    MemoryGrowth m_memory;
    std::optional<Finding> m_memorySaid; // as it was said last
};

} // namespace trainyard::health
