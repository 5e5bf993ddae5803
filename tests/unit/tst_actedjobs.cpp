// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/actedjobs.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using cli::ActedJobs;

// What a command has done with each of its jobs.
class TstActedJobs : public QObject
{
    Q_OBJECT

    static JobSummary job(int number)
    {
        JobSummary job;
        job.id = number;
        job.uuid = u"uuid-%1"_s.arg(number);
        job.name = u"run%1"_s.arg(number);
        return job;
    }

private Q_SLOTS:
    void inTheOrderInWhichTheyWereHandled()
    {
        ActedJobs acted(true);
        acted.done(job(3), true);
        acted.failed(job(1), {u"job.active"_s, {}});
        acted.done(job(2), false, {{u"kept"_s, u"starred"_s}});
        acted.done(job(3), false); // handled once more
        acted.add(job(2), {{u"ended"_s, 2}});
        acted.add(job(3), {{u"ended"_s, 3}});
        acted.add(job(3), {{u"ended"_s, 4}, {u"more"_s, true}});
        acted.add(job(9), {{u"ended"_s, 9}});
        QCOMPARE(acted.size(), 4);
        const QJsonArray all = acted.all();
        const auto number = [&all](int place) { return all.at(place)[u"job"].toInt(); };
        QCOMPARE((QList<int>{number(0), number(1), number(2), number(3)}), (QList<int>{3, 1, 2, 3}));
        QCOMPARE(all.at(0)[u"changed"].toBool(), true);
        QCOMPARE(all.at(0)[u"ended"].toInt(), 4);
        QCOMPARE(all.at(0)[u"more"].toBool(), true);
        QCOMPARE(all.at(1)[u"ok"].toBool(true), false);
        QCOMPARE(all.at(1)[u"error"][u"code"].toString(), u"job.active"_s);
        QVERIFY(all.at(1)[u"ended"].isUndefined());
        QCOMPARE(all.at(2)[u"kept"].toString(), u"starred"_s);
        QCOMPARE(all.at(2)[u"ended"].toInt(), 2);
        QCOMPARE(all.at(3)[u"changed"].toBool(true), false);
        QCOMPARE(all.at(3)[u"ended"].toInt(), 4);
    }

    // The time does not grow with the square of their number.
    void ofManyJobs()
    {
        constexpr int count = 20'000;
        ActedJobs acted(true);
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < count; ++i) {
            acted.done(job(i), true);
        }
        for (int i = count - 1; i >= 0; --i) {
            acted.add(job(i), {{u"ended"_s, i}});
        }
        QVERIFY2(timer.elapsed() < 30'000, qPrintable(QString::number(timer.elapsed())));
        const QJsonArray all = acted.all();
        QCOMPARE(all.size(), count);
        for (int i = 0; i < count; ++i) {
            QCOMPARE(all.at(i)[u"job"].toInt(), i);
            QCOMPARE(all.at(i)[u"ended"].toInt(-1), i);
        }
    }
};

TRAINYARD_TEST(TstActedJobs)
#include "tst_actedjobs.moc"
