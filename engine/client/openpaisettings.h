// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QString>

namespace trainyard
{

// An OpenPAI cluster as people name and set it, for all programs that read what was typed: the command line, the
// window, the engine.

QString openPaiTargetId(const QString &name); // "openpai:NAME", as jobs name it
QString openPaiAddressKey(const QString &name); // of the setting with the address of the cluster
QString openPaiUserKey(const QString &name); // ... with the name of the user there
QString openPaiClusterKey(const QString &name); // ... with the virtual cluster of jobs that name none
QString openPaiPlainKey(const QString &name); // ... that says "yes" where http without TLS is allowed

// The URL of an address as users type it: "pai.example.org" is reached by https. Only this computer itself is reached
// without TLS, unless that is allowed. Codes: openpai.bad-address {address}, openpai.plain-http {address}.
Result<QString> openPaiAddress(const QString &typed, bool isPlainAllowed);
// The name of a user there. Code: openpai.bad-user {user}.
Result<void> checkOpenPaiUser(const QString &user);

} // namespace trainyard
