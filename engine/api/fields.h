// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMap>
#include <QString>

#include <optional>
#include <type_traits>
#include <vector>

// A value lists its members once, for all code that writes and reads it:
//   template <typename Io> void fields(Io &io, Of<Io, T> &m) { io(QStringLiteral("name"), m.name); ... }
// is in the namespace of T. With io.when(isThere, name, member) a member is written only then, and keeps what it
// has when the text does not have it. With io.required() a request that lacks the member, or has it with the wrong
// type, is refused; any other member keeps its default then.
namespace trainyard
{

// The type of a struct for code that writes it (const) and for code that reads it.
template <typename Io, typename T> using Of = std::conditional_t<Io::writes, const T, T>;

// The same for several members at once: members(io, "id", m.id, "on", m.on).
template <typename Io, typename T, typename... Others>
void members(Io &io, const char *name, T &member, Others &&...others)
{
    io(QString::fromLatin1(name), member);
    if constexpr (sizeof...(others) > 0) {
        members(io, others...);
    }
}

// Tags by which writers and readers tell the types of members apart.
using StringMap = QMap<QString, QString>;
template <typename T> struct IsList : std::false_type {
};
template <typename T> struct IsList<QList<T>> : std::true_type {
};
template <typename T> struct IsList<std::vector<T>> : std::true_type {
};
template <typename T> struct IsOptional : std::false_type {
};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {
};

} // namespace trainyard
