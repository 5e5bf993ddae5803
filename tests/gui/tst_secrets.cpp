// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a secret's value: from the text to the keyring, and from there to a run.
#include "app/common/keyring.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/secretmemory.h"
#include "tests/gui/fulljob.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/fakevault.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeoverlay.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/tasks/runpage.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDirIterator>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

namespace
{
const QByteArray keyringJob = "protocolVersion: 2\n"
                              "name: with_secrets\n"
                              "type: job\n"
                              "prerequisites:\n"
                              "  - {name: img, type: dockerimage, uri: x}\n"
                              "secrets:\n"
                              "  token: hush-hush-hush # of the team\n"
                              "  pass: swordfish\n"
                              "  pair: {user: a, key: b}\n"
                              "taskRoles:\n"
                              "  w:\n"
                              "    instances: 1\n"
                              "    dockerImage: img\n"
                              "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
                              "    commands:\n"
                              "      - test \"<% $secrets.token %>\" = hush-hush\"\"-hush\n"
                              "      - test \"<% $secrets.pass %>\" = sword\"\"fish && echo both are right\n";
QByteArray without(const QByteArray &name, const QByteArray &value)
{
    const QByteArray line = name + ": " + value;
    const QByteArray taken = name + ": '******'";
    QByteArray text = keyringJob;
    return text.replace(line, taken);
}
} // namespace

class TstSecrets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void oneSecretIsOne();
    void valueMovesToTheKeyring();
    void undoBringsItBack();
    void staysWhereNoKeyringIs();
    void staysWhenTheKeyringRefuses_data();
    void staysWhenTheKeyringRefuses();
    void otherValueIsNotOverwritten();
    void mapsStay();
    void typedMeanwhileStays();
    void followsARename();
    void typedValuesBecomeDots();
    void withoutAVault();
    void desktopWithoutABus();
    void runFindsThem();
    void runAsksForTheRest();
    void remembersUntilItIsClosed();
    void memoryForgets();
    void formForgetsWhatIsRemembered();
    void emptyValuesAreConfirmed();
    void valuesAreCovered();
    void savingAsks_data();
    void savingAsks();
    void savedValuesAreNotAskedAgain();
    void valuesLeftOutAreRemembered();
    void refusedMoveSaysThatNothingIsSaved();
    void savingSaysWhatTheKeyringCannotHold();
    void otherShapesAreNamed_data();
    void otherShapesAreNamed();

private:
    void show(const QByteArray &bytes = keyringJob);
    InfoBar *bar() const { return page->findChild<InfoBar *>(QStringLiteral("editBar")); }
    void press(const QString &label)
    {
        const auto buttons = bar()->findChildren<QPushButton *>();
        for (QPushButton *button : buttons) {
            if (button->text() == label && button->isVisible()) {
                button->click();
                return;
            }
        }
        QFAIL(qPrintable(label));
    }
    void lock(int row)
    {
        openTab(page.get(), SecretsTab);
        auto *table = find<QTableWidget>(page.get(), "secretsTable");
        table->cellWidget(row, 2)->findChild<QToolButton *>(QStringLiteral("secretLock"))->click();
    }
    WindowFixture m_fixture;
    FakeVault vault;
    std::unique_ptr<DesignerPage> page;
};

void TstSecrets::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstSecrets::cleanupTestCase() { WindowFixture::stopEngine(); }

void TstSecrets::init()
{
    vault.kept.clear();
    vault.there = true;
    vault.refuses = false;
    vault.forgets = false;
}

void TstSecrets::cleanup() { page.reset(); }

void TstSecrets::show(const QByteArray &bytes)
{
    page = std::make_unique<DesignerPage>();
    page->resize(1192, 820);
    page->newDocument(bytes, QStringLiteral("secrets.pai.yaml"));
    page->setSecretVault(&vault);
    page->show();
    page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(page.get()));
    settle(page.get()); // the form shows the text
}

void TstSecrets::oneSecretIsOne()
{
    const auto said = [](const QStringList &keys) {
        FakeVault keyring;
        const auto dialog
            = std::make_unique<SecretsDialog>(QStringLiteral("a job"), keys, &keyring, SecretVault::Values(), nullptr);
        dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        QString all = dialog->findChild<QCheckBox *>(QStringLiteral("secretsKeep"))->text();
        const auto labels = dialog->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all += u' ' + label->text();
        }
        return all;
    };
    static const QRegularExpression many(QStringLiteral("\\b([Tt]hey|[Tt]hem)\\b"));
    const QString one = said({QStringLiteral("token")});
    QVERIFY2(!many.match(one).hasMatch(), qPrintable(one));
    QVERIFY(many.match(said({QStringLiteral("token"), QStringLiteral("pass")})).hasMatch());
}

void TstSecrets::valueMovesToTheKeyring()
{
    show();
    lock(0);
    QCOMPARE(page->bytes(), keyringJob); // not before the keyring has it
    QTRY_COMPARE(page->bytes(), without("token", "hush-hush-hush"));
    QCOMPARE(
        vault.kept, (QMap<QString, QString>{{QStringLiteral("with_secrets/token"), QStringLiteral("hush-hush-hush")}}));
    QTRY_VERIFY(bar()->isVisible());
    QCOMPARE(bar()->kind(), InfoBar::Kind::Succeeded);
    QVERIFY(!bar()->text().contains(QStringLiteral("hush")));
    QTRY_VERIFY(find<QTableWidget>(page.get(), "secretsTable")->item(0, 1)->text().contains(QStringLiteral("keyring")));
}

void TstSecrets::undoBringsItBack()
{
    show();
    find<QPushButton>(page.get(), "secretsTakeOut")->click();
    QTRY_VERIFY(page->bytes().contains("pass: '******'"));
    QCOMPARE(vault.kept.size(), 2);
    page->undo();
    QCOMPARE(page->bytes(), keyringJob); // one step for all of them
    QVERIFY(!bar()->isVisible());
}

void TstSecrets::staysWhereNoKeyringIs()
{
    vault.there = false;
    show();
    lock(1);
    QVERIFY(bar()->isVisible());
    QVERIFY(bar()->text().contains(QStringLiteral("No keyring")));
    QVERIFY(bar()->text().contains(QStringLiteral("still in the file")));
    QCOMPARE(page->bytes(), keyringJob);
    // Asked for in so many words, it goes all the same, and Run asks for it.
    press(QStringLiteral("Remove it anyway"));
    QTRY_COMPARE(page->bytes(), without("pass", "swordfish"));
    QVERIFY(vault.kept.isEmpty());
    QTRY_COMPARE(
        find<QTableWidget>(page.get(), "secretsTable")->item(1, 1)->text(), QStringLiteral("asked for at Run"));
}

void TstSecrets::staysWhenTheKeyringRefuses_data()
{
    QTest::addColumn<bool>("forgets");
    QTest::newRow("refuses") << false;
    QTest::newRow("says yes and keeps nothing") << true;
}

void TstSecrets::staysWhenTheKeyringRefuses()
{
    QFETCH(bool, forgets);
    vault.refuses = !forgets;
    vault.forgets = forgets;
    show();
    lock(0);
    QTRY_VERIFY(bar()->isVisible());
    QVERIFY(bar()->text().contains(QStringLiteral("still in the file")));
    QCOMPARE(bar()->text().contains(QStringLiteral("locked")), !forgets);
    QCOMPARE(page->bytes(), keyringJob);
}

void TstSecrets::otherValueIsNotOverwritten()
{
    vault.kept.insert(QStringLiteral("with_secrets/token"), QStringLiteral("another"));
    show();
    lock(0);
    QTRY_VERIFY(bar()->isVisible());
    QCOMPARE(vault.kept.value(QStringLiteral("with_secrets/token")), QStringLiteral("another"));
    QCOMPARE(page->bytes(), keyringJob);
    press(QStringLiteral("Replace it"));
    QTRY_COMPARE(page->bytes(), without("token", "hush-hush-hush"));
    QCOMPARE(vault.kept.value(QStringLiteral("with_secrets/token")), QStringLiteral("hush-hush-hush"));
}

void TstSecrets::mapsStay()
{
    show();
    lock(2);
    QTRY_VERIFY(bar()->isVisible());
    QVERIFY(bar()->text().contains(QStringLiteral("pair")));
    QCOMPARE(page->bytes(), keyringJob);
    QVERIFY(vault.kept.isEmpty());
}

void TstSecrets::typedMeanwhileStays()
{
    show();
    lock(0);
    page->applyEdits({edit::SetText{{QStringLiteral("secrets"), QStringLiteral("token")}, QStringLiteral("newer")}});
    QTRY_COMPARE(vault.kept.size(), 1);
    settle(page.get());
    QVERIFY(page->bytes().contains("token: newer"));
}

void TstSecrets::followsARename()
{
    vault.kept.insert(QStringLiteral("with_secrets/token"), QStringLiteral("kept"));
    show(without("token", "hush-hush-hush"));
    openTab(page.get(), SecretsTab);
    typeCell(page.get(), "secretsTable", 0, 0, QStringLiteral("key"));
    QTRY_VERIFY(page->bytes().contains("$secrets.key"));
    QTRY_COMPARE(vault.kept.value(QStringLiteral("with_secrets/key")), QStringLiteral("kept"));
}

void TstSecrets::typedValuesBecomeDots()
{
    show(without("token", "hush-hush-hush"));
    openTab(page.get(), SecretsTab);
    auto *table = find<QTableWidget>(page.get(), "secretsTable");
    QVERIFY(table->item(0, 1)->text().contains(QStringLiteral("Run")));
    typeCell(page.get(), "secretsTable", 0, 1, QStringLiteral("brand-new-value"));
    QTRY_VERIFY(page->bytes().contains("brand-new-value"));
    // What is queued meanwhile shows the row as it is now.
    QTRY_VERIFY(!table->item(0, 1)->text().contains(QStringLiteral("Run")));
    QCoreApplication::processEvents();
    QVERIFY(!table->item(0, 1)->text().contains(QStringLiteral("Run")));
    QVERIFY(!table->item(0, 1)->text().contains(QStringLiteral("brand")));
}

void TstSecrets::withoutAVault()
{
    show();
    page->setSecretVault(nullptr);
    lock(0);
    QVERIFY(bar()->text().contains(QStringLiteral("No keyring")));
    QCOMPARE(page->bytes(), keyringJob);
}

void TstSecrets::desktopWithoutABus()
{
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
    Keyring keyring;
    QVERIFY(!keyring.isThere());
    std::optional<Result<SecretVault::Values>> found;
    std::optional<Result<void>> kept;
    keyring.find(QStringLiteral("j"), {QStringLiteral("s")}, this, [&](const auto &answer) { found = answer; });
    keyring.keep(QStringLiteral("j"), {{QStringLiteral("s"), QStringLiteral("v")}}, this,
        [&](const auto &answer) { kept = answer; });
    QTRY_VERIFY(found && kept);
    QCOMPARE(found->error().code, QStringLiteral("keyring.none"));
    QCOMPARE(kept->error().code, QStringLiteral("keyring.none"));
}

void TstSecrets::runFindsThem()
{
    vault.kept = {{QStringLiteral("with_secrets/token"), QStringLiteral("hush-hush-hush")},
        {QStringLiteral("with_secrets/pass"), QStringLiteral("swordfish")}};
    QByteArray job = without("token", "hush-hush-hush");
    job.replace("pass: swordfish", "pass: '******'").replace("  pair: {user: a, key: b}\n", "");
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    window->newDocument(job, QStringLiteral("s.yaml"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 15'000);
    QVERIFY(!window->findChild<SecretsDialog *>()); // nothing had to be asked
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(window->currentRun()->summary().state), 15'000);
    QCOMPARE(window->currentRun()->summary().state, State::Succeeded);
    // Neither of them is in any file of the engine or the window.
    QDirIterator files(m_fixture.path(QString()), QDir::Files, QDirIterator::Subdirectories);
    int looked = 0;
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly)) {
            const QByteArray bytes = file.readAll();
            QVERIFY2(!bytes.contains("hush-hush-hush") && !bytes.contains("swordfish"), qPrintable(file.fileName()));
            ++looked;
        }
    }
    QVERIFY(looked > 3);
}

void TstSecrets::runAsksForTheRest()
{
    vault.kept = {{QStringLiteral("with_secrets/token"), QStringLiteral("hush-hush-hush")}};
    QByteArray job = without("token", "hush-hush-hush");
    job.replace("pass: swordfish", "pass: '******'").replace("  pair: {user: a, key: b}\n", "");
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    window->newDocument(job, QStringLiteral("s.yaml"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY(window->findChild<SecretsDialog *>());
    auto *dialog = window->findChild<SecretsDialog *>();
    auto *known = dialog->findChild<QLineEdit *>(QStringLiteral("secret-token"));
    auto *missing = dialog->findChild<QLineEdit *>(QStringLiteral("secret-pass"));
    QCOMPARE(known->text(), QStringLiteral("hush-hush-hush"));
    QCOMPARE(known->echoMode(), QLineEdit::Password);
    QVERIFY(missing->text().isEmpty());
    auto *run = dialog->findChild<QPushButton *>(QString(), Qt::FindChildrenRecursively);
    const auto buttons = dialog->findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        run = button->text() == QStringLiteral("Run") ? button : run;
    }
    QVERIFY(!run->isEnabled());
    QTest::keyClicks(missing, QStringLiteral("swordfish"));
    QVERIFY(dialog->findChild<QCheckBox *>(QStringLiteral("secretsKeep"))->isChecked());
    run->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(window->currentRun()->summary().state), 15'000);
    QCOMPARE(window->currentRun()->summary().state, State::Succeeded);
    QCOMPARE(vault.kept.value(QStringLiteral("with_secrets/pass")), QStringLiteral("swordfish"));
}

// Where no keyring answers, one is asked once, and again after what was said is to be forgotten.
void TstSecrets::remembersUntilItIsClosed()
{
    vault.there = false;
    QByteArray job = without("token", "hush-hush-hush");
    job.replace("  pass: swordfish\n", "").replace("  pair: {user: a, key: b}\n", "");
    const QByteArray commands = "      - test \"<% $secrets.token %>\" = quiet-quiet\"\"-one\n";
    job = job.left(job.indexOf("      - test")) + commands;
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    window->newDocument(job, QStringLiteral("s.yaml"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QVERIFY(!window->action("forgetSecrets")->isEnabled());
    window->action("run")->trigger();
    QPointer<SecretsDialog> dialog;
    QTRY_VERIFY((dialog = window->findChild<SecretsDialog *>()));
    const auto *remember = dialog->findChild<QCheckBox *>(QStringLiteral("secretsRemember"));
    QVERIFY(remember->isVisible() && remember->isChecked());
    QTest::keyClicks(dialog->findChild<QLineEdit *>(QStringLiteral("secret-token")), QStringLiteral("quiet-quiet-one"));
    QTest::keyClick(dialog.data(), Qt::Key_Return);
    QTRY_VERIFY(!dialog);
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(window->currentRun()->summary().state), 15'000);
    QCOMPARE(window->currentRun()->summary().state, State::Succeeded);

    const RunPage *first = window->currentRun();
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 20'000);
    QVERIFY(!window->findChild<SecretsDialog *>());
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(window->currentRun()->summary().state), 15'000);
    QCOMPARE(window->currentRun()->summary().state, State::Succeeded);
    int looked = 0;
    for (QDirIterator files(m_fixture.path(QString()), QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly)) {
            QVERIFY2(!file.readAll().contains("quiet-quiet-one"), qPrintable(file.fileName()));
            ++looked;
        }
    }
    QVERIFY(looked > 3);

    QVERIFY(window->action("forgetSecrets")->isEnabled());
    window->action("forgetSecrets")->trigger();
    QVERIFY(!window->action("forgetSecrets")->isEnabled());
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY((dialog = window->findChild<SecretsDialog *>()));
    QVERIFY(dialog->findChild<QLineEdit *>(QStringLiteral("secret-token"))->text().isEmpty());
    dialog->reject();
}

void TstSecrets::memoryForgets()
{
    const QString job = QStringLiteral("job"), token = QStringLiteral("token"), pass = QStringLiteral("pass");
    SecretMemory memory;
    const QSignalSpy changed(&memory, &SecretMemory::changed);
    memory.remember(job, {{token, QStringLiteral("one")}, {pass, QString()}});
    QCOMPARE(memory.values(job, {token, pass, QStringLiteral("other")}),
        (SecretVault::Values{{token, QStringLiteral("one")}, {pass, QString()}}));
    QVERIFY(memory.values(QStringLiteral("another job"), {token}).isEmpty());
    QVERIFY(memory.knows(job, token) && memory.knows(job, pass) && !memory.knows(QStringLiteral("another job"), token));
    memory.rename(job, token, pass); // which has a value of its own
    QCOMPARE(memory.values(job, {token}).size(), 1);
    memory.rename(job, token, QStringLiteral("key"));
    QCOMPARE(memory.values(job, {token, QStringLiteral("key")}),
        (SecretVault::Values{{QStringLiteral("key"), QStringLiteral("one")}}));
    memory.forget(job, {QStringLiteral("key"), token});
    QCOMPARE(memory.values(job, {QStringLiteral("key"), pass}).size(), 1);
    memory.forgetAll();
    QVERIFY(memory.isEmpty());
    QCOMPARE(changed.size(), 4);
}

void TstSecrets::formForgetsWhatIsRemembered()
{
    SecretMemory memory;
    vault.there = false;
    show(without("token", "hush-hush-hush"));
    page->setSecretMemory(&memory);
    openTab(page.get(), SecretsTab);
    const auto *shown = find<QTableWidget>(page.get(), "secretsTable")->item(0, 1);
    auto *forget = find<QPushButton>(page.get(), "secretsForget");
    QVERIFY(!forget->isVisible());
    memory.remember(QStringLiteral("with_secrets"), {{QStringLiteral("token"), QStringLiteral("typed-once")}});
    QVERIFY2(shown->text().contains(QStringLiteral("remembered")), qPrintable(shown->text()));
    QVERIFY(forget->isVisible());
    forget->click();
    QCOMPARE(shown->text(), QStringLiteral("asked for at Run"));
    QVERIFY(!forget->isVisible());
    QVERIFY(memory.isEmpty());
}

void TstSecrets::emptyValuesAreConfirmed()
{
    QByteArray job = without("token", "hush-hush-hush");
    job.replace("token: '******'", "token: ''").replace("pass: swordfish", "pass:");
    QVERIFY(job.contains("token: ''"));
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    window->newDocument(job, QStringLiteral("s.yaml"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY(window->findChild<SecretsDialog *>());
    auto *dialog = window->findChild<SecretsDialog *>();
    QTest::keyClicks(dialog->findChild<QLineEdit *>(QStringLiteral("secret-pass")), QStringLiteral("swordfish"));
    const auto buttons = dialog->findChildren<QPushButton *>();
    const auto run = std::find_if(buttons.cbegin(), buttons.cend(),
        [](const QPushButton *button) { return button->text() == QStringLiteral("Run"); });
    QVERIFY(run != buttons.cend() && !(*run)->isEnabled());
    QSignalSpy given(dialog, &SecretsDialog::valuesGiven);
    dialog->findChild<QCheckBox *>(QStringLiteral("secretsEmpty"))->click();
    QVERIFY((*run)->isEnabled());
    (*run)->click();
    QTRY_COMPARE(given.size(), 1);
    const auto values = given.first().first().value<QMap<QString, QString>>();
    QCOMPARE(values.value(QStringLiteral("pass")), QStringLiteral("swordfish"));
    QVERIFY(values.contains(QStringLiteral("token")) && values.value(QStringLiteral("token")).isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 15'000);
}

// Whoever looks over a shoulder, or at a shared screen, does not read them.
void TstSecrets::valuesAreCovered()
{
    show();
    auto *editor = page->findChild<YamlEditor *>();
    const auto isCovered = [&](const QByteArray &text) { return editor->isCovered(page->bytes().indexOf(text)); };
    QVERIFY(isCovered("hush-hush-hush # of"));
    QVERIFY(isCovered("swordfish"));
    QVERIFY(isCovered("{user: a"));
    const auto *overlay = editor->view()->findChild<CodeOverlay *>();
    const auto hasDots = [&](const QByteArray &text) {
        return std::any_of(overlay->dots().cbegin(), overlay->dots().cend(),
            [&](const ByteRange &range) { return range.contains(page->bytes().indexOf(text)); });
    };
    QVERIFY(hasDots("swordfish"));
    QVERIFY(!isCovered("token:"));
    QVERIFY(!isCovered("# of the team"));
    // The line with the caret shows what it is, as long as the keys go there.
    editor->view()->setFocus();
    editor->setCaret(page->bytes().indexOf("swordfish") + 2);
    QTRY_VERIFY(!isCovered("swordfish"));
    QVERIFY(!hasDots("swordfish"));
    QVERIFY(isCovered("hush-hush-hush # of"));
    QTest::keyClicks(editor->view(), QStringLiteral("xyz"));
    QVERIFY(page->bytes().contains("swxyzordfish"));
    QVERIFY(!isCovered("swxyzordfish"));
    editor->setCaret(0);
    QTRY_VERIFY(isCovered("swxyzordfish"));
    QVERIFY(isCovered("fish")); // to its end
    // Typed in the form, it is never to be seen in the text beside it.
    openTab(page.get(), SecretsTab);
    typeCell(page.get(), "secretsTable", 1, 1, QStringLiteral("brand-new-value"));
    QTRY_VERIFY(page->bytes().contains("brand-new-value"));
    QTRY_VERIFY(isCovered("brand-new-value"));
    page->undo();
    QTRY_VERIFY(isCovered("swxyzordfish"));
    // A text that is broken for a moment keeps what is covered.
    editor->setCaret(page->bytes().indexOf("type: job"));
    QTest::keyClicks(editor->view(), QStringLiteral("{ "));
    settle(page.get());
    QVERIFY(isCovered("swxyzordfish"));
    // One that has never been whole is covered as far as its lines tell.
    show(QByteArray(keyringJob).replace("type: job", "type: [job"));
    editor = page->findChild<YamlEditor *>();
    QTRY_VERIFY(isCovered("swordfish"));
    QVERIFY(isCovered("{user: a"));
    QVERIFY(!isCovered("token:"));
}

void TstSecrets::savingAsks_data()
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

void TstSecrets::savingAsks()
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

void TstSecrets::savedValuesAreNotAskedAgain()
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
void TstSecrets::valuesLeftOutAreRemembered()
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

void TstSecrets::refusedMoveSaysThatNothingIsSaved()
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
void TstSecrets::savingSaysWhatTheKeyringCannotHold()
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

void TstSecrets::otherShapesAreNamed_data()
{
    QTest::addColumn<QByteArray>("secrets");
    QTest::addColumn<QString>("said");
    QTest::newRow("list") << QByteArray("\n  - hush\n  - hush-hush") << QStringLiteral("'secrets' is a list here.");
    QTest::newRow("text") << QByteArray(" hush") << QStringLiteral("'secrets' is a single value here.");
    QTest::newRow("taken out") << QByteArray(" \"******\"") << QStringLiteral("removed from this file");
}

// Nothing was taken out of it: it is written wrongly, and the text is where that is put right.
void TstSecrets::otherShapesAreNamed()
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

TRAINYARD_GUI_TEST(TstSecrets)
#include "tst_secrets.moc"
