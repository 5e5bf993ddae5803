// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlplan.h"

namespace trainyard::yamlplan
{

namespace
{

void listNamed(const YamlNode *node, QList<const YamlNode *> &anchored, QList<const YamlNode *> &aliases)
{
    if (node->kind == YamlNode::Kind::Alias) {
        aliases.append(node);
    } else if (!node->anchor.isEmpty()) {
        anchored.append(node);
    }
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            listNamed(entry.key, anchored, aliases);
        }
        listNamed(entry.value, anchored, aliases);
    }
}

// Anchors stay with the original. An alias of the copy then must find the same node as that of the original: not so
// when its name is given again on the way.
bool aliasesStayTrue(const YamlNode::Entry &entry)
{
    QList<const YamlNode *> anchored;
    QList<const YamlNode *> aliases;
    if (entry.key) {
        listNamed(entry.key, anchored, aliases);
    }
    listNamed(entry.value, anchored, aliases);
    return std::all_of(aliases.cbegin(), aliases.cend(), [&](const YamlNode *alias) {
        return std::none_of(anchored.cbegin(), anchored.cend(),
            [&](const YamlNode *node) { return node->anchor == alias->anchor && node != alias->target; });
    });
}

} // namespace

void Planner::anchorsOf(const YamlNode *node, TextEdits &cuts) const
{
    if (node->kind != YamlNode::Kind::Alias && !node->anchor.isEmpty()) {
        const ByteRange anchor = yamllex::properties(m_text, node->at.begin, true, !node->tag.isEmpty()).anchor;
        const qsizetype behind = yamllex::skipBlanks(m_text, anchor.end);
        qsizetype begin = anchor.begin;
        if (yamllex::isBlankOrEnd(m_text, behind)) {
            while (begin > 0 && yamllex::isBlank(m_text.at(begin - 1))) {
                --begin; // nothing follows on the line: no blank before it either
            }
        }
        cuts.append(cut(begin, begin < anchor.begin ? anchor.end : behind));
    }
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            anchorsOf(entry.key, cuts);
        }
        anchorsOf(entry.value, cuts);
    }
}

QByteArray Planner::copied(const ByteRange &range, const YamlNode::Entry &entry, const QByteArray &key) const
{
    TextEdits edits;
    if (entry.key) {
        edits.append({entry.key->at, key});
    }
    anchorsOf(entry.value, edits);
    for (TextEdit &edit : edits) {
        edit.range = {edit.range.begin - range.begin, edit.range.end - range.begin};
    }
    return applyEdits(m_text.mid(range.begin, range.length()), edits);
}

Result<Changes> Planner::duplicate(const QString &key)
{
    const Result<Where> where = resolveEntry();
    if (!where) {
        return tl::unexpected(where.error());
    }
    const YamlNode *parent = where->parent();
    const qsizetype index = where->chain.last();
    const YamlNode::Entry &entry = parent->entries.at(index);
    const YamlNode *oldKey = entry.key;
    if (oldKey && parent->find(key.toUtf8())) {
        return refuse("edit.exists", {{QStringLiteral("key"), key}});
    }
    const bool blockKey
        = oldKey && (oldKey->style == YamlNode::Style::Literal || oldKey->style == YamlNode::Style::Folded);
    const bool plainKey = !oldKey || (oldKey->kind == YamlNode::Kind::Scalar && oldKey->editable && !blockKey);
    if (!parent->editable || !entry.value->editable || !plainKey || (oldKey && oldKey->at.length() == 0)
        || isCompactPair(m_text, parent)) {
        return refuse("edit.not-editable");
    }
    if (!aliasesStayTrue(entry)) {
        return refuse("edit.anchor-in-use", {{QStringLiteral("name"), QString()}});
    }
    if (const auto free = noSharedAnchorAround(parent); !free) {
        return tl::unexpected(free.error());
    }
    const bool flow = isFlow(parent);
    const QByteArray written = yamlencode::encodings(requestForKey(key, flow, oldKey)).first().head;
    const ExpectPtr expected = yamlguard::expanded(parent);
    expected->entries.insert(expected->entries.begin() + index + 1,
        {oldKey ? yamlguard::string(key.toUtf8()) : nullptr, yamlguard::unnamed(entry.value)});
    if (flow) {
        const ByteRange own{entryStart(m_text, parent, index), entry.value->at.end};
        const QByteArray copy = copied(own, entry, written);
        const bool last = index + 1 == parent->entries.size();
        const TextEdits edits = last ? appendedFlow(parent, copy) : insertedFlow(parent, index + 1, copy);
        return Changes{{edits, parent, expected, {}, {own}}};
    }
    const ByteRange own = chunk(m_text, parent, index);
    const QByteArray lineBreak = lineBreakAt(m_text, own.begin);
    const QByteArray copy = lineBreak + spaces(columnOf(m_text, own.begin)) + copied(own, entry, written);
    // Where entries have a blank line between them, the copy gets one too.
    const qsizetype line = lineBegin(m_text, own.begin);
    const bool apart = (index > 0 && line > 0 && isBlankLine(lineBegin(m_text, previousLineEnd(m_text, line))))
        || (index + 1 < parent->entries.size() && isBlankLine(yamllex::nextLine(m_text, own.end)));
    Changes changes;
    if (apart) {
        changes.append({{{{own.end, own.end}, lineBreak + copy}}, parent, expected, {}, {own}});
    }
    changes.append({{{{own.end, own.end}, copy}}, parent, expected, {}, {own}});
    return changes;
}

} // namespace trainyard::yamlplan
