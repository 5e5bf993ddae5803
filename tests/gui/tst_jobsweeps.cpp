// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/searchfield.h"
#include "widgets/jobs/jobsdelegate.h"
#include "widgets/jobs/jobsfilter.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobsselection.h"
#include "widgets/jobs/jobsweep.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{
JobSummary member(qint64 id, State state, const QString &group = u"resnet"_s)
{
    JobSummary job;
    job.id = id;
    job.uuid = u"uuid-"_s + QString::number(id);
    job.name = (group.isEmpty() ? u"job"_s : group) + u'-' + QString::number(id);
    job.group = group;
    job.state = state;
    job.order = double(id);
    job.parameters = {{u"lr"_s, double(id) / 10}};
    return job;
}

JobSummary alone(qint64 id, State state) { return member(id, state, {}); }

JobSummary withResult(JobSummary job, const QString &metric, double best)
{
    job.results = {{metric, QJsonObject{{u"last"_s, best}, {u"least"_s, best}, {u"most"_s, best}}}};
    return job;
}

// "Running: resnet(1 2) 9; Waiting: 4"
QString rows(const QAbstractItemModel &model)
{
    QStringList groups;
    for (int g = 0; g < model.rowCount(); ++g) {
        const QModelIndex group = model.index(g, 0);
        QStringList words;
        for (int row = 0; row < model.rowCount(group); ++row) {
            const QModelIndex at = model.index(row, 0, group);
            const QString sweep = at.data(JobsModel::SweepRole).toString();
            if (sweep.isEmpty()) {
                words.append(QString::number(at.data(JobsModel::SummaryRole).value<JobSummary>().id));
                continue;
            }
            QStringList ids;
            for (int place = 0; place < model.rowCount(at); ++place) {
                const QModelIndex job = model.index(place, 0, at);
                ids.append(QString::number(job.data(JobsModel::SummaryRole).value<JobSummary>().id));
            }
            words.append(sweep + u'(' + ids.join(u' ') + u')');
        }
        if (!words.isEmpty()) {
            groups.append(group.data().toString() + u": "_s + words.join(u' '));
        }
    }
    return groups.join(u"; "_s);
}

QModelIndex rowOfSweep(const QTreeView *view, const QString &name)
{
    const QAbstractItemModel *model = view->model();
    for (int g = 0; g < model->rowCount(); ++g) {
        for (int row = 0; row < model->rowCount(model->index(g, 0)); ++row) {
            const QModelIndex at = model->index(row, 0, model->index(g, 0));
            if (at.data(JobsModel::SweepRole).toString() == name) {
                return at;
            }
        }
    }
    return {};
}
} // namespace

// The jobs of a sweep as one row of the list at the side.
class TstJobSweeps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sweepsAreWhatTheirJobsAre_data();
    void sweepsAreWhatTheirJobsAre();
    void jobsAreCalledByWhatVaries();
    void bestIsOfTheMetricThatRanks();
    void listsThatEndMayLackJobsOfSweeps();
    void twoJobsOfAGroupAreOneRow();
    void rowsGoWhereTheirJobsAre();
    void queueKnowsTheJobsOfSweeps();
    void headsCountJobsInTheirState();
    void sweepStoppedBeforeItBegan();
    void filtersFindJobsOfSweeps();
    void manyJobsOfOneSweep();
    void rowOpensItsPageAndUnfolds();
    void filterUnfoldsWhatItFinds();
    void rowStandsForItsJobs();
    void currentRowStaysWhenItMoves();
    void menuOfASweep();
};

void TstJobSweeps::sweepsAreWhatTheirJobsAre_data()
{
    QTest::addColumn<QList<State>>("states");
    QTest::addColumn<State>("whole");
    QTest::addColumn<int>("ended");
    QTest::newRow("some run") << QList<State>{State::Succeeded, State::Running, State::Waiting} << State::Running << 1;
    QTest::newRow("one stops") << QList<State>{State::Stopping, State::Waiting} << State::Stopping << 0;
    QTest::newRow("some wait") << QList<State>{State::Failed, State::Waiting} << State::Waiting << 1;
    QTest::newRow("over") << QList<State>{State::Stopped, State::Succeeded, State::Failed} << State::Failed << 3;
    QTest::newRow("half stopped") << QList<State>{State::Succeeded, State::Stopped} << State::Stopped << 2;
    QTest::newRow("all succeeded") << QList<State>{State::Succeeded, State::Succeeded} << State::Succeeded << 2;
    QTest::newRow("all failed") << QList<State>{State::Failed, State::Failed} << State::Failed << 2;
    QTest::newRow("stopped") << QList<State>{State::Stopped, State::Stopped} << State::Stopped << 2;
    QTest::newRow("lost") << QList<State>{State::Unknown, State::Unknown} << State::Unknown << 0;
}

void TstJobSweeps::sweepsAreWhatTheirJobsAre()
{
    QFETCH(const QList<State>, states);
    QFETCH(const State, whole);
    QFETCH(const int, ended);
    JobSweep sweep(u"resnet"_s);
    for (qsizetype i = states.size(); i > 0; --i) { // the order in which they come makes no difference
        sweep.insert(member(i, states.at(i - 1)));
    }
    QCOMPARE(sweep.state(), whole);
    QCOMPARE(sweep.ended(), ended);
    QCOMPARE(sweep.number(), 1);
    QCOMPARE(sweep.share(), double(ended) / double(states.size()));
    // A change and its way back leave nothing behind.
    JobSummary first = member(1, State::Running);
    first.progress = 0.5;
    sweep.replace(0, first);
    QCOMPARE(sweep.state(), State::Running);
    sweep.replace(0, member(1, states.constFirst()));
    QCOMPARE(sweep.state(), whole);
    QCOMPARE(sweep.share(), double(ended) / double(states.size()));
    while (sweep.size() > 0) {
        sweep.removeAt(sweep.size() - 1);
    }
    QCOMPARE(sweep.ended(), 0);
    QVERIFY(!sweep.firstWaiting());
    QVERIFY(!sweep.best());
}

// The row of the sweep has its name.
void TstJobSweeps::jobsAreCalledByWhatVaries()
{
    const auto with = [](qint64 id, double lr, int batch) {
        JobSummary job = member(id, State::Succeeded);
        job.parameters = {{u"batch"_s, batch}, {u"lr"_s, lr}, {u"model"_s, u"resnet20"_s}};
        return job;
    };
    JobsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setJobs({with(1, 0.3, 64), with(2, 0.1, 64), with(3, 0.03, 128), alone(4, State::Succeeded)});
    const auto title = [&model](qint64 id) {
        return model.indexOf(u"uuid-"_s + QString::number(id)).data(JobsModel::TitleRole).toString();
    };
    QCOMPARE(title(1), u"lr 0.3, batch 64"_s); // what has the most values first
    QCOMPARE(title(3), u"lr 0.03, batch 128"_s);
    QCOMPARE(title(4), u"job-4"_s);
    const QModelIndex first = model.indexOf(u"uuid-1"_s);
    QCOMPARE(first.parent().data(JobsModel::TitleRole).toString(), u"resnet"_s);
    QVERIFY(first.data(Qt::ToolTipRole).toString().contains(u"resnet-1"_s));
    QCOMPARE(first.data().toString(), u"resnet-1"_s); // words look for it
    for (const int role : {int(JobsModel::SearchRole), int(Qt::AccessibleTextRole)}) { // and for what its row shows
        const QString text = first.data(role).toString();
        QVERIFY2(text.contains(u"lr 0.3, batch 64"_s) && text.contains(u"resnet-1"_s), qPrintable(text));
    }
    // A name that somebody chose stays, and so does one that nothing else tells from the others.
    JobSummary named = with(2, 0.1, 64);
    named.name = u"baseline"_s;
    model.apply(named);
    QCOMPARE(title(2), u"baseline"_s);
    for (qint64 id = 1; id <= 3; ++id) {
        model.apply(with(id, 0.3, 64));
    }
    QCOMPARE(title(1), u"resnet-1"_s);
}

void TstJobSweeps::bestIsOfTheMetricThatRanks()
{
    JobSweep sweep(u"resnet"_s);
    sweep.insert(withResult(member(1, State::Succeeded), u"top1"_s, 90.5));
    sweep.insert(withResult(member(2, State::Succeeded), u"top1"_s, 93.57));
    sweep.insert(withResult(member(3, State::Failed), u"top1"_s, 99)); // comes behind those that succeeded
    sweep.insert(member(4, State::Running));
    const auto best = sweep.best();
    QVERIFY(best);
    QCOMPARE(best->metric, u"top1"_s);
    QCOMPARE(best->value, 93.57);
    QCOMPARE(best->id, 2);
    const JobSummary second = sweep.members().at(1);
    sweep.replace(1, withResult(member(2, State::Succeeded), u"top1"_s, 80));
    QVERIFY(sweep.best());
    QCOMPARE(sweep.best()->id, 1);
    sweep.replace(1, second);
    QCOMPARE(sweep.best()->id, 2);
    JobsModel model;
    model.setJobs(sweep.members());
    const auto row
        = [&model] { return model.indexOfSweep(u"resnet"_s).data(JobsModel::SweepRowRole).value<SweepRow>(); };
    QCOMPARE(row().all, 4);
    QCOMPARE(row().ended, 3);
    QCOMPARE(row().failed, 1);
    QVERIFY(row().best.isEmpty()); // one still runs
    model.apply(member(4, State::Stopped));
    QVERIFY2(row().best.startsWith(u"top1 93.5"_s), qPrintable(row().best));
    const QString tip = model.indexOfSweep(u"resnet"_s).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"Best top1"_s) && tip.contains(u"#2"_s), qPrintable(tip));
    const QString words = model.indexOfSweep(u"resnet"_s).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(words.contains(u"4 job"_s) && words.contains(u": 2"_s), qPrintable(words));
}

void TstJobSweeps::listsThatEndMayLackJobsOfSweeps()
{
    // The four newest ones, and what has not ended of those before.
    const QList<JobSummary> jobs{member(90, State::Succeeded, u"whole"_s), member(91, State::Succeeded, u"whole"_s),
        alone(89, State::Running), member(80, State::Succeeded, u"cut"_s), member(20, State::Waiting, u"old"_s),
        alone(10, State::Running)};
    const CutSweeps cut = cutSweeps(jobs, 4);
    QCOMPARE(cut.names, (QSet<QString>{u"cut"_s, u"old"_s}));
    QCOMPARE(cut.before, 80);
    QVERIFY(cutSweeps(jobs, 7).names.isEmpty()); // there are no others
    QVERIFY(cutSweeps({}, 4).names.isEmpty());
}

void TstJobSweeps::twoJobsOfAGroupAreOneRow()
{
    JobsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.apply(member(1, State::Running));
    model.apply(alone(2, State::Running));
    QCOMPARE(rows(model), u"Running: 2 1"_s);
    model.apply(member(3, State::Running));
    QCOMPARE(rows(model), u"Running: 2 resnet(1 3)"_s); // by its first number
    model.apply(member(4, State::Succeeded));
    QCOMPARE(rows(model), u"Running: 2 resnet(1 3 4)"_s);
    QCOMPARE(model.jobCount(), 4);
    QCOMPARE(model.jobs().size(), 4);
    QCOMPARE(model.job(model.indexOf(u"uuid-3"_s))->id, 3);
    QVERIFY(!model.job(model.indexOfSweep(u"resnet"_s)));
    model.remove(u"uuid-1"_s);
    QCOMPARE(rows(model), u"Running: resnet(3 4) 2"_s);
    model.remove(u"uuid-4"_s);
    QCOMPARE(rows(model), u"Running: 3 2"_s);
    QVERIFY(!model.indexOfSweep(u"resnet"_s).isValid());
    model.apply(member(5, State::Running));
    QCOMPARE(rows(model), u"Running: resnet(3 5) 2"_s);
    // As the engine tells them all at once.
    model.setJobs({member(5, State::Waiting), member(3, State::Waiting), alone(2, State::Running),
        member(7, State::Failed, u"bert"_s)});
    QCOMPARE(rows(model), u"Running: 2; Waiting: resnet(3 5); Done: 7"_s);
    model.apply(member(8, State::Failed, u"bert"_s));
    QCOMPARE(rows(model), u"Running: 2; Waiting: resnet(3 5); Done: bert(7 8)"_s);
    for (const qint64 id : {2, 3, 5, 7, 8}) {
        QCOMPARE(model.job(model.indexOf(u"uuid-"_s + QString::number(id)))->id, id);
        model.remove(u"uuid-"_s + QString::number(id));
    }
    QCOMPARE(rows(model), QString());
    QCOMPARE(model.jobCount(), 0);
}

void TstJobSweeps::rowsGoWhereTheirJobsAre()
{
    JobsModel model;
    JobsFilter filter;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester proxyTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    model.setJobs({alone(1, State::Waiting), member(2, State::Waiting), member(3, State::Waiting),
        alone(4, State::Waiting), alone(9, State::Succeeded)});
    QCOMPARE(rows(model), u"Waiting: 1 resnet(2 3) 4; Done: 9"_s);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.apply(member(2, State::Running));
    QCOMPARE(rows(model), u"Running: resnet(2 3); Waiting: 1 4; Done: 9"_s);
    QCOMPARE(rows(filter), rows(model)); // a group came into sight
    model.apply(member(2, State::Succeeded));
    QCOMPARE(rows(model), u"Waiting: 1 resnet(2 3) 4; Done: 9"_s);
    JobSummary last = member(3, State::Waiting);
    last.order = 50; // moved to the end by hand
    model.apply(last);
    QCOMPARE(rows(model), u"Waiting: 1 4 resnet(2 3); Done: 9"_s);
    QCOMPARE(rows(filter), rows(model));
    model.apply(member(3, State::Failed));
    QCOMPARE(rows(model), u"Waiting: 1 4; Done: 9 resnet(2 3)"_s);
    QCOMPARE(rows(filter), rows(model));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.apply(member(3, State::Failed)); // as it was
    QCOMPARE(changes.count(), 0);
    QCOMPARE(resets.count(), 0);
}

void TstJobSweeps::queueKnowsTheJobsOfSweeps()
{
    JobsModel model;
    QCOMPARE(model.queueHead(), QString());
    model.setJobs({member(1, State::Running), member(2, State::Waiting), alone(3, State::Waiting),
        member(4, State::Waiting, u"bert"_s), member(5, State::Waiting, u"bert"_s)});
    QCOMPARE(rows(model), u"Running: resnet(1 2); Waiting: 3 bert(4 5)"_s);
    QCOMPARE(model.queueHead(), u"uuid-2"_s); // although its row is among those that run
    QCOMPARE(model.indexOfSweep(u"bert"_s).data(JobsModel::QueueRole).toString(), u"uuid-4"_s);
    JobSummary moved = member(5, State::Waiting, u"bert"_s);
    moved.order = 1;
    model.apply(moved);
    QCOMPARE(model.indexOfSweep(u"bert"_s).data(JobsModel::QueueRole).toString(), u"uuid-5"_s);
    QCOMPARE(model.queueHead(), u"uuid-5"_s);
    QCOMPARE(rows(model), u"Running: resnet(1 2); Waiting: bert(4 5) 3"_s);
}

// A sweep that runs has jobs that wait; the head of the running ones does not count them as such.
void TstJobSweeps::headsCountJobsInTheirState()
{
    JobsModel model;
    JobsFilter filter;
    filter.setSourceModel(&model);
    model.setJobs({member(1, State::Running), member(2, State::Waiting), member(3, State::Waiting),
        member(4, State::Succeeded), alone(5, State::Running), alone(6, State::Waiting)});
    const auto head
        = [](const QAbstractItemModel &shown, int group) { return JobsDelegate::countText(shown.index(group, 0)); };
    QCOMPARE(head(model, JobsModel::Running), u"2 of 5"_s);
    QCOMPARE(head(filter, 0), u"2 of 5"_s);
    QCOMPARE(head(filter, 1), u"1"_s);
    QSignalSpy changed(&model, &JobsModel::dataChanged);
    model.apply(member(2, State::Running));
    QCOMPARE(head(filter, 0), u"3 of 5"_s);
    QVERIFY(std::any_of(changed.cbegin(), changed.cend(), [&model](const QList<QVariant> &signal) {
        return signal.at(0).value<QModelIndex>() == model.index(JobsModel::Running, 0);
    }));
    filter.setFilter(JobFilter::parse(u"group:resnet lr<0.4"_s, 0).value());
    QCOMPARE(rows(filter), u"Running: resnet(1 2 3)"_s);
    QCOMPARE(head(filter, 0), u"2 of 3"_s);
    filter.setFilter(JobFilter::parse(u"state:running"_s, 0).value());
    QCOMPARE(head(filter, 0), u"3"_s);
}

void TstJobSweeps::sweepStoppedBeforeItBegan()
{
    JobsModel model;
    JobsFilter filter;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    const auto head
        = [](const QAbstractItemModel &shown, int group) { return JobsDelegate::countText(shown.index(group, 0)); };
    model.setJobs(
        {member(1, State::Waiting), member(2, State::Waiting), member(3, State::Waiting), alone(4, State::Waiting)});
    model.apply(member(1, State::Stopping));
    QCOMPARE(rows(model), u"Waiting: resnet(1 2 3) 4"_s);
    model.apply(member(2, State::Stopping));
    model.apply(member(3, State::Stopping));
    QCOMPARE(rows(model), u"Waiting: 4 resnet(1 2 3)"_s);
    QCOMPARE(head(model, JobsModel::Waiting), u"4"_s);
    JobSummary begun = member(3, State::Stopping);
    begun.launched = 1000;
    model.apply(begun);
    QCOMPARE(rows(model), u"Running: resnet(1 2 3); Waiting: 4"_s);
    QCOMPARE(head(model, JobsModel::Running), u"1 of 3"_s);
    QCOMPARE(rows(filter), rows(model));
    filter.setFilter(
        JobFilter::parse(u"group:resnet lr>0.1"_s, 0).value()); // the filter counts by itself what it shows
    QCOMPARE(rows(filter), u"Running: resnet(2 3)"_s);
    QCOMPARE(head(filter, 0), u"1 of 2"_s);
}

void TstJobSweeps::filtersFindJobsOfSweeps()
{
    JobsModel model;
    JobsFilter filter;
    QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    model.setJobs({member(1, State::Succeeded), member(2, State::Failed), member(3, State::Succeeded),
        alone(4, State::Succeeded)});
    QCOMPARE(rows(filter), u"Done: 4 resnet(1 2 3)"_s);
    QCOMPARE(filter.shownCount(), 4); // jobs, not rows
    const auto row = [&] {
        return filter.mapFromSource(model.indexOfSweep(u"resnet"_s)).data(JobsModel::SweepRowRole).value<SweepRow>();
    };
    const auto ofGroup = [&filter] { return filter.index(0, 0).data(JobsModel::CountRole).toInt(); };
    QCOMPARE(ofGroup(), 4);
    QCOMPARE(model.index(JobsModel::Done, 0).data(JobsModel::CountRole).toInt(), 4);
    QCOMPARE(row().shown, 3);
    QCOMPARE(row().all, 3);
    const auto look = [&filter](const QString &text) { filter.setFilter(JobFilter::parse(text, 0).value()); };
    look(u"failed"_s);
    QCOMPARE(rows(filter), u"Done: resnet(2)"_s);
    QCOMPARE(filter.sweepsWithSomeMatches().size(), 1);
    QCOMPARE(filter.shownCount(), 1);
    QCOMPARE(filter.allCount(), 4);
    QCOMPARE(ofGroup(), 1);
    QCOMPARE(row().shown, 1);
    QCOMPARE(row().all, 3);
    QCOMPARE(row().ended, 3);
    look(u"lr>0.15"_s);
    QCOMPARE(rows(filter), u"Done: 4 resnet(2 3)"_s);
    look(u"resnet"_s); // all of them: it can stay folded
    QCOMPARE(rows(filter), u"Done: resnet(1 2 3)"_s);
    QVERIFY(filter.sweepsWithSomeMatches().isEmpty());
    JobSummary named = member(5, State::Succeeded, u"study"_s); // what its row is called is found, too
    named.name = u"bert"_s;
    model.apply(named);
    look(u"study"_s);
    QCOMPARE(rows(filter), u"Done: 5"_s);
    model.remove(named.uuid);
    look(u"failed"_s);
    model.apply(member(3, State::Failed)); // it comes into sight
    QCOMPARE(rows(filter), u"Done: resnet(2 3)"_s);
    model.apply(member(2, State::Succeeded));
    model.apply(member(3, State::Succeeded));
    QCOMPARE(rows(filter), QString());
    model.apply(member(1, State::Failed)); // and so does its row, with its group
    QCOMPARE(rows(filter), u"Done: resnet(1)"_s);
    look({});
    filter.setHidden({u"uuid-1"_s}); // it is being deleted
    QCOMPARE(row().shown, 2);
    QCOMPARE(row().all, 2);
    QCOMPARE(row().failed, 0);
    QCOMPARE(filter.shownCount(), 3);
    filter.setHidden({u"uuid-1"_s, u"uuid-2"_s, u"uuid-3"_s});
    QCOMPARE(rows(filter), u"Done: 4"_s);
}

// As many jobs as the list may have, and one sweep that has a tenth of them: each change costs the same.
void TstJobSweeps::manyJobsOfOneSweep()
{
    QList<JobSummary> jobs;
    for (int i = 100'000; i > 0; --i) {
        jobs.append(member(i, State::Waiting, i % 10 == 0 ? u"large"_s : u"of-ten-"_s + QString::number(i / 10)));
    }
    JobsModel model;
    QElapsedTimer timer;
    timer.start();
    model.setJobs(jobs);
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(model.jobCount(), 100'000);
    QCOMPARE(model.rowCount(model.indexOfSweep(u"large"_s)), 10'000);
    timer.start();
    for (const State state : {State::Running, State::Succeeded}) {
        for (int i = 10; i <= 100'000; i += 10) {
            model.apply(member(i, state, u"large"_s));
        }
    }
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    const auto row = model.indexOfSweep(u"large"_s).data(JobsModel::SweepRowRole).value<SweepRow>();
    QCOMPARE(row.ended, 10'000);
    QCOMPARE(row.state, State::Succeeded);
}

void TstJobSweeps::rowOpensItsPageAndUnfolds()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({member(1, State::Running), member(2, State::Waiting), alone(3, State::Running)});
    pane.show();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    QTreeView *view = pane.view();
    QSignalSpy opened(&pane, &JobsPane::openRequested);
    QSignalSpy compared(&pane, &JobsPane::compareGroupRequested);
    const auto row = [view] { return rowOfSweep(view, u"resnet"_s); };
    const auto click = [view](const QModelIndex &at, int x) {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(x, view->visualRect(at).center().y()));
    };
    QVERIFY(row().isValid() && !view->isExpanded(row()));
    click(row(), 80);
    QCOMPARE(compared.size(), 1);
    QCOMPARE(compared.constFirst().constFirst().toString(), u"resnet"_s);
    QVERIFY(!view->isExpanded(row()) && opened.isEmpty());
    click(row(), 10);
    QVERIFY(view->isExpanded(row()));
    QCOMPARE(compared.size(), 1);
    // Who folds and unfolds quickly does not ask for the page.
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, QPoint(10, view->visualRect(row()).center().y()));
    QCOMPARE(compared.size(), 1);
    view->expand(row());
    click(view->model()->index(1, 0, row()), 80);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.constFirst().constFirst().toString(), u"uuid-2"_s);
    // It stays as it is when its row goes from group to group.
    pane.model()->apply(member(1, State::Succeeded));
    QVERIFY(row().isValid() && view->isExpanded(row()));
    // By keys.
    view->setCurrentIndex(row());
    QTest::keyClick(view, Qt::Key_Left);
    QVERIFY(!view->isExpanded(row()));
    QTest::keyClick(view, Qt::Key_Right);
    QVERIFY(view->isExpanded(row()));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(compared.size(), 2);
}

void TstJobSweeps::filterUnfoldsWhatItFinds()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({member(1, State::Succeeded), member(2, State::Failed), alone(3, State::Succeeded)});
    pane.show();
    QTreeView *view = pane.view();
    const auto isOpen = [view] { return view->isExpanded(rowOfSweep(view, u"resnet"_s)); };
    QVERIFY(!isOpen());
    pane.filterField()->setText(u"failed"_s);
    QVERIFY(isOpen());
    QCOMPARE(rows(*view->model()), u"Done: resnet(2)"_s);
    pane.filterField()->setText(u"resnet"_s);
    QVERIFY(!isOpen());
    pane.filterField()->setText({});
    QVERIFY(!isOpen());
    view->expand(rowOfSweep(view, u"resnet"_s)); // by the user
    pane.filterField()->setText(u"resnet"_s);
    QVERIFY(isOpen());
    pane.filterField()->setText({});
    QVERIFY(isOpen());
}

void TstJobSweeps::rowStandsForItsJobs()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({member(1, State::Succeeded), member(2, State::Failed), member(3, State::Succeeded),
        alone(4, State::Succeeded)});
    pane.show();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    QTreeView *view = pane.view();
    view->setFocus();
    const auto ids = [view] {
        QList<qint64> selected;
        for (const JobSummary &job : selectedJobs(view)) {
            selected.append(job.id);
        }
        return selected;
    };
    const QModelIndex row = rowOfSweep(view, u"resnet"_s);
    view->setCurrentIndex(row);
    QCOMPARE(ids(), (QList<qint64>{1, 2, 3}));
    view->expand(row);
    QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(ids(), (QList<qint64>{4, 1, 2, 3})); // each once
    QSignalSpy removed(&pane, &JobsPane::removeRequested);
    // As without Ctrl, which the view takes for held after the key above.
    view->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    QTest::keyClick(view, Qt::Key_Delete);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(removed.constFirst().constFirst().toStringList(), (QStringList{u"uuid-1"_s, u"uuid-2"_s, u"uuid-3"_s}));
    // Those that a filter leaves.
    pane.filterField()->setText(u"failed"_s);
    view->setCurrentIndex(rowOfSweep(view, u"resnet"_s));
    QCOMPARE(ids(), QList<qint64>{2});
}

void TstJobSweeps::currentRowStaysWhenItMoves()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({member(1, State::Waiting), member(2, State::Waiting), alone(3, State::Waiting)});
    pane.show();
    QTreeView *view = pane.view();
    const auto row = [view] { return rowOfSweep(view, u"resnet"_s); };
    pane.setCurrentJob(u"uuid-2"_s); // it is in a folded row, which stands for it
    QCOMPARE(view->currentIndex(), row());
    QVERIFY(!view->isExpanded(row()));
    for (const State state : {State::Running, State::Succeeded, State::Waiting}) {
        pane.model()->apply(member(1, state));
        QCOMPARE(view->currentIndex(), row());
        QVERIFY(view->selectionModel()->isSelected(row()));
    }
    view->expand(row());
    pane.setCurrentJob(u"uuid-2"_s);
    QCOMPARE(pane.currentJob(), u"uuid-2"_s);
    pane.model()->apply(member(1, State::Running));
    QCOMPARE(pane.currentJob(), u"uuid-2"_s);
    pane.setCurrentGroup(u"resnet"_s);
    QCOMPARE(view->currentIndex(), row());
    QCOMPARE(pane.currentJob(), QString());
    pane.setCurrentGroup(u"bert"_s); // whose jobs are being submitted
    QVERIFY(!view->currentIndex().isValid());
    pane.model()->apply(member(11, State::Waiting, u"bert"_s));
    pane.model()->apply(member(12, State::Waiting, u"bert"_s));
    QCOMPARE(view->currentIndex(), rowOfSweep(view, u"bert"_s));
}

void TstJobSweeps::menuOfASweep()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs(
        {member(1, State::Running), member(2, State::Succeeded), member(3, State::Waiting), alone(4, State::Waiting)});
    pane.show();
    QTreeView *view = pane.view();
    const auto choose = [&](const QModelIndex &at, const QString &text) {
        Q_EMIT view->customContextMenuRequested(view->visualRect(at).center());
        const QList<QMenu *> menus = pane.findChildren<QMenu *>();
        bool done = false;
        for (QAction *action : menus.isEmpty() ? QList<QAction *>() : menus.last()->actions()) {
            if (action->text() == text && action->isEnabled()) {
                action->trigger();
                done = true;
            }
        }
        qDeleteAll(menus);
        return done;
    };
    const auto row = [view] { return rowOfSweep(view, u"resnet"_s); };
    QSignalSpy compared(&pane, &JobsPane::compareGroupRequested);
    QSignalSpy stops(&pane, &JobsPane::stopSeveralRequested);
    QSignalSpy removed(&pane, &JobsPane::removeRequested);
    QSignalSpy moves(&pane, &JobsPane::moveRequested);
    QVERIFY(choose(row(), u"Open"_s));
    QCOMPARE(compared.size(), 1);
    QVERIFY(choose(row(), u"Stop"_s));
    QCOMPARE(stops.constFirst().constFirst().toStringList(), (QStringList{u"uuid-1"_s, u"uuid-3"_s}));
    QSignalSpy pauses(&pane, &JobsPane::pauseRequested);
    QVERIFY(!choose(row(), u"Resume"_s)); // none is paused
    JobSummary paused = member(3, State::Waiting);
    paused.paused = true;
    pane.model()->apply(paused);
    QVERIFY(choose(row(), u"Pause"_s));
    QCOMPARE(pauses.takeFirst(), (QVariantList{u"uuid-1"_s, true}));
    QVERIFY(pauses.isEmpty());
    QVERIFY(choose(row(), u"Resume"_s));
    QCOMPARE(pauses.takeFirst(), (QVariantList{u"uuid-3"_s, false}));
    QVERIFY(pauses.isEmpty());
    pane.model()->apply(member(3, State::Waiting));
    QVERIFY(choose(row(), u"Delete"_s));
    QCOMPARE(removed.constFirst().constFirst().toStringList(), QStringList{u"uuid-2"_s});
    QVERIFY(choose(row(), u"Unfold"_s));
    QVERIFY(view->isExpanded(row()));
    // A job of it has the menu of a job, but no place in a row of its own.
    const QModelIndex waiting = view->model()->index(2, 0, row());
    view->setCurrentIndex(waiting);
    QVERIFY(!choose(waiting, u"Move down"_s));
    QVERIFY(choose(waiting, u"Move to the end of the queue"_s));
    QCOMPARE(moves.takeFirst(), (QVariantList{u"uuid-3"_s, QString()}));
    QVERIFY(choose(row(), u"Fold"_s));
    QVERIFY(!view->isExpanded(row()));
}

TRAINYARD_GUI_TEST(TstJobSweeps)
#include "tst_jobsweeps.moc"
