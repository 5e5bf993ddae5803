// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/mask.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QNetworkReply>

// Interprets the errors of an OpenPAI server and of the network in front of it. Pure.
namespace trainyard::openpai
{

// The meaning of an answer of the cluster for the job.
enum class Verdict {
    Good,
    Silent, // nothing is known: it is asked again, and may have done what it was asked for
    Busy, // it has done nothing, and should be asked later
    Login, // it needs a valid token
    Missing, // it does not know that job
    Conflict, // it has a job of that name
    Refused, // for good
};

struct Failure {
    Verdict verdict = Verdict::Good;
    Error error; // codes openpai.*, with {target, detail}
    bool isBeforeCall = false; // no server took the call: nothing was asked of the cluster
    bool isOfCluster = true; // else a proxy or another server on the way has refused it, which the cluster may not do,
                             // or is busy itself, and may have passed it on
};

// The message for people in an answer that reports an error, shortened; empty: it has none. `hidden` is hidden before.
QString messageOf(const QByteArray &body, const contract::Secrets &hidden = contract::Secrets());
// An answer of HTTP. The codes of its documentation count before the status. `body` may hold anything.
Failure failureOf(int status, const QByteArray &body, const QString &target);
// There was none, or it broke off; `words` are Qt's.
Failure failureOfNetwork(QNetworkReply::NetworkError error, const QString &words, const QString &target);
// Whether this body, of an answer that is good, is a whole answer to what the cluster was asked to do.
bool saysTaken(const QByteArray &body);
// The pause that its header Retry-After asks for; -1: there is none.
qint64 retryAfterMs(const QByteArray &header, qint64 nowMs);

} // namespace trainyard::openpai
