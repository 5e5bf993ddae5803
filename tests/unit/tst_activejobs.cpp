// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/activejob.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The jobs that are not final, and who of them waits for whom.
class TstActiveJobs : public QObject
{
    Q_OBJECT

    static QUuid uuidOf(int number) { return QUuid::createUuidV5(QUuid(), u"job%1"_s.arg(number)); }
    static ActiveJob &add(ActiveJobs &jobs, int number, const QList<int> &after = {})
    {
        auto job = std::make_unique<ActiveJob>();
        job->state.uuid = uuidOf(number);
        job->state.meta.id = number;
        for (const int other : after) {
            job->state.after.push_back({uuidOf(other), other, {}, false});
        }
        return jobs.add(std::move(job));
    }
    static QList<qint64> dependents(const ActiveJobs &jobs, int number)
    {
        QList<qint64> ids;
        for (const ActiveJob *job : jobs.dependentsOf(uuidOf(number))) {
            ids.append(job->state.meta.id);
        }
        std::sort(ids.begin(), ids.end());
        return ids;
    }

private Q_SLOTS:
    void dependentsAreFound()
    {
        ActiveJobs jobs;
        ActiveJob &first = add(jobs, 1);
        add(jobs, 2, {1, 7}); // the last one has ended long ago
        ActiveJob &third = add(jobs, 3, {1, 1, 2}); // once as a name, once as a number
        add(jobs, 4);
        QCOMPARE(dependents(jobs, 1), (QList<qint64>{2, 3}));
        QCOMPARE(dependents(jobs, 2), QList<qint64>{3});
        QCOMPARE(dependents(jobs, 7), QList<qint64>{2});
        QVERIFY(dependents(jobs, 3).isEmpty() && dependents(jobs, 4).isEmpty());
        // Who was told waits no more; who is over is not told.
        third.state.after.erase(third.state.after.begin(), third.state.after.begin() + 2);
        QCOMPARE(dependents(jobs, 1), QList<qint64>{2});
        third.state.phase = core::Finished{5};
        QCOMPARE(jobs.takeFinished().size(), std::size_t(1));
        QVERIFY(dependents(jobs, 2).isEmpty());
        // One that runs once more has told those that waited for it.
        first.state.phase = core::Finished{5};
        jobs.takeFinished();
        add(jobs, 1);
        QVERIFY(dependents(jobs, 1).isEmpty());
        QCOMPARE(jobs.size(), std::size_t(3));
    }
};

TRAINYARD_TEST(TstActiveJobs)
#include "tst_activejobs.moc"
