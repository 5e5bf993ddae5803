// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/codestore.h"
#include "engine/agent/filestore.h"
#include "engine/agent/leftparts.h"
#include "engine/agent/pump.h"
#include "engine/contract/codetree.h"
#include "engine/contract/leftout.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>

using namespace trainyard::contract;

// What the agent says of itself over the wire, and what it does there that is no task. Large because each of its
// messages that is about no task has a test here.
class TstAgent : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void version();
    void hello();
    void loginEnvironment();
    void slowLoginShell();
    void ports();
    void put();
    void makesCodeFolders();
    void clearsPartsThatWereLeft();
    void removesFolders();
    void keepsFoldersOfWhatRuns();
    void tellsWhatIsThere();
    void leavesCodeOfOtherEngines();
    void sweepsPartsOfCode();
    void garbageOnTheWire();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstAgent)

void TstAgent::version()
{
    for (const bool isSecond : {false, true}) {
        const QString path
            = builtProgram(isSecond ? QStringLiteral("trainyard-agent-static") : QStringLiteral("trainyard-agent"));
        if (isSecond && !QFile::exists(path)) {
            continue; // without sanitizers there is one, and it is the static one
        }
        QProcess process;
        process.start(path, {QStringLiteral("--version")});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        const QByteArray text = process.readAllStandardOutput();
        const QRegularExpression shape(QStringLiteral("^trainyard-agent [0-9.]+ contract 1 build [0-9a-f]{40}\n$"));
        QVERIFY2(shape.match(QString::fromLatin1(text)).hasMatch(), text.constData());
    }
}

void TstAgent::hello()
{
    QVERIFY(m_fixture.agent->start());
    const HelloReply &hello = m_fixture.agent->hello;
    QCOMPARE(hello.contract, 1);
    QCOMPARE(hello.bootId, currentBootId());
    QCOMPARE(hello.pid, m_fixture.agent->pid());
    QCOMPARE(hello.home, m_fixture.home->path().toStdString());
    QCOMPARE(hello.environmentFrom, std::string("agent"));
    QVERIFY(!hello.host.empty() && !hello.user.empty() && !hello.machineId.empty());
    QVERIFY(hello.diskFreeBytes > 0);
    QVERIFY(hello.ephemeralFirst > 1024);
    gid_t groups[1024];
    const int count = ::getgroups(1024, groups);
    for (int i = 0; i < count; ++i) {
        const bool isTold = std::count(hello.groups.begin(), hello.groups.end(), static_cast<int>(groups[i])) == 1;
        QCOMPARE(isTold, groups[i] != ::getgid());
    }
    QCOMPARE(hello.stateFolder, m_fixture.home->path().toStdString() + "/state/trainyard/" + hello.machineId);
    HelloRequest old;
    old.contract = 99;
    const auto refused = m_fixture.agent->ask<Failure>(old);
    QVERIFY(refused && refused->code == "agent.contract");
}

void TstAgent::loginEnvironment()
{
    QFile profile(m_fixture.home->filePath(QStringLiteral(".bash_profile")));
    QVERIFY(profile.open(QIODevice::WriteOnly));
    profile.write(
        "echo welcome; echo noise >&2\nexport FROM_PROFILE='a b\nc' HF_TOKEN=tok MY_SECRET=s DISPLAY=:9 PAI_X=1\n");
    profile.close();
    QVERIFY(m_fixture.agent->start(true));
    QCOMPARE(m_fixture.agent->hello.environmentFrom, std::string("login"));
    std::map<std::string, std::string> variables;
    for (const Variable &variable : m_fixture.agent->hello.environment) {
        variables[variable.name] = variable.value;
    }
    QCOMPARE(variables["FROM_PROFILE"], std::string("a b\nc"));
    for (const char *name : {"HF_TOKEN", "MY_SECRET", "DISPLAY", "PAI_X"}) {
        QVERIFY2(!variables.contains(name), name);
    }
    Launch launch = m_fixture.launchOf("login", "echo \"$FROM_PROFILE,${HF_TOKEN-none},${MY_SECRET-none}\"");
    launch.cleanEnvironment = false;
    launch.keepNames = {"HF_TOKEN"};
    QVERIFY(m_fixture.runToEnd(launch));
    QCOMPARE(outputOf(launch.dir), QByteArray("a b\nc,tok,none\n"));
    // The task's log names what it was not given, and what it has from elsewhere is none of that.
    const auto leftOut = [](const Launch &of) {
        const QByteArray said = fileText(of.dir, file::runtime);
        const QByteArray words(leftOutWords.data(), qsizetype(leftOutWords.size()));
        const qsizetype begin = said.indexOf(words);
        return begin < 0 ? QByteArray() : said.mid(begin + words.size()).split('.').constFirst();
    };
    QVERIFY2(leftOut(launch).contains("MY_SECRET"), fileText(launch.dir, file::runtime).constData());
    QVERIFY(!leftOut(launch).contains("HF_TOKEN") && !leftOut(launch).contains("DISPLAY"));
    Launch given = m_fixture.launchOf("given", "echo \"$MY_SECRET\"");
    given.cleanEnvironment = false;
    given.env.push_back({"MY_SECRET", "other"});
    QVERIFY(m_fixture.runToEnd(given));
    QCOMPARE(outputOf(given.dir), QByteArray("other\n"));
    QVERIFY2(leftOut(given).contains("HF_TOKEN"), fileText(given.dir, file::runtime).constData());
    QVERIFY(!leftOut(given).contains("MY_SECRET"));
    QVERIFY(!QByteArray(' ' + fileText(given.dir, file::runtime)).contains(" tok")); // no values
    const Launch clean = m_fixture.launchOf("without", "true");
    QVERIFY(m_fixture.runToEnd(clean));
    QCOMPARE(leftOut(clean), QByteArray());
}

void TstAgent::slowLoginShell()
{
    QFile shell(m_fixture.home->filePath(QStringLiteral("slowshell")));
    QVERIFY(shell.open(QIODevice::WriteOnly));
    shell.write("#!/bin/sh\nexec sleep " + m_fixture.nap + "\n");
    shell.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    shell.close();
    m_fixture.agent->environment.insert(QStringLiteral("SHELL"), shell.fileName());
    m_fixture.agent->environment.insert(QStringLiteral("OWN_MARK"), QStringLiteral("1"));
    QVERIFY(m_fixture.agent->start(true)); // 5 s
    QCOMPARE(m_fixture.agent->hello.environmentFrom, std::string("agent"));
    QCOMPARE(m_fixture.agent->hello.environmentError, std::string("env.login-timeout"));
    QTRY_VERIFY(processesWith(m_fixture.nap).isEmpty());
    // Its tasks say so, and no others.
    Launch launch = m_fixture.launchOf("without", "echo $OWN_MARK");
    launch.cleanEnvironment = false;
    QVERIFY(m_fixture.runToEnd(launch));
    QCOMPARE(outputOf(launch.dir), QByteArray("1\n"));
    QVERIFY2(fileText(launch.dir, file::runtime).contains("login shell took longer than 5 s"),
        fileText(launch.dir, file::runtime).constData());
    const Launch clean = m_fixture.launchOf("clean", "true");
    QVERIFY(m_fixture.runToEnd(clean));
    QVERIFY(!fileText(clean.dir, file::runtime).contains("login shell"));
}

void TstAgent::ports()
{
    QVERIFY(m_fixture.agent->start());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    Ports request;
    request.check = {server.serverPort()};
    request.draw = 20;
    request.first = 20000;
    request.last = 20100;
    request.exclude = {20000, 20001, 20002};
    const auto reply = m_fixture.agent->ask<PortsReply>(request);
    QVERIFY(reply);
    QVERIFY(reply->busy == request.check);
    QCOMPARE(reply->drawn.size(), std::size_t(20));
    for (const int port : reply->drawn) {
        QVERIFY(port >= 20003 && port <= 20100);
        QCOMPARE(std::count(reply->drawn.begin(), reply->drawn.end(), port), 1);
    }
    request.last = 20004;
    QVERIFY(m_fixture.agent->ask<PortsReply>(request)->drawn.size() <= 2);
    request.first = 15000;
    request.last = 0; // below the kernel's own range
    const auto low = m_fixture.agent->ask<PortsReply>(request);
    QVERIFY(low && low->drawn.size() == 20);
    for (const int port : low->drawn) {
        QVERIFY(port < m_fixture.agent->hello.ephemeralFirst);
    }
}

void TstAgent::put()
{
    QVERIFY(m_fixture.agent->start());
    const std::string path = m_fixture.home->filePath(QStringLiteral("a/b/program")).toStdString();
    std::string text(2500000, 'x');
    text[1234567] = 'y';
    std::int64_t last = 0;
    for (std::size_t at = 0; at < text.size(); at += 1000000) {
        const std::string piece = text.substr(at, 1000000);
        last = m_fixture.agent->send(Put{path, at, 0755, at + piece.size() == text.size()}, piece);
        QVERIFY(at > 0 || !QFile::exists(QString::fromStdString(path)));
    }
    QVERIFY(m_fixture.agent->answer<Done>(last));
    QVERIFY(readWhole(path, 1 << 24) == text);
    QVERIFY(QFileInfo(QString::fromStdString(path)).isExecutable());
    const auto refused = m_fixture.agent->ask<Failure>(Put{path + "/under/a/file", 0, 0600, true});
    QVERIFY(refused && refused->code == "put.failed" && refused->systemError == ENOTDIR);
    QVERIFY(m_fixture.agent->ask<Failure>(Put{"relative", 0, 0600, true}));
    // Nobody reads this pipe: the agent does not wait for it.
    const std::string part = path + "-pipe.part" + std::to_string(m_fixture.agent->hello.pid);
    QCOMPARE(::mkfifo(part.c_str(), 0600), 0);
    QVERIFY(m_fixture.agent->ask<Failure>(Put{path + "-pipe", 0, 0600, true}));
}

// A tree is put once, contents that are there are not asked for again, and a folder that is there stays as it is.
void TstAgent::makesCodeFolders()
{
    QVERIFY(m_fixture.agent->start());
    const std::string state = m_fixture.agent->hello.stateFolder;
    const std::string one(64, 'a'), two(64, 'b'), tree(64, 'c'), other(64, 'd');
    const std::string job = state + "/remote/daemon/job";
    const auto ask = [&](const std::string &name, const std::string &dir) {
        return m_fixture.agent->ask<CodeReply>(Code{name, dir});
    };
    const auto put = [&](const std::string &path, const std::string &bytes) {
        return m_fixture.agent->answer<Done>(m_fixture.agent->send(Put{path, 0, 0600, true, true}, bytes)).has_value();
    };
    const std::vector<CodeEntry> entries{{"a.py", one, 3, false, false, {}}, {"bin/run", two, 5, true, true, {}},
        {"copy.py", one, 3, false, false, {}}, {"latest", {}, 0, false, false, "bin/run"}};
    QVERIFY(ask({}, job + "/code")->state == "unknown");
    QVERIFY(ask(tree, job + "/code")->state == "unknown");
    QVERIFY(put(codeTreePath(state, tree), codeTreeText(entries)));
    auto reply = ask(tree, job + "/code");
    QVERIFY(reply->state == "missing" && reply->missing == (std::vector<int>{0, 1}));
    QVERIFY(put(codeContentPath(state, one), "one"));
    QVERIFY(put(codeContentPath(state, two), "cut")); // too short: it is not the content
    QVERIFY(ask(tree, job + "/code")->missing == std::vector<int>{1});
    QVERIFY(put(codeContentPath(state, two), "#!two"));
    QVERIFY(ask(tree, job + "/code")->state == "ready");
    QVERIFY(readWhole(job + "/code/a.py") == "one" && readWhole(job + "/code/copy.py") == "one");
    QVERIFY(readWhole(job + "/code/latest") == "#!two");
    const auto info = [&](const char *name) { return QFileInfo(QString::fromStdString(job + "/code/" + name)); };
    QVERIFY(!info("bin/run").permission(QFile::ReadOther) && info("a.py").permission(QFile::ReadOther));
    QVERIFY(info("bin/run").isExecutable() && !info("a.py").isExecutable() && info("latest").isSymLink());
    // What the job does there is the job's: neither the next try nor another job sees anything else.
    QVERIFY(writeAtomically(job + "/code/a.py", "changed", false) == 0);
    QVERIFY(ask(other, job + "/code")->state == "ready");
    QVERIFY(readWhole(job + "/code/a.py") == "changed");
    QVERIFY(ask(tree, state + "/remote/daemon/next/code")->state == "ready");
    QVERIFY(readWhole(state + "/remote/daemon/next/code/a.py") == "one");

    // The piece behind one that failed makes no file with a hole.
    const std::string holed(64, 'f');
    QVERIFY(m_fixture.agent->ask<Failure>(Put{codeContentPath(state, holed), 5, 0600, true, true}));
    QVERIFY(!readWhole(codeContentPath(state, holed)));

    QVERIFY(ask(tree, state + "/elsewhere")->state == "failed");
    QVERIFY(ask(tree, state + "/remote/../../x")->state == "failed");
    QVERIFY(put(codeTreePath(state, other), "nonsense"));
    QVERIFY(ask(other, state + "/remote/daemon/third/code")->state == "unknown"); // to be put again

    const auto seen = m_fixture.agent->ask<Seen>(Look{{job + "/code/a.py", "/nowhere", "relative"}});
    QVERIFY(seen && seen->inodes.size() == 3 && seen->inodes[0] > 0 && seen->changedNs[0] > 0);
    QVERIFY(seen->inodes[1] == 0 && seen->inodes[2] == 0);

    // Trees that are used stay with their contents; others go.
    const std::string unused(64, 'e');
    QVERIFY(put(codeContentPath(state, unused), "x"));
    using trainyard::agent::tidyCode;
    const std::int64_t now = trainyard::agent::utcMs();
    tidyCode(state, now, 30, true);
    QVERIFY(readWhole(codeContentPath(state, one)) && !readWhole(codeContentPath(state, unused)));
    constexpr std::int64_t dayMs = 24 * 3600 * 1000;
    tidyCode(state, now + 29 * dayMs, 30, true);
    QVERIFY(readWhole(codeTreePath(state, tree)));
    tidyCode(state, now + 31 * dayMs, 30, true);
    QVERIFY(!readWhole(codeTreePath(state, tree)) && !readWhole(codeContentPath(state, one)));
}

// What a process that was killed has left goes with the next request for code, and nothing else.
void TstAgent::clearsPartsThatWereLeft()
{
    QVERIFY(m_fixture.agent->start());
    const std::string job = m_fixture.agent->hello.stateFolder + "/remote/daemon/job/";
    QProcess gone;
    gone.start(QStringLiteral("true"));
    QVERIFY(gone.waitForStarted());
    const std::string dead = std::to_string(gone.processId());
    QVERIFY(gone.waitForFinished());
    const std::string left = "code-a.part" + dead, held = "code-b.part" + dead, linked = "code-c.part" + dead;
    const std::string alive = "code-d.part" + std::to_string(::getpid());
    const std::string others = "results.part" + dead, odd = "code-e.part" + dead + "x";
    for (const std::string &name : {left, held, alive, others, odd, std::string("code-f")}) {
        QCOMPARE(makeFolders(job + name + "/inner"), 0);
        QCOMPARE(writeAtomically(job + name + "/inner/file", "x", false), 0);
    }
    QCOMPARE(::symlink((job + "code-f").c_str(), (job + linked).c_str()), 0);
    const trainyard::agent::HeldPart part(job + held);
    QVERIFY(m_fixture.agent->ask<CodeReply>(Code{{}, job + "code-g"}));
    QTRY_VERIFY(!QFile::exists(QString::fromStdString(job + left)));
    trainyard::agent::removeLeftParts(m_fixture.agent->hello.stateFolder); // once more, to its end
    for (const std::string &name : {held, linked, alive, others, odd, std::string("code-f")}) {
        QVERIFY2(readWhole(job + name + "/inner/file"), name.c_str());
    }
}

// Folders of jobs by their engine, and copied code. A program that was not pushed is not among its things.
void TstAgent::tellsWhatIsThere()
{
    QVERIFY(m_fixture.agent->start());
    const std::string state = m_fixture.agent->hello.stateFolder;
    const auto put = [&](const std::string &path, const std::string &bytes) {
        return m_fixture.agent->answer<Done>(m_fixture.agent->send(Put{path, 0, 0600, true, true}, bytes)).has_value();
    };
    const auto look = [&](const std::string &engine, bool tidies, bool leaves) {
        return m_fixture.agent->ask<Belongings>(LookThrough{engine, tidies, leaves}).value_or(Belongings());
    };
    const std::string large(200000, 'x');
    QVERIFY(put(state + "/remote/here/job/0/output", large) && put(state + "/remote/here/job.gone/x", large));
    QVERIFY(put(state + "/remote/there/job/output", large));
    QVERIFY(put(codeContentPath(state, std::string(64, 'a')), large) && put(state + "/kept", "mine"));
    QVERIFY(::symlink((state + "/remote/there").c_str(), (state + "/remote/link").c_str()) == 0);

    const Belongings all = look("here", false, false);
    QCOMPARE(all.jobs.size(), std::size_t(2));
    QVERIFY(all.jobBytes.size() == 2 && all.jobBytes[0] >= 200000);
    QVERIFY(all.otherJobs == 1 && all.otherBytes >= 200000 && all.codeBytes >= 200000 && all.isWhole);
    QVERIFY(all.programFolder.empty() && all.programs == 0);
    QVERIFY(all.clusterFolder.empty() && all.clusterBytes == 0);

    // What nodes of a cluster share lies beside what belongs to this computer, and stays.
    const std::string clusters = state.substr(0, state.rfind('/')) + "/clusters";
    QVERIFY(put(clusters + "/here/data/file", large));
    const Belongings login = look("here", true, true);
    QVERIFY(login.clusterFolder == clusters && login.clusterBytes >= 200000);
    QVERIFY(readWhole(clusters + "/here/data/file"));

    const Belongings tidy = look("here", true, true);
    QVERIFY(tidy.jobs == std::vector<std::string>{"job"} && tidy.codeBytes == 0);
    QVERIFY(readWhole(state + "/remote/here/job/0/output") && readWhole(state + "/remote/there/job/output"));
    QVERIFY(readWhole(state + "/kept") == "mine");
    // A name that leads elsewhere is nobody's.
    QVERIFY(look("../../there", true, true).jobs.empty() && look({}, true, true).jobs.empty());
    QVERIFY(readWhole(state + "/remote/there/job/output") && readWhole(state + "/kept"));
}

// All engines of an account share the copied code: one that cleans up leaves what others have used.
void TstAgent::leavesCodeOfOtherEngines()
{
    QVERIFY(m_fixture.agent->start());
    const std::string state = m_fixture.agent->hello.stateFolder;
    const std::string a(64, 'a'), b(64, 'b'), c(64, 'c'), own(64, '1'), shared(64, '2');
    const auto put = [&](const std::string &path, const std::string &bytes) {
        return m_fixture.agent->answer<Done>(m_fixture.agent->send(Put{path, 0, 0600, true, true}, bytes)).has_value();
    };
    const auto use = [&](const std::string &tree, const std::string &engine) {
        const auto reply = m_fixture.agent->ask<CodeReply>(Code{tree, {}, engine});
        return reply ? reply->state : std::string();
    };
    const auto tidy = [&](const std::string &engine, bool leaves) {
        return m_fixture.agent->ask<Belongings>(LookThrough{engine, true, leaves}).value_or(Belongings());
    };
    const std::string large(100000, 'x');
    const std::size_t bytes = large.size();
    for (const std::string &content : {a, b, c}) {
        QVERIFY(put(codeContentPath(state, content), large));
    }
    const std::vector<CodeEntry> ofOwn{{"a", a, bytes, false, false, {}}, {"c", c, bytes, false, false, {}}};
    const std::vector<CodeEntry> ofBoth{{"a", a, bytes, false, false, {}}, {"b", b, bytes, false, false, {}}};
    QVERIFY(
        put(codeTreePath(state, own), codeTreeText(ofOwn)) && put(codeTreePath(state, shared), codeTreeText(ofBoth)));
    QVERIFY(use(own, "here") == "ready" && use(shared, "here") == "ready" && use(shared, "there") == "ready");
    QVERIFY(use(own, "../there") == "ready"); // which names no engine

    const Belongings first = tidy("here", true);
    QVERIFY(first.sharedCodeBytes >= 200000 && first.sharedCodeBytes <= first.codeBytes && first.sharedDataBytes == 0);
    QVERIFY(readWhole(codeContentPath(state, a)) && readWhole(codeContentPath(state, b)));
    QVERIFY(!readWhole(codeContentPath(state, c)) && !readWhole(codeTreePath(state, own)));
    QVERIFY(use(shared, {}) == "ready");
    const Belongings second = tidy("there", true); // "here" has cleaned up, and no longer needs it
    QVERIFY(second.codeBytes == 0 && second.sharedCodeBytes == 0 && !readWhole(codeContentPath(state, a)));
}

// Parts of code that nobody has gone on with for a day go, whatever lies under their names; until then they count, and
// stay for whoever sends them. An engine that cleans up takes its own.
void TstAgent::sweepsPartsOfCode()
{
    QVERIFY(m_fixture.agent->start());
    const std::string state = m_fixture.agent->hello.stateFolder, code = state + "/code", large(200000, 'x');
    const std::string used(64, 'a'), tree(64, '1'), name(64, 'b'), group = code + "/contents/" + name.substr(0, 2);
    const auto put = [&](const std::string &path, const std::string &bytes) {
        return m_fixture.agent->answer<Done>(m_fixture.agent->send(Put{path, 0, 0600, true, true}, bytes)).has_value();
    };
    const auto begin = [&](const std::string &writer) {
        StorePiece piece;
        piece.dir = code + "/contents";
        piece.path = name.substr(0, 2) + '/' + name;
        piece.size = 1000000;
        piece.content = name;
        piece.writer = writer;
        piece.step = "begin";
        const bool isBegun = trainyard::agent::storePiece(piece).systemError == 0;
        piece.step = "add";
        piece.bytes = large;
        return isBegun && trainyard::agent::storePiece(piece).systemError == 0;
    };
    const auto parts = [&](const std::string &folder) {
        return QDir(QString::fromStdString(folder))
            .entryList({QStringLiteral("*part*")}, QDir::AllEntries | QDir::Hidden | QDir::System);
    };
    QVERIFY(put(codeContentPath(state, used), large));
    QVERIFY(put(codeTreePath(state, tree), codeTreeText({{"a", used, large.size(), false, false, {}}})));
    const auto use = m_fixture.agent->ask<CodeReply>(Code{tree, {}, "there"});
    QVERIFY(use && use->state == "ready");
    QVERIFY(begin("here") && begin("there"));
    // The beginnings of a small file and of a tree, a folder, and a link, which never were parts of ours.
    const std::string small = codeContentPath(state, name) + ".part1", half = codeTreePath(state, name) + ".part1";
    QVERIFY(writeAtomically(small, "x", false) == 0 && writeAtomically(half, "x", false) == 0);
    QCOMPARE(makeFolders(group + "/.trainyard-x.part/inner"), 0);
    QCOMPARE(::symlink(codeTreePath(state, tree).c_str(), (group + "/.trainyard-y.part").c_str()), 0);
    QCOMPARE(parts(group).size(), 5);
    const std::int64_t now = trainyard::agent::utcMs();
    constexpr std::int64_t dayMs = 24 * 3600 * 1000;
    trainyard::agent::tidyCode(state, now, 30, true);
    QCOMPARE(parts(group).size(), 5);
    const auto counted = m_fixture.agent->ask<Belongings>(LookThrough{"here", false, false});
    QVERIFY(counted && counted->codeBytes >= 600000);

    const auto cleaned = m_fixture.agent->ask<Belongings>(LookThrough{"here", true, false});
    QVERIFY(cleaned && cleaned->codeBytes >= 400000 && cleaned->codeBytes < 600000);
    QCOMPARE(parts(group).size(), 4); // all but its own
    QVERIFY(readWhole(small) && readWhole(half)); // another engine may be sending them

    trainyard::agent::tidyCode(state, now + dayMs + 60000, 30, true);
    QVERIFY2(parts(group).isEmpty(), qPrintable(parts(group).join(QLatin1Char(' '))));
    QVERIFY(parts(code + "/trees").isEmpty());
    QVERIFY(readWhole(codeTreePath(state, tree)) && readWhole(codeContentPath(state, used)));
}

// Only what lies where jobs of other computers lie, and nothing that a link leads to.
void TstAgent::removesFolders()
{
    QVERIFY(m_fixture.agent->start());
    const auto hello = m_fixture.agent->ask<HelloReply>(HelloRequest{});
    QVERIFY(hello);
    const QString remote = QString::fromStdString(hello->stateFolder) + QStringLiteral("/remote");
    const QString job = remote + QStringLiteral("/daemon/job");
    const QString outside = remote + QStringLiteral("/../outside");
    for (const QString &folder : {QString(job + QStringLiteral("/0/w-0/0")), outside}) {
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + QStringLiteral("/output.log"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QVERIFY(QFile::link(outside, job + QStringLiteral("/0/link")));
    const auto remove = [&](const QString &dir) { return Remove{dir.toStdString()}; };
    for (const QString &wrong : {QStringLiteral("/tmp"), QString(), remote, QString(remote + QStringLiteral("/daemon")),
             QString(remote + QStringLiteral("/../outside/x/y")), QString(remote + QStringLiteral("/daemon/..")),
             QString(job + QStringLiteral("/0")), QString(job + QLatin1Char('/'))}) {
        const auto refused = m_fixture.agent->ask<Failure>(remove(wrong));
        QVERIFY2(refused && refused->code == "remove.failed" && refused->systemError == EPERM, qPrintable(wrong));
    }
    QVERIFY(QFile::exists(job));
    QVERIFY(m_fixture.agent->ask<Done>(remove(job)));
    QVERIFY(!QFile::exists(job));
    QTRY_COMPARE(QDir(remote + QStringLiteral("/daemon")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 0);
    QVERIFY(QFile::exists(outside + QStringLiteral("/output.log")));
    QVERIFY(m_fixture.agent->ask<Done>(remove(job))); // twice is once
}

// Its keeper reads there that it is to stop, and writes its end there.
void TstAgent::keepsFoldersOfWhatRuns()
{
    QVERIFY(m_fixture.agent->start());
    const auto hello = m_fixture.agent->ask<HelloReply>(HelloRequest{});
    QVERIFY(hello);
    const std::string job = hello->stateFolder + "/remote/daemon/job";
    Launch launch = m_fixture.launchOf("runs", "sleep NAP");
    launch.dir = job + "/0/main-0/0";
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const auto refused = m_fixture.agent->ask<Failure>(Remove{job});
    QVERIFY(refused && refused->code == "remove.failed" && refused->systemError == EBUSY);
    QVERIFY(m_fixture.stop(launch));
    QVERIFY(m_fixture.agent->exited(launch.dir));
    QVERIFY(m_fixture.agent->ask<Done>(Remove{job}));
    QVERIFY(!QFile::exists(QString::fromStdString(job)));
}

void TstAgent::garbageOnTheWire()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("alive", "echo up; sleep NAP");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    // A frame that is no message is answered; the connection goes on.
    m_fixture.agent->sendRaw(QByteArray::fromStdString(encodeFrame("{\"type\":\"dance\"}", "x").value()));
    const auto failure
        = m_fixture.agent->wait([](const Envelope &e) { return std::holds_alternative<Failure>(e.message); });
    QVERIFY(failure && std::get<Failure>(failure->message).code == "agent.not-understood");
    QVERIFY(m_fixture.agent->ask<PortsReply>(Ports{}));
    const auto malformed = m_fixture.agent->ask<Failure>(Launch{});
    QVERIFY(malformed && malformed->code == "launch.malformed");
    // Lengths beyond the limits end the agent, never a task.
    m_fixture.agent->sendRaw(QByteArray(100, '\xff'));
    m_fixture.agent->wait([](const Envelope &) { return false; }, 5000);
    QVERIFY(!m_fixture.agent->isRunning());
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "running");
    Stop stop;
    stop.dir = launch.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

#include "tst_agent.moc"
