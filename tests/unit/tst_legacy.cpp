// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "model/protocol/legacynames.h"
#include "model/protocol/scalar.h"
#include "model/template/render.h"
#include "tests/fuzz/legacyfuzz.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Jobs of version 1: what becomes of them, and, where the data is at hand, of every recorded one.
class TstLegacy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeJob();
    void oldRoleNames();
    void comments();
    void recognition_data();
    void recognition();
    void syntax_data();
    void syntax();
    void reports_data();
    void reports();
    void names();
    void limits();
    void yamlJob();
    void shellText();
    void codeFolderIsCopied_data();
    void codeFolderIsCopied();
    void largeJobs_data();
    void largeJobs();
    void keptInputs();
    void mutations();
    void verdicts_data();
    void verdicts();
    void recordedVerdicts();
    void recordedConversions_data();
    void recordedConversions();
};

namespace
{

QString codes(const JobImport &result)
{
    QStringList list;
    for (const Diagnostic &d : result.report) {
        list.append(d.code);
    }
    list.removeDuplicates();
    return list.join(u' ');
}

Value parsed(const QByteArray &yaml) { return toValue(YamlDocument::parse(yaml).root()); }

const Value *at(const Value &value, const QStringList &path)
{
    const Value *here = &value;
    for (const QString &key : path) {
        if (!here) {
            return nullptr;
        }
        const Value::List *list = here->asList();
        const qsizetype index = key.toLongLong();
        here = list ? (index < list->size() ? &list->at(index) : nullptr) : here->find(key);
    }
    return here;
}

QString textAt(const Value &value, const QStringList &path)
{
    const Value *found = at(value, path);
    return found ? found->toText() : u"(none)"_s;
}

const char v1Role[] = R"({"name": "w", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 1024, "gpuNumber": 0,
    "command": "echo x"})";

QByteArray oldJob(const QByteArray &fields, const QByteArray &roles = v1Role)
{
    return R"({"jobName": "j", "image": "i", "taskRoles": [)" + roles + "]" + (fields.isEmpty() ? "" : ", ") + fields
        + "}";
}

} // namespace

// Also those that no shell can say, with _; what is a role's own name stays that one's.
void TstLegacy::oldRoleNames()
{
    const auto named = [](const QByteArray &name) {
        return QByteArray(v1Role).replace(R"("name": "w")", QByteArray(R"("name": ")" + name + '"'));
    };
    const JobImport result
        = importLegacyJob(oldJob({}, named("ps-server") + ", " + named("ps.Work") + ", " + named("ps_work")));
    QVERIFY2(!result.hasErrors(), qPrintable(codes(result)));
    const Value v = parsed(result.yaml);
    QCOMPARE(
        textAt(v, {u"extras"_s, u"trainyard"_s, u"legacy"_s, u"roles"_s, u"psserver"_s, u"name"_s}), u"ps-server"_s);
    const QString first
        = textAt(v, {u"deployments"_s, u"0"_s, u"taskRoles"_s, u"psserver"_s, u"preCommands"_s, u"1"_s});
    QVERIFY2(first.contains(u"/_psserver/_ps_server}"_s), qPrintable(first));
    QCOMPARE(first.count(u"_ps_work}"_s), 0);
}

void TstLegacy::wholeJob()
{
    const JobImport result = importLegacyJob(R"({
  "jobName": "my.job~1",
  "image": "reg.example/a/b:c",
  "authFile": "hdfs://h/auth",
  "dataDir": "$PAI_DEFAULT_FS_URI/data",
  "outputDir": "/out put",
  "codeDir": "/home/me/code",
  "virtualCluster": "vc1",
  "gpuType": "K80",
  "retryCount": -1,
  "jobEnvs": {"A": "it's", "B": 3, "C": true, "D-E": "x", "isDebug": true},
  "extras": {"submitFrom": "p", "n": 1.50},
  "taskRoles": [
    {"name": "ps_server", "taskNumber": 2, "cpuNumber": 2, "memoryMB": 8192, "gpuNumber": 0, "shmMB": 128,
     "portList": [{"label": "my-port", "beginAt": 8080, "portNumber": 2}, {"label": "http"}],
     "command": "echo $PAI_TASK_ROLE_ps_server_HOST_LIST $PAI_CONTAINER_HOST_my-port_PORT_LIST",
     "minFailedTaskCount": null, "minSucceededTaskCount": 2, "extra": [1]},
    {"name": "worker", "command": "a\nb\n", "portList": []}
  ],
  "killAllOnCompletedTaskNumber": 1
})");
    QVERIFY2(!result.hasErrors(), qPrintable(codes(result)));
    const ParseOutcome outcome = parseJob(result.yaml);
    QVERIFY2(outcome.canRun() && parseJob(result.yaml, CheckMode::Strict).canRun(), result.yaml.constData());
    const Value v = parsed(result.yaml);
    QCOMPARE(textAt(v, {u"name"_s}), u"my_job_1"_s);
    QCOMPARE(textAt(v, {u"prerequisites"_s, u"0"_s, u"uri"_s}), u"reg.example/a/b:c"_s);
    QCOMPARE(textAt(v, {u"prerequisites"_s, u"0"_s, u"auth"_s, u"registryuri"_s}), u"reg.example"_s);
    QCOMPARE(textAt(v, {u"secrets"_s, u"registry_password"_s}), u"******"_s);
    QCOMPARE(outcome.spec->askedSecrets.size(), 2);
    QCOMPARE(textAt(v, {u"prerequisites"_s, u"1"_s, u"uri"_s, u"0"_s}), u"$PAI_DEFAULT_FS_URI/data"_s);
    QCOMPARE(textAt(v, {u"jobRetryCount"_s}), u"10000"_s);
    QCOMPARE(textAt(v, {u"defaults"_s, u"virtualCluster"_s}), u"vc1"_s);
    QCOMPARE(textAt(v, {u"extras"_s, u"submitFrom"_s}), u"p"_s);
    QVERIFY(result.yaml.contains(": 1.50\n"));
    QCOMPARE(textAt(v, {u"extras"_s, u"hivedScheduler"_s, u"taskRoles"_s, u"psserver"_s, u"skuType"_s}), u"K80"_s);
    QVERIFY(!at(v, {u"parameters"_s}));
    const QStringList ps{u"taskRoles"_s, u"psserver"_s};
    QCOMPARE(textAt(v, ps + QStringList{u"instances"_s}), u"2"_s);
    QCOMPARE(textAt(v, ps + QStringList{u"completion"_s, u"minFailedInstances"_s}), u"-1"_s);
    QCOMPARE(textAt(v, ps + QStringList{u"completion"_s, u"minSucceededInstances"_s}), u"2"_s);
    QCOMPARE(textAt(v, ps + QStringList{u"extraContainerOptions"_s, u"shmMB"_s}), u"128"_s);
    QCOMPARE(textAt(v, ps + QStringList{u"resourcePerInstance"_s, u"ports"_s, u"my_port"_s}), u"2"_s);
    QCOMPARE(textAt(v, ps + QStringList{u"resourcePerInstance"_s, u"ports"_s, u"http"_s}), u"1"_s);
    QCOMPARE(textAt(v, ps + QStringList{u"commands"_s, u"0"_s}),
        u"echo $PAI_TASK_ROLE_psserver_HOST_LIST $PAI_CONTAINER_HOST_my_port_PORT_LIST"_s);
    const QStringList worker{u"taskRoles"_s, u"worker"_s};
    QCOMPARE(textAt(v, worker + QStringList{u"commands"_s, u"0"_s}), u"a\nb\n"_s);
    QVERIFY(result.yaml.contains("- |"));
    QVERIFY(!at(v, worker + QStringList{u"resourcePerInstance"_s, u"ports"_s}));
    QCOMPARE(textAt(v, worker + QStringList{u"resourcePerInstance"_s, u"memoryMB"_s}), u"100"_s);
    QCOMPARE(textAt(v, worker + QStringList{u"completion"_s, u"minFailedInstances"_s}), u"1"_s);
    QCOMPARE(textAt(v, worker + QStringList{u"completion"_s, u"minSucceededInstances"_s}), u"-1"_s);
    const Value *commands = at(v, {u"deployments"_s, u"0"_s, u"taskRoles"_s, u"worker"_s, u"preCommands"_s});
    QVERIFY(commands && commands->asList());
    QStringList lines;
    for (const Value &line : *commands->asList()) {
        lines.append(line.toText());
    }
    QCOMPARE(lines.first(), u"set +o errexit +o nounset +o pipefail"_s);
    QVERIFY(lines.contains(u"export PAI_DATA_DIR=\"<% $data.uri[0] %>\""_s));
    QVERIFY(lines.contains(u"export A='it'\\''s'"_s));
    QVERIFY(lines.contains(u"export B=3"_s));
    QVERIFY(lines.contains(u"export C=true"_s));
    QVERIFY(lines.filter(u"D-E"_s).isEmpty());
    const QStringList kept{u"extras"_s, u"trainyard"_s, u"legacy"_s};
    QCOMPARE(textAt(v, kept + QStringList{u"name"_s}), u"my.job~1"_s);
    QCOMPARE(textAt(v, kept + QStringList{u"jobRetryCount"_s}), u"-1"_s);
    QCOMPARE(textAt(v, kept + QStringList{u"killAllOnCompletedTaskNumber"_s}), u"1"_s);
    QCOMPARE(textAt(v, kept + QStringList{u"roles"_s, u"psserver"_s, u"name"_s}), u"ps_server"_s);
    QCOMPARE(textAt(v, kept + QStringList{u"roles"_s, u"psserver"_s, u"ports"_s, u"my_port"_s}), u"8080"_s);
    QCOMPARE(textAt(v, kept + QStringList{u"roles"_s, u"psserver"_s, u"unknown"_s, u"extra"_s, u"0"_s}), u"1"_s);
    QCOMPARE(textAt(v, kept + QStringList{u"unknown"_s, u"jobEnvs.D-E"_s}), u"x"_s);
    for (const auto &code :
        {u"legacy.name"_s, u"legacy.auth-file"_s, u"legacy.storage"_s, u"legacy.code-dir"_s, u"legacy.gpu-type"_s,
            u"legacy.retry-count"_s, u"legacy.env-name"_s, u"legacy.env-meaning"_s, u"legacy.role-name"_s,
            u"legacy.port-label"_s, u"legacy.begin-at"_s, u"legacy.references"_s, u"legacy.limit-null"_s,
            u"legacy.unknown-field"_s, u"legacy.default"_s, u"legacy.kill-all-kept"_s, u"legacy.shell"_s}) {
        QVERIFY2(codes(result).split(u' ').contains(code), qPrintable(code));
    }
    for (const Diagnostic &d : result.report) {
        const QString to = d.args.value("to"_L1).toString();
        if (!to.isEmpty()) {
            QVERIFY2(outcome.document.find(*YamlPath::fromPointer(to)), qPrintable(d.code + u' ' + to));
        }
    }
}

void TstLegacy::comments()
{
    const JobImport result = importLegacyJob(R"(// the whole thing
{
  // the name
  "jobName": "j", // behind it
  "image": "http://not/a/comment", /* one
   * two */
  "taskRoles": [
    // the role
    {
      "name": "w",
      "taskNumber": 2, // two
      "command": "echo // no comment", // what it does
      // nothing follows
    },
  ],
  // at the end
}
)");
    QVERIFY2(!result.hasErrors(), qPrintable(codes(result)));
    const QByteArray &yaml = result.yaml;
    QVERIFY2(yaml.startsWith("# the whole thing\n"), yaml.constData());
    QVERIFY2(yaml.contains("# the name\n# behind it\nname: j\n"), yaml.constData());
    QVERIFY2(yaml.contains("uri: http://not/a/comment\n"), yaml.constData());
    QVERIFY2(yaml.contains("# one\n"), yaml.constData());
    QVERIFY2(yaml.contains("  # the role\n  w:\n"), yaml.constData());
    QVERIFY2(yaml.contains("    # two\n    instances: 2\n"), yaml.constData());
    QVERIFY2(yaml.contains("    # what it does\n    # nothing follows\n    commands:\n"), yaml.constData());
    QVERIFY2(yaml.contains("- echo // no comment\n"), yaml.constData());
    for (const char *text : {"two", "at the end"}) {
        QVERIFY2(yaml.contains(QByteArray(QByteArray("# ") + text)), text);
    }
    QVERIFY(codes(result).contains("legacy.json.trailing-comma"_L1));
}

void TstLegacy::recognition_data()
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

void TstLegacy::recognition()
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

void TstLegacy::syntax_data()
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

void TstLegacy::syntax()
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

void TstLegacy::reports_data()
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

void TstLegacy::reports()
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

void TstLegacy::names()
{
    QCOMPARE(legacy::jobName(u"a.b~c d/ü"_s), u"a_b_c_d__"_s);
    QCOMPARE(legacy::jobName(QString()), u"job"_s);
    QCOMPARE(legacy::jobName(QString(300, u'x')).size(), 255);
    QCOMPARE(legacy::roleNames({u"g2p-train"_s, u"Worker"_s, u"ps.server~1"_s, u"7"_s, QString()}),
        QStringList({u"g2ptrain"_s, u"worker"_s, u"psserver1"_s, u"role7"_s, u"role"_s}));
    QCOMPARE(legacy::roleNames({u"a-b"_s, u"a_b"_s, u"ab"_s}), QStringList({u"a_b"_s, u"a_b2"_s, u"ab"_s}));
    QCOMPARE(legacy::roleNames({u"x"_s, u"x"_s}), QStringList({u"x"_s, u"x2"_s}));
    QCOMPARE(legacy::portLabel(u"8-web"_s), u"_8_web"_s);
    const auto renamed
        = [](const char *text) { return legacy::renameRoleVariables(QString::fromLatin1(text), u"ps-1"_s, u"ps1"_s); };
    QCOMPARE(renamed("$PAI_TASK_ROLE_ps-1_HOST_LIST,$PAI_HOST_IP_ps-1_0"),
        u"$PAI_TASK_ROLE_ps1_HOST_LIST,$PAI_HOST_IP_ps1_0"_s);
    QCOMPARE(renamed("PAI_ps-1_0_ssh_PORT PAI_RESOURCE_ps-1 PAI_RESOURCE_ps-12"),
        u"PAI_ps1_0_ssh_PORT PAI_RESOURCE_ps1 PAI_RESOURCE_ps-12"_s);
    QCOMPARE(renamed("run ps-1 at PAI_WORK_DIR/ps-1"), u"run ps-1 at PAI_WORK_DIR/ps-1"_s);
}

void TstLegacy::limits()
{
    const JobImport large = importLegacyJob(QByteArray("{") + QByteArray(2'000'000, ' ') + "}");
    QCOMPARE(codes(large), u"legacy.json.too-large"_s);
    QCOMPARE(codes(importLegacyJob("{\"jobName\": \"\xff\"}")), u"legacy.json.encoding"_s);
    QCOMPARE(codes(importLegacyJob(" // only a comment")), u"legacy.json.empty"_s);
}

void TstLegacy::yamlJob()
{
    const JobImport result = importLegacyJob("jobName: y # c\nimage: i\ntaskRoles:\n  - name: w\n    taskNumber: 2\n"
                                             "    command: |\n      echo a\n      echo b\n");
    QVERIFY2(!result.hasErrors(), qPrintable(codes(result)));
    QVERIFY(codes(result).contains("legacy.yaml"_L1));
    QCOMPARE(textAt(parsed(result.yaml), {u"taskRoles"_s, u"w"_s, u"commands"_s, u"0"_s}), u"echo a\necho b\n"_s);
    QVERIFY(parseJob(result.yaml, CheckMode::Strict).canRun());
}

// What is written for the shell does what it should there.
void TstLegacy::shellText()
{
    const JobImport result = importLegacyJob(R"J({"jobName": "j", "image": "i",
        "dataDir": "$PAI_USER_NAME/a b;c", "outputDir": "x`touch pwned`", "codeDir": "$(touch pwned)",
        "jobEnvs": {"V": "$HOME \"q\" 'r' `s`"},
        "taskRoles": [{"name": "my_role", "command":
        "false; printf '%s|' \"$PAI_DATA_DIR\" \"$PAI_OUTPUT_DIR\" \"$PAI_CODE_DIR\" \"$V\" \"$PAI_HOST_IP_my_role_0\" $unset"}]})J");
    QVERIFY2(!result.hasErrors(), qPrintable(codes(result)));
    const ParseOutcome outcome = parseJob(result.yaml);
    QVERIFY(outcome.canRun());
    const auto program = composeRole(*outcome.spec, *outcome.spec->role(u"myrole"_s));
    QVERIFY(program);
    QProcess bash;
    QProcessEnvironment environment;
    environment.insert(u"PAI_USER_NAME"_s, u"ada"_s);
    environment.insert(u"PAI_HOST_IP_myrole_0"_s, u"10.0.0.1"_s);
    bash.setProcessEnvironment(environment);
    bash.start(u"/bin/bash"_s, {u"-c"_s, QString(u"set -o errexit -o nounset -o pipefail\n"_s + program->userScript)});
    QVERIFY(bash.waitForFinished());
    QCOMPARE(bash.readAllStandardError(), QByteArray());
    QCOMPARE(bash.readAllStandardOutput(),
        QByteArray("ada/a b;c|x`touch pwned`|$(touch pwned)|$HOME \"q\" 'r' `s`|10.0.0.1|"));
}

void TstLegacy::codeFolderIsCopied_data()
{
    QTest::addColumn<QByteArray>("end");
    for (const char *end : {"", "/", "//", "/.", "/./", "//.//"}) {
        QTest::addRow("code%s", end) << QByteArray(end);
    }
}

// The code folder stands in the working folder under its own name; what is there already stays.
void TstLegacy::codeFolderIsCopied()
{
    QTemporaryDir folder;
    const QString code = folder.filePath(u"shared/my code"_s);
    QVERIFY(QDir().mkpath(code + u"/lib"_s));
    const auto write = [](const QString &path, const QByteArray &text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write(code + u"/train.sh"_s, "cat \"${0%/*}/lib/x\"\n") && write(code + u"/lib/x"_s, "trained\n"));
    QFETCH(QByteArray, end);
    const QString work = folder.filePath(u"work"_s);
    QVERIFY(QDir().mkpath(work));
    const QByteArray text = "{\"jobName\": \"j\", \"image\": \"i\", \"codeDir\": \"" + code.toUtf8() + end
        + "\", \"taskRoles\": [{\"name\": \"w\", \"command\": \"bash 'my code/train.sh'; ls -A\"}]}";
    const JobImport result = importLegacyJob(text);
    QVERIFY2(!result.hasErrors(), qPrintable(codes(result)));
    const ParseOutcome outcome = parseJob(result.yaml);
    QVERIFY(outcome.canRun());
    const auto program = composeRole(*outcome.spec, *outcome.spec->role(u"w"_s));
    QVERIFY(program);
    for (const char *found : {"trained\n", "edited\n"}) { // a retry does not undo what was edited there
        QProcess bash;
        bash.setWorkingDirectory(work);
        bash.start(
            u"/bin/bash"_s, {u"-c"_s, QString(u"set -o errexit -o nounset -o pipefail\n"_s + program->userScript)});
        QVERIFY(bash.waitForFinished());
        QCOMPARE(bash.readAllStandardError(), QByteArray());
        QCOMPARE(bash.readAllStandardOutput(), QByteArray(found) + "my code\n");
        QVERIFY(write(work + u"/my code/lib/x"_s, "edited\n"));
    }
}

void TstLegacy::largeJobs_data()
{
    QTest::addColumn<QByteArray>("text");
    QByteArray roles;
    for (int i = 0; i < inForm(4000); ++i) {
        roles += (i ? "," : "") + QByteArray(R"({"name": "r_)") + QByteArray::number(i) + R"(", "command": "c"})";
    }
    QTest::newRow("roles") << oldJob("", roles);
    QByteArray keys;
    for (int i = 0; i < inForm(60'000); ++i) {
        keys += (i ? ",\"k" : "\"k") + QByteArray::number(i) + "\":1";
    }
    QTest::newRow("keys") << oldJob(keys);
    QTest::newRow("variables") << oldJob("\"jobEnvs\": {" + keys + "}");
    QTest::newRow("comments") << oldJob("") + QByteArray("//x\n").repeated(inForm(200'000));
    QTest::newRow("command") << oldJob(
        "", R"({"name": "a_b", "command": ")" + QByteArray("PAI_a_b_0_").repeated(inForm(90'000)) + "\"}");
    QTest::newRow("open") << R"({"jobName": "x", "a": )" + QByteArray(inForm(900'000), '[');
}

void TstLegacy::largeJobs()
{
    QFETCH(QByteArray, text);
    QElapsedTimer timer;
    timer.start();
    const JobImport result = importLegacyJob(text);
    qInfo("%lld bytes, %lld ms, %lld findings, %lld bytes out", qlonglong(text.size()), qlonglong(timer.elapsed()),
        qlonglong(result.report.size()), qlonglong(result.yaml.size()));
    QVERIFY2(timer.elapsed() < 30'000, qPrintable(QString::number(timer.elapsed())));
}

// The fuzz target's checks over the inputs that once broke it, and over some thousand mutations with a fixed seed. A
// check that does not hold ends the program.
void TstLegacy::keptInputs()
{
    const QDir dir(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/fuzz/regress"_s);
    int count = 0;
    const QStringList names = dir.entryList({u"legacy*"_s}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile input(dir.filePath(name));
        QVERIFY(input.open(QIODevice::ReadOnly));
        legacyfuzz::import(input.readAll());
        ++count;
    }
    qInfo("%d inputs", count);
    QVERIFY(count > 0);
}

void TstLegacy::mutations()
{
    const QList<QByteArray> seeds{oldJob(R"("retryCount": -1, "jobEnvs": {"A": "b\u00e4", "C-D": [1]})"),
        "// c\n" + oldJob(R"("dataDir": "d", "codeDir": "c", "gpuType": "K", /* x */ "extras": {"a": [{}, []]},)"),
        oldJob("", R"({"name": "a-b", "command": "echo $PAI_TASK_ROLE_a-b_HOST_LIST\n x", "taskNumber": 2,
            "minFailedTaskCount": null, "portList": [{"label": "p-q", "beginAt": 5, "portNumber": 2}], "x": 1e3})"),
        "jobName: x # c\nimage: i\ntaskRoles:\n- name: w\n  command: |\n    a\n    b\n"};
    const char characters[] = " \n:,/*\"'\\{}[]-0159.eabtrufnl\t\0\xC3\xA4";
    const QByteArray alphabet(characters, sizeof(characters) - 1);
    QRandomGenerator random(5);
    int imported = 0;
    const int rounds = inForm(4000, 10);
    for (int i = 0; i < rounds; ++i) {
        QByteArray text = seeds.at(random.bounded(int(seeds.size())));
        const int changes = random.bounded(1, 5);
        for (int j = 0; j < changes; ++j) {
            const int place = random.bounded(int(text.size()));
            const char c = alphabet.at(random.bounded(int(alphabet.size())));
            switch (random.bounded(3)) {
            case 0:
                text.insert(place, c);
                break;
            case 1:
                text.remove(place, random.bounded(1, 3));
                break;
            default:
                text[place] = c;
                break;
            }
        }
        legacyfuzz::import(text);
        imported += !importLegacyJob(text).yaml.isEmpty();
    }
    qInfo("4000 mutations, %d of them still jobs", imported);
    QVERIFY(imported > rounds / 40);
}

void TstLegacy::verdicts_data()
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

void TstLegacy::verdicts()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, accepted);
    const LegacyVerdict verdict = checkLegacyJob(text);
    QCOMPARE(verdict.acceptedBy.join(u' '), accepted);
    QCOMPARE(verdict.isValid(), !accepted.isEmpty());
    QVERIFY(verdict.isValid() || !verdict.refusals.isEmpty() || !verdict.syntax.isEmpty());
}

void TstLegacy::recordedVerdicts()
{
    const QStringList files = shareddata::files(u"corpus/v1/*.json"_s);
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

void TstLegacy::recordedConversions_data()
{
    QTest::addColumn<QStringList>("old");
    QTest::addColumn<QStringList>("recorded");
    const QString root = shareddata::folder();
    QStringList old;
    QStringList recorded;
    for (const QString &file : shareddata::files(u"vectors/converter_*.v1.json"_s)) {
        old.append(file);
        recorded.append(QString(file).replace(u".v1.json"_s, u".yaml"_s));
    }
    QTest::newRow("the converter's own tests") << old << recorded;
    old.clear();
    recorded.clear();
    for (const QString &file : shareddata::files(u"corpus/v1/*.json"_s)) {
        old.append(file);
        recorded.append(root + u"/vectors/v1_to_v2/"_s + QFileInfo(file).completeBaseName() + u".yaml"_s);
    }
    QTest::newRow("real jobs") << old << recorded;
}

namespace
{

// Ours beside the one that a server once made of the same job. Everything is the same, or differs for a reason that
// has a name here.
class Comparison
{
public:
    QMap<QString, int> differences;
    QStringList unexplained;
    int same = 0;

    void job(const Value &theirs, const Value &ours, const QString &name)
    {
        m_name = name;
        expect(textAt(theirs, {u"protocolVersion"_s}), textAt(ours, {u"protocolVersion"_s}), u"version"_s);
        expect(textAt(theirs, {u"type"_s}), textAt(ours, {u"type"_s}), u"type"_s);
        const QString oldName = textAt(theirs, {u"name"_s});
        differ(oldName, textAt(ours, {u"name"_s}), legacy::jobName(oldName), u"job name made valid"_s, u"name"_s);
        const QString retries = textAt(theirs, {u"jobRetryCount"_s});
        differ(retries, textAt(ours, {u"jobRetryCount"_s}),
            retries == "-1"_L1       ? u"10000"_s
                : retries == "-2"_L1 ? u"0"_s
                                     : retries,
            u"negative retry count kept in extras"_s, u"jobRetryCount"_s);
        for (const auto &key : {u"virtualCluster"_s, u"deployment"_s}) {
            expect(textAt(theirs, {u"defaults"_s, key}), textAt(ours, {u"defaults"_s, key}), key);
        }
        prerequisites(theirs, ours);
        const Value::Map theirRoles = *theirs.find(u"taskRoles"_s)->asMap();
        const Value::Map ourRoles = *ours.find(u"taskRoles"_s)->asMap();
        require(theirRoles.size() == ourRoles.size(), u"roles"_s);
        QStringList oldNames;
        for (const auto &[old, value] : theirRoles) {
            oldNames.append(old);
        }
        const QStringList newNames = legacy::roleNames(oldNames);
        for (qsizetype i = 0; i < std::min(theirRoles.size(), ourRoles.size()); ++i) {
            differ(oldNames.at(i), ourRoles.at(i).first, newNames.at(i), u"role name made startable"_s, u"role"_s);
            role(theirRoles.at(i).second, ourRoles.at(i).second, ours, oldNames, newNames);
            commandsBefore(theirs, ours, oldNames.at(i), newNames.at(i));
        }
        if (at(theirs, {u"parameters"_s})) {
            require(!at(ours, {u"parameters"_s}), u"parameters"_s);
            ++differences[u"variables not also as parameters"_s];
        }
        if (const Value *extras = at(theirs, {u"extras"_s})) {
            for (const auto &[key, value] : *extras->asMap()) {
                const Value *own = at(ours, {u"extras"_s, key});
                require(own && *own == value, u"extras"_s);
            }
        }
    }

private:
    void require(bool good, const QString &what) { good ? void(++same) : unexplained.append(m_name + u": "_s + what); }
    void expect(const QString &theirs, const QString &ours, const QString &what)
    {
        require(theirs == ours, u"%1: %2, not %3"_s.arg(what, ours, theirs));
    }
    // `wanted` is what ours must be; where that is not theirs, the difference has a reason.
    void differ(
        const QString &theirs, const QString &ours, const QString &wanted, const QString &reason, const QString &what)
    {
        expect(wanted, ours, what);
        if (wanted != theirs) {
            --same;
            ++differences[reason];
        }
    }

    void prerequisites(const Value &theirs, const Value &ours)
    {
        const Value::List their = *theirs.find(u"prerequisites"_s)->asList();
        const Value::List our = *ours.find(u"prerequisites"_s)->asList();
        require(their.size() == our.size(), u"prerequisites"_s);
        const QMap<QString, QString> names{{u"dockerimage"_s, u"image"_s}, {u"data"_s, u"data"_s},
            {u"output"_s, u"output"_s}, {u"script"_s, u"code"_s}};
        for (qsizetype i = 0; i < std::min(their.size(), our.size()); ++i) {
            const QString type = textAt(their.at(i), {u"type"_s});
            expect(type, textAt(our.at(i), {u"type"_s}), u"type"_s);
            differ(textAt(their.at(i), {u"name"_s}), textAt(our.at(i), {u"name"_s}), names.value(type),
                u"prerequisites have names of their own"_s, u"name"_s);
            const Value *their_uri = at(their.at(i), {u"uri"_s});
            const Value *our_uri = at(our.at(i), {u"uri"_s});
            require(their_uri && our_uri && *their_uri == *our_uri, u"uri"_s);
            if (at(their.at(i), {u"auth"_s})) {
                require(at(our.at(i), {u"auth"_s, u"password"_s}), u"auth"_s);
                ++differences[u"login becomes secrets that are asked for"_s];
            }
        }
    }

    void role(const Value &theirs, const Value &ours, const Value &job, const QStringList &oldNames,
        const QStringList &newNames)
    {
        const auto both = [&](const QStringList &path) { return std::pair{textAt(theirs, path), textAt(ours, path)}; };
        const auto [oldInstances, instances] = both({u"instances"_s});
        expect(oldInstances, instances, u"instances"_s);
        const auto [oldFailed, failed] = both({u"completion"_s, u"minFailedInstances"_s});
        const Value *nullFailed = at(theirs, {u"completion"_s, u"minFailedInstances"_s});
        differ(oldFailed, failed, nullFailed && nullFailed->isNull() ? u"-1"_s : oldFailed,
            u"null means never, as it did"_s, u"minFailedInstances"_s);
        const auto [oldSucceeded, succeeded] = both({u"completion"_s, u"minSucceededInstances"_s});
        const Value *nullSucceeded = at(theirs, {u"completion"_s, u"minSucceededInstances"_s});
        QString wanted = nullSucceeded && nullSucceeded->isNull() ? u"-1"_s : oldSucceeded;
        QString reason = u"null means wait for all, as it did"_s;
        const QString killAll
            = textAt(job, {u"extras"_s, u"trainyard"_s, u"legacy"_s, u"killAllOnCompletedTaskNumber"_s});
        if (wanted == "-1"_L1 && killAll != "(none)"_L1 && oldNames.size() == 1) {
            wanted = QString::number(std::min(killAll.toLongLong(), instances.toLongLong()));
            reason = u"end after N completed tasks becomes N succeeded ones"_s;
        }
        differ(oldSucceeded, succeeded, wanted, reason, u"minSucceededInstances"_s);
        for (const auto &key : {u"cpu"_s, u"memoryMB"_s, u"gpu"_s}) {
            const auto [old, now] = both({u"resourcePerInstance"_s, key});
            differ(old, now, old == "(none)"_L1 ? (key == "gpu"_L1 ? u"0"_s : u"1"_s) : old,
                u"missing numbers become the old defaults"_s, key);
        }
        const Value *oldPorts = at(theirs, {u"resourcePerInstance"_s, u"ports"_s});
        const Value *newPorts = at(ours, {u"resourcePerInstance"_s, u"ports"_s});
        if (oldPorts && oldPorts->asMap() && oldPorts->asMap()->isEmpty()) {
            require(!newPorts, u"ports"_s);
            ++differences[u"no empty map of ports"_s];
        } else if (oldPorts || newPorts) {
            require(oldPorts && newPorts && *oldPorts == *newPorts, u"ports"_s);
        }
        const auto [oldShm, shm] = both({u"extraContainerOptions"_s, u"shmMB"_s});
        expect(oldShm, shm, u"shmMB"_s);
        QString command = textAt(theirs, {u"commands"_s, u"0"_s});
        const QString oldCommand = command;
        for (qsizetype i = 0; i < oldNames.size(); ++i) {
            command = legacy::renameRoleVariables(command, oldNames.at(i), newNames.at(i));
        }
        differ(oldCommand, textAt(ours, {u"commands"_s, u"0"_s}), command, u"variables follow the names of roles"_s,
            u"command"_s);
        const QMap<QString, QString> names{{u"dockerImage"_s, u"image"_s}, {u"data"_s, u"data"_s},
            {u"output"_s, u"output"_s}, {u"script"_s, u"code"_s}};
        for (auto it = names.begin(); it != names.end(); ++it) {
            const auto [old, now] = both({it.key()});
            differ(
                old, now, old == "default"_L1 ? it.value() : old, u"prerequisites have names of their own"_s, it.key());
        }
    }

    void commandsBefore(const Value &theirs, const Value &ours, const QString &oldRole, const QString &role)
    {
        const Value *their = at(theirs, {u"deployments"_s, u"0"_s, u"taskRoles"_s, oldRole, u"preCommands"_s});
        const Value *our = at(ours, {u"deployments"_s, u"0"_s, u"taskRoles"_s, role, u"preCommands"_s});
        require(their && our, u"preCommands"_s);
        if (!their || !our) {
            return;
        }
        QStringList now;
        for (const Value &line : *our->asList()) {
            now.append(line.toText());
        }
        require(now.first() == "set +o errexit +o nounset +o pipefail"_L1, u"shell options"_s);
        --same;
        ++differences[u"commands run without errexit, as they did"_s];
        for (const Value &value : *their->asList()) {
            const QString line = value.toText();
            if (line.startsWith("echo \"[WARNING] Compatibility"_L1)) {
                ++differences[u"no warning: the result is a job of version 2"_s];
                continue;
            }
            if (now.contains(line)) {
                ++same;
                continue;
            }
            // export NAME=value, where ours has quotes around the value.
            const QString name = line.section(u'=', 0, 0);
            const QString text = line.section(u'=', 1);
            const bool quoted = now.contains(QString(name + u"=\""_s + text + u'"'))
                || now.contains(QString(name + u"='"_s + text + u'\''));
            require(quoted, line);
            --same;
            ++differences[u"exports quote their values"_s];
        }
    }

    QString m_name;
};

} // namespace

void TstLegacy::recordedConversions()
{
    QFETCH(QStringList, old);
    QFETCH(QStringList, recorded);
    Comparison comparison;
    int valid = 0;
    int findings = 0;
    for (qsizetype i = 0; i < old.size(); ++i) {
        const QString name = QFileInfo(old.at(i)).fileName();
        const JobImport result = importLegacyJob(shareddata::read(old.at(i)));
        QVERIFY2(!result.hasErrors() && !result.yaml.isEmpty(), qPrintable(name + u": "_s + codes(result)));
        findings += int(result.report.size());
        const ParseOutcome outcome = parseJob(result.yaml);
        QVERIFY2(outcome.canRun(), qPrintable(name));
        QVERIFY2(parseJob(result.yaml, CheckMode::Strict).canRun(), qPrintable(name));
        ++valid;
        const QByteArray yaml = shareddata::read(recorded.at(i));
        QVERIFY2(!yaml.isEmpty(), qPrintable(recorded.at(i)));
        comparison.job(parsed(yaml), parsed(result.yaml), name);
    }
    for (auto it = comparison.differences.begin(); it != comparison.differences.end(); ++it) {
        qInfo("  %4d %s", it.value(), qPrintable(it.key()));
    }
    qInfo(
        "%d conversions, all of them accepted by a server of version 2; %d values the same, %d differ for the "
        "reasons above, %d unexplained; %d findings reported",
        valid, comparison.same,
        [&] {
            int sum = 0;
            for (const int count : std::as_const(comparison.differences)) {
                sum += count;
            }
            return sum;
        }(),
        int(comparison.unexplained.size()), findings);
    QVERIFY2(comparison.unexplained.isEmpty(), qPrintable(comparison.unexplained.mid(0, 20).join(u'\n')));
}

TRAINYARD_TEST(TstLegacy)
#include "tst_legacy.moc"
