// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/loginnode.h"
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QScopeGuard>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Data that jobs name, on a real Slurm: of this computer, and by way of a login node.
class TstSlurmData : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init() { qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s)); }
    void cleanup();
    void isSharedByJobs();
    void staysWhileAJobNeedsIt();
    void isThereAlready();
    void tellsWhyItCannot();
    void goesByALoginNode();

private:
    static QByteArray job(const QByteArray &data, const QByteArrayList &commands)
    {
        return EngineFixture::document("with-data", EngineFixture::role("worker", 1, commands),
            "extras: {trainyard: {data: {set: " + data + "}}}\n");
    }
    static QByteArray from(const EngineFixture &engine, const QString &name)
    {
        return "{from: " + engine.path(name).toUtf8() + "}";
    }
    static void write(const QString &path, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    // Files of the copies below a folder: "contents", or "uses" by jobs.
    static int files(const QString &folder, const QString &kind)
    {
        int found = 0;
        QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            found += it.next().contains(u"/data/"_s + kind + u'/') ? 1 : 0;
        }
        return found;
    }
    bool open(const QJsonObject &more = {});

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

void TstSlurmData::initTestCase()
{
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
}

void TstSlurmData::cleanupTestCase() { m_slurm.reset(); }

void TstSlurmData::cleanup()
{
    m_lab.reset();
    qunsetenv("SLURM_CONF");
}

bool TstSlurmData::open(const QJsonObject &more)
{
    m_lab = std::make_unique<SlurmFixture>(*m_slurm, QMap<QString, QString>(), more);
    return m_lab->open();
}

// Once for all jobs; what has changed goes again, and nothing else.
void TstSlurmData::isSharedByJobs()
{
    QVERIFY(open());
    EngineFixture &f = m_lab->engine;
    write(f.path(u"set/train/a"_s), QByteArray(300'000, 'x'));
    write(f.path(u"set/.hidden"_s), "hello");
    const QByteArray yaml = job(from(f, u"set"_s),
        {"cat $TRAINYARD_DATA_SET/.hidden", "stat -c %s $TRAINYARD_DATA_SET/train/a", "echo at $TRAINYARD_DATA_SET."});
    const QString first = m_lab->submit(yaml), second = m_lab->submit(yaml);
    QVERIFY(!first.isEmpty() && !second.isEmpty());
    QVERIFY(m_lab->ends(first, State::Succeeded));
    QVERIFY(m_lab->ends(second, State::Succeeded));
    const QByteArray said = f.output(first, u"worker"_s, 0);
    QVERIFY2(said.contains("hello300000\n") && said.contains("/data/folders/"), said.constData());
    QCOMPARE(f.output(second, u"worker"_s, 0), said);
    QCOMPARE(files(f.path(u"."_s), u"contents"_s), 2);
    write(f.path(u"set/.hidden"_s), "goodbye");
    const QString changed = m_lab->submit(yaml);
    QVERIFY(m_lab->ends(changed, State::Succeeded));
    QVERIFY(f.output(changed, u"worker"_s, 0).contains("goodbye300000\n"));
    QCOMPARE(files(f.path(u"."_s), u"contents"_s), 3);
}

// Also while no engine runs: which tree it needs lies beside the copies until the job has ended.
void TstSlurmData::staysWhileAJobNeedsIt()
{
    QVERIFY(open());
    EngineFixture &f = m_lab->engine;
    write(f.path(u"file"_s), "forty-two");
    const QString uuid = m_lab->submit(job(from(f, u"file"_s),
        {"cat $TRAINYARD_DATA_SET; while [ ! -e go ]; do sleep 0.1; done", "cat $TRAINYARD_DATA_SET"}));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->says(uuid, "forty-two"));
    QCOMPARE(files(f.path(u"."_s), u"uses"_s), 1);
    f.close();
    QCOMPARE(files(f.path(u"."_s), u"uses"_s), 1);
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(f.output(uuid, u"worker"_s, 0).count("forty-two"), 2);
    QTRY_COMPARE_WITH_TIMEOUT(files(f.path(u"."_s), u"uses"_s), 0, 30'000);
    QCOMPARE(files(f.path(u"."_s), u"contents"_s), 1); // for the next one
}

void TstSlurmData::isThereAlready()
{
    QVERIFY(open());
    const QString uuid = m_lab->submit(job("{paths: {lab: /etc/passwd}}", {"echo at $TRAINYARD_DATA_SET."}));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QVERIFY(m_lab->engine.output(uuid, u"worker"_s, 0).contains("at /etc/passwd."));
    QCOMPARE(files(m_lab->engine.path(u"."_s), u"contents"_s), 0);
}

// Before anything is handed over, and what is known here before there is a job.
void TstSlurmData::tellsWhyItCannot()
{
    QVERIFY(open({{u"data.maxGiB"_s, 0}}));
    EngineFixture &f = m_lab->engine;
    const QString missing = m_lab->submit(job("{paths: {slurm:lab: /srv/nothing}}", {"echo never"}));
    QVERIFY(m_lab->ends(missing, State::Failed));
    QCOMPARE(f.task(missing, u"worker"_s, 0).reason, u"data.missing"_s);
    QCOMPARE(f.task(missing, u"worker"_s, 0).reasonArgs.value("on"_L1).toString(), u"slurm:lab"_s);
    write(f.path(u"set/a"_s), "x");
    const QString large = m_lab->submit(job(from(f, u"set"_s), {"echo never"}));
    QVERIFY(m_lab->ends(large, State::Failed));
    QCOMPARE(f.task(large, u"worker"_s, 0).reason, u"data.too-big"_s);
    QVERIFY(m_lab->submissions().isEmpty());
    QVERIFY(m_lab->submit(job("{paths: {other: /srv}}", {"echo never"})).isEmpty());
    QCOMPARE(f.error().code, u"data.nowhere"_s);
    QVERIFY(m_lab->submit(job(from(f, u"lost"_s), {"echo never"})).isEmpty());
    QCOMPARE(f.error().code, u"data.missing"_s);
}

void TstSlurmData::goesByALoginNode()
{
    const LoginNode login(m_slurm->folder() + u"/slurm.conf"_s);
    SKIP_UNLESS_THERE(login);
    qputenv("TRAINYARD_SSH_CONFIG", QFile::encodeName(login.configFile()));
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    QVERIFY(open({{u"slurmLogin.lab"_s, u"far"_s}, {u"ssh.retryLastSeconds"_s, 1}}));
    const auto close = qScopeGuard([this] { m_lab.reset(); }); // before its login node goes
    EngineFixture &f = m_lab->engine;
    QVERIFY(f.engine().addHost(login.name(), u"far"_s));
    QTRY_VERIFY_WITH_TIMEOUT(f.engine().hosts().last().state == HostState::Online, 60'000);
    write(f.path(u"set/a"_s), "hello");
    SubmitRequest request;
    request.target = u"slurm:lab"_s;
    request.file = u""_s; // it has no folder here
    const QString go = f.path(u"go"_s);
    const QString uuid = f.submit(job(from(f, u"set"_s),
                                      {"cat $TRAINYARD_DATA_SET/a; echo at $TRAINYARD_DATA_SET.",
                                          "while [ ! -e " + go.toUtf8() + " ]; do sleep 0.1; done"}),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(m_lab->says(uuid, "at " + QFile::encodeName(login.home() + u"/state/trainyard/clusters/"_s)));
    QVERIFY(f.output(uuid, u"worker"_s, 0).contains("hello"));
    QCOMPARE(files(login.home(), u"contents"_s), 1);
    QCOMPARE(files(login.home(), u"uses"_s), 1);
    QCOMPARE(files(f.path(u"."_s), u"contents"_s), 0);
    write(go, {});
    QVERIFY(m_lab->ends(uuid, State::Succeeded, 90'000));
    QTRY_COMPARE_WITH_TIMEOUT(files(login.home(), u"uses"_s), 0, 30'000);
}

TRAINYARD_TEST(TstSlurmData)
#include "tst_slurmdata.moc"
