// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/partsections.h"

#include "engine/metrics/names.h"
#include "engine/metrics/prefix.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

constexpr std::string_view signsOfFrame = "=-*#_~<>[]:. \t";

// "results" of "Validation results:"
bool isSecondWord(std::string_view word)
{
    const std::string lower = lowered(word);
    return lower == "results" || lower == "metrics" || lower == "set" || lower == "phase";
}

// Nearly no line does, so that nothing more has to be known of it.
bool endsAsHeading(std::string_view text)
{
    constexpr std::size_t longestHeading = 140; // with what loggers write in front
    const std::size_t last = text.find_last_not_of(signsOfFrame);
    if (last == std::string_view::npos || !isLetter(text[last]) || text.size() > longestHeading) {
        return false;
    }
    std::size_t begin = last;
    while (begin > 0 && isLetter(text[begin - 1])) {
        --begin;
    }
    const std::string_view word = text.substr(begin, last + 1 - begin);
    return isOfEvaluation(word) || isPartName(word) || isSecondWord(word);
}

} // namespace

void EvaluationHeadings::take(std::string_view text, Record &record, std::uint64_t line)
{
    if (record.steps.empty()) {
        mark(record, line);
        return;
    }
    const bool isAlone = record.pairs.empty() && record.looseNumbers == 0;
    if (isAlone && m_headingLine > 0 && line == m_headingLine + 1) {
        return; // "Epoch: 3" below "=== Validation ==="
    }
    const std::string_view first = text.substr(0, lettersEnd(text, 0));
    const bool isHeading = isAlone && isOfEvaluation(first);
    m_part = isHeading ? evaluationIn(first) : std::string();
    m_line = line;
}

// "=== Validation ===", "[EVAL]", "Stage.EVAL", "Validation results:"
void EvaluationHeadings::noteHeading(std::string_view text, std::uint64_t line)
{
    if (!endsAsHeading(text)) {
        return;
    }
    const std::string_view body = withoutPrefix(text);
    const std::size_t begin = std::min(body.find_first_not_of(signsOfFrame), body.size());
    std::string_view inside = body.substr(begin, body.find_last_not_of(signsOfFrame) + 1 - begin);
    constexpr std::string_view stage = "Stage.";
    inside.remove_prefix(inside.starts_with(stage) ? stage.size() : 0);
    const std::string_view first = inside.substr(0, lettersEnd(inside, 0));
    const std::string_view second = trimmed(inside.substr(first.size()));
    if (!second.empty() && !isSecondWord(second)) {
        return;
    }
    if (isOfEvaluation(first)) {
        m_part = evaluationIn(first);
    } else if (isPartName(first)) {
        m_part.clear();
    } else {
        return;
    }
    m_line = m_headingLine = line;
}

void EvaluationHeadings::mark(Record &record, std::uint64_t line) const
{
    constexpr std::uint64_t longestBlock = 20; // lines
    if (m_part.empty() || !record.steps.empty() || line > m_line + longestBlock) {
        return;
    }
    for (Pair &pair : record.pairs) {
        const bool saysItself = !pair.context.empty() || isOfEvaluation(pair.name) || pair.name.starts_with("train")
            || pair.name.starts_with("Train");
        pair.context = saysItself ? pair.context : m_part;
    }
}

std::string_view PartSections::take(std::size_t indent, std::string_view line)
{
    line = trimmed(line);
    if (line.empty()) {
        return {};
    }
    const std::size_t colon = line.find(':');
    if (colon + 1 == line.size() && isPartName(line.substr(0, colon))) {
        m_part = line.substr(0, colon);
        m_indent = indent;
        return {};
    }
    if (!m_part.empty() && indent <= m_indent) {
        m_part.clear();
    }
    return m_part;
}

void PartSections::noteOther(std::string_view line)
{
    if (!m_part.empty() && !line.empty() && !isBlank(line.front())) {
        m_part.clear();
    }
}

} // namespace trainyard::metrics
