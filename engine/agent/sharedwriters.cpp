// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/sharedwriters.h"

#include "engine/agent/filestamps.h"
#include "engine/agent/pump.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::string_view runsPart = "/runs", notesPart = "/metric-writers";
constexpr std::int64_t touchEveryMs = 60'000;
// Without a sign of life for as long, a try has ended without a word of it, such as with its node.
constexpr std::int64_t doubtedMs = 3 * touchEveryMs, deadMs = 10 * touchEveryMs;
constexpr std::size_t nameLength = 16, mostNotes = 10'000, mostFilesInNote = 1000;

// The same for the same folder on each computer.
std::string noteNameOf(const std::string &dir)
{
    std::uint64_t hash = 14695981039346656037U; // FNV-1a
    for (const char byte : dir) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
    std::string name;
    constexpr const char *digits = "0123456789abcdef";
    for (std::size_t i = 0; i < nameLength; ++i, hash >>= 4) {
        name += digits[hash & 15];
    }
    return name;
}

bool isNoteName(std::string_view name)
{
    return name.size() == nameLength && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool fitsIntoLine(const std::string &text) { return text.find('\n') == std::string::npos; }

} // namespace

std::string WriterNote::toText() const
{
    std::string text = "job " + job + "\ndir " + dir + "\nbegan " + std::to_string(began) + "\nended "
        + std::to_string(ended) + '\n';
    for (const std::string &folder : folders) {
        text += fitsIntoLine(folder) ? "folder " + folder + '\n' : std::string();
    }
    std::size_t count = 0;
    for (const auto &[path, wasOpen] : files) {
        if (fitsIntoLine(path) && ++count <= mostFilesInNote) {
            text += (wasOpen ? "open " : "found ") + path + '\n';
        }
    }
    return text + "end\n";
}

std::optional<WriterNote> WriterNote::parse(std::string_view text)
{
    WriterNote note;
    bool isWhole = false;
    while (!text.empty() && !isWhole) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string_view key = line.substr(0, blank);
        const std::string value(line.substr(std::min(blank + 1, line.size())));
        isWhole = key == "end";
        if (key == "job") {
            note.job = value;
        } else if (key == "dir") {
            note.dir = value;
        } else if (key == "began") {
            note.began = std::strtoll(value.c_str(), nullptr, 10);
        } else if (key == "ended") {
            note.ended = std::strtoll(value.c_str(), nullptr, 10);
        } else if (key == "folder") {
            note.folders.insert(value);
        } else if (key == "open" || key == "found") {
            note.files[value] = key == "open";
        }
    }
    return isWhole && !note.dir.empty() ? std::optional(note) : std::nullopt;
}

TryMetrics::Whose claimOfNote(const WriterNote &other, const std::string &path, const Claimant &own, std::size_t ownTie,
    const FileTimes &times, bool isNamed)
{
    using Whose = TryMetrics::Whose;
    const Claimant who{other.job, other.dir, {other.began, other.ended}};
    const bool isBefore = other.ended > 0 && other.ended <= own.life.began;
    const bool isAfter = times.changedUntil > 0 && other.began > times.changedUntil + times.slack;
    const bool isOver = other.ended > 0 && times.changedFrom > other.ended + times.slack; // it changed afterwards
    const bool isStranger = isNamed && other.job != own.job;
    if (other.dir == own.dir || isBefore || isAfter || isOver || isStranger) {
        return Whose::Own;
    }
    if (other.files.contains(path)) {
        return Whose::Other;
    }
    const Whose claim = fileClaimOf(who, deepestAbove(path, other.folders), own, ownTie, times);
    return claim == Whose::Unclear ? Whose::Undecidable : claim;
}

void addUses(std::vector<FileUse> &uses, const std::map<std::string, WriterNote> &others, const std::string &job,
    const std::map<std::string, TryMetrics::Present> &mine)
{
    for (const auto &[name, other] : others) {
        FileUse use{other.job, other.began, other.ended};
        for (const auto &[openAs, file] : mine) {
            const auto theirs = other.files.find(file.path);
            if (theirs != other.files.end() && (theirs->second || !file.wasOpen)) {
                use.files.emplace(file.key, file.changed);
            }
        }
        if (other.job != job && !use.files.empty()) {
            uses.push_back(std::move(use));
        }
    }
}

bool SharedWriters::useFolder(const WriterNote &note)
{
    std::string jobs = folderOfJobs(note.dir, note.job);
    if (!jobs.ends_with(runsPart)) {
        return false;
    }
    jobs.resize(jobs.size() - runsPart.size());
    const std::string folder = jobs.append(notesPart);
    if (m_folder.empty()
        && (contract::isRealFolderAt(folder) || (m_makesFolder && contract::makeFolders(folder) == 0))) {
        m_folder = folder;
    }
    return m_folder == folder;
}

void SharedWriters::tell(const WriterNote &note)
{
    if (!useFolder(note)) {
        return;
    }
    const std::string name = noteNameOf(note.dir), file = m_folder + '/' + name;
    Own &own = m_own[name];
    const std::int64_t now = utcMs();
    const bool isSame = own.written > 0 && own.note == note;
    if (isSame && now >= own.written && now - own.written < touchEveryMs) {
        return;
    }
    // Another helper may have removed it, if this one was suspended for long.
    if ((isSame && ::utimensat(AT_FDCWD, file.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) == 0)
        || contract::writeAtomically(file, note.toText(), false) == 0) {
        own = {note, now};
    }
}

void SharedWriters::finish(std::int64_t earliest)
{
    if (m_folder.empty()) {
        return;
    }
    beginLook();
    for (const auto &[name, other] : others()) {
        earliest = other.ended == 0 ? std::min(earliest, other.began) : earliest;
    }
    const auto remove = [this, earliest](const std::string &name, std::int64_t ended) {
        const bool isUseless = ended > 0 && ended <= earliest;
        return isUseless && ::unlink((m_folder + '/' + name).c_str()) == 0;
    };
    std::erase_if(m_others, [&](const auto &each) { return remove(each.first, each.second.ended); });
    std::erase_if(m_own, [&](const auto &each) { return remove(each.first, each.second.note.ended); });
}

const std::map<std::string, WriterNote> &SharedWriters::others()
{
    if (m_isRead || m_folder.empty()) {
        return m_others;
    }
    m_isRead = true;
    for (auto &[name, one] : m_read) {
        one.isSeen = false;
    }
    // The opening of the folder is what makes this computer look at what others have put there.
    DIR *stream = ::opendir(m_folder.c_str());
    if (!stream) {
        return m_others;
    }
    std::vector<std::string> names;
    while (const dirent *entry = ::readdir(stream)) {
        if (isNoteName(entry->d_name) && names.size() < mostNotes) {
            names.emplace_back(entry->d_name);
        }
    }
    ::closedir(stream);
    for (const std::string &name : names) {
        if (!m_own.contains(name)) {
            read(name);
        }
    }
    std::erase_if(m_read, [this](const auto &each) {
        if (!each.second.isSeen) {
            m_others.erase(each.first);
        }
        return !each.second.isSeen;
    });
    return m_others;
}

void SharedWriters::read(const std::string &name)
{
    const std::string file = m_folder + '/' + name;
    struct stat about = {};
    if (::lstat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) {
        return;
    }
    Read &known = m_read[name];
    known.isSeen = true;
    const std::int64_t changed = contract::changedNsOf(about);
    if (known.inode != about.st_ino || known.changed != changed) {
        std::optional<WriterNote> note;
        if (const std::optional<std::string> text = contract::readWhole(file)) {
            note = WriterNote::parse(*text);
        }
        if (!note) {
            return; // again in the next look
        }
        known.inode = about.st_ino;
        known.changed = changed;
        m_others[name] = std::move(*note);
    }
    judgeLife(name, contract::changedMsOf(about));
}

// A helper that was killed has left its note as it was.
void SharedWriters::judgeLife(const std::string &name, std::int64_t changedMs)
{
    WriterNote &note = m_others[name];
    const std::int64_t silent = utcMs() - changedMs;
    if (note.ended != 0 || silent < doubtedMs) {
        return;
    }
    const std::optional<contract::ExitRecord> exit = contract::readExitRecord(note.dir);
    note.ended = exit && exit->ended > 0 ? exit->ended : silent >= deadMs ? changedMs : 0;
}

} // namespace trainyard::agent
