// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/leadplan.h"

#include <nlohmann/json.hpp>

namespace trainyard::contract
{
namespace
{

using Json = nlohmann::json;

constexpr std::string_view addressHead = "@trainyard-address-of:";

// The text may contain any bytes; invalid UTF-8 does not throw.
std::string dumped(const Json &json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n'; }

Json objectIn(std::string_view text)
{
    Json json = Json::parse(text, nullptr, false);
    return json.is_object() ? json : Json();
}

std::string textOf(const Json &json, const char *key)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::int64_t numberOf(const Json &json, const char *key, std::int64_t otherwise = 0)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_number_integer() ? it->get<std::int64_t>() : otherwise;
}

bool flagOf(const Json &json, const char *key)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_boolean() && it->get<bool>();
}

const Json &listOf(const Json &json, const char *key)
{
    static const Json none = Json::array();
    const auto it = json.find(key);
    return it != json.end() && it->is_array() ? *it : none;
}

constexpr const char *classWords[] = {"transient", "permanent", "unknown"};

std::string wordOf(LeadExitClass exitClass) { return classWords[int(exitClass)]; }

LeadExitClass classOf(const std::string &word)
{
    return word == classWords[0] ? LeadExitClass::Transient
        : word == classWords[1]  ? LeadExitClass::Permanent
                                 : LeadExitClass::Unknown;
}

Json retriesJson(const LeadRetries &retries)
{
    Json json{{"budget", retries.budget}, {"freeCap", retries.freeCap}, {"steadyMs", retries.steadyMs},
        {"minPauseMs", retries.minPauseMs}, {"maxPauseMs", retries.maxPauseMs},
        {"otherwise", wordOf(retries.otherwise)}, {"rules", Json::array()}};
    for (const LeadExitRule &rule : retries.rules) {
        json["rules"].push_back(
            {{"exits", rule.exits}, {"hint", rule.hint}, {"sure", rule.isSure}, {"class", wordOf(rule.exitClass)}});
    }
    return json;
}

LeadRetries retriesIn(const Json &json)
{
    LeadRetries retries;
    retries.budget = numberOf(json, "budget");
    retries.freeCap = numberOf(json, "freeCap");
    retries.steadyMs = numberOf(json, "steadyMs");
    retries.minPauseMs = numberOf(json, "minPauseMs");
    retries.maxPauseMs = numberOf(json, "maxPauseMs");
    retries.otherwise = classOf(textOf(json, "otherwise"));
    for (const Json &rule : listOf(json, "rules")) {
        LeadExitRule one{{}, textOf(rule, "hint"), flagOf(rule, "sure"), classOf(textOf(rule, "class"))};
        for (const Json &exit : listOf(rule, "exits")) {
            one.exits.push_back(exit.is_number_integer() ? exit.get<int>() : -1);
        }
        retries.rules.push_back(std::move(one));
    }
    return retries;
}

} // namespace

std::string folderOfTry(const LeadTask &task, std::size_t again)
{
    if (again == 0) {
        return task.folder;
    }
    return task.folder.substr(0, task.folder.rfind('/') + 1) + std::to_string(std::size_t(task.tryNumber) + again);
}

const std::string &uuidOfTry(const LeadTask &task, std::size_t again)
{
    static const std::string none;
    return again == 0 ? task.tryUuid : again <= task.furtherTries.size() ? task.furtherTries[again - 1] : none;
}

std::string addressWord(const std::string &role, int index)
{
    return std::string(addressHead) + role + ':' + std::to_string(index) + '@';
}

void replaceAddresses(std::string &text, const std::map<std::string, std::string> &addresses)
{
    std::string replaced;
    std::size_t from = 0;
    for (std::size_t at = text.find(addressHead); at != std::string::npos; at = text.find(addressHead, from)) {
        const std::size_t end = text.find('@', at + addressHead.size());
        if (end == std::string::npos) {
            break;
        }
        replaced.append(text, from, at - from);
        const auto known = addresses.find(text.substr(at, end + 1 - at));
        const std::string address = known != addresses.end() ? known->second : std::string();
        from = end + 1;
        // A word has colons, as addresses of IPv6 have: in front of a port it is in brackets.
        const bool isInBrackets = replaced.ends_with('[') && text.compare(from, 2, "]:") == 0;
        if (isInBrackets && address.find(':') == std::string::npos) {
            replaced.pop_back();
            ++from;
        }
        replaced += address;
    }
    if (from > 0) {
        text = replaced.append(text, from);
    }
}

std::string ofElement(const char *name, int element)
{
    return element < 0 ? std::string(name) : std::string(name) + '-' + std::to_string(element);
}

std::string LeadPlan::toText() const
{
    Json json{{"allocation", allocation}, {"components", components}, {"array", isArray},
        {"completedLimit", completedLimit}, {"stopSignal", stopSignal}, {"stopGraceMs", stopGraceMs},
        {"stopsOnlyMain", stopsOnlyMain}, {"limitMs", limitMs}, {"loginMs", loginMs}, {"roles", Json::array()},
        {"tasks", Json::array()}};
    for (const LeadRole &role : roles) {
        json["roles"].push_back(
            {{"name", role.name}, {"minFailed", role.minFailed}, {"minSucceeded", role.minSucceeded}});
    }
    for (const LeadTask &task : tasks) {
        json["tasks"].push_back({{"role", task.role}, {"index", task.index}, {"component", task.component},
            {"folder", task.folder}, {"try", task.tryUuid}, {"address", task.address}, {"step", task.stepOptions},
            {"image", task.isInImage}, {"number", task.tryNumber}, {"further", task.furtherTries},
            {"charged", task.charged}, {"freeInARow", task.consecutiveFreeRetries}, {"ports", task.ports}});
    }
    if (retries) {
        json["retries"] = retriesJson(*retries);
    }
    return dumped(json);
}

std::optional<LeadPlan> LeadPlan::parse(std::string_view text)
{
    const Json json = objectIn(text);
    LeadPlan plan;
    plan.allocation = textOf(json, "allocation");
    plan.components = int(numberOf(json, "components", 1));
    plan.isArray = flagOf(json, "array");
    plan.completedLimit = numberOf(json, "completedLimit");
    plan.stopSignal = int(numberOf(json, "stopSignal", plan.stopSignal));
    plan.stopGraceMs = numberOf(json, "stopGraceMs", plan.stopGraceMs);
    plan.stopsOnlyMain = flagOf(json, "stopsOnlyMain");
    plan.limitMs = numberOf(json, "limitMs");
    plan.loginMs = numberOf(json, "loginMs", plan.loginMs);
    for (const Json &role : listOf(json, "roles")) {
        plan.roles.push_back({textOf(role, "name"), numberOf(role, "minFailed"), numberOf(role, "minSucceeded")});
    }
    for (const Json &task : listOf(json, "tasks")) {
        LeadTask one{textOf(task, "role"), int(numberOf(task, "index")), int(numberOf(task, "component")),
            textOf(task, "folder"), textOf(task, "try"), textOf(task, "address"), {}, flagOf(task, "image"),
            int(numberOf(task, "number")), {}, numberOf(task, "charged"), int(numberOf(task, "freeInARow"))};
        for (const Json &uuid : listOf(task, "further")) {
            one.furtherTries.push_back(uuid.is_string() ? uuid.get<std::string>() : std::string());
        }
        if (const auto ports = task.find("ports"); ports != task.end() && ports->is_object()) {
            for (const auto &[label, numbers] : ports->items()) {
                for (const Json &number : numbers) {
                    one.ports[label].push_back(number.is_number_integer() ? number.get<int>() : 0);
                }
            }
        }
        for (const Json &option : listOf(task, "step")) {
            one.stepOptions.push_back(option.is_string() ? option.get<std::string>() : std::string());
        }
        if (one.folder.empty() || one.folder[0] != '/' || one.component < 0 || one.component >= plan.components) {
            return std::nullopt;
        }
        plan.tasks.push_back(std::move(one));
    }
    if (const auto it = json.find("retries"); it != json.end() && it->is_object()) {
        plan.retries = retriesIn(*it);
    }
    return plan.allocation.empty() || plan.tasks.empty() ? std::nullopt : std::optional(std::move(plan));
}

std::string LeadPlaces::toText() const
{
    Json json{{"id", clusterId}, {"job", jobId}, {"tasks", Json::array()}};
    for (const Place &place : tasks) {
        json["tasks"].push_back({{"node", place.node}, {"address", place.address}});
    }
    return dumped(json);
}

std::optional<LeadPlaces> LeadPlaces::parse(std::string_view text)
{
    const Json json = objectIn(text);
    LeadPlaces places{textOf(json, "id"), {}, textOf(json, "job")};
    for (const Json &task : listOf(json, "tasks")) {
        places.tasks.push_back({textOf(task, "node"), textOf(task, "address")});
    }
    return places.clusterId.empty() ? std::nullopt : std::optional(std::move(places));
}

std::string LeadAgain::toText() const { return dumped(Json{{"count", count}, {"at", at}}); }

std::optional<LeadAgain> LeadAgain::parse(std::string_view text)
{
    const Json json = objectIn(text);
    const LeadAgain again{int(numberOf(json, "count")), numberOf(json, "at")};
    return again.count > 0 ? std::optional(again) : std::nullopt;
}

std::string LeadEnd::toText() const { return dumped(Json{{"why", why}, {"detail", detail}, {"at", at}}); }

std::optional<LeadEnd> LeadEnd::parse(std::string_view text)
{
    const Json json = objectIn(text);
    LeadEnd end{textOf(json, "why"), textOf(json, "detail"), numberOf(json, "at")};
    return end.why.empty() ? std::nullopt : std::optional(std::move(end));
}

} // namespace trainyard::contract
