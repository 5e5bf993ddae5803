// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/buttonkeys.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QPointer>

namespace trainyard
{
namespace
{

class ReturnPresses final : public QObject
{
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::KeyPress) {
            return false;
        }
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        auto *button = qobject_cast<QAbstractButton *>(watched);
        if (!isReturn || (key->modifiers() & ~Qt::KeypadModifier) || !button
            || qobject_cast<QDialog *>(button->window())) {
            return false;
        }
        if (!key->isAutoRepeat()) {
            button->click();
        }
        return true;
    }
};

class DoubleClickPressesOnce final : public QObject
{
public:
    using QObject::QObject;
    bool eventFilter(QObject *, QEvent *event) override { return event->type() == QEvent::MouseButtonDblClick; }
};

} // namespace

void pressByReturn(QAbstractButton *button)
{
    static QPointer<ReturnPresses> presses; // of the application that there is now
    if (!presses) {
        presses = new ReturnPresses(qApp);
    }
    button->installEventFilter(presses); // a second time changes nothing
}

void pressOnceByDoubleClick(QAbstractButton *button) { button->installEventFilter(new DoubleClickPressesOnce(button)); }

} // namespace trainyard
