// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/valuetext.h"

#include "engine/api/fieldtext.h"
#include "engine/api/valuefields.h"

namespace trainyard
{
namespace
{

using fieldtext::putValue;
using fieldtext::readValue;
using fieldtext::textOf;

template <typename T> QByteArrayList partsOf(const QList<T> &list, qsizetype bytes)
{
    QByteArrayList parts;
    QByteArray part;
    for (const T &each : list) {
        part += part.isEmpty() ? '[' : ',';
        putValue(part, each);
        if (part.size() >= bytes) {
            parts.append(part + ']');
            part.clear();
        }
    }
    if (!part.isEmpty()) {
        parts.append(part + ']');
    }
    return parts;
}

template <typename T> std::optional<QList<T>> listFrom(QByteArrayView json)
{
    JsonCursor in(json);
    QList<T> list;
    in.readList(list, [&in](T &one) { readValue(in, one); });
    if (!in.good() || !in.atEnd()) {
        return std::nullopt;
    }
    return list;
}

constexpr qsizetype bytesOfOne = 600; // about what most take

} // namespace

QByteArray jsonText(const TaskInfo &task) { return textOf(task, bytesOfOne); }
QByteArray jsonText(const JobSummary &job) { return textOf(job, bytesOfOne); }
QByteArray jsonText(const QList<TaskInfo> &tasks) { return textOf(tasks, tasks.size() * bytesOfOne); }
QByteArray jsonText(const QList<JobSummary> &jobs) { return textOf(jobs, jobs.size() * bytesOfOne); }
QByteArray jsonText(const QString &text) { return textOf(text); }

std::optional<QList<TaskInfo>> tasksFromText(QByteArrayView json) { return listFrom<TaskInfo>(json); }
std::optional<QList<JobSummary>> jobsFromText(QByteArrayView json) { return listFrom<JobSummary>(json); }

QByteArrayList jsonTextParts(const QList<TaskInfo> &tasks, qsizetype bytes) { return partsOf(tasks, bytes); }
QByteArrayList jsonTextParts(const QList<LogGrowth> &logs, qsizetype bytes) { return partsOf(logs, bytes); }
QByteArrayList jsonTextParts(const QList<JobSummary> &jobs, qsizetype bytes) { return partsOf(jobs, bytes); }

} // namespace trainyard
