// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/engine.h"

#include <QTemporaryDir>
#include <QTest>

// An Engine of its own, in-process, with the real agent: temporary folders with short paths, and a store of its own.
class EngineFixture
{
public:
    explicit EngineFixture(const QJsonObject &settings = {});
    ~EngineFixture();

    QString path(const QString &name) const { return m_folder.path() + u'/' + name; }
    trainyard::Engine::Options options() const;
    void setSettings(const QJsonObject &settings); // before open()
    void setRemovals(const trainyard::RemovalTimes &times) { m_removals = times; } // before open()
    void setAgentProgram(const QString &file) { m_agentProgram = file; } // before open()
    void setRuntimeFolder(const QString &folder) { m_runtimeFolder = folder; } // before open()
    bool open(); // and waits until this computer's inventory is known
    void close() { m_engine.reset(); }
    trainyard::Engine &engine() { return *m_engine; }

    // A job in a file of its own folder; returns its UUID, empty when refused (error() has why).
    QString submit(const QByteArray &yaml, trainyard::SubmitRequest request = {});
    const trainyard::Error &error() const { return m_error; }

    trainyard::JobSummary job(const QString &uuid);
    bool waitFor(const QString &uuid, const std::function<bool(const trainyard::JobSummary &)> &wanted, int ms = 15000);
    bool waitForEnd(const QString &uuid, int ms = 15000);
    bool isBrought(const QString &uuid, int files); // so many result files have come from the first host
    trainyard::TaskInfo task(const QString &uuid, const QString &role, int index, int attempt = -1);
    QByteArray output(const QString &uuid, const QString &role, int index, int attempt = -1);
    QByteArray runtimeLog(const QString &uuid, const QString &role, int index);

    // What most jobs of tests need around their roles.
    static QByteArray document(const QByteArray &name, const QByteArray &roles, const QByteArray &more = {});
    // One role: commands are lines; `more` are further keys of the role, indented by four.
    static QByteArray role(const QByteArray &name, int instances, const QByteArrayList &commands,
        const QByteArray &more = {}, const QByteArray &resources = "{cpu: 1, memoryMB: 16, gpu: 0}");
    // A document whose only role is "worker".
    static QByteArray job(
        const QByteArray &name, const QByteArrayList &commands, int instances = 1, const QByteArray &more = {});
    static QByteArray contents(const QString &file);

private:
    QTemporaryDir m_folder{QStringLiteral("/tmp/tyXXXXXX")};
    std::unique_ptr<trainyard::Engine> m_engine;
    trainyard::Error m_error;
    trainyard::RemovalTimes m_removals;
    QString m_runtimeFolder = path(QStringLiteral("run"));
    QString m_agentProgram = qEnvironmentVariable("TRAINYARD_BIN") + QStringLiteral("/trainyard-agent");
};
