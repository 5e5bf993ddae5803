// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/networkwatch.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QSignalSpy>

using namespace trainyard;
using namespace Qt::StringLiterals;

// This computer gets a network again: what the real kernel says, and what becomes of hosts that could not be reached.
class TstNetworkWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theKernelSaysIt()
    {
        SshHosts hosts(1);
        SKIP_UNLESS_THERE(hosts);
        NetworkWatch watch;
        QSignalSpy cameUp(&watch, &NetworkWatch::cameUp);
        watch.start();
        hosts.setLink(0, false);
        hosts.setLink(0, true);
        QTRY_VERIFY_WITH_TIMEOUT(!cameUp.isEmpty(), 20'000);
    }

    // It was away from the beginning, so that the next attempt would be a quarter of a minute later.
    void aHostIsTriedAtOnce()
    {
        SshHosts hosts(1);
        SKIP_UNLESS_THERE(hosts);
        qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
        EngineFixture f({{u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 60}});
        QVERIFY(f.open());
        hosts.setLink(0, false);
        int failures = 0, attempts = 0;
        HostState last = HostState::Unknown;
        connect(&f.engine(), &Engine::hostChanged, this, [&](const HostInfo &host) {
            if (host.id != "far"_L1 || host.state == last) {
                return;
            }
            last = host.state;
            failures += last == HostState::Offline ? 1 : 0;
            attempts += last == HostState::Connecting ? 1 : 0;
        });
        QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
        QTRY_VERIFY_WITH_TIMEOUT(failures == 5, 60'000);
        const int before = attempts;
        hosts.setLink(0, true);
        QTRY_VERIFY_WITH_TIMEOUT(attempts > before, 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(last == HostState::Online, 60'000);
    }
};

TRAINYARD_TEST(TstNetworkWatch)
#include "tst_networkwatch.moc"
