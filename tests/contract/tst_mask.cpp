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
    void shells_data();
    void shells();
    void linesOfBase64_data();
    void linesOfBase64();
    void linesArriveInPieces();
    void otherTextsStay();
    void showsLinesAtOnce();
    void linesWithoutWordsStay();
    void lineThatBeginsWithASlash();
    void holdsLittle();
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
    row("quoted by a shell", {QStringLiteral("it's-A-pass$word9")}, R"(x 'it'\''s-A-pass$word9' y)", "x '******' y");
    row("by Python", {QStringLiteral("it's-A-pass$word9")}, R"(x 'it'"'"'s-A-pass$word9' y)", "x '******' y");
    row("in quotes", {QStringLiteral("it's-A-pass$word9")}, R"(PW="it's-A-pass\$word9")", R"(PW="******")");
    row("quoted twice", {QStringLiteral("it's-A-pass$word9")}, R"('ssh '"'"'it'"'"'"'"'"'"'"'"'s-A-pass$word9'"'"'')",
        R"('ssh '"'"'******'"'"'')");
    row("by the coreutils", {QStringLiteral("one\ntwo's")}, R"('one'$'\n''two'\''s')", "'******'");
    row("doubled", {QStringLiteral("it's \"quoted\"")}, R"('it''s "quoted"', "it's ""quoted""")",
        R"('******', "******")");
    row("JSON in JSON", {QStringLiteral("Tr0ub4'dor\"$3-xyz")}, R"("{\"a\": \"Tr0ub4'dor\\\"$3-xyz\"}")",
        R"("{\"a\": \"******\"}")");
    row("JSON three times", {QStringLiteral("dor\"$3-xyz")}, R"(\\\"dor\\\\\\\"$3-xyz\\\")", R"(\\\"******\\\")");
    row("by number", {QStringLiteral("it's<b>")},
        R"(it\u0027s\u003cb\u003e it\x27s\074b\076 it&#039;s&lt;b&#62; it%2527s%3Cb%3e)",
        "****** ****** ****** ******");
    row("slash of PHP", {QStringLiteral("key/with/two")}, R"(key\/with\/two)", "******");
    row("other text behind", {QStringLiteral("it's-A-pass")}, R"('it'\''s-A-path')", R"('it'\''s-A-path')");
    const QString json
        = QStringLiteral(R"({"id":"x","key":"-----BEGIN KEY-----\nMIIEvQ9aBcD\r\nxy12ZZ==\nordinary\n"})");
    row("lines decoded from JSON", {json}, "-----BEGIN KEY-----\nMIIEvQ9aBcD\nxy12ZZ==\nordinary\nid\n",
        "******\n******\n******\nordinary\nid\n");
    row("lines decoded from JSON in JSON", {QStringLiteral(R"("{\"key\":\"first77line\\nsecond88line\"}")")},
        "a first77line\nsecond88line b", "a ******\n****** b");
    row("lines of a key in one line", {QStringLiteral(R"(BEGIN KEY\nMIIEvQ9aBcD\nxy12ZZ==)")},
        "got MIIEvQ9aBcD and xy12ZZ==", "got ****** and ******");
    row("characters decoded from JSON", {QStringLiteral(R"({"key":"abc\u0026def123\ud83d\ude00x"})")},
        "k=abc&def123\xf0\x9f\x98\x80x;", "k=******;");
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
    QTest::newRow("quotes") << QStringLiteral("Tr0ub4'dor\"$3-xyz`\\!");
}

void TstMask::spellingsOfRealPrograms()
{
    QFETCH(QString, secret);
    const QString script = QStringLiteral(R"PY(
import base64, html, json, shlex, sys, urllib.parse
s = sys.argv[1]
b = s.encode()
j = json.dumps({"a": s})
go = json.dumps(s, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
for text in (s, repr(s), json.dumps(s), json.dumps(s, ensure_ascii=False), json.dumps({"k": s}), go,
             urllib.parse.quote(s), urllib.parse.quote(s, safe=""), urllib.parse.quote_plus(s),
             "https://u:%s@h/" % urllib.parse.quote(s, safe=""),
             html.escape(s), html.escape(s, quote=False), base64.b64encode(b).decode(),
             base64.urlsafe_b64encode(b).decode(), base64.b64encode(b"u:" + b).decode(),
             base64.b64encode(b"me:" + b).decode(), base64.b64encode(b"ada:" + b).decode(),
             base64.b64encode(b + b":x").decode(), b.hex(), b.hex().upper(), json.dumps(j), json.dumps(json.dumps(j)),
             repr(repr(s)), repr(b), ascii(s), shlex.quote(s).replace("\n", "\\n"), repr(shlex.quote(s)),
             repr(shlex.quote(shlex.quote(s))), html.escape(html.escape(s)), urllib.parse.quote(urllib.parse.quote(s)),
             json.dumps(s).replace("/", "\\/")):
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

void TstMask::shells_data()
{
    QTest::addColumn<QString>("secret");
    QTest::newRow("apostrophe") << QStringLiteral("it's-A-pass$word9");
    QTest::newRow("both quotes") << QStringLiteral("Tr0ub4'dor\"$3-x`y`\\z!");
    QTest::newRow("two lines") << QStringLiteral("first li'ne\nand the second");
}

void TstMask::shells()
{
    QFETCH(QString, secret);
    const QString script = QStringLiteral(R"SH(
export PW
printf 'A%q\n' "$PW"
echo "A${PW@Q}"
declare -p PW
export -p | grep -A1 ' PW='
set | grep -A1 '^PW='
set -x
: "$PW"
: login --password="$PW"
set +x
env printf 'A%q\n' "$PW"
sh -xc ': "$PW"'
)SH");
    QProcess bash;
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), qEnvironmentVariable("PATH"));
    environment.insert(QStringLiteral("PW"), secret);
    bash.setProcessEnvironment(environment);
    bash.setProcessChannelMode(QProcess::MergedChannels);
    bash.start(QStringLiteral("bash"), {QStringLiteral("-c"), script});
    QVERIFY(bash.waitForFinished());
    const std::string text = bash.readAllStandardOutput().toStdString();
    const Secrets hidden({secret.toStdString()});
    const QByteArray shown = QByteArray::fromStdString(inPieces(hidden, text, nullptr));
    QVERIFY2(shown.count("******") >= 9, shown.constData());
    for (const char *part : {"A-pass", "word9", "ub4", "dor", "3-x", "first", "second"}) {
        QVERIFY2(!secret.contains(QLatin1String(part)) || !shown.contains(part), shown.constData());
    }
}

void TstMask::linesOfBase64_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<QByteArray>("lineBreak");
    for (const int width : {20, 60, 64, 76}) {
        QTest::addRow("%d", width) << width << QByteArray("\n");
    }
    QTest::newRow("CRLF") << 76 << QByteArray("\r\n");
    QTest::newRow("indented") << 76 << QByteArray("\n        ");
    QTest::newRow("in JSON") << 76 << QByteArray("\\n");
    QTest::newRow("in JSON of JSON") << 76 << QByteArray("\\\\n");
    QTest::newRow("narrow, in JSON") << 10 << QByteArray("\\n");
    QTest::newRow("words") << 76 << QByteArray(" ");
    QTest::newRow("of a log") << 64 << QByteArray("\n12:31:07 [worker-0] INFO ");
}

static QByteArray broken(const QByteArray &code, int width, const QByteArray &lineBreak)
{
    QByteArrayList lines;
    for (qsizetype at = 0; at < code.size(); at += width) {
        lines.append(code.mid(at, width));
    }
    return lines.join(lineBreak);
}

// Whatever stands in front of the value and behind it: no four characters of the code that it alone decides are left
// beside each other, but for the end of a line that has others in front.
void TstMask::linesOfBase64()
{
    QFETCH(int, width);
    QFETCH(QByteArray, lineBreak);
    const QByteArray token
        = "github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789abcdefghijKLMNOPQRSTUVWXYZ0123456789abc";
    const Secrets hidden({token.toStdString()});
    for (int before = 0; before < 80; ++before) {
        for (const char *behind : {"", "\n", ":xy"}) {
            const QByteArray code = QByteArray(QByteArray(before, '*') + token + behind).toBase64();
            const qsizetype first = (before * 8 + 5) / 6;
            const qsizetype last = (before + token.size()) * 8 / 6;
            const QByteArray text = broken(code, width, lineBreak) + "\nnext\n";
            const QByteArray shown = QByteArray::fromStdString(inPieces(hidden, text.toStdString(), nullptr));
            QVERIFY2(shown.contains("******") && shown.endsWith("\nnext\n"), shown.constData());
            const int longestLeft = lineBreak.contains("INFO") ? 8 : 4;
            for (qsizetype at = first; at + longestLeft <= last; ++at) {
                QVERIFY2(!shown.contains(code.mid(at, longestLeft)), QByteArray(text + " -> " + shown).constData());
            }
        }
    }
}

void TstMask::linesArriveInPieces()
{
    QRandomGenerator random(7);
    for (int round = 0; round < 400; ++round) {
        QByteArray secret;
        for (int i = random.bounded(6, 120); i > 0; --i) {
            secret += "ab'\"\\$\n-Zq9"[random.bounded(11)];
        }
        QByteArray code = QByteArray(QByteArray(random.bounded(4), '.') + secret).toBase64();
        QByteArray quoted = secret;
        quoted.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        const QByteArray text = "x " + broken(code, random.bounded(8, 80), random.bounded(2) ? "\n" : "\\n") + " \""
            + quoted + "\" '" + QByteArray(secret).replace('\'', "'\\''") + "'\n" + secret.left(random.bounded(0, 6))
            + '\n';
        const Secrets hidden({secret.toStdString()});
        const std::string whole = inPieces(hidden, text.toStdString(), nullptr);
        QCOMPARE(inPieces(hidden, text.toStdString(), &random), whole);
    }
}

void TstMask::otherTextsStay()
{
    const Secrets hidden(
        {"it's-A-pass$word9", "github_pat_11ABCDEFG0aBcDeFgHiJkL", "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG"});
    QRandomGenerator random(11);
    QByteArray text;
    for (int line = 0; line < 20000; ++line) {
        QByteArray bytes;
        for (int i = 0; i < 45; ++i) {
            bytes += char(random.bounded(256));
        }
        text += "2026-11-30 04:19:47 epoch " + QByteArray::number(line) + " loss=0."
            + QByteArray::number(random.bounded(100000)) + " it's-A-path it\\'s \\\\ '\"'\"' "
            + (line % 2 ? bytes.toBase64() : bytes.toHex()) + "\n";
    }
    QCOMPARE(QByteArray::fromStdString(inPieces(hidden, text.toStdString(), nullptr)), text);
}

// A line is held back only when it ends with several characters of a code of the secret.
void TstMask::showsLinesAtOnce()
{
    const Secrets hidden({"token-7788-abc"}); // dG9rZW4tNzc4OC1hYm
    Masker masker(hidden);
    std::string out;
    for (const char *line : {"epoch 15\n", "kind d\n", "kind dG\n", "done\r", "token\n", "value: \\n\n"}) {
        out.clear();
        masker.push(line, out);
        QCOMPARE(out, std::string(line));
    }
    out.clear();
    masker.push("kind dG9r\n", out);
    QCOMPARE(out, std::string("kind "));
    masker.push("other\n", out);
    QCOMPARE(out, std::string("kind dG9r\nother\n"));
}

// Lines of a value that say nothing of it, as those of a key in JSON.
void TstMask::linesWithoutWordsStay()
{
    const Secrets hidden({"{\n        \n    \"key\": \"a-b-c-d\"\n    }],\n--------\n"});
    const std::string others = "        x\n    }],\n--------\n";
    QCOMPARE(inPieces(hidden, others, nullptr), others);
    QCOMPARE(inPieces(hidden, "    \"key\": \"a-b-c-d\"\n", nullptr), std::string("******\n"));
}

// The line break that is written as \n looks like the backslash in front of a slash.
void TstMask::lineThatBeginsWithASlash()
{
    const Secrets hidden({"what???is-it"});
    for (const char *text : {"x d2hhdD8\\n/P2lzLWl0 y", "x d2hhdD8\\/P2lzLWl0 y", "x d2hhdD8\n/P2lzLWl0 y"}) {
        QCOMPARE(inPieces(hidden, text, nullptr), std::string("x ****** y"));
    }
}

// Whatever is printed behind the start of a secret: not all of it is kept in memory.
void TstMask::holdsLittle()
{
    const Secrets hidden({"it's\\-A-pass", "github_pat_11ABCDEFG0aBcDeFgHiJkL", "what???is-it"}); // d2hhdD8/P2lzLWl0
    for (const std::string &start :
        {std::string("it"), std::string("it's"), std::string("Z2l0aHViX3BhdF8xMUFCQ0RFRkcw"), std::string("d2hhdD8")}) {
        for (const char more : {'\\', '\'', '"', '\n', ' '}) {
            Masker masker(hidden);
            std::string out;
            masker.push(start, out);
            masker.push(std::string(10000, more), out);
            QVERIFY2(out.size() > 9500, qPrintable(QString::number(out.size())));
        }
    }
}

#include "tst_mask.moc"
