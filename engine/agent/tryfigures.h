// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/hosttraffic.h"
#include "engine/agent/rewriteprocess.h"
#include "engine/agent/treeusage.h"
#include "engine/contract/messages.h"
#include "engine/series/writer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Records a running try's use of its host, second by second, in a file of series in its folder (docs/task-folder.md).
// Only measured values are written: a host without GPUs has no series for them, and while no agent runs there are no
// points.
class TryFigures
{
public:
    // `main` is the first process of the task as `started` has it. Without `gpus`, it is in a step of a cluster: all
    // GPUs that it is told of are its own, and its file is on a file system of many computers, where it writes more
    // rarely.
    TryFigures(const std::string &dir, pid_t keeper, pid_t main, std::optional<std::vector<int>> gpus);
    ~TryFigures(); // writes what is left

    struct Host {
        std::int64_t at = 0; // ms UTC
        HostTraffic traffic;
        const std::vector<contract::Gpu> &gpus;
    };
    void sample(const Host &host);
    // False when nothing more can be written, for want of room or because another agent is at it.
    bool isAlive() const { return m_writer != nullptr; }
    // Whether the file is to be rewritten, as happens some times a day: its small blocks merged, and what is older than
    // a day thinned. Another process does that, as it takes about a second for a week of eight GPUs.
    bool isRewritingDue(std::int64_t now) const;
    void startRewriting(std::int64_t now); // ms UTC
    bool isRewriting() const { return m_rewriting.isRunning(); }
    void reaped(pid_t pid, int status) { m_rewriting.reaped(pid, status, m_writer); } // of any process

private:
    struct Before {
        std::int64_t at = 0;
        TreeUsage usage;
        HostTraffic traffic;
    };
    void add(const std::string &name, std::int64_t at, double value);
    void addRate(const std::string &name, std::int64_t at, std::uint64_t now, std::uint64_t before, double seconds);
    void flush();

    std::unique_ptr<series::Writer> m_writer;
    pid_t m_keeper, m_main;
    std::optional<std::vector<int>> m_gpus;
    std::optional<Before> m_before;
    std::int64_t m_began = 0, m_flushed = 0, m_memoryAt = 0;
    RewriteProcess m_rewriting;
};

} // namespace trainyard::agent
