// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and documentation in the window.
#include "app/gui/pages/documentationpage.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/settings.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/textsize.h"
#include "widgets/settings/choicerow.h"
#include "widgets/settings/settingfamily.h"
#include "widgets/settings/settingrow.h"
#include "widgets/settings/settingspage.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDirIterator>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFontInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTextTable>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace trainyard;

class TstHelp : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }
    void everySettingHasAControl();
    void numbersHaveTheirUnit();
    void bytesAreReadable_data();
    void bytesAreReadable();
    void contentStandsBelowTheTitle();
    void oneEntryOfRunHasItsMark();
    void searchFindsSettings();
    void controlsAskForValuesOfTheirType();
    void whatIsTypedStays();
    void settingsReachTheFile();
    void dialogsOfLogsAreReached();
    void themeIsASetting();
    void sizesOfTextAreSettings();
    void documentationIsThere();
    void searchTellsWhatItFound();
    void searchLeadsToOtherPages();
    void pagesLookAsWritten();
    void linksOfTheDocumentationLeadSomewhere();
    void shortcutsAreThoseOfTheWindow();

private:
    static QJsonObject file()
    {
        QFile file(qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/trainyard/engine.json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }
    static SettingRow *row(const QWidget *page, const char *key)
    {
        return page->findChild<SettingRow *>(QStringLiteral("setting-") + QLatin1StringView(key));
    }
    template <typename Control> static Control *control(const QWidget *page, const char *key)
    {
        return row(page, key)->findChild<Control *>(QStringLiteral("settingControl"));
    }
    WindowFixture m_fixture;
};

void TstHelp::everySettingHasAControl()
{
    const QJsonArray table = Settings::table();
    QVERIFY(table.size() > 30);
    const SettingsPage page(table);
    for (const QJsonValue &value : table) {
        const QString key = value[QStringLiteral("key")].toString();
        const QWidget *shown = key.endsWith(QLatin1StringView(".*"))
            ? page.findChild<QWidget *>(QStringLiteral("settings-") + key.chopped(1))
            : page.findChild<QWidget *>(QStringLiteral("setting-") + key);
        QVERIFY2(shown, qPrintable(key));
        const auto labels = shown->findChildren<QLabel *>();
        const QString help = value[QStringLiteral("help")].toString();
        QVERIFY2(
            std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == help; }),
            qPrintable(key));
        // Called by words; the key, which the file and the shell have, stands below.
        const QString title = value[QStringLiteral("title")].toString();
        QVERIFY2(!title.isEmpty() && title != key && title.at(0).isUpper(), qPrintable(key));
        const auto heading
            = std::find_if(labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == title; });
        QVERIFY2(heading != labels.cend() && (*heading)->buddy(), qPrintable(key));
        const auto *code = shown->findChild<QLabel *>(QStringLiteral("settingKey"));
        QVERIFY2(code && key.startsWith(code->text().section(QLatin1Char('.'), 0, 0)), qPrintable(key));
        QVERIFY(QFontInfo(code->font()).pointSizeF() < QFontInfo((*heading)->font()).pointSizeF());
    }
}

void TstHelp::numbersHaveTheirUnit()
{
    const SettingsPage page(Settings::table());
    const auto suffix = [&page](const char *key) { return control<QDoubleSpinBox>(&page, key)->suffix(); };
    QCOMPARE(suffix("engine.idleSeconds"), QStringLiteral(" s"));
    QCOMPARE(suffix("stop.forceMinutes"), QStringLiteral(" min"));
    QCOMPARE(suffix("jobs.keepDays"), QStringLiteral(" d"));
    QCOMPARE(suffix("jobs.keepGiB"), QStringLiteral(" GiB"));
    QCOMPARE(suffix("disk.warnMiB"), QStringLiteral(" MiB"));
    QCOMPARE(suffix("ports.first"), QString());
}

void TstHelp::bytesAreReadable_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<QString>("shown");
    const double MiB = 1024. * 1024;
    QTest::newRow("another unit") << u"500 MiB"_s << 500 * MiB << u"500 MiB"_s;
    QTest::newRow("the unit that is shown") << u"30"_s << 30 * 1024 * MiB << u"30 GiB"_s;
    QTest::newRow("part of a unit") << u"1.5 gib"_s << 1536 * MiB << u"1536 MiB"_s;
    QTest::newRow("one letter") << u"1T"_s << 1024 * 1024 * MiB << u"1 TiB"_s;
    QTest::newRow("bytes") << u"2000000 B"_s << 2'000'000. << u"2000000 B"_s;
    QTest::newRow("no size") << u"much"_s << 20 * 1024 * MiB << u"20 GiB"_s;
    QTest::newRow("below the least") << u"1 B"_s << 20 * 1024 * MiB << u"20 GiB"_s;
}

void TstHelp::bytesAreReadable()
{
    QFETCH(QString, typed);
    QFETCH(double, bytes);
    QFETCH(QString, shown);
    SettingsPage page(Settings::table());
    page.setValues(Settings().all());
    auto *box = control<QDoubleSpinBox>(&page, "log.maxBytes");
    QCOMPARE(box->text(), u"20 GiB"_s);
    const QSignalSpy changes(&page, &SettingsPage::changeRequested);
    box->selectAll();
    QTest::keyClicks(box, typed);
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(box->value(), bytes);
    QCOMPARE(box->text(), shown);
    QCOMPARE(changes.isEmpty(), bytes == 20. * 1024 * 1024 * 1024);
    box->stepUp();
    QVERIFY(box->value() > bytes || bytes == box->maximum());
    // A step begins at what was typed, also before it is taken.
    box->setValue(20. * 1024 * 1024 * 1024);
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("30 GiB"));
    box->stepUp();
    QCOMPARE(box->text(), QStringLiteral("31 GiB"));
}

void TstHelp::contentStandsBelowTheTitle()
{
    SettingsPage page(Settings::table());
    page.resize(1000, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto labels = page.findChildren<QLabel *>();
    const auto left = [&](const QString &text) {
        const auto found
            = std::find_if(labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == text; });
        return found == labels.cend() ? -1 : (*found)->mapTo(&page, QPoint()).x();
    };
    const auto *title = page.findChild<PageHead *>()->findChild<ElidedLabel *>();
    QCOMPARE(title->text(), QStringLiteral("Settings"));
    QCOMPARE(left(QStringLiteral("End of an idle engine")), title->mapTo(&page, QPoint()).x());
}

// A triangle before each entry would tell nothing.
void TstHelp::oneEntryOfRunHasItsMark()
{
    const auto window = m_fixture.makeWindow();
    QVERIFY(!window->action("run")->icon().isNull());
    for (const char *each : {"runAsSweep", "submitOriginal", "hello"}) {
        QVERIFY2(window->action(each)->icon().isNull(), each);
    }
}

void TstHelp::searchFindsSettings()
{
    SettingsPage page(Settings::table());
    page.setValues(Settings().all());
    page.resize(900, 700);
    page.show();
    QTest::keyClicks(page.searchField(), QStringLiteral("grace"));
    QVERIFY(row(&page, "stop.graceSeconds")->isVisible());
    QVERIFY(!row(&page, "engine.idleSeconds")->isVisible());
    page.searchField()->setText(QStringLiteral("nothing at all"));
    auto *all = page.findChild<QPushButton *>();
    const auto buttons = page.findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        all = button->text() == QStringLiteral("Show all settings") ? button : all;
    }
    QVERIFY(all->isVisible());
    all->click();
    QVERIFY(row(&page, "engine.idleSeconds")->isVisible());
}

void TstHelp::controlsAskForValuesOfTheirType()
{
    SettingsPage page(Settings::table());
    QJsonObject values = Settings().all();
    values.insert(QStringLiteral("storages.team"), QStringLiteral("/srv/team"));
    page.setValues(values);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QSignalSpy asked(&page, &SettingsPage::changeRequested);
    const auto last = [&asked] { return asked.takeLast().at(1).value<QJsonValue>(); };
    control<QCheckBox>(&page, "gpu.share")->click();
    QCOMPARE(last(), QJsonValue(true));
    control<QDoubleSpinBox>(&page, "log.maxBytes")->setValue(30e9); // more than an int holds
    QCOMPARE(last(), QJsonValue(qint64(30'000'000'000)));
    auto *names = control<QComboBox>(&page, "containers.runIn");
    names->setCurrentIndex(names->findText(QStringLiteral("podman")));
    Q_EMIT names->activated(names->currentIndex());
    QCOMPARE(last(), QJsonValue(QStringLiteral("podman")));
    const auto words = row(&page, "notify.on")->findChildren<QCheckBox *>(QStringLiteral("settingWord"));
    QCOMPARE(words.size(), 6); // fixed words are ticked, not typed
    words.at(2)->click();
    QCOMPARE(last(), QJsonValue(QJsonArray{QStringLiteral("failed")}));
    words.at(1)->click();
    QCOMPARE(last(), QJsonValue(QJsonArray{QStringLiteral("succeeded"), QStringLiteral("failed")}));
    auto *list = control<QPlainTextEdit>(&page, "gpu.prefer");
    list->setFocus();
    list->setPlainText(QStringLiteral("1\n\n lab1:0 \n"));
    page.searchField()->setFocus();
    QTRY_COMPARE(asked.size(), 1);
    QCOMPARE(last(), QJsonValue(QJsonArray{QStringLiteral("1"), QStringLiteral("lab1:0")}));
    // Nothing is asked for where nothing was changed.
    control<QLineEdit>(&page, "catalogue.folder")->setFocus();
    page.searchField()->setFocus();
    QVERIFY(asked.isEmpty());
    auto *family = page.findChild<SettingFamily *>(QStringLiteral("settings-storages."));
    family->findChild<QToolButton *>(QStringLiteral("familyRemove"))->click();
    QCOMPARE(asked.constLast().constFirst().toString(), QStringLiteral("storages.team"));
    QVERIFY(last().isNull());
}

// The answer to the change before it arrives while the next value is typed.
void TstHelp::whatIsTypedStays()
{
    SettingsPage page(Settings::table());
    QJsonObject values = Settings().all();
    values.insert(QStringLiteral("storages.data"), QStringLiteral("/srv/data"));
    values.insert(QStringLiteral("storages.team"), QStringLiteral("/srv/team"));
    page.setValues(values);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    const auto fieldOf = [&page](const QString &key) {
        const auto fields = page.findChildren<QLineEdit *>();
        const auto found = std::find_if(
            fields.cbegin(), fields.cend(), [&key](const QLineEdit *each) { return each->accessibleName() == key; });
        return found == fields.cend() ? nullptr : *found;
    };
    auto *folder = control<QLineEdit>(&page, "catalogue.folder");
    auto *grace = control<QDoubleSpinBox>(&page, "stop.graceSeconds");
    QLineEdit *team = fieldOf(QStringLiteral("storages.team"));
    QVERIFY(folder && grace && team);
    folder->setFocus();
    QTest::keyClicks(folder, QStringLiteral("/srv/tem"));
    values.insert(QStringLiteral("gpu.share"), true);
    page.setValues(values);
    QCOMPARE(folder->text(), QStringLiteral("/srv/tem"));
    grace->setFocus(); // asks for the folder, which is taken
    values.insert(QStringLiteral("catalogue.folder"), QStringLiteral("/srv/other"));
    grace->selectAll();
    QTest::keyClicks(grace, QStringLiteral("77"));
    page.setValues(values);
    QCOMPARE(folder->text(), QStringLiteral("/srv/other"));
    QCOMPARE(grace->cleanText(), QStringLiteral("77"));
    team->setFocus();
    team->selectAll();
    QTest::keyClicks(team, QStringLiteral("/mnt"));
    values.insert(QStringLiteral("storages.data"), QStringLiteral("/srv/more"));
    values.insert(QStringLiteral("storages.new"), QStringLiteral("/srv/new"));
    page.setValues(values);
    QCOMPARE(fieldOf(QStringLiteral("storages.team")), team);
    QVERIFY(team->hasFocus());
    QCOMPARE(team->text(), QStringLiteral("/mnt"));
    QCOMPARE(fieldOf(QStringLiteral("storages.data"))->text(), QStringLiteral("/srv/more"));
    QCOMPARE(fieldOf(QStringLiteral("storages.new"))->text(), QStringLiteral("/srv/new"));
    values.remove(QStringLiteral("storages.data"));
    page.setValues(values);
    QVERIFY(!fieldOf(QStringLiteral("storages.data")));
    QSignalSpy asked(&page, &SettingsPage::changeRequested);
    QTest::keyClick(team, Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.constFirst().at(0).toString(), QStringLiteral("storages.team"));
    QCOMPARE(asked.constFirst().at(1).value<QJsonValue>(), QJsonValue(QStringLiteral("/mnt")));
    // Once it is taken, what the engine made of it is shown.
    values.insert(QStringLiteral("storages.team"), QStringLiteral("/mnt/team"));
    page.setValues(values);
    QCOMPARE(team->text(), QStringLiteral("/mnt/team"));
}

void TstHelp::settingsReachTheFile()
{
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("settings")->trigger();
    auto *page = qobject_cast<SettingsPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    auto *grace = control<QDoubleSpinBox>(page, "stop.graceSeconds");
    QTRY_VERIFY(grace->isEnabled());
    QTRY_COMPARE(grace->value(), 30);
    grace->setValue(45);
    QTRY_COMPARE(file().value(QStringLiteral("stop.graceSeconds")).toInt(), 45);
    auto *reset = row(page, "stop.graceSeconds")->findChild<QToolButton *>(QStringLiteral("settingReset"));
    QTRY_VERIFY(reset->isVisible());
    // A value that the engine refuses stays to be corrected, with the reason.
    auto *hours = control<QPlainTextEdit>(page, "gpu.keepHours");
    hours->setFocus();
    hours->setPlainText(QStringLiteral("sometimes"));
    page->searchField()->setFocus();
    const auto *error = row(page, "gpu.keepHours")->findChild<QLabel *>(QStringLiteral("settingError"));
    QTRY_VERIFY(error->isVisibleTo(page));
    QVERIFY2(error->text().contains(QStringLiteral("gpu.keepHours")), qPrintable(error->text()));
    QVERIFY(!file().contains(QStringLiteral("gpu.keepHours")));
    reset->click();
    QTRY_VERIFY(!file().contains(QStringLiteral("stop.graceSeconds")));
    QTRY_COMPARE(grace->value(), 30);
    // The page in front shows what is changed elsewhere.
    Settings elsewhere(qEnvironmentVariable("XDG_CONFIG_HOME") + u"/trainyard/engine.json"_s);
    QVERIFY(elsewhere.set(u"stop.graceSeconds"_s, 50));
    QTRY_COMPARE_WITH_TIMEOUT(grace->value(), 50, 15'000);
    QVERIFY(elsewhere.set(u"stop.graceSeconds"_s, QJsonValue::Null));
    QTRY_COMPARE_WITH_TIMEOUT(grace->value(), 30, 15'000);
    window->close();
}

// What is edited in a dialog is reached from the settings as well.
void TstHelp::dialogsOfLogsAreReached()
{
    const auto window = WindowFixture::makeWindow(false);
    window->show();
    window->action("settings")->trigger();
    auto *page = qobject_cast<SettingsPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    const QList<QPushButton *> buttons = page->findChildren<QPushButton *>(QStringLiteral("settingAction"));
    QCOMPARE(buttons.size(), 3);
    // Under the controls of the others.
    QCoreApplication::processEvents();
    const auto left = [page](const QWidget *widget) { return widget->mapTo(page, QPoint(0, 0)).x(); };
    const auto *control = page->findChild<QComboBox *>(QStringLiteral("settingControl"));
    QVERIFY(control);
    QCOMPARE(left(buttons.at(0)), left(control));
    const QStringList dialogs{
        QStringLiteral("logRulesDialog"), QStringLiteral("metricPatternsDialog"), QStringLiteral("codeEditorDialog")};
    for (qsizetype i = 0; i < dialogs.size(); ++i) {
        buttons.at(i)->click();
        auto *dialog = window->findChild<QDialog *>(dialogs.at(i));
        QVERIFY2(dialog && dialog->isVisible(), qPrintable(dialogs.at(i)));
        dialog->close();
    }
    page->searchField()->setText(QStringLiteral("colours lines"));
    QVERIFY(buttons.at(0)->isVisible() && !buttons.at(1)->isVisible());
    window->close();
}

// The same choice as in the menu, also without an engine.
void TstHelp::themeIsASetting()
{
    const auto window = WindowFixture::makeWindow(false);
    window->show();
    window->action("settings")->trigger();
    auto *page = qobject_cast<SettingsPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    const auto *row = page->findChild<ChoiceRow *>();
    QVERIFY(row);
    auto *box = row->findChild<QComboBox *>();
    QVERIFY(box->isEnabled());
    QCOMPARE(box->currentText(), QStringLiteral("As the system"));
    window->action("themeDark")->trigger();
    QCOMPARE(box->currentText(), QStringLiteral("Dark"));
    const int light = box->findText(QStringLiteral("Light"));
    box->setCurrentIndex(light);
    Q_EMIT box->activated(light);
    QVERIFY(window->action("themeLight")->isChecked());
    page->searchField()->setText(QStringLiteral("theme"));
    QVERIFY(row->isVisible());
    QVERIFY(!TstHelp::row(page, "engine.idleSeconds")->isVisible());
    page->searchField()->setText(QStringLiteral("idleSeconds"));
    QVERIFY(!row->isVisible());
    window->action("themeSystem")->trigger();
    QCOMPARE(box->currentText(), QStringLiteral("As the system"));
}

// The same as the keys and the wheel change, and kept for the next window.
void TstHelp::sizesOfTextAreSettings()
{
    const auto usual = qScopeGuard([] { TextSize::code()->setSteps(0); });
    auto window = WindowFixture::makeWindow(false);
    window->show();
    window->action("settings")->trigger();
    const auto *page = qobject_cast<SettingsPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    page->searchField()->setText(u"font size"_s);
    const QList<ChoiceRow *> rows = page->findChildren<ChoiceRow *>();
    QCOMPARE(rows.size(), 3);
    QVERIFY(!rows.at(0)->isVisible() && rows.at(1)->isVisible() && rows.at(2)->isVisible());
    auto *box = rows.at(1)->findChild<QComboBox *>();
    QVERIFY(box->currentText().endsWith(u"as usual"_s));
    const int before = box->currentIndex();
    window->action("zoomIn")->trigger(); // there is no run: of the code
    QCOMPARE(TextSize::code()->steps(), 1);
    QCOMPARE(box->currentIndex(), before + 1);
    box->setCurrentIndex(before + 3);
    Q_EMIT box->activated(before + 3);
    QCOMPARE(TextSize::code()->steps(), 3);
    QCOMPARE(TextSize::logs()->steps(), 0);
    window->close();
    window.reset();
    TextSize::code()->setSteps(0); // of this process; the next one begins like this
    window = WindowFixture::makeWindow(false);
    QCOMPARE(TextSize::code()->steps(), 3);
    window->action("zoomOut")->trigger();
    QCOMPARE(TextSize::code()->steps(), 2);
    window->action("zoomReset")->trigger();
    QCOMPARE(TextSize::code()->steps(), 0);
}

void TstHelp::documentationIsThere()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    window->action("documentation")->trigger();
    auto *page = qobject_cast<DocumentationPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    QCOMPARE(page->page(), QStringLiteral("README.md"));
    QVERIFY(page->browser()->toPlainText().contains(QStringLiteral("Running a job")));
    QElapsedTimer clock;
    clock.start();
    window->action("jobReference")->trigger();
    window->repaint();
    QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed()))); // its tables have many rows
    QCOMPARE(window->tabs()->currentPage(), page); // the same tab
    QVERIFY(page->browser()->toPlainText().contains(QStringLiteral("taskRoles")));
    Q_EMIT page->browser()->anchorClicked(QUrl(QStringLiteral("protocol.md")));
    QCOMPARE(page->page(), QStringLiteral("protocol.md"));
    page->findChild<QToolButton *>(QStringLiteral("documentationBack"))->click();
    QCOMPARE(page->page(), QStringLiteral("job-reference.md"));
}

void TstHelp::searchTellsWhatItFound()
{
    DocumentationPage page;
    page.showText(QStringLiteral("x.md"), QStringLiteral("# Title\n\nA needle, hay, another Needle.\n\nThe end.\n"));
    page.resize(700, 500);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.browser()->setFocus();
    QTest::keyClick(page.browser(), Qt::Key_F, Qt::ControlModifier);
    auto *field = page.findChild<SearchField *>(QStringLiteral("documentationSearch"));
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("needle"));
    QCOMPARE(field->status(), QStringLiteral("1 of 2"));
    QCOMPARE(page.browser()->extraSelections().size(), 2);
    const int first = page.browser()->textCursor().position();
    QTest::keyClick(field, Qt::Key_F3);
    QCOMPARE(field->status(), QStringLiteral("2 of 2"));
    QVERIFY(page.browser()->textCursor().position() > first);
    QTest::keyClick(field, Qt::Key_F3);
    QCOMPARE(field->status(), QStringLiteral("1 of 2"));
    QTest::keyClick(field, Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(field->status(), QStringLiteral("2 of 2"));
    // It is of the page that is shown.
    page.showText(QStringLiteral("y.md"), QStringLiteral("# Other\n\nneedle\n"));
    QVERIFY2(field->status().startsWith(QStringLiteral("1 hit")), qPrintable(field->status()));
    QTest::keyClicks(field, QStringLiteral("s"));
    QCOMPARE(field->status(), QStringLiteral("Not found"));
    QVERIFY(page.browser()->extraSelections().isEmpty());
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(field->status(), QString());
    QTest::keyClick(field, Qt::Key_Escape);
    QTRY_VERIFY(page.browser()->hasFocus());
}

void TstHelp::searchLeadsToOtherPages()
{
    DocumentationPage page;
    page.showText(QStringLiteral("x.md"), QStringLiteral("# Title\n\nOnly hay.\n"));
    page.resize(700, 500);
    page.show();
    auto *field = page.findChild<SearchField *>(QStringLiteral("documentationSearch"));
    auto *elsewhere = page.findChild<QLabel *>(QStringLiteral("documentationElsewhere"));
    field->setText(QStringLiteral("hay"));
    QVERIFY(!elsewhere->isVisible());
    field->setText(QStringLiteral("parameter server"));
    QVERIFY(elsewhere->isVisible());
    QVERIFY2(elsewhere->text().contains(QStringLiteral("href='templates.md'")), qPrintable(elsewhere->text()));
    Q_EMIT elsewhere->linkActivated(QStringLiteral("templates.md"));
    QCOMPARE(page.page(), QStringLiteral("templates.md"));
    QVERIFY(!elsewhere->isVisible());
    QVERIFY2(field->status().startsWith(QStringLiteral("1 of ")), qPrintable(field->status()));
    field->setText(QStringLiteral("no such words anywhere"));
    QVERIFY(!elsewhere->isVisible());
    QCOMPARE(field->status(), QStringLiteral("Not found"));
}

// Every table is one, every underscore is there, and how a page is made is not said to those who read it.
void TstHelp::pagesLookAsWritten()
{
    DocumentationPage page;
    page.resize(900, 700);
    page.show();
    QDirIterator files(QStringLiteral(":/trainyard/docs"), {QStringLiteral("*.md")}, QDir::Files);
    int rows = 0;
    while (files.hasNext()) {
        const QString path = files.next();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        static const QRegularExpression row(
            QStringLiteral("^\\|(?![-|: ]+$)"), QRegularExpression::MultilineOption); // not those below the heads
        const qsizetype written = QString::fromUtf8(file.readAll()).count(row);
        page.open(QFileInfo(path).fileName());
        qsizetype shown = 0;
        const QList<QTextFrame *> frames = page.browser()->document()->rootFrame()->childFrames();
        for (QTextFrame *frame : frames) {
            if (auto *table = qobject_cast<QTextTable *>(frame)) {
                shown += table->rows();
                QVERIFY(table->cellAt(0, 0).format().toTableCellFormat().leftPadding() > 0);
            }
        }
        QVERIFY2(shown == written,
            qPrintable(QStringLiteral("%1: %2 of %3").arg(path, QString::number(shown), QString::number(written))));
        rows += int(shown);
        for (QTextBlock block = page.browser()->document()->begin(); block.isValid(); block = block.next()) {
            for (auto it = block.begin(); !it.atEnd(); ++it) {
                const QTextCharFormat format = it.fragment().charFormat();
                QVERIFY2(format.isAnchor() || !format.fontUnderline(), qPrintable(it.fragment().text()));
            }
        }
        QVERIFY2(!page.browser()->toPlainText().contains(QStringLiteral("a test compares")), qPrintable(path));
    }
    QVERIFY2(rows > 400, qPrintable(QString::number(rows)));
}

void TstHelp::linksOfTheDocumentationLeadSomewhere()
{
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#:]+\\.md)[^)]*\\)"));
    QDirIterator files(
        QStringLiteral(":/trainyard/docs"), {QStringLiteral("*.md")}, QDir::Files, QDirIterator::Subdirectories);
    int pages = 0;
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        ++pages;
        const QString folder = QFileInfo(file.fileName()).path();
        const QString text = QString::fromUtf8(file.readAll());
        auto matches = link.globalMatch(text);
        while (matches.hasNext()) {
            const QString wanted = QDir::cleanPath(folder + QLatin1Char('/') + matches.next().captured(1));
            const bool isOutside = !wanted.startsWith(QStringLiteral(":/trainyard/docs/"));
            QVERIFY2(isOutside || QFile::exists(wanted), qPrintable(file.fileName() + QStringLiteral(" ") + wanted));
        }
    }
    QVERIFY(pages > 10);
}

void TstHelp::shortcutsAreThoseOfTheWindow()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    window->action("shortcuts")->trigger();
    const auto *page = qobject_cast<DocumentationPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    const QString text = page->browser()->toPlainText();
    for (const char *id : {"run", "commandPalette", "settings", "save"}) {
        const QString key = window->action(id)->shortcut().toString(QKeySequence::NativeText);
        QVERIFY2(!key.isEmpty() && text.contains(key), id);
    }
    // Those of a document too, which is not in front here.
    for (const char *key : {"Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+Z", "Ctrl+Shift+Z", "Esc, then Tab"}) {
        QVERIFY2(text.contains(QLatin1StringView(key)), key);
    }
    // What has keys only while it has the focus.
    for (const char *words : {"In the list of jobs", "Delete the chosen jobs", "In a plot", "Zoom in and out"}) {
        QVERIFY2(text.contains(QLatin1StringView(words)), words);
    }
}

TRAINYARD_GUI_TEST(TstHelp)
#include "tst_help.moc"
