// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/inprocess.h"

#include "engine/api/rpc.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/server.h"

namespace trainyard
{

std::unique_ptr<RpcConnection> connectInProcess(Engine &engine)
{
    auto *server = engine.findChild<RpcServer *>(QString(), Qt::FindDirectChildrenOnly);
    if (!server) {
        server = new RpcServer(engine, {.socketPath = {}, .idleSeconds = 0, .version = rpc::buildVersion()}, &engine);
    }
    auto [ours, theirs] = makeRpcPair();
    server->addConnection(std::move(ours));
    return std::move(theirs);
}

} // namespace trainyard
