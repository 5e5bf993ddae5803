// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/engineclient.h"
#include "engine/daemon/inprocess.h"
#include "tests/daemon/oddserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/hosttexts.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Ways to log in that want a person: codes that are taken one time, and security keys.
class TstOddLogins : public QObject
{
    Q_OBJECT
    static bool write(const QString &name, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(name).path());
        QFile file(name);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()
            && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_SSH_CONFIG"); }
    void takesCodesThatAreForOneTime();
    void refusesAWrongCodeOnce();
    void showsThatAKeyWaits();

private:
    // sshd wants a key and then a code, each of which is taken one time.
    static OddSystem withCodes(const QTemporaryDir &folder, int codes)
    {
        OddSystem system;
        system.settings = "UsePAM yes\nKbdInteractiveAuthentication yes\n"
                          "AuthenticationMethods publickey,keyboard-interactive\n";
        const QByteArray at = QFile::encodeName(folder.path());
        for (int i = 0; i < codes; ++i) {
            write(folder.filePath(u"codes/10%1"_s.arg(i)), {});
        }
        QDir().mkpath(folder.filePath(u"used"_s));
        write(folder.filePath(u"verify"_s),
            "#!/bin/sh\ncode=$(tr -d '\\000')\n[ -n \"$code\" ] && mv '" + at + "'/codes/\"$code\" '" + at
                + "'/used/\n");
        system.etc.insert(u"pam.d/sshd"_s,
            "auth required pam_exec.so expose_authtok quiet " + at
                + "/verify\nauth required pam_permit.so\naccount required pam_permit.so\nsession required "
                  "pam_permit.so\n");
        return system;
    }
};

// The first way to a host takes three connections, and each asks for a code, though the question calls it a password.
void TstOddLogins::takesCodesThatAreForOneTime()
{
    const QTemporaryDir folder(u"/tmp/tycodesXXXXXX"_s);
    const OddServer server({{u"codes"_s}}, withCodes(folder, 9));
    SKIP_UNLESS_THERE(server);
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    EngineFixture f;
    f.setAgentProgram(OddServer::agentProgram());
    QVERIFY(f.open());
    EngineClient client;
    client.setAnswersQuestions(true);
    QStringList kinds;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) {
        const QString code = u"10%1"_s.arg(kinds.size());
        kinds.append(question.kind);
        client.call<api::Answer>({question.id, code}, &client, [](const Result<bool> &) {});
    });
    QSignalSpy ready(&client, &EngineClient::reset);
    client.startWith(connectInProcess(f.engine()));
    QTRY_VERIFY(!ready.isEmpty());
    QVERIFY(f.engine().addHost(u"codes"_s));
    const auto state = [&] { return f.engine().hosts().last().state; };
    QVERIFY2(QTest::qWaitFor([&] { return state() == HostState::Online; }, 30000),
        qPrintable(hostReport(f.engine().hosts().last())));
    QCOMPARE(kinds, QStringList(3, u"password"_s));
    QCOMPARE(QDir(folder.filePath(u"used"_s)).entryList(QDir::Files), (QStringList{u"100"_s, u"101"_s, u"102"_s}));
}

// Nobody is asked again and again: a wrong code ends the attempt, and the next one is the person's.
void TstOddLogins::refusesAWrongCodeOnce()
{
    const QTemporaryDir folder(u"/tmp/tycodesXXXXXX"_s);
    const OddServer server({{u"codes"_s}}, withCodes(folder, 0));
    SKIP_UNLESS_THERE(server);
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    EngineFixture f;
    f.setAgentProgram(OddServer::agentProgram());
    QVERIFY(f.open());
    EngineClient client;
    client.setAnswersQuestions(true);
    int asked = 0;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) {
        ++asked;
        client.call<api::Answer>({question.id, u"999"_s}, &client, [](const Result<bool> &) {});
    });
    QSignalSpy ready(&client, &EngineClient::reset);
    client.startWith(connectInProcess(f.engine()));
    QTRY_VERIFY(!ready.isEmpty());
    QVERIFY(f.engine().addHost(u"codes"_s));
    const auto state = [&] { return f.engine().hosts().last().state; };
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::NeedsLogin; }, 20000));
    QCOMPARE(f.engine().hosts().last().error, u"host.needs-login.password"_s);
    QCOMPARE(asked, 1);
    QVERIFY(f.engine().questions().isEmpty());
}

// What ssh says while it waits for a touch wants no answer and goes when the key was touched. A program stands in for
// the ssh of somebody with such a key: it says what OpenSSH says, then connects.
void TstOddLogins::showsThatAKeyWaits()
{
    const OddServer server({{u"touch"_s}});
    SKIP_UNLESS_THERE(server);
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    const QByteArray at = QFile::encodeName(server.path({}));
    QVERIFY(write(server.path(u"programs/ssh"_s),
        "#!/bin/sh\nSSH_ASKPASS_PROMPT=none \"$SSH_ASKPASS\" 'Confirm user presence for key ED25519-SK SHA256:abc' &\n"
        "while [ ! -e '"
            + at + "touched' ]; do sleep 0.05; done\nkill $!\nwait $!\nexec /usr/bin/ssh \"$@\"\n"));
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", QFile::encodeName(server.path(u"programs"_s)) + ':' + path);
    EngineFixture f;
    f.setAgentProgram(OddServer::agentProgram());
    QVERIFY(f.open());
    EngineClient client;
    client.setAnswersQuestions(true);
    QList<Question> questions;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) { questions.append(question); });
    QSignalSpy gone(&client, &EngineClient::questionGone);
    QSignalSpy ready(&client, &EngineClient::reset);
    client.startWith(connectInProcess(f.engine()));
    QTRY_VERIFY(!ready.isEmpty());
    QVERIFY(f.engine().addHost(u"touch"_s));
    QTRY_COMPARE(questions.size(), 1);
    QCOMPARE(questions.first().kind, u"touch"_s);
    QVERIFY(questions.first().prompt.startsWith("Confirm user presence"_L1));
    QVERIFY(gone.isEmpty());
    QVERIFY(write(server.path(u"touched"_s), {}));
    QTRY_VERIFY(!gone.isEmpty());
    QCOMPARE(gone.first().first().toString(), questions.first().id);
    const auto state = [&] { return f.engine().hosts().last().state; };
    QVERIFY2(QTest::qWaitFor([&] { return state() == HostState::Online; }, 30000),
        qPrintable(hostReport(f.engine().hosts().last())));
    QTRY_VERIFY(f.engine().questions().isEmpty());
}

TRAINYARD_TEST(TstOddLogins)
#include "tst_oddlogins.moc"
