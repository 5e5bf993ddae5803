// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/contract/messages.h"
#include "engine/launch/container.h"
#include "model/base/result.h"

#include <optional>

namespace trainyard
{

// The parts of a task's container, whether the pool makes it on a host or a step of a cluster does.

QString imageOf(const JobSpec &spec, const TaskRole &role); // as the job names it; empty: none
// Checks that the images of all roles that have one can be named to a container program. With `all`, each role needs
// one. Code: job.container-image {role, runIn}.
Result<void> checkImages(const JobSpec &spec, const QString &runIn, bool all);
QMap<QString, QString> storagesInside(const JobSpec &spec); // folders of the job's storages, as seen from inside
// The storages of the job and the folders of the setting containers.mounts. `home` is where "~" is; empty: "~" stays.
// Codes: launch.container-storage {name, detail}, launch.container-mount {detail}.
Result<QList<launch::ContainerMount>> containerMounts(
    const JobSpec &spec, const Settings &settings, const QString &home);
// Makes the launch one in this container, with the login for its image. An error when the login cannot be filled in.
std::optional<Error> putInto(contract::Launch &message, const JobSpec &spec, const TaskRole &role,
    const QString &runtime, const launch::ContainerPlan &plan);

} // namespace trainyard
