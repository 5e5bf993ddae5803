// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The folder of one allocation of a cluster, on a file system that its nodes share: what the engine writes for
// `trainyard-agent --lead FOLDER`, and what that writes back (docs/clusters.md, "The folder of an allocation").
// Standard library only.
namespace trainyard::contract
{

namespace leadfile
{
constexpr const char *plan = "plan.json"; // LeadPlan
// The launch of task N: a frame of the agent wire with its Launch, mode 0600. It may hold secrets, and is
// removed when it has been read, before anything starts.
constexpr const char *launch = "launch-";
// The id of the cluster's job that starts the tasks: there may be two copies of it. For an array the name is
// "claimed-N".
constexpr const char *claimed = "claimed";
constexpr const char *placed = "placed"; // LeadPlaces; of an array "placed-N"
constexpr const char *again = "again"; // LeadAgain: its task is tried again; of an array "again-N"
// LeadEnd, by the engine: all of its tasks are to end, or none is to be started. The signal that asks for that is lost
// before the lead runs. Of one element of an array it is "stop-N"; without a number it is for all of them.
constexpr const char *stop = "stop";
constexpr const char *stopping
    = "stopping"; // LeadEnd: all of its tasks are asked to end, and why; of an array "stopping-N"
constexpr const char *end = "end"; // LeadEnd; of an array "end-N"
} // namespace leadfile
// Stands for the address of a task until it is known: nothing else that a job says looks like it.
std::string addressWord(const std::string &role, int index);
// Replaces words by their addresses, in one pass however many there are; one that is not known becomes empty. Brackets
// around a word before a port ("[WORD]:80") stay only around an address of IPv6.
void replaceAddresses(std::string &text, const std::map<std::string, std::string> &addresses);

// The name for element N of an array, or the name as it is (N below 0).
std::string ofElement(const char *name, int element);

struct LeadTask {
    std::string role;
    int index = 0;
    int component = 0; // of the allocation: it is heterogeneous when there are several
    std::string folder; // of the try
    std::string tryUuid;
    std::string address; // replaced by the address of its node in its launch and those of the others
    std::vector<std::string> stepOptions; // of srun: what it takes of the allocation, and the image that it starts in
    bool isInImage = false; // srun starts the step in one: its environment is the image's, and no login shell's
    int tryNumber = 0; // of the try with that folder
    std::vector<std::string> furtherTries = {}; // UUIDs of those that may follow it here
    std::int64_t charged = 0; // how often it was tried again before, at the expense of its budget
    int consecutiveFreeRetries = 0; // and for free, since it last ran for long
    std::map<std::string, std::vector<int>> ports = {}; // of it and those that follow it here, by their labels
    friend bool operator==(const LeadTask &, const LeadTask &) = default;
};
// The folder of the try that follows after so many (0: the first one here); it is beside that of the first one.
std::string folderOfTry(const LeadTask &task, std::size_t again);
const std::string &uuidOfTry(const LeadTask &task, std::size_t again);

struct LeadRole {
    std::string name;
    std::int64_t minFailed = 0, minSucceeded = 0; // 0 or less: off
    friend bool operator==(const LeadRole &, const LeadRole &) = default;
};

enum class LeadExitClass { Transient, Permanent, Unknown }; // of a failure, as the retry rule knows them

// The rules that may decide the class of an exit. The first one that matches counts.
struct LeadExitRule {
    std::vector<int> exits; // as a shell reports them; empty: any
    std::string hint; // text that the output holds; empty: it is not looked at
    bool isSure = true; // with its hint it holds; otherwise the engine looks at the line more closely, and it may
    LeadExitClass exitClass = LeadExitClass::Unknown;
    friend bool operator==(const LeadExitRule &, const LeadExitRule &) = default;
};

// The rules by which a task is tried again in its allocation: the engine's rules and settings, in a small form.
struct LeadRetries {
    std::int64_t budget = 0; // taskRetryCount
    std::int64_t freeCap = 0; // free retries in a row; negative: without a limit
    std::int64_t steadyMs = 0; // a run that is as long as this starts the row over
    std::int64_t minPauseMs = 0, maxPauseMs = 0; // doubled between the two; 0: no pause
    std::vector<LeadExitRule> rules;
    LeadExitClass otherwise = LeadExitClass::Unknown; // where no rule holds
    friend bool operator==(const LeadRetries &, const LeadRetries &) = default;
};

struct LeadPlan {
    std::string allocation; // its name, which is in the cluster's comment too
    int components = 1;
    bool isArray = false; // each element runs the task of its number, and no rule ends it
    std::int64_t completedLimit = 0; // so many ended tasks end all; 0: off
    int stopSignal = 15; // by which its tasks are asked to end
    std::int64_t stopGraceMs = 30000;
    bool stopsOnlyMain = false; // the signal goes to their first processes only
    std::int64_t limitMs = 0; // after which its tasks are ended, from the start of the first one; 0: none
    std::vector<LeadRole> roles;
    std::vector<LeadTask> tasks;
    std::optional<LeadRetries> retries = {}; // nothing: no task is tried again in the allocation
    std::int64_t loginMs = 10'000; // how long the login shell of a task may take on its node
    std::string toText() const;
    static std::optional<LeadPlan> parse(std::string_view text);
    friend bool operator==(const LeadPlan &, const LeadPlan &) = default;
};

// Where the tasks run, known before the first one starts.
struct LeadPlaces {
    struct Place {
        std::string node, address;
        friend bool operator==(const Place &, const Place &) = default;
    };
    std::string clusterId; // of the job at the cluster; of an array of its tasks without the number of the element
    std::vector<Place> tasks; // in the order of the plan; those of other elements of an array are empty
    std::string jobId = {}; // its own number, which an element of an array has, too; srun accepts no other
    std::string toText() const;
    static std::optional<LeadPlaces> parse(std::string_view text);
    friend bool operator==(const LeadPlaces &, const LeadPlaces &) = default;
};

// Written before the next try begins, when the one before it has ended.
struct LeadAgain {
    int count = 0; // how often the task has been tried again in the allocation
    std::int64_t at = 0; // ms UTC
    std::string toText() const;
    static std::optional<LeadAgain> parse(std::string_view text);
    friend bool operator==(const LeadAgain &, const LeadAgain &) = default;
};

// Written last, when nothing of the allocation runs any longer.
struct LeadEnd {
    std::string why; // done, minFailed, minSucceeded, completed, limit, signal, time, preempted, fault
    std::string detail; // of a fault, for people
    std::int64_t at = 0; // ms UTC
    std::string toText() const;
    static std::optional<LeadEnd> parse(std::string_view text);
    friend bool operator==(const LeadEnd &, const LeadEnd &) = default;
};

} // namespace trainyard::contract
