// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"
#include "engine/contract/containersaid.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::agent
{

// The container of a try, as its keeper handles it: image, start, stop and end, all through the command line of the
// container program (podman or docker). The container's monitor (conmon, a shim) is never signalled, although it may
// become a child of the keeper. The current folder is the try's.
class ContainerTask
{
public:
    explicit ContainerTask(const KeeperTask &task);
    ~ContainerTask();
    ContainerTask(const ContainerTask &) = delete;
    ContainerTask &operator=(const ContainerTask &) = delete;

    // Before the start. Each may take long, ends early when a stop is requested, and says why it failed.
    bool prepareImage(contract::ExitRecord &failed);
    bool start(contract::ExitRecord &failed);
    int takeOutput() { return std::exchange(m_out, -1); } // read ends of the container's output
    int takeErrors() { return std::exchange(m_err, -1); }
    long pid() const { return m_pid; } // on this host, of its first process; 0: not known
    // Lets the waiting program run. Returns false when the container ended, or a stop was requested, before it could.
    bool releaseProgram();

    void watch(); // for the end, which comes through reaped()
    bool reaped(pid_t pid, int status); // whether that was a program of Trainyard
    std::int64_t due() const; // monotonic ms, or -1
    void tick(); // at that time
    // A descriptor that becomes readable when the first process has ended. It may be the only sign: the monitor may be
    // dead.
    int mainDescriptor() const { return m_mainDescriptor; }
    void mainEnded();
    bool hasEnded() const { return m_ended; }

    void stop(const contract::StopRecord &record);
    void kill();
    void fillResult(contract::ExitRecord &record, bool stopping, std::int64_t oomKillsBefore) const;
    void remove();

private:
    const KeeperTask &m_task;
    const contract::Container &m_container;
    contract::ContainerRecord m_record;
    std::vector<std::string> m_environment;
    std::string m_pipes; // folder
    int m_in = -1, m_out = -1, m_err = -1;
    int m_given = 0; // bytes of script and variables that are in the pipe or were read
    long m_pid = 0;
    pid_t m_waiter = 0, m_stopper = 0;
    std::vector<pid_t> m_formerStoppers; // killed, not reaped yet
    int m_waiterOut = -1, m_stopperOut = -1;
    std::int64_t m_watchAt = -1, m_watchPause = 200;
    int m_mainDescriptor = -1; // pidfd of the first process
    std::optional<int> m_mainStatus; // when it has become a child of the keeper
    std::int64_t m_missedAt = -1; // monotonic ms, when the end should have been heard
    int m_missed = 0; // how often it was not
    bool m_ended = false, m_isLimited = false, m_isUnwatched = false;
    std::optional<int> m_status; // as `wait` said

    std::optional<contract::ContainerStatus> inspect() const;
    void startStopper(const contract::CommandLine &line);
    void endUnwatched();
};

// Removes the container of a try, also when its keeper can no longer do it. `isOver`: the container has ended. Returns
// false when the container may still exist. `answerMs`: how long one answer of the container program may take; the end
// of a task waits for it.
constexpr std::int64_t containerAnswerMs = 120'000;
bool removeContainer(const contract::ContainerRecord &record, const std::vector<std::string> &environment,
    bool isOver = false, std::int64_t answerMs = containerAnswerMs);
// Apptainer's image, which is a file. The keeper then runs the program as it runs a shell.
bool prepareImageFile(const KeeperTask &task, contract::ExitRecord &failed);

} // namespace trainyard::agent
