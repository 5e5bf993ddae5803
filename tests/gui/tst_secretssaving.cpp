// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/secretsdialog.h"
#include "tests/gui/fulljob.h"
#include "tests/gui/secretstests.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeview.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// What becomes of the values of secrets when a document is saved.
class TstSecretsSaving : public QObject, private SecretsPage
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void savingAsks_data();
    void savingAsks();
    void savedValuesAreNotAskedAgain();
    void valuesLeftOutAreRemembered();
    void refusedMoveSaysThatNothingIsSaved();
    void savingSaysWhatTheKeyringCannotHold();
    void otherShapesAreNamed_data();
    void otherShapesAreNamed();
};

void TstSecretsSaving::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstSecretsSaving::cleanupTestCase() { WindowFixture::stopEngine(); }

void TstSecretsSaving::init() { vault.reset(); }

void TstSecretsSaving::cleanup() { page.reset(); }

void TstSecretsSaving::savingAsks_data()
{
    QTest::addColumn<bool>("keyring");
    QTest::addColumn<int>("answer");
    QTest::addColumn<QByteArray>("saved"); // empty: not at all
    QByteArray job = keyringJob;
    job.replace("  pair: {user: a, key: b}\n", "");
    QByteArray taken = job;
    taken.replace("token: hush-hush-hush", "token: \"******\"").replace("pass: swordfish", "pass: \"******\"");
    QByteArray moved = job;
    moved.replace("token: hush-hush-hush", "token: '******'").replace("pass: swordfish", "pass: '******'");
    QTest::newRow("without values") << false << int(QMessageBox::Save) << taken;
    QTest::newRow("with values") << false << int(QMessageBox::Ignore) << job;
    QTest::newRow("not at all") << false << int(QMessageBox::Cancel) << QByteArray();
    QTest::newRow("to the keyring") << true << int(QMessageBox::SaveAll) << moved;
}

void TstSecretsSaving::savingAsks()
{
    QFETCH(bool, keyring);
    QFETCH(int, answer);
    QFETCH(QByteArray, saved);
    QByteArray job = keyringJob;
    job.replace("  pair: {user: a, key: b}\n", "");
    vault.there = keyring;
    const QString path = m_fixture.path(QStringLiteral("saved-%1.yaml").arg(answer));
    const auto window = WindowFixture::makeWindow();
    window->setSecretVault(&vault);
    window->show();
    window->newDocument(job, QFileInfo(path).fileName());
    window->action("saveAs")->trigger();
    auto *files = window->findChild<QFileDialog *>();
    QVERIFY(files);
    Q_EMIT files->fileSelected(path);
    files->close();
    auto *box = window->findChild<QMessageBox *>(QStringLiteral("secretsInFileBox"));
    QVERIFY(box);
    QVERIFY(box->text().contains(QStringLiteral("token, pass")));
    QVERIFY(!QFileInfo::exists(path)); // not before the answer
    QCOMPARE(box->button(QMessageBox::SaveAll) != nullptr, keyring);
    QVERIFY2(box->informativeText().contains(QStringLiteral("remembers them until Trainyard is closed")),
        qPrintable(box->informativeText()));
    box->button(QMessageBox::StandardButton(answer))->click();
    QTRY_COMPARE(QFileInfo::exists(path), !saved.isEmpty());
    if (!saved.isEmpty()) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), saved);
        // Others cannot read what has values.
        QCOMPARE(bool(file.permissions() & (QFileDevice::ReadOther | QFileDevice::ReadGroup)), saved != job);
    }
    QCOMPARE(
        vault.kept.value(QStringLiteral("with_secrets/token")), keyring ? QStringLiteral("hush-hush-hush") : QString());
}

void TstSecretsSaving::savedValuesAreNotAskedAgain()
{
    QByteArray job = keyringJob;
    job.replace("  pair: {user: a, key: b}\n", "");
    const QString path = m_fixture.write(QStringLiteral("has-values.yaml"), job);
    const auto window = WindowFixture::makeWindow();
    window->show();
    window->openFiles({path});
    auto *designer = window->findChild<DesignerPage *>();
    QVERIFY(designer);
    const auto set = [&](const QString &name, const QString &value) {
        designer->applyEdits({edit::SetText{{QStringLiteral("secrets"), name}, value}});
        settle(designer);
        window->action("save")->trigger();
        return window->findChild<QMessageBox *>(QStringLiteral("secretsInFileBox"));
    };
    QVERIFY(!set(QStringLiteral("token"), QStringLiteral("a-newer-one"))); // its owner wants it there
    QVERIFY(!designer->isModified());
    QMessageBox *box = set(QStringLiteral("other"), QStringLiteral("not-there-yet"));
    QVERIFY(box);
    QVERIFY(box->text().contains(QStringLiteral("secret other")));
    box->button(QMessageBox::Cancel)->click();
    QVERIFY(designer->isModified());
}

// Who saves without the values and runs at once does not type them again.
void TstSecretsSaving::valuesLeftOutAreRemembered()
{
    QByteArray job = keyringJob;
    job.replace("  pair: {user: a, key: b}\n", "");
    vault.there = false;
    const QString path = m_fixture.path(QStringLiteral("left-out.pai.yaml"));
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    window->newDocument(job, QFileInfo(path).fileName());
    QTRY_VERIFY(window->action("run")->isEnabled());
    QVERIFY(!window->action("forgetSecrets")->isEnabled());
    window->action("saveAs")->trigger();
    auto *files = window->findChild<QFileDialog *>();
    QVERIFY(files);
    Q_EMIT files->fileSelected(path);
    files->close();
    auto *box = window->findChild<QMessageBox *>(QStringLiteral("secretsInFileBox"));
    QVERIFY(box);
    box->button(QMessageBox::Save)->click();
    QTRY_VERIFY(QFileInfo::exists(path));
    QVERIFY(window->action("forgetSecrets")->isEnabled());
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() || window->findChild<SecretsDialog *>(), 15'000);
    QVERIFY(!window->findChild<SecretsDialog *>());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray saved = file.readAll();
    QVERIFY2(!saved.contains("hush-hush-hush") && !saved.contains("swordfish"), saved.constData());
    QVERIFY(vault.kept.isEmpty());
}

void TstSecretsSaving::refusedMoveSaysThatNothingIsSaved()
{
    QByteArray job = keyringJob;
    job.replace("  pair: {user: a, key: b}\n", "");
    const QString path = m_fixture.path(QStringLiteral("refused.yaml"));
    vault.refuses = true;
    const auto window = WindowFixture::makeWindow();
    window->setSecretVault(&vault);
    window->show();
    window->newDocument(job, QFileInfo(path).fileName());
    window->action("saveAs")->trigger();
    auto *files = window->findChild<QFileDialog *>();
    QVERIFY(files);
    Q_EMIT files->fileSelected(path);
    files->close();
    auto *box = window->findChild<QMessageBox *>(QStringLiteral("secretsInFileBox"));
    QVERIFY(box);
    box->button(QMessageBox::SaveAll)->click();
    const auto said = [&]() -> InfoBar * {
        const auto bars = window->findChildren<InfoBar *>();
        const auto it = std::find_if(bars.cbegin(), bars.cend(), [](const InfoBar *each) {
            return each->isVisible() && each->text().contains(QStringLiteral("The file is not saved."));
        });
        return it == bars.cend() ? nullptr : *it;
    };
    QTRY_VERIFY(said());
    QVERIFY2(said()->text().contains(QStringLiteral("It is locked.")), qPrintable(said()->text()));
    QVERIFY(!QFileInfo::exists(path));
    const auto buttons = said()->findChildren<QPushButton *>();
    const auto without = std::find_if(buttons.cbegin(), buttons.cend(),
        [](const QPushButton *each) { return each->text() == QStringLiteral("Save without the value"); });
    QVERIFY(without != buttons.cend());
    QVERIFY(!window->action("forgetSecrets")->isEnabled());
    (*without)->click();
    QTRY_VERIFY(QFileInfo::exists(path));
    QVERIFY(window->action("forgetSecrets")->isEnabled()); // Run need not ask for what was typed just now
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray saved = file.readAll();
    QVERIFY2(!saved.contains("hush-hush-hush") && !saved.contains("swordfish"), saved.constData());
}

// Before anything is written, and what keeps it out of the file is what Enter does.
void TstSecretsSaving::savingSaysWhatTheKeyringCannotHold()
{
    const auto window = WindowFixture::makeWindow();
    window->setSecretVault(&vault);
    window->show();
    const auto asked = [&](const QByteArray &job, const QString &name) {
        window->newDocument(job, name);
        window->action("saveAs")->trigger();
        const auto dialogs = window->findChildren<QFileDialog *>();
        for (QFileDialog *files : dialogs) {
            if (files->isVisible()) {
                Q_EMIT files->fileSelected(m_fixture.path(name));
                files->close();
            }
        }
        QMessageBox *found = nullptr;
        const auto boxes = window->findChildren<QMessageBox *>(QStringLiteral("secretsInFileBox"));
        for (QMessageBox *box : boxes) {
            found = box->isVisible() ? box : found;
        }
        return found;
    };
    const QString mixed = QStringLiteral("mixed.pai.yaml");
    QMessageBox *box = asked(keyringJob, mixed);
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains(QStringLiteral("pair")), qPrintable(box->informativeText()));
    QVERIFY(!box->informativeText().contains(QStringLiteral("token")));
    QCOMPARE(box->defaultButton(), box->button(QMessageBox::Save));
    QVERIFY(box->button(QMessageBox::SaveAll));
    QVERIFY(!QFileInfo::exists(m_fixture.path(mixed)));
    box->button(QMessageBox::SaveAll)->click();
    QTRY_VERIFY(QFileInfo::exists(m_fixture.path(mixed)));
    QFile file(m_fixture.path(mixed));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray saved = file.readAll();
    QVERIFY2(saved.contains("pair: {user: a, key: b}") && !saved.contains("hush-hush-hush")
            && !saved.contains("pass: sword"),
        saved.constData());
    QCOMPARE(vault.kept.size(), 2);
    // Nothing that it could hold.
    QByteArray maps = keyringJob;
    maps.replace("  token: hush-hush-hush # of the team\n  pass: swordfish\n", "");
    box = asked(maps, QStringLiteral("maps.pai.yaml"));
    QVERIFY(box);
    QVERIFY(!box->button(QMessageBox::SaveAll));
    box->button(QMessageBox::Cancel)->click();
}

void TstSecretsSaving::otherShapesAreNamed_data()
{
    QTest::addColumn<QByteArray>("secrets");
    QTest::addColumn<QString>("said");
    QTest::newRow("list") << QByteArray("\n  - hush\n  - hush-hush") << QStringLiteral("'secrets' is a list here.");
    QTest::newRow("text") << QByteArray(" hush") << QStringLiteral("'secrets' is a single value here.");
    QTest::newRow("taken out") << QByteArray(" \"******\"") << QStringLiteral("removed from this file");
}

// Nothing was taken out of it: it is written wrongly, and the text is where that is put right.
void TstSecretsSaving::otherShapesAreNamed()
{
    QFETCH(const QByteArray, secrets);
    QFETCH(const QString, said);
    QByteArray job = keyringJob;
    const qsizetype begin = job.indexOf("secrets:") + 8;
    job.replace(begin, job.indexOf("\ntaskRoles:") - begin, secrets);
    show(job);
    page->setViewMode(DesignerPage::ViewMode::Form);
    openTab(page.get(), SecretsTab);
    const auto *note = page->findChild<QLabel *>(QStringLiteral("secretsTableNote"));
    QVERIFY(note && note->isVisible());
    QVERIFY2(note->text().contains(said), qPrintable(note->text()));
    auto *add = find<QPushButton>(page.get(), "secretsTableAdd");
    QVERIFY(!add->isEnabled());
    auto *inText = find<QPushButton>(page.get(), "secretsTableShow");
    const bool isWrong = !secrets.contains('*');
    QCOMPARE(inText->isVisible(), isWrong);
    QCOMPARE(note->text().contains(QStringLiteral("a map")), isWrong);
    if (isWrong) {
        inText->click();
        auto *text = find<CodeView>(page.get(), "yamlText");
        QTRY_VERIFY(text->isVisible());
        QCOMPARE(text->lineOf(text->caret()), text->lineOf(job.indexOf("secrets:")));
    }
}

TRAINYARD_GUI_TEST(TstSecretsSaving)
#include "tst_secretssaving.moc"
