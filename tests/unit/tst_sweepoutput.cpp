// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweepoutput.h"
#include "tests/helpers/testregistry.h"

#include <QJsonObject>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is said of the jobs of a sweep after their submission and after their end.
class TstSweepOutput : public QObject
{
    Q_OBJECT

    static JobSummary ended(double loss, bool isReached = true)
    {
        JobSummary job;
        job.state = State::Succeeded;
        const QJsonObject at{{u"step"_s, 10}, {u"reached"_s, isReached}, {u"value"_s, loss}, {u"best"_s, loss}};
        job.results = {{u"loss"_s, QJsonObject{{u"last"_s, loss}, {u"at"_s, at}}}};
        return job;
    }

private Q_SLOTS:
    void jobsOfTheGroup_data()
    {
        QTest::addColumn<QList<qint64>>("numbers");
        QTest::addColumn<int>("inGroup");
        QTest::addColumn<int>("known");
        QTest::addColumn<QString>("text");
        QTest::newRow("one") << QList<qint64>{7} << 1 << 0 << u"The group g has 1 job, #7."_s;
        QTest::newRow("in a row") << QList<qint64>{71, 72, 73} << 3 << 0 << u"The group g has 3 jobs, #71 to #73."_s;
        QTest::newRow("another job between them")
            << QList<qint64>{71, 73, 74, 75} << 4 << 0 << u"The group g has 4 jobs, #71, #73 to #75."_s;
        QTest::newRow("known ones last") << QList<qint64>{9, 3, 4} << 3 << 2
                                         << u"The group g has 3 jobs, #3 to #4, #9."_s;
        QTest::newRow("many gaps") << QList<qint64>{1, 3, 5, 7, 9, 11, 13, 15} << 8 << 0
                                   << u"The group g has 8 jobs, #1, #3, #5, #7, #9, #11 and 2 more."_s;
        QTest::newRow("one added") << QList<qint64>{8} << 3 << 0
                                   << u"1 job was added to the group g, which has 3: #8."_s;
        QTest::newRow("added") << QList<qint64>{5, 6, 7} << 4 << 0
                               << u"3 jobs were added to the group g, which has 4: #5 to #7."_s;
        QTest::newRow("added before") << QList<qint64>{5, 6, 7} << 4 << 1
                                      << u"Of the 4 jobs of the group g, 3 belong to this sweep: #5 to #7."_s;
    }

    void jobsOfTheGroup()
    {
        QFETCH(const QList<qint64>, numbers);
        QFETCH(const int, inGroup);
        QFETCH(const int, known);
        QTEST(cli::groupText(u"g"_s, numbers, inGroup, known), "text");
    }

    // What is better goes by the name that is meant: of "los" it would be more.
    void metricsThatNoRunHas_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QStringList>("known");
        QTest::addColumn<QString>("text");
        const QStringList known{u"acc"_s, u"loss"_s};
        QTest::newRow("known") << u"loss@10"_s << known << QString();
        QTest::newRow("nothing is known") << u"los@10"_s << QStringList() << QString();
        QTest::newRow("no rule") << QString() << known << QString();
        QTest::newRow("misspelt") << u"los@10"_s << known
                                  << u"No earlier run of train has a metric named los. Did you mean 'loss'? Of loss, "
                                     "less is better."_s;
        QTest::newRow("the other way") << u"accc@10"_s << known
                                       << u"No earlier run of train has a metric named accc. Did you mean 'acc'? Of "
                                          "acc, more is better."_s;
        QTest::newRow("another") << u"perplexity@10"_s << known
                                 << u"No earlier run of train has a metric named perplexity. They have: acc, loss."_s;
    }

    void metricsThatNoRunHas()
    {
        QFETCH(const QString, rule);
        QFETCH(const QStringList, known);
        cli::Sweep sweep;
        sweep.stopWorse = rule;
        sweep.job.name = u"train"_s;
        QTEST(cli::unknownMetricText(sweep, known), "text");
    }

    // Jobs of a second are over before the others have values to judge them by.
    void jobsThatEndedBeforeTheRule()
    {
        cli::Sweep sweep;
        sweep.stopWorse = u"loss@10"_s;
        QList<JobSummary> jobs;
        for (int i = 1; i <= 8; ++i) {
            jobs.append(ended(i));
        }
        QCOMPARE(cli::unjudgedText(sweep, jobs),
            u"4 of 8 jobs are worse than the median of the others at step 10 and were not stopped: they had ended "
            "before the rule could be applied."_s);
        const auto says = [&](const QSet<QString> &wanted, const QString &begin) {
            const QString text = cli::unjudgedText(sweep, jobs, wanted);
            QVERIFY2(text.startsWith(begin), qPrintable(text));
        };
        jobs[5].state = State::Failed; // later, by itself
        jobs[6].retries = 1; // by itself, too
        jobs[6].uuid = u"again"_s;
        says({}, u"4 of 8 jobs are worse"_s);
        says({u"again"_s}, u"3 of 8 jobs are worse"_s); // which somebody wanted to run
        jobs[7].state = State::Stopped; // as it should be
        says({u"again"_s}, u"2 of 8 jobs are worse"_s);
        jobs[5].state = State::Stopped;
        says({u"again"_s},
            u"1 of 8 jobs is worse than the median of the others at step 10 and was not stopped: it had"_s);
        jobs.resize(5); // too few to judge
        QCOMPARE(cli::unjudgedText(sweep, jobs), QString());
        jobs.append(ended(9, false));
        jobs.last().id = 41;
        QVERIFY(cli::unjudgedText(sweep, jobs)
                    .startsWith(u"The rule that stops the worse jobs was not applied to 1 of 6"_s));
        QVERIFY(cli::unjudgedText(sweep, jobs).contains(u"'trainyardctl metrics 41'"_s));
        JobSummary silent = ended(1);
        silent.results = {};
        jobs.append(silent);
        says({}, u"The rule that stops the worse jobs was not applied to 2 of 7"_s);
        jobs.last().resultsPending = true; // nobody knows
        says({}, u"The rule that stops the worse jobs was not applied to 1 of 7"_s);
        QVERIFY(cli::unjudgedText(sweep, jobs).contains(u"7 jobs: its loss has no value"_s));
        jobs.last().resultsPending = false;
        // That no job has the metric is said only where those that the rule has stopped have none either.
        jobs = {ended(1), silent};
        jobs[0].state = State::Stopped;
        says({}, u"The rule that stops the worse jobs was not applied to 1 of 2"_s);
        jobs[0].results = {};
        says({}, u"No job has a metric named loss"_s);
    }
};

TRAINYARD_TEST(TstSweepOutput)
#include "tst_sweepoutput.moc"
