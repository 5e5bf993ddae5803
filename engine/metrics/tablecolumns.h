// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <optional>
#include <string>
#include <string_view>

// What the columns and rows of a table are called.
namespace trainyard::metrics
{

// Columns may be narrow: "E    #   LOSS". `hasBars` says that it may be the table of a solver, which counts nodes.
std::optional<StepName> stepOfColumn(std::string_view name, bool hasBars = false);
// The first column of a table whose rows say in front what they are.
std::optional<StepName> stepOfLabelled(std::string_view name);
// How many trees or examples there are so far: the step of a table with metrics, and else the size of something.
std::optional<StepName> stepOfWork(std::string_view name);
bool isColumnOfTime(std::string_view name); // when a row was printed
bool isNodeOfSearch(std::string_view name); // what solvers count in tables without a frame
bool isSetName(std::string_view text); // a name of a column: no sentence, nothing with a value
bool isOfAll(std::string_view label); // the row about all classes
std::string withoutLooseParenthesis(std::string_view name);
Pair pairOf(std::string_view name, const Number &number);

} // namespace trainyard::metrics
