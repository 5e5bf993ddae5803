// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/style.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/problemsview.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <sys/stat.h>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

namespace
{

const char sampleText[] = R"(# my baseline, do not touch
protocolVersion: 2
name: tensorflow_cifar10
type: job
version: "1.0"
contributor: OpenPAI
description: |
  TensorFlow Distributed Training: this example runs a ResNet
  on the CIFAR-10 data.

  It needs one parameter server.
parameters:
  model: resnet20   # the small one
  batchsize: 32
  lr: 0.1
secrets:
  github_token: "******"
prerequisites:
  - name: tf_example
    type: dockerimage
    uri: openpai/pai.example.tensorflow
  - name: install-git   # for the script
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    callbacks:
      - event: taskStarts
        commands:
          - apt install -y git
  - name: cnn-benchmarks
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    require:
      - install-git
    callbacks:
      - event: taskStarts
        commands:
          - git clone https://example.org/benchmarks script_cnn
  - name: cifar10-data
    type: data
    uri:
      - https://example.org/cifar10.tar.gz
taskRoles:
  worker:
    instances: 4    # one per GPU
    completion:
      minFailedInstances: 1
      minSucceededInstances: 4
    dockerImage: tf_example
    prerequisites:
      - install-git
      - cnn-benchmarks
      - cifar10-data
    resourcePerInstance:
      gpu: 1
      cpu: 4
      memoryMB: 8192
      ports:
        ssh: 1
        http: 1
    commands:
      - cd script_<% $script.name %>/scripts
      - |
        python train.py --job_name=worker \
          --ps_hosts=$PAI_TASK_ROLE_ps_HOST_LIST \
          --model=<% $parameters.model %> --batch_size=<% $parameters.batchsize %>
  ps:
    instances: 1
    dockerImage: tf_example
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - sleep infinity
# the end
)";

} // namespace

void addFieldRows()
{
    QTest::addColumn<Act>("act");
    QTest::addColumn<QByteArray>("from"); // in the sample; empty: lines are added
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char *name, const QByteArray &from, const QByteArray &to, const Act &act) {
        QTest::newRow(name) << act << from << to;
    };
    row("name", "name: tensorflow_cifar10", "name: other",
        [](DesignerPage *page) { type(find<QLineEdit>(page, "jobName"), QStringLiteral("other")); });
    row("retries", "", "jobRetryCount: 1\n", [](DesignerPage *page) {
        auto *box = find<QAbstractSpinBox>(page, "jobRetries");
        focus(box);
        QTest::keyClick(box, Qt::Key_Up);
        leave(page);
    });
    row("contributor", "contributor: OpenPAI", "contributor: me",
        [](DesignerPage *page) { type(find<QLineEdit>(page, "jobContributor"), QStringLiteral("me")); });
    row("contributor emptied", "contributor: OpenPAI\n", "", [](DesignerPage *page) {
        auto *edit = find<QLineEdit>(page, "jobContributor");
        focus(edit);
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClick(edit, Qt::Key_Return);
    });
    row("description", "on the CIFAR-10 data.\n", "on the CIFAR-10 data!\n", [](DesignerPage *page) {
        QTest::mouseClick(find<QWidget>(page, "aboutDisclosure"), Qt::LeftButton);
        auto *edit = find<QPlainTextEdit>(page, "jobDescription");
        focus(edit);
        QTextCursor cursor = edit->document()->find(QStringLiteral("data."));
        cursor.setPosition(cursor.selectionEnd());
        edit->setTextCursor(cursor);
        QTest::keyClick(edit, Qt::Key_Backspace);
        QTest::keyClicks(edit, QStringLiteral("!"));
        leave(page);
    });
    row("instances", "instances: 4    # one per GPU", "instances: 8    # one per GPU",
        [](DesignerPage *page) { typeNumber(page, "roleInstances", QStringLiteral("8")); });
    row("instances that are no number", "instances: 4    # one per GPU", "instances: many    # one per GPU",
        [](DesignerPage *page) { typeNumber(page, "roleInstances", QStringLiteral("many")); });
    row("gpu, followed", "gpu: 1\n      cpu: 4\n      memoryMB: 8192", "gpu: 2\n      cpu: 8\n      memoryMB: 16384",
        [](DesignerPage *page) { typeNumber(page, "roleGpu", QStringLiteral("2")); });
    row("gpu alone", "gpu: 1\n", "gpu: 2\n", [](DesignerPage *page) {
        QTest::mouseClick(find<QCheckBox>(page, "roleFollowGpu"), Qt::LeftButton, {}, QPoint(8, 14));
        typeNumber(page, "roleGpu", QStringLiteral("2"));
    });
    row("cpu", "cpu: 4\n      memoryMB", "cpu: 16\n      memoryMB",
        [](DesignerPage *page) { typeNumber(page, "roleCpu", QStringLiteral("16")); });
    row("memory in GiB", "memoryMB: 8192\n      ports", "memoryMB: 12288\n      ports",
        [](DesignerPage *page) { typeNumber(page, "roleMemory", QStringLiteral("12")); });
    row("memory in MiB", "memoryMB: 8192\n      ports", "memoryMB: 500\n      ports",
        [](DesignerPage *page) { typeNumber(page, "roleMemory", QStringLiteral("500 MiB")); });
    row("image", "dockerImage: tf_example\n    prereq", "dockerImage: other\n    prereq",
        [](DesignerPage *page) { type(find<QComboBox>(page, "roleImage")->lineEdit(), QStringLiteral("other")); });
    row("run in", "", "extras:\n  trainyard:\n    runIn: docker\n", [](DesignerPage *page) {
        auto *combo = find<QComboBox>(page, "roleRunIn");
        focus(combo);
        QTest::keyClicks(combo, QStringLiteral("Dock"));
        Q_EMIT combo->activated(combo->currentIndex());
    });
    row("a command", "/scripts\n", "/scripts2\n", [](DesignerPage *page) {
        CodeView *view = commands(page);
        focus(view);
        view->setCaret(view->lineEnd(0));
        QTest::keyClicks(view, QStringLiteral("2"));
        leave(page);
    });
    row("a new command", "/scripts\n", "/scripts\n      - ls -l\n", [](DesignerPage *page) {
        CodeView *view = commands(page);
        focus(view);
        view->setCaret(view->lineEnd(0));
        QTest::keyClick(view, Qt::Key_Return);
        QTest::keyClicks(view, QStringLiteral("ls -l"));
        leave(page);
    });
    row("a line of a command", "--job_name=worker", "--job_name=boss", [](DesignerPage *page) {
        CodeView *view = commands(page);
        focus(view);
        const qsizetype at = view->allBytes().indexOf("worker");
        view->select({at, at + 6});
        QTest::keyClicks(view, QStringLiteral("boss"));
        leave(page);
    });
    row("a command taken away", "      - cd script_<% $script.name %>/scripts\n", "", [](DesignerPage *page) {
        CodeView *view = commands(page);
        focus(view);
        view->select({0, view->lineStart(1)});
        QTest::keyClick(view, Qt::Key_Delete);
        leave(page);
    });
    row("a port's count", "ssh: 1", "ssh: 3", [](DesignerPage *page) {
        QTest::mouseClick(find<Chip>(page, "port_ssh"), Qt::LeftButton);
        typeNumber(page, "portCount", QStringLiteral("3"));
    });
    row("a port's label", "        http: 1", "        web: 1", [](DesignerPage *page) {
        QTest::mouseClick(find<Chip>(page, "port_http"), Qt::LeftButton);
        type(find<QLineEdit>(page, "portLabel"), QStringLiteral("web"));
    });
    row("a new port", "        http: 1\n", "        http: 1\n        tb: 2\n", [](DesignerPage *page) {
        QTest::mouseClick(find<Chip>(page, "portAdd"), Qt::LeftButton);
        auto *count = find<QAbstractSpinBox>(page, "portCount");
        count->findChild<QLineEdit *>()->setText(QStringLiteral("2"));
        type(find<QLineEdit>(page, "portLabel"), QStringLiteral("tb"));
    });
    row("a port taken away", "        ssh: 1\n", "", [](DesignerPage *page) {
        QTest::mouseClick(find<Chip>(page, "port_ssh"), Qt::LeftButton);
        QTest::mouseClick(find<QWidget>(page, "portRemove"), Qt::LeftButton);
    });
    row("a prerequisite taken away", "      - cnn-benchmarks\n", "", [](DesignerPage *page) {
        focus(find<Chip>(page, "chain_1"));
        QTest::keyClick(find<Chip>(page, "chain_1"), Qt::Key_Delete);
    });
    row("the order of prerequisites", "      - install-git\n      - cnn-benchmarks\n",
        "      - cnn-benchmarks\n      - install-git\n", [](DesignerPage *page) {
            focus(find<Chip>(page, "chain_0"));
            QTest::keyClick(find<Chip>(page, "chain_0"), Qt::Key_Right, Qt::AltModifier);
        });
    row("failures", "minFailedInstances: 1", "minFailedInstances: 2",
        [](DesignerPage *page) { typeNumber(page, "roleMinFailed", QStringLiteral("2")); });
    row("failures off", "minFailedInstances: 1", "minFailedInstances: -1", [](DesignerPage *page) {
        auto *box = find<QAbstractSpinBox>(page, "roleMinFailed");
        focus(box);
        QTest::keyClick(box, Qt::Key_Down);
        leave(page);
    });
    row("successes", "minSucceededInstances: 4", "minSucceededInstances: 3", [](DesignerPage *page) {
        auto *box = find<QAbstractSpinBox>(page, "roleMinSucceeded");
        focus(box);
        QTest::keyClick(box, Qt::Key_Down);
        leave(page);
    });
    row("shared memory", "", "    extraContainerOptions:\n      shmMB: 4096\n", [](DesignerPage *page) {
        QTest::mouseClick(find<QWidget>(page, "roleMore"), Qt::LeftButton);
        typeNumber(page, "roleShared", QStringLiteral("4 GiB"));
    });
    row("infiniband", "", "    extraContainerOptions:\n      infiniband: true\n", [](DesignerPage *page) {
        QTest::mouseClick(find<QWidget>(page, "roleMore"), Qt::LeftButton);
        find<QCheckBox>(page, "roleInfiniband")->click();
    });
    row("gang off", "", "extras:\n  gangAllocation: false\n",
        [](DesignerPage *page) { find<QCheckBox>(page, "jobGang")->click(); });
    const auto cell = [](DesignerPage *page, const char *table, int line, int column, const QString &text) {
        auto *values = find<QTableWidget>(page, table);
        values->setCurrentCell(line, column);
        values->editItem(values->item(line, column));
        auto *editor = values->viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
    };
    row("a parameter", "batchsize: 32", "batchsize: [32, 64]",
        [cell](DesignerPage *page) { cell(page, "parametersTable", 1, 1, QStringLiteral("[32, 64]")); });
    row("a parameter as text", "model: resnet20   # the", "model: 'a: b'   # the",
        [cell](DesignerPage *page) { cell(page, "parametersTable", 0, 1, QStringLiteral("a: b")); });
    row("a parameter's name", "  lr: 0.1", "  rate: 0.1",
        [cell](DesignerPage *page) { cell(page, "parametersTable", 2, 0, QStringLiteral("rate")); });
    row("a secret", "github_token: \"******\"", "github_token: \"abc123\"", [cell](DesignerPage *page) {
        find<QTabBar>(page, "formTabs")->setCurrentIndex(1);
        cell(page, "secretsTable", 0, 1, QStringLiteral("abc123"));
    });
    row("an image's source", "uri: openpai/pai.example.tensorflow", "uri: ubuntu:22.04", [](DesignerPage *page) {
        find<QTabBar>(page, "formTabs")->setCurrentIndex(2);
        find<QListWidget>(page, "prerequisitesList")->setCurrentRow(0);
        type(find<QLineEdit>(page, "prerequisiteUri"), QStringLiteral("ubuntu:22.04"));
    });
    row("a new prerequisite", "      - https://example.org/cifar10.tar.gz\n",
        "      - https://example.org/cifar10.tar.gz\n  - name: image\n    type: dockerimage\n    uri: ubuntu:22.04\n",
        [](DesignerPage *page) {
            find<QTabBar>(page, "formTabs")->setCurrentIndex(2);
            page->findChild<QAction *>(QStringLiteral("add_dockerimage"))->trigger();
        });
}

class TstDesignerPage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void editsFields_data();
    void editsFields();
    void undoesTypingAndFormEditsInOneStack();
    void keepsWhatIsBeingTyped();
    void showsProblemsAndFixes();
    void stepsToErrorsFirst();
    void fixOfTheLastProblem();
    void focusStaysInSight();
    void warnsOfMoreThanAnyHostHas();
    void machinesWithoutGpusAreNotCounted();
    void limitsOfCompletionAreSentences();
    void caretAndFieldsFollowEachOther();
    void renamesARoleWithItsReferences();
    void addsAndRemovesRoles();
    void createsWhatIsMissing();
    void waitsWhileTheTextCannotBeRead();
    void saysThatATextIsTooLarge_data();
    void saysThatATextIsTooLarge();
    void showsNoFormOfWhatIsNoMap_data();
    void showsNoFormOfWhatIsNoMap();
    void keepsTheRoleNameInItsPlace();
    void givesSentencesTheRoom();
    void savesExactly();
    void noticesChangesOnDisk();
    void savesOverNothingUnread();
    void writeProtectedStays();
    void screenshots();

private:
    void show(const QByteArray &bytes);
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerPage::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerPage::cleanup() { page.reset(); }

void TstDesignerPage::show(const QByteArray &bytes)
{
    showDocument(page.get(), bytes, QStringLiteral("sample.pai.yaml"));
}

void TstDesignerPage::editsFields_data() { addFieldRows(); }

void TstDesignerPage::editsFields()
{
    QFETCH(Act, act);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    show(sampleText);
    const QByteArray before = sampleText;
    act(page.get());
    if (QTest::currentTestFailed()) {
        return;
    }
    if (from.isEmpty()) {
        QTRY_VERIFY2(page->bytes().contains(to), page->bytes().constData());
        QByteArray without = page->bytes();
        without.remove(without.indexOf(to), to.size());
        QCOMPARE(without.split('\n'), before.split('\n'));
    } else {
        QCOMPARE(before.count(from), 1);
        QByteArray expected = before;
        expected.replace(from, to);
        QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    }
    QVERIFY(page->isModified());
    // One step, from wherever the focus is.
    QTest::keyClick(page->focusWidget() ? page->focusWidget() : page.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page->bytes().split('\n'), before.split('\n'));
    QVERIFY(!page->isModified());
    page->redo();
    QVERIFY(page->bytes() != before);
}

void TstDesignerPage::undoesTypingAndFormEditsInOneStack()
{
    show(sampleText);
    const QByteArray first = sampleText;
    auto *text = find<CodeView>(page.get(), "yamlText");
    focus(text);
    text->setCaret(0);
    QTest::keyClicks(text, QStringLiteral("#"));
    const QByteArray second = page->bytes();
    QCOMPARE(second, '#' + first);
    type(find<QLineEdit>(page.get(), "jobName"), QStringLiteral("other"));
    QTRY_VERIFY(page->bytes().contains("name: other\n"));
    const QByteArray third = page->bytes();
    focus(text);
    text->setCaret(0);
    QTest::keyClicks(text, QStringLiteral("!"));
    QCOMPARE(page->bytes(), '!' + third);
    page->undoAction()->trigger();
    QCOMPARE(page->bytes(), third);
    auto *name = find<QLineEdit>(page.get(), "jobName");
    focus(name);
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page->bytes(), second);
    QTRY_COMPARE(name->text(), QStringLiteral("tensorflow_cifar10"));
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page->bytes(), first);
    QVERIFY(!page->undoAction()->isEnabled());
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(name, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(page->bytes(), third);
    QTRY_COMPARE(name->text(), QStringLiteral("other"));
}

// A new snapshot leaves alone what has the focus: text, caret and all.
void TstDesignerPage::keepsWhatIsBeingTyped()
{
    show(sampleText);
    auto *name = find<QLineEdit>(page.get(), "jobName");
    focus(name);
    name->setCursorPosition(3);
    QTest::keyClicks(name, QStringLiteral("xyz"));
    QCOMPARE(name->cursorPosition(), 6);
    // It shows in the text a moment later, with the caret still in its place.
    QTRY_VERIFY(page->bytes().contains("name: tenxyzsorflow_cifar10\n"));
    QVERIFY(name->hasFocus());
    QCOMPARE(name->cursorPosition(), 6);
    QCOMPARE(name->text(), QStringLiteral("tenxyzsorflow_cifar10"));
    CodeView *view = commands(page.get());
    focus(view);
    view->setCaret(view->lineEnd(0));
    QTest::keyClicks(view, QStringLiteral(" && ls"));
    QTRY_VERIFY(page->bytes().contains("/scripts && ls\n"));
    QVERIFY(view->hasFocus());
    QCOMPARE(view->caret(), view->lineEnd(0));
    // Empty lines in the making are no commands.
    QTest::keyClick(view, Qt::Key_Return);
    settle(page.get());
    QCOMPARE(view->lineOf(view->caret()), 1);
    QTest::keyClicks(view, QStringLiteral("pwd"));
    QTRY_VERIFY(page->bytes().contains("      - pwd\n"));
    QVERIFY(page->bytes().contains("          --ps_hosts=$PAI_TASK_ROLE_ps_HOST_LIST \\\n"));
}

void TstDesignerPage::showsProblemsAndFixes()
{
    QSignalSpy runnable(page.get(), &DesignerPage::runnableChanged);
    QSignalSpy problems(page.get(), &DesignerPage::problemsChanged);
    show(sampleText);
    QTRY_VERIFY(page->canRun());
    QCOMPARE(page->errorCount(), 0);
    QVERIFY(page->runBlockers().isEmpty());
    auto *image = find<QComboBox>(page.get(), "roleImage");
    type(image->lineEdit(), QStringLiteral("tf_exmple"));
    QTRY_COMPARE(page->errorCount(), 1);
    QVERIFY(!page->canRun());
    QCOMPARE(page->runBlockers().size(), 1);
    QVERIFY(page->runBlockers().first().contains(u"tf_exmple"));
    QVERIFY(!problems.isEmpty());
    QCOMPARE(find<QLabel>(page.get(), "problemsRunNote")->text(), QStringLiteral("Run is off because of 1 error"));
    QVERIFY(hasFieldError(image));
    // The list has it first; its place is the value.
    auto *list = find<QListView>(page.get(), "problemsList");
    const auto *problem
        = list->model()->index(0, 0).data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    QVERIFY(problem);
    QCOMPARE(problem->diagnostic.code, QStringLiteral("role.image.undefined"));
    QVERIFY(!problem->diagnostic.fixes.isEmpty());
    QTest::mouseClick(
        list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).topLeft() + QPoint(120, 14));
    QCOMPARE(find<CodeView>(page.get(), "yamlText")->caret(), problem->diagnostic.at.begin);
    // F8 steps through all of them.
    page->nextProblem();
    // The first fix is under the field too.
    const auto fixes = find<QWidget>(page.get(), "roleCard")->findChildren<QPushButton *>(QStringLiteral("fieldFix"));
    QPushButton *fix = nullptr;
    for (QPushButton *candidate : fixes) {
        fix = candidate->isVisible() && !fix ? candidate : fix;
    }
    QVERIFY(fix);
    QTest::mouseClick(fix, Qt::LeftButton);
    QTRY_COMPARE(page->bytes(), QByteArray(sampleText));
    QTRY_VERIFY(page->canRun());
    QTRY_VERIFY(!hasFieldError(image)); // when the pointer rests
    QVERIFY(runnable.size() >= 3);
}

// What keeps Run off comes first, wherever it stands; the rest follows.
void TstDesignerPage::stepsToErrorsFirst()
{
    ProblemsView view;
    QList<Diagnostic> problems(5);
    const Severity severities[] = {Severity::Note, Severity::Warning, Severity::Error, Severity::Note, Severity::Error};
    for (qsizetype i = 0; i < problems.size(); ++i) {
        problems[i].code = QStringLiteral("role.image.undefined");
        problems[i].severity = severities[i];
        problems[i].at = {i, i + 1};
    }
    view.setProblems(problems, "abcdef", {});
    qsizetype caret = 0;
    connect(&view, &ProblemsView::jumpRequested, &view, [&caret](const ByteRange &range) { caret = range.begin; });
    const auto walk = [&](int by) {
        QList<qsizetype> places;
        for (qsizetype i = 0; i < problems.size(); ++i) {
            view.step(by, caret);
            places.append(caret);
        }
        return places;
    };
    QCOMPARE(walk(1), (QList<qsizetype>{2, 4, 1, 0, 3}));
    QCOMPARE(walk(-1), (QList<qsizetype>{0, 1, 4, 2, 3}));
    caret = 5; // moved by hand, to where nothing is wrong
    view.step(1, caret);
    QCOMPARE(caret, qsizetype(2));
    caret = 5;
    view.step(-1, caret);
    QCOMPARE(caret, qsizetype(4));
    // The list is another one now, and the caret still stands at the last error.
    view.setProblems(problems, "abcdef", {});
    view.step(1, caret);
    QCOMPARE(caret, qsizetype(1));
}

// The click that mends the only problem is over when its row has gone.
void TstDesignerPage::fixOfTheLastProblem()
{
    ProblemsView view;
    view.resize(900, 120);
    view.setVisible(true);
    Diagnostic problem;
    problem.code = QStringLiteral("role.image.undefined");
    problem.severity = Severity::Error;
    problem.fixes = {Fix{QStringLiteral("image.use"), {}, {}}};
    view.setProblems({problem}, "x", {});
    connect(&view, &ProblemsView::fixRequested, &view, [&view] { view.setProblems({}, "x", {}); });
    QSignalSpy fixes(&view, &ProblemsView::fixRequested);
    const auto *delegate = view.list()->findChild<ProblemDelegate *>();
    QVERIFY(delegate);
    const QList<QRect> buttons = delegate->fixRects(view.list()->visualRect(view.model()->index(0, 0)), problem);
    QCOMPARE(buttons.size(), 1);
    QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {}, buttons.first().center());
    QTRY_COMPARE(fixes.size(), 1);
    QCOMPARE(view.model()->rowCount(), 0);
}

// Who hides the half he writes in goes on in the other.
void TstDesignerPage::focusStaysInSight()
{
    show(sampleText);
    page->activateWindow();
    QTRY_VERIFY(page->isActiveWindow());
    auto *number = find<QAbstractSpinBox>(page.get(), "roleInstances");
    QVERIFY(number);
    number->setFocus();
    page->setViewMode(DesignerPage::ViewMode::Yaml);
    QVERIFY(find<CodeView>(page.get(), "yamlText")->hasFocus());
    page->setViewMode(DesignerPage::ViewMode::Form);
    QVERIFY(QApplication::focusWidget());
    const auto *form = find<QScrollArea>(page.get(), "jobForm");
    QVERIFY(form->hasFocus() || form->isAncestorOf(QApplication::focusWidget()));
}

// Hosts come and go while the text stays.
void TstDesignerPage::warnsOfMoreThanAnyHostHas()
{
    show(sampleText);
    QTRY_VERIFY(page->canRun());
    const int before = page->warningCount();
    const auto codes = [&] {
        QStringList found;
        const auto *list = find<QListView>(page.get(), "problemsList");
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const auto *problem
                = list->model()->index(row, 0).data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
            found.append(problem ? problem->diagnostic.code : QString());
        }
        return found;
    };
    HostInfo host;
    host.id = QStringLiteral("local");
    host.state = HostState::Online;
    host.cpus = 1 << 10;
    host.memoryMiB = 1 << 20;
    page->setHosts({host});
    QVERIFY2(codes().contains(u"role.gpu.more-than-any-host"), qPrintable(codes().join(u' ')));
    QCOMPARE(page->warningCount(), before + 1);
    QVERIFY(page->canRun()); // the engine has the last word
    host.gpus.resize(8);
    page->setHosts({host});
    QVERIFY2(!codes().contains(u"role.gpu.more-than-any-host"), qPrintable(codes().join(u' ')));
    QCOMPARE(page->warningCount(), before);
}

void TstDesignerPage::machinesWithoutGpusAreNotCounted()
{
    QByteArray text = sampleText;
    show(text.replace("gpu: 4", "gpu: 0").replace("gpu: 2", "gpu: 0").replace("gpu: 1", "gpu: 0"));
    HostInfo host;
    host.id = QStringLiteral("local");
    host.state = HostState::Online;
    host.cpus = 2;
    page->setHosts({host});
    settle(page.get());
    const auto *most = find<QLabel>(page.get(), "roleGpuMost");
    QVERIFY2(!most->isVisible(), qPrintable(most->text()));
    typeNumber(page.get(), "roleGpu", QStringLiteral("2"));
    QTRY_VERIFY(most->isVisible()); // that no host has them is worth being said
    QCOMPARE(most->text(), QStringLiteral("of 0"));
    host.gpus.resize(8);
    page->setHosts({host});
    QTRY_COMPARE(most->text(), QStringLiteral("of 8"));
}

// A limit that is off says so in words, and the sentence around it stays one.
void TstDesignerPage::limitsOfCompletionAreSentences()
{
    show(QByteArray(sampleText).replace("minSucceededInstances: 4", "minSucceededInstances: -1"));
    settle(page.get());
    QTRY_COMPARE(find<QAbstractSpinBox>(page.get(), "roleMinSucceeded")->text(), QStringLiteral("not set"));
    const auto labels = page->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->isVisible() && label->text() == QStringLiteral("Succeed early when");
    }));
}

void TstDesignerPage::caretAndFieldsFollowEachOther()
{
    show(sampleText);
    QSignalSpy cursor(page.get(), &DesignerPage::cursorMoved);
    auto *text = find<CodeView>(page.get(), "yamlText");
    auto *image = find<QComboBox>(page.get(), "roleImage");
    focus(image->lineEdit());
    QTRY_COMPARE(text->lineOf(text->caret()) + 1, 48);
    QTRY_VERIFY(!cursor.isEmpty());
    QCOMPARE(cursor.last().at(0).toLongLong(), 48);
    QVERIFY(image->lineEdit()->hasFocus());
    // Into the other role: its tab comes forward.
    focus(text);
    text->setCaret(text->allBytes().indexOf("sleep infinity"));
    QTRY_COMPARE(find<QTabBar>(page.get(), "roleTabs")->currentIndex(), 1);
    QTRY_COMPARE(find<QLineEdit>(page.get(), "roleName")->text(), QStringLiteral("ps"));
    QVERIFY(text->hasFocus());
    text->setCaret(text->allBytes().indexOf("- name: cnn"));
    QTRY_COMPARE(find<QTabBar>(page.get(), "formTabs")->currentIndex(), 2);
    QTRY_COMPARE(find<QListWidget>(page.get(), "prerequisitesList")->currentRow(), 2);
    page->jumpTo(3, 7);
    QCOMPARE(text->caret(), text->lineStart(2) + 6);
}

void TstDesignerPage::renamesARoleWithItsReferences()
{
    QByteArray text = sampleText;
    text += "deployments:\n  - name: d\n    taskRoles:\n      worker: # pre\n        preCommands:\n          - ls\n"
            "extras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ssh\n      taskroles: [worker, ps]\n";
    show(text);
    type(find<QLineEdit>(page.get(), "roleName"), QStringLiteral("trainer"));
    QByteArray expected = text;
    expected.replace("  worker:\n    inst", "  trainer:\n    inst")
        .replace("worker: # pre", "trainer: # pre")
        .replace("[worker,", "[trainer,");
    QTRY_COMPARE(page->bytes(), expected);
    QTRY_COMPARE(find<QTabBar>(page.get(), "roleTabs")->tabText(0).section(u' ', 0, 0), QStringLiteral("trainer"));
    QCOMPARE(find<QLineEdit>(page.get(), "roleName")->text(), QStringLiteral("trainer"));
    page->undo();
    QCOMPARE(page->bytes(), text);
    QTRY_COMPARE(find<QLineEdit>(page.get(), "roleName")->text(), QStringLiteral("worker"));
    // A name that is taken is not written.
    type(find<QLineEdit>(page.get(), "roleName"), QStringLiteral("ps"));
    QCOMPARE(page->bytes(), text);
    const auto *bar = page->findChild<InfoBar *>(QStringLiteral("editBar"));
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("already")), qPrintable(bar->text()));
}

void TstDesignerPage::addsAndRemovesRoles()
{
    show(sampleText);
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    QCOMPARE(tabs->count(), 2);
    QTest::mouseClick(find<QToolButton>(page.get(), "roleAdd"), Qt::LeftButton);
    QTRY_COMPARE(tabs->count(), 3);
    QTRY_COMPARE(tabs->currentIndex(), 2);
    QVERIFY(page->bytes().contains("  role:\n"));
    QVERIFY(page->bytes().endsWith("# the end\n"));
    const auto menuAt = [&](int index, const QString &text) {
        Q_EMIT tabs->customContextMenuRequested(tabs->tabRect(index).center());
        trigger(page.get(), "roleMenu", text);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    };
    menuAt(2, QStringLiteral("Delete"));
    QTRY_COMPARE(page->bytes(), QByteArray(sampleText));
    QTRY_COMPARE(tabs->count(), 2);
    menuAt(0, QStringLiteral("Duplicate"));
    QTRY_COMPARE(tabs->count(), 3);
    QVERIFY(page->bytes().contains("  worker2:\n"));
    QCOMPARE(page->bytes().count("--model=<% $parameters.model %> --batch_size"), 2);
    page->undo();
    QCOMPARE(page->bytes(), QByteArray(sampleText));
    QTRY_COMPARE(tabs->count(), 2);
    menuAt(0, QStringLiteral("Move right"));
    QTRY_VERIFY(page->bytes().indexOf("  ps:\n") < page->bytes().indexOf("  worker:\n"));
    QTRY_COMPARE(tabs->currentIndex(), 1);
}

// From an almost empty job, by the form alone.
void TstDesignerPage::createsWhatIsMissing()
{
    const QByteArray start = "# new\nprotocolVersion: 2\nname: n\ntype: job\n";
    show(start);
    auto *none = find<EmptyState>(page.get(), "noRole");
    QVERIFY(none->isVisible());
    QTest::mouseClick(none->action(), Qt::LeftButton);
    QTRY_VERIFY(page->bytes().contains("taskRoles:\n  worker:\n"));
    find<QTabBar>(page.get(), "formTabs")->setCurrentIndex(2);
    page->findChild<QAction *>(QStringLiteral("add_dockerimage"))->trigger();
    QTRY_VERIFY(
        page->bytes().contains("prerequisites:\n  - name: image\n    type: dockerimage\n    uri: ubuntu:22.04\n"));
    type(find<QComboBox>(page.get(), "roleImage")->lineEdit(), QStringLiteral("image"));
    QTest::mouseClick(find<Chip>(page.get(), "portAdd"), Qt::LeftButton);
    type(find<QLineEdit>(page.get(), "portLabel"), QStringLiteral("tb"));
    QTRY_VERIFY(page->bytes().contains("      ports:\n        tb: 1\n"));
    page->findChild<QAction *>(QStringLiteral("add_script"))->trigger();
    QTRY_VERIFY(page->bytes().contains("  - name: script\n    type: script\n"));
    find<QTabBar>(page.get(), "formTabs")->setCurrentIndex(0);
    QTest::mouseClick(find<QPushButton>(page.get(), "parametersTableAdd"), Qt::LeftButton);
    QTRY_VERIFY(page->bytes().contains("parameters:\n  parameter: "));
    QTRY_VERIFY(page->canRun());
    QVERIFY(page->bytes().startsWith(start));
    for (int i = 0; i < 20 && page->undoAction()->isEnabled(); ++i) {
        page->undo();
    }
    QCOMPARE(page->bytes(), start);
}

void TstDesignerPage::waitsWhileTheTextCannotBeRead()
{
    show(sampleText);
    auto *text = find<CodeView>(page.get(), "yamlText");
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QVERIFY(!bar->isVisible());
    focus(text);
    text->setCaret(text->allBytes().indexOf("parameters:"));
    QTest::keyClicks(text, QStringLiteral("\"x"));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(!page->canRun());
    QVERIFY(!find<QLineEdit>(page.get(), "jobName")->isEnabled());
    QCOMPARE(find<QLineEdit>(page.get(), "jobName")->text(), QStringLiteral("tensorflow_cifar10"));
    QVERIFY(text->hasFocus());
    page->undo();
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(find<QLineEdit>(page.get(), "jobName")->isEnabled());
}

// The form has no snapshot of such a text, which must not be told as if the text were empty.
void TstDesignerPage::saysThatATextIsTooLarge_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("many lines") << QByteArray("name: a\n" + QByteArray("# far more than a job\n").repeated(60000));
    QTest::newRow("one line of brackets") << QByteArray(8 << 20, '[');
}

void TstDesignerPage::saysThatATextIsTooLarge()
{
    QFETCH(QByteArray, text);
    show(text);
    QTRY_COMPARE(page->runBlockers().size(), 1);
    QVERIFY2(page->runBlockers().first().contains(u"1 MiB"), qPrintable(page->runBlockers().first()));
    QVERIFY(!page->canRun());
    // As the command line says it: an error at the very beginning.
    QCOMPARE(page->errorCount(), 1);
    auto *list = find<QListView>(page.get(), "problemsList");
    QCOMPARE(list->model()->rowCount(), 1);
    const auto *problem
        = list->model()->index(0, 0).data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    QVERIFY(problem);
    QCOMPARE(problem->diagnostic.code, QStringLiteral("yaml.too-large"));
    QVERIFY2(problem->text.contains(u"too large to be checked: it has more than 1 MiB"), qPrintable(problem->text));
    QCOMPARE(problem->position.line, 1);
    QCOMPARE(problem->position.column, 1);
    page->newDocument(sampleText);
    QTRY_COMPARE(page->errorCount(), 0);
}

// What a text is that is no job is said; no field takes it for its own value.
void TstDesignerPage::showsNoFormOfWhatIsNoMap_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("number") << QByteArray("42\n") << QStringLiteral("the single value 42");
    QTest::newRow("list") << QByteArray("[1, 2, 3]\n") << QStringLiteral("a list");
    QTest::newRow("text") << QByteArray("just some words\nof a plain text\n") << QStringLiteral("a text");
}

void TstDesignerPage::showsNoFormOfWhatIsNoMap()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    show(sampleText);
    page->newDocument(text);
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QTRY_VERIFY(bar->isVisible());
    page->setKnownClusters([] { return QStringList(); }); // the fields are read again
    QVERIFY2(bar->text().contains(said), qPrintable(bar->text()));
    QVERIFY2(bar->text().contains(u"A job is a map of fields"), qPrintable(bar->text()));
    QVERIFY(!find<QLineEdit>(page.get(), "jobName")->isEnabled());
    QCOMPARE(find<QTabBar>(page.get(), "roleTabs")->count(), 0);
    for (const char *name : {"jobName", "roleName"}) {
        QCOMPARE(find<QLineEdit>(page.get(), name)->text(), QString());
    }
    QCOMPARE(find<QComboBox>(page.get(), "roleImage")->currentText(), QString());
    for (const char *name : {"roleInstances", "roleCpu", "roleGpu", "roleMemory", "roleMinFailed", "roleShared"}) {
        const QString shown = find<QAbstractSpinBox>(page.get(), name)->findChild<QLineEdit *>()->text();
        QVERIFY2(shown.isEmpty(), qPrintable(QString::fromLatin1(name) + u' ' + shown));
    }
    QVERIFY(designertools::commands(page.get())->allBytes().isEmpty());
    const auto labels = find<QWidget>(page.get(), "roleCard")->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::none_of(labels.cbegin(), labels.cend(), [](const QLabel *label) { return label->isVisible(); }));
    // A job again: the form is there again.
    page->newDocument(sampleText);
    QTRY_VERIFY(!bar->isVisible());
    QCOMPARE(find<QLineEdit>(page.get(), "jobName")->text(), QStringLiteral("tensorflow_cifar10"));
}

// What is said of the instances has a place of its own.
void TstDesignerPage::keepsTheRoleNameInItsPlace()
{
    QByteArray yaml(sampleText);
    show(yaml);
    auto *name = find<QLineEdit>(page.get(), "roleName");
    const auto place = [&] { return name->mapTo(name->window(), QPoint(0, 0)); };
    QTRY_VERIFY(page->canRun());
    const QRect before(place(), name->size());
    const qsizetype at = yaml.indexOf("instances: ");
    QVERIFY(at > 0);
    const qsizetype end = yaml.indexOf('\n', at);
    page->newDocument(yaml.left(at) + "instances:" + yaml.mid(end));
    QTRY_VERIFY(page->warningCount() > 0);
    designertools::settle(page.get());
    QCOMPARE(place(), before.topLeft());
    QCOMPARE(name->width(), before.width());
}

// The buttons of its fixes leave a sentence the better part of a narrow row.
void TstDesignerPage::givesSentencesTheRoom()
{
    ProblemsView view;
    view.resize(640, 240);
    view.setVisible(true);
    Diagnostic problem;
    problem.code = QStringLiteral("role.image.undefined");
    problem.severity = Severity::Error;
    problem.args = {{QStringLiteral("image"), QStringLiteral("an_image_with_quite_a_long_name_indeed")},
        {QStringLiteral("role"), QStringLiteral("worker_with_a_long_name_too")}};
    problem.fixes = {Fix{QStringLiteral("image.use"), {}, {}}, Fix{QStringLiteral("image.define"), {}, {}}};
    problem.fixes[0].args = {{QStringLiteral("image"), QStringLiteral("an_image_with_quite_a_long_name")}};
    problem.fixes[1].args = problem.args;
    view.setProblems({problem}, "x", {});
    QCoreApplication::processEvents();
    const auto *delegate = view.list()->findChild<ProblemDelegate *>();
    QVERIFY(delegate);
    const QRect row = view.list()->visualRect(view.model()->index(0, 0));
    const QList<QRect> buttons = delegate->fixRects(row, problem);
    QCOMPARE(buttons.size(), 2);
    for (const QRect &button : buttons) {
        QVERIFY2(row.contains(button), qPrintable(QString::number(button.left())));
        // Beside the sentence at the far end, or below it.
        QVERIFY2(button.left() > row.left() + row.width() * 2 / 3 || button.top() >= row.top() + row.height() / 2,
            qPrintable(QString::number(button.left())));
    }
    QSignalSpy fixes(&view, &ProblemsView::fixRequested);
    QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {}, buttons.last().center());
    QTRY_COMPARE(fixes.size(), 1);
    // In a wide row all is on one line again.
    view.resize(1600, 240);
    const auto wide = [&] { return view.list()->visualRect(view.model()->index(0, 0)); };
    QTRY_VERIFY(wide().width() > 1000 && wide().height() < row.height());
    QCOMPARE(delegate->fixRects(wide(), problem).first().center().y(), wide().center().y());
}

void TstDesignerPage::savesExactly()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a job.yaml"));
    const QByteArray bytes = QByteArray("\xEF\xBB\xBF") + "name: x\r\nother: \xFF\r\n";
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
    const QFile::Permissions permissions = file.permissions();
    QVERIFY(page->openFile(path).has_value());
    QCOMPARE(page->displayName(), QStringLiteral("a job.yaml"));
    QCOMPARE(page->bytes(), bytes);
    auto *text = find<CodeView>(page.get(), "yamlText");
    text->setCaret(text->byteCount());
    QTest::keyClicks(text, QStringLiteral("z"));
    QVERIFY(page->isModified());
    QVERIFY(page->save().has_value());
    QVERIFY(!page->isModified());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes + "z");
    file.close();
    QCOMPARE(file.permissions(), permissions);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    const QString other = folder.filePath(QStringLiteral("other.yaml"));
    QVERIFY(page->saveAs(other).has_value());
    QCOMPARE(page->filePath(), other);
    const Result<void> refused = page->saveAs(folder.filePath(QStringLiteral("no/such/folder.yaml")));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("file.unwritable"));
    QCOMPARE(page->filePath(), other);
    QCOMPARE(page->openFile(folder.path()).error().code, QStringLiteral("file.is-folder"));
    QCOMPARE(page->openFile(folder.filePath(QStringLiteral("none"))).error().code, QStringLiteral("file.unreadable"));
    // Nobody writes into this pipe: who opened it would wait for ever.
    const QString pipe = folder.filePath(QStringLiteral("pipe.yaml"));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QCOMPARE(page->openFile(pipe).error().code, QStringLiteral("file.not-regular"));
    QCOMPARE(page->openFile(QStringLiteral("/dev/zero")).error().code, QStringLiteral("file.not-regular"));
    page->newDocument("name: y\n");
    QSignalSpy asked(page.get(), &DesignerPage::saveAsRequested);
    QCOMPARE(page->save().error().code, QStringLiteral("file.no-path"));
    QCOMPARE(asked.size(), 1);
}

// What another program does.
static void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

void TstDesignerPage::noticesChangesOnDisk()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    const auto write = [&path](const QByteArray &bytes) { writeFile(path, bytes); };
    write("name: a\n");
    QVERIFY(page->openFile(path).has_value());
    page->show();
    auto *bar = find<InfoBar>(page.get(), "fileBar");
    QVERIFY(!bar->isVisible());
    // Nobody has changed anything here: it is what the file has, by itself.
    write("name: b\n");
    QTRY_COMPARE(page->bytes(), QByteArray("name: b\n"));
    QVERIFY(!page->isModified());
    QVERIFY(!bar->isVisible());
    page->undo();
    QCOMPARE(page->bytes(), QByteArray("name: a\n"));
    QVERIFY(page->isModified());
    // With changes here it is a question.
    write("name: c\n");
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(page->bytes(), QByteArray("name: a\n"));
    QTest::mouseClick(find<QPushButton>(page.get(), "diskReload"), Qt::LeftButton);
    QCOMPARE(page->bytes(), QByteArray("name: c\n"));
    QVERIFY(!page->isModified());
    QVERIFY(!bar->isVisible());
    // Right before Run: the watcher has told nothing yet.
    write("name: d\n");
    QCOMPARE(page->bytes(true), QByteArray("name: d\n"));
    page->undo();
    QVERIFY(page->isModified());
    // Our own saving is no news.
    QFileSystemWatcher folderWatcher({folder.path()});
    QSignalSpy noticed(&folderWatcher, &QFileSystemWatcher::directoryChanged);
    QVERIFY(page->save().has_value());
    QVERIFY(!noticed.isEmpty() || noticed.wait());
    settle(page.get());
    QVERIFY(!bar->isVisible());
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(page->isModified());
    QVERIFY(page->save().has_value());
    QVERIFY(QFile::exists(path));
    QVERIFY(!bar->isVisible());
}

// What somebody else wrote is never lost by a key that is pressed without looking.
void TstDesignerPage::savesOverNothingUnread()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    const auto write = [&path](const QByteArray &bytes) { writeFile(path, bytes); };
    const auto read = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    write("name: a\n");
    QVERIFY(page->openFile(path).has_value());
    page->show();
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "mine"}});
    QTRY_COMPARE(page->bytes(), QByteArray("name: mine\n"));
    // Right before the key: the watcher has told nothing yet.
    write("name: theirs\n");
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    QCOMPARE(read(), QByteArray("name: theirs\n"));
    auto *bar = find<InfoBar>(page.get(), "fileBar");
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->text().startsWith(QStringLiteral("Not saved")), qPrintable(bar->text()));
    // Pressed again with the question unanswered, and with another change in between.
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    write("name: theirs2\n");
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    QCOMPARE(read(), QByteArray("name: theirs2\n"));
    // The answer that was asked for.
    QSignalSpy asked(page.get(), &DesignerPage::saveRequested);
    const auto click = [&](const char *name) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // buttons of what was said before
        QTest::mouseClick(find<QPushButton>(page.get(), name), Qt::LeftButton);
    };
    click("diskKeep");
    QCOMPARE(asked.size(), 1);
    QVERIFY(page->save().has_value());
    QCOMPARE(read(), QByteArray("name: mine\n"));
    QVERIFY(!bar->isVisible() && !page->isModified());
    // The other answer.
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "again"}});
    write("name: theirs3\n");
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    click("diskReload");
    QCOMPARE(page->bytes(), QByteArray("name: theirs3\n"));
    QVERIFY(page->save().has_value());
    // Who wrote the same is in nobody's way; and a name of one's own is free.
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "same"}});
    write("name: same\n");
    QVERIFY(page->save().has_value());
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "copy"}});
    write("name: theirs4\n");
    QVERIFY(page->saveAs(folder.filePath(QStringLiteral("copy.yaml"))).has_value());
    QCOMPARE(read(), QByteArray("name: theirs4\n"));
}

void TstDesignerPage::writeProtectedStays()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("name: a\n");
    file.close();
    QCOMPARE(::chmod(QFile::encodeName(path).constData(), 0444), 0);
    QVERIFY(page->openFile(path).has_value());
    page->show();
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "mine"}});
    QCOMPARE(page->save().error().code, QStringLiteral("file.write-protected"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("name: a\n"));
    QVERIFY(page->isModified());
}

// Pictures for people: TRAINYARD_SCREENSHOTS names a folder.
void TstDesignerPage::screenshots()
{
    const QString folder = qEnvironmentVariable("TRAINYARD_SCREENSHOTS");
    if (folder.isEmpty()) {
        QSKIP("TRAINYARD_SCREENSHOTS is not set: name a folder for the pictures.");
    }
    QByteArray text = sampleText;
    text.replace("    dockerImage: tf_example\n    prerequisites", "    dockerImage: tf_exmple\n    prerequisites");
    HostInfo host;
    host.id = QStringLiteral("local");
    host.state = HostState::Online;
    host.cpus = 32;
    host.memoryMiB = 65536;
    host.gpus.resize(4);
    page->setHosts({host});
    show(text);
    settle(page.get());
    for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
        TrainyardStyle::installed()->setThemeMode(theme);
        settle(page.get());
        const QString suffix = theme == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        auto *image = find<QComboBox>(page.get(), "roleImage");
        image->lineEdit()->setFocus();
        settle(page.get());
        page->grab().save(folder + QStringLiteral("/designer-%1.png").arg(suffix));
        auto *form = find<QScrollArea>(page.get(), "jobForm");
        auto *tabs = find<QTabBar>(page.get(), "formTabs");
        find<QWidget>(page.get(), "roleMore")->setFocus();
        QTest::keyClick(find<QWidget>(page.get(), "roleMore"), Qt::Key_Space);
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            settle(page.get());
            form->ensureWidgetVisible(tabs, 0, 2000);
            form->verticalScrollBar()->setValue(form->verticalScrollBar()->maximum());
            settle(page.get());
            page->grab().save(folder + QStringLiteral("/designer-%1-tab%2.png").arg(suffix).arg(tab));
        }
        QTest::keyClick(find<QWidget>(page.get(), "roleMore"), Qt::Key_Space);
        form->verticalScrollBar()->setValue(0);
    }
    TrainyardStyle::installed()->setThemeMode(ThemeMode::Light);
}

TRAINYARD_GUI_TEST(TstDesignerPage)
#include "tst_designerpage.moc"
