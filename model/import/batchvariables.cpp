// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchvariables.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

// Those on a line of their own; and others with the same values.
const QList<QStringList> &linesOfSrun()
{
    static const QList<QStringList> lines{{u"SLURM_PROCID"_s, u"SLURM_NODEID"_s, u"SLURM_LOCALID"_s},
        {u"SLURM_NTASKS"_s, u"SLURM_NPROCS"_s, u"SLURM_STEP_NUM_TASKS"_s, u"SLURM_NTASKS_PER_NODE"_s},
        {u"SLURM_NNODES"_s, u"SLURM_JOB_NUM_NODES"_s, u"SLURM_STEP_NUM_NODES"_s, u"SLURM_CPUS_PER_TASK"_s},
        {u"SLURM_JOB_ID"_s}, {u"SLURM_JOB_NODELIST"_s}};
    return lines;
}

const QList<std::pair<QString, QString>> &sameOfSrun()
{
    static const QList<std::pair<QString, QString>> same{{u"SLURM_JOBID"_s, u"SLURM_JOB_ID"_s},
        {u"SLURM_NODELIST"_s, u"SLURM_JOB_NODELIST"_s}, {u"SLURM_STEP_NODELIST"_s, u"SLURM_JOB_NODELIST"_s}};
    return same;
}

} // namespace

std::optional<QByteArray> valueOfVariable(const QString &variable, const VariablesOf &of)
{
    const bool isArray = !of.ids.isEmpty();
    const auto number = [](qint64 value) { return QByteArray::number(value); };
    const QByteArray task = isArray ? "0" : "$PAI_TASK_INDEX";
    const qint64 instances = isArray ? 1 : of.instances;
    if (variable == "SLURM_PROCID"_L1 || variable == "SLURM_NODEID"_L1) {
        return task;
    }
    if (variable == "SLURM_LOCALID"_L1 || variable == "SLURM_RESTART_COUNT"_L1) {
        return QByteArray("0");
    }
    if (variable == "SLURM_NTASKS"_L1 || variable == "SLURM_NPROCS"_L1 || variable == "SLURM_STEP_NUM_TASKS"_L1) {
        return number(instances * of.tasksInOne);
    }
    if (variable == "SLURM_NNODES"_L1 || variable == "SLURM_JOB_NUM_NODES"_L1
        || variable == "SLURM_STEP_NUM_NODES"_L1) {
        return number(instances); // each task is like a node of its own
    }
    if (variable == "SLURM_NTASKS_PER_NODE"_L1 || variable == "SLURM_TASKS_PER_NODE"_L1) {
        return number(of.tasksInOne);
    }
    if (variable == "SLURM_CPUS_PER_TASK"_L1 || variable == "SLURM_CPUS_ON_NODE"_L1
        || variable == "SLURM_JOB_CPUS_PER_NODE"_L1) {
        return number(variable == "SLURM_CPUS_PER_TASK"_L1 && of.instances == 1 ? of.cpusPerTask : of.demand.cpus);
    }
    if (variable == "SLURM_GPUS_ON_NODE"_L1 || variable == "SLURM_GPUS_PER_NODE"_L1 || variable == "SLURM_GPUS"_L1) {
        return number(of.demand.gpus);
    }
    if (variable == "SLURM_MEM_PER_NODE"_L1) {
        return number(of.demand.memory.value_or(usualBatchMemoryMiB));
    }
    if (variable == "SLURM_JOB_NAME"_L1) {
        return QByteArray("\"${PAI_JOB_NAME#*~}\"");
    }
    if (variable == "SLURM_SUBMIT_DIR"_L1) {
        return QByteArray("\"$PWD\"");
    }
    if (variable == "SLURM_TMPDIR"_L1) {
        return QByteArray("\"$(mktemp -d)\"");
    }
    if (variable == "SLURM_JOB_USER"_L1) {
        return QByteArray("\"$PAI_USER_NAME\"");
    }
    if (variable == "SLURM_JOB_ID"_L1 || variable == "SLURM_JOBID"_L1 || variable == "SLURM_ARRAY_JOB_ID"_L1) {
        return QByteArray("$(cksum <<<\"$TRAINYARD_JOB_ID\" | cut -d' ' -f1)"); // scripts reckon with it
    }
    if (variable == "SLURM_JOB_NODELIST"_L1 || variable == "SLURM_NODELIST"_L1
        || variable == "SLURM_STEP_NODELIST"_L1) {
        return "$(sed 's/:[0-9]*\\(,\\|$\\)/\\1/g' <<<\"$PAI_TASK_ROLE_" + of.role + "_HOST_LIST\")";
    }
    if (variable == "SLURMD_NODENAME"_L1) {
        return QByteArray("$PAI_CONTAINER_HOST_IP");
    }
    if (variable == "SLURM_LAUNCH_NODE_IPADDR"_L1 || variable == "SLURM_SRUN_COMM_HOST"_L1) {
        return "$PAI_HOST_IP_" + of.role + "_0";
    }
    if (isArray && variable == "SLURM_ARRAY_TASK_COUNT"_L1) {
        return number(of.ids.size());
    }
    if (isArray && variable == "SLURM_ARRAY_TASK_MIN"_L1) {
        return number(*std::min_element(of.ids.cbegin(), of.ids.cend()));
    }
    if (isArray && variable == "SLURM_ARRAY_TASK_MAX"_L1) {
        return number(*std::max_element(of.ids.cbegin(), of.ids.cend()));
    }
    if (isArray && variable == "SLURM_ARRAY_TASK_ID"_L1) {
        const QList<qint64> &ids = of.ids;
        const qint64 step = ids.size() > 1 ? ids.at(1) - ids.at(0) : 1;
        bool isEven = true;
        for (qsizetype i = 1; i < ids.size(); ++i) {
            isEven = isEven && ids.at(i) - ids.at(i - 1) == step;
        }
        if (isEven) {
            return "$((" + number(ids.constFirst()) + " + " + number(step) + " * PAI_TASK_INDEX))";
        }
        QByteArrayList texts;
        for (const qint64 id : ids) {
            texts.append(number(id));
        }
        return "$(set -- " + texts.join(' ') + "; shift \"$PAI_TASK_INDEX\"; echo \"$1\")";
    }
    return std::nullopt;
}

bool isSetBySlurm(const QString &variable)
{
    static const QStringList set{u"SLURM_JOB_ID"_s, u"SLURM_JOBID"_s, u"SLURM_ARRAY_JOB_ID"_s, u"SLURM_JOB_USER"_s,
        u"SLURM_TMPDIR"_s, u"SLURMD_NODENAME"_s};
    return set.contains(variable);
}

bool isOnlyOnSlurm(const QString &variable)
{
    static const QStringList set{u"SLURM_CLUSTER_NAME"_s, u"SLURM_CONF"_s, u"SLURM_JOB_ACCOUNT"_s,
        u"SLURM_JOB_CONSTRAINTS"_s, u"SLURM_JOB_END_TIME"_s, u"SLURM_JOB_GID"_s, u"SLURM_JOB_GPUS"_s,
        u"SLURM_JOB_PARTITION"_s, u"SLURM_JOB_QOS"_s, u"SLURM_JOB_RESERVATION"_s, u"SLURM_JOB_START_TIME"_s,
        u"SLURM_JOB_UID"_s, u"SLURM_STEP_GPUS"_s, u"SLURM_STEP_ID"_s, u"SLURM_STEPID"_s, u"SLURM_SUBMIT_HOST"_s,
        u"SLURM_TASK_PID"_s, u"SLURM_TOPOLOGY_ADDR"_s, u"SLURM_TOPOLOGY_ADDR_PATTERN"_s, u"SLURM_WORKING_CLUSTER"_s};
    return set.contains(variable);
}

void SaidValues::say(const UsedVariable &variable, const QString &role, const VariablesOf &of, Findings &findings)
{
    const QString value = QString::fromUtf8(valueOfVariable(variable.name, of).value_or(QByteArray()));
    const QString key = variable.name + u'=' + value;
    if (variable.at.end == 0 || m_said.contains(key)) { // the script itself does not name it
        return;
    }
    m_said.insert(key);
    findings.say(isSetBySlurm(variable.name) ? "batch.variable-either" : "batch.variable-set", Severity::Note,
        variable.at, {{u"name"_s, variable.name}, {u"role"_s, role}, {u"value"_s, value}});
}

QByteArray assignmentOf(const QString &variable, const VariablesOf &of)
{
    const QByteArray name = variable.toUtf8(), value = valueOfVariable(variable, of).value_or(QByteArray());
    return name + '=' + (isSetBySlurm(variable) ? "${" + name + ":-" + value + '}' : value);
}

QStringList srunVariables()
{
    QStringList names;
    for (const QStringList &line : linesOfSrun()) {
        names += line;
    }
    for (const auto &[name, like] : sameOfSrun()) {
        names.append(name);
    }
    return names;
}

QByteArrayList srunExports(const VariablesOf &of)
{
    QByteArrayList lines;
    for (const QStringList &names : linesOfSrun()) {
        QByteArray line = "export";
        for (const QString &name : names) {
            line += ' ' + assignmentOf(name, of);
        }
        lines.append(line);
    }
    QByteArray line = "export";
    for (const auto &[name, like] : sameOfSrun()) {
        line += ' ' + name.toUtf8() + "=$" + like.toUtf8();
    }
    lines.append(line);
    return lines;
}

QByteArray variablesOfFewer(qint64 tasks)
{
    QByteArray words;
    for (const char *name :
        {"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_STEP_NUM_TASKS", "SLURM_NNODES", "SLURM_STEP_NUM_NODES"}) {
        words += QByteArray(words.isEmpty() ? "" : " ") + name + '=' + QByteArray::number(tasks);
    }
    return words;
}

} // namespace trainyard::batch
