// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/events.h"
#include "engine/api/valuejson.h"
#include "engine/api/valuetext.h"
#include "model/base/result.h"

// Encodes and decodes the calls of calls.h and the events of events.h. The client and the daemon use nothing else for
// that.
namespace trainyard::api
{

// The answer to a call: a value, or JSON text where the value is long.
struct Payload {
    QJsonValue value;
    QByteArray text = {};
};

template <typename Call> QJsonObject encodedRequest(const typename Call::Request &request)
{
    return valuejson::toValue(request).toObject();
}

// Error rpc.params: a required member is missing or has the wrong type.
template <typename Call> Result<typename Call::Request> decodedRequest(const QJsonObject &params)
{
    using Request = typename Call::Request;
    if constexpr (valuejson::KnowsJson<Request>) {
        return Request::fromJson(params);
    } else {
        Request request;
        if (!valuejson::readObject(params, request)) {
            return fail(QStringLiteral("rpc.params"));
        }
        return request;
    }
}

// Lists of thousands, which are written and read without a tree.
template <typename T>
constexpr bool isLongList = std::is_same_v<T, QList<TaskInfo>> || std::is_same_v<T, QList<JobSummary>>;

inline std::optional<QList<TaskInfo>> readQuickly(QByteArrayView text, const QList<TaskInfo> *)
{
    return tasksFromText(text);
}
inline std::optional<QList<JobSummary>> readQuickly(QByteArrayView text, const QList<JobSummary> *)
{
    return jobsFromText(text);
}

template <typename Call> Payload encodedReply(const typename Call::Reply &reply)
{
    if constexpr (isLongList<typename Call::Reply>) {
        return {{}, jsonText(reply)};
    } else {
        return {valuejson::toValue(reply)};
    }
}

template <typename Call> typename Call::Reply decodedReply(const QJsonValue &value)
{
    typename Call::Reply reply{};
    valuejson::fromValue(value, reply);
    return reply;
}

// The same from the text of a long list; nothing when another version has written it.
template <typename Call> std::optional<typename Call::Reply> decodedReply(QByteArrayView text)
{
    return readQuickly(text, static_cast<const typename Call::Reply *>(nullptr));
}

template <typename Event> QJsonObject encodedEvent(const typename Event::Params &params)
{
    return valuejson::objectOf(params);
}

// Returns nothing when it is another event.
template <typename Event>
std::optional<typename Event::Params> decodedEvent(const QString &name, const QJsonObject &params)
{
    return name == Event::name ? std::optional(valuejson::valueFrom<typename Event::Params>(params)) : std::nullopt;
}

} // namespace trainyard::api
