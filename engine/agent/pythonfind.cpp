// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/pythonfind.h"

#include "engine/agent/pump.h"
#include "engine/agent/smalltext.h"
#include "engine/agent/taskvariables.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostEntries = 20000; // of one folder
constexpr std::size_t mostPackages = 5000;

bool isScript(const std::string &path)
{
    char head[2] = {};
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool is = fd >= 0 && ::read(fd, head, 2) == 2 && head[0] == '#' && head[1] == '!';
    if (fd >= 0) {
        ::close(fd);
    }
    return is;
}

std::string folderOrRootAbove(const std::string &path)
{
    return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
}
std::string nameOfPath(const std::string &path) { return path.substr(path.rfind('/') + 1); }

// "3.11" of "python3.11"; empty when it has none.
std::string minorOf(const std::string &name)
{
    constexpr std::string_view begin = "python";
    if (!name.starts_with(begin)) {
        return {};
    }
    std::size_t end = begin.size();
    while (end < name.size() && (std::isdigit(static_cast<unsigned char>(name[end])) || name[end] == '.')) {
        ++end;
    }
    const std::string version = name.substr(begin.size(), end - begin.size());
    return version.find('.') == std::string::npos || version.ends_with('.') ? std::string() : version;
}

std::string configValue(const std::string &text, std::string_view key)
{
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, end - at);
        const std::size_t equals = line.find('=');
        std::string_view name = line.substr(0, equals);
        while (!name.empty() && name.back() == ' ') {
            name.remove_suffix(1);
        }
        if (equals != std::string_view::npos && name == key) {
            std::string_view value = line.substr(equals + 1);
            while (!value.empty() && (value.front() == ' ' || value.front() == '"')) {
                value.remove_prefix(1);
            }
            while (!value.empty() && (value.back() == ' ' || value.back() == '\r' || value.back() == '"')) {
                value.remove_suffix(1);
            }
            return std::string(value);
        }
        at = end + 1;
    }
    return {};
}

// "3.11.5" of "3.11.5.final.0".
std::string threeParts(const std::string &version)
{
    std::size_t end = 0;
    for (int dots = 0; end < version.size(); ++end) {
        const char c = version[end];
        dots += c == '.' ? 1 : 0;
        if (dots == 3 || (c != '.' && !std::isdigit(static_cast<unsigned char>(c)))) {
            break;
        }
    }
    return version.substr(0, end);
}

// Calls `use` with the names in a folder until it returns false.
template <typename Use> void eachEntry(const std::string &folder, Use use)
{
    DIR *dir = ::opendir(folder.c_str());
    if (!dir) {
        return;
    }
    std::size_t count = 0;
    while (const dirent *entry = ::readdir(dir)) {
        if (++count > mostEntries || !use(std::string_view(entry->d_name))) {
            break;
        }
    }
    ::closedir(dir);
}

// conda-meta/python-3.11.5-h955ad1f_0.json
std::string condaVersion(const std::string &prefix)
{
    std::string version;
    eachEntry(prefix + "/conda-meta", [&version](std::string_view name) {
        constexpr std::string_view begin = "python-";
        if (name.starts_with(begin) && name.size() > begin.size()
            && std::isdigit(static_cast<unsigned char>(name[begin.size()])) && name.ends_with(".json")) {
            version = threeParts(std::string(name.substr(begin.size())));
        }
        return version.empty();
    });
    return version;
}

// "3.11" of <prefix>/lib/python3.11, the newest one.
std::string minorBelow(const std::string &prefix)
{
    std::string minor;
    int newest = -1;
    eachEntry(prefix + "/lib", [&](std::string_view name) {
        const std::string found = minorOf(std::string(name));
        const std::size_t dot = found.find('.');
        const int number = dot == std::string::npos || found[0] != '3' ? -1 : std::atoi(found.c_str() + dot + 1);
        if (number > newest) {
            newest = number;
            minor = found;
        }
        return true;
    });
    return minor;
}

class PackageFolders
{
public:
    PackageFolders(std::int64_t until, std::vector<std::string> &gaps) : m_until(until), m_gaps(gaps) { }

    // A package that an earlier folder has is hidden by that one.
    void add(const std::string &folder)
    {
        if (m_isSlow) {
            return;
        }
        std::size_t seen = 0;
        eachEntry(folder, [&](std::string_view name) {
            constexpr std::size_t lookEvery = 64;
            if (++seen % lookEvery == 0 && monotonicMs() > m_until) {
                m_isSlow = true;
            }
            std::optional<contract::NamedText> package = packageOf(name);
            if (package && m_packages.size() < mostPackages) {
                m_packages.emplace(std::move(package->name), std::move(package->text));
            }
            return !m_isSlow;
        });
        if (m_isSlow || monotonicMs() > m_until) {
            m_isSlow = true;
            m_gaps.emplace_back("python.slow");
        }
    }

    std::vector<contract::NamedText> take()
    {
        std::vector<contract::NamedText> list;
        for (auto &[name, version] : m_packages) {
            list.push_back({name, std::move(version)});
        }
        return list;
    }

private:
    std::int64_t m_until;
    std::vector<std::string> &m_gaps;
    std::map<std::string, std::string> m_packages;
    bool m_isSlow = false;
};

void addPrefix(PackageFolders &folders, const std::string &prefix, const std::string &minor)
{
    const std::string library = "/lib/python" + minor;
    if (prefix == "/usr") { // as Debian has it
        folders.add("/usr/local" + library + "/dist-packages");
        folders.add("/usr/lib/python3/dist-packages");
    }
    folders.add(prefix + library + "/site-packages");
    if (contract::resolvedPath(prefix + "/lib64") != contract::resolvedPath(prefix + "/lib")) {
        folders.add(prefix + "/lib64/python" + minor + "/site-packages");
    }
}

} // namespace

std::optional<contract::NamedText> packageOf(std::string_view entry)
{
    const bool isEgg = entry.ends_with(".egg-info");
    if (!isEgg && !entry.ends_with(".dist-info")) {
        return std::nullopt;
    }
    entry.remove_suffix(std::string_view(".dist-info").size() - (isEgg ? 1 : 0));
    if (const std::size_t python = isEgg ? entry.rfind("-py") : std::string_view::npos;
        python != std::string_view::npos && python > 0) {
        entry = entry.substr(0, python);
    }
    const std::size_t dash = entry.rfind('-');
    const std::string_view name = entry.substr(0, dash);
    const std::string_view version = dash == std::string_view::npos ? std::string_view() : entry.substr(dash + 1);
    // pip renames what it is about to remove to "~umpy-1.26.4.dist-info".
    if (name.empty() || name[0] == '~' || name[0] == '.') {
        return std::nullopt;
    }
    return contract::NamedText{std::string(name), std::string(version)};
}

std::optional<contract::PythonRecord> findPython(
    const std::vector<std::string> &environment, std::int64_t until, std::vector<std::string> &gaps)
{
    contract::PythonRecord record;
    const std::vector<std::string> path = absolutePartsOf(valueOf(environment, "PATH"));
    for (const char *name : {"/python", "/python3"}) {
        for (const std::string &folder : path) {
            if (record.executable.empty() && contract::isProgramAt(folder + name)) {
                record.executable = folder + name;
            }
        }
    }
    if (record.executable.empty()) {
        return std::nullopt;
    }
    record.resolved = contract::resolvedPath(record.executable);
    if (isScript(record.resolved)) {
        gaps.emplace_back("python.wrapper");
        return record;
    }
    const std::string basePrefix = folderOrRootAbove(folderOrRootAbove(record.resolved));
    const std::string nearPrefix = folderOrRootAbove(folderOrRootAbove(record.executable));
    const std::string config = smallText(nearPrefix + "/pyvenv.cfg");
    const bool isVenv = !config.empty();
    const std::string &prefix = isVenv ? nearPrefix : basePrefix;
    std::string version = configValue(config, "version");
    version = version.empty() ? threeParts(configValue(config, "version_info")) : version;
    std::string minor = minorOf(nameOfPath(record.resolved));
    if (minor.empty()) {
        minor = minorBelow(prefix);
    }
    if (version.empty()) {
        version = condaVersion(basePrefix);
    }
    if (version.empty()) { // with the headers there is a file that says it
        const std::string text = smallText(basePrefix + "/include/python" + minor + "/patchlevel.h");
        constexpr std::string_view sign = "#define PY_VERSION";
        for (std::size_t at = text.find(sign); at != std::string::npos && version.empty();
             at = text.find(sign, at + sign.size())) {
            const std::size_t quote = text.find('"', at);
            const bool isIt = text[at + sign.size()] != '_' && quote < text.find('\n', at);
            version = isIt ? text.substr(quote + 1, text.find('"', quote + 1) - quote - 1) : std::string();
        }
    }
    record.version = version.empty() ? minor : version;

    PackageFolders folders(until, gaps);
    for (const std::string &folder : absolutePartsOf(valueOf(environment, "PYTHONPATH"))) {
        folders.add(folder);
    }
    const bool seesSystem = !isVenv || configValue(config, "include-system-site-packages") == "true";
    const std::string home = valueOf(environment, "HOME");
    if (seesSystem && !isVenv && !home.empty() && valueOf(environment, "PYTHONNOUSERSITE").empty()) {
        folders.add(home + "/.local/lib/python" + minor + "/site-packages");
    }
    addPrefix(folders, prefix, minor);
    if (isVenv && seesSystem) {
        const std::string base = configValue(config, "home"); // the folder of its program
        const std::string system = base.empty() ? basePrefix : folderOrRootAbove(base);
        addPrefix(folders, contract::isFolderAt(system) ? system : basePrefix, minor);
    }
    record.packages = folders.take();
    return record;
}

} // namespace trainyard::agent
