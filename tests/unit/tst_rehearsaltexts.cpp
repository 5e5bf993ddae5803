// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/rehearsaltexts.h"
#include "widgets/text/texts.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What is said of rehearsals.
class TstRehearsalTexts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void changes_data()
    {
        QTest::addColumn<RehearsalChange>("change");
        QTest::addColumn<QString>("text");
        const auto row = [](const RehearsalChange &change, const char *text) {
            QTest::newRow(text) << change << QString::fromLatin1(text);
        };
        const YamlPath role{u"taskRoles"_s, u"worker"_s};
        const YamlPath time{u"extras"_s, u"trainyard"_s, u"limits"_s, u"timeSeconds"_s};
        row({u"rehearsal.name"_s, {u"name"_s}, u"a"_s, u"a-rehearsal"_s}, "the name a-rehearsal instead of a");
        row({u"rehearsal.instances"_s, role.child(u"instances"_s), 4, 1}, "worker: 1 instance instead of 4");
        row({u"rehearsal.gpus"_s, role.child(u"resourcePerInstance"_s).child(u"gpu"_s), 4, 1},
            "worker: 1 of 4 GPUs for each task");
        row({u"rehearsal.min-failed"_s, role.child(u"completion"_s).child(u"minFailedInstances"_s), 3, 1},
            "worker: minFailedInstances 1 instead of 3");
        row({u"rehearsal.min-succeeded"_s, role.child(u"completion"_s).child(u"minSucceededInstances"_s), 4, 1},
            "worker: minSucceededInstances 1 instead of 4");
        row({u"rehearsal.task-retries"_s, role.child(u"taskRetryCount"_s), 2, 0},
            "worker: taskRetryCount 0 instead of 2");
        row({u"rehearsal.job-retries"_s, {u"jobRetryCount"_s}, -2, 0}, "jobRetryCount 0 instead of -2");
        row({u"rehearsal.completed"_s, {u"extras"_s, u"trainyard"_s, u"legacy"_s, u"killAllOnCompletedTaskNumber"_s}, 3,
                1},
            "killAllOnCompletedTaskNumber 1 instead of 3");
        row({u"rehearsal.time"_s, time, QJsonValue(), 30}, "a time limit of 30 s");
        row({u"rehearsal.time"_s, time, 45, 30}, "a time limit of 30 s instead of 45 s");
        row({u"rehearsal.parameter"_s, {u"parameters"_s, u"lr"_s}, 0.1, 0.5}, "the parameter lr: 0.5 instead of 0.1");
        row({u"rehearsal.parameter"_s, {u"parameters"_s, u"lr"_s}, QJsonValue(), 0.5}, "the parameter lr: 0.5");
    }
    void changes()
    {
        QFETCH(RehearsalChange, change);
        QTEST(rehearsalChangeText(change), "text");
    }

    // One advice: the engine's is about the job, which is to run elsewhere as it is.
    void refusals()
    {
        QJsonObject args{{u"role"_s, u"worker"_s}, {u"wanted"_s, 4}, {u"most"_s, 0}, {u"host"_s, QString()}};
        const auto offer = [](const QString &resource) {
            return QJsonObject{{u"path"_s, u"/x"_s}, {u"resource"_s, resource}, {u"value"_s, u"0"_s}};
        };
        const QString withoutOffer = errorText({u"refuse.gpu"_s, args});
        QVERIFY2(withoutOffer.endsWith(u"add a host that has one."_s), qPrintable(withoutOffer));
        QCOMPARE(errorText(refusedRehearsal({u"refuse.gpu"_s, args})), withoutOffer);
        args.insert(u"fix"_s, QJsonArray{offer(u"gpu"_s)});
        QCOMPARE(errorText(refusedRehearsal({u"refuse.gpu"_s, args})),
            u"A task of worker asks for 4 GPUs, but no host on which the job may run has a GPU."_s);
        args.insert(u"most"_s, 2);
        args.insert(u"host"_s, u"lab1"_s);
        QCOMPARE(errorText(refusedRehearsal({u"refuse.gpu"_s, args})),
            u"A task of worker asks for 4 GPUs; the most that one host has is 2 (lab1)."_s);
        // What the rehearsal cannot lower is for the user to change.
        args.insert(u"fix"_s, QJsonArray{offer(u"gpu"_s), offer(u"memoryMB"_s)});
        const QString ofBoth = errorText(refusedRehearsal({u"refuse.gpu"_s, args}));
        QVERIFY2(ofBoth.endsWith(u"Ask for fewer."_s), qPrintable(ofBoth));
    }

    void doubts()
    {
        JobSummary job;
        job.id = 41;
        job.state = State::Running;
        QCOMPARE(rehearsalDoubt(job), u"The rehearsal #41 has not ended yet: Running."_s);
        job.state = State::Stopped;
        QCOMPARE(rehearsalDoubt(job), u"The rehearsal #41 was stopped before its end."_s);
        job.state = State::Failed;
        job.reason = u"limit.time"_s;
        job.reasonArgs = {{u"seconds"_s, 600}};
        QVERIFY(rehearsalDoubt(job).startsWith(u"The rehearsal #41 ran until its time limit"_s));
        job.reason = u"exit.user"_s;
        QVERIFY(rehearsalDoubt(job).startsWith(u"The rehearsal #41 failed: "_s));
        job.state = State::Succeeded;
        QCOMPARE(rehearsalDoubt(job), QString());
    }

    void otherJobs()
    {
        QCOMPARE(otherJobText({41, u"u"_s, u"train"_s, State::Running}, 0), u"#41 train, Running"_s);
        QCOMPARE(otherJobText({0, u"u"_s, {}}, 0), u"a job that has been removed"_s);
        QVERIFY(otherJobText({41, u"u"_s, u"train"_s, State::Succeeded, 1}, 2).startsWith(u"#41 train, Succeeded "_s));
        QVERIFY(otherJobText({41, u"u"_s, u"train"_s, State::Failed, 1, u"limit.time"_s}, 2)
                    .startsWith(u"#41 train, ran until its time limit "_s));
    }
};

TRAINYARD_TEST(TstRehearsalTexts)
#include "tst_rehearsaltexts.moc"
