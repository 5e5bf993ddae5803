// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "engine/api/jsoncursor.h"
#include "engine/api/jsontext.h"
#include "engine/api/values.h"

// Values as compact JSON text, by their lists of members and in the order of these, without a tree between: ten
// thousand tasks as QJsonObjects cost several times as much.
namespace trainyard::fieldtext
{

// ---- writing ----

struct TextWriter {
    static constexpr bool writes = true;
    QByteArray &out;
    bool first = true;

    void key(const QString &name)
    {
        out += first ? '{' : ',';
        first = false;
        appendJson(out, name);
        out += ':';
    }
    template <typename T> void operator()(const QString &name, const T &value);
    template <typename T> void when(bool isThere, const QString &name, const T &value)
    {
        if (isThere) {
            (*this)(name, value);
        }
    }
    void operator()(const QString &name, const QByteArray &bytes)
    {
        const QString text = QString::fromUtf8(bytes);
        const bool whole = text.toUtf8() == bytes;
        key(whole ? name : name + QLatin1StringView("Base64"));
        appendJson(out, whole ? text : QString::fromLatin1(bytes.toBase64()));
    }
};

template <typename T> void putValue(QByteArray &out, const T &value);

template <typename A, typename B> void putValue(QByteArray &out, const std::pair<A, B> &pair)
{
    out += '[';
    putValue(out, pair.first);
    out += ',';
    putValue(out, pair.second);
    out += ']';
}

template <typename T> void putValue(QByteArray &out, const T &value)
{
    if constexpr (std::is_same_v<T, bool>) {
        out += value ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
        appendJson(out, qint64(value));
    } else if constexpr (std::is_same_v<T, double>) {
        appendJson(out, value);
    } else if constexpr (std::is_same_v<T, QString>) {
        appendJson(out, value);
    } else if constexpr (std::is_same_v<T, QJsonObject>) {
        appendJson(out, value);
    } else if constexpr (std::is_same_v<T, State>) {
        appendJson(out, stateWord(value));
    } else if constexpr (std::is_same_v<T, HostState>) {
        appendJson(out, hostStateWord(value));
    } else if constexpr (std::is_same_v<T, StepState>) {
        appendJson(out, stepStateWord(value));
    } else if constexpr (std::is_same_v<T, TaskCounts>) {
        putValue(out, QList<int>{value.waiting, value.running, value.succeeded, value.failed, value.stopped});
    } else if constexpr (std::is_same_v<T, StringMap>) {
        out += '{';
        for (auto it = value.cbegin(); it != value.cend(); ++it) {
            out += it == value.cbegin() ? "" : ",";
            appendJson(out, it.key());
            out += ':';
            appendJson(out, it.value());
        }
        out += '}';
    } else if constexpr (IsList<T>::value) {
        out += '[';
        for (qsizetype i = 0; i < value.size(); ++i) {
            if (i > 0) {
                out += ',';
            }
            putValue(out, value.at(i));
        }
        out += ']';
    } else {
        TextWriter writer{out};
        fields(writer, value);
        out += writer.first ? "{}" : "}";
    }
}

template <typename T> void TextWriter::operator()(const QString &name, const T &value)
{
    if constexpr (!IsOptional<T>::value) {
        key(name);
        putValue(out, value);
    } else if (value) {
        key(name);
        putValue(out, *value);
    }
}

template <typename T> QByteArray textOf(const T &value, qsizetype about = 0)
{
    QByteArray text;
    text.reserve(about);
    putValue(text, value);
    return text;
}

// ---- reading ----

template <typename T> void readValue(JsonCursor &in, T &value);

struct TextReader {
    static constexpr bool writes = false;
    JsonCursor &in;
    char before = '{';

    template <typename T> void operator()(const QString &name, T &value)
    {
        if (in.skipKey(before, name)) {
            before = ',';
            readValue(in, value);
        } else if constexpr (!IsOptional<T>::value) {
            in.fail();
        }
    }
    template <typename T> void when(bool, const QString &name, T &value)
    {
        if (in.skipKey(before, name)) {
            before = ',';
            readValue(in, value);
        }
    }
};

template <typename T> void readValue(JsonCursor &in, T &value)
{
    if constexpr (std::is_same_v<T, State>) {
        QString word;
        in.read(word);
        value = stateFromWord(word);
    } else if constexpr (std::is_same_v<T, TaskCounts>) {
        QList<int> counts;
        in.read(counts);
        if (counts.size() == 5) {
            value = {counts.at(0), counts.at(1), counts.at(2), counts.at(3), counts.at(4)};
        } else {
            in.fail();
        }
    } else if constexpr (IsOptional<T>::value) {
        typename T::value_type one{};
        readValue(in, one);
        value = std::move(one);
    } else if constexpr (IsList<T>::value) {
        in.readList(value, [&in](auto &one) { readValue(in, one); });
    } else if constexpr (std::is_class_v<T> && requires { fields(std::declval<TextReader &>(), value); }) {
        TextReader reader{in};
        fields(reader, value);
        if (reader.before == '{') { // no field is there
            in.expect('{');
        }
        in.expect('}');
    } else {
        in.read(value);
    }
}

// Reads text that textOf() wrote. Returns nothing for any other text, which has to be read as a tree.
template <typename T> std::optional<T> valueFrom(QByteArrayView text)
{
    JsonCursor in(text);
    T value{};
    readValue(in, value);
    return in.good() && in.atEnd() ? std::optional(std::move(value)) : std::nullopt;
}

} // namespace trainyard::fieldtext
