// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/unifieddiff.h"

#include "model/base/linediff.h"

#include <algorithm>

namespace trainyard
{
namespace
{

void appendLine(QByteArray &out, char mark, const QByteArray &text, const ByteRange &line)
{
    out += mark;
    out += QByteArrayView(text).sliced(line.begin, line.length());
    if (!out.endsWith('\n')) {
        out += "\n\\ No newline at end of file\n";
    }
}

// "3,7": lines count from 1, and of no lines the one before them is named.
QByteArray shownRange(qsizetype begin, qsizetype end)
{
    const qsizetype count = end - begin;
    const QByteArray first = QByteArray::number(count == 0 ? begin : begin + 1);
    return count == 1 ? first : first + ',' + QByteArray::number(count);
}

} // namespace

QByteArray unifiedDiff(const QByteArray &oldText, const QByteArray &newText, const QByteArray &oldName,
    const QByteArray &newName, qsizetype context)
{
    const LineDiff diff = diffLines(oldText, newText);
    if (diff.changes.isEmpty()) {
        return {};
    }
    QByteArray out = "--- " + oldName + "\n+++ " + newName + '\n';
    const auto appendEqual = [&](qsizetype begin, qsizetype end) {
        for (qsizetype i = begin; i < end; ++i) {
            appendLine(out, ' ', oldText, diff.oldLines.at(i));
        }
    };
    for (qsizetype first = 0; first < diff.changes.size();) {
        // Changes whose surroundings touch are shown together.
        qsizetype last = first;
        while (last + 1 < diff.changes.size()
            && diff.changes.at(last + 1).oldBegin - diff.changes.at(last).oldEnd <= 2 * context) {
            ++last;
        }
        const LineChange &begin = diff.changes.at(first), &end = diff.changes.at(last);
        const qsizetype before = std::min(context, begin.oldBegin);
        const qsizetype after = std::min(context, diff.oldLines.size() - end.oldEnd);
        out += "@@ -" + shownRange(begin.oldBegin - before, end.oldEnd + after) + " +"
            + shownRange(begin.newBegin - before, end.newEnd + after) + " @@\n";
        qsizetype at = begin.oldBegin - before;
        for (; first <= last; ++first) {
            const LineChange &change = diff.changes.at(first);
            appendEqual(at, change.oldBegin);
            for (qsizetype i = change.oldBegin; i < change.oldEnd; ++i) {
                appendLine(out, '-', oldText, diff.oldLines.at(i));
            }
            for (qsizetype i = change.newBegin; i < change.newEnd; ++i) {
                appendLine(out, '+', newText, diff.newLines.at(i));
            }
            at = change.oldEnd;
        }
        appendEqual(at, at + after);
    }
    return out;
}

} // namespace trainyard
