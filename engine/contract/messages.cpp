// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/messages.h"

#include "engine/contract/messagefields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>

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

template <typename T>
requires std::is_integral_v<T>
void get(const Json &object, const char *key, std::vector<T> &value)
{
    const Json *found = find(object, key);
    if (found && found->is_array()) {
        for (const Json &item : *found) {
            T number = 0;
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
    std::size_t size = 0;
    for (const Variable &variable : variables) {
        size += variable.name.size() + variable.value.size() + 2;
    }
    std::string text;
    text.reserve(size);
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
    variables.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\0')));
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

// ---- the two directions ----

template <typename T>
concept Record = requires(const T &record, std::string_view text)
{
    record.format();
    T::parse(text);
};

template <typename T> struct IsVector : std::false_type {
};
template <typename T> struct IsVector<std::vector<T>> : std::true_type {
};
template <typename T> struct IsOptional : std::false_type {
};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {
};

// A value that JSON has by itself.
template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T,
    std::vector<int>> || std::is_same_v<T, std::vector<std::int64_t>> || std::is_same_v<T,
    std::vector<std::string>> || std::is_same_v<T, std::map<std::string, std::int64_t>>;

std::string dump(const Json &json)
{
    // Bytes that are not UTF-8 (a file name) must not end the agent.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// As it is, or behind a backslash; 0: the library knows.
char escaped(char c)
{
    switch (c) {
    case '"':
    case '\\':
        return c;
    case '\n':
        return 'n';
    default:
        return 0;
    }
}

void addJson(std::string &out, std::string_view text)
{
    const std::size_t before = out.size();
    out += '"';
    for (const char c : text) {
        if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
            out += c;
        } else if (const char letter = escaped(c)) {
            out += '\\';
            out += letter;
        } else {
            out.resize(before);
            out += dump(Json(text));
            return;
        }
    }
    out += '"';
}

// Straight to text: every start of a task sends some of these, and a tree of them costs several times as much.
struct Writer {
    static constexpr bool writes = true;
    std::string &out;
    bool first = true;

    void constant(const char *key, int value) { (*this)(key, value); }
    template <typename T> void optional(const char *key, const T &value, bool isThere)
    {
        if (isThere) {
            (*this)(key, value);
        }
    }
    template <typename T> void operator()(const char *key, const T &value)
    {
        if constexpr (IsOptional<T>::value) {
            if (value) {
                (*this)(key, *value);
            }
        } else {
            begin(key);
            add(value);
        }
    }
    void finish() { out += first ? "{}" : "}"; }

private:
    void begin(std::string_view key)
    {
        out += first ? '{' : ',';
        first = false;
        addJson(out, key);
        out += ':';
    }
    template <typename T> void add(const T &value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            out += value ? "true" : "false";
        } else if constexpr (std::is_integral_v<T>) {
            out += std::to_string(value);
        } else if constexpr (std::is_floating_point_v<T>) {
            out += dump(Json(value));
        } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
            addJson(out, value);
        } else if constexpr (Record<T>) {
            addJson(out, value.format());
        } else if constexpr (IsVector<T>::value) {
            out += '[';
            for (const auto &item : value) {
                out += &item == &value.front() ? "" : ",";
                add(item);
            }
            out += ']';
        } else if constexpr (std::is_same_v<T, std::map<std::string, std::int64_t>>) {
            Writer inner{out};
            for (const auto &[name, number] : value) {
                inner.begin(name);
                inner.add(number);
            }
            inner.finish();
        } else {
            Writer inner{out};
            fields(inner, value);
            inner.finish();
        }
    }
};

struct Reader {
    static constexpr bool writes = false;
    const Json &j;
    const char *missing = nullptr; // a record that has to be there

    void constant(const char *, int) { }
    template <typename T> void optional(const char *key, T &value, bool) { (*this)(key, value); }
    template <typename T> void operator()(const char *key, T &value)
    {
        if constexpr (Plain<T>) {
            get(j, key, value);
        } else if constexpr (Record<T>) {
            std::optional<T> record;
            (*this)(key, record);
            if (record) {
                value = std::move(*record);
            } else {
                missing = key;
            }
        } else if constexpr (IsOptional<T>::value) {
            std::string text;
            get(j, key, text);
            if (!text.empty()) {
                value = T::value_type::parse(text);
            }
        } else if constexpr (IsVector<T>::value) {
            const Json *list = find(j, key);
            if (list && list->is_array()) {
                for (const Json &item : *list) {
                    Reader inner{item};
                    fields(inner, value.emplace_back());
                }
            }
        } else if (const Json *object = find(j, key)) {
            Reader inner{*object};
            fields(inner, value);
        }
    }
};

// ---- names on the wire; what travels in the payload ----

template <typename M> constexpr const char *typeName = nullptr;
template <> constexpr const char *typeName<HelloRequest> = "hello";
template <> constexpr const char *typeName<InventoryRequest> = "inventory";
template <> constexpr const char *typeName<Share> = "share";
template <> constexpr const char *typeName<Launch> = "launch";
template <> constexpr const char *typeName<Stop> = "stop";
template <> constexpr const char *typeName<Pause> = "pause";
template <> constexpr const char *typeName<Observe> = "observe";
template <> constexpr const char *typeName<Follow> = "follow";
template <> constexpr const char *typeName<Credit> = "credit";
template <> constexpr const char *typeName<Dial> = "dial";
template <> constexpr const char *typeName<Flow> = "flow";
template <> constexpr const char *typeName<Ports> = "ports";
template <> constexpr const char *typeName<Await> = "await";
template <> constexpr const char *typeName<Reach> = "reach";
template <> constexpr const char *typeName<SampleRequest> = "sample";
template <> constexpr const char *typeName<Put> = "put";
template <> constexpr const char *typeName<Code> = "code";
template <> constexpr const char *typeName<Data> = "data";
template <> constexpr const char *typeName<Look> = "look";
template <> constexpr const char *typeName<ListFiles> = "files";
template <> constexpr const char *typeName<ReadPiece> = "piece";
template <> constexpr const char *typeName<StorePiece> = "store";
template <> constexpr const char *typeName<Remove> = "remove";
template <> constexpr const char *typeName<LookThrough> = "belongings";
template <> constexpr const char *typeName<FindEnvironments> = "environments";
template <> constexpr const char *typeName<RunProgram> = "program";
template <> constexpr const char *typeName<ReadChanged> = "changed";
template <> constexpr const char *typeName<CopyHelper> = "copyHelper";
template <> constexpr const char *typeName<RemoveRun> = "removeRun";
template <> constexpr const char *typeName<Bye> = "bye";
template <> constexpr const char *typeName<HelloReply> = "hello";
template <> constexpr const char *typeName<Inventory> = "inventory";
template <> constexpr const char *typeName<Launched> = "launched";
template <> constexpr const char *typeName<Observed> = "observed";
template <> constexpr const char *typeName<Exited> = "exited";
template <> constexpr const char *typeName<Dialed> = "dialed";
template <> constexpr const char *typeName<Chunk> = "chunk";
template <> constexpr const char *typeName<PortsReply> = "ports";
template <> constexpr const char *typeName<Awaiting> = "awaiting";
template <> constexpr const char *typeName<Reached> = "reached";
template <> constexpr const char *typeName<CodeReply> = "code";
template <> constexpr const char *typeName<DataReply> = "data";
template <> constexpr const char *typeName<Seen> = "seen";
template <> constexpr const char *typeName<FileList> = "files";
template <> constexpr const char *typeName<Piece> = "piece";
template <> constexpr const char *typeName<Stored> = "store";
template <> constexpr const char *typeName<Belongings> = "belongings";
template <> constexpr const char *typeName<EnvironmentsFound> = "environments";
template <> constexpr const char *typeName<ProgramSaid> = "program";
template <> constexpr const char *typeName<ChangedFiles> = "changed";
template <> constexpr const char *typeName<Sample> = "sample";
template <> constexpr const char *typeName<Done> = "done";
template <> constexpr const char *typeName<Failure> = "error";

template <typename M> std::string payloadOf(const M &) { return {}; }
std::string payloadOf(const Chunk &m) { return m.bytes; }
std::string payloadOf(const FileList &m) { return joinFileEntries(m.files); }
std::string payloadOf(const Piece &m) { return m.bytes; }
std::string payloadOf(const Flow &m) { return m.bytes; }
std::string payloadOf(const StorePiece &m) { return m.bytes; }
std::string payloadOf(const HelloReply &m) { return joinVariables(m.environment); }
std::string payloadOf(const ReadChanged &m) { return joinFileEntries(m.known); }
std::string payloadOf(const ProgramSaid &m) { return joinTexts({m.out, m.errors}); }
std::string payloadOf(const ChangedFiles &m)
{
    std::string payload;
    addSection(payload, joinFileEntries(m.files));
    return payload + joinTexts(m.contents);
}
std::string payloadOf(const Share &m)
{
    std::string payload;
    addSection(payload, m.script);
    addSection(payload, joinVariables(m.env));
    return payload;
}
std::string payloadOf(const Launch &m)
{
    std::string payload;
    addSection(payload, m.script);
    addSection(payload, m.maskedScript);
    addSection(payload, joinVariables(m.env));
    addSection(payload, joinTexts(m.maskValues));
    if (!m.registry.password.empty()) {
        addSection(payload, joinTexts({m.registry.registry, m.registry.user, m.registry.password}));
    }
    return payload;
}

template <typename M> bool takePayload(M &, std::string &) { return true; }
bool takePayload(Chunk &m, std::string &payload)
{
    m.bytes = std::move(payload);
    return true;
}
bool takePayload(FileList &m, std::string &payload)
{
    m.files = splitFileEntries(payload);
    return true;
}
bool takePayload(Piece &m, std::string &payload)
{
    m.bytes = std::move(payload);
    return true;
}
bool takePayload(Flow &m, std::string &payload)
{
    m.bytes = std::move(payload);
    return true;
}
bool takePayload(StorePiece &m, std::string &payload)
{
    m.bytes = std::move(payload);
    return true;
}
bool takePayload(HelloReply &m, std::string &payload)
{
    m.environment = splitVariables(payload);
    return true;
}
bool takePayload(ReadChanged &m, std::string &payload)
{
    m.known = splitFileEntries(payload);
    return true;
}
bool takePayload(ProgramSaid &m, std::string &bytes)
{
    std::string_view payload = bytes;
    std::string_view out, errors;
    if (!takeSection(payload, out) || !takeSection(payload, errors) || !payload.empty()) {
        return false;
    }
    m.out = out;
    m.errors = errors;
    return true;
}
bool takePayload(ChangedFiles &m, std::string &bytes)
{
    std::string_view payload = bytes;
    std::string_view files, content;
    if (!takeSection(payload, files)) {
        return false;
    }
    m.files = splitFileEntries(files);
    while (takeSection(payload, content)) {
        m.contents.emplace_back(content);
    }
    return payload.empty() && m.contents.size() == m.files.size();
}
bool takePayload(Share &m, std::string &bytes)
{
    std::string_view payload = bytes;
    std::string_view script, env;
    if (!takeSection(payload, script) || !takeSection(payload, env) || !payload.empty()) {
        return false;
    }
    m.script = script;
    m.env = splitVariables(env);
    return true;
}
bool takePayload(Launch &m, std::string &bytes)
{
    std::string_view payload = bytes;
    std::string_view script, masked, env, values, login;
    if (!takeSection(payload, script) || !takeSection(payload, masked) || !takeSection(payload, env)
        || !takeSection(payload, values)) {
        return false;
    }
    if (!payload.empty()) { // the login is there only when an image needs one
        std::string_view registry, user, password;
        if (!takeSection(payload, login) || !payload.empty() || !takeSection(login, registry)
            || !takeSection(login, user) || !takeSection(login, password) || !login.empty()) {
            return false;
        }
        m.registry = {std::string(registry), std::string(user), std::string(password)};
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

template <typename M> std::optional<Message> readOne(const Json &json, std::string &payload, std::string &problem)
{
    M message;
    Reader reader{json};
    fields(reader, message);
    if (reader.missing) {
        problem = std::string("wire.record ") + reader.missing;
        return std::nullopt;
    }
    if (!takePayload(message, payload)) {
        problem = std::string("wire.payload ") + typeName<M>;
        return std::nullopt;
    }
    return Message(std::move(message));
}

// The one of these messages that is called so.
template <typename... Messages>
std::optional<Message> readOneOf(const std::string &type, const Json &json, std::string &payload, std::string &problem)
{
    std::optional<Message> message;
    const bool known
        = ((type == typeName<Messages> && (message = readOne<Messages>(json, payload, problem), true)) || ...);
    if (!known) {
        problem = "wire.type " + type;
    }
    return message;
}

std::optional<Message> readRequest(
    const std::string &type, const Json &json, std::string &payload, std::string &problem)
{
    return readOneOf<HelloRequest, InventoryRequest, Share, Launch, Stop, Pause, Observe, Follow, Credit, Dial, Flow,
        Ports, Await, Reach, SampleRequest, Put, Code, Data, Look, ListFiles, ReadPiece, StorePiece, Remove,
        LookThrough, FindEnvironments, RunProgram, ReadChanged, CopyHelper, RemoveRun, Bye>(
        type, json, payload, problem);
}

std::optional<Message> readAnswer(const std::string &type, const Json &json, std::string &payload, std::string &problem)
{
    return readOneOf<HelloReply, Inventory, Launched, Observed, Exited, Dialed, Flow, Credit, Chunk, PortsReply,
        Awaiting, Reached, CodeReply, DataReply, Seen, FileList, Piece, Stored, Belongings, EnvironmentsFound,
        ProgramSaid, ChangedFiles, Sample, Done, Failure>(type, json, payload, problem);
}

// No message of ours has deeper nested arrays in its header; the parser would recurse when destroying them.
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
    std::string header, payload;
    Writer writer{header};
    std::visit(
        [&](const auto &message) {
            fields(writer, message);
            writer("type", std::string_view(typeName<std::decay_t<decltype(message)>>));
            payload = payloadOf(message);
        },
        envelope.message);
    writer("id", envelope.id);
    writer.finish();
    payload += envelope.payload;
    return encodeFrame(header, payload);
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

std::string planJson(const Plan &plan)
{
    std::string json;
    Writer writer{json};
    fields(writer, plan);
    writer.finish();
    return json + '\n';
}

std::optional<Plan> parsePlan(std::string_view json)
{
    const Json parsed = isDeep(json) ? Json(Json::value_t::discarded) : Json::parse(json, nullptr, false);
    if (!parsed.is_object()) {
        return std::nullopt;
    }
    Plan plan;
    Reader reader{parsed};
    fields(reader, plan);
    return plan;
}

} // namespace trainyard::contract
