// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The environment that a task found when it started, as recorded in environment.json in the folder of its try
// (docs/task-folder.md). The agent writes it, clients read it. Secrets are masked before they get here.
namespace trainyard::contract
{

// The most variables shared by all tasks of an attempt that are in the record of each. If there are more, no record has
// any, so that a list of a thousand tasks is not repeated a thousand times.
constexpr std::size_t mostSharedVariables = 200;

struct NamedText {
    std::string name, text;
    friend bool operator==(const NamedText &, const NamedText &) = default;
};

struct HostRecord {
    std::string name, kernel, os, cpuModel;
    std::string gpuDriver; // its version, or empty
    int cpus = 0;
    std::int64_t memoryMiB = 0;
    friend bool operator==(const HostRecord &, const HostRecord &) = default;
};

struct GitRecord { // of the repository that the work folder is in
    std::string top; // its folder
    std::string commit; // empty: there is none yet
    std::string branch; // empty: detached
    bool dirty = false; // a tracked file differs from the commit
    std::string diff; // of the tracked files
    bool diffCut = false; // it is longer
    std::vector<std::string> untracked; // the first ones; a folder that is untracked as a whole ends in a slash
    std::int64_t untrackedCount = 0;
    friend bool operator==(const GitRecord &, const GitRecord &) = default;
};

struct PythonRecord {
    std::string executable; // the first one in the task's PATH
    std::string resolved; // what it is after all links
    std::string version; // as far as its folders show it
    std::vector<NamedText> packages; // name and version, in the order of their names
    friend bool operator==(const PythonRecord &, const PythonRecord &) = default;
};

struct EnvironmentRecord {
    std::int64_t at = 0; // ms UTC
    // Of the task itself:
    std::vector<std::string> gpus; // models of those it was given
    std::vector<NamedText> variables;
    std::string workFolder;
    // The part that tasks which start together have in common. It is left out when `sameAs` names the try of the same
    // attempt, "<role>-<index>/<try>", whose record has it.
    std::string sameAs;
    HostRecord host;
    std::string runtime, image; // of a container
    std::optional<GitRecord> git;
    std::optional<PythonRecord> python;
    // Codes of what could not be found out in time: git.slow, git.failed, git.later, diff.slow, untracked.slow,
    // python.slow, python.wrapper, python.container.
    std::vector<std::string> gaps;
    friend bool operator==(const EnvironmentRecord &, const EnvironmentRecord &) = default;
};

constexpr std::size_t greatestDiff = 1 << 20;
constexpr std::size_t greatestEnvironmentFile = 8 << 20;

// Bytes that are not UTF-8 are replaced.
std::string environmentJson(const EnvironmentRecord &record);
// Returns nothing if it is incomplete or not such a record.
std::optional<EnvironmentRecord> parseEnvironment(std::string_view json);
// The record with what it has in common with `other` from there, or with less when that is not the one it names.
EnvironmentRecord joined(EnvironmentRecord record, const EnvironmentRecord &other);
// Only what tasks that start together have in common.
EnvironmentRecord commonPart(const EnvironmentRecord &record);
// The folder of the try that `sameAs` names, from the folder of the try that names it; empty when it is not such a
// name.
std::string folderOfSame(const std::string &folder, std::string_view sameAs);

} // namespace trainyard::contract
