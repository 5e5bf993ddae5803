// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobspec.h"

#include <QRegularExpression>

#include <algorithm>
#include <limits>

namespace trainyard
{

qint64 TaskRole::effectiveMinFailed() const { return completion.minFailedInstances.value_or(1); }

// The manual's default. A server takes the number of instances; jobs with several roles get a diagnostic about it.
qint64 TaskRole::effectiveMinSucceeded() const { return completion.minSucceededInstances.value_or(-1); }

qint64 TaskRole::effectiveShmMiB() const
{
    constexpr qint64 usual = 512;
    return shmMiB.value_or(usual);
}

QList<Port> TaskRole::effectivePorts() const
{
    QList<Port> ports = resources.ports;
    for (const QString &label : {QStringLiteral("ssh"), QStringLiteral("http")}) {
        const bool written
            = std::any_of(ports.cbegin(), ports.cend(), [&](const Port &port) { return port.label == label; });
        if (!written) {
            ports.append({label, 1});
        }
    }
    return ports;
}

bool isDataName(const QString &name)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z][A-Za-z0-9_-]{0,63}\\z"));
    return plain.match(name).hasMatch();
}

QString dataVariable(const QString &name)
{
    return QStringLiteral("TRAINYARD_DATA_") + name.toUpper().replace(QLatin1Char('-'), QLatin1Char('_'));
}

static const QList<std::pair<Arrangement, QString>> &arrangements()
{
    static const QList<std::pair<Arrangement, QString>> all{{Arrangement::SameHost, QStringLiteral("same-host")},
        {Arrangement::DifferentHosts, QStringLiteral("different-hosts")}, {Arrangement::Pack, QStringLiteral("pack")},
        {Arrangement::Spread, QStringLiteral("spread")}};
    return all;
}

Arrangement arrangementOf(const QString &word)
{
    for (const auto &[arrangement, name] : arrangements()) {
        if (name == word) {
            return arrangement;
        }
    }
    return Arrangement::Any;
}

QString arrangementWord(Arrangement arrangement)
{
    for (const auto &[each, name] : arrangements()) {
        if (each == arrangement) {
            return name;
        }
    }
    return {};
}

HostRule TrainyardExtras::hostRule(const QString &role) const
{
    HostRule rule = hosts.value(QStringLiteral("*"));
    const HostRule own = hosts.value(role);
    rule.names = own.names.isEmpty() ? rule.names : own.names;
    rule.labels = own.labels.isEmpty() ? rule.labels : own.labels;
    rule.arrange = own.arrange == Arrangement::Any ? rule.arrange : own.arrange;
    return rule;
}

int JobSpec::completedLimit() const
{
    const Value *own = extras.find(QStringLiteral("trainyard"));
    const Value *legacy = own ? own->find(QStringLiteral("legacy")) : nullptr;
    const Value *limit = legacy ? legacy->find(QStringLiteral("killAllOnCompletedTaskNumber")) : nullptr;
    return limit && limit->asInt() ? int(std::clamp<qint64>(*limit->asInt(), 0, std::numeric_limits<int>::max())) : 0;
}

const TaskRole *JobSpec::role(const QString &roleName) const
{
    for (const TaskRole &item : taskRoles) {
        if (item.name == roleName) {
            return &item;
        }
    }
    return nullptr;
}

const Prerequisite *JobSpec::prerequisite(const QString &type, const QString &prerequisiteName) const
{
    for (const Prerequisite &item : prerequisites) {
        if (item.type == type && item.name == prerequisiteName) {
            return &item;
        }
    }
    return nullptr;
}

const Prerequisite *JobSpec::prerequisite(const QString &prerequisiteName) const
{
    for (auto it = prerequisites.crbegin(); it != prerequisites.crend(); ++it) {
        if (it->name == prerequisiteName) {
            return &*it;
        }
    }
    return nullptr;
}

const DeploymentCommands *JobSpec::activeDeployment(const QString &roleName) const
{
    for (const Deployment &deployment : deployments) {
        if (deployment.name != defaultDeployment || defaultDeployment.isEmpty()) {
            continue;
        }
        for (const DeploymentCommands &commands : deployment.roles) {
            if (commands.role == roleName) {
                return &commands;
            }
        }
        return nullptr;
    }
    return nullptr;
}

// Linux's numbers, which a job must not depend on the machine of the designer for.
static constexpr std::pair<const char *, int> stopSignals[]
    = {{"TERM", 15}, {"INT", 2}, {"HUP", 1}, {"QUIT", 3}, {"USR1", 10}, {"USR2", 12}};

int stopSignalOf(const QString &word)
{
    QString name = word.toUpper();
    if (name.startsWith(QLatin1String("SIG"))) {
        name.remove(0, 3);
    }
    for (const auto &[known, number] : stopSignals) {
        if (name == QLatin1String(known) || word == QString::number(number)) {
            return number;
        }
    }
    return 0;
}

} // namespace trainyard

template class QList<trainyard::TaskRole>;
template class QList<trainyard::Prerequisite>;
template class QList<trainyard::Port>;
