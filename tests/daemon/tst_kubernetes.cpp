// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

// Keeps what it is handed in folders, and says of it what the test has put there.
const char fakeKubectl[] = R"sh(#!/bin/bash
cd "$(dirname "$0")/.." || exit 9
[ "$1" = --context=lab ] || { echo 'error: context "other" does not exist' >&2; exit 1; }
shift
if [ -e silent ]; then
    echo 'The connection to the server lab:6443 was refused - did you specify the right host or port?' >&2
    exit 1
fi
case "$1 $2" in
"apply -f")
    text=$(cat)
    if [ -e forbidden ]; then
        echo 'Error from server (Forbidden): jobsets.jobset.x-k8s.io is forbidden: User "ada" cannot create' >&2
        exit 1
    fi
    name=$(sed -n '/^kind: JobSet/,$s/^  name: //p' <<<"$text" | head -n 1)
    [ -d "sets/$name" ] || echo "$name" >>created
    # Whole, or not there: whoever sees the folder reads the manifest.
    mkdir -p "new/$name"
    printf '%s\n' "$text" >"new/$name/manifest"
    if [ -d "sets/$name" ]; then mv "new/$name/manifest" "sets/$name/manifest"; else mkdir -p sets; mv "new/$name" sets/; fi
    if [ -e lose-answer ]; then
        rm lose-answer
        echo 'Unable to connect to the server: unexpected EOF' >&2
        exit 1
    fi
    ;;
"get jobsets.jobset.x-k8s.io,pods")
    printf '{"kind": "List", "items": [{"kind": "ConfigMap"}'
    for folder in sets/*/; do
        [ -d "$folder" ] || continue
        cat "$folder/items" 2>/dev/null && continue
        printf ', {"kind": "JobSet", "metadata": {"name": "%s"}}' "$(basename "$folder")"
    done
    printf ']}\n'
    ;;
"get jobset.jobset.x-k8s.io/"*)
    [ -d "sets/${2##*/}" ] && echo "$2"
    exit 0
    ;;
"logs "*)
    cat "logs/$2" 2>/dev/null || { echo 'Error from server (NotFound): pods not found' >&2; exit 1; }
    ;;
"delete jobset"*)
    name=${2##*/}
    [ ! -d "sets/$name" ] || echo "$name" >>deleted
    rm -rf "sets/$name"
    ;;
"delete pods") ;;
*)
    echo "error: unknown command $*" >&2
    exit 1
    ;;
esac
)sh";

} // namespace

// Jobs on a cluster that is imitated: the command kubectl is a script.
class TstKubernetes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void runsToItsEnd();
    void isSubmittedOnce();
    void refusalsAreFinal();
    void imagesAreNeeded();
    void outOfMemory();
    void preemptedIsTriedAgain();
    void whatIsDeletedThereIsStopped();
    void stops();
    void goesOnWithAnotherEngine();
    void mayBeSilent();
    void secretsDoNotStay();
    void waitingIsExplained();

private:
    QString path(const QString &name) const { return m_cluster->path() + u'/' + name; }
    static QByteArray job(const QByteArrayList &commands, const QByteArray &more = {})
    {
        return EngineFixture::document("on-kubernetes", EngineFixture::role("worker", 1, commands), more);
    }
    QString submit(const QByteArray &yaml)
    {
        SubmitRequest request;
        request.target = u"kubernetes:lab"_s;
        return m_engine->submit(yaml, request);
    }
    QStringList sets() const { return QDir(path(u"sets"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot); }
    QByteArrayList linesOf(const QString &name) const
    {
        QByteArrayList lines = EngineFixture::contents(path(name)).split('\n');
        lines.removeAll(QByteArray());
        return lines;
    }
    bool write(const QString &name, const QByteArray &bytes = "x") const
    {
        QFile file(path(name) + u".new"_s);
        const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush();
        file.close();
        QFile::remove(path(name));
        return isWritten && file.rename(path(name));
    }
    // What the cluster says of the first pod of a set.
    bool show(const QString &set, const QJsonObject &status) const;
    bool run(const QString &set) const
    {
        return show(set,
            {{u"phase"_s, u"Running"_s}, {u"podIP"_s, u"10.1.0.7"_s},
                {u"containerStatuses"_s, container({{u"running"_s, QJsonObject{{u"startedAt"_s, began()}}}})}});
    }
    bool finish(const QString &set, int status, const QString &reason = {}, const QJsonArray &conditions = {}) const
    {
        const QString why = !reason.isEmpty() ? reason : status == 0 ? u"Completed"_s : u"Error"_s;
        const QJsonObject ended{{u"exitCode"_s, status}, {u"reason"_s, why}, {u"startedAt"_s, began()},
            {u"finishedAt"_s, u"2026-01-01T00:01:00Z"_s}};
        return show(set,
            {{u"phase"_s, status == 0 ? u"Succeeded"_s : u"Failed"_s}, {u"conditions"_s, conditions},
                {u"containerStatuses"_s, container({{u"terminated"_s, ended}})}});
    }
    static QString began() { return u"2026-01-01T00:00:00Z"_s; }
    static QJsonArray container(const QJsonObject &state)
    {
        return {QJsonObject{{u"name"_s, u"task"_s}, {u"image"_s, u"example/image:1"_s}, {u"state"_s, state}}};
    }
    bool becomes(const QString &uuid, State state)
    {
        return m_engine->waitFor(
            uuid, [state](const JobSummary &summary) { return summary.state == state; }, 30'000);
    }
    bool isTold(const QString &uuid, const QString &reason)
    {
        return m_engine->waitFor(
            uuid, [&reason](const JobSummary &summary) { return summary.reason == reason; }, 30'000);
    }
    bool isThere(int count) const
    {
        return QTest::qWaitFor([this, count] { return sets().size() == count; }, 30'000);
    }
    bool isClear() const // also in the engine's own notes
    {
        return QTest::qWaitFor(
            [this] {
                return sets().isEmpty()
                    && QDir(m_engine->options().stateFolder + u"/kubernetes/lab"_s).entryList(QDir::Files).isEmpty();
            },
            30'000);
    }

    std::unique_ptr<QTemporaryDir> m_cluster;
    std::unique_ptr<EngineFixture> m_engine;
    QByteArray m_path;
};

void TstKubernetes::init()
{
    m_cluster = std::make_unique<QTemporaryDir>();
    m_path = qgetenv("PATH");
    QVERIFY(QDir(m_cluster->path()).mkpath(u"bin"_s) && QDir(m_cluster->path()).mkpath(u"logs"_s));
    QVERIFY(write(u"bin/kubectl"_s, fakeKubectl));
    QVERIFY(QFile::setPermissions(path(u"bin/kubectl"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("PATH", QFile::encodeName(path(u"bin"_s)) + ':' + m_path);
    m_engine = std::make_unique<EngineFixture>(QJsonObject{{u"kubernetes.lab"_s, u"--context=lab"_s},
        {u"kubernetesQueue.lab"_s, u"research"_s}, {u"clusters.pollSeconds"_s, 1}, {u"retry.pauseSeconds"_s, 0}});
    QVERIFY(m_engine->open());
}

void TstKubernetes::cleanup()
{
    m_engine.reset();
    qputenv("PATH", m_path);
    m_cluster.reset();
}

bool TstKubernetes::show(const QString &set, const QJsonObject &status) const
{
    const QByteArray manifest = EngineFixture::contents(path(u"sets/"_s + set + u"/manifest"_s));
    const qsizetype jobs = manifest.indexOf("replicatedJobs:");
    const qsizetype at = manifest.indexOf("name: ", jobs) + 6;
    const QString part = QString::fromUtf8(manifest.mid(at, manifest.indexOf('\n', at) - at));
    const QJsonObject labels{{u"jobset.sigs.k8s.io/jobset-name"_s, set},
        {u"jobset.sigs.k8s.io/replicatedjob-name"_s, part}, {u"jobset.sigs.k8s.io/job-index"_s, u"0"_s}};
    const QJsonObject pod{{u"kind"_s, u"Pod"_s},
        {u"metadata"_s,
            QJsonObject{{u"name"_s, QString(set + u"-pod"_s)}, {u"uid"_s, u"u1"_s}, {u"labels"_s, labels},
                {u"creationTimestamp"_s, began()}}},
        {u"spec"_s, QJsonObject{{u"nodeName"_s, u"gpu-1"_s}}}, {u"status"_s, status}};
    const QJsonObject object{{u"kind"_s, u"JobSet"_s}, {u"metadata"_s, QJsonObject{{u"name"_s, set}}}};
    return jobs > 0
        && write(u"sets/"_s + set + u"/items"_s,
            ", " + QJsonDocument(object).toJson(QJsonDocument::Compact) + ", "
                + QJsonDocument(pod).toJson(QJsonDocument::Compact));
}

void TstKubernetes::runsToItsEnd()
{
    const QString uuid = submit(job({"echo hello"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    const QByteArray manifest = EngineFixture::contents(path(u"sets/"_s + set + u"/manifest"_s));
    QVERIFY(manifest.contains("kueue.x-k8s.io/queue-name: research"));
    QVERIFY(manifest.contains(uuid.toUtf8()));
    QVERIFY(write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hello\n"));
    QVERIFY(run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0) == "hello\n"; }, 30'000));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).host, u"kubernetes:lab/gpu-1"_s);
    QVERIFY(write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hello\n2026-01-01T00:00:02.5Z bye"));
    QVERIFY(finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("hello\nbye"));
    QVERIFY(isClear());
    QCOMPARE(linesOf(u"created"_s).size(), 1);
    QCOMPARE(linesOf(u"deleted"_s), QByteArrayList{set.toUtf8()});
}

// The cluster has taken it, and the answer is lost.
void TstKubernetes::isSubmittedOnce()
{
    QVERIFY(write(u"lose-answer"_s));
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(linesOf(u"created"_s).size(), 1);
}

void TstKubernetes::refusalsAreFinal()
{
    QVERIFY(write(u"forbidden"_s));
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
    QVERIFY(finish(sets().constFirst(), 137, u"OOMKilled"_s));
    QVERIFY(becomes(uuid, State::Failed));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).rawExit.value_or(0), 137);
    QVERIFY(isClear());
}

void TstKubernetes::preemptedIsTriedAgain()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString first = sets().constFirst();
    QVERIFY(finish(first, 143, {},
        {QJsonObject{
            {u"type"_s, u"DisruptionTarget"_s}, {u"status"_s, u"True"_s}, {u"reason"_s, u"PreemptionByScheduler"_s}}}));
    QVERIFY(QTest::qWaitFor([&] { return linesOf(u"created"_s).size() == 2 && sets().size() == 1; }, 30'000));
    const QString second = sets().constFirst();
    QVERIFY(second != first);
    QVERIFY(finish(second, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
}

void TstKubernetes::whatIsDeletedThereIsStopped()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(QDir(path(u"sets/"_s + set)).removeRecursively());
    QVERIFY(becomes(uuid, State::Stopped));
    QCOMPARE(m_engine->job(uuid).reason, u"kubernetes.deleted"_s);
    QVERIFY(isClear());
}

void TstKubernetes::stops()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    QVERIFY(run(sets().constFirst()));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(becomes(uuid, State::Stopped));
    QCOMPARE(linesOf(u"deleted"_s).size(), 1);
    QVERIFY(isClear());
}

void TstKubernetes::goesOnWithAnotherEngine()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z one\n"));
    QVERIFY(run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0) == "one\n"; }, 30'000));
    m_engine->close();
    QVERIFY(write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z one\n2026-01-01T00:00:02Z two\n"));
    QVERIFY(finish(set, 0));
    QVERIFY(m_engine->open());
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("one\ntwo\n"));
    QCOMPARE(linesOf(u"created"_s).size(), 1);
    QVERIFY(isClear());
}

// No answer is the end of no job.
void TstKubernetes::mayBeSilent()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(run(set));
    QVERIFY(becomes(uuid, State::Running));
    QVERIFY(write(u"silent"_s));
    QVERIFY(isTold(uuid, u"job.kubernetes-silent"_s));
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QVERIFY(finish(set, 0));
    QVERIFY(QFile::remove(path(u"silent"_s)));
    QVERIFY(becomes(uuid, State::Succeeded));
}

// They go through the input of kubectl, and nothing of this computer keeps them.
void TstKubernetes::secretsDoNotStay()
{
    const QString uuid = submit(job({"echo <% $secrets.token %>"}, "secrets: {token: hunter2222}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(EngineFixture::contents(path(u"sets/"_s + set + u"/manifest"_s)).contains("hunter2222"));
    QVERIFY(write(u"logs/"_s + set + u"-pod"_s, "2026-01-01T00:00:01Z hunter2222\n"));
    QVERIFY(finish(set, 0));
    QVERIFY(becomes(uuid, State::Succeeded));
    QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("******\n"));
    QDirIterator files(m_engine->options().stateFolder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        QVERIFY2(!EngineFixture::contents(file).contains("hunter2222"), qPrintable(file));
    }
}

void TstKubernetes::waitingIsExplained()
{
    const QString uuid = submit(job({"true"}));
    QVERIFY(isThere(1));
    const QString set = sets().constFirst();
    QVERIFY(show(set,
        {{u"phase"_s, u"Pending"_s},
            {u"conditions"_s,
                QJsonArray{QJsonObject{{u"type"_s, u"PodScheduled"_s}, {u"status"_s, u"False"_s},
                    {u"reason"_s, u"Unschedulable"_s}, {u"message"_s, u"0/3 nodes are available"_s}}}}}));
    QVERIFY(isTold(uuid, u"wait.kubernetes-room"_s));
    QCOMPARE(m_engine->job(uuid).state, State::Waiting);
    QVERIFY(show(set,
        {{u"phase"_s, u"Pending"_s},
            {u"containerStatuses"_s, container({{u"waiting"_s, QJsonObject{{u"reason"_s, u"ImagePullBackOff"_s}}}})}}));
    QVERIFY(isTold(uuid, u"wait.kubernetes-image"_s));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(becomes(uuid, State::Stopped));
}

TRAINYARD_TEST(TstKubernetes)
#include "tst_kubernetes.moc"
