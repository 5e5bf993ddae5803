// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/trymetrics.h"
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QScopeGuard>
#include <QTest>

#include <sys/resource.h>

#include <array>
#include <csignal>

using namespace trainyard;
using namespace trainyard::contract;

// Whose the closed files are that are found in a folder where several jobs work, one after the other or at once. Such
// jobs are over in a moment: nobody sees the file while it is open.
class TstMetricOwners : public QObject
{
    Q_OBJECT

    MetricBook book(const std::string &dir) { return MetricBook::parse(fileText(dir, file::metricBook).toStdString()); }
    QStringList pathsOf(const std::string &dir)
    {
        QStringList paths;
        for (const MetricBook::File &one : book(dir).files) {
            paths.append(QString::fromStdString(one.path));
        }
        return paths;
    }
    bool isOver(const Launch &launch)
    {
        return QTest::qWaitFor([&] { return book(launch.dir).isOver; }, 30000);
    }
    Launch jobIn(const std::string &folder, const std::string &job, const std::string &script) const
    {
        Launch launch = m_fixture.launchOf(job.c_str(), "");
        const std::string fifo = workFile(launch, "fifo");
        launch.script
            = QByteArray::fromStdString(script).replace("JOB", job.c_str()).replace("FIFO", fifo.c_str()).toStdString();
        launch.cwd = folder;
        launch.plan.job = job;
        return launch;
    }
    QString fileOf(const std::string &folder, const char *path) const
    {
        return QString::fromStdString(folder + '/' + path);
    }

    // A task of the one job, in the shared folder: it writes once all of these are there, and waits.
    Launch taskOf(const QStringList &all, const QString &name, const std::string &file)
    {
        std::string script = "touch JOB.here\n";
        for (const QString &one : all) {
            script += "until [ -e " + one.toStdString() + ".here ]; do sleep 0.02; done\n";
        }
        if (!file.empty()) {
            script += "mkdir JOB\nprintf 'epoch,loss\\n1,3\\n' > " + file + "\n";
        }
        Launch launch = jobIn(m_folder, name.toStdString(), script + "touch FIFO.ready\nread < FIFO");
        launch.plan.job = "tasks";
        return launch;
    }
    void runAtOnce(const std::vector<Launch> &tasks)
    {
        for (const Launch &task : tasks) {
            QVERIFY(makeFifo(task));
            QVERIFY(m_fixture.agent->ask<Launched>(task));
        }
        for (const Launch &task : tasks) {
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(workFile(task, "fifo.ready"))), 30000);
        }
        for (const Launch &task : tasks) {
            QVERIFY(writeToFifo(task));
        }
        for (const Launch &task : tasks) {
            QVERIFY(m_fixture.agent->exited(task.dir, 30000));
            QVERIFY(isOver(task));
        }
    }
    // The files whose values count.
    QStringList countingOf(const std::string &dir)
    {
        QStringList paths = pathsOf(dir);
        for (const MetricBook::Note &note : book(dir).notes) {
            if (makesVoid(note.code) && note.file >= 0) {
                paths[note.file].clear();
            }
        }
        paths.removeAll(QString());
        return paths;
    }

    // A file that nobody has written for a while: such a one is looked at without waiting.
    static bool putOld(const QString &path)
    {
        constexpr int seconds = 60;
        QFile out(path);
        return QDir().mkpath(QFileInfo(path).path()) && out.open(QIODevice::WriteOnly)
            && out.write("epoch,loss\n1,3\n") > 0 && out.flush()
            && out.setFileTime(QDateTime::currentDateTime().addSecs(-seconds), QFileDevice::FileModificationTime);
    }

    // Jobs that are over in a moment, one after the other.
    void runInTurn()
    {
        m_jobs.clear();
        for (const char *name : {"one", "two", "three", "four"}) {
            m_jobs.push_back(jobIn(m_folder, name, "printf 'epoch,loss\\n1,3\\n' > JOB.csv"));
            QVERIFY(m_fixture.agent->ask<Launched>(m_jobs.back()));
            QVERIFY(m_fixture.agent->exited(m_jobs.back().dir, 30000));
            // Beginnings and changes are told apart by more than the ticks by which both are stamped.
            const qint64 ended = QDateTime::currentMSecsSinceEpoch();
            QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > ended + 20);
        }
    }
    void haveTheirOwn()
    {
        for (const Launch &job : m_jobs) {
            QVERIFY(isOver(job));
            QCOMPARE(pathsOf(job.dir), QStringList{fileOf(m_folder, (job.plan.job + ".csv").c_str())});
            QVERIFY(book(job.dir).notes.empty());
        }
    }
    // It is the one child that gives way to everything else.
    static pid_t readerOf(qint64 agent)
    {
        constexpr int weakest = 19;
        const std::string pid = std::to_string(agent);
        const std::string all = readWhole("/proc/" + pid + "/task/" + pid + "/children").value_or("");
        const QList<QByteArray> children = QByteArray::fromStdString(all).simplified().split(' ');
        for (const QByteArray &child : children) {
            if (child.toInt() > 0 && ::getpriority(PRIO_PROCESS, static_cast<id_t>(child.toInt())) == weakest) {
                return child.toInt();
            }
        }
        return 0;
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_fixture.begin());
        QVERIFY(m_fixture.agent->start());
        m_folder = m_fixture.home->filePath(QStringLiteral("shared")).toStdString();
        QVERIFY(QDir().mkpath(QString::fromStdString(m_folder)));
    }
    void cleanup() { m_fixture.end(); }

    // What was written in the same second, and before a job began, is not that one's.
    void theJobBefore()
    {
        runInTurn();
        if (!QTest::currentTestFailed()) {
            haveTheirOwn();
        }
    }

    // Nor is what others write after it has ended, also when they are over, too, before the reader comes to it.
    void theReaderThatIsLate()
    {
        const Launch beside = jobIn(m_folder + "/elsewhere", "beside", "read < FIFO"); // for which there is a reader
        QVERIFY(makeFolders(beside.cwd) == 0 && makeFifo(beside));
        QVERIFY(m_fixture.agent->ask<Launched>(beside));
        pid_t reader = 0;
        QTRY_VERIFY_WITH_TIMEOUT((reader = readerOf(m_fixture.agent->pid())) > 0, 30000);
        {
            QCOMPARE(::kill(reader, SIGSTOP), 0);
            const auto goOn = qScopeGuard([reader] { ::kill(reader, SIGCONT); });
            runInTurn();
        }
        if (!QTest::currentTestFailed()) {
            haveTheirOwn();
        }
        QVERIFY(writeToFifo(beside));
        QVERIFY(m_fixture.agent->exited(beside.dir, 30000));
    }

    // A job ends right after another one has begun, of which the reader has not heard yet.
    void theJobThatHasJustBegun()
    {
        const Launch first = jobIn(m_folder, "first", "read < FIFO");
        const Launch later
            = jobIn(m_folder, "later", "printf 'epoch,loss\n1,3\n' > later.csv\ntouch FIFO.ready\nread < FIFO");
        QVERIFY(makeFifo(first) && makeFifo(later));
        QVERIFY(m_fixture.agent->ask<Launched>(first));
        QTRY_VERIFY_WITH_TIMEOUT(readerOf(m_fixture.agent->pid()) > 0, 30000);
        QVERIFY(m_fixture.agent->ask<Launched>(later));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(workFile(later, "fifo.ready"))), 30000);
        QVERIFY(writeToFifo(first));
        QVERIFY(m_fixture.agent->exited(first.dir, 30000));
        QVERIFY(isOver(first));
        QVERIFY(pathsOf(first.dir).isEmpty());
        QVERIFY(writeToFifo(later));
        QVERIFY(m_fixture.agent->exited(later.dir, 30000));
    }

    // A file below the folder of a job that is named after another one is that one's, also when that was over before,
    // or runs on another computer that has the same folder: what has the form of our jobs is one, and so is what has a
    // folder among those of the jobs.
    void namesOfJobsThatNobodyKnows_data()
    {
        QTest::addColumn<QString>("pattern"); // of the job's field for its files
        QTest::newRow("found in the folder") << QString();
        QTest::newRow("named by a pattern") << QStringLiteral("runs/*/metrics.csv");
    }
    void namesOfJobsThatNobodyKnows()
    {
        QFETCH(const QString, pattern);
        const std::string mine = "01a221b3-8da4-7738-a50a-3f421ca1571a", past = "01a221b3-8da4-4738-a50a-000000000000";
        const std::string elsewhere = "01a221b3-8da4-7738-a50a-111111111111"; // has a job's form, and no folder here
        const std::string none = "01a221b3-8da4-4738-a50a-111111111111"; // of the program itself
        QVERIFY(makeFolders(m_fixture.folder(past.c_str())) == 0);
        const std::string table = "printf 'epoch,loss\n1,3\n' > ";
        std::string script;
        for (const std::string &name : {mine, past, elsewhere, none}) {
            script += "mkdir -p runs/" + name + "\n" + table + "runs/" + name + "/metrics.csv\n";
        }
        Launch launch = jobIn(m_folder, mine, script);
        if (!pattern.isEmpty()) {
            launch.plan.metricFiles = {pattern.toStdString()};
        }
        launch.dir += "/0/main-0/0";
        QVERIFY(m_fixture.agent->ask<Launched>(launch));
        QVERIFY(m_fixture.agent->exited(launch.dir, 30000));
        QVERIFY(isOver(launch));
        QStringList paths = pathsOf(launch.dir);
        paths.sort();
        QCOMPARE(paths,
            (QStringList{fileOf(m_folder, ("runs/" + none + "/metrics.csv").c_str()),
                fileOf(m_folder, ("runs/" + mine + "/metrics.csv").c_str())}));
    }

    // Two jobs at once, and each says by the name of its folder whose it is.
    void foldersNamedAfterJobs()
    {
        const char *const script
            = "mkdir -p runs/JOB\nprintf 'epoch,loss\\n1,3\\n' > runs/JOB/metrics.csv\ntouch FIFO.ready\nread < FIFO";
        const std::array jobs{jobIn(m_folder, "00000000-aaaa", script), jobIn(m_folder, "00000000-bbbb", script)};
        for (const Launch &job : jobs) {
            QVERIFY(makeFifo(job));
            QVERIFY(m_fixture.agent->ask<Launched>(job));
        }
        for (const Launch &job : jobs) {
            const QString ready = QString::fromStdString(workFile(job, "fifo.ready"));
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(ready), 30000);
        }
        for (const Launch &job : jobs) {
            QVERIFY(writeToFifo(job));
        }
        for (const Launch &job : jobs) {
            QVERIFY(m_fixture.agent->exited(job.dir, 30000));
            QVERIFY(isOver(job));
            QCOMPARE(pathsOf(job.dir).join(u';'), fileOf(m_folder, ("runs/" + job.plan.job + "/metrics.csv").c_str()));
            QVERIFY(book(job.dir).notes.empty());
        }
    }

    // Of tasks that are over in a moment and have written one file each, nobody saw who wrote which: none has any.
    void tasksWithAFileEach()
    {
        const QStringList names{QStringLiteral("t0"), QStringLiteral("t1"), QStringLiteral("t2")};
        std::vector<Launch> tasks;
        for (const QString &name : names) {
            tasks.push_back(taskOf(names, name, "JOB/metrics.csv"));
        }
        runAtOnce(tasks);
        if (QTest::currentTestFailed()) {
            return;
        }
        for (const Launch &task : tasks) {
            QVERIFY(countingOf(task.dir).isEmpty());
        }
        const std::vector<MetricBook::Note> notes = book(tasks.front().dir).notes;
        QVERIFY(!notes.empty());
        QCOMPARE(QByteArray::fromStdString(notes.front().code), QByteArray("metricfile.tasks-file"));
    }

    // Where one task writes for all, the first one has the file.
    void tasksWithOneFile()
    {
        const QStringList names{QStringLiteral("t0"), QStringLiteral("t1")};
        const std::vector<Launch> tasks{taskOf(names, names[0], {}), taskOf(names, names[1], "JOB/metrics.csv")};
        runAtOnce(tasks);
        if (QTest::currentTestFailed()) {
            return;
        }
        QCOMPARE(countingOf(tasks[0].dir), QStringList{fileOf(m_folder, "t1/metrics.csv")});
        QVERIFY(countingOf(tasks[1].dir).isEmpty());
        QVERIFY(book(tasks[0].dir).notes.empty());
    }

    // The same, when the second file of a kind comes while another agent looks: it knows that nobody saw who wrote the
    // first one.
    void theNextAgentKnowsWhatMayBeAnyTasks_data()
    {
        QTest::addColumn<QStringList>("first"); // while the one agent looks
        QTest::addColumn<QStringList>("later"); // while the next one does
        QTest::addColumn<QStringList>("counting");
        const QString t0 = QStringLiteral("t0/metrics.csv"), t1 = QStringLiteral("t1/metrics.csv");
        const QString t2 = QStringLiteral("t2/metrics.csv");
        QTest::newRow("one") << QStringList{t0} << QStringList() << QStringList{t0};
        QTest::newRow("one, and one more") << QStringList{t0} << QStringList{t1} << QStringList();
        QTest::newRow("two, and one more") << QStringList{t0, t1} << QStringList{t2} << QStringList();
    }
    void theNextAgentKnowsWhatMayBeAnyTasks()
    {
        QFETCH(QStringList, first);
        QFETCH(QStringList, later);
        QFETCH(QStringList, counting);
        const std::string dir = m_fixture.home->filePath(QStringLiteral("try")).toStdString();
        const std::string work = dir + "/work";
        for (const bool isLater : {false, true}) {
            for (const QString &name : isLater ? later : first) {
                QVERIFY(putOld(fileOf(work, qPrintable(name))));
            }
            agent::TryMetrics metrics(dir);
            const auto look = [&metrics] {
                metrics.look([](const std::string &) { return agent::TryMetrics::Whose::OfJob; }, [] {});
                return metrics.isOver();
            };
            if (isLater) {
                metrics.end(true);
                QTRY_VERIFY_WITH_TIMEOUT(look(), 30000);
            } else {
                look();
            }
        }
        QStringList expected;
        for (const QString &name : counting) {
            expected.append(fileOf(work, qPrintable(name)));
        }
        QCOMPARE(countingOf(dir), expected);
    }

    // Whoever has it open writes it, and it is its own from then on.
    void theNewestOwnerCounts()
    {
        const std::string lines = runLine("a") + fileLine({0, "table", "/w/a.csv"}) + ownerLine(0, true) + runLine("b")
            + fileLine({1, "table", "/w/b.csv"}) + ownerLine(1, true) + ownerLine(1, false) + ownerLine(7, true)
            + runLine("c") + fileLine({2, "table", "/w/c.csv"}); // as an older version writes it
        const MetricBook all = MetricBook::parse(lines);
        QCOMPARE(all.files.size(), 3U);
        QVERIFY(all.files[0].isOfJob && !all.files[1].isOfJob && !all.files[2].isOfJob);
    }

    // A job that only waits has no claim to what was written before it began.
    void theJobThatWaits()
    {
        const Launch first = jobIn(m_folder, "first", "printf 'epoch,loss\\n1,3\\n' > a.csv\nread < FIFO");
        const Launch later = jobIn(m_folder, "later", "touch FIFO.ready\nread < FIFO");
        QVERIFY(makeFifo(first) && makeFifo(later));
        QVERIFY(m_fixture.agent->ask<Launched>(first));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(fileOf(m_folder, "a.csv")), 30000);
        // Time between a change and a beginning is told apart by more than the ticks by which files are stamped.
        const auto written = QFileInfo(fileOf(m_folder, "a.csv")).lastModified().toMSecsSinceEpoch();
        QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > written + 50);
        QVERIFY(m_fixture.agent->ask<Launched>(later));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(workFile(later, "fifo.ready"))), 30000);
        QVERIFY(writeToFifo(first));
        QVERIFY(m_fixture.agent->exited(first.dir, 30000));
        QVERIFY(isOver(first));
        QCOMPARE(pathsOf(first.dir), QStringList{fileOf(m_folder, "a.csv")});
        QVERIFY(writeToFifo(later));
        QVERIFY(m_fixture.agent->exited(later.dir, 30000));
        QVERIFY(isOver(later));
        QVERIFY(pathsOf(later.dir).isEmpty());
    }

private:
    AgentFixture m_fixture;
    std::string m_folder;
    std::vector<Launch> m_jobs;
};

TRAINYARD_TEST(TstMetricOwners)
#include "tst_metricowners.moc"
