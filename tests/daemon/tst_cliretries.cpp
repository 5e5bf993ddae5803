// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>

#include <limits>
#include <tuple>

using namespace Qt::StringLiterals;

// Jobs that are tried again: as they are, with another text, or with the secrets that were forgotten.
class TstCliRetries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The job can go elsewhere, or its host can come back.
    void saysWhatHelpsWithoutItsHost()
    {
        ProgramsFixture f;
        const QStringList add{u"hosts"_s, u"add"_s, u"ssh://nobody@127.0.0.1:9"_s, u"--name"_s, u"lab9"_s};
        QCOMPARE(f.ctl(add, {}, 60000).status, 3);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"lab9"_s}, EngineFixture::job("far", {"true"})).status, 0);
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s, u"--wait"_s}).status, 0);
        const auto removed = f.ctl({u"hosts"_s, u"remove"_s, u"lab9"_s});
        QVERIFY2(removed.status == 0, removed.err.constData());
        const auto retried = f.ctl({u"retry"_s, u"1"_s});
        QVERIFY(retried.status != 0);
        QVERIFY2(retried.err.contains("'trainyardctl hosts add ADDRESS --name lab9'")
                && retried.err.contains("'trainyardctl run --again 1 --on HOST'"),
            retried.err.constData());
    }

    // Who has corrected the file and retries has to be told that the job does not read it.
    void saysThatTheFileHasChanged()
    {
        ProgramsFixture f;
        const QByteArray secret = "secrets: {token: tok-en-value}\n";
        const auto text = [&](const QByteArray &command) {
            return EngineFixture::document("edited", EngineFixture::role("w", 1, {command}), secret);
        };
        const QString file = f.write(u"work/my job.yaml"_s, text("echo <% $secrets.token %>; exit 3"));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s, u"--name"_s, u"other"_s}).status, 3);
        const QStringList again{u"retry"_s, u"1"_s, u"--wait"_s};
        auto retried = f.ctl(again);
        QVERIFY2(retried.status == 3 && !retried.err.contains("has changed since"), retried.err.constData());
        f.write(u"work/my job.yaml"_s, text("echo <% $secrets.token %>"));
        retried = f.ctl(again);
        const QByteArray wanted
            = file.toUtf8() + " has changed since; 'trainyardctl retry 1 --with '" + file.toUtf8() + "'' uses it.";
        QVERIFY2(retried.status == 3 && retried.err.contains(wanted), retried.err.constData());
        retried = f.ctl(again + QStringList{u"--with"_s, file});
        QVERIFY2(retried.status == 0 && !retried.err.contains("has changed since"), retried.err.constData());
        // A value of a secret may be new although the rest is not.
        QVERIFY2(!retried.err.contains("is the one that the job had before"), retried.err.constData());
        retried = f.ctl(again + QStringList{u"--yes"_s, u"--with"_s, file});
        QVERIFY2(!retried.err.contains("is the one that the job had before"), retried.err.constData());
        retried = f.ctl(again); // by the new text, which it has now
        QVERIFY2(retried.status == 0 && !retried.err.contains("has changed since"), retried.err.constData());
        QVERIFY(QFile::remove(file));
        retried = f.ctl({u"retry"_s, u"1"_s});
        QVERIFY2(!retried.err.contains("has changed since"), retried.err.constData());
    }

    // Who meant to change a file and did not write it has to be told, and the job runs all the same.
    void saysThatATextIsTheSame()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/same.yaml"_s, EngineFixture::job("same", {"exit 3"}));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s, u"--name"_s, u"renamed"_s}).status, 3);
        const QStringList again{u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s, file};
        const QByteArray same = "The text of " + file.toUtf8() + " is the one that the job had before.";
        auto retried = f.ctl(again);
        QVERIFY2(retried.status == 3 && retried.err.count(same) == 1, retried.err.constData());
        f.write(u"work/same.yaml"_s, EngineFixture::job("same", {"exit 4"}));
        retried = f.ctl(again);
        QVERIFY2(retried.status == 4 && !retried.err.contains(same), retried.err.constData());
    }

    // One text for several jobs, each of which keeps its name and its number.
    void severalJobsGetOneText()
    {
        ProgramsFixture f;
        const auto text = [](const QByteArray &status, const QByteArray &more = {}) {
            return EngineFixture::document("same", EngineFixture::role("worker", 1, {"exit " + status}), more);
        };
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text(i == 2 ? "0" : "3")).status, i == 2 ? 0 : 3);
        }
        const QString file = f.write(u"work/better.yaml"_s, text("0"));
        const auto tasks = f.ctl({u"retry"_s, u"1"_s, u"2"_s, u"worker/0"_s, u"--with"_s, file});
        QVERIFY2(tasks.status == 2 && tasks.err.contains("Tasks belong to one JOB; these are 2: #1, #2."),
            tasks.err.constData());
        // Of a range, those that have failed; the one that has succeeded keeps its results.
        const auto both = f.ctl({u"retry"_s, u"1-3"_s, u"--with"_s, file, u"--wait"_s, u"--json"_s});
        QVERIFY2(both.status == 0, both.err.constData());
        const QJsonArray acted = both.json().array();
        QCOMPARE(acted.size(), 2);
        QCOMPARE(acted.at(0)[u"job"].toInt(), 1);
        QCOMPARE(acted.at(1)[u"job"].toInt(), 2);
        for (const QString &job : {u"1"_s, u"2"_s}) {
            const auto shown = f.ctl({u"show"_s, job, u"--yaml"_s});
            QVERIFY2(shown.out.contains("exit 0"), shown.out.constData());
        }
        QCOMPARE(f.ctl({u"show"_s, u"3"_s, u"--json"_s}).json()[u"jobStatus"][u"retries"].toInt(), 0);
        // Jobs that differ by their parameters would become the same.
        const QByteArray swept = EngineFixture::document(
            "swept", EngineFixture::role("worker", 1, {"exit <% $parameters.status %>"}), "parameters: {status: 4}\n");
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, swept).status, 4);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--param"_s, u"status=5"_s}, swept).status, 5);
        const auto refused = f.ctl({u"retry"_s, u"4"_s, u"5"_s, u"--with=-"_s}, swept);
        QVERIFY2(refused.status == 2 && refused.err.contains("different values of parameters")
                && refused.err.contains("#4, #5"),
            refused.err.constData());
        QCOMPARE(f.ctl({u"show"_s, u"4"_s, u"--json"_s}).json()[u"jobStatus"][u"retries"].toInt(), 0);
    }

    // A retry that waits, or that was stopped before anything of it began, has no results; those before it stay.
    void resultsStayUntilARetryBegins()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::document(
            "net", EngineFixture::role("main", 1, {"echo step 1 loss=0.5", "echo 1 > a.csv"}));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text).status, 0);
        const auto isFound = [&] { return f.ctl({u"ps"_s, u"loss<100"_s}).out.contains(" net "); };
        QTRY_VERIFY(isFound());
        QCOMPARE(f.ctl({u"hosts"_s, u"drain"_s, u"local"_s}).status, 0);
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s}).status, 0);
        for (const QByteArray &state : {QByteArray("WAITING"), QByteArray("STOPPED")}) {
            if (state == "STOPPED") {
                QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
            }
            QTRY_VERIFY(f.ctl({u"show"_s, u"1"_s}).out.contains(state));
            QTRY_VERIFY(isFound());
            const auto show = f.ctl({u"show"_s, u"1"_s});
            QVERIFY2(show.out.contains("loss"), show.out.constData());
            const auto logs = f.ctl({u"logs"_s, u"1"_s});
            QCOMPARE(logs.out, QByteArray("step 1 loss=0.5\n"));
            QVERIFY2(
                logs.err.contains("Attempt 2 of #1 net has not begun. This is of attempt 1."), logs.err.constData());
            if (state == "STOPPED") { // and none begins any more
                const auto followed = f.ctl({u"logs"_s, u"1"_s, u"--follow"_s, u"--timestamps"_s});
                QVERIFY2(followed.out.contains("step 1 loss=0.5"), followed.out.constData());
                QVERIFY2(!QByteArray(followed.out + followed.err).contains("begins"), followed.err.constData());
            }
            for (const QStringList &options : {QStringList(), QStringList{u"--attempt"_s, u"1"_s}}) {
                const QString to = f.path(QString::fromLatin1(state) + QString::number(options.size()));
                const auto pull = f.ctl(QStringList{u"pull"_s, u"1"_s, u"a.csv"_s, u"--to"_s, to} + options);
                QVERIFY2(pull.status == 0, pull.err.constData());
                QCOMPARE(EngineFixture::contents(to + u"/a.csv"_s), QByteArray("1\n"));
                const auto cp = f.ctl(QStringList{u"cp"_s, u"1:a.csv"_s, to + u"/b.csv"_s} + options);
                QVERIFY2(cp.status == 0, cp.err.constData());
                QCOMPARE(EngineFixture::contents(to + u"/b.csv"_s), QByteArray("1\n"));
                QVERIFY2(cp.err.contains("This is of attempt 1.") == options.isEmpty(), cp.err.constData());
                const auto missing = f.ctl(QStringList{u"cp"_s, u"1:none"_s, to} + options);
                QCOMPARE(missing.status, 2);
                QVERIFY2(missing.err.contains("/none. This is the folder of attempt 1; --attempt chooses another one."),
                    missing.err.constData());
                const auto shell
                    = f.ctl(QStringList{u"ssh"_s, u"1"_s} + options + QStringList{u"--"_s, u"cat"_s, u"a.csv"_s});
                QVERIFY2(shell.status == 0, shell.err.constData());
                QCOMPARE(shell.out, QByteArray("1\n"));
            }
            const auto none = f.ctl({u"pull"_s, u"1"_s, u"--attempt"_s, u"3"_s});
            QCOMPARE(none.status, 2);
            QVERIFY2(none.err.contains("#1 net has 2 attempts."), none.err.constData());
        }
        // The next engine knows them as well.
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QTRY_VERIFY(isFound());
    }

    void retries()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                      EngineFixture::job("flaky", {QByteArray("[ -e " + f.path(u"work/mended"_s).toUtf8() + " ]")}, 2))
                     .status,
            1);
        QCOMPARE(f.ctl({u"retry"_s}).status, 2);
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"worker/9"_s}).status, 2);
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"worker/0"_s, u"--failed"_s}).status, 2);
        QCOMPARE(f.ctl({u"move"_s, u"flaky"_s}).status, 4);
        f.write(u"work/mended"_s, {});
        const auto again = f.ctl({u"retry"_s, u"flaky"_s, u"--failed"_s, u"--wait"_s});
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"--failed"_s}).status, 4);
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"worker/1"_s, u"--wait"_s}).status, 0);
        const QJsonObject newest = f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject();
        QCOMPARE(newest.value("retries"_L1).toInt(), 2);
        // The head of a former attempt is that of the attempt.
        const QByteArray first = f.ctl({u"show"_s, u"flaky"_s, u"--attempt"_s, u"1"_s}).out;
        QVERIFY2(first.startsWith("#1 flaky  FAILED  attempt 1 of 3\n"), first.constData());
        // The task that fails first may stop the other one before it fails, too.
        QVERIFY2(first.contains(": The command ended with status 1")
                && (first.contains(" 2 failed\n") || first.contains(" 1 failed, 1 stopped\n")),
            first.constData());
        const QJsonDocument former = f.ctl({u"show"_s, u"flaky"_s, u"--json"_s, u"--attempt"_s, u"1"_s}).json();
        QCOMPARE(former[u"jobStatus"][u"state"].toString(), u"SUCCEEDED"_s);
        QCOMPARE(former[u"engine"][u"exitStatus"].toInt(), 1);
        QVERIFY(former[u"engine"][u"why"].toString().contains("ended with status 1"_L1));
        QVERIFY(former[u"engine"][u"reason"].toString().startsWith("exit."_L1));
        const QJsonDocument present = f.ctl({u"show"_s, u"flaky"_s, u"--json"_s, u"--attempt"_s, u"3"_s}).json();
        QVERIFY(present[u"engine"][u"why"].isNull());
        const QByteArray last = f.ctl({u"show"_s, u"flaky"_s, u"--attempt"_s, u"3"_s}).out;
        QVERIFY2(last.startsWith("#1 flaky  SUCCEEDED  attempt 3 of 3\n"), last.constData());
        QVERIFY(f.ctl({u"show"_s, u"flaky"_s}).out.startsWith("#1 flaky  SUCCEEDED\n"));
        // A comparison counts all attempts, as lists do.
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("other", {"true"})).status, 0);
        const QJsonArray compared = f.ctl({u"compare"_s, u"1-2"_s, u"--json"_s}).json()[u"runs"].toArray();
        QCOMPARE(compared.size(), 2);
        const QJsonObject flaky = compared.at(compared.at(0)["id"_L1].toInt() == 1 ? 0 : 1).toObject();
        QVERIFY(flaky.value("milliseconds"_L1).toInteger()
            > newest[u"completedTime"].toInteger() - newest[u"engine"][u"attemptBegan"].toInteger());
        // The time is that of the newest attempt.
        QVERIFY(newest[u"engine"][u"attemptBegan"].toInteger() > newest[u"launchedTime"].toInteger());
        QVERIFY2(again.err.contains("in attempt 2"), again.err.constData());
        const auto shown = f.ctl({u"show"_s, u"flaky"_s});
        QVERIFY2(shown.out.contains("in attempt 3; "), shown.out.constData());
    }

    // A failure that is tried again for nothing, whatever the job asks for, would keep it busy for long.
    void triesAtOnceOrGivesUp()
    {
        ProgramsFixture f;
        f.setSettings({{u"retry.pauseSeconds"_s, 3000}});
        const QByteArray once = "[ -e n ] || { touch n; kill -9 $$; }";
        const auto words = [&](const QString &name) { return f.ctl({u"show"_s, name}).out; };
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/x.yaml"_s, EngineFixture::job("killed", {once}))}).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(
            words(u"killed"_s).contains("even if it has no retries"), words(u"killed"_s).constData(), 10000);
        const QByteArray shown = words(u"killed"_s);
        QVERIFY2(shown.contains("trainyardctl retry 1'") && shown.contains("trainyardctl stop 1'"), shown.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"killed"_s, u"worker/7"_s}).status, 2);
        const auto again = f.ctl({u"retry"_s, u"killed"_s, u"--wait"_s});
        QVERIFY2(again.status == 0, again.err.constData());
        // One task of several.
        const QByteArray text = EngineFixture::document("tasks",
            EngineFixture::role("worker", 2, {"[ -e m$PAI_TASK_INDEX ] || { touch m$PAI_TASK_INDEX; kill -9 $$; }"},
                "    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n"),
            "extras: {gangAllocation: false}\n");
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/y.yaml"_s, text)}).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(
            words(u"tasks"_s).count("Waits to try again") >= 2, words(u"tasks"_s).constData(), 10000);
        QCOMPARE(f.ctl({u"retry"_s, u"tasks"_s, u"worker/1"_s}).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(words(u"tasks"_s).contains("1 succeeded"), words(u"tasks"_s).constData(), 10000);
        QCOMPARE(f.ctl({u"retry"_s, u"tasks"_s, u"worker/1"_s}).status, 4);
        QCOMPARE(f.ctl({u"retry"_s, u"tasks"_s, u"--wait"_s}).status, 0);
        // Given up, with a code in words.
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("again", {"kill -9 $$"})).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(
            words(u"again"_s).contains("Waits to try again"), words(u"again"_s).constData(), 10000);
        const auto given = f.ctl({u"stop"_s, u"again"_s});
        QVERIFY2(given.err.contains("again is stopped before its next attempt."), given.err.constData());
        QTRY_VERIFY_WITH_TIMEOUT(words(u"again"_s).contains("Ended with"), 10000);
        // Nothing is left to wait for.
        const auto over = f.ctl({u"stop"_s, u"again"_s, u"--wait"_s});
        QVERIFY2(over.status == 0 && over.err.count('\n') == 1 && over.err.contains("has already ended (STOPPED)."),
            over.err.constData());
        const QByteArray ended = words(u"again"_s);
        QVERIFY2(ended.contains("Ended with") && ended.contains("Stopped"), ended.constData());
        QVERIFY2(!ended.contains("-210 "), ended.constData());
    }

    void saysHowToGiveSecrets()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"-"_s},
            EngineFixture::document("hidden", EngineFixture::role("worker", 1, {"echo <% $secrets.word %>"}),
                "secrets: {word: '******'}\n"));
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("--secret word=@FILE"), run.err.constData());
    }

    void retriesWithEditsAndSecrets()
    {
        ProgramsFixture f;
        const QByteArray mended = f.path(u"work/mended"_s).toUtf8();
        const auto text = [&](const QByteArray &command) {
            return EngineFixture::document("hidden",
                EngineFixture::role(
                    "worker", 1, {command, "[ <% $secrets.word %> = open-sesame ] && [ -e " + mended + " ]"}),
                "secrets: {word: '******'}\n");
        };
        f.write(u"secret"_s, "open-sesame\n");
        const QString secret = u"--secret=word=@"_s + f.path(u"secret"_s);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, secret}, text("echo first")).status, 1);
        f.write(u"work/mended"_s, {});
        // They were forgotten with the end of the job; without a terminal nobody can be asked.
        const auto without = f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s});
        QCOMPARE(without.status, 4);
        QVERIFY2(without.err.contains("word"), without.err.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s, u"--secret=word=open-sesame"_s}).status, 2);
        const auto with = f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s, secret});
        // The file of another job has the value itself, and is still there.
        const QString file = f.write(u"work/own.yaml"_s,
            EngineFixture::document("own", EngineFixture::role("worker", 1, {"echo <% $secrets.word %>"}),
                "secrets: {word: open-sesame}\n"));
        QCOMPARE(f.ctl({u"run"_s, u"--wait"_s, file}).status, 0);
        const auto own = f.ctl({u"retry"_s, u"own"_s, u"--wait"_s});
        QVERIFY2(own.status == 0 && own.err.contains(QByteArray("taken from " + QFile::encodeName(file) + ": word.")),
            own.err.constData());
        QVERIFY2(with.status == 0, with.err.constData());
        const auto edited
            = f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s, u"-y"_s, secret, u"--with=-"_s}, text("echo second"));
        QVERIFY2(edited.status == 0, edited.err.constData());
        const QByteArray log = f.ctl({u"logs"_s, u"hidden"_s}).out;
        QVERIFY2(log.contains("second") && !log.contains("open-sesame"), log.constData());
        const auto broken = f.ctl({u"retry"_s, u"hidden"_s, u"-y"_s, secret, u"--with=-"_s}, "name: [");
        QCOMPARE(broken.status, 4);
        QVERIFY2(broken.err.contains("1:"), broken.err.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"hidden"_s, u"--with=/nowhere"_s}).status, 2);
    }

    // What was said at the submission stays; what the former text said is for the new one to say.
    void retriesWithAnotherText()
    {
        ProgramsFixture f;
        QDir().mkpath(f.path(u"work/said"_s));
        QDir().mkpath(f.path(u"work/written"_s));
        const auto text = [](const QByteArray &command, const QByteArray &priority, const QByteArray &more = {}) {
            return EngineFixture::document("edited", EngineFixture::role("worker", 1, {command}),
                "defaults: {virtualCluster: of-" + priority
                    + "}\nextras: {hivedScheduler: {jobPriorityClass: " + priority + '}' + more + "}\n");
        };
        const auto said = [&] {
            const QJsonDocument shown = f.ctl({u"show"_s, u"edited"_s, u"--json"_s}).json();
            return QStringList{shown[u"jobPriority"].toString(), shown[u"jobStatus"][u"virtualCluster"].toString()};
        };
        const QString folder = u"--work="_s + f.path(u"work/said"_s);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, folder}, text("exit 7", "prod")).status, 7);
        QCOMPARE(said(), (QStringList{u"prod"_s, u"of-prod"_s}));
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array().at(0)[u"jobPriority"].toString(), u"prod"_s);
        const QStringList with{u"retry"_s, u"edited"_s, u"--wait"_s, u"--with=-"_s};
        QCOMPARE(f.ctl(with, text("pwd; exit 7", "oppo")).status, 7);
        QVERIFY(f.ctl({u"logs"_s, u"edited"_s}).out.contains(f.path(u"work/said"_s).toUtf8()));
        QCOMPARE(said(), (QStringList{u"oppo"_s, u"of-oppo"_s}));
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(said(), (QStringList{u"oppo"_s, u"of-oppo"_s}));

        const auto written = [&](const char *name) -> QByteArray {
            return ", trainyard: {work: \"" + f.path(u"work/"_s + QLatin1StringView(name)).toUtf8() + "\"}";
        };
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text("exit 7", "test", written("said"))).status, 7);
        QCOMPARE(f.ctl(with, text("pwd", "test", written("written"))).status, 0);
        QVERIFY(f.ctl({u"logs"_s, u"edited"_s}).out.contains(f.path(u"work/written"_s).toUtf8()));
    }

    // An attempt keeps the text and the parameters that it ran with.
    void showsTheTextOfAnAttempt()
    {
        ProgramsFixture f;
        const auto text = [](const QByteArray &status) {
            return EngineFixture::document("changed", EngineFixture::role("worker", 1, {"exit <% $parameters.fail %>"}),
                "parameters: {fail: " + status + "}\n");
        };
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text("4")).status, 4);
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s, u"--wait"_s}).status, 4); // with the same text
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s, u"--wait"_s, u"--with=-"_s}, text("0")).status, 0);
        for (const bool isStoredOnly : {false, true}) {
            if (isStoredOnly) {
                QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
                QVERIFY(f.waitForNoDaemon());
            }
            for (const auto &[attempt, fail] : {std::pair(u"1"_s, "4"), {u"2"_s, "4"}, {u"3"_s, "0"}}) {
                const QStringList show{u"show"_s, u"1"_s, u"--attempt"_s, attempt};
                const QByteArray shown = f.ctl(show).out;
                QVERIFY2(
                    QString::fromUtf8(shown).simplified().contains(u"Parameters fail "_s + QLatin1StringView(fail)),
                    shown.constData());
                const auto yaml = f.ctl(show + QStringList{u"--yaml"_s});
                QCOMPARE(yaml.status, 0);
                QVERIFY2(yaml.out.contains(QByteArray("fail: ").append(fail)), yaml.out.constData());
            }
            QVERIFY(f.ctl({u"show"_s, u"1"_s, u"--yaml"_s}).out.contains("fail: 0"));
        }
        QCOMPARE(f.ctl({u"show"_s, u"1"_s, u"--yaml"_s, u"--attempt"_s, u"4"_s}).status, 2);
        QCOMPARE(f.ctl({u"show"_s, u"1"_s, u"--yaml"_s, u"--json"_s}).status, 2);
    }

    // On a terminal the results of a job are replaced only after a yes.
    void asksBeforeATextReplacesResults()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/done.yaml"_s, EngineFixture::job("done", {"true"}));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        for (const auto &[answer, status, found] :
            {std::tuple("n\n", 4, u"retries=0"_s), std::tuple("y\n", 0, u"retries=1"_s)}) {
            PseudoTerminal terminal(24, 200);
            QVERIFY(terminal.start(
                f.program(u"trainyardctl"_s), {u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s, file}, f.environment()));
            QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("[y/N]"), 15000);
            QVERIFY(terminal.written().contains("#1 done has succeeded, and another attempt replaces its results."));
            terminal.type(answer);
            QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
            QCOMPARE(terminal.process().exitCode(), status);
            QCOMPARE(f.ctl({u"ps"_s, found, u"--format"_s, u"{id}"_s}).out, "1\n");
        }
    }

    // The text of the newest attempt is not that of the file which the job was submitted with.
    void showsTheFileOfTheNewestText()
    {
        ProgramsFixture f;
        const QString first = f.write(u"work/first.yaml"_s, EngineFixture::job("moved", {"exit 1"}));
        const QString second = f.write(u"other/second.yaml"_s, EngineFixture::job("moved", {"pwd", "exit 2"}));
        const auto shown = [&f](const QStringList &more = {}) {
            return QString::fromUtf8(f.ctl(QStringList{u"show"_s, u"1"_s} + more).out).simplified();
        };
        QCOMPARE(f.ctl({u"run"_s, first, u"--wait"_s}).status, 1);
        QVERIFY2(shown().contains(u" File "_s + first + u" Folder"_s), qPrintable(shown()));
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s, second}).status, 2);
        const QString both = u" File "_s + second + u"; at its submission "_s + first + u" Folder"_s;
        QVERIFY2(shown().contains(both), qPrintable(shown()));
        QVERIFY2(shown({u"--attempt"_s, u"2"_s}).contains(both), qPrintable(shown()));
        QVERIFY(shown({u"--attempt"_s, u"1"_s}).contains(u" File "_s + first + u" Folder"_s));
        // It works where it was submitted.
        QVERIFY(f.ctl({u"logs"_s, u"1"_s}).out.contains(QByteArray(f.path(u"work"_s).toUtf8() + '\n')));
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY2(shown().contains(both), qPrintable(shown()));
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s, u"-"_s}, EngineFixture::job("moved", {"exit 3"}))
                     .status,
            3);
        QVERIFY2(shown().contains(u" File none any more; at its submission "_s + first), qPrintable(shown()));
    }

    // What a task was before it was tried again is still there.
    void showsEarlierTries()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::document("again",
            EngineFixture::role("worker", 2, {"[ $PAI_TASK_INDEX = 0 ] || exit 7"}, "    taskRetryCount: 2\n"),
            "extras: {gangAllocation: false}\n");
        QVERIFY(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text).status != 0);
        const QJsonDocument shown = f.ctl({u"show"_s, u"again"_s, u"--tasks"_s, u"--json"_s}).json();
        const QJsonArray tasks = shown[u"taskRoles"][u"worker"][u"taskStatuses"].toArray();
        QCOMPARE(tasks.size(), 2);
        QVERIFY(!tasks.at(0).toObject().contains("attempts"_L1));
        QCOMPARE(tasks.at(1)[u"retries"].toInt(), 2);
        const QJsonArray attempts = tasks.at(1)[u"attempts"].toArray();
        QCOMPARE(attempts.size(), 3);
        qint64 later = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 3; ++i) {
            const QJsonValue one = attempts.at(i);
            QCOMPARE(one[u"attemptId"].toInt(), 2 - i);
            QCOMPARE(one[u"engine"][u"rawExitCode"].toInt(), 7);
            QCOMPARE(one[u"containerNodeName"].toString(), u"local"_s);
            QVERIFY(one[u"engine"][u"usage"][u"cpuMs"].isDouble());
            QVERIFY(one[u"currentAttemptCompletedTime"].toInteger() < later);
            later = one[u"currentAttemptCompletedTime"].toInteger();
        }
    }

    // A job keeps its name, also when its text gets another one.
    void retryWithTheTextOfAnotherName()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("first", {"exit 1"})).status, 1);
        const QString file = f.write(u"second.yaml"_s, EngineFixture::job("second", {"true"}));
        const QStringList with{u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s};
        const auto refused = f.ctl(with + QStringList{file});
        QVERIFY2(refused.status == 4 && refused.err.contains("names the job second, and not first.")
                && refused.err.contains("Use --yes"),
            refused.err.constData());
        const auto again = f.ctl(with + QStringList{file, u"--yes"_s});
        QVERIFY2(again.status == 0 && again.err.contains("names the job second; #1 first keeps its own name."),
            again.err.constData());
        const QString same = f.write(u"first.yaml"_s, EngineFixture::job("first", {"exit 0"}));
        // The results that it has by now are not replaced by a slip.
        const auto slip = f.ctl(with + QStringList{same});
        QVERIFY2(
            slip.status == 4 && slip.err.contains("#1 first has succeeded, and another attempt replaces its results."),
            slip.err.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"retries=1"_s, u"--format"_s, u"{id}"_s}).out, "1\n");
        const auto quiet = f.ctl(with + QStringList{same, u"--yes"_s});
        QVERIFY2(quiet.status == 0 && !quiet.err.contains("keeps its own name"), quiet.err.constData());
    }
};

TRAINYARD_TEST(TstCliRetries)
#include "tst_cliretries.moc"
