// SPDX-License-Identifier: GPL-3.0-or-later
// A secret is put into every parameter of every plugin. While the job runs, no process has it among its arguments;
// afterwards no file that the job left has it, and what a clone remembers is the address without its login.
#include "model/base/threads.h"
#include "tests/daemon/gitserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QMutex>
#include <QProcess>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QThread>

#include <atomic>
#include <functional>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

const QString secretUser = u"user4711secret"_s;
const QString secretToken = u"t0ken4711secret"_s;

QByteArray fileOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray loginBase64() { return QString(secretUser + u':' + secretToken).toUtf8().toBase64(); }

// The arguments of each process in which one of the words stands.
QByteArrayList argumentsWith(const QByteArrayList &words)
{
    QByteArrayList found;
    const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &entry : entries) {
        if (!entry.at(0).isDigit()) {
            continue;
        }
        QByteArray line = fileOf(u"/proc/"_s + entry + u"/cmdline"_s);
        for (const QByteArray &word : words) {
            if (line.contains(word)) {
                found.append(line.replace('\0', ' '));
                break;
            }
        }
    }
    return found;
}

} // namespace

// Looks at all processes again and again, beside the engine.
class ArgumentWatch
{
public:
    explicit ArgumentWatch(QByteArrayList words) : m_words(std::move(words))
    {
        m_thread.reset(QThread::create([this] {
            threads::take();
            while (!m_ends) {
                note(argumentsWith(m_words));
            }
            threads::give();
        }));
        threads::give();
        m_thread->start();
    }
    Q_DISABLE_COPY_MOVE(ArgumentWatch)
    ~ArgumentWatch() { end(); }
    void note(const QByteArrayList &found)
    {
        const QMutexLocker lock(&m_mutex);
        m_found += found;
    }
    QByteArrayList end()
    {
        m_ends = true;
        m_thread->wait();
        threads::take();
        return m_found;
    }

private:
    QByteArrayList m_words, m_found;
    std::atomic<bool> m_ends{false};
    QMutex m_mutex;
    std::unique_ptr<QThread> m_thread;
};

namespace
{

QByteArray pluginEntry(const QByteArray &plugin, const QByteArray &parameters)
{
    return "extras:\n  com.microsoft.pai.runtimeplugin:\n    - {plugin: " + plugin + ", parameters: " + parameters
        + "}\n";
}

} // namespace

class TstPluginSecrets : public QObject
{
    Q_OBJECT

    // A program that writes down its arguments and ends.
    static void record(const EngineFixture &f, const QString &name)
    {
        QDir().mkpath(f.path(u"bin"_s));
        QFile fake(f.path(u"bin/"_s + name));
        QVERIFY(fake.open(QIODevice::WriteOnly));
        fake.write("#!/bin/sh\nprintf '%s\\n' \"$*\" >>" + f.path(u"calls"_s).toUtf8() + "\nexit 1\n");
        fake.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    static QStringList filesWith(const QString &folder, const QByteArrayList &words)
    {
        QStringList found;
        QDirIterator it(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString name = it.next();
            if (!it.fileInfo().isFile()) {
                continue; // a pipe would wait for its writer
            }
            const QByteArray bytes = fileOf(name);
            for (const QByteArray &word : words) {
                if (bytes.contains(word) || QFile::encodeName(name).contains(word)) {
                    found.append(name);
                    break;
                }
            }
        }
        return found;
    }

private Q_SLOTS:
    void everyParameter_data()
    {
        QTest::addColumn<QByteArray>("extras"); // SERVER stands for the address of the server of repositories
        QTest::addColumn<QString>("reason"); // empty: the job succeeds
        QTest::addColumn<QByteArray>("said"); // among the output
        const QByteArray user = "<% $secrets.user %>";
        const QByteArray token = "<% $secrets.token %>";
        const QByteArray uri = "'http://" + user + ":" + token + "@SERVER/code.git'";
        const auto git = [](const QByteArray &parameters) { return pluginEntry("git", "{" + parameters + "}"); };

        QTest::newRow("git: login") << git("repo_uri: " + uri) << QString() << QByteArray("the file\n");
        QTest::newRow("git: login and a folder")
            << git("repo_uri: " + uri + ", clone_dir: code") << QString() << QByteArray("the file\n");
        QTest::newRow("git: login and a revision")
            << git("repo_uri: " + uri + ", options: ['--revision=one']") << QString() << QByteArray("the file\n");
        QTest::newRow("git: login for submodules")
            << git("repo_uri: 'http://" + user + ":" + token + "@SERVER/outer.git', options: [--recurse-submodules]")
            << QString() << QByteArray("the file\n");
        QTest::newRow("git: token as the user")
            << git("repo_uri: 'http://" + token + "@SERVER/bytoken/code.git'") << QString() << QByteArray("the file\n");
        QTest::newRow("git: signs in the token")
            << git("repo_uri: 'http://" + user + ":<% $secrets.odd %>@SERVER/odd/code.git'") << QString()
            << QByteArray("the file\n");
        QTest::newRow("git: the whole address")
            << git("repo_uri: '<% $secrets.address %>'") << QString() << QByteArray("the file\n");
        QTest::newRow("git: header") << git(
            "repo_uri: 'http://SERVER/code.git', options: ['--config http.extraHeader=\"Authorization: Basic "
            "<% $secrets.basic %>\"']")
                                     << QString() << QByteArray("the file\n");
        QTest::newRow("git: header in two items")
            << git("repo_uri: 'http://SERVER/code.git', options: ['-c', 'http.extraHeader=\"Authorization: Basic "
                   "<% $secrets.basic %>\"', '--no-tags']")
            << QString() << QByteArray("the file\n");
        QTest::newRow("git: as a prerequisite")
            << QByteArray("prerequisites:\n"
                          "  - {name: image, type: dockerimage, uri: \"example/image:1\"}\n"
                          "  - {name: code, type: data, plugin: com.microsoft.pai.runtimeplugin.git, repo_uri: ")
                + uri + "}\n"
            << QString() << QByteArray("the file\n");
        QTest::newRow("git: wrong login") << git("repo_uri: 'http://" + user + ":<% $secrets.wrong %>@SERVER/code.git'")
                                          << u"exit.git-login"_s << QByteArray();
        QTest::newRow("git: path") << git("repo_uri: 'http://SERVER/" + token + "/code.git'") << u"exit.git-secret"_s
                                   << QByteArray("repo_uri");
        QTest::newRow("git: option") << git("repo_uri: 'http://SERVER/code.git', options: ['--branch " + token + "']")
                                     << u"exit.git-secret"_s << QByteArray("options");
        QTest::newRow("git: revision") << git(
            "repo_uri: 'http://SERVER/code.git', options: ['--revision=" + token + "']")
                                       << u"exit.git-secret"_s << QByteArray("options");
        QTest::newRow("git: folder") << git("repo_uri: 'http://SERVER/code.git', clone_dir: 'x" + token + "'")
                                     << u"exit.git-secret"_s << QByteArray("clone_dir");
        QTest::newRow("ssh: user's key") << pluginEntry(
            "ssh", "{jobssh: true, userssh: {type: custom, value: 'ssh-ed25519 AAAA" + token + " me'}}")
                                         << QString() << QByteArray();
        QTest::newRow("ssh: file of the user's key")
            << pluginEntry("ssh", "{jobssh: true, userssh: {type: custom, value: '/nowhere/" + token + "'}}")
            << QString() << QByteArray();
        QTest::newRow("ssh: kind and time") << pluginEntry(
            "ssh", "{jobssh: true, sshbarrierTimeout: '" + token + "', userssh: {type: '" + token + "', value: x}}")
                                            << QString() << QByteArray();
        QTest::newRow("tensorboard: folder")
            << pluginEntry("tensorboard", "{port: 10123, logdir: {a: '/runs/" + token + "'}}") << QString()
            << QByteArray("No TensorBoard");
        QTest::newRow("tensorboard: port")
            << pluginEntry("tensorboard", "{port: '" + token + "', logdir: {a: runs}}") << QString() << QByteArray();
        QTest::newRow("cmd: commands") << pluginEntry("cmd",
            "{preCommands: ['x=\"" + token + "\"; sleep 0.3'], postCommands: ['y=\"" + token + "\"; sleep 0.3']}")
                                       << QString() << QByteArray();
        QTest::newRow("cmd: callbacks") << pluginEntry("cmd",
            "{callbacks: [{event: taskStarts, commands: ['x=\"" + token
                + "\"; sleep 0.3']}, {event: taskSucceeds, commands: ['y=\"" + token + "\"; sleep 0.3']}]}")
                                        << QString() << QByteArray();
        QTest::newRow("storages: place") << QByteArray("extras:\n  storages:\n    - {name: data, mountPath: 'PLACE/")
                + token
                + "'}\n" << QString() << QByteArray();
        QTest::newRow("environment") << QByteArray("extras: {trainyard: {environment: 'x=\"") + token + "\"'}}\n"
                                     << QString() << QByteArray();
    }

    void everyParameter()
    {
        QFETCH(QByteArray, extras);
        QFETCH(QString, reason);
        QFETCH(QByteArray, said);
        const QString data = QDir::tempPath();
        EngineFixture f({{u"storages.data"_s, data}});
        const QByteArrayList words{secretToken.toUtf8(), loginBase64(), GitServer::oddToken().toUtf8(),
            GitServer::oddToken().toUtf8().toPercentEncoding(), "wrong4711secret"};
        GitServer server(secretUser, secretToken);
        QVERIFY2(server.problem().isEmpty(), qPrintable(server.problem()));
        record(f, u"tensorboard"_s);
        const QByteArray path = qgetenv("PATH");
        const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
        qputenv("PATH", QFile::encodeName(f.path(u"bin"_s)) + ':' + path);
        QVERIFY(f.open());
        ArgumentWatch watch(words);
        // Right now git waits for the answer to its question.
        server.onRequest = [&] { watch.note(argumentsWith(words)); };
        SubmitRequest request;
        request.secrets = {{u"user"_s, secretUser}, {u"token"_s, secretToken}, {u"odd"_s, GitServer::oddToken()},
            {u"address"_s,
                QString(u"http://"_s + secretUser + u':' + secretToken + u'@' + server.address() + u"/code.git"_s)},
            {u"basic"_s, QString::fromLatin1(loginBase64())}, {u"wrong"_s, u"wrong4711secret"_s}};
        const QByteArray secrets
            = "secrets: {user: \"******\", token: \"******\", odd: \"******\", address: \"******\", "
              "basic: \"******\", wrong: \"******\"}\n";
        const QByteArray more = extras.contains("name: code") ? "    prerequisites: [code]\n" : QByteArray();
        const QByteArray commands = "if [ -n \"${TRAINYARD_CODE_DIR-}\" ]; then cd \"$TRAINYARD_CODE_DIR\"; cat file "
                                    "inner/file 2>/dev/null || true; git config --get remote.origin.url; fi";
        const QString uuid = f.submit(EngineFixture::document("leaks", EngineFixture::role("main", 1, {commands}, more),
                                          secrets
                                              + QByteArray(extras)
                                                    .replace("SERVER", server.address().toUtf8())
                                                    .replace("PLACE", f.path(u"mnt"_s).toUtf8())),
            request);
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(uuid, 40000));
        const QByteArrayList found = watch.end();
        QVERIFY2(found.isEmpty(), found.value(0).constData());
        const QByteArray out = f.output(uuid, u"main"_s, 0);
        const TaskInfo task = f.task(uuid, u"main"_s, 0);
        if (reason.isEmpty()) {
            QVERIFY2(f.job(uuid).state == State::Succeeded, out.constData());
            if (said.contains("file")) {
                QVERIFY2(out.contains(QByteArray("http://" + server.address().toUtf8() + '/')), out.constData());
            }
        } else {
            QVERIFY2(task.reason == reason, QByteArray(task.reason.toUtf8() + out).constData());
        }
        QVERIFY2(out.contains(said), out.constData());
        QVERIFY2(!fileOf(f.path(u"calls"_s)).contains(secretToken.toUtf8()), fileOf(f.path(u"calls"_s)).constData());
        const QStringList files = filesWith(f.path({}), words);
        QVERIFY2(files.isEmpty(), qPrintable(files.join(u' ')));
        f.close(); // the store is written
        const QStringList late = filesWith(f.path({}), words);
        QVERIFY2(late.isEmpty(), qPrintable(late.join(u' ')));
    }

    // A key of the user's that is a secret still lets its owner in.
    void secretKeyLetsIn()
    {
        const QString keygen = QStandardPaths::findExecutable(u"ssh-keygen"_s);
        SKIP_WITHOUT_SSHD();
        EngineFixture f;
        const QString key = f.path(u"mine"_s);
        QCOMPARE(QProcess::execute(
                     keygen, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(), u"-C"_s, u"me"_s, u"-f"_s, key}),
            0);
        QVERIFY(f.open());
        SubmitRequest request;
        request.secrets = {{u"key"_s, QString::fromUtf8(fileOf(key + u".pub"_s)).trimmed()}};
        const QByteArray command = "ssh -i " + key.toUtf8()
            + " -o IdentitiesOnly=yes -o IdentityAgent=none -F none -o BatchMode=yes -o StrictHostKeyChecking=no"
              " -o UserKnownHostsFile=/dev/null -p $PAI_CONTAINER_SSH_PORT $(id -un)@127.0.0.1 echo I am in";
        const QString uuid
            = f.submit(EngineFixture::document("key", EngineFixture::role("main", 1, {command}),
                           "secrets: {key: \"******\"}\n"
                               + pluginEntry("ssh", "{userssh: {type: custom, value: '<% $secrets.key %>'}}")),
                request);
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(uuid, 30000));
        QVERIFY2(f.output(uuid, u"main"_s, 0).contains("I am in"), f.output(uuid, u"main"_s, 0).constData());
    }
};

TRAINYARD_TEST(TstPluginSecrets)
#include "tst_pluginsecrets.moc"
