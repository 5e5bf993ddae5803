// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/meantjobs.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Which of several jobs with one name a command takes, in a line.
class TstWhichJob : public QObject
{
    Q_OBJECT

    static JobSummary job(qint64 id, const QString &name, State state)
    {
        JobSummary job;
        job.id = id;
        job.name = name;
        job.state = state;
        return job;
    }

private Q_SLOTS:
    void saysWhich_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<qint64>("taken");
        QTest::addColumn<QString>("said"); // empty: nothing
        QTest::newRow("only one") << u"bert"_s << qint64(4) << QString();
        QTest::newRow("a number") << u"3"_s << qint64(3) << QString();
        QTest::newRow("ended") << u"resnet"_s << qint64(3)
                               << u"Several jobs have the name resnet: #3 (FAILED), #1 (SUCCEEDED). This is #3; give "
                                  "the number to choose another one."_s;
        QTest::newRow("certainly a name") << u"name:resnet"_s << qint64(3)
                                          << u"Several jobs have the name resnet: #3 (FAILED), #1 (SUCCEEDED). This is "
                                             "#3; give the number to choose another one."_s;
        QTest::newRow("one is active") << u"gpt"_s << qint64(6)
                                       << u"Several jobs have the name gpt: #6 (FAILED), #5 (RUNNING). This is #6; "
                                          "give the number to choose another one."_s;
        QTest::newRow("several are active") << u"vit"_s << qint64(9)
                                            << u"Several active jobs have the name vit: #9 (WAITING), #8 (RUNNING). "
                                               "This is #9; give the number to choose another one."_s;
        QTest::newRow("the newest has ended, and several are active")
            << u"llm"_s << qint64(12)
            << u"Several jobs have the name llm: #12 (FAILED), #11 (RUNNING), #10 (WAITING). This is #12; give the "
               "number to choose another one."_s;
    }

    void saysWhich()
    {
        QFETCH(const QString, word);
        QFETCH(const qint64, taken);
        QFETCH(const QString, said);
        const QList<JobSummary> all{job(9, u"vit"_s, State::Waiting), job(8, u"vit"_s, State::Running),
            job(7, u"vit"_s, State::Failed), job(6, u"gpt"_s, State::Failed), job(5, u"gpt"_s, State::Running),
            job(4, u"bert"_s, State::Failed), job(1, u"resnet"_s, State::Succeeded), job(3, u"resnet"_s, State::Failed),
            job(2, u"resnet50"_s, State::Failed), job(12, u"llm"_s, State::Failed), job(11, u"llm"_s, State::Running),
            job(10, u"llm"_s, State::Waiting)};
        const auto of
            = std::find_if(all.cbegin(), all.cend(), [&](const JobSummary &each) { return each.id == taken; });
        QCOMPARE(cli::whichOfSeveral(word, *of, all), said);
    }

    void manyAreCounted()
    {
        QList<JobSummary> all;
        for (int id = 1; id <= 20; ++id) {
            all.append(job(id, u"resnet"_s, State::Failed));
        }
        const QString said = cli::whichOfSeveral(u"resnet"_s, all.constLast(), all);
        QVERIFY2(
            said.contains("#20 (FAILED), #19 (FAILED)"_L1) && said.contains("#13 (FAILED) and 12 more. This is #20"_L1),
            qPrintable(said));
    }

    void eachJobIsMeantOnce()
    {
        const auto one = [](qint64 id) {
            cli::MeantJobs meant{{job(id, u"a"_s, State::Failed)}, {}, false};
            meant.jobs.first().uuid = u"uuid-"_s + QString::number(id);
            meant.named.insert(meant.jobs.constFirst().uuid);
            return meant;
        };
        cli::MeantJobs meant = one(3); // as a word gives it
        for (const qint64 id : {7, 3, 5, 7}) {
            meant.add(one(id));
        }
        QList<qint64> numbers;
        for (const JobSummary &each : std::as_const(meant.jobs)) {
            numbers.append(each.id);
        }
        QCOMPARE(numbers, (QList<qint64>{3, 7, 5}));
        QCOMPARE(meant.named.size(), 3);
    }

    // What a shell makes of a list of numbers. Looking through all jobs for each word would take minutes.
    void manyWordsTakeNoLonger()
    {
        constexpr int count = 20'000;
        cli::MeantJobs meant;
        QElapsedTimer took;
        took.start();
        for (int id = 1; id <= count; ++id) {
            JobSummary each = job(id, u"a"_s, State::Failed);
            each.uuid = QString::number(id);
            meant.add({{each}, {each.uuid}, false});
        }
        QCOMPARE(meant.jobs.size(), count);
        QVERIFY2(took.elapsed() < 10'000, qPrintable(QString::number(took.elapsed())));
    }
};

TRAINYARD_TEST(TstWhichJob)
#include "tst_whichjob.moc"
