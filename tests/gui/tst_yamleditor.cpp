// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/processortime.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/textsize.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/findbar.h"
#include "widgets/editor/fixbar.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/editor/yamlstyler.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <vector>

using namespace trainyard;

namespace
{

// One letter per byte, so that a table can say how a line is coloured.
QByteArray styles(const QByteArray &text)
{
    static const char letters[] = ".KSNWCROMT";
    QByteArray all;
    yamlstyler::State state;
    qsizetype at = 0;
    while (at < text.size()) {
        qsizetype end = text.indexOf('\n', at);
        end = end < 0 ? text.size() : end + 1;
        QByteArray line(end - at, '\0');
        state = yamlstyler::styleLine(QByteArrayView(text).sliced(at, end - at), state, line.data());
        for (const char style : std::as_const(line)) {
            all += letters[static_cast<unsigned char>(style)];
        }
        all[end - 1] = text[end - 1] == '\n' ? '\n' : all[end - 1];
        at = end;
    }
    return all;
}

Diagnostic problem(qsizetype begin, qsizetype end, Severity severity = Severity::Error)
{
    Diagnostic diagnostic;
    diagnostic.code = QStringLiteral("yaml.syntax");
    diagnostic.severity = severity;
    diagnostic.at = {begin, end};
    return diagnostic;
}

} // namespace

class TstYamlEditor : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsEveryByte_data();
    void keepsEveryByte();
    void keepsEveryByteWhileEditing();
    void appliesEditsAsOneUndoStep();
    void undoStopsAtPauses();
    void followsTheSavePoint();
    void countsPositionsInCodePoints();
    void colours_data();
    void colours();
    void folds();
    void shortcutsTypeNothing_data();
    void shortcutsTypeNothing();
    void zoomIsOneForAllCode();
    void showsDiagnostics();
    void gutterIconsAreSharp();
    void causeComesBeforeFixes();
    void offersFixes();
    void keepsTheCaretInSight();
    void finds_data();
    void finds();
    void replaces_data();
    void replaces();
    void replacesAll();
    void replacesAllOfMany();
    void togglesComments();
    void indentsAfterAKey();
    void tabIndentsTheLineOfASelection();
    void endsLinesAsTheTextThatWasReadAgain();
    void wrapsLongLines();
    void costOfAKeyDoesNotGrowWithTheText();
    void bearsBadInput_data();
    void bearsBadInput();
};

void TstYamlEditor::keepsEveryByte_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QByteArray every;
    for (int i = 0; i < 256; ++i) {
        every += char(i);
    }
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("plain") << QByteArray("name: x\n");
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFname: x\n");
    QTest::newRow("crlf and cr") << QByteArray("a: 1\r\nb: 2\rc: 3\n");
    QTest::newRow("no line end") << QByteArray("a: 1");
    QTest::newRow("nul") << QByteArray("a: \0b\n", 6);
    QTest::newRow("every byte") << every + every;
    QTest::newRow("utf-16") << QByteArray("\xFF\xFE"
                                          "a\0:\0",
        6);
    QTest::newRow("cut off") << QByteArray("a: \xF0\x9F\x98");
    QTest::newRow("emoji") << QByteArray("a: \xF0\x9F\x98\x80 \xE4\xB8\xAD\n");
}

void TstYamlEditor::keepsEveryByte()
{
    QFETCH(QByteArray, bytes);
    YamlEditor editor;
    editor.setBytes(bytes);
    QCOMPARE(editor.bytes(), bytes);
    QVERIFY(!editor.isModified());
    QVERIFY(!editor.canUndo());
    editor.resize(400, 300);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    QCOMPARE(editor.bytes(), bytes);
}

void TstYamlEditor::keepsEveryByteWhileEditing()
{
    const QByteArray bytes("\xEF\xBB\xBF"
                           "a: \0\xFF 1\r\nb: 2\n",
        16);
    YamlEditor editor;
    editor.setBytes(bytes);
    editor.applyEdits({{{14, 15}, "x"}}, Origin::Form);
    QByteArray expected = bytes;
    expected.replace(14, 1, "x");
    QCOMPARE(editor.bytes(), expected);
    editor.setCaret(editor.byteCount());
    QTest::keyClicks(editor.view(), QStringLiteral("end"));
    QCOMPARE(editor.bytes(), expected + "end");
    while (editor.canUndo()) {
        editor.undo();
    }
    QCOMPARE(editor.bytes(), bytes);
    QVERIFY(!editor.isModified());
}

void TstYamlEditor::appliesEditsAsOneUndoStep()
{
    YamlEditor editor;
    editor.setBytes("one two three");
    QList<Origin> origins;
    connect(&editor, &YamlEditor::bytesChanged, this, [&](Origin origin) { origins.append(origin); });
    editor.setCaret(13);
    editor.applyEdits({{{0, 3}, "1"}, {{4, 7}, "2"}, {{8, 13}, "3"}}, Origin::Form);
    QCOMPARE(editor.bytes(), QByteArray("1 2 3"));
    QCOMPARE(origins.size(), 1);
    QVERIFY(origins.first() == Origin::Form);
    editor.undo();
    QCOMPARE(editor.bytes(), QByteArray("one two three"));
    QVERIFY(origins.last() == Origin::Undo);
    QVERIFY(!editor.canUndo());
    editor.redo();
    QCOMPARE(editor.bytes(), QByteArray("1 2 3"));
}

void TstYamlEditor::undoStopsAtPauses()
{
    YamlEditor editor;
    editor.setBytes("a: ");
    editor.setCaret(3);
    const auto undone = [&editor](const QByteArray &expected) {
        editor.undo();
        return editor.bytes() == expected;
    };
    QTest::keyClicks(editor.view(), QStringLiteral("12"));
    QTest::keyClicks(editor.view(), QStringLiteral("34"));
    QVERIFY(undone("a: ")); // without a pause
    QTest::keyClicks(editor.view(), QStringLiteral("12"));
    editor.endTyping(); // it runs
    QTest::keyClicks(editor.view(), QStringLiteral("34"));
    QVERIFY(undone("a: 12"));
    QTest::keyClicks(editor.view(), QStringLiteral("5"));
    editor.setSaved();
    QTest::keyClicks(editor.view(), QStringLiteral("6"));
    QVERIFY(undone("a: 125"));
    editor.setBytes("a: ");
    editor.setCaret(3);
    editor.view()->setTypingPause(0); // however short: each key comes after one
    QTest::keyClicks(editor.view(), QStringLiteral("12"));
    QVERIFY(undone("a: 1"));
    editor.redo();
    QCOMPARE(editor.bytes(), "a: 12");
    QTest::keyClick(editor.view(), Qt::Key_Backspace);
    QTest::keyClick(editor.view(), Qt::Key_Backspace);
    QVERIFY(undone("a: 1"));
    QTest::keyClick(editor.view(), Qt::Key_Left); // writes nothing, and takes nothing from what can be redone
    QVERIFY(editor.canRedo());
}

void TstYamlEditor::followsTheSavePoint()
{
    YamlEditor editor;
    QSignalSpy modified(&editor, &YamlEditor::modifiedChanged);
    editor.setBytes("a: 1\n");
    editor.applyEdits({{{3, 4}, "2"}}, Origin::Form);
    QVERIFY(editor.isModified());
    editor.undo();
    QVERIFY(!editor.isModified());
    editor.redo();
    editor.setSaved();
    QVERIFY(!editor.isModified());
    editor.undo();
    QVERIFY(editor.isModified());
    editor.setNeverSaved();
    editor.redo();
    QVERIFY(editor.isModified());
    editor.setSaved();
    QVERIFY(!editor.isModified());
    QCOMPARE(modified.size(), 6);
}

void TstYamlEditor::countsPositionsInCodePoints()
{
    YamlEditor editor;
    editor.setBytes("\xEF\xBB\xBFk: v\nx: \xF0\x9F\x98\x80y\n");
    QCOMPARE(editor.positionOf(3), (LineColumn{1, 1}));
    QCOMPARE(editor.positionOf(8 + 3 + 4), (LineColumn{2, 5}));
    QCOMPARE(editor.offsetOf({2, 5}), 15);
    QCOMPARE(editor.offsetOf({1, 1}), 3);
    QCOMPARE(editor.offsetOf({99, 99}), editor.byteCount());
    QCOMPARE(editor.offsetOf({2, 99}), 16);
}

void TstYamlEditor::colours_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *text, const char *expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("key and values", "a: 1\nb: x y\nc: true\n", "KO.N\nKO.SSS\nKO.WWWW\n");
    row("comment", "# c\na: 1 # d\n", "CCC\nKO.N.CCC\n");
    row("hash inside", "a: b#c\n", "KO.SSS\n");
    row("dash and key", "- name: x\n", "O.KKKKO.S\n");
    row("command with colons", "- echo a:b --x=http://h\n", "O.SSSSSSSSSSSSSSSSSSSSS\n");
    row("block text", "a: |\n  x: 1\n\n  # y\nb: 2\n", "KO.M\nTTTTTT\n\nTTTTT\nKO.N\n");
    row("block text in a list", "- |-\n  x\n- y\n", "O.MM\nTTT\nO.S\n");
    row("key of a list item with block", "- a: |\n    x\n  b: 1\n", "O.KO.M\nTTTTT\n..KO.N\n");
    row("quotes over lines", "a: \"x\n  y: z\"\nb: 1\n", "KO.SS\nSSSSSSS\nKO.N\n");
    row("flow", "a: {b: 1, c: [x, 'y']}\n", "KO.OKO.NO.KO.OSO.SSSOO\n");
    row("anchor and alias", "a: &b 1\nc: *b\n", "KO.RR.N\nKO.RR\n");
    row("references", "a: x <% $y %> z\nb: $PAI_X/${PAI_Y}\n", "KO.SSRRRRRRRRSS\nKO.RRRRRRSRRRRRRRR\n");
    row("numbers", "a: -1.5e-3\nb: 0x1F\nc: 1.2.3\n", "KO.NNNNNNN\nKO.NNNN\nKO.SSSSS\n");
    row("documents", "---\na: 1\n", "MMM\nKO.N\n");
}

void TstYamlEditor::colours()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(styles(text), expected);
}

// Whatever a shortcut is for: its key has a text too, and some platforms hand it on.
void TstYamlEditor::shortcutsTypeNothing_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    for (const char c : QByteArrayView("0123456789+=-_.,;'({[%!")) {
        QTest::addRow("Ctrl+%c", c) << int(c) << int(Qt::ControlModifier);
        QTest::addRow("Ctrl+Shift+%c", c) << int(c) << int(Qt::ControlModifier | Qt::ShiftModifier);
        QTest::addRow("Alt+%c", c) << int(c) << int(Qt::AltModifier);
        QTest::addRow("Meta+%c", c) << int(c) << int(Qt::MetaModifier);
    }
}

void TstYamlEditor::shortcutsTypeNothing()
{
    QFETCH(int, key);
    QFETCH(int, modifiers);
    const auto usual = qScopeGuard([] { TextSize::code()->setSteps(0); });
    for (const CodeView::Language language : {CodeView::Language::Yaml, CodeView::Language::Bash}) {
        CodeView view(language);
        view.setAllBytes("lr: 0.3");
        view.setCaret(7);
        QKeyEvent event(QEvent::KeyPress, key, Qt::KeyboardModifiers(modifiers), QString(QChar::fromLatin1(char(key))));
        QCoreApplication::sendEvent(&view, &event);
        QCOMPARE(view.allBytes(), "lr: 0.3");
    }
    // AltGr writes, also as remote desktops send it.
    CodeView view(CodeView::Language::Yaml);
    QKeyEvent event(
        QEvent::KeyPress, Qt::Key_At, Qt::ControlModifier | Qt::AltModifier, QString(QChar::fromLatin1('@')));
    QCoreApplication::sendEvent(&view, &event);
    QCOMPARE(view.allBytes(), "@");
}

void TstYamlEditor::zoomIsOneForAllCode()
{
    const auto usual = qScopeGuard([] { TextSize::code()->setSteps(0); });
    YamlEditor editor;
    CodeView other(CodeView::Language::Bash);
    editor.resize(500, 300);
    editor.show();
    const auto zoom = [](const CodeView *view) { return view->SendScintilla(QsciScintillaBase::SCI_GETZOOM); };
    const auto height
        = [](const CodeView *view) { return view->SendScintilla(QsciScintillaBase::SCI_TEXTHEIGHT, 0UL); };
    const long before = height(editor.view());
    const int numbers = editor.view()->marginWidth(1);
    QTest::keyClick(editor.view(), Qt::Key_Plus, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(editor.view(), Qt::Key_Equal, Qt::ControlModifier);
    for (int i = 0; i < 4; ++i) {
        const QPointF at = editor.view()->viewport()->rect().center();
        QWheelEvent turn(at, editor.view()->viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton,
            Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(editor.view()->viewport(), &turn);
    }
    QCOMPARE(TextSize::code()->steps(), 6);
    QCOMPARE(zoom(editor.view()), 6);
    QCOMPARE(zoom(&other), 6);
    QVERIFY(height(editor.view()) > before);
    QVERIFY(editor.view()->marginWidth(1) > numbers); // four digits have room
    const CodeView later(CodeView::Language::Yaml);
    QCOMPARE(zoom(&later), 6);
    QTest::keyClick(&other, Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(zoom(editor.view()), 5);
    QTest::keyClick(&other, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(zoom(editor.view()), 0);
    QCOMPARE(height(editor.view()), before);
    QCOMPARE(editor.view()->marginWidth(1), numbers);
    QCOMPARE(TextSize::logs()->steps(), 0); // they have a size of their own
    QVERIFY(TextSize::of(editor.view()) == TextSize::code());
    QVERIFY(!TextSize::of(&editor));
}

void TstYamlEditor::folds()
{
    YamlEditor editor;
    editor.setBytes("a:\n  b: 1\n  c:\n  - x\n  - y\n\nd: |\n  text\n    more\ne: 1\n");
    editor.resize(400, 400);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    auto *view = editor.view();
    view->SendScintilla(QsciScintillaBase::SCI_COLOURISE, 0UL, -1L);
    QList<int> headers;
    for (int line = 0; line < view->lines(); ++line) {
        if (view->SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, static_cast<unsigned long>(line))
            & QsciScintillaBase::SC_FOLDLEVELHEADERFLAG) {
            headers.append(line);
        }
    }
    QCOMPARE(headers, (QList<int>{0, 2, 6}));
    editor.foldAll(true);
    QVERIFY(!view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, 1UL));
    QVERIFY(view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, 6UL));
    editor.setCaret(editor.bytes().indexOf("more"));
    QVERIFY(view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, 8UL));
    editor.foldAll(false);
    QVERIFY(view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, 1UL));
}

// At the ratio of the screen, pixel for pixel; gui.scaled runs this at 150 %.
void TstYamlEditor::gutterIconsAreSharp()
{
    YamlEditor editor;
    editor.resize(400, 200);
    editor.setBytes("a: 1\nb: wrong\n");
    editor.setDiagnostics({problem(8, 13)});
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    const QImage shown = editor.view()->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QImage mark = iconPixmap(
        QStringLiteral("error"), metrics::tinyIcon, editor.devicePixelRatioF(), colour(Colour::Failed, &editor))
                            .toImage();
    QCOMPARE(mark.width(), qRound(metrics::tinyIcon * editor.devicePixelRatioF()));
    // On the ground of the gutter.
    QImage wanted(mark.size(), QImage::Format_RGB32);
    wanted.fill(colour(Colour::Surface, &editor));
    QPainter painter(&wanted);
    painter.drawImage(wanted.rect(), mark);
    painter.end();
    const auto isAt = [&](int x, int y) {
        for (int row = 0; row < wanted.height(); ++row) {
            for (int column = 0; column < wanted.width(); ++column) {
                const QColor a = shown.pixelColor(x + column, y + row);
                const QColor b = wanted.pixelColor(column, row);
                if (std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue())
                    > 12) {
                    return false;
                }
            }
        }
        return true;
    };
    bool found = false;
    for (int y = 0; !found && y + wanted.height() <= shown.height(); ++y) {
        for (int x = 0; !found && x + wanted.width() <= std::min(shown.width(), 80); ++x) {
            found = isAt(x, y);
        }
    }
    QVERIFY2(found, qPrintable(QString::number(editor.devicePixelRatioF())));
}

// On a narrow line the sentence is read and the ways to mend it give way; on a wide one all are there.
void TstYamlEditor::causeComesBeforeFixes()
{
    Diagnostic diagnostic = problem(0, 1);
    diagnostic.code = QStringLiteral("role.image.undefined");
    diagnostic.args
        = {{QStringLiteral("name"), QStringLiteral("imgg")}, {QStringLiteral("role"), QStringLiteral("worker")}};
    diagnostic.fixes = {{QStringLiteral("fix.did-you-mean"), {{QStringLiteral("name"), QStringLiteral("img")}}, {}, {}},
        {QStringLiteral("fix.define-image"), {{QStringLiteral("name"), QStringLiteral("imgg")}}, {}, {}}};
    FixBar bar;
    bar.setDiagnostic(diagnostic);
    const auto *text = bar.findChild<ElidedLabel *>();
    const QList<QPushButton *> links = bar.findChildren<QPushButton *>();
    QCOMPARE(links.size(), 2);
    for (const int width : {1200, 560, 420, 260}) {
        bar.resize(width, 22);
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        QApplication::processEvents();
        const bool areBoth = links.at(0)->isVisible() && links.at(1)->isVisible();
        QVERIFY2(width == 1200 ? areBoth : width > 260 || !areBoth, qPrintable(QString::number(width)));
        QVERIFY2(
            links.at(1)->isHidden() || text->width() >= text->sizeHint().width(), qPrintable(QString::number(width)));
        QVERIFY2(text->width() >= std::min(text->sizeHint().width(), width / 3), qPrintable(QString::number(width)));
    }
}

void TstYamlEditor::showsDiagnostics()
{
    YamlEditor editor;
    editor.setBytes("a: 1\nb: wrong\n");
    editor.setDiagnostics({problem(8, 13), problem(0, 1, Severity::Warning)});
    auto *view = editor.view();
    const auto has = [&](int indicator, int at) {
        return view->SendScintilla(
                   QsciScintillaBase::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator), long(at))
            != 0;
    };
    QVERIFY(has(CodeView::ErrorSquiggle, 8));
    QVERIFY(has(CodeView::ErrorSquiggle, 12));
    QVERIFY(!has(CodeView::ErrorSquiggle, 7));
    QVERIFY(has(CodeView::WarningSquiggle, 0));
    QVERIFY(view->SendScintilla(QsciScintillaBase::SCI_MARKERGET, 1UL) & (1 << CodeView::ErrorMark));
    // Text before it moves the wave along.
    editor.applyEdits({{{0, 0}, "#\n"}}, Origin::Form);
    QVERIFY(has(CodeView::ErrorSquiggle, 10));
    editor.clearDiagnostics();
    QVERIFY(!has(CodeView::ErrorSquiggle, 10));
}

void TstYamlEditor::offersFixes()
{
    YamlEditor editor;
    editor.setBytes("a: 1\nb: wrong\n");
    Diagnostic wrong = problem(8, 13);
    wrong.fixes.append({QStringLiteral("fix.set"), {}, {{{8, 13}, "right"}}});
    editor.setDiagnostics({wrong});
    editor.resize(500, 300);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    editor.setCaret(9);
    auto *bar = editor.findChild<QWidget *>(QStringLiteral("fixBar"));
    QTRY_VERIFY(bar->isVisible());
    QSignalSpy requested(&editor, &YamlEditor::fixRequested);
    editor.showFixes();
    auto *menu = editor.findChild<QMenu *>(QStringLiteral("fixMenu"));
    QVERIFY(menu);
    QCOMPARE(menu->actions().size(), 1);
    menu->actions().first()->trigger();
    menu->close();
    QCOMPARE(requested.size(), 1);
    editor.setCaret(0);
    QTRY_VERIFY(!bar->isVisible());
}

// A bar above the text takes some of its height: what was just typed at the bottom is not hidden by that.
void TstYamlEditor::keepsTheCaretInSight()
{
    YamlEditor editor;
    editor.resize(500, 400);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    editor.setBytes(QByteArray("a: 1\n").repeated(100));
    const CodeView *view = editor.view();
    const auto isInSight = [&] {
        const int bottom = view->pointOf(editor.caret(), true).y();
        return view->pointOf(editor.caret()).y() >= 0 && bottom <= view->viewport()->height();
    };
    editor.setCaret(0);
    int lines = 1; // as many as are in sight
    while (view->pointOf(view->lineStart(lines + 1), true).y() <= view->viewport()->height()) {
        ++lines;
    }
    editor.setCaret(view->lineStart(lines));
    QVERIFY(isInSight());
    editor.resize(500, 330);
    QTRY_VERIFY(view->viewport()->height() < 340);
    QTRY_VERIFY(isInSight());
}

void TstYamlEditor::finds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("regex");
    QTest::addColumn<bool>("matchCase");
    QTest::addColumn<QByteArray>("hits"); // begin-end,...
    QTest::newRow("plain") << QByteArray("a.b axb") << QStringLiteral("a.b") << false << true << QByteArray("0-3");
    QTest::newRow("regex") << QByteArray("a.b axb") << QStringLiteral("a.b") << true << true << QByteArray("0-3,4-7");
    QTest::newRow("case") << QByteArray("Ab ab") << QStringLiteral("ab") << false << false << QByteArray("0-2,3-5");
    QTest::newRow("bytes") << QByteArray("\xF0\x9F\x98\x80x \xC3\xA9x") << QStringLiteral("x") << false << true
                           << QByteArray("4-5,8-9");
    QTest::newRow("mark") << QByteArray("\xEF\xBB\xBFx") << QStringLiteral("x") << false << true << QByteArray("3-4");
    QTest::newRow("line ends") << QByteArray("a1\nb2\n") << QStringLiteral("\\d$") << true << true
                               << QByteArray("1-2,4-5");
    QTest::newRow("line ends of two bytes")
        << QByteArray("a1\r\nb2\r\n") << QStringLiteral(".\\d$") << true << true << QByteArray("0-2,4-6");
    QTest::newRow("to the end of a line")
        << QByteArray("ab\r\nc\n") << QStringLiteral("b.*") << true << true << QByteArray("1-2");
    QTest::newRow("not utf-8") << QByteArray("\xFFx\xFEx") << QStringLiteral("x") << false << true
                               << QByteArray("1-2,3-4");
    QTest::newRow("bad") << QByteArray("x") << QStringLiteral("(") << true << true << QByteArray("bad");
    QTest::newRow("empty match") << QByteArray("x") << QStringLiteral("y*") << true << true << QByteArray();
}

void TstYamlEditor::finds()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, pattern);
    QFETCH(bool, regex);
    QFETCH(bool, matchCase);
    QFETCH(QByteArray, hits);
    const SearchResult result = findAll(text, pattern, {regex, matchCase});
    QByteArrayList found;
    for (const ByteRange &hit : result.hits) {
        found.append(QByteArray::number(hit.begin) + '-' + QByteArray::number(hit.end));
    }
    QCOMPARE(result.badPattern ? QByteArray("bad") : found.join(','), hits);
}

void TstYamlEditor::replaces_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("end");
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("replacement");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &line, int begin, int end, const char *pattern,
                         const char *replacement, const QByteArray &expected) {
        QTest::newRow(name) << line << begin << end << QString::fromUtf8(pattern) << QString::fromUtf8(replacement)
                            << expected;
    };
    row("groups", "a=12", 0, 4, "(\\w)=(\\d+)", "\\2=\\1", "12=a");
    row("once where it matches nothing too", "x123", 1, 4, "[0-9]*", "N", "N");
    row("what stands before", "lr: 0.1", 6, 7, "(?<=\\.)(\\d)", "\\g5\\1", "\\g51");
    row("what stands behind", "ab", 0, 1, "(a)(?=b)", "\\1\\1", "aa");
    row("at a begin of a word", "a ab", 2, 4, "\\b(a)b", "\\1", "a");
    row("no such group", "a", 0, 1, "(a)", "\\2\\0\\", "\\2\\0\\");
    row("the group of two digits is not there", "ab", 0, 2, "(a)(b)", "\\12", "a2");
    row("characters of many bytes", "\xC3\xA9 \xF0\x9F\x98\x80x", 3, 8, "(.)x", "[\\1]", "[\xF0\x9F\x98\x80]");
    row("not utf-8", "\xFFx", 0, 2, "(.)x", "\\1\xC3\xA9", "\xFF\xC3\xA9");
    row("other lines have a part in it", "b", 0, 1, "(?<=a\\n)(b)", "\\1", "\\1");
}

void TstYamlEditor::replaces()
{
    QFETCH(QByteArray, line);
    QFETCH(int, begin);
    QFETCH(int, end);
    QFETCH(QString, pattern);
    QFETCH(QString, replacement);
    QFETCH(QByteArray, expected);
    QCOMPARE(replacementOf(line, {begin, end}, pattern, {true, true}, replacement), expected);
    QCOMPARE(replacementOf(line, {begin, end}, pattern, {false, true}, replacement), replacement.toUtf8());
}

void TstYamlEditor::replacesAll()
{
    YamlEditor editor;
    editor.setBytes("lr: 0.1\nlr2: 0.2\n");
    editor.resize(500, 300);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    editor.showFind(true);
    editor.findChild<QToolButton *>(QStringLiteral("findRegex"))->click();
    QTest::keyClicks(editor.findChild<QLineEdit *>(QStringLiteral("findPattern")), QStringLiteral("0\\.(\\d)"));
    QTest::keyClicks(editor.findChild<QLineEdit *>(QStringLiteral("findReplacement")), QStringLiteral("\\1.0"));
    QTest::mouseClick(editor.findChild<QWidget *>(QStringLiteral("findReplaceAll")), Qt::LeftButton);
    QCOMPARE(editor.bytes(), QByteArray("lr: 1.0\nlr2: 2.0\n"));
    // A hit that other lines have a part in is filled in as well.
    const QByteArray text = "a\nb\n\xC3\xA9: b\n";
    QCOMPARE(applyEdits(text, replacingAll(text, QStringLiteral("(?<=a\\n)(b)"), {true, true}, QStringLiteral("\\1c"))),
        QByteArray("a\nbc\n\xC3\xA9: b\n"));
    QCOMPARE(applyEdits(text, replacingAll(text, QStringLiteral("b"), {false, true}, QStringLiteral("\\1"))),
        QByteArray("a\n\\1\n\xC3\xA9: \\1\n"));
    editor.undo();
    QCOMPARE(editor.bytes(), QByteArray("lr: 0.1\nlr2: 0.2\n"));
}

// Also those that are too many to be marked.
void TstYamlEditor::replacesAllOfMany()
{
    YamlEditor editor;
    constexpr int many = 10'050;
    editor.setBytes(QByteArray("- x\n").repeated(many));
    editor.resize(500, 300);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    editor.showFind(true);
    QTest::keyClicks(editor.findChild<QLineEdit *>(QStringLiteral("findPattern")), QStringLiteral("x"));
    QTest::keyClicks(editor.findChild<QLineEdit *>(QStringLiteral("findReplacement")), QStringLiteral("yz"));
    QTest::mouseClick(editor.findChild<QWidget *>(QStringLiteral("findReplaceAll")), Qt::LeftButton);
    QVERIFY(editor.bytes() == QByteArray("- yz\n").repeated(many));
    editor.undo();
    QVERIFY(editor.bytes() == QByteArray("- x\n").repeated(many));
}

void TstYamlEditor::togglesComments()
{
    YamlEditor editor;
    const QByteArray before = "a:\n  b: 1\n\n  c: 2\n";
    editor.setBytes(before);
    editor.select({3, before.size()});
    editor.toggleComment();
    QCOMPARE(editor.bytes(), QByteArray("a:\n  # b: 1\n\n  # c: 2\n"));
    editor.toggleComment();
    QCOMPARE(editor.bytes(), before);
    editor.undo();
    editor.undo();
    QCOMPARE(editor.bytes(), before);
}

// At the end of a long command the other lines stay in sight.
void TstYamlEditor::wrapsLongLines()
{
    using S = QsciScintillaBase;
    YamlEditor editor;
    editor.setBytes("name: a\ncommands:\n  - " + QByteArray("python train.py --lr 0.1 ").repeated(40) + "\n");
    editor.resize(400, 300);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    QAction *wrap = editor.findChild<QAction *>(QStringLiteral("actionWrapLines"));
    QVERIFY(wrap && wrap->isCheckable() && !wrap->isChecked());
    const qsizetype end = editor.view()->lineEnd(2);
    editor.setCaret(end);
    QTRY_VERIFY(editor.view()->SendScintilla(S::SCI_GETXOFFSET) > 0);
    const QSignalSpy changed(&editor, &YamlEditor::wrappedChanged);
    wrap->trigger();
    QCOMPARE(changed.size(), 1);
    QVERIFY(editor.isWrapped());
    QTRY_VERIFY(editor.view()->SendScintilla(S::SCI_WRAPCOUNT, 2UL) > 3);
    editor.setCaret(end);
    QCOMPARE(editor.view()->SendScintilla(S::SCI_GETXOFFSET), 0L);
    wrap->trigger();
    QVERIFY(!editor.isWrapped());
    QCOMPARE(changed.size(), 2);
}

void TstYamlEditor::indentsAfterAKey()
{
    YamlEditor editor;
    editor.setBytes("a:\n  b:");
    editor.setCaret(editor.byteCount());
    QTest::keyClick(editor.view(), Qt::Key_Return);
    QTest::keyClicks(editor.view(), QStringLiteral("c: 1"));
    QTest::keyClick(editor.view(), Qt::Key_Return);
    QTest::keyClicks(editor.view(), QStringLiteral("d: 2"));
    QCOMPARE(editor.bytes(), QByteArray("a:\n  b:\n    c: 1\n    d: 2"));
}

// A template opens with the first thing to change selected: Tab is no way to lose it.
void TstYamlEditor::tabIndentsTheLineOfASelection()
{
    YamlEditor editor;
    const QByteArray text = "commands:\n  - python train.py --lr 1\n";
    editor.setBytes(text);
    const qsizetype from = text.indexOf("train.py"), to = from + 8;
    using S = QsciScintillaBase;
    editor.view()->SendScintilla(S::SCI_SETSEL, static_cast<unsigned long>(from), static_cast<long>(to));
    QTest::keyClick(editor.view(), Qt::Key_Tab);
    const QByteArray step(editor.view()->indentStep(), ' ');
    QVERIFY(!step.isEmpty());
    QCOMPARE(editor.bytes(), QByteArray(text).insert(text.indexOf("  - python"), step));
    QCOMPARE(editor.view()->selectedText(), QStringLiteral("train.py"));
    editor.undo();
    QCOMPARE(editor.bytes(), text);
}

void TstYamlEditor::endsLinesAsTheTextThatWasReadAgain()
{
    YamlEditor editor;
    editor.setBytes("a: 1\n");
    editor.applyEdits({{{0, 5}, "a: 1\r\nb: 2"}}, Origin::Disk);
    editor.setCaret(editor.byteCount());
    QTest::keyClick(editor.view(), Qt::Key_Return);
    QCOMPARE(editor.bytes(), QByteArray("a: 1\r\nb: 2\r\n"));
    editor.applyEdits({{{0, editor.byteCount()}, "a: 1\nb: 2"}}, Origin::Disk);
    editor.setCaret(editor.byteCount());
    QTest::keyClick(editor.view(), Qt::Key_Return);
    QCOMPARE(editor.bytes(), QByteArray("a: 1\nb: 2\n"));
}

// A key costs no more in a text of ten thousand lines than in one of a hundred: nothing that it sets off goes through
// the whole text. Both are typed in by turns, and what counts is the processor time, so that a busy machine slows down
// both.
void TstYamlEditor::costOfAKeyDoesNotGrowWithTheText()
{
    const auto jobOf = [](int roles) {
        QByteArray text = "taskRoles:\n";
        for (int i = 0; i < roles; ++i) {
            text += "  role" + QByteArray::number(i) + ": {instances: 1, name: <% $parameters.x %>}  # comment\n";
        }
        return text;
    };
    struct Typed {
        QByteArray text;
        YamlEditor editor;
        std::vector<double> ms; // of each key
    };
    Typed small, large;
    small.text = jobOf(100);
    large.text = jobOf(10'000);
    for (Typed *typed : {&small, &large}) {
        typed->editor.resize(700, 800);
        typed->editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&typed->editor));
        typed->editor.setBytes(typed->text);
        typed->editor.setCaret(typed->text.size() / 2);
        typed->editor.view()->viewport()->repaint(); // the first picture is not that of a key
    }
    constexpr int keys = 50;
    for (int i = 0; i < keys; ++i) {
        for (Typed *typed : {&small, &large}) {
            const double before = processortime::threadMs();
            QTest::keyClick(typed->editor.view(), Qt::Key_X);
            typed->editor.view()->viewport()->repaint();
            typed->ms.push_back(processortime::threadMs() - before);
        }
    }
    QCOMPARE(small.editor.byteCount(), small.text.size() + keys);
    QCOMPARE(large.editor.byteCount(), large.text.size() + keys);
    const double ofSmall = processortime::median(small.ms), ofLarge = processortime::median(large.ms);
    qInfo("a key: %.2f ms in 100 lines, %.2f ms in 10,000", ofSmall, ofLarge);
    QVERIFY2(ofLarge < 3 * ofSmall + 1, QByteArray::number(ofLarge / ofSmall).constData());
}

void TstYamlEditor::bearsBadInput_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("brackets, one line") << QByteArray(8 << 20, '[');
    QTest::newRow("50 MB of lines") << QByteArray("0123456789abcdef0123456789abcde\n").repeated(50 << 15);
    QTest::newRow("one long key") << QByteArray("a").repeated(1 << 20) + ": 1\n";
    QTest::newRow("blank lines") << QByteArray("\n").repeated(200000);
    QTest::newRow("deep") << [] {
        QByteArray deep;
        for (int i = 0; i < 2000; ++i) {
            deep += QByteArray(i, ' ') + "a:\n";
        }
        return deep;
    }();
}

void TstYamlEditor::bearsBadInput()
{
    QFETCH(QByteArray, bytes);
    YamlEditor editor;
    editor.resize(700, 600);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    QElapsedTimer clock;
    clock.start();
    editor.setBytes(bytes);
    editor.view()->viewport()->repaint();
    editor.setCaret(editor.byteCount());
    editor.view()->viewport()->repaint();
    QVERIFY(editor.bytes() == bytes);
    QVERIFY2(clock.elapsed() < 15000, qPrintable(QString::number(clock.elapsed())));
    qInfo("%lld bytes: %lld ms", qlonglong(bytes.size()), qlonglong(clock.elapsed()));
}

TRAINYARD_GUI_TEST(TstYamlEditor)
#include "tst_yamleditor.moc"
