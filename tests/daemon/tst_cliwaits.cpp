// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/pendingfiles.h"
#include "engine/api/valuejson.h"
#include "engine/client/paths.h"
#include "tests/daemon/fakeengine.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;
using namespace trainyard;

// How often the command line asks the engine while it waits for something.
class TstCliWaits : public QObject
{
    Q_OBJECT

    static constexpr int jobsOfGroup = 30;

    static JobSummary endedJob(int number)
    {
        JobSummary job;
        job.id = number;
        job.uuid = u"01a219d5-5f7d-7a2c-a78e-8cde098740%1"_s.arg(number, 2, 10, QLatin1Char('0'));
        job.name = u"run%1"_s.arg(number);
        job.group = u"lr"_s;
        job.state = State::Succeeded;
        job.hosts = {u"far"_s};
        job.totalTasks = 1;
        return job;
    }

    // The engine of a group that has ended, and whose results arrive.
    struct Arrivals {
        QMap<QString, int> asked; // by method
        QMap<QString, JobSummary> left;
        qint64 arrived = 0;
        std::function<void()> whenAsked = [] {};

        Arrivals()
        {
            for (int i = 1; i <= jobsOfGroup; ++i) {
                const JobSummary job = endedJob(i);
                left.insert(job.uuid, job);
            }
        }
        std::optional<QJsonValue> answer(const QString &method, const QJsonObject &params)
        {
            ++asked[method];
            if (method == "jobs"_L1) {
                QJsonArray jobs;
                for (const JobSummary &job : std::as_const(left)) {
                    jobs.append(job.toJson());
                }
                return jobs;
            }
            if (method != "files.pending"_L1) {
                return std::nullopt;
            }
            arrived += 1000;
            QList<api::PendingFiles> pending;
            const QJsonArray ids = params.value("ids"_L1).toArray();
            for (const QJsonValue &id : ids) {
                if (left.contains(id.toString())) {
                    pending.append({id.toString(), 1, 0, u"worker"_s, 0, 0, 0, arrived, 1'000'000});
                }
            }
            whenAsked();
            return valuejson::toValue(pending);
        }
    };

private Q_SLOTS:
    // One question about the whole group, and not a question about each of its jobs.
    void resultsOfAGroup()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        Arrivals arrivals;
        engine.onQuestion
            = [&](const QString &method, const QJsonObject &params) { return arrivals.answer(method, params); };
        QElapsedTimer sinceFirst;
        arrivals.whenAsked = [&] {
            if (!sinceFirst.isValid()) {
                sinceFirst.start();
            }
        };
        const auto run = f.startCtl({u"wait"_s, u"group:lr"_s});
        QTRY_COMPARE_WITH_TIMEOUT(arrivals.asked.value(u"files.pending"_s), 3, 60000);
        QVERIFY2(sinceFirst.elapsed() >= 1500, qPrintable(QString::number(sinceFirst.elapsed())));
        QCOMPARE(arrivals.asked.value(u"job"_s), 0);
        QCOMPARE(run->state(), QProcess::Running);

        // An event says that those of a job are all there.
        constexpr int mostOfEvents = 10;
        QElapsedTimer sinceEvents;
        const int before = arrivals.asked.value(u"files.pending"_s);
        const auto tellNext = [&] {
            if (!arrivals.left.isEmpty()) {
                const JobSummary job = arrivals.left.take(arrivals.left.firstKey());
                engine.tell(u"job"_s, {{u"job"_s, job.toJson()}});
            }
        };
        arrivals.whenAsked = [&] { QMetaObject::invokeMethod(&engine, tellNext, Qt::QueuedConnection); };
        sinceEvents.start();
        tellNext();
        QTRY_VERIFY_WITH_TIMEOUT(arrivals.asked.value(u"files.pending"_s) >= before + mostOfEvents, 60000);
        QVERIFY2(sinceEvents.elapsed() < mostOfEvents * 700, qPrintable(QString::number(sinceEvents.elapsed())));
        QTRY_COMPARE_WITH_TIMEOUT(run->state(), QProcess::NotRunning, 60000);
        QCOMPARE(run->exitCode(), 0);
        QCOMPARE(arrivals.asked.value(u"job"_s), 0);
        QCOMPARE(arrivals.asked.value(u"find"_s), 0);
        QVERIFY(arrivals.left.isEmpty());
    }
};

TRAINYARD_TEST(TstCliWaits)
#include "tst_cliwaits.moc"
