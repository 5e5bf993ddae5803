// SPDX-License-Identifier: GPL-3.0-or-later
// The command lines of container programs, word for word.
#include "engine/contract/container.h"
#include "engine/contract/containersaid.h"
#include "engine/contract/taskfolder.h"
#include "engine/launch/container.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::launch;
using namespace Qt::StringLiterals;

namespace
{

ContainerInput taskOf(const QString &runtime)
{
    ContainerInput input;
    input.runtime = runtime;
    input.image = u"pytorch/pytorch:2.1"_s;
    input.tryUuid = QUuid(u"{01234567-89ab-cdef-0123-456789abcdef}"_s);
    input.taskFolder = u"/s/runs/j/0/w-0/0"_s;
    input.workDir = u"/home/ada/my job"_s;
    input.checkpointFolder = u"/s/runs/j/checkpoint"_s;
    input.imageFolder = u"/home/ada/.cache/trainyard/images"_s;
    input.cpu = 4;
    input.memoryMiB = 2048;
    input.uid = 1000;
    input.gid = 100;
    return input;
}

// Words, with our own first process left out.
QString words(const QStringList &run)
{
    QStringList shown;
    for (const QString &word : run) {
        shown.append(word.contains(u'\n') ? u"BOOT"_s : word);
    }
    return shown.join(u'|');
}

QString words(const contract::CommandLine &line)
{
    QStringList shown;
    for (const std::string &word : line) {
        shown.append(QString::fromStdString(word));
    }
    return shown.join(u'|');
}

QString valueOf(const ContainerPlan &plan, const QString &name)
{
    for (const auto &[known, value] : plan.environment) {
        if (known == name) {
            return value;
        }
    }
    return {};
}

const QString mounts = u"--mount|type=bind,source=/home/ada/my job,target=/home/ada/my job|"
                       "--mount|type=bind,source=/s/runs/j/checkpoint,target=/s/runs/j/checkpoint|"
                       "--mount|type=bind,source=/s/runs/j/0/w-0/0/inside,target=/s/runs/j/0/w-0/0/inside|"_s;
const QString pipesMount = u"--mount|type=bind,source=/s/runs/j/0/w-0/0/pipes,target=/s/runs/j/0/w-0/0/pipes|"_s;
const QString containerName = u"trainyard-01234567-89ab-cdef-0123-456789abcdef"_s;

} // namespace

class TstContainerLines : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void podman();
    void docker();
    void apptainer();
    void gpus_data();
    void gpus();
    void images_data();
    void images();
    void mountsOfTheSettings_data();
    void mountsOfTheSettings();
    void oddFolders();
    void onlyWhatIsSaid();
    void nothingOfTheTaskIsInTheLine();
    void theOtherLines_data();
    void theOtherLines();
    void logins();
    void answers();
    void problems_data();
    void problems();
    void doesWithout();
    void contexts();
    void input();
    void record();
};
TRAINYARD_TEST(TstContainerLines)

void TstContainerLines::podman()
{
    const ContainerPlan plan = planContainer(taskOf(u"podman"_s), {});
    QCOMPARE(words(plan.run),
        QString(u"podman|run|-d|--name|"_s + containerName
            + u"|--init|--log-driver|none|--pull|never|--network|host|--stop-signal|SIGTERM|--pid|private|--pids-limit|"
              u"-1|"
              "--security-opt|label=disable|--user|0:0|--memory|2048m|--memory-swap|2048m|--cpu-shares|4096|"_s
            + mounts + pipesMount
            + u"--workdir|/home/ada/my job|--entrypoint|bash|--|pytorch/pytorch:2.1|-c|BOOT|bash|/s/runs/j/0/w-0/0/pipes"_s));
    QCOMPARE(plan.name, containerName);
    QCOMPARE(plan.image, u"pytorch/pytorch:2.1"_s);
    QCOMPARE(plan.pullImage, u"docker.io/pytorch/pytorch:2.1"_s);
    QVERIFY(plan.file.isEmpty());
}

void TstContainerLines::docker()
{
    ContainerInput input = taskOf(u"docker"_s);
    input.shmMiB = 512;
    input.infiniband = true;
    input.groups = {27, 4001};
    const ContainerPlan plan = planContainer(input, {{u"A"_s, u"1"_s}});
    QCOMPARE(words(plan.run),
        QString(u"docker|run|-d|--name|"_s + containerName
            + u"|--init|--log-driver|none|--pull|never|--network|host|--stop-signal|SIGTERM|--user|1000:100|"
              u"--group-add|27|--group-add|4001|--shm-size|512m|"
              "--memory|2048m|--memory-swap|2048m|--cpu-shares|4096|--device|/dev/infiniband|--ulimit|memlock=-1:-1|"_s
            + mounts + pipesMount
            + u"--workdir|/home/ada/my job|--entrypoint|bash|--|pytorch/pytorch:2.1|-c|BOOT|bash|/s/runs/j/0/w-0/0/pipes"_s));
    QCOMPARE(plan.pullImage, u"pytorch/pytorch:2.1"_s);
    QCOMPARE(plan.environment, (Variables{{u"A"_s, u"1"_s}, {u"HOME"_s, u"/tmp"_s}}));
    input.dockerAsRoot = true;
    const ContainerPlan asRoot = planContainer(input, {});
    QVERIFY(!asRoot.run.contains(u"--user"_s) && !asRoot.run.contains(u"--group-add"_s));
    QVERIFY(asRoot.environment.isEmpty());
}

void TstContainerLines::apptainer()
{
    ContainerInput input = taskOf(u"apptainer"_s);
    input.mounts = {{u"/data"_s, u"/data"_s, true}};
    const ContainerPlan plan = planContainer(input, {});
    const QString file = u"/home/ada/.cache/trainyard/images/pytorch%2Fpytorch%3A2.1.sif"_s;
    QCOMPARE(words(plan.run),
        QString(u"apptainer|exec|--cleanenv|--no-home|--mount|type=bind,source=/data,destination=/data,ro|"_s
            + QString(mounts).replace(u"target="_s, u"destination="_s) + u"--pwd|/home/ada/my job|--|"_s + file
            + u"|bash|-c|BOOT|bash"_s));
    QCOMPARE(plan.file, file);
    QCOMPARE(plan.pullImage, u"docker://pytorch/pytorch:2.1"_s);
    QVERIFY(plan.name.isEmpty());
    // Its first process lives among everybody else's: it may not signal all that it can see.
    QVERIFY(!plan.run.join(u'\n').contains(u"kill"_s));
}

void TstContainerLines::gpus_data()
{
    QTest::addColumn<QString>("runtime");
    QTest::addColumn<bool>("amd");
    QTest::addColumn<QList<int>>("given");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("visible");
    const QList<int> two{1, 3};
    QTest::newRow("podman") << u"podman"_s << false << two
                            << u"--device|nvidia.com/gpu=1|--device|nvidia.com/gpu=3|--mount"_s << u"0,1"_s;
    QTest::newRow("docker") << u"docker"_s << false << two << u"--gpus|\"device=1,3\"|--mount"_s << u"0,1"_s;
    QTest::newRow("apptainer") << u"apptainer"_s << false << two << u"--no-home|--nv|--mount"_s << u"1,3"_s;
    QTest::newRow("podman, AMD")
        << u"podman"_s << true << two
        << u"--device|/dev/kfd|--device|/dev/dri|--security-opt|seccomp=unconfined|--group-add|"
           "keep-groups|--mount"_s
        << u"1,3"_s;
    QTest::newRow("docker, AMD")
        << u"docker"_s << true << two
        << u"--device|/dev/kfd|--device|/dev/dri|--security-opt|seccomp=unconfined|--group-add|"
           "video|--mount"_s
        << u"1,3"_s;
    QTest::newRow("apptainer, AMD") << u"apptainer"_s << true << two << u"--no-home|--rocm|--mount"_s << u"1,3"_s;
    QTest::newRow("none") << u"podman"_s << false << QList<int>() << u"--cpu-shares|4096|--mount"_s << u""_s;
    QTest::newRow("none, apptainer") << u"apptainer"_s << false << QList<int>() << u"--no-home|--mount"_s << u""_s;
}

void TstContainerLines::gpus()
{
    QFETCH(QString, runtime);
    QFETCH(bool, amd);
    QFETCH(QList<int>, given);
    QFETCH(QString, wanted);
    QFETCH(QString, visible);
    ContainerInput input = taskOf(runtime);
    input.amd = amd;
    input.gpus = given;
    QStringList outside;
    for (const int gpu : given) {
        outside.append(QString::number(gpu));
    }
    const ContainerPlan plan = planContainer(input, {{u"CUDA_VISIBLE_DEVICES"_s, outside.join(u',')}});
    QVERIFY2(words(plan.run).contains(wanted), qPrintable(words(plan.run)));
    QCOMPARE(valueOf(plan, u"CUDA_VISIBLE_DEVICES"_s), visible);
    // Names of another kind mean the same everywhere.
    QCOMPARE(valueOf(planContainer(input, {{u"CUDA_VISIBLE_DEVICES"_s, u"GPU-1,GPU-3"_s}}), u"CUDA_VISIBLE_DEVICES"_s),
        u"GPU-1,GPU-3"_s);
}

void TstContainerLines::images_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("podman");
    QTest::addColumn<QString>("apptainer");
    QTest::newRow("hub") << u"ubuntu:22.04"_s << u"docker.io/library/ubuntu:22.04"_s << u"docker://ubuntu:22.04"_s;
    QTest::newRow("hub, with a user") << u"ada/train"_s << u"docker.io/ada/train"_s << u"docker://ada/train"_s;
    QTest::newRow("registry") << u"reg.lab.org/a/b@sha256:12"_s << u"reg.lab.org/a/b@sha256:12"_s
                              << u"docker://reg.lab.org/a/b@sha256:12"_s;
    QTest::newRow("port") << u"reg:5000/a"_s << u"reg:5000/a"_s << u"docker://reg:5000/a"_s;
    QTest::newRow("localhost") << u"localhost/a:1"_s << u"localhost/a:1"_s << u"docker://localhost/a:1"_s;
    QTest::newRow("scheme") << u"docker://ada/train"_s << u"docker.io/ada/train"_s << u"docker://ada/train"_s;
    QTest::newRow("other scheme") << u"oras://reg.lab.org/a.sif"_s << u"oras://reg.lab.org/a.sif"_s
                                  << u"oras://reg.lab.org/a.sif"_s;
    QTest::newRow("file") << u"/images/a b.sif"_s << u"docker.io//images/a b.sif"_s << u""_s;
}

void TstContainerLines::images()
{
    QFETCH(QString, image);
    QFETCH(QString, podman);
    QFETCH(QString, apptainer);
    ContainerInput input = taskOf(u"podman"_s);
    input.image = image;
    if (QLatin1StringView(QTest::currentDataTag()) != "file"_L1
        && QLatin1StringView(QTest::currentDataTag()) != "other scheme"_L1) {
        QCOMPARE(planContainer(input, {}).pullImage, podman);
    }
    input.runtime = u"apptainer"_s;
    const ContainerPlan plan = planContainer(input, {});
    QCOMPARE(plan.pullImage, apptainer);
    QVERIFY(plan.run.contains(plan.file));
    QCOMPARE(plan.file.count(u'/'), apptainer.isEmpty() ? 2 : 6);
}

void TstContainerLines::mountsOfTheSettings_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("wanted"); // source target ro; empty: refused
    QTest::newRow("folder") << u"/data"_s << u"/data /data rw"_s;
    QTest::newRow("read only") << u" /data:ro "_s << u"/data /data ro"_s;
    QTest::newRow("elsewhere") << u"/data:/mnt/d"_s << u"/data /mnt/d rw"_s;
    QTest::newRow("all") << u"/data:/mnt/d:ro"_s << u"/data /mnt/d ro"_s;
    QTest::newRow("rw") << u"/data:rw"_s << u"/data /data rw"_s;
    QTest::newRow("slashes at the end") << u"/data/:/mnt/d/:ro"_s << u"/data /mnt/d ro"_s;
    QTest::newRow("spelled oddly") << u"/a//b/./c/../d"_s << u"/a/b/d /a/b/d rw"_s;
    for (const char *bad : {"", "data", "/data:mnt", "/a:/b:/c", "/", "/data:/", "/data:/etc", "/usr", ":ro", "/a::ro",
             "//", "/data://", "/data:/usr/", "/data:/mnt/../etc", "/data:/./lib//"}) {
        QTest::newRow(*bad ? bad : "nothing") << QString::fromLatin1(bad) << QString();
    }
}

void TstContainerLines::mountsOfTheSettings()
{
    QFETCH(QString, text);
    QFETCH(QString, wanted);
    const std::optional<ContainerMount> mount = parseMount(text);
    QCOMPARE(
        mount ? mount->source + u' ' + mount->target + (mount->readOnly ? u" ro"_s : u" rw"_s) : QString(), wanted);
}

void TstContainerLines::oddFolders()
{
    ContainerInput input = taskOf(u"docker"_s);
    input.workDir = u"/s/runs/j/0/w-0/0/inside/deep"_s; // below a folder that is there already
    input.mounts = {{u"/a,b"_s, u"/a,b"_s, false}, {u"/q\"q:r"_s, u"/x"_s, true}, {u"/s"_s, u"/s"_s, false}};
    const QString line = words(planContainer(input, {}).run);
    QVERIFY2(!line.contains(u"source=/s/runs/j/0/w-0/0/inside/deep"_s), qPrintable(line));
    QVERIFY2(line.contains(u"|type=bind,\"source=/a,b\",\"target=/a,b\"|"_s), qPrintable(line));
    QVERIFY2(line.contains(u"|type=bind,\"source=/q\"\"q:r\",target=/x,readonly|"_s), qPrintable(line));
    // What lies above comes first, or it would hide what lies below.
    QVERIFY(line.indexOf(u"source=/s,"_s) < line.indexOf(u"source=/s/runs"_s));
    QVERIFY(isSystemFolder(u"/etc"_s) && !isSystemFolder(u"/home"_s) && !isSystemFolder(u"/etc/mine"_s));
}

void TstContainerLines::onlyWhatIsSaid()
{
    ContainerInput input = taskOf(u"podman"_s);
    input.cpu = input.memoryMiB = 0;
    const ContainerPlan plan = planContainer(input, {});
    for (const char *word : {"--memory", "--cpu-shares", "--shm-size", "--device", "--ulimit"}) {
        QVERIFY(!plan.run.contains(QString::fromLatin1(word)));
    }
    input.cpu = 100000;
    QVERIFY(planContainer(input, {}).run.contains(u"262144"_s)); // the most that there is
}

void TstContainerLines::nothingOfTheTaskIsInTheLine()
{
    for (const char *runtime : {"podman", "docker", "apptainer"}) {
        const ContainerPlan plan = planContainer(taskOf(QString::fromLatin1(runtime)), {{u"KEY"_s, u"s3cr3t"_s}});
        for (const QString &word : plan.run) {
            QVERIFY(!word.contains(u"s3cr3t"_s) && word != u"-e"_s && word != u"--env"_s && word != u"--env-file"_s
                && word != u"--rm"_s);
        }
        QVERIFY(containerCommandText(plan).contains(u"'/home/ada/my job'"_s));
        QVERIFY(!containerCommandText(plan).contains(u'\n'));
    }
}

void TstContainerLines::theOtherLines_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("wanted");
    using namespace contract;
    const auto row = [](const char *tag, const CommandLine &line, const QString &wanted) {
        QTest::newRow(tag) << words(line) << wanted;
    };
    const ContainerRecord podman{"podman", "n", "i"}, docker{"docker", "n", "i"};
    const Container podmanImage{"podman", "a:1", "docker.io/library/a:1", "", "n", {}};
    const Container dockerImage{"docker", "a:1", "a:1", "", "n", {}};
    const Container file{"apptainer", "a:1", "docker://a:1", "/c/a.sif", "", {}};
    row("podman wait", waitCommand(podman), u"podman|wait|n"_s);
    row("docker stop", stopCommand(docker, 30), u"docker|stop|-t|30|n"_s);
    row("podman kill", killCommand(podman), u"podman|kill|n"_s);
    row("docker signal", signalCommand(docker, 10), u"docker|kill|--signal|10|n"_s);
    row("podman rm", removeCommand(podman), u"podman|rm|-f|n"_s);
    row("podman exists", imageExistsCommand(podmanImage), u"podman|image|exists|--|a:1"_s);
    row("docker exists", imageExistsCommand(dockerImage), u"docker|image|inspect|--format|{{.Id}}|--|a:1"_s);
    row("podman pull", pullCommand(podmanImage, ""), u"podman|pull|--|docker.io/library/a:1"_s);
    row("podman pull, logged in", pullCommand(podmanImage, "/m"),
        u"podman|pull|--authfile|/m/config.json|--|docker.io/library/a:1"_s);
    row("docker pull", pullCommand(dockerImage, ""), u"docker|pull|--|a:1"_s);
    row("docker pull, logged in", pullCommand(dockerImage, "/m"), u"docker|--config|/m|pull|--|a:1"_s);
    row("docker pull, logged in, in a context", pullCommand(dockerImage, "/m", "rootless"),
        u"docker|--config|/m|--context|rootless|pull|--|a:1"_s);
    row("docker login in a context", loginCommand("docker", "/m", {"r.org", "ada", "pw"}, "rootless"),
        u"docker|--config|/m|--context|rootless|login|--username|ada|--password-stdin|--|r.org"_s);
    row("apptainer pull", pullCommand(file, "/m"),
        u"apptainer|pull|--authfile|/m/config.json|--force|--|/c/a.sif.part|docker://a:1"_s);
    row("podman login", loginCommand("podman", "/m", {"https://reg.lab.org/v2/", "ada", "pw"}),
        u"podman|login|--authfile|/m/config.json|--username|ada|--password-stdin|--|reg.lab.org"_s);
    row("docker login", loginCommand("docker", "/m", {"docker.io", "ada", "pw"}),
        u"docker|--config|/m|login|--username|ada|--password-stdin|--|https://index.docker.io/v1/"_s);
    row("podman login at the hub", loginCommand("podman", "/m", {"https://index.docker.io/v1/", "ada", "pw"}),
        u"podman|login|--authfile|/m/config.json|--username|ada|--password-stdin|--|docker.io"_s);
    row("apptainer login", loginCommand("apptainer", "/m", {"", "ada", "pw"}),
        u"apptainer|registry|login|--authfile|/m/config.json|--username|ada|--password-stdin|--|docker://docker.io"_s);
}

void TstContainerLines::theOtherLines()
{
    QFETCH(QString, line);
    QFETCH(QString, wanted);
    QCOMPARE(line, wanted);
}

void TstContainerLines::logins()
{
    QCOMPARE(contract::authFileText("podman", {"reg.lab.org", "a\"b", "c"}),
        std::string("{\"auths\":{\"reg.lab.org\":{\"auth\":\"YSJiOmM=\"}}}\n"));
    QCOMPARE(contract::authFileText("docker", {"", "ada", "pass"}),
        std::string("{\"auths\":{\"https://index.docker.io/v1/\":{\"auth\":\"YWRhOnBhc3M=\"}}}\n"));
    QCOMPARE(
        contract::authFileText("podman", {"docker.io", "ada", "word"}).find("docker.io") != std::string::npos, true);
}

void TstContainerLines::answers()
{
    using namespace contract;
    const auto status = parseContainerStatus("time=\"x\" level=error msg=\"a warning\"\n"
                                             "125 true exited 0 \"2026-11-20T19:27:24.4Z\" crun: no such\n");
    QVERIFY(status);
    QCOMPARE(*status, (ContainerStatus{125, true, "exited", 0, true, "crun: no such"}));
    const auto created = parseContainerStatus("0 false created 12 \"0001-01-01T00:00:00Z\" ");
    QVERIFY(created && !created->started && created->pid == 12 && created->error.empty());
    QVERIFY(!parseContainerStatus("Error: no such container n"));
    QVERIFY(!parseContainerStatus(""));
    QCOMPARE(parseWaitStatus("137\n"), std::optional<int>(137));
    QCOMPARE(parseWaitStatus("warning: 3\n7\nlater words\n"), std::optional<int>(7));
    QVERIFY(!parseWaitStatus("-1\n") && !parseWaitStatus("7x") && !parseWaitStatus(""));
    QCOMPARE(lastWords("one\n two \n\n"), std::string(" two"));
    QCOMPARE(lastWords(std::string(1000, 'x')).size(), std::size_t(300));
    QCOMPARE(lastWords(""), std::string());
    QCOMPARE(lastWords("docker: It is so.\n\nRun 'docker run --help' for more information\n"),
        std::string("docker: It is so."));
    QCOMPARE(lastWords("docker: It is so.\nSee 'docker run --help'.\n"), std::string("docker: It is so."));
}

void TstContainerLines::problems_data()
{
    using contract::ContainerProblem;
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<int>("wanted");
    const auto row
        = [](const char *said, ContainerProblem wanted) { QTest::newRow(said) << QByteArray(said) << int(wanted); };
    row("Error: initializing source docker://x/y:1: reading manifest 1 in docker.io/x/y: manifest unknown",
        ContainerProblem::ImageMissing);
    row("Error response from daemon: manifest for busybox:nope not found: manifest unknown: manifest unknown",
        ContainerProblem::ImageMissing);
    row("Error: localhost/nope:1: image not known", ContainerProblem::ImageMissing);
    row("Error response from daemon: pull access denied for x, repository does not exist or may require 'docker "
        "login': "
        "denied: requested access to the resource is denied",
        ContainerProblem::ImageDenied);
    row("Error response from daemon: Head \"https://ghcr.io/v2/x/y/manifests/1\": denied",
        ContainerProblem::ImageDenied);
    // The image is there.
    row("docker: Error response from daemon: failed to create task for container: failed to create shim task: OCI "
        "runtime create failed: runc create failed: unable to start container process: error during container init: "
        "error mounting \"/nfs/ada\" to rootfs at \"/nfs/ada\": mkdir /nfs/ada: permission denied: unknown",
        ContainerProblem::Unknown);
    row("docker: Error response from daemon: invalid mount config for type \"bind\": bind source path does not exist: "
        "/data/x.",
        ContainerProblem::Unknown);
    row("unable to retrieve auth token: invalid username/password: unauthorized: incorrect username or password",
        ContainerProblem::ImageDenied);
    row("pinging container registry localhost: Get \"https://localhost/v2/\": dial tcp 127.0.0.1:443: connect: "
        "connection "
        "refused",
        ContainerProblem::Unreachable);
    row("dial tcp: lookup registry-1.docker.io on 10.0.0.1:53: no such host", ContainerProblem::Unreachable);
    row("toomanyrequests: You have reached your pull rate limit", ContainerProblem::Unreachable);
    row("Error: runc: runc create failed: unable to start container process: exec: \"bash\": executable file not found "
        "in "
        "$PATH: OCI runtime attempted to invoke a command that was not found",
        ContainerProblem::NoShell);
    row("Error: container-init binary not found on the host: stat /usr/libexec/podman/catatonit: no such file or "
        "directory",
        ContainerProblem::NoInit);
    row("Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=0", ContainerProblem::NoDevice);
    row("docker: Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]].",
        ContainerProblem::NoDevice);
    row("docker: Error response from daemon: failed to create task for container: failed to create shim task: OCI "
        "runtime create failed: unable to retrieve OCI runtime error: exec: \"nvidia-container-runtime\": executable "
        "file not found in $PATH: unknown.",
        ContainerProblem::NoDevice);
    row("Unable to find image 'nvidia/nvidia-container-toolkit:9' locally", ContainerProblem::ImageMissing);
    row("docker: Error response from daemon: OCI runtime create failed: error running prestart hook #0: exit status 1, "
        "stderr: nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown",
        ContainerProblem::NoDevice);
    row("docker: Error response from daemon: error gathering device information while adding custom device "
        "\"/dev/infiniband\": no such file or directory",
        ContainerProblem::NoInfiniband);
    row("Error: stat /dev/infiniband: no such file or directory", ContainerProblem::NoInfiniband);
    row("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
        ContainerProblem::NoService);
    row("failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the "
        "daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory",
        ContainerProblem::NoService);
    row("error during connect: Get \"http://lab:2375/v1.50/images/x/json\": dial tcp: lookup lab: no such host",
        ContainerProblem::NoService);
    row("Cannot connect to Podman. Please verify your connection to the Linux system: unable to connect to Podman "
        "socket: dial unix /run/podman/podman.sock: connect: connection refused",
        ContainerProblem::NoService);
    row("permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: dial "
        "unix /var/run/docker.sock: connect: permission denied",
        ContainerProblem::NoAccess);
}

void TstContainerLines::problems()
{
    QFETCH(QByteArray, said);
    QFETCH(int, wanted);
    QCOMPARE(int(contract::containerProblem(said.toStdString())), wanted);
}

void TstContainerLines::doesWithout()
{
    const contract::CommandLine run{"podman", "run", "--init", "--pids-limit", "-1", "--memory", "9m", "--memory-swap",
        "9m", "--cpu-shares", "1024", "i"};
    const char *noCpu = "Error: OCI runtime error: crun: the requested cgroup controller `cpu` is not available";
    const contract::CommandLine noWeight = contract::withoutWhatIsMissing(run, noCpu);
    QCOMPARE(words(noWeight), u"podman|run|--init|--pids-limit|-1|--memory|9m|--memory-swap|9m|i"_s);
    const contract::CommandLine noLimit = contract::withoutWhatIsMissing(noWeight, noCpu);
    QCOMPARE(words(noLimit), u"podman|run|--init|i"_s);
    QCOMPARE(words(contract::withoutWhatIsMissing(noLimit, "container-init binary not found")), u"podman|run|i"_s);
    QVERIFY(
        contract::withoutWhatIsMissing({"podman", "run", "i"}, noCpu).empty()); // there is nothing left to do without
    QVERIFY(contract::withoutWhatIsMissing(run, "Error: no such image").empty());
    // A group of the host that a docker without root cannot give; what the GPUs need stays.
    const contract::CommandLine groups{"docker", "run", "--group-add", "4001234", "--group-add", "video", "--group-add",
        "7", "--", "i", "--group-add", "7"};
    const std::string noGroup = "docker: Error response from daemon: failed to create task for container: OCI runtime "
                                "create failed: runc create failed: unable to start container process: error during "
                                "container init: unable to setup user: invalid argument: unknown";
    const contract::CommandLine noGroups = contract::withoutWhatIsMissing(groups, noGroup);
    QCOMPARE(words(noGroups), u"docker|run|--group-add|video|--|i|--group-add|7"_s);
    QVERIFY(contract::withoutWhatIsMissing(noGroups, noGroup).empty());
}

// Docker may complain of other things at the same time.
void TstContainerLines::contexts()
{
    QCOMPARE(contract::contextIn("rootless\n"), std::string("rootless"));
    QCOMPARE(contract::contextIn("WARNING: Error loading config file: x\nlab_1.a+b-c\n"), std::string("lab_1.a+b-c"));
    QCOMPARE(contract::contextIn("lab\nWARNING: a plugin is not valid\n"), std::string("lab"));
    for (const char *none : {"", "default\n", "-x\n", "a b\n", "../x\n", "\n\n"}) {
        QCOMPARE(contract::contextIn(none), std::string());
    }
}

void TstContainerLines::input()
{
    using namespace std::string_literals;
    QCOMPARE(contract::containerInput({{"A", "1\n2"}, {"B", ""}}, "echo\0 x\n"s), "A=1\n2\0B=\0\0echo x\n\0"s);
    QCOMPARE(contract::containerInput({}, ""), "\0\0"s);
}

void TstContainerLines::record()
{
    const std::string uuid = "01234567-89ab-cdef-0123-456789abcdef";
    const contract::ContainerRecord record{"podman", "trainyard-" + uuid, "a b:1"};
    QCOMPARE(record.format(), "runtime podman\nname trainyard-" + uuid + "\nimage a b:1\nend\n");
    QVERIFY(contract::ContainerRecord::parse(record.format()) == record);
    QCOMPARE(record.tryUuid(), uuid);
    // What runs is never what somebody has written there.
    for (const char *runtime : {"/tmp/evil", "apptainer", "sh", "./podman", "podman -x", ""}) {
        QVERIFY(!contract::ContainerRecord::parse(contract::ContainerRecord{runtime, record.name, {}}.format()));
    }
    for (const std::string &other : {std::string("-f"), std::string("trainyard-1"), uuid, "trainyard-" + uuid + "x",
             "trainyard-" + uuid + " -f", std::string("trainyard-01234567-89ab-cdef-0123-456789abcde/")}) {
        QVERIFY(!contract::ContainerRecord::parse(contract::ContainerRecord{"podman", other, {}}.format()));
    }
    // Nor does any record lie where a container could write to it.
    namespace file = contract::file;
    const std::string folder = "/s/runs/j/0/w-0/0";
    std::vector<std::string> paths{contract::containerRecordPath(folder), folder + "/links", folder + "/oom"};
    for (const char *name : {file::plan, file::script, file::lock, file::keeper, file::started, file::output,
             file::index, file::tail, file::runtime, file::stop, file::exit, file::reserve}) {
        paths.push_back(folder + '/' + name);
    }
    for (const char *runtime : {"podman", "docker", "apptainer"}) {
        ContainerInput input = taskOf(QString::fromLatin1(runtime));
        input.workDir = input.taskFolder + u'/' + QLatin1StringView(file::work);
        const QString inside = input.taskFolder + u'/' + QLatin1StringView(file::inside);
        const ContainerPlan plan
            = planContainer(input, {{u"TRAINYARD_TASK_FOLDER"_s, input.taskFolder}, {u"PAI_WORK_DIR"_s, u"w"_s}});
        QCOMPARE(valueOf(plan, u"TRAINYARD_TASK_FOLDER"_s), inside);
        const auto isMounted = [&](const QString &path) {
            return plan.mounts.contains(ContainerMount{path, path, false});
        };
        QVERIFY(isMounted(inside) && isMounted(input.workDir));
        QCOMPARE(isMounted(input.taskFolder + u'/' + QLatin1StringView(file::pipes)),
            contract::isDetached(input.runtime.toStdString()));
        for (const ContainerMount &mount : plan.mounts) {
            const std::string source = mount.source.toStdString();
            for (const std::string &path : paths) {
                QVERIFY2(path != source && !path.starts_with(source + '/'), qPrintable(mount.source));
            }
        }
    }
    const std::string text = record.format();
    for (std::size_t size = 0; size < text.size(); ++size) {
        QVERIFY(!contract::ContainerRecord::parse(std::string_view(text).substr(0, size)));
    }
    QVERIFY(!contract::ContainerRecord::parse("runtime podman\nend\n")); // without a name nothing can be removed
}

#include "tst_containerlines.moc"
