// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <sys/stat.h>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

constexpr int rankCount = 3;

// Each rank listens where the others were told that it does, tells each of them its number, and adds up what it hears.
constexpr char rankProgram[] = R"(import os, socket, sys, time

rank = int(os.environ["PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"])
peers = [r for r in range(int(os.environ["PAI_TASK_ROLE_TASK_COUNT_worker"])) if r != rank]


def address(of):
    return os.environ[f"PAI_HOST_IP_worker_{of}"], int(os.environ[f"PAI_worker_{of}_sync_PORT"])


def connect(to):
    until = time.monotonic() + 30
    while True:
        try:
            return socket.create_connection(address(to), timeout=5)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


with open(f"data/rank-{rank}.txt") as file:
    total = int(file.read())
mine = str(total).encode() + b"\n"
with socket.create_server(address(rank)) as server:
    server.settimeout(30)
    lines = [connect(peer) for peer in peers]
    for line in lines:
        line.sendall(mine)
    heard = []
    for _ in peers:
        line, (host, _port) = server.accept()
        with line:
            total += int(line.makefile().readline())
        heard.append(host)
    for line in lines:
        line.close()
os.makedirs("out", exist_ok=True)
with open(f"out/rank-{rank}.txt", "w") as file:
    file.write(f"{total} heard of {' '.join(sorted(heard))}\n")
print(f"rank {rank}: {total}")
)";

} // namespace

// One run over three hosts, each with a real sshd, a network and a boot of its own: the code goes to each of them, the
// ranks reach each other by the addresses that they are told, and what they have written comes back.
class TstThreeHosts : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    void write(const QString &name, const QByteArray &bytes) const
    {
        const QString path = m_fixture->path(u"work/"_s + name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    bool areOnline() const
    {
        const QList<HostInfo> all = m_fixture->engine().hosts();
        return std::all_of(
            all.cbegin(), all.cend(), [](const HostInfo &host) { return host.state == HostState::Online; });
    }
    bool areBrought(const QString &job) const
    {
        const Result<JobDetail> detail = m_fixture->engine().job(job);
        return detail && detail->brought.size() == rankCount
            && std::all_of(detail->brought.cbegin(), detail->brought.cend(),
                [](const BroughtFiles &one) { return !one.isPending && one.files > 0; });
    }

private Q_SLOTS:
    void cleanup()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    void aRunOverAllOfThem()
    {
        m_hosts = std::make_unique<SshHosts>(rankCount, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(*m_hosts);
        QVERIFY2(m_hosts->join(), qPrintable(m_hosts->problem()));
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>();
        EngineFixture &f = *m_fixture;
        QVERIFY(f.open());
        for (int i = 0; i < rankCount; ++i) {
            QVERIFY(f.engine().addHost(m_hosts->name(i), u"far%1"_s.arg(i)));
        }
        QTRY_VERIFY_WITH_TIMEOUT(areOnline(), 30000);
        write(u"rank.py"_s, rankProgram);
        constexpr std::array numbers{2, 30, 400};
        for (int i = 0; i < rankCount; ++i) {
            write(u"data/rank-%1.txt"_s.arg(i), QByteArray::number(numbers.at(std::size_t(i))));
        }
        // Beside their homes, which each of them has alone: this they share.
        QFile shared(QFileInfo(m_hosts->home(0)).path() + u"/ledger"_s);
        QVERIFY(shared.open(QIODevice::WriteOnly));
        shared.close();
        QVERIFY(::chmod(QFile::encodeName(shared.fileName()).constData(), 0666) == 0);
        const QByteArray ledger = QFile::encodeName(shared.fileName());
        SubmitRequest request;
        request.target = u"any"_s;
        const QString job = f.submit(
            EngineFixture::document("ranks",
                EngineFixture::role("worker", rankCount,
                    {"echo $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX $TRAINYARD_TRY >> " + ledger, "python3 rank.py"},
                    {}, "{cpu: 1, memoryMB: 16, gpu: 0, ports: {sync: 1}}"),
                "jobRetryCount: 0\nextras: {trainyard: {results: ['out/*.txt'],\n"
                "  hosts: {worker: {names: [far0, far1, far2], arrange: different-hosts}}}}\n"),
            request);
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(job, 60000));
        for (int i = 0; i < rankCount; ++i) {
            const QString log = f.task(job, u"worker"_s, i).logFolder;
            QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(log + u"/exit"_s), 20000);
            QCOMPARE(f.output(job, u"worker"_s, i), "rank " + QByteArray::number(i) + ": 432\n");
        }
        QCOMPARE(f.job(job).state, State::Succeeded);
        QCOMPARE(f.job(job).retries, 0);

        // Each on a host of its own, and begun once.
        QSet<QString> used;
        for (int i = 0; i < rankCount; ++i) {
            used.insert(f.task(job, u"worker"_s, i).host);
        }
        QCOMPARE(used, (QSet<QString>{u"far0"_s, u"far1"_s, u"far2"_s}));
        QByteArrayList begun = EngineFixture::contents(QFile::decodeName(ledger)).trimmed().split('\n');
        std::sort(begun.begin(), begun.end());
        QCOMPARE(begun.size(), rankCount);
        for (int i = 0; i < rankCount; ++i) {
            QVERIFY2(begun.at(i).split(' ').constFirst() == QByteArray::number(i), begun.join(", ").constData());
        }

        // What each has written is here, and says that the others reached it from their own addresses.
        QTRY_VERIFY_WITH_TIMEOUT(areBrought(job), 30000);
        for (int i = 0; i < rankCount; ++i) {
            QByteArrayList peers;
            for (int other = 0; other < rankCount; ++other) {
                if (other != i) {
                    peers.append(f.task(job, u"worker"_s, other).address.toLatin1());
                }
            }
            std::sort(peers.begin(), peers.end());
            const QString result
                = f.path(u"work/results/%1-ranks/worker-%2/out/rank-%2.txt"_s.arg(f.job(job).id).arg(i));
            QCOMPARE(EngineFixture::contents(result), "432 heard of " + peers.join(' ') + '\n');
        }
        QTRY_VERIFY(f.engine().isIdle());
    }
};

TRAINYARD_TEST(TstThreeHosts)
#include "tst_threehosts.moc"
