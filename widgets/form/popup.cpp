// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/popup.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLayout>
#include <QMouseEvent>
#include <QScreen>

#include <algorithm>
#include <utility>

namespace trainyard
{

Popup::Popup(QWidget *parent) : PopupFrame(parent, Qt::Popup | Qt::FramelessWindowHint)
{
    setAttribute(Qt::WA_DeleteOnClose);
}

void Popup::openBelow(QWidget *anchor) { openAt(anchor, anchor->rect()); }

void Popup::openAt(QWidget *anchor, const QRect &part)
{
    adjustSize();
    m_anchor = anchor;
    m_part = part;
    place();
    // Where it stands depends on all that it is in.
    for (QWidget *around = anchor; around; around = around->isWindow() ? nullptr : around->parentWidget()) {
        around->installEventFilter(this);
    }
    show();
}

void Popup::place()
{
    QPoint at = m_anchor->mapToGlobal(QPoint(m_part.left(), m_part.bottom() + 3));
    if (const QScreen *screen = m_anchor->screen()) {
        const QRect area = screen->availableGeometry();
        at.setX(std::clamp(at.x(), area.left(), std::max(area.left(), area.right() - width())));
        if (at.y() + height() > area.bottom()) {
            at.setY(std::max(area.top(), m_anchor->mapToGlobal(m_part.topLeft()).y() - height() - 2));
        }
    }
    move(at);
}

bool Popup::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Move && watched != this && m_anchor && m_anchor->isVisible()) {
        place();
    }
    return PopupFrame::eventFilter(watched, event);
}

void Popup::setTyping(std::function<bool()> hasTyped, std::function<bool()> write)
{
    m_hasTyped = std::move(hasTyped);
    m_write = std::move(write);
}

void Popup::finish()
{
    if (!std::exchange(m_isAnswered, true) && m_write) {
        m_isAnswered = m_write();
    }
}

void Popup::dismiss()
{
    m_isAnswered = true;
    close();
}

void Popup::mousePressEvent(QMouseEvent *event)
{
    if (!rect().contains(event->position().toPoint()) && hasTyped()) {
        event->accept();
        finish();
        return;
    }
    PopupFrame::mousePressEvent(event);
}

// Other popups and some window systems close it without a press beside it.
void Popup::closeEvent(QCloseEvent *event)
{
    if (!m_isAnswered && hasTyped()) {
        finish();
    }
    PopupFrame::closeEvent(event);
}

void Popup::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        dismiss();
        return;
    }
    PopupFrame::keyPressEvent(event);
}

} // namespace trainyard
