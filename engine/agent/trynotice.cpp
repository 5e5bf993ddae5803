// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/trynotice.h"

#include "engine/agent/filesharing.h"
#include "engine/agent/foldernames.h"
#include "engine/agent/pump.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/sha256.h"
#include "engine/contract/taskfolder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

namespace trainyard::agent
{
namespace
{

constexpr std::string_view lastLine = "end";
constexpr std::size_t keyDigits = 16;
constexpr std::size_t mostNotices = 1000; // with more of them, those of tries that ended long ago are removed
constexpr std::size_t mostRemoved = 16, mostLeftSought = 4; // at the beginning of each try, which adds one
constexpr std::int64_t sureMs = 60'000; // clocks of nodes differ less
constexpr std::int64_t leftMs = 86'400'000; // the notice of a running try without a change, before its folder is read

std::string onOneLine(std::string_view text)
{
    std::string line(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

bool takeNumber(std::string_view text, std::int64_t &number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

} // namespace

std::string TryNotice::format() const
{
    std::string text = "job " + onOneLine(job) + "\ndir " + onOneLine(dir) + "\nbegan " + std::to_string(began)
        + "\nended " + std::to_string(ended) + "\nfolder " + onOneLine(workFolder) + '\n';
    for (const std::string &file : files) {
        text += "file " + onOneLine(file) + '\n';
    }
    return text.append(lastLine) + '\n';
}

std::optional<TryNotice> TryNotice::parse(std::string_view text)
{
    TryNotice notice;
    for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
        const std::string_view line = text.substr(0, end);
        if (line == lastLine) {
            return notice.job.empty() || notice.dir.empty() ? std::nullopt : std::optional(std::move(notice));
        }
        const std::size_t blank = line.find(' ');
        const std::string_view word = line.substr(0, blank);
        const std::string_view value = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
        if (word == "job") {
            notice.job = value;
        } else if (word == "dir") {
            notice.dir = value;
        } else if (word == "folder") {
            notice.workFolder = value;
        } else if (word == "file") {
            notice.files.emplace(value);
        } else if ((word == "began" && !takeNumber(value, notice.began))
            || (word == "ended" && !takeNumber(value, notice.ended))) {
            return std::nullopt;
        }
    }
    return std::nullopt; // not whole
}

std::string NoticeName::text() const
{
    return key + '.' + std::to_string(changed) + '.' + std::to_string(began) + '.' + std::to_string(ended);
}

std::optional<NoticeName> NoticeName::parse(std::string_view text)
{
    NoticeName name;
    name.key = text.substr(0, text.find('.'));
    if (name.key.size() != keyDigits || name.key.size() == text.size()) {
        return std::nullopt;
    }
    text.remove_prefix(name.key.size() + 1);
    for (std::int64_t *number : {&name.changed, &name.began, &name.ended}) {
        const std::size_t end = text.find('.');
        const bool isLast = number == &name.ended;
        if ((end == std::string_view::npos) != isLast || !takeNumber(text.substr(0, end), *number)) {
            return std::nullopt;
        }
        text.remove_prefix(isLast ? text.size() : end + 1);
    }
    return name;
}

std::string noticeFolder(const std::string &folderOfJobs) { return folderOfJobs + "/.tries"; }

std::string noticeKey(const std::string &dir)
{
    contract::Sha256 sum;
    sum.add(dir);
    return sum.hex().substr(0, keyDigits);
}

NoticeWriter::NoticeWriter(const std::string &dir, const std::string &job, bool makesFolder)
    : m_job(job), m_jobs(folderOfJobs(dir, job)), m_makesFolder(makesFolder)
{
    if (!m_jobs.empty()) {
        m_below = dir.substr(m_jobs.size() + 1);
        m_folder = noticeFolder(m_jobs);
        m_key = noticeKey(m_below);
    }
}

bool NoticeWriter::hasFolder()
{
    return !m_folder.empty()
        && (m_makesFolder ? contract::makeFolders(m_folder) == 0 : contract::isRealFolderAt(m_folder));
}

void NoticeWriter::forEach(const std::function<void(NoticeName &&)> &take) const
{
    forEachName(m_folder, [&take](const std::string &name) {
        if (std::optional<NoticeName> parsed = NoticeName::parse(name)) {
            take(std::move(*parsed));
        }
    });
}

// Other tries are told here as well: notices that tell no running try anything are removed, a few at a time.
void NoticeWriter::findOwn(std::int64_t began)
{
    m_hasFound = true;
    std::map<std::string, NoticeName> newest; // by their keys
    forEach([&](NoticeName &&name) {
        if (name.key == m_key) {
            m_old.insert(name.text());
            m_changed = std::max(m_changed, name.changed);
            return;
        }
        NoticeName &known = newest[name.key];
        if (name.changed > known.changed) {
            std::swap(known, name);
        }
        if (!name.key.empty() && name.changed + sureMs < utcMs()) { // its writer was killed before it removed it
            ::unlink((m_folder + '/' + name.text()).c_str());
        }
    });
    std::int64_t firstRunning = std::min(began, utcMs());
    std::vector<NoticeName> over, running;
    for (const auto &[key, name] : newest) {
        (name.ended > 0 ? over : running).push_back(name);
        if (name.ended == 0) {
            firstRunning = std::min(firstRunning, name.began > 0 ? name.began : name.changed);
        }
    }
    const auto isEarlier = [](const NoticeName &one, const NoticeName &other) {
        return one.ended != other.ended ? one.ended < other.ended : one.changed < other.changed;
    };
    std::sort(over.begin(), over.end(), isEarlier);
    const std::size_t tooMany = newest.size() > mostNotices ? newest.size() - mostNotices : 0;
    for (std::size_t i = 0; i < over.size() && i < mostRemoved; ++i) {
        if (i < tooMany || over[i].ended + sureMs < firstRunning) {
            ::unlink((m_folder + '/' + over[i].text()).c_str());
        }
    }
    // One whose helper was killed with it tells no end.
    std::sort(running.begin(), running.end(), isEarlier);
    for (std::size_t i = 0; i < running.size() && i < mostLeftSought && running[i].changed + leftMs < utcMs(); ++i) {
        const std::string path = m_folder + '/' + running[i].text();
        const std::optional<std::string> text = contract::readWhole(path);
        const std::optional<TryNotice> notice = text ? TryNotice::parse(*text) : std::nullopt;
        const std::string dir = notice ? m_jobs + '/' + notice->dir : std::string();
        struct stat info = {};
        if (notice
            && ((::stat(dir.c_str(), &info) != 0 && errno == ENOENT) || contract::readExitRecord(dir)
                || (notice->began == 0 && !contract::readStartedRecord(dir)))) {
            ::unlink(path.c_str());
        }
    }
}

void NoticeWriter::tell(TryNotice notice)
{
    notice.job = m_job;
    notice.dir = m_below;
    if (m_told == notice || !hasFolder()) {
        return;
    }
    if (!m_hasFound) {
        findOwn(notice.ended > 0 ? notice.ended : notice.began);
    }
    write(notice);
}

void NoticeWriter::announce(const std::string &workFolder)
{
    if (hasFolder()) {
        TryNotice notice;
        notice.job = m_job;
        notice.dir = m_below;
        notice.workFolder = workFolder.empty() ? std::string() : contract::resolvedPath(workFolder);
        write(notice);
    }
}

// The new one is there before the old one goes: those who read see either, or both.
void NoticeWriter::write(const TryNotice &notice)
{
    const NoticeName name{m_key, std::max(m_changed + 1, utcMs()), notice.began, notice.ended};
    if (contract::writeAtomically(m_folder + '/' + name.text(), notice.format(), false) != 0) {
        return;
    }
    for (const std::string &old : m_old) {
        ::unlink((m_folder + '/' + old).c_str());
    }
    m_old = {name.text()};
    m_changed = name.changed;
    m_told = notice;
}

void NoticeWriter::withdraw()
{
    if (!m_folder.empty()) {
        forEach([this](NoticeName &&name) {
            if (name.key == m_key) {
                ::unlink((m_folder + '/' + name.text()).c_str());
            }
        });
    }
}

} // namespace trainyard::agent
