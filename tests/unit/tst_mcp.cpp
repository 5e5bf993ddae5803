// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpfiles.h"
#include "app/cli/mcpfound.h"
#include "app/cli/mcpprotocol.h"
#include "app/cli/mcptools.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::cli::mcp;

// What the server for assistants says to each message, which command answers each tool, and what does not get through:
// paths outside, floods, options in the place of words, and text that pretends to be more than text.
class TstMcp : public QObject
{
    Q_OBJECT

    static Offer offer()
    {
        return {u"trainyard"_s, u"1"_s, u"Read."_s, toolList(),
            [](const QString &tool, const QJsonObject &arguments) { return complaintAbout(tool, arguments); }};
    }

    static QByteArray request(const QByteArray &id, const QByteArray &method, const QByteArray &params = "{}")
    {
        return R"({"jsonrpc":"2.0","id":)" + id + ",\"method\":\"" + method + "\",\"params\":" + params + '}';
    }
    static QByteArray modern(const QByteArray &method, const QByteArray &more = {}, const QByteArray &id = "1")
    {
        return request(id, method,
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
            R"("io.modelcontextprotocol/clientCapabilities":{}})"
                + more + '}');
    }
    static QByteArray call(const QByteArray &tool, const QByteArray &arguments, const QByteArray &id = "1")
    {
        return request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + '}');
    }
    static QJsonObject only(const Outcome &outcome)
    {
        return outcome.messages.size() == 1 ? QJsonDocument::fromJson(outcome.messages.constFirst()).object()
                                            : QJsonObject();
    }
    static int errorOf(const Outcome &outcome)
    {
        return only(outcome).value("error"_L1).toObject().value("code"_L1).toInt();
    }
    static QJsonObject resultOf(const Outcome &outcome) { return only(outcome).value("result"_L1).toObject(); }
    static QString agreed(Protocol &protocol, const QByteArray &version)
    {
        const Outcome outcome
            = protocol.take(request(R"("first")", "initialize",
                                "{\"protocolVersion\":\"" + version
                                    + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}"),
                0);
        return resultOf(outcome).value("protocolVersion"_L1).toString();
    }
    static void initialized(Protocol &protocol) { agreed(protocol, "2025-11-25"); }

    static QStringList commandOf(const QString &tool, const QByteArray &arguments, const QStringList &roots = {})
    {
        const QJsonObject object = QJsonDocument::fromJson(arguments).object();
        const QString complaint = complaintAbout(tool, object);
        if (!complaint.isEmpty()) {
            return {u"!"_s, complaint};
        }
        const auto begun = toolNamed(tool)->begin(object, *Roots::of(roots));
        return begun ? begun->arguments : QStringList{u"!"_s, begun.error()};
    }

    static void write(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

private Q_SLOTS:
    void versionsAreAgreedOn_data()
    {
        QTest::addColumn<QByteArray>("asked");
        QTest::addColumn<QString>("agreed");
        for (const char *const version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
            QTest::newRow(version) << QByteArray(version) << QString::fromLatin1(version);
        }
        QTest::newRow("of another era") << QByteArray("2026-07-28") << u"2025-11-25"_s;
        QTest::newRow("unknown") << QByteArray("1.0") << u"2025-11-25"_s;
    }
    void versionsAreAgreedOn()
    {
        QFETCH(QByteArray, asked);
        QFETCH(QString, agreed);
        Protocol protocol(offer());
        QCOMPARE(TstMcp::agreed(protocol, asked), agreed);
    }

    void legacySession()
    {
        Protocol protocol(offer());
        QCOMPARE(only(protocol.take(request("7", "ping"), 0)).value("id"_L1).toInt(), 7);
        QCOMPARE(errorOf(protocol.take(request("1", "tools/list"), 0)), -32602);
        initialized(protocol);
        QCOMPARE(errorOf(protocol.take(request("1", "initialize", R"({"protocolVersion":"2025-11-25"})"), 0)), -32600);
        QVERIFY(protocol.take(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", 0).messages.isEmpty());
        const QJsonObject list = resultOf(protocol.take(request(R"("a")", "tools/list"), 0));
        QCOMPARE(list.keys(), QStringList{u"tools"_s});
        QCOMPARE(list.value("tools"_L1).toArray().size(), tools().size());
        const Outcome begun = protocol.take(call("jobs", "{}", R"("b")"), 0);
        QVERIFY(begun.messages.isEmpty());
        QCOMPARE(begun.calls.size(), 1);
        QCOMPARE(begun.calls.constFirst().tool, u"jobs"_s);
        const Outcome done = protocol.finish(begun.calls.constFirst().number, {u"text"_s, {{u"total"_s, 0}}, false});
        QCOMPARE(only(done).value("id"_L1).toString(), u"b"_s);
        QCOMPARE(resultOf(done).value("isError"_L1).toBool(true), false);
        QCOMPARE(resultOf(done).value("content"_L1).toArray().at(0).toObject().value("text"_L1).toString(), u"text"_s);
        QCOMPARE(protocol.open(), 0);
    }

    void modernRequests()
    {
        Protocol protocol(offer());
        const QJsonObject found = resultOf(protocol.take(modern("server/discover"), 0));
        QCOMPARE(found.value("supportedVersions"_L1).toArray(), QJsonArray{u"2026-07-28"_s});
        QCOMPARE(found.value("resultType"_L1).toString(), u"complete"_s);
        QCOMPARE(found.value("cacheScope"_L1).toString(), u"private"_s);
        QCOMPARE(found.value("capabilities"_L1).toObject().keys(), (QStringList{u"resources"_s, u"tools"_s}));
        const QJsonObject server
            = found.value("_meta"_L1).toObject().value("io.modelcontextprotocol/serverInfo"_L1).toObject();
        QCOMPARE(server.value("name"_L1).toString(), u"trainyard"_s);
        QVERIFY(resultOf(protocol.take(modern("tools/list"), 0)).contains("ttlMs"_L1));
        const Outcome begun = protocol.take(modern("tools/call", R"(,"name":"hosts")"), 0);
        QCOMPARE(begun.calls.size(), 1);
        QCOMPARE(resultOf(protocol.finish(begun.calls.constFirst().number, {u"x"_s, {}, true})).value("resultType"_L1),
            QJsonValue(u"complete"_s));
        for (const char *const gone :
            {"initialize", "ping", "logging/setLevel", "resources/subscribe", "prompts/list"}) {
            QCOMPARE(errorOf(protocol.take(modern(gone), 0)), -32601);
        }
    }

    void wrongMessages_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code"); // 0: no answer
        const auto with
            = [](const QByteArray &meta) { return request("1", "tools/list", R"({"_meta":)" + meta + '}'); };
        QTest::newRow("no JSON") << QByteArray("{\"jsonrpc\":") << -32700;
        QTest::newRow("no UTF-8") << QByteArray("{\"a\":\"\xff\xfe\"}") << -32700;
        QTest::newRow("deep") << QByteArray(100000, '[') << -32700;
        QTest::newRow("a number") << QByteArray("17") << -32700;
        QTest::newRow("a batch") << QByteArray("[{}]") << -32600;
        QTest::newRow("empty") << QByteArray("{}") << -32600;
        QTest::newRow("blank") << QByteArray("  \r") << 0;
        QTest::newRow("version of JSON-RPC") << QByteArray(R"({"jsonrpc":"1.0","id":1,"method":"ping"})") << -32600;
        QTest::newRow("null as id") << request("null", "ping") << -32600;
        QTest::newRow("half an id") << request("1.5", "ping") << -32600;
        QTest::newRow("object as id") << request("{}", "ping") << -32600;
        QTest::newRow("method") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":[]})") << -32600;
        QTest::newRow("list of parameters") << request("1", "tools/list", "[]") << -32602;
        QTest::newRow("unknown") << request("1", "tasks/remove") << -32601;
        QTest::newRow("answer") << QByteArray(R"({"jsonrpc":"2.0","id":1,"result":{}})") << 0;
        QTest::newRow("unknown notification") << QByteArray(R"({"jsonrpc":"2.0","method":"x"})") << 0;
        QTest::newRow("cancelled nothing")
            << QByteArray(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}})") << 0;
        QTest::newRow("meta") << with("1") << -32602;
        QTest::newRow("version that is no text") << with(R"({"io.modelcontextprotocol/protocolVersion":1})") << -32602;
        QTest::newRow("no capabilities") << with(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"})")
                                         << -32602;
        QTest::newRow("version to come") << with(R"({"io.modelcontextprotocol/protocolVersion":"2031-01-01"})")
                                         << -32022;
        QTest::newRow("cursor") << request("1", "tools/list", R"({"cursor":"x"})") << -32602;
        QTest::newRow("no name") << request("1", "tools/call") << -32602;
        QTest::newRow("unknown tool") << call("submit", "{}") << -32602;
        QTest::newRow("list of arguments") << call("jobs", "[]") << -32602;
        QTest::newRow("unknown argument") << call("jobs", R"({"all":true})") << -32602;
        QTest::newRow("missing argument") << call("why", "{}") << -32602;
        QTest::newRow("number as text") << call("jobs", R"({"limit":"5"})") << -32602;
        QTest::newRow("part of a number") << call("jobs", R"({"limit":1.5})") << -32602;
        QTest::newRow("too many rows") << call("jobs", R"({"limit":1e300})") << -32602;
        QTest::newRow("two lines") << call("why", R"({"job":"1\n2"})") << -32602;
        QTest::newRow("byte 0") << call("why", R"({"job":"1\u0000"})") << -32602;
        QTest::newRow("word") << call("log", R"({"job":"1","stream":"runtime"})") << -32602;
    }
    void wrongMessages()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        Protocol protocol(offer());
        initialized(protocol);
        const Outcome outcome = protocol.take(line, 0);
        QVERIFY(outcome.calls.isEmpty());
        QCOMPARE(outcome.messages.size(), code == 0 ? 0 : 1);
        QCOMPARE(errorOf(outcome), code);
        QVERIFY(code == 0 || !only(outcome).value("error"_L1).toObject().value("message"_L1).toString().isEmpty());
        QVERIFY(code == 0 || !only(outcome).value("id"_L1).isNull());
        QVERIFY(!resultOf(protocol.take(request("2", "tools/list"), 0)).isEmpty()); // it goes on
    }

    void longLinesAreNotKept()
    {
        MessageLines lines;
        QCOMPARE(lines.take("one\ntw").size(), 1);
        QCOMPARE(lines.take("o\n").constFirst().text, QByteArray("two"));
        for (int i = 0; i < 40; ++i) {
            QVERIFY(lines.take(QByteArray(64 * 1024, 'x')).isEmpty());
        }
        const QList<MessageLines::Line> ended = lines.take("\nnext\n");
        QCOMPARE(ended.size(), 2);
        QVERIFY(ended.at(0).isTooLong && ended.at(0).text.isEmpty());
        QVERIFY(!ended.at(1).isTooLong && ended.at(1).text == "next");
        QVERIFY(!lines.finish());
        lines.take("rest");
        QCOMPARE(lines.finish()->text, QByteArray("rest"));
        QCOMPARE(errorOf(Protocol(offer()).refuseTooLong()), -32600);
    }

    void floodsAreRefused()
    {
        Protocol protocol(offer(), {2, 5, 8});
        initialized(protocol);
        const Outcome first = protocol.take(call("hosts", "{}", "1"), 0);
        QCOMPARE(first.calls.size(), 1);
        QCOMPARE(errorOf(protocol.take(call("hosts", "{}", "1"), 0)), -32600); // the same id
        const Outcome second = protocol.take(call("hosts", "{}", "2"), 0);
        QCOMPARE(errorOf(protocol.take(call("hosts", "{}", "3"), 0)), 4290); // two are open
        QCOMPARE(protocol.take(request("4", "ping"), 0).messages.size(), 1);
        protocol.finish(first.calls.constFirst().number, {});
        protocol.finish(second.calls.constFirst().number, {});
        for (int i = 0; i < 3; ++i) { // wrong ones count as well
            QCOMPARE(errorOf(protocol.take(call("hosts", R"({"x":1})", "5"), 1000)), -32602);
        }
        const Outcome refused = protocol.take(call("hosts", "{}", "6"), 30000);
        QCOMPARE(errorOf(refused), 4290);
        QCOMPARE(only(refused).value("error"_L1).toObject().value("data"_L1).toObject().value("retryAfterMs"_L1),
            QJsonValue(30000));
        QCOMPARE(protocol.take(call("hosts", "{}", "7"), 60000).calls.size(), 1);
    }

    void cancelledCallsAreNotAnswered()
    {
        Protocol protocol(offer());
        initialized(protocol);
        const Outcome begun = protocol.take(call("hosts", "{}", R"("x")"), 0);
        const qint64 number = begun.calls.constFirst().number;
        const QByteArray other = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"y"}})";
        QVERIFY(protocol.take(other, 0).cancelled.isEmpty());
        const Outcome cancelled = protocol.take(QByteArray(other).replace("\"y\"", "\"x\""), 0);
        QCOMPARE(cancelled.cancelled, QList<qint64>{number});
        QVERIFY(cancelled.messages.isEmpty());
        QVERIFY(protocol.finish(number, {u"late"_s, {}, false}).messages.isEmpty());
    }

    void batchesOfTheVersionThatHasThem()
    {
        Protocol protocol(offer());
        agreed(protocol, "2025-03-26");
        QCOMPARE(errorOf(protocol.take("[]", 0)), -32600);
        const Outcome begun = protocol.take('[' + request("1", "ping") + ',' + call("hosts", "{}", "2") + ",3]", 0);
        QVERIFY(begun.messages.isEmpty()); // one is not answered yet
        const Outcome done = protocol.finish(begun.calls.constFirst().number, {u"x"_s, {}, false});
        QCOMPARE(done.messages.size(), 1);
        QCOMPARE(QJsonDocument::fromJson(done.messages.constFirst()).array().size(), 3);
        QCOMPARE(protocol.take('[' + request("1", "ping") + ']', 0).messages.size(), 1);
        QVERIFY(protocol.take(R"([{"jsonrpc":"2.0","method":"x"}])", 0).messages.isEmpty());
    }

    void commandsOfTools_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("command");
        const auto row = [](const char *tool, const QByteArray &arguments, const QString &command) {
            QTest::addRow("%s %s", tool, arguments.constData()) << QString::fromLatin1(tool) << arguments << command;
        };
        row("jobs", "{}", u"ps --all --json --"_s);
        row("jobs", R"({"filter":"state:failed after:7d"})", u"ps --all --json -- state:failed after:7d"_s);
        row("jobs", R"({"filter":"--watch"})", u"ps --all --json -- --watch"_s);
        row("job", R"({"job":"41","from":20})", u"show --json --tasks --from=20 --limit=20 -- 41"_s);
        row("why", R"({"job":"--log=/etc/passwd"})", u"why -- --log=/etc/passwd"_s);
        row("why", R"({"job":"41","task":"worker/0","try":1})", u"why --try=1 -- 41 worker/0"_s);
        row("log", R"({"job":"41","task":"worker/0"})", u"logs --tail=100 -- 41 worker/0"_s);
        row("log", R"({"job":"41","search":"-f","stream":"stderr"})", u"logs --stderr -- 41"_s);
        row("metrics", R"({"job":"41","name":"--log"})", u"metrics --json --name=--log -- 41"_s);
        row("compare", R"({"jobs":["1","2"],"metric":"loss"})", u"compare --json --metric=loss -- 1 2"_s);
        row("hosts", "{}", u"hosts list --json"_s);
        row("targets", "{}", u"targets list --json"_s);
        row("check", R"({"text":"name: x","strict":true})", u"check --json --strict -- -"_s);
        row("plan", R"({"text":"name: x","parameters":{"lr":0.1,"--role":"x"}})",
            u"render --json --param=--role=x --param=lr=0.1 -- -"_s);
        row("explain", R"({"name":"--man"})", u"explain --json -- --man"_s);
        row("why", R"({"job":"41","try":1})", u"! An earlier try needs the task: ROLE/INDEX."_s);
        row("check", "{}", u"! Give either the text of the job or a file."_s);
        row("plan", R"({"text":"x","parameters":{"a=b":"c"}})", u"! 'a=b' is not the name of a parameter."_s);
    }
    void commandsOfTools()
    {
        QFETCH(QString, tool);
        QFETCH(QByteArray, arguments);
        QFETCH(QString, command);
        QCOMPARE(commandOf(tool, arguments).join(u' '), command);
    }

    // Only commands that read, and never their forms that do more.
    void everyToolReads()
    {
        QCOMPARE(tools().size(), 11);
        const QStringList reading{u"ps"_s, u"show"_s, u"why"_s, u"logs"_s, u"metrics"_s, u"compare"_s, u"hosts list"_s,
            u"targets list"_s, u"check"_s, u"render"_s, u"explain"_s};
        for (const Tool &tool : tools()) {
            const QByteArray arguments = tool.name == "compare"_L1  ? R"({"jobs":["1","2"]})"
                : tool.name == "check"_L1 || tool.name == "plan"_L1 ? R"({"text":"x"})"
                : tool.parameters.value(0).isRequired               ? R"({"job":"1"})"
                                                                    : "{}";
            const QStringList command = commandOf(tool.name, arguments);
            const QString form = command.value(0) == "hosts"_L1 || command.value(0) == "targets"_L1
                ? command.first(2).join(u' ')
                : command.value(0);
            QVERIFY2(reading.contains(form), qPrintable(command.join(u' ')));
            QVERIFY(!command.contains(u"--environment"_s));
        }
        QCOMPARE(tools(Offered::Proposals).size(), 15);
        QVERIFY(!toolNamed(u"submit"_s) && toolNamed(u"submit"_s, Offered::Proposals)->isWriting);
        const QJsonArray list = toolList();
        for (const QJsonValue &tool : list) {
            QVERIFY(tool.toObject().value("annotations"_L1).toObject().value("readOnlyHint"_L1).toBool());
            QCOMPARE(tool.toObject().value("inputSchema"_L1).toObject().value("type"_L1).toString(), u"object"_s);
        }
    }

    // What people and assistants are told about has to be there, and nothing may be missing.
    void toolsAreTold()
    {
        const QString root = qEnvironmentVariable("TRAINYARD_SOURCE");
        for (const QString &name : {u"/docs/assistants.md"_s, u"/resources/skill/SKILL.md"_s}) {
            QFile file(root + name);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
            const QString text = QString::fromUtf8(file.readAll());
            for (const Tool &tool : tools(Offered::Proposals)) {
                const bool isTold = text.contains(u'`' + tool.name + u'`');
                QVERIFY2(isTold, qPrintable(QString(tool.name + u" in "_s + name)));
            }
        }
    }

    void filesOutsideAreRefused()
    {
        const QTemporaryDir folder;
        const QString root = folder.filePath(u"root"_s);
        QVERIFY(QDir().mkpath(root + u"/sub"_s));
        write(root + u"/job.yaml"_s, "inside");
        write(root + u"/sub/job.yaml"_s, "deeper");
        write(folder.filePath(u"secret"_s), "outside");
        QVERIFY(QDir().mkpath(folder.filePath(u"root2"_s)));
        write(folder.filePath(u"root2/job.yaml"_s), "neighbour");
        write(root + u"/large"_s, QByteArray(Roots::mostBytes + 1, 'x'));
        QVERIFY(QFile::link(folder.filePath(u"secret"_s), root + u"/link"_s));
        QVERIFY(QFile::link(folder.path(), root + u"/up"_s));
        QVERIFY(QFile::link(u"sub/job.yaml"_s, root + u"/inner"_s));
        QVERIFY(QFile::link(root, folder.filePath(u"alias"_s)));
        QCOMPARE(::mkfifo(QFile::encodeName(root + u"/pipe"_s).constData(), 0600), 0);
        QCOMPARE(Roots::of({folder.filePath(u"none"_s)}).error().contains(u"none"_s), true);
        const Roots roots = *Roots::of({root});
        QCOMPARE(*roots.read(u"job.yaml"_s), QByteArray("inside"));
        QCOMPARE(*roots.read(root + u"/sub/../job.yaml"_s), QByteArray("inside"));
        QCOMPARE(*roots.read(u"inner"_s), QByteArray("deeper"));
        const QString outside = u"is not a file below the folders that may be read."_s;
        for (const QString &path :
            {u"../secret"_s, u"sub/../../secret"_s, folder.filePath(u"secret"_s), u"link"_s, u"up/secret"_s,
                u"up/root2/job.yaml"_s, folder.filePath(u"root2/job.yaml"_s), u"/etc/passwd"_s, u"/proc/self/environ"_s,
                u"none"_s, u"/nowhere/at/all"_s, QString(u"job.yaml"_s + QChar(0)), QString()}) {
            const auto read = roots.read(path);
            QVERIFY2(!read && read.error().endsWith(outside), qPrintable(path));
        }
        for (const QString &path : {u"sub"_s, u"pipe"_s, u"large"_s}) {
            QVERIFY2(!roots.read(path), qPrintable(path));
        }
        // A folder may be named by a link to it.
        const Roots byLink = *Roots::of({folder.filePath(u"alias"_s), folder.filePath(u"root2"_s)});
        QCOMPARE(*byLink.read(folder.filePath(u"alias/job.yaml"_s)), QByteArray("inside"));
        QCOMPARE(*byLink.read(folder.filePath(u"root2/job.yaml"_s)), QByteArray("neighbour"));
        QVERIFY(!byLink.read(u"link"_s));
    }
};
TRAINYARD_TEST(TstMcp)
#include "tst_mcp.moc"
