// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/mask.h"

#include "engine/contract/decodedlines.h"
#include "engine/contract/encodedtexts.h"
#include "engine/contract/shellparts.h"
#include "engine/contract/spelledtext.h"

#include <algorithm>

namespace trainyard::contract
{
namespace
{

std::vector<std::string_view> linesOf(std::string_view value)
{
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; value.find('\n') != std::string_view::npos && begin <= value.size();) {
        const std::size_t newline = std::min(value.find('\n', begin), value.size());
        std::string_view line = value.substr(begin, newline - begin);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        lines.push_back(line);
        begin = newline + 1;
    }
    return lines;
}

// Indentation, brackets and rulers are in every other text, too.
bool saysSomething(std::string_view line)
{
    const std::size_t first = line.find_first_not_of(" \t{}[](),;:");
    return first != std::string_view::npos
        && (isLetterOrDigit(line[first]) || line.find_first_not_of(line[first], first) != std::string_view::npos);
}

} // namespace

struct Secrets::Known {
    struct PartStart {
        std::uint32_t parts = 0; // in the list of them
        std::uint32_t element = 0;
    };

    std::vector<SpelledText> texts;
    std::array<std::vector<std::uint32_t>, 256> byFirst; // texts by their first bytes
    std::vector<ShellParts> parts;
    std::array<std::vector<PartStart>, 256> partsByFirst;
    EncodedTexts encoded;
    BytePairs starts;

    void addParts(std::uint32_t text, std::size_t valueSize)
    {
        ShellParts found(texts[text], text, valueSize);
        const auto number = static_cast<std::uint32_t>(parts.size());
        for (const std::size_t element : found.starts()) {
            found.addStarts(starts, texts[text], element);
            for (const char c : texts[text].firstBytes(element)) {
                partsByFirst[static_cast<unsigned char>(c)].push_back({number, static_cast<std::uint32_t>(element)});
            }
        }
        if (!found.starts().empty()) {
            parts.push_back(std::move(found));
        }
    }
};

Secrets::Secrets(const std::vector<std::string> &values)
{
    const auto isKnown = [](const std::string &value) { return value.size() >= shortest; };
    if (std::none_of(values.begin(), values.end(), isKnown)) { // nor is any line of them
        return;
    }
    const auto all = std::make_shared<Known>();
    std::vector<std::string_view> known;
    const auto add = [&](std::string_view value, bool isWhole, std::size_t wholeSize) {
        if (value.size() < shortest || std::find(known.begin(), known.end(), value) != known.end()) {
            return;
        }
        known.push_back(value);
        const auto number = static_cast<std::uint32_t>(all->texts.size());
        all->texts.emplace_back(value);
        for (const char c : all->texts.back().firstBytes()) {
            all->byFirst[static_cast<unsigned char>(c)].push_back(number);
        }
        all->encoded.add(value, isWhole);
        if (value.find('\n') == std::string_view::npos) { // its lines have parts
            all->addParts(number, wholeSize);
        }
    };
    for (const std::string &value : values) {
        add(value, true, value.size());
    }
    for (const std::string &value : values) {
        for (const std::string_view line : linesOf(value)) {
            if (saysSomething(line)) {
                add(line, false, value.size());
            }
        }
    }
    std::vector<std::vector<std::string>> decoded; // `known` refers to them
    decoded.reserve(values.size());
    for (const std::string &value : values) {
        for (const std::string &line : decoded.emplace_back(decodedLines(value))) {
            if (saysSomething(line) && isTellingPart(line, value.size())) {
                add(line, false, value.size());
            }
        }
    }
    all->encoded.finish();
    all->encoded.addStarts(all->starts);
    for (const SpelledText &text : all->texts) {
        text.addStarts(all->starts);
    }
    m_known = all;
}

SecretMatch Secrets::findKnown(std::string_view text, std::size_t at, const std::array<char, 2> &before) const
{
    SecretMatch match{at, false};
    const Known &known = *m_known;
    if (EncodedTexts::isWordStart(text, at, before)) {
        known.encoded.findPart(text, at, match);
    }
    if (at + 1 < text.size() && !known.starts.has(text[at], text[at + 1])) {
        return match;
    }
    known.encoded.findWhole(text, at, match);
    for (const std::uint32_t number : known.byFirst[static_cast<unsigned char>(text[at])]) {
        const SecretMatch found = known.texts[number].find(text, at);
        match.end = std::max(match.end, found.end);
        match.isOpen = match.isOpen || found.isOpen;
    }
    for (const Known::PartStart &start : known.partsByFirst[static_cast<unsigned char>(text[at])]) {
        const ShellParts &parts = known.parts[start.parts];
        const SecretMatch found = parts.find(known.texts[parts.text()], start.element, text, at);
        match.end = std::max(match.end, found.end);
        match.isOpen = match.isOpen || found.isOpen;
    }
    return match;
}

void Masker::run(std::string_view bytes, bool last, std::string &out)
{
    m_held += bytes;
    const std::string_view text = m_held;
    std::size_t border = text.size(); // from there on, more text decides
    std::size_t shown = std::min(m_covered, text.size()); // all before is written or masked
    std::size_t maskEnd = m_covered; // the newest mask reaches to here
    for (std::size_t at = 0; at < text.size(); ++at) {
        const SecretMatch match = m_secrets.find(text, at, m_before);
        if (match.isOpen && !last) {
            border = at;
            break;
        }
        if (match.end == at) {
            continue;
        }
        if (at >= maskEnd) {
            const std::size_t from = std::max(shown, maskEnd);
            out += text.substr(from, at - from);
            out += "******";
            ++m_count;
            shown = at;
        }
        maskEnd = std::max(maskEnd, match.end);
    }
    const std::size_t from = std::max(shown, maskEnd);
    if (from < border) {
        out += text.substr(from, border - from);
    }
    m_covered = maskEnd > border ? maskEnd - border : 0;
    if (border > 0) {
        m_before = {border > 1 ? text[border - 2] : m_before[1], text[border - 1]};
    }
    m_held.erase(0, border);
}

std::string masked(const Secrets &secrets, std::string_view text)
{
    if (secrets.isEmpty()) {
        return std::string(text);
    }
    Masker masker(secrets);
    std::string shown;
    masker.push(text, shown);
    masker.finish(shown);
    return shown;
}

} // namespace trainyard::contract
