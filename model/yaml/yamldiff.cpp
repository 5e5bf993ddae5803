// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamldiff.h"

#include "model/base/utf8.h"
#include "model/yaml/yamlencode.h"
#include "model/yaml/yamlscalar.h"

#include <QRegularExpression>

namespace trainyard
{
namespace
{

bool sameValue(const YamlNode *left, const YamlNode *right)
{
    const YamlNode *a = left->resolved();
    const YamlNode *b = right->resolved();
    if (a->kind != b->kind || a->entries.size() != b->entries.size()) {
        return false;
    }
    if (a->kind == YamlNode::Kind::Scalar) {
        const TypedScalar x = typedScalar(*a);
        const TypedScalar y = typedScalar(*b);
        // A number in another spelling is an intended change.
        return x.type == y.type && a->scalar == b->scalar;
    }
    for (qsizetype i = 0; i < a->entries.size(); ++i) {
        const YamlNode *other = a->isMap() ? b->find(a->entries.at(i).key->scalar) : b->entries.at(i).value;
        if (!other || !sameValue(a->entries.at(i).value, other)) {
            return false;
        }
    }
    return true;
}

bool holdsEntries(const YamlNode *node)
{
    return node && node->kind != YamlNode::Kind::Scalar && !node->entries.isEmpty();
}

QString keyOf(const YamlNode::Entry &entry) { return textFromUtf8(entry.key->scalar); }

class Differ
{
public:
    QList<edit::Op> ops;

    void become(const YamlNode *present, const YamlNode *wanted, const YamlPath &path)
    {
        const YamlNode *now = present ? present->resolved() : nullptr;
        const YamlNode *next = wanted->resolved();
        if (now && sameValue(now, next)) {
            return;
        }
        if (holdsEntries(now) && holdsEntries(next) && now->kind == next->kind) {
            if (next->isMap()) {
                map(now, next, path);
            } else {
                list(now, next, path);
            }
            return;
        }
        if (holdsEntries(next) && now) {
            // From here on a place without a value: what is set below it is written as a block.
            ops.append(edit::SetValue{path, "null"});
        }
        write(next, path, false);
    }

private:
    void map(const YamlNode *now, const YamlNode *next, const YamlPath &path)
    {
        // First what comes, then what goes: a map must not be empty in between.
        for (const YamlNode::Entry &entry : next->entries) {
            become(now->find(entry.key->scalar), entry.value, path.child(keyOf(entry)));
        }
        for (const YamlNode::Entry &entry : now->entries) {
            if (!next->find(entry.key->scalar)) {
                ops.append(edit::Remove{path.child(keyOf(entry))});
            }
        }
    }

    void list(const YamlNode *now, const YamlNode *next, const YamlPath &path)
    {
        const auto item = [](const YamlNode *node, qsizetype i) { return node->entries.at(i).value; };
        const qsizetype before = now->entries.size();
        const qsizetype after = next->entries.size();
        qsizetype head = 0;
        while (head < before && head < after && sameValue(item(now, head), item(next, head))) {
            ++head;
        }
        qsizetype tail = 0;
        while (tail < before - head && tail < after - head
            && sameValue(item(now, before - 1 - tail), item(next, after - 1 - tail))) {
            ++tail;
        }
        const qsizetype both = std::min(before, after) - head - tail;
        for (qsizetype i = head; i < head + both; ++i) {
            become(item(now, i), item(next, i), path.child(i));
        }
        for (qsizetype i = head + both; i < after - tail; ++i) {
            write(item(next, i)->resolved(), path.child(i), true);
        }
        for (qsizetype i = before - tail - 1; i >= head + both; --i) {
            ops.append(edit::Remove{path.child(i)});
        }
    }

    // The missing entries.
    void write(const YamlNode *node, const YamlPath &path, bool inserts)
    {
        if (node->kind == YamlNode::Kind::Scalar) {
            const TypedScalar typed = typedScalar(*node);
            const bool bare = node->style == YamlNode::Style::Plain && node->tag.isEmpty();
            if (typed.type != ScalarType::String && bare) {
                const QByteArray text = node->scalar.isEmpty() ? QByteArray("null") : node->scalar;
                inserts ? ops.append(edit::Insert{path, text}) : ops.append(edit::SetValue{path, text});
            } else {
                const QString text = textFromUtf8(node->scalar);
                inserts ? ops.append(edit::InsertText{path, text}) : ops.append(edit::SetText{path, text});
            }
            return;
        }
        if (node->entries.isEmpty()) {
            const QByteArray text = node->isMap() ? "{}" : "[]";
            inserts ? ops.append(edit::Insert{path, text}) : ops.append(edit::SetValue{path, text});
            return;
        }
        if (inserts) {
            ops.append(edit::Insert{path, "null"});
        }
        for (qsizetype i = 0; i < node->entries.size(); ++i) {
            const YamlNode::Entry &entry = node->entries.at(i);
            write(entry.value->resolved(), node->isMap() ? path.child(keyOf(entry)) : path.child(i), false);
        }
    }
};

} // namespace

QList<edit::Op> opsToBecome(const YamlNode *present, const YamlNode *wanted, const YamlPath &path)
{
    Differ differ;
    differ.become(present, wanted, path);
    return differ.ops;
}

YamlDocument parseEntries(const QString &text)
{
    static const QRegularExpression assignment(
        QStringLiteral("^\\s*(?:export\\s+|set\\s+|-{1,2})?([A-Za-z_][A-Za-z0-9_.-]*)\\s*=\\s*(.*?)\\s*;?\\s*$"));
    QByteArray yaml;
    bool assignments = true;
    const QStringList lines = text.split(u'\n');
    for (const QString &line : lines) {
        if (line.trimmed().isEmpty() || line.trimmed().startsWith(u'#')) {
            continue;
        }
        const QRegularExpressionMatch match = assignment.match(line);
        if (!match.hasMatch()) {
            assignments = false;
            break;
        }
        const QByteArray value = match.captured(2).toUtf8();
        // A value that is not valid YAML by itself is meant as text.
        const YamlDocument probe = YamlDocument::parse('[' + value + "\n]");
        const bool oneValue = probe.isWellFormed() && probe.root() && probe.root()->isSequence()
            && probe.root()->entries.size() == 1
            && (!probe.root()->entries.first().value->isMap() || value.startsWith('{'));
        yaml += yamlencode::doubleQuoted(match.captured(1).toUtf8()) + ": "
            + (oneValue ? value : yamlencode::doubleQuoted(value)) + '\n';
    }
    const YamlDocument document = YamlDocument::parse(assignments ? yaml : text.toUtf8());
    const YamlNode *root = document.root();
    if (!document.isWellFormed() || !root || !root->isMap() || root->entries.isEmpty()) {
        return {};
    }
    for (const YamlNode::Entry &entry : root->entries) {
        if (entry.key->kind != YamlNode::Kind::Scalar || entry.key->scalar.isEmpty()) {
            return {};
        }
    }
    return document;
}

} // namespace trainyard
