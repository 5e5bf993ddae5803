// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "tests/helpers/testregistry.h"
#include "widgets/hosts/hostspage.h"
#include "widgets/hosts/hostuseview.h"
#include "widgets/hosts/steplist.h"

#include <QLabel>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// An offline host is tried again and again; whoever reads or types on its page is not disturbed.
class TstHostRetry : public QObject
{
    Q_OBJECT

    static HostInfo offline()
    {
        HostInfo host;
        host.id = host.label = u"lab3"_s;
        host.target = u"mia@10.20.0.13"_s;
        host.state = HostState::Offline;
        host.error = u"host.unreachable"_s;
        host.errorArgs = {{u"host"_s, u"lab3"_s}, {u"message"_s, u"Connection refused"_s}};
        host.steps
            = {{hoststep::resolve, StepState::Passed, {}, {{u"address"_s, u"10.20.0.13"_s}, {u"port"_s, 22}}, 18},
                {hoststep::connect, StepState::Failed, host.error, host.errorArgs, 400},
                {hoststep::key, StepState::Waiting, {}, {}, -1}};
        host.banner = u"Welcome"_s;
        return host;
    }
    // The same host while a connection is being made.
    static HostInfo tried()
    {
        HostInfo host = offline();
        host.state = HostState::Connecting;
        host.banner.clear();
        for (HostStep &step : host.steps) {
            step = {step.id, StepState::Waiting, {}, {}, -1};
        }
        host.steps.first().state = StepState::Running;
        return host;
    }

private Q_SLOTS:
    // A second connection is tried: its steps are shown, what is known stays meanwhile, and the one in use is not
    // said to be lost.
    void aCheckOfAConnectedHost()
    {
        HostInfo host = offline();
        host.state = HostState::Online;
        const Error refused{host.error, host.errorArgs};
        host.error.clear();
        host.errorArgs = {};
        host.steps[1] = {hoststep::connect, StepState::Passed, {}, {{u"version"_s, u"OpenSSH_9.6"_s}}, 20};
        HostsPage page;
        page.setHosts({host});
        const auto textOfConnect = [&page] { return page.findChild<QLabel *>(u"step-"_s + hoststep::connect)->text(); };
        const auto saysThatItAnswers = [&page] {
            const auto labels = page.findChildren<QLabel *>();
            return std::any_of(labels.cbegin(), labels.cend(),
                [](const QLabel *label) { return label->text().contains(u"The connection in use still answers."_s); });
        };
        const QString before = textOfConnect();
        host.check = StepState::Running;
        host.steps[1] = {hoststep::connect, StepState::Running, {}, {}, -1};
        page.setHosts({host});
        QCOMPARE(textOfConnect(), before);
        QVERIFY(!saysThatItAnswers());
        host.check = StepState::Failed;
        host.checkError = refused.code;
        host.checkErrorArgs = refused.args;
        host.steps[1] = {hoststep::connect, StepState::Failed, refused.code, refused.args, 400};
        page.setHosts({host});
        QVERIFY2(textOfConnect().contains("Connection refused"_L1), qPrintable(textOfConnect()));
        QVERIFY(saysThatItAnswers());
        host.check = StepState::Passed;
        host.checkError.clear();
        page.setHosts({host});
        QVERIFY(!saysThatItAnswers());
    }

    void keepsResultsUntilThereAreNewOnes()
    {
        HostsPage page;
        page.resize(1100, 700);
        page.setHosts({offline()});
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto *use = page.findChild<HostUseView *>();
        const auto *steps = page.findChild<StepList *>();
        const auto textOf = [&page](const QString &id) { return page.findChild<QLabel *>(u"step-"_s + id)->text(); };
        const QString refused = textOf(hoststep::connect);
        QVERIFY2(refused.contains("Connection refused"_L1), qPrintable(refused));
        const auto places = [&] { return QList{steps->mapTo(&page, QPoint()), use->mapTo(&page, QPoint())}; };
        QCoreApplication::processEvents();
        QCoreApplication::processEvents(); // texts that are broken ask for another height
        const QList<QPoint> before = places();

        page.setHosts({tried()});
        QCoreApplication::processEvents();
        QCOMPARE(textOf(hoststep::connect), refused);
        QVERIFY(textOf(hoststep::resolve).contains("10.20.0.13"_L1));
        QCOMPARE(places(), before);

        HostInfo next = tried(); // the first step is there, with something new
        next.steps[0]
            = {hoststep::resolve, StepState::Passed, {}, {{u"address"_s, u"10.20.0.99"_s}, {u"port"_s, 22}}, 1};
        next.steps[1].state = StepState::Running;
        page.setHosts({next});
        QVERIFY(textOf(hoststep::resolve).contains("10.20.0.99"_L1));
        QCOMPARE(textOf(hoststep::connect), refused);

        HostInfo other = offline(); // another end
        other.errorArgs = {{u"host"_s, u"lab3"_s}, {u"message"_s, u"No route to host"_s}};
        other.steps[1].args = other.errorArgs;
        page.setHosts({other});
        QVERIFY(textOf(hoststep::connect).contains("No route to host"_L1));
    }

    // What a check has not reached is not its result, even if the last one had passed it.
    void whatACheckHasNotReachedIsNotKnown()
    {
        HostInfo host = offline();
        host.state = HostState::Online;
        host.error.clear();
        host.steps[1] = {hoststep::connect, StepState::Passed, {}, {{u"software"_s, u"OpenSSH_9.6"_s}}, 20};
        host.steps[2] = {hoststep::key, StepState::Passed, {}, {{u"type"_s, u"ED25519"_s}}, 2};
        HostsPage page;
        page.show();
        page.setHosts({host});
        // The page has another list, for clusters.
        const auto *steps
            = qobject_cast<StepList *>(page.findChild<QLabel *>(u"step-"_s + hoststep::connect)->parentWidget());
        QVERIFY(steps);
        QCOMPARE(steps->shownStates(), QList<StepState>(3, StepState::Passed));
        host.check = StepState::Running;
        host.steps[1] = {hoststep::connect, StepState::Running, {}, {}, -1};
        host.steps[2] = {hoststep::key, StepState::Waiting, {}, {}, -1};
        page.setHosts({host});
        QCOMPARE(steps->shownStates(), (QList{StepState::Passed, StepState::Running, StepState::Waiting}));
        const auto labels = page.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
            [](const QLabel *label) { return label->text().contains(u"being checked"_s); }));
    }

    // One that is tried for the first time has no results, and none of another host.
    void showsNoResultsOfOthers()
    {
        HostsPage page;
        HostInfo fresh = tried();
        fresh.id = fresh.label = u"lab4"_s;
        page.setHosts({offline(), fresh});
        page.show();
        page.choose(u"lab4"_s);
        QVERIFY(page.findChild<QLabel *>(u"step-"_s + hoststep::connect)->text().isEmpty());
    }
};

TRAINYARD_GUI_TEST(TstHostRetry)
#include "tst_hostretry.moc"
