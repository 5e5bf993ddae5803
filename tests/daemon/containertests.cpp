// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/containertests.h"

#include "tests/helpers/needs.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

QByteArray ContainerTests::imageLine(const QByteArray &uri)
{
    return QByteArray("prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"") + uri
        + "\"}\n";
}

QByteArray ContainerTests::inPodman(const QByteArray &name, const QByteArray &roles, const QByteArray &more)
{
    QByteArray all = more;
    if (!all.contains("prerequisites:")) {
        all += imageLine(Podman::image().toUtf8());
    }
    all += "extras: {trainyard: {runIn: podman}}\n";
    return EngineFixture::document(name, roles, all);
}

QByteArray ContainerTests::role(
    const QByteArrayList &commands, const QByteArray &more, const QByteArray &resources, int instances)
{
    return EngineFixture::role("main", instances, commands, more, resources);
}

QStringList ContainerTests::filesWith(const QString &folder, const QByteArray &word)
{
    QStringList found;
    QDirIterator it(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString name = it.next();
        if (QFileInfo(name).isFile() && EngineFixture::contents(name).contains(word)) {
            found.append(name);
        }
    }
    return found;
}

void ContainerTests::initTestCase()
{
    m_podman = std::make_unique<Podman>();
    SKIP_UNLESS_THERE(*m_podman);
}

void ContainerTests::init()
{
    m_fixture = std::make_unique<EngineFixture>();
    QVERIFY(m_fixture->open());
    QVERIFY(m_fixture->engine().hosts().first().runtimes.contains(u"podman"_s));
}

void ContainerTests::cleanup()
{
    if (m_fixture) {
        m_fixture->close();
    }
    // Whatever a test did: no container of it is left, running or not.
    QTRY_VERIFY2_WITH_TIMEOUT(m_podman->containers().isEmpty(), qPrintable(m_podman->containers().join(u' ')), 10000);
    m_fixture.reset();
}

bool ContainerTests::waitForOutput(const QString &uuid, const QByteArray &text)
{
    return QTest::qWaitFor([&] { return m_fixture->output(uuid, u"main"_s, 0).contains(text); }, 15000);
}

qint64 ContainerTests::keeperOf(const QString &uuid)
{
    for (const QByteArray &line : EngineFixture::contents(logFolder(uuid) + u"/keeper"_s).split('\n')) {
        if (line.startsWith("pid ")) {
            return line.mid(4).toLongLong();
        }
    }
    return 0;
}
