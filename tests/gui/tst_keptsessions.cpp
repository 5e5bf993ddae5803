// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"
#include "app/gui/sessionstore.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/designertools.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"

#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QTest>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

using namespace trainyard;

// What windows write down while they are open, each into a file of its own, and what the next start takes from it.
class TstKeptSessions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }
    void newDocumentComesBackUnedited();
    void windowsKeepSessionsOfTheirOwn();
    void sessionsOfGoneWindowsComeBack();
    void killedWindowLeavesItsFile();
    void autosaveKeepsUpWithTyping();
    void unansweredChangeIsAskedAgain();

private:
    WindowFixture m_fixture;
};

// A document that nobody changed has nothing to be saved, in the next session no more than in this.
void TstKeptSessions::newDocumentComesBackUnedited()
{
    saveSession({});
    {
        MainWindow window(MainWindow::Options{true, false});
        window.show();
        window.newDocument(sampleJob, QStringLiteral("as-new.pai.yaml"));
        QVERIFY(!window.currentDesigner()->isModified());
        DesignerPage *edited = window.newDocument(sampleJob, QStringLiteral("edited.pai.yaml"));
        edited->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "other"}});
        QTRY_VERIFY(edited->isModified());
        QVERIFY(window.close());
    }
    MainWindow again(MainWindow::Options{true, false});
    again.show();
    const auto named = [&](const QString &name) -> DesignerPage * {
        const QList<QWidget *> pages = again.tabs()->pages();
        for (QWidget *widget : pages) {
            auto *page = qobject_cast<DesignerPage *>(widget);
            if (page && page->displayName() == name) {
                return page;
            }
        }
        return nullptr;
    };
    DesignerPage *asNew = named(QStringLiteral("as-new.pai.yaml"));
    QVERIFY(asNew);
    QCOMPARE(asNew->bytes(), sampleJob);
    QVERIFY(!asNew->isModified());
    DesignerPage *edited = named(QStringLiteral("edited.pai.yaml"));
    QVERIFY(edited);
    QVERIFY(edited->bytes().contains("name: other"));
    QVERIFY(edited->isModified());
    saveSession({});
}

// A second window begins without the documents of the first and writes into a file of its own, in whatever order they
// close; the next start has the documents of both.
void TstKeptSessions::windowsKeepSessionsOfTheirOwn()
{
    saveSession({});
    const auto names = [](const MainWindow &window) {
        QStringList found;
        const QList<QWidget *> pages = window.tabs()->pages();
        for (QWidget *widget : pages) {
            if (const auto *page = qobject_cast<DesignerPage *>(widget)) {
                found.append(page->displayName());
            }
        }
        return found;
    };
    {
        MainWindow first(MainWindow::Options{true, false});
        first.show();
        first.newDocument(sampleJob, QStringLiteral("first.pai.yaml"));
        {
            MainWindow second(MainWindow::Options{true, false});
            second.show();
            QCOMPARE(names(second), QStringList());
            second.newDocument("# second\n" + sampleJob, QStringLiteral("second.pai.yaml"));
            QVERIFY(second.close());
        }
        first.newDocument(sampleJob, QStringLiteral("later.pai.yaml"));
        QVERIFY(first.close());
    }
    {
        MainWindow again(MainWindow::Options{true, false});
        again.show();
        QCOMPARE(names(again),
            (QStringList{QStringLiteral("first.pai.yaml"), QStringLiteral("later.pai.yaml"),
                QStringLiteral("second.pai.yaml")}));
        QVERIFY(again.close());
    }
    // Once: the file of the second window is gone with what it kept.
    MainWindow last(MainWindow::Options{true, false});
    QCOMPARE(names(last).size(), 3);
    saveSession({});
}

void TstKeptSessions::sessionsOfGoneWindowsComeBack()
{
    saveSession({});
    const auto text = [](const QString &name, const QByteArray &bytes) {
        SessionTab tab;
        tab.kind = QStringLiteral("document");
        tab.name = name;
        tab.text = bytes;
        tab.modified = true;
        return tab;
    };
    const auto names = [](const Session &session) {
        QStringList found;
        for (const SessionTab &tab : session.tabs) {
            found.append(tab.name);
        }
        return found;
    };
    const SessionTab one = text(QStringLiteral("one"), "name: a\n");
    const SessionTab two = text(QStringLiteral("two"), "name: b\n");
    SessionTab welcome;
    welcome.kind = QStringLiteral("welcome");
    QString freed;
    {
        const SessionStore first;
        QCOMPARE(first.file(), sessionFile());
        SessionStore second;
        QVERIFY(second.file() != first.file());
        freed = second.file();
        QVERIFY(saveSession(Session{{one, two, welcome}, 0}, second.file()));
        QVERIFY(saveSession(Session{{one}, 0}, first.file())); // the last to write
        const SessionStore third; // while both are open: nothing of theirs
        QVERIFY(third.take().tabs.isEmpty());
    }
    {
        const SessionStore again;
        QCOMPARE(names(again.take()), (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
        QVERIFY(!QFile::exists(freed)); // all of it is in the first file now
        QCOMPARE(names(loadSession()).size(), 2);
    }
    // The same name with another text is another document.
    QVERIFY(saveSession(Session{{text(QStringLiteral("one"), "name: c\n")}, 0}, freed));
    QCOMPARE(names(SessionStore().take()).size(), 3);
    saveSession({});
}

// Also while the kernel still takes it apart, which a large program makes last: the next window is not an empty one.
void TstKeptSessions::killedWindowLeavesItsFile()
{
    std::array<int, 2> ready{};
    QCOMPARE(::pipe(ready.data()), 0);
    constexpr size_t bytes = size_t(400) << 20;
    const pid_t window = ::fork();
    if (window == 0) {
        const SessionStore store;
        [[maybe_unused]] const void *const many
            = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        const char held = store.file() == sessionFile() ? 'y' : 'n';
        if (::write(ready.at(1), &held, 1) == 1) {
            ::pause();
        }
        ::_exit(1);
    }
    char held = 0;
    QCOMPARE(::read(ready.at(0), &held, 1), ssize_t(1));
    QCOMPARE(held, 'y');
    QCOMPARE(::kill(window, SIGKILL), 0);
    const SessionStore next;
    QCOMPARE(next.file(), sessionFile());
    ::waitpid(window, nullptr, 0);
    ::close(ready.at(0));
    ::close(ready.at(1));
}

// Without a rest of the keys: a kill takes what was typed in the last second, and no more.
void TstKeptSessions::autosaveKeepsUpWithTyping()
{
    saveSession({});
    MainWindow window(MainWindow::Options{true, false});
    window.show();
    window.activateWindow();
    DesignerPage *page = window.newDocument(sampleJob, QStringLiteral("typed.pai.yaml"));
    auto *text = page->findChild<CodeView *>(QStringLiteral("yamlText"));
    QVERIFY(text);
    text->setFocus();
    text->setCaret(0);
    QTest::keyClick(text, '#');
    const auto isKept = [] {
        const Session session = loadSession();
        return std::any_of(session.tabs.cbegin(), session.tabs.cend(),
            [](const SessionTab &tab) { return tab.text.startsWith("#xxxx"); });
    };
    QElapsedTimer clock;
    clock.start();
    while (!isKept() && clock.elapsed() < 20'000) {
        QTest::keyClick(text, 'x');
        QTest::qWait(30); // the pace of somebody who types, not a wait for something
    }
    QVERIFY(isKept());
    // In a field of the form as well.
    auto *name = page->findChild<QLineEdit *>(QStringLiteral("jobName"));
    name->setFocus();
    const auto hasName = [] {
        const Session session = loadSession();
        return std::any_of(
            session.tabs.cbegin(), session.tabs.cend(), [](const SessionTab &tab) { return tab.text.contains("zzz"); });
    };
    clock.restart();
    while (!hasName() && clock.elapsed() < 20'000) {
        QTest::keyClick(name, 'z');
        QTest::qWait(30); // the pace, as above
    }
    QVERIFY(hasName());
    window.setWindowModified(false);
    saveSession({});
}

// A question about a file that was changed stays one over a restart: the text is still made from what was there before.
void TstKeptSessions::unansweredChangeIsAskedAgain()
{
    saveSession({});
    const QString file = m_fixture.write(QStringLiteral("asked.pai.yaml"), sampleJob);
    {
        MainWindow window(MainWindow::Options{true, false});
        window.show();
        DesignerPage *page = window.openFile(file);
        QVERIFY(page);
        page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "mine"}});
        QTRY_VERIFY(page->isModified());
        m_fixture.write(QStringLiteral("asked.pai.yaml"), sampleJob + "# theirs\n");
        QTRY_VERIFY(page->findChild<InfoBar *>(QStringLiteral("fileBar"))->isVisible());
        QVERIFY(window.close());
    }
    MainWindow again(MainWindow::Options{true, false});
    again.show();
    DesignerPage *page = again.currentDesigner();
    QVERIFY(page && page->isModified());
    QVERIFY(page->findChild<InfoBar *>(QStringLiteral("fileBar"))->isVisible());
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(saved.readAll(), sampleJob + "# theirs\n");
    saveSession({});
}

TRAINYARD_GUI_TEST(TstKeptSessions)
#include "tst_keptsessions.moc"
