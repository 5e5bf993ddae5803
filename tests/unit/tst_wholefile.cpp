// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/wholefile.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cstring>

using namespace trainyard;

class TstWholeFile : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isWritten();
    void staysWhenThereIsNoRoom_data();
    void staysWhenThereIsNoRoom();
    void isWrittenOver();
    void staysWhenThereIsNoRoomOver_data() { staysWhenThereIsNoRoom_data(); }
    void staysWhenThereIsNoRoomOver();
    void keepsItsAccessList();
    void takesNoAccessListOfTheFolder();
};
TRAINYARD_TEST(TstWholeFile)

static QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not there");
}

// While it lives no file of this process may grow beyond a number of bytes: the kernel refuses as it does on a full
// disk, with another word.
class NoRoom
{
public:
    explicit NoRoom(rlim_t bytes) : m_handler(::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit less{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &less);
    }
    Q_DISABLE_COPY_MOVE(NoRoom)
    ~NoRoom()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        ::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    sighandler_t m_handler;
};

void TstWholeFile::isWritten()
{
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    for (const QByteArray &bytes : {QByteArray("name: a\n"), QByteArray(100000, 'x'), QByteArray()}) {
        QSaveFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(!writeWhole(file, bytes));
        QCOMPARE(contents(path), bytes);
    }
}

void TstWholeFile::staysWhenThereIsNoRoom_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("room");
    QTest::newRow("all of it waits in the buffer") << 761 << 0;
    QTest::newRow("a part of the buffer still fits") << 9000 << 4096;
    QTest::newRow("written past the buffer") << 100000 << 4096;
}

void TstWholeFile::staysWhenThereIsNoRoom()
{
    QFETCH(int, size);
    QFETCH(int, room);
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    QSaveFile first(path);
    QVERIFY(first.open(QIODevice::WriteOnly));
    QVERIFY(!writeWhole(first, "name: before\n"));
    {
        const NoRoom none{rlim_t(room)};
        QSaveFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const std::optional<QString> why = writeWhole(file, QByteArray(size, 'x'));
        QVERIFY(why);
        QVERIFY2(!why->isEmpty(), "no reason is said");
    }
    QCOMPARE(contents(path), QByteArray("name: before\n"));
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList(QStringLiteral("job.yaml"))); // nothing beside it
}

void TstWholeFile::isWrittenOver()
{
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    QVERIFY(writeOver(path, "x")); // it makes no file
    QVERIFY(!QFile::exists(path));
    QVERIFY(writeFile(path, "name: before\n"));
    struct stat before = {}, after = {};
    QCOMPARE(::stat(QFile::encodeName(path).constData(), &before), 0);
    for (const QByteArray &bytes : {QByteArray("name: a\n"), QByteArray(100000, 'x'), QByteArray()}) {
        const std::optional<QString> why = writeOver(path, bytes);
        QVERIFY2(!why, qPrintable(why.value_or(QString())));
        QCOMPARE(contents(path), bytes);
    }
    QCOMPARE(::stat(QFile::encodeName(path).constData(), &after), 0);
    QCOMPARE(after.st_ino, before.st_ino);
}

void TstWholeFile::staysWhenThereIsNoRoomOver()
{
    QFETCH(int, size);
    QFETCH(int, room);
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    QVERIFY(writeFile(path, "name: before\n"));
    {
        const NoRoom none{rlim_t(room)};
        const std::optional<QString> why = writeOver(path, QByteArray(size, 'x'));
        QVERIFY(why);
        QVERIFY2(!why->isEmpty(), "no reason is said");
    }
    QCOMPARE(contents(path), QByteArray("name: before\n"));
}

// As the kernel keeps it: the owner and a user 12345 may read and write, the group may read, others may not.
static QByteArray accessList()
{
    return QByteArray::fromHex("02000000"
                               "01000600ffffffff"
                               "0200060039300000"
                               "04000400ffffffff"
                               "10000600ffffffff"
                               "20000000ffffffff");
}

static bool setAttribute(const QString &path, const char *name, const QByteArray &value)
{
    return ::setxattr(QFile::encodeName(path).constData(), name, value.constData(), size_t(value.size()), 0) == 0;
}

static QByteArray attribute(const QString &path, const char *name)
{
    QByteArray value(200, '\0');
    const ssize_t size = ::getxattr(QFile::encodeName(path).constData(), name, value.data(), size_t(value.size()));
    return size < 0 ? QByteArray("none") : value.left(size);
}

void TstWholeFile::keepsItsAccessList()
{
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    QVERIFY(writeFile(path, "name: before\n"));
    if (!setAttribute(path, "system.posix_acl_access", accessList())) {
        QVERIFY2(errno == EOPNOTSUPP, std::strerror(errno));
        QSKIP("This file system has no access lists: set TMPDIR to a folder of one that has them.");
    }
    const bool hasOwn = setAttribute(path, "user.origin", "web"); // not everywhere
    const QFile::Permissions mode = QFile::permissions(path);
    QVERIFY(writeFile(path, "name: after\n"));
    QCOMPARE(contents(path), QByteArray("name: after\n"));
    QCOMPARE(attribute(path, "system.posix_acl_access"), accessList());
    QCOMPARE(attribute(path, "user.origin"), hasOwn ? QByteArray("web") : QByteArray("none"));
    QCOMPARE(QFile::permissions(path), mode);
}

void TstWholeFile::takesNoAccessListOfTheFolder()
{
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    QVERIFY(writeFile(path, "name: before\n"));
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
    const QFile::Permissions mode = QFile::permissions(path);
    if (!setAttribute(dir.path(), "system.posix_acl_default", accessList())) {
        QVERIFY2(errno == EOPNOTSUPP, std::strerror(errno));
        QSKIP("This file system has no access lists: set TMPDIR to a folder of one that has them.");
    }
    QVERIFY(writeFile(path, "name: after\n"));
    QCOMPARE(attribute(path, "system.posix_acl_access"), QByteArray("none"));
    QCOMPARE(QFile::permissions(path), mode);
}

#include "tst_wholefile.moc"
