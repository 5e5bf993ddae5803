// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formhelp.h"

#include "widgets/editor/helpcard.h"

#include <QCoreApplication>
#include <QMouseEvent>

namespace trainyard
{

FormHelp::FormHelp(QWidget *window) : QObject(window), m_card(new HelpCard(window)) { }

FormHelp *FormHelp::of(QWidget *widget)
{
    QWidget *window = widget->window();
    auto *help = window->findChild<FormHelp *>({}, Qt::FindDirectChildrenOnly);
    return help ? help : new FormHelp(window);
}

void FormHelp::show(QWidget *at, const QRect &place, const QString &html, Asked asked)
{
    m_at = at;
    m_place = place;
    m_asked = asked;
    m_card->showText(html, place, {});
    QCoreApplication::instance()->installEventFilter(this); // once, however often
}

void FormHelp::hide()
{
    QCoreApplication::instance()->removeEventFilter(this);
    m_card->hide();
}

bool FormHelp::eventFilter(QObject *watched, QEvent *event)
{
    if (!m_at || !m_at->isVisible()) {
        hide();
        return QObject::eventFilter(watched, event);
    }
    switch (event->type()) {
    case QEvent::KeyPress: {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const bool isModifier = key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt
            || key == Qt::Key_Meta || key == Qt::Key_AltGr;
        if (!isModifier) {
            hide();
            return key == Qt::Key_Escape;
        }
        break;
    }
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
    case QEvent::WindowDeactivate:
        hide();
        break;
    case QEvent::MouseMove:
        if (m_asked == Asked::ByPointer
            && !m_place.contains(static_cast<QMouseEvent *>(event)->globalPosition().toPoint())) {
            hide();
        }
        break;
    case QEvent::Leave:
        if (m_asked == Asked::ByPointer && watched == m_at) {
            hide();
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard
