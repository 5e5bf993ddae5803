// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/gui/plainjob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/problemdelegate.h"
#include "widgets/form/problemsview.h"

#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSplitter>
#include <QSplitterHandle>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace designertools;

namespace
{

QByteArray withTwoRoles()
{
    QByteArray text(plainText);
    text.replace(", minSucceededInstances: 1", "");
    const QByteArray role = text.mid(text.indexOf("  train:"));
    return text + QByteArray(role).replace("train", "evaluate");
}

} // namespace

// Where a designer page says what is wrong, and how much room that takes.
class TstDesignerProblems : public QObject, private PlainJobPage
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void errorsMakeTheFormNoWider();
    void titlesOfFixesAreWhole();
    void problemsHaveTheirRoom();
    void roomDoesNotGrowBelowThePointer();
    void fixesBelowASentenceAreInSight();
    void keepsTheRoomThatTheUserGave();
    void errorsStandAboveRemarks();
    void saysItShortlyAtItsPlace();
    void errorsStandUnderTheirControls();
    void worstMarkWins();
    void severalMessagesAreWhole();
    void noProblemIsCut();
    void hiddenProblemsAreCounted();
    void rowsStayBelowThePointer();
    void hiddenRowIsNotGone();
    void commandsThatBashCannotRead();
};

void TstDesignerProblems::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerProblems::cleanup() { page.reset(); }

// A form that fits into a narrow window does so with errors too: their sentences wrap.
void TstDesignerProblems::errorsMakeTheFormNoWider()
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
void TstDesignerProblems::titlesOfFixesAreWhole()
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

void TstDesignerProblems::problemsHaveTheirRoom()
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

// The rows would move, and a second click at the same place would hit another one.
void TstDesignerProblems::roomDoesNotGrowBelowThePointer()
{
    show(plainText);
    QTRY_VERIFY(page->canRun());
    auto *problems = find<QWidget>(page.get(), "problems");
    const auto *rows = find<QSplitter>(page.get(), "designerRows");
    const int before = rows->sizes().constLast();
    problems->setAttribute(Qt::WA_UnderMouse);
    typeNumber(page.get(), "jobRetries", QStringLiteral("some"));
    typeNumber(page.get(), "roleInstances", QStringLiteral("many"));
    QTRY_COMPARE(page->errorCount(), 2);
    settle(page.get());
    QCOMPARE(rows->sizes().constLast(), before);
    problems->setAttribute(Qt::WA_UnderMouse, false);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(problems, &leave);
    QTRY_VERIFY(rows->sizes().constLast() > before);
    QTRY_VERIFY(isWhole(0) && isWhole(1));
}

void TstDesignerProblems::fixesBelowASentenceAreInSight()
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

void TstDesignerProblems::keepsTheRoomThatTheUserGave()
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
void TstDesignerProblems::errorsStandAboveRemarks()
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
void TstDesignerProblems::saysItShortlyAtItsPlace()
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
void TstDesignerProblems::errorsStandUnderTheirControls()
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

void TstDesignerProblems::worstMarkWins()
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

// In a page that is wider than the form grows, and that shows the form alone.
void TstDesignerProblems::severalMessagesAreWhole()
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

// Whatever height the pane is given, the list ends with a whole row.
void TstDesignerProblems::noProblemIsCut()
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

// Below the whole rows there may be room that looks as if nothing followed.
void TstDesignerProblems::hiddenProblemsAreCounted()
{
    ProblemsView view;
    QList<Diagnostic> problems(10);
    for (Diagnostic &problem : problems) {
        problem.code = QStringLiteral("job.no-roles");
    }
    view.setProblems(problems, "x", {});
    view.resize(1000, view.comfortableHeight() + metrics::row - 1); // a fourth row has no room by a pixel
    view.QWidget::show();
    const auto *below = view.findChild<QLabel *>(QStringLiteral("problemsBelow"));
    QTRY_VERIFY(below->isVisible());
    QTRY_COMPARE(below->text(), QStringLiteral("7 more below"));
    QTRY_VERIFY(
        below->geometry().top() > view.list()->geometry().bottom() && below->geometry().bottom() < view.height());
    view.list()->scrollTo(view.model()->index(4));
    QTRY_COMPARE(below->text(), QStringLiteral("5 more below"));
    view.list()->scrollToBottom();
    QTRY_VERIFY(!below->isVisible());
    view.list()->scrollToTop();
    QTRY_VERIFY(below->isVisible());
    view.setProblems(problems.first(2), "x", {});
    QTRY_VERIFY(!below->isVisible());
}

// Who clicks twice means the row that was seen there: a fix takes problems away, and others come.
void TstDesignerProblems::rowsStayBelowThePointer()
{
    ProblemsView view;
    view.resize(1000, 240);
    view.QWidget::show();
    const auto problem = [](const char *code) {
        Diagnostic made;
        made.code = QLatin1String(code);
        return made;
    };
    const Diagnostic first = problem("first"), second = problem("second"), third = problem("third"),
                     fourth = problem("fourth");
    const auto shown = [&view] {
        QStringList codes;
        for (const ProblemsModel::Problem &each : view.model()->problems()) {
            codes.append((each.isGone ? QStringLiteral("-") : QString()) + each.diagnostic.code);
        }
        return codes.join(u' ');
    };
    QSignalSpy jumps(&view, &ProblemsView::jumpRequested);
    const auto click = [&view](int row) {
        const QRect place = view.list()->visualRect(view.model()->index(row, 0));
        QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {}, place.center());
    };
    view.setProblems({first, second, third}, "x", {});
    click(0);
    QCOMPARE(jumps.size(), 1);
    view.setProblems({second, third}, "x", {});
    QCOMPARE(shown(), QStringLiteral("-first second third"));
    QCOMPARE(view.errorCount(), 2);
    click(0); // there is nothing to go to
    QCOMPARE(jumps.size(), 1);
    click(1);
    QCOMPARE(jumps.size(), 2);
    view.setProblems({fourth, third}, "x", {});
    QCOMPARE(shown(), QStringLiteral("-first -second third fourth"));
    view.setProblems({third}, "x", {}); // below the last one there is nothing to move
    QCOMPARE(shown(), QStringLiteral("-first -second third"));
    view.setProblems({second, third}, "x", {}); // as by Undo
    QCOMPARE(shown(), QStringLiteral("-first second third"));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(view.list()->viewport(), &leave);
    QCOMPARE(shown(), QStringLiteral("second third"));
    // While the user types into the text, the list follows, wherever the pointer was left.
    click(0);
    view.setProblems({third}, "x", {});
    QCOMPARE(shown(), QStringLiteral("-second third"));
    view.arrange();
    QCOMPARE(shown(), QStringLiteral("third"));
    view.setProblems({first, third}, "x", {});
    QCOMPARE(shown(), QStringLiteral("first third"));
}

// What the filter hides is still a problem.
void TstDesignerProblems::hiddenRowIsNotGone()
{
    ProblemsView view;
    view.resize(1000, 240);
    view.QWidget::show();
    const auto problem = [](const char *code, Severity severity) {
        Diagnostic made;
        made.code = QLatin1String(code);
        made.severity = severity;
        return made;
    };
    const Diagnostic first = problem("first", Severity::Error), second = problem("second", Severity::Error),
                     third = problem("third", Severity::Error), warning = problem("warning", Severity::Warning);
    const auto shown = [&view] {
        QStringList codes;
        for (const ProblemsModel::Problem &each : view.model()->problems()) {
            codes.append((each.isGone ? QStringLiteral("-") : QString()) + each.diagnostic.code);
        }
        return codes.join(u' ');
    };
    auto *filter = view.findChild<QToolButton *>(QStringLiteral("problemsFilter"));
    const auto rest = [&view] { QTest::mouseMove(view.list()->viewport(), {20, 5}); };
    view.setProblems({first, warning}, "x", {});
    rest();
    view.setProblems({first, warning, second}, "x", {}); // it stays above the new error
    QCOMPARE(shown(), QStringLiteral("first warning second"));
    QTest::keyClick(filter, Qt::Key_Space);
    QVERIFY(filter->isChecked());
    QCOMPARE(shown(), QStringLiteral("first second"));
    // An error that becomes a warning stays until the pointer leaves.
    rest();
    Diagnostic milder = first;
    milder.severity = Severity::Warning;
    view.setProblems({milder, second}, "x", {});
    QCOMPARE(shown(), QStringLiteral("first second"));
    QCOMPARE(view.model()->at(0).diagnostic.severity, Severity::Warning);
    view.setProblems({milder, second, third}, "x", {});
    QCOMPARE(shown(), QStringLiteral("first second third"));
    view.setProblems({second, third}, "x", {});
    QCOMPARE(shown(), QStringLiteral("-first second third"));
    QTest::keyClick(filter, Qt::Key_Space);
    QCOMPARE(shown(), QStringLiteral("second third"));
}

// They fail when the job runs, after whatever stands before them.
void TstDesignerProblems::commandsThatBashCannotRead()
{
    show(QByteArray(plainText).replace("- echo two", "- echo \"two"));
    const QAbstractItemModel *problems = list()->model();
    const auto isTold = [problems] {
        for (int row = 0; row < problems->rowCount(); ++row) {
            if (problems->index(row, 0).data().toString().contains(QStringLiteral("bash cannot read"))) {
                return true;
            }
        }
        return false;
    };
    QTRY_VERIFY(isTold());
}

TRAINYARD_GUI_TEST(TstDesignerProblems)
#include "tst_designerproblems.moc"
