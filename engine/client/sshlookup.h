// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

class QObject;

namespace trainyard
{

// The name that this computer itself has to look up to get there, from the settings that `ssh -G` prints; empty where
// ssh goes through another host or program, which looks it up, and where there is an address.
QString nameToLookUp(const QByteArray &settings);

// Checks whether the name of an ssh target can be looked up with the user's ssh configuration: `then` gets the name if
// it is unknown. It gets an empty text if the name is known, or if this cannot be determined: without a network, in
// time, or by this computer alone. `then` is not called when `context` is gone.
using SshLookup = std::function<void(
    const QString &target, QObject *context, const std::function<void(const QString &unknown)> &then)>;
void lookUpSshName(const QString &target, QObject *context, const std::function<void(const QString &unknown)> &then);

} // namespace trainyard
