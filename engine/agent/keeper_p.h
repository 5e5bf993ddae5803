// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/cgroup.h"
#include "engine/agent/containertask.h"
#include "engine/agent/keeper.h"
#include "engine/agent/kernellog.h"
#include "engine/agent/peakmemory.h"
#include "engine/agent/processes.h"
#include "engine/agent/pump.h"
#include "engine/agent/readyorder.h"
#include "engine/agent/stepoutput.h"
#include "engine/agent/taskchild.h"
#include "engine/contract/mask.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// For the files of the keeper alone.
namespace trainyard::agent
{

constexpr std::size_t defaultPipe = 64 * 1024;
constexpr std::int64_t leftoverQuietMs = 250; // what still prints after the main program gets this long without a word,
constexpr std::int64_t leftoverMaxMs = 5000; // and this long in all: `exec > >(tee log)` must not lose its last lines
// What the cluster has asked to end may save its state for as long as the cluster lets it, which ends it then. This is
// for a signal that no end by the cluster follows.
constexpr std::int64_t roomMs = 1'800'000;
constexpr std::int64_t retryMs = 1000; // of a disk that is full
constexpr std::int64_t giveUpMs = 10000; // of killing: what is left then waits in the kernel, or is another user's
constexpr std::int64_t meterMs = 2000; // between two looks at the memory of all processes; a look costs at most ...
constexpr std::int64_t meterShare = 1000; // ... a thousandth of the time

// The process between a task and everything else. Large because it is a whole program: each of its methods
// is a step of the life of one task, and all share its pipes, clocks and record.
class Keeper
{
public:
    explicit Keeper(const KeeperTask &task);
    void run();

private:
    struct Source {
        int fd = -1;
        contract::Stream stream = contract::Stream::Out;
        std::size_t capacity = defaultPipe;
        int fullReads = 0;
    };

    const KeeperTask &m_task;
    const contract::Secrets m_secrets;
    Pump m_pump;
    std::unique_ptr<StepOutput> m_steps; // of a script with steps
    TaskCgroup m_cgroup;
    Source m_sources[ReadyOrder::pipes];
    ReadyOrder m_order; // of the sources
    int m_signals = -1;
    pid_t m_main = 0;
    ChildFailure m_failure;
    TaskScope m_scope;
    std::string m_record; // of this process, as its file has it
    std::unique_ptr<ContainerTask> m_container; // instead of processes of Trainyard
    std::int64_t m_containerEnded = -1; // monotonic ms
    std::unique_ptr<KernelLog> m_kernelLog; // of a task with GPUs
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_bufferSize = 0;

    std::int64_t m_began = 0, m_beganMonotonic = 0, m_beganSinceBoot = 0;
    bool m_mainEnded = false, m_childrenGone = false;
    bool m_endedUnasked = false; // the main process, or the container
    int m_mainStatus = 0;
    std::int64_t m_userMs = 0, m_systemMs = 0;
    PeakMemory m_memory;

    bool m_stopping = false, m_stoppedMainOnly = false;
    std::int64_t m_killAt = -1; // monotonic ms of the end of the grace, or of the patience with what is left
    std::int64_t m_killPause = 10; // between two rounds of killing
    std::int64_t m_killingSince = -1;
    std::int64_t m_signalAgainAt = -1;
    int m_stopSignal = 0;
    std::vector<ProcessInfo> m_signalled; // those that got it
    std::string m_left; // those that could not be ended
    std::int64_t m_meterAt = -1;
    std::int64_t m_clientRssKiB = 0; // of the container program itself
    bool m_killing = false, m_killedLeftovers = false;
    std::int64_t m_leftoversSince = -1;
    std::int64_t m_askedAt = 0,
                 m_askedUntil = -1; // by the cluster: ms UTC, and monotonic ms of the end of the patience
    bool m_saidFull = false;
    std::int64_t m_retryAt = -1;

    bool prepare(contract::ExitRecord &failed);
    bool checkFolder(const std::string &cwd, contract::ExitRecord &failed);
    bool openSignals(contract::ExitRecord &failed);
    bool start(contract::ExitRecord &failed);
    bool startContainer(contract::ExitRecord &failed);
    int begin();
    bool makeCgroup();
    void leaveCgroup();
    void noteBegin();
    contract::StartedRecord startedRecord(pid_t main) const;
    int writeStarted(contract::StartedRecord record);
    bool isOver();
    void loop();
    bool followOrder();
    void readReady(bool isOrdered, short out, short err);
    int timeout() const;
    std::size_t readSource(Source &source);
    void finishSource(Source &source);
    std::string readNow(contract::Stream stream);
    void drain();
    void reap();
    void handleStop();
    void askedByCluster();
    std::int64_t leftoversUntil() const;
    void escalateKill();
    void killAll();
    void signalAgain();
    void signalMissed();
    void lookWhoIsLeft();
    void measure();
    void sayFull(bool isFull);
    void checkDisk();
    void waitForRoom();
    bool isToEnd();
    void writeExit(const std::string &text, bool sync);
    contract::ExitRecord result() const;
    void tellGpuErrors(const contract::ExitRecord &record) const;
    void finish(const contract::ExitRecord &record);
};

} // namespace trainyard::agent
