// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyardctl forward` and `ssh`: ports and shells of tasks.
#include "engine/client/sshsettings.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTcpServer>
#include <QTcpSocket>

#include <csignal>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstCliForward : public QObject
{
    Q_OBJECT

    // What a server answers on this computer.
    static QByteArray get(int port)
    {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, quint16(port));
        socket.write("GET /job.txt HTTP/1.0\r\n\r\n");
        QByteArray text;
        while (socket.state() != QAbstractSocket::UnconnectedState && socket.waitForReadyRead(20000)) {
            text += socket.readAll();
        }
        return text + socket.readAll();
    }
    static QByteArray serving(const QByteArray &name, int instances)
    {
        return EngineFixture::document(name,
            EngineFixture::role("main", instances,
                {"echo from-the-task > job.txt",
                    "echo \"[I ServerApp] http://127.0.0.1:$PAI_CONTAINER_HOST_http_PORT_LIST/lab?token=ab12\"",
                    "exec python3 -m http.server --bind 127.0.0.1 $PAI_CONTAINER_HOST_http_PORT_LIST"},
                {}, "{cpu: 1, memoryMB: 16, gpu: 0, ports: {http: 1}}"));
    }
    static QJsonArray listed(const ProgramsFixture &f, const QString &job)
    {
        return f.ctl({u"forward"_s, job, u"--json"_s}).json().array();
    }
    static bool waitForJupyter(const ProgramsFixture &f, const QString &job)
    {
        return QTest::qWaitFor([&] { return listed(f, job).first()[u"program"].toString() == "Jupyter"_L1; }, 20000);
    }
    static int portIn(const QByteArray &address)
    {
        static const QRegularExpression number(u"(?:localhost|127\\.0\\.0\\.1):(\\d+)/"_s);
        return number.match(QString::fromUtf8(address)).captured(1).toInt();
    }

private Q_SLOTS:
    void portsOfAHost();
    void portsOfThisComputer();
    void wrongWords();
    void shellsOnThisComputer();
    void theOnlyTaskNeedsNoName();
    void shellsOnAHost();
    void hostsForPeople();
    void copiesOfARunningTask();
};

void TstCliForward::portsOfAHost()
{
    const SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QString file = f.write(u"work/x.yaml"_s, serving("served", 1));
    QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
    QVERIFY(waitForJupyter(f, u"1"_s));
    const QJsonObject port = listed(f, u"1"_s).first().toObject();
    const int number = port.value(u"port"_s).toInt();
    QCOMPARE(port.value(u"label"_s).toString(), u"http"_s);
    QCOMPARE(port.value(u"host"_s).toString(), u"far"_s);
    QCOMPARE(port.value(u"task"_s).toString(), u"main/0"_s);
    QVERIFY(!port.value(u"forwarded"_s).toBool() && !port.contains(u"address"_s));
    const auto list = f.ctl({u"forward"_s, u"served"_s});
    QVERIFY2(list.out.contains("Jupyter") && list.out.contains("not forwarded"), list.out.constData());
    // By its label, with the path and the token that the output names.
    const auto forwarded = f.ctl({u"forward"_s, u"1"_s, u"http"_s});
    QVERIFY2(forwarded.status == 0, forwarded.err.constData());
    QCOMPARE(forwarded.out, QByteArray("http://127.0.0.1:" + QByteArray::number(number) + "/lab?token=ab12\n"));
    QCOMPARE(forwarded.err, QByteArray());
    QTRY_VERIFY(get(number).endsWith("from-the-task\n"));
    // By its number, its program and its task it is the same one.
    for (const QStringList &words :
        {QStringList{QString::number(number)}, QStringList{u"jupyter"_s}, QStringList{u"main/0"_s, u"http"_s}}) {
        QCOMPARE(f.ctl(QStringList{u"forward"_s, u"1"_s} + words).out, forwarded.out);
    }
    const auto shown = f.ctl({u"forward"_s, u"1"_s, u"--list"_s});
    QVERIFY2(shown.out.contains(forwarded.out.trimmed()), shown.out.constData());
    // The token is the user's own: nothing of ours keeps it but the log.
    const auto status = f.ctl({u"engine"_s, u"status"_s, u"--json"_s});
    QCOMPARE(status.status, 0);
    const QString daemonLog = f.stateFolder() + u"/daemon.log"_s;
    QVERIFY(QFile::exists(daemonLog));
    QVERIFY(!EngineFixture::contents(daemonLog).contains("ab12"));
    // Elsewhere on this computer, as asked for; and when that is taken, a sentence.
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const auto taken = f.ctl({u"forward"_s, u"1"_s, u"http"_s, u"--local"_s, QString::number(other.serverPort())});
    QCOMPARE(taken.status, 4);
    QVERIFY2(taken.err.contains("is in use by another program"), taken.err.constData());
    const int free = other.serverPort();
    other.close();
    const auto moved = f.ctl({u"forward"_s, u"1"_s, u"http"_s, u"--local"_s, QString::number(free), u"--json"_s});
    QCOMPARE(moved.json().object().value(u"localPort"_s).toInt(), free);
    QVERIFY(get(free).endsWith("from-the-task\n"));
    // No number stands for all ports.
    for (const QString &wrong : {u"0"_s, u"70000"_s}) {
        const auto refused = f.ctl({u"forward"_s, u"1"_s, wrong, u"--stop"_s});
        QVERIFY2(refused.status != 0 && refused.err.contains(QByteArray(wrong.toUtf8() + " is not a port")),
            refused.err.constData());
    }
    QVERIFY(listed(f, u"1"_s).first()[u"forwarded"].toBool());
    QCOMPARE(f.ctl({u"forward"_s, u"1"_s, u"http"_s, u"--stop"_s}).status, 0);
    QCOMPARE(f.ctl({u"forward"_s, u"1"_s, u"http"_s, u"--stop"_s}).status, 4);
    QVERIFY(!listed(f, u"1"_s).first()[u"forwarded"].toBool());
    // The next one is taken, and that is said.
    QVERIFY(other.listen(QHostAddress::LocalHost, quint16(number)));
    const auto next = f.ctl({u"forward"_s, u"1"_s, u"http"_s});
    QVERIFY2(next.status == 0 && portIn(next.out) > number, next.out.constData());
    QVERIFY2(next.err.contains("is in use, so"), next.err.constData());
    QVERIFY(get(portIn(next.out)).endsWith("from-the-task\n"));
    // Nothing listens there, and a browser is told so in words.
    other.close();
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const QByteArray nobody = QByteArray::number(other.serverPort());
    other.close();
    const auto nowhere = f.ctl({u"forward"_s, u"1"_s, u"main/0"_s, QString::fromUtf8(nobody)});
    QVERIFY2(nowhere.status == 0, nowhere.err.constData());
    const QByteArray told = get(portIn(nowhere.out));
    QVERIFY2(told.contains(QByteArray("Nothing listens on port " + nobody + " on far.")), told.constData());
    QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
    QVERIFY(f.ctl({u"wait"_s, u"1"_s}, {}, 30000).status != 0);
    const auto late = f.ctl({u"forward"_s, u"1"_s, u"main/0"_s, u"80"_s});
    QCOMPARE(late.status, 4);
    QVERIFY2(late.err.contains("main/0 is not running"), late.err.constData());
    QVERIFY(listed(f, u"1"_s).isEmpty());
}

void TstCliForward::portsOfThisComputer()
{
    ProgramsFixture f;
    const QString file = f.write(u"work/x.yaml"_s, serving("here", 2));
    QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
    QVERIFY(waitForJupyter(f, u"1"_s));
    QTRY_COMPARE_WITH_TIMEOUT(listed(f, u"1"_s).size(), 2, 20000);
    const int second = listed(f, u"1"_s).at(1)[u"port"].toInt();
    const auto two = f.ctl({u"forward"_s, u"1"_s, u"http"_s});
    QCOMPARE(two.status, 2);
    QVERIFY2(two.err.contains("ROLE/INDEX"), two.err.constData());
    QTRY_VERIFY_WITH_TIMEOUT(
        f.ctl({u"forward"_s, u"1"_s, u"main/1"_s, u"http"_s}).out.contains("/lab?token=ab12"), 20000);
    const auto one = f.ctl({u"forward"_s, u"1"_s, u"main/1"_s, u"http"_s});
    QCOMPARE(one.status, 0);
    QCOMPARE(portIn(one.out), second); // as it is
    QVERIFY2(one.err.contains("nothing had to be forwarded"), one.err.constData());
    QCOMPARE(f.ctl({u"forward"_s, u"1"_s, QString::number(second)}).out, one.out);
    QCOMPARE(f.ctl({u"forward"_s, u"1"_s, u"9"_s}).status, 2); // of which task?
    QCOMPARE(f.ctl({u"forward"_s, u"1"_s, u"nothing"_s}).status, 2);
    QCOMPARE(f.ctl({u"forward"_s, u"1"_s, u"--stop"_s}).status, 4);
    QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
}

void TstCliForward::wrongWords()
{
    ProgramsFixture f;
    for (const QStringList &words : {QStringList{}, QStringList{u"1"_s, u"w"_s, u"80"_s},
             QStringList{u"1"_s, u"--local"_s, u"80"_s}, QStringList{u"1"_s, u"80"_s, u"--local"_s, u"x"_s},
             QStringList{u"1"_s, u"--stop"_s, u"--list"_s}, QStringList{u"1"_s, u"w/0"_s, u"80"_s, u"81"_s}}) {
        const auto refused = f.ctl(QStringList{u"forward"_s} + words);
        QVERIFY2(refused.status == 2, qPrintable(words.join(u' ')));
    }
    QCOMPARE(f.ctl({u"ssh"_s}).status, 2);
    const auto noTask = f.ctl({u"ssh"_s, u"1"_s, u"ls"_s});
    QCOMPARE(noTask.status, 2);
    QVERIFY2(noTask.err.contains("'--'"), noTask.err.constData());
    QCOMPARE(f.ctl({u"ssh"_s, u"nobody"_s}).status, 2);
    QCOMPARE(f.ctl({u"forward"_s, u"nobody"_s}).status, 2);
}

void TstCliForward::shellsOnThisComputer()
{
    ProgramsFixture f;
    const QString file = f.write(u"work/x.yaml"_s,
        EngineFixture::document("shells",
            EngineFixture::role("main", 1, {"mkdir -p made", "cd made", "until [ -e ../go ]; do sleep 0.02; done"})));
    QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
    const QByteArray work = f.path(u"work"_s).toUtf8();
    // While it runs, as `exec` does it.
    QTRY_COMPARE_WITH_TIMEOUT(
        f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"pwd"_s}).out.trimmed(), QByteArray(work + "/made"), 20000);
    // As with ssh, one word may be a line for the shell, and every task has a port for http that it need not ask for.
    const auto oneWord = f.ctl({u"ssh"_s, u"1"_s, u"main/0"_s, u"--"_s, u"cd /; pwd; exit 3"_s});
    QCOMPARE(oneWord.out.trimmed(), QByteArray("/"));
    QCOMPARE(oneWord.status, 3);
    const auto http = f.ctl({u"forward"_s, u"1"_s, u"main/0"_s, u"http"_s});
    QVERIFY2(http.status == 0, http.err.constData());
    const auto running
        = f.ctl({u"ssh"_s, u"1"_s, u"main/0"_s, u"--"_s, u"sh"_s, u"-c"_s, u"echo $PAI_TASK_ROLE_NAME; exit 7"_s});
    QCOMPARE(running.status, 7);
    QCOMPARE(running.out, QByteArray("main\n"));
    {
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"ssh"_s, u"1"_s}, f.environment()));
        terminal.type("echo in-$PAI_TASK_ROLE_NAME-$(tty | cut -c1-8)\n");
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("in-main-/dev/pts"), 10000);
        terminal.type("exit 3\n");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 10000);
        QCOMPARE(terminal.process().exitCode(), 3);
    }
    f.write(u"work/go"_s, {});
    QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
    // Afterwards, in the folder where it ran.
    const auto ended = f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"sh"_s, u"-c"_s, u"pwd; exit 5"_s});
    QCOMPARE(ended.status, 5);
    QCOMPARE(ended.out.trimmed(), work);
    QCOMPARE(f.ctl({u"ssh"_s, u"1"_s, u"main/1"_s}).status, 2);
    QVERIFY(QFile::rename(f.path(u"work"_s), f.path(u"elsewhere"_s)));
    QVERIFY(QDir().mkpath(f.path(u"other"_s)));
    QProcess gone;
    gone.setWorkingDirectory(f.path(u"other"_s));
    gone.start(f.program(u"trainyardctl"_s), {u"ssh"_s, u"1"_s, u"--"_s, u"true"_s});
    QVERIFY(gone.waitForFinished(20000));
    QCOMPARE(gone.exitCode(), 4);
    const QByteArray said = gone.readAllStandardError();
    QVERIFY2(said.contains(QByteArray("The folder " + work + ", in which the task ran, no longer exists.")),
        said.constData());
}

// Where none is named, it is the only one, or the only one that runs.
void TstCliForward::theOnlyTaskNeedsNoName()
{
    ProgramsFixture f;
    const QByteArray over = f.path(u"over"_s).toUtf8();
    const QString file = f.write(u"work/x.yaml"_s,
        EngineFixture::document("several",
            EngineFixture::role("main", 2,
                {"[ $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX = 1 ] && exec sleep 1000",
                    "until [ -e " + over + " ]; do sleep 0.02; done"})));
    QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
    const auto runs = [&f](const QString &task) {
        return f.ctl({u"exec"_s, u"1"_s, task, u"--"_s, u"true"_s}).status == 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(runs(u"main/0"_s) && runs(u"main/1"_s), 20000);
    const QStringList asked{u"exec"_s, u"1"_s, u"--"_s, u"printenv"_s, u"PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"_s};
    const auto both = f.ctl(asked);
    QCOMPARE(both.status, 2);
    QVERIFY2(both.err.contains("The job has 2 tasks. Give one of them: ROLE/INDEX."), both.err.constData());
    f.write(u"over"_s, {});
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl(asked).status == 0, 20000);
    QCOMPARE(f.ctl(asked).out, QByteArray("1\n"));
    // When none runs, it may be any of them.
    QCOMPARE(f.ctl({u"stop"_s, u"1"_s, u"--wait"_s}).status, 0);
    const auto none = f.ctl(asked);
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("The job has 2 tasks."), none.err.constData());
}

void TstCliForward::shellsOnAHost()
{
    const SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const auto run = f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"far"_s},
        EngineFixture::document(
            "shells", EngineFixture::role("main", 1, {"echo left > 'a b'", "until [ -e go ]; do sleep 0.02; done"})));
    QVERIFY2(run.status == 0, run.err.constData());
    const auto folder = [&] { return f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"pwd"_s}).out.trimmed(); };
    const QByteArray home = hosts.home(0).toUtf8();
    QTRY_VERIFY_WITH_TIMEOUT(folder().startsWith(QByteArray(home + '/')), 30000);
    const QByteArray there = folder();
    QCOMPARE(f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"cat"_s, u"a b"_s}).out, QByteArray("left\n"));
    QCOMPARE(f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"touch"_s, u"go"_s}).status, 0);
    QCOMPARE(f.ctl({u"wait"_s, u"1"_s}, {}, 40000).status, 0);
    QCOMPARE(folder(), there);
    QCOMPARE(f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"cat"_s, u"a b"_s}).out, QByteArray("left\n"));
    QCOMPARE(f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"sh"_s, u"-c"_s, u"exit 9"_s}).status, 9);
    {
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"ssh"_s, u"1"_s}, f.environment()));
        terminal.type("echo in-$(pwd | wc -c)-$(tty | cut -c1-8)\n");
        QTRY_VERIFY_WITH_TIMEOUT(
            terminal.written().contains(QByteArray("in-" + QByteArray::number(there.size() + 1) + "-/dev/pts")), 20000);
        terminal.type("exit 3\n");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 10000);
        QCOMPARE(terminal.process().exitCode(), 3);
    }
    QVERIFY(QDir(QString::fromUtf8(there)).removeRecursively()); // the host shares this machine's files
    const auto gone = f.ctl({u"ssh"_s, u"1"_s});
    QCOMPARE(gone.status, 4);
    QVERIFY2(gone.err.contains("in which the task ran, is no longer on far."), gone.err.constData());
}

// The configuration is made for logins by hand, start-up files greet people, and csh is the login shell of some.
void TstCliForward::hostsForPeople()
{
    const SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    QFile config(hosts.configFile());
    QVERIFY(config.open(QIODevice::Append)
        && config.write("Host *\n  RemoteCommand false\n  RequestTTY force\n  PermitLocalCommand yes\n"
                        "  LocalCommand echo Logged in.\n")
            > 0);
    SshSettings known;
    known.leaveOutUnknown();
    if (known.words() == SshSettings().words()) {
        QVERIFY(config.write("  SessionType none\n  StdinNull yes\n  ForkAfterAuthentication yes\n") > 0);
    }
    config.close();
    QFile greets(hosts.home(0) + u"/.bashrc"_s);
    QVERIFY(greets.open(QIODevice::WriteOnly) && greets.write("echo Welcome to the lab.\nprintf 'No end'\n") > 0);
    greets.close();
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const auto run = f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"far"_s, u"--wait"_s},
        EngineFixture::document("made", EngineFixture::role("main", 1, {"printf 'a\\nb\\n' > 'it'\"'\"'s \\x!'"})),
        60000);
    QVERIFY2(run.status == 0, run.err.constData());
    const auto said = f.ctl({u"ssh"_s, u"1"_s, u"--"_s, u"cat"_s, u"it's \\x!"_s, u"-"_s}, "of its input\n");
    QVERIFY2(said.status == 0 && said.out.endsWith("a\nb\nof its input\n") && !said.out.contains("Logged in."),
        QByteArray(said.out + said.err).constData());
    const auto copied = f.ctl({u"cp"_s, u"1:it's \\x!"_s, f.path(u"copied"_s)}, {}, 60000);
    QVERIFY2(copied.status == 0, copied.err.constData());
    QCOMPARE(EngineFixture::contents(f.path(u"copied"_s)), QByteArray("a\nb\n"));
}

// Over a slow line: an interrupt leaves nothing half, and a log that grows keeps nothing else from coming.
void TstCliForward::copiesOfARunningTask()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const auto run = f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"far"_s},
        EngineFixture::document("grows",
            EngineFixture::role("main", 1,
                {"mkdir out", "head -c 4000000 /dev/zero > out/log", "echo 1 > out/made",
                    "until false; do echo more >> out/log; sleep 0.05; done"})),
        60000);
    QVERIFY2(run.status == 0, run.err.constData());
    const QString here = f.path(u"copies"_s);
    QVERIFY(QDir().mkpath(here));
    QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"cp"_s, u"1:out/made"_s, here}, {}, 60000).status, 0, 30000);
    QVERIFY(hosts.setRate(0, u"8mbit"_s));
    const auto all = QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden;
    const auto cut = f.startCtl({u"cp"_s, u"1:out"_s, u"1:out/made"_s, here});
    QVERIFY(cut->waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(here).entryList({u".trainyard-cp-*"_s}, all).isEmpty(), 20000);
    QCOMPARE(::kill(pid_t(cut->processId()), SIGINT), 0);
    QVERIFY(cut->waitForFinished(20000));
    QCOMPARE(cut->exitCode(), 130);
    QCOMPARE(QDir(here).entryList(all), QStringList{u"made"_s});
    const auto grown = f.ctl({u"cp"_s, u"1:out"_s, here}, {}, 60000);
    QVERIFY2(grown.status == 1 && grown.err.contains("log: file changed"), grown.err.constData());
    QCOMPARE(EngineFixture::contents(here + u"/out/made"_s), QByteArray("1\n"));
    QVERIFY(QFileInfo(here + u"/out/log"_s).size() >= 4000000);
    QCOMPARE(QDir(here).entryList(all, QDir::Name), (QStringList{u"made"_s, u"out"_s}));
    QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
}

TRAINYARD_TEST(TstCliForward)
#include "tst_cliforward.moc"
