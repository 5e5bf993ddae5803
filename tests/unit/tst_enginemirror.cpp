// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/enginemirror.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// What a client knows of the engine's jobs and hosts.
class TstEngineMirror : public QObject
{
    Q_OBJECT

    static JobSummary job(qint64 id, State state)
    {
        JobSummary job;
        job.id = id;
        job.uuid = QString::number(id);
        job.state = state;
        return job;
    }
    static QList<qint64> numbers(const EngineMirror &mirror)
    {
        QList<qint64> all;
        for (const JobSummary &job : mirror.jobs()) {
            all.append(job.id);
        }
        return all;
    }

private Q_SLOTS:
    void snapshotReplacesAll()
    {
        EngineMirror mirror(500);
        mirror.put(job(1, State::Running));
        HostInfo host;
        host.id = QStringLiteral("lab1");
        mirror.put(host);
        QVERIFY(!mirror.take({{job(4, State::Running)}, {}, true})); // the next one has more of it
        QCOMPARE(numbers(mirror), QList<qint64>{1});
        QVERIFY(mirror.take({{job(3, State::Running)}, {}, false}));
        QCOMPARE(numbers(mirror), (QList<qint64>{4, 3}));
        QVERIFY(mirror.hosts().isEmpty());
        QVERIFY(!mirror.job(QStringLiteral("1")));
    }

    void partOfALostConnectionIsVoid()
    {
        EngineMirror mirror(500);
        QVERIFY(!mirror.take({{job(4, State::Running)}, {}, true}));
        mirror.dropPart();
        QVERIFY(mirror.take({{job(3, State::Running)}, {}, false}));
        QCOMPARE(numbers(mirror), QList<qint64>{3});
    }

    void changesAreTaken()
    {
        EngineMirror mirror(500);
        mirror.put(job(7, State::Waiting));
        mirror.put(job(7, State::Running));
        QCOMPARE(numbers(mirror), QList<qint64>{7});
        QVERIFY(mirror.job(QStringLiteral("7"))->state == State::Running);
        HostInfo host;
        host.id = QStringLiteral("lab1");
        mirror.put(host);
        host.cpus = 8;
        mirror.put(host);
        QCOMPARE(mirror.hosts().size(), 1);
        QCOMPARE(mirror.hosts().first().cpus, 8);
        mirror.dropHost(QStringLiteral("lab1"));
        mirror.dropJob(QStringLiteral("7"));
        QVERIFY(mirror.hosts().isEmpty());
        QVERIFY(mirror.jobs().isEmpty());
    }

    // Of the jobs that have ended, the oldest ones go; what is active stays, however old it is.
    void oldJobsGo()
    {
        EngineMirror mirror(10);
        mirror.put(job(1, State::Running));
        for (qint64 id = 2; id <= 500; ++id) {
            mirror.put(job(id, State::Succeeded));
        }
        const QList<qint64> known = numbers(mirror);
        QVERIFY2(known.size() < 200, qPrintable(QString::number(known.size())));
        QVERIFY(known.size() > 10);
        QCOMPARE(known.first(), 500);
        QCOMPARE(known.last(), 1);
        QVERIFY(!known.contains(2));
    }
};

TRAINYARD_TEST(TstEngineMirror)
#include "tst_enginemirror.moc"
