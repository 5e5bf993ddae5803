// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/formgrid.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QTimer>

#include <functional>

// What a user does with the designer's widgets, for its tests.
namespace designertools
{

using namespace trainyard;

// What a user does in a row of a table of edits.
using Act = std::function<void(DesignerPage *)>;

template <typename T> T *find(QWidget *page, const char *name)
{
    T *found = page->findChild<T *>(QLatin1String(name));
    if (!found) {
        qFatal("There is no %s.", name);
    }
    return found;
}

// A widget of the card in use, in a window that shows it.
inline void focus(QWidget *widget)
{
    widget->setFocus();
    QCoreApplication::processEvents();
}

inline void type(QLineEdit *edit, const QString &text)
{
    focus(edit);
    edit->selectAll();
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
}

inline void typeNumber(DesignerPage *page, const char *name, const QString &text)
{
    type(find<QAbstractSpinBox>(page, name)->findChild<QLineEdit *>(), text);
}

inline CodeView *commands(DesignerPage *page)
{
    return find<QWidget>(page, "roleCard")->findChild<CodeView *>(QStringLiteral("commandsText"));
}

// Until nothing of the page is about to happen.
inline void settle(DesignerPage *page)
{
    const auto waiting = [page] {
        const auto timers = page->findChildren<QTimer *>();
        return std::any_of(timers.begin(), timers.end(), [](const QTimer *timer) {
            // That of the shell takes long, and only adds a problem to commands that it cannot read.
            return timer->isSingleShot() && timer->isActive() && timer->objectName() != QLatin1StringView("shellRest");
        });
    };
    QCoreApplication::processEvents();
    QTRY_VERIFY(!waiting());
    QCoreApplication::processEvents();
}

// A new document, in a window that is in use.
inline void showDocument(DesignerPage *page, const QByteArray &bytes, const QString &name)
{
    page->resize(1192, 820);
    page->newDocument(bytes, name);
    page->show();
    page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(page));
    settle(page); // a slow machine reads the text on another thread
}

// Unfolds what a job says beside its name and its roles, by the keyboard.
inline void openMore(DesignerPage *page)
{
    if (auto *line = find<Disclosure>(page, "jobMore"); !line->isOpen()) {
        QTest::keyClick(line, Qt::Key_Space);
        settle(page);
    }
}

// Leaves a field by the keyboard, which commits it.
inline void leave(DesignerPage *page) { focus(find<QLineEdit>(page, "jobName")); }

inline void trigger(QWidget *page, const char *menuName, const QString &text)
{
    QMenu *menu = find<QMenu>(page, menuName);
    for (QAction *action : menu->actions()) {
        if (action->text() == text) {
            action->trigger();
            menu->close();
            return;
        }
    }
    qFatal("%s has no %s.", menuName, qPrintable(text));
}

} // namespace designertools

Q_DECLARE_METATYPE(designertools::Act)
