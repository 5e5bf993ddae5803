// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/causematch.h"
#include "engine/core/why/datalines.h"
#include "engine/core/why/errorwords.h"
#include "engine/core/why/otherstacks.h"
#include "engine/core/why/quotedwords.h"
#include "engine/core/why/shellerrors.h"
#include "engine/core/why/signdetails.h"
#include "engine/core/why/signreader.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

using Role = FailureCause::Role;

constexpr qsizetype linesOfGeneric = 400; // from the end
constexpr qsizetype linesBeforePlaces = 8; // from the first place of a stack back to what it belongs to

bool isLoggedLine(QByteArrayView words)
{
    static const QRegularExpression logged(u"\\b(?:ERROR|WARN|WARNING|SEVERE)\\b"_s);
    return logged.match(QString::fromUtf8(headOf(words, longestArgument))).hasMatch();
}

} // namespace

// Whether what looks like an error is the text of a field of data: {"sample": "ERROR: ..."}.
static bool isErrorInData(const QList<WhyLine> &lines, qsizetype index)
{
    static const QRegularExpression word(u"\\b(?:ERROR|FATAL|CRITICAL)\\b"_s);
    const QByteArrayView words = lines.at(index).words;
    if (!words.startsWith('{')) {
        return false;
    }
    const QString text = QString::fromUtf8(headOf(words, longestArgument));
    const QRegularExpressionMatch match = word.match(text);
    return match.hasMatch() && isOfData(lines, index, text.first(match.capturedStart()).toUtf8().size());
}

// Errors with the stacks of Java, JavaScript, Julia and others.
void SignReader::readStacks()
{
    for (const OtherStack &stack : std::as_const(m_stacks)) {
        if (stack.line < 0 || isInBlock(stack.first)) {
            continue;
        }
        WhyError error;
        error.type = stack.type;
        error.message = stack.message;
        error.line = stack.line;
        WhySign sign = signOfError(m_causes, error);
        if (stack.isPython) {
            insertText(sign.args, u"message"_s, error.message);
            sign.cause = sign.cause == "uncaught-exception"_L1 ? u"user-code-error"_s : sign.cause;
        }
        sign.last = stack.last;
        sign.frame = stack.own;
        sign.fatal = sign.isThrown = stack.isUncaught && sign.role != Role::Report;
        const bool isLogged = stack.first > 0 && isLoggedLine(m_lines.at(stack.first - 1).words);
        sign.survived = !stack.isUncaught && isLogged;
        // A value that a program prints is indented where it is one of several.
        sign.isTold = !stack.isUncaught && !isLogged && m_lines.at(stack.first).words.startsWith("  ");
        sign.likely = sign.likely || !stack.isUncaught;
        for (qsizetype i = stack.first; i <= stack.last; ++i) {
            m_quoted.insert(i);
        }
        m_signs.insert(sign.line, sign);
    }
}

// Places without an error of their own belong to what precedes them, such as a panic of Go or Rust.
void SignReader::addPlaces()
{
    for (const OtherStack &stack : std::as_const(m_stacks)) {
        for (qsizetype i = stack.first; stack.line < 0 && i >= 0 && i >= stack.first - linesBeforePlaces; --i) {
            const auto known = m_signs.find(i);
            if (known != m_signs.end()) {
                if (known->block < 0) {
                    known->last = std::max(known->last, stack.last);
                    known->frame = stack.own ? stack.own : known->frame;
                }
                break;
            }
        }
    }
}

// A shell names the line of the script that it could not execute. It may have continued after that.
void SignReader::readShells()
{
    for (qsizetype i = std::max<qsizetype>(0, m_lines.size() - linesOfGeneric); i < m_lines.size(); ++i) {
        const auto known = m_signs.find(i);
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords);
        if ((known != m_signs.end() && (known->block >= 0 || known->frame)) || m_quoted.contains(i) || isInBlock(i)
            || isLineOfData(m_lines, i) || words.startsWith("+ ") || isEchoed(m_lines, i)) {
            continue;
        }
        const std::optional<ShellError> error = shellErrorIn(words);
        if (!error) {
            continue;
        }
        if (known != m_signs.end()) {
            known->frame = error->place;
            continue;
        }
        WhySign sign;
        sign.cause = u"shell-error"_s;
        sign.line = sign.last = i;
        sign.generic = sign.likely = true;
        sign.transient = false;
        sign.isTold = m_lines.at(i).isShown || isOfList(m_lines, i);
        sign.frame = error->place;
        insertText(sign.args, u"said"_s, error->said);
        m_signs.insert(i, sign);
    }
}

// R says below "Error in f(x) : " what failed, indented by two spaces. Its package rlang marks each message with "!",
// and the last of them is the one from which the others follow.
qsizetype SignReader::wordsOfR(qsizetype head) const
{
    constexpr qsizetype linesBelow = 20;
    qsizetype said = -1;
    for (qsizetype i = head + 1; i < m_lines.size() && i <= head + linesBelow; ++i) {
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords);
        if (words.startsWith("Backtrace:") || words.startsWith("Calls:") || words.startsWith("Execution halted")) {
            break;
        }
        const bool isBelow = i == head + 1 && words.startsWith("  ") && !words.trimmed().isEmpty();
        if (!isBelow && !words.startsWith("! ")) {
            continue;
        }
        if (m_signs.contains(i)) {
            return -1; // its meaning is known
        }
        said = i;
    }
    return said;
}

// Below a line that only says that an error follows, such as "Fatal error:" or "--> FOAM FATAL ERROR: (v2306)": the
// line that says it, or -1.
qsizetype SignReader::wordsBelow(qsizetype head) const
{
    constexpr qsizetype linesBelow = 3;
    static const QRegularExpression sentence(u"[^\\W\\d_]{2,}\\W+\\w{2,}"_s);
    if (isErrorHeadlineOfR(m_lines.at(head).words)) {
        return wordsOfR(head);
    }
    if (!isErrorHeadline(m_lines.at(head).words)) {
        return -1;
    }
    for (qsizetype i = head + 1; i < m_lines.size() && i <= head + linesBelow; ++i) {
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords);
        if (words.trimmed().isEmpty()) {
            continue;
        }
        const bool isFree = !m_signs.contains(i) && !m_quoted.contains(i) && !isInBlock(i) && !isMildLine(words);
        return isFree && sentence.match(QString::fromUtf8(words)).hasMatch() ? i : -1;
    }
    return -1;
}

// What a report says below itself stands in for it.
void SignReader::forgetReportAbove(qsizetype index)
{
    constexpr qsizetype linesBetween = 3;
    for (qsizetype i = index - 1; i >= std::max<qsizetype>(0, index - linesBetween); --i) {
        const auto known = m_signs.constFind(i);
        if (known != m_signs.cend() && known->role == Role::Report && known->cause.isEmpty()) {
            m_signs.erase(known);
            m_quoted.insert(i);
            return;
        }
    }
}

// Lines that look like errors but have no known meaning.
void SignReader::readGeneric()
{
    for (qsizetype i = std::max<qsizetype>(0, m_lines.size() - linesOfGeneric); i < m_lines.size(); ++i) {
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords);
        if (m_signs.contains(i) || m_quoted.contains(i) || words.isEmpty() || isInBlock(i) || isLineOfData(m_lines, i)
            || isOnlyQuoted(words) || isEchoed(m_lines, i) || isErrorInData(m_lines, i)) {
            continue;
        }
        if (const qsizetype below = wordsBelow(i); below >= 0) {
            WhySign sign;
            sign.line = sign.last = below;
            sign.generic = sign.likely = true;
            insertText(
                sign.args, u"said"_s, QString::fromUtf8(headOf(m_lines.at(below).words, longestWords)).trimmed());
            m_quoted.insert(i);
            m_signs.insert(below, sign);
            continue;
        }
        // Fortran begins each line with one space. What is indented more goes on with something, unless it begins like
        // an error.
        static const QRegularExpression inCapitals(u"\\A\\s+(?:FATAL )?(?:ERROR|FATAL) ?: +\\S"_s);
        const bool isIndented = words.startsWith("  ") || words.startsWith(" \t");
        // A workflow engine names below its report what failed, if no process did.
        const bool isCauseOfReport = isIndented && i > 1 && m_lines.at(i - 1).words == QByteArrayView("Caused by:");
        if (isIndented && !isCauseOfReport
            && !inCapitals.match(QString::fromUtf8(headOf(words, longestArgument))).hasMatch()) {
            continue;
        }
        const QString text = QString::fromUtf8(isIndented ? words.trimmed()
                : words.startsWith(' ')                   ? words.sliced(1)
                                                          : words);
        const bool isOfPythonsEnd = words.startsWith("Error in atexit") || words.startsWith("Error in sys.");
        const bool isError = isCauseOfReport || looksLikeError(text) || isFatalLogLine(words);
        if (!isError || isMildLine(words) || isOfPythonsEnd) {
            continue;
        }
        WhySign sign;
        sign.line = sign.last = i;
        sign.generic = sign.likely = true;
        insertText(sign.args, u"said"_s, text.trimmed());
        sign.isTold = m_lines.at(i).isShown || isOfList(m_lines, i) || isCounted(m_lines, i);
        sign.frame = placeNamedIn(text, sign);
        m_signs.insert(i, sign);
        if (isCauseOfReport) {
            forgetReportAbove(i - 1);
        }
    }
}

} // namespace trainyard::core
