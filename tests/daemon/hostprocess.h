// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/engine.h"

#include <QFile>
#include <QProcess>
#include <QTest>

// trainyard-test-enginehost: an Engine in a process of its own, which can be killed.
class HostProcess
{
public:
    explicit HostProcess(const trainyard::Engine::Options &options)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(qEnvironmentVariable("TRAINYARD_BIN") + QStringLiteral("/trainyard-test-enginehost"),
            {options.stateFolder, options.configFolder, options.runtimeFolder, options.agentProgram});
    }
    ~HostProcess() { kill(); }
    bool waitFor(const QByteArray &text)
    {
        return QTest::qWaitFor(
            [&] {
                m_said += m_process.readAllStandardOutput();
                return m_said.contains(text);
            },
            15000);
    }
    QString submit(const QString &file)
    {
        m_said.clear();
        m_process.write("submit " + file.toUtf8() + '\n');
        return waitFor("submitted ") ? QString::fromUtf8(m_said).section(QLatin1Char(' '), 1, 1).trimmed() : QString();
    }
    void kill()
    {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill(); // SIGKILL
            m_process.waitForFinished(5000);
        }
    }
    // Its agent, and whatever else it has started, as /proc tells.
    QList<qint64> children() const
    {
        QFile file(QStringLiteral("/proc/%1/task/%1/children").arg(m_process.processId()));
        QList<qint64> pids;
        if (file.open(QIODevice::ReadOnly)) {
            for (const QByteArray &pid : file.readAll().split(' ')) {
                if (pid.toLongLong() > 0) {
                    pids.append(pid.toLongLong());
                }
            }
        }
        return pids;
    }

private:
    QProcess m_process;
    QByteArray m_said;
};
