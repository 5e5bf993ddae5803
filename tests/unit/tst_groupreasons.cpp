// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/groupreasons.h"
#include "engine/api/reasons.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using cli::GroupReasons;

// What jobs that are waited for together say of hosts and copies: once for all, and not when it passes.
class TstGroupReasons : public QObject
{
    Q_OBJECT

    static JobSummary job(qint64 id, const QString &reason, const QJsonObject &args = {}, State state = State::Waiting)
    {
        JobSummary job;
        job.id = id;
        job.uuid = u"uuid-"_s + QString::number(id);
        job.state = state;
        job.reason = reason;
        job.reasonArgs = args;
        return job;
    }
    static JobSummary copying(qint64 id, qint64 bytes, const QString &host = u"far"_s)
    {
        return job(id, u"data.copying"_s,
            {{u"name"_s, u"set"_s}, {u"host"_s, host}, {u"bytes"_s, bytes}, {u"ofBytes"_s, 100}});
    }
    static JobSummary away(qint64 id)
    {
        const Error why = errorOf(reason::WaitHost{.host = u"far"_s, .hosts = {u"far"_s}});
        return job(id, why.code, why.args);
    }
    // "4+2": the first job, and how many others.
    static QStringList told(GroupReasons &reasons, const QList<JobSummary> &jobs, qint64 now)
    {
        QStringList all;
        for (const GroupReasons::Told &each : reasons.toTell(jobs, now)) {
            all.append(u"%1+%2"_s.arg(each.job.id).arg(each.others));
        }
        return all;
    }

private Q_SLOTS:
    void oneCopyForAll()
    {
        GroupReasons reasons;
        QCOMPARE(told(reasons, {copying(4, 0), copying(5, 0), copying(6, 0, u"other"_s)}, 1000), QStringList());
        QVERIFY(reasons.hasPending());
        // How far it is makes no other reason of it.
        QCOMPARE(told(reasons, {copying(4, 20), copying(5, 20), copying(6, 1, u"other"_s)}, 2000),
            (QStringList{u"4+1"_s, u"6+0"_s}));
        QVERIFY(!reasons.hasPending());
        QCOMPARE(told(reasons, {copying(4, 30), copying(5, 30)}, 9000), QStringList());
        // The next job of the sweep copies the same folder.
        QCOMPARE(told(reasons, {}, 10000), QStringList());
        QCOMPARE(told(reasons, {copying(7, 0)}, 20000), QStringList());
        QCOMPARE(told(reasons, {copying(7, 9)}, 30000), QStringList());
        QVERIFY(!reasons.hasPending());
    }

    void aHostThatGoesAgain()
    {
        GroupReasons reasons;
        QCOMPARE(told(reasons, {away(1), away(2)}, 0), QStringList());
        QCOMPARE(told(reasons, {away(1), away(2)}, 1000), QStringList(u"1+1"_s));
        QCOMPARE(told(reasons, {job(1, {}, {}, State::Running), away(2)}, 5000), QStringList());
        QCOMPARE(told(reasons, {job(1, {}, {}, State::Running)}, 6000), QStringList()); // it is back
        QCOMPARE(told(reasons, {away(2)}, 7000), QStringList());
        QCOMPARE(told(reasons, {away(2)}, 8000), QStringList(u"2+0"_s));
        const QJsonObject far{{u"host"_s, u"far"_s}, {u"since"_s, 5}};
        QCOMPARE(told(reasons, {job(1, u"job.host-out-of-reach"_s, far, State::Running)}, 9000), QStringList());
        QCOMPARE(
            told(reasons, {job(1, u"job.host-out-of-reach"_s, far, State::Running)}, 10000), QStringList(u"1+0"_s));
    }

    void whatIsNotTold()
    {
        GroupReasons reasons;
        JobSummary paused = away(3);
        paused.paused = true;
        const Error labels = errorOf(reason::WaitHosts{.role = u"w"_s, .what = u"labels"_s});
        const QList<JobSummary> jobs{job(1, u"wait.queue"_s, {{u"ahead"_s, 1}}), job(2, u"wait.gpu"_s), paused,
            job(4, labels.code, labels.args), job(5, u"job.host-out-of-reach"_s, {}, State::Failed)};
        QCOMPARE(told(reasons, jobs, 0), QStringList());
        QCOMPARE(told(reasons, jobs, 5000), QStringList());
        QVERIFY(!reasons.hasPending());
        QCOMPARE(told(reasons, {copying(6, 0)}, 6000), QStringList()); // passes at once
        QCOMPARE(told(reasons, {}, 6500), QStringList());
        QCOMPARE(told(reasons, {copying(6, 0)}, 7100), QStringList());
    }

    void hostsOfRules()
    {
        GroupReasons reasons;
        reason::WaitHosts wait{.role = u"w"_s, .what = u"away"_s, .away = {u"far"_s}};
        const Error one = errorOf(wait);
        wait.tasks = 7; // changes
        const Error other = errorOf(wait);
        QCOMPARE(told(reasons, {job(1, one.code, one.args)}, 0), QStringList());
        QCOMPARE(told(reasons, {job(1, other.code, other.args)}, 1000), QStringList(u"1+0"_s));
    }
};

TRAINYARD_TEST(TstGroupReasons)
#include "tst_groupreasons.moc"
