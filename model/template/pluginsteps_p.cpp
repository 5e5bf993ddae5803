// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/pluginsteps_p.h"

#include "model/base/shellquote.h"
#include "model/template/tags.h"

#include <QResource>

#include <algorithm>

namespace trainyard::steps
{

using namespace Qt::StringLiterals;

static QString resourceText(const QString &name)
{
    // Carried inside the program (":/"), so this reads no file of the computer.
    const QResource resource(u":/trainyard/steps/"_s + name + u".sh"_s);
    return QString::fromUtf8(resource.uncompressedData());
}

QString commonBody() { return resourceText(u"common"_s); }

QString body(const QString &name) { return commonBody() + resourceText(name); }

QString assigned(const QString &variable, const QString &value)
{
    return u"__ty_"_s + variable + u'=' + shellWord(value) + u'\n';
}

QString arrayOf(const QString &variable, const QStringList &words)
{
    QString text = u"__ty_"_s + variable + u"=("_s;
    for (const QString &word : words) {
        text += u' ' + shellWord(word);
    }
    return text + u" )\n"_s;
}

QString textAt(const Value &map, const QString &key)
{
    const Value *value = map.find(key);
    return value && !value->isNull() ? value->toText() : QString();
}

bool flagAt(const Value &map, const QString &key)
{
    const Value *value = map.find(key);
    return value && value->asBool() && *value->asBool();
}

QStringList textsAt(const Value &map, const QString &key)
{
    const Value *value = map.find(key);
    QStringList texts;
    if (value && value->asList()) {
        for (const Value &item : *value->asList()) {
            texts.append(item.isNull() ? QString() : item.toText());
        }
    } else if (value && !value->isNull()) {
        texts.append(value->toText());
    }
    return texts;
}

bool namesSecret(const QString &written)
{
    const Result<QList<TemplateTag>> tags = templateTags(written);
    return tags && std::any_of(tags->cbegin(), tags->cend(), [](const TemplateTag &tag) {
        return templateReference(tag.key).scope == "$secrets"_L1;
    });
}

bool anyNamesSecret(const Value &written)
{
    if (const Value::List *list = written.asList()) {
        return std::any_of(list->cbegin(), list->cend(), anyNamesSecret);
    }
    if (const Value::Map *map = written.asMap()) {
        return std::any_of(map->cbegin(), map->cend(), [](const auto &entry) { return anyNamesSecret(entry.second); });
    }
    return written.asString() && namesSecret(*written.asString());
}

} // namespace trainyard::steps
