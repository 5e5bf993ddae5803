// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/shortforms.h"

#include "model/base/utf8.h"

#include <optional>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

struct ShortForm {
    YamlPath path;
    QString key; // what the value alone means
};

const QList<ShortForm> &shortForms()
{
    static const QList<ShortForm> forms{
        {YamlPath{u"extras"_s, u"trainyard"_s, u"results"_s}, u"files"_s},
    };
    return forms;
}

// The texts of a list, or the one text; nothing where there is anything else, that would be lost.
std::optional<QStringList> textsOf(const YamlNode &node)
{
    if (node.kind == YamlNode::Kind::Scalar) {
        return node.isNull() ? QStringList() : QStringList(textFromUtf8(node.scalar));
    }
    if (!node.isSequence()) {
        return std::nullopt;
    }
    QStringList texts;
    for (const YamlNode::Entry &entry : node.entries) {
        const YamlNode *item = entry.value->resolved();
        if (item->kind != YamlNode::Kind::Scalar) {
            return std::nullopt;
        }
        texts.append(textFromUtf8(item->scalar));
    }
    return texts;
}

} // namespace

QList<edit::Op> writeInFull(const YamlDocument &document, const YamlPath &path)
{
    for (const ShortForm &form : shortForms()) {
        const YamlNode *found = document.find(form.path);
        const auto *key = path.size() > form.path.size() ? std::get_if<QString>(&path.at(form.path.size())) : nullptr;
        if (!found || !key || !path.startsWith(form.path)) {
            continue;
        }
        const std::optional<QStringList> texts = textsOf(*found->resolved());
        if (!texts) {
            return {};
        }
        // Inside brackets, where it stands: a list in lines would have to go to another place.
        const QByteArray whole = texts->isEmpty() ? QByteArray("{}") : QByteArray('{' + form.key.toUtf8() + ": []}");
        QList<edit::Op> ops{edit::SetValue{form.path, whole}};
        for (qsizetype i = 0; i < texts->size(); ++i) {
            ops.append(edit::InsertText{form.path.child(form.key).child(i), texts->at(i)});
        }
        return ops;
    }
    return {};
}

} // namespace trainyard
