// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchimport.h"
#include "model/import/batchscript.h"
#include "model/protocol/gpunames.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/taskbash.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Batch scripts of Slurm as jobs; that a real Slurm and the job do the same, tst_exportslurm shows.
class TstBatchImport : public QObject
{
    Q_OBJECT

    static QStringList codes(const JobImport &import)
    {
        QStringList codes;
        for (const Diagnostic &diagnostic : import.report) {
            codes.append(diagnostic.code);
        }
        return codes;
    }
    static QString all(const TaskRole &role) { return role.commands.join(u'\n'); }

private Q_SLOTS:
    void recognises_data();
    void recognises();
    void recognisesShell_data();
    void recognisesShell();
    void recognisesByName();
    void times_data();
    void times();
    void amounts();
    void arrays_data();
    void arrays();
    void shapes_data();
    void shapes();
    void steps_data();
    void steps();
    void saysWhatItLeavesOut_data();
    void saysWhatItLeavesOut();
    void saysWhere();
    void keepsTheText();
    void keepsHeredocs();
    void refuses_data();
    void refuses();
    void endsWithTheFirstSteps();
    void components_data();
    void components();
    void runsFewerTasks();
    void setsRanks();
    void valuesOfSlurmStay_data();
    void valuesOfSlurmStay();
    void sharesOutOneTask();
    void exportsForAll();
    void standsInForSrun_data();
    void standsInForSrun();
    void passesValuesOver();
    void tasksInOne_data();
    void tasksInOne();
    void arrayTime();
    void anArrayFailsWithAllOfItsElements();
};

void TstBatchImport::recognises_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isOne");
    QTest::newRow("options") << QByteArray("#!/bin/bash\n#SBATCH -n 1\necho\n") << true;
    QTest::newRow("with comments before") << QByteArray("#!/bin/bash\n# mine\n\n#SBATCH -n 1\necho\n") << true;
    QTest::newRow("carriage returns") << QByteArray("#!/bin/bash\r\n#SBATCH -n 1\r\necho\r\n") << true;
    QTest::newRow("options too late") << QByteArray("#!/bin/bash\necho\n#SBATCH -n 1\n") << false;
    QTest::newRow("switched off") << QByteArray("#!/bin/bash\n##SBATCH -n 1\n#SBATCHED\necho\n") << false;
    QTest::newRow("a plain script") << QByteArray("#!/bin/bash\necho\n") << false;
    QTest::newRow("no interpreter") << QByteArray("#SBATCH -n 1\necho\n") << true;
    QTest::newRow("an option in a job") << QByteArray("#SBATCH -n 1\nprotocolVersion: 2\n") << false;
    QTest::newRow("an option in a document") << QByteArray("#SBATCH -n 1\n---\nname: a\n") << false;
    QTest::newRow("an option in JSON") << QByteArray("#SBATCH -n 1\n{\"jobName\": 1}\n") << false;
    QTest::newRow("a job") << QByteArray("name: '#!/bin/bash'\n#SBATCH -n 1\n") << false;
    QTest::newRow("nothing") << QByteArray() << false;
}

void TstBatchImport::recognises()
{
    QFETCH(QByteArray, text);
    QTEST(isBatchScript(text), "isOne");
}

void TstBatchImport::recognisesShell_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isOne");
    QTest::newRow("an interpreter") << QByteArray("#!/bin/bash\necho\n") << true;
    QTest::newRow("docker") << QByteArray("IMG=a\ndocker run \\\n --rm $IMG ./x\n") << true;
    QTest::newRow("podman behind another command") << QByteArray("cd /x && sudo podman run a ./x\n") << true;
    QTest::newRow("words") << QByteArray("Use docker run to start it.\n") << false;
    QTest::newRow("a comment") << QByteArray(
        "FROM python:3.12\n# docker build -t x . && docker run --rm x\nCMD [\"./x\"]\n")
                               << false;
    QTest::newRow("a job that calls docker") << QByteArray("name: a\ncommands:\n- |\n  docker run a ./x\n") << false;
    QTest::newRow("a job below an interpreter") << QByteArray("#!/usr/bin/env trainyardctl\nname: a\n") << false;
    QTest::newRow("JSON") << QByteArray("{\"command\": \"docker run a\"}\n") << false;
    QTest::newRow("other commands") << QByteArray("echo\n") << false;
    QTest::newRow("a launcher") << QByteArray("torchrun --nproc_per_node 8 train.py --lr 1e-3\n") << true;
    QTest::newRow("a launcher on several lines")
        << QByteArray("# on one node\n\nCUDA_VISIBLE_DEVICES=0,1 accelerate launch \\\n  train.py --lr 1\n") << true;
    QTest::newRow("variables and a file")
        << QByteArray("# on one node\n\nCUDA_VISIBLE_DEVICES=0,1 accelerate launch train.py\n") << true;
    QTest::newRow("Python with a module") << QByteArray("/opt/env/bin/python3.12 -m train") << true;
    QTest::newRow("a step of Slurm") << QByteArray("srun -n 4 ./train\n") << true;
    QTest::newRow("a sentence about Python")
        << QByteArray("python is a language.\nIt has files such as a.py.\n") << false;
    QTest::newRow("a key with the name") << QByteArray("python: 3.12\n") << false;
    QTest::newRow("a job that starts Python") << QByteArray("name: a\ncommands:\n- python train.py\n") << false;
}

void TstBatchImport::recognisesShell()
{
    QFETCH(QByteArray, text);
    QTEST(isShellScript(text), "isOne");
}

void TstBatchImport::recognisesByName()
{
    for (const QString &name : {u"/x/a.sh"_s, u"a.sbatch"_s, u"A.SLURM"_s}) {
        QVERIFY(isBatchScript("echo\n", name) && isBatchScript("#!/bin/bash\necho\n", name));
        QVERIFY(!isBatchScript("name: a\n", name) && !isBatchScript("{\"jobName\": 1}\n", name));
    }
    QVERIFY(!isBatchScript("echo\n", u"a.yaml"_s) && !isBatchScript("#!/bin/bash\necho\n", u"sh"_s));
    QVERIFY(isBatchScript("echo\n", u"launch.bash"_s));
    QVERIFY(!codes(importBatchScript("docker run a ./x\n")).contains(u"batch.no-interpreter"_s)); // not for sbatch
    const JobImport import = importBatchScript("#SBATCH -n 2 --mem=1G\nsrun ./a\n");
    QCOMPARE(codes(import), (QStringList{u"batch.no-interpreter"_s, u"batch.srun-variables"_s}));
    QCOMPARE(parseJob(import.yaml).spec->taskRoles.constFirst().instances, 2);
}

void TstBatchImport::times_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("seconds"); // -1: none
    const auto row
        = [](const char *text, qint64 seconds) { QTest::newRow(text) << QString::fromLatin1(text) << seconds; };
    row("90", 5400);
    row("90:30", 5430);
    row("1:30:15", 5415);
    row("2-3", 183'600);
    row("2-3:30", 185'400);
    row("2-3:30:01", 185'401);
    row("UNLIMITED", 0);
    row("0", 0);
    row("-1", 0);
    row("soon", -1);
    row("1:2:3:4", -1);
    row("-2", -1);
    row("", -1);
}

void TstBatchImport::times()
{
    QFETCH(QString, text);
    QTEST(batch::timeOf(text).value_or(-1), "seconds");
}

void TstBatchImport::amounts()
{
    QCOMPARE(batch::memoryOf(u"4000"_s).value_or(-1), 4000);
    QCOMPARE(batch::memoryOf(u"64G"_s).value_or(-1), 65536);
    QCOMPARE(batch::memoryOf(u"1T"_s).value_or(-1), 1 << 20);
    QCOMPARE(batch::memoryOf(u"1025K"_s).value_or(-1), 2);
    QCOMPARE(batch::memoryOf(u"8GB"_s).value_or(-1), 8192);
    QVERIFY(!batch::memoryOf(u"all"_s) && !batch::memoryOf(u""_s) && !batch::memoryOf(u"-1"_s));
    QCOMPARE(batch::countOf(u"2-4"_s).value_or(-1), 2);
    QCOMPARE(batch::countOf(u"1k"_s).value_or(-1), 1024);
    QVERIFY(!batch::countOf(u"0"_s) && !batch::countOf(u"$N"_s) && !batch::countOf(u"99999999999999999999"_s));
    QCOMPARE(batch::gpusOf(u"a100:4"_s)->count, 4);
    QCOMPARE(batch::gpusOf(u"a100:4"_s)->type, u"a100"_s);
    QCOMPARE(batch::gpusOf(u"a100:2,v100:1"_s)->count, 3);
    QVERIFY(!batch::gpusOf(u"many"_s) && !batch::gpusOf(u""_s));
    QCOMPARE(batch::gpusInGres(u"gpu"_s)->count, 1);
    QCOMPARE(batch::gpusInGres(u"gpu:v100"_s)->count, 1);
    QCOMPARE(batch::gpusInGres(u"shard:3,gpu:v100:2(S:0-1)"_s)->count, 2);
    QCOMPARE(batch::gpusInGres(u"lustre:1"_s)->count, 0);
    QVERIFY(!batch::gpusInGres(u"gpu:"_s));
}

void TstBatchImport::arrays_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<qint64>>("ids"); // none: it is no array
    QTest::newRow("range") << u"0-3"_s << QList<qint64>{0, 1, 2, 3};
    QTest::newRow("step") << u"1-7:3"_s << QList<qint64>{1, 4, 7};
    QTest::newRow("list") << u"1,5-6%2"_s << QList<qint64>{1, 5, 6};
    QTest::newRow("backwards") << u"3-1"_s << QList<qint64>();
    QTest::newRow("step of nothing") << u"1-3:0"_s << QList<qint64>();
    QTest::newRow("endless") << u"0-99999999"_s << QList<qint64>();
    QTest::newRow("words") << u"a-b"_s << QList<qint64>();
}

void TstBatchImport::arrays()
{
    QFETCH(QString, text);
    QTEST(batch::arrayOf(text).value_or(batch::ArrayIds()).ids, "ids");
}

void TstBatchImport::shapes_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<bool>("isStep");
    QTest::addColumn<QList<qint64>>("wanted"); // instances, cpus, MiB, GPUs
    const auto row = [](const char *options, bool isStep, qint64 instances, qint64 cpus, qint64 memory, qint64 gpus) {
        const QByteArray name = QByteArray(options) + (isStep ? " srun" : "");
        QTest::newRow(name.constData()) << QByteArray(options) << isStep
                                        << QList<qint64>{instances, cpus, memory, gpus};
    };
    row("-c 4 --mem=8G", false, 1, 4, 8192, 0);
    row("-n 4 --mem=8G", false, 1, 4, 8192, 0); // mpirun on one node has all of it
    row("-n 4 --mem=8G", true, 4, 1, 2048, 0);
    row("-n4 -c2 --mem-per-cpu=500", true, 4, 2, 1000, 0);
    row("-N 2 --ntasks-per-node=4 --gres=gpu:4 --mem=64G", true, 8, 1, 16384, 1);
    row("-N 2 --ntasks-per-node 1 --gpus-per-node=h100:8 --mem 0", true, 2, 1, 131072, 8);
    row("-n 2 -c 4 --mem-per-cpu=0", true, 2, 4, 16384, 0);
    row("--mem=0", false, 1, 1, 8192, 0);
    row("--mem-per-gpu=2G", false, 1, 1, 4096, 0);
    row("-N 3 -n 9 --gpus-per-task=1 --mem-per-gpu=10G", true, 9, 1, 10240, 1);
    row("-n 2 -G 4", true, 2, 1, 4096, 2);
    row("--nodes=2 --cpus-per-task=16", true, 2, 16, 4096, 0);
    row("--gpus=2", false, 1, 1, 4096, 2);
    row("--gpus=6 --gpus-per-task=2", true, 3, 1, 4096, 2);
    row("--gpus=2 --cpus-per-gpu=4", false, 1, 8, 4096, 2);
    row("-n 2 --gpus-per-task=1 --cpus-per-gpu=4 --mem-per-gpu=8G", true, 2, 4, 8192, 1);
    row("-N 2 --gpus-per-node=4 --ntasks-per-gpu=1 --cpus-per-gpu=3", true, 8, 3, 4096, 1);
    row("--gpus=3 --ntasks-per-gpu=2", true, 6, 1, 4096, 1);
    row("--exclusive --gres=gpu:8", false, 1, 32, 4096, 8);
    row("--exclusive --gres=gpu:8 -c 6", false, 1, 6, 4096, 8);
    row("-n 4 --ntasks-per-gpu=2", false, 1, 4, 4096, 2);
}

void TstBatchImport::shapes()
{
    QFETCH(QByteArray, options);
    QFETCH(bool, isStep);
    const JobImport import
        = importBatchScript("#!/bin/bash\n#SBATCH " + options + '\n' + (isStep ? "srun " : "") + "./train\n");
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY2(outcome.canRun(), import.yaml.constData());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    const QList<qint64> got{role.instances, role.resources.cpu, role.resources.memoryMiB, role.resources.gpu};
    QTEST(got, "wanted");
}

void TstBatchImport::steps_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QStringList>("roles"); // name*instances: last line of its commands
    const auto row = [](const char *name, const QByteArray &body, const QStringList &roles) {
        QTest::newRow(name) << body << roles;
    };
    row("one", "srun -n 4 ./a --x=1 'b c' > out 2>&1\n", {u"main*4: ./a --x=1 'b c' > out 2>&1"_s});
    row("over several lines", "srun \\\n  --mpi=none -n2 \\\n  ./a \\\n  b\n", {u"main*2:   b"_s});
    row("a pipe", "srun ./a | tee log\n", {u"main*4: ./a | tee log"_s});
    row("one after another", "srun ./a\nsrun -n 2 ./b\n", {u"main*4: fi"_s});
    row("beside each other", "srun -n1 python serve.py --port 1 &\nsrun -n 3 python /x/train.py &\nwait\n",
        {u"serve*1: python serve.py --port 1"_s, u"train*3: python /x/train.py"_s});
    row("with names", "srun -J 'the server' -n1 ./a &\nsrun --job-name=2nd ./a &\nwait\n",
        {u"theserver*1: ./a"_s, u"nd*4: ./a"_s});
    row("of shells", "srun -n1 bash -c a &\nsrun -n1 bash -c b &\nwait\n",
        {u"step*1: bash -c a"_s, u"step2*1: bash -c b"_s});
    row("of the same program", "srun -n1 ./a 1 &\nsrun -n1 ./a 2 &\nwait\n", {u"a*1: ./a 1"_s, u"a2*1: ./a 2"_s});
    row("a name that is taken", "srun -n1 ./main.py &\nsrun ./a\n", {u"main*1: ./main.py"_s, u"main2*4: ./a"_s});
    row("one in the background", "srun ./a &\nwait\n", {u"main*4: ./a"_s});
    row("in a condition", "if true; then\n  srun ./a\nfi\n", {u"main*4: fi"_s});
    row("in a function", "run() {\n  srun ./a\n}\nrun\n", {u"main*4: run"_s});
    row("in a substitution", "x=$(srun hostname)\n", {u"main*4: x=$(srun hostname)"_s});
    row("with options of its own", "srun $OPTIONS ./a\n", {u"main*4: srun $OPTIONS ./a"_s});
    row("after a loop", "for i in 1 2; do echo $i; done\nsrun ./a\n", {u"main*4: ./a"_s});
    row("in a text", "cat <<EOF\nsrun ./not\nEOF\nsrun ./a\n", {u"main*4: ./a"_s});
    row("in a comment", "# srun ./not\nsrun ./a\n", {u"main*4: ./a"_s});
    row("in a subshell of several lines", "(\n  srun ./a\n) > log\n", {u"main*4: ) > log"_s});
    row("behind other programs", "A=1 exec env B=2 timeout -k 5 1h srun --mem-per-cpu 1G python /x/train.py\n",
        {u"main*4: A=1 exec env B=2 timeout -k 5 1h python /x/train.py"_s});
    row("behind other programs, beside each other", "nohup srun -n1 ./a &\nnice -n 5 srun -n 2 ./b &\nwait\n",
        {u"a*1: nohup ./a"_s, u"b*2: nice -n 5 ./b"_s});
    row("with variables", "timeout 9 srun --export=ALL,A=1,B=$HOME/x,C ./a\n",
        {u"main*4: timeout 9 env A=1 B=\"$HOME/x\" ./a"_s});
    row("whatever becomes of it", "srun -n 2 ./a || :\n", {u"main*2: ./a || :"_s});
    row("letters together", "srun -lun 2 -W 30 -- ./a\n", {u"main*2: ./a"_s});
    row("and in the shell", "a && srun ./b\n", {u"main*4: a && srun ./b"_s});
}

void TstBatchImport::steps()
{
    QFETCH(QByteArray, body);
    const JobImport import = importBatchScript("#!/bin/bash\n#SBATCH -n 4\n" + body);
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY2(outcome.canRun(), import.yaml.constData());
    QStringList roles;
    for (const TaskRole &role : outcome.spec->taskRoles) {
        roles.append(role.name + u'*' + QString::number(role.instances) + u": "_s + all(role).section(u'\n', -1));
    }
    QTEST(roles, "roles");
}

void TstBatchImport::saysWhatItLeavesOut_data()
{
    QTest::addColumn<QByteArray>("script"); // below the first line
    QTest::addColumn<QStringList>("codes");
    const QByteArray good = "#SBATCH --mem=1G\n";
    const auto row = [&good](const char *name, const QByteArray &script, const QStringList &codes) {
        QTest::newRow(name) << good + script << codes;
    };
    row("nothing", "./a\n", {});
    row("options of the cluster", "#SBATCH -p gpu -A me --qos=high --requeue\n./a\n", {u"batch.ignored"_s});
    row("unknown options", "#SBATCH --colour=red\n./a\n", {u"batch.unknown"_s});
    row("stray words", "#SBATCH -J my job\n./a\n", {u"batch.unknown"_s});
    row("a bad value", "#SBATCH -n many\n./a\n", {u"batch.bad-value"_s});
    row("a bad time", "#SBATCH -t tomorrow\n./a\n", {u"batch.bad-value"_s});
    row("output", "#SBATCH -o a.log\n./a\n", {u"batch.output"_s});
    row("dependency", "#SBATCH -d afterok:1\n./a\n", {u"batch.dependency"_s});
    row("late", "./a\n#SBATCH -n 2\n", {u"batch.late"_s});
    row("a comment behind", "#SBATCH -n 1 # -n 2 --what\n./a\n", {});
    row("a name", "#SBATCH -J 'my job'\n./a\n", {u"batch.name"_s});
    row("the memory of the job", "srun --mem=0 ./a\n", {});
    row("all the memory", "#SBATCH --mem=0\n./a\n", {u"batch.all-memory"_s});
    row("GPU type", "#SBATCH --gres=gpu:a100:1\n./a\n", {u"batch.gpu-type"_s});
    row("a node for itself", "#SBATCH --exclusive --gpus=8\n./a\n", {u"batch.exclusive"_s});
    row("a node for itself, with cores", "#SBATCH --exclusive -c 4\n./a\n", {});
    row("one task at a time", "#SBATCH -n 4\nfor i in 1 2; do srun -n1 --exact ./a & done\nwait\n",
        {u"batch.steps-in-one"_s});
    row("other nodes", "#SBATCH -N 2\n./a\n", {u"batch.one-node"_s});
    row("around srun", "#SBATCH -n 2\nmodule load x\nsrun ./a\n", {u"batch.each-task"_s, u"batch.srun-variables"_s});
    row("srun elsewhere", "#SBATCH -n 2\ntime srun ./a\n", {u"batch.srun-kept"_s, u"batch.srun-variables"_s});
    row("fewer tasks", "#SBATCH -n 4\nsrun -n 1 -N 1 ./a\nsrun ./b\n",
        {u"batch.fewer-tasks"_s, u"batch.srun-variables"_s});
    row("fewer tasks that cannot be told apart", "#SBATCH -n 4\nsrun -n 1 ./a; cd x\nsrun ./b\n",
        {u"batch.all-tasks"_s, u"batch.srun-variables"_s});
    row("steps that do not wait", "#SBATCH -n 2\nsrun ./a\nsrun ./b\n",
        {u"batch.srun-variables"_s, u"batch.no-barrier"_s});
    row("fewer tasks in a loop", "#SBATCH -n 4\nfor i in 1 2; do\n  srun -n 2 ./a\ndone\n",
        {u"batch.srun-kept"_s, u"batch.fewer-tasks"_s, u"batch.srun-variables"_s});
    row("fewer nodes", "#SBATCH -N 2\nx=$(srun -N1 hostname)\n",
        {u"batch.different-hosts"_s, u"batch.srun-kept"_s, u"batch.all-tasks"_s, u"batch.srun-variables"_s});
    row("srun behind a program", "#SBATCH -n 2\nif true; then exec srun ./a; fi\n",
        {u"batch.srun-kept"_s, u"batch.srun-behind"_s, u"batch.srun-variables"_s});
    row("a component without a step", "#SBATCH -n 1\n#SBATCH hetjob\n#SBATCH -n 2\nsrun ./a\n",
        {u"batch.component-unused"_s});
    row("after steps", "#SBATCH -n 2\nsrun -n1 ./a &\nsrun -n1 ./b &\nwait\nmv x y\n# done\n",
        {u"batch.after-steps"_s});
    row("MPI", "srun --mpi=pmix ./a\n", {u"batch.mpi"_s});
    row("variables", "echo $SLURM_OF_OTHERS $SLURM_JOB_PARTITION ${SLURM_JOB_ID} $SLURM_JOB_NAME $SLURM_JOB_NAME\n",
        {u"batch.variable"_s, u"batch.variable-slurm"_s, u"batch.variable-either"_s, u"batch.variable-set"_s});
    row("the node", "echo $SLURMD_NODENAME\n", {u"batch.variable-either"_s});
    row("an array", "#SBATCH -a 1-3%2\n./a $SLURM_ARRAY_TASK_ID\n",
        {u"batch.array"_s, u"batch.array-succeeds"_s, u"batch.array-limit"_s, u"batch.variable-set"_s});
    row("an array of one", "#SBATCH -a 7 -t 1\n./a\n", {u"batch.array"_s});
    row("the time of an array", "#SBATCH -a 1-3\n#SBATCH -t 1\n./a\n",
        {u"batch.array"_s, u"batch.array-succeeds"_s, u"batch.array-time"_s});
    row("tasks without srun", "#SBATCH -n 4\nmpirun -np $SLURM_NTASKS ./a\n",
        {u"batch.tasks-in-one"_s, u"batch.variable-set"_s});
    row("tasks of several nodes", "#SBATCH -N 2 --ntasks-per-node=4\nmpirun ./a\n", {u"batch.tasks-in-one"_s});
    row("tasks of several nodes that nothing starts", "#SBATCH -N 2 --ntasks-per-node=4\n./a\n",
        {u"batch.tasks-in-one"_s, u"batch.one-node"_s});
    row("mpirun in each task", "#SBATCH -n 2\nsrun mpirun -np 2 ./a\n", {u"batch.mpirun-each"_s});
    row("mpirun once", "#SBATCH -n 1\nsrun mpirun -np 2 ./a\n", {});
    row("the environment", "./a --lr=$LR ${DATA:-x}\n", {u"batch.environment"_s});
    row("arguments", "./a \"$@\"\n", {u"batch.arguments"_s});
    row("commands of Slurm", "trap 'scontrol requeue 7' USR1\n./a && sbatch next.sbatch\nsqueue\nsqueue\n",
        {u"batch.slurm-command"_s, u"batch.slurm-command"_s, u"batch.slurm-command"_s});
    row("an image", "#SBATCH --container-image=nvcr.io#nvidia/pytorch:24.01-py3\n./a\n", {u"batch.image"_s});
    row("another image", "srun --container-image=a/b prepare\nsrun --container-image=a/c train\n",
        {u"batch.image"_s, u"batch.image-other"_s});
    row("folders of a call that stays", "srun --container-mounts=/d:/d ./a | tee out\n", {u"batch.container-mounts"_s});
    row("a file with an image", "#SBATCH --container-image=/images/a.sqsh\n./a\n", {u"batch.image-file"_s});
    row("a container of a step", "srun --container-mounts=/data:/d --container-workdir=/d ./a\n",
        {u"batch.container-mounts"_s, u"batch.container-workdir"_s});
    row("an array of gangs", "#SBATCH -a 1-3 -n 2\nsrun ./a\n", {u"batch.array-parallel"_s, u"batch.srun-variables"_s});
    row("a token", "export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQr\n./a\n", {u"batch.secret"_s});
    row("a quoted key before a command", "WANDB_API_KEY=\"0123456789abcdef0123\" ./a\n", {u"batch.secret"_s});
    row("a token of any name", "MINE=ghp_0123456789abcdef0123\n./a\n", {u"batch.secret"_s});
    row("where a token is", "export HF_TOKEN_PATH=~/.cache/hf1234567\nHF_TOKEN=$(cat t0123456789)\n./a\n", {});
    row("a token of a text", "EOS_TOKEN=endoftext MAX_TOKEN=12345678\n./a\n", {});
    row("a template", "echo '<% x'\n", {u"batch.template"_s});
    const QStringList processes{u"batch.processes"_s};
    row("processes without GPUs", "torchrun --nproc-per-node 4 a.py\n", processes);
    row("processes by their older name", "python -m torch.distributed.launch --nproc_per_node=2 a.py\n", processes);
    row("processes on several lines", "LR=1 torchrun --standalone \\\n  --nproc_per_node 4 \\\n  a.py\n", processes);
    row("processes of accelerate", "accelerate launch --num_processes 8 a.py\n", processes);
    row("processes of deepspeed", "deepspeed --num_gpus=2 a.py\n", processes);
    row("processes in each task", "#SBATCH -n 2\nsrun torchrun --nproc_per_node 2 a.py\n",
        {u"batch.srun-variables"_s, u"batch.processes"_s});
    row("a process for each GPU", "torchrun --nproc_per_node=gpu a.py\n", {u"batch.processes-all"_s});
    row("a process for each GPU of the allocation", "torchrun --nproc_per_node=$SLURM_GPUS_ON_NODE a.py\n",
        {u"batch.variable-set"_s, u"batch.processes-all"_s});
    row("more processes than GPUs", "#SBATCH --gpus=2\ntorchrun --nproc_per_node 4 a.py\n",
        {u"batch.processes-more"_s});
    row("as many processes as GPUs", "#SBATCH --gpus=4\ntorchrun --nproc_per_node 4 a.py\n", {});
    row("the GPUs that it has", "#SBATCH --gpus=4\ntorchrun --nproc_per_node=gpu a.py\n", {});
    row("processes of several machines",
        "#SBATCH --gpus=4\naccelerate launch --num_machines 2 --num_processes 8 a.py\n", {});
    row("processes for processors", "accelerate launch --cpu --num_processes 8 a.py\n", {});
    row("processes that the shell counts", "N=4\ntorchrun --nproc_per_node $N a.py\n", {});
    row("processes of MPI", "mpirun -np 4 ./a\n", {});
    row("launchers in words", "# torchrun --nproc_per_node 4\n./a --deepspeed ds.json --num_gpus 4\n", {});
}

void TstBatchImport::saysWhatItLeavesOut()
{
    QFETCH(QByteArray, script);
    const JobImport import = importBatchScript("#!/bin/bash\n" + script);
    QVERIFY(!import.yaml.isEmpty() && !import.hasErrors());
    QStringList said = codes(import);
    said.removeAll(u"batch.no-memory"_s);
    QTEST(said, "codes");
    for (const Diagnostic &diagnostic : import.report) {
        QVERIFY(diagnostic.at.begin >= 0 && diagnostic.at.end <= script.size() + 12);
    }
}

// Each where it stands in the script.
void TstBatchImport::saysWhere()
{
    const QByteArray script
        = "#!/bin/bash\n#SBATCH --mem=1G\n#SBATCH -J 'my job'\n#SBATCH --qos=high\n#SBATCH -N 2\nmodule load x\n"
          "./a $SLURM_ARRAY_TASK_ID\necho '<% x'\n";
    const JobImport import = importBatchScript(script);
    QStringList places;
    for (const Diagnostic &each : import.report) {
        places.append(each.code + u' ' + QString::number(script.first(each.at.begin).count('\n') + 1));
    }
    QCOMPARE(places,
        (QStringList{u"batch.name 3"_s, u"batch.ignored 4"_s, u"batch.one-node 5"_s, u"batch.variable 7"_s,
            u"batch.template 8"_s}));
}

void TstBatchImport::keepsTheText()
{
    const QByteArray body = "# what it does\nx=\"a  b\"\n\n  ./run \"$x\" \\\n    --y # z\n";
    const JobImport import = importBatchScript("#!/bin/sh -l\n#SBATCH -t 10 -D /scratch/me\n\n" + body, u"my-job"_s);
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY2(outcome.canRun(), import.yaml.constData());
    QCOMPARE(outcome.spec->name, u"my-job"_s);
    QCOMPARE(outcome.spec->trainyard.work, u"/scratch/me"_s);
    QCOMPARE(outcome.spec->trainyard.timeLimitSeconds.value_or(0), 600);
    QVERIFY2(all(outcome.spec->taskRoles.constFirst()).endsWith(QString::fromUtf8(body.chopped(1))),
        import.yaml.constData());
}

// What looks like an option or a step in the text of a heredoc is neither, and a late option is a comment.
void TstBatchImport::keepsHeredocs()
{
    const QByteArray body = "cat > job.sh <<EOF\n#!/bin/bash\n#SBATCH -n 4 -J $SLURM_JOB_NAME\nsrun ./b\nEOF\n"
                            "cat <<A - <<-'B'\n#SBATCH a\nA\n\t#SBATCH b\n\n\tB\n#SBATCH -n 7\necho \"x\n#SBATCH y\"\n";
    const JobImport import = importBatchScript("#!/bin/bash\n#SBATCH --mem=1G\n" + body);
    QCOMPARE(codes(import), (QStringList{u"batch.variable-set"_s, u"batch.late"_s}));
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY2(outcome.canRun(), import.yaml.constData());
    const QString commands = all(outcome.spec->taskRoles.constFirst());
    QVERIFY2(commands.endsWith(QString::fromUtf8(body.chopped(1))), import.yaml.constData());
    QVERIFY2(commands.contains(u"export SLURM_JOB_NAME="_s), import.yaml.constData());
    // The text belongs to its step, and not to those that stand below.
    const ParseOutcome steps = parseJob(
        importBatchScript("#!/bin/bash\n#SBATCH -n 1\nsrun ./a <<EOF &\nx\nEOF\nsrun ./b - <<EOF &\ny\nEOF\nwait\n")
            .yaml);
    QVERIFY(steps.spec && steps.spec->taskRoles.size() == 2);
    QVERIFY(all(steps.spec->taskRoles.at(0)).endsWith(u"\n./a <<EOF\nx\nEOF"_s));
    QVERIFY(all(steps.spec->taskRoles.at(1)).endsWith(u"\n./b - <<EOF\ny\nEOF"_s));
    QVERIFY(!all(steps.spec->taskRoles.at(1)).contains(u"x\n"_s));
}

void TstBatchImport::refuses_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("code");
    QTest::newRow("python") << QByteArray("#!/usr/bin/env python3\n#SBATCH -n 1\nprint()\n") << u"batch.not-shell"_s;
    QTest::newRow("csh") << QByteArray("#!/bin/tcsh\n#SBATCH -n 1\necho\n") << u"batch.not-shell"_s;
    QTest::newRow("a program for each task")
        << QByteArray("#!/bin/bash\n#SBATCH -n 2\nsrun --multi-prog a.conf\n") << u"batch.multi-prog"_s;
    const QByteArray components = "#!/bin/bash\n#SBATCH -n 1\n#SBATCH hetjob\n#SBATCH -n 2\n";
    QTest::newRow("components in a loop")
        << QByteArray(components + "for i in 1; do srun --het-group=1 ./a; done\n") << u"batch.components"_s;
    QTest::newRow("components without a step") << QByteArray(components + "mpirun ./a\n") << u"batch.components"_s;
    QTest::newRow("components after each other")
        << QByteArray(components + "srun ./a\nsrun --het-group=1 ./b\n") << u"batch.components"_s;
    QTest::newRow("components in a pipe")
        << QByteArray(components + "srun ./a : ./b | tee log\n") << u"batch.components"_s;
    QTest::newRow("a component too many")
        << QByteArray(components + "srun --het-group=0-2 ./a\n") << u"batch.components"_s;
    QTest::newRow("no commands") << QByteArray("#!/bin/bash\n#SBATCH -n 1\n\n") << u"batch.empty"_s;
    QTest::newRow("an export") << QByteArray(
        "#!/usr/bin/env bash\n#SBATCH -n 1\n# a: one task of a job of the OpenPAI job protocol, exported by "
        "Trainyard.\n#\necho\n")
                               << u"batch.own-export"_s;
    QTest::newRow("an export with a long name") << QByteArray("#!/usr/bin/env bash\n#SBATCH -n 1\n# "
        + QByteArray(60, 'a') + ": 12 tasks of a job of the OpenPAI job protocol,\n# exported by Trainyard.\n#\necho\n")
                                                << u"batch.own-export"_s;
    QTest::newRow("not UTF-8") << QByteArray("#!/bin/bash\n#SBATCH -n 1\necho \xff\n") << u"batch.encoding"_s;
    QTest::newRow("too large") << QByteArray("#!/bin/bash\n#SBATCH -n 1\n") + QByteArray(2 << 20, 'x')
                               << u"batch.too-large"_s;
}

void TstBatchImport::refuses()
{
    QFETCH(QByteArray, script);
    const JobImport import = importBatchScript(script);
    QVERIFY(import.yaml.isEmpty() && import.hasErrors());
    QCOMPARE(import.report.size(), 1);
    QTEST(import.report.constFirst().code, "code");
}

// A script that does not wait for its steps in the background ends with the others, and so does the job.
void TstBatchImport::endsWithTheFirstSteps()
{
    const QByteArray head = "#!/bin/bash\n#SBATCH -n 3\nsrun -n 1 ./serve &\nsrun -n 2 ./train\n";
    const auto ends = [](const QByteArray &script) {
        QList<qint64> numbers;
        const ParseOutcome outcome = parseJob(importBatchScript(script).yaml);
        for (const TaskRole &role : outcome.spec->taskRoles) {
            numbers.append(role.effectiveMinSucceeded());
        }
        return numbers;
    };
    QCOMPARE(ends(head), (QList<qint64>{-1, 2}));
    QCOMPARE(ends(head + "wait\n"), (QList<qint64>{-1, -1}));
}

// The components of a heterogeneous job are task roles with what they ask for.
void TstBatchImport::components_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QStringList>("roles"); // name*instances, cores, MiB: last line
    const auto row = [](const char *name, const QByteArray &body, const QStringList &roles) {
        QTest::newRow(name) << body << roles;
    };
    const QString ps = u"ps*1 2 1024: ./ps -a"_s, worker = u"worker*3 1 2048: ./worker b"_s;
    row("of a step", "srun --het-group=0 ./ps -a : --het-group=1 ./worker b\n", {ps, worker});
    row("in their order", "srun ./ps -a : ./worker b\n", {ps, worker});
    row("turned round", "srun --het-group=1 ./worker b : --het-group 0 ./ps -a\n", {worker, ps});
    row("of two steps", "srun --het-group=0 ./ps -a &\nsrun --het-group=1 ./worker b &\nwait\n", {ps, worker});
    row("with the same command", "srun --het-group=0,1 ./x > log\n",
        {u"x*1 2 1024: ./x > log"_s, u"x2*3 1 2048: ./x > log"_s});
    row("one behind the other", "srun --het-group=1 ./worker b &\nsrun ./ps -a\n",
        {worker, u"main*1 2 1024: ./ps -a"_s});
    row("of shells", "srun bash -c 'a' : sh -c 'b'\n",
        {u"part0*1 2 1024: bash -c 'a'"_s, u"part1*3 1 2048: sh -c 'b'"_s});
}

void TstBatchImport::components()
{
    QFETCH(QByteArray, body);
    const ParseOutcome outcome = parseJob(importBatchScript(
        "#!/bin/bash\n#SBATCH -n 1 -c 2 --mem=1G\n#SBATCH hetjob\n#SBATCH -n 3 --mem-per-cpu=2G\n" + body)
                                              .yaml);
    QVERIFY(outcome.canRun());
    QStringList roles;
    for (const TaskRole &role : outcome.spec->taskRoles) {
        roles.append(u"%1*%2 %3 %4: %5"_s.arg(role.name)
                         .arg(role.instances)
                         .arg(role.resources.cpu)
                         .arg(role.resources.memoryMiB)
                         .arg(all(role).section(u'\n', -1)));
    }
    QTEST(roles, "roles");
}

// A step with fewer tasks than another is not run by the others, wherever it stands.
void TstBatchImport::runsFewerTasks()
{
    const auto run = [](int index, const QByteArray &body) {
        const ParseOutcome outcome = parseJob(importBatchScript("#!/bin/bash\n#SBATCH -n 3\n" + body).yaml);
        return runInTask(index, all(outcome.spec->taskRoles.constFirst()));
    };
    const QByteArray steps = "srun -n 1 cat <<EOF\na\nEOF\nsrun -n2 echo b || echo c\nsrun echo d\n";
    QCOMPARE(run(0, steps), "a\nb\nd\n");
    QCOMPARE(run(1, steps), "b\nd\n");
    QCOMPARE(run(2, steps), "d\n");
    const QByteArray loop = "for i in 1 2; do srun --ntasks 2 echo $i; done\nx=$(srun -n2 echo e)\necho $x\n";
    QCOMPARE(run(0, loop), "1\n2\ne\n");
    QCOMPARE(run(2, loop), "e\n");
}

// Programs learn of each other by variables that the script need not name, and by those of a step with fewer tasks.
void TstBatchImport::setsRanks()
{
    const auto job = [](const QByteArray &body) {
        return parseJob(importBatchScript("#!/bin/bash\n#SBATCH -n 3 -c 2 --job-name=x\n" + body).yaml);
    };
    // Not named as they are: the script's own text has none of them.
    const QByteArray said = "bash -c 'p=SLURM; for n in PROCID LOCALID NODEID NTASKS NNODES STEP_NUM_NODES "
                            "NTASKS_PER_NODE CPUS_PER_TASK; do v=${p}_$n; echo -n \"${!v-none} \"; done'\n";
    const ParseOutcome plain = job("srun " + said);
    QVERIFY(plain.canRun());
    QCOMPARE(runInTask(2, all(plain.spec->taskRoles.constFirst())), "2 0 2 3 3 3 1 2 ");
    QVERIFY(all(plain.spec->taskRoles.constFirst()).contains(u"SLURM_JOB_ID="_s));
    const ParseOutcome kept = job("if true; then srun " + said.chopped(1) + "; fi\n");
    QCOMPARE(runInTask(1, all(kept.spec->taskRoles.constFirst())), "1 0 1 3 3 3 1 2 ");
    const QByteArray some = "bash -c 'p=SLURM; for n in NTASKS NNODES STEP_NUM_TASKS; do v=${p}_$n; "
                            "echo -n \"${!v-none} \"; done'";
    QCOMPARE(runInTask(1, all(job("srun -n 2 " + some + "\nsrun " + some + '\n').spec->taskRoles.constFirst())),
        "2 2 2 3 3 3 ");
    const QByteArray inLoop = "for i in 1; do srun -n 2 " + some + "; srun " + some + "; done\n";
    QCOMPARE(runInTask(1, all(job(inLoop).spec->taskRoles.constFirst())), "2 2 2 3 3 3 ");
    // mpirun would take them for an allocation.
    QVERIFY(!all(job("srun mpirun ./a\n").spec->taskRoles.constFirst()).contains(u"SLURM_"_s));
}

void TstBatchImport::valuesOfSlurmStay_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("there"); // on Slurm, where a task is a step of its own
    QTest::addColumn<QByteArray>("elsewhere");
    const QByteArray named = "echo $SLURM_JOB_ID $SLURM_ARRAY_JOB_ID $SLURMD_NODENAME $SLURM_PROCID $SLURM_NTASKS "
                             "$SLURM_JOB_PARTITION\n";
    const QByteArray number = "2619351730"; // of the job, by cksum
    QTest::newRow("one task") << "#SBATCH -n 1\n" + named << QByteArray("77 70 n3 0 1 gpu\n")
                              << number + ' ' + number + " 10.0.0.1 0 1\n";
    QTest::newRow("ranks") << QByteArray("#SBATCH -n 3\nsrun bash -c 'echo $SLURM_JOB_ID $SLURM_JOBID $SLURM_PROCID "
                                         "$SLURM_NTASKS'\n")
                           << QByteArray("77 77 1 3\n") << number + ' ' + number + " 1 3\n";
    QTest::newRow("an array") << QByteArray("#SBATCH -a 5-9:2\necho $SLURM_ARRAY_TASK_ID $SLURM_JOB_ID\n")
                              << QByteArray("7 77\n") << "7 " + number + '\n';
}

void TstBatchImport::valuesOfSlurmStay()
{
    QFETCH(QByteArray, script);
    const ParseOutcome outcome = parseJob(importBatchScript("#!/bin/bash\n" + script).yaml);
    QVERIFY(outcome.canRun());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    const int task = role.instances > 1 ? 1 : 0;
    const QString own = u"export TRAINYARD_JOB_ID=42 PAI_CONTAINER_HOST_IP=10.0.0.1\n"_s;
    const QString ofStep = u"export SLURM_JOB_ID=77 SLURM_JOBID=77 SLURM_ARRAY_JOB_ID=70 SLURM_ARRAY_TASK_ID=1 "
                           "SLURMD_NODENAME=n3 SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_JOB_PARTITION=gpu\n"_s;
    QTEST(runInTask(task, own + ofStep + all(role)), "there");
    QTEST(runInTask(task, own + all(role)), "elsewhere");
}

void TstBatchImport::sharesOutOneTask()
{
    const QByteArray script = "#!/bin/bash\n#SBATCH -n 4 -c 2 --mem-per-cpu=1G --gres=gpu:a100:4\n"
                              "for i in 1 2; do\n  srun -n1 --exact echo $i of $SLURM_NTASKS &\n  wait\ndone\n";
    const ParseOutcome outcome = parseJob(importBatchScript(script).yaml);
    QVERIFY(outcome.canRun());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    const QList<qint64> has{role.instances, role.resources.cpu, role.resources.memoryMiB, role.resources.gpu};
    QCOMPARE(has, (QList<qint64>{1, 8, 8192, 4}));
    QCOMPARE(runInTask(0, all(role)), "1 of 4\n2 of 4\n");
    QCOMPARE(gpuTypeOf(*outcome.spec, role.name), u"a100"_s);
}

void TstBatchImport::exportsForAll()
{
    const JobImport import
        = importBatchScript("#!/bin/bash\n#SBATCH --mem=1G --export=ALL,A=b\n#SBATCH --export=NONE\necho $A\n");
    QCOMPARE(codes(import), QStringList{u"batch.ignored"_s});
    QCOMPARE(runInTask(0, all(parseJob(import.yaml).spec->taskRoles.constFirst())), "b\n");
}

void TstBatchImport::standsInForSrun_data()
{
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QByteArray>("output");
    const auto row = [](const char *arguments, const QByteArray &output) {
        QTest::newRow(arguments) << QByteArray(arguments) << output;
    };
    row("--mem 100M --gres gpu:0 --time 10 --output x --label -N1 -n 2 echo a -n b", "a -n b\n");
    row("--mem-per-cpu 1G -lc 2 -lun 2 -K1 -I --wait 3 echo a", "a\n");
    row("--cpu-bind=none --mpi none -- echo a", "a\n");
    row("--export=ALL,A=1,B='x y' bash -c 'echo $A$B'", "1x y\n");
    row("--export NONE,A=$((1 + 1)) bash -c 'echo $A'", "2\n");
    row("-n1 echo a", "");
    row("--ntasks=01 echo a", "");
    row("-n", "");
    row("--chdir / pwd", "/\n");
    row("-D/ --export=ALL,A=1 bash -c 'pwd; echo $A'", "/\n1\n");
}

void TstBatchImport::standsInForSrun()
{
    QFETCH(QByteArray, arguments);
    const QByteArray script = "#!/bin/bash\n#SBATCH -n 2\nset -eu\nif true; then srun " + arguments + "; fi\n";
    const ParseOutcome outcome = parseJob(importBatchScript(script).yaml);
    QVERIFY(outcome.canRun());
    QTEST(runInTask(1, all(outcome.spec->taskRoles.constFirst())), "output");
}

// Each option with a value is known to the function, too.
void TstBatchImport::passesValuesOver()
{
    const QTemporaryDir folder;
    QVERIFY(folder.isValid() && QDir(folder.path()).mkdir(u"2"_s)); // for --chdir
    QByteArray script = "#!/bin/bash\n#SBATCH -n 2\ncd " + folder.path().toUtf8() + "\nif true; then\n", output;
    for (const QByteArray &option : batch::srunOptionsWithValue()) {
        script += "srun " + option + " 2 echo " + option.sliced(1) + '\n';
        output += option.sliced(1) + '\n';
    }
    const ParseOutcome outcome = parseJob(importBatchScript(script + "fi\n").yaml);
    QVERIFY(outcome.canRun() && output.count('\n') > 100);
    QCOMPARE(runInTask(1, all(outcome.spec->taskRoles.constFirst())), output);
}

// Without srun, the tasks of a script are those that it starts itself: their number, and the cores of all of them.
void TstBatchImport::tasksInOne_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<qint64>("cpus");
    QTest::newRow("on a node") << QByteArray("-n 4") << QByteArray("4 4 1 4\n") << qint64(4);
    QTest::newRow("of several cores") << QByteArray("-n 4 -c 2") << QByteArray("4 4 1 4\n") << qint64(8);
    QTest::newRow("on two nodes") << QByteArray("-N 2 --ntasks-per-node=4") << QByteArray("8 8 1 8\n") << qint64(4);
    QTest::newRow("one") << QByteArray("-c 4") << QByteArray("1 1 1 1\n") << qint64(4);
    QTest::newRow("of an array") << QByteArray("-n 3 -a 0-1") << QByteArray("3 3 1 3\n") << qint64(3);
}

void TstBatchImport::tasksInOne()
{
    QFETCH(QByteArray, options);
    const ParseOutcome outcome = parseJob(importBatchScript(
        "#!/bin/bash\n#SBATCH " + options + "\necho $SLURM_NTASKS $SLURM_NPROCS $SLURM_NNODES $SLURM_NTASKS_PER_NODE\n")
                                              .yaml);
    QVERIFY(outcome.canRun());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    QTEST(runInTask(0, all(role)), "said");
    QTEST(role.resources.cpu, "cpus");
}

// The limit of a job is for all tasks: no element that keeps its own limit is stopped by it.
void TstBatchImport::arrayTime()
{
    const auto limit = [](const QByteArray &options) {
        const ParseOutcome outcome = parseJob(importBatchScript("#!/bin/bash\n#SBATCH " + options + "\n./a\n").yaml);
        return outcome.spec->trainyard.timeLimitSeconds.value_or(0);
    };
    QCOMPARE(limit("--array=0-5 --time=0:05"), 30);
    QCOMPARE(limit("--time=0:05 --array=7"), 5);
    QCOMPARE(limit("--array=0-5"), 0);
}

// No element stops another one, and a job of which all have failed has not succeeded.
void TstBatchImport::anArrayFailsWithAllOfItsElements()
{
    const auto limits = [](const QByteArray &options) {
        const ParseOutcome outcome = parseJob(importBatchScript("#!/bin/bash\n#SBATCH " + options + "\n./a\n").yaml);
        const TaskRole &role = outcome.spec->taskRoles.constFirst();
        return std::array{role.instances, role.effectiveMinFailed(), role.completion.minSucceededInstances.value_or(0)};
    };
    QCOMPARE(limits("--array=0-5"), (std::array<qint64, 3>{6, 6, -1}));
    QCOMPARE(limits("--array=7"), (std::array<qint64, 3>{1, 1, -1}));
}

TRAINYARD_TEST(TstBatchImport)
#include "tst_batchimport.moc"
