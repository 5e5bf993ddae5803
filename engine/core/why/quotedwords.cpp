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

bool saysError(QByteArrayView words)
{
    static const QRegularExpression bad(
        u"err|fail|fatal|exception|cannot|can[\u2019']t|could not|unable|denied|abort|panic|warn|got |with "_s,
        QRegularExpression::CaseInsensitiveOption);
    return bad.match(QString::fromUtf8(words)).hasMatch();
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

bool isInRow(QByteArrayView line, qsizetype at)
{
    // Loggers write tabs as well, beside the time and the level. `uniq -c` writes its counts to the right.
    static const QRegularExpression row(
        u"\\A\\s*\\d+\\s*[,;|]|\\A\\s*\\|[^|]*\\||\\A\\s{2,}\\d+ \\z|\u2502[^\u2502]*\u2502|\\A(?![^\\t]*\\t?(?:ERROR|FATAL|error|fatal)\\b)[^\\t]*\\S[^\\t]*\\t"_s);
    // The columns behind a text hold numbers: "Permission denied     12   4.1%".
    static const QRegularExpression columns(u"(?:\\s{2,}|\\t)\\W?\\d[\\d.,]*%?(?:\\s+\\W?\\d[\\d.,]*%?)*\\s*\\z"_s);
    const qsizetype place = std::clamp<qsizetype>(at, 0, line.size());
    constexpr qsizetype longestRow = 1000;
    const QByteArrayView trimmed = line.trimmed();
    const bool isBetweenBars = trimmed.size() > 2 && trimmed.startsWith('|') && trimmed.endsWith('|');
    return isBetweenBars || row.match(QString::fromUtf8(headOf(line.first(place), longestRow))).hasMatch()
        || (line.size() - place <= longestRow && columns.match(QString::fromUtf8(line.sliced(place))).hasMatch());
}

namespace
{

constexpr qsizetype longestLabel = 200;

// What models read and write, and what tests compare.
QString dataNames()
{
    return u"(?:(?:prompt|sample|completion|answer|question|instruction|generated|generation|predicted|prediction|"
           u"expected"
           "|actual|reference|hypothesis|candidate|example|caption|transcript|translation|label|intent)s?"
           "(?: (?:\\w+|#?\\d+)){0,2}|(?:model |### )response|\\d+ results?|user|assistant|human|bot)"_s;
}

bool isLabelOfData(const QString &before)
{
    static const QRegularExpression label(
        u"\\A\\s*(?:\\[\\w+\\] )?(?:[\\w#./-]+ ){0,3}?"_s + dataNames() + u"\\s*(?::|=|->)\\s*"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression bad(
        u"\\b(?:err\\w*|fail\\w*|fatal|exception|cannot|could not|unable|unexpected|invalid|bad|writing|reading|loading|saving|opening)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression talk(u"\\A[QA]\\d*: "_s);
    const QRegularExpressionMatch match = label.match(before);
    const QString words = match.captured();
    return talk.match(before).hasMatch()
        || (match.hasMatch() && (!bad.match(words).hasMatch() || words.contains("expected "_L1, Qt::CaseInsensitive)));
}

// The name of the field whose text holds a place of a line that is one object, as JSON and Python write it; empty where
// the line is none, or the place is in no text.
QByteArrayView fieldAt(QByteArrayView line, qsizetype at)
{
    const QByteArrayView trimmed = line.trimmed();
    if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) {
        return {};
    }
    QByteArrayView last; // the text before this one
    for (qsizetype i = 0; i < at; ++i) {
        if (line[i] != '"' && line[i] != '\'') {
            continue;
        }
        const char quote = line[i];
        const qsizetype begin = i + 1;
        for (i = begin; i < line.size() && line[i] != quote; ++i) {
            i += line[i] == '\\' ? 1 : 0;
        }
        if (i > at) {
            return last;
        }
        if (i < line.size() && line.sliced(i + 1).trimmed().startsWith(':')) {
            last = line.sliced(begin, i - begin);
        }
    }
    return {};
}

bool isFieldOfData(QByteArrayView line, qsizetype at)
{
    static const QRegularExpression ofErrors(
        u"err|exc|fail|fatal|msg|message|reason|detail|status|stack|trace|log|event|panic|cause|info|output|what"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QByteArrayView field = fieldAt(line, at);
    // The words of a logger stand beside its level.
    const bool isLogged = line.contains("level") || line.contains("severity") || line.contains("lvl");
    if (isLogged && field == QByteArrayView("text")) {
        return false;
    }
    return !field.isEmpty() && !ofErrors.match(QString::fromUtf8(headOf(field, longestLabel))).hasMatch();
}

// A commit in one line: "a1b2c3d Fix CUDA out of memory".
bool isCommit(QByteArrayView line)
{
    static const QRegularExpression commit(u"\\A(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{7,40} \\S"_s);
    return commit.match(QString::fromUtf8(headOf(line, longestLabel))).hasMatch();
}

// What grep prints: the file, the number of its line unless it is not asked for, and the line as it stands there.
// Compilers and other programs write a space behind the number, or a column.
bool isFoundInFile(const QList<WhyLine> &lines, qsizetype index)
{
    static const QRegularExpression found(u"\\A[^\\s:]+:\\d+:(?!\\s*(?:\\d+:|error|fatal|warning))"_s);
    static const QRegularExpression inText(
        u"\\A[^\\s:]+\\.(?:log|txt|md|rst|out|err|jsonl?|ya?ml|csv|tsv|html?|xml|ini|cfg|conf|toml|ipynb):"
        "\\d+:(?!\\s*\\d+:|\\s+(?:error|fatal|warning))"_s);
    static const QRegularExpression inTextWithout(
        u"\\A[^\\s:]+\\.(?:log|txt|md|rst|out|err|jsonl?|ya?ml|csv|tsv|html?|xml|ini|cfg|conf|toml):[^\\s\\d/\\\\:]"_s);
    static const QRegularExpression inSource(u"\\A[^\\s:]*[/.][^\\s:]*:\\d+:(?:[^\\s\\d]|\\t|\\s{2})"_s);
    const auto matches = [&](qsizetype i, const QRegularExpression &pattern) {
        return i >= 0 && i < lines.size()
            && pattern.match(QString::fromUtf8(headOf(lines.at(i).words, longestLabel))).hasMatch();
    };
    const auto isBeside
        = [&](const QRegularExpression &pattern) { return matches(index - 1, pattern) || matches(index + 1, pattern); };
    return matches(index, inText) || (matches(index, found) && isBeside(inText))
        || (matches(index, inSource) && isBeside(inSource))
        || (matches(index, inTextWithout) && isBeside(inTextWithout));
}

// "<li>Permission denied</li>", and two texts beside each other, as `diff -y` writes them.
bool isMarkedUp(QByteArrayView line)
{
    static const QRegularExpression markup(u"\\A\\s*<[A-Za-z!/][^<>]*>.*<?/?[\\w-]*>\\s*\\z"_s);
    static const QRegularExpression sides(u"\\S(?:\\t|\\s{3,})\\s*[|<>](?:\\s.*)?\\z"_s);
    const QString text = QString::fromUtf8(headOf(line, longestLabel));
    return (line.trimmed().startsWith('<') && markup.match(text).hasMatch()) || sides.match(text).hasMatch();
}

} // namespace

// A row of a table, beside another one of the same form.
static bool isOfTable(const QList<WhyLine> &lines, qsizetype index)
{
    static const QRegularExpression row(
        u"\\A\\s*(?:(\\|).*\\||(\u2502).*\u2502|(\\d+ *\\| "
        u"|\\d+,\"|\\d+\\t(?=.*\\t)).*|\\S.*(?:\\s{3,}|(\\t))\\W?\\d[\\d.,]*%?(?:\\s+\\W?\\d[\\d.,]*%?)*)\\s*\\z"
        "|\\A\\s{2,}\\d+ \\S"_s);
    const auto formOf = [&](qsizetype i) {
        const QRegularExpressionMatch match = i >= 0 && i < lines.size()
            ? row.match(QString::fromUtf8(headOf(lines.at(i).words, longestLabel)))
            : QRegularExpressionMatch();
        return match.hasMatch() ? match.lastCapturedIndex() : -1;
    };
    const int form = formOf(index);
    return form >= 0 && (formOf(index - 1) == form || formOf(index + 1) == form);
}

// A comment of a program or a script, or a variable of the environment.
static bool isCommentOrVariable(QByteArrayView line)
{
    static const QRegularExpression shown(
        u"\\A(?:\\s*(?:#|//) (?!Failed )|(?:export )?[A-Z][A-Z0-9_]*=|\\s+(?:raise|throw|return|print\\w*|echo|console\\.\\w+)\\b[ (].*[\"'].)\\S*"_s);
    return shown.match(QString::fromUtf8(headOf(line, longestLabel))).hasMatch();
}

bool isOfList(const QList<WhyLine> &lines, qsizetype index)
{
    // A program may mark all that it writes by a word in brackets.
    const auto isItem = [&](qsizetype i) {
        return i >= 0 && i < lines.size() && !lines.at(i).words.trimmed().startsWith('[')
            && isShownText(lines.at(i).words);
    };
    return isItem(index) && (isItem(index - 1) || isItem(index + 1));
}

// An item of a list below a heading that speaks of no error: "Known problems:", "Fixtures:".
static bool isOfListOfData(const QList<WhyLine> &lines, qsizetype index)
{
    constexpr qsizetype longestList = 60;
    if (!isOfList(lines, index)) {
        return false;
    }
    qsizetype head = index;
    while (head >= 0 && head > index - longestList && isShownText(lines.at(head).words)) {
        --head;
    }
    const QByteArrayView words = head >= 0 ? lines.at(head).words.trimmed() : QByteArrayView();
    return head < 0 || (words.endsWith(':') && !saysError(words));
}

bool isCounted(const QList<WhyLine> &lines, qsizetype index)
{
    static const QRegularExpression count(u"\\A\\s*\\D.*\\S[:=]\\s*\\d[\\d.,]*%?(?: \\(.*\\))?\\s*\\z"_s);
    const auto isCount = [&](qsizetype i) {
        return i >= 0 && i < lines.size()
            && count.match(QString::fromUtf8(headOf(lines.at(i).words, longestLabel))).hasMatch();
    };
    return isCount(index) && (isCount(index - 1) || isCount(index + 1));
}

bool isOfData(const QList<WhyLine> &lines, qsizetype index, qsizetype at)
{
    const QByteArrayView line = lines.at(index).words;
    const qsizetype place = std::clamp<qsizetype>(at, 0, line.size());
    return isLabelOfData(QString::fromUtf8(headOf(line.first(place), longestLabel))) || isFieldOfData(line, place)
        || isCommit(line) || isMarkedUp(line) || isCommentOrVariable(line) || isOfTable(lines, index)
        || isOfListOfData(lines, index) || isFoundInFile(lines, index);
}

bool isLineOfData(const QList<WhyLine> &lines, qsizetype index)
{
    // What a program compares may be its last words: "expected: 3, actual: 4".
    static const QRegularExpression compared(
        u"\\bexpected\\b.*\\b(?:actual|got|but|found)\\b"_s, QRegularExpression::CaseInsensitiveOption);
    const QByteArrayView line = lines.at(index).words;
    const QString text = QString::fromUtf8(headOf(line, longestLabel));
    static const QRegularExpression rowOfTable(u"\\A\\s*\\d+\\s*\\| "_s);
    const bool isCommand = line.startsWith("$ ") || rowOfTable.match(text).hasMatch();
    return isCommand || isCommit(line) || isMarkedUp(line) || isCommentOrVariable(line) || isOfTable(lines, index)
        || isOfListOfData(lines, index) || (isLabelOfData(text) && !compared.match(text).hasMatch())
        || isFoundInFile(lines, index);
}

bool announcesData(QByteArrayView line)
{
    static const QRegularExpression headline(
        u"\\A\\W*(?:[\\w#./-]+ ){0,2}?(?:"_s + dataNames() + u"|response|output)s?:\\s*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    return line.trimmed().endsWith(':') && headline.match(QString::fromUtf8(headOf(line, longestLabel))).hasMatch();
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
        u"\\A\\s*(?:[-*>\u2022] |\\d{1,2}[.)] "
        u"|\\[(?!(?:e(?:rr|rror)?|fatal|crit(?:ical)?|panic|std(?:out|err)|main|launch\\w*"
        "|worker|trainer|rank|node|host|proc(?:ess)?|gpu|job|task|stage)\\])[a-z]+\\] )"_s);
    return shown.match(QString::fromUtf8(headOf(line, longestMark))).hasMatch();
}

} // namespace trainyard::core
