// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/trymetrics.h"

#include "engine/agent/filestamps.h"
#include "engine/agent/pump.h"
#include "engine/agent/treeusage.h"
#include "engine/contract/messages.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/uuid.h"
#include "engine/series/rewriting.h"
#include "engine/series/seriesset.h"

#include <algorithm>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t youngMs = 30000; // of a task: its files are about to appear
constexpr std::int64_t findYoungMs = 1000, findEveryMs = 5000;
constexpr std::int64_t restPerFind = 100; // a hundredth of a processor

} // namespace

TryMetrics::TryMetrics(const std::string &dir) : m_dir(dir), m_book(dir)
{
    readPlan();
    readBook();
}

TryMetrics::~TryMetrics() = default; // the writer flushes

void TryMetrics::readPlan()
{
    const std::optional<std::string> text = contract::readWhole(m_dir + '/' + contract::file::plan);
    if (const std::optional<contract::Plan> plan = text ? contract::parsePlan(*text) : std::nullopt) {
        m_job = plan->job;
        m_work = plan->cwd;
        m_patterns = plan->metricFiles;
    }
    if (m_work.empty()) {
        m_work = m_dir + '/' + contract::file::work;
    }
    m_work = contract::resolvedPath(m_work);
    m_folders.insert(m_work);
    if (const std::optional<contract::StartedRecord> started = contract::readStartedRecord(m_dir)) {
        m_keeper = static_cast<pid_t>(started->keeperPid);
        m_main = static_cast<pid_t>(started->process.pid);
        m_began = started->at;
    }
}

// The records of an earlier agent.
void TryMetrics::readBook()
{
    constexpr std::size_t longest = 64U << 20;
    const std::optional<std::string> text = contract::readWhole(m_dir + '/' + contract::file::metricBook, longest);
    if (!text) {
        return;
    }
    contract::MetricBook book = contract::MetricBook::parse(*text);
    m_isOver = book.isOver;
    m_book.continueFrom(book);
    for (const contract::MetricBook::File &file : book.files) {
        auto source = std::make_unique<Source>();
        source->number = static_cast<int>(m_sources.size());
        source->run = file.run;
        source->path = source->openAs = file.path;
        source->format = formatOfWord(file.format);
        source->isUnreadable = source->format == metricfiles::Format::None;
        source->isOfJob = file.isOfJob;
        source->wasOpen = true;
        source->isWritten = std::none_of(m_patterns.begin(), m_patterns.end(), hasWildcards); // else it is not known
        const std::string key = metricfiles::runOf(file.path, source->format);
        while (m_runs.size() <= static_cast<std::size_t>(file.run)) {
            m_runs.push_back(std::make_unique<Run>());
        }
        m_runs[static_cast<std::size_t>(file.run)]->key = key + ' ' + file.format;
        m_byPath[file.path] = source.get();
        m_sources.push_back(std::move(source));
    }
    for (const contract::MetricBook::Note &one : m_book.notes()) {
        if (contract::isAboutSharing(one.code) && one.file >= 0
            && static_cast<std::size_t>(one.file) < m_sources.size()) {
            m_sources[static_cast<std::size_t>(one.file)]->isUnreadable = true;
        }
        if (one.code == contract::tasksFileNote && one.file < 0) {
            m_families[familyOf(one.text)] = {one.text, {}}; // several: which ones does not matter any more
        }
    }
}

bool TryMetrics::openWriter()
{
    if (m_writer) {
        return true;
    }
    const std::string path = m_dir + '/' + contract::file::metrics;
    series::Error error;
    m_writer = series::Writer::open(path, error);
    if (!m_writer) {
        return false; // another agent is about to end, or the disk is full
    }
    series::dropRewritten(path); // of an earlier agent
    series::SeriesSet set(path);
    set.poll();
    for (std::uint32_t id = 0; id < set.infos().size(); ++id) {
        const std::string &name = set.infos()[id].name;
        const std::optional<contract::MetricSeries> metric = contract::parseMetricSeries(name);
        if (metric && static_cast<std::size_t>(metric->run) < m_runs.size()) {
            m_runs[static_cast<std::size_t>(metric->run)]->series.insert(id);
        }
    }
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
        if (const std::optional<std::uint32_t> epochs = set.find(contract::epochSeries(static_cast<int>(run)))) {
            m_runs[run]->series.insert(*epochs);
        }
    }
    for (const std::unique_ptr<Source> &source : m_sources) {
        const auto last = [&](const std::string &name) {
            const std::optional<std::uint32_t> id = set.find(name);
            const std::optional<series::Point> point = id ? set.series(*id).last() : std::nullopt;
            return point && point->value > 0 ? static_cast<std::uint64_t>(point->value) : 0;
        };
        source->stored = {last(contract::takenSeries(source->number)), last(contract::takenHashSeries(source->number))};
    }
    return true;
}

std::set<std::string> TryMetrics::folders() const
{
    std::set<std::string> all = m_folders;
    all.insert(m_openFolders.begin(), m_openFolders.end());
    return all;
}

std::size_t TryMetrics::tieTo(const std::string &path) const
{
    return std::max(deepestAbove(path, m_folders), deepestAbove(path, m_openFolders));
}

bool TryMetrics::isNamedAfterOther(const std::string &path) const
{
    if (namesJob(path, m_job)) {
        return false;
    }
    const std::string jobs = folderOfJobs(m_dir, m_job);
    const std::vector<std::string> named = identifiersIn(path.substr(tieTo(path)));
    return std::any_of(named.begin(), named.end(), [&](const std::string &one) {
        return contract::isJobId(one) || (!jobs.empty() && contract::isRealFolderAt(jobs + '/' + one));
    });
}

void TryMetrics::addOpenFiles(std::set<std::string> &paths) const
{
    if (!m_hasEnded) {
        for (const MetricCandidate &file : openMetricFiles(taskProcesses(m_keeper, m_main))) {
            paths.insert(file.path);
        }
    }
}

std::map<std::string, TryMetrics::Present> TryMetrics::presentFiles() const
{
    std::map<std::string, Present> files;
    for (const std::unique_ptr<Source> &source : m_sources) {
        const auto [key, changed] = fileKeyOf(source->openAs);
        if (key != FileKey()) {
            files[source->openAs] = {key, changed, source->isWritten};
        }
    }
    return files;
}

std::set<std::string> TryMetrics::filesForSure() const
{
    std::set<std::string> files;
    if (std::none_of(m_patterns.begin(), m_patterns.end(), hasWildcards)) {
        for (const std::unique_ptr<Source> &source : m_sources) {
            if (!source->isOfJob) {
                files.insert(source->path);
            }
        }
    }
    return files;
}

std::map<FileKey, std::int64_t> TryMetrics::openFileKeys() const
{
    std::map<FileKey, std::int64_t> keys;
    if (!m_hasEnded) {
        for (const MetricCandidate &file : openMetricFiles(taskProcesses(m_keeper, m_main))) {
            if (const auto key = fileKeyOf(file.openAs); key.first != FileKey()) {
                keys.insert(key);
            }
        }
    }
    return keys;
}

void TryMetrics::leaveOut(const std::map<FileKey, SharedFile> &files)
{
    for (const std::unique_ptr<Source> &source : m_sources) {
        const auto shared = source->isUnreadable ? files.end() : files.find(fileKeyOf(source->openAs).first);
        if (shared != files.end() && !leaveOut(*source, shared->second)) {
            return; // again the next time
        }
    }
}

// The values of the file are void if another job wrote it meanwhile, because it is not known to which job they belong.
bool TryMetrics::leaveOut(Source &source, const SharedFile &shared)
{
    const bool isShared = shared.sharing == Sharing::Shared;
    if (!endReading(source, isShared)) {
        return false;
    }
    std::string jobs;
    for (const std::string &job : shared.jobs) {
        jobs += (jobs.empty() ? "" : " ") + job;
    }
    note(source.number, {isShared ? contract::sharedFileNote : contract::laterFileNote, 0, jobs});
    return true;
}

// False while the metrics cannot be written: again the next time.
bool TryMetrics::endReading(Source &source, bool isVoid)
{
    if (!openWriter()) {
        return false;
    }
    if (isVoid && (source.intake || source.stored.count > 0)) {
        makeIntake(source);
        source.intake->begin();
        store(source);
    }
    source.reader.reset();
    source.isUnreadable = true;
    return true;
}

bool TryMetrics::isRewritingDue(std::int64_t now) const
{
    return m_writer && !m_hasEnded && m_writer->isWorthRewriting() && m_rewriting.isRested(now);
}

bool TryMetrics::waitsForRewriting(std::int64_t now)
{
    if (m_hasEnded || m_rewriting.isLate(now)) {
        m_rewriting.stop();
    }
    return isRewriting();
}

void TryMetrics::reaped(pid_t process, int status)
{
    if (!isRewriting()) {
        return;
    }
    const std::vector<series::Info> before = m_writer->infos();
    m_rewriting.reaped(process, status, m_writer);
    if (m_writer->infos() != before) {
        readAnew(); // a damaged name is not there any more, and the numbers of series are others
    }
}

// As the next agent does: what is there is not taken again.
void TryMetrics::readAnew()
{
    m_writer.reset();
    for (const std::unique_ptr<Run> &run : m_runs) {
        run->series.clear();
    }
    for (const std::unique_ptr<Source> &source : m_sources) {
        source->intake.reset();
        source->reader.reset();
    }
}

TryMetrics::Look TryMetrics::look(const Judge &judge, const std::function<void()> &share)
{
    const std::int64_t now = utcMs();
    if (waitsForRewriting(now)) {
        return {}; // what is written meanwhile stays in the files
    }
    if (m_hasEnded ? !m_hasWalked : now >= m_nextFind || now < m_began) {
        find(judge);
        const std::int64_t took = utcMs() - now;
        const std::int64_t every = now - m_began < youngMs ? findYoungMs : findEveryMs;
        m_nextFind = now + std::max(every, took * restPerFind);
        m_hasWalked = m_hasEnded;
    }
    share();
    Look all;
    bool isWritable = true;
    for (const std::unique_ptr<Source> &source : m_sources) {
        if (source->isUnreadable) {
            continue;
        }
        // While the disk is full, what the files have stays there and not in the memory of this process.
        isWritable = openWriter() && (!m_writer->isWaiting() || m_writer->flush().fault == series::Fault::None);
        if (!isWritable) {
            break;
        }
        const Look one = read(*source);
        all.hasGrown = all.hasGrown || one.hasGrown;
        all.isMore = all.isMore || one.isMore;
    }
    if (m_writer && all.hasGrown) {
        m_writer->flush();
    }
    if (m_hasEnded && !all.isMore) {
        m_ended = m_ended == 0 ? now : m_ended;
        constexpr std::int64_t patienceMs = 5000; // with the agent before
        if (isWritable || now - m_ended > patienceMs) {
            m_book.addCountOfMissing();
            m_book.append(contract::overLine()); // also of none: clients that show results wait for it
            if (m_writer) {
                series::dropRewritten(m_writer->path()); // a process that was stopped may have been done before that
            }
            m_isOver = true;
        }
    }
    return all;
}

void TryMetrics::note(int file, const metricfiles::Note &note)
{
    m_book.addNote({file, std::string(note.code), note.offset, contract::masked(m_secrets, note.text)});
}

} // namespace trainyard::agent
