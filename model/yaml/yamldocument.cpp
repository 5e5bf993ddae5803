// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamldocument.h"

#include "model/base/utf8.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlplace.h"
#include "model/yaml/yamlprescan.h"
#include "model/yaml/yamltree.h"

#include <QLoggingCategory>

#include <algorithm>

namespace trainyard
{

bool YamlNode::isNull() const
{
    return kind == Kind::Scalar && style == Style::Plain && tag.isEmpty()
        && (scalar.isEmpty() || scalar == "~" || scalar == "null" || scalar == "Null" || scalar == "NULL");
}

const YamlNode *YamlNode::find(const QByteArray &key) const
{
    const YamlNode *map = resolved();
    if (!map->isMap()) {
        return nullptr;
    }
    if (map->lookup) {
        const auto it = map->lookup->constFind(key);
        return it == map->lookup->constEnd() ? nullptr : map->entries.at(*it).value;
    }
    for (const Entry &entry : map->entries) {
        const YamlNode *name = entry.key->resolved();
        if (name->kind == Kind::Scalar && name->scalar == key) {
            return entry.value;
        }
    }
    return nullptr;
}

struct YamlDocument::Data {
    QByteArray bytes;
    yamltree::Tree tree;
    QList<Diagnostic> diagnostics;
    bool wellFormed = true;
};

YamlDocument::YamlDocument() : d(std::make_shared<Data>()) { }

namespace
{

bool isCode(const Diagnostic &diagnostic, const char *code) { return diagnostic.code == QLatin1String(code); }

const YamlNode::Entry *entryOf(const YamlNode *map, const QString &key)
{
    const YamlNode *value = map->find(key.toUtf8());
    return value ? &map->resolved()->entries.at(value->position) : nullptr;
}

const YamlNode *step(const YamlNode *node, const YamlPath::Element &element)
{
    node = node->resolved();
    if (const auto *key = std::get_if<QString>(&element)) {
        if (node->isMap()) {
            return node->find(key->toUtf8());
        }
        bool ok = !key->isEmpty() && (*key == QLatin1String("0") || !key->startsWith(u'0'));
        const qsizetype index = ok && key->at(0).isDigit() ? key->toLongLong(&ok) : -1;
        return node->isSequence() && ok && index >= 0 && index < node->entries.size() ? node->entries.at(index).value
                                                                                      : nullptr;
    }
    const qsizetype index = std::get<qsizetype>(element);
    return node->isSequence() && index >= 0 && index < node->entries.size() ? node->entries.at(index).value : nullptr;
}

// The entry whose key or value is at `offset` or ends there, or null.
const YamlNode::Entry *entryAt(const QByteArray &text, const YamlNode *node, qsizetype offset)
{
    const auto begin = [](const YamlNode::Entry &entry) { return (entry.key ? entry.key : entry.value)->at.begin; };
    const auto next = std::upper_bound(node->entries.cbegin(), node->entries.cend(), offset,
        [&](qsizetype value, const YamlNode::Entry &entry) { return value < begin(entry); });
    if (next == node->entries.cbegin()) {
        return nullptr;
    }
    const YamlNode::Entry &entry = *std::prev(next);
    // A missing value is wherever one could be typed: up to the end of its line.
    const qsizetype end
        = entry.value->at.length() > 0 ? entry.value->at.end : yamllex::skipBlanks(text, entry.value->at.end);
    return offset <= end ? &entry : nullptr;
}

} // namespace

namespace
{

// A control character in a comment does no harm.
void excuseComments(const YamlDocument &document, QList<Diagnostic> &diagnostics)
{
    const bool any = std::any_of(diagnostics.cbegin(), diagnostics.cend(),
        [](const Diagnostic &each) { return isCode(each, "yaml.control-character"); });
    if (!any || !document.isComplete()) {
        return;
    }
    const QList<ByteRange> comments = yamlplace::comments(document);
    for (Diagnostic &diagnostic : diagnostics) {
        const bool inComment = std::any_of(comments.cbegin(), comments.cend(),
            [&](const ByteRange &comment) { return comment.contains(diagnostic.at.begin); });
        if (inComment && isCode(diagnostic, "yaml.control-character")) {
            diagnostic.severity = Severity::Warning;
            diagnostic.strict = false;
        }
    }
}

} // namespace

Q_LOGGING_CATEGORY(yamlParsing, "trainyard.yaml", QtWarningMsg)

YamlDocument YamlDocument::parse(const QByteArray &bytes)
{
    qCDebug(yamlParsing, "parsing %lld bytes", qint64(bytes.size()));
    auto data = std::make_shared<Data>();
    data->bytes = bytes;
    if (yamlPrescan(bytes, data->diagnostics)) {
        yamltree::build(bytes, data->tree, data->diagnostics);
        yamltree::extents(bytes, data->tree, data->diagnostics);
        yamltree::check(bytes, data->tree, data->diagnostics);
        if (std::any_of(data->diagnostics.cbegin(), data->diagnostics.cend(),
                [](const Diagnostic &each) { return isCode(each, "yaml.unclosed-quote"); })) {
            // Later errors of the parser follow from it.
            data->diagnostics.removeIf([](const Diagnostic &each) { return isCode(each, "yaml.syntax"); });
            data->tree.complete = false;
        }
        if (!data->tree.complete) {
            // A bracket that is not closed makes a key of what stands in it.
            data->diagnostics.removeIf([](const Diagnostic &each) { return isCode(each, "yaml.complex-key"); });
        }
    } else {
        data->tree.complete = false;
    }
    std::stable_sort(data->diagnostics.begin(), data->diagnostics.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
    YamlDocument document;
    document.d = data;
    excuseComments(document, data->diagnostics);
    data->wellFormed = std::none_of(data->diagnostics.cbegin(), data->diagnostics.cend(),
        [](const Diagnostic &each) { return each.severity == Severity::Error; });
    for (Diagnostic &diagnostic : data->diagnostics) {
        diagnostic.path = document.pathAt(diagnostic.at.begin);
    }
    return document;
}

const QByteArray &YamlDocument::bytes() const { return d->bytes; }

const YamlNode *YamlDocument::root() const { return d->tree.root; }

const YamlNode *YamlDocument::secondRoot() const { return d->tree.second; }

const QList<Diagnostic> &YamlDocument::diagnostics() const { return d->diagnostics; }

bool YamlDocument::isWellFormed() const { return d->wellFormed; }

bool YamlDocument::isComplete() const { return d->tree.complete; }

const YamlNode *YamlDocument::find(const YamlPath &path) const
{
    const YamlNode *node = d->tree.root;
    for (qsizetype i = 0; node && i < path.size(); ++i) {
        node = step(node, path.at(i));
    }
    return node;
}

YamlPath YamlDocument::pathOf(const YamlNode *node) const
{
    QList<YamlPath::Element> elements;
    for (; node && node->parent; node = node->parent) {
        const YamlNode *parent = node->parent;
        if (parent->isSequence()) {
            elements.prepend(node->position);
        } else if (node->position < parent->entries.size()) {
            const YamlNode *key = parent->entries.at(node->position).key->resolved();
            if (key->kind == YamlNode::Kind::Scalar) {
                elements.prepend(textFromUtf8(key->scalar));
            } else {
                elements.clear(); // a map or list as a key has no name: the path ends at its parent
            }
        }
    }
    YamlPath path;
    for (const YamlPath::Element &element : std::as_const(elements)) {
        path = std::visit([&](const auto &value) { return path.child(value); }, element);
    }
    return path;
}

YamlPath YamlDocument::pathAt(qsizetype offset) const
{
    const YamlNode *node = d->tree.root;
    while (node) {
        const YamlNode::Entry *entry = entryAt(d->bytes, node, offset);
        if (!entry) {
            break;
        }
        if (entry->key && offset <= entry->key->at.end && offset < entry->value->at.begin) {
            node = entry->value;
            break;
        }
        // A path finds the first of two equal keys (two merge keys are allowed); for the later one it ends at the key.
        const bool found = !entry->key || node->find(entry->key->resolved()->scalar) == entry->value;
        node = entry->value;
        if (!found) {
            break;
        }
    }
    return node ? pathOf(node) : YamlPath();
}

std::optional<ByteRange> YamlDocument::keyRange(const YamlPath &path) const
{
    if (path.isEmpty()) {
        return std::nullopt;
    }
    const YamlNode *parent = find(path.parent());
    const auto *key = std::get_if<QString>(&path.last());
    if (!parent || !key || !parent->resolved()->isMap()) {
        return std::nullopt;
    }
    const YamlNode::Entry *entry = entryOf(parent, *key);
    return entry ? std::optional(entry->key->at) : std::nullopt;
}

} // namespace trainyard
