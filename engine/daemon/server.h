// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/rpcsession.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QSocketNotifier>
#include <QTimer>

#include <deque>
#include <memory>
#include <vector>

namespace trainyard
{

// Serves an Engine to clients: over a local socket (listen()) or in-process (addConnection()). One thread. It does not
// own the engine's life: when it has said its last, finished() comes and the owner ends what is to end. Jobs go on.
class RpcServer : public QObject, private RpcSessionHost
{
    Q_OBJECT
public:
    struct Options {
        QString socketPath; // empty: in-process only
        int idleSeconds = 60; // without jobs and clients; 0 and less: never
        QString version;
    };
    RpcServer(Engine &engine, const Options &options, QObject *parent = nullptr);
    ~RpcServer() override;

    // The caller holds the lock of the state folder, so whatever lies at the path is stale and is removed. Codes:
    // socket.path-too-long, socket.cannot-listen {path, message}, those of paths::ensurePrivateFolder.
    Result<bool> listen();
    void addConnection(std::unique_ptr<RpcConnection> connection);
    int sessions() const { return static_cast<int>(m_sessions.size()); }
    // As engine.stop does, for signals: tasks run on.
    void leave(const QString &reason);

Q_SIGNALS:
    void finished(const QString &reason); // "idle", "stopped", "handover", ...
    // Of the newest living client: the daemon's own session variables grow stale (a new login, a new ssh agent).
    void clientEnvironmentChanged(const QMap<QString, QString> &environment);

private:
    QString version() const override { return m_options.version; }
    int clientCount() const override;
    bool isLeaving() const override { return m_leaving; }
    bool isStopping() const override { return m_leaving || m_stopping; }
    void stopRequested(bool jobsToo, std::function<void()> done) override;
    void handoverRequested(std::function<void()> done) override;
    QJsonArray nextSerial() override;
    std::optional<QByteArrayList> eventsSince(const QJsonArray &serial) const override;

    Result<bool> bindSocket();
    void closeSocket();
    void checkSocket();
    void acceptAll();
    void sessionClosed(RpcSession *session);
    void updateEnvironment();
    void checkIdle();
    void idleOver();
    void finishWhenWritten();
    template <typename Function> void forEachSession(Function function);
    // To all who subscribed, and kept for those who come back soon.
    void broadcast(const QString &name, QJsonObject params);
    // To those only who watch this job; `parts` are JSON arrays, one for each message, and asked for when there is one.
    void tellWatchers(const QString &uuid, const QString &name, const std::function<QByteArrayList()> &parts);
    bool hasSubscribers() const;
    void tellQuestion(const QString &name, QJsonObject params); // to those who can ask a person
    void updateCanAsk();

    Engine &m_engine;
    Options m_options;
    int m_socket = -1;
    quint64 m_socketInode = 0;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QList<RpcSession *> m_sessions; // oldest first; children
    QMap<QString, QString> m_environment;
    QTimer m_idleTimer, m_socketTimer, m_acceptPause, m_lastWords;
    std::vector<std::function<void()>> m_stopAnswers;
    struct KeptEvent {
        qint64 serial = 0;
        QByteArray line;
    };
    QString m_epoch;
    qint64 m_serial = 0; // the last one given away
    std::deque<KeptEvent> m_kept; // none is missing between the first and the last
    qint64 m_keptBytes = 0;
    qint64 m_keptFrom = 0; // what came after this serial is all in there
    QElapsedTimer m_sinceSubscribers; // since the last of them left
    int m_lastWordsLeft = 0;
    QString m_leavingReason;
    bool m_leaving = false;
    bool m_stopping = false;
};

} // namespace trainyard
