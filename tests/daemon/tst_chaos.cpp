// SPDX-License-Identifier: GPL-3.0-or-later
// Daemon, agents, keepers and clients are killed with -9 at random points of jobs that run on. Nothing may run twice,
// no exit code and no byte of a log may be lost or doubled; only a try whose keeper was killed is lost, and begun
// again. TRAINYARD_CHAOS_ROUNDS and TRAINYARD_CHAOS_SEED choose how many and which; the full suite does a thousand.
#include "engine/client/engineclient.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/jobstate.h"
#include "tests/daemon/chaosledger.h"
#include "tests/daemon/cutseeds.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QScopeGuard>

#include <signal.h>
#include <sys/stat.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr int tasks = 3;
constexpr int lines = 60;

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int codeOf(int index) { return index * 5; } // 0, 5, 10

// Every task notes its begin and its end, looks whether an earlier try of it still lives, and counts on both streams.
// With a gang the lost one makes a new attempt, without it a new try.
QByteArray document(const QString &name, bool gang)
{
    const QByteArray exitLine = gang ? "exit 0" : "exit $((PAI_TASK_INDEX * 5))";
    return "protocolVersion: 2\nname: " + name.toUtf8()
        + "\ntype: job\njobRetryCount: 0\nprerequisites:\n  - {name: img, type: dockerimage, uri: x}\n"
          "taskRoles:\n  main:\n    instances: "
        + QByteArray::number(tasks) + "\n    dockerImage: img\n"
        + (gang ? "" : "    completion: {minFailedInstances: -1}\n")
        + "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n    commands:\n      - |\n"
          "        me=$PAI_JOB_NAME-$PAI_TASK_INDEX\n"
          "        other=$(cat $me.pid 2>/dev/null || echo none)\n"
          "        if grep -qsz ^TRAINYARD_TRY= /proc/$other/environ; then echo \"overlap $me $TRAINYARD_TRY\" >> "
          "ledger; fi\n"
          "        echo $$ > $me.pid\n"
          "        echo \"begin $TRAINYARD_TRY\" >> ledger\n"
          "        for i in $(seq "
        + QByteArray::number(lines)
        + "); do echo o $i; echo e $i >&2; sleep 0.03; done\n"
          "        echo \"end $TRAINYARD_TRY\" >> ledger\n"
          "        "
        + exitLine + "\nextras: {gangAllocation: " + (gang ? "true" : "false") + "}\n";
}

const CutSeeds &chaosSeeds()
{
    static const CutSeeds seeds("chaos", "TRAINYARD_CHAOS_SEED", "TRAINYARD_CHAOS_SEEDS");
    return seeds;
}

} // namespace

class TstChaos : public QObject
{
    Q_OBJECT

    QRandomGenerator m_random;
    QSet<QString> m_killedTries; // folders whose keeper we have killed
    QSet<QString> m_names; // jobs that were asked for
    QSet<QString> m_surely; // jobs of which we were told that they are taken
    QMap<QString, bool> m_gang;
    std::vector<std::unique_ptr<QProcess>> m_clients;
    QMap<QProcess *, QString> m_clientJobs;
    int m_number = 0;

    static void kill9(qint64 pid) { ::kill(static_cast<pid_t>(pid), SIGKILL); }

    QString nextJob(const ProgramsFixture &f)
    {
        const QString name = u"chaos%1"_s.arg(++m_number);
        m_gang.insert(name, m_number % 3 == 0);
        m_names.insert(name);
        f.write(u"work/%1.yaml"_s.arg(name), document(name, m_number % 3 == 0));
        return name;
    }

    void submit(const ProgramsFixture &f, EngineClient &client)
    {
        const QString name = nextJob(f);
        SubmitRequest request;
        request.file = f.path(u"work/%1.yaml"_s.arg(name));
        request.yaml = contents(request.file);
        client.call<api::Submit>(request, this, [this, name](const Result<SubmitReply> &reply) {
            if (reply) {
                m_surely.insert(name);
            }
        });
    }

    // Programs of the user's that may die in the middle of what they do.
    void startClient(const ProgramsFixture &f)
    {
        const QStringList all{u"ps"_s, u"wait"_s, u"logs"_s, u"run"_s};
        const QString &what = all.at(m_random.bounded(int(all.size())));
        const QString newest = u"chaos%1"_s.arg(m_number);
        if (what == "run"_L1) {
            const QString name = nextJob(f);
            m_clients.push_back(f.startCtl({what, f.path(u"work/%1.yaml"_s.arg(name))}));
            m_clientJobs.insert(m_clients.back().get(), name);
        } else if (what == "logs"_L1) {
            m_clients.push_back(f.startCtl({what, newest, u"main/0"_s, u"-f"_s}));
        } else {
            m_clients.push_back(f.startCtl(what == "ps"_L1 ? QStringList{what} : QStringList{what, newest}));
        }
    }

    void endClients(bool kill)
    {
        for (const auto &process : m_clients) {
            if (kill) {
                process->kill();
            }
            process->waitForFinished(30000);
            if (process->exitStatus() == QProcess::NormalExit && process->exitCode() == 0
                && m_clientJobs.contains(process.get())) {
                m_surely.insert(m_clientJobs.value(process.get()));
            }
        }
        m_clients.clear();
        m_clientJobs.clear();
    }

    QString killKeeper(const ProgramsFixture &f)
    {
        QStringList folders;
        QDirIterator files(f.stateFolder() + u"/runs"_s, {u"keeper"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString folder = QFileInfo(files.next()).path();
            if (!QFile::exists(folder + u"/exit"_s)) {
                folders.append(folder);
            }
        }
        if (folders.isEmpty()) {
            return {};
        }
        const QString folder = folders.at(m_random.bounded(int(folders.size())));
        const auto record = contract::readKeeperRecord(QFile::encodeName(folder).toStdString());
        // The keeper may be about to write its last word: then it was not lost after all.
        if (!record || !QFileInfo::exists(u"/proc/%1"_s.arg(record->process.pid))) {
            return {};
        }
        m_killedTries.insert(folder);
        kill9(record->process.pid);
        return folder;
    }

    QString killSomething(const ProgramsFixture &f)
    {
        const auto killDaemon = [&f] {
            const QList<qint64> pids = f.pidsOf(u"trainyardd"_s);
            std::for_each(pids.begin(), pids.end(), kill9);
        };
        const auto killAgents = [&f] {
            const QList<qint64> pids = f.agentPids();
            std::for_each(pids.begin(), pids.end(), kill9);
        };
        switch (m_random.bounded(10)) {
        case 0:
        case 1:
        case 2:
            killDaemon();
            return u"daemon"_s;
        case 3:
        case 4:
            killAgents();
            return u"agent"_s;
        case 5:
        case 6:
            return u"keeper "_s + killKeeper(f);
        case 7: {
            const QList<qint64> agents = f.agentPids();
            killDaemon();
            std::for_each(agents.begin(), agents.end(), kill9);
            return u"daemon and agent"_s;
        }
        case 8:
            killKeeper(f);
            killAgents();
            return u"keeper and agent"_s;
        default:
            endClients(true);
            return u"clients"_s;
        }
    }

    void verifyTry(const QString &folder, const ChaosLedger &ledger, int code)
    {
        const std::string path = QFile::encodeName(folder).toStdString();
        const auto exit = contract::readExitRecord(path);
        QVERIFY2(exit, qPrintable(u"no exit record in "_s + folder));
        const auto started = contract::readStartedRecord(path);
        const QByteArray log = contents(folder + u"/output.log"_s);
        QByteArrayList all = log.split('\n');
        if (all.constLast().isEmpty()) {
            all.removeLast();
        }
        const bool lost = exit->kind == contract::ExitKind::Lost || exit->kind == contract::ExitKind::StartFailed;
        QVERIFY2(!lost || m_killedTries.contains(folder),
            qPrintable(folder + u" is lost: "_s + QString::fromStdString(exit->reason)));
        const int out = ChaosLedger::counted(all, 'o', lost);
        const int err = ChaosLedger::counted(all, 'e', lost);
        QVERIFY2(out >= 0 && err >= 0, QByteArray(folder.toUtf8() + ":\n" + log).constData());
        if (started) {
            const int began = ledger.begins(QByteArray::fromStdString(started->tryUuid));
            const QByteArray what = " times, " + QByteArray::fromStdString(exit->format()) + '\n' + log.left(2000)
                + contents(folder + u"/runtime.log"_s);
            QVERIFY2(began == 1 || (lost && began == 0),
                QByteArray(folder.toUtf8() + " began " + QByteArray::number(began) + what).constData());
        }
        if (lost) {
            return;
        }
        QCOMPARE(exit->kind, contract::ExitKind::Exited);
        QCOMPARE(exit->value, code);
        QCOMPARE(out, lines);
        QCOMPARE(err, lines);
        QCOMPARE(all.size(), 2 * lines);
        // The index speaks of every byte, once.
        const QByteArray index = contents(folder + u"/output.idx"_s);
        QCOMPARE(index.size() % qsizetype(contract::indexRecordSize), 0);
        quint64 at = 0;
        for (qsizetype i = 0; i < index.size(); i += qsizetype(contract::indexRecordSize)) {
            const auto record = contract::decodeIndexRecord(index.constData() + i);
            QCOMPARE(quint64(record.offset), at);
            at += record.length;
        }
        QCOMPARE(at, quint64(log.size()));
    }

    void verifyJob(const ProgramsFixture &f, const JobSummary &job, const ChaosLedger &ledger)
    {
        const bool gang = m_gang.value(job.name);
        QCOMPARE(job.state, State::Succeeded);
        const QString runs = f.stateFolder() + u"/runs/"_s + job.uuid;
        int attempts = 0;
        while (QDir(runs + u'/' + QString::number(attempts)).exists()) {
            ++attempts;
        }
        QCOMPARE(job.retries, attempts - 1);
        QVERIFY(gang || attempts == 1);
        int killed = 0;
        for (int attempt = 0; attempt < attempts; ++attempt) {
            for (int index = 0; index < tasks; ++index) {
                const QString task = runs + u"/%1/main-%2"_s.arg(attempt).arg(index);
                const QStringList tries = QDir(task).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
                QVERIFY(!gang || tries.size() <= 1);
                for (const QString &one : tries) {
                    const QString folder = task + u'/' + one;
                    killed += m_killedTries.contains(folder) ? 1 : 0;
                    if (gang && attempt < attempts - 1) {
                        continue; // it was ended together with the one that got lost
                    }
                    verifyTry(folder, ledger, gang ? 0 : codeOf(index));
                }
                QVERIFY(gang || tries.size() <= 1 + m_killedTries.size());
            }
        }
        QVERIFY2(attempts - 1 <= killed, "an attempt was given up without a reason");
    }

    // What the tasks have done outside of what the engine keeps, against what it says of each try.
    void verifyEffects(const JobSummary &job, const QList<TaskInfo> &tries, ChaosLedger &ledger) const
    {
        for (const TaskInfo &one : tries) {
            if (one.keptFrom) {
                continue;
            }
            const bool ranToItsEnd = one.rawExit == std::optional<int>(m_gang.value(job.name) ? 0 : codeOf(one.index))
                && one.exitCode != -101;
            const bool never = !one.tryLaunched && one.host.isEmpty();
            const QByteArray what
                = ledger.take(core::tryUuid(QUuid::fromString(job.uuid), one.attempt, one.role, one.index, one.tries)
                                  .toByteArray(QUuid::WithoutBraces),
                    ranToItsEnd ? ChaosLedger::Ran::ToItsEnd
                        : never ? ChaosLedger::Ran::Never
                                : ChaosLedger::Ran::InPart);
            QVERIFY2(what.isEmpty(),
                QByteArray(job.name.toUtf8() + " (" + one.subState.toUtf8() + ", code "
                    + QByteArray::number(one.exitCode.value_or(-1)) + "): " + what)
                    .constData());
        }
    }

    // What clients are told of the tasks is what lies in their folders.
    void verifyRecord(const JobSummary &job, const QList<TaskInfo> &all)
    {
        QCOMPARE(all.size(), tasks);
        for (const TaskInfo &task : all) {
            QCOMPARE(task.rawExit, std::optional<int>(m_gang.value(job.name) ? 0 : codeOf(task.index)));
            const QDir tries(QFileInfo(task.logFolder).path());
            QCOMPARE(tries.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), task.tries + 1);
        }
    }

private Q_SLOTS:
    void killedAtRandom_data()
    {
        QTest::addColumn<quint32>("seed");
        const QList<quint32> seeds = chaosSeeds().wanted({QRandomGenerator::global()->generate()}, 1);
        for (const quint32 seed : seeds) {
            QTest::addRow("seed %u", seed) << seed;
        }
    }
    void killedAtRandom()
    {
        QFETCH(quint32, seed);
        const auto keep = qScopeGuard([seed] {
            if (QTest::currentTestFailed()) {
                chaosSeeds().keep(seed);
            }
        });
        m_killedTries.clear();
        m_names.clear();
        m_surely.clear();
        m_gang.clear();
        m_number = 0;
        const bool full = isFullForm();
        int rounds = qEnvironmentVariableIntValue("TRAINYARD_CHAOS_ROUNDS");
        rounds = rounds > 0 ? rounds : full ? 1000 : 60;
        m_random.seed(seed);
        qInfo("%d rounds, TRAINYARD_CHAOS_SEED=%u", rounds, seed);

        ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s}, {u"retry.pauseSeconds"_s, 0},
            {u"retry.freeCap"_s, 1000}});
        QMap<QString, int> kills;
        QElapsedTimer clock;
        clock.start();
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        for (int round = 0; round < rounds; ++round) {
            QTRY_VERIFY_WITH_TIMEOUT(client.status() == EngineClient::Status::Ready, 30000);
            int active = 0;
            const QList<JobSummary> known = client.jobs();
            for (const JobSummary &job : known) {
                active += isFinal(job.state) ? 0 : 1;
            }
            if (active < 2) {
                submit(f, client);
            }
            if (m_clients.size() < 2) {
                startClient(f);
            }
            QTest::qWait(m_random.bounded(1, 350)); // at no particular moment
            const QString what = killSomething(f);
            ++kills[what.section(u' ', 0, 0)];
        }
        endClients(false);
        const qint64 killing = clock.elapsed();

        QTRY_VERIFY_WITH_TIMEOUT(client.status() == EngineClient::Status::Ready, 30000);
        const auto over = [&client] {
            const QList<JobSummary> all = client.jobs();
            return client.status() == EngineClient::Status::Ready
                && std::all_of(all.begin(), all.end(), [](const JobSummary &job) { return isFinal(job.state); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(over(), 60000);
        qInfo() << "killed" << kills << "in" << killing << "ms;" << m_number << "jobs asked for,"
                << m_killedTries.size() << "keepers killed; all over after" << clock.elapsed() << "ms";

        const ChaosLedger all(contents(f.path(u"work/ledger"_s)));
        QVERIFY2(all.complaint().isEmpty(), all.complaint().constData());
        ChaosLedger ledger = all; // those of which nothing was said yet
        QMap<QString, int> seen;
        std::optional<QList<JobSummary>> jobs;
        client.call<api::ListJobs>(
            {{}, 0, 0}, this, [&jobs](const Result<QList<JobSummary>> &reply) { jobs = reply.value(); });
        QTRY_VERIFY(jobs);
        for (const JobSummary &job : std::as_const(*jobs)) {
            ++seen[job.name];
            verifyJob(f, job, all);
            std::optional<QList<TaskInfo>> record;
            client.call<api::ListTasks>({job.uuid, -1, 0, 0}, this,
                [&record](const Result<QList<TaskInfo>> &reply) { record = reply.value_or(QList<TaskInfo>()); });
            QTRY_VERIFY(record);
            verifyRecord(job, *record);
            for (int attempt = 0; attempt <= job.retries; ++attempt) {
                std::optional<QList<TaskInfo>> last, earlier;
                client.call<api::ListTasks>({job.uuid, attempt, 0, 0}, this,
                    [&last](const Result<QList<TaskInfo>> &reply) { last = reply.value_or(QList<TaskInfo>()); });
                client.call<api::ListTries>({job.uuid, attempt, 0, 0}, this,
                    [&earlier](const Result<QList<TaskInfo>> &reply) { earlier = reply.value_or(QList<TaskInfo>()); });
                QTRY_VERIFY(last && earlier);
                QCOMPARE(last->size(), tasks);
                verifyEffects(job, *last + *earlier, ledger);
            }
            if (QTest::currentTestFailed()) {
                qWarning() << job.toJson();
                return;
            }
        }
        QVERIFY2(ledger.left().isEmpty(),
            QByteArray("tries have run that the engine says nothing of: " + ledger.left().join(' ')).constData());
        QVERIFY(ledger.whole() >= tasks * int(jobs->size())); // all jobs succeeded
        for (auto it = seen.cbegin(); it != seen.cend(); ++it) {
            QVERIFY2(it.value() == 1, qPrintable(it.key() + u" was taken twice"_s));
        }
        for (const QString &name : std::as_const(m_surely)) {
            QVERIFY2(seen.contains(name), qPrintable(name + u" was taken and is not there"_s));
        }
        // No process is left.
        QTRY_VERIFY_WITH_TIMEOUT(f.pidsOf(u"trainyard-agent"_s).size() <= 1 && f.pidsOf(u"bash"_s).isEmpty(), 10000);
    }
};

TRAINYARD_TEST(TstChaos)
#include "tst_chaos.moc"
