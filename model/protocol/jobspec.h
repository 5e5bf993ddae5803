// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace trainyard
{

// A job of the OpenPAI job protocol, version 2, as values (docs/protocol.md lists every field). What the document
// leaves out is std::nullopt; the effective*() functions give what a run uses. Unknown keys are left out, since the
// text has them.

struct RegistryAuth {
    QString username, password, registryUri; // as written, may hold <% $secrets.x %>
    friend bool operator==(const RegistryAuth &, const RegistryAuth &) = default;
};

struct Callback {
    QString event; // taskStarts or taskSucceeds after reading (aliases are mapped)
    QStringList commands;
    friend bool operator==(const Callback &, const Callback &) = default;
};

enum class FailurePolicy { Fail, Ignore };

struct Prerequisite {
    QString name;
    QString type; // script, output, data, dockerimage
    QStringList uri; // one entry except for data
    QString plugin; // com.microsoft.pai.runtimeplugin.cmd, or empty
    QStringList require;
    QList<Callback> callbacks;
    FailurePolicy failurePolicy = FailurePolicy::Fail;
    std::optional<RegistryAuth> auth;
    Value all; // the whole item, for templates and plugins
    friend bool operator==(const Prerequisite &, const Prerequisite &) = default;
};

struct Completion {
    std::optional<qint64> minFailedInstances; // nullopt: absent, null or 0
    std::optional<qint64> minSucceededInstances;
    friend bool operator==(const Completion &, const Completion &) = default;
};

struct Port {
    QString label;
    qint64 count = 1;
    friend bool operator==(const Port &, const Port &) = default;
};

struct Resources {
    qint64 gpu = 0;
    qint64 cpu = 1; // cores
    qint64 memoryMiB = 0; // MiB
    QList<Port> ports; // as written, file order; effectivePorts() adds ssh and http
    friend bool operator==(const Resources &, const Resources &) = default;
};

struct TaskRole {
    QString name;
    qint64 instances = 1;
    Completion completion;
    qint64 taskRetryCount = 0;
    QStringList prerequisites;
    QString dockerImage; // name of a dockerimage prerequisite
    QString data, script, output;
    Resources resources;
    std::optional<qint64> shmMiB;
    bool infiniband = false;
    QStringList commands;

    qint64 effectiveMinFailed() const; // absent means 1
    qint64 effectiveMinSucceeded() const; // absent means -1: wait for all
    qint64 effectiveShmMiB() const; // absent means 512, as on a server
    QList<Port> effectivePorts() const; // the written ones, then ssh and http with 1 each when absent
    friend bool operator==(const TaskRole &, const TaskRole &) = default;
};

struct DeploymentCommands {
    QString role;
    QStringList preCommands, postCommands;
    friend bool operator==(const DeploymentCommands &, const DeploymentCommands &) = default;
};

struct Deployment {
    QString name;
    QList<DeploymentCommands> roles;
    friend bool operator==(const Deployment &, const Deployment &) = default;
};

// An entry of extras."com.microsoft.pai.runtimeplugin".
struct PluginEntry {
    QString plugin;
    Value parameters;
    FailurePolicy failurePolicy = FailurePolicy::Fail;
    std::optional<QStringList> taskRoles; // nullopt: all
    friend bool operator==(const PluginEntry &, const PluginEntry &) = default;
};

// Another job that must be over before this one may start.
struct JobAfter {
    QString job; // number, #number, UUID or name (the newest)
    bool whenEnded = false; // however it ended; otherwise it must have succeeded
    friend bool operator==(const JobAfter &, const JobAfter &) = default;
};

// How tasks are asked to end.
struct StopRule {
    int signal = 0; // 0: TERM
    bool onlyMain = false; // the signal goes to the first process only
    std::optional<qint64> graceSeconds; // until it is killed; nullopt: the setting
    friend bool operator==(const StopRule &, const StopRule &) = default;
};
// Files of tasks that come back to this computer.
struct ResultsRule {
    QStringList files; // patterns of paths in the work folder of a task; none: nothing comes back
    QString to; // folder here; empty: "results" beside the job's file
    bool during = false; // also while it runs
    qint64 maxFileMB = 500, maxMB = 2000; // of one file, and of all files of a task; MiB
    friend bool operator==(const ResultsRule &, const ResultsRule &) = default;
};
// A folder or file that the tasks find on their hosts (docs/hosts.md, "Data").
struct DataSource {
    QString name;
    QString from; // on this computer; empty: every host has it already
    QList<std::pair<QString, QString>>
        paths; // by the name or a label of a host that has it; the first that fits counts
    QString sum; // SHA-256 of its contents, 64 digits; empty: any
    QStringList roles; // empty: all
    friend bool operator==(const DataSource &, const DataSource &) = default;
};
bool isDataName(const QString &name); // 1 to 64 letters, digits, '_' and '-', a letter first
QString dataVariable(const QString &name); // "imagenet-1k": TRAINYARD_DATA_IMAGENET_1K
// The number of a signal that ends a program in an orderly way, given as TERM, SIGTERM or 15; 0 for any other.
int stopSignalOf(const QString &word);

// How the tasks of a role are laid out over hosts. The first two have to be, the others are preferred where there is
// room.
enum class Arrangement { Any, SameHost, DifferentHosts, Pack, Spread };
Arrangement arrangementOf(const QString &word); // "same-host"
QString arrangementWord(Arrangement arrangement); // empty: any
// Whether it has to be so: a host that does not fit is never taken.
constexpr bool isHard(Arrangement arrangement)
{
    return arrangement == Arrangement::SameHost || arrangement == Arrangement::DifferentHosts;
}

// On which hosts the tasks of a role may run.
struct HostRule {
    QStringList names; // one of these; empty: any host
    QStringList labels; // all of these
    Arrangement arrange = Arrangement::Any;
    bool isAny() const { return names.isEmpty() && labels.isEmpty() && arrange == Arrangement::Any; }
    friend bool operator==(const HostRule &, const HostRule &) = default;
};

// extras.trainyard: our own additions, all under one key.
struct TrainyardExtras {
    QString runIn; // host, podman, docker, apptainer or empty
    QString work; // folder or empty
    qint64 priority = 0; // larger goes first
    std::optional<qint64> timeLimitSeconds; // limits.timeSeconds
    QList<JobAfter> after;
    StopRule stop;
    QMap<QString, HostRule> hosts; // by role; "*": of all roles
    // The values of a role override those for all roles.
    HostRule hostRule(const QString &role) const;
    ResultsRule results;
    QList<DataSource> data;
    friend bool operator==(const TrainyardExtras &, const TrainyardExtras &) = default;
};

struct JobSpec {
    QString name;
    QString version, contributor, description;
    QList<Prerequisite> prerequisites;
    Value parameters = Value(Value::Map{});
    Value secrets = Value(Value::Map{});
    bool secretsMasked = false; // secrets: "******"
    QStringList askedSecrets; // whose value is "******", empty or null; of secretsMasked those that the job refers to
    qint64 jobRetryCount = 0;
    QList<TaskRole> taskRoles; // file order
    QList<Deployment> deployments;
    QString virtualCluster; // empty: default
    QString defaultDeployment;
    bool gangAllocation = true; // only the boolean false turns it off
    QList<PluginEntry> plugins;
    Value extras = Value(Value::Map{});
    TrainyardExtras trainyard;

    // In a converted job of version 1, how many ended tasks of any role end the job; 0 means no such limit.
    int completedLimit() const;
    const TaskRole *role(const QString &roleName) const;
    const Prerequisite *prerequisite(const QString &type, const QString &prerequisiteName) const;
    // Finds a prerequisite by its name alone. Of several types the later item wins, as in OpenPAI's runtime.
    const Prerequisite *prerequisite(const QString &prerequisiteName) const;
    const DeploymentCommands *activeDeployment(const QString &roleName) const;
    friend bool operator==(const JobSpec &, const JobSpec &) = default;
};

} // namespace trainyard

// Compiled once, in the .cpp file: see model/base/lists.h.
extern template class QList<trainyard::TaskRole>;
extern template class QList<trainyard::Prerequisite>;
extern template class QList<trainyard::Port>;
