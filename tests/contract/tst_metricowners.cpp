// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <array>

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
        const char *const script = "printf 'epoch,loss\\n1,3\\n' > JOB.csv";
        std::vector<Launch> jobs;
        for (const char *name : {"one", "two", "three", "four"}) {
            jobs.push_back(jobIn(m_folder, name, script));
            QVERIFY(m_fixture.agent->ask<Launched>(jobs.back()));
            QVERIFY(m_fixture.agent->exited(jobs.back().dir, 30000));
            // Beginnings and changes are told apart by more than the ticks by which both are stamped.
            const qint64 ended = QDateTime::currentMSecsSinceEpoch();
            QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > ended + 20);
        }
        for (const Launch &job : jobs) {
            QVERIFY(isOver(job));
            QCOMPARE(pathsOf(job.dir), QStringList{fileOf(m_folder, (job.plan.job + ".csv").c_str())});
        }
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
};

TRAINYARD_TEST(TstMetricOwners)
#include "tst_metricowners.moc"
