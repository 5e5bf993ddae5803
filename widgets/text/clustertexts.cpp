// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/clustertexts.h"

#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/slurmtexts.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>
#include <optional>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

struct ClusterTexts {
    Q_DECLARE_TR_FUNCTIONS(ClusterTexts)
};

QString partitionLine(const QJsonObject &partition)
{
    const int nodes = partition.value("nodes"_L1).toInt();
    const QString count = partition.value("cpus"_L1).toString(); // "64+": at least
    const QString cores = count == "1"_L1 ? formatCores(1) : ClusterTexts::tr("%1 cores").arg(count);
    QStringList words{nodes == 1 ? ClusterTexts::tr("1 node with %1").arg(cores)
                                 : ClusterTexts::tr("%1 nodes with %2 each").arg(QString::number(nodes), cores)};
    if (const QString gpus = partition.value("gpus"_L1).toString(); !gpus.isEmpty()) {
        words.append(gpus);
    }
    const QString limit = partition.value("limit"_L1).toString();
    words.append(
        limit == "infinite"_L1 ? ClusterTexts::tr("no time limit") : ClusterTexts::tr("time limit %1").arg(limit));
    if (!partition.value("isUp"_L1).toBool()) {
        words.append(ClusterTexts::tr("takes no jobs"));
    } else if (const QString away = slurmAwayText(partition); !away.isEmpty()) {
        words.append(away);
    }
    return ClusterTexts::tr("partition %1: %2").arg(partition.value("name"_L1).toString(), words.join(u", "_s));
}

// The facts of a step of a Kubernetes cluster; nothing when the step is another kind's.
std::optional<QString> kubernetesFact(const ClusterStep &step)
{
    if (step.id == "answers"_L1 && step.args.contains("server"_L1)) {
        return ClusterTexts::tr("Kubernetes %1").arg(step.args.value("server"_L1).toString());
    }
    if (step.id == "jobset"_L1) {
        return ClusterTexts::tr("JobSets are known");
    }
    if (step.id == "rights"_L1) {
        return ClusterTexts::tr("this user may make and delete JobSets and read their output");
    }
    if (step.id == "namespace"_L1) {
        return ClusterTexts::tr("it is there");
    }
    if (step.id == "queue"_L1) {
        return step.args.value("queue"_L1).toString();
    }
    if (step.id == "nodes"_L1) {
        const qint64 gpus = step.args.value("gpus"_L1).toInteger();
        return ClusterTexts::tr("%1 of %2 nodes ready, %3")
            .arg(QString::number(step.args.value("ready"_L1).toInt()),
                QString::number(step.args.value("nodes"_L1).toInt()),
                gpus == 1 ? ClusterTexts::tr("1 GPU") : ClusterTexts::tr("%1 GPUs").arg(gpus));
    }
    return std::nullopt;
}

QString virtualClusterLine(const QJsonObject &cluster)
{
    const QString name = cluster.value("name"_L1).toString();
    const int gpus = cluster.value("gpus"_L1).toInt(), free = cluster.value("freeGpus"_L1).toInt();
    QString line = gpus == 0 ? ClusterTexts::tr("virtual cluster %1: no GPUs").arg(name)
                             : ClusterTexts::tr("virtual cluster %1: %2 of %3 GPUs free")
                                   .arg(name, QString::number(free), QString::number(gpus));
    return cluster.value("isOwn"_L1).toBool() ? line : ClusterTexts::tr("%1, not for this user").arg(line);
}

// The facts of a step of an OpenPAI cluster.
QStringList openPaiStepFacts(const ClusterStep &step)
{
    if (step.id == "login"_L1) {
        return {ClusterTexts::tr("logged in as %1").arg(step.args.value("user"_L1).toString())};
    }
    if (step.id == "storages"_L1) {
        const QString names = step.args.value("names"_L1).toVariant().toStringList().join(u", "_s);
        return {names.isEmpty() ? ClusterTexts::tr("none") : names};
    }
    if (step.id == "skus"_L1) {
        const QJsonArray skus = step.args.value("skus"_L1).toArray();
        QStringList lines;
        for (const QJsonValue &each : skus) {
            lines.append(skuText(each.toObject()));
        }
        return lines.isEmpty() ? QStringList{ClusterTexts::tr("none: jobs ask for GPUs, cores and memory")} : lines;
    }
    if (step.id == "answers"_L1) {
        return {ClusterTexts::tr("OpenPAI %1 at %2")
                    .arg(step.args.value("version"_L1).toString(), step.args.value("address"_L1).toString())};
    }
    QStringList lines;
    const QJsonArray clusters = step.args.value("clusters"_L1).toArray();
    for (const QJsonValue &each : clusters) {
        lines.append(virtualClusterLine(each.toObject()));
    }
    return lines;
}

bool isOpenPaiStep(const ClusterStep &step)
{
    return step.id == "login"_L1 || step.id == "storages"_L1 || step.id == "skus"_L1 || step.id == "virtual-clusters"_L1
        || (step.id == "answers"_L1 && step.args.contains("address"_L1));
}

} // namespace

QString skuText(const QJsonObject &sku)
{
    const qint64 gpus = sku.value("gpus"_L1).toInteger(), cpus = sku.value("cpus"_L1).toInteger();
    return ClusterTexts::tr("%1: %2, %3, %4")
        .arg(sku.value("name"_L1).toString(),
            gpus == 1 ? ClusterTexts::tr("1 GPU") : ClusterTexts::tr("%1 GPUs").arg(gpus), formatCores(cpus),
            formatMiB(sku.value("memoryMiB"_L1).toInteger()));
}

QString clusterKindText(const QString &kind)
{
    return kind == "slurm"_L1    ? u"Slurm"_s
        : kind == openPaiKind    ? u"OpenPAI"_s
        : kind == kubernetesKind ? u"Kubernetes"_s
                                 : kind;
}

QString clusterTitle(const QString &name, const QString &kind)
{
    return ClusterTexts::tr("%1 (%2)").arg(name, clusterKindText(kind));
}

QString clusterTroubleText(const ClusterInfo &cluster)
{
    return !cluster.error.isEmpty() ? reasonText(cluster.error, cluster.errorArgs)
        : cluster.isNamed           ? QString()
                                    : ClusterTexts::tr("removed; followed until its jobs end");
}

bool isSilentCluster(const ClusterInfo &cluster)
{
    static const QStringList codes{u"slurm.silent"_s, u"slurm.login-away"_s, u"kubernetes.silent"_s,
        u"openpai.silent"_s, u"openpai.busy"_s, u"openpai.no-host"_s, u"openpai.proxy"_s};
    // The engine asks a cluster by itself only while it has jobs.
    const bool isOfCheck = cluster.error.isEmpty() && cluster.allocations == 0;
    return codes.contains(cluster.error)
        || (isOfCheck && std::any_of(cluster.steps.cbegin(), cluster.steps.cend(), [](const ClusterStep &step) {
               return !step.isGood && codes.contains(step.code);
           }));
}

bool failsCheck(const ClusterInfo &cluster)
{
    return cluster.error.isEmpty() && cluster.isNamed && cluster.allocations == 0 && !isSilentCluster(cluster)
        && std::any_of(
            cluster.steps.cbegin(), cluster.steps.cend(), [](const ClusterStep &step) { return !step.isGood; });
}

QString clusterStateText(const ClusterInfo &cluster)
{
    if (isSilentCluster(cluster)) {
        return ClusterTexts::tr("does not answer");
    }
    if (failsCheck(cluster)) {
        return ClusterTexts::tr("check failed");
    }
    const bool hasJobs = cluster.kind == openPaiKind && cluster.error.isEmpty() && cluster.isNamed;
    if (hasJobs) {
        return cluster.allocations == 0 ? ClusterTexts::tr("no job")
            : cluster.allocations == 1  ? ClusterTexts::tr("1 job")
                                        : ClusterTexts::tr("%1 jobs").arg(cluster.allocations);
    }
    if (cluster.kind == kubernetesKind && cluster.error.isEmpty() && cluster.isNamed) {
        return cluster.allocations == 0 ? ClusterTexts::tr("no JobSet")
            : cluster.allocations == 1  ? ClusterTexts::tr("1 JobSet")
                                        : ClusterTexts::tr("%1 JobSets").arg(cluster.allocations);
    }
    return cluster.error.startsWith("openpai.no-token"_L1) ? ClusterTexts::tr("needs your token")
        : !cluster.error.isEmpty()                         ? ClusterTexts::tr("cannot be used")
        : !cluster.isNamed                                 ? ClusterTexts::tr("removed")
        : cluster.allocations == 0                         ? ClusterTexts::tr("no allocation")
        : cluster.allocations == 1                         ? ClusterTexts::tr("1 allocation")
                                   : ClusterTexts::tr("%1 allocations").arg(cluster.allocations);
}

StepState clusterStepState(const ClusterStep &step)
{
    const bool isWarning = step.id == "modules"_L1 && !step.code.isEmpty(); // the nodes may have them nevertheless
    return !step.isGood ? StepState::Failed : isWarning ? StepState::Warned : StepState::Passed;
}

QString clusterStepName(const ClusterStep &step)
{
    return step.id == "commands"_L1        ? ClusterTexts::tr("Commands")
        : step.id == "answers"_L1          ? ClusterTexts::tr("Answers")
        : step.id == "folder"_L1           ? ClusterTexts::tr("Shared folder")
        : step.id == "images"_L1           ? ClusterTexts::tr("Images")
        : step.id == "modules"_L1          ? ClusterTexts::tr("Modules")
        : step.id == "login-node"_L1       ? ClusterTexts::tr("Login node")
        : step.id == "login"_L1            ? ClusterTexts::tr("Login")
        : step.id == "storages"_L1         ? ClusterTexts::tr("Storages")
        : step.id == "skus"_L1             ? ClusterTexts::tr("SKUs")
        : step.id == "use"_L1              ? ClusterTexts::tr("Your jobs")
        : step.id == "limits"_L1           ? ClusterTexts::tr("Your limits")
        : step.id == "jobset"_L1           ? ClusterTexts::tr("JobSet")
        : step.id == "rights"_L1           ? ClusterTexts::tr("Rights")
        : step.id == "namespace"_L1        ? ClusterTexts::tr("Namespace")
        : step.id == "queue"_L1            ? ClusterTexts::tr("Queue")
        : step.id == "nodes"_L1            ? ClusterTexts::tr("Nodes")
        : step.id == "virtual-clusters"_L1 ? ClusterTexts::tr("Virtual clusters")
                                           : ClusterTexts::tr("Submission");
}

QStringList clusterStepFacts(const ClusterStep &step)
{
    if (!step.code.isEmpty()) {
        return {reasonText(step.code, step.args)};
    }
    if (const std::optional<QString> fact = kubernetesFact(step)) {
        return {*fact};
    }
    if (step.id == "use"_L1) {
        return slurmUseFacts(step.args);
    }
    if (step.id == "limits"_L1) {
        return slurmLimitFacts(step.args);
    }
    if (isOpenPaiStep(step)) {
        return openPaiStepFacts(step);
    }
    if (step.id == "commands"_L1) {
        return {step.args.value("version"_L1).toString()};
    }
    if (step.id == "login-node"_L1) {
        return {step.args.value("host"_L1).toString()};
    }
    if (step.id == "folder"_L1) {
        const QString folder = step.args.value("folder"_L1).toString();
        return {step.args.value("made"_L1).toBool()
                ? ClusterTexts::tr("%1, which was not there and is made").arg(folder)
                : folder};
    }
    if (step.id == "images"_L1) {
        const QString version = step.args.value("version"_L1).toString();
        return {version.isEmpty() ? ClusterTexts::tr("srun knows --container-image") : version};
    }
    if (step.id == "modules"_L1) {
        return {ClusterTexts::tr("%1 on %2")
                    .arg(step.args.value("modules"_L1).toString(), step.args.value("host"_L1).toString())};
    }
    if (step.id == "submission"_L1) {
        return {step.args.value("detail"_L1).toString()};
    }
    QStringList lines;
    const QJsonArray partitions = step.args.value("partitions"_L1).toArray();
    for (const QJsonValue &each : partitions) {
        lines.append(partitionLine(each.toObject()));
    }
    return lines.isEmpty() ? QStringList{ClusterTexts::tr("it has no partitions that this user sees")} : lines;
}

QList<QStringList> clusterStepRows(const ClusterInfo &cluster)
{
    QList<QStringList> rows;
    for (const ClusterStep &step : cluster.steps) {
        const QStringList facts = clusterStepFacts(step);
        const StepState state = clusterStepState(step);
        const QString word = state == StepState::Failed ? ClusterTexts::tr("no")
            : state == StepState::Warned                ? ClusterTexts::tr("warning")
                                                        : ClusterTexts::tr("ok");
        for (qsizetype i = 0; i < facts.size(); ++i) {
            rows.append({i == 0 ? clusterStepName(step) : QString(), i == 0 ? word : QString(), facts.at(i)});
        }
    }
    return rows;
}

QString clusterJobStateText(const QString &state)
{
    return state == "WAITING"_L1  ? ClusterTexts::tr("Waiting")
        : state == "RUNNING"_L1   ? ClusterTexts::tr("Running")
        : state == "STOPPING"_L1  ? ClusterTexts::tr("Stopping")
        : state == "STOPPED"_L1   ? ClusterTexts::tr("Stopped")
        : state == "SUCCEEDED"_L1 ? ClusterTexts::tr("Succeeded")
        : state == "FAILED"_L1    ? ClusterTexts::tr("Failed")
                                  : state;
}

QString shownClusterJobsText(const ClusterJobs &jobs)
{
    return jobs.total <= jobs.jobs.size() ? QString()
                                          : ClusterTexts::tr("The newest %1 of %2 jobs")
                                                .arg(QString::number(jobs.jobs.size()), QString::number(jobs.total));
}

QString clusterReport(const ClusterInfo &cluster)
{
    QStringList lines{ClusterTexts::tr("Cluster %1").arg(cluster.id)};
    if (!cluster.options.isEmpty()) {
        lines.append((cluster.kind == openPaiKind ? ClusterTexts::tr("Address: %1") : ClusterTexts::tr("Options: %1"))
                         .arg(cluster.options));
    }
    if (!cluster.folder.isEmpty()) {
        lines.append(ClusterTexts::tr("Shared folder: %1").arg(cluster.folder));
    }
    if (!cluster.images.isEmpty()) {
        lines.append(ClusterTexts::tr("Images are entered with: %1").arg(cluster.images));
    }
    if (!cluster.modules.isEmpty()) {
        lines.append(ClusterTexts::tr("Modules: %1").arg(cluster.modules.join(u", "_s)));
    }
    if (!cluster.login.isEmpty()) {
        lines.append(ClusterTexts::tr("Login node: %1").arg(cluster.login));
    }
    lines.append(ClusterTexts::tr("State: %1").arg(clusterStateText(cluster)));
    if (const QString trouble = clusterTroubleText(cluster); !trouble.isEmpty()) {
        lines.append(trouble);
    }
    return (lines + alignedRows(clusterStepRows(cluster))).join(u'\n') + u'\n';
}

} // namespace trainyard
