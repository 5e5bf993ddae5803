// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs with retries, in containers, with GPUs, on two ssh hosts and this computer, while links are cut, ssh, agents and
// keepers are killed with -9, jobs are stopped, and the engine is closed and opened. No try runs twice, no two tasks
// share a GPU, no byte of a log that is said to be whole is missing, and nothing runs on at the end.
// TRAINYARD_CHAOS_ROUNDS and TRAINYARD_CHAOS_SEED choose how many and which; the full suite does three hundred.
#include "engine/contract/taskfolder.h"
#include "engine/core/jobstate.h"
#include "tests/daemon/chaosledger.h"
#include "tests/daemon/cutseeds.h"
#include "tests/daemon/fakegpus.h"
#include "tests/daemon/podman.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testprocesses.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QScopeGuard>

#include <signal.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr int taskCount = 2;
constexpr int lineCount = 40;
constexpr int hostCount = 2;
constexpr int firstCode = 9; // of a job that has to be tried again

const CutSeeds &hostChaosSeeds()
{
    static const CutSeeds seeds("hosts", "TRAINYARD_CHAOS_SEED", "TRAINYARD_CHAOS_SEEDS");
    return seeds;
}

} // namespace

class TstHostChaos : public QObject
{
    Q_OBJECT

    enum class Kind { Plain, Again, Boxed, Gpu };
    struct Submitted {
        Kind kind = Kind::Plain;
        bool stopped = false;
    };

    QRandomGenerator m_dice;
    std::unique_ptr<Podman> m_podman;
    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;
    QMap<QString, Submitted> m_jobs; // by UUID
    int m_killedKeepers = 0;
    int m_freeRetries = 0; // of all jobs: those that no task of ours asked for

    static const char *nameOf(Kind kind)
    {
        static constexpr std::array names{"plain", "again", "boxed", "gpu"};
        return names.at(std::size_t(kind));
    }

    // Each task holds a lock while it lives, and one for each of its GPUs: a second holder is written down.
    QByteArray commands(Kind kind) const
    {
        const QByteArray work = QFile::encodeName(m_fixture->path(u"work"_s));
        QByteArray text = "cd " + work
            + "\nme=$PAI_JOB_NAME-$PAI_TASK_INDEX\nexec 9>>$me.lock\n"
              "said=$(flock -n 9 2>&1) || echo \"overlap $me $said\" >> ledger\n";
        if (kind == Kind::Gpu) {
            text += "exec 8>>gpu-$CUDA_VISIBLE_DEVICES.lock\n"
                    "flock -n 8 || echo \"overlap $me on GPU $CUDA_VISIBLE_DEVICES\" >> ledger\n";
        }
        text += "echo \"begin $TRAINYARD_TRY\" >> ledger\nfor i in $(seq " + QByteArray::number(lineCount)
            + "); do echo o $i; echo e $i >&2; sleep 0.03; done\necho \"end $TRAINYARD_TRY\" >> ledger\n";
        if (kind == Kind::Again) {
            text += "[ -e $me.again ] || { touch $me.again; exit " + QByteArray::number(firstCode) + "; }\n";
        }
        return text;
    }

    void submit(int number)
    {
        Kind kind = Kind(m_dice.bounded(4));
        if (kind == Kind::Boxed && !m_podman->problem().isEmpty()) {
            kind = Kind::Plain;
        }
        QByteArray more = "jobRetryCount: " + QByteArray::number(kind == Kind::Again ? taskCount : 0) + '\n';
        if (kind == Kind::Boxed) {
            more += "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \""
                + Podman::image().toUtf8() + "\"}\nextras: {trainyard: {runIn: podman}}\n";
        }
        SubmitRequest request;
        request.target = kind == Kind::Gpu ? u"local"_s : u"far%1"_s.arg(m_dice.bounded(hostCount));
        request.work = m_fixture->path(u"work"_s); // which these hosts share
        const QString uuid = m_fixture->submit(
            EngineFixture::document(QByteArray(nameOf(kind)) + QByteArray::number(number),
                EngineFixture::role("main", taskCount, {commands(kind).trimmed()}, {},
                    kind == Kind::Gpu ? "{cpu: 1, memoryMB: 16, gpu: 1}" : "{cpu: 1, memoryMB: 64, gpu: 0}"),
                more),
            request);
        if (uuid.isEmpty()) {
            // Its host may be away at the moment; anything else is a fault.
            QVERIFY2(m_fixture->error().code.startsWith("host."_L1) || m_fixture->error().code.startsWith("job.host"_L1)
                    || m_fixture->error().code == "job.runtime-missing"_L1,
                qPrintable(m_fixture->error().code));
            return;
        }
        m_jobs.insert(uuid, {kind, false});
    }

    QStringList livingJobs() const
    {
        QStringList living;
        const QList<JobSummary> active = m_fixture->engine().activeJobs();
        for (const JobSummary &job : active) {
            living.append(job.uuid);
        }
        return living;
    }

    // Folders of tries whose keeper lives, there where they run.
    QStringList keptFolders() const
    {
        QStringList folders, roots{m_fixture->path(u"state/runs"_s)};
        for (int i = 0; i < hostCount; ++i) {
            roots.append(m_hosts->home(i) + u"/state"_s);
        }
        for (const QString &root : std::as_const(roots)) {
            QDirIterator files(root, {u"keeper"_s}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString folder = QFileInfo(files.next()).path();
                const auto record = contract::readKeeperRecord(QFile::encodeName(folder).toStdString());
                if (record
                    && EngineFixture::contents(u"/proc/%1/stat"_s.arg(record->process.pid))
                           .split(' ')
                           .contains(QByteArray::number(qint64(record->process.startTime)))) {
                    folders.append(folder);
                }
            }
        }
        return folders;
    }

    void killKeeper()
    {
        const QStringList folders = keptFolders();
        if (folders.isEmpty()) {
            return;
        }
        const QString &folder = folders.at(m_dice.bounded(int(folders.size())));
        const auto record = contract::readKeeperRecord(QFile::encodeName(folder).toStdString());
        if (record) {
            ++m_killedKeepers;
            ::kill(record->process.pid, SIGKILL);
        }
    }

    // The agents, which are the same program as the keepers.
    void killAgents() const
    {
        QSet<qint64> keepers;
        const QStringList folders = keptFolders();
        for (const QString &folder : folders) {
            if (const auto record = contract::readKeeperRecord(QFile::encodeName(folder).toStdString())) {
                keepers.insert(record->process.pid);
            }
        }
        QList<qint64> all;
        for (int i = 0; i < hostCount; ++i) {
            all += processesWith(QFile::encodeName(m_hosts->home(i)));
        }
        for (const qint64 pid : std::as_const(all)) {
            const QString program = QFileInfo(QFile::symLinkTarget(u"/proc/%1/exe"_s.arg(pid))).fileName();
            const QByteArray line = EngineFixture::contents(u"/proc/%1/cmdline"_s.arg(pid));
            if (program.contains("trainyard-agent"_L1) && !keepers.contains(pid) && line.contains("serve")) {
                ::kill(static_cast<pid_t>(pid), SIGKILL);
            }
        }
    }

    void killSsh() const
    {
        const QList<qint64> all = processesWith(QFile::encodeName(m_hosts->configFile()));
        for (const qint64 pid : all) {
            if (EngineFixture::contents(u"/proc/%1/comm"_s.arg(pid)).trimmed() == "ssh") {
                ::kill(static_cast<pid_t>(pid), SIGKILL);
            }
        }
    }

    QString doHarm()
    {
        const int host = m_dice.bounded(hostCount);
        switch (m_dice.bounded(8)) {
        case 0:
            killAgents();
            return u"agents"_s;
        case 1:
            killSsh();
            return u"ssh"_s;
        case 2:
            m_hosts->setLink(host, false);
            QTest::qWait(m_dice.bounded(200, 4000)); // how long the cut lasts: the harm itself
            m_hosts->setLink(host, true);
            return u"link"_s;
        case 3:
        case 4:
            killKeeper();
            return u"keeper"_s;
        case 5: {
            const QStringList living = livingJobs();
            if (!living.isEmpty()) {
                const QString &uuid = living.at(m_dice.bounded(int(living.size())));
                m_jobs[uuid].stopped = m_fixture->engine().stop(uuid).value_or(false) || m_jobs[uuid].stopped;
            }
            return u"stop"_s;
        }
        case 6:
            killKeeper();
            killSsh();
            return u"keeper and ssh"_s;
        default:
            m_fixture->close();
            [this] { QVERIFY(m_fixture->open()); }();
            return u"engine"_s;
        }
    }

    void verifyLog(const TaskInfo &task)
    {
        QTRY_VERIFY2_WITH_TIMEOUT(QFileInfo::exists(task.logFolder + u"/exit"_s), qPrintable(task.logFolder), 60000);
        const QByteArray log = EngineFixture::contents(task.logFolder + u"/output.log"_s);
        QByteArrayList all = log.split('\n');
        if (all.constLast().isEmpty()) {
            all.removeLast();
        }
        const QByteArray what = QFile::encodeName(task.logFolder) + ":\n" + log.left(2000);
        QVERIFY2(ChaosLedger::counted(all, 'o', false) == lineCount, what.constData());
        QVERIFY2(ChaosLedger::counted(all, 'e', false) == lineCount, what.constData());
        QVERIFY2(all.size() == 2 * lineCount, what.constData());
    }

    void verifyJob(const QString &uuid, const Submitted &submitted, ChaosLedger &ledger)
    {
        const JobSummary job = m_fixture->job(uuid);
        const bool asWanted = job.state == State::Succeeded || (submitted.stopped && job.state == State::Stopped);
        QByteArray logs;
        for (int index = 0; index < taskCount && !asWanted; ++index) {
            logs += m_fixture->output(uuid, u"main"_s, index).right(500)
                + m_fixture->runtimeLog(uuid, u"main"_s, index).right(500);
        }
        QVERIFY2(asWanted, QByteArray(QJsonDocument(job.toJson()).toJson() + logs).constData());
        QVERIFY(submitted.kind == Kind::Again || job.userRetries == 0);
        m_freeRetries += job.retries - job.userRetries;
        for (int attempt = 0; attempt <= job.retries; ++attempt) {
            QList<TaskInfo> all = m_fixture->engine().tasks(uuid, attempt).value_or(QList<TaskInfo>());
            QCOMPARE(all.size(), taskCount);
            all += m_fixture->engine().earlierTries(uuid, attempt).value_or(QList<TaskInfo>());
            for (const TaskInfo &one : std::as_const(all)) {
                if (one.keptFrom) {
                    continue;
                }
                const bool byItself = one.rawExit == 0 || one.rawExit == firstCode;
                const bool ranToItsEnd = byItself && one.exitCode.value_or(-1) >= 0;
                const bool never = !one.tryLaunched && one.host.isEmpty();
                const QByteArray what
                    = ledger.take(core::tryUuid(QUuid::fromString(uuid), one.attempt, one.role, one.index, one.tries)
                                      .toByteArray(QUuid::WithoutBraces),
                        ranToItsEnd ? ChaosLedger::Ran::ToItsEnd
                            : never ? ChaosLedger::Ran::Never
                                    : ChaosLedger::Ran::InPart);
                QVERIFY2(what.isEmpty(), QByteArray(QJsonDocument(one.toJson()).toJson() + what).constData());
                if (ranToItsEnd) {
                    verifyLog(one);
                }
            }
        }
    }

private Q_SLOTS:
    void harmedAtRandom_data()
    {
        QTest::addColumn<quint32>("seed");
        const QList<quint32> seeds = hostChaosSeeds().wanted({1}, 1);
        for (const quint32 seed : seeds) {
            QTest::addRow("seed %u", seed) << seed;
        }
    }
    void harmedAtRandom()
    {
        QFETCH(quint32, seed);
        const auto keep = qScopeGuard([seed] {
            if (QTest::currentTestFailed()) {
                hostChaosSeeds().keep(seed);
            }
        });
        m_jobs.clear();
        m_killedKeepers = m_freeRetries = 0;
        m_podman = std::make_unique<Podman>();
        m_hosts = std::make_unique<SshHosts>(hostCount);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        const auto restore = qScopeGuard([this] {
            m_fixture.reset();
            m_hosts.reset();
            m_podman.reset();
            qunsetenv("TRAINYARD_SSH_CONFIG");
        });
        const bool full = isFullForm();
        int rounds = qEnvironmentVariableIntValue("TRAINYARD_CHAOS_ROUNDS");
        rounds = rounds > 0 ? rounds : full ? 300 : 12;
        m_dice.seed(seed);
        qInfo("%d rounds, TRAINYARD_CHAOS_SEED=%u", rounds, seed);

        m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"ssh.aliveIntervalSeconds"_s, 1},
            {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}, {u"retry.freeCap"_s, 1000}});
        const FakeGpus gpus(*m_fixture);
        QVERIFY(m_fixture->open());
        for (int i = 0; i < hostCount; ++i) {
            QVERIFY(m_fixture->engine().addHost(m_hosts->name(i), u"far%1"_s.arg(i)));
        }
        const auto online = [this] {
            const QList<HostInfo> all = m_fixture->engine().hosts();
            return std::all_of(
                all.cbegin(), all.cend(), [](const HostInfo &host) { return host.state == HostState::Online; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(online(), 30000);
        QMap<QString, int> harm;
        for (int round = 0; round < rounds; ++round) {
            if (livingJobs().size() < 3) {
                submit(round);
            }
            if (QTest::currentTestFailed()) {
                return;
            }
            QTest::qWait(m_dice.bounded(1, 800)); // at no particular moment
            ++harm[doHarm()];
        }
        QTRY_VERIFY_WITH_TIMEOUT(online(), 60000);
        QTRY_VERIFY2_WITH_TIMEOUT(
            livingJobs().isEmpty(), qPrintable(livingJobs().join(u' ') + u" are not over"_s), 120000);
        qInfo() << harm << m_jobs.size() << "jobs," << m_killedKeepers << "keepers killed";

        const ChaosLedger all(EngineFixture::contents(m_fixture->path(u"work/ledger"_s)));
        QVERIFY2(all.complaint().isEmpty(), all.complaint().constData());
        ChaosLedger ledger = all;
        for (auto it = m_jobs.cbegin(); it != m_jobs.cend(); ++it) {
            verifyJob(it.key(), it.value(), ledger);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
        QVERIFY2(m_freeRetries <= m_killedKeepers,
            qPrintable(u"%1 retries, but %2 keepers were killed"_s.arg(m_freeRetries).arg(m_killedKeepers)));
        QVERIFY2(ledger.left().isEmpty(), ledger.left().join(' ').constData());
        QVERIFY(ledger.whole() > 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 20000);
        QTRY_VERIFY2_WITH_TIMEOUT(keptFolders().isEmpty(), qPrintable(keptFolders().join(u' ')), 20000);
    }
};

TRAINYARD_TEST(TstHostChaos)
#include "tst_hostchaos.moc"
