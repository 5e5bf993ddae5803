// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "model/protocol/legacynames.h"
#include "model/template/render.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/oldjobs.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;
using namespace oldjobs;

// What becomes of jobs of version 1.
class TstLegacy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeJob();
    void oldRoleNames();
    void comments();
    void names();
    void limits();
    void yamlJob();
    void shellText();
    void codeFolderIsCopied_data();
    void codeFolderIsCopied();
};

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
    QVERIFY(!partAt(v, {u"parameters"_s}));
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
    QVERIFY(!partAt(v, worker + QStringList{u"resourcePerInstance"_s, u"ports"_s}));
    QCOMPARE(textAt(v, worker + QStringList{u"resourcePerInstance"_s, u"memoryMB"_s}), u"100"_s);
    QCOMPARE(textAt(v, worker + QStringList{u"completion"_s, u"minFailedInstances"_s}), u"1"_s);
    QCOMPARE(textAt(v, worker + QStringList{u"completion"_s, u"minSucceededInstances"_s}), u"-1"_s);
    const Value *commands = partAt(v, {u"deployments"_s, u"0"_s, u"taskRoles"_s, u"worker"_s, u"preCommands"_s});
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

TRAINYARD_TEST(TstLegacy)
#include "tst_legacy.moc"
