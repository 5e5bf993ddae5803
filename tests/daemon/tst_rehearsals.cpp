// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Jobs that are tried out before they are submitted elsewhere: what the engine keeps of it, and the two commands.
class TstRehearsals : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &more = {}, int instances = 3)
    {
        return EngineFixture::document("train",
            EngineFixture::role("worker", instances, {"echo epochs <% $parameters.epochs %> of ${PAI_TASK_INDEX}"}),
            "jobRetryCount: 2\nparameters:\n  epochs: 100\n" + more);
    }
    // The number of a job that a command has printed.
    static QString numberOf(const ProgramsFixture::Output &output) { return QString::fromUtf8(output.out.trimmed()); }
    static QJsonObject engineOf(const ProgramsFixture &f, const QString &word)
    {
        return f.ctl({u"show"_s, word, u"--json"_s}).json().object().value("engine"_L1).toObject();
    }

private Q_SLOTS:
    // The two jobs know each other while they run, after they have ended, and after a restart of the engine.
    void engineKeepsTheLink()
    {
        EngineFixture f;
        QVERIFY(f.open());
        SubmitRequest request;
        request.original = job("secrets: {token: hidden-in-the-text}\n");
        const QString first = f.submit(job({}, 1), request);
        QVERIFY2(!first.isEmpty(), qPrintable(f.error().code));
        QVERIFY(!f.engine().job(first)->promoted);
        const QByteArray original = f.engine().job(first)->original;
        QVERIFY2(original.contains("instances: 3") && original.contains("token:"), original.constData());
        QVERIFY2(!original.contains("hidden-in-the-text"), original.constData());

        SubmitRequest again;
        again.rehearsal = first;
        const QString second = f.submit(job(), again);
        QVERIFY2(!second.isEmpty(), qPrintable(f.error().code));
        QCOMPARE(f.engine().job(first)->promoted->uuid, second);
        QVERIFY(f.waitForEnd(first) && f.waitForEnd(second));
        for (const bool isNew : {false, true}) {
            if (isNew) {
                f.close();
                QVERIFY(f.open());
            }
            const JobDetail of = *f.engine().job(first);
            QCOMPARE(of.original, original);
            QCOMPARE(of.promoted->uuid, second);
            QCOMPARE(of.promoted->id, f.job(second).id);
            QCOMPARE(of.promoted->name, u"train"_s);
            QCOMPARE(of.promoted->state, State::Succeeded);
            QVERIFY(of.promoted->completed && !of.rehearsal);
            const JobDetail real = *f.engine().job(second);
            QCOMPARE(real.rehearsal->uuid, first);
            QCOMPARE(real.rehearsal->id, f.job(first).id);
            QVERIFY(real.original.isEmpty() && !real.promoted);
        }
    }

    // Another text of a job that runs again does not make it forget where it comes from.
    void retryKeepsTheLink()
    {
        EngineFixture f;
        QVERIFY(f.open());
        SubmitRequest request;
        request.original = job();
        const QString first = f.submit(job({}, 1), request);
        SubmitRequest again;
        again.rehearsal = first;
        const QString second = f.submit(job(), again);
        QVERIFY(f.waitForEnd(first) && f.waitForEnd(second));
        const auto edited
            = [](const QByteArray &text) { return QByteArray(text).replace("epochs: 100", "epochs: 90"); };
        for (const auto &[uuid, text] : {std::pair{first, job({}, 1)}, std::pair{second, job()}}) {
            RetryRequest retry;
            retry.uuid = uuid;
            retry.yaml = edited(text);
            QVERIFY(f.engine().retry(retry));
            QVERIFY(f.waitForEnd(uuid));
        }
        QVERIFY(f.engine().job(first)->yaml.contains("epochs: 90"));
        QCOMPARE(f.engine().job(first)->original, job());
        QCOMPARE(f.engine().job(first)->promoted->uuid, second);
        QCOMPARE(f.engine().job(second)->rehearsal->uuid, first);
    }

    void refusesWhatIsNoRehearsal()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString plain = f.submit(job({}, 1));
        SubmitRequest request;
        request.rehearsal = plain;
        QVERIFY(f.submit(job(), request).isEmpty());
        QCOMPARE(f.error().code, u"rehearsal.not-one"_s);
        request.rehearsal = u"00000000-0000-0000-0000-000000000000"_s;
        QVERIFY(f.submit(job(), request).isEmpty());
        QCOMPARE(f.error().code, u"job.unknown"_s);
        QCOMPARE(f.engine().jobs({}, 0, 0)->size(), 1); // nothing was submitted
        QVERIFY(f.waitForEnd(plain));
    }

    // What has been removed is said to be.
    void rehearsalIsRemoved()
    {
        EngineFixture f;
        QVERIFY(f.open());
        SubmitRequest request;
        request.original = job();
        const QString first = f.submit(job({}, 1), request);
        SubmitRequest again;
        again.rehearsal = first;
        const QString second = f.submit(job(), again);
        QVERIFY(f.waitForEnd(first) && f.waitForEnd(second));
        QVERIFY(f.engine().remove(first));
        QCOMPARE(f.engine().job(second)->rehearsal->id, 0);
    }

    void rehearseAndPromote()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s, job());
        const auto rehearsed = f.ctl(
            {u"rehearse"_s, file, u"--minutes"_s, u"5"_s, u"--param"_s, u"epochs=1"_s, u"--wait"_s, u"--json"_s}, {},
            60000);
        QVERIFY2(rehearsed.status == 0, rehearsed.err.constData());
        QCOMPARE(rehearsed.json().object().value("name"_L1).toString(), u"train-rehearsal"_s);
        for (const char *said : {"worker: 1 instance instead of 3", "a time limit of 5 min",
                 "the parameter epochs: 1 instead of 100", "jobRetryCount 0 instead of 2"}) {
            QVERIFY2(rehearsed.err.contains(said), rehearsed.err.constData());
        }
        const QByteArray log = f.ctl({u"logs"_s, u"1"_s}).out;
        QVERIFY2(log.contains("epochs 1 of 0"), log.constData());
        QVERIFY(!log.contains("of 1"));
        QByteArray shown = f.ctl({u"show"_s, u"1"_s}).out;
        QVERIFY2(shown.contains("trainyardctl promote 1 --on HOST"), shown.constData());

        // The file may have changed since: what was rehearsed counts.
        f.write(u"work/train.yaml"_s, job().replace("epochs: 100", "epochs: 7"));
        const auto promoted = f.ctl({u"promote"_s, u"1"_s, u"--on"_s, u"local"_s, u"--yes"_s});
        QVERIFY2(promoted.status == 0, promoted.err.constData());
        for (const char *line : {"--- #1 train-rehearsal\n+++ local\n", "\n-name: train-rehearsal\n+name: train\n",
                 "\n-  epochs: 1\n+  epochs: 100\n", "\n-    instances: 1\n+    instances: 3\n",
                 "\n-jobRetryCount: 0\n+jobRetryCount: 2\n", "\n-      timeSeconds: 300\n"}) {
            QVERIFY2(promoted.err.contains(line), promoted.err.constData());
        }
        QVERIFY2(!promoted.err.contains("rehearsal #1"), promoted.err.constData()); // nothing is wrong with it
        const QString number = numberOf(promoted);
        QCOMPARE(number, u"2"_s);
        QCOMPARE(f.ctl({u"wait"_s, number}, {}, 60000).status, 0);
        QVERIFY(f.ctl({u"logs"_s, number, u"worker/2"_s}).out.contains("epochs 100 of 2"));

        shown = f.ctl({u"show"_s, u"1"_s}).out;
        QVERIFY2(shown.contains("#2 train, Succeeded"), shown.constData());
        shown = f.ctl({u"show"_s, number}).out;
        QVERIFY2(shown.contains("#1 train-rehearsal, Succeeded"), shown.constData());
        QCOMPARE(engineOf(f, u"1"_s).value("promoted"_L1)["id"_L1].toInt(), 2);
        QCOMPARE(engineOf(f, u"2"_s).value("rehearsal"_L1)["id"_L1].toInt(), 1);
        QVERIFY(engineOf(f, u"1"_s).value("isRehearsal"_L1).toBool());
        QVERIFY(!engineOf(f, u"2"_s).value("isRehearsal"_L1).toBool());
    }

    // The file is what is submitted elsewhere: the advice leaves its figures as they are.
    void advisesASmallerRehearsal()
    {
        ProgramsFixture f;
        const auto wanting = [](const QByteArray &resources) {
            return EngineFixture::document("big",
                EngineFixture::role("w", 2, {"echo lr <% $parameters.lr %>"}, {}, resources), "parameters:\n  lr: 1\n");
        };
        const QByteArray big = wanting("{cpu: 1, memoryMB: 16, gpu: 99}");
        const QString file = f.write(u"work/big.yaml"_s, big);
        const QStringList command{u"rehearse"_s, file, u"--minutes"_s, u"5"_s, u"--param"_s, u"lr=2"_s};
        const auto refused = f.ctl(command + QStringList{u"--gpus"_s, u"98"_s});
        QCOMPARE(refused.status, 4);
        static const QRegularExpression advice(u"fits here: trainyardctl (.+) --gpus (\\d+)\n"_s);
        const QRegularExpressionMatch said = advice.match(QString::fromUtf8(refused.err));
        QVERIFY2(said.hasMatch() && !refused.err.contains("trainyardctl edit"), refused.err.constData());
        QVERIFY2(!refused.err.contains("Set gpu") && !refused.err.contains("Ask for"), refused.err.constData());
        QCOMPARE(said.captured(1), QString(u"rehearse "_s + file + u" --minutes 5 --param 'lr=2'"_s));
        const auto again = f.ctl(command + QStringList{u"--gpus"_s, said.captured(2), u"--wait"_s}, {}, 60000);
        QVERIFY2(again.status == 0, again.err.constData());

        // Other amounts of a rehearsal are those of the job: a copy of it is changed.
        const QString wide = f.write(u"work/wide.yaml"_s, wanting("{cpu: 1, memoryMB: 999999999, gpu: 0}"));
        const auto copied = f.ctl({u"rehearse"_s, wide, u"--minutes"_s, u"5"_s});
        QCOMPARE(copied.status, 4);
        QVERIFY2(copied.err.contains(QByteArray("trainyardctl edit " + wide.toUtf8() + " --set "))
                && copied.err.contains(" | trainyardctl rehearse - --minutes 5\n"),
            copied.err.constData());
        QVERIFY2(!copied.err.contains("edit -i"), copied.err.constData());
    }

    // Somebody who hands over a job after a rehearsal that went wrong knows that.
    void saysWhatIsKnownOfTheRehearsal()
    {
        ProgramsFixture f;
        const QByteArray bad = EngineFixture::document("bad", EngineFixture::role("worker", 2, {"exit 3"}));
        QCOMPARE(f.ctl({u"rehearse"_s, u"-"_s, u"--wait"_s}, bad, 60000).status, 3);
        PseudoTerminal terminal(40, 160);
        QVERIFY(terminal.start(
            f.program(u"trainyardctl"_s), {u"promote"_s, u"1"_s, u"--on"_s, u"local"_s}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("[y/N]"), 20000);
        QVERIFY2(terminal.written().contains("The rehearsal #1 failed: "), terminal.written().constData());
        terminal.type("n\n");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        QCOMPARE(terminal.process().exitCode(), 1);
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array().size(), 1); // nothing was submitted

        PseudoTerminal second(40, 160);
        QVERIFY(
            second.start(f.program(u"trainyardctl"_s), {u"promote"_s, u"1"_s, u"--on"_s, u"local"_s}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(second.written().contains("[y/N]"), 20000);
        second.type("y\n");
        QTRY_COMPARE_WITH_TIMEOUT(second.process().state(), QProcess::NotRunning, 20000);
        QCOMPARE(second.process().exitCode(), 0);
        QCOMPARE(f.ctl({u"wait"_s, u"2"_s}, {}, 60000).status, 3);
    }

    // The values of secrets are nowhere but in the file and in the task.
    void secretsComeFromTheFile()
    {
        ProgramsFixture f;
        const QByteArray secret = "correct-horse-battery";
        const QByteArray yaml = EngineFixture::document("keys",
            EngineFixture::role("worker", 2, {"test \"$(printf %s '<% $secrets.token %>' | wc -c)\" -eq 21"}),
            "secrets: {token: " + secret + "}\n");
        const QString file = f.write(u"work/keys.yaml"_s, yaml);
        QCOMPARE(f.ctl({u"rehearse"_s, file, u"--wait"_s}, {}, 60000).status, 0);
        const auto promoted
            = f.ctl({u"promote"_s, u"keys-rehearsal"_s, u"--on"_s, u"local"_s, u"--yes"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(promoted.status == 0, promoted.err.constData());
        QVERIFY2(promoted.err.contains("taken from"), promoted.err.constData());
        QVERIFY2(!promoted.err.contains(secret) && !promoted.out.contains(secret), promoted.err.constData());
    }

    void wrongWords()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s, job({}, 1));
        QCOMPARE(f.ctl({u"rehearse"_s, file, u"--param"_s, u"epoch=1"_s}).status, 2);
        QCOMPARE(f.ctl({u"rehearse"_s, file, u"--param"_s, u"epochs=many"_s}).status, 2);
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}, {}, 60000).status, 0);
        const auto plain = f.ctl({u"promote"_s, u"1"_s, u"--on"_s, u"local"_s, u"--yes"_s});
        QCOMPARE(plain.status, 4);
        QVERIFY2(plain.err.contains("#1 train is not a rehearsal."), plain.err.constData());
        QCOMPARE(f.ctl({u"rehearse"_s, file, u"--wait"_s}, {}, 60000).status, 0);
        QCOMPARE(f.ctl({u"promote"_s, u"2"_s, u"--yes"_s}).status, 2); // where?
        QCOMPARE(f.ctl({u"promote"_s, u"2"_s, u"--on"_s, u"local"_s, u"--param"_s, u"epoch=1"_s}).status, 2);
        QCOMPARE(f.ctl({u"promote"_s, u"2"_s, u"--on"_s, u"nowhere"_s, u"--yes"_s}).out, QByteArray());
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array().size(), 2);
    }
};

TRAINYARD_TEST(TstRehearsals)
#include "tst_rehearsals.moc"
