// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/runinmenu.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/secretmemory.h"
#include "tests/gui/previewtools.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/diff/diffpage.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/factlist.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace trainyard;

// The page among the others of a window, with an engine and without one.
class TstPreviewWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void runsInWhatIsChosen();
    void saysWhatIsWrong();
    void mendsTheFirstProblem();
    void catalogueItemsAreInThePlanAndTheRun();
    void withoutEngine();
    void reachableFromAnywhere();
    void secondClickStartsNothing();
    void needsNoSecrets();
    void isWhatRunSends();

private:
    WindowFixture m_fixture;
};

void TstPreviewWindow::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstPreviewWindow::cleanupTestCase() { WindowFixture::stopEngine(); }

// The choice of the menu is what the preview shows and what Run sends; it is the document's, and Run again keeps it.
void TstPreviewWindow::runsInWhatIsChosen()
{
    // A host that has podman, which says nothing and starts nothing.
    const QString fake
        = m_fixture.write(QStringLiteral("bin/podman"), "#!/bin/sh\necho 'Error: no podman' >&2\nexit 125\n");
    QVERIFY(QFile::setPermissions(fake, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QFileInfo(fake).path().toLocal8Bit() + ":/usr/bin:/bin");
    const auto window = m_fixture.makeWindow(true);
    window->resize(1200, 800); // with room for the words of all buttons
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    qputenv("PATH", path);
    QTRY_VERIFY_WITH_TIMEOUT(
        !window->client()->hosts().isEmpty() && window->client()->hosts().first().state == HostState::Online, 15'000);
    const QStringList there = window->client()->hosts().first().runtimes;
    QVERIFY2(there.contains(QStringLiteral("podman")), qPrintable(there.join(QLatin1Char(' '))));
    DesignerPage *designer = window->newDocument(sampleJob, {});
    QTRY_VERIFY(designer->canRun());
    auto *menu = window->findChild<RunInMenu *>();
    QVERIFY(menu);
    const auto entry = [menu](const QString &word) {
        Q_EMIT menu->aboutToShow();
        const QList<QAction *> actions = menu->actions();
        for (QAction *action : actions) {
            if (!action->isSeparator() && action->data().toString() == word) {
                return action;
            }
        }
        return static_cast<QAction *>(nullptr);
    };
    QVERIFY(entry({})->isChecked());
    QCOMPARE(entry({})->text(), QStringLiteral("Default: host shell"));
    QVERIFY(entry(QStringLiteral("podman"))->isEnabled());
    if (!there.contains(QStringLiteral("apptainer"))) {
        QVERIFY(!entry(QStringLiteral("apptainer"))->isEnabled());
        QVERIFY(entry(QStringLiteral("apptainer"))->toolTip().contains(QStringLiteral("not found")));
    }
    entry(QStringLiteral("podman"))->trigger();
    QCOMPARE(window->action("run")->text(), QStringLiteral("&Run in podman"));
    QVERIFY(entry(QStringLiteral("podman"))->isChecked());

    window->action("preview")->trigger();
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    const auto *runButton = page->findChild<QPushButton *>(QStringLiteral("previewRun"));
    QTRY_COMPARE(runButton->text(), QStringLiteral("Run in podman")); // the same as the window's own
    QTRY_VERIFY_WITH_TIMEOUT(!page->isWaiting(), 15'000);
    const auto value = [page](const QString &what) {
        const auto found = page->containerTree()->findItems(what, Qt::MatchExactly);
        return found.isEmpty() ? QString() : found.first()->text(1);
    };
    QCOMPARE(value(QStringLiteral("Runs in")), QStringLiteral("podman"));
    QVERIFY2(
        value(QStringLiteral("Command")).startsWith(QStringLiteral("podman run ")), qPrintable(page->textOfTask()));
    // Chosen on the preview, it is planned anew.
    entry(QStringLiteral("host"))->trigger();
    QCOMPARE(runButton->text(), QStringLiteral("Run in host shell"));
    QTRY_COMPARE_WITH_TIMEOUT(value(QStringLiteral("Runs in")), QStringLiteral("the host's shell"), 15'000);
    entry(QStringLiteral("podman"))->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(value(QStringLiteral("Runs in")), QStringLiteral("podman"), 15'000);

    // Another document has its own, which its text gives.
    QByteArray says = sampleJob;
    says += "extras: {trainyard: {runIn: podman}}\n";
    DesignerPage *other = window->newDocument(says, {});
    QTRY_VERIFY(other->canRun());
    QCOMPARE(window->action("run")->text(), QStringLiteral("&Run"));
    QCOMPARE(entry({})->text(), QStringLiteral("As the job says: podman"));

    window->tabs()->setCurrentPage(designer);
    const auto runInOf = [&](const RunPage *run) {
        std::optional<QString> word;
        window->client()->call<api::GetJob>({run->uuid()}, this,
            [&](const Result<JobDetail> &detail) { word = detail ? detail->runIn : QStringLiteral("?"); });
        return QTest::qWaitFor([&] { return word.has_value(); }, 10'000) ? *word : QString();
    };
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QCOMPARE(runInOf(run), QStringLiteral("podman"));
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(run->summary().state), 20'000);
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != run, 10'000);
    QCOMPARE(runInOf(window->currentRun()), QStringLiteral("podman"));
    bool stopped = false;
    window->client()->call<api::StopEngine>({true}, this, [&](const Result<bool> &) { stopped = true; });
    QTRY_VERIFY_WITH_TIMEOUT(stopped, 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(window->client()->status() != EngineClient::Status::Ready, 15'000);
}

void TstPreviewWindow::saysWhatIsWrong()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    QByteArray broken = sampleJob;
    broken.replace("dockerImage: img", "dockerImage: nothing");
    window->newDocument(broken, {});
    window->action("preview")->trigger();
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    auto *state = page->findChild<EmptyState *>();
    QVERIFY(state->isVisible());
    QVERIFY(!page->findChild<QPushButton *>(QStringLiteral("previewRun"))->isEnabled());
    QVERIFY(!page->isWaiting());
    state->action()->click(); // back to the job
    QVERIFY(window->currentDesigner());
}

void TstPreviewWindow::mendsTheFirstProblem()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    QByteArray broken = sampleJob;
    broken.replace("dockerImage: img", "dockerImage: image").replace("instances: 1", "instances: 0");
    window->newDocument(broken, {});
    DesignerPage *designer = window->currentDesigner();
    window->action("preview")->trigger();
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    auto *fix = page->findChild<QPushButton *>(QStringLiteral("previewFix"));
    for (int i = 0; i < 2 && fix->isVisible(); ++i) {
        fix->click();
        QTRY_COMPARE(window->tabs()->currentPage(), page);
    }
    QTRY_VERIFY2(designer->canRun(), designer->bytes().constData());
    QVERIFY(!fix->isVisible());
    QVERIFY(page->isWaiting()); // for an engine, nothing is wrong any more
    QVERIFY(designer->undoAction()->isEnabled());
}

void TstPreviewWindow::catalogueItemsAreInThePlanAndTheRun()
{
    m_fixture.write(QStringLiteral("shared/data/numbers.yaml"), "name: numbers\ntype: data\ncallbacks: []\n");
    m_fixture.write(QStringLiteral("shared/tools/greet.yaml"),
        "name: greet\ntype: script\nplugin: com.microsoft.pai.runtimeplugin.cmd\n"
        "callbacks:\n  - event: taskStarts\n    commands: [echo from the catalogue]\n");
    QByteArray text = sampleJob;
    text.replace("    instances: 1\n", "    instances: 1\n    prerequisites: ['marketplace://tools/greet']\n");
    const QString settings = qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/trainyard/engine.json");
    const auto window = m_fixture.makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        !window->client()->hosts().isEmpty() && window->client()->hosts().first().state == HostState::Online, 15'000);
    // Without a folder the name leads nowhere, and the designer says so.
    DesignerPage *designer = window->newDocument(text, {});
    QTRY_VERIFY(designer->errorCount() + designer->warningCount() > 0);
    const bool couldRun = designer->canRun();
    QVERIFY(!couldRun);
    window->action("close")->trigger();
    QFile file(settings);
    QVERIFY(QDir().mkpath(QFileInfo(settings).path()));
    const QByteArray before = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    file.close();
    QJsonObject values = QJsonDocument::fromJson(before).object();
    values.insert(QStringLiteral("catalogue.folder"), m_fixture.path(QStringLiteral("shared")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(values).toJson());
    file.close();
    designer = window->newDocument(text, {});
    QTRY_VERIFY(designer->canRun());
    window->action("preview")->trigger();
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    QTRY_VERIFY_WITH_TIMEOUT(!page->isWaiting(), 15'000);
    QVERIFY2(page->shownScript().contains(QStringLiteral("from the catalogue")), qPrintable(page->shownScript()));
    QCOMPARE(designer->bytes(), text); // the document stays as it was written
    page->findChild<QPushButton *>(QStringLiteral("previewRun"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY(run->maskedYaml().contains("from the catalogue")); // and the record shows what ran
    QVERIFY(!m_fixture.write(settings, before).isEmpty());
    if (!before.isEmpty()) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(before);
    }
}

void TstPreviewWindow::withoutEngine()
{
    WindowFixture::stopEngine(); // of the other tests
    const auto window = m_fixture.makeWindow(false);
    window->show();
    QTRY_VERIFY(window->client()->status() != EngineClient::Status::Connecting);
    window->newDocument(sampleJob, {});
    window->action("preview")->trigger();
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    auto *state = page->findChild<EmptyState *>();
    QVERIFY(state->isVisible() && state->action()->isVisible());
    QVERIFY(page->isWaiting());
    QSignalSpy wanted(page, &PreviewPage::engineRequested);
    state->action()->click();
    QCOMPARE(wanted.count(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!page->isWaiting(), 15'000); // the plan comes by itself
    QVERIFY(!state->isVisible());
    QCOMPARE(page->taskTree()->topLevelItemCount(), 1);
}

void TstPreviewWindow::reachableFromAnywhere()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    QApplication::setActiveWindow(window.get());
    QTRY_VERIFY(window->isActiveWindow());
    DesignerPage *designer = window->newDocument(sampleJob, {});
    QTRY_VERIFY(designer->canRun());
    const auto press = [&] {
        QWidget *focus = QApplication::focusWidget() ? QApplication::focusWidget() : window.get();
        QTest::keyClick(focus, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
        window->tabs()->setCurrentPage(designer);
        return page != nullptr;
    };
    designer->setFocus(); // the editor
    QVERIFY(press());
    window->jobsPane(); // the list at the side
    window->setFocus();
    QVERIFY(press());
    window->showWelcome(); // a page without a job has nothing to preview, as it has nothing to run
    QTRY_VERIFY(!window->action("preview")->isEnabled());
    QVERIFY(!window->action("run")->isEnabled());
    // It goes with its document.
    const qsizetype pages = window->tabs()->pages().size();
    window->tabs()->setCurrentPage(designer);
    window->action("close")->trigger();
    QTRY_COMPARE(window->tabs()->pages().size(), pages - 2);
}

// What stands under the pointer after a click on "Preview" is the way back, and a double click does not go it.
void TstPreviewWindow::secondClickStartsNothing()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    DesignerPage *designer = window->newDocument(sampleJob, {});
    QTRY_VERIFY(designer->canRun());
    const auto *button = designer->findChild<QAbstractButton *>(QStringLiteral("previewButton"));
    QVERIFY(button);
    const QPoint at = button->mapTo(window.get(), button->rect().center());
    const auto press = [&](QEvent::Type type) {
        QWidget *under = window->childAt(at);
        const QPoint local = under->mapFrom(window.get(), at);
        for (const QEvent::Type each : {type, QEvent::MouseButtonRelease}) {
            QMouseEvent event(each, local, under->mapToGlobal(local), Qt::LeftButton,
                each == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(under, &event);
        }
    };
    press(QEvent::MouseButtonPress);
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    const auto *run = page->findChild<QAbstractButton *>(QStringLiteral("previewRun"));
    const auto *back = page->findChild<QAbstractButton *>(QStringLiteral("previewBack"));
    const auto rectOf
        = [&](const QWidget *widget) { return QRect(widget->mapTo(window.get(), QPoint()), widget->size()); };
    QApplication::processEvents(); // laid out
    QVERIFY(!rectOf(run).intersects(rectOf(button)));
    QVERIFY(rectOf(back).contains(at));
    press(QEvent::MouseButtonDblClick);
    QCOMPARE(window->tabs()->currentPage(), page);
    press(QEvent::MouseButtonPress);
    QCOMPARE(window->tabs()->currentPage(), designer);
}

// Run asks for what is masked; to see what it would do nobody has to be asked.
void TstPreviewWindow::needsNoSecrets()
{
    const auto window = m_fixture.makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        !window->client()->hosts().isEmpty() && window->client()->hosts().first().state == HostState::Online, 15'000);
    QByteArray text = planJob;
    text.replace("hush-hush-hush", "'******'");
    DesignerPage *designer = window->newDocument(text, {});
    QTRY_VERIFY(designer->canRun());
    window->action("preview")->trigger();
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    QTRY_VERIFY_WITH_TIMEOUT(!page->isWaiting(), 15'000);
    QVERIFY(page->shownScript().contains(QStringLiteral("$secrets.token"))); // by its name
    QVERIFY2(page->startList()->texts().contains(QStringLiteral("The secret token is asked for at Run.")),
        qPrintable(page->startList()->texts().join(QLatin1Char('\n'))));
    QVERIFY(page->findChild<QPushButton *>(QStringLiteral("previewRun"))->isEnabled());
    // What the window remembers is not asked for, whenever it comes to know it.
    auto *memory = window->findChild<SecretMemory *>();
    QVERIFY(memory);
    memory->remember(QStringLiteral("planned"), {{QStringLiteral("token"), QStringLiteral("hush-hush-hush")}});
    QVERIFY2(page->startList()->texts().filter(QStringLiteral("token")).isEmpty(),
        qPrintable(page->startList()->texts().join(QLatin1Char('\n'))));
    memory->forgetAll();
    QVERIFY(page->startList()->texts().contains(QStringLiteral("The secret token is asked for at Run.")));
}

void TstPreviewWindow::isWhatRunSends()
{
    const auto window = m_fixture.makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        !window->client()->hosts().isEmpty() && window->client()->hosts().first().state == HostState::Online, 15'000);
    const QString path = m_fixture.write(QStringLiteral("plan.yaml"), planJob);
    DesignerPage *designer = window->openFile(path);
    QVERIFY(designer);
    QTRY_VERIFY(designer->canRun());
    window->action("preview")->trigger();
    auto *page = qobject_cast<PreviewPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    QTRY_VERIFY_WITH_TIMEOUT(!page->isWaiting(), 15'000);
    QCOMPARE(page->taskTree()->topLevelItem(0)->childCount(), 2);
    QCOMPARE(page->shownOrder().first(2), (QStringList{QStringLiteral("base"), QStringLiteral("tools")}));
    QVERIFY(!page->textOfTask().contains(QStringLiteral("hush")));
    const QString script = page->shownScript();
    QVERIFY2(script.contains(QStringLiteral("$secrets.token")), qPrintable(script)); // by its name
    // The engine's own lines are left out, whatever they are today.
    const auto *view = page->findChild<CodeView *>(QStringLiteral("previewScript"));
    QVERIFY2(!view->allBytes().contains("__ty_"), view->allBytes().constData());
    QVERIFY2(view->allBytes().contains("\necho base\n"), view->allBytes().constData());
    page->taskTree()->setCurrentItem(page->taskTree()->topLevelItem(0)->child(1));
    const auto valueOf = [page](const QString &name) {
        const auto found = page->environmentTree()->findItems(name, Qt::MatchExactly);
        return found.isEmpty() ? QString() : found.first()->text(1);
    };
    QCOMPARE(valueOf(QStringLiteral("PAI_TASK_INDEX")), QStringLiteral("1"));
    // What runs then is that script.
    page->findChild<QPushButton *>(QStringLiteral("previewRun"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Succeeded, 20'000);
    QList<TaskInfo> tasks;
    window->client()->call<api::ListTasks>({run->uuid(), -1, 0, 10}, this,
        [&](const Result<QList<TaskInfo>> &reply) { tasks = reply.value_or(QList<TaskInfo>()); });
    QTRY_COMPARE(tasks.size(), 2);
    QFile stored(tasks.first().logFolder + QStringLiteral("/task.sh"));
    QVERIFY(stored.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(stored.readAll()), script);
    // Compared with its last run, a changed document shows the change; secrets are nobody's.
    window->tabs()->setCurrentPage(designer);
    window->action("compareLastRun")->trigger();
    auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QCOMPARE(diff->chosen(), run->uuid());
    window->close();
}

TRAINYARD_GUI_TEST(TstPreviewWindow)
#include "tst_previewwindow.moc"
