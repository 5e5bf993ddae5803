// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/diskuse.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/tokens.h"
#include "widgets/jobs/filtercompletion.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobsselection.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/jobs/jobstableview.h"
#include "widgets/jobs/labelactions.h"
#include "widgets/jobs/labelsdialog.h"
#include "widgets/jobs/pendingremovals.h"
#include "widgets/text/texts.h"
#include "widgets/text/whybrief.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QFile>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace std::chrono_literals;

namespace
{

JobSummary tableJob(qint64 id, State state = State::Succeeded)
{
    JobSummary job;
    job.id = id;
    job.uuid = u"uuid-%1"_s.arg(id);
    job.name = u"job_%1"_s.arg(id % 3);
    job.state = state;
    job.submitted = 1000 * id;
    job.parameters = {{u"lr"_s, 1.0 / double(id)}};
    return job;
}

QList<qint64> idsOf(const JobsTableModel &model)
{
    QList<qint64> ids;
    for (int row = 0; row < model.rowCount(); ++row) {
        ids.append(model.jobAt(model.index(row, 0))->id);
    }
    return ids;
}

JobFilter tableFilter(const QString &text) { return JobFilter::parse(text, 0).value(); }

} // namespace

class TstJobsTable : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void rowsComeAndChange();
    void rowsAreSorted();
    void rowsLeaveAsText();
    void selectionStays();
    void countIsOfAllJobs();
    void actionsOfRows();
    void chosenColumns();
    void sayWhy();
    void statesHaveRoom();
    void resultsAreInSight();
    void actionsKeepTheirWords();
    void completions_data();
    void completions();
    void conditionsAreSwitched();
    void fieldSaysWhatIsWrong();
    void wrongFilterIsNotOneThatMatchesNothing();
    void archivedJobsInThePane();
    void severalRowsInThePane();
    void starOfARow();
    void labelsOfOneAndOfSeveral();
    void tagsKeepTheirCapitals();
    void archivesWhatIsNotInTheArchive_data();
    void archivesWhatIsNotInTheArchive();
    void removalsCanBeHadBack();
    void foldersAreMeasured();
};

void TstJobsTable::rowsComeAndChange()
{
    JobsTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.add({tableJob(9), tableJob(8, State::Running)});
    model.add({tableJob(7), tableJob(5)}); // the next page
    QCOMPARE(idsOf(model), (QList<qint64>{9, 8, 7, 5}));
    QCOMPARE(resets.count(), 0); // nothing jumps while pages come
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.add({tableJob(8, State::Failed)});
    QCOMPARE(changes.count(), 1);
    model.add({tableJob(8, State::Failed)}); // the same
    QCOMPARE(changes.count(), 1);
    model.add({tableJob(10)}); // a new one, a little later
    QTRY_COMPARE(idsOf(model), (QList<qint64>{10, 9, 8, 7, 5}));
    model.remove(u"uuid-8"_s);
    model.remove(u"uuid-8"_s);
    QCOMPARE(idsOf(model), (QList<qint64>{10, 9, 7, 5}));
    QCOMPARE(model.jobCount(), 4);

    model.setFilter(tableFilter(u"lr>0.12"_s));
    QCOMPARE(idsOf(model), (QList<qint64>{7, 5}));
    model.add({tableJob(4), tableJob(11)}); // a page of which one matches
    QTRY_COMPARE(idsOf(model), (QList<qint64>{7, 5, 4}));
    JobSummary away = tableJob(5);
    away.labels.isArchived = true;
    model.add({away});
    QTRY_COMPARE(idsOf(model), (QList<qint64>{7, 4}));
    model.setFilter(tableFilter(u"with:archived"_s));
    QCOMPARE(idsOf(model), (QList<qint64>{11, 10, 9, 7, 5, 4}));
    model.setHidden({u"uuid-9"_s, u"uuid-4"_s});
    QCOMPARE(idsOf(model), (QList<qint64>{11, 10, 7, 5}));
    model.setHidden({});
    QCOMPARE(model.rowCount(), 6);
    QCOMPARE(model.indexOf(u"uuid-10"_s).row(), 1);
    QVERIFY(!model.indexOf(u"uuid-8"_s).isValid());
}

void TstJobsTable::rowsAreSorted()
{
    JobsTableModel model;
    model.setColumns({u"id"_s, u"name"_s, u"param:lr"_s, u"result:loss"_s, u"submitted"_s});
    QList<JobSummary> jobs{tableJob(1), tableJob(2), tableJob(3), tableJob(4)};
    jobs[1].results = {{u"loss"_s, QJsonObject{{u"last"_s, 0.5}}}};
    jobs[3].results = {{u"loss"_s, QJsonObject{{u"last"_s, 12}}}};
    model.add(jobs);
    model.sort(2, Qt::AscendingOrder);
    QCOMPARE(idsOf(model), (QList<qint64>{4, 3, 2, 1}));
    model.sort(3, Qt::AscendingOrder); // as numbers; those without come last
    QCOMPARE(idsOf(model), (QList<qint64>{2, 4, 3, 1}));
    model.sort(3, Qt::DescendingOrder);
    QCOMPARE(idsOf(model), (QList<qint64>{4, 2, 3, 1}));
    // The newest value is what counts: one that is not a number comes last too.
    JobSummary late = jobs.at(2);
    late.results = {{u"loss"_s, QJsonObject{{u"last"_s, 0.0078}, {u"least"_s, 0.0078}, {u"broken"_s, true}}}};
    QCOMPARE(jobCellText(late, u"result:loss"_s, 0), u"NaN"_s);
    QCOMPARE(jobCellText(late, u"min:loss"_s, 0), u"0.0078"_s);
    model.add({late});
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(3, order);
        QTRY_COMPARE(idsOf(model).mid(2), (QList<qint64>{3, 1}));
    }
    model.sort(1, Qt::AscendingOrder); // equal ones: the newest first
    QCOMPARE(idsOf(model), (QList<qint64>{3, 4, 1, 2}));
    model.sort(4, Qt::DescendingOrder);
    QCOMPARE(idsOf(model), (QList<qint64>{4, 3, 2, 1}));
    JobSummary changed = jobs.at(0);
    changed.submitted = 999'999;
    model.add({changed}); // it belongs elsewhere now
    QTRY_COMPARE(idsOf(model), (QList<qint64>{1, 4, 3, 2}));
}

void TstJobsTable::rowsLeaveAsText()
{
    JobSummary job = tableJob(4, State::Failed);
    job.name = u"a,\"b\""_s;
    job.labels.note = u"two\nlines\tand a tab"_s;
    job.labels.tags = {u"x"_s, u"y"_s};
    job.completed = 65'040;
    job.began = 5'040;
    const QStringList keys{u"id"_s, u"state"_s, u"name"_s, u"note"_s, u"tags"_s, u"time"_s, u"completed"_s,
        u"param:lr"_s, u"result:loss"_s};
    QCOMPARE(jobsAsText({job}, keys, ',', 0),
        "id,state,name,note,tags,time,completed,param:lr,result:loss\n"
        "4,FAILED,\"a,\"\"b\"\"\",two lines and a tab,\"x, y\",60,1970-01-01T00:01:05.040Z,0.25,\n");
    QCOMPARE(jobsAsText({job}, {u"name"_s, u"note"_s}, '\t', 0), "name\tnote\na,\"b\"\ttwo lines and a tab\n");
    // A cluster and this computer are shown by their names, and leave as filters have them.
    job.hosts = {u"slurm:lab"_s, u"ws"_s, u"local"_s};
    QCOMPARE(jobsAsText({job}, {u"host"_s}, '\t', 0), "host\nslurm:lab, ws, local\n");
    JobsTablePage page;
    page.setColumns({u"host"_s});
    page.model()->add({job});
    QCOMPARE(page.model()->index(0, 0).data().toString(), u"lab, ws, This computer"_s);
}

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

    // A program that logs its own parameter has one column of it. Somebody who wants both sees which is which.
    for (JobSummary &job : jobs) {
        job.results.insert(u"lr"_s, QJsonObject{{u"last"_s, job.parameters.value(u"lr"_s)}});
    }
    QVERIFY(!suggestedJobColumns(jobs).contains(u"result:lr"_s));
    page.setColumns({u"name"_s, u"param:lr"_s, u"result:lr"_s});
    QCOMPARE(page.model()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), u"lr (setting)"_s);
    QCOMPARE(page.model()->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), u"lr (result)"_s);
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

void TstJobsTable::completions_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("sta") << 0
                         << QStringList{u"state:"_s, u"state:waiting"_s, u"state:running"_s, u"state:stopping"_s,
                                u"state:succeeded"_s, u"state:failed"_s, u"state:stopped"_s, u"state:unknown"_s,
                                u"state:active"_s, u"state:ended"_s, u"is:starred"_s};
    QTest::newRow("fail") << 0 << QStringList{u"failed"_s, u"state:failed"_s};
    QTest::newRow("x state:fa") << 8 << QStringList{u"failed"_s};
    QTest::newRow("-state:failed,st") << 14 << QStringList{u"stopping"_s, u"stopped"_s};
    QTest::newRow("tag:") << 4 << QStringList{u"baseline"_s, u"\"lr study\""_s};
    QTest::newRow("tag:lr") << 4 << QStringList{u"\"lr study\""_s};
    QTest::newRow("tag:\"lr s") << 4 << QStringList{u"\"lr study\""_s};
    QTest::newRow("ba") << 0 << QStringList{u"batch"_s, u"tag:baseline"_s};
    QTest::newRow("min:va") << 4 << QStringList{u"\"val loss\""_s};
    QTest::newRow("is:starred") << 3 << QStringList();
    QTest::newRow("lr>0.1 ") << 7 << QStringList();
    QTest::newRow("zzz") << 0 << QStringList();
}

void TstJobsTable::completions()
{
    FilterWords known;
    known.tags = {u"baseline"_s, u"lr study"_s};
    known.parameters = {u"batch"_s};
    known.results = {u"val loss"_s};
    const QString text = QString::fromUtf8(QTest::currentDataTag());
    const FilterCompletion found = filterCompletion(text, text.size(), known);
    QTEST(int(found.from), "from");
    QTEST(found.words, "words");
}

void TstJobsTable::conditionsAreSwitched()
{
    QCOMPARE(withCondition(u"lr>1"_s, u"is:starred"_s, true), u"is:starred lr>1"_s);
    QCOMPARE(withCondition(u"is:starred lr>1"_s, u"is:starred"_s, true), u"is:starred lr>1"_s);
    QCOMPARE(withCondition(u"IS:starred lr>1"_s, u"is:starred"_s, false), u"lr>1"_s);
    QVERIFY(!hasCondition(u"-is:starred"_s, u"is:starred"_s));
}

void TstJobsTable::fieldSaysWhatIsWrong()
{
    FilterField field(u"Filter"_s);
    field.setWords([] { return FilterWords{{u"baseline"_s}, {}, {}, {}, {}, {}}; });
    field.show();
    QVERIFY(QTest::qWaitForWindowActive(&field));
    field.field()->setFocus();
    QSignalSpy changes(&field, &FilterField::filterChanged);
    QTest::keyClicks(field.field(), u"state:fai"_s);
    QCOMPARE(field.errorText(), QString()); // it is being typed
    QTest::keyClicks(field.field(), u"x "_s);
    QVERIFY2(field.errorText().contains(u"There is no state 'faix'."_s), qPrintable(field.errorText()));
    QVERIFY(field.filter().isEmpty()); // what stands before it holds
    field.field()->clear();
    QTest::keyClicks(field.field(), u"lr>1 sta"_s);
    QCOMPARE(field.filter().terms().size(), 1); // it may become a key
    QTest::keyClicks(field.field(), u"r"_s);
    QCOMPARE(field.filter().terms().size(), 2);
    field.field()->clear();
    QCOMPARE(field.errorText(), QString());
    changes.clear();
    field.setText(u"state:failed"_s);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(field.filter().terms().size(), 1);
    field.setText(u"state:failed tag:"_s);
    QCOMPARE(field.filter().terms().size(), 1); // what was right holds
    QCOMPARE(field.errorText(), QString());
    field.field()->clearFocus();
    QVERIFY(field.errorText().contains(u"Nothing follows 'tag'."_s));

    // The list of candidates is chosen from by keys.
    field.field()->setFocus();
    field.field()->clear();
    QTest::keyClicks(field.field(), u"tag:ba"_s);
    QWidget *popup = nullptr;
    QTRY_VERIFY((popup = QApplication::activePopupWidget()));
    QTest::keyClick(popup, Qt::Key_Down);
    QTest::keyClick(popup, Qt::Key_Return);
    QCOMPARE(field.text(), u"tag:baseline "_s);
}

// The sentence at the field says enough.
void TstJobsTable::wrongFilterIsNotOneThatMatchesNothing()
{
    JobsTablePage page;
    page.resize(1000, 400);
    page.show();
    page.model()->add({tableJob(1), tableJob(2)});
    const auto says = [&page] {
        const auto labels = page.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [](const QLabel *label) { return label->isVisible() && label->text().contains(u"No job matches"); });
    };
    page.filter()->setText(u"nosuchword"_s);
    QCOMPARE(page.model()->rowCount(), 0);
    QVERIFY(says());
    page.filter()->setText(u"nosuchword state:faix"_s);
    QVERIFY(!page.filter()->errorText().isEmpty());
    QCOMPARE(page.model()->rowCount(), 0);
    QVERIFY(!says());
    page.filter()->setText(u"nosuchword state:failed"_s);
    QVERIFY(says());
}

// Clicks with Ctrl or Shift select and open nothing; the keys stay with the list.
void TstJobsTable::severalRowsInThePane()
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

void TstJobsTable::archivedJobsInThePane()
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

void TstJobsTable::starOfARow()
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

void TstJobsTable::labelsOfOneAndOfSeveral()
{
    JobSummary one = tableJob(1);
    one.labels = {{u"a"_s, u"b"_s}, u"old"_s, false, false};
    JobSummary other = tableJob(2);
    other.labels.tags = {u"b"_s, u"c"_s};
    {
        LabelsDialog dialog({one}, {}, LabelsDialog::Begin::Note);
        auto *tags = dialog.findChild<QLineEdit *>();
        QCOMPARE(tags->text(), u"a, b"_s);
        QVERIFY(dialog.change().addTags.isEmpty() && dialog.change().removeTags.isEmpty() && !dialog.change().note);
        tags->setText(u" b ,new one,, "_s);
        dialog.findChild<QPlainTextEdit *>()->setPlainText(u"new"_s);
        const api::LabelChange change = dialog.change();
        QCOMPARE(change.ids, QStringList{u"uuid-1"_s});
        QCOMPARE(change.addTags, QStringList{u"new one"_s});
        QCOMPARE(change.removeTags, QStringList{u"a"_s});
        QCOMPARE(change.note, u"new"_s);
        // By key from the note, where Enter alone begins a line.
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *buttons = dialog.findChild<QDialogButtonBox *>();
        QVERIFY(buttons && buttons->button(QDialogButtonBox::Save)->isDefault());
        QSignalSpy saved(&dialog, &QDialog::accepted);
        auto *note = dialog.findChild<QPlainTextEdit *>();
        note->setFocus();
        QTest::keyClick(note, Qt::Key_Return);
        QCOMPARE(saved.size(), 0);
        QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(saved.size(), 1);
    }
    LabelsDialog dialog({one, other}, {}, LabelsDialog::Begin::Tags);
    auto *tags = dialog.findChild<QLineEdit *>();
    QCOMPARE(tags->text(), u"b"_s); // that both have
    const auto *several = dialog.findChild<QLabel *>(u"labelsOfSeveral"_s);
    QVERIFY(several);
    QVERIFY2(several->text().contains(u"their other tags stay"_s), qPrintable(several->text()));
    QVERIFY2(several->text().endsWith(u"Only some of them have: a, c"_s), qPrintable(several->text()));
    tags->setText(u"x"_s);
    const api::LabelChange change = dialog.change();
    QCOMPARE(change.ids.size(), 2);
    QCOMPARE(change.addTags, QStringList{u"x"_s});
    QCOMPARE(change.removeTags, QStringList{u"b"_s});
    QVERIFY(!change.note);
}

// What is typed stays as it is typed, whatever the list below the field offers.
void TstJobsTable::tagsKeepTheirCapitals()
{
    JobSummary one = tableJob(1);
    one.labels.tags = {u"paper"_s};
    JobSummary other = tableJob(2);
    other.labels.tags = {u"Paper"_s};
    QCOMPARE(filterWords({one, other}).tags, QStringList{u"Paper"_s}); // one tag, however it is spelled
    LabelsDialog dialog({one, other}, {u"baseline"_s, u"baseline-2"_s}, LabelsDialog::Begin::Tags);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto *tags = dialog.findChild<QLineEdit *>();
    auto *completer = dialog.findChild<QCompleter *>();
    QCOMPARE(tags->text(), u"paper"_s); // both have it
    tags->clear();
    QTest::keyClicks(tags, u"Paper,Baseline"_s);
    QTRY_VERIFY(completer->popup()->isVisible());
    QCOMPARE(completer->popup()->model()->rowCount(), 1); // what is typed already is not offered
    QTest::keyClick(completer->popup(), Qt::Key_Return);
    QTRY_VERIFY(!completer->popup()->isVisible());
    QCOMPARE(tags->text(), u"Paper,Baseline"_s);
    QCOMPARE(dialog.change().addTags, (QStringList{u"Baseline"_s, u"Paper"_s}));
    QCOMPARE(dialog.change().removeTags, QStringList()); // another spelling takes the place of the old one
    // One that is chosen is taken.
    QTest::keyClicks(tags, u",base"_s);
    QTRY_VERIFY(completer->popup()->isVisible());
    QTest::keyClick(completer->popup(), Qt::Key_Down);
    QTest::keyClick(completer->popup(), Qt::Key_Return);
    QCOMPARE(tags->text(), u"Paper,Baseline, baseline"_s);
    QCOMPARE(dialog.change().addTags, (QStringList{u"Baseline"_s, u"Paper"_s})); // the same tag once more
}

void TstJobsTable::removalsCanBeHadBack()
{
    PendingRemovals slow(1h);
    QSignalSpy due(&slow, &PendingRemovals::due);
    slow.add({u"a"_s, u"b"_s});
    slow.add({u"b"_s, u"c"_s});
    QCOMPARE(slow.waiting(), (QStringList{u"a"_s, u"b"_s, u"c"_s}));
    slow.undo();
    QVERIFY(slow.waiting().isEmpty() && slow.hidden().isEmpty());
    slow.flush();
    QCOMPARE(due.count(), 0);
    slow.add({u"a"_s});
    slow.flush(); // the window closes
    slow.flush();
    QCOMPARE(due.count(), 1);
    QCOMPARE(due.value(0).value(0).toStringList(), QStringList{u"a"_s});
    slow.add({u"a"_s, u"b"_s}); // the first is on its way
    QCOMPARE(slow.waiting(), QStringList{u"b"_s});
    slow.undo();
    QCOMPARE(slow.hidden(), QSet<QString>{u"a"_s});
    slow.settled(u"a"_s);
    QVERIFY(slow.hidden().isEmpty());

    PendingRemovals quick(1ms);
    QSignalSpy soon(&quick, &PendingRemovals::due);
    quick.add({u"x"_s, u"y"_s});
    QTRY_COMPARE(soon.count(), 1);
    QCOMPARE(soon.value(0).value(0).toStringList(), (QStringList{u"x"_s, u"y"_s}));
    QCOMPARE(quick.hidden().size(), 2);
}

void TstJobsTable::foldersAreMeasured()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"a/b"_s));
    QFile file(folder.filePath(u"a/b/log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(QByteArray(1 << 20, 'x')), 1 << 20);
    file.close();
    QVERIFY(QFile::link(u"/usr"_s, folder.filePath(u"a/link"_s)));
    qint64 found = -1;
    measureFolders({folder.filePath(u"a"_s), folder.filePath(u"none"_s)}, this, [&found](qint64 b) { found = b; });
    QTRY_VERIFY(found >= 0);
    QVERIFY2(found >= 1 << 20 && found < 2 << 20, qPrintable(QString::number(found)));
}

void TstJobsTable::archivesWhatIsNotInTheArchive_data()
{
    QTest::addColumn<QList<bool>>("archived");
    QTest::addColumn<QStringList>("asked");
    QTest::addColumn<bool>("isOn");
    QTest::newRow("none is") << QList<bool>{false, false} << QStringList{u"uuid-1"_s, u"uuid-2"_s} << true;
    QTest::newRow("one is") << QList<bool>{true, false} << QStringList{u"uuid-2"_s} << true;
    QTest::newRow("all are") << QList<bool>{true, true} << QStringList{u"uuid-1"_s, u"uuid-2"_s} << false;
}

// Whoever takes it back gets what was there before: what was archived already stays so.
void TstJobsTable::archivesWhatIsNotInTheArchive()
{
    QFETCH(const QList<bool>, archived);
    QList<JobSummary> jobs;
    for (const bool isArchived : archived) {
        jobs.append(tableJob(jobs.size() + 1));
        jobs.last().labels.isArchived = isArchived;
    }
    QMenu menu;
    QStringList asked;
    bool isOn = false;
    addLabelActions(&menu, this, jobs,
        {[](const QStringList &, bool) {}, [](const QStringList &, bool) {},
            [&](const QStringList &uuids, bool on) {
                asked = uuids;
                isOn = on;
            }});
    menu.actions().last()->trigger();
    QTEST(asked, "asked");
    QTEST(isOn, "isOn");
}

TRAINYARD_GUI_TEST(TstJobsTable)
#include "tst_jobstable.moc"
