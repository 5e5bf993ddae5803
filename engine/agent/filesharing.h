// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Whether a file of metrics is one task's alone. Jobs that share a folder often write the same file: what is in it then
// belongs to none of them. No I/O.
namespace trainyard::agent
{

using FileKey = std::pair<dev_t, ino_t>; // a file, whatever it is called in a container

struct FileUse { // by one try, while it runs and afterwards
    std::string job;
    std::int64_t began = 0, ended = 0; // ms UTC; ended 0: it runs
    // Files that it has or had; of another try, only what it writes or wrote. With when they last changed, ms UTC.
    std::map<FileKey, std::int64_t> files = {};
};

enum class Sharing {
    Shared, // another job used it while this one ran: it has values of both
    Later, // a job that began afterwards writes it now: what this try has of it stays, and no more is read
};
struct SharedFile {
    Sharing sharing = Sharing::Later;
    std::set<std::string> jobs; // the others
    friend bool operator==(const SharedFile &, const SharedFile &) = default;
};

// Jobs are asked to write below their own folders, such as runs/$TRAINYARD_JOB_ID: a path that names a job belongs to
// that job, whichever job works in the folders above it.
bool namesJob(const std::string &path, const std::string &job);
// The parts of a path that have the form of an identifier, in its order. They need not belong to a job.
std::vector<std::string> identifiersIn(const std::string &path);
// The folder in which each job of an engine has one, by that of a try; empty where the job is not in its path.
std::string folderOfJobs(const std::string &dir, const std::string &job);

// Whether the last change of a file allows it to belong to a try that ran from `began` to `ended` (ms UTC). `slackMs`
// is by how much its clock may be behind that of tries.
bool mayBeChangedBy(const struct stat &about, std::int64_t began, std::int64_t ended, std::int64_t slackMs);
// Whether it certainly changed after that end.
bool isChangedAfter(const struct stat &about, std::int64_t ended, std::int64_t slackMs);

struct Life { // of a try, in ms UTC
    std::int64_t began = 0, ended = 0; // ended 0: it runs
};
struct FileTimes { // of a file, in ms UTC
    std::int64_t born = 0; // 0: its file system has no such time
    std::int64_t changedFrom = 0, changedUntil = 0; // the last change was between these
    std::int64_t slack = 0; // by how much its clock may differ from that of tries
};
enum class Writer { One, Other, Either };
// Which of two tasks that work in one folder wrote a file. A task that did not run when the file was made, or when it
// last changed, did not write it.
Writer writerOf(const FileTimes &file, const Life &one, const Life &other);

// The common part of names of files that differ only by a number, such as that of a task. If the tasks write the same
// files, each in its own folder or under its own number, such names form a family.
std::string familyOf(const std::string &path);

// The files of this try that are not its own alone. Tries of the same job may share files.
std::map<FileKey, SharedFile> sharedFiles(const FileUse &mine, const std::vector<FileUse> &others);

} // namespace trainyard::agent
