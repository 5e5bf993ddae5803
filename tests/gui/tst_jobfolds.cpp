// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/searchfield.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/jobs/groupcells.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/jobs/jobstableview.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

JobSummary foldJob(qint64 id, const QString &group = u"lr"_s, State state = State::Succeeded)
{
    JobSummary job;
    job.id = id;
    job.uuid = u"uuid-%1"_s.arg(id);
    job.name = u"job-%1"_s.arg(id);
    job.group = group;
    job.state = state;
    job.submitted = 1000 * id;
    job.completed = 1000 * id + 500;
    return job;
}

JobSummary withLoss(JobSummary job, double loss)
{
    job.results = {{u"loss"_s, QJsonObject{{u"last"_s, loss}, {u"least"_s, loss}, {u"most"_s, loss}}}};
    return job;
}

// "9 lr(8 6) 7"
QString rowsOf(const JobsTableModel &model)
{
    QStringList words;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex at = model.index(row, 0);
        if (const JobSummary *job = model.jobAt(at)) {
            words.append(QString::number(job->id));
            continue;
        }
        QStringList ids;
        for (int place = 0; place < model.rowCount(at); ++place) {
            ids.append(QString::number(model.jobAt(model.index(place, 0, at))->id));
        }
        words.append(at.data(JobsTableModel::GroupRole).toString() + u'(' + ids.join(u' ') + u')');
    }
    return words.join(u' ');
}

JobFilter foldFilter(const QString &text) { return JobFilter::parse(text, 0).value(); }

QList<qint64> idsOf(const QList<JobSummary> &jobs)
{
    QList<qint64> ids;
    for (const JobSummary &job : jobs) {
        ids.append(job.id);
    }
    return ids;
}

} // namespace

// The jobs of a group as one row of the table of all jobs.
class TstJobFolds : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cells_data();
    void cells();
    void rowsFold();
    void rowsStandWhereTheirFirstJobWould();
    void changesReachTheRow();
    void lastOfAGroupIsARowOfItsOwn();
    void anyOrderOfChanges();
    void filterUnfoldsWhatItFinds();
    void rowStandsForItsJobs();
    void foldingStays();
    void aFoldedGroupStaysFolded();
    void oneJobOfAGroupIsSpared();
};

void TstJobFolds::cells_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::newRow("name") << u"name"_s << u"lr (3)"_s;
    QTest::newRow("state") << u"state"_s << u"Running"_s;
    QTest::newRow("why") << u"why"_s << u"2 of 3 over, 1 failed"_s;
    QTest::newRow("number") << u"id"_s << u"#4 \u2013 #12"_s;
    QTest::newRow("a parameter of numbers") << u"param:lr"_s << u"0.1 \u2013 0.3"_s;
    QTest::newRow("the same of all") << u"param:bs"_s << u"32"_s;
    QTest::newRow("texts") << u"param:opt"_s << u"2 value(s)"_s; // without a translation
    QTest::newRow("nowhere") << u"param:none"_s << QString();
    QTest::newRow("a result that one lacks") << u"result:loss"_s << u"0.25 \u2013 0.5"_s;
    QTest::newRow("in common") << u"host"_s << u"ws"_s;
    QTest::newRow("not in common") << u"tags"_s << QString();
    QTest::newRow("ended") << u"completed"_s << QString(); // not yet
    QTest::newRow("progress") << u"progress"_s << u"83 %"_s;
    QTest::newRow("star") << u"star"_s << u"\u2606"_s;
    QTest::newRow("group") << u"group"_s << u"lr"_s;
    QTest::newRow("counts") << u"gpus"_s << u"1 \u2013 2"_s;
}

void TstJobFolds::cells()
{
    QList<JobSummary> jobs{withLoss(foldJob(12), 0.5), withLoss(foldJob(4, u"lr"_s, State::Failed), 0.25),
        foldJob(9, u"lr"_s, State::Running)};
    for (qsizetype i = 0; i < jobs.size(); ++i) {
        jobs[i].hosts = {u"ws"_s};
        jobs[i].totalGpu = i == 1 ? 2 : 1;
        jobs[i].parameters = {{u"lr"_s, double(i + 1) / 10}, {u"bs"_s, 32}, {u"opt"_s, i == 2 ? u"sgd"_s : u"adam"_s}};
    }
    jobs[0].labels.tags = {u"x"_s};
    jobs[0].labels.isStarred = true;
    jobs[2].completed = {};
    jobs[2].progress = 0.5;
    QFETCH(QString, key);
    QTEST(groupCellText(u"lr"_s, {&jobs[0], &jobs[1], &jobs[2]}, key, 100'000), "text");
}

void TstJobFolds::rowsFold()
{
    JobsTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.add({foldJob(9, {}), foldJob(8), foldJob(7, {}), foldJob(6), foldJob(5, u"one"_s)});
    QTRY_COMPARE(rowsOf(model), u"9 lr(8 6) 7 5"_s); // a group of one job is no row
    QVERIFY(model.hasGroups());
    QCOMPARE(model.shownCount(), 5);
    model.add({foldJob(4, {}), foldJob(3, {})}); // older ones without a group: nothing moves
    QCOMPARE(rowsOf(model), u"9 lr(8 6) 7 5 4 3"_s);
    model.add({foldJob(2, u"one"_s)});
    QTRY_COMPARE(rowsOf(model), u"9 lr(8 6) 7 one(5 2) 4 3"_s);
    QCOMPARE(idsOf(model.shownJobs()), (QList<qint64>{9, 8, 6, 7, 5, 2, 4, 3}));
    model.setFolded(false);
    QCOMPARE(rowsOf(model), u"9 8 7 6 5 4 3 2"_s);
    QVERIFY(model.hasGroups());
    model.setFolded(true);
    QCOMPARE(rowsOf(model), u"9 lr(8 6) 7 one(5 2) 4 3"_s);
    const QModelIndex member = model.indexOf(u"uuid-2"_s);
    QCOMPARE(model.parent(member), model.indexOfGroup(u"one"_s));
    QCOMPARE(member.data(JobsTableModel::UuidRole).toString(), u"uuid-2"_s);
    QVERIFY(!model.jobAt(model.indexOfGroup(u"one"_s)));
}

void TstJobFolds::rowsStandWhereTheirFirstJobWould()
{
    JobsTableModel model;
    model.setColumns({u"id"_s, u"result:loss"_s});
    model.add({withLoss(foldJob(9, {}), 0.4), withLoss(foldJob(8), 0.9), withLoss(foldJob(7), 0.1),
        withLoss(foldJob(6, {}), 0.2), foldJob(5)});
    model.sort(1, Qt::AscendingOrder);
    QCOMPARE(rowsOf(model), u"lr(7 8 5) 6 9"_s); // those without a result are the last of theirs
    model.sort(1, Qt::DescendingOrder);
    QCOMPARE(rowsOf(model), u"lr(8 7 5) 9 6"_s);
    model.sort(0, Qt::AscendingOrder);
    QCOMPARE(rowsOf(model), u"lr(5 7 8) 6 9"_s);
}

void TstJobFolds::changesReachTheRow()
{
    JobsTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setColumns({u"id"_s, u"state"_s, u"why"_s});
    model.add({foldJob(9, u"lr"_s, State::Running), foldJob(8)});
    QTRY_COMPARE(rowsOf(model), u"lr(9 8)"_s);
    const QModelIndex row = model.indexOfGroup(u"lr"_s);
    QCOMPARE(row.siblingAtColumn(1).data().toString(), u"Running"_s);
    QCOMPARE(row.siblingAtColumn(2).data().toString(), u"1 of 2 over"_s);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.add({foldJob(9, u"lr"_s, State::Failed)});
    QCOMPARE(changes.count(), 2); // of the job and of its group
    QCOMPARE(row.siblingAtColumn(1).data().toString(), u"Failed"_s);
    QCOMPARE(row.siblingAtColumn(2).data().toString(), u"1 succeeded, 1 failed"_s);
    QVERIFY(row.siblingAtColumn(1).data(Qt::ToolTipRole).toString().contains(u"Failed: 1"_s));
}

void TstJobFolds::lastOfAGroupIsARowOfItsOwn()
{
    JobsTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.add({foldJob(9, {}), foldJob(8), foldJob(7), foldJob(6), foldJob(5, u"b"_s), foldJob(4, u"b"_s)});
    QTRY_COMPARE(rowsOf(model), u"9 lr(8 7 6) b(5 4)"_s);
    model.remove(u"uuid-8"_s);
    QCOMPARE(rowsOf(model), u"9 lr(7 6) b(5 4)"_s);
    model.remove(u"uuid-9"_s); // the rows of groups move
    QCOMPARE(model.indexOfGroup(u"b"_s).row(), 1);
    model.remove(u"uuid-7"_s);
    QTRY_COMPARE(rowsOf(model), u"6 b(5 4)"_s);
    model.remove(u"uuid-5"_s);
    model.remove(u"uuid-4"_s); // before the rows were made anew
    QCOMPARE(rowsOf(model), u"6"_s);
    QCOMPARE(model.shownCount(), 1);
    QTRY_VERIFY(!model.hasGroups());
}

void TstJobFolds::anyOrderOfChanges()
{
    JobsTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QRandomGenerator random(17);
    QMap<qint64, JobSummary> known;
    for (int round = 0; round < 400; ++round) {
        const auto pick = random.bounded(10);
        const qint64 id = random.bounded(1, 40);
        if (pick < 6) {
            JobSummary job = foldJob(
                id, id % 5 == 0 ? QString() : u"g%1"_s.arg(id % 4), random.bounded(2) ? State::Running : State::Failed);
            job.priority = int(random.bounded(3));
            known[id] = job;
            model.add({job});
        } else if (pick < 8) {
            known.remove(id);
            model.remove(u"uuid-%1"_s.arg(id));
        } else if (pick == 8) {
            model.setFolded(random.bounded(2));
        } else {
            model.setFilter(foldFilter(random.bounded(2) ? QString() : u"state:failed"_s));
        }
        QVERIFY(model.shownCount() <= known.size());
    }
    model.setFilter({});
    model.setFolded(true);
    model.sort(int(model.columns().indexOf(u"name"_s)), Qt::AscendingOrder);
    model.sort(int(model.columns().indexOf(u"id"_s)), Qt::DescendingOrder);
    QHash<QString, int> members;
    for (const JobSummary &job : std::as_const(known)) {
        ++members[job.group];
    }
    QStringList rows;
    QHash<QString, QStringList> of;
    QStringList groups;
    QList<qint64> ids = known.keys();
    std::reverse(ids.begin(), ids.end());
    for (const qint64 id : std::as_const(ids)) {
        const QString &group = known[id].group;
        if (group.isEmpty() || members[group] < 2) {
            rows.append(QString::number(id));
        } else {
            if (!of.contains(group)) {
                rows.append(group);
            }
            of[group].append(QString::number(id));
        }
    }
    for (QString &row : rows) {
        row += of.contains(row) ? u'(' + of.value(row).join(u' ') + u')' : QString();
    }
    QVERIFY(of.size() > 1);
    QCOMPARE(rowsOf(model), rows.join(u' '));
}

void TstJobFolds::filterUnfoldsWhatItFinds()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    page.model()->add({foldJob(9), foldJob(8), foldJob(7, u"lr"_s, State::Failed), foldJob(6, u"lr"_s, State::Failed),
        foldJob(5, u"b"_s, State::Failed), foldJob(4, u"b"_s, State::Failed)});
    QTRY_COMPARE(rowsOf(*page.model()), u"lr(9 8 7 6) b(5 4)"_s);
    const auto isOpen
        = [&page](const QString &group) { return page.view()->isExpanded(page.model()->indexOfGroup(group)); };
    QVERIFY(!isOpen(u"lr"_s) && !isOpen(u"b"_s));
    page.filter()->setText(u"state:failed"_s);
    QCOMPARE(rowsOf(*page.model()), u"lr(7 6) b(5 4)"_s);
    QVERIFY(isOpen(u"lr"_s)); // some of its jobs
    QVERIFY(!isOpen(u"b"_s)); // it is whole
    QCOMPARE(page.findChild<QLabel *>(u"jobsCount"_s)->text(), u"4 of 6 jobs"_s);
    page.filter()->setText({});
    QVERIFY(!isOpen(u"lr"_s) && !isOpen(u"b"_s));
}

void TstJobFolds::rowStandsForItsJobs()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.model()->add({foldJob(9, {}), foldJob(8), foldJob(7), foldJob(6, u"lr"_s, State::Running)});
    QTRY_COMPARE(rowsOf(*page.model()), u"9 lr(8 7 6)"_s);
    JobsTableView *view = page.view();
    const QModelIndex row = page.model()->indexOfGroup(u"lr"_s);
    const auto column = [&page](const QString &key) { return int(page.model()->columns().indexOf(key)); };
    view->setCurrentIndex(row);
    QCOMPARE(idsOf(view->selected()), (QList<qint64>{8, 7, 6}));
    QVERIFY(page.findChild<QLabel *>(u"jobsCount"_s)->text().endsWith(u"3 selected"_s));
    QVERIFY(page.selectionAsText().contains(u"\t7\t"));

    QSignalSpy groups(&page, &JobsTablePage::groupRequested);
    QSignalSpy jobs(&page, &JobsTablePage::openRequested);
    const QRect name = view->visualRect(row.siblingAtColumn(column(u"name"_s)));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, name.center());
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, name.center());
    QCOMPARE(groups.value(0).value(0).toString(), u"lr"_s);
    QVERIFY(jobs.isEmpty() && !view->isExpanded(row)); // it opens the comparison
    QSignalSpy stars(&page, &JobsTablePage::starRequested);
    QTest::mouseClick(
        view->viewport(), Qt::LeftButton, {}, view->visualRect(row.siblingAtColumn(column(u"star"_s))).center());
    QCOMPARE(stars.value(0).value(0).toStringList(), (QStringList{u"uuid-8"_s, u"uuid-7"_s, u"uuid-6"_s}));
    QCOMPARE(stars.value(0).value(1).toBool(), true);

    // The arrow stands before the name.
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(name.left() - 8, name.center().y()));
    QVERIFY(view->isExpanded(row));
    view->selectAll(); // the row and its jobs: each job counts once
    QCOMPARE(idsOf(view->selected()), (QList<qint64>{9, 8, 7, 6}));
    QTest::keyClick(view, Qt::Key_Home);
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Left);
    QVERIFY(!view->isExpanded(row));
    QTest::keyClick(view, Qt::Key_Right);
    QVERIFY(view->isExpanded(row));
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(jobs.value(0).value(0).toString(), u"uuid-8"_s);
}

void TstJobFolds::foldingStays()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    auto *fold = page.findChild<QToolButton *>(u"foldGroups"_s);
    QVERIFY(fold);
    page.model()->add({foldJob(9, {}), foldJob(8, {})});
    QTRY_COMPARE(page.model()->rowCount(), 2);
    QVERIFY(!fold->isVisible() && !page.view()->rootIsDecorated()); // nothing to fold
    page.model()->add({foldJob(7), foldJob(6)});
    QTRY_COMPARE(rowsOf(*page.model()), u"9 8 lr(7 6)"_s);
    QVERIFY(fold->isVisible() && fold->isChecked() && page.view()->rootIsDecorated());
    QModelIndex row = page.model()->indexOfGroup(u"lr"_s);
    page.view()->expand(row);
    page.view()->selectionModel()->select(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    page.view()->selectionModel()->select(
        page.model()->index(1, 0, row), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    page.view()->header()->setSortIndicator(int(page.model()->columns().indexOf(u"id"_s)), Qt::AscendingOrder);
    QCOMPARE(rowsOf(*page.model()), u"lr(6 7) 8 9"_s);
    row = page.model()->indexOfGroup(u"lr"_s);
    QVERIFY(page.view()->isExpanded(row));
    QVERIFY(page.view()->selectionModel()->isSelected(row));
    QVERIFY(page.view()->selectionModel()->isSelected(page.model()->indexOf(u"uuid-6"_s)));
    QVERIFY(!page.view()->selectionModel()->isSelected(page.model()->indexOf(u"uuid-7"_s)));

    page.setSorting(u"id"_s, Qt::DescendingOrder); // as a session restores it
    QCOMPARE(rowsOf(*page.model()), u"9 8 lr(7 6)"_s);
    QSignalSpy arranged(&page, &JobsTablePage::arranged);
    page.setSorting(u"no such column"_s, Qt::AscendingOrder);
    QVERIFY(arranged.isEmpty());
    page.setSorting(u"id"_s, Qt::AscendingOrder);
    QCOMPARE(arranged.count(), 1); // it is to be kept
    QCOMPARE(page.view()->header()->sortIndicatorOrder(), Qt::AscendingOrder);
    arranged.clear();
    QTest::mouseClick(fold, Qt::LeftButton);
    QCOMPARE(arranged.count(), 1);
    QCOMPARE(rowsOf(*page.model()), u"6 7 8 9"_s);
    QVERIFY(fold->isVisible() && !fold->isChecked() && !page.view()->rootIsDecorated());
    QVERIFY(page.view()->selectionModel()->isSelected(page.model()->indexOf(u"uuid-6"_s)));
}

// Also when one of its jobs has the keys, and whatever comes in meanwhile.
void TstJobFolds::aFoldedGroupStaysFolded()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    page.model()->add({foldJob(9, {}), foldJob(8), foldJob(7), foldJob(6, u"lr"_s, State::Failed)});
    QTRY_COMPARE(rowsOf(*page.model()), u"9 lr(8 7 6)"_s);
    JobsTableView *view = page.view();
    view->expand(page.model()->indexOfGroup(u"lr"_s));
    view->setCurrentIndex(page.model()->indexOf(u"uuid-7"_s));
    view->collapse(page.model()->indexOfGroup(u"lr"_s));
    page.model()->add({foldJob(10, {})});
    QTRY_COMPARE(rowsOf(*page.model()), u"10 9 lr(8 7 6)"_s);
    QVERIFY(!view->isExpanded(page.model()->indexOfGroup(u"lr"_s)));
    page.setFolded(false);
    view->setCurrentIndex(page.model()->indexOf(u"uuid-7"_s));
    page.setFolded(true);
    QVERIFY(!view->isExpanded(page.model()->indexOfGroup(u"lr"_s)));
    // One that a filter has opened, too.
    page.filter()->setText(u"state:failed,succeeded id:7,6,9"_s);
    QTRY_COMPARE(rowsOf(*page.model()), u"9 lr(7 6)"_s);
    QVERIFY(view->isExpanded(page.model()->indexOfGroup(u"lr"_s)));
    view->collapse(page.model()->indexOfGroup(u"lr"_s));
    page.setSorting(u"id"_s, Qt::AscendingOrder);
    QCOMPARE(rowsOf(*page.model()), u"lr(6 7) 9"_s);
    QVERIFY(!view->isExpanded(page.model()->indexOfGroup(u"lr"_s)));
}

// What is taken out of a selection is not stopped or deleted with its group.
void TstJobFolds::oneJobOfAGroupIsSpared()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.model()->add({foldJob(9, {}), foldJob(8), foldJob(7), foldJob(6)});
    QTRY_COMPARE(rowsOf(*page.model()), u"9 lr(8 7 6)"_s);
    JobsTableView *view = page.view();
    view->expand(page.model()->indexOfGroup(u"lr"_s));
    view->selectAll();
    QCOMPARE(idsOf(view->selected()), (QList<qint64>{9, 8, 7, 6}));
    const QModelIndex spared = page.model()->indexOf(u"uuid-7"_s);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier,
        view->visualRect(spared.siblingAtColumn(int(page.model()->columns().indexOf(u"name"_s)))).center());
    QCOMPARE(idsOf(view->selected()), (QList<qint64>{9, 8, 6}));
    QVERIFY(page.findChild<QLabel *>(u"jobsCount"_s)->text().endsWith(u"3 selected"_s));
}

TRAINYARD_GUI_TEST(TstJobFolds)
#include "tst_jobfolds.moc"
