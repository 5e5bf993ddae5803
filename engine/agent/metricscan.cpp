// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/metricscan.h"

#include "engine/contract/pathkinds.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostDescriptors = 20000; // of all processes, in one look
constexpr std::size_t mostMatched = 20000; // entries that one pattern looks at
constexpr int anyFolders = 5; // that "**" stands for

std::string linkText(const std::string &path)
{
    std::array<char, PATH_MAX> text;
    const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
    return size > 0 && static_cast<std::size_t>(size) < text.size()
        ? std::string(text.data(), static_cast<std::size_t>(size))
        : std::string();
}

// Data sets are open as well, to be read.
bool isOpenToWrite(const std::string &process, const std::string &descriptor)
{
    const std::string text = contract::readWhole(process + "/fdinfo/" + descriptor).value_or("");
    constexpr std::string_view key = "flags:";
    const std::size_t at = text.find(key);
    constexpr int octal = 8;
    return at != std::string::npos
        && (std::strtoul(text.c_str() + at + key.size(), nullptr, octal) & O_ACCMODE) != O_RDONLY;
}

bool isSameFile(const std::string &path, const struct stat &wanted)
{
    struct stat about = {};
    return ::stat(path.c_str(), &about) == 0 && about.st_dev == wanted.st_dev && about.st_ino == wanted.st_ino;
}

void lookAtDescriptor(const std::string &process, const std::string &descriptor, std::vector<MetricCandidate> &found)
{
    const std::string link = process + "/fd/" + descriptor;
    const std::string path = linkText(link);
    if (path.empty() || path.front() != '/' || path.ends_with(" (deleted)") || !metricfiles::canBeMetrics(path)) {
        return;
    }
    const bool isKnown
        = std::any_of(found.begin(), found.end(), [&path](const MetricCandidate &each) { return each.path == path; });
    struct stat about = {};
    if (isKnown || !isOpenToWrite(process, descriptor) || ::stat(link.c_str(), &about) != 0
        || !S_ISREG(about.st_mode)) {
        return;
    }
    const metricfiles::Format format = metricfiles::recognizeFound(path, {});
    for (const std::string &place : {path, process + "/root" + path}) {
        if (isSameFile(place, about)) {
            found.push_back({path, place, format, true});
            return;
        }
    }
    found.push_back({path, link, format, true}); // of a file system that only the task sees
}

// Calls take(name) for each entry of a folder; false when that says so, or there is no such folder.
template <typename Take> void forEachEntry(const std::string &folder, Take take)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *stream = descriptor >= 0 ? ::fdopendir(descriptor) : nullptr;
    if (!stream) {
        if (descriptor >= 0) {
            ::close(descriptor);
        }
        return;
    }
    while (const dirent *entry = ::readdir(stream)) {
        const std::string name = entry->d_name;
        if (name != "." && name != ".." && !take(name)) {
            break;
        }
    }
    ::closedir(stream);
}

class Matching
{
public:
    std::vector<std::string> found;

    void match(const std::string &folder, const std::vector<std::string> &parts, std::size_t part, int deeper)
    {
        if (part == parts.size()) {
            return;
        }
        const std::string &pattern = parts[part];
        const bool isLast = part + 1 == parts.size();
        if (pattern == "**") {
            match(folder, parts, part + 1, deeper);
            if (deeper == 0) {
                return;
            }
        }
        if (!hasWildcards(pattern)) {
            take(folder + '/' + pattern, parts, part, isLast, deeper);
            return;
        }
        std::vector<std::string> names;
        forEachEntry(folder, [&](const std::string &name) {
            if (::fnmatch(pattern == "**" ? "*" : pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) {
                names.push_back(name);
            }
            return ++m_entries < mostMatched;
        });
        std::sort(names.begin(), names.end());
        for (const std::string &name : names) {
            if (pattern == "**") {
                const std::string below = folder + '/' + name;
                if (contract::isRealFolderAt(below)) {
                    match(below, parts, part, deeper - 1);
                }
            } else {
                take(folder + '/' + name, parts, part, isLast, deeper);
            }
        }
    }

private:
    void take(const std::string &path, const std::vector<std::string> &parts, std::size_t part, bool isLast, int deeper)
    {
        struct stat about = {};
        if (!isLast) {
            match(path, parts, part + 1, deeper);
        } else if (::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode)
            && std::find(found.begin(), found.end(), path) == found.end()) {
            found.push_back(path);
        }
    }

    std::size_t m_entries = 0;
};

} // namespace

std::vector<MetricCandidate> openMetricFiles(const std::vector<pid_t> &processes)
{
    std::vector<MetricCandidate> found;
    std::size_t descriptors = 0;
    for (const pid_t pid : processes) {
        const std::string process = "/proc/" + std::to_string(pid);
        forEachEntry(process + "/fd", [&](const std::string &descriptor) {
            lookAtDescriptor(process, descriptor, found);
            return ++descriptors < mostDescriptors;
        });
    }
    return found;
}

std::vector<std::string> workFoldersOf(const std::vector<pid_t> &processes)
{
    const char *home = std::getenv("HOME");
    const std::set<std::string> shared{"/", "/tmp", "/var/tmp", "/dev/shm", home ? home : "/"};
    std::set<std::string> folders;
    for (const pid_t pid : processes) {
        const std::string process = "/proc/" + std::to_string(pid);
        const std::string folder = linkText(process + "/cwd");
        struct stat about = {};
        // Files in another folder of a container are found among those that it has open.
        if (!folder.empty() && folder.front() == '/' && !shared.contains(folder)
            && ::stat((process + "/cwd").c_str(), &about) == 0 && isSameFile(folder, about)) {
            folders.insert(folder);
        }
    }
    return {folders.begin(), folders.end()};
}

std::vector<std::string> matchingFiles(const std::string &pattern, const std::string &folder)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= pattern.size();) {
        const std::size_t end = std::min(pattern.find('/', at), pattern.size());
        if (end > at && pattern.substr(at, end - at) != ".") {
            parts.push_back(pattern.substr(at, end - at));
        }
        at = end + 1;
    }
    Matching matching;
    matching.match(pattern.starts_with('/') ? std::string() : folder, parts, 0, anyFolders);
    return matching.found;
}

bool hasWildcards(const std::string &pattern) { return pattern.find_first_of("*?[") != std::string::npos; }

bool isBelow(const std::string &path, const std::string &folder)
{
    return path == folder || path.starts_with(folder.ends_with('/') ? folder : folder + '/');
}

std::size_t deepestAbove(const std::string &path, const std::set<std::string> &folders)
{
    std::size_t length = 0;
    for (const std::string &folder : folders) {
        length = isBelow(path, folder) ? std::max(length, folder.size()) : length;
    }
    return length;
}

} // namespace trainyard::agent
