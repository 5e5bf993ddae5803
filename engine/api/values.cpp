// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"

#include "engine/api/valuefields.h"

#include <QJsonArray>

#include <array>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr std::array stateWords{"WAITING", "RUNNING", "STOPPING", "SUCCEEDED", "FAILED", "STOPPED", "UNKNOWN"};
constexpr std::array hostStateWords{"unknown", "connecting", "online", "offline", "needsLogin", "failed"};

template <std::size_t n> QString wordAt(const std::array<const char *, n> &words, std::size_t position)
{
    return QString::fromLatin1(words.at(position));
}

template <typename E, std::size_t n> E fromWord(const std::array<const char *, n> &words, const QString &word, E other)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (word == QLatin1StringView(words[i])) {
            return static_cast<E>(i);
        }
    }
    return other;
}

using Ports = QList<std::pair<QString, QList<int>>>;
using Variables = QList<std::pair<QString, QString>>;

template <typename T> QJsonObject objectOf(const T &value);
template <typename T> void readObject(const QJsonObject &json, T &value);
template <typename A, typename B> QJsonValue toValue(const std::pair<A, B> &pair);
template <typename A, typename B> void fromValue(const QJsonValue &json, std::pair<A, B> &pair);

// ---- values as JSON ----

template <typename T> QJsonValue toValue(const T &value)
{
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, QString> || std::is_same_v<T, QJsonObject>) {
        return QJsonValue(value);
    } else if constexpr (std::is_same_v<T, State>) {
        return stateWord(value);
    } else if constexpr (std::is_same_v<T, HostState>) {
        return hostStateWord(value);
    } else if constexpr (std::is_same_v<T, TaskCounts>) {
        return QJsonArray{value.waiting, value.running, value.succeeded, value.failed, value.stopped};
    } else if constexpr (std::is_same_v<T, StringMap>) {
        QJsonObject object;
        for (auto it = value.cbegin(); it != value.cend(); ++it) {
            object.insert(it.key(), it.value());
        }
        return object;
    } else if constexpr (IsList<T>::value) {
        QJsonArray array;
        for (const auto &item : value) {
            array.append(toValue(item));
        }
        return array;
    } else {
        return objectOf(value);
    }
}

// Pairs as arrays: the order is the document's, which an object would not keep.
template <typename A, typename B> QJsonValue toValue(const std::pair<A, B> &pair)
{
    return QJsonArray{toValue(pair.first), toValue(pair.second)};
}

template <typename T> void fromValue(const QJsonValue &json, T &value)
{
    if constexpr (std::is_same_v<T, bool>) {
        value = json.toBool(value);
    } else if constexpr (std::is_same_v<T, int>) {
        value = json.toInt(value);
    } else if constexpr (std::is_same_v<T, qint64>) {
        value = json.toInteger(value);
    } else if constexpr (std::is_same_v<T, double>) {
        value = json.toDouble(value);
    } else if constexpr (std::is_same_v<T, QString>) {
        value = json.toString();
    } else if constexpr (std::is_same_v<T, QJsonObject>) {
        value = json.toObject();
    } else if constexpr (std::is_same_v<T, State>) {
        value = stateFromWord(json.toString());
    } else if constexpr (std::is_same_v<T, HostState>) {
        value = hostStateFromWord(json.toString());
    } else if constexpr (std::is_same_v<T, TaskCounts>) {
        const QJsonArray array = json.toArray();
        value
            = {array.at(0).toInt(), array.at(1).toInt(), array.at(2).toInt(), array.at(3).toInt(), array.at(4).toInt()};
    } else if constexpr (std::is_same_v<T, StringMap>) {
        const QJsonObject object = json.toObject();
        for (auto it = object.begin(); it != object.end(); ++it) {
            value.insert(it.key(), it.value().toString());
        }
    } else if constexpr (IsList<T>::value) {
        const QJsonArray array = json.toArray();
        value.reserve(array.size());
        for (const QJsonValue &item : array) {
            typename T::value_type one{};
            fromValue(item, one);
            value.append(std::move(one));
        }
    } else {
        readObject(json.toObject(), value);
    }
}

template <typename A, typename B> void fromValue(const QJsonValue &json, std::pair<A, B> &pair)
{
    fromValue(json.toArray().at(0), pair.first);
    fromValue(json.toArray().at(1), pair.second);
}

// ---- the two directions of fields() ----

struct Writer {
    static constexpr bool writes = true;
    QJsonObject json;

    template <typename T> void operator()(const QString &key, const T &value)
    {
        if constexpr (!IsOptional<T>::value) {
            json.insert(key, toValue(value));
        } else if (value) {
            json.insert(key, toValue(*value));
        }
    }
    // A job's text is bytes and must arrive as they are; JSON strings are Unicode. What does not survive the way there
    // and back (invalid UTF-8, a byte order mark) travels as base64.
    void operator()(const QString &key, const QByteArray &bytes)
    {
        const QString text = QString::fromUtf8(bytes);
        if (text.toUtf8() == bytes) {
            json.insert(key, text);
        } else {
            json.insert(QString(key + "Base64"_L1), QString::fromLatin1(bytes.toBase64()));
        }
    }
};

// Absent means "not there": null, missing and of the wrong type read alike, so older and newer sides understand each
// other.
struct Reader {
    static constexpr bool writes = false;
    const QJsonObject &json;

    template <typename T> void operator()(const QString &key, T &value)
    {
        const QJsonValue found = json.value(key);
        if constexpr (!IsOptional<T>::value) {
            fromValue(found, value);
        } else if (std::is_same_v<T, std::optional<bool>> ? found.isBool() : found.isDouble()) {
            typename T::value_type one{};
            fromValue(found, one);
            value = one;
        }
    }
    void operator()(const QString &key, QByteArray &bytes)
    {
        const QJsonValue coded = json.value(QString(key + "Base64"_L1));
        bytes = coded.isString() ? QByteArray::fromBase64(coded.toString().toLatin1())
                                 : json.value(key).toString().toUtf8();
    }
};

template <typename T> QJsonObject objectOf(const T &value)
{
    Writer writer;
    fields(writer, value);
    return writer.json;
}

template <typename T> void readObject(const QJsonObject &json, T &value)
{
    Reader reader{json};
    fields(reader, value);
}

template <typename T> T valueFrom(const QJsonObject &json)
{
    T value;
    readObject(json, value);
    return value;
}

} // namespace

QString stateWord(State state) { return wordAt(stateWords, static_cast<std::size_t>(state)); }
State stateFromWord(const QString &word) { return fromWord(stateWords, word, State::Unknown); }
QString hostStateWord(HostState state) { return wordAt(hostStateWords, static_cast<std::size_t>(state)); }
HostState hostStateFromWord(const QString &word) { return fromWord(hostStateWords, word, HostState::Unknown); }

QJsonObject JobSummary::toJson() const { return objectOf(*this); }
JobSummary JobSummary::fromJson(const QJsonObject &json) { return valueFrom<JobSummary>(json); }

QJsonObject TaskInfo::toJson() const { return objectOf(*this); }
TaskInfo TaskInfo::fromJson(const QJsonObject &json) { return valueFrom<TaskInfo>(json); }

QJsonObject AttemptInfo::toJson() const { return objectOf(*this); }
AttemptInfo AttemptInfo::fromJson(const QJsonObject &json) { return valueFrom<AttemptInfo>(json); }

QJsonObject ServiceInfo::toJson() const { return objectOf(*this); }
ServiceInfo ServiceInfo::fromJson(const QJsonObject &json) { return valueFrom<ServiceInfo>(json); }

QJsonObject HeldTask::toJson() const { return objectOf(*this); }
HeldTask HeldTask::fromJson(const QJsonObject &json) { return valueFrom<HeldTask>(json); }

QJsonObject JobDetail::toJson() const { return objectOf(*this); }
JobDetail JobDetail::fromJson(const QJsonObject &json) { return valueFrom<JobDetail>(json); }

QJsonObject HostInfo::toJson() const { return objectOf(*this); }
HostInfo HostInfo::fromJson(const QJsonObject &json) { return valueFrom<HostInfo>(json); }

QJsonObject EngineStatus::toJson() const { return objectOf(*this); }
EngineStatus EngineStatus::fromJson(const QJsonObject &json) { return valueFrom<EngineStatus>(json); }

QJsonObject RetryRequest::toJson() const { return objectOf(*this); }
RetryRequest RetryRequest::fromJson(const QJsonObject &json) { return valueFrom<RetryRequest>(json); }

QJsonObject LogGrowth::toJson() const { return objectOf(*this); }
LogGrowth LogGrowth::fromJson(const QJsonObject &json) { return valueFrom<LogGrowth>(json); }

QJsonObject TaskFolder::toJson() const { return objectOf(*this); }
TaskFolder TaskFolder::fromJson(const QJsonObject &json) { return valueFrom<TaskFolder>(json); }

QJsonObject Question::toJson() const { return objectOf(*this); }
Question Question::fromJson(const QJsonObject &json) { return valueFrom<Question>(json); }

QJsonObject SubmitRequest::toJson() const { return objectOf(*this); }
SubmitRequest SubmitRequest::fromJson(const QJsonObject &json) { return valueFrom<SubmitRequest>(json); }

QJsonObject JobNote::toJson() const { return objectOf(*this); }
JobNote JobNote::fromJson(const QJsonObject &json) { return valueFrom<JobNote>(json); }

QJsonObject SubmitReply::toJson() const { return objectOf(*this); }
SubmitReply SubmitReply::fromJson(const QJsonObject &json) { return valueFrom<SubmitReply>(json); }

QJsonObject PlanReply::toJson() const { return objectOf(*this); }
PlanReply PlanReply::fromJson(const QJsonObject &json) { return valueFrom<PlanReply>(json); }

} // namespace trainyard
