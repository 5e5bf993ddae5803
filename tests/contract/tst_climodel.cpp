// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellquote.h"
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
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

// The real program: check, render, edit.
class TstCliModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void helpAndVersion();
    void usageErrors_data();
    void usageErrors();
    void failuresAsJson_data();
    void failuresAsJson();
    void checkForPeople();
    void checkJson();
    void checkStrict();
    void checkStandardInput();
    void checkBadFiles_data();
    void checkBadFiles();
    void fixesApply();
    void secretsStayHidden();
    void renderForPeople();
    void renderKnowsTheRoles();
    void renderEnvironment();
    void renderJson();
    void outputCannotBeWritten();
    void renderParameters();
    void renderRefuses();
    void renderAsServer();
    void catalogue();
    void editPrints();
    void editInOrder();
    void editRenames();
    void editMovesAndCopies();
    void editInPlace();
    void editKeepsProtectedFiles();
    void editFollowsLinks();
    void editRefuses();
    void editSaysWhatIsWrong();
    void checkFixes();
    void checkFixesNoGuesses();
    void editKnowsTheRoles();
    void editCannotWrite();
    void corpusSurvivesEdits();
    void metricsPrint();
    void metricsOfFiles();
    void metricsRefuse_data();
    void metricsRefuse();

private:
    struct Run {
        int status = -1;
        QByteArray out, err;
    };
    Run run(const QStringList &arguments, const QByteArray &input = {}) const;
    QString file(const QString &name, const QByteArray &bytes) const;
    QByteArray contents(const QString &path) const;

    QTemporaryDir m_folder;
    QString m_program;
};

namespace
{

const char goodJob[] = R"(# a job
protocolVersion: 2
name: demo
type: job
prerequisites:
  - name: img   # the image
    type: dockerimage
    uri: a/b
  - name: prep
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    callbacks:
      - event: taskStarts
        commands: [echo prep]
parameters:
  lr: 0.1
secrets:
  token: hunter2secret
taskRoles:
  worker:
    instances: 2
    dockerImage: img
    prerequisites: [prep]
    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0, ports: {web: 1}}
    commands:
      - echo <% $parameters.lr %> # rate
      - echo <% $secrets.token %>
)";

const char badJob[] = "protocolVersion: 2\nname: d\u00e9mo job\ntype: job\ntaskRoles:\n  w:\n    dockerImage: img\n"
                      "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [a]\n";

} // namespace

void TstCliModel::initTestCase()
{
    m_program = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s;
    spareLeakChecks();
    if (!QFileInfo(m_program).isExecutable()) {
        QFAIL("trainyardctl has not been built.");
    }
    QVERIFY(m_folder.isValid());
}

TstCliModel::Run TstCliModel::run(const QStringList &arguments, const QByteArray &input) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_folder.path());
    environment.insert(u"XDG_CONFIG_HOME"_s, m_folder.filePath(u"config"_s));
    environment.insert(u"XDG_RUNTIME_DIR"_s, m_folder.path()); // no engine of the user's has a say
    environment.insert(u"LC_ALL"_s, u"C"_s);
    process.setProcessEnvironment(environment);
    process.start(m_program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) {
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString TstCliModel::file(const QString &name, const QByteArray &bytes) const
{
    const QString path = m_folder.filePath(name);
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) {
        return {};
    }
    return path;
}

QByteArray TstCliModel::contents(const QString &path) const
{
    QFile in(path);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

void TstCliModel::helpAndVersion()
{
    for (const QString &word : {u"--help"_s, u"help"_s, u"-h"_s}) {
        const Run help = run({word});
        QCOMPARE(help.status, 0);
        for (const char *command : {"check", "render", "edit"}) {
            QVERIFY(help.out.contains(command));
        }
        QVERIFY(help.err.isEmpty());
    }
    QVERIFY(run({u"--version"_s}).out.startsWith("trainyardctl "));
    for (const QString &command : {u"check"_s, u"render"_s, u"edit"_s}) {
        const Run help = run({command, u"--help"_s});
        QCOMPARE(help.status, 0);
        QVERIFY(help.out.contains("Exit status"));
        QCOMPARE(run({u"help"_s, command}).out, help.out);
    }
}

void TstCliModel::usageErrors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown command") << QStringList{u"chekc"_s};
    QTest::newRow("no file") << QStringList{u"check"_s};
    QTest::newRow("two files") << QStringList{u"check"_s, u"a"_s, u"b"_s};
    QTest::newRow("unknown option") << QStringList{u"check"_s, u"--whatever"_s, u"a"_s};
    QTest::newRow("render: no file") << QStringList{u"render"_s};
    QTest::newRow("render: bad parameter") << QStringList{u"render"_s, u"--param"_s, u"x"_s, u"a"_s};
    QTest::newRow("edit: no edit") << QStringList{u"edit"_s, u"a"_s};
    QTest::newRow("edit: no value") << QStringList{u"edit"_s, u"--set"_s};
    QTest::newRow("edit: no equals") << QStringList{u"edit"_s, u"--set"_s, u"/a"_s, u"a"_s};
    QTest::newRow("edit: no pointer") << QStringList{u"edit"_s, u"--set"_s, u"name=x"_s, u"a"_s};
    QTest::newRow("edit: standard input in place") << QStringList{u"edit"_s, u"-i"_s, u"--set"_s, u"/a=b"_s, u"-"_s};
    QTest::newRow("missing file") << QStringList{u"check"_s, u"/no/such/file.yaml"_s};
    QTest::newRow("folder") << QStringList{u"check"_s, u"/"_s};
    QTest::newRow("missing file to edit") << QStringList{u"edit"_s, u"--set"_s, u"/a=b"_s, u"/no/such/file"_s};
}

void TstCliModel::usageErrors()
{
    QFETCH(QStringList, arguments);
    const Run result = run(arguments);
    QCOMPARE(result.status, 2);
    QVERIFY(arguments.isEmpty() || (result.out.isEmpty() && result.err.startsWith("trainyardctl: ")));
}

void TstCliModel::failuresAsJson_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message"); // a part of it
    QTest::newRow("an option") << QStringList{u"ps"_s, u"--json"_s, u"--no-such"_s} << 2 << u"usage"_s
                               << u"--no-such"_s;
    QTest::newRow("a file") << QStringList{u"check"_s, u"--json"_s, u"/no/such/file"_s} << 2 << u"file.unreadable"_s
                            << u"/no/such/file"_s;
    QTest::newRow("no json") << QStringList{u"check"_s, u"/no/such/file"_s} << 2 << QString() << QString();
}

void TstCliModel::failuresAsJson()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const Run result = run(arguments);
    QTEST(result.status, "status");
    const QJsonObject error = QJsonDocument::fromJson(result.out).object().value(u"error"_s).toObject();
    QTEST(error.value(u"code"_s).toString(), "code");
    QVERIFY2(error.value(u"message"_s).toString().contains(message), result.out.constData());
    QCOMPARE(result.out.isEmpty(), message.isEmpty());
    QVERIFY(result.err.startsWith("trainyardctl: "));
}

void TstCliModel::checkForPeople()
{
    const Run good = run({u"check"_s, file(u"good.yaml"_s, goodJob)});
    QCOMPARE(good.status, 0);
    QVERIFY2(good.out.contains("no errors"), good.out.constData());
    QVERIFY(!good.out.contains('\x1b'));
    const QString path = file(u"bad.yaml"_s, badJob);
    const Run bad = run({u"check"_s, path});
    QCOMPARE(bad.status, 1);
    const QByteArray place = path.toUtf8() + ":2:7: error: The name ";
    QVERIFY2(bad.out.contains(place), bad.out.constData());
    QVERIFY2(bad.out.contains("\n        ^~~~~~~~\n"), bad.out.constData());
    QVERIFY(bad.out.contains("[name.invalid]"));
    QVERIFY(bad.out.contains("fix: Define the image 'img'"));
    const Run data = run(
        {u"check"_s, file(u"data.yaml"_s, goodJob + QByteArray("extras: {trainyard: {data: {d: {from: gone}}}}\n"))});
    QCOMPARE(data.status, 0);
    QVERIFY2(data.out.contains("[extras.data-missing]"), data.out.constData());
    const Run quiet = run({u"check"_s, u"-q"_s, file(u"good.yaml"_s, goodJob)});
    QVERIFY(quiet.out.isEmpty());
}

void TstCliModel::checkJson()
{
    const QString path = file(u"bad.yaml"_s, badJob);
    const Run result = run({u"check"_s, u"--json"_s, path});
    QCOMPARE(result.status, 1);
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    QCOMPARE(json.value(u"file"_s).toString(), path);
    QCOMPARE(json.value(u"valid"_s).toBool(true), false);
    QCOMPARE(json.value(u"strict"_s).toBool(true), false);
    const QJsonArray diagnostics = json.value(u"diagnostics"_s).toArray();
    QCOMPARE(diagnostics.size(), 2);
    const QJsonObject name = diagnostics.at(0).toObject();
    QCOMPARE(name.value(u"code"_s).toString(), u"name.invalid"_s);
    QCOMPARE(name.value(u"severity"_s).toString(), u"error"_s);
    QCOMPARE(name.value(u"line"_s).toInt(), 2);
    QCOMPARE(name.value(u"column"_s).toInt(), 7);
    QCOMPARE(name.value(u"begin"_s).toInt(), 25);
    QCOMPARE(name.value(u"end"_s).toInt(), 34); // bytes: the accent has two
    QCOMPARE(name.value(u"path"_s).toString(), u"/name"_s);
    QVERIFY(name.value(u"message"_s).toString().contains(u"use English letters"_s));
    const QJsonObject image = diagnostics.at(1).toObject();
    QCOMPARE(image.value(u"code"_s).toString(), u"role.image.undefined"_s);
    QCOMPARE(image.value(u"path"_s).toString(), u"/taskRoles/w/dockerImage"_s);
    QCOMPARE(image.value(u"args"_s).toObject().value(u"name"_s).toString(), u"img"_s);
    const QJsonObject fix = image.value(u"fixes"_s).toArray().at(0).toObject();
    QVERIFY(!fix.value(u"title"_s).toString().isEmpty());
    const QJsonObject edit = fix.value(u"edits"_s).toArray().at(0).toObject();
    QVERIFY(edit.contains(u"begin"_s) && edit.contains(u"end"_s) && edit.contains(u"text"_s));
    const Run good = run({u"check"_s, u"--json"_s, file(u"good.yaml"_s, goodJob)});
    QCOMPARE(QJsonDocument::fromJson(good.out).object().value(u"valid"_s).toBool(), true);
}

void TstCliModel::checkStrict()
{
    QByteArray job = goodJob;
    job.replace("instances: 2", QByteArray("instances: '2'"));
    const QString path = file(u"strict.yaml"_s, job);
    QCOMPARE(run({u"check"_s, path}).status, 0);
    const Run strict = run({u"check"_s, u"--strict"_s, u"--json"_s, path});
    QCOMPARE(strict.status, 1);
    const QJsonObject json = QJsonDocument::fromJson(strict.out).object();
    QCOMPARE(json.value(u"strict"_s).toBool(), true);
    QCOMPARE(json.value(u"valid"_s).toBool(true), false);
    QCOMPARE(run({u"check"_s, u"--strict"_s, file(u"good.yaml"_s, goodJob)}).status, 0);
}

void TstCliModel::checkStandardInput()
{
    QCOMPARE(run({u"check"_s, u"-"_s}, goodJob).status, 0);
    const Run bad = run({u"check"_s, u"-"_s}, badJob);
    QCOMPARE(bad.status, 1);
    QVERIFY(bad.out.startsWith("standard input:2:7: "));
}

void TstCliModel::checkBadFiles_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("not utf-8") << QByteArray("name: \xff\xfe\n");
    QTest::newRow("nul") << QByteArray("a\0b", 3);
    QTest::newRow("json") << QByteArray("{\"jobName\": \"x\", \"taskRoles\": []}");
    QTest::newRow("brackets") << QByteArray(8'000'000, '[');
    QTest::newRow("50 MB") << QByteArray(50'000'000, 'x');
    QTest::newRow("unclosed") << QByteArray("name: \"x\n");
}

void TstCliModel::checkBadFiles()
{
    QFETCH(QByteArray, bytes);
    const QString path = file(u"input.yaml"_s, bytes);
    const Run result = run({u"check"_s, path});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.out.contains(QByteArray(path.toUtf8() + ":1:")), result.out.left(300).constData());
    QVERIFY(result.out.size() < 20'000);
    QCOMPARE(run({u"render"_s, path}).status, 1);
    const Run edited = run({u"edit"_s, u"-i"_s, u"--set"_s, u"/a/b=1"_s, path});
    QVERIFY(edited.status == 4 || edited.status == 0);
    QVERIFY(edited.status == 0 || contents(path) == bytes);
}

void TstCliModel::fixesApply()
{
    QByteArray job = badJob;
    for (int i = 0; i < 5; ++i) {
        const Run result = run({u"check"_s, u"--json"_s, u"-"_s}, job);
        const QJsonArray diagnostics = QJsonDocument::fromJson(result.out).object().value(u"diagnostics"_s).toArray();
        QJsonArray edits;
        for (const QJsonValue &each : diagnostics) {
            const QJsonArray fixes = each.toObject().value(u"fixes"_s).toArray();
            if (edits.isEmpty() && !fixes.isEmpty()) {
                edits = fixes.at(0).toObject().value(u"edits"_s).toArray();
            }
        }
        if (edits.isEmpty()) {
            break;
        }
        for (qsizetype j = edits.size() - 1; j >= 0; --j) {
            const QJsonObject edit = edits.at(j).toObject();
            const int begin = edit.value(u"begin"_s).toInt();
            job.replace(begin, edit.value(u"end"_s).toInt() - begin, edit.value(u"text"_s).toString().toUtf8());
        }
    }
    QCOMPARE(run({u"check"_s, u"-"_s}, job).status, 0);
}

void TstCliModel::secretsStayHidden()
{
    const QString path = file(u"good.yaml"_s, goodJob);
    QByteArray odd = goodJob;
    odd.replace("token: hunter2secret", QByteArray("token: 0o17\n  other: {a: hunter2secret}"));
    QByteArray login = goodJob;
    login.replace("    uri: a/b\n", "    uri: a/b\n    auth: {username: ada, password: hunter2secret}\n");
    QVERIFY(login != goodJob);
    const Run warned = run({u"check"_s, u"-"_s}, login);
    QVERIFY2(warned.out.contains("[prerequisite.auth-password]") && warned.out.contains("Make it a secret"),
        warned.out.constData());
    // Where a line is repeated, what a command or a text that cannot be read shows of a secret is not.
    QByteArray inCommand = goodJob, broken = goodJob;
    inCommand.replace("commands:\n", "commands:\n      - login hunter2secret\n");
    broken.replace("hunter2secret", "hunter2secret: x");
    const Run repeated = run({u"check"_s, u"-"_s}, inCommand), unread = run({u"check"_s, u"-"_s}, broken);
    QVERIFY2(repeated.out.contains("[secrets.in-command]") && repeated.out.contains("- login *************"),
        repeated.out.constData());
    QVERIFY2(unread.out.contains("[yaml.syntax]"), unread.out.constData());
    for (const Run &result : {run({u"check"_s, path}), run({u"check"_s, u"--json"_s, path}), run({u"render"_s, path}),
             run({u"render"_s, u"--json"_s, path}), run({u"check"_s, u"-"_s}, odd),
             run({u"check"_s, u"--json"_s, u"-"_s}, odd), warned, repeated, unread,
             run({u"check"_s, u"--json"_s, u"-"_s}, login)}) {
        QVERIFY2(
            !result.out.contains("hunter2secret") && !result.err.contains("hunter2secret"), result.out.constData());
    }
}

void TstCliModel::renderForPeople()
{
    const Run result = run({u"render"_s, file(u"good.yaml"_s, goodJob)});
    QCOMPARE(result.status, 0);
    QVERIFY2(result.out.contains("echo 0.1\n"), result.out.constData());
    QVERIFY(result.out.contains("echo prep\n"));
    QVERIFY(result.out.contains("<% $secrets.token %>"));
    QCOMPARE(run({u"render"_s, u"--role"_s, u"nobody"_s, file(u"good.yaml"_s, goodJob)}).status, 2);
}

// Names in order and values as a shell reads them, no secret among them.
void TstCliModel::renderKnowsTheRoles()
{
    const Run wrong = run({u"render"_s, u"--role"_s, u"worked"_s, u"-"_s}, goodJob);
    QCOMPARE(wrong.status, 2);
    QVERIFY2(
        wrong.err.contains("has no task role 'worked'. It has: worker. Did you mean 'worker'?"), wrong.err.constData());
}

void TstCliModel::renderEnvironment()
{
    const QString path = file(u"good.yaml"_s, goodJob);
    const Run result = run({u"render"_s, path});
    QCOMPARE(result.status, 0);
    const QJsonObject worker = QJsonDocument::fromJson(run({u"render"_s, u"--json"_s, path}).out)
                                   .object()
                                   .value(u"roles"_s)
                                   .toObject()
                                   .value(u"worker"_s)
                                   .toObject();
    const QJsonObject environment = worker.value(u"environment"_s).toObject();
    QVERIFY(environment.size() > 20);
    qsizetype before = -1;
    for (auto it = environment.begin(); it != environment.end(); ++it) {
        const QByteArray line
            = '\n' + it.key().toUtf8() + '=' + trainyard::shellQuote(it.value().toString().toUtf8()) + '\n';
        const qsizetype at = result.out.indexOf(line);
        QVERIFY2(at > before, line.constData());
        before = at;
    }
    QVERIFY(!result.out.contains("tok-en"));
}

void TstCliModel::outputCannotBeWritten()
{
    const QString path = file(u"good.yaml"_s, goodJob);
    const QList<QStringList> commands{{u"render"_s, path}, {u"render"_s, u"--json"_s, path}, {u"check"_s, path},
        {u"check"_s, u"--json"_s, path}, {u"edit"_s, u"--set"_s, u"/name=x"_s, path}, {u"explain"_s}, {u"--version"_s},
        {u"--help"_s}, {u"templates"_s, u"list"_s}};
    for (const QStringList &command : commands) {
        QProcess process;
        process.setStandardOutputFile(u"/dev/full"_s);
        process.start(m_program, command);
        QVERIFY(process.waitForFinished(20'000));
        QVERIFY2(process.exitCode() == 2, qPrintable(command.join(u' ')));
        QCOMPARE(
            process.readAllStandardError(), "trainyardctl: The output cannot be written: No space left on device.\n");
    }
    // An output that somebody has closed is none of the files that the program opens by itself.
    QProcess closed;
    closed.start(u"sh"_s, {u"-c"_s, u"exec \"$0\" \"$@\" >&-"_s, m_program, u"check"_s, path});
    QVERIFY(closed.waitForFinished(20'000));
    QCOMPARE(closed.exitCode(), 2);
    QCOMPARE(closed.readAllStandardError(), "trainyardctl: The output cannot be written: it is closed.\n");
    const Run result = run({u"rehearse"_s, path, u"--minutes"_s, u"99999999999"_s});
    QCOMPARE(result.status, 2);
    QVERIFY2(result.err.contains("a number from 1 to 525600, not '99999999999'"), result.err.constData());
}

void TstCliModel::renderJson()
{
    const Run result = run({u"render"_s, u"--json"_s, file(u"good.yaml"_s, goodJob)});
    QCOMPARE(result.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    QCOMPARE(json.value(u"secretsMasked"_s).toBool(), true);
    const QJsonObject worker = json.value(u"roles"_s).toObject().value(u"worker"_s).toObject();
    QCOMPARE(worker.value(u"script"_s).toString(), u"echo 0.1\necho <% $secrets.token %>"_s);
    QCOMPARE(worker.value(u"prerequisites"_s).toArray(), QJsonArray{u"prep"_s});
    QCOMPARE(worker.value(u"ports"_s).toObject(), (QJsonObject{{u"web"_s, 1}, {u"ssh"_s, 1}, {u"http"_s, 1}}));
    const QJsonObject environment = worker.value(u"environment"_s).toObject();
    QVERIFY(environment.value(u"PAI_JOB_NAME"_s).toString().endsWith(u"~demo"_s));
    QCOMPARE(environment.value(u"PAI_TASKS_NUM"_s).toString(), u"2"_s);
}

void TstCliModel::renderParameters()
{
    const Run result = run({u"render"_s, u"--param"_s, u"lr=1e-7"_s, u"--role"_s, u"worker"_s, u"-"_s}, goodJob);
    QVERIFY2(result.out.contains("echo 1e-7"), result.out.constData());
    // With a typing error it would show something else than was meant.
    const Run typo = run({u"render"_s, u"--param"_s, u"Ir=1e-7"_s, u"-"_s}, goodJob);
    QCOMPARE(typo.status, 2);
    QVERIFY2(typo.err.contains("no parameter 'Ir'. It has: lr"), typo.err.constData());
    QVERIFY(typo.out.isEmpty());
    // As 'run' would refuse it.
    const Run word = run({u"render"_s, u"--param"_s, u"lr=banana"_s, u"-"_s}, goodJob);
    QCOMPARE(word.status, 2);
    QVERIFY2(word.err.contains("'banana' is not a number, as lr is one in the job."), word.err.constData());
    QVERIFY(word.out.isEmpty());
    const Run path = run({u"edit"_s, u"--set"_s, u"name=x"_s, u"-"_s}, goodJob);
    QVERIFY2(path.err.contains("'name' is not a path"), path.err.constData());
}

void TstCliModel::renderRefuses()
{
    const Run result = run({u"render"_s, u"-"_s}, badJob);
    QCOMPARE(result.status, 1);
    QVERIFY(result.out.isEmpty());
    QVERIFY(result.err.contains(":2:7: "));
}

void TstCliModel::renderAsServer()
{
    const Run result = run({u"render"_s, u"--json"_s, u"--as-server"_s, u"-"_s}, goodJob);
    QCOMPARE(result.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    const QJsonObject worker = json.value(u"roles"_s).toObject().value(u"worker"_s).toObject();
    QCOMPARE(worker.value(u"script"_s).toString(), u"echo 0.1\necho <% $secrets.token %>"_s);
    const QJsonObject environment = worker.value(u"environment"_s).toObject();
    QCOMPARE(environment.value(u"PAI_MIN_SUCCEEDED_TASK_COUNT_worker"_s).toString(), u"2"_s);
    QCOMPARE(environment.value(u"NVIDIA_VISIBLE_DEVICES"_s).toString(), u"none"_s);
    QVERIFY(!environment.contains(u"TRAINYARD_JOB_NAME"_s));
    const QString stored = json.value(u"stored"_s).toString();
    QVERIFY(stored.contains(u"secrets: \"******\"\n"_s) && !stored.contains(u"hunter2secret"_s));
    // A server's verdict comes first.
    QCOMPARE(run({u"render"_s, u"--as-server"_s, u"-"_s}, QByteArray(goodJob).replace("instances: 2", "instances: '2'"))
                 .status,
        1);
}

void TstCliModel::catalogue()
{
    const QString folder = m_folder.filePath(u"my catalogue"_s);
    QVERIFY(QDir().mkpath(folder + u"/script"_s));
    const QByteArray item = "type: script\nname: x\nplugin: com.microsoft.pai.runtimeplugin.cmd\n"
                            "callbacks: [{event: taskStarts, commands: [echo from the catalogue]}]\n";
    file(u"my catalogue/script/hello.yaml"_s, item);
    file(u"secret.yaml"_s, item);
    QVERIFY(QFile::link(m_folder.filePath(u"secret.yaml"_s), folder + u"/script/out.yaml"_s));
    const auto job = [](const QByteArray &name) {
        return QByteArray(goodJob).replace("[prep]", QByteArray("[prep, 'marketplace://script/" + name + "']"));
    };
    const Run without = run({u"check"_s, u"-q"_s, u"-"_s}, job("hello"));
    QCOMPARE(without.status, 1);
    QVERIFY(without.out.contains("catalogue"));
    QCOMPARE(run({u"render"_s, u"-"_s}, job("hello")).status, 1);
    const QStringList option{u"--catalog"_s, folder};
    QCOMPARE(run(QStringList{u"check"_s} + option + QStringList{u"-"_s}, job("hello")).status, 0);
    QCOMPARE(run(QStringList{u"check"_s, u"--strict"_s} + option + QStringList{u"-"_s}, job("hello")).status, 1);
    const Run with = run(QStringList{u"render"_s} + option + QStringList{u"-"_s}, job("hello"));
    QCOMPARE(with.status, 0);
    QVERIFY(with.out.contains("echo from the catalogue"));
    for (const char *name : {"none", "out", "../secret"}) {
        QCOMPARE(run(QStringList{u"check"_s} + option + QStringList{u"-"_s}, job(name)).status, 1);
    }
    // The setting, and the usual place.
    QVERIFY(QDir().mkpath(m_folder.filePath(u"config/trainyard"_s)));
    file(u"config/trainyard/engine.json"_s, "{\"catalogue.folder\": \"" + folder.toUtf8() + "\"}");
    QCOMPARE(run({u"check"_s, u"-"_s}, job("hello")).status, 0);
    QVERIFY(QFile::remove(m_folder.filePath(u"config/trainyard/engine.json"_s)));
    QVERIFY(QDir().rename(folder, m_folder.filePath(u"config/trainyard/catalogue"_s)));
    QCOMPARE(run({u"check"_s, u"-"_s}, job("hello")).status, 0);
}

void TstCliModel::editPrints()
{
    const QString path = file(u"good.yaml"_s, goodJob);
    const Run result = run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instances=4"_s, path});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.out, QByteArray(goodJob).replace("instances: 2", "instances: 4"));
    QCOMPARE(contents(path), QByteArray(goodJob));
    QCOMPARE(run({u"edit"_s, u"--set=/name=x"_s, u"-"_s}, goodJob).out,
        QByteArray(goodJob).replace("name: demo", "name: x"));
}

void TstCliModel::editInOrder()
{
    const Run result = run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/commands/-=first"_s, u"--set-text"_s,
                               u"/taskRoles/worker/commands/-=key: value = 1"_s, u"--remove"_s,
                               u"/taskRoles/worker/commands/0"_s, u"--set"_s, u"/taskRoles/worker/commands/0=[a]"_s,
                               u"--set-text"_s, u"/taskRoles/worker/commands/0=yes"_s, u"-"_s},
        goodJob);
    QVERIFY2(result.status == 0, result.err.constData());
    QVERIFY2(result.out.endsWith("    commands:\n      - 'yes'\n      - first\n      - 'key: value = 1'\n")
            || result.out.contains("- first\n      - 'key: value = 1'\n"),
        result.out.constData());
    QVERIFY(!result.out.contains("# rate"));
}

void TstCliModel::editRenames()
{
    QByteArray job = goodJob;
    job.append("      - ssh worker-0 echo $PAI_HOST_IP_worker_0\n");
    QByteArray expected = job;
    expected.replace("  worker:", QByteArray("  trainer:")).replace("IP_worker_0", QByteArray("IP_trainer_0"));
    expected.replace("  lr: 0.1", QByteArray("  rate: 0.2")).replace("$parameters.lr", QByteArray("$parameters.rate"));
    expected.replace("name: img ", QByteArray("name: base "))
        .replace("dockerImage: img", QByteArray("dockerImage: base"));
    expected.replace("name: prep", QByteArray("name: first")).replace("[prep]", QByteArray("[first]"));
    const Run result = run({u"edit"_s, u"--rename"_s, u"/taskRoles/worker=trainer"_s, u"--set=/parameters/lr=0.2"_s,
                               u"--rename"_s, u"/parameters/lr=rate"_s, u"--rename=/prerequisites/0=base"_s,
                               u"--rename=/prerequisites/1/name=first"_s, u"-"_s},
        job);
    QVERIFY2(result.status == 0, result.err.constData());
    QCOMPARE(result.out, expected);
    QVERIFY2(result.err.contains("Renamed 'worker' to 'trainer' and 1 reference.\n"), result.err.constData());
    QVERIFY2(result.err.contains("Check /taskRoles/trainer/commands/2")
            || result.err.contains("Check /taskRoles/worker/commands/2"),
        result.err.constData());
    const QString path = file(u"taken.yaml"_s, goodJob);
    for (const QString &wanted :
        {u"/prerequisites/0=prep"_s, u"/taskRoles/worker=a b"_s, u"/nothing=x"_s, u"/parameters/lr=a.b"_s}) {
        const Run refused = run({u"edit"_s, u"-i"_s, u"--set=/name=x"_s, u"--rename"_s, wanted, path});
        QVERIFY2(refused.status == 4, qPrintable(wanted));
        QCOMPARE(contents(path), QByteArray(goodJob));
    }
}

void TstCliModel::editMovesAndCopies()
{
    const QByteArray text("# c\na: 1\n# two\nb: 2 # b\nl: [x, y, z]\n");
    const Run result = run(
        {u"edit"_s, u"--move=/l/2=0"_s, u"--move"_s, u"/b=0"_s, u"--duplicate=/b=d"_s, u"--duplicate=/l/0="_s, u"-"_s},
        text);
    QVERIFY2(result.status == 0, result.err.constData());
    QCOMPARE(result.out, QByteArray("# c\n# two\nb: 2 # b\nd: 2 # b\na: 1\nl: [z, z, x, y]\n"));
    QCOMPARE(run({u"edit"_s, u"--move=/l/2=x"_s, u"-"_s}, text).status, 2);
    QCOMPARE(run({u"edit"_s, u"--move=/l/2=9"_s, u"-"_s}, text).status, 4);
}

void TstCliModel::editInPlace()
{
    const QString path = file(u"mode.yaml"_s, goodJob);
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
    const QFile::Permissions before = QFileInfo(path).permissions();
    const Run result = run({u"edit"_s, u"-i"_s, u"--set"_s, u"/name=other"_s, path});
    QCOMPARE(result.status, 0);
    QVERIFY(result.out.isEmpty());
    QCOMPARE(contents(path), QByteArray(goodJob).replace("name: demo", "name: other"));
    QCOMPARE(QFileInfo(path).permissions(), before);
    QVERIFY(QDir(m_folder.path()).entryList({u"mode.yaml.*"_s}).isEmpty());
}

void TstCliModel::editKeepsProtectedFiles()
{
    const QString path = file(u"protected.yaml"_s, goodJob);
    constexpr uid_t other = 12345;
    const bool isRoot = geteuid() == 0;
    QVERIFY(!isRoot || ::chown(QFile::encodeName(path).constData(), other, other) == 0);
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::ReadGroup | QFile::ReadOther));
    const QFile::Permissions before = QFileInfo(path).permissions();
    const QStringList edit{u"edit"_s, u"-i"_s, u"--set"_s, u"/name=other"_s, path};
    const Run refused = run(edit);
    QCOMPARE(refused.status, 4);
    QVERIFY2(refused.err.contains("protected against writing"), refused.err.constData());
    QCOMPARE(contents(path), QByteArray(goodJob));
    QCOMPARE(run(edit + QStringList{u"--force"_s}).status, 0);
    QVERIFY(contents(path).contains("name: other"));
    QCOMPARE(QFileInfo(path).permissions(), before);
    QVERIFY(!isRoot || (QFileInfo(path).ownerId() == other && QFileInfo(path).groupId() == other));
}

void TstCliModel::editFollowsLinks()
{
    const QString target = file(u"target.yaml"_s, goodJob);
    const QString link = m_folder.filePath(u"link.yaml"_s);
    QVERIFY(QFile::link(target, link));
    QCOMPARE(run({u"edit"_s, u"-i"_s, u"--set"_s, u"/name=other"_s, link}).status, 0);
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(contents(target).contains("name: other"));
}

void TstCliModel::editRefuses()
{
    const QString path = file(u"refuse.yaml"_s, goodJob);
    for (const QString &wanted : {u"/name/x/y=1"_s, u"/taskRoles/worker/commands/99=a"_s, u"/name=[a"_s, u"=x"_s}) {
        const Run result = run({u"edit"_s, u"-i"_s, u"--set"_s, u"/version=1"_s, u"--set"_s, wanted, path});
        QVERIFY2(result.status == 4, qPrintable(wanted));
        QVERIFY(result.err.contains("Nothing was changed."));
        QCOMPARE(contents(path), QByteArray(goodJob));
    }
    QCOMPARE(run({u"edit"_s, u"-i"_s, u"--remove"_s, u"/nothing/there"_s, path}).status, 4);
}

// A misspelt field or a value of the wrong type is written, but not in silence.
void TstCliModel::editSaysWhatIsWrong()
{
    const QString path = file(u"wrong.yaml"_s, goodJob);
    const Run misspelt = run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instanses=4"_s, path});
    QCOMPARE(misspelt.status, 0);
    QVERIFY2(misspelt.out.contains("instanses: 4"), misspelt.out.constData());
    QVERIFY2(misspelt.err.contains("Did you mean 'instances'?") && misspelt.err.contains("wrong.yaml:"),
        misspelt.err.constData()); // which is there
    const Run missing = run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/taskRetryCont=4"_s, path});
    QVERIFY2(missing.err.contains("Did you mean 'taskRetryCount'?"), missing.err.constData());
    const Run own = run({u"edit"_s, u"--set"_s, u"/extras/trainyard/priorty=4"_s, path});
    QVERIFY2(own.err.contains("Did you mean 'priority'?"), own.err.constData());
    const Run type = run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instances=many"_s, path});
    QCOMPARE(type.status, 0);
    QVERIFY2(type.err.contains("error"), type.err.constData());
    // Nothing about what was wrong before, and nothing about what is right.
    const Run right = run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instances=4"_s, u"-"_s}, misspelt.out);
    QCOMPARE(right.status, 0);
    QCOMPARE(right.err, QByteArray());
    // A broken text: where.
    const Run broken = run({u"edit"_s, u"--set"_s, u"/name=x"_s, u"-"_s}, "name: a\nlist: [1\n");
    QCOMPARE(broken.status, 4);
    QVERIFY2(
        broken.err.contains("standard input:") && broken.err.contains("Nothing was changed."), broken.err.constData());
    QVERIFY(QRegularExpression(u"standard input:\\d+:\\d+: "_s).match(QString::fromUtf8(broken.err)).hasMatch());
}

// What is meant is clear: it is written so, at once. What would remove or add something is left to its user.
void TstCliModel::checkFixes()
{
    const QByteArray good
        = "protocolVersion: 2\nname: demo\ntype: job\nparameters:\n  lr: 0.1\n  other: 1\ntaskRoles:\n"
          "  worker:\n    instances: 1\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
          "    commands:\n      - echo <% $parameters.lr %>\n";
    QByteArray bad = good;
    bad.replace("  worker:", "\tworker:").replace("$parameters.lr ", "$parameters.lrr ");
    const QString path = file(u"fixed.yaml"_s, bad);
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
    const auto mode = QFileInfo(path).permissions();
    const Run fixed = run({u"check"_s, u"--fix"_s, path});
    QCOMPARE(fixed.status, 0);
    QCOMPARE(contents(path), good); // with the parameter that nothing refers to
    QCOMPARE(QFileInfo(path).permissions(), mode);
    QCOMPARE(fixed.out.count(": changed: "), 2);
    QVERIFY2(fixed.out.contains("fixed.yaml:8: changed: Replace tabs by spaces\n"), fixed.out.constData());
    QVERIFY2(
        fixed.out.contains("Remove 'other'") && fixed.out.contains("This job has no errors."), fixed.out.constData());
    // Nothing is to be done: the file is the same one as before.
    const QDateTime written = QFileInfo(path).fileTime(QFileDevice::FileMetadataChangeTime);
    const Run again = run({u"check"_s, u"--fix"_s, u"--json"_s, path});
    QCOMPARE(again.status, 0);
    QCOMPARE(QJsonDocument::fromJson(again.out).object().value("changed"_L1).toArray().size(), 0);
    QCOMPARE(QFileInfo(path).fileTime(QFileDevice::FileMetadataChangeTime), written);
    QCOMPARE(contents(path), good);
    QCOMPARE(run({u"check"_s, u"--fix"_s, u"-"_s}, bad).status, 2);
    const QString kept = file(u"kept.yaml"_s, bad);
    QVERIFY(QFile::setPermissions(kept, QFile::ReadOwner));
    const Run refused = run({u"check"_s, u"--fix"_s, kept});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("is protected against writing"), refused.err.constData());
    QCOMPARE(contents(kept), bad);
}

// A name is not another one because there is no third, and a number is what is read of it.
void TstCliModel::checkFixesNoGuesses()
{
    const QByteArray good
        = "protocolVersion: 2\nname: demo\ntype: job\nparameters: {epochs: 10, beta1: 1, beta2: 2}\ntaskRoles:\n"
          "  worker:\n    instances: 1\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
          "    commands:\n      - echo <% $parameters.epochs %> <% $parameters.beta1 %> <% $parameters.beta2 %>\n";
    for (const auto &[was, is] : QList<std::pair<QByteArray, QByteArray>>{{"$parameters.epochs", "$parameters.lr"},
             {"$parameters.beta2", "$parameters.beta3"}, {"epochs: 10", "epochs: 0755"},
             {"epochs: 10", "epochs: 1_000"}}) {
        const QByteArray odd = QByteArray(good).replace(was, is);
        const QString path = file(u"odd.yaml"_s, odd);
        const Run asked = run({u"check"_s, u"--fix"_s, path});
        QVERIFY2(contents(path) == odd, asked.out.constData());
        QVERIFY(!asked.out.contains(": changed: "));
    }
    // What is no file is not made one.
    const QString pipe = file(u"pipe.yaml"_s, {});
    QVERIFY(QFile::remove(pipe));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    const Run ofPipe = run({u"check"_s, u"--fix"_s, pipe});
    QCOMPARE(ofPipe.status, 2);
    QVERIFY2(ofPipe.err.contains("regular file"), ofPipe.err.constData());
    QVERIFY(!QFileInfo(pipe).isFile());
}

// A slip of the pen must not become a task role.
void TstCliModel::editKnowsTheRoles()
{
    const QString path = file(u"roles.yaml"_s, goodJob);
    const QString wrong = u"/taskRoles/wroker/instances=4"_s;
    const Run refused = run({u"edit"_s, u"-i"_s, u"--set"_s, wrong, path});
    QCOMPARE(refused.status, 4);
    QVERIFY2(refused.err.contains("no task role 'wroker'") && refused.err.contains("Did you mean 'worker'?")
            && refused.err.contains("--create"),
        refused.err.constData());
    QCOMPARE(contents(path), QByteArray(goodJob));
    const Run created = run({u"edit"_s, u"--create"_s, u"--set"_s, wrong, path});
    QVERIFY2(created.status == 0 && created.out.contains("wroker:"), created.err.constData());
    // What is said to be there is there: a whole role, a renamed one, a copy, the first of all.
    for (const QStringList &words : {QStringList{u"--set"_s, u"/taskRoles/wroker={instances: 1}"_s},
             QStringList{u"--rename"_s, u"/taskRoles/worker=wroker"_s},
             QStringList{u"--duplicate"_s, u"/taskRoles/worker=wroker"_s}}) {
        const Run made = run(QStringList{u"edit"_s} + words + QStringList{u"--set"_s, wrong, path});
        QVERIFY2(made.status == 0 && made.out.contains("instances: 4"), made.err.constData());
    }
    const Run first = run({u"edit"_s, u"--set"_s, wrong, u"-"_s}, "name: x\n");
    QVERIFY2(first.status == 0 && first.out.contains("wroker:"), first.err.constData());
}

void TstCliModel::editCannotWrite()
{
    if (geteuid() == 0) {
        QSKIP("root may write everywhere: run it as another user.");
    }
    const QString folder = m_folder.filePath(u"closed"_s);
    QVERIFY(QDir().mkpath(folder));
    const QString path = file(u"closed/job.yaml"_s, goodJob);
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner));
    QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::ExeOwner));
    const Run result = run({u"edit"_s, u"-i"_s, u"--set"_s, u"/name=x"_s, path});
    QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(result.status, 2);
    QCOMPARE(contents(path), QByteArray(goodJob));
}

// Valid files load, and an edit changes its own line only.
void TstCliModel::corpusSurvivesEdits()
{
    const QStringList files = shareddata::files(u"corpus/v2/*.yaml"_s);
    if (files.isEmpty()) {
        QSKIP("There is no reference data: set TRAINYARD_SHARED to its folder.");
    }
    int edited = 0;
    int refused = 0;
    for (qsizetype at = 0; at < files.size();
         at += isFullForm() ? 8 : 40) { // each is a process; all of them are edited in tst_corpus
        const QString &path = files.at(at);
        const QString name = QFileInfo(path).fileName().chopped(5);
        const QJsonObject expected
            = shareddata::readJson(shareddata::folder() + u"/corpus/expected/"_s + name + u".v2.json"_s);
        if (!expected.value(u"valid"_s).toBool()) {
            continue;
        }
        const QByteArray bytes = contents(path);
        const QString role = expected.value(u"entrypoints"_s).toObject().keys().constFirst();
        const Run result = run({u"edit"_s, u"--set"_s, u"/taskRoles/%1/resourcePerInstance/cpu=77"_s.arg(role), path});
        if (result.status == 4) {
            ++refused;
            continue;
        }
        QVERIFY2(result.status == 0, result.err.constData());
        const QList<QByteArray> before = bytes.split('\n');
        const QList<QByteArray> after = result.out.split('\n');
        QCOMPARE(after.size(), before.size());
        int changed = 0;
        for (qsizetype i = 0; i < before.size(); ++i) {
            changed += before.at(i) != after.at(i);
        }
        QVERIFY2(changed == 1, qPrintable(path));
        QVERIFY(result.out.contains("77"));
        ++edited;
    }
    qInfo("edits: %d files changed in one line only, %d refused", edited, refused);
    QVERIFY(edited > (isFullForm() ? 5 : 0));
}

// One object a line, so that a reader of a running program's output can follow.
void TstCliModel::metricsPrint()
{
    const QString log = file(u"train.log"_s,
        "Epoch 1/4\nloss: 0.5 val_loss: 0.75\nEpoch 2/4\nloss: nan val_loss: 0.25\n"
        " 50%|##| 5/10 [00:05<00:05, 1.0it/s]\n");
    const Run json = run({u"metrics"_s, u"--log"_s, log, u"--json"_s});
    QCOMPARE(json.status, 0);
    QVERIFY(json.err.isEmpty());
    QCOMPARE(json.out, QByteArray(R"({"name": "loss", "step": 1, "axis": "epoch", "epoch": 1, "value": 0.5, "line": 2}
{"name": "val_loss", "step": 1, "axis": "epoch", "epoch": 1, "value": 0.75, "line": 2}
{"name": "loss", "step": 2, "axis": "epoch", "epoch": 2, "value": NaN, "line": 4}
{"name": "val_loss", "step": 2, "axis": "epoch", "epoch": 2, "value": 0.25, "line": 4}
{"progress": 0.5, "eta": 5}
)"));
    QCOMPARE(run({u"metrics"_s, u"--log"_s, u"-"_s, u"--json"_s}, contents(log)).out, json.out);

    const Run csv = run({u"metrics"_s, u"--log"_s, log, u"--csv"_s, u"--name"_s, u"VAL*"_s});
    QCOMPARE(csv.status, 0);
    QCOMPARE(csv.out,
        QByteArray("name,step,axis,epoch,value,line\n\"val_loss\",1,epoch,1,0.75,2\n\"val_loss\",2,epoch,2,0.25,4\n"));

    const Run table = run({u"metrics"_s, u"--log"_s, log});
    QCOMPARE(table.status, 0);
    QCOMPARE(table.out,
        QByteArray("SERIES    POINTS  LAST  LEAST  GREATEST  BY\n"
                   "loss      2       NaN   0.5    0.5       epoch\n"
                   "val_loss  2       0.25  0.25   0.75      epoch\n"
                   "\n"
                   "The output says: 50.0 % done, 5.0 s left.\n"));
    const Run none = run({u"metrics"_s, u"--log"_s, log, u"--name"_s, u"acc"_s});
    QCOMPARE(none.status, 0);
    QVERIFY2(none.out.contains("has no metrics of that name"), none.out.constData());
    const Run own = run({u"metrics"_s, u"--log"_s, u"-"_s, u"--pattern"_s, u"quality=quality -> (\\S+)"_s, u"--csv"_s},
        "quality -> 3.5\nloss: 0.5\n");
    QCOMPARE(own.status, 0);
    QVERIFY2(own.out.contains("\"quality\",,none,,3.5,1\n"), own.out.constData());
    QVERIFY(own.err.isEmpty());
    const Run empty = run({u"metrics"_s, u"--log"_s, u"-"_s}, "nothing to see\n");
    QCOMPARE(empty.out, QByteArray("standard input has no metrics.\n"));
}

void TstCliModel::metricsOfFiles()
{
    const QString folder = m_folder.filePath(u"runs"_s);
    QVERIFY(QDir(folder).mkpath(u"a"_s) && QDir(folder).mkpath(u"b"_s));
    const QString table = file(u"runs/a/metrics.csv"_s, "epoch,step,loss,val_loss\n0,9,0.5,\n0,9,,0.75\n1,19,nan,\n2");
    file(u"runs/b/log.jsonl"_s, "{\"iteration\": 3, \"loss\": 0.25, \"time\": 1700000000.5}\n");
    const QByteArray name = table.toUtf8();
    const Run json = run({u"metrics"_s, u"--file"_s, table, u"--json"_s});
    QCOMPARE(json.status, 0);
    QCOMPARE(json.err,
        "trainyardctl: " + name
            + " ends within a record, at byte 54: its program is still writing, or was stopped. Everything before was "
              "read.\n");
    const QByteArray end = R"(, "time": null, "file": ")" + name + "\"}\n";
    QCOMPARE(json.out,
        R"({"name": "loss", "step": 9, "axis": "step", "epoch": 0, "value": 0.5)" + end
            + R"({"name": "val_loss", "step": 9, "axis": "step", "epoch": 0, "value": 0.75)" + end
            + R"({"name": "loss", "step": 19, "axis": "step", "epoch": 1, "value": NaN)" + end);
    const Run csv = run({u"metrics"_s, u"--file"_s, folder, u"--csv"_s, u"--name"_s, u"LO*"_s});
    QCOMPARE(csv.status, 0);
    const QByteArray inA = folder.toUtf8() + "/a/metrics.csv\",\"a\"\n";
    QCOMPARE(csv.out,
        "name,step,axis,epoch,value,time,file,run\n\"loss\",9,step,0,0.5,,\"" + inA + "\"loss\",19,step,1,NaN,,\"" + inA
            + "\"loss\",3,iteration,,0.25,1700000000500,\"" + folder.toUtf8() + "/b/log.jsonl\",\"b\"\n");
    const Run shown = run({u"metrics"_s, u"--file"_s, folder});
    QCOMPARE(shown.out,
        QByteArray("RUN  SERIES    POINTS  LAST  LEAST  GREATEST  BY\n"
                   "a    loss      2       NaN   0.5    0.5       step\n"
                   "a    val_loss  1       0.75  0.75   0.75      step\n"
                   "b    loss      1       0.25  0.25   0.25      iteration\n"));
    const Run none = run({u"metrics"_s, u"--file"_s, folder, u"--name"_s, u"acc"_s});
    QVERIFY2(none.status == 0 && none.out.contains("has no metrics of that name"), none.out.constData());
}

void TstCliModel::metricsRefuse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("no log") << QStringList{} << u"--log"_s;
    QTest::newRow("missing log") << QStringList{u"--log"_s, u"/no/such/file"_s} << u"/no/such/file"_s;
    QTest::newRow("folder") << QStringList{u"--log"_s, u"/"_s} << u"it is a folder"_s;
    QTest::newRow("missing file") << QStringList{u"--file"_s, u"/no/such/file"_s} << u"/no/such/file"_s;
    QTest::newRow("device") << QStringList{u"--file"_s, u"/dev/zero"_s} << u"a device"_s;
    QTest::newRow("not a file of metrics") << QStringList{u"--file"_s, u"/proc/self/status"_s} << u"recognized"_s;
    QTest::newRow("log and file") << QStringList{u"--log"_s, u"/"_s, u"--file"_s, u"/"_s} << u"--file"_s;
    QTest::newRow("two forms") << QStringList{u"--log"_s, u"/"_s, u"--json"_s, u"--csv"_s} << u"--csv"_s;
    QTest::newRow("a word more") << QStringList{u"--log"_s, u"/"_s, u"word"_s} << u"A JOB has its own output"_s;
    QTest::newRow("no pattern") << QStringList{u"--log"_s, u"-"_s, u"--pattern"_s, u"quality"_s}
                                << u"NAME=EXPRESSION"_s;
    QTest::newRow("no group") << QStringList{u"--log"_s, u"-"_s, u"--pattern"_s, u"a=b"_s} << u"no group"_s;
    QTest::newRow("no expression") << QStringList{u"--log"_s, u"-"_s, u"--pattern"_s, u"a=(b"_s} << u"not valid"_s;
}

void TstCliModel::metricsRefuse()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Run result = run(QStringList{u"metrics"_s} + arguments);
    QCOMPARE(result.status, 2);
    QCOMPARE(result.out.isEmpty(), !arguments.contains(u"--json"_s)); // else it says so there, too
    QVERIFY2(result.err.startsWith("trainyardctl: ") && result.err.contains(says.toUtf8()), result.err.constData());
}

TRAINYARD_TEST(TstCliModel)
#include "tst_climodel.moc"
