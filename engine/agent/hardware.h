// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/gpulistings.h"
#include "engine/agent/loop.h"
#include "engine/agent/program.h"
#include "engine/contract/messages.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Figures of the host without GPUs.
void fillHost(contract::Inventory &inventory);
void readMemory(std::int64_t &totalMiB, std::int64_t &usedMiB);
// Percent of all cores since the last call; -1 at the first.
class CpuMeter
{
public:
    double percent();

private:
    std::uint64_t m_busy = 0, m_all = 0;
};

// One program whose lines are read as they come.
class LineProgram
{
public:
    LineProgram(Loop &loop, std::function<void(std::string_view line)> line, std::function<void()> ended)
        : m_loop(loop), m_line(std::move(line)), m_ended(std::move(ended))
    {
    }
    ~LineProgram() { stop(); }
    LineProgram(const LineProgram &) = delete;
    LineProgram &operator=(const LineProgram &) = delete;
    bool start(const std::vector<std::string> &arguments); // false: it is not there
    void stop();
    bool isRunning() const { return m_program.pid > 0; }

private:
    Loop &m_loop;
    std::function<void(std::string_view)> m_line;
    std::function<void()> m_ended;
    Program m_program;
    std::string m_text;

    void readSome();
};

// GPUs through nvidia-smi (one stream while somebody looks, and its list of processes every 5 s) and, for AMD, sysfs.
class GpuMonitor
{
public:
    explicit GpuMonitor(Loop &loop);
    // A fresh look at everything; `done` is called once, within 10 s.
    void inventory(std::function<void()> done);
    void setStreaming(bool on, std::int64_t intervalMs);
    const std::vector<contract::Gpu> &gpus() const { return m_gpus; }
    const std::string &error() const { return m_error; } // gpu.none, gpu.failed, gpu.slow
    // Looks who has the locks of the GPUs now.
    void lookAtLocks();
    // One row as nvidia-smi prints it for `queryColumns`.
    static std::optional<contract::Gpu> parseRow(std::string_view line);
    // A line of nvidia-smi -L about a MIG instance of this GPU.
    static std::optional<contract::Gpu> parseMigLine(const std::string &line, const contract::Gpu &parent);
    static constexpr const char *queryColumns
        = "index,uuid,name,memory.total,memory.used,utilization.gpu,temperature.gpu,power.draw";

private:
    static constexpr std::int64_t inventoryLimitMs = 10000;
    static constexpr std::int64_t processesMs = 5000;
    static constexpr std::int64_t restartMs = 5000;

    Loop &m_loop;
    std::vector<contract::Gpu> m_gpus, m_fresh;
    std::vector<std::string> m_foreign; // uuids
    std::vector<std::string> m_freshForeign;
    std::vector<std::pair<std::string, std::string>> m_holders, m_freshHolders; // uuid, "4711 python"
    std::string m_error, m_freshError;
    bool m_foundNone = false; // the driver answered, and has no GPU
    std::vector<DividedGpu> m_divided; // GPUs that are offered as their MIG instances
    GpuListings m_listings; // of the stream
    int m_migParent = -1; // index that the lines of nvidia-smi -L are about
    LineProgram m_list, m_mig, m_migMode, m_processes, m_stream;
    std::vector<std::function<void()>> m_waiting, m_next; // who came while one was under way gets one of his own
    bool m_streaming = false;
    std::int64_t m_interval = 1000;
    Loop::Timer m_limit = 0, m_restart = 0, m_again = 0;

    void beginInventory();
    void listEnded();
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
