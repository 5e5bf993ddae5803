// SPDX-License-Identifier: GPL-3.0-or-later
// The link to a host is cut at random moments while code goes there and results come back: whole or in one direction
// only, once or twice, also on a slow line. The task runs once; the code there, the log and the results here are byte
// for byte what they should be, and nothing half is left. Seeds are kept as those of tst_linkcuts are (CutSeeds); the
// full suite does forty random ones. TRAINYARD_CODECUT_SEED runs one seed, TRAINYARD_CODECUT_ROUNDS chooses how many.
#include "tests/daemon/cutseeds.h"
#include "tests/daemon/randomcuts.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

const CutSeeds &codeCutSeeds()
{
    static const CutSeeds seeds("code", "TRAINYARD_CODECUT_SEED", "TRAINYARD_CODECUT_ROUNDS");
    return seeds;
}

} // namespace

class TstCodeCuts : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    bool isOnline() const { return m_fixture->engine().hosts().last().state == HostState::Online; }

    static void write(const QString &path, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    // Paths below a folder, without what the engine keeps for itself.
    static QStringList namesIn(const QString &folder)
    {
        QStringList names;
        QDirIterator it(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            if (const QString name = it.next().mid(folder.size() + 1); name != ".trainyard-files.json"_L1) {
                names.append(name);
            }
        }
        names.sort();
        return names;
    }
    QString copyOnHost(const QString &job) const
    {
        QDirIterator it(m_hosts->home(0) + u"/state"_s, {u"code-*"_s}, QDir::Dirs | QDir::NoDotAndDotDot,
            QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString path = it.next();
            if (path.contains(job) && !path.contains(".part"_L1)) {
                return path;
            }
        }
        return {};
    }
    void cut(QRandomGenerator &dice)
    {
        const int before = dice.bounded(1500); // ms, until the cut
        const int duration = dice.bounded(3) == 0 ? 200 + dice.bounded(4000) : 4000 + dice.bounded(2000);
        cutOnce(*m_hosts, dice, before, duration);
    }

    void round(quint32 seed)
    {
        QRandomGenerator dice(seed);
        EngineFixture &f = *m_fixture;
        QVERIFY2(QTest::qWaitFor([this] { return isOnline(); }, 30000), "the host did not come back");
        const bool isSlow = dice.bounded(4) == 0; // what the host sends
        const bool isBroughtDuring = dice.bounded(2) == 0;
        const int cuts = 1 + dice.bounded(2);
        const int numbers = dice.bounded(3) == 0 && !isSlow ? 300000 : 200;
        const int ticks = dice.bounded(30);
        const QString project = f.path(u"project-%1"_s.arg(seed));
        QMap<QString, QByteArray> code{{u"a"_s, randomBytes(dice, dice.bounded(1 << 20, 20 << 20))},
            {u"lib/b"_s, randomBytes(dice, dice.bounded(isSlow ? 1 << 18 : 8 << 20))}};
        for (int i = 0; i < 20; ++i) {
            code.insert(u"lib/small-%1"_s.arg(i), randomBytes(dice, dice.bounded(3000)));
        }
        for (auto it = code.cbegin(); it != code.cend(); ++it) {
            write(project + u'/' + it.key(), it.value());
        }
        QByteArray log;
        for (int i = 1; i <= numbers; ++i) {
            log += QByteArray::number(i) + '\n';
        }
        for (int i = 1; i <= ticks; ++i) {
            log += "tick " + QByteArray::number(i) + '\n';
        }
        if (isSlow) {
            m_hosts->setRate(0, u"6mbit"_s);
        }
        const QString ledger = m_hosts->home(0) + u"/ledger-%1"_s.arg(seed);
        SubmitRequest request;
        request.target = u"far"_s;
        request.file = project + u"/job.yaml"_s; // which does not exist: the job's results go beside it
        const QByteArray name = "cut" + QByteArray::number(seed);
        const QString job
            = f.submit(EngineFixture::document(name,
                           EngineFixture::role("main", 1,
                               {"echo begin >> " + QFile::encodeName(ledger) + "\nmkdir out\ncp lib/b out/first\nseq "
                                   + QByteArray::number(numbers) + "\nfor i in $(seq 1 " + QByteArray::number(ticks)
                                   + "); do echo tick $i; sleep 0.03; done\ncat lib/small-* > out/second\necho end >> "
                                   + QFile::encodeName(ledger)}),
                           "jobRetryCount: 0\nextras: {trainyard: {results: {files: [out/], when: "
                               + QByteArray(isBroughtDuring ? "during" : "end") + "}}}\n"),
                request);
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        for (int i = 0; i < cuts; ++i) {
            cut(dice);
        }
        QVERIFY(f.waitForEnd(job, 90000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QCOMPARE(f.job(job).retries, 0);
        QCOMPARE(EngineFixture::contents(ledger), QByteArray("begin\nend\n"));

        const QString there = copyOnHost(job);
        QVERIFY(!there.isEmpty());
        QByteArray second;
        for (auto it = code.cbegin(); it != code.cend(); ++it) {
            QVERIFY2(EngineFixture::contents(there + u'/' + it.key()) == it.value(), qPrintable(it.key()));
        }
        QStringList small = code.keys().filter(u"small"_s);
        small.sort();
        for (const QString &each : std::as_const(small)) {
            second += code.value(each);
        }
        const QString folder = f.task(job, u"main"_s, 0).logFolder;
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(folder + u"/exit"_s), 60000);
        QVERIFY2(f.output(job, u"main"_s, 0) == log, "the log is not what was written");
        QTRY_VERIFY_WITH_TIMEOUT(f.isBrought(job, 2), 60000);
        const QString results = project + u"/results/%1-%2/main-0"_s.arg(f.job(job).id).arg(QString::fromLatin1(name));
        QCOMPARE(namesIn(results), (QStringList{u"out/first"_s, u"out/second"_s}));
        QVERIFY(EngineFixture::contents(results + u"/out/first"_s) == code.value(u"lib/b"_s));
        QVERIFY(EngineFixture::contents(results + u"/out/second"_s) == second);
        m_hosts->heal(0);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"ssh.aliveIntervalSeconds"_s, 1},
            {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}, {u"results.everySeconds"_s, 1}});
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"far"_s));
        QTRY_VERIFY_WITH_TIMEOUT(isOnline(), 60000); // what fails here is no seed's fault
    }

    void cleanupTestCase()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    void cuts_data()
    {
        QTest::addColumn<quint32>("seed");
        const QList<quint32> seeds = codeCutSeeds().wanted({1}, 40);
        for (const quint32 seed : seeds) {
            QTest::addRow("seed %u", seed) << seed;
        }
    }

    void cuts()
    {
        QFETCH(quint32, seed);
        round(seed);
        if (QTest::currentTestFailed()) {
            codeCutSeeds().keep(seed);
            m_hosts->heal(0);
            m_hosts->setLink(0, true);
            m_fixture->engine().stopAll();
        }
    }
};

TRAINYARD_TEST(TstCodeCuts)
#include "tst_codecuts.moc"
