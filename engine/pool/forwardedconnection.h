// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/hoststreams.h"
#include "model/base/result.h"

#include <QObject>
#include <QPointer>
#include <QSocketNotifier>
#include <QTimer>

#include <functional>
#include <optional>
#include <string>

namespace trainyard
{

// A connection that a program of this computer made to a forwarded port, and the stream to the host behind it. Data
// from one side is read only as fast as the other side accepts it. While the host is away, the connection waits for a
// short time. When it cannot continue, a program that speaks HTTP gets an answer that says why.
class ForwardedConnection : public QObject
{
    Q_OBJECT
public:
    struct Way {
        QPointer<HostStreams> streams;
        int port = 0; // on the host
        QString address; // of a node of a cluster, as the host reaches it; empty: the host itself
        QString host; // for people
        std::function<QString(const Error &)> words; // a sentence of an error; null: its code
    };
    ForwardedConnection(int socket, const Way &way, QObject *parent = nullptr); // takes the socket
    ~ForwardedConnection() override;
    void begin(); // or begins again, when the host is there

Q_SIGNALS:
    void over(); // once, and not before begin() has returned

private:
    void opened();
    void received(const std::string &bytes);
    void broken(const contract::Failure &why);
    void readLocal();
    void writeLocal();
    void endIfOver();
    void refuse(const Error &why);
    void sayRefusal();
    void finish(bool inOrder);

    int m_socket;
    Way m_way;
    qint64 m_stream = 0;
    bool m_isOpen = false;
    bool m_localEnded = false, m_remoteEnded = false;
    std::string m_out; // for the program here
    std::size_t m_written = 0; // of it
    QSocketNotifier m_read, m_write;
    QTimer m_patience;
    std::optional<Error> m_refusal;
};

} // namespace trainyard
