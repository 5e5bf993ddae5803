// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/yamlfuzz.h"

#include "model/protocol/rename.h"
#include "model/yaml/yamledit.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlplace.h"
#include "model/yaml/yamlscalar.h"

#include <algorithm>
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

namespace
{

// A scalar's range, read again on its own, gives its value; its value's bytes come from inside of it, in order.
void checkScalar(const YamlDocument &document, const YamlNode *node)
{
    const QByteArray &text = document.bytes();
    const bool key = node->parent && node->parent->isMap() && node->parent->entries.at(node->position).key == node;
    const YamlNode *parent = node->parent;
    const bool flow = parent && yamlplace::isFlow(parent);
    const qsizetype content = yamlplace::contentBegin(text, node);
    if (!parent || key || content >= node->at.end || (node->isNull() && node->scalar.isEmpty())) {
        return;
    }
    for (const YamlNode *inner = node; inner->parent; inner = inner->parent) {
        const YamlNode *name = inner->parent->entries.at(inner->position).key;
        if (name && name->at.length() == 0) {
            return; // ": x": behind a key without text a column cannot be told
        }
    }
    const qsizetype base = flow ? -1 : yamllex::columnOf(text, yamlplace::entryStart(text, parent, node->position));
    QList<qsizetype> sources;
    const yamllex::Scalar read = yamllex::scalar(text, content, {flow, false, base}, &sources);
    REQUIRE(read.end == node->at.end && read.style == node->style && read.closed);
    REQUIRE(read.value == node->scalar);
    REQUIRE(sources.size() == read.value.size());
    REQUIRE(std::is_sorted(sources.cbegin(), sources.cend()));
    REQUIRE(sources.isEmpty() || (content <= sources.first() && sources.last() <= node->at.end));
    // Quoted and bracketed things mean the same wherever they stand.
    if (node->style == YamlNode::Style::SingleQuoted || node->style == YamlNode::Style::DoubleQuoted) {
        const QByteArray slice = text.mid(content, node->at.end - content);
        const YamlDocument alone = YamlDocument::parse(slice);
        const bool marks = slice.contains("\n---") || slice.contains("\n...") || slice.contains('\r');
        REQUIRE(marks || !alone.isComplete() || (alone.root() && alone.root()->scalar == node->scalar));
    }
}

void checkExtents(const YamlDocument &document, const YamlNode *node)
{
    if (!node->editable) {
        return;
    }
    const QByteArray &text = document.bytes();
    if (node->kind == YamlNode::Kind::Scalar) {
        checkScalar(document, node);
    }
    if (node->kind == YamlNode::Kind::Alias) {
        REQUIRE(text.at(node->at.begin) == '*');
        REQUIRE(text.mid(node->at.begin + 1, node->at.length() - 1) == node->anchor);
    }
    if (node->style == YamlNode::Style::Flow && !yamlplace::isCompactPair(text, node)) {
        const char open = text.at(yamlplace::contentBegin(text, node));
        REQUIRE(open == (node->isMap() ? '{' : '['));
        REQUIRE(text.at(node->at.end - 1) == (node->isMap() ? '}' : ']'));
    }
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            checkExtents(document, entry.key);
        }
        checkExtents(document, entry.value);
    }
}

QList<QByteArray> sortedValues(const YamlDocument &document)
{
    QList<QByteArray> values;
    if (document.root()) {
        listValues(document.root(), nullptr, values);
    }
    std::sort(values.begin(), values.end());
    return values;
}

bool holdsAll(const QList<QByteArray> &all, const QList<QByteArray> &some)
{
    return std::includes(all.cbegin(), all.cend(), some.cbegin(), some.cend());
}

bool isValue(const YamlNode *node) { return node && node->parent; }

void checkEffect(const edit::Op &op, const YamlDocument &document, const YamlDocument &after)
{
    const YamlPath path = std::visit([](const auto &each) { return each.path; }, op);
    const YamlNode *target = document.find(path);
    const YamlNode *now = after.find(path);
    if (const auto *set = std::get_if<edit::SetText>(&op)) {
        REQUIRE(now && now->scalar == set->text.toUtf8() && typedScalar(*now).type == ScalarType::String);
    }
    if (std::holds_alternative<edit::SetText>(op) || std::holds_alternative<edit::SetValue>(op)) {
        REQUIRE(!target || (now && valuesExcept(after, now) == valuesExcept(document, target)));
    } else if (std::holds_alternative<edit::Insert>(op) || std::holds_alternative<edit::InsertText>(op)) {
        if (isValue(target) && target->parent->isSequence()) {
            REQUIRE(now && valuesExcept(after, now) == valuesExcept(document, nullptr));
        }
    } else if (std::holds_alternative<edit::Remove>(op)) {
        REQUIRE(holdsAll(sortedValues(document), sortedValues(after)) || !after.isWellFormed());
    } else if (std::holds_alternative<edit::Move>(op)) {
        REQUIRE(sortedValues(after) == sortedValues(document));
    } else if (const auto *rename = std::get_if<edit::RenameKey>(&op)) {
        const YamlNode *renamed = after.find(path.parent().child(rename->key));
        REQUIRE(!target || (renamed && valuesExcept(after, renamed).size() == valuesExcept(document, target).size()));
    } else if (std::holds_alternative<edit::ReplaceText>(op)) {
        REQUIRE(target && now && valuesExcept(after, now) == valuesExcept(document, target));
    } else if (std::holds_alternative<edit::Duplicate>(op)) {
        REQUIRE(holdsAll(sortedValues(after), sortedValues(document)));
        REQUIRE(target && valuesExcept(after, nullptr).size() > valuesExcept(document, nullptr).size());
    }
}

void listPlaces(const YamlNode *node, QList<const YamlNode *> &places)
{
    if (node->parent) {
        places.append(node);
    }
    for (const YamlNode::Entry &entry : node->entries) {
        listPlaces(entry.value, places);
    }
}

} // namespace

void extent(const QByteArray &bytes)
{
    const YamlDocument document = YamlDocument::parse(bytes);
    if (document.root() && document.isComplete()) {
        checkExtents(document, document.root());
        const QList<ByteRange> comments = yamlplace::comments(document);
        for (const ByteRange &comment : comments) {
            REQUIRE(bytes.at(comment.begin) == '#');
        }
    }
}

void edit(const QByteArray &bytes)
{
    if (bytes.size() < 4) {
        return;
    }
    const auto at = [&](qsizetype i) { return static_cast<uchar>(bytes.at(i)); };
    const int operation = at(0) % 9;
    const bool anyPlace = at(0) >= 128; // maps and lists too
    const qsizetype length = qMin<qsizetype>(at(2) % 32, bytes.size() - 3);
    const QString text = QString::fromUtf8(bytes.mid(3, length));
    const YamlDocument document = YamlDocument::parse(bytes.mid(3 + length));
    QList<const YamlNode *> places;
    if (document.root()) {
        anyPlace ? listPlaces(document.root(), places) : listScalars(document.root(), places);
    }
    const YamlNode *node = places.isEmpty() ? nullptr : places.at(at(1) % places.size());
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
    case 6:
        op = edit::RenameKey{path, text};
        break;
    case 7: {
        const qsizetype size = target ? QString::fromUtf8(target->scalar).size() : 0;
        const qsizetype begin = size > 0 ? (at(1) / 16) % size : 0;
        op = edit::ReplaceText{path, {{begin, std::min(size, begin + 1 + at(1) % 3), text}}, at(0) % 2 == 0};
        break;
    }
    default:
        op = edit::Duplicate{path, text};
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
    checkEffect(op, document, after);
    parse(after.bytes());
}

void rename(const QByteArray &bytes)
{
    if (bytes.size() < 2) {
        return;
    }
    const YamlDocument document = YamlDocument::parse(bytes.mid(1));
    if (!document.root() || !document.isComplete()) {
        return;
    }
    QList<const YamlNode *> places;
    listPlaces(document.root(), places);
    if (places.isEmpty()) {
        return;
    }
    const YamlPath path = document.pathOf(places.at(static_cast<uchar>(bytes.at(0)) % places.size()));
    const QString fresh = QStringLiteral("zz9q");
    const QString old = nameAt(document, path);
    const Result<RenamePlan> plan = planRename(document, path, fresh);
    if (!plan) {
        const QString &code = plan.error().code;
        REQUIRE(code.startsWith(QLatin1String("rename.")) || code.startsWith(QLatin1String("edit.")));
        return;
    }
    const Result<TextEdits> edits = planEdits(document, plan->ops);
    if (!edits || bytes.contains("zz9q")) {
        return;
    }
    const YamlDocument after = YamlDocument::parse(applyEdits(document.bytes(), *edits));
    const bool item = plan->kind == NameKind::Prerequisite || plan->kind == NameKind::Deployment;
    const YamlPath now = item ? path : path.parent().child(fresh);
    REQUIRE(after.find(now) && nameAt(after, now) == fresh);
    REQUIRE(sortedValues(after).size() == sortedValues(document).size());
    const Result<RenamePlan> back = planRename(after, now, old);
    if (!back) {
        REQUIRE(back.error().code.startsWith(QLatin1String("rename."))); // the old one was no name that may be given
        return;
    }
    const Result<TextEdits> restoring = planEdits(after, back->ops);
    if (restoring) {
        const YamlDocument restored = YamlDocument::parse(applyEdits(after.bytes(), *restoring));
        // A role has two spellings in variables; of two that meant it both now have one of them.
        // An index in brackets comes back as a name behind a dot, a key like a number or null as a text.
        const bool exact = plan->kind != NameKind::Role && !bytes.contains('[') && !looksTyped(old.toUtf8());
        REQUIRE(!exact || sortedValues(restored) == sortedValues(document));
    }
}

} // namespace yamlfuzz
