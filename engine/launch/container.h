// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/launch/launchplan.h"

namespace trainyard::launch
{

// The command line that puts a task into a container, for podman, docker and apptainer. The program and its variables
// are not in it, nor is any secret: the container's first process reads them from a pipe.

struct ContainerMount {
    QString source, target; // absolute
    bool readOnly = false;
    friend bool operator==(const ContainerMount &, const ContainerMount &) = default;
};
// Reads "/data", "/data:/in/container", "/data:ro" or "/data:/in/container:ro"; returns nothing for any other text.
std::optional<ContainerMount> parseMount(const QString &text);
QString mountText(const ContainerMount &mount); // the same way

struct ContainerInput {
    QString runtime; // podman, docker, apptainer
    QString image; // uri of the dockerimage prerequisite
    QUuid tryUuid;
    QString taskFolder; // the try's; only its folders `inside` and `pipes` are mounted
    QString workDir, checkpointFolder;
    QList<ContainerMount> mounts; // of the job's storages and of the settings
    QString imageFolder; // where apptainer's images lie on the host
    QList<int> gpus;
    QStringList gpuUuids = {}; // of the same; used instead of the indexes when there are any
    bool amd = false; // the GPUs are of that maker
    qint64 cpu = 0, memoryMiB = 0, shmMiB = 0; // 0: none given
    bool infiniband = false;
    int uid = 0, gid = 0; // of the user on the host
    QList<int> groups = {}; // further ones of the user there
    bool dockerAsRoot = false; // else docker runs the task as the user
};

struct ContainerPlan {
    QString image, pullImage, file, name; // as contract::Container has them
    QStringList run;
    Variables environment; // what the task gets in it
    QList<ContainerMount> mounts; // all of them, in the order in which they are made
    QString user; // "0:0"; empty: the same user as on the host
    qint64 shmMiB = 0; // 0: as the program has it
    friend bool operator==(const ContainerPlan &, const ContainerPlan &) = default;
};

bool isContainerRuntime(const QString &word); // podman, docker, apptainer
// Whether this is a folder of the system, which a container has of its own and which cannot be a work folder there.
bool isSystemFolder(const QString &folder);
ContainerPlan planContainer(const ContainerInput &input, const Variables &environment);
// The same for users to read and to paste, quoted for a shell.
QString containerCommandText(const ContainerPlan &plan);

} // namespace trainyard::launch
