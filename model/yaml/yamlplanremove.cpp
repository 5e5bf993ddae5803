// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlplan.h"

namespace trainyard::yamlplan
{

Result<Changes> Planner::remove()
{
    Result<Where> found = resolveEntry();
    if (!found) {
        return tl::unexpected(found.error());
    }
    Where where = *found;
    if (!where.node()->editable) {
        return refuse("edit.not-editable");
    }
    // A map or list that would be left empty goes with its last entry.
    while (where.nodes.size() > 2 && where.parent()->entries.size() == 1) {
        where.nodes.removeLast();
        where.chain.removeLast();
    }
    const YamlNode *parent = where.parent();
    if (!parent->editable) {
        return refuse("edit.not-editable");
    }
    if (const auto free = noSharedAnchor(where.node()); !free) {
        return tl::unexpected(free.error());
    }
    const qsizetype index = where.chain.last();
    ExpectPtr expected;
    if (parent->entries.size() > 1 || isJson()) {
        expected = yamlguard::expanded(parent);
        expected->entries.erase(expected->entries.begin() + index);
    }
    Changes changes;
    const QList<ByteRange> ranges = isFlow(parent) ? removedFlow(parent, index) : removedBlock(parent, index);
    const ByteRange own = isFlow(parent) ? ByteRange{} : chunk(m_text, parent, index);
    for (const ByteRange &range : ranges) {
        changes.append(Change{{cut(range.begin, range.end)}, expected ? parent : nullptr, expected,
            {isFlow(parent) ? ranges.first() : own}, {}});
    }
    return changes;
}

bool Planner::isBlankLine(qsizetype pos) const
{
    return pos < m_text.size() && yamllex::skipBlanks(m_text, pos) == lineEnd(m_text, pos);
}

QList<ByteRange> Planner::removedBlock(const YamlNode *parent, qsizetype index) const
{
    const ByteRange own = chunk(m_text, parent, index);
    if (!onlyBlanksBefore(m_text, own.begin)) {
        // Behind a dash: what comes next moves up to it.
        if (index + 1 >= parent->entries.size()) {
            return {own};
        }
        qsizetype next = chunk(m_text, parent, index + 1).begin;
        const qsizetype detached = yamllex::skipBlanks(m_text, yamllex::nextLine(m_text, own.end));
        if (at(m_text, detached) == '#' && detached < next) {
            next = detached;
        }
        return {{own.begin, next}};
    }
    qsizetype begin = lineBegin(m_text, own.begin);
    if (begin == 0) {
        begin = yamllex::bomLength(m_text);
    }
    const qsizetype end = yamllex::nextLine(m_text, own.end);
    if (end == own.end && begin > yamllex::bomLength(m_text)) {
        return {{previousLineEnd(m_text, begin), end}, {begin, end}};
    }
    QList<ByteRange> ranges;
    const bool blankBefore
        = begin <= yamllex::bomLength(m_text) || isBlankLine(lineBegin(m_text, previousLineEnd(m_text, begin)));
    if (blankBefore && isBlankLine(end)) {
        qsizetype tidy = end;
        while (isBlankLine(tidy) && yamllex::nextLine(m_text, tidy) > tidy) {
            tidy = yamllex::nextLine(m_text, tidy);
        }
        ranges.append({begin, tidy});
    }
    ranges.append({begin, end});
    return ranges;
}

QList<ByteRange> Planner::removedFlow(const YamlNode *parent, qsizetype index)
{
    const qsizetype start = entryStart(m_text, parent, index);
    const qsizetype end = parent->entries.at(index).value->at.end;
    if (isJson() && index + 1 == parent->entries.size()) {
        // No comma may stay before the bracket, and no document may become empty.
        return {{index > 0 ? parent->entries.at(index - 1).value->at.end : start, end}};
    }
    const qsizetype comma = yamllex::skipBlanks(m_text, end);
    const qsizetype itemEnd = at(m_text, comma) == ',' ? comma + 1 : end;
    const qsizetype behind = yamllex::skipBlanks(m_text, itemEnd);
    const bool ends = behind < m_text.size() && (yamllex::isBreak(m_text.at(behind)) || m_text.at(behind) == '#');
    if (ends && onlyBlanksBefore(m_text, start)) {
        return {{lineBegin(m_text, start), yamllex::nextLine(m_text, behind)}};
    }
    if (index + 1 < parent->entries.size()) {
        const qsizetype next = entryStart(m_text, parent, index + 1);
        const qsizetype line = lineEnd(m_text, behind);
        qsizetype between = line;
        while (between < next && (yamllex::isBlank(m_text.at(between)) || yamllex::isBreak(m_text.at(between)))) {
            ++between;
        }
        if (!ends || between >= next) {
            return {{start, next}};
        }
        // Comments on the lines above the next one are not its own.
        qsizetype begin = start;
        while (begin > 0 && yamllex::isBlank(m_text.at(begin - 1))) {
            --begin;
        }
        return {{begin, line}};
    }
    if (index == 0) {
        return {parent->at}; // the only entry of the root
    }
    const qsizetype before = parent->entries.at(index - 1).value->at.end;
    if (m_text.mid(before, start - before).contains('#')) {
        return {{start, itemEnd}}; // a comment of the one before: its comma stays in front of it
    }
    return {{before, end}};
}

} // namespace trainyard::yamlplan
