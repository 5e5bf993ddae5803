// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logreturn.h"

#include "widgets/log/logview.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace trainyard
{

LogReturn::LogReturn(LogView *view) : QObject(view), m_view(view)
{
    connect(view, &LogView::sizeChanged, this, &LogReturn::bringBack);
    connect(view, &LogView::completed, this, [this] { m_isPending = false; }); // there is nothing later
    connect(view, &LogView::followingChanged, this, [this](bool on) {
        if (on) {
            forget();
        }
    });
    connect(view, &LogView::currentLineChanged, this, [this] {
        if (!m_isOwn && m_view->currentLine()) {
            m_isPending = false; // the user has gone to another line since
        }
    });
}

void LogReturn::keep(const std::optional<qint64> &line)
{
    const bool isWhereItWasLeft = m_view->lineCount() == 0 || m_shownTop == m_view->topLine();
    if (line) {
        m_time = m_view->timeOf(*line);
        m_text = m_view->lineText(*line);
        m_isMarked = true;
    } else if (m_view->isFollowing()) {
        m_time.reset();
    } else if (!m_time || !isWhereItWasLeft) {
        m_time = m_view->timeOf(m_view->topLine());
        m_isMarked = false;
    }
    m_isPending = m_time.has_value();
    m_shownTop.reset();
}

void LogReturn::forget()
{
    m_time.reset();
    m_isPending = false;
}

// The line with the same text among those that were written at that moment, or else the first one.
LogReturn::Same LogReturn::sameLine(qint64 first) const
{
    constexpr qint64 mostLines = 1000; // of one write of a program
    const qint64 end = std::min(m_view->lineCount(), first + mostLines);
    for (qint64 line = first; line < end; ++line) {
        const std::optional<qint64> time = m_view->timeOf(line);
        if (time && time != m_time) {
            return {first};
        }
        if (time && m_view->lineText(line) == m_text) { // one without a time is between groups of hits
            return {line};
        }
    }
    return {first, end < m_view->lineCount()};
}

void LogReturn::bringBack()
{
    const qint64 count = m_view->lineCount();
    if (!m_isPending || count == 0) {
        return;
    }
    if (m_shownTop && m_shownTop != m_view->topLine()) {
        forget(); // the user has scrolled since
        return;
    }
    const qint64 first = m_view->lineAtTime(*m_time);
    const Same same = first >= 0 && m_isMarked ? sameLine(first) : Same{first};
    m_isPending = first < 0 || !same.isSure;
    const qint64 line = same.line;
    if (line >= 0) {
        const bool isThere = m_isMarked && m_view->timeOf(line) == m_time && m_view->lineText(line) == m_text;
        m_view->continueSearch(line, isThere);
    }
    if (line >= 0 && m_isMarked) {
        const QScopedValueRollback<bool> own(m_isOwn, true);
        m_view->markLine(line);
    } else {
        m_view->showLine(line >= 0 ? line : count - 1); // as far as it is read, or all that there is
    }
    m_shownTop = m_view->topLine();
}

} // namespace trainyard
