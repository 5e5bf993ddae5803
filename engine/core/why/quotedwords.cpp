// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/quotedwords.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cctype>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

bool isOfWord(QByteArrayView words, qsizetype at)
{
    const auto c = at >= 0 && at < words.size() ? static_cast<unsigned char>(words[at]) : ' ';
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

// "b'...'", as Python writes bytes.
bool isPrefixOfLiteral(QByteArrayView words, qsizetype at)
{
    constexpr QByteArrayView prefixes = "bfru";
    return at >= 0 && prefixes.contains(words[at]) && !isOfWord(words, at - 1);
}

// An apostrophe stands in a word or at its end, as in "can't" and "users'".
bool opensQuote(QByteArrayView words, qsizetype at)
{
    const char c = words[at];
    if (c != '\'') {
        return c == '"' || c == '`';
    }
    const bool isBehindWord = isOfWord(words, at - 1) && !isPrefixOfLiteral(words, at - 1);
    return !isBehindWord && at + 1 < words.size() && words[at + 1] != ' ';
}

// What GNU programs open with ` they close with '.
bool closesQuote(QByteArrayView words, qsizetype at, char open)
{
    const char c = words[at];
    if (c != '\'') {
        return c == open;
    }
    return open != '"' && !isOfWord(words, at + 1);
}

qsizetype endOfQuote(QByteArrayView words, qsizetype begin)
{
    for (qsizetype i = begin + 1; i < words.size(); ++i) {
        if (words[i] == '\\') {
            ++i;
        } else if (closesQuote(words, i, words[begin])) {
            return i;
        }
    }
    return -1;
}

} // namespace

bool isQuotedAt(QByteArrayView line, qsizetype at, QByteArrayView words)
{
    constexpr std::size_t marks = 128;
    std::array<bool, marks> isOpenEnded{}; // marks that nothing closes any more
    if (std::none_of(words.begin(), words.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)); })) {
        return false;
    }
    for (qsizetype i = 0; i < line.size() && i < at; ++i) {
        if (!opensQuote(line, i) || isOpenEnded[std::size_t(line[i])]) {
            continue;
        }
        const qsizetype end = endOfQuote(line, i);
        if (end < 0) {
            isOpenEnded[std::size_t(line[i])] = true;
            continue;
        }
        if (end >= at) {
            return end >= at + words.size();
        }
        i = end;
    }
    return false;
}

bool isInRow(QByteArrayView line, qsizetype at)
{
    // Loggers write tabs as well, beside the time and the level.
    static const QRegularExpression row(
        u"\\A\\s*\\d+\\s*[,;|]|\\A\\s*\\|[^|]*\\||\\A(?![^\\t]*\\t?(?:ERROR|FATAL|error|fatal)\\b)[^\\t]*\\S[^\\t]*\\t"_s);
    return row.match(QString::fromUtf8(line.first(std::clamp<qsizetype>(at, 0, line.size())))).hasMatch();
}

bool isToldOf(QByteArrayView line, qsizetype at, QByteArrayView words)
{
    static const QRegularExpression item(u"\\A\\s*[-*\u2022] \\z|\\A[^\\s:]+:\\d+:\\z"_s);
    static const QRegularExpression bad(
        u"err|fail|fatal|exception|cannot|can[\u2019']t|could not|unable|denied|abort|panic|warn|got |with "_s,
        QRegularExpression::CaseInsensitiveOption);
    // Text that begins with a small letter is the end of a sentence.
    if (words.isEmpty() || !std::isupper(static_cast<unsigned char>(words.front()))) {
        return false;
    }
    const QByteArrayView before = line.first(std::clamp<qsizetype>(at, 0, line.size()));
    const QString text = QString::fromUtf8(before);
    const bool isInSentence = isOfWord(before.trimmed(), before.trimmed().size() - 1) && !bad.match(text).hasMatch();
    return isInSentence || item.match(text).hasMatch();
}

bool isSupposed(QByteArrayView line, qsizetype at)
{
    static const QRegularExpression supposed(
        u"\\b(?:if (?:it|you|the|this|that|there|your|an?)|in case)\\b[^.;:]*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    return supposed.match(QString::fromUtf8(line.first(std::clamp<qsizetype>(at, 0, line.size())))).hasMatch();
}

bool isEchoed(const QList<WhyLine> &lines, qsizetype index)
{
    const QByteArrayView words = lines.at(index).words.trimmed();
    const QByteArrayView above = index > 0 ? lines.at(index - 1).words : QByteArrayView();
    return above.startsWith("+ echo ") && !words.isEmpty() && above.indexOf(words) >= 0;
}

bool isShownText(QByteArrayView line)
{
    constexpr qsizetype longestMark = 80;
    static const QRegularExpression shown(
        u"\\A\\s*(?:[-*\u2022] |\\d{1,2}[.)] "
        u"|\\[(?!(?:e(?:rr|rror)?|fatal|crit(?:ical)?|panic|std(?:out|err)|main|launch\\w*"
        "|worker|trainer|rank|node|host|proc(?:ess)?|gpu|job|task|stage)\\])[a-z]+\\] )"_s);
    return shown.match(QString::fromUtf8(headOf(line, longestMark))).hasMatch();
}

} // namespace trainyard::core
