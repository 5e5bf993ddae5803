// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/gpulistings.h"
#include "engine/agent/gpuprobe.h"
#include "engine/agent/gpurows.h"
#include "engine/agent/lineprogram.h"
#include "engine/agent/loop.h"
#include "engine/contract/messages.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::agent
{

// GPUs through nvidia-smi (one stream while a client looks, and its list of processes every 5 s) and, for AMD, sysfs.
// Large because two drivers and three ways to ask the first share what is known of one list of GPUs.
class GpuMonitor
{
public:
    explicit GpuMonitor(Loop &loop);
    // Looks at everything again; `done` is called once, within 10 s.
    void inventory(std::function<void()> done);
    void setStreaming(bool on, std::int64_t intervalMs);
    const std::vector<contract::Gpu> &gpus() const { return m_gpus; }
    const std::string &error() const { return m_error; } // gpu.none, gpu.failed, gpu.slow, gpu.mismatch, gpu.driver
    // Finds out which tries hold the locks of the GPUs now.
    void lookAtLocks();

private:
    static constexpr std::int64_t inventoryLimitMs = 10000;
    static constexpr std::int64_t processesMs = 5000;
    static constexpr std::int64_t restartMs = 5000;
    static constexpr std::int64_t silenceMs = 4000; // a stream that is silent for this long counts as ended
    static constexpr std::int64_t pollMs = 2000;
    static constexpr std::int64_t relookMs = 30000; // whether one that was lost is back

    Loop &m_loop;
    std::vector<contract::Gpu> m_gpus, m_fresh;
    std::vector<std::string> m_foreign; // uuids
    std::vector<std::string> m_freshForeign;
    std::vector<std::pair<std::string, std::string>> m_holders, m_freshHolders; // uuid, "4711 python"
    std::string m_error, m_freshError;
    SmiWords m_said; // beside the rows of the list
    bool m_streamSaysLost = false;
    std::set<int> m_lost; // indexes of the list under way
    std::string m_only, m_streamOnly; // "0,2": the indexes that answer, when one that is lost hides the others
    std::vector<DividedGpu> m_divided; // GPUs that are offered as their MIG instances
    GpuListings m_listings; // of the stream
    int m_migParent = -1; // index that the lines of nvidia-smi -L are about
    LineProgram m_list;
    GpuProbe m_probe;
    LineProgram m_mig, m_migMode, m_processes, m_stream;
    std::vector<std::function<void()>> m_waiting, m_next; // a request during a listing gets its own listing
    bool m_streaming = false;
    bool m_polls = false; // the stream kept its rows back: it is asked again and again instead
    bool m_rowsCame = false;
    std::int64_t m_interval = 1000;
    Loop::Timer m_limit = 0, m_restart = 0, m_again = 0, m_silence = 0, m_relook = 0;

    void beginInventory();
    void takeListRow(std::string_view line);
    void listEnded();
    void probeEnded();
    void addLost();
    void rowsComplete();
    void takeProcess(std::string_view line);
    std::vector<std::string> withOnly(std::vector<std::string> arguments) const;
    void stopStream();
    void streamEnded();
    void expectRows();
    const DividedGpu *dividedOf(const std::string &uuid) const;
    void takeMigLine(const std::string &line);
    void migEnded();
    void lookAtMigMode();
    void listComplete();
    void processesEnded();
    void takeStreamRow(std::string_view line);
    void startProcesses();
    void startStream();
    void publish(std::vector<contract::Gpu> gpus);
    void answer();
};

} // namespace trainyard::agent
