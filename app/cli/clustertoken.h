// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/targetsline.h"
#include "engine/client/secretvault.h"

namespace trainyard::cli
{

class Session;

// The token with which a cluster knows its user. The engine has it in memory, and the keyring keeps it; it is in no
// file, no setting and no argument.

// A token, or the password by which the cluster makes one. The password is kept nowhere.
struct ClusterLogin {
    bool isPassword = false;
    QString text = {};
};
// Whether the options ask for one.
bool isLoginGiven(const TargetsValues &values);
// Reads one, from the terminal without showing it or from standard input. Returns the exit status, after saying what is
// wrong.
int readLogin(const QString &target, const TargetsValues &values, ClusterLogin &login);
// Passes it to the engine, and the token to the keyring. Returns the exit status, after reporting an error; a missing
// keyring is reported, but is not an error.
int handOverLogin(Session &session, const QString &target, const ClusterLogin &login);
// Gives the engine the one that the keyring has, where the engine has none since it began. Says nothing when there is
// none: the engine says it.
void handOverKeptToken(Session &session, const QString &target);
// False: the keyring had none. Errors: keyring.not-read, keyring.not-deleted.
Result<bool> forgetToken(Session &session, const QString &target);
Result<bool> takeOutToken(SecretVault &keyring, const QString &target); // of the keyring alone
// Says that it is still there, or may be, and how it is taken out later.
QString leftTokenText(const QString &target, const Error &why);

} // namespace trainyard::cli
