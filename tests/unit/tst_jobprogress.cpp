// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/daemon/jobreadings.h"
#include "engine/results/jobprogress.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/played.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace Qt::StringLiterals;

// How far a job is, by how far its tasks are.
class TstJobProgress : public QObject
{
    Q_OBJECT

    // "0:0.2@105 1:done 1:waits 0:failed 0:?": the role, how far it is, and when it ends.
    static std::vector<TaskProgress> tasksOf(const QString &text)
    {
        std::vector<TaskProgress> tasks;
        const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
        for (const QString &word : words) {
            TaskProgress task;
            task.role = word.section(u':', 0, 0).toInt();
            const QString said = word.section(u':', 1).section(u'@', 0, 0);
            const QString end = word.section(u'@', 1);
            task.state = said == u"done"_s ? TaskProgress::State::Succeeded
                : said == u"failed"_s      ? TaskProgress::State::Failed
                : said == u"waits"_s       ? TaskProgress::State::Waits
                                           : TaskProgress::State::Runs;
            bool isNumber = false;
            const double fraction = said.toDouble(&isNumber);
            task.fraction = isNumber ? std::optional(fraction) : std::nullopt;
            task.endExpected = end.isEmpty() ? std::nullopt : std::optional(end.toLongLong());
            tasks.push_back(task);
        }
        return tasks;
    }
    static std::vector<EndRule> all(int count) { return {EndRule{count, count}}; }

private Q_SLOTS:
    void followsWhatEndsTheJob_data()
    {
        QTest::addColumn<QList<EndRule>>("rules");
        QTest::addColumn<bool>("together");
        QTest::addColumn<QString>("tasks");
        QTest::addColumn<double>("fraction"); // negative: none
        QTest::addColumn<qint64>("end"); // 0: none
        const auto row = [](const char *name, const QList<EndRule> &rules, bool together, const char *tasks,
                             double fraction, qint64 end) {
            QTest::newRow(name) << rules << together << QString::fromLatin1(tasks) << fraction << end;
        };
        const EndRule one{1, 1}, two{2, 2}, three{3, 3};
        row("one task", {one}, true, "0:0.3@70", 0.3, 70);
        row("nothing is said", {two}, true, "0:? 1:?", -1, 0);
        row("only a time is said", {two}, true, "0:?@40 0:?@50", -1, 50);
        row("one of two roles has ended", {two}, true, "0:0.2@105 1:done", 0.2, 105);
        row("the slowest of all", {three}, true, "0:0.5@90 0:0.4@110 0:0.6@80", 0.4, 110);
        row("others go along", {three}, true, "0:0.5@90 0:? 0:?", 0.5, 90);
        row("only silent ones are left", {two}, true, "0:done 1:?", -1, 0);
        row("one that failed is over", {two}, true, "0:failed 1:0.7@60", 0.7, 60);
        row("at its last step", {two}, true, "0:1 1:0.7@60", 0.7, 60);
        row("all at their last steps", {two}, true, "0:1 1:1", 1, 0);
        row("no speed is known yet", {two}, true, "0:0.9@60 1:0.1", 0.1, 0);

        // A parameter server ends with the workers.
        const EndRule workers{2, 2, 1, true};
        row("a role that ends the job", {workers, three}, true, "0:0.1@900 1:0.5@80 1:0.6@70", 0.5, 80);
        const EndRule fastest{1, 2, 1, true};
        row("the first of a role ends it", {fastest, three}, true, "0:0.1@900 1:0.5@80 1:0.6@70", 0.6, 70);
        row("a failed one does not", {fastest, three}, true, "0:0.1@900 1:failed 1:0.4@70", 0.4, 70);
        row("too many have failed", {workers, three}, true, "0:0.1@900 1:failed 1:0.4@70", 0.1, 900);
        row("so many of all", {EndRule{2, 3}, three}, true, "0:0.1@900 1:0.5@80 1:0.6@70", 0.5, 80);

        // Outputs of the first tasks of many.
        row("half of twelve", {EndRule{6, 12, 0, true}, EndRule{12, 12}}, true, "0:0.1@90 0:0.2@80 0:0.3@70 0:0.4@60",
            0.3, 70);

        // Tasks that begin one after the other.
        row("two of four have begun", {EndRule{4, 4}}, false, "0:done 0:0.6@70 0:waits 0:waits", 0.4, 0);
        row("the last one runs", {EndRule{4, 4}}, false, "0:done 0:done 0:done 0:0.2@70", 0.8, 70);
    }

    void followsWhatEndsTheJob()
    {
        QFETCH(QList<EndRule>, rules);
        QFETCH(bool, together);
        QFETCH(QString, tasks);
        QFETCH(double, fraction);
        QFETCH(qint64, end);
        const JobProgress found = progressOfJob({rules.begin(), rules.end()}, tasksOf(tasks), together);
        QCOMPARE(found.fraction.has_value(), fraction >= 0);
        QVERIFY2(!found.fraction || std::abs(*found.fraction - fraction) < 1e-9,
            qPrintable(QString::number(found.fraction.value_or(-1))));
        QCOMPARE(found.endExpected.value_or(0), end);
    }

    // While no task goes back, the job does not, whichever ends or begins.
    void neverGoesBack_data()
    {
        QTest::addColumn<bool>("together");
        QTest::addColumn<QStringList>("moments");
        QTest::newRow("a short and a long one") << true
                                                << QStringList{u"0:0.1 1:0.05"_s, u"0:0.9 1:0.2"_s, u"0:1 1:0.21"_s,
                                                       u"0:done 1:0.21"_s, u"0:done 1:0.9"_s, u"0:done 1:1"_s};
        QTest::newRow("one after the other") << false
                                             << QStringList{u"0:0.5 0:waits"_s, u"0:1 0:waits"_s, u"0:done 0:waits"_s,
                                                    u"0:done 0:0.1"_s, u"0:done 0:1"_s};
    }

    void neverGoesBack()
    {
        QFETCH(bool, together);
        QFETCH(QStringList, moments);
        double before = 0;
        for (const QString &moment : std::as_const(moments)) {
            const std::optional<double> now = progressOfJob(all(2), tasksOf(moment), together).fraction;
            if (now) {
                QVERIFY2(*now >= before, qPrintable(moment));
                before = *now;
            }
        }
        QCOMPARE(before, 1.0);
    }

    // The values are those of the output that was read least far, as long as it is behind.
    void outputsThatAreBehind()
    {
        core::played::Player player(core::played::workers(2));
        player.say(core::event::Submitted{});
        player.run({core::played::w0, core::played::w1});
        JobReadings readings;
        auto &tasks = readings.jobs[core::summaryOf(player.job).uuid].tasks;
        tasks[core::played::w0].reading.upTo = 2000;
        tasks[core::played::w1].reading.upTo = 1000;
        JobSummary summary = core::summaryOf(player.job);
        readings.fill(summary.uuid, summary);
        QCOMPARE(summary.resultsUpTo, std::optional<qint64>(1000));
        tasks[core::played::w0].reading.upTo.reset();
        tasks[core::played::w1].reading.upTo.reset();
        JobSummary caughtUp = core::summaryOf(player.job);
        readings.fill(caughtUp.uuid, caughtUp);
        QVERIFY(!caughtUp.resultsUpTo);
    }

    // The clock does not run to an end that nobody sees come.
    void endIsNotKnownWithoutContact()
    {
        core::played::Player player(core::played::workers(1));
        player.say(core::event::Submitted{});
        player.run({core::played::w0});
        JobSummary summary = core::summaryOf(player.job);
        QCOMPARE(summary.state, State::Running);
        JobReadings readings;
        ProgressRate &rate = readings.jobs[summary.uuid].tasks[core::played::w0].reading.progress;
        for (int percent = 1; percent < 40; ++percent) {
            metrics::Progress said;
            said.fraction = percent / 100.0;
            rate.add(nowMs() - 1000 * (40 - percent), said);
        }
        readings.fillProgress(player.job, summary);
        QVERIFY(summary.progress && summary.endExpected);
        for (const QString &reason : {u"job.host-out-of-reach"_s, u"job.host-connecting"_s}) {
            summary.reason = reason;
            readings.fillProgress(player.job, summary);
            QVERIFY(summary.progress && !summary.endExpected);
        }
    }
};

TRAINYARD_TEST(TstJobProgress)
#include "tst_jobprogress.moc"
