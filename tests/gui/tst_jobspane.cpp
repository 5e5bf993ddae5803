// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/foreignid.h"
#include "tests/gui/tablejobs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/searchfield.h"
#include "widgets/jobs/jobsfilter.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobsselection.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace std::chrono_literals;
using namespace tablejobs;

// The list of jobs at the side: several rows of it, its archive, and its stars.
class TstJobsPane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void archivedJobsInThePane();
    void runsFromFilesAreNoJobs();
    void newJobsAfterAFilter();
    void anyOrderOfChanges();
    void keysGoFromTheFilterToTheList();
    void severalRowsInThePane();
    void starOfARow();
    void severalStaySelected();
    void currentRowIsWhereTheUserIs();
    void saysNothingAboutJobsThatAreNotReadYet();
};

namespace
{
// "Running 1: 4, Done 2: 3 1": each group with its count and its jobs.
QString groupsOf(const QAbstractItemModel *model)
{
    QStringList groups;
    for (int group = 0; group < model->rowCount(); ++group) {
        const QModelIndex head = model->index(group, 0);
        QStringList jobs{head.data().toString(), head.data(JobsModel::CountRole).toString() + u':'};
        for (int row = 0; row < model->rowCount(head); ++row) {
            const QModelIndex at = model->index(row, 0, head);
            jobs.append(QString::number(at.data(JobsModel::SummaryRole).value<JobSummary>().id));
        }
        groups.append(jobs.join(u' '));
    }
    return groups.join(u", "_s);
}
} // namespace

// An engine that has been running for days is not asked whether the user wants a first job.
void TstJobsPane::saysNothingAboutJobsThatAreNotReadYet()
{
    JobsPane pane;
    auto *empty = pane.findChild<EmptyState *>();
    const auto says = [&](const QString &text) {
        const QList<QLabel *> labels = empty->findChildren<QLabel *>();
        return std::any_of(
            labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text().contains(text); });
    };
    pane.setLoading(true);
    QVERIFY(says(u"The jobs are being read."_s));
    QVERIFY(empty->action()->isHidden());
    pane.setLoading(false);
    QVERIFY(says(u"Jobs you run are listed here"_s));
    QVERIFY(!empty->action()->isHidden());
}

// Clicks with Ctrl or Shift select and open nothing; the keys stay with the list.
void TstJobsPane::severalRowsInThePane()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({tableJob(1), tableJob(2), tableJob(3), tableJob(4, State::Running)});
    pane.show();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    QTreeView *view = pane.view();
    QSignalSpy opened(&pane, &JobsPane::openRequested);
    QSignalSpy removed(&pane, &JobsPane::removeRequested);
    const auto click = [&](qint64 id, Qt::KeyboardModifiers held = {}) {
        const QAbstractItemModel *model = view->model();
        for (int group = 0; group < model->rowCount(); ++group) {
            for (int row = 0; row < model->rowCount(model->index(group, 0)); ++row) {
                const QModelIndex at = model->index(row, 0, model->index(group, 0));
                if (at.data(JobsModel::SummaryRole).value<JobSummary>().id == id) {
                    QTest::mouseClick(view->viewport(), Qt::LeftButton, held, view->visualRect(at).center());
                }
            }
        }
    };
    const auto ids = [&] {
        QList<qint64> selected;
        for (const JobSummary &job : selectedJobs(view)) {
            selected.append(job.id);
        }
        return selected;
    };
    click(3);
    QCOMPARE(opened.size(), 1);
    QVERIFY(view->hasFocus());
    click(1, Qt::ControlModifier);
    QCOMPARE(ids(), (QList<qint64>{3, 1}));
    click(3);
    click(1, Qt::ShiftModifier);
    QCOMPARE(ids(), (QList<qint64>{3, 2, 1}));
    QCOMPARE(opened.size(), 2); // only the clicks without a key
    QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(ids().size(), 4);
    pane.setCurrentJob(u"uuid-3"_s); // it comes to the front
    QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
    pane.setCurrentJob(u"uuid-3"_s); // and something of it has changed
    QCOMPARE(ids().size(), 4);
    QTest::keyClick(view, Qt::Key_Delete);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(removed.constFirst().constFirst().toStringList(),
        (QStringList{u"uuid-3"_s, u"uuid-2"_s, u"uuid-1"_s})); // the one that runs is not over
    click(2);
    QCOMPARE(ids(), QList<qint64>{2});
    // Ctrl+Tab brings other jobs to the front: its Ctrl is about the tabs.
    QTest::keyPress(&pane, Qt::Key_Control, Qt::ControlModifier);
    QCOMPARE(QApplication::keyboardModifiers(), Qt::ControlModifier);
    for (const qint64 id : {3, 1}) {
        pane.setCurrentJob(u"uuid-%1"_s.arg(id));
        QCOMPARE(ids(), QList<qint64>{id});
    }
    QTest::keyRelease(&pane, Qt::Key_Control);
    QCOMPARE(QApplication::keyboardModifiers(), Qt::NoModifier);
}

void TstJobsPane::archivedJobsInThePane()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.show();
    JobSummary away = tableJob(2);
    away.labels.isArchived = true;
    JobSummary starred = tableJob(3);
    starred.labels.isStarred = true;
    pane.model()->setJobs({tableJob(1), away, starred});
    const auto shown = [&pane] {
        QList<qint64> ids;
        const QAbstractItemModel *model = pane.view()->model();
        for (int group = 0; group < model->rowCount(); ++group) {
            for (int row = 0; row < model->rowCount(model->index(group, 0)); ++row) {
                ids.append(
                    model->index(row, 0, model->index(group, 0)).data(JobsModel::SummaryRole).value<JobSummary>().id);
            }
        }
        return ids;
    };
    const auto *count = pane.findChild<QLabel *>(u"jobsHeadCount"_s);
    QVERIFY(count);
    QCOMPARE(shown(), (QList<qint64>{3, 1}));
    QCOMPARE(count->text(), u"2"_s);
    pane.filterField()->setText(u"with:archived"_s);
    QCOMPARE(shown(), (QList<qint64>{3, 2, 1}));
    QCOMPARE(count->text(), u"3 of 3"_s);
    pane.filterField()->setText(u"lr<0.4"_s);
    QCOMPARE(shown(), (QList<qint64>{3}));
    QCOMPARE(count->text(), u"1 of 2"_s); // of those that are listed without the filter
    auto *star = pane.findChild<QToolButton *>(u"starredJobs"_s);
    QVERIFY(star && !star->isChecked());
    pane.filterField()->clear();
    star->click();
    QCOMPARE(pane.filterField()->text(), u"is:starred"_s);
    QCOMPARE(shown(), (QList<qint64>{3}));
    star->click();
    QCOMPARE(pane.filterField()->text(), QString());
    pane.setHidden({u"uuid-3"_s});
    QCOMPARE(shown(), (QList<qint64>{1}));
    pane.model()->apply(starred); // a change of a job that is being removed
    QCOMPARE(shown(), (QList<qint64>{1}));
}

// As in the table of all jobs, which does not have them; several are removed from the list at once.
void TstJobsPane::runsFromFilesAreNoJobs()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.show();
    const auto foreign = [](int number) {
        JobSummary run = tableJob(0);
        run.uuid = foreignPrefix + QString::number(number);
        run.name = u"recorded_%1"_s.arg(number);
        return run;
    };
    pane.model()->setJobs({tableJob(1), tableJob(2), foreign(1), foreign(2)});
    const auto *count = pane.findChild<QLabel *>(u"jobsHeadCount"_s);
    QCOMPARE(count->text(), u"2"_s);
    pane.filterField()->setText(u"recorded"_s);
    QCOMPARE(count->text(), u"0 of 2"_s);
    const auto empties = pane.findChildren<EmptyState *>();
    QVERIFY(std::none_of(empties.cbegin(), empties.cend(), [](const EmptyState *each) { return each->isVisible(); }));
    pane.filterField()->clear();

    const auto choose = [&pane](const QString &text) {
        QTreeView *view = pane.view();
        Q_EMIT view->customContextMenuRequested(view->visualRect(view->currentIndex()).center());
        const QList<QMenu *> menus = pane.findChildren<QMenu *>(QString(), Qt::FindDirectChildrenOnly);
        bool done = false;
        for (QAction *action : menus.isEmpty() ? QList<QAction *>() : menus.last()->actions()) {
            if (action->text() == text) {
                action->trigger();
                done = true;
            }
        }
        qDeleteAll(menus);
        return done;
    };
    QSignalSpy forgotten(&pane, &JobsPane::forgetRequested);
    const auto *model = pane.view()->model();
    const QModelIndex group = model->index(model->rowCount() - 1, 0);
    QCOMPARE(model->rowCount(group), 2);
    auto *selection = pane.view()->selectionModel();
    selection->setCurrentIndex(model->index(0, 0, group), QItemSelectionModel::ClearAndSelect);
    selection->setCurrentIndex(model->index(1, 0, group), QItemSelectionModel::Select);
    QVERIFY(choose(u"Remove from the list"_s));
    QCOMPARE(forgotten.size(), 2);
    // With jobs beside them, which are deleted, it says of which it speaks.
    forgotten.clear();
    selection->select(model->index(0, 0, model->index(0, 0)), QItemSelectionModel::Select);
    QVERIFY(!choose(u"Remove from the list"_s));
    QVERIFY(choose(u"Remove the runs from files from the list"_s));
    QCOMPARE(forgotten.size(), 2);
}

// The group of a new job is not there while a filter leaves nothing of it, and comes with its row.
void TstJobsPane::newJobsAfterAFilter()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.show();
    pane.model()->setJobs({tableJob(1), tableJob(2), tableJob(3)});
    const auto shown = [&pane] { return groupsOf(pane.view()->model()); };
    pane.model()->apply(tableJob(4, State::Running));
    pane.setCurrentJob(u"uuid-4"_s);
    QCOMPARE(shown(), u"Running 1: 4, Done 3: 3 2 1"_s);
    QTest::keyClicks(pane.filterField(), u"job_2"_s);
    QCOMPARE(shown(), u"Done 1: 2"_s);
    pane.setCurrentJob(u"uuid-4"_s); // it is news of the job in front, which the filter hides
    pane.model()->apply(tableJob(4));
    pane.setCurrentJob(u"uuid-4"_s);
    QTest::keyClick(pane.filterField(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(pane.filterField(), Qt::Key_Backspace);
    QCOMPARE(shown(), u"Done 4: 4 3 2 1"_s);
    pane.model()->apply(tableJob(5, State::Waiting));
    pane.setCurrentJob(u"uuid-5"_s);
    QCOMPARE(shown(), u"Waiting 1: 5, Done 4: 4 3 2 1"_s);
    pane.model()->apply(tableJob(5, State::Running));
    pane.setCurrentJob(u"uuid-5"_s);
    QCOMPARE(shown(), u"Running 1: 5, Done 4: 4 3 2 1"_s);
}

// Down goes on to the first job that was found, and Return opens it.
void TstJobsPane::keysGoFromTheFilterToTheList()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({tableJob(1), tableJob(2), tableJob(3), tableJob(4, State::Running)});
    pane.show();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    QSignalSpy opened(&pane, &JobsPane::openRequested);
    pane.filterField()->setFocus();
    QTest::keyClick(pane.filterField(), Qt::Key_Return); // there is no filter: it asks for nothing
    QCOMPARE(opened.size(), 0);
    QTest::keyClick(pane.filterField(), Qt::Key_Down);
    QVERIFY(pane.view()->hasFocus());
    QCOMPARE(pane.currentJob(), u"uuid-4"_s);
    pane.filterField()->setFocus();
    pane.filterField()->setText(u"job_2"_s);
    QTest::keyClick(pane.filterField(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.takeFirst().constFirst().toString(), u"uuid-2"_s);
    QTest::keyClick(pane.filterField(), Qt::Key_Down);
    QVERIFY(pane.view()->hasFocus());
    QCOMPARE(pane.currentJob(), u"uuid-2"_s);
    QTest::keyClick(pane.view(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.constFirst().constFirst().toString(), u"uuid-2"_s);
    // Nothing was found.
    pane.filterField()->setFocus();
    pane.filterField()->setText(u"job_9"_s);
    QTest::keyClick(pane.filterField(), Qt::Key_Return);
    QTest::keyClick(pane.filterField(), Qt::Key_Down);
    QCOMPARE(opened.size(), 1);
    QVERIFY(pane.filterField()->hasFocus());
}

// Whatever came before, the list shows what a new one would.
void TstJobsPane::anyOrderOfChanges()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.show();
    QRandomGenerator random(20260801);
    const QList<State> states{State::Waiting, State::Running, State::Succeeded, State::Failed};
    const QStringList filters{{}, {}, u"job_1"_s, u"running"_s, u"nothing"_s};
    QString filter;
    for (int step = 0; step < 400; ++step) {
        const qint64 id = random.bounded(1, 8);
        const QString uuid = u"uuid-%1"_s.arg(id);
        QString change = uuid;
        switch (random.bounded(4)) {
        case 0:
            filter = filters.at(random.bounded(filters.size()));
            change = u"filter "_s + filter;
            pane.filterField()->setText(filter);
            break;
        case 1:
            pane.setCurrentJob(uuid);
            break;
        case 2:
            pane.model()->remove(uuid);
            break;
        default:
            pane.model()->apply(tableJob(id, states.at(random.bounded(states.size()))));
        }
        JobsModel model;
        model.setJobs(pane.model()->jobs());
        JobsFilter other;
        other.setFilter(tableFilter(filter));
        other.setSourceModel(&model);
        const QString shown = groupsOf(pane.view()->model());
        const QString wanted = groupsOf(&other);
        QVERIFY2(shown == wanted,
            qPrintable(u"step %1, %2: %3; not %4"_s.arg(QString::number(step), change, shown, wanted)));
    }
}

void TstJobsPane::starOfARow()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.show();
    pane.model()->setJobs({tableJob(1)});
    QSignalSpy stars(&pane, &JobsPane::starRequested);
    QSignalSpy opened(&pane, &JobsPane::openRequested);
    const QModelIndex row = pane.view()->model()->index(0, 0, pane.view()->model()->index(0, 0));
    const QRect rect = pane.view()->visualRect(row);
    QTest::mouseClick(pane.view()->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(10, rect.center().y()));
    QCOMPARE(stars.value(0), (QVariantList{QStringList{u"uuid-1"_s}, true}));
    QCOMPARE(opened.count(), 0);
    QTest::mouseClick(pane.view()->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(80, rect.center().y()));
    QCOMPARE(opened.count(), 1);
}

// Jobs that are stopped together go to another group one by one, and the engine may come back meanwhile.
void TstJobsPane::severalStaySelected()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({tableJob(1, State::Running), tableJob(2, State::Running), tableJob(3, State::Running),
        tableJob(4, State::Running)});
    pane.show();
    QTreeView *view = pane.view();
    const auto rowOf = [&](qint64 id) {
        const QModelIndexList found = view->model()->match(
            view->model()->index(0, 0), JobsModel::UuidRole, u"uuid-%1"_s.arg(id), 1, Qt::MatchRecursive);
        return found.value(0);
    };
    const auto ids = [&] {
        QList<qint64> selected;
        for (const JobSummary &job : selectedJobs(view)) {
            selected.append(job.id);
        }
        std::sort(selected.begin(), selected.end());
        return selected;
    };
    for (const qint64 id : {1, 2, 4}) {
        view->selectionModel()->setCurrentIndex(rowOf(id), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    QCOMPARE(ids(), (QList<qint64>{1, 2, 4}));
    for (const qint64 id : {2, 4, 1}) {
        pane.model()->apply(tableJob(id, State::Stopped));
        QCOMPARE(ids(), (QList<qint64>{1, 2, 4}));
        QCOMPARE(pane.currentJob(), u"uuid-4"_s);
    }
    pane.model()->setJobs({tableJob(1), tableJob(2), tableJob(3), tableJob(4)});
    QCOMPARE(ids(), (QList<qint64>{1, 2, 4}));
    QCOMPARE(pane.currentJob(), u"uuid-4"_s);
    // Each is selected again once, when it comes back, and not with each of the others.
    pane.model()->apply(tableJob(1, State::Running));
    view->selectionModel()->select(rowOf(1), QItemSelectionModel::Deselect | QItemSelectionModel::Rows);
    pane.model()->apply(tableJob(2, State::Running));
    QCOMPARE(ids(), (QList<qint64>{2, 4}));
    pane.model()->setJobs({tableJob(1), tableJob(2), tableJob(3), tableJob(4)});
    view->selectionModel()->select(rowOf(1), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(ids(), (QList<qint64>{1, 2, 4}));
    // What a filter has hidden is shown again for another reason than that it was selected.
    pane.filterField()->setText(u"id:1,4"_s);
    QCoreApplication::processEvents();
    pane.filterField()->setText({});
    QCOMPARE(ids(), (QList<qint64>{1, 4}));
}

// Not where another row was that has been away, nor where the job of the page in front is.
void TstJobsPane::currentRowIsWhereTheUserIs()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({tableJob(1), tableJob(2), tableJob(3), tableJob(4)});
    pane.show();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    pane.setCurrentJob(u"uuid-3"_s);
    pane.filterField()->setText(u"id:1,2"_s);
    pane.setCurrentJob(u"uuid-2"_s); // another page comes to the front
    pane.filterField()->setText({});
    QCOMPARE(pane.currentJob(), u"uuid-2"_s);
    pane.filterField()->setText(u"id:1,3,4"_s);
    pane.view()->setFocus();
    pane.view()->setCurrentIndex(pane.view()->model()->index(0, 0, pane.view()->model()->index(0, 0)));
    QTest::keyClick(pane.view(), Qt::Key_Down);
    QCOMPARE(pane.currentJob(), u"uuid-3"_s);
    pane.filterField()->setText({});
    QCOMPARE(pane.currentJob(), u"uuid-3"_s);
    // A job that is being submitted becomes current when it comes.
    pane.setCurrentJob(u"uuid-9"_s);
    QVERIFY(!pane.view()->currentIndex().isValid());
    pane.model()->apply(tableJob(8, State::Waiting));
    QVERIFY(!pane.view()->currentIndex().isValid());
    pane.model()->apply(tableJob(9, State::Waiting));
    QCOMPARE(pane.currentJob(), u"uuid-9"_s);
}

TRAINYARD_GUI_TEST(TstJobsPane)
#include "tst_jobspane.moc"
