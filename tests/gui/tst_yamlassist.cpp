// SPDX-License-Identifier: GPL-3.0-or-later
// The editor's help while writing, through real keys and clicks.
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/helpcard.h"
#include "widgets/editor/suggestpopup.h"
#include "widgets/form/designerpage.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QTest>

#include <algorithm>

using namespace trainyard;

namespace
{

const char sample[] = R"(protocolVersion: 2
name: assist
type: job
parameters:
  lr: 0.1
  epochs: 90
secrets:
  token: hidden-value
prerequisites:
  - name: image
    type: dockerimage
    uri: example.org/x
  - name: install-git
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
taskRoles:
  worker:
    instances: 2
    dockerImage: image
    resourcePerInstance: {gpu: 1, cpu: 4, memoryMB: 8192}
    commands:
      - python train.py --lr <% $parameters.lr %> --n <% $parameters.epochs %> <% $secrets.token %>
)";

} // namespace

class TstYamlAssist : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void suggestsKeysWhileTyping();
    void suggestsValuesAndReferences();
    void suggestsInATextThatDoesNotParse();
    void suggestsTemplatesAndVariables();
    void suggestsOnDemand();
    void staysOutOfTheWay();
    void choosesWithTheMouse();
    void isOneUndoStep();
    void helpsAtTheCaret();
    void helpsAtThePointer();
    void goesToDefinitionsAndBack();
    void goesToTheFirstOfTwoKeys();
    void followsCtrlClick();
    void stepsThroughProblemsAndMendsThem();
    void keysOfTheWindowLeaveTheFixes();
    void saysThatThereIsNoFix();
    void fixesAreOneMenu();
    void typesPairs();
    void movesAndDuplicatesLines();
    void reindents();
    void editsAtSeveralCarets();
    void foldsAtTheCaret();
    void undoesByKeys();
    void replacesStepByStep();
    void keepsCalmWhileTyping();
    void isQuietWhenReadOnly();

private:
    void show(const QByteArray &bytes);
    void caretAfter(const QByteArray &text);
    void keys(const char *text) { QTest::keyClicks(view, QString::fromLatin1(text)); }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(view, code, modifiers); }
    QStringList shown() const;
    QPoint placeOf(const QByteArray &text) const;
    QByteArray line(qsizetype offset) const;

    std::unique_ptr<DesignerPage> page;
    CodeView *view = nullptr;
    SuggestPopup *popup = nullptr;
    HelpCard *card = nullptr;
};

void TstYamlAssist::init() { page = std::make_unique<DesignerPage>(); }

void TstYamlAssist::cleanup() { page.reset(); }

void TstYamlAssist::show(const QByteArray &bytes)
{
    page->resize(1192, 820);
    page->newDocument(bytes, QStringLiteral("assist.pai.yaml"));
    page->show();
    page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(page.get()));
    view = page->findChild<CodeView *>(QStringLiteral("yamlText"));
    popup = view->findChild<SuggestPopup *>();
    card = view->findChild<HelpCard *>();
    QVERIFY(popup && card);
    view->setFocus();
    QTRY_VERIFY(view->hasFocus());
}

// From a key that stands twice to where it stands first.
void TstYamlAssist::goesToTheFirstOfTwoKeys()
{
    show("protocolVersion: 2\nname: a\ntype: job\nname: b\n");
    designertools::settle(page.get());
    view->setCaret(view->allBytes().indexOf("name: b") + 2);
    key(Qt::Key_F12);
    QTRY_COMPARE(line(view->caret()), "name: a");
}

void TstYamlAssist::caretAfter(const QByteArray &text)
{
    const qsizetype at = view->allBytes().indexOf(text);
    QVERIFY2(at >= 0, text.constData());
    view->setCaret(at + text.size());
}

QStringList TstYamlAssist::shown() const
{
    QStringList labels;
    for (int row = 0; popup->isVisible() && row < popup->count(); ++row) {
        labels.append(popup->list()->model()->index(row, 0).data().toString());
    }
    return labels;
}

QPoint TstYamlAssist::placeOf(const QByteArray &text) const
{
    const qsizetype at = view->allBytes().indexOf(text);
    const long height = view->SendScintilla(QsciScintillaBase::SCI_TEXTHEIGHT, 0UL);
    return view->pointOf(at + 1) + QPoint(2, int(height / 2));
}

QByteArray TstYamlAssist::line(qsizetype offset) const
{
    const qsizetype number = view->lineOf(offset);
    return view->bytesIn({view->lineStart(number), view->lineEnd(number)});
}

void TstYamlAssist::suggestsKeysWhileTyping()
{
    show(sample);
    caretAfter("instances: 2");
    key(Qt::Key_Return);
    QVERIFY(!popup->isVisible()); // nothing typed, nothing offered
    keys("co");
    QTRY_COMPARE(shown().value(0), QStringLiteral("completion"));
    QVERIFY(!shown().contains(QStringLiteral("commands"))); // is there
    key(Qt::Key_Return);
    QVERIFY(view->allBytes().contains("    instances: 2\n    completion:\n      \n    dockerImage"));
    // What a map can hold comes next.
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("minFailedInstances"), QStringLiteral("minSucceededInstances")}));
    key(Qt::Key_Down);
    key(Qt::Key_Tab);
    QVERIFY(view->allBytes().contains("    completion:\n      minSucceededInstances: \n    dockerImage"));
    keys("2");
    QVERIFY(!popup->isVisible());
    QTRY_VERIFY(page->canRun());
}

void TstYamlAssist::suggestsValuesAndReferences()
{
    show(sample);
    caretAfter("dockerImage: image");
    key(Qt::Key_Return);
    keys("prer");
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("prerequisites")}));
    key(Qt::Key_Tab);
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("install-git")}));
    QCOMPARE(view->findChild<QLabel *>(QStringLiteral("suggestHelp")) != nullptr, true);
    key(Qt::Key_Return);
    QVERIFY(view->allBytes().contains("    prerequisites:\n      - install-git\n"));
    caretAfter("type: dockerimage");
    for (int i = 0; i < 11; ++i) {
        key(Qt::Key_Backspace);
    }
    keys("ou");
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("output")}));
    key(Qt::Key_Escape);
    QVERIFY(!popup->isVisible());
    QVERIFY(view->allBytes().contains("type: ou\n"));
}

void TstYamlAssist::suggestsInATextThatDoesNotParse()
{
    show(sample);
    caretAfter("type: job\n");
    keys("broken: [1, {x");
    key(Qt::Key_Delete);
    key(Qt::Key_Delete);
    key(Qt::Key_Return);
    QTRY_VERIFY(!page->canRun());
    caretAfter("dockerImage: image");
    for (int i = 0; i < 5; ++i) {
        key(Qt::Key_Backspace);
    }
    keys("i");
    // The name is known from the last text that could be read.
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("image")}));
    key(Qt::Key_Return);
    QVERIFY(view->allBytes().contains("dockerImage: image\n"));
}

void TstYamlAssist::suggestsTemplatesAndVariables()
{
    show(sample);
    caretAfter("- python");
    keys(" <%");
    QTRY_VERIFY(popup->isVisible());
    QVERIFY(shown().contains(QStringLiteral("$parameters.lr")));
    keys("$sec");
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("$secrets.token")}));
    key(Qt::Key_Return);
    QVERIFY2(
        line(view->caret()).startsWith("      - python <% $secrets.token %> train"), line(view->caret()).constData());
    caretAfter("- python");
    keys(" ${PAI_HOST_IP");
    QTRY_COMPARE(
        shown(), (QStringList{QStringLiteral("PAI_HOST_IP_worker_0"), QStringLiteral("PAI_HOST_IP_worker_1")}));
    key(Qt::Key_Down);
    key(Qt::Key_Return);
    QVERIFY2(
        line(view->caret()).startsWith("      - python ${PAI_HOST_IP_worker_1} <%"), line(view->caret()).constData());
    keys(" $HOM");
    QVERIFY(!popup->isVisible() || !shown().contains(QStringLiteral("PAI_HOST_IP_worker_0")));
}

void TstYamlAssist::suggestsOnDemand()
{
    show(sample);
    caretAfter("type: job\n");
    key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(popup->isVisible());
    QVERIFY(shown().contains(QStringLiteral("description")));
    QVERIFY(!shown().contains(QStringLiteral("name")));
    const QString first = shown().value(0);
    key(Qt::Key_Up);
    QVERIFY(popup->current() && popup->current()->label == shown().last()); // around
    key(Qt::Key_Down);
    QCOMPARE(popup->current()->label, first);
    keys("desc");
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("description")}));
    key(Qt::Key_Backspace);
    QTRY_VERIFY(shown().contains(QStringLiteral("description")));
    key(Qt::Key_Left);
    key(Qt::Key_Left);
    key(Qt::Key_Left);
    key(Qt::Key_Left);
    QTRY_VERIFY(!popup->isVisible());
}

void TstYamlAssist::staysOutOfTheWay()
{
    show(sample);
    caretAfter("type: job");
    key(Qt::Key_Return);
    keys("description: nothing but words, and n");
    key(Qt::Key_Return);
    keys("version: 1");
    key(Qt::Key_Return);
    QCoreApplication::processEvents();
    QVERIFY(!popup->isVisible());
    QVERIFY(view->allBytes().contains("type: job\ndescription: nothing but words, and n\nversion: 1\n\nparameters:"));
    // Focus elsewhere, a click, or scrolling takes the list away.
    keys("ext");
    QTRY_VERIFY(popup->isVisible());
    page->findChild<QLineEdit *>(QStringLiteral("jobName"))->setFocus();
    QTRY_VERIFY(!popup->isVisible());
}

void TstYamlAssist::choosesWithTheMouse()
{
    show(sample);
    caretAfter("instances: 2");
    key(Qt::Key_Return);
    keys("s");
    QTRY_VERIFY(popup->isVisible());
    const int row = int(shown().indexOf(QStringLiteral("script")));
    QVERIFY(row >= 0);
    const QRect place = popup->list()->visualRect(popup->list()->model()->index(row, 0));
    QTest::mouseClick(popup->list()->viewport(), Qt::LeftButton, {}, place.center());
    QTRY_VERIFY(view->allBytes().contains("    instances: 2\n    script: \n"));
    QVERIFY(view->hasFocus());
}

void TstYamlAssist::isOneUndoStep()
{
    show(sample);
    caretAfter("instances: 2");
    key(Qt::Key_Return);
    keys("task");
    QTRY_COMPARE(shown(), (QStringList{QStringLiteral("taskRetryCount")}));
    const QByteArray before = view->allBytes();
    key(Qt::Key_Return);
    QVERIFY(view->allBytes().contains("    taskRetryCount: \n"));
    page->undo();
    QCOMPARE(view->allBytes(), before);
    page->redo();
    QVERIFY(view->allBytes().contains("    taskRetryCount: \n"));
}

void TstYamlAssist::helpsAtTheCaret()
{
    show(sample);
    caretAfter("    inst");
    key(Qt::Key_F1);
    QTRY_VERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("<b>instances</b>")), qPrintable(card->text()));
    QVERIFY(card->text().contains(QStringLiteral("integer")));
    key(Qt::Key_Right);
    QVERIFY(!card->isVisible());
    caretAfter("$parameters.l");
    key(Qt::Key_F1);
    QTRY_VERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("Now: 0.1")), qPrintable(card->text()));
    key(Qt::Key_Escape);
    QVERIFY(!card->isVisible());
    // A secret's value is nobody's business.
    caretAfter("$secrets.tok");
    key(Qt::Key_F1);
    QTRY_VERIFY(card->text().contains(QStringLiteral("secret")));
    QVERIFY(!card->text().contains(QStringLiteral("hidden-value")));
    // What is wrong there comes first.
    caretAfter("dockerImage: image");
    keys("x");
    QTRY_VERIFY(!page->canRun());
    key(Qt::Key_F1);
    QTRY_VERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("error")), qPrintable(card->text()));
    QVERIFY(card->text().indexOf(QStringLiteral("error")) < card->text().indexOf(QStringLiteral("<b>")));
}

void TstYamlAssist::helpsAtThePointer()
{
    show(sample);
    const auto rest = [this](const QByteArray &text) { // what Scintilla says when the pointer stays
        const QPoint place = placeOf(text);
        QTest::mouseMove(view->viewport(), place);
        Q_EMIT view->SCN_DWELLSTART(int(view->allBytes().indexOf(text) + 1), place.x(), place.y());
    };
    QTest::mouseMove(view->viewport(), placeOf("type: job"));
    QTRY_VERIFY(view->viewport()->underMouse());
    rest("dockerImage: image");
    QTRY_VERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("<b>dockerImage</b>")), qPrintable(card->text()));
    QTest::mouseMove(view->viewport(), placeOf("protocolVersion"));
    QTRY_VERIFY(!card->isVisible());
    rest("python train.py"); // words of a command: nothing to say unasked
    QVERIFY(!card->isVisible());
    rest("$parameters.lr");
    QTRY_VERIFY(card->isVisible());
    key(Qt::Key_Down);
    QVERIFY(!card->isVisible());
}

void TstYamlAssist::goesToDefinitionsAndBack()
{
    show(sample);
    QTRY_VERIFY(page->canRun());
    caretAfter("$parameters.epo");
    const qsizetype from = view->caret();
    key(Qt::Key_F12);
    QCOMPARE(line(view->caret()), QByteArray("  epochs: 90"));
    caretAfter("dockerImage: im");
    key(Qt::Key_F12);
    QCOMPARE(line(view->caret()), QByteArray("  - name: image"));
    key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(line(view->caret()), QByteArray("    dockerImage: image"));
    key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(view->caret(), from);
    key(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(line(view->caret()), QByteArray("    dockerImage: image"));
    // Places ride along with what is typed before them.
    view->setCaret(0);
    keys("# new");
    key(Qt::Key_Return);
    key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(view->caret(), from + 6);
    // Where nothing leads anywhere, it says so.
    caretAfter("type: jo");
    QTRY_VERIFY(page->canRun());
    key(Qt::Key_F12);
    QTRY_VERIFY(card->isVisible());
}

void TstYamlAssist::followsCtrlClick()
{
    show(sample);
    QTRY_VERIFY(page->canRun());
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier, placeOf("image\n    resource"));
    QCOMPARE(line(view->caret()), QByteArray("  - name: image"));
    QCOMPARE(view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONS), 1L);
}

void TstYamlAssist::stepsThroughProblemsAndMendsThem()
{
    QByteArray wrong = sample;
    wrong.replace("dockerImage: image", "dockerImage: imagge");
    wrong.replace("instances: 2", "instances: 0");
    show(wrong);
    QTRY_VERIFY(page->errorCount() >= 2);
    view->setCaret(0);
    QList<QByteArray> lines;
    for (int i = 0; i < 8; ++i) {
        key(Qt::Key_F8);
        lines.append(line(view->caret()).trimmed());
    }
    QVERIFY2(lines.contains("instances: 0"), lines.join('\n').constData());
    QVERIFY2(lines.contains("dockerImage: imagge"), lines.join('\n').constData());
    key(Qt::Key_F8, Qt::ShiftModifier);
    caretAfter("dockerImage: imag");
    key(Qt::Key_Period, Qt::ControlModifier);
    QMenu *menu = nullptr;
    QTRY_VERIFY((menu = page->findChild<QMenu *>(QStringLiteral("fixMenu"))) && menu->isVisible());
    QVERIFY(menu->activeAction());
    // The keyboard is enough.
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_VERIFY(
        !view->allBytes().contains("dockerImage: imagge\n    resource") || view->allBytes().contains("name: imagge"));
    page->undo();
    QCOMPARE(view->allBytes(), wrong);
}

// Such as F5, which runs the job: a menu that is open does not swallow it.
void TstYamlAssist::keysOfTheWindowLeaveTheFixes()
{
    QByteArray wrong = sample;
    wrong.replace("dockerImage: image", "dockerImage: imagge");
    show(wrong);
    QTRY_VERIFY(page->errorCount() >= 1);
    QAction run;
    run.setShortcut(Qt::Key_F5);
    QAction off;
    off.setShortcut(Qt::Key_F6);
    off.setEnabled(false);
    page->addActions({&run, &off});
    int runs = 0;
    connect(&run, &QAction::triggered, this, [&runs] { ++runs; });
    caretAfter("dockerImage: imag");
    key(Qt::Key_Period, Qt::ControlModifier);
    QPointer<QMenu> menu;
    QTRY_VERIFY((menu = page->findChild<QMenu *>(QStringLiteral("fixMenu"))) && menu->isVisible());
    QTest::keyClick(menu.data(), Qt::Key_F6); // its action is off
    QVERIFY(menu && menu->isVisible());
    QTest::keyClick(menu.data(), Qt::Key_F5);
    QTRY_COMPARE(runs, 1);
    QTRY_VERIFY(!menu);
    QCOMPARE(view->allBytes(), wrong); // and no fix was taken
}

// It answers in a hint, which takes no key and no click.
void TstYamlAssist::saysThatThereIsNoFix()
{
    show(sample);
    QTRY_VERIFY(page->canRun());
    caretAfter("name: assist");
    for (int i = 0; i < 2; ++i) {
        key(Qt::Key_Period, Qt::ControlModifier);
        QTRY_VERIFY(card->isVisible());
        QVERIFY(card->text().contains(QStringLiteral("no quick fix")));
        QVERIFY(!QApplication::activePopupWidget());
    }
    keys("ed");
    QVERIFY(!card->isVisible());
    QVERIFY(view->allBytes().contains("name: assisted\n"));
}

// The key reaches the window also while the menu is open.
void TstYamlAssist::fixesAreOneMenu()
{
    QByteArray wrong = sample;
    wrong.replace("dockerImage: image", "dockerImage: imagge");
    show(wrong);
    QTRY_VERIFY(page->errorCount() >= 1);
    caretAfter("dockerImage: imag");
    const auto open = [this] {
        const QList<QMenu *> menus = page->findChildren<QMenu *>(QStringLiteral("fixMenu"));
        return std::count_if(menus.cbegin(), menus.cend(), [](const QMenu *menu) { return menu->isVisible(); });
    };
    auto *fix = page->findChild<QAction *>(QStringLiteral("actionQuickFix"));
    QVERIFY(fix);
    for (int i = 0; i < 3; ++i) {
        fix->trigger();
        QCOMPARE(open(), 1);
    }
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
    QCOMPARE(open(), 0);
    QCOMPARE(view->allBytes(), wrong);
}

void TstYamlAssist::typesPairs()
{
    show("a: x\n");
    caretAfter("a: x\n");
    keys("b: [1, ");
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: [1, ]"));
    keys("{c: \"d\"}]");
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: [1, {c: \"d\"}]"));
    key(Qt::Key_Return);
    keys("d: it's (");
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: [1, {c: \"d\"}]\nd: it's ()"));
    key(Qt::Key_Backspace); // both
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: [1, {c: \"d\"}]\nd: it's "));
    keys("<%");
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: [1, {c: \"d\"}]\nd: it's <%  %>"));
    keys(" "); // as one types it by hand
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: [1, {c: \"d\"}]\nd: it's <%  %>"));
    keys("$x %> y"); // stepped over
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: [1, {c: \"d\"}]\nd: it's <% $x %> y"));
    // Around a selection.
    view->select({3, 4});
    keys("\"");
    QVERIFY(view->allBytes().startsWith("a: \"x\"\n"));
    QCOMPARE(view->selectedText(), QStringLiteral("x"));
    page->undo();
    QVERIFY(view->allBytes().startsWith("a: x\n"));
}

void TstYamlAssist::movesAndDuplicatesLines()
{
    show("a: 1\nb: 2\nc: 3\n");
    view->setCaret(6);
    key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(view->allBytes(), QByteArray("b: 2\na: 1\nc: 3\n"));
    key(Qt::Key_Down, Qt::AltModifier);
    key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(view->allBytes(), QByteArray("a: 1\nc: 3\nb: 2\n"));
    key(Qt::Key_D, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(view->allBytes(), QByteArray("a: 1\nc: 3\nb: 2\nb: 2\n"));
    page->undo();
    page->undo();
    page->undo();
    page->undo();
    QCOMPARE(view->allBytes(), QByteArray("a: 1\nb: 2\nc: 3\n"));
    view->setCaret(6);
    key(Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(view->allBytes(), QByteArray("a: 1\n# b: 2\nc: 3\n"));
}

void TstYamlAssist::reindents()
{
    show("a:\n  b:\n x: 1\n   y:\n\t- z\nc: 1\n");
    const QByteArray before = view->allBytes();
    view->select({before.indexOf(" x: 1"), before.indexOf("c: 1")});
    key(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(view->allBytes(), QByteArray("a:\n  b:\n    x: 1\n      y:\n     - z\nc: 1\n"));
    page->undo();
    QCOMPARE(view->allBytes(), before);
    // A paste from elsewhere goes to the nearest column that makes sense.
    view->setAllBytes("a:\n  b: 1\n     c: 2\n     d: 3\n");
    const QByteArray pasted = view->allBytes();
    view->select({pasted.indexOf("     c"), pasted.size()});
    key(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(view->allBytes(), QByteArray("a:\n  b: 1\n  c: 2\n  d: 3\n"));
}

void TstYamlAssist::editsAtSeveralCarets()
{
    show("a: 1\nb: 1\nc: 1\n");
    view->setCaret(4);
    key(Qt::Key_Down, Qt::ControlModifier | Qt::AltModifier);
    key(Qt::Key_Down, Qt::ControlModifier | Qt::AltModifier);
    keys("0");
    QCOMPARE(view->allBytes(), QByteArray("a: 10\nb: 10\nc: 10\n"));
    key(Qt::Key_Escape);
    QCOMPARE(view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONS), 1L);
    view->setCaret(4);
    key(Qt::Key_D, Qt::ControlModifier);
    key(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONS), 2L);
    keys("x");
    QCOMPARE(view->allBytes(), QByteArray("a: x\nb: x\nc: 10\n"));
    // Columns: Alt+Shift and the arrows.
    key(Qt::Key_Escape);
    view->setCaret(0);
    key(Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
    key(Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
    keys("k");
    QCOMPARE(view->allBytes(), QByteArray("ka: x\nkb: x\nkc: 10\n"));
}

void TstYamlAssist::foldsAtTheCaret()
{
    show(sample);
    view->viewport()->repaint();
    view->SendScintilla(QsciScintillaBase::SCI_COLOURISE, 0UL, -1L);
    caretAfter("    inst");
    const auto inside = static_cast<unsigned long>(view->lineOf(view->caret()));
    key(Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, inside));
    QCOMPARE(line(view->caret()), QByteArray("  worker:"));
    key(Qt::Key_BracketRight, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, inside));
}

void TstYamlAssist::undoesByKeys()
{
    show("a: 1\n");
    view->setCaret(4);
    keys("2");
    key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(view->allBytes(), QByteArray("a: 1\n"));
    key(Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(view->allBytes(), QByteArray("a: 12\n"));
    key(Qt::Key_Z, Qt::ControlModifier);
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(view->allBytes(), QByteArray("a: 12\n"));
}

void TstYamlAssist::replacesStepByStep()
{
    show("lr1: 0.1\nlr2: 0.2\nlr3: 0.3\n");
    view->setCaret(0);
    key(Qt::Key_H, Qt::ControlModifier);
    auto *pattern = page->findChild<QLineEdit *>(QStringLiteral("findPattern"));
    auto *count = page->findChild<QLabel *>(QStringLiteral("findCount"));
    QTRY_VERIFY(pattern->hasFocus());
    page->findChild<QAbstractButton *>(QStringLiteral("findRegex"))->click();
    QTest::keyClicks(pattern, QStringLiteral("lr(\\d)"));
    QCOMPARE(count->text(), QStringLiteral("1 of 3"));
    QTest::keyClicks(page->findChild<QLineEdit *>(QStringLiteral("findReplacement")), QStringLiteral("rate\\1"));
    QTest::mouseClick(page->findChild<QAbstractButton *>(QStringLiteral("findReplace")), Qt::LeftButton);
    QCOMPARE(view->allBytes(), QByteArray("rate1: 0.1\nlr2: 0.2\nlr3: 0.3\n"));
    QTest::mouseClick(page->findChild<QAbstractButton *>(QStringLiteral("findReplaceAll")), Qt::LeftButton);
    QCOMPARE(view->allBytes(), QByteArray("rate1: 0.1\nrate2: 0.2\nrate3: 0.3\n"));
    page->undo(); // all of them
    QCOMPARE(view->allBytes(), QByteArray("rate1: 0.1\nlr2: 0.2\nlr3: 0.3\n"));
    page->undo();
    QCOMPARE(view->allBytes(), QByteArray("lr1: 0.1\nlr2: 0.2\nlr3: 0.3\n"));
    // The count follows what is typed meanwhile.
    view->setFocus();
    view->setCaret(view->byteCount());
    keys("lr4");
    QTRY_VERIFY2(count->text().startsWith(QStringLiteral("4 ")), qPrintable(count->text()));
    QTest::keyClick(pattern, Qt::Key_Escape);
    QVERIFY(view->hasFocus());
}

// A key without its colon makes the text unreadable for a moment: nothing closes and no line moves.
void TstYamlAssist::keepsCalmWhileTyping()
{
    show(sample);
    QTRY_VERIFY(page->canRun());
    auto *closed = page->findChild<QWidget *>(QStringLiteral("formUnavailable"));
    auto *bar = page->findChild<QWidget *>(QStringLiteral("fixBar"));
    QVERIFY(closed && bar);
    caretAfter("type: job");
    key(Qt::Key_Return);
    keys("half");
    QTRY_VERIFY(page->errorCount() > 0); // said at once, in the list
    QVERIFY(!closed->isVisible());
    QVERIFY(!bar->isVisible());
    QTRY_VERIFY(closed->isVisible()); // it stays like that
    for (int i = 0; i < 5; ++i) {
        key(Qt::Key_Backspace);
    }
    QTRY_VERIFY(page->canRun());
    QVERIFY(!closed->isVisible());
}

void TstYamlAssist::isQuietWhenReadOnly()
{
    show(QByteArray("name: x\n") + QByteArray("# comment line\n").repeated(600000));
    QVERIFY(page->isReadOnly());
    const QByteArray before = view->allBytes();
    view->setCaret(0);
    key(Qt::Key_Space, Qt::ControlModifier);
    key(Qt::Key_Up, Qt::AltModifier);
    key(Qt::Key_I, Qt::ControlModifier);
    key(Qt::Key_D, Qt::ControlModifier | Qt::AltModifier);
    keys("[x");
    QVERIFY(!popup->isVisible());
    QCOMPARE(view->byteCount(), before.size());
    QCOMPARE(view->allBytes(), before);
}

TRAINYARD_GUI_TEST(TstYamlAssist)
#include "tst_yamlassist.moc"
