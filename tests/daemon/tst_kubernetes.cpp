// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/backend/secretkeeper.h"
#include "engine/clusters/kubebackend.h"
#include "engine/store/store.h"
#include "tests/daemon/kubernetesfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QScopeGuard>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Jobs on a cluster that is imitated.
class TstKubernetes : public QObject, private KubernetesFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void runsToItsEnd();
    void clockJumps_data();
    void clockJumps();
    void theClockOfANodeIsSetBack_data();
    void theClockOfANodeIsSetBack();
    void isSubmittedOnce();
    void refusalsAreFinal();
    void imagesAreNeeded();
    void outOfMemory();
    void preemptedIsTriedAgain();
    void whatIsDeletedThereIsStopped();
    void stops();
    void goesOnWithAnotherEngine();
    void anUnreadableNoteIsNoEnd();
    void aNoteThatIsReadEarlyIsNoEnd();
    void staysWhereItBegan();
    void mayBeSilent();
    void mayForgetJobSets();
    void waitsUntilItIsNoted();
    void whatAnyServerSaysIsNoRefusal();
    void secretsDoNotStay();
    void refusalsRepeatNoSecrets();
    void outputIsNotCopiedWithoutSecrets();
    void waitingIsExplained();

private:
    bool isNowhere(const QByteArrayList &texts) const // in what the engine has written
    {
        QDirIterator files(m_engine->options().stateFolder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            const QByteArray bytes = EngineFixture::contents(file);
            for (const QByteArray &text : texts) {
                if (bytes.contains(text)) {
                    qWarning() << text << "is in" << file;
                    return false;
                }
            }
        }
        return true;
    }
};

void TstKubernetes::init() { QVERIFY(begin()); }

void TstKubernetes::cleanup() { end(); }

void TstKubernetes::runsToItsEnd()
{
    const QString uuid = submit(job({"echo hello"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    const QByteArray manifest = m_cluster->manifest(set);
    QVERIFY(manifest.contains("kueue.x-k8s.io/queue-name: research"));
    QVERIFY(manifest.contains(uuid.toUtf8()));
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hello\n"));
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0) == "hello\n"; }, 30'000));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).host, u"kubernetes:lab/gpu-1"_s);
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hello\n2026-01-01T00:00:02.5Z bye"));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("hello\nbye"));
    QVERIFY(isClear());
    QCOMPARE(m_cluster->linesOf(u"created"_s).size(), 1);
    QCOMPARE(m_cluster->linesOf(u"deleted"_s), QByteArrayList{set.toUtf8()});
}

// The clock of this computer says nothing of when the cluster is to be asked, and for how long a pod was gone.
void TstKubernetes::clockJumps_data()
{
    QTest::addColumn<qint64>("step");
    QTest::newRow("back a day") << qint64(-86'400'000);
    QTest::newRow("on a day") << qint64(86'400'000);
}

void TstKubernetes::clockJumps()
{
    QFETCH(qint64, step);
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    const auto back = qScopeGuard([step] { stepClockForTests(-step); });
    stepClockForTests(step);
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hello\n"));
    QVERIFY(QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0) == "hello\n"; }, 30'000));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QVERIFY(isClear());
}

// The cluster has taken it, and the answer is lost.
// Lines have earlier times then than those that are here, and the cluster gives out only what is younger than a time.
void TstKubernetes::theClockOfANodeIsSetBack_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::newRow("by some seconds") << QByteArray("2026-01-01T00:00:35Z one\n");
    QTest::newRow("by an hour") << QByteArray("2026-01-01T01:00:00Z one\n");
}

void TstKubernetes::theClockOfANodeIsSetBack()
{
    QFETCH(QByteArray, before);
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, before));
    QVERIFY(m_cluster->run(set));
    QVERIFY(QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0) == "one\n"; }, 30'000));
    QVERIFY(m_cluster->write(
        u"logs/"_s + set + u"-pod"_s, before + "2026-01-01T00:00:30Z two\n2026-01-01T00:00:31Z three"));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("one\ntwo\nthree"));
}

void TstKubernetes::isSubmittedOnce()
{
    QVERIFY(m_cluster->write(u"lose-answer"_s));
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_cluster->linesOf(u"created"_s).size(), 1);
}

void TstKubernetes::refusalsAreFinal()
{
    QVERIFY(m_cluster->write(u"forbidden"_s));
    const QString uuid = submit(job({"true"}));
    QVERIFY(becomes(uuid, State::Failed));
    QCOMPARE(m_engine->job(uuid).reason, u"kubernetes.forbidden"_s);
    QVERIFY(isClear());
}

void TstKubernetes::imagesAreNeeded()
{
    QByteArray yaml = job({"true"});
    yaml.replace("    dockerImage: image\n", "");
    QVERIFY(submit(yaml).isEmpty());
    QCOMPARE(m_engine->error().code, u"kubernetes.no-image"_s);
}

void TstKubernetes::outOfMemory()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    QVERIFY(m_cluster->finish(sets().constFirst(), 137, u"OOMKilled"_s));
    QVERIFY(becomes(uuid, State::Failed));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).rawExit.value_or(0), 137);
    QVERIFY(isClear());
}

void TstKubernetes::preemptedIsTriedAgain()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString first = sets().constFirst();
    QVERIFY(m_cluster->finish(first, 143, {},
        {QJsonObject{
            {u"type"_s, u"DisruptionTarget"_s}, {u"status"_s, u"True"_s}, {u"reason"_s, u"PreemptionByScheduler"_s}}}));
    QVERIFY(
        QTest::qWaitFor([&] { return m_cluster->linesOf(u"created"_s).size() == 2 && sets().size() == 1; }, 30'000));
    const QString second = sets().constFirst();
    QVERIFY(second != first);
    QVERIFY(m_cluster->finish(second, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
}

void TstKubernetes::whatIsDeletedThereIsStopped()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(QDir(m_cluster->path(u"sets/"_s + set)).removeRecursively());
    QVERIFY(becomes(uuid, State::Stopped));
    QCOMPARE(m_engine->job(uuid).reason, u"kubernetes.deleted"_s);
    QVERIFY(isClear());
}

void TstKubernetes::stops()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    QVERIFY(m_cluster->run(sets().constFirst()));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(becomes(uuid, State::Stopped));
    QCOMPARE(m_cluster->linesOf(u"deleted"_s).size(), 1);
    QVERIFY(isClear());
}

void TstKubernetes::goesOnWithAnotherEngine()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z one\n"));
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0) == "one\n"; }, 30'000));
    m_engine->close();
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z one\n2026-01-01T00:00:02Z two\n"));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(m_engine->open());
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("one\ntwo\n"));
    QCOMPARE(m_cluster->linesOf(u"created"_s).size(), 1);
    QVERIFY(isClear());
}

// Another engine cannot read what was handed over: the job may run.
void TstKubernetes::anUnreadableNoteIsNoEnd()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    m_engine->close();
    const QString note = m_engine->options().stateFolder + u"/kubernetes/lab/"_s + set + u".json"_s;
    const QString kept = note + u".kept"_s;
    QVERIFY(QFile::rename(note, kept));
    // Nobody can read the first byte of its own memory.
    QVERIFY(QFile::link(u"/proc/self/mem"_s, note));
    QVERIFY(m_engine->open());
    QVERIFY(isTold(uuid, u"kubernetes.book-unread"_s));
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QVERIFY(QFile::remove(note) && QFile::rename(kept, note));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_cluster->linesOf(u"created"_s).size(), 1);
    QVERIFY(isClear());
}

// It can be read again before an engine that cannot write yet, as on a full disk, has asked for the job: this may run.
void TstKubernetes::aNoteThatIsReadEarlyIsNoEnd()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    const qint64 id = m_engine->job(uuid).id;
    m_engine->close();
    const QString folder = m_engine->options().stateFolder, note = folder + u"/kubernetes/lab/"_s + set + u".json"_s;
    const QString kept = note + u".kept"_s;
    QVERIFY(QFile::rename(note, kept));
    // The first byte of a process's own memory cannot be read.
    QVERIFY(QFile::link(u"/proc/self/mem"_s, note));
    const Result<std::unique_ptr<Store>> store = Store::open(folder + u"/store.db"_s);
    QVERIFY(store);
    std::optional<StoredJob> stored = (*store)->load(id);
    QVERIFY(stored);
    ActiveJob active;
    active.state = std::move(stored->state);
    const Settings settings;
    KubeCommands commands;
    ExitRulesFile rules(folder);
    KubeBackend backend({u"lab"_s, {u"--context=lab"_s}, u"research"_s}, folder, settings, commands, rules);
    std::optional<core::TryResult> result;
    connect(&backend, &Backend::happened, this, [&result](ActiveJob *, const core::Event &event) {
        if (const auto *ended = std::get_if<core::event::TryEnded>(&event.what)) {
            result = ended->result;
        }
    });
    backend.resume(active);
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(QFile::remove(note) && QFile::rename(kept, note));
    QVERIFY(QTest::qWaitFor([&] { return result || !m_cluster->linesOf(u"deleted"_s).isEmpty(); }, 30'000));
    QCOMPARE(m_cluster->linesOf(u"deleted"_s), QByteArrayList());
    QCOMPARE(result->code, 0);
}

// Whoever uses kubectl may turn to another cluster meanwhile.
void TstKubernetes::staysWhereItBegan()
{
    m_engine = std::make_unique<EngineFixture>(
        QJsonObject{{u"kubernetes.lab"_s, u"default"_s}, {u"clusters.pollSeconds"_s, 1}});
    QVERIFY(m_cluster->write(u"current"_s, "lab\nml\n"));
    QVERIFY(m_engine->open());
    const QString uuid = submit(job({"true"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_cluster->write(u"current"_s, "other\n\n"));
    m_engine->close();
    QVERIFY(m_engine->open());
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QVERIFY(isClear());
    QCOMPARE(m_cluster->linesOf(u"deleted"_s), QByteArrayList{set.toUtf8()});
}

// No answer is the end of no job.
void TstKubernetes::mayBeSilent()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_cluster->write(u"silent"_s));
    QVERIFY(isTold(uuid, u"job.kubernetes-silent"_s));
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(QFile::remove(m_cluster->path(u"silent"_s)));
    QVERIFY(becomes(uuid, State::Succeeded));
}

// What the cluster says is told as it is, and is the end of no job either.
void TstKubernetes::mayForgetJobSets()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_cluster->write(u"no-jobset"_s));
    QVERIFY(isTold(uuid, u"job.kubernetes-no-jobset"_s));
    QVERIFY(m_engine->job(uuid).reasonArgs.value("detail"_L1).toString().contains(u"jobsets"_s));
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(QFile::remove(m_cluster->path(u"no-jobset"_s)));
    QVERIFY(becomes(uuid, State::Succeeded));
}

// Nothing is handed over without a note, and a disk may have room again.
void TstKubernetes::waitsUntilItIsNoted()
{
    const QString notes = m_engine->options().stateFolder + u"/kubernetes/lab"_s;
    QVERIFY(QDir().mkpath(QFileInfo(notes).path()));
    QFile inItsPlace(notes);
    QVERIFY(inItsPlace.open(QIODevice::WriteOnly));
    const QString uuid = submit(job({"true"}));
    QVERIFY(isTold(uuid, u"kubernetes.book"_s));
    QVERIFY(!isFinal(m_engine->job(uuid).state));
    QVERIFY(sets().isEmpty());
    QVERIFY(inItsPlace.remove());
    QVERIFY(isThere(1));
    QVERIFY(m_cluster->finish(sets().constFirst(), 0));
    QVERIFY(becomes(uuid, State::Succeeded));
}

// As from a proxy whose server starts again: the job waits, and is taken then.
void TstKubernetes::whatAnyServerSaysIsNoRefusal()
{
    QVERIFY(m_cluster->write(u"not-found"_s));
    const QString uuid = submit(job({"true"}));
    QVERIFY(isTold(uuid, u"kubernetes.no-jobset"_s));
    QVERIFY(!isFinal(m_engine->job(uuid).state));
    QVERIFY(QFile::remove(m_cluster->path(u"not-found"_s)));
    QVERIFY(isThere(1));
    QVERIFY(m_cluster->finish(sets().constFirst(), 0));
    QVERIFY(becomes(uuid, State::Succeeded));
}

// They go through the input of kubectl, and nothing of this computer keeps them.
void TstKubernetes::secretsDoNotStay()
{
    const QString uuid = submit(job({"echo <% $secrets.token %>"}, "secrets: {token: hunter2222}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->manifest(set).contains("hunter2222"));
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hunter2222\n"));
    QVERIFY(m_cluster->finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("******\n"));
    QVERIFY(isNowhere({"hunter2222"}));
}

// What kubectl does not understand it repeats, as it spells it; where its words are cut makes no difference.
void TstKubernetes::refusalsRepeatNoSecrets()
{
    const QByteArray secret = "correct-horse-battery-staple";
    const QByteArray begin = "data: " + secret.toBase64() + "; stringData: ";
    constexpr qsizetype nearTheCut = 260; // behind the words of the command
    const QByteArray words = begin + QByteArray(nearTheCut - begin.size(), '.') + secret + " is not expected";
    QVERIFY(m_cluster->write(u"repeats"_s, words));
    const QString uuid = submit(job({"true"}, "secrets: {token: " + secret + "}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(becomes(uuid, State::Failed));
    QCOMPARE(m_engine->job(uuid).reason, u"kubernetes.refused"_s);
    const QString detail = m_engine->job(uuid).reasonArgs.value("detail"_L1).toString();
    QVERIFY2(detail.contains("data: ******"_L1) && !detail.contains("correct"_L1), qPrintable(detail));
    QVERIFY(isClear());
    QVERIFY(isNowhere({"correct-h", secret.toBase64().first(20)}));
}

// They are kept in memory only, which this computer loses when it restarts.
void TstKubernetes::outputIsNotCopiedWithoutSecrets()
{
    const QString uuid = submit(job({"echo <% $secrets.token %>"}, "secrets: {token: hunter2222}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->run(set));
    QVERIFY(becomes(uuid, State::Running));
    m_engine->close();
    SecretKeeper keeper(m_engine->options().runtimeFolder);
    const QUuid id = QUuid::fromString(uuid);
    QVERIFY(keeper.secretsOf(id).has_value());
    keeper.forget(id);
    QVERIFY(m_cluster->write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hunter2222\n"));
    QVERIFY(m_engine->open());
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_cluster->finish(set, 3));
    QVERIFY(becomes(uuid, State::Failed));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).rawExit.value_or(0), 3);
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray());
    QVERIFY(isNowhere({"hunter2222"}));
    QVERIFY(isClear());
}

void TstKubernetes::waitingIsExplained()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(m_cluster->show(set,
        {{u"phase"_s, u"Pending"_s},
            {u"conditions"_s,
                QJsonArray{QJsonObject{{u"type"_s, u"PodScheduled"_s}, {u"status"_s, u"False"_s},
                    {u"reason"_s, u"Unschedulable"_s}, {u"message"_s, u"0/3 nodes are available"_s}}}}}));
    QVERIFY(isTold(uuid, u"wait.kubernetes-room"_s));
    QCOMPARE(m_engine->job(uuid).state, State::Waiting);
    QVERIFY(m_cluster->show(set,
        {{u"phase"_s, u"Pending"_s},
            {u"containerStatuses"_s,
                m_cluster->container({{u"waiting"_s, QJsonObject{{u"reason"_s, u"ImagePullBackOff"_s}}}})}}));
    QVERIFY(isTold(uuid, u"wait.kubernetes-image"_s));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(becomes(uuid, State::Stopped));
}

TRAINYARD_TEST(TstKubernetes)
#include "tst_kubernetes.moc"
