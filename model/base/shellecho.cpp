// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellecho.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

std::optional<qint64> commandEchoAtEnd(qint64 count, const std::function<QString(qint64 line)> &text)
{
    static const QRegularExpression end(QStringLiteral("^[)}\\s]*$")), word(QStringLiteral("^[\\w.-]{1,64}$")),
        message(QStringLiteral(R"(: line \d+: +\d+ \S.*(?<!<)<<-?\s*(["'\\]?)([\w.-]+)\1)"));
    qint64 last = count - 1;
    while (last > 0 && last > count - 1 - shellecho::mostBehind && end.match(text(last)).hasMatch()) {
        --last;
    }
    const QString delimiter = last > 0 ? text(last).trimmed() : QString();
    if (!word.match(delimiter).hasMatch()) {
        return std::nullopt;
    }
    for (qint64 line = last - 1; line >= std::max<qint64>(0, last - shellecho::mostInside); --line) {
        const QRegularExpressionMatch match = message.match(text(line));
        if (match.hasMatch()) {
            return match.captured(2) == delimiter ? std::optional(line) : std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace trainyard
