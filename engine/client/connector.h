// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/rpcconnection.h"
#include "model/base/result.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace trainyard
{

// Gets one connection to the user's daemon, starting it when none listens and starting is allowed. It looks for the
// daemon at the usual place in the runtime folder, then at the address that the daemon holding the state folder has
// noted there. Nothing blocks; for each start() one of the two callbacks is called from the event loop.
class Connector : public QObject
{
    Q_OBJECT
public:
    using Connected = std::function<void(std::unique_ptr<RpcConnection>)>;
    using Failed = std::function<void(const Error &)>;

    Connector(Connected connected, Failed failed, QObject *parent = nullptr);
    ~Connector() override;

    // Codes: engine.not-running (only when it may not be started), engine.no-program {program}, engine.not-started
    // {log}, what the daemon reported of its failure, and those of the folders.
    void start(bool mayStartDaemon);
    void stop();

private:
    void attempt();
    void tryNextPlace();
    void attemptFailed();
    void giveUp(Error error);
    bool startDaemon();

    Connected m_connected;
    Failed m_failed;
    std::unique_ptr<QLocalSocket> m_socket;
    QStringList m_places; // of this attempt, not tried so far
    std::optional<Error> m_noUsualPlace; // why the runtime folder cannot be used
    QTimer m_timer; // next attempt, or the end of patience with the present one
    QElapsedTimer m_sinceStart, m_sinceSpawn;
    qint64 m_spawnedAt = 0; // ms UTC
    qint64 m_firstSpawnedAt = 0; // likewise, of the first of several
    int m_delay = 0;
    bool m_mayStart = false;
    bool m_spawned = false;
};

// The file in which a daemon that could not start says why, for the client that started it: {code, args, at}.
QString daemonErrorFile(const QString &stateFolder);

} // namespace trainyard
