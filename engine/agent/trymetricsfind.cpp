// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of metrics a try has, and how each of them gets its number.
#include "engine/agent/filestamps.h"
#include "engine/agent/pump.h"
#include "engine/agent/treeusage.h"
#include "engine/agent/trymetrics.h"
#include "engine/contract/pathkinds.h"

#include <algorithm>
#include <utility>

namespace trainyard::agent
{
namespace
{

using metricfiles::Format;

constexpr std::size_t mostFiles = 1000; // each is held open
constexpr std::int64_t freshMs = 500; // longer than the agent keeps a new try to itself

std::string folderOf(const std::string &path) { return path.substr(0, path.rfind('/')); }

} // namespace

void TryMetrics::find(const Judge &judge)
{
    const std::vector<pid_t> processes = m_hasEnded ? std::vector<pid_t>() : taskProcesses(m_keeper, m_main);
    for (const MetricCandidate &file : openMetricFiles(processes)) {
        m_openFolders.insert(folderOf(file.path));
        takeFile(file, true);
        const auto taken = m_byPath.find(file.path);
        if (taken == m_byPath.end()) {
            continue;
        }
        taken->second->wasOpen = true;
        if (std::exchange(taken->second->isOfJob, false)) { // the process that has it open writes it
            m_book.append(contract::ownerLine(taken->second->number, false));
        }
    }
    for (const std::string &pattern : m_patterns) {
        for (const std::string &path : matchingFiles(pattern, m_work)) {
            const bool isMeant = !hasWildcards(pattern);
            if (isMeant || !isNamedAfterOther(contract::resolvedPath(path))) {
                takeFile({contract::resolvedPath(path), path, Format::None}, isMeant);
            }
        }
    }
    for (const std::string &folder : workFoldersOf(processes)) {
        m_folders.insert(folder);
    }
    metricfiles::WalkLimits limits;
    limits.entersHidden = false;
    std::set<std::string> walked;
    for (const std::string &folder : m_folders) {
        const bool isInside = std::any_of(
            walked.begin(), walked.end(), [&folder](const std::string &above) { return isBelow(folder, above); });
        if (!isInside) {
            walked.insert(folder);
            limits.changedSince = m_began - clockSlackMs(folder);
            walkFolder(folder, limits, judge);
        }
    }
    // Elsewhere, a file that was seen open may have others beside it and below it.
    limits.levels = 1;
    limits.entries = 2000;
    for (const std::string &folder : m_openFolders) {
        const bool isInside = std::any_of(
            walked.begin(), walked.end(), [&folder](const std::string &above) { return isBelow(folder, above); });
        if (!isInside) {
            limits.changedSince = m_began - clockSlackMs(folder);
            walkFolder(folder, limits, judge);
        }
    }
}

// A try that has just begun is not known here yet, and its file may be the one that was found.
bool TryMetrics::isSettled(const std::string &path)
{
    const auto [key, changed] = fileKeyOf(path);
    if (m_hasEnded || m_fresh.size() >= mostFiles || key == FileKey()) {
        return true;
    }
    const std::int64_t age = utcMs() - changed;
    return age < 0 || age >= freshMs || !m_fresh.insert(path).second; // for one look; it may be written all the time
}

void TryMetrics::walkFolder(const std::string &folder, const metricfiles::WalkLimits &limits, const Judge &judge)
{
    const metricfiles::FoundRuns found = metricfiles::findRuns(folder, limits);
    std::vector<metricfiles::RunFile> ofJob;
    bool isUnclear = false;
    for (const metricfiles::FoundRun &run : found.runs) {
        for (const metricfiles::RunFile &file : run.files) {
            if (hasFile(file.path) || m_book.isOther(file.path) || !isSettled(file.path)) {
                continue;
            }
            const Whose whose = judge(file.path);
            if (whose == Whose::Other) {
                m_book.addOther(file.path);
            }
            if (whose == Whose::Own || (whose != Whose::Other && m_openFolders.contains(folderOf(file.path)))) {
                takeFile({file.path, file.path, file.format}, true);
            } else if (whose == Whose::OfJob) {
                ofJob.push_back(file);
            } else if (whose == Whose::Unclear) {
                isUnclear = true;
            }
        }
    }
    takeOfJob(ofJob);
    if (isUnclear) {
        note(-1, {metricfiles::note::sharedFolder, 0, folder});
    }
    for (const metricfiles::Note &one : found.notes) {
        // A large folder or a link in it is nothing that one has to know.
        if (one.code == metricfiles::note::folderOdd) {
            note(-1, {one.code, 0, folder + '/' + one.text});
        }
    }
}

// One task of several often writes for all of them. Where there are as many of a kind, it is not known whose each is:
// none is taken, and what was taken before the next one appeared is void.
void TryMetrics::takeOfJob(const std::vector<metricfiles::RunFile> &files)
{
    std::map<std::string, std::string> firsts; // of the families of these files
    for (const metricfiles::RunFile &file : files) {
        const std::string family = familyOf(file.path);
        m_families[family].insert(metricfiles::runOf(file.path, file.format));
        firsts.emplace(family, file.path);
    }
    for (const std::unique_ptr<Source> &source : m_sources) {
        if (const auto family = m_families.find(familyOf(source->path)); family != m_families.end()) {
            family->second.insert(metricfiles::runOf(source->path, source->format));
        }
    }
    for (const std::unique_ptr<Source> &source : m_sources) {
        const std::string family = familyOf(source->path);
        if (source->isOfJob && !source->isUnreadable && m_families[family].size() > 1 && endReading(*source, true)) {
            note(source->number, {contract::tasksFileNote, 0, {}});
            firsts.erase(family); // it was reported
        }
    }
    for (const metricfiles::RunFile &file : files) {
        if (m_families[familyOf(file.path)].size() > 1) {
            m_book.addOther(file.path);
            continue;
        }
        takeFile({file.path, file.path, file.format}, true, true);
    }
    for (const auto &first : firsts) {
        const bool isTold = std::any_of(
            m_book.notes().begin(), m_book.notes().end(), [&first](const contract::MetricBook::Note &one) {
                return one.code == contract::tasksFileNote && familyOf(one.text) == first.first;
            });
        if (m_families[first.first].size() > 1 && !isTold) {
            note(-1, {contract::tasksFileNote, 0, first.second});
        }
    }
}

void TryMetrics::takeFile(const MetricCandidate &file, bool isWritten, bool isOfJob)
{
    const auto known = m_byPath.find(file.path);
    if (known != m_byPath.end()) {
        known->second->isWritten = known->second->isWritten || isWritten;
        if (known->second->openAs != file.openAs && !known->second->reader) {
            known->second->openAs = file.openAs;
        }
        return;
    }
    if (m_sources.size() >= mostFiles) {
        note(-1, {metricfiles::note::manyFiles, 0, std::to_string(mostFiles)});
        return;
    }
    auto source = std::make_unique<Source>();
    source->number = static_cast<int>(m_sources.size());
    source->path = file.path;
    source->openAs = file.openAs;
    source->format = file.format;
    source->isWritten = isWritten;
    source->isOfJob = isOfJob;
    metricfiles::Note problem;
    source->reader = metricfiles::FileReader::open(file.openAs, {file.format, true, false, file.isOnlySeen}, problem);
    if (!source->reader) {
        // It may be written yet, or is something else by its beginning.
        if (problem.code == metricfiles::note::unreadable && m_hasEnded) {
            // It has a number, and nothing else.
            source->run = runFor(file.path, file.format);
            source->isUnreadable = true;
            m_book.append(contract::fileLine({source->run, {}, file.path}));
            note(source->number, problem);
            m_byPath[file.path] = source.get();
            m_sources.push_back(std::move(source));
        }
        return;
    }
    if (!openWriter()) {
        return; // again the next time
    }
    source->format = source->reader->format();
    source->run = runFor(file.path, source->format);
    // In one piece: the next agent must not take it for its own.
    m_book.append(contract::fileLine({source->run, formatWord(source->format), file.path})
        + (isOfJob ? contract::ownerLine(source->number, true) : std::string()));
    m_byPath[file.path] = source.get();
    m_sources.push_back(std::move(source));
}

std::string TryMetrics::below(const std::string &path) const
{
    if (path == m_work) {
        return ".";
    }
    return isBelow(path, m_work) ? path.substr(m_work.size() + 1) : path;
}

int TryMetrics::runFor(const std::string &path, Format format)
{
    const std::string run = metricfiles::runOf(path, format);
    const std::string key = run + ' ' + formatWord(format);
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        if (m_runs[i]->key == key) {
            return static_cast<int>(i);
        }
    }
    m_runs.push_back(std::make_unique<Run>());
    m_runs.back()->key = key;
    m_book.append(contract::runLine(below(run)));
    return static_cast<int>(m_runs.size()) - 1;
}

} // namespace trainyard::agent
