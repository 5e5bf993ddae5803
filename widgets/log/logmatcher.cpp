// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logmatcher.h"

#include "model/base/boundedpattern.h"
#include "widgets/log/logtext.h"
#include "widgets/log/patternliteral.h"

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr char escapeByte = 0x1b;

// A hit so many line feeds after the one before.
void addHit(LogMatcher::Found &found, qint64 firstLine, qint64 lineFeeds)
{
    found.lineFeeds += lineFeeds;
    const qint64 line = firstLine + found.lineFeeds;
    if (found.lines.isEmpty() || found.lines.constLast() != line) {
        found.lines.append(line);
    }
}
} // namespace

QRegularExpression LogQuery::expression() const
{
    QRegularExpression::PatternOptions options = QRegularExpression::MultilineOption;
    if (!matchCase) {
        options |= QRegularExpression::CaseInsensitiveOption;
    }
    return isPattern ? boundedPattern(text, options) : QRegularExpression(QRegularExpression::escape(text), options);
}

LogMatcher::LogMatcher(const LogQuery &query) : m_expression(query.expression())
{
    const auto isPlain = [](QChar c) { return c.unicode() < 0x80 && c.unicode() != 0; };
    m_isWhole = !query.isPattern;
    const bool isText = m_isWhole && std::all_of(query.text.cbegin(), query.text.cend(), isPlain);
    const QByteArray wanted = isText ? query.text.toLatin1()
        : query.isPattern            ? literalOfPattern(query.text)
                                     : QByteArray();
    if (wanted.isEmpty() || !m_expression.isValid()) {
        return;
    }
    const QByteArray folded = wanted.toLower();
    m_hasLookalikes = !query.matchCase && (folded.contains('k') || folded.contains('s'));
    m_bytes.emplace(wanted, query.matchCase ? ByteFinder::Case::Exact : ByteFinder::Case::AnyAscii);
}

LogMatcher::Found LogMatcher::find(const QByteArray &block, qint64 firstLine, Limit limit) const
{
    return canSearchBytes(block) ? findInBytes(block, firstLine, limit) : findInText(block, firstLine, limit);
}

bool LogMatcher::canSearchBytes(const QByteArray &block) const
{
    if (!m_bytes || block.contains(escapeByte)) {
        return false; // a hit may go on behind a colour
    }
    // Without case, the sign of kelvin equals k and the long s equals s.
    static const ByteFinder kelvin("\xe2\x84\xaa", ByteFinder::Case::Exact);
    static const ByteFinder longS("\xc5\xbf", ByteFinder::Case::Exact);
    return !m_hasLookalikes || (kelvin.indexIn(block) < 0 && longS.indexIn(block) < 0);
}

bool LogMatcher::isHit(const QByteArray &block, qsizetype begin, qsizetype end) const
{
    const QString line = QString::fromUtf8(block.constData() + begin, end - begin);
    return m_expression
        .match(line, 0, QRegularExpression::NormalMatch, QRegularExpression::DontCheckSubjectStringMatchOption)
        .hasMatch();
}

LogMatcher::Found LogMatcher::findInBytes(const QByteArray &block, qint64 firstLine, Limit limit) const
{
    Found found;
    const char *counted = block.constData();
    qsizetype behind = 0;
    for (qsizetype at = m_bytes->indexIn(block); at >= 0; at = m_bytes->indexIn(block, behind)) {
        const char *const hit = block.constData() + at;
        behind = at + m_bytes->size();
        if (!m_isWhole) {
            const qsizetype begin = at == 0 ? 0 : block.lastIndexOf('\n', at - 1) + 1;
            const qsizetype feed = block.indexOf('\n', at);
            behind = feed < 0 ? block.size() : feed;
            if (!isHit(block, begin, behind)) {
                continue;
            }
        }
        addHit(found, firstLine, countOf('\n', counted, hit));
        counted = hit;
        if (limit == Limit::First) {
            return found;
        }
    }
    found.lineFeeds += countOf('\n', counted, block.constData() + block.size());
    return found;
}

// Some line takes the expression too long, and the others are not to be lost with it. From this place on, at which the
// line feeds before are counted.
void LogMatcher::findLineByLine(const QString &text, qsizetype from, qint64 firstLine, Limit limit, Found &found) const
{
    for (qsizetype begin = from; begin <= text.size();) {
        const qsizetype feed = text.indexOf(QLatin1Char('\n'), begin);
        const qsizetype end = feed < 0 ? text.size() : feed;
        const QString line = text.mid(begin, end - begin);
        auto matches = m_expression.globalMatch(line);
        bool isHit = false;
        while (!isHit && matches.hasNext()) {
            isHit = matches.next().capturedLength() > 0;
        }
        if (isHit) {
            addHit(found, firstLine, 0);
            if (limit == Limit::First) {
                return;
            }
        }
        found.lineFeeds += feed < 0 ? 0 : 1;
        begin = end + 1;
    }
}

LogMatcher::Found LogMatcher::findInText(const QByteArray &block, qint64 firstLine, Limit limit) const
{
    QString text = QString::fromUtf8(block);
    if (text.contains(QLatin1Char(escapeByte))) {
        text = withoutEscapes(text);
    }
    Found found;
    qsizetype counted = 0;
    auto matches = m_expression.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        if (match.capturedLength() == 0) {
            continue;
        }
        addHit(
            found, firstLine, QStringView(text).mid(counted, match.capturedStart() - counted).count(QLatin1Char('\n')));
        counted = match.capturedStart();
        if (limit == Limit::First) {
            return found;
        }
    }
    if (!matches.isValid() && m_expression.isValid()) {
        findLineByLine(text, counted, firstLine, limit, found);
        return found;
    }
    found.lineFeeds += QStringView(text).mid(counted).count(QLatin1Char('\n'));
    return found;
}

} // namespace trainyard
