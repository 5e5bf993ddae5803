// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QObject>

namespace trainyard
{

// A duplex of bytes to an agent that is being started. One use: start() once, closed() comes at most once and last.
class Transport : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void start() = 0;
    virtual void write(const char *bytes, qint64 length) = 0;
    // Written but not yet taken by the other side.
    virtual qint64 bytesWaiting() const = 0;
    // The word that ends the noise before the agent's frames; from random bytes, new for each start.
    const QByteArray &nonce() const { return m_nonce; }

Q_SIGNALS:
    void received(const QByteArray &bytes);
    void closed(const trainyard::Error &why);

protected:
    static QByteArray makeNonce();
    QByteArray m_nonce = makeNonce();
};

} // namespace trainyard
