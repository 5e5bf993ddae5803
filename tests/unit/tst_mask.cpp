// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/mask.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/plugins.h"
#include "model/protocol/unmask.h"
#include "model/template/render.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QJsonDocument>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstMask : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void masks_data();
    void masks();
    void refuses_data();
    void refuses();
    void maskedIsReadBack();
    void passwordOfALogin();
    void secretsAsAWhole();
    void valuesInTheText_data();
    void valuesInTheText();
    void shortestIsTheKeepers();
    void comesBackFromTheFile_data();
    void comesBackFromTheFile();
    void comesBackWhole_data();
    void comesBackWhole();
    void staysWithItsLogin();
};

void TstMask::masks_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("masked");
    const auto row = [](const char *name, const char *bytes, const char *masked) {
        QTest::newRow(name) << QByteArray(bytes) << QByteArray(masked);
    };
    row("none", "name: x\n", "name: x\n");
    row("plain", "secrets:\n  a: hunter2\nname: x\n", "secrets:\n  a: \"******\"\nname: x\n");
    row("quoted", "secrets:\n  a: 'hunter2'\n  b: \"hun\\nter2\"\n", "secrets:\n  a: \"******\"\n  b: \"******\"\n");
    row("multi-line quoted", "secrets:\n  a: \"hun\n    ter2\"\nname: x\n", "secrets:\n  a: \"******\"\nname: x\n");
    row("multi-line plain", "secrets:\n  a: hunter2\n    more\nname: x\n", "secrets:\n  a: \"******\"\nname: x\n");
    row("literal", "secrets:\n  a: |\n    hunter2\n    more\n  b: c\nname: x\n",
        "secrets:\n  a: \"******\"\n  b: \"******\"\nname: x\n");
    row("folded at the end", "name: x\nsecrets:\n  a: >-\n    hunter2\n    more", "name: x\nsecrets:\n  a: \"******\"");
    row("keep", "secrets:\n  a: |+\n    hunter2\n\n\nname: x\n", "secrets:\n  a: \"******\"\n\nname: x\n");
    row("flow", "secrets: {a: hunter2, b: [c, d]}\nname: x\n", "secrets: {a: \"******\", b: \"******\"}\nname: x\n");
    row("nested", "secrets:\n  r:\n    user: u\n    pw: hunter2\nname: x\n",
        "secrets:\n  r:\n    \"******\"\nname: x\n");
    row("list inside", "secrets:\n  r:\n    - u\n    - hunter2\nname: x\n",
        "secrets:\n  r:\n    \"******\"\nname: x\n");
    row("text", "secrets: hunter2 # hunter2\nname: x\n", nullptr);
    row("list", "secrets:\n- hunter2\nname: x\n", "secrets:\n\"******\"\nname: x\n");
    row("number", "secrets: {a: 12345, b: null}\n", "secrets: {a: \"******\", b: \"******\"}\n");
    row("no value", "secrets:\n  a:\n  b: hunter2\n", "secrets:\n  a:\n  b: \"******\"\n");
    row("null", "secrets:\nname: x\n", "secrets:\nname: x\n");
    row("quoted key", "\"secrets\":\n  a: hunter2\nname: x\n", "\"secrets\":\n  a: \"******\"\nname: x\n");
    row("comments in the block",
        "secrets:\n  # was hunter1\n  a: hunter2 # hunter3\n  # b: hunter4\n# about x\nname: x\n",
        "secrets:\n  \n  a: \"******\" \n  \n# about x\nname: x\n");
    row("crlf", "name: a\r\nsecrets:\r\n  p: hunter2\r\nz: 1\r\n",
        "name: a\r\nsecrets:\r\n  p: \"******\"\r\nz: 1\r\n");
    row("crlf literal", "secrets:\r\n  p: |\r\n    hunter2\r\nz: 1\r\n", "secrets:\r\n  p: \"******\"\r\nz: 1\r\n");
    row("already", "secrets: \"******\"\n", "secrets: \"******\"\n");
    row("anchored", "secrets:\n  a: &p hunter2\nextras: {x: *p}\n", "secrets:\n  a: &p \"******\"\nextras: {x: *p}\n");
    row("anchored inside", "secrets:\n  r: {pw: &p hunter2, u: x}\nextras: {x: *p}\n",
        "secrets:\n  r: {pw: &p \"******\", u: \"******\"}\nextras: {x: *p}\n");
    row("alias", "extras: {x: &p hunter2}\nsecrets: {a: *p}\n", "extras: {x: &p \"******\"}\nsecrets: {a: *p}\n");
    row("alias of all", "extras: {x: &p {a: hunter2}}\nsecrets: *p\n",
        "extras: {x: &p {a: \"******\"}}\nsecrets: *p\n");
    row("merged", "extras: {x: &p {a: hunter2}}\nsecrets: {<<: *p, b: hunter3}\n",
        "extras: {x: &p {a: \"******\"}}\nsecrets: {<<: *p, b: \"******\"}\n");
    row("twice", "secrets: {a: hunter2}\nname: x\nsecrets: {a: hunter3}\n",
        "secrets: {a: \"******\"}\nname: x\nsecrets: {a: \"******\"}\n");
    row("second document", "name: x\nsecrets: {a: hunter2}\n---\na: hunter3\n", "name: x\nsecrets: {a: \"******\"}\n");
    row("tagged", "secrets: {a: !!str 123}\n", "secrets: {a: !!str \"******\"}\n");
    row("bom", "\xef\xbb\xbfsecrets: {a: hunter2}\n", "\xef\xbb\xbfsecrets: {a: \"******\"}\n");
    row("elsewhere", "extras:\n  secrets: {a: b}\nname: x\n", "extras:\n  secrets: {a: b}\nname: x\n");
    const auto login = [](const QByteArray &auth, const char *more = "") -> QByteArray {
        return QByteArray("prerequisites:\n  - name: i\n    type: dockerimage\n    uri: a\n" + auth + more);
    };
    const auto rowOf = [](const char *name, const QByteArray &bytes, const QByteArray &masked) {
        QTest::newRow(name) << bytes << masked;
    };
    rowOf("login", login("    auth:\n      username: u\n      password: hunter2 # hunter3\n", "name: x # stays\n"),
        login("    auth:\n      username: u\n      password: \"******\" \n", "name: x # stays\n"));
    rowOf("login in flow", login("    auth: {password: 'hunter2', username: u}\n", "name: x # stays\n"),
        login("    auth: {password: \"******\", username: u}\n", "name: x # stays\n"));
    rowOf("login with an old password", login("    auth:\n      # password: hunter3\n      password: hunter2\n"),
        login("    auth:\n      \n      password: \"******\"\n"));
    rowOf("login in lines", login("    auth:\n      password: |\n        hunter2\n      username: u\n"),
        login("    auth:\n      password: \"******\"\n      username: u\n"));
    rowOf("login of a secret", login("    auth: {password: <% $secrets.p %>}\n"),
        login("    auth: {password: <% $secrets.p %>}\n"));
    rowOf("login of a number", login("    auth: {password: 12345}\n"), login("    auth: {password: \"******\"}\n"));
    rowOf("login by an alias", "extras: {x: &p hunter2}\n" + login("    auth: {password: *p}\n"),
        "extras: {x: &p \"******\"}\n" + login("    auth: {password: *p}\n"));
    rowOf("login that is merged", "extras: {x: &p {password: hunter2}}\n" + login("    auth: {<<: *p, username: u}\n"),
        "extras: {x: &p {password: \"******\"}}\n" + login("    auth: {<<: *p, username: u}\n"));
    rowOf("login twice", login("    auth: {password: hunter2, password: hunter3}\n"),
        login("    auth: {password: \"******\", password: \"******\"}\n"));
    row("hash in a value", "secrets:\n  a: hunter#2\n  b: 'x # y'\nname: x # stays\n",
        "secrets:\n  a: \"******\"\n  b: \"******\"\nname: x # stays\n");
}

void TstMask::masks()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, masked);
    const Result<QByteArray> result = maskSecrets(bytes);
    QVERIFY2(result, result ? "" : qPrintable(result.error().code));
    if (!masked.isNull()) {
        QCOMPARE(*result, masked);
    }
    QVERIFY(YamlDocument::parse(*result).isComplete());
    for (const char *secret : {"hunter2", "hunter3", "hunter4", "12345"}) {
        const bool outside = bytes.contains("# hunter2"); // a comment behind the block is not ours to judge
        QVERIFY2(outside || !result->contains(secret), result->constData());
    }
    const Result<QByteArray> again = maskSecrets(*result);
    QVERIFY(again);
    QCOMPARE(*again, *result);
}

void TstMask::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("not yaml") << QByteArray("secrets: {a: hunter2\nname: [\n");
    QTest::newRow("unclosed quote") << QByteArray("secrets:\n  a: \"hunter2\n");
    QTest::newRow("not utf-8") << QByteArray("secrets: {a: \xff}\n");
    QTest::newRow("list") << QByteArray("- secrets\n");
    QTest::newRow("empty") << QByteArray();
}

void TstMask::refuses()
{
    QFETCH(QByteArray, bytes);
    const Result<QByteArray> result = maskSecrets(bytes);
    QVERIFY(!result);
    QCOMPARE(result.error().code, u"mask.unreadable"_s);
}

void TstMask::maskedIsReadBack()
{
    const QByteArray job
        = "protocolVersion: 2\nname: t\ntype: job\nsecrets: {a: x, b: {c: d}}\n"
          "prerequisites: [{name: i, type: dockerimage, uri: a}]\ntaskRoles:\n  w:\n    dockerImage: i\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: [echo <% $secrets.a %>]\n";
    const ParseOutcome outcome = parseJob(*maskSecrets(job));
    QVERIFY(outcome.canRun());
    QVERIFY(parseJob(*maskSecrets(job), CheckMode::Strict).canRun());
    QCOMPARE(outcome.spec->askedSecrets, (QStringList{u"a"_s, u"b"_s}));
}

// A password that stands in the job is a secret of it, under the same name before and after it was taken out, and with
// the fix it is one in the text as well.
void TstMask::passwordOfALogin()
{
    const QByteArray job
        = "protocolVersion: 2\nname: t\ntype: job\nsecrets: {my_image_password: x}\nprerequisites:\n  - name: "
          "my-image\n"
          "    type: dockerimage\n    uri: a\n    auth: {username: u, password: hunter2}\ntaskRoles:\n  w:\n"
          "    dockerImage: my-image\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
          "    commands: [echo <% $secrets.my_image_password %>]\n";
    const ParseOutcome literal = parseJob(job);
    QVERIFY(literal.canRun());
    const QString name = u"my_image_password_2"_s;
    QVERIFY(literal.spec->askedSecrets.isEmpty());
    QVERIFY(literal.spec->secrets.find(name));
    QCOMPARE(*literal.spec->secrets.find(name), Value(u"hunter2"_s));
    QCOMPARE(renderAuth(*literal.spec, *literal.spec->prerequisites.first().auth)->password, u"hunter2"_s);

    const ParseOutcome masked = parseJob(*maskSecrets(job));
    QVERIFY(masked.canRun());
    QCOMPARE(masked.spec->askedSecrets, (QStringList{u"my_image_password"_s, name}));
    QCOMPARE(renderAuth(*masked.spec, *masked.spec->prerequisites.first().auth).error().code, u"secret.missing"_s);
    JobSpec filled = *masked.spec;
    filled.secrets = literal.spec->secrets; // as the engine keeps them
    QCOMPARE(renderAuth(filled, *filled.prerequisites.first().auth)->password, u"hunter2"_s);

    const auto warning = std::find_if(literal.diagnostics.cbegin(), literal.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"prerequisite.auth-password"_s; });
    QVERIFY(warning != literal.diagnostics.cend());
    QVERIFY(!QJsonDocument(warning->args).toJson().contains("hunter2"));
    const Result<TextEdits> edits = planFix(literal.document, warning->fixes.first());
    QVERIFY(edits);
    const QByteArray fixed = applyEdits(job, *edits);
    QVERIFY2(fixed.contains("password: <% $secrets.my_image_password_2 %>}"), fixed.constData());
    QVERIFY2(fixed.contains("my_image_password_2: hunter2"), fixed.constData());
    const ParseOutcome outcome = parseJob(fixed);
    QVERIFY(outcome.canRun());
    QCOMPARE(renderAuth(*outcome.spec, *outcome.spec->prerequisites.first().auth)->password, u"hunter2"_s);
}

// Whoever is asked for the secrets of such a text must know their names.
void TstMask::secretsAsAWhole()
{
    const auto job = [](const QByteArray &secrets) {
        return QByteArray("protocolVersion: 2\nname: t\ntype: job\n" + secrets
            + "parameters: {login: <% $secrets.user %>}\nprerequisites:\n  - {name: i, type: dockerimage, uri: a, "
              "auth: "
              "{password: <% $secrets.pull %>}}\ntaskRoles:\n  w:\n    dockerImage: i\n"
              "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
              "    commands: [echo <% $secrets.key %>, echo <% $secrets.key %> <% $parameters.login %>]\n");
    };
    const ParseOutcome outcome = parseJob(job("secrets: \"******\"\n"));
    QVERIFY(outcome.canRun());
    QCOMPARE(outcome.spec->askedSecrets, (QStringList{u"pull"_s, u"user"_s, u"key"_s}));
    const auto note = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"secrets.masked-named"_s; });
    QVERIFY(note != outcome.diagnostics.cend());
    const Result<TextEdits> edits = planFix(outcome.document, note->fixes.first());
    QVERIFY(edits);
    QCOMPARE(applyEdits(outcome.document.bytes(), *edits),
        job("secrets: {pull: \"******\", user: \"******\", key: \"******\"}\n"));
}

void TstMask::valuesInTheText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("values"); // name=value
    QTest::newRow("none") << QByteArray("name: a\n") << QStringList();
    QTest::newRow("taken out") << QByteArray("secrets: {a: '******', b: '', c: null, d: }\n") << QStringList();
    QTest::newRow("plain") << QByteArray("secrets:\n  a: hunter2 # not this\n  b: \"x y\"\n")
                           << QStringList{u"a=hunter2"_s, u"b=\"x y\""_s};
    QTest::newRow("lines") << QByteArray("secrets:\n  key: |\n    one\n    two\nname: a\n")
                           << QStringList{u"key=|\n    one\n    two"_s};
    QTest::newRow("a map") << QByteArray("secrets: {pair: {user: u, key: k}}\n")
                           << QStringList{u"pair={user: u, key: k}"_s};
    QTest::newRow("an alias") << QByteArray("x: &it hunter2\nsecrets: {a: *it}\n") << QStringList{u"a=hunter2"_s};
    QTest::newRow("no map") << QByteArray("secrets: hunter2\n") << QStringList{u"=hunter2"_s};
    QTest::newRow("a login") << QByteArray("prerequisites:\n  - {name: i, type: dockerimage, uri: a, auth: {password: "
                                           "hunter2}}\n")
                             << QStringList{u"=hunter2"_s};
    QTest::newRow("read in part") << QByteArray("secrets:\n  a: hunter2\nname: [\n") << QStringList{u"a=hunter2"_s};
}

void TstMask::valuesInTheText()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, values);
    QStringList found;
    const QList<SecretValue> all = secretValuesIn(YamlDocument::parse(text));
    for (const SecretValue &value : all) {
        found.append(
            value.name + u'=' + QString::fromUtf8(text.mid(value.mask.range.begin, value.mask.range.length())));
    }
    QCOMPARE(found, values);
}

// The checks must say what the keeper does.
void TstMask::shortestIsTheKeepers() { QCOMPARE(std::size_t(shortestMaskedSecret), contract::Secrets::shortest); }

void TstMask::comesBackFromTheFile_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *text, const char *file, const char *expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(file) << QByteArray(expected);
    };
    row("plain", "name: y\nsecrets:\n  a: \"******\"\n", "name: x\nsecrets:\n  a: hunter2 # mine\n",
        "name: y\nsecrets:\n  a: hunter2\n");
    row("quoted, in another order", "secrets:\n  b: \"******\"\n  a: '******'\n", "secrets: {a: 'x y', b: \"z\"}\n",
        "secrets:\n  b: \"z\"\n  a: 'x y'\n");
    row("typed anew", "secrets: {a: new, b: \"******\"}\n", "secrets: {a: old, b: kept}\n",
        "secrets: {a: new, b: kept}\n");
    row("not in the file", "secrets: {c: \"******\"}\n", "secrets: {a: old}\n", "secrets: {c: \"******\"}\n");
    row("only secrets", "x: \"******\"\n", "x: old\nsecrets: {x: a}\n", "x: \"******\"\n");
    row("several lines", "secrets:\n  a: \"******\"\n", "secrets:\n  a: |\n    b\n    c\n",
        "secrets:\n  a: |\n    b\n    c\n");
    row("several lines, of another name", "secrets:\n  a: \"******\"\n", "secrets:\n  d: |\n    b\n    c\n",
        "secrets:\n  a: \"******\"\n");
    row("plain with a comma, between brackets", "secrets: {a: \"******\"}\n", "secrets:\n  a: b, c\n",
        "secrets: {a: \"******\"}\n");
    row("a file that cannot be read", "secrets: {a: \"******\"}\n", "secrets: {a: b\n", "secrets: {a: \"******\"}\n");
    row("a file with tabs", "secrets:\n  a: \"******\" # x\n  b: \"******\"\n",
        "x:\n\ta: 1\nsecrets:\n\ta: hunter2 # mine\n\t'b' : \"b: #c\"\n",
        "secrets:\n  a: hunter2 # x\n  b: \"b: #c\"\n");
    row("a file with tabs and several lines", "secrets:\n  a: \"******\"\n", "secrets:\n\ta: |\n\t\tb\n",
        "secrets:\n  a: \"******\"\n");
    row("a file with tabs and two of them", "secrets:\n  a: \"******\"\n", "secrets:\n\ta: b\n\tx:\n\t\ta: c\n",
        "secrets:\n  a: \"******\"\n");
    row("a file with tabs and another place", "secrets:\n  a: \"******\"\n", "parameters:\n\ta: b\nsecrets:\n\tc: d\n",
        "secrets:\n  a: \"******\"\n");
    row("a text that cannot be read", "secrets: {a: \"******\"\n", "secrets: {a: b}\n", "secrets: {a: \"******\"\n");
}

// Whatever masking takes comes back into a text that was changed elsewhere, to the byte.
void TstMask::comesBackWhole_data()
{
    QTest::addColumn<QByteArray>("file");
    const auto row = [](const char *name, const QByteArray &file) { QTest::newRow(name) << file; };
    row("a key over several lines", "name: x\nsecrets:\n  key: |  # of the host\n    -----BEGIN\n    AbC=\n\n  b: z\n");
    row("comments", "name: x\nsecrets: # mine\n  # from the admins\n  a: b # since May\n  # old: c\n");
    row("maps",
        "name: x\nsecrets:\n  registry:\n    username: u # me\n    password: p\n  other: {user: v, key: 'w'}\n");
    row("one value", "name: x\nsecrets: hunter2 # all\n");
    row("CRLF", "name: x\r\nsecrets:\r\n  a: |\r\n    b\r\n    c\r\n  # d\r\n");
    row("a login",
        "name: x\nprerequisites:\n  - name: i\n    type: dockerimage\n    uri: a\n    auth:\n"
        "      username: u\n      password: p # mine\n");
    row("two logins that look alike",
        "name: x\nprerequisites:\n  - name: i\n    type: dockerimage\n    uri: a\n    auth:\n      password: p\n"
        "  - name: j\n    type: dockerimage\n    uri: b\n    auth:\n      password: q\n");
    row("a second document", "name: x\nsecrets: {a: \"<% $secrets.b %>\"}\n---\nb: hunter2\n");
}

void TstMask::comesBackWhole()
{
    QFETCH(QByteArray, file);
    const Result<QByteArray> masked = maskSecrets(file);
    QVERIFY(masked);
    QVERIFY(*masked != file);
    const auto changed = [](const QByteArray &bytes) { return QByteArray(bytes).replace("name: x", "# new\nname: y"); };
    QCOMPARE(withSecretsOf(*masked, file), file);
    QCOMPARE(withSecretsOf(changed(*masked), file), changed(file));
}

// A password is not given to another login, however much the two look alike.
void TstMask::staysWithItsLogin()
{
    const QByteArray first = "  - name: i\n    type: dockerimage\n    uri: a\n    auth:\n      password: PW\n";
    const QByteArray second = "  - name: j\n    type: dockerimage\n    uri: b\n    auth:\n      password: PW\n";
    const auto with = [](QByteArray item, const char *password) { return item.replace("PW", password); };
    const QByteArray file = "name: x\nprerequisites:\n" + with(first, "p") + with(second, "q");
    const char *masked = "\"******\"";
    const QByteArray onlySecond = "name: x\nprerequisites:\n" + with(second, masked);
    QCOMPARE(withSecretsOf(onlySecond, file), "name: x\nprerequisites:\n" + with(second, "q"));
    const QByteArray elsewhere = "name: x\nprerequisites:\n" + with(second, masked).replace("uri: b", "uri: c");
    QCOMPARE(withSecretsOf(elsewhere, file), elsewhere);
}

void TstMask::comesBackFromTheFile()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, file);
    QTEST(withSecretsOf(text, file), "expected");
}

TRAINYARD_TEST(TstMask)
#include "tst_mask.moc"
