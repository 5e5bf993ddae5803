// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlguard.h"

#include "model/yaml/yamlplace.h"
#include "model/yaml/yamlscalar.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <algorithm>

namespace trainyard::yamlguard
{

ExpectPtr same(const YamlNode *node)
{
    auto expect = std::make_shared<Expect>();
    expect->same = node;
    return expect;
}

ExpectPtr string(const QByteArray &text)
{
    auto expect = std::make_shared<Expect>();
    expect->text = true;
    expect->scalar = text;
    return expect;
}

ExpectPtr collection(YamlNode::Kind kind)
{
    auto expect = std::make_shared<Expect>();
    expect->kind = kind;
    return expect;
}

ExpectPtr expanded(const YamlNode *node)
{
    auto expect = std::make_shared<Expect>();
    expect->kind = node->kind;
    expect->plain = node->style == YamlNode::Style::Plain;
    expect->tag = node->tag;
    expect->anchor = node->anchor;
    expect->scalar = node->scalar;
    for (const YamlNode::Entry &entry : node->entries) {
        expect->entries.emplace_back(entry.key ? same(entry.key) : nullptr, same(entry.value));
    }
    return expect;
}

ExpectPtr unnamed(const YamlNode *node)
{
    ExpectPtr expect = expanded(node);
    if (node->kind != YamlNode::Kind::Alias) {
        expect->anchor.clear();
    }
    for (qsizetype i = 0; i < node->entries.size(); ++i) {
        const YamlNode::Entry &entry = node->entries.at(i);
        expect->entries[size_t(i)] = {entry.key ? unnamed(entry.key) : nullptr, unnamed(entry.value)};
    }
    return expect;
}

namespace
{

// Depth is bounded by that of a document.
bool equal(const YamlNode *a, const YamlNode *b)
{
    if (!a || !b) {
        return a == b;
    }
    // Certain contents must not become doubtful: a block scalar can absorb lines around it.
    if ((a->editable && !b->editable) || a->kind != b->kind || a->tag != b->tag || a->anchor != b->anchor
        || a->scalar != b->scalar || (a->style == YamlNode::Style::Plain) != (b->style == YamlNode::Style::Plain)
        || a->entries.size() != b->entries.size()) {
        return false;
    }
    for (qsizetype i = 0; i < a->entries.size(); ++i) {
        if (!equal(a->entries.at(i).key, b->entries.at(i).key)
            || !equal(a->entries.at(i).value, b->entries.at(i).value)) {
            return false;
        }
    }
    return true;
}

bool equal(const ExpectPtr &expected, const YamlNode *node)
{
    if (!expected || !node) {
        return !expected && !node;
    }
    if (expected->same) {
        return equal(expected->same, node);
    }
    if (expected->text) {
        return node->kind == YamlNode::Kind::Scalar && node->editable && node->anchor == expected->anchor
            && node->scalar == expected->scalar && typedScalar(*node).type == ScalarType::String;
    }
    if (expected->kind != node->kind || expected->tag != node->tag || expected->anchor != node->anchor
        || expected->scalar != node->scalar || qsizetype(expected->entries.size()) != node->entries.size()) {
        return false;
    }
    if (expected->kind == YamlNode::Kind::Scalar && expected->plain != (node->style == YamlNode::Style::Plain)) {
        return false;
    }
    for (size_t i = 0; i < expected->entries.size(); ++i) {
        const YamlNode::Entry &entry = node->entries.at(qsizetype(i));
        if (!equal(expected->entries[i].first, entry.key) || !equal(expected->entries[i].second, entry.value)) {
            return false;
        }
    }
    return true;
}

QMap<QString, int> errorCounts(const YamlDocument &document)
{
    QMap<QString, int> counts;
    for (const Diagnostic &diagnostic : document.diagnostics()) {
        if (diagnostic.severity == Severity::Error) {
            ++counts[diagnostic.code];
        }
    }
    return counts;
}

bool isInside(const ByteRange &comment, const QList<ByteRange> &ranges)
{
    return std::any_of(ranges.cbegin(), ranges.cend(),
        [&](const ByteRange &range) { return range.begin <= comment.begin && comment.end <= range.end; });
}

QMap<QByteArray, int> commentCounts(
    const YamlDocument &document, const QList<ByteRange> &except, const QList<ByteRange> &twice)
{
    QMap<QByteArray, int> counts;
    const QList<ByteRange> all = yamlplace::comments(document);
    for (const ByteRange &comment : all) {
        if (!isInside(comment, except)) {
            counts[document.bytes().mid(comment.begin, comment.length())] += isInside(comment, twice) ? 2 : 1;
        }
    }
    return counts;
}

// The tree with all places changed.
class Changed
{
public:
    explicit Changed(const QList<Change> &changes)
    {
        for (const Change &change : changes) {
            m_now.insert(change.place, change.expected);
            for (const YamlNode *above = change.place->parent; above; above = above->parent) {
                m_above.insert(above);
            }
        }
    }
    ExpectPtr of(const YamlNode *node) const
    {
        const auto now = m_now.constFind(node);
        if (now != m_now.constEnd()) {
            return *now;
        }
        if (!m_above.contains(node)) {
            return same(node);
        }
        ExpectPtr expect = expanded(node);
        for (qsizetype i = 0; i < node->entries.size(); ++i) {
            const YamlNode::Entry &entry = node->entries.at(i);
            expect->entries[size_t(i)] = {entry.key ? of(entry.key) : nullptr, of(entry.value)};
        }
        return expect;
    }

private:
    QHash<const YamlNode *, ExpectPtr> m_now;
    QSet<const YamlNode *> m_above;
};

} // namespace

Result<YamlDocument> check(const YamlDocument &document, const QList<Change> &changes)
{
    Change change = changes.first();
    if (changes.size() > 1) {
        for (qsizetype i = 1; i < changes.size(); ++i) {
            change.edits += changes.at(i).edits;
            change.mayRemove += changes.at(i).mayRemove;
            change.repeats += changes.at(i).repeats;
        }
        change.edits = minimal(document.bytes(), change.edits);
    }
    if (change.place) {
        change.expected = Changed(changes).of(document.root());
    }
    qsizetype done = 0;
    for (const TextEdit &edit : std::as_const(change.edits)) {
        if (edit.range.begin < done || edit.range.end < edit.range.begin || edit.range.end > document.bytes().size()) {
            return fail(QStringLiteral("edit.would-change-more"));
        }
        done = edit.range.end;
    }
    const YamlDocument next = YamlDocument::parse(applyEdits(document.bytes(), change.edits));
    const auto changesMore = [] { return fail(QStringLiteral("edit.would-change-more")); };
    if (!change.expected) {
        const bool empty = !next.root() || (next.root()->isNull() && next.root()->scalar.isEmpty());
        if (!empty || next.secondRoot() || document.secondRoot()) {
            return changesMore();
        }
    } else {
        const QMap<QString, int> before = errorCounts(document);
        const QMap<QString, int> after = errorCounts(next);
        for (auto it = after.cbegin(); it != after.cend(); ++it) {
            if (it.value() > before.value(it.key())) {
                return changesMore();
            }
        }
        if (!next.isComplete() || !equal(change.expected, next.root())
            || !equal(document.secondRoot(), next.secondRoot())) {
            return changesMore();
        }
    }
    if (commentCounts(document, change.mayRemove, change.repeats) != commentCounts(next, {}, {})) {
        return fail(QStringLiteral("edit.would-lose-comment"));
    }
    return next;
}

TextEdits minimal(const QByteArray &text, TextEdits edits)
{
    std::stable_sort(
        edits.begin(), edits.end(), [](const TextEdit &a, const TextEdit &b) { return a.range.begin < b.range.begin; });
    TextEdits joined;
    for (const TextEdit &edit : std::as_const(edits)) {
        if (!joined.isEmpty() && joined.last().range.end == edit.range.begin) {
            joined.last().range.end = edit.range.end;
            joined.last().text += edit.text;
        } else {
            joined.append(edit);
        }
    }
    const auto continues = [](char c) { return (static_cast<uchar>(c) & 0xC0) == 0x80; };
    TextEdits result;
    for (TextEdit edit : std::as_const(joined)) {
        const QByteArray old = text.mid(edit.range.begin, edit.range.length());
        const qsizetype limit = std::min(old.size(), edit.text.size());
        qsizetype prefix = 0;
        while (prefix < limit && old.at(prefix) == edit.text.at(prefix)) {
            ++prefix;
        }
        qsizetype suffix = 0;
        while (
            suffix < limit - prefix && old.at(old.size() - 1 - suffix) == edit.text.at(edit.text.size() - 1 - suffix)) {
            ++suffix;
        }
        // Never in the middle of a code point or of CRLF.
        while (prefix > 0
            && ((prefix < old.size() && continues(old.at(prefix)))
                || (prefix < edit.text.size() && continues(edit.text.at(prefix))) || old.at(prefix - 1) == '\r')) {
            --prefix;
        }
        const auto splits = [&](const QByteArray &whole) {
            const qsizetype at = whole.size() - suffix;
            return continues(whole.at(at)) || (whole.at(at) == '\n' && at > 0 && whole.at(at - 1) == '\r');
        };
        while (suffix > 0 && (splits(old) || splits(edit.text))) {
            --suffix;
        }
        edit.range = {edit.range.begin + prefix, edit.range.end - suffix};
        edit.text = edit.text.mid(prefix, edit.text.size() - prefix - suffix);
        if (edit.range.length() > 0 || !edit.text.isEmpty()) {
            result.append(edit);
        }
    }
    return result;
}

} // namespace trainyard::yamlguard
