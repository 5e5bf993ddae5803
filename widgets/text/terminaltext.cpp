// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/terminaltext.h"

#include <QRandomGenerator>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr char16_t escapeCharacter = u'\x1b';
constexpr qsizetype longestSequence = 128;
constexpr qsizetype longestString = 4096; // a program that never ends one must not hide the rest of its output

const QString &ownMark()
{
    // No terminal knows a number like this if it ever gets one.
    static const QString mark
        = u"\x1b["_s + QString::number(QRandomGenerator::system()->bounded(100000, 1000000)) + u';';
    return mark;
}

bool changesDirection(char16_t c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool isControl(char16_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

QString readable(char16_t c)
{
    if (c < 0x20 || c == 0x7f) {
        return QString(u'^') + QChar(char16_t(c ^ 0x40U));
    }
    return c < 0x100 ? u"\\x%1"_s.arg(int(c), 2, 16, QChar(u'0')) : u"\\u%1"_s.arg(int(c), 4, 16, QChar(u'0'));
}

bool isColour(const QByteArray &parameters)
{
    return std::all_of(
        parameters.cbegin(), parameters.cend(), [](char c) { return (c >= '0' && c <= '9') || c == ';' || c == ':'; });
}

// How many bytes a character has that begins with this byte; 0 when none does.
qsizetype characterSize(char first)
{
    const auto byte = static_cast<unsigned char>(first);
    return byte >= 0xc2 && byte <= 0xdf ? 2 : byte >= 0xe0 && byte <= 0xef ? 3 : byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

constexpr char replacement[] = "\xef\xbf\xbd";

} // namespace

QString ownColour(const QString &parameters) { return ownMark() + parameters + u'm'; }

QString terminalText(const QString &text)
{
    const auto isPlain = [](QChar c) { return !isControl(c.unicode()) && !changesDirection(c.unicode()); };
    if (std::all_of(text.cbegin(), text.cend(), isPlain)) {
        return text;
    }
    QString result;
    result.reserve(text.size() + 16);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (isPlain(c) || c == u'\n' || c == u'\t') {
            result += c;
        } else if (c == u'\r' && i + 1 < text.size() && text.at(i + 1) == u'\n') {
            continue; // only another way to end a line
        } else if (c == escapeCharacter && QStringView(text).mid(i).startsWith(ownMark())) {
            result += u"\x1b["_s;
            i += ownMark().size() - 1;
        } else {
            result += readable(c.unicode());
        }
    }
    return result;
}

QByteArray terminalJson(const QByteArray &json)
{
    QByteArray result;
    result.reserve(json.size());
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json.at(i);
        const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json.at(i + 1) : '\0');
        if (c == '\x7f') {
            result += "\\u007f";
        } else if (c == '\xc2' && next >= 0x80 && next < 0xa0) {
            result += "\\u00" + QByteArray::number(int(next), 16);
            ++i;
        } else {
            result += c;
        }
    }
    return result;
}

QByteArray LogFilter::filter(QByteArrayView bytes)
{
    QByteArray out;
    out.reserve(bytes.size());
    for (const char c : bytes) {
        take(c, out);
    }
    return out;
}

QByteArray LogFilter::finish()
{
    QByteArray out;
    endCharacter(out);
    m_state = State::Text;
    if (std::exchange(m_coloured, false)) {
        out += "\x1b[0m";
    }
    return out;
}

void LogFilter::take(char c, QByteArray &out)
{
    const auto byte = static_cast<unsigned char>(c);
    switch (m_state) {
    case State::Text:
        takeText(c, out);
        return;
    case State::Escape:
        if (c == '[') {
            m_sequence.clear();
            m_state = State::Sequence;
        } else if (QByteArrayView("]PX^_").contains(c)) {
            m_stringSize = 0;
            m_state = State::String;
        } else if (byte < 0x20 || byte >= 0x7f) {
            m_state = State::Text;
            takeText(c, out);
        } else if (byte >= 0x30) { // the bytes before it only choose among sequences
            m_state = State::Text;
        }
        return;
    case State::Sequence:
        if (byte < 0x20 || byte >= 0x7f) {
            m_state = State::Text;
            takeText(c, out);
        } else if (byte >= 0x40 || m_sequence.size() >= longestSequence) {
            m_state = State::Text;
            if (c == 'm' && isColour(m_sequence)) {
                out += "\x1b[" + m_sequence + c;
                m_coloured = !m_sequence.isEmpty() && m_sequence != "0";
            }
        } else {
            m_sequence += c;
        }
        return;
    case State::StringEscape:
        m_state = c == '\\' ? State::Text : State::Escape;
        if (c != '\\') {
            take(c, out);
        }
        return;
    case State::String:
        if (c == '\x1b') {
            m_state = State::StringEscape;
        } else if (c == '\n' || c == '\r' || ++m_stringSize > longestString) {
            m_state = State::Text;
            takeText(c, out);
        } else if (c == '\a') {
            m_state = State::Text;
        }
        return;
    }
}

// Bytes that are not a character are replaced by U+FFFD: a terminal may read some of them as control characters.
void LogFilter::endCharacter(QByteArray &out)
{
    if (!m_character.isEmpty()) {
        out += replacement;
        m_character.clear();
    }
}

void LogFilter::takeText(char c, QByteArray &out)
{
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
        if (byte >= 0xc0) {
            endCharacter(out);
        }
        m_character += c;
        const qsizetype size = characterSize(m_character.front());
        if (size == 0) {
            endCharacter(out);
        } else if (m_character.size() == size) {
            const QString text = QString::fromUtf8(m_character);
            m_character.clear();
            out += text.size() == 1 && isControl(text.front().unicode()) ? readable(text.front().unicode()).toLatin1()
                                                                         : text.toUtf8();
        }
        return;
    }
    endCharacter(out);
    if (c == '\x1b') {
        m_state = State::Escape;
    } else if (byte >= 0x20 && byte != 0x7f) {
        out += c;
    } else if (QByteArrayView("\n\t\r\b").contains(c)) {
        out += c;
    } else {
        out += readable(char16_t(byte)).toLatin1();
    }
}

} // namespace trainyard
