// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "model/runtime/exitrules.h"
#include "model/runtime/failurecauses.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/causenames.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/failuretexts.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// How an end is named where there is little room, and that its status is said once.
class TstExitTexts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ends_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<std::optional<int>>("status");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("brief");
        const auto row = [](const char *name, int code, std::optional<int> status, const QString &words,
                             const QString &brief) { QTest::newRow(name) << code << status << words << brief; };
        const auto same = [&row](const char *name, int code, std::optional<int> status, const QString &words) {
            row(name, code, status, words, words);
        };
        same("success", 0, {}, u"0"_s);
        same("with the job", -220, {}, u"Job ended"_s);
        same("out of memory", -1200, 137, u"Out of memory"_s);
        same("a signal", 139, {}, u"Segmentation fault"_s);
        same("the status alone", 255, 3, u"Exit status 3"_s);
        same("not even a status", 255, {}, u"Exit code 255"_s);
        same("unknown", -8999, {}, u"Exit code −8999"_s);
        row("classified", 220, 127, u"Exit status 127 (Command not found)"_s, u"Exit status 127"_s);
        row("a rule without words", 241, 1, u"Exit status 1 (241)"_s, u"Exit status 1"_s);
    }

    void ends()
    {
        QFETCH(const int, code);
        QFETCH(const std::optional<int>, status);
        QTEST(exitWords(code, status), "words");
        QTEST(exitBrief(code, status), "brief");
    }

    // Reasons of a narrow column are never cut: each that the program knows has a short form.
    void shortFormsAreShort()
    {
        JobSummary job;
        job.state = State::Failed;
        job.reason = u"exit.user"_s;
        const QStringList causes = FailureCauses::bundled().names();
        QVERIFY(!causes.isEmpty());
        for (const QString &cause : causes) {
            job.exitCode = 255;
            job.reasonArgs = {{u"failure"_s, QJsonObject{{u"cause"_s, cause}, {u"certainty"_s, u"likely"_s}}}};
            const QString words = failureShort(job);
            QVERIFY2(!words.isEmpty() && words.size() <= longestShort, qPrintable(cause + u": "_s + words));
        }
        job.reasonArgs = {};
        for (const ExitSpecEntry &entry : ExitRules::bundled().entries()) {
            job.exitCode = entry.code;
            const QString words = failureShort(job);
            QCOMPARE(words.isEmpty(), entry.code == 0);
            QVERIFY2(words.size() <= longestShort, qPrintable(words));
        }
        job.exitCode = 226;
        QCOMPARE(failureShort(job), u"GPU OOM"_s);
        job.exitCode = 255;
        job.reasonArgs = {{u"status"_s, 7}};
        QCOMPARE(failureShort(job), u"Exit 7"_s);
        job.state = State::Succeeded;
        QCOMPARE(failureShort(job), QString());
    }

    // Lists name a cause, and not the status that came of it.
    void everyCauseHasAName()
    {
        const QStringList causes
            = FailureCauses::bundled().names() + QStringList{u"secret-in-script"_s, u"secret-split"_s, u"killed"_s};
        for (const QString &cause : causes) {
            FailureFacts facts;
            facts.cause = cause;
            facts.certainty = u"certain"_s;
            QVERIFY2(!causeName(facts).isEmpty() && !causeBrief(facts).isEmpty(), qPrintable(cause));
        }
    }

    // A status says which signal it was, and not who sent it: not the words of the code, and not those of the output.
    void nobodyIsBlamedForASignal()
    {
        for (const int code : {137, 143}) {
            const ExitText text = exitText(code);
            QVERIFY2(text.reason.contains("likely"_L1) && !text.reason.contains("outside"_L1), qPrintable(text.reason));
        }
        JobSummary job;
        job.state = State::Failed;
        job.exitCode = 137;
        QVERIFY(failureText(job, nullptr, nullptr, {}).explanation.contains("likely ended by SIGKILL"_L1));
        // What the engine saw has a code and words of its own.
        QCOMPARE(exitText(-1200).phrase, u"Out of memory"_s);
        job.exitCode = -1200;
        QVERIFY(!failureText(job, nullptr, nullptr, {}).explanation.contains("SIGKILL"_L1));
    }

    // What could not be brought to a host has the code of folders and disks. The words name it, and no other reason.
    void namesWhatWasNotBrought_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QJsonObject>("args");
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("said");
        QTest::newRow("files that change")
            << u"code.changes"_s << QJsonObject{{u"folder"_s, u"/proj"_s}}
            << u"main/0: Work folder changes all the time"_s << u"Files of /proj changed each time they were copied."_s;
        QTest::newRow("a folder") << u"code.folder-missing"_s << QJsonObject{{u"folder"_s, u"/proj"_s}}
                                  << u"main/0: Work folder not copied"_s
                                  << u"The work folder /proj no longer exists, so it cannot be copied."_s;
        QTest::newRow("data") << u"data.no-room"_s << QJsonObject{{u"name"_s, u"images"_s}, {u"host"_s, u"lab1"_s}}
                              << u"main/0: Data not usable"_s << u"The data images does not fit on the disk of lab1"_s;
        QTest::newRow("a disk") << u"launch.disk"_s << QJsonObject() << u"main/0: Folder or disk not usable"_s
                                << u"Exit code"_s;
    }
    void namesWhatWasNotBrought()
    {
        QFETCH(const QString, reason);
        QFETCH(const QJsonObject, args);
        QFETCH(const QString, cause);
        QFETCH(const QString, said);
        JobSummary job;
        job.state = State::Failed;
        job.exitCode = -2010;
        job.reason = reason;
        job.reasonArgs = args;
        AttemptInfo attempt;
        attempt.state = State::Failed;
        attempt.exitCode = -2010;
        attempt.triggerRole = u"main"_s;
        attempt.triggerIndex = 0;
        const FailureText text = failureText(job, &attempt, &attempt, {});
        QCOMPARE(text.cause, cause);
        QVERIFY2(text.explanation.contains(said), qPrintable(text.explanation));
        if (!job.reason.startsWith("launch."_L1)) {
            QVERIFY2(!text.explanation.contains(exitText(-2010).reason), qPrintable(text.explanation));
            QVERIFY2(text.advice.isEmpty(), qPrintable(text.advice)); // the sentence says what to do
            QVERIFY(cause.endsWith(failureShort(job)));
        }
    }

    void statusIsSaidOnce_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("cause"); // what the output shows
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("firstLine");
        QTest::newRow("an older engine") << u"exit.user"_s << QString() << 255 << u"The command ended with status 3."_s;
        QTest::newRow("the output shows nothing")
            << u"exit.user"_s << u"unknown"_s << 255
            << u"The command ended with status 3. The output does not show why."_s;
        QTest::newRow("the output shows a cause")
            << u"exit.user"_s << u"no-failure"_s << 255 << u"Exit status 3. The status 0 means success."_s;
        QTest::newRow("a step") << u"exit.step"_s << QString() << 255
                                << u"The prerequisite or plugin data failed with status 3."_s;
        QTest::newRow("a code that says more") << u"exit.command-missing"_s << QString() << 220
                                               << u"Exit status 3, which counts as code 220 (Command not found). The "
                                                  u"command 'trainn' was not found where the task ran."_s;
    }

    void statusIsSaidOnce()
    {
        QFETCH(const QString, reason);
        QFETCH(const QString, cause);
        QFETCH(const int, code);
        JobSummary job;
        job.state = State::Failed;
        job.exitCode = code;
        job.reason = reason;
        job.reasonArgs = {{u"status"_s, 3}, {u"step"_s, u"data"_s}, {u"command"_s, u"trainn"_s}};
        if (!cause.isEmpty()) {
            FailureFacts facts;
            facts.cause = cause;
            facts.certainty = u"unknown"_s;
            facts.args = {{u"status"_s, 3}};
            job.reasonArgs.insert(failureKey, facts.toJson());
        }
        AttemptInfo attempt;
        attempt.state = State::Failed;
        attempt.exitCode = code;
        attempt.triggerRole = u"main"_s;
        attempt.triggerIndex = 0;
        attempt.triggerRawExit = 3;
        const FailureText text = failureText(job, &attempt, &attempt, {});
        QTEST(text.explanation.section(u'\n', 0, 0), "firstLine");
    }
};
TRAINYARD_TEST(TstExitTexts)

#include "tst_exittexts.moc"
