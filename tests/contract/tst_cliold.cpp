// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/fullform.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

// The real program: convert, explain, the manual, and jobs of version 1 elsewhere.
class TstCliOld : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void convertToStandardOutput();
    void convertToFile();
    void convertKeepsPrivate();
    void convertJson();
    void convertScript();
    void convertRefuses();
    void otherCommands();
    void programs_data();
    void programs();
    void recordedJobs();
    void explainField();
    void explainMore_data();
    void explainMore();
    void explainWhatIsNotThere();
    void explainJson();
    void explainAll();
    void manualPages_data();
    void manualPages();
    void manualNamesEverything();
    void referenceInSync();

private:
    struct Run {
        int status = -1;
        QByteArray out, err;
    };
    Run run(const QStringList &arguments, const QByteArray &input = {}) const;
    QString file(const QString &name, const QByteArray &bytes) const;

    QTemporaryDir m_folder;
    QString m_program;
};

namespace
{

const char oldJob[] = R"({
  // the first version
  "jobName": "old.one",
  "image": "a/b",
  "taskRoles": [{"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 64, "gpuNumber": 0,
    "command": "echo x"}],
}
)";

} // namespace

void TstCliOld::initTestCase()
{
    m_program = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s;
    spareLeakChecks();
    if (!QFileInfo(m_program).isExecutable()) {
        QFAIL("trainyardctl has not been built.");
    }
    QVERIFY(m_folder.isValid());
}

TstCliOld::Run TstCliOld::run(const QStringList &arguments, const QByteArray &input) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_folder.path());
    environment.insert(u"XDG_RUNTIME_DIR"_s, m_folder.path()); // no engine of the user's has a say
    environment.insert(u"LC_ALL"_s, u"C"_s);
    process.setProcessEnvironment(environment);
    process.start(m_program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(20'000) || process.exitStatus() != QProcess::NormalExit) {
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString TstCliOld::file(const QString &name, const QByteArray &bytes) const
{
    const QString path = m_folder.filePath(name);
    QFile out(path);
    return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() ? path : QString();
}

void TstCliOld::convertToStandardOutput()
{
    const QString path = file(u"old.json"_s, oldJob);
    const Run result = run({u"convert"_s, path});
    QCOMPARE(result.status, 0);
    QVERIFY2(result.out.startsWith("protocolVersion: 2\n# the first version\nname: old_one\n"), result.out.constData());
    QVERIFY2(result.err.contains(QByteArray(path.toUtf8() + ":3:3: warning: The job is now called 'old_one'")),
        result.err.constData());
    QVERIFY(result.err.contains("[legacy.name]"));
    const Run piped = run({u"convert"_s, u"-q"_s, u"-"_s}, oldJob);
    QCOMPARE(piped.status, 0);
    QCOMPARE(piped.out, result.out);
    QCOMPARE(piped.err, QByteArray());
    QCOMPARE(run({u"check"_s, u"--strict"_s, u"-"_s}, result.out).status, 0);
}

void TstCliOld::convertToFile()
{
    const QString path = file(u"old.json"_s, oldJob);
    const QString target = m_folder.filePath(u"new.pai.yaml"_s);
    QFile::remove(target);
    QCOMPARE(run({u"convert"_s, path, u"-o"_s, target}).status, 0);
    QFile written(target);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().startsWith("protocolVersion: 2\n"));
    written.close();
    const Run again = run({u"convert"_s, path, u"-o"_s, target});
    QCOMPARE(again.status, 4);
    QVERIFY(again.err.contains("already exists"));
    QCOMPARE(run({u"convert"_s, path, u"--force"_s, u"-o"_s, target}).status, 0);
    const Run unwritable = run({u"convert"_s, path, u"-o"_s, u"/no/such/folder/x.yaml"_s});
    QCOMPARE(unwritable.status, 2);
    QVERIFY(unwritable.err.contains("/no/such/folder/x.yaml"));
}

// A token in a script that nobody else can read is not read by others in the job.
void TstCliOld::convertKeepsPrivate()
{
    const auto modeOf = [this](const QString &name, QFile::Permissions permissions) {
        const QString path = file(name + u".sh"_s, "#!/bin/bash\nexport HF_TOKEN=hf_AbCdEfGhIjKlMnOpQr\n./a\n");
        const QString target = path + u".pai.yaml"_s;
        if (!QFile::setPermissions(path, permissions) || run({u"convert"_s, path, u"-o"_s, target}).status != 0) {
            return QFile::Permissions();
        }
        return QFile::permissions(target);
    };
    const QFile::Permissions others = QFile::ReadGroup | QFile::ReadOther;
    const QFile::Permissions owner = QFile::ReadOwner | QFile::WriteOwner;
    const QFile::Permissions closed = modeOf(u"closed"_s, owner), open = modeOf(u"open"_s, owner | others);
    QVERIFY(closed.testFlag(QFile::ReadOwner) && !(closed & others));
    QCOMPARE(open, QFile::permissions(file(u"new"_s, "x"))); // as of any new file
}

void TstCliOld::convertJson()
{
    const QString path = file(u"old.json"_s, oldJob);
    const Run result = run({u"convert"_s, u"--json"_s, path});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.err, QByteArray());
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    QCOMPARE(json.value("converted"_L1).toBool(), true);
    QCOMPARE(json.value("valid"_L1).toBool(), true);
    QVERIFY(json.value("yaml"_L1).toString().startsWith("protocolVersion: 2\n"_L1));
    bool found = false;
    const QJsonArray report = json.value("report"_L1).toArray();
    for (const QJsonValue &entry : report) {
        found = found || entry["code"_L1].toString() == "legacy.name"_L1;
        QVERIFY(!entry["message"_L1].toString().isEmpty() && entry["line"_L1].toInt() > 0);
    }
    QVERIFY(found);
}

// What is no JSON at all is not refused as such: a script is known by its options or its name.
void TstCliOld::convertScript()
{
    const Run piped = run({u"convert"_s, u"-"_s}, "#SBATCH -n 2\nsrun echo\n");
    QCOMPARE(piped.status, 0);
    QVERIFY2(piped.err.contains("[batch.no-interpreter]") && !piped.err.contains("[legacy"), piped.err.constData());
    const Run named = run({u"convert"_s, file(u"plain.sh"_s, "#!/bin/bash\necho\n")});
    QCOMPARE(named.status, 0);
    QVERIFY2(named.out.contains("name: plain\n"), named.out.constData());
    const Run refused = run({u"convert"_s, file(u"many.sbatch"_s, "#!/bin/bash\n#SBATCH -n 2\nsrun --multi-prog a\n")});
    QCOMPARE(refused.status, 2);
    QVERIFY2(
        refused.err.contains(":3:1: error: ") && refused.err.contains("[batch.multi-prog]"), refused.err.constData());
    QCOMPARE(refused.out, QByteArray());
    // One that runs a container says so itself, whatever its name is.
    const QByteArray docker = "docker run --rm python:3.11 python train.py\n";
    for (const Run &by : {run({u"convert"_s, u"-"_s}, docker), run({u"convert"_s, file(u"launch"_s, docker)}),
             run({u"convert"_s, file(u"start"_s, "#!/bin/bash\n" + docker)})}) {
        QCOMPARE(by.status, 0);
        QVERIFY2(by.out.contains("uri: python:3.11") && !by.err.contains("[batch.no-interpreter]"), by.err.constData());
    }
    const Run python = run({u"convert"_s, file(u"train"_s, "#!/usr/bin/env python3\nprint()\n")});
    QCOMPARE(python.status, 2);
    QVERIFY2(python.err.contains("[batch.not-shell]"), python.err.constData());
}

void TstCliOld::convertRefuses()
{
    const Run broken = run({u"convert"_s, u"-"_s}, "{\"jobName\": \"x\", ");
    QCOMPARE(broken.status, 2);
    QVERIFY2(broken.err.contains("standard input:1:1: error: This '{' has no closing '}'"), broken.err.constData());
    QCOMPARE(broken.out, QByteArray());
    const Run other = run({u"convert"_s, u"-"_s}, "protocolVersion: 2\nname: x\n");
    QCOMPARE(other.status, 4);
    // Each of them is told what it is, not what is wrong with it as a job.
    const Run compose
        = run({u"convert"_s, u"-"_s}, "services:\n  train:\n    image: a\n    command: python train.py\n");
    QCOMPARE(compose.status, 4);
    QVERIFY2(compose.err.contains("compose file") && !compose.err.contains("version"), compose.err.constData());
    const QString job = file(u"own.pai.yaml"_s,
        "protocolVersion: 2\nname: own_job\ntype: job\ntaskRoles:\n  a:\n    commands: ['true']\n    "
        "resourcePerInstance: "
        "{cpu: 1, memoryMB: 64, gpu: 0}\n    dockerImage: i\nprerequisites: [{name: i, type: dockerimage, uri: b}]\n");
    for (const QString &target : {u"sbatch"_s, u"bash"_s, u"compose"_s}) {
        const Run exported = run({u"export"_s, job, u"--to"_s, target});
        QVERIFY2(exported.out.contains("own_job"), exported.err.constData());
        const Run again = run({u"convert"_s, u"-"_s}, exported.out);
        QCOMPARE(again.status, 4);
        QCOMPARE(again.out, QByteArray());
        QVERIFY2(again.err.contains("export of the job own_job"), again.err.constData());
    }
    const Run incomplete
        = run({u"convert"_s, u"-"_s}, R"({"jobName": "x", "image": "i", "taskRoles": [{"name": "a"}]})");
    QCOMPARE(incomplete.status, 1);
    QVERIFY(incomplete.out.contains("name: x\n"));
    QVERIFY(incomplete.err.contains("'command' is missing in a"));
    QCOMPARE(run({u"convert"_s}).status, 2);
    QCOMPARE(run({u"convert"_s, u"/no/such"_s}).status, 2);
}

// Whoever gives an old job to another command is told what to do.
void TstCliOld::otherCommands()
{
    const QString path = file(u"old.json"_s, oldJob);
    const Run check = run({u"check"_s, path});
    QCOMPARE(check.status, 1);
    QVERIFY2(check.out.contains(QByteArray("Convert it: trainyardctl convert " + path.toUtf8() + " -o old.pai.yaml")),
        check.out.constData());
    QVERIFY(check.out.contains("[job.old-json]") && check.out.contains("[legacy.name]"));
    const Run strict = run({u"check"_s, u"--strict"_s, path});
    QCOMPARE(strict.status, 0);
    QVERIFY2(strict.out.contains("would accept this job: v0.4, v0.8, v0.14"), strict.out.constData());
    const Run refused = run({u"check"_s, u"--strict"_s, u"-"_s}, R"({"jobName": "x", "taskRoles": []})");
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.out.contains("'image' is missing in job"), refused.out.constData());
    const Run json = run({u"check"_s, u"--json"_s, path});
    QCOMPARE(json.status, 1);
    QCOMPARE(QJsonDocument::fromJson(json.out)["protocol"_L1].toInt(), 1);
    for (const auto &[command, status] : {std::pair{u"render"_s, 1}, std::pair{u"run"_s, 4}}) {
        const Run other = run({command, path});
        QCOMPARE(other.status, status);
        QVERIFY2(other.err.contains(QByteArray("trainyardctl convert " + path.toUtf8())), other.err.constData());
    }
}

// A script or a program in the place of a job: what to do instead, and nothing about the YAML that it is not.
void TstCliOld::programs_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("said"); // %: the file; empty: it is taken for a job
    const QByteArray convert = "is a shell script, and not a job. Make a job of it first: trainyardctl convert % -o ";
    QTest::newRow("a shell script") << u"train.sh"_s << QByteArray("python train.py\n") << convert + "train.pai.yaml";
    QTest::newRow("options of Slurm") << u"train"_s << QByteArray("#!/bin/bash\n#SBATCH -n 1\n./a\n")
                                      << convert + "train.pai.yaml";
    QTest::newRow("a shell script without a suffix")
        << u"train"_s << QByteArray("#!/bin/bash\n./a\n") << convert + "train.pai.yaml";
    QTest::newRow("a launch command") << u"launch.txt"_s << QByteArray("torchrun --nproc_per_node 8 train.py\n")
                                      << convert + "launch.pai.yaml";
    QTest::newRow("a command of docker") << u"launch"_s << QByteArray("docker run --gpus all pytorch python train.py\n")
                                         << convert + "launch.pai.yaml";
    QTest::newRow("an export, which cannot be converted either")
        << u"out.bash"_s
        << QByteArray("#!/usr/bin/env bash\n# ok: one task of a job of the OpenPAI job protocol, exported by "
                      "Trainyard.\ntrue\n")
        << QByteArray("is an export of the job ok: it has the commands for another system");
    QTest::newRow("Python") << u"train.py"_s << QByteArray("import torch\nx = {'a': 1}\n")
                            << QByteArray("Write a job that has \"python3 %\" in its commands.");
    QTest::newRow("Python by its first line")
        << u"train"_s << QByteArray("#!/usr/bin/env python3\nprint()\n") << QByteArray("is a program, and not a job.");
    QTest::newRow("a job behind a first line")
        << u"job"_s << QByteArray("#!/bin/sh\nprotocolVersion: 2\n") << QByteArray();
}

void TstCliOld::programs()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, said);
    const QString path = file(name, text);
    said.replace('%', path.toUtf8());
    if (said.contains("convert")) {
        const Run converted = this->run({u"convert"_s, u"-q"_s, path}); // a job, which may have something to correct
        QVERIFY2(converted.status <= 1 && converted.out.contains("taskRoles:"), converted.err.constData());
    }
    for (const auto &[command, status] :
        {std::pair{u"render"_s, 1}, std::pair{u"run"_s, 4}, std::pair{u"check"_s, 1}}) {
        if (said.isEmpty() && command == "run"_L1) {
            continue; // which would begin an engine
        }
        const Run run = this->run({command, path});
        const QByteArray output = run.out + run.err;
        QCOMPARE(output.contains(said.isEmpty() ? QByteArray("not a job.") : said), !said.isEmpty());
        if (!said.isEmpty()) {
            QCOMPARE(run.status, status);
            QVERIFY2(!output.contains("colon"), output.constData());
        }
    }
}

void TstCliOld::recordedJobs()
{
    const QStringList files = shareddata::files(u"corpus/v1/*.json"_s);
    int accepted = 0;
    // A sample: the library's test goes through all of them.
    for (qsizetype i = 0; i < files.size(); i += isFullForm() ? 8 : 40) {
        const Run converted = run({u"convert"_s, u"-q"_s, files.at(i)});
        QCOMPARE(converted.status, 0);
        QCOMPARE(run({u"check"_s, u"-q"_s, u"--strict"_s, u"-"_s}, converted.out).status, 0);
        QCOMPARE(run({u"check"_s, u"-q"_s, u"--strict"_s, files.at(i)}).status, 0);
        ++accepted;
    }
    qInfo("%d recorded jobs converted by the program and accepted", accepted);
}

void TstCliOld::explainField()
{
    const Run result = run({u"explain"_s, u"taskRoles.worker.taskRetryCount"_s});
    QCOMPARE(result.status, 0);
    QVERIFY2(result.out.startsWith("taskRoles.*.taskRetryCount\n  How often"), result.out.constData());
    QVERIFY2(result.out.contains("  Type        integer, 0 or more (retries)\n"), result.out.constData());
    QVERIFY(result.out.contains("  Default     0\n"));
    QVERIFY(result.out.contains("    taskRetryCount: 3\n"));
    QCOMPARE(run({u"explain"_s, u"/taskRoles/worker/taskRetryCount"_s}).out, result.out);
    QCOMPARE(run({u"explain"_s, u"taskRetryCount"_s}).out, result.out);
    for (const QByteArray &line : result.out.split('\n')) {
        QVERIFY2(line.size() <= 80, line.constData());
    }
}

void TstCliOld::explainMore_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("map") << u"taskRoles.worker.resourcePerInstance"_s << QByteArray("    memoryMB  ");
    QTest::newRow("no role") << u"taskRoles.resourcePerInstance.gpu"_s
                             << QByteArray("taskRoles.*.resourcePerInstance.gpu\n");
    QTest::newRow("end") << u"extraContainerOptions.shmmb"_s << QByteArray("taskRoles.*.extraContainerOptions.shmMB\n");
    QTest::newRow("values") << u"extras.trainyard.runIn"_s << QByteArray("podman: in a podman container");
    QTest::newRow("variable") << u"PAI_HOST_IP_worker_0"_s << QByteArray("Address of one task.");
    QTest::newRow("old name") << u"minSucceededTaskCount"_s
                              << QByteArray("taskRoles.*.completion.minSucceededInstances");
    QTest::newRow("key of a setting and a field")
        << u"stop.graceSeconds"_s << QByteArray("stop.graceSeconds  (a setting of the engine)\n");
    QTest::newRow("range of the setting") << u"health.silence"_s << QByteArray("(a setting of the engine)\n");
    QTest::newRow("field beside it") << u"stop.graceSeconds"_s << QByteArray("extras.trainyard.stop.graceSeconds\n");
    QTest::newRow("plugin") << u"sshbarrier"_s << QByteArray("(ssh)");
    QTest::newRow("several") << u"prerequisites.x.uri"_s << QByteArray("prerequisites.*.uri  (data)");
}

void TstCliOld::explainMore()
{
    QFETCH(QString, what);
    QFETCH(QByteArray, part);
    const Run result = run({u"explain"_s, what});
    QCOMPARE(result.status, 0);
    QVERIFY2(result.out.contains(part), result.out.constData());
}

void TstCliOld::explainWhatIsNotThere()
{
    const auto said = [this](const QString &what) { return run({u"explain"_s, what}); };
    const Run part = said(u"memory"_s);
    QCOMPARE(part.status, 1);
    QVERIFY2(part.err.contains("Did you mean") && part.err.contains("memoryMB"), part.err.constData());
    const Run slip = said(u"taskRoles.main.instnaces"_s);
    QVERIFY2(slip.err.contains("Did you mean 'instances'?"), slip.err.constData());
    QVERIFY(!said(u"qqqqqq"_s).err.contains("Did you mean"));
}

void TstCliOld::explainJson()
{
    const Run result = run({u"explain"_s, u"--json"_s, u"gpu"_s});
    QCOMPARE(result.status, 0);
    const QJsonObject field = QJsonDocument::fromJson(result.out)["fields"_L1].toArray().at(0).toObject();
    QCOMPARE(field.value("path"_L1).toString(), u"/taskRoles/*/resourcePerInstance/gpu"_s);
    QCOMPARE(field.value("required"_L1).toBool(), true);
    QCOMPARE(field.value("min"_L1).toInt(-1), 0);
    const QJsonObject both
        = QJsonDocument::fromJson(run({u"explain"_s, u"--json"_s, u"stop.graceSeconds"_s}).out).object();
    QCOMPARE(both.value("fields"_L1).toArray().size(), 1);
    QVERIFY(both.value("settings"_L1)[0]["default"_L1].isDouble());
    const QJsonObject all = QJsonDocument::fromJson(run({u"explain"_s, u"--json"_s}).out).object();
    QVERIFY(all.value("fields"_L1).toArray().size() > 150);
    QVERIFY(all.value("variables"_L1).toArray().size() > 60);
    const Run nothing = run({u"explain"_s, u"no.such.field"_s});
    QCOMPARE(nothing.status, 1);
    QVERIFY(nothing.err.contains("no field, variable or setting 'no.such.field'"));
    QCOMPARE(run({u"explain"_s, u"a"_s, u"b"_s}).status, 2);
    QCOMPARE(run({u"explain"_s, u"--man"_s, u"other.1"_s}).status, 2);
}

void TstCliOld::explainAll()
{
    const Run result = run({u"explain"_s});
    QCOMPARE(result.status, 0);
    QVERIFY(result.out.contains("\ntaskRoles.*.resourcePerInstance.gpu\n"));
    QVERIFY(result.out.contains("  PAI_TASK_INDEX\n"));
    QVERIFY(!result.out.contains("extras.trainyard.sweep")); // reserved
}

void TstCliOld::manualPages_data()
{
    QTest::addColumn<QString>("page");
    for (const QString &page : {u"trainyardctl.1"_s, u"trainyard.1"_s, u"trainyard-job.5"_s}) {
        QTest::newRow(qPrintable(page)) << page;
    }
}

void TstCliOld::manualPages()
{
    QFETCH(QString, page);
    const Run result = run({u"explain"_s, u"--man"_s, page});
    QCOMPARE(result.status, 0);
    QVERIFY(result.out.contains(".TH \"") && result.out.contains(".SH \"NAME\""));
    const QString groff = QStandardPaths::findExecutable(u"groff"_s);
    if (groff.isEmpty()) {
        QSKIP("groff is not installed, so the page is not formatted: install the package groff-base.");
    }
    QProcess process;
    process.start(groff, {u"-man"_s, u"-ww"_s, u"-Tutf8"_s, u"-Kutf8"_s});
    process.write(result.out);
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(15'000));
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(process.readAllStandardOutput().size() > 500);
}

void TstCliOld::manualNamesEverything()
{
    const QByteArray commands = run({u"explain"_s, u"--man"_s, u"trainyardctl.1"_s}).out;
    const QByteArray help = run({u"help"_s}).out;
    static const QRegularExpression name(u"^  ([a-z]+)  "_s, QRegularExpression::MultilineOption);
    int count = 0;
    for (auto it = name.globalMatch(QString::fromUtf8(help)); it.hasNext(); ++count) {
        const QByteArray command = it.next().captured(1).toUtf8();
        QVERIFY2(commands.contains(QByteArray(".SS \"" + command + "\"\n")), command.constData());
    }
    QVERIFY(count >= 12);
    // The window's options are a table of its own, by their names.
    QFile source(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/app/common/windowoptions.h"_s);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(source.readAll());
    const QByteArray program = run({u"explain"_s, u"--man"_s, u"trainyard.1"_s}).out;
    static const QRegularExpression option(u"const QString \\w+Option = QStringLiteral\\(\"([a-z-]+)\"\\)"_s);
    int options = 0;
    for (auto it = option.globalMatch(text); it.hasNext(); ++options) {
        const QByteArray word = it.next().captured(1).replace(u'-', u"\\-"_s).toUtf8();
        QVERIFY2(program.contains(QByteArray("\\-\\-" + word)), word.constData());
    }
    QVERIFY(options >= 4);
}

void TstCliOld::referenceInSync()
{
    QFile page(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/docs/job-reference.md"_s);
    QVERIFY(page.open(QIODevice::ReadOnly));
    const Run result = run({u"explain"_s, u"--markdown"_s});
    QVERIFY2(page.readAll() == result.out,
        "docs/job-reference.md is behind: trainyardctl explain --markdown > docs/job-reference.md");
}

TRAINYARD_TEST(TstCliOld)
#include "tst_cliold.moc"
