// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/askbox.h"
#include "app/gui/mainwindow.h"
#include "app/gui/session.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/tokens.h"
#include "widgets/diff/diffpage.h"
#include "widgets/diff/diffview.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace trainyard;

namespace
{
const QByteArray goodJob = "protocolVersion: 2\n"
                           "name: from_the_window\n"
                           "type: job\n"
                           "prerequisites:\n"
                           "  - {name: img, type: dockerimage, uri: x}\n"
                           "taskRoles:\n"
                           "  w:\n"
                           "    instances: 1\n"
                           "    dockerImage: img\n"
                           "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
                           "    commands:\n"
                           "      - for i in 1 2 3; do echo hello $i; done\n";

// As the windowing system does it: Qt sends a drop only to the widget that took the entering drag.
bool dropFile(QWidget *widget, const QMimeData &data)
{
    const QPoint at = widget->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &enter);
    QDropEvent dropped(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &dropped);
    return enter.isAccepted() && dropped.isAccepted();
}
} // namespace

// In place of a browser.
class OpenedUrls : public QObject
{
    Q_OBJECT
public:
    QStringList urls;
    Q_INVOKABLE void take(const QUrl &url) { urls.append(url.toString()); }
};

// The window alone, and with a real engine of its own.
class TstMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void startsWithWelcome();
    void barsMoveNothing();
    void everyActionIsComplete();
    void dropOpensDesigner();
    void droppedTextOpensToo();
    void marksWhereADropGoes();
    void findsRecentFiles();
    void findsOpenDocuments();
    void longRunsAreNotStoppedByOneClick();
    void headingsOfQuestionsAreWhole();
    void runIsOffWhileThereAreErrors();
    void closedTabHandsOnTheFocus();
    void barBelongsToItsPage();
    void modifiedTabsAsk();
    void hostsListStaysWhileItIsTheSame();
    void closingAsksForWhatWouldBeLost();
    void draftRemembersItsFile();
    void saveAsLeavesOneTabOfAFile_data();
    void saveAsLeavesOneTabOfAFile();
    void sessionKeepsNoSecret();
    void sessionKeepsHalfWrittenText();
    void sessionKeepsWhatCouldBeRead();
    void secretsComeBackFromTheFile();
    void savesWhatIsBeingTyped();
    void sessionIsWrittenSoon();
    void draftsHaveNamesOfTheirOwn();
    void closingSaysHowManyAreAskedAbout();
    void opensWhatATaskServesAndReleasesIt();
    void retriesFailedTasksWithEdits();
    void failedTasksOfASuccessAreRetried();
    void refusedWorkFolderIsMarked();
    void failedHostIsExplained();
    void runsAJob();
    void formerRunStaysOpen();
    void saveWithoutItsFolderOffersAnother();

private:
    static void closeWithoutSaving(MainWindow *window)
    {
        window->show();
        if (!window->close()) {
            window->findChild<QMessageBox *>()->button(QMessageBox::Discard)->click();
        }
        QTRY_VERIFY(!window->isVisible());
    }
    static std::unique_ptr<MainWindow> makeWindow(bool session, bool engine)
    {
        return std::make_unique<MainWindow>(MainWindow::Options{session, engine});
    }
    QString write(const QString &name, const QByteArray &bytes) const { return m_fixture.write(name, bytes); }
    QString path(const QString &name) const { return m_fixture.path(name); }
    WindowFixture m_fixture;
};

void TstMainWindow::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstMainWindow::cleanupTestCase() { WindowFixture::stopEngine(); }

void TstMainWindow::startsWithWelcome()
{
    const auto window = makeWindow(false, false);
    window->show();
    QCOMPARE(window->tabs()->pages().size(), 1);
    QVERIFY(!window->currentDesigner());
    QVERIFY(!window->action("run")->isEnabled());
    QVERIFY(!window->action("save")->isEnabled());
    window->action("new")->trigger();
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->tabs()->pages().size(), 2);
}

// Who is about to click finds the tabs and the page where they were.
void TstMainWindow::barsMoveNothing()
{
    const auto window = makeWindow(false, false);
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get()));
    const auto topOf = [&window](const QWidget *widget) { return widget->mapTo(window.get(), QPoint()).y(); };
    const int tabs = topOf(window->tabs());
    const int page = topOf(window->tabs()->currentPage());
    InfoBar *bar = window->bar();
    bar->show(InfoBar::Kind::Failed, QStringLiteral("This is no job."));
    QTRY_VERIFY(bar->isVisible() && topOf(bar) >= topOf(window->tabs()) + window->tabs()->height());
    QCOMPARE(topOf(window->tabs()), tabs);
    QCOMPARE(topOf(window->tabs()->currentPage()), page);
}

void TstMainWindow::everyActionIsComplete()
{
    const auto window = makeWindow(false, false);
    const QList<QAction *> actions = window->actions();
    QVERIFY(actions.size() > 15);
    QSet<QString> names;
    QHash<QKeySequence, QString> keys;
    for (const QAction *action : actions) {
        QVERIFY2(!action->objectName().isEmpty(), qPrintable(action->text()));
        QVERIFY2(!action->statusTip().isEmpty(), qPrintable(action->objectName()));
        QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
        QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
        names.insert(action->objectName());
        QVERIFY2(action->isEnabled() || action->toolTip().contains(QLatin1Char('\n')), // and a sentence that says why
            qPrintable(action->objectName() + QStringLiteral(": ") + action->toolTip()));
        if (!action->shortcut().isEmpty()) {
            QVERIFY2(!keys.contains(action->shortcut()), qPrintable(action->objectName()));
            keys.insert(action->shortcut(), action->objectName());
        }
    }
    for (const char *name : {"new", "open", "save", "saveAs", "close", "quit", "run", "stop"}) {
        QVERIFY2(!window->action(name)->shortcut().isEmpty(), name); // whatever the desktop
    }
    const QList<QToolButton *> buttons = window->findChildren<QToolButton *>();
    for (const QToolButton *button : buttons) {
        const bool named = !button->accessibleName().isEmpty() || !button->text().isEmpty();
        const bool ours = !button->objectName().startsWith(QStringLiteral("qt_"))
            && !qobject_cast<QLineEdit *>(button->parentWidget()) && !qobject_cast<QTabBar *>(button->parentWidget());
        QVERIFY2(named || !ours,
            qPrintable(button->objectName() + QStringLiteral(" in ")
                + QString::fromLatin1(button->parentWidget()->metaObject()->className())));
    }
}

void TstMainWindow::dropOpensDesigner()
{
    const QString first = write(QStringLiteral("a.pai.yaml"), goodJob);
    const QString second = write(QStringLiteral("b.yml"), goodJob);
    const auto window = makeWindow(false, false);
    window->show();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(first), QUrl::fromLocalFile(second)});
    QVERIFY(dropFile(window.get(), data));
    QCOMPARE(window->tabs()->pages().size(), 3);
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->filePath(), second);
    QCOMPARE(window->currentDesigner()->bytes(), goodJob);
    // The same file again is the same tab; and a drop on a field of the page opens a file too.
    QMimeData again;
    again.setUrls({QUrl::fromLocalFile(first)});
    auto *field = window->currentDesigner()->findChild<QLineEdit *>();
    QVERIFY(field);
    QVERIFY(dropFile(field, again));
    QCOMPARE(window->tabs()->pages().size(), 3);
    QCOMPARE(window->currentDesigner()->filePath(), first);
}

void TstMainWindow::droppedTextOpensToo()
{
    const auto window = makeWindow(false, false);
    window->show();
    QMimeData data;
    data.setText(QString::fromUtf8(goodJob));
    QVERIFY(dropFile(window.get(), data));
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->bytes(), goodJob);
    // On a text as well: a job in a job is nobody's wish.
    DesignerPage *first = window->currentDesigner();
    auto *text = first->findChild<CodeView *>(QStringLiteral("yamlText"));
    QVERIFY(text && dropFile(text->viewport(), data));
    QVERIFY(window->currentDesigner() && window->currentDesigner() != first);
    QCOMPARE(window->currentDesigner()->bytes(), goodJob);
    QCOMPARE(first->bytes(), goodJob);
    // Words are no document: they go where they are let go.
    QMimeData words;
    words.setText(QStringLiteral("words"));
    QVERIFY(!dropFile(window.get(), words));
    QCOMPARE(window->tabs()->pages().size(), 3);
}

// While something that opens is over the window, the window says so.
void TstMainWindow::marksWhereADropGoes()
{
    const auto window = makeWindow(false, false);
    window->show();
    DesignerPage *page = window->openFile(write(QStringLiteral("marked.pai.yaml"), goodJob));
    QVERIFY(page);
    auto *mark = window->findChild<QWidget *>(QStringLiteral("dropMark"));
    QVERIFY(mark && !mark->isVisible());
    QWidget *field = page->findChild<QLineEdit *>(QStringLiteral("jobName"));
    const auto enter = [](QWidget *widget, const QMimeData &data) {
        QDragEnterEvent event(widget->rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    };
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path(QStringLiteral("marked.pai.yaml")))});
    for (QWidget *over : {static_cast<QWidget *>(window.get()), field}) {
        enter(over, data);
        QVERIFY(mark->isVisible());
        QCOMPARE(mark->geometry(), mark->parentWidget()->rect());
        QDragLeaveEvent leave;
        QApplication::sendEvent(over, &leave);
        QVERIFY(!mark->isVisible());
        QVERIFY(dropFile(over, data));
        QVERIFY(!mark->isVisible());
    }
    QMimeData words;
    words.setText(QStringLiteral("words"));
    enter(field, words);
    QVERIFY(!mark->isVisible());
}

void TstMainWindow::findsRecentFiles()
{
    const auto window = makeWindow(false, false);
    window->show();
    QCOMPARE(window->action("saveAs")->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    DesignerPage *page = window->openFile(write(QStringLiteral("lately.pai.yaml"), goodJob));
    QVERIFY(page);
    window->action("close")->trigger();
    QVERIFY(!window->currentDesigner());
    window->action("commandPalette")->trigger();
    SearchField *field = nullptr;
    const auto fields = window->findChildren<SearchField *>();
    for (SearchField *each : fields) {
        field = each->placeholderText() == QStringLiteral("Search or command") ? each : field;
    }
    QVERIFY(field);
    field->setText(QStringLiteral("recent lately"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->displayName(), QStringLiteral("lately.pai.yaml"));
}

// By name, whether it is saved or not; and what is called as was typed comes first.
void TstMainWindow::findsOpenDocuments()
{
    const auto window = makeWindow(false, false);
    window->show();
    DesignerPage *page = window->newDocument(goodJob, QStringLiteral("wanted.pai.yaml"));
    QVERIFY(page);
    window->newDocument(goodJob, QStringLiteral("other.pai.yaml"));
    QVERIFY(window->currentDesigner() != page);
    const auto fields = window->findChildren<SearchField *>();
    const auto field = std::find_if(fields.cbegin(), fields.cend(),
        [](const SearchField *each) { return each->placeholderText() == QStringLiteral("Search or command"); });
    QVERIFY(field != fields.cend());
    window->action("commandPalette")->trigger();
    (*field)->setText(QStringLiteral("wanted"));
    QTest::keyClick(*field, Qt::Key_Return);
    QCOMPARE(window->currentDesigner(), page);
    window->action("commandPalette")->trigger();
    (*field)->setText(QStringLiteral("stop"));
    QListView *list = nullptr;
    for (QListView *each : window->findChildren<QListView *>()) {
        list = each->accessibleName() == QStringLiteral("Commands and jobs") ? each : list;
    }
    QVERIFY(list);
    QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("Stop"));
    (*field)->setText(QStringLiteral("nothing is called so"));
    QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("No results."));
}

// One click does not end work of more than a minute.
void TstMainWindow::longRunsAreNotStoppedByOneClick()
{
    JobSummary job;
    job.id = 7;
    job.name = QStringLiteral("<b>long</b>");
    job.state = State::Running;
    job.began = 1'000'000;
    QVERIFY(!asksBeforeStop(job, 1'000'000 + 59'000));
    QVERIFY(asksBeforeStop(job, 1'000'000 + 8 * 60'000));
    QWidget window;
    QMessageBox *box = makeStopBox(&window, job, 1'000'000 + 8 * 60'000);
    box->open();
    QVERIFY2(box->informativeText().contains(QStringLiteral("8:00")), qPrintable(box->informativeText()));
    QCOMPARE(box->text(), QStringLiteral("Stop <b>long</b> #7?"));
    QCOMPARE(box->textFormat(), Qt::PlainText);
    QMessageBox::StandardButton pressed = QMessageBox::NoButton;
    connect(box, &QMessageBox::buttonClicked, this,
        [&](QAbstractButton *button) { pressed = box->standardButton(button); });
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(pressed, QMessageBox::Yes);
    job.state = State::Waiting; // nothing of it runs
    QVERIFY(!asksBeforeStop(job, 1'000'000 + 8 * 60'000));
}

void TstMainWindow::headingsOfQuestionsAreWhole()
{
    QWidget window;
    for (const QString &heading : {QStringLiteral("1 job will keep running after you close this window."),
             QStringLiteral("a name that is long ").repeated(8)}) {
        QMessageBox *box = makeAskBox(&window, heading, QStringLiteral("Words."), QMessageBox::Close);
        box->open();
        const auto *label = box->findChild<QLabel *>(QStringLiteral("qt_msgbox_label"));
        const int wide = QFontMetrics(label->font()).horizontalAdvance(heading);
        QVERIFY2(label->wordWrap() ? label->height() >= label->heightForWidth(label->width()) : label->width() >= wide,
            qPrintable(QStringLiteral("%1 of %2").arg(label->width()).arg(wide)));
        // No column for an icon, also after the words have changed.
        const auto leftOf = [box] {
            const auto *words = box->findChild<QLabel *>(QStringLiteral("qt_msgbox_label"));
            return words->mapTo(box, QPoint(words->contentsMargins().left() + words->indent(), 0)).x();
        };
        QTRY_COMPARE(leftOf(), metrics::space5);
        box->setInformativeText(QStringLiteral("Other words."));
        QTRY_COMPARE(leftOf(), metrics::space5);
        box->close();
    }
}

void TstMainWindow::runIsOffWhileThereAreErrors()
{
    const auto window = makeWindow(false, false);
    window->show();
    QByteArray broken = goodJob;
    broken.replace("dockerImage: img", "dockerImage: nothing");
    window->newDocument(broken, {});
    QTRY_COMPARE(window->currentDesigner()->errorCount(), 1);
    QTRY_VERIFY(!window->action("run")->isEnabled());
    QVERIFY2(window->action("run")->toolTip().contains(QStringLiteral("nothing")),
        qPrintable(window->action("run")->toolTip()));
    window->newDocument(goodJob, {});
    QTRY_VERIFY(window->action("run")->isEnabled());
}

// Who closes a tab by key works on in the one that comes in front.
void TstMainWindow::closedTabHandsOnTheFocus()
{
    const auto window = makeWindow(false, false);
    window->show();
    window->activateWindow();
    QTRY_VERIFY(window->isActiveWindow());
    DesignerPage *first = window->openFile(write(QStringLiteral("first.pai.yaml"), goodJob));
    QVERIFY(first);
    DesignerPage *second = window->openFile(write(QStringLiteral("second.pai.yaml"), goodJob));
    QVERIFY(second);
    second->setFocus();
    QTRY_VERIFY(second->isAncestorOf(QApplication::focusWidget()));
    window->action("close")->trigger();
    QCOMPARE(window->currentDesigner(), first);
    QVERIFY(first->isAncestorOf(QApplication::focusWidget()));
}

// What is said of one document does not stand above another.
void TstMainWindow::barBelongsToItsPage()
{
    const auto window = makeWindow(false, false);
    window->show();
    QByteArray broken = goodJob;
    broken.replace("dockerImage: img", "dockerImage: nothing");
    const auto shown = [&] {
        QStringList texts;
        const auto bars = window->centralWidget()->findChildren<InfoBar *>();
        for (const InfoBar *bar : bars) {
            if (bar->isVisible()) {
                texts.append(bar->text());
            }
        }
        return texts.join(u'|');
    };
    DesignerPage *first = window->openFile(write(QStringLiteral("one.pai.yaml"), broken));
    DesignerPage *second = window->openFile(write(QStringLiteral("two.pai.yaml"), goodJob));
    QVERIFY(first && second);
    window->tabs()->setCurrentPage(first);
    window->runCurrent();
    QVERIFY2(shown().contains(u"one.pai.yaml cannot run"), qPrintable(shown()));
    QVERIFY(window->bar()->isVisible());
    window->tabs()->setCurrentPage(second);
    QVERIFY2(!shown().contains(u"cannot run"), qPrintable(shown()));
    // Another one, of this page: both stay with theirs.
    window->action("compareLastRun")->trigger();
    QVERIFY2(shown().contains(u"two.pai.yaml has not run yet"), qPrintable(shown()));
    window->tabs()->setCurrentPage(first);
    QVERIFY2(shown().contains(u"one.pai.yaml cannot run"), qPrintable(shown()));
    QVERIFY2(!shown().contains(u"has not run yet"), qPrintable(shown()));
    window->bar()->findChild<QToolButton *>()->click(); // closed: it does not come back
    QCOMPARE(shown(), QString());
    window->tabs()->setCurrentPage(second);
    QVERIFY2(shown().contains(u"has not run yet"), qPrintable(shown()));
    window->tabs()->setCurrentPage(first);
    QCOMPARE(shown(), QString());
    // It goes with its page.
    window->tabs()->setCurrentPage(second);
    window->action("close")->trigger();
    QVERIFY2(!shown().contains(u"has not run yet"), qPrintable(shown()));
}

void TstMainWindow::modifiedTabsAsk()
{
    const auto window = makeWindow(false, false);
    window->show();
    const QString path = write(QStringLiteral("c.yaml"), goodJob);
    DesignerPage *page = window->openFile(path);
    QVERIFY(page && !page->isModified());
    window->action("close")->trigger();
    QVERIFY(!window->currentDesigner()); // nothing to lose: no question
    QVERIFY(!window->openFile(m_fixture.path(QStringLiteral("missing.yaml"))));
    QVERIFY(!window->currentDesigner());
    // What is said of one file does not stand above the next.
    const auto shown = [&window] {
        const QList<InfoBar *> bars = window->findChildren<InfoBar *>();
        return std::count_if(bars.begin(), bars.end(), [](const InfoBar *bar) { return bar->isVisible(); });
    };
    QCOMPARE(shown(), 1);
    QVERIFY(window->openFile(path));
    QCOMPARE(shown(), 0);
    // Of several at once each is told.
    window->openFiles({m_fixture.path(QStringLiteral("missing.yaml")), m_fixture.path(QString()), path});
    QCOMPARE(shown(), 1);
    QVERIFY2(window->bar()->text().contains(QStringLiteral("missing.yaml"))
            && window->bar()->text().contains(QStringLiteral("is a folder")),
        qPrintable(window->bar()->text()));
}

// Hosts are measured every few seconds; who has the list open is not thrown out of it.
void TstMainWindow::hostsListStaysWhileItIsTheSame()
{
    const auto window = makeWindow(false, false);
    window->show();
    const auto *target = window->findChild<QComboBox *>(QStringLiteral("target"));
    QVERIFY(target && target->count() > 0);
    const QSignalSpy removed(target->model(), &QAbstractItemModel::rowsRemoved);
    const QSignalSpy reset(target->model(), &QAbstractItemModel::modelReset);
    HostInfo host;
    host.id = QStringLiteral("local");
    Q_EMIT window->client()->hostChanged(host);
    QCOMPARE(removed.count() + reset.count(), 0);
}

// Texts come back at the next start, but no secret is ever written beside the file: such a document asks.
void TstMainWindow::closingAsksForWhatWouldBeLost()
{
    saveSession({});
    const QString file = write(QStringLiteral("token.pai.yaml"), goodJob);
    const auto window = makeWindow(true, false);
    window->show();
    DesignerPage *page = window->openFile(file);
    QVERIFY(page);
    const auto type = [&](const QByteArray &words) {
        page->findChild<CodeView *>(QStringLiteral("yamlText"))->applyEdits({{{0, 0}, words}}, Origin::Text);
    };
    const auto answer = [&](QMessageBox::StandardButton button) {
        auto *box = window->findChild<QMessageBox *>();
        if (!box || !box->isVisible()) {
            return false;
        }
        box->button(button)->click();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return true;
    };
    type("secrets: {token: hush}\n");
    window->showWelcome();
    QVERIFY(!window->close());
    QCOMPARE(window->currentDesigner(), page); // one sees what it is about
    QVERIFY(answer(QMessageBox::Cancel));
    QVERIFY(window->isVisible());
    QVERIFY(!window->close());
    QVERIFY(answer(QMessageBox::Save));
    QVERIFY(window->isVisible()); // the file does not have the value yet
    QVERIFY(answer(QMessageBox::Ignore));
    QTRY_VERIFY(!window->isVisible());
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(saved.readAll(), "secrets: {token: hush}\n" + goodJob);
    window->show();
    type("description: other\n");
    QVERIFY(!window->close());
    QVERIFY(answer(QMessageBox::Discard));
    QTRY_VERIFY(!window->isVisible());
    saveSession({});
}

void TstMainWindow::saveAsLeavesOneTabOfAFile_data()
{
    QTest::addColumn<bool>("unsaved");
    QTest::newRow("nothing to lose there") << false;
    QTest::newRow("changes that are not saved there") << true;
}

// Two tabs of one file would write over each other.
void TstMainWindow::saveAsLeavesOneTabOfAFile()
{
    QFETCH(const bool, unsaved);
    const QString path = write(QStringLiteral("one-tab-%1.pai.yaml").arg(unsaved), goodJob);
    const auto window = makeWindow(false, false);
    window->show();
    DesignerPage *before = window->openFile(path);
    QVERIFY(before);
    if (unsaved) {
        before->applyEdits({edit::SetText{{QStringLiteral("name")}, QStringLiteral("edited")}});
        QTRY_VERIFY(before->isModified());
    }
    QByteArray text = goodJob;
    text += "# the one that is saved\n";
    DesignerPage *saved = window->newDocument(text, {});
    const qsizetype tabs = window->tabs()->pages().size();
    window->action("saveAs")->trigger();
    auto *files = window->findChild<QFileDialog *>();
    QVERIFY(files);
    Q_EMIT files->fileSelected(path);
    files->close();
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), unsaved ? goodJob : text);
    QCOMPARE(window->tabs()->pages().size(), unsaved ? tabs : tabs - 1);
    QCOMPARE(window->currentDesigner(), saved);
    QCOMPARE(saved->filePath(), unsaved ? QString() : path);
    if (unsaved) {
        QVERIFY(window->bar()->isVisible());
        QVERIFY2(window->bar()->text().contains(QStringLiteral("is open in another tab")),
            qPrintable(window->bar()->text()));
    }
    closeWithoutSaving(window.get());
}

// What others wrote while the window was closed is no more lost than what they write while it is open.
void TstMainWindow::draftRemembersItsFile()
{
    saveSession({});
    const QString file = write(QStringLiteral("draft.pai.yaml"), goodJob);
    const auto editor = [](DesignerPage *page) { return page->findChild<CodeView *>(QStringLiteral("yamlText")); };
    {
        const auto window = makeWindow(true, false);
        window->show();
        DesignerPage *page = window->openFile(file);
        QVERIFY(page);
        editor(page)->applyEdits({{{0, 0}, "# mine\n"}}, Origin::Text);
        closeWithoutSaving(window.get());
    }
    {
        const auto window = makeWindow(true, false); // nobody wrote: nothing to ask
        window->show();
        DesignerPage *page = window->currentDesigner();
        QVERIFY(page && page->isModified());
        QVERIFY(page->findChild<InfoBar *>(QStringLiteral("fileBar"))->isHidden());
        closeWithoutSaving(window.get());
    }
    write(QStringLiteral("draft.pai.yaml"), goodJob + "# theirs\n");
    const auto window = makeWindow(true, false);
    window->show();
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page && page->isModified());
    QCOMPARE(page->bytes(), "# mine\n" + goodJob);
    QVERIFY(page->findChild<InfoBar *>(QStringLiteral("fileBar"))->isVisible());
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(saved.readAll(), goodJob + "# theirs\n");
    closeWithoutSaving(window.get());
    saveSession({});
}

void TstMainWindow::sessionKeepsNoSecret()
{
    const QByteArray secret = goodJob + "secrets:\n  token: hush-hush-hush\n";
    {
        const auto window = makeWindow(true, false);
        window->newDocument(secret, QStringLiteral("mine.yaml"));
        closeWithoutSaving(window.get());
    }
    const Session session = loadSession();
    QVERIFY(std::any_of(session.tabs.cbegin(), session.tabs.cend(), [](const SessionTab &tab) {
        return tab.name == QLatin1String("mine.yaml") && tab.masked && !tab.text.isEmpty()
            && !tab.text.contains("hush");
    }));
    {
        const auto window = makeWindow(true, false);
        QVERIFY(window->currentDesigner());
        QCOMPARE(window->currentDesigner()->displayName(), QStringLiteral("mine.yaml"));
        QVERIFY(window->currentDesigner()->isModified());
        QVERIFY(window->currentDesigner()->bytes().contains("from_the_window"));
    }
    saveSession({});
}

// A text is often no YAML while somebody writes. It comes back, unless it may hold a secret; then the file is left as
// it was saved, and it is said.
void TstMainWindow::sessionKeepsHalfWrittenText()
{
    const QString plain = write(QStringLiteral("plain.pai.yaml"), goodJob);
    const QString secret = write(QStringLiteral("secret.pai.yaml"), goodJob);
    saveSession({});
    {
        const auto window = makeWindow(true, false);
        DesignerPage *page = window->openFile(plain);
        QVERIFY(page);
        auto *text = page->findChild<CodeView *>(QStringLiteral("yamlText"));
        QVERIFY(text);
        text->applyEdits({{{0, 0}, "half: [\n"}}, Origin::Text);
        page = window->openFile(secret);
        QVERIFY(page);
        page->findChild<CodeView *>(QStringLiteral("yamlText"))
            ->applyEdits({{{0, 0}, "secrets: {token: hush\n"}}, Origin::Text);
        closeWithoutSaving(window.get());
    }
    {
        const auto window = makeWindow(true, false);
        QHash<QString, DesignerPage *> pages;
        for (QWidget *each : window->tabs()->pages()) {
            if (auto *page = qobject_cast<DesignerPage *>(each)) {
                pages.insert(page->filePath(), page);
            }
        }
        QVERIFY(pages.value(plain) && pages.value(secret));
        QCOMPARE(pages.value(plain)->bytes(), "half: [\n" + goodJob);
        QVERIFY(pages.value(plain)->isModified());
        QCOMPARE(pages.value(secret)->bytes(), goodJob);
        QVERIFY(!pages.value(secret)->isModified());
        const auto bars = window->findChildren<InfoBar *>();
        QVERIFY(std::any_of(bars.cbegin(), bars.cend(),
            [](const InfoBar *bar) { return bar->text().contains(QLatin1String("secret.pai.yaml")); }));
    }
    saveSession({});
}

// A text that can no longer be read and may hold secrets is not written. What was written before it stays.
void TstMainWindow::sessionKeepsWhatCouldBeRead()
{
    const QString path = paths::stateFolder() + QStringLiteral("/session-test.json");
    SessionTab tab;
    tab.kind = QStringLiteral("document");
    tab.name = QStringLiteral("mine.yaml");
    tab.modified = true;
    tab.text = "name: a\nsecrets:\n  token: hush-hush\n# a line more\n";
    QVERIFY(saveSession({{tab}, 0}, path));
    const QByteArray kept = loadSession(path).tabs.constFirst().text;
    QVERIFY(kept.contains("# a line more") && !kept.contains("hush"));
    for (int i = 0; i < 2; ++i) { // also when it is written again
        tab.text = "name: a : 3\nsecrets:\n  token: hush-hush" + QByteArray::number(i) + "\n# a line more\n# another\n";
        QVERIFY(saveSession({{tab}, 0}, path));
        const SessionTab read = loadSession(path).tabs.constFirst();
        QCOMPARE(read.text, kept);
        QVERIFY(read.earlier && read.masked);
    }
    tab.text = "name: b\n";
    QVERIFY(saveSession({{tab}, 0}, path));
    QCOMPARE(loadSession(path).tabs.constFirst().text, tab.text);
    QVERIFY(!loadSession(path).tabs.constFirst().earlier);
    // Of another document nothing is taken.
    SessionTab other = tab;
    other.name = QStringLiteral("other.yaml");
    other.text = "secrets: [\n";
    QVERIFY(saveSession({{other}, 0}, path));
    QVERIFY(loadSession(path).tabs.constFirst().text.isEmpty());
    // And in the window.
    other.text = "secrets:\n  token: hush\n" + goodJob;
    QVERIFY(saveSession({{other}, 0}));
    other.text.prepend("broken: [\n");
    QVERIFY(saveSession({{other}, 0}));
    const auto window = makeWindow(true, false);
    QVERIFY(window->currentDesigner());
    QVERIFY(window->currentDesigner()->bytes().endsWith(goodJob));
    const auto bars = window->findChildren<InfoBar *>();
    QVERIFY(std::any_of(bars.cbegin(), bars.cend(),
        [](const InfoBar *bar) { return bar->text().contains(QLatin1String("other.yaml")); }));
    closeWithoutSaving(window.get());
    saveSession({});
}

// Saving a document that came back must not write the mask over the secret that its file has.
void TstMainWindow::secretsComeBackFromTheFile()
{
    saveSession({});
    const QByteArray secret = goodJob + "secrets:\n  token: hush-hush-hush\n";
    const QString path = write(QStringLiteral("kept.pai.yaml"), secret);
    {
        const auto window = makeWindow(true, false);
        DesignerPage *page = window->openFile(path);
        QVERIFY(page);
        page->findChild<CodeView *>(QStringLiteral("yamlText"))->applyEdits({{{0, 0}, "# mine\n"}}, Origin::Text);
        closeWithoutSaving(window.get());
    }
    for (int i = 0; i < 2; ++i) { // after a second start as after the first
        const auto window = makeWindow(true, false);
        QVERIFY(window->currentDesigner());
        QCOMPARE(window->currentDesigner()->bytes(), "# mine\n" + secret);
        QVERIFY(window->currentDesigner()->isModified());
        if (i == 1) {
            window->action("save")->trigger();
        }
        closeWithoutSaving(window.get());
    }
    QFile saved(path);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(saved.readAll(), "# mine\n" + secret);
    saveSession({});
}

// The first letter in the form is no change of the document yet; Save takes it.
void TstMainWindow::savesWhatIsBeingTyped()
{
    saveSession({});
    const QString path = write(QStringLiteral("typed.pai.yaml"), goodJob);
    const auto window = makeWindow(true, false);
    window->show();
    DesignerPage *page = window->openFile(path);
    QVERIFY(page);
    QLineEdit *name = nullptr;
    QTRY_VERIFY(!page->findChildren<QLineEdit *>().isEmpty());
    for (QLineEdit *each : page->findChildren<QLineEdit *>()) {
        name = each->text() == QLatin1String("from_the_window") ? each : name;
    }
    QVERIFY(name);
    name->setFocus();
    name->end(false);
    QTest::keyClicks(name, QStringLiteral("2"));
    QVERIFY(window->action("save")->isEnabled());
    window->action("save")->trigger();
    QFile saved(path);
    const auto bytes = [&] { return saved.open(QIODevice::ReadOnly) ? saved.readAll() : QByteArray(); };
    QTRY_VERIFY((saved.close(), bytes().contains("from_the_window2")));
    closeWithoutSaving(window.get());
    saveSession({});
}

// What was opened right before a kill is there again: nobody closed this window.
void TstMainWindow::sessionIsWrittenSoon()
{
    saveSession({});
    const auto has = [](const QString &name) {
        const Session session = loadSession();
        return std::any_of(session.tabs.cbegin(), session.tabs.cend(),
            [&](const SessionTab &tab) { return tab.name == name || tab.path.endsWith(name); });
    };
    const auto window = makeWindow(true, false);
    window->newDocument(goodJob, QStringLiteral("just-now.yaml"));
    QTRY_VERIFY_WITH_TIMEOUT(has(QStringLiteral("just-now.yaml")), 3000);
    QVERIFY(window->openFile(write(QStringLiteral("from-disk.yaml"), goodJob)));
    QTRY_VERIFY_WITH_TIMEOUT(has(QStringLiteral("from-disk.yaml")), 3000);
    saveSession({});
}

// Also those of the window before, and those that came from the same template.
void TstMainWindow::draftsHaveNamesOfTheirOwn()
{
    saveSession({});
    const auto names = [](const MainWindow *window) {
        QStringList found;
        const auto pages = window->tabs()->pages();
        for (const QWidget *each : pages) {
            if (const auto *page = qobject_cast<const DesignerPage *>(each)) {
                found.append(page->displayName());
            }
        }
        return found;
    };
    const QStringList expected{QStringLiteral("untitled.pai.yaml"), QStringLiteral("untitled-2.pai.yaml"),
        QStringLiteral("net-50.pai.yaml"), QStringLiteral("net-50-2.pai.yaml")};
    {
        const auto window = makeWindow(true, false);
        window->newDocument(goodJob, {});
        window->newDocument(goodJob, {});
        window->newDocument(goodJob, QStringLiteral("net-50.pai.yaml"));
        window->newDocument(goodJob, QStringLiteral("net-50.pai.yaml"));
        QCOMPARE(names(window.get()), expected);
        window->show();
        QVERIFY(window->close());
    }
    // What an older program has kept.
    Session session = loadSession();
    for (SessionTab &tab : session.tabs) {
        if (tab.name == expected.at(0)) {
            tab.name = expected.at(1);
        }
    }
    {
        const auto window = makeWindow(true, false);
        window->newDocument(goodJob, {});
        QCOMPARE(names(window.get()), expected + QStringList(QStringLiteral("untitled-3.pai.yaml")));
    }
    saveSession(session);
    {
        const auto window = makeWindow(true, false);
        QCOMPARE(names(window.get()),
            (QStringList{expected.at(1), QStringLiteral("untitled.pai.yaml"), expected.at(2), expected.at(3)}));
    }
    saveSession({});
}

void TstMainWindow::closingSaysHowManyAreAskedAbout()
{
    saveSession({});
    const auto window = makeWindow(false, false);
    window->show();
    for (int i = 0; i < 3; ++i) {
        window->newDocument(goodJob, {})
            ->findChild<CodeView *>(QStringLiteral("yamlText"))
            ->applyEdits({{{0, 0}, "secrets: {token: hush-hush-hush}\n"}}, Origin::Text);
    }
    QStringList told;
    for (int i = 0; i < 3; ++i) {
        if (i == 0) {
            QVERIFY(!window->close());
        }
        const auto boxes = window->findChildren<QMessageBox *>();
        QMessageBox *box = nullptr;
        for (QMessageBox *each : boxes) {
            box = each->isVisible() ? each : box;
        }
        QVERIFY(box);
        told.append(box->informativeText().section(QLatin1Char('\n'), -1));
        box->button(QMessageBox::Discard)->click();
    }
    QVERIFY2(told.at(0).startsWith(QStringLiteral("2 more document")), qPrintable(told.at(0)));
    QVERIFY2(told.at(1).startsWith(QStringLiteral("1 more document")), qPrintable(told.at(1)));
    QVERIFY2(!told.at(2).contains(QStringLiteral("more document")), qPrintable(told.at(2)));
    QTRY_VERIFY(!window->isVisible());
    saveSession({});
}

// A TensorBoard of a job that is opened in the browser, and a failed task that is held until the button is pressed.
void TstMainWindow::opensWhatATaskServesAndReleasesIt()
{
    write(QStringLiteral("bin/tensorboard"),
        "#!/bin/sh\nexec /usr/bin/python3 -c 'import sys,socket\n"
        "s=socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
        "s.bind((sys.argv[2], int(sys.argv[4]))); s.listen(9)\n"
        "while True: s.accept()\n' \"$@\"\n");
    QFile::setPermissions(path(QStringLiteral("bin/tensorboard")),
        QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    QByteArray yaml = goodJob;
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "until [ -e go ]; do sleep 0.05; done; exit 7");
    yaml += "extras:\n  trainyard: {holdAfterFailureMinutes: 5}\n  com.microsoft.pai.runtimeplugin:\n"
            "    - {plugin: cmd, parameters: {preCommands: ['export PATH=\""
        + path(QStringLiteral("bin")).toUtf8()
        + ":$PATH\"']}}\n    - {plugin: tensorboard, parameters: {port: 10124, logdir: {a: runs}}}\n";
    const auto window = makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(write(QStringLiteral("board/board.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *page = window->currentRun();
    auto *board = page->findChild<QPushButton *>(QStringLiteral("runPageBoard"));
    QTRY_VERIFY_WITH_TIMEOUT(board->isVisible() && board->isEnabled(), 20'000);
    OpenedUrls browser;
    QDesktopServices::setUrlHandler(QStringLiteral("http"), &browser, "take");
    board->click();
    QTRY_COMPARE(browser.urls.size(), 1);
    QVERIFY2(browser.urls.first().startsWith(QStringLiteral("http://127.0.0.1:")), qPrintable(browser.urls.first()));
    // The menu of ports knows it, too.
    QMenu *ports = page->findChild<QToolButton *>(QStringLiteral("tasksPorts"))->menu();
    QTRY_COMPARE(page->tasksPane()->currentTask()->state, State::Running);
    ports->popup({});
    const auto entry = [ports] {
        const QList<QAction *> actions = ports->actions();
        const auto it = std::find_if(actions.cbegin(), actions.cend(),
            [](const QAction *action) { return action->text().startsWith(QStringLiteral("TensorBoard: ")); });
        return it == actions.cend() ? nullptr : *it;
    };
    QTRY_VERIFY(entry());
    QVERIFY2(entry()->text().contains(QStringLiteral("on this computer")), qPrintable(entry()->text()));
    entry()->menu()->actions().constFirst()->trigger();
    QTRY_COMPARE(browser.urls.size(), 2);
    QVERIFY2(browser.urls.last().startsWith(QStringLiteral("http://localhost:")), qPrintable(browser.urls.last()));
    ports->close();
    QDesktopServices::unsetUrlHandler(QStringLiteral("http"));
    write(QStringLiteral("board/go"), "x");
    QTRY_VERIFY_WITH_TIMEOUT(page->findChild<QPushButton *>(QStringLiteral("releaseHeld")), 20'000);
    QCOMPARE(page->summary().state, State::Running);
    page->findChild<QPushButton *>(QStringLiteral("releaseHeld"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(page->summary().state, State::Failed, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(page->tasksPane()->currentTask()->rawExit.value_or(0), 7, 10'000);
    window->close();
}

// As somebody does who saw one of three tasks fail: the text is mended, and only that task runs again.
void TstMainWindow::retriesFailedTasksWithEdits()
{
    QByteArray yaml = goodJob;
    yaml.replace("instances: 1", "instances: 3");
    yaml.replace("for i in 1 2 3; do echo hello $i; done",
        "test $PAI_TASK_INDEX != 1 || (until test -e fail; do sleep 0.05; done; exit 3)");
    const auto window = makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(write(QStringLiteral("partly/partly.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QVERIFY(!window->action("retryWithText")->isEnabled()); // it came from a file
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().counts.succeeded, 2, 20'000);
    write(QStringLiteral("partly/fail"), "x");
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Failed, 20'000);
    QCOMPARE(run->summary().counts.succeeded, 2);
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    // One command for each: the page of a run has no Run beside its Run again, and the button says which it is.
    const auto *runButton = window->findChild<QToolButton *>(QStringLiteral("runButton"));
    QVERIFY(!window->action("run")->isEnabled() && window->action("runAgain")->isEnabled());
    QVERIFY(window->action("run")->toolTip().contains(QStringLiteral("Run again")));
    QCOMPARE(runButton->defaultAction(), window->action("runAgain"));
    QVERIFY(runButton->isEnabled() && runButton->menu());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY(window->currentDesigner() && window->action("retryWithText")->isEnabled());
    QTRY_COMPARE(runButton->defaultAction(), window->action("run"));
    DesignerPage *page = window->currentDesigner();
    // A copy would otherwise be saved over its original, and be mistaken for it.
    QCOMPARE(page->displayName(), QStringLiteral("from_the_window-2.pai.yaml"));
    QCOMPARE(page->fileName(), QStringLiteral("from_the_window-2.pai.yaml"));
    QVERIFY(page->bytes().contains("name: from_the_window-2\n"));
    auto *offer = window->findChild<QPushButton *>(QStringLiteral("retryWithTextButton"));
    QVERIFY(offer && offer->isVisible());
    const Result<YamlPath> command = YamlPath::fromPointer(QStringLiteral("/taskRoles/w/commands/0"));
    QVERIFY(command);
    page->applyEdits({edit::SetValue{*command, "echo mended"}});
    QTRY_VERIFY(page->bytes().contains("mended"));
    QTRY_VERIFY(page->canRun());
    offer->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() == run, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Succeeded, 20'000);
    QCOMPARE(run->summary().retries, 1);
    QTRY_COMPARE(run->tasksPane()->model()->taskCount(), 3);
    const auto keptFrom = [&](int index) {
        const QModelIndex at = run->tasksPane()->model()->indexOf(QStringLiteral("w"), index);
        return run->tasksPane()->model()->task(at).value_or(TaskInfo()).keptFrom;
    };
    QTRY_COMPARE(keptFrom(0), std::optional<int>(0));
    QTRY_COMPARE(keptFrom(1), std::optional<int>());
    QTRY_VERIFY(run->maskedYaml().contains("mended")); // what ran last is what is shown
    // A run is compared as a document is.
    QTRY_VERIFY(window->action("compareSaved")->isEnabled());
    window->action("compareSaved")->trigger();
    const auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QTRY_VERIFY(diff->view()->changeCount() > 0);
    window->close();
}

// A policy may let a job succeed in spite of failed tasks: these can be retried all the same.
void TstMainWindow::failedTasksOfASuccessAreRetried()
{
    QByteArray yaml = goodJob;
    yaml.replace(
        "instances: 1\n", "instances: 2\n    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n");
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "exit $PAI_TASK_INDEX");
    const auto window = makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(write(QStringLiteral("allowed/allowed.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Succeeded, 20'000);
    QCOMPARE(run->summary().counts.failed, 1);
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY(window->currentDesigner() && window->action("retryWithText")->isEnabled());
    window->close();
}

// The bar about a work folder stays until the field names another one, and the field is marked as long.
void TstMainWindow::refusedWorkFolderIsMarked()
{
    const auto window = makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    DesignerPage *page = window->openFile(write(
        QStringLiteral("placed/placed.pai.yaml"), goodJob + "extras:\n  trainyard:\n    work: /nowhere/at/all\n"));
    QVERIFY(page);
    QTRY_VERIFY(window->action("run")->isEnabled());
    const int before = page->warningCount();
    window->action("run")->trigger();
    const auto says = [&] {
        const auto bars = window->centralWidget()->findChildren<InfoBar *>();
        return std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *bar) {
            return bar->isVisible() && bar->text().contains(u"/nowhere/at/all does not exist");
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says(), 10'000);
    QTRY_COMPARE(page->warningCount(), before + 1);
    QVERIFY(page->isWorkRefused());
    const Result<YamlPath> name = YamlPath::fromPointer(QStringLiteral("/name"));
    const Result<YamlPath> work = YamlPath::fromPointer(QStringLiteral("/extras/trainyard/work"));
    QVERIFY(name && work);
    page->applyEdits({edit::SetValue{*name, "placed"}}); // something else
    QTRY_VERIFY(page->bytes().contains("name: placed"));
    QVERIFY(says());
    page->applyEdits({edit::SetValue{*work, "."}});
    QTRY_VERIFY(!page->isWorkRefused());
    QTRY_VERIFY(!says());
    closeWithoutSaving(window.get());
}

// Nobody finds what went wrong in a tool tip.
void TstMainWindow::failedHostIsExplained()
{
    const auto window = makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("addHost")->trigger();
    auto *pane = window->findChild<HostsPane *>();
    auto *address = pane->findChild<QLineEdit *>();
    QTRY_VERIFY(address->isVisible());
    QTest::keyClicks(address, QStringLiteral("nobody@127.0.0.1:1"));
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window->bar()->isVisible(), 20'000);
    QVERIFY2(window->bar()->kind() == InfoBar::Kind::Failed && !window->bar()->text().isEmpty(),
        qPrintable(window->bar()->text()));
    auto *again = window->bar()->findChild<QPushButton *>(QStringLiteral("hostAgain"));
    QVERIFY(again);
    again->click();
    QVERIFY(window->bar()->isHidden());
    QTRY_VERIFY_WITH_TIMEOUT(window->bar()->isVisible(), 20'000);
    // A second host does not move the jobs of somebody who never chose where they run.
    const auto *target = window->findChild<QComboBox *>(QStringLiteral("target"));
    QTRY_COMPARE(target->count(), 3);
    QCOMPARE(target->currentText(), QStringLiteral("This computer"));
    const QString id = pane->hosts().last().id;
    Q_EMIT pane->removeRequested(id);
    QTRY_COMPARE_WITH_TIMEOUT(pane->hosts().size(), 1, 10'000);
}

void TstMainWindow::runsAJob()
{
    const QString path = write(QStringLiteral("run.pai.yaml"), goodJob);
    QString uuid;
    {
        const auto window = makeWindow(true, true);
        window->show();
        QVERIFY(window->openFile(path));
        QTRY_VERIFY(window->action("run")->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
        RunPage *page = window->currentRun();
        QTRY_COMPARE_WITH_TIMEOUT(page->summary().state, State::Succeeded, 20'000);
        uuid = page->uuid();
        QTRY_COMPARE(page->tasksPane()->model()->taskCount(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(page->tasksPane()->currentTask()->state, State::Succeeded, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(page->logPane()->view()->lineCount(), 3, 10'000);
        QCOMPARE(page->logPane()->view()->text(0, 3), QStringLiteral("hello 1\nhello 2\nhello 3"));
        QVERIFY(page->maskedYaml().contains("from_the_window"));
        window->close();
    }
    {
        const auto window = makeWindow(true, true);
        window->show();
        QTRY_VERIFY_WITH_TIMEOUT(window->jobsPane()->model()->indexOf(uuid).isValid(), 10'000);
        RunPage *page = window->currentRun(); // the tab came back
        QVERIFY(page);
        QTRY_COMPARE(page->summary().state, State::Succeeded);
        QTRY_COMPARE_WITH_TIMEOUT(page->logPane()->view()->lineCount(), 3, 10'000);
        window->close();
    }
}

// What a change has made of a job is seen by looking from one run to the other.
void TstMainWindow::formerRunStaysOpen()
{
    const auto window = makeWindow(false, true);
    window->show();
    DesignerPage *page = window->openFile(write(QStringLiteral("twice.pai.yaml"), goodJob));
    QVERIFY(page);
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const auto run = [&] {
        window->tabs()->setCurrentPage(page);
        QTRY_VERIFY(window->action("run")->isEnabled());
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    };
    run();
    RunPage *first = window->currentRun();
    run();
    RunPage *second = window->currentRun();
    QVERIFY(first && second && first != second);
    QVERIFY(window->tabs()->pages().contains(first));
    // Also from the page of a run.
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != second, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QVERIFY(window->tabs()->pages().contains(first) && window->tabs()->pages().contains(second));
    window->close();
}

// What was dropped from another program's folder, which went away with that program.
void TstMainWindow::saveWithoutItsFolderOffersAnother()
{
    const auto window = makeWindow(false, false);
    window->show();
    DesignerPage *page = window->openFile(write(QStringLiteral("dropped/job.pai.yaml"), goodJob));
    QVERIFY(page);
    QVERIFY(QDir(path(QStringLiteral("dropped"))).removeRecursively());
    // It is offered before anybody presses Save, which cannot write it again.
    const auto *fileBar = page->findChild<InfoBar *>(QStringLiteral("fileBar"));
    QTRY_VERIFY(fileBar->isVisible());
    QVERIFY2(!fileBar->text().contains(QStringLiteral("writes it again")), qPrintable(fileBar->text()));
    const auto *early = fileBar->findChild<QPushButton *>(QStringLiteral("fileSaveAs"));
    QVERIFY(early && early->isVisible());
    page->applyEdits({edit::SetText{{QStringLiteral("name")}, QStringLiteral("edited")}});
    QTRY_VERIFY(page->isModified());
    window->action("save")->trigger();
    QVERIFY(window->bar()->isVisible());
    auto *elsewhere = window->bar()->findChild<QPushButton *>(QStringLiteral("saveElsewhere"));
    QVERIFY(elsewhere && elsewhere->isVisible());
    elsewhere->click();
    auto *files = window->findChild<QFileDialog *>();
    QVERIFY(files);
    QVERIFY2(files->directory().exists(), qPrintable(files->directory().path()));
    const QString kept = path(QStringLiteral("kept.pai.yaml"));
    Q_EMIT files->fileSelected(kept);
    files->close();
    QVERIFY(QFile::exists(kept));
    QCOMPARE(page->filePath(), kept);
    QVERIFY(!page->isModified());
    QVERIFY(window->bar()->isHidden());
    window->close();
}

TRAINYARD_GUI_TEST(TstMainWindow)
#include "tst_mainwindow.moc"
