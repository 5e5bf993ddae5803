// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/settingslist.h"

#include "engine/metrics/names.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <array>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t longestHeading = 80;
constexpr std::size_t longestLineOfHeading = 200; // with what loggers write in front
constexpr std::size_t longestLead = 60; // characters in front of a dictionary that are looked at
constexpr std::size_t longestEntryName = 48;
constexpr std::size_t mostEntriesOfList = 500;

constexpr std::array<std::string_view, 10> keysOfSettings{"args", "arguments", "config", "cfg", "hparams",
    "hyperparameters", "hyperparams", "settings", "flags", "namespace"};
// These words also name what is learned, so that a key alone is not enough.
constexpr std::array<std::string_view, 18> otherLeads{"arg", "argument", "configuration", "configs", "conf", "hparam",
    "params", "parameters", "options", "opts", "setting", "kwargs", "overrides", "override", "parameter", "option",
    "hyperparameter", "flag"};

bool leadsToSettings(std::string_view word)
{
    return std::find(keysOfSettings.begin(), keysOfSettings.end(), word) != keysOfSettings.end()
        || std::find(otherLeads.begin(), otherLeads.end(), word) != otherLeads.end();
}

// Characters at which a heading or a frame may end: those of the words above, and signs.
constexpr std::string_view endsOfHeadings = "segtnfmSEGTNFM:-=*#_~";

constexpr bool isOfFrame(char c) { return c == '-' || c == '=' || c == '*' || c == '#' || c == '_' || c == '~'; }

// "===== Config =====" without its frame
std::string_view withoutFrame(std::string_view text)
{
    text = trimmed(text);
    while (!text.empty() && (isOfFrame(text.front()) || isBlank(text.front()))) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (isOfFrame(text.back()) || isBlank(text.back()))) {
        text.remove_suffix(1);
    }
    return text;
}

bool isHeadingOfSettings(std::string_view body)
{
    if (body.size() > longestHeading || body.size() < 4) {
        return false;
    }
    const std::string_view inside = withoutFrame(body);
    const bool isFramed = isOfFrame(body.front()) && inside.size() + 2 <= body.size();
    const bool hasColon = inside.ends_with(':');
    const std::string_view words = trimmed(inside.substr(0, inside.size() - (hasColon ? 1U : 0U)));
    if (words.empty() || !std::all_of(words.begin(), words.end(), [](char c) {
            return isLetter(c) || isBlank(c) || c == '-' || c == '_' || c == '\'';
        })) {
        return false;
    }
    constexpr auto mostBlanks = 3;
    const auto blanks = std::count(words.begin(), words.end(), ' ');
    return (isFramed || hasColon || blanks == 0) && blanks <= mostBlanks && introducesSettings(words);
}

// "├── optimizer", "│       lr: 0.1": settings drawn as a tree
bool isOfTree(std::string_view text)
{
    constexpr std::string_view lines = "\xE2\x94"; // as "│", "├", "└" and "─" begin
    return text.starts_with(lines);
}

} // namespace

bool introducesSettings(std::string_view before)
{
    before = trimmed(before);
    while (!before.empty() && std::string_view(" \t:=,>-'\"()").find(before.back()) != std::string_view::npos) {
        before.remove_suffix(1);
    }
    const std::size_t least = before.size() > longestLead ? before.size() - longestLead : 0;
    std::size_t begin = before.size();
    while (begin > least && isWord(before[begin - 1])) {
        --begin;
    }
    const std::vector<std::string> words = wordsOf(before.substr(begin));
    return !words.empty() && leadsToSettings(words.back());
}

bool isKeyOfSettings(std::string_view key)
{
    const std::string lower = lowered(key);
    return std::find(keysOfSettings.begin(), keysOfSettings.end(), lower) != keysOfSettings.end();
}

bool isObjectOfSettings(std::string_view line)
{
    for (std::size_t open = line.find('('); open != std::string_view::npos; open = line.find('(', open + 1)) {
        if (open == 0 || !isLetter(line[open - 1])) {
            continue;
        }
        std::size_t name = open + 1;
        while (isWord(at(line, name))) {
            ++name;
        }
        const bool namesValue
            = name > open + 1 && !isDigit(line[open + 1]) && at(line, name) == '=' && at(line, name + 1) != '=';
        if (!namesValue) {
            continue;
        }
        std::size_t begin = open;
        while (begin > 0 && isWord(line[begin - 1])) {
            --begin;
        }
        // "loss(config=...)" is a call of something else.
        if (isUpper(line[begin]) && introducesSettings(line.substr(begin, open - begin))) {
            return true;
        }
    }
    return false;
}

bool SettingsList::mayMatter(std::string_view line) const
{
    return m_isOpen
        || (!line.empty() && line.size() <= longestLineOfHeading
            && endsOfHeadings.find(line.back()) != std::string_view::npos);
}

void SettingsList::close()
{
    m_isOpen = false;
    m_wasBlank = false;
    m_section.clear();
    m_names.clear();
}

// "lr: 0.1", "  n_heads = 8", "model:", "- adam": one name of few words, and whatever its value is.
bool SettingsList::takeEntry(std::string_view text)
{
    if (text.starts_with("- ") && !m_names.empty()) {
        return true;
    }
    const std::size_t begin = text.starts_with("--") ? 2 : 0; // "--lr: 0.1"
    std::size_t end = begin;
    int words = 1;
    while (end < text.size() && end <= longestEntryName
        && (isWord(text[end]) || text[end] == '.' || text[end] == '-' || isBlank(text[end]))) {
        if (isBlank(text[end]) && isWord(at(text, end + 1))) {
            ++words;
            if (isDigit(text[end + 1])) {
                return false; // "epoch 3 loss: 0.5"
            }
        }
        ++end;
    }
    constexpr int mostWords = 4;
    const bool isJoined = at(text, end) == ':' || (at(text, end) == '=' && at(text, end + 1) != '=');
    if (end == begin || !isJoined || isDigit(text[begin]) || words > mostWords || m_names.size() >= mostEntriesOfList) {
        return false;
    }
    // "step: 1, loss: 0.5" and "step: 1 loss: 0.5" are not settings: a line of settings has only one name.
    const std::string_view value = trimmed(text.substr(end + 1));
    const std::size_t next = std::min(value.find_first_of(":="), value.size());
    const bool isOne = value.empty() || std::string_view("'\"[({<").find(value.front()) != std::string_view::npos
        || value.find_first_of(" ,;|") >= next || value.find("[default") < next || value.find("(default") < next;
    if (!isOne) {
        return false;
    }
    const std::string_view name = trimmed(text.substr(begin, end - begin));
    if (value.empty()) {
        m_section = name;
    }
    return m_names.insert(value.empty() ? m_section : m_section + '/' + std::string(name)).second;
}

bool SettingsList::take(std::string_view body)
{
    body = trimmed(body);
    if (isHeadingOfSettings(body)) {
        close();
        m_isOpen = true;
        return true;
    }
    if (!m_isOpen) {
        return false;
    }
    if (withoutFrame(body).empty()) { // a line of dashes, or a blank one
        if (m_names.empty() && !m_wasBlank) {
            m_wasBlank = body.empty();
            return !body.empty();
        }
        close();
        return false;
    }
    if (isOfTree(body) || takeEntry(body)) {
        return true;
    }
    close();
    return false;
}

} // namespace trainyard::metrics
