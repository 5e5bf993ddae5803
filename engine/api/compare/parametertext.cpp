// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/parametertext.h"

#include "engine/api/compare/comparefacts.h"
#include "model/yaml/yamledit.h"

namespace trainyard
{
namespace
{

bool isSameValue(const YamlNode *node, const QJsonValue &value)
{
    const QString text = QString::fromUtf8(node->scalar);
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return text == compareText(value) || (value.isDouble() && isNumber && number == value.toDouble());
}

} // namespace

QByteArray yamlWithParameters(const QByteArray &yaml, const QJsonObject &parameters)
{
    QByteArray text = yaml;
    for (auto it = parameters.begin(); it != parameters.end(); ++it) {
        const YamlPath path{QStringLiteral("parameters"), it.key()};
        const YamlDocument document = YamlDocument::parse(text);
        const YamlNode *node = document.find(path);
        if (!node || node->kind != YamlNode::Kind::Scalar || isSameValue(node, it.value())) {
            continue;
        }
        const edit::Op op = it.value().isString() ? edit::Op(edit::SetText{path, it.value().toString()})
                                                  : edit::Op(edit::SetValue{path, compareText(it.value()).toUtf8()});
        if (const Result<TextEdits> edits = planEdit(document, op)) {
            text = applyEdits(text, *edits);
        }
    }
    return text;
}

} // namespace trainyard
