// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"
#include "app/gui/tabarea.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/tasks/runpage.h"

#include <QAction>
#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QTest>

using namespace trainyard;

// Where the keys of the window go, and what it says when it is left.
class TstWindowKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase();
    void openedDocumentHasTheKeys();
    void firstDocumentHasTheKeys();
    void openedFormHasTheKeys();
    void tabsChangeByBothPairsOfKeys_data();
    void tabsChangeByBothPairsOfKeys();
    void newDocumentComesBackUnedited();
    void oneJobThatGoesOnIsOne();
    void everyPageNamesTheWindow();
    void maskedSecretsNeedNoQuestion();
    void engineThatCannotStartIsToldAtOnce();

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

// A document that nobody changed has nothing to be saved, in the next session no more than in this.
void TstWindowKeys::newDocumentComesBackUnedited()
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
    QVERIFY(window->windowTitle().endsWith(u" – Trainyard"));
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

TRAINYARD_GUI_TEST(TstWindowKeys)
#include "tst_windowkeys.moc"
