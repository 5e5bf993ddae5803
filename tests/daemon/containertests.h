// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/daemon/podman.h"
#include "tests/helpers/enginefixture.h"

#include <QObject>

#include <memory>

// What tests of tasks in real containers share: a podman with an image of its own for all tests of a class, and an
// engine for each of them, after which no container is left.
class ContainerTests : public QObject
{
    Q_OBJECT

protected:
    static QByteArray imageLine(const QByteArray &uri); // prerequisites with that image
    static QByteArray inPodman(const QByteArray &name, const QByteArray &roles, const QByteArray &more = {});
    static QByteArray role(const QByteArrayList &commands, const QByteArray &more = {},
        const QByteArray &resources = "{cpu: 1, memoryMB: 64, gpu: 0}", int instances = 1);
    static QStringList filesWith(const QString &folder, const QByteArray &word);

    QString logFolder(const QString &uuid) { return m_fixture->task(uuid, QStringLiteral("main"), 0).logFolder; }
    bool waitForOutput(const QString &uuid, const QByteArray &text);
    qint64 keeperOf(const QString &uuid); // 0: none yet

    std::unique_ptr<Podman> m_podman;
    std::unique_ptr<EngineFixture> m_fixture;

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_podman.reset(); }
    void init();
    void cleanup();
};
