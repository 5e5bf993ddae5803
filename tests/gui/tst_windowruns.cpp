// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/labelsdialog.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace trainyard;

// Starting jobs from the window, with a real engine of its own: from a document, from a changed text, and again.
class TstWindowRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void textOfARunAsksBeforeItCloses();
    void runsAgainInTheFolderOfTheSubmission();
    void refusedWorkFolderIsMarked();
    void refusedWorkFolderIsOfOnePlace();
    void refusedFiguresAreForgotten();
    void runsAJob();
    void pressedTwiceDoesItOnce();
    void keyOfRunWaitsForTheCheck();
    void jobInFrontHasTheActionsOfTheList();
    void noteOfCoresEndsWithTheJob();
    void runsAChangedText();

private:
    WindowFixture m_fixture;
};

void TstWindowRuns::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstWindowRuns::cleanupTestCase() { WindowFixture::stopEngine(); }

// A text made from a run has the dot of what is in no file: its tab asks before it closes, changed or not, also when it
// came back.
void TstWindowRuns::textOfARunAsksBeforeItCloses()
{
    saveSession({});
    auto window = WindowFixture::makeWindow(true, true);
    window->show();
    const DesignerPage *file = window->openFile(m_fixture.write(QStringLiteral("asks/asks.pai.yaml"), sampleJob));
    QVERIFY(file);
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 10'000);
    const qsizetype tabs = window->tabs()->pages().size();
    const auto shownBox = [&window]() -> QMessageBox * {
        const auto boxes = window->findChildren<QMessageBox *>();
        const auto shown
            = std::find_if(boxes.cbegin(), boxes.cend(), [](const QMessageBox *box) { return box->isVisible(); });
        return shown == boxes.cend() ? nullptr : *shown;
    };
    QVERIFY(!window->currentDesigner()->isModified());
    window->action("close")->trigger();
    QVERIFY(shownBox());
    QVERIFY2(shownBox()->text().contains(QStringLiteral("has not been saved to a file yet")),
        qPrintable(shownBox()->text()));
    shownBox()->button(QMessageBox::Cancel)->click();
    QCOMPARE(window->tabs()->pages().size(), tabs);
    const Result<YamlPath> command = YamlPath::fromPointer(QStringLiteral("/taskRoles/w/commands/0"));
    QVERIFY(command);
    window->currentDesigner()->applyEdits({edit::SetValue{*command, "echo mine"}});
    QTRY_VERIFY(window->currentDesigner()->bytes().contains("echo mine"));
    // By the button of its tab as by the key.
    const QTabBar *bar = window->tabs()->tabBar();
    auto *cross = qobject_cast<QAbstractButton *>(bar->tabButton(bar->currentIndex(), QTabBar::RightSide));
    QVERIFY(cross);
    cross->click();
    QVERIFY(shownBox());
    QVERIFY2(shownBox()->text().contains(QStringLiteral("not saved")), qPrintable(shownBox()->text()));
    shownBox()->button(QMessageBox::Discard)->click();
    QTRY_COMPARE(window->tabs()->pages().size(), tabs - 1);
    window->action("reopenClosed")->trigger();
    QCOMPARE(window->tabs()->pages().size(), tabs);
    QVERIFY(window->currentDesigner() && window->currentDesigner()->bytes().contains("echo mine"));
    // It has no secret, so that the window takes it along and brings it back as what it was.
    if (!window->close()) { // jobs of other tests go on
        QVERIFY(shownBox() && shownBox()->button(QMessageBox::Close));
        shownBox()->button(QMessageBox::Close)->click();
    }
    QTRY_VERIFY(!window->isVisible());
    window.reset(); // it has its session to itself
    const auto again = WindowFixture::makeWindow(true, false);
    again->show();
    QVERIFY(again->currentDesigner() && again->currentDesigner()->bytes().contains("echo mine"));
    const QTabBar *tabsAgain = again->tabs()->tabBar();
    QVERIFY(
        tabsAgain->tabToolTip(tabsAgain->currentIndex()).contains(QStringLiteral("has not been saved to a file yet")));
    again->action("close")->trigger();
    auto *box = again->findChild<QMessageBox *>();
    QVERIFY(box && box->isVisible());
    box->button(QMessageBox::Discard)->click();
    QTRY_VERIFY(!again->currentDesigner() || !again->currentDesigner()->bytes().contains("echo mine"));
    WindowFixture::closeWithoutSaving(again.get());
    saveSession({});
}

// Where a job worked is said beside its text, as `run --work` does: a run of it works there again, and so does a text
// that is made from it.
void TstWindowRuns::runsAgainInTheFolderOfTheSubmission()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const QString marks = m_fixture.write(QStringLiteral("chosen/marks"), "");
    QVERIFY(!marks.isEmpty());
    SubmitRequest request;
    request.yaml = sampleJob;
    request.yaml.replace("for i in 1 2 3; do echo hello $i; done", "echo x >> marks");
    request.work = QFileInfo(marks).path();
    QString uuid;
    window->client()->call<api::Submit>(request, this,
        [&](const Result<SubmitReply> &reply) { uuid = reply ? reply->uuid : QStringLiteral("refused"); });
    QTRY_VERIFY_WITH_TIMEOUT(!uuid.isEmpty(), 10'000);
    Q_EMIT window->jobsPane()->openRequested(uuid, false);
    RunPage *first = window->currentRun();
    QVERIFY(first);
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QFile file(marks);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "x\nx\n");
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 10'000);
    const QByteArray text = window->currentDesigner()->bytes();
    QVERIFY2(text.contains(QByteArray("work: " + request.work.toUtf8())), text.constData());
    window->close();
}

// The palette and the menus have them for the page that is in front, as the list has for a row.
void TstWindowRuns::jobInFrontHasTheActionsOfTheList()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    const QList<const char *> all{"jobTags", "jobNote", "jobStar", "jobArchive", "jobDelete"};
    for (const char *id : all) {
        QVERIFY2(window->action(id) && !window->action(id)->isEnabled(), id);
        QVERIFY2(window->action(id)->toolTip().contains(u"not the page of a run"), id);
    }
    QByteArray yaml = sampleJob;
    const QString go = m_fixture.path(QStringLiteral("labelled-go"));
    const QByteArray wait = "until [ -e " + QFile::encodeName(go) + " ]; do sleep 0.05; done";
    yaml.replace("for i in 1 2 3; do echo hello $i; done", wait);
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("labelled/labelled.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Running, 20'000);
    const QString uuid = window->currentRun()->summary().uuid;
    QTRY_VERIFY(window->action("jobTags")->isEnabled() && window->action("jobNote")->isEnabled());
    QVERIFY(!window->action("jobArchive")->isEnabled() && !window->action("jobDelete")->isEnabled());
    QVERIFY(window->action("jobDelete")->toolTip().contains(u"when it has ended"));
    window->action("jobStar")->trigger();
    QTRY_VERIFY(window->client()->job(uuid)->labels.isStarred);
    QTRY_VERIFY(window->action("jobStar")->text().startsWith(u"Remove"));
    QVERIFY(!m_fixture.write(QStringLiteral("labelled-go"), {}).isNull());
    QTRY_VERIFY_WITH_TIMEOUT(window->action("jobArchive")->isEnabled(), 20'000);
    window->action("jobArchive")->trigger();
    QTRY_VERIFY(window->client()->job(uuid)->labels.isArchived);
    QTRY_VERIFY(window->action("jobArchive")->text().startsWith(u"Bring"));
    window->action("jobArchive")->trigger();
    QTRY_VERIFY(!window->client()->job(uuid)->labels.isArchived);
    window->action("jobTags")->trigger();
    QTRY_VERIFY(window->findChild<LabelsDialog *>());
    window->findChild<LabelsDialog *>()->reject();
    window->action("jobDelete")->trigger();
    QTRY_VERIFY(window->jobsPane()->undoBar()->isVisible());
    // Nothing is begun with what will be gone in half a minute.
    for (const char *id : {"jobTags", "jobNote", "jobStar", "jobArchive", "jobDelete", "retryAll", "retryFailed"}) {
        QVERIFY2(!window->action(id)->isEnabled(), id);
        QVERIFY2(window->action(id)->toolTip().contains(u"is deleted"), id);
    }
    window->close();
}

// The bar about a work folder stays until the field names another one, and the field is marked as long.
void TstWindowRuns::refusedWorkFolderIsMarked()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    DesignerPage *page = window->openFile(m_fixture.write(
        QStringLiteral("placed/placed.pai.yaml"), sampleJob + "extras:\n  trainyard:\n    work: /nowhere/at/all\n"));
    QVERIFY(page);
    QTRY_VERIFY(window->action("run")->isEnabled());
    const int before = page->warningCount();
    window->action("run")->trigger();
    const auto says = [&] {
        const auto bars = window->centralWidget()->findChildren<InfoBar *>();
        return std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *bar) {
            return bar->isVisible() && bar->text().contains(u"/nowhere/at/all does not exist");
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says(), 10'000);
    QTRY_COMPARE(page->warningCount(), before + 1);
    QVERIFY(page->isWorkRefused());
    const Result<YamlPath> name = YamlPath::fromPointer(QStringLiteral("/name"));
    const Result<YamlPath> work = YamlPath::fromPointer(QStringLiteral("/extras/trainyard/work"));
    QVERIFY(name && work);
    page->applyEdits({edit::SetValue{*name, "placed"}}); // something else
    QTRY_VERIFY(page->bytes().contains("name: placed"));
    QVERIFY(says());
    page->applyEdits({edit::SetValue{*work, "."}});
    QTRY_VERIFY(!page->isWorkRefused());
    QTRY_VERIFY(!says());
    WindowFixture::closeWithoutSaving(window.get());
}

// Another host may have the folder.
void TstWindowRuns::refusedWorkFolderIsOfOnePlace()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    DesignerPage *page = window->openFile(m_fixture.write(
        QStringLiteral("there/there.pai.yaml"), sampleJob + "extras:\n  trainyard:\n    work: /nowhere/at/all\n"));
    QVERIFY(page);
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(page->isWorkRefused(), 10'000);
    auto *target = window->findChild<TargetBox *>();
    Q_EMIT target->chosen(target->target()); // the same again
    QVERIFY(page->isWorkRefused());
    Q_EMIT target->chosen(QStringLiteral("any"));
    QVERIFY(!page->isWorkRefused());
    WindowFixture::closeWithoutSaving(window.get());
}

// What a bar says of figures goes when the user writes others, not only by its own button.
void TstWindowRuns::refusedFiguresAreForgotten()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    QByteArray greedy = sampleJob;
    DesignerPage *page = window->openFile(m_fixture.write(
        QStringLiteral("greedy/greedy.pai.yaml"), greedy.replace("memoryMB: 16", "memoryMB: 999999999")));
    QVERIFY(page);
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    const auto says = [&] {
        const auto bars = window->centralWidget()->findChildren<InfoBar *>();
        return std::any_of(bars.cbegin(), bars.cend(),
            [](const InfoBar *bar) { return bar->isVisible() && bar->text().contains(u"asks for 999999999 MiB"); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says(), 10'000);
    const Result<YamlPath> name = YamlPath::fromPointer(QStringLiteral("/name"));
    const Result<YamlPath> memory = YamlPath::fromPointer(QStringLiteral("/taskRoles/w/resourcePerInstance/memoryMB"));
    QVERIFY(name && memory);
    page->applyEdits({edit::SetValue{*name, "modest"}}); // something else
    QTRY_VERIFY(page->bytes().contains("name: modest"));
    QVERIFY(says());
    page->applyEdits({edit::SetValue{*memory, "16"}});
    QTRY_VERIFY(!says());
    WindowFixture::closeWithoutSaving(window.get());
}

// The second press comes while the engine has not answered the first one.
void TstWindowRuns::pressedTwiceDoesItOnce()
{
    const QString path = m_fixture.write(QStringLiteral("twice/twice.pai.yaml"), sampleJob);
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(path));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const auto twice = [&window](const char *action) {
        window->action(action)->trigger();
        window->action(action)->trigger();
    };
    // What was asked for before this has been answered when this is.
    const auto runs = [&]() -> qsizetype {
        qsizetype count = -1;
        window->client()->call<api::ListJobs>({}, this, [&](const Result<QList<JobSummary>> &jobs) {
            const QList<JobSummary> all = jobs.value_or(QList<JobSummary>());
            count
                = std::count_if(all.cbegin(), all.cend(), [&path](const JobSummary &job) { return job.file == path; });
        });
        [&count] { QTRY_VERIFY_WITH_TIMEOUT(count >= 0, 10'000); }();
        return count;
    };
    twice("run");
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *first = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().state, State::Succeeded, 20'000);
    QCOMPARE(runs(), 1);
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    twice("runAgain");
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QCOMPARE(runs(), 2);
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    const qsizetype pages = window->tabs()->pages().size();
    twice("editAsNew");
    QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 10'000);
    QCOMPARE(runs(), 2);
    QCOMPARE(window->tabs()->pages().size(), pages + 1);
    // When it is done, it can be done again.
    Q_EMIT window->jobsPane()->openRequested(first->uuid(), false);
    QTRY_VERIFY(window->action("retryAll")->isEnabled());
    window->action("retryAll")->trigger();
    window->action("retryAll")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().retries, 1, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().state, State::Succeeded, 20'000);
    QCOMPARE(runs(), 2);
    const QList<InfoBar *> bars = window->centralWidget()->findChildren<InfoBar *>();
    for (const InfoBar *bar : bars) {
        QVERIFY2(!bar->isVisible() || !bar->text().contains(u"still active"), qPrintable(bar->text()));
    }
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QCOMPARE(runs(), 3);
    window->close();
}

void TstWindowRuns::runsAJob()
{
    const QString path = m_fixture.write(QStringLiteral("run.pai.yaml"), sampleJob);
    QString uuid;
    {
        const auto window = WindowFixture::makeWindow(true, true);
        window->show();
        QVERIFY(window->openFile(path));
        QTRY_VERIFY(window->action("run")->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
        RunPage *page = window->currentRun();
        QTRY_COMPARE_WITH_TIMEOUT(page->summary().state, State::Succeeded, 20'000);
        uuid = page->uuid();
        QTRY_COMPARE(page->tasksPane()->model()->taskCount(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(page->tasksPane()->currentTask()->state, State::Succeeded, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(page->logPane()->view()->lineCount(), 3, 10'000);
        QCOMPARE(page->logPane()->view()->text(0, 3), QStringLiteral("hello 1\nhello 2\nhello 3"));
        QVERIFY(page->maskedYaml().contains("from_the_window"));
        // A link to a job that is gone says so.
        Q_EMIT page->jobRequested(9999);
        QTRY_VERIFY(window->bar()->isVisible());
        QVERIFY2(window->bar()->text().contains(QStringLiteral("9999")), qPrintable(window->bar()->text()));
        window->close();
    }
    {
        const auto window = WindowFixture::makeWindow(true, true);
        window->show();
        QTRY_VERIFY_WITH_TIMEOUT(window->jobsPane()->model()->indexOf(uuid).isValid(), 10'000);
        RunPage *page = window->currentRun(); // the tab came back
        QVERIFY(page);
        QTRY_COMPARE(page->summary().state, State::Succeeded);
        QTRY_COMPARE_WITH_TIMEOUT(page->logPane()->view()->lineCount(), 3, 10'000);
        window->close();
    }
}

// A text is there before it is checked, and Run is off until then: its key is not lost. Where the text cannot run, it
// is said why.
void TstWindowRuns::keyOfRunWaitsForTheCheck()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const auto padding = [](int kib) { return QByteArray("#\n").repeated(kib * 512); };
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("early.pai.yaml"), sampleJob + padding(64))));
    QVERIFY(!window->action("run")->isEnabled()); // so large a text is checked on another thread
    QTest::keyClick(window.get(), Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QByteArray broken = sampleJob;
    broken.replace("instances: 1", "instances: none");
    for (const int kib : {0, 64}) {
        const QString name = QStringLiteral("broken%1.pai.yaml").arg(kib);
        QVERIFY(window->openFile(m_fixture.write(name, broken + padding(kib))));
        QCOMPARE(window->currentDesigner()->isBeingChecked(), kib > 0);
        QTest::keyClick(window.get(), Qt::Key_F5);
        QVERIFY(window->bar()->isVisible());
        QVERIFY2(window->bar()->text().startsWith(name + QStringLiteral(" cannot run: ")),
            qPrintable(window->bar()->text()));
        QVERIFY(window->currentDesigner());
    }
    window->close();
}

void TstWindowRuns::noteOfCoresEndsWithTheJob()
{
    QByteArray job = sampleJob;
    job.replace("cpu: 1,", "cpu: 4000,")
        .replace("do echo hello $i", "do echo hello $i; until [ -e go ]; do sleep 0.1; done");
    const QString path = m_fixture.write(QStringLiteral("cores.pai.yaml"), job);
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(path));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    const InfoBar *bar = window->bar();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("4000 CPU cores")), qPrintable(bar->text()));
    m_fixture.write(QStringLiteral("go"), {});
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY(bar->isHidden());
}

// From the look at a change the changed text runs as a new job, and no document is opened for it.
void TstWindowRuns::runsAChangedText()
{
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const DesignerPage *designer = window->newDocument(sampleJob + "parameters: {lr: 0.5}\n", {});
    QTRY_VERIFY(designer->canRun());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *first = window->currentRun();
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(first->summary().state), 20'000);
    const qsizetype pages = window->tabs()->pages().size();
    const YamlPath path{QStringLiteral("parameters"), QStringLiteral("lr")};
    Q_EMIT first->changeRequested(
        {QStringLiteral("rate.tenth"), path, 0.5, 0.05, QStringLiteral("lr"), edit::SetValue{path, "0.05"}});
    const auto dialog = [&] { return window->findChild<QDialog *>(QStringLiteral("changeDialog")); };
    QTRY_VERIFY_WITH_TIMEOUT(dialog() && dialog()->isVisible(), 10'000);
    auto *run = dialog()->findChild<QPushButton *>(QStringLiteral("changeRun"));
    QVERIFY(run && run->isDefault());
    run->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    const RunPage *second = window->currentRun();
    QTRY_COMPARE(second->summary().parameters.value(QStringLiteral("lr")).toDouble(), 0.05);
    QCOMPARE(second->summary().name, first->summary().name);
    QCOMPARE(window->tabs()->pages().size(), pages + 1);
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(second->summary().state), 20'000);

    // What is put away can be had back at once.
    const QString uuid = second->uuid();
    const auto isArchived = [&] {
        const std::optional<JobSummary> job = window->client()->job(uuid);
        return job && job->labels.isArchived;
    };
    QVERIFY(!isArchived());
    Q_EMIT window->jobsPane()->archiveRequested({uuid}, true);
    const auto undo = [&] { return window->findChild<QPushButton *>(QStringLiteral("undoArchive")); };
    QTRY_VERIFY_WITH_TIMEOUT(undo() && undo()->isVisible(), 10'000);
    QTRY_VERIFY(isArchived());
    undo()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!isArchived(), 10'000);
}

TRAINYARD_GUI_TEST(TstWindowRuns)
#include "tst_windowruns.moc"
