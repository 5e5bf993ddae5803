// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clustertoken.h"
#include "app/common/clustersecrets.h"
#include "tests/helpers/fakevault.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What becomes of the token of a cluster that the command line removes.
class TstClusterToken : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokenLeavesTheKeyring_data()
    {
        QTest::addColumn<bool>("isThere");
        QTest::addColumn<bool>("hasToken");
        QTest::addColumn<QString>("unread");
        QTest::addColumn<bool>("refuses");
        QTest::addColumn<QString>("answer"); // "gone", "none", or the code of an error
        QTest::addColumn<QString>("said");
        QTest::newRow("it is taken out") << true << true << QString() << false << u"gone"_s << QString();
        QTest::newRow("there is none") << true << false << QString() << false << u"none"_s << QString();
        QTest::newRow("no keyring") << false << true << QString() << false << u"none"_s << QString();
        QTest::newRow("none answers") << true << true << u"keyring.none"_s << false << u"none"_s << QString();
        QTest::newRow("it cannot be looked up")
            << true << true << u"keyring.not-read"_s << false << u"keyring.not-read"_s
            << u"The token of openpai:lab may still be in the keyring: This desktop's keyring did not give the value."_s;
        QTest::newRow("it stays")
            << true << true << QString() << true << u"keyring.not-deleted"_s
            << u"The token of openpai:lab is still in the keyring: This desktop's keyring did not delete the value."_s;
    }

    void tokenLeavesTheKeyring()
    {
        QFETCH(const QString, said);
        QFETCH(const bool, hasToken);
        const QString target = u"openpai:lab"_s, key = QString(clusterSecrets) + u'/' + target;
        FakeVault vault;
        QFETCH(bool, isThere);
        vault.there = isThere;
        QFETCH(bool, refuses);
        vault.refuses = refuses;
        QFETCH(QString, unread);
        vault.unread = unread;
        if (hasToken) {
            vault.kept.insert(key, u"a-token"_s);
        }
        const Result<bool> taken = cli::takeOutToken(vault, target);
        QTEST(taken ? (*taken ? u"gone"_s : u"none"_s) : taken.error().code, "answer");
        QCOMPARE(vault.kept.contains(key), hasToken && !taken.value_or(false));
        if (!taken) {
            const QString text = cli::leftTokenText(target, taken.error());
            QVERIFY2(text.startsWith(said), qPrintable(text));
            QVERIFY2(text.contains(u"'trainyardctl targets remove openpai:lab'"_s), qPrintable(text));
        }
    }
};

TRAINYARD_TEST(TstClusterToken)
#include "tst_clustertoken.moc"
