// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/launch/container.h"
#include "model/base/result.h"

#include <string>
#include <vector>

// How the tasks of a job enter the images of their roles on a Slurm cluster. Pure.
namespace trainyard::slurm
{

// The arguments of `srun` for a task's step that make pyxis start the step in the image: the helper runs in it, and the
// task below the helper.
struct PyxisInput {
    QString image; // as the job names it
    QString runsFolder; // with the helper and the folders of all tries
    QString workDir; // that is there before the step begins
    QList<launch::ContainerMount> mounts; // further ones
};
// Code: slurm.image-path {path} for a folder whose name cannot be passed to pyxis.
Result<std::vector<std::string>> pyxisOptions(const PyxisInput &input);
// "registry.lab.org/train:3" is "registry.lab.org#train:3" to pyxis; the path of a file stays.
QString pyxisImage(const QString &image);

} // namespace trainyard::slurm
