// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlplace.h"

#include "model/base/utf8.h"
#include "model/yaml/yamllex.h"

#include <QMap>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard::yamlplace
{

using yamllex::at;
using yamllex::columnOf;
using yamllex::lineBegin;
using yamllex::lineEnd;
using yamllex::skipGap;

bool isFlow(const YamlNode *collection)
{
    return collection && (collection->style == YamlNode::Style::Flow || insideFlow(collection));
}

bool insideFlow(const YamlNode *node)
{
    for (const YamlNode *parent = node->parent; parent; parent = parent->parent) {
        if (parent->style == YamlNode::Style::Flow) {
            return true;
        }
    }
    return false;
}

qsizetype contentBegin(const QByteArray &text, const YamlNode *node)
{
    const bool named = node->kind != YamlNode::Kind::Alias && !node->anchor.isEmpty();
    return yamllex::properties(text, node->at.begin, named, !node->tag.isEmpty()).content;
}

qsizetype previousLineEnd(const QByteArray &text, qsizetype line)
{
    return line - (line >= 2 && text.at(line - 1) == '\n' && text.at(line - 2) == '\r' ? 2 : 1);
}

bool isCompactPair(const QByteArray &text, const YamlNode *map)
{
    if (!map->isMap() || map->style != YamlNode::Style::Flow) {
        return false;
    }
    return at(text, contentBegin(text, map)) != '{'
        || (!map->entries.isEmpty() && map->entries.first().key->at.begin == map->at.begin);
}

qsizetype entryStart(const QByteArray &text, const YamlNode *collection, qsizetype index)
{
    const YamlNode::Entry &entry = collection->entries.at(index);
    if (collection->style == YamlNode::Style::Flow) {
        const YamlNode *first = entry.key ? entry.key : entry.value;
        qsizetype before = first->at.begin;
        while (before > 0 && (yamllex::isBlank(text.at(before - 1)) || yamllex::isBreak(text.at(before - 1)))) {
            --before;
        }
        const bool isExplicit = entry.key && before > 1 && before < first->at.begin && text.at(before - 1) == '?'
            && !yamllex::isBlankOrEnd(text, before - 1)
            && (yamllex::isBlank(text.at(before - 2)) || yamllex::isBreak(text.at(before - 2))
                || yamllex::isFlowIndicator(text.at(before - 2)));
        return isExplicit ? before - 1 : first->at.begin;
    }
    return index == 0 ? contentBegin(text, collection) : skipGap(text, collection->entries.at(index - 1).value->at.end);
}

qsizetype valueStart(const QByteArray &text, const YamlNode *collection, qsizetype index)
{
    const YamlNode::Entry &entry = collection->entries.at(index);
    if (!entry.key) {
        return isFlow(collection) ? entry.value->at.begin : entryStart(text, collection, index) + 1;
    }
    const qsizetype colon = skipGap(text, entry.key->at.end);
    return at(text, colon) == ':' && colon < std::max(entry.value->at.begin, colon + 1) && entry.value->at.begin > colon
        ? colon + 1
        : -1;
}

namespace
{

bool looksCommentedOut(const QByteArray &comment)
{
    static const QRegularExpression pattern(QStringLiteral("^#+[ \\t]*(?:- |[A-Za-z0-9_.\"'-]+:(?:[ \\t]|$))"));
    return pattern.match(textFromUtf8(comment)).hasMatch();
}

} // namespace

ByteRange chunk(const QByteArray &text, const YamlNode *collection, qsizetype index)
{
    const qsizetype start = entryStart(text, collection, index);
    const qsizetype column = columnOf(text, start);
    ByteRange range{start, lineEnd(text, collection->entries.at(index).value->at.end)};
    const bool heading = index == 0 && !collection->parent;
    if (onlyBlanksBefore(text, start) && !heading) {
        for (qsizetype line = lineBegin(text, start); line > 0;) {
            const qsizetype above = lineBegin(text, previousLineEnd(text, line));
            const qsizetype first = yamllex::skipBlanks(text, above);
            if (at(text, first) != '#' || columnOf(text, first) != column
                || looksCommentedOut(text.mid(first, lineEnd(text, first) - first))) {
                break;
            }
            range.begin = first;
            line = above;
        }
    }
    for (qsizetype line = range.end; line < text.size();) {
        const qsizetype next = line + yamllex::breakLength(text, line);
        const qsizetype first = yamllex::skipBlanks(text, next);
        const qsizetype end = lineEnd(text, first);
        if (first < end) {
            if (text.at(first) != '#' || columnOf(text, first) <= column) {
                break;
            }
            range.end = end;
        }
        line = end;
    }
    return range;
}

QByteArray lineBreakAt(const QByteArray &text, qsizetype pos)
{
    qsizetype end = lineEnd(text, pos);
    if (end >= text.size()) {
        const qsizetype begin = lineBegin(text, pos);
        if (begin == 0) {
            return "\n";
        }
        end = previousLineEnd(text, begin);
    }
    return text.mid(end, yamllex::breakLength(text, end));
}

bool onlyBlanksBefore(const QByteArray &text, qsizetype pos)
{
    qsizetype i = lineBegin(text, pos);
    if (i == 0) {
        i = std::min(yamllex::bomLength(text), pos);
    }
    return yamllex::skipBlanks(text, i) >= pos;
}

namespace
{

void countSteps(const YamlNode *node, const QByteArray &text, QMap<qsizetype, int> &maps, QMap<qsizetype, int> &lists)
{
    for (const YamlNode::Entry &entry : node->entries) {
        const YamlNode *value = entry.value;
        if (node->isMap() && node->style == YamlNode::Style::Block && value->style == YamlNode::Style::Block
            && !value->entries.isEmpty()) {
            const qsizetype step
                = columnOf(text, entryStart(text, value, 0)) - columnOf(text, entryStart(text, node, 0));
            ++(value->isMap() ? maps : lists)[step];
        }
        countSteps(value, text, maps, lists);
    }
}

qsizetype prevailing(const QMap<qsizetype, int> &counts, qsizetype fallback)
{
    int best = 0;
    qsizetype step = fallback;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        if (it.value() > best) {
            best = it.value();
            step = it.key();
        }
    }
    return step;
}

// How much deeper most block collections of a kind are than the map around them.
qsizetype prevailingStep(const YamlNode *root, const QByteArray &text, bool ofMaps)
{
    QMap<qsizetype, int> maps;
    QMap<qsizetype, int> lists;
    if (root) {
        countSteps(root, text, maps, lists);
    }
    return prevailing(ofMaps ? maps : lists, 2);
}

} // namespace

qsizetype mapStep(const YamlNode *root, const QByteArray &text)
{
    return std::clamp<qsizetype>(prevailingStep(root, text, true), 1, 9);
}

qsizetype listOffset(const YamlNode *root, const QByteArray &text)
{
    return std::clamp<qsizetype>(prevailingStep(root, text, false), 0, 9);
}

namespace
{

void collectLeaves(const YamlNode *node, QList<const YamlNode *> &leaves)
{
    if (node->entries.isEmpty()) {
        if (node->kind == YamlNode::Kind::Scalar || node->kind == YamlNode::Kind::Alias) {
            leaves.append(node);
        }
        return;
    }
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            collectLeaves(entry.key, leaves);
        }
        collectLeaves(entry.value, leaves);
    }
}

} // namespace

QList<ByteRange> comments(const YamlDocument &document)
{
    const QByteArray &text = document.bytes();
    QList<const YamlNode *> leaves;
    for (const YamlNode *root : {document.root(), document.secondRoot()}) {
        if (root) {
            collectLeaves(root, leaves);
        }
    }
    QList<ByteRange> found;
    const auto scan = [&](qsizetype from, qsizetype to, bool first = true) {
        for (qsizetype i = from; i < to; ++i) {
            const char before = i == 0 ? '\n' : text.at(i - 1);
            if (text.at(i) == '#'
                && ((first && i == from) || yamllex::isBlank(before) || yamllex::isBreak(before)
                    || yamllex::isFlowIndicator(before) || i == yamllex::bomLength(text))) {
                const qsizetype end = lineEnd(text, i);
                found.append({i, end});
                i = end;
            }
        }
    };
    qsizetype cursor = 0;
    for (const YamlNode *leaf : std::as_const(leaves)) {
        scan(cursor, leaf->at.begin);
        const qsizetype content = std::min(contentBegin(text, leaf), leaf->at.end);
        scan(leaf->at.begin, content, false); // between an anchor and what it names
        if (leaf->style == YamlNode::Style::Literal || leaf->style == YamlNode::Style::Folded) {
            scan(yamllex::blockHeader(text, content).end, lineEnd(text, content), false);
            cursor = std::max(cursor, lineEnd(text, content));
        }
        cursor = std::max(cursor, leaf->at.end);
    }
    scan(cursor, text.size());
    return found;
}

} // namespace trainyard::yamlplace
