// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/oldjobs.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;
using namespace oldjobs;

// Whether a text is a job of version 1, what is wrong with it, and which servers accept it.
class TstLegacyVerdicts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recognition_data();
    void recognition();
    void syntax_data();
    void syntax();
    void reports_data();
    void reports();
    void verdicts_data();
    void verdicts();
    void recordedVerdicts();
};

void TstLegacyVerdicts::recognition_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("is");
    QTest::newRow("JSON") << oldJob("") << true;
    QTest::newRow("comment first") << "// c\n" + oldJob("") << true;
    QTest::newRow("byte order mark") << "\xEF\xBB\xBF" + oldJob("") << true;
    QTest::newRow("broken further down") << QByteArray(R"({"jobName": "x", "taskRoles": [{"name": )") << true;
    QTest::newRow("YAML") << QByteArray("jobName: x\nimage: i\ntaskRoles:\n  - name: w\n") << true;
    QTest::newRow("version 2") << QByteArray("protocolVersion: 2\nname: x\ntaskRoles: {}\n") << false;
    QTest::newRow("version 2 as JSON") << QByteArray(R"({"protocolVersion": 2, "jobName": 1, "taskRoles": []})")
                                       << false;
    QTest::newRow("early YAML") << QByteArray("protocol_version: 1\njobName: x\ntaskRoles: []\n") << false;
    QTest::newRow("roles as a map") << QByteArray(R"({"jobName": "x", "taskRoles": {}})") << false;
    QTest::newRow("other JSON") << QByteArray(R"({"a": 1})") << false;
    QTest::newRow("nothing") << QByteArray() << false;
    QTest::newRow("a list") << QByteArray("[1]") << false;
    QTest::newRow("bytes") << QByteArray("\xff\xfe\0\1", 4) << false;
}

void TstLegacyVerdicts::recognition()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, is);
    QCOMPARE(isLegacyJob(text), is);
    const JobImport result = importLegacyJob(text);
    QCOMPARE(result.hasErrors(), result.yaml.isEmpty() || result.hasErrors());
    if (!is) {
        QVERIFY(result.yaml.isEmpty() && result.hasErrors());
    }
}

void TstLegacyVerdicts::syntax_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("begin");
    const auto row = [](const char *name, const QByteArray &text, const char *code, int begin) {
        QTest::newRow(name) << text << QString::fromLatin1(code) << begin;
    };
    row("text", R"({"jobName": "x)", "legacy.json.text", 12);
    row("value", R"({"jobName": x})", "legacy.json.value", 12);
    row("key", R"({"jobName": "x", y: 1})", "legacy.json.key", 17);
    row("colon", R"({"jobName" 1})", "legacy.json.colon", 11);
    row("comma", R"({"jobName": "x" "y": 1})", "legacy.json.comma", 16);
    row("map", R"({"jobName": "x")", "legacy.json.map-end", 0);
    row("list", R"({"jobName": "x", "taskRoles": [)", "legacy.json.list-end", 30);
    row("comment", R"({"jobName": "x" /* )", "legacy.json.comment", 16);
    row("escape", R"({"jobName": "\x"})", "legacy.json.escape", 13);
    row("unicode", R"({"jobName": "\u12"})", "legacy.json.escape", 13);
    row("number", R"({"jobName": "x", "n": -})", "legacy.json.number", 22);
    row("two commas", R"({"jobName": "x",, "y": 1})", "legacy.json.key", 16);
    row("rest", R"({"jobName": "x", "taskRoles": []} x)", "legacy.json.rest", 34);
    row("deep", R"({"jobName": "x", "a": )" + QByteArray(60, '[') + QByteArray(60, ']') + "}", "legacy.json.deep", 62);
    row("twice", R"({"jobName": "x", "jobName": "y", "taskRoles": []})", "legacy.json.duplicate-key", 17);
    row("control", "{\"jobName\": \"x\ty\", \"taskRoles\": []}", "legacy.json.control", 14);
    row("trailing", R"({"jobName": "x", "taskRoles": [],})", "legacy.json.trailing-comma", 32);
}

void TstLegacyVerdicts::syntax()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, code);
    QFETCH(int, begin);
    const JobImport result = importLegacyJob(text);
    const auto it
        = std::find_if(result.report.begin(), result.report.end(), [&](const Diagnostic &d) { return d.code == code; });
    QVERIFY2(it != result.report.end(), qPrintable(codes(result)));
    QCOMPARE(it->at.begin, qsizetype(begin));
    QVERIFY(it->at.end <= text.size());
    QCOMPARE(result.yaml.isEmpty(), it->severity == Severity::Error);
}

void TstLegacyVerdicts::reports_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("path"); // of the value in the new job
    QTest::addColumn<QString>("value");
    const auto row = [](const char *name, const QByteArray &text, const char *code, const char *path = "",
                         const char *value = "") {
        QTest::newRow(name) << text << QString::fromLatin1(code) << QString::fromLatin1(path)
                            << QString::fromLatin1(value);
    };
    const auto roleWith = [](const QByteArray &fields) {
        return oldJob("",
            R"({"name": "w", "taskNumber": 2, "cpuNumber": 1, "memoryMB": 1024, "gpuNumber": 0,
            "command": "echo", )"
                + fields + "}");
    };
    row("retry -2", oldJob(R"("retryCount": -2)"), "legacy.retry-count", "jobRetryCount", "0");
    row("retry text", oldJob(R"("retryCount": "3")"), "legacy.number-text", "jobRetryCount", "3");
    row("retry 2.0", oldJob(R"("retryCount": 2.0)"), "legacy.shell", "jobRetryCount", "2");
    row("retry nonsense", oldJob(R"("retryCount": [])"), "legacy.not-a-number", "jobRetryCount", "0");
    row("kill all", oldJob(R"("killAllOnCompletedTaskNumber": 5)"), "legacy.kill-all",
        "taskRoles/w/completion/minSucceededInstances", "1");
    row("kill all off", oldJob(R"("killAllOnCompletedTaskNumber": 0)"), "legacy.shell",
        "taskRoles/w/completion/minSucceededInstances", "-1");
    row("null limit", roleWith(R"("minFailedTaskCount": null)"), "legacy.limit-null",
        "taskRoles/w/completion/minFailedInstances", "-1");
    row("limit too high", roleWith(R"("minSucceededTaskCount": 3)"), "legacy.limit-range",
        "taskRoles/w/completion/minSucceededInstances", "3");
    row("limit zero", roleWith(R"("minFailedTaskCount": 0)"), "legacy.limit-range",
        "taskRoles/w/completion/minFailedInstances", "1");
    row("unknown", oldJob(R"("what": {"a": [1, null]})"), "legacy.unknown-field",
        "extras/trainyard/legacy/unknown/what/a/0", "1");
    row("name type", R"({"jobName": 5, "image": "i", "taskRoles": [)" + QByteArray(v1Role) + "]}", "legacy.wrong-type",
        "name", "5");
    row("no image", R"({"jobName": "j", "taskRoles": [)" + QByteArray(v1Role) + "]}", "legacy.missing");
    row("no command", oldJob("", R"({"name": "w"})"), "legacy.missing");
    row("no roles", oldJob("", ""), "legacy.missing");
    row("role is a text", oldJob("", R"("w")"), "legacy.wrong-type");
    row("template", oldJob("", R"({"name": "w", "command": "echo <% x %>"})"), "legacy.template");
    row("env map", oldJob(R"("jobEnvs": {"A": {}})"), "legacy.env-value");
    row("env list", oldJob(R"("jobEnvs": [])"), "legacy.wrong-type");
    row("ports map", roleWith(R"("portList": {})"), "legacy.wrong-type");
    row("port without label", roleWith(R"("portList": [{"portNumber": 1}])"), "legacy.wrong-type");
    row("negative ports", roleWith(R"("portList": [{"label": "a", "portNumber": -4}])"), "legacy.shell",
        "taskRoles/w/resourcePerInstance/ports/a", "0");
    row("zero tasks", oldJob("", R"({"name": "w", "taskNumber": 0, "command": "x"})"), "legacy.not-a-number",
        "taskRoles/w/instances", "1");
    row("typed text", oldJob(R"("extras": {"a": "012", "b": "yes"})"), "legacy.shell", "extras/a", "012");
    row("extras of ours", oldJob(R"("extras": {"trainyard": {"runIn": "x"}})"), "legacy.shell",
        "extras/trainyard/legacy/unknown/extras|trainyard/runIn", "x");
}

void TstLegacyVerdicts::reports()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, code);
    QFETCH(QString, path);
    QFETCH(QString, value);
    const JobImport result = importLegacyJob(text);
    QVERIFY2(codes(result).split(u' ').contains(code), qPrintable(codes(result)));
    QVERIFY2(!result.yaml.isEmpty(), qPrintable(codes(result)));
    QVERIFY2(YamlDocument::parse(result.yaml).isWellFormed(), result.yaml.constData());
    QCOMPARE(parseJob(result.yaml).canRun(), !result.hasErrors());
    if (!path.isEmpty()) {
        QVERIFY2(textAt(parsed(result.yaml), path.split(u'/').replaceInStrings(u"|"_s, u"/"_s)) == value,
            result.yaml.constData());
    }
}

void TstLegacyVerdicts::verdicts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("accepted");
    const auto roleWith = [](const QByteArray &fields) {
        return oldJob("", R"({"name": "w", "taskNumber": 2, "memoryMB": 100, "command": "echo", )" + fields + "}");
    };
    const QString all = u"v0.4 v0.8 v0.14"_s;
    QTest::newRow("plain") << oldJob("") << all;
    QTest::newRow("envs") << oldJob(R"("jobEnvs": {})") << u"v0.14"_s;
    QTest::newRow("extras") << oldJob(R"("extras": {})") << u"v0.14"_s;
    QTest::newRow("shm") << roleWith(R"("shmMB": 64)") << u"v0.8 v0.14"_s;
    QTest::newRow("shm above memory") << roleWith(R"("shmMB": 101)") << QString();
    QTest::newRow("limit") << roleWith(R"("minFailedTaskCount": null)") << u"v0.8 v0.14"_s;
    QTest::newRow("limit above tasks") << roleWith(R"("minFailedTaskCount": 3)") << QString();
    QTest::newRow("dash in a role") << oldJob("", R"({"name": "a-b", "command": "c"})") << u"v0.4"_s;
    QTest::newRow("number in quotes") << roleWith(R"("gpuNumber": "1")") << all;
    QTest::newRow("no whole number") << roleWith(R"("gpuNumber": 1.5)") << QString();
    QTest::newRow("retry -3") << oldJob(R"("retryCount": -3)") << u"v0.4"_s;
    QTest::newRow("unknown key") << oldJob(R"("x": 1)") << QString();
    QTest::newRow("no image") << QByteArray(R"({"jobName": "x", "taskRoles": []})") << QString();
    QTest::newRow("two of a name") << oldJob("", QByteArray(v1Role) + "," + v1Role) << QString();
    QTest::newRow("broken") << QByteArray("{") << QString();
}

void TstLegacyVerdicts::verdicts()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, accepted);
    const LegacyVerdict verdict = checkLegacyJob(text);
    QCOMPARE(verdict.acceptedBy.join(u' '), accepted);
    QCOMPARE(verdict.isValid(), !accepted.isEmpty());
    QVERIFY(verdict.isValid() || !verdict.refusals.isEmpty() || !verdict.syntax.isEmpty());
}

void TstLegacyVerdicts::recordedVerdicts()
{
    if (shareddata::folder().isEmpty()) {
        QSKIP("There is no reference data: set TRAINYARD_SHARED to its folder.");
    }
    const QStringList files = shareddata::files(u"corpus/v1/*.json"_s);
    QVERIFY(!files.isEmpty());
    int accepted = 0;
    for (const QString &file : files) {
        const QString name = QFileInfo(file).completeBaseName();
        const QJsonObject expected
            = shareddata::readJson(shareddata::folder() + u"/corpus/expected/"_s + name + u".v1.json"_s);
        QVERIFY2(!expected.isEmpty(), qPrintable(name));
        const LegacyVerdict verdict = checkLegacyJob(shareddata::read(file));
        QStringList servers;
        for (const QJsonValue &server : expected.value("acceptedBy"_L1).toArray()) {
            servers.append(server.toString());
        }
        QVERIFY2(verdict.acceptedBy == servers, qPrintable(name + u": "_s + verdict.acceptedBy.join(u' ')));
        QCOMPARE(verdict.isValid(), expected.value("valid"_L1).toBool());
        accepted += verdict.isValid();
    }
    qInfo("%d recorded verdicts of three servers each, all the same; %d jobs accepted by one or more",
        int(files.size()), accepted);
}

TRAINYARD_TEST(TstLegacyVerdicts)
#include "tst_legacyverdicts.moc"
