// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/server.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QFileInfo>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace trainyard;

// A job has ended, and its log is still on a slow way from its host.
class TstLateLogs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEngineStaysForThem()
    {
        SshHosts hosts(1, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(hosts);
        qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
        const auto unset = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
        EngineFixture f;
        QVERIFY(f.open());
        QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
        QVERIFY2(QTest::qWaitFor([&f] { return f.engine().hosts().last().state == HostState::Online; }, 60'000),
            qPrintable(f.engine().hosts().last().error));
        RpcServer server(f.engine(), RpcServer::Options{f.path(u"socket"_s), 1, u"0.1.0"_s});
        QSignalSpy finished(&server, &RpcServer::finished);

        constexpr int size = 4'000'000;
        QVERIFY(hosts.setRate(0, u"8mbit"_s));
        SubmitRequest request;
        request.target = u"far"_s;
        const QString uuid = f.submit(
            EngineFixture::document("late",
                EngineFixture::role("main", 1, {"head -c " + QByteArray::number(size) + " /dev/zero | tr '\\0' x"})),
            request);
        QVERIFY(!uuid.isEmpty());
        QVERIFY(f.waitForEnd(uuid, 60'000));
        const QString folder = f.task(uuid, u"main"_s, 0).logFolder;
        QVERIFY2(f.output(uuid, u"main"_s, 0).size() < size, "the line is slow enough");
        QVERIFY(f.engine().isIdle());
        QVERIFY(server.listen());
        QVERIFY(finished.wait(60'000));
        QCOMPARE(finished.constFirst().constFirst().toString(), u"idle"_s);
        QCOMPARE(f.output(uuid, u"main"_s, 0).size(), size);
        QVERIFY(QFileInfo::exists(folder + u"/exit"_s));
        QVERIFY(!f.engine().isBringing());
    }
};

TRAINYARD_TEST(TstLateLogs)
#include "tst_latelogs.moc"
