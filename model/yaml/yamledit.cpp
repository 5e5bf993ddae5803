// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"

#include "model/yaml/yamlencode.h"
#include "model/yaml/yamlguard.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlplace.h"

#include <QSet>

#include <algorithm>

namespace trainyard
{

namespace
{

using namespace yamlplace;
using yamlencode::Encoded;
using yamlguard::Change;
using yamlguard::Expect;
using yamlguard::ExpectPtr;
using yamllex::at;
using yamllex::columnOf;
using yamllex::lineBegin;
using yamllex::lineEnd;
using Path = QList<YamlPath::Element>;

// What to put at a place: a string, or one flow node that was parsed on its own.
struct Leaf {
    bool isText = true;
    QByteArray text;
    YamlDocument flow;

    ExpectPtr expected() const { return isText ? yamlguard::string(text) : yamlguard::same(flow.root()); }
};

struct Where {
    QList<const YamlNode *> nodes; // from the root to the deepest that exists
    QList<qsizetype> chain; // positions; one less than nodes
    Path rest; // elements of the path that do not exist
    const YamlNode *node() const { return nodes.last(); }
    const YamlNode *parent() const { return nodes.size() > 1 ? nodes.at(nodes.size() - 2) : nullptr; }
};

struct Outcome {
    TextEdits edits;
    YamlDocument next;
};

QByteArray spaces(qsizetype count) { return QByteArray(std::max<qsizetype>(count, 0), ' '); }

TextEdit cut(qsizetype begin, qsizetype end) { return {{begin, end}, QByteArray()}; }

QByteArray spaced(const QByteArray &head) { return head.isEmpty() ? head : ' ' + head; }

// "-" appends; a number that is no index yet stands for the first item of a list to be made.
bool namesItem(const YamlPath::Element &element)
{
    const auto *key = std::get_if<QString>(&element);
    return !key || *key == QLatin1String("-") || *key == QLatin1String("0");
}

std::optional<qsizetype> indexOf(const YamlPath::Element &element)
{
    if (const auto *index = std::get_if<qsizetype>(&element)) {
        return *index;
    }
    const QString &key = std::get<QString>(element);
    const bool digits = !key.isEmpty() && key.size() < 10
        && std::all_of(key.cbegin(), key.cend(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    return digits && (key.size() == 1 || key.at(0) != u'0') ? std::optional<qsizetype>(key.toLongLong()) : std::nullopt;
}

class Planner
{
public:
    Planner(const YamlDocument &document, const YamlPath &path)
        : m_document(document), m_text(document.bytes()), m_path(path)
    {
    }

    Result<Outcome> operator()(const edit::SetText &op) { return set(textLeaf(op.text)); }
    Result<Outcome> operator()(const edit::SetValue &op) { return withFlow(op.flowYaml, false); }
    Result<Outcome> operator()(const edit::Insert &op) { return withFlow(op.flowYaml, true); }
    Result<Outcome> operator()(const edit::InsertText &op) { return insert(textLeaf(op.text)); }
    Result<Outcome> operator()(const edit::Remove &) { return remove(); }
    Result<Outcome> operator()(const edit::Move &op) { return move(op.to); }
    Result<Outcome> operator()(const edit::RenameKey &op) { return rename(op.key.toUtf8()); }

private:
    tl::unexpected<Error> refuse(const char *code, QJsonObject args = {}) const
    {
        args.insert(QStringLiteral("path"), m_path.toPointer());
        return fail(QLatin1String(code), args);
    }

    static Leaf textLeaf(const QString &text) { return {true, text.toUtf8(), {}}; }

    Result<Outcome> withFlow(const QByteArray &yaml, bool inserts)
    {
        Leaf leaf;
        leaf.isText = false;
        leaf.text = yaml.trimmed();
        leaf.flow = YamlDocument::parse(leaf.text);
        const YamlNode *root = leaf.flow.root();
        const bool usable = root && leaf.flow.isWellFormed() && !leaf.flow.secondRoot() && !leaf.text.contains('\n')
            && !leaf.text.contains('\r') && root->style != YamlNode::Style::Block
            && root->style != YamlNode::Style::Literal && root->style != YamlNode::Style::Folded
            && root->at == ByteRange{0, leaf.text.size()};
        // "null" as a document is an empty one, but a value all the same.
        const bool null = root && root->isNull() && !root->scalar.isEmpty() && root->at.length() == leaf.text.size();
        if (!usable && !null) {
            return refuse("edit.bad-value");
        }
        return inserts ? insert(leaf) : set(leaf);
    }

    // Tries the changes in order; the first that passes the guard is made.
    Result<Outcome> guarded(const QList<Change> &changes)
    {
        Result<Outcome> result = refuse("edit.would-change-more");
        for (const Change &change : changes) {
            const Change ordered{yamlguard::minimal(m_text, change.edits), change.expected, change.mayRemove};
            const Result<YamlDocument> next = yamlguard::check(m_document, ordered);
            if (next) {
                return Outcome{ordered.edits, *next};
            }
            result = refuse(next.error().code.toLatin1().constData());
        }
        return result;
    }

    Result<Where> resolve()
    {
        Where where;
        if (!m_document.root()) {
            for (qsizetype i = 0; i < m_path.size(); ++i) {
                where.rest.append(m_path.at(i));
            }
            return where;
        }
        where.nodes.append(m_document.root());
        for (qsizetype i = 0; i < m_path.size(); ++i) {
            const YamlNode *node = where.node();
            if (node->kind == YamlNode::Kind::Alias) {
                return refuse("edit.through-alias", {{QStringLiteral("name"), QString::fromUtf8(node->anchor)}});
            }
            std::optional<qsizetype> index;
            if (node->isSequence()) {
                index = indexOf(m_path.at(i));
            } else if (const auto *key = std::get_if<QString>(&m_path.at(i)); key && node->isMap()) {
                if (const YamlNode *value = node->find(key->toUtf8())) {
                    index = value->position;
                }
            }
            if (!index || *index < 0 || *index >= node->entries.size()) {
                for (; i < m_path.size(); ++i) {
                    where.rest.append(m_path.at(i));
                }
                break;
            }
            where.chain.append(*index);
            where.nodes.append(node->entries.at(*index).value);
        }
        return where;
    }

    // Names of anchors that an alias outside of `inside` refers to, of `inside`, what it holds, and what holds it.
    Result<void> noSharedAnchor(const YamlNode *inside)
    {
        if (!m_aliasesKnown) {
            m_aliasesKnown = true;
            collectAliases(m_document.root());
        }
        const auto holds = [](const YamlNode *outer, const YamlNode *inner) {
            for (; inner; inner = inner->parent) {
                if (inner == outer) {
                    return true;
                }
            }
            return false;
        };
        for (const YamlNode *alias : std::as_const(m_aliases)) {
            const YamlNode *target = alias->target;
            const bool touches = target && (holds(target, inside) || (holds(inside, target) && !holds(inside, alias)));
            if (touches) {
                return refuse("edit.anchor-in-use", {{QStringLiteral("name"), QString::fromUtf8(alias->anchor)}});
            }
        }
        return {};
    }

    void collectAliases(const YamlNode *node)
    {
        if (!node) {
            return;
        }
        if (node->kind == YamlNode::Kind::Alias) {
            m_aliases.append(node);
        }
        for (const YamlNode::Entry &entry : node->entries) {
            collectAliases(entry.key);
            collectAliases(entry.value);
        }
    }

    qsizetype step()
    {
        if (m_step < 0) {
            m_step = mapStep(m_document.root(), m_text);
        }
        return m_step;
    }

    qsizetype dashOffset()
    {
        if (m_dashOffset < 0) {
            m_dashOffset = listOffset(m_document.root(), m_text);
        }
        return m_dashOffset;
    }

    static QByteArray keyText(const QString &key, bool flow)
    {
        yamlencode::Request request;
        request.text = key.toUtf8();
        request.key = true;
        request.flow = flow;
        return yamlencode::encodings(request).first().head;
    }

    // --- writing new things -----------------------------------------------------------------------------------------

    struct Frame {
        qsizetype base = 0; // column of the block collection around the value
        qsizetype itemColumn = 0; // column of what stands behind a dash
        bool flow = false;
        bool item = false; // behind a dash, not behind a key
        QByteArray lineBreak;
    };

    QList<Encoded> leafText(const Leaf &leaf, const Frame &frame)
    {
        if (!leaf.isText) {
            return {{leaf.text, {}}};
        }
        yamlencode::Request request;
        request.text = leaf.text;
        request.flow = frame.flow;
        request.base = frame.base;
        request.contentColumn = frame.item ? frame.itemColumn : frame.base + step();
        request.lineBreak = frame.lineBreak;
        return yamlencode::encodings(request);
    }

    // The value at the end of `rest`, with the maps and lists on the way to it.
    QList<Encoded> nested(const Path &rest, const Leaf &leaf, const Frame &frame)
    {
        if (rest.isEmpty()) {
            return leafText(leaf, frame);
        }
        const bool item = namesItem(rest.first());
        const QString key = item ? QString() : std::get<QString>(rest.first());
        Frame inner = frame;
        inner.item = item;
        inner.base = frame.item ? frame.itemColumn : frame.base + (item ? dashOffset() : step());
        inner.itemColumn = inner.base + 2;
        QList<Encoded> result;
        for (const Encoded &value : nested(rest.mid(1), leaf, inner)) {
            if (frame.flow) {
                QByteArray text = value.head;
                text = item ? QByteArray('[' + text + ']') : QByteArray('{' + keyText(key, true) + ": " + text + '}');
                result.append(Encoded{text, QByteArray()});
                continue;
            }
            const QByteArray line = (item ? QByteArray("-") : keyText(key, false) + ':') + spaced(value.head);
            if (frame.item) {
                result.append({line, value.body});
            } else {
                result.append({{}, frame.lineBreak + spaces(inner.base) + line + value.body});
            }
        }
        return result;
    }

    static ExpectPtr nestedExpected(const Path &rest, const Leaf &leaf)
    {
        if (rest.isEmpty()) {
            return leaf.expected();
        }
        const bool item = namesItem(rest.first());
        ExpectPtr outer = yamlguard::collection(item ? YamlNode::Kind::Sequence : YamlNode::Kind::Map);
        outer->entries.emplace_back(item ? nullptr : yamlguard::string(std::get<QString>(rest.first()).toUtf8()),
            nestedExpected(rest.mid(1), leaf));
        return outer;
    }

    // --- set --------------------------------------------------------------------------------------------------------

    Result<Outcome> set(const Leaf &leaf)
    {
        const Result<Where> where = resolve();
        if (!where) {
            return tl::unexpected(where.error());
        }
        if (m_path.isEmpty()) {
            return refuse("edit.root");
        }
        return where->rest.isEmpty() ? replace(*where, {}, leaf) : create(*where, leaf);
    }

    Result<Outcome> insert(const Leaf &leaf)
    {
        const Result<Where> where = resolve();
        if (!where) {
            return tl::unexpected(where.error());
        }
        if (m_path.isEmpty()) {
            return refuse("edit.root");
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

    Result<Outcome> create(const Where &where, const Leaf &leaf)
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
        if (!fits || where.nodes.size() == 1) {
            return refuse("edit.no-such-path");
        }
        return replace(where, where.rest, leaf);
    }

    Result<Outcome> createDocument(const Path &rest, const Leaf &leaf)
    {
        const QByteArray lineBreak = lineBreakAt(m_text, m_text.size());
        Frame frame{-step(), 0, false, false, lineBreak};
        if (namesItem(rest.first())) {
            return refuse("edit.no-such-path");
        }
        const bool fresh = m_text.size() == yamllex::bomLength(m_text) || yamllex::isBreak(m_text.back());
        QList<Change> changes;
        for (const Encoded &value : nested(rest, leaf, frame)) {
            const QByteArray written = value.body.mid(fresh ? lineBreak.size() : 0) + lineBreak;
            changes.append({{{{m_text.size(), m_text.size()}, written}}, nestedExpected(rest, leaf), {}});
        }
        return guarded(changes);
    }

    // A new value in the place of the one that is there: a scalar, a collection, or nothing yet. With `rest`, the value
    // is inside new maps and lists.
    Result<Outcome> replace(const Where &where, const Path &rest, const Leaf &leaf)
    {
        const YamlNode *node = where.node();
        const YamlNode *parent = where.parent();
        if (!node->editable) {
            return refuse("edit.not-editable");
        }
        if (const auto free = noSharedAnchor(node); !free) {
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
            body = {lineEnd(m_text, content), node->at.end};
        }
        if (rest.isEmpty() && leaf.isText && node->kind == YamlNode::Kind::Scalar && node->at.end > content) {
            values = encodedLike(node, content, headEnd, body, frame, leaf);
        } else {
            values = nested(rest, leaf, frame);
        }

        ExpectPtr expected = nestedExpected(rest, leaf);
        if (named || keepsTag) {
            if (expected->same) {
                expected = yamlguard::expanded(expected->same);
            }
            if (named && expected->anchor.isEmpty()) {
                expected->anchor = node->anchor;
            }
        }
        const ExpectPtr root = yamlguard::rootWith(m_document.root(), where.chain, expected);
        const bool dropsTag = properties.tag.length() > 0 && !keepsTag;

        QList<Change> changes;
        for (const Encoded &value : std::as_const(values)) {
            Change change{{}, root, {}};
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
        return guarded(changes);
    }

    QList<Encoded> encodedLike(const YamlNode *node, qsizetype content, qsizetype headEnd, const ByteRange &body,
        const Frame &frame, const Leaf &leaf)
    {
        yamlencode::Request request;
        request.text = leaf.text;
        request.flow = frame.flow;
        request.base = frame.base;
        request.contentColumn = frame.item ? frame.itemColumn : frame.base + step();
        request.lineBreak = frame.lineBreak;
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

    qsizetype valueStartOr(const YamlNode *parent, qsizetype position) const
    {
        const qsizetype start = valueStart(m_text, parent, position);
        return start < 0 ? parent->entries.at(position).key->at.end : start;
    }

    // Nothing stands there: behind the colon or dash, or behind a key without a colon.
    void appendMissing(TextEdits &edits, const YamlNode *parent, qsizetype position, qsizetype content,
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

    // A block collection on the lines below its key goes; comments between the key and it stay.
    void replaceBelow(TextEdits &edits, const YamlNode *node, const YamlNode *parent, qsizetype position,
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

    // --- insert -----------------------------------------------------------------------------------------------------

    Result<Outcome> insertEntry(const Where &where, const QString &key, const Path &rest, const Leaf &leaf)
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
        const ExpectPtr root = yamlguard::rootWith(m_document.root(), where.chain, expected);
        const bool flow = isFlow(map);
        const qsizetype last = map->entries.size() - 1;
        Frame frame;
        frame.flow = flow;
        frame.base = flow ? -1 : columnOf(m_text, entryStart(m_text, map, 0));
        QList<Change> changes;
        if (flow) {
            for (const Encoded &value : nested(rest, leaf, frame)) {
                changes.append({appendedFlow(map, keyText(key, true) + ": " + value.head), root, {}});
            }
            return guarded(changes);
        }
        const qsizetype pos = chunk(m_text, map, last).end;
        frame.lineBreak = lineBreakAt(m_text, pos);
        for (const Encoded &value : nested(rest, leaf, frame)) {
            const QByteArray line
                = frame.lineBreak + spaces(frame.base) + keyText(key, false) + ':' + spaced(value.head) + value.body;
            changes.append({{{{pos, pos}, line}}, root, {}});
        }
        return guarded(changes);
    }

    Result<Outcome> insertItem(const Where &where, qsizetype index, const Path &rest, const Leaf &leaf)
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
        const ExpectPtr root = yamlguard::rootWith(m_document.root(), where.chain, expected);
        const qsizetype size = list->entries.size();
        Frame frame;
        frame.flow = isFlow(list);
        frame.item = true;
        QList<Change> changes;
        if (frame.flow) {
            frame.item = false;
            for (const Encoded &value : nested(rest, leaf, frame)) {
                changes.append(
                    {index == size ? appendedFlow(list, value.head) : insertedFlow(list, index, value.head), root, {}});
            }
            return guarded(changes);
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
                changes.append({{{{neighbour.end, neighbour.end}, line}}, root, {}});
            } else {
                // Also where the list begins behind another dash: the item that stood there goes to a line of its own.
                const QByteArray line = item + frame.lineBreak + spaces(frame.base);
                changes.append({{{{neighbour.begin, neighbour.begin}, line}}, root, {}});
            }
        }
        return guarded(changes);
    }

    // Inserting into what an alias repeats elsewhere would change that place too.
    Result<void> noSharedAnchorAround(const YamlNode *collection)
    {
        if (!m_aliasesKnown) {
            m_aliasesKnown = true;
            collectAliases(m_document.root());
        }
        for (const YamlNode *alias : std::as_const(m_aliases)) {
            for (const YamlNode *node = collection; node; node = node->parent) {
                if (node == alias->target) {
                    return refuse("edit.anchor-in-use", {{QStringLiteral("name"), QString::fromUtf8(alias->anchor)}});
                }
            }
        }
        return {};
    }

    TextEdits appendedFlow(const YamlNode *collection, const QByteArray &item) const
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

    TextEdits insertedFlow(const YamlNode *list, qsizetype index, const QByteArray &item) const
    {
        const qsizetype start = entryStart(m_text, list, index);
        const QByteArray between = onlyBlanksBefore(m_text, start)
            ? ',' + lineBreakAt(m_text, start) + spaces(columnOf(m_text, start))
            : QByteArray(", ");
        return {{{start, start}, item + between}};
    }

    // --- remove -----------------------------------------------------------------------------------------------------

    Result<Outcome> remove()
    {
        Result<Where> found = resolve();
        if (!found) {
            return tl::unexpected(found.error());
        }
        Where where = *found;
        if (m_path.isEmpty()) {
            return refuse("edit.root");
        }
        if (!where.rest.isEmpty()) {
            return refuse("edit.no-such-path");
        }
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
        ExpectPtr root;
        if (parent->entries.size() > 1) {
            ExpectPtr expected = yamlguard::expanded(parent);
            expected->entries.erase(expected->entries.begin() + index);
            root = yamlguard::rootWith(m_document.root(), where.chain.mid(0, where.chain.size() - 1), expected);
        }
        QList<Change> changes;
        const QList<ByteRange> ranges = isFlow(parent) ? removedFlow(parent, index) : removedBlock(parent, index);
        const ByteRange own = isFlow(parent) ? ByteRange{} : chunk(m_text, parent, index);
        for (const ByteRange &range : ranges) {
            changes.append(Change{{cut(range.begin, range.end)}, root, {isFlow(parent) ? ranges.first() : own}});
        }
        return guarded(changes);
    }

    bool isBlankLine(qsizetype pos) const
    {
        return pos < m_text.size() && yamllex::skipBlanks(m_text, pos) == lineEnd(m_text, pos);
    }

    QList<ByteRange> removedBlock(const YamlNode *parent, qsizetype index) const
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

    QList<ByteRange> removedFlow(const YamlNode *parent, qsizetype index) const
    {
        const qsizetype start = entryStart(m_text, parent, index);
        const qsizetype end = parent->entries.at(index).value->at.end;
        qsizetype behind = yamllex::skipBlanks(m_text, end);
        behind = at(m_text, behind) == ',' ? yamllex::skipBlanks(m_text, behind + 1) : behind;
        const bool ends = behind < m_text.size() && (yamllex::isBreak(m_text.at(behind)) || m_text.at(behind) == '#');
        if (ends && onlyBlanksBefore(m_text, start)) {
            return {{lineBegin(m_text, start), yamllex::nextLine(m_text, behind)}};
        }
        if (index + 1 < parent->entries.size()) {
            return {{start, entryStart(m_text, parent, index + 1)}};
        }
        if (index == 0) {
            return {parent->at}; // the only entry of the root
        }
        return {{parent->entries.at(index - 1).value->at.end, end}};
    }

    // --- move and rename --------------------------------------------------------------------------------------------

    Result<Outcome> move(qsizetype to)
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
        change.expected
            = yamlguard::rootWith(m_document.root(), where->chain.mid(0, where->chain.size() - 1), expected);
        return guarded({change});
    }

    Result<Outcome> rename(const QByteArray &key)
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

    const YamlDocument &m_document;
    const QByteArray &m_text;
    const YamlPath &m_path;
    bool m_aliasesKnown = false;
    QList<const YamlNode *> m_aliases;
    qsizetype m_step = -1;
    qsizetype m_dashOffset = -1;
};

Result<Outcome> plan(const YamlDocument &document, const edit::Op &op)
{
    const YamlPath &path = std::visit([](const auto &each) -> const YamlPath & { return each.path; }, op);
    const bool blank = !document.root()
        && std::all_of(document.diagnostics().cbegin(), document.diagnostics().cend(),
            [](const Diagnostic &each) { return each.code == QLatin1String("yaml.empty"); });
    if (!document.isComplete() && !blank) {
        return fail(QStringLiteral("edit.broken-document"), {{QStringLiteral("path"), path.toPointer()}});
    }
    return std::visit(Planner(document, path), op);
}

// The text of after some edits as pieces of the text before them and new bytes between.
struct Piece {
    ByteRange old;
    QByteArray text; // used when `old` is empty
    qsizetype length() const { return old.length() > 0 ? old.length() : text.size(); }
    Piece part(qsizetype from, qsizetype to) const
    {
        return old.length() > 0 ? Piece{{old.begin + from, old.begin + to}, {}} : Piece{{}, text.mid(from, to - from)};
    }
};

QList<Piece> edited(const QList<Piece> &pieces, const TextEdits &edits)
{
    QList<Piece> result;
    qsizetype next = 0; // of pieces
    qsizetype inside = 0; // of that piece
    qsizetype at = 0; // of the text
    const auto copy = [&](qsizetype until, bool keep) {
        while (at < until && next < pieces.size()) {
            const Piece &piece = pieces.at(next);
            const qsizetype take = std::min(piece.length() - inside, until - at);
            if (keep) {
                result.append(piece.part(inside, inside + take));
            }
            at += take;
            inside += take;
            if (inside == piece.length()) {
                ++next;
                inside = 0;
            }
        }
    };
    for (const TextEdit &each : edits) {
        copy(each.range.begin, true);
        copy(each.range.end, false);
        if (!each.text.isEmpty()) {
            result.append({{}, each.text});
        }
    }
    copy(std::numeric_limits<qsizetype>::max(), true);
    return result;
}

TextEdits asEdits(const QList<Piece> &pieces, qsizetype size)
{
    TextEdits edits;
    qsizetype done = 0;
    QByteArray text;
    const auto flush = [&](qsizetype until) {
        if (until > done || !text.isEmpty()) {
            edits.append({{done, until}, text});
        }
        text.clear();
    };
    for (const Piece &piece : pieces) {
        if (piece.old.length() == 0) {
            text += piece.text;
            continue;
        }
        flush(piece.old.begin);
        done = piece.old.end;
    }
    flush(size);
    return edits;
}

} // namespace

Result<TextEdits> planEdit(const YamlDocument &document, const edit::Op &op) { return planEdits(document, {op}); }

Result<TextEdits> planEdits(const YamlDocument &document, const QList<edit::Op> &ops)
{
    QList<Piece> pieces;
    if (!document.bytes().isEmpty()) {
        pieces.append(Piece{{0, document.bytes().size()}, QByteArray()});
    }
    YamlDocument current = document;
    for (const edit::Op &op : ops) {
        const Result<Outcome> outcome = plan(current, op);
        if (!outcome) {
            return tl::unexpected(outcome.error());
        }
        pieces = edited(pieces, outcome->edits);
        current = outcome->next;
    }
    return yamlguard::minimal(document.bytes(), asEdits(pieces, document.bytes().size()));
}

} // namespace trainyard
