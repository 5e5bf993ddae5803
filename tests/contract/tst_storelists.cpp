// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfacts.h"
#include "engine/core/next.h"
#include "engine/core/report.h"
#include "engine/store/statejson.h"
#include "engine/store/store.h"
#include "tests/contract/storejobs.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace storejobs;

// Lists of jobs, their names and keys, and how jobs go.
class TstStoreLists : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void lists();
    void filters();
    void names();
    void launchThatNeverWas();
    void rollsBack();
    void keys();
    void removes();
    void removals();
    void survivesKill();
    void large();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString path() const { return m_folder->filePath(u"store.db"_s); }
};

void TstStoreLists::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void TstStoreLists::lists()
{
    const auto store = opened(u":memory:"_s);
    for (int i = 1; i <= 10; ++i) {
        JobState job = makeJob(i % 2 ? u"odd_%1"_s.arg(i) : u"even%"_s);
        if (i == 4) {
            job.attempts.back().result = AttemptResult{};
            job.phase = Finished{5};
        }
        store->addJob(job, {});
    }
    const auto ids = [&](const JobsQuery &query) {
        QList<qint64> list;
        for (const JobSummary &job : store->jobs(query)) {
            list.append(job.id);
        }
        return list;
    };
    QCOMPARE(ids({.filter = {}, .before = 0, .limit = 3}), (QList<qint64>{10, 9, 8}));
    QCOMPARE(ids({.filter = {}, .before = 8, .limit = 3}), (QList<qint64>{7, 6, 5}));
    QCOMPARE(ids({.filter = filterOf(u"state:succeeded"_s), .before = 0, .limit = 0}), (QList<qint64>{4}));
    QCOMPARE(ids({.filter = filterOf(u"odd_"_s), .before = 0, .limit = 2}), (QList<qint64>{9, 7}));
    QCOMPARE(ids({.filter = filterOf(u"%"_s), .before = 5, .limit = 9}), (QList<qint64>{4, 2})); // no wildcard
    QCOMPARE(ids({.filter = filterOf(u"#7"_s), .before = 0, .limit = 9}), (QList<qint64>{7}));
    QCOMPARE(store->findJob(u"#3"_s), 3);
    QCOMPARE(store->findJob(u"3"_s), 3);
    QCOMPARE(store->findJob(u"even%"_s), 10);
    QCOMPARE(store->findJob(store->job(6)->uuid.left(13)), 6);
    QVERIFY(!store->findJob(u"none"_s));
    QVERIFY(!store->findJob(u"99"_s));
    QCOMPARE(store->findJob(u"name:even%"_s), 10);
    QVERIFY(!store->findJob(u"name:3"_s)); // no job is called 3
    QVERIFY(!store->findJob(u"name:"_s));
}

// What the store says of a filter is what the filter itself says of each job.
void TstStoreLists::filters()
{
    const auto store = opened(u":memory:"_s);
    for (int i = 1; i <= 40; ++i) {
        JobState job = makeJob(i % 3 ? u"train_%1"_s.arg(i) : u"Évaluer"_s, 2, 1000 * i);
        ListedFacts facts;
        facts.group = i % 5 ? QString() : u"sweep-1"_s;
        facts.parameters = {{u"lr"_s, i / 1000.0}, {u"Batch"_s, QString::number(i)}, {u"model"_s, u"res\"net"_s}};
        facts.command = i % 3 ? u"python train_%1.py --half 50%"_s.arg(i) : QString();
        if (i % 4 == 0) {
            facts.labels = {{u"base"_s, u"été"_s, u"a b"_s}, u"50% done"_s, i % 8 == 0, i % 16 == 0};
        }
        if (i == 37) { // letters that are k and s in another case
            job.meta.name = u"300\u212A-\u017Fteps"_s;
            job.meta.user = u"\u017Fam"_s;
            facts.labels = {{u"\u017Ftable"_s}, u"at 300 \u212A"_s, false, false};
            facts.group = u"\u212A-1"_s;
            facts.command = u"ma\u212Ae \u017Fum"_s;
        }
        if (i % 7 == 0) {
            Allocation place = somewhere({0, 0});
            place.host = i == 35 ? u"\u212A80"_s : place.host;
            job.task({0, 0}).state = Running{place, {u"boot"_s, 4711, 1}, 55};
        }
        if (i % 6 == 0) {
            auto &result = job.attempts.back().result.emplace();
            result.code = i % 12 ? 0 : i == 24 ? 255 : 137;
            if (i == 24) { // the program returned something that is no code of the protocol
                result.reason = u"exit.failed"_s;
                result.reasonArgs = {{u"status"_s, 7}};
            }
            job.attempts.back().completed = 1000 * i + 60000;
            job.phase = Finished{1000 * i + 60000};
        }
        if (i == 36) { // the clock was set back while it ran
            job.attempts.back().launched = 1000 * i + 70000;
        }
        if (i == 30) { // its time is that of both attempts
            AttemptRecord former = job.attempts.back();
            former.launched = 1000 * i;
            former.completed = 1000 * i + 5000;
            job.attempts.insert(job.attempts.begin(), former);
            job.attempts.back().index = job.retries = 1;
            job.attempts.back().launched = 1000 * i + 20000;
        }
        if (i % 9 == 0) { // paused by hand just now; what has ended is so no longer
            job.pausedAt = 5'000'000;
        }
        recount(job);
        store->addJob(job, {}, facts);
        if (i % 8 == 0) {
            store->saveHealth(i, {{u"health.nan"_s, {}, 1000 * i, u"train"_s, 0}});
        }
        if (i % 2) {
            store->saveResults(i,
                {{u"loss"_s, QJsonObject{{u"last"_s, i / 10.0}, {u"least"_s, 0.1}, {u"most"_s, 9}}},
                    {u"lr"_s, QJsonObject{{u"broken"_s, true}}}});
        }
    }
    const QList<JobSummary> all = store->jobs({.filter = {}, .before = 0, .limit = 0});
    QCOMPARE(all.size(), 40);
    QVERIFY(JobFilter::parse(u"300k name:steps user:sam tag:stable note:k group:k-1"_s, 0)->matches(all.at(3), 0));
    const qint64 now = 5'000'000;
    QStringList many; // more than one expression of SQLite holds
    for (int i = 1; i <= 450; ++i) {
        many.append(QString::number(i));
    }
    for (const QString &text :
        {QString(many.join(u',')), QString("-"_L1 + many.join(u',')), QString("id:"_L1 + many.join(u',')),
            QString("gpus=1,"_L1 + many.join(u',')), u"train"_s, u"-train"_s, u"TRAIN_1"_s, u"évaluer"_s, u"-évaluer"_s,
            u"#7"_s, u"7"_s, u"-7"_s, u"failed"_s, u"FAILED,running"_s, u"-succeeded"_s, u"state:succeeded"_s,
            u"state:active"_s, u"-state:failed,waiting"_s, u"tag:base"_s, u"tag:ba*"_s, u"tag:*se"_s, u"-tag:BASE"_s,
            u"tag:\"a b\""_s, u"tag:été"_s, u"tag:as"_s, u"host:local"_s, u"host:lo*"_s, u"host:loc"_s,
            u"-host:local"_s, u"name:rain_2"_s, u"note:50%"_s, u"-note:%0"_s, u"command:train_1"_s,
            u"command:TRAIN*50%"_s, u"-command:*"_s, u"command:python,ruby"_s, u"group:sweep*"_s, u"group:sweep"_s,
            u"-group:sweep-1"_s, u"user:ann"_s, u"is:starred"_s, u"-is:archived"_s, u"is:tagged"_s,
            u"is:noted,grouped"_s, u"is:paused"_s, u"is:retried"_s, u"is:unhealthy"_s, u"-is:unhealthy"_s, u"id:3,4"_s,
            u"-id:3"_s, u"time>59s"_s, u"time<=1m"_s, u"-time>1m"_s, u"time=45s"_s, u"gpus>0"_s, u"tasks=3"_s,
            u"code=137"_s, u"code!=0"_s, u"-code=0"_s, u"code=7"_s, u"code=255"_s, u"code!=7"_s, u"-code=7"_s,
            u"code<100"_s, u"failed>0"_s, u"lr>0.02"_s, u"lr<=2e-2"_s, u"-lr>0.02"_s, u"LR=0.005"_s, u"batch>=39"_s,
            u"batch=7"_s, u"batch=7,9"_s, u"batch!=7,9"_s, u"gpus=0,1"_s, u"gpus!=0,1"_s, u"-code=0,137"_s,
            u"model=other,res*"_s, u"model=res*"_s, u"model!=other"_s, u"loss<1"_s, u"-loss<1"_s, u"result:loss"_s,
            u"-result:loss"_s, u"min:loss<0.2"_s, u"max:loss>8"_s, u"result:lr=nan"_s, u"param:lr"_s, u"param:loss<1"_s,
            u"nothing>1"_s, u"lr>0.01 loss<3 -is:archived train"_s, u"with:archived"_s, u"-with:archived"_s, u"007"_s,
            u"#007"_s, u"+7"_s, u"id:007"_s, u"id:+7"_s, u"note:*"_s, u"-note:*"_s, u"tag:*"_s, u"group:*"_s,
            u"host:hosts"_s, u"host:counts"_s, u"-host:hosts"_s, u"time>=0"_s, u"time=0"_s, u"-time>=0"_s, u"300k"_s,
            u"steps"_s, u"-300K-S*"_s, u"\u212A"_s, u"name:k-s"_s, u"user:SAM"_s, u"tag:stable"_s, u"-tag:s*"_s,
            u"note:k"_s, u"command:\"ke s\""_s, u"group:k-1"_s, u"host:k80"_s, u"-host:K*"_s, u"1 2 30"_s, u"5-9"_s,
            u"-5-9"_s, u"5-9 27"_s, u"9-5"_s, u"id:5-9,12"_s, u"-id:5-9"_s, u"state:paused"_s, u"-state:paused"_s,
            u"state:paused,failed"_s, u"state:running,paused"_s, u"paused"_s, u"-paused"_s, u"PAUSED"_s,
            u"cause:sigkill"_s, u"-cause:sigkill"_s, u"cause:*"_s, u"cause:été"_s, u"cause:sigkill code=137"_s}) {
        const Result<JobFilter> filter = JobFilter::parse(text, now);
        QVERIFY2(filter, qPrintable(text));
        QList<qint64> wanted, found;
        for (const JobSummary &job : all) {
            if (filter->matches(job, now)) {
                wanted.append(job.id);
            }
        }
        const QList<JobSummary> jobs = store->jobs({.filter = *filter, .before = 0, .limit = 0, .now = now});
        for (const JobSummary &job : jobs) {
            found.append(job.id);
        }
        QVERIFY2(found == wanted, qPrintable(text));
        const QList<JobSummary> page = store->jobs({.filter = *filter, .before = 31, .limit = 3, .now = now});
        wanted.removeIf([](qint64 id) { return id >= 31; });
        QCOMPARE(page.size(), std::min<qsizetype>(3, wanted.size()));
        QVERIFY2(page.isEmpty() || page.constLast().id == wanted.at(page.size() - 1), qPrintable(text));
    }
}

void TstStoreLists::names()
{
    const auto store = opened(u":memory:"_s);
    const auto add = [&](const QString &name, const QString &runName) {
        JobState job = makeJob(name);
        job.meta.runName = runName;
        store->addJob(job, {});
    };
    QCOMPARE(store->freeRunName(u"a"_s), u"a"_s);
    add(u"a"_s, u"a"_s);
    QCOMPARE(store->freeRunName(u"a"_s), u"a_2"_s);
    add(u"a_2"_s, u"a_2"_s);
    QCOMPARE(store->freeRunName(u"a"_s), u"a_3"_s);
    QCOMPARE(store->freeRunName(u"ab"_s), u"ab"_s);
}

// Jobs that ended without a start: as this engine stores them, and as an older one did, with the end as the start.
void TstStoreLists::launchThatNeverWas()
{
    JobState job = makeJob(u"refused"_s);
    job.attempts.back().result = AttemptResult{.code = -200};
    job.phase = Finished{5000};
    {
        const auto store = opened(path());
        store->addJob(job, {});
        QVERIFY(store->commit());
        QCOMPARE(store->job(1)->launched, std::nullopt);
        QCOMPARE(store->job(1)->completed, 5000);
    }
    const qint64 counted = countedMs(summaryOf(job), 9000);
    const auto storedAs = [this](const QString &values) {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"older"_s);
            database.setDatabaseName(path());
            QVERIFY(database.open());
            QSqlQuery query(database);
            QVERIFY2(query.exec(u"UPDATE job SET "_s + values), qPrintable(query.lastError().text()));
        }
        QSqlDatabase::removeDatabase(u"older"_s);
    };
    storedAs(u"launched=completed"_s);
    {
        const std::optional<JobSummary> read = opened(path())->job(1);
        QCOMPARE(read->launched, std::nullopt);
        QCOMPARE(read->completed, 5000);
        QCOMPARE(countedMs(*read, 9000), counted);
    }
    storedAs(u"extra='{}'"_s); // before `began` was stored: its time was none
    QCOMPARE(countedMs(*opened(path())->job(1), 9000), 0);
    storedAs(u"launched=4000"_s);
    QCOMPARE(opened(path())->job(1)->launched, 4000); // this one ran
}

void TstStoreLists::rollsBack()
{
    const auto store = opened(path());
    JobState job = makeJob(u"kept"_s);
    store->addJob(job, {});
    QVERIFY(store->commit());
    JobState lost = makeJob(u"lost"_s);
    store->addJob(lost, {});
    store->rollback();
    QCOMPARE(store->jobs({}).size(), 1);
    // A failed write: the turn is given up as a whole, the next one works.
    JobState twice = job;
    job.priority = 7;
    store->saveJob(job);
    store->addJob(twice, {}); // the same UUID
    const auto committed = store->commit();
    QVERIFY(!committed);
    QCOMPARE(committed.error().code, u"store.write"_s);
    QCOMPARE(store->job(1)->priority, 0);
    store->saveJob(job);
    QVERIFY(store->commit());
    QCOMPARE(store->job(1)->priority, 7);
}

// A submission has a word of its own, which no two jobs have.
void TstStoreLists::keys()
{
    const auto store = opened(path());
    JobState first = makeJob(u"first"_s);
    StoredDocument document;
    document.key = u"sweep 1"_s;
    const qint64 id = store->addJob(first, document);
    JobState plain = makeJob(u"plain"_s);
    store->addJob(plain, {});
    QVERIFY(store->commit());
    QCOMPARE(store->idOfKey(u"sweep 1"_s), std::optional(id));
    QVERIFY(!store->idOfKey(u"sweep"_s));
    QVERIFY(!store->idOfKey({}));
    QCOMPARE(store->document(id)->key, u"sweep 1"_s);
    JobState second = makeJob(u"second"_s);
    store->addJob(second, document);
    QVERIFY(!store->commit());
    QVERIFY(!store->mayBeWritten());
    QCOMPARE(store->jobs({}).size(), 2);
    store->removeJob(id);
    QVERIFY(store->commit());
    JobState again = makeJob(u"again"_s);
    store->addJob(again, document);
    QVERIFY(store->commit());
    QCOMPARE(store->idOfKey(u"sweep 1"_s), std::optional(again.meta.id));
}

void TstStoreLists::removes()
{
    const auto store = opened(path());
    JobState job = makeJob(u"a"_s);
    JobState other = makeJob(u"b"_s);
    store->addJob(job, {"x", {}, {}, {}, {}, {}});
    store->addJob(other, {});
    store->removeJob(1);
    QVERIFY(store->commit());
    QVERIFY(!store->job(1));
    QVERIFY(!store->document(1));
    QVERIFY(store->tasks(1).isEmpty());
    QCOMPARE(store->tasks(2).size(), 3);
    JobState next = makeJob(u"c"_s);
    QCOMPARE(store->addJob(next, {}), 3); // numbers are not used twice
}

// Of ended jobs: it is in all lists, and goes with the job.
void TstStoreLists::removals()
{
    const auto store = opened(path());
    QVERIFY(store);
    std::vector<qint64> ids;
    for (const bool isEnded : {true, true, false}) {
        JobState job = makeJob(u"job"_s);
        if (isEnded) {
            job.attempts.back().result = AttemptResult{};
            job.phase = Finished{5000};
        }
        ids.push_back(store->addJob(job, {}));
    }
    JobLabels star;
    star.isStarred = true;
    store->saveLabels(ids[1], star);
    QVERIFY(store->commit());
    const std::vector<EndedJob> ended = store->ended();
    QCOMPARE(ended.size(), std::size_t(2));
    QCOMPARE(ended[0].id, ids[0]);
    QCOMPARE(ended[0].uuid, store->job(ids[0])->uuid);
    QCOMPARE(ended[0].ended, store->job(ids[0])->completed.value_or(-1));
    QVERIFY(!ended[0].isStarred && ended[1].isStarred && !ended[0].removal);
    const PlannedRemoval planned{7'000, 86'407'000, u"jobs.keepGiB"_s, qint64(1) << 40};
    store->saveRemoval(ids[0], planned);
    QVERIFY(store->commit());
    QCOMPARE(Store::open(path()).value()->removal(ids[0]), std::optional(planned));
    QCOMPARE(store->ended()[0].removal, std::optional(planned));
    QCOMPARE(store->removals(), QList{planned});
    const QList<JobSummary> all = store->jobs({});
    QCOMPARE(all.size(), 3);
    QVERIFY(!all.at(0).removal && !all.at(1).removal && all.at(2).removal == planned);
    const QList<JobSummary> due = store->jobs({.filter = JobFilter::parse(u"is:due"_s, 0).value()});
    QCOMPARE(due.size(), 1);
    QCOMPARE(due.constFirst().id, ids[0]);
    QCOMPARE(store->jobs({.filter = JobFilter::parse(u"-is:due"_s, 0).value()}).size(), 2);
    store->saveRemoval(ids[0], std::nullopt);
    QVERIFY(store->commit());
    QVERIFY(!store->removal(ids[0]));
    store->saveRemoval(ids[1], planned);
    store->removeJob(ids[1]);
    QVERIFY(store->commit());
    QVERIFY(store->removals().isEmpty());
}

// A writer that is killed at any moment: what it called committed is there, and no job is there in part.
void TstStoreLists::survivesKill()
{
    int all = 0;
    for (int round = 0; round < 8; ++round) {
        init();
        int pipes[2];
        QCOMPARE(::pipe(pipes), 0);
        const QByteArray file = path().toUtf8();
        const pid_t writer = ::fork();
        if (writer == 0) {
            ::close(pipes[0]);
            const auto store = Store::open(QString::fromUtf8(file));
            for (qint64 i = 1; store; ++i) {
                JobState job = makeJob(u"job"_s, 4, i);
                const qint64 id = (*store)->addJob(job, {});
                if (!(*store)->commit(i % 3 == 0) || ::write(pipes[1], &id, sizeof id) != sizeof id) {
                    break;
                }
            }
            ::_exit(1);
        }
        ::close(pipes[1]);
        qint64 committed = 0;
        const int wanted = 3 + round * 17;
        qint64 id = 0;
        while (committed < wanted && ::read(pipes[0], &id, sizeof id) == sizeof id) {
            committed = id;
        }
        ::kill(writer, SIGKILL);
        while (::read(pipes[0], &id, sizeof id) == sizeof id) {
            committed = id;
        }
        int status = 0;
        ::waitpid(writer, &status, 0);
        ::close(pipes[0]);
        QVERIFY(WIFSIGNALED(status));
        const auto store = opened(path());
        QVERIFY(store);
        const std::vector<StoredJob> jobs = store->unfinished();
        QVERIFY2(qint64(jobs.size()) >= committed, qPrintable(u"%1 of %2"_s.arg(jobs.size()).arg(committed)));
        QVERIFY(qint64(jobs.size()) <= committed + 1); // the one that was not reported yet
        for (const StoredJob &job : jobs) {
            QCOMPARE(store->tasks(job.state.meta.id).size(), 5);
            QVERIFY(store->document(job.state.meta.id).has_value());
        }
        all += int(jobs.size());
    }
    qInfo("8 writers killed, %d jobs read back", all);
}

// The lists stay fast with as many jobs as anybody runs.
void TstStoreLists::large()
{
    const auto store = opened(path());
    const JobState pattern = makeJob(u"sweep"_s, 1);
    QElapsedTimer timer;
    timer.start();
    {
        // Rows as the store writes them, made by SQL: a hundred thousand submissions would take the time of the suite.
        JobState job = pattern;
        job.attempts.back().result = AttemptResult{};
        job.phase = Finished{5};
        store->addJob(job, {});
        QVERIFY(store->commit());
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"bulk"_s);
        database.setDatabaseName(path());
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY2(query.exec(
                     u"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
                     " INSERT INTO job SELECT i, printf('%08x-0000-7000-8000-000000000000', i), 'sweep' || (i % 1000),"
                     " 'sweep' || i, user, state, sub, code, submitted + i, launched, completed, priority, stop,"
                     " retries, accountable, virtual_cluster, file, tags, gpus, tasks, roles, reason, reason_args,"
                     " extra, target, grouped, parameters, command FROM n, job WHERE job.id = 1"_s),
            qPrintable(query.lastError().text()));
    }
    QSqlDatabase::removeDatabase(u"bulk"_s);
    qInfo("100,000 jobs written in %lld ms", timer.elapsed());
    JobState live = pattern;
    live.uuid = QUuid::createUuid();
    store->addJob(live, {});
    QVERIFY(store->commit());
    const auto measure = [&](const char *what, auto &&ask) {
        timer.start();
        ask();
        const double ms = double(timer.nsecsElapsed()) / 1e6;
        qInfo("%s: %.2f ms", what, ms);
        return ms;
    };
    // Sanitizers cost a factor; the bound is for what users get.
#if defined(TRAINYARD_ADDRESS_SANITIZED)
    const double bound = 500;
#else
    const double bound = 50;
#endif
    QVERIFY(measure("newest 200", [&] { QCOMPARE(store->jobs({}).size(), 200); }) < bound);
    QVERIFY(measure("200 from the middle", [&] {
        QCOMPARE(store->jobs({.filter = {}, .before = 50000, .limit = 200}).size(), 200);
    }) < bound);
    QVERIFY(measure("running ones", [&] {
        QCOMPARE(store->jobs({.filter = filterOf(u"state:running,waiting"_s), .before = 0, .limit = 200}).size(), 1);
    }) < bound);
    QVERIFY(measure("by name", [&] {
        QCOMPARE(store->jobs({.filter = filterOf(u"sweep777"_s), .before = 0, .limit = 200}).size(), 100);
    }) < bound * 2); // a scan
    QVERIFY(measure("unfinished", [&] { QCOMPARE(store->unfinished().size(), std::size_t(1)); }) < bound);
    QVERIFY(measure("by UUID", [&] { QCOMPARE(store->findJob(u"0000abcd"_s), 0xabcd); }) < bound);
    QVERIFY(measure("free name", [&] { store->freeRunName(u"sweep"_s); }) < bound);
}

TRAINYARD_TEST(TstStoreLists)
#include "tst_storelists.moc"
