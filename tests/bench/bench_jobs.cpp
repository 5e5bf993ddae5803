// SPDX-License-Identifier: GPL-3.0-or-later
// A hundred thousand jobs: the store is filtered beside grep over the same rows as text, and the page of all jobs is
// opened, filtered and sorted with all of them.
#include "engine/store/store.h"
#include "tests/bench/figure.h"
#include "widgets/common/style.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstablepage.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QUuid>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

constexpr int rounds = 5;

double median(
    const std::function<void()> &work, const std::function<void()> &before = [] {})
{
    std::vector<double> all;
    for (int i = 0; i < rounds; ++i) {
        before();
        QElapsedTimer clock;
        clock.start();
        work();
        all.push_back(double(clock.nsecsElapsed()) / 1e6);
    }
    std::sort(all.begin(), all.end());
    return all.at(all.size() / 2);
}

JobFilter filterOf(const QString &text) { return JobFilter::parse(text, 0).value(); }

// One job by the store itself, and its row as many times as wanted, each with values of its own.
bool fill(const QString &path, int count)
{
    {
        const auto store = Store::open(path);
        core::JobPolicy policy;
        policy.roles.push_back({u"worker"_s, 1, 1, 1, 0, {1, 4, 1024, {}}});
        core::JobMeta meta;
        meta.name = u"pattern"_s;
        meta.runName = meta.name;
        meta.user = u"ann"_s;
        core::JobState job = core::newJob(QUuid::createUuid(), meta, policy, 1000);
        if (!store || (*store)->addJob(job, {}) == 0 || !(*store)->commit()) {
            return false;
        }
    }
    bool good = true;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"fill"_s);
        database.setDatabaseName(path);
        good = database.open();
        QSqlQuery query(database);
        const auto run = [&](const QString &sql) {
            good = good && query.exec(sql);
            if (!good) {
                std::fprintf(stderr, "%s\n", qPrintable(query.lastError().text()));
            }
        };
        const QString numbers
            = u"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= %1) "_s.arg(count);
        run(u"BEGIN"_s);
        run(numbers
            + u"INSERT INTO job SELECT i, printf('%08x-0000-7000-8000-000000000000', i), 'train_' || (i % 1000),"
              " 'train_' || i, user, CASE i % 10 WHEN 0 THEN 'FAILED' ELSE 'SUCCEEDED' END, 'Completed', i % 10 = 0,"
              " 1700000000000 + i * 60000, 1700000001000 + i * 60000, 1700000601000 + i * 60000, priority, stop,"
              " retries, accountable, virtual_cluster, '/home/ann/train.pai.yaml', tags, gpus, tasks, roles, '', '{}',"
              " '{\"counts\":[0,0,1,0,0],\"hosts\":[\"lab' || (i % 4) || '\"]}', target, 'sweep-' || (i / 100),"
              " printf('{\"batch\":%d,\"epochs\":90,\"lr\":%.6f,\"model\":\"resnet%d\",\"seed\":%d}', 1 << (i % 8),"
              " (i % 977) / 100000.0, i % 5 * 10, i), 'python train.py --epochs 90 --seed ' || i"
              " FROM n, job WHERE job.id = 1"_s);
        run(numbers
            + u"INSERT INTO result SELECT i, printf('{\"acc\":{\"last\":%.4f,\"least\":0.1,\"most\":0.99},\"loss\":"
              "{\"last\":%.4f,\"least\":0.05,\"leastAt\":90,\"most\":6.9,\"mostAt\":1,\"step\":9000}}',"
              " (i % 991) / 991.0, (i % 983) / 300.0) FROM n"_s);
        run(numbers
            + u"INSERT INTO label SELECT i, CASE i % 50 WHEN 0 THEN '[\"baseline\",\"paper\"]' ELSE '[\"sweep\"]' END,"
              " '', i % 100 = 0, 0 FROM n WHERE i % 5 = 0"_s);
        run(u"COMMIT"_s);
    }
    QSqlDatabase::removeDatabase(u"fill"_s);
    return good;
}

bool measureStore(const Store &store, const QString &dump)
{
    bool good = true;
    const double grep = median([&dump] {
        QProcess process;
        process.start(u"grep"_s, {u"-c"_s, u"-i"_s, u"-E"_s, u"\"name\":\"[^\"]*train_77"_s, dump});
        process.waitForFinished(60000);
    });
    std::printf("grep -c -i -E over the same rows as JSON lines: %.0f ms\n", grep);
    for (const char *text : {"train_77", "state:failed tag:baseline", "tag:baseline", "host:lab1 after:2024-01-01",
             "lr>1e-3 loss<0.2", "min:loss<0.01", "model=resnet40 -tag:sweep batch>=64", "group:sweep-77"}) {
        const JobFilter filter = filterOf(QString::fromLatin1(text));
        qsizetype found = 0;
        const double took = median([&] { found = store.jobs({.filter = filter, .before = 0, .limit = 500}).size(); });
        good = figure(qPrintable(u"store, the first 500 of '%1' (%2 found)"_s.arg(QLatin1StringView(text)).arg(found)),
                   took, "ms", 100)
            && good;
    }
    return good;
}

bool measurePage(const QList<JobSummary> &jobs)
{
    bool good = true;
    QElapsedTimer clock;
    clock.start();
    JobsTablePage page;
    page.resize(1440, 860);
    page.model()->add(jobs);
    page.show();
    page.grab();
    good = figure("page of all jobs, opened with all rows", double(clock.nsecsElapsed()) / 1e6, "ms", 300) && good;
    for (const char *text : {"lr>1e-3 loss<0.2", "state:failed tag:baseline", "train_77", ""}) {
        const double took = median(
            [&] {
                page.model()->setFilter(filterOf(QString::fromLatin1(text)));
                page.grab();
            },
            [&] { page.model()->setFilter(filterOf(u"id:0"_s)); });
        good = figure(qPrintable(u"page, filtered by '%1' and drawn"_s.arg(QLatin1StringView(text))), took, "ms", 100)
            && good;
    }
    page.setColumns({u"id"_s, u"name"_s, u"param:lr"_s, u"result:loss"_s});
    int order = 0;
    good
        = figure("page, sorted by a result",
              median([&] { page.model()->sort(3, ++order % 2 ? Qt::AscendingOrder : Qt::DescendingOrder); }), "ms", 300)
        && good;
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    const int count = words.size() == 3 && words.at(1) == "--jobs"_L1 ? words.at(2).toInt() : 100'000;
    if (count <= 0 || (words.size() != 1 && words.size() != 3)) {
        std::puts("Usage: bench_jobs [--jobs N]\nExit status 1 when a figure is missed.");
        return 2;
    }
    TrainyardStyle::install();
    QTemporaryDir folder(u"/var/tmp/tybXXXXXX"_s);
    const QString path = folder.filePath(u"store.db"_s);
    if (!fill(path, count)) {
        return 2;
    }
    const auto store = Store::open(path);
    if (!store) {
        return 2;
    }
    QElapsedTimer clock;
    clock.start();
    const QList<JobSummary> jobs = (*store)->jobs({.filter = {}, .before = 0, .limit = 0});
    std::printf("%lld jobs, all read from the store in %lld ms\n", qlonglong(jobs.size()), clock.elapsed());
    QFile dump(folder.filePath(u"jobs.jsonl"_s));
    if (!dump.open(QIODevice::WriteOnly)) {
        return 2;
    }
    for (const JobSummary &job : jobs) {
        dump.write(QJsonDocument(job.toJson()).toJson(QJsonDocument::Compact) + '\n');
    }
    dump.close();
    bool good = measureStore(**store, dump.fileName());
    good = measurePage(jobs) && good;
    return good ? 0 : 1;
}
