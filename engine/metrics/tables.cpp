// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/tables.h"

#include "engine/metrics/tablecells.h"
#include "engine/metrics/words.h"

#include <utility>

namespace trainyard::metrics
{

TableReader::TableReader(Found found) : m_found(std::move(found)) { }

void TableReader::give(Record &&record)
{
    record.shape = Shape::Table;
    m_found(std::move(record));
}

void TableReader::finish() { closeBox(); }

bool TableReader::take(std::string_view line, bool mayBeRow)
{
    // "1  0.5  0.7  \u2502  0.6  0.8": a line between groups of columns
    if (constexpr std::string_view upright = "\xE2\x94\x82"; !trimmed(line).starts_with(upright)) {
        std::string parted(line);
        for (std::size_t i = parted.find(upright); i != std::string::npos; i = parted.find(upright, i)) {
            parted.replace(i, upright.size(), "   ");
        }
        if (parted != line) {
            return take(parted, mayBeRow);
        }
    }
    if (const std::optional<std::string> tabs = withTabsForSemicolons(line)) {
        const bool isBelow = m_header.cells == Cells::Tabs && !m_header.names.empty() && isDigit(tabs->front());
        if (isBelow || stepName(std::string_view(*tabs).substr(0, tabs->find('\t')))) {
            return take(*tabs, mayBeRow);
        }
    }
    const std::string_view text = trimmed(line);
    if (text.empty()) {
        if (m_inBox || m_inList) {
            closeBox();
        }
        return false;
    }
    const char c = text.front();
    if (c == '|' || (c == '\xE2' && isUpright(text))) {
        if (isRule(text)) {
            m_header.mayGoOn = false;
            return true;
        }
        m_groups.note(text, m_indent, m_line);
        return takeBoxed(text);
    }
    if (c == '-' && isRuleOfTwo(text)) { // a list of names with values between two of them
        closeBox();
        m_inList = true;
        return true;
    }
    if (m_inList) {
        const std::vector<std::string_view> cells = splitAtBlanks(text, 2);
        const Cell value = cells.size() == 2 ? readCell(cells[1]) : Cell();
        if (value.kind == CellKind::Number && takeValue(cells[0], value.number)) {
            return true;
        }
        closeBox();
    }
    if ((c == '-' || c == '+' || c == '=' || c == '\xE2' || c == '_' || c == '*') && isRule(text)) {
        if (m_inBox && !m_values.isEmpty()) {
            closeBox();
        }
        return true;
    }
    if (m_inBox) {
        closeBox();
    }
    if (!m_header.names.empty() && !m_header.isBoxed) {
        if (takeRow(cellsOf(line), mayBeRow)) {
            return true;
        }
        if (m_labelled > 0) {
            if (m_labelled == 1) {
                give(std::exchange(m_only, {}));
            }
            m_labelled = 0;
        }
        if (++m_misses > mostMisses) {
            m_header = {};
        }
    }
    std::string_view head = text;
    while (!head.empty() && head.back() == ':') {
        head.remove_suffix(1);
    }
    const std::vector<std::string> both = m_stacked.with(text, m_line);
    m_stacked.note(text, m_line);
    if (!both.empty() && setHeader({both.begin(), both.end()}, Cells::Words, false)) {
        return true;
    }
    return takeHeader(head);
}

} // namespace trainyard::metrics
