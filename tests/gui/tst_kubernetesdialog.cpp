// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targetbox.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/fakekubernetes.h"
#include "tests/helpers/testregistry.h"
#include "widgets/hosts/clusterview.h"
#include "widgets/hosts/hostspage.h"
#include "widgets/hosts/kubernetesdialog.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace trainyard;
using namespace Qt::StringLiterals;

// A Kubernetes cluster in the window: the dialog in which one is set, what is shown of one, and the way from the one to
// the other.
class TstKubernetesDialog : public QObject
{
    Q_OBJECT

    template <typename T> static T *part(const QObject *of, const char *name)
    {
        return of->findChild<T *>(QLatin1StringView(name));
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders() && m_cluster.isThere()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }

    void aNewOne()
    {
        QWidget window;
        const QPointer<KubernetesDialog> dialog = new KubernetesDialog(QStringList{u"lab"_s}, &window);
        QSignalSpy saved(dialog, &KubernetesDialog::saveRequested);
        auto *save = part<QPushButton>(dialog, "kubeSave");
        QVERIFY(!save->isEnabled());
        part<QLineEdit>(dialog, "kubeName")->setText(u"far"_s);
        QVERIFY(save->isEnabled()); // with what kubectl uses by itself
        auto *context = part<QComboBox>(dialog, "kubeContext");
        context->setEditText(u"te"_s);
        dialog->setContexts({u"lab"_s, u"test-eu"_s}); // they come while somebody types
        QCOMPARE(context->currentText(), u"te"_s);
        QCOMPARE(context->count(), 2);
        context->setCurrentIndex(1);
        part<QLineEdit>(dialog, "kubeNamespace")->setText(u" ml "_s);
        part<QLineEdit>(dialog, "kubeQueue")->setText(u"research"_s);
        part<QLineEdit>(dialog, "kubeMore")->setText(u"--as=ada"_s);
        save->click();
        QCOMPARE(saved.size(), 1);
        QCOMPARE(saved.first().first().value<KubernetesEntry>(),
            (KubernetesEntry{u"far"_s, u"--context=test-eu --namespace=ml --as=ada"_s, u"research"_s}));
        QVERIFY(!save->isEnabled()); // it waits
        dialog->setSaveError(u"No."_s);
        QVERIFY(save->isEnabled());
        dialog->setSaved();
        QTRY_VERIFY(dialog.isNull());
    }

    void whatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::newRow("a name that is taken") << QByteArray("kubeName") << u"lab"_s;
        QTest::newRow("a name with a blank") << QByteArray("kubeName") << u"a b"_s;
        QTest::newRow("a namespace in capitals") << QByteArray("kubeNamespace") << u"ML"_s;
        QTest::newRow("a queue with a blank") << QByteArray("kubeQueue") << u"a b"_s;
        QTest::newRow("an option of another command") << QByteArray("kubeMore") << u"--output=json"_s;
        QTest::newRow("an option without a value") << QByteArray("kubeMore") << u"--as"_s;
        QTest::newRow("what has a field") << QByteArray("kubeMore") << u"-n ml"_s;
        QTest::newRow("no context") << QByteArray("kubeContext") << u"--all"_s;
    }
    void whatIsWrong()
    {
        QFETCH(QByteArray, field);
        QFETCH(QString, text);
        QWidget window;
        KubernetesDialog dialog(QStringList{u"lab"_s}, &window);
        part<QLineEdit>(&dialog, "kubeName")->setText(u"far"_s);
        auto *save = part<QPushButton>(&dialog, "kubeSave");
        QVERIFY(save->isEnabled());
        if (auto *line = part<QLineEdit>(&dialog, field.constData())) {
            line->setText(text);
        } else {
            part<QComboBox>(&dialog, field.constData())->setEditText(text);
        }
        QVERIFY(!save->isEnabled());
        const auto *error = part<QLabel>(&dialog, QByteArray(field + "Error").constData());
        QVERIFY(!error->isHidden() && !error->text().isEmpty());
    }

    void oneThatIsThere()
    {
        QWidget window;
        const KubernetesEntry present{
            u"lab"_s, u"--namespace=ml --context=lab \"--kubeconfig=/home/ada/my lab.yaml\""_s, u"research"_s};
        KubernetesDialog dialog(present, &window);
        QVERIFY(!part<QLineEdit>(&dialog, "kubeName")->isEnabled());
        QCOMPARE(part<QComboBox>(&dialog, "kubeContext")->currentText(), u"lab"_s);
        QCOMPARE(part<QLineEdit>(&dialog, "kubeNamespace")->text(), u"ml"_s);
        QSignalSpy saved(&dialog, &KubernetesDialog::saveRequested);
        part<QPushButton>(&dialog, "kubeSave")->click();
        QCOMPARE(saved.size(), 1);
        QCOMPARE(saved.first().first().value<KubernetesEntry>(),
            (KubernetesEntry{
                u"lab"_s, u"--context=lab --namespace=ml \"--kubeconfig=/home/ada/my lab.yaml\""_s, u"research"_s}));
    }

    // Without kubectl a context can be typed.
    void contextsMayBeMissing()
    {
        QWidget window;
        KubernetesDialog dialog(QStringList(), &window);
        dialog.setContextsError(u"kubectl was not found on this computer."_s);
        QVERIFY(part<QLabel>(&dialog, "kubeContextHelp")->text().contains(u"not found"_s));
        dialog.setContexts({}); // kubectl is there and knows no cluster
        QVERIFY(part<QLabel>(&dialog, "kubeContextHelp")->text().contains(u"--kubeconfig"_s));
        part<QLineEdit>(&dialog, "kubeName")->setText(u"lab"_s);
        part<QComboBox>(&dialog, "kubeContext")->setEditText(u"lab"_s);
        QVERIFY(part<QPushButton>(&dialog, "kubeSave")->isEnabled());
    }

    void isShown()
    {
        ClusterView view;
        ShownCluster shown;
        shown.info.id = u"kubernetes:lab"_s;
        shown.info.kind = u"kubernetes"_s;
        shown.info.name = u"lab"_s;
        shown.info.options = u"--context=lab, queue research"_s;
        view.resize(800, 600);
        view.setCluster(shown);
        view.show();
        QCOMPARE(part<QLabel>(&view, "clusterOptionsShown")->text(), u"--context=lab, queue research"_s);
        QVERIFY(!part<QLabel>(&view, "clusterFolderShown")->isVisible());
        QCOMPARE(part<QLabel>(&view, "clusterState")->text(), u"no JobSet"_s);
        shown.info.steps = {{u"commands"_s, true, {}, {{u"version"_s, u"kubectl v1.31.2"_s}}},
            {u"namespace"_s, false, u"kubernetes.no-namespace"_s,
                {{u"target"_s, u"kubernetes:lab"_s}, {u"detail"_s, u"namespaces \"x\" not found"_s}}}};
        view.setCluster(shown);
        QVERIFY(part<QLabel>(&view, "step-cluster-namespace")->accessibleName().contains(u"Change --namespace"_s));
    }

    // From the button of the page to the check, and back into the dialog.
    void inTheWindow()
    {
        QVERIFY(m_cluster.write(u"contexts"_s, "lab\nother\n"));
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("hosts")->trigger();
        QTRY_VERIFY(window->findChild<HostsPage *>());
        auto *page = window->findChild<HostsPage *>();
        part<QToolButton>(page, "clusterAdd")->click();
        const QPointer<QMenu> kinds = part<QMenu>(window.get(), "clusterKinds");
        QVERIFY(kinds);
        QCOMPARE(kinds->actions().size(), 3);
        QVERIFY(kinds->actions().contains(window->action("addKubernetes")));
        kinds->close();
        window->action("addKubernetes")->trigger();
        const QPointer<KubernetesDialog> dialog = window->findChild<KubernetesDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        auto *context = part<QComboBox>(dialog, "kubeContext");
        QTRY_COMPARE_WITH_TIMEOUT(context->count(), 2, 20'000);
        context->setCurrentIndex(0);
        part<QLineEdit>(dialog, "kubeName")->setText(u"lab"_s);
        part<QLineEdit>(dialog, "kubeQueue")->setText(u"research"_s);
        part<QPushButton>(dialog, "kubeSave")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 10'000);
        QTRY_VERIFY(page->cluster()->isVisible());
        QCOMPARE(page->chosen(), u"kubernetes:lab"_s);
        QTRY_VERIFY_WITH_TIMEOUT(part<QLabel>(page->cluster(), "step-cluster-nodes"), 20'000);
        QVERIFY(part<QLabel>(page->cluster(), "step-cluster-nodes")->accessibleName().contains(u"8 GPUs"_s));
        QTRY_VERIFY(window->findChild<TargetBox *>()->findData(u"kubernetes:lab"_s) >= 0);

        part<QPushButton>(page->cluster(), "clusterChange")->click();
        QTRY_VERIFY(window->findChild<KubernetesDialog *>());
        const QPointer<KubernetesDialog> change = window->findChild<KubernetesDialog *>();
        QCOMPARE(part<QComboBox>(change, "kubeContext")->currentText(), u"lab"_s);
        QCOMPARE(part<QLineEdit>(change, "kubeQueue")->text(), u"research"_s);
        change->reject();
        QTRY_VERIFY(!change);
    }

private:
    WindowFixture m_fixture;
    FakeKubernetes m_cluster;
};

TRAINYARD_GUI_TEST(TstKubernetesDialog)
#include "tst_kubernetesdialog.moc"
