// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
using namespace trainyard::contract;

// What a keeper does for its try: output, records, the end of everything the task started, and bad places.
class TstKeeper : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void outputAndRecords();
    void staticAgent();
    void aShortTaskHasItsOwnPeak();
    void exits_data();
    void exits();
    void environmentOfATask();
    void sealedScript();
    void memoryOfAllProcesses();
    void lateWordsAreKept();
    void taskReadsItsOwnOutput();
    void strangerWritesOn();
    void maskedOutput();
    void muchOutput();
    void outputLimit();
    void fullDisk();
    void endedOnAFullDisk();
    void stoppedOnAFullDisk();
    void sshKeyIsRemoved();
    void memoryIsPrivate();
    void memoryLimit();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstKeeper)

void TstKeeper::outputAndRecords()
{
    QVERIFY(m_fixture.agent->start());
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    const Launch launch
        = m_fixture.launchOf("one", "echo out; sleep 0.2; echo err >&2; sleep 0.2; printf 'no newline'");
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched);
    QCOMPARE(launched->state, std::string("launched"));
    QVERIFY(launched->started && launched->started->tryUuid == launch.plan.tryUuid);
    QVERIFY(launched->started->process.bootId == currentBootId());
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(exited->exit.kind == ExitKind::Exited);
    QCOMPARE(exited->exit.value, 0);
    QCOMPARE(exited->exit.bytes, std::uint64_t(18));
    QVERIFY(!exited->stop);
    QVERIFY(exited->exit.isOwn);
    QVERIFY(exited->exit.began >= before - 1000 && exited->exit.ended - exited->exit.began >= 400);
    QVERIFY(exited->exit.maxRssKiB > 100);
    QCOMPARE(outputOf(launch.dir), QByteArray("out\nerr\nno newline"));

    const std::vector<IndexRecord> records = indexOf(launch.dir);
    QCOMPARE(records.size(), std::size_t(3));
    QVERIFY(records[0].stream == Stream::Out && records[1].stream == Stream::Err && records[2].stream == Stream::Out);
    QCOMPARE(int(records[0].flags), int(indexflag::beginsLine | indexflag::endsLine));
    QCOMPARE(int(records[2].flags), int(indexflag::beginsLine));
    QVERIFY(records[1].timeNs - records[0].timeNs > 150000000);
    QVERIFY(qAbs(records[0].timeNs / 1000000 - exited->exit.began) < 2000);
    QVERIFY(indexIsWhole(launch.dir, 18));

    QVERIFY(readExitRecord(launch.dir) == exited->exit);
    QVERIFY(readStartedRecord(launch.dir) == launched->started);
    const auto plan = parsePlan(fileText(launch.dir, file::plan).toStdString());
    QVERIFY(plan && plan->tryUuid == launch.plan.tryUuid && plan->argv.size() == 2);
    QCOMPARE(fileText(launch.dir, file::script).toStdString(), launch.script);
    for (const char *name : {file::plan, file::script, file::output, file::exit, file::started}) {
        struct stat info;
        QCOMPARE(::stat((launch.dir + '/' + name).c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 0777), 0600);
    }
    QVERIFY(!QFile::exists(QString::fromStdString(launch.dir + '/' + file::tail)));
    // The lock is free again.
    const int lock = ::open((launch.dir + '/' + file::lock).c_str(), O_RDWR | O_CLOEXEC);
    QVERIFY(lock >= 0);
    QTRY_COMPARE(::flock(lock, LOCK_EX | LOCK_NB), 0); // the keeper writes its record, then ends
    ::close(lock);
}

void TstKeeper::staticAgent()
{
    // With sanitizers the other tests run a dynamic agent; this is the one that users get.
    m_fixture.agent->program = QStringLiteral("trainyard-agent-static");
    if (!QFile::exists(builtProgram(m_fixture.agent->program))) {
        m_fixture.agent->program = QStringLiteral("trainyard-agent");
    }
    QVERIFY(m_fixture.agent->start(true));
    Launch launch = m_fixture.launchOf("static", "setsid sleep NAP & echo $((6 * 7)); echo err >&2; exit 3");
    launch.sealed = true;
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 3);
    QCOMPARE(outputOf(launch.dir).size(), qsizetype(7));
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
}

// A process counts as having had what its parent had when it was made.
void TstKeeper::aShortTaskHasItsOwnPeak()
{
    m_fixture.agent->program = QStringLiteral("trainyard-agent-static"); // sanitizers need much memory
    if (!QFile::exists(builtProgram(m_fixture.agent->program))) {
        m_fixture.agent->program = QStringLiteral("trainyard-agent");
    }
    QVERIFY(m_fixture.agent->start());
    const auto first = m_fixture.runToEnd(m_fixture.launchOf("first", "true"));
    QVERIFY(first);
    std::vector<Launch> all;
    const std::string large = "true\n# " + std::string(900 << 10, 'x');
    for (int i = 0; i < 40; ++i) {
        all.push_back(m_fixture.launchOf(("large" + std::to_string(i)).c_str(), large));
        m_fixture.agent->send(all.back());
    }
    for (const Launch &each : all) {
        QVERIFY(m_fixture.agent->exited(each.dir, 60'000));
    }
    const auto last = m_fixture.runToEnd(m_fixture.launchOf("last", "true"), 30'000);
    QVERIFY(last);
    constexpr std::int64_t slackKiB = 1000;
    QVERIFY2(last->exit.maxRssKiB < first->exit.maxRssKiB + slackKiB,
        qPrintable(QString::number(first->exit.maxRssKiB) + u' ' + QString::number(last->exit.maxRssKiB)));
}

void TstKeeper::exits_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("value");
    QTest::newRow("zero") << QByteArray("true") << int(ExitKind::Exited) << 0;
    QTest::newRow("seven") << QByteArray("exit 7") << int(ExitKind::Exited) << 7;
    QTest::newRow("255") << QByteArray("exit 255") << int(ExitKind::Exited) << 255;
    QTest::newRow("segv") << QByteArray("kill -SEGV $$") << int(ExitKind::Signaled) << SIGSEGV;
    QTest::newRow("own term") << QByteArray("kill -TERM $$") << int(ExitKind::Signaled) << SIGTERM;
    QTest::newRow("child killed") << QByteArray("bash -c 'kill -9 $$'; exit $?") << int(ExitKind::Exited) << 137;
    QTest::newRow("not found") << QByteArray("no-such-program-here") << int(ExitKind::Exited) << 127;
}

void TstKeeper::exits()
{
    QFETCH(QByteArray, script);
    QVERIFY(m_fixture.agent->start());
    const auto exited = m_fixture.runToEnd(m_fixture.launchOf("exits", script.toStdString()));
    QVERIFY(exited);
    QTEST(int(exited->exit.kind), "kind");
    QTEST(exited->exit.value, "value");
}

void TstKeeper::environmentOfATask()
{
    m_fixture.agent->environment.insert(QStringLiteral("SHOULD_NOT_COME"), QStringLiteral("1"));
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("env",
        "echo \"$A|$B|${SHOULD_NOT_COME-}|$TRAINYARD_TRY|$PWD\"; ulimit -n; trap -p; cat; ls /proc/self/fd | wc -l; "
        "cat /proc/self/oom_score_adj");
    launch.env = {{"A", "1"}, {"B", "x y"}, {"A", "2"}};
    launch.plan.limits.rlimits = {{"nofile", 333}};
    QVERIFY(m_fixture.runToEnd(launch));
    const QList<QByteArray> lines = outputOf(launch.dir).split('\n');
    QCOMPARE(lines.size(), 5);
    QCOMPARE(lines[0].toStdString(), "2|x y||" + launch.plan.tryUuid + '|' + launch.dir + '/' + file::work);
    QCOMPARE(lines[1], QByteArray("333"));
    QCOMPARE(lines[2], QByteArray("4")); // 0, 1, 2 and the one that ls opens: nothing of the keeper's
    QVERIFY(lines[3].toInt() >= 500);
}

void TstKeeper::sealedScript()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("sealed",
        "echo \"key is ${#KEY} long\"; KEY=top-secret-value; echo ${#KEY}; ls -l /proc/self/fd; "
        "readlink \"$0\"; tr '\\0' ' ' < /proc/$$/cmdline");
    launch.sealed = true;
    launch.maskedScript = "KEY=******\n";
    launch.env = {{"KEY", "1234"}};
    QVERIFY(m_fixture.runToEnd(launch));
    const QByteArray output = outputOf(launch.dir);
    QVERIFY(output.startsWith("key is 4 long\n16\n"));
    const QByteArray link = QByteArray::fromStdString(launch.dir) + "/sealed/task.sh";
    QVERIFY2(output.endsWith(QByteArray("bash " + link + ' ')), output.constData());
    QVERIFY2(output.contains("\n/dev/fd/9\n"), output.constData()); // where it leads: it has no text of its own
    QVERIFY(QFile::symLinkTarget(QString::fromUtf8(link)).isEmpty()); // and is gone by now
    QVERIFY(!output.contains("memfd")); // children do not get the script
    QCOMPARE(fileText(launch.dir, file::script), QByteArray("KEY=******\n"));
    const QStringList names = QDir(QString::fromStdString(launch.dir)).entryList(QDir::Files);
    for (const QString &name : names) {
        QVERIFY2(!fileText(launch.dir, name.toLatin1().constData()).contains("top-secret"), qPrintable(name));
    }
}

void TstKeeper::memoryOfAllProcesses()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("several",
        "for i in 1 2 3; do (head -c 60000000 /dev/zero; until [ -e go ]; do sleep 0.1; done) | "
        "tail -c 60000000 > /dev/null & done; wait");
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    KeeperLooks looks(launched->started->keeperPid, QByteArray::fromStdString(launch.plan.tryUuid));
    constexpr qint64 each = 60000000 / 1024;
    QTRY_VERIFY_WITH_TIMEOUT(looks.hasSeen(3, each), 60000);
    QVERIFY(makeWorkFile(launch, "go"));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited);
    // What the three hold is theirs alone; the shells beside them take a little. Less than a fourth one would.
    QVERIFY2(exited->exit.maxRssKiB >= 3 * each, exited->exit.format().c_str());
    QVERIFY2(exited->exit.maxRssKiB < 4 * each, exited->exit.format().c_str());
}

void TstKeeper::lateWordsAreKept()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("late", "exec > >(sleep 0.1; sed 's/^/tee: /') 2>&1\necho last words");
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited);
    QCOMPARE(outputOf(launch.dir), QByteArray("tee: last words\n"));
    QVERIFY(!fileText(launch.dir, file::runtime).contains("left behind"));
}

// Who reads its own output takes bytes away, so that there may be none when the keeper gets to them. It must not wait
// for more then: a stop has to reach the task all the same.
void TstKeeper::taskReadsItsOwnOutput()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("reads",
        "cat /proc/$$/fd/1 > /dev/null &\nfor ((i = 0; i < 3000; ++i)); do echo $i; done\ntouch done\nsleep NAP");
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(workFile(launch, "done"))), 30000);
    const QDir open(QStringLiteral("/proc/%1/fd").arg(launched->started->keeperPid));
    const QString pipe = QFile::symLinkTarget(QStringLiteral("/proc/%1/fd/1").arg(launched->started->process.pid));
    int ends = 0;
    const QStringList names = open.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        if (QFile::symLinkTarget(open.filePath(name)).section(QLatin1Char('/'), -1)
            != pipe.section(QLatin1Char('/'), -1)) {
            continue;
        }
        const QByteArray info = fileText(open.path().toStdString() + "info", name.toLatin1().constData());
        const int flags = info.mid(info.indexOf("flags:") + 6).trimmed().split('\n').first().toInt(nullptr, 8);
        QVERIFY2((flags & O_NONBLOCK) != 0, info.constData());
        ++ends;
    }
    QCOMPARE(ends, 1);
    Stop stop;
    stop.dir = launch.dir;
    stop.graceMs = 60000;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && !exited->exit.isOwn);
}

// Somebody who is no part of the task has its output open, and never ends.
void TstKeeper::strangerWritesOn()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("stranger", "echo begin\nwhile [ ! -e go ]; do sleep 0.02; done\necho end\nexit 4");
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    QTRY_VERIFY(outputOf(launch.dir).contains("begin\n")); // before that its output may be another's
    QProcess stranger; // several: the pipe is never empty for a moment. They end some time: the disk is not theirs
    stranger.start(QStringLiteral("bash"),
        {QStringLiteral("-c"),
            QStringLiteral("exec > /proc/%1/fd/1; for i in 1 2 3 4; do yes stranger | head -c 60000000 & done; read; "
                           "kill $(jobs -p)")
                .arg(launched->started->process.pid)});
    QVERIFY(stranger.waitForStarted());
    const auto endStranger = qScopeGuard([&stranger] { // and those that it started
        stranger.closeWriteChannel();
        stranger.waitForFinished();
    });
    QTRY_VERIFY(outputOf(launch.dir).contains("stranger\n"));
    QVERIFY(makeWorkFile(launch, "go"));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited);
    QCOMPARE(exited->exit.value, 4);
    QVERIFY(outputOf(launch.dir).contains("end\n"));
}

void TstKeeper::maskedOutput()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf(
        "masked", "printf 'a hunt'; sleep 0.15; printf 'er22 b\\n'; echo hunter22 >&2; printf 'hunt'");
    launch.maskValues = {"hunter22"};
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited);
    QCOMPARE(exited->exit.masked, std::uint64_t(2));
    const QByteArray output = outputOf(launch.dir);
    QVERIFY(!output.contains("hunter22"));
    QCOMPARE(output, QByteArray("a ****** b\n******\nhunt"));
    QVERIFY(indexIsWhole(launch.dir, quint64(output.size())));
}

void TstKeeper::muchOutput()
{
    QVERIFY(m_fixture.agent->start());
    const int lines = 6000000; // 64 MB
    const Launch launch
        = m_fixture.launchOf("much", "seq 1000000000 " + std::to_string(1000000000 + lines - 1) + "; echo end >&2");
    const auto exited = m_fixture.runToEnd(launch, 30000);
    QVERIFY(exited);
    QCOMPARE(exited->exit.bytes, std::uint64_t(lines) * 11 + 4);
    QFile log(QString::fromStdString(launch.dir + '/' + file::output));
    QVERIFY(log.open(QIODevice::ReadOnly));
    // Lines of 11 bytes; the one of the other stream may stand anywhere between two of them.
    qint64 expected = 1000000000;
    bool sawEnd = false;
    QByteArray text;
    while (!log.atEnd() || !text.isEmpty()) {
        text += log.read(1 << 20);
        qsizetype at = 0;
        for (; at + 11 <= text.size() || (log.atEnd() && at < text.size());) {
            const bool isEnd = std::memcmp(text.constData() + at, "end\n", 4) == 0;
            QVERIFY(isEnd || std::strtoll(text.constData() + at, nullptr, 10) == expected);
            QVERIFY(isEnd || text.at(at + 10) == '\n');
            sawEnd = sawEnd || isEnd;
            expected += isEnd ? 0 : 1;
            at += isEnd ? 4 : 11;
        }
        text.remove(0, at);
    }
    QVERIFY(sawEnd);
    QCOMPARE(expected, qint64(1000000000) + lines);
    QVERIFY(indexIsWhole(launch.dir, exited->exit.bytes));
}

void TstKeeper::outputLimit()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("limited", "seq 1 100000");
    launch.plan.limits.outputBytes = 100000;
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited);
    QCOMPARE(exited->exit.bytes, std::uint64_t(588895));
    const QByteArray kept = outputOf(launch.dir);
    QCOMPARE(kept.size(), qsizetype(100000));
    const QByteArray tail = fileText(launch.dir, file::tail);
    const auto header = decodeTailHeader(std::string_view(tail.constData(), std::size_t(tail.size())));
    QVERIFY(header);
    QCOMPARE(header->begin, std::uint64_t(100000));
    QCOMPARE(header->total, std::uint64_t(488895));
    QByteArray expected;
    for (int i = 1; i <= 100000; ++i) {
        expected += QByteArray::number(i) + '\n';
    }
    QVERIFY(kept + tail.mid(tailHeaderSize, 488895) == expected);
    bool cut = false;
    for (const IndexRecord &record : indexOf(launch.dir)) {
        QCOMPARE((record.flags & indexflag::cut) != 0, record.offset >= 100000);
        cut = cut || (record.flags & indexflag::cut);
    }
    QVERIFY(cut);
    QVERIFY(indexIsWhole(launch.dir, 588895));
}

void TstKeeper::fullDisk()
{
    const std::string disk = m_fixture.home->filePath(QStringLiteral("disk")).toStdString();
    QCOMPARE(makeFolders(disk), 0);
    SKIP_UNLESS_MOUNTED(::mount("none", disk.c_str(), "tmpfs", 0, "size=2m"));
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    Launch launch = m_fixture.launchOf("x", "seq 1 500000; echo the end");
    launch.dir = disk + "/try";
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const auto full = m_fixture.agent->wait([&](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && !sample->tries.empty() && sample->tries[0].diskFull;
    });
    const bool waits = full && !readExitRecord(launch.dir);
    // Meanwhile it sleeps: a second of ten looks at the host. One that does not sleep takes all of it.
    const auto keeper = readKeeperRecord(launch.dir);
    const qint64 before = keeper ? processorMs(keeper->process.pid) : -1;
    const bool looked = m_fixture.waitForSamples(10);
    const qint64 spent = keeper ? processorMs(keeper->process.pid) - before : -1;
    // Room is made: it goes on, and nothing is missing.
    ::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=32m");
    const auto exited = m_fixture.agent->exited(launch.dir);
    const QByteArray output = outputOf(launch.dir);
    const QByteArray said = fileText(launch.dir, file::runtime);
    const quint64 size = quint64(output.size());
    const bool whole = exited && indexIsWhole(launch.dir, size);
    // A try that cannot even begin says so.
    ::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=4m");
    QFile filler(QString::fromStdString(disk + "/filler"));
    if (filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
        while (filler.write(QByteArray(4096, 'x')) == 4096) { }
    }
    Launch second = m_fixture.launchOf("y", "true");
    second.dir = disk + "/second";
    const auto refused = m_fixture.agent->ask<Launched>(second);
    m_fixture.agent.reset();
    QCOMPARE(::umount2(disk.c_str(), MNT_DETACH), 0);

    QVERIFY(waits);
    QVERIFY(keeper && before >= 0 && looked);
    QVERIFY2(spent < 100, qPrintable(QString::number(spent)));
    QVERIFY(exited);
    QCOMPARE(exited->exit.value, 0);
    QByteArray expected;
    for (int i = 1; i <= 500000; ++i) {
        expected += QByteArray::number(i) + '\n';
    }
    expected += "the end\n";
    QVERIFY(output == expected);
    QVERIFY(whole);
    QVERIFY(refused && refused->exit && refused->exit->kind == ExitKind::StartFailed);
    QVERIFY2(refused->exit->reason.starts_with("launch.disk-full"), refused->exit->reason.c_str());
}

// Also one whose processes have all ended waits for room without taking the processor meanwhile.
void TstKeeper::endedOnAFullDisk()
{
    const std::string disk = m_fixture.home->filePath(QStringLiteral("filled")).toStdString();
    QCOMPARE(makeFolders(disk), 0);
    SKIP_UNLESS_MOUNTED(::mount("none", disk.c_str(), "tmpfs", 0, "size=2m"));
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    Launch launch = m_fixture.launchOf("x", "cat /dev/zero > '" + disk + "/filler' 2> /dev/null || seq 1 10000");
    launch.dir = disk + "/try";
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const auto full = m_fixture.agent->wait([&](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && !sample->tries.empty() && sample->tries[0].diskFull;
    });
    const auto keeper = readKeeperRecord(launch.dir);
    const qint64 before = keeper ? processorMs(keeper->process.pid) : -1;
    const bool looked = m_fixture.waitForSamples(15);
    const qint64 spent = keeper ? processorMs(keeper->process.pid) - before : -1;
    const bool waits = full && !readExitRecord(launch.dir);
    QFile::remove(QString::fromStdString(disk + "/filler"));
    const auto exited = m_fixture.agent->exited(launch.dir);
    const QByteArray output = outputOf(launch.dir);
    m_fixture.agent.reset();
    QCOMPARE(::umount2(disk.c_str(), MNT_DETACH), 0);

    QVERIFY(waits);
    QVERIFY(before >= 0 && looked);
    QVERIFY2(spent < 100, qPrintable(QString::number(spent)));
    QVERIFY(exited);
    QCOMPARE(exited->exit.value, 0);
    QCOMPARE(output.size(), qsizetype(48894));
    QVERIFY(output.endsWith("\n10000\n"));
}

// Who asked for the end has it, also when it is the task's own output that fills the disk.
void TstKeeper::stoppedOnAFullDisk()
{
    const std::string disk = m_fixture.home->filePath(QStringLiteral("stopped")).toStdString();
    QCOMPARE(makeFolders(disk), 0);
    SKIP_UNLESS_MOUNTED(::mount("none", disk.c_str(), "tmpfs", 0, "size=2m,nr_inodes=40"));
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    Launch launch = m_fixture.launchOf("x", "trap '' TERM; while :; do head -c 65536 /dev/zero; done");
    launch.dir = disk + "/try";
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const auto full = m_fixture.agent->wait([&](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && !sample->tries.empty() && sample->tries[0].diskFull;
    });
    // Neither a byte nor a name is left.
    QFile filler(QString::fromStdString(disk + "/filler"));
    if (filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
        while (filler.write(QByteArray(512, 'x')) == 512) { }
    }
    for (int i = 0; i < 100; ++i) {
        QFile name(QString::fromStdString(disk + "/name") + QString::number(i));
        static_cast<void>(name.open(QIODevice::WriteOnly));
    }
    const auto observed = m_fixture.stop(launch, 100);
    const auto exited = m_fixture.agent->exited(launch.dir, 20000);
    const auto written = readExitRecord(launch.dir);
    const auto stop = readStopRecord(launch.dir);
    const qint64 size = QFile(QString::fromStdString(launch.dir + "/output.log")).size();
    m_fixture.agent.reset();
    QCOMPARE(::umount2(disk.c_str(), MNT_DETACH), 0);

    QVERIFY(full && observed);
    QVERIFY(exited);
    QVERIFY(exited->exit.kind == ExitKind::Signaled && exited->exit.value == SIGKILL);
    QVERIFY(exited->exit.lost > 0);
    QCOMPARE(qint64(exited->exit.bytes), size);
    QVERIFY(written == exited->exit);
    QVERIFY(stop && stop->graceMs == 100);
}

// The plugin ssh gives each task the job's private key in a file.
void TstKeeper::sshKeyIsRemoved()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("key", "mkdir ../ssh; echo secret > ../ssh/key; echo kept > ../ssh/config; exit 3");
    QVERIFY(m_fixture.runToEnd(launch));
    QVERIFY(fileText(launch.dir, "ssh/key").isEmpty());
    QVERIFY(!QFile::exists(QString::fromStdString(launch.dir + "/ssh/key")));
    QCOMPARE(fileText(launch.dir, "ssh/config"), QByteArray("kept\n"));
    // A link is not followed.
    const Launch linked = m_fixture.launchOf("linked", "mkdir dear; echo 1 > dear/key; ln -s work/dear ../ssh");
    QVERIFY(m_fixture.runToEnd(linked));
    QCOMPARE(fileText(linked.dir, "work/dear/key"), QByteArray("1\n"));
}

// No other process of the user can look into an agent or a keeper, nor does a handler of crashes get a core. The tasks
// are as they would be without.
void TstKeeper::memoryIsPrivate()
{
    if (::getuid() != 0) {
        QSKIP("Only root can become somebody else: run it as root.");
    }
    constexpr uid_t other = 65534;
    QVERIFY(QFile::setPermissions(m_fixture.home->path(), QFile::Permissions(0x7777)));
    // The built program may lie where only root may go.
    const QString program = m_fixture.home->filePath(QStringLiteral("agent"));
    QVERIFY(QFile::copy(builtProgram(QStringLiteral("trainyard-agent")), program));
    m_fixture.agent->program = program;
    m_fixture.agent->inChild = [] {
        if (::setgid(other) != 0 || ::setuid(other) != 0) {
            ::_exit(1);
        }
    };
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("private", "echo $$ $(cat /proc/self/oom_score_adj); read < fifo");
    const std::string work = launch.dir + "/work";
    QCOMPARE(makeFolders(work), 0);
    const std::string fifo = work + "/fifo";
    QCOMPARE(::mkfifo(fifo.c_str(), 0666), 0);
    for (const std::string &path : {m_fixture.home->path().toStdString() + "/runs", launch.dir, work, fifo}) {
        QCOMPARE(::chown(path.c_str(), other, other), 0);
    }
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched);
    QVERIFY2(launched->started, launched->exit ? launched->exit->reason.c_str() : "");
    const auto ownerOf = [](qint64 pid) {
        struct stat info {
        };
        return ::stat(("/proc/" + std::to_string(pid) + "/environ").c_str(), &info) == 0 ? int(info.st_uid) : -1;
    };
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    QCOMPARE(ownerOf(m_fixture.agent->pid()), 0);
    QCOMPARE(ownerOf(keeper->process.pid), 0);
    // The task is the keeper's copy until it has become its shell.
    QTRY_VERIFY(outputOf(launch.dir).endsWith('\n'));
    QCOMPARE(ownerOf(launched->started->process.pid), int(other));
    QVERIFY2(outputOf(launch.dir).trimmed().split(' ').last().toInt() >= 500, outputOf(launch.dir).constData());
    QVERIFY(m_fixture.stop(launch, 100));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

void TstKeeper::memoryLimit()
{
    QVERIFY(m_fixture.agent->start());
    // Somebody else's lack of memory is not why this one is killed.
    const std::string go = m_fixture.home->path().toStdString() + "/go";
    QCOMPARE(::mkfifo(go.c_str(), 0666), 0);
    const Launch beside = m_fixture.launchOf("beside", "echo there; read -r < " + go + "; kill -9 $$");
    QVERIFY(m_fixture.runUntil(beside, "there\n"));
    Launch launch = m_fixture.launchOf("memory", "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}");
    launch.plan.limits.memoryBytes = 64 << 20;
    const std::int64_t id = m_fixture.agent->send(launch);
    const auto launched = m_fixture.agent->answer<Launched>(id);
    QVERIFY(launched && launched->started);
    const auto exited = m_fixture.agent->exited(launch.dir, 20000);
    QVERIFY(exited);
    SKIP_WITHOUT_MEMORY_GROUP(!launched->started->cgroup.empty());
    QVERIFY(exited->exit.kind == ExitKind::Oom);
    QCOMPARE(exited->exit.reason, std::string("oom.limit"));
    QCOMPARE(exited->exit.shellStatus(), 137);
    {
        std::ofstream(go) << '\n';
        const auto killed = m_fixture.agent->exited(beside.dir, 20000);
        QVERIFY(killed && killed->exit.kind == ExitKind::Signaled);
        QCOMPARE(killed->exit.value, SIGKILL);
    }
    // A shell that outlives its child ends with a status of its own.
    Launch outlived
        = m_fixture.launchOf("outlived", "head -c 300000000 /dev/zero | tail -c 299999999 > /dev/null || true; exit 5");
    outlived.plan.limits.memoryBytes = 64 << 20;
    QVERIFY(m_fixture.agent->ask<Launched>(outlived));
    const auto after = m_fixture.agent->exited(outlived.dir, 20000);
    QVERIFY(after && after->exit.kind == ExitKind::Oom);
    QCOMPARE(after->exit.shellStatus(), 5);
    QVERIFY(!QFile::exists(QString::fromStdString(launched->started->cgroup)));
}

#include "tst_keeper.moc"
