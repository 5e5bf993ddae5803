// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designersample.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/style.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/problemsview.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>

using namespace trainyard;
using namespace designertools;

namespace
{

// What the job says of itself, two folds down.
void openAbout(DesignerPage *page)
{
    openMore(page);
    QTest::mouseClick(find<QWidget>(page, "aboutDisclosure"), Qt::LeftButton);
}

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
    row("contributor", "contributor: OpenPAI", "contributor: me", [](DesignerPage *page) {
        openAbout(page);
        type(find<QLineEdit>(page, "jobContributor"), QStringLiteral("me"));
    });
    row("contributor emptied", "contributor: OpenPAI\n", "", [](DesignerPage *page) {
        openAbout(page);
        auto *edit = find<QLineEdit>(page, "jobContributor");
        focus(edit);
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClick(edit, Qt::Key_Return);
    });
    row("description", "on the CIFAR-10 data.\n", "on the CIFAR-10 data!\n", [](DesignerPage *page) {
        openAbout(page);
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
    row("gang off", "", "extras:\n  gangAllocation: false\n", [](DesignerPage *page) {
        openMore(page);
        find<QCheckBox>(page, "jobGang")->click();
    });
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

} // namespace

// What is typed into the form stands in the text, and nothing else of it changes.
class TstDesignerEdits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void editsFields_data();
    void editsFields();
    void undoesTypingAndFormEditsInOneStack();
    void menusOfFieldsUndoTheDocument_data();
    void menusOfFieldsUndoTheDocument();
    void keepsWhatIsBeingTyped();

private:
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerEdits::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerEdits::cleanup() { page.reset(); }

void TstDesignerEdits::editsFields_data() { addFieldRows(); }

void TstDesignerEdits::editsFields()
{
    QFETCH(Act, act);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    showSample(page.get(), sampleText);
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
    // One step, from wherever the focus is, once the window has it back from a popup: keys of others lead nowhere.
    settle(page.get()); // that a popup has lost the focus is told late
    QApplication::setActiveWindow(page.get());
    QTRY_VERIFY(page->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(page->focusWidget() ? page->focusWidget() : page.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page->bytes().split('\n'), before.split('\n'));
    QVERIFY(!page->isModified());
    page->redo();
    QVERIFY(page->bytes() != before);
}

void TstDesignerEdits::undoesTypingAndFormEditsInOneStack()
{
    showSample(page.get(), sampleText);
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

void TstDesignerEdits::menusOfFieldsUndoTheDocument_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::newRow("a line") << QByteArray("jobName");
    QTest::newRow("commands") << QByteArray("commandsText");
}

// By the mouse, as by Ctrl+Z: the newest step of the document, and not what was typed into the field.
void TstDesignerEdits::menusOfFieldsUndoTheDocument()
{
    QFETCH(QByteArray, field);
    showSample(page.get(), sampleText);
    const QByteArray first = sampleText;
    auto *text = find<CodeView>(page.get(), "yamlText");
    focus(text);
    text->setCaret(0);
    QTest::keyClicks(text, QStringLiteral("#"));
    settle(page.get());
    const QByteArray second = page->bytes();
    QCOMPARE(second, '#' + first);
    auto *widget = find<QWidget>(page.get(), field.constData());
    const QPoint inField(10, std::min(10, widget->height() / 2));
    const auto choose = [&](const QString &words) {
        QTest::mouseClick(page->windowHandle(), Qt::RightButton, {}, widget->mapTo(page.get(), inField));
        QTRY_VERIFY(qobject_cast<QMenu *>(QApplication::activePopupWidget()));
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        const QList<QAction *> actions = menu->actions();
        const auto action = std::find_if(actions.cbegin(), actions.cend(),
            [&words](const QAction *each) { return each->text().section(u'\t', 0, 0) == words; });
        QVERIFY(action != actions.cend());
        QVERIFY((*action)->isEnabled());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(*action).center());
        QTRY_VERIFY(!QApplication::activePopupWidget());
    };
    choose(QStringLiteral("&Undo"));
    QTRY_COMPARE(page->bytes(), first);
    QVERIFY(!page->undoAction()->isEnabled());
    choose(QStringLiteral("&Redo"));
    QTRY_COMPARE(page->bytes(), second);
}

// A new snapshot leaves alone what has the focus: text, caret and all.
void TstDesignerEdits::keepsWhatIsBeingTyped()
{
    showSample(page.get(), sampleText);
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

TRAINYARD_GUI_TEST(TstDesignerEdits)
#include "tst_designeredits.moc"
