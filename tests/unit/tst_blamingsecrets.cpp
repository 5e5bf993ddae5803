// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitjudge.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// When a syntax error of the commands is likely the value of a secret.
class TstBlamingSecrets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void causes_data()
    {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("secrets");
        QTest::addColumn<QString>("expected");
        const QString syntax = u"syntax-error"_s, secret = u"secret-in-script"_s;
        const QString unmatched = u"/dev/fd/9: line 6: unexpected EOF while looking for matching `''"_s;
        QTest::newRow("a quote") << syntax << unmatched << QStringList{u"token"_s} << secret;
        QTest::newRow("another descriptor")
            << syntax << u"/proc/self/fd/97: line 2: syntax error near unexpected token `('"_s
            << QStringList{u"token"_s} << secret;
        const QString folder = u"/home/a/.local/state/trainyard/runs/j/0/w-0/0/"_s;
        const QString said = u": line 2: syntax error near unexpected token `('"_s;
        for (const char *name : {"sealed/task.sh", "inside/task.sh", "commands", "inside/commands"}) {
            QTest::newRow(name) << syntax << QString(folder + QLatin1StringView(name) + said) << QStringList{u"token"_s}
                                << secret;
        }
        QTest::newRow("another script of that name")
            << syntax << QString(u"/home/a/work/task.sh"_s + said) << QStringList{u"token"_s} << syntax;
        QTest::newRow("no secret in the commands") << syntax << unmatched << QStringList() << syntax;
        QTest::newRow("a script of the user's")
            << syntax << u"job.sh: line 9: syntax error: unexpected end of file"_s << QStringList{u"token"_s} << syntax;
        QTest::newRow("another cause") << u"unset-variable"_s << u"/dev/fd/9: line 6: A: unbound variable"_s
                                       << QStringList{u"token"_s} << u"unset-variable"_s;
    }
    void causes()
    {
        QFETCH(const QString, cause);
        QFETCH(const QString, line);
        QFETCH(const QStringList, secrets);
        QFETCH(const QString, expected);
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = u"certain"_s;
        facts.text = line;
        QCOMPARE(blamingSecrets(facts, secrets).cause, expected);
    }

    void theSecretAndTheLineAreTold()
    {
        FailureFacts facts;
        facts.cause = u"syntax-error"_s;
        facts.text = u"/dev/fd/9: line 6: unexpected EOF while looking for matching `''"_s;
        const FailureFacts blamed = blamingSecrets(facts, {u"token"_s, u"key"_s});
        QCOMPARE(blamed.certainty, u"likely"_s);
        QCOMPARE(blamed.args,
            (QJsonObject{{u"said"_s, u"unexpected EOF while looking for matching `''"_s}, {u"scriptLine"_s, 6},
                {u"secrets"_s, u"token, key"_s}}));
    }

    // What bash makes of a reference that stays in the commands.
    void references_data()
    {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const QString reference = u"reference-unresolved"_s, variable = u"unset-variable"_s;
        QTest::newRow("a variable") << variable << u"/dev/fd/9: line 6: parameters: unbound variable"_s
                                    << u"parameters"_s << reference;
        QTest::newRow("another variable")
            << variable << u"/dev/fd/9: line 6: HOMES: unbound variable"_s << u"HOMES"_s << variable;
        QTest::newRow("a redirection") << u"command-missing"_s << u"/dev/fd/9: line 6: %: No such file or directory"_s
                                       << u"%"_s << reference;
        QTest::newRow("another file") << u"command-missing"_s << u"/dev/fd/9: line 6: 5%: No such file or directory"_s
                                      << u"5%"_s << u"command-missing"_s;
        QTest::newRow("the end of a line") << reference << u"/dev/fd/9: line 6: `a <% $parameters.lrr %>'"_s
                                           << u"<% $parameters.lrr %>"_s << reference;
    }
    void references()
    {
        QFETCH(const QString, cause);
        QFETCH(const QString, line);
        QFETCH(const QString, name);
        QFETCH(const QString, expected);
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = u"certain"_s;
        facts.text = line;
        facts.args = {{u"name"_s, name}};
        const UnresolvedReference lrr{u"$parameters.lrr"_s, u"$parameters"_s, u"lrr"_s, u"lr"_s};
        const FailureFacts blamed = blamingReferences(facts, {lrr});
        QCOMPARE(blamed.cause, expected);
        if (expected == u"reference-unresolved"_s) {
            QCOMPARE(blamed.args,
                (QJsonObject{
                    {u"name"_s, u"<% $parameters.lrr %>"_s}, {u"parameter"_s, u"lrr"_s}, {u"near"_s, u"lr"_s}}));
        } else {
            QCOMPARE(blamed.args, facts.args);
        }
        QCOMPARE(blamingReferences(facts, {}).cause, cause);
    }

    void secretsOfCommands()
    {
        TaskRole role;
        role.commands = {u"echo <% $parameters.a %> '<% $secrets.token %>'"_s,
            u"login <% $secrets.token %> <% $secrets.key %>"_s, u"train"_s};
        QCOMPARE(secretsInCommands(role), (QStringList{u"token"_s, u"key"_s}));
    }
};
TRAINYARD_TEST(TstBlamingSecrets)

#include "tst_blamingsecrets.moc"
