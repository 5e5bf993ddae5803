// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/patternliteral.h"

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qsizetype leastLiteral = 2;

// Parts that may match a line feed, or are not understood here.
bool maySpanLines(const QString &pattern)
{
    const QStringView safeEscapes(u"dwbBhStN"); // of letters
    for (qsizetype i = 0; i + 1 < pattern.size(); ++i) {
        const QStringView two = QStringView(pattern).mid(i, 2);
        if (two.at(0) == u'\\') {
            if (two.at(1).isLetterOrNumber() && !safeEscapes.contains(two.at(1))) {
                return true;
            }
            ++i;
        } else if (two == u"[^" || two == u"[:" || two == u"(*") {
            return true;
        } else if (two == u"(?") {
            const QStringView kind = QStringView(pattern).mid(i + 2, 2);
            const bool isPlain = kind.startsWith(u':');
            const bool isNamed = kind.size() == 2 && kind.at(0) == u'<' && kind.at(1).isLetter();
            if (!isPlain && !isNamed) {
                return true;
            }
        }
    }
    return false;
}

// Behind the class or the group that begins at `from`; the end when it is not closed.
qsizetype behindBracket(const QString &pattern, qsizetype from)
{
    const bool isClass = pattern.at(from) == u'[';
    int depth = 0;
    for (qsizetype i = from; i < pattern.size(); ++i) {
        const QChar c = pattern.at(i);
        if (c == u'\\') {
            ++i;
        } else if (isClass) {
            if (c == u']' && i > from + 1) {
                return i + 1;
            }
        } else if (c == u'[') {
            i = behindBracket(pattern, i) - 1;
        } else if (c == u'(') {
            ++depth;
        } else if (c == u')' && --depth == 0) {
            return i + 1;
        }
    }
    return pattern.size();
}

bool isQuantifier(QChar c) { return c == u'*' || c == u'?' || c == u'+' || c == u'{'; }
} // namespace

QByteArray literalOfPattern(const QString &pattern)
{
    QByteArray best, run;
    const auto endRun = [&] {
        best = run.size() > best.size() ? run : best;
        run.clear();
    };
    if (maySpanLines(pattern)) {
        return {};
    }
    for (qsizetype i = 0; i < pattern.size();) {
        QChar c = pattern.at(i);
        bool isLiteral = c.unicode() < 0x80;
        qsizetype next = i + 1;
        if (c == u'|' || c == u')') {
            return {}; // either side may match
        }
        if (c == u'[' || c == u'(') {
            isLiteral = false;
            next = behindBracket(pattern, i);
        } else if (c == u'\\' && next < pattern.size()) {
            c = pattern.at(next++);
            isLiteral = c.unicode() < 0x80 && !c.isLetterOrNumber();
        } else if (c == u'.' || c == u'^' || c == u'$' || isQuantifier(c)) {
            isLiteral = false;
        }
        if (isLiteral) {
            run.append(char(c.unicode()));
        } else {
            endRun();
        }
        if (next < pattern.size() && isQuantifier(pattern.at(next))) {
            if (isLiteral && pattern.at(next) != u'+') {
                run.chop(1); // it may be missing
            }
            endRun();
            next = pattern.at(next) == u'{' ? std::max(next, pattern.indexOf(u'}', next)) + 1 : next + 1;
            if (next < pattern.size() && (pattern.at(next) == u'?' || pattern.at(next) == u'+')) {
                ++next; // lazy or possessive
            }
        }
        i = next;
    }
    endRun();
    return best.size() >= leastLiteral ? best : QByteArray();
}

} // namespace trainyard
