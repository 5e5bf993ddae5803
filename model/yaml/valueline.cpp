// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/valueline.h"

#include "model/base/lineindex.h"
#include "model/yaml/yamlplace.h"

namespace trainyard
{

std::optional<qsizetype> valueLineAt(const YamlDocument &document, const YamlPath &path, qsizetype line)
{
    const YamlNode *found = document.find(path);
    const YamlNode *node = found ? found->resolved() : nullptr;
    if (!node) {
        return std::nullopt;
    }
    const QByteArray &text = document.bytes();
    const QList<QByteArray> lines = node->scalar.split('\n');
    const bool isLiteral = node->kind == YamlNode::Kind::Scalar && node->style == YamlNode::Style::Literal;
    if (!isLiteral || line < 0 || line >= lines.size()) {
        return node->at.begin;
    }
    // A literal block has a line of the document for each of its own, below its header.
    const LineIndex index(text);
    qsizetype at = index.lineStart(index.at(yamlplace::contentBegin(text, node)).line + 1 + line);
    while (at < node->at.end && (text.at(at) == ' ' || text.at(at) == '\t')) {
        ++at;
    }
    const bool isIt = at < node->at.end && QByteArrayView(text).sliced(at).startsWith(lines.at(line).trimmed());
    return isIt ? at : node->at.begin;
}

} // namespace trainyard
