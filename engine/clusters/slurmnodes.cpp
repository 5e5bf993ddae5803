// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmnodes.h"

#include "engine/clusters/slurmquota.h"

#include <QMap>

#include <algorithm>
#include <vector>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1Char nodeSeparator{'\x1f'};

// The nodes of a partition that have the same GPUs.
struct NodeGroup {
    QString name, limit, gpus;
    bool isDefault = false, isUp = false;
    int nodes = 0, away = 0, fewestCpus = 0, mostCpus = 0, mostGpus = 0;
    qint64 mostMemoryMiB = 0;
    QStringList reasons;

    bool isSame(const NodeGroup &other) const
    {
        return name == other.name && limit == other.limit && gpus == other.gpus && isUp == other.isUp;
    }
    QJsonObject json() const
    {
        return {{u"name"_s, name}, {u"isDefault"_s, isDefault}, {u"isUp"_s, isUp}, {u"limit"_s, limit},
            {u"nodes"_s, nodes},
            {u"cpus"_s, QString(QString::number(fewestCpus) + (mostCpus > fewestCpus ? u"+"_s : QString()))},
            {u"gpus"_s, gpus}, {u"away"_s, away}, {u"reasons"_s, QJsonArray::fromStringList(reasons)},
            {u"largest"_s, QJsonObject{{u"cpus"_s, mostCpus}, {u"memoryMiB"_s, mostMemoryMiB}, {u"gpus"_s, mostGpus}}}};
    }
};

int leadingNumber(QString text)
{
    text.chop(text.endsWith(u'+') ? 1 : 0);
    return text.toInt();
}

} // namespace

QStringList partitionArguments()
{
    const QStringList fields{u"%P"_s, u"%a"_s, u"%l"_s, u"%D"_s, u"%c"_s, u"%G"_s, u"%m"_s, u"%T"_s, u"%E"_s};
    // Without --exact it sums up nodes of different sizes.
    return {u"--noheader"_s, u"--exact"_s, u"--format="_s + fields.join(nodeSeparator)};
}

bool mayAskPartitions(bool areKnown, std::optional<qint64> sinceAskedMs)
{
    constexpr qint64 freshMs = 600'000, pauseMs = 60'000; // after a failure
    return !sinceAskedMs || *sinceAskedMs >= (areKnown ? freshMs : pauseMs);
}

QJsonArray partitionsIn(const QByteArray &said)
{
    std::vector<NodeGroup> groups;
    const QList<QStringList> rows = rowsIn(said, nodeSeparator, 9);
    for (const QStringList &row : rows) {
        NodeGroup group;
        group.name = row.at(0);
        group.isDefault = group.name.endsWith(u'*');
        group.name.chop(group.isDefault ? 1 : 0);
        group.isUp = row.at(1) == "up"_L1;
        group.limit = row.at(2);
        group.gpus = row.at(5).contains("gpu"_L1) ? row.at(5) : QString();
        group.fewestCpus = leadingNumber(row.at(4));
        auto known = std::find_if(
            groups.begin(), groups.end(), [&group](const NodeGroup &each) { return each.isSame(group); });
        if (known == groups.end()) {
            known = groups.insert(groups.end(), group);
        }
        const int nodes = row.at(3).toInt(), cpus = group.fewestCpus;
        known->nodes += nodes;
        known->fewestCpus = std::min(known->fewestCpus, cpus);
        known->mostCpus = std::max(known->mostCpus, cpus);
        known->mostGpus = std::max(known->mostGpus, gpusIn(row.at(5)));
        known->mostMemoryMiB = std::max<qint64>(known->mostMemoryMiB, leadingNumber(row.at(6)));
        if (nodes == 0 || takesJobs(row.at(7))) {
            continue;
        }
        known->away += nodes;
        const bool hasReason = !row.at(8).isEmpty() && row.at(8) != "none"_L1;
        const QString reason = hasReason ? row.at(7) + u": "_s + row.at(8) : row.at(7);
        if (!known->reasons.contains(reason)) {
            known->reasons.append(reason);
        }
    }
    QJsonArray partitions;
    for (const NodeGroup &group : groups) {
        partitions.append(group.json());
    }
    return partitions;
}

QStringList whyAllAreAway(const QJsonArray &partitions)
{
    QStringList reasons;
    for (const QJsonValue &each : partitions) {
        const QJsonObject partition = each.toObject();
        if (partition.value("away"_L1).toInt() < partition.value("nodes"_L1).toInt()) {
            return {};
        }
        reasons += partition.value("reasons"_L1).toVariant().toStringList();
    }
    reasons.removeDuplicates();
    return reasons;
}

bool isOfNodes(const QString &refusal)
{
    static const QStringList words{u"node configuration is not available"_s, u"specification can not be satisfied"_s,
        u"per node can not be satisfied"_s, u"generic resource (gres) specification"_s};
    return std::any_of(words.begin(), words.end(),
        [&refusal](const QString &each) { return refusal.contains(each, Qt::CaseInsensitive); });
}

Error refusalBySize(const QJsonObject &args, const Layout &layout, const QJsonObject &most)
{
    for (const Component &component : layout.components) {
        const QJsonObject asked{
            {u"cpus"_s, component.cpus}, {u"memoryMiB"_s, component.memoryMiB}, {u"gpus"_s, component.gpus}};
        const QStringList keys = most.keys();
        const bool isTooLarge = std::any_of(keys.begin(), keys.end(),
            [&](const QString &key) { return asked.value(key).toInteger() > most.value(key).toInteger(); });
        if (isTooLarge) {
            QJsonObject all = args;
            all.insert(u"asked"_s, asked);
            all.insert(u"most"_s, most);
            return {u"slurm.refused-size"_s, all};
        }
    }
    return {u"slurm.refused"_s, args};
}

int leastNodesFor(const Layout &layout, const QJsonObject &largest)
{
    qint64 nodes = 0;
    for (const Component &component : layout.components) {
        qint64 onNode = largest.isEmpty() ? component.tasks : largest.value("cpus"_L1).toInteger() / component.cpus;
        if (const qint64 memory = component.memoryMiB; memory > 0 && !largest.isEmpty()) {
            onNode = std::min(onNode, largest.value("memoryMiB"_L1).toInteger() / memory);
        }
        if (component.gpus > 0 && !largest.isEmpty()) {
            onNode = std::min(onNode, largest.value("gpus"_L1).toInteger() / component.gpus);
        }
        if (component.arrange == Arrangement::SameHost) {
            onNode = component.tasks; // or it is refused
        } else if (component.arrange == Arrangement::DifferentHosts) {
            onNode = 1;
        }
        onNode = std::max<qint64>(1, onNode); // a task that fits on no node is refused for that
        nodes += (component.tasks + onNode - 1) / onNode;
    }
    return int(nodes);
}

int nodesOfLargest(const QJsonArray &partitions)
{
    QMap<QString, int> nodes;
    for (const QJsonValue &each : partitions) {
        nodes[each.toObject().value("name"_L1).toString()] += each.toObject().value("nodes"_L1).toInt();
    }
    return nodes.isEmpty() ? 0 : *std::max_element(nodes.cbegin(), nodes.cend());
}

Error waitReasonOfComponents(const Error &why, const Layout &layout, const QJsonArray &partitions)
{
    const bool isForNodes = why.code == "wait.slurm-resources"_L1 || why.code == "wait.slurm-priority"_L1;
    const int nodes = nodesOfLargest(partitions), needed = leastNodesFor(layout, largestOf(partitions));
    if (!isForNodes || layout.components.size() < 2 || nodes == 0 || needed <= nodes) {
        return why;
    }
    // Without the time at which Slurm expects it to start, which it postpones again and again.
    return {u"wait.slurm-components"_s,
        {{u"target"_s, why.args.value("target"_L1)}, {u"components"_s, int(layout.components.size())},
            {u"needed"_s, needed}, {u"nodes"_s, nodes}}};
}

} // namespace trainyard::slurm
