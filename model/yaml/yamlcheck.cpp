// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/yaml/yamlencode.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlplace.h"
#include "model/yaml/yamlprescan.h"
#include "model/yaml/yamlscalar.h"
#include "model/yaml/yamltree.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace trainyard::yamltree
{

namespace
{

constexpr qsizetype indexedFrom = 16; // entries; below that a linear search is as fast
constexpr int maxDuplicates = 100; // diagnostics
constexpr int maxKeyNodes = 1000; // of one key
constexpr double maxExpanded = 250'000; // nodes after following all aliases

Node *mutableNode(const YamlNode *node) { return static_cast<Node *>(const_cast<YamlNode *>(node)); }

// The text under which OpenPAI's parser stores a key: 1, 0x1 and "1" are one key. Lists as keys may repeat each other
// through aliases: `budget` nodes are looked at, then nothing is said of the key.
QString keyText(const YamlNode *key, int &budget)
{
    if (--budget < 0) {
        return {};
    }
    key = key->resolved();
    if (key->isMap()) {
        return QStringLiteral("[object Object]");
    }
    if (key->isSequence()) {
        QString text;
        for (const YamlNode::Entry &entry : key->entries) {
            text += (text.isEmpty() ? QString() : QStringLiteral(","))
                + (entry.value->isNull() ? QString() : keyText(entry.value, budget));
        }
        return text;
    }
    return typedScalar(*key).value.toText();
}

// "<<" takes a map or a list of maps.
bool isMergeSource(const YamlNode *value)
{
    return value->isMap()
        || (value->isSequence()
            && std::all_of(value->entries.cbegin(), value->entries.cend(),
                [](const YamlNode::Entry &entry) { return entry.value->resolved()->isMap(); }));
}

// Whether a value begins on a line of its own that is indented no deeper than its key. Lists that begin with a dash
// may. yaml-cpp takes it, other readers expect the next key there.
bool isTooShallow(const QByteArray &bytes, const YamlNode *map, const YamlNode::Entry &entry)
{
    const YamlNode *value = entry.value;
    if (map->style != YamlNode::Style::Block || value->style == YamlNode::Style::Block || value->at.length() == 0) {
        return false;
    }
    const qsizetype content
        = value->kind == YamlNode::Kind::Alias ? value->at.begin : yamlplace::contentBegin(bytes, value);
    const qsizetype line = yamllex::lineBegin(bytes, content);
    const qsizetype first = yamllex::skipBlanks(bytes, line);
    if (line <= entry.key->at.end || content >= value->at.end || (first != content && first != value->at.begin)) {
        return false; // beside its key, an anchor or tag of nothing, or behind the colon of an explicit key
    }
    qsizetype indentation = 0; // tabs do not count
    while (yamllex::at(bytes, line + indentation) == ' ') {
        ++indentation;
    }
    return indentation <= yamllex::columnOf(bytes, yamlplace::entryStart(bytes, map, value->position));
}

// Directives need a document mark behind them, which yaml-cpp does not ask for.
void checkDirectives(const QByteArray &bytes, QList<Diagnostic> &diagnostics)
{
    std::optional<ByteRange> directive;
    qsizetype line = yamllex::bomLength(bytes);
    for (; line < bytes.size(); line = yamllex::lineEnd(bytes, line) + 1) {
        const qsizetype text = yamllex::skipBlanks(bytes, line);
        if (bytes.at(line) == '%') {
            directive = ByteRange{line, yamllex::lineEnd(bytes, line)};
        } else if (!yamllex::isBreak(yamllex::at(bytes, text)) && yamllex::at(bytes, text) != '#') {
            break;
        }
    }
    if (!directive || line >= bytes.size() || yamllex::isDocumentMark(bytes, line)) {
        return;
    }
    Diagnostic diagnostic = yamlDiagnostic("yaml.directive-end", *directive, {}, true, Severity::Warning);
    Fix fix;
    fix.title = QStringLiteral("fix.add");
    fix.args = {{QStringLiteral("field"), QStringLiteral("---")}};
    fix.edits = {TextEdit{{line, line}, "---\n"}};
    diagnostic.fixes.append(fix);
    diagnostics.append(diagnostic);
}

bool holdsList(const YamlNode *node)
{
    return node->isSequence()
        && std::any_of(node->entries.cbegin(), node->entries.cend(),
            [](const YamlNode::Entry &entry) { return entry.value->resolved()->isSequence(); });
}

void lock(Node *node)
{
    node->editable = false;
    for (const YamlNode::Entry &entry : std::as_const(node->entries)) {
        if (entry.key) {
            lock(mutableNode(entry.key));
        }
        lock(mutableNode(entry.value));
    }
}

class Check
{
public:
    Check(const QByteArray &bytes, bool complete, QList<Diagnostic> &diagnostics)
        : m_bytes(bytes), m_complete(complete), m_diagnostics(diagnostics)
    {
    }

    // `depth` of recursion is bounded by maxDepth: aliases are not followed.
    void run(Node *node)
    {
        tag(node);
        questionMark(node);
        node->expanded = 1;
        for (qsizetype i = 0; i < node->entries.size(); ++i) {
            const YamlNode::Entry &entry = std::as_const(node->entries).at(i);
            if (entry.key) {
                mutableNode(entry.key)->position = i;
                run(mutableNode(entry.key));
                node->expanded += mutableNode(entry.key)->expanded;
            }
            mutableNode(entry.value)->position = i;
            run(mutableNode(entry.value));
            node->expanded += mutableNode(entry.value)->expanded;
        }
        if (node->kind == YamlNode::Kind::Alias) {
            alias(node);
        } else if (node->isMap()) {
            keys(node); // aliases inside are safe to follow by now
        }
    }

private:
    void alias(Node *node)
    {
        for (const YamlNode *parent = node->parent; parent; parent = parent->parent) {
            if (parent == node->target) {
                // A walk over the tree would never end.
                node->target = nullptr;
                m_diagnostics.append(yamlDiagnostic("yaml.recursive-alias", node->at, name(node), false));
                return;
            }
        }
        if (node->target) {
            node->expanded = mutableNode(node->target)->expanded;
            m_followed += node->expanded;
            if (m_followed > maxExpanded) {
                m_followed -= node->expanded;
                node->target = nullptr;
                node->expanded = 1;
                m_diagnostics.append(yamlDiagnostic("yaml.too-many-aliases", node->at, name(node), false));
            }
        }
    }

    static QJsonObject name(const Node *node) { return {{QStringLiteral("name"), textFromUtf8(node->anchor)}}; }

    void tag(const Node *node)
    {
        if (node->tag.isEmpty() || node->tag == "!") {
            return;
        }
        static const QByteArray core("tag:yaml.org,2002:");
        const QByteArray kind = node->tag.startsWith(core) ? node->tag.mid(core.size()) : QByteArray();
        const bool list = kind == "seq" || kind == "omap" || kind == "pairs";
        const bool map = kind == "map" || kind == "set";
        const bool scalar = kind == "str" || kind == "null" || kind == "bool" || kind == "int" || kind == "float"
            || kind == "timestamp" || kind == "merge" || kind == "binary";
        const QJsonObject args{{QStringLiteral("tag"), textFromUtf8(node->tag)}};
        if (!list && !map && !scalar) {
            m_diagnostics.append(yamlDiagnostic("yaml.unknown-tag", node->at, args));
            return;
        }
        const bool fits = (node->isSequence() && list) || (node->isMap() && map)
            || (node->kind == YamlNode::Kind::Scalar && scalar && typedScalar(*node).type != ScalarType::Invalid);
        if (!fits) {
            m_diagnostics.append(yamlDiagnostic("yaml.wrong-tag", node->at, args));
        }
    }

    // Plain text in brackets, which readers such as that of a cluster's tasks end there.
    void questionMark(const Node *node)
    {
        if (node->kind != YamlNode::Kind::Scalar || node->style != YamlNode::Style::Plain || !node->parent
            || !yamlplace::isFlow(node->parent) || !node->scalar.contains('?')) {
            return;
        }
        Diagnostic diagnostic = yamlDiagnostic("yaml.question-mark", node->at, {}, false, Severity::Warning);
        const ByteRange text{yamlplace::contentBegin(m_bytes, node), node->at.end};
        if (m_bytes.mid(text.begin, text.length()) == node->scalar) {
            Fix fix;
            fix.title = QStringLiteral("fix.quote");
            fix.args = {{QStringLiteral("value"), textFromUtf8(node->scalar)}};
            fix.edits = {TextEdit{text, yamlencode::singleQuoted(node->scalar)}};
            diagnostic.fixes.append(fix);
        }
        m_diagnostics.append(diagnostic);
    }

    void keys(Node *map)
    {
        if (map->entries.size() >= indexedFrom) {
            auto lookup = std::make_shared<QHash<QByteArray, qsizetype>>();
            lookup->reserve(map->entries.size());
            for (qsizetype i = map->entries.size() - 1; i >= 0; --i) { // the first of two wins
                const YamlNode *key = map->entries.at(i).key->resolved();
                if (key->kind == YamlNode::Kind::Scalar) {
                    lookup->insert(key->scalar, i);
                }
            }
            map->lookup = std::move(lookup);
        }
        QHash<QString, qsizetype> seen;
        seen.reserve(map->entries.size());
        QSet<QByteArray> names; // as a path names them: the later of two that look the same cannot be reached
        names.reserve(map->entries.size());
        for (qsizetype i = 0; i < map->entries.size(); ++i) {
            const YamlNode::Entry &entry = std::as_const(map->entries).at(i);
            if (m_complete && isTooShallow(m_bytes, map, entry)) {
                m_diagnostics.append(
                    yamlDiagnostic("yaml.shallow-value", entry.value->at, {}, true, Severity::Warning));
            }
            const YamlNode *name = entry.key->resolved();
            if (name->kind == YamlNode::Kind::Scalar && names.contains(name->scalar)) {
                lock(mutableNode(entry.key));
                lock(mutableNode(entry.value));
            }
            names.insert(name->scalar);
            if (entry.key->kind == YamlNode::Kind::Scalar && typedScalar(*entry.key).type == ScalarType::Merge) {
                if (!isMergeSource(entry.value->resolved())) {
                    m_diagnostics.append(yamlDiagnostic("yaml.merge-key", entry.key->at));
                }
                continue;
            }
            if (name->kind != YamlNode::Kind::Scalar) {
                m_diagnostics.append(
                    yamlDiagnostic("yaml.complex-key", entry.key->at, {}, holdsList(name), Severity::Warning));
                lock(mutableNode(entry.key));
                lock(mutableNode(entry.value));
            }
            int budget = maxKeyNodes;
            const QString text = keyText(entry.key, budget);
            if (budget < 0) {
                continue;
            }
            const auto other = seen.constFind(text);
            if (other == seen.constEnd()) {
                seen.insert(text, i);
                continue;
            }
            const YamlNode::Entry &first = std::as_const(map->entries).at(*other);
            Diagnostic diagnostic = yamlDiagnostic("yaml.duplicate-key", entry.key->at,
                {{QStringLiteral("key"), text}, {QStringLiteral("otherBegin"), first.key->at.begin},
                    {QStringLiteral("otherEnd"), first.key->at.end}});
            if (++m_duplicates <= maxDuplicates) {
                m_diagnostics.append(diagnostic);
            }
            for (const YamlNode *node : {first.key, first.value, entry.key, entry.value}) {
                lock(mutableNode(node));
            }
        }
    }

    const QByteArray &m_bytes;
    bool m_complete; // else what stands before an error may seem to be what it is not
    QList<Diagnostic> &m_diagnostics;
    int m_duplicates = 0;
    double m_followed = 0; // nodes behind all aliases so far
};

} // namespace

void check(const QByteArray &bytes, Tree &tree, QList<Diagnostic> &diagnostics)
{
    checkDirectives(bytes, diagnostics);
    if (tree.root) {
        Check(bytes, tree.complete, diagnostics).run(tree.root);
    }
    if (tree.second) {
        // Its contents do not matter until they are read; only its shape must be safe to walk.
        QList<Diagnostic> ignored;
        Check(bytes, tree.complete, ignored).run(tree.second);
    }
}

} // namespace trainyard::yamltree
