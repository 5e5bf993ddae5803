// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

#include <tl/expected.hpp>

namespace trainyard
{

// Why something could not be done: a stable dotted code and its arguments. widgets/text makes the sentence, so that
// model and engine need no translation and tests compare codes. Arguments never hold a secret.
struct Error {
    QString code;
    QJsonObject args = {};
    friend bool operator==(const Error &, const Error &) = default;
};

template <typename T> using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(const QString &code, const QJsonObject &args = {})
{
    return tl::unexpected<Error>(Error{code, args});
}

// Joins lambdas into a visitor for std::visit.
template <typename... Ts> struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts> Overloaded(Ts...) -> Overloaded<Ts...>;

} // namespace trainyard
