// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/tablejobs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/celldelegate.h"
#include "widgets/common/tokens.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstablepage.h"

#include <QAbstractItemModelTester>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace std::chrono_literals;
using namespace tablejobs;

// The rows of the table of all jobs: how they come, change, are sorted and leave as text.
class TstJobsTableModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsComeAndChange();
    void rowsAreSorted();
    void rowsLeaveAsText();
    void codeIsWhatTheProgramReturned();
    void archivedJobsAreMarked();
    void valuesThatAreNotFinalAreMarked();
    void sentencesAreCutAtTheirEnd();
};

void TstJobsTableModel::rowsComeAndChange()
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

void TstJobsTableModel::rowsAreSorted()
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

void TstJobsTableModel::rowsLeaveAsText()
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

// As in the list at the side: a star has its colour, and what is archived stands back.
void TstJobsTableModel::archivedJobsAreMarked()
{
    JobSummary archived = tableJob(1, State::Succeeded), other = tableJob(2, State::Succeeded);
    archived.labels.isArchived = true;
    other.labels.isStarred = true;
    JobsTableModel model;
    model.setColumns({u"id"_s, u"star"_s, u"name"_s});
    model.setFilter(tableFilter(u"with:archived"_s));
    model.add({archived, other});
    model.sort(0, Qt::AscendingOrder);
    QTRY_COMPARE(idsOf(model), (QList<qint64>{1, 2}));
    const auto ink = [&model](int row, int column) { return model.index(row, column).data(CellDelegate::inkRole); };
    QCOMPARE(ink(0, 2).toInt(), int(Colour::Muted));
    QVERIFY(!model.index(0, 2).data(Qt::DecorationRole).isNull());
    QVERIFY(!ink(1, 2).isValid() && model.index(1, 2).data(Qt::DecorationRole).isNull());
    QCOMPARE(ink(1, 1).toInt(), int(Colour::Waiting));
}

// Most failures share the code of the protocol: the status of the program tells them apart, as in `ps`.
void TstJobsTableModel::codeIsWhatTheProgramReturned()
{
    const auto failed = [](qint64 id, int code, std::optional<int> status) {
        JobSummary job = tableJob(id, State::Failed);
        job.exitCode = code;
        job.rawExit = status;
        return job;
    };
    QCOMPARE(jobCellText(failed(1, 255, 3), u"code"_s, 0), u"3"_s);
    QCOMPARE(jobCellValue(failed(1, 255, 3), u"code"_s, 0), u"3"_s);
    QCOMPARE(jobCellText(failed(1, 255, {}), u"code"_s, 0), u"255"_s);
    QCOMPARE(jobCellText(failed(1, -1200, 137), u"code"_s, 0), u"-1200"_s); // the engine's own says more
    QCOMPARE(jobCellText(tableJob(1, State::Running), u"code"_s, 0), QString());
    JobsTableModel model;
    model.setColumns({u"id"_s, u"code"_s});
    model.add({failed(1, 255, 7), failed(2, 255, 3), failed(3, 255, 5)});
    model.sort(1, Qt::AscendingOrder);
    QCOMPARE(idsOf(model), (QList<qint64>{2, 3, 1}));
}

// What a job has told so far looks other than what it came to, and its tip says why.
void TstJobsTableModel::valuesThatAreNotFinalAreMarked()
{
    JobsTableModel model;
    const QStringList keys{u"name"_s, u"result:loss"_s, u"min:loss"_s};
    model.setColumns(keys);
    JobSummary ended = tableJob(4), read = tableJob(3), running = tableJob(2, State::Running),
               stopped = tableJob(1, State::Stopped);
    for (JobSummary *job : {&ended, &read, &running, &stopped}) {
        job->results = {{u"loss"_s, QJsonObject{{u"last"_s, 0.5}, {u"least"_s, 0.25}}}};
    }
    read.resultsPending = true;
    model.add({ended, read, running, stopped});
    QCOMPARE(idsOf(model), (QList<qint64>{4, 3, 2, 1}));
    const QStringList tips{QString(), u"Not final: the output is still being read."_s,
        u"Not final: the job has not ended."_s, u"Not final: the job was stopped."_s};
    for (int row = 0; row < int(tips.size()); ++row) {
        for (int column = 0; column < int(keys.size()); ++column) {
            const QModelIndex at = model.index(row, column);
            const bool isMarked = row > 0 && column > 0;
            QCOMPARE(at.data(Qt::FontRole).value<QFont>().italic(), isMarked);
            QCOMPARE(at.data(Qt::ToolTipRole).toString().contains(u"Not final"_s), isMarked);
            QVERIFY(!isMarked || at.data(Qt::ToolTipRole).toString().contains(tips.at(row)));
        }
    }
    QCOMPARE(jobsAsText({running}, {u"result:loss"_s}, ',', 0), "result:loss\n0.5\n"); // as it was
}

// The middle of a name says least, and the beginning of a reason says most.
void TstJobsTableModel::sentencesAreCutAtTheirEnd()
{
    JobsTableModel model;
    model.setColumns({u"name"_s, u"why"_s, u"note"_s});
    model.add({tableJob(1, State::Failed)});
    const auto modeOf = [&model](int column) { return model.index(0, column).data(CellDelegate::elideRole); };
    QVERIFY(!modeOf(0).isValid());
    QCOMPARE(modeOf(1).toInt(), int(Qt::ElideRight));
    QCOMPARE(modeOf(2).toInt(), int(Qt::ElideRight));
}

TRAINYARD_GUI_TEST(TstJobsTableModel)
#include "tst_jobstablemodel.moc"
