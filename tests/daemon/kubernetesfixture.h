// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/enginefixture.h"
#include "tests/helpers/fakekubernetes.h"

#include <QDir>

// An engine whose target "kubernetes:lab" is a cluster that is imitated.
class KubernetesFixture
{
protected:
    bool begin()
    {
        m_cluster = std::make_unique<FakeKubernetes>();
        m_engine = std::make_unique<EngineFixture>(
            QJsonObject{{QStringLiteral("kubernetes.lab"), QStringLiteral("--context=lab")},
                {QStringLiteral("kubernetesQueue.lab"), QStringLiteral("research")},
                {QStringLiteral("clusters.pollSeconds"), 1}, {QStringLiteral("retry.pauseSeconds"), 0}});
        return m_cluster->isThere() && m_engine->open();
    }
    void end()
    {
        m_engine.reset();
        m_cluster.reset();
    }
    static QByteArray job(const QByteArrayList &commands, const QByteArray &more = {})
    {
        return EngineFixture::document("on-kubernetes", EngineFixture::role("worker", 1, commands), more);
    }
    QString submit(const QByteArray &yaml)
    {
        trainyard::SubmitRequest request;
        request.target = QStringLiteral("kubernetes:lab");
        return m_engine->submit(yaml, request);
    }
    QStringList sets() const { return m_cluster->sets(); }
    bool becomes(const QString &uuid, trainyard::State state)
    {
        return m_engine->waitFor(
            uuid, [state](const trainyard::JobSummary &summary) { return summary.state == state; }, 30'000);
    }
    bool isTold(const QString &uuid, const QString &reason)
    {
        return m_engine->waitFor(
            uuid, [&reason](const trainyard::JobSummary &summary) { return summary.reason == reason; }, 30'000);
    }
    bool isThere(int count) const
    {
        return QTest::qWaitFor([this, count] { return sets().size() == count; }, 30'000);
    }
    bool isClear() const // also in the engine's own notes
    {
        return QTest::qWaitFor(
            [this] {
                return sets().isEmpty()
                    && QDir(m_engine->options().stateFolder + QStringLiteral("/kubernetes/lab"))
                           .entryList(QDir::Files)
                           .isEmpty();
            },
            30'000);
    }

    std::unique_ptr<FakeKubernetes> m_cluster;
    std::unique_ptr<EngineFixture> m_engine;
};
