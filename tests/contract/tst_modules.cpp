// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmmodulecheck.h"
#include "engine/core/exitclassifier.h"
#include "engine/launch/launchplan.h"
#include "engine/launch/stepreport.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::launch;

namespace
{

// As a cluster has it: the newer ones end with a status, the oldest ones only say what is wrong.
const char moduleCommand[] = R"SH(module() {
    echo "module $*" >>"$CALLS"
    case $2 in
        cuda/12) export CUDA_HOME=/opt/cuda12 ;;
        python/3.11) export PYTHON_AFTER=${CUDA_HOME-nothing} ;;
        old/1) echo "ModuleCmd_Load.c(213):ERROR:105: Unable to locate a modulefile for '$2'" >&2 ;;
        *) echo "These modules are unknown: $2" >&2; return 1 ;;
    esac
}
)SH";

} // namespace

// The modules of a cluster, as the program of a task loads them.
class TstModules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loads_data()
    {
        QTest::addColumn<QStringList>("modules");
        QTest::addColumn<bool>("hasCommand");
        QTest::addColumn<QByteArray>("said"); // by the commands; empty: they do not begin
        QTest::addColumn<QByteArray>("calls");
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("about");
        const auto row = [](const char *name, const QStringList &modules, bool hasCommand, const QByteArray &said,
                             const QByteArray &calls, const QString &cause = {}, const QString &about = {}) {
            QTest::newRow(name) << modules << hasCommand << said << calls << cause << about;
        };
        row("none", {}, false, "began with -, -, unset\n", "");
        row("one", {u"cuda/12"_s}, true, "began with /opt/cuda12, -, /opt/cuda12\n", "module load cuda/12\n");
        row("in their order", {u"cuda/12"_s, u"python/3.11"_s}, true,
            "began with /opt/cuda12, /opt/cuda12, /opt/cuda12\n", "module load cuda/12\nmodule load python/3.11\n");
        row("the other order", {u"python/3.11"_s, u"cuda/12"_s}, true, "began with /opt/cuda12, nothing, /opt/cuda12\n",
            "module load python/3.11\nmodule load cuda/12\n");
        row("one is not there", {u"cuda/12"_s, u"cuda/99"_s, u"python/3.11"_s}, true, {},
            "module load cuda/12\nmodule load cuda/99\n", u"module"_s, u"cuda/99\tslurmModules.lab"_s);
        row("one that is not there ends with 0", {u"old/1"_s}, true, {}, "module load old/1\n", u"module"_s,
            u"old/1\tslurmModules.lab"_s);
        row("no such command", {u"cuda/12"_s}, false, {}, "", u"module-command"_s, u"cuda/12\tslurmModules.lab"_s);
    }

    void loads()
    {
        QFETCH(QStringList, modules);
        QFETCH(bool, hasCommand);
        QFETCH(QByteArray, said);
        for (const char *own : {"/usr/share/lmod/lmod", "/usr/share/modules", "/usr/share/Modules",
                 "/etc/profile.d/lmod.sh", "/etc/profile.d/z00_lmod.sh", "/etc/profile.d/modules.sh"}) {
            if (!hasCommand && !modules.isEmpty() && QFileInfo::exists(QString::fromLatin1(own))) {
                QSKIP("This computer has environment modules of its own.");
            }
        }
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u"site/init"_s) && QDir(folder.path()).mkpath(u"tmp"_s));
        if (hasCommand) {
            QVERIFY(write(folder.filePath(u"site/init/bash"_s), moduleCommand));
        }
        const ParseOutcome job = parseJob(
            "protocolVersion: 2\nname: modules\ntype: job\ntaskRoles:\n  main:\n    resourcePerInstance: {cpu: 1, "
            "memoryMB: 64, gpu: 0}\n    commands:\n      - echo \"began with ${CUDA_HOME--}, ${PYTHON_AFTER--}, "
            "$LATER\"\n");
        QVERIFY(job.canRun());
        PluginContext context;
        context.modules = modules;
        context.modulesSetBy = u"slurmModules.lab"_s;
        // What the host or the job says comes after the modules, and sees them.
        context.environment = u"export LATER=${CUDA_HOME-unset}"_s;
        const Result<RoleProgram> program = programOf(*job.spec, job.spec->taskRoles.first(), context);
        QVERIFY(program);
        QVERIFY(write(folder.filePath(u"task.sh"_s), program->script));

        QProcess bash;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString &name : {u"BASH_FUNC_module%%"_s, u"BASH_ENV"_s, u"LMOD_PKG"_s, u"CUDA_HOME"_s}) {
            environment.remove(name);
        }
        environment.insert(u"MODULESHOME"_s, folder.filePath(u"site"_s));
        environment.insert(u"CALLS"_s, folder.filePath(u"calls"_s));
        environment.insert(u"TRAINYARD_TASK_FOLDER"_s, folder.path());
        environment.insert(u"TMPDIR"_s, folder.filePath(u"tmp"_s));
        bash.setProcessEnvironment(environment);
        bash.start(u"bash"_s, {folder.filePath(u"task.sh"_s)});
        QVERIFY(bash.waitForFinished(60000));
        const QByteArray err = bash.readAllStandardError();
        QVERIFY2((bash.exitCode() == 0) == !said.isEmpty(), err.constData());
        QCOMPARE(bash.readAllStandardOutput(), said);
        QTEST(read(folder.filePath(u"calls"_s)), "calls");
        QVERIFY(QDir(folder.filePath(u"tmp"_s)).isEmpty());
        const std::optional<StepFailure> failure = stepFailure(read(folder.filePath(u"runtime.log"_s)));
        QCOMPARE(failure.has_value(), said.isEmpty());
        QTEST(failure ? failure->cause : QString(), "cause");
        QTEST(failure ? failure->about : QString(), "about");
        const QByteArray named = failure ? failure->about.section(u'\t', 0, 0).toUtf8() : QByteArray();
        QVERIFY2(err.contains(named), err.constData());
    }

    void areTriedBeforeAnyJob_data()
    {
        QTest::addColumn<QStringList>("modules");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("detail"); // in the words of the command
        QTest::newRow("all are there") << QStringList{u"cuda/12"_s, u"python/3.11"_s} << QString() << QString()
                                       << QString();
        QTest::newRow("one is not") << QStringList{u"cuda/12"_s, u"cuda/99"_s} << u"slurm.module-unloaded"_s
                                    << u"cuda/99"_s << u"These modules are unknown: cuda/99"_s;
        QTest::newRow("one that ends with 0")
            << QStringList{u"old/1"_s} << u"slurm.module-unloaded"_s << u"old/1"_s
            << u"ModuleCmd_Load.c(213):ERROR:105: Unable to locate a modulefile for 'old/1'"_s;
    }

    // As the check of a target tries them, which has no task.
    void areTriedBeforeAnyJob()
    {
        QFETCH(QStringList, modules);
        QFETCH(QString, code);
        QFETCH(QString, module);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u"site/init"_s));
        QVERIFY(write(folder.filePath(u"site/init/bash"_s), moduleCommand));
        QVERIFY(write(folder.filePath(u".bash_profile"_s), "echo welcome\nunset -f module\n"));
        QProcess bash;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString &name : {u"BASH_FUNC_module%%"_s, u"BASH_ENV"_s, u"LMOD_PKG"_s}) {
            environment.remove(name);
        }
        environment.insert(u"HOME"_s, folder.path());
        environment.insert(u"MODULESHOME"_s, folder.filePath(u"site"_s));
        environment.insert(u"CALLS"_s, folder.filePath(u"calls"_s));
        bash.setProcessEnvironment(environment);
        bash.start(u"bash"_s, slurm::moduleCheckArguments(modules));
        QVERIFY(bash.waitForFinished(60000));
        SlurmCommands::Answer answer;
        answer.status = bash.exitCode();
        answer.out = bash.readAllStandardOutput();
        answer.errors = bash.readAllStandardError();
        const Error fault = slurm::moduleFault(answer);
        QVERIFY2(fault.code == code, answer.errors.constData());
        QCOMPARE(fault.args.value("module"_L1).toString(), module);
        QTEST(fault.args.value("detail"_L1).toString(), "detail");
    }

    void whatCouldNotBeTriedIsNotMissing()
    {
        SlurmCommands::Answer answer;
        answer.kind = SlurmCommands::Answer::Kind::Missing; // as of a helper of a former version
        answer.status = -1;
        QCOMPARE(slurm::moduleFault(answer).code, u"slurm.modules-unknown"_s);
        answer
            = {SlurmCommands::Answer::Kind::Done, 1, "trainyard-modulesT0 trainyard [ERROR] STEP CAUSE \n", "bash: no"};
        QCOMPARE(slurm::moduleFault(answer).code, u"slurm.modules-unknown"_s);
        answer = {SlurmCommands::Answer::Kind::Done, 3,
            "\x1etrainyard-modulesT0 trainyard [ERROR] STEP CAUSE module-command cuda/12\t\n", {}};
        QCOMPARE(slurm::moduleFault(answer).code, u"slurm.module-no-command"_s);
        answer = {SlurmCommands::Answer::Kind::TimedOut, -1, "trainyard-modules loaded\n", {}};
        QCOMPARE(slurm::moduleFault(answer).code, u"slurm.modules-unknown"_s);
    }

    // The sentence of the end names the module and the setting.
    void whatItsEndSays()
    {
        core::RawExit exit;
        exit.value = 1;
        exit.phase = core::RawExit::Phase::Before;
        exit.step = u"modules"_s;
        exit.cause = u"module"_s;
        exit.about = u"cuda/99\tslurmModules.lab"_s;
        const core::Classified end = core::classifyExit(ExitRules::bundled(), exit, {});
        QCOMPARE(end.code, -2020);
        QCOMPARE(end.reason, u"exit.module"_s);
        QCOMPARE(end.reasonArgs.value("about"_L1).toString(), u"cuda/99"_s);
        QCOMPARE(end.reasonArgs.value("path"_L1).toString(), u"slurmModules.lab"_s);
    }

private:
    static bool write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

TRAINYARD_TEST(TstModules)
#include "tst_modules.moc"
