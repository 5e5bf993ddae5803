// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/peeraddress.h"

#include <QHostAddress>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

bool isSameComputer(const PeerHost &a, const PeerHost &b)
{
    return a.id == b.id
        || (!a.boot.isEmpty() && a.boot == b.boot && !a.addresses.isEmpty() && a.addresses == b.addresses);
}

bool has(const PeerHost &host, const QHostAddress &address)
{
    return std::any_of(host.addresses.cbegin(), host.addresses.cend(),
        [&address](const NetAddress &each) { return QHostAddress(each.address) == address; });
}

bool hasFamily(const PeerHost &host, QAbstractSocket::NetworkLayerProtocol family)
{
    return host.addresses.isEmpty()
        || std::any_of(host.addresses.cbegin(), host.addresses.cend(),
            [family](const NetAddress &each) { return QHostAddress(each.address).protocol() == family; });
}

// Whether the host has another address in the same network.
bool isInNetwork(const PeerHost &host, const NetAddress &of)
{
    const QHostAddress address(of.address);
    return std::any_of(host.addresses.cbegin(), host.addresses.cend(), [&](const NetAddress &each) {
        const QHostAddress other(each.address);
        return each.prefix == of.prefix && of.prefix > 0 && other != address && other.protocol() == address.protocol()
            && other.isInSubnet(address, of.prefix);
    });
}

struct Candidate {
    NetAddress net;
    // Smaller goes first.
    std::tuple<bool, bool, bool, int, int, bool> rank;
};

Candidate candidateOf(const NetAddress &net, const PeerHost &of, const QList<PeerHost> &others)
{
    const QHostAddress address(net.address);
    bool isTaken = address.isLoopback() && !others.isEmpty(); // the end of a tunnel
    bool isForeignFamily = false;
    int near = 0;
    for (const PeerHost &other : others) {
        isTaken = isTaken || has(other, address);
        isForeignFamily = isForeignFamily || (!address.isNull() && !hasFamily(other, address.protocol()));
        near += isInNetwork(other, net) ? 1 : 0;
    }
    const qsizetype reached = of.reachedBy.indexOf(net.address);
    const int reachedRank = reached < 0 ? int(of.reachedBy.size()) : int(reached);
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    return {net, {isTaken, isForeignFamily, near < others.size(), reachedRank, -near, isV6}};
}

} // namespace

bool isAddress(const QString &text)
{
    const QHostAddress address(text);
    static const QRegularExpression four(u"\\A[0-9]+(\\.[0-9]+){3}\\z"_s);
    return !address.isNull() && address.scopeId().isEmpty()
        && (address.protocol() == QAbstractSocket::IPv6Protocol || four.match(text).hasMatch());
}

bool isInterfaceName(const QString &text)
{
    static const QRegularExpression shape(u"\\A[A-Za-z0-9_.:@][A-Za-z0-9_.:@-]{0,14}\\z"_s);
    return shape.match(text).hasMatch() && text != "."_L1 && text != ".."_L1;
}

QStringList peerAddresses(const PeerHost &of, const QList<PeerHost> &all)
{
    if (isAddress(of.wanted)) {
        return {of.wanted};
    }
    QList<PeerHost> others = all;
    others.removeIf([&of](const PeerHost &other) { return isSameComputer(of, other); });
    const bool isAlone = others.isEmpty() && of.wanted.isEmpty();
    QList<NetAddress> known = of.addresses;
    if (!of.wanted.isEmpty()) {
        if (known.isEmpty()) {
            return of.reachedBy; // its agent tells no addresses
        }
        known.removeIf([&of](const NetAddress &each) { return each.interface != of.wanted; });
    } else {
        for (const QString &address : of.reachedBy) {
            const bool isThere = std::any_of(
                known.cbegin(), known.cend(), [&address](const NetAddress &each) { return each.address == address; });
            if (!isThere && !address.isEmpty()) {
                known.append({{}, address, 0}); // behind a router that has it
            }
        }
    }
    if (isAlone && !of.reachedBy.isEmpty()) {
        return of.reachedBy; // what all tasks on one computer have been told
    }
    std::vector<Candidate> candidates;
    for (const NetAddress &net : std::as_const(known)) {
        candidates.push_back(candidateOf(net, of, others));
    }
    std::stable_sort(
        candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) { return a.rank < b.rank; });
    QStringList addresses;
    for (const Candidate &each : candidates) {
        if (!addresses.contains(each.net.address)) {
            addresses.append(each.net.address);
        }
    }
    return addresses;
}

} // namespace trainyard::core
