// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/fakekubernetes.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

// A Kubernetes cluster from the command line: the real programs, and a kubectl that imitates a cluster.
class TstCliKubernetes : public QObject
{
    Q_OBJECT

    static ProgramsFixture::Output add(const ProgramsFixture &f, const QStringList &options)
    {
        return f.ctl(
            QStringList{u"targets"_s, u"add"_s, u"kubernetes:lab"_s, u"--queue"_s, u"research"_s, u"--"_s} + options);
    }

private Q_SLOTS:
    void aTargetIsAddedAndUsed()
    {
        const FakeKubernetes cluster;
        QVERIFY(cluster.isThere());
        ProgramsFixture f;
        f.setSettings({{u"clusters.pollSeconds"_s, 1}});
        const auto added = add(f, {u"--context=lab"_s, u"--namespace=ml"_s});
        QVERIFY2(added.status == 0, added.out.constData());
        for (const char *fact : {"kubectl v1.31.2", "Kubernetes v1.30.4", "JobSets are known", "Namespace", "research",
                 "1 of 1 nodes ready, 8 GPUs", "trainyardctl run --on kubernetes:lab JOB"}) {
            QVERIFY2(added.out.contains(fact), added.out.constData());
        }
        const QJsonArray json = f.ctl({u"targets"_s, u"list"_s, u"--json"_s}).json().array();
        QCOMPARE(json.first().toObject().value("id"_L1).toString(), u"kubernetes:lab"_s);
        QVERIFY(json.first().toObject().value("options"_L1).toString().contains("--namespace=ml"_L1));

        const QString file = f.write(u"work/job.yaml"_s,
            EngineFixture::document("on-kubernetes", EngineFixture::role("worker", 1, {"echo hello"})));
        const std::unique_ptr<QProcess> run = f.startCtl({u"run"_s, file, u"--on"_s, u"kubernetes:lab"_s, u"--wait"_s});
        run->closeWriteChannel();
        QVERIFY(QTest::qWaitFor([&cluster] { return cluster.sets().size() == 1; }, 20'000));
        const QString set = cluster.sets().constFirst();
        QVERIFY(cluster.manifest(set).contains("kueue.x-k8s.io/queue-name: research"));
        QVERIFY(cluster.write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hello\n"));
        QVERIFY(cluster.finish(set, 0));
        QVERIFY(run->waitForFinished(60'000));
        QCOMPARE(run->exitCode(), 0);
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"worker/0"_s}).out, QByteArray("hello\n"));

        const auto removed = f.ctl({u"targets"_s, u"remove"_s, u"kubernetes:lab"_s});
        QVERIFY2(removed.status == 0, removed.err.constData());
        QVERIFY(!f.ctl({u"settings"_s}).out.contains("kubernetesQueue.lab"));
        const auto refused = f.ctl({u"run"_s, file, u"--on"_s, u"kubernetes:lab"_s});
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("kubernetes:lab has been removed from the settings"), refused.err.constData());
    }

    void aCheckSaysWhatToDo_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<QByteArray>("step"); // that fails, the last one
        QTest::addColumn<QByteArray>("says");
        const QStringList good{u"--context=lab"_s};
        QTest::newRow("another context") << QStringList{u"--context=far"_s} << QString() << QByteArray("Answers")
                                         << QByteArray("'kubectl config get-contexts' lists");
        QTest::newRow("silent") << good << u"silent"_s << QByteArray("Answers")
                                << QByteArray("Check whether 'kubectl version' reaches it");
        QTest::newRow("no JobSet") << good << u"no-jobset"_s << QByteArray("JobSet")
                                   << QByteArray("can install the JobSet controller");
        QTest::newRow("a right that is missing")
            << good << u"no-pods"_s << QByteArray("Rights") << QByteArray("may not list pods at kubernetes:lab");
        QTest::newRow("no such namespace") << QStringList{u"--context=lab"_s, u"--namespace=other"_s} << QString()
                                           << QByteArray("Namespace") << QByteArray("Change --namespace");
    }
    void aCheckSaysWhatToDo()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, behaviour);
        QFETCH(QByteArray, step);
        QFETCH(QByteArray, says);
        const FakeKubernetes cluster;
        QVERIFY(cluster.isThere() && (behaviour.isEmpty() || cluster.write(behaviour)));
        const ProgramsFixture f;
        const auto added = add(f, options);
        QCOMPARE(added.status, 1);
        QVERIFY2(added.out.contains(says), added.out.constData());
        QVERIFY2(added.out.trimmed().split('\n').constLast().startsWith(step), added.out.constData());
        QVERIFY2(added.err.contains("kubernetes:lab is kept"), added.err.constData());
        const auto checked = f.ctl({u"targets"_s, u"check"_s, u"kubernetes:lab"_s, u"--json"_s});
        QCOMPARE(checked.status, 1);
        QVERIFY(!checked.json()["steps"_L1].toArray().last().toObject().value("good"_L1).toBool(true));
    }

    // Who may not look at nodes can run jobs nevertheless.
    void whatIsHiddenIsNoFault()
    {
        const FakeKubernetes cluster;
        QVERIFY(cluster.write(u"hide-nodes"_s));
        const ProgramsFixture f;
        const auto added = add(f, {u"--context=lab"_s});
        QVERIFY2(added.status == 0, added.out.constData());
        QVERIFY2(added.out.contains("may not list the nodes"), added.out.constData());
    }

    void wrongWordsAreRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a folder") << QStringList{u"kubernetes:lab"_s, u"--folder"_s, u"/tmp"_s}
                                  << QByteArray("--folder is for clusters of Slurm");
        QTest::newRow("an option of another command") << QStringList{u"kubernetes:lab"_s, u"--"_s, u"--output=json"_s}
                                                      << QByteArray("is not a valid option of a Kubernetes target");
        QTest::newRow("no value") << QStringList{u"kubernetes:lab"_s, u"--"_s, u"--context"_s}
                                  << QByteArray("--context needs a value");
        QTest::newRow("a queue with a blank")
            << QStringList{u"kubernetes:lab"_s, u"--queue"_s, u"a b"_s} << QByteArray("is not a valid queue name");
        QTest::newRow("a queue of Slurm") << QStringList{u"slurm:lab"_s, u"--queue"_s, u"gpu"_s}
                                          << QByteArray("--queue is for clusters of Kubernetes");
    }
    void wrongWordsAreRefused()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        const ProgramsFixture f;
        const auto refused = f.ctl(QStringList{u"targets"_s, u"add"_s} + words);
        QVERIFY(refused.status != 0);
        QVERIFY2(refused.err.contains(says), refused.err.constData());
    }

    // Those that are there are named, of every kind.
    void anUnknownOneIsSaid()
    {
        const FakeKubernetes cluster;
        const ProgramsFixture f;
        f.setSettings({{u"kubernetes.lab"_s, u"default"_s}, {u"slurm.far"_s, u"default"_s},
            {u"openpai.old"_s, u"https://pai.example.org"_s}});
        const auto refused = f.ctl({u"targets"_s, u"remove"_s, u"kubernetes:other"_s});
        QCOMPARE(refused.status, 4);
        for (const char *known : {"kubernetes:lab", "slurm:far", "openpai:old"}) {
            QVERIFY2(refused.err.contains(known), refused.err.constData());
        }
    }
};

TRAINYARD_TEST(TstCliKubernetes)
#include "tst_clikubernetes.moc"
