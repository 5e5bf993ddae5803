// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "model/base/result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace trainyard
{

constexpr QLatin1StringView slurmKind{"slurm"};

// A cluster that this computer submits to: the settings slurm.NAME (options of sbatch) and slurmFolder.NAME
// (docs/clusters.md).
struct SlurmTarget {
    QString name; // "lab"; as a target of jobs "slurm:lab"
    QStringList options; // of sbatch, one each: "--partition=gpu"
    QString folder; // that its nodes share, for the runs; empty: the state folder is on such a file system
    Error problem = {}; // why nothing can be submitted with these settings, or nothing
    QString id() const { return slurmKind + QLatin1Char(':') + name; }
};

std::vector<SlurmTarget> slurmTargetsOf(const Settings &settings);

// The options of a line as people write them for sbatch: "-p gpu --account=vision". Codes: slurm.option-owned {option}
// for one that the job decides, slurm.option-strange {option} for a text that is no option.
Result<QStringList> slurmOptions(const QString &line);
// A word of such a line, quoted where it has to be.
QString slurmOptionWord(const QString &word);
// "lab", "lab-2": what is part of keys and commands. Code: slurm.bad-name {name}.
Result<void> checkTargetName(const QString &name);

} // namespace trainyard
