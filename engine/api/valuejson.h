// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "engine/api/values.h"

#include <QJsonArray>
#include <QJsonObject>

#include <concepts>

// Values as JSON trees, by their lists of members.
namespace trainyard::valuejson
{

// A value of values.h has its own code, which is then not generated again wherever it is a member.
template <typename T>
concept KnowsJson = requires(const T &value)
{
    {
        value.toJson()
        } -> std::same_as<QJsonObject>;
};

template <typename T> QJsonObject objectOf(const T &value);
template <typename T> bool readObject(const QJsonObject &json, T &value);
template <typename A, typename B> QJsonValue toValue(const std::pair<A, B> &pair);
template <typename A, typename B> void fromValue(const QJsonValue &json, std::pair<A, B> &pair);

// ---- values as JSON ----

template <typename T> QJsonValue toValue(const T &value)
{
    if constexpr (std::is_constructible_v<QJsonValue, const T &> && !std::is_enum_v<T>) {
        return QJsonValue(value);
    } else if constexpr (std::is_same_v<T, State>) {
        return stateWord(value);
    } else if constexpr (std::is_same_v<T, HostState>) {
        return hostStateWord(value);
    } else if constexpr (std::is_same_v<T, StepState>) {
        return stepStateWord(value);
    } else if constexpr (std::is_enum_v<T>) {
        return int(value);
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
    } else if constexpr (KnowsJson<T>) {
        return value.toJson();
    } else {
        return objectOf(value);
    }
}

// Pairs as arrays: they keep the order of the document, which an object would not keep.
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
    } else if constexpr (std::is_same_v<T, QJsonArray>) {
        value = json.toArray();
    } else if constexpr (std::is_same_v<T, QJsonValue>) {
        value = json;
    } else if constexpr (std::is_same_v<T, State>) {
        value = stateFromWord(json.toString());
    } else if constexpr (std::is_same_v<T, HostState>) {
        value = hostStateFromWord(json.toString());
    } else if constexpr (std::is_same_v<T, StepState>) {
        value = stepStateFromWord(json.toString());
    } else if constexpr (std::is_enum_v<T>) {
        value = T(json.toInt(int(value)));
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
        value.reserve(decltype(value.size())(array.size()));
        for (const QJsonValue &item : array) {
            typename T::value_type one{};
            fromValue(item, one);
            value.push_back(std::move(one));
        }
    } else if constexpr (KnowsJson<T>) {
        value = T::fromJson(json.toObject());
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
    template <typename T> void required(const QString &key, const T &value) { (*this)(key, value); }
    template <typename T> void when(bool isThere, const QString &key, const T &value)
    {
        if (isThere) {
            (*this)(key, value);
        }
    }
    // A job's text consists of bytes that must arrive unchanged, whereas JSON strings are Unicode. Texts that a
    // conversion would change (invalid UTF-8, a byte order mark) are sent as base64.
    void operator()(const QString &key, const QByteArray &bytes)
    {
        const QString text = QString::fromUtf8(bytes);
        if (text.toUtf8() == bytes) {
            json.insert(key, text);
        } else {
            json.insert(QString(key + QLatin1StringView("Base64")), QString::fromLatin1(bytes.toBase64()));
        }
    }
};

// An absent value is null, missing or of the wrong type. All three are read alike, so that older and newer programs
// understand each other.
struct Reader {
    static constexpr bool writes = false;
    const QJsonObject &json;
    bool isComplete = true; // nothing that is required is missing

    template <typename T> static bool holds(const QJsonValue &found)
    {
        if constexpr (std::is_same_v<T, bool>) {
            return found.isBool();
        } else if constexpr (std::is_arithmetic_v<T>) {
            return found.isDouble();
        } else if constexpr (std::is_same_v<T, QString>) {
            return found.isString();
        } else if constexpr (std::is_same_v<T, QJsonArray> || IsList<T>::value) {
            return found.isArray();
        } else {
            return found.isObject();
        }
    }
    template <typename T> void operator()(const QString &key, T &value)
    {
        const QJsonValue found = json.value(key);
        if constexpr (!IsOptional<T>::value) {
            fromValue(found, value);
        } else if (holds<typename T::value_type>(found)) {
            typename T::value_type one{};
            fromValue(found, one);
            value = one;
        }
    }
    template <typename T> void when(bool, const QString &key, T &value)
    {
        const bool isCoded = std::is_same_v<T, QByteArray> && json.contains(QString(key + QLatin1StringView("Base64")));
        if (isCoded || json.contains(key)) {
            (*this)(key, value);
        }
    }
    template <typename T> void required(const QString &key, T &value)
    {
        isComplete = isComplete && holds<T>(json.value(key));
        (*this)(key, value);
    }
    void operator()(const QString &key, QByteArray &bytes)
    {
        const QJsonValue coded = json.value(QString(key + QLatin1StringView("Base64")));
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

// False when something is missing that is required.
template <typename T> bool readObject(const QJsonObject &json, T &value)
{
    Reader reader{json};
    fields(reader, value);
    return reader.isComplete;
}

template <typename T> T valueFrom(const QJsonObject &json)
{
    T value;
    readObject(json, value);
    return value;
}

} // namespace trainyard::valuejson
