// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "engine/client/servedaddress.h"

#include <optional>

namespace trainyard::cli
{

// The ports that tasks of a job offer: those that the job has for them, those that are forwarded, and where their
// output says that they serve.
// The ports for ssh and http that each task is given count only where the word of the user is one of them.
Result<QList<OfferedPort>> portsOfTasks(
    Session &session, const JobSummary &job, const QList<TaskInfo> &tasks, const QString &word = {});

// The ports that a word denotes: a number, a label of the job, or a program such as "tensorboard". A number that was
// not offered is a port of the task as well, but is not in the answer.
QList<OfferedPort> portsMeant(const QList<OfferedPort> &ports, const QString &word);
std::optional<int> portNumber(const QString &word); // nothing: the word is not a number

} // namespace trainyard::cli
