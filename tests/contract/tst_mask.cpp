// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/mask.h"
#include "tests/helpers/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

using namespace trainyard::agent;

class TstMask : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cases_data();
    void cases();
    void everySplitIsTheSame();
    void holdsBack();
};
TRAINYARD_TEST(TstMask)

static std::string inPieces(const Secrets &secrets, const std::string &text, QRandomGenerator *random)
{
    Masker masker(secrets);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = random ? std::min<std::size_t>(text.size() - at, 1 + random->bounded(4)) : text.size();
        masker.push(std::string_view(text).substr(at, size), out);
        at += size;
    }
    masker.finish(out);
    return out;
}

void TstMask::cases_data()
{
    QTest::addColumn<QStringList>("secrets");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char *name, const QStringList &secrets, const char *text, const char *shown) {
        QTest::newRow(name) << secrets << QString::fromUtf8(text) << QString::fromUtf8(shown);
    };
    row("plain", {QStringLiteral("hunter22")}, "pw=hunter22\n", "pw=******\n");
    row("too short to hide", {QStringLiteral("abc12")}, "abc12", "abc12");
    row("twice", {QStringLiteral("hunter22")}, "hunter22hunter22", "************");
    row("begun only", {QStringLiteral("hunter22")}, "hunter2", "hunter2");
    row("false begin", {QStringLiteral("aaaaaab")}, "aaaaaaaab", "aa******");
    row("longest wins", {QStringLiteral("secret"), QStringLiteral("secret-long")}, "secret-long secret-lo",
        "****** ******-lo");
    row("overlapping", {QStringLiteral("abcdef"), QStringLiteral("defghi")}, "xabcdefghix", "x******x");
    row("one in another", {QStringLiteral("middle"), QStringLiteral("in-middle-of")}, "in-middle-of", "******");
    row("lines", {QStringLiteral("BEGIN KEY\nline-two\nab\nline-four")}, "x line-four y line-two ab",
        "x ****** y ****** ab");
    row("lines whole", {QStringLiteral("BEGIN KEY\nline-two")}, "BEGIN KEY\nline-two", "******");
    row("inside a held one", {QStringLiteral("xxabcdefzz"), QStringLiteral("abcdef")}, "xxabcdefz.", "xx******z.");
}

void TstMask::cases()
{
    QFETCH(QStringList, secrets);
    QFETCH(QString, text);
    std::vector<std::string> values;
    for (const QString &secret : secrets) {
        values.push_back(secret.toStdString());
    }
    const Secrets hidden(values);
    QTEST(QString::fromStdString(inPieces(hidden, text.toStdString(), nullptr)), "shown");
}

void TstMask::everySplitIsTheSame()
{
    // Few letters make many near misses.
    QRandomGenerator random(3);
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::string> values;
        for (int i = random.bounded(1, 5); i > 0; --i) {
            std::string value;
            for (int k = random.bounded(6, 10); k > 0; --k) {
                value += char('a' + random.bounded(2));
            }
            values.push_back(value);
        }
        std::string text;
        for (int k = random.bounded(0, 60); k > 0; --k) {
            text += char('a' + random.bounded(2));
        }
        const Secrets hidden(values);
        const std::string whole = inPieces(hidden, text, nullptr);
        QCOMPARE(inPieces(hidden, text, &random), whole);
        for (const std::string &value : values) {
            QVERIFY(whole.find(value) == std::string::npos);
        }
    }
}

void TstMask::holdsBack()
{
    const Secrets hidden({"hunter22"});
    Masker masker(hidden);
    std::string out;
    masker.push("login hunt", out);
    QCOMPARE(out, std::string("login "));
    masker.push("er22 done", out);
    QCOMPARE(out, std::string("login ****** done"));
    masker.push(" hun", out);
    masker.finish(out);
    QCOMPARE(out, std::string("login ****** done hun"));
    QCOMPARE(masker.count(), std::uint64_t(1));
}

#include "tst_mask.moc"
