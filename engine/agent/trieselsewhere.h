// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/fileclaims.h"
#include "engine/agent/trynotice.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace trainyard::agent
{

// A try that another helper runs, as each step of a cluster has its own, by its notice (engine/agent/trynotice.h).
struct TryElsewhere {
    Claimant who;
    std::set<std::string> folders; // in which it works
    std::set<std::string> files; // that it has; none where a pattern of the user's may have found others' files

    FileUse useOf(const std::map<std::string, TryMetrics::Present> &mine) const; // of the files of another one
};

// The tries of all jobs that have their folders beside each other on a shared file system. A look costs a few calls of
// the file server, however many tries there are, and some more for each notice that has changed. Every call may wait
// for a file server.
class TriesElsewhere
{
public:
    // Reads what has changed since the last look, for a try that began then (ms UTC). It takes some seconds at most.
    // False when nothing has changed.
    bool refresh(const std::string &folderOfJobs, std::int64_t began);
    template <typename Take> void forEachBegun(Take take) const
    {
        for (const auto &[key, known] : m_tries) {
            if (known.it.who.life.began > 0) {
                take(known.it);
            }
        }
    }

private:
    struct Known {
        NoticeName name; // of its newest notice
        std::int64_t read = 0; // `changed` of the one that was read; 0: none
        TryElsewhere it;
        bool isOver = false; // nothing of it changes any more
    };
    void list();
    bool read(Known &known);
    static void lookWhetherItBegan(Known &known);
    static void lookWhetherItRuns(Known &known);
    void lookAtSome();

    std::string m_jobs, m_folder; // of all jobs, of the notices
    std::map<std::string, Known> m_tries; // by the keys of their notices
    std::pair<std::int64_t, std::uint64_t> m_seen; // when the folder had changed (ns UTC), and which folder it was
    bool m_listsAgain = false;
    std::int64_t m_settled = 0; // monotonic ms: what changes then changes the time of the folder
    std::string m_lastLooked; // key of the try that lookAtSome() looked at
};

} // namespace trainyard::agent
