// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobexport.h"
#include "model/import/batchimport.h"
#include "model/import/batchscript.h"
#include "model/import/batchshell.h"
#include "model/protocol/gpunames.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/processortime.h"
#include "tests/helpers/taskbash.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <vector>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Whether a job does what Slurm does where scripts say things twice, late, in unusual ways, or thousands of times.
class TstBatchFidelity : public QObject
{
    Q_OBJECT

    static ParseOutcome jobOf(const QByteArray &script) { return parseJob(importBatchScript(script).yaml); }
    static QString all(const TaskRole &role) { return role.commands.join(u'\n'); }
    static QStringList codes(const QByteArray &script)
    {
        QStringList codes;
        const JobImport import = importBatchScript(script);
        for (const Diagnostic &each : import.report) {
            codes.append(each.code);
        }
        codes.removeAll(u"batch.no-memory"_s);
        return codes;
    }

private Q_SLOTS:
    void demands_data();
    void demands();
    void nodes_data();
    void nodes();
    void nodesOfSteps();
    void nodesOfArrays();
    void gpuTypes_data();
    void gpuTypes();
    void anyNumbers_data();
    void anyNumbers();
    void shells_data();
    void shells();
    void endsWithTheFirstFailure();
    void laterSteps_data();
    void laterSteps();
    void waitsForItsOwn();
    void waitsForOthers();
    void stopSignals_data();
    void stopSignals();
    void keepsTraps();
    void asksTheFirstNode();
    void exportsAsWritten();
    void foldersOfSteps_data();
    void foldersOfSteps();
    void arraysOnce();
    void timeOfComponents();
    void byteOrderMark();
    void says_data();
    void says();
    void longNames();
    void comments_data();
    void comments();
    void thousands_data();
    void thousands();
};

void TstBatchFidelity::demands_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QList<qint64>>("wanted"); // instances, cpus, MiB, GPUs
    const auto row = [](const char *name, const char *options, const char *body, const QList<qint64> &wanted) {
        QTest::newRow(name) << QByteArray(options) << QByteArray(body) << wanted;
    };
    row("memory of a step", "-n 2 --mem-per-cpu=4G", "srun -n1 --mem=10G ./a", {1, 1, 10'240, 0});
    row("memory of a step for each core", "--mem=64G", "srun -c 2 --mem-per-cpu=1G ./a", {1, 2, 2048, 0});
    row("a step without the GPUs of tasks", "--gpus-per-task=2", "srun --gpus=0 ./a", {1, 1, 4096, 0});
    row("a step with none of them", "--gpus-per-node=2", "srun --gres=none ./a", {1, 1, 4096, 0});
    row("GPUs of a step", "-n 4 --gpus-per-task=1", "srun -n 2 --gpus=4 ./a", {2, 1, 4096, 2});
    row("GPUs of the job for its tasks", "--gpus=4", "srun --gpus-per-task=2 -n 2 ./a", {2, 1, 4096, 2});
    row("the later of two steps has the GPUs", "--gpus=4", "srun --gpus=0 ./prepare\nsrun ./train", {1, 1, 4096, 4});
    row("one has cores, the other memory", "-n 2", "srun -c 4 ./a\nsrun --mem-per-cpu=9G ./b", {2, 4, 9216, 0});
    row("one has less memory than usual", "-n 1", "srun --mem=1G ./a\nsrun ./b", {1, 1, 4096, 0});
    row("both have less memory than usual", "-n 1", "srun --mem=1G ./a\nsrun --mem=2G ./b", {1, 1, 2048, 0});
    row("another list of resources", "--gpus-per-node=4 --gres=lscratch:100", "./a", {1, 1, 4096, 4});
    row("the later list of resources", "--gres=gpu:4 --gres=lscratch:100", "./a", {1, 1, 4096, 0});
    row("resources of tasks", "-n 2 --tres-per-task=cpu=4,gres/gpu=2", "srun ./a", {2, 4, 4096, 2});
    row("resources of tasks, as before", "--tres-per-task=cpu:3,gres/gpu:a100:1", "./a", {1, 3, 4096, 1});
}

void TstBatchFidelity::demands()
{
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, body);
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH " + options + '\n' + body + '\n');
    QVERIFY(outcome.canRun());
    QCOMPARE(outcome.spec->taskRoles.size(), 1);
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    const QList<qint64> got{role.instances, role.resources.cpu, role.resources.memoryMiB, role.resources.gpu};
    QTEST(got, "wanted");
}

void TstBatchFidelity::nodes_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("arrange");
    QTest::addColumn<QByteArrayList>("exported"); // options of the exported script
    const auto row = [](const char *options, const char *arrange, const QByteArrayList &exported) {
        QTest::newRow(options) << QByteArray(options) << QString::fromLatin1(arrange) << exported;
    };
    const QByteArrayList different{"--nodes=2", "--ntasks-per-node=1"}, same{"--nodes=1"};
    row("--nodes=2 --ntasks-per-node=1", "different-hosts", different);
    row("--nodes=2", "different-hosts", different);
    row("-N 2 -n 2", "different-hosts", different);
    row("-N 2-4 -n 2", "different-hosts", different);
    row("-N 4 -n 2", "different-hosts", different); // Slurm gives no node without a task
    row("-n 2 --ntasks-per-node=1", "different-hosts", different);
    row("-N 1 -n 2", "same-host", same);
    row("--nodes=1 --ntasks-per-node=2", "same-host", same);
    row("-N 1-2 -n 2", "", {}); // one node or two
    row("-n 2", "", {});
    row("--ntasks-per-node=2", "", {});
    row("-N 1", "", {});
    row("-N 2 --ntasks-per-node=4", "pack", {});
    row("-n 8 --ntasks-per-node=4", "pack", {});
}

// Tasks that were on nodes of their own must not meet on one host, and the other way round; here and back in Slurm.
void TstBatchFidelity::nodes()
{
    QFETCH(const QByteArray, options);
    QFETCH(const QString, arrange);
    QFETCH(const QByteArrayList, exported);
    const QByteArray script = "#!/bin/bash\n#SBATCH " + options + "\nsrun ./a\n";
    const ParseOutcome job = jobOf(script);
    QVERIFY(job.canRun());
    QCOMPARE(arrangementWord(job.spec->trainyard.hostRule(u"main"_s).arrange), arrange);
    const QString code = arrange == u"different-hosts"_s ? u"batch.different-hosts"_s
        : arrange == u"same-host"_s                      ? u"batch.one-host"_s
        : arrange == u"pack"_s                           ? u"batch.few-hosts"_s
                                                         : QString();
    const QStringList said = codes(script);
    for (const QString &each : {u"batch.different-hosts"_s, u"batch.one-host"_s, u"batch.few-hosts"_s}) {
        QCOMPARE(said.contains(each), each == code);
    }
    const Result<Exported> back = exportJob(*job.spec, ExportTarget::Sbatch);
    QVERIFY(back);
    QByteArrayList found;
    const QByteArrayList lines = back->text.split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("#SBATCH --nodes=") || line.startsWith("#SBATCH --ntasks-per-node=")) {
            found.append(line.mid(8));
        }
    }
    QCOMPARE(found, exported);
    const ExportNote lost{u"export.field"_s, {{u"field"_s, u"extras.trainyard.hosts"_s}}};
    QCOMPARE(back->notes.contains(lost), arrange == u"pack"_s);
}

void TstBatchFidelity::nodesOfSteps()
{
    const ParseOutcome job = jobOf("#!/bin/bash\n#SBATCH -N 3 -n 4\nsrun -n 2 ./a.sh &\nsrun -N 1 -n 2 ./b.sh &\n"
                                   "srun -n 1 ./c.sh &\nwait\n");
    QVERIFY(job.canRun());
    const auto wordOf
        = [&job](const QString &role) { return arrangementWord(job.spec->trainyard.hostRule(role).arrange); };
    QCOMPARE(wordOf(u"a"_s), u"different-hosts"_s);
    QCOMPARE(wordOf(u"b"_s), u"same-host"_s);
    QCOMPARE(wordOf(u"c"_s), QString());
    // A script whose srun stays in its lines runs in each task.
    const ParseOutcome whole = jobOf("#!/bin/bash\n#SBATCH -N 2\nfor i in 1 2; do\n  srun ./a\ndone\n");
    QVERIFY(whole.canRun());
    QCOMPARE(arrangementWord(whole.spec->trainyard.hostRule(u"main"_s).arrange), u"different-hosts"_s);
}

// Each of its elements has a node, and they need not be the same or others.
void TstBatchFidelity::nodesOfArrays()
{
    const QByteArray script = "#!/bin/bash\n#SBATCH -N 1 -n 1 -a 0-3\n./a\n";
    const ParseOutcome job = jobOf(script);
    QVERIFY(job.canRun());
    QCOMPARE(job.spec->taskRoles.constFirst().instances, 4);
    QVERIFY(job.spec->trainyard.hosts.isEmpty());
    QVERIFY(!codes(script).contains(u"batch.one-host"_s));
}

void TstBatchFidelity::gpuTypes_data()
{
    QTest::addColumn<QByteArray>("option");
    QTest::addColumn<QString>("type");
    QTest::addColumn<qint64>("gpus");
    const auto row = [](const char *option, const QString &type, qint64 gpus) {
        QTest::newRow(option) << QByteArray(option) << type << gpus;
    };
    row("--gres=gpu:2080ti:1", u"2080ti"_s, 1);
    row("--gres=gpu:2080ti", u"2080ti"_s, 1);
    row("--gpus=3090:2", u"3090"_s, 2);
    row("--gres=gpu:1g.5gb:1", u"1g.5gb"_s, 1);
    row("--gres=gpu:4", {}, 4);
}

void TstBatchFidelity::gpuTypes()
{
    QFETCH(QByteArray, option);
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH " + option + "\n./a\n");
    QVERIFY(outcome.canRun());
    QTEST(outcome.spec->taskRoles.constFirst().resources.gpu, "gpus");
    QTEST(gpuTypeOf(*outcome.spec, u"main"_s), "type");
}

// More than anybody has stays that, and becomes no other number.
void TstBatchFidelity::anyNumbers_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("line"); // of the job
    const QByteArray most = "1000000000000";
    QTest::newRow("memory") << QByteArray("--mem-per-cpu=999999999999T -c 999999999") << "memoryMB: " + most;
    QTest::newRow("memory of tasks") << QByteArray("--mem=999999999999T -n 999999999m") << "instances: " + most;
    QTest::newRow("tasks") << QByteArray("-N 999999999m --ntasks-per-node=999999999m") << "instances: " + most;
    QTest::newRow("GPUs") << QByteArray("-N 999999999m --gpus-per-node=999999 --ntasks-per-gpu=999999999m")
                          << "instances: " + most;
    QTest::newRow("cores") << QByteArray("-G 999999 --cpus-per-gpu=999999999m") << "cpu: " + most;
}

void TstBatchFidelity::anyNumbers()
{
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, line);
    const QByteArray yaml = importBatchScript("#!/bin/bash\n#SBATCH " + options + "\nsrun ./a\n").yaml;
    QVERIFY2(yaml.contains(QByteArray(line + '\n')), yaml.constData());
}

void TstBatchFidelity::shells_data()
{
    QTest::addColumn<QString>("interpreter");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("settings");
    const auto row = [](const char *interpreter, const char *name, const char *settings) {
        QTest::newRow(interpreter) << QString::fromLatin1(interpreter) << QString::fromLatin1(name)
                                   << QByteArray(settings);
    };
    row("/bin/bash", "bash", "");
    row("/bin/bash -eu", "bash", "set -eu");
    row("/bin/sh -l", "sh", "");
    row("/bin/bash -le", "bash", "set -e");
    row("/usr/bin/env -S bash -e -o pipefail", "bash", "set -e -o pipefail");
    row("/usr/bin/env -S bash -euo pipefail", "bash", "set -eu -o pipefail");
    row("/usr/bin/env bash", "bash", "");
    row("/bin/bash --login -x", "bash", "set -x");
    row("/bin/zsh", "zsh", "");
    row("/bin/tcsh -e", "", "");
    row("/usr/bin/env python3", "", "");
    row("/usr/bin/env -S python3 x.sh", "", "");
}

void TstBatchFidelity::shells()
{
    QFETCH(QString, interpreter);
    const batch::Shell shell = batch::shellOf(interpreter);
    QTEST(shell.name, "name");
    QTEST(shell.settings, "settings");
}

void TstBatchFidelity::endsWithTheFirstFailure()
{
    const auto run = [](const QByteArray &first) {
        return runInTask(0, all(jobOf("#!/bin/bash" + first + "\n#SBATCH -n 1\nfalse\necho on\n").spec->taskRoles[0]));
    };
    QCOMPARE(run(" -e"), QByteArray());
    QCOMPARE(run(""), QByteArray("on\n"));
}

// All task roles begin together, and none is stopped for which the script waits.
void TstBatchFidelity::laterSteps_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<qsizetype>("warnings");
    QTest::addColumn<QList<qint64>>("succeeded"); // minSucceededInstances of each role
    QTest::newRow("after the wait") << QByteArray("srun -n1 ./a &\nsrun -n1 ./b &\nwait\nsrun -n1 ./c\n")
                                    << qsizetype(1) << QList<qint64>{-1, -1, -1};
    QTest::newRow("in the background") << QByteArray("srun -n1 ./a &\nwait\nsrun -n1 ./b &\nwait\n") << qsizetype(1)
                                       << QList<qint64>{-1, -1};
    QTest::newRow("after the first of them")
        << QByteArray("srun -n1 ./a &\nfirst=$!\nsrun -n1 ./b &\nwait $first\nsrun -n1 ./c\nwait\n") << qsizetype(1)
        << QList<qint64>{-1, -1, -1};
    QTest::newRow("without a wait") << QByteArray("srun -n1 ./a &\nsrun -n1 ./c\n") << qsizetype(0)
                                    << QList<qint64>{-1, 1};
    QTest::newRow("with comments") << QByteArray(
        "srun -n1 ./a & # the first\nsrun -n1 ./b --x='# no' & # isn't last\nsrun -n1 ./c &\nwait\n")
                                   << qsizetype(0) << QList<qint64>{-1, -1, -1};
    QTest::newRow("one alone") << QByteArray("srun ./a &\nwait\n") << qsizetype(0) << QList<qint64>{-1};
}

void TstBatchFidelity::laterSteps()
{
    QFETCH(QByteArray, body);
    const QByteArray script = "#!/bin/bash\n#SBATCH -n 2\n" + body;
    QTEST(codes(script).count(u"batch.no-wait"_s), "warnings");
    QList<qint64> succeeded;
    const ParseOutcome outcome = jobOf(script);
    QVERIFY(outcome.canRun());
    for (const TaskRole &role : outcome.spec->taskRoles) {
        succeeded.append(role.effectiveMinSucceeded());
    }
    QTEST(succeeded, "succeeded");
}

// The shell of the task waits for what it started, and a role is made of no line that goes on behind '&'.
void TstBatchFidelity::waitsForItsOwn()
{
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH -n 2\n"
                                       "srun -n1 bash -c 'sleep 0.2; echo a' & first=$!\n"
                                       "srun -n1 bash -c 'sleep 0.2; echo b' & echo c 2>&1 |& cat\nwait\necho d\n");
    QVERIFY(outcome.canRun());
    QCOMPARE(outcome.spec->taskRoles.size(), 1);
    const QByteArray output = runInTask(0, all(outcome.spec->taskRoles.constFirst()));
    QVERIFY2(output.endsWith("d\n") && output.count('\n') == 4, output.constData());
}

// What the script starts itself is waited for, too.
void TstBatchFidelity::waitsForOthers()
{
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH -n 1\nbash -c 'sleep 0.2; echo a & wait' &\nwait\n"
                                       "srun echo b\n");
    QVERIFY(outcome.canRun());
    QCOMPARE(runInTask(0, all(outcome.spec->taskRoles.constFirst())), QByteArray("a\nb\n"));
}

void TstBatchFidelity::stopSignals_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("said"); // of the rule
    const auto row = [](const char *value, const QString &said) { QTest::newRow(value) << QByteArray(value) << said; };
    row("B:USR1@120", u"10 main 120"_s);
    row("USR1@90", u"10 all 90"_s);
    row("SIGINT", u"2 all 60"_s);
    row("R:12@5", u"12 all 5"_s);
    row("RB:TERM@99999", u"15 main 86400"_s);
    row("KILL@60", {});
    row("B:", {});
}

void TstBatchFidelity::stopSignals()
{
    QFETCH(QByteArray, value);
    QFETCH(QString, said);
    const QByteArray script = "#!/bin/bash\n#SBATCH -n 1 --signal=" + value + "\n./a\n";
    const ParseOutcome outcome = jobOf(script);
    QVERIFY(outcome.canRun());
    const StopRule &stop = outcome.spec->trainyard.stop;
    const QString got
        = u"%1 %2 %3"_s.arg(stop.signal).arg(stop.onlyMain ? u"main"_s : u"all"_s).arg(stop.graceSeconds.value_or(0));
    QCOMPARE(stop.signal == 0 ? QString() : got, said);
    QCOMPARE(codes(script), QStringList{said.isEmpty() ? u"batch.ignored"_s : u"batch.signal"_s});
    // The shell of the script outlives a signal that is for its programs.
    QCOMPARE(all(outcome.spec->taskRoles.constFirst()).contains(u"\ntrap : "_s), said.contains("all"_L1));
}

// A shell that waits runs its trap at once; one that runs the program itself does so when that has ended.
void TstBatchFidelity::keepsTraps()
{
    const QByteArray step = "srun sleep 30 &\nwait\n";
    const auto commands = [&step](const QByteArray &trap) {
        return all(jobOf("#!/bin/bash\n#SBATCH -n 1 --signal=B:USR1@10\n" + trap + step).spec->taskRoles.constFirst());
    };
    QVERIFY(commands("trap 'echo saved; exit 0' USR1\n").endsWith(u"USR1\nsrun sleep 30 &\nwait"_s));
    QVERIFY(commands("trap 'rm -f x' EXIT\n").endsWith(u"EXIT\nsleep 30"_s));
}

// Scripts ask the first node for its address, so that all tasks meet there.
void TstBatchFidelity::asksTheFirstNode()
{
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH -N 2\nset -u\n"
                                       "nodes=($(scontrol show hostnames $SLURM_JOB_NODELIST))\n"
                                       "ip=$(srun --nodes=1 --ntasks=1 -w \"${nodes[0]}\" hostname --ip-address)\n"
                                       "echo $ip $(srun -N1 -n1 hostname) $(srun -n1 -w${nodes[1]} hostname)\n");
    QVERIFY(outcome.canRun());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    QCOMPARE(role.instances, 2);
    for (const int task : {0, 1}) {
        QCOMPARE(runInTask(task, u"export PAI_TASK_ROLE_main_HOST_LIST=10.0.0.1:4000,10.0.0.2:4001\n"_s + all(role)),
            QByteArray("10.0.0.1 10.0.0.1 10.0.0.2\n"));
    }
    // Of no node, it is the task's own.
    const ParseOutcome own = jobOf("#!/bin/bash\n#SBATCH -N 2\n[[ $(srun hostname) == $(hostname) ]] && echo same\n");
    QCOMPARE(runInTask(1, all(own.spec->taskRoles.constFirst())), QByteArray("same\n"));
}

// No shell reads the options of sbatch in a script.
void TstBatchFidelity::exportsAsWritten()
{
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH --export=ALL,A=$HOME/`id`,B=\"$(id)\"\necho $A $B\n");
    QVERIFY(outcome.canRun());
    QCOMPARE(runInTask(0, all(outcome.spec->taskRoles.constFirst())), QByteArray("$HOME/`id` $(id)\n"));
}

void TstBatchFidelity::foldersOfSteps_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("of a step") << QByteArray("srun -D / pwd\n") << QByteArray("/\n");
    QTest::newRow("in a variable") << QByteArray("D=/usr\nsrun --chdir=\"$D/bin\" --export=ALL,A=1 pwd\n")
                                   << QByteArray("/usr/bin\n");
    QTest::newRow("of a step with fewer tasks")
        << QByteArray("srun -n1 -D / bash -c 'pwd; echo $SLURM_NTASKS'\nsrun -n2 true\n") << QByteArray("/\n1\n");
    QTest::newRow("in a loop") << QByteArray("for d in / /usr; do srun -D $d pwd; done\n") << QByteArray("/\n/usr\n");
}

void TstBatchFidelity::foldersOfSteps()
{
    QFETCH(QByteArray, body);
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH -n 2\n" + body);
    QVERIFY(outcome.canRun());
    QTEST(runInTask(0, all(outcome.spec->taskRoles.constFirst())), "output");
}

void TstBatchFidelity::arraysOnce()
{
    QCOMPARE(batch::arrayOf(u"5,1-3,2"_s).value_or(batch::ArrayIds()).ids, (QList<qint64>{1, 2, 3, 5}));
}

// A component with a short limit stops no other one.
void TstBatchFidelity::timeOfComponents()
{
    const ParseOutcome outcome = jobOf("#!/bin/bash\n#SBATCH -n 1 -t 20\n#SBATCH -t 30\n#SBATCH hetjob\n#SBATCH -n 1 "
                                       "-t 5\nsrun ./a : ./b\n");
    QVERIFY(outcome.canRun());
    QCOMPARE(outcome.spec->trainyard.timeLimitSeconds.value_or(0), 1800);
}

void TstBatchFidelity::byteOrderMark()
{
    const QByteArray script = "\xEF\xBB\xBF#!/bin/bash\r\n#SBATCH -n 2 --mem=1G --what\r\nsrun ./a\r\n";
    QVERIFY(isBatchScript(script) && isShellScript(script));
    const JobImport import = importBatchScript(script);
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY(outcome.canRun());
    QCOMPARE(outcome.spec->taskRoles.constFirst().instances, 2);
    QVERIFY(all(outcome.spec->taskRoles.constFirst()).endsWith(u"\n./a"_s));
    QCOMPARE(import.report.constFirst().code, u"batch.unknown"_s);
    QCOMPARE(script.mid(import.report.constFirst().at.begin, 7), QByteArray("#SBATCH"));
}

void TstBatchFidelity::says_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char *name, const QByteArray &script, const QStringList &said) {
        QTest::newRow(name) << script << said;
    };
    row("commands of two tasks", "#!/bin/bash\n#SBATCH -n 2\nmkdir out\nsrun -n1 ./a &\nsrun -n1 ./b &\nwait\n",
        {u"batch.each-task"_s});
    row("commands behind the only step", "#!/bin/bash\n#SBATCH -n 2\nsrun ./a &\nwait\nmv x y\n",
        {u"batch.each-task"_s, u"batch.srun-variables"_s});
    row("commands of one task", "#!/bin/bash\n#SBATCH -n 1\nmkdir out\nsrun -n1 ./a &\nwait\n", {});
    row("a token for a step", "#!/bin/bash\n#SBATCH -n 1\nsrun --export=ALL,API_KEY=abcdef123456 ./a\n",
        {u"batch.secret"_s});
    row("a token for all", "#!/bin/bash\n#SBATCH --export=ALL,HF_TOKEN=hf_AbCdEfGhIjKlMnOpQr\n./a\n",
        {u"batch.secret"_s});
    row("a token when there is none", "#!/bin/bash\n#SBATCH -n 1\nA_TOKEN=1\nA_TOKEN=${A_TOKEN:-0123456789abcdef}\n",
        {u"batch.secret"_s});
    row("a token with hyphens", "#!/bin/bash\n#SBATCH -n 1\nMINE=sk-ant-api03-0123456789\n", {u"batch.secret"_s});
    row("words with hyphens", "#!/bin/bash\n#SBATCH -n 1\nCONDA_ENV=sk-learn-env\n", {});
    row("a token as an argument", "#!/bin/bash\n#SBATCH -n 1\n./a -H 'Bearer hf_0123456789abcdefghij'\n",
        {u"batch.secret-text"_s});
    row("words that are no token", "#!/bin/bash\n#SBATCH -n 1\n./a --risk-averse-policy-of-2024 sk-video hf_cache\n",
        {});
    row("another shell", "#!/bin/zsh\n#SBATCH -n 1\n./a\n", {u"batch.other-shell"_s});
    row("another system", "#!/bin/bash\n#PBS -l nodes=4\n#PBS -q long\n#BSUB -n 4\n#SBATCH -n 1\n./a\n",
        {u"batch.other-system"_s, u"batch.other-system"_s});
    row("a word like it", "#!/bin/bash\n#SBATCH -n 1\n#PBS is what we had before\n./a\n", {});
    row("files of a step", "#!/bin/bash\n#SBATCH -n 1\nsrun -o a.log -e a.err -i in -t 5 ./a\n",
        {u"batch.output"_s, u"batch.output"_s, u"batch.ignored"_s});
    row("a file of a step in a loop", "#!/bin/bash\n#SBATCH -n 1\nfor i in 1; do srun -o a.log ./a; done\n",
        {u"batch.srun-kept"_s, u"batch.output"_s});
    row("a small step that takes much", "#!/bin/bash\n#SBATCH -n 2 -G 2\nsrun -n1 -G 2 ./a\nsrun ./b\n",
        {u"batch.fewer-tasks"_s, u"batch.step-takes-more"_s, u"batch.srun-variables"_s});
    row("a small step that takes little", "#!/bin/bash\n#SBATCH -n 2 -G 2\nsrun -n1 -G 1 ./a\nsrun ./b\n",
        {u"batch.fewer-tasks"_s, u"batch.srun-variables"_s});
    row("unknown resources of tasks", "#!/bin/bash\n#SBATCH --tres-per-task=cpu=2,license/x=1\n./a\n",
        {u"batch.bad-value"_s});
}

void TstBatchFidelity::says()
{
    QFETCH(QByteArray, script);
    QTEST(codes(script), "said");
}

void TstBatchFidelity::longNames()
{
    const QByteArray name(3000, 'a');
    const ParseOutcome outcome
        = jobOf("#!/bin/bash\n#SBATCH -n 2\nsrun -n1 -J " + name + " ./x &\nsrun -n1 -J " + name + " ./y &\nwait\n");
    QVERIFY(outcome.canRun());
    QCOMPARE(outcome.spec->taskRoles.size(), 2);
    QVERIFY(outcome.spec->taskRoles.constFirst().name.size() <= 40);
}

// Behind an option, '#' begins a comment where a word could begin, and not in quotes.
void TstBatchFidelity::comments_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("name");
    const auto row
        = [](const char *options, const QString &name) { QTest::newRow(options) << QByteArray(options) << name; };
    row("-J a # -J b", u"a"_s);
    row("-J a#b", u"a_b"_s);
    row("-J \"#1 of 2\" # what", u"_1_of_2"_s);
    row("-J 'a # b'", u"a_b"_s);
    row("-J \"it's\" # isn't", u"it_s"_s);
    row("# -J b", u"given"_s);
}

void TstBatchFidelity::comments()
{
    QFETCH(QByteArray, options);
    const JobImport import = importBatchScript("#!/bin/bash\n#SBATCH -n 1\n#SBATCH " + options + "\n./a\n", u"given"_s);
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY(outcome.canRun());
    QTEST(outcome.spec->name, "name");
}

// Sixteen times as long a script takes about so many times as long to read.
void TstBatchFidelity::thousands_data()
{
    QTest::addColumn<QByteArray>("line"); // "%": a number
    QTest::newRow("calls in a line") << QByteArray("srun ");
    QTest::newRow("calls that are read") << QByteArray("$(srun -n1 a) ");
    QTest::newRow("steps beside each other") << QByteArray("srun -n1 a &\n");
    QTest::newRow("steps below commands") << QByteArray("echo % % % % % % % % % % % % % % % %\nsrun -n1 a &\n");
    QTest::newRow("variables") << QByteArray("./a $SLURM_OF_OTHERS_%\n");
    QTest::newRow("components") << QByteArray("srun --het-group=0-500 a\n");
}

void TstBatchFidelity::thousands()
{
    QFETCH(QByteArray, line);
    const auto msFor = [&line](int lines) {
        QByteArray script = "#!/bin/bash\n#SBATCH -n 2\n";
        for (int i = 0; i < lines; ++i) {
            script += QByteArray(line).replace('%', QByteArray::number(100'000 + i));
        }
        std::vector<double> ms;
        for (int repeat = 0; repeat < 2; ++repeat) {
            const double before = processortime::threadMs();
            const bool isRead = !importBatchScript(script + '\n').report.isEmpty();
            ms.push_back(isRead ? processortime::threadMs() - before : 1e9);
        }
        return processortime::median(ms);
    };
    const double few = msFor(300), many = msFor(4800);
    QVERIFY2(many < 40 * few, qPrintable(u"%1 ms for 300, %2 ms for 4,800"_s.arg(few).arg(many)));
}

TRAINYARD_TEST(TstBatchFidelity)
#include "tst_batchfidelity.moc"
