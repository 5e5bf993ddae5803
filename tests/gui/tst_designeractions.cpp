// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/editor/helpcard.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/fields.h"
#include "widgets/form/formhelp.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// What the form does beside editing one field, and how it looks where there is much or little room.
class TstDesignerActions : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void tabGoesThroughTheForm();
    void renamesWithReferences();
    void keepsPasswordsInSecrets();
    void duplicatesWithComments();
    void reordersRolesAndEntries();
    void pastesParameters();
    void saysWhatIsTakenAsText();
    void takesSecretsOut();
    void choosesAKey();
    void makesAnImageForARole();
    void showsWhatRequiresWhat();
    void explainsFields();
    void jumpsToOtherKeys();
    void opensWhatTheCaretIsIn();
    void copesWithThousandsOfCommands();
    void copesWithThousandsOfParameters();
    void fitsNarrowForms();
    void addsRolesBesideThem();
    void waitsForAddedRoles_data();
    void waitsForAddedRoles();
    void saysWhatEndsAServer();
    void fitsLongNames();
    void closesUpWhatWasOpen();
    void fitsTheHeightOfCommands();
    void scrollsWithoutTurningPages();
    void opensCalmly();
    void screenshots();
    void noneIsNoImage();
    void saysWhatItsWordsMean();
    void asksForAnAddedValue();

private:
    void show(const QByteArray &bytes);
    void tab(int index) { find<QTabBar>(page.get(), "formTabs")->setCurrentIndex(index); }
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

void TstDesignerActions::showsWhatRequiresWhat()
{
    show(fullText);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 2);
    const QString order = find<QLabel>(page.get(), "prerequisiteOrder")->text().remove(QChar(0x200B));
    QVERIFY2(order.contains(QStringLiteral("install-git → cnn-benchmarks")), qPrintable(order));
    QVERIFY2(order.contains(QStringLiteral("worker")), qPrintable(order));
}

void TstDesignerActions::explainsFields()
{
    show(fullText);
    auto *box = find<QAbstractSpinBox>(page.get(), "roleInstances");
    focus(box);
    auto *brief = page->findChild<QWidget *>(QStringLiteral("fieldBrief"));
    QVERIFY(brief);
    QHelpEvent help(QEvent::ToolTip, QPoint(4, 4), box->mapToGlobal(QPoint(4, 4)));
    QCoreApplication::sendEvent(box, &help);
    const HelpCard *card = FormHelp::of(box)->card();
    QVERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("<b>instances</b>")), qPrintable(card->text()));
    // It leaves the field to be read, and the next key takes it away.
    QVERIFY(!card->geometry().intersects(QRect(box->mapToGlobal(QPoint()), box->size())));
    QTest::keyClick(box, Qt::Key_Escape);
    QVERIFY(!card->isVisible());
    QTest::keyClick(box, Qt::Key_F1);
    QVERIFY(card->isVisible());
    QTest::mouseClick(page->findChild<QWidget *>(QStringLiteral("fieldBrief")), Qt::LeftButton);
    QVERIFY(!card->isVisible());
    // Nor does it cover what is wrong with a field.
    show("name: n\ntaskRoles:\n  worker:\n    dockerImage: none\n    commands: [a]\n");
    auto *image = find<QComboBox>(page.get(), "roleImage");
    const auto message = [&]() -> const QLabel * {
        const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
        const auto found = std::find_if(labels.cbegin(), labels.cend(),
            [](const QLabel *label) { return label->text().remove(QChar(0x200B)).contains(QStringLiteral("'none'")); });
        return found == labels.cend() ? nullptr : *found;
    };
    QTRY_VERIFY(message() && message()->isVisible());
    focus(image);
    QTest::keyClick(image, Qt::Key_F1);
    QVERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("<b>dockerImage</b>")), qPrintable(card->text()));
    QVERIFY(!card->geometry().intersects(QRect(message()->mapToGlobal(QPoint()), message()->size())));
    FormHelp::of(image)->hide();
}

void TstDesignerActions::jumpsToOtherKeys()
{
    show(fullText);
    openTab(page.get(), ExtrasTab);
    auto *list = find<QListWidget>(page.get(), "extrasList");
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("tags_of_mine"));
    Q_EMIT list->itemClicked(list->item(0));
    auto *text = find<CodeView>(page.get(), "yamlText");
    QCOMPARE(text->caret(), QByteArray(fullText).indexOf("tags_of_mine"));
}

void TstDesignerActions::opensWhatTheCaretIsIn()
{
    show(fullText);
    auto *text = find<CodeView>(page.get(), "yamlText");
    const auto at = [&](const char *needle) {
        focus(text);
        text->setCaret(QByteArray(fullText).indexOf(needle) + 2);
    };
    auto *shared = find<QWidget>(page.get(), "roleShared");
    QVERIFY(!shared->isVisible());
    at("shmMB");
    QTRY_VERIFY(shared->isVisible());
    at("12001");
    QTRY_VERIFY(find<QWidget>(page.get(), "tensorboardPort")->isVisible());
    at("submitFrom");
    QTRY_VERIFY(find<QWidget>(page.get(), "jobSubmitFrom")->isVisible());
    at("az login");
    QTRY_COMPARE(find<QComboBox>(page.get(), "deploymentChoice")->currentIndex(), 1);
}

void TstDesignerActions::copesWithThousandsOfCommands()
{
    QByteArray text("name: n\ntaskRoles:\n  worker:\n    commands:\n");
    constexpr int many = 5000;
    for (int i = 0; i < many; ++i) {
        text += "      - echo line " + QByteArray::number(i) + " of many\n";
    }
    show(text);
    CodeView *view = commands(page.get());
    QTRY_COMPARE(view->lines(), qsizetype(many));
    focus(view);
    view->setCaret(view->lineEnd(many / 2));
    settle(page.get());
    // The keys themselves; parsing goes on elsewhere.
    QElapsedTimer clock;
    clock.start();
    constexpr int keys = 20;
    for (int i = 0; i < keys; ++i) {
        QTest::keyClick(view, Qt::Key_X);
    }
    const qint64 spent = clock.elapsed();
    qInfo("%d keys into %d commands: %lld ms", keys, many, static_cast<long long>(spent));
    leave(page.get());
    QByteArray expected = text;
    expected.replace("line 2500 of many\n", QByteArray("line 2500 of many" + QByteArray(keys, 'x') + "\n"));
    QTRY_COMPARE_WITH_TIMEOUT(page->bytes().size(), expected.size(), 15000);
    QCOMPARE(page->bytes(), expected);
}

void TstDesignerActions::copesWithThousandsOfParameters()
{
    QByteArray text("name: n\nparameters:\n");
    for (int i = 0; i < 3000; ++i) {
        text += "  p" + QByteArray::number(i) + ": " + QByteArray::number(i) + '\n';
    }
    show(text);
    auto *table = find<QTableWidget>(page.get(), "parametersTable");
    QTRY_COMPARE(table->rowCount(), 3000);
    QVERIFY(table->findChildren<QToolButton *>().size() < 100);
    table->scrollToBottom();
    QTRY_VERIFY(table->cellWidget(2999, 2));
    rowTool(page.get(), "parametersTable", 2999, "valueRemove");
    QTRY_VERIFY(!page->bytes().contains("p2999"));
    QTRY_COMPARE(table->rowCount(), 2999);
}

// Nothing may be cut off where the form is narrow.
void TstDesignerActions::fitsNarrowForms()
{
    show(fullText);
    page->resize(700, 820);
    settle(page.get());
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    for (int index = ParametersTab; index <= ExtrasTab; ++index) {
        tab(index);
        settle(page.get());
        const auto parts = form->widget()->findChildren<QWidget *>();
        for (const QWidget *part : parts) {
            if (part->isVisible() && part->minimumSizeHint().width() > form->viewport()->width() - 32) {
                qInfo("%s %s needs %d px", part->metaObject()->className(), qPrintable(part->objectName()),
                    part->minimumSizeHint().width());
            }
        }
        QVERIFY2(form->widget()->width() <= form->viewport()->width(),
            qPrintable(QStringLiteral("tab %1: %2 > %3")
                           .arg(index)
                           .arg(form->widget()->width())
                           .arg(form->viewport()->width())));
    }
    auto *memory = find<QAbstractSpinBox>(page.get(), "roleMemory");
    auto *edit = memory->findChild<QLineEdit *>();
    QCOMPARE(edit->text(), QStringLiteral("256 MiB"));
    QVERIFY(edit->width() - 4 >= edit->fontMetrics().horizontalAdvance(edit->text()));
}

// Where roles are added is right beside them.
void TstDesignerActions::addsRolesBesideThem()
{
    show("protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  w: {instances: 1, commands: [echo]}\n");
    const auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    const auto *add = find<QToolButton>(page.get(), "roleAdd");
    const int end = tabs->mapTo(page.get(), tabs->tabRect(0).topRight()).x();
    const int gap = add->mapTo(page.get(), QPoint(0, 0)).x() - end;
    QVERIFY2(gap >= 0 && gap <= 16, qPrintable(QString::number(gap)));
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

// It never ends by itself, so nothing is said of the end of all tasks.
void TstDesignerActions::saysWhatEndsAServer()
{
    show("protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  ps:\n    instances: 1\n    completion:\n"
         "      minSucceededInstances: -1\n    commands:\n      - echo\n  worker:\n    instances: 3\n"
         "    completion:\n      minSucceededInstances: 3\n    commands:\n      - echo\n");
    const auto said = [this] { return find<QLabel>(page.get(), "roleConsequence")->text().remove(QChar(0x200b)); };
    find<QTabBar>(page.get(), "roleTabs")->setCurrentIndex(0);
    QTRY_VERIFY2(said().contains(QStringLiteral("when enough tasks of worker have succeeded")), qPrintable(said()));
    QVERIFY2(!said().contains(QStringLiteral("all tasks have finished")), qPrintable(said()));
    // The number stands in a sentence: "Fail the job when 1 task of ps has failed".
    const auto words = find<QWidget>(page.get(), "roleCard")->findChildren<ElidedLabel *>();
    QVERIFY(std::any_of(words.cbegin(), words.cend(),
        [](const ElidedLabel *label) { return label->text() == QStringLiteral("task of ps has failed"); }));
}

// Names of any length, on a small screen at 150 %.
void TstDesignerActions::fitsLongNames()
{
    const QByteArray role = "parameterserverwithaverylongrolename_number_one_of_many";
    const QByteArray image = "an_image_with_quite_a_long_name_indeed_so_that_the_combo_box_is_too_narrow_for_it_by_far";
    const QByteArray step = "preparation_of_the_training_data_set_with_a_long_name";
    show("protocolVersion: 2\nname: a_very_long_job_name_that_goes_on_and_on_with_hyperparameters_lr_0_001\n"
         "type: job\ndescription: A long description that goes on for much longer than any field can show.\n"
         "taskRoles:\n  "
        + role + ":\n    instances:\n    dockerImage: " + image
        + "\n    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0, ports: {averylongportnamethatisreallylong: 2}}\n"
          "    prerequisites: ["
        + step
        + "]\n    commands: [sleep 60]\n  worker_with_another_long_role_name: {instances: 1000, dockerImage: " + image
        + ", resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}, commands: [sleep 60]}\nprerequisites:\n  - {name: "
        + image
        + ", type: dockerimage, uri: 'registry.example.org:5000/some/very/deep/path:and-a-long-tag'}\n  - {name: "
        + step
        + ", type: script, plugin: com.microsoft.pai.runtimeplugin.cmd, callbacks: "
          "[{event: taskStarts, commands: [echo prep]}]}\n");
    page->resize(640, 420);
    settle(page.get());
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    QVERIFY(form->width() <= 400);
    for (int index = ParametersTab; index <= ExtrasTab; ++index) {
        tab(index);
        settle(page.get());
        const auto parts = form->widget()->findChildren<QWidget *>();
        for (const QWidget *part : parts) {
            const int left = part->mapTo(form->widget(), QPoint(0, 0)).x();
            if (part->isVisible() && left + part->minimumSizeHint().width() > form->viewport()->width()) {
                qInfo("%s %s at %d needs %d px", part->metaObject()->className(), qPrintable(part->objectName()), left,
                    part->minimumSizeHint().width());
            }
        }
        QVERIFY2(form->widget()->width() <= form->viewport()->width(),
            qPrintable(QStringLiteral("tab %1: %2 > %3")
                           .arg(index)
                           .arg(form->widget()->width())
                           .arg(form->viewport()->width())));
    }
    QVERIFY(find<QWidget>(page.get(), "roleInstances")->width() >= 40);
    // The name of the file as well: beside it there is room for the buttons.
    page->newDocument(page->bytes(), QStringLiteral("an_extremely_long_file_name_for_a_training_job_of_many.pai.yaml"));
    settle(page.get());
    const QWidget *name = find<QWidget>(page.get(), "documentName");
    const QWidget *modes = find<QWidget>(page.get(), "viewMode");
    QVERIFY(name->geometry().right() < modes->geometry().left());
    QVERIFY(modes->geometry().right() < page->width());
}

// Pictures for people: TRAINYARD_SCREENSHOTS names a folder.
// What is closed leaves no room behind.
void TstDesignerActions::closesUpWhatWasOpen()
{
    // A job without roles shows no card, and what is hidden is not laid out.
    const auto heightOfCommands = [this] {
        const auto *commands = find<QWidget>(page.get(), "roleCard")->findChild<CommandsField *>();
        return commands->isVisible() ? commands->height() : 0;
    };
    const auto toggleAll = [this] {
        for (const char *each : {"jobMore", "queueDisclosure", "aboutDisclosure", "roleMore", "prerequisiteMore"}) {
            QTest::keyClick(find<QWidget>(page.get(), each), Qt::Key_Space);
        }
        settle(page.get());
    };
    show(fullText);
    page->resize(1192, 1450);
    settle(page.get());
    const int closed = heightOfCommands();
    QVERIFY(closed > 0);
    for (const char *text : {fullText, "protocolVersion: 2\nname: new\ntype: job\n", fullText}) {
        show(text);
        for (const int width : {1192, 900, 760}) {
            page->resize(width, 1450);
            toggleAll();
            for (int index = ParametersTab; index <= ExtrasTab; ++index) {
                tab(index);
                settle(page.get());
                if (width == 1192) {
                    QTRY_VERIFY2(heightOfCommands() <= closed, qPrintable(QString::number(heightOfCommands())));
                }
            }
        }
    }
}

void TstDesignerActions::fitsTheHeightOfCommands()
{
    show("protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n    commands:\n      - "
        + QByteArray("word ").repeated(60) + "\n      - two\n");
    auto *commands = find<QWidget>(page.get(), "roleCard")->findChild<CommandsField *>();
    const int narrow = commands->height();
    page->resize(3000, 820);
    QTRY_VERIFY(commands->height() < narrow); // fewer lines are broken
    page->resize(1192, 820);
    QTRY_COMPARE(commands->height(), narrow);
}

void TstDesignerActions::scrollsWithoutTurningPages()
{
    show(fullText);
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    for (const char *name : {"formTabs", "roleTabs"}) {
        auto *tabs = find<QTabBar>(page.get(), name);
        const int before = tabs->currentIndex();
        form->verticalScrollBar()->setValue(0);
        QWheelEvent wheel(QPointF(10, 10), tabs->mapToGlobal(QPointF(10, 10)), {}, {0, -120}, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(tabs, &wheel);
        QCOMPARE(tabs->currentIndex(), before);
        QVERIFY(!wheel.isAccepted()); // the next one above it may have it
    }
    // Nor does a choice change that the pointer passes; one that has the focus steps on.
    auto *image = find<QComboBox>(page.get(), "roleImage");
    leave(page.get());
    const QByteArray before = page->bytes();
    QWheelEvent wheel(QPointF(10, 10), image->mapToGlobal(QPointF(10, 10)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(image, &wheel);
    settle(page.get());
    QCOMPARE(page->bytes(), before);
}

// What opens shows its head; the caret has not been put anywhere yet.
void TstDesignerActions::opensCalmly()
{
    show(fullText);
    settle(page.get());
    QVERIFY(!find<QLineEdit>(page.get(), "jobContributor")->isVisible());
    QCOMPARE(find<QTabBar>(page.get(), "formTabs")->currentIndex(), int(ParametersTab));
    // Of a text that is not read nothing else is known, and one that cannot be read has no findings in its fields.
    show(QByteArray("a: b\n").repeated(300'000));
    settle(page.get());
    QCOMPARE(page->errorCount(), 1);
    QVERIFY(!page->canRun());
    QVERIFY(!page->runBlockers().isEmpty());
    show("name: a\n  b: [\n");
    settle(page.get());
    QVERIFY(page->errorCount() > 0);
    const auto messages = find<QWidget>(page.get(), "jobForm")->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::none_of(messages.cbegin(), messages.cend(), [](const QLabel *label) { return label->isVisible(); }));
    show(fullText);
    page->jumpTo(QByteArray(fullText).left(QByteArray(fullText).indexOf("contributor:")).count('\n') + 1, 1);
    QTRY_VERIFY(find<QLineEdit>(page.get(), "jobContributor")->isVisible());
}

void TstDesignerActions::screenshots()
{
    const QString folder = qEnvironmentVariable("TRAINYARD_SCREENSHOTS");
    if (folder.isEmpty()) {
        QSKIP("TRAINYARD_SCREENSHOTS is not set: set it to a folder for the pictures.");
    }
    const QByteArray empty("protocolVersion: 2\nname: new\ntype: job\n");
    for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
        TrainyardStyle::installed()->setThemeMode(theme);
        const QString suffix = theme == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        for (const bool full : {true, false}) {
            show(full ? QByteArray(fullText) : empty);
            page->resize(1192, 1300);
            page->setProblemsVisible(false);
            settle(page.get());
            const QString name = folder + (full ? QStringLiteral("/full-") : QStringLiteral("/empty-")) + suffix;
            find<QLineEdit>(page.get(), "jobName")->setFocus();
            page->grab().save(name + QStringLiteral(".png"));
            auto *form = find<QScrollArea>(page.get(), "jobForm");
            for (const char *each : {"jobMore", "queueDisclosure", "aboutDisclosure", "roleMore", "prerequisiteMore"}) {
                auto *disclosure = find<QWidget>(page.get(), each);
                QTest::keyClick(disclosure, Qt::Key_Space);
            }
            settle(page.get());
            form->verticalScrollBar()->setValue(0);
            page->grab().save(name + QStringLiteral("-head.png"));
            for (int index = ParametersTab; index <= ExtrasTab; ++index) {
                tab(index);
                if (full && index == PrerequisitesTab) {
                    find<QListWidget>(page.get(), "prerequisitesList")->setCurrentRow(2);
                }
                settle(page.get());
                form->verticalScrollBar()->setValue(form->verticalScrollBar()->maximum());
                settle(page.get());
                form->grab().save(QStringLiteral("%1-tab%2.png").arg(name).arg(index));
            }
        }
    }
    TrainyardStyle::installed()->setThemeMode(ThemeMode::Light);
}

// Without a mouse: everything that can be seen is reached in the order in which it is seen, and nothing holds on to the
// focus; back again too.
void TstDesignerActions::tabGoesThroughTheForm()
{
    show("protocolVersion: 2\nname: walk\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: x}\n"
         "taskRoles:\n  w:\n    dockerImage: img\n    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
         "    commands:\n      - echo hello\n");
    auto *form = find<QWidget>(page.get(), "jobForm");
    focus(find<QLineEdit>(page.get(), "jobName"));
    const auto walk = [&](Qt::Key key) {
        QList<QWidget *> seen;
        while (form->isAncestorOf(QApplication::focusWidget()) && !seen.contains(QApplication::focusWidget())) {
            seen.append(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), key);
        }
        return seen;
    };
    const QList<QWidget *> there = walk(Qt::Key_Tab);
    QVERIFY2(!form->isAncestorOf(QApplication::focusWidget()), qPrintable(there.last()->objectName()));
    qsizetype before = -1;
    for (const char *name : {"jobName", "jobMore", "roleTabs", "roleName", "roleImage", "roleGpu", "commandsText",
             "portAdd", "chainAdd", "roleMinFailed", "roleMore", "formTabs"}) {
        const qsizetype at = there.indexOf(find<QWidget>(page.get(), name));
        QVERIFY2(at > before, name);
        before = at;
    }
    QVERIFY(there.size() > before + 1); // what the last tab shows
    focus(there.last());
    QList<QWidget *> back = walk(Qt::Key_Backtab);
    std::reverse(back.begin(), back.end());
    QCOMPARE(back, there);
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

// Not only to whoever rests the pointer on them.
void TstDesignerActions::saysWhatItsWordsMean()
{
    const auto said = [this] {
        QString all;
        const auto labels = find<QWidget>(page.get(), "roleCard")->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all += label->isVisible() ? label->text() + u'|' : QString();
        }
        return all;
    };
    show(fullText);
    QVERIFY2(said().contains(QStringLiteral("4 cores and 8 GiB for each GPU")), qPrintable(said()));
    QVERIFY(!said().contains(QStringLiteral("setting of the host"))); // it runs in docker
    page->applyEdits({edit::Remove{{QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("runIn")}}});
    QTRY_VERIFY2(said().contains(QStringLiteral("setting of the host")), qPrintable(said()));
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
