// SPDX-License-Identifier: GPL-3.0-or-later
// What those who watch a job are told of its tasks (engine/daemon/publisher.h).
#include "tests/backends/faketarget.h"
#include "tests/backends/house.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <tuple>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// What somebody knows of a job's tasks who hears every message and asks for nothing.
struct Heard {
    std::map<std::tuple<int, QString, int>, TaskInfo> tasks; // by attempt, role and index: the newest of each

    void take(const QList<TaskInfo> &told)
    {
        for (const TaskInfo &task : told) {
            tasks[{task.attempt, task.role, task.index}] = task;
        }
    }
    int count(int attempt, State state) const
    {
        return int(std::count_if(tasks.begin(), tasks.end(),
            [&](const auto &each) { return each.second.attempt == attempt && each.second.state == state; }));
    }
};

QByteArray retriedJob()
{
    return EngineFixture::document("again",
        EngineFixture::role("worker", 3, {"true"}) + EngineFixture::role("eval", 1, {"true"}), "jobRetryCount: 1\n");
}

} // namespace

class TstPublisher : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void endsBeforeTheNextAttemptAreTold();
    void oldReasonsAreForgotten();
};

// While nobody watches, no reason is worked out; the one of before does not hide that the job asks something now, which
// a notice is to tell.
void TstPublisher::oldReasonsAreForgotten()
{
    FakeTarget target(FakeTarget::Plain);
    target.isFull = true;
    target.waitReason = u"wait.full"_s;
    House house(target);
    QVERIFY(house.open());
    QString told;
    QObject::connect(&house.publisher(), &Publisher::jobChanged, &house.publisher(),
        [&](const JobSummary &job) { told = job.reason; });
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "wait.full"_L1; }));
    house.publisher().setWatched(false);
    target.setAnswering(false);
    target.reason = u"code.asks"_s;
    target.isFull = false;
    house.tick().want();
    QTRY_COMPARE(told, u"code.asks"_s);
    target.setAnswering(true);
}

// The ends come right after something was told, and the next attempt begins before more may be told.
void TstPublisher::endsBeforeTheNextAttemptAreTold()
{
    FakeTarget target(FakeTarget::Plain);
    House house(target);
    QVERIFY(house.open());
    Heard heard;
    bool isEnded = false;
    const auto watch = [&](const QString &, const QList<TaskInfo> &tasks) {
        heard.take(tasks);
        if (!isEnded && heard.count(0, State::Running) == 4) {
            isEnded = true;
            target.endAll(7);
        }
    };
    QObject::connect(&house.publisher(), &Publisher::tasksChanged, &house.publisher(), watch);
    const QString uuid = house.submit(retriedJob());
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.retries == 1 && job.state == State::Running; }));
    QTRY_COMPARE(heard.count(1, State::Running), 4);
    QCOMPARE(heard.count(0, State::Running), 0);
    for (const auto &[which, task] : heard.tasks) {
        QVERIFY(task.attempt == 1 || (isFinal(task.state) && task.completed));
    }
    QCOMPARE(heard.tasks.size(), std::size_t(4 + 4));
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

TRAINYARD_TEST(TstPublisher)
#include "tst_publisher.moc"
