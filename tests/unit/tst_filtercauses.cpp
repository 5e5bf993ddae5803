// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/causecounts.h"
#include "engine/api/failurefacts.h"
#include "engine/api/jobfilter.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/filtertexts.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Causes of failures in filters as lists show them, and how many jobs failed for each.
class TstFilterCauses : public QObject
{
    Q_OBJECT

    static JobSummary failed(qint64 id, const QString &cause, int code = 255)
    {
        JobSummary job;
        job.id = id;
        job.state = State::Failed;
        job.exitCode = code;
        job.reason = u"exit.failed"_s;
        job.reasonArgs = {{u"status"_s, 3}};
        if (!cause.isEmpty()) {
            FailureFacts facts;
            facts.cause = cause;
            facts.certainty = u"certain"_s;
            job.reasonArgs.insert(failureKey, facts.toJson());
        }
        return job;
    }

private Q_SLOTS:
    void shownWords_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<bool>("wanted"); // of a job that ran out of GPU memory
        const auto row
            = [](const char *filter, bool wanted) { QTest::newRow(filter) << QString::fromLatin1(filter) << wanted; };
        row("cause:OOM", true);
        row("cause:\"out of gpu memory\"", true);
        row("cause:\"GPU OOM\"", true);
        row("CAUSE:\"gpu oom\"", true);
        row("cause:diverged,\"gpu oom\"", true);
        row("-cause:\"out of gpu memory\"", false);
        row("cause:\"module missing\"", false);
        row("cause:\"training diverged\"", false);
        row("name:\"x cause:\" cause:nothing", false);
    }

    void shownWords()
    {
        QFETCH(const QString, filter);
        QFETCH(const bool, wanted);
        const Result<JobFilter> read = JobFilter::parse(withNamesOfCauses(filter), 0);
        QVERIFY(read);
        QCOMPARE(read->matches(failed(1, u"gpu-oom"_s), 0), wanted);
    }

    // Whatever a list shows for a code finds the jobs that ended with it.
    void shownWordsOfCodes()
    {
        for (const int code : {-1200, -1004, 137, 226, 232, 254}) {
            const JobSummary job = failed(1, {}, code);
            for (const QString &words : {failureShort(job), failureBrief(job)}) {
                const QString filter = withNamesOfCauses(u"cause:"_s + filterQuoted(words));
                QVERIFY2(JobFilter::parse(filter, 0)->matches(job, 0), qPrintable(filter));
            }
        }
    }

    void otherFiltersStay()
    {
        for (const QString &filter : {QString(), u"state:failed lr>0.1"_s, u"cause:nothing-such"_s, u"\"cause:oom\""_s,
                 u"note:\"x cause:oom\""_s, u"because:oom"_s, u"cause:"_s, u"cause:*oom"_s}) {
            QCOMPARE(withNamesOfCauses(filter), filter);
        }
    }

    void counts()
    {
        JobSummary well = failed(6, {});
        well.state = State::Succeeded;
        const QList<cli::CauseCount> counts = cli::causeCounts({failed(1, u"diverged"_s), failed(2, u"gpu-oom"_s),
            failed(3, {}), failed(4, u"gpu-oom"_s), failed(5, u"gpu-oom"_s), well});
        QCOMPARE(counts.size(), 3);
        QCOMPARE(counts.at(0).words, u"GPU OOM"_s);
        QCOMPARE(counts.at(0).name, u"gpu-oom"_s);
        QCOMPARE(counts.at(0).jobs, (QList<qint64>{2, 4, 5}));
        QCOMPARE(counts.at(1).name, u"diverged"_s);
        QCOMPARE(counts.at(2).words, u"Exit 3"_s);
        QVERIFY(counts.at(2).name.isEmpty());
    }
};

TRAINYARD_TEST(TstFilterCauses)
#include "tst_filtercauses.moc"
