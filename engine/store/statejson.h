// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"

#include <QJsonObject>

namespace trainyard
{

// The state machine's own records as JSON: all that next() needs to continue after a restart. Placed becomes Waiting,
// since its allocation was only in memory.
QByteArray taskText(const core::Task &task); // compact
core::Task taskFromJson(const QJsonObject &json);
// The same of what taskText() wrote, several times as fast; returns nothing for any other text.
std::optional<core::Task> taskFromText(QByteArrayView json);

QJsonObject attemptToJson(const core::AttemptRecord &attempt);
core::AttemptRecord attemptFromJson(const QJsonObject &json);

// The part of a job that is neither in its policy nor in its attempts and tasks.
QJsonObject machineToJson(const core::JobState &job);
void machineFromJson(const QJsonObject &json, core::JobState &job);

} // namespace trainyard
