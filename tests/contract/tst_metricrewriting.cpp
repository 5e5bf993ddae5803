// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/trymetrics.h"
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/file.h"
#include "engine/series/seriesset.h"
#include "tests/contract/followedfile.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QTest>

#include <sys/wait.h>

using namespace trainyard;
using namespace trainyard::contract;

// The file of what a task reports is written anew when it consists of many small blocks.
class TstMetricRewriting : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QVERIFY(m_fixture.begin());
        m_dir = m_fixture.home->filePath(QStringLiteral("try")).toStdString();
        QVERIFY(QDir().mkpath(QString::fromStdString(m_dir)));
    }
    void cleanup() { m_fixture.end(); }

    void whatComesMeanwhileIsReadAfterwards();
    void theNextAgentGoesOnWhereOneWasKilled();
    void aTaskThatEndsWaitsForNone();
    void seriesMayGetOtherNumbers();
    void itsCopyFollows();

private:
    // Many small blocks, as of a task that has reported for days.
    static bool fill(const std::string &dir)
    {
        series::Error error;
        const auto writer = series::Writer::open(dir + '/' + file::metrics, error);
        const auto id = writer ? writer->define({metricSeries(0, "old")}) : std::nullopt;
        for (int i = 0; id && i < blocks; ++i) {
            writer->append(*id, {double(i), 1700000000000 + i * 60000ll, double(i % 7)});
            writer->flush();
        }
        return id.has_value();
    }
    static int count(const std::string &dir, const char *metric)
    {
        series::SeriesSet set(dir + '/' + file::metrics);
        set.poll();
        const auto id = set.find(metricSeries(0, metric));
        // With those that are void: a value that was read twice would be one.
        return id ? int(set.reader().summary(*id).count) : 0;
    }
    void put(const char *name, const QByteArray &text) const
    {
        QFile out(QString::fromStdString(m_dir) + QLatin1Char('/') + QLatin1StringView(name));
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Append) && out.write(text) == text.size());
    }
    // A try that has this file, and a metric with `old` points of an earlier agent.
    void begin()
    {
        put("log.jsonl", "{\"step\": 1, \"loss\": 0.5}\n");
        put(file::metricBook,
            QByteArray::fromStdString(runLine("log.jsonl") + fileLine({0, "jsonl", m_dir + "/log.jsonl"})));
        m_metrics = std::make_unique<agent::TryMetrics>(m_dir);
        look();
        QCOMPARE(count(m_dir, "loss"), 1);
        QCOMPARE(count(m_dir, "old"), blocks);
        m_size = QFileInfo(QString::fromStdString(m_dir + '/' + file::metrics)).size();
        QVERIFY(m_metrics->isRewritingDue(m_now));
        m_metrics->startRewriting(m_now);
        QVERIFY(m_metrics->isRewriting() && !m_metrics->isRewritingDue(m_now + 3600000));
    }
    void look()
    {
        m_metrics->look([](const std::string &) { return agent::TryMetrics::Whose::Other; }, [] {});
    }
    void reap()
    {
        int status = 0;
        const pid_t process = ::waitpid(-1, &status, 0);
        QVERIFY(process > 0);
        QVERIFY(!WIFEXITED(status) || WEXITSTATUS(status) == 0);
        m_metrics->reaped(process, status);
    }
    bool isSmall() const { return QFileInfo(QString::fromStdString(m_dir + '/' + file::metrics)).size() < m_size / 4; }
    QStringList leftovers() const
    {
        return QDir(QString::fromStdString(m_dir)).entryList({QStringLiteral("metrics.series.*")}, QDir::Files);
    }

    static constexpr int blocks = 8000;
    const std::int64_t m_now = QDateTime::currentMSecsSinceEpoch();
    AgentFixture m_fixture;
    std::string m_dir;
    qint64 m_size = 0;
    std::unique_ptr<agent::TryMetrics> m_metrics;
};
TRAINYARD_TEST(TstMetricRewriting)

void TstMetricRewriting::whatComesMeanwhileIsReadAfterwards()
{
    QVERIFY(fill(m_dir));
    begin();
    put("log.jsonl", "{\"step\": 2, \"loss\": 0.25}\n");
    look();
    QCOMPARE(count(m_dir, "loss"), 1);
    reap();
    QVERIFY(!m_metrics->isRewriting());
    QVERIFY(!m_metrics->isRewritingDue(m_now + 3600000)); // for that there are no small blocks
    QVERIFY(isSmall());
    QCOMPARE(leftovers(), QStringList());
    look();
    QCOMPARE(count(m_dir, "loss"), 2);
    QCOMPARE(count(m_dir, "old"), blocks);
    // How much was taken is still known.
    m_metrics.reset();
    put("log.jsonl", "{\"step\": 3, \"loss\": 0.125}\n");
    m_metrics = std::make_unique<agent::TryMetrics>(m_dir);
    look();
    QCOMPARE(count(m_dir, "loss"), 3);
    QCOMPARE(count(m_dir, "old"), blocks);
}

void TstMetricRewriting::theNextAgentGoesOnWhereOneWasKilled()
{
    QVERIFY(fill(m_dir));
    begin();
    reap();
    m_metrics.reset();
    // Whether it was done or not, and whoever else has left it there.
    for (const char *left : {"metrics.series.new", "metrics.series.rewritten"}) {
        QVERIFY(QFile::copy(QString::fromStdString(m_dir + '/' + file::metrics),
            QString::fromStdString(m_dir) + QLatin1Char('/') + QLatin1StringView(left)));
    }
    put("log.jsonl", "{\"step\": 2, \"loss\": 0.25}\n");
    m_metrics = std::make_unique<agent::TryMetrics>(m_dir);
    look();
    QCOMPARE(count(m_dir, "loss"), 2);
    QCOMPARE(count(m_dir, "old"), blocks);
    QCOMPARE(leftovers(), QStringList());
}

// Somebody waits for its results.
void TstMetricRewriting::aTaskThatEndsWaitsForNone()
{
    QVERIFY(fill(m_dir));
    begin();
    put("log.jsonl", "{\"step\": 2, \"loss\": 0.25}\n");
    m_metrics->end(false);
    QTRY_VERIFY((look(), m_metrics->isOver()));
    QVERIFY(!m_metrics->isRewriting());
    reap();
    QCOMPARE(count(m_dir, "loss"), 2);
    QCOMPARE(count(m_dir, "old"), blocks);
    QCOMPARE(leftovers(), QStringList());
}

// As where a name was damaged, which the new file has no number for.
void TstMetricRewriting::seriesMayGetOtherNumbers()
{
    {
        series::Error error;
        const auto writer = series::Writer::open(m_dir + '/' + file::metrics, error);
        QVERIFY(writer);
        const auto lost = writer->define({metricSeries(0, "lost")});
        writer->append(*lost, {1, 1, 1});
        writer->flush();
    }
    QFile all(QString::fromStdString(m_dir + '/' + file::metrics));
    QVERIFY(all.open(QIODevice::ReadWrite));
    const qint64 at = all.readAll().indexOf("0 lost");
    QVERIFY(at > 0 && all.seek(at) && all.write("?") == 1);
    all.close();
    QVERIFY(fill(m_dir));
    begin();
    reap();
    put("log.jsonl", "{\"step\": 2, \"loss\": 0.25}\n");
    look();
    QCOMPARE(count(m_dir, "loss"), 2);
    QCOMPARE(count(m_dir, "old"), blocks);
    QVERIFY(isSmall());
}

// The next agent finds many small blocks, and another computer has a copy of them.
void TstMetricRewriting::itsCopyFollows()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("followed",
        "exec 3>log.jsonl\nprintf '{\"step\": 1, \"loss\": 0.5}\\n' >&3\nread < fifo\n"
        "printf '{\"step\": 2, \"loss\": 0.25}\\n' >&3");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE_WITH_TIMEOUT(count(launch.dir, "loss"), 1, 30000);
    m_fixture.agent->kill9();
    const std::string path = launch.dir + '/' + file::metrics;
    QTRY_VERIFY_WITH_TIMEOUT(count(launch.dir, "old") > 0 || fill(launch.dir), 30000); // its reader ends with it
    FollowedFile copy(fileText(launch.dir, file::metrics).toStdString());
    QFile old(QString::fromStdString(path));
    QVERIFY(old.open(QIODevice::ReadOnly));
    Follow follow{launch.dir, 0, 0, 0, 0, false};
    follow.metrics = copy.text().size();
    follow.metricsGeneration = series::generationOf(old.handle());
    QVERIFY(follow.metricsGeneration != 0);
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Observed>(Observe{launch.dir}));
    const std::int64_t id = m_fixture.agent->send(follow);
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id, 30000);
        QVERIFY(chunk);
        over = chunk->end;
        if (chunk->file != file::metrics) {
            continue;
        }
        QCOMPARE(chunk->offset, copy.expectedOffset(*chunk));
        if (copy.take(*chunk)) {
            QVERIFY(writeToFifo(launch));
        }
    }
    QCOMPARE(copy.replaced(), 1);
    QCOMPARE(copy.text(), fileText(launch.dir, file::metrics).toStdString());
    QVERIFY(qint64(copy.text().size()) < old.size() / 4);
    QCOMPARE(count(launch.dir, "loss"), 2);
    QCOMPARE(count(launch.dir, "old"), blocks);
}

#include "tst_metricrewriting.moc"
