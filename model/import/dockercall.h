// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchshape.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

// Scripts that start their program by "docker run" or "podman run".
namespace trainyard::batch
{

struct DockerCall {
    QString program; // "docker" or "podman"
    QString image;
    QByteArray command; // what runs in the image, for a shell, as it is written: what is behind the image
    QString folder; // where it begins; empty: it is not said
    QByteArrayList exports; // "FOO=bar", as they are written
    QStringList passedOn; // variables of the shell that starts it
    QStringList mounts, leftOut; // as they are written
    std::optional<QString> gpus; // "all", "2", "device=0,2"
    std::optional<QString> cpus, memory, sharedMemory;
    QString gpuOption, ipc;
};

// The call of docker or podman that is the whole command, unless it has an option that is not known (`unknown`), no
// command behind its image, only options of the entry point of its image, or runs in the background.
std::optional<DockerCall> dockerCallOf(const QByteArray &command, QString *unknown = nullptr);

// Whether one of the commands of a line is such a call, however it goes on.
bool hasDockerCall(const QByteArray &line);

// The consequences of the call for the job.
struct DockerJob {
    ByteRange at; // of the call
    QString program, image;
    std::optional<qint64> cpus, memoryMiB, sharedMiB;
    qint64 gpus = 0;
    void applyTo(Shape &shape) const; // as far as the head of the script says nothing
};
// Replaces the only call in a script by the command that runs in the image. Nothing: there is no call, or it remains in
// the script, which is reported.
std::optional<DockerJob> takeDockerCall(Script &script, Findings &findings);

} // namespace trainyard::batch
