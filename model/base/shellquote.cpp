// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellquote.h"

#include "model/base/ascii.h"

#include <algorithm>
#include <array>

namespace trainyard
{

namespace
{
bool isPlain(char c)
{
    // No '=': an unquoted NAME=value in front of a command is an assignment. No '~', no glob, no brace.
    return ascii::isWord(c) || c == '-' || c == '.' || c == '/' || c == ':' || c == ',' || c == '+' || c == '@'
        || c == '%';
}

bool isReserved(const QByteArray &word)
{
    static constexpr std::array words{"case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
        "if", "in", "select", "then", "time", "until", "while"};
    return std::any_of(words.begin(), words.end(), [&](const char *reserved) { return word == reserved; });
}
} // namespace

QByteArray shellQuote(const QByteArray &text)
{
    if (!text.isEmpty() && std::all_of(text.begin(), text.end(), isPlain) && !isReserved(text)) {
        return text;
    }
    QByteArray quoted;
    quoted.reserve(text.size() + 2);
    quoted.append('\'');
    for (const char c : text) {
        if (c == '\'') {
            quoted.append("'\\''");
        } else {
            quoted.append(c);
        }
    }
    quoted.append('\'');
    return quoted;
}

QString shellWord(const QString &text) { return QString::fromUtf8(shellQuote(text.toUtf8())); }

} // namespace trainyard
