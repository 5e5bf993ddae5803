// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>

namespace trainyard
{

// An expression that a person has typed, for texts that any program may have written. Some expressions, such as
// "(a+)+$", take time that doubles with each character of a text that they do not match. This one gives up after a
// fraction of a millisecond at each position, and then does not match, so that it never blocks a window or a thread.
// The error of an invalid expression, and its position, are those of the expression as it was typed.
inline QRegularExpression boundedPattern(
    const QString &typed, QRegularExpression::PatternOptions options = QRegularExpression::NoPatternOption)
{
    // PCRE reads settings at the beginning of a pattern, of several the lowest. Its own limit is a hundred times
    // higher.
    return QRegularExpression(QStringLiteral("(*LIMIT_MATCH=100000)") + typed, options);
}

} // namespace trainyard
