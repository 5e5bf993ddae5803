// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/tablecells.h"
#include "engine/metrics/tablecolumns.h"
#include "engine/metrics/tables.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

// Rows that name themselves what they measure.

// "loss | 0.5 | 0.75" below "Metric | Train | Val"
bool TableReader::takeRowOfParts(const std::vector<std::string_view> &cells, bool mayBeRow)
{
    const std::string_view measured = trimmed(cells.front());
    const NameKind kind = kindOf(measured);
    if ((kind != NameKind::Metric && kind != NameKind::Faint) || readCell(measured).kind != CellKind::Text) {
        return false;
    }
    Record row;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        const Cell cell = readCell(cells[i]);
        if (cell.kind == CellKind::Text || cell.kind == CellKind::Mixed) {
            return false;
        }
        if (cell.kind == CellKind::Number) {
            row.pairs.push_back(pairOf(m_header.names[i] + '/' + std::string(measured), cell.number));
        }
    }
    if (row.pairs.empty()) {
        return false;
    }
    m_misses = 0;
    m_only = {};
    m_labelled += mostMisses; // whatever else has a name there is not a metric
    if (mayBeRow) {
        give(std::move(row));
    }
    return true;
}

// "hellaswag | 1 | none | 0 | acc | | 0.45 |" below "Tasks | Version | Filter | n-shot | Metric | | Value |". What
// stands in words in front of the metric says of what it is; a row that leaves out the first of them goes on with that
// of the row above.
bool TableReader::takeNamedRow(const std::vector<std::string_view> &cells)
{
    constexpr std::size_t most = 1000;
    const auto [name, value] = *m_header.namedValue;
    const Cell measured = readCell(cells[value]);
    if (measured.kind != CellKind::Number || readCell(cells[name]).kind != CellKind::Text
        || m_named.pairs.size() >= most) {
        return true;
    }
    std::string of;
    for (std::size_t i = 0; i < name; ++i) {
        std::string_view label = trimmed(cells[i]);
        while (i == 0 && (label.starts_with('-') || label.starts_with(' '))) {
            label.remove_prefix(1); // "- a", which is below a group
        }
        if (i == 0 && !label.empty()) {
            m_rowLabel = label;
        }
        label = i == 0 ? std::string_view(m_rowLabel) : label;
        if (readCell(label).kind == CellKind::Text && lowered(label) != "none") {
            of += std::string(label) + '/';
        }
    }
    m_named.pairs.push_back(pairOf(of + std::string(trimmed(cells[name])), measured.number));
    m_named.pairs.back().kind = NameKind::Metric;
    return true;
}

} // namespace trainyard::metrics
