// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"
#include "model/base/result.h"

namespace trainyard
{

// The error for a host that did not tell what it was asked about itself, by what it said instead: host.gone, or
// files.failed {host, message}.
Error untoldBy(const QString &host, const contract::Message &said);

} // namespace trainyard
