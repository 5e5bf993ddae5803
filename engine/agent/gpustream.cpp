// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/amdgpus.h"
#include "engine/agent/gpumonitor.h"
#include "engine/agent/hardware.h"

#include <algorithm>
#include <utility>

// Reads the stream of nvidia-smi for the GPUs that an inventory has found.

namespace trainyard::agent
{

void GpuMonitor::setStreaming(bool on, std::int64_t intervalMs)
{
    const bool same = m_streaming == on && (!on || m_interval == intervalMs);
    m_streaming = on;
    m_interval = intervalMs;
    if (same) {
        return;
    }
    stopStream();
    m_polls = false;
    if (on) {
        startStream();
    }
}

void GpuMonitor::stopStream()
{
    m_stream.stop();
    m_loop.cancel(std::exchange(m_silence, 0));
}

void GpuMonitor::streamEnded()
{
    m_loop.cancel(std::exchange(m_silence, 0));
    if (const std::optional<std::set<std::string>> listed = m_listings.end(); m_polls && listed && m_waiting.empty()) {
        markMissing(m_gpus, *listed, m_divided);
    }
    // The stream ends with driver updates or when a GPU is lost: it is started again later.
    const std::int64_t pause = m_polls && m_rowsCame ? std::max(m_interval, pollMs) : restartMs;
    if (m_streaming && m_restart == 0) {
        m_restart = m_loop.after(pause, [this] {
            m_restart = 0;
            if (std::exchange(m_streamSaysLost, false) && m_waiting.empty()) {
                inventory([this] { startStream(); });
            } else {
                startStream();
            }
        });
    }
}

// nvidia-smi may keep its rows back until it has some kilobytes, or hang with its driver. When it is run once for each
// sample it writes everything when it ends.
void GpuMonitor::expectRows()
{
    m_loop.cancel(std::exchange(m_silence, 0));
    const std::int64_t patience = m_polls ? inventoryLimitMs : std::max<std::int64_t>(silenceMs, 4 * m_interval);
    m_silence = m_loop.after(patience, [this] {
        m_silence = 0;
        m_stream.stop();
        m_polls = true;
        m_rowsCame = false;
        if (m_restart == 0) {
            startStream();
        }
    });
}

void GpuMonitor::startStream()
{
    if (!m_streaming) {
        return;
    }
    m_listings.restart();
    m_rowsCame = false;
    m_streamOnly = m_only;
    if (!m_only.empty() && m_relook == 0) {
        m_relook = m_loop.after(relookMs, [this] {
            m_relook = 0;
            if (m_streaming && m_waiting.empty()) {
                inventory([] {});
            }
        });
    }
    std::vector<std::string> arguments
        = withOnly({"nvidia-smi", std::string("--query-gpu=") + queryColumns, "--format=csv,noheader,nounits"});
    if (!m_polls) {
        arguments.insert(arguments.end(), {"-lms", std::to_string(std::max<std::int64_t>(200, m_interval))});
    }
    const bool started = m_stream.start(arguments);
    if (started) {
        expectRows();
    } else {
        publish(withMissing(amdGpus(), m_gpus, {}));
        if (!m_gpus.empty() && m_restart == 0) {
            m_restart = m_loop.after(m_interval, [this] {
                m_restart = 0;
                startStream();
            });
        }
        return;
    }
    if (m_waiting.empty()) {
        startProcesses();
    }
}

void GpuMonitor::takeStreamRow(std::string_view line)
{
    std::optional<GpuRow> row = gpuRow(line, hostMemoryMiB());
    contract::Gpu *gpu = row ? &row->gpu : nullptr;
    if (gpu) {
        m_rowsCame = true;
        expectRows();
    }
    if (!m_waiting.empty()) { // an inventory under way uses the same list
        if (gpu) {
            m_listings.skip(gpu->index);
        }
        return;
    }
    if (!gpu) {
        SmiWords said;
        said.take(line);
        m_streamSaysLost = m_streamSaysLost || said.lostOne;
        if (said.none && !m_streamSaysLost) {
            markMissing(m_gpus, {}, m_divided);
        }
        return;
    }
    if (row->isLost) {
        gpu->uuid.clear(); // not known: the GPU that was there is missing from this listing
    }
    if (const std::optional<std::set<std::string>> before = m_listings.next(gpu->index, gpu->uuid)) {
        markMissing(m_gpus, *before, m_divided);
    }
    if (row->isLost || dividedOf(gpu->uuid)) {
        return;
    }
    for (contract::Gpu &known : m_gpus) {
        if (known.uuid == gpu->uuid) {
            gpu->foreign = known.foreign;
            gpu->undivided = known.undivided;
            gpu->holders = known.holders;
            gpu->lockedBy = known.lockedBy;
            gpu->lockedMiB = known.lockedMiB;
            known = std::move(*gpu);
            return;
        }
    }
    std::erase_if(m_gpus, [&gpu](const contract::Gpu &known) { return known.missing && known.index == gpu->index; });
    m_gpus.push_back(std::move(*gpu));
    std::sort(
        m_gpus.begin(), m_gpus.end(), [](const contract::Gpu &a, const contract::Gpu &b) { return a.index < b.index; });
}

} // namespace trainyard::agent
