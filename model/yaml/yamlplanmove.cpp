// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlplan.h"

namespace trainyard::yamlplan
{

Result<Outcome> Planner::move(qsizetype to)
{
    const Result<Where> where = resolve();
    if (!where) {
        return tl::unexpected(where.error());
    }
    if (m_path.isEmpty()) {
        return refuse("edit.root");
    }
    if (!where->rest.isEmpty()) {
        return refuse("edit.no-such-path");
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
        return Outcome{{}, m_document};
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
    change.expected = yamlguard::rootWith(m_document.root(), where->chain.mid(0, where->chain.size() - 1), expected);
    return guarded({change});
}

Result<Outcome> Planner::rename(const QByteArray &key)
{
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
        return Outcome{{}, m_document};
    }
    if (parent->find(key)) {
        return refuse("edit.exists", {{QStringLiteral("key"), QString::fromUtf8(key)}});
    }
    const bool block = old->style == YamlNode::Style::Literal || old->style == YamlNode::Style::Folded;
    if (!old->editable || old->kind != YamlNode::Kind::Scalar || block || old->at.length() == 0
        || !old->tag.isEmpty()) {
        return refuse("edit.not-editable");
    }
    if (const auto free = noSharedAnchor(old); !free) {
        return tl::unexpected(free.error());
    }
    yamlencode::Request request;
    request.text = key;
    request.key = true;
    request.flow = isFlow(parent);
    request.base = -1;
    request.replaces = true;
    request.style = old->style;
    request.oldText = old->scalar;
    const ExpectPtr expected = yamlguard::expanded(parent);
    const ExpectPtr name = yamlguard::string(key);
    name->anchor = old->anchor;
    expected->entries[size_t(where->chain.last())].first = name;
    const ExpectPtr root
        = yamlguard::rootWith(m_document.root(), where->chain.mid(0, where->chain.size() - 1), expected);
    QList<Change> changes;
    for (const Encoded &value : yamlencode::encodings(request)) {
        changes.append({{{{contentBegin(m_text, old), old->at.end}, value.head}}, root, {}});
    }
    return guarded(changes);
}

} // namespace trainyard::yamlplan
