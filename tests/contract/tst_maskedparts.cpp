// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/mask.h"
#include "engine/contract/spellings.h"
#include "tests/helpers/testregistry.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace trainyard::contract;

// Parts of secrets that a shell shows which has read a value as its own text.
class TstMaskedParts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void parts_data();
    void parts();
    void whatShellsSay_data();
    void whatShellsSay();
    void everySplitIsTheSame();
};
TRAINYARD_TEST(TstMaskedParts)

void TstMaskedParts::parts_data()
{
    QTest::addColumn<QByteArray>("secret");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char *name, const char *secret, const char *text, const char *shown) {
        QTest::newRow(name) << QByteArray(secret) << QByteArray(text) << QByteArray(shown);
    };
    row("behind an ampersand", "ab&Q7hZ9kLm42WxPpRtY88", "Q7hZ9kLm42WxPpRtY88: not found", "******: not found");
    row("in front of a semicolon", "LongTail8878;Pa", "LongTail8878: not found", "******: not found");
    row("the name of a variable", "p$ecretWord99-xyzzyMORE", "ecretWord99: unbound variable",
        "******: unbound variable");
    row("behind a variable", "p$ecretWord99-xyzzyMORE", "p-xyzzyMORE", "******");
    row("behind an argument", "secre$1tail9x", "secretail9x", "******");
    row("in braces", "Pa${LongTail8876}more", "LongTail8876: unbound", "******: unbound");
    row("around a command", "Abcd9$(x)efg", "Abcd9efg", "******");
    row("around a command in backquotes", "Abcd9`x`efg", "Abcd9efg", "******");
    row("without quotes", "Abc\"Def12\"'Ghi'45", "AbcDef12Ghi45", "******");
    row("without backslashes", "a\\&b\\;cdefg1", "a&b;cdefg1", "******");
    row("in braces with a comma", "Abc{Def1,Ghi2xx}xyz", "AbcDef1xyz Ghi2xxxyz", "****** ******");
    row("a word of braces", "{x,SecretLong99}", "x SecretLong99", "x ******");
    row("behind a row of braces", "Pa{1..3}LongTail8879", "Pa1LongTail8879", "Pa1******");
    row("words", "Pa LongTail8879 more", "unrecognized: LongTail8879 more", "unrecognized: ******");
    row("words of a phrase", "correct horse battery staple", "horse battery staple.", "******.");
    row("a list of words", "correct horse battery staple", "['correct', 'horse', 'battery']", "['******']");
    row("most of the value", "ab&hunterxyz", "hunterxyz", "******");
    row("a line of several", "user: ab\n  ab&hunterxyz12", "x hunterxyz12 x", "x ****** x");
    row("escaped in JSON", "x;LongT\xc3\xa4il8878", "{\"a\": \"LongT\\u00e4il8878\"}", "{\"a\": \"******\"}");
    row("behind a word that the value often has", "a1 of b2 of c3 of d4 of e5 of f6 of g7 of h8 of i9 of LongTail8877",
        "of LongTail8877", "of ******");
    // Ordinary words stay.
    row("a word of a phrase", "correct horse battery staple", "the battery is full", "the battery is full");
    row("a common word of a short phrase", "my training run", "training_loss of a run", "training_loss of a run");
    row("two words of a short phrase", "my training run", "unrecognized: training run", "unrecognized: ******");
    row("nearly all of a phrase", "Pa hunterxyz", "hunterxyz", "******");
    row("a program in a command", "run python now", "python: can't open file", "python: can't open file");
    row("the name of a file", "python train.py", "File \"train.py\", line 3", "File \"train.py\", line 3");
    row("signs of a phrase", "Pa #*!%+=? more", "#*!%+=?", "******");
    row("a short part", "ab&Q7hZ9;LongTail8878", "Q7hZ9", "Q7hZ9");
    row("a key of JSON", "{\"type\": \"account\", \"key\": \"abcdefghijklmnopqrstuvw\"}", "type account 1",
        "type account 1");
    row("another word", "ab&hunterxyz", "hunterxy hunter", "hunterxy hunter");
    row("the head of a key", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
        "PRIVATE -----BEGIN CERTIFICATE-----", "PRIVATE -----BEGIN CERTIFICATE-----");
}

void TstMaskedParts::parts()
{
    QFETCH(const QByteArray, secret);
    QFETCH(const QByteArray, text);
    QTEST(QByteArray::fromStdString(masked(Secrets({secret.toStdString()}), text.toStdString())), "shown");
}

void TstMaskedParts::whatShellsSay_data()
{
    QTest::addColumn<QByteArray>("secret");
    QTest::addColumn<QByteArray>("script");
    const QList<QByteArray> secrets{"ab&Q7hZ9kLm42WxPpRtY88", "Pa;LongTail8878", "p$ecretWord99xyzzyMORE",
        "Pa$$word$LongTail8876", "Pa LongTail8879 more", "Pa|LongTail8879", "x`LongTail8875`", "a(LongTail8874)",
        "Long\\Tail\\8873", "a<LongTail8872", "Lo\"ngTail\"8871", "Pa{x,LongTail8870}"};
    const QList<QByteArray> scripts{"export KEY=@", "export KEY=\"@\"", "export KEY='@'", "@", "set -x; : --token @",
        "printf '%s\\n' @", "eval @", "python3 -c 'import argparse; argparse.ArgumentParser().parse_args()' @"};
    for (const QByteArray &secret : secrets) {
        for (const QByteArray &script : scripts) {
            QTest::newRow(QByteArray(secret + " in " + script).constData()) << secret << script;
        }
    }
}

// Whatever bash makes of it, no seven letters and digits of the value that stand beside each other are in clear.
void TstMaskedParts::whatShellsSay()
{
    QFETCH(const QByteArray, secret);
    QFETCH(QByteArray, script);
    QTemporaryDir folder;
    QProcess bash;
    bash.setWorkingDirectory(folder.path());
    bash.setProcessChannelMode(QProcess::MergedChannels);
    bash.start(QStringLiteral("bash"), {QStringLiteral("-u")});
    bash.write(script.replace('@', secret) + '\n');
    bash.closeWriteChannel();
    QVERIFY(bash.waitForFinished());
    const Secrets hidden({secret.toStdString()});
    const std::string said = bash.readAll().toStdString();
    const QByteArray shown = QByteArray::fromStdString(masked(hidden, said));
    for (qsizetype at = 0; at + 7 <= secret.size(); ++at) {
        const QByteArray part = secret.mid(at, 7);
        const bool isWord = std::all_of(part.cbegin(), part.cend(), isLetterOrDigit);
        QVERIFY2(!isWord || !shown.contains(part), shown.constData());
    }
}

void TstMaskedParts::everySplitIsTheSame()
{
    QRandomGenerator random(5);
    constexpr std::string_view letters = "ab'\"\\$\n-Zq9 ;({`,}";
    for (int round = 0; round < 3000; ++round) {
        std::string value, text;
        for (int i = random.bounded(6, 60); i > 0; --i) {
            value += letters[random.bounded(int(letters.size()))];
        }
        for (int i = 0; i < 3; ++i) {
            const std::size_t begin = random.bounded(int(value.size()));
            text += value.substr(begin, random.bounded(int(value.size() - begin) + 1));
            text += letters[random.bounded(int(letters.size()))];
        }
        const Secrets hidden({value});
        Masker masker(hidden);
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = std::min<std::size_t>(text.size() - at, 1 + random.bounded(4));
            masker.push(std::string_view(text).substr(at, size), out);
            at += size;
        }
        masker.finish(out);
        QCOMPARE(out, masked(hidden, text));
    }
}

#include "tst_maskedparts.moc"
