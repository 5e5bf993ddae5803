// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/hitstrip.h"

#include "widgets/common/style.h"
#include "widgets/log/loghits.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace trainyard
{

HitStrip::HitStrip(const LogHits *hits, QWidget *parent) : QWidget(parent), m_hits(hits)
{
    setObjectName(QStringLiteral("hitStrip"));
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_NoMousePropagation);
}

void HitStrip::setHits(qint64 lineCount, qint64 currentLine)
{
    m_lineCount = lineCount;
    m_currentLine = currentLine;
    m_rows.reset();
    update();
}

void HitStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(Colour::Surface, this));
    if (!m_rows || m_rowsFor != height()) {
        m_rowsFor = height();
        m_rows = m_hits->marks(height() - 2, m_lineCount);
    }
    for (const int row : std::as_const(*m_rows)) {
        painter.fillRect(1, row, width() - 2, 2, colour(Colour::CurrentHit, this));
    }
    if (m_currentLine >= 0 && m_lineCount > 0) {
        painter.fillRect(
            0, int(m_currentLine * (height() - 2) / m_lineCount), width(), 3, colour(Colour::Failed, this));
    }
}

void HitStrip::mousePressEvent(QMouseEvent *event)
{
    Q_EMIT lineChosen(qint64(event->position().y()) * m_lineCount / std::max(1, height()));
}

} // namespace trainyard
