// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/containertests.h"
#include "tests/daemon/podman.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QJsonArray>
#include <QProcess>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTest>

#include <signal.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Where containers run: on hosts that have the program and with images that can be had, as the plan says, or it is said
// why not.
class TstContainerHosts : public ContainerTests
{
    Q_OBJECT

private Q_SLOTS:
    void imageMissing();
    void noShellInTheImage();
    void onAnSshHost();
    void onlyWhereTheProgramIs();
    void inTheForeground();
    void refusesToWorkInASystemFolder();
    void whereItMayRun();
    void plans();
};

void TstContainerHosts::imageMissing()
{
    const QString uuid = m_fixture->submit(inPodman("missing", role({"true"}), imageLine("localhost/not/there:1")));
    QVERIFY(m_fixture->waitFor(
        uuid, [&](const JobSummary &) { return m_fixture->task(uuid, u"main"_s, 0, 0).exitCode.has_value(); }));
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0, 0);
    // Nobody answers at that registry, which may be better soon: it is tried again.
    QCOMPARE(task.reason, u"launch.pull-failed"_s);
    QVERIFY2(task.reasonArgs.value(u"detail").toString().contains(u"connection refused"_s),
        qPrintable(task.reasonArgs.value(u"detail").toString()));
    const QByteArray log = EngineFixture::contents(task.logFolder + u"/runtime.log"_s);
    QVERIFY2(log.contains("Fetching the image localhost/not/there:1 with podman") && log.contains("podman: "),
        log.constData());
    QVERIFY(m_fixture->engine().stop(uuid));
    QVERIFY(m_fixture->waitForEnd(uuid));
}

void TstContainerHosts::noShellInTheImage()
{
    QCOMPARE(m_podman->run({u"import"_s, u"-q"_s, u"/dev/null"_s, u"localhost/empty:1"_s}), 0);
    const QString uuid = m_fixture->submit(inPodman("shell", role({"true"}), imageLine("localhost/empty:1")));
    QVERIFY(m_fixture->waitForEnd(uuid));
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0);
    QCOMPARE(task.reason, u"launch.container-shell-missing"_s);
    QCOMPARE(task.exitCode, std::optional<int>(-1203));
}

void TstContainerHosts::onAnSshHost()
{
    const SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    const Result<HostInfo> added = m_fixture->engine().addHost(hosts.name(0));
    QVERIFY(added);
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->engine().hosts().last().state == HostState::Online; }, 15000));
    QVERIFY(m_fixture->engine().hosts().last().runtimes.contains(u"podman"_s));
    SubmitRequest request;
    request.target = added->id;
    const QString uuid = m_fixture->submit(
        inPodman("far",
            role({"echo far away", "echo error >&2", "head -c 200 /proc/1/cmdline | tr '\\0' ' ' > seen",
                     "echo kept > \"$TRAINYARD_CHECKPOINT_DIR/kept\"", "exit 6"},
                "    completion: {minFailedInstances: -1}\n")),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QVERIFY2(m_fixture->task(uuid, u"main"_s, 0).rawExit == std::optional<int>(6),
        m_fixture->runtimeLog(uuid, u"main"_s, 0).constData());
    QCOMPARE(m_fixture->job(uuid).hosts, QStringList{added->id});
    const QByteArray log = m_fixture->output(uuid, u"main"_s, 0);
    QVERIFY2(log.contains("far away\n") && log.contains("error\n"), log.constData());
    QVERIFY(!filesWith(hosts.home(0) + u"/state"_s, "kept\n").isEmpty()); // on that host
    QVERIFY(!m_fixture->task(uuid, u"main"_s, 0).logFolder.startsWith(hosts.home(0))); // the mirror is here
    // A stop goes the same way, and leaves nothing (cleanup() looks).
    const QString endless = m_fixture->submit(inPodman("endless", role({"echo ready", "sleep 1000"})), request);
    QVERIFY(waitForOutput(endless, "ready\n"));
    QVERIFY(m_fixture->engine().stop(endless));
    QVERIFY(m_fixture->waitForEnd(endless));
    QCOMPARE(m_fixture->job(endless).state, State::Stopped);
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 10000);
    m_fixture->close();
}

// One host has the container program, the other has none.
void TstContainerHosts::onlyWhereTheProgramIs()
{
    const SshHosts hosts(1, {QStandardPaths::findExecutable(u"podman"_s)});
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    Engine &engine = m_fixture->engine();
    const Result<HostInfo> added = engine.addHost(hosts.name(0));
    QVERIFY(added);
    QVERIFY(QTest::qWaitFor([&] { return engine.hosts().last().state == HostState::Online; }, 15000));
    QVERIFY(!engine.hosts().last().runtimes.contains(u"podman"_s));
    SubmitRequest there, here;
    there.target = added->id;
    here.target = engine.hosts().first().id;
    QVERIFY(m_fixture->submit(inPodman("refused", role({"true"})), there).isEmpty());
    QCOMPARE(m_fixture->error().code, u"job.runtime-missing"_s);
    QCOMPARE(m_fixture->error().args.value(u"host"_s).toString(), engine.hosts().last().label);
    // With no room here it waits, though the other has some: which whoever needs no container gets.
    const QByteArray most
        = "{cpu: 1, memoryMB: " + QByteArray::number(engine.hosts().first().memoryMiB * 6 / 10) + ", gpu: 0}";
    const QString first = m_fixture->submit(
        EngineFixture::document("first", role({"until [ -e go ]; do sleep 0.05; done"}, {}, most)), here);
    QVERIFY(m_fixture->waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
    const QString boxed = m_fixture->submit(inPodman("boxed", role({"ls / > root"}, {}, most)));
    QVERIFY2(!boxed.isEmpty(), qPrintable(m_fixture->error().code));
    SubmitRequest anywhere; // its work folder is here
    anywhere.target = u"any"_s;
    const QString plain = m_fixture->submit(EngineFixture::document("plain", role({"true"}, {}, most)), anywhere);
    QVERIFY(m_fixture->waitForEnd(plain));
    QCOMPARE(m_fixture->job(plain).hosts, QStringList{added->id});
    QCOMPARE(m_fixture->job(boxed).state, State::Waiting);
    QFile go(m_fixture->path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(m_fixture->waitForEnd(boxed));
    QCOMPARE(m_fixture->job(boxed).state, State::Succeeded);
    QCOMPARE(m_fixture->job(boxed).hosts, QStringList{here.target});
    m_fixture->close();
}

void TstContainerHosts::inTheForeground()
{
    m_fixture->close();
    ProgramsFixture f;
    const QByteArray yaml = EngineFixture::document(
        "front", role({"echo in front", "ls / > root", "exit 5"}), imageLine(Podman::image().toUtf8()));
    const QString file = f.write(u"work/front.yaml"_s, yaml);
    const auto run = f.ctl({u"run"_s, u"--foreground"_s, u"--in"_s, u"podman"_s, file});
    QVERIFY2(run.status == 5 && run.out.contains("in front\n"), QByteArray(run.out + run.err).constData());
    QVERIFY(!EngineFixture::contents(f.path(u"work/root"_s)).contains("home")); // it was the image's
    QVERIFY(f.pidsOf(u"trainyardd"_s).isEmpty());
    // Ctrl+C stops the container, too.
    const QString endless = f.write(u"work/endless.yaml"_s,
        EngineFixture::document("endless",
            role({"trap 'echo saved > saved; exit' TERM", "echo ready > ready", "while :; do sleep 0.1; done"}),
            imageLine(Podman::image().toUtf8())));
    const auto process = f.startCtl({u"run"_s, u"--foreground"_s, u"--in"_s, u"podman"_s, endless});
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(f.path(u"work/ready"_s)); }, 15000));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    QVERIFY(QTest::qWaitFor([&] { return process->state() == QProcess::NotRunning; }, 15000));
    QVERIFY(QFileInfo::exists(f.path(u"work/saved"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 10000);
}

// The container needs its own folder of that name: no task could begin.
void TstContainerHosts::refusesToWorkInASystemFolder()
{
    const QByteArray plain = EngineFixture::document("plain", role({"true"}), imageLine(Podman::image().toUtf8()));
    SubmitRequest request;
    request.runIn = u"podman"_s;
    for (const QString &folder : {u"/etc"_s, u"/usr/"_s, u"/proc/sys"_s, u"/"_s}) {
        request.work = folder;
        QVERIFY(m_fixture->submit(plain, request).isEmpty());
        QCOMPARE(m_fixture->error().code, u"launch.container-work"_s);
    }
    request.work.clear();
    request.file = u"/etc/job.pai.yaml"_s;
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"launch.container-work"_s);
    request.runIn = u"host"_s;
    const QString uuid = m_fixture->submit(plain, request);
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->engine().job(uuid)->summary.state, State::Succeeded);
}

// What no host has is refused, whoever asks for it; so is what tasks cannot run in at all.
void TstContainerHosts::whereItMayRun()
{
    const QByteArray plain
        = EngineFixture::document("plain", role({"echo $PAI_TASK_INDEX"}), imageLine(Podman::image().toUtf8()));
    SubmitRequest request;
    const QStringList there = m_fixture->engine().hosts().first().runtimes;
    QStringList missing{u"docker"_s, u"apptainer"_s};
    missing.removeIf([&](const QString &runtime) { return there.contains(runtime); });
    if (missing.isEmpty()) {
        QSKIP("docker and apptainer are both installed: run it where one is missing.");
    }
    request.runIn = missing.first();
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"job.runtime-missing"_s);
    QCOMPARE(m_fixture->error().args.value(u"runIn"_s).toString(), missing.first());
    request.runIn = u"lxc"_s;
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"job.run-in-unknown"_s);
    request.runIn = u"podman"_s;
    const QByteArray noImage = QByteArray(plain).replace(Podman::image().toUtf8(), "");
    QVERIFY(m_fixture->submit(noImage, request).isEmpty());
    request.runIn = QString();
    QVERIFY(m_fixture->engine().setSetting(u"containers.runIn"_s, missing.first()));
    QCOMPARE(m_fixture->engine().hosts().first().runIn, missing.first());
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"refuse.runtime"_s);
    QCOMPARE(m_fixture->error().args.value(u"runIn"_s).toString(), missing.first());
    request.runIn = u"host"_s; // the setting is only a default
    const QString uuid = m_fixture->submit(plain, request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
}

// The preview says what `run` then does.
void TstContainerHosts::plans()
{
    m_fixture->close();
    QVERIFY(QDir().mkpath(m_fixture->path(u"data"_s)));
    m_fixture->setSettings(
        {{u"containers.mounts"_s, QJsonArray{QString(m_fixture->path(u"data"_s) + u":/in/data:ro"_s)}}});
    QVERIFY(m_fixture->open());
    SubmitRequest request;
    request.yaml = EngineFixture::document("planned",
        role(
            {"head -c 400 /proc/mounts >/dev/null; ls -d /in/data; id -u"}, "    extraContainerOptions: {shmMB: 48}\n"),
        imageLine(Podman::image().toUtf8()));
    const Result<PlanReply> shell = m_fixture->engine().plan(request);
    QVERIFY(shell && shell->tasks.size() == 1);
    QCOMPARE(shell->tasks.first().runIn, u"host"_s);
    QVERIFY(shell->tasks.first().mounts.isEmpty() && shell->tasks.first().containerCommand.isEmpty());
    request.runIn = u"podman"_s;
    const Result<PlanReply> plan = m_fixture->engine().plan(request);
    QVERIFY(plan && plan->tasks.size() == 1);
    const PlannedTask &task = plan->tasks.first();
    QCOMPARE(task.runIn, u"podman"_s);
    QCOMPARE(task.image, Podman::image());
    QCOMPARE(task.containerUser, u"0:0"_s);
    QCOMPARE(task.shmMiB, 48);
    QVERIFY2(task.mounts.contains(QString(m_fixture->path(u"data"_s) + u":/in/data:ro"_s)),
        qPrintable(task.mounts.join(u' ')));
    QVERIFY2(task.containerCommand.startsWith(u"podman run "_s) && task.containerCommand.contains(u"--shm-size 48m"_s),
        qPrintable(task.containerCommand));
}

TRAINYARD_TEST(TstContainerHosts)
#include "tst_containerhosts.moc"
