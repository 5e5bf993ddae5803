// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/exitclassifier.h"
#include "engine/core/missingcommand.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using Kind = RawExit::Kind;
using Phase = RawExit::Phase;

// Commands that are not there, by what shells print about them.
class TstMissingCommands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void missingCommands_data();
    void missingCommands();
};

// The wordings of bash, dash, zsh and env, as they print them.
void TstMissingCommands::missingCommands_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("command");
    const auto row = [](const char *name, int status, const QByteArray &log, const char *reason, const char *command) {
        QTest::newRow(name) << status << log << QString::fromLatin1(reason) << QString::fromUtf8(command);
    };
    row("bash", 127, "/a b/runs/0/w-0/0/task.sh: line 3: trainn: command not found\n", "exit.command-missing",
        "trainn");
    row("later output", 127, "/t/task.sh: line 3: trainn: command not found\nstill from another process\n",
        "exit.command-missing", "trainn");
    row("the last one", 127, "x: line 1: a: command not found\nx: line 2: b: command not found\n",
        "exit.command-missing", "b");
    row("blanks", 127, "t: line 3: my train: command not found\n", "exit.command-missing", "my train");
    row("a script", 127, "t: line 9: ./train.sh: No such file or directory\n", "exit.command-missing", "./train.sh");
    row("an interpreter", 127, "t: line 9: ./train.sh: /bin/zsh: bad interpreter: No such file or directory\n",
        "exit.command-missing", "/bin/zsh");
    row("bash -c", 127, "bash: trainn: command not found\n", "exit.command-missing", "trainn");
    row("dash", 127, "sh: 1: trainn: not found\n", "exit.command-missing", "trainn");
    row("zsh", 127, "zsh:1: command not found: trainn\n", "exit.command-missing", "trainn");
    row("env", 127, "/usr/bin/env: \xe2\x80\x98python9\xe2\x80\x99: No such file or directory\n",
        "exit.command-missing", "python9");
    row("denied", 126, "t: line 2: ./train.sh: Permission denied\n", "exit.command-denied", "./train.sh");
    row("a folder", 126, "t: line 2: /tmp: Is a directory\n", "exit.command-denied", "/tmp");
    row("not for here", 126, "t: line 2: ./x: cannot execute binary file: Exec format error\n", "exit.command-denied",
        "./x");
    row("a library", 127,
        "./x: error while loading shared libraries: libz.so: cannot open shared object file: No such file or "
        "directory\n",
        "exit.user", "");
    row("a library, and a command before it", 127,
        "t: line 3: module: command not found\n./x: error while loading shared libraries: libz.so: cannot open shared "
        "object file: No such file or directory\n",
        "exit.user", "");
    row("in a container of docker", 127,
        "docker: Error response from daemon: OCI runtime create failed: runc create failed: unable to start container "
        "process: exec: \"trainn\": executable file not found in $PATH: unknown.\n",
        "exit.command-missing", "trainn");
    row("in a container of podman", 127,
        "Error: crun: executable file `trainn` not found in $PATH: No such file or directory: OCI runtime attempted to "
        "invoke a command that was not found\n",
        "exit.command-missing", "trainn");
    row("says nothing", 127, "step 1\n", "exit.user", "");
    row("empty", 127, "", "exit.user", "");
    row("another status", 1, "t: line 3: trainn: command not found\n", "exit.user", "");
}

void TstMissingCommands::missingCommands()
{
    QFETCH(int, status);
    QFETCH(QByteArray, log);
    QFETCH(QString, reason);
    QFETCH(QString, command);
    RawExit exit;
    exit.value = status;
    Classified classified;
    classified.code = 255;
    classified.reason = u"exit.user"_s;
    nameMissingCommand(exit, log, &classified);
    QCOMPARE(classified.reason, reason);
    QCOMPARE(classified.reasonArgs.value("command"_L1).toString(), command);
    QCOMPARE(classified.code, 255);
    exit.phase = RawExit::Phase::Before; // a prerequisite's words are not the program's
    classified.reason = u"exit.step"_s;
    nameMissingCommand(exit, log, &classified);
    QCOMPARE(classified.reason, u"exit.step"_s);
}

TRAINYARD_TEST(TstMissingCommands)
#include "tst_missingcommands.moc"
