// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

#include <QMap>

namespace trainyard
{

// The steps of the plugins other than cmd when a job runs here: bash texts without a header, empty when there is
// nothing to do. A cluster has its own steps (asServer of composeRole()). `parameters` have their templates filled in;
// `written` are the same parameters as written in the job, which show where the secrets are.

// A separate sshd for the task, and names for the other tasks. The launch puts in their addresses and the job's key
// (launch::programOf); without gang allocation there is no ssh between tasks. A user's key that is a secret is not
// written to a disk.
QString sshStep(const Value &parameters, bool gang, const Value &written);
bool wantsSshKey(const JobSpec &job); // some role's ssh plugin has something to do

bool hasPlugin(const JobSpec &job, const QString &plugin); // by its short name, as a plugin or as a prerequisite

// Clones repo_uri with `options` (of which --revision works with every git) into clone_dir, or into a folder of the try
// if there is none, and exports TRAINYARD_CODE_DIR. Git gets the login of an address, and settings with a secret,
// neither in its arguments nor on a disk; a step that cannot ensure that fails.
QString gitStep(const Value &parameters, const Value &written);

// The step of the role that has the job's one TensorBoard. The script itself checks that it runs in the first task.
QString tensorboardStep(const Value &parameters, const Value &written);

// A storage of extras.storages, or of the older plugin teamwise_storage.
struct JobStorage {
    QString name;
    QString place; // mountPath, else /mnt/NAME
    QString variable; // TRAINYARD_STORAGE_NAME
    bool readOnly = false; // asked for; only a container can see to it
    friend bool operator==(const JobStorage &, const JobStorage &) = default;
};
QList<JobStorage> storagesOf(const JobSpec &job);
// `folders` gives the folder of each name, as the settings say. The step is empty without storages.
QString storagesStep(const QList<JobStorage> &storages, const QMap<QString, QString> &folders);

// Runs the command that makes the base environment: "conda activate x". Its exports reach what follows. `setBy` is the
// field or setting that says the command; a failure names it.
QString environmentStep(const QString &command, const QString &setBy);
// Loads modules of a cluster ("cuda/12") one after the other, by the command `module` of the node. What they export
// reaches what follows. A module that is not there fails the step, which names it and `setBy`. Empty without modules.
QString modulesStep(const QStringList &modules, const QString &setBy);

// From extras.trainyard: what the environment of tasks begins with (login, clean, or a command), or nothing; and how
// long the shell of a failed task is kept for inspection.
QString environmentOf(const JobSpec &job);
int holdMinutesOf(const JobSpec &job);
// extras.trainyard.copyWork: whether a work folder of this computer goes along to other hosts.
bool copiesWork(const JobSpec &job);
// extras.trainyard.metrics: patterns of files in which tasks keep metrics.
QStringList metricFilesOf(const JobSpec &job);
// The entries of extras.trainyard.variables as they are written: environment variables of all tasks. A strict job has
// none, because a cluster has none.
QList<std::pair<QString, QString>> variablesOf(const JobSpec &job);
// Whether extras.trainyard.strict is set: the job then runs exactly as OpenPAI's runtime runs it, without our
// additions.
bool isStrict(const JobSpec &job);
// The limit of a role that is in effect: when it is left out, an OpenPAI server uses the number of instances, and we
// use none.
qint64 minSucceededOf(const JobSpec &job, const TaskRole &role);

// The words of a text as a shell splits it: at blanks outside quotes and without a backslash.
QStringList shellWords(const QString &text);

} // namespace trainyard
