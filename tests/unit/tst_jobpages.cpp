// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobpages.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Reading all jobs page by page.
class TstJobPages : public QObject
{
    Q_OBJECT

    static QList<JobSummary> jobs(qint64 newest, qint64 count)
    {
        QList<JobSummary> all;
        for (qint64 id = newest; id > newest - count; --id) {
            JobSummary job;
            job.id = id;
            all.append(job);
        }
        return all;
    }

private Q_SLOTS:
    void next_data()
    {
        using Answer = Result<QList<JobSummary>>;
        QTest::addColumn<int>("limit");
        QTest::addColumn<Answer>("answer");
        QTest::addColumn<qint64>("before"); // -1: no more is asked for
        QTest::addColumn<int>("nextLimit");
        const Answer tooLong = fail(u"rpc.too-long"_s), gone = fail(u"engine.gone"_s);
        QTest::newRow("a full page") << 10 << Answer(jobs(99, 10)) << qint64(90) << 10;
        QTest::newRow("the last page") << 10 << Answer(jobs(99, 9)) << qint64(-1) << 0;
        QTest::newRow("no job") << 10 << Answer(jobs(99, 0)) << qint64(-1) << 0;
        QTest::newRow("too long") << 1000 << tooLong << qint64(100) << 500;
        QTest::newRow("too long, an odd number") << 3 << tooLong << qint64(100) << 1;
        QTest::newRow("too long, one job") << 1 << tooLong << qint64(-1) << 0;
        QTest::newRow("another error") << 1000 << gone << qint64(-1) << 0;
    }

    void next()
    {
        QFETCH(const int, limit);
        using Answer = Result<QList<JobSummary>>;
        QFETCH(const Answer, answer);
        QFETCH(const qint64, before);
        QFETCH(const int, nextLimit);
        const auto next = nextJobPage({u"is:starred"_s, 100, limit}, answer);
        QCOMPARE(next.has_value(), before >= 0);
        if (next) {
            QCOMPARE(next->filter, u"is:starred"_s);
            QCOMPARE(next->before, before);
            QCOMPARE(next->limit, nextLimit);
        }
    }
};
TRAINYARD_TEST(TstJobPages)

#include "tst_jobpages.moc"
