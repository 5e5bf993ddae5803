// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

#include <QMap>

namespace trainyard
{

// What the plugins other than cmd do when a job runs here: bash texts without a header, empty when there is nothing to
// do. A cluster has its own (composeRole's asServer). `parameters` have their templates filled in.

// An sshd of the task's own and names for the others. The launch puts in who they are and the job's key
// (launch::programOf); without gang allocation there is no ssh between tasks.
QString sshStep(const Value &parameters, bool gang);
bool wantsSshKey(const JobSpec &job); // some role's ssh plugin has something to do

bool hasPlugin(const JobSpec &job, const QString &plugin); // by its short name, as a plugin or as a prerequisite

// Clones repo_uri with `options` (of which --revision works with every git) into clone_dir, else a folder of the try,
// and exports TRAINYARD_CODE_DIR.
QString gitStep(const Value &parameters);

// For the role that has the job's one TensorBoard. The script itself looks for the first task.
QString tensorboardStep(const Value &parameters);

// A storage of extras.storages, or of the older plugin teamwise_storage.
struct JobStorage {
    QString name;
    QString place; // mountPath, else /mnt/NAME
    QString variable; // TRAINYARD_STORAGE_NAME
    bool readOnly = false; // asked for; only a container can see to it
    friend bool operator==(const JobStorage &, const JobStorage &) = default;
};
QList<JobStorage> storagesOf(const JobSpec &job);
// `folders`: name to folder, as the settings say. Empty without storages.
QString storagesStep(const QList<JobStorage> &storages, const QMap<QString, QString> &folders);

// Runs the command that makes the base environment: "conda activate x". Its exports go on to what follows.
QString environmentStep(const QString &command);

// Of extras.trainyard: what the environment of tasks begins with (login, clean, or a command), or empty; and how long
// the shell of a failed task is held open.
QString environmentOf(const JobSpec &job);
int holdMinutesOf(const JobSpec &job);
// extras.trainyard.strict: what OpenPAI's runtime does to the letter, not what we add to it.
bool isStrict(const JobSpec &job);
// The limit of a role that counts: left out, an OpenPAI server takes the number of instances, and we take none.
qint64 minSucceededOf(const JobSpec &job, const TaskRole &role);

// Words of a text as a shell splits it: blanks part them, quotes and backslashes keep them together.
QStringList shellWords(const QString &text);

} // namespace trainyard
