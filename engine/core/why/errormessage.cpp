// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/errormessage.h"

#include "engine/core/why/pythonlines.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestMessage = 1200;
constexpr int mostMessageLines = 12;
constexpr int mostUnindented = 4;
constexpr int linesOfGraph = 600; // from an error of TensorFlow's graph to what it says

// Python writes nothing between a message and the line that links it with the next exception: the last line before
// that, or -1. These lines are of the message, but what they say besides, such as advice, shows no cause.
qsizetype lastBeforeLink(const BlockWords &block, qsizetype line)
{
    constexpr int mostLinked = 60;
    int lines = 0;
    qsizetype last = line;
    for (qsizetype i = block.next(line + 1); i >= 0 && lines < mostLinked; i = block.next(i + 1), ++lines) {
        const QByteArrayView words = *block.at(i);
        if (linkIn(words)) {
            return last;
        }
        last = i;
        if (words.indexOf(tracebackMark) >= 0 || frameIn(words)) {
            return -1;
        }
    }
    return -1;
}

void continueMessage(const BlockWords &block, WhyError &error, qsizetype &last)
{
    // All of it stands below where nothing follows the colon; an exception that has no message has no colon either.
    const std::optional<QByteArrayView> said = block.at(error.line);
    const bool isBare = error.message.isEmpty() && said && said->trimmed().endsWith(':');
    // Before it had a type of its own, what torch raises for a process that it spawned said so behind an empty line.
    const qsizetype below = isBare ? block.next(error.line + 1) : -1;
    if (below > error.line + 1 && block.at(below)->startsWith("-- Process ")) {
        error.message = readWords(*block.at(below)).trimmed();
        return;
    }
    const bool isLong = isBare || countsComplaints(error.message);
    int lines = 0, unindented = error.message.endsWith(u':') ? 1 : isLong ? mostUnindented : 0;
    for (qsizetype i = error.line + 1; i < block.lines().size() && lines < mostMessageLines; ++i) {
        const std::optional<QByteArrayView> words = block.at(i);
        if (!words) {
            continue;
        }
        if (isBlankWords(*words) || words->indexOf(tracebackMark) >= 0 || linkIn(*words) || frameIn(*words)) {
            return;
        }
        if (isMarks(*words) || (isBare && isRuleOfMessage(*words))) {
            continue;
        }
        const bool isIndented = words->startsWith(' ') || words->startsWith('\t');
        if (!isIndented && (unindented-- <= 0 || isQuietLine(*words))) {
            return;
        }
        error.line = isBare && lines == 0 ? i : error.line;
        error.message += (error.message.isEmpty() ? QString() : u"\n"_s) + readWords(*words).trimmed();
        error.message.truncate(longestMessage);
        last = i;
        ++lines;
    }
}

// TensorFlow lists where a node of its graph was made, which looks like a traceback, before it says what failed there.
void readGraphError(const BlockWords &block, WhyError &error, qsizetype &last)
{
    static const QRegularExpression root(u"\\A\\s+\\(0\\) "_s);
    if (!error.message.startsWith("Graph execution error:"_L1)) {
        return;
    }
    bool isBelowNode = false;
    const qsizetype end = std::min<qsizetype>(block.lines().size(), error.line + linesOfGraph);
    for (qsizetype i = error.line + 1; i < end; ++i) {
        const std::optional<QByteArrayView> words = block.at(i);
        if (!words || isBlankWords(*words)) {
            continue;
        }
        if (words->indexOf(tracebackMark) >= 0 || linkIn(*words) || words->trimmed().startsWith("[[{{node ")) {
            return;
        }
        const bool isOfNode = words->startsWith("Detected at node") || words->startsWith("Node: ")
            || words->startsWith("<stack traces unavailable>") || words->trimmed().endsWith("root error(s) found.");
        isBelowNode = isBelowNode || isOfNode;
        const bool isIndented = words->startsWith(' ') || words->startsWith('\t');
        if (isOfNode || (isIndented && isBelowNode && !root.match(readWords(*words)).hasMatch())) {
            last = i;
            continue;
        }
        if (isBelowNode) {
            error.line = last = i;
            error.message = readWords(*words).trimmed().left(longestMessage);
        }
        return;
    }
}

} // namespace

bool countsComplaints(const QString &line)
{
    static const QRegularExpression headline(u"\\A\\d+ validation errors? for \\S+\\z"_s);
    return headline.match(line).hasMatch();
}

qsizetype completeMessage(const BlockWords &block, WhyError &error)
{
    qsizetype last = error.line;
    continueMessage(block, error, last);
    readGraphError(block, error, last);
    return std::max(last, lastBeforeLink(block, last));
}

} // namespace trainyard::core
