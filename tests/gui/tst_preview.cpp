// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/runinmenu.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/diff/diffpage.h"
#include "widgets/editor/codeoverlay.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/factlist.h"
#include "widgets/tasks/placementview.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/scriptparts.h"
#include "widgets/tasks/scriptsheet.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QHeaderView>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace trainyard;

namespace
{
const QByteArray planJob = "protocolVersion: 2\n"
                           "name: planned\n"
                           "type: job\n"
                           "secrets:\n"
                           "  token: hush-hush-hush\n"
                           "prerequisites:\n"
                           "  - {name: img, type: dockerimage, uri: x}\n"
                           "  - name: base\n"
                           "    type: script\n"
                           "    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
                           "    callbacks: [{event: taskStarts, commands: [echo base]}]\n"
                           "  - name: tools\n"
                           "    type: script\n"
                           "    require: [base]\n"
                           "    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
                           "    callbacks: [{event: taskStarts, commands: [echo tools]}]\n"
                           "taskRoles:\n"
                           "  w:\n"
                           "    instances: 2\n"
                           "    dockerImage: img\n"
                           "    prerequisites: [tools]\n"
                           "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0, ports: {web: 2}}\n"
                           "    commands:\n"
                           "      - echo <% $secrets.token %> $PAI_TASK_INDEX\n";

PlanReply samplePlan()
{
    PlanReply plan;
    for (int i = 0; i < 2; ++i) {
        PlannedTask task;
        task.role = QStringLiteral("w");
        task.index = i;
        task.host = QStringLiteral("local");
        task.gpus = {i};
        task.ports = {{QStringLiteral("web"), {15000 + i, 15010 + i}}};
        task.environment
            = {{QStringLiteral("SAME"), QStringLiteral("1")}, {QStringLiteral("INDEX"), QString::number(i)}};
        task.script = QStringLiteral("#!/bin/bash\n__ty_step before tools fail x\necho %1\n").arg(i);
        task.prerequisites = {QStringLiteral("base"), QStringLiteral("tools")};
        plan.tasks.append(task);
    }
    return plan;
}
} // namespace

class TstPreview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void signsStandBesideTheirWords();
    void showsEachTask();
    void namesAreReadWhole();
    void marksWhatDiffers();
    void showsTheContainer();
    void runsInWhatIsChosen();
    void saysWhyItWaits();
    void saysWhatIsWrong();
    void mendsTheFirstProblem();
    void withoutEngine();
    void reachableFromAnywhere();
    void scriptIsShownInParts();
    void partsHaveBars();
    void caretGoesPastBars();
    void secretsAreToldApart();
    void dotsThatStayPaintNothing();
    void saysWhatHasNothingToRun();
    void marksWhatIsFilledIn();
    void showsThePlaces();
    void tellsHowItBeginsAndEnds();
    void secondClickStartsNothing();
    void panesFitANarrowWindow();
    void needsNoSecrets();
    void isWhatRunSends();
    void catalogueItemsAreInThePlanAndTheRun();

private:
    WindowFixture m_fixture;
};

void TstPreview::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstPreview::cleanupTestCase() { WindowFixture::stopEngine(); }

void TstPreview::showsEachTask()
{
    PreviewPage page;
    page.resize(1200, 600);
    page.setJob(QStringLiteral("planned"));
    page.setPlanning("x");
    QVERIFY(page.isWaiting());
    page.setPlan(samplePlan(), {{QStringLiteral("local"), QStringLiteral("ws")}}, QTime(12, 4));
    page.show();
    QVERIFY(!page.isWaiting());
    QCOMPARE(page.taskTree()->topLevelItemCount(), 1); // one role
    QTreeWidgetItem *role = page.taskTree()->topLevelItem(0);
    QCOMPARE(role->childCount(), 2);
    QCOMPARE(role->child(0)->text(1), QStringLiteral("ws"));
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 0")));
    page.taskTree()->setCurrentItem(role->child(1));
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 1")));
    QVERIFY(role->child(1)->text(3).contains(QStringLiteral("15001, 15011")));
    QCOMPARE(page.shownOrder().first(2), (QStringList{QStringLiteral("base"), QStringLiteral("tools")}));
    QVERIFY(page.textOfTask().contains(QStringLiteral("export INDEX=1")));
    QVERIFY(page.textOfTask().contains(QStringLiteral("echo 1")));
    // A new plan keeps the task.
    page.setPlan(samplePlan(), {}, QTime(12, 5));
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 1")));
}

// Values give way to names as long as they have room themselves; one step has no order, and a row one focus.
void TstPreview::namesAreReadWhole()
{
    const QString name = QStringLiteral("PAI_JOB_TASK_ROLE_COUNT");
    PlanReply plan = samplePlan();
    for (PlannedTask &task : plan.tasks) {
        task.environment = {{name, QStringLiteral("1")}};
        task.prerequisites.clear();
    }
    PreviewPage page;
    page.resize(1500, 600);
    page.setJob(QStringLiteral("planned"));
    page.setPlan(plan, {}, QTime(12, 4));
    page.show();
    auto *tree = page.findChild<QTreeWidget *>(QStringLiteral("previewEnvironment"));
    const auto isWhole = [&] { return tree->fontMetrics().horizontalAdvance(name) + 12 <= tree->columnWidth(0); };
    QTRY_VERIFY2(isWhole(), qPrintable(QString::number(tree->columnWidth(0))));
    QVERIFY(tree->columnWidth(1) > 60);
    QVERIFY(tree->allColumnsShowFocus() && page.taskTree()->allColumnsShowFocus());
    // The last column ends at the edge also where the pane is narrow.
    for (QTreeWidget *each : {page.taskTree(), page.environmentTree()}) {
        each->setFixedWidth(240);
        QTRY_VERIFY2(each->header()->length() <= each->viewport()->width(), qPrintable(each->objectName()));
    }
    QStringList steps;
    const auto buttons = page.findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        if (button->text().endsWith(u"commands")) {
            steps.append(button->text());
        }
    }
    QCOMPARE(steps, QStringList{QStringLiteral("commands")});
}

void TstPreview::showsTheContainer()
{
    PreviewPage page;
    page.setJob(QStringLiteral("planned"));
    PlanReply plan = samplePlan();
    PlannedTask &second = plan.tasks[1];
    second.runIn = QStringLiteral("podman");
    second.image = QStringLiteral("lab/train:3");
    second.containerUser = QStringLiteral("0:0");
    second.shmMiB = 48;
    second.mounts = {QStringLiteral("/work"), QStringLiteral("/data:/in/data:ro")};
    second.containerCommand = QStringLiteral("podman run -d lab/train:3");
    page.setPlanning("x");
    page.setPlan(plan, {}, QTime(12, 4));
    const auto shown = [&page] {
        QStringList lines;
        for (int i = 0; i < page.containerTree()->topLevelItemCount(); ++i) {
            const QTreeWidgetItem *item = page.containerTree()->topLevelItem(i);
            lines.append(item->text(0) + QStringLiteral(": ") + item->text(1));
        }
        return lines;
    };
    QCOMPARE(shown(), (QStringList{QStringLiteral("Runs in: the host's shell")}));
    page.taskTree()->setCurrentItem(page.taskTree()->topLevelItem(0)->child(1));
    QCOMPARE(shown(),
        (QStringList{QStringLiteral("Runs in: podman"), QStringLiteral("Image: lab/train:3"),
            QStringLiteral("User: root; outside of it you"), QStringLiteral("Shared memory: 48 MiB"),
            QStringLiteral("Mount: /work"), QStringLiteral("Mount: /data:/in/data:ro"),
            QStringLiteral("Command: podman run -d lab/train:3")}));
    QVERIFY(page.textOfTask().contains(QStringLiteral("# Command: podman run -d lab/train:3\n")));
}

// The choice of the menu is what the preview shows and what Run sends; it is the document's, and Run again keeps it.
void TstPreview::runsInWhatIsChosen()
{
    // A host that has podman, which says nothing and starts nothing.
    const QString fake
        = m_fixture.write(QStringLiteral("bin/podman"), "#!/bin/sh\necho 'Error: no podman' >&2\nexit 125\n");
    QVERIFY(QFile::setPermissions(fake, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QFileInfo(fake).path().toLocal8Bit() + ":/usr/bin:/bin");
    const auto window = m_fixture.makeWindow(true);
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

void TstPreview::marksWhatDiffers()
{
    PreviewPage page;
    page.setPlan(samplePlan(), {}, QTime(12, 4));
    page.show();
    QCOMPARE(page.environmentTree()->topLevelItemCount(), 2);
    auto *differs = page.findChild<QCheckBox *>();
    QVERIFY(differs->isVisible());
    differs->setChecked(true);
    QCOMPARE(page.environmentTree()->topLevelItemCount(), 1);
    QCOMPARE(page.environmentTree()->topLevelItem(0)->text(0), QStringLiteral("INDEX"));
    differs->setChecked(false);
    page.findChild<SearchField *>()->setText(QStringLiteral("same"));
    QCOMPARE(page.environmentTree()->topLevelItemCount(), 1);
}

void TstPreview::saysWhyItWaits()
{
    PreviewPage page;
    PlanReply plan = samplePlan();
    plan.tasks[1].host.clear();
    plan.waitReason = QStringLiteral("wait.gpu");
    plan.waitArgs = {{QStringLiteral("wanted"), 2}, {QStringLiteral("free"), 1}};
    page.setPlan(plan, {}, QTime(12, 4));
    page.show();
    auto *bar = page.findChild<InfoBar *>();
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->kind(), InfoBar::Kind::Waiting);
    QVERIFY(page.findChild<QPushButton *>(QStringLiteral("previewRun"))->isEnabled()); // one may queue it
}

void TstPreview::saysWhatIsWrong()
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

void TstPreview::mendsTheFirstProblem()
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

void TstPreview::catalogueItemsAreInThePlanAndTheRun()
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

void TstPreview::withoutEngine()
{
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

void TstPreview::reachableFromAnywhere()
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
    window->showWelcome(); // a page without a document: of the one last looked at
    window->action("preview")->trigger();
    QVERIFY(qobject_cast<PreviewPage *>(window->tabs()->currentPage()));
    // It goes with its document.
    const qsizetype pages = window->tabs()->pages().size();
    window->tabs()->setCurrentPage(designer);
    window->action("close")->trigger();
    QTRY_COMPARE(window->tabs()->pages().size(), pages - 2);
}

// The steps and the commands, without the lines of ours that run them.
void TstPreview::scriptIsShownInParts()
{
    QCOMPARE(scriptParts("#!/bin/bash\nset -o errexit\necho hi\n").size(), 1);
    const QByteArray runner = "#!/bin/bash\n__ty_child='\nx\n'\n__ty_step() {\n    :\n}\nexec 99>&1\n";
    const QByteArray script = runner
        + "__ty_step before tools fail 'echo '\\''quoted'\\''\necho two\n'\n__ty_step before 'a b' ignore true\n"
          "exec 99>&-\nunset -f __ty_log __ty_carry __ty_step\nunset __ty_mark __ty_marks\nunset __ty_child __ty_run\n"
          "trap '{\n    [[ -z ${TRAINYARD_TASK_FOLDER-} ]]\n} 2>/dev/null || :' EXIT\n"
          "set -o errexit\npython3 train.py\n";
    const QList<ScriptPart> parts = scriptParts(script);
    QCOMPARE(parts.size(), 3);
    QVERIFY(parts.at(0) == (ScriptPart{ScriptPart::Kind::Before, "tools", false, "echo 'quoted'\necho two\n"}));
    QVERIFY(parts.at(1) == (ScriptPart{ScriptPart::Kind::Before, "a b", true, "true"}));
    QVERIFY(parts.at(2) == (ScriptPart{ScriptPart::Kind::Commands, {}, false, "set -o errexit\npython3 train.py\n"}));
    const QByteArray after = runner
        + "(\n    exec 97< <(printf '%s' 'exec 97<&-; python3 train.py\n')\n    exec 99>&-\n)\n"
          "__ty_step after tools fail 'rm -r data'\n";
    QCOMPARE(scriptParts(after).value(0).code, QByteArray("python3 train.py\n"));
    // The options that are the same for all are no lines of theirs: bash counts lines without those of a step.
    const QList<ScriptPart> headed = scriptParts(runner
        + "__ty_step before tools fail 'set -o errexit\necho one\n'\n"
          "__ty_step before more ignore 'set +o errexit\necho two\nset -o errexit\n'\n"
          "unset __ty_child __ty_run\nset -o errexit -o nounset -o pipefail\npython3 train.py\n");
    QCOMPARE(headed.size(), 3);
    QCOMPARE(headed.at(0).code, QByteArray("echo one\n"));
    QCOMPARE(headed.at(1).code, QByteArray("echo two\n"));
    QCOMPARE(headed.at(2).code, QByteArray("python3 train.py\n"));
    QVERIFY(headed.at(2).isHeaded && !parts.at(2).isHeaded);
    QVERIFY(scriptParts(after).value(1) == (ScriptPart{ScriptPart::Kind::After, "tools", false, "rm -r data"}));
    PreviewPage page;
    PlanReply plan = samplePlan();
    plan.tasks[0].script = QString::fromUtf8(script);
    page.setPlan(plan, {}, QTime(12, 0));
    const auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    QVERIFY(!view->allBytes().contains("__ty_"));
    QVERIFY(view->allBytes().contains("\necho two\n"));
    QCOMPARE(page.shownScript(), QString::fromUtf8(script)); // what is copied runs
    page.findChild<QCheckBox *>(QStringLiteral("previewWhole"))->setChecked(true);
    QCOMPARE(view->allBytes(), script);
}

// Each part has a bar with its place in the job, higher than a line, and no number of its own.
void TstPreview::partsHaveBars()
{
    PlanReply plan = samplePlan();
    plan.tasks.resize(1);
    plan.tasks[0].script
        = QStringLiteral("#!/bin/bash\n__ty_step before base fail 'set -o errexit\necho base\n'\n"
                         "__ty_step before tools fail 'set -o errexit\necho tools\n'\nunset __ty_child __ty_run\n"
                         "set -o errexit -o nounset -o pipefail\necho <% $secrets.token %> $PAI_TASK_INDEX\n");
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(planJob);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    QCOMPARE(view->ground(), Colour::Surface); // as the panes beside it
    const auto *overlay = view->findChild<CodeOverlay *>();
    QVERIFY(overlay);
    QCOMPARE(overlay->bars().size(), 3);
    const QList<CodeOverlay::Bar> &bars = overlay->bars();
    QCOMPARE(bars.at(0).title, QStringLiteral("1  base"));
    QCOMPARE(bars.at(0).detail, QStringLiteral("prerequisite, line 8"));
    QVERIFY(bars.at(0).atEnd.startsWith(QStringLiteral("1 line")));
    QCOMPARE(bars.at(2).detail, QStringLiteral("role w, line 23, under errexit, nounset and pipefail"));
    QTRY_COMPARE(overlay->geometry(), view->viewport()->rect());
    const long line = view->SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0UL);
    for (const CodeOverlay::Bar &bar : bars) {
        const QRect place = overlay->placeOf(bar);
        QVERIFY(place.height() > line && place.height() <= 2 * line);
        // Above its first line, below the last one of the part before.
        QVERIFY(place.bottom() < view->pointOf(view->lineStart(bar.line + 1)).y());
        QVERIFY(bar.line == 0 || place.top() >= view->pointOf(view->lineStart(bar.line - 1), true).y());
    }
    // The secret is covered, and its name is read on hover.
    QCOMPARE(overlay->dots().size(), 1);
    QCOMPARE(view->bytesIn(overlay->dots().constFirst()), QByteArray("<% $secrets.token %>"));
    const auto *sheet = page.findChild<ScriptSheet *>();
    QVERIFY(sheet->tipAt(view->pointOf(overlay->dots().constFirst().begin + 2) + QPoint(1, 2))
                .startsWith(QStringLiteral("The secret token:")));
    QVERIFY(sheet->tipAt(view->pointOf(view->lineStart(1)) + QPoint(1, 2)).isEmpty());
    QCOMPARE(overlay->dotNames(), QStringList{QStringLiteral("token")});
    // What the bars cover makes the text no wider.
    for (const CodeOverlay::Bar &bar : bars) {
        const QByteArray covered = view->bytesIn({view->lineStart(bar.line), view->lineEnd(bar.line)});
        QCOMPARE(QString::fromUtf8(covered), QStringLiteral("# ") + bar.title.simplified());
    }
    // With every line there are none, and the secret is covered all the same.
    page.findChild<QCheckBox *>(QStringLiteral("previewWhole"))->setChecked(true);
    QVERIFY(overlay->bars().isEmpty());
    QCOMPARE(overlay->dots().size(), 1);
    QCOMPARE(view->bytesIn(overlay->dots().constFirst()), QByteArray("<% $secrets.token %>"));
}

// It would not be seen there.
void TstPreview::caretGoesPastBars()
{
    PlanReply plan = samplePlan();
    plan.tasks.resize(1);
    plan.tasks[0].script
        = QStringLiteral("#!/bin/bash\n__ty_step before base fail 'set -o errexit\necho base\n'\n"
                         "__ty_step before tools fail 'set -o errexit\necho tools\n'\nunset __ty_child __ty_run\n"
                         "set -o errexit -o nounset -o pipefail\necho here\n");
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(planJob);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    const auto *overlay = view->findChild<CodeOverlay *>();
    QCOMPARE(overlay->bars().size(), 3);
    const qsizetype second = overlay->bars().at(1).line;
    const auto line = [view] { return view->lineOf(view->caret()); };
    QCOMPARE(line(), 1); // below the first one, from the beginning
    QCOMPARE(second, 2);
    QSignalSpy moved(view, &CodeView::caretMoved);
    const auto isToldAt = [&](qsizetype place) {
        return !moved.isEmpty() && view->lineOf(moved.constLast().at(0).value<qsizetype>()) == place;
    };
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QTRY_VERIFY(isToldAt(second + 1));
    QCOMPARE(line(), second + 1);
    QTest::keyClick(view, Qt::Key_Up);
    QTRY_COMPARE(line(), second - 1);
}

// By the names behind their dots.
void TstPreview::secretsAreToldApart()
{
    CodeView view(CodeView::Language::Bash);
    view.resize(500, 120);
    view.setAllBytes("echo <% $secrets.alpha %>\n");
    CodeOverlay overlay(&view);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QList<ByteRange> one{{5, 25}};
    const auto drawn = [&](const QStringList &names) {
        overlay.setDots(one, names);
        QImage image(overlay.size(), QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        overlay.render(&image, {}, {}, QWidget::RenderFlags());
        return image;
    };
    QCOMPARE(drawn({QStringLiteral("alpha")}), drawn({QStringLiteral("alpha")}));
    QVERIFY(drawn({QStringLiteral("alpha")}) != drawn({QStringLiteral("gamma")}));
    QVERIFY(drawn({QStringLiteral("alpha")}) != drawn({}));
}

// They are told anew with each move of a caret.
void TstPreview::dotsThatStayPaintNothing()
{
    struct Whole : QObject {
        int count = 0;
        bool eventFilter(QObject *watched, QEvent *event) override
        {
            const bool isPaint = event->type() == QEvent::Paint;
            count += isPaint
                && static_cast<QPaintEvent *>(event)->region().boundingRect()
                    == static_cast<QWidget *>(watched)->rect();
            return false;
        }
    } whole;
    CodeView view(CodeView::Language::Bash);
    view.resize(500, 120);
    view.setAllBytes("echo <% $secrets.alpha %>\n");
    CodeOverlay overlay(&view);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    overlay.installEventFilter(&whole);
    const QList<ByteRange> one{{5, 25}};
    overlay.setDots(one);
    QTRY_COMPARE_GT(whole.count, 0);
    QCoreApplication::processEvents();
    whole.count = 0;
    overlay.setDots(one);
    QCoreApplication::processEvents();
    QCOMPARE(whole.count, 0);
    overlay.setDots({});
    QTRY_COMPARE_GT(whole.count, 0);
}

// What has no commands is no step of the order.
void TstPreview::saysWhatHasNothingToRun()
{
    QByteArray yaml = planJob;
    yaml.replace("    callbacks: [{event: taskStarts, commands: [echo base]}]\n", "    commands: [echo base]\n");
    QVERIFY(yaml != planJob);
    PreviewPage page;
    page.setPlanning(yaml);
    page.setPlan(samplePlan(), {}, QTime(12, 0));
    QCOMPARE(page.shownOrder(), (QStringList{QStringLiteral("tools"), QStringLiteral("commands")}));
    const auto *idle = page.findChild<QLabel *>(QStringLiteral("previewIdle"));
    QVERIFY(idle);
    QCOMPARE(idle->text(), QStringLiteral("base: nothing to run"));
    const QStringList facts = page.startList()->texts();
    QVERIFY2(facts.contains(QStringLiteral("w: tools, then the commands.")), qPrintable(facts.join(u'|')));
    QVERIFY2(facts.contains(QStringLiteral("w: nothing to run for base.")), qPrintable(facts.join(u'|')));
}

// Values of parameters are marked where they stand now, secrets where their names still stand.
void TstPreview::marksWhatIsFilledIn()
{
    const QByteArray yaml = "protocolVersion: 2\nname: t\ntype: job\nsecrets: {token: hush}\n"
                            "parameters: {model: rés, lr: 0.1}\n"
                            "prerequisites:\n  - {name: img, type: dockerimage, uri: u}\n"
                            "  - name: tools\n    type: script\n"
                            "    plugin: com.microsoft.pai.runtimeplugin.cmd\n    callbacks:\n"
                            "      - {event: taskStarts, commands: ['get <% $parameters.model %>']}\n"
                            "taskRoles:\n  w:\n    dockerImage: img\n    prerequisites: [tools]\n"
                            "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                            "    commands: [\"é --lr <% $parameters.lr %> <% $secrets.token %>\"]\n";
    PlanReply plan = samplePlan();
    plan.tasks.resize(1);
    plan.tasks[0].script
        = QStringLiteral("#!/bin/bash\n__ty_step before tools fail 'set -o errexit\nget rés\n'\n"
                         "exec 99>&-\nunset __ty_child\nset -o errexit\né --lr 0.1 <% $secrets.token %>\n");
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(yaml);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    const auto marked = [view](int indicator) {
        QByteArrayList found;
        for (qsizetype at = 0; at < view->byteCount(); ++at) {
            if (view->SendScintilla(
                    QsciScintilla::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator), long(at))
                != 0) {
                const auto end = view->SendScintilla(
                    QsciScintilla::SCI_INDICATOREND, static_cast<unsigned long>(indicator), long(at));
                found.append(view->bytesIn({at, end}));
                at = end;
            }
        }
        return found;
    };
    QCOMPARE(marked(CodeView::FilledText), (QByteArrayList{"rés", "0.1"}));
    QCOMPARE(marked(CodeView::SecretText), QByteArrayList{"<% $secrets.token %>"});
    QVERIFY(!page.shownScript().contains(QStringLiteral("hush")));
    // Without parts, too.
    plan.tasks[0].script = QStringLiteral("#!/bin/bash\nset -o errexit\né --lr 0.1 <% $secrets.token %>\n");
    page.setPlan(plan, {}, QTime(12, 0));
    QCOMPARE(marked(CodeView::FilledText), QByteArrayList{"0.1"});
}

// A box for each GPU of the hosts: who has it, and which task gets it.
void TstPreview::showsThePlaces()
{
    HostInfo here;
    here.id = QStringLiteral("local");
    here.label = QStringLiteral("ws");
    here.state = HostState::Online;
    for (int i = 0; i < 4; ++i) {
        GpuInfo gpu;
        gpu.index = i;
        here.gpus.append(gpu);
    }
    here.gpus[2].jobId = 41;
    HostInfo other = here;
    other.id = QStringLiteral("lab1");
    other.target = QStringLiteral("me@lab1");
    other.gpus.resize(2);
    other.gpus[0].foreign = true;
    other.gpus[1].jobId = 0;
    PlanReply plan = samplePlan();
    PlannedTask ps;
    ps.role = QStringLiteral("ps");
    ps.host = QStringLiteral("local");
    plan.tasks.append(ps);
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(planJob);
    page.setHosts({other, here});
    page.setPlan(plan,
        {{QStringLiteral("local"), QStringLiteral("ws")}, {QStringLiteral("lab1"), QStringLiteral("lab1")}},
        QTime(12, 0));
    page.show();
    QCOMPARE(page.places()->rows(),
        (QStringList{QStringLiteral("ws: w/0, w/1, #41, free, ps"), QStringLiteral("lab1: in use, free")}));
    const QList<QAbstractButton *> boxes = page.places()->findChildren<QAbstractButton *>();
    QCOMPARE(boxes.at(1)->toolTip(), QStringLiteral("GPU 1: w/1"));
    boxes.at(1)->click();
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 1"))); // its task is shown
    QVERIFY(!boxes.at(2)->isEnabled());
}

// What stands under the pointer after a click on "Preview" is the way back, and a double click does not go it.
void TstPreview::secondClickStartsNothing()
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

void TstPreview::panesFitANarrowWindow()
{
    PreviewPage page;
    page.setPlanning(planJob);
    page.setJob(QStringLiteral("a_job_with_a_rather_long_name"));
    page.setRunText(QStringLiteral("Run in podman"));
    page.setPlan(samplePlan(), {}, QTime(12, 4));
    page.show();
    for (const int width : {1000, 590, 1000}) {
        page.resize(width, 400);
        QApplication::processEvents();
        QCOMPARE(page.width(), width);
        QList<QRect> panes;
        for (const QWidget *widget : std::initializer_list<const QWidget *>{
                 page.taskTree(), page.findChild<QWidget *>(QStringLiteral("previewScript")), page.environmentTree()}) {
            const QRect pane(widget->mapTo(&page, QPoint()), widget->size());
            QVERIFY2(page.rect().contains(pane), qPrintable(widget->objectName()));
            QVERIFY2(pane.height() > 60, qPrintable(widget->objectName()));
            for (const QRect &other : std::as_const(panes)) {
                QVERIFY2(!pane.intersects(other), qPrintable(widget->objectName()));
            }
            panes.append(pane);
        }
        const auto *back = page.findChild<QWidget *>(QStringLiteral("previewBack"));
        const auto *run = page.findChild<QWidget *>(QStringLiteral("previewRun"));
        const auto *refresh = page.findChild<QWidget *>(QStringLiteral("previewRefresh"));
        QVERIFY(back->geometry().right() < width);
        QVERIFY(run->geometry().right() < back->geometry().left());
        QVERIFY(refresh->geometry().right() < run->geometry().left());
    }
}

void TstPreview::tellsHowItBeginsAndEnds()
{
    QByteArray yaml = planJob;
    yaml.replace("    instances: 2\n", "    instances: 2\n    completion: {minSucceededInstances: 1}\n");
    yaml.replace("hush-hush-hush", "'******'");
    yaml += "jobRetryCount: 3\nextras: {trainyard: {limits: {timeSeconds: 3600}}}\n";
    PlanReply plan = samplePlan();
    for (PlannedTask &task : plan.tasks) {
        task.environment.append({QStringLiteral("PAI_WORK_DIR"), QStringLiteral("/home/me/proj")});
    }
    PreviewPage page;
    page.resize(1200, 700);
    page.setPlanning(yaml);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    QVERIFY(page.endList()->isVisible() && page.startList()->isVisible());
    QCOMPARE(page.endList()->texts(),
        (QStringList{QStringLiteral("The job fails as soon as one w task fails."),
            QStringLiteral("w: 1 success ends it too."), QStringLiteral("It is stopped after 1 h 00 min."),
            QStringLiteral("It is retried up to 3 times after failures that may pass.")}));
    QCOMPARE(page.startList()->texts(),
        (QStringList{QStringLiteral("Tasks work in /home/me/proj"),
            QStringLiteral("Tasks run in the host's shell; image img is not used."),
            QStringLiteral("w: base, tools, then the commands."),
            QStringLiteral("The secret token is asked for at Run.")}));
    // A role that is stopped when the other one has succeeded does not end the job by itself.
    QByteArray served = yaml;
    served.replace("taskRoles:\n",
        "taskRoles:\n  server:\n    instances: 1\n    resourcePerInstance: {cpu: 1, "
        "memoryMB: 16, gpu: 0}\n    dockerImage: img\n    commands: [sleep 9]\n");
    page.setPlanning(served);
    page.setPlan(plan, {}, QTime(12, 0));
    const QStringList ends = page.endList()->texts();
    QVERIFY2(ends.contains(QStringLiteral("w: 1 success ends it too, and stops server.")), qPrintable(ends.join(u'|')));
    QVERIFY2(ends.filter(QStringLiteral("all tasks")).isEmpty(), qPrintable(ends.join(u'|')));
    page.setPlanning(yaml);
    page.setPlan(plan, {}, QTime(12, 0));
    // A folder below the home folder is the host's own: no copy is promised.
    for (PlannedTask &task : plan.tasks) {
        task.host = QStringLiteral("far");
        task.environment.last().second = QStringLiteral("~/exp");
    }
    page.setPlan(plan, {}, QTime(12, 0));
    QCOMPARE(page.startList()->texts().constFirst(),
        QStringLiteral("Tasks work in ~/exp, the host's own folder: it has to be there, nothing is copied into it"));
    // A job without a file works where nothing of yours is: that is said.
    for (PlannedTask &task : plan.tasks) {
        task.environment.last().second = QStringLiteral("/state/runs/1/w-0/work");
        task.environment.append({QStringLiteral("TRAINYARD_TASK_FOLDER"), QStringLiteral("/state/runs/1/w-0")});
    }
    page.setPlan(plan, {}, QTime(12, 1));
    QCOMPARE(page.startList()->texts().first(),
        QStringLiteral("Each task works in an empty folder of its own: no file of yours is there."));
    // In a container too, which gets a folder beside that one.
    for (PlannedTask &task : plan.tasks) {
        task.runIn = QStringLiteral("podman");
        task.environment.last().second += QStringLiteral("/inside");
    }
    page.setPlan(plan, {}, QTime(12, 2));
    QVERIFY(page.startList()->texts().contains(
        QStringLiteral("Each task works in an empty folder of its own: no file of yours is there.")));
}

// Run asks for what is masked; to see what it would do nobody has to be asked.
void TstPreview::needsNoSecrets()
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
}

void TstPreview::isWhatRunSends()
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

// However much room there is.
void TstPreview::signsStandBesideTheirWords()
{
    QWidget column;
    auto *layout = new QVBoxLayout(&column);
    auto *facts = new FactList(QStringLiteral("Before it runs"));
    auto *places = new PlacementView;
    layout->addWidget(places);
    layout->addWidget(facts);
    layout->addStretch();
    facts->setFacts({{QStringLiteral("folder"), Colour::Muted, QStringLiteral("Tasks work in a folder")},
        {QStringLiteral("check"), Colour::Succeeded, QStringLiteral("Much of the disk is free. ").repeated(5)}});
    PlannedTask task;
    task.role = QStringLiteral("main");
    task.host = QStringLiteral("local");
    PlanReply plan;
    plan.tasks = {task};
    places->setPlan(plan, {}, {});
    column.resize(260, 900);
    column.show();
    QVERIFY(QTest::qWaitForWindowExposed(&column));
    const auto top = [&](const QWidget *widget) { return widget->mapTo(&column, QPoint(0, 0)).y(); };
    const auto middle = [&](const QWidget *widget) { return top(widget) + widget->height() / 2; };
    const QList<IconLabel *> signs = facts->findChildren<IconLabel *>();
    QCOMPARE(signs.size(), 2);
    for (const IconLabel *sign : signs) {
        const auto *words = sign->parentWidget()->findChild<QLabel *>();
        const int line = top(words) + words->fontMetrics().height() / 2;
        QVERIFY2(std::abs(middle(sign) - line) <= 2, qPrintable(QString::number(middle(sign) - line)));
        QVERIFY(words->height() <= words->heightForWidth(words->width()) + 2);
    }
    const auto *box = places->findChild<QAbstractButton *>();
    const auto *name = places->findChild<ElidedLabel *>();
    QVERIFY(box && name);
    QVERIFY2(std::abs(middle(box) - middle(name)) <= 1, qPrintable(QString::number(middle(box) - middle(name))));
    QVERIFY(std::abs(middle(box) - middle(places->findChild<IconLabel *>())) <= 1);
}

TRAINYARD_GUI_TEST(TstPreview)
#include "tst_preview.moc"
