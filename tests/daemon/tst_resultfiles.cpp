// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/resultnotes.h"
#include "engine/pool/resultrules.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Results that come back from other hosts by the rule of their job, over a real sshd: of another user, so that nothing
// is shared.
class TstResultFiles : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    bool isOnline() const { return m_fixture->engine().hosts().last().state == HostState::Online; }
    bool waitForLine(bool isUp)
    {
        return QTest::qWaitFor([this, isUp] { return isOnline() == isUp; }, 30000);
    }
    // A job on the other host, with its file in the folder of the fixture.
    QString run(
        const QByteArrayList &commands, const QByteArray &results, const QByteArray &more = {}, int instances = 1)
    {
        SubmitRequest request;
        request.target = u"far"_s;
        request.file = m_fixture->path(u"work/job.yaml"_s);
        return m_fixture->submit(EngineFixture::document("net", EngineFixture::role("main", instances, commands),
                                     more + "extras: {trainyard: {results: " + results + "}}\n"),
            request);
    }
    // One on this computer, in a folder of its own.
    QString runHere(const QByteArray &command, const QString &to)
    {
        SubmitRequest request;
        request.file = u""_s;
        request.target = u"local"_s;
        return m_fixture->submit(EngineFixture::document("net", EngineFixture::role("main", 1, {command}),
                                     "extras: {trainyard: {results: {files: [a.csv], to: '" + to.toUtf8() + "'}}}\n"),
            request);
    }
    QString folderOf(const QString &job, int index = 0) const
    {
        return m_fixture->path(u"work/results/%1-net/main-%2"_s.arg(m_fixture->job(job).id).arg(index));
    }
    QByteArray text(const QString &job, const QString &name) const
    {
        QFile file(folderOf(job) + u'/' + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
    }
    QStringList names(const QString &job) const
    {
        QStringList all;
        const QString folder = folderOf(job);
        QDirIterator it(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            if (const QString name = it.next().mid(folder.size() + 1); name != ".trainyard-files.json"_L1) {
                all.append(name);
            }
        }
        all.sort();
        return all;
    }
    BroughtFiles told(const QString &job) const
    {
        const Result<JobDetail> detail = m_fixture->engine().job(job);
        return detail && !detail->brought.isEmpty() ? detail->brought.constFirst() : BroughtFiles();
    }
    bool waitForResults(const QString &job, int ms = 30000)
    {
        return QTest::qWaitFor(
            [&] { return !told(job).to.isEmpty() && !told(job).isPending && isFinal(m_fixture->job(job).state); }, ms);
    }
    QStringList problems(const QString &job) const
    {
        QStringList codes;
        const QList<BringProblem> all = told(job).problems;
        for (const BringProblem &problem : all) {
            codes.append(problem.code);
        }
        return codes;
    }
    void go() const
    {
        QFile file(m_hosts->home(0) + u"/go"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }

private Q_SLOTS:
    void init()
    {
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"ssh.aliveIntervalSeconds"_s, 1},
            {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}, {u"results.everySeconds"_s, 1}});
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"far"_s));
        QVERIFY2(QTest::qWaitFor([this] { return isOnline(); }, 60000),
            qPrintable(m_fixture->engine().hosts().last().error));
    }
    void cleanup()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    // The runs of earlier jobs here go along with the work folder, and are not what the task has made.
    void whatWasSentStaysThere()
    {
        const QDir runs(m_fixture->path(u"work/runs"_s));
        QVERIFY(runs.mkpath(u"."_s));
        for (const QString &name : {u"before.csv"_s, u"grows.csv"_s}) {
            QFile file(runs.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("1\n") == 2);
        }
        const QString job
            = run({"cat runs/before.csv", "echo 2 >> runs/grows.csv", "echo 3 > runs/new.csv"}, "['runs/**']");
        QVERIFY2(!job.isEmpty(), qPrintable(m_fixture->error().code));
        QVERIFY(waitForResults(job));
        QCOMPARE(m_fixture->job(job).state, State::Succeeded);
        QCOMPARE(names(job), (QStringList{u"runs/grows.csv"_s, u"runs/new.csv"_s}));
        QCOMPARE(text(job, u"runs/grows.csv"_s), QByteArray("1\n2\n"));
        QCOMPARE(problems(job), QStringList());
    }

    // Also of a task that fails; links, pipes and odd names stay there, and git is kept out.
    void comeAtTheEnd()
    {
        const QString job
            = run({"mkdir -p out/deep .hidden", "echo 1 > a.csv", "echo 2 > out/deep/b.csv", "echo 3 > .hidden/c.csv",
                      "echo 4 > d.txt", "chmod +x out/deep/b.csv", "ln -s /etc/passwd l.csv", "ln -s / all",
                      "mkfifo p.csv", "touch \"$(printf 'odd\\nname.csv')\"", "exit 3"},
                "['**/*.csv']");
        QVERIFY2(!job.isEmpty(), qPrintable(m_fixture->error().code));
        QVERIFY(waitForResults(job));
        QCOMPARE(m_fixture->job(job).state, State::Failed);
        QCOMPARE(names(job), (QStringList{u"a.csv"_s, u"out/deep/b.csv"_s}));
        QCOMPARE(text(job, u"out/deep/b.csv"_s), QByteArray("2\n"));
        QVERIFY(QFileInfo(folderOf(job) + u"/out/deep/b.csv"_s).isExecutable());
        QVERIFY((QFile::permissions(folderOf(job) + u"/a.csv"_s) & QFile::ExeOwner) == 0);
        QCOMPARE(told(job).files, 2);
        QCOMPARE(told(job).bytes, 4);
        QVERIFY(told(job).at > 0);
        QCOMPARE(problems(job), (QStringList{u"results.links"_s, u"results.special"_s, u"results.odd-names"_s}));
        QCOMPARE(EngineFixture::contents(QFileInfo(folderOf(job)).path() + u"/.gitignore"_s), QByteArray("*\n"));
        // It is known after a restart, too.
        m_fixture->close();
        QVERIFY(m_fixture->open());
        QCOMPARE(told(job).files, 2);
    }

    // While it runs what has changed comes; what is changed here stays. A stop brings the rest.
    void comeDuringTheRun()
    {
        const QString job = run({"echo 1 > a.csv", "until [ -e ~/go ]; do sleep 0.05; done", "echo 2 > a.csv",
                                    "echo new > b.csv", "until false; do sleep 0.1; done"},
            "{files: ['*.csv'], when: during}");
        QTRY_COMPARE_WITH_TIMEOUT(text(job, u"a.csv"_s), QByteArray("1\n"), 20000);
        QTRY_COMPARE(told(job).files, 1);
        QVERIFY(!told(job).isPending);
        QFile mine(folderOf(job) + u"/a.csv"_s);
        QVERIFY(mine.open(QIODevice::WriteOnly) && mine.write("mine\n") == 5);
        mine.close();
        go();
        QTRY_COMPARE_WITH_TIMEOUT(text(job, u"b.csv"_s), QByteArray("new\n"), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(text(job, u"a~2.csv"_s), QByteArray("2\n"), 20000);
        QCOMPARE(text(job, u"a.csv"_s), QByteArray("mine\n"));
        QTRY_COMPARE(problems(job), QStringList{u"results.beside"_s});
        QVERIFY(m_fixture->engine().stop(job));
        QVERIFY(waitForResults(job));
        QCOMPARE(m_fixture->job(job).state, State::Stopped);
        QCOMPARE(names(job), (QStringList{u"a.csv"_s, u"a~2.csv"_s, u"b.csv"_s}));
    }

    // The line is cut in the middle of a file, and the engine starts anew: the rest comes later, nothing is half.
    void surviveACut()
    {
        QVERIFY(m_hosts->setRate(0, u"40mbit"_s));
        const QString job
            = run({"head -c 8000000 /dev/zero | tr '\\0' x > big.bin", "echo done > a.txt"}, "['big.bin', 'a.txt']");
        QTRY_COMPARE_WITH_TIMEOUT(text(job, u"a.txt"_s), QByteArray("done\n"), 30000);
        m_hosts->setLink(0, false);
        QVERIFY(waitForLine(false));
        QVERIFY(!names(job).contains(u"big.bin"_s));
        QTRY_COMPARE(problems(job), QStringList{u"results.host-away"_s});
        QVERIFY(told(job).isPending);
        QTRY_VERIFY(isFinal(m_fixture->job(job).state));
        m_fixture->close();
        m_hosts->heal(0);
        m_hosts->setLink(0, true);
        QVERIFY(m_fixture->open());
        QCOMPARE(m_fixture->engine().pendingFiles({job}).value(0).tasks, 1);
        QVERIFY(waitForLine(true));
        QVERIFY(waitForResults(job, 60000));
        QVERIFY(text(job, u"big.bin"_s) == QByteArray(8'000'000, 'x'));
        QCOMPARE(names(job), (QStringList{u"a.txt"_s, u"big.bin"_s}));
        QVERIFY(problems(job).isEmpty());
    }

    void limitsAreSaid()
    {
        const QString job = run({"head -c 3000000 /dev/zero > large.bin", "head -c 900000 /dev/zero > b1.bin",
                                    "head -c 900000 /dev/zero > b2.bin", "echo 1 > a.bin"},
            "{files: ['*.bin'], maxFileMB: 2, maxMB: 1}");
        QVERIFY(waitForResults(job));
        QCOMPARE(names(job), (QStringList{u"a.bin"_s, u"b1.bin"_s}));
        QCOMPARE(problems(job), (QStringList{u"results.too-large"_s, u"results.beyond"_s}));
        const BringProblem large = told(job).problems.constFirst();
        QCOMPARE(large.args.value("path"_L1).toString(), u"large.bin"_s);
        QCOMPARE(large.args.value("task"_L1).toString(), u"main/0"_s);
        // By hand it can be had: the list and the pieces, whatever the rule says.
        std::optional<Result<api::TaskFileList>> list;
        m_fixture->engine().filesOfTask({job, u"main"_s, 0, {u"large.bin"_s}},
            m_fixture.get() ? &m_fixture->engine() : nullptr,
            [&](const Result<api::TaskFileList> &found) { list = found; });
        QTRY_VERIFY(list);
        QVERIFY(*list);
        QCOMPARE((*list)->files.size(), 1);
        QCOMPARE((*list)->files.constFirst().bytes, 3'000'000);
        std::optional<Result<api::FilePiece>> piece;
        m_fixture->engine().pieceOfFile({job, u"main"_s, 0, u"large.bin"_s, 2'999'990, 100}, &m_fixture->engine(),
            [&](const Result<api::FilePiece> &read) { piece = read; });
        QTRY_VERIFY(piece);
        QVERIFY(*piece);
        QCOMPARE(QByteArray::fromBase64((*piece)->base64.toLatin1()), QByteArray(10, '\0'));
        piece.reset();
        m_fixture->engine().pieceOfFile({job, u"main"_s, 0, u"../../../../etc/passwd"_s, 0, 100}, &m_fixture->engine(),
            [&](const Result<api::FilePiece> &read) { piece = read; });
        QTRY_VERIFY(piece);
        QVERIFY(!*piece);
        QCOMPARE(piece->error().code, u"results.unreadable"_s);
    }

    // A job that is removed while its results are on their way still gets its results; only then its folder there goes.
    void comeBeforeTheRemoval()
    {
        const QString job = run({"echo 1 > a.csv", "until [ -e ~/go ]; do sleep 0.05; done"}, "['a.csv']");
        QVERIFY(m_fixture->waitFor(job, [](const JobSummary &known) { return known.state == State::Running; }));
        QTRY_VERIFY(!told(job).to.isEmpty());
        const Result<TaskFolder> there = m_fixture->engine().taskFolder(job, u"main"_s, 0);
        QVERIFY(there);
        const QString here = folderOf(job);
        QVERIFY(m_hosts->setRate(0, u"1mbit"_s));
        go();
        QVERIFY(m_fixture->waitForEnd(job));
        QVERIFY(m_fixture->engine().remove(job));
        QTRY_COMPARE_WITH_TIMEOUT(EngineFixture::contents(here + u"/a.csv"_s), QByteArray("1\n"), 30000);
        m_hosts->heal(0);
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(there->folder), 30000);
    }

    // A folder that cannot be made for now, here: they come when it can.
    void waitForTheirFolder()
    {
        QFile blocked(m_fixture->path(u"blocked"_s));
        QVERIFY(blocked.open(QIODevice::WriteOnly));
        blocked.close();
        const QString job = runHere("echo 1 > a.csv", m_fixture->path(u"blocked/out"_s));
        QVERIFY2(!job.isEmpty(), qPrintable(m_fixture->error().code));
        QVERIFY(m_fixture->waitForEnd(job));
        QTRY_COMPARE(problems(job), QStringList{u"results.folder-unwritable"_s});
        QVERIFY(told(job).isPending);
        QCOMPARE(m_fixture->engine().pendingFiles({u"unknown"_s, job}),
            (QList{api::PendingFiles{job, 1, 1, u"main"_s, 0, 0, 0, 0, 0}}));
        // That they are all here is told of a job that has ended long ago.
        bool isTold = false;
        QObject::connect(&m_fixture->engine(), &Engine::jobChanged, this,
            [&](const JobSummary &changed) { isTold = isTold || (changed.uuid == job && !told(job).isPending); });
        QVERIFY(blocked.remove());
        QVERIFY(waitForResults(job));
        QVERIFY(problems(job).isEmpty());
        QTRY_VERIFY(isTold);
        m_fixture->engine().disconnect(this);
        QVERIFY(m_fixture->engine().pendingFiles({job}).isEmpty());
        const QString file = u"blocked/out/%1-net/main-0/a.csv"_s.arg(m_fixture->job(job).id);
        QCOMPARE(EngineFixture::contents(m_fixture->path(file)), QByteArray("1\n"));
    }

    // The folder of a run on this computer, too, stays until its results are elsewhere.
    void comeBeforeTheRemovalHere()
    {
        const QString job = runHere("head -c 60000000 /dev/zero > a.csv", m_fixture->path(u"out"_s));
        QVERIFY(m_fixture->waitForEnd(job));
        const QString file = m_fixture->path(u"out/%1-net/main-0/a.csv"_s.arg(m_fixture->job(job).id));
        const QString run = m_fixture->path(u"state/runs/"_s + job);
        QVERIFY(QFileInfo::exists(run));
        QVERIFY(m_fixture->engine().remove(job));
        QTRY_COMPARE_WITH_TIMEOUT(QFileInfo(file).size(), 60'000'000, 30000);
        QTRY_VERIFY(!QFileInfo::exists(run));
    }

    // A try whose end was not written down, and of which no job knows any more, is over after a start.
    void ofATryThatIsNowhere()
    {
        m_fixture->close();
        ResultTask task;
        task.tryUuid = QUuid::createUuid();
        task.job = QUuid::createUuid().toString(QUuid::WithoutBraces);
        task.role = u"main"_s;
        task.host = u"local"_s;
        task.folder = m_fixture->path(u"there"_s);
        task.to = m_fixture->path(u"out"_s);
        task.globs = QStringList{u"*.csv"_s};
        QVERIFY(QDir().mkpath(task.folder));
        QFile file(task.folder + u"/a.csv"_s);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("1\n") == 2);
        file.close();
        const ResultNotes notes(m_fixture->path(u"state/results"_s));
        notes.write(task);
        QCOMPARE(notes.unfinished().size(), 1);
        QVERIFY(m_fixture->open());
        QTRY_COMPARE_WITH_TIMEOUT(EngineFixture::contents(m_fixture->path(u"out/a.csv"_s)), QByteArray("1\n"), 15000);
        QTRY_VERIFY(notes.unfinished().isEmpty());
    }

    // Its host has seen nothing of the engine for a day: whatever was there does not come any more. That it sees
    // nothing now may have many reasons.
    void ofAFolderThatIsGone()
    {
        m_fixture->close();
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        ResultTask gone;
        gone.job = QUuid::createUuid().toString(QUuid::WithoutBraces);
        gone.role = u"main"_s;
        gone.host = u"local"_s;
        gone.folder = m_fixture->path(u"there/remote/epoch/runs/job/work"_s);
        gone.to = m_fixture->path(u"out"_s);
        gone.globs = QStringList{u"*.csv"_s};
        gone.hasEnded = true;
        ResultTask away = gone;
        away.job = QUuid::createUuid().toString(QUuid::WithoutBraces);
        away.to = m_fixture->path(u"other"_s);
        gone.tryUuid = QUuid::createUuid();
        away.tryUuid = QUuid::createUuid();
        gone.awaySince = now - 90'000'000;
        const ResultNotes notes(m_fixture->path(u"state/results"_s));
        notes.write(gone);
        notes.write(away);
        QCOMPARE(notes.unfinished().size(), 2);
        QVERIFY(m_fixture->open());
        QTRY_COMPARE_WITH_TIMEOUT(notes.unfinished().size(), 1, 60000);
        const auto codeOf = [&notes](const ResultTask &task) {
            const QList<BroughtFiles> told = notes.told(task.job);
            return told.isEmpty() || told.first().problems.isEmpty() || told.first().isPending
                ? QString()
                : told.first().problems.first().code;
        };
        QTRY_COMPARE_WITH_TIMEOUT(codeOf(gone), u"results.folder-gone"_s, 15000);
        QCOMPARE(notes.unfinished().first().tryUuid, away.tryUuid);
        QTRY_VERIFY(notes.unfinished().first().awaySince >= now); // the next engine knows it
    }

    void whatIsGoneForGood_data()
    {
        QTest::addColumn<qint64>("awaySince");
        QTest::addColumn<int>("answers");
        QTest::addColumn<bool>("isGone");
        QTest::newRow("it is there") << qint64(0) << 0 << false;
        QTest::newRow("for a day, and asked often") << qint64(13'600'000) << 5 << true;
        QTest::newRow("not for a day yet") << qint64(13'600'001) << 100 << false;
        QTest::newRow("the clock has jumped") << qint64(1) << 1 << false;
        QTest::newRow("the clock was set back") << qint64(200'000'000) << 100 << false;
    }
    void whatIsGoneForGood()
    {
        QFETCH(qint64, awaySince);
        QFETCH(int, answers);
        QTEST(isGoneForGood(awaySince, answers, 100'000'000), "isGone");
    }

    // What a job works on here needs no copy; a folder of the try's own does.
    void onThisComputer()
    {
        const auto job = [](const QByteArray &to) {
            return EngineFixture::document("net", EngineFixture::role("main", 1, {"echo 1 > a.csv"}),
                "extras: {trainyard: {results: {files: [a.csv]" + to + "}}}\n");
        };
        const QByteArray to = ", to: '" + m_fixture->path(u"out"_s).toUtf8() + "'";
        const auto asked = [this](const QString &work) {
            SubmitRequest request;
            request.work = work;
            request.file = work.isEmpty() ? u""_s : m_fixture->path(u"work/job.yaml"_s);
            request.target = u"local"_s;
            return request;
        };
        const auto notesOf = [&](const QByteArray &yaml, const QString &work) {
            SubmitRequest request = asked(work);
            request.yaml = yaml;
            const Result<PlanReply> plan = m_fixture->engine().plan(request);
            QStringList codes;
            for (const JobNote &note : plan ? plan->notes : QList<JobNote>()) {
                codes.append(note.code);
            }
            return plan ? codes.join(u' ') : plan.error().code;
        };
        QCOMPARE(notesOf(job(to), m_fixture->path(u"work"_s)), u"results.stay"_s);
        QCOMPARE(notesOf(job({}), m_fixture->path(u"work"_s)), QString());
        QCOMPARE(notesOf(job(to), {}), QString());
        const auto submit = [&](const QString &work) { return m_fixture->submit(job(to), asked(work)); };
        const QString own = submit(m_fixture->path(u"work"_s));
        QVERIFY(m_fixture->waitForEnd(own));
        QCOMPARE(m_fixture->job(own).state, State::Succeeded);
        QVERIFY(m_fixture->engine().job(own)->brought.isEmpty());
        QVERIFY(!QFileInfo::exists(m_fixture->path(u"out"_s)));
        const QString apart = submit({});
        QVERIFY(waitForResults(apart));
        const QString file = u"out/%1-net/main-0/a.csv"_s.arg(m_fixture->job(apart).id);
        QCOMPARE(EngineFixture::contents(m_fixture->path(file)), QByteArray("1\n"));
    }
};

TRAINYARD_TEST(TstResultFiles)
#include "tst_resultfiles.moc"
