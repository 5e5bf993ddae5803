// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/unmask.h"

#include "model/yaml/yamldocument.h"

#include <algorithm>
#include <cstring>

namespace trainyard
{
namespace
{

const YamlNode *secretsOf(const YamlDocument &document)
{
    const YamlNode *secrets = document.root() ? document.root()->find("secrets") : nullptr;
    return secrets && secrets->isMap() ? secrets : nullptr;
}

bool isMaskedScalar(const YamlNode *node) { return node->kind == YamlNode::Kind::Scalar && node->scalar == "******"; }

// What stands behind the name of a secret in a text that cannot be read as YAML, such as one with tabs: on its line
// below "secrets:", if there is only one such line and the value ends on it.
QByteArray writtenIn(const QByteArray &text, const QByteArray &name)
{
    QByteArray found;
    bool isInside = false;
    const QList<QByteArray> lines = text.split('\n');
    for (const QByteArray &line : lines) {
        const QByteArray trimmed = line.trimmed();
        if (!line.isEmpty() && line.at(0) != ' ' && line.at(0) != '\t' && line.at(0) != '#' && line.at(0) != '\r') {
            isInside = line.startsWith("secrets:");
            continue;
        }
        const qsizetype colon = trimmed.indexOf(':');
        QByteArray key = trimmed.left(std::max<qsizetype>(0, colon)).trimmed();
        if (key.size() > 1 && (key.startsWith('"') || key.startsWith('\'')) && key.endsWith(key.at(0))) {
            key = key.mid(1, key.size() - 2);
        }
        if (!isInside || key != name) {
            continue;
        }
        if (!found.isEmpty()) {
            return {};
        }
        found = trimmed.mid(colon + 1).trimmed();
    }
    const QByteArray alone = "a: " + found + '\n';
    const YamlDocument read = YamlDocument::parse(alone);
    const YamlNode *value = read.isComplete() && read.root() ? read.root()->find("a") : nullptr;
    const bool isOnItsLine = value && value->kind == YamlNode::Kind::Scalar && value->anchor.isEmpty()
        && value->at.length() > 0 && !std::strchr("|>!", found.at(0));
    return isOnItsLine ? alone.mid(value->at.begin, value->at.length()) : QByteArray(); // without a comment
}

} // namespace

QByteArray withSecretsOf(const QByteArray &text, const QByteArray &from)
{
    const YamlDocument masked = YamlDocument::parse(text);
    const YamlDocument whole = YamlDocument::parse(from);
    const YamlNode *here = secretsOf(masked);
    const YamlNode *there = secretsOf(whole);
    TextEdits edits;
    if (!here || !masked.isComplete() || (whole.isComplete() && !there)) {
        return text;
    }
    for (const YamlNode::Entry &entry : here->entries) {
        if (!whole.isComplete()) {
            const QByteArray written = isMaskedScalar(entry.value) ? writtenIn(from, entry.key->scalar) : QByteArray();
            if (!written.isEmpty() && here->style != YamlNode::Style::Flow) {
                edits.append({entry.value->at, written});
            }
            continue;
        }
        const YamlNode *value = isMaskedScalar(entry.value) ? there->find(entry.key->scalar) : nullptr;
        if (!value || value->kind != YamlNode::Kind::Scalar || !value->anchor.isEmpty()) {
            continue;
        }
        const QByteArray written = from.mid(value->at.begin, value->at.length());
        // What is plain on a line of its own need not be plain between brackets.
        const bool isAsPlain = here->style != YamlNode::Style::Flow || value->style != YamlNode::Style::Plain
            || there->style == YamlNode::Style::Flow
            || std::none_of(written.cbegin(), written.cend(), [](char c) { return std::strchr(",[]{}", c); });
        if (!written.contains('\n') && isAsPlain) {
            edits.append({entry.value->at, written});
        }
    }
    return applyEdits(text, edits);
}

} // namespace trainyard
