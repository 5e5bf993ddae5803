// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/callcodec.h"
#include "engine/client/engineclient.h"
#include "engine/client/pendingrequests.h"

// How a call becomes a request that waits for its answer: for the files of EngineClient alone.
namespace trainyard
{

template <typename Call> PendingRequest pendingFor(QObject *context, EngineClient::Reply<typename Call::Reply> reply)
{
    PendingRequest pending{.method = Call::name, .context = context, .reply = {}, .isSubmission = Call::isSubmission};
    if (!reply) {
        return pending;
    }
    if constexpr (api::isLongList<typename Call::Reply>) {
        pending.readText = [reply](QByteArrayView text) -> std::function<void()> {
            std::optional<typename Call::Reply> list = api::decodedReply<Call>(text);
            if (!list) {
                return {};
            }
            return [reply, list = std::move(*list)] { reply(list); };
        };
    }
    pending.reply = [reply = std::move(reply)](const Result<QJsonValue> &answer) {
        if (answer) {
            reply(api::decodedReply<Call>(*answer));
        } else {
            reply(tl::unexpected(answer.error()));
        }
    };
    return pending;
}

} // namespace trainyard
