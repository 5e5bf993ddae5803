// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostanswer.h"

#include <cerrno>
#include <cstring>

namespace trainyard
{

Error untoldBy(const QString &host, const contract::Message &said)
{
    const auto *failure = std::get_if<contract::Failure>(&said);
    if (failure && failure->code == "host.gone") {
        return {QStringLiteral("host.gone"), {}};
    }
    if (failure && failure->systemError == ETIMEDOUT) {
        return {QStringLiteral("files.silent"), {{QStringLiteral("host"), host}}};
    }
    const QString message = QString::fromLocal8Bit(std::strerror(failure ? failure->systemError : EIO));
    return {QStringLiteral("files.failed"), {{QStringLiteral("host"), host}, {QStringLiteral("message"), message}}};
}

} // namespace trainyard
