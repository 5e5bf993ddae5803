// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTest>

#include <algorithm>

using namespace trainyard;

// Documents are saved, and nothing is closed unasked that would be lost.
class TstWindowSaving : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void modifiedTabsAsk();
    void closingAsksForWhatWouldBeLost();
    void openBeginsBesideTheDocument();
    void saveAsLeavesOneTabOfAFile_data();
    void saveAsLeavesOneTabOfAFile();
    void savesWhatIsBeingTyped();
    void closingSaysHowManyAreAskedAbout();
    void answersHoldForOneClosing();
    void saveWithoutItsFolderOffersAnother();

private:
    WindowFixture m_fixture;
};

void TstWindowSaving::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstWindowSaving::modifiedTabsAsk()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    const QString path = m_fixture.write(QStringLiteral("c.yaml"), sampleJob);
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
    window->openFiles(
        {m_fixture.path(QStringLiteral("missing.yaml")), m_fixture.path(QStringLiteral("gone/other.yaml")), path});
    QCOMPARE(shown(), 1);
    QVERIFY2(window->bar()->text().contains(QStringLiteral("missing.yaml"))
            && window->bar()->text().contains(QStringLiteral("other.yaml")),
        qPrintable(window->bar()->text()));
}

// Texts come back at the next start, but no secret is ever written beside the file: such a document asks.
void TstWindowSaving::closingAsksForWhatWouldBeLost()
{
    saveSession({});
    const QString file = m_fixture.write(QStringLiteral("token.pai.yaml"), sampleJob);
    const auto window = WindowFixture::makeWindow(true, false);
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
    QCOMPARE(saved.readAll(), "secrets: {token: hush}\n" + sampleJob);
    window->show();
    type("description: other\n"); // the secret comes back from the file
    QVERIFY(window->close());
    QVERIFY(!window->isVisible());
    window->show();
    page->findChild<CodeView *>(QStringLiteral("yamlText"))
        ->applyEdits({{{0, page->bytes().size()}, "secrets: {token: other}\n" + sampleJob}}, Origin::Text);
    QVERIFY(!window->close());
    QVERIFY(answer(QMessageBox::Discard));
    QTRY_VERIFY(!window->isVisible());
    saveSession({});
}

// The document in front has its folder, else the one that was used last counts, else the home folder.
void TstWindowSaving::openBeginsBesideTheDocument()
{
    const QString one = m_fixture.write(QStringLiteral("open one/a.pai.yaml"), sampleJob);
    const QString other = m_fixture.write(QStringLiteral("open other/b.pai.yaml"), sampleJob);
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    setSaveFolder({});
    const auto begin = [&window] {
        window->action("open")->trigger();
        const QPointer<QFileDialog> files(window->findChild<QFileDialog *>());
        const QString folder = files ? files->directory().absolutePath() : QString();
        if (files) {
            files->close();
        }
        [&files] { QTRY_VERIFY(!files); }();
        return folder;
    };
    QCOMPARE(begin(), QDir::homePath());
    const DesignerPage *first = window->openFile(one);
    QVERIFY(first && window->openFile(other));
    QCOMPARE(begin(), QFileInfo(other).path());
    QVERIFY(window->openFile(one)); // in front again
    QCOMPARE(begin(), QFileInfo(one).path());
    window->newDocument(sampleJob, {}); // in no file: the last folder that was used
    QCOMPARE(begin(), QFileInfo(other).path());
    setSaveFolder({});
}

void TstWindowSaving::saveAsLeavesOneTabOfAFile_data()
{
    QTest::addColumn<bool>("unsaved");
    QTest::newRow("nothing to lose there") << false;
    QTest::newRow("changes that are not saved there") << true;
}

// Two tabs of one file would write over each other.
void TstWindowSaving::saveAsLeavesOneTabOfAFile()
{
    QFETCH(const bool, unsaved);
    const QString path = m_fixture.write(QStringLiteral("one-tab-%1.pai.yaml").arg(unsaved), sampleJob);
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    DesignerPage *before = window->openFile(path);
    QVERIFY(before);
    if (unsaved) {
        before->applyEdits({edit::SetText{{QStringLiteral("name")}, QStringLiteral("edited")}});
        QTRY_VERIFY(before->isModified());
    }
    QByteArray text = sampleJob;
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
    QCOMPARE(file.readAll(), unsaved ? sampleJob : text);
    QCOMPARE(window->tabs()->pages().size(), unsaved ? tabs : tabs - 1);
    QCOMPARE(window->currentDesigner(), saved);
    QCOMPARE(saved->filePath(), unsaved ? QString() : path);
    if (unsaved) {
        QVERIFY(window->bar()->isVisible());
        QVERIFY2(window->bar()->text().contains(QStringLiteral("is open in another tab")),
            qPrintable(window->bar()->text()));
    }
    WindowFixture::closeWithoutSaving(window.get());
}

// The first letter in the form is no change of the document yet; Save takes it.
void TstWindowSaving::savesWhatIsBeingTyped()
{
    saveSession({});
    const QString path = m_fixture.write(QStringLiteral("typed.pai.yaml"), sampleJob);
    const auto window = WindowFixture::makeWindow(true, false);
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
    WindowFixture::closeWithoutSaving(window.get());
    saveSession({});
}

void TstWindowSaving::closingSaysHowManyAreAskedAbout()
{
    saveSession({});
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    for (int i = 0; i < 3; ++i) {
        window->newDocument(sampleJob, {})
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

// Who lets one document go and then does not close the window is asked about it the next time.
void TstWindowSaving::answersHoldForOneClosing()
{
    saveSession({});
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    for (const char *name : {"one.yaml", "two.yaml"}) {
        window->newDocument(sampleJob, QString::fromLatin1(name))
            ->findChild<CodeView *>(QStringLiteral("yamlText"))
            ->applyEdits({{{0, 0}, "secrets: {token: hush-hush-hush}\n"}}, Origin::Text);
    }
    const auto shownBox = [&window]() -> QMessageBox * {
        const auto boxes = window->findChildren<QMessageBox *>();
        const auto shown
            = std::find_if(boxes.cbegin(), boxes.cend(), [](const QMessageBox *box) { return box->isVisible(); });
        return shown == boxes.cend() ? nullptr : *shown;
    };
    QVERIFY(!window->close());
    QVERIFY(shownBox());
    const QString first = shownBox()->text();
    shownBox()->button(QMessageBox::Discard)->click();
    QVERIFY(shownBox());
    QVERIFY(shownBox()->text() != first);
    shownBox()->button(QMessageBox::Save)->click();
    auto *files = window->findChild<QFileDialog *>();
    QVERIFY(files && files->isVisible());
    files->reject(); // in no file after all
    QVERIFY(window->isVisible());
    QVERIFY(!window->close());
    QVERIFY(shownBox());
    QCOMPARE(shownBox()->text(), first);
    shownBox()->button(QMessageBox::Discard)->click();
    QVERIFY(shownBox());
    shownBox()->button(QMessageBox::Discard)->click();
    QTRY_VERIFY(!window->isVisible());
    saveSession({});
}

// What was dropped from another program's folder, which went away with that program.
void TstWindowSaving::saveWithoutItsFolderOffersAnother()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("dropped/job.pai.yaml"), sampleJob));
    QVERIFY(page);
    QVERIFY(QDir(m_fixture.path(QStringLiteral("dropped"))).removeRecursively());
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
    const QString kept = m_fixture.path(QStringLiteral("kept.pai.yaml"));
    Q_EMIT files->fileSelected(kept);
    files->close();
    QVERIFY(QFile::exists(kept));
    QCOMPARE(page->filePath(), kept);
    QVERIFY(!page->isModified());
    QVERIFY(window->bar()->isHidden());
    window->close();
}

TRAINYARD_GUI_TEST(TstWindowSaving)
#include "tst_windowsaving.moc"
