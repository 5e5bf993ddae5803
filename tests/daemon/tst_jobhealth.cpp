// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Health marks of real jobs: found in the output, kept after the end, silenced.
class TstJobHealth : public QObject
{
    Q_OBJECT

    static QJsonArray marksOf(const ProgramsFixture &f, const QString &job)
    {
        const auto said = f.ctl({u"show"_s, job, u"--json"_s});
        return QJsonDocument::fromJson(said.out).object().value("engine"_L1).toObject().value("health"_L1).toArray();
    }
    static QByteArray diverging(const QByteArray &name, const QByteArray &extras = {})
    {
        return EngineFixture::document(name,
                   EngineFixture::role("worker", 1,
                       {"for i in 1 2 3; do echo \"step $i loss: 0.$((5 - i))\"; done",
                           "for i in 4 5 6; do echo \"step $i loss: nan\"; done",
                           "until [ -e over ]; do sleep 0.05; done"}))
            + extras;
    }

private Q_SLOTS:
    void ofAJob()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/sick.yaml"_s, diverging("sick"));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(marksOf(f, u"sick"_s).size(), 1, 30000);
        const QJsonObject mark = marksOf(f, u"sick"_s).first().toObject();
        QCOMPARE(mark.value("code"_L1).toString(), u"health.not-finite"_s);
        QCOMPARE(mark.value("metric"_L1).toString(), u"loss"_s);
        QCOMPARE(mark.value("step"_L1).toInt(), 4);
        QCOMPARE(mark.value("role"_L1).toString(), u"worker"_s);
        QVERIFY(mark.value("at"_L1).toInteger() > 1'600'000'000'000);
        const QByteArray text = f.ctl({u"show"_s, u"sick"_s}).out;
        QVERIFY2(text.contains("loss is NaN since step 4"), text.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{name}: {health}"_s}).out, "sick: loss is NaN since step 4\n");

        // Silenced for all jobs, and shown again.
        QCOMPARE(f.ctl({u"settings"_s, u"health.silence"_s, u"not-finite"_s}).status, 0);
        QVERIFY(marksOf(f, u"sick"_s).isEmpty());
        QCOMPARE(f.ctl({u"settings"_s, u"--unset"_s, u"health.silence"_s}).status, 0);
        QCOMPARE(marksOf(f, u"sick"_s).size(), 1);

        // Kept after the end, also of the engine that saw it.
        f.write(u"work/over"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"sick"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(marksOf(f, u"sick"_s).size(), 1, 20000);
        const auto why = f.ctl({u"why"_s, u"sick"_s});
        QCOMPARE(why.status, 1);
        QVERIFY2(why.err.contains("No task of #1 sick has failed, but see its health: loss is NaN since step 4"),
            why.err.constData());
        const auto json = f.ctl({u"why"_s, u"1"_s, u"--json"_s});
        const QJsonObject told = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(json.status, 1);
        QVERIFY(told.value("cause"_L1).isNull());
        QCOMPARE(
            told.value("health"_L1).toArray().at(0).toObject().value("code"_L1).toString(), u"health.not-finite"_s);
        const QByteArray several = f.ctl({u"why"_s, u"1"_s, u"1"_s, u"sick"_s}).out;
        QVERIFY2(several.contains("#1 sick: SUCCEEDED. loss is NaN since step 4"), several.constData());
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(marksOf(f, u"sick"_s), QJsonArray{mark});
        QCOMPARE(f.ctl({u"settings"_s, u"health.silence"_s, u"not-finite"_s}).status, 0);
        QVERIFY(marksOf(f, u"sick"_s).isEmpty());
        // What nobody wants to hear of is not looked for, either.
        const auto found = [&f](const QString &filter) {
            return f.ctl({u"ps"_s, filter, u"--format"_s, u"{name}"_s}).out;
        };
        QCOMPARE(found(u"is:unhealthy"_s), QByteArray());
        QCOMPARE(found(u"-is:unhealthy"_s), "sick\n");
        QCOMPARE(f.ctl({u"rm"_s, u"sick"_s}).status, 0);
    }

    // A mark on what is told once an epoch stands where its plot has it.
    void ofEpochs()
    {
        ProgramsFixture f;
        const QByteArray job = EngineFixture::document("epochs",
            EngineFixture::role("worker", 1,
                {"v=0.5; for e in 1 2 3 4; do for i in 1 2; do echo epoch $e/4 step $((e * 2 - 2 + i)) loss=0.$e$i; "
                 "done; test $e -lt 3 || v=nan; echo epoch $e val_loss=$v; done"}));
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/epochs.yaml"_s, job), u"--wait"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(marksOf(f, u"epochs"_s).size(), 1, 30000);
        const QJsonObject mark = marksOf(f, u"epochs"_s).first().toObject();
        QCOMPARE(mark.value("metric"_L1).toString(), u"val_loss"_s);
        QCOMPARE(mark.value("step"_L1).toInt(), 6);
    }

    void silencedByTheJob()
    {
        ProgramsFixture f;
        f.write(u"work/over"_s, {});
        const QString quiet = f.write(
            u"work/quiet.yaml"_s, diverging("quiet", "extras: {trainyard: {health: {silence: [not-finite]}}}\n"));
        const QString loud = f.write(u"work/loud.yaml"_s, diverging("loud"));
        QCOMPARE(f.ctl({u"run"_s, quiet, u"--wait"_s}).status, 0);
        QCOMPARE(f.ctl({u"run"_s, loud, u"--wait"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(marksOf(f, u"loud"_s).size(), 1, 30000);
        QVERIFY(marksOf(f, u"quiet"_s).isEmpty());
    }

    // Who used what, from the tries that the store has.
    void usage()
    {
        ProgramsFixture f;
        f.write(u"work/over"_s, {});
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/sick.yaml"_s, diverging("sick")), u"--wait"_s}).status, 0);
        const QJsonObject usage = f.ctl({u"usage"_s, u"--by"_s, u"name"_s, u"--json"_s}).json().object();
        QCOMPARE(usage.value("totals"_L1).toArray().size(), 1);
        const QJsonObject total = usage.value("totals"_L1).toArray().first().toObject();
        QCOMPARE(total.value("name"_L1).toString(), u"sick"_s);
        QCOMPARE(total.value("jobs"_L1).toInt(), 1);
        QVERIFY(total.value("taskSeconds"_L1).toDouble() > 0);
        QVERIFY(f.ctl({u"usage"_s, u"--by"_s, u"name"_s}).out.contains("sick"));
    }
};

TRAINYARD_TEST(TstJobHealth)
#include "tst_jobhealth.moc"
