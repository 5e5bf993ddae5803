// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/api/jobcauses.h"
#include "engine/api/jobfilter.h"
#include "engine/api/jsonmembers.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

const qint64 noon = QDateTime(QDate(2026, 10, 5), QTime(12, 0)).toMSecsSinceEpoch();

JobSummary trainingJob()
{
    JobSummary job;
    job.id = 41;
    job.uuid = u"0198f3a2-1111-7000-8000-000000000000"_s;
    job.name = u"ResNet_run"_s;
    job.user = u"ann"_s;
    job.state = State::Failed;
    job.submitted = noon - 3 * 3600'000;
    job.began = noon - 90 * 60'000;
    job.formerMs = 30 * 60'000; // of its first attempt
    job.completed = noon - 3600'000;
    job.exitCode = 137;
    job.totalGpu = 4;
    job.totalTasks = 8;
    job.counts.failed = 2;
    job.hosts = {u"lab1"_s, u"ws"_s};
    job.retries = 1;
    job.priority = -3;
    job.health = {{u"health.nan"_s, {}, noon - 4000'000, u"worker"_s, 0}};
    job.labels = {{u"baseline"_s, u"lr study"_s}, u"too slow"_s, true, false};
    job.group = u"sweep-7"_s;
    job.command = u"torchrun train.py --lr 0.001"_s;
    job.parameters = {{u"lr"_s, 0.001}, {u"batch"_s, u"128"_s}, {u"model"_s, u"resnet50"_s}, {u"amp"_s, true}};
    job.results = {{u"loss"_s, QJsonObject{{u"last"_s, 0.31}, {u"least"_s, 0.19}, {u"most"_s, 6.5}}},
        {u"late"_s, QJsonObject{{u"last"_s, 0.0078}, {u"least"_s, 0.0078}, {u"most"_s, 2}, {u"broken"_s, true}}},
        {u"val loss"_s, QJsonObject{{u"last"_s, 0.25}}}, {u"grad"_s, QJsonObject{{u"broken"_s, true}}},
        {u"batch"_s, QJsonObject{{u"last"_s, 7}}}};
    return job;
}

} // namespace

class TstJobFilter : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void matches_data();
    void matches();
    void namesInTwoCases();
    void errors_data();
    void comparisonForAnUnknownKey_data();
    void comparisonForAnUnknownKey();
    void lengthIsLimited();
    void errors();
    void archivedJobs();
    void quoting();
    void membersOfJson();
    void statusOfTheProgram();
    void pausedJobs();
    void causesOfFailures();
    void numbersOfJobs();
};

void TstJobFilter::matches_data()
{
    QTest::addColumn<bool>("wanted");
    const auto row = [](const char *text, bool wanted) { QTest::newRow(text) << wanted; };
    row("", true);
    row("resnet", true);
    row("FAILED", true); // the whole word of its state
    row("failed", true);
    row("fail", false);
    row("resnet run", true); // both words
    row("resnet bert", false);
    row("\"resnet run\"", false); // one text
    row("resnet and run", false); // words of its name
    row("resnet \"and\" lr>0", false);
    row("and lr>0", false); // the beginning of a name, before which a list may write a condition
    row("-is:archived and lr>0", false);
    row("-and -or lr>0", true);
    row("41", true);
    row("#41", true);
    row("4", false);
    row("40 41", true); // numbers mean these jobs
    row("40 42", false);
    row("41 resnet", true);
    row("40 41 bert", false);
    row("40 resnet 41", true);
    row("40,39 #41", true);
    row("\"40\" \"41\"", false); // texts
    row("38-46", true);
    row("#38-#46", true);
    row("38-40 41-41", true);
    row("42-46", false);
    row("46-38", false); // a text, such as the beginning of a date
    row("-38-46", false);
    row("-42-46", true);
    row("0198f3a2", true);
    row("0198f3", false); // too short for a UUID
    row("res*run", true);
    row("*net*", true);
    row("name:re*et", true);
    row("res*bert", false);
    row("bert,resnet", true);
    row("bert,41", true);
    row("bert,gpt", false);
    row("\"bert,resnet\"", false); // one text
    row("-bert", true);
    row("-resnet", false);
    row("state:failed", true);
    row("STATE:Failed", true);
    row("state:running,failed", true);
    row("state:running", false);
    row("-state:running", true);
    row("state:ended", true);
    row("state:active", false);
    row("state:paused", false);
    row("cause:sigkill", true); // the name of its code
    row("cause:ContainerSigKillReceived", true);
    row("cause:*Kill*", true);
    row("cause:oom", false);
    row("cause:oom,sigkill", true);
    row("-cause:oom", true);
    row("tag:baseline", true);
    row("tag:base", false);
    row("tag:base*", true);
    row("tag:*line", true);
    row("tag:b*l*e", true);
    row("tag:b*x*e", false);
    row("tag:\"lr study\"", true);
    row("tag:other,baseline", true);
    row("-tag:baseline", false);
    row("host:lab1", true);
    row("host:lab", false);
    row("name:net_", true);
    row("group:sweep-7", true);
    row("group:sweep*", true);
    row("note:slow", true);
    row("note:\"too slow\"", true);
    row("command:TRAIN.py", true);
    row("command:\"--lr 0.001\"", true);
    row("command:eval.py", false);
    row("command:*", true);
    row("train.py", false); // words are looked for in names
    row("user:ann", true);
    row("id:40,41", true);
    row("id:#41", true);
    row("id:4", false);
    row("id:38-46", true);
    row("id:#38-40,41", true);
    row("id:42-46", false);
    row("-id:38-46", false);
    row("is:starred", true);
    row("is:archived", false);
    row("-is:archived", true);
    row("is:tagged is:noted is:grouped is:retried", true);
    row("is:paused", false);
    row("is:due", false);
    row("is:unhealthy", true);
    row("-is:unhealthy", false);
    row("with:archived", true);
    row("-with:archived", true); // it is not archived
    row("id:0041", true);
    row("0041", false); // a text
    row("note:*", true);
    row("after:today", true);
    row("before:today", false);
    row("after:yesterday before:2026-10-06", true);
    row("after:2026-10-05T10:00", false);
    row("after:4h", true);
    row("after:2h", false);
    row("before:2h", true);
    row("time>30m", true);
    row("time>=1h", true);
    row("time>0", true); // the same in every unit
    row("time>1h", false);
    row("time=3600s", true);
    row("-time<1d", false);
    row("gpus>=4", true);
    row("tasks=8 failed=2 retries>0", true);
    row("priority<0", true);
    row("priority=-3", true);
    row("code=137", true);
    row("code!=137", false);
    row("id>40", true);
    row("lr>1e-4", true);
    row("lr > 1e-4", true);
    row("lr>1e-3", false);
    row("LR=0.001", true);
    row("lr==1e-3", true);
    row("lr!=0.002", true);
    row("missing!=1", false); // it is not there
    row("-missing=1", true);
    row("batch>100", true); // a number in quotes; the parameter comes before the result
    row("batch=128", true);
    row("batch=16,128", true); // a comma separates alternatives
    row("batch=16,32", false);
    row("batch!=16,32", true);
    row("batch!=16,128", false); // none of them
    row("missing!=1,2", false);
    row("-batch=16,128", false);
    row("model=bert,resnet*", true);
    row("model=\"bert,resnet50\"", false); // in quotes it is one value
    row("lr=banana,1e-3", true);
    row("grad=nan,1", true);
    row("loss=nan,1", false);
    row("code=0,137", true);
    row("code!=0,137", false);
    row("result:batch<10", true);
    row("model=resnet50", true);
    row("model=ResNet*", true);
    row("model!=bert", true);
    row("amp=true", true);
    row("loss<0.32", true);
    row("loss<0.3", false);
    row("min:loss<0.2", true);
    row("max:loss>6", true);
    row("result:loss>=0.31", true);
    row("param:loss<1", false);
    row("\"val loss\"<0.3", true);
    row("result:\"val loss\"<0.3", true);
    row("param:lr", true);
    row("result:lr", false);
    row("-result:lr", true);
    row("grad=nan", true);
    row("loss=nan", false);
    row("late=nan", true);
    row("late<0.2", false); // its latest value is not a number
    row("result:late<0.2", false);
    row("min:late<0.2", true);
    row("max:late=2", true);
    row("result:late", true);
    row("grad<5", false);
    row("result:grad", true);
    row("state:failed tag:baseline lr>1e-4 loss<0.4 after:2026-10-01 host:lab1", true);
}

void TstJobFilter::matches()
{
    QFETCH(bool, wanted);
    const Result<JobFilter> filter = JobFilter::parse(QString::fromUtf8(QTest::currentDataTag()), noon);
    QVERIFY2(filter, qPrintable(filter ? QString() : filter.error().code));
    const JobSummary job = trainingJob();
    QCOMPARE(filter->matches(job, noon), wanted);
    // As the store has it.
    const bool isOfValues = std::all_of(filter->terms().cbegin(), filter->terms().cend(),
        [](const FilterTerm &term) { return term.field == FilterTerm::Field::Value; });
    if (isOfValues) {
        const auto text = [](const QJsonObject &o) { return QJsonDocument(o).toJson(QJsonDocument::Compact); };
        QCOMPARE(filter->matchesValues(text(job.parameters), text(job.results)), wanted);
    }
}

// Case does not matter, unless the job has both.
void TstJobFilter::namesInTwoCases()
{
    JobSummary job = trainingJob();
    const auto text = [](const QJsonObject &o) { return QJsonDocument(o).toJson(QJsonDocument::Compact); };
    const auto holds = [&](const QString &words) {
        const Result<JobFilter> filter = JobFilter::parse(words, noon);
        const bool isFound = filter->matches(job, noon);
        return isFound == filter->matchesValues(text(job.parameters), text(job.results)) && isFound;
    };
    QVERIFY(holds(u"LOSS<0.4"_s) && holds(u"Loss<0.4"_s) && holds(u"LR=0.001"_s));
    job.results.insert(u"Loss"_s, QJsonObject{{u"last"_s, 0.2}});
    job.parameters.insert(u"Lr"_s, 0.5);
    QVERIFY(holds(u"loss=0.31"_s) && holds(u"Loss=0.2"_s) && !holds(u"LOSS<0.4"_s));
    QVERIFY(holds(u"lr=0.001"_s) && holds(u"Lr=0.5"_s) && !holds(u"LR<1"_s));
}

// Lists show what the program returned where that is no code of the protocol: both are found.
void TstJobFilter::statusOfTheProgram()
{
    JobSummary job = trainingJob();
    job.exitCode = 255;
    job.reason = u"exit.failed"_s;
    job.reasonArgs = {{u"status"_s, 7}};
    const auto matches = [&job](const QString &text) { return JobFilter::parse(text, noon)->matches(job, noon); };
    QVERIFY(matches(u"code=7"_s));
    QVERIFY(matches(u"code=255"_s));
    QVERIFY(matches(u"code=1,7"_s));
    QVERIFY(!matches(u"code!=7"_s));
    QVERIFY(!matches(u"code=8"_s));
    QVERIFY(matches(u"code!=8"_s));
    QVERIFY(!matches(u"-code=7"_s));
    // A code for what the output says has no reason beside it, and a code of the engine's own no status.
    job.exitCode = 228;
    job.rawExit = 2;
    job.reason = u"job.minFailed"_s;
    job.reasonArgs = {};
    QVERIFY(matches(u"code=2"_s) && matches(u"code=228"_s) && !matches(u"code=7"_s));
    job.exitCode = -1004;
    QVERIFY(!matches(u"code=2"_s));
}

// Lists show them as paused, and programs by the state that they go on in.
void TstJobFilter::pausedJobs()
{
    JobSummary job = trainingJob();
    const auto matches = [&job](const QString &text) { return JobFilter::parse(text, noon)->matches(job, noon); };
    job.state = State::Running;
    QVERIFY(!matches(u"state:paused"_s) && !matches(u"paused"_s));
    job.paused = true;
    for (const State state : {State::Running, State::Waiting}) {
        job.state = state;
        QVERIFY(matches(u"state:paused"_s) && matches(u"Paused"_s) && matches(u"state:failed,paused"_s));
        QVERIFY(matches(u"state:active"_s) && matches(u"is:paused"_s) && !matches(u"-state:paused"_s));
    }
    for (const State state : {State::Stopping, State::Stopped}) { // it goes on to its end
        job.state = state;
        QVERIFY(!matches(u"state:paused"_s) && !matches(u"paused"_s));
    }
}

void TstJobFilter::causesOfFailures()
{
    JobSummary job = trainingJob();
    const auto matches = [&job](const QString &text) { return JobFilter::parse(text, noon)->matches(job, noon); };
    job.exitCode = 255;
    job.reason = u"exit.failed"_s;
    FailureFacts facts;
    facts.cause = u"gpu-oom"_s;
    job.reasonArgs = {{QString(failureKey), facts.toJson()}};
    QCOMPARE(failureCauses(job), QStringList{u"gpu-oom"_s});
    QVERIFY(matches(u"cause:oom"_s) && matches(u"cause:GPU-OOM"_s) && matches(u"cause:\"gpu oom\""_s));
    QVERIFY(matches(u"cause:gpu*"_s) && matches(u"cause:host-oom,gpu_oom"_s));
    QVERIFY(!matches(u"cause:host-oom"_s) && !matches(u"cause:exit"_s) && !matches(u"-cause:oom"_s));
    facts.cause = u"uncaught-exception"_s;
    facts.args = {{u"type"_s, u"KeyError"_s}};
    job.reasonArgs = {{QString(failureKey), facts.toJson()}};
    QCOMPARE(failureCauses(job).value(0), u"KeyError"_s); // as lists show it
    QVERIFY(matches(u"cause:keyerror"_s) && matches(u"cause:uncaught-exception"_s));
    // The output does not tell, and the loss does.
    facts = {};
    facts.cause = u"unknown"_s;
    job.reasonArgs = {{QString(failureKey), facts.toJson()}, {u"role"_s, u"worker"_s}, {u"index"_s, 0}};
    QVERIFY(matches(u"cause:unknown"_s) && !matches(u"cause:diverged"_s));
    HealthMark mark;
    mark.code = u"health.not-finite"_s;
    mark.metric = u"loss"_s;
    mark.role = u"worker"_s;
    mark.at = *job.completed - 1000;
    job.health = {mark};
    QVERIFY(matches(u"cause:diverged"_s) && !matches(u"cause:unknown"_s));
    job.exitCode = -1004;
    job.reason = u"limit.time"_s;
    job.reasonArgs = {};
    QVERIFY(matches(u"cause:limit.time"_s) && matches(u"cause:deadline"_s));
    // The kernel said so, and the output nothing.
    job.exitCode = -1200;
    job.reason = u"exit.oom"_s;
    QCOMPARE(failureCauses(job).value(0), u"host-oom"_s);
    QVERIFY(matches(u"cause:host-oom"_s) && !matches(u"cause:gpu-oom"_s));
    job.reason = u"exit.gpu-lost"_s;
    QVERIFY(matches(u"cause:gpu-lost"_s) && !matches(u"cause:host-oom"_s));
    // A finding of the user's own table, and a reason that `why --json` has by this name.
    job.health.clear();
    job.exitCode = 255;
    job.reason = u"exit.found"_s;
    job.reasonArgs = {{u"finding"_s, u"licence"_s}};
    QCOMPARE(failureCauses(job), QStringList{u"licence"_s});
    QVERIFY(matches(u"cause:licence"_s) && !matches(u"cause:gpu-lost"_s));
    job.exitCode = -1004;
    job.reason = u"limit.time"_s;
    job.reasonArgs = {};
    QCOMPARE(failureCauses(job), (QStringList{u"limit.time"_s, u"PodDeadlineExceeded"_s}));
    job.state = State::Stopped; // it did not fail
    QVERIFY(failureCauses(job).isEmpty() && !matches(u"cause:limit.time"_s));
}

void TstJobFilter::numbersOfJobs()
{
    const auto read = [](const QString &word) {
        const std::optional<JobNumbers> numbers = jobNumbersIn(word);
        return numbers ? std::pair(numbers->first, numbers->last) : std::pair<qint64, qint64>(0, 0);
    };
    const std::pair<qint64, qint64> none(0, 0);
    QCOMPARE(read(u"41"_s), std::pair(41LL, 41LL));
    QCOMPARE(read(u"#41"_s), std::pair(41LL, 41LL));
    QCOMPARE(read(u"38-46"_s), std::pair(38LL, 46LL));
    for (const QString &other : {u"0"_s, u"007"_s, u"46-38"_s, u"2026-10"_s, u"38-"_s, u"-38"_s, u"3-4-5"_s, u"lr-3"_s,
             u"99999999999999999999"_s}) {
        QCOMPARE(read(other), none);
    }
    QCOMPARE(JobFilter::parse(u"173 lr 174 180-182"_s, noon)->terms().size(), 2);
    QVERIFY(JobFilter::parse(u"id:3-5"_s, noon)->saysArchived());
}

void TstJobFilter::errors_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("at");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("near");
    QTest::addColumn<bool>("unfinished");
    const auto row = [](const char *text, const char *code, int at, int length, const char *near = "",
                         bool unfinished = false) {
        QTest::newRow(text) << QString::fromLatin1(code) << at << length << QString::fromLatin1(near) << unfinished;
    };
    row("stat:failed", "filter.key", 0, 5, "state");
    row("a xyz:1 b", "filter.key", 2, 4);
    row("state:fialed x", "filter.state", 6, 6, "failed");
    row("state:fai", "filter.state", 6, 3, "", true);
    row("state:running,", "filter.value", 14, 0, "", true);
    row("tag:", "filter.value", 4, 0, "", true);
    row("tag: x", "filter.value", 4, 0);
    row("is:stared", "filter.is", 3, 6, "starred");
    row("with:all", "filter.with", 5, 3);
    row("id:x", "filter.number", 3, 1);
    row("id:46-38", "filter.number", 3, 5);
    row("cause:", "filter.value", 6, 0, "", true);
    row("lr>", "filter.value", 3, 0, "", true);
    row("lr > ", "filter.value", 5, 0, "", true);
    row("lr>fast", "filter.number", 3, 4);
    row("gpus=many", "filter.number", 5, 4);
    row("lr=1,", "filter.value", 5, 0, "", true);
    row("lr<1,2", "filter.number", 3, 3);
    row("gpus=1,many", "filter.number", 7, 4);
    row("time>soon", "filter.span", 5, 4);
    // Who types a number alone may mean days as well as minutes.
    row("time>15", "filter.unit", 5, 2, "", true);
    row("time>15 x", "filter.unit", 5, 2);
    row("before:5", "filter.unit", 7, 1, "", true);
    row("after:30 tag:x", "filter.unit", 6, 2);
    row("after:someday", "filter.time", 6, 7);
    row("before:tod", "filter.time", 7, 3, "", true);
    row(">5", "filter.compare", 0, 1);
    row("acc>0.9 and lr>0.3", "filter.and", 8, 3);
    row("resnet AND lr>0.3", "filter.and", 7, 3);
    row("state:failed or resnet", "filter.or", 13, 2);
    row("41 and 43", "filter.and", 3, 3);
    row("-is:archived acc>0.9 and lr>0.3", "filter.and", 21, 3); // as a list asks
    row("tag:\"half", "filter.quote", 4, 5, "", true);
    row("\"half", "filter.quote", 0, 5, "", true);
    row("param:>3", "filter.value", 6, 0);
}

// "lr:0.1" looks like the keys that there are.
void TstJobFilter::comparisonForAnUnknownKey_data()
{
    QTest::addColumn<QString>("comparison");
    QTest::newRow("lr:0.1") << u"lr=0.1"_s;
    QTest::newRow("a lr:0.1,0.2 b") << u"lr=0.1,0.2"_s;
    QTest::newRow("model:resnet*") << u"model=resnet*"_s;
    QTest::newRow("model:\"res net\"") << u"model=\"res net\""_s;
    QTest::newRow("code:7") << u"code=7"_s;
    QTest::newRow("stat:3") << u"stat=3"_s;
    QTest::newRow("stat:failed") << QString(); // a misspelt key
    QTest::newRow("http://host") << QString();
    QTest::newRow("lr:") << QString();
    QTest::newRow("lr: 0.1") << QString();
    QTest::newRow("model:\"res") << QString();
}

void TstJobFilter::comparisonForAnUnknownKey()
{
    const Result<JobFilter> filter = JobFilter::parse(QString::fromUtf8(QTest::currentDataTag()), noon);
    QVERIFY(!filter);
    QCOMPARE(filter.error().code, u"filter.key"_s);
    QTEST(filter.error().args.value("comparison"_L1).toString(), "comparison");
}

// What no database reads is not asked.
void TstJobFilter::lengthIsLimited()
{
    QVERIFY(JobFilter::parse(QString(2000, u'x'), noon));
    const Result<JobFilter> filter = JobFilter::parse(QString(2003, u'x'), noon);
    QVERIFY(!filter);
    QCOMPARE(filter.error().code, u"filter.too-long"_s);
    QCOMPARE(filter.error().args.value("length"_L1).toInt(), 3);
}

void TstJobFilter::errors()
{
    const QString text = QString::fromUtf8(QTest::currentDataTag());
    const Result<JobFilter> filter = JobFilter::parse(text, noon);
    QVERIFY(!filter);
    const QJsonObject args = filter.error().args;
    QTEST(filter.error().code, "code");
    QTEST(args.value("at"_L1).toInt(), "at");
    QTEST(args.value("length"_L1).toInt(), "length");
    QFETCH(QString, near);
    if (!near.isEmpty()) {
        QCOMPARE(args.value("near"_L1).toString(), near);
    }
    QTEST(args.value("unfinished"_L1).toBool(), "unfinished");
}

void TstJobFilter::archivedJobs()
{
    const auto says = [](const QString &text) { return JobFilter::parse(text, noon)->saysArchived(); };
    QVERIFY(!says({}));
    QVERIFY(!says(u"state:failed"_s));
    QVERIFY(says(u"is:archived"_s));
    QVERIFY(says(u"-is:archived x"_s));
    QVERIFY(says(u"with:archived"_s));
    QVERIFY(says(u"id:4"_s)); // who asks for one job gets it
    QCOMPARE(withoutArchived(u"lr>1"_s), u"-is:archived lr>1"_s);
    QCOMPARE(withoutArchived(u"is:archived lr>1"_s), u"is:archived lr>1"_s);
    QCOMPARE(withoutArchived(u"stat:failed"_s), u"stat:failed"_s); // whoever reads it says what is wrong
}

void TstJobFilter::quoting()
{
    for (const QString &name : {u"loss"_s, u"val loss"_s, u"a:b"_s, u"x>y"_s, u"-lr"_s, u"eval/acc"_s}) {
        const Result<JobFilter> filter = JobFilter::parse(u"result:"_s + filterQuoted(name) + u"<1"_s, noon);
        QVERIFY(filter);
        QCOMPARE(filter->terms().constFirst().name, name);
    }
    QCOMPARE(filterQuoted(u"loss"_s), u"loss"_s);
    QCOMPARE(filterQuoted(u"val loss"_s), u"\"val loss\""_s);
}

void TstJobFilter::membersOfJson()
{
    const auto members = [](const QByteArray &of) {
        QByteArrayList seen;
        eachJsonMember(of, [&seen](QByteArrayView name, QByteArrayView value) {
            seen.append(name.toByteArray() + '=' + value.toByteArray());
            return true;
        });
        return seen.join(' ');
    };
    QCOMPARE(members("{}"), QByteArray());
    // Outside of the macro, in which moc does not read such texts.
    const QByteArray text = R"({"a":1,"b\"c":"x,}\"y","d":{"e":[1,{"f":2}],"g":"}"},"h":null})";
    const QByteArray expected = R"(a=1 b\"c="x,}\"y" d={"e":[1,{"f":2}],"g":"}"} h=null)";
    QCOMPARE(members(text), expected);
    for (const QByteArray &broken : {QByteArray(), QByteArray("["), QByteArray("{\"a"), QByteArray("{\"a\""),
             QByteArray("{\"a\":"), QByteArray("{\"a\":\"x")}) {
        QCOMPARE(members(broken), QByteArray());
        QVERIFY(jsonMember(broken, "a").isEmpty());
    }
    const QByteArray nested = R"({"x":{"a":1},"t":"\"a\":9,\"b\":","a":2,"B":[{"a":3}],"c\"d":4})";
    QCOMPARE(jsonMember(nested, "a"), "2");
    QVERIFY(jsonMember(nested, "A").isEmpty());
    QCOMPARE(jsonMemberInAnyCase(nested, "A"), "2");
    QCOMPARE(jsonMemberInAnyCase(nested, "b"), R"([{"a":3}])");
    QCOMPARE(jsonMemberInAnyCase("{\"\xc3\x89t\xc3\xa9\":5}", "\xc3\xa9t\xc3\xa9"), "5");
    QCOMPARE(jsonMember(nested, R"(c\"d)"), "4");
    QVERIFY(jsonMember(nested, "d").isEmpty());
}

TRAINYARD_TEST(TstJobFilter)
#include "tst_jobfilter.moc"
