// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/yamlfuzz.h"

#include "model/yaml/yamledit.h"
#include "model/yaml/yamlscalar.h"

#include <cstdio>
#include <cstdlib>

using namespace trainyard;

namespace yamlfuzz
{

namespace
{

void require(bool holds, const char *what)
{
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what);
        std::abort();
    }
}
#define REQUIRE(condition) require(condition, #condition)

void checkNode(const YamlDocument &document, const YamlNode *node, const ByteRange &around)
{
    REQUIRE(around.begin <= node->at.begin && node->at.begin <= node->at.end && node->at.end <= around.end);
    qsizetype cursor = node->at.begin;
    for (qsizetype i = 0; i < node->entries.size(); ++i) {
        const YamlNode::Entry &entry = node->entries.at(i);
        REQUIRE(entry.value && entry.value->parent == node && entry.value->position == i);
        REQUIRE((entry.key != nullptr) == node->isMap());
        if (entry.key) {
            checkNode(document, entry.key, {cursor, document.bytes().size()});
            cursor = entry.key->at.end;
        }
        checkNode(document, entry.value, {cursor, document.bytes().size()});
        cursor = entry.value->at.end;
    }
    if (node->editable && node->kind == YamlNode::Kind::Scalar) {
        const YamlPath path = document.pathOf(node);
        const YamlNode *found = document.find(path);
        REQUIRE(found);
    }
}

void listScalars(const YamlNode *node, QList<const YamlNode *> &scalars)
{
    if (node->parent && node->kind == YamlNode::Kind::Scalar) {
        scalars.append(node);
    }
    for (const YamlNode::Entry &entry : node->entries) {
        listScalars(entry.value, scalars);
    }
}

void listValues(const YamlNode *node, const YamlNode *except, QList<QByteArray> &values)
{
    if (node == except) {
        return;
    }
    values.append(QByteArray::number(int(node->kind)) + node->tag + '&' + node->anchor + '='
        + typedScalar(*node).value.toText().toUtf8());
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            listValues(entry.key, except, values);
        }
        listValues(entry.value, except, values);
    }
}

QList<QByteArray> valuesExcept(const YamlDocument &document, const YamlNode *except)
{
    QList<QByteArray> values;
    listValues(document.root(), except, values);
    return values;
}

} // namespace

void parse(const QByteArray &bytes)
{
    const YamlDocument document = YamlDocument::parse(bytes);
    for (const Diagnostic &each : document.diagnostics()) {
        REQUIRE(0 <= each.at.begin && each.at.begin <= each.at.end && each.at.end <= bytes.size());
        REQUIRE(each.code.startsWith(QLatin1String("yaml.")));
    }
    if (document.root()) {
        checkNode(document, document.root(), {0, bytes.size()});
        for (qsizetype i = 0; i <= bytes.size() && i < 200; ++i) {
            REQUIRE(document.find(document.pathAt(i)) || !document.isWellFormed());
        }
    } else {
        REQUIRE(!document.isWellFormed());
    }
}

void edit(const QByteArray &bytes)
{
    if (bytes.size() < 4) {
        return;
    }
    const auto at = [&](qsizetype i) { return static_cast<uchar>(bytes.at(i)); };
    const int operation = at(0) % 7;
    const qsizetype length = qMin<qsizetype>(at(2) % 32, bytes.size() - 3);
    const QString text = QString::fromUtf8(bytes.mid(3, length));
    const YamlDocument document = YamlDocument::parse(bytes.mid(3 + length));
    QList<const YamlNode *> scalars;
    if (document.root()) {
        listScalars(document.root(), scalars);
    }
    const YamlNode *node = scalars.isEmpty() ? nullptr : scalars.at(at(1) % scalars.size());
    const YamlPath path = node ? document.pathOf(node) : YamlPath{QStringLiteral("new"), QStringLiteral("key")};
    const YamlNode *target = document.find(path);
    edit::Op op;
    switch (operation) {
    case 0:
        op = edit::SetText{path, text};
        break;
    case 1:
        op = edit::SetValue{path, text.toUtf8()};
        break;
    case 2:
        op = edit::Insert{path, text.toUtf8()};
        break;
    case 3:
        op = edit::InsertText{path.parent().child(text), text};
        break;
    case 4:
        op = edit::Remove{path};
        break;
    case 5:
        op = edit::Move{path, at(1) / 16};
        break;
    default:
        op = edit::RenameKey{path, text};
        break;
    }
    const Result<TextEdits> edits = planEdit(document, op);
    if (!edits) {
        REQUIRE(edits.error().code.startsWith(QLatin1String("edit.")));
        return;
    }
    qsizetype done = 0;
    for (const TextEdit &each : *edits) {
        REQUIRE(done <= each.range.begin && each.range.begin <= each.range.end);
        done = each.range.end;
    }
    REQUIRE(done <= document.bytes().size());
    const YamlDocument after = YamlDocument::parse(applyEdits(document.bytes(), *edits));
    const YamlNode *now = after.find(path);
    if (operation == 0) {
        REQUIRE(now && now->scalar == text.toUtf8());
        REQUIRE(typedScalar(*now).type == ScalarType::String);
    }
    if (operation <= 1 && target) {
        REQUIRE(now && valuesExcept(after, now) == valuesExcept(document, target));
    }
    if (operation == 6 && target) {
        const YamlNode *renamed = after.find(path.parent().child(text));
        REQUIRE(renamed && valuesExcept(after, renamed).size() == valuesExcept(document, target).size());
    }
    parse(after.bytes());
}

} // namespace yamlfuzz
