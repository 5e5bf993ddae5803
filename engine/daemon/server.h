// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/keptevents.h"
#include "engine/daemon/rpclistener.h"
#include "engine/daemon/rpcsession.h"

#include <QPointer>
#include <QTimer>

#include <memory>
#include <vector>

namespace trainyard
{

// Serves an Engine to clients: over a local socket (listen()) or in-process (addConnection()). One thread. It does not
// own the engine's life: when it has sent its last message, finished() is emitted and the owner ends what is to end.
// Jobs continue.
class RpcServer : public QObject, private RpcSessionHost
{
    Q_OBJECT
public:
    struct Options {
        QString socketPath; // empty: in-process only
        int idleSeconds = 60; // without jobs and clients; 0 and less: never
        QString version;
        qsizetype mostClients = 256; // of the socket
    };
    RpcServer(Engine &engine, const Options &options, QObject *parent = nullptr);

    Result<bool> listen(); // as RpcListener::listen()
    void addConnection(std::unique_ptr<RpcConnection> connection);
    int sessions() const { return static_cast<int>(m_sessions.size()); }
    void setIdleSeconds(int seconds); // counted from now
    // As engine.stop does, for signals: tasks run on.
    void leave(const QString &reason);

Q_SIGNALS:
    void finished(const QString &reason); // "idle", "stopped", "handover", ...
    // The environment of the newest living client: the daemon's own session variables grow stale (a new login, a new
    // ssh agent).
    void clientEnvironmentChanged(const QMap<QString, QString> &environment);

private:
    QString version() const override { return m_options.version; }
    int clientCount() const override;
    bool isLeaving() const override { return m_leaving; }
    bool isStopping() const override { return m_leaving || m_stopping; }
    void stopRequested(bool jobsToo, std::function<void()> done) override;
    void handoverRequested(std::function<void()> done) override;
    QJsonArray nextSerial() override { return m_events.nextSerial(); }
    std::optional<QByteArrayList> eventsSince(const QJsonArray &serial) const override
    {
        return m_events.since(serial);
    }

    void turnAway(std::unique_ptr<RpcConnection> connection);
    void sessionClosed(RpcSession *session);
    void updateEnvironment();
    void checkIdle();
    void idleOver();
    void finishWhenWritten();
    template <typename Function> void forEachSession(Function function);
    // To all subscribers, and kept for those that come back soon.
    template <typename Event> void broadcast(const typename Event::Params &params);
    // Only to those that watch this job; `parts` are JSON arrays, one for each message, and asked for when there is
    // one.
    void tellWatchers(const QString &uuid, const QString &name, const std::function<QByteArrayList()> &parts);
    bool hasSubscribers() const;
    template <typename Event> void tellQuestion(const typename Event::Params &params); // to those that can ask a person
    void updateCanAsk();
    void updateInSight();

    Engine &m_engine;
    Options m_options;
    RpcListener m_listener;
    QList<RpcSession *> m_sessions; // oldest first; children
    QMap<QString, QString> m_environment;
    QTimer m_idleTimer, m_lastWords;
    std::vector<std::function<void()>> m_stopAnswers;
    KeptEvents m_events;
    int m_lastWordsLeft = 0;
    QString m_leavingReason;
    bool m_leaving = false;
    bool m_stopping = false;
};

} // namespace trainyard
