// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/format.h"
#include "engine/metricfiles/note.h"

#include <string>
#include <vector>

namespace trainyard::metricfiles
{

struct RunFile {
    std::string path;
    Format format = Format::None;
};

// What one run of a program wrote, in the order in which it is to be read.
struct FoundRun {
    std::string name; // its folder below the one that was searched, or "."; with the file where several are in one
    std::vector<RunFile> files;
};

struct FoundRuns {
    std::vector<FoundRun> runs; // by name
    std::vector<Note> notes; // what was not looked at
};

// Looks for files of metrics below a folder, at most 5 folders deep and at most 20,000 entries. Links are left out:
// what they lead to inside of the folder is found anyway.
FoundRuns findRuns(const std::string &folder);

} // namespace trainyard::metricfiles
