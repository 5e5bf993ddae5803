// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/askbox.h"
#include "app/gui/controllers/runcomparisons.h"
#include "app/gui/controllers/sessioncontroller.h"
#include "app/gui/windowtoolbar.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"

#include <QAction>
#include <QComboBox>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

using namespace trainyard;

// The window without jobs: its actions, what is dropped on it, its search and its bars.
class TstMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void startsWithWelcome();
    void barsMoveNothing();
    void everyActionIsComplete();
    void viewNamesEachThingOnce();
    void noticesOfSuccessGo();
    void dropOpensDesigner();
    void droppedTextOpensToo();
    void marksWhereADropGoes();
    void findsRecentFiles();
    void findsOpenDocuments();
    void fitsASmallScreen();
    void saysWhatGoesOn();
    void headingsOfQuestionsAreWhole();
    void runIsOffWhileThereAreErrors();
    void closedTabHandsOnTheFocus();
    void barBelongsToItsPage();
    void hostsListStaysWhileItIsTheSame();
    void wrapsTheTextOfAllDocuments();
    void exportsOfAPageStandTogether();

private:
    WindowFixture m_fixture;
};

void TstMainWindow::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstMainWindow::startsWithWelcome()
{
    const auto window = WindowFixture::makeWindow(false, false);
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
    const auto window = WindowFixture::makeWindow(false, false);
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
    const auto window = WindowFixture::makeWindow(false, false);
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

// By themselves, but not those that offer something, and not what was said since.
void TstMainWindow::noticesOfSuccessGo()
{
    using namespace std::chrono_literals;
    QWidget away; // never shown: no pointer is over it
    InfoBar bar(&away);
    const auto *going = bar.findChild<QTimer *>();
    QVERIFY(going);
    bar.show(InfoBar::Kind::Info, QStringLiteral("It is saved."));
    bar.goSoon(1ms);
    QTRY_VERIFY(bar.isHidden());
    bar.show(InfoBar::Kind::Info, QStringLiteral("It is removed."));
    bar.addAction(QStringLiteral("Undo"));
    bar.goSoon(1ms);
    QTRY_VERIFY(!going->isActive());
    QVERIFY(!bar.isHidden());
    bar.show(InfoBar::Kind::Info, QStringLiteral("It is saved."));
    bar.goSoon();
    QVERIFY(going->isActive());
    bar.show(InfoBar::Kind::Failed, QStringLiteral("It is not saved."));
    QVERIFY(!going->isActive());
}

// What shows a list at the side is not called as the page is.
void TstMainWindow::viewNamesEachThingOnce()
{
    const auto window = WindowFixture::makeWindow();
    QStringList names;
    for (const QMenu *menu : window->findChildren<QMenu *>()) {
        if (menu->title() != QStringLiteral("&View")) {
            continue;
        }
        const auto actions = menu->actions();
        for (const QAction *action : actions) {
            if (!action->isSeparator()) {
                names.append(action->text().remove(QLatin1Char('&')));
            }
        }
    }
    QVERIFY2(names.contains(QStringLiteral("Hosts")), qPrintable(names.join(QLatin1Char('|'))));
    QVERIFY2(names.removeDuplicates() == 0, qPrintable(names.join(QLatin1Char('|'))));
}

void TstMainWindow::dropOpensDesigner()
{
    const QString first = m_fixture.write(QStringLiteral("a.pai.yaml"), sampleJob);
    const QString second = m_fixture.write(QStringLiteral("b.yml"), sampleJob);
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(first), QUrl::fromLocalFile(second)});
    QVERIFY(WindowFixture::drop(window.get(), data));
    QCOMPARE(window->tabs()->pages().size(), 3);
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->filePath(), second);
    QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
    // The same file again is the same tab; and a drop on a field of the page opens a file too.
    QMimeData again;
    again.setUrls({QUrl::fromLocalFile(first)});
    auto *field = window->currentDesigner()->findChild<QLineEdit *>();
    QVERIFY(field);
    QVERIFY(WindowFixture::drop(field, again));
    QCOMPARE(window->tabs()->pages().size(), 3);
    QCOMPARE(window->currentDesigner()->filePath(), first);
}

void TstMainWindow::droppedTextOpensToo()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    QMimeData data;
    data.setText(QString::fromUtf8(sampleJob));
    QVERIFY(WindowFixture::drop(window.get(), data));
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
    // On a text as well: a job in a job is nobody's wish.
    DesignerPage *first = window->currentDesigner();
    auto *text = first->findChild<CodeView *>(QStringLiteral("yamlText"));
    QVERIFY(text && WindowFixture::drop(text->viewport(), data));
    QVERIFY(window->currentDesigner() && window->currentDesigner() != first);
    QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
    QCOMPARE(first->bytes(), sampleJob);
    // Where the other program would move it, and take it away at its end, it is a copy all the same.
    const QPoint at = window->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::ShiftModifier);
    QCOMPARE(enter.proposedAction(), Qt::MoveAction);
    QApplication::sendEvent(window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QCOMPARE(enter.dropAction(), Qt::CopyAction);
    QDropEvent moved(QPointF(at), Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(window.get(), &moved);
    QVERIFY(moved.isAccepted());
    QCOMPARE(moved.dropAction(), Qt::CopyAction);
    QCOMPARE(window->tabs()->pages().size(), 4);
    // Words are no document: they go where they are let go.
    QMimeData words;
    words.setText(QStringLiteral("words"));
    QVERIFY(!WindowFixture::drop(window.get(), words));
    QCOMPARE(window->tabs()->pages().size(), 4);
}

// While something that opens is over the window, the window says so.
void TstMainWindow::marksWhereADropGoes()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("marked.pai.yaml"), sampleJob));
    QVERIFY(page);
    auto *mark = window->findChild<QWidget *>(QStringLiteral("dropMark"));
    QVERIFY(mark && !mark->isVisible());
    QWidget *field = page->findChild<QLineEdit *>(QStringLiteral("jobName"));
    const auto enter = [](QWidget *widget, const QMimeData &data) {
        QDragEnterEvent event(widget->rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    };
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(m_fixture.path(QStringLiteral("marked.pai.yaml")))});
    for (QWidget *over : {static_cast<QWidget *>(window.get()), field}) {
        enter(over, data);
        QVERIFY(mark->isVisible());
        QCOMPARE(mark->geometry(), mark->parentWidget()->rect());
        QDragLeaveEvent leave;
        QApplication::sendEvent(over, &leave);
        QVERIFY(!mark->isVisible());
        QVERIFY(WindowFixture::drop(over, data));
        QVERIFY(!mark->isVisible());
    }
    QMimeData words;
    words.setText(QStringLiteral("words"));
    enter(field, words);
    QVERIFY(!mark->isVisible());
}

void TstMainWindow::findsRecentFiles()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    QCOMPARE(window->action("saveAs")->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("lately.pai.yaml"), sampleJob));
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

// 1280 × 720 pixels at 150 %: what is at the side and in the tool bar gives way, and has its room back afterwards.
void TstMainWindow::fitsASmallScreen()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get()));
    QVERIFY(window->newDocument(sampleJob, QStringLiteral("narrow.pai.yaml")));
    const int least = window->minimumSizeHint().width();
    QVERIFY2(least <= 1280 * 2 / 3, qPrintable(QString::number(least)));
    const auto fields = window->findChildren<SearchField *>();
    const auto field = std::find_if(fields.cbegin(), fields.cend(),
        [](const SearchField *each) { return each->placeholderText() == QStringLiteral("Search or command"); });
    QVERIFY(field != fields.cend());
    window->resize(1280 * 2 / 3, 700);
    QTRY_COMPARE(window->width(), 1280 * 2 / 3);
    const auto isInside
        = [&] { return window->rect().contains(QRect((*field)->mapTo(window.get(), QPoint()), (*field)->size())); };
    QTRY_VERIFY(isInside());
    window->resize(1400, 700);
    QTRY_COMPARE((*field)->width(), 300);
}

// By name, whether it is saved or not; and what is called as was typed comes first.
void TstMainWindow::findsOpenDocuments()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    DesignerPage *page = window->newDocument(sampleJob, QStringLiteral("wanted.pai.yaml"));
    QVERIFY(page);
    window->newDocument(sampleJob, QStringLiteral("other.pai.yaml"));
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

// A job that waits does not run, whether the window is there or not.
void TstMainWindow::saysWhatGoesOn()
{
    const auto running = SessionController::goOnWords(3, 0, 0), both = SessionController::goOnWords(1, 2, 0),
               waiting = SessionController::goOnWords(0, 2, 0);
    QVERIFY(running.heading.startsWith(QStringLiteral("3 job")) && running.heading.contains(QStringLiteral("running")));
    QVERIFY(both.heading.startsWith(QStringLiteral("1 job")) && both.heading.contains(QStringLiteral("running")));
    QVERIFY(both.rest.startsWith(QStringLiteral("2 job")));
    QVERIFY(waiting.heading.startsWith(QStringLiteral("2 job")));
    QVERIFY(!waiting.heading.contains(QStringLiteral("running")));
    // One that waits for its next attempt waits for no room.
    const auto retrying = SessionController::goOnWords(0, 0, 1), all = SessionController::goOnWords(1, 1, 1);
    QVERIFY(retrying.heading.contains(QStringLiteral("tried again")));
    QVERIFY(!QString(retrying.heading + retrying.rest).contains(QStringLiteral("room")));
    QVERIFY(all.heading.contains(QStringLiteral("running")) && all.rest.contains(QStringLiteral("room")));
    QVERIFY(all.rest.contains(QStringLiteral("tried again")));
    QVERIFY(SessionController::goOnWords(0, 1, 1).rest.contains(QStringLiteral("tried again")));
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
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    QByteArray broken = sampleJob;
    broken.replace("dockerImage: img", "dockerImage: nothing");
    window->newDocument(broken, {});
    QTRY_COMPARE(window->currentDesigner()->errorCount(), 1);
    QTRY_VERIFY(!window->action("run")->isEnabled());
    QVERIFY2(window->action("run")->toolTip().contains(QStringLiteral("nothing")),
        qPrintable(window->action("run")->toolTip()));
    window->newDocument(sampleJob, {});
    QTRY_VERIFY(window->action("run")->isEnabled());
}

// Who closes a tab by key works on in the one that comes in front.
void TstMainWindow::closedTabHandsOnTheFocus()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    window->activateWindow();
    QTRY_VERIFY(window->isActiveWindow());
    DesignerPage *first = window->openFile(m_fixture.write(QStringLiteral("first.pai.yaml"), sampleJob));
    QVERIFY(first);
    DesignerPage *second = window->openFile(m_fixture.write(QStringLiteral("second.pai.yaml"), sampleJob));
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
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    QByteArray broken = sampleJob;
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
    DesignerPage *first = window->openFile(m_fixture.write(QStringLiteral("one.pai.yaml"), broken));
    DesignerPage *second = window->openFile(m_fixture.write(QStringLiteral("two.pai.yaml"), sampleJob));
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

// Hosts are measured every few seconds; who has the list open is not thrown out of it.
void TstMainWindow::hostsListStaysWhileItIsTheSame()
{
    const auto window = WindowFixture::makeWindow(false, false);
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

// A choice for all documents: those that are open, and those of the next start.
void TstMainWindow::wrapsTheTextOfAllDocuments()
{
    const auto wrapOf
        = [](DesignerPage *page) { return page->findChild<QAction *>(QStringLiteral("actionWrapLines")); };
    {
        const auto window = WindowFixture::makeWindow(false, false);
        DesignerPage *first = window->newDocument(sampleJob, QStringLiteral("first.yaml"));
        DesignerPage *second = window->newDocument(sampleJob, QStringLiteral("second.yaml"));
        QVERIFY(second->pageActions().contains(wrapOf(second))); // the Edit menu and the palette have it
        QVERIFY(!wrapOf(first)->isChecked());
        wrapOf(second)->trigger();
        QVERIFY(wrapOf(first)->isChecked());
    }
    const auto window = WindowFixture::makeWindow(false, false);
    DesignerPage *page = window->newDocument(sampleJob, QStringLiteral("third.yaml"));
    QVERIFY(wrapOf(page)->isChecked());
    wrapOf(page)->trigger();
    QVERIFY(!wrapOf(page)->isChecked());
}

// What writes a page to a file is no way to edit it: it stands beside the export of a document, when there is any.
void TstMainWindow::exportsOfAPageStandTogether()
{
    const auto window = WindowFixture::makeWindow(false, false);
    const auto entries = [&window](const QString &title) {
        QMenu *main = window->findChild<WindowToolBar *>()->mainMenu();
        Q_EMIT main->aboutToShow();
        QStringList found;
        const QList<QAction *> all = main->actions();
        for (const QAction *each : all) {
            if (each->menu() && each->isVisible() && QString(each->text()).remove(u'&') == title) {
                Q_EMIT each->menu()->aboutToShow();
                const QList<QAction *> below = each->menu()->actions();
                for (const QAction *action : below) {
                    found.append(action->text());
                }
            }
        }
        return found;
    };
    const QString exports = QStringLiteral("Export this page"), edit = QStringLiteral("Edit");
    window->newDocument(sampleJob, QStringLiteral("first.yaml"));
    QVERIFY(entries(exports).isEmpty());
    window->action("allJobs")->trigger();
    QCOMPARE(entries(exports), QStringList{QStringLiteral("Export the table…")});
    window->findChild<RunComparisons *>()->compareGroup(QStringLiteral("none"));
    QCOMPARE(entries(exports).value(0), QStringLiteral("Export the table as CSV…"));
    QCOMPARE(entries(exports).value(1), QStringLiteral("Export everything as one HTML page…"));
    QVERIFY(entries(edit).filter(QStringLiteral("Export")).isEmpty());
    window->newDocument(sampleJob, QStringLiteral("second.yaml"));
    QVERIFY(entries(exports).isEmpty());
}

TRAINYARD_GUI_TEST(TstMainWindow)
#include "tst_mainwindow.moc"
