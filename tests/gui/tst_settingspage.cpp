// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/settings.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/searchfield.h"
#include "widgets/settings/settingfamily.h"
#include "widgets/settings/settingrow.h"
#include "widgets/settings/settingspage.h"

#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the page of settings shows is what is set, whatever was typed.
class TstSettingsPage : public QObject
{
    Q_OBJECT

    static QJsonObject withEntry(const QString &key, const QString &value)
    {
        QJsonObject values = Settings().all();
        values.insert(key, value);
        return values;
    }
    static QLineEdit *fieldOf(const QWidget &page, const QString &key)
    {
        const auto fields = page.findChildren<QLineEdit *>();
        for (QLineEdit *each : fields) {
            if (each->accessibleName() == key) {
                return each;
            }
        }
        return nullptr;
    }

private Q_SLOTS:
    // An entry is found by its whole key, as it stands in the file and at the shell, also when the values come later.
    void searchFindsEntries()
    {
        SettingsPage page(Settings::table());
        page.setValues(Settings().all());
        page.show();
        const auto *family = page.findChild<SettingFamily *>(u"settings-storages."_s);
        page.searchField()->setText(u"storages.scans_7"_s);
        QVERIFY(!family->isVisible());
        page.setValues(withEntry(u"storages.scans_7"_s, u"/srv"_s));
        QVERIFY(family->isVisible());
        page.searchField()->setText(u"scans_7"_s);
        QVERIFY(family->isVisible());
        page.setValues(Settings().all());
        QVERIFY(!family->isVisible());
    }

    // Some of the words may be those of the heading above it.
    void searchKnowsHeadings()
    {
        SettingsPage page(Settings::table());
        page.setValues(Settings().all());
        page.show();
        const auto isShown
            = [&page](const QString &key) { return page.findChild<SettingRow *>(u"setting-"_s + key)->isVisible(); };
        page.searchField()->setText(u"logs largest"_s);
        QVERIFY(isShown(u"log.maxBytes"_s));
        QVERIFY(!isShown(u"code.maxMiB"_s));
        page.searchField()->setText(u"stopping tasks"_s);
        QVERIFY(isShown(u"stop.graceSeconds"_s) && isShown(u"stop.forceMinutes"_s));
        page.searchField()->setText(u"stopping nothing"_s);
        QVERIFY(!isShown(u"stop.graceSeconds"_s));
    }

    void emptiedEntriesKeepTheirValue()
    {
        SettingsPage page(Settings::table());
        page.setValues(withEntry(u"storages.team"_s, u"/srv/team"_s));
        const QSignalSpy asked(&page, &SettingsPage::changeRequested);
        QLineEdit *team = fieldOf(page, u"storages.team"_s);
        QVERIFY(team);
        team->clear();
        QTest::keyClick(team, Qt::Key_Return);
        QCOMPARE(team->text(), u"/srv/team"_s);
        QVERIFY(asked.isEmpty());
    }

    // With the reason against a value, the value goes as well.
    void refusedEntriesDoNotStay()
    {
        SettingsPage page(Settings::table());
        const QJsonObject values = withEntry(u"storages.team"_s, u"/srv/team"_s);
        page.setValues(values);
        QLineEdit *team = fieldOf(page, u"storages.team"_s);
        QVERIFY(team);
        team->setText(u"/srv/other"_s);
        QTest::keyClick(team, Qt::Key_Return);
        page.setError(u"storages.team"_s, u"The disk is full."_s);
        const auto *family = page.findChild<SettingFamily *>(u"settings-storages."_s);
        const auto *error = family->findChild<QLabel *>(u"settingError"_s);
        QVERIFY(error && error->isVisibleTo(&page));
        QCOMPARE(team->text(), u"/srv/other"_s); // it may be tried again
        page.setValues(values);
        QVERIFY(!error->isVisibleTo(&page));
        QCOMPARE(team->text(), u"/srv/team"_s);
    }

    void pastedBlanksAreLeftOut()
    {
        SettingsPage page(Settings::table());
        page.setValues(Settings().all());
        QSignalSpy asked(&page, &SettingsPage::changeRequested);
        auto *address
            = page.findChild<SettingRow *>(u"setting-notify.webhook"_s)->findChild<QLineEdit *>(u"settingControl"_s);
        address->setText(u" https://example.org/hook "_s);
        QTest::keyClick(address, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().at(1).value<QJsonValue>(), QJsonValue(u"https://example.org/hook"_s));
        QCOMPARE(address->text(), u"https://example.org/hook"_s);
    }
};

TRAINYARD_GUI_TEST(TstSettingsPage)
#include "tst_settingspage.moc"
