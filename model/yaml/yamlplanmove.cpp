// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/yaml/yamlplan.h"

namespace trainyard::yamlplan
{

Result<Changes> Planner::move(qsizetype to)
{
    const Result<Where> where = resolveEntry();
    if (!where) {
        return tl::unexpected(where.error());
    }
    const YamlNode *parent = where->parent();
    const qsizetype from = where->chain.last();
    if (to < 0 || to >= parent->entries.size()) {
        return refuse("edit.bad-index");
    }
    if (!parent->editable || !where->node()->editable) {
        return refuse("edit.not-editable");
    }
    if (from == to) {
        return Changes{};
    }
    if (const auto free = noSharedAnchorAround(parent); !free) {
        return tl::unexpected(free.error());
    }
    QList<qsizetype> order;
    for (qsizetype i = 0; i < parent->entries.size(); ++i) {
        order.append(i);
    }
    order.move(from, to);
    const qsizetype low = std::min(from, to);
    const qsizetype high = std::max(from, to);
    QList<ByteRange> ranges;
    for (qsizetype i = low; i <= high; ++i) {
        const ByteRange range = isFlow(parent)
            ? ByteRange{entryStart(m_text, parent, i), parent->entries.at(i).value->at.end}
            : chunk(m_text, parent, i);
        if (!ranges.isEmpty() && range.begin < ranges.last().end) {
            return refuse("edit.not-editable");
        }
        ranges.append(range);
    }
    // The entries change places; what is between them stays.
    Change change;
    for (qsizetype i = low; i <= high; ++i) {
        const ByteRange source = ranges.at(order.at(i) - low);
        change.edits.append({ranges.at(i - low), m_text.mid(source.begin, source.length())});
    }
    const ExpectPtr expected = yamlguard::expanded(parent);
    const auto entries = expected->entries;
    for (qsizetype i = 0; i < order.size(); ++i) {
        expected->entries[size_t(i)] = entries[size_t(order.at(i))];
    }
    change.place = parent;
    change.expected = expected;
    Changes changes{change};
    const ByteRange own = isFlow(parent) ? ByteRange{} : chunk(m_text, parent, from);
    const ByteRange other = isFlow(parent) ? ByteRange{} : chunk(m_text, parent, to);
    if (!isFlow(parent) && onlyBlanksBefore(m_text, own.begin) && onlyBlanksBefore(m_text, other.begin)) {
        // Blank lines between entries may belong to a block scalar's value: then only this entry's own lines go.
        qsizetype line = lineBegin(m_text, own.begin);
        line = line == 0 ? std::min(yamllex::bomLength(m_text), own.begin) : line;
        const qsizetype end = yamllex::nextLine(m_text, own.end);
        const bool atEnd = end == own.end && line > yamllex::bomLength(m_text);
        const QByteArray text = m_text.mid(own.begin, own.length());
        const QByteArray lineBreak = lineBreakAt(m_text, other.begin);
        const QByteArray indent = spaces(columnOf(m_text, other.begin));
        const TextEdit gone = cut(atEnd ? previousLineEnd(m_text, line) : line, end);
        const auto before = [&](qsizetype pos) { return TextEdit{{pos, pos}, text + lineBreak + indent}; };
        change.edits
            = {gone, to > from ? TextEdit{{other.end, other.end}, lineBreak + indent + text} : before(other.begin)};
        changes.append(change);
        if (to > from && to + 1 < parent->entries.size()) {
            change.edits = {gone, before(chunk(m_text, parent, to + 1).begin)}; // behind the blank lines
            changes.append(change);
        }
        // Or the blank lines behind it would become part of the block scalar before it: then they go with this entry.
        const qsizetype next = from + 1 < parent->entries.size() ? chunk(m_text, parent, from + 1).begin : -1;
        const qsizetype target = to < from    ? other.begin
            : to + 1 < parent->entries.size() ? chunk(m_text, parent, to + 1).begin
                                              : -1;
        if (next >= 0 && target >= 0 && onlyBlanksBefore(m_text, next)) {
            const qsizetype nextBegin = lineBegin(m_text, next);
            const QByteArray lines = m_text.mid(own.begin, nextBegin - own.begin);
            change.edits = {cut(line, nextBegin), TextEdit{{target, target}, lines + indent}};
            changes.append(change);
        }
    }
    return changes;
}

Result<Changes> Planner::rename(const edit::RenameKey &op)
{
    const QByteArray key = op.key.toUtf8();
    const Result<Where> where = resolve();
    if (!where) {
        return tl::unexpected(where.error());
    }
    if (!where->rest.isEmpty()) {
        return refuse("edit.no-such-path");
    }
    const YamlNode *parent = where->parent();
    if (!parent || !parent->isMap()) {
        return refuse("edit.no-such-path");
    }
    const YamlNode *old = parent->entries.at(where->chain.last()).key;
    if (old->scalar == key && old->kind == YamlNode::Kind::Scalar) {
        return Changes{};
    }
    if (parent->find(key)) {
        return refuse("edit.exists", {{QStringLiteral("key"), textFromUtf8(key)}});
    }
    const bool block = old->style == YamlNode::Style::Literal || old->style == YamlNode::Style::Folded;
    if (!old->editable || old->kind != YamlNode::Kind::Scalar || block || old->at.length() == 0
        || !old->tag.isEmpty()) {
        return refuse("edit.not-editable");
    }
    if (const auto free = op.evenShared ? Result<void>() : noSharedAnchor(old); !free) {
        return tl::unexpected(free.error());
    }
    const ExpectPtr name = yamlguard::string(key);
    name->anchor = old->anchor;
    Changes changes;
    for (const Encoded &value : yamlencode::encodings(requestForKey(op.key, isFlow(parent), old))) {
        changes.append({{{{contentBegin(m_text, old), old->at.end}, value.head}}, old, name, {}, {}});
    }
    return changes;
}

} // namespace trainyard::yamlplan
