// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/meters.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/tokens.h"
#include "widgets/hosts/clusterspane.h"
#include "widgets/hosts/hostlabels.h"
#include "widgets/hosts/hostrow.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QDateTime>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace trainyard;

class TstHostsPane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void offlineIsNoWaiting();
    void offlineSaysWhenItWasSeen();
    void menuOfAHost();
    void clustersStandBelowTheHosts();
    void focusComesBackToTheField();
    void escapeLeavesTheField();
    void theNewHostHasTheKeyboard();
    void wholeTroubleInADock();
    void pressedWhatIsTheMatter();
    void rowsStay();
    void labelsAreToldApart();
    void cellsDifferByUse();

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

// A GPU that no job gets does not look free, and is not counted as free.
void TstHostsPane::cellsDifferByUse()
{
    QList<GpuInfo> gpus(6);
    gpus[1].jobId = 3;
    gpus[2].foreign = true;
    gpus[3].kept = QStringLiteral("held");
    gpus[4].kept = QStringLiteral("hours");
    gpus[5].kept = QStringLiteral("lost");
    QList<QImage> images;
    for (const GpuInfo &gpu : std::as_const(gpus)) {
        GpuCells cells;
        cells.setGpus({gpu});
        cells.resize(cells.sizeHint());
        images.append(cells.grab().toImage());
    }
    QCOMPARE(images.at(3), images.at(2)); // somebody else's both
    for (const auto &[a, b] : {std::pair(0, 1), {0, 2}, {0, 4}, {0, 5}, {1, 2}, {2, 4}, {2, 5}, {4, 5}}) {
        QVERIFY2(images.at(a) != images.at(b), qPrintable(QStringLiteral("%1 %2").arg(a).arg(b)));
    }
    HostInfo host = m_pane->hosts().first();
    host.gpus = gpus;
    m_pane->setHosts({host});
    const QList<HostRow *> rows = m_pane->findChildren<HostRow *>();
    QVERIFY2(
        rows.first()->accessibleName().endsWith(QStringLiteral("5/6")), qPrintable(rows.first()->accessibleName()));
    QVERIFY2(rows.first()->toolTip().contains(QStringLiteral(", another engine\n"))
            && rows.first()->toolTip().contains(QStringLiteral(", kept for you\n")),
        qPrintable(rows.first()->toolTip()));
}

void TstHostsPane::offlineSaysWhenItWasSeen()
{
    HostInfo host;
    host.state = HostState::Offline;
    QCOMPARE(hostStateText(host), QStringLiteral("offline"));
    host.lastSeen = QDateTime::currentMSecsSinceEpoch();
    const QString seen = QStringLiteral("offline, last seen ") + formatTime(host.lastSeen, host.lastSeen);
    QCOMPARE(hostStateText(host), seen);
    host.drained = true;
    QCOMPARE(hostStateText(host), seen + QStringLiteral(", drained"));
}

// That a host is offline is a state of its own, not one of waiting and no link.
void TstHostsPane::offlineIsNoWaiting()
{
    QCOMPARE(hostShape(HostState::Offline), StateShape::Lost);
    HostInfo kept;
    kept.state = HostState::Online;
    QCOMPARE(hostShape(kept), StateShape::Succeeded);
    kept.drained = true; // nor is one ready that takes no new tasks
    QCOMPARE(hostShape(kept), StateShape::Paused);
    kept.drained = false;
    kept.hold = reason::WaitQuarantine::code;
    QCOMPARE(hostShape(kept), StateShape::Failed);
    const QList<HostRow *> rows = m_pane->findChildren<HostRow *>();
    const auto has = [&rows](HostState state, Colour role) {
        for (HostRow *row : rows) {
            HostInfo host = row->host();
            if (host.id != QLatin1String("lab1")) {
                continue;
            }
            host.state = state;
            row->setHost(host);
            const QImage image = row->grab().toImage();
            const QColor wanted = colour(role, row);
            const auto isIt = [&wanted](const QColor &seen) { // edges are blended
                constexpr int most = 24;
                return std::abs(seen.red() - wanted.red()) <= most && std::abs(seen.green() - wanted.green()) <= most
                    && std::abs(seen.blue() - wanted.blue()) <= most;
            };
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (isIt(image.pixelColor(x, y))) {
                        return true;
                    }
                }
            }
        }
        return false;
    };
    QVERIFY(has(HostState::Offline, Colour::Lost));
    QVERIFY(!has(HostState::Offline, Colour::Waiting));
    QVERIFY(!has(HostState::Offline, Colour::Accent));
    QVERIFY(has(HostState::NeedsLogin, Colour::Failed));
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

// Below the hosts, with the same keys and a menu; without clusters nothing of them takes room.
void TstHostsPane::clustersStandBelowTheHosts()
{
    ClustersPane *clusters = m_pane->clusters();
    QVERIFY(!clusters->isVisible());
    ShownCluster lab, far;
    lab.info.id = QStringLiteral("slurm:lab");
    lab.info.kind = QStringLiteral("slurm");
    lab.info.name = QStringLiteral("lab");
    lab.info.allocations = 2;
    far.info.id = QStringLiteral("kubernetes:far");
    far.info.kind = QStringLiteral("kubernetes");
    far.info.name = QStringLiteral("far");
    const QSignalSpy wanted(clusters, &ClustersPane::wanted);
    clusters->setClusters({lab, far});
    QVERIFY(clusters->isVisible() && !wanted.isEmpty());
    QCOMPARE(clusters->rows().size(), 2);
    ClusterRow *row = clusters->rows().constFirst();
    QCOMPARE(row->accessibleName(), QStringLiteral("lab, Slurm, 2 allocations"));
    QVERIFY(row->focusPolicy() & Qt::TabFocus);
    QVERIFY(!clusters->grab().isNull());
    const QSignalSpy chosen(clusters, &ClustersPane::clusterRequested);
    QTest::mouseClick(row, Qt::LeftButton);
    QTest::keyClick(row, Qt::Key_Return);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen.value(1).value(0).toString(), lab.info.id);
    const QSignalSpy checks(clusters, &ClustersPane::checkRequested);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), row->mapToGlobal(QPoint(5, 5)));
    QCoreApplication::sendEvent(row, &event);
    QPointer<QMenu> menu = clusters->findChild<QMenu *>(QStringLiteral("clusterMenu"));
    QVERIFY(menu && menu->actions().size() == 2);
    menu->actions().constFirst()->trigger();
    menu->close();
    QCOMPARE(checks.value(0).value(0).toString(), lab.info.id);
    // Another order, and other news: its row stays, as it may have the focus.
    lab.info.allocations = 0;
    clusters->setClusters({far, lab});
    QCOMPARE(clusters->rows().constLast(), row);
    QCOMPARE(row->accessibleName(), QStringLiteral("lab, Slurm, no allocation"));
    QTRY_VERIFY(clusters->rows().constFirst()->y() < row->y());
    QCOMPARE(row->title(), QStringLiteral("lab"));
    far.info.name = lab.info.name;
    clusters->setClusters({far, lab});
    QCOMPARE(row->title(), QStringLiteral("lab (Slurm)"));
    QCOMPARE(clusters->rows().constFirst()->title(), QStringLiteral("lab (Kubernetes)"));
    clusters->setClusters({lab});
    QCOMPARE(clusters->rows(), QList<ClusterRow *>{row});
    QCOMPARE(row->title(), QStringLiteral("lab"));
    clusters->setClusters({});
    QVERIFY(!clusters->isVisible());
}

// At the side of the window, where another list takes the height that is left.
void TstHostsPane::wholeTroubleInADock()
{
    QMainWindow window;
    window.setCentralWidget(new QWidget);
    auto *pane = new HostsPane;
    pane->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // as in the window
    for (QWidget *content : std::initializer_list<QWidget *>{new QListView, pane}) {
        auto *dock = new QDockWidget;
        dock->setWidget(content);
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    }
    pane->setHosts(m_pane->hosts());
    window.resize(900, 600);
    window.show();
    pane->showAdd();
    const QString sentence = QStringLiteral("The name gpu-box-that-does-not-exist cannot be resolved. ");
    for (const int repeated : {1, 4, 2}) {
        pane->setAddError(sentence.repeated(repeated).trimmed(), true);
        QLabel *words = nullptr;
        for (QLabel *label : pane->findChildren<QLabel *>()) {
            words = label->text().startsWith(QStringLiteral("The name")) ? label : words;
        }
        QVERIFY(words);
        QTRY_VERIFY(words->isVisible() && words->height() >= words->heightForWidth(words->width()));
        const auto *anyway = pane->findChild<QPushButton *>(QStringLiteral("hostAddAnyway"));
        QTRY_VERIFY(anyway->mapTo(pane, QPoint(0, anyway->height())).y() <= pane->height());
    }
}

// What was wrong is corrected where it was typed, unless somebody does something else by now.
void TstHostsPane::focusComesBackToTheField()
{
    m_pane->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
    m_pane->showAdd();
    auto *field = m_pane->findChild<QLineEdit *>();
    QTest::keyClicks(field, QStringLiteral("ada@la"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!field->isEnabled() && !field->hasFocus());
    m_pane->setAddError(QStringLiteral("Nobody knows it."), true);
    QVERIFY(field->isEnabled() && field->hasFocus());
    QTest::keyClick(field, Qt::Key_Return);
    HostRow *row = m_pane->findChildren<HostRow *>().last();
    row->setFocus();
    m_pane->setAddError(QStringLiteral("Nobody knows it."), true);
    QVERIFY(field->isEnabled() && row->hasFocus());
    m_pane->setAddError({});
}

// Its page opens; a frame around this computer would say that it is the page of that. The row may come a while later.
void TstHostsPane::theNewHostHasTheKeyboard()
{
    m_pane->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
    m_pane->showAdd();
    auto *field = m_pane->findChild<QLineEdit *>();
    QTest::keyClicks(field, QStringLiteral("ada@lab2"));
    QTest::keyClick(field, Qt::Key_Return);
    m_pane->setAddError({});
    m_pane->setAdded(QStringLiteral("lab2"));
    HostInfo host = m_pane->hosts().last();
    host.id = host.label = QStringLiteral("lab2");
    m_pane->setHosts(m_pane->hosts() + QList<HostInfo>{host});
    HostRow *row = m_pane->findChildren<HostRow *>().last();
    QCOMPARE(row->host().id, QStringLiteral("lab2"));
    QTRY_VERIFY(row->hasFocus());
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

// "offline" or "log in" answers where it stands, and by key.
void TstHostsPane::pressedWhatIsTheMatter()
{
    QSignalSpy checks(m_pane.get(), &HostsPane::checkRequested);
    QSignalSpy wanted(m_pane.get(), &HostsPane::hostRequested);
    HostRow *lab = m_pane->findChildren<HostRow *>().last();
    QCOMPARE(lab->host().id, QStringLiteral("lab1"));
    for (const HostState state : {HostState::Offline, HostState::Failed, HostState::Online, HostState::NeedsLogin}) {
        HostInfo host = lab->host();
        host.state = state;
        m_pane->apply(host);
        wanted.clear();
        for (const int x : {lab->width() - 20, 40}) { // the word, or the name
            QTest::mouseClick(lab, Qt::LeftButton, {}, QPoint(x, lab->height() / 2));
        }
        QTest::keyClick(lab, Qt::Key_Return);
        QCOMPARE(wanted.count(), 3);
        QCOMPARE(wanted.last().first().toString(), QStringLiteral("lab1"));
        // A login is asked for at once; nothing else is done without being asked.
        QCOMPARE(checks.count(), state == HostState::NeedsLogin ? 3 : 0);
    }
    HostInfo other = lab->host(); // no login can help it
    for (const auto &[code, word] :
        {std::pair{"host.key-changed", "key changed"}, std::pair{"host.needs-login.key", "key refused"}}) {
        other.error = QLatin1String(code);
        m_pane->apply(other);
        QVERIFY2(lab->accessibleName().endsWith(QLatin1String(word)), qPrintable(lab->accessibleName()));
        QTest::keyClick(lab, Qt::Key_Return);
        QCOMPARE(checks.count(), 3);
    }
}

// The engine came back: who stands on a host with the keyboard still does.
void TstHostsPane::rowsStay()
{
    const QPointer<HostRow> lab = m_pane->findChildren<HostRow *>().last();
    m_pane->setHosts(m_pane->hosts());
    QVERIFY(lab);
    m_pane->setHosts({m_pane->hosts().first()});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!lab);
    QCOMPARE(m_pane->hosts().size(), 1);
}

// By the name that the user gave, whatever the machines call themselves; the address is in the tooltip, and not twice.
void TstHostsPane::labelsAreToldApart()
{
    QList<HostInfo> hosts(3);
    hosts[0].id = QStringLiteral("local");
    hosts[1].id = QStringLiteral("10.0.0.2");
    hosts[1].target = QStringLiteral("10.0.0.2");
    hosts[2].id = QStringLiteral("farbox");
    hosts[2].target = QStringLiteral("me@10.0.0.3");
    for (HostInfo &host : hosts) {
        host.label = QStringLiteral("vm");
    }
    QStringList labels, tips;
    const QList<HostInfo> shown = withShownLabels(hosts);
    for (const HostInfo &host : shown) {
        labels.append(host.label);
        tips.append(labelAndAddress(host));
    }
    QCOMPARE(labels, (QStringList{QStringLiteral("This computer"), hosts[1].id, hosts[2].id}));
    QCOMPARE(tips, (QStringList{QStringLiteral("This computer"), hosts[1].id, QStringLiteral("farbox\nme@10.0.0.3")}));
    m_pane->setHosts(shown);
    const QList<HostRow *> rows = m_pane->findChildren<HostRow *>();
    const auto row = std::find_if(
        rows.cbegin(), rows.cend(), [&hosts](const HostRow *each) { return each->host().id == hosts[2].id; });
    QVERIFY(row != rows.cend());
    QVERIFY2((*row)->toolTip().contains(hosts[2].id) && (*row)->toolTip().contains(hosts[2].target),
        qPrintable((*row)->toolTip()));
}

TRAINYARD_GUI_TEST(TstHostsPane)
#include "tst_hostspane.moc"
