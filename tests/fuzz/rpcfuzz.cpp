// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/rpcfuzz.h"

#include "engine/api/rpc.h"
#include "engine/api/taskoutline.h"
#include "engine/api/valuetext.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace rpcfuzz
{
namespace
{

using namespace trainyard;

void must(bool holds, const char *what)
{
    if (!holds) {
        qFatal("%s", what);
    }
}

// Any object as this value, and what it has become once more: reading is stable.
template <typename T> void readAs(const QJsonObject &json)
{
    const T value = T::fromJson(json);
    must(T::fromJson(value.toJson()) == value, "a value does not come back as it was");
}

// The quick way through the text says what the slow one says, or nothing.
template <typename T> void readText(const QByteArray &text, std::optional<QList<T>> (*quick)(QByteArrayView))
{
    const std::optional<QList<T>> read = quick(text);
    if (!read) {
        return;
    }
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error != QJsonParseError::NoError) {
        return; // too deep or no UTF-8: only our own writer's text comes here, which is neither
    }
    const QJsonArray array = document.array();
    must(read->size() == array.size(), "the quick reader sees another number of values");
    for (qsizetype i = 0; i < array.size(); ++i) {
        must(read->at(i) == T::fromJson(array.at(i).toObject()), "the quick reader reads something else");
    }
}

} // namespace

void decode(const QByteArray &line)
{
    const rpc::Message message = rpc::decode(line);
    for (const QJsonObject &json : {message.params, message.result.toObject()}) {
        readAs<SubmitRequest>(json);
        readAs<RetryRequest>(json);
        readAs<JobSummary>(json);
        readAs<TaskInfo>(json);
        readAs<JobDetail>(json);
        readAs<HostInfo>(json);
        readAs<AttemptInfo>(json);
        readAs<Question>(json);
        readAs<PlanReply>(json);
        readAs<EngineStatus>(json);
        TaskOutline::fromJson(json);
        for (const QByteArray &text : {jsonText(TaskInfo::fromJson(json)), jsonText(JobSummary::fromJson(json))}) {
            QJsonParseError error;
            must(QJsonDocument::fromJson(text, &error).isObject() && error.error == QJsonParseError::NoError,
                "what is written is no JSON");
        }
    }
    readText<TaskInfo>(line, &tasksFromText);
    readText<JobSummary>(line, &jobsFromText);
    if (const std::optional<rpc::TextReply> reply = rpc::textReply(line)) {
        readText<TaskInfo>(reply->result.toByteArray(), &tasksFromText);
        readText<JobSummary>(reply->result.toByteArray(), &jobsFromText);
        if (message.kind == rpc::Message::Kind::Reply) {
            must(message.id.toInteger(-1) == reply->id || !message.id.isDouble(), "another answer than it says");
        }
    }
}

} // namespace rpcfuzz
