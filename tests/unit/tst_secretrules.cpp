// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/rules.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/ruletexts.h"

#include <QJsonDocument>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ruletexts;
using namespace Qt::StringLiterals;

// What the rules say of secrets in commands and in the text of a job.
class TstSecretRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfSecretsOnly();
    void secretsInShells_data();
    void secretsInShells();
    void givenSecretsInShells();
    void secretsInArguments_data();
    void secretsInArguments();
    void secretsTwiceInALine();
};

// No diagnostic carries a secret's value.
void TstSecretRules::namesOfSecretsOnly()
{
    for (const QByteArray &secrets : {QByteArray("secrets: hunter2secret\n"), QByteArray("secrets: [hunter2secret]\n"),
             QByteArray("secrets: {a: 0777, b: {c: hunter2secret}}\n"),
             QByteArray("secrets:\n  a: 12:30\n  b: hunter2secret\n")}) {
        const QByteArray job = tail(secrets);
        for (const Diagnostic &each : parseJob(job).diagnostics) {
            const QByteArray args = QJsonDocument(each.args).toJson();
            for (const char *value : {"hunter2secret", "0777", "12:30", "750", "511"}) {
                QVERIFY2(!args.contains(value), args.constData());
            }
        }
    }
}

// YAML reads ": " as the end of a key; the fix makes the command what its author wrote.
// What the shell makes of the value of a secret depends on the quotes around it.
void TstSecretRules::secretsInShells_data()
{
    QTest::addColumn<QByteArray>("command"); // in double quotes of YAML
    QTest::addColumn<QByteArray>("value"); // the same
    QTest::addColumn<QString>("code"); // empty: nothing is said
    const auto row = [](const char *name, const char *command, const char *value, const QString &code) {
        QTest::newRow(name) << QByteArray(command) << QByteArray(value) << code;
    };
    const QString changed = u"secrets.shell"_s, quote = u"secrets.shell-quote"_s;
    row("a word", "login <% $secrets.a %>", "hunter2-3.4", {});
    row("a variable", "login <% $secrets.a %>", "pa$word", changed);
    row("a variable in double quotes", R"(login \"<% $secrets.a %>\")", "pa$word", changed);
    row("a variable in single quotes", "login '<% $secrets.a %>'", "pa$word", {});
    row("behind single quotes", "login 'me' <% $secrets.a %>", "pa$word", changed);
    row("behind a quote that is none", R"(echo \\' <% $secrets.a %>)", "pa$word", changed);
    row("a dollar that is only that", "login <% $secrets.a %>", "password$", {});
    row("blanks", "login <% $secrets.a %>", "two words", changed);
    row("blanks in double quotes", R"(login \"<% $secrets.a %>\")", "two words", {});
    row("another command", "login <% $secrets.a %>", "a;reboot", changed);
    row("another command in double quotes", R"(login \"<% $secrets.a %>\")", "a`reboot`", changed);
    row("a backslash", "login <% $secrets.a %>", R"(pass\\word)", changed);
    row("a backslash in double quotes", R"(login \"<% $secrets.a %>\")", R"(pass\\word)", {});
    row("the end of the single quotes", "login '<% $secrets.a %>'", "it's-me", quote);
    row("a single quote without quotes", "login <% $secrets.a %>", "it's-me", quote);
    row("a single quote in double quotes", R"(login \"<% $secrets.a %>\")", "it's-me", {});
    row("a comment", "true # <% $secrets.a %>", "pa$word", {});
    row("behind a comment", R"(true # it's\nlogin <% $secrets.a %>)", "pa$word", changed);
    row("a here-document", R"(cat <<'END'\n<% $secrets.a %>\nEND)", "pa$word", {});
    row("the end of a line", R"(A=<% $secrets.a %>)", R"(hunter2\n)", {});
    row("asked for", "login <% $secrets.a %>", "******", u"secrets.shell-unquoted"_s);
    row("asked for, in a comment", "true # <% $secrets.a %>", "******", {});
    row("asked for, in single quotes", "login '<% $secrets.a %>'", "******", u"secrets.shell-asked"_s);
    row("asked for, in double quotes", R"(login \"<% $secrets.a %>\")", "******", u"secrets.shell-asked"_s);
    row("asked for, in a here-document", R"(read -r A <<'END'\n<% $secrets.a %>\nEND)", "******", {});
}

void TstSecretRules::secretsInShells()
{
    QFETCH(QByteArray, command);
    QFETCH(QByteArray, value);
    QFETCH(QString, code);
    const QByteArray secrets = "secrets: {a: \"" + value + "\"}\n";
    const QByteArray ofPlugin = "extras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: cmd\n      parameters:\n"
                                "        preCommands: [\""
        + command + "\"]\n";
    for (const QByteArray &job : QList<QByteArray>{commands("[\"" + command + "\"]", secrets),
             step("{event: taskStarts, commands: [\"" + command + "\"]}") + secrets, tail(secrets + ofPlugin)}) {
        const ParseOutcome outcome = parseJob(job);
        QVERIFY2(outcome.canRun(), job.constData());
        QStringList said;
        for (const Diagnostic &each : outcome.diagnostics) {
            if (each.code.startsWith(u"secrets.shell"_s)) {
                said.append(each.code);
                QVERIFY(job.mid(each.at.begin, each.at.length()).contains("$secrets.a"));
            }
        }
        QCOMPARE(said.join(u' '), code);
    }
}

// Values that are given beside the text are checked like those in it.
void TstSecretRules::givenSecretsInShells()
{
    const QByteArray job = commands("[\"login <% $secrets.a %> '<% $secrets.b %>' <% $secrets.c %>\"]",
        "secrets: {a: '******', b: '******', c: 'x;y'}\n");
    const ParseOutcome outcome = parseJob(job);
    QVERIFY(outcome.spec);
    const auto codes = [&outcome](const QMap<QString, QString> &given) {
        QStringList said;
        for (const Diagnostic &each : findingsOfGivenSecrets(outcome.document, *outcome.spec, given)) {
            said.append(each.code + u' ' + each.args.value(u"name"_s).toString());
        }
        return said;
    };
    QCOMPARE(codes({{u"a"_s, u"ab&Q7hZ9"_s}, {u"b"_s, u"ab&Q7hZ9"_s}}), QStringList{u"secrets.shell a"_s});
    QCOMPARE(codes({{u"a"_s, u"plain-value"_s}, {u"b"_s, u"it's-one"_s}}), QStringList{u"secrets.shell-quote b"_s});
    QCOMPARE(codes({}), QStringList());
}

// Only the arguments of programs can be read by everyone on the host.
void TstSecretRules::secretsInArguments_data()
{
    QTest::addColumn<QByteArray>("command"); // in a block of YAML
    QTest::addColumn<bool>("isSaid");
    const auto row = [](const char *command, bool isSaid) { QTest::newRow(command) << QByteArray(command) << isSaid; };
    row("curl -u <% $secrets.a %>", true);
    row("echo <% $secrets.a %> | login", false);
    row("for i in 1 2 3; do echo \"w <% $secrets.a %>\"; done", false);
    row("for i in 1 2 3; do curl \"w <% $secrets.a %>\"; done", true);
    row("if true; then printf %s '<% $secrets.a %>'; else echo <% $secrets.a %>; fi", false);
    row("if ! test <% $secrets.a %> = x; then true; fi", false);
    row("while [ <% $secrets.a %> ]; do break; done", false);
    row("a && { echo <% $secrets.a %>; }", false);
    row("a || (echo <% $secrets.a %>)", false);
    row("time echo <% $secrets.a %>", false);
    row("A=1 B='x y' echo <% $secrets.a %>", false);
    row("A=1 B='x y' curl <% $secrets.a %>", true);
    row("curl do echo <% $secrets.a %>", true);
    row("env echo <% $secrets.a %>", true);
    row("echo \"a; b $(date) <% $secrets.a %>\"", false);
    row("echo \"$(curl -u <% $secrets.a %>)\"", true);
    row("echo x; curl <% $secrets.a %>", true);
    row("A=$(curl <% $secrets.a %>)", true);
    row("export A=\"x <% $secrets.a %>\"", false);
    row("if true; then A=<% $secrets.a %> ./train; fi", false);
    row("echo x \\\n        <% $secrets.a %>", false);
    row("curl x \\\n        <% $secrets.a %>", true);
    row("login <<<\"<% $secrets.a %>\"", false);
}

void TstSecretRules::secretsInArguments()
{
    QFETCH(QByteArray, command);
    const QByteArray job = commands("\n      - |\n        " + command, "secrets: {a: b}\n");
    const ParseOutcome outcome = parseJob(job);
    QVERIFY2(outcome.canRun(), job.constData());
    const bool isThere = std::any_of(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"secrets.in-argument"_s; });
    QTEST(isThere, "isSaid");
}

// Each of several references that read the same has its own place.
void TstSecretRules::secretsTwiceInALine()
{
    const QByteArray job = commands("[\"login '<% $secrets.a %>' '<% $secrets.a %>'\"]", "secrets: {a: '******'}\n");
    const ParseOutcome outcome = parseJob(job);
    QVERIFY(outcome.canRun());
    QList<qsizetype> places;
    for (const Diagnostic &each : outcome.diagnostics) {
        if (each.code == u"secrets.shell-asked"_s) {
            places.append(each.at.begin);
        }
    }
    const qsizetype first = job.indexOf("<%");
    QCOMPARE(places, (QList<qsizetype>{first, job.indexOf("<%", first + 1)}));
}

TRAINYARD_TEST(TstSecretRules)
#include "tst_secretrules.moc"
