// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/gui/plainjob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formfield.h"
#include "widgets/form/problemdelegate.h"
#include "widgets/form/problemsview.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace designertools;

// What stays in place, and in sight, while a job is edited in a designer page.
class TstDesignerStill : public QObject, private PlainJobPage
{
    Q_OBJECT

    static bool isMarked(const QWidget *field)
    {
        const auto *formField = dynamic_cast<const FormField *>(field);
        while (field && !formField) {
            field = field->parentWidget();
            formField = dynamic_cast<const FormField *>(field);
        }
        return formField && formField->isHighlighted();
    }

private Q_SLOTS:
    void init();
    void cleanup();
    void staysInTheFieldThatAFixMends_data();
    void staysInTheFieldThatAFixMends();
    void goesOnInTheTextWhenNothingIsWrong();
    void wrongRetriesMoveNothing();
    void undoInTheFormKeepsTheTextInSight();
    void undoInTheFormMarksWhereTheCaretIs();
    void jumpsShowLinesFromTheirBeginning();
    void anotherCardKeepsTheFormInPlace();
    void typingLeavesTheFormInPlace();
    void fixesLeaveTheFormInPlace();
    void unfinishedTextLeavesTheFormInPlace();
};

void TstDesignerStill::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerStill::cleanup() { page.reset(); }

void TstDesignerStill::staysInTheFieldThatAFixMends_data()
{
    QTest::addColumn<bool>("byMouse");
    QTest::newRow("by mouse") << true;
    QTest::newRow("by key") << false;
}

void TstDesignerStill::staysInTheFieldThatAFixMends()
{
    QFETCH(const bool, byMouse);
    show(plainText);
    auto *name = find<QLineEdit>(page.get(), "jobName");
    type(name, QStringLiteral("a name"));
    QTRY_COMPARE(page->errorCount(), 1);
    settle(page.get());
    focus(commands(page.get())); // the field has been left
    auto *fix = find<QPushButton>(page.get(), "fieldFix");
    QVERIFY(fix->isVisible());
    if (byMouse) {
        QTest::mouseClick(fix, Qt::LeftButton);
    } else {
        focus(fix);
        QTest::keyClick(fix, Qt::Key_Space);
    }
    QTRY_COMPARE(page->errorCount(), 0);
    settle(page.get());
    QVERIFY(QApplication::focusWidget() == name);
}

// The list of problems goes when the last one is mended; who was in it goes on with the document.
void TstDesignerStill::goesOnInTheTextWhenNothingIsWrong()
{
    show(QByteArray(plainText).replace("one_script", "one script"));
    QTRY_COMPARE(page->errorCount(), 1);
    settle(page.get());
    const QModelIndex first = list()->model()->index(0, 0);
    const auto *problem = first.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    QVERIFY(problem);
    const auto *delegate = list()->findChild<ProblemDelegate *>();
    const QList<QRect> buttons = delegate->fixRects(list()->visualRect(first), problem->diagnostic);
    QVERIFY(!buttons.isEmpty());
    focus(list());
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, buttons.first().center());
    QTRY_COMPARE(page->errorCount(), 0);
    settle(page.get());
    QVERIFY(QApplication::focusWidget() == find<CodeView>(page.get(), "yamlText"));
}

void TstDesignerStill::wrongRetriesMoveNothing()
{
    show(plainText);
    const ElidedLabel *words = nullptr;
    const auto labels = page->findChildren<ElidedLabel *>();
    for (const ElidedLabel *label : labels) {
        words = label->text() == u"after failures that may pass" ? label : words;
    }
    QVERIFY(words);
    const auto *below = find<QWidget>(page.get(), "jobMore");
    const auto place
        = [&](const QWidget *widget) { return QRect(widget->mapTo(page.get(), QPoint(0, 0)), widget->size()); };
    const QRect wordsBefore = place(words);
    const QRect belowBefore = place(below);
    typeNumber(page.get(), "jobRetries", QStringLiteral("job"));
    QTRY_COMPARE(page->errorCount(), 1);
    settle(page.get());
    QVERIFY(find<QLabel>(page.get(), "fieldMessage")->isVisible());
    QCOMPARE(place(words), wordsBefore);
    // The next row makes room for what is said, and keeps its column.
    QCOMPARE(place(below).left(), belowBefore.left());
    QCOMPARE(place(below).width(), belowBefore.width());
}

// The place that Undo leaves the caret at may be the end of a long line: who is in the form need not see that.
void TstDesignerStill::undoInTheFormKeepsTheTextInSight()
{
    QByteArray text(plainText);
    const QByteArray tail = "  # " + QByteArray(300, 'x');
    for (const char *line : {"protocolVersion: 2", "name: one_script", "type: job", "echo four"}) {
        const QByteArray whole = line + tail;
        text.replace(line, whole);
    }
    show(text);
    auto *box = find<QAbstractSpinBox>(page.get(), "jobRetries");
    focus(box);
    QTest::keyClick(box, Qt::Key_Up);
    QTRY_VERIFY(page->bytes() != text);
    settle(page.get());
    auto *view = find<CodeView>(page.get(), "yamlText");
    QCOMPARE(view->SendScintilla(QsciScintillaBase::SCI_GETXOFFSET), 0L);
    page->undo();
    settle(page.get());
    QCOMPARE(page->bytes(), text);
    QCOMPARE(view->SendScintilla(QsciScintillaBase::SCI_GETXOFFSET), 0L);
}

void TstDesignerStill::undoInTheFormMarksWhereTheCaretIs()
{
    show(plainText);
    auto *name = find<QLineEdit>(page.get(), "jobName");
    type(name, QStringLiteral("another"));
    settle(page.get());
    typeNumber(page.get(), "roleInstances", QStringLiteral("3"));
    focus(name);
    settle(page.get());
    page->undo();
    settle(page.get());
    QVERIFY(page->bytes().contains("instances: 1"));
    auto *view = find<CodeView>(page.get(), "yamlText");
    QVERIFY(view->bytesIn({view->lineStart(view->lineOf(view->caret())), view->lineEnd(view->lineOf(view->caret()))})
                .contains("instances"));
    QVERIFY(!isMarked(name));
    QVERIFY(isMarked(find<QAbstractSpinBox>(page.get(), "roleInstances")));
}

void TstDesignerStill::jumpsShowLinesFromTheirBeginning()
{
    show(plainText);
    auto *view = find<CodeView>(page.get(), "yamlText");
    const auto xOf = [&](qsizetype offset) {
        return view->SendScintilla(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0UL, long(offset));
    };
    // A line that nearly fills the view.
    const qsizetype name = view->allBytes().indexOf("one_script");
    QByteArray text(plainText);
    const long letter = xOf(name + 1) - xOf(name);
    const qsizetype letters = (view->viewport()->width() - xOf(name)) / letter - 2;
    QVERIFY(letters > 20);
    text.replace("one_script", QByteArray(letters, 'x'));
    text.replace("echo four", QByteArray(300, 'y'));
    view->applyEdits({{{0, view->byteCount()}, text}}, Origin::Text);
    settle(page.get());
    page->jumpTo(2, 7 + letters);
    settle(page.get());
    QCOMPARE(view->caret(), name + letters);
    QCOMPARE(view->SendScintilla(QsciScintillaBase::SCI_GETXOFFSET), 0L);
    // Where the caret would be out of sight the text goes along.
    page->jumpTo(16, 250);
    settle(page.get());
    QVERIFY(view->SendScintilla(QsciScintillaBase::SCI_GETXOFFSET) > 0);
    page->jumpTo(2, 7);
    settle(page.get());
    QCOMPARE(view->SendScintilla(QsciScintillaBase::SCI_GETXOFFSET), 0L);
}

void TstDesignerStill::anotherCardKeepsTheFormInPlace()
{
    QByteArray text(plainText);
    QByteArray parameters = "parameters:\n";
    for (int i = 0; i < 8; ++i) {
        parameters += "  p" + QByteArray::number(i) + ": 1\n";
    }
    show(text + parameters);
    page->setViewMode(DesignerPage::ViewMode::Form);
    page->resize(1192, 600);
    settle(page.get());
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    QScrollBar *bar = form->verticalScrollBar();
    bar->setValue(bar->maximum());
    QVERIFY(bar->value() > 0);
    auto *tabs = find<QTabBar>(page.get(), "formTabs");
    const auto place = [&] { return tabs->mapTo(page.get(), QPoint(0, 0)); };
    const QPoint before = place();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    settle(page.get());
    QCOMPARE(tabs->currentIndex(), 1);
    QCOMPARE(place(), before);
    // What was kept for that goes when it is scrolled away.
    bar->setValue(0);
    settle(page.get());
    bar->setValue(bar->maximum());
    settle(page.get());
    QVERIFY2(place().y() > before.y(), qPrintable(QString::number(place().y())));
}

// The sections of the form open where the user goes in the text, not below the pointer while something is typed.
void TstDesignerStill::typingLeavesTheFormInPlace()
{
    show(plainText);
    auto *view = find<CodeView>(page.get(), "yamlText");
    const auto *description = find<QWidget>(page.get(), "jobDescription");
    focus(view);
    QTest::keyClick(view, Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClicks(view, QStringLiteral("# a note"));
    QTest::keyClick(view, Qt::Key_Return);
    QTRY_VERIFY(page->bytes().startsWith("# a note\nprotocolVersion"));
    settle(page.get());
    QVERIFY(!description->isVisible());
    // Whoever goes to a line of a section sees it.
    QTest::keyClick(view, Qt::Key_Right);
    QTRY_VERIFY(description->isVisible());
}

void TstDesignerStill::fixesLeaveTheFormInPlace()
{
    show(QByteArray(plainText).replace("one_script", "one script"));
    page->resize(1192, 560);
    auto *view = find<CodeView>(page.get(), "yamlText");
    focus(view);
    view->setCaret(view->allBytes().indexOf("script"));
    QTRY_COMPARE(page->errorCount(), 1);
    settle(page.get());
    QScrollBar *bar = find<QScrollArea>(page.get(), "jobForm")->verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    bar->setValue(bar->maximum());
    const auto *tabs = find<QTabBar>(page.get(), "formTabs");
    const QPoint before = tabs->mapTo(page.get(), QPoint(0, 0));
    page->fixFirstError();
    QTRY_COMPARE(page->errorCount(), 0);
    settle(page.get());
    QCOMPARE(tabs->mapTo(page.get(), QPoint(0, 0)).y(), before.y());
}

// A line that is being written makes the text unreadable, and what was read before it says little of the job.
void TstDesignerStill::unfinishedTextLeavesTheFormInPlace()
{
    const QByteArray text = QByteArray(plainText).replace("one_script", "one script") + "parameters:\n  lr: 0.1\n";
    show(text);
    page->resize(1192, 560);
    HostInfo host;
    host.id = host.label = QStringLiteral("lab1");
    host.state = HostState::Online;
    host.cpus = 64;
    host.memoryMiB = 1 << 20;
    page->setHosts({host});
    QTRY_COMPARE(page->errorCount(), 1);
    settle(page.get());
    auto *view = find<CodeView>(page.get(), "yamlText");
    auto *name = find<QLineEdit>(page.get(), "jobName");
    const auto *why = find<QWidget>(page.get(), "formUnavailable");
    QScrollBar *bar = find<QScrollArea>(page.get(), "jobForm")->verticalScrollBar();
    QVERIFY(bar->maximum() > 1);
    bar->setValue(bar->maximum() / 2);
    const auto places = [this, bar] {
        QList<int> all{bar->value()};
        for (const char *each : {"jobName", "jobMore", "roleTabs", "roleInstances", "formTabs", "parametersTableAdd"}) {
            const auto *widget = find<QWidget>(page.get(), each);
            all.append(widget->isVisible() ? widget->mapTo(page.get(), QPoint(0, 0)).y() : -1);
        }
        return all;
    };
    focus(view);
    view->setCaret(text.indexOf("type: job") + 9);
    settle(page.get());
    const QList<int> before = places();
    QTest::keyClick(view, Qt::Key_Return);
    QTest::keyClicks(view, QStringLiteral("half"));
    QTRY_VERIFY(why->isVisible());
    settle(page.get());
    QCOMPARE(places(), before);
    QVERIFY(view->hasFocus());
    QVERIFY(!name->isEnabled());
    // Hosts and clusters are told of all the time.
    host.memoryUsedMiB = 2048;
    page->setHosts({host});
    page->setKnownClusters([] { return ClusterOffers(); });
    settle(page.get());
    QCOMPARE(places(), before);
    QCOMPARE(name->text(), QStringLiteral("one script"));
    QCOMPARE(find<QTabBar>(page.get(), "roleTabs")->count(), 1);
    QCOMPARE(commands(page.get())->allBytes().count("echo"), 4);
    // Nor does the form go along with the caret.
    const qsizetype typed = view->caret();
    page->jumpTo(2, 7);
    QTRY_VERIFY(isMarked(name));
    settle(page.get());
    QCOMPARE(places(), before);
    view->setCaret(typed);
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(view, Qt::Key_Backspace);
    }
    QTRY_VERIFY(!why->isVisible());
    settle(page.get());
    QCOMPARE(page->bytes(), text);
    QCOMPARE(places(), before);
    QVERIFY(name->isEnabled() && find<QLabel>(page.get(), "fieldMessage")->isVisible());
}

TRAINYARD_GUI_TEST(TstDesignerStill)
#include "tst_designerstill.moc"
