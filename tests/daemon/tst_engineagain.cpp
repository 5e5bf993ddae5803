// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is known of a job when it runs once more, as itself or as a new one.
class TstEngineAgain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void submissionIsWhole();
    void readingsGoWithTheirAttempt();
    void readingsOfAnAttemptThatIsOver();
    void whoseReadingsTheyAre();

private:
    static QJsonObject stored(const EngineFixture &f)
    {
        const Result<std::unique_ptr<Store>> store = Store::open(f.options().stateFolder + u"/store.db"_s);
        const std::optional<JobSummary> job = store ? (*store)->job(1) : std::nullopt;
        return job ? job->results : QJsonObject{{u"store"_s, false}};
    }
};

// What a notice offers to run again is the same job: a rehearsal, one of a sweep with its rule, one for any host.
void TstEngineAgain::submissionIsWhole()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray yaml = EngineFixture::document("part", EngineFixture::role("main", 1, {"true"}));
    SubmitRequest wanted;
    wanted.target = u"any"_s;
    wanted.group = u"sweep"_s;
    wanted.groupLimit = 2;
    wanted.stopWorse = u"-loss@10"_s;
    wanted.original = EngineFixture::document("whole", EngineFixture::role("main", 2, {"true"}));
    wanted.documentName = u"whole"_s;
    wanted.parameters = {{u"lr"_s, u"0.1"_s}};
    wanted.priority = 3;
    const QString uuid = f.submit(yaml, wanted);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const Result<SubmitRequest> again = f.engine().submissionOf(uuid);
    QVERIFY(again);
    QCOMPARE(again->yaml, yaml);
    QCOMPARE(again->target, wanted.target);
    QCOMPARE(again->group, wanted.group);
    QCOMPARE(again->groupLimit, wanted.groupLimit);
    QCOMPARE(again->stopWorse, wanted.stopWorse);
    QCOMPARE(again->original, wanted.original);
    QCOMPARE(again->documentName, wanted.documentName);
    QCOMPARE(again->parameters, wanted.parameters);
    QCOMPARE(again->priority, wanted.priority);
}

// An engine that dies before it has read the outputs of the new attempt must not leave those of the former one.
void TstEngineAgain::readingsGoWithTheirAttempt()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("again",
        EngineFixture::role("main", 1,
            {"echo run >> runs", "echo step 1 loss: 0.5",
                "[ $(wc -l < runs) = 1 ] || until [ -e go ]; do sleep 0.05; done"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY(f.waitFor(
        uuid, [](const JobSummary &job) { return !job.resultsPending && job.results.contains("loss"_L1); }, 30000));
    QTRY_VERIFY(stored(f).contains("loss"_L1));
    QCOMPARE(f.engine().retry({uuid, {}, false, {}}).value_or(false), true);
    QCOMPARE(stored(f), QJsonObject());
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY_WITH_TIMEOUT(stored(f).contains("loss"_L1), 30000);
}

// They come while it runs again already, and are not those of the new attempt.
void TstEngineAgain::readingsOfAnAttemptThatIsOver()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("again",
        EngineFixture::role("main", 1,
            {"echo run >> runs", "echo step 1 loss: 0.$(wc -l < runs)",
                "[ $(wc -l < runs) = 1 ] || until [ -e go ]; do sleep 0.05; done"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    const auto lossOf = [](const QJsonObject &results) { return results.value("loss"_L1)["last"_L1].toDouble(); };
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.engine().retry({uuid, {}, false, {}}).value_or(false), true);
    QVERIFY(f.waitFor(
        uuid, [&](const JobSummary &job) { return job.state == State::Running && lossOf(job.results) == 0.2; }, 30000));
    QCOMPARE(stored(f), QJsonObject());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_COMPARE_WITH_TIMEOUT(lossOf(stored(f)), 0.2, 30000);
}

// An engine that was killed right after the end of a job leaves its outputs to the next one, which names the tasks
// as the first one would have.
void TstEngineAgain::whoseReadingsTheyAre()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("roles",
        EngineFixture::role("main", 2, {"echo step 1 loss: 0.5"})
            + EngineFixture::role("eval", 1, {"echo step 1 accuracy: 0.7"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const auto taskOf
        = [](const JobSummary &job) { return job.results.value("accuracy"_L1).toObject().value("task"_L1).toString(); };
    QTRY_VERIFY_WITH_TIMEOUT(stored(f).contains("accuracy"_L1), 30000);
    QCOMPARE(taskOf(f.job(uuid)), u"eval/0"_s);
    f.close();
    {
        const Result<std::unique_ptr<Store>> store = Store::open(f.options().stateFolder + u"/store.db"_s);
        QVERIFY(store);
        (*store)->dropReadings(1);
        QVERIFY((*store)->commit(true));
    }
    QVERIFY(f.open());
    QTRY_VERIFY_WITH_TIMEOUT(stored(f).contains("accuracy"_L1), 30000);
    QCOMPARE(taskOf(f.job(uuid)), u"eval/0"_s);
}

TRAINYARD_TEST(TstEngineAgain)
#include "tst_engineagain.moc"
