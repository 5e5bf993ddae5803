// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/diff/diffpage.h"
#include "widgets/diff/diffview.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

using namespace trainyard;

namespace
{
QByteArray longJob(int roles)
{
    QByteArray text = "protocolVersion: 2\nname: long\ntype: job\ntaskRoles:\n";
    for (int i = 0; i < roles; ++i) {
        const QByteArray n = QByteArray::number(i);
        text += "  role" + n + ":\n    instances: " + n + "\n    dockerImage: img\n    commands:\n      - echo " + n
            + " # a comment\n";
    }
    return text;
}
} // namespace

class TstDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void rowsOfBothViews();
    void foldsOpen();
    void walksOverChanges();
    void copiesLines();
    void textIsReadable();
    void longTextsAreQuick();
    void paintsInBothThemes();
    void pageSaysWhatIsEqual();
    void pageTellsWhatIsChosen();
    void comesBackAfterARestart();
    void comparesWithTheSavedFile();
    void changeOnDiskCanBeCompared();
    void followsTheSavedFile();
    void showsNoSecrets();

private:
    WindowFixture m_fixture;
};

void TstDiff::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstDiff::rowsOfBothViews()
{
    const QByteArray before = "a: 1\nb: 2\nc: 3\n";
    const QByteArray after = "a: 1\n# new\nb: 5\nc: 3\n";
    DiffView view;
    view.setTexts(before, after);
    QCOMPARE(view.changeCount(), 1);
    using Kind = DiffRow::Kind;
    const QList<DiffRow> beside{
        {Kind::Equal, 0, 0}, {Kind::Added, -1, 1, 0}, {Kind::Changed, 1, 2, 0}, {Kind::Equal, 2, 3}};
    QCOMPARE(view.rows(), beside);
    view.setMode(DiffView::Mode::Unified);
    const QList<DiffRow> column{{Kind::Equal, 0, 0}, {Kind::Added, -1, 1, 0}, {Kind::Removed, 1, 2, 0},
        {Kind::Added, 1, 2, 0}, {Kind::Equal, 2, 3}};
    QCOMPARE(view.rows(), column);
    QCOMPARE(view.accessibleDescription().isEmpty(), false);
}

void TstDiff::foldsOpen()
{
    const QByteArray before = longJob(20);
    QByteArray after = before;
    after.replace("echo 10 ", "echo ten ");
    DiffView view;
    view.resize(900, 400);
    view.setTexts(before, after);
    view.show();
    const auto folds = [&view] {
        return std::count_if(view.rows().cbegin(), view.rows().cend(),
            [](const DiffRow &row) { return row.kind == DiffRow::Kind::Fold; });
    };
    QCOMPARE(folds(), 2);
    const qsizetype rows = view.rows().size();
    const qsizetype folded = view.rows().first().folded;
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(120, 6));
    QCOMPARE(folds(), 1);
    QCOMPARE(view.rows().size(), rows - 1 + folded);
}

void TstDiff::walksOverChanges()
{
    const QByteArray before = longJob(200);
    QByteArray after = before;
    after.replace("echo 10 ", "echo ten ").replace("echo 100 ", "echo hundred ").replace("echo 190 ", "");
    DiffView view;
    view.resize(900, 300);
    QSignalSpy moved(&view, &DiffView::currentChangeChanged);
    view.setTexts(before, after);
    view.show();
    QCOMPARE(view.changeCount(), 3);
    QCOMPARE(view.currentChange(), 0);
    QTest::keyClick(&view, Qt::Key_N);
    QCOMPARE(view.currentChange(), 1);
    view.nextChange();
    view.nextChange(); // the last one stays
    QCOMPARE(view.currentChange(), 2);
    QTest::keyClick(&view, Qt::Key_P);
    QCOMPARE(view.currentChange(), 1);
    QVERIFY(moved.count() >= 4);
    // A change of the text keeps the place.
    view.setTexts(before, after + "# end\n");
    QCOMPARE(view.changeCount(), 4);
    QCOMPARE(view.currentChange(), 1);
}

void TstDiff::copiesLines()
{
    DiffView view;
    view.resize(900, 300);
    view.setTexts("a: 1\nb: 2\n", "a: 1\nb: 3\nc: 4\n");
    view.show();
    view.selectAll();
    view.copy();
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("a: 1\nb: 3\nc: 4\n"));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(150, 18 + 4)); // the second row, old side
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("b: 2\n"));
    view.setMode(DiffView::Mode::Unified);
    view.selectAll();
    QCOMPARE(view.selectedText(), QStringLiteral("a: 1\nb: 2\nb: 3\nc: 4\n"));
}

void TstDiff::textIsReadable()
{
    QStringList poor;
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        for (const bool old : {true, false}) {
            for (const QColor &ground :
                {DiffView::lineGround(DiffRow::Kind::Changed, old, theme), DiffView::markGround(old, theme)}) {
                for (const Colour front : {Colour::Text, Colour::SyntaxKey, Colour::SyntaxString, Colour::SyntaxNumber,
                         Colour::SyntaxReference, Colour::Muted}) {
                    const qreal found = contrast(colour(front, theme), ground);
                    const qreal least = 4.5;
                    if (found < least) {
                        poor.append(QStringLiteral("theme %1 old %2 colour %3 on %4: %5")
                                        .arg(int(theme))
                                        .arg(old)
                                        .arg(int(front))
                                        .arg(ground.name())
                                        .arg(found));
                    }
                }
            }
        }
    }
    QVERIFY2(poor.isEmpty(), qPrintable(poor.join(QLatin1Char('\n'))));
}

void TstDiff::longTextsAreQuick()
{
    const QByteArray before = longJob(2000); // 10,000 lines
    QByteArray after = before;
    after.replace("a comment", "another remark");
    DiffView view;
    view.resize(1200, 800);
    view.show();
    QElapsedTimer timer;
    timer.start();
    view.setTexts(before, after);
    const qint64 shown = timer.restart();
    QCOMPARE(view.changeCount(), 2000);
    for (int i = 0; i < 50; ++i) {
        view.verticalScrollBar()->setValue(i * 150);
        view.viewport()->repaint();
    }
    const qint64 painted = timer.elapsed();
    qInfo("10,000 lines, 2,000 changes: shown in %lld ms, painted in %lld ms a page", shown, painted / 50);
    QVERIFY(shown < 4000);
    QVERIFY(painted < 8000);
}

void TstDiff::paintsInBothThemes()
{
    DiffView view;
    view.resize(800, 200);
    view.setTexts("a: 1\nb: 2\n", "a: 1\nb: 3\n");
    view.show();
    QSet<QRgb> grounds;
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        view.setPalette(themePalette(theme));
        const QImage picture = view.grab().toImage();
        QCOMPARE(picture.pixelColor(300, 24), colour(Colour::FailedTint, theme));
        QCOMPARE(picture.pixelColor(700, 24), colour(Colour::SucceededTint, theme));
        grounds.insert(picture.pixel(300, 100));
    }
    QCOMPARE(grounds.size(), 2);
}

void TstDiff::pageSaysWhatIsEqual()
{
    DiffPage page;
    page.setName(QStringLiteral("a.yaml"));
    page.setSources({{QStringLiteral("saved"), QStringLiteral("Saved file"), {}}});
    page.choose(QStringLiteral("saved"));
    page.setNow("a: 1\n");
    page.setOther("a: 1\n");
    page.show();
    QVERIFY(!page.view()->isVisible());
    page.setNow("a: 2\n");
    QVERIFY(page.view()->isVisible());
    auto *next = page.findChild<QAction *>(QStringLiteral("diffNext"));
    QVERIFY(next && !next->isEnabled()); // one change only
    page.setNow("a: 1\r\n");
    QVERIFY(page.view()->diff().onlyLineEnds);
    page.setError(QStringLiteral("gone"));
    QVERIFY(!page.view()->isVisible());
}

void TstDiff::pageTellsWhatIsChosen()
{
    DiffPage page;
    QSignalSpy chosen(&page, &DiffPage::sourceChosen);
    page.setSources({{QStringLiteral("saved"), QStringLiteral("Saved file"), {}},
        {QStringLiteral("u1"), QStringLiteral("job #1"), QStringLiteral("succeeded")}});
    page.choose(QStringLiteral("u1"));
    QCOMPARE(page.chosen(), QStringLiteral("u1"));
    // New runs come to the list; the chosen one stays.
    page.setSources({{QStringLiteral("saved"), QStringLiteral("Saved file"), {}},
        {QStringLiteral("u2"), QStringLiteral("job #2"), QStringLiteral("running")},
        {QStringLiteral("u1"), QStringLiteral("job #1"), QStringLiteral("succeeded")}});
    QCOMPARE(page.chosen(), QStringLiteral("u1"));
    QCOMPARE(chosen.count(), 1);
    page.findChild<SegmentedControl *>(QStringLiteral("diffMode"))->setCurrentIndex(1);
    QCOMPARE(page.view()->mode(), DiffView::Mode::Unified);
}

void TstDiff::comparesWithTheSavedFile()
{
    const QString path = m_fixture.write(QStringLiteral("d/job.yaml"), sampleJob);
    const auto window = m_fixture.makeWindow();
    window->show();
    DesignerPage *page = window->openFile(path);
    QVERIFY(page);
    auto *text = page->findChild<CodeView *>();
    QVERIFY(text);
    page->jumpTo(2, 7);
    auto editors = page->findChildren<CodeView *>();
    for (CodeView *editor : editors) {
        if (editor->allBytes() == sampleJob) {
            editor->applyEdits(
                {{{sampleJob.indexOf("from_the"), sampleJob.indexOf("from_the") + 4}, "into"}}, Origin::Text);
        }
    }
    QTRY_VERIFY(page->isModified());
    window->action("compareSaved")->trigger();
    auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QCOMPARE(diff->view()->changeCount(), 1);
    // The second time it is the same tab, and Back goes home.
    diff->findChild<QPushButton *>(QStringLiteral("diffBack"))->click();
    QCOMPARE(window->currentDesigner(), page);
    const qsizetype pages = window->tabs()->pages().size();
    window->action("compare")->trigger();
    QCOMPARE(window->tabs()->pages().size(), pages);
    // Undone: nothing differs.
    window->tabs()->setCurrentPage(page);
    page->undo();
    window->tabs()->setCurrentPage(diff);
    QTRY_COMPARE(diff->view()->isVisible(), false);
}

void TstDiff::changeOnDiskCanBeCompared()
{
    const QString path = m_fixture.write(QStringLiteral("e/job.yaml"), sampleJob);
    const auto window = m_fixture.makeWindow();
    window->show();
    DesignerPage *page = window->openFile(path);
    QVERIFY(page);
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("protocolVersion")}, "'2'"}});
    QVERIFY(page->isModified());
    m_fixture.write(QStringLiteral("e/job.yaml"), sampleJob + "# by another program\n");
    auto *bar = page->findChild<InfoBar *>(QStringLiteral("fileBar"));
    QTRY_VERIFY(bar->isVisible());
    auto *compare = bar->findChild<QPushButton *>(QStringLiteral("diskCompare"));
    QVERIFY(compare);
    compare->click();
    auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QCOMPARE(diff->view()->changeCount(), 2);
    QCOMPARE(diff->view()->diff().oldLines.size(), diff->view()->diff().newLines.size() + 1);
}

// Both sides are what they are now, and not what they were when the comparison was opened.
void TstDiff::followsTheSavedFile()
{
    const QString path = m_fixture.write(QStringLiteral("g/job.yaml"), sampleJob);
    const auto window = m_fixture.makeWindow();
    window->show();
    DesignerPage *page = window->openFile(path);
    QVERIFY(page);
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("protocolVersion")}, "'2'"}});
    QVERIFY(page->isModified());
    window->action("compareSaved")->trigger();
    auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QCOMPARE(diff->view()->changeCount(), 1);
    // Saved here, there is no difference any more.
    diff->findChild<QPushButton *>(QStringLiteral("diffBack"))->click();
    window->action("save")->trigger();
    QTRY_VERIFY(!page->isModified());
    window->tabs()->setCurrentPage(diff);
    QTRY_VERIFY(!diff->view()->isVisible());
    // Written by another program while the comparison is in front.
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("protocolVersion")}, "2"}});
    QTRY_COMPARE(diff->view()->changeCount(), 1);
    m_fixture.write(QStringLiteral("g/job.yaml"), sampleJob + "# by another program\n");
    QTRY_VERIFY(diff->view()->diff().oldLines.size() == diff->view()->diff().newLines.size() + 1);
    auto *bar = diff->findChild<InfoBar *>();
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("job.yaml has been removed.")), qPrintable(bar->text()));
    m_fixture.write(QStringLiteral("g/job.yaml"), sampleJob + "# by another program\n");
    QTRY_VERIFY(!bar->isVisible() && diff->view()->isVisible());
}

// That a value has changed is shown, and what it is is not.
void TstDiff::showsNoSecrets()
{
    const QByteArray withSecrets = "secrets:\n  a: hunter2\n  b: hunter3\n" + sampleJob;
    const auto window = m_fixture.makeWindow();
    window->show();
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("s/job.yaml"), withSecrets));
    QVERIFY(page);
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("secrets"), QStringLiteral("a")}, "hunter4"}});
    QVERIFY(page->isModified());
    window->action("compareSaved")->trigger();
    auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QCOMPARE(diff->view()->changeCount(), 1);
    diff->view()->setMode(DiffView::Mode::Unified);
    diff->view()->selectAll();
    const QString shown = diff->view()->selectedText();
    QVERIFY2(!shown.contains(QStringLiteral("hunter")), qPrintable(shown));
    QVERIFY2(shown.contains(QStringLiteral("a: \"******\"\n  a: \"****** (changed)\"\n")), qPrintable(shown));
}

// A comparison that was open comes back with its document and its source.
void TstDiff::comesBackAfterARestart()
{
    const QString path = m_fixture.write(QStringLiteral("f/job.yaml"), sampleJob);
    {
        const auto window = std::make_unique<MainWindow>(MainWindow::Options{true, false});
        window->show();
        DesignerPage *page = window->openFile(path);
        QVERIFY(page);
        page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("protocolVersion")}, "'2'"}});
        window->action("compareSaved")->trigger();
        QVERIFY(qobject_cast<DiffPage *>(window->tabs()->currentPage()));
        window->close();
    }
    const auto window = std::make_unique<MainWindow>(MainWindow::Options{true, false});
    window->show();
    auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QVERIFY(diff->title().contains(QStringLiteral("job.yaml")));
    QCOMPARE(diff->chosen(), QStringLiteral("saved"));
    QTRY_COMPARE(diff->view()->changeCount(), 1);
    window->close();
}

TRAINYARD_GUI_TEST(TstDiff)
#include "tst_diff.moc"
