// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/tags.h"

#include <QRegularExpression>
#include <QStringList>

namespace trainyard
{

bool isServerSpace(QChar c)
{
    constexpr ushort byteOrderMark = 0xFEFF;
    constexpr ushort nextLine = 0x85;
    return c == QChar(byteOrderMark) || (c.isSpace() && c != QChar(nextLine));
}

QString trimmedAsServer(const QString &text)
{
    qsizetype begin = 0;
    qsizetype end = text.size();
    while (begin < end && isServerSpace(text.at(begin))) {
        ++begin;
    }
    while (begin < end && isServerSpace(text.at(end - 1))) {
        --end;
    }
    return text.sliced(begin, end - begin);
}

Result<QList<TemplateTag>> templateTags(const QString &text)
{
    QList<TemplateTag> tags;
    qsizetype at = 0;
    while (true) {
        const qsizetype begin = text.indexOf(QLatin1String("<%"), at);
        if (begin < 0) {
            return tags;
        }
        const qsizetype close = text.indexOf(QLatin1String("%>"), begin + 2);
        if (close < 0) {
            return fail(QStringLiteral("template.unclosed"), {{QStringLiteral("offset"), begin}});
        }
        TemplateTag tag;
        tag.begin = begin;
        tag.end = close + 2;
        tag.key = text.mid(begin + 2, close - begin - 2).trimmed();
        const QChar first = tag.key.isEmpty() ? QChar() : tag.key.at(0);
        if (QStringLiteral("#^/>{&=!").contains(first) && !first.isNull()) {
            tag.kind = TemplateTag::Kind::Other;
        } else if (tag.key.contains(QLatin1Char('['))) {
            static const QRegularExpression index(QStringLiteral("\\[([0-9]+)\\]"));
            tag.key.replace(index, QStringLiteral(".\\1"));
        }
        tags.append(tag);
        at = tag.end;
    }
}

TemplateReference templateReference(const QString &key)
{
    QStringList parts = key.split(QLatin1Char('.'));
    const QString scope = parts.takeFirst();
    return {scope, parts};
}

} // namespace trainyard
