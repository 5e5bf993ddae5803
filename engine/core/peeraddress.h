// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard::core
{

// An address of a host, as its agent reports it.
struct NetAddress {
    QString interface, address;
    int prefix = 0; // bits that all addresses of its network share
    friend bool operator==(const NetAddress &, const NetAddress &) = default;
};

struct PeerHost {
    QString id;
    QString boot; // hosts with the same one and the same addresses are one computer
    QList<NetAddress> addresses; // empty: not known
    QStringList reachedBy; // addresses by which connections of the engine reach it, the best first
    QString wanted = {}; // by its user: an address, or the name of an interface; empty: any
};

// The addresses at which the other hosts of a job may reach this one, the most likely one first. An address that the
// user names is the only one. First come those in a network that all others are in too, then those by which ssh
// reaches the host, then the rest by how many of the others are in its network; IPv4 before IPv6. Addresses that
// another host has as well, and those of a family that some of the others lack, come last. Empty: the interface that
// the user names has no address.
QStringList peerAddresses(const PeerHost &of, const QList<PeerHost> &others);

bool isAddress(const QString &text); // of IPv4 or IPv6, without a zone
bool isInterfaceName(const QString &text); // as Linux has them

} // namespace trainyard::core
