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

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace trainyard::agent
{
namespace
{

using metricfiles::Format;

constexpr std::int64_t youngMs = 30000; // of a task: its files are about to appear
constexpr std::int64_t findYoungMs = 1000, findEveryMs = 5000;
constexpr std::int64_t restPerFind = 100; // a hundredth of a processor
constexpr std::size_t readAtOnce = 1U << 20; // bytes of a file
constexpr std::size_t mostFiles = 1000; // each is held open
constexpr std::size_t mostFacts = 1000, mostLeftOut = 10000;
constexpr std::ptrdiff_t mostNotes = 50;
constexpr std::int64_t freshMs = 500; // longer than the agent keeps a new try to itself
constexpr std::int64_t shorterMs = 10000; // a program that rewrites a file is done by then, or has started over
constexpr std::int64_t goneMs = 5000; // a program that replaces its file has done so by then

struct FormatWord {
    Format format;
    std::string_view word;
};
constexpr std::array<FormatWord, 7> formatWords{{{Format::EventFile, "events"}, {Format::WandbFile, "wandb"},
    {Format::Table, "table"}, {Format::JsonLines, "jsonl"}, {Format::TrainerState, "trainer-state"},
    {Format::JsonResults, "results"}, {Format::MlflowMetric, "mlflow"}}};

std::string wordOf(Format format)
{
    for (const FormatWord &each : formatWords) {
        if (each.format == format) {
            return std::string(each.word);
        }
    }
    return {};
}

Format formatOf(std::string_view word)
{
    for (const FormatWord &each : formatWords) {
        if (each.word == word) {
            return each.format;
        }
    }
    return Format::None;
}

std::string folderOf(const std::string &path) { return path.substr(0, path.rfind('/')); }

// The name under which a process has it open.
std::string resolved(const std::string &path)
{
    char *real = ::realpath(path.c_str(), nullptr);
    std::string text = real ? real : path;
    std::free(real);
    return text;
}

bool isRemoved(const std::string &path)
{
    struct stat about = {};
    return ::stat(path.c_str(), &about) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

// When the last row of a file was written, as far as its clock is to be believed.
std::int64_t writtenUntil(const std::string &path, std::int64_t after, std::int64_t now)
{
    const auto [key, changed] = fileKeyOf(path);
    return key == FileKey() || changed < after || changed > now ? now : changed;
}

bool hasNoWildcards(const std::string &pattern) { return pattern.find_first_of("*?[") == std::string::npos; }

} // namespace

TryMetrics::TryMetrics(const std::string &dir) : m_dir(dir)
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
    m_work = resolved(m_work);
    m_folders.insert(m_work);
    if (const std::optional<contract::StartedRecord> started = contract::readStartedRecord(m_dir)) {
        m_keeper = static_cast<pid_t>(started->keeperPid);
        m_main = static_cast<pid_t>(started->process.pid);
        m_began = started->at;
    }
}

// What an earlier agent has written.
void TryMetrics::readBook()
{
    constexpr std::size_t longest = 64U << 20;
    const std::optional<std::string> text = contract::readWhole(m_dir + '/' + contract::file::metricBook, longest);
    if (!text) {
        return;
    }
    contract::MetricBook book = contract::MetricBook::parse(*text);
    m_isOver = book.isOver;
    m_notes = std::move(book.notes);
    m_facts = std::move(book.facts);
    m_others = std::move(book.others);
    for (const contract::MetricBook::File &file : book.files) {
        auto source = std::make_unique<Source>();
        source->number = static_cast<int>(m_sources.size());
        source->run = file.run;
        source->path = source->openAs = file.path;
        source->format = formatOf(file.format);
        source->isUnreadable = source->format == Format::None;
        source->isOfJob = file.isOfJob;
        source->wasOpen = true;
        source->isWritten = std::all_of(m_patterns.begin(), m_patterns.end(), hasNoWildcards); // else it is not known
        const std::string key = metricfiles::runOf(file.path, source->format);
        while (m_runs.size() <= static_cast<std::size_t>(file.run)) {
            m_runs.push_back(std::make_unique<Run>());
        }
        m_runs[static_cast<std::size_t>(file.run)]->key = key + ' ' + file.format;
        m_byPath[file.path] = source.get();
        m_sources.push_back(std::move(source));
    }
    for (const contract::MetricBook::Note &one : m_notes) {
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

// What the file gave is void when another job wrote it meanwhile: nothing tells whose values they are.
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
            noteLeftOut();
            say(contract::overLine()); // also of none: clients that show results wait for it
            if (m_writer) {
                series::dropRewritten(m_writer->path()); // a process that was stopped may have been done before that
            }
            m_isOver = true;
        }
    }
    return all;
}

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
        if (std::exchange(taken->second->isOfJob, false)) { // who has it open writes it
            say(contract::ownerLine(taken->second->number, false));
        }
    }
    for (const std::string &pattern : m_patterns) {
        for (const std::string &path : matchingFiles(pattern, m_work)) {
            const bool isMeant = hasNoWildcards(pattern);
            if (isMeant || !isNamedAfterOther(resolved(path))) {
                takeFile({resolved(path), path, Format::None}, isMeant);
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
            if (hasFile(file.path) || m_others.contains(file.path) || !isSettled(file.path)) {
                continue;
            }
            const Whose whose = judge(file.path);
            if (whose == Whose::Other && m_others.size() < mostFiles) {
                m_others.insert(file.path); // for good: the next agent does not know who was there
                say(contract::otherLine(file.path));
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
            firsts.erase(family); // it was told
        }
    }
    for (const metricfiles::RunFile &file : files) {
        if (m_families[familyOf(file.path)].size() > 1) {
            if (m_others.size() < mostFiles && m_others.insert(file.path).second) {
                say(contract::otherLine(file.path));
            }
            continue;
        }
        takeFile({file.path, file.path, file.format}, true, true);
    }
    for (const auto &first : firsts) {
        const bool isTold
            = std::any_of(m_notes.begin(), m_notes.end(), [&first](const contract::MetricBook::Note &one) {
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
            say(contract::fileLine({source->run, {}, file.path}));
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
    say(contract::fileLine({source->run, wordOf(source->format), file.path})
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
    const std::string key = run + ' ' + wordOf(format);
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        if (m_runs[i]->key == key) {
            return static_cast<int>(i);
        }
    }
    m_runs.push_back(std::make_unique<Run>());
    m_runs.back()->key = key;
    say(contract::runLine(below(run)));
    return static_cast<int>(m_runs.size()) - 1;
}

bool TryMetrics::open(Source &source)
{
    if (!source.reader) {
        metricfiles::Note problem;
        source.reader = metricfiles::FileReader::open(source.openAs, {source.format, true}, problem);
        if (source.reader) {
            noteBack(source);
        }
    }
    if (source.reader) {
        makeIntake(source);
    }
    return source.reader != nullptr;
}

void TryMetrics::makeIntake(Source &source)
{
    if (!source.intake) {
        source.intake = std::make_unique<MetricIntake>(
            m_writer, m_secrets, m_runs[static_cast<std::size_t>(source.run)]->series, source.run, source.stored);
    }
}

// A file that was only found in a folder of the try may be there by mistake, and whoever takes it away means that. One
// that a process had open is certainly its own, and so is what there is when the task has ended. Of the files of one
// run, such as checkpoints, old ones go all the time.
bool TryMetrics::isGone(Source &source) const
{
    const bool isAway = !m_hasEnded && !source.wasOpen && isRemoved(source.openAs)
        && std::none_of(m_sources.begin(), m_sources.end(), [&source](const std::unique_ptr<Source> &other) {
               return other.get() != &source && other->run == source.run && !isRemoved(other->openAs);
           });
    const std::int64_t now = utcMs();
    source.goneSince = !isAway ? 0 : source.goneSince == 0 ? now : source.goneSince;
    return isAway && now - source.goneSince >= goneMs;
}

// It is read again from its beginning when it is there again.
TryMetrics::Look TryMetrics::leaveGone(Source &source)
{
    source.reader.reset();
    makeIntake(source);
    if (source.intake->taken().count == 0) {
        return {};
    }
    source.intake->begin();
    store(source);
    note(source.number, {contract::goneFileNote, 0, {}});
    return {true, false};
}

void TryMetrics::noteBack(const Source &source)
{
    const std::size_t gone = std::erase_if(m_notes, [&source](const contract::MetricBook::Note &one) {
        return one.file == source.number && one.code == contract::goneFileNote;
    });
    if (gone > 0) {
        say(contract::backLine(source.number));
    }
}

// What is read now was written after this, in ms UTC. Of a file that an agent before this one has read, or whose birth
// is not known, nothing is known but that it is there.
std::int64_t TryMetrics::readUntil(const Source &source, std::int64_t now) const
{
    struct stat about = {};
    if (source.readUntil > 0) {
        return std::min(source.readUntil, now);
    }
    if (source.stored.count > 0 || m_began == 0 || ::stat(source.openAs.c_str(), &about) != 0) {
        return now;
    }
    const std::int64_t born = fileTimesOf(source.openAs, about).born;
    return born == 0 ? now : std::clamp(born, std::min(m_began, now), now);
}

TryMetrics::Look TryMetrics::read(Source &source)
{
    if (isGone(source)) {
        return leaveGone(source);
    }
    if (!open(source)) {
        return {}; // it is gone, or not to be reached from here; what it had is kept
    }
    MetricIntake &intake = *source.intake;
    const std::int64_t now = utcMs();
    if (m_hasEnded) {
        source.reader->setOver();
    }
    const metricfiles::Report report = source.reader->read(intake, readAtOnce);
    const bool isMore = report.state == metricfiles::State::More;
    const std::int64_t after = readUntil(source, now);
    source.readUntil = writtenUntil(source.openAs, after, now);
    if (isMore && report.size > 0) { // as far as it was read
        const double share = static_cast<double>(report.position) / static_cast<double>(report.size);
        source.readUntil = after + static_cast<std::int64_t>(static_cast<double>(source.readUntil - after) * share);
    }
    intake.write(after, source.readUntil);
    const bool isShorter = intake.state() == MetricIntake::State::Same && !isMore;
    source.shorterSince = !isShorter ? 0 : source.shorterSince == 0 ? now : source.shorterSince;
    if (intake.state() == MetricIntake::State::Different
        || (isShorter && report.size > 0 && (m_hasEnded || now - source.shorterSince >= shorterMs))) {
        intake.begin();
        source.shorterSince = 0;
        source.reader.reset();
        store(source);
        return {true, true};
    }
    for (const metricfiles::Note &one : report.notes) {
        // While a program writes, records are cut and files are rewritten.
        if (one.code != metricfiles::note::writtenAnew && (one.code != metricfiles::note::cut || m_hasEnded)) {
            note(source.number, one);
        }
    }
    m_unsaid += report.notesLeftOut;
    for (const auto &[name, value] : intake.takeFacts()) {
        std::string &known = m_facts[name];
        if (known != value && m_facts.size() <= mostFacts) {
            known = value;
            say(contract::factLine(name, value));
        }
    }
    const bool hasGrown = intake.takePoints() > 0;
    if (hasGrown) {
        store(source);
    }
    return {hasGrown, isMore};
}

// With the points in one piece, so that the next agent knows exactly which ones are there.
void TryMetrics::store(Source &source)
{
    const MetricIntake::Taken &taken = source.intake->taken();
    const auto put = [this](const std::string &name, std::uint64_t value) {
        series::Info info;
        info.name = name;
        info.axis = series::Axis::Time;
        info.stepBack = series::StepBack::Mixed;
        info.onlyLast = true;
        const std::int64_t now = utcMs();
        if (const std::optional<std::uint32_t> id = m_writer->define(info)) {
            m_writer->append(*id, {static_cast<double>(now), now, static_cast<double>(value)});
        }
    };
    put(contract::takenSeries(source.number), taken.count);
    put(contract::takenHashSeries(source.number), taken.hash);
    m_writer->flush();
}

void TryMetrics::note(int file, const metricfiles::Note &note)
{
    const contract::MetricBook::Note one{
        file, std::string(note.code), note.offset, contract::masked(m_secrets, note.text)};
    if (std::find(m_notes.begin(), m_notes.end(), one) != m_notes.end()) {
        return;
    }
    // By those about sharing, readers and the next agent know what counts for nobody; there is one for a file at most.
    const bool isKept = contract::isAboutSharing(one.code)
        || std::count_if(m_notes.begin(), m_notes.end(),
               [](const contract::MetricBook::Note &known) { return !contract::isAboutSharing(known.code); })
            < mostNotes;
    if (isKept) {
        m_notes.push_back(one);
        say(contract::noteLine(one));
    } else if (m_leftOut.size() < mostLeftOut) {
        m_leftOut.insert(std::hash<std::string>()(contract::noteLine(one)));
    }
}

// How many they are is known at the end.
void TryMetrics::noteLeftOut()
{
    const std::uint64_t count = m_unsaid + m_leftOut.size();
    if (count > 0) {
        say(contract::noteLine({-1, std::string(metricfiles::note::manyNotes), 0, std::to_string(count)}));
    }
}

void TryMetrics::say(const std::string &line)
{
    const std::string path = m_dir + '/' + contract::file::metricBook;
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
        contract::writeWhole(fd, line);
        ::close(fd);
    }
}

} // namespace trainyard::agent
