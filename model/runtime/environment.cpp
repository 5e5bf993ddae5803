// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/environment.h"

#include "model/template/pluginsteps.h"

namespace trainyard
{

namespace
{

using Variables = QList<std::pair<QString, QString>>;

// The limits of Linux: one string of at most 128 KiB, and environment and arguments together a quarter of the stack
// limit (2 MiB by default). Variables of peers are set for as many of them as fit.
constexpr qsizetype maxVariableBytes = 120 * 1024;
constexpr qsizetype maxGlobalBytes = 1200 * 1024;

QString numberList(const QList<int> &numbers)
{
    QStringList texts;
    texts.reserve(numbers.size());
    for (const int number : numbers) {
        texts.append(QString::number(number));
    }
    return texts.join(QLatin1Char(','));
}

int firstPort(const TaskPlacement &placement, QLatin1String label)
{
    for (const auto &[name, numbers] : placement.ports) {
        if (name == label && !numbers.isEmpty()) {
            return numbers.first();
        }
    }
    return 0;
}

QString portText(int port) { return port > 0 ? QString::number(port) : QString(); }

// Names come out once; the first one wins.
class Builder
{
public:
    void add(const QString &name, const QString &value)
    {
        if (value.size() > maxVariableBytes) {
            return;
        }
        const qsizetype known = m_names.size();
        m_names.insert(name);
        if (m_names.size() == known) {
            return;
        }
        m_bytes += name.size() + value.size() + 2;
        m_variables.append({name, value});
    }
    bool hasRoom() const { return m_bytes < maxGlobalBytes; }
    Variables variables() const { return m_variables; }

private:
    Variables m_variables;
    QSet<QString> m_names;
    qsizetype m_bytes = 0;
};

// The variables of a role in the old scripts, also by its number.
QString hostList(const QList<TaskPlacement> &placements, const QList<qsizetype> &tasks)
{
    QStringList hosts;
    for (const qsizetype i : tasks) {
        const TaskPlacement &placement = placements.at(i);
        if (!placement.address.isEmpty()) {
            const bool isV6 = placement.address.contains(QLatin1Char(':'));
            const QString host = isV6 ? QLatin1Char('[') + placement.address + QLatin1Char(']') : placement.address;
            hosts.append(host + QLatin1Char(':') + portText(firstPort(placement, QLatin1String("http"))));
        }
    }
    return hosts.join(QLatin1Char(','));
}

// The name of a role in version 1, if it was different (written by the import).
QString oldNameOf(const JobSpec &job, const QString &role)
{
    const Value *at = &job.extras;
    for (const QString &key : {QStringLiteral("trainyard"), QStringLiteral("legacy"), QStringLiteral("roles"), role,
             QStringLiteral("name")}) {
        at = at->find(key);
        if (!at) {
            return {};
        }
    }
    return at->asString() ? *at->asString() : QString();
}

} // namespace

QString wordOfRole(const QString &role)
{
    QString word;
    for (const QChar c : role) {
        const bool isWord = (c >= QLatin1Char('a') && c <= QLatin1Char('z'))
            || (c >= QLatin1Char('A') && c <= QLatin1Char('Z')) || (c >= QLatin1Char('0') && c <= QLatin1Char('9'));
        word += isWord ? c : QLatin1Char('_');
    }
    return word;
}

QString squeezedRoleName(const QString &role)
{
    QString squeezed;
    for (const QChar c : role.toLower()) {
        if ((c >= QLatin1Char('a') && c <= QLatin1Char('z')) || (c >= QLatin1Char('0') && c <= QLatin1Char('9'))) {
            squeezed += c;
        }
    }
    return squeezed;
}

QList<QStringList> spellingsOfRoles(const JobSpec &job)
{
    // A role's second spelling, unless another role has it or it is the same.
    QHash<QString, int> spellings;
    for (const TaskRole &role : job.taskRoles) {
        ++spellings[role.name];
        if (squeezedRoleName(role.name) != role.name) {
            ++spellings[squeezedRoleName(role.name)];
        }
    }
    // For version 1: the name as it was, which the environment of a process may have even if no shell can write it, and
    // as a shell can. A name that belongs to another role stays with that role.
    QHash<QString, QStringList> oldSpellings;
    for (const TaskRole &role : job.taskRoles) {
        const QString old = oldNameOf(job, role.name);
        for (const QString &name : {old, wordOfRole(old)}) {
            if (name.isEmpty() || name.contains(QLatin1Char('=')) || name.contains(QChar(0))
                || spellings.contains(name)) {
                continue;
            }
            ++spellings[name];
            oldSpellings[role.name].append(name);
        }
    }
    QList<QStringList> all;
    for (const TaskRole &role : job.taskRoles) {
        const QString squeezed = squeezedRoleName(role.name);
        const bool second = squeezed != role.name && !squeezed.isEmpty() && spellings.value(squeezed) == 1;
        all.append(
            (second ? QStringList{squeezed, role.name} : QStringList{role.name}) + oldSpellings.value(role.name));
    }
    return all;
}

Variables serverEnvironment(const JobSpec &job, const QString &user, const QString &roleName, int index)
{
    Variables out;
    const auto add = [&out](const QString &name, const QString &value) { out.append({name, value}); };
    const auto addAll = [&add](std::initializer_list<const char *> names, const QString &value) {
        for (const char *name : names) {
            add(QString::fromLatin1(name), value);
        }
    };
    QStringList names;
    qint64 total = 0;
    for (const TaskRole &role : job.taskRoles) {
        names.append(role.name);
        total += role.instances;
    }
    const QString count = QString::number(names.size());
    const QString list = names.join(QLatin1Char(','));
    addAll({"PAI_FRAMEWORK_NAME", "PAI_JOB_NAME"}, user + QLatin1Char('~') + job.name);
    addAll({"PAI_USER_NAME", "PAI_USERNAME"}, user);
    addAll({"PAI_DEFAULT_FS_URI"}, QString());
    addAll({"PAI_VIRTUAL_CLUSTER"}, job.virtualCluster.isEmpty() ? QStringLiteral("default") : job.virtualCluster);
    addAll({"PAI_TASK_ROLE_COUNT", "PAI_TASK_ROLES_NUM", "PAI_JOB_TASK_ROLE_COUNT"}, count);
    addAll({"PAI_TASK_ROLE_LIST", "PAI_JOB_TASK_ROLE_LIST"}, list);
    addAll({"PAI_TASKS_NUM", "PAI_JOB_TASK_COUNT"}, QString::number(total));
    for (const TaskRole &role : job.taskRoles) {
        const qint64 succeeded = role.completion.minSucceededInstances.value_or(role.instances);
        add(QStringLiteral("PAI_TASK_ROLE_TASK_COUNT_") + role.name, QString::number(role.instances));
        add(QStringLiteral("PAI_RESOURCE_") + role.name,
            QStringLiteral("%1,%2,%3,%4")
                .arg(role.resources.gpu)
                .arg(role.resources.cpu)
                .arg(role.resources.memoryMiB)
                .arg(role.shmMiB.value_or(0)));
        add(QStringLiteral("PAI_MIN_FAILED_TASK_COUNT_") + role.name, QString::number(role.effectiveMinFailed()));
        add(QStringLiteral("PAI_MIN_SUCCEEDED_TASK_COUNT_") + role.name, QString::number(succeeded));
    }
    if (const TaskRole *role = roleName.isEmpty() ? nullptr : job.role(roleName)) {
        addAll({"PAI_CURRENT_TASK_ROLE_NAME"}, role->name);
        addAll({"PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX", "PAI_TASK_INDEX", "FC_TASK_INDEX"}, QString::number(index));
        addAll({"FC_TASKROLE_NAME"}, squeezedRoleName(role->name));
        if (role->resources.gpu == 0) {
            addAll({"NVIDIA_VISIBLE_DEVICES"}, QStringLiteral("none"));
        }
    }
    return out;
}

TaskEnvironment::TaskEnvironment(
    const JobSpec &job, const JobIdentity &identity, const QList<TaskPlacement> &placements)
    : m_job(job), m_identity(identity), m_placements(placements)
{
    for (qsizetype i = 0; i < m_job.taskRoles.size(); ++i) {
        m_roles.insert(m_job.taskRoles.at(i).name, i);
    }
    QHash<QString, QList<qsizetype>> tasksOfRole;
    for (qsizetype i = 0; i < m_placements.size(); ++i) {
        const TaskPlacement &placement = m_placements.at(i);
        m_tasks.insert({placement.role, placement.index}, i);
        tasksOfRole[placement.role].append(i);
    }
    for (QList<qsizetype> &tasks : tasksOfRole) {
        std::sort(tasks.begin(), tasks.end(),
            [&](qsizetype a, qsizetype b) { return m_placements.at(a).index < m_placements.at(b).index; });
    }
    const QList<QStringList> spellings = spellingsOfRoles(m_job);

    Builder out;
    const auto add = [&out](const char *name, const QString &value) { out.add(QString::fromLatin1(name), value); };
    const QString fullName = m_identity.user + QLatin1Char('~') + m_identity.jobName;
    QStringList roleNames;
    QStringList instances;
    qint64 total = 0;
    for (const TaskRole &role : m_job.taskRoles) {
        roleNames.append(role.name);
        total += role.instances;
    }
    const QString virtualCluster = m_job.virtualCluster.isEmpty() ? QStringLiteral("default") : m_job.virtualCluster;
    add("PAI_FRAMEWORK_NAME", fullName);
    add("PAI_JOB_NAME", fullName);
    add("PAI_USER_NAME", m_identity.user);
    add("PAI_USERNAME", m_identity.user);
    add("PAI_DEFAULT_FS_URI", QString());
    add("PAI_VIRTUAL_CLUSTER", virtualCluster);
    for (const char *name : {"PAI_TASK_ROLE_COUNT", "PAI_TASK_ROLES_NUM", "PAI_JOB_TASK_ROLE_COUNT"}) {
        add(name, QString::number(roleNames.size()));
    }
    for (const char *name : {"PAI_TASK_ROLE_LIST", "PAI_JOB_TASK_ROLE_LIST"}) {
        add(name, roleNames.join(QLatin1Char(',')));
    }
    for (const char *name : {"PAI_TASKS_NUM", "PAI_JOB_TASK_COUNT"}) {
        add(name, QString::number(total));
    }
    // Names of the older servers. Nothing is unset: tasks run under nounset.
    add("PAI_JOB_VC_NAME", virtualCluster);
    add("PAI_KILL_ALL_ON_COMPLETED_TASK_NUM", QString::number(m_job.completedLimit()));
    for (const char *name : {"PAI_DATA_DIR", "PAI_OUTPUT_DIR", "PAI_CODE_DIR"}) {
        add(name, QString());
    }
    add("FRAMEWORK_NAME", fullName);
    add("APP_ID", m_identity.uuid);
    add("HADOOP_USER_NAME", m_identity.user);
    add("FC_FRAMEWORK_NAME", fullName);
    add("FC_FRAMEWORK_ATTEMPT_ID", QString::number(m_identity.attempt));
    add("TRAINYARD_JOB_NAME", m_identity.jobName);
    add("TRAINYARD_JOB_ID", m_identity.uuid);
    add("TRAINYARD_JOB_ATTEMPT", QString::number(m_identity.attempt));

    for (qsizetype i = 0; i < m_job.taskRoles.size(); ++i) {
        const TaskRole &role = m_job.taskRoles.at(i);
        const QString resources = QStringLiteral("%1,%2,%3,%4")
                                      .arg(role.resources.gpu)
                                      .arg(role.resources.cpu)
                                      .arg(role.resources.memoryMiB)
                                      .arg(role.shmMiB.value_or(0));
        const QString hosts = hostList(m_placements, tasksOfRole.value(role.name));
        for (const QString &name : spellings.at(i)) {
            out.add(QStringLiteral("PAI_TASK_ROLE_TASK_COUNT_") + name, QString::number(role.instances));
            out.add(QStringLiteral("PAI_RESOURCE_") + name, resources);
            out.add(QStringLiteral("PAI_MIN_FAILED_TASK_COUNT_") + name, QString::number(role.effectiveMinFailed()));
            out.add(
                QStringLiteral("PAI_MIN_SUCCEEDED_TASK_COUNT_") + name, QString::number(minSucceededOf(m_job, role)));
            out.add(QStringLiteral("PAI_TASK_ROLE_") + name + QStringLiteral("_HOST_LIST"), hosts);
        }
        out.add(QStringLiteral("PAI_TASK_ROLE_%1_HOST_LIST").arg(i), hosts);
        const QString squeezed = squeezedRoleName(role.name);
        for (const qsizetype task : tasksOfRole.value(role.name)) {
            instances.append((squeezed.isEmpty() ? role.name : squeezed) + QLatin1Char(':')
                + QString::number(m_placements.at(task).index));
        }
    }
    add("PAI_TASK_ROLE_INSTANCES", instances.join(QLatin1Char(',')));

    for (qsizetype i = 0; i < m_job.taskRoles.size(); ++i) {
        const TaskRole &role = m_job.taskRoles.at(i);
        const QStringList &names = spellings.at(i);
        for (const qsizetype task : tasksOfRole.value(role.name)) {
            if (!out.hasRoom()) {
                break;
            }
            const TaskPlacement &placement = m_placements.at(task);
            for (const QString &name : names) {
                const QString place = name + QLatin1Char('_') + QString::number(placement.index);
                for (const auto &[label, numbers] : placement.ports) {
                    const QString list = numberList(numbers);
                    out.add(QStringLiteral("PAI_PORT_LIST_") + place + QLatin1Char('_') + label, list);
                    out.add(QStringLiteral("PAI_") + place + QLatin1Char('_') + label + QStringLiteral("_PORT"), list);
                }
                if (!placement.address.isEmpty()) {
                    out.add(QStringLiteral("PAI_HOST_IP_") + place, placement.address);
                }
            }
        }
    }
    m_global = out.variables();
}

Variables TaskEnvironment::forTask(const QString &role, int index, int taskTry, const QString &workDir) const
{
    return m_global + ownOfTask(role, index, taskTry, workDir);
}

Variables TaskEnvironment::ownOfTask(const QString &role, int index, int taskTry, const QString &workDir) const
{
    Variables own;
    const auto add = [&own](const char *name, const QString &value) { own.append({QString::fromLatin1(name), value}); };
    const auto roleAt = m_roles.constFind(role);
    const TaskRole spec = roleAt == m_roles.constEnd() ? TaskRole{} : m_job.taskRoles.at(roleAt.value());
    const auto taskAt = m_tasks.constFind({role, index});
    const TaskPlacement placement = taskAt == m_tasks.constEnd() ? TaskPlacement{} : m_placements.at(taskAt.value());
    const QString number = QString::number(index);

    for (const char *name : {"PAI_CURRENT_TASK_ROLE_NAME", "PAI_TASK_ROLE_NAME"}) {
        add(name, role);
    }
    for (const char *name :
        {"PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX", "PAI_TASK_INDEX", "PAI_TASK_ROLE_INDEX", "FC_TASK_INDEX"}) {
        add(name, number);
    }
    add("FC_TASKROLE_NAME", squeezedRoleName(role));
    add("FC_TASK_ATTEMPT_ID", QString::number(taskTry));
    add("TRAINYARD_TASK_TRY", QString::number(taskTry));
    for (const char *name : {"PAI_CURRENT_TASK_ROLE_TASK_COUNT", "PAI_TASK_ROLE_NUM"}) {
        add(name, QString::number(spec.instances));
    }
    for (const char *name : {"PAI_CURRENT_TASK_ROLE_CPU_COUNT", "PAI_TASK_CPU_NUM"}) {
        add(name, QString::number(spec.resources.cpu));
    }
    for (const char *name : {"PAI_CURRENT_TASK_ROLE_MEM_MB", "PAI_TASK_MEM_MB"}) {
        add(name, QString::number(spec.resources.memoryMiB));
    }
    for (const char *name : {"PAI_CURRENT_TASK_ROLE_GPU_COUNT", "PAI_TASK_GPU_NUM"}) {
        add(name, QString::number(spec.resources.gpu));
    }
    add("PAI_CURRENT_TASK_ROLE_SHM_MB", QString::number(spec.effectiveShmMiB()));
    add("PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT", QString::number(spec.effectiveMinFailed()));
    add("PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT", QString::number(minSucceededOf(m_job, spec)));

    const QString http = portText(firstPort(placement, QLatin1String("http")));
    for (const char *name : {"PAI_CURRENT_CONTAINER_IP", "PAI_CONTAINER_HOST_IP"}) {
        add(name, placement.address);
    }
    for (const char *name : {"PAI_CURRENT_CONTAINER_PORT", "PAI_CONTAINER_HOST_PORT"}) {
        add(name, http);
    }
    add("PAI_CONTAINER_SSH_PORT", portText(firstPort(placement, QLatin1String("ssh"))));
    QString all;
    for (const auto &[label, numbers] : placement.ports) {
        const QString list = numberList(numbers);
        own.append({QStringLiteral("PAI_CONTAINER_HOST_") + label + QStringLiteral("_PORT_LIST"), list});
        all += label + QLatin1Char(':') + list + QLatin1Char(';');
    }
    add("PAI_CONTAINER_HOST_PORT_LIST", all);
    add("PAI_CONTAINER_ID", m_identity.uuid + QLatin1Char('-') + role + QLatin1Char('-') + number);
    add("PAI_RESOURCE",
        QStringLiteral("%1,%2,%3,%4")
            .arg(spec.resources.gpu)
            .arg(spec.resources.cpu)
            .arg(spec.resources.memoryMiB)
            .arg(spec.shmMiB.value_or(0)));
    add("PAI_WORK_DIR", workDir);
    return own;
}

Variables TaskEnvironment::besides(const TaskEnvironment &other) const
{
    if (&other == this) {
        return {};
    }
    QHash<QString, QString> known;
    known.reserve(other.m_global.size());
    for (const auto &[name, value] : other.m_global) {
        known.insert(name, value);
    }
    Variables left;
    for (const auto &variable : m_global) {
        const auto it = known.constFind(variable.first);
        if (it == known.cend() || *it != variable.second) {
            left.append(variable);
        }
    }
    return left;
}

} // namespace trainyard
