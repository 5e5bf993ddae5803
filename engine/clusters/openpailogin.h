// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/openpaiclient.h"

#include <functional>

namespace trainyard::openpai
{

// Logs the user of a target in by a password, and passes the token that the cluster makes for them. The password is
// sent only to an address that has answered as an OpenPAI cluster whose users have passwords, and the token is passed
// only if the client still has this target. `client` outlives it. Codes: openpai.no-password {target, address},
// openpai.bad-password {target, detail}, openpai.no-login-token {target}, openpai.login-changed {target}, and those of
// the answers.
void logIn(OpenPaiClient &client, const OpenPaiTarget &target, const QString &password,
    const std::function<void(const Result<QString> &token)> &then);

} // namespace trainyard::openpai
