// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QString>

// What follows from the code that says why a host is not online (HostInfo::error).
namespace trainyard::hosterror
{

// Whether its key has changed. A login does not help: a person has to find out why, and to remove the old key.
inline bool isKeyChanged(const QString &code) { return code == QLatin1StringView("host.key-changed"); }

// Whether the server accepts keys only, and none of those that ssh has: no typed answer helps.
inline bool isKeyRefused(const QString &code) { return code == QLatin1StringView("host.needs-login.key"); }

// Whether it is another name of a host that is in use.
inline bool isSame(const QString &code) { return code == QLatin1StringView("host.same"); }

// Whether a person has to do something before another attempt can succeed.
inline bool needsPerson(const QString &code)
{
    return code.startsWith(QLatin1StringView("host.needs-login")) || code == QLatin1StringView("host.key-unknown")
        || isKeyChanged(code) || code.startsWith(QLatin1StringView("host.security-key-"));
}

// Whether its user can bring it back by a login that ssh asks for.
inline bool isLoginWanted(const HostInfo &host)
{
    return host.state == HostState::NeedsLogin && !isKeyChanged(host.error) && !isKeyRefused(host.error);
}

} // namespace trainyard::hosterror
