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

// "``nvcc``", as reStructuredText writes code, and "``nvcc''", as TeX does: where the closing mark ends, or -1.
qsizetype endOfDoubleQuote(QByteArrayView words, qsizetype begin)
{
    constexpr QByteArrayView open = "``", close = "''";
    if (!words.sliced(begin).startsWith(open)) {
        return -1;
    }
    const qsizetype from = begin + open.size();
    const qsizetype same = words.indexOf(open, from), other = words.indexOf(close, from);
    const qsizetype end = same < 0 ? other : other < 0 ? same : std::min(same, other);
    return end < 0 ? -1 : end + close.size() - 1;
}

qsizetype endOfQuote(QByteArrayView words, qsizetype begin)
{
    if (const qsizetype end = endOfDoubleQuote(words, begin); end >= 0) {
        return end;
    }
    const bool closesSame = words[begin] == '`' && words.indexOf('`', begin + 1) >= 0;
    for (qsizetype i = begin + 1; i < words.size(); ++i) {
        if (closesSame && words[i] == '\'') {
            continue;
        }
        if (words[i] == '\\') {
            ++i;
        } else if (closesQuote(words, i, words[begin])) {
            return i;
        }
    }
    return -1;
}

} // namespace

bool saysError(QByteArrayView words)
{
    static const QRegularExpression bad(
        u"err|fail|fatal|exception|cannot|can[\u2019']t|could not|unable|denied|abort|panic|warn|got |with "_s,
        QRegularExpression::CaseInsensitiveOption);
    return bad.match(QString::fromUtf8(words)).hasMatch();
}

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

bool isOnlyQuoted(QByteArrayView line, qsizetype at)
{
    static const QRegularExpression ofErrors(
        u"\\A(?:err(?:or)?s?|exc(?:eption)?|messages?|msg|reason|details?|cause|stderr|output|traceback|stack|status)\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression setting(u"\\A\\s*(?:- )?([\\w.-]+)(: +| *= *| +)\\z"_s);
    constexpr qsizetype longestLine = 4096;
    const QByteArrayView read = headOf(line, longestLine), trimmed = read.trimmed();
    if (trimmed.startsWith('{') && trimmed.endsWith('}')) {
        return false; // an object of its own
    }
    QByteArray around; // what stands outside of quotes
    QByteArray name; // of the field, or of the setting, that the text belongs to
    QByteArray last; // the text in quotes before
    bool hasQuote = false, isBefore = true;
    QByteArray openEnded; // marks that nothing closes any more
    for (qsizetype i = 0; i < read.size(); ++i) {
        const bool isOpen = opensQuote(read, i) && !openEnded.contains(read[i]);
        const qsizetype end = isOpen ? endOfQuote(read, i) : -1;
        if (end < 0) {
            openEnded += isOpen ? QByteArray(1, read[i]) : QByteArray();
            around += read[i];
            continue;
        }
        if (isBefore) {
            // A name before a text in quotes, as in a file of settings: `retry_on: "connection refused"`.
            const QRegularExpressionMatch named
                = hasQuote ? QRegularExpressionMatch() : setting.match(QString::fromUtf8(around));
            if (named.hasMatch() && !named.captured(2).contains(u':') && !named.captured(2).contains(u'=')
                && saysError(around)) {
                return false; // ErrorMessage "..."
            }
            name = named.hasMatch() ? named.captured(1).toUtf8() : around.trimmed().endsWith(':') ? last : QByteArray();
            around = named.hasMatch() ? QByteArray() : around;
        }
        isBefore = isBefore && end < at;
        last = read.sliced(i + 1, end - i - 1).toByteArray();
        hasQuote = true;
        i = end;
    }
    const bool hasWord = std::any_of(around.cbegin(), around.cend(),
        [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; });
    return hasQuote && !hasWord && !ofErrors.match(QString::fromUtf8(name)).hasMatch();
}

bool namesError(QByteArrayView words)
{
    const auto quote
        = std::find_if(words.begin(), words.end(), [](char c) { return c == '"' || c == '\'' || c == '`'; });
    return saysError(words.first(std::distance(words.begin(), quote)));
}

bool isToldOf(QByteArrayView line, qsizetype at, QByteArrayView words)
{
    static const QRegularExpression item(
        u"\\A\\s*(?:[-*>\u2022]|\\d{1,2}[.)]|#+|//) (?:[\\w.]+: )?\\z|\\A[^\\s:]+:\\d+:\\z|\\A[A-Z][A-Z0-9_]*=\\z|<\\w+[^<>]*>\\z"_s);
    // "The patterns are KeyError: 'lr' and ModuleNotFoundError: No module named 'x'."
    static const QRegularExpression listed(
        u"\\b(?:and|or|like|see|are|as) (?:[\\w.]+(?:Error|Exception)|[a-z]+): .*\\z"_s);
    if (listed.match(QString::fromUtf8(line.first(std::clamp<qsizetype>(at, 0, line.size())))).hasMatch()) {
        return true;
    }
    // Text that begins with a small letter is the end of a sentence.
    if (words.isEmpty() || !std::isupper(static_cast<unsigned char>(words.front()))) {
        return false;
    }
    const QByteArrayView before = line.first(std::clamp<qsizetype>(at, 0, line.size()));
    const QString text = QString::fromUtf8(before);
    static const QRegularExpression process(
        u"(?:\\A\\s*|:\\s*|\\][+-]?\\s+)\\d+\\s*\\z"_s); // "run.sh: line 3: 812 Killed"
    // A mark before a message is no word: "\u00d7 No solution found".
    static const QRegularExpression word(u"[\\w]\\s*\\z"_s, QRegularExpression::UseUnicodePropertiesOption);
    const bool isInSentence = word.match(text).hasMatch() && !saysError(before) && !process.match(text).hasMatch();
    return isInSentence || item.match(text).hasMatch();
}

bool isSupposed(QByteArrayView line, qsizetype at)
{
    static const QRegularExpression supposed(
        u"\\b(?:if (?:it|you|the|this|that|there|your|an?)|in case)\\b[^.;:]*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    // "CUDA out of memory, if the batch is too large."
    static const QRegularExpression supposedBehind(u"\\A[^.;:]*,? if (?:it|you|the|this|that|there|your|an?)\\b"_s);
    const qsizetype place = std::clamp<qsizetype>(at, 0, line.size());
    return supposed.match(QString::fromUtf8(line.first(place))).hasMatch()
        || supposedBehind.match(QString::fromUtf8(line.sliced(place))).hasMatch();
}

bool isEchoed(const QList<WhyLine> &lines, qsizetype index)
{
    const QByteArrayView words = lines.at(index).words.trimmed();
    const QByteArrayView above = index > 0 ? lines.at(index - 1).words : QByteArrayView();
    return above.startsWith("+ echo ") && !words.isEmpty() && above.indexOf(words) >= 0;
}

} // namespace trainyard::core
