// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/launchparts.h"

#include "model/template/pluginsteps.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

std::string launchText(const QString &string)
{
    std::string plain(std::size_t(string.size()), '\0');
    for (qsizetype i = 0; i < string.size(); ++i) {
        if (string[i].unicode() >= 0x80) {
            return string.toStdString();
        }
        plain[std::size_t(i)] = char(string[i].unicode());
    }
    return plain;
}

launch::LaunchInput inputOfTry(const ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, const TaskRole &role)
{
    launch::LaunchInput input;
    input.job = job.state.uuid;
    input.tryUuid = tryUuid;
    input.attempt = job.state.attempt();
    input.tryIndex = job.state.task(task).tryIndex;
    input.role = role.name;
    input.index = task.index;
    input.cpu = role.resources.cpu;
    input.memoryMiB = role.resources.memoryMiB;
    input.shmMiB = role.effectiveShmMiB();
    return input;
}

void sayTry(contract::Launch &message, const ActiveJob &job, core::TaskRef task, const launch::LaunchInput &input,
    const BaseEnvironment &base, const Settings &settings)
{
    // The agent has a better limit than the setting's own one, which looks at the free space.
    static const qint64 usualLogLimit = Settings().integer(u"log.maxBytes"_s);

    message.plan.job = launchText(job.uuid());
    message.plan.role = launchText(input.role);
    message.plan.tryUuid = launchText(input.tryUuid.toString(QUuid::WithoutBraces));
    message.plan.attempt = input.attempt;
    message.plan.index = input.index;
    message.plan.tryNumber = input.tryIndex;
    for (const auto &[label, numbers] : core::placeOf(job.state.task(task).state)->ports) {
        message.plan.ports.insert(message.plan.ports.end(), numbers.cbegin(), numbers.cend());
    }
    const QStringList patterns = metricFilesOf(*job.spec);
    for (const QString &pattern : patterns) {
        message.plan.metricFiles.push_back(launchText(pattern));
    }
    message.plan.stopGraceMs = settings.integer(u"stop.graceSeconds"_s) * 1000;
    const qint64 logLimit = settings.integer(u"log.maxBytes"_s);
    message.plan.limits.outputBytes = logLimit == usualLogLimit ? 0 : logLimit;
    message.cleanEnvironment = base.clean;
    const QStringList kept = settings.list(u"environment.allow"_s);
    for (const QString &name : kept) {
        message.keepNames.push_back(launchText(name));
    }
}

void sayProgram(contract::Launch &message, const launch::LaunchPlan &plan)
{
    message.sealed = plan.program.usesSecret;
    message.hasSteps = plan.program.hasSteps;
    if (message.sealed) {
        message.maskedScript = plan.program.masked.toStdString();
    }
    message.env.reserve(message.env.size() + std::size_t(plan.environment.size()));
    for (const auto &[name, value] : plan.environment) {
        message.env.push_back({launchText(name), launchText(value)});
    }
    for (const QString &value : plan.maskValues) {
        message.maskValues.push_back(launchText(value));
    }
}

} // namespace trainyard
