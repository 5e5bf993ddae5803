// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/launchgate.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Tasks that start together, each of which may lack something on its host for a while.
class TstLaunchGate : public QObject
{
    Q_OBJECT

    // A job of which all tasks have been placed, and their tries.
    struct Gang {
        explicit Gang(int tasks, bool gang = true)
        {
            job.spec = parseJob("protocolVersion: 2\nname: j\ntype: job\nprerequisites:\n"
                                "  - {protocolVersion: 2, name: image, type: dockerimage, uri: ubuntu}\n"
                                "taskRoles:\n  worker: {instances: "
                + QByteArray::number(tasks)
                + ", dockerImage: image, commands: [a], resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}}\n"
                + (gang ? "" : "extras: {gangAllocation: false}\n"))
                           .spec.value_or(JobSpec());
            job.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*job.spec), 0);
            job.state.roleStart = {0, tasks};
            job.state.tasks.resize(std::size_t(tasks));
            for (int i = 0; i < tasks; ++i) {
                job.state.task({0, i}).state = core::Launching{};
                LiveTry entry;
                entry.job = &job;
                entry.task = {0, i};
                live.emplace(of(i), entry);
            }
        }
        QUuid of(int index) const { return core::tryUuid(job.state, {0, index}); }
        bool pass(int index) { return gate.pass(of(index), live.at(of(index))); }
        QSet<QUuid> all(int first, int last) const
        {
            QSet<QUuid> tries;
            for (int i = first; i <= last; ++i) {
                tries.insert(of(i));
            }
            return tries;
        }

        ActiveJob job;
        LiveTries live;
        LaunchGate gate{live};
    };

private Q_SLOTS:
    void theLastOneLetsAllThrough()
    {
        Gang gang(4);
        for (const int index : {0, 2, 1}) {
            QVERIFY(!gang.pass(index));
        }
        QVERIFY(gang.gate.awaitedBy(gang.of(0)) == (core::TaskRef{0, 3}));
        QVERIFY(!gang.gate.awaitedBy(gang.of(3)));
        QVERIFY(gang.pass(3));
        QCOMPARE(gang.gate.takeHeld(gang.job.state.uuid), gang.all(0, 2));
        QVERIFY(gang.gate.isEmpty());
        for (const int index : {0, 1, 2}) {
            LaunchGate::close(gang.live.at(gang.of(index))); // as each is asked for again
            QVERIFY(gang.pass(index));
        }
    }

    void oneLacksSomethingAgain()
    {
        Gang gang(3);
        QVERIFY(!gang.pass(0));
        LaunchGate::close(gang.live.at(gang.of(0))); // its host went away
        QVERIFY(!gang.pass(1));
        QVERIFY(!gang.pass(2));
        QVERIFY(gang.gate.awaitedBy(gang.of(2)) == (core::TaskRef{0, 0}));
        QVERIFY(gang.pass(0));
        QVERIFY(gang.gate.takeHeld(gang.job.state.uuid).contains(gang.of(2)));
    }

    // One that was let through may lack something again: it is held for no other, and others are held for it.
    void oneThatWasLetThroughLacksSomething()
    {
        Gang gang(3);
        QVERIFY(!gang.pass(0));
        QVERIFY(!gang.pass(1));
        QVERIFY(gang.pass(2));
        QCOMPARE(gang.gate.takeHeld(gang.job.state.uuid), gang.all(0, 1));
        LaunchGate::close(gang.live.at(gang.of(0))); // its host went away
        QVERIFY(gang.pass(1)); // asked for again
        QVERIFY(!gang.pass(2)); // its host has refused it, and it is asked for again
        QVERIFY(gang.gate.awaitedBy(gang.of(2)) == (core::TaskRef{0, 0}));
        QVERIFY(gang.pass(0));
        QCOMPARE(gang.gate.takeHeld(gang.job.state.uuid), gang.all(2, 2));
    }

    // With a completion policy that goes on without it, the others must not wait for a task that has ended.
    void theAwaitedOneEnds()
    {
        Gang gang(3);
        QVERIFY(!gang.pass(0));
        QVERIFY(!gang.pass(1));
        QVERIFY(gang.gate.takeHeld().isEmpty());
        gang.job.state.task({0, 2}).state = core::Ended{};
        gang.live.erase(gang.of(2));
        QVERIFY(!gang.gate.awaitedBy(gang.of(0)));
        QCOMPARE(gang.gate.takeHeld(), gang.all(0, 1));
    }

    void stoppedOnesAreForgotten()
    {
        Gang gang(3);
        QVERIFY(!gang.pass(0));
        gang.live.clear();
        QVERIFY(gang.gate.takeHeld().isEmpty());
        QVERIFY(gang.gate.isEmpty());
    }

    // One that its host may have been asked for may run already: it holds no other, and is not held itself.
    void oneThatMayRun()
    {
        Gang gang(2);
        gang.live.at(gang.of(1)).mayBeThere = true;
        QVERIFY(gang.pass(1));
        QVERIFY(gang.pass(0));
    }

    void aRetryOfOneTask()
    {
        Gang gang(3);
        for (const int index : {0, 2}) {
            gang.job.state.task({0, index}).state = core::Running{};
        }
        QVERIFY(gang.pass(1));
    }

    void withoutAGang()
    {
        Gang each(3, false);
        QVERIFY(each.pass(1));
        QVERIFY(each.gate.isEmpty());
    }
};

TRAINYARD_TEST(TstLaunchGate)
#include "tst_launchgate.moc"
