// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/localtransport.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

LocalTransport::LocalTransport(const QString &agentProgram, QObject *parent)
    : Transport(parent), m_program(agentProgram)
{
    detachFromTerminal(m_process);
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
        [this] { Q_EMIT received(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::bytesWritten, this, &Transport::taken);
    connect(&m_process, &QProcess::readyReadStandardError, this,
        [this] { m_complaints = QByteArray(m_complaints + m_process.readAllStandardError()).right(4096); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            finish(u"host.agent-not-started"_s, m_process.errorString());
        }
    });
    connect(&m_process, &QProcess::finished, this,
        [this] { finish(u"host.agent-died"_s, QString::fromLocal8Bit(m_complaints).trimmed()); });
}

LocalTransport::~LocalTransport()
{
    m_closed = true;
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        // The end of its input lets the agent end by itself; the kill ensures that there is nothing to wait for.
        m_process.closeWriteChannel();
        m_process.kill();
        m_process.waitForFinished(1000);
    }
}

void LocalTransport::start() { m_process.start(m_program, {u"--serve"_s, QString::fromLatin1(m_nonce)}); }

void LocalTransport::write(const char *bytes, qint64 length) { m_process.write(bytes, length); }

qint64 LocalTransport::bytesWaiting() const { return m_process.bytesToWrite(); }

void LocalTransport::finish(const QString &code, const QString &message)
{
    if (!m_closed) {
        m_closed = true;
        Q_EMIT closed({code, {{u"program"_s, m_program}, {u"message"_s, message}}});
    }
}

} // namespace trainyard
