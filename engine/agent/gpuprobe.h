// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/gpurows.h"
#include "engine/agent/lineprogram.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Asks nvidia-smi for one GPU after the other: a lost one can make a query for all of them fail.
class GpuProbe
{
public:
    GpuProbe(Loop &loop, std::function<void()> ended);
    // Asks for at least `known` GPUs; those in `lost` are known to be lost.
    void start(int known, std::set<int> lost);
    void stop() { m_program.stop(); }
    std::vector<contract::Gpu> takeFound() { return std::move(m_found); }
    const std::set<int> &lost() const { return m_lost; }
    const std::set<int> &silent() const { return m_silent; } // nothing was said of them

private:
    static constexpr int most = 64;

    std::function<void()> m_ended;
    LineProgram m_program;
    std::vector<contract::Gpu> m_found;
    std::set<int> m_lost, m_silent;
    std::set<std::string> m_places; // on the bus, of those that cannot be spoken to
    SmiWords m_said;
    bool m_answered = false;
    int m_index = 0, m_known = 0;

    void ask();
    void take(std::string_view line);
    void answered();
    void end();
};

} // namespace trainyard::agent
