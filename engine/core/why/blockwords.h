// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/pythonblocks.h"

namespace trainyard::core
{

inline constexpr int linesOfOtherProcesses = 2000; // between two lines of one traceback

// The lines of one traceback without what stands before each of them. Other processes write between them.
class BlockWords
{
public:
    explicit BlockWords(const QList<WhyLine> &lines) : m_lines(lines) { }
    // The traceback that begins there, with its head or, where the output lacks that, with a frame.
    void begin(qsizetype index, bool isHeadless);

    // The words of a line; nothing where another process wrote it.
    std::optional<QByteArrayView> at(qsizetype index) const;
    qsizetype next(qsizetype from) const; // index of the next line that is not blank, or -1
    // A frame whose parts stand in several lines: rich breaks long paths where its box ends, and IPython before its
    // version 8 names the line only by an arrow below.
    std::optional<WhyFrame> frameAt(qsizetype index) const;

    const QList<WhyLine> &lines() const { return m_lines; } // of all processes
    QByteArrayView stream() const { return m_stream; }
    QByteArrayView literal() const { return m_literal; } // what stands before each line
    bool isGroup() const { return m_isGroup; }

private:
    const QList<WhyLine> &m_lines;
    QByteArrayView m_stream, m_literal;
    bool m_isGroup = false;
};

} // namespace trainyard::core
