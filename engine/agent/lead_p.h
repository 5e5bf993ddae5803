// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/leadcommands.h"
#include "engine/agent/leadretries.h"
#include "engine/agent/leadrules.h"
#include "engine/agent/leadstep.h"
#include "engine/agent/pump.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/slurmtime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::agent
{

// The program that leads the tasks of an allocation of Slurm: reads the plan, starts the steps, and ends with them.
// Large because steps, stops, tries, signals and notes of the engine all decide about the one end of the allocation.
class Lead
{
public:
    Lead(std::string folder, std::string program) : m_folder(std::move(folder)), m_program(std::move(program)) { }
    int run();

private:
    bool readPlan();
    // The job as the cluster names it. An element of an array has its own plan, because the other elements belong to
    // other jobs.
    std::string clusterId() const;
    bool isAnothers() const;
    std::vector<std::string> nodesOf(int component);
    bool place();
    bool readLaunches();
    bool isStopNoted() const; // by the engine
    void lookForStop();
    void makeStep(std::size_t position, contract::LeadTask task, contract::Launch launch);
    void start(std::size_t position);
    void stepBegan();
    void countLimit();
    void halt(bool on);
    void stepEnded(std::size_t position);
    bool tryAgain(std::size_t position);
    void taskEnded(std::size_t position);
    void stopAll(const char *why) { stopAll(why, m_plan.stopGraceMs); }
    void stopAll(const char *why, std::int64_t graceMs);
    void lookForRoom();
    void noteRoom();
    void killAll();
    void askSteps(std::int64_t graceMs);
    void lookAtTime(bool isNotice);
    contract::LeftOfTime::Known timeNow() { return m_time.know(askForTime(), sinceBootMs() / 1000); }
    void signalled();
    bool isFailed() const;
    int finish(const char *why, const std::string &detail = {});
    std::string path(const char *name) const { return m_folder + '/' + contract::ofElement(name, m_element); }
    bool isMine(std::size_t position) const { return m_element < 0 || position == std::size_t(m_element); }

    std::string m_folder, m_program;
    contract::LeadPlan m_plan;
    int m_element = -1; // of an array
    contract::LeadPlaces m_places;
    Loop m_loop;
    std::map<std::size_t, std::unique_ptr<LeadStep>> m_steps; // by the task's place in the plan
    std::vector<std::unique_ptr<LeadStep>> m_formerSteps; // of tries that were followed by another one
    std::unique_ptr<LeadRetries> m_retries; // of the only task
    LeadRules m_rules;
    const char *m_why = nullptr; // all of them are being ended
    Loop::Timer m_timeTimer = 0; // looks again how much time is left
    Loop::Timer m_stopTimer = 0; // looks again whether a stop is noted
    Loop::Timer m_limitTimer = 0; // of the job's own time limit, once a task runs
    std::optional<std::int64_t> m_limitLeftMs; // of it, when the timer was started last, or stopped by a pause
    std::int64_t m_limitSince = 0; // monotonic ms
    bool m_isHalted = false; // its tasks are paused
    contract::LeftOfTime m_time;
    int m_signals = -1;
    bool m_anyFailed = false;
    bool m_makesRoom = false; // the cluster has asked the steps to end, and ends what is left
    std::int64_t m_noRoomAt = 0; // ms UTC: the newest query after which they make no room; 0: none
    bool m_isAsked = false; // to end, by a request; not by a notice
    std::map<std::size_t, Loop::Timer> m_waiting; // ends that a word of the cluster may be on its way for
    std::set<std::size_t> m_ended; // what has counted
};

} // namespace trainyard::agent
