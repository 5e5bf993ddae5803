// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/kubernetesfixture.h"
#include "tests/helpers/testregistry.h"

using namespace Qt::StringLiterals;
using namespace trainyard;

// What a Kubernetes cluster was asked to take does not stay there, however late it comes and whatever is missing.
class TstKubeRemoval : public QObject, private KubernetesFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(begin()); }
    void cleanup() { end(); }
    void aMissingKindEndsTheStop();
    void podsThatAreLeftAreBelieved();
    void aRefusalLeavesNothingBeside();
    void whatComesLateIsFound();
    void whatComesLateIsDeleted_data();
    void whatComesLateIsDeleted();
    void whatIsRefusedMayBeThere();
    void whatIsGivenUpIsNamedForAShell();
    void settingsGoWithTheLastJob();

private:
    QString running() // a job
    {
        const QString uuid = submit(job({"true"}, "secrets: {token: hunter2222}\n"));
        return isThere(1) && m_cluster->run(sets().constFirst()) && becomes(uuid, State::Running) ? uuid : QString();
    }
    // The answer to what it is handed is lost, and it has not come to the cluster yet.
    QString handedOver()
    {
        const QString uuid = m_cluster->write(u"late"_s) ? submit(job({"true"})) : QString();
        return isTold(uuid, u"wait.kubernetes-silent"_s) ? uuid : QString();
    }
};

// JobSet was taken off the cluster, and all JobSets with it.
void TstKubeRemoval::aMissingKindEndsTheStop()
{
    const QString uuid = running();
    QVERIFY(!uuid.isEmpty());
    const QString set = sets().constFirst();
    QCOMPARE(m_cluster->besides(), QStringList{set});
    QVERIFY(m_cluster->write(u"no-jobset"_s));
    QVERIFY(QDir(m_cluster->path(u"sets/"_s + set)).removeRecursively());
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.state == State::Stopped; }, 60'000)); // it has to stay so
    QCOMPARE(m_cluster->besides(), QStringList());
    QVERIFY(isClear());
}

// A server that has just been started may not know its kinds yet.
void TstKubeRemoval::podsThatAreLeftAreBelieved()
{
    const QString uuid = running();
    QVERIFY(!uuid.isEmpty());
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->write(u"pods"_s, "pod/" + set.toUtf8() + "-pod\n"));
    QVERIFY(m_cluster->write(u"no-jobset"_s));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QTRY_COMPARE_WITH_TIMEOUT(m_cluster->besides(), QStringList(), 30'000);
    QVERIFY(isTold(uuid, u"stop.target-silent"_s));
    QCOMPARE(m_engine->job(uuid).state, State::Stopping);
    QVERIFY(QFile::remove(m_cluster->path(u"no-jobset"_s)));
    QVERIFY(becomes(uuid, State::Stopped));
    QCOMPARE(m_cluster->linesOf(u"deleted"_s), QByteArrayList{set.toUtf8()});
    QVERIFY(isClear());
}

// kubectl makes what it knows, and says that it does not know the rest.
void TstKubeRemoval::aRefusalLeavesNothingBeside()
{
    QVERIFY(m_cluster->write(u"no-jobset"_s));
    const QString uuid = submit(job({"true"}));
    QVERIFY(becomes(uuid, State::Failed));
    QCOMPARE(m_engine->job(uuid).reason, u"kubernetes.no-jobset"_s);
    QVERIFY(isClear());
    QCOMPARE(m_cluster->besides(), QStringList());
}

void TstKubeRemoval::whatComesLateIsFound()
{
    const QString uuid = handedOver();
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_cluster->arrive());
    QCOMPARE(sets().size(), 1);
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(QFile::remove(m_cluster->path(u"late"_s)));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QVERIFY(m_cluster->linesOf(u"created"_s).isEmpty()); // beside the one that came late
    QVERIFY(isClear());
}

void TstKubeRemoval::whatComesLateIsDeleted_data()
{
    QTest::addColumn<bool>("isAnother");
    QTest::newRow("the same engine") << false;
    QTest::newRow("another engine") << true;
}

// Its job was stopped before it came: nobody would follow it.
void TstKubeRemoval::whatComesLateIsDeleted()
{
    QFETCH(bool, isAnother);
    const QString uuid = handedOver();
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(becomes(uuid, State::Stopped));
    if (isAnother) {
        m_engine->close();
        QVERIFY(m_engine->open());
    }
    QVERIFY(m_cluster->arrive());
    QCOMPARE(sets().size(), 1);
    const QString set = sets().constFirst();
    QVERIFY(isClear());
    QCOMPARE(m_cluster->linesOf(u"deleted"_s), QByteArrayList{set.toUtf8()});
}

// Another engine does not know whether the cluster has it, and the cluster does not take it once more.
void TstKubeRemoval::whatIsRefusedMayBeThere()
{
    const QString uuid = handedOver();
    QVERIFY(!uuid.isEmpty());
    m_engine->close();
    QVERIFY(m_cluster->arrive());
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(QFile::remove(m_cluster->path(u"late"_s)));
    QVERIFY(m_cluster->write(u"repeats"_s, "spec is immutable"));
    QVERIFY(m_engine->open());
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
}

void TstKubeRemoval::whatIsGivenUpIsNamedForAShell()
{
    QVERIFY(m_engine->engine().setSetting(u"kubernetes.lab"_s, u"--kubeconfig=\"/a folder/config\" --context=lab"_s));
    const QString uuid = running();
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_cluster->write(u"silent"_s));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(isTold(uuid, u"stop.target-silent"_s));
    QVERIFY(m_engine->engine().giveUp(uuid).value_or(false));
    QVERIFY(becomes(uuid, State::Stopped));
    const QString look = m_engine->job(uuid).reasonArgs.value("look"_L1).toString();
    QVERIFY2(look.startsWith("kubectl '--kubeconfig=/a folder/config' "_L1), qPrintable(look));
}

void TstKubeRemoval::settingsGoWithTheLastJob()
{
    const auto isKept = [this] {
        return EngineFixture::contents(m_engine->path(u"state/cluster-settings.json"_s)).contains("kubernetes.lab");
    };
    const QString uuid = running();
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_engine->engine().setSetting(u"kubernetes.lab"_s, QJsonValue(QJsonValue::Null)));
    QVERIFY(isKept());
    QVERIFY(m_cluster->finish(sets().constFirst(), 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QTRY_VERIFY_WITH_TIMEOUT(!isKept(), 30'000);
}

TRAINYARD_TEST(TstKubeRemoval)
#include "tst_kuberemoval.moc"
