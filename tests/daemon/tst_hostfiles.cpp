// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hostfiles.h"
#include "tests/daemon/damagetests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What Trainyard has put on a host, and its removal, over a real sshd of another user.
class TstHostFiles : public DamageTests
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    using Told = std::optional<Result<api::HostFiles>>;
    bool isOnline() const { return m_fixture->engine().hosts().last().state == HostState::Online; }
    api::HostFiles look()
    {
        Told told;
        m_fixture->engine().filesOfHost(u"far"_s, this, [&told](const Result<api::HostFiles> &files) { told = files; });
        return waitFor(told);
    }
    api::HostFiles clean(bool everything, QString *refused = nullptr)
    {
        Told told;
        m_fixture->engine().cleanHost(
            {u"far"_s, everything, false}, this, [&told](const Result<api::HostFiles> &files) { told = files; });
        if (refused) {
            *refused = QTest::qWaitFor([&told] { return told.has_value(); }) && !*told ? told->error().code : QString();
            return {};
        }
        return waitFor(told);
    }
    api::HostFiles waitFor(const Told &told)
    {
        if (!QTest::qWaitFor([&told] { return told.has_value(); }, 30000) || !*told) {
            m_problem = told ? told->error().code : u"no answer"_s;
            return {};
        }
        return **told;
    }
    QString m_problem;

    QString run(const QByteArrayList &commands)
    {
        SubmitRequest request;
        request.target = u"far"_s;
        request.work = m_fixture->path(u"project"_s);
        return m_fixture->submit(EngineFixture::document("files", EngineFixture::role("main", 1, commands)), request);
    }
    QString stateFolder() const // of the helper
    {
        const QString base = m_hosts->home(0) + u"/state/trainyard"_s;
        const QStringList names = QDir(base).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return names.isEmpty() ? QString() : QString(base + u'/' + names.constFirst());
    }
    static void write(const QString &path, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    QStringList left() const // files of Trainyard in the home
    {
        QStringList names;
        QDirIterator it(
            m_hosts->home(0), QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            if (const QString path = it.next(); path.contains("trainyard"_L1)) {
                names.append(path);
            }
        }
        return names;
    }

private Q_SLOTS:
    void init()
    {
        m_problem.clear();
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{
            {u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}});
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"far"_s));
        QVERIFY2(QTest::qWaitFor([this] { return isOnline(); }, 15000),
            qPrintable(m_fixture->engine().hosts().last().error));
        write(m_fixture->path(u"project/a.txt"_s), QByteArray(100000, 'a'));
    }
    void cleanup()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    // Each kind is told, and goes when it is its turn; nothing of another engine ever does.
    void whatIsThereGoes()
    {
        EngineFixture &f = *m_fixture;
        // Whether a cluster answers there is asked once, by a process of its own.
        api::HostFiles bare = look();
        QTRY_VERIFY2((bare = look()).processes == 1, qPrintable(m_problem + QString::number(bare.processes)));
        QVERIFY2(m_problem.isEmpty(), qPrintable(m_problem));
        QVERIFY2(bare.programs == 1, qPrintable(QString::number(bare.programs)));
        QVERIFY2(bare.programBytes > 500000, qPrintable(QString::number(bare.programBytes)));
        QVERIFY(bare.processBytes > 0);
        QVERIFY(bare.jobs == 0 && bare.leftJobs == 0 && bare.codeBytes == 0 && bare.isWhole);

        const QString job = run({"echo checkpoint > model.bin"});
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(job));
        const QString jobs = stateFolder() + u"/remote"_s;
        const QString own = jobs + u'/' + QDir(jobs).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
        const QString lost = own + u"/01a219d5-5f7d-7a2c-a78e-8cde09874c97"_s, other = jobs + u"/another/job/log"_s;
        write(lost + u"/output"_s, QByteArray(50000, 'o'));
        write(other, "o");
        write(bare.programFolder + u"/agent-0123456789abcdef"_s, QByteArray(4096, 'x')); // of an older version
        QCOMPARE(
            QProcess::execute(u"chown"_s, {u"-R"_s, u"--reference="_s + m_hosts->home(0), lost, jobs + u"/another"_s}),
            0);

        const api::HostFiles full = look();
        QVERIFY2(m_problem.isEmpty(), qPrintable(m_problem));
        QVERIFY(full.jobs == 1 && full.jobBytes >= 100000);
        QVERIFY(full.leftJobs == 1 && full.leftBytes >= 50000 && full.otherJobs == 1);
        QVERIFY(full.codeBytes >= 100000 && full.programs == 2);
        QCOMPARE(full.jobsFolder, own);

        const api::HostFiles tidy = clean(false);
        QVERIFY2(m_problem.isEmpty(), qPrintable(m_problem));
        QVERIFY(tidy.jobs == 1 && tidy.leftJobs == 0 && tidy.otherJobs == 1 && tidy.codeBytes == 0);
        QVERIFY(tidy.programs == 1 && !QFileInfo::exists(lost));
        const Result<TaskFolder> files = f.engine().taskFolder(job, u"main"_s, 0);
        QVERIFY(files && QFileInfo::exists(files->work + u"/model.bin"_s));

        // Another job goes as if nothing had been.
        const QString next = run({"cmp a.txt a.txt"});
        QVERIFY(f.waitForEnd(next));
        QCOMPARE(f.job(next).state, State::Succeeded);

        api::HostFiles emptied; // refused while the end of the output is on its way
        QVERIFY(QTest::qWaitFor(
            [&] {
                m_problem.clear();
                emptied = clean(true);
                return m_problem != "host.logs-pending"_L1;
            },
            30000));
        QVERIFY2(m_problem.isEmpty(), qPrintable(m_problem));
        QVERIFY(emptied.jobs == 0 && emptied.otherJobs == 1 && emptied.programs == 1);
        QVERIFY(QFileInfo::exists(other) && !QFileInfo::exists(own + u'/' + job));
        QVERIFY(QDir(jobs + u"/another"_s).removeRecursively());
        const api::HostFiles gone = clean(true);
        QVERIFY2(m_problem.isEmpty(), qPrintable(m_problem));
        QVERIFY(gone.programs == 0 && gone.jobs == 0);
        QVERIFY2(left().isEmpty(), qPrintable(left().join(u'\n')));

        // The helper that still runs serves on, also after its files are gone.
        const QString last = run({"cmp a.txt a.txt"});
        QVERIFY(f.waitForEnd(last));
        QCOMPARE(f.job(last).state, State::Succeeded);
    }

    // Whether a job is in the list is not known where the list cannot be read, and then its files stay.
    void nothingThatIsNotKnown()
    {
        EngineFixture &f = *m_fixture;
        const QString job = run({"echo checkpoint > model.bin"});
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(job));
        QVERIFY(f.waitFor(
            job, [](const JobSummary &known) { return !known.resultsPending; }, 30000));
        QTRY_VERIFY(f.engine().isIdle());
        const Result<TaskFolder> files = f.engine().taskFolder(job, u"main"_s, 0);
        QVERIFY(files && QFileInfo::exists(files->folder));
        changeStore(f.path(u"state/store.db"_s), u"ALTER TABLE job RENAME TO other"_s);
        const api::HostFiles tidy = clean(false);
        QVERIFY2(m_problem.isEmpty(), qPrintable(m_problem));
        QCOMPARE(tidy.leftJobs, 0);
        QVERIFY(QFileInfo::exists(files->folder));
    }

    void nothingThatIsUsed()
    {
        EngineFixture &f = *m_fixture;
        const QString go = m_hosts->home(0) + u"/go"_s;
        const QString job = run({"until [ -e ~/go ]; do sleep 0.05; done", "cat a.txt | wc -c"});
        QVERIFY(f.waitFor(job, [](const JobSummary &known) { return known.state == State::Running; }));
        QString refused;
        clean(true, &refused);
        QCOMPARE(refused, u"host.in-use"_s);
        const api::HostFiles tidy = clean(false);
        QVERIFY2(m_problem.isEmpty(), qPrintable(m_problem));
        QVERIFY(tidy.jobs == 1 && tidy.processes >= 2);
        write(go, "");
        QVERIFY(f.waitForEnd(job));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains("100000"));

        m_hosts->setLink(0, false);
        QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 30000);
        clean(false, &refused);
        QCOMPARE(refused, u"host.not-connected"_s);
        Told told;
        f.engine().filesOfHost(u"local"_s, this, [&told](const Result<api::HostFiles> &files) { told = files; });
        QVERIFY(told && !*told);
        QCOMPARE(told->error().code, u"host.only-ssh"_s);
    }

    // The folder is made by a message of its own, which a cut can swallow: it is sent again with the next try.
    void checkpointFolderIsMadeAgain()
    {
        EngineFixture &f = *m_fixture;
        const QString go = m_hosts->home(0) + u"/go"_s;
        SubmitRequest request;
        request.target = u"far"_s;
        const QString job = f.submit(
            EngineFixture::document("again",
                EngineFixture::role("main", 1,
                    {"test -d \"$TRAINYARD_CHECKPOINT_DIR\" || exit 9",
                        "until [ -e ~/go ]; do sleep 0.05; done; test -e ~/second || { touch ~/second; exit 1; }"}),
                "jobRetryCount: 1\n"),
            request);
        QVERIFY(f.waitFor(job, [](const JobSummary &known) { return known.state == State::Running; }));
        const QDir jobs(stateFolder() + u"/remote"_s);
        QString folder;
        QTRY_VERIFY([&] {
            QDirIterator it(jobs.path(), {u"checkpoint"_s}, QDir::Dirs, QDirIterator::Subdirectories);
            folder = it.hasNext() ? it.next() : QString();
            return folder.contains(job);
        }());
        QVERIFY(QDir(folder).removeRecursively());
        write(go, "");
        QVERIFY(f.waitForEnd(job));
        QVERIFY2(f.job(job).state == State::Succeeded, qPrintable(QString::number(f.job(job).exitCode.value_or(-1))));
        QVERIFY(QDir(folder).exists());
    }

    // What the host says of itself beyond its files: a virtual environment that tasks can use, and the last minute.
    void environmentsAndHour()
    {
        EngineFixture &f = *m_fixture;
        const QString folder = m_hosts->home(0) + u"/my project/.venv"_s;
        // By hand: the Python of this computer may be in a home that the user of the host cannot enter.
        write(folder + u"/pyvenv.cfg"_s, "version = 3.11.2\n");
        write(folder + u"/bin/activate"_s, "export VIRTUAL_ENV='" + folder.toUtf8() + "'\n");
        std::optional<Result<api::HostEnvironments>> told;
        f.engine().environmentsOfHost(
            u"far"_s, this, [&told](const Result<api::HostEnvironments> &found) { told = found; });
        QTRY_VERIFY(told);
        QVERIFY2(*told, told->has_value() ? "" : qPrintable(told->error().code));
        const QList<api::HostEnvironment> found = (*told)->environments;
        const auto ours = std::find_if(found.cbegin(), found.cend(),
            [](const api::HostEnvironment &one) { return one.name == "my project/.venv"_L1; });
        QVERIFY(ours != found.cend());
        QCOMPARE(ours->version, u"3.11.2"_s);
        const QString job = run({ours->command.toUtf8(), "echo in $VIRTUAL_ENV"});
        QVERIFY(f.waitForEnd(job));
        QVERIFY2(f.job(job).state == State::Succeeded, f.runtimeLog(job, u"main"_s, 0).constData());
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains(QByteArray("in " + folder.toUtf8())));

        const Result<api::HostHistory> hour = f.engine().historyOfHost(u"far"_s);
        QVERIFY(hour && hour->cpu.size() == 60);
        QTRY_VERIFY(f.engine().historyOfHost(u"far"_s)->memory.constLast() > 0);
        QCOMPARE(f.engine().historyOfHost(u"nobody"_s).error().code, u"host.unknown"_s);
    }
};
TRAINYARD_TEST(TstHostFiles)
#include "tst_hostfiles.moc"
