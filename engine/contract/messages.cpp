// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/messages.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace trainyard::contract
{
namespace
{

using Json = nlohmann::json;

// ---- reading without exceptions: what has the wrong type counts as missing ----

const Json *find(const Json &object, const char *key)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

void get(const Json &object, const char *key, std::string &value)
{
    const Json *found = find(object, key);
    if (found && found->is_string()) {
        value = found->get_ref<const std::string &>();
    }
}

void get(const Json &object, const char *key, bool &value)
{
    const Json *found = find(object, key);
    if (found && found->is_boolean()) {
        value = found->get<bool>();
    }
}

void get(const Json &object, const char *key, double &value)
{
    const Json *found = find(object, key);
    if (found && found->is_number()) {
        value = found->get<double>();
    }
}

template <typename T>
requires std::is_integral_v<T>
bool toInteger(const Json &json, T &value)
{
    using Limit = std::numeric_limits<T>;
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (number <= static_cast<std::uint64_t>(Limit::max())) {
            value = static_cast<T>(number);
            return true;
        }
    } else if (json.is_number_integer()) {
        const auto number = json.get<std::int64_t>();
        if constexpr (std::is_signed_v<T>) {
            if (number >= Limit::min() && number <= Limit::max()) {
                value = static_cast<T>(number);
                return true;
            }
        }
    }
    return false;
}

template <typename T>
requires std::is_integral_v<T>
void get(const Json &object, const char *key, T &value)
{
    if (const Json *found = find(object, key)) {
        toInteger(*found, value);
    }
}

void get(const Json &object, const char *key, std::vector<int> &value)
{
    const Json *found = find(object, key);
    if (found && found->is_array()) {
        for (const Json &item : *found) {
            int number = 0;
            if (toInteger(item, number)) {
                value.push_back(number);
            }
        }
    }
}

void get(const Json &object, const char *key, std::vector<std::string> &value)
{
    const Json *found = find(object, key);
    if (found && found->is_array()) {
        for (const Json &item : *found) {
            if (item.is_string()) {
                value.push_back(item.get_ref<const std::string &>());
            }
        }
    }
}

void get(const Json &object, const char *key, std::map<std::string, std::int64_t> &value)
{
    const Json *found = find(object, key);
    if (found && found->is_object()) {
        for (const auto &[name, item] : found->items()) {
            std::int64_t number = 0;
            if (toInteger(item, number)) {
                value[name] = number;
            }
        }
    }
}

template <typename Record> void getRecord(const Json &object, const char *key, std::optional<Record> &value)
{
    std::string text;
    get(object, key, text);
    if (!text.empty()) {
        value = Record::parse(text);
    }
}

template <typename Record> void putRecord(Json &object, const char *key, const std::optional<Record> &value)
{
    if (value) {
        object[key] = value->format();
    }
}

// ---- payload sections: u32 length, bytes ----

void addSection(std::string &payload, std::string_view bytes)
{
    for (int i = 0; i < 4; ++i) {
        payload += static_cast<char>(bytes.size() >> (8 * i));
    }
    payload += bytes;
}

bool takeSection(std::string_view &payload, std::string_view &section)
{
    if (payload.size() < 4) {
        return false;
    }
    std::size_t size = 0;
    for (int i = 0; i < 4; ++i) {
        size |= static_cast<std::size_t>(static_cast<unsigned char>(payload[static_cast<std::size_t>(i)])) << (8 * i);
    }
    if (payload.size() - 4 < size) {
        return false;
    }
    section = payload.substr(4, size);
    payload.remove_prefix(4 + size);
    return true;
}

std::string joinVariables(const std::vector<Variable> &variables)
{
    std::string text;
    for (const Variable &variable : variables) {
        text += variable.name;
        text += '=';
        text += variable.value;
        text += '\0';
    }
    return text;
}

std::vector<Variable> splitVariables(std::string_view text)
{
    std::vector<Variable> variables;
    while (!text.empty()) {
        const std::size_t nul = text.find('\0');
        const std::string_view entry = text.substr(0, nul);
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && equals > 0) {
            variables.push_back({std::string(entry.substr(0, equals)), std::string(entry.substr(equals + 1))});
        }
        text.remove_prefix(nul == std::string_view::npos ? text.size() : nul + 1);
    }
    return variables;
}

std::string joinTexts(const std::vector<std::string> &texts)
{
    std::string joined;
    for (const std::string &text : texts) {
        addSection(joined, text);
    }
    return joined;
}

// ---- one pair of functions per message; type() names it on the wire ----

Json toJson(const Plan &m)
{
    return {{"contract", taskFolderContract}, {"job", m.job}, {"attempt", m.attempt}, {"role", m.role},
        {"index", m.index}, {"try", m.tryNumber}, {"tryUuid", m.tryUuid}, {"argv", m.argv}, {"cwd", m.cwd},
        {"envNames", m.envNames},
        {"limits",
            {{"memoryBytes", m.limits.memoryBytes}, {"outputBytes", m.limits.outputBytes},
                {"rlimits", m.limits.rlimits}}},
        {"gpus", m.gpus}, {"ports", m.ports}, {"stopGraceMs", m.stopGraceMs}};
}

Plan planFrom(const Json &j)
{
    Plan m;
    get(j, "job", m.job);
    get(j, "attempt", m.attempt);
    get(j, "role", m.role);
    get(j, "index", m.index);
    get(j, "try", m.tryNumber);
    get(j, "tryUuid", m.tryUuid);
    get(j, "argv", m.argv);
    get(j, "cwd", m.cwd);
    get(j, "envNames", m.envNames);
    if (const Json *limits = find(j, "limits")) {
        get(*limits, "memoryBytes", m.limits.memoryBytes);
        get(*limits, "outputBytes", m.limits.outputBytes);
        get(*limits, "rlimits", m.limits.rlimits);
    }
    get(j, "gpus", m.gpus);
    get(j, "ports", m.ports);
    get(j, "stopGraceMs", m.stopGraceMs);
    return m;
}

Json toJson(const Gpu &m)
{
    return {{"index", m.index}, {"uuid", m.uuid}, {"name", m.name}, {"memoryMiB", m.memoryMiB},
        {"memoryUsedMiB", m.memoryUsedMiB}, {"utilPercent", m.utilPercent}, {"temperature", m.temperature},
        {"powerWatt", m.powerWatt}, {"foreign", m.foreign}};
}

Json toJson(const std::vector<Gpu> &gpus)
{
    Json list = Json::array();
    for (const Gpu &gpu : gpus) {
        list.push_back(toJson(gpu));
    }
    return list;
}

std::vector<Gpu> gpusFrom(const Json &j)
{
    std::vector<Gpu> gpus;
    const Json *list = find(j, "gpus");
    if (list && list->is_array()) {
        for (const Json &item : *list) {
            Gpu gpu;
            get(item, "index", gpu.index);
            get(item, "uuid", gpu.uuid);
            get(item, "name", gpu.name);
            get(item, "memoryMiB", gpu.memoryMiB);
            get(item, "memoryUsedMiB", gpu.memoryUsedMiB);
            get(item, "utilPercent", gpu.utilPercent);
            get(item, "temperature", gpu.temperature);
            get(item, "powerWatt", gpu.powerWatt);
            get(item, "foreign", gpu.foreign);
            gpus.push_back(std::move(gpu));
        }
    }
    return gpus;
}

// The writers: fill `header` (and `payload`), return the type.
struct Write {
    Json &j;
    std::string &payload;

    const char *operator()(const HelloRequest &m) const
    {
        j = {{"contract", m.contract}, {"build", m.build}, {"loginEnvironment", m.loginEnvironment}};
        return "hello";
    }
    const char *operator()(const InventoryRequest &) const { return "inventory"; }
    const char *operator()(const Launch &m) const
    {
        j = {{"dir", m.dir}, {"plan", toJson(m.plan)}, {"clean", m.cleanEnvironment}, {"keepNames", m.keepNames},
            {"cwd", m.cwd}, {"shell", m.shell}, {"sealed", m.sealed}, {"checkPorts", m.checkPorts},
            {"gpuLocks", m.gpuLocks}, {"gpuLockFolder", m.gpuLockFolder}};
        addSection(payload, m.script);
        addSection(payload, m.maskedScript);
        addSection(payload, joinVariables(m.env));
        addSection(payload, joinTexts(m.maskValues));
        return "launch";
    }
    const char *operator()(const Stop &m) const
    {
        j = {{"dir", m.dir}, {"signal", m.signal}, {"graceMs", m.graceMs}, {"onlyMain", m.onlyMain}};
        return "stop";
    }
    const char *operator()(const Observe &m) const
    {
        j = {{"dir", m.dir}};
        return "observe";
    }
    const char *operator()(const Follow &m) const
    {
        j = {{"dir", m.dir}, {"output", m.output}, {"index", m.index}, {"runtime", m.runtime}, {"tail", m.tail},
            {"cancel", m.cancel}};
        return "follow";
    }
    const char *operator()(const Credit &m) const
    {
        j = {{"follow", m.follow}, {"bytes", m.bytes}};
        return "credit";
    }
    const char *operator()(const Ports &m) const
    {
        j = {{"check", m.check}, {"draw", m.draw}, {"first", m.first}, {"last", m.last}, {"exclude", m.exclude}};
        return "ports";
    }
    const char *operator()(const SampleRequest &m) const
    {
        j = {{"intervalMs", m.intervalMs}};
        return "sample";
    }
    const char *operator()(const Put &m) const
    {
        j = {{"path", m.path}, {"offset", m.offset}, {"mode", m.mode}, {"last", m.last}};
        return "put";
    }
    const char *operator()(const Bye &) const { return "bye"; }
    const char *operator()(const HelloReply &m) const
    {
        j = {{"contract", m.contract}, {"version", m.version}, {"build", m.build}, {"pid", m.pid}, {"bootId", m.bootId},
            {"host", m.host}, {"user", m.user}, {"home", m.home}, {"machineId", m.machineId},
            {"stateFolder", m.stateFolder}, {"shell", m.shell}, {"diskFreeBytes", m.diskFreeBytes},
            {"stateOnNetwork", m.stateOnNetwork}, {"environmentFrom", m.environmentFrom},
            {"environmentError", m.environmentError}, {"ephemeralFirst", m.ephemeralFirst},
            {"ephemeralLast", m.ephemeralLast}};
        payload = joinVariables(m.environment);
        return "hello";
    }
    const char *operator()(const Inventory &m) const
    {
        j = {{"cpus", m.cpus}, {"memoryMiB", m.memoryMiB}, {"memoryUsedMiB", m.memoryUsedMiB}, {"kernel", m.kernel},
            {"os", m.os}, {"cpuModel", m.cpuModel}, {"gpus", toJson(m.gpus)}, {"gpuError", m.gpuError}};
        return "inventory";
    }
    const char *operator()(const Launched &m) const
    {
        j = {{"dir", m.dir}, {"tryUuid", m.tryUuid}, {"state", m.state}};
        putRecord(j, "started", m.started);
        putRecord(j, "exit", m.exit);
        return "launched";
    }
    const char *operator()(const Observed &m) const
    {
        j = {{"dir", m.dir}, {"tryUuid", m.tryUuid}, {"state", m.state}, {"outputBytes", m.outputBytes}};
        putRecord(j, "started", m.started);
        putRecord(j, "stop", m.stop);
        putRecord(j, "exit", m.exit);
        return "observed";
    }
    const char *operator()(const Exited &m) const
    {
        j = {{"dir", m.dir}, {"tryUuid", m.tryUuid}, {"exit", m.exit.format()}};
        putRecord(j, "stop", m.stop);
        return "exited";
    }
    const char *operator()(const Chunk &m) const
    {
        j = {{"file", m.file}, {"offset", m.offset}, {"end", m.end}};
        payload = m.bytes;
        return "chunk";
    }
    const char *operator()(const PortsReply &m) const
    {
        j = {{"busy", m.busy}, {"drawn", m.drawn}};
        return "ports";
    }
    const char *operator()(const Sample &m) const
    {
        Json tries = Json::array();
        for (const TrySample &sample : m.tries) {
            tries.push_back({{"dir", sample.dir}, {"outputBytes", sample.outputBytes}, {"diskFull", sample.diskFull}});
        }
        j = {{"at", m.at}, {"cpuPercent", m.cpuPercent}, {"memoryMiB", m.memoryMiB}, {"memoryUsedMiB", m.memoryUsedMiB},
            {"gpus", toJson(m.gpus)}, {"tries", std::move(tries)}};
        return "sample";
    }
    const char *operator()(const Done &) const { return "done"; }
    const char *operator()(const Failure &m) const
    {
        j = {{"code", m.code}, {"argument", m.argument}, {"systemError", m.systemError}};
        return "error";
    }
};

bool readLaunch(const Json &j, std::string_view payload, Launch &m)
{
    get(j, "dir", m.dir);
    if (const Json *plan = find(j, "plan")) {
        m.plan = planFrom(*plan);
    }
    get(j, "clean", m.cleanEnvironment);
    get(j, "keepNames", m.keepNames);
    get(j, "cwd", m.cwd);
    get(j, "shell", m.shell);
    get(j, "sealed", m.sealed);
    get(j, "checkPorts", m.checkPorts);
    get(j, "gpuLocks", m.gpuLocks);
    get(j, "gpuLockFolder", m.gpuLockFolder);
    std::string_view script, masked, env, values;
    if (!takeSection(payload, script) || !takeSection(payload, masked) || !takeSection(payload, env)
        || !takeSection(payload, values) || !payload.empty()) {
        return false;
    }
    m.script = script;
    m.maskedScript = masked;
    m.env = splitVariables(env);
    while (!values.empty()) {
        std::string_view value;
        if (!takeSection(values, value)) {
            return false;
        }
        m.maskValues.emplace_back(value);
    }
    return true;
}

std::optional<Message> readRequest(const std::string &type, const Json &j, std::string &payload, std::string &problem)
{
    if (type == "hello") {
        HelloRequest m;
        get(j, "contract", m.contract);
        get(j, "build", m.build);
        get(j, "loginEnvironment", m.loginEnvironment);
        return m;
    }
    if (type == "inventory") {
        return InventoryRequest{};
    }
    if (type == "launch") {
        Launch m;
        if (!readLaunch(j, payload, m)) {
            problem = "wire.payload launch";
            return std::nullopt;
        }
        return m;
    }
    if (type == "stop") {
        Stop m;
        get(j, "dir", m.dir);
        get(j, "signal", m.signal);
        get(j, "graceMs", m.graceMs);
        get(j, "onlyMain", m.onlyMain);
        return m;
    }
    if (type == "observe") {
        Observe m;
        get(j, "dir", m.dir);
        return m;
    }
    if (type == "follow") {
        Follow m;
        get(j, "dir", m.dir);
        get(j, "output", m.output);
        get(j, "index", m.index);
        get(j, "runtime", m.runtime);
        get(j, "tail", m.tail);
        get(j, "cancel", m.cancel);
        return m;
    }
    if (type == "credit") {
        Credit m;
        get(j, "follow", m.follow);
        get(j, "bytes", m.bytes);
        return m;
    }
    if (type == "ports") {
        Ports m;
        get(j, "check", m.check);
        get(j, "draw", m.draw);
        get(j, "first", m.first);
        get(j, "last", m.last);
        get(j, "exclude", m.exclude);
        return m;
    }
    if (type == "sample") {
        SampleRequest m;
        get(j, "intervalMs", m.intervalMs);
        return m;
    }
    if (type == "put") {
        Put m;
        get(j, "path", m.path);
        get(j, "offset", m.offset);
        get(j, "mode", m.mode);
        get(j, "last", m.last);
        return m;
    }
    if (type == "bye") {
        return Bye{};
    }
    problem = "wire.type " + type;
    return std::nullopt;
}

std::optional<Message> readAnswer(const std::string &type, const Json &j, std::string &payload, std::string &problem)
{
    if (type == "hello") {
        HelloReply m;
        get(j, "contract", m.contract);
        get(j, "version", m.version);
        get(j, "build", m.build);
        get(j, "pid", m.pid);
        get(j, "bootId", m.bootId);
        get(j, "host", m.host);
        get(j, "user", m.user);
        get(j, "home", m.home);
        get(j, "machineId", m.machineId);
        get(j, "stateFolder", m.stateFolder);
        get(j, "shell", m.shell);
        get(j, "diskFreeBytes", m.diskFreeBytes);
        get(j, "stateOnNetwork", m.stateOnNetwork);
        get(j, "environmentFrom", m.environmentFrom);
        get(j, "environmentError", m.environmentError);
        get(j, "ephemeralFirst", m.ephemeralFirst);
        get(j, "ephemeralLast", m.ephemeralLast);
        m.environment = splitVariables(payload);
        return m;
    }
    if (type == "inventory") {
        Inventory m;
        get(j, "cpus", m.cpus);
        get(j, "memoryMiB", m.memoryMiB);
        get(j, "memoryUsedMiB", m.memoryUsedMiB);
        get(j, "kernel", m.kernel);
        get(j, "os", m.os);
        get(j, "cpuModel", m.cpuModel);
        get(j, "gpuError", m.gpuError);
        m.gpus = gpusFrom(j);
        return m;
    }
    if (type == "launched") {
        Launched m;
        get(j, "dir", m.dir);
        get(j, "tryUuid", m.tryUuid);
        get(j, "state", m.state);
        getRecord(j, "started", m.started);
        getRecord(j, "exit", m.exit);
        return m;
    }
    if (type == "observed") {
        Observed m;
        get(j, "dir", m.dir);
        get(j, "tryUuid", m.tryUuid);
        get(j, "state", m.state);
        get(j, "outputBytes", m.outputBytes);
        getRecord(j, "started", m.started);
        getRecord(j, "stop", m.stop);
        getRecord(j, "exit", m.exit);
        return m;
    }
    if (type == "exited") {
        Exited m;
        get(j, "dir", m.dir);
        get(j, "tryUuid", m.tryUuid);
        std::optional<ExitRecord> exit;
        getRecord(j, "exit", exit);
        if (!exit) {
            problem = "wire.record exit";
            return std::nullopt;
        }
        m.exit = *exit;
        getRecord(j, "stop", m.stop);
        return m;
    }
    if (type == "chunk") {
        Chunk m;
        get(j, "file", m.file);
        get(j, "offset", m.offset);
        get(j, "end", m.end);
        m.bytes = std::move(payload);
        return m;
    }
    if (type == "ports") {
        PortsReply m;
        get(j, "busy", m.busy);
        get(j, "drawn", m.drawn);
        return m;
    }
    if (type == "sample") {
        Sample m;
        get(j, "at", m.at);
        get(j, "cpuPercent", m.cpuPercent);
        get(j, "memoryMiB", m.memoryMiB);
        get(j, "memoryUsedMiB", m.memoryUsedMiB);
        m.gpus = gpusFrom(j);
        const Json *tries = find(j, "tries");
        if (tries && tries->is_array()) {
            for (const Json &item : *tries) {
                TrySample sample;
                get(item, "dir", sample.dir);
                get(item, "outputBytes", sample.outputBytes);
                get(item, "diskFull", sample.diskFull);
                m.tries.push_back(std::move(sample));
            }
        }
        return m;
    }
    if (type == "done") {
        return Done{};
    }
    if (type == "error") {
        Failure m;
        get(j, "code", m.code);
        get(j, "argument", m.argument);
        get(j, "systemError", m.systemError);
        return m;
    }
    problem = "wire.type " + type;
    return std::nullopt;
}

std::string dump(const Json &json)
{
    // Bytes that are not UTF-8 (a file name) must not end the agent.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Nested arrays deeper than this in a header are no message of ours; the parser would recurse when destroying them.
bool isDeep(std::string_view text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                inString = false;
            }
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > 64) {
                return true;
            }
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

} // namespace

std::optional<std::string> encode(const Envelope &envelope)
{
    Json header = Json::object();
    std::string payload;
    const char *type = std::visit(Write{header, payload}, envelope.message);
    header["id"] = envelope.id;
    header["type"] = type;
    if (!envelope.payload.empty()) {
        payload += envelope.payload;
    }
    return encodeFrame(dump(header), payload);
}

std::optional<Envelope> decode(const Frame &frame, bool fromAgent, std::string *error)
{
    std::string problem = "wire.json";
    const Json header
        = isDeep(frame.header) ? Json(Json::value_t::discarded) : Json::parse(frame.header, nullptr, false);
    if (!header.is_discarded() && header.is_object()) {
        Envelope envelope;
        std::string type;
        get(header, "id", envelope.id);
        get(header, "type", type);
        std::string payload = frame.payload;
        std::optional<Message> message
            = fromAgent ? readAnswer(type, header, payload, problem) : readRequest(type, header, payload, problem);
        if (message) {
            if (std::holds_alternative<Put>(*message)) {
                envelope.payload = std::move(payload);
            }
            envelope.message = std::move(*message);
            return envelope;
        }
    }
    if (error) {
        *error = problem;
    }
    return std::nullopt;
}

std::string planJson(const Plan &plan) { return dump(toJson(plan)) + '\n'; }

std::optional<Plan> parsePlan(std::string_view json)
{
    const Json parsed = isDeep(json) ? Json(Json::value_t::discarded) : Json::parse(json, nullptr, false);
    return parsed.is_object() ? std::optional(planFrom(parsed)) : std::nullopt;
}

} // namespace trainyard::contract
