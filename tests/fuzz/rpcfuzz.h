// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace rpcfuzz
{

// What must hold for any line that comes over the socket, on either side of it. Called by the fuzz target and by an
// ordinary test. Aborts when it does not hold.
void decode(const QByteArray &line);

} // namespace rpcfuzz
