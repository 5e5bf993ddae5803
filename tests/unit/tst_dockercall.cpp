// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchimport.h"
#include "model/import/dockercall.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Scripts that start their program by docker or podman, as jobs that run in the image.
class TstDockerCall : public QObject
{
    Q_OBJECT

    static QStringList codesOf(const JobImport &import)
    {
        QStringList codes;
        for (const Diagnostic &diagnostic : import.report) {
            codes.append(diagnostic.code);
        }
        return codes;
    }
    static JobImport imported(const QByteArray &body) { return importBatchScript("#!/bin/bash\n" + body, u"train"_s); }

private Q_SLOTS:
    void becomesTheJob();
    void options_data();
    void options();
    void resources_data();
    void resources();
    void staysAsItIs_data();
    void staysAsItIs();
    void saysWhatIsLeftOut_data();
    void saysWhatIsLeftOut();
    void imageOfLiteral_data();
    void imageOfLiteral();
    void saysNothing_data();
    void saysNothing();
    void ofSlurm();
};

void TstDockerCall::becomesTheJob()
{
    const JobImport import = imported("docker run --rm -it --gpus all --shm-size=1g -e FOO=bar -v /data:/data \\\n"
                                      "  -w /opt/x pytorch/pytorch:2.3 python train.py --lr \"$LR\" | tee log\n");
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY2(outcome.canRun(), import.yaml.constData());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    QCOMPARE(role.resources.gpu, 1);
    QCOMPARE(role.shmMiB, std::optional<qint64>(1024));
    QVERIFY(!role.dockerImage.isEmpty());
    QCOMPARE(outcome.spec->prerequisites.constFirst().uri, QStringList{u"pytorch/pytorch:2.3"_s});
    QCOMPARE(outcome.spec->trainyard.runIn, u"docker"_s);
    QCOMPARE(role.commands.constLast(), u"export FOO=bar\ncd /opt/x\npython train.py --lr \"$LR\" | tee log"_s);
    const QStringList codes = codesOf(import);
    for (const char *code : {"batch.docker", "batch.docker-all-gpus", "batch.container-mounts"}) {
        QVERIFY2(codes.contains(QLatin1StringView(code)), qPrintable(codes.join(u' ')));
    }
    QVERIFY(!codes.contains(u"batch.docker-around"_s) && !codes.contains(u"batch.image"_s));
}

void TstDockerCall::options_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QString>("image");
    QTest::addColumn<QByteArray>("inside");
    QTest::addColumn<QString>("leftOut");
    const auto row
        = [](const char *name, const char *command, const char *image, const char *inside, const char *leftOut = "") {
              QTest::newRow(name) << QByteArray(command) << QString::fromLatin1(image) << QByteArray(inside)
                                  << QString::fromLatin1(leftOut);
          };
    row("plain", "docker run img ./a", "img", "./a");
    row("podman, sudo", "sudo -E podman container run --rm img ./a -v b", "img", "./a -v b");
    row("letters together", "docker run -itu 1000 img ./a", "img", "./a", "--user 1000");
    row("value in the word", "docker run -p80:80 img ./a", "img", "./a", "--publish 80:80");
    row("value behind an equals sign", "docker run --network=bridge img ./a", "img", "./a", "--network bridge");
    row("network of the host", "docker run --net host img ./a", "img", "./a");
    row("switched off", "docker run --rm=false --privileged=false img ./a", "img", "./a");
    row("a flag", "docker run --privileged img ./a", "img", "./a", "--privileged");
    row("call in a value", "docker run -u \"$(id -u):$(id -g)\" img ./a", "img", "./a", "--user $(id -u):$(id -g)");
    row("call with quotes", "docker run -u $(id -u \"$X\") img ./a", "img", "./a", "--user $(id -u \"$X\")");
    row("entry point", "docker run --entrypoint python img train.py", "img", "python train.py");
    row("entry point with a blank", "docker run --entrypoint '/opt/my prog' img a", "img", "'/opt/my prog' a");
    row("entry point in a variable", "docker run --entrypoint=\"$RUN\" img a", "img", "\"$RUN\" a");
    row("no entry point", "docker run --entrypoint=\"\" img ./a", "img", "./a");
    row("a name that no shell has", "docker run -e my.name=1 img ./a", "img", "./a", "--env my.name=1");
    row("a name in a variable", "docker run -e $NAME=1 img ./a", "img", "./a");
    row("end of options", "docker run --rm -- img ./a", "img", "./a");
    row("continued", "docker run \\\n --rm \\\n img \\\n ./a", "img", "./a");
    row("several commands", "docker run img ./a && ./b", "img", "./a && ./b");
    row("none", "docker build .", "", "");
    row("detached", "docker run -d img ./a", "", "");
    row("background", "docker run img ./a &", "", "");
    row("no command", "docker run img", "", "");
    row("only a redirection", "docker run img > log", "", "");
    row("only a redirection of a descriptor", "docker run img 2>&1 | tee log", "", "");
    row("only one to a descriptor", "docker run img 0<data", "", "");
    row("a number and a redirection", "docker run img ./a 2 2>log", "img", "./a 2 2>log");
    row("options of the entry point", "docker run img --model a/b", "", "");
    row("option of the entry point of the call", "docker run --entrypoint vllm img --model a", "img", "vllm --model a");
    row("backslashes in quotes", "docker run -u \"\\\"a\\\"\\\\\\$\\`\\n\" img ./a", "img", "./a",
        "--user \"a\"\\$`\\n");
    row("backslashes in the command", "docker run img ./a \"\\$b\"", "img", "./a \"\\$b\"");
    row("letter and equals sign", "docker run -u=a=b img ./a", "img", "./a", "--user a=b");
    row("unknown option", "docker run --colour red img ./a", "", "");
    row("no value", "docker run --name", "", "");
    row("nothing", "docker run", "", "");
    row("empty image", "docker run '' ./a", "", "");
    row("open quotes", "docker run -e \"A=b img ./a", "", "");
    row("open call", "docker run $(", "", "");
}

void TstDockerCall::options()
{
    QFETCH(QByteArray, command);
    QFETCH(QString, image);
    const std::optional<batch::DockerCall> call = batch::dockerCallOf(command);
    QCOMPARE(call.has_value(), !image.isEmpty());
    if (call) {
        QCOMPARE(call->image, image);
        QTEST(call->command, "inside");
        QTEST(call->leftOut.join(u'|'), "leftOut");
    }
}

void TstDockerCall::resources_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<int>("gpu");
    QTest::addColumn<int>("cpu");
    QTest::addColumn<int>("memory");
    QTest::addColumn<int>("shared"); // 0: not said
    QTest::newRow("nothing") << QByteArray() << 0 << 1 << 4096 << 0;
    QTest::newRow("a number of GPUs") << QByteArray("--gpus 2") << 2 << 1 << 4096 << 0;
    QTest::newRow("GPUs by number") << QByteArray("--gpus '\"device=0,2\"'") << 2 << 1 << 4096 << 0;
    QTest::newRow("of podman") << QByteArray("--device nvidia.com/gpu=0 --device nvidia.com/gpu=1") << 2 << 1 << 4096
                               << 0;
    QTest::newRow("GPUs with escaped quotes") << QByteArray("--gpus \"\\\"device=0,1\\\"\"") << 2 << 1 << 4096 << 0;
    QTest::newRow("GPUs and capabilities")
        << QByteArray("--gpus '\"device=0,1\",capabilities=compute'") << 2 << 1 << 4096 << 0;
    QTest::newRow("capabilities before GPUs")
        << QByteArray("--gpus '\"capabilities=compute,utility\",\"device=0,1\",driver=nvidia'") << 2 << 1 << 4096 << 0;
    QTest::newRow("a count of GPUs") << QByteArray("--gpus count=3,driver=nvidia") << 3 << 1 << 4096 << 0;
    QTest::newRow("no GPUs") << QByteArray("--gpus 0") << 0 << 1 << 4096 << 0;
    QTest::newRow("runtime") << QByteArray("--runtime=nvidia") << 1 << 1 << 4096 << 0;
    QTest::newRow("cores and memory") << QByteArray("--cpus=3.5 -m 16g") << 0 << 4 << 16384 << 0;
    QTest::newRow("bytes") << QByteArray("--memory 1073741824 --shm-size 67108864") << 0 << 1 << 1024 << 64;
    QTest::newRow("memory behind an equals sign") << QByteArray("-m=8g") << 0 << 1 << 8192 << 0;
    QTest::newRow("a part of a unit") << QByteArray("-m 1.5g --shm-size '64 MiB'") << 0 << 1 << 1536 << 64;
    QTest::newRow("binary unit") << QByteArray("--shm-size 64gib -m 96GB") << 0 << 1 << 98304 << 65536;
    QTest::newRow("much shared memory") << QByteArray("--shm-size=8gb") << 0 << 1 << 12288 << 8192;
}

void TstDockerCall::resources()
{
    QFETCH(QByteArray, options);
    const ParseOutcome outcome = parseJob(imported("docker run " + options + " img ./a\n").yaml);
    QVERIFY(outcome.canRun());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    QTEST(int(role.resources.gpu), "gpu");
    QTEST(int(role.resources.cpu), "cpu");
    QTEST(int(role.resources.memoryMiB), "memory");
    QTEST(int(role.shmMiB.value_or(0)), "shared");
}

void TstDockerCall::staysAsItIs_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("code");
    const QString kept = u"batch.docker-kept"_s;
    QTest::newRow("two") << QByteArray("docker run a ./x\ndocker run b ./y\n") << kept;
    QTest::newRow("two in a line") << QByteArray("docker run a ./x && docker run --gpus 1 b ./y\n") << kept;
    QTest::newRow("two behind a semicolon") << QByteArray("docker run a ./x; podman run b ./y\n") << kept;
    QTest::newRow("two, continued") << QByteArray("docker run a ./x && \\\n  docker run b ./y\n") << kept;
    QTest::newRow("only a redirection") << QByteArray("docker run --rm --gpus all img:1 2>&1 | tee log.txt\n") << kept;
    QTest::newRow("options of the entry point")
        << QByteArray("docker run --gpus all vllm/vllm-openai:v1 --model a/b\n") << kept;
    QTest::newRow("in a loop") << QByteArray("for i in 1 2; do\n  docker run a ./x $i\ndone\n") << kept;
    QTest::newRow("in a condition") << QByteArray("test -e x && docker run a ./x\n") << kept;
    QTest::newRow("in the background") << QByteArray("docker run a ./x &\nwait\n") << kept;
    QTest::newRow("detached") << QByteArray("docker run -d a ./x\n") << kept;
    QTest::newRow("no command") << QByteArray("docker run --gpus all a\n") << kept;
    QTest::newRow("unknown option") << QByteArray("docker run --colour red a ./x\n") << u"batch.docker-unknown"_s;
}

void TstDockerCall::staysAsItIs()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, code);
    const JobImport import = imported(body);
    QCOMPARE(codesOf(import).count(code), 1);
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY(outcome.spec);
    QVERIFY(outcome.spec->trainyard.runIn.isEmpty());
    QVERIFY(outcome.spec->taskRoles.constFirst().commands.constLast().contains(u"docker run"_s));
}

void TstDockerCall::saysWhatIsLeftOut_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("commands");
    QTest::newRow("another network") << QByteArray("docker run --network lab a ./x\n") << u"batch.docker-option"_s
                                     << u"./x"_s;
    QTest::newRow("memory of the host") << QByteArray("docker run --ipc=host a ./x\n") << u"batch.docker-ipc"_s
                                        << u"./x"_s;
    QTest::newRow("a variable of the shell")
        << QByteArray("docker run -e WANDB_API_KEY a ./x\n") << u"batch.docker-variable"_s << u"./x"_s;
    QTest::newRow("exported, but not set")
        << QByteArray("export LR\ndocker run -e LR a ./x\n") << u"batch.docker-variable"_s << u"export LR\n./x"_s;
    QTest::newRow("set, but not exported")
        << QByteArray("LR=1\ndocker run -e LR a ./x\n") << u"batch.docker-variable"_s << u"LR=1\n./x"_s;
    QTest::newRow("another one is set") << QByteArray("export MY_LR=1\ndocker run -e LR a ./x\n")
                                        << u"batch.docker-variable"_s << u"export MY_LR=1\n./x"_s;
    QTest::newRow("work folder") << QByteArray("docker run -v \"$PWD\":/workspace -w /workspace a ./x\n")
                                 << u"batch.docker-work"_s << u"./x"_s;
    QTest::newRow("below the work folder") << QByteArray("docker run -v $(pwd):/workspace:rw -w /workspace/src a ./x\n")
                                           << u"batch.docker-work"_s << u"cd src\n./x"_s;
    QTest::newRow("GPUs by number") << QByteArray("docker run --gpus device=1 a ./x\n") << u"batch.docker-gpus"_s
                                    << u"./x"_s;
    QTest::newRow("memory that is no number")
        << QByteArray("docker run -m lots a ./x\n") << u"batch.bad-value"_s << u"./x"_s;
    QTest::newRow("a secret") << QByteArray("docker run -e API_TOKEN=abcdef123456 a ./x\n") << u"batch.secret"_s
                              << u"export API_TOKEN=abcdef123456\n./x"_s;
    QTest::newRow("others around") << QByteArray("docker pull a\ndocker run a ./x\n") << u"batch.docker-around"_s
                                   << u"docker pull a\n./x"_s;
    QTest::newRow("another in the line") << QByteArray("docker run a ./x; docker stop y\n") << u"batch.docker-around"_s
                                         << u"./x; docker stop y"_s;
    QTest::newRow("memory that is too much")
        << QByteArray("docker run -m 999999999999999t a ./x\n") << u"batch.bad-value"_s << u"./x"_s;
    QTest::newRow("image from outside") << QByteArray("IMAGE=$1\ndocker run $IMAGE ./x\n") << u"batch.image-file"_s
                                        << u"IMAGE=$1\n./x"_s;
    QTest::newRow("image that changes") << QByteArray("IMAGE=a\nIMAGE=b\ndocker run $IMAGE ./x\n")
                                        << u"batch.image-file"_s << u"IMAGE=a\nIMAGE=b\n./x"_s;
    QTest::newRow("image that another file may change") << QByteArray("IMAGE=a\n. ./own.sh\ndocker run $IMAGE ./x\n")
                                                        << u"batch.image-file"_s << u"IMAGE=a\n. ./own.sh\n./x"_s;
    QTest::newRow("a variable of the shell, by its value")
        << QByteArray("docker run -e HF_TOKEN=$HF_TOKEN a ./x\n") << u"batch.docker-variable"_s << u"./x"_s;
    QTest::newRow("the same in quotes") << QByteArray("docker run -e HF_TOKEN=\"${HF_TOKEN}\" a ./x\n")
                                        << u"batch.docker-variable"_s << u"./x"_s;
}

void TstDockerCall::saysWhatIsLeftOut()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, code);
    const JobImport import = imported(body);
    QVERIFY2(codesOf(import).contains(code), qPrintable(codesOf(import).join(u' ')));
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY(outcome.canRun());
    QTEST(outcome.spec->taskRoles.constFirst().commands.constLast(), "commands");
}

void TstDockerCall::imageOfLiteral_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("image");
    QTest::newRow("plain") << QByteArray("IMG=python:3.11\ndocker run $IMG ./x\n") << u"python:3.11"_s;
    QTest::newRow("quoted") << QByteArray("IMG=\"nvcr.io/a/b:24.01\" # the one\ndocker run \"${IMG}\" ./x\n")
                            << u"nvcr.io/a/b:24.01"_s;
    QTest::newRow("exported") << QByteArray("export IMG='a';\ndocker run $IMG ./x\n") << u"a"_s;
    QTest::newRow("behind another file") << QByteArray("source own.sh\nIMG=a\ndocker run $IMG ./x\n") << u"a"_s;
    QTest::newRow("parts") << QByteArray("REPO=lab/a\nTAG=2\ndocker run $REPO:${TAG} ./x\n") << u"lab/a:2"_s;
    QTest::newRow("named again as a value") << QByteArray("IMG=a\necho $IMG ${IMG}\ndocker run $IMG ./x\n") << u"a"_s;
}

// An image that the script itself says is the image of the job.
void TstDockerCall::imageOfLiteral()
{
    QFETCH(QByteArray, body);
    const JobImport import = imported(body);
    QVERIFY2(codesOf(import).contains(u"batch.docker"_s), qPrintable(codesOf(import).join(u' ')));
    const ParseOutcome outcome = parseJob(import.yaml);
    QVERIFY2(outcome.canRun(), import.yaml.constData());
    QCOMPARE(outcome.spec->prerequisites.size(), 1);
    QTEST(outcome.spec->prerequisites.constFirst().uri.join(u' '), "image");
}

void TstDockerCall::saysNothing_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("commands");
    QTest::newRow("work folder at its path") << QByteArray("docker run -v $PWD:$PWD -w $PWD a ./x\n") << u"./x"_s;
    QTest::newRow("by a call") << QByteArray("docker run -v \"$(pwd):$(pwd):rw\" -w ${PWD}/src a ./x\n")
                               << u"cd src\n./x"_s;
    QTest::newRow("a variable that the script sets")
        << QByteArray("LR=1\ndocker run -e LR=$LR a ./x\n") << u"LR=1\nexport LR=$LR\n./x"_s;
    QTest::newRow("set, then exported") << QByteArray("LR=0.3\nexport LR\ndocker run -e LR a ./x\n")
                                        << u"LR=0.3\nexport LR\n./x"_s;
    QTest::newRow("exported with its value")
        << QByteArray("export N=2 LR=0.3\ndocker run -e LR a ./x\n") << u"export N=2 LR=0.3\n./x"_s;
}

void TstDockerCall::saysNothing()
{
    QFETCH(QByteArray, body);
    const JobImport import = imported(body);
    QCOMPARE(codesOf(import).join(u' '), u"batch.no-memory batch.docker"_s);
    QTEST(parseJob(import.yaml).spec->taskRoles.constFirst().commands.constLast(), "commands");
}

// What the head of a batch script says counts more.
void TstDockerCall::ofSlurm()
{
    const ParseOutcome outcome
        = parseJob(imported("#SBATCH -c 8 --mem=32G --gres=gpu:4\ndocker run --gpus 1 --cpus 2 -m 1g a ./x\n").yaml);
    QVERIFY(outcome.canRun());
    const TaskRole &role = outcome.spec->taskRoles.constFirst();
    QCOMPARE(role.resources.gpu, 4);
    QCOMPARE(role.resources.cpu, 8);
    QCOMPARE(role.resources.memoryMiB, 32768);
    QVERIFY(!role.dockerImage.isEmpty());
}

TRAINYARD_TEST(TstDockerCall)
#include "tst_dockercall.moc"
