// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/rpcconnection.h"

#include <memory>

namespace trainyard
{

class Engine;

// A client's connection to an engine of the same thread, for EngineClient::startWith(). The object that serves it
// belongs to the engine and ends with it.
std::unique_ptr<RpcConnection> connectInProcess(Engine &engine);

} // namespace trainyard
