// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "tests/helpers/testregistry.h"
#include "widgets/hosts/clusterdialog.h"
#include "widgets/hosts/hostspage.h"
#include "widgets/text/hosttexts.h"

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

    static HostInfo hostWith(const QString &id, bool hasCluster, StepState state = StepState::Passed)
    {
        HostInfo host;
        host.id = host.label = id;
        host.target = id == u"local"_s ? QString() : u"mia@"_s + id;
        host.state = HostState::Online;
        host.steps = {{hoststep::agent, StepState::Passed, {}, {{u"version"_s, u"1.0"_s}}, 12}};
        if (hasCluster) {
            host.steps.append(
                {hoststep::cluster, state, state == StepState::Warned ? u"step.cluster.silent"_s : QString(),
                    {{u"host"_s, host.target.isEmpty() ? QString() : id}, {u"detail"_s, u"nobody is there"_s}}, -1});
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
        QVERIFY2(text.contains("answers"_L1), qPrintable(text));
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

    // Where nothing says where a cluster is, there is none to add, and none as long as it is asked.
    void withoutAClusterNothingIsOffered()
    {
        HostInfo unconfigured = hostWith(u"unconfigured"_s, true, StepState::Warned);
        unconfigured.steps.last().code = u"step.cluster.unconfigured"_s;
        HostsPage page;
        page.resize(1100, 700);
        page.setHosts({unconfigured, hostWith(u"asked"_s, true, StepState::Running),
            hostWith(u"mute"_s, true, StepState::Warned)});
        page.show();
        const auto *add = page.findChild<QPushButton *>(u"hostAddCluster"_s);
        for (const auto &[id, isOffered] :
            {std::pair(u"unconfigured"_s, false), std::pair(u"asked"_s, false), std::pair(u"mute"_s, true)}) {
            page.choose(id);
            QCOMPARE(add->isVisible(), isOffered);
        }
    }

    // The commands alone are no cluster: what is not known does not pass, and what does not answer is a warning.
    void commandsAloneDoNotPass()
    {
        const auto textOf = [](StepState state) { return stepText(hostWith(u"login"_s, true, state).steps.last()); };
        QVERIFY(textOf(StepState::Passed).contains(u"a Slurm cluster answers"_s));
        QVERIFY(textOf(StepState::Running).contains(u"asking whether"_s));
        const QString warned = textOf(StepState::Warned);
        QVERIFY2(warned.contains(u"no controller answers"_s) && warned.contains(u"scontrol ping"_s)
                && warned.contains(u"nobody is there"_s),
            qPrintable(warned));
        HostsPage page;
        page.resize(1100, 700);
        page.setHosts({hostWith(u"asked"_s, true, StepState::Running), hostWith(u"mute"_s, true, StepState::Warned)});
        page.show();
        const auto shown = [&page](const QString &id) {
            page.choose(id);
            return page.findChild<QLabel *>(u"step-"_s + hoststep::cluster)->accessibleName();
        };
        QVERIFY2(shown(u"asked"_s).contains(u"installed"_s), qPrintable(shown(u"asked"_s)));
        QVERIFY2(!shown(u"asked"_s).contains(u"answers"_s), qPrintable(shown(u"asked"_s)));
        QVERIFY2(shown(u"mute"_s).contains(u"no controller answers"_s), qPrintable(shown(u"mute"_s)));
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
