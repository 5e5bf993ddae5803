// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/format.h"
#include "engine/metricfiles/note.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::metricfiles
{

struct RunFile {
    std::string path;
    Format format = Format::None;
};

// The files that one run of a program wrote, in the order in which they are read.
struct FoundRun {
    std::string
        name; // its folder below the one that was searched, or "."; with the file's name where several runs may be
    std::vector<RunFile> files;
};

struct FoundRuns {
    std::vector<FoundRun> runs; // by name
    std::vector<std::string> databases; // of programs that keep their runs in one, by their names; not looked into
    std::vector<Note> notes; // what was not looked at
};

// A work folder may have a data set in it, or a whole file system.
struct WalkLimits {
    int levels = 5; // of folders below the one that is searched
    std::size_t entries = 20000;
    std::int64_t changedSince = 0; // ms UTC; older files are not even opened. Some file systems know seconds only
    bool entersHidden = true; // folders such as .git and .venv; W&B's .wandb is always searched
};

// When a file last changed, at the latest, in ms UTC. If its time is a whole second, the end of that second: its file
// system may not store fractions.
std::int64_t latestChange(const struct stat &about);

// Looks for files of metrics below a folder. Links are left out: what they lead to inside of the folder is found
// anyway.
FoundRuns findRuns(const std::string &folder, const WalkLimits &limits = {});

// The key that the files of one run share: the folder that they are in, or the file itself if each file is a run. A
// newer checkpoint's trainer_state.json has all of an older one's, and counts as the same.
std::string runOf(const std::string &path, Format format);

} // namespace trainyard::metricfiles
