// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "engine/hosts/hosttrail.h"
#include "engine/hosts/sshtrail.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// How far a connection has come: what ssh -v says of it, and the steps that are shown.
class TstHostTrail : public QObject
{
    Q_OBJECT

    // "resolve connect key login", as they have passed.
    static QString passedOf(SshTrail &trail, const QByteArray &bytes, QJsonObject *facts = nullptr)
    {
        QStringList steps;
        for (const SshTrail::Passed &passed : trail.take(bytes)) {
            steps.append(passed.step);
            if (facts) {
                facts->insert(passed.step, passed.facts);
            }
        }
        return steps.join(u' ');
    }
    static QString statesOf(const HostTrail &trail)
    {
        QStringList states;
        for (const HostStep &step : trail.steps()) {
            states.append(stepStateWord(step.state));
        }
        return states.join(u' ');
    }
    static HostStep stepOf(const HostTrail &trail, const QString &id)
    {
        for (const HostStep &step : trail.steps()) {
            if (step.id == id) {
                return step;
            }
        }
        return {};
    }

    // As OpenSSH 9 writes it, with addresses and keys of the test's own.
    static inline const QByteArray direct
        = "OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.15 3 Sep 2024\r\n"
          "debug1: Reading configuration data /etc/ssh/ssh_config\r\n"
          "debug1: Connecting to lab3.example [10.20.0.13] port 2222.\r\n"
          "debug1: Connection established.\r\n"
          "debug1: Remote protocol version 2.0, remote software version OpenSSH_9.6\r\n"
          "debug1: Server host key: ssh-ed25519 SHA256:AbCdEf0123\r\n"
          "debug1: SSH2_MSG_NEWKEYS sent\r\n"
          "debug1: Offering public key: /home/mia/my keys/id ED25519 SHA256:XyZ explicit\r\n"
          "debug1: Server accepts key: /home/mia/my keys/id ED25519 SHA256:XyZ explicit\r\n"
          "Authenticated to lab3.example ([10.20.0.13]:2222) using \"publickey\".\r\n"
          "debug1: Entering interactive session.\r\n"
          "debug1: Sending command: exec /bin/sh -c 'true'\r\n";

private Q_SLOTS:
    void stepsOfSsh()
    {
        SshTrail trail;
        QJsonObject facts;
        QCOMPARE(passedOf(trail, direct, &facts), u"resolve connect key login"_s);
        QCOMPARE(
            facts.value("resolve"_L1).toObject(), (QJsonObject{{u"address"_s, u"10.20.0.13"_s}, {u"port"_s, 2222}}));
        QCOMPARE(facts.value("connect"_L1).toObject().value("software"_L1).toString(), u"OpenSSH_9.6"_s);
        QCOMPARE(facts.value("key"_L1).toObject().value("fingerprint"_L1).toString(), u"SHA256:AbCdEf0123"_s);
        QCOMPARE(facts.value("login"_L1).toObject(),
            (QJsonObject{{u"method"_s, u"publickey"_s}, {u"file"_s, u"/home/mia/my keys/id"_s}}));
        QCOMPARE(trail.complaints(), QByteArray());
    }

    // The server takes a key, and ssh goes on to something else without having used it.
    void aKeyThatWasNotUnlocked()
    {
        const QByteArray accepted = "debug1: Next authentication method: publickey\r\n"
                                    "debug1: Server accepts key: /home/mia/my keys/id ED25519 SHA256:XyZ explicit\r\n";
        const QByteArray password = "debug1: Next authentication method: password\r\n";
        const QByteArray seen = "debug1: Authentications that can continue: publickey,password\r\n";
        const auto keyAfter = [](const QByteArray &lines) {
            SshTrail trail;
            trail.take(lines);
            return trail.lockedKey();
        };
        const QString file = u"/home/mia/my keys/id"_s;
        QCOMPARE(keyAfter(accepted), QString());
        QCOMPARE(keyAfter(accepted + password), file);
        QCOMPARE(keyAfter(accepted + "debug1: No more authentication methods to try.\r\n"), file);
        QCOMPARE(keyAfter(accepted + password + seen), file);
        QCOMPARE(keyAfter(accepted + "debug1: Offering public key: /home/mia/other RSA SHA256:Q\r\n" + seen), file);
        // A second factor, after the key has been used.
        QCOMPARE(keyAfter(accepted + "Authenticated using \"publickey\" with partial success.\r\n" + seen + password),
            QString());
        QCOMPARE(keyAfter(direct), QString());
        // An agent has it, which says itself why it does not sign.
        QCOMPARE(keyAfter(QByteArray(accepted).replace(" explicit", " explicit agent") + password), QString());
        // A jump host lets the user in with another one; the host behind it takes none.
        QCOMPARE(keyAfter(accepted + "debug1: Offering public key: /home/mia/other RSA SHA256:Q\r\n"
                     + "Authenticated to gate ([10.0.0.1]:22) using \"publickey\".\r\n" + seen),
            QString());
        QCOMPARE(keyAfter(accepted + password + "debug1: Server host key: ssh-ed25519 SHA256:AbC\r\n"), QString());
    }

    // What somebody has to add on the server, or to change here.
    void keysThatWereRefused()
    {
        const auto keysAfter = [](const QByteArray &lines) {
            SshTrail trail;
            trail.take(lines);
            return trail.refusedKeys();
        };
        const QByteArray ofGate = "debug1: Offering public key: /home/mia/.ssh/gate RSA SHA256:Gg explicit\r\n"
                                  "debug1: Server accepts key: /home/mia/.ssh/gate RSA SHA256:Gg explicit\r\n";
        const QByteArray host = "debug1: Server host key: ssh-ed25519 SHA256:AbC\r\n";
        const QByteArray seen = "debug1: Authentications that can continue: publickey\r\n";
        const QByteArray offered = "debug1: Offering public key: /home/mia/my keys/id ED25519 SHA256:XyZ explicit\r\n"
            + seen + "debug1: Offering public key: mia@laptop RSA SHA256:Q/r agent\r\n" + seen
            + "debug1: Offering public key: /home/mia/my keys/id ED25519 SHA256:XyZ explicit\r\n" + seen
            + "debug1: Trying private key: /home/mia/.ssh/id_dsa\r\n"
            + "debug1: No more authentication methods to try.\r\n";
        const QStringList keys{u"/home/mia/my keys/id"_s, u"mia@laptop"_s};
        QCOMPARE(keysAfter(host + offered), std::optional(keys));
        QCOMPARE(keysAfter(ofGate + host + offered), std::optional(keys)); // those of the jump host are none of them
        QCOMPARE(keysAfter(host + "debug1: Offering public key: RSA SHA256:XyZ /home/mia/.ssh/id_rsa\r\n" + seen),
            std::optional(QStringList(u"/home/mia/.ssh/id_rsa"_s))); // of an older ssh
        QCOMPARE(keysAfter(host + seen), std::optional(QStringList()));
        QCOMPARE(keysAfter(host + ofGate), std::nullopt); // it was accepted, and not used
    }

    // However the bytes are cut.
    void piecesAreJoined()
    {
        for (int size : {1, 7, 64}) {
            SshTrail trail;
            QStringList steps;
            for (qsizetype at = 0; at < direct.size(); at += size) {
                const QString more = passedOf(trail, direct.mid(at, size));
                if (!more.isEmpty()) {
                    steps.append(more);
                }
            }
            QCOMPARE(steps.join(u' '), u"resolve connect key login"_s);
        }
    }

    void behindAJumpHost()
    {
        SshTrail trail;
        QJsonObject facts;
        const QByteArray jump = QByteArray(direct).replace("debug1: Sending command: exec /bin/sh -c 'true'\r\n", "");
        const QByteArray inner = "debug1: Remote protocol version 2.0, remote software version OpenSSH_8.0\r\n"
                                 "debug1: Server host key: ssh-rsa SHA256:Inner\r\n"
                                 "debug1: SSH2_MSG_NEWKEYS sent\r\n"
                                 "Authenticated to far (via proxy) using \"keyboard-interactive\".\r\n"
                                 "debug1: Sending command: x\r\n";
        passedOf(trail, "debug1: Executing proxy command: exec ssh -v -W '[far]:22' lab3\r\n" + jump + inner, &facts);
        QCOMPARE(facts.value("resolve"_L1).toObject(), (QJsonObject{{u"proxy"_s, u"lab3"_s}}));
        QCOMPARE(facts.value("connect"_L1).toObject().value("software"_L1).toString(), u"OpenSSH_8.0"_s);
        QCOMPARE(facts.value("key"_L1).toObject().value("fingerprint"_L1).toString(), u"SHA256:Inner"_s);
        QCOMPARE(facts.value("login"_L1).toObject(), (QJsonObject{{u"method"_s, u"keyboard-interactive"_s}}));
    }

    // ssh names itself as it was started.
    void behindAJumpHostOfAnotherConfiguration()
    {
        SshTrail trail;
        QJsonObject facts;
        passedOf(trail,
            "debug1: Executing proxy command: exec /usr/bin/ssh -F /home/mia/config -v -W '[far]:22' gate\r\n", &facts);
        QCOMPARE(facts.value("resolve"_L1).toObject(), (QJsonObject{{u"proxy"_s, u"gate"_s}}));
    }

    void behindAnotherProgram()
    {
        SshTrail trail;
        QJsonObject facts;
        passedOf(trail, "debug1: Executing proxy command: exec nc gate 22\r\n", &facts);
        QCOMPARE(facts.value("resolve"_L1).toObject(), (QJsonObject{{u"proxy"_s, u"nc gate 22"_s}}));
    }

    void theHostItself()
    {
        SshTrail direct, behind;
        QVERIFY(direct.isAtHost());
        passedOf(behind, "debug1: Executing proxy command: exec ssh -v -W '[far]:22' gate\r\n");
        QVERIFY(!behind.isAtHost());
        passedOf(behind, "Authenticated to gate ([10.0.0.1]:22) using \"publickey\".\r\n");
        QVERIFY(behind.isAtHost());
    }

    // A host writes to the same stream: what it says is a complaint, and no step.
    void wordsOfTheHost()
    {
        SshTrail trail;
        passedOf(trail, direct);
        QCOMPARE(
            passedOf(trail, "debug1: Connecting to evil [1.2.3.4] port 22.\nsh: not found\r\nno newline"), QString());
        QCOMPARE(trail.complaints(), QByteArray("sh: not found\r\nno newline"));
        QCOMPARE(trail.saidByCommand(), trail.complaints());
        SshTrail banner;
        passedOf(banner, "Authorised use only.\r\n");
        QCOMPARE(banner.saidByCommand(), QByteArray());
        passedOf(banner, direct + "Not here.\n");
        QCOMPARE(banner.complaints(), QByteArray("Authorised use only.\r\nNot here.\n"));
        QCOMPARE(banner.saidByCommand(), QByteArray("Not here.\n"));
        SshTrail endless;
        for (int i = 0; i < 100; ++i) {
            endless.take(QByteArray(100000, 'x'));
        }
        QVERIFY(endless.complaints().size() <= 32768);
    }

    void complaintsStay()
    {
        SshTrail trail;
        QCOMPARE(passedOf(trail,
                     "debug1: Connecting to h [10.0.0.1] port 22.\r\n"
                     "debug1: connect to address 10.0.0.1 port 22: Connection refused\r\n"
                     "ssh: connect to host h port 22: Connection refused\r\n"),
            u"resolve"_s);
        QCOMPARE(trail.complaints(), QByteArray("ssh: connect to host h port 22: Connection refused\r\n"));
    }

    void stepsPass()
    {
        HostTrail trail(false);
        trail.begin(1000);
        QCOMPARE(statesOf(trail), u"running waiting waiting waiting waiting waiting waiting waiting"_s);
        trail.pass(hoststep::resolve, {{u"port"_s, 22}}, 1020);
        trail.pass(hoststep::key, {}, 1050); // the one before it, of which nothing was heard, has passed as well
        QCOMPARE(statesOf(trail), u"passed passed passed running waiting waiting waiting waiting"_s);
        QCOMPARE(stepOf(trail, hoststep::resolve).ms, 20);
        QCOMPARE(stepOf(trail, hoststep::connect).ms, -1);
        QCOMPARE(stepOf(trail, hoststep::key).ms, 30);
        trail.pass(hoststep::resolve, {{u"port"_s, 23}}, 2000);
        QCOMPARE(stepOf(trail, hoststep::resolve).args.value("port"_L1).toInt(), 23);
        QCOMPARE(stepOf(trail, hoststep::resolve).ms, 20);
        QCOMPARE(statesOf(trail), u"passed passed passed running waiting waiting waiting waiting"_s);
        HostTrail local(true);
        local.begin(0);
        QCOMPARE(statesOf(local), u"running"_s);
    }

    // The folder is known only when the copy runs there.
    void copiesForAWhile()
    {
        HostTrail trail(false);
        trail.begin(0);
        trail.pass(hoststep::shell, {}, 5);
        trail.advance(hoststep::push, {{u"bytes"_s, 10}, {u"of"_s, 20}});
        QCOMPARE(statesOf(trail), u"passed passed passed passed passed running running waiting"_s);
        QCOMPARE(stepOf(trail, hoststep::push).args.value("bytes"_L1).toInt(), 10);
        HostTrail cut = trail;
        cut.fail({u"host.cut"_s, {}}, 7);
        QCOMPARE(statesOf(cut), u"passed passed passed passed passed passed failed waiting"_s);
        trail.pass(hoststep::push, {{u"bytes"_s, 20}}, 9);
        trail.advance(hoststep::push, {{u"bytes"_s, 15}, {u"of"_s, 20}});
        QCOMPARE(stepOf(trail, hoststep::push).args, (QJsonObject{{u"bytes"_s, 20}}));
        QCOMPARE(statesOf(trail), u"passed passed passed passed passed passed passed running"_s);
    }

    void stepsFail_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("states");
        QTest::newRow("name") << u"host.name-unknown"_s
                              << u"failed waiting waiting waiting waiting waiting waiting waiting"_s;
        QTest::newRow("key") << u"host.key-changed"_s
                             << u"passed passed failed waiting waiting waiting waiting waiting"_s;
        // Not that of the jump host, which has passed.
        QTest::newRow("login") << u"host.needs-login"_s
                               << u"passed passed passed failed waiting waiting waiting waiting"_s;
        QTest::newRow("login, keys only")
            << u"host.needs-login.key"_s << u"passed passed passed failed waiting waiting waiting waiting"_s;
        QTest::newRow("login, password") << u"host.needs-login.password"_s
                                         << u"passed passed passed failed waiting waiting waiting waiting"_s;
        for (const QString &code : {u"host.needs-login.locked"_s, u"host.needs-login.locked-wrong"_s}) {
            QTest::addRow("%s", qPrintable(code))
                << code << u"passed passed passed failed waiting waiting waiting waiting"_s;
        }
        QTest::newRow("security key") << u"host.security-key-pin"_s
                                      << u"passed passed passed failed waiting waiting waiting waiting"_s;
        QTest::newRow("room") << u"host.agent-no-room"_s
                              << u"passed passed passed passed passed failed waiting waiting"_s;
        QTest::newRow("other") << u"host.cut"_s << u"passed passed passed passed failed waiting waiting waiting"_s;
    }

    void stepsFail()
    {
        QFETCH(QString, code);
        HostTrail trail(false);
        trail.begin(0);
        trail.pass(hoststep::login, {}, 5);
        trail.fail({code, {{u"host"_s, u"h"_s}}}, 9);
        QTEST(statesOf(trail), "states");
        // An end of a connection that stood is no failed step.
        trail.begin(10);
        trail.pass(hoststep::agent, {}, 11);
        trail.fail({u"host.cut"_s, {}}, 12);
        QCOMPARE(statesOf(trail), u"passed passed passed passed passed passed passed passed"_s);
    }
};
TRAINYARD_TEST(TstHostTrail)
#include "tst_hosttrail.moc"
