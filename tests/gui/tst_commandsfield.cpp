// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"
#include "model/yaml/yamldocument.h"
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/style.h"
#include "widgets/editor/suggestpopup.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/shelllines.h"

#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSet>
#include <QTableWidget>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace designertools;

namespace
{

const QByteArray emptyRole = "protocolVersion: 2\nname: j\ntype: job\ntaskRoles:\n  w:\n    instances: 1\n";

} // namespace

// What is typed into the commands of a role reaches the text as it was typed, and whatever else can be seen in a field.
class TstCommandsField : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { page = std::make_unique<DesignerPage>(); }
    void cleanup() { page.reset(); }
    void knowsWhenACommandGoesOn_data();
    void knowsWhenACommandGoesOn();
    void writesWhatIsTyped_data();
    void writesWhatIsTyped();
    void goesOnBehindABlankLine();
    void keepsTheEmptyLineWithTheCaret();
    void emptiedCommandGoes_data();
    void emptiedCommandGoes();
    void keepsPastedTextTogether();
    void writesWhileTheKeysGoOn();
    void savesWhatIsInAField_data();
    void savesWhatIsInAField();
    void writesNamesAfterARest();
    void savesLongTexts();
    void keepsTheColoursOfTheTheme();
    void makesTheFirstRole_data();
    void makesTheFirstRole();
    void goesFromNameToValue();
    void writesNoParameterWithoutAName();
    void savesTheCellThatIsEdited();
    void movesNothingUnderThePointer();
    void offersTheMemoryThatTheEngineGives();
    void saysWhereCommandsStart();
    void suggestsWhatTheTextDoes();
    void saysWhyNothingCanBeTyped_data();
    void saysWhyNothingCanBeTyped();
    void addsNothingWhileTheTextIsWrong();

private:
    CodeView *view() const { return commands(page.get()); }
    // Keys as a person types them: a line break is Enter.
    void typeLines(const QByteArray &text)
    {
        for (const char c : text) {
            if (c == '\n') {
                QTest::keyClick(view(), Qt::Key_Return);
            } else {
                QTest::keyClick(view(), c);
            }
        }
    }
    QByteArrayList written() const
    {
        QByteArrayList all;
        const YamlDocument document = YamlDocument::parse(page->bytes());
        const YamlNode *list = document.find(*YamlPath::fromPointer(QStringLiteral("/taskRoles/w/commands")));
        for (qsizetype i = 0; list && i < qsizetype(list->entries.size()); ++i) {
            all.append(list->entries.at(i).value->scalar);
        }
        return all;
    }
    std::unique_ptr<DesignerPage> page;
};

void TstCommandsField::knowsWhenACommandGoesOn_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("open");
    const auto row = [](const char *text, bool open) { QTest::newRow(text) << QByteArray(text) << open; };
    for (const char *text : {"", "echo one", "for i in 1 2\ndo\n  echo $i\ndone", "for i in 1 2; do echo $i; done",
             "if a; then\nb\nelif c; then d\nelse e\nfi", "while read x; do echo done; done",
             "case $x in\n a|b) echo;;\n (c) x;;\nesac", "cat <<EOF\na\n\nfor\nEOF", "cat <<-'E F' > x\n\tq\n\tE F",
             "cat <<<EOF", "a \\\nb", "a |\nb", "a && b", "a &", "a 2>&1", "a &> x", "f() {\n a\n}", "f()\n{\n}",
             "function f {\n}", "function f\n{\nx\n}", "echo \"a\nb\"", "echo 'it'\\''s'", "echo $'a\\'b'", "x=$(foo)",
             "echo ${a:-}}", "echo ${a#x} # it's", "echo a#'b'", "# it's", "echo $((1<<2))", "((i<<2))",
             "for ((i=0;i<3;i++)); do x; done", "[[ a && b ]]", "[[ $a =~ ^(x|y)$ ]]", "{ a; }", "(a; b)", "echo {a,b}",
             "echo if for while", "python x.py <% $parameters.a %>", "echo `date`", "x=(1 2)",
             "until a\ndo\nb\ndone | sort", "echo \"$(for i in 1; do echo \"x\"; done)\"",
             "python - <<'PY'\nimport os\n\nprint('it')\nPY"}) {
        row(text, false);
    }
    for (const char *text : {"for i in 1 2; do", "if true; then", "while read x; do echo done", "case $x in",
             "cat <<EOF", "cat <<EOF\n EOF", "a \\", "a |", "a &&", "a ||", "f() {", "f()", "function f", "echo \"a",
             "echo it's", "x=$(foo", "for ((i=0;i<3;i++)); do", "[[ a", "{ a;", "(a", "echo `date", "x=(1 2",
             "for f in a; do echo $(foo) done", "select x in a; do", "python - <<PY\nx", "time for i in 1; do",
             "! if x", "echo a | while read x", "echo 'a'|\\"}) {
        row(text, true);
    }
}

void TstCommandsField::knowsWhenACommandGoesOn()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, open);
    ShellLines lines;
    for (const QByteArray &line : text.split('\n')) {
        lines.addLine(line);
    }
    QCOMPARE(lines.isOpen(), open);
}

void TstCommandsField::writesWhatIsTyped_data()
{
    QTest::addColumn<QByteArray>("keys");
    QTest::addColumn<QByteArrayList>("items"); // of the list
    QTest::addColumn<QByteArray>("shown"); // empty: as typed
    const auto row = [](const char *name, const QByteArray &keys, const QByteArrayList &items,
                         const QByteArray &shown = {}) { QTest::newRow(name) << keys << items << shown; };
    row("two commands", "echo one\necho two", {"echo one", "echo two"});
    row("a blank line between", "echo one\n\necho two", {"echo one\n\necho two\n"});
    row("three commands and a blank line", "echo one\necho two\n\n\necho three",
        {"echo one", "echo two\n\n\necho three\n"});
    row("a blank line first", "\necho two", {"\necho two\n"});
    row("a loop", "for i in 1 2\ndo\n  echo $i\ndone", {"for i in 1 2\ndo\n  echo $i\n  done\n"},
        "for i in 1 2\ndo\n  echo $i\n  done");
    row("a loop and a command", "for i in 1 2; do\necho $i\ndone\necho after",
        {"for i in 1 2; do\necho $i\ndone\n", "echo after"});
    row("a here-document", "cat <<EOF\n\none\n\ntwo\nEOF\necho after",
        {"cat <<EOF\n\none\n\ntwo\nEOF\n", "echo after"});
    row("a function", "f() {\necho f\n}\nf", {"f() {\necho f\n}\n", "f"});
    row("joined lines", "python x.py \\\n--a 1\necho after", {"python x.py \\\n--a 1\n", "echo after"});
    row("a condition with a blank line", "if true; then\n\necho\nfi", {"if true; then\n\necho\nfi\n"});
    row("a python text", "python - <<'PY'\nimport os\n\nprint(1)\nPY",
        {"python - <<'PY'\nimport os\n\nprint(1)\nPY\n"});
    row("blanks at the end of a line", "echo one  \necho two", {"echo one  ", "echo two"});
    row("blanks in front", "  echo one\necho two", {"  echo one", "echo two"});
    row("empty lines at the end", "echo one\n\n\n", {"echo one"}, "echo one");
    row("nothing but empty lines", "\n\n", {});
    row("what looks like YAML", "- a: b # c\n\"x\": 'y'\n\n*z", {"- a: b # c", "\"x\": 'y'\n\n*z\n"});
}

void TstCommandsField::writesWhatIsTyped()
{
    QFETCH(QByteArray, keys);
    QFETCH(QByteArrayList, items);
    QFETCH(QByteArray, shown);
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    focus(view());
    typeLines(keys);
    leave(page.get());
    QTRY_COMPARE(written(), items);
    if (items.isEmpty()) {
        QVERIFY(!page->isModified());
        return;
    }
    // The field shows what was typed, also when another one reads the text.
    const QByteArray seen = shown.isEmpty() ? keys : shown;
    QTRY_COMPARE(view()->allBytes(), seen);
    const QByteArray bytes = page->bytes();
    page = std::make_unique<DesignerPage>();
    showDocument(page.get(), bytes, QStringLiteral("j.pai.yaml"));
    QCOMPARE(view()->allBytes(), seen);
    QCOMPARE(page->bytes(), bytes);
    // And typed once more, nothing changes by itself.
    focus(view());
    view()->setCaret(view()->lineEnd(0));
    QTest::keyClicks(view(), QStringLiteral("x"));
    QTest::keyClick(view(), Qt::Key_Backspace);
    leave(page.get());
    settle(page.get());
    QCOMPARE(page->bytes(), bytes);
}

// The field is not stuck behind an empty line, and the document says that it was changed.
void TstCommandsField::goesOnBehindABlankLine()
{
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    focus(view());
    typeLines("echo one\n\necho two");
    QTRY_VERIFY(page->isModified());
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo two"}));
    QVERIFY(view()->hasFocus());
    QCOMPARE(view()->allBytes(), QByteArray("echo one\n\necho two"));
    typeLines("\n\necho three");
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo two", "echo three"}));
    // Saved, run or closed, it is all there.
    QVERIFY(YamlDocument::parse(page->bytes(true)).isWellFormed());
    QCOMPARE(written(), QByteArrayList({"echo one\n\necho two\n\necho three\n"}));
    QCOMPARE(view()->allBytes(), QByteArray("echo one\n\necho two\n\necho three"));
    page->undo();
    QTRY_VERIFY(written() != QByteArrayList({"echo one\n\necho two\n\necho three\n"}));
}

// Who saves in an empty line goes on there, and not at the end of the one before.
void TstCommandsField::keepsTheEmptyLineWithTheCaret()
{
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    focus(view());
    typeLines("echo one\n");
    page->bytes(true);
    settle(page.get());
    QCOMPARE(view()->lineOf(view()->caret()), 1);
    page->bytes(true);
    typeLines("echo two");
    page->bytes(true);
    QCOMPARE(written(), QByteArrayList({"echo one", "echo two"}));
    // Room between two commands too, while one types.
    view()->setCaret(view()->lineEnd(0));
    QTest::keyClick(view(), Qt::Key_Return);
    settle(page.get());
    QCOMPARE(view()->lineOf(view()->caret()), 1);
    typeLines("echo half");
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo half", "echo two"}));
    QTest::keyClick(view(), Qt::Key_Return);
    leave(page.get());
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo half\n\necho two\n"}));
}

void TstCommandsField::emptiedCommandGoes_data()
{
    QTest::addColumn<bool>("waits"); // until the document has it
    QTest::newRow("left at once") << false;
    QTest::newRow("after a rest") << true;
}

// Its neighbours stay two commands.
void TstCommandsField::emptiedCommandGoes()
{
    QFETCH(bool, waits);
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    focus(view());
    typeLines("echo one\necho two\necho three");
    leave(page.get());
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo two", "echo three"}));
    focus(view());
    view()->select({view()->lineStart(1), view()->lineEnd(1)});
    QTest::keyClick(view(), Qt::Key_Delete);
    if (waits) {
        QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo three"}));
        QCOMPARE(view()->allBytes(), QByteArray("echo one\n\necho three"));
    }
    leave(page.get());
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo three"}));
    QTRY_COMPARE(view()->allBytes(), QByteArray("echo one\necho three"));
    // Typed into again, it is the command that it was.
    page->undo();
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo two", "echo three"}));
    focus(view());
    view()->select({view()->lineStart(1), view()->lineEnd(1)});
    QTest::keyClick(view(), Qt::Key_Delete);
    settle(page.get());
    typeLines("echo 2");
    leave(page.get());
    QTRY_COMPARE(written(), QByteArrayList({"echo one", "echo 2", "echo three"}));
}

void TstCommandsField::keepsPastedTextTogether()
{
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    focus(view());
    const QByteArray script = "set -x\n\nfor i in 1 2; do\n\techo $i\ndone\n\necho 'end'";
    QApplication::clipboard()->setText(QString::fromUtf8(script));
    QTest::keyClick(view(), Qt::Key_V, Qt::ControlModifier);
    leave(page.get());
    QTRY_COMPARE(written(), QByteArrayList({QByteArray(script + '\n')}));
    QVERIFY2(page->bytes().contains("- |\n"), page->bytes().constData());
    QCOMPARE(view()->allBytes(), script);
}

// Without a rest of the keys too: what a crash takes is bounded.
void TstCommandsField::writesWhileTheKeysGoOn()
{
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    focus(view());
    QElapsedTimer clock;
    clock.start();
    while (!page->isModified() && clock.elapsed() < 10'000) {
        QTest::keyClick(view(), 'x');
        QTest::qWait(20); // the pace of somebody who types, not a wait for something
    }
    QVERIFY(page->isModified());
    QVERIFY(written().value(0).startsWith("xxxx"));
    QVERIFY(view()->hasFocus());
}

void TstCommandsField::savesWhatIsInAField_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("keys");
    QTest::addColumn<QByteArray>("saved");
    QTest::newRow("job") << QByteArray("jobName") << QByteArray("other") << QByteArray("name: other\n");
    QTest::newRow("role") << QByteArray("roleName") << QByteArray("other") << QByteArray("  other:\n");
    QTest::newRow("instances") << QByteArray("roleInstances") << QByteArray("7") << QByteArray("instances: 7\n");
    QTest::newRow("image") << QByteArray("roleImage") << QByteArray("img") << QByteArray("dockerImage: img\n");
    QTest::newRow("commands") << QByteArray("commandsText") << QByteArray("ls") << QByteArray("- ls\n");
    QTest::newRow("description") << QByteArray("jobDescription") << QByteArray("what")
                                 << QByteArray("description: what\n");
}

// Typed and saved at once: it is in the file.
void TstCommandsField::savesWhatIsInAField()
{
    QFETCH(QByteArray, field);
    QFETCH(QByteArray, keys);
    QFETCH(QByteArray, saved);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("j.pai.yaml"));
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    QVERIFY(page->saveAs(path));
    auto *widget = field == "commandsText" ? view() : find<QWidget>(page.get(), field.constData());
    if (!widget->isVisible()) {
        openMore(page.get());
        QTest::keyClick(find<QWidget>(page.get(), "aboutDisclosure"), Qt::Key_Space);
        settle(page.get());
    }
    focus(widget);
    QWidget *typed = QApplication::focusWidget();
    QVERIFY(typed && (typed == widget || widget->isAncestorOf(typed)));
    QTest::keyClick(typed, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(typed, QString::fromLatin1(keys));
    QVERIFY(page->save());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY2(bytes.contains(saved), bytes.constData());
    QVERIFY(!page->isModified());
    QCOMPARE(QApplication::focusWidget(), typed);
}

// A name that stands in a field for a moment is in the text, without the field being left.
void TstCommandsField::writesNamesAfterARest()
{
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    auto *name = find<QLineEdit>(page.get(), "roleName");
    focus(name);
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("trainer"));
    QTRY_VERIFY(page->bytes().contains("  trainer:\n"));
    QVERIFY(name->hasFocus());
    QCOMPARE(name->text(), QStringLiteral("trainer"));
    QTest::keyClicks(name, QStringLiteral("s"));
    QTRY_VERIFY(page->bytes().contains("  trainers:\n"));
    QCOMPARE(name->text(), QStringLiteral("trainers"));
}

// A large text is read on another thread; saving waits for what was typed all the same.
void TstCommandsField::savesLongTexts()
{
    QByteArray text = emptyRole + "    commands:\n";
    for (int i = 0; i < 3000; ++i) {
        text += "      - echo this is command number " + QByteArray::number(i) + "\n";
    }
    QTemporaryDir folder;
    showDocument(page.get(), text, QStringLiteral("j.pai.yaml"));
    QVERIFY(page->saveAs(folder.filePath(QStringLiteral("j.pai.yaml"))));
    QTRY_VERIFY_WITH_TIMEOUT(view()->allBytes().contains("number 2999"), 60000); // the form has been read, too
    focus(view());
    view()->setCaret(view()->lineEnd(0));
    QTest::keyClicks(view(), QStringLiteral("XYZ"));
    QVERIFY(view()->allBytes().contains("number 0XYZ\n"));
    QVERIFY(page->save());
    QFile file(folder.filePath(QStringLiteral("j.pai.yaml")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("number 0XYZ\n"));
    QVERIFY(!page->isModified());
}

void TstCommandsField::makesTheFirstRole_data()
{
    QTest::addColumn<QByteArray>("roles");
    QTest::addColumn<bool>("byFix");
    for (const char *roles : {"", "taskRoles:\n", "taskRoles: {}\n", "taskRoles: []\n"}) {
        QTest::addRow("%s, by the form", roles) << QByteArray(roles) << false;
        QTest::addRow("%s, by the fix", roles) << QByteArray(roles) << true;
    }
}

// The form is locked while the YAML cannot be read: what was typed has the ground of the theme before, then, and after.
void TstCommandsField::keepsTheColoursOfTheTheme()
{
    showDocument(page.get(), emptyRole + "    commands:\n      - echo one # two\n", QStringLiteral("j.pai.yaml"));
    const auto light = qScopeGuard([] { TrainyardStyle::installed()->setThemeMode(ThemeMode::Light); });
    TrainyardStyle::installed()->setThemeMode(ThemeMode::Dark);
    const QColor ground = colour(Colour::Field, Theme::Dark);
    const auto grounds = [this] {
        QSet<QRgb> all;
        for (const int style : {0, 1, 2, 4, int(QsciScintillaBase::STYLE_DEFAULT)}) {
            const long bgr
                = view()->SendScintilla(QsciScintillaBase::SCI_STYLEGETBACK, static_cast<unsigned long>(style));
            all.insert(qRgb(int(bgr & 0xff), int((bgr >> 8) & 0xff), int((bgr >> 16) & 0xff)));
        }
        return all;
    };
    QTRY_COMPARE(grounds(), QSet<QRgb>{ground.rgb()});
    auto *yaml = find<CodeView>(page.get(), "yamlText");
    focus(yaml);
    yaml->selectAll();
    QTest::keyClick(yaml, 'x');
    QTRY_VERIFY(!view()->isEnabled());
    QCOMPARE(grounds(), QSet<QRgb>{ground.rgb()});
    page->undo();
    QTRY_VERIFY(view()->isEnabled());
    QCOMPARE(grounds(), QSet<QRgb>{ground.rgb()});
}

// A job without a role has a button that makes one instead of dead fields, and so has its error.
void TstCommandsField::makesTheFirstRole()
{
    QFETCH(QByteArray, roles);
    QFETCH(bool, byFix);
    showDocument(page.get(), "protocolVersion: 2\nname: j\ntype: job\n" + roles, QStringLiteral("j.pai.yaml"));
    auto *none = find<QWidget>(page.get(), "noRole");
    auto *card = find<QWidget>(page.get(), "roleCard");
    QVERIFY(none->isVisible());
    QVERIFY(!card->isVisible());
    QVERIFY(!find<QWidget>(page.get(), "roleAdd")->isVisible());
    QVERIFY(!page->canRun());
    if (byFix) {
        QCOMPARE(page->firstErrorFix(), QStringLiteral("Add a task role"));
        page->fixFirstError();
    } else {
        const auto buttons = none->findChildren<QPushButton *>();
        const auto add
            = std::find_if(buttons.cbegin(), buttons.cend(), [](const QPushButton *each) { return each->isVisible(); });
        QVERIFY(add != buttons.cend());
        QTest::mouseClick(*add, Qt::LeftButton);
    }
    QTRY_VERIFY(page->canRun());
    QVERIFY2(page->bytes().endsWith("taskRoles:\n  worker:\n    instances: 1\n    resourcePerInstance:\n"
                                    "      gpu: 0\n      cpu: 1\n      memoryMB: 1024\n    commands:\n"
                                    "      - echo hello\n"),
        page->bytes().constData());
    QTRY_VERIFY(card->isVisible());
    QVERIFY(!none->isVisible());
    if (!byFix) {
        QVERIFY(find<QLineEdit>(page.get(), "roleName")->hasFocus());
    }
}

// Named by Tab or by Enter: the typing goes on in the value.
void TstCommandsField::goesFromNameToValue()
{
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Return}) {
        QTest::mouseClick(find<QPushButton>(page.get(), "parametersTableAdd"), Qt::LeftButton);
        QTRY_VERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
        const QString name = key == Qt::Key_Tab ? QStringLiteral("lr") : QStringLiteral("epochs");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), name);
        QTest::keyClick(QApplication::focusWidget(), key);
        QTRY_VERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("12"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_VERIFY2(page->bytes().contains(QByteArray(name.toUtf8() + ": 12\n")), page->bytes().constData());
    }
}

// A row that was added by mistake, or under a name that is there, changes nothing.
void TstCommandsField::writesNoParameterWithoutAName()
{
    const QByteArray text = emptyRole + "parameters:\n  lr: 1\n";
    showDocument(page.get(), text, QStringLiteral("j.pai.yaml"));
    const auto *table = find<QTableWidget>(page.get(), "parametersTable");
    QTRY_COMPARE(table->rowCount(), 1);
    auto *add = find<QPushButton>(page.get(), "parametersTableAdd");
    const auto begin = [&] {
        QTest::mouseClick(add, Qt::LeftButton);
        QTRY_VERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
        QCOMPARE(table->rowCount(), 2);
        QCOMPARE(page->bytes(), text);
    };
    begin();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QTRY_COMPARE(table->rowCount(), 1);
    begin();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTRY_COMPARE(table->rowCount(), 1);
    begin();
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("lr"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(table->rowCount(), 1);
    QCOMPARE(page->bytes(), text);
    QVERIFY(!page->undoAction()->isEnabled());
    begin();
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("size"));
    page->commit(); // as before it is saved: what can be seen is in the text
    QVERIFY2(page->bytes().contains("  lr: 1\n  size: "), page->bytes().constData());
}

void TstCommandsField::savesTheCellThatIsEdited()
{
    QTemporaryDir folder;
    showDocument(page.get(), emptyRole + "parameters:\n  lr: 1\n", QStringLiteral("j.pai.yaml"));
    QVERIFY(page->saveAs(folder.filePath(QStringLiteral("j.pai.yaml"))));
    auto *table = find<QTableWidget>(page.get(), "parametersTable");
    focus(table);
    table->setCurrentCell(0, 1);
    table->editItem(table->item(0, 1));
    QWidget *editor = QApplication::focusWidget();
    QVERIFY(qobject_cast<QLineEdit *>(editor));
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor, QStringLiteral("0.25"));
    QVERIFY(page->save());
    QVERIFY2(page->bytes().contains("lr: 0.25\n"), page->bytes().constData());
    QVERIFY(!page->isModified());
    // The editor stays, with its text and the place in it.
    QCOMPARE(QApplication::focusWidget(), editor);
    QTest::keyClicks(editor, QStringLiteral("5"));
    QTRY_VERIFY(page->bytes().contains("lr: 0.255\n")); // after a rest
}

// A warning that comes while the button of the mouse is down would put another field under it.
void TstCommandsField::movesNothingUnderThePointer()
{
    showDocument(page.get(), emptyRole + "    commands:\n      - ls\n", QStringLiteral("j.pai.yaml"));
    auto *image = find<QComboBox>(page.get(), "roleImage");
    focus(image);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("nowhere"));
    const int before = view()->mapTo(page.get(), QPoint(0, 0)).y();
    QTest::mousePress(view()->viewport(), Qt::LeftButton, {}, QPoint(40, 8));
    QTRY_VERIFY(page->bytes().contains("dockerImage: nowhere\n"));
    QCoreApplication::processEvents();
    QVERIFY(page->errorCount() > 0);
    QCOMPARE(view()->mapTo(page.get(), QPoint(0, 0)).y(), before);
    QTest::mouseRelease(view()->viewport(), Qt::LeftButton, {}, QPoint(40, 8));
    QTRY_VERIFY(view()->mapTo(page.get(), QPoint(0, 0)).y() > before);
}

// The figure of a fix is one that Run takes.
void TstCommandsField::offersTheMemoryThatTheEngineGives()
{
    HostInfo host;
    host.id = QStringLiteral("local");
    host.state = HostState::Online;
    host.cpus = 8;
    host.memoryMiB = 24105;
    page->setHosts({host});
    page->setMemoryReserve(2048);
    showDocument(page.get(), emptyRole + "    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 30000}\n",
        QStringLiteral("j.pai.yaml"));
    const auto fixes = [this] {
        QStringList all;
        const auto buttons = find<QWidget>(page.get(), "roleCard")->findChildren<QPushButton *>();
        for (const QPushButton *each : buttons) {
            if (each->objectName() == u"fieldFix") {
                all.append(each->accessibleName());
            }
        }
        return all;
    };
    QTRY_VERIFY2(fixes().contains(QStringLiteral("Write 22057")), qPrintable(fixes().join(u' ')));
    // A reserve is never more than an eighth of a small host.
    page->setMemoryReserve(100'000);
    QTRY_VERIFY2(fixes().contains(QStringLiteral("Write 21092")), qPrintable(fixes().join(u' ')));
}

void TstCommandsField::saysWhereCommandsStart()
{
    QTemporaryDir folder;
    showDocument(page.get(), emptyRole, QStringLiteral("j.pai.yaml"));
    openMore(page.get());
    auto *work = find<QLineEdit>(page.get(), "jobWork");
    QVERIFY(work->isVisible());
    QVERIFY2(work->placeholderText().contains(u"empty folder"), qPrintable(work->placeholderText()));
    QFile file(folder.filePath(QStringLiteral("opened.pai.yaml")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(emptyRole) > 0);
    file.close();
    QVERIFY(page->openFile(file.fileName()));
    QVERIFY2(work->placeholderText().contains(folder.path()), qPrintable(work->placeholderText()));
    page->newDocument(emptyRole);
    page->setOriginFile(QStringLiteral("/somewhere/else/j.pai.yaml"));
    QCOMPARE(page->runFile(), QStringLiteral("/somewhere/else/j.pai.yaml"));
    QVERIFY2(work->placeholderText().contains(u"/somewhere/else"), qPrintable(work->placeholderText()));
    const QString path = folder.filePath(QStringLiteral("j.pai.yaml"));
    QVERIFY(page->saveAs(path));
    QCOMPARE(page->runFile(), path);
    QVERIFY2(work->placeholderText().contains(QFileInfo(path).absolutePath()), qPrintable(work->placeholderText()));
    type(work, QStringLiteral("data"));
    QTRY_VERIFY2(page->bytes().contains("extras:\n  trainyard:\n    work: data\n"), page->bytes().constData());
    // A folder below the home folder is the host's own, of which nothing here is copied.
    const auto saysHostsOwn = [this] {
        const QList<QLabel *> labels = page->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [](const QLabel *label) { return label->isVisible() && label->text().contains(u"is the host's own"); });
    };
    type(work, QStringLiteral("~/exp"));
    QTRY_VERIFY2(page->bytes().contains("work: ~/exp\n"), page->bytes().constData());
    QVERIFY(!saysHostsOwn()); // here it is the folder that is meant
    page->setRunsHere(false);
    QTRY_VERIFY(saysHostsOwn());
    page->setRunsHere(true);
    QTRY_VERIFY(!saysHostsOwn());
}

// As the YAML beside it: in <% %>, of variables, and when it is asked for.
void TstCommandsField::suggestsWhatTheTextDoes()
{
    const QByteArray text = "protocolVersion: 2\nname: j\ntype: job\nparameters: {lr: 0.1}\ntaskRoles:\n  w:\n"
                            "    instances: 1\n    commands: [echo a]\n";
    showDocument(page.get(), text, QStringLiteral("a.yaml"));
    focus(view());
    view()->setCaret(view()->byteCount());
    const auto *popup = view()->findChild<SuggestPopup *>();
    QVERIFY(popup);
    const auto first
        = [popup] { return popup->isVisible() ? popup->list()->model()->index(0, 0).data().toString() : QString(); };
    QTest::keyClicks(view(), QStringLiteral(" <% $parameters."));
    QCOMPARE(view()->allBytes(), QByteArray("echo a <% $parameters. %>"));
    QTRY_COMPARE(first(), QStringLiteral("$parameters.lr"));
    QTest::keyClick(view(), Qt::Key_Escape);
    QVERIFY(!popup->isVisible());
    QTest::keyClick(view(), Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE(first(), QStringLiteral("$parameters.lr"));
    QTest::keyClick(view(), Qt::Key_Return); // accepts, and begins no command
    QTRY_VERIFY(!popup->isVisible());
    QCOMPARE(view()->allBytes(), QByteArray("echo a <% $parameters.lr %>"));
    QTest::keyClick(view(), Qt::Key_Return); // ends the reference, and does not take it apart
    QCOMPARE(view()->allBytes(), QByteArray("echo a <% $parameters.lr %>"));
    QCOMPARE(view()->caret(), view()->byteCount());
    QTest::keyClicks(view(), QStringLiteral(" $PAI_TASK_IND"));
    QTRY_COMPARE(first(), QStringLiteral("PAI_TASK_INDEX"));
    QTest::keyClick(view(), Qt::Key_Tab); // accepts, and stays in the field
    QVERIFY(view()->hasFocus());
    leave(page.get());
    QTRY_COMPARE(written(), QByteArrayList{"echo a <% $parameters.lr %> $PAI_TASK_INDEX"});
}

void TstCommandsField::saysWhyNothingCanBeTyped_data()
{
    QTest::addColumn<QByteArray>("commands");
    QTest::addColumn<QByteArray>("shown");
    QTest::addColumn<QString>("why");
    QTest::newRow("a map among texts") << QByteArray("[echo a, {b: c}, echo d]") << QByteArray("echo a\n{b: c}\necho d")
                                       << QStringLiteral("Not every command is text.");
    QTest::newRow("a text") << QByteArray("echo a") << QByteArray("echo a")
                            << QStringLiteral("The commands are not a list.");
    QTest::newRow("a map") << QByteArray("{a: b}") << QByteArray("{a: b}")
                           << QStringLiteral("The commands are not a list.");
}

void TstCommandsField::saysWhyNothingCanBeTyped()
{
    QFETCH(QByteArray, commands);
    QFETCH(QString, why);
    const QByteArray text = emptyRole + "    commands: " + commands + "\n";
    showDocument(page.get(), text, QStringLiteral("a.yaml"));
    const auto *said = find<QLabel>(find<QWidget>(page.get(), "roleCard"), "commandsLocked");
    QVERIFY(view()->isReadOnly());
    QTEST(view()->allBytes(), "shown");
    QVERIFY2(said->isVisible() && said->text().startsWith(why), qPrintable(said->text()));
    focus(view());
    QTest::keyClicks(view(), QStringLiteral("x"));
    QCOMPARE(page->bytes(), text);
    find<QPushButton>(find<QWidget>(page.get(), "roleCard"), "commandsInYaml")->click();
    const auto *yaml = find<CodeView>(page.get(), "yamlText");
    QTRY_VERIFY(yaml->hasFocus());
    QCOMPARE(yaml->lineOf(yaml->caret()), 6);
    // Once it is a list of texts, it can be written in.
    page->newDocument(emptyRole + "    commands: [echo a]\n", QStringLiteral("b.yaml"));
    settle(page.get());
    QTRY_VERIFY(!view()->isReadOnly());
    QVERIFY(!find<QLabel>(find<QWidget>(page.get(), "roleCard"), "commandsLocked")->isVisible());
}

// What cannot be pressed has no colour of what can.
void TstCommandsField::addsNothingWhileTheTextIsWrong()
{
    showDocument(page.get(), emptyRole + "    commands: [echo a]\n", QStringLiteral("a.yaml"));
    auto *yaml = find<CodeView>(page.get(), "yamlText");
    const auto hasAccent = [this](const char *name) {
        const QImage image = find<Chip>(page.get(), name)->grab().toImage();
        const QColor middle = image.pixelColor(image.width() / 2, image.height() / 2); // of the plus
        return middle.blue() > middle.red() + 40;
    };
    QVERIFY(hasAccent("portAdd"));
    focus(yaml);
    yaml->applyEdits({{{yaml->byteCount(), yaml->byteCount()}, "a: b: c\n"}}, Origin::Text);
    QTRY_VERIFY(!find<Chip>(page.get(), "portAdd")->isEnabled());
    QVERIFY(!hasAccent("portAdd"));
}

TRAINYARD_GUI_TEST(TstCommandsField)
#include "tst_commandsfield.moc"
