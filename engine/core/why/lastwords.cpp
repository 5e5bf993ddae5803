// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/lastwords.h"

#include "engine/core/why/datalines.h"
#include "engine/core/why/quotedwords.h"
#include "engine/core/why/whylinks.h"
#include "engine/core/why/workwords.h"

#include <QRegularExpression>
#include <QString>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestLastWords = 1000;

QString lastText(const WhyLine &line) { return QString::fromUtf8(headOf(line.words, longestLastWords)); }

// The words of a line, those of a hunk of a diff as well.
QByteArrayView anyWordsOf(const WhyLine &line) { return line.words.isEmpty() ? line.aside : line.words; }

// Progress, measures, tables and mere information, but not a statement that compares a measure with what it should be.
bool isReport(const QString &text) { return reportsWork(text) && !judgesMeasure(text); }

// A sentence may quote what a program says: "After `cp: error writing 'a'`, ask."
QString withoutCode(QString text)
{
    static const QRegularExpression code(u"`[^`]*`"_s);
    return text.remove(code);
}

// If it is not known that a line was written to standard error, the line must also read like an error.
bool complains(const QString &text)
{
    static const QRegularExpression bad(
        u"\\b(?:errors?|fail\\w*|fatal|can ?not|can't|could ?n[o']t|unable|denied|invalid|missing|not|no|never|none of"
        "|must|should|expect\\w*|requires?|required|needs?|needed|too "
        "(?:low|high|many|few|large|small|long|short|old|big)"
        "|reject\\w*|insufficient|unacceptabl[ey]|unknown|unsupported|unterminated|unexpected|mismatch\\w*|wrong|bad|"
        "empty|already|exceed\\w*|refus\\w*|"
        "corrupt\\w*"
        "|abort\\w*|illegal|undefined|conflict\\w*|incompatible|broken|without|nothing|is below|is above|giving "
        "up|only|nan|inf|different|differs?|stale|outdated|duplicate\\w*|expired|locked|busy|incomplete|interrupted"
        "|negative(?! log)|singular|overflow\\w*|unstable|out of (?:range|bounds)"
        "|(?:has|have|had|got|found|with|of|contains?) 0 (?!errors?\\b|warnings?\\b|failures?\\b|failed\\b)[a-z]\\w*"
        "|disagree\\w*|truncated|exhausted|timed out|inconsistent|changed significantly|out of date"
        "|nicht|kein\\w*|fehlt|fehler|verweigert|no existe|denegado|introuvable|aucun|refusée?|échec)\\b|\\Ausage: "
        "|\\Aplease "
        "(?:set|specify|provide|pass|give|use|install|check|make|run|choose|select|enter"
        "|supply|define|export|update|upgrade|download|create|add|log in|login|rename|remove|move)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression countsNone(u"[:=]\\s*0+(?:\\.0+)?%?\\s*\\z"_s);
    return bad.match(withoutCode(text)).hasMatch() && !countsNone.match(text).hasMatch();
}

bool isSentence(const QString &text)
{
    static const QRegularExpression word(u"\\b[^\\W\\d_]{2,}"_s);
    int count = 0;
    for (auto it = word.globalMatch(text); it.hasNext() && count < 2; it.next()) {
        ++count;
    }
    return count >= 2;
}

bool hasWord(const QString &text)
{
    static const QRegularExpression word(u"\\b[^\\W\\d_]{2,}"_s);
    return word.match(text).hasMatch();
}

// If other lines follow, only a line that certainly reports an error counts.
bool surelyComplains(const QString &text)
{
    static const QRegularExpression bad(
        u"\\b(?:errors?|fatal|failed|failure|can ?not|can't|could ?n[o']t|unable to|denied|refused|not "
        "found|no such|invalid|not supported|unsupported|exceeded|expired|aborting|do(?:es)? ?n[o']t exist|"
        "must be|too (?:many|few|large|small))\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression none(
        u"\\b(?:0|no|without) (?:errors?|failures?|failed)\\b|\\b(?:errors?|failures?|failed)\\b(?: in total)?\\W*0\\b|\\?\\s*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    return isSentence(text) && bad.match(withoutCode(text)).hasMatch() && !none.match(text).hasMatch();
}

// Whether the line is one of the program's own words, and not a report of its work.
bool isOwn(const QList<WhyLine> &lines, qsizetype index)
{
    const WhyLine &line = lines.at(index);
    // Fortran begins each line with one space.
    const QByteArrayView words
        = line.words.startsWith(' ') && !line.words.startsWith("  ") ? line.words.sliced(1) : line.words;
    const QString text = QString::fromUtf8(headOf(words, longestLastWords));
    return !text.startsWith(u' ') && !text.startsWith(u'\t') && !isQuietLine(words) && !isReport(text)
        && !isLineOfData(lines, index) && !line.isShown && !isOnlyQuoted(words) && !isEchoed(lines, index)
        && !isInRow(words, 0) && !isInRow(words, words.size());
}

bool isDifference(const QList<WhyLine> &lines, qsizetype last)
{
    static const QRegularExpression sentence(
        u"\\A(?:(?:Files|Binary files) .* and .* differ|\\S.* differ: (?:byte|char) \\d+, line \\d+|cmp: EOF on \\S.*)\\z"_s);
    static const QRegularExpression hunk(u"\\A(?:\\d+(?:,\\d+)?[acd]\\d+(?:,\\d+)?|@@ -\\d+.* @@.*)\\z"_s);
    constexpr qsizetype longestHunk = 400;
    if (sentence.match(lastText(lines.at(last))).hasMatch()) {
        return true;
    }
    for (qsizetype i = last; i >= 0 && i > last - longestHunk; --i) {
        // The prefixes of launchers do not look like the marks of a hunk, so the line is read as it stands.
        const QByteArrayView words = anyWordsOf(lines.at(i));
        if (hunk.match(lastText(lines.at(i))).hasMatch()) {
            return i < last;
        }
        const bool isOfHunk = words.startsWith("< ") || words.startsWith("> ") || words == QByteArrayView("---")
            || words.startsWith('+') || words.startsWith('-') || words.startsWith(' ') || words.startsWith('\\');
        if (!isOfHunk) {
            return false;
        }
    }
    return false;
}

} // namespace

LastWords lastWordsOf(const QList<WhyLine> &lines, qsizetype begin, const std::optional<ErrorLines> &errors, int status)
{
    constexpr int lastOwnStatus = 123; // beyond: of `timeout`, of shells, signals
    constexpr int lastOfSmallTools = 2;
    LastWords words;
    for (qsizetype i = lines.size() - 1; i >= begin && words.line < 0; --i) {
        const bool isNone = anyWordsOf(lines.at(i)).trimmed().isEmpty()
            || (status > lastOfSmallTools && isHarmlessTool(lines.at(i).words));
        words.line = isNone ? -1 : i;
    }
    const bool isByItself = (status > 0 && status <= lastOwnStatus) || status == 255;
    if (words.line < 0 || !isByItself) {
        return words;
    }
    if (status == 1 && isDifference(lines, words.line)) {
        words.kind = LastWords::Kind::Difference;
        return words;
    }
    // Text that was written to standard output meanwhile may follow it.
    constexpr qsizetype linesBehind = 3;
    const qsizetype said = errors ? errors->last : words.line;
    if (said < begin || said + linesBehind < words.line) {
        return words;
    }
    // Nothing else went to standard error: one word is enough, as of `echo "empty" >&2; exit 7`.
    const QString text = lastText(lines.at(said));
    const bool isAllThatWasSaid = errors && errors->isOnlyOne && hasWord(text);
    if (isOwn(lines, said) && (isAllThatWasSaid || (isSentence(text) && complains(text)))) {
        words.kind = LastWords::Kind::Reason;
        words.line = said;
        return words;
    }
    // Some programs say after the error how to proceed: whom to ask, or where to read more.
    constexpr qsizetype linesOfAdvice = 12;
    const auto surely
        = [&](qsizetype i) { return i >= begin && isOwn(lines, i) && surelyComplains(lastText(lines.at(i))); };
    for (qsizetype i = said - 1; i >= begin && i >= said - linesOfAdvice; --i) {
        if (isReport(lastText(lines.at(i))) || tellsRecovery(lines.at(i).words)) {
            break; // it went on with its work
        }
        if (surely(i)) {
            while (surely(i - 1)) {
                --i;
            }
            words.kind = LastWords::Kind::Reason;
            words.line = i;
            break;
        }
    }
    return words;
}

} // namespace trainyard::core
