// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/client/slurmoptions.h"
#include "model/base/result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace trainyard
{

// A cluster that this computer submits to: the settings slurm.NAME (options of sbatch), slurmFolder.NAME,
// slurmLogin.NAME, slurmImages.NAME and slurmModules.NAME (docs/clusters.md).
struct SlurmTarget {
    QString name; // "lab"; as a target of jobs "slurm:lab"
    QStringList options; // of sbatch, one each: "--partition=gpu"
    QString folder; // that its nodes share, for the runs; empty: the state folder is on such a file system
    QString login = {}; // the host of the pool that has its commands; empty: this computer has them
    QString images = {}; // how tasks enter images: apptainer, pyxis; empty: they do not
    QStringList modules = {}; // that tasks load before anything else
    Error problem = {}; // why nothing can be submitted with these settings, or nothing
    QString id() const { return slurmTargetId(name); }
};

std::vector<SlurmTarget> slurmTargetsOf(const Settings &settings);

} // namespace trainyard
