// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/choosejobs.h"
#include "app/gui/pages/welcomepage.h"
#include "app/gui/session.h"
#include "app/gui/sessionstore.h"
#include "app/gui/workbench/commandpalette.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/paths.h"
#include "tests/gui/designertools.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/textsize.h"
#include "widgets/compare/comparepage.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/fixbar.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/jobs/jobstableview.h"
#include "widgets/tasks/runpage.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace trainyard;

// Where the keys of the window go, and what it says when it is left.
class TstWindowKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase();
    void openedDocumentHasTheKeys();
    void newJobAsksForItsScript();
    void zoomKeysTypeNothing();
    void firstDocumentHasTheKeys();
    void openedFormHasTheKeys();
    void tabsChangeByBothPairsOfKeys_data();
    void tabsChangeByBothPairsOfKeys();
    void runsAScriptThatIsDropped();
    void asksBeforeAFieldIsLost();
    void oneJobThatGoesOnIsOne();
    void everyPageNamesTheWindow();
    void maskedSecretsNeedNoQuestion();
    void engineThatCannotStartIsToldAtOnce();
    void escapeClosesThePaletteFromAnywhere();
    void allJobsHasTheKeys();
    void selectedJobsAreCompared();
    void pagesFromThePaletteHaveTheKeys_data();
    void pagesFromThePaletteHaveTheKeys();
    void newsOfAJobLeaveTheListAlone();
    void namesMarkNoKeys();
    void tabLeavesTheTextAfterEscape();

private:
    static void activate(MainWindow *window)
    {
        window->show();
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window));
    }
    WindowFixture m_fixture;
};

void TstWindowKeys::cleanupTestCase()
{
    saveSession({});
    WindowFixture::stopEngine();
}

// From a dialog: nothing of the page before it had the focus.
void TstWindowKeys::openedDocumentHasTheKeys()
{
    const auto window = WindowFixture::makeWindow();
    activate(window.get());
    window->openFiles({m_fixture.write(QStringLiteral("keys.pai.yaml"), sampleJob)});
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page);
    QTRY_VERIFY(QApplication::focusWidget() == page->findChild<CodeView *>(QStringLiteral("yamlText")));
    // A file that is open already comes in front with its keys too.
    window->openFiles({m_fixture.write(QStringLiteral("other.pai.yaml"), sampleJob)});
    QVERIFY(window->currentDesigner() != page);
    window->openFiles({m_fixture.path(QStringLiteral("keys.pai.yaml"))});
    QVERIFY(window->currentDesigner() == page);
    QTRY_VERIFY(page->isAncestorOf(QApplication::focusWidget()));
    window->action("new")->trigger();
    QTRY_VERIFY(
        QApplication::focusWidget() == window->currentDesigner()->findChild<CodeView *>(QStringLiteral("yamlText")));
}

// A new job runs a script: which one is typed first, over the name that stands there.
void TstWindowKeys::newJobAsksForItsScript()
{
    const auto window = WindowFixture::makeWindow();
    window->resize(1200, 700);
    activate(window.get());
    window->action("new")->trigger();
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page && page->bytes().contains("script: train.py\n"));
    QVERIFY(!page->isModified());
    auto *text = page->findChild<CodeView *>(QStringLiteral("yamlText"));
    QTRY_VERIFY(QApplication::focusWidget() == text);
    // The form shows the head of the job meanwhile, however low it is.
    designertools::settle(page);
    const auto *form = page->findChild<QScrollArea *>(QStringLiteral("jobForm"));
    QVERIFY(form->verticalScrollBar()->maximum() > 0);
    QCOMPARE(form->verticalScrollBar()->value(), 0);
    QVERIFY(!page->findChild<QLineEdit *>(QStringLiteral("jobName"))->visibleRegion().isEmpty());
    QTest::keyClicks(text, QStringLiteral("fit.py"));
    QVERIFY2(page->bytes().contains("script: fit.py\n"), page->bytes().constData());
    WindowFixture::closeWithoutSaving(window.get());
}

// They are actions of the window, and reach it from the text and from the commands of the form.
void TstWindowKeys::zoomKeysTypeNothing()
{
    const auto usual = qScopeGuard([] { TextSize::code()->setSteps(0); });
    const auto window = WindowFixture::makeWindow();
    activate(window.get());
    window->openFiles({m_fixture.write(QStringLiteral("zoom.pai.yaml"), sampleJob)});
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page);
    const QSignalSpy zoomedIn(window->action("zoomIn"), &QAction::triggered);
    for (CodeView *view : {page->findChild<CodeView *>(QStringLiteral("yamlText")), designertools::commands(page)}) {
        designertools::focus(view);
        QTRY_VERIFY(view->hasFocus());
        view->setCaret(view->byteCount());
        QTest::keyClick(view, Qt::Key_Plus, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(view, Qt::Key_Equal, Qt::ControlModifier);
        QCOMPARE(TextSize::code()->steps(), 2);
        QTest::keyClick(view, Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(TextSize::code()->steps(), 1);
        QTest::keyClick(view, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(TextSize::code()->steps(), 0);
        QTest::keyClick(view, Qt::Key_9, Qt::ControlModifier);
        QCOMPARE(page->bytes(), sampleJob);
    }
    QVERIFY(zoomedIn.size() >= 2); // Shift belongs to the key on some platforms only
}

// As an argument of the program: before the window is there.
void TstWindowKeys::firstDocumentHasTheKeys()
{
    const auto window = WindowFixture::makeWindow();
    window->openFiles({m_fixture.write(QStringLiteral("keys.pai.yaml"), sampleJob)});
    activate(window.get());
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page);
    QTRY_VERIFY(QApplication::focusWidget() == page->findChild<CodeView *>(QStringLiteral("yamlText")));
}

// Where there is no text to be in.
void TstWindowKeys::openedFormHasTheKeys()
{
    const auto window = WindowFixture::makeWindow();
    activate(window.get());
    window->openFiles({m_fixture.write(QStringLiteral("keys.pai.yaml"), sampleJob)});
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page);
    page->setViewMode(DesignerPage::ViewMode::Form);
    window->action("new")->trigger();
    QVERIFY(window->currentDesigner() != page);
    page->setFocus();
    window->openFiles({page->filePath()});
    auto *form = page->findChild<QWidget *>(QStringLiteral("jobForm"));
    const auto isInForm = [&] {
        QWidget *focus = QApplication::focusWidget();
        return focus && (focus == form || form->isAncestorOf(focus));
    };
    QTRY_VERIFY(isInForm());
}

void TstWindowKeys::tabsChangeByBothPairsOfKeys_data()
{
    QTest::addColumn<int>("next");
    QTest::addColumn<int>("previous");
    QTest::addColumn<Qt::KeyboardModifiers>("held");
    QTest::newRow("pages") << int(Qt::Key_PageDown) << int(Qt::Key_PageUp) << Qt::KeyboardModifiers();
    QTest::newRow("tab") << int(Qt::Key_Tab) << int(Qt::Key_Backtab) << Qt::KeyboardModifiers(Qt::ShiftModifier);
}

void TstWindowKeys::tabsChangeByBothPairsOfKeys()
{
    QFETCH(const int, next);
    QFETCH(const int, previous);
    QFETCH(const Qt::KeyboardModifiers, held); // with the way back
    const auto window = WindowFixture::makeWindow();
    activate(window.get());
    window->openFiles({m_fixture.write(QStringLiteral("one.pai.yaml"), sampleJob),
        m_fixture.write(QStringLiteral("two.pai.yaml"), sampleJob)});
    DesignerPage *two = window->currentDesigner();
    QVERIFY(two);
    const QList<QWidget *> pages = window->tabs()->pages();
    two->setFocus(); // in a text, which has uses of its own for many keys
    QTRY_VERIFY(two->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key(previous), Qt::ControlModifier | held);
    QCOMPARE(window->tabs()->currentPage(), pages.at(pages.size() - 2));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key(next), Qt::ControlModifier);
    QVERIFY(window->tabs()->currentPage() == two);
    // In a field of the form too.
    two->findChild<QLineEdit *>(QStringLiteral("jobName"))->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key(previous), Qt::ControlModifier | held);
    QCOMPARE(window->tabs()->currentPage(), pages.at(pages.size() - 2));
    QVERIFY(two->bytes() == sampleJob);
}

// A program is no job: it comes with one that runs it where it is.
void TstWindowKeys::runsAScriptThatIsDropped()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    const QString script = m_fixture.write(QStringLiteral("pro/My train.py"), "print('x')\n");
    window->openFiles({script});
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page);
    QVERIFY2(page->bytes().contains("- python3 'My train.py'\n"), page->bytes().constData());
    QVERIFY2(page->bytes().contains("name: My_train\n"), page->bytes().constData());
    QVERIFY(page->filePath().isEmpty());
    QCOMPARE(QFileInfo(page->runFile()).path(), QFileInfo(script).path());
    QTRY_VERIFY2(page->canRun(), qPrintable(page->runBlockers().join(u' ')));
    QCOMPARE(page->fileName(), QStringLiteral("My_train.pai.yaml"));
}

// What stands in a field when the tab is closed is a change like any other.
void TstWindowKeys::asksBeforeAFieldIsLost()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    window->activateWindow();
    DesignerPage *page = window->newDocument(sampleJob, {});
    QVERIFY(!page->isModified());
    auto *name = page->findChild<QLineEdit *>(QStringLiteral("roleName"));
    QVERIFY(name);
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("other"));
    window->action("close")->trigger();
    auto *box = window->findChild<QMessageBox *>();
    QVERIFY(box);
    QVERIFY(page->bytes().contains("  other:\n"));
    box->button(QMessageBox::Discard)->click();
}

void TstWindowKeys::oneJobThatGoesOnIsOne()
{
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QByteArray yaml = sampleJob;
    const QString go = m_fixture.path(QStringLiteral("go"));
    const QByteArray waits = "until test -e " + go.toUtf8() + "; do sleep 0.05; done";
    const auto letGo = qScopeGuard([this] { m_fixture.write(QStringLiteral("go"), "x"); }); // also when this fails
    yaml.replace("for i in 1 2 3; do echo hello $i; done", waits);
    window->openFiles({m_fixture.write(QStringLiteral("goes-on.pai.yaml"), yaml)});
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Running, 20'000);
    QVERIFY(!window->close());
    auto *box = window->findChild<QMessageBox *>();
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains(u"to see it"), qPrintable(box->informativeText()));
    box->button(QMessageBox::Close)->click();
    QTRY_VERIFY(!window->isVisible());
    m_fixture.write(QStringLiteral("go"), "x");
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
}

void TstWindowKeys::everyPageNamesTheWindow()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    window->action("newFromTemplate")->trigger();
    QVERIFY2(window->windowTitle() != u"Trainyard", qPrintable(window->windowTitle()));
    QVERIFY(window->windowTitle().endsWith(u" — Trainyard"));
}

// Nothing of it would be lost: the value is not there.
void TstWindowKeys::maskedSecretsNeedNoQuestion()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    QByteArray yaml = sampleJob;
    DesignerPage *page
        = window->newDocument(yaml.replace("type: job\n", "type: job\nsecrets:\n  token: '******'\n"), {});
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "other"}});
    QTRY_VERIFY(page->isModified());
    QVERIFY(window->close());
    QVERIFY(!window->findChild<QMessageBox *>());
}

// Before anything is run: a list that looks as if there had never been a job is a shock.
void TstWindowKeys::engineThatCannotStartIsToldAtOnce()
{
    WindowFixture own;
    QVERIFY(own.makeFolders());
    const QString store = paths::stateFolder() + QStringLiteral("/store.db");
    QVERIFY(!own.write(store, QByteArray(4096, 'x')).isEmpty());
    QFile::setPermissions(
        QFileInfo(store).path(), QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Failed, 15'000);
    QVERIFY(window->bar());
    QVERIFY2(window->bar()->isVisible() && window->bar()->text().contains(u"store"), qPrintable(window->bar()->text()));
    QString listed;
    const auto labels = window->findChild<JobsPane *>()->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        listed += label->isVisible() ? label->text() + u'\n' : QString();
    }
    QVERIFY2(!listed.contains(u"Jobs you run are listed here"), qPrintable(listed));
    QVERIFY2(listed.contains(u"store"), qPrintable(listed));
    window.get()->close();
    QVERIFY(m_fixture.makeFolders());
}

void TstWindowKeys::escapeClosesThePaletteFromAnywhere()
{
    const auto window = m_fixture.makeWindow();
    activate(window.get());
    DesignerPage *designer = window->newDocument(sampleJob, {});
    auto *palette = window->findChild<CommandPalette *>();
    QVERIFY(palette);
    auto *view = designer->findChild<CodeView *>();
    const QList<SearchField *> fields = window->findChildren<SearchField *>();
    const auto own = std::find_if(fields.cbegin(), fields.cend(),
        [](const SearchField *each) { return each->placeholderText() == QStringLiteral("Search or command"); });
    QVERIFY(own != fields.cend());
    palette->open();
    QVERIFY(palette->isOpen());
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(!palette->isOpen());
    palette->open();
    QTest::keyClicks(*own, QStringLiteral("run")); // words, too, do not keep it
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QVERIFY(!palette->isOpen());
    // What had the focus has it again, also from the field alone.
    view->setFocus();
    window->action("commandPalette")->trigger();
    QVERIFY(palette->isOpen() && (*own)->hasFocus());
    QTest::keyClick(*own, Qt::Key_Escape);
    QVERIFY(!palette->isOpen());
    QVERIFY(view->hasFocus());
    // Asked for once more, what is typed now is something else.
    palette->open();
    QTest::keyClicks(*own, QStringLiteral("com"));
    window->action("commandPalette")->trigger();
    QCOMPARE((*own)->selectedText(), QStringLiteral("com"));
    QTest::keyClick(*own, Qt::Key_Escape);
    // Closed, it takes no keys away.
    QSignalSpy typed(*own, &SearchField::escapePressed);
    QTest::keyClick(*own, Qt::Key_Escape);
    QCOMPARE(typed.count(), 1);
}

// The keys go to the page that was asked for, and from its filter to its rows.
void TstWindowKeys::allJobsHasTheKeys()
{
    const auto window = m_fixture.makeWindow();
    activate(window.get());
    window->jobsPane()->view()->setFocus();
    auto *palette = window->findChild<CommandPalette *>();
    palette->open();
    auto *search = qobject_cast<SearchField *>(QApplication::focusWidget());
    QVERIFY(search);
    QTest::keyClicks(search, QStringLiteral("all jobs"));
    QTest::keyClick(search, Qt::Key_Return);
    QVERIFY(!palette->isOpen());
    auto *page = window->findChild<JobsTablePage *>();
    QVERIFY(page && page->isVisible());
    QVERIFY(page->isAncestorOf(QApplication::focusWidget()));
    JobSummary job;
    job.id = 1;
    job.uuid = QStringLiteral("uuid-1");
    job.state = State::Succeeded;
    page->model()->add({job});
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(page->view()));
    QCOMPARE(page->view()->currentIndex().row(), 0);
}

// By the menu as by the button of the page.
void TstWindowKeys::selectedJobsAreCompared()
{
    const auto window = m_fixture.makeWindow();
    activate(window.get());
    window->action("allJobs")->trigger();
    auto *page = window->findChild<JobsTablePage *>();
    QVERIFY(page);
    QList<JobSummary> jobs(2);
    for (int i = 0; i < jobs.size(); ++i) {
        jobs[i].id = i + 1;
        jobs[i].uuid = QStringLiteral("uuid-%1").arg(i + 1);
        jobs[i].state = State::Succeeded;
    }
    // An engine of a test before may fill the list anew meanwhile.
    QTRY_VERIFY((page->model()->add(jobs), page->model()->rowCount() >= jobs.size()));
    page->view()->selectAll();
    window->action("compareRuns")->trigger();
    QVERIFY(window->findChild<ComparePage *>());
    QVERIFY(!window->findChild<ChooseJobs *>()); // nothing is left to ask
}

void TstWindowKeys::pagesFromThePaletteHaveTheKeys_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("title"); // of its tab
    QTest::newRow("hosts") << QStringLiteral("hosts") << QStringLiteral("Hosts");
    QTest::newRow("by another name") << QStringLiteral("usage") << QStringLiteral("GPUs over time");
    QTest::newRow("by the name of the page") << QStringLiteral("templates") << QStringLiteral("Templates");
    QTest::newRow("open already") << QStringLiteral("welcome page") << QStringLiteral("Welcome");
    QTest::newRow("open tab") << QStringLiteral("kept.pai") << QStringLiteral("kept.pai.yaml");
}

// Whatever had the keys before: what is typed next is for the page that was asked for.
void TstWindowKeys::pagesFromThePaletteHaveTheKeys()
{
    QFETCH(const QString, typed);
    QFETCH(const QString, title);
    const auto window = m_fixture.makeWindow();
    activate(window.get());
    window->newDocument(sampleJob, QStringLiteral("kept.pai.yaml"));
    window->newDocument(sampleJob, QStringLiteral("front.pai.yaml"));
    window->jobsPane()->view()->setFocus();
    QVERIFY(window->jobsPane()->view()->hasFocus());
    window->findChild<CommandPalette *>()->open();
    auto *search = qobject_cast<SearchField *>(QApplication::focusWidget());
    QVERIFY(search);
    QTest::keyClicks(search, typed);
    QTest::keyClick(search, Qt::Key_Return);
    const QWidget *page = window->tabs()->currentPage();
    QCOMPARE(window->tabs()->titleOf(page), title);
    const QWidget *focus = QApplication::focusWidget();
    QVERIFY2(focus && (focus == page || page->isAncestorOf(focus)),
        focus ? focus->metaObject()->className() : "nothing has the focus");
    WindowFixture::closeWithoutSaving(window.get());
}

// The job in front tells how far it is every second, while somebody goes through the list with the arrow keys.
void TstWindowKeys::newsOfAJobLeaveTheListAlone()
{
    const auto window = m_fixture.makeWindow();
    activate(window.get());
    JobSummary first;
    first.id = 2;
    first.uuid = QStringLiteral("uuid-2");
    first.state = State::Running;
    JobSummary other = first;
    other.id = 1;
    other.uuid = QStringLiteral("uuid-1");
    EngineClient *client = window->client();
    Q_EMIT client->jobChanged(other);
    JobsPane *pane = window->jobsPane();
    Q_EMIT pane->openRequested(first.uuid);
    Q_EMIT client->jobChanged(first); // it has just been submitted
    QCOMPARE(pane->currentJob(), first.uuid);
    pane->view()->setFocus();
    QTest::keyClick(pane->view(), Qt::Key_Down);
    QCOMPARE(pane->currentJob(), other.uuid);
    first.progress = 0.5;
    Q_EMIT client->jobChanged(first);
    QCOMPARE(pane->currentJob(), other.uuid);
}

// An "&" in a name is shown and underlines nothing.
void TstWindowKeys::namesMarkNoKeys()
{
    const QString name = QStringLiteral("a&b");
    const QString shown = QStringLiteral("a&&b"); // as Qt wants it to be written
    QTabBar *bar = nullptr;
    {
        TabArea tabs;
        bar = tabs.tabBar();
        auto *page = new QWidget;
        tabs.addPage(page, {}, name);
        QCOMPARE(bar->tabText(0), shown);
        QCOMPARE(tabs.titleOf(page), name);
        tabs.removePage(page);
        delete page;
    }
    Chip chip(name);
    QCOMPARE(chip.text(), name); // it paints its text itself
    QVERIFY(chip.shortcut().isEmpty());
    InfoBar infoBar;
    QVERIFY(infoBar.addAction(name)->shortcut().isEmpty());
    QTest::failOnWarning(QRegularExpression(QStringLiteral("Negative sizes")));
    EmptyState empty; // without words
    empty.setRemedy(name, {});
    empty.resize(300, 200);
    empty.show();
    QVERIFY(empty.remedy()->shortcut().isEmpty());
    FixBar fixes;
    Diagnostic diagnostic;
    diagnostic.code = QStringLiteral("role.image.undefined");
    diagnostic.fixes.append({QStringLiteral("fix.did-you-mean"), {{QStringLiteral("name"), name}}, {}, {}});
    fixes.setDiagnostic(diagnostic);
    const QList<QAbstractButton *> links = fixes.findChildren<QAbstractButton *>();
    QVERIFY(!links.isEmpty());
    for (const QAbstractButton *link : links) {
        QVERIFY2(link->text().contains(shown) && link->shortcut().isEmpty(), qPrintable(link->text()));
    }
    // Roles of the form.
    const auto window = m_fixture.makeWindow();
    window->show();
    QByteArray job = sampleJob;
    const qsizetype at = job.indexOf("taskRoles:\n  ") + 13;
    job.replace(at, job.indexOf(':', at) - at, "'a&b'");
    const DesignerPage *designer = window->newDocument(job, {});
    const auto *roles = designer->findChild<QTabBar *>(QStringLiteral("roleTabs"));
    QTRY_VERIFY2(roles->tabText(0).startsWith(shown), qPrintable(roles->tabText(0)));
    // Files that were opened.
    const QString file = m_fixture.write(QStringLiteral("a&b.yaml"), sampleJob);
    WelcomePage welcome;
    welcome.setRecentFiles({file});
    bool found = false;
    const QList<QPushButton *> buttons = welcome.findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        found = found || button->text() == QStringLiteral("a&&b.yaml");
    }
    QVERIFY(found);
}

// Tab indents in the text of a job; whoever has no mouse needs another way out.
void TstWindowKeys::tabLeavesTheTextAfterEscape()
{
    const auto window = WindowFixture::makeWindow();
    activate(window.get());
    window->openFiles({m_fixture.write(QStringLiteral("keys.pai.yaml"), sampleJob)});
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page);
    auto *text = page->findChild<CodeView *>(QStringLiteral("yamlText"));
    text->setFocus();
    text->setCaret(0);
    QTest::keyClick(text, Qt::Key_Tab);
    QVERIFY(text->hasFocus());
    QVERIFY(page->bytes() != sampleJob);
    page->undo();
    QCOMPARE(page->bytes(), sampleJob);
    for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
        text->setFocus();
        QTest::keyClick(text, Qt::Key_Escape);
        QTest::keyClick(text, key, key == Qt::Key_Tab ? Qt::NoModifier : Qt::ShiftModifier);
        QVERIFY(!text->hasFocus());
        QCOMPARE(page->bytes(), sampleJob);
    }
    // What is typed in between makes it a Tab like any other.
    text->setFocus();
    QTest::keyClick(text, Qt::Key_Escape);
    QTest::keyClick(text, Qt::Key_Right);
    QTest::keyClick(text, Qt::Key_Tab);
    QVERIFY(text->hasFocus());
    // Whoever comes back has not pressed it.
    text->setFocus();
    QTest::keyClick(text, Qt::Key_Escape);
    page->findChild<QLineEdit *>(QStringLiteral("jobName"))->setFocus();
    text->setFocus();
    QTest::keyClick(text, Qt::Key_Tab);
    QVERIFY(text->hasFocus());
}

TRAINYARD_GUI_TEST(TstWindowKeys)
#include "tst_windowkeys.moc"
