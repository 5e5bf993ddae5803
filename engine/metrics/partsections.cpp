// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/partsections.h"

#include "engine/metrics/names.h"
#include "engine/metrics/words.h"

namespace trainyard::metrics
{

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
    constexpr std::size_t longestHeading = 60;
    constexpr std::string_view frame = "=-*#_~<>[]:. \t";
    if (text.size() > longestHeading || hasDigit(text)) {
        return;
    }
    const std::size_t begin = text.find_first_not_of(frame);
    if (begin == std::string_view::npos) {
        return;
    }
    std::string_view inside = text.substr(begin, text.find_last_not_of(frame) + 1 - begin);
    constexpr std::string_view stage = "Stage.";
    inside.remove_prefix(inside.starts_with(stage) ? stage.size() : 0);
    const std::size_t end = lettersEnd(inside, 0);
    const std::string second = lowered(trimmed(inside.substr(end)));
    if (!(second.empty() || second == "results" || second == "metrics" || second == "set" || second == "phase")) {
        return;
    }
    const std::string_view first = inside.substr(0, end);
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
