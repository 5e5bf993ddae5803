// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacyjson.h"
#include "model/protocol/scalar.h"
#include "model/yaml/yamldocument.h"

namespace trainyard::legacy
{
namespace
{

Node fromYaml(const YamlNode *yaml, ValueReader &values, int depth)
{
    Node node;
    if (!yaml) {
        return node;
    }
    node.at = yaml->at;
    const YamlNode *resolved = yaml->resolved();
    if (depth > maxDepth || values.exhausted()) {
        return node;
    }
    if (resolved->isMap()) {
        node.kind = Node::Kind::Map;
        for (const MapEntry &entry : values.entries(resolved)) {
            Member member;
            member.key = entry.key;
            member.keyAt = entry.keyNode ? entry.keyNode->at : ByteRange{};
            member.value = fromYaml(entry.value, values, depth + 1);
            node.members.push_back(std::move(member));
        }
        return node;
    }
    if (resolved->isSequence()) {
        node.kind = Node::Kind::List;
        for (const YamlNode *item : values.items(resolved)) {
            Member member;
            member.value = fromYaml(item, values, depth + 1);
            node.members.push_back(std::move(member));
        }
        return node;
    }
    const Value value = values.value(resolved);
    if (const bool *boolean = value.asBool()) {
        node.kind = Node::Kind::Bool;
        node.boolean = *boolean;
    } else if (value.asInt() || value.asDouble()) {
        node.kind = Node::Kind::Number;
        node.text = value.toText();
    } else if (const QString *text = value.asString()) {
        node.kind = Node::Kind::Text;
        node.text = *text;
    }
    return node;
}

} // namespace

Text readYaml(const QByteArray &bytes)
{
    Text text;
    const YamlDocument document = YamlDocument::parse(bytes);
    text.diagnostics = document.diagnostics();
    ValueReader values;
    text.root = fromYaml(document.root(), values, 0);
    text.complete = document.isWellFormed() && !values.exhausted();
    return text;
}

} // namespace trainyard::legacy
