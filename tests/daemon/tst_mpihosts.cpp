// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/mpiprograms.h"
#include "tests/daemon/oddserver.h"
#include "tests/daemon/plugintests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// MPI over the ssh of tasks on two hosts that reach each other over a network of theirs, and of which neither knows the
// other's name.
class TstMpiHosts : public PluginTests
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    // What the first task prints; the second one, on the other host, waits for its end.
    QByteArray outputOf(const QByteArray &name, const QByteArrayList &commands)
    {
        const QString uuid = m_fixture->submit(EngineFixture::document(name,
            EngineFixture::role("boss", 1, commands, "    completion: {minSucceededInstances: 1}\n")
                + EngineFixture::role("worker", 1, {"sleep infinity"}, "    completion: {minSucceededInstances: -1}\n"),
            plugins({"{plugin: ssh, parameters: {jobssh: true, sshbarrier: true, sshbarrierTimeout: 1}}"})
                + "  trainyard: {hosts: {boss: {names: [one]}, worker: {names: [other]}}}\n"));
        if (uuid.isEmpty()) {
            return m_fixture->error().code.toUtf8();
        }
        const bool isEnded = m_fixture->waitForEnd(uuid, 90'000);
        const QByteArray out = m_fixture->output(uuid, u"boss"_s, 0);
        return isEnded && m_fixture->job(uuid).state == State::Succeeded ? out : "It has not succeeded.\n" + out;
    }

private Q_SLOTS:
    void initTestCase()
    {
        SKIP_WITHOUT_SSHD();
        m_hosts = std::make_unique<SshHosts>(2);
        SKIP_UNLESS_THERE(*m_hosts);
        QVERIFY2(m_hosts->join(0, 1, u"lan0"_s, u"192.168.83"_s), qPrintable(m_hosts->problem()));
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>();
        m_fixture->setAgentProgram(OddServer::agentProgram());
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"one"_s));
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(1), u"other"_s));
        const auto isReady = [this](int place) {
            const HostInfo host = m_fixture->engine().hosts().value(place);
            return host.state == HostState::Online && m_fixture->engine().checkHost(host.id).has_value()
                && std::any_of(host.addresses.cbegin(), host.addresses.cend(),
                    [](const AddressOfHost &each) { return each.interface == u"lan0"; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isReady(1), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(isReady(2), 60'000);
    }
    void cleanupTestCase()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    void openMpi()
    {
        SKIP_WITHOUT_OPEN_MPI();
        const QByteArray out = outputOf("open-mpi",
            {"mpirun --allow-run-as-root --bind-to none --oversubscribe --mca rtc ^hwloc -np 2 -H boss-0,worker-0 bash "
             "-c 'echo \"rank $OMPI_COMM_WORLD_RANK in $PAI_CURRENT_TASK_ROLE_NAME-$PAI_TASK_INDEX.\"'"});
        QVERIFY2(out.contains("rank 0 in boss-0.") && out.contains("rank 1 in worker-0."), out);
    }

    void mpich()
    {
        SKIP_WITHOUT_MPICH();
        const QByteArray program = m_fixture->path(u"sum.py"_s).toUtf8();
        const QByteArray out = outputOf(
            "mpich", {mpichSumProgram(program), "mpiexec.hydra -np 2 -hosts boss-0:1,worker-0:1 python3 " + program});
        QVERIFY2(out.contains("rank 0 of 2 in boss-0: 21.") && out.contains("rank 1 of 2 in worker-0: 21."), out);
    }
};

TRAINYARD_TEST(TstMpiHosts)
#include "tst_mpihosts.moc"
