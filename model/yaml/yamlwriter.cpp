// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlwriter.h"

#include "model/yaml/yamlencode.h"

#include <algorithm>

namespace trainyard
{

namespace
{

// A comment must not end early, nor hold what the reader refuses.
QByteArray commentLine(const QString &text)
{
    QString clean;
    for (const QChar c : text) {
        const bool control
            = (c.unicode() < 0x20 && c != QLatin1Char('\t')) || (c.unicode() >= 0x7F && c.unicode() < 0xA0);
        const bool breaks = c.unicode() == 0x2028 || c.unicode() == 0x2029 || c.unicode() == 0xFEFF;
        const bool beyond = c.isNonCharacter() || c.unicode() >= 0xFFFE;
        clean += control || breaks || beyond ? QChar(u' ') : c;
    }
    return clean.isEmpty() ? QByteArray("#") : "# " + clean.toUtf8();
}

void writeComments(QByteArray &out, const QStringList &comments, qsizetype column, bool &inLine)
{
    for (const QString &comment : comments) {
        for (const QString &line : comment.split(QLatin1Char('\n'))) {
            out += (inLine ? QByteArray() : QByteArray(column, ' ')) + commentLine(line) + '\n';
            inLine = false;
        }
    }
}

} // namespace

YamlWriter YamlWriter::map()
{
    YamlWriter writer;
    writer.m_kind = Kind::Map;
    return writer;
}

YamlWriter YamlWriter::list()
{
    YamlWriter writer;
    writer.m_kind = Kind::List;
    return writer;
}

YamlWriter YamlWriter::text(const QString &text)
{
    YamlWriter writer;
    writer.m_kind = Kind::Text;
    writer.m_text = text;
    return writer;
}

YamlWriter YamlWriter::number(qint64 number) { return plain(QByteArray::number(number)); }

YamlWriter YamlWriter::plain(const QByteArray &spelling)
{
    YamlWriter writer;
    writer.m_kind = Kind::Plain;
    writer.m_plain = spelling;
    return writer;
}

YamlWriter YamlWriter::value(const Value &value)
{
    if (const Value::Map *entries = value.asMap()) {
        YamlWriter writer = map();
        for (const auto &[key, inner] : *entries) {
            writer.add(key, YamlWriter::value(inner));
        }
        return writer;
    }
    if (const Value::List *items = value.asList()) {
        YamlWriter writer = list();
        for (const Value &inner : *items) {
            writer.append(YamlWriter::value(inner));
        }
        return writer;
    }
    if (const QString *string = value.asString()) {
        return text(*string);
    }
    return plain(value.isNull() ? QByteArray("null") : value.toText().toUtf8());
}

YamlWriter &YamlWriter::add(const QString &key, const YamlWriter &value, const QStringList &comments)
{
    YamlWriter &item = append(value, comments);
    item.m_key = key;
    return item;
}

YamlWriter &YamlWriter::append(const YamlWriter &item, const QStringList &comments)
{
    m_items.push_back(item);
    m_items.back().m_comments = comments;
    return m_items.back();
}

bool YamlWriter::has(const QString &key) const
{
    return std::any_of(m_items.begin(), m_items.end(), [&](const YamlWriter &item) { return item.m_key == key; });
}

QByteArray YamlWriter::write(const QStringList &header) const
{
    QByteArray out;
    bool inLine = false;
    writeComments(out, header, 0, inLine);
    writeItems(out, 0, false);
    return out;
}

// `first`: the cursor stands already where the first entry begins ("- " is written).
void YamlWriter::writeItems(QByteArray &out, qsizetype column, bool first) const
{
    for (const YamlWriter &item : m_items) {
        writeComments(out, item.m_comments, column, first);
        if (!first) {
            out += QByteArray(column, ' ');
        }
        first = false;
        if (m_kind == Kind::Map) {
            yamlencode::Request request;
            request.text = item.m_key.toUtf8();
            request.key = true;
            out += yamlencode::encodings(request).first().head + ':';
        } else {
            out += '-';
        }
        const bool nested = !item.m_items.empty();
        if (!nested) {
            out += ' ';
            item.writeValue(out, column);
            out += '\n';
        } else if (m_kind == Kind::List) {
            out += ' ';
            item.writeItems(out, column + 2, true);
        } else {
            out += '\n';
            item.writeItems(out, column + 2, false);
        }
    }
}

void YamlWriter::writeValue(QByteArray &out, qsizetype column) const
{
    switch (m_kind) {
    case Kind::Null:
        out += "null";
        break;
    case Kind::Plain:
        out += m_plain;
        break;
    case Kind::Text:
        writeScalar(out, column);
        break;
    case Kind::Map:
        out += "{}";
        break;
    case Kind::List:
        out += "[]";
        break;
    }
}

void YamlWriter::writeScalar(QByteArray &out, qsizetype column) const
{
    yamlencode::Request request;
    request.text = m_text.toUtf8();
    request.base = column;
    request.contentColumn = column + 2;
    const yamlencode::Encoded encoded = yamlencode::encodings(request).first();
    out += encoded.head + encoded.body;
}

} // namespace trainyard
