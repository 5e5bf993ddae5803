// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads.h"
#include "model/yaml/yamledit.h"
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/yamleditor.h"

#include <QClipboard>
#include <QFile>
#include <QLoggingCategory>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

using namespace trainyard;
using namespace designertools;

namespace
{

const QByteArray typedHead = "protocolVersion: 2\nname: j\ntype: job\n";
const QByteArray typedRole = "taskRoles:\n  w:\n    instances: 1\n";

// So large that it is read on another thread.
QByteArray longText(const QByteArray &head = typedHead)
{
    QByteArray text = head + typedRole + "    commands:\n";
    for (int i = 0; i < 1500; ++i) {
        text += "      - echo this is command number " + QByteArray::number(i) + "\n";
    }
    return text;
}

// While it lives, no other thread reads a text to its end.
class HeldReading
{
public:
    HeldReading() : m_most(threads::workPool().maxThreadCount())
    {
        threads::workPool().setMaxThreadCount(m_most + 8); // the readings that are held need some of them
        holds = true;
        QLoggingCategory::setFilterRules(QStringLiteral("trainyard.yaml.debug=true"));
        previous = qInstallMessageHandler(&HeldReading::handle);
    }
    ~HeldReading()
    {
        {
            const std::lock_guard lock(guard);
            holds = false;
        }
        released.notify_all();
        qInstallMessageHandler(previous);
        QLoggingCategory::setFilterRules({});
        threads::workPool().setMaxThreadCount(m_most);
    }
    Q_DISABLE_COPY_MOVE(HeldReading)

private:
    static void handle(QtMsgType type, const QMessageLogContext &context, const QString &text)
    {
        if (qstrcmp(context.category, "trainyard.yaml") != 0) {
            previous(type, context, text);
        } else if (QThread::currentThread() != QCoreApplication::instance()->thread()) {
            std::unique_lock lock(guard);
            released.wait(lock, [] { return !holds; });
        }
    }
    static inline std::mutex guard;
    static inline std::condition_variable released;
    static inline bool holds = false;
    static inline QtMessageHandler previous = nullptr;
    int m_most;
};

} // namespace

// What is typed into a form reaches the text in every order of reading, writing and typing. A machine that is busy, or
// a text that is large, only takes longer.
class TstTypedTexts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { page = std::make_unique<DesignerPage>(); }
    void cleanup() { page.reset(); }
    void isSavedFromALockedForm();
    void isWrittenFromALockedForm();
    void lateReadingOpensTheForm();
    void followsARenamedRole();
    void keepsBothHalves();
    void isInTheTextBeforeThatIsTypedIn();
    void valueIsSetBackAtOnce();
    void nameIsNotTakenTwice();
    void removesOneWordOnce();
    void staysWithItsName_data();
    void staysWithItsName();
    void fileIsNotReadOverAnEdit();
    void isKeptWhereItsPlaceHasGone();

private:
    void showLong(const QByteArray &head = typedHead)
    {
        showDocument(page.get(), longText(head), QStringLiteral("j.pai.yaml"));
        QTRY_VERIFY_WITH_TIMEOUT(commands(page.get())->allBytes().contains("number 1499"), 60000);
        settle(page.get());
    }
    // At the end of the first command.
    void typeCommand(const QString &keys)
    {
        CodeView *view = commands(page.get());
        focus(view);
        view->setCaret(view->lineEnd(0));
        QTest::keyClicks(view, keys);
    }
    QLineEdit *openCell(int row, int column)
    {
        auto *table = find<QTableWidget>(page.get(), "parametersTable");
        focus(table);
        table->setCurrentCell(row, column);
        table->editItem(table->item(row, column));
        auto *line = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        if (!line) {
            qFatal("The cell is not edited.");
        }
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        return line;
    }
    bool isLocked() const { return find<InfoBar>(page.get(), "formUnavailable")->isVisible(); }
    // The text is not read for so long that the form is locked, with something in it that is not written yet.
    void typeUntilLocked(std::optional<HeldReading> *held)
    {
        focus(commands(page.get()));
        held->emplace();
        auto *editor = page->findChild<YamlEditor *>();
        editor->applyEdits({{{editor->byteCount(), editor->byteCount()}, "# more\n"}}, Origin::Disk);
        typeCommand(QStringLiteral("XYZ"));
        QTRY_VERIFY_WITH_TIMEOUT(isLocked(), 60000);
        QVERIFY(!page->bytes().contains("number 0XYZ\n"));
    }
    std::unique_ptr<DesignerPage> page;
};

void TstTypedTexts::isSavedFromALockedForm()
{
    showLong();
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("j.pai.yaml"));
    std::optional<HeldReading> held;
    typeUntilLocked(&held);
    QVERIFY(page->saveAs(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("number 0XYZ\n"));
    QVERIFY(!isLocked()); // the text had to be read
    QVERIFY(commands(page.get())->allBytes().contains("number 0XYZ\n"));
}

void TstTypedTexts::isWrittenFromALockedForm()
{
    showLong();
    std::optional<HeldReading> held;
    typeUntilLocked(&held);
    held.reset();
    QTRY_VERIFY_WITH_TIMEOUT(page->bytes().contains("number 0XYZ\n"), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!isLocked(), 60000);
    QCOMPARE(page->bytes().count("number 0X"), 1);
    QVERIFY(commands(page.get())->allBytes().contains("number 0XYZ\n"));
}

void TstTypedTexts::lateReadingOpensTheForm()
{
    std::optional<HeldReading> held(std::in_place);
    page->resize(1192, 820);
    page->newDocument(longText(), QStringLiteral("j.pai.yaml"));
    page->show();
    QTRY_VERIFY_WITH_TIMEOUT(isLocked(), 60000);
    QVERIFY(!page->canRun());
    held.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!isLocked(), 60000);
    QVERIFY(commands(page.get())->isEnabled());
    QVERIFY(commands(page.get())->allBytes().contains("number 1499"));
}

// The text of another program takes the place of the field away while it is typed into.
void TstTypedTexts::isKeptWhereItsPlaceHasGone()
{
    const QByteArray other = "  v:\n    instances: 2\n    commands: [ls]\n",
                     without = typedHead + "taskRoles:\n" + other;
    showDocument(page.get(), typedHead + typedRole + "    commands: [ls]\n" + other, QStringLiteral("j.pai.yaml"));
    auto *instances = find<QAbstractSpinBox>(page.get(), "roleInstances")->findChild<QLineEdit *>();
    focus(instances);
    instances->selectAll();
    QTest::keyClicks(instances, QStringLiteral("77"));
    auto *editor = page->findChild<YamlEditor *>();
    editor->applyEdits({{{0, editor->byteCount()}, without}}, Origin::Text);
    settle(page.get());
    QCOMPARE(page->bytes(), without); // it belongs to no other role
    const auto *bar = find<InfoBar>(page.get(), "editBar");
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->text().startsWith(QStringLiteral("'77' was not written to instances")), qPrintable(bar->text()));
    editor->applyEdits({{{0, 0}, "# more\n"}}, Origin::Text); // the user goes on elsewhere
    settle(page.get());
    QVERIFY(bar->isVisible());
    const auto buttons = bar->findChildren<QPushButton *>();
    const auto copy = std::find_if(buttons.cbegin(), buttons.cend(),
        [](const QPushButton *button) { return button->text() == QStringLiteral("Copy it"); });
    QVERIFY(copy != buttons.cend());
    (*copy)->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("77"));
    QVERIFY(!bar->isVisible());
}

// The next field is typed into before the form has the new name.
void TstTypedTexts::followsARenamedRole()
{
    showLong();
    std::optional<HeldReading> held(std::in_place);
    auto *name = find<QLineEdit>(page.get(), "roleName");
    focus(name);
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("trainer"));
    auto *instances = find<QAbstractSpinBox>(page.get(), "roleInstances")->findChild<QLineEdit *>();
    focus(instances);
    instances->selectAll();
    QTest::keyClicks(instances, QStringLiteral("7"));
    QVERIFY(!page->bytes().contains("trainer"));
    held.reset();
    QTRY_VERIFY2_WITH_TIMEOUT(page->bytes().contains("  trainer:\n    instances: 7\n"), page->bytes().left(200), 60000);
    settle(page.get());
    QVERIFY(!page->bytes().contains("  w:"));
    QCOMPARE(page->bytes().count("instances:"), 1);
}

// A command is typed into the text, and at once the form is typed into.
void TstTypedTexts::keepsBothHalves()
{
    showLong();
    auto *text = find<CodeView>(page.get(), "yamlText");
    focus(text);
    text->setCaret(text->allBytes().indexOf("      - echo this is command number 0\n"));
    QTest::keyClicks(text, QStringLiteral("      - echo new"));
    QTest::keyClick(text, Qt::Key_Return);
    CodeView *view = commands(page.get());
    view->setFocus();
    view->setCaret(view->allBytes().indexOf("number 0\n") + 8);
    QTest::keyClicks(view, QStringLiteral("XYZ"));
    page->commit();
    QVERIFY(page->bytes().contains("- echo new\n"));
    QVERIFY(page->bytes().contains("number 0XYZ\n"));
    QVERIFY(page->bytes().contains("number 1\n"));
}

// What is typed into the text next may make it unreadable, and no edit goes into such a text.
void TstTypedTexts::isInTheTextBeforeThatIsTypedIn()
{
    showLong();
    std::optional<HeldReading> held(std::in_place);
    typeCommand(QStringLiteral("XYZ"));
    auto *text = find<CodeView>(page.get(), "yamlText");
    focus(text);
    text->setCaret(0);
    QTest::keyClicks(text, QStringLiteral("\"x"));
    held.reset();
    settle(page.get());
    QVERIFY(page->bytes().contains("number 0XYZ\n"));
}

void TstTypedTexts::valueIsSetBackAtOnce()
{
    showLong(typedHead + "parameters:\n  lr: 1\n");
    std::optional<HeldReading> held(std::in_place);
    for (const char *value : {"2", "1"}) {
        QLineEdit *line = openCell(0, 1);
        QTest::keyClicks(line, QLatin1String(value));
        QTest::keyClick(line, Qt::Key_Return);
    }
    held.reset();
    page->commit();
    settle(page.get());
    QVERIFY2(page->bytes().contains("  lr: 1\n"), page->bytes().left(200));
    QCOMPARE(find<QTableWidget>(page.get(), "parametersTable")->item(0, 1)->text(), QStringLiteral("1"));
}

// The row has been renamed, and the form does not know it yet.
void TstTypedTexts::nameIsNotTakenTwice()
{
    showLong(typedHead + "parameters:\n  lr: 1\n  seed: 5\n");
    std::optional<HeldReading> held(std::in_place);
    QLineEdit *name = openCell(0, 0);
    QTest::keyClicks(name, QStringLiteral("rate"));
    QTest::keyClick(name, Qt::Key_Return);
    QLineEdit *value = openCell(0, 1);
    QTest::keyClicks(value, QStringLiteral("9"));
    QTest::keyClick(value, Qt::Key_Return);
    held.reset();
    page->commit();
    settle(page.get());
    QVERIFY2(page->bytes().contains("parameters:\n  rate: 9\n  seed: 5\n"), page->bytes().left(200));
    QVERIFY(!page->bytes().contains("lr:"));
}

// A key that is pressed twice does not take the next word, too.
void TstTypedTexts::removesOneWordOnce()
{
    showLong(typedHead + "extras:\n  trainyard:\n    results:\n      - a\n      - b\n      - c\n");
    auto *chip = find<Chip>(page.get(), "resultFile_0");
    QCOMPARE(chip->text(), QStringLiteral("a"));
    std::optional<HeldReading> held(std::in_place);
    Q_EMIT chip->removeRequested();
    Q_EMIT chip->removeRequested();
    held.reset();
    page->commit();
    settle(page.get());
    QVERIFY2(page->bytes().contains("    results:\n      - b\n      - c\n"), page->bytes().left(200));
}

void TstTypedTexts::staysWithItsName_data()
{
    QTest::addColumn<bool>("more"); // is typed after the rows have moved
    QTest::newRow("typed before") << false;
    QTest::newRow("typed before and entered after") << true;
}

// The rows of a table move while one of its cells is edited.
void TstTypedTexts::staysWithItsName()
{
    QFETCH(bool, more);
    showDocument(page.get(), typedHead + "parameters:\n  a: 1\n  b: 2\n" + typedRole, QStringLiteral("j.pai.yaml"));
    const QPointer<QLineEdit> line = openCell(1, 1);
    QTest::keyClicks(line, QStringLiteral("9"));
    page->applyEdits({edit::Move{{QStringLiteral("parameters"), QStringLiteral("b")}, 0}});
    settle(page.get());
    if (more && line && line->isVisible()) {
        QTest::keyClick(line, Qt::Key_Return);
        settle(page.get());
    }
    page->commit();
    QVERIFY2(page->bytes().contains("parameters:\n  b: 9\n  a: 1\n"), page->bytes());
}

void TstTypedTexts::fileIsNotReadOverAnEdit()
{
    showLong();
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("j.pai.yaml"));
    QVERIFY(page->saveAs(path));
    std::optional<HeldReading> held(std::in_place);
    typeCommand(QStringLiteral("XYZ"));
    leave(page.get());
    QVERIFY(!page->isModified()); // it is on its way
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(typedHead + "taskRoles:\n  other:\n    commands:\n      - ls\n");
    file.close();
    auto *bar = find<InfoBar>(page.get(), "fileBar");
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 60000);
    held.reset();
    page->commit();
    QVERIFY(page->bytes().contains("number 0XYZ\n"));
}

TRAINYARD_GUI_TEST(TstTypedTexts)
#include "tst_typedtexts.moc"
