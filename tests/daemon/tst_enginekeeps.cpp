// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/paths.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QSet>
#include <QSignalSpy>

#include <sys/mount.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What the engine keeps of jobs on this computer, keeps for itself, and tells about them.
class TstEngineKeeps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void secretsStayOffTheDisk();
    void secretsOfEndedJobsGo();
    void labelsOfAllOrOfNone();
    void removesAJob();
    void namedLikeAnother();
    void passwordOfAnImage();
    void emptySecretsAreAskedFor();
    void secretsTakenOutAsAWhole();
    void tellsOfGrowingLogs();
    void manyTasksOfOneJob();
    void outlineIsOfAllTasks();
    void sameNameAgain();
    void storeIsReadAgain();
    void fullDiskLosesNothing();
};

void TstEngineKeeps::secretsStayOffTheDisk()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray secret = "tell-nobody-8d1f0c";
    const QString uuid = f.submit(EngineFixture::document("secret",
        EngineFixture::role("main", 1,
            {"key='<% $secrets.key %>'", "echo length=${#key} key=$key", "while [ ! -e go ]; do sleep 0.05; done",
                "test \"$key\" = '<% $secrets.key %>'"}),
        "secrets: {key: " + secret + "}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(QTest::qWaitFor([&] { return f.output(uuid, u"main"_s, 0).contains("length="); }, 10000));
    const auto nowhere = [&](const QString &folder) {
        QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        int files = 0;
        while (it.hasNext()) {
            const QString name = it.next();
            ++files;
            if (EngineFixture::contents(name).contains(secret)) {
                qWarning() << "the secret is in" << name;
                return false;
            }
        }
        return files > 0;
    };
    QVERIFY(nowhere(f.path(u"state"_s)));
    // Its value reached the program, and the log shows it masked.
    QVERIFY(f.output(uuid, u"main"_s, 0).contains(QByteArray("length=" + QByteArray::number(secret.size()))));
    f.close();
    QVERIFY(nowhere(f.path(u"state"_s)));
    QVERIFY(f.open());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QVERIFY(nowhere(f.path(u"state"_s)));
    QVERIFY(!f.engine().job(uuid)->yaml.contains(secret));
    QVERIFY(f.engine().job(uuid)->yaml.contains("******"));
    // The same document as stored: its values are gone, so they are asked for.
    QVERIFY(f.submit(f.engine().job(uuid)->yaml).isEmpty());
    QCOMPARE(f.error().code, u"job.secrets-missing"_s);
    SubmitRequest request;
    request.secrets.insert(u"key"_s, QString::fromLatin1(secret));
    const QString again = f.submit(f.engine().job(uuid)->yaml, request);
    QVERIFY2(!again.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(again));
    QCOMPARE(f.job(again).state, State::Succeeded);
}

// What an engine that was killed left behind: of a job that had just ended, and of one that it was writing.
void TstEngineKeeps::secretsOfEndedJobsGo()
{
    const QTemporaryDir memory(u"/dev/shm/tyXXXXXX"_s);
    if (!memory.isValid() || !paths::isTmpfs(memory.path())) {
        QSKIP("/dev/shm is no file system in memory: mount a tmpfs there.");
    }
    EngineFixture f;
    f.setRuntimeFolder(memory.path());
    QVERIFY(f.open());
    const auto job = [](const QByteArray &name, const QByteArray &waits) {
        return EngineFixture::document(name,
            EngineFixture::role(
                "main", 1, {"key='<% $secrets.key %>'", "echo length=${#key}", waits, "test ${#key} -gt 11"}),
            "secrets: {key: \"******\"}\n");
    };
    SubmitRequest request;
    request.secrets = {{u"key"_s, u"value-of-first"_s}};
    const QString ended = f.submit(job("ended", "true"), request);
    const QString runs = f.submit(job("runs", "while [ ! -e go ]; do sleep 0.05; done"), request);
    QVERIFY2(f.waitForEnd(ended), qPrintable(f.error().code));
    QVERIFY(QTest::qWaitFor([&] { return f.output(runs, u"main"_s, 0).contains("length=14"); }, 10000));
    const auto file = [&memory](const QString &uuid) { return QString(memory.path() + u"/secrets/"_s + uuid); };
    QVERIFY(QFile::exists(file(runs)) && !QFile::exists(file(ended)));
    f.close();
    QVERIFY(QFile::copy(file(runs), file(ended)));
    QVERIFY(QFile::copy(file(runs), file(runs) + u".new"_s));
    QVERIFY(f.open());
    QVERIFY(!QFile::exists(file(ended)) && !QFile::exists(file(runs) + u".new"_s));
    QVERIFY(QFile::exists(file(runs)));

    // And what is given for another attempt goes before what is left of the former one.
    QVERIFY(QFile::copy(file(runs), file(ended)));
    RetryRequest again;
    again.uuid = ended;
    again.secrets = {{u"key"_s, u"another-and-longer-value"_s}};
    QVERIFY(f.engine().retry(again));
    QVERIFY(f.waitForEnd(ended));
    QCOMPARE(f.job(ended).state, State::Succeeded);
    QVERIFY2(f.output(ended, u"main"_s, 0).contains("length=24"), f.output(ended, u"main"_s, 0).constData());
    QVERIFY(f.engine().stop(runs));
    QVERIFY(f.waitForEnd(runs));
}

// A refusal leaves nothing behind that a later change would write.
void TstEngineKeeps::labelsOfAllOrOfNone()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString first = f.submit(EngineFixture::job("first", {"true"}));
    const QString second = f.submit(EngineFixture::job("second", {"true"}));
    QVERIFY(f.waitForEnd(first) && f.waitForEnd(second));
    api::LabelChange change;
    change.ids = {first, u"no-such-job"_s};
    change.starred = true;
    QVERIFY(!f.engine().setLabels(change));
    api::LabelChange other;
    other.ids = {second};
    other.note = u"kept"_s;
    QVERIFY(f.engine().setLabels(other));
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(second).labels.note, u"kept"_s);
    QVERIFY(!f.job(first).labels.isStarred);
}

void TstEngineKeeps::removesAJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("short", EngineFixture::role("main", 1, {"sleep 0.2"})));
    QCOMPARE(f.engine().remove(uuid).error().code, u"job.active"_s);
    QVERIFY(f.waitForEnd(uuid));
    QSignalSpy removed(&f.engine(), &Engine::jobRemoved);
    QTRY_VERIFY(f.engine().isIdle());
    QVERIFY(f.engine().remove(uuid));
    QCOMPARE(removed.size(), 1);
    QCOMPARE(f.engine().job(uuid).error().code, u"job.unknown"_s);
    QTRY_VERIFY(!QFileInfo::exists(f.path(u"state/runs/"_s) + uuid));
}

// A name may be any word, also the UUID of another job.
void TstEngineKeeps::namedLikeAnother()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString over = f.submit(EngineFixture::document("over", EngineFixture::role("main", 1, {"true"})));
    QVERIFY(f.waitForEnd(over));
    SubmitRequest request;
    request.name = over;
    const QString runs = f.submit(
        EngineFixture::document("runs", EngineFixture::role("main", 1, {"until [ -e go ]; do sleep 0.02; done"})),
        request);
    QVERIFY2(!runs.isEmpty(), qPrintable(f.error().code));
    QCOMPARE(f.job(runs).name, over);
    QTRY_COMPARE(f.engine().activeJobs().size(), 1);
    QCOMPARE(f.engine().summary(over)->uuid, over);
    QCOMPARE(f.engine().remove(runs.toUpper()).error().code, u"job.unknown"_s);
    QVERIFY(f.engine().remove(over));
    QCOMPARE(f.engine().summary(over).error().code, u"job.unknown"_s);
    QCOMPARE(f.engine().jobs()->size(), 1);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(runs));
    QCOMPARE(f.job(runs).state, State::Succeeded);
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(runs).state, State::Succeeded);
}

// A password that stands in the job reaches no file of the engine, and is asked for like every other secret.
void TstEngineKeeps::passwordOfAnImage()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray password = "registry-hunter2";
    const QString uuid = f.submit(EngineFixture::document("pulls", EngineFixture::role("main", 1, {"true"}),
        "prerequisites:\n  - {name: image, type: dockerimage, uri: a/b, auth: {username: ada, password: " + password
            + "}}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY(f.engine().isIdle());
    QVERIFY(f.engine().job(uuid)->yaml.contains("password: \"******\""));
    QDirIterator it(f.path(u"state"_s), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString name = it.next();
        QVERIFY2(!EngineFixture::contents(name).contains(password), qPrintable(name));
    }
    const Result<bool> again = f.engine().retry({uuid, {}, false, {}});
    QCOMPARE(again.error().code, u"job.secrets-missing"_s);
    QCOMPARE(again.error().args.value("names"_L1).toArray(), QJsonArray{u"image_password"_s});
    QCOMPARE(f.engine().retry({uuid, {}, false, {{u"image_password"_s, u"12345678"_s}}}).value_or(false), true);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

// An empty value is what a template leaves for its user to fill in. It is also a legal value, which can be given.
void TstEngineKeeps::emptySecretsAreAskedFor()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray job = EngineFixture::document("empty",
        EngineFixture::role("main", 1, {"[ 'a<% $secrets.key %>-<% $secrets.other %>' = a-12345678 ]"}),
        "secrets: {key: '', other: null}\n");
    QVERIFY(f.submit(job).isEmpty());
    QCOMPARE(f.error().code, u"job.secrets-missing"_s);
    QCOMPARE(f.error().args.value("names"_L1).toArray(), (QJsonArray{u"key"_s, u"other"_s}));
    SubmitRequest request;
    request.secrets = {{u"key"_s, QString()}, {u"other"_s, u"12345678"_s}};
    const QString uuid = f.submit(job, request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

// The text does not have the names of its secrets, but what it refers to.
void TstEngineKeeps::secretsTakenOutAsAWhole()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray job = EngineFixture::document("whole",
        EngineFixture::role("main", 1, {"[ '<% $secrets.key %>-<% $secrets.other %>' = abcdefgh-12345678 ]"}),
        "secrets: \"******\"\n");
    QVERIFY(f.submit(job).isEmpty());
    QCOMPARE(f.error().code, u"job.secrets-missing"_s);
    QCOMPARE(f.error().args.value("names"_L1).toArray(), (QJsonArray{u"key"_s, u"other"_s}));
    SubmitRequest request;
    request.secrets = {{u"key"_s, u"abcdefgh"_s}};
    QVERIFY(f.submit(job, request).isEmpty());
    QCOMPARE(f.error().args.value("names"_L1).toArray(), QJsonArray{u"other"_s});
    request.secrets.insert(u"other"_s, u"12345678"_s);
    const QString uuid = f.submit(job, request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

void TstEngineKeeps::tellsOfGrowingLogs()
{
    EngineFixture f;
    QVERIFY(f.open());
    QSignalSpy grew(&f.engine(), &Engine::logsGrew);
    const QString uuid = f.submit(EngineFixture::document(
        "grows", EngineFixture::role("w", 2, {"until [ -e go ]; do echo 0123456789; sleep 0.1; done"})));
    const auto told = [&](int index) {
        qint64 most = 0;
        for (const QList<QVariant> &each : std::as_const(grew)) {
            const auto logs = each.at(1).value<QList<LogGrowth>>();
            for (const LogGrowth &log : logs) {
                most = each.at(0).toString() == uuid && log.role == u"w"_s && log.index == index
                    ? std::max(most, log.bytes)
                    : most;
            }
        }
        return most;
    };
    QTRY_VERIFY_WITH_TIMEOUT(told(0) > 20 && told(1) > 20, 15000);
    QVERIFY(told(0) <= QFileInfo(f.task(uuid, u"w"_s, 0).logFolder + u"/output.log"_s).size());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
}

void TstEngineKeeps::manyTasksOfOneJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    QSignalSpy tasksChanged(&f.engine(), &Engine::tasksChanged);
    const QString uuid = f.submit(EngineFixture::document("many",
        EngineFixture::role("main", 60, {"echo $PAI_TASK_INDEX >> done"}, {}, "{cpu: 1, memoryMB: 1, gpu: 0}"),
        "extras: {gangAllocation: false}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 20000));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).counts.succeeded, 60);
    QByteArrayList lines = EngineFixture::contents(f.path(u"work/done"_s)).trimmed().split('\n');
    QCOMPARE(lines.size(), 60);
    QCOMPARE(QSet<QByteArray>(lines.cbegin(), lines.cend()).size(), 60);
    // Each task's last word was told, in messages that are held together.
    QSet<int> ended;
    for (const QList<QVariant> &call : tasksChanged) {
        for (const TaskInfo &task : call.at(1).value<QList<TaskInfo>>()) {
            if (task.state == State::Succeeded) {
                ended.insert(task.index);
            }
        }
    }
    QCOMPARE(ended.size(), 60);
    const JobSummary job = f.job(uuid);
    QVERIFY(tasksChanged.size() <= 4 + (*job.completed - job.submitted) / 45);
}

// The same while it runs and when it is over, and what the whole list would give.
void TstEngineKeeps::outlineIsOfAllTasks()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("outline",
        EngineFixture::role("b", 9, {"until [ -e go ]; do sleep 0.02; done; exit $((PAI_TASK_INDEX % 3 == 1))"},
            "    completion: {minFailedInstances: -1}\n", "{cpu: 1, memoryMB: 1, gpu: 0}")
            + EngineFixture::role(
                "a", 4, {"true"}, "    completion: {minFailedInstances: -1}\n", "{cpu: 1, memoryMB: 1, gpu: 0}")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    const auto verify = [&](int most) {
        const Result<TaskOutline> outline = f.engine().outline(uuid, -1, most);
        QVERIFY(outline);
        QList<RoleCounts> roles;
        QList<TaskInfo> tasks;
        std::map<std::pair<QString, State>, int> seen;
        const QList<TaskInfo> all = f.engine().tasks(uuid).value();
        for (const TaskInfo &task : all) {
            if (roles.isEmpty() || roles.last().role != task.role) {
                roles.append({task.role, {}});
            }
            countState(roles.last().counts, task.state);
            if (++seen[{task.role, task.state}] <= most) {
                tasks.append(task);
            }
        }
        QCOMPARE(outline->roles, roles);
        QCOMPARE(outline->tasks, tasks);
        QCOMPARE(TaskOutline::fromJson(outline->toJson()), *outline);
    };
    QVERIFY(
        f.waitFor(uuid, [](const JobSummary &job) { return job.counts.succeeded == 4 && job.counts.running == 9; }));
    verify(2);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    verify(2);
    verify(100);
    QCOMPARE(f.engine().outline(uuid)->roles.at(0).counts.failed, 3);
    QCOMPARE(f.engine().outline(u"no-such"_s).error().code, u"job.unknown"_s);
}

void TstEngineKeeps::sameNameAgain()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray yaml = EngineFixture::document("twin", EngineFixture::role("main", 1, {"echo $PAI_JOB_NAME"}));
    const QString one = f.submit(yaml);
    const QString two = f.submit(yaml);
    QVERIFY(f.waitForEnd(one) && f.waitForEnd(two));
    QVERIFY(f.output(one, u"main"_s, 0).endsWith("~twin\n"));
    QVERIFY(f.output(two, u"main"_s, 0).endsWith("~twin_2\n"));
    QCOMPARE(f.engine().findJob(u"twin"_s)->uuid, two);
}

void TstEngineKeeps::storeIsReadAgain()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString done = f.submit(EngineFixture::document("done", EngineFixture::role("main", 1, {"echo kept"})));
    QVERIFY(f.waitForEnd(done));
    const QString runs = f.submit(EngineFixture::document("runs",
        EngineFixture::role(
            "main", 2, {"echo begun", "while [ ! -e go ]; do sleep 0.05; done", "exit $PAI_TASK_INDEX"})));
    QVERIFY(f.waitFor(runs, [](const JobSummary &job) { return job.counts.running == 2; }));
    QVERIFY(f.waitFor(done, [](const JobSummary &job) { return !job.resultsPending; }));
    const JobSummary before = f.job(done);
    const qint64 pid = f.task(runs, u"main"_s, 1).pid;
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(done), before);
    QCOMPARE(f.output(done, u"main"_s, 0), QByteArray("kept\n"));
    QCOMPARE(f.job(runs).state, State::Running);
    QCOMPARE(f.task(runs, u"main"_s, 1).pid, pid);
    f.close();
    // It ends while nobody is there.
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_VERIFY(!contract::identityOf(pid));
    QVERIFY(f.open());
    QVERIFY(f.waitForEnd(runs));
    QCOMPARE(f.job(runs).state, State::Failed);
    QCOMPARE(f.task(runs, u"main"_s, 1).rawExit, std::optional<int>(1));
    QCOMPARE(f.task(runs, u"main"_s, 0).rawExit, std::optional<int>(0));
    QCOMPARE(f.job(runs).retries, 0);
}

void TstEngineKeeps::fullDiskLosesNothing()
{
    EngineFixture f;
    // The store alone on a small file system of its own: root only.
    const QString state = f.path(u"state"_s);
    QDir().mkpath(state);
    SKIP_UNLESS_MOUNTED(
        ::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=4m,mode=0700"));
    const auto unmount = qScopeGuard([&] {
        f.close();
        ::umount2(QFile::encodeName(state).constData(), MNT_DETACH);
    });
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document(
        "full", EngineFixture::role("main", 1, {"while [ ! -e go ]; do sleep 0.05; done", "exit 4"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    QFile filler(state + u"/filler"_s);
    QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (filler.write(QByteArray(4096, 'x')) == 4096) { }
    const QByteArray more = EngineFixture::document(
        "more", EngineFixture::role("main", 200, {"true"}), "parameters: {long: " + QByteArray(100000, 'y') + "}\n");
    QVERIFY(f.submit(more).isEmpty());
    QCOMPARE(f.error().code, u"store.full"_s);
    QCOMPARE(f.error().args.value("folder"_L1).toString(), state);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    filler.remove();
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(4));
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(4));
    QCOMPARE(f.engine().jobs()->size(), 1);
}

TRAINYARD_TEST(TstEngineKeeps)
#include "tst_enginekeeps.moc"
