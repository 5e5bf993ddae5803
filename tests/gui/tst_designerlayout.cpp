// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/scintilla.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/formfield.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/problemsview.h"

#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QSplitterHandle>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace designertools;

namespace
{

// One role, and nothing to say about it.
const char plainText[] = R"(protocolVersion: 2
name: one_script
type: job
prerequisites:
  - {name: img, type: dockerimage, uri: ubuntu}
taskRoles:
  train:
    instances: 1
    completion: {minFailedInstances: 1, minSucceededInstances: 1}
    dockerImage: img
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - echo one
      - echo two
      - echo three
      - echo four
)";

QByteArray withTwoRoles()
{
    QByteArray text(plainText);
    text.replace(", minSucceededInstances: 1", "");
    const QByteArray role = text.mid(text.indexOf("  train:"));
    return text + QByteArray(role).replace("train", "evaluate");
}

} // namespace

// Where things of a designer page stand, and that they stay there.
class TstDesignerLayout : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void narrowPagesShowTheWholeForm();
    void hintStandsBelowItsField();
    void errorsMakeTheFormNoWider();
    void titlesOfFixesAreWhole();
    void problemsHaveTheirRoom();
    void fixesBelowASentenceAreInSight();
    void keepsTheRoomThatTheUserGave();
    void errorsStandAboveRemarks();
    void saysItShortlyAtItsPlace();
    void errorsStandUnderTheirControls();
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
    void worstMarkWins();
    void severalMessagesAreWhole();
    void headsOfMenusAreWhole();
    void firstRowsAreWhole();
    void listsStandOnCards();
    void noProblemIsCut();
    void rolesAreOnTheFirstScreen();
    void placesAreShownInTheForm();
    void moreSaysWhatIsInIt_data();
    void moreSaysWhatIsInIt();
    void moreOpensForWhatIsInIt();
    void moreIsKeptForTheNextSession();

private:
    void show(const QByteArray &bytes, int width = 1192);
    QListView *list() const { return find<QListView>(page.get(), "problemsList"); }
    bool isWhole(int row) const;
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerLayout::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerLayout::cleanup() { page.reset(); }

void TstDesignerLayout::show(const QByteArray &bytes, int width)
{
    showDocument(page.get(), bytes, QStringLiteral("a.yaml"));
    page->resize(width, 820);
    settle(page.get());
}

// The whole of a row of the list is in sight.
bool TstDesignerLayout::isWhole(int row) const
{
    return list()->viewport()->rect().contains(list()->visualRect(list()->model()->index(row, 0)));
}

// A small screen at 150 % leaves about 600 pixels.
void TstDesignerLayout::narrowPagesShowTheWholeForm()
{
    show(plainText, 1192);
    const auto *halves = find<QSplitter>(page.get(), "designerHalves");
    const auto *form = find<QScrollArea>(page.get(), "jobForm");
    QCOMPARE(halves->orientation(), Qt::Horizontal);
    form->widget()->setMinimumWidth(420); // as with larger fonts, or longer words
    page->resize(604, 420);
    QTRY_COMPARE(page->width(), 604);
    QTRY_COMPARE(halves->orientation(), Qt::Vertical);
    QTRY_COMPARE(form->horizontalScrollBar()->maximum(), 0);
    const auto *text = page->findChild<YamlEditor *>();
    QVERIFY(form->height() >= 80 && text->height() >= 80);
    page->resize(1192, 820);
    QTRY_COMPARE(halves->orientation(), Qt::Horizontal);
    QVERIFY(std::abs(form->width() - text->width()) < 100);
}

// Also where there is no room for the field beside that of the image.
void TstDesignerLayout::hintStandsBelowItsField()
{
    show(plainText, 1192);
    const auto *image = find<QWidget>(page.get(), "roleImage");
    const auto *runIn = find<QWidget>(page.get(), "roleRunIn");
    const auto *hint = find<QWidget>(page.get(), "roleRunInHint");
    const auto top = [this](const QWidget *widget) { return widget->mapTo(page.get(), QPoint(0, 0)).y(); };
    QTRY_VERIFY(hint->isVisible() && top(hint) >= top(runIn) + runIn->height());
    QCOMPARE(top(runIn), top(image));
    page->resize(380, 900);
    QTRY_VERIFY(top(runIn) >= top(image) + image->height());
    QTRY_VERIFY2(top(hint) >= top(runIn) + runIn->height(), qPrintable(QString::number(top(hint))));
}

// A form that fits into a narrow window does so with errors too: their sentences wrap.
void TstDesignerLayout::errorsMakeTheFormNoWider()
{
    show(plainText);
    const auto *form = find<QScrollArea>(page.get(), "jobForm");
    const int clean = form->widget()->minimumSizeHint().width();
    page->newDocument(QByteArray(plainText)
                          .replace("name: one_script", "name: one script")
                          .replace("instances: 1", "instances: two")
                          .replace("dockerImage: img", "dockerImage: pytorch-of-somebody")
                          .replace("gpu: 0", "gpu: many"));
    QTRY_VERIFY(page->errorCount() >= 4);
    settle(page.get());
    const auto labels = form->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::count_if(labels.cbegin(), labels.cend(), [](const QLabel *label) { return label->isVisible(); }) >= 4);
    QVERIFY2(form->widget()->minimumSizeHint().width() <= clean,
        qPrintable(QStringLiteral("%1 > %2").arg(form->widget()->minimumSizeHint().width()).arg(clean)));
}

// Fractions of a pixel are no reason to cut a word.
void TstDesignerLayout::titlesOfFixesAreWhole()
{
    ProblemsView view;
    view.resize(1000, 120);
    view.setVisible(true);
    const auto *delegate = view.list()->findChild<ProblemDelegate *>();
    QVERIFY(delegate);
    const QFontMetrics font(fonts::small());
    QStringList cut;
    for (int value = 0; value < 300; ++value) {
        Diagnostic problem;
        problem.code = QStringLiteral("role.gpu.more-than-any-host");
        problem.severity = Severity::Warning;
        problem.fixes = {Fix{QStringLiteral("fix.set"), {{QStringLiteral("value"), QString::number(value)}}, {}},
            Fix{QStringLiteral("fix.as-server"), {{QStringLiteral("value"), QString::number(value)}}, {}}};
        view.setProblems({problem}, "x", {});
        const QList<QRect> buttons = delegate->fixRects(view.list()->visualRect(view.model()->index(0, 0)), problem);
        QCOMPARE(buttons.size(), 2);
        for (int i = 0; i < 2; ++i) {
            const QString title = i == 0 ? QStringLiteral("Write %1").arg(value)
                                         : QStringLiteral("Write %1, as an OpenPAI server does").arg(value);
            const QString shown = font.elidedText(title, Qt::ElideMiddle, buttons.at(i).width() - 2 * metrics::space2);
            if (shown != title) {
                cut.append(shown);
            }
        }
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QStringLiteral(" | "))));
}

void TstDesignerLayout::problemsHaveTheirRoom()
{
    show(plainText);
    QTRY_VERIFY(page->canRun());
    QCOMPARE(list()->model()->rowCount(), 0);
    typeNumber(page.get(), "jobRetries", QStringLiteral("some"));
    typeNumber(page.get(), "roleInstances", QStringLiteral("many"));
    QTRY_COMPARE(page->errorCount(), 2);
    settle(page.get());
    QTRY_VERIFY(isWhole(0) && isWhole(1));
}

void TstDesignerLayout::fixesBelowASentenceAreInSight()
{
    show(plainText, 760);
    QTRY_VERIFY(page->canRun());
    auto *text = find<CodeView>(page.get(), "yamlText");
    text->applyEdits({{{0, text->byteCount()}, withTwoRoles()}}, Origin::Text);
    QTRY_VERIFY(page->warningCount() > 0);
    settle(page.get());
    QVERIFY(list()->visualRect(list()->model()->index(0, 0)).height() > metrics::row); // what this is about
    QTRY_VERIFY(isWhole(0));
}

void TstDesignerLayout::keepsTheRoomThatTheUserGave()
{
    show(plainText);
    QTRY_VERIFY(page->canRun());
    auto *rows = find<QSplitter>(page.get(), "designerRows");
    QSplitterHandle *handle = rows->handle(1);
    const QPoint at = handle->rect().center();
    QTest::mousePress(handle, Qt::LeftButton, {}, at);
    QTest::mouseMove(handle, at - QPoint(0, 20));
    QTest::mouseMove(handle, at - QPoint(0, 20));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, at - QPoint(0, 20));
    settle(page.get());
    const int given = rows->sizes().last();
    typeNumber(page.get(), "jobRetries", QStringLiteral("some"));
    typeNumber(page.get(), "roleInstances", QStringLiteral("many"));
    typeNumber(page.get(), "roleCpu", QStringLiteral("few"));
    QTRY_COMPARE(page->errorCount(), 3);
    settle(page.get());
    QCOMPARE(rows->sizes().last(), given);
    // And in the next session.
    DesignerPage other;
    other.resize(page->size());
    other.newDocument(plainText, QStringLiteral("b.yaml"));
    other.restoreLayout(page->saveLayout());
    other.show();
    settle(&other);
    typeNumber(&other, "jobRetries", QStringLiteral("some"));
    typeNumber(&other, "roleInstances", QStringLiteral("many"));
    typeNumber(&other, "roleCpu", QStringLiteral("few"));
    QTRY_COMPARE(other.errorCount(), 3);
    settle(&other);
    QCOMPARE(find<QSplitter>(&other, "designerRows")->sizes().last(), given);
}

// Also where a remark stands below the controls: what is wrong is nearer to them.
void TstDesignerLayout::errorsStandAboveRemarks()
{
    show(QByteArray(plainText).replace("gpu: 0", "gpu: many").replace("dockerImage: img", "dockerImage: nowhere"));
    QTRY_VERIFY(page->errorCount() >= 2);
    settle(page.get());
    const auto top = [this](const QWidget *widget) { return widget->mapTo(page.get(), QPoint(0, 0)).y(); };
    const auto isSaidBetween = [&](const char *control, const char *remark) {
        const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
        return std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) {
            return label->isVisible() && top(label) > top(find<QWidget>(page.get(), control))
                && top(label) < top(find<QWidget>(page.get(), remark));
        });
    };
    QVERIFY(isSaidBetween("roleGpu", "roleFollowHint"));
    QVERIFY(isSaidBetween("roleImage", "roleRunInHint"));
}

// The place is in sight, so that a short sentence does, and both ways to mend it are beside it. The whole sentence is
// in the list, and in the tip.
void TstDesignerLayout::saysItShortlyAtItsPlace()
{
    const QByteArray text = QByteArray(plainText).replace("dockerImage: img", "dockerImage: ing");
    show(text);
    QTRY_COMPARE(page->errorCount(), 1);
    auto *view = find<CodeView>(page.get(), "yamlText");
    focus(view);
    view->setCaret(text.indexOf("ing\n", text.indexOf("dockerImage")));
    settle(page.get());
    const QString brief = QStringLiteral("No image 'ing' here.");
    const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) {
        return label->isVisible() && label->text() == brief
            && label->toolTip().contains(QStringLiteral("not defined in the prerequisites"));
    }));
    auto *bar = find<QWidget>(page.get(), "fixBar");
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(bar->findChild<ElidedLabel *>(QStringLiteral("fixText"))->text(), brief);
    QVERIFY(bar->toolTip().contains(QStringLiteral("not defined in the prerequisites")));
    const auto links = bar->findChildren<QPushButton *>();
    QCOMPARE(std::count_if(links.cbegin(), links.cend(), [](const QPushButton *link) { return link->isVisible(); }), 2);
    QVERIFY(list()->model()->index(0, 0).data().toString().contains(QStringLiteral("not defined in the prereq")));
}

// Also in a narrow form, where what shares a line with the control goes below it.
void TstDesignerLayout::errorsStandUnderTheirControls()
{
    QByteArray text = plainText;
    text.replace("dockerImage: img", "dockerImage: nowhere")
        .replace("minFailedInstances: 1", "minFailedInstances: some");
    show(text);
    QTRY_VERIFY(page->errorCount() > 1);
    for (const int width : {1400, 760}) {
        page->resize(width, 900);
        settle(page.get());
        const auto placeOf
            = [this](const QWidget *widget) { return QRect(widget->mapTo(page.get(), QPoint()), widget->size()); };
        const auto messagesIn = [&](const QWidget *from, const QWidget *to) {
            int count = 0;
            const QList<QLabel *> all = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
            for (const QLabel *label : all) {
                const int y = placeOf(label).center().y();
                count += label->isVisible() && y > placeOf(from).bottom() && y < placeOf(to).top() ? 1 : 0;
            }
            return count;
        };
        auto *image = find<QComboBox>(page.get(), "roleImage");
        auto *runIn = find<QComboBox>(page.get(), "roleRunIn");
        const bool isBelow = placeOf(runIn).top() > placeOf(image).bottom();
        QCOMPARE(isBelow, width == 760);
        QCOMPARE(messagesIn(image, isBelow ? static_cast<QWidget *>(runIn) : find<QWidget>(page.get(), "roleGpu")), 1);
        QCOMPARE(
            messagesIn(find<QWidget>(page.get(), "roleMinFailed"), find<QWidget>(page.get(), "roleMinSucceeded")), 1);
    }
}

void TstDesignerLayout::staysInTheFieldThatAFixMends_data()
{
    QTest::addColumn<bool>("byMouse");
    QTest::newRow("by mouse") << true;
    QTest::newRow("by key") << false;
}

void TstDesignerLayout::staysInTheFieldThatAFixMends()
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
void TstDesignerLayout::goesOnInTheTextWhenNothingIsWrong()
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

void TstDesignerLayout::wrongRetriesMoveNothing()
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
void TstDesignerLayout::undoInTheFormKeepsTheTextInSight()
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

void TstDesignerLayout::undoInTheFormMarksWhereTheCaretIs()
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
    const auto isMarked = [](const QWidget *field) {
        const auto *formField = dynamic_cast<const FormField *>(field);
        while (field && !formField) {
            field = field->parentWidget();
            formField = dynamic_cast<const FormField *>(field);
        }
        return formField && formField->isHighlighted();
    };
    QVERIFY(!isMarked(name));
    QVERIFY(isMarked(find<QAbstractSpinBox>(page.get(), "roleInstances")));
}

void TstDesignerLayout::jumpsShowLinesFromTheirBeginning()
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

void TstDesignerLayout::anotherCardKeepsTheFormInPlace()
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
void TstDesignerLayout::typingLeavesTheFormInPlace()
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

void TstDesignerLayout::fixesLeaveTheFormInPlace()
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

void TstDesignerLayout::worstMarkWins()
{
    YamlEditor editor;
    editor.setBytes("name: one\n");
    editor.resize(400, 200);
    editor.show();
    Diagnostic warning;
    warning.code = QStringLiteral("role.image.undefined");
    warning.severity = Severity::Warning;
    warning.at = {6, 9};
    Diagnostic error = warning;
    error.severity = Severity::Error;
    for (const QList<Diagnostic> &both : {QList<Diagnostic>{warning, error}, QList<Diagnostic>{error, warning}}) {
        editor.setDiagnostics(both);
        const long marks = editor.view()->SendScintilla(QsciScintillaBase::SCI_MARKERGET, 0UL);
        QVERIFY(marks & (1 << CodeView::ErrorMark));
        QVERIFY(!(marks & (1 << CodeView::WarningMark)));
        const long waves = editor.view()->SendScintilla(QsciScintillaBase::SCI_INDICATORALLONFOR, 7UL);
        QVERIFY(waves & (1 << CodeView::ErrorSquiggle));
        QVERIFY(!(waves & (1 << CodeView::WarningSquiggle)));
    }
    // Beside each other both are seen.
    error.at = {0, 4};
    editor.setDiagnostics({error, warning});
    QVERIFY(
        editor.view()->SendScintilla(QsciScintillaBase::SCI_INDICATORALLONFOR, 7UL) & (1 << CodeView::WarningSquiggle));
}

void TstDesignerLayout::headsOfMenusAreWhole()
{
    QMenu menu;
    const QString words = QStringLiteral("What this group is about, in more words than any entry of it has");
    QAction *head = menu.addSection(words);
    menu.addAction(QStringLiteral("an entry"));
    menu.popup(QPoint(0, 0));
    const int needed = QFontMetrics(fonts::small()).horizontalAdvance(words) + 2 * metrics::space3;
    QVERIFY2(
        menu.actionGeometry(head).width() >= needed, qPrintable(QString::number(menu.actionGeometry(head).width())));
}

// In a page that is wider than the form grows, and that shows the form alone.
void TstDesignerLayout::severalMessagesAreWhole()
{
    show(withTwoRoles().replace("name: one_script",
             "name: a name that is quite long and goes on and on, so that it "
             "takes two lines to say what is wrong with it here"),
        1500);
    page->setViewMode(DesignerPage::ViewMode::Form);
    settle(page.get());
    QTRY_VERIFY(page->errorCount() > 0);
    settle(page.get());
    const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    int seen = 0;
    for (const QLabel *label : labels) {
        if (label->isVisible()) {
            ++seen;
            QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                qPrintable(QStringLiteral("%1: %2").arg(label->text()).arg(label->height())));
        }
    }
    QVERIFY(seen > 1);
    // And they take the room of nothing else.
    const CodeView *text = commands(page.get());
    const QRect frame = text->parentWidget()->rect();
    QCOMPARE(frame, frame.united(text->geometry()));
}

// In a window of 1440 pixels, with the lists beside it and the text.
void TstDesignerLayout::firstRowsAreWhole()
{
    showDocument(page.get(),
        "protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n    commands: [echo]\nextras:\n"
        "  gangAllocation: false\n  hivedScheduler: {jobPriorityClass: prod}\n",
        QStringLiteral("rows.pai.yaml"));
    int seen = 0;
    const auto labels = find<QWidget>(page.get(), "jobForm")->findChildren<ElidedLabel *>();
    for (const ElidedLabel *label : labels) {
        if (label->isVisible() && !label->text().isEmpty()) {
            ++seen;
            QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        }
    }
    QVERIFY(seen >= 2);
    // They may all run together: nothing says that one follows the other.
    const auto lines = find<QWidget>(page.get(), "jobForm")->findChildren<Disclosure *>();
    QVERIFY(std::any_of(lines.cbegin(), lines.cend(), [](const Disclosure *line) {
        return line->accessibleDescription() == QStringLiteral("default, prod, tasks start independently");
    }));
}

void TstDesignerLayout::listsStandOnCards()
{
    show(QByteArray(plainText) + "parameters: {a: 1}\n");
    const auto isOnCard = [](const QWidget *list) {
        const QWidget *card = list->parentWidget();
        return qobject_cast<const Ground *>(card) && card->rect().adjusted(1, 1, -1, -1).contains(list->geometry());
    };
    QVERIFY(isOnCard(find<QTableWidget>(page.get(), "parametersTable")));
    find<QTabBar>(page.get(), "formTabs")->setCurrentIndex(2);
    settle(page.get());
    QVERIFY(isOnCard(find<QListView>(page.get(), "prerequisitesList")));
    // An empty card would be a thing without a meaning.
    show(plainText);
    QVERIFY(find<QWidget>(page.get(), "parametersTable")->parentWidget()->isHidden());
}

// Whatever height the pane is given, the list ends with a whole row.
void TstDesignerLayout::noProblemIsCut()
{
    ProblemsView view;
    view.resize(1000, 200);
    view.QWidget::show();
    QList<Diagnostic> problems(12);
    for (Diagnostic &problem : problems) {
        problem.code = QStringLiteral("job.no-roles");
    }
    view.setProblems(problems, "x", {});
    for (int height = 120; height <= 240; height += 7) {
        view.resize(1000, height);
        const auto isCut = [&view] {
            QListView *list = view.list();
            const QRect shown = list->viewport()->rect();
            for (int row = 0; row < list->model()->rowCount(); ++row) {
                const QRect place = list->visualRect(list->model()->index(row, 0));
                if (place.top() < shown.bottom() && place.bottom() > shown.bottom()) {
                    return true;
                }
            }
            return false;
        };
        QTRY_VERIFY2(!isCut(), qPrintable(QString::number(height)));
    }
}

// No more than the name, the retries and one line stand above the roles, whatever the job says of itself.
void TstDesignerLayout::rolesAreOnTheFirstScreen()
{
    show(QByteArray(plainText) + "description: what it is for\ncontributor: me\n");
    const auto *form = find<QScrollArea>(page.get(), "jobForm");
    const int top = find<QWidget>(page.get(), "roleTabs")->mapTo(form, QPoint(0, 0)).y();
    constexpr int rowsAbove = 4;
    QVERIFY2(top <= rowsAbove * (metrics::field + metrics::formRowGap), qPrintable(QString::number(top)));
    const auto *line = find<Disclosure>(page.get(), "jobMore");
    QVERIFY(line->isVisible());
    QVERIFY(!line->isOpen());
    QCOMPARE(line->accessibleName(), QStringLiteral("More about the job"));
    QVERIFY(!find<QWidget>(page.get(), "jobWork")->isVisible());
    openMore(page.get());
    QVERIFY(find<QWidget>(page.get(), "jobWork")->isVisible());
}

// Whoever is told to choose the folder sees where.
void TstDesignerLayout::placesAreShownInTheForm()
{
    show(QByteArray(plainText));
    QVERIFY(!find<QWidget>(page.get(), "jobWork")->isVisible());
    page->setViewMode(DesignerPage::ViewMode::Yaml);
    page->showInForm({QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("work")});
    QTRY_VERIFY(find<QWidget>(page.get(), "jobWork")->isVisible());
}

void TstDesignerLayout::moreSaysWhatIsInIt_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QStringList>("said");
    QTest::addColumn<QStringList>("unsaid");
    const QString problem = QStringLiteral("problem");
    const QString queue = QStringLiteral("queue: ");
    QTest::newRow("nothing") << QByteArray() << QStringList{QStringLiteral("empty folder")}
                             << QStringList{problem, queue, QStringLiteral("data set")};
    QTest::newRow("a folder") << QByteArray("extras: {trainyard: {work: /w}}\n")
                              << QStringList{QStringLiteral("work folder: /w")}
                              << QStringList{problem, QStringLiteral("empty folder")};
    QTest::newRow("a queue") << QByteArray("extras: {hivedScheduler: {jobPriorityClass: prod}}\n")
                             << QStringList{QStringLiteral("queue: default, prod")} << QStringList{problem};
    QTest::newRow("data and hosts") << QByteArray("extras: {trainyard: {data: {a: {from: /a}, b: {from: /b}}, "
                                                  "hosts: {'*': {arrange: pack}}}}\n")
                                    << QStringList{QStringLiteral("2 data set"), QStringLiteral("hosts: on few hosts")}
                                    << QStringList{problem, queue};
    QTest::newRow("a problem") << QByteArray("extras: {trainyard: {results: [../x]}}\n")
                               << QStringList{QStringLiteral("1 problem"), QStringLiteral("results: ../x")}
                               << QStringList{queue};
    QTest::newRow("about") << QByteArray("contributor: me\ndescription: what\n")
                           << QStringList{QStringLiteral("me  ·  what")} << QStringList{problem};
}

// What is folded away is not overlooked, and what is wrong in it does not push the roles away.
void TstDesignerLayout::moreSaysWhatIsInIt()
{
    QFETCH(QByteArray, more);
    QFETCH(QStringList, said);
    QFETCH(QStringList, unsaid);
    show(QByteArray(plainText) + more);
    const auto *line = find<Disclosure>(page.get(), "jobMore");
    for (const QString &each : std::as_const(said)) {
        QTRY_VERIFY2(line->summary().contains(each), qPrintable(line->summary()));
    }
    for (const QString &each : std::as_const(unsaid)) {
        QVERIFY2(!line->summary().contains(each), qPrintable(line->summary()));
    }
    QCOMPARE(line->accessibleDescription(), line->summary());
    QVERIFY(!line->isOpen());
}

void TstDesignerLayout::moreOpensForWhatIsInIt()
{
    const QByteArray text = QByteArray(plainText) + "extras: {trainyard: {results: [../x]}}\n";
    show(text);
    QTRY_COMPARE(page->errorCount(), 1);
    QVERIFY(!find<Disclosure>(page.get(), "jobMore")->isOpen());
    const qsizetype place = text.indexOf("../x");
    page->jumpTo(text.left(place).count('\n') + 1, place - text.lastIndexOf('\n', place));
    QTRY_VERIFY(find<Disclosure>(page.get(), "jobMore")->isOpen());
    settle(page.get());
    const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) { return label->isVisible(); }));
}

void TstDesignerLayout::moreIsKeptForTheNextSession()
{
    show(plainText);
    for (const bool isOpen : {false, true}) {
        find<Disclosure>(page.get(), "jobMore")->setOpen(isOpen);
        DesignerPage other;
        other.newDocument(plainText, QStringLiteral("b.yaml"));
        other.restoreLayout(page->saveLayout());
        QCOMPARE(find<Disclosure>(&other, "jobMore")->isOpen(), isOpen);
    }
}

TRAINYARD_GUI_TEST(TstDesignerLayout)

#include "tst_designerlayout.moc"
