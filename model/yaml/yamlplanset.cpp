// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlplan.h"

namespace trainyard::yamlplan
{

Result<Changes> Planner::set(const Leaf &leaf)
{
    const Result<Where> where = resolveBelowRoot();
    if (!where) {
        return tl::unexpected(where.error());
    }
    if (!where->rest.isEmpty()) {
        return create(*where, leaf);
    }
    Result<Changes> whole = replace(*where, {}, leaf);
    if (whole && leaf.isText) {
        preferInPlace(*whole, where->node(), leaf.text);
    }
    return whole;
}

Result<Changes> Planner::insert(const Leaf &leaf)
{
    const Result<Where> where = resolveBelowRoot();
    if (!where) {
        return tl::unexpected(where.error());
    }
    if (!where->rest.isEmpty()) {
        return create(*where, leaf);
    }
    if (!where->parent()->isSequence()) {
        return refuse("edit.exists");
    }
    Where parent = *where;
    const qsizetype index = parent.chain.takeLast();
    parent.nodes.removeLast();
    return insertItem(parent, index, {}, leaf);
}

Result<Changes> Planner::create(const Where &where, const Leaf &leaf)
{
    for (qsizetype i = 0; i < where.rest.size(); ++i) {
        const auto *index = std::get_if<qsizetype>(&where.rest.at(i));
        const bool appends = i == 0 && !where.nodes.isEmpty() && where.node()->isSequence() && index
            && *index == where.node()->entries.size();
        if (index && *index != 0 && !appends) {
            return refuse("edit.bad-index");
        }
    }
    if (where.nodes.isEmpty()
        || (where.nodes.size() == 1 && where.node()->isNull() && where.node()->at.length() == 0)) {
        return createDocument(where.rest, leaf);
    }
    const YamlNode *node = where.node();
    const Path inner = where.rest.mid(1);
    if (node->isMap() && !node->entries.isEmpty()) {
        const auto *key = std::get_if<QString>(&where.rest.first());
        return key ? insertEntry(where, *key, inner, leaf) : refuse("edit.no-such-path");
    }
    if (node->isSequence() && !node->entries.isEmpty()) {
        const auto index = indexOf(where.rest.first());
        if (index && *index > node->entries.size()) {
            return refuse("edit.bad-index");
        }
        if (!index && !namesItem(where.rest.first())) {
            return refuse("edit.no-such-path");
        }
        return insertItem(where, node->entries.size(), inner, leaf);
    }
    const bool fits = node->isNull() || (node->isMap() && !namesItem(where.rest.first()))
        || (node->isMap() && std::holds_alternative<QString>(where.rest.first()))
        || (node->isSequence() && namesItem(where.rest.first()));
    if (!fits) {
        return refuse("edit.no-such-path");
    }
    return where.nodes.size() == 1 ? fillRoot(where, leaf) : replace(where, where.rest, leaf);
}

Result<Changes> Planner::fillRoot(const Where &where, const Leaf &leaf)
{
    const YamlNode *root = where.node();
    if (!isFlow(root)) {
        return refuse("edit.no-such-path");
    }
    if (!root->editable) {
        return refuse("edit.not-editable");
    }
    ExpectPtr expected = yamlguard::expanded(root);
    const auto *key = root->isMap() ? std::get_if<QString>(&where.rest.first()) : nullptr;
    const QByteArray name = key ? keyText(*key, true) + ": " : QByteArray();
    const Path inner = where.rest.mid(1);
    expected->entries.emplace_back(key ? yamlguard::string(key->toUtf8()) : nullptr, nestedExpected(inner, leaf));
    // Between the brackets stand blanks, and perhaps comments. One of several lines stays one.
    const qsizetype close = root->at.end - 1;
    qsizetype begin = close;
    while (begin > 0 && (yamllex::isBlank(m_text.at(begin - 1)) || yamllex::isBreak(m_text.at(begin - 1)))) {
        --begin;
    }
    const bool inLines = !yamllex::sameLine(m_text, begin, close);
    const QByteArray lineBreak = lineBreakAt(m_text, begin);
    Frame frame;
    frame.flow = true;
    frame.base = -1;
    Changes changes;
    for (const Encoded &value : nested(inner, leaf, frame)) {
        const QByteArray item = name + value.head;
        const QByteArray filled = inLines ? lineBreak + spaces(step()) + item + lineBreak : item;
        changes.append({{{{begin, close}, filled}}, root, expected, {}, {}});
    }
    return changes;
}

Result<Changes> Planner::createDocument(const Path &rest, const Leaf &leaf)
{
    const QByteArray lineBreak = lineBreakAt(m_text, m_text.size());
    Frame frame{-step(), 0, false, false, lineBreak};
    if (namesItem(rest.first())) {
        return refuse("edit.no-such-path");
    }
    const bool fresh = m_text.size() == yamllex::bomLength(m_text) || yamllex::isBreak(m_text.back());
    Changes changes;
    for (const Encoded &value : nested(rest, leaf, frame)) {
        const QByteArray written = value.body.mid(fresh ? lineBreak.size() : 0) + lineBreak;
        changes.append({{{{m_text.size(), m_text.size()}, written}}, nullptr, nestedExpected(rest, leaf), {}, {}});
    }
    return changes;
}

Result<Changes> Planner::replace(const Where &where, const Path &rest, const Leaf &leaf, bool evenShared)
{
    const YamlNode *node = where.node();
    const YamlNode *parent = where.parent();
    if (!node->editable) {
        return refuse("edit.not-editable");
    }
    if (const auto free = evenShared ? Result<void>() : noSharedAnchor(node); !free) {
        return tl::unexpected(free.error());
    }
    const bool flow = isFlow(parent);
    const qsizetype position = node->position;
    const bool keepsTag = leaf.isText && rest.isEmpty() && node->kind == YamlNode::Kind::Scalar
        && (node->tag == "tag:yaml.org,2002:str" || node->tag == "!");
    const bool named = node->kind != YamlNode::Kind::Alias && !node->anchor.isEmpty();
    const yamllex::Properties properties = yamllex::properties(m_text, node->at.begin, named, !node->tag.isEmpty());
    const bool hasContent = node->at.end > properties.content || (!named && node->tag.isEmpty());
    const qsizetype content = hasContent ? properties.content : properties.end;

    Frame frame;
    frame.flow = flow;
    frame.item = parent->isSequence();
    frame.base = flow ? -1 : columnOf(m_text, entryStart(m_text, parent, position));
    frame.itemColumn = frame.base + 2;
    frame.lineBreak = lineBreakAt(m_text, node->at.begin);

    QList<Encoded> values;
    const bool block = node->kind == YamlNode::Kind::Scalar
        && (node->style == YamlNode::Style::Literal || node->style == YamlNode::Style::Folded);
    qsizetype headEnd = node->at.end;
    ByteRange body{lineEnd(m_text, node->at.end), lineEnd(m_text, node->at.end)};
    if (block) {
        headEnd = yamllex::blockHeader(m_text, content).end;
        const qsizetype line = lineEnd(m_text, content);
        body = {line, std::max(line, node->at.end)};
    }
    if (rest.isEmpty() && leaf.isText && node->kind == YamlNode::Kind::Scalar && node->at.end > content) {
        values = encodedLike(node, content, headEnd, body, frame, leaf);
    } else {
        values = nested(rest, leaf, frame);
    }

    ExpectPtr expected = nestedExpected(rest, leaf);
    if (named || keepsTag) {
        if (expected->same) {
            const ExpectPtr whole = expected;
            expected = yamlguard::expanded(whole->same);
            expected->owner = whole->owner;
        }
        if (named && expected->anchor.isEmpty()) {
            expected->anchor = node->anchor;
        }
    }
    const bool dropsTag = properties.tag.length() > 0 && !keepsTag;

    Changes changes;
    for (const Encoded &value : std::as_const(values)) {
        Change change{{}, node, expected, {}, {}};
        if (dropsTag) {
            // The tag with the blanks behind it, or before it when nothing follows.
            const qsizetype behind = yamllex::skipBlanks(m_text, properties.tag.end);
            change.edits.append(cut(properties.tag.begin, behind < node->at.end ? behind : properties.tag.end));
        }
        if (node->at.length() == 0 || !hasContent) {
            appendMissing(change.edits, parent, position, content, value, flow, dropsTag && !named);
        } else if ((node->isMap() || node->isSequence()) && node->style == YamlNode::Style::Block
            && !yamllex::sameLine(m_text, valueStartOr(parent, position), content)) {
            replaceBelow(change.edits, node, parent, position, properties, value);
        } else {
            qsizetype begin = content;
            if (value.head.isEmpty()) {
                while (begin > 0 && yamllex::isBlank(m_text.at(begin - 1))) {
                    --begin; // nothing stays on the line: no blank behind the colon either
                }
            }
            change.edits.append({{begin, headEnd}, value.head});
            if (!flow) {
                change.edits.append({body, value.body});
            }
        }
        changes.append(change);
    }
    return changes;
}

QList<Encoded> Planner::encodedLike(const YamlNode *node, qsizetype content, qsizetype headEnd, const ByteRange &body,
    const Frame &frame, const Leaf &leaf)
{
    yamlencode::Request request = requestFor(leaf, frame);
    request.replaces = true;
    request.style = node->style;
    request.oldText = node->scalar;
    request.oldHead = m_text.mid(content, headEnd - content);
    request.oldBody = m_text.mid(body.begin, body.length());
    if (node->style == YamlNode::Style::Literal || node->style == YamlNode::Style::Folded) {
        const yamllex::Scalar old = yamllex::scalar(m_text, content, {false, false, frame.base});
        if (old.contentIndent > frame.base && body.length() > 0) {
            request.contentColumn = old.contentIndent;
        }
    }
    return yamlencode::encodings(request);
}

qsizetype Planner::valueStartOr(const YamlNode *parent, qsizetype position) const
{
    const qsizetype start = valueStart(m_text, parent, position);
    return start < 0 ? parent->entries.at(position).key->at.end : start;
}

void Planner::appendMissing(TextEdits &edits, const YamlNode *parent, qsizetype position, qsizetype content,
    const Encoded &value, bool flow, bool bare) const
{
    const YamlNode *key = parent->entries.at(position).key;
    if (key && valueStart(m_text, parent, position) < 0) {
        const qsizetype end = key->at.end;
        if (flow) {
            edits.append({{end, end}, ": " + value.head});
        } else {
            const qsizetype line = lineEnd(m_text, end);
            const qsizetype column = columnOf(m_text, entryStart(m_text, parent, position));
            edits.append(
                {{line, line}, lineBreakAt(m_text, end) + spaces(column) + ':' + spaced(value.head) + value.body});
        }
        return;
    }
    const bool blank = bare && yamllex::isBlank(at(m_text, content - 1));
    const bool alone = flow && !key;
    edits.append({{content, content}, blank || alone ? value.head : spaced(value.head)});
    if (!flow && !value.body.isEmpty()) {
        const qsizetype line = lineEnd(m_text, content);
        edits.append({{line, line}, value.body});
    }
}

void Planner::replaceBelow(TextEdits &edits, const YamlNode *node, const YamlNode *parent, qsizetype position,
    const yamllex::Properties &properties, const Encoded &value) const
{
    const bool own = properties.end > node->at.begin;
    const qsizetype behind = own ? properties.end : valueStartOr(parent, position);
    qsizetype from = lineEnd(m_text, behind);
    edits.append({{behind, behind}, spaced(value.head)});
    edits.append({{from, from}, value.body});
    for (qsizetype line = from; line < properties.content; line = lineEnd(m_text, line)) {
        line += yamllex::breakLength(m_text, line);
        const qsizetype first = yamllex::skipBlanks(m_text, line);
        if (at(m_text, first) == '#' && first < properties.content) {
            from = lineEnd(m_text, first);
        }
    }
    edits.append(cut(from, node->at.end));
}

} // namespace trainyard::yamlplan
