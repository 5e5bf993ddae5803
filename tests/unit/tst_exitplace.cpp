// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitplace.h"
#include "model/protocol/jobdocument.h"
#include "model/yaml/valueline.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which line of a job's text an error of the shell is about.
class TstExitPlace : public QObject
{
    Q_OBJECT

    static QByteArray jobWith(const QByteArray &commands, const QByteArray &more = {})
    {
        return "protocolVersion: 2\nname: train\ntype: job\n"
               "parameters: {lr: 0.1, none: '', two: \"a\\nb\", batch: {size: 8}}\n"
               "secrets: {key: \"one\\ntwo\\nthree\"}\n"
            + more + "taskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}\n    commands:\n"
            + commands;
    }

    static QList<ScriptLine> linesOf(const QByteArray &yaml)
    {
        const ParseOutcome outcome = parseJob(yaml);
        return outcome.spec ? scriptLines(*outcome.spec, *outcome.spec->role(u"w"_s)) : QList<ScriptLine>();
    }

    static FailureFacts factsOf(
        const QString &text, const QJsonObject &args, const QString &cause = u"command-missing"_s)
    {
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = u"certain"_s;
        facts.line = 1;
        facts.text = text;
        facts.args = args;
        return facts;
    }

private Q_SLOTS:
    void rowsOfTheScript()
    {
        const QList<ScriptLine> lines
            = linesOf(jobWith("      - \"\\n  echo <% $parameters.two %>  \\n\"\n"
                              "      - |\n        echo <% $secrets.key %>\n\n        last\n"));
        QCOMPARE(lines.size(), 4);
        const QString second = u"/taskRoles/w/commands/1"_s;
        const auto textOf = [&lines](int row) {
            const ScriptLine *line = scriptLineAt(lines, row);
            return line ? line->text : u"none"_s;
        };
        QCOMPARE(textOf(0), u"none"_s);
        QCOMPARE(textOf(1), u"echo <% $parameters.two %>"_s);
        QCOMPARE(textOf(2), u"echo <% $parameters.two %>"_s); // its value has two lines
        QCOMPARE(textOf(3), u"echo <% $secrets.key %>"_s);
        QCOMPARE(textOf(5), u"echo <% $secrets.key %>"_s);
        QCOMPARE(textOf(6), QString());
        QCOMPARE(textOf(7), u"last"_s);
        QCOMPARE(textOf(8), u"none"_s);
        QCOMPARE(lines.at(0).line, 1); // a blank line is before it
        QCOMPARE(lines.at(3).path.toPointer(), second);
        QCOMPARE(lines.at(3).line, 2);
        QVERIFY(!lines.at(1).filled.contains(u"two"_s)); // values of secrets stay out
    }

    void rowsOfADeployment()
    {
        const QList<ScriptLine> lines = linesOf(jobWith("      - work\n",
            "defaults: {deployment: prod}\ndeployments:\n  - name: dev\n    taskRoles: {w: {preCommands: [no]}}\n"
            "  - name: prod\n    taskRoles: {w: {preCommands: [first], postCommands: [last]}}\n"));
        QStringList pointers;
        for (const ScriptLine &line : lines) {
            pointers.append(line.path.toPointer());
        }
        QCOMPARE(pointers,
            (QStringList{u"/deployments/1/taskRoles/w/preCommands/0"_s, u"/taskRoles/w/commands/0"_s,
                u"/deployments/1/taskRoles/w/postCommands/0"_s}));
    }

    void places_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("at"); // empty: no place is told
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("reference");
        QTest::addColumn<QString>("empty");
        const QString first = u"/taskRoles/w/commands/0"_s, block = u"/taskRoles/w/commands/1"_s;
        QTest::newRow("a value") << u"/runs/0/w-0/0/task.sh: line 3: 0.1: command not found"_s << u"0.1"_s << block << 1
                                 << u"<% $parameters.lr %>"_s << QString();
        QTest::newRow("in memory") << u"/dev/fd/9: line 3: 0.1: command not found"_s << u"0.1"_s << block << 1
                                   << u"<% $parameters.lr %>"_s << QString();
        QTest::newRow("behind steps, whose lines come before")
            << u"/runs/0/w-0/0/task.sh: line 203: 0.1: command not found"_s << u"0.1"_s << block << 1
            << u"<% $parameters.lr %>"_s << QString();
        QTest::newRow("behind an empty value") << u"task.sh: line 4: --lr: command not found"_s << u"--lr"_s << block
                                               << 2 << QString() << u"<% $parameters.none %>"_s;
        QTest::newRow("a word") << u"bash: line 1: trian: command not found"_s << u"trian"_s << first << 0 << QString()
                                << QString();
        QTest::newRow("twice, without its line") << u"task.sh: line 99: trian: command not found"_s << u"trian"_s
                                                 << QString() << 0 << QString() << QString();
        QTest::newRow("a script of the user's")
            << u"job.sh: line 1: trian: command not found"_s << u"trian"_s << QString() << 0 << QString() << QString();
        QTest::newRow("a part of a word")
            << u"task.sh: line 1: tria: command not found"_s << u"tria"_s << QString() << 0 << QString() << QString();
        QTest::newRow("no shell") << u"trian: command not found"_s << u"trian"_s << QString() << 0 << QString()
                                  << QString();
    }
    void places()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, word);
        const QList<ScriptLine> lines
            = linesOf(jobWith("      - trian\n      - |\n        trian again\n        <% $parameters.lr %>\n"
                              "        <% $parameters.none %> --lr 1\n"));
        FailureFacts facts = factsOf(text, {{u"command"_s, word}});
        const FailureFacts placed = placedInCommands(facts, lines);
        QTEST(placed.args.value("at"_L1).toString(), "at");
        QTEST(placed.args.value("atLine"_L1).toInt(), "line");
        QTEST(placed.args.value("reference"_L1).toString(), "reference");
        QTEST(placed.args.value("emptyReference"_L1).toString(), "empty");
        QCOMPARE(jobPlace(placed).path.toPointer(), placed.args.value("at"_L1).toString());
        QCOMPARE(jobPlace(placed).line, placed.args.value("atLine"_L1).toInt());
        facts.onlyLast = true; // nothing shows that it is the cause
        QVERIFY(!placedInCommands(facts, lines).args.contains("at"_L1));
    }

    // bash names the line where it notices that something is missing, which may be a later one.
    void unresolvedReferences()
    {
        const QList<ScriptLine> lines = linesOf(
            jobWith("      - echo\n      - |\n        cat <%$parameters.lrr%>\n        <% $parameters.lrr %>\n"));
        const auto placed = [&lines](const QString &text) {
            return jobPlace(placedInCommands(
                factsOf(text, {{u"name"_s, u"<% $parameters.lrr %>"_s}}, u"reference-unresolved"_s), lines));
        };
        const YamlPath path{u"taskRoles"_s, u"w"_s, u"commands"_s, u"1"_s};
        QCOMPARE(placed(u"task.sh: line 3: %: No such file or directory"_s), (JobPlace{path, 1}));
        QCOMPARE(placed(u"task.sh: line 2: syntax error near unexpected token `newline'"_s), (JobPlace{path, 0}));
        QCOMPARE(placed(u"task.sh: line 9: syntax error near unexpected token `newline'"_s), (JobPlace{path, 0}));
    }

    void linesOfValues_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<int>("line");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("plain") << QByteArray("one") << 0 << QByteArray("one");
        QTest::newRow("literal") << QByteArray("|\n        one\n          two\n") << 1 << QByteArray("two");
        QTest::newRow("a blank line") << QByteArray("|-\n\n        one\n        two\n") << 2 << QByteArray("two");
        QTest::newRow("quoted") << QByteArray("\"one\\ntwo\"") << 1 << QByteArray("\"one");
        QTest::newRow("folded") << QByteArray(">\n        one\n\n        two\n") << 1 << QByteArray(">");
        QTest::newRow("too far") << QByteArray("|\n        one\n") << 7 << QByteArray("|");
    }
    void linesOfValues()
    {
        QFETCH(const QByteArray, command);
        QFETCH(const int, line);
        QFETCH(const QByteArray, begins);
        const QByteArray yaml = "commands:\n      - first\n      - " + command + "\nend: two\n";
        const auto document = YamlDocument::parse(yaml);
        QVERIFY(document.isWellFormed());
        const std::optional<qsizetype> at = valueLineAt(document, YamlPath{u"commands"_s, 1}, line);
        QVERIFY(at);
        QVERIFY2(yaml.mid(*at).startsWith(begins), yaml.mid(*at).constData());
        QVERIFY(!valueLineAt(document, YamlPath{u"commands"_s, 2}, 0));
    }
};

TRAINYARD_TEST(TstExitPlace)
#include "tst_exitplace.moc"
