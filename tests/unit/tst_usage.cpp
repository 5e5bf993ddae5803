// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/usage.h"
#include "engine/api/valuejson.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Who used what: from the stretches of time in which tasks ran to sums and to the rows of a timeline.
class TstUsage : public QObject
{
    Q_OBJECT

    static UsageSpan span(qint64 job, const QString &user, const QString &host, const QList<int> &gpus, qint64 from,
        std::optional<qint64> to)
    {
        UsageSpan span;
        span.job = job;
        span.name = u"job%1"_s.arg(job);
        span.user = user;
        span.host = host;
        span.gpus = gpus;
        span.from = from;
        span.to = to;
        return span;
    }
    static QStringList shown(const QList<UsageLane> &lanes)
    {
        QStringList all;
        for (const UsageLane &lane : lanes) {
            QStringList places;
            for (const qsizetype place : lane.spans) {
                places.append(QString::number(place));
            }
            all.append(
                u"%1 %2 [%3] %4"_s.arg(lane.host, lane.gpu >= 0 ? u"gpu%1"_s.arg(lane.gpu) : u"slot%1"_s.arg(lane.slot),
                    places.join(u','), QString::number(lane.busyMs)));
        }
        return all;
    }

private Q_SLOTS:
    void within()
    {
        const UsageSpan closed = span(1, {}, {}, {}, 100, 200), open = span(1, {}, {}, {}, 100, {});
        QCOMPARE(msWithin(closed, 0, 1000), 100);
        QCOMPARE(msWithin(closed, 150, 1000), 50);
        QCOMPARE(msWithin(closed, 0, 150), 50);
        QCOMPARE(msWithin(closed, 300, 1000), 0);
        QCOMPARE(msWithin(open, 0, 1000), 900);
    }

    void totals()
    {
        const QList<UsageSpan> spans{span(1, u"ada"_s, u"a"_s, {0, 1}, 0, 100),
            span(2, u"bob"_s, u"a"_s, {0}, 100, 400), span(2, u"bob"_s, u"b"_s, {}, 0, {}),
            span(3, u"eve"_s, u"b"_s, {}, 900, 950)};
        const QList<UsageTotal> byUser = usageTotals(spans, UsageBy::User, 50, 800);
        QCOMPARE(byUser.size(), 2); // eve came later
        QCOMPARE(byUser.at(0).key, u"bob"_s);
        QCOMPARE(byUser.at(0).jobs, 1);
        QCOMPARE(byUser.at(0).gpuMs, 300);
        QCOMPARE(byUser.at(0).taskMs, 300 + 750);
        QCOMPARE(byUser.at(1).gpuMs, 2 * 50);
        QCOMPARE(usageTotals(spans, UsageBy::Host, 0, 1000).size(), 2);
        QCOMPARE(usageTotals(spans, UsageBy::Name, 0, 1000).size(), 3);
    }

    // It says how many a task has, and not which ones.
    void gpusOfAClusterCount()
    {
        UsageSpan onSlurm = span(1, u"ada"_s, u"slurm:lab"_s, {}, 0, 100);
        onSlurm.gpuCount = 2;
        QCOMPARE(usageTotals({onSlurm}, UsageBy::User, 0, 1000).at(0).gpuMs, 200);
        QCOMPARE(valuejson::valueFrom<UsageSpan>(valuejson::objectOf(onSlurm)), onSlurm);
    }

    void lanes()
    {
        const QList<UsageSpan> spans{
            span(1, {}, u"b"_s, {}, 0, 100), // the first slot
            span(2, {}, u"b"_s, {}, 50, 150), // beside it
            span(3, {}, u"b"_s, {}, 100, 200), // in its place
            span(4, {}, u"a"_s, {1, 0}, 10, 20), span(5, {}, u"a"_s, {0}, 15, 40), // shared
            span(6, {}, u"a"_s, {}, 0, 100), // a host with GPUs is shown by them
            span(7, {}, u"a"_s, {0}, 2000, 3000), // not in this time
        };
        QCOMPARE(shown(usageLanes(spans, 0, 1000)),
            (QStringList{u"a gpu0 [3,4] 30"_s, u"a gpu1 [3] 10"_s, u"b slot0 [0,2] 200"_s, u"b slot1 [1] 100"_s}));
        QVERIFY(usageLanes({}, 0, 1000).isEmpty());
    }

    void travels()
    {
        const UsageReply reply{{span(1, u"ada"_s, u"a"_s, {0, 1}, 5, 9), span(2, {}, {}, {}, 7, {})}, true};
        const UsageReply back = valuejson::valueFrom<UsageReply>(valuejson::objectOf(reply));
        QCOMPARE(back.spans, reply.spans);
        QVERIFY(back.isCut);
    }
};

TRAINYARD_TEST(TstUsage)
#include "tst_usage.moc"
