// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/format.h"

#include <sys/types.h>

#include <set>
#include <string>
#include <vector>

// Which files of metrics a task has. All of it can wait for a file server: only the process that reads metrics calls
// it.
namespace trainyard::agent
{

struct MetricCandidate {
    std::string path; // as the task names it
    std::string openAs; // how it is reached from here: in a container, its root is another one
    metricfiles::Format format = metricfiles::Format::None; // None: by its name alone, it may be one
    bool isOnlySeen = false; // it is open, and no pattern names it
};

// The files that these processes have open for writing and whose names allow that they are metrics. The cost is one
// call of the kernel for each open file.
std::vector<MetricCandidate> openMetricFiles(const std::vector<pid_t> &processes);

// The folders in which these processes work, except those that do not hold the files of a single program: the root,
// the home, and folders for temporary files.
std::vector<std::string> workFoldersOf(const std::vector<pid_t> &processes);

// The regular files that match a pattern of the user's, below `folder` where it is relative: '*', '?' and '[...]'
// within a name, "**" for any folders between, at most five.
std::vector<std::string> matchingFiles(const std::string &pattern, const std::string &folder);

bool hasWildcards(const std::string &pattern);

bool isBelow(const std::string &path, const std::string &folder); // or is the folder itself

// The length of the deepest of these folders that has this path, 0 when none does.
std::size_t deepestAbove(const std::string &path, const std::set<std::string> &folders);

} // namespace trainyard::agent
