// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// The values as compact JSON text, with the content of toJson() but another order of keys. It is written straight from
// the fields: ten thousand tasks as a tree of QJsonObjects cost several times as much.
QByteArray jsonText(const TaskInfo &task);
QByteArray jsonText(const JobSummary &job);
QByteArray jsonText(const QList<TaskInfo> &tasks);
QByteArray jsonText(const QList<JobSummary> &jobs);
QByteArray jsonText(const QString &text); // with its quotes

// A long list as the elements of several arrays, each of about `bytes` at most (one element at least).
QByteArrayList jsonTextParts(const QList<TaskInfo> &tasks, qsizetype bytes);
QByteArrayList jsonTextParts(const QList<LogGrowth> &logs, qsizetype bytes);
QByteArrayList jsonTextParts(const QList<JobSummary> &jobs, qsizetype bytes);

// Reads text that jsonText() wrote, several times as fast as through a tree. Returns nothing for other text (from an
// engine of another version), which fromJson() can read.
std::optional<QList<TaskInfo>> tasksFromText(QByteArrayView json);
std::optional<QList<JobSummary>> jobsFromText(QByteArrayView json);

} // namespace trainyard
