// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QByteArray>

// The job of the tests of the preview, and the plan of it.
inline const QByteArray planJob = "protocolVersion: 2\n"
                                  "name: planned\n"
                                  "type: job\n"
                                  "secrets:\n"
                                  "  token: hush-hush-hush\n"
                                  "prerequisites:\n"
                                  "  - {name: img, type: dockerimage, uri: x}\n"
                                  "  - name: base\n"
                                  "    type: script\n"
                                  "    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
                                  "    callbacks: [{event: taskStarts, commands: [echo base]}]\n"
                                  "  - name: tools\n"
                                  "    type: script\n"
                                  "    require: [base]\n"
                                  "    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
                                  "    callbacks: [{event: taskStarts, commands: [echo tools]}]\n"
                                  "taskRoles:\n"
                                  "  w:\n"
                                  "    instances: 2\n"
                                  "    dockerImage: img\n"
                                  "    prerequisites: [tools]\n"
                                  "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0, ports: {web: 2}}\n"
                                  "    commands:\n"
                                  "      - echo <% $secrets.token %> $PAI_TASK_INDEX\n";

inline trainyard::PlanReply samplePlan()
{
    using namespace trainyard;
    PlanReply plan;
    for (int i = 0; i < 2; ++i) {
        PlannedTask task;
        task.role = QStringLiteral("w");
        task.index = i;
        task.host = QStringLiteral("local");
        task.gpus = {i};
        task.ports = {{QStringLiteral("web"), {15000 + i, 15010 + i}}};
        task.environment
            = {{QStringLiteral("SAME"), QStringLiteral("1")}, {QStringLiteral("INDEX"), QString::number(i)}};
        task.script = QStringLiteral("#!/bin/bash\n__ty_step before tools fail x\necho %1\n").arg(i);
        task.prerequisites = {QStringLiteral("base"), QStringLiteral("tools")};
        plan.tasks.append(task);
    }
    return plan;
}
