// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/trieselsewhere.h"

#include "engine/agent/filestamps.h"
#include "engine/agent/pump.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t lookElsewhereMs = 5000;
constexpr std::int64_t silentMs = 600'000; // its helper writes every few seconds: it is gone without a record
constexpr std::int64_t beginsMs = 30'000; // a try that begins later, as after a pull, counts from its next notice
constexpr std::int64_t clocksMs = 60'000; // by which clocks of nodes may differ
constexpr std::int64_t coarseTickMs = 2000; // the times of some file systems have no parts of a second
constexpr int looksAtOnce = 2;
constexpr int mostLists = 5; // at a time, while notices are replaced
constexpr std::size_t longestNotice = 8U << 20;

// When it was last seen to run, if that is long ago. 0: it runs.
std::int64_t silentSince(const std::string &dir)
{
    std::int64_t last = 0;
    for (const char *name : {contract::file::figures, contract::file::output, contract::file::started}) {
        last = std::max(last, fileKeyOf(dir + '/' + name).second);
        if (utcMs() - last <= silentMs) {
            return 0;
        }
    }
    return last;
}

} // namespace

FileUse TryElsewhere::useOf(const std::map<std::string, TryMetrics::Present> &mine) const
{
    FileUse use{who.job, who.life.began, who.life.ended};
    for (const auto &[path, file] : mine) {
        if (files.contains(path)) {
            use.files.emplace(file.key, file.changed);
        }
    }
    return use;
}

bool TriesElsewhere::refresh(const std::string &folderOfJobs, std::int64_t began)
{
    if (folderOfJobs.empty()) {
        return false;
    }
    const std::int64_t until = monotonicMs() + lookElsewhereMs;
    m_jobs = folderOfJobs;
    m_folder = noticeFolder(folderOfJobs);
    bool hasChanged = false;
    for (int i = 0; i < mostLists; ++i) {
        list();
        bool isAnyReplaced = false;
        for (auto &[key, known] : m_tries) {
            if (known.name.changed <= known.read || monotonicMs() >= until) {
                continue;
            }
            if (known.read == 0 && known.name.ended > 0 && known.name.ended + clocksMs < began) {
                known.read = known.name.changed; // its try had no file in common with one that began later
                continue;
            }
            const bool isRead = read(known);
            hasChanged = isRead || hasChanged;
            isAnyReplaced = !isRead || isAnyReplaced;
        }
        if (!isAnyReplaced) {
            break;
        }
    }
    for (auto &[key, known] : m_tries) {
        if (known.read > 0 && known.it.who.life.began == 0 && !known.isOver && monotonicMs() < until
            && !known.it.who.job.empty()) {
            lookWhetherItBegan(known);
            hasChanged = hasChanged || known.it.who.life.began > 0;
        }
    }
    lookAtSome();
    return hasChanged;
}

// What is replaced meanwhile may be listed under neither name. A change within the same tick of the server's clock as
// the last look leaves the time of the folder as it is: what has changed is listed once more after that. The opening of
// a folder makes this computer ask the server (close-to-open).
void TriesElsewhere::list()
{
    DIR *open = ::opendir(m_folder.c_str());
    if (!open) {
        return;
    }
    for (int i = 0; i < mostLists; ++i) {
        const std::int64_t now = monotonicMs();
        struct stat info = {};
        const bool isKnown = ::fstat(::dirfd(open), &info) == 0;
        const std::pair<std::int64_t, std::uint64_t> seen{contract::changedNsOf(info), info.st_ino};
        if (!isKnown || (seen == m_seen && (!m_listsAgain || i > 0))) {
            break;
        }
        if (seen != m_seen) {
            m_seen = seen;
            m_settled = now + coarseTickMs;
        }
        m_listsAgain = now < m_settled;
        ::rewinddir(open);
        while (const dirent *entry = ::readdir(open)) {
            if (std::optional<NoticeName> name = NoticeName::parse(entry->d_name)) {
                Known &known = m_tries[name->key];
                known.name = name->changed > known.name.changed ? std::move(*name) : known.name;
            }
        }
    }
    ::closedir(open);
}

bool TriesElsewhere::read(Known &known)
{
    const std::optional<std::string> text = contract::readWhole(m_folder + '/' + known.name.text(), longestNotice);
    std::optional<TryNotice> notice = text ? TryNotice::parse(*text) : std::nullopt;
    if (!notice) {
        known.name.changed = known.read; // it was replaced: there is a newer one, which is listed next
        m_listsAgain = true;
        return false;
    }
    const bool isNew = known.read == 0;
    known.read = known.name.changed;
    TryElsewhere &it = known.it;
    const std::int64_t began = std::max(notice->began, it.who.life.began);
    it.who = {notice->job, m_jobs + '/' + notice->dir, {began, notice->ended}};
    it.folders.clear();
    if (!notice->workFolder.empty()) {
        it.folders.insert(notice->workFolder);
    }
    it.files = std::move(notice->files);
    known.isOver = notice->ended > 0;
    if (isNew && began > 0 && !known.isOver) {
        lookWhetherItRuns(known); // its helper may have been killed long ago
    }
    return true;
}

// The record is there before the task does anything.
void TriesElsewhere::lookWhetherItBegan(Known &known)
{
    const std::string &dir = known.it.who.dir;
    contract::refreshFolder(dir);
    if (const std::optional<contract::StartedRecord> started = contract::readStartedRecord(dir)) {
        known.it.who.life.began = std::max<std::int64_t>(started->at, 1);
        lookWhetherItRuns(known);
        return;
    }
    known.isOver = utcMs() - known.name.changed > beginsMs; // until there is another notice
}

// A helper that was killed with its task, or that has ended without a notice, has left at most the record of the end.
// What was removed with its job has ended.
void TriesElsewhere::lookWhetherItRuns(Known &known)
{
    Claimant &who = known.it.who;
    if (const std::optional<contract::ExitRecord> exit = contract::readExitRecord(who.dir)) {
        who.life.ended = std::max<std::int64_t>(exit->ended, 1);
        known.isOver = true;
        return;
    }
    struct stat info = {};
    if (const std::int64_t silent = silentSince(who.dir); silent > 0) {
        who.life.ended = silent;
    } else if (::stat(who.dir.c_str(), &info) != 0 && errno == ENOENT) {
        who.life.ended = utcMs();
        known.isOver = true;
    } else {
        who.life.ended = 0;
    }
}

// A few at each look, in turn.
void TriesElsewhere::lookAtSome()
{
    auto next = m_tries.upper_bound(m_lastLooked);
    int looked = 0;
    for (std::size_t i = 0; i < m_tries.size() && looked < looksAtOnce; ++i, ++next) {
        next = next == m_tries.end() ? m_tries.begin() : next;
        if (!next->second.isOver && next->second.it.who.life.began > 0) {
            lookWhetherItRuns(next->second);
            ++looked;
            m_lastLooked = next->first;
        }
    }
}

} // namespace trainyard::agent
