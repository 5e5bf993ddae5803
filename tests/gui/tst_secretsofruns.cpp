// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/keyring.h"
#include "app/gui/controllers/runcomparisons.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/comparetab.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/seedsdialog.h"
#include "engine/client/engineclient.h"
#include "engine/client/secretmemory.h"
#include "tests/gui/fulljob.h"
#include "tests/gui/secretstests.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/compareruns.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/runpage.h"

#include <QCheckBox>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// The values of secrets for a run: they are found, asked for, remembered and forgotten.
class TstSecretsOfRuns : public QObject, private SecretsPage
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void runFindsThem();
    void runAsksForTheRest();
    void asksWhereTheKeyringIsSilent();
    void remembersUntilItIsClosed();
    void runsAgainWithTheValuesOfTheFile();
    void otherSeedsTakeTheValuesOfTheFile();
    void retriesTellOfShortValues();
    void runTellsOfQuotesInValues();
    void memoryForgets();
    void emptyValuesAreConfirmed();
};

void TstSecretsOfRuns::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstSecretsOfRuns::cleanupTestCase() { WindowFixture::stopEngine(); }

void TstSecretsOfRuns::init() { vault.reset(); }

void TstSecretsOfRuns::cleanup() { page.reset(); }

void TstSecretsOfRuns::runFindsThem()
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

void TstSecretsOfRuns::runAsksForTheRest()
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

// The values are asked for without it, and closing that question leaves nothing under way.
void TstSecretsOfRuns::asksWhereTheKeyringIsSilent()
{
    vault.silent = true;
    QByteArray job = without("token", "hush-hush-hush");
    job.replace("  pass: swordfish\n", "").replace("  pair: {user: a, key: b}\n", "");
    job = job.left(job.indexOf("      - test")) + "      - test \"<% $secrets.token %>\" = other\n";
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    window->findChild<Secrets *>()->setPatience(50);
    window->newDocument(job, QStringLiteral("s.yaml"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    const int before = vault.asked;
    window->action("run")->trigger();
    window->action("run")->trigger(); // a key that is pressed twice
    QPointer<SecretsDialog> dialog;
    QTRY_VERIFY((dialog = window->findChild<SecretsDialog *>()));
    QCOMPARE(vault.asked, before + 1);
    const auto help = [&dialog] { return dialog->findChild<QLabel *>(QStringLiteral("secretsHelp"))->text(); };
    const QString silence = QStringLiteral("The keyring of this desktop does not answer.");
    QVERIFY2(help().startsWith(silence), qPrintable(help()));
    QVERIFY(!dialog->findChild<QCheckBox *>(QStringLiteral("secretsKeep"))->isVisible());
    dialog->reject();
    QTRY_VERIFY(!dialog);
    QCOMPARE(vault.waiting.size(), 1);
    vault.waiting.takeFirst()(SecretVault::Values{{QStringLiteral("token"), QStringLiteral("hush-hush-hush")}});
    QVERIFY(!window->findChild<SecretsDialog *>()); // this answer comes too late
    vault.silent = false;
    window->action("run")->trigger();
    QTRY_VERIFY((dialog = window->findChild<SecretsDialog *>()));
    QVERIFY2(!help().startsWith(silence), qPrintable(help()));
    dialog->reject();
    QTRY_VERIFY(!dialog);
    QVERIFY(!window->currentRun());
}

// Where no keyring answers, one is asked once, and again after what was said is to be forgotten.
void TstSecretsOfRuns::remembersUntilItIsClosed()
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

    // A document that is made of the run has another name, and nobody has to type them again for it.
    const RunPage *second = window->currentRun();
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY(window->currentDesigner() && window->currentDesigner()->bytes().contains("name: with_secrets-2"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != second, 20'000);
    QVERIFY(!window->findChild<SecretsDialog *>());
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(window->currentRun()->summary().state), 15'000);
    QCOMPARE(window->currentRun()->summary().state, State::Succeeded);

    QVERIFY(window->action("forgetSecrets")->isEnabled());
    window->action("forgetSecrets")->trigger();
    QVERIFY(!window->action("forgetSecrets")->isEnabled());
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY((dialog = window->findChild<SecretsDialog *>()));
    QVERIFY(dialog->findChild<QLineEdit *>(QStringLiteral("secret-token"))->text().isEmpty());
    dialog->reject();
}

// The stored text has no value, and the file that it came from has: the user sees where it is taken from.
void TstSecretsOfRuns::runsAgainWithTheValuesOfTheFile()
{
    vault.there = false;
    QByteArray job = keyringJob;
    job.replace("name: with_secrets", "name: of_a_file");
    job.replace("  pass: swordfish\n", "").replace("  pair: {user: a, key: b}\n", "");
    job = job.left(job.indexOf("      - test")) + "      - test \"<% $secrets.token %>\" = hush-hush\"\"-hush\n";
    const QString file = m_fixture.write(QStringLiteral("of_a_file.pai.yaml"), job);
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    QVERIFY(window->openFile(file));
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun()->summary().state == State::Succeeded, 30'000);
    const RunPage *first = window->currentRun();
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QPointer<SecretsDialog> dialog;
    QTRY_VERIFY((dialog = window->findChild<SecretsDialog *>()));
    auto *field = dialog->findChild<QLineEdit *>(QStringLiteral("secret-token"));
    const auto *help = dialog->findChild<QLabel *>(QStringLiteral("secretsHelp"));
    QCOMPARE(field->text(), QStringLiteral("hush-hush-hush"));
    QVERIFY2(help->text().startsWith(QStringLiteral("The stored run keeps no value of it.")), qPrintable(help->text()));
    QVERIFY2(
        help->text().contains(QStringLiteral("The value of token is that in %1.").arg(file)), qPrintable(help->text()));
    field->setText(QStringLiteral("another-value"));
    QVERIFY2(!help->text().contains(file), qPrintable(help->text()));
    field->setText(QStringLiteral("hush-hush-hush"));
    QTest::keyClick(dialog.data(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first
            && window->currentRun()->summary().state == State::Succeeded,
        30'000);
}

// As a run that is started again does.
void TstSecretsOfRuns::otherSeedsTakeTheValuesOfTheFile()
{
    vault.there = false;
    QByteArray job = keyringJob;
    job.replace("name: with_secrets", "name: of_seeds");
    job.replace("  pass: swordfish\n", "").replace("  pair: {user: a, key: b}\n", "");
    job = job.left(job.indexOf("      - test")) + "      - test \"<% $secrets.token %>\" = hush-hush\"\"-hush\n"
        + "      - for i in 1 2 3; do echo step $i loss=0.<% $parameters.seed %>$i; done\n" + "parameters: {seed: 1}\n";
    const QString file = m_fixture.write(QStringLiteral("of_seeds.pai.yaml"), job);
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->resize(1440, 900);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    SubmitRequest request;
    request.yaml = job;
    request.file = file;
    request.group = QStringLiteral("seeds");
    int accepted = 0;
    for (const char *seed : {"1", "2"}) {
        request.parameters = {{QStringLiteral("seed"), QString::fromLatin1(seed)}};
        window->client()->call<api::Submit>(
            request, this, [&](const Result<SubmitReply> &reply) { accepted += reply ? 1 : 0; });
    }
    CompareTab *tab = window->findChild<RunComparisons *>()->compareGroup(QStringLiteral("seeds"));
    QTRY_COMPARE_WITH_TIMEOUT(accepted, 2, 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(tab->page()->runs()->best() >= 0, 30'000);
    auto *again = tab->page()->findChild<QPushButton *>(QStringLiteral("compareSeeds"));
    QTRY_VERIFY(again->isEnabled());
    again->click();
    auto *seeds = window->findChild<SeedsDialog *>();
    QVERIFY(seeds);
    seeds->field()->setText(QStringLiteral("7"));
    QTest::keyClick(seeds->field(), Qt::Key_Return);
    QPointer<SecretsDialog> dialog;
    QTRY_VERIFY_WITH_TIMEOUT((dialog = window->findChild<SecretsDialog *>()), 15'000);
    const QString help = dialog->findChild<QLabel *>(QStringLiteral("secretsHelp"))->text();
    QVERIFY2(help.startsWith(QStringLiteral("The stored run keeps no value of it.")), qPrintable(help));
    QVERIFY2(help.contains(QStringLiteral("The value of token is that in %1.").arg(file)), qPrintable(help));
    QTest::keyClick(dialog.data(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(tab->page()->runs()->runs().size(), 3, 15'000);
    QCOMPARE(tab->page()->runs()->runs().constLast().job.parameters.value(QStringLiteral("seed")).toInt(), 7);
    QCOMPARE(tab->page()->runs()->runs().constLast().job.name, QStringLiteral("of_seeds-seed7"));
}

// Output shows them as they are: that is said whenever a run begins with one, also of one that is remembered.
void TstSecretsOfRuns::retriesTellOfShortValues()
{
    vault.there = false;
    QByteArray job = without("token", "hush-hush-hush");
    job.replace("name: with_secrets", "name: with_short");
    job.replace("  pass: swordfish\n", "").replace("  pair: {user: a, key: b}\n", "");
    job = job.left(job.indexOf("      - test")) + "      - test \"<% $secrets.token %>\" = other\n";
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    auto *memory = window->findChild<SecretMemory *>();
    QVERIFY(memory);
    memory->remember(QStringLiteral("with_short"), {{QStringLiteral("token"), QStringLiteral("abc")}});
    window->newDocument(job, QStringLiteral("short.yaml"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    const auto bar = [&window]() -> InfoBar * {
        const auto bars = window->findChildren<InfoBar *>();
        const auto told = std::find_if(bars.cbegin(), bars.cend(), [](const InfoBar *each) {
            return each->isVisible() && each->text().contains(QStringLiteral("fewer than 6 bytes"));
        });
        return told == bars.cend() ? nullptr : *told;
    };
    QTRY_VERIFY_WITH_TIMEOUT(bar(), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun()->summary().state == State::Failed, 15'000);
    bar()->hide();
    QVERIFY(!bar());
    QTRY_VERIFY(window->action("retryFailed")->isEnabled());
    window->action("retryFailed")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bar(), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        window->currentRun()->summary().retries == 1 && isFinal(window->currentRun()->summary().state), 15'000);
    window->close();
}

// The value is not in the text, so that no problem tells of it while the job is written.
void TstSecretsOfRuns::runTellsOfQuotesInValues()
{
    vault.there = false;
    QByteArray job = without("token", "hush-hush-hush");
    job.replace("name: with_secrets", "name: with_quote");
    job.replace("  pass: swordfish\n", "").replace("  pair: {user: a, key: b}\n", "");
    job = job.left(job.indexOf("      - test")) + "      - test \"<% $secrets.token %>\" = other\n";
    const auto window = WindowFixture::makeWindow(true);
    window->setSecretVault(&vault);
    window->show();
    auto *memory = window->findChild<SecretMemory *>();
    QVERIFY(memory);
    memory->remember(QStringLiteral("with_quote"), {{QStringLiteral("token"), QStringLiteral("hush\"hush-hush")}});
    window->newDocument(job, QStringLiteral("quote.yaml"));
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    const auto isTold = [&window] {
        const auto bars = window->findChildren<InfoBar *>();
        return std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *each) {
            return each->isVisible() && each->text().contains(QStringLiteral("have a meaning for the shell"))
                && !each->text().contains(QStringLiteral("hush"));
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && isFinal(window->currentRun()->summary().state), 15'000);
    window->close();
}

void TstSecretsOfRuns::memoryForgets()
{
    const QString job = QStringLiteral("job"), token = QStringLiteral("token"), pass = QStringLiteral("pass");
    SecretMemory memory;
    const QSignalSpy changed(&memory, &SecretMemory::changed);
    memory.remember(job, {{token, QStringLiteral("one")}, {pass, QString()}});
    QCOMPARE(memory.values(job, {token, pass, QStringLiteral("other")}),
        (SecretVault::Values{{token, QStringLiteral("one")}, {pass, QString()}}));
    QVERIFY(memory.values(QStringLiteral("another job"), {token}).isEmpty());
    memory.copy(job, QStringLiteral("a copy"));
    QCOMPARE(memory.values(QStringLiteral("a copy"), {token, pass}), memory.values(job, {token, pass}));
    memory.copy(QStringLiteral("another job"), job); // which is not known
    memory.forget(QStringLiteral("a copy"), {token, pass});
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
    QCOMPARE(changed.size(), 6);
}

void TstSecretsOfRuns::emptyValuesAreConfirmed()
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

TRAINYARD_GUI_TEST(TstSecretsOfRuns)
#include "tst_secretsofruns.moc"
