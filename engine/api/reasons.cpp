// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"

namespace trainyard::reason
{
namespace
{

template <typename R> bool readReason(const QString &code, const QJsonObject &args, Any &found)
{
    if constexpr (Listed<R>) {
        if (std::optional<R> reason = as<R>(code, args)) {
            found = std::move(*reason);
            return true;
        }
    }
    return false;
}

template <typename... Rs>
void readFirst(const QString &code, const QJsonObject &args, Any &found, const std::variant<Rs...> *)
{
    (readReason<Rs>(code, args, found) || ...);
}

} // namespace

Error errorOf(const Any &reason)
{
    return std::visit(
        [](const auto &each) {
            if constexpr (std::is_same_v<std::decay_t<decltype(each)>, Other>) {
                return Error{each.code, each.args};
            } else {
                return errorOf(each);
            }
        },
        reason);
}

Any any(const QString &code, const QJsonObject &args)
{
    Any found = Other{code, args};
    readFirst(code, args, found, static_cast<const Any *>(nullptr));
    return found;
}

} // namespace trainyard::reason
