// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/ownframe.h"

#include "engine/core/why/whydeaths.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

constexpr qsizetype longestFrameLine = 1000;

// "  File "/w/train.py", line 12 in main", as Python's fault handler writes it, the innermost first.
std::optional<WhyFrame> frameOfCrash(const QList<WhyLine> &lines, qsizetype line)
{
    static const QRegularExpression pattern(u"\\A\\s+File \"([^\"]+)\", line (\\d+) in (\\S+)"_s);
    constexpr qsizetype mostFrames = 300;
    bool isCurrent = false;
    for (qsizetype i = line; i < lines.size() && i < line + mostFrames; ++i) {
        const QByteArrayView words = lines.at(i).words;
        isCurrent = !words.isEmpty() && (isCurrent || words.startsWith("Current thread"));
        const QRegularExpressionMatch match
            = isCurrent ? pattern.match(QString::fromUtf8(headOf(words, longestFrameLine))) : QRegularExpressionMatch();
        if (match.hasMatch() && !isLibraryFile(match.captured(1))) {
            return WhyFrame{match.captured(1), match.captured(3), match.captured(2).toInt()};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<WhyFrame> ownFrameOf(const WhySign &sign, const QList<WhyLine> &lines, const QList<PythonBlock> &blocks,
    const WhySigns &signs, qsizetype begin)
{
    constexpr qsizetype nearBlock = 20; // a line that belongs to a traceback stands so near to it
    std::optional<WhyFrame> frame = sign.frame;
    const auto take = [&](const WhyError &error) { frame = frame ? frame : error.own; };
    const auto takeBlock = [&](const PythonBlock &block) {
        for (auto error = block.errors.crbegin(); error != block.errors.crend(); ++error) {
            take(*error);
        }
    };
    if (sign.block >= 0) {
        const PythonBlock &block = blocks.at(sign.block);
        const auto root = std::find_if(
            block.errors.cbegin(), block.errors.cend(), [&](const WhyError &error) { return error.line == sign.line; });
        for (auto error = root; error != block.errors.cend(); ++error) {
            take(*error);
        }
        for (auto error = root; error != block.errors.cbegin();) {
            take(*--error);
        }
    } else if (sign.role == Role::Crash || sign.role == Role::Abort) {
        frame = frame ? frame : frameOfCrash(lines, sign.line);
    }
    const bool isOfProgram = sign.role != Role::Decisive && sign.role != Role::Cancel && sign.role != Role::Crash;
    for (const PythonBlock &block : blocks) {
        // One that reports the error, or that the line belongs to.
        const bool isAfter = block.first > sign.last && (sign.block >= 0 || block.first <= sign.last + nearBlock);
        const bool isBefore = sign.block < 0 && block.last < sign.line && block.last + nearBlock >= sign.line
            && (signs.hasManyProcesses || canBeEndOf(block, lines, sign));
        if (isOfProgram && block.first >= begin && (isAfter || isBefore)
            && block.context != PythonBlock::Context::Ignored) {
            takeBlock(block);
        }
    }
    return frame;
}

} // namespace trainyard::core
