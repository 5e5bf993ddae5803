// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/fileclaims.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace trainyard::agent
{

// A try that another helper runs, as each step of a cluster has its own, by the records in its folder.
struct TryElsewhere {
    Claimant who;
    std::set<std::string> folders; // in which it works
    std::set<std::string> files; // that it has; none where a pattern of the user's may have found others' files

    FileUse useOf(const std::map<std::string, TryMetrics::Present> &mine) const; // of the files of another one
};

// The tries of all jobs that have their folders beside each other on a shared file system. Every call may wait for a
// file server.
class TriesElsewhere
{
public:
    // Reads what has changed below the folder that has one of each job. It takes some seconds at most.
    void refresh(const std::string &folderOfJobs);
    template <typename Take> void forEachBegun(Take take) const
    {
        for (const auto &[dir, known] : m_tries) {
            if (!known.it.who.job.empty()) {
                take(known.it);
            }
        }
    }

private:
    struct Known {
        TryElsewhere it;
        bool tellsFiles = false;
        bool isOver = false; // nothing of it changes any more
        std::int64_t round = 0; // in which it was last found
    };
    void lookAt(const std::string &dir);
    void lookAgain(const std::string &dir, Known &known);

    std::map<std::string, Known> m_tries; // by folder
    std::int64_t m_round = 0; // the number of refresh()
};

} // namespace trainyard::agent
