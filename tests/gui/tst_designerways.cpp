// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QWheelEvent>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// The ways through the form: by the keys, from the text, by what something names, and by the wheel.
class TstDesignerWays : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void tabGoesThroughTheForm();
    void jumpsToOtherKeys();
    void opensWhatTheCaretIsIn();
    void scrollsWithoutTurningPages();
    void opensCalmly();

private:
    void show(const QByteArray &bytes);
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerWays::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerWays::cleanup() { page.reset(); }

void TstDesignerWays::show(const QByteArray &bytes)
{
    showDocument(page.get(), bytes, QStringLiteral("full.pai.yaml"));
}

void TstDesignerWays::jumpsToOtherKeys()
{
    show(fullText);
    openTab(page.get(), ExtrasTab);
    auto *list = find<QListWidget>(page.get(), "extrasList");
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("tags_of_mine"));
    Q_EMIT list->itemClicked(list->item(0));
    auto *text = find<CodeView>(page.get(), "yamlText");
    QCOMPARE(text->caret(), QByteArray(fullText).indexOf("tags_of_mine"));
}

void TstDesignerWays::opensWhatTheCaretIsIn()
{
    show(fullText);
    auto *text = find<CodeView>(page.get(), "yamlText");
    const auto at = [&](const char *needle) {
        focus(text);
        text->setCaret(QByteArray(fullText).indexOf(needle) + 2);
    };
    auto *shared = find<QWidget>(page.get(), "roleShared");
    QVERIFY(!shared->isVisible());
    at("shmMB");
    QTRY_VERIFY(shared->isVisible());
    at("12001");
    QTRY_VERIFY(find<QWidget>(page.get(), "tensorboardPort")->isVisible());
    at("submitFrom");
    QTRY_VERIFY(find<QWidget>(page.get(), "jobSubmitFrom")->isVisible());
    at("az login");
    QTRY_COMPARE(find<QComboBox>(page.get(), "deploymentChoice")->currentIndex(), 1);
}

void TstDesignerWays::scrollsWithoutTurningPages()
{
    show(fullText);
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    for (const char *name : {"formTabs", "roleTabs"}) {
        auto *tabs = find<QTabBar>(page.get(), name);
        const int before = tabs->currentIndex();
        form->verticalScrollBar()->setValue(0);
        QWheelEvent wheel(QPointF(10, 10), tabs->mapToGlobal(QPointF(10, 10)), {}, {0, -120}, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(tabs, &wheel);
        QCOMPARE(tabs->currentIndex(), before);
        QVERIFY(!wheel.isAccepted()); // the next one above it may have it
    }
    // Nor does a choice change that the pointer passes; one that has the focus steps on.
    auto *image = find<QComboBox>(page.get(), "roleImage");
    leave(page.get());
    const QByteArray before = page->bytes();
    QWheelEvent wheel(QPointF(10, 10), image->mapToGlobal(QPointF(10, 10)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(image, &wheel);
    settle(page.get());
    QCOMPARE(page->bytes(), before);
}

// What opens shows its head; the caret has not been put anywhere yet.
void TstDesignerWays::opensCalmly()
{
    show(fullText);
    settle(page.get());
    QVERIFY(!find<QLineEdit>(page.get(), "jobContributor")->isVisible());
    QCOMPARE(find<QTabBar>(page.get(), "formTabs")->currentIndex(), int(ParametersTab));
    // Of a text that is not read nothing else is known, and one that cannot be read has no findings in its fields.
    show(QByteArray("a: b\n").repeated(300'000));
    settle(page.get());
    QCOMPARE(page->errorCount(), 1);
    QVERIFY(!page->canRun());
    QVERIFY(!page->runBlockers().isEmpty());
    show("name: a\n  b: [\n");
    settle(page.get());
    QVERIFY(page->errorCount() > 0);
    const auto messages = find<QWidget>(page.get(), "jobForm")->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::none_of(messages.cbegin(), messages.cend(), [](const QLabel *label) { return label->isVisible(); }));
    show(fullText);
    page->jumpTo(QByteArray(fullText).left(QByteArray(fullText).indexOf("contributor:")).count('\n') + 1, 1);
    QTRY_VERIFY(find<QLineEdit>(page.get(), "jobContributor")->isVisible());
}

// Without a mouse: everything that can be seen is reached in the order in which it is seen, and nothing holds on to the
// focus; back again too.
void TstDesignerWays::tabGoesThroughTheForm()
{
    show("protocolVersion: 2\nname: walk\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: x}\n"
         "taskRoles:\n  w:\n    dockerImage: img\n    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
         "    commands:\n      - echo hello\n");
    auto *form = find<QWidget>(page.get(), "jobForm");
    focus(find<QLineEdit>(page.get(), "jobName"));
    const auto walk = [&](Qt::Key key) {
        QList<QWidget *> seen;
        while (form->isAncestorOf(QApplication::focusWidget()) && !seen.contains(QApplication::focusWidget())) {
            seen.append(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), key);
        }
        return seen;
    };
    const QList<QWidget *> there = walk(Qt::Key_Tab);
    QVERIFY2(!form->isAncestorOf(QApplication::focusWidget()), qPrintable(there.last()->objectName()));
    qsizetype before = -1;
    for (const char *name : {"jobName", "jobMore", "roleTabs", "roleName", "roleImage", "roleGpu", "commandsText",
             "portAdd", "chainAdd", "roleMinFailed", "roleMore", "formTabs"}) {
        const qsizetype at = there.indexOf(find<QWidget>(page.get(), name));
        QVERIFY2(at > before, name);
        before = at;
    }
    QVERIFY(there.size() > before + 1); // what the last tab shows
    focus(there.last());
    QList<QWidget *> back = walk(Qt::Key_Backtab);
    std::reverse(back.begin(), back.end());
    QCOMPARE(back, there);
}

TRAINYARD_GUI_TEST(TstDesignerWays)
#include "tst_designerways.moc"
