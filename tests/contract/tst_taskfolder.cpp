// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/hierarchy.h"
#include "engine/contract/messages.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <chrono>
#include <future>

using namespace trainyard::contract;

class TstTaskFolder : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void recordsComeBack();
    void tornRecordIsNone();
    void strangeRecords();
    void statusOfExits_data();
    void statusOfExits();
    void indexRecord();
    void tailHeader();
    void atomicWrite();
    void pipesAreNotWaitedFor();
    void folders();
    void topOfHierarchy();
    void lackOfRoom();
    void plan();
};
TRAINYARD_TEST(TstTaskFolder)

static ExitRecord someExit()
{
    ExitRecord record;
    record.kind = ExitKind::StartFailed;
    record.value = 2;
    record.began = 1700000000123;
    record.ended = 1700000000456;
    record.maxRssKiB = 123456;
    record.userMs = 7;
    record.systemMs = 8;
    record.bytes = 1ull << 40;
    record.masked = 3;
    record.isOwn = true;
    record.reason = "launch.cwd-missing /home/a b";
    return record;
}

void TstTaskFolder::recordsComeBack()
{
    const ProcessIdentity process{"0f1e2d3c", 4711, 99887766};
    const KeeperRecord keeper{"node-1", process, "uuid-1", 5};
    QVERIFY(KeeperRecord::parse(keeper.format()) == keeper);
    const StartedRecord started{"node-1", process, 4710, "uuid-1", "/sys/fs/cgroup/x", 6};
    QVERIFY(StartedRecord::parse(started.format()) == started);
    StartedRecord ofStep = started;
    ofStep.gpus = {2, 7};
    QVERIFY(StartedRecord::parse(ofStep.format()) == ofStep);
    const StopRecord stop{10, 1234, true, 7};
    QVERIFY(StopRecord::parse(stop.format()) == stop);
    QVERIFY(ExitRecord::parse(someExit().format()) == someExit());
    QVERIFY(QByteArray::fromStdString(someExit().format()).startsWith("kind start-failed\nvalue 2\n"));
    QVERIFY(QByteArray::fromStdString(someExit().format()).endsWith("\nend\n"));
}

void TstTaskFolder::tornRecordIsNone()
{
    const std::string text = someExit().format();
    for (std::size_t size = 0; size < text.size(); ++size) {
        QVERIFY2(!ExitRecord::parse(std::string_view(text).substr(0, size)), qPrintable(QString::number(size)));
    }
}

void TstTaskFolder::strangeRecords()
{
    // A later contract may add keys and kinds; what is not known is never a success.
    const auto later = ExitRecord::parse("kind vanished\nvalue 0\nnew thing\nend\n");
    QVERIFY(later && later->kind == ExitKind::Lost);
    QVERIFY(!ExitRecord::parse("value 0\nend\n"));
    QVERIFY(!ExitRecord::parse("end\n"));
    QVERIFY(!ExitRecord::parse(""));
    // A newline inside a value cannot forge a line.
    ExitRecord forged = someExit();
    forged.kind = ExitKind::Signaled;
    forged.reason = "x\nkind exited\nend";
    const auto read = ExitRecord::parse(forged.format());
    QVERIFY(read && read->kind == ExitKind::Signaled);
}

void TstTaskFolder::statusOfExits_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("value");
    QTest::addColumn<int>("status");
    QTest::newRow("exited") << int(ExitKind::Exited) << 3 << 3;
    QTest::newRow("signaled") << int(ExitKind::Signaled) << 15 << 143;
    QTest::newRow("oom") << int(ExitKind::Oom) << 9 << 137;
    QTest::newRow("start failed") << int(ExitKind::StartFailed) << 0 << -1;
    QTest::newRow("lost") << int(ExitKind::Lost) << 0 << -1;
}

void TstTaskFolder::statusOfExits()
{
    QFETCH(int, kind);
    QFETCH(int, value);
    ExitRecord record;
    record.kind = static_cast<ExitKind>(kind);
    record.value = value;
    QTEST(record.shellStatus(), "status");
    QVERIFY(exitKindFromWord(exitKindWord(record.kind)) == record.kind);
}

void TstTaskFolder::indexRecord()
{
    const IndexRecord record{0x0102030405060708ull, -5, 0xfffffff0u, Stream::Err, 9};
    const auto bytes = encodeIndexRecord(record);
    QVERIFY(decodeIndexRecord(bytes.data()) == record);
    QCOMPARE(bytes[0], char(8)); // little-endian on every machine
    QCOMPARE(bytes[7], char(1));
    QCOMPARE(bytes[20], char(2));
    QCOMPARE(bytes[21], char(9));
}

void TstTaskFolder::tailHeader()
{
    const TailHeader header{100, 1ull << 33, 12345};
    const auto bytes = encodeTailHeader(header);
    const auto back = decodeTailHeader(std::string_view(bytes.data(), bytes.size()));
    QVERIFY(back && back->ringSize == 100 && back->begin == 1ull << 33 && back->total == 12345);
    QVERIFY(!decodeTailHeader("TYTAIL1\n"));
    QVERIFY(!decodeTailHeader(std::string(32, 'x')));
}

// Told by what is reserved for the record of the end, which the record may still be written over.
void TstTaskFolder::lackOfRoom()
{
    const QTemporaryDir folder;
    const std::string at = folder.path().toStdString(), reserve = at + '/' + file::reserve;
    markLackOfRoom(reserve, true); // nothing is there
    QVERIFY(!lacksRoom(at));
    QCOMPARE(reserveRecord(reserve), 0);
    QVERIFY(!lacksRoom(at));
    markLackOfRoom(reserve, true);
    QVERIFY(lacksRoom(at));
    QCOMPARE(QFile(folder.filePath(QStringLiteral("reserve"))).size(), qint64(reservedBytes));
    markLackOfRoom(reserve, false);
    QVERIFY(!lacksRoom(at));
    markLackOfRoom(reserve, true);
    QCOMPARE(writeOver(reserve, at + '/' + file::exit, someExit().format(), false), 0);
    QVERIFY(!lacksRoom(at));
    QCOMPARE(readExitRecord(at), someExit());
}

void TstTaskFolder::atomicWrite()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("exit")).toStdString();
    QCOMPARE(writeAtomically(path, "one", true), 0);
    QCOMPARE(writeAtomically(path, "two", false), 0);
    QVERIFY(readWhole(path) == "two");
    struct stat info;
    QCOMPARE(::stat(path.c_str(), &info), 0);
    QCOMPARE(int(info.st_mode & 0777), 0600);
    QVERIFY(!readWhole(path, 2));
    QVERIFY(!readWhole(path + "-missing"));
    QCOMPARE(writeAtomically(path + "/x", "y", false), ENOTDIR);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

// A task may put one where a record is, or is to be.
void TstTaskFolder::pipesAreNotWaitedFor()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("exit")).toStdString();
    const std::string part = path + ".tmp" + std::to_string(::getpid());
    QVERIFY(::mkfifo(path.c_str(), 0600) == 0 && ::mkfifo(part.c_str(), 0600) == 0);
    const auto isOver = [](const std::future<bool> &done, const std::string &pipe, int otherEnd) {
        const bool over = done.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
        if (!over) {
            ::close(::open(pipe.c_str(), otherEnd | O_NONBLOCK | O_CLOEXEC)); // lets it go on
        }
        return over;
    };
    const std::future<bool> read
        = std::async(std::launch::async, [&path] { return readWhole(path).value_or("").empty(); });
    QVERIFY(isOver(read, path, O_WRONLY));
    QVERIFY(!readExitRecord(folder.path().toStdString()));
    const std::future<bool> written
        = std::async(std::launch::async, [&path] { return writeAtomically(path, "x", false) == 0; });
    QVERIFY(isOver(written, part, O_RDONLY));
    QCOMPARE(readWhole(path).value_or(""), std::string("x"));
}

void TstTaskFolder::folders()
{
    const QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    QCOMPARE(makeFolders(base + "/a/b/c"), 0);
    QCOMPARE(makeFolders(base + "/a/b/c"), 0);
    QCOMPARE(writeAtomically(base + "/file", "", false), 0);
    QCOMPARE(makeFolders(base + "/file"), ENOTDIR);
    QCOMPARE(makeFolders(base + "/file/x"), ENOTDIR);
}

static bool isTopOfHierarchy(const std::string &folder)
{
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int flags = 0; // an int, whatever the number of the request says
    const bool isTop = ::ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_TOPDIR_FL) != 0;
    ::close(fd);
    return isTop;
}

void TstTaskFolder::topOfHierarchy()
{
    const QTemporaryDir dir;
    const std::string folder = dir.filePath(QStringLiteral("runs")).toStdString();
    QCOMPARE(makeFolders(folder), 0);
    QVERIFY(!isTopOfHierarchy(folder));
    markTopOfHierarchy(folder + "/missing"); // nothing to say
    markTopOfHierarchy(folder);
    struct statfs system;
    QCOMPARE(::statfs(folder.c_str(), &system), 0);
    QCOMPARE(isTopOfHierarchy(folder), system.f_type == EXT4_SUPER_MAGIC);
    markTopOfHierarchy(folder); // again: the same
    QCOMPARE(isTopOfHierarchy(folder), system.f_type == EXT4_SUPER_MAGIC);
    QCOMPARE(makeFolders(folder + "/job/0"), 0);
    QVERIFY(!isTopOfHierarchy(folder + "/job")); // what is of one job stays together
}

void TstTaskFolder::plan()
{
    Plan plan;
    plan.job = "41";
    plan.role = "worker";
    plan.tryUuid = "u";
    plan.attempt = 1;
    plan.index = 2;
    plan.tryNumber = 3;
    plan.envNames = {"A", "B"};
    plan.limits.memoryBytes = 1ll << 40;
    plan.limits.rlimits = {{"nofile", 1024}};
    plan.gpus = {0, 3};
    plan.ports = {15000};
    plan.stopGraceMs = 5;
    QVERIFY(parsePlan(planJson(plan)) == plan);
    QVERIFY(!parsePlan("[]"));
    QVERIFY(!parsePlan("{"));
    QVERIFY(!parsePlan(std::string(100000, '[')));
}

#include "tst_taskfolder.moc"
