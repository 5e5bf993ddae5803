// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"
#include "model/runtime/environment.h"
#include "model/template/render.h"

#include <QByteArray>
#include <QMap>
#include <QUuid>

#include <functional>

namespace trainyard::launch
{

using Variables = QList<std::pair<QString, QString>>; // ordered, a name once

// The program of one role: the same for all of its tasks, so it is built once per attempt.
struct RoleProgram {
    QByteArray script; // what bash runs, with secrets
    QByteArray masked; // task.sh and preview: secrets replaced
    bool usesSecret = false; // `script` must not touch a disk: run it from memory
    bool hasSteps = false; // it is more than the user's text, and reports what it does
    QStringList prerequisites; // expanded order, for people
};

// A task of the job as the plugin ssh names it to the other tasks.
struct SshPeer {
    QString name; // worker-0
    QString alias; // the role's other spelling, or empty
    QString address, user;
    int port = 0;
};

// The data that the plugins need in addition to the job.
struct PluginContext {
    QString environment; // command that makes the base environment; empty: none
    QString environmentSetBy; // what says so: a field of the job or a setting
    QStringList modules; // of a cluster, loaded before that command
    QString modulesSetBy; // the setting that names them
    QMap<QString, QString> storages; // name to folder
    QList<SshPeer> peers;
    QByteArray sshPrivateKey, sshPublicKey; // of the job: lets its tasks into each other
    QString sshProblem; // why it has none ("ssh-key.slow")
};

// The peers that a placement makes; `userOf` gives the user that runs tasks on a host.
QList<SshPeer> sshPeers(const JobSpec &job, const QList<TaskPlacement> &placements,
    const std::function<QString(const TaskPlacement &)> &userOf);

// `filled` and `masked` are composeRole() with and without fillSecrets. A role without steps is the header and the
// user's text in one bash; steps run in a bash of their own each (docs/execution.md, "What runs in a task").
// `holdMinutes` is how long the shell stays after the user's commands have failed. With `strict`, what steps export is
// lost and a failing step is an ordinary failure of the task, as on a cluster.
RoleProgram programOf(const ComposedRole &filled, const ComposedRole &masked, int holdMinutes = 0, bool strict = false);
// Both at once. The errors are those of composeRole().
Result<RoleProgram> programOf(const JobSpec &job, const TaskRole &role, const PluginContext &context = {});

// One task to launch.
struct LaunchInput {
    QUuid job, tryUuid;
    int attempt = 0, tryIndex = 0;
    QString role;
    int index = 0;
    QList<int> gpus;
    QStringList gpuUuids = {}; // of the same; used instead of the indexes when there are any
    bool amd = false; // the host's GPUs are AMD's
    qint64 gpuShareMiB = 0; // of each of its GPUs, which others use too; 0: they are its own
    qint64 cpu = 1;
    int hostCpus = 0; // cores of its host; 0: not known
    qint64 memoryMiB = 0;
    qint64 shmMiB = 0;
    QString workDir; // PAI_WORK_DIR: the real working folder
    QString taskFolder; // the try's folder on its host; the wrapper writes runtime.log there
    QString checkpointFolder; // TRAINYARD_CHECKPOINT_DIR
    Variables data = {}; // TRAINYARD_DATA_*, with the paths on its host
    Variables base; // what the host gives; looked at only for "unless set"
    const TaskEnvironment *shared = nullptr; // the environment is only what goes over forAll() of this one
};

struct LaunchPlan {
    Variables environment; // goes over the base environment
    RoleProgram program;
    QStringList maskValues; // secret values to be hidden in the output, longest first
};

// All that a try is started with, except what its host adds. It is pure: preview and launch use the same object.
LaunchPlan planTask(
    const JobSpec &job, const RoleProgram &program, const TaskEnvironment &environment, const LaunchInput &input);

// The values of $secrets that must be hidden, longest first.
QStringList secretValues(const JobSpec &job);

} // namespace trainyard::launch
