// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/launchplan.h"

#include "model/template/pluginsteps.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::launch
{

namespace
{

// Ordered, a name once; a later value takes the place of an earlier one. Few are set beside those of the environment,
// whose names are different ones: looking through all of them costs less than a table of their places.
class Table
{
public:
    explicit Table(Variables variables) : m_variables(std::move(variables)) { }
    void set(const QString &name, const QString &value)
    {
        if (const auto it = find(name); it != m_variables.end()) {
            it->second = value;
        } else {
            m_variables.append({name, value});
        }
    }
    bool contains(const QString &name) { return find(name) != m_variables.end(); }
    Variables take() { return std::move(m_variables); }

private:
    Variables m_variables;

    Variables::iterator find(const QString &name)
    {
        return std::find_if(
            m_variables.begin(), m_variables.end(), [&name](const auto &pair) { return pair.first == name; });
    }
};

void collectTexts(const Value &value, QStringList &texts)
{
    if (const Value::Map *map = value.asMap()) {
        for (const auto &[key, item] : *map) {
            collectTexts(item, texts);
        }
    } else if (const Value::List *list = value.asList()) {
        for (const Value &item : *list) {
            collectTexts(item, texts);
        }
    } else if (!value.isNull()) {
        texts.append(value.toText());
    }
}

} // namespace

LaunchPlan planTask(
    const JobSpec &job, const RoleProgram &program, const TaskEnvironment &environment, const LaunchInput &input)
{
    Table table((input.shared ? environment.besides(*input.shared) : environment.forAll())
        + environment.ownOfTask(input.role, input.index, input.tryIndex, input.workDir));

    for (const auto &[name, value] : variablesOf(job)) {
        table.set(name, value);
    }
    QStringList gpus;
    for (int gpu : input.gpus) {
        gpus.append(QString::number(gpu));
    }
    // Indexes mean the same to nvidia-smi and to CUDA only in this order. No GPUs asked for: none seen.
    table.set(u"CUDA_DEVICE_ORDER"_s, u"PCI_BUS_ID"_s);
    const QStringList visible = input.gpuUuids.size() == gpus.size() ? input.gpuUuids : gpus;
    table.set(u"CUDA_VISIBLE_DEVICES"_s, visible.join(u','));
    table.set(u"NVIDIA_VISIBLE_DEVICES"_s, visible.isEmpty() ? u"none"_s : visible.join(u','));
    if (input.amd) {
        // ROCm takes an empty list for "all". ROCR_VISIBLE_DEVICES would renumber the devices beneath this one.
        table.set(u"HIP_VISIBLE_DEVICES"_s, gpus.isEmpty() ? u"-1"_s : gpus.join(u','));
    }

    if (input.gpuShareMiB > 0) {
        table.set(u"TRAINYARD_GPU_MEMORY_MB"_s, QString::number(input.gpuShareMiB));
    }
    table.set(u"TRAINYARD_JOB_ID"_s, input.job.toString(QUuid::WithoutBraces));
    table.set(u"TRAINYARD_TRY"_s, input.tryUuid.toString(QUuid::WithoutBraces));
    if (!input.checkpointFolder.isEmpty()) {
        table.set(u"TRAINYARD_CHECKPOINT_DIR"_s, input.checkpointFolder);
    }
    for (const auto &[name, path] : input.data) {
        table.set(name, path);
    }
    if (!input.taskFolder.isEmpty()) {
        table.set(u"TRAINYARD_TASK_FOLDER"_s, input.taskFolder);
    }

    const auto setUnlessGiven = [&](const QString &name, const QString &value) {
        const bool given
            = std::any_of(input.base.begin(), input.base.end(), [&](const auto &pair) { return pair.first == name; });
        if (!given && !table.contains(name)) {
            table.set(name, value);
        }
    };
    setUnlessGiven(u"PYTHONUNBUFFERED"_s, u"1"_s); // output is seen when it is printed
    // More threads than cores would only slow each other down.
    const qint64 threads = input.hostCpus > 0 ? std::min<qint64>(input.cpu, input.hostCpus) : input.cpu;
    setUnlessGiven(u"OMP_NUM_THREADS"_s, QString::number(std::max<qint64>(1, threads)));

    LaunchPlan plan;
    plan.environment = table.take();
    plan.program = program;
    plan.maskValues = secretValues(job);
    return plan;
}

QStringList secretValues(const JobSpec &job)
{
    QStringList texts;
    collectTexts(job.secrets, texts);
    texts.removeDuplicates();
    texts.removeIf([](const QString &text) { return text.isEmpty() || text == "******"_L1; });
    std::stable_sort(
        texts.begin(), texts.end(), [](const QString &a, const QString &b) { return a.size() > b.size(); });
    return texts;
}

} // namespace trainyard::launch
