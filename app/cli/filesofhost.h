// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <optional>

namespace trainyard::cli
{

// The files that Trainyard has put on an online host; nothing if they are not known.
std::optional<api::HostFiles> filesOf(Session &session, const HostInfo &host);
void outFiles(const api::HostFiles &files);

// Removes files there, and returns what is left. `removed` says what has gone, and is empty when nothing has.
Result<api::HostFiles> cleanHost(Session &session, const api::HostToClean &host, QString &removed);

} // namespace trainyard::cli
