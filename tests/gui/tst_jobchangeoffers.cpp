// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/style.h"
#include "widgets/diff/diffview.h"
#include "widgets/tasks/changedialog.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/whytexts.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the page of a failed run offers to change.
class TstJobChangeOffers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void memoryThatRanOut();
    void goesWithTheFailure();
    void changeComesBeforeTheSameOnceMore();
    void divergenceIsNotRetriedFirst();
    void dialogShowsTheDifference();
    void settingsAreLinks();
    void codeThatFailedIsOpened();
    void changesComeBeforeTheCode();
    void whatIsToBePutRightComesFirst_data();
    void whatIsToBePutRightComesFirst();
    void codeIsOfferedOnlyWhereItIs();
};

namespace
{

const QByteArray bertText = R"(protocolVersion: 2
name: bert
type: job
prerequisites:
  - {type: dockerimage, name: torch, uri: pytorch/pytorch}
taskRoles:
  worker:
    dockerImage: torch
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 1}
    commands:
      - python train.py --batch-size 64
)";

JobDetail failedWith(const QString &cause)
{
    JobDetail detail;
    detail.summary.uuid = u"u"_s;
    detail.summary.name = u"bert"_s;
    detail.summary.state = State::Failed;
    detail.summary.reason = u"exit.user"_s;
    FailureFacts facts;
    facts.cause = cause;
    facts.certainty = u"certain"_s;
    detail.summary.reasonArgs = {{u"role"_s, u"worker"_s}, {u"index"_s, 0}, {failureKey, facts.toJson()}};
    detail.attempts = {AttemptInfo()};
    detail.yaml = bertText;
    return detail;
}

// An error that every run makes, at line 5 of the file.
JobDetail failedAt(const QString &file, const QString &cause = u"KeyError"_s, const QString &certainty = u"certain"_s)
{
    JobDetail detail = failedWith(cause);
    detail.summary.exitCode = 255;
    FailureFacts facts;
    facts.cause = cause;
    facts.certainty = certainty;
    facts.transient = false;
    facts.file = file;
    facts.fileLine = 5;
    facts.function = u"load_batch"_s;
    detail.summary.reasonArgs = {{u"role"_s, u"worker"_s}, {u"index"_s, 0}, {failureKey, facts.toJson()}};
    detail.attempts[0].state = State::Failed;
    detail.attempts[0].triggerRole = u"worker"_s;
    detail.attempts[0].triggerIndex = 0;
    return detail;
}

TaskInfo taskOn(const QString &host, const QString &logFolder)
{
    TaskInfo task;
    task.role = u"worker"_s;
    task.state = State::Failed;
    task.host = host;
    task.logFolder = logFolder;
    return task;
}

QStringList primaryOf(const RunPage &page)
{
    QStringList names;
    for (const QPushButton *button : page.findChild<FailurePanel *>()->findChildren<QPushButton *>()) {
        if (button->isVisibleTo(&page) && buttonKind(button) == ButtonKind::Primary) {
            names.append(button->text());
        }
    }
    return names;
}

QString writtenCode(const QString &path)
{
    QFile code(path);
    return code.open(QIODevice::WriteOnly) && code.write("d[\"label\"]\n") > 0 ? path : QString();
}

} // namespace

void TstJobChangeOffers::memoryThatRanOut()
{
    RunPage page;
    page.setDetail(failedWith(u"host-oom"_s));
    const auto *raise = page.findChild<QPushButton *>(u"change.memory.raise"_s);
    QVERIFY(raise);
    QVERIFY(raise->isVisibleTo(&page));
    QCOMPARE(raise->accessibleDescription(), u"Raise the memory of worker to 16 GiB"_s);
    QVERIFY(page.findChild<QPushButton *>(u"change.batch.halve"_s));
    QSignalSpy asked(&page, &RunPage::changeRequested);
    QTest::mouseClick(page.findChild<QPushButton *>(u"change.memory.raise"_s), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
    const auto change = asked.constFirst().constFirst().value<JobChange>();
    QVERIFY(changedText(YamlDocument::parse(bertText), change).contains("memoryMB: 16384"));
    // Keys reach it with the other offers, which stand below it.
    const auto *edit = page.findChild<QPushButton *>(u"failureDocument"_s);
    QList<const QWidget *> chain;
    for (const QWidget *at = page.nextInFocusChain(); at != &page; at = at->nextInFocusChain()) {
        chain.append(at);
    }
    QVERIFY(chain.indexOf(raise) < chain.indexOf(edit));
    QVERIFY(chain.indexOf(edit) < chain.indexOf(page.tasksPane()->view()));
    // There is one button for a change, as all of them lead to the same look at it.
    QCOMPARE(raise->parentWidget()->findChildren<QPushButton *>().size(), 1);
}

// What no longer helps is not offered, and without a change the other offers stand out as before.
void TstJobChangeOffers::goesWithTheFailure()
{
    RunPage page;
    page.setDetail(failedWith(u"gpu-oom"_s));
    const auto *halve = page.findChild<QPushButton *>(u"change.batch.halve"_s);
    QVERIFY(halve);
    QVERIFY(!page.findChild<QPushButton *>(u"change.memory.raise"_s));
    page.setDetail(failedWith(u"user-code-error"_s));
    QVERIFY(!page.findChild<QPushButton *>(u"change.batch.halve"_s));
}

// A loss that diverged does so again: the change is what Return does, unless the cause is known to pass by itself.
void TstJobChangeOffers::changeComesBeforeTheSameOnceMore()
{
    RunPage page;
    page.resize(1000, 700);
    page.show();
    JobDetail detail = failedWith(u"diverged"_s);
    detail.yaml = QByteArray(bertText).replace("taskRoles:", "parameters:\n  lr: 0.1\ntaskRoles:");
    detail.summary.exitCode = 1;
    FailureFacts facts;
    facts.cause = u"diverged"_s;
    facts.certainty = u"likely"_s;
    for (const std::optional<bool> transient : {std::optional<bool>(), std::optional(false), std::optional(true)}) {
        facts.transient = transient;
        detail.summary.reasonArgs = {{u"role"_s, u"worker"_s}, {u"index"_s, 0}, {failureKey, facts.toJson()}};
        page.setDetail(detail);
        const auto *change = page.findChild<QPushButton *>(u"change.rate.tenth"_s);
        QVERIFY(change);
        QTRY_COMPARE(primaryOf(page), QStringList{transient == true ? u"Run again"_s : u"Change and run…"_s});
    }
}

// Nor is the same once more the best where the job has no rate that could be changed.
void TstJobChangeOffers::divergenceIsNotRetriedFirst()
{
    RunPage page;
    page.resize(1000, 700);
    page.show();
    JobDetail detail = failedWith(u"diverged"_s);
    FailureFacts facts;
    facts.cause = u"diverged"_s;
    facts.certainty = u"likely"_s;
    detail.summary.exitCode = 255;
    detail.summary.counts.failed = 1;
    detail.summary.reasonArgs = {{u"role"_s, u"worker"_s}, {u"index"_s, 0}, {failureKey, facts.toJson()}};
    page.setDetail(detail);
    QTRY_COMPARE(primaryOf(page), QStringList{u"Open the document"_s});
}

void TstJobChangeOffers::dialogShowsTheDifference()
{
    auto *dialog = new ChangeDialog(u"Raise the memory of worker to 16 GiB"_s, bertText,
        QByteArray(bertText).replace("memoryMB: 8192", "memoryMB: 16384"));
    dialog->show();
    QCOMPARE(dialog->findChild<DiffView *>()->changeCount(), 1);
    QSignalSpy finished(dialog, &QDialog::finished);
    QTest::keyClick(dialog, Qt::Key_Return); // what its button has promised
    QCOMPARE(finished.size(), 1);
    QCOMPARE(finished.constFirst().constFirst().toInt(), int(ChangeDialog::Run));

    auto *editing = new ChangeDialog(u"Raise the memory"_s, bertText, bertText + "# more\n");
    editing->show();
    QSignalSpy accepted(editing, &QDialog::accepted);
    editing->findChild<QPushButton *>(u"changeEdit"_s)->click();
    QCOMPARE(accepted.size(), 1);
}

// A reason to wait that names a setting leads to it; other words with points are none.
void TstJobChangeOffers::settingsAreLinks()
{
    InfoBar bar;
    bar.setJobLinks(true);
    bar.show(
        InfoBar::Kind::Waiting, u"Waits for #41, until the hours of gpu.keepHours are over: train.py on lab1.local."_s);
    auto *text = bar.findChild<QLabel *>();
    QVERIFY(text->text().contains("<a href=\"setting:gpu.keepHours\">gpu.keepHours</a>"_L1));
    QCOMPARE(text->text().count("<a "_L1), 2); // the other one is the job
    QSignalSpy setting(&bar, &InfoBar::settingClicked);
    QSignalSpy job(&bar, &InfoBar::jobClicked);
    Q_EMIT text->linkActivated(u"setting:gpu.keepHours"_s);
    Q_EMIT text->linkActivated(u"job:41"_s);
    QCOMPARE(setting.size(), 1);
    QCOMPARE(setting.constFirst().constFirst().toString(), u"gpu.keepHours"_s);
    QCOMPARE(job.size(), 1);
}

// Where the user's own program failed, its code is what is to be corrected, and not the job.
void TstJobChangeOffers::codeThatFailedIsOpened()
{
    const QTemporaryDir folder, logs;
    const QString file = writtenCode(folder.filePath(u"fail.py"_s));
    QVERIFY(!file.isEmpty());
    RunPage page;
    page.resize(1000, 700);
    page.show();
    page.setTasks(0, {taskOn(u"local"_s, logs.path())});
    page.setDetail(failedAt(file));
    QTRY_VERIFY(page.findChild<QPushButton *>(u"failureCode"_s));
    auto *open = page.findChild<QPushButton *>(u"failureCode"_s);
    QCOMPARE(open->text(), u"Open fail.py at line 5"_s);
    QTRY_COMPARE(primaryOf(page), QStringList{u"Open fail.py at line 5"_s}); // it is shown with the next layout
    const auto *document = page.findChild<QPushButton *>(u"failureDocument"_s);
    QVERIFY(document->isVisibleTo(&page));
    const auto placeOf = [&page](const QWidget *widget) { return widget->mapTo(&page, QPoint(0, 0)); };
    QTRY_VERIFY(placeOf(open).y() < placeOf(document).y());
    QSignalSpy asked(&page, &RunPage::codeRequested);
    QTest::mouseClick(open, Qt::LeftButton);
    QTRY_COMPARE(asked.size(), 1);
    QCOMPARE(asked.constFirst(), (QVariantList{file, 5}));
}

// What the job can be changed in is sure to be of help.
void TstJobChangeOffers::changesComeBeforeTheCode()
{
    const QTemporaryDir folder, logs;
    const QString file = writtenCode(folder.filePath(u"train.py"_s));
    RunPage page;
    page.resize(1000, 700);
    page.show();
    page.setTasks(0, {taskOn(u"local"_s, logs.path())});
    page.setDetail(failedAt(file, u"gpu-oom"_s));
    QTRY_VERIFY(page.findChild<QPushButton *>(u"failureCode"_s));
    QVERIFY(page.findChild<QPushButton *>(u"change.batch.halve"_s));
    QTRY_COMPARE(primaryOf(page), QStringList{u"Change and run…"_s});
}

void TstJobChangeOffers::whatIsToBePutRightComesFirst_data()
{
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("certainty");
    QTest::addColumn<bool>("hasFailedTasks");
    QTest::addColumn<QString>("first");
    QTest::newRow("the code") << u"KeyError"_s << u"certain"_s << true << u"Open train.py at line 5"_s;
    QTest::newRow("the code, most likely")
        << u"AssertionError"_s << u"likely"_s << true << u"Open train.py at line 5"_s;
    QTest::newRow("a divergence") << u"diverged"_s << u"likely"_s << true << u"Open train.py at line 5"_s;
    QTest::newRow("the path in the job") << u"file-missing"_s << u"certain"_s << true << u"Open the document"_s;
    QTest::newRow("the folder in the job") << u"permission-denied"_s << u"certain"_s << true << u"Open the document"_s;
    QTest::newRow("the disk") << u"disk-full"_s << u"certain"_s << true << u"Retry failed tasks"_s;
    QTest::newRow("the disk, in a new job") << u"disk-full"_s << u"certain"_s << false << u"Run again"_s;
}

// Where the code met with something that is not of its own making, no line of it is to be corrected.
void TstJobChangeOffers::whatIsToBePutRightComesFirst()
{
    QFETCH(const QString, cause);
    QFETCH(const QString, certainty);
    QFETCH(const bool, hasFailedTasks);
    QFETCH(const QString, first);
    const QTemporaryDir folder, logs;
    const QString file = writtenCode(folder.filePath(u"train.py"_s));
    RunPage page;
    page.resize(1000, 700);
    page.show();
    page.setTasks(0, {taskOn(u"local"_s, logs.path())});
    JobDetail detail = failedAt(file, cause, certainty);
    detail.summary.counts.failed = hasFailedTasks ? 1 : 0;
    page.setDetail(detail);
    QTRY_VERIFY(page.findChild<QPushButton *>(u"failureCode"_s)); // it stays among the others
    QTRY_COMPARE(primaryOf(page), QStringList{first});
}

void TstJobChangeOffers::codeIsOfferedOnlyWhereItIs()
{
    const QTemporaryDir folder, logs;
    const QString file = writtenCode(folder.filePath(u"fail.py"_s));
    const QString script = writtenCode(logs.filePath(u"task.sh"_s));
    QVERIFY(!file.isEmpty() && !script.isEmpty());
    RunPage page;
    page.resize(1000, 700);
    page.show();
    const auto code = [&page] { return page.findChild<QPushButton *>(u"failureCode"_s); };
    for (const QString &other : {folder.filePath(u"gone.py"_s), script, QString()}) {
        page.setTasks(0, {taskOn(u"local"_s, logs.path())});
        page.setDetail(failedAt(file));
        QTRY_VERIFY(code());
        page.setDetail(failedAt(other));
        QTRY_VERIFY2(!code(), qPrintable(other));
        QCOMPARE(primaryOf(page), QStringList{u"Open the document"_s});
    }
    page.setDetail(failedAt(file));
    QTRY_VERIFY(code());
    page.setTasks(0, {taskOn(u"lab1"_s, logs.path())});
    page.setDetail(failedAt(file));
    QTRY_VERIFY(!code());
}

TRAINYARD_GUI_TEST(TstJobChangeOffers)
#include "tst_jobchangeoffers.moc"
