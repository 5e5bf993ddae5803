// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/environmentrecord.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace trainyard::contract
{
namespace
{

using nlohmann::json;

constexpr int environmentVersion = 1;

json textsJson(const std::vector<NamedText> &texts)
{
    json list = json::array();
    for (const NamedText &one : texts) {
        list.push_back(json::array({one.name, one.text}));
    }
    return list;
}

// Reads what is there and has the right kind; everything else keeps its default.
void readMember(const json &object, const char *key, std::string &text)
{
    const auto it = object.find(key);
    if (it != object.end() && it->is_string()) {
        text = it->get<std::string>();
    }
}

template <typename Number> void readMember(const json &object, const char *key, Number &number)
{
    const auto it = object.find(key);
    if (it == object.end()) {
        return;
    }
    if constexpr (std::is_same_v<Number, bool>) {
        number = it->is_boolean() && it->get<bool>();
    } else if (it->is_number_integer()) {
        number = it->get<Number>();
    }
}

void readMember(const json &object, const char *key, std::vector<std::string> &texts)
{
    const auto it = object.find(key);
    if (it == object.end() || !it->is_array()) {
        return;
    }
    for (const json &one : *it) {
        if (one.is_string()) {
            texts.push_back(one.get<std::string>());
        }
    }
}

void readMember(const json &object, const char *key, std::vector<NamedText> &texts)
{
    const auto it = object.find(key);
    if (it == object.end() || !it->is_array()) {
        return;
    }
    for (const json &one : *it) {
        if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_string()) {
            texts.push_back({one[0].get<std::string>(), one[1].get<std::string>()});
        }
    }
}

const json *objectOf(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_object() ? &*it : nullptr;
}

json hostJson(const HostRecord &host)
{
    return {{"name", host.name}, {"kernel", host.kernel}, {"os", host.os}, {"cpuModel", host.cpuModel},
        {"cpus", host.cpus}, {"memoryMiB", host.memoryMiB}, {"gpuDriver", host.gpuDriver}};
}

json gitJson(const GitRecord &git)
{
    return {{"top", git.top}, {"commit", git.commit}, {"branch", git.branch}, {"dirty", git.dirty}, {"diff", git.diff},
        {"diffCut", git.diffCut}, {"untracked", git.untracked}, {"untrackedCount", git.untrackedCount}};
}

json pythonJson(const PythonRecord &python)
{
    return {{"executable", python.executable}, {"resolved", python.resolved}, {"version", python.version},
        {"packages", textsJson(python.packages)}};
}

} // namespace

std::string environmentJson(const EnvironmentRecord &record)
{
    json object{{"version", environmentVersion}, {"at", record.at}, {"gpus", record.gpus},
        {"variables", textsJson(record.variables)}};
    if (!record.sameAs.empty()) {
        object["sameAs"] = record.sameAs;
    } else {
        object["host"] = hostJson(record.host);
        object["workFolder"] = record.workFolder;
        object["gaps"] = record.gaps;
        if (!record.runtime.empty()) {
            object["container"] = {{"runtime", record.runtime}, {"image", record.image}};
        }
        if (record.git) {
            object["git"] = gitJson(*record.git);
        }
        if (record.python) {
            object["python"] = pythonJson(*record.python);
        }
    }
    return object.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::optional<EnvironmentRecord> parseEnvironment(std::string_view text)
{
    const json object = json::parse(text, nullptr, false);
    int version = 0;
    if (!object.is_object()) {
        return std::nullopt;
    }
    readMember(object, "version", version);
    if (version != environmentVersion) {
        return std::nullopt;
    }
    EnvironmentRecord record;
    readMember(object, "at", record.at);
    readMember(object, "gpus", record.gpus);
    readMember(object, "variables", record.variables);
    readMember(object, "sameAs", record.sameAs);
    readMember(object, "workFolder", record.workFolder);
    readMember(object, "gaps", record.gaps);
    if (const json *host = objectOf(object, "host")) {
        readMember(*host, "name", record.host.name);
        readMember(*host, "kernel", record.host.kernel);
        readMember(*host, "os", record.host.os);
        readMember(*host, "cpuModel", record.host.cpuModel);
        readMember(*host, "cpus", record.host.cpus);
        readMember(*host, "memoryMiB", record.host.memoryMiB);
        readMember(*host, "gpuDriver", record.host.gpuDriver);
    }
    if (const json *container = objectOf(object, "container")) {
        readMember(*container, "runtime", record.runtime);
        readMember(*container, "image", record.image);
    }
    if (const json *git = objectOf(object, "git")) {
        GitRecord &into = record.git.emplace();
        readMember(*git, "top", into.top);
        readMember(*git, "commit", into.commit);
        readMember(*git, "branch", into.branch);
        readMember(*git, "dirty", into.dirty);
        readMember(*git, "diff", into.diff);
        readMember(*git, "diffCut", into.diffCut);
        readMember(*git, "untracked", into.untracked);
        readMember(*git, "untrackedCount", into.untrackedCount);
    }
    if (const json *python = objectOf(object, "python")) {
        PythonRecord &into = record.python.emplace();
        readMember(*python, "executable", into.executable);
        readMember(*python, "resolved", into.resolved);
        readMember(*python, "version", into.version);
        readMember(*python, "packages", into.packages);
    }
    return record;
}

EnvironmentRecord commonPart(const EnvironmentRecord &record)
{
    EnvironmentRecord common = record;
    common.at = 0;
    common.gpus.clear();
    common.variables.clear();
    return common;
}

EnvironmentRecord joined(EnvironmentRecord record, const EnvironmentRecord &other)
{
    if (!other.sameAs.empty()) {
        return record; // a record that names another one has nothing to give
    }
    EnvironmentRecord whole = commonPart(other);
    whole.at = record.at;
    whole.gpus = std::move(record.gpus);
    whole.variables = std::move(record.variables);
    return whole;
}

std::string folderOfSame(const std::string &folder, std::string_view sameAs)
{
    const std::size_t slash = sameAs.find('/');
    const bool isName = slash != std::string_view::npos && slash > 0 && slash + 1 < sameAs.size()
        && sameAs.find('/', slash + 1) == std::string_view::npos && sameAs.find('\0') == std::string_view::npos
        && sameAs[0] != '.' && sameAs[slash + 1] != '.';
    std::size_t end = folder.find_last_not_of('/');
    for (int level = 0; level < 2 && end != std::string::npos; ++level) {
        end = folder.find_last_of('/', end);
        end = end == std::string::npos || end == 0 ? std::string::npos : end - 1;
    }
    return isName && end != std::string::npos ? folder.substr(0, end + 1) + '/' + std::string(sameAs) : std::string();
}

} // namespace trainyard::contract
