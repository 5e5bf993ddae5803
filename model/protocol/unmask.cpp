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

} // namespace

QByteArray withSecretsOf(const QByteArray &text, const QByteArray &from)
{
    const YamlDocument masked = YamlDocument::parse(text);
    const YamlDocument whole = YamlDocument::parse(from);
    const YamlNode *here = secretsOf(masked);
    const YamlNode *there = secretsOf(whole);
    TextEdits edits;
    if (!here || !there || !masked.isComplete() || !whole.isComplete()) {
        return text;
    }
    for (const YamlNode::Entry &entry : here->entries) {
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
