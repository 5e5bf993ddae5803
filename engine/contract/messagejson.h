// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/jsontext.h"
#include "engine/contract/messagefields.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Messages as JSON, by the lists of their members (messagefields.h). For messages.cpp alone.
namespace trainyard::contract::messagejson
{

using Json = nlohmann::json;

// ---- reading without exceptions: what has the wrong type counts as missing ----

inline const Json *find(const Json &object, const char *key)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

inline void get(const Json &object, const char *key, std::string &value)
{
    const Json *found = find(object, key);
    if (found && found->is_string()) {
        value = found->get_ref<const std::string &>();
    }
}

inline void get(const Json &object, const char *key, bool &value)
{
    const Json *found = find(object, key);
    if (found && found->is_boolean()) {
        value = found->get<bool>();
    }
}

inline void get(const Json &object, const char *key, double &value)
{
    const Json *found = find(object, key);
    if (found && found->is_number()) {
        value = found->get<double>();
    }
}

template <typename T>
requires std::is_integral_v<T>
bool toInteger(const Json &json, T &value)
{
    using Limit = std::numeric_limits<T>;
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (number <= static_cast<std::uint64_t>(Limit::max())) {
            value = static_cast<T>(number);
            return true;
        }
    } else if (json.is_number_integer()) {
        const auto number = json.get<std::int64_t>();
        if constexpr (std::is_signed_v<T>) {
            if (number >= Limit::min() && number <= Limit::max()) {
                value = static_cast<T>(number);
                return true;
            }
        }
    }
    return false;
}

template <typename T>
requires std::is_integral_v<T>
void get(const Json &object, const char *key, T &value)
{
    if (const Json *found = find(object, key)) {
        toInteger(*found, value);
    }
}

template <typename T>
requires std::is_integral_v<T>
void get(const Json &object, const char *key, std::vector<T> &value)
{
    const Json *found = find(object, key);
    if (found && found->is_array()) {
        for (const Json &item : *found) {
            T number = 0;
            if (toInteger(item, number)) {
                value.push_back(number);
            }
        }
    }
}

inline void get(const Json &object, const char *key, std::vector<std::string> &value)
{
    const Json *found = find(object, key);
    if (found && found->is_array()) {
        for (const Json &item : *found) {
            if (item.is_string()) {
                value.push_back(item.get_ref<const std::string &>());
            }
        }
    }
}

inline void get(const Json &object, const char *key, std::map<std::string, std::int64_t> &value)
{
    const Json *found = find(object, key);
    if (found && found->is_object()) {
        for (const auto &[name, item] : found->items()) {
            std::int64_t number = 0;
            if (toInteger(item, number)) {
                value[name] = number;
            }
        }
    }
}

// ---- the two directions ----

template <typename T>
concept Record = requires(const T &record, std::string_view text)
{
    record.format();
    T::parse(text);
};

template <typename T> struct IsVector : std::false_type {
};
template <typename T> struct IsVector<std::vector<T>> : std::true_type {
};
template <typename T> struct IsOptional : std::false_type {
};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {
};

// A value that JSON has by itself.
template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T,
    std::vector<int>> || std::is_same_v<T, std::vector<std::int64_t>> || std::is_same_v<T,
    std::vector<std::string>> || std::is_same_v<T, std::map<std::string, std::int64_t>>;

// Straight to text: every start of a task sends some of these, and a tree of them costs several times as much.
struct Writer {
    static constexpr bool writes = true;
    std::string &out;
    bool first = true;

    void constant(const char *key, int value) { (*this)(key, value); }
    template <typename T> void optional(const char *key, const T &value, bool isThere)
    {
        if (isThere) {
            (*this)(key, value);
        }
    }
    template <typename T> void operator()(const char *key, const T &value)
    {
        if constexpr (IsOptional<T>::value) {
            if (value) {
                (*this)(key, *value);
            }
        } else {
            begin(key);
            add(value);
        }
    }
    void finish() { out += first ? "{}" : "}"; }

private:
    void begin(std::string_view key)
    {
        out += first ? '{' : ',';
        first = false;
        addJsonText(out, key);
        out += ':';
    }
    template <typename T> void add(const T &value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            out += value ? "true" : "false";
        } else if constexpr (std::is_integral_v<T>) {
            out += std::to_string(value);
        } else if constexpr (std::is_floating_point_v<T>) {
            out += jsonText(Json(value));
        } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
            addJsonText(out, value);
        } else if constexpr (Record<T>) {
            addJsonText(out, value.format());
        } else if constexpr (IsVector<T>::value) {
            out += '[';
            for (const auto &item : value) {
                out += &item == &value.front() ? "" : ",";
                add(item);
            }
            out += ']';
        } else if constexpr (std::is_same_v<T, std::map<std::string, std::int64_t>>) {
            Writer inner{out};
            for (const auto &[name, number] : value) {
                inner.begin(name);
                inner.add(number);
            }
            inner.finish();
        } else {
            Writer inner{out};
            fields(inner, value);
            inner.finish();
        }
    }
};

struct Reader {
    static constexpr bool writes = false;
    const Json &j;
    const char *missing = nullptr; // a record that has to be there

    void constant(const char *, int) { }
    template <typename T> void optional(const char *key, T &value, bool) { (*this)(key, value); }
    template <typename T> void operator()(const char *key, T &value)
    {
        if constexpr (Plain<T>) {
            get(j, key, value);
        } else if constexpr (Record<T>) {
            std::optional<T> record;
            (*this)(key, record);
            if (record) {
                value = std::move(*record);
            } else {
                missing = key;
            }
        } else if constexpr (IsOptional<T>::value) {
            std::string text;
            get(j, key, text);
            if (!text.empty()) {
                value = T::value_type::parse(text);
            }
        } else if constexpr (IsVector<T>::value) {
            const Json *list = find(j, key);
            if (list && list->is_array()) {
                for (const Json &item : *list) {
                    Reader inner{item};
                    fields(inner, value.emplace_back());
                }
            }
        } else if (const Json *object = find(j, key)) {
            Reader inner{*object};
            fields(inner, value);
        }
    }
};

} // namespace trainyard::contract::messagejson
