// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/tablejobs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/celldelegate.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/tokens.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/jobs/jobstableview.h"
#include "widgets/text/whybrief.h"

#include <QDateTime>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace std::chrono_literals;
using namespace tablejobs;

// The table of all jobs: its selection, its columns, and what is done with its rows.
class TstJobsTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void selectionStays();
    void whatIsLookedAtStaysInSight();
    void countIsOfAllJobs();
    void actionsOfRows();
    void clicksOnStarsLeaveTheSelection();
    void whatDeleteKeepsIsNotDeletedNext();
    void actionsFollowTheState();
    void actionsFollowManyAtOnce();
    void chosenColumns();
    void tagsComeBesideNames();
    void sayWhy();
    void statesHaveRoom();
    void resultsAreInSight();
    void actionsKeepTheirWords();
};

void TstJobsTable::selectionStays()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    page.model()->add({tableJob(4), tableJob(3), tableJob(2), tableJob(1)});
    QItemSelectionModel *selection = page.view()->selectionModel();
    for (const int row : {1, 3}) {
        selection->select(page.model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    page.view()->header()->setSortIndicator(int(page.model()->columns().indexOf(u"id"_s)), Qt::AscendingOrder);
    QCOMPARE(idsOf(*page.model()), (QList<qint64>{1, 2, 3, 4}));
    const auto ids = [&page] {
        QList<qint64> list;
        const QList<JobSummary> jobs = page.view()->selected();
        for (const JobSummary &job : jobs) {
            list.append(job.id);
        }
        return list;
    };
    QCOMPARE(ids(), (QList<qint64>{1, 3}));
    page.filter()->setText(u"id:3,4"_s);
    QCOMPARE(ids(), (QList<qint64>{3}));
    QVERIFY(page.selectionAsText().contains(u"\t3\t"));
}

// Where somebody has scrolled down, jobs that come above move nothing; at the upper end they are seen.
void TstJobsTable::whatIsLookedAtStaysInSight()
{
    JobsTablePage page;
    page.resize(1200, 400);
    page.show();
    QList<JobSummary> jobs;
    for (qint64 id = 200; id > 0; --id) {
        jobs.append(tableJob(id));
    }
    page.model()->add(jobs);
    const auto topId = [&page] {
        const JobSummary *job = page.model()->jobAt(page.view()->indexAt({0, 0}));
        return job ? job->id : 0;
    };
    QCOMPARE(topId(), 200);
    page.model()->add({tableJob(201)});
    QTRY_COMPARE(topId(), 201);
    QScrollBar *bar = page.view()->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    bar->setValue(bar->maximum() / 2);
    const qint64 seen = topId();
    QVERIFY(seen < 201);
    for (qint64 id = 202; id <= 205; ++id) {
        page.model()->add({tableJob(id)});
        QTRY_COMPARE(page.model()->rowCount(), int(id));
        QCOMPARE(topId(), seen);
    }
}

// With a filter, also jobs that it leaves out come and go.
void TstJobsTable::countIsOfAllJobs()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    page.filter()->setText(u"state:failed"_s);
    page.model()->add({tableJob(9, State::Failed), tableJob(8)});
    const auto *count = page.findChild<QLabel *>(u"jobsCount"_s);
    QVERIFY(count);
    QCOMPARE(count->text(), u"1 of 2 jobs"_s);
    page.model()->add({tableJob(7), tableJob(6)});
    QCOMPARE(count->text(), u"1 of 4 jobs"_s);
    page.model()->add({tableJob(10)});
    QCOMPARE(count->text(), u"1 of 5 jobs"_s);
    page.model()->remove(u"uuid-7"_s);
    QCOMPARE(count->text(), u"1 of 4 jobs"_s);
    page.filter()->setText(u"name:nothing-of-this"_s);
    QTRY_COMPARE(count->text(), u"No job matches"_s);
    auto *empty = page.findChild<EmptyState *>();
    QVERIFY(empty && empty->isVisible() && empty->action()->isVisible());
    empty->action()->click();
    QTRY_COMPARE(count->text(), u"4 jobs"_s);
    QVERIFY(page.filter()->text().isEmpty() && !empty->isVisible());
}

void TstJobsTable::actionsOfRows()
{
    JobsTablePage page;
    page.resize(1600, 600);
    page.show();
    page.model()->add({tableJob(4, State::Running), tableJob(3, State::Failed), tableJob(2)});
    const auto button = [&page](const QString &text) {
        const QList<QPushButton *> all = page.findChildren<QPushButton *>();
        const auto found
            = std::find_if(all.cbegin(), all.cend(), [&text](const QPushButton *each) { return each->text() == text; });
        return found == all.cend() ? nullptr : *found;
    };
    QPushButton *compare = button(u"Compare"_s);
    QPushButton *stop = button(u"Stop"_s);
    QPushButton *remove = button(u"Delete"_s);
    QVERIFY(compare && stop && remove);
    QVERIFY(!compare->isEnabled() && compare->toolTip().contains(u"Select jobs"_s));
    const auto select = [&page](std::initializer_list<int> rows) {
        page.view()->clearSelection();
        for (const int row : rows) {
            page.view()->selectionModel()->select(
                page.model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    };
    select({1});
    QVERIFY(!compare->isEnabled() && compare->toolTip().contains(u"Two to 50"_s));
    QVERIFY(!stop->isEnabled() && remove->isEnabled());
    select({0, 1, 2});
    QSignalSpy compared(&page, &JobsTablePage::compareRequested);
    QSignalSpy stopped(&page, &JobsTablePage::stopRequested);
    QSignalSpy removed(&page, &JobsTablePage::removeRequested);
    compare->click();
    stop->click();
    remove->click();
    QCOMPARE(compared.value(0).value(0).toStringList(), (QStringList{u"uuid-4"_s, u"uuid-3"_s, u"uuid-2"_s}));
    QCOMPARE(stopped.value(0).value(0).toStringList(), QStringList{u"uuid-4"_s}); // the others have ended
    QCOMPARE(removed.value(0).value(0).toStringList(), (QStringList{u"uuid-3"_s, u"uuid-2"_s}));
    QCOMPARE(removed.value(0).value(1).toInt(), 0);

    // As `rm` has it, a star keeps a job that is one of several; alone, it is meant.
    JobSummary starred = tableJob(3, State::Failed);
    starred.labels.isStarred = true;
    page.model()->add({starred});
    select({0, 1, 2});
    remove->click();
    QCOMPARE(removed.value(1).value(0).toStringList(), QStringList{u"uuid-2"_s});
    QCOMPARE(removed.value(1).value(1).toInt(), 1);
    select({1});
    remove->click();
    QCOMPARE(removed.value(2).value(0).toStringList(), QStringList{u"uuid-3"_s});
    QCOMPARE(removed.value(2).value(1).toInt(), 0);
}

// Stars are set on some of the jobs that are selected, to keep them when the others are deleted.
void TstJobsTable::clicksOnStarsLeaveTheSelection()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    page.model()->add({tableJob(4), tableJob(3), tableJob(2), tableJob(1)});
    QSignalSpy stars(&page, &JobsTablePage::starRequested);
    const auto click = [&page](int row, const QString &column, Qt::KeyboardModifiers with = {},
                           Qt::MouseButton button = Qt::LeftButton) {
        const QModelIndex at = page.model()->index(row, int(page.model()->columns().indexOf(column)));
        QTest::mouseClick(page.view()->viewport(), button, with, page.view()->visualRect(at).center());
    };
    click(0, u"name"_s);
    click(2, u"name"_s, Qt::ShiftModifier);
    QCOMPARE(page.view()->selected().size(), 3);
    click(1, u"star"_s);
    QCOMPARE(stars.value(0).value(0).toStringList(), QStringList{u"uuid-3"_s});
    QCOMPARE(page.view()->selected().size(), 3);
    click(3, u"star"_s); // one that is not selected
    QCOMPARE(stars.value(1).value(0).toStringList(), QStringList{u"uuid-1"_s});
    QCOMPARE(page.view()->selected().size(), 3);
    click(3, u"name"_s);
    QCOMPARE(page.view()->selected().size(), 1);

    // The menu of the right button is about the row below the pointer.
    click(0, u"name"_s);
    click(3, u"star"_s, {}, Qt::RightButton);
    QCOMPARE(page.view()->selected().size(), 1);
    QCOMPARE(page.view()->selected().constFirst().uuid, u"uuid-1"_s);
}

// Pressed twice, Delete does not delete the job with a star that it has kept.
void TstJobsTable::whatDeleteKeepsIsNotDeletedNext()
{
    JobsTablePage page;
    page.resize(1600, 600);
    page.show();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    JobSummary starred = tableJob(3);
    starred.labels.isStarred = true;
    page.model()->add({tableJob(4), starred, tableJob(2)});
    connect(&page, &JobsTablePage::removeRequested, &page, [&page](const QStringList &uuids) {
        page.model()->setHidden({uuids.cbegin(), uuids.cend()});
    });
    QSignalSpy removed(&page, &JobsTablePage::removeRequested);
    const QList<QPushButton *> buttons = page.findChildren<QPushButton *>();
    const auto remove
        = std::find_if(buttons.cbegin(), buttons.cend(), [](const auto *each) { return each->text() == u"Delete"_s; });
    QVERIFY(remove != buttons.cend());
    page.view()->selectAll();
    (*remove)->setFocus();
    QTest::keyClick(*remove, Qt::Key_Space);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(removed.value(0).value(1).toInt(), 1);
    QVERIFY(page.view()->selected().isEmpty());
    QVERIFY(!(*remove)->isEnabled() && page.view()->hasFocus());
    QTest::keyClick(page.view(), Qt::Key_Delete);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(page.model()->shownCount(), 1);
}

// The job ends while it is selected: it cannot be stopped any more, and can be deleted.
void TstJobsTable::actionsFollowTheState()
{
    JobsTablePage page;
    page.resize(1600, 600);
    page.show();
    page.model()->add({tableJob(4, State::Running)});
    QCOMPARE(page.findChild<QLabel *>(u"jobsCount"_s)->text(), u"1 job"_s);
    page.model()->add({tableJob(3, State::Running)});
    page.view()->selectionModel()->select(
        page.model()->index(0, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    const auto isOn = [&page](const QString &text) {
        const QList<QPushButton *> all = page.findChildren<QPushButton *>();
        return std::any_of(all.cbegin(), all.cend(),
            [&text](const QPushButton *each) { return each->text() == text && each->isEnabled(); });
    };
    QVERIFY(isOn(u"Stop"_s) && !isOn(u"Delete"_s) && !isOn(u"Retry"_s));
    page.model()->add({tableJob(3, State::Failed)}); // another one
    QVERIFY(isOn(u"Stop"_s) && !isOn(u"Delete"_s));
    page.model()->add({tableJob(4, State::Failed)});
    QTRY_VERIFY(!isOn(u"Stop"_s) && isOn(u"Delete"_s) && isOn(u"Retry"_s));
}

// All jobs are selected and end one after the other: the actions are not looked up anew for each of them.
void TstJobsTable::actionsFollowManyAtOnce()
{
    constexpr int count = 300;
    JobsTablePage page;
    QList<JobSummary> jobs;
    for (int id = count; id > 0; --id) {
        jobs.append(tableJob(id, State::Running));
    }
    page.model()->add(jobs);
    page.view()->selectAll();
    QCOMPARE(page.view()->selected().size(), count);
    const QList<QPushButton *> all = page.findChildren<QPushButton *>();
    const auto found
        = std::find_if(all.cbegin(), all.cend(), [](const QPushButton *each) { return each->text() == u"Delete"_s; });
    QVERIFY(found != all.cend());
    QPushButton *remove = *found;
    QVERIFY(!remove->isEnabled());
    struct Tips final : QObject { // each look gives the button its words
        int seen = 0;
        bool eventFilter(QObject *, QEvent *event) override
        {
            seen += event->type() == QEvent::ToolTipChange ? 1 : 0;
            return false;
        }
    } tips;
    remove->installEventFilter(&tips);
    for (int id = 1; id <= count; ++id) {
        page.model()->add({tableJob(id, State::Failed)});
    }
    QTRY_VERIFY(remove->isEnabled());
    QVERIFY2(tips.seen < 20, qPrintable(QString::number(tips.seen)));
}

void TstJobsTable::chosenColumns()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    page.model()->add({tableJob(2), tableJob(1)});
    page.setColumns({u"name"_s, u"param:lr"_s, u"no such"_s, u"name"_s, u"min:loss"_s, u"result:"_s});
    QCOMPARE(page.model()->columns(), (QStringList{u"name"_s, u"param:lr"_s, u"min:loss"_s}));
    QCOMPARE(page.model()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), u"lr"_s);
    QCOMPARE(page.model()->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), u"loss, least"_s);
    QCOMPARE(page.model()->index(0, 1).data().toString(), u"0.5"_s);
    page.setColumns({});
    QCOMPARE(page.model()->columns(), usualJobColumns());

    // What a job runs is there when it is asked for, also in what is exported.
    QVERIFY(!usualJobColumns().contains(u"command"_s) && fixedJobColumns().contains(u"command"_s));
    JobSummary training = tableJob(1);
    training.command = u"python train.py, twice"_s;
    page.setColumns({u"name"_s, u"command"_s});
    page.model()->add({training});
    const QModelIndex cell = page.model()->indexOf(training.uuid).siblingAtColumn(1);
    QCOMPARE(cell.data().toString(), training.command);
    QCOMPARE(cell.data(CellDelegate::elideRole).toInt(), int(Qt::ElideRight));
    QCOMPARE(
        jobsAsText({training}, page.model()->columns(), ',', 0), "name,command\njob_1,\"python train.py, twice\"\n");
    page.setColumns({});

    // What jobs differ in, and what came out of most of them.
    QList<JobSummary> jobs{tableJob(3), tableJob(2), tableJob(1)};
    for (JobSummary &job : jobs) {
        job.parameters.insert(u"same"_s, 1);
        job.results.insert(u"loss"_s, QJsonObject{{u"last"_s, 1}});
    }
    jobs[0].results.insert(u"acc"_s, QJsonObject{{u"last"_s, 1}});
    QStringList wanted = usualJobColumns();
    const qsizetype at = wanted.indexOf(u"host"_s);
    wanted.insert(at, u"param:lr"_s);
    wanted.insert(at + 1, u"result:loss"_s);
    wanted.insert(at + 2, u"result:acc"_s);
    QCOMPARE(suggestedJobColumns(jobs), wanted);
    // Tags, too, say what a job is.
    jobs[1].labels.tags = QStringList{u"baseline"_s};
    wanted.move(wanted.indexOf(u"tags"_s), wanted.indexOf(u"name"_s) + 1);
    QCOMPARE(suggestedJobColumns(jobs), wanted);

    // A program that logs its own parameter has one column of it. Somebody who wants both sees which is which.
    for (JobSummary &job : jobs) {
        job.results.insert(u"lr"_s, QJsonObject{{u"last"_s, job.parameters.value(u"lr"_s)}});
    }
    QVERIFY(!suggestedJobColumns(jobs).contains(u"result:lr"_s));
    page.setColumns({u"name"_s, u"param:lr"_s, u"result:lr"_s});
    QCOMPARE(page.model()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), u"lr (setting)"_s);
    QCOMPARE(page.model()->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), u"lr (result)"_s);

    // A result that one program writes in another case is the same one.
    jobs[2].results.remove(u"loss"_s);
    jobs[2].results.insert(u"Loss"_s, QJsonObject{{u"last"_s, 0.5}});
    const QStringList columns = suggestedJobColumns(jobs);
    QVERIFY(columns.contains(u"result:loss"_s) && !columns.contains(u"result:Loss"_s));
    QCOMPARE(jobCellValue(jobs[2], u"result:loss"_s, 0), u"0.5"_s);
    page.model()->add(jobs);
    const QList<QPushButton *> buttons = page.findChildren<QPushButton *>();
    const auto found
        = std::find_if(buttons.cbegin(), buttons.cend(), [](const auto *each) { return each->text() == "Columns"_L1; });
    QVERIFY(found != buttons.cend() && (*found)->menu());
    const QPushButton *button = *found;
    Q_EMIT button->menu()->aboutToShow();
    QStringList offered;
    for (const QMenu *group : button->menu()->findChildren<QMenu *>()) {
        for (const QAction *action : group->actions()) {
            offered.append(action->text());
        }
    }
    QCOMPARE(offered.filter(u"loss"_s, Qt::CaseInsensitive).size(), 3); // the latest, the least and the greatest
    QVERIFY2(offered.filter(u"Loss"_s, Qt::CaseSensitive).isEmpty(), qPrintable(offered.join(u' ')));
}

// On the open page, unless its columns are chosen already.
void TstJobsTable::tagsComeBesideNames()
{
    JobsTablePage page;
    page.addJobs({tableJob(2), tableJob(1)});
    const QStringList usual = page.model()->columns();
    QVERIFY(usual.indexOf(u"tags"_s) > usual.indexOf(u"name"_s) + 1);
    QSignalSpy arranged(&page, &JobsTablePage::arranged);
    JobSummary tagged = tableJob(1);
    tagged.labels.tags = QStringList{u"baseline"_s};
    page.addJobs({tagged});
    QStringList wanted = usual;
    wanted.move(wanted.indexOf(u"tags"_s), wanted.indexOf(u"name"_s) + 1);
    QCOMPARE(page.model()->columns(), wanted);
    QCOMPARE(arranged.size(), 1);
    page.addJobs({tagged});
    QCOMPARE(arranged.size(), 1);

    JobsTablePage chosen;
    chosen.addJobs({tableJob(1)});
    chosen.setColumnsChosen(true);
    chosen.addJobs({tagged});
    QCOMPARE(chosen.model()->columns(), usual);
}

// A few words stand near the name, and the sentence that `ps` has is in the tip.
void TstJobsTable::sayWhy()
{
    JobSummary failed = tableJob(3, State::Failed);
    failed.exitCode = 228;
    failed.reason = u"exit.user"_s;
    failed.reasonArgs = {{u"status"_s, 2}, {u"role"_s, u"worker"_s}, {u"index"_s, 3}};
    JobSummary good = tableJob(2);
    good.reason = failed.reason;
    JobsTablePage page;
    page.resize(1600, 600);
    page.show();
    page.model()->add({failed, good, tableJob(1, State::Running)});
    const QStringList &columns = page.model()->columns();
    const int why = int(columns.indexOf(u"why"_s));
    QCOMPARE(why, int(columns.indexOf(u"name"_s)) + 1);
    const QString text = page.model()->index(0, why).data().toString();
    QVERIFY(!text.isEmpty());
    QCOMPARE(text, whyBrief(failed));
    QVERIFY(page.model()
                ->index(0, why)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(u"worker/3: The command ended with status 2."_s));
    QVERIFY(page.model()->index(1, why).data().toString().isEmpty());
}

// A job that is added as one that waits has room for what it becomes.
void TstJobsTable::statesHaveRoom()
{
    JobsTablePage page;
    page.resize(1200, 600);
    page.show();
    page.model()->add({tableJob(1, State::Waiting)});
    auto *view = page.findChild<QTreeView *>(u"jobsTable"_s);
    const int state = int(page.model()->columns().indexOf(u"state"_s));
    const int wanted = view->fontMetrics().horizontalAdvance(stateLabel(StateShape::Succeeded));
    QVERIFY(view->columnWidth(state) >= wanted + metrics::rowIcon);
}

// What is done with jobs keeps its words longer than what is done with the table.
// Long names and one long reason leave room for what came out; a width that a person gives stays.
void TstJobsTable::resultsAreInSight()
{
    JobSummary failed = tableJob(3, State::Failed);
    failed.name = u"vision_pretraining_with_a_long_name_and_a_learning_rate"_s;
    failed.exitCode = 228;
    failed.reason = u"exit.user"_s;
    failed.reasonArgs = {{u"status"_s, 2}, {u"role"_s, u"worker"_s}, {u"index"_s, 3}};
    JobSummary good = tableJob(2);
    good.results.insert(u"loss"_s, QJsonObject{{u"last"_s, 0.25}});
    failed.submitted = good.submitted = QDateTime::currentMSecsSinceEpoch();
    JobsTablePage page;
    page.resize(1020, 600); // of a window of 1280 pixels
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.model()->add({failed, good});
    page.setColumns(suggestedJobColumns({failed, good}));
    auto *view = page.findChild<QTreeView *>(u"jobsTable"_s);
    const auto columnOfKey = [&page](const QString &key) { return int(page.model()->columns().indexOf(key)); };
    const int result = columnOfKey(u"result:loss"_s);
    QVERIFY(result > 0);
    const int end = view->columnViewportPosition(result) + view->columnWidth(result);
    QVERIFY2(end <= view->viewport()->width(), qPrintable(QString::number(end)));

    QHeaderView *header = view->header();
    const int name = columnOfKey(u"name"_s), before = header->sectionSize(name);
    const QPoint edge(header->sectionViewportPosition(name) + before - 1, header->height() / 2);
    QTest::mousePress(header->viewport(), Qt::LeftButton, {}, edge);
    QTest::mouseMove(header->viewport(), edge + QPoint(60, 0));
    QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, edge + QPoint(60, 0));
    const int chosen = header->sectionSize(name);
    QVERIFY(chosen > before);
    page.setColumns({u"id"_s, u"name"_s, u"host"_s});
    QCOMPARE(header->sectionSize(columnOfKey(u"name"_s)), chosen);
}

void TstJobsTable::actionsKeepTheirWords()
{
    JobsTablePage page;
    page.resize(1400, 600);
    page.show();
    const auto buttons = page.findChild<PageHead *>()->findChildren<QPushButton *>();
    const auto wordless = [&] {
        QStringList names;
        for (const QPushButton *button : buttons) {
            names += button->text().isEmpty() ? QStringList{button->accessibleName()} : QStringList();
        }
        return names;
    };
    QVERIFY(wordless().isEmpty());
    for (int width = 1380; width > 300 && wordless().isEmpty(); width -= 10) {
        page.resize(width, 600);
        QCoreApplication::processEvents();
    }
    QCOMPARE(wordless().size(), 1);
    QVERIFY2(!wordless().contains(u"Compare"_s), qPrintable(wordless().constFirst()));
    page.model()->add({tableJob(2), tableJob(1)});
    page.findChild<QTreeView *>(u"jobsTable"_s)->selectAll();
    for (const QPushButton *button : buttons) {
        QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->accessibleName()));
    }
}

TRAINYARD_GUI_TEST(TstJobsTable)
#include "tst_jobstable.moc"
