// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

// What the helper of a try tells the helpers of other tries, in one small file beside the folders of all jobs
// (docs/task-folder.md). The name of the file changes with what is in it, so that the names alone, and the time at
// which the folder of the files has changed, show what is new.
namespace trainyard::agent
{

struct TryNotice {
    std::string job, dir; // of the try, below the folder of all jobs
    std::int64_t began = 0, ended = 0; // ms UTC; began 0: it is about to begin. ended 0: it runs
    std::string workFolder; // without links
    std::set<std::string> files; // of metrics, which are certainly its own

    std::string format() const;
    static std::optional<TryNotice> parse(std::string_view text);
    friend bool operator==(const TryNotice &, const TryNotice &) = default;
};

struct NoticeName {
    std::string key; // of the try
    std::int64_t changed = 0; // grows with every change; about ms UTC
    std::int64_t began = 0, ended = 0; // as in the notice

    std::string text() const;
    static std::optional<NoticeName> parse(std::string_view text);
};

std::string noticeFolder(const std::string &folderOfJobs);
std::string noticeKey(const std::string &dir); // of a try, below the folder of all jobs

// Tells of one try. It makes no folder for the notices unless `makesFolder`: where no step of a cluster has ever run,
// nothing reads them. Every call may wait for a file server; what cannot be written is told by the next call.
class NoticeWriter
{
public:
    // `dir` is the folder of the try.
    NoticeWriter(const std::string &dir, const std::string &job, bool makesFolder);

    // Fills in the job and the folder. Does nothing when this was told last.
    void tell(TryNotice notice);
    void announce(const std::string &workFolder); // before it begins, so that none of its files is older than this
    void withdraw(); // it never began

private:
    bool hasFolder();
    void forEach(const std::function<void(NoticeName &&)> &take) const;
    void findOwn(std::int64_t began);
    void write(const TryNotice &notice);

    std::string m_job, m_below, m_jobs, m_folder, m_key;
    bool m_makesFolder, m_hasFound = false;
    std::set<std::string> m_old; // names of earlier notices of the try
    std::int64_t m_changed = 0;
    std::optional<TryNotice> m_told;
};

} // namespace trainyard::agent
