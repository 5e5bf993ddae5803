// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/trieselsewhere.h"

#include "engine/agent/filestamps.h"
#include "engine/agent/foldernames.h"
#include "engine/agent/pump.h"
#include "engine/contract/messages.h"
#include "engine/contract/metricbook.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/taskfolder.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <vector>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostJobsElsewhere = 500; // the newest ones, by their identifiers
constexpr std::int64_t lookElsewhereMs = 5000;
constexpr std::int64_t silentMs = 600'000; // its helper writes every few seconds: it is gone without a record
constexpr std::int64_t bookMs = 60'000; // after its end, in which its last files may still be noted
constexpr std::size_t longestBookElsewhere = 8U << 20;

// When it was last seen to run, if that is long ago. 0: it runs.
std::int64_t silentSince(const std::string &dir)
{
    std::int64_t last = 0;
    for (const char *name : {contract::file::figures, contract::file::output, contract::file::started}) {
        last = std::max(last, fileKeyOf(dir + '/' + name).second);
    }
    return last > 0 && utcMs() - last > silentMs ? last : 0;
}

// Whether the name of this folder is a number.
bool isNumbered(const std::string &folder)
{
    const std::string name = folder.substr(folder.rfind('/') + 1);
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char each) { return each >= '0' && each <= '9'; });
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

void TriesElsewhere::refresh(const std::string &folderOfJobs)
{
    if (folderOfJobs.empty()) {
        return;
    }
    const std::int64_t until = monotonicMs() + lookElsewhereMs;
    contract::refreshFolder(folderOfJobs); // what another node has made is otherwise seen late
    std::vector<std::string> jobs;
    forEachName(folderOfJobs, [&jobs](const std::string &job) { jobs.push_back(job); });
    std::sort(jobs.rbegin(), jobs.rend());
    jobs.resize(std::min(jobs.size(), mostJobsElsewhere));
    ++m_round;
    const auto forEachBelow = [until](const std::string &folder, const std::function<void(const std::string &)> &take) {
        forEachName(folder, [&](const std::string &name) {
            if (monotonicMs() < until) {
                take(folder + '/' + name);
            }
        });
    };
    for (const std::string &job : jobs) {
        forEachBelow(folderOfJobs + '/' + job, [&](const std::string &attempt) {
            if (!isNumbered(attempt)) {
                return;
            }
            forEachBelow(attempt, [&](const std::string &task) {
                forEachBelow(task, [&](const std::string &dir) {
                    if (isNumbered(dir)) {
                        lookAt(dir);
                    }
                });
            });
        });
    }
    for (auto &[dir, known] : m_tries) {
        if (!known.isOver && known.round != m_round && monotonicMs() < until) {
            lookAgain(dir, known);
        }
    }
}

// What ran and was not found now is of an older job, or was removed after its end, which nothing tells any more.
void TriesElsewhere::lookAgain(const std::string &dir, Known &known)
{
    struct stat info = {};
    if (::stat(dir.c_str(), &info) == 0) {
        lookAt(dir);
    } else if (errno == ENOENT && known.it.who.life.ended == 0) {
        known.it.who.life.ended = utcMs();
    }
}

void TriesElsewhere::lookAt(const std::string &dir)
{
    Known &known = m_tries[dir];
    known.round = m_round;
    if (known.isOver) {
        return;
    }
    TryElsewhere &it = known.it;
    if (it.who.job.empty()) {
        const std::optional<contract::StartedRecord> started = contract::readStartedRecord(dir);
        const std::optional<std::string> text
            = started ? contract::readWhole(dir + '/' + contract::file::plan) : std::nullopt;
        const std::optional<contract::Plan> plan = text ? contract::parsePlan(*text) : std::nullopt;
        if (!plan) {
            return; // it has not begun
        }
        it.who = {plan->job, dir, {started->at, 0}};
        if (!plan->cwd.empty()) {
            it.folders.insert(contract::resolvedPath(plan->cwd));
        }
        known.tellsFiles = std::none_of(plan->metricFiles.begin(), plan->metricFiles.end(), hasWildcards);
    }
    const std::optional<contract::ExitRecord> exit = contract::readExitRecord(dir);
    it.who.life.ended = exit ? std::max<std::int64_t>(exit->ended, 1) : silentSince(dir);
    known.isOver = exit && utcMs() - exit->ended > bookMs;
    const std::optional<std::string> text
        = contract::readWhole(dir + '/' + contract::file::metricBook, longestBookElsewhere);
    if (!text) {
        return;
    }
    const contract::MetricBook book = contract::MetricBook::parse(*text);
    known.isOver = known.isOver || (exit && book.isOver);
    for (const contract::MetricBook::File &file : book.files) {
        if (known.tellsFiles && !file.isOfJob) {
            it.files.insert(file.path);
        }
    }
}

} // namespace trainyard::agent
