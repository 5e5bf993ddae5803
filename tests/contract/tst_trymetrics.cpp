// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filestamps.h"
#include "engine/agent/trymetrics.h"
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/seriesset.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::contract;

// The metrics that a task writes to files, as its agent finds and reads them. Large because each of its tests tells of
// several jobs.
class TstTryMetrics : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void openFilesAreFoundAnywhere();
    void closedFilesAreFound();
    void whatIsOnlyReadIsLeftOut();
    void anotherFileOfTheNameIsReadAnew();
    void theNextAgentGoesOn();
    void secretsAreHidden_data();
    void secretsAreHidden();
    void whoDoesNotKnowTheSecretsLeavesTheFiles_data();
    void whoDoesNotKnowTheSecretsLeavesTheFiles();
    void filesAreFollowedToTheirEnd();
    void pipesHoldUpNothing();
    void patternsNameFiles();
    void jobsInOneFolderAreToldApart();
    void whatTwoJobsWriteIsNeithers();
    void notesBeyondTheMostAreCounted();
    void patternsTakeNothingFromOthers();
    void theNextTryHasItsFilesAgain();
    void aFolderBelowIsItsOwnJobs();
    void exportsAreNotTaken();
    void whatIsTakenAwayCountsNoMore();
    void rowsHaveTheTimesInWhichTheyWereWritten();

private:
    // Of all series of this metric: the values that count, by their steps.
    QStringList curve(const std::string &dir, const char *metric)
    {
        series::SeriesSet set(dir + '/' + file::metrics);
        set.poll();
        QStringList lines;
        for (std::uint32_t id = 0; id < set.infos().size(); ++id) {
            const auto parsed = parseMetricSeries(set.infos()[id].name);
            if (!parsed || parsed->name != metric) {
                continue;
            }
            const series::Series &series = set.series(id);
            for (std::size_t i = 0; i < series.size(); ++i) {
                lines.append(QStringLiteral("%1: %2").arg(series.at(i).x).arg(series.at(i).value));
            }
        }
        return lines;
    }
    MetricBook book(const std::string &dir) { return MetricBook::parse(fileText(dir, file::metricBook).toStdString()); }
    QStringList pathsOf(const std::string &dir)
    {
        QStringList paths;
        for (const MetricBook::File &one : book(dir).files) {
            paths.append(QString::fromStdString(one.path));
        }
        return paths;
    }
    bool ends(const Launch &launch)
    {
        return m_fixture.agent->exited(launch.dir, 30000)
            && QTest::qWaitFor([&] { return book(launch.dir).isOver; }, 30000);
    }
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstTryMetrics)

void TstTryMetrics::openFilesAreFoundAnywhere()
{
    QVERIFY(m_fixture.agent->start());
    QVERIFY(QDir(m_fixture.home->path()).mkdir(QStringLiteral("far")));
    const std::string far = m_fixture.home->filePath(QStringLiteral("far/log.jsonl")).toStdString();
    const Launch launch = m_fixture.launchOf("open",
        "exec 3>" + far
            + "\nprintf '{\"step\": 1, \"loss\": 0.5}\\n' >&3\nread < fifo\n"
              "printf '{\"step\": 2, \"loss\": 0.25}\\n' >&3");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), QStringList{QStringLiteral("1: 0.5")}, 30000);
    QCOMPARE(pathsOf(launch.dir), QStringList{QString::fromStdString(far)});
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    QCOMPARE(curve(launch.dir, "loss"), (QStringList{QStringLiteral("1: 0.5"), QStringLiteral("2: 0.25")}));
}

// Also of a task that is over in a moment.
void TstTryMetrics::closedFilesAreFound()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf(
        "closed", "mkdir logs; printf 'epoch,val_loss\\n1,3\\n2,2\\n' > logs/metrics.csv; mkdir .git; cp -r logs .git");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QVERIFY(ends(launch));
    QCOMPARE(curve(launch.dir, "val_loss"), (QStringList{QStringLiteral("1: 3"), QStringLiteral("2: 2")}));
    const MetricBook all = book(launch.dir);
    QCOMPARE(all.files.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(all.runs.at(0).name), QStringLiteral("logs/metrics.csv"));
}

void TstTryMetrics::whatIsOnlyReadIsLeftOut()
{
    QVERIFY(m_fixture.agent->start());
    const std::string data = m_fixture.home->filePath(QStringLiteral("data.jsonl")).toStdString();
    QFile file(QString::fromStdString(data));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"step\": 1, \"score\": 0.5}\n") > 0);
    file.close();
    const Launch launch = m_fixture.launchOf(
        "read", "exec 3<" + data + "\nexec 4>own.jsonl\nprintf '{\"step\": 1, \"loss\": 0.5}\\n' >&4\nread < fifo");
    QVERIFY(makeFifo(launch));
    // It was there before the task began.
    QFile old(QString::fromStdString(workFile(launch, "metrics.csv")));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("epoch,loss\n1,1\n") > 0);
    old.close();
    const timespec longAgo[2] = {{1600000000, 0}, {1600000000, 0}};
    QVERIFY(::utimensat(AT_FDCWD, workFile(launch, "metrics.csv").c_str(), longAgo, 0) == 0);
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_VERIFY_WITH_TIMEOUT(!curve(launch.dir, "loss").isEmpty(), 30000);
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    QCOMPARE(pathsOf(launch.dir).size(), 1);
    QVERIFY(pathsOf(launch.dir).constFirst().endsWith(QLatin1String("own.jsonl")));
}

// What is the same stays; what is not makes all void.
void TstTryMetrics::anotherFileOfTheNameIsReadAnew()
{
    QVERIFY(m_fixture.agent->start());
    // Whoever opens the pipe while the last line's writer still has it reads an end and no line.
    const Launch launch = m_fixture.launchOf("anew",
        "put() { printf \"$1\" > new; mv new metrics.csv; until read < fifo; do :; done; }\n"
        "put 'epoch,loss\\n1,3\\n2,2\\n'\n"
        "put 'epoch,loss\\n1,3\\n2,2\\n3,1\\n'\n"
        "put 'epoch,loss\\n1,9\\n2,8\\n3,7\\n4,6\\n'");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QStringList wanted{QStringLiteral("1: 3"), QStringLiteral("2: 2")};
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), wanted, 30000);
    QVERIFY(writeToFifo(launch));
    wanted.append(QStringLiteral("3: 1"));
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), wanted, 30000);
    {
        series::SeriesSet set(launch.dir + '/' + file::metrics);
        set.poll();
        QCOMPARE(set.reader().summary(*set.find(metricSeries(0, "loss"))).count, std::uint64_t(3)); // none twice
    }
    QVERIFY(writeToFifo(launch));
    wanted = {QStringLiteral("1: 9"), QStringLiteral("2: 8"), QStringLiteral("3: 7"), QStringLiteral("4: 6")};
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), wanted, 30000);
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    QCOMPARE(curve(launch.dir, "loss"), wanted);
}

void TstTryMetrics::theNextAgentGoesOn()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("long",
        "exec 3>log.jsonl\nprintf '{\"step\": 1, \"loss\": 0.5}\\n{\"step\": 2, \"loss\": 0.25}\\n' >&3\nread < fifo\n"
        "printf '{\"step\": 3, \"loss\": 0.125}\\n' >&3");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss").size(), 2, 30000);
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Observed>(Observe{launch.dir}));
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    QCOMPARE(curve(launch.dir, "loss").size(), 3);
    series::SeriesSet set(launch.dir + '/' + file::metrics);
    set.poll();
    QCOMPARE(set.reader().summary(*set.find(metricSeries(0, "loss"))).count, std::uint64_t(3)); // none twice
    QCOMPARE(book(launch.dir).files.size(), std::size_t(1));
}

void TstTryMetrics::secretsAreHidden_data()
{
    QTest::addColumn<bool>("isLaunchedAgain");
    QTest::newRow("the next agent is asked for it") << false;
    QTest::newRow("the next agent is to launch it, as when the answer got lost") << true;
}

// In names as in the output, by the agent that has launched the task and by the next one.
void TstTryMetrics::secretsAreHidden()
{
    QFETCH(bool, isLaunchedAgain);
    const std::string secret = "tok-en-value";
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("hidden",
        "exec 3>log.jsonl\nprintf '{\"step\": 1, \"loss\": 0.5, \"of/" + secret
            + "\": 1}\n' >&3\nread < fifo\nprintf '{\"step\": 2, \"loss\": 0.25, \"later/" + secret
            + "\": 2}\n' >&3\nprintf 'epoch," + secret + "\\n1,3\\n2,2\\n' > metrics.csv");
    launch.maskValues = {secret};
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "of/******"), QStringList{QStringLiteral("1: 1")}, 30000);
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    // A line of a long one is a secret as well.
    const std::string whole = std::string(20'000, 'x') + "\r\n" + secret + "\r\nend of it\n";
    if (isLaunchedAgain) {
        launch.maskValues = {whole};
        const auto again = m_fixture.agent->ask<Launched>(launch);
        QVERIFY(again && again->state == "adopted");
    } else {
        QVERIFY(m_fixture.agent->ask<Observed>(Observe{launch.dir, {whole}}));
    }
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    QCOMPARE(curve(launch.dir, "later/******"), QStringList{QStringLiteral("2: 2")});
    QCOMPARE(curve(launch.dir, "******"), (QStringList{QStringLiteral("1: 3"), QStringLiteral("2: 2")}));
    QCOMPARE(curve(launch.dir, "loss").size(), 2);
    for (const char *name : {file::metrics, file::metricBook}) {
        const QByteArray bytes = fileText(launch.dir, name);
        QVERIFY(!bytes.isEmpty());
        QVERIFY2(!bytes.contains(secret.c_str()), name);
    }
}

void TstTryMetrics::whoDoesNotKnowTheSecretsLeavesTheFiles_data()
{
    QTest::addColumn<bool>("hasEnded");
    QTest::newRow("the task runs") << false;
    QTest::newRow("the task has ended, and the rest of its files was never read") << true;
}

// Whoever copies its log asks the next agent for its end, perhaps before anybody has said what is to be hidden.
void TstTryMetrics::whoDoesNotKnowTheSecretsLeavesTheFiles()
{
    QFETCH(bool, hasEnded);
    const std::string secret = "tok-en-value";
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("unsaid",
        "exec 3>log.jsonl\nprintf '{\"step\": 1, \"loss\": 0.5}\n' >&3\nread < fifo\nprintf '{\"step\": 2, \"later/"
            + secret + "\": 2}\n' >&3\nprintf 'epoch," + secret + "\\n1,3\\n2,2\\n' > metrics.csv");
    launch.maskValues = {secret};
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), QStringList{QStringLiteral("1: 0.5")}, 30000);
    m_fixture.agent->kill9();
    if (hasEnded) {
        QVERIFY(writeToFifo(launch));
        QTRY_VERIFY_WITH_TIMEOUT(readExitRecord(launch.dir), 30000);
    }
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    const auto unsaid = m_fixture.agent->ask<Observed>(Observe{launch.dir, {}, true});
    QVERIFY(unsaid);
    QCOMPARE(unsaid->state, hasEnded ? std::string("ended") : std::string("running"));
    if (!hasEnded) {
        QVERIFY(writeToFifo(launch));
        QVERIFY(m_fixture.agent->exited(launch.dir, 30000));
    }
    // A copy of its log ends when nothing more of it is read.
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id, 30000);
        QVERIFY(chunk);
        over = chunk->end;
    }
    QCOMPARE(curve(launch.dir, "loss").size(), 1);
    for (const char *name : {file::metrics, file::metricBook}) {
        QVERIFY2(!fileText(launch.dir, name).contains(secret.c_str()), name);
    }
    QVERIFY(!book(launch.dir).isOver);
    // Whoever knows them has the rest of them read.
    QVERIFY(m_fixture.agent->ask<Observed>(Observe{launch.dir, {secret}}));
    QTRY_VERIFY_WITH_TIMEOUT(book(launch.dir).isOver, 30000);
    QCOMPARE(curve(launch.dir, "later/******"), QStringList{QStringLiteral("2: 2")});
    for (const char *name : {file::metrics, file::metricBook}) {
        QVERIFY2(!fileText(launch.dir, name).contains(secret.c_str()), name);
    }
}

void TstTryMetrics::filesAreFollowedToTheirEnd()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("followed", "read < fifo; printf 'epoch,loss\\n1,3\\n2,2\\n' > metrics.csv");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    QVERIFY(writeToFifo(launch));
    std::string points, lines;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id, 30000);
        QVERIFY(chunk);
        over = chunk->end;
        if (chunk->file == file::metrics) {
            points += chunk->bytes;
        } else if (chunk->file == file::metricBook) {
            lines += chunk->bytes;
        }
    }
    QVERIFY(MetricBook::parse(lines).isOver);
    QVERIFY(!points.empty());
    QCOMPARE(points, fileText(launch.dir, file::metrics).toStdString());
    QCOMPARE(lines, fileText(launch.dir, file::metricBook).toStdString());
}

void TstTryMetrics::pipesHoldUpNothing()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("pipe", "mkfifo events.out.tfevents.1; printf 'epoch,loss\\n1,3\\n2,2\\n' > metrics.csv");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QVERIFY(ends(launch));
    QCOMPARE(curve(launch.dir, "loss").size(), 2);
    const MetricBook all = book(launch.dir);
    QCOMPARE(all.notes.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(all.notes.front().code), QStringLiteral("metricfile.folder-odd"));
}

void TstTryMetrics::patternsNameFiles()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("named",
        "mkdir -p out/a/b; printf 'epoch,loss\\n1,3\\n2,2\\n' > out/a/b/numbers.txt; cp out/a/b/numbers.txt "
        "out/left.txt");
    launch.plan.metricFiles = {"out/**/numbers.*", "/nowhere/*"};
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QVERIFY(ends(launch));
    QCOMPARE(curve(launch.dir, "loss").size(), 2);
    QCOMPARE(pathsOf(launch.dir).size(), 1);
}

// What nobody has open belongs to none of them; the tasks of one job have it once.
void TstTryMetrics::jobsInOneFolderAreToldApart()
{
    QVERIFY(m_fixture.agent->start());
    const std::string folder = m_fixture.home->filePath(QStringLiteral("shared")).toStdString();
    QVERIFY(makeFolders(folder) == 0);
    const auto waiting = [&](const char *name, const char *job, const std::string &first) {
        Launch launch = m_fixture.launchOf(name, first + "\nread < " + workFile(m_fixture.launchOf(name, ""), "fifo"));
        launch.cwd = folder;
        launch.plan.job = job;
        return launch;
    };
    const Launch one = waiting("a1", "1", "printf 'epoch,loss\\n1,3\\n2,2\\n' > metrics.csv");
    const Launch two = waiting("a2", "1", ":");
    QVERIFY(makeFifo(one) && makeFifo(two));
    QVERIFY(m_fixture.agent->ask<Launched>(one));
    QVERIFY(m_fixture.agent->ask<Launched>(two));
    QTRY_COMPARE_WITH_TIMEOUT(curve(one.dir, "loss").size(), 2, 30000);
    const Launch other = waiting("b1", "2",
        "printf 'epoch,acc\\n1,3\\n2,2\\n' > other.csv; exec 3>open.jsonl; "
        "printf '{\"step\": 1, \"top\": 0.5}\\n' >&3");
    QVERIFY(makeFifo(other));
    QVERIFY(m_fixture.agent->ask<Launched>(other));
    QTRY_COMPARE_WITH_TIMEOUT(curve(other.dir, "top").size(), 1, 30000);
    QVERIFY(writeToFifo(two));
    QVERIFY(m_fixture.agent->exited(two.dir, 30000));
    QVERIFY(writeToFifo(other));
    QVERIFY(ends(other));
    QVERIFY(curve(two.dir, "loss").isEmpty());
    QVERIFY(curve(one.dir, "top").isEmpty() && curve(one.dir, "acc").isEmpty());
    QVERIFY(curve(other.dir, "loss").isEmpty());
    // Beside a file that it had open, another one is its own.
    QCOMPARE(curve(other.dir, "acc").size(), 2);
    QVERIFY(writeToFifo(one));
    QVERIFY(ends(one));
}

// Nothing tells which values are whose. A job that runs alone has the file again.
void TstTryMetrics::whatTwoJobsWriteIsNeithers()
{
    QVERIFY(m_fixture.agent->start());
    const std::string folder = m_fixture.home->filePath(QStringLiteral("sweep")).toStdString();
    QVERIFY(makeFolders(folder) == 0);
    const auto writing = [&](const char *name, const char *job, const char *values) {
        const std::string fifo = workFile(m_fixture.launchOf(name, ""), "fifo");
        Launch launch = m_fixture.launchOf(
            name, "exec 3>metrics.csv\nprintf 'epoch,loss\\n" + std::string(values) + "\\n' >&3\nread < " + fifo);
        launch.cwd = folder;
        launch.plan.job = job;
        return launch;
    };
    const auto othersOf = [&](const Launch &launch) {
        QStringList jobs;
        for (const MetricBook::Note &note : book(launch.dir).notes) {
            if (note.code == "metricfile.shared-file") {
                jobs.append(QString::fromStdString(note.text));
            }
        }
        return jobs;
    };
    const Launch one = writing("s1", "1", "1,3"), two = writing("s2", "2", "1,9"), alone = writing("s3", "3", "1,5");
    QVERIFY(makeFifo(one) && makeFifo(two) && makeFifo(alone));
    QVERIFY(m_fixture.agent->ask<Launched>(one));
    QTRY_COMPARE_WITH_TIMEOUT(curve(one.dir, "loss"), QStringList{QStringLiteral("1: 3")}, 30000);
    QVERIFY(m_fixture.agent->ask<Launched>(two));
    QTRY_COMPARE_WITH_TIMEOUT(othersOf(one), QStringList{QStringLiteral("2")}, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(othersOf(two), QStringList{QStringLiteral("1")}, 30000);
    QVERIFY(writeToFifo(one) && writeToFifo(two));
    QVERIFY(ends(one) && ends(two));
    QVERIFY(curve(one.dir, "loss").isEmpty() && curve(two.dir, "loss").isEmpty());
    QVERIFY(m_fixture.agent->ask<Launched>(alone));
    QTRY_COMPARE_WITH_TIMEOUT(curve(alone.dir, "loss"), QStringList{QStringLiteral("1: 5")}, 30000);
    QVERIFY(writeToFifo(alone));
    QVERIFY(ends(alone));
    QCOMPARE(curve(alone.dir, "loss").size(), 1);
}

// Damaged lines without end are told up to a number. That a file is shared is told in any case: it counts for nobody.
void TstTryMetrics::notesBeyondTheMostAreCounted()
{
    const QString dir = m_fixture.home->filePath(QStringLiteral("many"));
    QVERIFY(QDir().mkpath(dir));
    const auto put = [&dir](const char *name, const QByteArray &text) {
        QFile out(dir + QLatin1Char('/') + QLatin1StringView(name));
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size();
    };
    const std::string bad = dir.toStdString() + "/bad.jsonl", shared = dir.toStdString() + "/shared.jsonl";
    std::string lines
        = runLine("bad.jsonl") + fileLine({0, "jsonl", bad}) + runLine("shared.jsonl") + fileLine({1, "jsonl", shared});
    for (std::uint64_t i = 0; i < 60; ++i) {
        lines += noteLine({-1, "metricfile.folder-odd", i, "/w"});
    }
    QVERIFY(put("bad.jsonl", "{\"step\": 1, \"loss\": 0.5}\n" + QByteArray("this is no object\n").repeated(60)));
    QVERIFY(put("shared.jsonl", "{\"step\": 1, \"top\": 0.5}\n"));
    QVERIFY(put(file::metricBook, QByteArray::fromStdString(lines)));
    agent::TryMetrics metrics(dir.toStdString());
    metrics.end(false);
    const agent::FileKey key = agent::fileKeyOf(shared).first;
    const auto share = [&] { metrics.leaveOut({{key, {agent::Sharing::Shared, {"2", "3"}}}}); };
    const auto look = [&] {
        metrics.look([](const std::string &) { return agent::TryMetrics::Whose::Other; }, share);
        return metrics.isOver();
    };
    QTRY_VERIFY(look());
    const MetricBook all = book(dir.toStdString());
    QVERIFY((all.notes.back() == MetricBook::Note{-1, "metricfile.many-notes", 0, "60"}));
    const auto told = std::find_if(all.notes.begin(), all.notes.end(),
        [](const MetricBook::Note &one) { return one.code == "metricfile.shared-file"; });
    QVERIFY(told != all.notes.end() && told->text == "2 3");
}

// A pattern with wildcards also names what another job writes: that is the other's, and each keeps its own.
void TstTryMetrics::patternsTakeNothingFromOthers()
{
    QVERIFY(m_fixture.agent->start());
    const std::string folder = m_fixture.home->filePath(QStringLiteral("trials")).toStdString();
    QVERIFY(makeFolders(folder) == 0);
    const auto writing = [&](const std::string &name) {
        const std::string fifo = workFile(m_fixture.launchOf(name.c_str(), ""), "fifo");
        Launch launch = m_fixture.launchOf(
            name.c_str(), "exec 3>" + name + ".csv\nprintf 'epoch," + name + "\\n1,3\\n' >&3\nread < " + fifo);
        launch.cwd = folder;
        launch.plan.job = name;
        launch.plan.metricFiles = {"*.csv"};
        return launch;
    };
    const auto knowsOther = [&](const Launch &launch, const char *other) {
        const std::vector<MetricBook::Note> notes = book(launch.dir).notes;
        return std::any_of(notes.begin(), notes.end(), [other](const MetricBook::Note &note) {
            return note.code == "metricfile.shared-file" && note.text == other;
        });
    };
    const Launch one = writing("first"), two = writing("second");
    QVERIFY(makeFifo(one) && makeFifo(two));
    QVERIFY(m_fixture.agent->ask<Launched>(one));
    QVERIFY(m_fixture.agent->ask<Launched>(two));
    QTRY_VERIFY_WITH_TIMEOUT(knowsOther(one, "second") && knowsOther(two, "first"), 30000);
    QVERIFY(writeToFifo(one) && writeToFifo(two));
    QVERIFY(ends(one) && ends(two));
    QCOMPARE(curve(one.dir, "first").size(), 1);
    QCOMPARE(curve(two.dir, "second").size(), 1);
    QVERIFY(curve(one.dir, "second").isEmpty() && curve(two.dir, "first").isEmpty());
}

// Another try of a task writes the same files, at once after the one before.
void TstTryMetrics::theNextTryHasItsFilesAgain()
{
    QVERIFY(m_fixture.agent->start());
    const std::string folder = m_fixture.home->filePath(QStringLiteral("again")).toStdString();
    QVERIFY(makeFolders(folder) == 0);
    Launch first = m_fixture.launchOf("t0", "printf 'epoch,loss\n1,3\n2,2\n' > metrics.csv; read < FIFO");
    Launch second = m_fixture.launchOf("t1", "printf 'epoch,loss\n1,9\n2,8\n3,7\n' > metrics.csv");
    for (Launch *launch : {&first, &second}) {
        const std::string fifo = workFile(first, "fifo");
        launch->script = QByteArray::fromStdString(launch->script).replace("FIFO", fifo.c_str()).toStdString();
        launch->cwd = folder;
    }
    QVERIFY(makeFifo(first));
    QVERIFY(m_fixture.agent->ask<Launched>(first));
    QTRY_COMPARE_WITH_TIMEOUT(curve(first.dir, "loss").size(), 2, 30000);
    QVERIFY(writeToFifo(first));
    QVERIFY(m_fixture.agent->exited(first.dir, 30000));
    QVERIFY(m_fixture.agent->ask<Launched>(second));
    QVERIFY(ends(second));
    QCOMPARE(curve(second.dir, "loss").size(), 3);
    QCOMPARE(pathsOf(second.dir), QStringList{QString::fromStdString(folder + "/metrics.csv")});
}

// Of files below the folder of one job: what a job that works further down writes is that one's, also when that was
// over in a moment, and so is what a job that works elsewhere has open.
void TstTryMetrics::aFolderBelowIsItsOwnJobs()
{
    QVERIFY(m_fixture.agent->start());
    const std::string folder = m_fixture.home->filePath(QStringLiteral("outer")).toStdString();
    QVERIFY(
        makeFolders(folder + "/sub") == 0 && makeFolders(folder + "/brief") == 0 && makeFolders(folder + "/open") == 0);
    const auto working = [&](const char *job, const std::string &where, const std::string &script) {
        Launch launch = m_fixture.launchOf(job, "");
        const std::string fifo = workFile(launch, "fifo");
        launch.script = QByteArray::fromStdString(script).replace("FIFO", fifo.c_str()).toStdString();
        launch.cwd = where;
        launch.plan.job = job;
        return launch;
    };
    const std::string table = "printf 'epoch,loss\n1,3\n2,2\n' > metrics.csv\n";
    const Launch outer = working("1", folder,
        "read < FIFO\nprintf 'epoch,own\n1,3\n2,2\n' > own.csv\n"
        "until [ -e FIFO.done ]; do sleep 0.02; done"); // a second reader could meet the writer of the first
    const Launch inner = working("2", folder + "/sub", table + "read < FIFO");
    const Launch brief = working("3", folder + "/brief", table);
    const Launch elsewhere = working(
        "4", {}, "exec 3>" + folder + "/open/log.jsonl\nprintf '{\"step\": 1, \"loss\": 0.5}\\n' >&3\nread < FIFO");
    QVERIFY(makeFifo(outer) && makeFifo(inner) && makeFifo(elsewhere));
    QVERIFY(m_fixture.agent->ask<Launched>(outer));
    QVERIFY(m_fixture.agent->ask<Launched>(inner));
    QVERIFY(m_fixture.agent->ask<Launched>(elsewhere));
    QVERIFY(m_fixture.agent->ask<Launched>(brief));
    QVERIFY(ends(brief));
    QCOMPARE(curve(brief.dir, "loss").size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(curve(inner.dir, "loss").size(), 2, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(curve(elsewhere.dir, "loss").size(), 1, 30000);
    QVERIFY(writeToFifo(inner));
    QVERIFY(ends(inner));
    QVERIFY(writeToFifo(elsewhere));
    QVERIFY(ends(elsewhere));
    // It stays so when there is nobody any more who saw it.
    const std::set<std::string> others{
        folder + "/brief/metrics.csv", folder + "/open/log.jsonl", folder + "/sub/metrics.csv"};
    QTRY_VERIFY_WITH_TIMEOUT(book(outer.dir).others == others, 30000);
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Observed>(Observe{outer.dir}));
    QVERIFY(writeToFifo(outer));
    // Which is found when all of the folder was looked through, with nobody else there any more.
    QTRY_COMPARE_WITH_TIMEOUT(curve(outer.dir, "own").size(), 2, 30000);
    QVERIFY(makeWorkFile(outer, "fifo.done"));
    QVERIFY(ends(outer));
    QVERIFY(curve(outer.dir, "loss").isEmpty());
    QCOMPARE(pathsOf(outer.dir), QStringList{QString::fromStdString(folder + "/own.csv")});
    QVERIFY(book(outer.dir).notes.empty());
    QCOMPARE(pathsOf(inner.dir), QStringList{QString::fromStdString(folder + "/sub/metrics.csv")});
}

// Somebody saves a table of Trainyard into the work folder, or a program of the task makes one.
void TstTryMetrics::exportsAreNotTaken()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("exports",
        "printf 'Run,Name,lr,loss best,State,Step,Seconds\\n#2,one,0.1,0.5,Succeeded,9,1.5\\n' > table.csv\n"
        "exec 3>results.csv\nprintf 'name,step,axis,epoch,value,line\\nloss,1,step,,0.5,1\\n' >&3\n"
        "printf 'step,loss\\n1,0.25\\n' > own.csv\nread < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), QStringList{QStringLiteral("1: 0.25")}, 30000);
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    QCOMPARE(pathsOf(launch.dir).size(), 1);
    QVERIFY(pathsOf(launch.dir).constFirst().endsWith(QLatin1String("own.csv")));
    QCOMPARE(curve(launch.dir, "loss"), QStringList{QStringLiteral("1: 0.25")});
}

// Except what the task certainly wrote itself.
void TstTryMetrics::whatIsTakenAwayCountsNoMore()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("away",
        "exec 3>own.jsonl\nprintf '{\"step\": 1, \"acc\": 0.5}\\n' >&3\n"
        "printf 'step,loss\\n1,0.25\\n' > other.csv\nread < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), QStringList{QStringLiteral("1: 0.25")}, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "acc"), QStringList{QStringLiteral("1: 0.5")}, 30000);
    for (const char *name : {"own.jsonl", "other.csv"}) {
        QVERIFY(QFile::remove(QString::fromStdString(workFile(launch, name))));
    }
    QTRY_COMPARE_WITH_TIMEOUT(curve(launch.dir, "loss"), QStringList(), 30000);
    const auto gone = [&]() -> QString { // the path of the file that is said to be
        const std::vector<MetricBook::Note> notes = book(launch.dir).notes;
        const auto told = std::find_if(
            notes.begin(), notes.end(), [](const MetricBook::Note &one) { return one.code == goneFileNote; });
        return told == notes.end() ? QString() : pathsOf(launch.dir).at(told->file);
    };
    QTRY_VERIFY_WITH_TIMEOUT(gone().endsWith(QLatin1String("other.csv")), 30000);
    // It comes back: it is read from its beginning.
    QFile again(QString::fromStdString(workFile(launch, "other.csv")));
    QVERIFY(again.open(QIODevice::WriteOnly) && again.write("step,loss\n1,0.25\n2,0.125\n") > 0);
    again.close();
    QTRY_COMPARE_WITH_TIMEOUT(
        curve(launch.dir, "loss"), (QStringList{QStringLiteral("1: 0.25"), QStringLiteral("2: 0.125")}), 30000);
    QCOMPARE(curve(launch.dir, "acc"), QStringList{QStringLiteral("1: 0.5")});
    QVERIFY2(gone().isEmpty(), qPrintable(gone()));
    // Each time anew.
    QVERIFY(again.remove());
    QTRY_VERIFY_WITH_TIMEOUT(gone().endsWith(QLatin1String("other.csv")), 30000);
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    QVERIFY(gone().endsWith(QLatin1String("other.csv")));
}

// A file is read some times a minute, and its rows were written all the while.
void TstTryMetrics::rowsHaveTheTimesInWhichTheyWereWritten()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("times",
        "exec 3>log.csv; echo step,loss,acc >&3; read < fifo\n"
        "for i in 1 2 3 4; do echo $i,1,2 >&3; done");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const std::string path = workFile(launch, "log.csv");
    QTRY_VERIFY_WITH_TIMEOUT(book(launch.dir).files.size() == 1, 30000); // it was read
    const std::int64_t made = agent::fileKeyOf(path).second;
    constexpr std::int64_t pause = 1500; // of the program: until then it writes nothing
    QTRY_VERIFY_WITH_TIMEOUT(QDateTime::currentMSecsSinceEpoch() > made + pause, 30000);
    QVERIFY(writeToFifo(launch));
    QVERIFY(ends(launch));
    const std::int64_t changed = agent::fileKeyOf(path).second;
    series::SeriesSet set(launch.dir + '/' + file::metrics);
    set.poll();
    for (std::uint32_t id = 0; id < set.infos().size(); ++id) {
        if (!parseMetricSeries(set.infos()[id].name)) {
            continue; // what an agent notes for the next one
        }
        const series::Series &series = set.series(id);
        QCOMPARE(series.size(), std::size_t(4));
        QCOMPARE(series.at(3).time, changed);
        for (std::size_t i = 1; i < series.size(); ++i) {
            QVERIFY(series.at(i).time > series.at(i - 1).time);
        }
        QVERIFY(series.at(0).time >= made);
    }
    QCOMPARE(curve(launch.dir, "acc").size(), 4);
}

#include "tst_trymetrics.moc"
