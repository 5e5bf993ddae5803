// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/ascii.h"
#include "model/base/utf8.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/loginsecrets.h"
#include "model/protocol/plugins.h"

#include <QSet>

namespace trainyard
{

namespace
{

constexpr char maskedValue[] = "******";
constexpr char maskedScalar[] = "\"******\"";

class Masker
{
public:
    explicit Masker(const YamlDocument &document) : m_document(document) { }
    // Plans the edits; nothing when there is nothing to mask.
    TextEdits plan();
    // The values that the plan takes out; after plan().
    QList<SecretValue> values() const { return m_values; }

private:
    void maskSecretsValue(const YamlNode::Entry &entry);
    void maskLogin(const LoginPassword &found);
    void maskNode(const YamlNode *node);
    void maskEntries(const YamlNode *map);
    void dropComments(const YamlNode *map, qsizetype begin, qsizetype end);
    void collectScalars(const YamlNode *node, QList<ByteRange> &out) const;
    bool hasAnchorInside(const YamlNode *node) const;
    ByteRange contentOf(const YamlNode *node) const;

    YamlDocument m_document;
    QList<TextEdit> m_edits;
    QList<SecretValue> m_values;
    QString m_name; // of the secret that is being masked
    QSet<const YamlNode *> m_done;
};

// The bytes of a node without its anchor and tag: others may refer to the anchor.
ByteRange Masker::contentOf(const YamlNode *node) const
{
    const QByteArray &bytes = m_document.bytes();
    ByteRange range = node->at;
    while (range.begin < range.end && (bytes.at(range.begin) == '&' || bytes.at(range.begin) == '!')) {
        while (range.begin < range.end && !QByteArrayView(" \t\r\n").contains(bytes.at(range.begin))) {
            ++range.begin;
        }
        while (range.begin < range.end && QByteArrayView(" \t\r\n").contains(bytes.at(range.begin))) {
            ++range.begin;
        }
    }
    return range;
}

bool Masker::hasAnchorInside(const YamlNode *node) const
{
    for (const YamlNode::Entry &entry : node->entries) {
        for (const YamlNode *child : {entry.key, entry.value}) {
            if (child && child->kind != YamlNode::Kind::Alias && (!child->anchor.isEmpty() || hasAnchorInside(child))) {
                return true;
            }
        }
    }
    return false;
}

void Masker::maskNode(const YamlNode *node)
{
    // An alias stays: what it stands for is masked where it is.
    const YamlNode *target = node->resolved();
    if (m_done.contains(target) || target->kind == YamlNode::Kind::Alias) {
        return;
    }
    m_done.insert(target);
    if (target->kind != YamlNode::Kind::Scalar && hasAnchorInside(target)) {
        for (const YamlNode::Entry &entry : target->entries) {
            maskNode(entry.value);
        }
        return;
    }
    // Aliases inside lead out of what is replaced.
    QList<const YamlNode *> pending{target};
    while (!pending.isEmpty()) {
        const YamlNode *at = pending.takeLast();
        for (const YamlNode::Entry &entry : at->entries) {
            if (entry.value->kind == YamlNode::Kind::Alias) {
                maskNode(entry.value);
            } else {
                pending.append(entry.value);
            }
        }
    }
    if (target->isNull() && target->at.length() == 0) {
        return;
    }
    if (target->kind == YamlNode::Kind::Scalar && target->scalar == maskedValue) {
        return; // already
    }
    const ByteRange range = contentOf(target);
    const QByteArray old = m_document.bytes().mid(range.begin, range.length());
    QByteArray text = maskedScalar;
    if (old.endsWith('\n')) {
        text += old.endsWith("\r\n") ? "\r\n" : "\n";
    }
    m_edits.append({range, text});
    if (target->kind != YamlNode::Kind::Scalar || (!target->isNull() && !target->scalar.isEmpty())) {
        m_values.append({m_name, m_edits.constLast()});
    }
}

void Masker::maskEntries(const YamlNode *map)
{
    for (const YamlNode::Entry &entry : map->entries) {
        const bool merge = mayMerge(entry.key);
        const YamlNode *value = entry.value->resolved();
        if (merge && value->isMap()) {
            maskEntries(value);
        } else if (merge && value->isSequence()) {
            for (const YamlNode::Entry &item : value->entries) {
                maskEntries(item.value->resolved());
            }
        } else {
            m_name = entry.key ? textFromUtf8(entry.key->resolved()->scalar) : QString();
            maskNode(entry.value);
            m_name.clear();
        }
    }
}

void Masker::collectScalars(const YamlNode *node, QList<ByteRange> &out) const
{
    if (node->entries.isEmpty()) {
        out.append(node->at);
        return;
    }
    for (const YamlNode::Entry &entry : node->entries) {
        for (const YamlNode *child : {entry.key, entry.value}) {
            if (child) {
                collectScalars(child, out);
            }
        }
    }
}

// Comments in the block may hold what the values held. Between scalars there is nothing but punctuation and comments.
void Masker::dropComments(const YamlNode *map, qsizetype begin, qsizetype end)
{
    const QByteArray &bytes = m_document.bytes();
    QList<ByteRange> scalars;
    collectScalars(map, scalars);
    std::sort(scalars.begin(), scalars.end(), [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
    scalars.append({end, end});
    qsizetype at = begin;
    for (const ByteRange &scalar : std::as_const(scalars)) {
        while (at < scalar.begin) {
            const qsizetype hash = bytes.indexOf('#', at);
            if (hash < 0 || hash >= scalar.begin) {
                break;
            }
            qsizetype lineEnd = bytes.indexOf('\n', hash);
            lineEnd = lineEnd < 0 ? bytes.size() : lineEnd;
            const qsizetype stop = lineEnd > hash && bytes.at(lineEnd - 1) == '\r' ? lineEnd - 1 : lineEnd;
            m_edits.append(TextEdit{{hash, std::min(stop, end)}, QByteArray()});
            at = lineEnd;
        }
        at = std::max(at, scalar.end);
    }
}

void Masker::maskSecretsValue(const YamlNode::Entry &entry)
{
    const YamlNode *value = entry.value;
    const YamlNode *target = value->resolved();
    if (!target->isMap()) {
        if (!target->isNull()) {
            maskNode(value);
        }
        return;
    }
    maskEntries(target);
    // From the key on: a comment may stand before the first entry.
    const qsizetype begin = value == target && entry.key ? entry.key->at.end : target->at.begin;
    if (target->style == YamlNode::Style::Flow || target->entries.isEmpty()) {
        dropComments(target, begin, target->at.end);
        return;
    }
    // Block: up to the first line that does not belong to it, comments that are indented deeper than the key included.
    const QByteArray &bytes = m_document.bytes();
    qsizetype end = target->at.end;
    const auto nextLine = [&bytes](qsizetype from) {
        const qsizetype newline = bytes.indexOf('\n', from);
        return newline < 0 ? bytes.size() : newline + 1;
    };
    const bool atLineStart = end > 0 && bytes.at(end - 1) == '\n';
    end = atLineStart ? end : nextLine(end);
    while (end < bytes.size()) {
        qsizetype text = end;
        while (text < bytes.size() && (bytes.at(text) == ' ' || bytes.at(text) == '\t')) {
            ++text;
        }
        const bool blank = text >= bytes.size() || bytes.at(text) == '\n' || bytes.at(text) == '\r';
        if (!blank && (text == end || bytes.at(text) != '#')) {
            break;
        }
        end = nextLine(text);
    }
    dropComments(target, begin, end);
}

void Masker::maskLogin(const LoginPassword &found)
{
    maskNode(found.password);
    if (found.login->style == YamlNode::Style::Flow) {
        dropComments(found.login, found.begin, found.login->at.end);
        return;
    }
    // The range goes to the end of the last line: what stands behind a value may be the one before it.
    const QByteArray &bytes = m_document.bytes();
    qsizetype end = found.login->at.end;
    if (end > 0 && bytes.at(end - 1) != '\n') {
        const qsizetype newline = bytes.indexOf('\n', end);
        end = newline < 0 ? bytes.size() : newline;
    }
    dropComments(found.login, found.begin, end);
}

TextEdits Masker::plan()
{
    const YamlNode *root = m_document.root();
    for (const YamlNode::Entry &entry : root->entries) { // all of them, should the key stand twice
        if (entry.key && entry.key->resolved()->scalar == "secrets") {
            maskSecretsValue(entry);
        }
        const bool merge = mayMerge(entry.key);
        if (merge && entry.value->resolved()->isMap()) {
            for (const YamlNode::Entry &inherited : entry.value->resolved()->entries) {
                if (inherited.key && inherited.key->resolved()->scalar == "secrets") {
                    maskSecretsValue(inherited);
                }
            }
        }
    }
    const QList<LoginPassword> logins = loginPasswords(root);
    for (const LoginPassword &found : logins) {
        maskLogin(found);
    }
    // A second document may hold the secrets of the first.
    for (const Diagnostic &diagnostic : m_document.diagnostics()) {
        if (diagnostic.code == QLatin1String("yaml.second-document")) {
            m_edits.append(TextEdit{{diagnostic.at.begin, m_document.bytes().size()}, QByteArray()});
        }
    }
    std::sort(m_edits.begin(), m_edits.end(), [](const TextEdit &a, const TextEdit &b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
    });
    TextEdits outer; // what lies inside another edit goes with it
    for (const TextEdit &edit : std::as_const(m_edits)) {
        if (outer.isEmpty() || edit.range.begin >= outer.last().range.end) {
            outer.append(edit);
        }
    }
    return outer;
}

bool isMasked(const YamlNode *node)
{
    const YamlNode *value = node->resolved();
    if (value->kind == YamlNode::Kind::Scalar) {
        return value->isNull() || value->scalar == maskedText().toUtf8();
    }
    return std::all_of(value->entries.cbegin(), value->entries.cend(),
        [](const YamlNode::Entry &entry) { return isMasked(entry.value); });
}

bool areLoginsMasked(const YamlNode *root)
{
    const QList<LoginPassword> logins = loginPasswords(root);
    return std::all_of(
        logins.cbegin(), logins.cend(), [](const LoginPassword &found) { return isMasked(found.password); });
}

} // namespace

Result<QByteArray> maskSecrets(const QByteArray &bytes)
{
    const Error unreadable{QStringLiteral("mask.unreadable"), {}};
    const YamlDocument document = YamlDocument::parse(bytes);
    if (!document.root() || !document.isComplete() || !document.root()->isMap()) {
        return tl::unexpected(unreadable);
    }
    const TextEdits edits = Masker(document).plan();
    if (edits.isEmpty()) {
        return bytes;
    }
    const QByteArray masked = applyEdits(bytes, edits);
    const YamlDocument check = YamlDocument::parse(masked);
    const YamlNode *secrets = check.root() ? check.root()->find("secrets") : nullptr;
    const bool hadSecrets = document.root()->find("secrets");
    if (!check.isComplete() || !check.root() || !check.root()->isMap() || hadSecrets != (secrets != nullptr)
        || (secrets && !isMasked(secrets)) || !areLoginsMasked(check.root())) {
        return tl::unexpected(unreadable);
    }
    return masked;
}

TextEdits secretMasks(const YamlDocument &document)
{
    return document.root() && document.root()->isMap() ? Masker(document).plan() : TextEdits();
}

QList<SecretValue> secretValuesIn(const YamlDocument &document)
{
    if (!document.root() || !document.root()->isMap()) {
        return {};
    }
    Masker masker(document);
    masker.plan();
    QList<SecretValue> values = masker.values();
    std::sort(values.begin(), values.end(),
        [](const SecretValue &a, const SecretValue &b) { return a.mask.range.begin < b.mask.range.begin; });
    return values;
}

QByteArray maskSecretsAsServer(const QByteArray &bytes)
{
    const QByteArray key = "secrets:";
    qsizetype begin = 0;
    while (bytes.mid(begin, key.size()) != key) {
        const qsizetype newline = bytes.indexOf('\n', begin);
        if (newline < 0) {
            return bytes;
        }
        begin = newline + 1;
    }
    qsizetype end = begin;
    while (true) {
        const qsizetype newline = bytes.indexOf('\n', end);
        if (newline < 0 || newline + 1 >= bytes.size()) {
            return bytes.left(begin) + "secrets: " + maskedScalar;
        }
        end = newline + 1;
        const char c = bytes.at(end);
        if (ascii::isWord(c)) {
            return bytes.left(begin) + "secrets: " + maskedScalar + '\n' + bytes.mid(end);
        }
    }
}

} // namespace trainyard
