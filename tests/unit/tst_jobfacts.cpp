// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfacts.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What clients conclude from the values of a job.
class TstJobFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsAreDated()
    {
        JobSummary job;
        const QList<WaitNote> waits{{1000, u"wait.slurm-taken"_s, {}}, {2000, u"wait.slurm-partition-config"_s, {}}};
        QVERIFY(!waitsSince(job, waits)); // it says nothing
        job.reason = u"wait.slurm-partition-config"_s;
        QVERIFY(!waitsSince(job, {}));
        QCOMPARE(waitsSince(job, waits).value_or(0), 2000);
        job.reason = u"wait.slurm-taken"_s; // again, which is not noted yet
        QVERIFY(!waitsSince(job, waits));
    }
};

TRAINYARD_TEST(TstJobFacts)
#include "tst_jobfacts.moc"
