// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/yamleditor.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// What the form does beside editing one field: renaming, moving, adding and taking out parts of the job.
class TstDesignerActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void renamesWithReferences();
    void keepsPasswordsInSecrets();
    void duplicatesWithComments();
    void reordersRolesAndEntries();
    void pastesParameters();
    void saysWhatIsTakenAsText();
    void takesSecretsOut();
    void choosesAKey();
    void makesAnImageForARole();
    void waitsForAddedRoles_data();
    void waitsForAddedRoles();
    void noneIsNoImage();
    void asksForAnAddedValue();

private:
    void show(const QByteArray &bytes);
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerActions::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerActions::cleanup() { page.reset(); }

void TstDesignerActions::show(const QByteArray &bytes)
{
    showDocument(page.get(), bytes, QStringLiteral("full.pai.yaml"));
}

void TstDesignerActions::renamesWithReferences()
{
    show(fullText);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 1);
    type(find<QLineEdit>(page.get(), "prerequisiteName"), QStringLiteral("get-git"));
    QByteArray expected = fullText;
    expected.replace("name: install-git", "name: get-git").replace("- install-git", "- get-git");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    type(find<QLineEdit>(page.get(), "prerequisiteName"), QStringLiteral("tf"));
    expected.replace("name: tf_example", "name: tf").replace("dockerImage: tf_example", "dockerImage: tf");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    page->undo();
    page->undo();
    QCOMPARE(page->bytes(), QByteArray(fullText));
    typeCell(page.get(), "parametersTable", 1, 0, QStringLiteral("size"));
    expected = fullText;
    expected.replace("  batchsize: 32", "  size: 32").replace("$parameters.batchsize", "$parameters.size");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    page->undo();
    openTab(page.get(), DeploymentsTab);
    type(find<QLineEdit>(page.get(), "deploymentName"), QStringLiteral("here"));
    expected = fullText;
    expected.replace("name: lab", "name: here").replace("deployment: lab", "deployment: here");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
}

void TstDesignerActions::keepsPasswordsInSecrets()
{
    // One that is a secret already: its value changes.
    show(fullText);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    type(find<QLineEdit>(page.get(), "prerequisitePassword"), QStringLiteral("newone"));
    QByteArray expected = fullText;
    expected.replace("docker_password: abcdefgh", "docker_password: newone");
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    // A new one: a secret and a reference to it, in one step.
    const QByteArray bare("name: n\nprerequisites:\n  - name: my-image\n    type: dockerimage\n    uri: x\n");
    show(bare);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    auto *edit = find<QLineEdit>(page.get(), "prerequisitePassword");
    QTRY_COMPARE(edit->echoMode(), QLineEdit::Password);
    type(edit, QStringLiteral("pw: 1"));
    QTRY_VERIFY(page->bytes().contains("password: <% $secrets.my_image_password %>\n"));
    QVERIFY(page->bytes().contains("secrets:\n  my_image_password: 'pw: 1'\n"));
    page->undo();
    QCOMPARE(page->bytes(), bare);
}

void TstDesignerActions::duplicatesWithComments()
{
    const QByteArray text("name: n\ntaskRoles:\n  # the workers\n  worker: # fast\n    instances: 2 # two\n"
                          "    commands:\n      - echo 1 # say\n  ps: &ps\n    commands: [a]\nprerequisites:\n"
                          "  # one\n  - name: a1 # it\n    type: script\n");
    show(text);
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    Q_EMIT tabs->customContextMenuRequested(tabs->tabRect(0).center());
    trigger(page.get(), "roleMenu", QStringLiteral("Duplicate"));
    QByteArray expected = text;
    const QByteArray copy(
        "  # the workers\n  worker2: # fast\n    instances: 2 # two\n    commands:\n      - echo 1 # say\n");
    expected.insert(expected.indexOf("  ps:"), copy);
    QTRY_COMPARE(page->bytes().split('\n'), expected.split('\n'));
    QTRY_COMPARE(tabs->currentIndex(), 1);
    page->undo();
    QCOMPARE(page->bytes(), text);
    // The copy has no anchors.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    Q_EMIT tabs->customContextMenuRequested(tabs->tabRect(1).center());
    trigger(page.get(), "roleMenu", QStringLiteral("Duplicate"));
    QTRY_VERIFY2(page->bytes().contains("  ps2:\n    commands: [a]\n"), page->bytes().constData());
    page->undo();
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    click(page.get(), "prerequisitesDuplicate");
    QTRY_COMPARE(
        page->bytes().split('\n'), QByteArray(text + "  # one\n  - name: a2 # it\n    type: script\n").split('\n'));
    page->undo();
    QCOMPARE(page->bytes(), text);
}

void TstDesignerActions::reordersRolesAndEntries()
{
    show(fullText);
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    QCOMPARE(tabs->tabData(0).toString(), QStringLiteral("worker"));
    const QPoint from = tabs->tabRect(0).center();
    const QPoint to(tabs->tabRect(1).right() - 4, from.y());
    QTest::mousePress(tabs, Qt::LeftButton, {}, from);
    for (int x = from.x(); x <= to.x(); x += 8) {
        QMouseEvent move(QEvent::MouseMove, QPointF(x, from.y()), tabs->mapToGlobal(QPointF(x, from.y())), Qt::NoButton,
            Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(tabs, &move);
    }
    QTest::mouseRelease(tabs, Qt::LeftButton, {}, to);
    QTRY_VERIFY(page->bytes().indexOf("\n  ps:\n") < page->bytes().indexOf("\n  worker:\n    instances"));
    QTRY_COMPARE(tabs->tabData(0).toString(), QStringLiteral("ps"));
    QTRY_COMPARE(tabs->tabData(tabs->currentIndex()).toString(), QStringLiteral("worker"));
    page->undo();
    QCOMPARE(page->bytes(), QByteArray(fullText));
    QVERIFY(!page->undoAction()->isEnabled()); // one step
    QTRY_COMPARE(tabs->tabData(0).toString(), QStringLiteral("worker"));
    // Entries of a list, by the keyboard.
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 0);
    auto *list = find<QListWidget>(page.get(), "prerequisitesList");
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTRY_VERIFY(page->bytes().indexOf("- name: tf_example") > page->bytes().indexOf("- name: install-git"));
    QTRY_COMPARE(list->currentRow(), 1);
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(page->bytes(), QByteArray(fullText));
    QTRY_COMPARE(list->currentRow(), 0);
}

void TstDesignerActions::pastesParameters()
{
    const QByteArray text("name: n\nparameters:\n  lr: 0.1 # keep\n");
    show(text);
    QApplication::clipboard()->setText(QStringLiteral("lr=1e-3\nexport MODEL=\"res net\"\n"));
    click(page.get(), "parametersTablePaste");
    QCOMPARE(find<QPlainTextEdit>(page.get(), "pasteText")->toPlainText(), QApplication::clipboard()->text());
    click(page.get(), "pasteAdd");
    QTRY_COMPARE(page->bytes(), QByteArray("name: n\nparameters:\n  lr: 1e-3 # keep\n  MODEL: res net\n"));
    page->undo();
    QCOMPARE(page->bytes(), text);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QApplication::clipboard()->setText(QStringLiteral("{\"a\": [1, 2], \"b\": {\"c\": true}}"));
    auto *table = find<QTableWidget>(page.get(), "parametersTable");
    focus(table);
    QTest::keyClick(table, Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(page->bytes(), text + "  a:\n    - 1\n    - 2\n  b:\n    c: true\n");
    page->undo();
    // What is no entry changes nothing, and says so.
    QApplication::clipboard()->setText(QStringLiteral("some words"));
    click(page.get(), "parametersTablePaste");
    QVERIFY(!find<QPushButton>(page.get(), "pasteAdd")->isEnabled());
    QCOMPARE(page->bytes(), text);
}

// Nothing typed is lost, and a list that does not end does not become a text without a word.
void TstDesignerActions::saysWhatIsTakenAsText()
{
    show("name: n\nparameters:\n  lr: 0.1\n  model: small\n");
    const auto *says = find<QLabel>(page.get(), "parametersAsText");
    QVERIFY(says->isHidden());
    typeCell(page.get(), "parametersTable", 0, 1, QStringLiteral("[1, 2"));
    QTRY_COMPARE(page->bytes(), QByteArray("name: n\nparameters:\n  lr: '[1, 2'\n  model: small\n"));
    QTRY_VERIFY(!says->isHidden());
    QVERIFY2(says->text().contains(u"'lr' is taken as text"), qPrintable(says->text()));
    QVERIFY2(says->text().contains(u"no closing"), qPrintable(says->text()));
    typeCell(page.get(), "parametersTable", 1, 1, QStringLiteral("res net"));
    QTRY_VERIFY(page->bytes().contains("model: res net"));
    QVERIFY(!says->isHidden()); // of the other one
    typeCell(page.get(), "parametersTable", 0, 1, QStringLiteral("[1, 2]"));
    QTRY_COMPARE(page->bytes(), QByteArray("name: n\nparameters:\n  lr: [1, 2]\n  model: res net\n"));
    QTRY_VERIFY(says->isHidden());
    typeCell(page.get(), "parametersTable", 0, 1, QStringLiteral("{a: 1"));
    QTRY_VERIFY(!says->isHidden());
    page->undo();
    QTRY_VERIFY(says->isHidden());
}

void TstDesignerActions::takesSecretsOut()
{
    const QByteArray text("name: n\nsecrets:\n  a: one # c\n  b: \"******\"\n  c: three\n");
    show(text);
    openTab(page.get(), SecretsTab);
    auto *table = find<QTableWidget>(page.get(), "secretsTable");
    QVERIFY(!table->item(0, 1)->text().contains(u"one"));
    auto *eye = table->cellWidget(0, 2)->findChild<QToolButton *>(QStringLiteral("secretReveal"));
    QTest::mousePress(eye, Qt::LeftButton);
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("one"));
    QTest::mouseRelease(eye, Qt::LeftButton);
    QVERIFY(!table->item(0, 1)->text().contains(u"one"));
    // A click is too short to see it.
    QToolTip::hideText();
    QTRY_VERIFY(!QToolTip::isVisible());
    QTest::mouseClick(eye, Qt::LeftButton);
    QTRY_VERIFY(QToolTip::isVisible());
    QVERIFY2(QToolTip::text().contains(u"Hold"), qPrintable(QToolTip::text()));
    QToolTip::hideText();
    // There is no keyring here: nothing goes without saying so.
    const auto allTheSame = [this] {
        auto *bar = find<InfoBar>(page.get(), "editBar");
        QVERIFY(bar->isVisible());
        bar->findChildren<QPushButton *>().last()->click();
    };
    rowTool(page.get(), "secretsTable", 2, "secretLock");
    QCOMPARE(page->bytes(), text);
    allTheSame();
    QByteArray expected = text;
    expected.replace("c: three", "c: '******'");
    QTRY_COMPARE(page->bytes(), expected);
    click(page.get(), "secretsTakeOut");
    allTheSame();
    expected.replace("a: one", "a: '******'");
    QTRY_COMPARE(page->bytes(), expected);
    QVERIFY(!find<QPushButton>(page.get(), "secretsTakeOut")->isVisible());
    page->undo();
    page->undo();
    QCOMPARE(page->bytes(), text);
}

void TstDesignerActions::choosesAKey()
{
    QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkdir(QStringLiteral(".ssh")));
    QFile file(home.filePath(QStringLiteral(".ssh/id_ed25519.pub")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("ssh-ed25519 AAAAKEY me@here\n");
    file.close();
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", home.path().toLocal8Bit());
    show("name: n\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ssh\n");
    openItem(page.get(), PluginsTab, "pluginsList", 0);
    click(page.get(), "sshChooseKey");
    trigger(page.get(), "sshKeyMenu", QStringLiteral("id_ed25519.pub (me@here)"));
    qputenv("HOME", before);
    QTRY_COMPARE(page->bytes(),
        QByteArray("name: n\nextras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ssh\n      parameters:\n"
                   "        userssh:\n          value: ssh-ed25519 AAAAKEY me@here\n          type: custom\n"));
}

void TstDesignerActions::makesAnImageForARole()
{
    show("name: n\n");
    QVERIFY(!page->findChild<Chip *>(QStringLiteral("port_name"))); // no role, no ports
    const QByteArray text("name: n\ntaskRoles:\n  worker:\n    commands: [a]\n");
    show(text);
    auto *combo = find<QComboBox>(page.get(), "roleImage");
    choose(page.get(), "roleImage", combo->count() - 1);
    QTRY_VERIFY(page->bytes().contains("    dockerImage: image\n"));
    QVERIFY(page->bytes().contains("prerequisites:\n  - name: image\n    type: dockerimage\n    uri: ubuntu:22.04\n"));
    QCOMPARE(combo->currentText(), QStringLiteral("image"));
    QTRY_VERIFY(find<QLineEdit>(page.get(), "prerequisiteName")->hasFocus());
    page->undo();
    QCOMPARE(page->bytes(), text);
}

void TstDesignerActions::waitsForAddedRoles_data()
{
    QTest::addColumn<QByteArray>("completion");
    QTest::addColumn<bool>("byCopy");
    const QByteArray limit("    completion:\n      minFailedInstances: 2\n");
    QTest::newRow("none") << QByteArray() << false;
    QTest::newRow("failures only") << limit << false;
    QTest::newRow("said already") << limit + "      minSucceededInstances: 1\n" << false;
    QTest::newRow("a copy") << QByteArray() << true;
}

// A second role changes nothing about the first one, and nobody is warned of what they did not write.
void TstDesignerActions::waitsForAddedRoles()
{
    QFETCH(const QByteArray, completion);
    QFETCH(const bool, byCopy);
    const QByteArray text
        = "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: x}\n"
          "taskRoles:\n  w:\n    instances: 1\n    dockerImage: img\n"
        + completion + "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n    commands:\n      - echo\n";
    show(text);
    const int warnings = page->warningCount();
    const auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    if (byCopy) {
        Q_EMIT find<QTabBar>(page.get(), "roleTabs")->customContextMenuRequested(tabs->tabRect(0).center());
        trigger(page.get(), "roleMenu", QStringLiteral("Duplicate"));
    } else {
        QTest::mouseClick(find<QToolButton>(page.get(), "roleAdd"), Qt::LeftButton);
    }
    QTRY_COMPARE(tabs->count(), 2);
    settle(page.get());
    QCOMPARE(page->warningCount(), warnings);
    QCOMPARE(page->bytes().count("minSucceededInstances: -1"), completion.contains("Succeeded") ? 1 : 2);
    page->undo();
    QCOMPARE(page->bytes(), text);
}

// The word for no image is taken for the name of one: what was meant is a click away.
void TstDesignerActions::noneIsNoImage()
{
    const QByteArray job("protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n    instances: 1\n"
                         "    dockerImage: none # the shell\n    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
                         "    commands: [echo]\n");
    show(job);
    QVERIFY(!page->canRun());
    const auto buttons = find<QWidget>(page.get(), "roleCard")->findChildren<QPushButton *>(QStringLiteral("fieldFix"));
    QPushButton *fix = nullptr;
    QStringList titles;
    for (QPushButton *button : buttons) {
        titles.append(button->accessibleName());
        if (button->isVisible() && button->accessibleName().startsWith(QStringLiteral("No image"))) {
            fix = button;
        }
    }
    QVERIFY2(fix, qPrintable(titles.join(u'|')));
    QVERIFY(!titles.contains(QStringLiteral("Define the image 'none'"))); // nobody means that
    fix->click();
    QTRY_VERIFY2(!page->bytes().contains("dockerImage"), page->bytes().constData());
    QTRY_VERIFY(page->canRun());
}

// The value of an added parameter is the next thing that is typed, in the form for who is there, else in the text.
void TstDesignerActions::asksForAnAddedValue()
{
    const QByteArray job("protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n"
                         "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
                         "    commands: [echo <% $parameters.rate %>]\n");
    show(job);
    const auto press = [](const QWidget *from) {
        const auto buttons = from->findChildren<QPushButton *>(QStringLiteral("fieldFix"));
        for (QPushButton *button : buttons) {
            if (button->isVisible() && button->accessibleName().contains(QStringLiteral("Add the parameter"))) {
                button->click();
                return true;
            }
        }
        return false;
    };
    const auto *table = find<QTableWidget>(page.get(), "parametersTable");
    page->setViewMode(DesignerPage::ViewMode::Form);
    settle(page.get());
    QVERIFY(press(find<QWidget>(page.get(), "roleCard")));
    QTRY_VERIFY2(page->bytes().contains("rate: null"), page->bytes().constData());
    QTRY_VERIFY(table->isAncestorOf(QApplication::focusWidget()));
    auto *cell = qobject_cast<QLineEdit *>(QApplication::focusWidget());
    QVERIFY(cell);
    QCOMPARE(cell->selectedText(), QStringLiteral("null"));
    QTest::keyClicks(cell, QStringLiteral("0.1"));
    QTest::keyClick(cell, Qt::Key_Return);
    QTRY_VERIFY2(page->bytes().contains("parameters:\n  rate: 0.1\n"), page->bytes().constData());

    show(job);
    page->setViewMode(DesignerPage::ViewMode::Both);
    auto *text = page->findChild<YamlEditor *>();
    focus(text);
    settle(page.get());
    QVERIFY(press(find<QWidget>(page.get(), "roleCard"))); // by the mouse: it takes no focus
    QTRY_VERIFY2(page->bytes().contains("rate: null"), page->bytes().constData());
    QTRY_COMPARE(text->view()->selectedText(), QStringLiteral("null"));
}

TRAINYARD_GUI_TEST(TstDesignerActions)
#include "tst_designeractions.moc"
