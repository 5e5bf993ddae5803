// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/trysteps.h"

#include <algorithm>
#include <optional>

namespace trainyard
{

namespace
{

// Goes through the lines of an output as far as steps have printed them.
class PrintedLines
{
public:
    explicit PrintedLines(QByteArrayView output) : m_output(output) { }

    // The number of the next line that shows this, and the lines up to it are passed; or nothing.
    std::optional<qint64> take(QByteArrayView printed)
    {
        // A secret that was held back may change the order, and what a step does not end stands in a line of others.
        constexpr int linesAhead = 8;
        qsizetype begin = m_begin;
        for (int i = 0; i < linesAhead && begin < m_output.size(); ++i) {
            const qsizetype newline = m_output.indexOf('\n', begin);
            const qsizetype end = newline < 0 ? m_output.size() : newline;
            if (shownIn(m_output.sliced(begin, end - begin)) == printed) {
                m_begin = std::min(end + 1, m_output.size());
                m_number += i + 1;
                return m_number;
            }
            begin = end + 1;
        }
        return std::nullopt;
    }

private:
    // As the runtime log has it: without what a terminal would not show.
    static QByteArrayView shownIn(QByteArrayView line)
    {
        const QByteArrayView text = line.endsWith('\r') ? line.chopped(1) : line;
        return text.sliced(text.lastIndexOf('\r') + 1);
    }

    QByteArrayView m_output;
    qsizetype m_begin = 0;
    qint64 m_number = 0; // of the line before
};

} // namespace

core::StepLines stepLinesIn(QByteArrayView output, const QList<launch::PrintedStep> &steps)
{
    using End = launch::PrintedStep::End;
    core::StepLines found;
    PrintedLines lines(output);
    for (const launch::PrintedStep &step : steps) {
        for (const QByteArrayView &printed : step.lines) {
            const std::optional<qint64> number = lines.take(printed);
            if (number && step.end == End::Ignored) {
                found.ignored.append(*number);
            }
            if (number && (step.end == End::Ignored || step.end == End::Good)) {
                found.last = *number;
            }
        }
    }
    return found;
}

QByteArray withoutLines(const QByteArray &text, const QList<qint64> &numbers)
{
    QByteArray rest = text;
    qint64 number = 1;
    qsizetype begin = 0;
    for (const qint64 wanted : numbers) {
        for (; number < wanted; ++number) {
            const qsizetype newline = rest.indexOf('\n', begin);
            if (newline < 0) {
                return rest;
            }
            begin = newline + 1;
        }
        const qsizetype newline = rest.indexOf('\n', begin);
        std::fill(rest.begin() + begin, newline < 0 ? rest.end() : rest.begin() + newline, ' ');
    }
    return rest;
}

} // namespace trainyard
