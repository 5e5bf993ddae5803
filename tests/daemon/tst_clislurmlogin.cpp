// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/series/seriesset.h"
#include "tests/daemon/loginnode.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/slurmcluster.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

using namespace trainyard;
using namespace Qt::StringLiterals;

// A real Slurm that is reached by way of a login node over a real sshd: this computer's own commands find no cluster.
class TstCliSlurmLogin : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void fromTheCommandLine();
    void aHostHasToBeThere();
    void theJobGoesOnWithoutTheLine();
    void stopsThere();
    void stopsWhenTheLineIsBack();
    void gitFailsInACopyThere();
    void figuresComeHere();
    void secretsDoNotStay();
    void nothingTrainsOnALoginNode();

private:
    bool open(); // an engine that has the login node as a host
    QString submit(const QByteArray &roles, const QByteArray &more = {});
    bool isOnline() const;
    bool reports(const QString &uuid, State state);
    QByteArray queue() const { return m_slurm->run(u"squeue"_s, {u"-h"_s, u"-o"_s, u"%T"_s}).out; }
    QString runsThere() const { return m_login->home() + u"/state/trainyard/clusters"_s; }

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<LoginNode> m_login;
    std::unique_ptr<EngineFixture> m_engine;
};

void TstCliSlurmLogin::initTestCase()
{
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
    m_login = std::make_unique<LoginNode>(m_slurm->folder() + u"/slurm.conf"_s);
    SKIP_UNLESS_THERE(*m_login);
}

void TstCliSlurmLogin::cleanupTestCase()
{
    m_login.reset();
    m_slurm.reset();
}

void TstCliSlurmLogin::init()
{
    qputenv("TRAINYARD_SSH_CONFIG", QFile::encodeName(m_login->configFile()));
    qputenv("SLURM_CONF", "/nowhere/slurm.conf");
}

void TstCliSlurmLogin::cleanup()
{
    m_slurm->run(u"scancel"_s, {u"--user=root"_s});
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 30'000);
    m_engine.reset();
    qunsetenv("TRAINYARD_SSH_CONFIG");
    qunsetenv("SLURM_CONF");
}

bool TstCliSlurmLogin::open()
{
    m_engine = std::make_unique<EngineFixture>(QJsonObject{{u"slurm.lab"_s, u"--partition=main"_s},
        {u"slurmLogin.lab"_s, u"far"_s}, {u"clusters.pollSeconds"_s, 1}, {u"stop.graceSeconds"_s, 5},
        {u"ssh.retryLastSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 5}});
    return m_engine->open() && m_engine->engine().addHost(m_login->name(), u"far"_s)
        && QTest::qWaitFor([this] { return isOnline(); }, 60'000);
}

bool TstCliSlurmLogin::isOnline() const { return m_engine->engine().hosts().last().state == HostState::Online; }

QString TstCliSlurmLogin::submit(const QByteArray &roles, const QByteArray &more)
{
    SubmitRequest request;
    request.target = u"slurm:lab"_s;
    request.file = u""_s; // it has no folder here
    return m_engine->submit(EngineFixture::document("by-login", roles, more), request);
}

bool TstCliSlurmLogin::reports(const QString &uuid, State state)
{
    const bool isThere = m_engine->waitFor(
        uuid, [state](const JobSummary &job) { return job.state == state; }, 90'000);
    if (!isThere) {
        const JobSummary job = m_engine->job(uuid);
        qWarning() << "the job is" << int(job.state) << job.reason << job.reasonArgs << queue();
        QDirIterator logs(runsThere(), {u"lead*.log"_s, u"runtime.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (logs.hasNext()) {
            qWarning() << logs.next() << EngineFixture::contents(logs.filePath());
        }
    }
    return isThere;
}

void TstCliSlurmLogin::fromTheCommandLine()
{
    ProgramsFixture f;
    const auto host = f.ctl({u"hosts"_s, u"add"_s, m_login->name(), u"--name"_s, u"far"_s}, {}, 60'000);
    QVERIFY2(host.status == 0, host.err.constData());
    const auto added
        = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--login"_s, u"far"_s, u"--"_s, u"-p"_s, u"main"_s}, {}, 60'000);
    QVERIFY2(added.status == 0, QByteArray(added.out + added.err).constData());
    QVERIFY2(added.out.contains("Login node") && added.out.contains("partition main: 2 nodes"), added.out.constData());
    const QByteArray document = EngineFixture::document(
        "by-login", EngineFixture::role("worker", 2, {"echo I am $SLURMD_NODENAME; echo kept >result.txt"}));
    const QString file = f.write(u"work/job.yaml"_s, document);
    const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"slurm:lab"_s, u"--wait"_s}, {}, 90'000);
    QVERIFY2(run.status == 0, QByteArray(run.out + run.err).constData());
    QVERIFY2(f.ctl({u"logs"_s, u"1"_s, u"worker/1"_s}).out.startsWith("I am n"), run.out.constData());
    QDirIterator results(runsThere(), {u"result.txt"_s}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(results.hasNext()); // there, where the nodes are
    const auto listed = f.ctl({u"targets"_s, u"list"_s});
    QVERIFY2(listed.out.contains("far"), listed.out.constData());

    // What is beside the document goes along. Here the login node has the same folder, which is noticed.
    f.write(u"code/data.txt"_s, "forty-two\n");
    const QString other = f.write(
        u"code/job.yaml"_s, EngineFixture::document("with-code", EngineFixture::role("worker", 1, {"cat data.txt"})));
    const auto second = f.ctl({u"run"_s, other, u"--on"_s, u"slurm:lab"_s, u"--wait"_s}, {}, 90'000);
    QVERIFY2(second.status == 0, QByteArray(second.out + second.err).constData());
    QVERIFY2(f.ctl({u"logs"_s, u"2"_s}).out.contains("forty-two"), second.out.constData());
}

void TstCliSlurmLogin::aHostHasToBeThere()
{
    ProgramsFixture f;
    const auto added = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--login"_s, u"nobody"_s});
    QVERIFY(added.status != 0);
    QVERIFY2(added.err.contains("trainyardctl hosts add"), added.err.constData());
    QVERIFY(!f.ctl({u"targets"_s}).out.contains("slurm:lab")); // nothing was kept
}

// Cut while it runs: nothing ends by that, and what happened meanwhile is seen when the line is back.
void TstCliSlurmLogin::theJobGoesOnWithoutTheLine()
{
    QVERIFY(open());
    const QString go = m_engine->path(u"go"_s);
    const QString uuid = submit(EngineFixture::role("worker", 1,
        {"echo begun; while [ ! -e " + QFile::encodeName(go) + " ]; do sleep 0.1; done",
            "for i in $(seq 2000); do echo line $i; done; exit 5"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(reports(uuid, State::Running));
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"worker"_s, 0) == "begun\n", 30'000);
    m_login->cut();
    QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 60'000);
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "job.slurm-login-away"_L1; }, 60'000));
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 60'000); // it has ended there
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QVERIFY(m_login->mend());
    QVERIFY(reports(uuid, State::Failed));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).rawExit, std::optional<int>(5));
    QByteArray wanted = "begun\n";
    for (int i = 1; i <= 2000; ++i) {
        wanted += "line " + QByteArray::number(i) + '\n';
    }
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), wanted);
}

void TstCliSlurmLogin::stopsThere()
{
    QVERIFY(open());
    const QString uuid = submit(EngineFixture::role(
        "worker", 1, {"trap 'echo asked to end; exit 0' TERM; echo up", "while :; do sleep 0.1; done"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"worker"_s, 0).contains("up"), 60'000);
    const Result<bool> removed = m_engine->engine().removeHost(u"far"_s, true);
    QVERIFY(!removed && removed.error().code == "host.in-use"_L1); // the job needs it
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(reports(uuid, State::Stopped));
    QVERIFY(m_engine->output(uuid, u"worker"_s, 0).contains("asked to end"));
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 30'000);
}

// What was asked for while nobody could hear it.
void TstCliSlurmLogin::stopsWhenTheLineIsBack()
{
    QVERIFY(open());
    const QString uuid = submit(EngineFixture::role("worker", 1, {"echo up; sleep 1000"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"worker"_s, 0).contains("up"), 60'000);
    m_login->cut();
    QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 60'000);
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(!queue().isEmpty());
    QVERIFY(m_login->mend());
    QVERIFY(reports(uuid, State::Stopped));
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 30'000);
}

// What was noted of the work folder there is known to the next engine. The login node of this test shares the folder,
// so that the copy is one by its note only.
void TstCliSlurmLogin::gitFailsInACopyThere()
{
    QVERIFY(open());
    EngineFixture &f = *m_engine;
    QVERIFY(QDir().mkpath(f.path(u"project"_s)));
    QFile beside(f.path(u"project/data.txt"_s));
    QVERIFY(beside.open(QIODevice::WriteOnly));
    const QByteArray go = QFile::encodeName(f.path(u"go"_s));
    SubmitRequest request;
    request.target = u"slurm:lab"_s;
    request.work = f.path(u"project"_s);
    const QString uuid = f.submit(
        EngineFixture::document("of-git",
            EngineFixture::role("main", 1, {"until [ -e " + go + " ]; do sleep 0.1; done", "git rev-parse HEAD"})),
        request);
    QVERIFY2(reports(uuid, State::Running), qPrintable(f.error().code));
    QFile notes(f.path(u"state/runs/"_s + uuid + u"/work-folders.json"_s));
    QVERIFY(notes.open(QIODevice::ReadWrite));
    QByteArray noted = notes.readAll();
    QVERIFY2(noted.contains("\"folder\":\""), noted.constData());
    noted.replace("\"folder\":\"", "\"folder\":\"/copies");
    QVERIFY(notes.resize(0) && notes.seek(0) && notes.write(noted) == noted.size());
    notes.close();
    f.close();
    QVERIFY(f.open());
    QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 60'000));
    QFile mark(QFile::decodeName(go));
    QVERIFY(mark.open(QIODevice::WriteOnly));
    QVERIFY(reports(uuid, State::Failed));
    const FailureFacts facts = FailureFacts::fromJson(f.job(uuid).reasonArgs.value(failureKey).toObject());
    QCOMPARE(facts.cause, u"git-copy"_s);
}

// The step measures on its node what its task uses, and the login node brings it while the task runs.
void TstCliSlurmLogin::figuresComeHere()
{
    QVERIFY(open());
    const QByteArray go = QFile::encodeName(m_login->home()) + "/figures-go";
    const QString uuid = submit(EngineFixture::role("worker", 1, {"until [ -e " + go + " ]; do :; done"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(reports(uuid, State::Running));
    const auto isMeasured = [this, &uuid] {
        QDirIterator files(
            m_engine->path(u"state/runs/"_s + uuid), {u"figures.series"_s}, QDir::Files, QDirIterator::Subdirectories);
        if (!files.hasNext()) {
            return false;
        }
        series::SeriesSet set(files.next().toStdString());
        set.poll();
        const auto cpu = set.find("cpu");
        return cpu && set.series(*cpu).largest() && set.series(*cpu).largest()->value > 0 && set.find("memory");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(), 60'000);
    QFile mark(QFile::decodeName(go));
    QVERIFY(mark.open(QIODevice::WriteOnly));
    QVERIFY(reports(uuid, State::Succeeded));
    QVERIFY(mark.remove());
}

void TstCliSlurmLogin::secretsDoNotStay()
{
    QVERIFY(open());
    const QByteArray secret = "correct-horse-battery-staple";
    const QString uuid = submit(EngineFixture::role("worker", 1, {"echo the secret is <% $secrets.key %>; sleep 1"}),
        "secrets: {key: " + secret + "}\n");
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(reports(uuid, State::Succeeded));
    QVERIFY(m_engine->output(uuid, u"worker"_s, 0).contains("the secret is ******"));
    for (const QString &folder : {m_engine->path(u"."_s), m_login->home(), QString(m_slurm->folder() + u"/state"_s),
             QString(m_slurm->folder() + u"/spool"_s), QString(m_slurm->folder() + u"/log"_s)}) {
        QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QVERIFY2(!EngineFixture::contents(files.next()).contains(secret), qPrintable(files.filePath()));
        }
    }
    // Never in this computer's folder of the allocation, not even while it waited.
    QDirIterator launches(m_engine->path(u"."_s), {u"launch-*"_s}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(!launches.hasNext());
}

void TstCliSlurmLogin::nothingTrainsOnALoginNode()
{
    QVERIFY(open());
    SubmitRequest request;
    request.target = u"far"_s;
    request.file = u""_s;
    const QString uuid
        = m_engine->submit(EngineFixture::document("there", EngineFixture::role("worker", 1, {"true"})), request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "wait.login-node"_L1; }, 30'000));
    QVERIFY(m_engine->engine().setSetting(u"clusters.trainOnLogin"_s, true));
    QVERIFY(reports(uuid, State::Succeeded));
}

TRAINYARD_TEST(TstCliSlurmLogin)
#include "tst_clislurmlogin.moc"
