// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/alignednames.h"

#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

bool hasSureMetric(const Record &record)
{
    return record.steps.empty() && std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
        return pair.kind == NameKind::Metric && pair.decimals > 0;
    });
}

// A single name with a value, from which alone it cannot be told whether it is a metric.
bool mayBeFigure(const Record &record)
{
    if (record.shape != Shape::Text || record.pairs.size() != 1 || !record.steps.empty() || record.looseNumbers > 0) {
        return false;
    }
    const Pair &pair = record.pairs.front();
    return (pair.kind == NameKind::Unknown || pair.kind == NameKind::Setting) && pair.isJoined && pair.decimals > 0;
}

} // namespace

AlignedNames::Lines AlignedNames::next(std::string_view line)
{
    const std::size_t begin = skipBlanks(line, 0), colon = line.find(':', begin);
    const bool isName = colon != std::string_view::npos && colon > begin && isLetter(line[begin])
        && !isBlank(line[colon - 1]) && isBlank(at(line, colon + 1));
    // A name that is wider than the column begins the line.
    const bool isWider = isName && begin == 0 && m_hasMetric && m_isRightAligned && colon > m_column;
    m_isInside = isName && m_column > 0 && (isWider || (begin > 0 && colon == m_column));
    if (m_isInside) {
        m_isRightAligned = m_isRightAligned || begin != m_indent;
        return {};
    }
    m_column = isName && begin > 0 ? colon : 0;
    m_indent = begin;
    m_hasMetric = m_isRightAligned = false;
    return take();
}

bool AlignedNames::waits(Record &record, std::uint64_t line)
{
    m_hasMetric = m_hasMetric || (m_column > 0 && hasSureMetric(record));
    if (!m_isInside) {
        return false;
    }
    if (m_hasMetric && m_isRightAligned) {
        record.isOfBlock = true;
        for (auto &[heldLine, held] : m_held) {
            held.isOfBlock = true;
        }
        return false;
    }
    if (!mayBeFigure(record)) {
        return false;
    }
    m_held.emplace_back(line, std::move(record));
    return true;
}

} // namespace trainyard::metrics
