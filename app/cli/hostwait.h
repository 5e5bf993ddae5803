// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <optional>

namespace trainyard::cli
{

class Session;

// The state of the host once it is known: online, or why not. Nothing: it has not answered for long. What ssh asks
// meanwhile is asked on the terminal, if the session answers questions.
std::optional<HostInfo> waitForHost(Session &session, const QString &id);
// The same of a command that has changed something and says so when Ctrl+C ends the waiting.
struct AwaitedHost {
    std::optional<HostInfo> host;
    bool isInterrupted = false;
};
AwaitedHost waitForHostOrInterrupt(Session &session, const QString &id);

// Values that are measured over a connection arrive after it: waits for the clock and the free disk space of a host
// that is online. The host as it is then; after a while also without them.
std::optional<HostInfo> waitForMeasures(Session &session, const QString &id);

} // namespace trainyard::cli
