// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/fortranerrors.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestRow = 400;

// Below the error of a program that the compiler of Intel built: "Image  PC  Routine  Line  Source", and a row for each
// frame. Only those of the program itself have a line.
std::optional<OtherStack> tableOfIntel(const QList<WhyLine> &lines, qsizetype index)
{
    constexpr qsizetype rows = 60;
    static const QRegularExpression head(u"\\AImage\\s+PC\\s+Routine\\s+Line\\s+Source"_s);
    static const QRegularExpression row(u"\\A\\S+\\s+[0-9A-Fa-f]{8,}\\s+(\\S+)\\s+(\\d+|Unknown)\\s+(\\S+)"_s);
    const auto textAt = [&](qsizetype i) { return QString::fromUtf8(headOf(lines.at(i).words, longestRow)); };
    if (index < 0 || !lines.at(index).words.startsWith("Image ") || !head.match(textAt(index)).hasMatch()) {
        return std::nullopt;
    }
    OtherStack table;
    table.first = table.last = index;
    for (qsizetype i = index + 1; i < lines.size() && i <= index + rows; ++i) {
        if (lines.at(i).stream != lines.at(index).stream) {
            continue;
        }
        const QRegularExpressionMatch match = row.match(textAt(i));
        if (!match.hasMatch()) {
            break;
        }
        table.last = i;
        if (!table.own && match.captured(2) != "Unknown"_L1) {
            table.own = WhyFrame{match.captured(3), match.captured(1), match.captured(2).toInt()};
        }
    }
    return table;
}

} // namespace

std::optional<OtherStack> fortranErrorAt(const QList<WhyLine> &lines, qsizetype index)
{
    constexpr qsizetype longestWords = 1000;
    constexpr QByteArrayView type = "Fortran runtime error";
    if (const std::optional<OtherStack> table = tableOfIntel(lines, index)) {
        return table;
    }
    static const QRegularExpression place(u"\\AAt line (\\d+) of file (\\S+)"_s);
    if (index < 0 || !lines.at(index).words.startsWith(type)
        || !lines.at(index).words.sliced(type.size()).startsWith(": ")) {
        return std::nullopt;
    }
    OtherStack error;
    error.first = error.last = error.line = index;
    error.type = QString::fromUtf8(type);
    error.message = QString::fromUtf8(headOf(lines.at(index).words.sliced(type.size() + 2), longestWords)).trimmed();
    error.isUncaught = true;
    // The backtrace: "Error termination. Backtrace:", "#0  0x7f54f4e218c2 in ???".
    const auto isOfTrace = [&](QByteArrayView words) {
        return words.isEmpty() || words.startsWith("Error termination") || words.startsWith('#')
            || words.startsWith('\t');
    };
    while (error.last + 1 < lines.size() && isOfTrace(lines.at(error.last + 1).words)) {
        ++error.last;
    }
    if (index > 0 && lines.at(index - 1).stream == lines.at(index).stream) {
        const QRegularExpressionMatch above
            = place.match(QString::fromUtf8(headOf(lines.at(index - 1).words, longestWords)));
        if (above.hasMatch()) {
            error.own = WhyFrame{above.captured(2), {}, above.captured(1).toInt()};
        }
    }
    return error;
}

} // namespace trainyard::core
