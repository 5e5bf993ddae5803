// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/bookwriter.h"
#include "engine/agent/filesharing.h"
#include "engine/agent/metricintake.h"
#include "engine/agent/metricscan.h"
#include "engine/agent/rewriteprocess.h"
#include "engine/contract/taskfolder.h"
#include "engine/metricfiles/filereader.h"
#include "engine/metricfiles/runs.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::agent
{

// The metrics in the files of one try: finds the files and puts what is in them into its folder. Every call may wait
// for a file server, and otherwise takes a bounded time. Large because what is found, whose it is and how far it was
// read is asked of the same sources at every step.
class TryMetrics
{
public:
    explicit TryMetrics(const std::string &dir);
    ~TryMetrics();

    // These values are hidden in all that is taken from its files from now on.
    void hide(const std::vector<std::string> &secrets) { m_secrets = contract::Secrets(secrets); }
    const std::string &job() const { return m_job; }
    const std::string &dir() const { return m_dir; }
    // The folders in which its closed files are looked for, and those of files that its processes had open. They change
    // when its processes go elsewhere.
    std::set<std::string> folders() const;
    // How closely it is tied to a path: the length of the deepest of its folders that has it, 0 when none does.
    std::size_t tieTo(const std::string &path) const;
    // Whether the part of a path below its folders names another job and not this one. That job need not be known here:
    // its identifier has the form of ours, or it has a folder where this job has its own.
    bool isNamedAfterOther(const std::string &path) const;
    void addOpenFiles(std::set<std::string> &paths) const; // that its processes have open now
    template <typename Take> void forEachFile(Take take) const
    {
        for (const auto &[path, source] : m_byPath) {
            take(path);
        }
    }
    struct Present {
        FileKey key;
        std::int64_t changed = 0; // ms UTC
        bool isWritten = false; // by this try: what only a pattern with wildcards has found may be another program's
    };
    std::map<std::string, Present> presentFiles() const; // of its files, by how they are reached
    std::map<FileKey, std::int64_t> openFileKeys() const; // that its processes have open now, with when they changed
    bool hasFile(const std::string &path) const { return m_byPath.contains(path); }
    const std::string &workFolder() const { return m_work; } // without links
    // By their paths; none where a pattern of the user's may have found files of others.
    std::set<std::string> filesForSure() const;
    std::int64_t began() const { return m_began; } // ms UTC

    // How a closed file that was found relates to this try, considering the other tries; the strongest claim counts.
    enum class Whose {
        Own,
        // It belongs to this task or to another task of the job that ran beside it: its own, unless it seems that each
        // has one.
        OfJob,
        OfFirstTask, // its own only beside a file that it had open: an earlier task of the job gets what all may write
        Unclear, // the same, because another job works in the same folder
        Later, // not known yet: it is judged again
        Other,
    };
    using Judge = std::function<Whose(const std::string &path)>;
    struct Look {
        bool hasGrown = false;
        bool isMore = false; // at once
    };
    // `share` is called when the files are found and before they are read: it may call leaveOut().
    Look look(const Judge &judge, const std::function<void()> &share);
    // These files are not its own alone: what is shared is made void, and none of them is read any longer.
    void leaveOut(const std::map<FileKey, SharedFile> &files);
    // The task has ended: the next looks read what is left. Long afterwards, it cannot be known which files are its
    // own.
    void end(bool mayFind)
    {
        m_hasEnded = true;
        m_hasWalked = !mayFind;
    }
    bool isOver() const { return m_isOver; }

    // Whether the written series have to be rewritten because they consist of many small blocks. Another process does
    // that. Nothing is read meanwhile, except for a task that has ended: then the rewrite is left out.
    bool isRewritingDue(std::int64_t now) const; // ms UTC
    void startRewriting(std::int64_t now) { m_rewriting.start(*m_writer, now); }
    bool isRewriting() const { return m_rewriting.isRunning(); }
    void reaped(pid_t process, int status); // of any process

private:
    struct Source {
        int number = 0, run = 0;
        std::string path, openAs;
        metricfiles::Format format = metricfiles::Format::None;
        std::unique_ptr<metricfiles::FileReader> reader;
        std::unique_ptr<MetricIntake> intake;
        MetricIntake::Taken stored;
        std::int64_t readUntil = 0; // what was read was written by then; ms UTC
        std::int64_t shorterSince = 0; // since when not all that was taken is there; ms UTC
        std::int64_t goneSince = 0; // since when neither it nor another file of its run is there; ms UTC
        bool wasOpen = false; // a process of the try had it open, or an earlier agent may know that
        bool isUnreadable = false; // it is not read any more
        bool isWritten = false; // by this try, as far as is known
        bool isOfJob = false; // another task of the job may have written it
    };
    struct Run {
        std::string key;
        std::set<std::uint32_t> series;
    };

    void readPlan();
    void readBook();
    bool openWriter();
    bool waitsForRewriting(std::int64_t now);
    void readAnew();
    bool leaveOut(Source &source, const SharedFile &shared);
    bool endReading(Source &source, bool isVoid);
    void note(int file, const metricfiles::Note &note);

    // trymetricsfind.cpp
    void find(const Judge &judge);
    void walkFolder(const std::string &folder, const metricfiles::WalkLimits &limits, const Judge &judge);
    bool isSettled(const std::string &path);
    void takeFile(const MetricCandidate &file, bool isWritten, bool isOfJob = false);
    void takeOfJob(const std::vector<metricfiles::RunFile> &files);
    int runFor(const std::string &path, metricfiles::Format format);
    std::string below(const std::string &path) const;

    // trymetricsread.cpp
    bool open(Source &source);
    void makeIntake(Source &source);
    Look read(Source &source);
    std::int64_t readUntil(const Source &source, std::int64_t now) const;
    bool isGone(Source &source) const;
    Look leaveGone(Source &source);
    void store(Source &source);

    std::string m_dir, m_job, m_work;
    BookWriter m_book;
    std::vector<std::string> m_patterns;
    contract::Secrets m_secrets;
    pid_t m_keeper = 0, m_main = 0;
    std::int64_t m_began = 0, m_nextFind = 0, m_ended = 0; // ms UTC
    std::set<std::string> m_folders;
    std::unique_ptr<series::Writer> m_writer;
    RewriteProcess m_rewriting;
    std::vector<std::unique_ptr<Source>> m_sources;
    std::map<std::string, Source *> m_byPath;
    std::set<std::string> m_openFolders; // of files that a process had open
    std::map<std::string, std::set<std::string>> m_families; // runs with files that other tasks may have written
    std::set<std::string> m_fresh; // were written just before they were found
    std::vector<std::unique_ptr<Run>> m_runs;
    bool m_hasEnded = false, m_isOver = false, m_hasWalked = false;
};

} // namespace trainyard::agent
