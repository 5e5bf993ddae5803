// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/daemon/openpaiserver.h"
#include "tests/helpers/enginefixture.h"

// An engine whose target "openpai:lab" is an OpenPAI cluster of the test.
class OpenPaiFixture
{
protected:
    using Tasks = QList<QJsonObject>;
    static QJsonObject task(int index, const QString &state, int code = 1000, int retries = 0)
    {
        return OpenPaiServer::task(index, state, code, retries);
    }
    static QByteArray document(int instances = 1, const QByteArray &more = {})
    {
        return EngineFixture::document("on-pai", EngineFixture::role("worker", instances, {"echo hello"}), more);
    }
    bool begin()
    {
        m_server = std::make_unique<OpenPaiServer>();
        m_engine = std::make_unique<EngineFixture>(settings());
        return m_engine->open() && giveToken();
    }
    void end()
    {
        m_engine.reset();
        m_server.reset();
    }
    QJsonObject settings() const
    {
        return {{QStringLiteral("openpai.lab"), m_server->address()},
            {QStringLiteral("openpaiUser.lab"), QStringLiteral("ada")}, {QStringLiteral("clusters.pollSeconds"), 1}};
    }
    bool giveToken()
    {
        return bool(m_engine->engine().setTargetToken(
            QStringLiteral("openpai:lab"), QString::fromLatin1(OpenPaiServer::token)));
    }
    QString submit(const QByteArray &yaml)
    {
        trainyard::SubmitRequest request;
        request.target = QStringLiteral("openpai:lab");
        return m_engine->submit(yaml, request);
    }
    // Its name there, once it is.
    QString nameThere(qsizetype which = 0)
    {
        const bool isThere = QTest::qWaitFor([&] { return m_server->jobs().size() > which; }, 60'000);
        return isThere ? m_server->jobs().value(which) : QString();
    }
    bool isIn(const QString &uuid, trainyard::State state)
    {
        return m_engine->waitFor(
            uuid, [state](const trainyard::JobSummary &job) { return job.state == state; }, 60'000);
    }
    bool hasReason(const QString &uuid, const QString &code)
    {
        return m_engine->waitFor(
            uuid, [&code](const trainyard::JobSummary &job) { return job.reason == code; }, 60'000);
    }
    void setJob(
        const QString &name, const QString &state, const Tasks &tasks, int code = 1000, const QJsonObject &more = {})
    {
        m_server->setJob(name, OpenPaiServer::detail(state, {{QStringLiteral("worker"), tasks}}, code, more));
    }

    std::unique_ptr<OpenPaiServer> m_server;
    std::unique_ptr<EngineFixture> m_engine;
};
