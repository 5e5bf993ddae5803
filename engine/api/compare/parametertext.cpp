// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/parametertext.h"

#include "engine/api/compare/comparefacts.h"
#include "model/yaml/yamledit.h"
#include "model/yaml/yamlscalar.h"

namespace trainyard
{
namespace
{

// A value can be spelled in many ways: True, 0x10, 1_000. What JSON has no word for, as .inf, it has as null.
bool isSameValue(const YamlNode &node, const QJsonValue &value)
{
    return value.isNull() || typedScalar(node).value.toJson() == value;
}

} // namespace

QByteArray yamlWithParameters(const QByteArray &yaml, const QJsonObject &parameters)
{
    QByteArray text = yaml;
    YamlDocument document = YamlDocument::parse(text);
    for (auto it = parameters.begin(); it != parameters.end(); ++it) {
        const YamlPath path{QStringLiteral("parameters"), it.key()};
        const YamlNode *node = document.find(path);
        if (!node || node->kind != YamlNode::Kind::Scalar || isSameValue(*node, it.value())) {
            continue;
        }
        const edit::Op op = it.value().isString() ? edit::Op(edit::SetText{path, it.value().toString()})
                                                  : edit::Op(edit::SetValue{path, compareText(it.value()).toUtf8()});
        if (const Result<TextEdits> edits = planEdit(document, op)) {
            text = applyEdits(text, *edits);
            document = YamlDocument::parse(text); // once per change, not per parameter
        }
    }
    return text;
}

} // namespace trainyard
