// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designersample.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/style.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/problemsview.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// The designer and its file: texts that are no job, changes on the disk, and saving.
class TstDesignerSaving : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void waitsWhileTheTextCannotBeRead();
    void lockedCommandsLookLocked();
    void namesTheErrorThatLocksTheForm();
    void showsNothingOfATextThatWasNeverRead();
    void lockedFormShowsNoOldFindings();
    void startsAJobInAnEmptyText_data();
    void startsAJobInAnEmptyText();
    void saysThatATextIsTooLarge_data();
    void saysThatATextIsTooLarge();
    void showsNoFormOfWhatIsNoMap_data();
    void showsNoFormOfWhatIsNoMap();
    void savesExactly();
    void noticesChangesOnDisk();
    void reloadLeavesTheKeysInTheText();
    void savesOverNothingUnread();
    void writeProtectedStays();
    void comesBackBesideWhatIsOnlyShown();
    void screenshots();

private:
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerSaving::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerSaving::cleanup() { page.reset(); }

void TstDesignerSaving::waitsWhileTheTextCannotBeRead()
{
    showSample(page.get(), sampleText);
    auto *text = find<CodeView>(page.get(), "yamlText");
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QVERIFY(!bar->isVisible());
    focus(text);
    text->setCaret(text->allBytes().indexOf("parameters:"));
    QTest::keyClicks(text, QStringLiteral("\"x"));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(!page->canRun());
    QVERIFY(!find<QLineEdit>(page.get(), "jobName")->isEnabled());
    QCOMPARE(find<QLineEdit>(page.get(), "jobName")->text(), QStringLiteral("tensorflow_cifar10"));
    QVERIFY(text->hasFocus());
    page->undo();
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(find<QLineEdit>(page.get(), "jobName")->isEnabled());
    // With all that was off meanwhile.
    for (const char *button : {"secretsTableAdd", "secretsTablePaste", "parametersTableAdd", "parametersTablePaste"}) {
        QVERIFY2(find<QPushButton>(page.get(), button)->isEnabled(), button);
    }
}

// It is that error that has to be mended, and not one of the job above it.
// Who sees a field with its usual frame and ground writes in it.
void TstDesignerSaving::lockedCommandsLookLocked()
{
    showSample(page.get(), sampleText);
    const auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QWidget *frame = commands(page.get())->parentWidget();
    const auto colourAt = [frame](int x) { return frame->grab().toImage().pixelColor(x, frame->height() / 2); };
    QCOMPARE(colourAt(2), colour(Colour::Field, frame));
    auto *text = find<CodeView>(page.get(), "yamlText");
    focus(text);
    text->setCaret(text->allBytes().indexOf("parameters:"));
    QTest::keyClicks(text, QStringLiteral("\"x"));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(!frame->isEnabled());
    QCOMPARE(colourAt(2), colour(Colour::Window, frame));
    page->undo();
    page->undo();
    QTRY_VERIFY(!bar->isVisible());
    QCOMPARE(colourAt(2), colour(Colour::Field, frame));
}

void TstDesignerSaving::namesTheErrorThatLocksTheForm()
{
    QByteArray text = sampleText;
    text.replace("name: tensorflow_cifar10\n", "name: not a name\n");
    QVERIFY(text.contains("not a name"));
    text.replace("type: job\n", "type: job\ntype: job\n");
    showSample(page.get(), text);
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QTRY_VERIFY(bar->isVisible());
    const QByteArray before = text.left(text.lastIndexOf("type: job"));
    QVERIFY2(bar->text().contains(QStringLiteral("Line %1:").arg(before.count('\n') + 1)), qPrintable(bar->text()));
    QVERIFY2(!bar->text().contains(u"not a name"), qPrintable(bar->text()));
    text.remove(before.size(), qstrlen("type: job\n"));
    page->newDocument(text);
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(page->errorCount() > 0);
}

// Opened with an error in it: half of a job would look like all of it.
void TstDesignerSaving::showsNothingOfATextThatWasNeverRead()
{
    const QByteArray text = "protocolVersion: 2\nname: half\ntype: job\ntaskRoles:\n  main:\n    instances: 1\n"
                            "   commands: [a\n";
    showSample(page.get(), text);
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(u"shows nothing until") && bar->text().contains(u"Line 7:"), qPrintable(bar->text()));
    page->setKnownClusters({}); // which refreshes all fields
    const auto *name = find<QLineEdit>(page.get(), "jobName");
    QVERIFY(!name->isVisible());
    auto *place = bar->findChild<QPushButton *>(QStringLiteral("formErrorPlace"));
    QVERIFY(place);
    place->click();
    const auto *view = find<CodeView>(page.get(), "yamlText");
    QTRY_VERIFY(view->hasFocus());
    QCOMPARE(text.left(view->caret()).count('\n'), 6);
    // From the first text that can be read on, the form keeps what it has.
    page->newDocument(sampleText);
    QTRY_VERIFY(name->isVisible() && name->isEnabled());
    page->newDocument(text);
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(name->isVisible() && !name->isEnabled());
    QVERIFY2(bar->text().contains(u"locked until"), qPrintable(bar->text()));
}

// The form keeps the values that it had, also when it is read again, and nothing that is wrong in a text that cannot be
// read stands in it.
void TstDesignerSaving::lockedFormShowsNoOldFindings()
{
    const QByteArray text = "protocolVersion: 2\nname: a\ntype: job\nparameters:\n\tlr: 0.1\ntaskRoles:\n  main:\n    "
                            "instances: 1\n    commands\n";
    showSample(page.get(), sampleText);
    page->newDocument(text);
    page->setKnownClusters({}); // which refreshes all fields
    const auto said = [this] {
        QStringList all;
        const auto labels = page->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all.append(label->isVisibleTo(page.get()) ? label->text() : QString());
        }
        return all.join(u'\n');
    };
    const auto sayWhole = [&said](const char *words) { return said().contains(QLatin1String(words)); };
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QTRY_VERIFY(bar->isVisible());
    QTRY_VERIFY2(sayWhole("YAML does not allow tabs"), qPrintable(said()));
    QVERIFY2(!sayWhole("single value here"), qPrintable(said())); // so is it read up to the tab
    QCOMPARE(find<QLineEdit>(page.get(), "jobName")->text(), QStringLiteral("tensorflow_cifar10"));
    QVERIFY(find<QTabBar>(page.get(), "roleTabs")->count() > 1);
    auto *view = find<CodeView>(page.get(), "yamlText");
    view->setCaret(text.indexOf('\t') + 1);
    focus(view);
    QTest::keyClick(view, Qt::Key_Backspace);
    QTest::keyClicks(view, QStringLiteral("  "));
    QTRY_VERIFY2(!sayWhole("YAML does not allow tabs"), qPrintable(said()));
    QVERIFY2(!sayWhole("single value here"), qPrintable(said()));
    QVERIFY(bar->isVisible());
    QVERIFY(!find<QLineEdit>(page.get(), "jobName")->isEnabled());
}

void TstDesignerSaving::startsAJobInAnEmptyText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("blank") << QByteArray("\n\n");
    QTest::newRow("comment") << QByteArray("# mine\n");
}

void TstDesignerSaving::startsAJobInAnEmptyText()
{
    QFETCH(QByteArray, text);
    showSample(page.get(), text);
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QTRY_VERIFY(bar->isVisible());
    auto *fix = bar->findChild<QPushButton *>(QStringLiteral("formFix"));
    QVERIFY(fix);
    QTest::mouseClick(fix, Qt::LeftButton);
    QTRY_VERIFY(page->canRun());
    QVERIFY(!bar->isVisible());
    QCOMPARE(page->errorCount(), 0);
    QVERIFY2(page->bytes().startsWith(text.trimmed()), page->bytes().constData());
    QCOMPARE(find<QTabBar>(page.get(), "roleTabs")->count(), 1);
    page->undo(); // in one step
    QCOMPARE(page->bytes(), text);
}

// The form has no snapshot of such a text, which must not be told as if the text were empty.
void TstDesignerSaving::saysThatATextIsTooLarge_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("many lines") << QByteArray("name: a\n" + QByteArray("# far more than a job\n").repeated(60000));
    QTest::newRow("one line of brackets") << QByteArray(8 << 20, '[');
}

void TstDesignerSaving::saysThatATextIsTooLarge()
{
    QFETCH(QByteArray, text);
    showSample(page.get(), text);
    QTRY_COMPARE(page->runBlockers().size(), 1);
    QVERIFY2(page->runBlockers().first().contains(u"1 MiB"), qPrintable(page->runBlockers().first()));
    QVERIFY(!page->canRun());
    // As the command line says it: an error at the very beginning.
    QCOMPARE(page->errorCount(), 1);
    auto *list = find<QListView>(page.get(), "problemsList");
    QCOMPARE(list->model()->rowCount(), 1);
    const auto *problem
        = list->model()->index(0, 0).data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    QVERIFY(problem);
    QCOMPARE(problem->diagnostic.code, QStringLiteral("yaml.too-large"));
    QVERIFY2(problem->text.contains(u"too large to be checked: it has more than 1 MiB"), qPrintable(problem->text));
    QCOMPARE(problem->position.line, 1);
    QCOMPARE(problem->position.column, 1);
    if (text.contains('\n')) { // a line of megabytes is slow to write in
        auto *view = find<CodeView>(page.get(), "yamlText");
        focus(view);
        QTest::keyClicks(view, QStringLiteral("#"));
        QVERIFY(!page->isBeingChecked()); // the key of Run would read it, and the window would stand still
    }
    page->newDocument(sampleText);
    QTRY_COMPARE(page->errorCount(), 0);
}

// What a text is that is no job is said; no field takes it for its own value.
void TstDesignerSaving::showsNoFormOfWhatIsNoMap_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("number") << QByteArray("42\n") << QStringLiteral("the single value 42");
    QTest::newRow("list") << QByteArray("[1, 2, 3]\n") << QStringLiteral("a list");
    QTest::newRow("text") << QByteArray("just some words\nof a plain text\n") << QStringLiteral("a text");
}

void TstDesignerSaving::showsNoFormOfWhatIsNoMap()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    showSample(page.get(), sampleText);
    page->newDocument(text);
    auto *bar = find<InfoBar>(page.get(), "formUnavailable");
    QTRY_VERIFY(bar->isVisible());
    page->setKnownClusters([] { return ClusterOffers(); }); // the fields are read again
    QVERIFY2(bar->text().contains(said), qPrintable(bar->text()));
    QVERIFY2(bar->text().contains(u"A job is a map of fields"), qPrintable(bar->text()));
    QVERIFY(!find<QLineEdit>(page.get(), "jobName")->isEnabled());
    QCOMPARE(find<QTabBar>(page.get(), "roleTabs")->count(), 0);
    for (const char *name : {"jobName", "roleName"}) {
        QCOMPARE(find<QLineEdit>(page.get(), name)->text(), QString());
    }
    QCOMPARE(find<QComboBox>(page.get(), "roleImage")->currentText(), QString());
    for (const char *name : {"roleInstances", "roleCpu", "roleGpu", "roleMemory", "roleMinFailed", "roleShared"}) {
        const QString shown = find<QAbstractSpinBox>(page.get(), name)->findChild<QLineEdit *>()->text();
        QVERIFY2(shown.isEmpty(), qPrintable(QString::fromLatin1(name) + u' ' + shown));
    }
    QVERIFY(designertools::commands(page.get())->allBytes().isEmpty());
    const auto labels = find<QWidget>(page.get(), "roleCard")->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::none_of(labels.cbegin(), labels.cend(), [](const QLabel *label) { return label->isVisible(); }));
    // A job again: the form is there again.
    page->newDocument(sampleText);
    QTRY_VERIFY(!bar->isVisible());
    QCOMPARE(find<QLineEdit>(page.get(), "jobName")->text(), QStringLiteral("tensorflow_cifar10"));
}

void TstDesignerSaving::savesExactly()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a job.yaml"));
    const QByteArray bytes = QByteArray("\xEF\xBB\xBF") + "name: x\r\nother: \xFF\r\n";
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
    const QFile::Permissions permissions = file.permissions();
    QVERIFY(page->openFile(path).has_value());
    QCOMPARE(page->displayName(), QStringLiteral("a job.yaml"));
    QCOMPARE(page->bytes(), bytes);
    auto *text = find<CodeView>(page.get(), "yamlText");
    text->setCaret(text->byteCount());
    QTest::keyClicks(text, QStringLiteral("z"));
    QVERIFY(page->isModified());
    QVERIFY(page->save().has_value());
    QVERIFY(!page->isModified());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes + "z");
    file.close();
    QCOMPARE(file.permissions(), permissions);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    const QString other = folder.filePath(QStringLiteral("other.yaml"));
    QVERIFY(page->saveAs(other).has_value());
    QCOMPARE(page->filePath(), other);
    const Result<void> refused = page->saveAs(folder.filePath(QStringLiteral("no/such/folder.yaml")));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("file.unwritable"));
    QCOMPARE(page->filePath(), other);
    QCOMPARE(page->openFile(folder.path()).error().code, QStringLiteral("file.is-folder"));
    QCOMPARE(page->openFile(folder.filePath(QStringLiteral("none"))).error().code, QStringLiteral("file.unreadable"));
    // Nobody writes into this pipe: who opened it would wait for ever.
    const QString pipe = folder.filePath(QStringLiteral("pipe.yaml"));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QCOMPARE(page->openFile(pipe).error().code, QStringLiteral("file.not-regular"));
    QCOMPARE(page->openFile(QStringLiteral("/dev/zero")).error().code, QStringLiteral("file.not-regular"));
    page->newDocument("name: y\n");
    QSignalSpy asked(page.get(), &DesignerPage::saveAsRequested);
    QCOMPARE(page->save().error().code, QStringLiteral("file.no-path"));
    QCOMPARE(asked.size(), 1);
}

// What another program does.
static void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

void TstDesignerSaving::noticesChangesOnDisk()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    const auto write = [&path](const QByteArray &bytes) { writeFile(path, bytes); };
    write("name: a\n");
    QVERIFY(page->openFile(path).has_value());
    page->show();
    auto *bar = find<InfoBar>(page.get(), "fileBar");
    QVERIFY(!bar->isVisible());
    // Nobody has changed anything here: it is what the file has, by itself.
    write("name: b\n");
    QTRY_COMPARE(page->bytes(), QByteArray("name: b\n"));
    QVERIFY(!page->isModified());
    QVERIFY(!bar->isVisible());
    page->undo();
    QCOMPARE(page->bytes(), QByteArray("name: a\n"));
    QVERIFY(page->isModified());
    // With changes here it is a question.
    write("name: c\n");
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(page->bytes(), QByteArray("name: a\n"));
    QTest::mouseClick(find<QPushButton>(page.get(), "diskReload"), Qt::LeftButton);
    QCOMPARE(page->bytes(), QByteArray("name: c\n"));
    QVERIFY(!page->isModified());
    QVERIFY(!bar->isVisible());
    // Right before Run: the watcher has told nothing yet.
    write("name: d\n");
    QCOMPARE(page->bytes(true), QByteArray("name: d\n"));
    page->undo();
    QVERIFY(page->isModified());
    // Our own saving is no news.
    QFileSystemWatcher folderWatcher({folder.path()});
    QSignalSpy noticed(&folderWatcher, &QFileSystemWatcher::directoryChanged);
    QVERIFY(page->save().has_value());
    QVERIFY(!noticed.isEmpty() || noticed.wait());
    settle(page.get());
    QVERIFY(!bar->isVisible());
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(page->isModified());
    QVERIFY(page->save().has_value());
    QVERIFY(QFile::exists(path));
    QVERIFY(!bar->isVisible());
    // Away, and back as it was: as another branch is looked at.
    const QByteArray saved = page->bytes();
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(page->isModified());
    write(saved);
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(!page->isModified());
    QCOMPARE(page->bytes(), saved);
    // And back while something has been written here.
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(bar->isVisible());
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "mine"}});
    write(saved);
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(page->isModified());
    QCOMPARE(page->bytes(), QByteArray("name: mine\n"));
    // And back after something that cannot be read was in its place.
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(QDir().mkdir(path));
    const QList<QFileSystemWatcher *> watchers = page->findChildren<QFileSystemWatcher *>();
    QTRY_VERIFY(std::any_of(watchers.cbegin(), watchers.cend(),
        [&path](const QFileSystemWatcher *each) { return each->directories().contains(path); }));
    QVERIFY(bar->isVisible());
    QVERIFY(QDir().rmdir(path));
    write(saved);
    QTRY_VERIFY(!bar->isVisible());
}

// What somebody else wrote is never lost by a key that is pressed without looking.
void TstDesignerSaving::reloadLeavesTheKeysInTheText()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    writeFile(path, "name: a\n# one\n");
    QVERIFY(page->openFile(path).has_value());
    page->show();
    page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(page.get()));
    settle(page.get());
    auto *text = find<CodeView>(page.get(), "yamlText");
    auto *bar = find<InfoBar>(page.get(), "fileBar");
    for (const char *answer : {"diskReload", "diskKeep"}) {
        focus(text);
        text->setCaret(text->allBytes().size());
        QTest::keyClicks(text, QStringLiteral("# mine"));
        writeFile(path, QByteArray("name: b\n# ") + answer + "\n");
        QTRY_VERIFY(bar->isVisible());
        auto *button = bar->findChild<QPushButton *>(QLatin1String(answer));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!bar->isVisible());
        QVERIFY2(text->hasFocus(), answer);
        QTest::keyClicks(text, QStringLiteral("#"));
        QVERIFY(!page->bytes().startsWith("name: #"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the buttons of this question
        writeFile(path, page->bytes());
        QVERIFY(page->save().has_value());
    }
}

void TstDesignerSaving::savesOverNothingUnread()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    const auto write = [&path](const QByteArray &bytes) { writeFile(path, bytes); };
    const auto read = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    write("name: a\n");
    QVERIFY(page->openFile(path).has_value());
    page->show();
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "mine"}});
    QTRY_COMPARE(page->bytes(), QByteArray("name: mine\n"));
    // Right before the key: the watcher has told nothing yet.
    write("name: theirs\n");
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    QCOMPARE(read(), QByteArray("name: theirs\n"));
    auto *bar = find<InfoBar>(page.get(), "fileBar");
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->text().startsWith(QStringLiteral("Not saved")), qPrintable(bar->text()));
    // Pressed again with the question unanswered, and with another change in between.
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    write("name: theirs2\n");
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    QCOMPARE(read(), QByteArray("name: theirs2\n"));
    // The answer that was asked for.
    QSignalSpy asked(page.get(), &DesignerPage::saveRequested);
    const auto click = [&](const char *name) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // buttons of what was said before
        QTest::mouseClick(find<QPushButton>(page.get(), name), Qt::LeftButton);
    };
    click("diskKeep");
    QCOMPARE(asked.size(), 1);
    QVERIFY(page->save().has_value());
    QCOMPARE(read(), QByteArray("name: mine\n"));
    QVERIFY(!bar->isVisible() && !page->isModified());
    // The other answer.
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "again"}});
    write("name: theirs3\n");
    QCOMPARE(page->save().error().code, QStringLiteral("file.changed"));
    click("diskReload");
    QCOMPARE(page->bytes(), QByteArray("name: theirs3\n"));
    QVERIFY(page->save().has_value());
    // Who wrote the same is in nobody's way; and a name of one's own is free.
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "same"}});
    write("name: same\n");
    QVERIFY(page->save().has_value());
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "copy"}});
    write("name: theirs4\n");
    QVERIFY(page->saveAs(folder.filePath(QStringLiteral("copy.yaml"))).has_value());
    QCOMPARE(read(), QByteArray("name: theirs4\n"));
}

void TstDesignerSaving::writeProtectedStays()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("name: a\n");
    file.close();
    QCOMPARE(::chmod(QFile::encodeName(path).constData(), 0444), 0);
    QVERIFY(page->openFile(path).has_value());
    page->show();
    page->applyEdits({edit::SetValue{YamlPath{QStringLiteral("name")}, "mine"}});
    QCOMPARE(page->save().error().code, QStringLiteral("file.write-protected"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("name: a\n"));
    QVERIFY(page->isModified());
}

// The file has grown beyond what can be edited, while its unsaved text was kept elsewhere: neither goes.
void TstDesignerSaving::comesBackBesideWhatIsOnlyShown()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("job.yaml"));
    const QByteArray theirs = "name: theirs\n# " + QByteArray(200'000, 'x') + '\n';
    writeFile(path, theirs);
    page->restore(path, "name: mine\n", QStringLiteral("job.yaml"));
    QVERIFY(!page->isReadOnly());
    QCOMPARE(page->bytes(), QByteArray("name: mine\n"));
    QVERIFY(page->isModified());
    QCOMPARE(page->displayName(), QStringLiteral("job.yaml"));
    QCOMPARE(page->filePath(), QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), theirs);
    page->restore(path, theirs, QStringLiteral("job.yaml")); // nothing was written here
    QCOMPARE(page->filePath(), path);
    QVERIFY(page->isReadOnly());
}

// Pictures for people: TRAINYARD_SCREENSHOTS names a folder.
void TstDesignerSaving::screenshots()
{
    const QString folder = qEnvironmentVariable("TRAINYARD_SCREENSHOTS");
    if (folder.isEmpty()) {
        QSKIP("TRAINYARD_SCREENSHOTS is not set: set it to a folder for the pictures.");
    }
    QByteArray text = sampleText;
    text.replace("    dockerImage: tf_example\n    prerequisites", "    dockerImage: tf_exmple\n    prerequisites");
    HostInfo host;
    host.id = QStringLiteral("local");
    host.state = HostState::Online;
    host.cpus = 32;
    host.memoryMiB = 65536;
    host.gpus.resize(4);
    page->setHosts({host});
    showSample(page.get(), text);
    settle(page.get());
    for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
        TrainyardStyle::installed()->setThemeMode(theme);
        settle(page.get());
        const QString suffix = theme == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        auto *image = find<QComboBox>(page.get(), "roleImage");
        image->lineEdit()->setFocus();
        settle(page.get());
        page->grab().save(folder + QStringLiteral("/designer-%1.png").arg(suffix));
        auto *form = find<QScrollArea>(page.get(), "jobForm");
        auto *tabs = find<QTabBar>(page.get(), "formTabs");
        find<QWidget>(page.get(), "roleMore")->setFocus();
        QTest::keyClick(find<QWidget>(page.get(), "roleMore"), Qt::Key_Space);
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            settle(page.get());
            form->ensureWidgetVisible(tabs, 0, 2000);
            form->verticalScrollBar()->setValue(form->verticalScrollBar()->maximum());
            settle(page.get());
            page->grab().save(folder + QStringLiteral("/designer-%1-tab%2.png").arg(suffix).arg(tab));
        }
        QTest::keyClick(find<QWidget>(page.get(), "roleMore"), Qt::Key_Space);
        form->verticalScrollBar()->setValue(0);
    }
    TrainyardStyle::installed()->setThemeMode(ThemeMode::Light);
}

TRAINYARD_GUI_TEST(TstDesignerSaving)
#include "tst_designersaving.moc"
