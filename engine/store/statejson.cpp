// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/statejson.h"

#include "engine/api/fieldtext.h"
#include "engine/api/valuejson.h"
#include "engine/store/storedfields.h"
#include "model/base/result.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

using namespace core;

namespace
{

TaskRecord recordOf(const Task &task)
{
    TaskRecord record{task, {task.usage}};
    std::visit(Overloaded{
                   [&](const Waiting &waiting) {
                       record.notBefore = waiting.notBefore;
                       record.charged = waiting.charged;
                       if (waiting.since > 0) {
                           record.ended = waiting.since;
                       }
                   },
                   [](const Placed &) {},
                   [&](const Launching &launching) {
                       record.is = u"launching"_s;
                       record.place = launching.place;
                   },
                   [&](const Running &running) {
                       record.is = u"running"_s;
                       record.place = running.place;
                       record.process = running.process;
                       record.began = running.began;
                   },
                   [&](const Stopping &stopping) {
                       record.is = u"stopping"_s;
                       record.place = stopping.place;
                       record.process = stopping.process;
                       record.result = stopping.result;
                       record.began = stopping.began;
                   },
                   [&](const Ended &ended) {
                       record.is = u"ended"_s;
                       record.place = ended.place;
                       record.result = ended.result;
                       record.began = ended.began;
                       record.ended = ended.ended;
                   },
               },
        task.state);
    return record;
}

TaskState stateOf(const TaskRecord &record)
{
    const Allocation place = record.place.value_or(Allocation());
    const TryResult result = record.result.value_or(TryResult());
    const qint64 began = record.began.value_or(0);
    if (record.is == "launching"_L1) {
        return Launching{place};
    }
    if (record.is == "running"_L1) {
        return Running{place, record.process.value_or(ProcessId()), began};
    }
    if (record.is == "stopping"_L1) {
        return Stopping{place, record.process, began, result};
    }
    if (record.is == "ended"_L1) {
        return Ended{place, began, record.ended.value_or(0), result};
    }
    return Waiting{record.notBefore, record.charged, record.ended.value_or(0)};
}

Task taskOfRecord(TaskRecord record)
{
    record.task.state = stateOf(record);
    record.task.usage = record.usage.usage;
    return std::move(record.task);
}

} // namespace

QByteArray taskText(const Task &task)
{
    constexpr qsizetype bytesOfMost = 400;
    return fieldtext::textOf(recordOf(task), bytesOfMost);
}

Task taskFromJson(const QJsonObject &json) { return taskOfRecord(valuejson::valueFrom<TaskRecord>(json)); }

std::optional<Task> taskFromText(QByteArrayView json)
{
    std::optional<TaskRecord> record = fieldtext::valueFrom<TaskRecord>(json);
    return record ? std::optional(taskOfRecord(std::move(*record))) : std::nullopt;
}

QJsonObject attemptToJson(const AttemptRecord &attempt) { return valuejson::objectOf(attempt); }

AttemptRecord attemptFromJson(const QJsonObject &json) { return valuejson::valueFrom<AttemptRecord>(json); }

QJsonObject machineToJson(const JobState &job)
{
    valuejson::Writer writer;
    machineFields(writer, job);
    return writer.json;
}

void machineFromJson(const QJsonObject &json, JobState &job)
{
    valuejson::Reader reader{json};
    machineFields(reader, job);
}

} // namespace trainyard
