// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jsonmembers.h"

#include <QByteArray>
#include <QString>

#include <algorithm>

namespace trainyard
{
namespace
{

// Behind the quote that ends the text which begins at `at`, or null.
const char *endOfText(const char *at, const char *end)
{
    for (++at; at < end; ++at) {
        if (*at == '"') {
            return at + 1;
        }
        at += *at == '\\' ? 1 : 0;
    }
    return nullptr;
}

// Behind the value that begins at `at`, or null.
const char *endOfValue(const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = endOfText(at, end);
            if (!at) {
                return nullptr;
            }
        } else if (*at == '{' || *at == '[') {
            ++depth;
            ++at;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0) {
                return at;
            }
            --depth;
            ++at;
        } else if (*at == ',' && depth == 0) {
            return at;
        } else {
            ++at;
        }
    }
    return nullptr;
}

// A quote inside a text is escaped, so that only a name has one before it and a quote with a colon behind; of those
// in objects further down, a brace or bracket is open in between.
bool isAtTop(const char *begin, const char *at)
{
    int depth = 0;
    while (begin < at) {
        if (*begin == '"') {
            begin = endOfText(begin, at);
            if (!begin) {
                return false;
            }
        } else {
            depth += *begin == '{' || *begin == '[' ? 1 : *begin == '}' || *begin == ']' ? -1 : 0;
            ++begin;
        }
    }
    return depth == 1;
}

} // namespace

void eachJsonMember(QByteArrayView object, const std::function<bool(QByteArrayView name, QByteArrayView value)> &seen)
{
    const char *at = object.data();
    const char *end = at + object.size();
    if (at == end || *at != '{') {
        return;
    }
    while (++at < end && *at == '"') {
        const char *name = at + 1;
        const char *behind = endOfText(at, end);
        if (!behind || behind == end || *behind != ':') {
            return;
        }
        const char *value = behind + 1;
        at = endOfValue(value, end);
        if (!at || !seen({name, behind - 1}, {value, at}) || *at != ',') {
            return;
        }
    }
}

QByteArrayView jsonMember(QByteArrayView object, QByteArrayView name)
{
    const QByteArray quoted = '"' + name.toByteArray() + "\":";
    const char *end = object.data() + object.size();
    for (qsizetype at = object.indexOf(quoted); at >= 0; at = object.indexOf(quoted, at + 1)) {
        const char *begin = object.data() + at;
        if (at > 0 && (begin[-1] == '{' || begin[-1] == ',') && isAtTop(object.data(), begin)) {
            const char *value = begin + quoted.size();
            const char *behind = endOfValue(value, end);
            return behind ? QByteArrayView(value, behind) : QByteArrayView();
        }
    }
    return {};
}

QByteArrayView jsonMemberInAnyCase(QByteArrayView object, QByteArrayView name)
{
    if (const QByteArrayView exact = jsonMember(object, name); !exact.isNull()) {
        return exact;
    }
    // In another case a plain name has as many bytes.
    const bool isPlain = std::all_of(name.begin(), name.end(), [](char c) { return quint8(c) < 128; });
    const QString wanted = isPlain ? QString() : QString::fromUtf8(name);
    QByteArrayView found;
    int alike = 0;
    eachJsonMember(object, [&](QByteArrayView key, QByteArrayView value) {
        const bool isSame = isPlain
            ? key.size() == name.size() && qstrnicmp(key.data(), key.size(), name.data(), name.size()) == 0
            : QString::fromUtf8(key).compare(wanted, Qt::CaseInsensitive) == 0;
        found = isSame ? value : found;
        alike += isSame ? 1 : 0;
        return alike < 2;
    });
    return alike == 1 ? found : QByteArrayView();
}

} // namespace trainyard
