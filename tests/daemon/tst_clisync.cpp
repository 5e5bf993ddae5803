// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyardctl sync`: code on a host ahead of jobs, the question of a large work folder on the command line, and what
// comes back of a copy.
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QMap>
#include <QRegularExpression>

#include <csignal>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Over a real sshd: of another user, who cannot read the files here.
class TstCliSync : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;

    static QByteArray job(const QByteArray &command, const QByteArray &more = {})
    {
        return EngineFixture::document("synced", EngineFixture::role("main", 1, {command}), more);
    }
    QString addHost(const ProgramsFixture &f) const
    {
        const auto added = f.ctl({u"hosts"_s, u"add"_s, m_hosts->name(0), u"--name"_s, u"far"_s}, {}, 60000);
        return added.status == 0 ? QString() : QString::fromUtf8(added.err);
    }
    static bool waitForQuestion(const ProgramsFixture &f)
    {
        return QTest::qWaitFor([&] { return f.ctl({u"why"_s, u"1"_s}).out.contains("copied without asking"); }, 30000);
    }
    qsizetype contentsOfHost() const
    {
        qsizetype count = 0;
        QDirIterator it(m_hosts->home(0) + u"/state/trainyard"_s, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            count += it.next().contains("/code/contents/"_L1) ? 1 : 0;
        }
        return count;
    }

private Q_SLOTS:
    void init()
    {
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
    }
    void cleanup()
    {
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    // Without a pattern, what the task made or changed; nothing of what was sent.
    void bringsBackWhatIsNew()
    {
        const ProgramsFixture f;
        QCOMPARE(addHost(f), QString());
        f.write(u"work/train.py"_s, "a = 1\n");
        f.write(u"work/data.csv"_s, "1\n");
        const QString file
            = f.write(u"work/job.yaml"_s, job("mkdir -p runs/a && echo 1 > runs/a/metrics.csv && echo 22 > data.csv"));
        const auto ran = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(ran.status == 0, ran.err.constData());
        QVERIFY2(ran.err.contains("stays on far until 'trainyardctl pull 1'"), ran.err.constData());
        auto said = f.ctl({u"pull"_s, u"1"_s}, {}, 60000);
        QVERIFY2(said.status == 0, said.err.constData());
        QVERIFY2(said.err.contains("as they were sent to the host: 2"), said.err.constData());
        const QString to = f.path(u"work/results/1-synced/main-0"_s);
        QCOMPARE(EngineFixture::contents(to + u"/data.csv"_s), QByteArray("22\n"));
        QCOMPARE(EngineFixture::contents(to + u"/runs/a/metrics.csv"_s), QByteArray("1\n"));
        QVERIFY(!QFileInfo::exists(to + u"/train.py"_s));
        said = f.ctl({u"pull"_s, u"1"_s, u"--all"_s}, {}, 60000);
        QVERIFY2(said.status == 0, said.err.constData());
        QCOMPARE(EngineFixture::contents(to + u"/train.py"_s), QByteArray("a = 1\n"));
        QCOMPARE(f.ctl({u"pull"_s, u"1"_s, u"--all"_s, u"runs"_s}, {}, 60000).status, 2);
    }

    // Once more is in the same place, unless another one is given; a folder that has gone sends it nowhere.
    void runsAgainWhereItRan()
    {
        const ProgramsFixture f;
        QCOMPARE(addHost(f), QString());
        f.write(u"work/train.py"_s, "a = 1\n");
        const QString file = f.write(u"work/job.yaml"_s, job("cat train.py"));
        const auto hostOf = [&f](int number) {
            const auto listed = f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array();
            for (const QJsonValue &each : listed) {
                if (each[u"id"].toInt() == number) {
                    return each[u"host"].toString();
                }
            }
            return QString();
        };
        QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s, u"--wait"_s}, {}, 60000).status, 0);
        QCOMPARE(hostOf(1), u"far"_s);
        auto run = f.ctl({u"run"_s, u"--again"_s, u"1"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(run.status == 0 && run.err.contains("It runs on far, as #1 did; --on"), run.err.constData());
        QCOMPARE(hostOf(2), u"far"_s);
        run = f.ctl({u"run"_s, u"--again"_s, u"1"_s, u"--on"_s, u"local"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(run.status == 0 && !run.err.contains("as #1 did"), run.err.constData());
        QCOMPARE(hostOf(3), u"local"_s);
        run = f.ctl({u"run"_s, u"--again"_s, u"3"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(run.status == 0 && !run.err.contains("as #3 did"), run.err.constData());
        QCOMPARE(hostOf(4), u"local"_s);
        QVERIFY(QDir().rename(f.path(u"work"_s), f.path(u"moved"_s)) && QDir().mkdir(f.path(u"elsewhere"_s)));
        QProcess ctl;
        ctl.setWorkingDirectory(f.path(u"elsewhere"_s));
        ctl.start(f.program(u"trainyardctl"_s), {u"run"_s, u"--again"_s, u"1"_s, u"--on"_s, u"pool"_s});
        QVERIFY(ctl.waitForFinished(60000));
        const QByteArray said = ctl.readAllStandardError();
        QVERIFY2(
            ctl.exitCode() == 4 && said.contains(QByteArray(QFile::encodeName(f.path(u"work"_s)) + ", does not exist")),
            said.constData());
    }

    // A host that has the folder by a shared file system: what the tasks write is here, and nothing looks for a copy.
    void resultsInASharedFolder()
    {
        m_hosts.reset();
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), SshHosts::Kind::Like);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        const ProgramsFixture f;
        QCOMPARE(addHost(f), QString());
        f.write(u"work/train.py"_s, "a = 1\n");
        const QByteArray work = QFile::encodeName(f.path(u"work"_s));
        const QString file = f.write(u"work/job.yaml"_s,
            job("mkdir -p out && echo 1 > out/model.pt", "extras: {trainyard: {results: [out/model.pt]}}\n"));
        auto said = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(said.status == 0, said.err.constData());
        said = f.ctl({u"pull"_s, u"1"_s, u"out/*"_s}, {}, 60000);
        QVERIFY2(said.status == 0, said.err.constData());
        QCOMPARE(said.out.trimmed(),
            QByteArray("main/0 worked in a folder that is here, so what it wrote there need not be brought: " + work));
        said = f.ctl({u"show"_s, u"1"_s});
        QVERIFY2(said.out.contains(QByteArray("in " + work + ", which far shares")), said.out.constData());
        said = f.ctl({u"cp"_s, u"1:out/model.pt"_s, f.path(u"copied"_s)}, {}, 60000);
        QVERIFY2(said.status == 0, said.err.constData());
        QCOMPARE(EngineFixture::contents(f.path(u"copied"_s)), QByteArray("1\n"));
        said = f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"pwd"_s}, {}, 60000);
        QVERIFY2(said.status == 0, said.err.constData());
        QCOMPARE(said.out.trimmed(), work);
    }

    void copiesAhead()
    {
        const ProgramsFixture f;
        QCOMPARE(addHost(f), QString());
        f.write(u"work/lib/a.py"_s, "a = 1\n");
        f.write(u"work/b.py"_s, "b = 1\n");
        f.write(u"work/.gitignore"_s, "data/\n");
        f.write(u"work/.trainyardignore"_s, "*.tmp\n");
        f.write(u"work/data/big"_s, QByteArray(5000, 'x'));
        f.write(u"work/x.tmp"_s, "1");
        const QString file = f.write(u"work/job.yaml"_s,
            job("ls lib b.py; [ ! -e job.yaml ] && echo kept-secret", "secrets: {word: hunter2-and-more}\n"));
        const auto dry = f.ctl({u"sync"_s, file, u"--on"_s, u"far"_s, u"--dry-run"_s, u"--json"_s}, {}, 60000);
        QVERIFY2(dry.status == 0, dry.err.constData());
        const QJsonObject plan = dry.json().object();
        QCOMPARE(plan[u"files"].toInt(), 4);
        QCOMPARE(plan[u"missing"][u"files"].toInt(), 4);
        QCOMPARE(plan[u"missing"][u"bytes"], plan[u"bytes"]);
        QMap<QString, QString> left;
        const QJsonArray stays = plan[u"leftOut"].toArray();
        for (const QJsonValue &each : stays) {
            left.insert(each[u"path"].toString(), each[u"by"].toString());
        }
        QCOMPARE(left,
            (QMap<QString, QString>{
                {u"data/"_s, u"gitignore"_s}, {u"x.tmp"_s, u"trainyardignore"_s}, {u"job.yaml"_s, u"document"_s}}));
        QCOMPARE(contentsOfHost(), 0); // nothing was copied
        const auto told = f.ctl({u"sync"_s, file, u"--on"_s, u"far"_s, u"--dry-run"_s}, {}, 60000);
        QVERIFY2(told.out.contains("data/ (one file)") && told.out.contains(".trainyardignore names it")
                && told.out.contains("far lacks "),
            told.out.constData());

        const auto first = f.ctl({u"sync"_s, file, u"--on"_s, u"far"_s, u"--json"_s}, {}, 60000);
        QVERIFY2(first.status == 0, first.err.constData());
        QCOMPARE(first.json().object().value(u"sentBytes"_s), plan[u"bytes"]);
        QCOMPARE(contentsOfHost(), 4);
        const auto again = f.ctl({u"sync"_s, file, u"--on"_s, u"far"_s}, {}, 60000);
        QVERIFY2(again.out.contains("far already had all of it."), again.out.constData());
        // Only what has changed.
        f.write(u"work/b.py"_s, "b = 22\n");
        const auto changed = f.ctl({u"sync"_s, file, u"--on"_s, u"far"_s, u"--json"_s}, {}, 60000);
        QCOMPARE(changed.json().object().value(u"sentBytes"_s).toInt(), 7);
        QCOMPARE(contentsOfHost(), 5);
        // A job finds it there.
        const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s, u"--follow"_s}, {}, 60000);
        QVERIFY2(run.status == 0 && run.out.contains("kept-secret"), QByteArray(run.out + run.err).constData());
        QCOMPARE(contentsOfHost(), 5);
    }

    void wrongWords()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"work/job.yaml"_s, job("true", "extras: {trainyard: {copyWork: false}}\n"));
        QCOMPARE(f.ctl({u"sync"_s, f.path(u"work"_s)}).status, 2); // to which host?
        QCOMPARE(f.ctl({u"sync"_s, f.path(u"nowhere"_s), u"--on"_s, u"local"_s}).status, 2);
        QCOMPARE(f.ctl({u"sync"_s, u"--allow"_s, u"1"_s, u"--on"_s, u"local"_s}).status, 2);
        QCOMPARE(f.ctl({u"sync"_s, f.path(u"work"_s), u"--on"_s, u"lab9"_s}).status, 3);
        const auto here = f.ctl({u"sync"_s, f.path(u"work"_s), u"--on"_s, u"local"_s});
        QCOMPARE(here.status, 4);
        QVERIFY2(here.err.contains("work in the folder itself"), here.err.constData());
        const auto unwanted = f.ctl({u"sync"_s, file, u"--on"_s, u"local"_s});
        QCOMPARE(unwanted.status, 4);
        QVERIFY2(unwanted.err.contains("extras.trainyard.copyWork"), unwanted.err.constData());
        const auto broken = f.ctl({u"sync"_s, f.write(u"work/x.yaml"_s, "{"), u"--on"_s, u"local"_s});
        QCOMPARE(broken.status, 4);
    }

    // What is there cannot be seen: that is one sentence, however many tasks there were.
    void nothingComesFromAHostThatIsAway()
    {
        const ProgramsFixture f;
        QCOMPARE(addHost(f), QString());
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"far"_s, u"--wait"_s},
            EngineFixture::document("two", EngineFixture::role("main", 2, {"echo 1 > made"})), 60000);
        QVERIFY2(run.status == 0, run.err.constData());
        m_hosts->setLink(0, false);
        const auto isAway = [&f] {
            const QJsonArray hosts = f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array();
            return std::any_of(hosts.cbegin(), hosts.cend(), [](const QJsonValue &host) {
                return host["id"_L1].toString() == "far"_L1 && host["state"_L1].toString() != "online"_L1;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isAway(), 60000);
        const auto said = f.ctl({u"pull"_s, u"1"_s, u"--to"_s, f.path(u"here"_s)}, {}, 60000);
        QCOMPARE(said.status, 3);
        QCOMPARE(said.err.count("far is not connected"), 1);
        QVERIFY2(!said.err.contains("removed"), said.err.constData());
    }

    // The engine is killed in the middle of a copy: another one continues it.
    void goesOnWithAnotherEngine()
    {
        const ProgramsFixture f;
        QCOMPARE(addHost(f), QString());
        f.write(u"work/a"_s, "once more\n");
        m_hosts->setLink(0, false); // so that the copy lasts
        PseudoTerminal terminal(24, 200);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(
            f.program(u"trainyardctl"_s), {u"sync"_s, f.path(u"work"_s), u"--on"_s, u"far"_s}, environment));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("Reading the files of"), 20000);
        QVERIFY(f.daemonPid() > 0);
        QCOMPARE(::kill(pid_t(f.daemonPid()), SIGKILL), 0);
        m_hosts->setLink(0, true);
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 90000);
        QVERIFY2(terminal.process().exitCode() == 0, terminal.written().constData());
        QTRY_VERIFY(terminal.written().contains("far has it now"));
    }

    // Ctrl+C ends it at once, whatever the line does; the next time it goes on.
    void canBeCancelled()
    {
        const ProgramsFixture f;
        QCOMPARE(addHost(f), QString());
        f.write(u"work/a"_s, "cancelled\n");
        m_hosts->setLink(0, false);
        PseudoTerminal terminal(24, 200);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(
            f.program(u"trainyardctl"_s), {u"sync"_s, f.path(u"work"_s), u"--on"_s, u"far"_s}, environment));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("Reading the files of"), 20000);
        terminal.type("\x03");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        QCOMPARE(terminal.process().exitCode(), 130);
        QTRY_VERIFY(terminal.written().contains("Cancelled. Whole files that have arrived on far stay there"));
        m_hosts->setLink(0, true);
        const auto again = f.ctl({u"hosts"_s, u"check"_s, u"far"_s}, {}, 60000);
        QVERIFY2(again.status == 0, again.err.constData());
        // Nothing is printed that is still being measured.
        static const QRegularExpression clock(u"^ *\\.\\.\\. +Clock"_s, QRegularExpression::MultilineOption);
        QVERIFY2(!QString::fromUtf8(again.out).contains(clock) && again.out.contains("Clock")
                && again.out.contains(" free in "),
            again.out.constData());
        const auto done = f.ctl({u"sync"_s, f.path(u"work"_s), u"--on"_s, u"far"_s}, {}, 60000);
        QVERIFY2(done.status == 0 && done.out.contains("far has it now"), QByteArray(done.out + done.err).constData());
        // A check of a host that is connected makes a new connection.
        const auto connected = f.ctl({u"hosts"_s, u"check"_s, u"far"_s}, {}, 60000);
        QVERIFY2(connected.status == 0 && connected.out.contains("far is online"), connected.err.constData());
    }

    // What is beyond the settings is asked about; the answer is for the folder, also of the jobs.
    void largeFolders()
    {
        const ProgramsFixture f;
        f.setSettings({{u"code.maxMiB"_s, 1}});
        QCOMPARE(addHost(f), QString());
        f.write(u"work/big"_s, QByteArray(2 << 20, 'x'));
        const QString file = f.write(u"work/job.yaml"_s, job("ls"));
        const QStringList sync{u"sync"_s, file, u"--on"_s, u"far"_s};
        const auto refused = f.ctl(sync, {}, 60000);
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("--yes") && refused.err.contains("big (2 MiB)"), refused.err.constData());
        QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
        QVERIFY(waitForQuestion(f));
        QVERIFY(f.ctl({u"why"_s, u"1"_s}).out.contains("sync --allow 1"));
        QVERIFY(f.ctl({u"sync"_s, u"--refuse"_s, u"1"_s}).out.contains("the job fails"));
        const auto ended = f.ctl({u"wait"_s, u"1"_s}, {}, 60000);
        QVERIFY2(ended.status == 1 && ended.err.contains("You did not want the work folder"), ended.err.constData());
        QCOMPARE(f.ctl({u"sync"_s, u"--allow"_s, u"1"_s}).status, 4); // it asks no more
        const auto copied = f.ctl(sync + QStringList{u"--yes"_s}, {}, 60000);
        QVERIFY2(copied.status == 0, copied.err.constData());
        const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(run.status == 0, run.err.constData());
    }

    void onATerminal_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<int>("status");
        QTest::newRow("yes") << QByteArray("y\n") << 0;
        QTest::newRow("no") << QByteArray("\n") << 1;
    }
    void onATerminal()
    {
        QFETCH(QByteArray, answer);
        QFETCH(int, status);
        const ProgramsFixture f;
        f.setSettings({{u"code.maxMiB"_s, 1}});
        QCOMPARE(addHost(f), QString());
        f.write(u"work/big"_s, QByteArray(2 << 20, 'x'));
        const QString file = f.write(u"work/job.yaml"_s, job("ls"));
        PseudoTerminal terminal(24, 200);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(
            f.program(u"trainyardctl"_s), {u"run"_s, file, u"--on"_s, u"far"_s, u"--wait"_s}, environment));
        QTRY_VERIFY2_WITH_TIMEOUT(
            terminal.written().contains("Copy it? [y/N] "), terminal.written().constData(), 30000);
        terminal.type(answer);
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 60000);
        QVERIFY2(terminal.process().exitCode() == status, terminal.written().constData());
        QCOMPARE(terminal.written().count("Copy it? [y/N] "), 1);
    }

    // The jobs of a sweep have one folder, and one question.
    void inASweep_data() { onATerminal_data(); }
    void inASweep()
    {
        QFETCH(QByteArray, answer);
        QFETCH(int, status);
        const ProgramsFixture f;
        f.setSettings({{u"code.maxMiB"_s, 1}});
        QCOMPARE(addHost(f), QString());
        f.write(u"work/big"_s, QByteArray(2 << 20, 'x'));
        const QString file = f.write(u"work/job.yaml"_s, "parameters: {x: 0}\n" + job("test -e big"));
        PseudoTerminal terminal(24, 200);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s),
            {u"sweep"_s, file, u"--on"_s, u"far"_s, u"--wait"_s, u"--param"_s, u"x=1,2,3"_s, u"--limit"_s, u"0"_s},
            environment));
        QTRY_VERIFY2_WITH_TIMEOUT(
            terminal.written().contains("Copy it? [y/N] "), terminal.written().constData(), 30000);
        terminal.type(answer);
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 60000);
        QVERIFY2(terminal.process().exitCode() == status, terminal.written().constData());
        QCOMPARE(terminal.written().count("Copy it? [y/N] "), 1);
    }

    void inASweepWithoutATerminal()
    {
        const ProgramsFixture f;
        f.setSettings({{u"code.maxMiB"_s, 1}});
        QCOMPARE(addHost(f), QString());
        f.write(u"work/big"_s, QByteArray(2 << 20, 'x'));
        const QString file = f.write(u"work/job.yaml"_s, "parameters: {x: 0}\n" + job("test -e big"));
        QProcess sweep;
        sweep.setProcessEnvironment(f.environment());
        sweep.start(f.program(u"trainyardctl"_s),
            {u"sweep"_s, file, u"--on"_s, u"far"_s, u"--wait"_s, u"--param"_s, u"x=1,2"_s, u"--limit"_s, u"0"_s});
        QByteArray said;
        const auto asked = [&] {
            said += sweep.readAllStandardError();
            return said.contains("sync --allow ");
        };
        QTRY_VERIFY2_WITH_TIMEOUT(asked(), said.constData(), 30000);
        QCOMPARE(f.ctl({u"sync"_s, u"--allow"_s, u"1"_s}).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(sweep.state() == QProcess::NotRunning, 60000);
        said += sweep.readAllStandardError();
        QVERIFY2(sweep.exitCode() == 0, said.constData());
        QCOMPARE(said.count("sync --allow "), 1);
    }
};

TRAINYARD_TEST(TstCliSync)
#include "tst_clisync.moc"
