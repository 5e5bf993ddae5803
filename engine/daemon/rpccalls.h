// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/callcodec.h"

#include <QHash>

#include <functional>

namespace trainyard
{

class RpcSession;

using RpcAnswer = std::function<void(const Result<api::Payload> &)>;

// The action of the daemon for a call.
struct RpcRow {
    bool isBeforeGreeting = false;
    bool isReading = false;
    bool isForAssistants = false;
    std::function<void(RpcSession &session, const QJsonObject &params, const RpcAnswer &answer)> handle;
};

const QHash<QString, RpcRow> &rpcRows(); // all calls, by name

} // namespace trainyard
