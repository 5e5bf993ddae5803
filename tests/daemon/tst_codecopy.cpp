// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/backend/secretkeeper.h"
#include "engine/client/capturedenvironment.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Work folders on other hosts, over a real sshd: of another user, who cannot read the files here.
class TstCodeCopy : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    bool isOnline() const { return m_fixture->engine().hosts().last().state == HostState::Online; }
    void write(const QString &name, const QByteArray &bytes)
    {
        const QString path = m_fixture->path(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    QString run(const QByteArrayList &commands, const QString &work = u"project"_s, const QByteArray &more = {})
    {
        SubmitRequest request;
        request.target = u"far"_s;
        request.work = m_fixture->path(work);
        return m_fixture->submit(
            EngineFixture::document("code", EngineFixture::role("main", 2, commands), more), request);
    }
    QStringList storedContents() const
    {
        QStringList names;
        QDirIterator it(m_hosts->home(0) + u"/state/trainyard"_s, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            if (const QString path = it.next(); path.contains("/code/contents/"_L1)) {
                names.append(path);
            }
        }
        return names;
    }

    QString git(const QStringList &arguments) const // in the project
    {
        QProcess process;
        process.start(u"git"_s,
            QStringList{u"-C"_s, m_fixture->path(u"project"_s), u"-c"_s, u"user.name=t"_s, u"-c"_s, u"user.email=t@t"_s}
                + arguments);
        return process.waitForFinished(20000) && process.exitCode() == 0
            ? QString::fromUtf8(process.readAllStandardOutput()).trimmed()
            : u"failed"_s;
    }
    bool asks(const QString &job)
    {
        return m_fixture->waitFor(
            job, [](const JobSummary &known) { return known.reason == "code.asks"_L1; }, 20000);
    }

    void open(SshHosts::Kind kind)
    {
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), kind);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"ssh.aliveIntervalSeconds"_s, 1},
            {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}, {u"code.maxMiB"_s, 64}});
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"far"_s));
        QVERIFY2(QTest::qWaitFor([this] { return isOnline(); }, 15000),
            qPrintable(m_fixture->engine().hosts().last().error));
    }

private Q_SLOTS:
    void init() { open(SshHosts::Kind::Unlike); }
    void cleanup()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    // A misspelled folder, or one that has been moved, does not send the job to the next host.
    void missingFoldersAreRefused()
    {
        EngineFixture &f = *m_fixture;
        const auto job = [](const QByteArray &more = {}) {
            return EngineFixture::document("lost", EngineFixture::role("main", 1, {"true"}), more);
        };
        SubmitRequest lost;
        lost.work = f.path(u"nope/x"_s);
        for (const QString &target : {QString(), u"pool"_s, u"any"_s}) {
            lost.target = target;
            QVERIFY(f.submit(job(), lost).isEmpty());
            QCOMPARE(f.error().code, u"job.work-missing-here"_s);
            QCOMPARE(f.error().args.value("folder"_L1).toString(), lost.work);
        }
        lost.target = u"local"_s;
        QVERIFY(f.submit(job(), lost).isEmpty());
        QCOMPARE(f.error().code, u"job.work-missing"_s);
        write(u"file"_s, {});
        SubmitRequest file;
        file.work = f.path(u"file"_s);
        QVERIFY(f.submit(job(), file).isEmpty());
        QCOMPARE(f.error().code, u"job.work-no-folder"_s);
        SubmitRequest none;
        QVERIFY(f.submit(job("extras: {trainyard: {work: ../nosuch}}\n"), none).isEmpty());
        QCOMPARE(f.error().code, u"job.work-missing-here"_s);
        // A host that is named may have it.
        lost.target = u"far"_s;
        const QString submitted = f.submit(job(), lost);
        QVERIFY2(!submitted.isEmpty(), qPrintable(f.error().code));
        lost.target.clear();
        const QString byRole = f.submit(job("extras: {trainyard: {hosts: {main: {names: [far]}}}}\n"), lost);
        QVERIFY2(!byRole.isEmpty(), qPrintable(f.error().code));
        // The folder of its file is one of this computer.
        SubmitRequest moved;
        moved.file = f.path(u"moved/job.yaml"_s);
        for (const QString &target : {QString(), u"any"_s, u"local"_s, u"far"_s}) {
            moved.target = target;
            QVERIFY(f.submit(job(), moved).isEmpty());
            QCOMPARE(f.error().code, u"job.file-folder-missing"_s);
            QCOMPARE(f.error().args.value("folder"_L1).toString(), f.path(u"moved"_s));
        }
        const QString empty = f.submit(job("extras: {trainyard: {copyWork: false}}\n"), moved); // at far
        QVERIFY2(!empty.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(empty) && f.waitForEnd(submitted) && f.waitForEnd(byRole));
        QCOMPARE(f.job(empty).state, State::Succeeded);
    }

    void goesAlong()
    {
        EngineFixture &f = *m_fixture;
        write(u"project/train.sh"_s, "#!/bin/sh\ncat lib/words.txt >> said\n");
        QFile::setPermissions(f.path(u"project/train.sh"_s), QFile::ReadOwner | QFile::ExeOwner);
        write(u"project/lib/words.txt"_s, "hello\n");
        write(u"project/.gitignore"_s, "data/\n");
        write(u"project/data/big"_s, QByteArray(1000, 'x'));
        const QString first = run({"./train.sh", "ls -A | tr '\\n' ' '", "ls data || true"});
        QVERIFY2(!first.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(first));
        QCOMPARE(f.job(first).state, State::Succeeded);
        QTRY_VERIFY(f.output(first, u"main"_s, 0).contains(".gitignore lib said train.sh"));
        QVERIFY(f.output(first, u"main"_s, 0).contains("data")); // ls complains
        QVERIFY(!QFileInfo::exists(f.path(u"project/said"_s))); // a copy is a copy
        const Result<TaskFolder> files = f.engine().taskFolder(first, u"main"_s, 0); // where 'cp' looks
        QVERIFY(files && QFileInfo::exists(files->work + u"/said"_s));
        QCOMPARE(storedContents().size(), 3);

        // Only what has changed is sent again, and each job has a folder of its own.
        write(u"project/lib/words.txt"_s, "goodbye\n");
        const QString second = run({"./train.sh", "cat said"});
        QVERIFY(f.waitForEnd(second));
        QTRY_VERIFY(f.output(second, u"main"_s, 0).contains("goodbye\n"));
        QVERIFY(!f.output(second, u"main"_s, 0).contains("hello"));
        QCOMPARE(storedContents().size(), 4);
    }

    // The run says of which commit its copy is, as one on this computer does; no secret is written down there.
    void saysOfWhichCommit()
    {
        EngineFixture &f = *m_fixture;
        write(u"project/train.py"_s, "lr = 1\n");
        QCOMPARE(git({u"init"_s, u"-q"_s, u"-b"_s, u"tuning"_s}), QString());
        QCOMPARE(git({u"add"_s, u"."_s}), QString());
        QCOMPARE(git({u"commit"_s, u"-qm"_s, u"1"_s}), QString());
        write(u"project/train.py"_s, "lr = 2 # hunter2-and-more\n");
        const QString job
            = run({"cat train.py", "echo <% $secrets.word %>"}, u"project"_s, "secrets: {word: hunter2-and-more}\n");
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(job));
        QCOMPARE(f.job(job).state, State::Succeeded);
        std::optional<CapturedEnvironment> found;
        const auto isFound = [&] {
            found = CapturedEnvironment::read(f.task(job, u"main"_s, 0).logFolder);
            return found.has_value();
        };
        QVERIFY(QTest::qWaitFor(isFound, 20000));
        QVERIFY(found->git);
        QCOMPARE(found->git->commit, git({u"rev-parse"_s, u"HEAD"_s}));
        QCOMPARE(found->git->branch, u"tuning"_s);
        QVERIFY2(found->git->isDirty && found->git->diff.contains(u"+lr = 2 # ******"_s), qPrintable(found->git->diff));
        const Result<TaskFolder> files = f.engine().taskFolder(job, u"main"_s, 0);
        QVERIFY(files);
        const QByteArray beside = EngineFixture::contents(files->work + u".origin.json"_s);
        QVERIFY2(beside.contains("lr = 2") && !beside.contains("hunter2"), beside.constData());
        QVERIFY(!files->isHere);

        // Where the host keeps copies elsewhere by now, what was noted is where the job worked, and still a copy.
        const QString kept = files->work + u"-kept"_s, notes = u"state/runs/"_s + job + u"/work-folders.json"_s;
        QJsonObject noted = QJsonDocument::fromJson(EngineFixture::contents(f.path(notes))).object();
        QCOMPARE(noted.size(), 1);
        QJsonObject ofHost = noted.begin()->toObject();
        ofHost.insert(u"folder"_s, kept);
        noted.insert(noted.begin().key(), ofHost);
        write(notes, QJsonDocument(noted).toJson());
        f.close();
        QVERIFY(f.open());
        QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 15000));
        const TaskFolder again = f.engine().taskFolder(job, u"main"_s, 0).value_or(TaskFolder());
        QCOMPARE(again.work, kept);
        QVERIFY(!again.isHere);
    }

    // What a try left is there for the next one, whatever became of the files here; another engine asks no more.
    void staysForTheJob()
    {
        EngineFixture &f = *m_fixture;
        write(u"project/a"_s, "1");
        const QString go = m_hosts->home(0) + u"/go"_s;
        const QString job = run({"[ -e checkpoint ] && { echo again; exit 0; }", "touch checkpoint",
                                    "until [ -e ~/go ]; do sleep 0.05; done", "exit 1"},
            u"project"_s, "jobRetryCount: 1\n");
        QVERIFY(f.waitFor(job, [](const JobSummary &known) { return known.state == State::Running; }));
        QVERIFY(QFile::remove(f.path(u"project/a"_s)) && QDir().rmdir(f.path(u"project"_s)));
        f.close();
        QVERIFY(f.open());
        QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 15000));
        QFile file(go);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(f.waitForEnd(job, 30000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains("again"));
    }

    // The copy has no .git, whichever engine finds that a command of git has failed in it.
    void hasNoRepository()
    {
        EngineFixture &f = *m_fixture;
        write(u"project/a"_s, "1");
        QCOMPARE(git({u"init"_s, u"-q"_s}), QString());
        const QString go = m_hosts->home(0) + u"/go"_s;
        const QString job = run({"until [ -e ~/go ]; do sleep 0.05; done", "git rev-parse HEAD"});
        QVERIFY(f.waitFor(job, [](const JobSummary &known) { return known.state == State::Running; }));
        f.close();
        QVERIFY(f.open());
        QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 15000));
        QFile file(go);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(f.waitForEnd(job, 30000));
        QCOMPARE(f.job(job).state, State::Failed);
        const QJsonObject args = f.job(job).reasonArgs;
        const FailureFacts facts = FailureFacts::fromJson(args.value(failureKey).toObject());
        QVERIFY2(facts.cause == "git-copy"_L1, QJsonDocument(args).toJson().constData());
    }

    // What git ignores is not copied, and the reason of the failure says so.
    void namesAnIgnoredFile()
    {
        EngineFixture &f = *m_fixture;
        write(u"project/a"_s, "1");
        write(u"project/.gitignore"_s, "data/\n");
        write(u"project/data/part1.bin"_s, "1");
        QCOMPARE(git({u"init"_s, u"-q"_s}), QString());
        const QString job = run({"cat a data/part1.bin"});
        QVERIFY(f.waitForEnd(job, 30000));
        QCOMPARE(f.job(job).state, State::Failed);
        const QJsonObject args = f.job(job).reasonArgs;
        const FailureFacts facts = FailureFacts::fromJson(args.value(failureKey).toObject());
        QVERIFY2(facts.cause == "file-uncopied"_L1, QJsonDocument(args).toJson().constData());
        QCOMPARE(facts.args.value("folder"_L1).toString(), f.path(u"project"_s));
    }

    // The line is cut in the middle of it: the rest comes later, and nothing twice.
    void survivesACut()
    {
        EngineFixture &f = *m_fixture;
        QByteArray big(24 << 20, Qt::Uninitialized);
        for (qsizetype i = 0; i < big.size(); ++i) {
            big[i] = char(i * 31 >> 7);
        }
        write(u"project/a"_s, big);
        write(u"project/b"_s, big.first(12 << 20));
        write(u"project/c"_s, big.first(6 << 20));
        const QString job = run({"cat a b c | sha256sum"});
        const auto copying = [&] {
            const TaskInfo task = f.task(job, u"main"_s, 0);
            return task.reason == "launch.copying"_L1 && task.reasonArgs.value("bytes"_L1).toInteger() > (1 << 20);
        };
        QVERIFY(QTest::qWaitFor(copying, 20000));
        QCOMPARE(f.job(job).reason, u"launch.copying"_s);
        m_hosts->setLink(0, false);
        QVERIFY(QTest::qWaitFor([this] { return !isOnline(); }, 30000));
        m_hosts->setLink(0, true);
        QVERIFY(f.waitForEnd(job, 60000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QCryptographicHash hash(QCryptographicHash::Sha256);
        hash.addData(big);
        hash.addData(QByteArrayView(big).first(12 << 20));
        hash.addData(QByteArrayView(big).first(6 << 20));
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains(hash.result().toHex()));
    }

    // A large file is not begun anew after a cut: its part is the file in the end, and what was there counts at once.
    void continuesALargeFile()
    {
        EngineFixture &f = *m_fixture;
        QRandomGenerator dice(7);
        QByteArray big(24 << 20, Qt::Uninitialized);
        for (char &c : big) {
            c = char(dice.generate());
        }
        write(u"project/a"_s, big);
        QVERIFY(m_hosts->setRate(0, u"128kbit"_s)); // so slow come the answers
        const QString job = run({"sha256sum a"});
        QFileInfo part;
        const auto findPart = [&] {
            QDirIterator it(m_hosts->home(0) + u"/state/trainyard"_s, {u".trainyard-*.part"_s},
                QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            part = it.hasNext() ? QFileInfo(it.next()) : QFileInfo();
            return part.exists() && part.size() > (4 << 20);
        };
        QVERIFY(QTest::qWaitFor(findPart, 60000));
        m_hosts->setLink(0, false);
        QVERIFY(QTest::qWaitFor([this] { return !isOnline(); }, 30000));
        QVERIFY(findPart());
        const qint64 there = part.size();
        QVERIFY(there < big.size());
        struct stat before {
        }, after{};
        QCOMPARE(::stat(QFile::encodeName(part.filePath()).constData(), &before), 0);
        const auto bytesOf = [&] { return f.task(job, u"main"_s, 0).reasonArgs.value("bytes"_L1).toInteger(); };
        const qint64 toldBefore = bytesOf();
        m_hosts->heal(0);
        m_hosts->setLink(0, true);
        qint64 least = big.size();
        QVERIFY(QTest::qWaitFor(
            [&] {
                const bool isCopying = isOnline() && f.task(job, u"main"_s, 0).reason == "launch.copying"_L1;
                if (const qint64 bytes = bytesOf(); isCopying && bytes > 0 && bytes != toldBefore) {
                    least = std::min(least, bytes);
                }
                return f.job(job).state == State::Succeeded || f.job(job).state == State::Failed;
            },
            60000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QVERIFY2(least >= there, qPrintable(u"%1 of %2"_s.arg(least).arg(there)));
        const QByteArray name = QCryptographicHash::hash(big, QCryptographicHash::Sha256).toHex();
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains(name));
        QCOMPARE(storedContents().size(), 1);
        QCOMPARE(::stat(QFile::encodeName(storedContents().first()).constData(), &after), 0);
        QCOMPARE(after.st_ino, before.st_ino);
        QVERIFY(!findPart());
    }

    // Another computer that cleans up on the host takes the contents, the tree and the parts from under a copy: what
    // has gone is sent again.
    void survivesASweep()
    {
        EngineFixture &f = *m_fixture;
        QCryptographicHash hash(QCryptographicHash::Sha256);
        for (int i = 0; i < 10; ++i) {
            const QByteArray bytes(900 << 10, char('a' + i)); // whole, in many pieces
            write(u"project/a%1"_s.arg(i), bytes);
            hash.addData(bytes);
        }
        const QByteArray big(8 << 20, 'z'); // continued
        write(u"project/z"_s, big);
        hash.addData(big);
        QVERIFY(m_hosts->setRate(0, u"128kbit"_s));
        const QString job = run({"cat a* z | sha256sum"});
        QVERIFY(QTest::qWaitFor([this] { return storedContents().size() >= 2; }, 60000));
        const QString code = storedContents().value(0).section("/contents/"_L1, 0, 0);
        QVERIFY(code.endsWith("/code"_L1));
        // At once, so that nothing is written into it meanwhile.
        QVERIFY(QDir().rename(code, code + u"-swept-1"_s));
        const auto hasPart = [&code] {
            QDirIterator it(code, {u".trainyard-*.part"_s}, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            return it.hasNext() && QFileInfo(it.next()).size() > (1 << 20);
        };
        QVERIFY(QTest::qWaitFor(hasPart, 60000));
        QVERIFY(QDir().rename(code, code + u"-swept-2"_s));
        QVERIFY(f.waitForEnd(job, 90000));
        QVERIFY2(f.job(job).state == State::Succeeded, qPrintable(f.job(job).reason));
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains(hash.result().toHex()));
    }

    // What lies there under the name of a part and is not the beginning of the file is sent anew, and never used.
    void beginsAWrongPartAnew()
    {
        EngineFixture &f = *m_fixture;
        QByteArray big(24 << 20, 'a');
        write(u"project/a"_s, big);
        QVERIFY(m_hosts->setRate(0, u"128kbit"_s));
        const QString job = run({"sha256sum a"});
        QString part;
        const auto findPart = [&] {
            QDirIterator it(m_hosts->home(0) + u"/state/trainyard"_s, {u".trainyard-*.part"_s},
                QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            part = it.hasNext() ? it.next() : QString();
            return QFileInfo(part).size() > (2 << 20);
        };
        QVERIFY(QTest::qWaitFor(findPart, 60000));
        m_hosts->setLink(0, false);
        QVERIFY(QTest::qWaitFor([this] { return !isOnline(); }, 30000));
        QVERIFY(findPart());
        QFile wrong(part);
        QVERIFY(wrong.open(QIODevice::ReadWrite) && wrong.seek(1000) && wrong.write("wrong") == 5);
        wrong.close();
        m_hosts->heal(0);
        m_hosts->setLink(0, true);
        QVERIFY(f.waitForEnd(job, 60000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QTRY_VERIFY(
            f.output(job, u"main"_s, 0).contains(QCryptographicHash::hash(big, QCryptographicHash::Sha256).toHex()));
        QVERIFY(!findPart());
    }

    void saysWhyNot()
    {
        EngineFixture &f = *m_fixture;
        QVERIFY(f.engine().setSetting(u"code.overLimit"_s, u"refuse"_s));
        write(u"project/big.bin"_s, QByteArray(65 << 20, 'x'));
        QString job = run({"true"});
        QVERIFY(f.waitForEnd(job));
        QCOMPARE(f.job(job).reason, u"code.too-big"_s);
        QVERIFY(f.job(job).reasonArgs.value("biggest"_L1).toString().startsWith("big.bin\n"_L1));
        // What its sentence says helps, and nothing else.
        write(u"project/.trainyardignore"_s, "*.bin\n");
        job = run({"ls -A"});
        QVERIFY(f.waitForEnd(job));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QTRY_COMPARE(f.output(job, u"main"_s, 0), QByteArray(".trainyardignore\n"));
        // Nothing is copied of a job that does not want it.
        job = run({"true"}, u"project"_s, "extras: {trainyard: {copyWork: false}}\n");
        QVERIFY(f.waitForEnd(job));
        QVERIFY2(f.job(job).reason.startsWith("launch.cwd-"_L1), qPrintable(f.job(job).reason));
    }

    // A folder beyond the settings waits for an answer, also through a restart of the engine, and is not asked about
    // again. Other jobs go on meanwhile.
    void asksBeforeALargeCopy()
    {
        EngineFixture &f = *m_fixture;
        QVERIFY(f.engine().setSetting(u"code.maxMiB"_s, 1));
        write(u"project/big.bin"_s, QByteArray(2 << 20, 'x'));
        write(u"small/a"_s, "1");
        const QString job = run({"ls -A"});
        QVERIFY(asks(job));
        QCOMPARE(f.job(job).state, State::Waiting);
        QCOMPARE(f.job(job).reasonArgs.value("files"_L1).toInt(), 1);
        QCOMPARE(f.job(job).reasonArgs.value("host"_L1).toString(), u"far"_s);
        QVERIFY(f.job(job).reasonArgs.value("biggest"_L1).toString().startsWith("big.bin\n"_L1));
        const QString other = run({"true"}, u"small"_s);
        QVERIFY(f.waitForEnd(other, 30000));
        QCOMPARE(f.job(other).state, State::Succeeded);
        f.close();
        QVERIFY(f.open());
        QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 15000));
        QVERIFY(asks(job));
        const Result<bool> answered = f.engine().answerCopy(job, true);
        QVERIFY2(answered, qPrintable(answered ? QString() : answered.error().code));
        QVERIFY(f.waitForEnd(job, 30000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        const Result<bool> late = f.engine().answerCopy(job, true);
        QVERIFY(!late);
        QCOMPARE(late.error().code, u"code.no-question"_s);
        const QString next = run({"ls -A"});
        QVERIFY(f.waitForEnd(next, 30000));
        QCOMPARE(f.job(next).state, State::Succeeded);
    }

    // Of a job whose secrets were lost with the memory of this computer nobody knows what is to be hidden in a record.
    void saysNothingWithoutItsSecrets()
    {
        EngineFixture &f = *m_fixture;
        QVERIFY(f.engine().setSetting(u"code.maxMiB"_s, 1));
        write(u"project/big.bin"_s, QByteArray(2 << 20, 'x'));
        write(u"project/train.py"_s, "lr = 1\n");
        QCOMPARE(git({u"init"_s, u"-q"_s}), QString());
        QCOMPARE(git({u"add"_s, u"."_s}), QString());
        QCOMPARE(git({u"commit"_s, u"-qm"_s, u"1"_s}), QString());
        write(u"project/train.py"_s, "lr = 2 # hunter2-and-more\n");
        const QString job = run({"echo <% $secrets.word %>"}, u"project"_s, "secrets: {word: hunter2-and-more}\n");
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        QVERIFY(asks(job));
        f.close();
        SecretKeeper keeper(f.options().runtimeFolder);
        QVERIFY(keeper.secretsOf(QUuid::fromString(job)).has_value());
        keeper.forget(QUuid::fromString(job));
        QVERIFY(f.open());
        QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 15000));
        QVERIFY(asks(job));
        QVERIFY(f.engine().answerCopy(job, true));
        QVERIFY(f.waitForEnd(job, 30000));
        QCOMPARE(f.job(job).state, State::Failed);
        QVERIFY(!storedContents().isEmpty()); // it was copied
        QDirIterator it(
            m_hosts->home(0), {u"*.origin.json"_s}, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QByteArray said = EngineFixture::contents(it.next());
            QVERIFY2(!said.contains("hunter2"), said.constData());
        }
    }

    // A host that has the folder by a shared file system gets no copy, however large it is, and nobody is asked.
    void asksNothingWhereItIsShared()
    {
        cleanup();
        open(SshHosts::Kind::Like);
        EngineFixture &f = *m_fixture;
        QVERIFY(f.engine().setSetting(u"code.maxMiB"_s, 1));
        write(u"project/big.bin"_s, QByteArray(2 << 20, 'x'));
        const QString job = run({"pwd"});
        QVERIFY(f.waitForEnd(job, 30000));
        QVERIFY2(f.job(job).state == State::Succeeded, qPrintable(f.job(job).reason));
        QTRY_COMPARE(f.output(job, u"main"_s, 0).trimmed(), QFile::encodeName(f.path(u"project"_s)));
        QVERIFY(storedContents().isEmpty());
        // What the next submission says is true: no copy, and nothing to bring. Also after the engine was started anew.
        const auto codes = [&f] {
            SubmitRequest request;
            request.yaml = EngineFixture::document("code", EngineFixture::role("main", 1, {"pwd"}));
            request.target = u"far"_s;
            request.work = f.path(u"project"_s);
            QStringList said;
            const Result<PlanReply> plan = f.engine().plan(request);
            for (const JobNote &note : plan ? plan->notes : QList<JobNote>{{plan.error().code, {}}}) {
                said.append(note.code);
            }
            return said;
        };
        QCOMPARE(codes(), QStringList(u"work.shared"_s));
        const QString ofGit = run({"git rev-parse HEAD"}); // no copy of anything is to blame
        QVERIFY(f.waitForEnd(ofGit, 30000));
        QCOMPARE(FailureFacts::fromJson(f.job(ofGit).reasonArgs.value(failureKey).toObject()).cause, u"git-folder"_s);
        // Its files are looked for there, also by another engine, and where an earlier version has noted nothing.
        const auto worked = [&] { return f.engine().taskFolder(job, u"main"_s, 0).value_or(TaskFolder()); };
        QCOMPARE(worked().work, f.path(u"project"_s));
        QVERIFY(worked().isHere);
        const QString log = f.task(job, u"main"_s, 0).logFolder;
        QVERIFY(QTest::qWaitFor([&] { return CapturedEnvironment::read(log).has_value(); }, 20000));
        f.close();
        QVERIFY(f.open());
        QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 15000));
        QCOMPARE(codes(), QStringList(u"work.shared"_s));
        QCOMPARE(worked().work, f.path(u"project"_s));
        QVERIFY(worked().isHere);
        QVERIFY(QFile::remove(f.path(u"state/runs/"_s + job + u"/work-folders.json"_s)));
        QCOMPARE(worked().work, f.path(u"project"_s));
        QVERIFY(worked().isHere);
    }

    // A no fails the job, also its retries; larger settings answer the question, too; a stop needs no answer.
    void answersToALargeCopy()
    {
        EngineFixture &f = *m_fixture;
        QVERIFY(f.engine().setSetting(u"code.maxMiB"_s, 1));
        write(u"project/big.bin"_s, QByteArray(2 << 20, 'x'));
        const QString refused = run({"true"}, u"project"_s, "jobRetryCount: 1\n");
        QVERIFY(asks(refused));
        QVERIFY(f.engine().answerCopy(refused, false));
        QVERIFY(f.waitForEnd(refused, 30000));
        QCOMPARE(f.job(refused).state, State::Failed);
        QCOMPARE(f.job(refused).reason, u"code.refused"_s);
        QVERIFY(f.job(refused).reasonArgs.value("biggest"_L1).toString().startsWith("big.bin\n"_L1));
        const QString stopped = run({"true"});
        QVERIFY(asks(stopped));
        QVERIFY(f.engine().stop(stopped));
        QVERIFY(f.waitForEnd(stopped, 30000));
        QCOMPARE(f.job(stopped).state, State::Stopped);
        const QString freed = run({"true"});
        QVERIFY(asks(freed));
        QVERIFY(f.engine().setSetting(u"code.maxMiB"_s, 64));
        QVERIFY(f.waitForEnd(freed, 30000));
        QCOMPARE(f.job(freed).state, State::Succeeded);
    }

    // A job that is stopped while its folder is on the way ends at once, and others go on.
    void stopped()
    {
        EngineFixture &f = *m_fixture;
        write(u"project/a"_s, QByteArray(40 << 20, 'a'));
        write(u"small/b"_s, "1");
        QVERIFY(m_hosts->setRate(0, u"40mbit"_s));
        const QString job = run({"true"});
        QVERIFY(QTest::qWaitFor([&] { return f.task(job, u"main"_s, 0).reason == "launch.copying"_L1; }, 15000));
        const QString next = run({"ls"}, u"small"_s);
        QVERIFY(f.engine().stop(job));
        QVERIFY(f.waitForEnd(job));
        QCOMPARE(f.job(job).state, State::Stopped);
        QVERIFY(f.waitForEnd(next, 30000));
        QCOMPARE(f.job(next).state, State::Succeeded);
    }
};

TRAINYARD_TEST(TstCodeCopy)
#include "tst_codecopy.moc"
