// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/container.h"

#include "model/base/numberlist.h"
#include "model/base/shellquote.h"

#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::launch
{
namespace
{

// Reads "NAME=VALUE\0"..., an empty entry, then the program and a last NUL; without that something is missing and
// nothing runs. bash calls the program by the name of the link to it that the keeper makes (engine/agent/scriptlink.h).
const QByteArray readInput = R"BASH(while IFS= read -r -d '' __e && [[ -n $__e ]]; do export "$__e"; done 2>/dev/null
IFS= read -r -d '' __s || exit 127
exec 0</dev/null
exec 9< <(printf %s "$__s")
unset __s __e
__t=${TRAINYARD_TASK_FOLDER-}/task.sh
[[ $__t -ef /dev/fd/9 ]] || __t=/dev/fd/9
)BASH";

// The first process of a container that lives by itself: it starts the program, passes signals on to everybody inside,
// and stays until the others had their time. Its own messages go nowhere. A signal to all (-1) is only for a process
// namespace of its own, so without one it does nothing at all.
const QByteArray detachedBoot = R"BASH(__d=$1
[[ $$ == 1 || $PPID == 1 ]] || exit 126
exec 0<"$__d/in" || exit 127
)BASH"
    + readInput + R"BASH(__a=
for __n in HUP INT QUIT USR1 USR2 TERM; do trap "__g=1; __a=1; kill -s $__n -- -1; kill -s CONT -- -1" "$__n"; done
set -m
"$BASH" "$__t" >"$__d/out" 2>"$__d/err" &
__p=$!
exec 9<&- 1>/dev/null 2>/dev/null
set +m
echo "$__p" >"$__d/main"
echo "$$" >"$__d/boss"
while :; do
    __g=
    wait "$__p"
    __r=$?
    [[ $__g ]] || break
done
__others() {
    local p
    for p in /proc/[0-9]*; do
        p=${p#/proc/}
        [[ $p == 1 || $p == $$ ]] || return 0
    done
    return 1
}
exec 8<>"$__d/in"
for ((__i = 0; __i < 25; ++__i)); do
    __others || break
    [[ -z $__a ]] || __i=0
    read -r -t 0.01 -u 8
done
exit "$__r"
)BASH";

// In apptainer the program replaces this process.
const QByteArray attachedBoot = readInput + "exec \"$BASH\" \"$__t\"\n";

// Closes the descriptor that the program is read from, so that its children do not inherit it.
QStringList bashArguments(const QByteArray &boot) { return {u"-c"_s, QString::fromLatin1(boot), u"bash"_s}; }

// One field of the comma separated list that --mount takes.
QString field(const QString &key, const QString &value)
{
    const QString text = key + u'=' + value;
    if (!value.contains(u',') && !value.contains(u'"')) {
        return text;
    }
    return u'"' + QString(text).replace(u'"', u"\"\""_s) + u'"';
}

QString mountOption(const ContainerMount &mount, bool apptainer)
{
    QString text = u"type=bind,"_s + field(u"source"_s, mount.source) + u','
        + field(apptainer ? u"destination"_s : u"target"_s, mount.target);
    if (mount.readOnly) {
        text += apptainer ? u",ro"_s : u",readonly"_s;
    }
    return text;
}

bool isBelow(const QString &path, const QString &folder) { return path == folder || path.startsWith(folder + u'/'); }

// Only this part of the try's folder: a task that could write the records in it would be believed after a restart.
QString insideOf(const ContainerInput &input) { return input.taskFolder + u"/inside"_s; }

QString pipesOf(const ContainerInput &input) { return input.taskFolder + u"/pipes"_s; }

QList<ContainerMount> mountsOf(const ContainerInput &input)
{
    QList<ContainerMount> mounts{{insideOf(input), insideOf(input), false}};
    if (input.runtime != "apptainer"_L1) {
        mounts.append({pipesOf(input), pipesOf(input), false});
    }
    const auto add = [&mounts](const ContainerMount &mount) {
        const bool known = mount.source.isEmpty()
            || std::any_of(mounts.cbegin(), mounts.cend(), [&mount](const ContainerMount &other) {
                   return other.target == mount.target
                       || (mount.source == mount.target && other.source == other.target && !other.readOnly
                           && isBelow(mount.source, other.source));
               });
        if (!known) {
            mounts.append(mount);
        }
    };
    add({input.workDir, input.workDir, false});
    add({input.checkpointFolder, input.checkpointFolder, false});
    for (const ContainerMount &mount : input.mounts) {
        add(mount);
    }
    // A folder comes before those below it, which it would hide otherwise.
    std::stable_sort(mounts.begin(), mounts.end(),
        [](const ContainerMount &a, const ContainerMount &b) { return a.target.count(u'/') < b.target.count(u'/'); });
    return mounts;
}

// Without what says nothing: what is spelled in two ways is one place.
QString plainFolder(const QString &path)
{
    QStringList plain;
    const QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        if (part == ".."_L1) {
            plain.resize(qMax<qsizetype>(0, plain.size() - 1));
        } else if (part != "."_L1) {
            plain.append(part);
        }
    }
    return u'/' + plain.join(u'/');
}

QString withoutScheme(const QString &image) { return image.startsWith("docker://"_L1) ? image.sliced(9) : image; }

// "ubuntu:22.04" is docker.io/library/ubuntu:22.04; podman looks up no name without a registry.
QString fullName(const QString &image)
{
    const qsizetype slash = image.indexOf(u'/');
    const QString first = image.left(qMax<qsizetype>(0, slash));
    if (slash >= 0 && (first.contains(u'.') || first.contains(u':') || first == "localhost"_L1)) {
        return image;
    }
    return slash >= 0 ? u"docker.io/"_s + image : u"docker.io/library/"_s + image;
}

// The user of the task in a container that lives by itself: podman's root is the user outside.
QString userOf(const ContainerInput &input)
{
    const bool asRoot = input.runtime == "podman"_L1 || input.dockerAsRoot;
    return asRoot ? u"0:0"_s : QString::number(input.uid) + u':' + QString::number(input.gid);
}

void addDetached(const ContainerInput &input, const ContainerPlan &plan, QStringList &run)
{
    const bool podman = input.runtime == "podman"_L1;
    run << input.runtime << u"run"_s << u"-d"_s << u"--name"_s << plan.name << u"--init"_s << u"--log-driver"_s
        << u"none"_s << u"--pull"_s << u"never"_s << u"--network"_s << u"host"_s << u"--stop-signal"_s << u"SIGTERM"_s;
    if (podman) {
        // Whatever containers.conf says; the user is root in it, and its files are the user's outside.
        run << u"--pid"_s << u"private"_s << u"--pids-limit"_s << u"-1"_s << u"--security-opt"_s << u"label=disable"_s
            << u"--user"_s << plan.user;
    } else if (!input.dockerAsRoot) {
        run << u"--user"_s << plan.user;
        // A folder that is for a group of the user is so in the container, too. Else they are those of the image.
        for (const int group : input.groups) {
            run << u"--group-add"_s << QString::number(group);
        }
    }
    if (input.shmMiB > 0) {
        run << u"--shm-size"_s << QString::number(input.shmMiB) + u'm';
    }
    if (input.memoryMiB > 0) {
        const QString memory = QString::number(input.memoryMiB) + u'm';
        run << u"--memory"_s << memory << u"--memory-swap"_s << memory; // the same: no swap on top
    }
    if (input.cpu > 0) {
        // CPUs are a weight and not a limit, as everywhere.
        run << u"--cpu-shares"_s << QString::number(std::clamp<qint64>(input.cpu * 1024, 2, 262144));
    }
    const QStringList names
        = input.gpuUuids.isEmpty() ? joinedNumbers(input.gpus, u","_s).split(u',', Qt::SkipEmptyParts) : input.gpuUuids;
    if (input.amd && !input.gpus.isEmpty()) {
        run << u"--device"_s << u"/dev/kfd"_s << u"--device"_s << u"/dev/dri"_s << u"--security-opt"_s
            << u"seccomp=unconfined"_s << u"--group-add"_s << (podman ? u"keep-groups"_s : u"video"_s);
    } else if (podman) {
        for (const QString &gpu : names) {
            run << u"--device"_s << u"nvidia.com/gpu="_s + gpu;
        }
    } else if (!input.gpus.isEmpty()) {
        run << u"--gpus"_s << u"\"device="_s + names.join(u',') + u'"'; // quoted: its value is a list itself
    }
    if (input.infiniband) {
        run << u"--device"_s << u"/dev/infiniband"_s << u"--ulimit"_s << u"memlock=-1:-1"_s;
    }
    for (const ContainerMount &mount : plan.mounts) {
        run << u"--mount"_s << mountOption(mount, false);
    }
    run << u"--workdir"_s << input.workDir << u"--entrypoint"_s << u"bash"_s << u"--"_s << plan.image
        << bashArguments(detachedBoot) << pipesOf(input);
}

void addApptainer(const ContainerInput &input, const ContainerPlan &plan, QStringList &run)
{
    run << input.runtime << u"exec"_s << u"--cleanenv"_s << u"--no-home"_s;
    if (!input.gpus.isEmpty()) {
        run << (input.amd ? u"--rocm"_s : u"--nv"_s);
    }
    if (input.infiniband) {
        run << u"--bind"_s << u"/dev/infiniband"_s;
    }
    for (const ContainerMount &mount : plan.mounts) {
        run << u"--mount"_s << mountOption(mount, true);
    }
    run << u"--pwd"_s << input.workDir << u"--"_s << plan.file << u"bash"_s << bashArguments(attachedBoot);
}

} // namespace

bool isContainerRuntime(const QString &word)
{
    return word == "podman"_L1 || word == "docker"_L1 || word == "apptainer"_L1;
}

bool isSystemFolder(const QString &folder)
{
    static const QStringList folders{u"/"_s, u"/bin"_s, u"/boot"_s, u"/dev"_s, u"/etc"_s, u"/lib"_s, u"/lib32"_s,
        u"/lib64"_s, u"/libx32"_s, u"/opt"_s, u"/proc"_s, u"/run"_s, u"/sbin"_s, u"/sys"_s, u"/usr"_s, u"/usr/bin"_s,
        u"/usr/lib"_s, u"/usr/lib32"_s, u"/usr/lib64"_s, u"/usr/sbin"_s, u"/var"_s};
    return folders.contains(folder) || folder.startsWith("/proc/"_L1) || folder.startsWith("/sys/"_L1);
}

std::optional<ContainerMount> parseMount(const QString &text)
{
    QStringList parts = text.trimmed().split(u':');
    ContainerMount mount;
    if (parts.size() > 1 && (parts.last() == "ro"_L1 || parts.last() == "rw"_L1)) {
        mount.readOnly = parts.takeLast() == "ro"_L1;
    }
    if (parts.size() > 2 || !parts.first().startsWith(u'/') || !parts.last().startsWith(u'/')) {
        return std::nullopt;
    }
    mount.source = plainFolder(parts.first());
    mount.target = plainFolder(parts.last());
    return mount.source.size() > 1 && !isSystemFolder(mount.target) ? std::optional(mount) : std::nullopt;
}

QString mountText(const ContainerMount &mount)
{
    const QString both = mount.source == mount.target ? mount.source : mount.source + u':' + mount.target;
    return mount.readOnly ? both + u":ro"_s : both;
}

ContainerPlan planContainer(const ContainerInput &input, const Variables &environment)
{
    ContainerPlan plan;
    plan.image = withoutScheme(input.image);
    plan.environment = environment;
    plan.mounts = mountsOf(input);
    const auto set = [&plan](const QString &name, const QString &value) {
        for (auto &[known, old] : plan.environment) {
            if (known == name) {
                old = value;
                return;
            }
        }
        plan.environment.append({name, value});
    };
    for (auto &[name, value] : plan.environment) {
        if (name == "TRAINYARD_TASK_FOLDER"_L1) {
            value = insideOf(input);
        }
    }
    if (input.runtime == "apptainer"_L1) {
        const bool isFile = plan.image.startsWith(u'/');
        plan.file = isFile
            ? plan.image
            : input.imageFolder + u'/' + QString::fromLatin1(QUrl::toPercentEncoding(plan.image)) + u".sif"_s;
        const bool hasScheme = plan.image.contains("://"_L1);
        plan.pullImage = isFile ? QString() : hasScheme ? plan.image : u"docker://"_s + plan.image;
        addApptainer(input, plan, plan.run);
        return plan; // it shows all GPUs of the host, so their numbers stay
    }
    plan.name = u"trainyard-"_s + input.tryUuid.toString(QUuid::WithoutBraces);
    plan.pullImage = input.runtime == "podman"_L1 ? fullName(plan.image) : plan.image;
    plan.user = userOf(input);
    plan.shmMiB = input.shmMiB;
    addDetached(input, plan, plan.run);
    if (!input.amd && !input.gpus.isEmpty()) {
        // Only these are there, and they count from 0. Names of another kind (UUIDs) mean the same in and outside.
        const auto visible = std::find_if(plan.environment.cbegin(), plan.environment.cend(),
            [](const auto &variable) { return variable.first == "CUDA_VISIBLE_DEVICES"_L1; });
        if (visible != plan.environment.cend() && visible->second == joinedNumbers(input.gpus, u","_s)) {
            QList<int> inside;
            for (int i = 0; i < input.gpus.size(); ++i) {
                inside.append(i);
            }
            set(u"CUDA_VISIBLE_DEVICES"_s, joinedNumbers(inside, u","_s));
        }
    }
    if (input.runtime == "docker"_L1 && !input.dockerAsRoot && input.uid != 0) {
        set(u"HOME"_s, u"/tmp"_s); // the image knows no home of this user
    }
    return plan;
}

QString containerCommandText(const ContainerPlan &plan)
{
    QStringList words;
    for (const QString &word : plan.run) {
        if (word.contains(u'\n')) {
            words.append(u"…"_s); // our own first process: of no interest
            continue;
        }
        words.append(shellWord(word));
    }
    return words.join(u' ');
}

} // namespace trainyard::launch
