// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/gitfind.h"

#include "engine/agent/changedsince.h"
#include "engine/agent/foldernames.h"
#include "engine/agent/program.h"
#include "engine/agent/pump.h"
#include "engine/contract/codetree.h"
#include "engine/contract/taskfolder.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostUntracked = 200;
constexpr std::size_t longestStatus = 4 << 20;

struct Said {
    enum class End { Done, Failed, Cut, Slow } end = End::Failed;
    std::string text;
};

// Runs git and reads at most `most` bytes of what it prints.
Said runGit(const std::string &folder, const std::vector<std::string> &arguments, std::size_t most, std::int64_t until)
{
    std::vector<std::string> line{"git", "-C", folder, "--no-pager", "-c", "core.fsmonitor=false", "-c",
        "core.hooksPath=/dev/null", "-c", "protocol.allow=never", "-c", "core.quotePath=false", "-c",
        "submodule.recurse=false"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    Said said;
    const Program git = startProgram(line);
    if (git.pid < 0) {
        return said;
    }
    bool isOver = false, isCut = false;
    while (!isOver && !isCut) {
        const std::int64_t rest = until - monotonicMs();
        pollfd wait{git.out, POLLIN, 0};
        if (rest <= 0 || ::poll(&wait, 1, static_cast<int>(rest)) == 0) {
            break;
        }
        char buffer[65536];
        const ssize_t n = ::read(git.out, buffer, sizeof buffer);
        if (n > 0) {
            said.text.append(buffer, static_cast<std::size_t>(n));
            isCut = said.text.size() > most;
        } else {
            isOver = n == 0 || (errno != EAGAIN && errno != EINTR);
        }
    }
    ::close(git.out);
    if (!isOver) {
        ::kill(-git.pid, SIGKILL);
    }
    int status = 0;
    while (::waitpid(git.pid, &status, 0) < 0 && errno == EINTR) { }
    said.end = isCut                                    ? Said::End::Cut
        : !isOver                                       ? Said::End::Slow
        : WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Said::End::Done
                                                        : Said::End::Failed;
    if (isCut) {
        said.text.resize(most);
    }
    return said;
}

std::string_view behindFields(std::string_view line, int fields)
{
    for (; fields > 0; --fields) {
        line.remove_prefix(std::min(line.find(' '), line.size() - 1) + 1);
        if (line.empty()) {
            break;
        }
    }
    return line;
}

// Leaves out what was changed after the moment; whether anything was.
bool dropLater(std::vector<GitChange> &changes, const std::string &top, std::int64_t moment)
{
    return moment != noMoment && std::erase_if(changes, [&](const GitChange &change) {
        return isChangedSince(top + '/' + change.path, moment);
    }) > 0;
}

// The changes by their names, so that what changes meanwhile is not among them; nothing where there are too many.
std::optional<std::vector<std::string>> pathsOf(const std::vector<GitChange> &changes)
{
    constexpr std::size_t mostBytes = 64 << 10; // of arguments
    std::vector<std::string> paths;
    std::size_t bytes = 0;
    for (const GitChange &change : changes) {
        for (const std::string &path : {change.path, change.oldPath}) {
            if (!path.empty()) {
                paths.push_back(":(top,literal)" + path);
                bytes += paths.back().size();
            }
        }
    }
    return bytes <= mostBytes ? std::optional(std::move(paths)) : std::nullopt;
}

// The diff of the changes as they are at the end: without those that have changed again while git was reading.
Said diffOf(
    const std::string &top, std::vector<GitChange> &changes, bool &isLater, std::int64_t until, std::int64_t moment)
{
    constexpr int mostRounds = 3;
    for (int round = 0; round < mostRounds && !changes.empty(); ++round) {
        std::vector<std::string> arguments{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative",
            "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=dirty", "HEAD", "--"};
        const std::optional<std::vector<std::string>> paths = pathsOf(changes);
        if (paths) {
            arguments.insert(arguments.end(), paths->begin(), paths->end());
        } else if (isLater) {
            break;
        }
        Said diff = runGit(top, arguments, contract::greatestDiff, until);
        if ((diff.end != Said::End::Done && diff.end != Said::End::Cut) || !dropLater(changes, top, moment)) {
            return diff;
        }
        isLater = true;
    }
    return {Said::End::Done, {}};
}

} // namespace

const std::string &FoundAbove::of(const std::string &folder)
{
    const auto [known, isNew] = m_known.try_emplace(folder);
    if (isNew && !folder.empty()) {
        known->second = m_at(folder);
        if (known->second.empty()) {
            known->second = of(folderAbove(folder));
        }
    }
    return known->second;
}

std::string repositoryAt(const std::string &folder)
{
    struct stat info;
    return ::stat((folder + "/.git").c_str(), &info) == 0 ? folder : std::string();
}

std::string repositoryOf(std::string folder)
{
    while (!folder.empty() && repositoryAt(folder).empty()) {
        folder = folderAbove(folder);
    }
    return folder;
}

std::vector<GitChange> readGitStatus(std::string_view output, contract::GitRecord &record)
{
    constexpr std::string_view oid = "# branch.oid ", head = "# branch.head ";
    std::vector<GitChange> changes;
    bool isOldName = false; // the second text of a renamed file
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\0'), output.size());
        const std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        if (isOldName) {
            isOldName = false;
            changes.back().oldPath = line;
        } else if (line.starts_with(oid)) {
            record.commit = line.substr(oid.size()) == "(initial)" ? "" : line.substr(oid.size());
        } else if (line.starts_with(head)) {
            record.branch = line.substr(head.size()) == "(detached)" ? "" : line.substr(head.size());
        } else if (!line.empty() && (line[0] == '1' || line[0] == '2' || line[0] == 'u')) {
            record.dirty = true;
            isOldName = line[0] == '2';
            changes.push_back({std::string(behindFields(line, line[0] == '1' ? 8 : isOldName ? 9 : 10)), {}});
        }
    }
    return changes;
}

std::optional<contract::GitRecord> findGit(
    const std::string &folder, std::int64_t until, std::int64_t moment, std::vector<std::string> &gaps)
{
    using End = Said::End;
    if (repositoryOf(folder).empty()) {
        return std::nullopt;
    }
    const auto gap = [&gaps](End end, const char *slow) {
        if (end == End::Slow || end == End::Failed) {
            gaps.emplace_back(end == End::Slow ? slow : "git.failed");
        }
        return end == End::Slow || end == End::Failed;
    };
    Said top = runGit(folder, {"rev-parse", "--show-toplevel"}, longestStatus, until);
    if (gap(top.end, "git.slow")) {
        return std::nullopt;
    }
    contract::GitRecord record;
    while (!top.text.empty() && top.text.back() == '\n') {
        top.text.pop_back();
    }
    record.top = top.text;
    const Said status = runGit(record.top,
        {"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no", "--ignore-submodules=dirty"},
        longestStatus, until);
    if (gap(status.end, "git.slow")) {
        return record;
    }
    std::vector<GitChange> changes = readGitStatus(status.text, record);
    bool isLater = dropLater(changes, record.top, moment);
    if (!record.commit.empty()) {
        Said diff = diffOf(record.top, changes, isLater, until, moment);
        if (!gap(diff.end, "diff.slow")) {
            record.diffCut = diff.end == End::Cut;
            record.diff = std::move(diff.text);
        }
    }
    record.dirty = !changes.empty();
    // Last, because a folder full of data can take long.
    const Said others = runGit(record.top,
        {"ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory"}, longestStatus,
        until);
    if (!gap(others.end, "untracked.slow")) {
        for (std::string_view rest = others.text; !rest.empty();) {
            const std::size_t end = std::min(rest.find('\0'), rest.size());
            std::string name(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (moment != noMoment && isMadeSince(record.top + '/' + name, moment)) {
                isLater = true;
                continue;
            }
            if (record.untracked.size() < mostUntracked) {
                record.untracked.push_back(std::move(name));
            }
            ++record.untrackedCount;
        }
    }
    if (isLater) {
        gaps.emplace_back("git.later");
    }
    return record;
}

std::string originFileAt(const std::string &folder)
{
    struct stat info;
    std::string file = contract::codeOriginPath(folder);
    return ::lstat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) ? file : std::string();
}

std::optional<contract::GitRecord> readOrigin(const std::string &file, std::vector<std::string> &gaps)
{
    const std::optional<std::string> text = contract::readWhole(file, contract::greatestEnvironmentFile);
    std::optional<contract::EnvironmentRecord> record = text ? contract::parseEnvironment(*text) : std::nullopt;
    if (!record) {
        gaps.emplace_back("git.failed");
        return std::nullopt;
    }
    gaps.insert(gaps.end(), record->gaps.begin(), record->gaps.end());
    return std::move(record->git);
}

} // namespace trainyard::agent
