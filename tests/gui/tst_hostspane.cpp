// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/hosts/hostspane.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace trainyard;

class TstHostsPane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void menuOfAHost();
    void escapeLeavesTheField();

private:
    std::unique_ptr<HostsPane> m_pane;
};

void TstHostsPane::init()
{
    m_pane = std::make_unique<HostsPane>();
    HostInfo local;
    local.id = QStringLiteral("local");
    local.label = QStringLiteral("ws");
    local.state = HostState::Online;
    HostInfo lab;
    lab.id = QStringLiteral("lab1");
    lab.label = QStringLiteral("lab1");
    lab.target = QStringLiteral("ada@lab1");
    lab.state = HostState::Offline;
    m_pane->setHosts({local, lab});
    m_pane->resize(250, 300);
    m_pane->show();
}

// What is offline can be asked again, also without a mouse.
void TstHostsPane::menuOfAHost()
{
    QSignalSpy checks(m_pane.get(), &HostsPane::checkRequested);
    QSignalSpy removals(m_pane.get(), &HostsPane::removeRequested);
    const QList<HostRow *> rows = m_pane->findChildren<HostRow *>();
    QCOMPARE(rows.size(), 2);
    const auto lab = std::find_if(
        rows.begin(), rows.end(), [](const HostRow *row) { return row->host().id == QLatin1String("lab1"); });
    QVERIFY(lab != rows.end());
    QVERIFY((*lab)->focusPolicy() & Qt::TabFocus);
    const auto choose = [&](int entry) {
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), (*lab)->mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(*lab, &event);
        QPointer<QMenu> menu = m_pane->findChild<QMenu *>(QStringLiteral("hostMenu"));
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().at(entry)->trigger();
        menu->close();
        QTRY_VERIFY(!menu);
    };
    choose(0);
    QCOMPARE(checks.value(0).value(0).toString(), QStringLiteral("lab1"));
    choose(1);
    QCOMPARE(removals.value(0).value(0).toString(), QStringLiteral("lab1"));
}

void TstHostsPane::escapeLeavesTheField()
{
    m_pane->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
    QSignalSpy added(m_pane.get(), &HostsPane::addRequested);
    m_pane->showAdd();
    auto *field = m_pane->findChild<QLineEdit *>();
    QVERIFY(field->isVisible());
    QTest::keyClicks(field, QStringLiteral("ada@la"));
    QTest::keyClick(field, Qt::Key_Escape);
    QTRY_VERIFY(!field->isVisible());
    m_pane->showAdd();
    QCOMPARE(field->text(), QString());
    QCOMPARE(added.count(), 0);
}

TRAINYARD_GUI_TEST(TstHostsPane)
#include "tst_hostspane.moc"
