// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/agentprograms.h"
#include "engine/hosts/askpass.h"
#include "engine/hosts/sshscripts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Which helper a host gets, by what it says of its processor, and what kind of question ssh asks.
class TstAgentPrograms : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void readsWhatIsThere();
    void choosesByProcessor_data();
    void choosesByProcessor();
    void hostsChooseTheSame_data();
    void hostsChooseTheSame();
    void questionsHaveKinds_data();
    void questionsHaveKinds();

private:
    static QString here() { return AgentPrograms::machineHere().section(u' ', 1); }
    static QString other() { return here() == "aarch64"_L1 ? u"x86_64"_s : u"aarch64"_s; }
    void write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    std::unique_ptr<QTemporaryDir> m_folder; // files are read once: each test has its own
};

void TstAgentPrograms::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    write(u"agent"_s, "own");
    write(u"trainyard-agent-"_s + other(), "other");
    write(u"trainyard-agent-"_s + here(), "older"); // not in the place of the own one
}

void TstAgentPrograms::readsWhatIsThere()
{
    const AgentPrograms programs(m_folder->filePath(u"agent"_s));
    QCOMPARE(programs.all().size(), 2);
    QCOMPARE(programs.own().bytes, QByteArray("own"));
    QCOMPARE(programs.own().hash.size(), 16);
    QVERIFY(programs.all().at(1).hash != programs.own().hash);
    QCOMPARE(programs.machines(), (QStringList{u"Linux "_s + here(), u"Linux "_s + other()}));
    const AgentPrograms none(m_folder->filePath(u"not-there"_s));
    QVERIFY(none.own().hash.isEmpty());
}

void TstAgentPrograms::choosesByProcessor_data()
{
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QByteArray>("chosen"); // empty: none
    QTest::newRow("this one") << AgentPrograms::machineHere() << QByteArray("own");
    QTest::newRow("the other one") << QString(u"Linux "_s + other()) << QByteArray("other");
    const bool isArm = here() == "aarch64"_L1;
    QTest::newRow("setarch") << u"Linux i686"_s << QByteArray(isArm ? "other" : "own");
    QTest::newRow("setarch on ARM") << u"Linux armv8l"_s << QByteArray(isArm ? "own" : "other");
    QTest::newRow("ARM of 32 bits") << u"Linux armv7l"_s << QByteArray();
    QTest::newRow("RISC-V") << u"Linux riscv64"_s << QByteArray();
    QTest::newRow("another system") << QString(u"Darwin "_s + here()) << QByteArray();
    QTest::newRow("nothing") << QString() << QByteArray();
}

void TstAgentPrograms::choosesByProcessor()
{
    QFETCH(QString, machine);
    QFETCH(QByteArray, chosen);
    const AgentPrograms programs(m_folder->filePath(u"agent"_s));
    const AgentPrograms::Program *program = programs.forMachine(machine);
    QCOMPARE(program ? program->bytes : QByteArray(), chosen);
}

void TstAgentPrograms::hostsChooseTheSame_data()
{
    QTest::addColumn<QString>("processor");
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("this one") << here() << QByteArray("own serves");
    QTest::newRow("the other one") << other() << QByteArray("other serves");
    QTest::newRow("none") << u"riscv64"_s << QByteArray("own serves"); // it fails to run there, and is then asked for
}

// The script of a start, in a real shell whose uname says another processor.
void TstAgentPrograms::hostsChooseTheSame()
{
    QFETCH(QString, processor);
    QFETCH(QByteArray, answer);
    const AgentPrograms programs(m_folder->filePath(u"agent"_s));
    QDir().mkpath(m_folder->filePath(u"cache/trainyard"_s));
    for (const AgentPrograms::Program &one : programs.all()) {
        write(u"cache/trainyard/agent-"_s + QString::fromLatin1(one.hash),
            "#!/bin/sh\n[ \"$1\" = --version ] || echo " + one.bytes + " serves\n");
    }
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"XDG_CACHE_HOME"_s, m_folder->filePath(u"cache"_s));
    shell.setProcessEnvironment(environment);
    shell.start(u"/bin/sh"_s,
        {u"-c"_s,
            QString(u"uname() { echo "_s + processor + u"; }; "_s
                + QString::fromLatin1(sshscripts::serve(programs.all(), "nonce")))});
    QVERIFY(shell.waitForFinished());
    const QByteArray said = shell.readAllStandardOutput();
    QVERIFY2(said.endsWith(QByteArray("\n" + answer + "\n")), said.constData());
}

void TstAgentPrograms::questionsHaveKinds_data()
{
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("hint");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("isLasting");
    const auto row = [](const char *prompt, const char *kind, bool isLasting, const char *hint = "") {
        QTest::newRow(prompt) << QString::fromUtf8(prompt) << QString::fromLatin1(hint) << QString::fromLatin1(kind)
                              << isLasting;
    };
    row("Enter passphrase for key '/home/ada/.ssh/id_ed25519':", "passphrase", true);
    row("Enter passphrase for key '/home/otp/code':", "passphrase", true);
    row("ada@lab1's password:", "password", true);
    row("ada@token's password:", "password", true);
    row("(ada@lab1) Password:", "password", true);
    row("(ada@otp.lab) Password:", "password", true);
    row("(ada@lab1) Verification code:", "other", false);
    row("(ada@lab1) One-time password (OATH) for `ada':", "other", false);
    row("(ada@lab1) Passcode or option (1-3):", "other", false);
    row("(ada@lab1) Enter PIN and token:", "other", false);
    row("Enter PIN for ED25519-SK key /home/ada/.ssh/id_ed25519_sk:", "pin", true);
    row("Enter PIN for 'ssh':", "pin", true); // a smart card
    row("The authenticity of host 'lab1 (10.0.0.1)' can't be established.", "hostKey", true);
    row("Confirm user presence for key ED25519-SK SHA256:abc", "touch", false, "none");
    row("(ada@lab1) Shopping list:", "other", false);
}

void TstAgentPrograms::questionsHaveKinds()
{
    QFETCH(QString, prompt);
    QFETCH(QString, hint);
    QFETCH(QString, kind);
    QFETCH(bool, isLasting);
    QCOMPARE(AskPass::kindOf(prompt, hint), kind);
    QCOMPARE(AskPass::isLasting(kind), isLasting);
}

TRAINYARD_TEST(TstAgentPrograms)
#include "tst_agentprograms.moc"
