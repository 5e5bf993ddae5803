// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logreturn.h"

#include "widgets/log/logview.h"

#include <QScopedValueRollback>

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
            m_isPending = false; // somebody has gone to another line since
        }
    });
}

void LogReturn::keep(const std::optional<qint64> &line)
{
    const bool isWhereItWasLeft = m_view->lineCount() == 0 || m_shownTop == m_view->topLine();
    if (line) {
        m_time = m_view->timeOf(*line);
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

void LogReturn::bringBack()
{
    const qint64 count = m_view->lineCount();
    if (!m_isPending || count == 0) {
        return;
    }
    if (m_shownTop && m_shownTop != m_view->topLine()) {
        forget(); // somebody has scrolled since
        return;
    }
    const qint64 line = m_view->lineAtTime(*m_time);
    m_isPending = line < 0;
    if (line >= 0 && m_isMarked) {
        const QScopedValueRollback<bool> own(m_isOwn, true);
        m_view->markLine(line);
    } else {
        m_view->showLine(line >= 0 ? line : count - 1); // as far as it is read, or all that there is
    }
    m_shownTop = m_view->topLine();
}

} // namespace trainyard
