// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

#include <memory>

using namespace trainyard;
using namespace designertools;

namespace
{

// More commands than the field shows: it could scroll by itself.
QByteArray longRole()
{
    QByteArray text = "protocolVersion: 2\nname: j\ntype: job\ndescription: |\n"
        + QByteArray("  a line of many\n").repeated(20) + "taskRoles:\n  w:\n    instances: 1\n    commands:\n";
    for (int i = 0; i < 40; ++i) {
        text += "      - echo " + QByteArray::number(i) + "\n";
    }
    return text;
}

// As the desktop sends it: only such an event moves the focus.
void turnWheel(QWidget *widget, int angle)
{
    const QPointF at = QRectF(widget->rect()).center();
    QWheelEvent wheel(
        at, widget->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&wheel);
    qApp->notify(widget, &wheel);
}

} // namespace

// Scrolling moves what is in sight and nothing else: not the caret, not a value.
class TstDesignerScroll : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { page = std::make_unique<DesignerPage>(); }
    void cleanup() { page.reset(); }
    void theWheelLeavesTheCaret_data();
    void theWheelLeavesTheCaret();
    void scrollsWhereSomebodyWorks();
    void whatIsAddedIsSeenWithItsButton();
    void shortLinesShowTheirBeginning();
    void undoneLinesShowTheirBeginning();

private:
    void show(const QByteArray &bytes)
    {
        showDocument(page.get(), bytes, QStringLiteral("scroll.pai.yaml"));
        page->resize(1192, 420); // the form has more than it shows
        settle(page.get());
    }
    CodeView *yaml() { return find<CodeView>(page.get(), "yamlText"); }
    long leftOfText() { return yaml()->SendScintilla(QsciScintillaBase::SCI_GETXOFFSET); }
    QScrollBar *formBar() { return find<QScrollArea>(page.get(), "jobForm")->verticalScrollBar(); }
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerScroll::theWheelLeavesTheCaret_data()
{
    using Passed = std::function<QWidget *(DesignerPage *)>;
    QTest::addColumn<Passed>("passed");
    QTest::newRow("commands") << Passed([](DesignerPage *shown) { return commands(shown)->viewport(); });
    QTest::newRow("description") << Passed(
        [](DesignerPage *shown) { return find<QPlainTextEdit>(shown, "jobDescription")->viewport(); });
    QTest::newRow("choice") << Passed([](DesignerPage *shown) { return find<QComboBox>(shown, "roleImage"); });
    QTest::newRow("number") << Passed(
        [](DesignerPage *shown) { return find<QAbstractSpinBox>(shown, "roleInstances"); });
}

void TstDesignerScroll::theWheelLeavesTheCaret()
{
    using Passed = std::function<QWidget *(DesignerPage *)>;
    QFETCH(Passed, passed);
    const QByteArray before = longRole();
    show(before);
    QWidget *below = passed(page.get());
    if (!below->isVisible()) {
        openMore(page.get());
        QTest::keyClick(find<QWidget>(page.get(), "aboutDisclosure"), Qt::Key_Space);
        settle(page.get());
    }
    yaml()->setFocus();
    yaml()->setCaret(before.indexOf("name: j"));
    settle(page.get());
    const qsizetype caret = yaml()->caret();
    QVERIFY(formBar()->maximum() > 0);
    formBar()->setValue(0);
    turnWheel(below, -120);
    QVERIFY2(formBar()->value() > 0, "the form scrolls on");
    settle(page.get());
    QVERIFY(yaml()->hasFocus());
    QCOMPARE(yaml()->caret(), caret);
    QTest::keyClick(yaml(), 'x');
    settle(page.get());
    QCOMPARE(page->bytes(), QByteArray(before).replace("name: j", "xname: j"));
}

void TstDesignerScroll::scrollsWhereSomebodyWorks()
{
    show(longRole());
    CodeView *text = commands(page.get());
    focus(text);
    settle(page.get());
    const auto top = [text] { return text->SendScintilla(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE); };
    QCOMPARE(top(), 0L);
    turnWheel(text->viewport(), -120);
    QVERIFY(top() > 0);
}

// At the end of the form: the row that is written in, and the button for the next one.
void TstDesignerScroll::whatIsAddedIsSeenWithItsButton()
{
    show("protocolVersion: 2\nname: j\ntype: job\nparameters:\n  a: 1\n  b: 2\ntaskRoles:\n  w:\n    instances: 1\n");
    auto *add = find<QPushButton>(page.get(), "parametersTableAdd");
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    const auto isWhole = [form](const QWidget *widget) {
        return form->viewport()->rect().contains(QRect(widget->mapTo(form->viewport(), QPoint(0, 0)), widget->size()));
    };
    for (const char *name : {"one", "two", "three"}) {
        formBar()->setValue(formBar()->maximum());
        QVERIFY(formBar()->maximum() > 0 && isWhole(add));
        QTest::mouseClick(add, Qt::LeftButton);
        settle(page.get());
        QTRY_VERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
        const QWidget *editor = QApplication::focusWidget();
        QTRY_VERIFY2(isWhole(add), name);
        QVERIFY2(isWhole(editor), name);
        QTest::keyClicks(QApplication::focusWidget(), QLatin1String(name));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        settle(page.get());
        QVERIFY(page->bytes().contains(name));
    }
}

// From the end of a long command by a click on a line that has room.
void TstDesignerScroll::shortLinesShowTheirBeginning()
{
    QByteArray text = "protocolVersion: 2\nname: j\ntype: job\ntaskRoles:\n  w:\n    commands:\n      - echo "
        + QByteArray(300, 'y') + "\n      - echo a line of some length\n";
    show(text);
    yaml()->setFocus();
    yaml()->setCaret(text.indexOf('\n', text.indexOf("yyy")));
    settle(page.get());
    QVERIFY(leftOfText() > 0);
    const qsizetype end = text.size() - 1;
    QTest::mouseClick(yaml()->viewport(), Qt::LeftButton, {}, {200, yaml()->pointOf(end).y() + 4});
    QTRY_COMPARE(leftOfText(), 0L);
    QCOMPARE(yaml()->lineOf(yaml()->caret()), yaml()->lineOf(end));
}

void TstDesignerScroll::undoneLinesShowTheirBeginning()
{
    const QByteArray text = "protocolVersion: 2\nname: a_name_of_some_length\ntype: job\n";
    show(text);
    yaml()->setFocus();
    yaml()->setCaret(text.indexOf("\ntype"));
    QTest::keyClicks(yaml(), QString(150, u'x'));
    settle(page.get());
    QVERIFY(leftOfText() > 0);
    while (page->bytes() != text) {
        QVERIFY(yaml()->canUndo());
        page->undo();
    }
    QTRY_COMPARE(leftOfText(), 0L);
}

TRAINYARD_GUI_TEST(TstDesignerScroll)
#include "tst_designerscroll.moc"
