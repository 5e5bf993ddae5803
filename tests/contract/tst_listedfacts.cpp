// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"
#include "engine/store/store.h"
#include "tests/helpers/testregistry.h"

#include <QTemporaryDir>
#include <QTest>
#include <QUuid>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the store keeps of a job for its lists: labels, group, parameters, command and results.
class TstListedFacts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void comeBack();
    void labelsChange();
    void goWithTheJob();
    void factsOfTheTextOfARetryAreTakenBack();

private:
    std::unique_ptr<Store> opened() const;
    static core::JobState job(const QString &name);
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace
{

const ListedFacts &sampleFacts()
{
    static const ListedFacts facts{{{u"base line"_s, u"größer"_s}, u"first\nsecond \"line\""_s, true, false},
        u"sweep 1"_s, QJsonObject{{u"lr"_s, 1e-3}, {u"model"_s, u"resnet"_s}, {u"amp"_s, true}}, u"train \"a b\""_s};
    return facts;
}

ListedFacts factsOf(const JobSummary &job) { return {job.labels, job.group, job.parameters, job.command}; }

} // namespace

std::unique_ptr<Store> TstListedFacts::opened() const
{
    Result<std::unique_ptr<Store>> store = Store::open(m_folder->filePath(u"jobs.sqlite"_s));
    return store ? std::move(*store) : nullptr;
}

core::JobState TstListedFacts::job(const QString &name)
{
    core::JobMeta meta;
    meta.name = meta.runName = name;
    meta.user = u"ann"_s;
    meta.target = core::poolTarget;
    core::JobPolicy policy;
    policy.roles.push_back({u"worker"_s, 1, 1, -1, 0, {0, 1, 64, {}}});
    return core::next(
        core::newJob(QUuid::createUuid(), meta, policy, 1000), {1000, core::event::Submitted{}}, ExitRules::bundled())
        .job;
}

void TstListedFacts::comeBack()
{
    qint64 id = 0;
    {
        const auto store = opened();
        QVERIFY(store);
        core::JobState plain = job(u"plain"_s);
        store->addJob(plain, {});
        core::JobState labelled = job(u"labelled"_s);
        id = store->addJob(labelled, {}, sampleFacts());
        store->saveResults(id, {{u"loss"_s, QJsonObject{{u"last"_s, 0.25}}}});
        QVERIFY(store->commit(true));
    }
    const auto store = opened();
    QVERIFY(store);
    const QList<JobSummary> jobs = store->jobs({});
    QCOMPARE(jobs.size(), 2);
    QCOMPARE(factsOf(jobs.at(0)), sampleFacts());
    QCOMPARE(factsOf(jobs.at(1)), ListedFacts());
    QCOMPARE(jobs.at(0).results.value(u"loss"_s).toObject().value(u"last"_s).toDouble(), 0.25);
    QVERIFY(jobs.at(1).results.isEmpty());
    const std::optional<JobSummary> one = store->job(id);
    QVERIFY(one);
    QCOMPARE(factsOf(*one), sampleFacts());
    QCOMPARE(one->results, jobs.at(0).results);
    const std::optional<StoredJob> loaded = store->load(id);
    QVERIFY(loaded);
    QCOMPARE(loaded->listed, sampleFacts());
}

void TstListedFacts::labelsChange()
{
    const auto store = opened();
    core::JobState one = job(u"one"_s);
    const qint64 id = store->addJob(one, {}, sampleFacts());
    JobLabels labels = sampleFacts().labels;
    labels.tags = {u"other"_s};
    labels.isArchived = true;
    store->saveLabels(id, labels);
    QVERIFY(store->commit());
    QCOMPARE(store->job(id)->labels, labels);
    QCOMPARE(store->job(id)->group, sampleFacts().group);
    store->saveLabels(id, {});
    QVERIFY(store->commit());
    QCOMPARE(store->job(id)->labels, JobLabels());
}

void TstListedFacts::goWithTheJob()
{
    const auto store = opened();
    core::JobState one = job(u"one"_s);
    const qint64 id = store->addJob(one, {}, sampleFacts());
    store->saveResults(id, {{u"loss"_s, QJsonObject{{u"last"_s, 1}}}});
    store->removeJob(id);
    core::JobState next = job(u"next"_s);
    const qint64 nextId = store->addJob(next, {});
    QVERIFY(store->commit());
    QVERIFY(!store->job(id));
    QCOMPARE(factsOf(*store->job(nextId)), ListedFacts());
    QVERIFY(store->job(nextId)->results.isEmpty());
}

void TstListedFacts::factsOfTheTextOfARetryAreTakenBack()
{
    const auto store = opened();
    core::JobState one = job(u"one"_s);
    const qint64 id = store->addJob(one, {}, sampleFacts());
    const std::optional<StoredJob> before = store->load(id);
    QVERIFY(before);
    ListedFacts after = sampleFacts();
    after.parameters = {{u"lr"_s, 2}};
    after.command = u"other"_s;
    store->saveTextFacts(id, after);
    QCOMPARE(factsOf(*store->job(id)), after);
    store->restoreJob(*before);
    QCOMPARE(factsOf(*store->job(id)), sampleFacts());
}

TRAINYARD_TEST(TstListedFacts)
#include "tst_listedfacts.moc"
