// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/messagepayload.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace trainyard::contract
{
namespace
{

// Sections: u32 length, bytes.
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

} // namespace

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

} // namespace trainyard::contract
