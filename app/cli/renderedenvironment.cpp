// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/renderedenvironment.h"

#include "app/cli/console.h"
#include "engine/launch/launchplan.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// The path of the data where every host that has it has it at the same place and none gets a copy.
QString pathOnEveryHost(const DataSource &data)
{
    const auto differs = [&data](const auto &each) { return each.second != data.paths.constFirst().second; };
    const bool isOne = data.from.isEmpty() && !data.paths.isEmpty()
        && std::none_of(data.paths.cbegin(), data.paths.cend(), differs)
        && data.paths.constFirst().second.startsWith(u'/');
    return isOne ? data.paths.constFirst().second : QString();
}

} // namespace

RenderedEnvironment renderedEnvironment(const JobSpec &job, const TaskRole &role, const TaskEnvironment &environment)
{
    RenderedEnvironment rendered;
    launch::LaunchInput input;
    input.role = role.name;
    input.cpu = role.resources.cpu;
    // The same environment as the engine's: a variable of the job never overrides one of Trainyard here, either.
    QList<std::pair<QString, QString>> later;
    const auto setLater = [&later, &rendered](const QString &name, const QString &what) {
        later.append({name, tr("<set by Trainyard when the task starts: %1>").arg(what)});
        rendered.setAtStart.append(name);
    };
    for (const DataSource &data : job.trainyard.data) {
        if (!data.roles.isEmpty() && !data.roles.contains(role.name)) {
            continue;
        }
        if (const QString path = pathOnEveryHost(data); !path.isEmpty()) {
            input.data.append({dataVariable(data.name), path});
        } else {
            setLater(dataVariable(data.name), tr("the path of the data on the host of the task"));
        }
    }
    if (role.resources.gpu > 0) {
        setLater(u"CUDA_VISIBLE_DEVICES"_s, tr("the GPUs of the task"));
        setLater(u"NVIDIA_VISIBLE_DEVICES"_s, tr("the GPUs of the task"));
    }
    setLater(u"TRAINYARD_CHECKPOINT_DIR"_s, tr("the folder of the job for checkpoints"));
    setLater(u"TRAINYARD_TASK_FOLDER"_s, tr("the folder of the try"));
    setLater(u"TRAINYARD_JOB_ID"_s, tr("the UUID of the job"));
    setLater(u"TRAINYARD_TRY"_s, tr("the UUID of the try"));
    rendered.variables = launch::planTask(job, {}, environment, input).environment;
    rendered.variables.removeIf(
        [&rendered](const auto &variable) { return rendered.setAtStart.contains(variable.first); });
    rendered.variables += later;
    std::sort(rendered.setAtStart.begin(), rendered.setAtStart.end());
    return rendered;
}

} // namespace trainyard::cli
