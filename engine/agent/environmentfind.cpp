// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/environmentfind.h"

#include "engine/agent/foldernames.h"
#include "engine/agent/pump.h"
#include "engine/agent/smalltext.h"
#include "engine/contract/pathkinds.h"

#include <limits.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string_view>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostFound = 200, mostModules = 500; // which fit into a message

std::string lastPart(const std::string &path) { return path.substr(path.rfind('/') + 1); }

// "3.11.4" of "version = 3.11.4" or "version_info = 3.11.4.final.0".
std::string versionOfVenv(const std::string &folder)
{
    std::istringstream lines(smallText(folder + "/pyvenv.cfg"));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find('=');
        const std::string_view key = agent::trimmed(std::string_view(line).substr(0, std::min(equals, line.size())));
        if (equals != std::string::npos && (key == "version" || key == "version_info")) {
            const std::string_view value = agent::trimmed(std::string_view(line).substr(equals + 1));
            const std::size_t end = value.find_first_not_of("0123456789.");
            std::string version(value.substr(0, end));
            while (!version.empty() && version.back() == '.') {
                version.pop_back();
            }
            return version;
        }
    }
    return {};
}

// "3.11.4" of "python-3.11.4-h955ad1f_0.json".
std::string versionOfConda(const std::string &folder)
{
    std::string version;
    forEachName(folder + "/conda-meta", [&](const std::string &name) {
        constexpr std::string_view python = "python-";
        if (name.starts_with(python) && name.size() > python.size() && name[python.size()] >= '0'
            && name[python.size()] <= '9') {
            version = name.substr(python.size(), name.find('-', python.size()) - python.size());
        }
    });
    return version;
}

class Finder
{
public:
    Finder(const EnvironmentPlaces &places, std::int64_t until) : m_places(places), m_until(until) { }

    contract::EnvironmentsFound find()
    {
        conda();
        venvs();
        pyenv();
        modules();
        return std::move(m_found);
    }

private:
    std::string variable(std::string_view name) const
    {
        for (const std::string &text : m_places.variables) {
            if (text.size() > name.size() && text[name.size()] == '=' && text.starts_with(name)) {
                return text.substr(name.size() + 1);
            }
        }
        return {};
    }

    bool isOver()
    {
        if (monotonicMs() > m_until || m_found.environments.size() >= mostFound) {
            m_found.isWhole = false;
            return true;
        }
        return false;
    }

    void add(const char *kind, const std::string &name, const std::string &path, const std::string &base,
        const std::string &version)
    {
        if (!isOver() && m_seen.insert(contract::resolvedPath(path)).second) {
            m_found.environments.push_back({kind, name, path, base, version});
        }
    }

    void addConda(const std::string &path, const std::string &base)
    {
        if (!isOver() && contract::isFolderAt(path + "/conda-meta")) {
            add("conda", path == base ? "base" : lastPart(path), path,
                contract::isFileAt(base + "/bin/activate") ? base : "", versionOfConda(path));
        }
    }

    void conda()
    {
        std::vector<std::string> bases;
        if (const std::string program = variable("CONDA_EXE"); !program.empty()) {
            bases.push_back(folderAbove(folderAbove(program)));
        }
        if (const std::string root = variable("MAMBA_ROOT_PREFIX"); !root.empty()) {
            bases.push_back(root);
        }
        for (const char *name : {"miniconda3", "miniforge3", "mambaforge", "anaconda3", "micromamba"}) {
            bases.push_back(m_places.home + '/' + name);
        }
        for (const char *path : {"/opt/conda", "/opt/miniconda3", "/opt/miniforge3", "/opt/anaconda3",
                 "/usr/local/miniconda3", "/usr/local/anaconda3"}) {
            bases.push_back(m_places.root + path);
        }
        std::string firstBase;
        for (const std::string &base : bases) {
            if (firstBase.empty() && contract::isFileAt(base + "/bin/activate")
                && contract::isFolderAt(base + "/conda-meta")) {
                firstBase = base;
            }
            addConda(base, base);
            forEachName(base + "/envs", [&](const std::string &name) { addConda(base + "/envs/" + name, base); });
        }
        const std::string own = m_places.home + "/.conda";
        forEachName(own + "/envs", [&](const std::string &name) { addConda(own + "/envs/" + name, firstBase); });
        std::istringstream known(smallText(own + "/environments.txt"));
        for (std::string line; std::getline(known, line);) {
            if (const std::string path(trimmed(line)); path.starts_with('/')) {
                addConda(path, firstBase);
            }
        }
    }

    void addVenv(const std::string &path)
    {
        if (isOver() || !contract::isFileAt(path + "/pyvenv.cfg") || !contract::isFileAt(path + "/bin/activate")) {
            return;
        }
        // "venv" says nothing: it is known by the project that it stands in.
        std::string name = lastPart(path);
        if (name == "venv" || name == ".venv" || name == "env") {
            const std::string parent = folderAbove(path);
            name = parent == m_places.home ? name : lastPart(parent) + '/' + name;
        }
        add("venv", name, path, {}, versionOfVenv(path));
    }

    void venvs()
    {
        const std::string &home = m_places.home;
        if (const std::string folder = variable("WORKON_HOME"); folder.starts_with('/')) {
            forEachName(folder, [&](const std::string &name) { addVenv(folder + '/' + name); });
        }
        for (const char *below : {"/.virtualenvs", "/.local/share/virtualenvs", "/.venvs", "/venvs", "/envs"}) {
            const std::string folder = home + below;
            forEachName(folder, [&](const std::string &name) { addVenv(folder + '/' + name); });
        }
        addVenv(home + "/.venv");
        forEachName(home, [&](const std::string &name) {
            const std::string folder = home + '/' + name;
            addVenv(folder);
            addVenv(folder + "/.venv");
            addVenv(folder + "/venv");
            addVenv(folder + "/env");
        });
    }

    void pyenv()
    {
        std::string root = variable("PYENV_ROOT");
        root = root.starts_with('/') ? root : m_places.home + "/.pyenv";
        forEachName(root + "/versions", [&](const std::string &name) {
            const std::string path = root + "/versions/" + name;
            if (contract::isFileAt(path + "/pyvenv.cfg")) {
                addVenv(path);
            } else if (contract::isFileAt(path + "/bin/python")) {
                add("pyenv", name, path, {}, name);
            }
        });
    }

    // Environment Modules and Lmod: a file for each version in the folder of its name.
    void modules()
    {
        std::set<std::string> names;
        for (const std::string &folder : absolutePartsOf(variable("MODULEPATH"))) {
            forEachName(folder, [&](const std::string &name) { addModule(names, folder, name, 1); });
        }
        for (const std::string &name : names) {
            if (m_found.modules.size() >= mostModules) {
                m_found.isWhole = false;
                return;
            }
            m_found.modules.push_back(name);
        }
    }

    void addModule(std::set<std::string> &names, const std::string &folder, const std::string &name, int depth)
    {
        constexpr int deepest = 3;
        if (isOver()) {
            return;
        }
        const std::string path = folder + '/' + name;
        if (contract::isFolderAt(path)) {
            if (depth < deepest) {
                forEachName(
                    path, [&](const std::string &below) { addModule(names, folder, name + '/' + below, depth + 1); });
            }
        } else if (const std::string text = name; text.ends_with(".lua")) {
            names.insert(text.substr(0, text.size() - 4));
        } else if (smallText(path).starts_with("#%Module")) {
            names.insert(text);
        }
    }

    const EnvironmentPlaces &m_places;
    std::int64_t m_until;
    std::set<std::string> m_seen; // whole paths
    contract::EnvironmentsFound m_found;
};

} // namespace

contract::EnvironmentsFound findEnvironments(const EnvironmentPlaces &places, std::int64_t until)
{
    return Finder(places, until).find();
}

} // namespace trainyard::agent
