// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guisettings.h"
#include "app/gui/mainwindow.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/session.h"
#include "app/gui/sessionstore.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/runpage.h"

#include <QDockWidget>
#include <QFile>
#include <QGuiApplication>
#include <QHash>
#include <QPushButton>
#include <QScopeGuard>
#include <QScreen>
#include <QSemaphore>
#include <QTest>
#include <QtEndian>

#include <algorithm>

using namespace trainyard;

// What comes back after the window was closed or killed.
class TstWindowSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void draftRemembersItsFile();
    void sessionKeepsNoSecret();
    void sessionKeepsHalfWrittenText();
    void sessionKeepsWhatCouldBeRead();
    void secretsComeBackFromTheFile();
    void sessionIsWrittenSoon();
    void sessionOutlivesABusyDisk();
    void sessionOutlivesATornFile();
    void sessionIsTriedAgain();
    void asksWhenNothingIsKept();
    void draftsHaveNamesOfTheirOwn();
    void eachDocumentHasItsHost();
    void documentsKnowTheirRuns();
    void runsHaveTheirNamesAtOnce();
    void staysMaximizedAtAnotherScale();
    void opensOnASmallerScreen();
    void placeOutlivesAKill();

private:
    WindowFixture m_fixture;
};

void TstWindowSession::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

// A job that is to run on another machine does not take others there, also not after a restart.
void TstWindowSession::eachDocumentHasItsHost()
{
    saveSession({});
    HostInfo here, far;
    here.id = here.label = QStringLiteral("local");
    far.id = far.label = QStringLiteral("vm");
    far.target = QStringLiteral("me@vm");
    const auto run = [](MainWindow *window) { return window->action("run")->text(); };
    {
        const auto window = WindowFixture::makeWindow(true, false);
        window->show();
        auto *box = window->findChild<TargetBox *>();
        HostInfo away = far;
        away.state = HostState::Offline;
        box->setHosts({here, away});
        const auto words = [box] { return box->itemText(box->findData(QStringLiteral("vm"))); };
        QVERIFY2(words().startsWith(QStringLiteral("vm")) && words().contains(QStringLiteral("offline")),
            qPrintable(words()));
        box->setHosts({here, far});
        QCOMPARE(words(), QStringLiteral("vm"));
        box->setHosts({here, away});
        QCOMPARE(box->awayLabel(QStringLiteral("vm")), QStringLiteral("vm")); // a button has no state
        box->setHosts({here, far});
        DesignerPage *there = window->openFile(m_fixture.write(QStringLiteral("there.pai.yaml"), sampleJob));
        QVERIFY(there);
        QCOMPARE(box->target(), QStringLiteral("local"));
        QCOMPARE(run(window.get()), QStringLiteral("&Run"));
        const int row = box->findData(QStringLiteral("vm"));
        box->setCurrentIndex(row);
        Q_EMIT box->activated(row);
        QCOMPARE(run(window.get()), QStringLiteral("&Run on vm"));
        QVERIFY(window->openFile(m_fixture.write(QStringLiteral("stays.pai.yaml"), sampleJob)));
        QCOMPARE(box->target(), QStringLiteral("local"));
        QCOMPARE(run(window.get()), QStringLiteral("&Run"));
        window->tabs()->setCurrentPage(there);
        QCOMPARE(box->target(), QStringLiteral("vm"));
        QCOMPARE(run(window.get()), QStringLiteral("&Run on vm"));
        window->close();
    }
    const auto window = WindowFixture::makeWindow(true, false);
    window->show();
    // No engine has told of its hosts yet.
    const auto *box = window->findChild<TargetBox *>();
    QCOMPARE(window->currentDesigner()->displayName(), QStringLiteral("there.pai.yaml"));
    QCOMPARE(box->target(), QStringLiteral("vm"));
    QCOMPARE(run(window.get()), QStringLiteral("&Run on vm"));
    window->action("new")->trigger();
    QCOMPARE(box->target(), QStringLiteral("local"));
    QCOMPARE(run(window.get()), QStringLiteral("&Run"));
    WindowFixture::closeWithoutSaving(window.get());
}

// A document that is in no file is found by nothing else.
void TstWindowSession::documentsKnowTheirRuns()
{
    saveSession({});
    const QString earlier = QStringLiteral("0198f3a2-1111-7000-8000-000000000000");
    const QString last = QStringLiteral("0198f3a2-2222-7000-8000-000000000000");
    {
        const auto window = WindowFixture::makeWindow(true, false);
        window->show();
        DesignerPage *page = window->newDocument(sampleJob, QStringLiteral("untitled.pai.yaml"));
        auto *tab = page->findChild<DocumentTab *>();
        QVERIFY(tab);
        tab->noteRun(earlier);
        tab->noteRun(last);
        WindowFixture::closeWithoutSaving(window.get());
    }
    for (int start = 0; start < 2; ++start) { // what came back is kept again
        const auto window = WindowFixture::makeWindow(true, false);
        window->show();
        QVERIFY(window->currentDesigner());
        const auto *tab = window->currentDesigner()->findChild<DocumentTab *>();
        QVERIFY(tab);
        QCOMPARE(tab->lastRun(), last);
        QCOMPARE(tab->runs(), QStringList({earlier, last}));
        WindowFixture::closeWithoutSaving(window.get());
    }
    saveSession({});
}

// Also while no engine tells of them: it has no state then, and nothing that could be done with it.
void TstWindowSession::runsHaveTheirNamesAtOnce()
{
    SessionTab run;
    run.kind = RunTab::kind;
    run.uuid = QStringLiteral("0198f3a2-1111-7000-8000-000000000000");
    run.name = QStringLiteral("resnet #41");
    saveSession({{run}, 0});
    for (int start = 0; start < 2; ++start) { // the name stays until it is known
        const auto window = WindowFixture::makeWindow(true, false);
        window->show();
        QVERIFY(window->currentRun());
        QCOMPARE(window->windowTitle().contains(run.name), true);
        const QTabBar *bar = window->tabs()->tabBar();
        const QIcon sign = bar->tabIcon(bar->currentIndex());
        QVERIFY(!sign.isNull()); // the title stays where it is when there is one
        const QImage drawn = sign.pixmap(bar->iconSize()).toImage().convertToFormat(QImage::Format_ARGB32);
        for (int y = 0; y < drawn.height(); ++y) {
            for (int x = 0; x < drawn.width(); ++x) {
                QCOMPARE(qAlpha(drawn.pixel(x, y)), 0);
            }
        }
        const QList<QPushButton *> buttons = window->currentRun()->findChildren<QPushButton *>();
        for (const QPushButton *button : buttons) {
            QVERIFY2(
                !button->objectName().startsWith(u"runPage") || button->isHidden(), qPrintable(button->objectName()));
        }
        window->close();
    }
}

// What others wrote while the window was closed is no more lost than what they write while it is open.
void TstWindowSession::draftRemembersItsFile()
{
    saveSession({});
    const QString file = m_fixture.write(QStringLiteral("draft.pai.yaml"), sampleJob);
    const auto editor = [](DesignerPage *page) { return page->findChild<CodeView *>(QStringLiteral("yamlText")); };
    {
        const auto window = WindowFixture::makeWindow(true, false);
        window->show();
        DesignerPage *page = window->openFile(file);
        QVERIFY(page);
        editor(page)->applyEdits({{{0, 0}, "# mine\n"}}, Origin::Text);
        WindowFixture::closeWithoutSaving(window.get());
    }
    {
        const auto window = WindowFixture::makeWindow(true, false); // nobody wrote: nothing to ask
        window->show();
        DesignerPage *page = window->currentDesigner();
        QVERIFY(page && page->isModified());
        QVERIFY(page->findChild<InfoBar *>(QStringLiteral("fileBar"))->isHidden());
        WindowFixture::closeWithoutSaving(window.get());
    }
    m_fixture.write(QStringLiteral("draft.pai.yaml"), sampleJob + "# theirs\n");
    const auto window = WindowFixture::makeWindow(true, false);
    window->show();
    DesignerPage *page = window->currentDesigner();
    QVERIFY(page && page->isModified());
    QCOMPARE(page->bytes(), "# mine\n" + sampleJob);
    QVERIFY(page->findChild<InfoBar *>(QStringLiteral("fileBar"))->isVisible());
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(saved.readAll(), sampleJob + "# theirs\n");
    WindowFixture::closeWithoutSaving(window.get());
    saveSession({});
}

void TstWindowSession::sessionKeepsNoSecret()
{
    const QByteArray secret = sampleJob + "secrets:\n  token: hush-hush-hush\n";
    {
        const auto window = WindowFixture::makeWindow(true, false);
        window->newDocument(secret, QStringLiteral("mine.yaml"));
        WindowFixture::closeWithoutSaving(window.get());
    }
    const Session session = loadSession();
    QVERIFY(std::any_of(session.tabs.cbegin(), session.tabs.cend(), [](const SessionTab &tab) {
        return tab.name == QLatin1String("mine.yaml") && tab.masked && !tab.text.isEmpty()
            && !tab.text.contains("hush");
    }));
    {
        const auto window = WindowFixture::makeWindow(true, false);
        QVERIFY(window->currentDesigner());
        QCOMPARE(window->currentDesigner()->displayName(), QStringLiteral("mine.yaml"));
        QVERIFY(window->currentDesigner()->isModified());
        QVERIFY(window->currentDesigner()->bytes().contains("from_the_window"));
    }
    saveSession({});
}

// A text is often no YAML while somebody writes. It comes back, unless it may hold a secret; then the file is left as
// it was saved, and it is said.
void TstWindowSession::sessionKeepsHalfWrittenText()
{
    const QString plain = m_fixture.write(QStringLiteral("plain.pai.yaml"), sampleJob);
    const QString secret = m_fixture.write(QStringLiteral("secret.pai.yaml"), sampleJob);
    saveSession({});
    {
        const auto window = WindowFixture::makeWindow(true, false);
        DesignerPage *page = window->openFile(plain);
        QVERIFY(page);
        auto *text = page->findChild<CodeView *>(QStringLiteral("yamlText"));
        QVERIFY(text);
        text->applyEdits({{{0, 0}, "half: [\n"}}, Origin::Text);
        page = window->openFile(secret);
        QVERIFY(page);
        page->findChild<CodeView *>(QStringLiteral("yamlText"))
            ->applyEdits({{{0, 0}, "secrets: {token: hush\n"}}, Origin::Text);
        WindowFixture::closeWithoutSaving(window.get());
    }
    {
        const auto window = WindowFixture::makeWindow(true, false);
        QHash<QString, DesignerPage *> pages;
        for (QWidget *each : window->tabs()->pages()) {
            if (auto *page = qobject_cast<DesignerPage *>(each)) {
                pages.insert(page->filePath(), page);
            }
        }
        QVERIFY(pages.value(plain) && pages.value(secret));
        QCOMPARE(pages.value(plain)->bytes(), "half: [\n" + sampleJob);
        QVERIFY(pages.value(plain)->isModified());
        QCOMPARE(pages.value(secret)->bytes(), sampleJob);
        QVERIFY(!pages.value(secret)->isModified());
        const auto bars = window->findChildren<InfoBar *>();
        QVERIFY(std::any_of(bars.cbegin(), bars.cend(),
            [](const InfoBar *bar) { return bar->text().contains(QLatin1String("secret.pai.yaml")); }));
    }
    saveSession({});
}

// A text that can no longer be read and may hold secrets is not written. What was written before it stays.
void TstWindowSession::sessionKeepsWhatCouldBeRead()
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
    other.text = "secrets:\n  token: hush\n" + sampleJob;
    QVERIFY(saveSession({{other}, 0}));
    other.text.prepend("broken: [\n");
    QVERIFY(saveSession({{other}, 0}));
    const auto window = WindowFixture::makeWindow(true, false);
    QVERIFY(window->currentDesigner());
    QVERIFY(window->currentDesigner()->bytes().endsWith(sampleJob));
    const auto bars = window->findChildren<InfoBar *>();
    QVERIFY(std::any_of(bars.cbegin(), bars.cend(),
        [](const InfoBar *bar) { return bar->text().contains(QLatin1String("other.yaml")); }));
    WindowFixture::closeWithoutSaving(window.get());
    saveSession({});
}

// Saving a document that came back must not write the mask over the secret that its file has.
void TstWindowSession::secretsComeBackFromTheFile()
{
    saveSession({});
    const QByteArray secret = sampleJob + "secrets:\n  token: hush-hush-hush\n";
    const QString path = m_fixture.write(QStringLiteral("kept.pai.yaml"), secret);
    {
        const auto window = WindowFixture::makeWindow(true, false);
        DesignerPage *page = window->openFile(path);
        QVERIFY(page);
        page->findChild<CodeView *>(QStringLiteral("yamlText"))->applyEdits({{{0, 0}, "# mine\n"}}, Origin::Text);
        WindowFixture::closeWithoutSaving(window.get());
    }
    for (int i = 0; i < 2; ++i) { // after a second start as after the first
        const auto window = WindowFixture::makeWindow(true, false);
        QVERIFY(window->currentDesigner());
        QCOMPARE(window->currentDesigner()->bytes(), "# mine\n" + secret);
        QVERIFY(window->currentDesigner()->isModified());
        if (i == 1) {
            window->action("save")->trigger();
        }
        WindowFixture::closeWithoutSaving(window.get());
    }
    QFile saved(path);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(saved.readAll(), "# mine\n" + secret);
    saveSession({});
}

// What was opened right before a kill is there again: nobody closed this window.
void TstWindowSession::sessionIsWrittenSoon()
{
    saveSession({});
    const auto has = [](const QString &name) {
        const Session session = loadSession();
        return std::any_of(session.tabs.cbegin(), session.tabs.cend(),
            [&](const SessionTab &tab) { return tab.name == name || tab.path.endsWith(name); });
    };
    const auto window = WindowFixture::makeWindow(true, false);
    window->newDocument(sampleJob, QStringLiteral("just-now.yaml"));
    QTRY_VERIFY_WITH_TIMEOUT(has(QStringLiteral("just-now.yaml")), 3000);
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("from-disk.yaml"), sampleJob)));
    QTRY_VERIFY_WITH_TIMEOUT(has(QStringLiteral("from-disk.yaml")), 3000);
    saveSession({});
}

// A disk may take many seconds to confirm a file; what is typed meanwhile outlives a kill all the same.
void TstWindowSession::sessionOutlivesABusyDisk()
{
    const QString path = sessionFolder() + QStringLiteral("/session-busy.json");
    const auto of = [](const QByteArray &text) {
        SessionTab tab;
        tab.kind = QStringLiteral("document");
        tab.name = QStringLiteral("draft.yaml");
        tab.modified = true;
        tab.text = text;
        return Session{{tab}, 0};
    };
    const auto kept = [&path] {
        const Session session = loadSession(path);
        return session.tabs.isEmpty() ? QByteArray() : session.tabs.constFirst().text;
    };
    QSemaphore started;
    QSemaphore disk;
    QList<QByteArray> confirmed; // by one thread; read when it is through
    SessionWriter writer(path, [&](const QByteArray &bytes, const QString &) {
        started.release();
        disk.acquire();
        confirmed.append(bytes);
        return true;
    });
    const auto calm = qScopeGuard([&disk] { disk.release(100); }); // before the writer waits for its threads
    writer.write(of("name: one\n"));
    QVERIFY(started.tryAcquire(1, 20'000)); // and the disk does not answer
    QCOMPARE(kept(), QByteArray("name: one\n"));
    for (const QByteArray text : {"name: two\n", "name: three\n", "name: four\n", "name: five\n"}) {
        writer.write(of(text));
        QTRY_COMPARE_WITH_TIMEOUT(kept(), text, 20'000);
    }
    QVERIFY(!QFile::exists(path)); // nothing is confirmed yet
    disk.release(100);
    writer.finish();
    // Of those that waited for the disk only the newest, and the one before it where the last was not yet in its place.
    QVERIFY2(confirmed.size() <= 3, QByteArray::number(confirmed.size()).constData());
    QVERIFY(confirmed.constLast().contains(QByteArray("name: five\n").toBase64()));
    // A window whose first session was never confirmed is taken over like any other.
    const SessionStore store;
    const Session taken = store.take();
    QVERIFY(std::any_of(
        taken.tabs.cbegin(), taken.tabs.cend(), [](const SessionTab &tab) { return tab.text == "name: five\n"; }));
    QVERIFY(!sessionFiles().contains(path));
    saveSession({});
}

// What could not be written is known, so that it is given again soon.
void TstWindowSession::sessionIsTriedAgain()
{
    const QString folder = paths::stateFolder() + QStringLiteral("/blocked");
    const QString path = folder + QStringLiteral("/session.json");
    QVERIFY(paths::ensurePrivateFolder(paths::stateFolder()));
    QFile blocking(folder);
    QVERIFY(blocking.open(QIODevice::WriteOnly));
    blocking.close();
    SessionTab tab;
    tab.kind = QStringLiteral("document");
    tab.name = QStringLiteral("draft.yaml");
    tab.text = "name: one\n";
    SessionWriter writer(path);
    writer.write({{tab}, 0});
    QTRY_VERIFY_WITH_TIMEOUT(writer.hasFailed(), 20'000);
    QVERIFY(blocking.remove());
    writer.write({{tab}, 0});
    writer.finish();
    QVERIFY(!writer.hasFailed());
    QCOMPARE(loadSession(path).tabs.size(), 1);
}

// A text that would not come back does not go with the window unasked, as it may when a session keeps it.
void TstWindowSession::asksWhenNothingIsKept()
{
    saveSession({});
    const auto window = WindowFixture::makeWindow(true, false);
    window->show();
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("unkept.pai.yaml"), sampleJob));
    QVERIFY(page);
    const QString inTheWay = sessionFile() + QStringLiteral(".newest.part"); // no file of this name can be written
    QTRY_VERIFY(QDir().mkpath(inTheWay));
    page->findChild<CodeView *>(QStringLiteral("yamlText"))->applyEdits({{{0, 0}, "# mine\n"}}, Origin::Text);
    QVERIFY(!window->close());
    auto *box = window->findChild<QMessageBox *>();
    QVERIFY(box);
    const QString words = box->informativeText().remove(QChar(0x200B)); // at which a path may be broken
    QVERIFY2(words.contains(sessionFolder()), qPrintable(words));
    box->button(QMessageBox::Cancel)->click();
    QVERIFY(window->isVisible());
    QVERIFY(QDir().rmdir(inTheWay));
    QVERIFY(window->close());
    QCOMPARE(loadSession().tabs.constLast().text, "# mine\n" + sampleJob);
    saveSession({});
}

// After a power cut the file that the disk had not confirmed may hold anything.
void TstWindowSession::sessionOutlivesATornFile()
{
    const QString path = paths::stateFolder() + QStringLiteral("/session-torn.json");
    SessionTab tab;
    tab.kind = QStringLiteral("document");
    tab.name = QStringLiteral("draft.yaml");
    tab.modified = true;
    tab.text = "name: one\n";
    QVERIFY(saveSession({{tab}, 0}, path));
    for (const QByteArray &torn :
        {QByteArray(), QByteArray("{\"tabs\":[{\"kind"), QByteArray("{\"tabs\":[,\"serial\":99}")}) {
        QFile newest(path + QStringLiteral(".newest"));
        QVERIFY(newest.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(newest.write(torn), torn.size());
        newest.close();
        QCOMPARE(loadSession(path).tabs.size(), 1);
        QCOMPARE(loadSession(path).tabs.constFirst().text, tab.text);
    }
    tab.text = "name: two\n"; // and the next one counts
    QVERIFY(saveSession({{tab}, 0}, path));
    QCOMPARE(loadSession(path).tabs.constFirst().text, tab.text);
    removeSession(path);
    QVERIFY(loadSession(path).tabs.isEmpty());
}

// Also those of the window before, and those that came from the same template.
void TstWindowSession::draftsHaveNamesOfTheirOwn()
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
        const auto window = WindowFixture::makeWindow(true, false);
        window->newDocument(sampleJob, {});
        window->newDocument(sampleJob, {});
        window->newDocument(sampleJob, QStringLiteral("net-50.pai.yaml"));
        window->newDocument(sampleJob, QStringLiteral("net-50.pai.yaml"));
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
        const auto window = WindowFixture::makeWindow(true, false);
        window->newDocument(sampleJob, {});
        QCOMPARE(names(window.get()), expected + QStringList(QStringLiteral("untitled-3.pai.yaml")));
    }
    saveSession(session);
    {
        const auto window = WindowFixture::makeWindow(true, false);
        QCOMPARE(names(window.get()),
            (QStringList{expected.at(1), QStringLiteral("untitled.pai.yaml"), expected.at(2), expected.at(3)}));
    }
    saveSession({});
}

// At 150 % the screen is a smaller one for the program.
void TstWindowSession::staysMaximizedAtAnotherScale()
{
    saveSession({});
    {
        const auto window = WindowFixture::makeWindow(true, false);
        window->showMaximized();
        QTRY_VERIFY(window->isMaximized());
        WindowFixture::closeWithoutSaving(window.get());
    }
    {
        GuiSettings settings;
        QByteArray geometry = settings.windowGeometry();
        // Behind the magic number, the version, two rectangles, the screen's number and two states stands its width.
        constexpr qsizetype width = 4 + 2 + 2 + 16 + 16 + 4 + 1 + 1;
        QVERIFY(geometry.size() >= width + 4);
        QCOMPARE(
            qFromBigEndian<qint32>(geometry.constData() + width), QGuiApplication::primaryScreen()->geometry().width());
        qToBigEndian<qint32>(100'000, geometry.data() + width);
        settings.setWindow(geometry, settings.windowState(), true);
    }
    const auto window = WindowFixture::makeWindow(true, false);
    QVERIFY(window->isMaximized());
    WindowFixture::closeWithoutSaving(window.get());
    GuiSettings().setWindow({}, {}, false);
    saveSession({});
}

// A window that is killed has not been closed: its size is written down when it changes.
void TstWindowSession::placeOutlivesAKill()
{
    saveSession({});
    GuiSettings().setWindow({}, {}, false);
    const auto window = WindowFixture::makeWindow(true, false);
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get()));
    for (const QSize &size : {QSize(1100, 700), QSize(1000, 650)}) {
        window->resize(size);
        QTRY_VERIFY_WITH_TIMEOUT(GuiSettings().windowGeometry() == window->saveGeometry(), 5000);
    }
    WindowFixture::closeWithoutSaving(window.get());
    GuiSettings().setWindow({}, {}, false);
}

// A window that was closed maximized on a large screen, with docks above one another at its side.
void TstWindowSession::opensOnASmallerScreen()
{
    saveSession({});
    {
        const auto window = WindowFixture::makeWindow(true, false);
        window->resize(2400, 3000);
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        QVERIFY(window->height() > 2 * QGuiApplication::primaryScreen()->geometry().height());
        WindowFixture::closeWithoutSaving(window.get());
        const GuiSettings settings;
        GuiSettings().setWindow({}, settings.windowState(), true);
    }
    const auto window = WindowFixture::makeWindow(true, false);
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get()));
    QTRY_VERIFY(window->isMaximized());
    const QList<QDockWidget *> docks = window->findChildren<QDockWidget *>();
    const auto areShownInside = [&] {
        return std::all_of(docks.cbegin(), docks.cend(), [&window](const QDockWidget *dock) {
            return !dock->isVisible() || window->rect().contains(dock->geometry());
        });
    };
    QVERIFY(std::count_if(docks.cbegin(), docks.cend(), [](const QDockWidget *dock) { return dock->isVisible(); }) > 1);
    QTRY_VERIFY(areShownInside());
    // Each time that the window lays out its parts anew.
    for (const QSize &size : {QSize(1500, 900), QSize(1000, 700), QSize(1400, 1100)}) {
        window->resize(size);
        for (QDockWidget *dock : docks) {
            dock->setVisible(!dock->isVisible());
            QCoreApplication::processEvents();
            dock->setVisible(!dock->isVisible());
            QCoreApplication::processEvents();
        }
        QTRY_VERIFY(areShownInside());
    }
    WindowFixture::closeWithoutSaving(window.get());
    GuiSettings().setWindow({}, {}, false);
    saveSession({});
}

TRAINYARD_GUI_TEST(TstWindowSession)
#include "tst_windowsession.moc"
