// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/ownexport.h"

#include "engine/metricfiles/json.h"
#include "engine/metricfiles/table.h"
#include "engine/metrics/exportmark.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace trainyard::metricfiles
{

namespace
{

using Names = std::vector<std::string>;

bool beginsWith(const Names &names, std::initializer_list<std::string_view> first)
{
    return names.size() >= first.size() && std::equal(first.begin(), first.end(), names.begin());
}

bool isAmong(std::string_view text, std::initializer_list<std::string_view> all)
{
    return std::find(all.begin(), all.end(), text) != all.end();
}

// "2026-11-30T00:35:04.755Z", as curves are saved.
bool isTimeOfCurve(std::string_view text)
{
    constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
    return std::equal(text.begin(), text.end(), form.begin(), form.end(),
        [](char c, char wanted) { return wanted == '0' ? metrics::isDigit(c) : c == wanted; });
}

bool isFigure(std::string_view name)
{
    return isAmong(name, {"cpu", "memory"}) || name.starts_with("disk/") || name.starts_with("gpu/")
        || name.starts_with("host/network/");
}

// Those that have no mark, as they were written by an earlier version: they are ours only if all of what there is looks
// like it. Before the first row, nothing in them is a value that could be lost.

// What is between differs from comparison to comparison.
bool isComparison(const Names &names, const Names &row)
{
    const auto has
        = [&names](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (beginsWith(names, {"Run", "Name"})) {
        const bool isRun = row.empty() || (row[0].size() > 1 && row[0][0] == '#' && metrics::isDigit(row[0][1]));
        return has("State") && has("Step") && has("Seconds") && isRun;
    }
    const auto state = std::find(names.begin(), names.end(), "STATE");
    return beginsWith(names, {"run", "name"}) && state != names.end() && state + 1 != names.end()
        && state[1] == "seconds";
}

bool isCurves(const Names &names, const Names &row)
{
    const bool isHead = names.size() == 5
        && (beginsWith(names, {"metric", "run", "step", "time", "value"})
            || beginsWith(names, {"metric", "task", "step", "time", "value"}));
    return isHead && (row.empty() || (row.size() == names.size() && isTimeOfCurve(row[3])));
}

bool isFigures(const Names &names, const Names &row)
{
    return names.size() == 5 && beginsWith(names, {"name", "time", "value", "unit", "task"})
        && (row.empty() || isFigure(row[0]));
}

// What `trainyardctl metrics` prints of an output, of a job and of files.
bool isPoints(const Names &names)
{
    constexpr std::ptrdiff_t common = 5;
    return beginsWith(names, {"name", "step", "axis", "epoch", "value"})
        && std::all_of(names.begin() + common, names.end(), [](const std::string &name) {
               return isAmong(name, {"line", "time", "task", "file", "run"});
           });
}

bool isExportedTable(std::string_view head)
{
    const TableHead table = tableHead(head);
    const Names &names = table.names;
    return !names.empty()
        && (names.back() == metrics::exportMark || isPoints(names) || isCurves(names, table.row)
            || isFigures(names, table.row) || isComparison(names, table.row));
}

// The keys of the object on the first line.
Names keysOf(std::string_view head)
{
    Names keys;
    JsonScanner scanner(head.substr(0, head.find('\n')));
    if (scanner.next() != JsonScanner::Token::ObjectBegin) {
        return keys;
    }
    while (scanner.next() == JsonScanner::Token::Key) {
        keys.emplace_back(scanner.raw());
        const JsonScanner::Token token = scanner.skip(scanner.next());
        if (token == JsonScanner::Token::Cut || token == JsonScanner::Token::Broken) {
            break;
        }
    }
    return keys;
}

bool isExportedLine(const Names &keys)
{
    return beginsWith(keys, {"name", "step", "axis", "epoch", "value"})
        || beginsWith(keys, {"name", "time", "value", "unit", "task"});
}

} // namespace

bool isOwnExport(std::string_view head)
{
    return head.starts_with('{') ? isExportedLine(keysOf(head)) : isExportedTable(head);
}

} // namespace trainyard::metricfiles
