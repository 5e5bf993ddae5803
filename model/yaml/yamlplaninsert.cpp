// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/yaml/yamlplan.h"

namespace trainyard::yamlplan
{

Result<Changes> Planner::insertEntry(const Where &where, const QString &key, const Path &rest, const Leaf &leaf)
{
    const YamlNode *map = where.node();
    if (!map->editable || isCompactPair(m_text, map)) {
        return refuse("edit.not-editable");
    }
    if (const auto free = noSharedAnchorAround(map); !free) {
        return tl::unexpected(free.error());
    }
    ExpectPtr expected = yamlguard::expanded(map);
    expected->entries.emplace_back(yamlguard::string(key.toUtf8()), nestedExpected(rest, leaf));
    const bool flow = isFlow(map);
    const qsizetype last = map->entries.size() - 1;
    Frame frame;
    frame.flow = flow;
    frame.base = flow ? -1 : columnOf(m_text, entryStart(m_text, map, 0));
    Changes changes;
    if (flow) {
        for (const Encoded &value : nested(rest, leaf, frame)) {
            changes.append({appendedFlow(map, keyText(key, true) + ": " + value.head), map, expected, {}, {}});
        }
        return changes;
    }
    const qsizetype pos = chunk(m_text, map, last).end;
    frame.lineBreak = lineBreakAt(m_text, pos);
    for (const Encoded &value : nested(rest, leaf, frame)) {
        const QByteArray line
            = frame.lineBreak + spaces(frame.base) + keyText(key, false) + ':' + spaced(value.head) + value.body;
        changes.append({{{{pos, pos}, line}}, map, expected, {}, {}});
    }
    return changes;
}

Result<Changes> Planner::insertItem(const Where &where, qsizetype index, const Path &rest, const Leaf &leaf)
{
    const YamlNode *list = where.node();
    if (!list->editable) {
        return refuse("edit.not-editable");
    }
    if (const auto free = noSharedAnchorAround(list); !free) {
        return tl::unexpected(free.error());
    }
    ExpectPtr expected = yamlguard::expanded(list);
    expected->entries.insert(expected->entries.begin() + index, {nullptr, nestedExpected(rest, leaf)});
    const qsizetype size = list->entries.size();
    Frame frame;
    frame.flow = isFlow(list);
    frame.item = true;
    Changes changes;
    if (frame.flow) {
        frame.item = false;
        for (const Encoded &value : nested(rest, leaf, frame)) {
            const bool appends = index == size;
            changes.append({appends ? appendedFlow(list, value.head) : insertedFlow(list, index, value.head), list,
                expected, {}, {}});
        }
        return changes;
    }
    const qsizetype dash = entryStart(m_text, list, 0);
    frame.base = columnOf(m_text, dash);
    const qsizetype first = yamllex::skipBlanks(m_text, dash + 1);
    const qsizetype gap = first < m_text.size() && !yamllex::isBreak(m_text.at(first)) && at(m_text, first) != '#'
            && !m_text.mid(dash + 1, first - dash - 1).contains('\t')
        ? std::clamp<qsizetype>(first - dash - 1, 1, 8)
        : 1;
    frame.itemColumn = frame.base + 1 + gap;
    const ByteRange neighbour = chunk(m_text, list, std::min(index, size - 1));
    frame.lineBreak = lineBreakAt(m_text, neighbour.begin);
    for (const Encoded &value : nested(rest, leaf, frame)) {
        const QByteArray item = '-' + spaces(gap) + value.head + value.body;
        if (index == size) {
            const QByteArray line = frame.lineBreak + spaces(frame.base) + item;
            changes.append({{{{neighbour.end, neighbour.end}, line}}, list, expected, {}, {}});
        } else {
            // Also where the list begins behind another dash: the item that stood there goes to a line of its own.
            const QByteArray line = item + frame.lineBreak + spaces(frame.base);
            changes.append({{{{neighbour.begin, neighbour.begin}, line}}, list, expected, {}, {}});
        }
    }
    return changes;
}

Result<void> Planner::noSharedAnchorAround(const YamlNode *collection)
{
    if (!m_aliasesKnown) {
        m_aliasesKnown = true;
        collectAliases(m_document.root());
    }
    for (const YamlNode *alias : std::as_const(m_aliases)) {
        for (const YamlNode *node = collection; node; node = node->parent) {
            if (node == alias->target) {
                return refuse("edit.anchor-in-use", {{QStringLiteral("name"), textFromUtf8(alias->anchor)}});
            }
        }
    }
    return {};
}

TextEdits Planner::appendedFlow(const YamlNode *collection, const QByteArray &item) const
{
    const qsizetype last = collection->entries.size() - 1;
    const qsizetype end = collection->entries.at(last).value->at.end;
    const qsizetype start = entryStart(m_text, collection, last);
    qsizetype comma = yamllex::skipGap(m_text, end);
    const bool trailing = at(m_text, comma) == ',';
    comma = trailing ? comma + 1 : end;
    const qsizetype line = lineEnd(m_text, comma);
    if (onlyBlanksBefore(m_text, start) && line < collection->at.end) {
        const QByteArray below = lineBreakAt(m_text, start) + spaces(columnOf(m_text, start)) + item;
        if (trailing) {
            return {{{line, line}, below + ','}};
        }
        return {{{end, end}, ","}, {{line, line}, below}};
    }
    return {{{end, end}, ", " + item}};
}

TextEdits Planner::insertedFlow(const YamlNode *list, qsizetype index, const QByteArray &item) const
{
    const qsizetype start = entryStart(m_text, list, index);
    const QByteArray between = onlyBlanksBefore(m_text, start)
        ? ',' + lineBreakAt(m_text, start) + spaces(columnOf(m_text, start))
        : QByteArray(", ");
    return {{{start, start}, item + between}};
}

} // namespace trainyard::yamlplan
