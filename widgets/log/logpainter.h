// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglayout.h"
#include "widgets/log/logrules.h"
#include "widgets/log/logsearch.h"

#include <QSet>

#include <optional>

class QPainter;
class QWidget;

namespace trainyard
{

class LogSelection;

// Draws a log row by row: the text in its colours, what is selected and found, and the gutter before it.
class LogPainter
{
public:
    LogPainter(const QWidget *view, LogLines *lines, const LogLayout *layout, const LogSelection *selection,
        const LogSearch *search)
        : m_view(view), m_lines(lines), m_layout(layout), m_selection(selection), m_search(search)
    {
    }
    void setRules(const LogRules &rules) { m_rules = rules; }
    void setMarked(const QSet<qint64> &lines) { m_marked = lines; } // those with a bookmark
    void setCause(std::optional<qint64> line) { m_cause = line; } // of the end: drawn as an error, whatever the rules
    std::optional<qint64> cause() const { return m_cause; }
    // `textLeft` is where a line begins, `isGrowing` that more may come. Returns how wide the line is.
    int paintRow(QPainter &painter, const LogLayout::Row &row, int textLeft, bool isGrowing) const;

private:
    struct Line;
    class Bands;
    Line lineOf(const QPainter &painter, const LogLayout::Row &row, int textLeft, bool isGrowing) const;
    QRect clipOf(const Line &line, int rowLeft) const;
    QRect selectedPart(const Line &line) const;
    int paintText(QPainter &painter, const Line &line, const QRect &clip, const QRegion &covered) const;
    int paintRuns(QPainter &painter, const Line &line, bool isCovered) const;
    int paintCut(QPainter &painter, const Line &line, int x) const;
    void paintStream(QPainter &painter, const Line &line) const;
    void paintGutter(QPainter &painter, const Line &line) const;
    void paintPart(QPainter &painter, const Line &line) const;
    QString timeText(const Line &line) const;
    const QWidget *m_view;
    LogLines *m_lines;
    const LogLayout *m_layout;
    const LogSelection *m_selection;
    const LogSearch *m_search;
    LogRules m_rules;
    QSet<qint64> m_marked;
    std::optional<qint64> m_cause;
};

} // namespace trainyard
