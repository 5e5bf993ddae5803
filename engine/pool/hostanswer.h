// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"
#include "model/base/result.h"

namespace trainyard
{

// The error for a host that did not answer a question about itself, according to its actual answer: host.gone, or
// files.failed {host, message}.
Error untoldBy(const QString &host, const contract::Message &said);

} // namespace trainyard
