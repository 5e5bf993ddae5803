// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designersample.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/problemdelegate.h"
#include "widgets/form/problemsview.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QStyleOptionViewItem>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// The form and the text of one document: problems, the caret, roles, and the room for sentences.
class TstDesignerPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsProblemsAndFixes();
    void aLargeTextIsBeingChecked();
    void stepsToErrorsFirst();
    void fixOfTheLastProblem();
    void buttonsOfFixesLookHoveredOnlyThere();
    void focusStaysInSight();
    void warnsOfMoreThanAnyHostHas();
    void machinesWithoutGpusAreNotCounted();
    void limitsOfCompletionAreSentences();
    void caretAndFieldsFollowEachOther();
    void renamesARoleWithItsReferences();
    void addsAndRemovesRoles();
    void createsWhatIsMissing();
    void keepsTheRoleNameInItsPlace();
    void givesSentencesTheRoom();

private:
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerPage::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerPage::cleanup() { page.reset(); }

void TstDesignerPage::showsProblemsAndFixes()
{
    QSignalSpy runnable(page.get(), &DesignerPage::runnableChanged);
    QSignalSpy problems(page.get(), &DesignerPage::problemsChanged);
    showSample(page.get(), sampleText);
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

// Nothing is known of it yet, which is not that nothing is wrong.
void TstDesignerPage::aLargeTextIsBeingChecked()
{
    QSignalSpy checking(page.get(), &DesignerPage::checkingChanged);
    page->newDocument(
        QByteArray(sampleText) + QByteArray("# a note at the end\n").repeated(8000), QStringLiteral("large.pai.yaml"));
    const auto *none = find<QLabel>(page.get(), "problemsNone");
    QVERIFY2(none->text().contains(QStringLiteral("is being checked")), qPrintable(none->text()));
    QCOMPARE(checking.size(), 1);
    QCOMPARE(checking.takeFirst().constFirst().toBool(), true);
    QTRY_COMPARE(checking.size(), 1);
    QCOMPARE(checking.takeFirst().constFirst().toBool(), false);
    QVERIFY(!none->text().contains(QStringLiteral("is being checked")));
    DesignerPage other;
    QSignalSpy ofSmall(&other, &DesignerPage::checkingChanged);
    other.newDocument(sampleText, QStringLiteral("small.pai.yaml")); // which is checked at once
    QVERIFY(ofSmall.isEmpty());
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

// Another problem that comes to the place of one that was mended, and a list that the pointer has left, show no button
// as below the pointer.
void TstDesignerPage::buttonsOfFixesLookHoveredOnlyThere()
{
    ProblemsView view;
    view.resize(900, 120);
    view.setVisible(true);
    Diagnostic problem;
    problem.code = QStringLiteral("role.image.undefined");
    problem.severity = Severity::Error;
    problem.fixes = {Fix{QStringLiteral("image.use"), {}, {}}};
    view.setProblems({problem, problem}, "x", {});
    auto *delegate = view.list()->findChild<ProblemDelegate *>();
    const QModelIndex row = view.model()->index(0, 0);
    QStyleOptionViewItem option;
    option.initFrom(view.list());
    option.widget = view.list();
    option.rect = QRect(0, 0, 800, metrics::row);
    const QRect button = delegate->fixRects(option.rect, problem).first();
    const auto ground = [&](bool isBelowPointer) {
        QImage picture(option.rect.size(), QImage::Format_RGB32);
        QPainter painter(&picture);
        option.state.setFlag(QStyle::State_MouseOver, isBelowPointer);
        delegate->paint(&painter, option, row);
        return picture.pixelColor(button.left() + 3, button.center().y());
    };
    const auto send = [&](QEvent::Type type, Qt::MouseButton pressed) {
        QMouseEvent event(type, button.center(), button.center(), pressed, pressed, Qt::NoModifier);
        delegate->editorEvent(&event, view.model(), option, row);
    };
    const QColor usual = ground(true);
    send(QEvent::MouseMove, Qt::NoButton);
    QVERIFY(ground(true) != usual);
    QCOMPARE(ground(false), usual);
    send(QEvent::MouseButtonPress, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, Qt::LeftButton);
    QCOMPARE(ground(true), usual);
}

// Who hides the half he writes in goes on in the other.
void TstDesignerPage::focusStaysInSight()
{
    showSample(page.get(), sampleText);
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
    showSample(page.get(), sampleText);
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
    page->setRunsOnCluster(true); // it has nodes of its own
    QVERIFY2(!codes().contains(u"role.gpu.more-than-any-host"), qPrintable(codes().join(u' ')));
    QCOMPARE(page->warningCount(), before);
    HostLimits nodes; // as far as they are known
    nodes.cluster = QStringLiteral("slurm:lab");
    page->setRunsOnCluster(true, nodes);
    QCOMPARE(page->warningCount(), before);
    nodes.gpus = 0;
    page->setRunsOnCluster(true, nodes);
    QVERIFY2(codes().contains(u"role.gpu.more-than-any-node"), qPrintable(codes().join(u' ')));
    QTRY_VERIFY(find<QWidget>(page.get(), "roleGpu")->toolTip().contains(QStringLiteral("no node has one")));
    page->setRunsOnCluster(false);
    QVERIFY2(codes().contains(u"role.gpu.more-than-any-host"), qPrintable(codes().join(u' ')));
    QVERIFY2(!codes().contains(u"role.gpu.more-than-any-node"), qPrintable(codes().join(u' ')));
    // The other place is told once, and nothing of a mixture of both.
    QSignalSpy told(page.get(), &DesignerPage::problemsChanged);
    page->setPlace(false, true);
    QCOMPARE(told.size(), 1);
    QCOMPARE(page->warningCount(), before);
    page->setPlace(false, true);
    QCOMPARE(told.size(), 1);
    page->setPlace(true, false);
    QCOMPARE(told.size(), 2);
    QCOMPARE(page->warningCount(), before + 1);
    host.gpus.resize(8);
    page->setHosts({host});
    QVERIFY2(!codes().contains(u"role.gpu.more-than-any-host"), qPrintable(codes().join(u' ')));
    QCOMPARE(page->warningCount(), before);
}

void TstDesignerPage::machinesWithoutGpusAreNotCounted()
{
    QByteArray text = sampleText;
    showSample(page.get(), text.replace("gpu: 4", "gpu: 0").replace("gpu: 2", "gpu: 0").replace("gpu: 1", "gpu: 0"));
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
    page->setRunsOnCluster(true);
    QTRY_VERIFY(!most->isVisible());
    page->setRunsOnCluster(false);
    QTRY_VERIFY(most->isVisible());
    host.gpus.resize(8);
    page->setHosts({host});
    QTRY_COMPARE(most->text(), QStringLiteral("of 8"));
}

// A limit that is off says so in words, and the sentence around it stays one.
void TstDesignerPage::limitsOfCompletionAreSentences()
{
    showSample(page.get(), QByteArray(sampleText).replace("minSucceededInstances: 4", "minSucceededInstances: -1"));
    settle(page.get());
    QTRY_COMPARE(find<QAbstractSpinBox>(page.get(), "roleMinSucceeded")->text(), QStringLiteral("all tasks"));
    const auto isSeen = [](const auto &labels, QLatin1StringView words) {
        return std::any_of(labels.cbegin(), labels.cend(),
            [words](const auto *label) { return label->isVisible() && label->text() == words; });
    };
    QVERIFY(isSeen(page->findChildren<QLabel *>(), QLatin1StringView("Succeed when")));
    QVERIFY(isSeen(page->findChildren<ElidedLabel *>(), QLatin1StringView("of the job have ended")));
}

void TstDesignerPage::caretAndFieldsFollowEachOther()
{
    showSample(page.get(), sampleText);
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
    showSample(page.get(), text);
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
    showSample(page.get(), sampleText);
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
    showSample(page.get(), start);
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
    QTRY_VERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
    QVERIFY(!page->bytes().contains("parameters:")); // it has no name yet
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("lr"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_VERIFY(page->bytes().contains("parameters:\n  lr: "));
    QTRY_VERIFY(page->canRun());
    QVERIFY(page->bytes().startsWith(start));
    for (int i = 0; i < 20 && page->undoAction()->isEnabled(); ++i) {
        page->undo();
    }
    QCOMPARE(page->bytes(), start);
}

// What is said of the instances has a place of its own.
void TstDesignerPage::keepsTheRoleNameInItsPlace()
{
    QByteArray yaml(sampleText);
    showSample(page.get(), yaml);
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

TRAINYARD_GUI_TEST(TstDesignerPage)
#include "tst_designerpage.moc"
