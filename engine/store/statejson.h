// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"

#include <QJsonObject>

namespace trainyard
{

// The machine's own records as JSON: all that next() needs to go on after a restart. Placed becomes Waiting, since what
// it held was only in memory.
QByteArray taskText(const core::Task &task); // compact
core::Task taskFromJson(const QJsonObject &json);
// What most tasks of a job that is over are, several times as fast; nothing for every other one.
std::optional<core::Task> endedTaskFromText(QByteArrayView json);

QJsonObject attemptToJson(const core::AttemptRecord &attempt);
core::AttemptRecord attemptFromJson(const QJsonObject &json);

// What is neither in the policy nor in attempts and tasks.
QJsonObject machineToJson(const core::JobState &job);
void machineFromJson(const QJsonObject &json, core::JobState &job);

} // namespace trainyard
