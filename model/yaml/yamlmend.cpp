// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlmend.h"

#include "model/yaml/yamllex.h"

#include <algorithm>
#include <limits>

namespace trainyard
{
namespace
{

constexpr qsizetype mostMended = qsizetype(256) << 10; // each try costs a parse

const YamlNode::Entry *entryAt(const YamlNode *node, ByteRange key, const YamlNode **map)
{
    if (!node || node->kind == YamlNode::Kind::Alias) {
        return nullptr;
    }
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key && entry.key->at == key) {
            *map = node;
            return &entry;
        }
        if (const YamlNode::Entry *found = entryAt(entry.value, key, map)) {
            return found;
        }
    }
    return nullptr;
}

// Lines with all of an entry of a map that has a line of its own for each.
std::optional<ByteRange> linesOf(const QByteArray &bytes, const YamlNode::Entry &entry)
{
    const qsizetype begin = yamllex::lineBegin(bytes, entry.key->at.begin);
    if (yamllex::skipBlanks(bytes, begin) != entry.key->at.begin) {
        return std::nullopt; // behind the dash of an item
    }
    const qsizetype end = std::max(entry.key->at.end, entry.value->at.end);
    const bool isWhole = end > begin && yamllex::isBreak(yamllex::at(bytes, end - 1)); // a block text
    return ByteRange{begin, isWhole ? end : yamllex::nextLine(bytes, end)};
}

// The same in braces, with the comma in front of it or, for the first one, behind it.
std::optional<ByteRange> partOf(const QByteArray &bytes, const YamlNode &map, const YamlNode::Entry &entry)
{
    const auto place = std::find_if(map.entries.cbegin(), map.entries.cend(),
        [&entry](const YamlNode::Entry &each) { return each.key == entry.key; });
    if (place == map.entries.cend() || map.entries.size() < 2) {
        return std::nullopt;
    }
    const auto endOf = [](const YamlNode::Entry &each) { return std::max(each.key->at.end, each.value->at.end); };
    const ByteRange part = place == map.entries.cbegin()
        ? ByteRange{entry.key->at.begin, std::next(place)->key->at.begin}
        : ByteRange{endOf(*std::prev(place)), endOf(entry)};
    return bytes.sliced(part.begin, part.length()).contains('\n') ? std::nullopt : std::optional(part);
}

QByteArray without(const QByteArray &bytes, ByteRange range) { return applyEdits(bytes, {{range, {}}}); }

// Where reading stops; behind everything where it does not.
qsizetype firstStop(const YamlDocument &document)
{
    qsizetype first = std::numeric_limits<qsizetype>::max();
    for (const Diagnostic &each : document.diagnostics()) {
        if (each.severity == Severity::Error) {
            first = std::min(first, each.at.begin);
        }
    }
    return first;
}

// The columns of the maps and lists that are open above a line, the outermost last.
QList<qsizetype> openColumns(const QByteArray &bytes, qsizetype line)
{
    QList<qsizetype> columns;
    qsizetype lowest = std::numeric_limits<qsizetype>::max();
    const auto add = [&](qsizetype column) {
        if (column < lowest) {
            lowest = column;
            columns.append(column);
        }
    };
    while (line > 0 && lowest > 0) {
        line = yamllex::lineBegin(bytes, line - 1);
        qsizetype dash = yamllex::skipBlanks(bytes, line);
        const char first = yamllex::at(bytes, dash);
        if (first == '#' || yamllex::isBreak(first) || first == '\0') {
            continue;
        }
        QList<qsizetype> here; // a key behind dashes, and they
        while (yamllex::at(bytes, dash) == '-' && yamllex::isBlankOrEnd(bytes, dash + 1)) {
            here.prepend(yamllex::columnOf(bytes, dash));
            dash = yamllex::skipBlanks(bytes, dash + 1);
        }
        here.prepend(yamllex::columnOf(bytes, dash));
        for (const qsizetype column : std::as_const(here)) {
            add(column);
        }
    }
    return columns;
}

} // namespace

std::optional<TextEdit> withoutEntry(const YamlDocument &document, ByteRange key)
{
    const YamlNode *map = nullptr;
    const QByteArray &bytes = document.bytes();
    const YamlNode::Entry *entry = bytes.size() > mostMended ? nullptr : entryAt(document.root(), key, &map);
    const auto range = !entry                 ? std::nullopt
        : map->style == YamlNode::Style::Flow ? partOf(bytes, *map, *entry)
                                              : linesOf(bytes, *entry);
    if (!range) {
        return std::nullopt;
    }
    const YamlDocument after = YamlDocument::parse(without(bytes, *range));
    return after.diagnostics().size() < document.diagnostics().size() && after.isComplete()
        ? std::optional(TextEdit{*range, {}})
        : std::nullopt;
}

std::optional<TextEdit> alignedLine(const YamlDocument &document, qsizetype pos)
{
    const QByteArray &bytes = document.bytes();
    if (document.isComplete() || bytes.size() > mostMended || pos >= bytes.size()) {
        return std::nullopt;
    }
    const qsizetype line = yamllex::lineBegin(bytes, pos);
    const ByteRange indent{line, yamllex::skipBlanks(bytes, line)};
    const qsizetype column = indent.length();
    const QList<qsizetype> open = openColumns(bytes, line);
    if (open.isEmpty() || open.contains(column) || yamllex::bomLength(bytes) > line) {
        return std::nullopt;
    }
    // Its neighbours: what it could be the next line of.
    const auto outer = std::find_if(open.cbegin(), open.cend(), [column](qsizetype each) { return each < column; });
    QList<qsizetype> candidates;
    if (outer != open.cbegin()) {
        candidates.append(*std::prev(outer));
    }
    if (outer != open.cend()) {
        candidates.append(*outer);
    }
    std::optional<TextEdit> best;
    qsizetype furthest = yamllex::lineEnd(bytes, line);
    for (const qsizetype candidate : std::as_const(candidates)) {
        const TextEdit edit{indent, QByteArray(candidate, ' ')};
        const qsizetype stop = firstStop(YamlDocument::parse(applyEdits(bytes, {edit})));
        const qsizetype moved = stop == std::numeric_limits<qsizetype>::max() ? stop : stop - candidate + column;
        if (moved > furthest) {
            best = edit;
            furthest = moved;
        } else if (moved == furthest) {
            best = std::nullopt;
        }
    }
    return best;
}

} // namespace trainyard
