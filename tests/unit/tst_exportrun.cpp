// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobexport.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <csignal>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Exported scripts as bash runs them: statuses, what tasks print, and what they are told.
class TstExportRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void statuses_data();
    void statuses();
    void argumentsRunNothing();
    void jobIsTriedAgain();
    void taskIsTriedAgain();
    void othersAreStopped();
    void interruption();
    void ctrlC();
    void refusesAPipe();
    void timeLimit();
    void whatTasksAreTold();
    void textsComeBack_data();
    void textsComeBack();
    void secretsFromEnvironment();
    void secretsFromFile();
    void faultsHaveNames();
    void endsWhatIsLeft();
    void stepsAndDeployment();
    void slurmSteps();
    void onlyTaskInSlurm();
    void oneTaskOfAMember();

private:
    struct Ran {
        int status = -1;
        QByteArray says;
        QString folder; // of its logs and checkpoints
        QByteArray log(const QString &name, int attempt = 0) const
        {
            QFile file(folder + u"/attempt-%1/%2.log"_s.arg(attempt + 1).arg(name)); // the folders count from 1
            return file.open(QIODevice::ReadOnly) ? file.readAll() : "no log";
        }
    };
    QString written(const QByteArray &job, ExportTarget target = ExportTarget::Bash);
    void prepare(QProcess &process, const QString &script, const QList<std::pair<QString, QString>> &environment);
    Ran run(const QByteArray &job, const QList<std::pair<QString, QString>> &environment = {},
        ExportTarget target = ExportTarget::Bash);
    QString slurmTools() const;

    QTemporaryDir m_folder;
    int m_count = 0;
    QString m_runFolder;
};

namespace
{

QByteArray runJob(const QByteArray &roles, const QByteArray &more = {})
{
    return "protocolVersion: 2\nname: ran\ntype: job\n" + more
        + "prerequisites:\n  - {name: img, type: dockerimage, uri: 'debian:12'}\ntaskRoles:\n" + roles;
}

QByteArray runRole(const QByteArray &name, int instances, const QByteArray &completion, const QByteArray &script)
{
    return "  " + name + ":\n    instances: " + QByteArray::number(instances) + "\n    completion: " + completion
        + "\n    dockerImage: img\n    taskRetryCount: 1\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0, ports: {x: 2}}\n    commands:\n      - |\n        "
        + QByteArray(script).replace("\n", "\n        ") + "\n";
}

const QByteArray endless = "while :; do sleep 0.05; done";

} // namespace

QString TstExportRun::written(const QByteArray &text, ExportTarget target)
{
    const ParseOutcome outcome = parseJob(text);
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        if (diagnostic.severity == Severity::Error) {
            qWarning("%s", qPrintable(diagnostic.code));
        }
    }
    const Result<Exported> exported
        = outcome.canRun() ? exportJob(*outcome.spec, target) : Result<Exported>(fail(u"job.invalid"_s));
    QFile file(m_folder.filePath(u"script-%1"_s.arg(++m_count)));
    return exported && file.open(QIODevice::WriteOnly) && file.write(exported->text) == exported->text.size()
        ? file.fileName()
        : QString();
}

void TstExportRun::prepare(
    QProcess &process, const QString &script, const QList<std::pair<QString, QString>> &environment)
{
    m_runFolder = m_folder.filePath(u"run-%1"_s.arg(m_count));
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(u"RUN_FOLDER"_s, m_runFolder);
    all.insert(u"LC_ALL"_s, u"C"_s);
    for (const auto &[name, value] : environment) {
        all.insert(name, value);
    }
    process.setProcessEnvironment(all);
    process.setWorkingDirectory(m_folder.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(u"bash"_s, {script});
}

TstExportRun::Ran TstExportRun::run(
    const QByteArray &job, const QList<std::pair<QString, QString>> &environment, ExportTarget target)
{
    QProcess process;
    prepare(process, written(job, target), environment);
    const bool ended = process.waitForFinished(60'000);
    return {ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAll(),
        m_runFolder};
}

void TstExportRun::statuses_data()
{
    QTest::addColumn<QByteArray>("roles");
    QTest::addColumn<int>("status");
    const QByteArray some = "test $PAI_TASK_INDEX != 1 || exit 5";
    QTest::newRow("success") << runRole("a", 2, "{}", "echo x") << 0;
    QTest::newRow("failure") << runRole("a", 1, "{}", "exit 5") << 5;
    QTest::newRow("errexit") << runRole("a", 1, "{}", "false\necho x") << 1;
    QTest::newRow("nounset") << runRole("a", 1, "{}", "echo $NO_SUCH_VARIABLE") << 1;
    QTest::newRow("a failed pipe") << runRole("a", 1, "{}", "(exit 9) | cat") << 9;
    QTest::newRow("one of three fails") << runRole("a", 3, "{minFailedInstances: 1}", some) << 5;
    QTest::newRow("one of three may fail") << runRole("a", 3, "{minFailedInstances: 2}", some) << 0;
    QTest::newRow("all may fail") << runRole("a", 2, "{minFailedInstances: -1}", "exit 5") << 0;
    QTest::newRow("enough succeed") << runRole(
        "a", 2, "{minSucceededInstances: 1}", "if [ $PAI_TASK_INDEX = 0 ]; then exit 0; fi\n" + endless)
                                    << 0;
    QTest::newRow("a role ends the job") << runRole("ps", 1, "{}", endless)
            + runRole("w", 2, "{minSucceededInstances: 2}", "echo x")
                                         << 0;
    QTest::newRow("a role fails the job") << runRole("ps", 1, "{}", endless) + runRole("w", 1, "{}", "exit 6") << 6;
    QTest::newRow("killed") << runRole("a", 1, "{}", "kill -KILL $$") << 137;
}

void TstExportRun::statuses()
{
    QFETCH(QByteArray, roles);
    QFETCH(int, status);
    const Ran ran = run(runJob(roles));
    QVERIFY2(ran.status == status, ran.says.constData());
    QVERIFY(ran.says.contains(status == 0 ? "the job succeeded" : "the job failed"));
}

// Who asks a script for help does not want it to train.
void TstExportRun::argumentsRunNothing()
{
    const QString script = written(runJob(runRole("a", 1, "{}", "echo runs")));
    const auto ran = [&](const QString &argument) {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(u"bash"_s, {script, argument});
        return process.waitForFinished(60'000) ? Ran{process.exitCode(), process.readAll(), {}} : Ran();
    };
    const QStringList before = QDir(m_folder.path()).entryList();
    const Ran help = ran(u"--help"_s);
    QCOMPARE(help.status, 0);
    QVERIFY2(help.says.startsWith("ran: one task of a job"), help.says.constData());
    QVERIFY(help.says.contains("WORK_FOLDER") && !help.says.contains("nounset"));
    const Ran wrong = ran(u"--epochs=3"_s);
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.says.contains("takes no arguments"), wrong.says.constData());
    QCOMPARE(QDir(m_folder.path()).entryList(), before);
}

void TstExportRun::jobIsTriedAgain()
{
    const QByteArray script = "echo attempt $FC_FRAMEWORK_ATTEMPT_ID\ntest $FC_FRAMEWORK_ATTEMPT_ID = 2 || exit 3";
    const Ran enough = run(runJob(runRole("a", 1, "{}", script), "jobRetryCount: 2\n"));
    QVERIFY2(enough.status == 0, enough.says.constData());
    QCOMPARE(enough.log(u"a-0"_s, 0), QByteArray("attempt 0\n"));
    QCOMPARE(enough.log(u"a-0"_s, 2), QByteArray("attempt 2\n"));
    const Ran tooFew = run(runJob(runRole("a", 1, "{}", script), "jobRetryCount: 1\n"));
    QCOMPARE(tooFew.status, 3);
    QVERIFY(QDir(tooFew.folder + u"/attempt-2"_s).exists());
    QVERIFY2(tooFew.says.contains("attempt 1 ended with status 3"), tooFew.says.constData());
    QVERIFY(!QDir(tooFew.folder + u"/attempt-0"_s).exists());
    QVERIFY(!QDir(tooFew.folder + u"/attempt-3"_s).exists());
}

// Only without gang allocation, as everywhere.
void TstExportRun::taskIsTriedAgain()
{
    const QByteArray role
        = runRole("a", 2, "{}", "echo try $FC_TASK_ATTEMPT_ID\ntest $FC_TASK_ATTEMPT_ID = 1 || exit 4");
    const Ran apart = run(runJob(role, "extras: {gangAllocation: false}\n"));
    QVERIFY2(apart.status == 0, apart.says.constData());
    QCOMPARE(apart.log(u"a-1"_s), QByteArray("try 0\ntry 1\n"));
    QCOMPARE(run(runJob(role)).status, 4);
}

// With the signal and the time that the job says; what it leaves in its group is killed too.
void TstExportRun::othersAreStopped()
{
    const QByteArray ready = "touch $TRAINYARD_CHECKPOINT_DIR/ready-$PAI_CURRENT_TASK_ROLE_NAME\n";
    const QByteArray both
        = "until [ -e $TRAINYARD_CHECKPOINT_DIR/ready-ps ] && [ -e $TRAINYARD_CHECKPOINT_DIR/ready-deaf ]\n"
          "do sleep 0.05; done";
    const Ran ran = run(runJob(runRole("ps", 1, "{}", "trap 'sleep 0.5; echo asked; exit 7' TERM\n" + ready + endless)
            + runRole("deaf", 1, "{}", "trap '' TERM\n" + ready + endless)
            + runRole("w", 1, "{minSucceededInstances: 1}", both),
        "extras: {trainyard: {stop: {graceSeconds: 8}}}\n"));
    QVERIFY2(ran.status == 0, ran.says.constData());
    QVERIFY2(ran.log(u"ps-0"_s).contains("asked\n"), ran.log(u"ps-0"_s).constData());
}

void TstExportRun::interruption()
{
    QProcess process;
    prepare(process, written(runJob(runRole("a", 1, "{}", "echo runs\n" + endless))), {});
    const QString log = m_runFolder + u"/attempt-1/a-0.log"_s;
    QTRY_VERIFY_WITH_TIMEOUT(QFile(log).size() > 0, 30'000);
    QCOMPARE(::kill(pid_t(process.processId()), SIGTERM), 0);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 143);
}

// A terminal asks the script and its tasks at once. That is an interruption, whichever of them ends first, and each
// task clears up behind itself.
void TstExportRun::ctrlC()
{
    QProcess process;
    process.setChildProcessModifier([] { ::setpgid(0, 0); });
    prepare(process, written(runJob(runRole("a", 4, "{}", "echo runs\n" + endless))), {});
    const QString folder = m_runFolder + u"/attempt-1"_s;
    for (int task = 0; task < 4; ++task) {
        QTRY_VERIFY_WITH_TIMEOUT(QFile(folder + u"/a-%1.log"_s.arg(task)).size() > 0, 30'000);
    }
    QCOMPARE(::kill(-pid_t(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished(60'000));
    const QByteArray says = process.readAll();
    QCOMPARE(process.exitCode(), 130);
    QVERIFY2(says.contains("the job was interrupted") && !says.contains("failed"), says.constData());
    QFile ignored(m_runFolder + u"/.gitignore"_s); // what tasks print is committed and copied nowhere
    QVERIFY(ignored.open(QIODevice::ReadOnly));
    QCOMPARE(ignored.readAll(), QByteArray("*\n"));
    QDirIterator files(m_runFolder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
        QDirIterator::Subdirectories);
    QVERIFY(files.hasNext());
    while (files.hasNext()) {
        const QString name = files.next();
        QVERIFY2(!QFileInfo(name).isSymLink(), qPrintable(name));
    }
}

// Tasks run a copy of the script, and there is no file to copy.
void TstExportRun::refusesAPipe()
{
    QFile script(written(runJob(runRole("a", 1, "{}", "echo runs"))));
    QVERIFY(script.open(QIODevice::ReadOnly));
    QProcess process;
    prepare(process, u"-s"_s, {});
    process.write(script.readAll());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 2);
    const QByteArray says = process.readAll();
    QVERIFY2(says.contains("save this script as a file first") && !says.contains("cp:"), says.constData());
    QVERIFY(!QFileInfo::exists(m_runFolder));
}

void TstExportRun::timeLimit()
{
    const Ran ran = run(runJob(runRole("a", 1, "{}", endless), "extras: {trainyard: {limits: {timeSeconds: 1}}}\n"));
    QVERIFY2(ran.status == 124, ran.says.constData());
}

void TstExportRun::whatTasksAreTold()
{
    const QByteArray roles = runRole("ps", 1, "{}", "echo x")
        + runRole("Worker_1", 2, "{}",
            "echo $PAI_TASK_INDEX $PAI_CURRENT_TASK_ROLE_NAME $PAI_TASK_ROLE_COUNT $PAI_TASK_ROLE_LIST\n"
            "echo $PAI_HOST_IP_ps_0 $PAI_TASK_ROLE_TASK_COUNT_worker1 $PAI_CURRENT_TASK_ROLE_MEM_MB\n"
            "echo $PAI_PORT_LIST_worker1_1_x $PAI_CONTAINER_HOST_PORT_LIST\n"
            "echo $PAI_TASK_ROLE_Worker_1_HOST_LIST ${PAI_JOB_NAME#*~} ${MY_OWN}\n"
            "echo ${SECRET_X-none} $TRAINYARD_JOB_ATTEMPT [$CUDA_VISIBLE_DEVICES]\n"
            "test -d \"$TRAINYARD_CHECKPOINT_DIR\" && test -d \"$TRAINYARD_TASK_FOLDER\" && test \"$PAI_WORK_DIR\" = "
            "\"$PWD\"");
    const Ran ran = run(runJob(roles, "extras: {trainyard: {variables: {MY_OWN: \"it's $HOME\"}}}\n"));
    QVERIFY2(ran.status == 0, ran.says.constData());
    const QList<QByteArray> lines = ran.log(u"Worker_1-1"_s).split('\n');
    QCOMPARE(lines.value(0), QByteArray("1 Worker_1 2 ps,Worker_1"));
    QCOMPARE(lines.value(1), QByteArray("127.0.0.1 2 64"));
    const QList<QByteArray> ports = lines.value(2).split(' ');
    QCOMPARE(ports.size(), 2);
    QVERIFY2(ports.at(1).startsWith(QByteArray("x:" + ports.at(0) + ";ssh:")), lines.value(2).constData());
    const QList<QByteArray> hosts = lines.value(3).split(' ');
    QCOMPARE(hosts.value(0).count("127.0.0.1:"), 2);
    QCOMPARE(hosts.mid(1).join(' '), QByteArray("ran it's $HOME"));
    QCOMPARE(lines.value(4), QByteArray("none 0 []"));
}

void TstExportRun::textsComeBack_data()
{
    QTest::addColumn<QString>("value");
    QTest::newRow("quotes") << u"it's \"quoted\" `x`"_s;
    QTest::newRow("dollars and backslashes") << u"$HOME ${x} \\n \\\\ $(id) !!"_s;
    QTest::newRow("blanks around") << u"  a  "_s;
    QTest::newRow("lines") << u"a\n\nb\\\nEND_OF_TEXT\nc"_s;
    QTest::newRow("other letters") << u"größe 学习 🚂"_s;
    QTest::newRow("ampersand") << u"a & b \\& c"_s;
    QTest::newRow("very long") << QString(300'000, u'x');
}

// A value goes through a here-document of the job's own, which leaves it alone; and so does a secret.
void TstExportRun::textsComeBack()
{
    QFETCH(QString, value);
    JobSpec job
        = *parseJob(runJob(runRole("a", 1, "{}",
                               "cat <<'OWN_END'\n[<% $parameters.p %>]\nOWN_END\ncat <<'OWN_END'\n[<% $secrets.s "
                               "%>]\nOWN_END"),
                        "parameters: {p: x}\nsecrets: {s: y}\n"))
               .spec;
    job.parameters = Value(Value::Map{{u"p"_s, Value(value)}});
    const Result<Exported> exported = exportJob(job, ExportTarget::Bash);
    QVERIFY(exported);
    QFile file(m_folder.filePath(u"texts-%1"_s.arg(++m_count)));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(exported->text) == exported->text.size());
    file.close();
    QProcess process;
    // Linux takes no longer variable.
    const QString secret = value.left(100'000);
    prepare(process, file.fileName(), {{u"SECRET_S"_s, secret}});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    const Ran ran{0, {}, m_runFolder};
    QCOMPARE(ran.log(u"a-0"_s), QByteArray('[' + value.toUtf8() + "]\n[" + secret.toUtf8() + "]\n"));
}

void TstExportRun::secretsFromEnvironment()
{
    const QByteArray job = runJob(
        runRole("a", 1, "{}", "echo '<% $secrets.x %>'\nenv | grep -c ^SECRET_X || true"), "secrets: {x: WRITTEN}\n");
    const Ran missing = run(job);
    QCOMPARE(missing.status, 2);
    QVERIFY2(missing.says.contains("SECRET_X is missing"), missing.says.constData());
    const Ran given = run(job, {{u"SECRET_X"_s, u"a b"_s}});
    QVERIFY2(given.status == 0, given.says.constData());
    QCOMPARE(given.log(u"a-0"_s), QByteArray("a b\n0\n"));
    // It stands there as it is, so nobody else reads it; the header of the script says so.
    constexpr auto ofOthers = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther
        | QFile::WriteOther | QFile::ExeOther;
    QVERIFY(!(QFile::permissions(given.folder + u"/attempt-1/a-0.log"_s) & ofOthers));
    QFile script(written(job));
    QVERIFY(script.open(QIODevice::ReadOnly));
    QVERIFY(script.readAll().replace("\n#", "").contains("Nothing is masked"));
}

void TstExportRun::secretsFromFile()
{
    const QByteArray job = runJob(runRole("a", 1, "{}", "echo '<% $secrets.x %>'"), "secrets: {x: WRITTEN}\n");
    const QString path = m_folder.filePath(u"ran.secrets"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("OTHER=1\nSECRET_X=a=b $c \n") > 0);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    const Ran open = run(job);
    QCOMPARE(open.status, 2);
    QVERIFY2(open.says.contains("chmod 600"), open.says.constData());
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    const Ran given = run(job);
    QVERIFY2(given.status == 0, given.says.constData());
    QCOMPARE(given.log(u"a-0"_s), QByteArray("a=b $c \n"));
    QVERIFY(file.remove());
}

// bash names the line of the commands or of the step that it could not carry out, and no descriptor. The names are
// links that have no text: the value of a secret is in no file, and no link is left.
void TstExportRun::faultsHaveNames()
{
    const auto job = [](const QByteArray &step, const QByteArray &commands) {
        return QByteArray("protocolVersion: 2\nname: ran\ntype: job\nsecrets: {x: WRITTEN}\nprerequisites:\n"
                          "  - {name: img, type: dockerimage, uri: 'debian:12'}\n"
                          "  - name: get-data\n    type: script\n    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
                          "    callbacks: [{event: taskStarts, commands: ['true', '"
            + step
            + "']}]\ntaskRoles:\n  a:\n    dockerImage: img\n    prerequisites: [get-data]\n"
              "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [': \"<% $secrets.x %>\"', '"
            + commands + "']\n");
    };
    const auto filesIn = [](const QString &folder) {
        QStringList names;
        QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            names.append(files.next());
        }
        return names;
    };
    const Ran commands = run(job("true", "no_such_program"), {{u"SECRET_X"_s, u"a-value"_s}});
    QCOMPARE(commands.status, 127);
    const QByteArray folder = QFile::encodeName(commands.folder) + "/attempt-1/a-0";
    QCOMPARE(commands.log(u"a-0"_s), folder + "/commands: line 2: no_such_program: command not found\n");
    const QStringList left = filesIn(commands.folder);
    QVERIFY(left.size() >= 2); // the script and the log
    for (const QString &name : left) {
        QVERIFY2(!QFileInfo(name).isSymLink(), qPrintable(name));
        QFile file(name);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
        QVERIFY2(!file.readAll().contains("a-value"), qPrintable(name));
    }
    // In the step; and where the folder has something else under the name already.
    const Ran step = run(job("no_such_step; exit 3", "true"), {{u"SECRET_X"_s, u"a-value"_s}});
    QVERIFY2(step.log(u"a-0"_s).contains("/attempt-1/a-0/step-get-data: line "), step.log(u"a-0"_s).constData());
    QVERIFY(!step.log(u"a-0"_s).contains("/dev/fd"));
    const Ran taken = run(runJob(runRole("a", 1, "{}",
                                     "mkdir -p $TRAINYARD_TASK_FOLDER/x\necho y\n[ -f z ] || { touch z; "
                                     "rm $TRAINYARD_TASK_FOLDER/commands; touch "
                                     "$TRAINYARD_TASK_FOLDER/commands; exit 4; }\nno_such_program"),
        "extras: {gangAllocation: false}\n"));
    QCOMPARE(taken.status, 127); // the second try
    QVERIFY2(taken.log(u"a-0"_s).endsWith("/dev/fd/9: line 4: no_such_program: command not found\n"),
        taken.log(u"a-0"_s).constData());
}

// A program in a session of its own is none of the task's process group, and ends with the task all the same.
void TstExportRun::endsWhatIsLeft()
{
    const Ran ran = run(runJob(runRole("a", 1, "{}",
        "setsid sh -c 'echo $$; exec sleep 300' >left 2>/dev/null &\nuntil [ -s left ]; do sleep 0.05; done\ncat "
        "left")));
    QCOMPARE(ran.status, 0);
    const qint64 left = ran.log(u"a-0"_s).trimmed().toLongLong();
    QVERIFY2(left > 1, ran.log(u"a-0"_s).constData());
    const auto isThere = [left] { // and is not only waited for by its new parent
        QFile program(u"/proc/%1/cmdline"_s.arg(left));
        return program.open(QIODevice::ReadOnly) && !program.readAll().isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(!isThere(), 10'000);
}

// Exports of a step are seen by what follows, even when it leaves a program running; its folder is its own.
void TstExportRun::stepsAndDeployment()
{
    const auto step = [](const QByteArray &name, const QByteArray &before, const QByteArray &more = {}) {
        return QByteArray("  - name: " + name + "\n    type: script\n    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
            + more + "    callbacks:\n      - {event: taskStarts, commands: [" + before
            + "]}\n      - {event: taskSucceeds, commands: ['echo after " + name + " $GIVEN']}\n");
    };
    const auto job = [&step](const QByteArray &command) {
        return QByteArray("protocolVersion: 2\nname: ran\ntype: job\nprerequisites:\n"
                          "  - {name: img, type: dockerimage, uri: 'debian:12'}\n"
            + step("first", R"("export GIVEN=\"a'b\"", 'cd /', 'sleep 20 &')")
            + step("second", "'false', 'echo second $GIVEN'", "    failurePolicy: ignore\n")
            + "taskRoles:\n  a:\n    dockerImage: img\n    prerequisites: [first, second]\n"
              "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: ['"
            + command
            + "']\ndeployments:\n  - {name: d, taskRoles: {a: {preCommands: [echo pre], postCommands: [echo post]}}}\n"
              "defaults: {deployment: d}\n");
    };
    const Ran good = run(job("echo main $GIVEN; test \"$PWD\" = \"$PAI_WORK_DIR\""));
    QVERIFY2(good.status == 0, good.says.constData());
    QCOMPARE(good.log(u"a-0"_s), QByteArray("second a'b\npre\nmain a'b\npost\nafter second a'b\nafter first a'b\n"));
    const Ran bad = run(job("exit 8"));
    QCOMPARE(bad.status, 8);
    QCOMPARE(bad.log(u"a-0"_s), QByteArray("second a'b\npre\n"));
}

// The batch script with programs in the place of Slurm's: which step starts where, and with what.
// The commands of Slurm that a script calls, in a folder for PATH. srun writes its own words to the log first.
QString TstExportRun::slurmTools() const
{
    const QString tools = m_folder.filePath(u"tools"_s);
    const auto tool = [&tools](const QString &name, const QByteArray &text) {
        QFile file(tools + u'/' + name);
        return file.open(QIODevice::WriteOnly) && file.write("#!/usr/bin/env bash\n" + text) > 0
            && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    const bool all = QDir().mkpath(tools) && tool(u"scontrol"_s, "for i in ${3//,/ }; do echo \"$i\"; done\n")
        && tool(u"getent"_s, "echo \"10.0.0.${2#n} STREAM $2\"\n")
        && tool(u"srun"_s,
            "out= words=\nwhile [[ $1 == --* ]]; do\n  case $1 in --output=*) out=${1#*=} ;; *) words+=\" $1\" ;; "
            "esac\n"
            "  shift\ndone\necho \"srun$words\" >\"$out\"\nexec \"$@\" >>\"$out\" 2>&1\n");
    return all ? tools : QString();
}

void TstExportRun::slurmSteps()
{
    const QString tools = slurmTools();
    QVERIFY(!tools.isEmpty());
    const QByteArray job
        = runJob("  ps:\n    dockerImage: img\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
                 "    commands: [sleep 100]\n"
            + runRole("w", 3, "{minSucceededInstances: 3}", "echo $PAI_TASK_INDEX $PAI_HOST_IP_w_2 $PAI_HOST_IP_ps_0")
                  .replace("cpu: 1, memoryMB: 64", "cpu: 4, memoryMB: 64"));
    const Ran ran = run(job,
        {{u"PATH"_s, tools + u':' + qEnvironmentVariable("PATH")}, {u"SLURM_JOB_ID"_s, u"7"_s},
            {u"SLURM_SUBMIT_DIR"_s, m_folder.path()}, {u"SLURM_JOB_NODELIST_HET_GROUP_0"_s, u"n9"_s},
            {u"SLURM_TASKS_PER_NODE_HET_GROUP_0"_s, u"1"_s}, {u"SLURM_JOB_NODELIST_HET_GROUP_1"_s, u"n1,n2,n3"_s},
            {u"SLURM_TASKS_PER_NODE_HET_GROUP_1"_s, u"1(x2),1"_s}},
        ExportTarget::Sbatch);
    QVERIFY2(ran.status == 0, ran.says.constData());
    QCOMPARE(ran.log(u"w-1"_s),
        QByteArray(
            "srun --nodes=1 --ntasks=1 --nodelist=n2 --exact --cpus-per-task=4 --mem-per-cpu=16M --het-group=1 "
            "--kill-on-bad-exit=0 --wait=0 --export=ALL --input=none --open-mode=append\n1 10.0.0.3 10.0.0.9\n"));
    QVERIFY(ran.log(u"ps-0"_s).contains("--nodelist=n9 --exact --cpus-per-task=1 --mem-per-cpu=64M --het-group=0"));
    const Ran outside = run(job, {}, ExportTarget::Sbatch);
    QCOMPARE(outside.status, 2);
    QVERIFY(outside.says.contains("sbatch"));
}

// What SkyPilot runs on one machine of three.
// Without what several tasks, retries, secrets and images need.
void TstExportRun::onlyTaskInSlurm()
{
    const QString tools = slurmTools();
    QVERIFY(!tools.isEmpty());
    const QByteArray job = "protocolVersion: 2\nname: ran\ntype: job\ntaskRoles:\n  only:\n"
                           "    resourcePerInstance: {cpu: 2, memoryMB: 64, gpu: 0}\n"
                           "    commands: ['echo $PAI_HOST_IP_only_0; exit STATUS']\n";
    for (const int status : {0, 5}) {
        const Ran ran = run(QByteArray(job).replace("STATUS", QByteArray::number(status)),
            {{u"PATH"_s, tools + u':' + qEnvironmentVariable("PATH")}, {u"SLURM_JOB_ID"_s, u"7"_s},
                {u"SLURM_SUBMIT_DIR"_s, m_folder.path()}, {u"SLURM_JOB_NODELIST"_s, u"n4"_s}},
            ExportTarget::Sbatch);
        QVERIFY2(ran.status == status, ran.says.constData());
        QCOMPARE(ran.log(u"only-0"_s),
            QByteArray("srun --nodes=1 --ntasks=1 --nodelist=n4 --exact --cpus-per-task=2 --mem-per-cpu=32M "
                       "--kill-on-bad-exit=0 --wait=0 --export=ALL --input=none --open-mode=append\n10.0.0.4\n"));
    }
}

void TstExportRun::oneTaskOfAMember()
{
    const QString sky
        = written(runJob(runRole("a", 1, "{}", "echo x")
                      + runRole("b", 2, "{}", "echo $PAI_TASK_INDEX $PAI_HOST_IP_a_0 $PAI_HOST_IP_b_1\nexit 6")),
            ExportTarget::SkyPilot);
    const YAML::Node file = YAML::LoadFile(sky.toStdString());
    QFile script(m_folder.filePath(u"rank"_s));
    const QByteArray text = QByteArray::fromStdString(file["run"].as<std::string>());
    QVERIFY(script.open(QIODevice::WriteOnly) && script.write(text) == text.size());
    script.close();
    QProcess process;
    prepare(process, script.fileName(),
        {{u"HOME"_s, m_folder.path()}, {u"SKYPILOT_NODE_RANK"_s, u"2"_s},
            {u"SKYPILOT_NODE_IPS"_s, u"10.0.0.1\n10.0.0.2\n10.0.0.3"_s}});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.readAll(), QByteArray("1 10.0.0.1 10.0.0.3\n"));
    QCOMPARE(process.exitCode(), 6);
}

TRAINYARD_TEST(TstExportRun)
#include "tst_exportrun.moc"
