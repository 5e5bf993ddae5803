// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// Where the columns of a table stand on the line. Rows may leave cells empty, so that only its place says which column
// a cell belongs to; full rows say it better than the header, which is seldom aligned with the numbers.
class ColumnPlaces
{
public:
    // `indent` is how many blanks were taken off the line.
    void setHeader(const std::vector<std::string_view> &names, std::string_view line, std::size_t indent);
    void learn(const std::vector<std::string_view> &cells, std::string_view line, std::size_t indent); // a full row
    // The cells of a row with fewer of them, one for each column, or nothing when they do not fit.
    std::vector<std::string_view> spread(
        const std::vector<std::string_view> &cells, std::string_view line, std::size_t indent) const;

private:
    struct Place {
        std::size_t begin = 0, end = 0;
    };
    std::vector<Place> m_places;
    bool m_isLearnt = false;
};

} // namespace trainyard::metrics
