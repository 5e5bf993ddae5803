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
    void refusals_data();
    void refusals();
    void cutCopyLeavesNothing();
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

void TstAgentPrograms::refusals_data()
{
    QTest::addColumn<QByteArray>("host"); // functions that stand for its programs
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<int>("kind"); // -1: it is taken
    using Kind = sshscripts::Refusal::Kind;
    const QByteArray room = "df() { echo fs 9 9 99999 9 /; }; ";
    const QByteArray full = "df() { echo fs 9 9 0 100% /; }; ";
    const QByteArray runs = "#!/bin/sh\n";
    QTest::newRow("taken") << room << runs << -1;
    QTest::newRow("does not run") << room << QByteArray("#!/nowhere\n") << int(Kind::CannotRun);
    QTest::newRow("full") << full << runs << int(Kind::NoRoom);
    // Room is made just after it was looked at, while the other folders refuse.
    QTest::newRow("full for a moment") << QByteArray("df() { if [ -e looked ]; then echo fs 9 9 99999 9 /; else : > "
                                                     "looked; echo fs 9 9 0 100% /; fi; }; ")
                                       << runs << int(Kind::NoRoom);
    QTest::newRow("full until the folder was refused") << QByteArray(
        "df() { if [ -e freed ]; then echo fs 9 9 99999 9 /; else echo fs 9 9 0 100% /; fi; }; "
        "mkdir() { : > freed; return 1; }; ") << runs << int(Kind::NoRoom);
    // In any language of the host.
    QTest::newRow("becomes full") << room + "cat() { head -c 3; echo voll >&2; return 1; }; " << runs
                                  << int(Kind::Short);
    QTest::newRow("quota of the first byte") << room + "cat() { return 1; }; " << runs << int(Kind::Short);
}

// The script of a copy, in a real shell: what it says of why no folder took the helper is what was so at that moment.
void TstAgentPrograms::refusals()
{
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, program);
    QFETCH(int, kind);
    // No folder but that of the test: those of the whole system are not made.
    const QByteArray apart = "mkdir() { case \"$2\" in *cache*) command mkdir \"$@\";; *) return 1;; esac; }; "
                             "id() { echo nobody-has-this; }; ";
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"XDG_CACHE_HOME"_s, m_folder->filePath(u"cache"_s));
    environment.remove(u"XDG_RUNTIME_DIR"_s);
    shell.setProcessEnvironment(environment);
    shell.setWorkingDirectory(m_folder->path());
    shell.start(
        u"/bin/sh"_s, {u"-c"_s, QString::fromLatin1(apart + host + sshscripts::push("0123", "nonce", program.size()))});
    shell.write(program);
    shell.closeWriteChannel();
    QVERIFY(shell.waitForFinished());
    const QByteArray said = shell.readAllStandardOutput();
    const QString file = m_folder->filePath(u"cache/trainyard/agent-0123"_s);
    QCOMPARE(said.contains("TRAINYARD-PUSHED nonce "), kind < 0);
    QCOMPARE(QFile::exists(file), kind < 0);
    QCOMPARE(QDir(m_folder->filePath(u"cache/trainyard"_s)).entryList(QDir::Files).size(), kind < 0 ? 1 : 0);
    if (kind < 0) {
        return;
    }
    QVERIFY2(said.endsWith("\nTRAINYARD-NOT-PUSHED nonce\n"), said.constData());
    const sshscripts::Refusal refusal = sshscripts::refusalIn(said, "nonce", program.size());
    QVERIFY2(int(refusal.kind) == kind, said.constData());
    if (refusal.kind != sshscripts::Refusal::Kind::CannotRun) {
        QCOMPARE(refusal.folder, QFile::encodeName(m_folder->filePath(u"cache/trainyard"_s)));
    }
}

// Its connection ends in the middle: neither does more come, nor does anybody hear what it says.
void TstAgentPrograms::cutCopyLeavesNothing()
{
    QProcess shell, listener; // which is gone when the connection is
    shell.setStandardOutputProcess(&listener);
    shell.setStandardErrorFile(QProcess::nullDevice());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"XDG_CACHE_HOME"_s, m_folder->filePath(u"cache"_s));
    environment.remove(u"XDG_RUNTIME_DIR"_s);
    shell.setProcessEnvironment(environment);
    const QString folder = m_folder->filePath(u"cache/trainyard"_s);
    const auto copied = [&folder] { return QDir(folder).entryInfoList({u"agent-0123.*"_s}, QDir::Files); };
    // In the other folders nothing is tried: they are those of this computer.
    const QByteArray apart = "mkdir() { case \"$2\" in *cache*) command mkdir \"$@\";; *) return 1;; esac; }; "
                             "id() { echo nobody-has-this; }; ";
    shell.start(u"/bin/sh"_s, {u"-c"_s, QString::fromLatin1(apart + sshscripts::push("0123", "nonce", 1000))});
    listener.start(u"sleep"_s, {u"600"_s});
    QVERIFY(shell.waitForStarted() && listener.waitForStarted());
    shell.write(QByteArray(500, 'x'));
    QTRY_VERIFY(copied().size() == 1 && copied().constFirst().size() == 500);
    listener.kill();
    QVERIFY(listener.waitForFinished());
    shell.closeWriteChannel();
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QDir(folder).entryList(QDir::Files | QDir::Hidden), QStringList());
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
