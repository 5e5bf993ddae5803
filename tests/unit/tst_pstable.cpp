// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pscolumns.h"
#include "app/cli/pstable.h"
#include "engine/api/failurefacts.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/columns.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What `ps` shows where there is little room.
class TstPsTable : public QObject
{
    Q_OBJECT

    static JobSummary failed(const QString &name)
    {
        JobSummary job;
        job.id = 12;
        job.uuid = u"u"_s + name;
        job.name = name;
        job.state = State::Failed;
        job.totalTasks = 1;
        job.counts.failed = 1;
        job.submitted = 1790000000000;
        job.hosts = {u"local"_s};
        job.exitCode = 255;
        job.reason = u"exit.user"_s;
        FailureFacts facts;
        facts.cause = u"gpu-oom"_s;
        facts.certainty = u"certain"_s;
        job.reasonArgs = {{u"status"_s, 1}, {failureKey, facts.toJson()}};
        return job;
    }
    static QStringList table(int width, const QString &name = u"f-train-on-stack"_s)
    {
        return cli::psTable({failed(name)}, {}, width, 1790000060000);
    }

private Q_SLOTS:
    void namesAndReasonsStay_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<QStringList>("there");
        QTest::addColumn<QStringList>("away");
        const QStringList none;
        QTest::newRow("a file") << 0 << QStringList{u"(1 failed)"_s, u"SUBMITTED"_s, u"HOST"_s, u"TASKS"_s, u"TIME"_s}
                                << none;
        QTest::newRow("wide") << 120 << QStringList{u"(1 failed)"_s, u"SUBMITTED"_s, u"HOST"_s, u"TASKS"_s, u"TIME"_s}
                              << none;
        QTest::newRow("80 columns") << 80 << QStringList{u"HOST"_s, u"TASKS"_s, u"TIME"_s}
                                    << QStringList{u"(1 failed)"_s};
        QTest::newRow("60 columns") << 60 << QStringList{u"TIME"_s} << QStringList{u"(1 failed)"_s, u"SUBMITTED"_s};
    }
    void namesAndReasonsStay()
    {
        QFETCH(const int, width);
        QFETCH(const QStringList, there);
        QFETCH(const QStringList, away);
        const QStringList lines = table(width);
        const QString all = lines.join(u'\n');
        QVERIFY2(all.contains(u"f-train-on-stack"_s) && lines.first().contains(u"WHY"_s), qPrintable(all));
        QVERIFY2(lines.last().contains(u"GPU"_s), qPrintable(all)); // the few words of the cause
        for (const QString &text : there) {
            QVERIFY2(all.contains(text), qPrintable(all));
        }
        for (const QString &text : away) {
            QVERIFY2(!all.contains(text), qPrintable(all));
        }
        for (const QString &line : lines) {
            QVERIFY2(width == 0 || columnsOf(line) <= width, qPrintable(line));
        }
    }

    // The less room there is, the less is there; nothing comes back, and a long name is cut only at last.
    void columnsGoInTheirOrder()
    {
        const QStringList order{u"(1 failed)"_s, u"SUBMITTED"_s, u"HOST"_s, u"TASKS"_s};
        qsizetype gone = 0;
        for (int width = 140; width >= 30; --width) {
            const QString all = table(width, QString(40, u'n')).join(u'\n');
            while (gone < order.size() && !all.contains(order.at(gone))) {
                ++gone;
            }
            for (qsizetype i = 0; i < order.size(); ++i) {
                QVERIFY2(all.contains(order.at(i)) == (i >= gone), qPrintable(all));
            }
        }
        QCOMPARE(gone, order.size());
        // A queue has its column only while a job waits in it.
        QVERIFY(!table(0).first().contains(u"QUEUE"_s));
        JobSummary waiting = failed(u"w"_s);
        waiting.state = State::Waiting;
        const QStringList lines = cli::psTable({waiting}, {{waiting.uuid, {2, 3}}}, 0, 1790000060000);
        QVERIFY2(lines.first().contains(u"STATE    QUEUE  TASKS"_s), qPrintable(lines.first()));
    }

    // Why a job ends stands beside a state that agrees with it, also while its last tasks are being stopped.
    void endingJobsAreStopping()
    {
        JobSummary ending = failed(u"e"_s);
        ending.state = State::Running;
        ending.subState = u"AttemptDeleting"_s;
        ending.reason = u"limit.time"_s;
        ending.reasonArgs = {{u"seconds"_s, 3}};
        const auto row = [&ending] { return cli::psTable({ending}, {}, 0, 1790000060000).last(); };
        QVERIFY2(row().contains(u" STOPPING "_s) && row().contains(u"3 seconds"_s), qPrintable(row()));
        ending.paused = true;
        QVERIFY2(row().contains(u" STOPPING "_s), qPrintable(row()));
        ending.subState = u"AttemptRunning"_s;
        QVERIFY2(row().contains(u" PAUSED "_s), qPrintable(row()));
        ending.paused = false;
        QVERIFY2(row().contains(u" RUNNING "_s), qPrintable(row()));
    }

    // A program finds each value under its name, whatever the others are.
    void commaSeparatedValues()
    {
        JobSummary waiting = failed(u"w"_s);
        waiting.state = State::Waiting;
        waiting.hosts = {u"a"_s, u"b"_s};
        waiting.parameters = {{u"lr"_s, 0.5}};
        const QString table = cli::csvOf({waiting}, {}, {{waiting.uuid, {2, 3}}}, 1790000060000);
        QVERIFY2(table.startsWith(u"id,name,state,queue,tasks,time,submitted,host,why,trainyard\n12,w,WAITING,2,"_s),
            qPrintable(table));
        QVERIFY2(table.contains(u",2026-09-21T14:13:20Z,\"a,b\","_s), qPrintable(table));
        const QString chosen = cli::csvOf({waiting}, cli::namedColumns(u"{param:lr}; {uuid}"_s), {}, 1790000060000);
        QVERIFY2(chosen.startsWith(u"param:lr,uuid,trainyard\n0.5,uw,"_s), qPrintable(chosen));
        QCOMPARE(cli::csvOf({}, {u"id"_s}, {}, 0), u"id,trainyard\n"_s);
    }
};

TRAINYARD_TEST(TstPsTable)
#include "tst_pstable.moc"
