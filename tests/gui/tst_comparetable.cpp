// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/comparetab.h"
#include "app/gui/seedsdialog.h"
#include "tests/gui/comparetests.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/comparecurves.h"
#include "widgets/compare/comparedetails.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/comparetable.h"
#include "widgets/compare/parallelview.h"
#include "widgets/compare/runpick.h"
#include "widgets/compare/scatterview.h"
#include "widgets/jobs/filterfield.h"

#include <QAction>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSplitter>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The table of runs beside each other.
class TstCompareTable : public ComparedRuns
{
    Q_OBJECT

private Q_SLOTS:
    // What a run has told so far looks other than what it came to, and its tip says why.
    void valuesThatAreNotFinalAreMarked()
    {
        ComparePage page;
        QList<JobSummary> jobs = comparedJobs();
        jobs[0].state = State::Running;
        jobs[2].state = State::Stopped;
        page.runs()->setJobs(jobs);
        const QAbstractItemModel *model = page.table()->filter();
        const QStringList runs = columnOf(page, u"Run"_s);
        QCOMPARE(runs.size(), 4);
        for (int row = 0; row < model->rowCount(); ++row) {
            const QString why = runs.at(row) == u"#1"_s ? u"Not final: the job has not ended."_s
                : runs.at(row) == u"#3"_s               ? u"Not final: the job was stopped."_s
                                                        : QString();
            for (const QString &head : {u"acc best"_s, u"loss"_s, u"lr"_s, u"State"_s}) {
                const QModelIndex at = model->index(row, sectionOf(page, head));
                const bool isMarked = !why.isEmpty() && (head == u"acc best"_s || head == u"loss"_s);
                QCOMPARE(at.data(Qt::FontRole).value<QFont>().italic(), isMarked);
                QVERIFY2(!isMarked || at.data(Qt::ToolTipRole).toString().contains(why),
                    qPrintable(at.data(Qt::ToolTipRole).toString()));
            }
        }
    }

    void tableOfRuns()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        QCOMPARE(headsOf(page),
            (QStringList{u"Run"_s, u"acc best"_s, u"lr"_s, u"seed"_s, u"loss"_s, u"State"_s, u"Step"_s, u"Time"_s}));
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s, u"#1"_s, u"#4"_s})); // the best first
        QList<JobSummary> logged = comparedJobs();
        for (JobSummary &job : logged) {
            if (!job.results.isEmpty()) // the accuracy ranks
                job.results.insert(u"lr"_s, QJsonObject{{u"last"_s, 0.5}, {u"most"_s, 0.5}, {u"least"_s, 0.5}});
        }
        ComparePage both;
        both.runs()->setJobs(logged);
        QVERIFY(headsOf(both).contains(u"lr (setting)"_s) && headsOf(both).contains(u"lr (result)"_s));
        QVERIFY(!headsOf(both).contains(u"lr"_s));
        QCOMPARE(page.findChild<ElidedLabel *>(u"compareSame"_s)->text(), u"model small"_s);
        QCOMPARE(page.runs()->best(), 1);

        QTreeView *view = page.table()->view();
        view->sortByColumn(sectionOf(page, u"lr"_s), Qt::DescendingOrder);
        QCOMPARE(columnOf(page, u"lr"_s), (QStringList{u"1"_s, u"0.1"_s, u"0.1"_s, u"0.01"_s}));
        // What has no value is last, whatever the order.
        view->sortByColumn(sectionOf(page, u"acc best"_s), Qt::AscendingOrder);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#1"_s, u"#3"_s, u"#2"_s, u"#4"_s}));
        view->sortByColumn(sectionOf(page, u"acc best"_s), Qt::DescendingOrder);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s, u"#1"_s, u"#4"_s}));
        const QByteArray layout = page.saveLayout();

        // Ranked by the loss, less is better; the other way round, a person says so.
        page.runs()->setMetric(u"loss"_s);
        QCOMPARE(page.runs()->better(), Better::Lower);
        QCOMPARE(page.runs()->best(), 1);
        page.runs()->setBetter(Better::Higher);
        QCOMPARE(page.runs()->value(1).value_or(0), 2.0);

        page.table()->filterField()->setText(u"lr=0.1 seed=2"_s);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#3"_s});
        page.table()->filterField()->clear();

        ComparePage again;
        again.runs()->setJobs(comparedJobs());
        again.restoreLayout(layout);
        QCOMPARE(again.saveLayout(), layout);
    }

    // A run that writes the metric in another case is ranked with the others.
    void metricsInAnotherCase()
    {
        QList<JobSummary> jobs = comparedJobs();
        const int count = int(std::count_if(
            jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return job.results.contains(u"acc"_s); }));
        QVERIFY(count > 2);
        jobs[1].results.insert(u"ACC"_s, jobs[1].results.take(u"acc"_s));
        ComparePage page;
        page.runs()->setJobs(jobs);
        QVERIFY(headsOf(page).contains(u"acc best"_s) && !headsOf(page).contains(u"ACC"_s));
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s, u"#1"_s, u"#4"_s}));
        page.runs()->setMetric(u"LOSS"_s);
        QCOMPARE(page.runs()->metric(), u"loss"_s);
    }

    // Of a sweep that runs, the first run that has a result need not be a good one when all have ended.
    void bestStaysInSightUntilOneIsChosen()
    {
        constexpr int count = 60;
        QList<JobSummary> jobs;
        for (int i = 0; i < count; ++i) {
            jobs.append(comparedJob(i + 1, 0.1 * (i + 1), 1, i + 1 == count ? 0.1 : qQNaN()));
            jobs.last().state = State::Running;
        }
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(jobs);
        page.show();
        CompareTablePane *table = page.table();
        QTreeView *view = table->view();
        QCOMPARE(table->current(), count - 1);
        for (int i = 0; i < count; ++i) {
            page.runs()->apply(comparedJob(i + 1, 0.1 * (i + 1), 1, 0.9 - 0.01 * i));
        }
        QTRY_COMPARE(columnOf(page, u"Run"_s).constFirst(), u"#1"_s);
        QTRY_COMPARE(table->current(), 0);
        QTRY_VERIFY(view->verticalScrollBar()->maximum() > 0);
        QCOMPARE(view->verticalScrollBar()->value(), 0);
        QCOMPARE(table->selected(), QList<qsizetype>{0});

        // Who has chosen one keeps it, and looks where they want.
        const auto click = [&](int row, Qt::KeyboardModifiers keys) {
            const QModelIndex at = table->filter()->index(row, int(CompareModel::Part::Run));
            QTest::mouseClick(view->viewport(), Qt::LeftButton, keys, view->visualRect(at).center());
        };
        click(4, {});
        click(6, Qt::ControlModifier);
        QCOMPARE(table->selected(), (QList<qsizetype>{4, 6}));
        QSignalSpy changes(page.runs(), &CompareRuns::valuesChanged);
        page.runs()->apply(comparedJob(2, 0.2, 1, 0.8901));
        QTRY_VERIFY(!changes.isEmpty());
        QCOMPARE(table->selected(), (QList<qsizetype>{4, 6})); // none leaves the selection by itself
        click(4, {});
        QCOMPARE(table->current(), 4);
        view->verticalScrollBar()->setValue(view->verticalScrollBar()->maximum());
        const QModelIndex seen = view->indexAt({60, view->viewport()->height() / 2});
        const QVariant run = seen.siblingAtColumn(int(CompareModel::Part::Run)).data();
        for (int i = 0; i < count; ++i) {
            JobSummary other = comparedJob(i + 1, 0.1 * (i + 1), 1, 0.9 - 0.01 * i);
            other.parameters.insert(u"batch"_s, i); // one more column: the table is made anew
            page.runs()->apply(other);
        }
        QTRY_VERIFY(headsOf(page).contains(u"batch"_s));
        QCOMPARE(table->current(), 4);
        const QModelIndex now = view->indexAt({60, view->viewport()->height() / 2});
        QCOMPARE(now.siblingAtColumn(int(CompareModel::Part::Run)).data(), run);
    }

    // The selection is of runs, not of rows: the table is made anew while they run, and runs go.
    void selectedRunsStaySelected()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(comparedJobs());
        page.show();
        CompareTablePane *table = page.table();
        const auto select = [&](const QStringList &labels) {
            for (int row = 0; row < table->filter()->rowCount(); ++row) {
                const QModelIndex at = table->filter()->index(row, int(CompareModel::Part::Run));
                if (labels.contains(at.data().toString())) {
                    table->view()->selectionModel()->setCurrentIndex(
                        at, QItemSelectionModel::Select | QItemSelectionModel::Rows);
                }
            }
        };
        const auto selected = [&] {
            QStringList labels;
            for (const qsizetype run : table->selected()) {
                labels.append(page.runs()->label(run));
            }
            labels.sort();
            return labels;
        };
        table->view()->clearSelection();
        select({u"#3"_s, u"#4"_s});
        QCOMPARE(selected(), (QStringList{u"#3"_s, u"#4"_s}));
        for (JobSummary job : comparedJobs()) {
            job.parameters.insert(u"batch"_s, job.id); // one more column
            page.runs()->apply(job);
        }
        QTRY_VERIFY(headsOf(page).contains(u"batch"_s));
        QCOMPARE(selected(), (QStringList{u"#3"_s, u"#4"_s}));

        // The menu is open while a run before them goes.
        QSignalSpy removed(&page, &ComparePage::removeRequested);
        Q_EMIT table->view()->customContextMenuRequested(QPoint());
        auto *menu = table->findChild<QMenu *>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(menu);
        page.runs()->setJobs(comparedJobs().mid(1));
        const QList<QAction *> entries = menu->actions();
        for (QAction *entry : entries) {
            if (entry->text() == u"Remove from the comparison"_s) {
                entry->trigger();
            }
        }
        QCOMPARE(removed.size(), 1);
        QStringList uuids = removed.constFirst().constFirst().toStringList();
        uuids.sort();
        QCOMPARE(uuids, (QStringList{u"uuid-3"_s, u"uuid-4"_s}));
        menu->close();
    }

    // Beside what has a column: the code above all, of which neither parameters nor results tell.
    void whatElseDiffers()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        const auto *line = page.findChild<ElidedLabel *>(u"compareOther"_s);
        QVERIFY(line && line->parentWidget()->isHidden());
        for (const auto &[uuid, commit] : {std::pair{u"uuid-1"_s, u"aaaa"_s}, {u"uuid-2"_s, u"bbbb"_s}}) {
            page.runs()->setEnvironment(uuid, {{u"git"_s, QJsonObject{{u"commit"_s, commit}}}});
        }
        QTRY_COMPARE_WITH_TIMEOUT(line->text(), u"commit (aaaa, bbbb)"_s, 10000);
        QVERIFY(!line->parentWidget()->isHidden());
        QVERIFY(page.html().contains("What else differs: commit (aaaa, bbbb"));
    }

    // What a program logs of its own parameter has a column only once it is another value.
    void resultsThatRepeatAParameter()
    {
        const auto withRate = [](JobSummary job, double rate) {
            if (!job.results.isEmpty()) {
                job.results.insert(
                    u"lr"_s, QJsonObject{{u"last"_s, rate}, {u"most"_s, rate}, {u"least"_s, rate}, {u"step"_s, 9}});
            }
            return job;
        };
        QList<JobSummary> jobs;
        for (const JobSummary &job : comparedJobs()) {
            jobs.append(withRate(job, job.parameters.value(u"lr"_s).toDouble()));
        }
        ComparePage page;
        page.runs()->setJobs(jobs);
        QVERIFY(page.runs()->metrics().contains(u"lr"_s));
        QCOMPARE(headsOf(page).filter(u"lr"_s), QStringList{u"lr"_s});
        page.runs()->apply(withRate(comparedJob(1, 0.01, 1, 0.7), 0.005)); // a schedule
        QTRY_VERIFY(headsOf(page).contains(u"lr (result)"_s));
        QVERIFY(headsOf(page).contains(u"lr (setting)"_s));
    }

    // Names of a sweep's runs differ in a number only: what tells them apart is beside them.
    void namesSayTheirParameters()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        QCOMPARE(detailOfRun(*page.runs(), 0), u"lr 0.01, seed 1"_s);
        page.runs()->setFolded(true);
        QCOMPARE(detailOfRun(*page.runs(), 1), u"lr 0.1"_s);
        const QAbstractItemModel *model = page.table()->filter();
        const int run = int(CompareModel::Part::Run);
        QVERIFY(model->index(0, run).data(Qt::ToolTipRole).toString().contains(u"lr 0.1"_s));
        const int alignment = model->headerData(run, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        QVERIFY(Qt::Alignment(alignment).testFlag(Qt::AlignLeft)); // beside their boxes
    }

    // One of the seeds was stopped before it had a result: the mean is that of the others, and the row says both.
    void stoppedSeedIsSaid()
    {
        QList<JobSummary> jobs = comparedJobs();
        jobs[2].state = State::Stopped;
        jobs[2].results = {};
        ComparePage page;
        page.runs()->setJobs(jobs);
        page.runs()->setFolded(true);
        const qsizetype row = columnOf(page, u"Run"_s).indexOf(u"#2 and 1 more"_s);
        QVERIFY(row >= 0);
        QCOMPARE(columnOf(page, u"acc best"_s).at(row), u"0.9 (n 1)"_s);
        QCOMPARE(columnOf(page, u"State"_s).at(row), u"Succeeded, Stopped"_s);
    }

    // As `trainyardctl compare` marks them.
    void tiesAreAllTheBest()
    {
        QList<JobSummary> jobs = comparedJobs();
        jobs[0].results = jobs.at(1).results;
        ComparePage page;
        page.runs()->setJobs(jobs);
        QList<bool> best;
        for (int row = 0; row < page.table()->filter()->rowCount(); ++row) {
            best.append(page.table()->filter()->index(row, 0).data(CompareModel::IsBestRole).toBool());
        }
        QCOMPARE(best, (QList<bool>{true, true, false, false}));
        QCOMPARE(page.runs()->best(), 0);
    }

    // A run that failed is not the best, however good a value it had reached, and its value says why.
    void failedRunIsNotTheBest()
    {
        QList<JobSummary> jobs = comparedJobs();
        jobs[1].state = State::Failed; // the one with the best accuracy
        ComparePage page;
        page.runs()->setJobs(jobs);
        QCOMPARE(page.runs()->metric(), u"acc"_s);
        QCOMPARE(page.runs()->best(), 2);
        const QAbstractItemModel *model = page.table()->filter();
        const int value = sectionOf(page, u"acc best"_s);
        QStringList best, tips;
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, 0).data(CompareModel::IsBestRole).toBool()) {
                best.append(columnOf(page, u"Run"_s).at(row));
            }
            tips.append(model->index(row, value).data(Qt::ToolTipRole).toString());
        }
        QCOMPARE(best, QStringList{u"#3"_s});
        QCOMPARE(tips.filter(u"#2, which failed, reached 0.9"_s).size(), 1);
        jobs[1].state = State::Succeeded;
        page.runs()->setJobs(jobs);
        QCOMPARE(page.runs()->best(), 1);
    }

    // A filter compares the newest value, and beside it stands a column of the best ones.
    void saysWhichValueAFilterCompares()
    {
        ComparePage page;
        QList<JobSummary> jobs = comparedJobs();
        page.runs()->setJobs(jobs);
        const auto *field = page.findChild<FilterField *>();
        QVERIFY(field);
        page.table()->filterField()->setText(u"acc>0.95"_s);
        QCOMPARE(field->remark(), QString()); // the newest ones are the best ones
        jobs[0].results
            = {{u"acc"_s, QJsonObject{{u"last"_s, 0.5}, {u"most"_s, 0.99}, {u"least"_s, 0.1}, {u"step"_s, 9}}}};
        page.runs()->setJobs(jobs);
        QVERIFY(!columnOf(page, u"Run"_s).contains(u"#1"_s));
        QCOMPARE(field->remark(), u"acc is the newest value of a run; max:acc is its best one."_s);
        page.table()->filterField()->setText(u"max:acc>0.95"_s);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#1"_s});
        QCOMPARE(field->remark(), QString());
        page.table()->filterField()->setText(u"lr<0.5"_s);
        QCOMPARE(field->remark(), QString());
        page.table()->filterField()->clear();
        QCOMPARE(field->remark(), QString());
    }

    // A run that ends in NaN has no newest value and is the best of none, whatever it had reached.
    void runsThatEndInNaN()
    {
        QList<JobSummary> jobs = comparedJobs();
        const QJsonObject ofNaN{{u"last"_s, 0.99}, {u"most"_s, 0.99}, {u"least"_s, 0.001}, {u"broken"_s, true}};
        jobs[0].results = {{u"acc"_s, ofNaN}, {u"loss"_s, ofNaN}};
        ComparePage page;
        page.runs()->setJobs(jobs);
        QCOMPARE(page.runs()->best(), 1);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s, u"#1"_s, u"#4"_s}));
        QVERIFY(page.table()->filter()->index(0, 0).data(CompareModel::IsBestRole).toBool());
        QCOMPARE(columnOf(page, u"acc best"_s).at(2), u"0.99"_s);
        QCOMPARE(columnOf(page, u"loss"_s).at(2), u"NaN"_s);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            page.table()->view()->sortByColumn(sectionOf(page, u"loss"_s), order);
            QCOMPARE(columnOf(page, u"loss"_s).mid(2), (QStringList{u"NaN"_s, u"–"_s}));
        }
        page.table()->filterField()->setText(u"loss<0.9"_s);
        QVERIFY(!columnOf(page, u"Run"_s).contains(u"#1"_s));
        page.table()->filterField()->clear();
        // The mean of a row with such a run is none either.
        jobs[2].results = jobs.at(0).results;
        page.runs()->setJobs(jobs);
        page.runs()->setFolded(true);
        QCOMPARE(columnOf(page, u"loss"_s).filter(u"NaN"_s).size(), 2);
    }

    void seedsAreFolded()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        auto *fold = page.findChild<QCheckBox *>(u"compareFold"_s);
        QVERIFY(fold->isVisibleTo(&page));
        fold->setChecked(true);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2 and 1 more"_s, u"#1"_s, u"#4"_s}));
        QCOMPARE(columnOf(page, u"acc best"_s).constFirst(), u"0.85 ± 0.071"_s);
        // As many as are ticked: #2 and #3 are one row.
        QCOMPARE(page.findChild<ElidedLabel *>(u"compareCount"_s)->text(), u"3, 2 drawn"_s);
        // A row leaves as a whole, also if only one of its runs is in sight.
        page.runs()->setDrawn({1}, false);
        QCOMPARE(page.findChild<ElidedLabel *>(u"compareCount"_s)->text(), u"3, 1 drawn"_s);
        QCOMPARE(lookOfRow(*page.runs(), {1, 2}), -1);
        page.runs()->setDrawn({1}, true);
        QCOMPARE(page.findChild<ElidedLabel *>(u"compareCount"_s)->text(), u"3, 2 drawn"_s);
        QVERIFY(lookOfRow(*page.runs(), {1, 2}) >= 0);
        QVERIFY(page.table()->filter()->index(0, 0).data(CompareModel::IsBestRole).toBool());
        QVERIFY(!headsOf(page).contains(u"seed"_s));
        const QList<QByteArray> csv = page.csv().split('\n');
        QVERIFY2(csv.at(0).startsWith("Run,Name,lr,acc best,acc best std,acc best n,loss,loss std,loss n,State,"),
            csv.at(0).constData());
        const QList<QByteArray> best = csv.at(1).split(',');
        QCOMPARE(best.at(5), "2");
        QVERIFY2(qAbs(best.at(4).toDouble() - 0.0707106781) < 1e-9, best.at(4).constData());
        QCOMPARE(csv.at(2).split(',').mid(4, 2), (QList<QByteArray>{"", "1"}));
        QCOMPARE(csv.at(3).split(',').mid(3, 3), (QList<QByteArray>{"", "", "0"}));
        fold->setChecked(false);
        QCOMPARE(page.runs()->rows().size(), 4);
        QVERIFY(!page.csv().contains(" std"));
    }

    // The heading names the sweep: a row is told by its number and by what it has in the columns, and its tip has all.
    void jobsOfASweepAreTheirNumbers()
    {
        QList<JobSummary> jobs = comparedJobs();
        for (JobSummary &job : jobs) {
            job.group = u"resnet_sweep"_s;
            job.name = u"resnet_sweep-"_s + QString::number(job.id);
        }
        ComparePage page;
        page.runs()->setJobs(jobs);
        QCOMPARE(columnOf(page, u"Run"_s).constFirst(), u"resnet_sweep-2 #2"_s); // the heading says "4 runs"
        page.runs()->setGroup(u"resnet_sweep"_s);
        page.runs()->setJobs(jobs);
        QCOMPARE(columnOf(page, u"Run"_s).constFirst(), u"#2"_s);
        const QModelIndex best = page.table()->filter()->index(0, int(CompareModel::Part::Run));
        QVERIFY(best.data(Qt::ToolTipRole).toString().contains(u"resnet_sweep-2"_s));
        jobs[0].name = u"baseline"_s; // a name of its own is not left out
        page.runs()->setJobs(jobs);
        QCOMPARE(columnOf(page, u"Run"_s).constFirst(), u"resnet_sweep-2 #2"_s);
    }

    // Numbers are not cut for the sake of the plots beside them, unless a person wants it so.
    void tableHasItsRoomFirst()
    {
        ComparePage page;
        page.resize(820, 700);
        page.show();
        page.runs()->setJobs(comparedJobs());
        const auto end = [&page](const QString &head) {
            const int column = sectionOf(page, head);
            return page.table()->view()->columnViewportPosition(column) + page.table()->view()->columnWidth(column);
        };
        QTRY_VERIFY2(end(u"acc best"_s) <= page.table()->view()->viewport()->width(),
            qPrintable(QString::number(end(u"acc best"_s))));
        page.resize(1400, 700);
        QTRY_VERIFY(page.table()->width() >= page.table()->wantedWidth());
    }

    // A run that the filter takes out is nowhere on the page, and is back when the filter is cleared.
    void filteredRunsAreNowhere()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        page.runs()->setJobs(comparedJobs());
        auto *count = page.findChild<ElidedLabel *>(u"compareCount"_s);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
        page.table()->filterField()->setText(u"lr<0.5 -seed=1"_s);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#3"_s});
        QCOMPARE(page.runs()->drawn(), QList<qsizetype>{2});
        QCOMPARE(page.runs()->best(), 2);
        QCOMPARE(count->text(), u"1 of 4, 1 drawn"_s);
        QVERIFY(page.scatter()->pointOf(2));
        QVERIFY(!page.scatter()->pointOf(0) && !page.scatter()->pointOf(1));
        QVERIFY(page.runs()->passes(2) && !page.runs()->passes(1)); // as the parallel coordinates ask
        page.parallel()->brush(0, 0, 1);
        QVERIFY(page.runs()->passes(2) && !page.runs()->passes(1));
        page.parallel()->clearBrushes();

        page.runs()->setFolded(true);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#3"_s});
        QCOMPARE(columnOf(page, u"acc best"_s), QStringList{u"0.8"_s});
        QCOMPARE(count->text(), u"1 of 3, 1 drawn"_s);
        page.table()->filterField()->clear();
        QCOMPARE(columnOf(page, u"acc best"_s).constFirst(), u"0.85 ± 0.071"_s);
        page.runs()->setFolded(false);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
        QCOMPARE(page.runs()->best(), 1);

        // What somebody has chosen comes back as it was, and values that change are looked at again.
        page.runs()->setDrawn({0}, false);
        const int look = page.runs()->look(1);
        page.table()->filterField()->setText(u"acc>0.75 -seed=1"_s);
        QCOMPARE(page.runs()->drawn(), QList<qsizetype>{2});
        page.runs()->apply(comparedJob(3, 0.1, 2, 0.1));
        QTRY_COMPARE(page.runs()->drawn(), QList<qsizetype>());
        page.table()->filterField()->clear();
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{1, 2}));
        QCOMPARE(page.runs()->look(1), look);
    }

    // A run that failed says why, in short in its row and in full on hover.
    void failedRunsSayWhy()
    {
        QList<JobSummary> jobs = comparedJobs();
        JobSummary &failed = jobs.last();
        failed.state = State::Failed;
        failed.exitCode = 228;
        failed.reason = u"exit.user"_s;
        failed.reasonArgs = {{u"status"_s, 2}};
        ComparePage page;
        page.runs()->setJobs(jobs);
        const QStringList states = columnOf(page, u"State"_s);
        QVERIFY2(states.contains(u"Failed: Wrong argument"_s), qPrintable(states.join(u'|')));
        QCOMPARE(states.count(u"Succeeded"_s), 3);
        const QAbstractItemModel *model = page.table()->filter();
        QStringList tips;
        for (int row = 0; row < model->rowCount(); ++row) {
            tips.append(model->index(row, sectionOf(page, u"State"_s)).data(Qt::ToolTipRole).toString());
        }
        QCOMPARE(tips.filter(u"The command ended with status 2."_s).size(), 1);
        const QTreeView *view = page.table()->view();
        const int wanted = view->fontMetrics().horizontalAdvance(u"Failed: Wrong argument"_s);
        QVERIFY(view->columnWidth(sectionOf(page, u"State"_s)) > wanted + 20); // with the sign
    }

    // A page beside the list of jobs on a small screen: several rows, whole tabs, and nothing over anything else.
    void smallPagesShowSeveralRows()
    {
        QWidget room; // that is smaller than the page would like
        room.resize(610, 330);
        ComparePage page(&room);
        page.setGeometry(room.rect());
        page.runs()->setJobs({comparedJob(1, 0.01, 1, 0.7), comparedJob(2, 0.1, 1, 0.9), comparedJob(3, 1, 1, 0.8)});
        room.show();
        QVERIFY(QTest::qWaitForWindowExposed(&room));
        const QTreeView *view = page.table()->view();
        const int row = view->visualRect(view->model()->index(0, 0)).height();
        QVERIFY(row > 0);
        QVERIFY2(view->viewport()->height() >= 3 * row, qPrintable(QString::number(view->viewport()->height())));
        const auto *tabs = page.findChild<QTabBar *>(u"comparePlots"_s);
        QVERIFY(tabs);
        for (int tab = 0; tab < tabs->count(); ++tab) {
            QVERIFY(!tabs->tabText(tab).isEmpty());
        }
        const QWidget *controls = page.curves()->controls();
        QVERIFY(!controls->isVisible() || tabs->geometry().right() < controls->x());
        const auto picks = page.details()->findChildren<RunPick *>();
        QCOMPARE(picks.size(), 2);
        QVERIFY(picks.first()->geometry().right() < picks.last()->x());
    }

    // However narrow their pane is, the names of plots are whole: what stands beside them gives way.
    void namesOfPlotsAreWhole()
    {
        ComparePage page;
        page.resize(1000, 600);
        page.runs()->setJobs(comparedJobs());
        page.show();
        QSplitter *across = nullptr;
        const auto splitters = page.findChildren<QSplitter *>();
        for (QSplitter *each : splitters) {
            across = each->orientation() == Qt::Horizontal && each->parentWidget() == &page ? each : across;
        }
        QVERIFY(across);
        across->setSizes({10'000, 1}); // no less than it has to have
        const auto *tabs = page.findChild<QTabBar *>(u"comparePlots"_s);
        const QWidget *right = across->widget(1);
        QTRY_VERIFY2(right->width() < 360, qPrintable(QString::number(right->width())));
        QVERIFY2(tabs->width() >= tabs->sizeHint().width(), qPrintable(QString::number(tabs->width())));
        const QWidget *controls = page.curves()->controls();
        QVERIFY(tabs->geometry().right() < controls->x());
        QVERIFY(controls->geometry().right() <= right->width());
    }

    // What of the controls of the curves has no room is in the menu at their end, and does the same there.
    void controlsWithoutRoomAreInTheMenu()
    {
        ComparePage page;
        page.resize(1200, 700);
        page.runs()->setJobs(comparedJobs());
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QWidget *controls = page.curves()->controls();
        auto *axes = controls->findChild<SegmentedControl *>();
        auto *smooth = controls->findChild<QSlider *>(QString(), Qt::FindDirectChildrenOnly);
        auto *more = controls->findChild<QToolButton *>(u"curveControlsMore"_s);
        QVERIFY(axes && smooth && more);
        const auto entry = [more](const QString &words) {
            Q_EMIT more->menu()->aboutToShow();
            const auto actions = more->menu()->actions();
            const auto found = std::find_if(actions.cbegin(), actions.cend(),
                [&words](const QAction *action) { return !action->isSeparator() && action->text() == words; });
            return found == actions.cend() ? nullptr : *found;
        };
        controls->resize(controls->sizeHint());
        QVERIFY(!axes->isHidden() && !smooth->isHidden() && more->isHidden());
        controls->setFixedWidth(controls->minimumSizeHint().width()); // the row around it would give it more
        QTRY_VERIFY(axes->isHidden() && smooth->isHidden() && !more->isHidden());
        QVERIFY(entry(u"Step"_s)->isChecked() && !entry(u"Time"_s)->isChecked());
        QVERIFY(!entry(u"Epoch"_s)); // no run tells of epochs
        entry(u"Time"_s)->trigger();
        QCOMPARE(axes->choices().at(axes->currentIndex()), u"Time"_s);
        QVERIFY(!entry(u"Log scale"_s)->isChecked());
        entry(u"Log scale"_s)->trigger();
        QVERIFY(entry(u"Log scale"_s)->isChecked());
        auto *inMenu = more->menu()->findChild<QSlider *>();
        QVERIFY(inMenu);
        inMenu->setValue(40);
        QCOMPARE(smooth->value(), 40);
    }

    // As narrow as the page becomes in a small window, the menu is in sight.
    void menuOfTheControlsIsInSight()
    {
        ComparePage page;
        page.resize(640, 480);
        page.runs()->setJobs(comparedJobs());
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const QWidget *controls = page.curves()->controls();
        const auto *smooth = controls->findChild<QSlider *>(QString(), Qt::FindDirectChildrenOnly);
        const auto *more = controls->findChild<QToolButton *>(u"curveControlsMore"_s);
        QTRY_VERIFY(smooth->isHidden());
        QVERIFY(more->isVisible());
        QVERIFY(page.rect().contains(QRect(more->mapTo(&page, QPoint(0, 0)), more->size())));
    }

    // Settings that differ come after results, parameters and the state, and a width that a person gives stays.
    void resultsStandBesideTheName()
    {
        ComparePage page;
        page.resize(1000, 700);
        page.runs()->setJobs(comparedJobs());
        page.runs()->setText(u"uuid-1"_s, "taskRoles:\n  worker:\n    instances: 1\n");
        page.runs()->setText(u"uuid-2"_s, "taskRoles:\n  worker:\n    instances: 2\n");
        QTRY_VERIFY(headsOf(page).size() > 8);
        const QStringList heads = headsOf(page);
        QCOMPARE(heads.first(6), (QStringList{u"Run"_s, u"acc best"_s, u"lr"_s, u"seed"_s, u"loss"_s, u"State"_s}));
        QCOMPARE(heads.last(2), (QStringList{u"Step"_s, u"Time"_s}));

        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QHeaderView *header = page.table()->view()->header();
        const int section = sectionOf(page, u"loss"_s), before = header->sectionSize(section);
        const QPoint edge(header->sectionViewportPosition(section) + before - 1, header->height() / 2);
        QTest::mousePress(header->viewport(), Qt::LeftButton, {}, edge);
        QTest::mouseMove(header->viewport(), edge + QPoint(40, 0));
        QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, edge + QPoint(40, 0));
        const int chosen = header->sectionSize(section);
        QVERIFY(chosen > before);
        page.runs()->setFolded(true); // other columns
        QVERIFY(!headsOf(page).contains(u"seed"_s));
        QCOMPARE(header->sectionSize(sectionOf(page, u"loss"_s)), chosen);
    }

    // Also where the theme is that of what they stand on.
    void samplesFollowTheTheme()
    {
        CompareRuns runs;
        runs.setJobs(comparedJobs());
        QCOMPARE_GE(runs.look(0), 0);
        QWidget page, other;
        page.setPalette(themePalette(Theme::Light));
        other.setPalette(themePalette(Theme::Dark));
        auto *open = new RunPick(&page), *later = new RunPick(&other);
        open->setRuns(runs);
        later->setRuns(runs);
        const auto sampleOf = [](const RunPick *pick) { return pick->itemIcon(0).pixmap(24, 12).toImage(); };
        QVERIFY(sampleOf(open) != sampleOf(later));
        page.setPalette(themePalette(Theme::Dark));
        QCOMPARE(sampleOf(open), sampleOf(later));
    }

    // The numbers of runs that go on get longer; they are not cut, and what a person has made narrow stays so.
    void columnsGrowWithTheirNumbers()
    {
        QList<JobSummary> jobs{comparedJob(1, 0.01, 1, 0.5), comparedJob(2, 0.1, 1, 0.5)};
        ComparePage page;
        page.runs()->setJobs(jobs);
        const QTreeView *view = page.table()->view();
        const int before = view->columnWidth(sectionOf(page, u"loss"_s));
        QSignalSpy resets(page.table()->filter(), &QAbstractItemModel::modelReset);
        for (JobSummary &job : jobs) {
            job.results.insert(u"loss"_s,
                QJsonObject{{u"last"_s, -1234567.891}, {u"least"_s, -1234567.891}, {u"most"_s, -1234567.891}});
            page.runs()->apply(job);
        }
        QTRY_VERIFY(view->columnWidth(sectionOf(page, u"loss"_s)) > before);
        QCOMPARE(resets.count(), 0); // else all columns are measured anyway
    }

    void statesHaveRoom()
    {
        QList<JobSummary> jobs = comparedJobs();
        for (JobSummary &job : jobs) {
            job.state = State::Running;
        }
        ComparePage page;
        page.runs()->setJobs(jobs);
        const QTreeView *view = page.table()->view();
        const int wanted = view->fontMetrics().horizontalAdvance(u"Succeeded"_s);
        QVERIFY(view->columnWidth(sectionOf(page, u"State"_s)) > wanted + 20); // with the sign
    }
};

TRAINYARD_GUI_TEST(TstCompareTable)
#include "tst_comparetable.moc"
