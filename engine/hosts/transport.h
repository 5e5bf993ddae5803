// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QJsonObject>
#include <QObject>

#include <chrono>

class QProcess;

namespace trainyard
{

// A stream of bytes to and from an agent that is being started. It is used once: call start() once; closed() comes at
// most once and last.
class Transport : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void start() = 0;
    virtual void write(const char *bytes, qint64 length) = 0;
    // Bytes that are written but not yet taken by the other side.
    virtual qint64 bytesWaiting() const = 0;
    // The word that ends the noise before the agent's frames; from random bytes, new for each start.
    const QByteArray &nonce() const { return m_nonce; }

Q_SIGNALS:
    void received(const QByteArray &bytes);
    void taken(); // the other side has taken some of what was written: bytesWaiting() is less
    // The agent is still being copied to the host and makes progress; the next signal may take up to `next`.
    void preparing(std::chrono::milliseconds next);
    // How far a step is that takes long.
    void advanced(const QString &step, const QJsonObject &facts);
    // A step of engine/api/hoststeps.h has passed.
    void passed(const QString &step, const QJsonObject &facts);
    // The output of the host before it runs the agent; untrusted text of at most 2 KiB.
    void bannerKnown(const QString &text);
    void closed(const trainyard::Error &why);

protected:
    static QByteArray makeNonce();
    // To be called before its start: a key such as Ctrl+C in the terminal of `run --foreground` is for that command,
    // which then still needs its connection to the host.
    // `outputPipe`: how many bytes of its output wait for this process, instead of the kernel's 64 KiB.
    static void detachFromTerminal(QProcess &process, int outputPipe = 0);
    QByteArray m_nonce = makeNonce();
};

} // namespace trainyard
