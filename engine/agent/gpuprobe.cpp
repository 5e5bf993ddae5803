// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/gpuprobe.h"

#include "engine/agent/hardware.h"

#include <algorithm>

namespace trainyard::agent
{

GpuProbe::GpuProbe(Loop &loop, std::function<void()> ended)
    : m_ended(std::move(ended)), m_program(
                                     loop, [this](std::string_view line) { take(line); }, [this] { answered(); })
{
}

void GpuProbe::start(int known, std::set<int> lost)
{
    m_found.clear();
    m_lost = std::move(lost);
    m_silent.clear();
    m_places.clear();
    m_known = known;
    m_index = 0;
    ask();
}

void GpuProbe::ask()
{
    m_said = {};
    m_answered = false;
    if (m_index >= most
        || !m_program.start({"nvidia-smi", std::string("--query-gpu=") + queryColumns, "--format=csv,noheader,nounits",
            "-i", std::to_string(m_index)})) {
        end();
    }
}

void GpuProbe::take(std::string_view line)
{
    std::optional<GpuRow> row = gpuRow(line, hostMemoryMiB());
    if (!row) {
        m_said.take(line);
        return;
    }
    m_answered = true;
    const auto isIt = [&row](const contract::Gpu &gpu) { return gpu.uuid == row->gpu.uuid; };
    if (row->isLost) {
        m_lost.insert(m_index);
    } else if (std::none_of(m_found.cbegin(), m_found.cend(), isIt)) {
        m_found.push_back(std::move(row->gpu));
    }
}

void GpuProbe::answered()
{
    const bool isNew = m_said.lostOne && (m_said.place.empty() ? m_index == 0 : m_places.insert(m_said.place).second);
    if (m_answered) {
        // Everything about this GPU was reported.
    } else if (isNew || (m_said.lostOne && m_index < m_known)) {
        m_lost.insert(m_index);
    } else if (m_index < m_known) {
        if (!m_said.none) {
            m_silent.insert(m_index);
        }
    } else {
        end(); // there is none of this number
        return;
    }
    ++m_index;
    ask();
}

void GpuProbe::end()
{
    // The complaint is about the same GPU whichever is queried: that says nothing about the others.
    if (m_found.empty() && m_lost.size() > std::max<std::size_t>(1, m_places.size())) {
        m_silent.merge(m_lost);
        m_lost.clear();
    }
    m_ended();
}

} // namespace trainyard::agent
