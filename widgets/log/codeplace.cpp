// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/codeplace.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

std::optional<CodePlace> codePlaceIn(const QString &text)
{
    constexpr qsizetype longest = 4000; // a line of data is not a frame
    if (text.size() > longest) {
        return std::nullopt;
    }
    static const QRegularExpression python(QStringLiteral("File \"([^\"<>]+)\", line (\\d{1,9})"));
    static const QRegularExpression others(
        QStringLiteral("(?<![\\w/.~:-])((?:[\\w.~+-]*/)*[\\w.+-]+\\.[A-Za-z]\\w{0,4}):(\\d{1,9})(?=[:,)\\s]|$)"));
    for (const QRegularExpression *pattern : {&python, &others}) {
        const QRegularExpressionMatch found = pattern->match(text);
        if (const int line = found.captured(2).toInt(); line > 0) {
            return CodePlace{found.captured(1), line, found.capturedStart(), found.capturedEnd()};
        }
    }
    return std::nullopt;
}

bool isPointerLine(const QString &text)
{
    return text.contains(u'^')
        && std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c == u'^' || c == u'~' || c.isSpace(); });
}

} // namespace trainyard
