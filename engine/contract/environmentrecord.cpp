// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/environmentrecord.h"

#include "engine/contract/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace trainyard::contract
{
namespace
{

using Json = nlohmann::json;

constexpr int environmentVersion = 1;

Json textsJson(const std::vector<NamedText> &texts)
{
    Json list = Json::array();
    for (const NamedText &one : texts) {
        list.push_back(Json::array({one.name, one.text}));
    }
    return list;
}

// Reads what is there and has the right kind; everything else keeps its default.
void takeMember(const Json &object, const char *key, std::string &text)
{
    const auto it = object.find(key);
    if (it != object.end() && it->is_string()) {
        text = it->get<std::string>();
    }
}

template <typename Number> void takeMember(const Json &object, const char *key, Number &number)
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

void takeMember(const Json &object, const char *key, std::vector<std::string> &texts)
{
    const auto it = object.find(key);
    if (it == object.end() || !it->is_array()) {
        return;
    }
    for (const Json &one : *it) {
        if (one.is_string()) {
            texts.push_back(one.get<std::string>());
        }
    }
}

void takeMember(const Json &object, const char *key, std::vector<NamedText> &texts)
{
    const auto it = object.find(key);
    if (it == object.end() || !it->is_array()) {
        return;
    }
    for (const Json &one : *it) {
        if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_string()) {
            texts.push_back({one[0].get<std::string>(), one[1].get<std::string>()});
        }
    }
}

const Json *objectOf(const Json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_object() ? &*it : nullptr;
}

Json hostJson(const HostRecord &host)
{
    return {{"name", host.name}, {"kernel", host.kernel}, {"os", host.os}, {"cpuModel", host.cpuModel},
        {"cpus", host.cpus}, {"memoryMiB", host.memoryMiB}, {"gpuDriver", host.gpuDriver}};
}

Json gitJson(const GitRecord &git)
{
    return {{"top", git.top}, {"commit", git.commit}, {"branch", git.branch}, {"dirty", git.dirty}, {"diff", git.diff},
        {"diffCut", git.diffCut}, {"untracked", git.untracked}, {"untrackedCount", git.untrackedCount}};
}

Json pythonJson(const PythonRecord &python)
{
    return {{"executable", python.executable}, {"resolved", python.resolved}, {"version", python.version},
        {"packages", textsJson(python.packages)}};
}

template <typename List, typename Add> void addList(std::string &out, const List &list, const Add &add)
{
    out += '[';
    for (const auto &one : list) {
        out += &one == &list.front() ? "" : ",";
        add(one);
    }
    out += ']';
}

// For a try whose other members are those of another one: every start of a task writes this.
std::string shortJson(const EnvironmentRecord &record)
{
    std::string out = "{\"at\":" + std::to_string(record.at) + ",\"gpus\":";
    addList(out, record.gpus, [&out](const std::string &gpu) { addJsonText(out, gpu); });
    out += ",\"sameAs\":";
    addJsonText(out, record.sameAs);
    out += ",\"variables\":";
    addList(out, record.variables, [&out](const NamedText &variable) {
        out += '[';
        addJsonText(out, variable.name);
        out += ',';
        addJsonText(out, variable.text);
        out += ']';
    });
    out += ",\"version\":" + std::to_string(environmentVersion) + ",\"workFolder\":";
    addJsonText(out, record.workFolder);
    return out + "}\n";
}

} // namespace

std::string environmentJson(const EnvironmentRecord &record)
{
    if (!record.sameAs.empty()) {
        return shortJson(record);
    }
    Json object{{"version", environmentVersion}, {"at", record.at}, {"gpus", record.gpus},
        {"variables", textsJson(record.variables)}, {"workFolder", record.workFolder}};
    object["host"] = hostJson(record.host);
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
    return jsonText(object) + '\n';
}

std::optional<EnvironmentRecord> parseEnvironment(std::string_view text)
{
    const Json object = Json::parse(text, nullptr, false);
    int version = 0;
    if (!object.is_object()) {
        return std::nullopt;
    }
    takeMember(object, "version", version);
    if (version != environmentVersion) {
        return std::nullopt;
    }
    EnvironmentRecord record;
    takeMember(object, "at", record.at);
    takeMember(object, "gpus", record.gpus);
    takeMember(object, "variables", record.variables);
    takeMember(object, "sameAs", record.sameAs);
    takeMember(object, "workFolder", record.workFolder);
    takeMember(object, "gaps", record.gaps);
    if (const Json *host = objectOf(object, "host")) {
        takeMember(*host, "name", record.host.name);
        takeMember(*host, "kernel", record.host.kernel);
        takeMember(*host, "os", record.host.os);
        takeMember(*host, "cpuModel", record.host.cpuModel);
        takeMember(*host, "cpus", record.host.cpus);
        takeMember(*host, "memoryMiB", record.host.memoryMiB);
        takeMember(*host, "gpuDriver", record.host.gpuDriver);
    }
    if (const Json *container = objectOf(object, "container")) {
        takeMember(*container, "runtime", record.runtime);
        takeMember(*container, "image", record.image);
    }
    if (const Json *git = objectOf(object, "git")) {
        GitRecord &into = record.git.emplace();
        takeMember(*git, "top", into.top);
        takeMember(*git, "commit", into.commit);
        takeMember(*git, "branch", into.branch);
        takeMember(*git, "dirty", into.dirty);
        takeMember(*git, "diff", into.diff);
        takeMember(*git, "diffCut", into.diffCut);
        takeMember(*git, "untracked", into.untracked);
        takeMember(*git, "untrackedCount", into.untrackedCount);
    }
    if (const Json *python = objectOf(object, "python")) {
        PythonRecord &into = record.python.emplace();
        takeMember(*python, "executable", into.executable);
        takeMember(*python, "resolved", into.resolved);
        takeMember(*python, "version", into.version);
        takeMember(*python, "packages", into.packages);
    }
    return record;
}

EnvironmentRecord commonPart(const EnvironmentRecord &record)
{
    EnvironmentRecord common = record;
    common.at = 0;
    common.gpus.clear();
    common.variables.clear();
    common.workFolder.clear();
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
    // Records of earlier versions leave it out when it is the other one's.
    whole.workFolder = std::move(record.workFolder);
    if (whole.workFolder.empty()) {
        whole.workFolder = other.workFolder;
    }
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
