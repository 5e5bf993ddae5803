// SPDX-License-Identifier: GPL-3.0-or-later
// The link to a host is cut again and again at random moments while code goes there, runs work with it and results come
// back: whole or in one direction only, for a moment or until ssh gives up. A run begins before each cut, so that there
// is always one whose code is on its way. Each runs once, as a ledger on the host has it; the host finds the code with
// the hashes that it has here, and logs and results are byte for byte what was written. Seeds are kept as those of
// tst_linkcuts are (CutSeeds). The suite has one storm of four cuts; the full suite has ten random ones of ten cuts
// each. TRAINYARD_CUTSTORM_SEED runs one seed, TRAINYARD_CUTSTORM_ROUNDS chooses how many.
#include "tests/daemon/cutseeds.h"
#include "tests/daemon/oddserver.h"
#include "tests/daemon/randomcuts.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

const CutSeeds &cutStormSeeds()
{
    static const CutSeeds seeds("storm", "TRAINYARD_CUTSTORM_SEED", "TRAINYARD_CUTSTORM_ROUNDS");
    return seeds;
}

constexpr quint32 shortSeed = 1;
constexpr int shortCuts = 4, longCuts = 10;

// What one run gets and what has to come of it.
struct StormRun {
    QString job, project;
    QByteArray name;
    QString ledger; // on the host
    QByteArray log, hashes, data;
};

} // namespace

class TstCutStorms : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    bool isOnline() const { return m_fixture->engine().hosts().last().state == HostState::Online; }

    static bool write(const QString &path, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }

    // Its code, and the job that looks at it, prints and makes results.
    StormRun begin(QRandomGenerator &dice, quint32 seed, int number)
    {
        EngineFixture &f = *m_fixture;
        StormRun run;
        run.name = "storm-" + QByteArray::number(seed) + '-' + QByteArray::number(number);
        run.project = f.path(QString::fromLatin1(run.name));
        run.ledger = m_hosts->home(0) + u"/ledger-"_s + QString::fromLatin1(run.name);
        QMap<QString, QByteArray> code{{u"model"_s, randomBytes(dice, dice.bounded(1 << 18, 6 << 20))},
            {u"lib/data"_s, randomBytes(dice, dice.bounded(3 << 20))}};
        for (int i = 0; i < 10; ++i) {
            code.insert(u"lib/small-%1"_s.arg(i), randomBytes(dice, dice.bounded(3000)));
        }
        QByteArray names;
        bool isWritten = true;
        for (auto it = code.cbegin(); it != code.cend(); ++it) {
            isWritten = isWritten && write(run.project + u'/' + it.key(), it.value());
            names += ' ' + it.key().toLatin1();
            run.hashes += QCryptographicHash::hash(it.value(), QCryptographicHash::Sha256).toHex() + "  "
                + it.key().toLatin1() + '\n';
        }
        run.data = code.value(u"lib/data"_s);
        const int numbers = dice.bounded(4) == 0 ? 200000 : 200;
        const int ticks = dice.bounded(40);
        const bool isBroughtDuring = dice.bounded(2) == 0;
        for (int i = 1; i <= numbers; ++i) {
            run.log += QByteArray::number(i) + '\n';
        }
        for (int i = 1; i <= ticks; ++i) {
            run.log += "tick " + QByteArray::number(i) + '\n';
        }
        const QByteArray ledger = QFile::encodeName(run.ledger);
        SubmitRequest request;
        request.target = u"far"_s;
        request.file = run.project + u"/job.yaml"_s; // which does not exist: the job's results go beside it
        run.job = f.submit(
            EngineFixture::document(run.name,
                EngineFixture::role("main", 1,
                    {"echo begin >> " + ledger + "\nmkdir out\nsha256sum" + names + " > out/hashes\nseq "
                        + QByteArray::number(numbers) + "\nfor i in $(seq 1 " + QByteArray::number(ticks)
                        + "); do echo tick $i; sleep 0.03; done\ncp lib/data out/data\necho end >> " + ledger}),
                "jobRetryCount: 0\nextras: {trainyard: {results: {files: [out/], when: "
                    + QByteArray(isBroughtDuring ? "during" : "end") + "}}}\n"),
            request);
        run.job = isWritten ? run.job : QString();
        return run;
    }

    // Every third one lasts until ssh gives up.
    void cut(QRandomGenerator &dice, bool isLong)
    {
        const int before = dice.bounded(900); // ms, until the cut
        const int duration = isLong ? 4000 + dice.bounded(1500) : 150 + dice.bounded(900);
        cutOnce(*m_hosts, dice, before, duration);
    }

    void lookAt(const StormRun &run)
    {
        EngineFixture &f = *m_fixture;
        QVERIFY(f.waitForEnd(run.job, 90000));
        QCOMPARE(f.job(run.job).state, State::Succeeded);
        QCOMPARE(f.job(run.job).retries, 0);
        QCOMPARE(EngineFixture::contents(run.ledger), QByteArray("begin\nend\n"));
        const QString folder = f.task(run.job, u"main"_s, 0).logFolder;
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(folder + u"/exit"_s), 60000);
        QVERIFY2(f.output(run.job, u"main"_s, 0) == run.log, "the log is not what was written");
        QTRY_VERIFY_WITH_TIMEOUT(f.isBrought(run.job, 2), 60000);
        const QString results
            = run.project + u"/results/%1-%2/main-0/out/"_s.arg(f.job(run.job).id).arg(QString::fromLatin1(run.name));
        QCOMPARE(QDir(results).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name),
            (QStringList{u"data"_s, u"hashes"_s}));
        QCOMPARE(EngineFixture::contents(results + u"hashes"_s), run.hashes);
        QVERIFY(EngineFixture::contents(results + u"data"_s) == run.data);
    }

    void storm(quint32 seed)
    {
        QRandomGenerator dice(seed);
        QVERIFY2(QTest::qWaitFor([this] { return isOnline(); }, 30000), "the host did not come back");
        const int cuts = seed == shortSeed ? shortCuts : longCuts;
        std::vector<StormRun> runs;
        for (int i = 0; i < cuts; ++i) {
            runs.push_back(begin(dice, seed, i));
            QVERIFY2(!runs.back().job.isEmpty(), qPrintable(m_fixture->error().code));
            cut(dice, i % 3 == 2);
        }
        for (const StormRun &run : runs) {
            lookAt(run);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
        QTRY_COMPARE(m_fixture->engine().hosts().last().tasks, 0);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"ssh.aliveIntervalSeconds"_s, 1},
            {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}, {u"results.everySeconds"_s, 1}});
        // The sanitized helper is on the hosts of TstCodeCuts.
        m_fixture->setAgentProgram(OddServer::agentProgram());
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

    void storms_data()
    {
        QTest::addColumn<quint32>("seed");
        const QList<quint32> seeds = cutStormSeeds().wanted({shortSeed}, 10);
        for (const quint32 seed : seeds) {
            QTest::addRow("seed %u", seed) << seed;
        }
    }

    void storms()
    {
        QFETCH(quint32, seed);
        storm(seed);
        if (QTest::currentTestFailed()) {
            cutStormSeeds().keep(seed);
            m_hosts->heal(0);
            m_hosts->setLink(0, true);
            m_fixture->engine().stopAll();
        }
    }
};

TRAINYARD_TEST(TstCutStorms)
#include "tst_cutstorms.moc"
