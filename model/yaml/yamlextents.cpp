// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlprescan.h"
#include "model/yaml/yamlsyntaxerror.h"
#include "model/yaml/yamltree.h"

namespace trainyard::yamltree
{

namespace
{

using yamllex::at;
using yamllex::Context;
using yamllex::skipGap;

// Walks the tree in document order with a cursor in the text. The parser says where a node begins; where it ends, and
// whether a null is written or missing, is read from the text. A node whose text does not give the parser's value is
// marked as not editable, and the walk goes on from the next node's own mark.
class ExtentWalk
{
public:
    ExtentWalk(const QByteArray &text, QList<Diagnostic> &diagnostics, bool broken)
        : m_text(text), m_diagnostics(diagnostics), m_broken(broken)
    {
    }

    // False when the text is not YAML although the parser took it.
    bool run(Node *root, qsizetype begin)
    {
        node(root, begin, {});
        nest(root, 0, m_text.size());
        return !m_broken;
    }

private:
    static Node *mutableNode(const YamlNode *node) { return static_cast<Node *>(const_cast<YamlNode *>(node)); }

    // True when something at `pos` belongs to a value whose indicator ends at `cursor`, not to what follows it.
    bool belongs(qsizetype cursor, qsizetype pos, const Context &context) const
    {
        if (pos < cursor || pos >= m_text.size()) {
            return false;
        }
        if (context.flow) {
            return skipGap(m_text, cursor) == pos;
        }
        return yamllex::sameLine(m_text, cursor, pos) || yamllex::columnOf(m_text, pos) > context.indent;
    }

    // Gives `node` its bytes; returns the position after it.
    qsizetype node(Node *node, qsizetype cursor, Context context)
    {
        if (node->mark < 0) {
            node->at = {cursor, cursor};
            return cursor;
        }
        node->at = {node->mark, node->mark};
        if (node->kind == YamlNode::Kind::Alias) {
            return alias(node, cursor);
        }
        if (node->null && node->anchor.isEmpty() && node->tag.isEmpty()) {
            return null(node, cursor, cursor, context);
        }
        if (node->mark < cursor) {
            lost(node, cursor);
            return cursor;
        }
        // Properties at the beginning of a map may belong to its first key: only those that the parser assigned to the
        // map are its own.
        const yamllex::Properties properties
            = yamllex::properties(m_text, node->mark, !node->anchor.isEmpty(), !node->tag.isEmpty());
        if (properties.tag.length() == 0) {
            node->tag.clear(); // the parser gives quoted scalars a tag of its own
        }
        if (node->null) {
            null(node, properties.end, node->mark, context);
        } else if (node->kind == YamlNode::Kind::Scalar) {
            scalar(node, properties, context);
        } else if (node->kind == YamlNode::Kind::Sequence) {
            node->at.end = at(m_text, properties.content) == '[' && node->style == YamlNode::Style::Flow
                ? flowSequence(node, properties.content)
                : blockSequence(node, properties.content);
        } else if (node->style == YamlNode::Style::Block) {
            node->at.end = blockMap(node, properties.content);
        } else {
            node->style = YamlNode::Style::Flow;
            node->at.end = isCompact(node) ? compactMap(node, cursor) : flowMap(node, properties.content);
        }
        if (node->at.end < node->at.begin) {
            node->editable = false;
            node->at.end = node->at.begin;
        }
        return node->at.end;
    }

    // A single pair inside a flow list: "[a: b]". It has no brackets of its own.
    bool isCompact(const Node *node) const
    {
        if (node->kind != YamlNode::Kind::Map || node->style == YamlNode::Style::Block) {
            return false;
        }
        if (!node->anchor.isEmpty() || !node->tag.isEmpty()) {
            return false;
        }
        if (at(m_text, node->mark) != '{') {
            return true;
        }
        return !node->entries.isEmpty() && mutableNode(node->entries.first().key)->mark == node->mark;
    }

    qsizetype alias(Node *node, qsizetype cursor)
    {
        qsizetype end = node->mark;
        if (node->mark < cursor || at(m_text, end) != '*') {
            lost(node, cursor);
            return cursor;
        }
        ++end;
        while (!yamllex::isBlankOrEnd(m_text, end) && !yamllex::isFlowIndicator(m_text.at(end))
            && !(m_text.at(end) == ':' && yamllex::isBlankOrEnd(m_text, end + 1))) {
            ++end;
        }
        node->anchor = m_text.mid(node->mark + 1, end - node->mark - 1);
        node->at.end = end;
        return end;
    }

    // `cursor`: after the indicator or the properties; `begin`: of the node when it has properties.
    qsizetype null(Node *node, qsizetype cursor, qsizetype begin, const Context &context)
    {
        const bool bare = node->anchor.isEmpty() && node->tag.isEmpty();
        const qsizetype content = bare ? node->mark : skipGap(m_text, cursor);
        if (belongs(cursor, content, context)) {
            const yamllex::Scalar written = yamllex::scalar(m_text, content, context);
            if (written.style == YamlNode::Style::Plain && isNullWord(written.value)) {
                node->scalar = written.value;
                node->at = {bare ? content : begin, written.end};
                return written.end;
            }
        }
        node->at = {bare ? cursor : begin, cursor};
        return cursor;
    }

    static bool isNullWord(const QByteArray &word)
    {
        return word == "~" || word == "null" || word == "Null" || word == "NULL";
    }

    void scalar(Node *node, const yamllex::Properties &properties, const Context &context)
    {
        const bool present
            = properties.end == properties.content || belongs(properties.end, properties.content, context);
        if (!present || properties.content >= m_text.size()) {
            node->at.end = properties.end;
            node->editable = node->scalar.isEmpty();
            return;
        }
        const yamllex::Scalar written = yamllex::scalar(m_text, properties.content, context);
        // yaml-cpp drops one of the empty lines at the end of a folded text that keeps them.
        if (written.style == YamlNode::Style::Folded && written.value.endsWith("\n\n")
            && written.value == node->scalar + '\n') {
            node->scalar = written.value;
        }
        const bool same = written.value == node->scalar;
        if (!same && node->scalar.isEmpty() && properties.end > node->mark) {
            node->at.end = properties.end; // "!!str" alone, and what we looked at is something else
            return;
        }
        node->style = written.style;
        node->at.end = written.end;
        if (!written.closed) {
            node->editable = false;
            m_diagnostics.append(yamlDiagnostic("yaml.unclosed-quote", {properties.content, properties.content + 1}));
        } else if (!same) {
            node->editable = false;
            node->at.end = properties.content; // how far it goes is not known; the next node says where it begins
        }
    }

    // Ranges lie inside each other and follow each other, whatever went wrong before. Returns whether they did.
    static bool nest(Node *node, qsizetype from, qsizetype to)
    {
        if (node->at.begin < from || node->at.end < node->at.begin || node->at.end > to) {
            lost(node, from);
            return false;
        }
        qsizetype cursor = node->at.begin;
        bool fits = true;
        for (const YamlNode::Entry &entry : std::as_const(node->entries)) {
            for (const YamlNode *child : {entry.key, entry.value}) {
                if (child) {
                    fits = nest(mutableNode(child), cursor, node->at.end) && fits;
                    cursor = child->at.end;
                }
            }
        }
        node->editable = node->editable && fits;
        return fits;
    }

    // A node that begins before the cursor: what was read before it was read wrongly.
    static void lost(Node *node, qsizetype cursor)
    {
        node->editable = false;
        node->at = {cursor, cursor};
        for (const YamlNode::Entry &entry : std::as_const(node->entries)) {
            if (entry.key) {
                lost(mutableNode(entry.key), cursor);
            }
            lost(mutableNode(entry.value), cursor);
        }
    }

    qsizetype separator(qsizetype cursor) const
    {
        const qsizetype pos = skipGap(m_text, cursor);
        return at(m_text, pos) == ',' ? pos + 1 : cursor;
    }

    qsizetype flowSequence(Node *list, qsizetype begin)
    {
        qsizetype cursor = begin + 1;
        for (const YamlNode::Entry &entry : std::as_const(list->entries)) {
            cursor = node(mutableNode(entry.value), skipGap(m_text, separator(cursor)), {true, false, -1});
        }
        return closing(list, cursor, ']');
    }

    qsizetype flowMap(Node *map, qsizetype begin)
    {
        qsizetype cursor = begin + 1;
        for (const YamlNode::Entry &entry : std::as_const(map->entries)) {
            cursor = flowEntry(entry, skipGap(m_text, separator(cursor)));
        }
        return closing(map, cursor, '}');
    }

    qsizetype compactMap(Node *map, qsizetype cursor)
    {
        for (const YamlNode::Entry &entry : std::as_const(map->entries)) {
            cursor = flowEntry(entry, skipGap(m_text, cursor));
        }
        return cursor;
    }

    qsizetype flowEntry(const YamlNode::Entry &entry, qsizetype cursor)
    {
        const Context context{true, false, -1};
        if (at(m_text, cursor) == '?' && yamllex::isBlankOrEnd(m_text, cursor + 1)) {
            ++cursor;
        }
        cursor = node(mutableNode(entry.key), cursor, context);
        const qsizetype colon = skipGap(m_text, cursor);
        if (at(m_text, colon) != ':') {
            Node *value = mutableNode(entry.value);
            if (!value->null) {
                value->editable = false;
                return node(value, cursor, context);
            }
            value->at = {cursor, cursor};
            return cursor;
        }
        return node(mutableNode(entry.value), colon + 1, context);
    }

    qsizetype closing(Node *collection, qsizetype cursor, char bracket)
    {
        const qsizetype pos = skipGap(m_text, separator(cursor));
        if (at(m_text, pos) != bracket) {
            collection->editable = false;
            return cursor;
        }
        return pos + 1;
    }

    qsizetype blockSequence(Node *list, qsizetype begin)
    {
        list->style = YamlNode::Style::Block;
        const qsizetype indent = yamllex::columnOf(m_text, begin);
        qsizetype cursor = begin;
        for (const YamlNode::Entry &entry : std::as_const(list->entries)) {
            const qsizetype dash = skipGap(m_text, cursor);
            if (at(m_text, dash) != '-' || yamllex::columnOf(m_text, dash) != indent) {
                list->editable = false;
            } else {
                cursor = dash + 1;
            }
            cursor = node(mutableNode(entry.value), cursor, {false, false, indent});
        }
        return cursor;
    }

    qsizetype blockMap(Node *map, qsizetype begin)
    {
        const qsizetype indent = yamllex::columnOf(m_text, begin);
        qsizetype cursor = begin;
        for (const YamlNode::Entry &entry : std::as_const(map->entries)) {
            Node *key = mutableNode(entry.key);
            Node *value = mutableNode(entry.value);
            const qsizetype start = skipGap(m_text, cursor);
            if (yamllex::columnOf(m_text, start) != indent) {
                map->editable = false;
            }
            const bool isExplicit = at(m_text, start) == '?' && yamllex::isBlankOrEnd(m_text, start + 1);
            if (isExplicit) {
                cursor = node(key, start + 1, {false, false, indent});
            } else if (at(m_text, start) == ':' && key->null) {
                key->at = {start, start};
                cursor = start;
            } else {
                cursor = node(key, start, {false, true, indent});
            }
            const qsizetype colon = skipGap(m_text, cursor);
            const bool hasValue = at(m_text, colon) == ':' && yamllex::isBlankOrEnd(m_text, colon + 1)
                && (isExplicit ? yamllex::columnOf(m_text, colon) == indent : yamllex::sameLine(m_text, cursor, colon));
            const bool jsonLike = !isExplicit && at(m_text, colon) == ':' && yamllex::sameLine(m_text, cursor, colon);
            if (hasValue || jsonLike) {
                cursor = node(value, colon + 1, {false, false, indent});
            } else if (!value->null) {
                cursor = node(value, cursor, {false, false, indent});
                map->editable = false;
            } else {
                value->at = {cursor, cursor};
                value->editable = isExplicit;
                if (!isExplicit && value->mark == key->mark && !m_broken) {
                    m_broken = true;
                    // How far a doubtful key goes is not known: its line, then.
                    const qsizetype end = key->at.length() > 0 ? key->at.end : yamllex::lineEnd(m_text, key->at.begin);
                    const ByteRange line{key->at.begin, end};
                    m_diagnostics.append(withoutBlank(m_text, line)
                                             .value_or(yamlDiagnostic("yaml.syntax", line,
                                                 {{QStringLiteral("reason"), QStringLiteral("no-colon")}})));
                }
            }
        }
        return cursor;
    }

    const QByteArray &m_text;
    QList<Diagnostic> &m_diagnostics;
    bool m_broken; // an error of syntax is known
};

} // namespace

void extents(const QByteArray &bytes, Tree &tree, QList<Diagnostic> &diagnostics)
{
    // Reading that stopped leaves a last key without its colon: that is said already.
    ExtentWalk walk(bytes, diagnostics, !tree.complete);
    for (const auto &[root, begin] : {std::pair(tree.root, tree.begin), std::pair(tree.second, tree.secondBegin)}) {
        if (root && !walk.run(root, begin)) {
            tree.complete = false;
        }
    }
}

} // namespace trainyard::yamltree
