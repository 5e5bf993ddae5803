// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

// The way from a host to an address of another one.
struct PeerWay {
    QString from, to, address;
    friend bool operator==(const PeerWay &, const PeerWay &) = default;
    friend size_t qHash(const PeerWay &way, size_t seed = 0) { return qHashMulti(seed, way.from, way.to, way.address); }
};

// The results of tests of connections between hosts, for as long as they are valid.
class FoundWays
{
public:
    // A state of contract::Reached; empty: it could not be determined.
    std::optional<QString> at(const PeerWay &way) const;
    bool isBlocked(const PeerWay &way) const;
    void note(const PeerWay &way, const QString &state);
    void forget(const QString &host);
    void forgetBlocked(const QStringList &hosts); // those between them
    void dropOld();

private:
    struct Found {
        QString state;
        qint64 until = 0; // steady
    };
    QHash<PeerWay, Found> m_found;
};

} // namespace trainyard
