// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/activejob.h"
#include "engine/backend/clock.h"
#include "engine/daemon/jobtimers.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// What jobs wait for by the clock.
class TstJobTimers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // An attempt that is over, or one that was paused, has a limit that nobody waits for; it may be months away.
    void onlyTheNewestLimit()
    {
        ActiveJobs jobs;
        ActiveJob &first = added(jobs);
        ActiveJob &over = added(jobs);
        ActiveJob &last = added(jobs);
        JobTimers timers(jobs);
        QList<std::pair<ActiveJob *, int>> told;
        connect(&timers, &JobTimers::due, this, [&told](ActiveJob *job, const core::Event &event) {
            const auto *limit = std::get_if<core::event::LimitDue>(&event.what);
            told.append({job, limit ? limit->attempt : -1});
        });
        const qint64 now = nowMs();
        timers.start(first, core::effect::StartLimit{now, 0});
        timers.start(first, core::effect::StartLimit{now + 20, 1});
        timers.start(over, core::effect::StartLimit{now, 0});
        timers.forget(over);
        timers.forget(over); // it has none
        timers.start(last, core::effect::StartLimit{now + 40, 0});
        timers.start(last, core::effect::StartTimer{now, 0, core::TaskRef{0, 0}}); // is no limit
        QTRY_COMPARE(told.size(), 3); // the other two would have come first
        QVERIFY(told.contains(std::pair(&first, 1)));
        QVERIFY(told.contains(std::pair(&last, 0)));
        QVERIFY(told.contains(std::pair(&last, -1)));
        // Once it was told, the next one is its own.
        timers.start(first, core::effect::StartLimit{nowMs(), 2});
        QTRY_COMPARE(told.size(), 4);
        QCOMPARE(told.last().second, 2);
    }

private:
    static ActiveJob &added(ActiveJobs &jobs)
    {
        auto job = std::make_unique<ActiveJob>();
        job->state.uuid = QUuid::createUuid();
        job->state.policy.timeLimitMs = 60'000;
        job->state.policy.guards.maxPauseMs = 60'000;
        return jobs.add(std::move(job));
    }
};

TRAINYARD_TEST(TstJobTimers)
#include "tst_jobtimers.moc"
