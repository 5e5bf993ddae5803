// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/loggerparts.h"
#include "engine/metrics/tablecells.h"
#include "engine/metrics/tablecolumns.h"
#include "engine/metrics/tables.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <utility>

namespace trainyard::metrics
{

// A row that has left cells empty: all that stands in it are values, behind one mark at most.
std::vector<std::string_view> TableReader::spread(
    const std::vector<std::string_view> &cells, std::string_view line) const
{
    std::vector<std::string_view> values = cells;
    if (!values.empty() && values.front().size() == 1 && !isDigit(values.front().front())) {
        values.erase(values.begin()); // "H", "*"
    } else if (!values.empty() && values.front().size() > 1 && values.front().front() == '*') {
        values.front().remove_prefix(1);
    }
    if (!values.empty() && values.front().size() > 1 && values.front().ends_with('+')) {
        values.front().remove_suffix(1); // "150+"
    }
    const auto isValue = [](std::string_view cell) {
        const CellKind kind = readCell(cell).kind;
        return kind == CellKind::Number || kind == CellKind::Measure || kind == CellKind::Empty;
    };
    constexpr std::size_t least = 2;
    if (m_header.stepColumns.empty() || values.size() < least || values.size() > m_header.names.size()
        || !std::all_of(values.begin(), values.end(), isValue)) {
        return {};
    }
    return m_places.spread(values, line, m_indent);
}

const StepName *TableReader::Header::stepAt(std::size_t column) const
{
    const auto found = std::find_if(
        stepColumns.begin(), stepColumns.end(), [column](const StepColumn &step) { return step.at == column; });
    return found != stepColumns.end() ? &found->name : nullptr;
}

// The cells of a row, at the places of the header's columns.
std::vector<std::string_view> TableReader::cellsOf(std::string_view line)
{
    std::string_view body = trimmed(line);
    while (!body.empty() && body.back() == ':') {
        body.remove_suffix(1);
    }
    std::vector<std::string_view> cells;
    switch (m_header.cells) {
    case Cells::Tabs:
        cells = splitAt(line, '\t');
        break;
    case Cells::Commas:
        cells = splitAt(body, ',');
        std::transform(cells.begin(), cells.end(), cells.begin(), withoutQuotes);
        break;
    case Cells::Bars:
        cells = splitAt(line, '|');
        break;
    case Cells::Words:
        cells = splitAtBlanks(body, 1);
        break;
    case Cells::Labelled: {
        const std::string_view values = withoutRowLabel(body);
        constexpr std::size_t mostLeftOut = 2; // at the end
        if (values.size() < body.size() && isDigit(at(values, 0))) {
            cells = splitAtBlanks(values, 1);
        }
        if (cells.size() < m_header.names.size() && cells.size() + mostLeftOut >= m_header.names.size()) {
            cells.resize(m_header.names.size());
        }
        break;
    }
    case Cells::Blanks:
        cells = splitAtBlanks(body, 2);
        if (cells.size() != m_header.names.size()) {
            cells = splitAtBlanks(body, 1);
            const std::string words = m_headerLine;
            const std::vector<std::string_view> names = splitAtBlanks(words, 1);
            if (cells.size() != m_header.names.size() && cells.size() == names.size()) {
                if (setHeader(names, Cells::Blanks, false)) {
                    m_places.setHeader(names, words, m_indent);
                }
            }
        }
        break;
    }
    // What the header does not name may follow: "*", "<- new best", "[12.3s]", "lr=0.001".
    const auto isMark = [](std::string_view cell) {
        constexpr std::size_t longestMark = 24;
        const bool isAside = (cell.starts_with('[') && cell.ends_with(']')) || cell.find('=') != std::string_view::npos;
        return cell.empty()
            || (cell.size() <= longestMark && (!hasDigit(cell) || isAside) && readCell(cell).kind != CellKind::Number);
    };
    while (m_header.cells != Cells::Commas && (!m_header.stepColumns.empty() || m_header.cells == Cells::Tabs)
        && cells.size() > m_header.names.size() && isMark(cells.back())) {
        cells.pop_back();
    }
    // A time that the header does not name may follow: "(00:13)".
    if (cells.size() == m_header.names.size() + 1
        && (at(cells.back(), 0) == '(' || readCell(cells.back()).kind == CellKind::Measure)) {
        cells.pop_back();
    }
    if (m_header.cells == Cells::Blanks || m_header.cells == Cells::Words) {
        if (cells.size() == m_header.names.size() && readCell(cells.front()).kind == CellKind::Number) {
            m_places.learn(cells, line, m_indent);
        } else if (std::vector<std::string_view> all = spread(splitAtBlanks(body, 1), line); !all.empty()) {
            cells = std::move(all);
        }
    }
    return cells;
}

bool TableReader::takeTimedRow(std::string_view line)
{
    if (m_header.names.empty() || m_header.isBoxed || m_header.cells != Cells::Blanks
        || !isColumnOfTime(m_header.names.front())) {
        return false;
    }
    const std::vector<std::string_view> cells = splitAtBlanks(line, 2);
    return cells.size() == m_header.names.size() && stampAt(cells.front()) > 0 && takeRow(cells, true);
}

bool TableReader::takeRow(const std::vector<std::string_view> &cells, bool mayBeRow)
{
    if (cells.size() != m_header.names.size()) {
        return false;
    }
    if (m_header.isByParts && takeRowOfParts(cells, mayBeRow)) {
        return true;
    }
    if (m_header.namedValue) {
        return takeNamedRow(cells);
    }
    Record row;
    std::string_view label;
    int numbers = 0, texts = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell cell = readCell(cells[i]);
        const StepName *step = m_header.stepAt(i);
        if (const auto counted
            = step && cell.kind != CellKind::Number ? countWithShare(trimmed(cells[i])) : std::nullopt) {
            row.fraction = counted->share;
            row.steps.push_back({*step, counted->count, {}, false, false});
            continue;
        }
        if (const auto count
            = step && cell.kind == CellKind::Mixed ? countBehindName(trimmed(cells[i])) : std::nullopt) {
            row.steps.push_back({*step, *count, {}, false, false});
            continue;
        }
        if (step && cell.kind == CellKind::Empty && m_header.stepColumns.size() > 1) {
            continue; // the batch in the row of a whole epoch
        }
        if (step) {
            if ((cell.kind != CellKind::Number && cell.kind != CellKind::Ratio) || cell.number.value < 0) {
                return false;
            }
            row.steps.push_back({*step, cell.number.value, cell.number.total, false, !cell.number.isWhole});
            continue;
        }
        if (cell.kind != CellKind::Number && kindOf(m_header.names[i]) == NameKind::TimeLeft) {
            row.secondsLeft = durationAt(trimmed(cells[i]), 0);
            continue;
        }
        switch (cell.kind) {
        case CellKind::Number:
            ++numbers;
            if (!m_header.names[i].empty()) {
                row.pairs.push_back(pairOf(m_header.names[i], cell.number));
                if (m_header.cells == Cells::Labelled && !cell.number.isWhole) {
                    row.pairs.back().kind = NameKind::Unknown; // the "TOTAL" of an energy is not a count
                }
            }
            break;
        case CellKind::Text:
            ++texts;
            if (label.empty()) {
                label = cells[i];
            }
            break;
        case CellKind::Mixed:
            if (m_header.stepColumns.empty()) {
                return false;
            }
            break;
        case CellKind::Measure:
        case CellKind::Ratio:
        case CellKind::Empty:
            break;
        }
    }
    // In a file of tabs or commas, rows need no label: they are in their order.
    const bool mayHaveNone = (m_header.cells == Cells::Tabs || m_header.cells == Cells::Commas) && texts == 0;
    if ((numbers == 0 && !row.fraction) || (!m_header.isBoxed && m_header.hasLabels && texts != 1 && !mayHaveNone)) {
        return false;
    }
    if (!m_header.isBoxed && stepName(label)) {
        return false; // "Epoch 2" below a table of two columns
    }
    m_misses = 0;
    if (!mayBeRow) {
        row.pairs.clear();
        give(std::move(row)); // how far it is
        return true;
    }
    if (m_header.isDoubled) {
        return true;
    }
    if (!row.steps.empty()) {
        give(std::move(row));
        return true;
    }
    if (!m_header.hasMetric) {
        return true;
    }
    if (texts == 0 || isOfAll(label)) {
        m_labelled += texts == 0 ? 0 : mostMisses; // the rows below are parts of it
        give(std::move(row));
        return true;
    }
    if (isPartName(label) && texts == 1) { // "train | 0.5 | 0.9": one row for each part of the data
        for (Pair &pair : row.pairs) {
            pair.name = std::string(trimmed(label)) + '/' + pair.name;
        }
        m_labelled += mostMisses;
        give(std::move(row));
        return true;
    }
    if (++m_labelled == 1) {
        m_only = std::move(row);
    } else {
        m_only = {};
    }
    return true;
}

} // namespace trainyard::metrics
