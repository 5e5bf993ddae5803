// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/columns.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

std::size_t offsetIn(std::string_view line, std::string_view cell)
{
    return static_cast<std::size_t>(cell.data() - line.data());
}

} // namespace

void ColumnPlaces::setHeader(const std::vector<std::string_view> &names, std::string_view line, std::size_t indent)
{
    m_places.clear();
    m_isLearnt = false;
    for (const std::string_view name : names) {
        const std::size_t begin = offsetIn(line, name) + indent;
        m_places.push_back({begin, begin + name.size()});
    }
}

void ColumnPlaces::learn(const std::vector<std::string_view> &cells, std::string_view line, std::size_t indent)
{
    if (cells.size() != m_places.size()) {
        return;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t begin = offsetIn(line, cells[i]) + indent, end = begin + cells[i].size();
        m_places[i] = m_isLearnt ? Place{std::min(m_places[i].begin, begin), std::max(m_places[i].end, end)}
                                 : Place{begin, end};
    }
    m_isLearnt = true;
}

std::vector<std::string_view> ColumnPlaces::spread(
    const std::vector<std::string_view> &cells, std::string_view line, std::size_t indent) const
{
    std::vector<std::string_view> row(m_places.size());
    std::size_t next = 0; // the columns are in order
    for (const std::string_view cell : cells) {
        const std::size_t begin = offsetIn(line, cell) + indent, end = begin + cell.size();
        std::size_t best = m_places.size(), most = 0;
        for (std::size_t i = next; i < m_places.size(); ++i) {
            const std::size_t from = std::max(begin, m_places[i].begin), to = std::min(end, m_places[i].end);
            if (to > from && to - from > most) {
                best = i;
                most = to - from;
            }
        }
        if (best == m_places.size()) {
            return {};
        }
        row[best] = cell;
        next = best + 1;
    }
    return row;
}

} // namespace trainyard::metrics
