// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/poolhost.h"

#include <QMap>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QUuid>

#include <map>
#include <utility>

namespace trainyard
{

// The folders in which this engine has all that it has on other hosts: <state>/remote/<epoch>, mostly one on each. The
// creation of a folder is recorded before anything starts in it. A folder that cannot be seen later, for example
// because the home folder is not mounted, is therefore known to be away and is not made again: otherwise tasks that run
// in it would look as if they had never been started, and would start twice.
class OwnFolders : public QObject
{
    Q_OBJECT
public:
    OwnFolders(const RunFolders &folders, const QString &epoch);

    // The folder of a path below it; empty: it is not such a path.
    static QString folderOf(const QString &below, const QString &epoch);
    // The folder of a host that was made last; empty when there is none.
    QString lastOn(const QString &host) const { return m_made.value(host).value(m_made.value(host).size() - 1); }
    // Whether the host has shown it over this connection. If not, it is asked for or made, and a signal reports the
    // result.
    bool isThere(PoolHost &host, const QString &below, const QUuid &waiting);
    void hostChanged(const PoolHost &host); // what was shown over its former connection no longer counts
    void hide(const PoolHost &host, const QString &below); // it has been found to be away
    // It may be made again: it was away for too long, or was removed. `below` empty: all of the host.
    void forget(const QString &host, const QString &below = {});

Q_SIGNALS:
    void shown(const QSet<QUuid> &waiting);
    void away(const QSet<QUuid> &waiting, const trainyard::contract::Failure &why);

private:
    struct Asked {
        bool isThere = false;
        QSet<QUuid> waiting;
    };
    using Key = std::pair<QString, QString>; // host and folder
    void write() const;

    QString m_epoch, m_file;
    QMap<QString, QStringList> m_made; // by host
    std::map<Key, Asked> m_asked; // over the connection of now
};

} // namespace trainyard
