// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/menukeys.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>
#include <QShortcut>
#include <QTimer>

namespace trainyard
{
namespace
{

class WindowKeys final : public QObject
{
public:
    WindowKeys(QMenu *menu, const QWidget *widget) : QObject(menu), m_menu(menu), m_window(widget->window())
    {
        menu->installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::KeyPress) {
            if (QAction *action = actionOf(static_cast<QKeyEvent *>(event))) {
                m_menu->close();
                // When the menu is gone: what the action does may open another one.
                QTimer::singleShot(0, action, &QAction::trigger);
                return true;
            }
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QAction *actionOf(const QKeyEvent *key) const
    {
        const bool isFunctionKey = key->key() >= Qt::Key_F1 && key->key() <= Qt::Key_F35;
        if (!m_window || !(isFunctionKey || (key->modifiers() & Qt::ControlModifier))) {
            return nullptr; // the menu is steered by the others
        }
        const QKeySequence pressed(QKeyCombination(key->modifiers() & ~Qt::KeypadModifier, Qt::Key(key->key())));
        const QList<QAction *> actions = m_window->actions();
        for (QAction *action : actions) {
            if (action->isEnabled() && action->shortcuts().contains(pressed)) {
                return action;
            }
        }
        return nullptr;
    }

    QMenu *m_menu;
    QPointer<QWidget> m_window;
};

} // namespace

void popUpAlone(QMenu *menu, const QWidget *widget, const QPoint &at)
{
    if (auto *open = qobject_cast<QMenu *>(QApplication::activePopupWidget())) {
        open->close();
    }
    new WindowKeys(menu, widget);
    menu->popup(at);
}

void onMenuKey(QAbstractItemView *view, const std::function<void(const QPoint &at)> &show)
{
    for (const QKeySequence &key : {QKeySequence(Qt::Key_Menu), QKeySequence(Qt::SHIFT | Qt::Key_F10)}) {
        auto *menuKey = new QShortcut(key, view);
        menuKey->setContext(Qt::WidgetShortcut);
        QObject::connect(menuKey, &QShortcut::activated, view,
            [view, show] { show(view->visualRect(view->currentIndex()).center()); });
    }
}

} // namespace trainyard
