// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/showntexts.h"

#include "engine/core/why/datalines.h"
#include "engine/core/why/workwords.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestShownHeading = 300;

QString headingText(const WhyLine &line) { return QString::fromUtf8(headOf(line.words, longestShownHeading)); }

bool isIndentedBy(QByteArrayView words, qsizetype least)
{
    qsizetype spaces = 0;
    while (spaces < words.size() && words[spaces] == ' ') {
        ++spaces;
    }
    return spaces >= least && spaces < words.size();
}

// "commit 1f2e...", "Author: ...", and the message, indented by four.
void setCommitsAside(QList<WhyLine> &lines)
{
    constexpr qsizetype linesOfHead = 6;
    static const QRegularExpression commit(u"\\Acommit [0-9a-f]{7,64}(?: \\(.*\\))?\\z"_s);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!lines.at(i).words.startsWith("commit ") || !commit.match(headingText(lines.at(i))).hasMatch()) {
            continue;
        }
        for (qsizetype j = i + 1; j < lines.size(); ++j) {
            const QByteArrayView words = lines.at(j).words;
            if (isIndentedBy(words, 4)) {
                setAside(lines[j]);
                continue;
            }
            const bool isOfHead = j <= i + linesOfHead
                && (words.startsWith("Author") || words.startsWith("Date:") || words.startsWith("AuthorDate:")
                    || words.startsWith("Commit") || words.startsWith("Merge: "));
            if (!isOfHead && !words.trimmed().isEmpty()) {
                break;
            }
        }
    }
}

// "usage: ...", then headings with indented lines below, some of which explain options.
void setHelpAside(QList<WhyLine> &lines)
{
    constexpr qsizetype longestHelp = 1000;
    static const QRegularExpression heading(u"\\A[A-Za-z][\\w -]*:\\s*\\z"_s);
    static const QRegularExpression option(u"\\A\\s+-{1,2}[A-Za-z][\\w-]*(?:[ =,].*)?\\z"_s);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayView head = lines.at(i).words;
        if (!head.startsWith("usage: ") && !head.startsWith("Usage: ") && head != QByteArrayView("Usage:")) {
            continue;
        }
        qsizetype end = i + 1; // behind the last line that is indented
        bool hasOptions = false, isBelowBlank = false;
        for (qsizetype j = i + 1; j < lines.size() && j < i + longestHelp; ++j) {
            const QByteArrayView words = lines.at(j).words;
            const bool isBlank = words.trimmed().isEmpty();
            const bool isIndented = !isBlank && (words.front() == ' ' || words.front() == '\t');
            // The sentences that describe the program stand above its options.
            if (!isBlank && !isIndented && !heading.match(headingText(lines.at(j))).hasMatch()
                && (hasOptions || !isBelowBlank)) {
                break;
            }
            isBelowBlank = isBlank || (isBelowBlank && !isIndented);
            hasOptions = hasOptions || (isIndented && option.match(headingText(lines.at(j))).hasMatch());
            end = isIndented ? j + 1 : end;
        }
        if (hasOptions) {
            std::for_each(lines.begin() + i + 1, lines.begin() + end, [](WhyLine &line) { setAside(line); });
            i = end - 1;
        }
    }
}

// Whether a line is nothing but a rule: "----------".
bool isFrameRule(QByteArrayView words)
{
    constexpr qsizetype shortest = 3;
    const QByteArrayView rule = words.trimmed();
    return rule.size() >= shortest && QByteArrayView("-=*#~_+").contains(rule.front())
        && std::all_of(rule.begin(), rule.end(), [&](char c) { return c == rule.front(); });
}

// Text between two equal rules that the next step of the work follows, such as what a model has written so far.
void setFramesAside(QList<WhyLine> &lines)
{
    constexpr qsizetype longestFrame = 200;
    qsizetype open = -1;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayView words = lines.at(i).words.trimmed();
        if (!isFrameRule(words)) {
            continue;
        }
        const bool isClosing
            = open >= 0 && i > open + 1 && i <= open + longestFrame && lines.at(open).words.trimmed() == words;
        const qsizetype next = i + 1 < lines.size() && lines.at(i + 1).words.trimmed().isEmpty() ? i + 2 : i + 1;
        if (isClosing && next < lines.size() && goesOnBetween(lines, next, next + 1, 1)) {
            std::for_each(lines.begin() + open + 1, lines.begin() + i, [](WhyLine &line) { setAside(line); });
            open = -1;
        } else {
            open = i;
        }
    }
}

// "--- log of the previous attempt ---", lines, "--- end ---": without the last one, the end is not known.
void setEarlierRunsAside(QList<WhyLine> &lines)
{
    constexpr qsizetype longestRun = 2000;
    static const QRegularExpression begin(
        u"\\A\\s*([-=*#>+~_]{2,})\\s*(?=.*\\b(?:previous|former|earlier|yesterday|last|old)\\b)"
        "(?=.*\\b(?:run|log|attempt|job|try|output|errors?|stderr|session)s?\\b)[^\\d\\W].*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression end(
        u"\\A\\s*[-=*#>+~_]{2,}\\s*(?:end|eof|done)\\b"_s, QRegularExpression::CaseInsensitiveOption);
    const auto isHeading = [](QByteArrayView words) {
        const QByteArrayView text = words.trimmed();
        return text.size() > 4 && QByteArrayView("-=*#>+~_").contains(text.front()) && text[0] == text[1];
    };
    qsizetype close = 0; // the next end: each line is read once for it
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!isHeading(lines.at(i).words) || !begin.match(headingText(lines.at(i))).hasMatch()) {
            continue;
        }
        close = std::max(close, i + 1);
        while (close < lines.size()
            && !(isHeading(lines.at(close).words) && end.match(headingText(lines.at(close))).hasMatch())) {
            ++close;
        }
        if (close < std::min(lines.size(), i + longestRun)) {
            std::for_each(lines.begin() + i + 1, lines.begin() + close, [](WhyLine &line) { setAside(line); });
            i = close;
        }
    }
}

// "<system-err>", lines, "</system-err>": an element of XML or HTML that goes over several lines.
void setElementsAside(QList<WhyLine> &lines)
{
    constexpr qsizetype longestElement = 2000;
    constexpr qsizetype mostNames = 50;
    QHash<QByteArray, qsizetype> closes; // where the next closing mark of a name is, so that each line is read once
    static const QRegularExpression open(u"\\A\\s*<([A-Za-z][\\w:-]*)(?: [^<>]*)?>"_s);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayView words = lines.at(i).words;
        const bool mayBeOne = words.trimmed().startsWith('<');
        const QRegularExpressionMatch match
            = mayBeOne ? open.match(headingText(lines.at(i))) : QRegularExpressionMatch();
        if (!match.hasMatch()) {
            continue;
        }
        const QByteArray close = "</" + match.captured(1).toUtf8() + '>';
        if (!closes.contains(close) && closes.size() >= mostNames) {
            continue;
        }
        qsizetype &end = closes[close];
        end = std::max(end, i);
        while (end < lines.size() && lines.at(end).words.indexOf(close) < 0) {
            ++end;
        }
        if (end < std::min(lines.size(), i + longestElement)) {
            std::for_each(lines.begin() + i, lines.begin() + end + 1, [](WhyLine &line) { setAside(line); });
            i = end;
        }
    }
}

// "<|user|>", lines, "<|end|>", as chats are written for models.
void setChatsAside(QList<WhyLine> &lines)
{
    constexpr qsizetype longestTurn = 400;
    static const QRegularExpression mark(u"<\\|\\w+\\|>"_s);
    qsizetype open = -1;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines.at(i).words.indexOf("<|") < 0 || !mark.match(headingText(lines.at(i))).hasMatch()) {
            continue;
        }
        if (open >= 0 && i <= open + longestTurn) {
            std::for_each(lines.begin() + open, lines.begin() + i, [](WhyLine &line) { setAside(line); });
        }
        open = i;
        lines[i].isShown = true;
    }
}

// "### Response:", and what a model has written, up to the next heading or an empty line.
void markData(QList<WhyLine> &lines)
{
    constexpr qsizetype longestData = 60;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!lines.at(i).words.trimmed().endsWith(':') || !announcesData(lines.at(i).words)) {
            continue;
        }
        const bool isMarked = lines.at(i).words.startsWith('#');
        const qsizetype last = std::min(lines.size(), i + longestData);
        qsizetype j = i + 1;
        for (; j < last; ++j) {
            const QByteArrayView words = lines.at(j).words;
            const bool isHeading = isMarked && words.startsWith("##");
            if (isHeading) {
                std::for_each(lines.begin() + i + 1, lines.begin() + j, [](WhyLine &line) { setAside(line); });
            }
            if (isHeading || words.trimmed().isEmpty() || goesOnBetween(lines, j, j + 1, 1)) {
                break;
            }
            lines[j].isShown = true;
        }
        i = j - 1;
    }
}

// "From: ...", "Subject: ...", and a text.
void markMails(QList<WhyLine> &lines)
{
    constexpr qsizetype longestMail = 60;
    constexpr int fewestFields = 3;
    static const QRegularExpression field(u"\\A(?:From|To|Cc|Subject|Date|Reply-To|Message-I[Dd]|Received): \\S"_s);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        int fields = 0;
        qsizetype j = i;
        while (j < lines.size() && field.match(headingText(lines.at(j))).hasMatch()) {
            ++fields;
            ++j;
        }
        if (fields >= fewestFields) {
            const qsizetype end = std::min(lines.size(), j + longestMail);
            std::for_each(lines.begin() + i, lines.begin() + end, [](WhyLine &line) { line.isShown = true; });
            i = j;
        }
    }
}

// The line behind the traceback with which a file ends, or the end of the lines: what follows is of the program again.
qsizetype endOfTraceback(const QList<WhyLine> &lines, qsizetype from, qsizetype to)
{
    static const QRegularExpression exception(
        u"\\A(?:\\w+\\.)*[A-Z]\\w*(?:Error|Exception|Exit|Interrupt)(?:: |\\z)"_s);
    bool isBelowHead = false;
    for (qsizetype i = from; i < to; ++i) {
        const QByteArrayView words = lines.at(i).words;
        isBelowHead = isBelowHead || words.startsWith("Traceback (most recent call last):");
        const bool isLast = i + 1 >= to || !lines.at(i + 1).words.trimmed().isEmpty();
        if (isBelowHead && isLast && exception.match(headingText(lines.at(i))).hasMatch()) {
            return i + 1;
        }
    }
    return to;
}

// "==> run.err <==", as head and tail write it above each of several files. They show as much of each file, ten lines
// if not told otherwise, so that the last one, which nothing marks the end of, is not longer than the others.
void markFiles(QList<WhyLine> &lines)
{
    constexpr qsizetype linesOfFile = 10;
    const auto isHead = [](QByteArrayView words) { return words.startsWith("==> ") && words.endsWith(" <=="); };
    qsizetype longest = linesOfFile;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!isHead(lines.at(i).words.trimmed())) {
            continue;
        }
        qsizetype next = i + 1;
        while (next < lines.size() && !isHead(lines.at(next).words.trimmed())) {
            ++next;
        }
        const bool isLast = next == lines.size();
        longest = isLast ? longest : std::max(longest, next - i - 2); // an empty line stands between
        const qsizetype end = isLast ? endOfTraceback(lines, i + 1, std::min(lines.size(), i + 1 + longest)) : next;
        std::for_each(lines.begin() + i, lines.begin() + end, [](WhyLine &line) { line.isShown = true; });
        i = next - 1;
    }
}

} // namespace

void setShownTextsAside(QList<WhyLine> &lines)
{
    setCommitsAside(lines);
    setHelpAside(lines);
    setFramesAside(lines);
    setEarlierRunsAside(lines);
    setElementsAside(lines);
    setChatsAside(lines);
    markData(lines);
    markMails(lines);
    markFiles(lines);
}

} // namespace trainyard::core
