// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/transport.h"

#include <QProcess>

namespace trainyard
{

// The agent of this computer: a child over pipes. It ends when its input does; the keepers stay.
class LocalTransport : public Transport
{
    Q_OBJECT
public:
    explicit LocalTransport(const QString &agentProgram, QObject *parent = nullptr);
    ~LocalTransport() override;
    void start() override;
    void write(const char *bytes, qint64 length) override;
    qint64 bytesWaiting() const override;
    qint64 processId() const { return m_process.processId(); }

private:
    void finish(const QString &code, const QString &message);

    QString m_program;
    QProcess m_process;
    QByteArray m_complaints; // end of what it said on stderr
    bool m_closed = false;
};

} // namespace trainyard
