// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textreader.h"

#include <algorithm>
#include <array>
#include <vector>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

// "Episode 3 finished after 20 timesteps and got 1.5 reward": the value stands before its name. Only in the sentence
// of a step, and where nothing follows that would make it a part of something else.
bool TextReader::takeGainInWords(const Number &number, std::size_t begin)
{
    static constexpr std::array verbs{"got"sv, "received"sv, "earned"sv, "collected"sv, "obtained"sv};
    static constexpr std::array gains{"reward"sv, "total reward"sv, "return"sv, "score"sv};
    if (m_record.steps.empty() || number.total || number.unit != Unit::None) {
        return false;
    }
    const std::string_view before = trimmed(m_line.substr(0, begin));
    const std::string_view verb = before.substr(before.find_last_of(' ') + 1);
    const std::string_view behind = m_line.substr(number.end);
    const std::size_t sign = behind.find_first_of(".,;!|(");
    const std::string_view name = trimmed(behind.substr(0, sign));
    if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end() || !behind.starts_with(' ')
        || std::find(gains.begin(), gains.end(), lowered(name)) == gains.end()) {
        return false;
    }
    addPair({name, {}, Joint::Sign}, number, true);
    after(sign == std::string_view::npos ? m_line.size() : number.end + sign);
    return true;
}

// "Mean test loss of 8 batches: 0.5": of how many the value behind the colon is the mean.
bool TextReader::takeMeanOfCount(const Number &number, std::size_t begin)
{
    constexpr std::string_view joint = " of ";
    const std::string_view before = m_line.substr(m_start, begin - m_start);
    const std::size_t word = skipBlanks(m_line, number.end), end = lettersEnd(m_line, word);
    const std::size_t digits = skipBlanks(m_line, end + 1);
    Number value;
    if (!number.isWhole || number.total || number.unit != Unit::None || !before.ends_with(joint) || word == number.end
        || end == word || m_line[end - 1] != 's' || at(m_line, end) != ':' || digits >= m_line.size()
        || !beginsNumber(m_line, digits) || lexNumber(m_line, digits, value) != Lexed::Number || value.total
        || (value.decimals == 0 && value.unit != Unit::Percent)) { // "errors of 8 files: 12" is a count
        return false;
    }
    const std::string_view name = trimmed(before.substr(0, before.size() - joint.size()));
    if (!endsAsMetric(name) || name.find_first_of(":=,|[") != std::string_view::npos) {
        return false;
    }
    addPair({name, {}, Joint::Sign}, value, true);
    after(value.end);
    return true;
}

// "perplexity estimate on a corpus of 100 documents with 4000 words": how large something else is
bool TextReader::isCountOfThings(const Number &number, std::size_t begin) const
{
    constexpr std::string_view joint = " of ";
    const std::size_t word = number.end + 1, end = lettersEnd(m_line, std::min(word, m_line.size()));
    return number.isWhole && !number.total && number.unit == Unit::None
        && m_line.substr(m_start, begin - m_start).ends_with(joint) && at(m_line, number.end) == ' ' && end > word
        && m_line[end - 1] == 's' && m_line.substr(end).starts_with(" with ");
}

// "Avg Loss: D[0.25] G[0.5]": several values of what stands before the colon. One alone may be anything, such as a
// place in a list.
bool TextReader::takeNamesWithBrackets()
{
    struct Part {
        std::string_view name;
        Number value;
    };
    constexpr std::size_t leastParts = 2;
    const std::size_t colon = m_line.substr(0, m_i).rfind(':');
    if (colon == std::string_view::npos || colon <= m_start) {
        return false;
    }
    const std::string_view whole = trimmed(m_line.substr(m_start, colon - m_start));
    if (!endsAsMetric(whole)) {
        return false;
    }
    std::vector<Part> parts;
    std::size_t i = skipBlanks(m_line, colon + 1);
    while (i < m_line.size()) {
        std::size_t open = i;
        while (isWord(at(m_line, open))) {
            ++open;
        }
        const std::size_t close = m_line.find(']', open);
        const std::optional<Number> value = open > i && at(m_line, open) == '[' && close != std::string_view::npos
            ? wholeNumber(m_line.substr(open + 1, close - open - 1))
            : std::nullopt;
        if (!value || value->decimals == 0) {
            break;
        }
        parts.push_back({m_line.substr(i, open - i), *value});
        i = skipBlanks(m_line, close + 1);
    }
    if (parts.size() < leastParts) {
        return false;
    }
    for (const Part &part : parts) {
        const std::size_t known = m_record.pairs.size();
        addPair({part.name, {}, Joint::Sign}, part.value, true);
        if (m_record.pairs.size() > known) {
            m_record.pairs.back().name = std::string(whole) + '/' + std::string(part.name);
            m_record.pairs.back().kind = NameKind::Metric;
        }
    }
    after(i);
    return true;
}

} // namespace trainyard::metrics
