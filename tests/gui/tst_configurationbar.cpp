// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/configurationbar.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDesktopServices>
#include <QPushButton>
#include <QTest>
#include <QUrl>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The window says what is wrong in files that people write by hand, until they are mended.
class TstConfigurationBar : public QObject
{
    Q_OBJECT
public:
    Q_INVOKABLE void take(const QUrl &url) { m_opened.append(url.toLocalFile()); } // in place of an editor

private Q_SLOTS:
    void initTestCase();
    void brokenSettings();
    void wrongValuesAndRules();
    void closedUntilAnotherMistake();

private:
    QString write(const QString &name, const QByteArray &bytes) const
    {
        return m_fixture.write(paths::configFolder() + u'/' + name, bytes);
    }
    static const ConfigurationBar *bar(const MainWindow &window) { return window.findChild<ConfigurationBar *>(); }
    WindowFixture m_fixture;
    QStringList m_opened;
};

void TstConfigurationBar::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstConfigurationBar::brokenSettings()
{
    const QString file = write(u"engine.json"_s, "{\"gpu.exclude\": [");
    const auto window = WindowFixture::makeWindow();
    window->show();
    QTRY_VERIFY(bar(*window)->isVisible());
    QVERIFY2(bar(*window)->text().startsWith(u"Cannot read the settings "_s + file)
            && bar(*window)->text().endsWith(u"Fix the file, or move it away."_s),
        qPrintable(bar(*window)->text()));
    QDesktopServices::setUrlHandler(u"file"_s, this, "take");
    auto *open = window->findChild<QPushButton *>(u"open engine.json"_s);
    QVERIFY(open);
    QTest::mouseClick(open, Qt::LeftButton);
    QDesktopServices::unsetUrlHandler(u"file"_s);
    QCOMPARE(m_opened, QStringList{file});
    QTest::mouseClick(open, Qt::LeftButton); // and no program has it: the offscreen platform opens nothing
    QCOMPARE(
        window->bar()->text(), u"No program here opens %1. Open it in a text editor or a file manager."_s.arg(file));
    write(u"engine.json"_s, "{}");
    QTRY_VERIFY(!bar(*window)->isVisible());
}

void TstConfigurationBar::wrongValuesAndRules()
{
    write(u"engine.json"_s, "{}");
    const auto window = WindowFixture::makeWindow();
    window->show();
    QVERIFY(!bar(*window)->isVisible());
    write(u"engine.json"_s, R"({"stop.graceSeconds": "<soon>", "gpu.shared": true})");
    QTRY_VERIFY(bar(*window)->isVisible());
    QVERIFY(bar(*window)->text().contains(u"stop.graceSeconds"_s));
    QVERIFY(bar(*window)->text().contains(u"must be a whole number from 0 to 86400"_s));
    QVERIFY(bar(*window)->text().contains(u"Did you mean gpu.share?"_s));
    const QString rules = write(u"exit-rules.json"_s, R"({"rules": [{"code": 1, "pattern": "("}]})");
    const QString said = u"Your exit rules in "_s + rules + u" are not used. The pattern of rule"_s;
    QTRY_VERIFY2(bar(*window)->text().contains(said), qPrintable(bar(*window)->text()));
    QVERIFY(window->findChild<QPushButton *>(u"open exit-rules.json"_s));
    write(u"engine.json"_s, "{}");
    QTRY_VERIFY(bar(*window)->text().startsWith(said));
    QVERIFY(QFile::remove(rules));
    QTRY_VERIFY(!bar(*window)->isVisible());
}

void TstConfigurationBar::closedUntilAnotherMistake()
{
    write(u"engine.json"_s, R"({"stop.graceSeconds": -1})");
    const auto window = WindowFixture::makeWindow();
    window->show();
    QTRY_VERIFY(bar(*window)->isVisible());
    // Any button but those that open a file.
    for (auto *button : bar(*window)->findChildren<QAbstractButton *>()) {
        if (button->objectName().isEmpty()) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QVERIFY(!bar(*window)->isVisible());
    write(u"engine.json"_s, R"({"stop.graceSeconds": -1, "gpu.share": 1})");
    QTRY_VERIFY(bar(*window)->isVisible());
    write(u"engine.json"_s, "{}");
    QTRY_VERIFY(!bar(*window)->isVisible());
}

TRAINYARD_GUI_TEST(TstConfigurationBar)
#include "tst_configurationbar.moc"
