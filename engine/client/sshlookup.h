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

// Whether the name of an ssh target can be looked up, as the user's ssh means it: `then` gets the name that is not
// known. It gets an empty text where the name is known, and where that cannot be told: without a network, in time, or
// by this computer alone. Nothing is told when `context` is gone.
using SshLookup = std::function<void(
    const QString &target, QObject *context, const std::function<void(const QString &unknown)> &then)>;
void lookUpSshName(const QString &target, QObject *context, const std::function<void(const QString &unknown)> &then);

} // namespace trainyard
