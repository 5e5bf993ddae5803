// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/clustersecrets.h"
#include "app/gui/controllers/clustertokens.h"
#include "app/gui/guisettings.h"
#include "app/gui/targetbox.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/fakevault.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/style.h"
#include "widgets/hosts/clusterdialog.h"
#include "widgets/hosts/clusterlist.h"
#include "widgets/hosts/clusterspane.h"
#include "widgets/hosts/clusterview.h"
#include "widgets/hosts/hostspage.h"
#include "widgets/hosts/openpaidialog.h"
#include "widgets/hosts/steplist.h"
#include "widgets/text/formats.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QGraphicsEffect>
#include <QGuiApplication>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTextDocument>
#include <QToolButton>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Slurm clusters in the window: their list, what is known of one, and the dialog in which one is set.
// Large because each of the three is shown in each of its states.
class TstClusters : public QObject
{
    Q_OBJECT

    static ShownCluster lab()
    {
        ShownCluster shown;
        shown.info.id = u"slurm:lab"_s;
        shown.info.kind = u"slurm"_s;
        shown.info.name = u"lab"_s;
        shown.info.options = u"--partition=gpu"_s;
        shown.info.allocations = 2;
        return shown;
    }
    static ShownCluster silent()
    {
        ShownCluster shown = lab();
        shown.info.id = u"slurm:far"_s;
        shown.info.name = u"far"_s;
        shown.info.options.clear();
        shown.info.error = u"slurm.silent"_s;
        shown.info.errorArgs = {{u"program"_s, u"squeue"_s}, {u"detail"_s, u"<b>Connection</b> refused"_s}};
        return shown;
    }
    static HostInfo host(const QString &id)
    {
        HostInfo host;
        host.id = host.label = id;
        host.target = id == "local"_L1 ? QString() : u"ada@"_s + id;
        host.state = HostState::Online;
        return host;
    }
    template <typename T> static T *part(const QObject *of, const char *name)
    {
        return of->findChild<T *>(QLatin1StringView(name));
    }
    static void writeProgram(const WindowFixture &fixture, const QString &name, const QByteArray &script)
    {
        QFile::setPermissions(fixture.write(u"bin/"_s + name, "#!/bin/sh\n" + script),
            QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_fixture.makeFolders());
        // Commands of a cluster that is there and does not answer, whatever this computer has.
        writeProgram(m_fixture, u"sbatch"_s, "echo slurm 23.11.4\n");
        for (const QString &name : {u"sinfo"_s, u"squeue"_s, u"sacct"_s, u"scancel"_s}) {
            writeProgram(m_fixture, name, "echo 'Unable to contact the controller' >&2\nexit 1\n");
        }
        qputenv("PATH", m_fixture.path(u"bin"_s).toLocal8Bit() + ":/usr/bin:/bin");
    }
    void cleanupTestCase() { WindowFixture::stopEngine(); }

    void emptyList()
    {
        HostsPage page;
        page.resize(1000, 700);
        page.show();
        const QSignalSpy added(page.clusters(), &ClusterList::addRequested);
        auto *empty = part<EmptyState>(&page, "clustersEmpty");
        QVERIFY(empty->isVisible() && !part<QListWidget>(&page, "clusterList")->isVisible());
        empty->action()->click();
        part<QToolButton>(&page, "clusterAdd")->click();
        QCOMPARE(added.size(), 2);
        QVERIFY(!part<QToolButton>(&page, "clusterAdd")->accessibleName().isEmpty());
    }

    // It is asked for when it is seen: nobody tells what happens to a cluster.
    void listSaysHowEachStands()
    {
        HostsPage page;
        const QSignalSpy wanted(page.clusters(), &ClusterList::wanted);
        page.clusters()->setClusters({silent(), lab()});
        page.resize(1000, 700);
        page.show();
        QVERIFY(!wanted.isEmpty());
        auto *list = part<QListWidget>(&page, "clusterList");
        QVERIFY(list->isVisible() && !part<EmptyState>(&page, "clustersEmpty")->isVisible());
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->item(0)->data(Qt::AccessibleTextRole).toString(), u"far, Slurm, does not answer"_s);
        QCOMPARE(list->item(1)->data(Qt::AccessibleTextRole).toString(), u"lab, Slurm, 2 allocations"_s);
        const QString tip = list->item(0)->toolTip(); // what the cluster said is never formatted
        QVERIFY2(!Qt::mightBeRichText(tip) || !tip.contains(u"<b>Connection"_s), qPrintable(tip));
        QListWidgetItem *row = list->item(1);
        ShownCluster idle = lab();
        idle.info.allocations = 0;
        page.clusters()->setClusters({silent(), idle});
        QCOMPARE(list->item(1), row); // it may have the focus
        QCOMPARE(row->data(Qt::AccessibleTextRole).toString(), u"lab, Slurm, no allocation"_s);
        QVERIFY(!list->grab().isNull()); // rows of all states are painted
    }

    // Right below the hosts, however high the page is; many hosts are scrolled.
    void clustersFollowTheHosts()
    {
        HostsPage page;
        page.setHosts({host(u"local"_s), host(u"lab3"_s)});
        page.clusters()->setClusters({lab()});
        page.resize(1000, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto *hosts = part<QListWidget>(&page, "hostList");
        const auto *list = part<QListWidget>(&page, "clusterList");
        const auto top = [&page](const QWidget *widget) { return widget->mapTo(&page, QPoint()).y(); };
        QTRY_COMPARE(hosts->height(), 2 * metrics::hostRow);
        QVERIFY2(top(list) < top(hosts) + hosts->height() + metrics::hostRow, qPrintable(QString::number(top(list))));
        QList<HostInfo> many;
        for (int i = 0; i < 40; ++i) {
            many.append(host(u"lab"_s + QString::number(i)));
        }
        page.setHosts(many);
        QTRY_VERIFY(hosts->height() > 4 * metrics::hostRow);
        QTRY_COMPARE(list->height(), metrics::hostRow);
        QVERIFY2(top(list) + list->height() < page.height(), qPrintable(QString::number(top(list))));
    }

    // A host or a cluster is chosen, and what is known of it is seen.
    void oneOfEither()
    {
        HostsPage page;
        page.setHosts({host(u"local"_s), host(u"lab3"_s)});
        page.clusters()->setClusters({lab(), silent()});
        page.resize(1000, 700);
        page.show();
        const auto *hosts = part<QListWidget>(&page, "hostList");
        auto *list = part<QListWidget>(&page, "clusterList");
        QCOMPARE(page.chosen(), u"local"_s);
        QVERIFY(!page.cluster()->isVisible());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
        QCOMPARE(page.chosen(), u"slurm:lab"_s);
        QVERIFY(page.cluster()->isVisible() && hosts->selectedItems().isEmpty());
        QCOMPARE(part<QLabel>(page.cluster(), "clusterOptionsShown")->text(), u"--partition=gpu"_s);
        // News of hosts, also that the one behind it is gone, do not put it away.
        page.setHosts({host(u"lab3"_s)});
        QCOMPARE(page.chosen(), u"slurm:lab"_s);
        QVERIFY(page.cluster()->isVisible() && hosts->selectedItems().isEmpty());
        page.setHosts({host(u"local"_s), host(u"lab3"_s)});
        for (const int at : {1, 0, 1}) {
            QTest::mouseClick(hosts->viewport(), Qt::LeftButton, {}, hosts->visualItemRect(hosts->item(at)).center());
            QCOMPARE(page.chosen(), at == 0 ? u"local"_s : u"lab3"_s);
            QCOMPARE(hosts->selectedItems(), QList<QListWidgetItem *>{hosts->item(at)});
            QVERIFY(!page.cluster()->isVisible() && list->selectedItems().isEmpty());
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
            QVERIFY(page.cluster()->isVisible());
        }
        QVERIFY(part<QLabel>(page.cluster(), "clusterTrouble")->text().contains(u"<b>Connection</b> refused"_s));
        QCOMPARE(part<QLabel>(page.cluster(), "clusterTrouble")->textFormat(), Qt::PlainText);
        // Removed: the host is there again.
        page.clusters()->setClusters({lab()});
        QCOMPARE(page.chosen(), u"lab3"_s);
        QCOMPARE(hosts->selectedItems().size(), 1);
        QVERIFY(!page.cluster()->isVisible());
    }

    // A tab that comes back names a cluster before the engine has told any.
    void oneIsAwaited()
    {
        HostsPage page;
        page.resize(1000, 700);
        page.show();
        page.choose(u"slurm:lab"_s);
        page.setHosts({host(u"local"_s)});
        QVERIFY(!page.cluster()->isVisible());
        page.clusters()->setClusters({silent(), lab()});
        QVERIFY(page.cluster()->isVisible());
        QCOMPARE(page.chosen(), u"slurm:lab"_s);
        page.choose(u"local"_s);
        QVERIFY(!page.cluster()->isVisible());
        QCOMPARE(page.chosen(), u"local"_s);
        page.choose(u"slurm:lab/n12"_s); // the node of a task
        QVERIFY(page.cluster()->isVisible());
        QCOMPARE(page.chosen(), u"slurm:lab"_s);
    }

    void stepsOfACheck()
    {
        ClusterView view;
        view.resize(700, 500);
        view.setCluster(lab());
        view.show();
        const QSignalSpy checks(&view, &ClusterView::checkRequested), changes(&view, &ClusterView::changeRequested),
            removals(&view, &ClusterView::removeRequested);
        auto *check = part<QPushButton>(&view, "clusterCheck");
        auto *unchecked = part<EmptyState>(&view, "clusterUnchecked");
        QVERIFY(unchecked->isVisible());
        unchecked->action()->click();
        check->click();
        part<QPushButton>(&view, "clusterChange")->click();
        part<QPushButton>(&view, "clusterRemove")->click();
        for (const QSignalSpy *spy : {&checks, &changes, &removals}) {
            QCOMPARE(spy->value(0).value(0).toString(), u"slurm:lab"_s);
        }
        QCOMPARE(checks.size(), 2);

        ShownCluster shown = lab();
        shown.isChecking = true;
        view.setCluster(shown);
        QVERIFY(!check->isEnabled() && !unchecked->isVisible());
        QVERIFY(!part<QLabel>(&view, "step-cluster-check")->text().isEmpty());

        shown.isChecking = false;
        const QJsonObject gpu{{u"name"_s, u"gpu"_s}, {u"isUp"_s, true}, {u"limit"_s, u"1-00:00:00"_s}, {u"nodes"_s, 2},
            {u"cpus"_s, u"64"_s}, {u"gpus"_s, u"gpu:a100:8"_s}};
        shown.info.steps = {{u"commands"_s, true, {}, {{u"version"_s, u"slurm 23.11.4"_s}}},
            {u"answers"_s, true, {}, {{u"partitions"_s, QJsonArray{gpu}}}},
            {u"folder"_s, false, u"slurm.folder"_s,
                {{u"folder"_s, u"/nowhere"_s}, {u"message"_s, u"<i>No</i> such file"_s}}}};
        view.setCluster(shown);
        QVERIFY(check->isEnabled() && !part<QLabel>(&view, "step-cluster-check"));
        QCOMPARE(part<QLabel>(&view, "step-cluster-commands")->text(), u"slurm 23.11.4"_s);
        QVERIFY(part<QLabel>(&view, "step-cluster-answers")->accessibleName().contains(u"gpu:a100:8"_s));
        const auto *folder = part<QLabel>(&view, "step-cluster-folder");
        QVERIFY2(folder->accessibleName().contains(u"<i>No</i> such file"_s), qPrintable(folder->accessibleName()));
        QCOMPARE(folder->textFormat(), Qt::PlainText);
        part<QPushButton>(&view, "clusterCopy")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"slurm 23.11.4"_s));

        shown.checkError = u"The engine has gone."_s;
        view.setCluster(shown);
        QCOMPARE(part<QLabel>(&view, "step-cluster-check")->text(), shown.checkError);
    }

    // A check is of one moment: how long ago that is, is said, and what is old looks so.
    void aCheckSaysWhenItWas()
    {
        ClusterView view;
        ShownCluster shown = lab();
        view.resize(700, 500);
        view.setCluster(shown);
        view.show();
        const auto *seen = part<QLabel>(&view, "clusterSeen");
        QVERIFY(!seen->isVisible());
        shown.info.steps = {{u"commands"_s, true, {}, {{u"version"_s, u"slurm 23.11.4"_s}}}};
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        shown.checkedAt = now;
        view.setCluster(shown);
        QVERIFY(seen->isVisible());
        QCOMPARE(seen->text(), u"As it was at %1."_s.arg(formatTime(now, now)));
        const auto *steps = view.findChild<StepList *>();
        QVERIFY(!steps->graphicsEffect());
        shown.checkedAt = now - 360'000;
        view.setCluster(shown);
        QVERIFY2(seen->text().contains(u"It may have changed since"_s), qPrintable(seen->text()));
        QVERIFY(steps->graphicsEffect());
        shown.checkedAt = now; // but it does not answer any more
        shown.info.error = u"slurm.silent"_s;
        view.setCluster(shown);
        QVERIFY(seen->text().contains(u"It may have changed since"_s) && steps->graphicsEffect());
        shown.isChecking = true;
        view.setCluster(shown);
        QVERIFY(!seen->isVisible() && !steps->graphicsEffect());
    }

    // What was removed from the settings is only followed.
    void removedWithJobs()
    {
        ClusterView view;
        ShownCluster shown = lab();
        shown.info.isNamed = false;
        view.resize(700, 500);
        view.setCluster(shown);
        view.show();
        QVERIFY(part<QLabel>(&view, "clusterTrouble")->isVisible());
        QVERIFY(!part<EmptyState>(&view, "clusterUnchecked")->isVisible());
        for (const char *name : {"clusterCheck", "clusterChange", "clusterRemove"}) {
            QVERIFY2(!part<QPushButton>(&view, name)->isVisible(), name);
        }
    }

    void dialogSaysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QByteArray>("wrong"); // the field
        QTest::addColumn<bool>("canSave");
        const QString none;
        QTest::newRow("nothing yet") << none << none << none << QByteArray() << false;
        QTest::newRow("a name") << u"lab-2"_s << none << none << QByteArray() << true;
        QTest::newRow("all") << u"lab2"_s << u"-p gpu --time=8:00:00"_s << u"/scratch/ada"_s << QByteArray() << true;
        QTest::newRow("the home folder") << u"lab2"_s << none << u"~/runs"_s << QByteArray() << true;
        QTest::newRow("a bad name") << u"my lab"_s << none << none << QByteArray("clusterName") << false;
        QTest::newRow("a name that is taken") << u"lab"_s << none << none << QByteArray("clusterName") << false;
        QTest::newRow("what a job says") << u"lab2"_s << u"--nodes=3"_s << none << QByteArray("clusterOptions")
                                         << false;
        QTest::newRow("no option") << u"lab2"_s << u"gpu"_s << none << QByteArray("clusterOptions") << false;
        QTest::newRow("a part of a path") << u"lab2"_s << none << u"scratch"_s << QByteArray("clusterFolder") << false;
    }
    void dialogSaysWhatIsWrong()
    {
        QFETCH(QString, name);
        QFETCH(QString, options);
        QFETCH(QString, folder);
        QFETCH(QByteArray, wrong);
        ClusterDialog dialog(QStringList{u"lab"_s}, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QTest::keyClicks(part<QLineEdit>(&dialog, "clusterName"), name);
        QTest::keyClicks(part<QLineEdit>(&dialog, "clusterOptions"), options);
        QTest::keyClicks(part<QLineEdit>(&dialog, "clusterFolder"), folder);
        for (const QByteArray &field : QByteArrayList{"clusterName", "clusterOptions", "clusterFolder"}) {
            const auto *edit = part<QLineEdit>(&dialog, field.constData());
            const auto *error = part<QLabel>(&dialog, QByteArray(field + "Error").constData());
            QCOMPARE(hasFieldError(edit), field == wrong);
            QCOMPARE(error->isVisible(), field == wrong);
            QCOMPARE(edit->accessibleDescription(), error->text());
            QVERIFY(!edit->accessibleName().isEmpty());
        }
        QTEST(part<QPushButton>(&dialog, "clusterSave")->isEnabled(), "canSave");
    }

    // The engine may be slow: the dialog waits without blocking anything, and what is typed can be mended.
    void dialogWaits()
    {
        QPointer<ClusterDialog> dialog = new ClusterDialog(QStringList(), nullptr);
        dialog->show();
        QSignalSpy saved(dialog, &ClusterDialog::saveRequested);
        auto *name = part<QLineEdit>(dialog, "clusterName");
        auto *save = part<QPushButton>(dialog, "clusterSave");
        QTest::keyClicks(name, u" lab "_s);
        QTest::keyClicks(part<QLineEdit>(dialog, "clusterOptions"), u"--partition=gpu "_s);
        QSignalSpy folders(dialog, &ClusterDialog::folderRequested);
        part<QToolButton>(dialog, "clusterBrowse")->click();
        QCOMPARE(folders.size(), 1);
        dialog->setFolder(u"/scratch/"_s);
        QTest::keyClick(part<QLineEdit>(dialog, "clusterOptions"), Qt::Key_Return); // saves, and does not cancel
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(saved.size(), 1);
        QCOMPARE(
            saved.at(0).at(0).value<ClusterEntry>(), (ClusterEntry{u"lab"_s, u"--partition=gpu"_s, u"/scratch"_s}));
        QVERIFY(!name->isEnabled() && !save->isEnabled() && part<QLabel>(dialog, "clusterProgress")->isVisible());
        dialog->setSaveError(u"No <b>room</b>"_s);
        QVERIFY(name->isEnabled() && save->isEnabled() && !part<QLabel>(dialog, "clusterProgress")->isVisible());
        const auto *bar = dialog->findChild<InfoBar *>();
        QVERIFY(bar->isVisible() && bar->accessibleName().contains(u"<b>room</b>"_s));
        save->click();
        QCOMPARE(saved.size(), 2);
        QVERIFY(!bar->isVisible());
        dialog->setSaved();
        QTRY_VERIFY(!dialog);
    }

    void dialogChanges()
    {
        ClusterDialog dialog(ClusterEntry{u"lab"_s, u"--nodes=2"_s, u"/scratch"_s}, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QVERIFY(!part<QLineEdit>(&dialog, "clusterName")->isEnabled()); // jobs name it so
        auto *options = part<QLineEdit>(&dialog, "clusterOptions");
        auto *save = part<QPushButton>(&dialog, "clusterSave");
        QVERIFY(hasFieldError(options) && !save->isEnabled()); // as it was set elsewhere
        options->clear();
        QSignalSpy saved(&dialog, &ClusterDialog::saveRequested);
        save->click();
        QCOMPARE(saved.value(0).value(0).value<ClusterEntry>(), (ClusterEntry{u"lab"_s, {}, u"/scratch"_s}));
    }

    // The folder is one of the login node then, which is not seen here.
    void dialogNamesALoginNode()
    {
        ClusterDialog dialog(ClusterEntry{u"lab"_s, {}, u"~/runs"_s, u"far"_s}, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.setHosts({u"far"_s, u"gpu1"_s});
        dialog.show();
        auto *login = part<QComboBox>(&dialog, "clusterLogin");
        QCOMPARE(login->count(), 3);
        QCOMPARE(login->currentData().toString(), u"far"_s);
        QVERIFY(!part<QToolButton>(&dialog, "clusterBrowse")->isEnabled());
        auto *save = part<QPushButton>(&dialog, "clusterSave");
        QVERIFY(save->isEnabled());
        QSignalSpy saved(&dialog, &ClusterDialog::saveRequested);
        save->click();
        QCOMPARE(saved.value(0).value(0).value<ClusterEntry>(), (ClusterEntry{u"lab"_s, {}, u"~/runs"_s, u"far"_s}));
        dialog.setSaveError(u"No room"_s);
        auto *images = part<QComboBox>(&dialog, "clusterImages");
        QCOMPARE(images->currentData().toString(), QString());
        images->setCurrentIndex(images->findData(u"pyxis"_s));
        login->setCurrentIndex(0);
        QVERIFY(part<QToolButton>(&dialog, "clusterBrowse")->isEnabled());
        save->click();
        QCOMPARE(saved.value(1).value(0).value<ClusterEntry>(),
            (ClusterEntry{u"lab"_s, {}, QDir::homePath() + u"/runs"_s, {}, u"pyxis"_s}));
        dialog.setSaveError(u"No room"_s);
        auto *modules = part<QLineEdit>(&dialog, "clusterModules");
        modules->setText(u"cuda/12; python"_s);
        QVERIFY(hasFieldError(modules) && !save->isEnabled());
        modules->setText(u"cuda/12, python/3.11"_s);
        QVERIFY(!hasFieldError(modules) && save->isEnabled());
        save->click();
        QCOMPARE(saved.value(2).value(0).value<ClusterEntry>().modules, u"cuda/12,python/3.11"_s);
    }

    // From the menu to the check, where Run can put a job then; removed, and taken back.
    void inTheWindow()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        const auto *target = window->findChild<TargetBox *>();
        window->action("addCluster")->trigger();
        const QPointer<ClusterDialog> dialog = window->findChild<ClusterDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        part<QToolButton>(dialog, "clusterBrowse")->click();
        QPointer<QFileDialog> asked = dialog->findChild<QFileDialog *>();
        QVERIFY(asked);
        asked->close();
        QTRY_VERIFY(!asked);
        QTest::keyClicks(part<QLineEdit>(dialog, "clusterName"), u"lab"_s);
        part<QLineEdit>(dialog, "clusterModules")->setText(u"cuda/12,python/3.11"_s);
        QTest::keyClicks(part<QLineEdit>(dialog, "clusterOptions"), u"--partition=gpu"_s);
        part<QLineEdit>(dialog, "clusterFolder")->setText(m_fixture.path(u"shared"_s));
        part<QPushButton>(dialog, "clusterSave")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 10'000);
        auto *page = window->findChild<HostsPage *>();
        QVERIFY(page);
        QTRY_VERIFY(page->cluster()->isVisible());
        QCOMPARE(page->chosen(), u"slurm:lab"_s);
        const auto text = [page](const char *name) {
            const auto *label = part<QLabel>(page->cluster(), name);
            return label ? label->accessibleName() : QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(text("step-cluster-commands").contains(u"slurm 23.11.4"_s), 20'000);
        QVERIFY2(text("step-cluster-answers").contains(u"sinfo"_s), qPrintable(text("step-cluster-answers")));
        QTRY_VERIFY(target->findData(u"slurm:lab"_s) >= 0);
        QCOMPARE(part<QLabel>(page->cluster(), "clusterFolderShown")->text(), m_fixture.path(u"shared"_s));
        QCOMPARE(part<QLabel>(page->cluster(), "clusterModulesShown")->text(), u"cuda/12, python/3.11"_s);
        QVERIFY(part<QLabel>(page->cluster(), "clusterModulesShown")->isVisible());

        // It stands at the side, too, and leads here.
        const auto *side = window->findChild<ClustersPane *>();
        QVERIFY(side && side->isVisible());
        QCOMPARE(side->rows().size(), 1);
        page->choose(u"local"_s);
        QTRY_VERIFY(!page->cluster()->isVisible());
        QTest::mouseClick(side->rows().constFirst(), Qt::LeftButton);
        QTRY_COMPARE(page->chosen(), u"slurm:lab"_s);
        QTRY_VERIFY(page->cluster()->isVisible());

        part<QPushButton>(page->cluster(), "clusterChange")->click();
        QTRY_VERIFY(window->findChild<ClusterDialog *>());
        const QPointer<ClusterDialog> change = window->findChild<ClusterDialog *>();
        QCOMPARE(part<QLineEdit>(change, "clusterOptions")->text(), u"--partition=gpu"_s);
        QCOMPARE(part<QLineEdit>(change, "clusterModules")->text(), u"cuda/12,python/3.11"_s);
        change->reject();
        QTRY_VERIFY(!change);

        part<QPushButton>(page->cluster(), "clusterRemove")->click();
        QTRY_COMPARE(target->findData(u"slurm:lab"_s), -1);
        QVERIFY(!page->cluster()->isVisible());
        QVERIFY(side->rows().isEmpty() && !side->isVisible());
        auto *undo = window->findChild<QPushButton *>(u"clusterUndo"_s);
        QVERIFY(undo && undo->isVisible());
        undo->click();
        QTRY_VERIFY(target->findData(u"slurm:lab"_s) >= 0);
        page->choose(u"slurm:lab"_s);
        QTRY_COMPARE(part<QLabel>(page->cluster(), "clusterOptionsShown")->text(), u"--partition=gpu"_s);
    }

    // Nobody keeps the token, and nobody answers: both are said where the cluster is seen.
    void tokenWithoutAKeyring()
    {
        FakeVault vault;
        vault.refuses = true;
        const auto window = WindowFixture::makeWindow(true);
        window->setSecretVault(&vault);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("addOpenPai")->trigger();
        const QPointer<OpenPaiDialog> dialog = window->findChild<OpenPaiDialog *>();
        QVERIFY(dialog);
        part<QLineEdit>(dialog, "openPaiName")->setText(u"pai"_s);
        part<QLineEdit>(dialog, "openPaiAddress")->setText(u"http://127.0.0.1:1"_s); // where nothing listens
        part<QLineEdit>(dialog, "openPaiUser")->setText(u"ada"_s);
        part<QLineEdit>(dialog, "openPaiToken")->setText(u"a-token-of-ada"_s);
        QVERIFY(part<QPushButton>(dialog, "openPaiSave")->isEnabled());
        part<QPushButton>(dialog, "openPaiSave")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 10'000);
        const auto isSaid = [&window] {
            const auto bars = window->centralWidget()->findChildren<InfoBar *>();
            return std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *bar) {
                return bar->isVisible() && bar->text().contains(u"the token of openpai:pai in memory only"_s);
            });
        };
        QTRY_VERIFY(isSaid());
        const auto *list = part<QListWidget>(window.get(), "clusterList");
        const auto isListed = [list](const QString &words) {
            for (int row = 0; row < list->count(); ++row) {
                if (list->item(row)->data(Qt::AccessibleTextRole).toString() == words) {
                    return true;
                }
            }
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isListed(u"pai, OpenPAI, does not answer"_s), 60'000);
        const QString step
            = part<QLabel>(window->findChild<HostsPage *>()->cluster(), "step-cluster-answers")->accessibleName();
        QVERIFY2(step.contains(u"does not answer"_s) && !step.contains(u"handed over"_s), qPrintable(step));
        window->newDocument(sampleJob, u"other.yaml"_s);
        QTRY_VERIFY(!isSaid()); // it is about the other page
    }

    // The keyring gets the token that the cluster makes by it, and never the password.
    void aPasswordMakesAToken()
    {
        QTcpServer cluster;
        QVERIFY(cluster.listen(QHostAddress::LocalHost));
        bool isAccepted = false;
        connect(&cluster, &QTcpServer::newConnection, this, [&cluster, &isAccepted] {
            QTcpSocket *socket = cluster.nextPendingConnection();
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, socket, [socket, &isAccepted, request = QByteArray()]() mutable {
                request += socket->readAll();
                const bool isLogin = request.startsWith("POST ");
                if (!request.contains("\r\n\r\n") || (isLogin && !request.contains("password=open%20sesame"))) {
                    return;
                }
                const QByteArray body = !isLogin ? R"({"version":"v1.8.0","authnMethod":"basic"})"
                    : isAccepted                 ? R"({"user":"ada","token":"made-for-ada"})"
                                                 : R"({"code":"IncorrectPasswordError","message":"No."})";
                socket->write(QByteArray(isLogin && !isAccepted ? "HTTP/1.1 400 X" : "HTTP/1.1 200 X")
                    + "\r\nConnection: close\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n"
                    + body);
                socket->disconnectFromHost();
            });
        });
        FakeVault vault;
        const auto window = WindowFixture::makeWindow(true);
        window->setSecretVault(&vault);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("addOpenPai")->trigger();
        const QPointer<OpenPaiDialog> dialog = window->findChild<OpenPaiDialog *>();
        QVERIFY(dialog);
        part<QLineEdit>(dialog, "openPaiName")->setText(u"passing"_s);
        part<QLineEdit>(dialog, "openPaiAddress")->setText(u"http://127.0.0.1:%1"_s.arg(cluster.serverPort()));
        part<QLineEdit>(dialog, "openPaiUser")->setText(u"ada"_s);
        part<QComboBox>(dialog, "openPaiWay")->setCurrentIndex(1);
        part<QLineEdit>(dialog, "openPaiToken")->setText(u"open sesame"_s);
        part<QPushButton>(dialog, "openPaiSave")->click();
        const auto isRefused = [&dialog] {
            const auto bars = dialog->findChildren<InfoBar *>();
            return std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *bar) {
                return bar->isVisible() && bar->text().contains(u"does not accept the password"_s);
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRefused(), 10'000); // the dialog stays, for another one
        QVERIFY(vault.kept.isEmpty());
        isAccepted = true;
        part<QPushButton>(dialog, "openPaiSave")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 10'000);
        QTRY_COMPARE(vault.kept.value(QString(clusterSecrets) + u"/openpai:passing"_s), u"made-for-ada"_s);
        QCOMPARE(vault.kept.size(), 1);
    }

    // Those that are in no list any more have no jobs; one that was added again needs its token.
    void tokensAreDueAfterTheLastJob()
    {
        ClusterInfo named, followed;
        named.id = u"openpai:again"_s;
        named.isNamed = true;
        followed.id = u"openpai:busy"_s;
        followed.isNamed = false;
        const DueTokens tokens
            = dueTokens({u"openpai:again"_s, u"openpai:busy"_s, u"openpai:gone"_s}, {named, followed});
        QCOMPARE(tokens.due, QStringList{u"openpai:gone"_s});
        QCOMPARE(tokens.waiting, QStringList{u"openpai:busy"_s});
    }

    // A cluster takes its token along, and Undo brings both back.
    void removedClusterLeavesNoToken()
    {
        FakeVault vault;
        const auto window = WindowFixture::makeWindow(true);
        window->setSecretVault(&vault);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("addOpenPai")->trigger();
        const QPointer<OpenPaiDialog> dialog = window->findChild<OpenPaiDialog *>();
        QVERIFY(dialog);
        part<QLineEdit>(dialog, "openPaiName")->setText(u"leaving"_s);
        part<QLineEdit>(dialog, "openPaiAddress")->setText(u"http://127.0.0.1:1"_s); // where nothing listens
        part<QLineEdit>(dialog, "openPaiUser")->setText(u"ada"_s);
        part<QLineEdit>(dialog, "openPaiToken")->setText(u"a-token-of-ada"_s);
        part<QPushButton>(dialog, "openPaiSave")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 10'000);
        const QString key = QString(clusterSecrets) + u"/openpai:leaving"_s;
        QTRY_COMPARE(vault.kept.value(key), u"a-token-of-ada"_s);
        const auto said = [&window] { return window->bar()->isVisible() ? window->bar()->text() : QString(); };
        auto *page = window->findChild<HostsPage *>();
        const auto remove = [&] {
            page->choose(u"openpai:leaving"_s);
            QTRY_VERIFY(page->cluster()->isVisible());
            part<QPushButton>(page->cluster(), "clusterRemove")->click();
        };
        QVERIFY(page);
        remove();
        QTRY_VERIFY_WITH_TIMEOUT(said().contains(u"its token was removed from the keyring"_s), 10'000);
        QVERIFY(!vault.kept.contains(key));
        auto *undo = window->findChild<QPushButton *>(u"clusterUndo"_s);
        QVERIFY(undo && undo->isVisible());
        undo->click();
        QTRY_COMPARE_WITH_TIMEOUT(vault.kept.value(key), u"a-token-of-ada"_s, 10'000);
        const auto *target = window->findChild<TargetBox *>();
        QTRY_VERIFY_WITH_TIMEOUT(target->findData(u"openpai:leaving"_s) >= 0, 10'000);
        // What the keyring does not do is said, and how it is done later.
        vault.refuses = true;
        remove();
        QTRY_VERIFY_WITH_TIMEOUT(said().contains(u"targets remove openpai:leaving"_s), 10'000);
        QVERIFY(said().contains(u"It is locked."_s));
        QVERIFY(vault.kept.contains(key));
        QVERIFY(!GuiSettings().tokensToForget().contains(u"openpai:leaving"_s)); // it has no jobs
    }

    // The engine alone has the token: Undo brings back a cluster that works, and nothing is said of an entry that
    // there is not.
    void undoKeepsATokenThatNoKeyringHas()
    {
        FakeVault vault;
        vault.refuses = true; // to keep it
        const auto window = WindowFixture::makeWindow(true);
        window->setSecretVault(&vault);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("addOpenPai")->trigger();
        const QPointer<OpenPaiDialog> dialog = window->findChild<OpenPaiDialog *>();
        QVERIFY(dialog);
        const QString id = u"openpai:unkept"_s;
        part<QLineEdit>(dialog, "openPaiName")->setText(u"unkept"_s);
        part<QLineEdit>(dialog, "openPaiAddress")->setText(u"http://127.0.0.1:1"_s); // where nothing listens
        part<QLineEdit>(dialog, "openPaiUser")->setText(u"ada"_s);
        part<QLineEdit>(dialog, "openPaiToken")->setText(u"a-token-of-ada"_s);
        part<QPushButton>(dialog, "openPaiSave")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 10'000);
        const auto *target = window->findChild<TargetBox *>();
        auto *page = window->findChild<HostsPage *>();
        QVERIFY(page && target);
        for (const QString &unread : {QString(), u"keyring.none"_s, u"keyring.not-read"_s}) {
            QTRY_VERIFY_WITH_TIMEOUT(target->findData(id) >= 0, 10'000);
            vault.unread = unread;
            page->choose(id);
            QTRY_VERIFY(page->cluster()->isVisible());
            part<QPushButton>(page->cluster(), "clusterRemove")->click();
            const auto saying = [&window] { // another bar says that nothing keeps the token
                const auto bars = window->findChildren<InfoBar *>();
                const auto it = std::find_if(bars.cbegin(), bars.cend(), [](const InfoBar *each) {
                    return each->isVisible() && each->text().contains(u"The cluster unkept was removed."_s);
                });
                return it == bars.cend() ? nullptr : *it;
            };
            QTRY_VERIFY_WITH_TIMEOUT(saying(), 10'000);
            const QString said = saying()->text();
            const auto buttons = saying()->findChildren<QPushButton *>(u"clusterUndo"_s);
            QVERIFY(!buttons.isEmpty() && buttons.constLast()->isVisible());
            QCOMPARE(said.contains(u"may still be in the keyring"_s), unread == u"keyring.not-read"_s);
            QCOMPARE(said.contains(u"keyring"_s), unread == u"keyring.not-read"_s);
            QTRY_COMPARE(target->findData(id), -1);
            buttons.constLast()->click();
            QTRY_VERIFY_WITH_TIMEOUT(target->findData(id) >= 0, 10'000);
            QString error = u"not answered"_s;
            window->client()->call<api::ListTargets>({}, &vault, [&](const Result<QList<ClusterInfo>> &found) {
                const auto targets = found.value_or(QList<ClusterInfo>());
                const auto its = std::find_if(
                    targets.cbegin(), targets.cend(), [&id](const ClusterInfo &each) { return each.id == id; });
                error = its == targets.cend() ? u"not listed"_s : its->error;
            });
            QTRY_COMPARE(error, QString());
        }
    }

    void wordsOfARemovedCluster()
    {
        using Removed = ClusterTokens::Removed;
        const auto words
            = [](const Removed &removed) { return ClusterTokens::removedWords(u"openpai:lab"_s, removed); };
        const QString noToken = words({});
        QCOMPARE(noToken, u"The cluster lab was removed. Jobs that it has are followed until they end."_s);
        // Without a keyring, none keeps anything.
        QCOMPARE(words({Removed::State::KeptForJobs, {}, {}, false}), noToken);
        QVERIFY(words({Removed::State::KeptForJobs, {}, {}, true}).contains(u"token until then, if it has one"_s));
        const QJsonObject locked{{u"reason"_s, u"It is locked."_s}};
        for (const auto &[state, code, said] :
            {std::tuple(Removed::State::StillThere, u"keyring.not-deleted"_s,
                 u"is still in the keyring: This desktop's keyring did not delete the value."_s),
                std::tuple(Removed::State::MayBeThere, u"keyring.not-read"_s,
                    u"may still be in the keyring: This desktop's keyring did not give the value."_s)}) {
            const Removed removed{state, {}, {code, locked}};
            QVERIFY(removed.isLeft());
            QVERIFY(words(removed).contains(said));
            QVERIFY(words(removed).contains(u"It is locked."_s));
            QVERIFY(words(removed).contains(u"targets remove openpai:lab"_s));
        }
        const Removed none{Removed::State::NoToken, {}, {u"keyring.none"_s, {}}};
        QVERIFY(!none.isLeft());
        QCOMPARE(words(none), noToken);
    }

private:
    WindowFixture m_fixture;
};

TRAINYARD_GUI_TEST(TstClusters)
#include "tst_clusters.moc"
