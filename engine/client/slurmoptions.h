// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QString>
#include <QStringList>

namespace trainyard
{

class Settings;

// A Slurm cluster as people name and set it, for all programs that read what was typed: the command line, the window,
// the engine.

constexpr QLatin1StringView slurmKind{"slurm"};
// The value of slurm.NAME for a cluster without options, because an empty setting would not exist.
constexpr QLatin1StringView noSlurmOptions{"default"};

QString slurmTargetId(const QString &name); // "slurm:NAME", as jobs name it
// Whether jobs of this target work in the folders of this computer: it is a Slurm cluster without a login node.
bool sharesSlurmFolders(const QString &target, const Settings &settings);
QString slurmOptionsKey(const QString &name); // of the setting with the options
QString slurmFolderKey(const QString &name); // of the setting with the shared folder
QString slurmLoginKey(const QString &name); // of the setting with the login node
QString slurmImagesKey(const QString &name); // of the setting that says how images are entered
QString slurmModulesKey(const QString &name); // of the setting with the modules that tasks load

// How the tasks of a job enter the images of their roles: the values of slurmImages.NAME.
constexpr QLatin1StringView noSlurmImages{"none"}; // they do not: images are not used. The default
constexpr QLatin1StringView apptainerImages{"apptainer"}; // the helper starts them with apptainer
constexpr QLatin1StringView pyxisImages{"pyxis"}; // srun starts the helper in the image: --container-image
// Code: slurm.images-strange {word}. Empty is right, and means none.
Result<void> checkSlurmImages(const QString &word);

constexpr QLatin1StringView noSlurmModules{"none"}; // removes the modules of a target
// The modules of a line as people write them: "cuda/12,python/3.11", with commas or blanks. Code: slurm.module-strange
// {module} for a word that cannot be the name of one, such as an option.
Result<QStringList> slurmModules(const QString &line);

// The options of a line as people write them for sbatch: "-p gpu --account=vision". Codes: slurm.option-clusters
// {option}, slurm.option-owned {option} for one that the job decides, slurm.option-strange {option} for a text that is
// not an option.
Result<QStringList> slurmOptions(const QString &line);
// A word of such a line, quoted where it has to be.
QString slurmOptionWord(const QString &word);
// "lab", "lab-2": what is part of keys and commands. Code: slurm.bad-name {name}.
Result<void> checkTargetName(const QString &name);

} // namespace trainyard
