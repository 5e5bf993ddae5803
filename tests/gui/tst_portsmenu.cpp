// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/portsmenu.h"
#include "widgets/tasks/taskspane.h"

#include <QInputDialog>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The menu of the ports of a task.
class TstPortsMenu : public QObject
{
    Q_OBJECT

    static TaskInfo task(int index, State state)
    {
        TaskInfo task;
        task.role = u"w"_s;
        task.index = index;
        task.state = state;
        task.host = u"far"_s;
        return task;
    }
    static OfferedPort offered(int port, int localPort, const QString &program = {}, const QString &label = {})
    {
        OfferedPort one;
        one.port.role = u"w"_s;
        one.port.host = u"far"_s;
        one.port.port = port;
        one.port.localPort = localPort;
        one.port.label = label;
        one.served.program = program;
        one.served.port = program.isEmpty() ? 0 : port;
        return one;
    }
    static QMenu *menuOf(const TasksPane &pane) { return pane.findChild<QToolButton *>(u"tasksPorts"_s)->menu(); }
    static QStringList textsOf(const QMenu *menu)
    {
        QStringList texts;
        const QList<QAction *> actions = menu->actions();
        for (const QAction *action : actions) {
            if (!action->isSeparator()) {
                texts.append(action->text());
            }
        }
        return texts;
    }
    static QAction *entry(const QMenu *menu, const QString &text)
    {
        const QList<QAction *> actions = menu->actions();
        const auto it = std::find_if(
            actions.cbegin(), actions.cend(), [&text](const QAction *one) { return one->text().startsWith(text); });
        return it == actions.cend() ? nullptr : *it;
    }

private Q_SLOTS:
    void asksWhenItIsOpened()
    {
        TasksPane pane;
        pane.resize(900, 300);
        pane.show();
        QMenu *menu = menuOf(pane);
        QSignalSpy wanted(pane.ports(), &PortsMenu::portsWanted);
        Q_EMIT menu->aboutToShow();
        QCOMPARE(textsOf(menu), QStringList{u"No task is chosen."_s});
        pane.setTasks({task(0, State::Running), task(1, State::Succeeded)});
        pane.setCurrentTask(u"w"_s, 1);
        Q_EMIT menu->aboutToShow();
        QCOMPARE(textsOf(menu), QStringList{u"w/1 is not running."_s});
        QCOMPARE(wanted.size(), 0);
        pane.setCurrentTask(u"w"_s, 0);
        Q_EMIT menu->aboutToShow();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().value<TaskInfo>().index, 0);
        QVERIFY(!menu->actions().constFirst()->isEnabled());
        // What comes for another task is too late.
        pane.ports()->setPorts(task(1, State::Running), {offered(8000, 0)});
        QVERIFY(textsOf(menu).constFirst().startsWith(u"Looking for ports"_s));
        pane.ports()->setProblem(task(0, State::Running), u"The engine is not running."_s);
        QCOMPARE(textsOf(menu), QStringList{u"The engine is not running."_s});
        pane.ports()->setPorts(task(0, State::Running), {});
        QCOMPARE(textsOf(menu).size(), 2);
        QVERIFY(entry(menu, u"The job has no ports"_s) && entry(menu, u"Another port"_s));
    }

    void showsAndOpens()
    {
        TasksPane pane;
        pane.resize(900, 300);
        pane.show();
        pane.setTasks({task(0, State::Running)});
        QMenu *menu = menuOf(pane);
        Q_EMIT menu->aboutToShow();
        OfferedPort here = offered(8080, 0, {}, u"a & b"_s);
        here.port.isHere = true;
        pane.ports()->setPorts(task(0, State::Running),
            {offered(6006, 6007, u"TensorBoard"_s), offered(15003, 0, {}, u"http"_s), offered(9000, 0), here});
        QCOMPARE(textsOf(menu),
            (QStringList{u"TensorBoard: 6006, at 127.0.0.1:6007"_s, u"http: 15003, not forwarded"_s,
                u"Port 9000, not forwarded"_s, u"a && b: 8080, on this computer"_s, u"Another port…"_s}));
        QSignalSpy opened(pane.ports(), &PortsMenu::openRequested);
        QSignalSpy copied(pane.ports(), &PortsMenu::copyRequested);
        QSignalSpy stopped(pane.ports(), &PortsMenu::stopRequested);
        const QMenu *board = entry(menu, u"TensorBoard"_s)->menu();
        entry(board, u"Open in the browser"_s)->trigger();
        entry(board, u"Copy address"_s)->trigger();
        QVERIFY(entry(board, u"Stop forwarding"_s)->isEnabled());
        entry(board, u"Stop forwarding"_s)->trigger();
        for (const QSignalSpy *spy : {&opened, &copied, &stopped}) {
            QCOMPARE(spy->size(), 1);
            QCOMPARE(spy->first().first().value<OfferedPort>().address(), u"http://127.0.0.1:6007/"_s);
        }
        for (const QString &text : {u"http"_s, u"a && b"_s}) {
            const QAction *stop = entry(entry(menu, text)->menu(), u"Stop forwarding"_s);
            QVERIFY(!stop->isEnabled() && !stop->toolTip().isEmpty());
        }
        // Any other number.
        entry(menu, u"Another port"_s)->trigger();
        auto *dialog = pane.findChild<QInputDialog *>(u"portDialog"_s);
        QVERIFY(dialog);
        dialog->setIntValue(12345);
        dialog->accept();
        QCOMPARE(opened.size(), 2);
        const auto other = opened.last().first().value<OfferedPort>();
        QCOMPARE(other.port.port, 12345);
        QCOMPARE(other.port.host, u"far"_s);
        QVERIFY(other.address().isEmpty());
    }
};

TRAINYARD_GUI_TEST(TstPortsMenu)
#include "tst_portsmenu.moc"
