// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/exitrules.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/failuretexts.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"
#include "widgets/text/whybrief.h"
#include "widgets/text/whytexts.h"

#include <QLocale>
#include <QScopeGuard>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Why a job failed, in a sentence and in few words.
class TstFailureWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void exitCodes();
    void ownExitCodes();
    void failedJobs();
    void failuresWithoutAReason();
    void briefReasons();
    void workFolders();
};

void TstFailureWords::initTestCase() { QLocale::setDefault(QLocale::c()); }

void TstFailureWords::exitCodes()
{
    QCOMPARE(shownExit(255, {}, u"exit.command"_s, {{u"status"_s, 7}}), 7);
    QCOMPARE(shownExit(255, {}, u"job.minFailed"_s, {{u"status"_s, 7}}), 255);
    QCOMPARE(shownExit(137, {}, u"exit.command"_s, {{u"status"_s, 9}}), 137);
    JobSummary refused;
    refused.exitCode = 228;
    refused.reason = u"job.minFailed"_s;
    QCOMPARE(shownExit(refused), 228);
    refused.rawExit = 2;
    QCOMPARE(shownExit(refused), 2);
    refused.exitCode = -1004;
    QCOMPARE(shownExit(refused), -1004);
    for (const int code :
        {0, -100, -210, -1001, -1200, 137, 139, 143, 220, 226, 253, 254, 255, -2001, -2010, -2020, 77, -7777}) {
        const ExitText text = exitText(code);
        QVERIFY2(!text.phrase.isEmpty() && text.reason.endsWith(u'.'), qPrintable(QString::number(code)));
        QVERIFY(exitCodeText(code).contains(QString::number(code)));
    }
    QVERIFY(exitText(0).retry.isEmpty());
    QVERIFY(exitText(-1200).advice.contains(u"memoryMB"_s));
    QVERIFY(exitText(137).retry != exitText(-1200).retry);
}

// A user's own table of exit rules has its own words.
void TstFailureWords::ownExitCodes()
{
    const Result<ExitRules> rules = ExitRules::bundled().withOwn(R"({"entries": [
        {"code": 241, "phrase": "LicenceBusy", "behavior": "TRANSIENT_NORMAL", "reason": "No licence was free.",
         "repair": "Ask Ada."},
        {"code": 220, "reason": "The module was not loaded.", "behavior": "UNKNOWN"}]})");
    QVERIFY(rules);
    const QScopeGuard back([] { setExitRules(ExitRules::bundled()); });
    QCOMPARE(exitPhrase(241), QString());
    const QString retryOf137 = exitText(137).retry;
    const QString retryOf255 = exitText(255).retry;
    setExitRules(*rules);
    const ExitText own = exitText(241);
    QCOMPARE(own.phrase, u"LicenceBusy"_s);
    QCOMPARE(own.reason, u"No licence was free."_s);
    QCOMPARE(own.advice, u"Ask Ada."_s);
    QCOMPARE(own.retry, retryOf137);
    QCOMPARE(exitPhrase(241), u"LicenceBusy"_s);
    QCOMPARE(exitText(220).phrase, u"Command not found"_s); // where nothing else was said
    QCOMPARE(exitText(220).reason, u"The module was not loaded."_s);
    QCOMPARE(exitText(220).retry, retryOf255);
    QCOMPARE(exitText(-1200).phrase, u"Out of memory"_s);
}

// What ended a job is said in words, not as the counters that tipped.
void TstFailureWords::failedJobs()
{
    QJsonObject args{{u"role"_s, u"worker"_s}, {u"index"_s, 2}, {u"count"_s, 1}, {u"limit"_s, 1}, {u"code"_s, 220}};
    QCOMPARE(reasonText(u"job.minFailed"_s, args), u"worker/2 failed: Command not found (code 220)."_s);
    args.insert(u"code"_s, 255);
    QCOMPARE(reasonText(u"job.minFailed"_s, args), u"worker/2 failed: code 255."_s);
    args.insert(u"count"_s, 3);
    args.insert(u"limit"_s, 3);
    args.insert(u"code"_s, -1200);
    QCOMPARE(reasonText(u"job.minFailed"_s, args),
        u"3 tasks of worker failed, which ends the job. The last was worker/2: Out of memory (code -1200)."_s);
    QCOMPARE(reasonText(u"job.completedTasks"_s, args),
        u"3 tasks have ended, which ends the job. The last was worker/2: Out of memory (code -1200)."_s);
}

// A status that alone decides, such as that of a signal, has no reason of its own: what the output shows is told.
void TstFailureWords::failuresWithoutAReason()
{
    FailureFacts facts;
    facts.cause = u"bad-arguments"_s;
    facts.certainty = u"certain"_s;
    facts.args = {{u"said"_s, u"train.py: error: unrecognized arguments: --epochs 10"_s}};
    const QString told = failureWords(facts).whole();
    QVERIFY2(told.contains(u"--epochs 10"_s), qPrintable(told));
    QJsonObject args{{u"role"_s, u"train"_s}, {u"index"_s, 0}, {u"count"_s, 1}, {u"limit"_s, 1}, {u"code"_s, 228},
        {failureKey, facts.toJson()}};
    QCOMPARE(reasonText(QString(), args), told); // of the task
    QCOMPARE(reasonText(u"job.minFailed"_s, args), told);
    // The page has its code beside it, and no general words that say less.
    JobSummary job;
    job.state = State::Failed;
    job.exitCode = 228;
    job.reason = u"job.minFailed"_s;
    job.reasonArgs = args;
    AttemptInfo attempt;
    attempt.triggerRole = u"train"_s;
    attempt.triggerIndex = 0;
    attempt.exitCode = 228;
    attempt.triggerRawExit = 2;
    const FailureText page = failureText(job, &attempt, &attempt, {});
    QVERIFY2(page.explanation.contains(told), qPrintable(page.explanation));
    QVERIFY2(!page.explanation.contains(exitText(228).reason), qPrintable(page.explanation));
    // What happened, where, and what to do are not lost in one paragraph.
    facts.file = u"train.py"_s;
    facts.fileLine = 7;
    job.reasonArgs.insert(failureKey, facts.toJson());
    const FailureText lines = failureText(job, &attempt, &attempt, {});
    QVERIFY2(lines.explanation.split(u'\n').contains(u"Where: train.py, line 7."_s), qPrintable(lines.explanation));
    QVERIFY2(lines.explanation.section(u'\n', 0, 0).contains(u"--epochs 10"_s), qPrintable(lines.explanation));
    QVERIFY(!lines.advice.isEmpty() && !lines.explanation.contains(lines.advice));
    // Lines of the output beside it are not repeated; where in the code is still told.
    facts.cause = u"gpu-oom"_s;
    facts.args = {{u"said"_s, u"RuntimeError: CUDA out of memory"_s}};
    job.reasonArgs.insert(failureKey, facts.toJson());
    const FailureText quoting = failureText(job, &attempt, &attempt, {});
    const FailureText beside = failureText(job, &attempt, &attempt, {}, OutputQuote::SeenBeside);
    QVERIFY2(quoting.explanation.contains(u"CUDA out of memory"_s), qPrintable(quoting.explanation));
    QVERIFY2(!beside.explanation.contains(u"CUDA out of memory"_s), qPrintable(beside.explanation));
    QVERIFY2(beside.explanation.contains(failureWords(facts).sentence), qPrintable(beside.explanation));
    QVERIFY2(beside.explanation.contains(u"Where: train.py, line 7."_s), qPrintable(beside.explanation));
    // Several failed: which and how many is told as well.
    args.insert(u"count"_s, 3);
    QCOMPARE(reasonText(u"job.minFailed"_s, args),
        u"3 tasks of train failed, which ends the job. The last was train/0: Wrong argument (code 228). "_s + told);
    // Nothing is known: the code says more.
    args.insert(u"count"_s, 1);
    facts.certainty = u"unknown"_s;
    args.insert(failureKey, facts.toJson());
    QCOMPARE(reasonText(u"job.minFailed"_s, args), u"train/0 failed: Wrong argument (code 228)."_s);
}

// What a list has room for: neither the role nor a whole sentence, unless there are no words.
void TstFailureWords::briefReasons()
{
    JobSummary job;
    const auto waiting = [&job](const QString &reason, const QJsonObject &args) {
        job.state = State::Waiting;
        job.reason = reason;
        job.reasonArgs = args;
        return whyBrief(job);
    };
    QCOMPARE(waiting(u"wait.gpu"_s, {{u"wanted"_s, 2}, {u"free"_s, 1}, {u"total"_s, 4}}), u"waits for 2 GPUs"_s);
    QCOMPARE(waiting(u"wait.gpu"_s, {{u"wanted"_s, 1}}), u"waits for 1 GPU"_s);
    QCOMPARE(waiting(u"wait.gpu-type"_s, {{u"wanted"_s, 2}, {u"type"_s, u"a100"_s}}), u"waits for 2 of a100"_s);
    QCOMPARE(waiting(u"wait.queue"_s, {{u"ahead"_s, 3}, {u"job"_s, 7}}), u"behind #7"_s);
    QCOMPARE(waiting(u"wait.after"_s, {{u"job"_s, 7}, {u"name"_s, u"data"_s}}), u"waits for #7"_s);
    QCOMPARE(waiting(u"wait.paused"_s, {{u"since"_s, 5}}), u"paused"_s);
    QCOMPARE(waiting(QString(), {}), QString());
    const QString sentence = waiting(u"wait.peer-interface"_s, {{u"host"_s, u"a"_s}, {u"interface"_s, u"ib0"_s}});
    QCOMPARE(sentence, jobReasonText(job)); // has no few words
    QVERIFY(sentence.contains(u"ib0"_s));

    FailureFacts facts;
    facts.cause = u"user-code-error"_s;
    facts.certainty = u"certain"_s;
    facts.text = u"ValueError: bad"_s;
    facts.args = {{u"type"_s, u"ValueError"_s}, {u"message"_s, u"bad"_s}};
    job.state = State::Failed;
    job.exitCode = 255;
    job.reason = u"exit.failed"_s;
    job.reasonArgs = {{u"role"_s, u"train"_s}, {u"index"_s, 0}, {u"status"_s, 1}, {failureKey, facts.toJson()}};
    QCOMPARE(whyBrief(job), u"ValueError"_s);
    QVERIFY(jobReasonText(job).startsWith(u"train/0: "_s));
    facts.cause = u"file-missing"_s;
    job.reasonArgs.insert(failureKey, facts.toJson());
    QCOMPARE(whyBrief(job), u"File missing"_s);
    job.state = State::Succeeded;
    QCOMPARE(whyBrief(job), QString());
    // It ended well, and yet its values are none.
    job.health = {{u"health.silent"_s, {}, 1'000, u"train"_s, 0},
        {u"health.not-finite"_s, {{u"value"_s, u"NaN"_s}}, 2'000, u"train"_s, 0, u"val/loss"_s, 400.}};
    QCOMPARE(whyBrief(job), u"val/loss is NaN since step 400"_s);
    QCOMPARE(brokenBrief(job), whyBrief(job));
    QCOMPARE(healthBrief(job.health.at(0)), healthWords(u"health.silent"_s));
    job.health.last().args.insert(u"counts"_s, u"epoch"_s);
    QCOMPARE(brokenBrief(job), u"val/loss is NaN since epoch 400"_s);
    job.health.last().step.reset();
    job.health.last().args.insert(u"value"_s, u"-inf"_s);
    QCOMPARE(brokenBrief(job), u"val/loss is -inf"_s);
    job.health.removeLast();
    QCOMPARE(brokenBrief(job), QString());
}

// Which host has no such folder; records of earlier versions do not tell.
void TstFailureWords::workFolders()
{
    QJsonObject args{{u"detail"_s, u"/data/x"_s}};
    QCOMPARE(reasonText(u"launch.cwd-missing"_s, args), u"The work folder /data/x does not exist on the host."_s);
    args.insert(u"host"_s, u"lab1"_s);
    QVERIFY(reasonText(u"launch.cwd-missing"_s, args).startsWith(u"The work folder /data/x does not exist on lab1."_s));
    QVERIFY(
        reasonText(u"launch.cwd-denied"_s, args).startsWith(u"The work folder /data/x on lab1 cannot be entered"_s));
    args.insert(u"host"_s, u"local"_s);
    QVERIFY(reasonText(u"launch.cwd-missing"_s, args).contains(u"does not exist on this computer."_s));
}

TRAINYARD_TEST(TstFailureWords)
#include "tst_failurewords.moc"
