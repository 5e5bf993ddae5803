// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/hostcleaning.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/guisettings.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/workbench.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/hosts/hostspane.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>

#include <algorithm>

using namespace trainyard;

// Hosts in the window, with a real engine of its own.
class TstWindowHosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void failedHostIsExplained();
    void placeOfARun();
    void hostOutOfReachIsNotRemovedUnasked();
    void unknownHostIsAddedOnlyAnyway();
    void unaskedLoginStealsNoKeys();
    void fullDiskIsSaidAsLongAsItIs();

private:
    WindowFixture m_fixture;
};

void TstWindowHosts::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstWindowHosts::cleanupTestCase() { WindowFixture::stopEngine(); }

// Nobody finds what went wrong in a tool tip.
void TstWindowHosts::failedHostIsExplained()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("addHost")->trigger();
    auto *pane = window->findChild<HostsPane *>();
    auto *address = pane->findChild<QLineEdit *>();
    QTRY_VERIFY(address->isVisible());
    QTest::keyClicks(address, QStringLiteral("nobody@127.0.0.1:1"));
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window->bar()->isVisible(), 20'000);
    QVERIFY2(window->bar()->kind() == InfoBar::Kind::Failed && !window->bar()->text().isEmpty(),
        qPrintable(window->bar()->text()));
    auto *again = window->bar()->findChild<QPushButton *>(QStringLiteral("hostAgain"));
    QVERIFY(again);
    again->click();
    QVERIFY(window->bar()->isHidden());
    QTRY_VERIFY_WITH_TIMEOUT(window->bar()->isVisible(), 20'000);
    // A second host does not move the jobs of somebody who never chose where they run.
    const auto *target = window->findChild<QComboBox *>(QStringLiteral("target"));
    QTRY_COMPARE(target->count(), 3);
    QCOMPARE(target->currentText(), QStringLiteral("This computer"));
    const QString id = pane->hosts().last().id;
    Q_EMIT pane->removeRequested(id);
    QTRY_COMPARE_WITH_TIMEOUT(pane->hosts().size(), 1, 10'000);
}

// What is there, its labels and its limits would be gone with one click. A name that was mistyped has nothing to lose.
void TstWindowHosts::hostOutOfReachIsNotRemovedUnasked()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    auto *cleaning = window->findChild<HostCleaning *>();
    QVERIFY(cleaning);
    HostInfo host;
    host.id = host.label = QStringLiteral("lab1");
    host.state = HostState::Offline;
    host.cpus = 8;
    int removed = 0;
    const auto answer = [&](QMessageBox::StandardButton button) {
        cleaning->askBeforeRemoval(host, [&removed] { ++removed; });
        auto *box = window->findChild<QMessageBox *>(QStringLiteral("hostRemoveBox"));
        if (!box || !box->isVisible()) {
            return false;
        }
        box->button(button)->click();
        delete box;
        return true;
    };
    QVERIFY(answer(QMessageBox::Cancel));
    QCOMPARE(removed, 0);
    QVERIFY(answer(QMessageBox::Yes));
    QCOMPARE(removed, 1);
    host.cpus = 0;
    QVERIFY(!answer(QMessageBox::Yes));
    QCOMPARE(removed, 2);
}

// Where its tasks are, and until they are anywhere, where it was sent.
void TstWindowHosts::placeOfARun()
{
    const auto host = [](const char *id, const char *label, const char *target) {
        HostInfo info;
        info.id = QLatin1String(id);
        info.label = QLatin1String(label);
        info.target = QLatin1String(target);
        info.state = HostState::Online;
        return info;
    };
    GuiSettings settings;
    TargetBox box(&settings);
    box.setHosts({host("local", "desk", ""), host("lab", "gpu-lab", "ada@lab")});
    const QString chosen = box.target();
    JobSummary job;
    job.id = 7;
    job.uuid = QStringLiteral("uuid-7");
    job.target = QStringLiteral("pool");
    const auto shown = [&](const QStringList &hosts, const QString &wanted) {
        job.hosts = hosts;
        box.setRun(&job, wanted);
        return box.currentText();
    };
    QCOMPARE(shown({}, QStringLiteral("lab")), QStringLiteral("gpu-lab")); // it waits for it
    QVERIFY2(box.toolTip().contains(QStringLiteral("gpu-lab")), qPrintable(box.toolTip()));
    QCOMPARE(shown({QStringLiteral("lab")}, QStringLiteral("lab")), QStringLiteral("gpu-lab"));
    QCOMPARE(shown({QStringLiteral("lab")}, QStringLiteral("any")), QStringLiteral("gpu-lab"));
    QCOMPARE(shown({}, QStringLiteral("any")), QStringLiteral("Any host"));
    QCOMPARE(shown({}, QStringLiteral("local")), QStringLiteral("This computer"));
    QCOMPARE(shown({QStringLiteral("local"), QStringLiteral("lab")}, QStringLiteral("any")),
        QStringLiteral("This computer, gpu-lab"));
    QCOMPARE(shown({}, {}), QStringLiteral("…")); // nothing is known of it yet
    QCOMPARE(box.target(), chosen);
    QVERIFY(!box.isEnabled());
    box.setRun(nullptr);
    QCOMPARE(box.currentData().toString(), chosen);
}

// A name that is mistyped becomes no host by itself, and Return does not make it one either.
void TstWindowHosts::unknownHostIsAddedOnlyAnyway()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    auto *hosts = window->findChild<HostController *>();
    int looks = 0;
    hosts->setLookup([&looks](const QString &target, QObject *context, const auto &then) {
        ++looks;
        const QString unknown = target.contains(u"nowhere") ? QStringLiteral("nowhere.invalid") : QString();
        QMetaObject::invokeMethod(
            context, [then, unknown] { then(unknown); }, Qt::QueuedConnection);
    });
    window->action("addHost")->trigger();
    auto *pane = window->findChild<HostsPane *>();
    auto *address = pane->findChild<QLineEdit *>();
    auto *anyway = pane->findChild<QPushButton *>(QStringLiteral("hostAddAnyway"));
    QTRY_VERIFY(address->isVisible());
    QVERIFY(anyway && !anyway->isVisible());
    QTest::keyClicks(address, QStringLiteral("ada@nowhere.invalid"));
    for (int times = 1; times <= 2; ++times) {
        QTest::keyClick(address, Qt::Key_Return);
        QTRY_VERIFY(looks == times && address->isEnabled());
        QVERIFY(anyway->isVisible());
        QCOMPARE(window->client()->hosts().size(), 1);
    }
    const auto labels = pane->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->isVisible() && label->text().contains(QStringLiteral("nowhere.invalid"));
    }));
    QTest::keyClicks(address, QStringLiteral("x")); // it is about another name
    QVERIFY(!anyway->isVisible());
    QTest::keyClick(address, Qt::Key_Backspace);
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_VERIFY(anyway->isVisible());
    anyway->click();
    QTRY_COMPARE_WITH_TIMEOUT(pane->hosts().size(), 2, 10'000);
    QCOMPARE(looks, 3);
    QTRY_VERIFY(!address->isVisible());
    Q_EMIT pane->removeRequested(pane->hosts().last().id);
    QTRY_COMPARE_WITH_TIMEOUT(pane->hosts().size(), 1, 10'000);
}

// A job needs a host that waits for a login: its user may be typing something else at that moment.
void TstWindowHosts::unaskedLoginStealsNoKeys()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    Question asked;
    asked.id = QStringLiteral("q1");
    asked.host = QStringLiteral("lab1");
    asked.kind = QStringLiteral("passphrase");
    asked.prompt = QStringLiteral("Enter passphrase for key '/k/id':");
    const auto dialog = [&window] { return window->findChild<QDialog *>(QStringLiteral("questionDialog")); };
    Q_EMIT window->client()->question(asked);
    QVERIFY(!dialog());
    QVERIFY(window->bar()->isVisible());
    QVERIFY2(window->bar()->text().contains(QStringLiteral("To log in to lab1")), qPrintable(window->bar()->text()));
    Q_EMIT window->client()->questionGone(asked.id); // somebody has answered on a terminal
    QVERIFY(window->bar()->isHidden());
    Q_EMIT window->client()->question(asked);
    auto *login = window->bar()->findChild<QPushButton *>(QStringLiteral("hostLogin"));
    QVERIFY(login);
    login->click();
    QTRY_VERIFY(dialog() && dialog()->isVisible());
    Q_EMIT window->client()->questionGone(asked.id);
    QTRY_VERIFY(!dialog());
    // Two hosts are offered one after the other, and what else the window says takes no offer away.
    QTRY_VERIFY(window->bar()->isVisible() && window->bar()->text().contains(u"lab1")); // the engine knows no such host
    window->bar()->hide();
    for (const auto *host : {"lab2", "lab3"}) {
        asked.id = asked.host = QString::fromLatin1(host);
        Q_EMIT window->client()->question(asked);
    }
    auto *bench = window->findChild<Workbench *>();
    bench->say(QStringLiteral("something else"));
    QCOMPARE(window->bar()->text(), QStringLiteral("something else"));
    const auto offer = [&window] {
        const auto buttons = window->findChildren<QPushButton *>(QStringLiteral("hostLogin"));
        const auto it = std::find_if(
            buttons.cbegin(), buttons.cend(), [](const QPushButton *button) { return button->isVisible(); });
        return it == buttons.cend() ? QString() : (*it)->parentWidget()->accessibleName();
    };
    QVERIFY2(offer().startsWith(u"To log in to lab2"), qPrintable(offer()));
    bench->hideBars(bench->front()); // as whoever submits a job does
    QVERIFY2(offer().startsWith(u"To log in to lab2"), qPrintable(offer()));
    Q_EMIT window->client()->questionGone(QStringLiteral("lab2"));
    QVERIFY2(offer().startsWith(u"To log in to lab3"), qPrintable(offer()));
    Q_EMIT window->client()->questionGone(QStringLiteral("lab3"));
    QCOMPARE(offer(), QString());
    QVERIFY(window->bar()->isHidden());
    // The login that could not begin is over: its host does not take the keyboard later.
    asked.host = QStringLiteral("lab1");
    Q_EMIT window->client()->question(asked);
    QVERIFY(!dialog());
    QVERIFY(window->bar()->isVisible());
    Q_EMIT window->client()->questionGone(asked.id);
    window->close();
}

// What is said of a disk goes when the disk has room again, and with its host.
void TstWindowHosts::fullDiskIsSaidAsLongAsItIs()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const auto warnBelow = [&window](int mebibytes) {
        window->client()->call<api::SetSetting>(
            {QStringLiteral("disk.warnMiB"), mebibytes}, window.get(), [](const Result<bool> &done) { QVERIFY(done); });
    };
    const auto isSaid = [&window] {
        return window->bar()->isVisible() && window->bar()->text().contains(u"for the output of tasks");
    };
    warnBelow(1'000'000'000);
    QTRY_VERIFY_WITH_TIMEOUT(isSaid(), 15'000);
    warnBelow(0);
    QTRY_VERIFY_WITH_TIMEOUT(!isSaid(), 15'000);
    warnBelow(1'000'000'000);
    QTRY_VERIFY_WITH_TIMEOUT(isSaid(), 15'000);
    Q_EMIT window->client()->hostRemoved(QStringLiteral("local"));
    QVERIFY(!isSaid());
    warnBelow(0);
    QTRY_VERIFY_WITH_TIMEOUT(!window->client()->hosts().constFirst().diskLow, 15'000);
    window->close();
}

TRAINYARD_GUI_TEST(TstWindowHosts)
#include "tst_windowhosts.moc"
