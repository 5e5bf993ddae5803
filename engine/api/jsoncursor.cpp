// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jsoncursor.h"

#include <QJsonDocument>

#include <charconv>
#include <cstring>

namespace trainyard
{
namespace
{

template <typename T> bool readNumber(const char *&at, const char *end, T &value)
{
    const std::from_chars_result result = std::from_chars(at, end, value);
    // Never a part of another number: 1.5 is not 1.
    const bool whole = result.ec == std::errc() && result.ptr != end
        && (*result.ptr == ',' || *result.ptr == '}' || *result.ptr == ']');
    at = whole ? result.ptr : at;
    return whole;
}

} // namespace

bool JsonCursor::skipKey(char before, QStringView name)
{
    const qsizetype size = name.size();
    if (!m_good || m_end - m_at < size + 4 || m_at[0] != before || m_at[1] != '"' || m_at[size + 2] != '"'
        || m_at[size + 3] != ':' || QLatin1StringView(m_at + 2, size) != name) {
        return false;
    }
    m_at += size + 4;
    return true;
}

bool JsonCursor::skipKey(char before, const char *name)
{
    const auto size = qsizetype(std::strlen(name));
    if (!m_good || m_end - m_at < size + 4 || m_at[0] != before || m_at[1] != '"' || m_at[size + 2] != '"'
        || m_at[size + 3] != ':' || std::memcmp(m_at + 2, name, std::size_t(size)) != 0) {
        return false;
    }
    m_at += size + 4;
    return true;
}

void JsonCursor::read(bool &value)
{
    for (const bool each : {true, false}) {
        const QByteArrayView word = each ? QByteArrayView("true") : QByteArrayView("false");
        if (m_good && QByteArrayView(m_at, m_end).startsWith(word)) {
            m_at += word.size();
            value = each;
            return;
        }
    }
    fail();
}

void JsonCursor::read(int &value) { m_good = m_good && readNumber(m_at, m_end, value); }
void JsonCursor::read(qint64 &value) { m_good = m_good && readNumber(m_at, m_end, value); }
void JsonCursor::read(double &value) { m_good = m_good && readNumber(m_at, m_end, value); }

void JsonCursor::read(QString &value)
{
    expect('"');
    if (!m_good) {
        return;
    }
    const auto *quote = static_cast<const char *>(std::memchr(m_at, '"', std::size_t(m_end - m_at)));
    if (!quote) {
        fail();
    } else if (std::memchr(m_at, '\\', std::size_t(quote - m_at))) {
        readEscaped(value);
    } else {
        value = QString::fromUtf8(m_at, quote - m_at);
        m_at = quote + 1;
    }
}

void JsonCursor::readEscaped(QString &value)
{
    value.clear();
    const char *plain = m_at;
    const auto addPlain = [&] {
        // QString would take it for a mark and drop it, which QJsonDocument does not do beside escapes.
        if (QByteArrayView(plain, m_at).startsWith("\xef\xbb\xbf")) {
            value += QChar(QChar::ByteOrderMark);
            plain += 3;
        }
        value += QString::fromUtf8(plain, m_at - plain);
    };
    while (m_at != m_end && *m_at != '"') {
        if (*m_at != '\\') {
            ++m_at;
            continue;
        }
        addPlain();
        if (m_end - m_at < 2) {
            return fail();
        }
        const char c = m_at[1];
        m_at += 2;
        static constexpr char letters[] = "\"\\/bfnrt";
        static constexpr char meant[] = "\"\\/\b\f\n\r\t";
        if (c == 'u') {
            quint16 code = 0;
            if (m_end - m_at < 4) {
                return fail();
            }
            const std::from_chars_result result = std::from_chars(m_at, m_at + 4, code, 16);
            if (result.ec != std::errc() || result.ptr != m_at + 4) {
                return fail();
            }
            value += QChar(code);
            m_at += 4;
        } else if (const char *found = c ? std::strchr(letters, c) : nullptr) {
            value += QLatin1Char(meant[found - letters]);
        } else {
            return fail();
        }
        plain = m_at;
    }
    if (m_at == m_end) {
        return fail();
    }
    addPlain();
    ++m_at;
}

void JsonCursor::read(QJsonObject &value)
{
    const char *begin = m_at;
    expect('{');
    if (!m_good || skip('}')) {
        value = {};
        return;
    }
    bool inText = false;
    for (int depth = 1; depth > 0; ++m_at) {
        if (m_at == m_end) {
            return fail();
        }
        if (inText) {
            inText = *m_at != '"';
            m_at += *m_at == '\\' && m_end - m_at > 1 ? 1 : 0;
        } else {
            inText = *m_at == '"';
            depth += *m_at == '{' ? 1 : *m_at == '}' ? -1 : 0;
        }
    }
    QJsonParseError error;
    value = QJsonDocument::fromJson(QByteArray::fromRawData(begin, m_at - begin), &error).object();
    m_good = error.error == QJsonParseError::NoError;
}

} // namespace trainyard
