// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/ownexport.h"

#include "engine/metricfiles/json.h"
#include "engine/metricfiles/table.h"

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

// What is between differs from comparison to comparison.
bool isComparison(const Names &names)
{
    const auto has
        = [&names](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    const bool isOfWindow = beginsWith(names, {"Run", "Name"}) && has("State") && has("Step") && has("Seconds");
    return isOfWindow || (beginsWith(names, {"run", "name"}) && has("STATE") && has("seconds"));
}

bool isExportedTable(const Names &names)
{
    return beginsWith(names, {"metric", "run", "step", "time", "value"})
        || beginsWith(names, {"metric", "task", "step", "time", "value"})
        || beginsWith(names, {"name", "step", "axis", "epoch", "value"})
        || beginsWith(names, {"name", "time", "value", "unit", "task"}) || isComparison(names);
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
        || beginsWith(keys, {"name", "time", "value", "unit"});
}

} // namespace

bool isOwnExport(std::string_view head)
{
    return head.starts_with('{') ? isExportedLine(keysOf(head)) : isExportedTable(tableHead(head).names);
}

} // namespace trainyard::metricfiles
