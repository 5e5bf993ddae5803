// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/mask.h"
#include "tests/helpers/testregistry.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

using namespace trainyard::contract;

class TstMask : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cases_data();
    void cases();
    void everySplitIsTheSame();
    void holdsBack();
    void holdsOnlyWhatBeginsASpelling();
    void spellingsOfRealPrograms_data();
    void spellingsOfRealPrograms();
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

// base64 behind another byte may begin with any character: "0b2tlbi03Nzg4LWFiY" is such a spelling.
void TstMask::holdsOnlyWhatBeginsASpelling()
{
    const Secrets hidden({"token-7788-abc"});
    Masker masker(hidden);
    std::string out;
    masker.push("bar 15/20", out);
    QCOMPARE(out, std::string("bar 15/2"));
    masker.push("\rbar 16/21", out); // nothing begins with "1"
    QCOMPARE(out, std::string("bar 15/20\rbar 16/21"));
    masker.push(" user:", out);
    masker.push("x0b2tl", out);
    masker.push("bi03Nzg4LWFiYw==", out);
    masker.finish(out);
    QCOMPARE(out, std::string("bar 15/20\rbar 16/21 user:x******w=="));
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

void TstMask::spellingsOfRealPrograms_data()
{
    QTest::addColumn<QString>("secret");
    QTest::newRow("key") << QStringLiteral("wJalr/XUtnFEMI+K7MDENG/bPx==Rfi\"CY");
    QTest::newRow("signs") << QStringLiteral("Qx7 v'N3&<lea>k\\Me;$5512 *");
    QTest::newRow("other letters") << QStringLiteral("Pässwört-Ключ-\U0001F511");
    QTest::newRow("lines") << QStringLiteral("first line\nsecond\tline");
    QTest::newRow("short") << QStringLiteral("a b&c/");
}

void TstMask::spellingsOfRealPrograms()
{
    QFETCH(QString, secret);
    const QString script = QStringLiteral(R"PY(
import base64, html, json, shlex, sys, urllib.parse
s = sys.argv[1]
b = s.encode()
go = json.dumps(s, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
for text in (s, repr(s), json.dumps(s), json.dumps(s, ensure_ascii=False), json.dumps({"k": s}), go,
             urllib.parse.quote(s), urllib.parse.quote(s, safe=""), urllib.parse.quote_plus(s),
             "https://u:%s@h/" % urllib.parse.quote(s, safe=""),
             html.escape(s), html.escape(s, quote=False), base64.b64encode(b).decode(),
             base64.urlsafe_b64encode(b).decode(), base64.b64encode(b"u:" + b).decode(),
             base64.b64encode(b"me:" + b).decode(), base64.b64encode(b"ada:" + b).decode(),
             base64.b64encode(b + b":x").decode(), b.hex(), b.hex().upper()):
    print(text.replace("\n", "\\n") if text is s else text)
)PY");
    QProcess python;
    python.start(QStringLiteral("python3"), {QStringLiteral("-c"), script, secret});
    QVERIFY(python.waitForFinished());
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    QProcess bash;
    bash.start(QStringLiteral("bash"),
        {QStringLiteral("-c"), QStringLiteral("printf '%q\\n' \"$1\""), QStringLiteral("bash"), secret});
    QVERIFY(bash.waitForFinished());
    QByteArrayList lines = python.readAllStandardOutput().trimmed().split('\n');
    const QByteArray quoted = bash.readAllStandardOutput().trimmed();
    if (!quoted.startsWith("$'")) { // what bash cannot write otherwise
        lines.append(quoted);
    }
    const Secrets hidden({secret.toStdString()});
    for (const QByteArray &line : std::as_const(lines)) {
        const std::string shown = inPieces(hidden, line.toStdString(), nullptr);
        QVERIFY2(shown.find("******") != std::string::npos, line.constData());
        // What is left of a base64 text are letters that the bytes beside the secret decide as well.
        const QByteArray left = line + " -> " + QByteArray::fromStdString(shown);
        QVERIFY2(shown.size() < 40, left.constData());
    }
}

#include "tst_mask.moc"
