// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglines.h"

#include <optional>

class QKeyEvent;

namespace trainyard
{

class LogScroll;
class LogSelection;

// Selecting in a log with the keys: with Shift, what scrolls otherwise takes the selection along from the current line,
// or from the edge of what is in sight.
class LogKeys
{
public:
    LogKeys(LogLines *lines, LogScroll *scroll, LogSelection *selection)
        : m_lines(lines), m_scroll(scroll), m_selection(selection)
    {
    }
    bool handle(const QKeyEvent *event); // true: it was one to select with

private:
    LogPosition begin(bool isUp) const;
    LogPosition moved(LogPosition from, int key, bool isFar);
    LogPosition inLine(qint64 line);
    LogLines *m_lines;
    LogScroll *m_scroll;
    LogSelection *m_selection;
    LogPosition m_last; // where the keys left it
    qsizetype m_column = 0; // that is wanted in a line that is long enough
};

} // namespace trainyard
