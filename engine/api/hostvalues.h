// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

// The RPC's values about hosts (docs/rpc.md); values.h has those about jobs. Times are UTC milliseconds, memory is MiB.
namespace trainyard
{

enum class HostState { Unknown, Connecting, Online, Offline, NeedsLogin, Failed };
QString hostStateWord(HostState state); // "needsLogin"
HostState hostStateFromWord(const QString &word);

// A step of the way to a host and of what it offers. Which there are is in hoststeps.h.
enum class StepState { Waiting, Running, Passed, Warned, Failed };
QString stepStateWord(StepState state); // "running"
StepState stepStateFromWord(const QString &word);

struct HostStep {
    QString id;
    StepState state = StepState::Waiting;
    QString code; // of the sentence that says why it failed or what to mind; empty: `args` are the facts of its kind
    QJsonObject args;
    qint64 ms = -1; // that it took; -1: not measured
    friend bool operator==(const HostStep &, const HostStep &) = default;
};

struct GpuInfo {
    int index = 0;
    QString uuid, name;
    qint64 memoryMiB = 0, memoryUsedMiB = 0;
    int utilPercent = -1; // -1: not known
    qint64 jobId = 0; // of this engine, 0 when free
    bool foreign = false; // a foreign process holds memory
    QString kept = {}; // why no job gets it: "excluded", "hours", "mig" (on, without instances), "quarantine"; empty:
                       // jobs may have it
    qint64 promisedMiB = 0; // to tasks that share it; 0: it is not shared
    QList<qint64> jobs = {}; // of these tasks
    int temperature = -1; // degrees Celsius; -1: not known
    QString jobName = {}, task = {}; // of the task of this engine that alone has it: "worker/0"
    QStringList holders = {}; // "4711 python (jun)": processes with memory on it, as far as they can be seen
    friend bool operator==(const GpuInfo &, const GpuInfo &) = default;
};

// A try that failed because of the machine on which it ran.
struct MachineFailure {
    qint64 job = 0;
    QString task; // "worker/0"
    qint64 at = 0;
    friend bool operator==(const MachineFailure &, const MachineFailure &) = default;
};

// A host, or a GPU of it, that gets no new tasks because several in a row failed there in the same way.
struct Quarantine {
    QString gpu; // UUID; empty: the whole host
    int index = -1; // of the GPU
    QString kind; // of the cause (engine/core/machinefault.h)
    qint64 since = 0;
    QList<MachineFailure> failures; // what speaks against it, the oldest first
    friend bool operator==(const Quarantine &, const Quarantine &) = default;
};

// An address at which other hosts may reach a host.
struct AddressOfHost {
    QString interface, address;
    int prefix = 0; // bits of its network
    friend bool operator==(const AddressOfHost &, const AddressOfHost &) = default;
};

// A job of this engine that has tasks on a host.
struct JobOnHost {
    qint64 id = 0;
    QString name;
    int tasks = 0;
    friend bool operator==(const JobOnHost &, const JobOnHost &) = default;
};

struct HostInfo {
    QString id; // "local", or the name given by the user
    QString label; // what people read: host name
    QString target; // user@host for ssh, empty for this computer
    HostState state = HostState::Unknown;
    qint64 lastSeen = {}; // ms UTC, of one that is not online; 0: it has not been online since the engine began
    QString error; // code of a sentence: why it is not online, or what is wrong there although it is
    QJsonObject errorArgs;
    int cpus = 0;
    double cpuPercent = -1;
    qint64 memoryMiB = 0, memoryUsedMiB = 0;
    QList<GpuInfo> gpus;
    int tasks = 0; // of this engine, running
    QList<JobOnHost> jobs = {}; // whose they are, the oldest first
    qint64 diskFreeMiB = -1; // where its tasks write; -1: not known
    bool diskLow = false; // less is free than the settings want to be warned of
    QString hold; // code of why nothing new starts there ("wait.disk"), or empty
    QJsonObject holdArgs = {};
    QStringList runtimes; // container programs that are there and answer: podman, docker, apptainer
    QString runIn = {}; // the one that tasks with an image run in when nothing else is said; empty: a shell
    QList<HostStep> steps = {}; // of the last connection, or of the one that is being made, also by a check
    QString ssh = {}; // what a person types to log in there; empty for this computer
    QString banner = {}; // what its shell prints before it runs a command, where that is anything
    // What its user says of its use.
    QStringList labels = {}; // which jobs may ask for
    bool drained = false; // nothing new starts there; what runs there continues
    QString hours = {}; // in which nothing new starts there ("Mon-Fri 09:00-17:00"); empty: none
    QList<Quarantine> quarantines = {}; // of the host or its GPUs
    QString address = {}; // for tasks on other hosts: an address or an interface that the user has set; empty: chosen
    QList<AddressOfHost> addresses = {}; // among which
    // A check of a connected host makes a second connection. Waiting: there was none since it was connected.
    StepState check = StepState::Waiting;
    QString checkError = {}; // code of a sentence: why that could not be made
    QJsonObject checkErrorArgs = {};
    QString filesFolder = {}; // where Trainyard keeps files of jobs on an ssh host, as last known; empty: not known
    QStringList silentRuntimes = {}; // container programs that are there, and whose daemon does not answer: docker
    // Only in lists: ms UTC, when one that is online last said something, which it does each second; 0: it is not
    // online.
    qint64 heard = {};
    QJsonObject toJson() const;
    static HostInfo fromJson(const QJsonObject &json);
    friend bool operator==(const HostInfo &, const HostInfo &) = default;
};

} // namespace trainyard
