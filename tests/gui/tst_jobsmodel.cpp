// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/tokens.h"
#include "widgets/common/wordsfilter.h"
#include "widgets/jobs/jobsdelegate.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/text/exittexts.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QJsonObject>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace trainyard;

namespace
{
JobSummary job(qint64 id, State state, const QString &name = QStringLiteral("job"))
{
    JobSummary j;
    j.id = id;
    j.uuid = QStringLiteral("uuid-%1").arg(id);
    j.name = name;
    j.state = state;
    return j;
}

JobSummary stopping(qint64 id, bool hasBegun)
{
    JobSummary j = job(id, State::Stopping);
    if (hasBegun) {
        j.launched = 1000;
    }
    return j;
}

// "Running: 3 1; Waiting: ; Done: 2"
QString picture(const QAbstractItemModel &model)
{
    QStringList groups;
    for (int g = 0; g < model.rowCount(); ++g) {
        const QModelIndex group = model.index(g, 0);
        if (group.data(JobsModel::GroupRole).toInt() == JobsModel::FromFiles && model.rowCount(group) == 0) {
            continue;
        }
        QStringList ids;
        for (int i = 0; i < model.rowCount(group); ++i) {
            ids.append(QString::number(model.index(i, 0, group).data(JobsModel::SummaryRole).value<JobSummary>().id));
        }
        groups.append(group.data().toString() + QStringLiteral(": ") + ids.join(QLatin1Char(' ')));
    }
    return groups.join(QStringLiteral("; "));
}
} // namespace

class TstJobsModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void groupsAndOrder();
    void jobsMoveBetweenGroups();
    void stoppedBeforeTheyBegan();
    void waitingInTheOrderOfTheQueue();
    void currentJobStaysWhenItMoves();
    void focusIsSeenOnGroups();
    void menuOfAJob();
    void keysMoveInTheQueue();
    void saysWhichJobFailedBefore();
    void unchangedSaysNothing();
    void filterFindsWordsAndNumbers();
    void manyJobs();
    void emptyListOffersTheHelloJob();
    void wordsThatNoJobHas();
    void causesAreNotCut();
    void resultsOfSweepsKeepTheirNumbers();
};

void TstJobsModel::groupsAndOrder()
{
    JobsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setJobs({job(1, State::Succeeded), job(4, State::Running), job(2, State::Waiting), job(5, State::Failed),
        stopping(3, true)});
    QCOMPARE(picture(model), QStringLiteral("Running: 4 3; Waiting: 2; Done: 5 1"));
    QCOMPARE(model.jobCount(), 5);
    QCOMPARE(model.job(model.indexOf(QStringLiteral("uuid-2")))->id, 2);
    QVERIFY(!model.indexOf(QStringLiteral("other")).isValid());
}

void TstJobsModel::jobsMoveBetweenGroups()
{
    JobsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.apply(job(1, State::Waiting));
    model.apply(job(2, State::Waiting));
    QCOMPARE(picture(model), QStringLiteral("Running: ; Waiting: 1 2; Done: "));
    model.apply(job(1, State::Running));
    QCOMPARE(picture(model), QStringLiteral("Running: 1; Waiting: 2; Done: "));
    model.apply(job(1, State::Succeeded));
    model.remove(QStringLiteral("uuid-2"));
    model.remove(QStringLiteral("uuid-9"));
    QCOMPARE(picture(model), QStringLiteral("Running: ; Waiting: ; Done: 1"));
    QCOMPARE(resets.count(), 0);
}

// Nothing of them runs. They have left the queue, in which others move past none of them.
void TstJobsModel::stoppedBeforeTheyBegan()
{
    JobsPane pane;
    JobsModel &model = *pane.model();
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setJobs({job(1, State::Waiting), job(2, State::Waiting), job(3, State::Running)});
    model.apply(stopping(1, false));
    QCOMPARE(picture(model), QStringLiteral("Running: 3; Waiting: 2 1; Done: "));
    QCOMPARE(model.queueHead(), QStringLiteral("uuid-2"));
    model.apply(stopping(3, true));
    QCOMPARE(picture(model), QStringLiteral("Running: 3; Waiting: 2 1; Done: "));
    pane.show();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    pane.view()->setFocus();
    QSignalSpy moves(&pane, &JobsPane::moveRequested);
    pane.setCurrentJob(QStringLiteral("uuid-2"));
    QTest::keyClick(pane.view(), Qt::Key_Down, Qt::AltModifier); // it is the last one of the queue
    QCOMPARE(moves.count(), 0);
    model.apply(stopping(2, false));
    QCOMPARE(model.queueHead(), QString());
    model.apply(job(1, State::Stopped));
    QCOMPARE(picture(model), QStringLiteral("Running: 3; Waiting: 2; Done: 1"));
}

void TstJobsModel::waitingInTheOrderOfTheQueue()
{
    JobsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto waiting = [](qint64 id, double order, int priority = 0) {
        JobSummary j = job(id, State::Waiting);
        j.order = order;
        j.priority = priority;
        return j;
    };
    model.setJobs({waiting(3, 300), waiting(1, 100), waiting(4, 400, 5), waiting(2, 200)});
    QCOMPARE(picture(model), QStringLiteral("Running: ; Waiting: 4 1 2 3; Done: "));
    model.apply(waiting(3, 99.5)); // moved by hand
    QCOMPARE(picture(model), QStringLiteral("Running: ; Waiting: 4 3 1 2; Done: "));
    model.apply(waiting(2, 200, 9));
    QCOMPARE(picture(model), QStringLiteral("Running: ; Waiting: 2 4 3 1; Done: "));
    model.apply(waiting(5, 50));
    QCOMPARE(picture(model), QStringLiteral("Running: ; Waiting: 2 4 5 3 1; Done: "));
    for (qint64 id = 1; id <= 5; ++id) {
        QCOMPARE(model.job(model.indexOf(QStringLiteral("uuid-%1").arg(id)))->id, id);
    }
    JobSummary started = waiting(2, 200, 9);
    started.state = State::Running;
    model.apply(started);
    model.remove(QStringLiteral("uuid-3"));
    QCOMPARE(picture(model), QStringLiteral("Running: 2; Waiting: 4 5 1; Done: "));
}

// Who stands on a waiting job with the keyboard stands on it when it runs, whether there were running ones or not.
void TstJobsModel::currentJobStaysWhenItMoves()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({job(1, State::Waiting), job(2, State::Waiting), job(3, State::Succeeded)});
    pane.show();
    pane.setCurrentJob(QStringLiteral("uuid-2"));
    for (const State state : {State::Running, State::Succeeded, State::Waiting}) {
        pane.model()->apply(job(2, state));
        QCOMPARE(pane.currentJob(), QStringLiteral("uuid-2"));
        QVERIFY(pane.view()->selectionModel()->isSelected(pane.view()->currentIndex()));
    }
    pane.model()->setJobs({job(2, State::Failed), job(3, State::Succeeded)}); // after the engine was gone
    QCOMPARE(pane.currentJob(), QStringLiteral("uuid-2"));
    pane.model()->remove(QStringLiteral("uuid-2"));
    QVERIFY(pane.currentJob() != QStringLiteral("uuid-2"));
}

void TstJobsModel::focusIsSeenOnGroups()
{
    JobsPane pane;
    pane.resize(300, 400);
    pane.model()->setJobs({job(1, State::Waiting), job(3, State::Succeeded)});
    pane.show();
    QApplication::setActiveWindow(&pane);
    QTRY_VERIFY(pane.isActiveWindow());
    pane.view()->setFocus();
    const QModelIndex group = pane.view()->model()->index(0, 0);
    pane.view()->setCurrentIndex(pane.view()->model()->index(0, 0, group));
    const QRect head = pane.view()->visualRect(group);
    const QImage without = pane.view()->viewport()->grab(head).toImage();
    QTest::keyClick(pane.view(), Qt::Key_Up);
    QCOMPARE(pane.view()->currentIndex(), group);
    QVERIFY(pane.view()->viewport()->grab(head).toImage() != without);
}

void TstJobsModel::menuOfAJob()
{
    JobsPane pane;
    pane.resize(300, 400);
    JobSummary paused = job(3, State::Running);
    paused.paused = true;
    JobSummary partly = job(4, State::Failed);
    partly.counts.succeeded = 2;
    partly.counts.failed = 1;
    JobSummary second = job(2, State::Waiting);
    second.order = 7;
    JobSummary failed = job(5, State::Failed);
    failed.counts = {};
    failed.counts.failed = 1;
    JobSummary good = job(6, State::Succeeded);
    good.counts = {};
    good.counts.succeeded = 1;
    pane.model()->setJobs({job(1, State::Waiting), second, paused, partly, failed, good});
    pane.show();
    QString why; // the entry is off
    const auto choose = [&](qint64 id, const QString &text) {
        QModelIndex at;
        const QAbstractItemModel *model = pane.view()->model();
        for (int g = 0; g < model->rowCount(); ++g) {
            for (int i = 0; i < model->rowCount(model->index(g, 0)); ++i) {
                const QModelIndex each = model->index(i, 0, model->index(g, 0));
                at = each.data(JobsModel::SummaryRole).value<JobSummary>().id == id ? each : at;
            }
        }
        Q_EMIT pane.view()->customContextMenuRequested(pane.view()->visualRect(at).center());
        const QList<QMenu *> menus = pane.findChildren<QMenu *>();
        bool done = false;
        why.clear();
        for (QAction *action : menus.isEmpty() ? QList<QAction *>() : menus.last()->actions()) {
            if (action->text() == text && action->isEnabled()) {
                action->trigger();
                done = true;
            } else if (action->text() == text && menus.last()->toolTipsVisible()) {
                why = action->toolTip();
            }
        }
        qDeleteAll(menus);
        return done;
    };
    QSignalSpy moves(&pane, &JobsPane::moveRequested);
    QSignalSpy pauses(&pane, &JobsPane::pauseRequested);
    QSignalSpy retries(&pane, &JobsPane::retryRequested);
    QVERIFY(!choose(1, QStringLiteral("Move to the front of the queue"))); // it is there
    QVERIFY(choose(2, QStringLiteral("Move to the front of the queue")));
    QCOMPARE(moves.takeFirst(), (QVariantList{QStringLiteral("uuid-2"), QStringLiteral("uuid-1")}));
    QVERIFY(choose(1, QStringLiteral("Move to the end of the queue")));
    QCOMPARE(moves.takeFirst(), (QVariantList{QStringLiteral("uuid-1"), QString()}));
    QVERIFY(!choose(3, QStringLiteral("Move to the end of the queue")));
    QVERIFY(!choose(1, QStringLiteral("Move up")));
    QVERIFY(choose(1, QStringLiteral("Move down")));
    QCOMPARE(moves.takeFirst(), (QVariantList{QStringLiteral("uuid-1"), QString()}));
    QVERIFY(!choose(2, QStringLiteral("Move down")));
    QVERIFY(choose(2, QStringLiteral("Move up")));
    QCOMPARE(moves.takeFirst(), (QVariantList{QStringLiteral("uuid-2"), QStringLiteral("uuid-1")}));
    QVERIFY(choose(2, QStringLiteral("Pause")));
    QCOMPARE(pauses.takeFirst(), (QVariantList{QStringLiteral("uuid-2"), true}));
    QVERIFY(choose(3, QStringLiteral("Resume")));
    QCOMPARE(pauses.takeFirst(), (QVariantList{QStringLiteral("uuid-3"), false}));
    QVERIFY(!choose(4, QStringLiteral("Pause")));
    QVERIFY(choose(4, QStringLiteral("Retry failed tasks")));
    QCOMPARE(retries.takeFirst(), (QVariantList{QStringLiteral("uuid-4"), true}));
    QVERIFY(choose(5, QStringLiteral("Retry failed tasks"))); // none has succeeded: that is all of them
    QCOMPARE(retries.takeFirst(), (QVariantList{QStringLiteral("uuid-5"), true}));
    QVERIFY(!choose(6, QStringLiteral("Retry failed tasks")));
    QVERIFY2(why.contains(QStringLiteral("No task has failed.")), qPrintable(why));
    QVERIFY(choose(5, QStringLiteral("Retry all tasks in a new attempt")));
    QCOMPARE(retries.takeFirst(), (QVariantList{QStringLiteral("uuid-5"), false}));
}

void TstJobsModel::keysMoveInTheQueue()
{
    JobsPane pane;
    pane.resize(300, 400);
    QList<JobSummary> jobs{job(9, State::Running)};
    for (int i = 1; i <= 4; ++i) {
        jobs.append(job(i, State::Waiting));
        jobs.last().order = i;
    }
    pane.model()->setJobs(jobs);
    pane.show();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    pane.view()->setFocus();
    QSignalSpy moves(&pane, &JobsPane::moveRequested);
    pane.setCurrentJob(QStringLiteral("uuid-3"));
    QTest::keyClick(pane.view(), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(moves.takeFirst(), (QVariantList{QStringLiteral("uuid-3"), QStringLiteral("uuid-2")}));
    // The engine does it, and the job stays the one that the keys are for.
    jobs[3].order = 1.5;
    pane.model()->apply(jobs.at(3));
    QCOMPARE(pane.currentJob(), QStringLiteral("uuid-3"));
    QTest::keyClick(pane.view(), Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(moves.takeFirst(), (QVariantList{QStringLiteral("uuid-3"), QStringLiteral("uuid-4")}));
    pane.setCurrentJob(QStringLiteral("uuid-4"));
    QTest::keyClick(pane.view(), Qt::Key_Down, Qt::AltModifier); // the last one
    pane.setCurrentJob(QStringLiteral("uuid-9"));
    QTest::keyClick(pane.view(), Qt::Key_Up, Qt::AltModifier); // waits for nobody
    QVERIFY(moves.isEmpty());
}

// A job whose code says nothing of the other one that failed.
void TstJobsModel::saysWhichJobFailedBefore()
{
    const auto phrase
        = [](const QString &reason, const QJsonObject &args) { return failurePhrase(-1100, reason, args); };
    const QJsonObject first{{QStringLiteral("job"), 7}, {QStringLiteral("name"), QStringLiteral("prepare")}};
    QJsonObject stopped = first;
    stopped.insert(QStringLiteral("state"), QStringLiteral("STOPPED"));
    QCOMPARE(phrase(QStringLiteral("after.failed"), first), QStringLiteral("#7 failed"));
    QCOMPARE(phrase(QStringLiteral("after.failed"), stopped), QStringLiteral("#7 was stopped"));
    QCOMPARE(phrase(QStringLiteral("after.gone"), first), QStringLiteral("#7 is gone"));
    QCOMPARE(phrase(QStringLiteral("start.failed"), {}), exitPhrase(-1100));
    const QJsonObject raised{{QStringLiteral("failure"),
        QJsonObject{{QStringLiteral("cause"), QStringLiteral("user-code-error")},
            {QStringLiteral("args"), QJsonObject{{QStringLiteral("type"), QStringLiteral("KeyError")}}}}}};
    QCOMPARE(failurePhrase(255, QStringLiteral("exit.user"), raised), QStringLiteral("KeyError"));
    // A known cause says more than the exception that came of it.
    const QJsonObject full{{QStringLiteral("failure"),
        QJsonObject{{QStringLiteral("cause"), QStringLiteral("disk-full")},
            {QStringLiteral("args"), QJsonObject{{QStringLiteral("type"), QStringLiteral("OSError")}}}}}};
    QCOMPARE(failurePhrase(255, QStringLiteral("exit.user"), full), QStringLiteral("Disk full"));
    QCOMPARE(failurePhrase(255, QStringLiteral("exit.user"), {}), QString());
    QCOMPARE(exitNumber(-210), QString(QChar(0x2212)) + QStringLiteral("210"));
}

void TstJobsModel::unchangedSaysNothing()
{
    JobsModel model;
    model.apply(job(1, State::Running));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.apply(job(1, State::Running));
    QCOMPARE(changes.count(), 0);
    JobSummary other = job(1, State::Running);
    other.counts.running = 3;
    model.apply(other);
    QCOMPARE(changes.count(), 1);
}

void TstJobsModel::filterFindsWordsAndNumbers()
{
    JobsModel model;
    WordsFilter filter(JobsModel::SearchRole);
    QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    model.setJobs({job(1, State::Succeeded, QStringLiteral("mnist")), job(2, State::Failed, QStringLiteral("bert")),
        job(3, State::Running, QStringLiteral("bert_large"))});
    QCOMPARE(picture(filter), QStringLiteral("Running: 3; Done: 2 1")); // groups without jobs are not shown
    filter.setFilter(QStringLiteral("bert"));
    QCOMPARE(picture(filter), QStringLiteral("Running: 3; Done: 2"));
    filter.setFilter(QStringLiteral("failed bert"));
    QCOMPARE(picture(filter), QStringLiteral("Done: 2"));
    // What a row says of its failure is found too.
    JobSummary killed = job(2, State::Failed, QStringLiteral("bert"));
    killed.exitCode = 137;
    model.apply(killed);
    filter.setFilter(JobsModel::causeText(killed));
    QVERIFY(!JobsModel::causeText(killed).isEmpty());
    QCOMPARE(picture(filter), QStringLiteral("Done: 2"));
    filter.setFilter(QStringLiteral("#1"));
    QCOMPARE(picture(filter), QStringLiteral("Done: 1"));
    model.apply(job(4, State::Waiting, QStringLiteral("gan")));
    QCOMPARE(picture(filter), QStringLiteral("Done: 1"));
    filter.setFilter({});
    QCOMPARE(picture(filter), QStringLiteral("Running: 3; Waiting: 4; Done: 2 1"));
}

void TstJobsModel::manyJobs()
{
    QList<JobSummary> jobs;
    for (int i = 1; i <= 100'000; ++i) {
        jobs.append(job(i, i % 100 == 0 ? State::Waiting : State::Succeeded));
    }
    JobsModel model;
    model.setJobs(jobs);
    QElapsedTimer timer;
    timer.start();
    for (int i = 1; i <= 1000; ++i) {
        model.apply(job(i * 100, State::Running));
    }
    QCOMPARE(model.rowCount(model.index(JobsModel::Running, 0)), 1000);
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
}

void TstJobsModel::emptyListOffersTheHelloJob()
{
    JobsPane pane;
    pane.resize(248, 600);
    pane.show();
    QSignalSpy hello(&pane, &JobsPane::helloRequested);
    auto *empty = pane.findChild<EmptyState *>();
    QVERIFY(empty);
    QPushButton *action = empty->action();
    QVERIFY(action && action->isVisible());
    action->click();
    QCOMPARE(hello.count(), 1);
    pane.model()->apply(job(1, State::Running));
    QVERIFY(!action->isVisible());
    QSignalSpy opened(&pane, &JobsPane::openRequested);
    QTest::mouseClick(pane.view()->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(80, 40));
    QCOMPARE(opened.value(0).value(0).toString(), QStringLiteral("uuid-1"));
}

// A number that is cut is another number.
void TstJobsModel::resultsOfSweepsKeepTheirNumbers()
{
    const QFontMetrics letters(QGuiApplication::font());
    const QString result = QStringLiteral("dev_wer 17.2801"), number = QStringLiteral(" 17.2801");
    const int whole = letters.horizontalAdvance(result), least = letters.horizontalAdvance(number);
    QCOMPARE(JobsDelegate::resultWords(result, letters, whole), result);
    const QString cut = JobsDelegate::resultWords(result, letters, whole - 1);
    QVERIFY2(cut != result && cut.endsWith(number), qPrintable(cut));
    QVERIFY(letters.horizontalAdvance(cut) <= whole);
    QCOMPARE(JobsDelegate::resultWords(result, letters, least), QStringLiteral("17.2801"));
    const int letter = letters.horizontalAdvance(QLatin1Char('v')); // "v… 17.2801" tells nothing
    QCOMPARE(JobsDelegate::resultWords(result, letters, least + letter), QStringLiteral("17.2801"));
    QCOMPARE(JobsDelegate::resultWords(QStringLiteral("3/10"), letters, 200), QStringLiteral("3/10"));
}

// Why a job failed is read in the list; of its name, the tip has all.
void TstJobsModel::causesAreNotCut()
{
    JobSummary failed = job(1, State::Failed);
    failed.exitCode = 255;
    failed.reason = QStringLiteral("exit.user");
    failed.reasonArgs
        = {{QStringLiteral("failure"), QJsonObject{{QStringLiteral("cause"), QStringLiteral("gpu-oom")}}}};
    const QFontMetrics letters(fonts::small());
    const QString whole = QStringLiteral("Out of GPU memory"), brief = QStringLiteral("GPU OOM");
    const int wide = letters.horizontalAdvance(whole);
    QCOMPARE(JobsDelegate::causeWords(failed, letters, wide + 60, 60), whole); // beside a short name
    QCOMPARE(JobsDelegate::causeWords(failed, letters, wide + 59, 60), brief);
    // However long the name is, half of the room is the cause's.
    QCOMPARE(JobsDelegate::causeWords(failed, letters, 2 * letters.horizontalAdvance(brief) + 4, 1000), brief);
    // The other half is the name's.
    const QString own = QStringLiteral("HydraConfigCompositionException");
    failed.reasonArgs = {{QStringLiteral("failure"),
        QJsonObject{{QStringLiteral("cause"), QStringLiteral("uncaught-exception")},
            {QStringLiteral("args"), QJsonObject{{QStringLiteral("type"), own}}}}}};
    const int room = letters.horizontalAdvance(own);
    const QString cut = JobsDelegate::causeWords(failed, letters, room, room);
    QVERIFY2(cut.startsWith(QStringLiteral("Hydra")), qPrintable(cut));
    QVERIFY(letters.horizontalAdvance(cut) <= room / 2);
}

// A filter without a match does not leave a blank pane.
void TstJobsModel::wordsThatNoJobHas()
{
    JobsPane pane;
    pane.resize(248, 600);
    pane.show();
    pane.model()->setJobs({job(1, State::Running, QStringLiteral("mnist"))});
    const auto shown = [&pane] {
        QPushButton *all = nullptr;
        const QList<EmptyState *> states = pane.findChildren<EmptyState *>();
        for (EmptyState *state : states) {
            all = state->isVisible() ? state->action() : all;
        }
        return all;
    };
    QVERIFY(!shown());
    pane.filterField()->setText(QStringLiteral("bert"));
    QVERIFY(shown());
    pane.model()->apply(job(2, State::Waiting, QStringLiteral("bert")));
    QVERIFY(!shown());
    pane.model()->remove(QStringLiteral("uuid-2"));
    QVERIFY(shown());
    shown()->click();
    QVERIFY(!shown());
    QCOMPARE(pane.filterField()->text(), QString());
}

TRAINYARD_GUI_TEST(TstJobsModel)
#include "tst_jobsmodel.moc"
