// SPDX-License-Identifier: GPL-3.0-or-later
// Images that are fetched from a registry which wants a login.
#include "tests/daemon/podman.h"
#include "tests/daemon/registry.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testprocesses.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>

#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QStringList registryFilesWith(const QString &folder, const QByteArrayList &words)
{
    QStringList found;
    QDirIterator it(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString name = it.next();
        const QByteArray bytes = QFileInfo(name).isFile() ? EngineFixture::contents(name) : QByteArray();
        for (const QByteArray &word : words) {
            if (bytes.contains(word)) {
                found.append(name);
            }
        }
    }
    return found;
}

} // namespace

class TstRegistry : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();

    void fetchesWithTheJobsLogin();
    void userIsASecretToo();
    void stopWhileItIsFetched();
    void refused_data();
    void refused();

private:
    std::unique_ptr<Podman> m_podman;
    std::unique_ptr<Registry> m_registry;
    std::unique_ptr<EngineFixture> m_fixture;
    QString m_image;

    QString imageNamed(const QString &image) const { return m_registry->name() + u'/' + image; }
    QByteArray job(const QString &image, const QByteArray &auth) const;
    QString submit(const QByteArray &yaml, const QMap<QString, QString> &secrets);
};
TRAINYARD_TEST(TstRegistry)

void TstRegistry::initTestCase()
{
    m_podman = std::make_unique<Podman>();
    SKIP_UNLESS_THERE(*m_podman);
    m_registry = std::make_unique<Registry>(*m_podman);
    SKIP_UNLESS_THERE(*m_registry);
    QVERIFY(m_registry->push(Podman::image(), u"lab/train:1"_s));
}

void TstRegistry::cleanupTestCase()
{
    m_registry.reset();
    m_podman.reset();
}

void TstRegistry::init()
{
    m_fixture = std::make_unique<EngineFixture>();
    QVERIFY(m_fixture->open());
    m_image = imageNamed(u"lab/train:1"_s);
}

void TstRegistry::cleanup()
{
    if (m_fixture) {
        m_fixture->close();
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 10000);
    m_podman->run({u"rmi"_s, u"-f"_s, m_image});
    m_fixture.reset();
    QCOMPARE(QDir(u"/dev/shm"_s).entryList({u"trainyard-login-*"_s}), QStringList());
}

QByteArray TstRegistry::job(const QString &image, const QByteArray &auth) const
{
    return EngineFixture::document("fetched",
        EngineFixture::role("main", 1, {"echo here"}, {}, "{cpu: 1, memoryMB: 64, gpu: 0}"),
        "secrets: {password: \"******\", user: \"******\"}\n"
        "prerequisites:\n  - protocolVersion: 2\n    name: image\n    type: dockerimage\n    uri: \""
            + image.toUtf8() + "\"\n" + (auth.isEmpty() ? QByteArray() : "    auth: {" + auth + "}\n")
            + "extras: {trainyard: {runIn: podman}}\n");
}

QString TstRegistry::submit(const QByteArray &yaml, const QMap<QString, QString> &secrets)
{
    SubmitRequest request;
    request.secrets = {{u"password"_s, u"not-asked-for"_s}, {u"user"_s, u"not-asked-for"_s}};
    request.secrets.insert(secrets);
    return m_fixture->submit(yaml, request);
}

void TstRegistry::fetchesWithTheJobsLogin()
{
    m_registry->hold();
    const QByteArray password = Registry::password();
    const QString uuid = submit(job(m_image,
                                    "username: ada, password: \"<% $secrets.password %>\", registryuri: \""
                                        + m_registry->name().toUtf8() + "\""),
        {{u"password"_s, QString::fromLatin1(password)}});
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    // Meanwhile everybody sees why it does not run yet, and nobody the password.
    QVERIFY(QTest::qWaitFor([&] { return m_registry->isWaitedFor(); }, 15000));
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->task(uuid, u"main"_s, 0).reason == u"launch.pulling"_s; }, 10000));
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).reasonArgs.value(u"image"_s).toString(), m_image);
    QCOMPARE(processesWith(password), QList<qint64>());
    m_registry->letIn();
    QVERIFY(m_fixture->waitForEnd(uuid, 20000));
    const QByteArray said = m_fixture->runtimeLog(uuid, u"main"_s, 0);
    QVERIFY2(m_fixture->job(uuid).state == State::Succeeded, said.constData());
    QCOMPARE(m_fixture->output(uuid, u"main"_s, 0), "here\n");
    QVERIFY2(said.contains(QByteArray("Fetching the image " + m_image.toUtf8() + " with podman."))
            && said.contains("podman: Copying blob") && said.contains("The image is there"),
        said.constData());
    const QByteArray both = QByteArray(Registry::user() + ':' + password).toBase64();
    QCOMPARE(registryFilesWith(m_fixture->path({}), {password, both}), QStringList());
    QCOMPARE(registryFilesWith(m_podman->folder(), {password, both}), QStringList());
    // What is there is not fetched again, whoever asks.
    const QString again = submit(job(m_image, {}), {});
    QVERIFY(m_fixture->waitForEnd(again));
    QCOMPARE(m_fixture->job(again).state, State::Succeeded);
    QVERIFY(!m_fixture->runtimeLog(again, u"main"_s, 0).contains("Fetching"));
}

// Such a name is in no argument either: what a login leaves is written instead, into memory.
void TstRegistry::userIsASecretToo()
{
    const QString uuid = submit(job(m_image,
                                    "username: \"<% $secrets.user %>\", password: \"<% $secrets.password %>\", "
                                    "registryuri: \"http://"
                                        + m_registry->name().toUtf8() + "/v2/\""),
        {{u"password"_s, QString::fromLatin1(Registry::password())},
            {u"user"_s, QString::fromLatin1(Registry::user())}});
    QVERIFY(m_fixture->waitForEnd(uuid, 20000));
    QVERIFY2(m_fixture->job(uuid).state == State::Succeeded, m_fixture->runtimeLog(uuid, u"main"_s, 0).constData());
}

void TstRegistry::stopWhileItIsFetched()
{
    m_registry->hold();
    const QString uuid = submit(job(m_image,
                                    "username: ada, password: \"<% $secrets.password %>\", registryuri: \""
                                        + m_registry->name().toUtf8() + "\""),
        {{u"password"_s, QString::fromLatin1(Registry::password())}});
    QVERIFY(QTest::qWaitFor([&] { return m_registry->isWaitedFor(); }, 15000));
    QVERIFY(m_fixture->engine().stop(uuid));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Stopped);
    m_registry->letIn();
}

void TstRegistry::refused_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QByteArray>("auth");
    QTest::addColumn<QString>("password");
    QTest::addColumn<QString>("reason");
    const QString right = QString::fromLatin1(Registry::password());
    const QByteArray login = "username: ada, password: \"<% $secrets.password %>\"";
    QTest::newRow("wrong password") << u"lab/train:1"_s << login << u"a-wrong-one-31"_s << u"launch.image-login"_s;
    QTest::newRow("no login") << u"lab/train:1"_s << QByteArray() << right << u"launch.image-unauthorized"_s;
    QTest::newRow("no such tag") << u"lab/train:99"_s << login << right << u"launch.image-missing"_s;
    QTest::newRow("no such image") << u"lab/nothing:1"_s << login << right << u"launch.image-missing"_s;
}

void TstRegistry::refused()
{
    QFETCH(QString, image);
    QFETCH(QByteArray, auth);
    QFETCH(QString, password);
    QFETCH(QString, reason);
    m_image = imageNamed(image);
    if (!auth.isEmpty()) {
        auth += ", registryuri: \"" + m_registry->name().toUtf8() + "\"";
    }
    const QString uuid = submit(job(m_image, auth), {{u"password"_s, password}});
    QVERIFY(m_fixture->waitForEnd(uuid, 20000));
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0);
    QVERIFY2(task.reason == reason,
        QByteArray(task.reason.toUtf8() + ' ' + m_fixture->runtimeLog(uuid, u"main"_s, 0)).constData());
    // The image is missing or its registry does not give it: no other try would differ.
    QCOMPARE(task.exitCode, std::optional<int>(254));
    QCOMPARE(m_fixture->job(uuid).state, State::Failed);
    QCOMPARE(m_fixture->job(uuid).retries, 0);
    QVERIFY(!m_fixture->runtimeLog(uuid, u"main"_s, 0).contains(password.toUtf8()));
    QVERIFY(m_fixture->output(uuid, u"main"_s, 0).isEmpty());
}

#include "tst_registry.moc"
