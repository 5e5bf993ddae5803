// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglines.h"

#include <QRect>
#include <QStringList>

class QAbstractScrollArea;
class QPoint;

namespace trainyard
{

// The text in front of a line: nothing, when it was written, how long after the first line, or how long after the
// one before.
enum class LogTimes { None, Clock, SinceStart, SinceLast };

// A task among several whose lines are shown together.
struct LogPart {
    QString label; // "worker/0"
    int look = 0; // its colour, 0 to 7
    friend bool operator==(const LogPart &, const LogPart &) = default;
};

// The positions of a log's lines in its view: one row each, or several rows for wrapped lines. It reads the lines, and
// the size and the font of the view; it neither draws nor scrolls.
class LogLayout
{
public:
    static constexpr int timeWidth = 118; // at least
    static constexpr int markWidth = 26; // which stream it is, and beside it that the line still changes

    // A line, or the part of a wrapped one.
    struct Row {
        qint64 line = 0;
        qsizetype begin = 0;
        qsizetype end = -1; // -1: to its end
        int y = 0;
    };
    // The row at the upper edge.
    struct Top {
        qint64 line = 0;
        int row = 0; // of a wrapped line
        auto operator<=>(const Top &) const = default;
    };

    LogLayout(const QAbstractScrollArea *view, LogLines *lines) : m_view(view), m_lines(lines) { }
    bool isWrapped() const { return m_wrapped; }
    void setWrapped(bool on) { m_wrapped = on; }
    LogTimes times() const { return m_times; }
    void setTimes(LogTimes times) { m_times = times; }
    bool isNumbered() const { return m_numbered; }
    void setNumbered(bool on) { m_numbered = on; }
    const QList<LogPart> &parts() const { return m_parts; } // none: there is one task only
    void setParts(const QList<LogPart> &parts) { m_parts = parts; }

    qint64 lineCount() const { return m_lines->count(); }
    int rowHeight() const;
    static constexpr int textLeft = 20; // where what is first in the gutter begins, behind the mark of a bookmark
    // In a narrow pane what is in front of a line gives way to its text: the times first, the numbers last.
    int numberWidth() const { return gutter().numbers; } // of the numbers of lines; 0: there are none
    bool showsTimes() const { return gutter().times > 0; }
    int timeLeft() const { return textLeft + numberWidth(); }
    int partLeft() const { return gutter().partLeft(); } // where the names of tasks begin
    int partWidth() const { return gutter().parts; } // of them; 0: there are none
    int gutterWidth() const { return gutter().width(); }
    int rowsInSight() const;
    QRect rectOf(const Row &row) const; // in the viewport
    Top endTop() const; // with the end of the log at the lower edge
    Top moved(Top from, int rows) const; // of a wrapped log; not beyond its ends
    QList<Row> rows(Top top, bool atEnd) const; // in sight
    LogPosition positionAt(const QPoint &point, const QList<Row> &rows, int scrolledLeft) const;

private:
    struct Gutter {
        int numbers = 0, times = 0, parts = 0; // 0: not there
        int partLeft() const;
        int width() const { return partLeft() + parts + markWidth; }
    };
    Gutter gutter() const;
    QList<qsizetype> breaksOf(const QString &text) const; // where the rows of a line begin
    int rowsOf(qint64 line) const { return int(breaksOf(m_lines->text(line)).size()); }
    QList<Row> wrappedRows(Top top, bool atEnd) const;
    const QAbstractScrollArea *m_view;
    LogLines *m_lines;
    LogTimes m_times = LogTimes::Clock;
    QList<LogPart> m_parts;
    bool m_wrapped = false;
    bool m_numbered = false;
};

} // namespace trainyard
