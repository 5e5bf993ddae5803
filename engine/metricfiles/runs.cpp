// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/runs.h"

#include "engine/metricfiles/source.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace trainyard::metricfiles
{

namespace
{

struct FoundFile {
    std::string folder, name; // below the folder that is searched; "" is that one
    Format format = Format::None;
    std::int64_t changed = 0;
};

bool isDatabaseName(const std::string &name) { return name == "mlflow.db" || name == "mlruns.db"; }

bool isBelowTrackio(const std::string &path)
{
    const std::string folder = path.substr(0, path.rfind('/'));
    return folder.ends_with("/trackio");
}

class FolderWalk
{
public:
    FolderWalk(const std::string &root, const WalkLimits &limits) : m_root(root), m_limits(limits) { }

    void walk()
    {
        // The folder itself may be a link: its user has named it.
        const int descriptor = ::open(m_root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor < 0) {
            m_notes.push_back({note::folderUnreadable, 0, std::strerror(errno)});
            return;
        }
        enter(descriptor, {}, 0);
        if (m_entries > m_limits.entries) {
            m_notes.push_back({note::manyEntries, 0, std::to_string(m_limits.entries)});
        }
        if (m_deep > 0) {
            m_notes.push_back({note::deepFolders, 0, std::to_string(m_deep)});
        }
        if (m_links > 0) {
            m_notes.push_back({note::linksLeftOut, 0, std::to_string(m_links)});
        }
    }
    std::vector<FoundFile> files;
    std::vector<std::string> databases;
    const std::vector<Note> &notes() const { return m_notes; }
    std::string pathOf(const FoundFile &file) const
    {
        return m_root + (m_root.ends_with('/') ? "" : "/") + file.folder + (file.folder.empty() ? "" : "/") + file.name;
    }

private:
    // Takes the descriptor over.
    void enter(int descriptor, const std::string &folder, int level)
    {
        DIR *stream = ::fdopendir(descriptor);
        if (!stream) {
            ::close(descriptor);
            return;
        }
        std::vector<std::string> folders;
        while (m_entries <= m_limits.entries) {
            const dirent *entry = ::readdir(stream);
            if (!entry) {
                break;
            }
            const std::string name = entry->d_name;
            if (name == "." || name == "..") {
                continue;
            }
            ++m_entries;
            struct stat about = {};
            if (m_entries > m_limits.entries || ::fstatat(descriptor, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) {
                continue;
            }
            if (S_ISDIR(about.st_mode)) {
                if (m_limits.entersHidden || !name.starts_with('.') || name == ".wandb") {
                    folders.push_back(name);
                }
            } else if (S_ISLNK(about.st_mode)) {
                ++m_links;
            } else if (S_ISREG(about.st_mode) && latestChange(about) >= m_limits.changedSince) {
                take({folder, name, Format::None, std::int64_t(about.st_mtim.tv_sec)});
            } else if (!S_ISREG(about.st_mode) && recognizeFound(name, {}) != Format::None && m_notes.size() < 10) {
                m_notes.push_back({note::folderOdd, 0, folder.empty() ? name : folder + '/' + name});
            }
        }
        std::sort(folders.begin(), folders.end());
        for (const std::string &name : folders) {
            if (level >= m_limits.levels) {
                ++m_deep;
                continue;
            }
            const int inside
                = ::openat(descriptor, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
            if (inside >= 0) {
                enter(inside, folder.empty() ? name : folder + '/' + name, level + 1);
            } else if (errno == EACCES && m_notes.size() < 10) {
                m_notes.push_back({note::folderUnreadable, 0, folder + '/' + name + ": " + std::strerror(EACCES)});
            }
        }
        ::closedir(stream);
    }

    void take(FoundFile file)
    {
        const std::string path = pathOf(file);
        if (isDatabaseName(file.name) || (file.name.ends_with(".db") && isBelowTrackio(path))) {
            databases.push_back(path);
            return;
        }
        if (!canBeMetrics(path)) {
            return;
        }
        file.format = recognizeFound(path, {});
        if (file.format == Format::None) {
            Note problem;
            std::optional<Source> source = Source::open(path, false, problem);
            if (!source) {
                return;
            }
            file.format = recognizeFound(path, source->view(0, recognizedHead));
        }
        if (file.format != Format::None) {
            files.push_back(std::move(file));
        }
    }

    std::string m_root;
    WalkLimits m_limits;
    std::size_t m_entries = 0, m_deep = 0, m_links = 0;
    std::vector<Note> m_notes;
};

std::string parentOf(const std::string &path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

// The number behind "checkpoint-"; nothing for other folders.
std::optional<long long> checkpointOf(const std::string &folder)
{
    constexpr std::string_view prefix = "checkpoint-";
    std::string_view base = folder;
    if (const std::size_t slash = base.rfind('/'); slash != std::string_view::npos) {
        base.remove_prefix(slash + 1);
    }
    if (!base.starts_with(prefix)) {
        return {};
    }
    base.remove_prefix(prefix.size());
    long long number = 0;
    const auto [end, error] = std::from_chars(base.data(), base.data() + base.size(), number);
    return error == std::errc() && end == base.data() + base.size() ? std::optional(number) : std::nullopt;
}

// The folder of the run that a file belongs to.
std::string runFolderOf(const FoundFile &file)
{
    if (file.format == Format::TrainerState && checkpointOf(file.folder)) {
        return parentOf(file.folder);
    }
    if (file.format == Format::MlflowMetric) {
        const std::size_t metrics = ('/' + file.folder + '/').rfind("/metrics/");
        return metrics == std::string::npos || metrics == 0 ? std::string() : file.folder.substr(0, metrics - 1);
    }
    return file.folder;
}

// Each checkpoint has the whole history up to it: the newest one says all.
void keepNewestState(std::vector<const FoundFile *> &files)
{
    const auto newest = std::max_element(files.begin(), files.end(), [](const FoundFile *a, const FoundFile *b) {
        return std::pair(a->changed, checkpointOf(a->folder).value_or(-1))
            < std::pair(b->changed, checkpointOf(b->folder).value_or(-1));
    });
    files = {*newest};
}

} // namespace

std::int64_t latestChange(const struct stat &about)
{
    constexpr std::int64_t second = 1000, nanoseconds = 1000000;
    const std::int64_t part = about.st_mtim.tv_nsec == 0 ? second - 1 : about.st_mtim.tv_nsec / nanoseconds;
    return std::int64_t(about.st_mtim.tv_sec) * second + part;
}

std::string runOf(const std::string &path, Format format)
{
    const std::size_t slash = path.rfind('/');
    const FoundFile file{parentOf(path), slash == std::string::npos ? path : path.substr(slash + 1), format};
    const std::string folder = runFolderOf(file);
    switch (format) {
    case Format::EventFile:
    case Format::WandbFile:
    case Format::MlflowMetric:
        return folder;
    case Format::TrainerState:
        return folder + '/' + file.name;
    case Format::None:
    case Format::Table:
    case Format::JsonLines:
    case Format::SacredMetrics:
    case Format::JsonResults:
        break;
    }
    return path;
}

FoundRuns findRuns(const std::string &folder, const WalkLimits &limits)
{
    FolderWalk walk(folder, limits);
    walk.walk();
    std::map<std::pair<std::string, Format>, std::vector<const FoundFile *>> groups;
    for (const FoundFile &file : walk.files) {
        groups[{runFolderOf(file), file.format}].push_back(&file);
    }
    std::map<std::string, int> groupsOf;
    for (const auto &group : groups) {
        ++groupsOf[group.first.first];
    }
    FoundRuns found;
    found.notes = walk.notes();
    found.databases = walk.databases;
    std::sort(found.databases.begin(), found.databases.end());
    for (auto &[key, files] : groups) {
        std::sort(files.begin(), files.end(), [](const FoundFile *a, const FoundFile *b) {
            return std::tie(a->folder, a->name) < std::tie(b->folder, b->name);
        });
        if (key.second == Format::TrainerState) {
            keepNewestState(files);
        }
        // A folder with event files and a table has the same values twice, as a rule; they must not be mixed.
        if (key.second == Format::JsonResults && groupsOf[key.first] > 1) {
            continue; // the curves beside it end with these values
        }
        const bool isOfFolder
            = key.second == Format::EventFile || key.second == Format::WandbFile || key.second == Format::MlflowMetric;
        const std::string above = key.first.empty() ? "" : key.first + '/';
        if (isOfFolder || (files.size() == 1 && groupsOf[key.first] == 1)) {
            FoundRun run{key.first.empty() ? "." : key.first, {}};
            for (const FoundFile *file : files) {
                run.files.push_back({walk.pathOf(*file), file->format});
            }
            found.runs.push_back(std::move(run));
            continue;
        }
        for (const FoundFile *file : files) {
            found.runs.push_back({above + file->name, {{walk.pathOf(*file), file->format}}});
        }
    }
    std::stable_sort(
        found.runs.begin(), found.runs.end(), [](const FoundRun &a, const FoundRun &b) { return a.name < b.name; });
    return found;
}

} // namespace trainyard::metricfiles
