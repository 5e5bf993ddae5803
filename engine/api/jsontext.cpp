// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jsontext.h"

#include <QJsonDocument>

#include <charconv>
#include <cmath>

namespace trainyard
{
namespace
{

void putEscaped(QByteArray &out, char16_t c)
{
    switch (c) {
    case u'"':
        out += "\\\"";
        return;
    case u'\\':
        out += "\\\\";
        return;
    case u'\n':
        out += "\\n";
        return;
    case u'\r':
        out += "\\r";
        return;
    case u'\t':
        out += "\\t";
        return;
    default:
        static constexpr char digits[] = "0123456789abcdef";
        const char text[] = {'\\', 'u', digits[c >> 12], digits[c >> 8 & 15], digits[c >> 4 & 15], digits[c & 15]};
        out.append(text, sizeof text);
    }
}

} // namespace

void appendJson(QByteArray &out, QStringView text)
{
    out += '"';
    char plain[64];
    qsizetype ready = 0;
    const auto flush = [&] {
        out.append(plain, ready);
        ready = 0;
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t c = text[i].unicode();
        if (c >= 0x20 && c < 0x80 && c != u'"' && c != u'\\') {
            if (ready == qsizetype(sizeof plain)) {
                flush();
            }
            plain[ready++] = static_cast<char>(c);
            continue;
        }
        flush();
        if (c < 0x80) {
            putEscaped(out, c);
        } else if (QChar::isHighSurrogate(c) && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            out += text.mid(i, 2).toUtf8();
            ++i;
        } else if (QChar::isSurrogate(c)) {
            putEscaped(out, 0xfffd); // half of a character
        } else {
            out += text.mid(i, 1).toUtf8();
        }
    }
    flush();
    out += '"';
}

void appendJson(QByteArray &out, qint64 number)
{
    char text[24];
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, number);
    out.append(text, end.ptr - text);
}

void appendJson(QByteArray &out, double number)
{
    if (!std::isfinite(number)) {
        out += "null";
        return;
    }
    char text[40];
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, number);
    out.append(text, end.ptr - text);
}

void appendJson(QByteArray &out, const QJsonObject &object)
{
    out += object.isEmpty() ? QByteArrayLiteral("{}") : QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace trainyard
