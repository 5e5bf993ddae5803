// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/loginnode.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/slurmcluster.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QSet>
#include <QStandardPaths>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The jobs of a sweep as one array on a real Slurm that is reached by way of a login node over a real sshd.
class TstSlurmLoginArray : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void eachHasItsOwnEnd();
    void theLineIsCutAtTheSubmission();
    void allStopWhenTheLineIsBack();

private:
    bool open(); // an engine that has the login node as a host
    bool isOnline() const { return m_engine->engine().hosts().last().state == HostState::Online; }
    // A shell script in the place of sbatch at the login node, in a folder of its own; $SBATCH is the real one. To be
    // called before open().
    bool replaceSubmit(const QByteArray &script) const;
    QString bin(const QString &name) const { return m_login->home() + u"/bin/"_s + name; }
    QByteArrayList calls() const { return EngineFixture::contents(bin(u"calls"_s)).trimmed().split('\n'); }
    QStringList sweep(int jobs);
    QByteArrayList elements() const; // ids of all allocations, as this computer has noted them
    QSet<QByteArray> arrays() const; // of these; empty ones are of jobs that are no elements
    bool says(const QString &uuid, const QByteArray &word);
    bool ends(const QString &uuid, State state);
    bool release(const QString &uuid, const QByteArray &words = {}) const;
    QByteArray queue() const { return m_slurm->run(u"squeue"_s, {u"-h"_s, u"-o"_s, u"%i %T %r"_s}).out; }
    QStringList scriptsBelow(const QString &folder) const;

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<LoginNode> m_login;
    std::unique_ptr<EngineFixture> m_engine;
    std::unique_ptr<QTemporaryDir> m_gate; // each job waits for a file in it, which says how it ends
};

void TstSlurmLoginArray::initTestCase()
{
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
    m_login = std::make_unique<LoginNode>(m_slurm->folder() + u"/slurm.conf"_s);
    SKIP_UNLESS_THERE(*m_login);
}

void TstSlurmLoginArray::cleanupTestCase()
{
    m_login.reset();
    m_slurm.reset();
}

void TstSlurmLoginArray::init()
{
    qputenv("TRAINYARD_SSH_CONFIG", QFile::encodeName(m_login->configFile()));
    qputenv("SLURM_CONF", "/nowhere/slurm.conf");
    m_gate = std::make_unique<QTemporaryDir>(u"/tmp/tygateXXXXXX"_s);
}

void TstSlurmLoginArray::cleanup()
{
    m_slurm->run(u"scancel"_s, {u"--user=root"_s});
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 60'000);
    m_engine.reset();
    QDir(bin({})).removeRecursively();
    qunsetenv("TRAINYARD_SSH_CONFIG");
    qunsetenv("SLURM_CONF");
}

bool TstSlurmLoginArray::open()
{
    m_engine = std::make_unique<EngineFixture>(
        QJsonObject{{u"slurm.lab"_s, u"--partition=main"_s}, {u"slurmLogin.lab"_s, u"far"_s},
            {u"environment.mode"_s, u"login"_s}, {u"clusters.pollSeconds"_s, 1}, {u"retry.pauseSeconds"_s, 0},
            {u"stop.graceSeconds"_s, 5}, {u"ssh.retryLastSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 5}});
    return m_engine->open() && m_engine->engine().addHost(m_login->name(), u"far"_s)
        && QTest::qWaitFor([this] { return isOnline(); }, 60'000);
}

bool TstSlurmLoginArray::replaceSubmit(const QByteArray &script) const
{
    const QByteArray real = QFile::encodeName(QStandardPaths::findExecutable(u"sbatch"_s));
    const QByteArray folder = QFile::encodeName(bin({}));
    QDir().mkpath(bin({}));
    QFile profile(m_login->home() + u"/.profile"_s), program(bin(u"sbatch"_s));
    if (!profile.open(QIODevice::WriteOnly) || !program.open(QIODevice::WriteOnly)) {
        return false;
    }
    profile.write("PATH=" + folder + ":$PATH\nexport PATH\n");
    program.write("#!/bin/sh\nSBATCH='" + real + "'\ncd '" + folder + "' || exit 1\necho \"$*\" >>calls\n" + script
        + "exec \"$SBATCH\" \"$@\"\n");
    return program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QStringList TstSlurmLoginArray::sweep(int jobs)
{
    QStringList uuids;
    const QByteArray go = QFile::encodeName(m_gate->path()) + "/go-$TRAINYARD_JOB_ID";
    for (int i = 0; i < jobs; ++i) {
        SubmitRequest request;
        request.target = u"slurm:lab"_s;
        request.group = u"sweep"_s;
        request.file = u""_s; // it has no folder here
        uuids.append(m_engine->submit(EngineFixture::document("sweep-" + QByteArray::number(i + 1),
                                          EngineFixture::role("worker", 1,
                                              {"echo up", "while [ ! -e " + go + " ]; do sleep 0.1; done", ". " + go})),
            request));
    }
    return uuids;
}

QByteArrayList TstSlurmLoginArray::elements() const
{
    QByteArrayList ids;
    QDirIterator files(m_engine->path(u"."_s), {u"submitted"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        ids.append(EngineFixture::contents(files.next()).trimmed());
    }
    return ids;
}

QSet<QByteArray> TstSlurmLoginArray::arrays() const
{
    QSet<QByteArray> ids;
    const QByteArrayList all = elements();
    for (const QByteArray &id : all) {
        ids.insert(id.contains('_') ? id.left(id.indexOf('_')) : QByteArray());
    }
    return ids;
}

bool TstSlurmLoginArray::says(const QString &uuid, const QByteArray &word)
{
    return QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0).contains(word); }, 90'000);
}

bool TstSlurmLoginArray::ends(const QString &uuid, State state)
{
    const bool isOver = m_engine->waitForEnd(uuid, 90'000);
    const JobSummary job = m_engine->job(uuid);
    if (!isOver || job.state != state) {
        qWarning() << "the job is" << int(job.state) << job.reason << job.reasonArgs << queue();
        QDirIterator logs(m_login->home() + u"/state/trainyard/clusters"_s, {u"lead*.log"_s, u"runtime.log"_s},
            QDir::Files, QDirIterator::Subdirectories);
        while (logs.hasNext()) {
            qWarning() << logs.next() << EngineFixture::contents(logs.filePath());
        }
    }
    return isOver && job.state == state;
}

bool TstSlurmLoginArray::release(const QString &uuid, const QByteArray &words) const
{
    const QString name = m_gate->filePath(u"go-"_s + uuid);
    QFile file(name + u".new"_s);
    if (!file.open(QIODevice::WriteOnly) || file.write(words) != words.size()) {
        return false;
    }
    file.close();
    return file.rename(name);
}

QStringList TstSlurmLoginArray::scriptsBelow(const QString &folder) const
{
    QStringList names;
    QDirIterator files(folder, {u"array-*.sh"_s, u"job.sh"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        names.append(files.fileName().section(u'-', 0, 0));
    }
    names.sort();
    return names;
}

// One fails, one is stopped alone, one ends while the line is cut, and one goes on all the while.
void TstSlurmLoginArray::eachHasItsOwnEnd()
{
    QVERIFY(replaceSubmit({}));
    QVERIFY(open());
    const QStringList jobs = sweep(4);
    for (const QString &uuid : jobs) {
        QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
        QVERIFY(says(uuid, "up"));
    }
    QCOMPARE(calls().size(), 1);
    QVERIFY(calls().first().contains("--array=0-3 "));
    QTRY_COMPARE_WITH_TIMEOUT(elements().size(), 4, 20'000);
    QCOMPARE(arrays().size(), 1);
    const QByteArrayList ids = elements();
    QCOMPARE(QSet<QByteArray>(ids.begin(), ids.end()).size(), 4);
    // The scripts are where the nodes are, and not here.
    QCOMPARE(
        scriptsBelow(m_login->home()), (QStringList{u"array"_s, u"job.sh"_s, u"job.sh"_s, u"job.sh"_s, u"job.sh"_s}));
    QCOMPARE(scriptsBelow(m_engine->path(u"."_s)), QStringList());
    m_login->cut();
    QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 60'000);
    QVERIFY(release(jobs[0]));
    const QByteArray running = *arrays().constBegin() + "_0 ";
    QTRY_VERIFY_WITH_TIMEOUT(!queue().contains(running), 60'000); // it has ended there
    QCOMPARE(m_engine->job(jobs[0]).state, State::Running);
    QVERIFY(m_login->mend());
    QVERIFY(ends(jobs[0], State::Succeeded));
    QVERIFY(m_engine->engine().stop(jobs[2], false));
    QVERIFY(ends(jobs[2], State::Stopped));
    QVERIFY(release(jobs[1], "exit 3\n"));
    QVERIFY(ends(jobs[1], State::Failed));
    QCOMPARE(m_engine->task(jobs[1], u"worker"_s, 0).rawExit.value_or(-1), 3);
    QCOMPARE(m_engine->job(jobs[3]).state, State::Running);
    QVERIFY(release(jobs[3]));
    QVERIFY(ends(jobs[3], State::Succeeded));
    QCOMPARE(calls().size(), 1);
}

// The cluster has taken the array, and the answer did not come: there is no second one.
void TstSlurmLoginArray::theLineIsCutAtTheSubmission()
{
    QVERIFY(replaceSubmit(
        "if [ ! -e handed-over ]; then\n\"$SBATCH\" \"$@\" >/dev/null\n: >handed-over\nexec sleep 60\nfi\n"));
    QVERIFY(open());
    const QStringList jobs = sweep(3);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(bin(u"handed-over"_s)), 60'000);
    m_login->cut();
    QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 60'000);
    QVERIFY(elements().isEmpty());
    QVERIFY(m_login->mend());
    for (const QString &uuid : jobs) {
        QVERIFY(says(uuid, "up"));
        QVERIFY(release(uuid));
        QVERIFY(ends(uuid, State::Succeeded));
        QCOMPARE(m_engine->job(uuid).retries, 0);
    }
    QCOMPARE(elements().size(), 3);
    QCOMPARE(arrays().size(), 1);
    QVERIFY(!arrays().contains(QByteArray()));
    QCOMPARE(calls().size(), 1);
}

void TstSlurmLoginArray::allStopWhenTheLineIsBack()
{
    QVERIFY(open());
    const QStringList jobs = sweep(3);
    for (const QString &uuid : jobs) {
        QVERIFY(says(uuid, "up"));
    }
    m_login->cut();
    QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 60'000);
    for (const QString &uuid : jobs) {
        QVERIFY(m_engine->engine().stop(uuid, false));
    }
    QVERIFY(!queue().isEmpty());
    QVERIFY(m_login->mend());
    for (const QString &uuid : jobs) {
        QVERIFY(ends(uuid, State::Stopped));
    }
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 60'000);
}

TRAINYARD_TEST(TstSlurmLoginArray)
#include "tst_slurmloginarray.moc"
