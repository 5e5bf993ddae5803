// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filewriter.h"

#include "engine/agent/filestore.h"
#include "engine/agent/putpiece.h"
#include "engine/agent/removal.h"
#include "engine/agent/statefolder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

namespace trainyard::agent
{
namespace
{

// Many times what a client sends before it waits for answers.
constexpr std::size_t mostBytesWaiting = std::size_t(64) << 20;
constexpr std::size_t longestArgument = 4096; // of a failure

} // namespace

// Files that no client asks about are written even after the client has gone; the rest is of no use without it.
FileWriter::~FileWriter()
{
    for (auto &[place, line] : m_lines) {
        std::vector<SideProcesses::Step> marks;
        for (Waiting &each : line.waiting) {
            if (each.isMark) {
                marks.push_back(std::move(each.step));
            }
        }
        m_side.inOrder(std::move(marks), {});
    }
}

bool FileWriter::Line::hasWaitingMarks() const
{
    return std::any_of(waiting.begin(), waiting.end(), [](const Waiting &each) { return each.isMark; });
}

std::string FileWriter::placeOf(const std::string &folder) const
{
    const std::string &state = stateFolder(m_account);
    return folder.starts_with(state + '/') ? state : folder;
}

bool FileWriter::takesMore(std::size_t bytes) const { return m_bytes + bytes <= mostBytesWaiting; }

void FileWriter::put(std::int64_t id, contract::Put &&request, std::string &&bytes)
{
    const std::string path = request.path;
    const std::string part = path + ".part" + std::to_string(::getpid()); // other agents may do the same
    const bool isAnswered = request.last || request.isAnswered;
    const bool isRefused = !takesMore(bytes.size());
    if (isRefused) {
        bytes = {};
    }
    Waiting waiting{{id, isAnswered, {}}, bytes.size(), request.last && request.offset == 0 && !request.isAnswered};
    waiting.step.work = [request = std::move(request), bytes = std::move(bytes), part, isRefused, isAnswered,
                            own = m_own, state = stateFolder(m_account)]() -> std::optional<contract::Message> {
        int error = EAGAIN;
        if (isRefused) {
            ::unlink(part.c_str()); // so that what comes behind it makes no file
        } else {
            error = own.isAway(request.path) ? ENOENT : 0;
        }
        if (!isRefused && error == 0) {
            spreadJobs(state, request.path);
            error = putPiece(request, bytes, part);
        }
        if (error != 0) {
            return contract::Failure{"put.failed", request.path.substr(0, longestArgument), error};
        }
        return isAnswered ? std::optional<contract::Message>(contract::Done{}) : std::nullopt;
    };
    add(placeOf(path.substr(0, path.rfind('/'))), std::move(waiting));
}

void FileWriter::store(std::int64_t id, contract::StorePiece &&request)
{
    const std::string place = placeOf(request.dir);
    const bool isRefused = !takesMore(request.bytes.size());
    if (isRefused) {
        request.bytes = {};
    }
    Waiting waiting{{id, true, {}}, request.bytes.size(), request.step == "link"};
    waiting.step.work = [request = std::move(request), isRefused, own = m_own,
                            state = stateFolder(m_account)]() -> std::optional<contract::Message> {
        if (isRefused || own.isAway(request.dir)) {
            contract::Stored stored;
            stored.systemError = isRefused ? EAGAIN : ESTALE; // as of files that are read there
            return stored;
        }
        spreadJobs(state, request.dir);
        return storePiece(request);
    };
    add(place, std::move(waiting));
}

void FileWriter::remove(std::int64_t id, const contract::Remove &request)
{
    Waiting waiting{{id, true, {}}, 0, true};
    waiting.step.work
        = [dir = request.dir, root = stateFolder(m_account) + "/remote"]() -> std::optional<contract::Message> {
        if (const int error = removeFolder(dir, root); error != 0) {
            return contract::Failure{"remove.failed", dir.substr(0, longestArgument), error};
        }
        return contract::Done{};
    };
    add(placeOf(request.dir), std::move(waiting));
}

void FileWriter::add(const std::string &place, Waiting &&waiting)
{
    m_bytes += waiting.bytes;
    m_lines[place].waiting.push_back(std::move(waiting));
    goOn(place);
}

void FileWriter::goOn(const std::string &place)
{
    Line &line = m_lines[place];
    if (line.isBusy) {
        return;
    }
    line.isBusy = true;
    line.hasOpenMarks = line.hasWaitingMarks();
    std::size_t bytes = 0;
    std::vector<SideProcesses::Step> steps;
    for (Waiting &each : std::exchange(line.waiting, {})) {
        bytes += each.bytes;
        steps.push_back(std::move(each.step));
    }
    m_side.inOrder(std::move(steps), [this, place, bytes] { done(place, bytes); });
}

void FileWriter::done(const std::string &place, std::size_t bytes)
{
    m_bytes -= bytes;
    const auto found = m_lines.find(place);
    Line &line = found->second;
    line.isBusy = line.hasOpenMarks = false;
    std::vector<std::function<void()>> then;
    if (!line.hasWaitingMarks()) {
        then.swap(line.then);
    }
    if (line.waiting.empty()) {
        m_lines.erase(found);
    } else {
        goOn(place);
    }
    for (const std::function<void()> &each : then) {
        each();
    }
}

void FileWriter::whenWritten(const std::string &path, std::function<void()> then)
{
    const auto found = m_lines.find(placeOf(path));
    if (found == m_lines.end() || (!found->second.hasOpenMarks && !found->second.hasWaitingMarks())) {
        then();
    } else {
        found->second.then.push_back(std::move(then));
    }
}

} // namespace trainyard::agent
