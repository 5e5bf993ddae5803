// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/captures.h"
#include "engine/agent/cgrouppool.h"
#include "engine/agent/connection.h"
#include "engine/agent/enginefolder.h"
#include "engine/agent/environment.h"
#include "engine/agent/keeper.h"
#include "engine/agent/loop.h"
#include "engine/agent/metricprocess.h"
#include "engine/agent/pauses.h"
#include "engine/agent/shared.h"
#include "engine/agent/tryfigures.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::agent
{

// The tries that this agent knows of: it starts them, reattaches to those of earlier agents, passes on stops, and
// reports their ends. The truth is in the folders; this class only watches. Large because launch, watch, stop and
// removal of a try share the list of running tries.
class Tries
{
public:
    Tries(Loop &loop, Connection &connection, const Account &account);

    void share(contract::Share &&share) { m_shared.take(std::move(share)); }
    void launch(std::int64_t id, contract::Launch &&launch, const std::vector<std::string> &login);
    // Answers a launch that is no longer needed: with the state of the try where an earlier agent has launched it,
    // otherwise with a failure.
    void dropLaunch(std::int64_t id, contract::Launch &&launch);
    // The environment of container programs: the agent's own, and what the login shell adds to it.
    void setClientEnvironment(const std::vector<std::string> &login);
    // A note in the log of each task that should have the login shell's environment and has another.
    void setEnvironmentNote(const std::string &note) { m_environmentNote = note; }
    void becomeStep(std::vector<std::string> variables)
    {
        m_isStep = true;
        m_metrics.becomeStep();
        m_stepVariables = std::move(variables);
    }
    const std::vector<std::string> &clientEnvironment() const { return m_clientEnvironment; }
    void observe(std::int64_t id, const contract::Observe &request);
    void stop(std::int64_t id, const contract::Stop &request);
    void pause(std::int64_t id, const contract::Pause &request);
    void reaped(pid_t pid, int status) // a child of the agent that is not a keeper
    {
        m_pauses.reaped(pid);
        m_captures.reaped(pid);
        figuresReaped(pid, status);
    }
    Captures &captures() { return m_captures; }
    OwnFolders &ownFolders() { return m_own; }
    bool runsBelow(const std::string &dir) const; // one that this agent watches
    // Whether the record of what this try found when it started is still to come.
    bool isCapturing(const std::string &dir) const;
    // Running tries whose output grew since the last call, or whose disk is full.
    std::vector<contract::TrySample> samples();
    // Looks at what each running try uses. Takes at most a small part of one processor, however many there are. The
    // GPUs are those of the host, or, in a step of a cluster, those of the step.
    void takeFigures(const std::vector<contract::Gpu> &gpus);
    void endFigures(const std::string &dir); // of a try that has ended: what was measured is in its file
    MetricProcess &metrics() { return m_metrics; } // of what they write into files
    void metricsDone(const std::string &dir); // nothing more comes of them
    void setEnded(std::function<void(const std::string &dir)> ended) { m_ended = std::move(ended); }

private:
    static constexpr std::int64_t reattachPollMs = 20;
    static constexpr std::int64_t deathPollMs = 200; // without pidfd
    static constexpr std::int64_t unreadablePollMs = 1000; // a folder whose state is unknown now
    static constexpr int mostVainRecoveries = 60; // they are as far apart as two looks at an unreadable folder
    static constexpr std::int64_t longestAwayMs = 300'000; // an end may be written in a folder that is not mounted
    static constexpr std::int64_t cachedOomMs = 1000;
    static constexpr std::int64_t keepCgroupsMs = 10000;

    enum class Asked { Launch, Observe };
    struct Waiting {
        std::int64_t id = 0;
        Asked asked = Asked::Launch;
        bool first = false; // this request started it
        bool leavesMetrics = false; // it is not known here what is to be hidden in them
    };
    struct Try {
        std::string dir, tryUuid;
        std::string announced; // the job, of which other helpers know that the try is about to begin
        int notes = -1; // pipe from a keeper of this agent
        int pidfd = -1; // of a keeper that this agent reattached to
        Loop::Timer poll = 0;
        std::string text; // notes, not whole yet
        CgroupPool::Limits limits;
        contract::ProcessIdentity keeper;
        std::optional<contract::StartedRecord> started;
        bool running = false; // `started` is known
        bool recovering = false;
        int vainRecoveries = 0; // that have ended without a result
        bool stopWanted = false; // the keeper is to be woken as soon as it is known
        std::int64_t awaySince = 0; // monotonic ms: its keeper is gone, and its folder is not to be seen; 0: it is
        bool leavesMetrics = false; // until it is known what is to be hidden in them
        std::vector<Waiting> waiting;
        std::uint64_t seenBytes = 0;
        bool diskFull = false, saidFull = false;
        std::string pulling, saidPulling;
        std::unique_ptr<CaptureRequest> capture; // until it runs
        std::unique_ptr<TryFigures> figures;
        std::int64_t figuresFrom = 0; // monotonic ms
    };

    Loop &m_loop;
    Connection &m_connection;
    Account m_account;
    std::string m_host, m_bootId;
    std::map<std::string, std::unique_ptr<Try>> m_tries; // by folder
    std::function<void(const std::string &)> m_ended;
    std::vector<std::string> m_clientEnvironment;
    std::string m_environmentNote;
    bool m_isStep = false; // of a cluster: all that it has is for its try
    std::vector<std::string> m_stepVariables; // of a step: they go over the base environment
    Pauses m_pauses;
    Captures m_captures;
    MetricProcess m_metrics;
    std::map<std::string, contract::Exited> m_exited; // ends that have not been reported yet, by folder
    SharedTexts m_shared;
    OwnFolders m_own;
    std::int64_t m_figuresNext = 0; // monotonic ms
    std::int64_t m_oomKills = -1, m_oomKillsAt = -1;
    CgroupPool m_cgroups;
    Loop::Timer m_cgroupsTimer = 0;

    void answer(const Waiting &waiting, const Try &found, const char *launched, const char *observed,
        const std::optional<contract::ExitRecord> &exit);
    void removeLeftContainer(const std::string &dir);
    bool tell(const Waiting &waiting, const std::string &dir); // false: there is none, and no answer was sent
    void tellAbsent(const Waiting &waiting, const std::string &dir);
    // Answers a request about a try about which nothing can be reported or done now, because its folder cannot be seen.
    bool refuseUnseen(std::int64_t id, const std::string &dir);
    void tellAway(std::int64_t id, const std::string &dir);
    void rewriteFigures(std::int64_t now);
    void figuresReaped(pid_t pid, int status);
    bool barLaunch(const std::string &dir); // false: it has been launched meanwhile
    void answerEnded(const Waiting &waiting, const std::string &dir, const contract::ExitRecord &exit);
    void hide(const std::string &dir, const std::vector<std::string> &secrets); // its metrics may be read from now on
    void finishMetrics(const std::string &dir);
    void dropSecrets(const std::string &dir); // unless its metrics are still read; the next request names them again
    void failLaunch(std::int64_t id, const contract::Launch &launch, const char *code, int error);
    void refuseUnknown(std::int64_t id, contract::Launch &launch, int error);
    Try *find(const std::string &dir); // null when there is none
    // Looks at a folder whose lock is `lock` (taken, or -1 when another process holds it).
    Try &add(const std::string &dir, const std::string &tryUuid);
    bool takeShared(contract::Launch &launch, KeeperTask &task) const;
    bool startProcess(Try &entry, KeeperTask &task, bool recovery, int &error);
    void reattach(Try &entry);
    void watchKeeper(Try &entry);
    void checkReattached(const std::string &dir);
    void readNotes(const std::string &dir);
    void handleNote(Try &entry, char kind, const std::string &text);
    void setRunning(Try &entry, contract::StartedRecord record);
    void keeperGone(const std::string &dir);
    static bool isAwayForNow(Try &entry);
    void finish(const std::string &dir, const contract::ExitRecord &exit);
    void wake(Try &entry);
    void keepCgroup(const CgroupPool::Limits &limits, const std::string &paths);
    bool recover(const std::string &dir, int lock, const Waiting &waiting);
    std::int64_t oomKills();
};

} // namespace trainyard::agent
