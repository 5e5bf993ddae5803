// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/keyring.h"
#include "app/gui/secretsdialog.h"
#include "engine/client/secretmemory.h"
#include "tests/gui/fulljob.h"
#include "tests/gui/secretstests.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/fakevault.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeoverlay.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>

#include <algorithm>
#include <cstring>

using namespace trainyard;
using namespace designertools;

// The values of secrets in a document: they move to the keyring, come back, and are covered.
class TstSecrets : public QObject, private SecretsPage
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
    void formForgetsWhatIsRemembered();
    void valuesAreCovered();
    void undoWithoutAMoveCoversNothing();
    void nothingIsUnderlinedBelowACover();
    void aShortValueIsToldWhileItIsTyped();

private:
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
};

void TstSecrets::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstSecrets::cleanupTestCase() { WindowFixture::stopEngine(); }

void TstSecrets::init() { vault.reset(); }

void TstSecrets::cleanup() { page.reset(); }

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

// Before the start: after it, the value may stand in a log already.
void TstSecrets::aShortValueIsToldWhileItIsTyped()
{
    SecretsDialog dialog(QStringLiteral("job"), {QStringLiteral("token"), QStringLiteral("user")}, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    const auto *help = find<QLabel>(&dialog, "secretsHelp");
    auto *token = find<QLineEdit>(&dialog, "secret-token");
    const QString warning = QStringLiteral("Output and logs show token as it is");
    QVERIFY(!help->text().contains(warning));
    QTest::keyClicks(token, QStringLiteral("xyz9"));
    QVERIFY2(help->text().contains(warning), qPrintable(help->text()));
    QTest::keyClicks(token, QStringLiteral("!!"));
    QVERIFY(!help->text().contains(warning));
    QTest::keyClicks(find<QLineEdit>(&dialog, "secret-user"), QStringLiteral("me"));
    QVERIFY(help->text().contains(QStringLiteral("Output and logs show user as it is")));
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
    // An undo goes there without being asked to show it.
    editor->view()->setFocus();
    page->undo();
    QTRY_VERIFY(page->bytes().contains("swordfish"));
    settle(page.get());
    QVERIFY(page->bytes().lastIndexOf('\n', editor->caret()) > page->bytes().indexOf("secrets:"));
    QVERIFY(isCovered("swordfish"));
    // Nor does the next one on the same line.
    page->redo();
    QTRY_VERIFY(page->bytes().contains("swxyzordfish"));
    settle(page.get());
    QVERIFY(page->bytes().lastIndexOf('\n', editor->caret()) > page->bytes().indexOf("secrets:"));
    QVERIFY(isCovered("swxyzordfish"));
    page->undo();
    QTRY_VERIFY(page->bytes().contains("swordfish"));
    settle(page.get());
    QVERIFY(isCovered("swordfish"));
    editor->setCaret(page->bytes().indexOf("swordfish") + 4);
    QTRY_VERIFY(!isCovered("swordfish"));
    page->redo();
    QTRY_VERIFY(page->bytes().contains("swxyzordfish"));
    editor->setCaret(0);
    QTRY_VERIFY(isCovered("swxyzordfish"));
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

// The last stroke of the underline stood out beside the bar.
// Only the place where an undo has put the caret stays covered, and not the one where the user goes after an undo that
// has left the caret where it was.
void TstSecrets::undoWithoutAMoveCoversNothing()
{
    show();
    auto *editor = page->findChild<YamlEditor *>();
    const auto isCovered = [&](const QByteArray &text) { return editor->isCovered(page->bytes().indexOf(text)); };
    editor->view()->setFocus();
    const qsizetype at = page->bytes().indexOf("with_secrets");
    editor->setCaret(at);
    settle(page.get());
    QTest::keyClicks(editor->view(), QStringLiteral("q"));
    settle(page.get());
    editor->setCaret(at);
    settle(page.get());
    page->undo();
    QVERIFY(page->bytes().contains("name: with_secrets"));
    QCOMPARE(editor->caret(), at);
    settle(page.get());
    QVERIFY(isCovered("swordfish"));
    editor->setCaret(page->bytes().indexOf("swordfish") + 2);
    QTRY_VERIFY(!isCovered("swordfish"));
}

void TstSecrets::nothingIsUnderlinedBelowACover()
{
    show();
    auto *editor = page->findChild<YamlEditor *>();
    const qsizetype at = page->bytes().indexOf("swordfish");
    QVERIFY(editor->isCovered(at));
    Diagnostic problem;
    problem.code = QStringLiteral("yaml.syntax");
    problem.severity = Severity::Warning;
    problem.at = {at - 2, at + qsizetype(std::strlen("swordfish"))};
    editor->setDiagnostics({problem});
    const auto isUnderlined
        = [&](qsizetype offset) { return editor->view()->hasIndicator(CodeView::WarningSquiggle, offset); };
    QVERIFY(isUnderlined(at - 2)); // the key before it is
    QVERIFY(!isUnderlined(at));
    QVERIFY(!isUnderlined(at + 8));
    QSignalSpy moved(editor->view(), &CodeView::caretMoved);
    editor->view()->setFocus();
    editor->setCaret(at + 2);
    QTRY_COMPARE(moved.size(), 1); // else a caret that is back where it was has not moved
    QTRY_VERIFY(!editor->isCovered(at));
    QVERIFY(isUnderlined(at));
    QVERIFY(isUnderlined(at + 8));
    editor->setCaret(0);
    QTRY_VERIFY(editor->isCovered(at));
    QVERIFY(!isUnderlined(at));
}

TRAINYARD_GUI_TEST(TstSecrets)
#include "tst_secrets.moc"
