// SPDX-License-Identifier: GPL-3.0-or-later
// How the form of a job shares its room, and follows the focus.
#include "widgets/common/infobar.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formfield.h"
#include "widgets/form/jobform.h"
#include "widgets/form/taborder.h"

#include <QCoreApplication>
#include <QScrollBar>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace trainyard
{

// A scroll area asks for the height that a width needs before what has changed inside has been laid out; when it is,
// the old height would stay, as a gap in a field that can grow.
void JobForm::fitContent()
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const int wanted = std::max(viewport()->height(), m_content->heightForWidth(m_content->width()));
    if (m_content->height() != wanted) {
        m_content->resize(m_content->width(), wanted);
    }
    followFocus();
}

int JobForm::scrolledTo() const
{
    const int value = verticalScrollBar()->value();
    return value > 0 ? value + viewport()->height() : 0;
}

// A new entry, for instance at the end of the form, is scrolled into view as soon as it can be edited.
void JobForm::followFocus()
{
    if (QWidget *widget = std::exchange(m_toFollow, nullptr); widget && widget->hasFocus()) {
        for (QWidget *at = widget; at && at != m_content; at = at->parentWidget()) {
            const auto *field = qobject_cast<FormField *>(at);
            if (QWidget *end = field ? field->end() : nullptr) {
                ensureWidgetVisible(end, 0, metrics::space2);
            }
        }
        ensureWidgetVisible(widget, 0, metrics::space2); // this in any case
    }
}

// Below what scrolls, and above the bar that scrolls it sideways where even the narrowest form has no room.
void JobForm::layOutFoot()
{
    const bool hasBar = m_isFilled && !m_unavailable->isHidden();
    const int bar = hasBar ? std::max(m_unavailable->minimumHeight(), m_unavailable->heightForWidth(width())) : 0;
    setViewportMargins(0, 0, 0, bar + (m_strip->isHidden() ? 0 : metrics::row));
    const int top = viewport()->geometry().bottom() + 1;
    if (hasBar) {
        m_unavailable->setGeometry(0, top, width(), bar);
        m_unavailable->raise();
    }
    m_strip->setGeometry(0, top + bar, width(), metrics::row);
    m_strip->raise();
}

void JobForm::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    layOutFoot();
    fitTabs();
    fitRoleTab();
}

bool JobForm::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_roles && event->type() == QEvent::MouseButtonRelease) {
        // After the tab bar has put the tab where it was released.
        QMetaObject::invokeMethod(this, &JobForm::takeTabOrder, Qt::QueuedConnection);
    }
    if ((watched == m_roles || watched == m_tabs) && event->type() == QEvent::Wheel) {
        event->ignore(); // it scrolls the form, and does not turn the pages that happen to be under the pointer
        return true;
    }
    if (event->type() == QEvent::LayoutRequest && watched == m_unavailable) {
        layOutFoot(); // its words have other breaks
    } else if (event->type() == QEvent::LayoutRequest) {
        m_fit->start();
    }
    return QScrollArea::eventFilter(watched, event);
}

// Through the form as it is seen; from its ends to what stands before and behind it in the window.
bool JobForm::focusNextPrevChild(bool next)
{
    const QList<QWidget *> order = tabOrder(m_content);
    const auto reason = next ? Qt::TabFocusReason : Qt::BacktabFocusReason;
    const qsizetype at = order.indexOf(window()->focusWidget());
    const qsizetype to = at + (next ? 1 : -1);
    if (at >= 0 && to >= 0 && to < order.size()) {
        order.at(to)->setFocus(reason);
        ensureWidgetVisible(order.at(to));
        return true;
    }
    if (at < 0) {
        return QScrollArea::focusNextPrevChild(next);
    }
    const auto after
        = [next](QWidget *widget) { return next ? widget->nextInFocusChain() : widget->previousInFocusChain(); };
    for (QWidget *widget = after(this); widget != this; widget = after(widget)) {
        if (!isAncestorOf(widget) && (widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy()
            && widget->isVisible() && widget->isEnabled() && !widget->isWindow() && widget->window() == window()) {
            widget->setFocus(reason);
            return true;
        }
    }
    return false;
}

} // namespace trainyard
