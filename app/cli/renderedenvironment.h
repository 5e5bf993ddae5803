// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/environment.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard::cli
{

// The variables of task 0 of a role before it has a host. What is decided only when the task starts has words in angle
// brackets as its value and is listed in `setAtStart`.
struct RenderedEnvironment {
    QList<std::pair<QString, QString>> variables;
    QStringList setAtStart;
};
RenderedEnvironment renderedEnvironment(const JobSpec &job, const TaskRole &role, const TaskEnvironment &environment);

} // namespace trainyard::cli
