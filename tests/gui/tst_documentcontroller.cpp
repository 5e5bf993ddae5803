// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads.h"
#include "tests/helpers/testregistry.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/documentcontroller.h"

#include <QLoggingCategory>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

#include <atomic>

using namespace trainyard;

namespace
{

QByteArray largeJob()
{
    QByteArray text = "protocolVersion: 2\nname: large\ntype: job\ntaskRoles:\n  worker:\n    commands: # many\n";
    for (int i = 0; i < 3000; ++i) {
        text += "      - echo number " + QByteArray::number(i) + "\n";
    }
    return text;
}

const YamlPath namePath{QStringLiteral("name")};

// Counts the texts of at least this size that are parsed while it lives, on any thread.
class ParseCounter
{
public:
    explicit ParseCounter(qsizetype least)
    {
        parses = 0;
        leastBytes = least;
        QLoggingCategory::setFilterRules(QStringLiteral("trainyard.yaml.debug=true"));
        previous = qInstallMessageHandler(&ParseCounter::handle);
    }
    ~ParseCounter()
    {
        qInstallMessageHandler(previous);
        QLoggingCategory::setFilterRules({});
    }
    Q_DISABLE_COPY_MOVE(ParseCounter)
    int count() const { return parses; }

private:
    static void handle(QtMsgType type, const QMessageLogContext &context, const QString &text)
    {
        if (qstrcmp(context.category, "trainyard.yaml") != 0) {
            previous(type, context, text);
        } else if (text.section(u' ', 1, 1).toLongLong() >= leastBytes) {
            ++parses;
        }
    }
    static inline std::atomic_int parses = 0;
    static inline std::atomic<qsizetype> leastBytes = 0;
    static inline QtMessageHandler previous = nullptr;
};

} // namespace

class TstDocumentController : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void parsesAfterAPause();
    void abandonsOutdatedParses();
    void plansOnTheNewestText();
    void refusesWithoutChange();
    void doesEditsInOrder();
    void plansLargeTextsAside();
    void parsesAnEditOnce();
    void refusesOutdatedFixes();
    void limitsTheForm();
    void diesWhileParsing();
};

void TstDocumentController::parsesAfterAPause()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    QSignalSpy snapshots(&controller, &DocumentController::snapshotChanged);
    editor.setBytes("name: a\n");
    QTRY_VERIFY(controller.isCurrent());
    QCOMPARE(controller.document().bytes(), QByteArray("name: a\n"));
    const qsizetype before = snapshots.size();
    editor.setCaret(7);
    QTest::keyClicks(editor.view(), QStringLiteral("bcd"));
    QVERIFY(!controller.isCurrent()); // not for every key
    QCOMPARE(snapshots.size(), before);
    QVERIFY(controller.isBusy());
    QTRY_VERIFY(controller.isCurrent());
    QCOMPARE(snapshots.size(), before + 1);
    QCOMPARE(controller.document().bytes(), QByteArray("name: abcd\n"));
    QVERIFY(!controller.isBusy());
}

void TstDocumentController::abandonsOutdatedParses()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    editor.setBytes(largeJob());
    controller.parseNow();
    QVERIFY(!controller.isCurrent()); // on its way, elsewhere
    editor.setBytes("name: other\n");
    controller.parseNow();
    QVERIFY(controller.isCurrent());
    threads::workPool().waitForDone();
    QCoreApplication::processEvents(); // what is queued comes in
    QTRY_VERIFY(!controller.isBusy());
    QCOMPARE(controller.document().bytes(), QByteArray("name: other\n"));
}

void TstDocumentController::plansOnTheNewestText()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    editor.setBytes("name: a # keep\n");
    QTRY_VERIFY(controller.isCurrent());
    editor.setCaret(0);
    QTest::keyClicks(editor.view(), QStringLiteral("x: 1"));
    QTest::keyClick(editor.view(), Qt::Key_Return);
    QVERIFY(!controller.isCurrent());
    controller.edit({edit::SetText{namePath, QStringLiteral("b")}});
    QCOMPARE(editor.bytes(), QByteArray("x: 1\nname: b # keep\n"));
    QVERIFY(controller.isCurrent());
    QVERIFY(controller.origin() == Origin::Form);
    editor.undo();
    QCOMPARE(editor.bytes(), QByteArray("x: 1\nname: a # keep\n"));
}

void TstDocumentController::refusesWithoutChange()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    QSignalSpy refused(&controller, &DocumentController::editRefused);
    editor.setBytes("name: a\n");
    bool called = false;
    controller.edit({edit::Remove{{QStringLiteral("no"), QStringLiteral("such")}}}, [&](const Result<void> &result) {
        called = true;
        QVERIFY(!result);
        QVERIFY(result.error().code.startsWith(u"edit."));
    });
    QVERIFY(called);
    QCOMPARE(refused.size(), 1);
    QCOMPARE(editor.bytes(), QByteArray("name: a\n"));
    QVERIFY(!editor.canUndo());
}

void TstDocumentController::doesEditsInOrder()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    editor.setBytes(largeJob());
    QStringList order;
    for (int i = 0; i < 5; ++i) {
        controller.edit({edit::SetText{namePath, QStringLiteral("n%1").arg(i)}},
            [&, i](const Result<void> &result) { order.append(QString::number(i) + (result ? u"+" : u"-")); });
    }
    QTRY_COMPARE_WITH_TIMEOUT(order.size(), 5, 20000);
    QCOMPARE(order.join(u' '), QStringLiteral("0+ 1+ 2+ 3+ 4+"));
    QVERIFY(editor.bytes().contains("name: n4\n"));
}

void TstDocumentController::plansLargeTextsAside()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    const QByteArray before = largeJob();
    editor.setBytes(before);
    controller.edit({edit::SetText{namePath, QStringLiteral("b")}});
    QCOMPARE(editor.bytes(), before); // not here
    // Typing goes on meanwhile and is kept.
    editor.setCaret(0);
    QTest::keyClicks(editor.view(), QStringLiteral("#"));
    QTRY_VERIFY_WITH_TIMEOUT(editor.bytes().contains("name: b\n"), 20000);
    QByteArray expected = '#' + before;
    expected.replace("name: large", "name: b");
    QCOMPARE(editor.bytes(), expected);
}

// An edit parses the text once, to see what it did; form and Run are given that.
void TstDocumentController::parsesAnEditOnce()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    for (const QByteArray &text : {QByteArray("name: a # keep\n"), largeJob()}) {
        editor.setBytes(text);
        QTRY_VERIFY_WITH_TIMEOUT(controller.isCurrent() && !controller.isBusy(), 20000);
        const qsizetype before = editor.bytes().size();
        const ParseCounter counter(before - 10);
        controller.edit({edit::SetText{namePath, QStringLiteral("bcd")}});
        QTRY_VERIFY_WITH_TIMEOUT(editor.bytes().contains("name: bcd") && controller.isCurrent(), 20000);
        QCOMPARE(counter.count(), 1);
        QCOMPARE(controller.document().bytes(), editor.bytes());
        QVERIFY(controller.document().outcome().document.find(namePath)->scalar == "bcd");
        QCOMPARE(controller.currentOutcome().document.bytes(), editor.bytes());
        QCOMPARE(counter.count(), 1);
        editor.undo(); // this text is not known yet
        QTRY_VERIFY_WITH_TIMEOUT(controller.isCurrent(), 20000);
        QCOMPARE(counter.count(), 2);
        QCOMPARE(controller.document().bytes(), text);
    }
    // What was typed a moment ago is parsed when it is asked for, and then not again.
    editor.setBytes("name: a\n");
    QTRY_VERIFY(controller.isCurrent());
    editor.setCaret(7);
    const ParseCounter counter(5);
    QTest::keyClicks(editor.view(), QStringLiteral("bc"));
    QVERIFY(!controller.isCurrent());
    QCOMPARE(controller.currentOutcome().document.bytes(), QByteArray("name: abc\n"));
    QVERIFY(controller.isCurrent());
    QTRY_VERIFY(!controller.isBusy());
    QCOMPARE(counter.count(), 1);
}

void TstDocumentController::refusesOutdatedFixes()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    editor.setBytes("name: a\n");
    QTRY_VERIFY(controller.isCurrent());
    const Fix fix{QStringLiteral("fix.set"), {}, {{{6, 7}, "b"}}};
    QVERIFY(controller.apply(fix).has_value());
    QCOMPARE(editor.bytes(), QByteArray("name: b\n"));
    editor.setCaret(0);
    QTest::keyClicks(editor.view(), QStringLiteral("#"));
    QVERIFY(!controller.apply(fix));
    QCOMPARE(editor.bytes(), QByteArray("#name: b\n"));
}

void TstDocumentController::limitsTheForm()
{
    YamlEditor editor;
    DocumentController controller(&editor);
    editor.setBytes(QByteArray("a: 1\n").repeated(300000));
    QTRY_VERIFY(controller.isCurrent());
    QCOMPARE(controller.limit(), QStringLiteral("document.too-large"));
    bool refused = false;
    controller.edit(
        {edit::SetText{namePath, QStringLiteral("b")}}, [&](const Result<void> &result) { refused = !result; });
    QTRY_VERIFY(refused);
    editor.setBytes("name: a\n");
    QTRY_VERIFY(controller.limit().isEmpty());
}

void TstDocumentController::diesWhileParsing()
{
    auto editor = std::make_unique<YamlEditor>();
    auto controller = std::make_unique<DocumentController>(editor.get());
    editor->setBytes(largeJob());
    controller->edit(
        {edit::SetText{namePath, QStringLiteral("b")}}, [](const Result<void> &) { QFAIL("called after the end"); });
    controller.reset();
    editor.reset();
    threads::workPool().waitForDone();
    QCoreApplication::processEvents();
}

TRAINYARD_GUI_TEST(TstDocumentController)
#include "tst_documentcontroller.moc"
