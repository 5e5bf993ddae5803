// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/capturework.h"

#include "engine/agent/detach.h"
#include "engine/agent/environment.h"
#include "engine/agent/gitfind.h"
#include "engine/agent/hardware.h"
#include "engine/agent/pump.h"
#include "engine/agent/pythonfind.h"
#include "engine/agent/taskvariables.h"
#include "engine/contract/environmentrecord.h"
#include "engine/contract/mask.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t gitMs = 2000, pythonMs = 1000; // for one folder, for one Python
constexpr std::int64_t allMs = 8000; // for all tries together; then only what costs nothing is recorded

// Out of the way of tasks: they come first where processors or disks are scarce.
void stepBack()
{
    constexpr int niceness = 15, idleClass = 3 << 13, ofProcess = 1;
    ::setsid();
    ::setpriority(PRIO_PROCESS, 0, niceness);
    ::syscall(SYS_ioprio_set, ofProcess, 0, idleClass);
    keepOnly(-1);
}

// The variables that git gets: those of the task that say where it is and what its user has set.
void setGitVariables(const std::vector<std::string> &environment)
{
    ::clearenv();
    for (const char *name : {"PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LD_LIBRARY_PATH"}) {
        if (const std::string value = valueOf(environment, name); !value.empty()) {
            ::setenv(name, value.c_str(), 1);
        }
    }
    ::setenv("LC_ALL", "C", 1);
    ::setenv("GIT_OPTIONAL_LOCKS", "0", 1);
    ::setenv("GIT_TERMINAL_PROMPT", "0", 1);
    ::setenv("GIT_NO_LAZY_FETCH", "1", 1);
    ::setenv("GIT_ALLOW_PROTOCOL", "none", 1); // which the repository's own configuration cannot change
}

std::string driverVersion()
{
    std::string text = contract::readWhole("/sys/module/nvidia/version", 4096).value_or("");
    if (text.empty()) {
        text = contract::readWhole("/sys/module/amdgpu/version", 4096).value_or("");
    }
    text.resize(std::min(text.find('\n'), text.size()));
    return text;
}

contract::HostRecord hostRecord()
{
    contract::Inventory inventory;
    fillHost(inventory);
    contract::HostRecord host;
    host.name = hostName();
    host.kernel = inventory.kernel;
    host.os = inventory.os;
    host.cpuModel = inventory.cpuModel;
    host.cpus = inventory.cpus;
    host.memoryMiB = inventory.memoryMiB;
    host.gpuDriver = driverVersion();
    return host;
}

class Mask
{
public:
    explicit Mask(const std::vector<std::string> &values) : m_secrets(values) { }
    void hide(std::string &text) const { text = contract::masked(m_secrets, text); }
    void hideOwn(contract::EnvironmentRecord &record) const
    {
        hide(record.workFolder);
        for (contract::NamedText &variable : record.variables) {
            hide(variable.text);
        }
    }
    void hideCommon(contract::EnvironmentRecord &record) const
    {
        hide(record.image);
        if (record.git) {
            hide(record.git->top);
            hide(record.git->branch);
            hide(record.git->diff);
            for (std::string &name : record.git->untracked) {
                hide(name);
            }
        }
        if (record.python) {
            hide(record.python->executable);
            hide(record.python->resolved);
        }
    }

private:
    contract::Secrets m_secrets;
};

using ShownVariables = std::map<std::string, std::string>; // the last value of a name counts

// `areOwn`: Trainyard sets them, so none of them needs to be known to matter.
void addVariables(ShownVariables &shown, const std::vector<std::string> &environment, bool areOwn)
{
    for (const std::string &entry : environment) {
        const std::size_t equals = entry.find('=');
        const std::string name = entry.substr(0, equals);
        if (equals != std::string::npos && (areOwn || isShownVariable(name))) {
            shown[name] = shownValue(name, std::string_view(entry).substr(equals + 1));
        }
    }
}

std::vector<contract::NamedText> withOwn(const ShownVariables &shown, const std::vector<contract::Variable> &own)
{
    ShownVariables all = shown;
    for (const contract::Variable &variable : own) {
        all[variable.name] = shownValue(variable.name, variable.value);
    }
    std::vector<contract::NamedText> list;
    for (auto &[name, value] : all) {
        list.push_back({name, std::move(value)});
    }
    return list;
}

class Work
{
public:
    void capture(const CaptureRequest &request)
    {
        const std::string path = request.dir + '/' + contract::file::environment;
        if (::access(path.c_str(), F_OK) == 0) {
            return;
        }
        const Inherited &inherited = inheritedOf(request);
        const Mask mask(request.secrets);
        contract::EnvironmentRecord record;
        record.at = utcMs();
        record.gpus = request.gpus;
        record.workFolder = request.workFolder;
        record.variables = withOwn(inherited.shown, request.own);
        std::vector<std::string> environment = inherited.environment;
        for (const contract::Variable &variable : request.own) {
            environment.push_back(variable.name + '=' + variable.value);
        }
        mask.hideOwn(record);
        const Common &common = commonOf(request, environment, mask);
        if (!request.sameAs.empty() && textOfFirst(request.sameAs) == common.text) {
            const std::size_t task = request.sameAs.rfind('/', request.sameAs.rfind('/') - 1);
            record.sameAs = request.sameAs.substr(task + 1);
        } else {
            record = contract::joined(std::move(record), common.record);
        }
        contract::writeAtomically(path, environmentJson(record), false);
    }

private:
    // The variables of a try in addition to its own: the same for most tries that start together.
    struct Inherited {
        const std::vector<std::string> *base = nullptr;
        const SharedText *shared = nullptr;
        std::vector<std::string> environment;
        ShownVariables shown;
    };
    // The common part of tries that start together, masked, and its serialized form.
    struct Common {
        contract::EnvironmentRecord record;
        std::string text;
    };
    struct Found {
        std::optional<contract::PythonRecord> python;
        std::vector<std::string> gaps;
    };

    std::int64_t m_until = monotonicMs() + allMs;
    contract::HostRecord m_host = hostRecord();
    Inherited m_inherited; // of the last request
    std::map<std::string, Found> m_pythons;
    FoundAbove m_origins{originFileAt}, m_repositories{repositoryAt};
    std::map<std::string, Common> m_common;
    std::vector<const std::vector<std::string> *> m_secrets; // lists of requests that differ
    std::map<std::string, std::string> m_firsts; // the common parts of the tries that others name

    const Inherited &inheritedOf(const CaptureRequest &request)
    {
        if (m_inherited.base && *m_inherited.base == request.base && m_inherited.shared == request.shared.get()) {
            return m_inherited;
        }
        m_inherited = {&request.base, request.shared.get(), request.base, {}};
        addVariables(m_inherited.shown, request.base, false);
        if (request.shared && request.shared->environment.size() <= contract::mostSharedVariables) {
            m_inherited.environment.insert(
                m_inherited.environment.end(), request.shared->environment.begin(), request.shared->environment.end());
            addVariables(m_inherited.shown, request.shared->environment, true);
        }
        return m_inherited;
    }

    const Common &commonOf(const CaptureRequest &request, const std::vector<std::string> &environment, const Mask &mask)
    {
        std::string pythonKey;
        for (const char *name : {"PATH", "HOME", "PYTHONPATH", "PYTHONNOUSERSITE"}) {
            pythonKey += valueOf(environment, name) + '\n';
        }
        const std::string &origin = m_origins.of(request.workFolder);
        std::string key = pythonKey + (origin.empty() ? m_repositories.of(request.workFolder) : origin) + '\n'
            + request.runtime + '\n' + request.image;
        for (const char *name : {"XDG_CONFIG_HOME", "USER", "LD_LIBRARY_PATH"}) {
            key += '\n' + valueOf(environment, name);
        }
        key += '\n' + std::to_string(numberOf(request.secrets));
        const auto [it, isNew] = m_common.try_emplace(key);
        if (!isNew) {
            return it->second;
        }
        contract::EnvironmentRecord &record = it->second.record;
        record.host = m_host;
        record.runtime = request.runtime;
        record.image = request.image;
        setGitVariables(environment);
        record.git = origin.empty()
            ? findGit(request.workFolder, std::min(m_until, monotonicMs() + gitMs), request.moment, record.gaps)
            : readOrigin(origin, record.gaps);
        if (request.runtime.empty()) {
            const auto [python, isNewPython] = m_pythons.try_emplace(pythonKey);
            if (isNewPython) {
                python->second.python
                    = findPython(environment, std::min(m_until, monotonicMs() + pythonMs), python->second.gaps);
            }
            record.python = python->second.python;
            record.gaps.insert(record.gaps.end(), python->second.gaps.begin(), python->second.gaps.end());
        } else {
            record.gaps.emplace_back("python.container");
        }
        mask.hideCommon(record);
        it->second.text = environmentJson(record);
        return it->second;
    }

    std::size_t numberOf(const std::vector<std::string> &secrets)
    {
        const auto it
            = std::find_if(m_secrets.begin(), m_secrets.end(), [&](const auto *other) { return *other == secrets; });
        const auto number = static_cast<std::size_t>(it - m_secrets.begin());
        if (it == m_secrets.end()) {
            m_secrets.push_back(&secrets);
        }
        return number;
    }

    const std::string &textOfFirst(const std::string &dir)
    {
        const auto [it, isNew] = m_firsts.try_emplace(dir);
        if (isNew) {
            const std::optional<std::string> text
                = contract::readWhole(dir + '/' + contract::file::environment, contract::greatestEnvironmentFile);
            const auto record = text ? contract::parseEnvironment(*text) : std::nullopt;
            it->second = record ? environmentJson(commonPart(*record)) : std::string();
        }
        return it->second;
    }
};

} // namespace

void writeCaptures(const std::vector<CaptureRequest> &requests)
{
    stepBack();
    Work work;
    for (const CaptureRequest &request : requests) {
        work.capture(request);
    }
}

} // namespace trainyard::agent
