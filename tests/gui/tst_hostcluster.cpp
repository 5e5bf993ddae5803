// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "tests/helpers/testregistry.h"
#include "widgets/hosts/clusterdialog.h"
#include "widgets/hosts/hostspage.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// A host that has the commands of a cluster leads to the dialog that adds it.
class TstHostCluster : public QObject
{
    Q_OBJECT

    static HostInfo hostWith(const QString &id, bool hasCluster)
    {
        HostInfo host;
        host.id = host.label = id;
        host.target = id == u"local"_s ? QString() : u"mia@"_s + id;
        host.state = HostState::Online;
        host.steps = {{hoststep::agent, StepState::Passed, {}, {{u"version"_s, u"1.0"_s}}, 12}};
        if (hasCluster) {
            host.steps.append(
                {hoststep::cluster, StepState::Passed, {}, {{u"host"_s, host.target.isEmpty() ? QString() : id}}, -1});
        }
        return host;
    }

private Q_SLOTS:
    void pageOffersTheDialog()
    {
        HostsPage page;
        page.resize(1100, 700);
        page.setHosts({hostWith(u"local"_s, true), hostWith(u"login"_s, true), hostWith(u"plain"_s, false)});
        page.show();
        auto *add = page.findChild<QPushButton *>(u"hostAddCluster"_s);
        QVERIFY(add);
        QSignalSpy offered(&page, &HostsPage::clusterOffered);
        page.choose(u"login"_s);
        QVERIFY(add->isVisible());
        const QString text = page.findChild<QLabel *>(u"step-"_s + hoststep::cluster)->text();
        QVERIFY2(!text.contains("trainyardctl"_L1), qPrintable(text)); // that is for terminals
        QVERIFY2(text.contains("installed"_L1), qPrintable(text)); // nobody has asked a cluster
        add->click();
        page.choose(u"local"_s);
        QVERIFY(add->isVisible());
        add->click();
        page.choose(u"plain"_s);
        QVERIFY(!add->isVisible());
        QCOMPARE(offered.size(), 2);
        QCOMPARE(offered.at(0).at(0).toString(), u"login"_s);
        QCOMPARE(offered.at(1).at(0).toString(), QString()); // this computer
    }

    void dialogHasTheHost()
    {
        ClusterDialog dialog(QStringList(), nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.setHosts({u"far"_s, u"login"_s});
        const auto *login = dialog.findChild<QComboBox *>(u"clusterLogin"_s);
        dialog.setLogin(u"login"_s);
        QCOMPARE(login->currentData().toString(), u"login"_s);
        QCOMPARE(login->count(), 3);
        dialog.setLogin({});
        QCOMPARE(login->currentData().toString(), QString());
    }
};

TRAINYARD_GUI_TEST(TstHostCluster)
#include "tst_hostcluster.moc"
