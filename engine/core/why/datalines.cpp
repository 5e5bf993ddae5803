// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/datalines.h"

#include "engine/core/why/quotedwords.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

bool isInRow(QByteArrayView line, qsizetype at)
{
    // Loggers write tabs as well, beside the time and the level. `uniq -c` writes its counts to the right.
    static const QRegularExpression row(
        u"\\A\\s*\\d+\\s*[,;|]|\\A\\s*\\|[^|]*\\||\\A\\s{2,}\\d+ \\z|\u2502[^\u2502]*\u2502|\\A(?![^\\t]*\\t?(?:ERROR|FATAL|error|fatal)\\b)[^\\t]*\\S[^\\t]*\\t"_s);
    // The columns behind a text hold numbers: "Permission denied     12   4.1%".
    // No mark before a number is a blank: two ways to match each gap would be too many together.
    static const QRegularExpression columns(
        u"(?:\\s{2,}|\\t)[^\\w\\s]?\\d[\\d.,]*%?(?:\\s+[^\\w\\s]?\\d[\\d.,]*%?)*\\s*\\z"_s);
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
    // "[-Killed-]{+fine+}", as `git diff --word-diff` marks words.
    static const QRegularExpression words(u"\\{\\+.*\\+\\}|\\[-.*-\\]"_s);
    // "Killed:: The host has no memory left.", as AsciiDoc explains a term.
    static const QRegularExpression term(u"\\A\\S[^:]*(?:: [^:]+)*:: \\S"_s);
    return (line.trimmed().startsWith('<') && markup.match(text).hasMatch()) || sides.match(text).hasMatch()
        || term.match(text).hasMatch() || words.match(text).hasMatch();
}

} // namespace

// A row of a table, beside another one of the same form.
static bool isOfTable(const QList<WhyLine> &lines, qsizetype index)
{
    static const QRegularExpression row(u"\\A\\s*(?:(\\|).*\\||(\u2502).*\u2502|(\\d+ *\\| "
                                        u"|\\d+,\"|\\d+\\t(?=.*\\t)).*|\\S.*(?:\\s{3,}|(\\t)\\s?)[^\\w\\s]?\\d[\\d.,:]*"
                                        u"%?(?:\\s+[^\\w\\s]?\\d[\\d.,:]*%?)*)\\s*\\z"
                                        "|\\A\\s{2,}\\d+ \\S|\\A\\s+\\d+\\t\\S|\\A\\s*\\S.*\\S (?:=>|->) \\S"_s);
    const auto formOf = [&](qsizetype i) {
        const QRegularExpressionMatch match = i >= 0 && i < lines.size()
            ? row.match(QString::fromUtf8(headOf(lines.at(i).words, longestLabel)))
            : QRegularExpressionMatch();
        return match.hasMatch() ? match.lastCapturedIndex() : -1;
    };
    const int form = formOf(index);
    return form >= 0 && (formOf(index - 1) == form || formOf(index + 1) == form);
}

// Where the columns of a line begin, behind at least two blanks.
static QList<qsizetype> columnsOf(QByteArrayView line)
{
    QList<qsizetype> columns;
    for (qsizetype i = 2; i < line.size() && i < longestLabel; ++i) {
        if (line[i] != ' ' && line[i - 1] == ' ' && line[i - 2] == ' ') {
            columns.append(i);
        }
    }
    return columns;
}

bool isInColumns(const QList<WhyLine> &lines, qsizetype index)
{
    constexpr int fewest = 2;
    // Loggers align what they write, and shells what they say of a process.
    static const QRegularExpression other(u"\\b(?:ERROR|FATAL|CRITICAL|WARNING|INFO|DEBUG)\\b|\\A\\S+: line \\d+: "_s);
    const QByteArrayView line = lines.at(index).words;
    const QList<qsizetype> own = columnsOf(line);
    if (own.size() < fewest || other.match(QString::fromUtf8(headOf(line, longestLabel))).hasMatch()) {
        return false;
    }
    const auto shares = [&](qsizetype i) {
        const QList<qsizetype> columns = i >= 0 && i < lines.size() ? columnsOf(lines.at(i).words) : QList<qsizetype>();
        return std::count_if(own.cbegin(), own.cend(), [&](qsizetype column) { return columns.contains(column); })
            >= fewest;
    };
    return shares(index - 1) || shares(index + 1);
}

// A comment of a program or a script, or a variable of the environment.
static bool isCommentOrVariable(QByteArrayView line)
{
    static const QRegularExpression shown(
        u"\\A(?:\\s*(?:#|//) (?!Failed )|(?:export )?[A-Z][A-Z0-9_]*=|\\s+(?:raise|throw|return|print\\w*|echo|console\\.\\w+|sys\\.exit|die)\\b[ (].*[\"'].)\\S*"_s);
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

// The name of an exception without a message, beside another one.
static bool isOfNames(const QList<WhyLine> &lines, qsizetype index)
{
    static const QRegularExpression name(u"\\A\\s*(?:\\w+\\.)*[A-Z]\\w*(?:Error|Exception)\\s*\\z"_s);
    const auto isName = [&](qsizetype i) {
        return i >= 0 && i < lines.size()
            && name.match(QString::fromUtf8(headOf(lines.at(i).words, longestLabel))).hasMatch();
    };
    return isName(index) && (isName(index - 1) || isName(index + 1));
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

bool isCountedAsNone(QByteArrayView behind)
{
    static const QRegularExpression none(u"\\A\\w*[:=] ?0+(?![.\\w])"_s);
    return none.match(QString::fromUtf8(headOf(behind, longestLabel))).hasMatch();
}

// The fourth or a later item of a list in one line: "stop words: killed, aborted, busy, permission denied".
static bool isEnumerated(QByteArrayView before)
{
    static const QRegularExpression items(u"(?:[^,:;.()]{1,40}, ){3,}\\z"_s);
    return before.endsWith(", ")
        && items.match(QString::fromUtf8(before.last(std::min(before.size(), longestLabel)))).hasMatch();
}

bool isOfData(const QList<WhyLine> &lines, qsizetype index, qsizetype at)
{
    const QByteArrayView line = lines.at(index).words;
    const qsizetype place = std::clamp<qsizetype>(at, 0, line.size());
    return isLabelOfData(QString::fromUtf8(headOf(line.first(place), longestLabel))) || isFieldOfData(line, place)
        || isEnumerated(line.first(place)) || isCommit(line) || isMarkedUp(line) || isCommentOrVariable(line)
        || isOfTable(lines, index) || isOfListOfData(lines, index) || isOfNames(lines, index)
        || isFoundInFile(lines, index);
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
        || isOfListOfData(lines, index) || isOfNames(lines, index)
        || (isLabelOfData(text) && !compared.match(text).hasMatch()) || isFoundInFile(lines, index);
}

bool announcesData(QByteArrayView line)
{
    static const QRegularExpression headline(
        u"\\A\\W*(?:[\\w#./-]+ ){0,2}?(?:"_s + dataNames() + u"|response|output)s?:\\s*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    return line.trimmed().endsWith(':') && headline.match(QString::fromUtf8(headOf(line, longestLabel))).hasMatch();
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
