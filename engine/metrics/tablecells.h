// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/numbers.h"

#include <optional>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

inline constexpr std::size_t mostColumns = 64;

enum class CellKind { Empty, Number, Ratio, Measure, Text, Mixed };
struct Cell {
    CellKind kind = CellKind::Empty;
    Number number;
};
Cell readCell(std::string_view text);
bool isNotAvailable(std::string_view text); // "n/a"

// `"Train loss"` of a table with quoted cells, without its quotes.
std::string_view withoutQuotes(std::string_view cell);
// "epoch";"loss" with tabs instead of semicolons, and without quotes; nothing for a sentence.
std::optional<std::string> withTabsForSemicolons(std::string_view line);
std::vector<std::string_view> splitAt(std::string_view line, char border);
// At two or more blanks, or at each one.
std::vector<std::string_view> splitAtBlanks(std::string_view line, std::size_t least);
// The cells of a row that stands between upright lines, "|" or those that draw boxes.
std::vector<std::string_view> splitInBox(std::string_view line);

// Without "ENERGY:" in front, which says what a row is; the line itself where it has none.
std::string_view withoutRowLabel(std::string_view line);

bool isUpright(std::string_view text); // whether it begins with such a line
// Lines of '-', '=', '+', '|' and of the characters that draw boxes.
bool isRule(std::string_view line);
bool isRuleOfTwo(std::string_view line); // "-----------  ------"

struct CountWithShare {
    double count = 0;
    double share = 0; // how much of the work is done
};
// "Epoch 3" in the column of the epochs
std::optional<double> countBehindName(std::string_view cell);
std::optional<CountWithShare> countWithShare(std::string_view cell); // "4090 (81.78%)"

} // namespace trainyard::metrics
