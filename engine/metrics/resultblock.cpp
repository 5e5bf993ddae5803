// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/resultblock.h"

#include "engine/metrics/textline.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostBlockLines = 500;

// "***** Eval results *****": names in the order of the alphabet follow, so that the step may come last.
bool headsResults(std::string_view text)
{
    constexpr std::string_view border = "***";
    const bool isHeading = text.starts_with(border) && text.ends_with(border);
    return isHeading
        && (text.find(" results") != std::string_view::npos || text.find(" metrics") != std::string_view::npos)
        && std::none_of(text.begin(), text.end(), [](char c) { return isDigit(c); });
}

bool isIndented(std::string_view text, std::string_view body)
{
    return isBlank(text.front()) && body.size() < text.size();
}

} // namespace

bool ResultBlock::goesOn(std::string_view text, std::string_view body, std::uint64_t line)
{
    const bool isInside = m_isListOfResults ? body.find(" = ") != std::string_view::npos && body.front() != '*'
                                            : isIndented(text, body) && body.find(':') != std::string_view::npos;
    if (!m_isOpen || !isInside || m_lines.size() >= mostBlockLines) {
        return false;
    }
    Record record;
    readText(body, record);
    if (!record.isEmpty()) {
        m_lines.emplace_back(line, std::move(record));
    }
    return true;
}

bool ResultBlock::begins(std::string_view text, std::string_view body)
{
    if (!isIndented(text, body) && body.starts_with("Result") && body.back() == ':') {
        Record heading;
        readText(body, heading);
        if (!heading.steps.empty()) {
            return false; // "Results for epoch 3:" names the step of the lines below by itself
        }
        m_isOpen = true;
        m_isListOfResults = false;
    } else if (headsResults(body)) {
        m_isOpen = m_isListOfResults = true;
    } else {
        return false;
    }
    return true;
}

ResultBlock::Lines ResultBlock::close()
{
    m_isOpen = false;
    std::vector<StepMark> steps;
    for (const auto &[line, record] : m_lines) {
        if (record.pairs.empty()) {
            steps.insert(steps.end(), record.steps.begin(), record.steps.end());
        }
    }
    Lines lines = std::exchange(m_lines, {});
    if (m_isListOfResults) { // as if the step stood above them
        std::stable_partition(lines.begin(), lines.end(), [](const auto &line) { return line.second.pairs.empty(); });
        steps.clear();
    }
    for (auto &[line, record] : lines) {
        if (record.steps.empty()) {
            record.steps = steps;
            // The step belongs to the block and not to the line, so that only certain metrics count.
            std::erase_if(record.pairs, [&](const Pair &pair) {
                const bool isCertain = pair.kind == NameKind::Metric || (pair.kind == NameKind::Faint && !pair.isWhole);
                return !steps.empty() && !isCertain;
            });
        }
    }
    return lines;
}

} // namespace trainyard::metrics
